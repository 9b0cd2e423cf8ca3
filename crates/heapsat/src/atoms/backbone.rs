//! How is an object written as relations between numbered objects?
//!
//! The objects that a root reaches over chosen reference fields, its backbone, are numbered breadth first: each sort of objects from 0
//! on, fields in their order. Two objects of the same shape then are the same set of facts such as `left(0) = 1`, and a fact can be
//! asked for by number, as in TACO (Galeotti, Rosner, López Pombo and Frias, ISSTA 2010).

use std::collections::HashSet;

use lazuli_vm::program::{Class, Program, World, access, element_of};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{Kind, ObjId, Value};

/// The fields over which the objects of a structure are numbered.
#[derive(Clone)]
pub struct Backbone {
    /// In the order in which they are followed.
    pub fields: Vec<BackboneField>,
    /// The sorts of objects that they connect.
    pub sorts: Vec<ObjectSort>,
    /// The sort of the root.
    pub root: usize,
}

/// A reference field between objects.
#[derive(Clone)]
pub struct BackboneField {
    /// The class that declares it.
    pub class: &'static Class,
    /// Its place in objects of that class; an index in arrays.
    pub slot: u32,
    /// Its name.
    pub name: &'static str,
    /// The sort of the objects that have it.
    pub owner: usize,
    /// The sort of the objects to which it may refer.
    pub target: usize,
    /// Does the walk meet some object over this field first? Where it never does, numbers do not depend on the field.
    pub leads: bool,
}

/// Classes whose objects are numbered together, because a field may refer to objects of several of them.
#[derive(Clone)]
pub struct ObjectSort {
    /// The classes of roots, and the declared types of fields.
    pub classes: Vec<&'static Class>,
    /// How many of them are declared types of fields.
    pub declared: usize,
}

/// The value of a backbone field of a numbered object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Referent {
    /// Null.
    Null,
    /// The object of that number, of the field's sort.
    Object(u16),
    /// An object that is no input: the value of a static field.
    Other(ObjId),
}

impl Referent {
    /// Is it an object with a number?
    pub fn is_object(&self) -> bool {
        self.number().is_some()
    }

    /// The number of an object that has one.
    pub fn number(&self) -> Option<u16> {
        match self {
            Referent::Object(number) => Some(*number),
            Referent::Null | Referent::Other(_) => None,
        }
    }
}

/// A name that is no field of a backbone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no field {name} refers to an object of a class on the class path; there is: {}", there.join(", "))]
pub struct UnknownField {
    /// The name.
    pub name: String,
    /// The fields that there are, with their classes.
    pub there: Vec<String>,
}

/// A backbone field, by its place in the backbone, the number of its owner, and its value.
pub type Fact = (u16, u16, Referent);

/// The result of a breadth-first walk over the backbone.
pub struct Numbered {
    /// With sort and number, in the order of the walk.
    pub objects: Vec<(ObjId, usize, u16)>,
    pub facts: Vec<Fact>,
    /// Fields over which an object was met first.
    pub leading: HashSet<usize>,
    /// The first undecided field, if there is one. The walk ends there: objects behind it have no number yet.
    pub open: Option<usize>,
}

impl Backbone {
    /// All fields of objects of these classes, and of the objects that they consist of, that refer to objects of the user's classes.
    /// Arrays and enumerations are not numbered, nor classes of the JDK, unless they are those of a root, or declared in one.
    pub fn of(program: &Program, roots: &[&'static Class]) -> Backbone {
        Backbone::reaching(program, roots, 0)
    }

    /// The same with arrays of up to some length as objects, whose fields are their elements.
    pub fn with_arrays(program: &Program, roots: &[&'static Class], longest: usize) -> Backbone {
        Backbone::reaching(program, roots, longest.max(1) as u32)
    }

    fn reaching(program: &Program, roots: &[&'static Class], longest: u32) -> Backbone {
        let users = program.users();
        let outermost = |class: &Class| class.name.split('$').next().unwrap_or(class.name);
        let is_followed =
            |class: &Class| class.is_users() || roots.iter().any(|root| outermost(root) == outermost(class));
        let mut found: Vec<(&'static Class, u32, &'static str, &'static Class)> = Vec::new();
        let mut seen = HashSet::new();
        let mut waiting = roots.to_vec();
        let is_object = |class: &Class| match class.is_array() {
            true => longest > 0,
            false => is_followed(class) && class.access & access::ENUM == 0,
        };
        // A worklist over declared types. The fields of a type are those of all its subtypes and supertypes.
        while let Some(declared) = waiting.pop() {
            if let Some(component) = declared.component() {
                if seen.insert(declared.id) && component.kind() == Kind::Reference && is_object(component) {
                    found.extend((0..longest).map(|slot| (declared, slot, "[]", component)));
                    waiting.push(component);
                }
                continue;
            }
            let among = users.iter().copied().filter(|class| class.is_subtype_of(declared)).chain([declared]);
            for class in among.flat_map(Class::chain).filter(|class| is_followed(class)) {
                if !seen.insert(class.id) {
                    continue;
                }
                for field in class.fields.iter().filter(|field| !field.is_static()) {
                    let Ok(target) = program.load_descriptor(field.descriptor) else { continue };
                    if is_object(target) {
                        found.push((class, field.slot, field.name, target));
                        waiting.push(target);
                    }
                }
            }
        }
        let sorts = sorts(program, roots, &found.iter().map(|(.., target)| *target).collect::<Vec<_>>());
        let sort_of = |class: &'static Class| sorts.iter().position(|sort| sort.holds(class));
        let fields = found.into_iter().filter_map(|(class, slot, name, target)| {
            Some(BackboneField { class, slot, name, owner: sort_of(class)?, target: sort_of(target)?, leads: true })
        });
        let mut fields: Vec<BackboneField> = fields.collect();
        // Fields of superclasses come first, as in the object.
        fields.sort_by_key(|field| (field.owner, field.slot, field.class.id.index()));
        let root = roots.first().and_then(|root| sort_of(root)).unwrap_or(0);
        Backbone { fields, sorts, root }
    }

    /// All fields of another backbone of the same classes, with these first.
    pub fn and(&self, all: &Backbone) -> Backbone {
        let is_here = |field: &&BackboneField| {
            self.fields.iter().any(|known| known.class.id == field.class.id && known.slot == field.slot)
        };
        let others = all.fields.iter().filter(|field| !is_here(field));
        Backbone { fields: self.fields.iter().chain(others).cloned().collect(), ..all.clone() }
    }

    /// Leaves out fields, and the sorts to which none leads any more.
    pub fn keep(&mut self, is_kept: impl Fn(&BackboneField) -> bool) {
        self.fields.retain(is_kept);
        for (at, sort) in self.sorts.iter_mut().enumerate() {
            if self.fields.iter().all(|field| field.target != at) {
                sort.declared = 0;
            }
        }
    }

    /// Only the named fields, in that order.
    pub fn only(&self, names: &[String]) -> Result<Backbone, UnknownField> {
        let mut fields: Vec<BackboneField> = Vec::new();
        for name in names {
            let is_named = |field: &&BackboneField| field.name == name || self.title(field) == *name;
            let before = fields.len();
            fields.extend(self.fields.iter().filter(is_named).cloned());
            if fields.len() == before {
                let there: Vec<String> = self.fields.iter().map(|field| self.title(field)).collect();
                return Err(UnknownField { name: name.clone(), there });
            }
        }
        Ok(Backbone { fields, ..self.clone() })
    }

    /// The name of a field, with the class that declares it.
    pub fn title(&self, field: &BackboneField) -> String {
        format!("{}.{}", self.class_name(field.class), field.name)
    }

    /// The names of the objects of each sort, before their numbers: the initial of their class, or its whole name if another sort has the same
    /// initial.
    pub fn names(&self) -> Vec<String> {
        let whole: Vec<String> = self.sorts.iter().map(|sort| self.class_name(sort.classes[0])).collect();
        let initial = |name: &str| name.chars().find(|letter| letter.is_uppercase()).map(String::from);
        let name = |name: &String| match initial(name) {
            Some(letter) if whole.iter().filter(|other| initial(other).as_ref() == Some(&letter)).count() == 1 => {
                letter
            }
            _ => name.clone(),
        };
        whole.iter().map(name).collect()
    }

    /// The simple name of a class, unless another one of the backbone has the same.
    fn class_name(&self, class: &'static Class) -> String {
        let simple = |class: &Class| class.name.rsplit(['/', '$']).next().unwrap_or(class.name);
        let classes =
            self.sorts.iter().flat_map(|sort| &sort.classes).chain(self.fields.iter().map(|field| &field.class));
        let is_shared = classes.into_iter().any(|other| other.id != class.id && simple(other) == simple(class));
        if is_shared { class.java_name() } else { simple(class).to_string() }
    }

    /// Numbers the objects that a root reaches over the fields that lead.
    pub fn number(&self, state: &State, root: ObjId) -> Numbered {
        let mut counts = vec![0u16; self.sorts.len()];
        let mut objects = vec![(root, self.root, 0)];
        counts[self.root] = 1;
        let mut facts = Vec::new();
        let mut leading = HashSet::new();
        let mut next = 0;
        while let Some(&(object, sort, number)) = objects.get(next) {
            next += 1;
            for (at, field) in self.fields.iter().enumerate() {
                if field.owner != sort || !field.leads {
                    continue;
                }
                let target = match field.value(state, object) {
                    FieldValue::Absent => continue,
                    FieldValue::Open => return Numbered { objects, facts, leading, open: Some(at) },
                    FieldValue::Null => Referent::Null,
                    FieldValue::Object(object) if state.symbols.input(object).is_none() => Referent::Other(object),
                    FieldValue::Object(object) => {
                        let known = objects.iter().find(|(known, ..)| *known == object).map(|(.., number)| *number);
                        Referent::Object(known.unwrap_or_else(|| {
                            let fresh = counts[field.target];
                            counts[field.target] += 1;
                            objects.push((object, field.target, fresh));
                            leading.insert(at);
                            fresh
                        }))
                    }
                };
                facts.push((at as u16, number, target));
            }
        }
        Numbered { objects, facts, leading, open: None }
    }
}

/// The value of a field at entry.
pub enum FieldValue {
    /// The object has no such field.
    Absent,
    /// Undecided: it was not read, or whether the object has it depends on a class that is undecided.
    Open,
    /// Null.
    Null,
    /// An object.
    Object(ObjId),
}

impl BackboneField {
    /// The value of this field of an object at entry.
    pub fn value(&self, state: &State, object: ObjId) -> FieldValue {
        let class = state.heap.class(object);
        if !class.is_subtype_of(self.class) {
            let may_have_it = class.possible().is_some_and(|possible| {
                possible.others || possible.known.iter().any(|class| class.is_subtype_of(self.class))
            });
            return if may_have_it { FieldValue::Open } else { FieldValue::Absent };
        }
        let Some(Entry::Fields(fields)) = state.symbols.input(object).map(|input| &input.entry) else {
            return FieldValue::Open;
        };
        match fields.get(self.slot as usize).map(|value| state.symbols.settled(*value)) {
            Some(Value::Ref(Some(object))) => FieldValue::Object(object),
            Some(Value::Ref(None)) => FieldValue::Null,
            _ => FieldValue::Open,
        }
    }
}

impl ObjectSort {
    /// Are objects of this class of this sort?
    pub fn holds(&self, class: &Class) -> bool {
        self.classes.iter().any(|known| are_related(known, class))
    }
}

/// The classes of the roots and the types of fields, with those together of which one object may be.
fn sorts(program: &Program, roots: &[&'static Class], declared: &[&'static Class]) -> Vec<ObjectSort> {
    let mut sorts: Vec<ObjectSort> = Vec::new();
    let mut seen = HashSet::new();
    for class in roots.iter().chain(declared).filter(|class| seen.insert(class.id)) {
        let counts = declared.iter().any(|declared| declared.id == class.id) as usize;
        let is_related = |sort: &ObjectSort| {
            sort.holds(class) || sort.classes.iter().any(|known| may_be_both(program, known, class))
        };
        let (related, others): (Vec<ObjectSort>, Vec<ObjectSort>) = sorts.into_iter().partition(is_related);
        sorts = others;
        let classes = related.iter().flat_map(|sort| sort.classes.iter().copied()).chain([*class]).collect();
        sorts.push(ObjectSort { classes, declared: related.iter().map(|sort| sort.declared).sum::<usize>() + counts });
    }
    sorts
}

/// May an object be of both, although neither extends the other? One of them, or what it is an array of, is an interface then.
fn may_be_both(program: &Program, one: &'static Class, other: &'static Class) -> bool {
    let may_be = |class: &'static Class, also: &'static Class| {
        program.possible_classes(class, World::Open).is_some_and(|possible| program.split(possible, also).yes.is_some())
    };
    (element_of(one).is_interface() || element_of(other).is_interface()) && (may_be(one, other) || may_be(other, one))
}

/// Is an object of the one also of the other, or do both inherit fields?
fn are_related(one: &Class, other: &Class) -> bool {
    let inherits = |class: &Class, from: &Class| class.id == from.id || class.is_subtype_of(from);
    let common = |class: &&Class| !class.fields.is_empty() && class.is_users() && inherits(other, class);
    inherits(one, other)
        || inherits(other, one)
        || std::iter::successors(Some(one), |class| class.super_class).any(|class| common(&class))
}
