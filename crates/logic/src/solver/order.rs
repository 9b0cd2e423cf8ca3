//! Can these comparisons of integers be true together? Heap programs ask this about their keys; no SMT solver is needed.
//!
//! A comparison of integers says that the difference of two unknowns is at most some constant. Such constraints are a graph,
//! and contradict each other exactly if bounds that are pushed along its edges never come to rest, or cross. Every
//! other constraint is a choice between such constraints: a disequality (less or greater), a sum that may wrap around (it does or it
//! does not), a disjunction. A choice is made only when the model that ignores it turns out to violate it.

mod graph;
mod piece;
mod read;
mod search;

use super::{Solver, SolverAnswer};
use crate::evaluate::satisfies;
use crate::limits::SolverLimits;
use crate::model::Model;
use crate::sat::SatVerdict;
use crate::term::{Constant, Node, Term, Terms};
use read::Reader;
use search::DifferenceSearch;

/// Decides conjunctions of comparisons between variables, constants, and their sums and differences.
///
/// Conjuncts that it does not understand are never taken for granted: with one of them the answer is `Unsat` if the others
/// contradict each other, else `Unknown`. The same question has always the same answer, with values close to zero.
#[derive(Default)]
pub struct DifferenceSolver {
    reader: Reader,
    search: DifferenceSearch,
}

impl Solver for DifferenceSolver {
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        self.reader.read(terms, conjuncts);
        match self.search.run(&self.reader, limits) {
            SatVerdict::Unsat => SolverAnswer::Unsat,
            SatVerdict::Unknown => SolverAnswer::Unknown,
            SatVerdict::Sat => self.verified_model(terms, conjuncts).map_or(SolverAnswer::Unknown, SolverAnswer::Sat),
        }
    }
}

impl DifferenceSolver {
    /// The values that were found, if they make all conjuncts true by the meaning of terms alone. They always should; this
    /// makes a mistake in here a question for the next solver instead of a wrong answer.
    fn verified_model(&self, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        let mut model = Model::default();
        // The last variable first, so that the model grows once.
        let variables = self.reader.unknowns.iter().enumerate().filter_map(|(index, unknown)| match unknown.term {
            Some(term) => match terms.node(term) {
                Node::Variable(variable) => Some((variable, self.search.value(index))),
                _ => None,
            },
            None => None,
        });
        let last = variables.clone().max_by_key(|(variable, _)| *variable);
        for (variable, value) in last.into_iter().chain(variables) {
            let declaration = terms.declaration(variable);
            let value = i64::try_from(value).ok()?;
            let constant = Constant::of_integer(declaration.sort, value);
            let is_in_range = match constant.integer() {
                Some(kept) => kept == value && declaration.range.0 <= value && value <= declaration.range.1,
                None => true,
            };
            if !is_in_range {
                return None;
            }
            model.set(variable, constant);
        }
        satisfies(terms, &model, conjuncts).then_some(model)
    }
}
