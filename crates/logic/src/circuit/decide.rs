//! Can a literal be true?
//!
//! A SAT solver is told only of gates on which a question depends, and of each once. It keeps what it learned from one question to
//! the next; models are kept too, since what was true once need not be asked again. But a solver gives a value to every variable
//! that it knows, whether the question depends on it or not: 200 questions about six of 780 sums took 13.5 s, and
//! 0.4 s with a new solver for each. So it is given up for a new one when most of what it knows has nothing to do with the question.

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::models::ModelBatches;
use super::{Circuit, Gate, Lit};
use crate::limits::SolverLimits;
use crate::sat::{self, Literal, SatSolver, SatVerdict};

/// The solver is given up when it knows so many times what matters, and a few gates besides. A new one must first be told as much
/// again, so that what is told twice is never most of what is told. 3 and 4 measured best among 2, 3, 4 and 8.
const TOO_MUCH: usize = 4;
const FEW: usize = 500;

/// Counts questions, and the gates and clauses that the solver has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CircuitStatistics {
    /// Questions to the SAT solver.
    pub calls: u64,
    /// Time in the SAT solver.
    pub time: Duration,
    /// Variables that the SAT solvers were given, one for each gate that a question needed.
    pub variables: u64,
    /// Clauses that the SAT solvers were given.
    pub clauses: u64,
    /// How often a solver was given up for a new one.
    pub restarts: u64,
}

/// Decides about one circuit; it must always be asked about the same.
pub struct Decider {
    sat: Box<dyn SatSolver>,
    /// The solver's literal of each gate that it knows.
    known: Vec<Option<Literal>>,
    /// The inputs among these, by number.
    inputs: Vec<(usize, Literal)>,
    /// The literals that must be true.
    asserted: Vec<Lit>,
    /// How many gates the solver was told of, and how many of these for what was asserted.
    encoded_gates: usize,
    asserted_gates: usize,
    models: ModelBatches,
    core: Vec<Lit>,
    /// How much work the questions so far took.
    pub statistics: CircuitStatistics,
}

impl Default for Decider {
    fn default() -> Decider {
        Decider::new()
    }
}

impl Decider {
    /// With the usual solver.
    pub fn new() -> Decider {
        Decider::with(sat::usual())
    }

    /// With a solver that was told nothing yet.
    pub fn with(sat: Box<dyn SatSolver>) -> Decider {
        Decider {
            sat,
            known: Vec::new(),
            inputs: Vec::new(),
            asserted: Vec::new(),
            encoded_gates: 0,
            asserted_gates: 0,
            models: ModelBatches::default(),
            core: Vec::new(),
            statistics: CircuitStatistics::default(),
        }
    }

    /// It must be true from now on.
    pub fn assert(&mut self, circuit: &Circuit, lit: Lit) {
        self.models.assert(circuit, lit);
        self.asserted.push(lit);
        self.tell(circuit, lit);
    }

    /// The literals that must be true, as far as they were asserted.
    pub fn asserted(&self) -> &[Lit] {
        &self.asserted
    }

    /// The solver's literal of a literal, if the solver knows it.
    pub fn sat_literal(&self, lit: Lit) -> Option<Literal> {
        self.known.get(lit.gate())?.map(|literal| literal.negate_if(lit.is_negated()))
    }

    fn tell(&mut self, circuit: &Circuit, lit: Lit) {
        // The clauses of an assertion itself need no variable: a conjunction asserts each operand, and a negated conjunction is
        // one clause of negated operands. Only what lies below gets variables.
        let before = self.encoded_gates;
        let mut waiting = vec![lit];
        while let Some(lit) = waiting.pop() {
            match circuit.gate(lit.gate()) {
                Gate::False if lit == Lit::TRUE => {}
                Gate::False => self.clause(&[]),
                Gate::And(a, b) if !lit.is_negated() => waiting.extend([b, a]),
                Gate::And(a, b) => {
                    let mut conjuncts = Vec::new();
                    self.conjuncts(circuit, [a, b], &mut conjuncts);
                    let clause: Vec<Literal> = conjuncts.iter().map(|lit| !self.literal(circuit, *lit)).collect();
                    self.clause(&clause);
                }
                _ => {
                    let literal = self.literal(circuit, lit);
                    self.clause(&[literal]);
                }
            }
        }
        self.asserted_gates += self.encoded_gates - before;
    }

    /// Many questions will assume some of these, mostly the first ones. A new solver is not told.
    pub fn expect(&mut self, circuit: &Circuit, assumptions: &[Lit]) {
        let literals: Vec<Literal> = assumptions.iter().map(|lit| self.literal(circuit, *lit)).collect();
        self.sat.expect(&literals);
    }

    /// Can all of these be true, together with what was asserted?
    pub fn solve(&mut self, circuit: &Circuit, assumptions: &[Lit], limits: &SolverLimits) -> SatVerdict {
        self.core.clear();
        if assumptions.contains(&Lit::FALSE) {
            self.core.push(Lit::FALSE);
            return SatVerdict::Unsat;
        }
        let assumptions: Vec<Lit> = assumptions.iter().copied().filter(|lit| *lit != Lit::TRUE).collect();
        if self.knows_too_much(circuit, &assumptions) {
            self.restart(circuit);
        }
        let literals: Vec<Literal> = assumptions.iter().map(|lit| self.literal(circuit, *lit)).collect();
        let started = Instant::now();
        let verdict = self.sat.solve(&literals, limits);
        self.statistics.calls += 1;
        self.statistics.time += started.elapsed();
        match verdict {
            SatVerdict::Sat => {
                self.models.add(self.inputs.iter().map(|(input, literal)| (*input, self.sat.value(*literal))))
            }
            SatVerdict::Unsat => {
                let failed: FxHashSet<Literal> = self.sat.failed().iter().copied().collect();
                let is_failed = |(_, literal): &(&Lit, &Literal)| failed.contains(literal);
                self.core.extend(assumptions.iter().zip(&literals).filter(is_failed).map(|(lit, _)| *lit));
                self.core.sort();
                self.core.dedup();
            }
            SatVerdict::Unknown => {}
        }
        verdict
    }

    /// Are all of these true in one of the models that are kept? It is the current one from now on.
    pub fn recall(&mut self, circuit: &Circuit, lits: &[Lit]) -> bool {
        self.models.recall(circuit, lits)
    }

    /// The value in the current model: that of the last question that was answered by one, or the one recalled since. Inputs of which the solver was not told are false.
    pub fn value(&mut self, circuit: &Circuit, lit: Lit) -> bool {
        self.models.value(circuit, lit)
    }

    /// Those assumptions of the last question, if its answer was `Unsat`, that cannot be true together. Each is there once.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Is it true in one of the last models that are still models of what was asserted? Then it can be true.
    pub fn was_true(&mut self, circuit: &Circuit, lit: Lit) -> bool {
        self.models.was_true(circuit, lit)
    }

    /// Do the assumptions, and what was asserted, depend on but a small part of what the solver was told?
    fn knows_too_much(&self, circuit: &Circuit, assumptions: &[Lit]) -> bool {
        // The solver is given up if the cone of the question, with all that was asserted, is less than 1/TOO_MUCH of what it knows.
        // The walk stops as soon as the cone is larger, so that the test visits no more gates than that.
        // Example: 40,000 gates told, 1,000 of them for assertions: a question with a cone of at most 8,500 gates gets a new solver.
        let Some(enough) = (self.encoded_gates / TOO_MUCH).checked_sub(self.asserted_gates + FEW) else { return false };
        // Counts the operands that decide the gate.
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<usize> = assumptions.iter().map(|lit| lit.gate()).collect();
        while let Some(gate) = waiting.pop() {
            if !seen.insert(gate) {
                continue;
            }
            if seen.len() > enough {
                return false;
            }
            match circuit.gate(gate) {
                Gate::False | Gate::Input(_) => {}
                Gate::And(a, b) | Gate::Xor(a, b) => waiting.extend([a.gate(), b.gate()]),
                Gate::If(condition, yes, no) => waiting.extend([condition.gate(), yes.gate(), no.gate()]),
            }
        }
        true
    }

    /// A new solver that knows nothing but what was asserted.
    fn restart(&mut self, circuit: &Circuit) {
        self.sat = self.sat.fresh();
        self.known.clear();
        self.inputs.clear();
        (self.encoded_gates, self.asserted_gates) = (0, 0);
        self.statistics.restarts += 1;
        for lit in std::mem::take(&mut self.asserted) {
            self.tell(circuit, lit);
            self.asserted.push(lit);
        }
    }

    /// The solver's literal of a literal; adds the clauses of all gates that it depends on.
    pub(super) fn literal(&mut self, circuit: &Circuit, lit: Lit) -> Literal {
        if self.known.len() < circuit.len() {
            self.known.resize(circuit.len(), None);
        }
        // Tseitin's translation, gate by gate. Invariant: a gate gets its variable when all its operands have theirs, and its
        // clauses make the variable equivalent to the gate; so a literal and its negation may both be assumed later.
        let mut operands = Vec::new();
        // Operands first; a list instead of recursion, because circuits are deep.
        let mut waiting = vec![lit.gate()];
        while let Some(&top) = waiting.last() {
            if self.known[top].is_some() {
                waiting.pop();
                continue;
            }
            let gate = circuit.gate(top);
            operands.clear();
            match gate {
                Gate::False | Gate::Input(_) => {}
                Gate::And(a, b) => self.conjuncts(circuit, [a, b], &mut operands),
                Gate::Xor(a, b) => operands.extend([a, b]),
                Gate::If(condition, yes, no) => operands.extend([condition, yes, no]),
            }
            let before = waiting.len();
            waiting.extend(operands.iter().map(|lit| lit.gate()).filter(|gate| self.known[*gate].is_none()));
            if waiting.len() == before {
                let literal = self.new_variable();
                self.known[top] = Some(literal);
                self.define(gate, literal, &operands);
                waiting.pop();
            }
        }
        self.sat_literal(lit).expect("the loop ends when the gate is known")
    }

    /// The operands of a conjunction, and in place of one that is a conjunction for this one alone, its operands.
    fn conjuncts(&self, circuit: &Circuit, operands: [Lit; 2], conjuncts: &mut Vec<Lit>) {
        // Example: `and(and(a, b), c)`, the inner gate used here alone. One variable for a ∧ b ∧ c takes 4 clauses; one for each
        // gate takes two variables and 6 clauses.
        let mut waiting = operands.to_vec();
        while let Some(lit) = waiting.pop() {
            match circuit.gate(lit.gate()) {
                Gate::And(a, b)
                    if !lit.is_negated() && !circuit.is_shared(lit.gate()) && self.sat_literal(lit).is_none() =>
                {
                    waiting.extend([b, a]);
                }
                _ => conjuncts.push(lit),
            }
        }
    }

    /// The clauses that make a new variable what the gate computes from these.
    fn define(&mut self, gate: Gate, it: Literal, operands: &[Lit]) {
        let operands: Vec<Literal> = operands.iter().filter_map(|lit| self.sat_literal(*lit)).collect();
        match (gate, &operands[..]) {
            (Gate::False, _) => self.clause(&[!it]),
            (Gate::Input(number), _) => self.inputs.push((number as usize, it)),
            (Gate::And(..), conjuncts) => {
                for conjunct in conjuncts {
                    self.clause(&[!it, *conjunct]);
                }
                let clause: Vec<Literal> = conjuncts.iter().map(|conjunct| !*conjunct).chain([it]).collect();
                self.clause(&clause);
            }
            (Gate::Xor(..), &[a, b]) => {
                self.clause(&[!it, a, b]);
                self.clause(&[!it, !a, !b]);
                self.clause(&[it, !a, b]);
                self.clause(&[it, a, !b]);
            }
            (Gate::If(..), &[condition, yes, no]) => {
                self.clause(&[!condition, !it, yes]);
                self.clause(&[!condition, it, !yes]);
                self.clause(&[condition, !it, no]);
                self.clause(&[condition, it, !no]);
                // These follow, but the solver sees it only when it knows the condition.
                self.clause(&[it, !yes, !no]);
                self.clause(&[!it, yes, no]);
            }
            (gate, _) => unreachable!("{gate:?} is defined after its operands"),
        }
    }

    fn new_variable(&mut self) -> Literal {
        self.encoded_gates += 1;
        self.statistics.variables += 1;
        self.sat.new_variable()
    }

    fn clause(&mut self, clause: &[Literal]) {
        self.statistics.clauses += 1;
        self.sat.add_clause(clause);
    }
}
