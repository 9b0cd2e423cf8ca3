//! What does CaDiCaL say? The fastest of those tried, and the one that is asked.

use cadical::{Callbacks, Solver};
use rustc_hash::FxHashMap;

use super::{Literal, SatSolver, SatVerdict};
use crate::limits::{Alarm, SolverLimits};

/// CaDiCaL, compiled into the program.
pub struct Cadical {
    solver: Solver<Alarm>,
    is_plain: bool,
    variables: usize,
    /// By literal: what is assumed instead.
    stand_ins: FxHashMap<Literal, Literal>,
    failed: Vec<Literal>,
    /// After so many conflicts a question ends without an answer.
    conflicts: Option<u32>,
}

impl Default for Cadical {
    fn default() -> Cadical {
        Cadical::with(false)
    }
}

impl Cadical {
    /// With all of its methods: for one hard question.
    pub fn new() -> Cadical {
        Cadical::default()
    }

    /// Without simplification of the clauses between and within questions: for many questions in a row. Of 20,000 about a
    /// sorted list of 6 nodes each took 0.18 ms instead of 0.48 ms; where a question takes 20 ms, it makes no difference.
    pub fn plain() -> Cadical {
        Cadical::with(true)
    }

    fn with(is_plain: bool) -> Cadical {
        let solver = if is_plain { Solver::with_config("plain").unwrap_or_default() } else { Solver::new() };
        Cadical { solver, is_plain, variables: 0, stand_ins: FxHashMap::default(), failed: Vec::new(), conflicts: None }
    }

    /// Ends each question after so many conflicts, so that how far it comes does not depend on the machine.
    pub fn limit_conflicts(&mut self, most: Option<u32>) {
        self.conflicts = most;
    }
}

impl SatSolver for Cadical {
    fn fresh(&self) -> Box<dyn SatSolver> {
        Box::new(Cadical::with(self.is_plain))
    }

    fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::variable(self.variables)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.solver.add_clause(clause.iter().map(|literal| literal.number()));
    }

    /// The solver keeps what follows from the assumptions that a question has in common with the one before, but only up to the first that follows
    /// from others. So something is assumed in its place that makes it true and follows from nothing. The first assumption is the one that has the
    /// least number.
    fn expect(&mut self, assumptions: &[Literal]) {
        for literal in assumptions {
            if !self.stand_ins.contains_key(literal) {
                // The solver likes to make variables true, and this one says nothing then.
                let is_free = self.new_variable();
                self.add_clause(&[is_free, *literal]);
                self.stand_ins.insert(*literal, !is_free);
            }
        }
    }

    fn solve(&mut self, assumptions: &[Literal], limits: &SolverLimits) -> SatVerdict {
        self.failed.clear();
        let Some(alarm) = limits.alarm() else { return SatVerdict::Unknown };
        self.solver.set_callbacks(Some(alarm));
        if let Some(most) = self.conflicts {
            // The limit is for the next question alone. There is one of that name.
            let _ = self.solver.set_limit("conflicts", most.min(i32::MAX as u32) as i32);
        }
        let stand_in = |literal: &Literal| self.stand_ins.get(literal).copied().unwrap_or(*literal);
        let stand_ins: Vec<Literal> = assumptions.iter().map(stand_in).collect();
        match self.solver.solve_with(stand_ins.iter().map(|literal| literal.number())) {
            Some(true) => SatVerdict::Sat,
            Some(false) => {
                let failed = assumptions.iter().zip(&stand_ins).filter(|(_, it)| self.solver.failed(it.number()));
                self.failed.extend(failed.map(|(literal, _)| *literal));
                SatVerdict::Unsat
            }
            None => SatVerdict::Unknown,
        }
    }

    fn value(&self, literal: Literal) -> bool {
        // Where either value would do, it answers with none.
        self.solver.value(literal.number()).unwrap_or(literal.number() < 0)
    }

    fn failed(&self) -> &[Literal] {
        &self.failed
    }
}

impl Callbacks for Alarm {
    fn terminate(&mut self) -> bool {
        self.rings()
    }
}
