//! Which objects can be reached? Methods that collect them, written as people write them in `repOK`: a set of what was seen, and a queue of what
//! must still be looked at.

use std::collections::{HashMap, HashSet};

use lazuli_jml::{Expr, ExprKind, FieldName, Span, TypeName};
use lazuli_vm::program::{Class, ClassId, Code, Method, Op, Program, Reach};
use lazuli_vm::value::Kind;

use super::emit::{Emitter, Layout};
use super::names::find_field;
use super::resolve::{ClauseOutcome, Resolved, Resolver, ResolverTables};
use super::typed::*;
use super::{Made, define};

/// The methods that were made for `\reach`, by class and fields, so that each is made once.
#[derive(Default)]
pub(super) struct Reaches {
    by_fields: HashMap<(ClassId, Slots, Given), &'static Method>,
}

/// The result of such a method: a set, or its objects in the order in which they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Given {
    /// An identity set, for `\reach` as a value.
    Set,
    /// A queue, for quantifiers that range over the objects.
    Queue,
}

impl Given {
    fn of(self) -> Type {
        match self {
            Given::Set => Type::Set,
            Given::Queue => Type::Queue,
        }
    }
}

/// Fields by the class that declares them, and their slot.
type Slots = Vec<(ClassId, u32)>;

impl Resolver<'_, '_> {
    /// `\reach(from, of, fields)`: the objects of the type that fields of such objects lead to, the first one included.
    pub(super) fn reach(&mut self, from: &Expr, of: &TypeName, fields: &[FieldName], given: Given) -> Resolved {
        let start = self.reference(from)?;
        let class = self.class_of(of)?;
        if class.kind() != Kind::Reference || class.is_array() {
            return self.complain(of.span, "a class is expected here");
        }
        let mut followed: Vec<FollowedField> = Vec::new();
        for FieldName { name, span } in fields {
            let found =
                find_field(class, name).filter(|(_, field)| !field.is_static() && field.kind == Kind::Reference);
            match found {
                Some(found) => followed.push(found),
                None => {
                    return self.complain(
                        *span,
                        format!(
                            "{} has no field {name} that refers to an object",
                            self.type_text(Type::Reference(class))
                        ),
                    );
                }
            }
        }
        if fields.is_empty() {
            followed = own_links(self.program(), class);
        }
        let method = self.shared.reach_method(class, &followed, given);
        let collected = Collected { method, from: vec![start], links: Links::Fields(class, followed) };
        Ok(Typed::new(given.of(), TypedNode::Collected(Box::new(collected))))
    }

    /// Do two sets have the same objects? They have equally many, and each of the one is in the other.
    pub(super) fn same_objects(
        &mut self,
        (said, one): (&Expr, Typed),
        (other_said, other): (&Expr, Typed),
        span: Span,
    ) -> Resolved {
        // The objects of one of them are needed one by one.
        let (queue, of, is_shared, set) = match (self.row_of(said)?, self.row_of(other_said)?) {
            (Some((queue, of, is_shared)), _) => (queue, of, is_shared, &other),
            (None, Some((queue, of, is_shared))) => (queue, of, is_shared, &one),
            (None, None) => {
                let message = "sets are compared where one side is \\reach(…) or \\old(\\reach(…))";
                return self.complain(span, message);
            }
        };
        let class = self.class_of(of)?;
        let before = self.variables.len();
        // No name that a specification could contain.
        let variable = self.bind("{}", Type::Reference(class));
        self.variables.truncate(before);
        let object = Typed::new(Type::Reference(class), TypedNode::Variable(VariablePlace::Bound(variable)));
        let all = Loop {
            ranges: vec![QuantifiedRange {
                variable,
                name: "object".to_string(),
                guard: None,
                values: Values::Of { queue, is_shared, class },
            }],
            filter: None,
            body: Typed::truth(TypedNode::Has(Box::new(set.clone()), Box::new(object))),
            fold: Fold::All,
        };
        let size = |set: Typed| Box::new(Typed::new(Type::INT, TypedNode::Size(Box::new(set))));
        let same_size = Typed::truth(TypedNode::Compare(Relation::Equal, size(one), size(other)));
        Ok(same_size.and(Typed::truth(TypedNode::Loop(Box::new(all)))))
    }

    /// The objects of a set in a row, the type by which it was written, and whether others need the row too.
    fn row_of<'e>(&mut self, set: &'e Expr) -> Resolved<Option<(Typed, &'e TypeName, bool)>> {
        Ok(match &set.kind {
            ExprKind::Reach { from, of, fields } => Some((self.reach(from, of, fields, Given::Queue)?, of, false)),
            ExprKind::Old(inner) => match &inner.kind {
                ExprKind::Reach { of, .. } => Some((self.old_queue(inner, set.span)?, of, true)),
                _ => None,
            },
            _ => None,
        })
    }

    /// All objects of the user's classes that can be reached from what the clause can name.
    pub(super) fn reachable(&mut self) -> Typed {
        let mut roots: Vec<Typed> = Vec::new();
        if let Some(object) = &self.object {
            roots.push(object.clone());
        } else if self.scope.has_this {
            roots.push(Typed::new(
                Type::Reference(self.scope.context.class),
                TypedNode::Variable(VariablePlace::Given(0)),
            ));
        }
        let parameters = self
            .scope
            .parameters
            .iter()
            .map(|(_, of, position)| Typed::new(*of, TypedNode::Variable(VariablePlace::Given(*position))));
        roots.extend(parameters);
        if let (ClauseOutcome::Returned(Some(of)) | ClauseOutcome::Threw(_, of), false) =
            (&self.scope.outcome, self.in_old)
        {
            roots.push(Typed::new(*of, TypedNode::Variable(VariablePlace::Outcome)));
        }
        roots.retain(|root| root.of.is_reference());
        let (method, family) = self.shared.reachable_method(&roots, self.scope.context.class);
        let collected = Collected { method, from: roots, links: Links::All(family) };
        Typed::new(Type::Queue, TypedNode::Collected(Box::new(collected)))
    }
}

impl ResolverTables<'_> {
    fn reach_method(&mut self, class: &'static Class, fields: &[FollowedField], given: Given) -> &'static Method {
        let key = (class.id, fields.iter().map(|(owner, field)| (owner.id, field.slot)).collect(), given);
        if let Some(known) = self.reaches.by_fields.get(&key) {
            return known;
        }
        let mut collector = Collector::new(self.emitter(Layout { given: 1, ..Layout::default() }), given);
        collector.add(0, Some(class));
        collector.each(|collector, object| {
            for followed in fields {
                let value = collector.emitter.new_local();
                follow(&mut collector.emitter, (object, class), *followed, value);
                collector.add(value, Some(class));
            }
        });
        let method = self.define_collector(class, collector, 1);
        self.program.collects(method, Reach { class, fields: fields.to_vec(), gives_row: given == Given::Queue });
        self.reaches.by_fields.insert(key, method);
        method
    }

    /// Collects what can be reached from these, over all fields and elements; of objects of which classes is said too.
    fn reachable_method(&mut self, roots: &[Typed], host: &'static Class) -> (&'static Method, Vec<&'static Class>) {
        let classes = roots.iter().filter_map(|root| match root.of {
            Type::Reference(class) => Some(class),
            _ => None,
        });
        let family = family(self.program, classes.collect(), host);
        let layout = Layout { given: roots.len(), ..Layout::default() };
        let mut collector = Collector::new(self.emitter(layout), Given::Queue);
        (0..roots.len()).for_each(|root| collector.add(root, None));
        // One register serves the fields of all classes, one after the other: there may be more of them than registers.
        let value = collector.emitter.new_local();
        let counters = [collector.emitter.new_local(), collector.emitter.new_local()];
        collector.each(|collector, object| {
            for class in &family {
                let other = collector.emitter.label();
                collector.emitter.load(object);
                collector.emitter.code.instance_of(class);
                collector.emitter.jump(Op::IfEq, other);
                if class.is_array() {
                    collector.elements((object, class), counters, value);
                }
                for field in class.fields.iter().filter(|field| !field.is_static() && field.kind == Kind::Reference) {
                    follow(&mut collector.emitter, (object, class), (class, field), value);
                    collector.add(value, None);
                }
                collector.emitter.place(other);
            }
        });
        (self.define_collector(host, collector, roots.len()), family)
    }

    fn define_collector(&self, host: &'static Class, collector: Collector, taken: usize) -> &'static Method {
        let given = collector.given;
        let descriptor = format!("({}){}", "Ljava/lang/Object;".repeat(taken), given.of().descriptor());
        let code = collector.finish();
        define(self.program, host, "reach", vec![Made { name: "reach", descriptor, code }])[0]
    }
}

/// Code that collects objects.
struct Collector<'a> {
    emitter: Emitter<'a>,
    given: Given,
    /// Registers: the objects that were seen, those that must be looked at, and, if their order matters, all of them in a row.
    seen: usize,
    waiting: usize,
    found: Option<usize>,
}

impl<'a> Collector<'a> {
    fn new(mut emitter: Emitter<'a>, given: Given) -> Collector<'a> {
        let (new_set, new_queue) = (emitter.library.new_set, emitter.library.new_queue);
        let (seen, waiting) = (emitter.new_collection(new_set), emitter.new_collection(new_queue));
        let found = (given == Given::Queue).then(|| emitter.new_collection(new_queue));
        Collector { emitter, given, seen, waiting, found }
    }

    /// Adds an object if it is not null, is of the class, and was not seen yet.
    fn add(&mut self, object: usize, class: Option<&'static Class>) {
        let emitter = &mut self.emitter;
        let skipped = emitter.label();
        emitter.load(object);
        emitter.jump(Op::IfNull, skipped);
        if let Some(class) = class {
            emitter.load(object);
            emitter.code.instance_of(class);
            emitter.jump(Op::IfEq, skipped);
        }
        emitter.load(self.seen);
        emitter.load(object);
        emitter.call(emitter.library.has);
        emitter.jump(Op::IfNe, skipped);
        emitter.load(self.seen);
        emitter.load(object);
        emitter.load(object);
        emitter.call(emitter.library.put);
        emitter.op(Op::Pop);
        for queue in [Some(self.waiting), self.found].into_iter().flatten() {
            emitter.enqueue(queue, object);
        }
        emitter.place(skipped);
    }

    /// Goes through all objects, also those that are added meanwhile. The register is that of the object.
    fn each(&mut self, turn: impl FnOnce(&mut Self, usize)) {
        let (object, next, done) = (self.emitter.new_local(), self.emitter.label(), self.emitter.label());
        self.emitter.place(next);
        self.emitter.poll(self.waiting, object, done);
        turn(self, object);
        self.emitter.jump(Op::Goto, next);
        self.emitter.place(done);
    }

    /// Adds the elements of an array, with two registers for the array and the index, and one for each element.
    fn elements(&mut self, (array, class): (usize, &'static Class), [items, index]: [usize; 2], value: usize) {
        let emitter = &mut self.emitter;
        let (next, done) = (emitter.label(), emitter.label());
        emitter.load(array);
        emitter.code.check_cast(class);
        emitter.store(items);
        emitter.int(0);
        emitter.store(index);
        emitter.place(next);
        emitter.load(index);
        emitter.load(items);
        emitter.op(Op::ArrayLength);
        emitter.jump(Op::IfIcmpGe, done);
        emitter.load(items);
        emitter.load(index);
        emitter.op(Op::ArrayLoad);
        emitter.store(value);
        emitter.op(Op::Iinc(index as u16, 1));
        self.add(value, None);
        self.emitter.jump(Op::Goto, next);
        self.emitter.place(done);
    }

    fn finish(mut self) -> Code {
        self.emitter.load(self.found.unwrap_or(self.seen));
        self.emitter.op(Op::ReturnValue);
        self.emitter.finish()
    }
}

/// Reads a field of an object, which is of the class, into a register.
fn follow(
    emitter: &mut Emitter,
    (object, class): (usize, &'static Class),
    (owner, field): FollowedField,
    value: usize,
) {
    emitter.load(object);
    emitter.code.check_cast(class);
    emitter.get_field(owner, field);
    emitter.store(value);
}

/// The fields of a class that may refer to objects of it.
fn own_links(program: &Program, class: &'static Class) -> Vec<FollowedField> {
    let all = class.chain().flat_map(|owner| owner.fields.iter().map(move |field| (owner, field)));
    let references = all.filter(|(_, field)| !field.is_static() && field.kind == Kind::Reference);
    let may_refer = |(_, field): &FollowedField| {
        program.load_descriptor(field.descriptor).is_ok_and(|of| of.is_subtype_of(class) || class.is_subtype_of(of))
    };
    references.filter(may_refer).collect()
}

/// The classes and array types whose objects these may lead to. Of the JDK's classes, only those are looked into that are declared in the
/// class that the clause is about.
fn family(program: &Program, classes: Vec<&'static Class>, host: &'static Class) -> Vec<&'static Class> {
    let outermost = |class: &Class| class.name.split('$').next().map(str::to_string);
    let mut found: Vec<&'static Class> = Vec::new();
    // Invariant: each class is looked at once, also one that is not followed. `Object` is above every class and below it are all of
    // them: without `seen`, n classes would each bring all n again.
    let mut seen: HashSet<ClassId> = HashSet::new();
    let mut waiting = classes;
    while let Some(class) = waiting.pop() {
        if class.kind() != Kind::Reference || !seen.insert(class.id) {
            continue;
        }
        waiting.extend(program.users_below(class));
        if !(class.is_array() || class.is_users() || outermost(class) == outermost(host)) {
            continue;
        }
        if class.component().is_none_or(|component| component.kind() == Kind::Reference) {
            found.push(class);
        }
        waiting.extend(class.chain().skip(1));
        waiting.extend(class.component());
        let fields = class.fields.iter().filter(|field| !field.is_static());
        waiting.extend(fields.filter_map(|field| program.load_descriptor(field.descriptor).ok()));
    }
    found.sort_by_key(|class| class.name);
    found
}
