//! What does BatSat say? A descendant of MiniSat in Rust: other code and other methods than the first, to check it.

use std::time::Instant;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use super::{Literal, Sat, Verdict};
use crate::solver::Limits;

pub struct Batsat {
    solver: Solver<Clock>,
    /// Variables by their numbers less one.
    variables: Vec<Var>,
    /// For the next clause.
    clause: Vec<Lit>,
    failed: Vec<Literal>,
}

impl Default for Batsat {
    fn default() -> Batsat {
        let solver = Solver::new(SolverOpts::default(), Clock { end: None });
        Batsat { solver, variables: Vec::new(), clause: Vec::new(), failed: Vec::new() }
    }
}

impl Batsat {
    pub fn new() -> Batsat {
        Batsat::default()
    }

    fn lit(&self, literal: Literal) -> Lit {
        Lit::new(self.variables[literal.number().unsigned_abs() as usize - 1], literal.number() > 0)
    }
}

impl Sat for Batsat {
    fn fresh(&self) -> Box<dyn Sat> {
        Box::new(Batsat::new())
    }

    fn new_variable(&mut self) -> Literal {
        self.variables.push(self.solver.new_var_default());
        Literal::variable(self.variables.len())
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        let mut lits = std::mem::take(&mut self.clause);
        lits.clear();
        lits.extend(clause.iter().map(|literal| self.lit(*literal)));
        self.solver.add_clause_reuse(&mut lits);
        self.clause = lits;
    }

    fn solve(&mut self, assumptions: &[Literal], limits: &Limits) -> Verdict {
        self.failed.clear();
        let left = limits.left();
        if left.is_zero() {
            return Verdict::Unknown;
        }
        self.solver.cb_mut().end = Instant::now().checked_add(left);
        let lits: Vec<Lit> = assumptions.iter().map(|literal| self.lit(*literal)).collect();
        let answer = self.solver.solve_limited(&lits);
        if answer == lbool::TRUE {
            return Verdict::Sat;
        }
        if answer == lbool::FALSE {
            // What it calls a core, a subset of the assumptions, is the clause that follows: their negations.
            let is_failed = |lit: &Lit| self.solver.unsat_core_contains_lit(!*lit);
            let failed = assumptions.iter().zip(&lits).filter(|(_, lit)| is_failed(lit));
            self.failed.extend(failed.map(|(literal, _)| *literal));
            return Verdict::Unsat;
        }
        Verdict::Unknown
    }

    fn value(&self, literal: Literal) -> bool {
        self.solver.value_lit(self.lit(literal)) == lbool::TRUE
    }

    fn failed(&self) -> &[Literal] {
        &self.failed
    }
}

/// Stops the solver in time.
struct Clock {
    end: Option<Instant>,
}

impl Callbacks for Clock {
    fn stop(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}
