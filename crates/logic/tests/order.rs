//! Does the procedure for orders agree with trying out all values, and with two's complement at its ends?

use std::time::Instant;

use fastrand::Rng;
use lazuli_logic::evaluate::satisfies;
use lazuli_logic::solver::DifferenceSolver;
use lazuli_logic::{
    Binary, Constant, Model, Node, Solver, SolverAnswer, SolverLimits, Sort, Term, Terms, Unary, Variable,
};

/// Variables of one random question, in small ranges.
struct Question {
    terms: Terms,
    integers: Vec<Term>,
    truths: Vec<Term>,
    conjuncts: Vec<Term>,
}

impl Question {
    /// Variables of one sort in random ranges within -2..=3, or within as many values at an end of the sort.
    fn new(random: &mut Rng, at_the_ends: bool) -> Question {
        let mut terms = Terms::new();
        let sort = if random.bool() { Sort::Int } else { Sort::Long };
        let (least, greatest) = match sort {
            Sort::Int => (i32::MIN as i64, i32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        };
        let integers = (0..random.usize(2..=4))
            .map(|index| {
                let (one, other) = (random.i64(0..=5), random.i64(0..=5));
                let start = match random.u8(0..3) {
                    0 if at_the_ends => least,
                    1 if at_the_ends => greatest - 5,
                    _ => -2,
                };
                terms.variable_in(&format!("x{index}"), sort, (start + one.min(other), start + one.max(other)))
            })
            .collect();
        let truths = (0..2).map(|index| terms.variable(&format!("b{index}"), Sort::Bool)).collect();
        Question { terms, integers, truths, conjuncts: Vec::new() }
    }

    fn integer(&mut self, random: &mut Rng, with_sums: bool) -> Term {
        let variable = self.integers[random.usize(..self.integers.len())];
        let sort = self.terms.sort(variable);
        match random.u8(0..8) {
            0 => self.terms.constant(Constant::of_integer(sort, random.i64(-3..=4))),
            1 | 2 if with_sums => {
                let far = if random.bool() { 0 } else { i64::MIN | i32::MIN as i64 };
                let offset = self.terms.constant(Constant::of_integer(sort, far.wrapping_add(random.i64(-4..=4))));
                self.terms.binary(Binary::Add, variable, offset)
            }
            _ => variable,
        }
    }

    fn literal(&mut self, random: &mut Rng, with_sums: bool) -> Term {
        let literal = match random.u8(0..10) {
            0 => self.truths[random.usize(..self.truths.len())],
            1 if with_sums => self.terms.equal(self.truths[0], self.truths[1]),
            2 if with_sums => {
                let (left, right) = (self.integers[0], self.integers[1]);
                let difference = self.terms.binary(Binary::Subtract, left, right);
                let constant = self.terms.constant(Constant::of_integer(self.terms.sort(left), random.i64(-3..=3)));
                self.terms.less(difference, constant)
            }
            _ => {
                let (left, right) = (self.integer(random, with_sums), self.integer(random, with_sums));
                let relations = [Binary::Less, Binary::LessOrEqual, Binary::Equal, Binary::Equal];
                self.terms.binary(relations[random.usize(..4)], left, right)
            }
        };
        if random.bool() { self.terms.not(literal) } else { literal }
    }

    /// Solvers are not asked about constants.
    fn add(&mut self, conjunct: Term) {
        if self.terms.as_constant(conjunct).is_none() {
            self.conjuncts.push(conjunct);
        }
    }

    /// The first assignment that makes everything true, by trying all of them.
    fn brute_force(&self) -> Option<Model> {
        let variables: Vec<(Variable, Vec<Constant>)> = self
            .integers
            .iter()
            .chain(&self.truths)
            .map(|term| {
                let Node::Variable(variable) = self.terms.node(*term) else { unreachable!("it is a variable") };
                let declaration = self.terms.declaration(variable);
                let values = match declaration.sort {
                    Sort::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
                    sort => {
                        let (least, greatest) = declaration.range;
                        (least..=greatest).map(|value| Constant::of_integer(sort, value)).collect()
                    }
                };
                (variable, values)
            })
            .collect();
        let count: usize = variables.iter().map(|(_, values)| values.len()).product();
        (0..count).find_map(|number| {
            let mut left = number;
            let mut model = Model::default();
            for (variable, values) in &variables {
                model.set(*variable, values[left % values.len()]);
                left /= values.len();
            }
            satisfies(&self.terms, &model, &self.conjuncts).then_some(model)
        })
    }

    fn is_in_range(&self, model: &Model) -> bool {
        self.integers.iter().all(|term| {
            let Node::Variable(variable) = self.terms.node(*term) else { unreachable!("it is a variable") };
            let (least, greatest) = self.terms.declaration(variable).range;
            let value = model.value(&self.terms, variable).integer();
            value.is_some_and(|value| least <= value && value <= greatest)
        })
    }

    /// Asks, and compares with all assignments. Is the answer known?
    fn check(&self, order: &mut DifferenceSolver, seed: u64) -> Option<bool> {
        match order.check(&self.terms, &self.conjuncts, &SolverLimits::default()) {
            SolverAnswer::Sat(model) => {
                let text = self.text();
                assert!(
                    satisfies(&self.terms, &model, &self.conjuncts),
                    "seed {seed}: {model:?} is no model of\n{text}"
                );
                assert!(self.is_in_range(&model), "seed {seed}: {model:?} is out of range of\n{text}");
                Some(true)
            }
            SolverAnswer::Unsat => {
                if let Some(model) = self.brute_force() {
                    panic!("seed {seed}: {model:?} is a model of\n{}", self.text());
                }
                Some(false)
            }
            SolverAnswer::Unknown => None,
        }
    }

    fn text(&self) -> String {
        let lines: Vec<String> = self.conjuncts.iter().map(|conjunct| text(&self.terms, *conjunct)).collect();
        lines.join("\n")
    }
}

fn text(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Constant(constant) => format!("{constant:?}"),
        Node::Variable(variable) => {
            let declaration = terms.declaration(variable);
            format!("{}{:?}", declaration.name, declaration.range)
        }
        Node::Unary(operation, inner) => format!("{operation:?}({})", text(terms, inner)),
        Node::Binary(operation, left, right) => format!("{operation:?}({}, {})", text(terms, left), text(terms, right)),
        Node::If(condition, yes, no) => {
            format!("If({}, {}, {})", text(terms, condition), text(terms, yes), text(terms, no))
        }
        Node::Fused(one, other, added) => {
            format!("Fused({}, {}, {})", text(terms, one), text(terms, other), text(terms, added))
        }
    }
}

/// Asks many random questions. Returns how many could be true, could not, and are unknown.
fn ask(questions: u64, mut make: impl FnMut(&mut Rng) -> Question) -> (u64, u64, u64) {
    let mut order = DifferenceSolver::default();
    let mut counts = (0, 0, 0);
    for seed in 0..questions {
        let question = make(&mut Rng::with_seed(seed));
        match question.check(&mut order, seed) {
            Some(true) => counts.0 += 1,
            Some(false) => counts.1 += 1,
            None => counts.2 += 1,
        }
    }
    println!("{} can be true, {} cannot, {} unknown", counts.0, counts.1, counts.2);
    counts
}

fn with_literals(random: &mut Rng, most: usize, at_the_ends: bool, with_sums: bool) -> Question {
    let mut question = Question::new(random, at_the_ends);
    for _ in 0..random.usize(1..=most) {
        let literal = question.literal(random, with_sums);
        question.add(literal);
    }
    question
}

#[test]
fn plain_comparisons_are_decided() {
    let (sat, unsat, unknown) = ask(40_000, |random| with_literals(random, 9, false, false));
    assert!(sat > 5_000 && unsat > 5_000, "both answers are tested");
    assert_eq!(unknown, 0);
}

#[test]
fn comparisons_of_sums_that_wrap_around_are_decided() {
    let (sat, unsat, unknown) = ask(40_000, |random| with_literals(random, 9, true, true));
    assert!(sat > 5_000 && unsat > 5_000, "both answers are tested");
    assert_eq!(unknown, 0);
}

#[test]
fn crowded_ranges_are_decided() {
    let (sat, unsat, unknown) = ask(5_000, |random| {
        let mut terms = Terms::new();
        let integers: Vec<Term> =
            (0..6).map(|index| terms.variable_in(&format!("x{index}"), Sort::Int, (0, random.i64(1..=3)))).collect();
        let mut question = Question { terms, integers, truths: Vec::new(), conjuncts: Vec::new() };
        for _ in 0..random.usize(8..=24) {
            let [one, other] = [(); 2].map(|()| question.integers[random.usize(..6)]);
            let literal = match random.u8(0..8) {
                0 => question.terms.less_or_equal(one, other),
                _ => {
                    let equal = question.terms.equal(one, other);
                    question.terms.not(equal)
                }
            };
            question.add(literal);
        }
        question
    });
    assert!(sat > 500 && unsat > 500, "both answers are tested");
    assert_eq!(unknown, 0);
}

#[test]
fn disjunctions_and_choices_are_decided() {
    let (sat, unsat, unknown) = ask(20_000, |random| {
        let mut question = with_literals(random, 3, true, true);
        for _ in 0..random.usize(1..=4) {
            let [one, two, three] = [(); 3].map(|()| question.literal(random, true));
            let formula = match random.u8(0..4) {
                0 => question.terms.choose(one, two, three),
                1 => {
                    let (yes, no) = (question.integer(random, true), question.integer(random, true));
                    let chosen = question.terms.choose(one, yes, no);
                    let other = question.integers[0];
                    question.terms.less(chosen, other)
                }
                _ => {
                    let both = question.terms.and(one, two);
                    question.terms.or(both, three)
                }
            };
            let formula = if random.u8(0..4) == 0 { question.terms.not(formula) } else { formula };
            question.add(formula);
        }
        question
    });
    assert!(sat > 2_000 && unsat > 2_000, "both answers are tested");
    assert_eq!(unknown, 0);
}

#[test]
fn what_is_not_understood_is_not_taken_for_granted() {
    let (_, unsat, unknown) = ask(20_000, |random| {
        let mut question = with_literals(random, 9, false, true);
        let (one, other) = (question.integers[0], question.integers[1]);
        let operations = [Binary::Multiply, Binary::BitXor, Binary::Add, Binary::ShiftLeft];
        let product = question.terms.binary(operations[random.usize(..4)], one, other);
        for _ in 0..random.usize(1..=2) {
            let right = question.integer(random, true);
            let literal = question.terms.less(product, right);
            let literal = if random.bool() { question.terms.not(literal) } else { literal };
            question.add(literal);
        }
        random.shuffle(&mut question.conjuncts);
        question
    });
    assert!(unsat > 2_000, "contradictions of the rest are found");
    assert!(unknown > 2_000, "the others are left to another solver");
}

/// Checks conjuncts over variables made by a test, and the model if there is one.
fn answer(terms: &Terms, conjuncts: &[Term]) -> SolverAnswer {
    let answer = DifferenceSolver::default().check(terms, conjuncts, &SolverLimits::default());
    if let SolverAnswer::Sat(model) = &answer {
        assert!(satisfies(terms, model, conjuncts), "{model:?}");
    }
    answer
}

fn value(terms: &Terms, answer: &SolverAnswer, term: Term) -> i64 {
    let (SolverAnswer::Sat(model), Node::Variable(variable)) = (answer, terms.node(term)) else {
        panic!("{answer:?} gives no value");
    };
    model.value(terms, variable).integer().expect("it is an integer")
}

#[test]
fn nothing_is_beyond_the_ends() {
    for sort in [Sort::Int, Sort::Long] {
        let mut terms = Terms::new();
        let (x, y, z) = (terms.variable("x", sort), terms.variable("y", sort), terms.variable("z", sort));
        let ends = if sort == Sort::Int { (i32::MIN as i64, i32::MAX as i64) } else { (i64::MIN, i64::MAX) };
        let least = terms.constant(Constant::of_integer(sort, ends.0));
        let greatest = terms.constant(Constant::of_integer(sort, ends.1));
        let is_greatest = terms.equal(x, greatest);
        let is_least = terms.equal(y, least);
        let found = answer(&terms, &[is_greatest, is_least]);
        assert_eq!((value(&terms, &found, x), value(&terms, &found, y)), (ends.1, ends.0));
        let above = terms.less(x, z);
        assert_eq!(answer(&terms, &[is_greatest, above]), SolverAnswer::Unsat);
        let below = terms.less(z, y);
        assert_eq!(answer(&terms, &[below, is_least]), SolverAnswer::Unsat);
        // Between the ends there is room for all but the ends.
        let between = [terms.less(y, z), terms.less(z, x), is_greatest, is_least];
        assert_eq!(value(&terms, &answer(&terms, &between), z), 0);
    }
}

#[test]
fn sums_wrap_around() {
    for sort in [Sort::Int, Sort::Long] {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let one = terms.constant(Constant::of_integer(sort, 1));
        let next = terms.binary(Binary::Add, x, one);
        let ends = if sort == Sort::Int { (i32::MIN as i64, i32::MAX as i64) } else { (i64::MIN, i64::MAX) };
        let wrapped = terms.less(next, x);
        assert_eq!(value(&terms, &answer(&terms, &[wrapped]), x), ends.1);
        // With an upper bound it cannot wrap around.
        let bounded = terms.less(x, y);
        assert_eq!(answer(&terms, &[bounded, wrapped]), SolverAnswer::Unsat);
        let at_most = terms.less_or_equal(next, y);
        let beyond = terms.less(y, next);
        assert_eq!(answer(&terms, &[bounded, beyond]), SolverAnswer::Unsat);
        assert!(matches!(answer(&terms, &[bounded, at_most]), SolverAnswer::Sat(_)));
        // A sum with a constant is a bijection.
        let successor = terms.equal(next, y);
        let lower = terms.less(y, x);
        let found = answer(&terms, &[successor, lower]);
        assert_eq!((value(&terms, &found, x), value(&terms, &found, y)), (ends.1, ends.0));
        let [least, greatest] = [ends.0, ends.1].map(|end| terms.constant(Constant::of_integer(sort, end)));
        let no_successor = [terms.equal(x, greatest), terms.equal(y, least), terms.not(successor)];
        assert_eq!(answer(&terms, &no_successor), SolverAnswer::Unsat);
        // The difference of the ends wraps around too.
        let difference = terms.binary(Binary::Subtract, x, y);
        let zero = terms.constant(Constant::of_integer(sort, 0));
        let wrong = [terms.less(difference, zero), terms.less(y, x)];
        assert!(matches!(answer(&terms, &wrong), SolverAnswer::Sat(_)));
        let small = [terms.less(zero, x), terms.less(zero, y), wrong[0], wrong[1]];
        assert_eq!(answer(&terms, &small), SolverAnswer::Unsat);
    }
}

#[test]
fn widened_sums_wrap_around_before_they_are_widened() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::Int), terms.variable("y", Sort::Long));
    let one = terms.int(1);
    let next = terms.binary(Binary::Add, x, one);
    let (wide_next, wide) = (terms.unary(Unary::Widen, next), terms.unary(Unary::Widen, x));
    let long_one = terms.long(1);
    let long_next = terms.binary(Binary::Add, wide, long_one);
    let equal = [terms.equal(wide_next, y), terms.less(y, long_next)];
    assert_eq!(value(&terms, &answer(&terms, &equal), x), i32::MAX as i64);
    let never = terms.less(long_next, wide);
    assert_eq!(answer(&terms, &[never]), SolverAnswer::Unsat);
}

#[test]
fn long_chains_meet_their_ends() {
    let mut terms = Terms::new();
    let keys: Vec<Term> = (0..100).map(|index| terms.variable(&format!("k{index}"), Sort::Int)).collect();
    let mut conjuncts: Vec<Term> = keys.windows(2).map(|pair| terms.less(pair[0], pair[1])).collect();
    let found = answer(&terms, &conjuncts);
    assert_eq!((value(&terms, &found, keys[0]), value(&terms, &found, keys[99])), (0, 99));
    let bound = terms.int(i32::MIN + 98);
    conjuncts.push(terms.less_or_equal(keys[99], bound));
    assert_eq!(answer(&terms, &conjuncts), SolverAnswer::Unsat);
    conjuncts.pop();
    conjuncts.push(terms.less_or_equal(keys[99], keys[0]));
    assert_eq!(answer(&terms, &conjuncts), SolverAnswer::Unsat);
}

#[test]
fn models_are_small_and_always_the_same() {
    let mut terms = Terms::new();
    let [root, left, right, other] = ["root", "left", "right", "other"].map(|name| terms.variable(name, Sort::Int));
    let equal = [terms.equal(other, root), terms.equal(other, right)];
    let conjuncts = [
        terms.less(left, root),
        terms.less(root, right),
        terms.not(equal[0]),
        terms.not(equal[1]),
        terms.less(root, other),
    ];
    let mut order = DifferenceSolver::default();
    let first = order.check(&terms, &conjuncts, &SolverLimits::default());
    let values = [root, left, right, other].map(|key| value(&terms, &first, key));
    assert_eq!(values, [1, 0, 2, 3]);
    for _ in 0..3 {
        assert_eq!(order.check(&terms, &conjuncts, &SolverLimits::default()), first);
    }
}

#[test]
fn a_crowded_range_ends_without_an_answer_rather_than_late() {
    let mut terms = Terms::new();
    let keys: Vec<Term> = (0..12).map(|index| terms.variable_in(&format!("k{index}"), Sort::Int, (0, 10))).collect();
    let mut conjuncts = Vec::new();
    for (index, one) in keys.iter().enumerate() {
        for other in &keys[..index] {
            let equal = terms.equal(*one, *other);
            conjuncts.push(terms.not(equal));
        }
    }
    let mut order = DifferenceSolver::default();
    let start = Instant::now();
    assert_ne!(std::mem::discriminant(&order.check(&terms, &conjuncts, &SolverLimits::default())), sat());
    println!("given up after {:?}", start.elapsed());
    let over = SolverLimits { deadline: Some(Instant::now()), ..SolverLimits::default() };
    assert_eq!(order.check(&terms, &conjuncts, &over), SolverAnswer::Unknown);
    // One less, and there is room for all.
    conjuncts.truncate(11 * 10 / 2);
    assert_eq!(std::mem::discriminant(&order.check(&terms, &conjuncts, &SolverLimits::default())), sat());
}

fn sat() -> std::mem::Discriminant<SolverAnswer> {
    std::mem::discriminant(&SolverAnswer::Sat(Model::default()))
}

#[test]
fn floats_are_left_to_others_unless_they_contradict_themselves() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::Double), terms.variable("y", Sort::Double));
    let (i, j) = (terms.variable("i", Sort::Int), terms.variable("j", Sort::Int));
    let less = terms.less(x, y);
    let (not_less, up, down) = (terms.not(less), terms.less(i, j), terms.less(j, i));
    assert_eq!(answer(&terms, &[less, up]), SolverAnswer::Unknown);
    assert_eq!(answer(&terms, &[less, not_less]), SolverAnswer::Unsat);
    assert_eq!(answer(&terms, &[less, up, down]), SolverAnswer::Unsat);
    // The understood half of a disjunction is enough to be true.
    let either = terms.or(less, up);
    assert!(matches!(answer(&terms, &[either]), SolverAnswer::Sat(_)));
    assert_eq!(answer(&terms, &[either, down]), SolverAnswer::Unknown);
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Int);
    let (mut all, mut any) = (terms.truth(true), terms.truth(false));
    for index in 0..100_000 {
        let constant = terms.int(index);
        let different = terms.equal(x, constant);
        any = terms.or(any, different);
        let different = terms.not(different);
        all = terms.and(all, different);
    }
    for conjuncts in [[all].as_slice(), &[any], &[all, any]] {
        // Nothing but an end is asked for: these are larger than what is looked at.
        let _ = answer(&terms, conjuncts);
    }
}
