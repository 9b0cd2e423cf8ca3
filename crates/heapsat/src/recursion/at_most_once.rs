//! Is a method called at most once for each object, if the input is valid? Proved from single executions.
//!
//! A walk that comes to an object for the second time finds it in a set, and returns a failure value: -1, or false. Its caller returns a failure
//! value as well, and so does the invariant in the end. If single executions propagate failures like this wherever they begin, and for all
//! arguments, then so does a whole run, by induction over its calls: no execution on a valid input returns a failure value, and none that inserts
//! its object into the set, or passes it to one that does, visits it twice. Each execution is looked at alone, its callees return anything, and so
//! the questions are easy, however large the heap is.
//!
//! For `int check(Node n, Set seen) { if (n == null) return 0; if (!seen.add(n)) return -1; int l = check(n.left, seen); if (l < 0) return -1; … }`
//! the failure value is -1: an execution whose callee returns -1 returns -1, and one that does not return -1 has inserted `n` as a new object.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_logic::circuit::Lit;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::value::{Pointee, SymValue};
use crate::recursion::per_object::{ExecutionKey, Multiplicity};

/// The values that a method, from its beginning or from the head of a loop on, never returns in a valid input.
pub(crate) type FailureValues = BTreeMap<EntryPoint, BTreeSet<i64>>;

/// A method, or the head of one of its loops.
pub(crate) type EntryPoint = (u32, Option<u32>);

/// The calls, returns and insertions of executions, each on its own.
#[derive(Default)]
pub(crate) struct ExecutionLog {
    calls: Vec<LoggedCall>,
    returns: Vec<LoggedReturn>,
    marks: Vec<LoggedInsertion>,
    /// Sets of which a run has only one.
    sets: BTreeSet<usize>,
    /// Is something missing, because an execution was interrupted?
    is_incomplete: bool,
    /// The failure values of all invariants so far.
    failures: Option<FailureValues>,
}

/// An execution calls another, and gets a value. The invariant itself has no key.
struct LoggedCall {
    by: Option<ExecutionKey>,
    callee: ExecutionKey,
    happens: Lit,
    value: SymValue,
}

struct LoggedReturn {
    by: Option<ExecutionKey>,
    happens: Lit,
    value: SymValue,
}

/// An execution inserts an object into a set, and gets the answer whether it is new.
struct LoggedInsertion {
    by: Option<ExecutionKey>,
    set: usize,
    target: Pointee,
    is_new: Lit,
}

impl ExecutionLog {
    pub(crate) fn call(&mut self, by: Option<ExecutionKey>, callee: ExecutionKey, happens: Lit, value: &SymValue) {
        self.calls.push(LoggedCall { by, callee, happens, value: value.clone() });
    }

    pub(crate) fn returned(&mut self, by: Option<ExecutionKey>, happens: Lit, value: &SymValue) {
        self.returns.push(LoggedReturn { by, happens, value: value.clone() });
    }

    /// `is_new` says that it happens and the object is new.
    pub(crate) fn inserted(&mut self, by: Option<ExecutionKey>, set: usize, target: Pointee, is_new: Lit) {
        self.marks.push(LoggedInsertion { by, set, target, is_new });
    }

    /// A set was allocated. One that an execution for an object allocates is another set each time.
    pub(crate) fn allocated(&mut self, by: Option<ExecutionKey>, set: usize) {
        if by.is_none() {
            self.sets.insert(set);
        }
    }

    pub(crate) fn interrupted(&mut self) {
        self.is_incomplete = true;
    }

    /// The failure values, if no method is called twice for an object.
    pub(crate) fn into_failures(self) -> Option<FailureValues> {
        self.failures.filter(|_| !self.is_incomplete)
    }
}

impl Executor<'_> {
    /// Finds the failure values among the returned constants, and proves from the log that each object is visited at most once.
    pub(crate) fn prove_at_most_once(&mut self, mut constants: FailureValues) -> Result<(), Refusal> {
        let Some(mut log) = self.log_mut().map(std::mem::take) else { return Ok(()) };
        constants.values_mut().for_each(|of_part| of_part.retain(|constant| self.is_representable(*constant)));
        let failures = self.propagated_failures(&log, constants)?;
        let is_once = self.all_guarded(&log, &failures)?;
        // A value counts as a failure only if it is one for every invariant that calls the method.
        let all = match log.failures.take() {
            None => failures,
            Some(mut earlier) => {
                for (part, of_this) in failures {
                    let both = earlier.entry(part).or_insert_with(|| of_this.clone());
                    both.retain(|failure| of_this.contains(failure));
                }
                earlier
            }
        };
        let is_incomplete = log.is_incomplete || !is_once;
        let log = ExecutionLog { is_incomplete, failures: Some(all), ..ExecutionLog::default() };
        self.per_object_state().set_multiplicity(Multiplicity::Modular(log));
        Ok(())
    }

    /// The greatest set of constants that callers propagate: an execution whose callee returns one of them returns one of its own. Begins with all
    /// candidates, and removes those that some execution ignores, until none is left to remove (a greatest fixpoint).
    fn propagated_failures(
        &mut self,
        log: &ExecutionLog,
        mut failures: FailureValues,
    ) -> Result<FailureValues, Refusal> {
        loop {
            let mut not_propagated: Vec<(EntryPoint, i64)> = Vec::new();
            for (part, of_part) in &failures {
                for failure in of_part {
                    let mut ignored = Vec::new();
                    for call in log.calls.iter().filter(|call| call.callee.entry_point() == *part) {
                        let fails = self.is_one_of(&call.value, &BTreeSet::from([*failure]));
                        let fails = self.circuit.and(call.happens, fails);
                        let succeeds = self.succeeds(log, call.by, &failures);
                        ignored.push(self.circuit.and(fails, succeeds));
                    }
                    let ignored = self.circuit.any(ignored);
                    if self.is_feasible(ignored)? {
                        not_propagated.push((*part, *failure));
                    }
                }
            }
            if not_propagated.is_empty() {
                return Ok(failures);
            }
            for (part, failure) in not_propagated {
                failures.entry(part).or_default().remove(&failure);
            }
        }
    }

    /// Does every execution that succeeds insert its object into a set as a new one, or pass it to an entry point that does? Proved entry points serve
    /// the proofs of others, until no further one is proved.
    fn all_guarded(&mut self, log: &ExecutionLog, failures: &FailureValues) -> Result<bool, Refusal> {
        let mut unproved: Vec<EntryPoint> = failures.keys().copied().collect();
        let mut proved: Vec<EntryPoint> = Vec::new();
        loop {
            let mut left = Vec::new();
            for part in &unproved {
                match self.is_guarded(log, failures, *part, &proved)? {
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

    /// Is there one set, or one proved entry point, that guards all executions from an entry point?
    fn is_guarded(
        &mut self,
        log: &ExecutionLog,
        failures: &FailureValues,
        part: EntryPoint,
        proved: &[EntryPoint],
    ) -> Result<bool, Refusal> {
        let keys: BTreeSet<ExecutionKey> =
            log.calls.iter().map(|call| call.callee).filter(|callee| callee.entry_point() == part).collect();
        let sets = log.sets.iter().map(|set| (Some(*set), None));
        for (set, callee) in sets.chain(proved.iter().map(|part| (None, Some(*part)))) {
            let mut unseen = Vec::new();
            for key in &keys {
                let marks = log.marks.iter().filter(|mark| {
                    mark.by == Some(*key) && Some(mark.set) == set && mark.target == Pointee::Atom(key.atom)
                });
                let calls = log.calls.iter().filter(|call| {
                    call.by == Some(*key) && Some(call.callee.entry_point()) == callee && call.callee.atom == key.atom
                });
                let is_seen = marks.map(|mark| mark.is_new).chain(calls.map(|call| call.happens));
                let is_seen = self.circuit.any(is_seen);
                let succeeds = self.succeeds(log, Some(*key), failures);
                unseen.push(self.circuit.and(succeeds, !is_seen));
            }
            let unseen = self.circuit.any(unseen);
            if !self.is_feasible(unseen)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if an execution returns something else than a failure value.
    fn succeeds(&mut self, log: &ExecutionLog, by: Option<ExecutionKey>, failures: &FailureValues) -> Lit {
        let of_invariant = BTreeSet::from([0]);
        let failing = match by {
            Some(key) => failures.get(&key.entry_point()).cloned().unwrap_or_default(),
            None => of_invariant,
        };
        let mut succeeds = Vec::new();
        for returned in log.returns.iter().filter(|returned| returned.by == by) {
            let fails = self.is_one_of(&returned.value, &failing);
            succeeds.push(self.circuit.and(returned.happens, !fails));
        }
        self.circuit.any(succeeds)
    }

    pub(crate) fn is_one_of(&mut self, value: &SymValue, numbers: &BTreeSet<i64>) -> Lit {
        let SymValue::Word(word) = value else { return Lit::FALSE };
        let mut each = Vec::new();
        for number in numbers {
            let number = self.circuit.word_constant(word.len(), *number);
            each.push(self.circuit.word_equal(word, &number));
        }
        self.circuit.any(each)
    }
}
