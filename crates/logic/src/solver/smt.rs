//! Can it be true, whatever it says? The last to be asked: an SMT solver (Z3), which knows everything that terms can say.

mod translation;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use z3::{Params, SatResult, Tactic};

use super::{Solver, SolverAnswer};
use crate::evaluate::satisfies;
use crate::limits::SolverLimits;
use crate::model::Model;
use crate::term::{Constant, Sort, Term, Terms, Variable};
use translation::{Conjunct, Translation, Z3Term};

/// Z3, linked to the system's library.
///
/// It must always be asked about the same table of terms, because what a term means to Z3 is kept by its number. A table
/// that became smaller is noticed, and everything is forgotten; another table that is not smaller goes unnoticed.
/// Contexts belong to threads, as the binding has it; so does this.
#[derive(Default)]
pub struct Smt {
    /// Made at the first question, since many programs never ask one.
    session: Option<Session>,
}

impl Solver for Smt {
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        let left = limits.left();
        if left.is_zero() {
            return SolverAnswer::Unknown;
        }
        // Telling Z3 the question may take longer than its answer, and counts too.
        let limits = &SolverLimits { deadline: Instant::now().checked_add(left), ..limits.clone() };
        if self.session.as_ref().is_some_and(|session| terms.len() < session.seen_terms) {
            self.session = None;
        }
        // The binding panics where Z3 reports an error, such as lack of memory. Then nothing is known, and nothing of the
        // session can be trusted.
        let answer = catch_unwind(AssertUnwindSafe(|| {
            if self.session.is_none() {
                self.session = Session::new();
            }
            self.session.as_mut().map_or(SolverAnswer::Unknown, |session| session.check(terms, conjuncts, limits))
        }));
        answer.unwrap_or_else(|_| {
            self.session = None;
            SolverAnswer::Unknown
        })
    }
}

/// A solver with what it was told for the last question; the next question mostly begins with the same.
struct Session {
    /// For questions without floating-point numbers.
    solver: z3::Solver,
    /// Makes a solver for a question with floating-point numbers.
    for_numbers: Tactic,
    translation: Translation,
    /// The conjuncts that are asserted in the solver, from the bottom up, each above a push of its own.
    frames: Vec<AssertionFrame>,
    /// The facts that are asserted in one of the frames.
    known: HashSet<Term>,
    /// The limit that the solver was given, in milliseconds.
    time_limit: u32,
    /// How large the table was.
    seen_terms: usize,
}

/// A conjunct that is asserted, and the facts that were asserted along with it.
struct AssertionFrame {
    conjunct: Term,
    facts: Vec<Term>,
}

impl Session {
    fn new() -> Option<Session> {
        Some(Session {
            solver: incremental_solver(),
            for_numbers: Tactic::new("qffp"),
            translation: Translation::new()?,
            frames: Vec::new(),
            known: HashSet::new(),
            time_limit: 0,
            seen_terms: 0,
        })
    }

    /// A new solver that was told nothing; what was translated stays.
    fn restart(&mut self) {
        self.solver = incremental_solver();
        self.frames.clear();
        self.known.clear();
        self.time_limit = 0;
    }

    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        self.seen_terms = terms.len();
        let translated: Option<Vec<Conjunct>> =
            conjuncts.iter().map(|conjunct| self.translation.conjunct(terms, *conjunct)).collect();
        let Some(translated) = translated else { return SolverAnswer::Unknown };
        if translated.iter().any(|conjunct| conjunct.has_numbers) {
            return self.check_numbers(terms, conjuncts, &translated, limits);
        }
        if !self.tell(conjuncts, &translated, limits) {
            self.restart();
            return SolverAnswer::Unknown;
        }
        let Some(milliseconds) = milliseconds_left(limits) else { return SolverAnswer::Unknown };
        if milliseconds != self.time_limit {
            self.solver.set_params(&parameters(milliseconds));
            self.time_limit = milliseconds;
        }
        match self.solver.check() {
            SatResult::Unsat => SolverAnswer::Unsat,
            SatResult::Sat => self.answer(terms, conjuncts, &translated, self.solver.get_model()),
            SatResult::Unknown => {
                // It was stopped in the middle of its work; the next question shall not depend on where.
                self.restart();
                SolverAnswer::Unknown
            }
        }
    }

    /// Z3's incremental solver takes a minute for a division of floats where the tactic for them takes milliseconds, so
    /// these questions get a solver of their own.
    fn check_numbers(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        translated: &[Conjunct],
        limits: &SolverLimits,
    ) -> SolverAnswer {
        let solver = self.for_numbers.solver();
        let mut known = HashSet::new();
        for conjunct in translated {
            for fact in conjunct.facts.iter().filter(|fact| known.insert(fact.about)) {
                solver.assert(&fact.truth);
            }
            solver.assert(&conjunct.truth);
        }
        let Some(milliseconds) = milliseconds_left(limits) else { return SolverAnswer::Unknown };
        solver.set_params(&parameters(milliseconds));
        match solver.check() {
            SatResult::Unsat => SolverAnswer::Unsat,
            SatResult::Sat => self.answer(terms, conjuncts, translated, solver.get_model()),
            SatResult::Unknown => SolverAnswer::Unknown,
        }
    }

    /// Makes these, and only these, what the solver is told. False if the time is over before that: Z3 translates products and
    /// quotients of 64 bits when it is told the next conjunct, and knows no limit then.
    fn tell(&mut self, conjuncts: &[Term], translated: &[Conjunct], limits: &SolverLimits) -> bool {
        let asked: HashSet<Term> = conjuncts.iter().copied().collect();
        // Not only a common beginning: what is asked for anywhere may stay where it is.
        let kept = self.frames.iter().take_while(|frame| asked.contains(&frame.conjunct)).count();
        let dropped = self.frames.split_off(kept);
        if !dropped.is_empty() {
            self.solver.pop(dropped.len() as u32);
        }
        for fact in dropped.iter().flat_map(|frame| &frame.facts) {
            self.known.remove(fact);
        }
        let mut told: HashSet<Term> = self.frames.iter().map(|frame| frame.conjunct).collect();
        for (term, conjunct) in conjuncts.iter().zip(translated) {
            if !told.insert(*term) {
                continue;
            }
            if limits.left().is_zero() {
                return false;
            }
            self.solver.push();
            let mut facts = Vec::new();
            for fact in conjunct.facts.iter() {
                if self.known.insert(fact.about) {
                    self.solver.assert(&fact.truth);
                    facts.push(fact.about);
                }
            }
            self.solver.assert(&conjunct.truth);
            self.frames.push(AssertionFrame { conjunct: *term, facts });
        }
        true
    }

    /// The values of all variables that the conjuncts mention, if evaluation agrees that they make them true.
    fn answer(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        translated: &[Conjunct],
        found: Option<z3::Model>,
    ) -> SolverAnswer {
        let read = |found: z3::Model| {
            let mut model = Model::default();
            for (variable, term) in translated.iter().flat_map(|conjunct| conjunct.variables.iter()) {
                if model.chosen(*variable).is_none() {
                    let expression = self.translation.expression(terms, *term)?;
                    model.set(*variable, value(terms, &found, *variable, &expression)?);
                }
            }
            Some(model)
        };
        match found.and_then(read) {
            Some(model) if satisfies(terms, &model, conjuncts) => SolverAnswer::Sat(model),
            _ => SolverAnswer::Unknown,
        }
    }
}

/// The logic decides which of its solvers Z3 takes. Along paths of 12 conjuncts (one run each, on a busy machine) a question
/// took 3 ms on average with this one, 4 ms with the one for any logic and with `QF_BV`; with remainders and products 17 ms,
/// 42 ms and 32 ms.
fn incremental_solver() -> z3::Solver {
    z3::Solver::new_for_logic("QF_UFBV").unwrap_or_default()
}

/// The time that is left as Z3 counts it; nothing if none is left.
fn milliseconds_left(limits: &SolverLimits) -> Option<u32> {
    let left = limits.left();
    // Z3 takes the greatest number for no limit.
    (!left.is_zero()).then(|| left.as_millis().clamp(1, u128::from(u32::MAX - 1)) as u32)
}

fn parameters(milliseconds: u32) -> Params {
    let mut parameters = Params::new();
    parameters.set_u32("timeout", milliseconds);
    // Else Z3 takes over the process's handling of interrupts while it works.
    parameters.set_bool("ctrl_c", false);
    parameters
}

fn value(terms: &Terms, found: &z3::Model, variable: Variable, expression: &Z3Term) -> Option<Constant> {
    let declaration = terms.declaration(variable);
    Some(match expression {
        Z3Term::Truth(truth) => Constant::Bool(found.eval(truth, true)?.as_bool()?),
        Z3Term::Bits(bits) => {
            let value = Constant::of_integer(declaration.sort, found.eval(bits, true)?.as_u64()? as i64);
            let (least, greatest) = declaration.range;
            // Evaluation does not ask for the range.
            value.integer().filter(|value| (least..=greatest).contains(value))?;
            value
        }
        Z3Term::Number(number) => {
            let is_float = declaration.sort == Sort::Float;
            if found.eval(&number.is_nan(), true)?.as_bool()? {
                return Some(if is_float {
                    Constant::Float(f32::NAN.to_bits())
                } else {
                    Constant::Double(f64::NAN.to_bits())
                });
            }
            let bits = found.eval(&number.to_ieee_bv(), true)?.as_u64()?;
            if is_float { Constant::Float(bits as u32) } else { Constant::Double(bits) }
        }
    })
}
