//! Do terms mean in bits what evaluation means by them?

mod random;

use std::time::Duration;

use lazuli_logic::circuit::Blaster;
use lazuli_logic::evaluate::{Evaluation, satisfies};
use lazuli_logic::{
    Binary, Circuit, Constant, Decider, Lit, Model, SatVerdict, SolverLimits, Sort, Term, Terms, Unary, UnaryFunction,
    Variable, Word,
};
use random::*;

/// Time enough that a slow machine does not make a question unknown.
const PATIENT: SolverLimits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };

const SORTS: [Sort; 3] = [Sort::Bool, Sort::Int, Sort::Long];

fn width(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Int => 32,
        _ => 64,
    }
}

/// Terms as bits, with a word of inputs for each variable.
#[derive(Default)]
struct Bits {
    circuit: Circuit,
    blaster: Blaster,
    words: Vec<(Variable, Word)>,
}

impl Bits {
    fn blast(&mut self, terms: &Terms, term: Term) -> Option<Word> {
        let words = &mut self.words;
        self.blaster.blast(&mut self.circuit, terms, term, &mut |circuit, variable| {
            let word = circuit.word_input(width(terms.declaration(variable).sort));
            words.push((variable, word.clone()));
            Some(word)
        })
    }

    /// That a word has that value.
    fn has_value(&mut self, word: &Word, value: Constant) -> Lit {
        let value = match value {
            Constant::Bool(value) => value as i64,
            value => value.integer().expect("there are no floating-point numbers here"),
        };
        let constant = self.circuit.word_constant(word.len(), value);
        self.circuit.word_equal(word, &constant)
    }

    /// The values of the variables in the decider's last model.
    fn model(&self, terms: &Terms, decider: &mut Decider) -> Model {
        let mut model = Model::default();
        for (variable, word) in &self.words {
            let bits = word.iter().enumerate();
            let value = bits.fold(0, |value, (bit, lit)| value | i64::from(decider.value(&self.circuit, *lit)) << bit);
            model.set(*variable, Constant::of_integer(terms.declaration(*variable).sort, value));
        }
        model
    }
}

fn variables(random: &mut Random, terms: &mut Terms) -> Vec<(Term, Constant)> {
    let sorts = SORTS.iter().flat_map(|sort| [*sort, *sort]);
    sorts.map(|sort| (terms.variable("x", sort), random.constant(sort))).collect()
}

#[test]
fn terms_have_the_same_value_in_bits() {
    let mut random = Random(0xb1a5);
    for round in 0..300 {
        let (mut terms, mut bits, mut decider) = (Terms::new(), Bits::default(), Decider::new());
        let variables = variables(&mut random, &mut terms);
        let sort = random.one_of(&SORTS);
        let mut generator = Generator { random: &mut random, terms: &mut terms, variables: &variables, sorts: &SORTS };
        let (term, value) = generator.term(sort, 4);
        let word = bits.blast(&terms, term).expect("there are no floating-point numbers");
        assert_eq!(word.len(), width(sort));
        let mut assumptions = Vec::new();
        let known = bits.words.clone();
        for (variable, value) in &variables {
            let variable = variable_of(&terms, *variable);
            if let Some((_, word)) = known.iter().find(|(other, _)| *other == variable) {
                assumptions.push(bits.has_value(word, *value));
            }
        }
        let is = bits.has_value(&word, value);
        for (lit, expected) in [(is, SatVerdict::Sat), (!is, SatVerdict::Unsat)] {
            assumptions.push(lit);
            assert_eq!(decider.solve(&bits.circuit, &assumptions, &PATIENT), expected, "round {round}");
            assumptions.pop();
        }
    }
}

#[test]
fn models_of_bits_are_models_of_terms() {
    let mut random = Random(0xface);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..150 {
        let (mut terms, mut bits, mut decider) = (Terms::new(), Bits::default(), Decider::new());
        let variables = variables(&mut random, &mut terms);
        let mut generator = Generator { random: &mut random, terms: &mut terms, variables: &variables, sorts: &SORTS };
        let conjuncts: Vec<Term> = (0..3).map(|_| generator.term(Sort::Bool, 3).0).collect();
        let lits: Vec<Lit> = conjuncts.iter().map(|term| bits.blast(&terms, *term).expect("no numbers")[0]).collect();
        // Multiplications of unknown longs may take for ever; what is unknown then is not asked for.
        let limits = SolverLimits { time: Duration::from_millis(50), deadline: None, stop: None };
        match decider.solve(&bits.circuit, &lits, &limits) {
            SatVerdict::Sat => {
                let model = bits.model(&terms, &mut decider);
                assert!(satisfies(&terms, &model, &conjuncts));
                sat += 1;
            }
            SatVerdict::Unsat => unsat += 1,
            SatVerdict::Unknown => {}
        }
    }
    assert!(sat > 40 && unsat > 20, "{sat}, {unsat}");
}

#[test]
fn what_bits_cannot_say_is_not_said() {
    let mut terms = Terms::new();
    let (x, number) = (terms.variable("x", Sort::Int), terms.variable("d", Sort::Double));
    let zero = terms.int(0);
    let sine = terms.unary(Unary::Function(UnaryFunction::Sin), number);
    let (is_zero, is_nan) = (terms.equal(x, zero), terms.unary(Unary::IsNan, sine));
    let either = terms.binary(Binary::Or, is_zero, is_nan);
    let rounded = terms.unary(Unary::ToInt, sine);
    let chosen = terms.choose(is_zero, x, rounded);
    let mut bits = Bits::default();
    for term in [sine, is_nan, either, rounded, chosen] {
        assert_eq!(bits.blast(&terms, term), None);
    }
    assert!(bits.blast(&terms, number).is_some());
    assert!(bits.blast(&terms, is_zero).is_some());

    // Where it is known that it does not matter, it does not.
    let (mut circuit, mut blaster) = (Circuit::new(), Blaster::new());
    assert_eq!(blaster.blast(&mut circuit, &terms, x, &mut |_, _| None), None);
    let mut zero_word = |circuit: &mut Circuit, _: Variable| Some(circuit.word_constant(32, 0));
    assert_eq!(blaster.truth(&mut circuit, &terms, either, &mut zero_word), Some(Lit::TRUE));
    let word = blaster.blast(&mut circuit, &terms, chosen, &mut zero_word).expect("it is x");
    assert_eq!(circuit.word_constant_of(&word), Some(0));
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::Int), terms.variable("y", Sort::Int));
    let mut term = x;
    for index in 0..20_000 {
        let less = terms.less(term, y);
        let constant = terms.int(index);
        term = terms.choose(less, y, constant);
    }
    let model = Model::default();
    let expected = Evaluation::new(&terms, &model).value(term);
    let mut bits = Bits::default();
    let word = bits.blast(&terms, term).expect("there are no numbers");
    let is = bits.has_value(&word, expected);
    let mut decider = Decider::new();
    assert!(decider.value(&bits.circuit, is), "all inputs are zero as long as there is no model");
}
