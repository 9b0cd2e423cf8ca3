//! Is a method called only once for each object, as far as the input is valid? Proved from what one execution does.
//!
//! A walk that comes to an object for the second time finds it in a set, and returns something that says so: -1, or false. Whoever gets that
//! returns it as well, and so does the invariant in the end. If this is so wherever an execution begins and whatever its arguments are, then it is so of a
//! whole run, by induction over its calls: no execution of a valid input returns such a failure, and none that marks its object in the
//! set, or hands it to one that does, comes to it twice. So each execution is looked at alone, what it calls returns anything, and
//! the questions are easy, however large the heap is.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_logic::circuit::Lit;

use super::Refusal;
use super::by_object::Key;
use super::meaning::{Meaning, Target};
use super::translate::Translator;

/// What a method, from its beginning or from the head of a loop on, never returns in a valid input.
pub type Failures = BTreeMap<Part, BTreeSet<i64>>;

/// A method, and the block with which a loop of it begins if only that is meant.
pub type Part = (u32, Option<u32>);

/// What executions do, each on its own.
#[derive(Default)]
pub struct Ledger {
    calls: Vec<Call>,
    returns: Vec<Return>,
    marks: Vec<Mark>,
    /// Sets that there is one of in a run.
    sets: BTreeSet<usize>,
    /// Is something missing, because an execution was interrupted?
    is_incomplete: bool,
    /// What was found out, about all invariants so far.
    failures: Option<Failures>,
}

/// An execution calls another, and gets a value. The invariant itself has no key.
struct Call {
    by: Option<Key>,
    callee: Key,
    happens: Lit,
    value: Meaning,
}

struct Return {
    by: Option<Key>,
    happens: Lit,
    value: Meaning,
}

/// An execution adds an object to a set, and is told whether it was not there.
struct Mark {
    by: Option<Key>,
    set: usize,
    target: Target,
    is_new: Lit,
}

impl Ledger {
    pub fn call(&mut self, by: Option<Key>, callee: Key, happens: Lit, value: &Meaning) {
        self.calls.push(Call { by, callee, happens, value: value.clone() });
    }

    pub fn returned(&mut self, by: Option<Key>, happens: Lit, value: &Meaning) {
        self.returns.push(Return { by, happens, value: value.clone() });
    }

    /// `is_new` is when that happens and the object was not there.
    pub fn mark(&mut self, by: Option<Key>, set: usize, target: Target, is_new: Lit) {
        self.marks.push(Mark { by, set, target, is_new });
    }

    /// A set was made. What an execution for an object makes is another set each time.
    pub fn made(&mut self, by: Option<Key>, set: usize) {
        if by.is_none() {
            self.sets.insert(set);
        }
    }

    pub fn interrupted(&mut self) {
        self.is_incomplete = true;
    }

    /// What is never returned, if nothing is called twice for an object.
    pub fn into_failures(self) -> Option<Failures> {
        self.failures.filter(|_| !self.is_incomplete)
    }
}

impl Translator<'_> {
    /// Finds out from the ledger what is a failure, and whether everything comes once to each object. The numbers that executions return as they are
    /// may be failures.
    pub fn look_for_failures(&mut self, mut constants: Failures) -> Result<(), Refusal> {
        let Some(mut ledger) = self.ledger.take() else { return Ok(()) };
        constants.values_mut().for_each(|of_part| of_part.retain(|constant| self.is_near(*constant)));
        let failures = self.failures_of(&ledger, constants)?;
        let is_once = self.come_once(&ledger, &failures)?;
        let all = match ledger.failures.take() {
            None => failures,
            Some(mut earlier) => {
                for (part, of_this) in failures {
                    let both = earlier.entry(part).or_insert_with(|| of_this.clone());
                    both.retain(|failure| of_this.contains(failure));
                }
                earlier
            }
        };
        let is_incomplete = ledger.is_incomplete || !is_once;
        self.ledger = Some(Ledger { is_incomplete, failures: Some(all), ..Ledger::default() });
        Ok(())
    }

    /// Those that whoever gets them answers with one of his own.
    fn failures_of(&mut self, ledger: &Ledger, mut failures: Failures) -> Result<Failures, Refusal> {
        loop {
            let mut passed_over: Vec<(Part, i64)> = Vec::new();
            for (part, of_part) in &failures {
                for failure in of_part {
                    let mut ignored = Vec::new();
                    for call in ledger.calls.iter().filter(|call| call.callee.part() == *part) {
                        let fails = self.is_one_of(&call.value, &BTreeSet::from([*failure]));
                        let fails = self.circuit.and(call.happens, fails);
                        let succeeds = self.succeeds(ledger, call.by, &failures);
                        ignored.push(self.circuit.and(fails, succeeds));
                    }
                    let ignored = self.circuit.any(ignored);
                    if self.is_possible(ignored)? {
                        passed_over.push((*part, *failure));
                    }
                }
            }
            if passed_over.is_empty() {
                return Ok(failures);
            }
            for (part, failure) in passed_over {
                failures.entry(part).or_default().remove(&failure);
            }
        }
    }

    /// Does every execution that does not fail find its object unmarked, or hand it to one that does?
    fn come_once(&mut self, ledger: &Ledger, failures: &Failures) -> Result<bool, Refusal> {
        let mut unproved: Vec<Part> = failures.keys().copied().collect();
        let mut proved: Vec<Part> = Vec::new();
        loop {
            let mut left = Vec::new();
            for part in &unproved {
                match self.comes_once(ledger, failures, *part, &proved)? {
                    true => proved.push(*part),
                    false => left.push(*part),
                }
            }
            if left.is_empty() || left.len() == unproved.len() {
                return Ok(left.is_empty());
            }
            unproved = left;
        }
    }

    fn comes_once(
        &mut self,
        ledger: &Ledger,
        failures: &Failures,
        part: Part,
        proved: &[Part],
    ) -> Result<bool, Refusal> {
        let keys: BTreeSet<Key> =
            ledger.calls.iter().map(|call| call.callee).filter(|callee| callee.part() == part).collect();
        let sets = ledger.sets.iter().map(|set| (Some(*set), None));
        for (set, callee) in sets.chain(proved.iter().map(|part| (None, Some(*part)))) {
            let mut unseen = Vec::new();
            for key in &keys {
                let marks = ledger.marks.iter().filter(|mark| {
                    mark.by == Some(*key) && Some(mark.set) == set && mark.target == Target::Atom(key.atom)
                });
                let calls = ledger.calls.iter().filter(|call| {
                    call.by == Some(*key) && Some(call.callee.part()) == callee && call.callee.atom == key.atom
                });
                let is_seen = marks.map(|mark| mark.is_new).chain(calls.map(|call| call.happens));
                let is_seen = self.circuit.any(is_seen);
                let succeeds = self.succeeds(ledger, Some(*key), failures);
                unseen.push(self.circuit.and(succeeds, !is_seen));
            }
            let unseen = self.circuit.any(unseen);
            if !self.is_possible(unseen)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// When does an execution return something else than a failure?
    fn succeeds(&mut self, ledger: &Ledger, by: Option<Key>, failures: &Failures) -> Lit {
        let of_invariant = BTreeSet::from([0]);
        let failing = match by {
            Some(key) => failures.get(&key.part()).cloned().unwrap_or_default(),
            None => of_invariant,
        };
        let mut succeeds = Vec::new();
        for returned in ledger.returns.iter().filter(|returned| returned.by == by) {
            let fails = self.is_one_of(&returned.value, &failing);
            succeeds.push(self.circuit.and(returned.happens, !fails));
        }
        self.circuit.any(succeeds)
    }

    pub fn is_one_of(&mut self, value: &Meaning, numbers: &BTreeSet<i64>) -> Lit {
        let Meaning::Word(word) = value else { return Lit::FALSE };
        let mut each = Vec::new();
        for number in numbers {
            let number = self.circuit.word_constant(word.len(), *number);
            each.push(self.circuit.word_equal(word, &number));
        }
        self.circuit.any(each)
    }
}
