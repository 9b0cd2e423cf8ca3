//! How is a set modelled into which recursive executions insert objects in an unknown order?
//!
//! Of all executions that insert the same object, the first one gets the answer that it was new. Which one that is does not matter to an invariant
//! that requires this answer every time. So an insertion is an event with a free answer; of all insertions of one object exactly one has the answer
//! yes, and in the end the set has the objects that were inserted.

use std::collections::BTreeMap;

use lazuli_logic::circuit::Lit;

use crate::exec::executor::Executor;
use crate::exec::value::{Pointee, PointsTo};
use crate::recursion::per_object::PerObject;

/// The insertions into one set.
#[derive(Default)]
pub(crate) struct InsertionLog {
    /// By object: the guard of each insertion, and its answer.
    additions: BTreeMap<Pointee, Vec<(Lit, Lit)>>,
    /// The final members that were read.
    members: BTreeMap<Pointee, Lit>,
}

impl Executor<'_> {
    /// Inserts the pointee of a reference. The answer says whether it is new: a fresh variable, which at most one insertion of the same object has true.
    pub(crate) fn insert(&mut self, set: usize, guard: Lit, refs: &PointsTo) -> Lit {
        let mut answers = Vec::new();
        for (target, when) in refs.iter() {
            let happens = self.circuit.and(guard, *when);
            if happens == Lit::FALSE {
                continue;
            }
            let is_new = self.circuit.input();
            let is_first = self.circuit.and(happens, is_new);
            let by = self.recursion.running();
            if let Some(log) = self.recursion.per_object_mut().and_then(PerObject::log_mut) {
                log.inserted(by, set, *target, is_first);
            }
            let earlier = self.recursion.set_mut(set).additions.entry(*target).or_default().clone();
            for (other, was_new) in &earlier {
                let both = self.circuit.and(*other, *was_new);
                let both = self.circuit.and(both, is_first);
                self.decider.assert(self.circuit, !both);
            }
            if let Some(additions) = self.recursion.set_mut(set).additions.get_mut(target) {
                additions.push((happens, is_new));
            }
            answers.push(self.circuit.and(*when, is_new));
        }
        self.circuit.any(answers)
    }

    /// The final members.
    pub(crate) fn members_at_end(&mut self, set: usize) -> Vec<Lit> {
        let all = self.possible_members();
        let circuit = &mut self.circuit;
        let members = &mut self.recursion.set_mut(set).members;
        all.into_iter().map(|target| *members.entry(target).or_insert_with(|| circuit.input())).collect()
    }

    /// Are all inserted objects among those that `size` counts?
    pub(crate) fn has_possible_members(&mut self) -> bool {
        let possible = self.possible_members();
        self.recursion.sets().iter().all(|log| log.additions.keys().all(|target| possible.contains(target)))
    }

    fn possible_members(&mut self) -> Vec<Pointee> {
        let atoms = (0..self.universe.atoms.len() as u32).map(Pointee::Atom);
        atoms.chain([Pointee::Null]).chain(self.allocated_before_post()).collect()
    }

    /// Closes the sets: every inserted object is a member. If all insertions are known, one insertion of each object was the first, and there are no
    /// other members.
    pub(crate) fn close_insertions(&mut self, are_all_known: bool) {
        for log in self.recursion.take_sets() {
            for (target, additions) in &log.additions {
                let any = self.circuit.any(additions.iter().map(|(happens, _)| *happens));
                if let Some(is_there) = log.members.get(target) {
                    let holds = self.circuit.implies(any, *is_there);
                    self.decider.assert(self.circuit, holds);
                }
                if are_all_known {
                    let new: Vec<Lit> =
                        additions.iter().map(|(happens, is_new)| self.circuit.and(*happens, *is_new)).collect();
                    let new = self.circuit.any(new);
                    let holds = self.circuit.implies(any, new);
                    self.decider.assert(self.circuit, holds);
                }
            }
            for (target, is_there) in log.members.iter().filter(|_| are_all_known) {
                let added = log.additions.get(target).into_iter().flatten().map(|(happens, _)| *happens);
                let added = self.circuit.any(added);
                let holds = self.circuit.implies(*is_there, added);
                self.decider.assert(self.circuit, holds);
            }
        }
    }
}

/// A set whose insertions are kept in a log, by number.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct UnorderedSet {
    pub(crate) number: usize,
    /// Was its content read? Then nothing may be inserted any more.
    pub(crate) is_read: bool,
}

impl UnorderedSet {
    pub(crate) fn merge(&self, other: &UnorderedSet) -> UnorderedSet {
        UnorderedSet { number: self.number, is_read: self.is_read || other.is_read }
    }
}
