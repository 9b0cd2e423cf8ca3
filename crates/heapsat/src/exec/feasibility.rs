//! Which guards and pointees can some valid input make true? Asks the solver, and drops those that it refutes.

use std::rc::Rc;
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::Lit;
use lazuli_logic::sat::SatVerdict;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::GuardedPath;
use crate::exec::value::{Pointee, PointsTo, SymValue};

/// A circuit with more gates is not worth its memory.
const MOST_GATES: usize = 8_000_000;

impl Executor<'_> {
    /// Is there an input for which the literal is true?
    pub(crate) fn is_feasible(&mut self, literal: Lit) -> Result<bool, Refusal> {
        match literal.as_constant() {
            Some(constant) => return Ok(constant),
            // A model of an earlier question answers this one, too.
            None if self.decider.was_true(self.circuit, literal) => return Ok(true),
            None => {}
        }
        let is_feasible = self.ask(literal)?;
        if !is_feasible {
            self.note_infeasible(literal);
        }
        Ok(is_feasible)
    }

    /// Does the solver refute the literal within some time?
    pub(crate) fn is_infeasible_within(&mut self, literal: Lit, time: Duration) -> Result<bool, Refusal> {
        if literal.as_constant() == Some(true) || self.decider.was_true(self.circuit, literal) {
            return Ok(false);
        }
        let all = self.budget.limits();
        let limits = SolverLimits { time: time.min(all.time), ..all.clone() };
        let verdict = self.decider.solve(self.circuit, &[literal], &limits);
        if all.left().is_zero() {
            return Err(Refusal::OutOfTime);
        }
        Ok(verdict == SatVerdict::Unsat)
    }

    fn ask(&mut self, literal: Lit) -> Result<bool, Refusal> {
        if self.circuit.len() > MOST_GATES {
            return Err(Refusal::TooLarge);
        }
        self.check_budget()?;
        match self.decider.solve(self.circuit, &[literal], self.budget.limits()) {
            SatVerdict::Sat => Ok(true),
            SatVerdict::Unsat => Ok(false),
            SatVerdict::Unknown => Err(Refusal::OutOfTime),
        }
    }

    pub(crate) fn check_budget(&self) -> Result<(), Refusal> {
        self.budget.check(self.circuit.len(), self.decider.statistics.calls)
    }

    /// Of a whole method, notes a refuted guard, which a certificate has to prove again.
    fn note_infeasible(&mut self, literal: Lit) {
        let at = self.context.position();
        if let Some(method) = self.mode.method_mut() {
            method.note_infeasible(literal, at);
        }
    }

    /// Drops the pointees that a reference cannot have under the guard.
    pub(crate) fn prune(&mut self, guard: Lit, refs: PointsTo) -> Result<PointsTo, Refusal> {
        if refs.len() < 2 || self.recursion.skips_pruning() {
            return Ok(refs);
        }
        let mut doubtful: Vec<(usize, Lit)> = Vec::new();
        for (at, (_, when)) in refs.iter().enumerate() {
            doubtful.push((at, self.circuit.and(guard, *when)));
        }
        self.retain_infeasible(&mut doubtful)?;
        if doubtful.is_empty() {
            return Ok(refs);
        }
        let is_left = |at: &usize| doubtful.iter().all(|(other, _)| other != at);
        let left: Vec<(Pointee, Lit)> = (0..refs.len()).filter(is_left).map(|at| refs[at]).collect();
        Ok(only(left))
    }

    /// Prunes all registers of a path.
    pub(crate) fn prune_registers(&mut self, path: &mut GuardedPath) -> Result<(), Refusal> {
        for at in 0..path.registers.len() {
            let SymValue::Ref(refs) = path.registers[at].clone() else { continue };
            let pruned = self.prune(path.guard, refs.clone())?;
            if pruned.len() < refs.len() {
                path.replace(&refs, &pruned);
            }
        }
        Ok(())
    }

    /// Retains only the literals that no input makes true. Asks for all doubtful ones at once: each model confirms at least one of them,
    /// mostly many, and a single refutation settles the rest. `n` literals of which `k` are feasible take at most `k + 1` calls.
    pub(crate) fn retain_infeasible<T>(&mut self, doubtful: &mut Vec<(T, Lit)>) -> Result<(), Refusal> {
        loop {
            doubtful.retain(|(_, literal)| !self.decider.was_true(self.circuit, *literal));
            let any = self.circuit.any(doubtful.iter().map(|(_, literal)| *literal));
            if any == Lit::FALSE {
                return Ok(());
            }
            if !self.ask(any)? {
                self.note_infeasible(any);
                return Ok(());
            }
        }
    }
}

/// A branch refines a reference: its value before, and the pointees that are left.
pub(crate) type Refinement = Option<(PointsTo, Vec<(Pointee, Lit)>)>;

/// Refines a reference wherever the path holds it.
pub(crate) fn refine(path: &mut GuardedPath, was: &PointsTo, left: Vec<(Pointee, Lit)>) -> PointsTo {
    let is = only(left);
    path.replace(was, &is);
    is
}

/// A points-to set of the pointees that are left. A single one needs no guard: wherever the reference means anything, it is that one.
fn only(left: Vec<(Pointee, Lit)>) -> PointsTo {
    match left[..] {
        [(target, _)] => Rc::new([(target, Lit::TRUE)]),
        _ => left.into(),
    }
}
