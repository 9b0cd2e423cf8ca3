//! Which states do calls lead to, if Lazuli chooses the calls itself?
//!
//! All sequences of calls and assignments, shortest first: each state is extended by every constructor, static method, method of an object that
//! the code around has, and assignment, with unknown arguments (see `deeds`). What an argument refers to is decided when a call looks
//! at it: an object that the code around had before, or one that no call needs to make. A state that an earlier one covers is not
//! extended (see `covers`). If none is left to extend, every sequence leads to a state that is covered, and the bound falls away.
//!
//! A pool belongs to the classes whose objects calls make, and not to a method: it grows only as far as a method asks, and the next method of
//! the class begins with the states that are there (see `pools`).

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_vm::program::UsedStatics;
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::{ObjId, Value};

use crate::path::Path;
use crate::report::Assumption;
use crate::report::summary::Summary;
use crate::worker::Worker;
use crate::worker::covers::Portrait;
use crate::worker::deeds::{Callable, DeedEnds};
use crate::worker::sequence::sequence_of;

/// States that are kept.
const MOST_STATES: usize = 20_000;

/// A question whether one state covers another is not worth more: if it stays open, the state is extended.
const COVER_TIME: Duration = Duration::from_millis(50);

/// A call is not worth more for one question to the solver. A state of which it is not known whether a call leads there is one of the states: what
/// holds there holds, and a fault there needs an example.
pub(super) const CALL_TIME: Duration = Duration::from_millis(200);

/// The states that calls lead to.
#[derive(Default)]
pub(crate) struct StatePool {
    /// In the order in which they were found: but for calls that take long, no state comes before one that fewer calls make.
    pub(crate) states: Vec<Path>,
    gallery: Gallery,
    /// The first state that is not extended by all statements.
    next: usize,
    /// How many statements it is extended by.
    performed: usize,
    /// Calls whose paths were not followed to their ends.
    delayed: VecDeque<DelayedCall>,
    /// Is there a state that only more calls than allowed extend?
    is_bounded: bool,
    /// Did a limit leave out a state, so that it is not known where more calls lead?
    is_full: bool,
    pub(crate) callable: Callable,
    notes: PoolNotes,
}

/// A call that took too long to be followed at once.
struct DelayedCall {
    /// The state before it.
    before: Path,
    /// Does it begin anew, beside the objects that are there?
    is_unrelated: bool,
    waiting: VecDeque<Path>,
}

/// The limits and assumptions of the calls that lead to the states. They are told with each method.
#[derive(Default)]
struct PoolNotes {
    summary: Summary,
    assumptions: BTreeSet<Assumption>,
    used_statics: UsedStatics,
}

/// The result of extending a state.
pub(crate) enum Growth {
    /// There may be more states.
    Grown,
    /// Only more calls than allowed lead to more states.
    Bounded,
    /// No calls lead to more states.
    Closed,
    /// It is not known whether there are more.
    Cut(Resource),
}

/// States by the hashes of their shapes.
#[derive(Default)]
pub(crate) struct Gallery {
    known: HashMap<u64, Vec<Portrait>>,
}

impl Worker<'_> {
    /// Extends the first state that has not been extended by all statements.
    pub(crate) fn grow(&mut self) -> Growth {
        self.exchange_notes();
        let growth = self.extend_next();
        self.exchange_notes();
        growth
    }

    /// Tells what the calls left out and took for granted.
    pub(crate) fn tell_notes(&mut self) {
        let PoolNotes { summary, assumptions, used_statics } = &self.pool.notes;
        self.summary.take_notes(summary);
        self.summary.assumptions.extend(assumptions.iter().cloned());
        self.vm.used_statics.extend(used_statics);
    }

    /// PoolNotes are taken for the pool from here on, or for the method again.
    pub(super) fn exchange_notes(&mut self) {
        let notes = &mut self.pool.notes;
        std::mem::swap(&mut self.summary, &mut notes.summary);
        std::mem::swap(&mut self.vm.assumptions, &mut notes.assumptions);
        std::mem::swap(&mut self.vm.used_statics, &mut notes.used_statics);
        // The invariants of the method's inputs say nothing about the arguments of other calls.
        std::mem::swap(&mut self.technique, &mut self.other_technique);
        std::mem::swap(&mut self.solver_limits.time, &mut self.other_solver_time);
        // The arrays that calls make are as long as inputs may be.
        self.vm.rules.decides_lengths ^= true;
    }

    fn extend_next(&mut self) -> Growth {
        if self.pool.states.is_empty() {
            let first = self.before_calls();
            self.is_new(&first);
            self.pool.states.push(first);
            return Growth::Grown;
        }
        let most = self.config.most_input_calls();
        let has_most = |state: &Path| sequence_of(state).calls.len() >= most;
        while self.pool.states.get(self.pool.next).is_some_and(has_most) {
            self.pool.is_bounded = true;
            self.pool.next += 1;
        }
        let Some(state) = self.pool.states.get(self.pool.next).map(Path::fork) else { return self.resume_call() };
        let deeds = self.deeds(&state);
        for deed in deeds.into_iter().skip(self.pool.performed) {
            let found = match self.perform(&state, deed) {
                Ok(found) => found,
                // The statement is executed again if there is more time for another method. What it led to is covered then.
                Err(cut) => return Growth::Cut(cut),
            };
            let is_unrelated = !sequence_of(&state).held.is_empty() && deed.takes_no_receiver();
            self.take_ends(&state, found, is_unrelated);
            if self.pool.is_full {
                return Growth::Cut(Resource::Paths);
            }
            self.pool.performed += 1;
            if let Some(cut) = self.resource_out() {
                return Growth::Cut(cut);
            }
        }
        self.pool.next += 1;
        self.pool.performed = 0;
        Growth::Grown
    }

    /// Keeps the states behind a call.
    pub(super) fn take_ends(&mut self, before: &Path, found: DeedEnds, is_unrelated: bool) {
        let is_left = |next: &Path| is_changed(before, next);
        let refused: Vec<Path> = found.refused.into_iter().filter(is_left).collect();
        for next in found.returned.into_iter().chain(refused) {
            for part in self.separate(next, is_unrelated) {
                if self.is_new(&part) {
                    self.pool.states.push(part);
                }
            }
        }
        if found.threw.iter().any(|next| is_changed(before, next) && !self.is_known(next)) {
            self.summary.restricted(&Restriction::ReturningCalls);
        }
        if !found.waiting.is_empty() {
            let (before, waiting) = (before.fork(), found.waiting);
            self.pool.delayed.push_back(DelayedCall { before, is_unrelated, waiting });
        }
        self.pool.is_full |= self.pool.states.len() > MOST_STATES;
    }

    /// Goes on with a call that took too long, if there is one.
    fn resume_call(&mut self) -> Growth {
        let Some(DelayedCall { before, is_unrelated, waiting }) = self.pool.delayed.pop_front() else {
            return if self.pool.is_bounded { Growth::Bounded } else { Growth::Closed };
        };
        let kept = waiting.iter().map(Path::fork).collect();
        match self.follow_call(waiting, DeedEnds::default()) {
            Ok(found) => self.take_ends(&before, found, is_unrelated),
            Err(cut) => {
                self.pool.delayed.push_back(DelayedCall { before, is_unrelated, waiting: kept });
                return Growth::Cut(cut);
            }
        }
        match self.pool.is_full {
            true => Growth::Cut(Resource::Paths),
            false => Growth::Grown,
        }
    }

    /// Are all states there that so many calls lead to, as far as calls were tried?
    pub(crate) fn has_delayed_calls(&self) -> bool {
        !self.pool.delayed.is_empty()
    }

    /// Is the state none that an earlier one covers? It is known from here on.
    fn is_new(&mut self, path: &Path) -> bool {
        let mut gallery = std::mem::take(&mut self.pool.gallery);
        let is_new = self.is_new_in(&mut gallery, path, &all_seeds(path));
        self.pool.gallery = gallery;
        is_new
    }

    /// Does an earlier state cover this one?
    fn is_known(&mut self, path: &Path) -> bool {
        let Some(portrait) = Portrait::of(path, &self.start.heap, &all_seeds(path)) else { return false };
        let known = self.pool.gallery.known.get(&portrait.shape.hash());
        let limits = SolverLimits { time: COVER_TIME, ..self.solver_limits.clone() };
        let (terms, chain, limits) = (&mut self.vm.terms, &mut self.chain, &limits);
        known.is_some_and(|known| {
            known.iter().any(|earlier| earlier.covers(&portrait, path, terms, chain, limits, true))
        })
    }

    /// Is the state new among those of a gallery, as far as the seeds lead to what differs?
    pub(super) fn is_new_in(&mut self, gallery: &mut Gallery, path: &Path, seeds: &[Value]) -> bool {
        let Some(portrait) = Portrait::of(path, &self.start.heap, seeds) else { return true };
        let known = gallery.known.entry(portrait.shape.hash()).or_default();
        let limits = SolverLimits { time: COVER_TIME, ..self.solver_limits.clone() };
        let (terms, chain, limits) = (&mut self.vm.terms, &mut self.chain, &limits);
        if known.iter().any(|earlier| earlier.covers(&portrait, path, terms, chain, limits, true)) {
            return false;
        }
        known.push(portrait);
        true
    }

    /// PoolNotes that not all states were reached.
    pub(super) fn note_unreached(&mut self, cut: Resource) {
        let cut = self.cut_or_stopped(cut);
        self.summary.not_explored(Reason::PathsLeft(cut), "", 1);
    }
}

/// Did a call that threw change an object that was there, or hand one out?
fn is_changed(before: &Path, after: &Path) -> bool {
    sequence_of(before).held.len() != sequence_of(after).held.len()
        || !after.heap.changed_since(&before.heap).is_empty()
}

/// Everything from which later calls can get at what a state has.
fn all_seeds(path: &Path) -> Vec<Value> {
    let mut seeds: Vec<Value> = sorted(path, &sequence_of(path).held);
    seeds.extend(path.symbols.roots.iter().filter(|root| root.holder.is_some()).map(|root| root.value));
    seeds
}

/// Objects by their classes: two orders in which the same objects were made give the same state.
pub(super) fn sorted(path: &Path, objects: &[ObjId]) -> Vec<Value> {
    let mut sorted = objects.to_vec();
    sorted.sort_by_key(|object| path.heap.class(*object).id);
    sorted.into_iter().map(Value::from).collect()
}
