//! Why can none of some literals be true?
//!
//! The assertions, the gates on which they depend, and the claim that one literal is true become clauses. A solver of its own,
//! which was told nothing else, proves that they contradict each other.

use super::{Circuit, Decider, Lit};
use crate::limits::SolverLimits;
use crate::sat::{Batsat, Clauses, Literal, SatVerdict};

/// Clauses that cannot be true together, and the proof.
pub struct Refutation {
    /// The number of variables in the clauses.
    pub variables: usize,
    /// The last one is the claim alone.
    pub clauses: Clauses,
    /// Each follows by unit propagation from the clauses and those before it; the last one is empty.
    pub steps: Clauses,
    /// One of the literals is true.
    pub claim: Literal,
    decider: Decider,
}

impl Refutation {
    /// The clause literal of a literal of the circuit, if it occurs there.
    pub fn literal(&self, lit: Lit) -> Option<Literal> {
        self.decider.sat_literal(lit)
    }
}

/// Proves that none of the literals can be true if all that is granted is. The verdict says why there is no proof.
pub fn refute(
    circuit: &mut Circuit,
    granted: &[Lit],
    claims: &[Lit],
    limits: &SolverLimits,
) -> Result<Refutation, SatVerdict> {
    let any = circuit.any(claims.iter().copied());
    let (solver, record) = Batsat::recorded();
    let mut decider = Decider::with(Box::new(solver));
    for lit in granted {
        decider.assert(circuit, *lit);
    }
    // Each has a variable of its own, so that it can be named.
    for lit in claims {
        decider.literal(circuit, *lit);
    }
    match decider.solve(circuit, &[any], limits) {
        SatVerdict::Unsat => {}
        other => return Err(other),
    }
    let claim = decider.literal(circuit, any);
    let record = record.take();
    let (mut clauses, mut steps) = (record.clauses, record.learned);
    clauses.add([claim]);
    steps.add([]);
    Ok(Refutation { variables: record.variables, clauses, steps, claim, decider })
}
