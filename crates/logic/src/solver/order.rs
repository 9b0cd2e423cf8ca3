//! Orders, equalities and ranges of integers: what heap programs ask about their keys.

use super::{Answer, Limits, Solver};
use crate::term::{Term, Terms};

/// Decides conjunctions of comparisons between variables, and between variables and constants.
#[derive(Default)]
pub struct Order {}

impl Solver for Order {
    fn check(&mut self, _terms: &Terms, _conjuncts: &[Term], _limits: &Limits) -> Answer {
        Answer::Unknown
    }
}
