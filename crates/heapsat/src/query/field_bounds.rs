//! Which values can fields of valid heaps have? Fewer than their types allow, and each that is excluded makes the next circuit smaller.
//!
//! The tight field bounds of TACO (Galeotti and others, ISSTA 2010; section 2.4 of Rosner and others, MUCHO-TACO, ISSTA 2013): a pair of an atom and a
//! value that no valid heap has needs no variable. For binary trees of 4 nodes in breadth-first order, `left` of the first node is null or the
//! second node, and never the third.

use std::collections::HashSet;
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::Lit;
use lazuli_logic::sat::SatVerdict;

use crate::Refusal;
use crate::atoms::universe::{FieldBounds, Naturals};
use crate::exec::value::{PointsTo, SymValue};
use crate::query::oracle::Oracle;
use crate::query::task::OracleTask;

/// The time for a question whose answer would only be of use.
const BRIEFLY: Duration = Duration::from_secs(1);

impl Oracle {
    /// Finds number fields of valid heaps that are never negative, and at most as large as the number of atoms: heights, sizes and the like. With all
    /// 32 bits, the solver would have to prove again and again that sums of them do not overflow. Fields of the atoms that the walk meets last
    /// come first, because those of other atoms are computed from them.
    pub(crate) fn naturals(&mut self, task: &OracleTask) -> Result<Naturals, Refusal> {
        let Oracle { circuit, decider, universe, .. } = self;
        let bits = (usize::BITS - (universe.atoms.len() + 1).leading_zeros()) as usize;
        // The arrays in which strings keep their characters exist with their strings, which the atoms do not say.
        let is_narrow =
            |place: &(u32, u32)| universe.narrow.contains_key(place) || universe.string_arrays.contains(&place.0);
        let (mut found, mut others) = (Naturals::new(), HashSet::new());
        for (place, value) in universe.others.iter().rev().filter(|(place, _)| !is_narrow(place)) {
            let SymValue::Word(word) = value else { continue };
            let is_more = circuit.any(word[bits..].iter().copied());
            if others.contains(&place.1) || is_more == Lit::FALSE {
                continue;
            }
            let is_more = circuit.and(universe.atoms[place.0 as usize].exists, is_more);
            let limits = SolverLimits { time: task.limits.time.min(BRIEFLY), ..task.limits.clone() };
            let is_excluded =
                !decider.was_true(circuit, is_more) && decider.solve(circuit, &[is_more], &limits) == SatVerdict::Unsat;
            if task.limits.left().is_zero() {
                return Err(Refusal::OutOfTime);
            }
            match is_excluded {
                true => {
                    decider.assert(circuit, !is_more);
                    found.insert(*place, bits);
                }
                // A field that is large in one object will be large in others.
                false => drop(others.insert(place.1)),
            }
        }
        Ok(found)
    }

    /// Computes the tight bounds of all reference fields. A pair of an atom and a pointee stays in the bound if some model has it; each model confirms
    /// many pairs at once, and one refutation removes all that are left.
    pub(crate) fn tighten(mut self, task: &OracleTask) -> Result<FieldBounds, Refusal> {
        let (circuit, decider) = (&mut self.circuit, &mut self.decider);
        let mut allowed = FieldBounds::new();
        // One atom after the other, in the order of the walk that numbered them: excluded pairs of the first are asserted, and leave fewer questions
        // about the next.
        let places: Vec<(&(u32, u32), &PointsTo)> = self.universe.places.iter().collect();
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
                    SatVerdict::Sat => {}
                    SatVerdict::Unsat => break,
                    SatVerdict::Unknown => return Err(Refusal::OutOfTime),
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
