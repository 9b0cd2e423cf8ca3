//! What follows from what? Terms, and solvers that decide whether a conjunction of them can be true.
//!
//! Nothing here knows Java. Bit vectors wrap around, floating-point numbers are those of IEEE 754.

#![warn(missing_docs, unreachable_pub)]

pub mod circuit;
pub mod evaluate;
pub mod expression;
pub mod functions;
mod limits;
pub mod model;
pub mod sat;
pub mod simplify;
pub mod solver;
mod substitute;
pub mod term;

pub use circuit::{Blaster, Circuit, Decider, Lit, Word};
pub use expression::{Expression, Expressions};
pub use functions::{BinaryFunction, UnaryFunction};
pub use limits::SolverLimits;
pub use model::Model;
pub use sat::{SatSolver, SatVerdict};
pub use solver::{Chain, Solver, SolverAnswer, SolverStatistics};
pub use term::{Binary, Constant, Node, Sort, Term, Terms, Unary, Variable};
