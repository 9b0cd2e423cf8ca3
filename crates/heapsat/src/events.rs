//! What is in a set to which recursive methods add objects, if nobody knows in which order?
//!
//! Of all that add the same object, the first one is told that it was not there. Which one that is does not matter to an invariant that
//! wants to be told so every time. So an addition is an event with an answer; of those with the same object exactly one has
//! the answer yes, and in the end the set has what somebody added.

use std::collections::BTreeMap;

use lazuli_logic::circuit::Lit;

use super::meaning::{Refs, Target};
use super::translate::Translator;

/// What happens to one set.
#[derive(Default)]
pub struct Events {
    /// By what is added: when that happens, and whether it was not there.
    additions: BTreeMap<Target, Vec<(Lit, Lit)>>,
    /// What is there in the end, as far as somebody asked.
    members: BTreeMap<Target, Lit>,
}

impl Translator<'_> {
    /// Adds what a reference is. The answer says whether it was not there.
    pub fn add_event(&mut self, set: usize, guard: Lit, refs: &Refs) -> Lit {
        let mut answers = Vec::new();
        for (target, when) in refs.iter() {
            let happens = self.circuit.and(guard, *when);
            if happens == Lit::FALSE {
                continue;
            }
            let is_new = self.circuit.input();
            let is_first = self.circuit.and(happens, is_new);
            let by = self.turn.map(|turn| turn.key);
            if let Some(ledger) = &mut self.ledger {
                ledger.mark(by, set, *target, is_first);
            }
            let earlier = self.events[set].additions.entry(*target).or_default().clone();
            for (other, was_new) in &earlier {
                let both = self.circuit.and(*other, *was_new);
                let both = self.circuit.and(both, is_first);
                self.decider.assert(self.circuit, !both);
            }
            if let Some(additions) = self.events[set].additions.get_mut(target) {
                additions.push((happens, is_new));
            }
            answers.push(self.circuit.and(*when, is_new));
        }
        self.circuit.any(answers)
    }

    /// What is in the set when all has happened.
    pub fn members_at_end(&mut self, set: usize) -> Vec<Lit> {
        let all = self.possible_members();
        let circuit = &mut self.circuit;
        let members = &mut self.events[set].members;
        all.into_iter().map(|target| *members.entry(target).or_insert_with(|| circuit.input())).collect()
    }

    /// Is nothing added but what is counted?
    pub fn has_possible_members(&mut self) -> bool {
        let possible = self.possible_members();
        self.events.iter().all(|events| events.additions.keys().all(|target| possible.contains(target)))
    }

    fn possible_members(&mut self) -> Vec<Target> {
        let atoms = (0..self.universe.atoms.len() as u32).map(Target::Atom);
        atoms.chain([Target::Null]).chain(self.made_before_duty()).collect()
    }

    /// Now that all additions are known, or all but those of calls that nobody looked at: somebody was the first, and nothing else is
    /// there.
    pub fn close_events(&mut self, are_all_known: bool) {
        for events in std::mem::take(&mut self.events) {
            for (target, additions) in &events.additions {
                let any = self.circuit.any(additions.iter().map(|(happens, _)| *happens));
                if let Some(is_there) = events.members.get(target) {
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
            for (target, is_there) in events.members.iter().filter(|_| are_all_known) {
                let added = events.additions.get(target).into_iter().flatten().map(|(happens, _)| *happens);
                let added = self.circuit.any(added);
                let holds = self.circuit.implies(*is_there, added);
                self.decider.assert(self.circuit, holds);
            }
        }
    }
}

/// A set whose events are kept elsewhere.
#[derive(Clone, Copy, PartialEq)]
pub struct EventSet {
    pub number: usize,
    /// Did somebody ask what is in it? Then nothing may be added any more.
    pub is_read: bool,
}

impl EventSet {
    pub fn merge(&self, other: &EventSet) -> EventSet {
        EventSet { number: self.number, is_read: self.is_read || other.is_read }
    }
}
