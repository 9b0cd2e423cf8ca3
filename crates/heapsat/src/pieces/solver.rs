//! Does an input of a piece violate the contract? Asks first whether there is an input at all, which is a much smaller question.
//!
//! The clauses are told once; a piece is a set of assumptions, so that the solver keeps what it learned from the pieces before (section 3.5 of
//! Rosner and others, MUCHO-TACO, ISSTA 2013, reports what a translation for each piece costs).

use std::sync::Arc;
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::Formula;
use lazuli_logic::sat::{Cadical, Literal, SatSolver, SatVerdict};

/// How a piece ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PieceEnd {
    /// No valid input is in it, which the invariant alone decides.
    Empty,
    /// No valid input in it violates the contract.
    Refuted,
    /// One does: the values of the formula's inputs.
    Violated(Vec<bool>),
    /// The limit came first.
    Undecided,
}

/// How much a piece may cost before it is given back, to be split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceLimit {
    /// Nothing limits it.
    None,
    /// Time.
    Time(Duration),
    /// Conflicts of a solver that was told nothing else: how far it comes depends neither on the machine nor on other pieces.
    Conflicts(u32),
}

/// Solvers of one formula.
pub struct PieceSolver {
    formula: Arc<Formula>,
    /// Of the granted part alone: axioms, invariants and preconditions.
    granted: Cadical,
    whole: Option<Cadical>,
}

impl PieceSolver {
    /// Tells the solvers of a formula.
    pub fn new(formula: &Arc<Formula>) -> PieceSolver {
        let mut granted = Cadical::plain();
        formula.tell(&mut granted, false);
        PieceSolver { formula: formula.clone(), granted, whole: None }
    }

    /// Solves a piece. The limits are those of the whole check.
    pub fn solve(
        &mut self,
        assumed: &[Literal],
        limit: PieceLimit,
        checks_invariant: bool,
        limits: &SolverLimits,
    ) -> PieceEnd {
        let Some(claim) = self.formula.claim else { return PieceEnd::Refuted };
        let mut limits = limits.clone();
        if let PieceLimit::Time(time) = limit {
            limits.time = limits.time.min(time);
        }
        if checks_invariant && self.has_input(assumed, &limits) == SatVerdict::Unsat {
            return PieceEnd::Empty;
        }
        if let PieceLimit::Conflicts(_) = limit {
            self.whole = None;
        }
        let formula = &self.formula;
        let whole = self.whole.get_or_insert_with(|| {
            let mut whole = Cadical::plain();
            formula.tell(&mut whole, true);
            whole
        });
        whole.limit_conflicts(match limit {
            PieceLimit::Conflicts(most) => Some(most),
            _ => None,
        });
        let assumed: Vec<Literal> = assumed.iter().copied().chain([claim]).collect();
        match whole.solve(&assumed, &limits) {
            SatVerdict::Unsat => PieceEnd::Refuted,
            SatVerdict::Unknown => PieceEnd::Undecided,
            SatVerdict::Sat => PieceEnd::Violated(formula.inputs.iter().map(|input| whole.value(*input)).collect()),
        }
    }

    /// Is there a valid input under these assumptions?
    pub fn has_input(&mut self, assumed: &[Literal], limits: &SolverLimits) -> SatVerdict {
        self.granted.solve(assumed, limits)
    }

    /// Does every valid input under the assumptions satisfy all literals of one of these lists?
    pub fn covers(&mut self, assumed: &[Literal], lists: &[Vec<Literal>], limits: &SolverLimits) -> SatVerdict {
        // A new variable makes the negations of the lists clauses of this question alone: without it they are satisfied.
        let is_asked = self.granted.new_variable();
        for list in lists {
            let clause: Vec<Literal> = list.iter().map(|literal| !*literal).chain([!is_asked]).collect();
            self.granted.add_clause(&clause);
        }
        let assumed: Vec<Literal> = assumed.iter().copied().chain([is_asked]).collect();
        let verdict = self.granted.solve(&assumed, limits);
        self.granted.add_clause(&[!is_asked]);
        match verdict {
            SatVerdict::Sat => SatVerdict::Unsat,
            SatVerdict::Unsat => SatVerdict::Sat,
            SatVerdict::Unknown => SatVerdict::Unknown,
        }
    }
}
