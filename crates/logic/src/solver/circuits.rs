//! Can it be true, in single bits? Decides what speaks of floating-point numbers: terms become circuits, and a SAT solver is asked about these.
//!
//! One circuit and one SAT solver serve all questions, since most questions share most of their terms. Results that no circuit computes (functions such as
//! sines, remainders of numbers that are far apart) are new inputs with facts about them. So a refutation is certain; a model is evaluated, and where
//! evaluation disagrees, facts about the functions at these very arguments are added, and the question is asked again.

mod functions;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Solver, SolverAnswer};
use crate::circuit::blast::{Application, bits_of, width};
use crate::circuit::{Blaster, Circuit, Decider, Lit, Word};
use crate::evaluate::{Evaluation, satisfies};
use crate::limits::SolverLimits;
use crate::model::Model;
use crate::sat::SatVerdict;
use crate::term::{Constant, Sort, Term, Terms, Variable};

/// A circuit with more gates than this is given up for a new one: about 100 MB.
const MOST_GATES: usize = 3_000_000;

/// How often facts about functions are added to one question.
const MOST_REFINEMENTS: usize = 24;

/// Circuits of terms, and a SAT solver that is asked about them.
///
/// It must always be asked about the same table of terms. A table that became smaller is noticed, and everything is forgotten.
#[derive(Default)]
pub struct CircuitSolver {
    session: Option<CircuitSession>,
}

impl Solver for CircuitSolver {
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        let is_stale =
            |session: &CircuitSession| terms.len() < session.seen_terms || session.circuit.len() > MOST_GATES;
        if self.session.as_ref().is_some_and(is_stale) {
            self.session = None;
        }
        self.session.get_or_insert_with(CircuitSession::new).check(terms, conjuncts, limits)
    }
}

struct CircuitSession {
    circuit: Circuit,
    blaster: Blaster,
    decider: Decider,
    /// The word of each variable, with that it lies within its range.
    words: FxHashMap<Variable, (Word, Lit)>,
    applications: Vec<FunctionFacts>,
    seen_terms: usize,
}

/// A function's result, or a remainder, and what is known about it.
struct FunctionFacts {
    /// The variables that it depends on.
    variables: Vec<Variable>,
    application: Option<Application>,
    facts: Vec<Lit>,
    /// The arguments for which facts were added.
    points: FxHashSet<Vec<u64>>,
}

impl CircuitSession {
    fn new() -> CircuitSession {
        CircuitSession {
            circuit: Circuit::new(),
            blaster: Blaster::with_open_results(),
            decider: Decider::new(),
            words: FxHashMap::default(),
            applications: Vec::new(),
            seen_terms: 0,
        }
    }

    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        self.seen_terms = terms.len();
        let mut variables: Vec<Variable> = Vec::new();
        let mut assumptions = Vec::new();
        for conjunct in conjuncts {
            if limits.left().is_zero() {
                return SolverAnswer::Unknown;
            }
            match self.translate(terms, *conjunct) {
                Some(lit) => assumptions.push(lit),
                None => return SolverAnswer::Unknown,
            }
            variables.extend_from_slice(terms.variables_of(*conjunct));
        }
        variables.sort();
        variables.dedup();
        assumptions.extend(variables.iter().filter_map(|variable| Some(self.words.get(variable)?.1)));
        let is_concerned =
            |known: &FunctionFacts| known.variables.iter().all(|variable| variables.binary_search(variable).is_ok());
        let concerned: Vec<usize> =
            (0..self.applications.len()).filter(|at| is_concerned(&self.applications[*at])).collect();
        for _ in 0..MOST_REFINEMENTS {
            let facts = concerned.iter().flat_map(|at| self.applications[*at].facts.iter());
            let assumed: Vec<Lit> = assumptions.iter().chain(facts).copied().collect();
            match self.decider.solve(&self.circuit, &assumed, limits) {
                SatVerdict::Unsat => return SolverAnswer::Unsat,
                SatVerdict::Unknown => return SolverAnswer::Unknown,
                SatVerdict::Sat => {}
            }
            let model = self.model(terms, &variables);
            if satisfies(terms, &model, conjuncts) {
                return SolverAnswer::Sat(with_plain_nans(terms, model, conjuncts));
            }
            if !self.refine(terms, &model, &concerned) {
                return SolverAnswer::Unknown;
            }
        }
        SolverAnswer::Unknown
    }

    fn translate(&mut self, terms: &Terms, conjunct: Term) -> Option<Lit> {
        let CircuitSession { circuit, blaster, words, .. } = self;
        let lit = blaster.truth(circuit, terms, conjunct, &mut |circuit, variable| {
            let known = words.entry(variable).or_insert_with(|| {
                let declaration = terms.declaration(variable);
                let word = circuit.word_input(width(declaration.sort));
                let within = range(circuit, &word, declaration.sort, declaration.range);
                (word, within)
            });
            Some(known.0.clone())
        });
        let open = blaster.take_open_results();
        for (term, fact) in open.facts {
            let variables = terms.variables_of(term).to_vec();
            self.applications.push(FunctionFacts {
                variables,
                application: None,
                facts: vec![fact],
                points: FxHashSet::default(),
            });
        }
        for application in open.applications {
            let operands: &[Term] = match &application {
                Application::Unary(_, operand, ..) => std::slice::from_ref(operand),
                Application::Binary(_, operands, ..) => operands,
            };
            let mut variables: Vec<Variable> =
                operands.iter().flat_map(|operand| terms.variables_of(*operand)).copied().collect();
            variables.sort();
            variables.dedup();
            let facts = functions::facts(&mut self.circuit, &application);
            self.applications.push(FunctionFacts {
                variables,
                application: Some(application),
                facts,
                points: FxHashSet::default(),
            });
        }
        lit
    }

    fn model(&mut self, terms: &Terms, variables: &[Variable]) -> Model {
        let mut model = Model::default();
        for variable in variables {
            let Some((word, _)) = self.words.get(variable) else { continue };
            let bits = (0..word.len())
                .fold(0, |bits, bit| bits | u64::from(self.decider.value(&self.circuit, word[bit])) << bit);
            model.set(*variable, Constant::of_bits(terms.declaration(*variable).sort, bits));
        }
        model
    }

    /// Adds facts about each function at the arguments that the model gives it. False if there is nothing new to say.
    fn refine(&mut self, terms: &Terms, model: &Model, concerned: &[usize]) -> bool {
        let mut evaluation = Evaluation::new(terms, model);
        let mut has_news = false;
        for at in concerned {
            let FunctionFacts { application: Some(application), facts, points, .. } = &mut self.applications[*at]
            else {
                continue;
            };
            let operands: &[Term] = match application {
                Application::Unary(_, operand, ..) => std::slice::from_ref(operand),
                Application::Binary(_, operands, ..) => operands,
            };
            let arguments: Vec<f64> =
                operands.iter().map(|operand| f64::from_bits(bits_of(evaluation.value(*operand)) as u64)).collect();
            if points.insert(arguments.iter().map(|argument| argument.to_bits()).collect()) {
                let more = functions::facts_at(&mut self.circuit, application, &arguments);
                has_news |= !more.is_empty();
                facts.extend(more);
            }
        }
        has_news
    }
}

/// That a bit vector lies within its range.
fn range(circuit: &mut Circuit, word: &Word, sort: Sort, (least, greatest): (i64, i64)) -> Lit {
    if !matches!(sort, Sort::Int | Sort::Long) {
        return Lit::TRUE;
    }
    // Ranges may be wider than the sort.
    let bits = width(sort);
    let all = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    if least > all.1 || greatest < all.0 {
        return Lit::FALSE;
    }
    let mut within = Lit::TRUE;
    if least > all.0 {
        let least = circuit.word_constant(bits, least);
        within = circuit.less_or_equal(&least, word);
    }
    if greatest < all.1 {
        let greatest = circuit.word_constant(bits, greatest);
        let below = circuit.less_or_equal(word, &greatest);
        within = circuit.and(within, below);
    }
    within
}

/// The usual NaN in the place of others, where that makes no difference.
fn with_plain_nans(terms: &Terms, model: Model, conjuncts: &[Term]) -> Model {
    let mut plain = model.clone();
    let variables: FxHashSet<Variable> =
        conjuncts.iter().flat_map(|conjunct| terms.variables_of(*conjunct)).copied().collect();
    for variable in variables {
        match model.chosen(variable) {
            Some(Constant::Float(bits)) if f32::from_bits(bits).is_nan() => {
                plain.set(variable, Constant::Float(f32::NAN.to_bits()));
            }
            Some(Constant::Double(bits)) if f64::from_bits(bits).is_nan() => {
                plain.set(variable, Constant::Double(f64::NAN.to_bits()));
            }
            _ => {}
        }
    }
    if plain == model || !satisfies(terms, &plain, conjuncts) { model } else { plain }
}
