//! Can a set of clauses be true?
//!
//! Each file is one solver, made by others. All of them can be asked again and again, under assumptions that hold for one
//! question only, and be told more clauses in between.

mod batsat;
mod cadical;
mod record;

use std::num::NonZeroI32;
use std::ops::Not;

pub use self::batsat::Batsat;
pub use self::cadical::Cadical;
pub use self::record::{Clauses, Record};
use crate::limits::SolverLimits;

/// A variable of a solver, or its negation: numbered from 1, and less than zero if negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal(NonZeroI32);

impl Literal {
    /// The variable with that number, which is not zero.
    pub(crate) fn variable(number: usize) -> Literal {
        let number = i32::try_from(number).ok().and_then(NonZeroI32::new);
        Literal(number.expect("memory ends before there are 2^31 variables"))
    }

    /// The number of its variable, less than zero if it is negated.
    pub fn number(self) -> i32 {
        self.0.get()
    }

    /// The literal with that number. None for zero.
    pub fn from_number(number: i32) -> Option<Literal> {
        NonZeroI32::new(number).map(Literal)
    }

    /// The number of its variable, negated or not.
    pub fn variable_number(self) -> usize {
        self.0.get().unsigned_abs() as usize
    }

    /// Negated if so, else unchanged.
    #[inline]
    pub(crate) fn negate_if(self, so: bool) -> Literal {
        if so { !self } else { self }
    }
}

impl Not for Literal {
    type Output = Literal;

    #[inline]
    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

/// The answer of a solver about clauses under assumptions, or of a decision procedure about formulas, without the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatVerdict {
    /// There is a model.
    Sat,
    /// There is none under the assumptions.
    Unsat,
    /// Out of time, or out of its field. Never to be taken for one of the others.
    Unknown,
}

/// The solver that is best for many questions in a row.
pub fn usual() -> Box<dyn SatSolver> {
    Box::new(Cadical::plain())
}

/// A solver for clauses. Literals are those of its own variables.
pub trait SatSolver {
    /// Another of the same kind, which was told nothing.
    fn fresh(&self) -> Box<dyn SatSolver>;

    /// Makes a variable and gives its positive literal.
    fn new_variable(&mut self) -> Literal;

    /// One of these must be true from now on.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Many questions will assume some of these, mostly the first ones.
    fn expect(&mut self, _assumptions: &[Literal]) {}

    /// Can all clauses be true together with the assumptions?
    fn solve(&mut self, assumptions: &[Literal], limits: &SolverLimits) -> SatVerdict;

    /// The value in the model that was found. To be asked after `SatSolver`, before the next clause, variable or question.
    fn value(&self, literal: Literal) -> bool;

    /// Assumptions that together contradict the clauses, after `Unsat` and until the next question.
    fn failed(&self) -> &[Literal];
}
