//! What does an input look like, and can one that is known in part be one that is known to be valid?
//!
//! Objects are numbers here, so that two inputs are compared without looking anything up. An answer that two inputs differ must
//! be right, because paths are dropped for it; where that is not certain, the answer is *unsure*.

use std::collections::HashMap;
use std::rc::Rc;

use lazuli_vm::heap::{Body, Sparse};
use lazuli_vm::program::{Class, GenericType};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Entry, Input};
use lazuli_vm::universe::Bounds;
use lazuli_vm::value::{ObjId, Value};

const STRING: &str = "java/lang/String";

/// An input as it was at entry, as far as it was read.
pub struct PartialHeap {
    /// In the order in which they were met.
    pub objects: Vec<PartialObject>,
    /// `this`, the parameters, and static fields.
    roots: Vec<(Rc<str>, PartialValue)>,
}

/// An object of an input.
pub struct PartialObject {
    /// The object in the heap of the state from which the description was made.
    pub object: ObjId,
    /// The runtime class of the object.
    pub class: &'static Class,
    /// The class under which it counts against the scope.
    pub counted: &'static Class,
    /// How it was first reached.
    pub name: Rc<str>,
    /// How many references were followed from a root when it was first reached.
    pub depth: u32,
    /// The declared type with its arguments, if it has some.
    pub generic: Option<Rc<GenericType>>,
    /// The fields, or the length and the elements.
    pub contents: PartialContents,
    /// The array that a string has for itself, with its class. The object that stands for it in one heap is another one elsewhere.
    pub characters: Option<(&'static Class, Rc<Sparse>)>,
}

/// The contents of an input object, as far as they are known.
pub enum PartialContents {
    /// One value for each field slot, superclasses first.
    Fields(Box<[PartialValue]>),
    /// An array, of which only the elements that were read are listed.
    Array {
        /// The length, which may be symbolic.
        length: Value,
        /// The elements that were read, with their indices.
        touched: Box<[(Value, PartialValue)]>,
    },
    /// An object of the library. Its elements are not compared, so that nothing is certain about it.
    Library,
}

/// The contents of a variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PartialValue {
    /// Never read, so that every value of the declared type fits.
    Unread,
    /// A reference that is not decided.
    Undecided {
        /// Is null one of the possible values?
        may_be_null: bool,
    },
    /// The null reference.
    Null,
    /// An object of the input, by its number.
    Object(u32),
    /// Another object that was there at entry.
    Other(ObjId),
    /// A primitive value, concrete or symbolic.
    Number(Value),
}

/// Why an input that is known in part was not found to be the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// It is not, whatever else becomes known of it.
    Differs,
    /// It cannot be told.
    Unsure,
}

/// How an input that is known in part is another one.
pub struct Match {
    /// Which object of the other one each of its objects is; none for those that the other one does not speak of.
    pub objects: Vec<Option<u32>>,
    /// Numbers of the one and of the other that must be equal.
    pub numbers: Vec<(Value, Value)>,
    /// May an object that it came to by another way, such as a parameter, be one that only the other input speaks of? The match says then that
    /// the one may be the other, and not in which ways.
    pub may_overlap: bool,
}

impl PartialHeap {
    /// The input of a state.
    pub fn of(state: &State) -> PartialHeap {
        let symbols = &state.symbols;
        let numbers: HashMap<ObjId, u32> =
            symbols.inputs.iter().enumerate().map(|(number, input)| (input.object, number as u32)).collect();
        let cell = |value: Value| match symbols.settled(value) {
            Value::Unread | Value::Top => PartialValue::Unread,
            Value::Unknown(id) => PartialValue::Undecided { may_be_null: symbols.unknown(id).may_be_null },
            Value::Ref(None) => PartialValue::Null,
            Value::Ref(Some(object)) => {
                numbers.get(&object).map_or(PartialValue::Other(object), |number| PartialValue::Object(*number))
            }
            number => PartialValue::Number(number),
        };
        let characters = |input: &Input| {
            let Entry::Fields(fields) = &input.entry else { return None };
            let array = |value: &Value| match value {
                Value::Ref(Some(array)) => match &state.heap.get(*array).body {
                    Body::Sparse(sparse) => Some((state.heap.class(*array), sparse.clone())),
                    _ => None,
                },
                _ => None,
            };
            fields.iter().find_map(array).filter(|_| state.heap.class(input.object).name == STRING)
        };
        let objects = symbols.inputs.iter().map(|input| PartialObject {
            object: input.object,
            class: state.heap.class(input.object),
            generic: input.generic.clone(),
            characters: characters(input),
            counted: input.counted,
            name: input.name.clone(),
            depth: input.depth,
            contents: match &input.entry {
                Entry::Built(_) => PartialContents::Library,
                Entry::Fields(fields) => PartialContents::Fields(fields.iter().map(|value| cell(*value)).collect()),
                Entry::Elements(elements) => PartialContents::Array {
                    length: state.heap.sparse(input.object).map_or(Value::Top, |sparse| sparse.length),
                    touched: elements.iter().map(|(index, value)| (*index, cell(*value))).collect(),
                },
            },
        });
        let objects = objects.collect();
        let roots = symbols.roots.iter().map(|root| (root.name.clone(), cell(root.value))).collect();
        PartialHeap { objects, roots }
    }

    /// Can this input, of which a part is known, be the other one, which is valid? `asked` are the roots whose validity was asked.
    pub fn matches(&self, valid: &PartialHeap, asked: &[usize], bounds: &Bounds) -> Result<Match, Mismatch> {
        // Walks through both inputs at once, from the roots on, and builds an injective map from known objects to valid ones.
        //
        // Invariant: the pairs in `objects` are forced, because each known object was met over the same references in both inputs.
        // So a contradiction refutes the match for good, and no other assignment need be tried: no backtracking. Example: of the
        // known input, `this.first = A` was read, and `A.next` was not; the valid one is a list of one node 1. The match is A ↦ 1.
        // Once the path reads `A.next` as a new object, Object stands against Null, and the inputs differ.
        //
        // Doubts are collected, and answered last: a certain difference outweighs them. A match is the test by which a solution is
        // reused for the next step of a path (PLI, ASE 2023, section III.D).
        let mut matching = Matching {
            known: self,
            valid,
            objects: vec![None; self.objects.len()],
            taken: vec![false; valid.objects.len()],
            waiting: Vec::new(),
            numbers: Vec::new(),
            is_unsure: false,
        };
        for (at, (name, known)) in self.roots.iter().enumerate() {
            // Roots that are read on the way come in the order of the path.
            let same = valid.roots.get(at).filter(|(other, _)| other == name);
            let Some((_, other)) = same.or_else(|| valid.roots.iter().find(|(other, _)| other == name)) else {
                continue;
            };
            // The validity of an object is not known where it was not decided that there is one.
            let is_decided_now = matches!(known, PartialValue::Object(_) | PartialValue::Other(_))
                && matches!(other, PartialValue::Undecided { .. });
            matching.is_unsure |= is_decided_now && asked.contains(&at);
            matching.cell(*known, *other)?;
        }
        while let Some((known, other)) = matching.waiting.pop() {
            matching.contents(known, other)?;
        }
        if matching.is_unsure || matching.may_exceed(bounds) {
            return Err(Mismatch::Unsure);
        }
        let may_overlap = matching.may_overlap();
        Ok(Match { objects: matching.objects, numbers: matching.numbers, may_overlap })
    }
}

struct Matching<'a> {
    known: &'a PartialHeap,
    valid: &'a PartialHeap,
    objects: Vec<Option<u32>>,
    taken: Vec<bool>,
    /// Objects whose contents have to be compared.
    waiting: Vec<(u32, u32)>,
    numbers: Vec<(Value, Value)>,
    is_unsure: bool,
}

impl Matching<'_> {
    fn cell(&mut self, known: PartialValue, other: PartialValue) -> Result<(), Mismatch> {
        match (known, other) {
            (PartialValue::Unread, _) | (_, PartialValue::Unread) => Ok(()),
            (PartialValue::Null, PartialValue::Null) => Ok(()),
            (PartialValue::Undecided { may_be_null }, PartialValue::Null)
            | (PartialValue::Null, PartialValue::Undecided { may_be_null }) => {
                if may_be_null {
                    Ok(())
                } else {
                    Err(Mismatch::Differs)
                }
            }
            (PartialValue::Undecided { .. }, _) | (_, PartialValue::Undecided { .. }) => Ok(()),
            (PartialValue::Object(known), PartialValue::Object(other)) => self.object(known, other),
            (PartialValue::Other(known), PartialValue::Other(other)) if known == other => Ok(()),
            // A static field may hold an object since a class was initialised on the one path and not on the other.
            (PartialValue::Other(_), PartialValue::Object(_)) | (PartialValue::Object(_), PartialValue::Other(_)) => {
                self.is_unsure = true;
                Ok(())
            }
            (PartialValue::Number(known), PartialValue::Number(other)) => self.number(known, other),
            _ => Err(Mismatch::Differs),
        }
    }

    fn object(&mut self, known: u32, other: u32) -> Result<(), Mismatch> {
        if let Some(before) = self.objects[known as usize] {
            return if before == other { Ok(()) } else { Err(Mismatch::Differs) };
        }
        let (one, two) = (&self.known.objects[known as usize], &self.valid.objects[other as usize]);
        // Equal boxes may be one cached object. A string keeps its characters in an array of its own, which is no part of the form.
        let is_string = one.class.name == STRING || two.class.name == STRING;
        let is_special = one.class.is_box || is_string;
        // Objects of a path are different ones.
        if std::mem::replace(&mut self.taken[other as usize], true) && !is_special {
            return Err(Mismatch::Differs);
        }
        match can_be_both(one.class, two.class) {
            Some(true) => {}
            Some(false) => return Err(Mismatch::Differs),
            None => self.is_unsure = true,
        }
        // One that counts as something else leaves room for another.
        self.is_unsure |= one.counted.id != two.counted.id || is_special;
        self.objects[known as usize] = Some(other);
        if !is_string {
            self.waiting.push((known, other));
        }
        Ok(())
    }

    fn contents(&mut self, known: u32, other: u32) -> Result<(), Mismatch> {
        let (form, valid) = (self.known, self.valid);
        match (&form.objects[known as usize].contents, &valid.objects[other as usize].contents) {
            (PartialContents::Fields(known), PartialContents::Fields(other)) => {
                for (known, other) in known.iter().zip(other) {
                    self.cell(*known, *other)?;
                }
            }
            (
                PartialContents::Array { length, touched },
                PartialContents::Array { length: other_length, touched: others },
            ) => {
                self.number(*length, *other_length)?;
                let is_constant = |index: &Value| matches!(index, Value::Int(_));
                for (index, known) in touched {
                    match others.iter().find(|(other, _)| other == index) {
                        Some((_, other)) => self.cell(*known, *other)?,
                        // It was never read; unless another index is the same number.
                        None => {
                            let are_constant = is_constant(index) && others.iter().all(|(other, _)| is_constant(other));
                            self.is_unsure |= !are_constant;
                        }
                    }
                }
            }
            _ => self.is_unsure = true,
        }
        Ok(())
    }

    fn number(&mut self, known: Value, other: Value) -> Result<(), Mismatch> {
        match (known, other) {
            _ if known == other => {}
            (Value::Term(..), _) => self.numbers.push((known, other)),
            // Numbers of an input are variables, unless more is known.
            (_, Value::Term(..)) => self.is_unsure = true,
            _ => return Err(Mismatch::Differs),
        }
        Ok(())
    }

    /// May an object of which only the one speaks be one of which only the other speaks?
    fn may_overlap(&self) -> bool {
        let further = self.known.objects.iter().zip(&self.objects).filter(|(_, is)| is.is_none()).map(|(item, _)| item);
        let mut free =
            self.valid.objects.iter().zip(&self.taken).filter(|(_, is_taken)| !**is_taken).map(|(item, _)| item);
        let further: Vec<&PartialObject> = further.collect();
        free.any(|item| further.iter().any(|other| can_be_both(item.class, other.class) != Some(false)))
    }

    /// Are there more objects in both together than the bounds allow?
    fn may_exceed(&self, bounds: &Bounds) -> bool {
        // The input that is both has the valid objects, and beside them those that the valid input does not speak of, such as a
        // further parameter. The valid input alone is within the scope; the union need not be.
        let further: Vec<&PartialObject> =
            self.known.objects.iter().zip(&self.objects).filter(|(_, is)| is.is_none()).map(|(item, _)| item).collect();
        let is_too_many = |item: &&PartialObject| {
            let of_class = |other: &&PartialObject| other.counted.id == item.counted.id;
            let count =
                further.iter().copied().filter(of_class).count() + self.valid.objects.iter().filter(of_class).count();
            count > bounds.scope_of(&item.counted.java_name())
        };
        let all = further.len() + self.valid.objects.len();
        !further.is_empty() && (bounds.objects.is_some_and(|most| all > most) || further.iter().any(is_too_many))
    }
}

/// Can an object of which the one is known and one of which the other is known be the same? None if it cannot be told.
fn can_be_both(one: &Class, other: &Class) -> Option<bool> {
    match (one.possible(), other.possible()) {
        _ if one.id == other.id => Some(true),
        (None, None) => Some(false),
        (Some(possible), None) if !possible.others => Some(possible.known.iter().any(|class| class.id == other.id)),
        (None, Some(possible)) if !possible.others => Some(possible.known.iter().any(|class| class.id == one.id)),
        _ => None,
    }
}
