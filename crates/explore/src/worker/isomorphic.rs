//! Are two heaps the same, up to the names of the objects that two runs made?
//!
//! Both runs began with the same heap. Objects that were there are themselves; those that a run made are paired in the order in which a walk over both heaps
//! comes to them, one for one. Numbers that are not known are the same if the path condition says so: where it does not, that is asked.
//! "The same" is certain; "different" need not be: a field that only one run has written may hold by chance what it held before.

use std::collections::HashMap;

use lazuli_logic::{Constant, Sort};
use lazuli_vm::heap::Body;
use lazuli_vm::interp::Vm;
use lazuli_vm::outcome::Question;
use lazuli_vm::program::{Class, Program};
use lazuli_vm::state::State;
use lazuli_vm::value::{Kind, ObjId, Value};

/// Whether two values, and all that they lead to, are the same.
pub(crate) enum Comparison {
    /// They are.
    Same,
    /// They are not: the way to the first place that differs, such as `this.top.next`.
    Different(String),
    /// That depends on this.
    Asks(Question),
}

/// Two ends of runs from one heap.
pub(crate) struct TwoEnds<'a> {
    /// The one run's.
    pub one: &'a State,
    /// The other run's; it knows all that is known of the inputs.
    pub other: &'a State,
    /// Was the object there when both began?
    pub is_old: &'a dyn Fn(ObjId) -> bool,
}

/// Classes whose objects are the same for a program whatever they hold.
const OPAQUE: [&str; 6] = [
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/ThreadLocal",
];

impl TwoEnds<'_> {
    /// Compares the pairs of values: the name of each, and what it is in the two heaps.
    pub(crate) fn compare(&self, vm: &mut Vm, pairs: Vec<(String, Value, Value)>) -> Comparison {
        let mut walk = PairWalk { ends: self, forth: HashMap::new(), back: HashMap::new(), waiting: Vec::new() };
        // Invariant: `forth` and `back` are inverse to each other; the contents of each pair in them are compared once.
        for (name, one, other) in pairs {
            match walk.values(vm, &name, one, other) {
                Comparison::Same => {}
                found => return found,
            }
        }
        while let Some((name, one, other)) = walk.waiting.pop() {
            match walk.objects(vm, &name, one, other) {
                Comparison::Same => {}
                found => return found,
            }
        }
        Comparison::Same
    }
}

struct PairWalk<'a> {
    ends: &'a TwoEnds<'a>,
    forth: HashMap<ObjId, ObjId>,
    back: HashMap<ObjId, ObjId>,
    waiting: Vec<(String, ObjId, ObjId)>,
}

impl PairWalk<'_> {
    fn values(&mut self, vm: &mut Vm, name: &str, one: Value, other: Value) -> Comparison {
        let symbols = &self.ends.other.symbols;
        let different = || Comparison::Different(name.to_string());
        match (symbols.settled(one), symbols.settled(other)) {
            (Value::Ref(None), Value::Ref(None)) => Comparison::Same,
            (Value::Ref(Some(one)), Value::Ref(Some(other))) if let Some((one, other)) = self.boxed(one, other) => {
                self.values(vm, name, one, other)
            }
            (Value::Ref(Some(one)), Value::Ref(Some(other))) => match self.pairs(one, other) {
                true => {
                    if self.forth.insert(one, other).is_none() {
                        self.back.insert(other, one);
                        self.waiting.push((name.to_string(), one, other));
                    }
                    Comparison::Same
                }
                false => different(),
            },
            (Value::Unknown(one), Value::Unknown(other)) if one == other => Comparison::Same,
            (Value::Unknown(id), _) | (_, Value::Unknown(id)) => Comparison::Asks(Question::Deref(id)),
            (one, other) if one.is_identical(other) => Comparison::Same,
            (one, other) => {
                // Whether two numbers with a decimal point are the same number is a matter of bits, which terms do not say.
                let term = [Sort::Int, Sort::Long].into_iter().find_map(|sort| {
                    let (one, other) = (vm.term_of(one, sort)?, vm.term_of(other, sort)?);
                    Some(vm.terms.equal(one, other))
                });
                let Some(term) = term else { return different() };
                match vm.terms.as_constant(term) {
                    Some(Constant::Bool(true)) => return Comparison::Same,
                    Some(_) => return different(),
                    None => {}
                }
                let negation = vm.terms.not(term);
                match self.ends.other.symbols.condition.knows(term, negation) {
                    Some(true) => Comparison::Same,
                    Some(false) => different(),
                    None => Comparison::Asks(Question::Branch(term)),
                }
            }
        }
    }

    /// The numbers in two boxes: which of several boxes holds a number is nothing that a program should rely on, and depends on a cache.
    fn boxed(&self, one: ObjId, other: ObjId) -> Option<(Value, Value)> {
        let (first, second) = (self.ends.one.heap.get(one), self.ends.other.heap.get(other));
        let is_box = first.class.id == second.class.id && Kind::of_box(first.class.name).is_some();
        match (&first.body, &second.body) {
            (Body::Fields(fields), Body::Fields(others)) if is_box && one != other => {
                let numbers = (*fields.first()?, *others.first()?);
                (numbers.0 != Value::Unread && numbers.1 != Value::Unread).then_some(numbers)
            }
            _ => None,
        }
    }

    /// May the two be one object?
    fn pairs(&self, one: ObjId, other: ObjId) -> bool {
        match (self.forth.get(&one), self.back.get(&other)) {
            (Some(known), _) => *known == other,
            (_, Some(known)) => *known == one,
            (None, None) if (self.ends.is_old)(one) || (self.ends.is_old)(other) => one == other,
            (None, None) => true,
        }
    }

    fn objects(&mut self, vm: &mut Vm, name: &str, one: ObjId, other: ObjId) -> Comparison {
        let (first, second) = (self.ends.one.heap.get(one), self.ends.other.heap.get(other));
        let class = second.class;
        if first.class.id != class.id {
            return Comparison::Different(format!("the class of {name}"));
        }
        if class.chain().any(|class| OPAQUE.contains(&class.name) || class.name.starts_with("java/lang/invoke/")) {
            return Comparison::Same;
        }
        let [text, other_text] = [(&self.ends.one.symbols, one), (&self.ends.other.symbols, other)]
            .map(|(symbols, object)| symbols.untold_text(object).map(|text| &text.units));
        if text != other_text {
            return Comparison::Different(format!("the text of {name}"));
        }
        match (&first.body, &second.body) {
            (Body::Fields(fields), Body::Fields(others)) => {
                for (slot, (value, other)) in fields.iter().zip(others.iter()).enumerate() {
                    if is_private_to_library(class, slot as u32) {
                        continue;
                    }
                    let named = || class.label_at(slot as u32).unwrap_or_default();
                    match self.values(vm, &format!("{name}.{}", named()), *value, *other) {
                        Comparison::Same => {}
                        found => return found,
                    }
                }
                Comparison::Same
            }
            (Body::Sparse(array), Body::Sparse(others)) => {
                if array.touched.len() != others.touched.len() {
                    return Comparison::Different(name.to_string());
                }
                let places = array.touched.iter().zip(&others.touched);
                let mut parts: Vec<(String, Value, Value)> = Vec::new();
                for (at, ((index, value), (also, other))) in places.enumerate() {
                    parts.push((format!("{name}[{at}]"), *index, *also));
                    parts.push((format!("{name}[{at}]"), *value, *other));
                }
                parts.push((format!("{name}.length"), array.length, others.length));
                parts.push((name.to_string(), array.others, others.others));
                self.all(vm, parts)
            }
            _ => {
                let (heap, others) = (&self.ends.one.heap, &self.ends.other.heap);
                let (Some(length), Some(also)) = (heap.length(one), others.length(other)) else {
                    return Comparison::Different(name.to_string());
                };
                if length != also {
                    return Comparison::Different(format!("{name}.length"));
                }
                let element =
                    |at: i32| Some((format!("{name}[{at}]"), heap.element(one, at)?, others.element(other, at)?));
                let parts = (0..length as i32).filter_map(element).collect();
                self.all(vm, parts)
            }
        }
    }

    fn all(&mut self, vm: &mut Vm, parts: Vec<(String, Value, Value)>) -> Comparison {
        for (name, one, other) in parts {
            match self.values(vm, &name, one, other) {
                Comparison::Same => {}
                found => return found,
            }
        }
        Comparison::Same
    }
}

/// Fields that no method shows: the queue of threads that waited for a lock, a hash code that is kept.
fn is_private_to_library(class: &'static Class, slot: u32) -> bool {
    class.declaration_at(slot).is_some_and(|(owner, field)| {
        matches!(
            (owner.name, field.name),
            ("java/util/concurrent/locks/AbstractQueuedSynchronizer", "head" | "tail")
                | ("java/lang/String", "hash" | "hashIsZero")
        )
    })
}

/// The static fields of the user's classes that both heaps know.
pub(crate) fn static_pairs(program: &Program, one: &State, other: &State) -> Vec<(String, Value, Value)> {
    let mut pairs = Vec::new();
    for class in program.users().iter() {
        let (Some(mirror), Some(also)) = (one.classes.slot(class.id).mirror, other.classes.slot(class.id).mirror)
        else {
            continue;
        };
        if !one.heap.contains(mirror) || !other.heap.contains(also) {
            continue;
        }
        for field in class.fields.iter().filter(|field| field.is_static()) {
            let slot = program.slot_of(field) as usize;
            let name = format!("{}.{}", program.short_name(class), field.name);
            pairs.push((name, one.heap.field(mirror, slot), other.heap.field(also, slot)));
        }
    }
    pairs
}
