//! In which order are the solvers asked? The one place where they are put together.

use std::collections::HashMap;
use std::time::Instant;

use super::independent::{independent_parts, part_of};
use super::models::ModelCache;
use super::samples::sample;
use super::{BoxSolver, CircuitSolver, DifferenceSolver, Smt, Solver, SolverAnswer, SolverStatistics};
use crate::limits::SolverLimits;
use crate::model::Model;
use crate::term::{Constant, Node, Term, Terms};

/// Trivial cases, independent parts, orders, earlier models, earlier answers, samples, and at last a solver that is complete: circuits for floating-point
/// numbers, the SMT solver for the rest.
#[derive(Default)]
pub struct Chain {
    models: ModelCache,
    order: DifferenceSolver,
    circuits: CircuitSolver,
    smt: Smt,
    /// Parts that were answered by a complete solver, sorted; unknowns are not kept.
    answered: HashMap<Vec<Term>, SolverAnswer>,
    /// How many questions each solver answered.
    pub statistics: SolverStatistics,
}

impl Chain {
    /// Makes a chain that remembers no models and no answers.
    pub fn new() -> Chain {
        Chain::default()
    }

    fn check_part(&mut self, terms: &Terms, part: Vec<Term>, limits: &SolverLimits) -> SolverAnswer {
        // The procedure for orders is faster than trying models on a whole part.
        let started = Instant::now();
        let answer = self.order.check(terms, &part, limits);
        self.statistics.time_in_order += started.elapsed();
        if answer != SolverAnswer::Unknown {
            self.statistics.by_order += 1;
            return answer;
        }
        if let Some(model) = self.models.find(terms, &part) {
            self.statistics.by_model += 1;
            return SolverAnswer::Sat(model);
        }
        if let Some(answer) = self.answered.get(&part) {
            self.statistics.by_memory += 1;
            return answer.clone();
        }
        if let Some(model) = sample(terms, &part, limits) {
            self.statistics.by_model += 1;
            return self.remember_model(SolverAnswer::Sat(model));
        }
        self.statistics.by_smt += 1;
        let started = Instant::now();
        let answer = if part.iter().any(|conjunct| terms.has_floats(*conjunct)) {
            match BoxSolver.check(terms, &part, limits) {
                SolverAnswer::Unknown => self.circuits.check(terms, &part, limits),
                known => known,
            }
        } else {
            self.smt.check(terms, &part, limits)
        };
        self.statistics.time_in_smt += started.elapsed();
        match &answer {
            SolverAnswer::Unknown => self.statistics.unknown += 1,
            known => {
                self.answered.insert(part, known.clone());
            }
        }
        self.remember_model(answer)
    }

    /// Can one more conjunct be true together with others that the witness makes true? Only what has to do with it is asked
    /// about; the rest keeps the values of the witness.
    pub fn extend(
        &mut self,
        terms: &Terms,
        known: &[Term],
        witness: &Model,
        more: Term,
        limits: &SolverLimits,
    ) -> SolverAnswer {
        self.statistics.asked += 1;
        let part = part_of(terms, known, more);
        let Some(conjuncts) = flatten(terms, &part.conjuncts) else {
            self.statistics.trivial += 1;
            return SolverAnswer::Unsat;
        };
        match self.check_part(terms, conjuncts, limits) {
            SolverAnswer::Sat(model) => {
                let mut whole = witness.clone();
                for variable in part.variables {
                    whole.set(variable, model.value(terms, variable));
                }
                SolverAnswer::Sat(whole)
            }
            other => other,
        }
    }

    fn remember_model(&mut self, answer: SolverAnswer) -> SolverAnswer {
        if let SolverAnswer::Sat(model) = &answer {
            self.models.add(model);
        }
        answer
    }
}

impl Solver for Chain {
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        self.statistics.asked += 1;
        let Some(conjuncts) = flatten(terms, conjuncts) else {
            self.statistics.trivial += 1;
            return SolverAnswer::Unsat;
        };
        if conjuncts.is_empty() {
            self.statistics.trivial += 1;
            return SolverAnswer::Sat(Model::default());
        }
        let mut whole = Model::default();
        let mut is_known = true;
        for part in independent_parts(terms, &conjuncts) {
            let variables = part.variables;
            match self.check_part(terms, part.conjuncts, limits) {
                SolverAnswer::Sat(model) => {
                    for variable in variables {
                        whole.set(variable, model.value(terms, variable));
                    }
                }
                // One part that cannot be true decides the whole, whatever is unknown of the others.
                SolverAnswer::Unsat => return SolverAnswer::Unsat,
                SolverAnswer::Unknown => is_known = false,
            }
        }
        if is_known { SolverAnswer::Sat(whole) } else { SolverAnswer::Unknown }
    }
}

/// The conjuncts sorted, each once, conjunctions taken apart and truths left out; nothing if one of them is false.
fn flatten(terms: &Terms, conjuncts: &[Term]) -> Option<Vec<Term>> {
    let mut flat = Vec::with_capacity(conjuncts.len());
    let mut waiting = conjuncts.to_vec();
    while let Some(term) = waiting.pop() {
        match terms.node(term) {
            Node::Constant(Constant::Bool(true)) => {}
            Node::Constant(_) => return None,
            Node::Binary(crate::term::Binary::And, left, right) => waiting.extend([left, right]),
            _ => flat.push(term),
        }
    }
    flat.sort();
    flat.dedup();
    Some(flat)
}
