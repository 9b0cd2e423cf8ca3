//! Can a conjunction of terms be true?
//!
//! Each file is one solver. Most answer what they can and pass the rest on; `Chain` puts them together, and is the only place
//! that knows more than one. The last ones are complete but slow: circuits for what speaks of floating-point numbers, an SMT solver for the rest. The others
//! are there so that they are hardly ever asked.

mod boxes;
mod chain;
mod circuits;
mod independent;
mod models;
mod order;
mod samples;
mod smt;

pub use boxes::BoxSolver;
pub use chain::Chain;
pub use circuits::CircuitSolver;
pub use order::DifferenceSolver;
pub use smt::Smt;

use std::time::Duration;

use crate::limits::SolverLimits;
use crate::model::Model;
use crate::term::{Term, Terms};

/// The answer of a solver about a conjunction.
#[derive(Clone, Debug, PartialEq)]
pub enum SolverAnswer {
    /// It can be true, for example under this model.
    Sat(Model),
    /// It cannot be true.
    Unsat,
    /// The solver does not know: out of time, or out of its field. Never to be taken for one of the others.
    Unknown,
}

/// A way to decide conjunctions. The terms may grow between questions; what was said about a term stays true.
pub trait Solver {
    /// Can all of these be true at once? They are truth values of that table, none of them a constant.
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer;
}

/// Counts questions, by the solver that answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SolverStatistics {
    /// Questions to the chain.
    pub asked: u64,
    /// Answered because a conjunct was false, or none was left.
    pub trivial: u64,
    /// Answered by a model found earlier, or by values that often matter.
    pub by_model: u64,
    /// Answered by an earlier answer to the same question.
    pub by_memory: u64,
    /// Answered by the procedure for orders.
    pub by_order: u64,
    /// Given to a solver that is complete: the circuits if it speaks of floating-point numbers, else the SMT solver.
    pub by_smt: u64,
    /// Not answered.
    pub unknown: u64,
    /// Time in the procedure for orders.
    pub time_in_order: Duration,
    /// Time in the complete solvers.
    pub time_in_smt: Duration,
}
