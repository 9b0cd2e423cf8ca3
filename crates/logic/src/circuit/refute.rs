//! Why can a literal not be true?
//!
//! What is taken for granted, the gates that matter, and the literal become clauses; a solver of its own, which was told nothing else, proves that they contradict
//! each other.

use super::{Circuit, Decider, Lit};
use crate::sat::{Batsat, Clauses, Literal, Verdict};
use crate::solver::Limits;

/// Clauses that cannot be true together, and the proof.
pub struct Refutation {
    pub variables: usize,
    /// The last one says that the literal is true.
    pub clauses: Clauses,
    /// Each follows by unit propagation from the clauses and those before it; the last one is empty.
    pub steps: Clauses,
    decider: Decider,
}

impl Refutation {
    /// What a literal of the circuit is among the clauses, if it occurs there.
    pub fn literal(&self, lit: Lit) -> Option<Literal> {
        self.decider.told(lit)
    }
}

/// Proves that the literal is false if all that is granted is true. The verdict says why there is no proof.
pub fn refute(circuit: &Circuit, granted: &[Lit], lit: Lit, limits: &Limits) -> Result<Refutation, Verdict> {
    let (solver, record) = Batsat::recorded();
    let mut decider = Decider::with(Box::new(solver));
    for lit in granted {
        decider.assert(circuit, *lit);
    }
    match decider.solve(circuit, &[lit], limits) {
        Verdict::Unsat => {}
        other => return Err(other),
    }
    let claim = decider.literal(circuit, lit);
    let record = record.take();
    let (mut clauses, mut steps) = (record.clauses, record.learned);
    clauses.add([claim]);
    steps.add([]);
    Ok(Refutation { variables: record.variables, clauses, steps, decider })
}
