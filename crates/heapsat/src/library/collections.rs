//! How are the library's collections modelled, as far as invariants use them to remember objects?
//!
//! A set of visited nodes is a subset of the objects, and a worklist is a sequence in which each entry may be present or not. Executing the library's
//! own code instead would make the circuit depend on hash codes and array sizes. Tests compare the models with the library's own code.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::{Class, Method};

use crate::Refusal;
use crate::exec::exceptions::Thrown;
use crate::exec::executor::Executor;
use crate::exec::path::{GuardedPath, ObjectBody};
use crate::exec::value::{GuardedUnion, Pointee, PointsTo, SymValue, guard_of, ite_ref, resized};

/// The objects in a set, each with its guard.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct SymSet(BTreeMap<Pointee, Lit>);

impl SymSet {
    pub(crate) fn merge(&self, circuit: &mut Circuit, condition: Lit, other: &SymSet) -> SymSet {
        let targets = self.0.keys().chain(other.0.keys());
        let all: std::collections::BTreeSet<Pointee> = targets.copied().collect();
        let when = |target| (target, circuit.if_else(condition, self.when(target), other.when(target)));
        SymSet(all.into_iter().map(when).collect())
    }

    pub(crate) fn when(&self, target: Pointee) -> Lit {
        self.0.get(&target).copied().unwrap_or(Lit::FALSE)
    }

    /// The possible members, each with its guard.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Pointee, Lit)> {
        self.0.iter().map(|(target, when)| (*target, *when))
    }

    /// True if the pointee of a reference is in the set.
    fn contains(&self, circuit: &mut Circuit, refs: &PointsTo) -> Lit {
        let each: Vec<Lit> = refs.iter().map(|(target, when)| circuit.and(*when, self.when(*target))).collect();
        circuit.any(each)
    }

    fn set(&mut self, circuit: &mut Circuit, refs: &PointsTo, is_there: bool) {
        for (target, when) in refs.iter() {
            let was = self.when(*target);
            let is = if is_there { circuit.or(was, *when) } else { circuit.and(was, !*when) };
            self.0.insert(*target, is);
        }
    }
}

impl FromIterator<(Pointee, Lit)> for SymSet {
    fn from_iter<T: IntoIterator<Item = (Pointee, Lit)>>(members: T) -> SymSet {
        SymSet(members.into_iter().collect())
    }
}

/// A sequence of entries, each of which may be there or not.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct SymList {
    /// In order. The keys grow from the front to the back; entries that were added on different paths have different keys.
    entries: BTreeMap<i64, (Lit, PointsTo)>,
    /// Is it a list of candidates? Then `poll` yields entry by entry, with null in place of an entry that is not present.
    is_candidates: bool,
    /// Has the iteration over candidates begun?
    pub(crate) is_iterating: bool,
}

impl SymList {
    /// A list of candidates, each under its guard.
    pub(crate) fn candidates(objects: impl IntoIterator<Item = (Pointee, Lit)>) -> SymList {
        let entry = |(at, (target, when))| {
            let object: PointsTo = Rc::new([(target, Lit::TRUE)]);
            (at as i64, (when, object))
        };
        SymList {
            entries: objects.into_iter().enumerate().map(entry).collect(),
            is_candidates: true,
            is_iterating: false,
        }
    }

    /// Takes the next candidate.
    fn next(&mut self, circuit: &mut Circuit) -> PointsTo {
        self.is_iterating = true;
        let null: PointsTo = Rc::new([(Pointee::Null, Lit::TRUE)]);
        match self.entries.pop_first() {
            Some((_, (is_there, object))) => ite_ref(circuit, is_there, &object, &null),
            None => null,
        }
    }

    pub(crate) fn merge(&self, circuit: &mut Circuit, condition: Lit, other: &SymList) -> SymList {
        let mut entries = BTreeMap::new();
        let keys: std::collections::BTreeSet<i64> = self.entries.keys().chain(other.entries.keys()).copied().collect();
        for key in keys {
            let merged = match (self.entries.get(&key), other.entries.get(&key)) {
                (Some((a, one)), Some((b, two))) => {
                    (circuit.if_else(condition, *a, *b), ite_ref(circuit, condition, one, two))
                }
                (Some((a, refs)), None) => (circuit.and(condition, *a), refs.clone()),
                (None, Some((b, refs))) => (circuit.and(!condition, *b), refs.clone()),
                (None, None) => continue,
            };
            if merged.0 != Lit::FALSE {
                entries.insert(key, merged);
            }
        }
        SymList { entries, is_candidates: self.is_candidates, is_iterating: self.is_iterating || other.is_iterating }
    }

    fn is_empty(&self, circuit: &mut Circuit) -> Lit {
        if self.is_candidates {
            return Lit::constant(self.entries.is_empty());
        }
        let any = circuit.any(self.entries.values().map(|(is_there, _)| *is_there));
        !any
    }

    /// The first entry that is there, or the last; only looked at, or taken away.
    fn end(&mut self, circuit: &mut Circuit, is_last: bool, takes: bool) -> PointsTo {
        let mut found = GuardedUnion::default();
        let mut still = Lit::TRUE;
        let keys: Vec<i64> = self.entries.keys().copied().collect();
        let ordered: Box<dyn Iterator<Item = i64>> =
            if is_last { Box::new(keys.into_iter().rev()) } else { Box::new(keys.into_iter()) };
        for key in ordered {
            let Some((is_there, refs)) = self.entries.get(&key).cloned() else { continue };
            let is_it = circuit.and(still, is_there);
            for (target, when) in refs.iter() {
                found.add(*target, circuit.and(is_it, *when));
            }
            still = circuit.and(still, !is_there);
            if takes {
                let left = circuit.and(is_there, !is_it);
                if left == Lit::FALSE {
                    self.entries.remove(&key);
                } else {
                    self.entries.insert(key, (left, refs));
                }
            }
            if still == Lit::FALSE {
                break;
            }
        }
        found.refs(circuit)
    }
}

/// The model of a class of the library, if it has one.
pub(crate) fn model_of(class: &Class) -> Option<ObjectBody> {
    match class.name {
        // Only the keys of a map that compares by identity: specifications use it as a set.
        "java/util/HashSet" | "java/util/LinkedHashSet" | "java/util/IdentityHashMap" => {
            Some(ObjectBody::Set(SymSet::default()))
        }
        "java/util/LinkedList"
        | "java/util/ArrayDeque"
        | "java/util/ArrayList"
        | "java/util/Stack"
        | "java/util/Vector" => Some(ObjectBody::List(SymList::default())),
        _ => None,
    }
}

impl Executor<'_> {
    /// A method of a modelled collection.
    pub(crate) fn call_model(
        &mut self,
        path: &mut GuardedPath,
        number: u32,
        method: &'static Method,
        arguments: &[SymValue],
    ) -> Result<SymValue, Refusal> {
        let Some(object) = path.heap.get(number).cloned() else {
            return Err(self.unsupported("an object that is not there"));
        };
        let (mut made, class) = ((*object).clone(), object.class);
        let refused = |executor: &Self| executor.unsupported(&format!("a call of {}", method.full_name()));
        let is_identical = class.name == "java/util/IdentityHashMap";
        let is_first = |word: &Word| self.circuit.word_constant_of(word) == Some(0);
        // Overloads with an index are modelled where they mean the first entry.
        let (name, argument) = match arguments {
            [] => (method.name, None),
            [SymValue::Ref(refs)] => (method.name, Some(refs.clone())),
            [SymValue::Word(index)] if is_first(index) && method.name == "remove" => ("removeFirst", None),
            [SymValue::Word(index)] if is_first(index) && method.name == "get" => ("getFirst", None),
            // A key that is its own value: the map is used as a set.
            [SymValue::Ref(key), SymValue::Ref(value)] if key == value && is_identical => {
                (method.name, Some(key.clone()))
            }
            _ => return Err(refused(self)),
        };
        // A list compares only in `contains`.
        let compares = !is_identical && (!matches!(made.body, ObjectBody::List(_)) || name == "contains");
        if let Some(refs) = argument.as_ref().filter(|_| compares) {
            self.compares_by_identity(path, refs)?;
        }
        // The model of each method: first sets, then sets without order, then lists of candidates, then lists.
        let value = match (&mut made.body, name, argument) {
            (_, "<init>", None) => SymValue::Undefined,
            (ObjectBody::Set(members), "add", Some(refs)) => {
                let was_there = members.contains(self.circuit, &refs);
                members.set(self.circuit, &refs, true);
                SymValue::truth(!was_there)
            }
            (ObjectBody::Set(members), "put", Some(refs)) => {
                let null: PointsTo = Rc::new([(Pointee::Null, Lit::TRUE)]);
                let was_there = members.contains(self.circuit, &refs);
                members.set(self.circuit, &refs, true);
                SymValue::Ref(ite_ref(self.circuit, was_there, &refs, &null))
            }
            (ObjectBody::Set(members), "containsKey", Some(refs)) => {
                SymValue::truth(members.contains(self.circuit, &refs))
            }
            (ObjectBody::Set(members), "remove", Some(refs)) => {
                let was_there = members.contains(self.circuit, &refs);
                members.set(self.circuit, &refs, false);
                SymValue::truth(was_there)
            }
            (ObjectBody::Set(members), "contains", Some(refs)) => {
                SymValue::truth(members.contains(self.circuit, &refs))
            }
            (ObjectBody::Set(members), "clear", None) => {
                *members = SymSet::default();
                SymValue::Undefined
            }
            (ObjectBody::Set(members), "size", None) => {
                let there: Vec<Lit> = members.0.values().copied().collect();
                SymValue::Word(self.count(&there))
            }
            (ObjectBody::Set(members), "isEmpty", None) => {
                let any = self.circuit.any(members.0.values().copied());
                SymValue::truth(!any)
            }
            (ObjectBody::Unordered(set), "add", Some(refs)) => {
                if set.is_read {
                    return Err(self.unsupported("an addition to a set that was read before"));
                }
                SymValue::truth(self.insert(set.number, path.guard, &refs))
            }
            (ObjectBody::Unordered(set), "size" | "isEmpty", None) if self.recursion.is_outermost() => {
                set.is_read = true;
                let there = self.members_at_end(set.number);
                if method.name == "size" {
                    SymValue::Word(self.count(&there))
                } else {
                    let any = self.circuit.any(there);
                    SymValue::truth(!any)
                }
            }
            (ObjectBody::List(list), "size", None) => {
                let there: Vec<Lit> = list.entries.values().map(|(is_there, _)| *is_there).collect();
                SymValue::Word(self.count(&there))
            }
            (ObjectBody::List(list), "isEmpty" | "empty", None) => SymValue::truth(list.is_empty(self.circuit)),
            (ObjectBody::List(list), "clone", None) if class.name == "java/util/ArrayDeque" => {
                let copy = list.clone();
                return Ok(self.allocate(path, class, ObjectBody::List(copy)));
            }
            (ObjectBody::List(list), "poll", None) if list.is_candidates => SymValue::Ref(list.next(self.circuit)),
            // The clause is decided, and the other candidates do not matter. The loop visits them all the same, which changes nothing unless they throw: see `reach`.
            (ObjectBody::List(list), "clear", None) if list.is_candidates => SymValue::Undefined,
            (ObjectBody::List(list), name, _) if list.is_candidates && !matches!(name, "size" | "isEmpty") => {
                return Err(refused(self));
            }
            (ObjectBody::List(list), "clear", None) => {
                *list = SymList::default();
                SymValue::Undefined
            }
            (ObjectBody::List(list), "contains", Some(refs)) => {
                let mut found = Vec::new();
                for (is_there, entry) in list.entries.values() {
                    let same = crate::exec::value::same(self.circuit, entry, &refs);
                    found.push(self.circuit.and(*is_there, same));
                }
                SymValue::truth(self.circuit.any(found))
            }
            (ObjectBody::List(list), name, Some(refs)) => {
                let Some(at_end) = adds_at_end(class.name, name) else { return Err(refused(self)) };
                if class.name == "java/util/ArrayDeque" {
                    // It refuses null.
                    let null = guard_of(&refs, Pointee::Null);
                    self.throws(path, null, Thrown::New("java/lang/NullPointerException"))?;
                }
                // Keys grow at the back and shrink at the front; no two insertions share one, even on different paths.
                let number = self.allocations.reserve(1) as i64 + 1;
                let key = if at_end { number } else { -number };
                list.entries.insert(key, (Lit::TRUE, refs.clone()));
                match (method.result, name) {
                    (lazuli_vm::value::Kind::Boolean, _) => SymValue::truth(Lit::TRUE),
                    (lazuli_vm::value::Kind::Reference, _) => SymValue::Ref(refs),
                    _ => SymValue::Undefined,
                }
            }
            (ObjectBody::List(list), name, None) => {
                let Some((is_last, takes, gives_null)) = takes_from(class.name, name) else {
                    return Err(refused(self));
                };
                let is_empty = list.is_empty(self.circuit);
                let refs = list.end(self.circuit, is_last, takes);
                if gives_null {
                    let null: PointsTo = Rc::new([(Pointee::Null, Lit::TRUE)]);
                    SymValue::Ref(ite_ref(self.circuit, is_empty, &null, &refs))
                } else {
                    self.throws(path, is_empty, Thrown::New(thrown_if_empty(class.name, name)))?;
                    SymValue::Ref(refs)
                }
            }
            _ => return Err(refused(self)),
        };
        let is_candidates = matches!(&made.body, ObjectBody::List(list) if list.is_candidates);
        let value = match value {
            SymValue::Ref(refs) if !is_candidates => SymValue::Ref(self.prune(path.guard, refs)?),
            other => other,
        };
        path.heap.set(number, made);
        Ok(value)
    }

    /// The number of literals that are true.
    fn count(&mut self, literals: &[Lit]) -> Word {
        let mut words: VecDeque<Vec<Lit>> = literals.iter().map(|literal| vec![*literal]).collect();
        // Adds the two shortest words first, each sum with one more bit for its carry.
        while words.len() > 1
            && let (Some(one), Some(other)) = (words.pop_front(), words.pop_front())
        {
            let width = one.len().max(other.len()) + 1;
            let sum = self.circuit.add(&resized(&one, width, false), &resized(&other, width, false));
            words.push_back(sum.to_vec());
        }
        let total = resized(&words.pop_front().unwrap_or_default(), 32, false);
        self.saturate(&total)
    }

    /// Collections compare by `equals`; the models compare by identity.
    fn compares_by_identity(&self, path: &GuardedPath, refs: &PointsTo) -> Result<(), Refusal> {
        let object = self.program.known().object;
        for (target, _) in refs.iter() {
            if *target == Pointee::Null {
                continue;
            }
            if matches!(target, Pointee::Allocated(_)) && !self.mode.is_method() {
                return Err(self.unsupported("a collection of new objects"));
            }
            let class = self.class_of(path, *target)?;
            let equals = object.own_method("equals", "(Ljava/lang/Object;)Z");
            let is_own = equals.and_then(|equals| self.program.select(class, equals)).map(|found| found.class().id);
            if class.is_open() || is_own != Some(object.id) {
                let what =
                    format!("a collection of {} objects, which may be equal without being the same", class.java_name());
                return Err(self.unsupported(&what));
            }
        }
        Ok(())
    }
}

/// Does the method add at the end of the list, or in front? None if it does something else.
fn adds_at_end(class: &str, method: &str) -> Option<bool> {
    match (class, method) {
        (_, "add" | "addLast" | "offer" | "offerLast" | "addElement") => Some(true),
        ("java/util/Stack", "push") => Some(true),
        (_, "addFirst" | "offerFirst" | "push") => Some(false),
        _ => None,
    }
}

/// The exception that an empty collection throws.
fn thrown_if_empty(class: &str, method: &str) -> &'static str {
    match (class, method) {
        ("java/util/Stack", "pop" | "peek") => "java/util/EmptyStackException",
        ("java/util/ArrayList", _) => "java/lang/IndexOutOfBoundsException",
        _ => "java/util/NoSuchElementException",
    }
}

/// From the end or from the front, taking it away or not, null where there is nothing or an exception.
fn takes_from(class: &str, method: &str) -> Option<(bool, bool, bool)> {
    match (class, method) {
        ("java/util/Stack", "pop") => Some((true, true, false)),
        ("java/util/Stack", "peek") => Some((true, false, false)),
        (_, "removeFirst" | "remove" | "pop") => Some((false, true, false)),
        (_, "poll" | "pollFirst") => Some((false, true, true)),
        (_, "peek" | "peekFirst") => Some((false, false, true)),
        (_, "element" | "getFirst") => Some((false, false, false)),
        (_, "removeLast") => Some((true, true, false)),
        (_, "pollLast") => Some((true, true, true)),
        (_, "peekLast") => Some((true, false, true)),
        (_, "getLast" | "lastElement") => Some((true, false, false)),
        _ => None,
    }
}
