//! What does BatSat say? A descendant of MiniSat in Rust: other code and other methods than the first, to check it.
//!
//! It tells every clause that it learns, and each follows from those before it by unit propagation. So it is also the one that proves.

use std::cell::RefCell;
use std::rc::Rc;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use super::{Literal, Record, SatSolver, SatVerdict};
use crate::limits::{Alarm, SolverLimits};

/// BatSat behind the interface of all SAT solvers, with limits and an optional record.
pub struct Batsat {
    solver: Solver<SolverCallbacks>,
    /// Variables by their numbers less one.
    variables: Vec<Var>,
    /// For the next clause.
    clause: Vec<Lit>,
    failed: Vec<Literal>,
}

impl Default for Batsat {
    fn default() -> Batsat {
        Batsat::with(None)
    }
}

impl Batsat {
    /// Makes a solver that was told nothing.
    pub fn new() -> Batsat {
        Batsat::default()
    }

    /// One that writes down what it is told, and what it learns from that.
    pub fn recorded() -> (Batsat, Rc<RefCell<Record>>) {
        let record = Rc::default();
        (Batsat::with(Some(Rc::clone(&record))), record)
    }

    fn with(record: Option<Rc<RefCell<Record>>>) -> Batsat {
        let solver = Solver::new(SolverOpts::default(), SolverCallbacks { alarm: Alarm::default(), record });
        Batsat { solver, variables: Vec::new(), clause: Vec::new(), failed: Vec::new() }
    }

    fn lit(&self, literal: Literal) -> Lit {
        Lit::new(self.variables[literal.number().unsigned_abs() as usize - 1], literal.number() > 0)
    }
}

impl SatSolver for Batsat {
    fn fresh(&self) -> Box<dyn SatSolver> {
        let record = self.solver.cb().record.clone();
        if let Some(record) = &record {
            record.replace(Record::default());
        }
        Box::new(Batsat::with(record))
    }

    fn new_variable(&mut self) -> Literal {
        self.variables.push(self.solver.new_var_default());
        if let Some(record) = &self.solver.cb().record {
            record.borrow_mut().variables += 1;
        }
        Literal::variable(self.variables.len())
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        if let Some(record) = &self.solver.cb().record {
            record.borrow_mut().clauses.add(clause.iter().copied());
        }
        let mut lits = std::mem::take(&mut self.clause);
        lits.clear();
        lits.extend(clause.iter().map(|literal| self.lit(*literal)));
        self.solver.add_clause_reuse(&mut lits);
        self.clause = lits;
    }

    fn solve(&mut self, assumptions: &[Literal], limits: &SolverLimits) -> SatVerdict {
        self.failed.clear();
        let Some(alarm) = limits.alarm() else { return SatVerdict::Unknown };
        self.solver.cb_mut().alarm = alarm;
        let lits: Vec<Lit> = assumptions.iter().map(|literal| self.lit(*literal)).collect();
        let answer = self.solver.solve_limited(&lits);
        if answer == lbool::TRUE {
            return SatVerdict::Sat;
        }
        if answer == lbool::FALSE {
            // Its core, a subset of the assumptions, is the clause that follows: their negations.
            let is_failed = |lit: &Lit| self.solver.unsat_core_contains_lit(!*lit);
            let failed = assumptions.iter().zip(&lits).filter(|(_, lit)| is_failed(lit));
            self.failed.extend(failed.map(|(literal, _)| *literal));
            return SatVerdict::Unsat;
        }
        SatVerdict::Unknown
    }

    fn value(&self, literal: Literal) -> bool {
        self.solver.value_lit(self.lit(literal)) == lbool::TRUE
    }

    fn failed(&self) -> &[Literal] {
        &self.failed
    }
}

/// Stops the solver in time, and records learned clauses if a proof is wanted.
struct SolverCallbacks {
    alarm: Alarm,
    record: Option<Rc<RefCell<Record>>>,
}

impl Callbacks for SolverCallbacks {
    fn on_new_clause(&mut self, clause: &[Lit], kind: ClauseKind) {
        if let (Some(record), ClauseKind::Learnt) = (&self.record, kind) {
            let literal = |lit: &Lit| Literal::variable(lit.var().idx() as usize + 1).negate_if(!lit.sign());
            record.borrow_mut().learned.add(clause.iter().map(literal));
        }
    }

    fn stop(&self) -> bool {
        self.alarm.rings() || self.record.as_ref().is_some_and(|record| record.borrow().is_full())
    }
}
