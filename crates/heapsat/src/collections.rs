//! What do the library's collections do, as far as invariants use them to remember objects?
//!
//! A set of visited nodes is a subset of the objects, and a worklist is a sequence of which each entry may be there or not. Executing
//! the library's own code instead would make the circuit depend on hash codes and array sizes. The models are held to the
//! library's own code by tests.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::{Class, Method};

use super::Refusal;
use super::exceptions::Thrown;
use super::meaning::{Collected, Meaning, Refs, Target, choose_ref, resized};
use super::translate::Translator;
use super::way::{Body, Way};

/// Which objects are in a set, and when.
#[derive(Clone, Default, PartialEq)]
pub struct Members(BTreeMap<Target, Lit>);

impl Members {
    pub fn merge(&self, circuit: &mut Circuit, condition: Lit, other: &Members) -> Members {
        let targets = self.0.keys().chain(other.0.keys());
        let all: std::collections::BTreeSet<Target> = targets.copied().collect();
        let when = |target| (target, circuit.if_else(condition, self.when(target), other.when(target)));
        Members(all.into_iter().map(when).collect())
    }

    pub fn when(&self, target: Target) -> Lit {
        self.0.get(&target).copied().unwrap_or(Lit::FALSE)
    }

    /// What may be in it, and when it is.
    pub fn iter(&self) -> impl Iterator<Item = (Target, Lit)> {
        self.0.iter().map(|(target, when)| (*target, *when))
    }

    /// Is what the reference denotes in the set?
    fn contains(&self, circuit: &mut Circuit, refs: &Refs) -> Lit {
        let each: Vec<Lit> = refs.iter().map(|(target, when)| circuit.and(*when, self.when(*target))).collect();
        circuit.any(each)
    }

    fn set(&mut self, circuit: &mut Circuit, refs: &Refs, is_there: bool) {
        for (target, when) in refs.iter() {
            let was = self.when(*target);
            let is = if is_there { circuit.or(was, *when) } else { circuit.and(was, !*when) };
            self.0.insert(*target, is);
        }
    }
}

impl FromIterator<(Target, Lit)> for Members {
    fn from_iter<T: IntoIterator<Item = (Target, Lit)>>(members: T) -> Members {
        Members(members.into_iter().collect())
    }
}

/// A sequence of entries, each of which may be there or not.
#[derive(Clone, Default, PartialEq)]
pub struct List {
    /// In order. The keys grow from the front to the back; entries that were added on different ways have different keys.
    entries: BTreeMap<i64, (Lit, Refs)>,
    /// Is it gone through entry by entry, whether an entry is there or not? Who asks for the next gets null in place of one that is not.
    is_row: bool,
    /// Has somebody begun to?
    pub is_begun: bool,
}

impl List {
    /// Objects one after the other, each if it is there.
    pub fn row(objects: impl IntoIterator<Item = (Target, Lit)>) -> List {
        let entry = |(at, (target, when))| {
            let object: Refs = Rc::new([(target, Lit::TRUE)]);
            (at as i64, (when, object))
        };
        List { entries: objects.into_iter().enumerate().map(entry).collect(), is_row: true, is_begun: false }
    }

    /// Takes the next entry of a row.
    fn next(&mut self, circuit: &mut Circuit) -> Refs {
        self.is_begun = true;
        let null: Refs = Rc::new([(Target::Null, Lit::TRUE)]);
        match self.entries.pop_first() {
            Some((_, (is_there, object))) => choose_ref(circuit, is_there, &object, &null),
            None => null,
        }
    }

    pub fn merge(&self, circuit: &mut Circuit, condition: Lit, other: &List) -> List {
        let mut entries = BTreeMap::new();
        let keys: std::collections::BTreeSet<i64> = self.entries.keys().chain(other.entries.keys()).copied().collect();
        for key in keys {
            let merged = match (self.entries.get(&key), other.entries.get(&key)) {
                (Some((a, one)), Some((b, two))) => {
                    (circuit.if_else(condition, *a, *b), choose_ref(circuit, condition, one, two))
                }
                (Some((a, refs)), None) => (circuit.and(condition, *a), refs.clone()),
                (None, Some((b, refs))) => (circuit.and(!condition, *b), refs.clone()),
                (None, None) => continue,
            };
            if merged.0 != Lit::FALSE {
                entries.insert(key, merged);
            }
        }
        List { entries, is_row: self.is_row, is_begun: self.is_begun || other.is_begun }
    }

    fn is_empty(&self, circuit: &mut Circuit) -> Lit {
        if self.is_row {
            return Lit::constant(self.entries.is_empty());
        }
        let any = circuit.any(self.entries.values().map(|(is_there, _)| *is_there));
        !any
    }

    /// The first entry that is there, or the last; only looked at, or taken away.
    fn end(&mut self, circuit: &mut Circuit, is_last: bool, takes: bool) -> Refs {
        let mut found = Collected::default();
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

/// What a class of the library is modelled as.
pub fn model_of(class: &Class) -> Option<Body> {
    match class.name {
        // Of a map that compares by identity, only the keys: that is what specifications use it for.
        "java/util/HashSet" | "java/util/LinkedHashSet" | "java/util/IdentityHashMap" => {
            Some(Body::Set(Members::default()))
        }
        "java/util/LinkedList"
        | "java/util/ArrayDeque"
        | "java/util/ArrayList"
        | "java/util/Stack"
        | "java/util/Vector" => Some(Body::List(List::default())),
        _ => None,
    }
}

impl Translator<'_> {
    /// A method of a modelled collection.
    pub fn call_model(
        &mut self,
        way: &mut Way,
        number: u32,
        method: &'static Method,
        arguments: &[Meaning],
    ) -> Result<Meaning, Refusal> {
        let Some(object) = way.heap.get(number).cloned() else {
            return Err(self.unsupported("an object that is not there"));
        };
        let (mut made, class) = ((*object).clone(), object.class);
        let refused = |translator: &Self| translator.unsupported(&format!("a call of {}", method.full_name()));
        let is_identical = class.name == "java/util/IdentityHashMap";
        let is_first = |word: &Word| self.circuit.word_constant_of(word) == Some(0);
        let (name, argument) = match arguments {
            [] => (method.name, None),
            [Meaning::Ref(refs)] => (method.name, Some(refs.clone())),
            [Meaning::Word(index)] if is_first(index) && method.name == "remove" => ("removeFirst", None),
            [Meaning::Word(index)] if is_first(index) && method.name == "get" => ("getFirst", None),
            // Whoever puts a key in as its own value does not ask for values.
            [Meaning::Ref(key), Meaning::Ref(value)] if key == value && is_identical => {
                (method.name, Some(key.clone()))
            }
            _ => return Err(refused(self)),
        };
        // A list compares only if somebody looks for something in it.
        let compares = !is_identical && (!matches!(made.body, Body::List(_)) || name == "contains");
        if let Some(refs) = argument.as_ref().filter(|_| compares) {
            self.compares_by_identity(way, refs)?;
        }
        let value = match (&mut made.body, name, argument) {
            (_, "<init>", None) => Meaning::Nothing,
            (Body::Set(members), "add", Some(refs)) => {
                let was_there = members.contains(self.circuit, &refs);
                members.set(self.circuit, &refs, true);
                Meaning::truth(!was_there)
            }
            (Body::Set(members), "put", Some(refs)) => {
                let null: Refs = Rc::new([(Target::Null, Lit::TRUE)]);
                let was_there = members.contains(self.circuit, &refs);
                members.set(self.circuit, &refs, true);
                Meaning::Ref(choose_ref(self.circuit, was_there, &refs, &null))
            }
            (Body::Set(members), "containsKey", Some(refs)) => Meaning::truth(members.contains(self.circuit, &refs)),
            (Body::Set(members), "remove", Some(refs)) => {
                let was_there = members.contains(self.circuit, &refs);
                members.set(self.circuit, &refs, false);
                Meaning::truth(was_there)
            }
            (Body::Set(members), "contains", Some(refs)) => Meaning::truth(members.contains(self.circuit, &refs)),
            (Body::Set(members), "clear", None) => {
                *members = Members::default();
                Meaning::Nothing
            }
            (Body::Set(members), "size", None) => {
                let there: Vec<Lit> = members.0.values().copied().collect();
                Meaning::Word(self.count(&there))
            }
            (Body::Set(members), "isEmpty", None) => {
                let any = self.circuit.any(members.0.values().copied());
                Meaning::truth(!any)
            }
            (Body::Events(set), "add", Some(refs)) => {
                if set.is_read {
                    return Err(self.unsupported("an addition to a set that was read before"));
                }
                Meaning::truth(self.add_event(set.number, way.guard, &refs))
            }
            (Body::Events(set), "size" | "isEmpty", None) if self.is_outermost => {
                set.is_read = true;
                let there = self.members_at_end(set.number);
                if method.name == "size" {
                    Meaning::Word(self.count(&there))
                } else {
                    let any = self.circuit.any(there);
                    Meaning::truth(!any)
                }
            }
            (Body::List(list), "size", None) => {
                let there: Vec<Lit> = list.entries.values().map(|(is_there, _)| *is_there).collect();
                Meaning::Word(self.count(&there))
            }
            (Body::List(list), "isEmpty" | "empty", None) => Meaning::truth(list.is_empty(self.circuit)),
            (Body::List(list), "clone", None) if class.name == "java/util/ArrayDeque" => {
                let copy = list.clone();
                return Ok(self.make(way, class, Body::List(copy)));
            }
            (Body::List(list), "poll", None) if list.is_row => Meaning::Ref(list.next(self.circuit)),
            // It says that the others do not matter any more. Whoever looks at them all the same finds nothing else, unless they make something throw: see `closure`.
            (Body::List(list), "clear", None) if list.is_row => Meaning::Nothing,
            (Body::List(list), name, _) if list.is_row && !matches!(name, "size" | "isEmpty") => {
                return Err(refused(self));
            }
            (Body::List(list), "clear", None) => {
                *list = List::default();
                Meaning::Nothing
            }
            (Body::List(list), "contains", Some(refs)) => {
                let mut found = Vec::new();
                for (is_there, entry) in list.entries.values() {
                    let same = super::meaning::same(self.circuit, entry, &refs);
                    found.push(self.circuit.and(*is_there, same));
                }
                Meaning::truth(self.circuit.any(found))
            }
            (Body::List(list), name, Some(refs)) => {
                let Some(at_end) = adds_at_end(class.name, name) else { return Err(refused(self)) };
                if class.name == "java/util/ArrayDeque" {
                    // It refuses null.
                    let null = super::meaning::is(&refs, Target::Null);
                    self.throws(way, null, Thrown::New("java/lang/NullPointerException"))?;
                }
                self.next_object += 1;
                let key = if at_end { self.next_object as i64 } else { -(self.next_object as i64) };
                list.entries.insert(key, (Lit::TRUE, refs.clone()));
                match (method.result, name) {
                    (lazuli_vm::value::Kind::Boolean, _) => Meaning::truth(Lit::TRUE),
                    (lazuli_vm::value::Kind::Reference, _) => Meaning::Ref(refs),
                    _ => Meaning::Nothing,
                }
            }
            (Body::List(list), name, None) => {
                let Some((is_last, takes, gives_null)) = takes_from(class.name, name) else {
                    return Err(refused(self));
                };
                let is_empty = list.is_empty(self.circuit);
                let refs = list.end(self.circuit, is_last, takes);
                if gives_null {
                    let null: Refs = Rc::new([(Target::Null, Lit::TRUE)]);
                    Meaning::Ref(choose_ref(self.circuit, is_empty, &null, &refs))
                } else {
                    self.throws(way, is_empty, Thrown::New(thrown_if_empty(class.name, name)))?;
                    Meaning::Ref(refs)
                }
            }
            _ => return Err(refused(self)),
        };
        let is_row = matches!(&made.body, Body::List(list) if list.is_row);
        let value = match value {
            Meaning::Ref(refs) if !is_row => Meaning::Ref(self.narrow(way.guard, refs)?),
            other => other,
        };
        way.heap.set(number, made);
        Ok(value)
    }

    /// The number of literals that are true.
    fn count(&mut self, literals: &[Lit]) -> Word {
        let mut words: VecDeque<Vec<Lit>> = literals.iter().map(|literal| vec![*literal]).collect();
        // The shortest two first, with room for what is carried.
        while words.len() > 1
            && let (Some(one), Some(other)) = (words.pop_front(), words.pop_front())
        {
            let width = one.len().max(other.len()) + 1;
            let sum = self.circuit.add(&resized(&one, width, false), &resized(&other, width, false));
            words.push_back(sum.to_vec());
        }
        let total = resized(&words.pop_front().unwrap_or_default(), 32, false);
        self.limited(&total)
    }

    /// Collections compare by `equals`; the models compare by identity.
    fn compares_by_identity(&self, way: &Way, refs: &Refs) -> Result<(), Refusal> {
        let object = self.program.known().object;
        for (target, _) in refs.iter() {
            if *target == Target::Null {
                continue;
            }
            if matches!(target, Target::Made(_)) && self.whole.is_none() {
                return Err(self.unsupported("a collection of new objects"));
            }
            let class = self.class_of(way, *target)?;
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

/// What a collection throws that has nothing to give.
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
