//! What can fields of valid heaps hold? Less than their types allow, and what is known of that makes the next circuit smaller.

use std::collections::HashSet;
use std::time::Duration;

use lazuli_logic::Limits;
use lazuli_logic::circuit::Lit;
use lazuli_logic::sat::Verdict;

use super::Refusal;
use super::meaning::{Meaning, Refs};
use super::oracle::{Oracle, Task};
use super::universe::{Allowed, Naturals};

/// The time for a question whose answer would only be of use.
const BRIEFLY: Duration = Duration::from_secs(1);

impl Oracle {
    /// The numbers of valid heaps that are not negative, and no more than there are objects: heights, sizes and the like. With all bits, whoever adds to them
    /// would have to find out again and again that nothing overflows. Those of the objects that are met last come first, because others are computed from them.
    pub(super) fn naturals(&mut self, task: &Task) -> Result<Naturals, Refusal> {
        let Oracle { circuit, decider, universe, .. } = self;
        let bits = (usize::BITS - (universe.atoms.len() + 1).leading_zeros()) as usize;
        // The arrays in which strings keep their characters exist with their strings, which the atoms do not say.
        let is_narrow = |place: &(u32, u32)| universe.narrow.contains_key(place) || universe.texts.contains(&place.0);
        let (mut found, mut others) = (Naturals::new(), HashSet::new());
        for (place, meaning) in universe.others.iter().rev().filter(|(place, _)| !is_narrow(place)) {
            let Meaning::Word(word) = meaning else { continue };
            let is_more = circuit.any(word[bits..].iter().copied());
            if others.contains(&place.1) || is_more == Lit::FALSE {
                continue;
            }
            let is_more = circuit.and(universe.atoms[place.0 as usize].exists, is_more);
            let limits = Limits { time: task.limits.time.min(BRIEFLY), ..task.limits.clone() };
            let is_excluded =
                !decider.was_true(circuit, is_more) && decider.solve(circuit, &[is_more], &limits) == Verdict::Unsat;
            if task.limits.left().is_zero() {
                return Err(Refusal::OutOfTime);
            }
            match is_excluded {
                true => {
                    decider.assert(circuit, !is_more);
                    found.insert(*place, bits);
                }
                // What one object does not keep to, others will not.
                false => drop(others.insert(place.1)),
            }
        }
        Ok(found)
    }

    /// What the fields of valid heaps may refer to.
    pub(super) fn tighten(mut self, task: &Task) -> Result<Allowed, Refusal> {
        let (circuit, decider) = (&mut self.circuit, &mut self.decider);
        let mut allowed = Allowed::new();
        // One atom after the other, in the order of the walk that numbered them: what the first cannot refer to is asserted, and leaves less to
        // find out about the next.
        let places: Vec<(&(u32, u32), &Refs)> = self.universe.places.iter().collect();
        for of_one in places.chunk_by(|(one, _), (other, _)| one.0 == other.0) {
            let mut doubtful = Vec::new();
            for ((atom, slot), refs) in of_one {
                let exists = self.universe.atoms[*atom as usize].exists;
                for (target, when) in refs.iter() {
                    doubtful.push(((*atom, *slot), *target, circuit.and(exists, *when)));
                }
                allowed.insert((*atom, *slot), refs.iter().map(|(target, _)| *target).collect());
            }
            loop {
                doubtful.retain(|(_, _, literal)| !decider.was_true(circuit, *literal));
                let any = circuit.any(doubtful.iter().map(|(_, _, literal)| *literal));
                if any == Lit::FALSE {
                    break;
                }
                match decider.solve(circuit, &[any], task.limits) {
                    Verdict::Sat => {}
                    Verdict::Unsat => break,
                    Verdict::Unknown => return Err(Refusal::OutOfTime),
                }
            }
            for (place, target, literal) in doubtful {
                decider.assert(circuit, !literal);
                allowed.entry(place).or_default().remove(&target);
            }
        }
        Ok(allowed)
    }
}
