//! Do more calls than all sequences were tried of make an input like that of a known fault?
//!
//! All sequences of calls, the shortest first, lead as far as the time allows: two accounts in a bank, of which one has money, take six calls, and as many others
//! come before. But where a fault was found whatever the fields of objects hold, its example says what calls must make: so many objects of these
//! classes, within this object, with numbers that were changed. So states that come nearer to the example are extended first.
//!
//! A fault that is found so is the same as ever, the end of a path on an input that calls made. If nothing is found, nothing is said.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use lazuli_vm::library::held_by;
use lazuli_vm::program::{Class, ClassId, access};
use lazuli_vm::snapshot::{Cell, Contents, Datum, reachable};
use lazuli_vm::value::{ObjId, Value};

use crate::case::Case;
use crate::path::Path;
use crate::report::summary::Summary;
use crate::worker::Worker;
use crate::worker::deeds::{Deed, DeedEnds, references};
use crate::worker::sequence::sequence_of;

/// Calls in one sequence.
const MOST_CALLS: usize = 12;
/// States that are kept.
const MOST_STATES: usize = 4_000;

/// The objects of an input without their connections: how many there are of each class, and in how many of them a field holds something else than
/// at first. A collection counts with the number of its elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Likeness {
    objects: BTreeMap<ClassId, usize>,
    changed: BTreeMap<(ClassId, usize), usize>,
}

impl Likeness {
    /// That of the example of a fault.
    pub(crate) fn of_case(case: &Case) -> Likeness {
        let mut likeness = Likeness::default();
        let roots = case.arguments.iter().chain(case.statics.iter().map(|input| &input.value));
        let roots: Vec<usize> = roots.filter_map(|datum| object_of(*datum)).collect();
        for index in reachable(&case.heap, &roots) {
            let Cell { class, contents } = &case.heap[index];
            match contents {
                Contents::Fields(values) if counts(class) => {
                    likeness.add(class, values.iter().map(|datum| !is_usual(*datum)));
                }
                Contents::Library { values, .. } => likeness.add_elements(class, values.len()),
                _ => {}
            }
        }
        likeness
    }

    /// That of what these objects lead to.
    fn of_state(path: &Path, roots: &[ObjId]) -> Likeness {
        let mut likeness = Likeness::default();
        let mut seen: Vec<ObjId> = Vec::new();
        let mut waiting = roots.to_vec();
        while let Some(object) = waiting.pop() {
            if seen.contains(&object) {
                continue;
            }
            seen.push(object);
            let class = path.heap.class(object);
            if counts(class) {
                let fields = 0..class.defaults.len();
                let is_changed = |slot| !is_first(path.heap.field(object, slot));
                likeness.add(class, fields.map(is_changed));
            } else if let Some(held) = held_by(&path.heap, object) {
                likeness.add_elements(class, held.values.len());
            }
            waiting.extend(references(path, object));
        }
        likeness
    }

    fn add(&mut self, class: &'static Class, changed: impl Iterator<Item = bool>) {
        *self.objects.entry(class.id).or_default() += 1;
        for (slot, _) in changed.enumerate().filter(|(_, is_changed)| *is_changed) {
            *self.changed.entry((class.id, slot)).or_default() += 1;
        }
    }

    fn add_elements(&mut self, class: &'static Class, count: usize) {
        *self.objects.entry(class.id).or_default() += count;
    }

    /// How much of the other is here too.
    fn shared_with(&self, other: &Likeness) -> usize {
        let objects = self.objects.iter().map(|(class, count)| *count.min(other.objects.get(class).unwrap_or(&0)));
        let changed = self.changed.iter().map(|(place, count)| *count.min(other.changed.get(place).unwrap_or(&0)));
        objects.chain(changed).sum()
    }

    /// How many objects there are here that the other does not have.
    fn beyond(&self, other: &Likeness) -> usize {
        let objects = self.objects.iter();
        objects.map(|(class, count)| count.saturating_sub(*other.objects.get(class).unwrap_or(&0))).sum()
    }
}

impl Worker<'_> {
    /// Explores the method on inputs that calls make, those that are like the example first, until what was found is enough.
    pub(crate) fn hunt(&mut self, wanted: &Likeness, is_enough: &dyn Fn(&Summary) -> bool) {
        let first = self.before_calls();
        self.pool.states.push(first);
        // Of two that are equally like the example, the one with fewer calls comes first, and then the older one.
        let mut waiting = BinaryHeap::from([(0, Reverse(0), Reverse(0))]);
        while let Some((_, _, Reverse(state))) = waiting.pop() {
            self.explore_state(state);
            self.look_at_limits();
            if self.cut.is_some() || is_enough(&self.summary) {
                return;
            }
            let calls = sequence_of(&self.pool.states[state]).calls.len();
            if calls >= MOST_CALLS {
                continue;
            }
            let known = self.pool.states.len();
            if !self.extend_towards(state, wanted) {
                return;
            }
            for next in known..self.pool.states.len() {
                let likeness = self.likeness(next, wanted);
                waiting.push((likeness, Reverse(calls + 1), Reverse(next)));
            }
        }
    }

    /// Explores the method on the inputs of one state.
    fn explore_state(&mut self, state: usize) {
        for receiver in self.receivers(state) {
            self.explore_made(state, receiver);
        }
    }

    /// Extends a state by all statements that do not lead away from the example. False if there is no time or room for more.
    fn extend_towards(&mut self, state: usize, wanted: &Likeness) -> bool {
        self.exchange_notes();
        let before = self.pool.states[state].fork();
        let mut has_more = true;
        for deed in self.deeds(&before) {
            let is_needed = match deed {
                Deed::New(method) => !counts(method.class()) || is_missing(&before, method.class(), wanted),
                _ => true,
            };
            if !is_needed {
                continue;
            }
            match self.perform(&before, deed) {
                // Paths of a call that take long are not waited for.
                Ok(found) => self.take_ends(&before, DeedEnds { waiting: Default::default(), ..found }, false),
                Err(_) => has_more = false,
            }
            has_more &= self.resource_out().is_none() && self.pool.states.len() < MOST_STATES;
            if !has_more {
                break;
            }
        }
        self.exchange_notes();
        has_more
    }

    /// How near a state comes to the example: what its best receiver leads to counts more than what is there beside it, and what is too much counts against it.
    fn likeness(&mut self, state: usize, wanted: &Likeness) -> isize {
        let receivers = self.receivers(state);
        let path = &self.pool.states[state];
        let held = &sequence_of(path).held;
        let all = Likeness::of_state(path, held);
        let within = receivers.into_iter().flatten().map(|receiver| Likeness::of_state(path, &[receiver]));
        let best = within.map(|inner| inner.shared_with(wanted)).max().unwrap_or(0);
        (2 * best + all.shared_with(wanted)) as isize - all.beyond(wanted) as isize
    }
}

/// Has the example more objects of a class than the code around?
fn is_missing(path: &Path, class: &'static Class, wanted: &Likeness) -> bool {
    let held = sequence_of(path).held.iter().filter(|object| path.heap.class(**object).id == class.id);
    held.count() < *wanted.objects.get(&class.id).unwrap_or(&0)
}

/// Are objects of the class counted one by one? Constants are there without a call.
fn counts(class: &'static Class) -> bool {
    class.is_users() && !class.is_array() && !class.chain().any(|above| above.access & access::ENUM != 0)
}

fn object_of(datum: Datum) -> Option<usize> {
    match datum {
        Datum::Object(index) => Some(index),
        _ => None,
    }
}

/// Is it what a field holds before a constructor writes it?
fn is_usual(datum: Datum) -> bool {
    match datum {
        Datum::Any | Datum::Null | Datum::Int(0) | Datum::Long(0) => true,
        Datum::Float(value) => value.to_bits() == 0,
        Datum::Double(value) => value.to_bits() == 0,
        _ => false,
    }
}

fn is_first(value: Value) -> bool {
    match value {
        Value::Float(value) => value.to_bits() == 0,
        Value::Double(value) => value.to_bits() == 0,
        _ => matches!(value, Value::NULL | Value::Int(0) | Value::Long(0) | Value::Unread),
    }
}
