//! Do Z3 and the circuits mean by every operation what evaluation means by it, and do they stop when they must?

mod random;

use std::time::{Duration, Instant};

use lazuli_logic::evaluate::{self, Evaluation};
use lazuli_logic::solver::{BoxSolver, CircuitSolver, Smt};
use lazuli_logic::{
    Binary, BinaryFunction, Constant, Model, Node, Solver, SolverAnswer, SolverLimits, Sort, Term, Terms, Unary,
    UnaryFunction,
};
use random::*;

const SORTS: [Sort; 5] = [Sort::Bool, Sort::Int, Sort::Long, Sort::Float, Sort::Double];

/// Time enough that a slow machine does not make a question unknown.
const PATIENT: SolverLimits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };

/// That a term has that very value: the same bits, but for NaN, of which there is one.
fn has_value(terms: &mut Terms, term: Term, value: Constant) -> Vec<Term> {
    let (is_nan, is_zero, one) = match value {
        Constant::Float(bits) => {
            (f32::from_bits(bits).is_nan(), f32::from_bits(bits) == 0.0, Constant::Float(1f32.to_bits()))
        }
        Constant::Double(bits) => {
            (f64::from_bits(bits).is_nan(), f64::from_bits(bits) == 0.0, Constant::Double(1f64.to_bits()))
        }
        _ => (false, false, value),
    };
    if is_nan {
        return vec![terms.unary(Unary::IsNan, term)];
    }
    let constant = terms.constant(value);
    let mut conjuncts = vec![terms.equal(term, constant)];
    if is_zero {
        // Only its inverse shows the sign of a zero.
        let one = terms.constant(one);
        let (inverse, expected) =
            (terms.binary(Binary::Divide, one, term), terms.binary(Binary::Divide, one, constant));
        conjuncts.push(terms.equal(inverse, expected));
    }
    conjuncts
}

/// That a term has these very bits, also where it is NaN. Z3 does not know the bits of a number.
fn has_bits(terms: &mut Terms, term: Term, value: Constant) -> Term {
    let (term, value) = match value {
        Constant::Float(_) | Constant::Double(_) => {
            (terms.unary(Unary::Bits, term), evaluate::unary(Unary::Bits, value))
        }
        _ => (term, value),
    };
    let constant = terms.constant(value);
    terms.equal(term, constant)
}

/// Is there an operation that Z3 is not asked about? It does not know the bits of numbers, and takes minutes to round doubles to integral ones, for their roots, and
/// for their products with a sum.
fn is_beyond_z3(operations: &std::collections::HashSet<String>) -> bool {
    let beyond = ["Bits", "OfBits", "RoundEven", "Floor", "Ceiling", "SquareRoot of Double", "Fused of Double"];
    operations.iter().any(|operation| beyond.iter().any(|name| operation.starts_with(name)))
}

fn is_constant(terms: &Terms, term: Term) -> bool {
    terms.as_constant(term).is_some()
}

/// Asks about random terms whose variables are forced to random values: the term must be possible exactly if it is true.
fn differ(sorts: &[Sort], count: usize, depth: usize, seed: u64) {
    let mut random = Random(seed);
    let (mut terms, mut smt, mut circuits) = (Terms::new(), Smt::default(), CircuitSolver::default());
    let mut operations = std::collections::HashSet::new();
    let start = Instant::now();
    let mut asked = 0;
    while asked < count {
        // A table of its own for some terms, so that the tables stay small.
        if asked % 50 == 0 {
            (terms, smt, circuits) = (Terms::new(), Smt::default(), CircuitSolver::default());
        }
        let variables: Vec<(Term, Constant)> = sorts
            .iter()
            .flat_map(|sort| [(*sort, 0), (*sort, 1)])
            .map(|(sort, _)| (terms.variable("x", sort), random.constant(sort)))
            .collect();
        let mut generator = Generator { random: &mut random, terms: &mut terms, variables: &variables, sorts };
        let (term, value) = generator.term(Sort::Bool, depth);
        if is_constant(&terms, term) {
            assert_eq!(terms.as_constant(term), Some(value), "seed {seed:#x}, term {asked}");
            continue;
        }
        let is_true = value == Constant::Bool(true);
        let mut model = Model::default();
        let mut mentioned = Vec::new();
        mentioned.extend_from_slice(terms.variables_of(term));
        let (mut forced, mut bits) = (Vec::new(), Vec::new());
        for (variable, value) in &variables {
            let number = variable_of(&terms, *variable);
            model.set(number, *value);
            if mentioned.contains(&number) {
                forced.extend(has_value(&mut terms, *variable, *value));
                bits.push(has_bits(&mut terms, *variable, *value));
            }
        }
        let evaluated = Evaluation::new(&terms, &model).is_true(term);
        assert_eq!(evaluated, is_true, "simplified: seed {seed:#x}, term {asked}");
        for (conjunct, expected) in [(term, is_true), (terms.not(term), !is_true)] {
            let mut answers = Vec::new();
            // One term in five, so that the test stays short.
            if asked % 5 == 0 {
                answers.push(circuits.check(&terms, &[&bits[..], &[conjunct]].concat(), &PATIENT));
            }
            let mut own = std::collections::HashSet::new();
            note_operations(&terms, conjunct, &mut own);
            if !is_beyond_z3(&own) {
                answers.push(smt.check(&terms, &[&forced[..], &[conjunct]].concat(), &PATIENT));
            }
            for answer in answers {
                let agrees = match &answer {
                    SolverAnswer::Sat(_) => expected,
                    SolverAnswer::Unsat => !expected,
                    SolverAnswer::Unknown => false,
                };
                assert!(
                    agrees,
                    "seed {seed:#x}, term {asked}: {answer:?} instead of {expected} for {} with {variables:?}",
                    written(&terms, conjunct)
                );
            }
        }
        note_operations(&terms, term, &mut operations);
        asked += 1;
    }
    println!("{sorts:?}: {asked} terms, {:.1?}, operations {}", start.elapsed(), operations.len());
    for (operation, from, to) in UNARIES {
        if sorts.contains(&from) && sorts.contains(&to) {
            assert!(
                operations.contains(&format!("{operation:?} of {from:?}")),
                "{operation:?} of {from:?} not covered"
            );
        }
    }
    for sort in sorts {
        let expected: Vec<Binary> = match sort {
            Sort::Bool => CONNECTIVES.to_vec(),
            Sort::Int | Sort::Long => INTEGRAL.iter().chain(&RELATIONS).copied().collect(),
            Sort::Float | Sort::Double => NUMERIC.iter().chain(&RELATIONS).copied().collect(),
        };
        for operation in expected {
            assert!(
                operations.contains(&format!("{operation:?} of {sort:?}")),
                "{operation:?} of {sort:?} not covered"
            );
        }
    }
}

fn note_operations(terms: &Terms, term: Term, found: &mut std::collections::HashSet<String>) {
    match terms.node(term) {
        Node::Constant(_) | Node::Variable(_) => {}
        Node::Unary(operation, operand) => {
            found.insert(format!("{operation:?} of {:?}", terms.sort(operand)));
            note_operations(terms, operand, found);
        }
        Node::Binary(operation, left, right) => {
            found.insert(format!("{operation:?} of {:?}", terms.sort(left)));
            note_operations(terms, left, found);
            note_operations(terms, right, found);
        }
        Node::If(one, two, three) | Node::Fused(one, two, three) => {
            if let Node::Fused(..) = terms.node(term) {
                found.insert(format!("Fused of {:?}", terms.sort(term)));
            }
            for term in [one, two, three] {
                note_operations(terms, term, found);
            }
        }
    }
}

fn written(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Constant(constant) => format!("{constant:?}"),
        Node::Variable(variable) => format!("v{}:{:?}", variable.index(), terms.sort(term)),
        Node::Unary(operation, operand) => format!("{operation:?}({})", written(terms, operand)),
        Node::Binary(operation, left, right) => {
            format!("{operation:?}({}, {})", written(terms, left), written(terms, right))
        }
        Node::If(condition, yes, no) => {
            format!("if({}, {}, {})", written(terms, condition), written(terms, yes), written(terms, no))
        }
        Node::Fused(one, other, added) => {
            format!("fused({}, {}, {})", written(terms, one), written(terms, other), written(terms, added))
        }
    }
}

#[test]
fn integers_mean_the_same() {
    differ(&[Sort::Bool, Sort::Int, Sort::Long], 3000, 4, 0x1a2b);
}

#[test]
fn floats_mean_the_same() {
    differ(&[Sort::Bool, Sort::Int, Sort::Float], 300, 3, 0x3c4d);
}

#[test]
fn everything_means_the_same() {
    differ(&SORTS, 900, 2, 0x5e6f);
}

/// Every value is tried: what no value makes true must be said to be impossible.
#[test]
fn small_ranges_are_decided_as_by_trying() {
    let seed = 0x9b;
    let mut random = Random(seed);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..400 {
        let (mut terms, mut smt) = (Terms::new(), Smt::default());
        let mut variables = Vec::new();
        let mut ranges = Vec::new();
        for sort in [Sort::Int, Sort::Long, Sort::Int] {
            let least = random.one_of(&[-2, 0, 5, i32::MAX as i64 - 3, i32::MIN as i64]);
            let range = (least, least + random.below(4) as i64);
            let variable = terms.variable_in("x", sort, range);
            ranges.push((variable_of(&terms, variable), sort, range));
            variables.push((variable, Constant::of_integer(sort, least)));
        }
        let sorts = [Sort::Bool, Sort::Int, Sort::Long];
        let mut conjuncts = Vec::new();
        for _ in 0..1 + random.below(4) {
            let mut generator =
                Generator { random: &mut random, terms: &mut terms, variables: &variables, sorts: &sorts };
            let (term, _) = generator.term(Sort::Bool, 3);
            if !is_constant(&terms, term) {
                conjuncts.push(term);
            }
        }
        let mut models = vec![Model::default()];
        for (variable, sort, (least, greatest)) in &ranges {
            models = (*least..=*greatest)
                .flat_map(|value| models.iter().map(move |model| (value, model.clone())))
                .map(|(value, mut model)| {
                    model.set(*variable, Constant::of_integer(*sort, value));
                    model
                })
                .collect();
        }
        let is_possible = models.iter().any(|model| evaluate::satisfies(&terms, model, &conjuncts));
        match smt.check(&terms, &conjuncts, &PATIENT) {
            SolverAnswer::Sat(model) => {
                sat += 1;
                assert!(
                    is_possible && evaluate::satisfies(&terms, &model, &conjuncts),
                    "seed {seed:#x}, round {round}"
                );
                for (variable, _, (least, greatest)) in &ranges {
                    let value = model.value(&terms, *variable).integer().expect("an integer");
                    assert!((*least..=*greatest).contains(&value), "seed {seed:#x}, round {round}: {value}");
                }
            }
            SolverAnswer::Unsat => {
                unsat += 1;
                assert!(!is_possible, "seed {seed:#x}, round {round}");
            }
            SolverAnswer::Unknown => panic!("seed {seed:#x}, round {round}: unknown"),
        }
    }
    println!("{sat} can be true, {unsat} cannot");
    assert!(sat > 50 && unsat > 50);
}

/// A conversion of each of these must give what evaluation gives, and can give nothing else.
fn convert(operation: Unary, from: Sort) {
    let (mut terms, mut smt, mut circuits) = (Terms::new(), Smt::default(), CircuitSolver::default());
    let operands: Vec<Constant> = match from {
        Sort::Int => INTS.map(Constant::Int).to_vec(),
        Sort::Long => LONGS.map(Constant::Long).to_vec(),
        Sort::Float => FLOATS.map(|value| Constant::Float(value.to_bits())).to_vec(),
        Sort::Double => DOUBLES.map(|value| Constant::Double(value.to_bits())).to_vec(),
        Sort::Bool => [true, false].map(Constant::Bool).to_vec(),
    };
    let variable = terms.variable("x", from);
    let converted = terms.unary(operation, variable);
    for operand in operands {
        let forced = has_value(&mut terms, variable, operand);
        let expected = evaluate::unary(operation, operand);
        for conjunct in has_value(&mut terms, converted, expected) {
            let is = [&forced[..], &[conjunct]].concat();
            let is_not = [&forced[..], &[terms.not(conjunct)]].concat();
            let is_slow = matches!(operation, Unary::RoundEven | Unary::Floor | Unary::Ceiling | Unary::SquareRoot);
            let mut solvers: Vec<&mut dyn Solver> = vec![&mut circuits];
            if !is_slow || from == Sort::Float {
                solvers.push(&mut smt);
            }
            for solver in solvers {
                let answer = solver.check(&terms, &is, &PATIENT);
                assert!(
                    matches!(answer, SolverAnswer::Sat(_)),
                    "{operation:?} of {operand:?} can be {expected:?}: {answer:?}"
                );
                let answer = solver.check(&terms, &is_not, &PATIENT);
                assert_eq!(answer, SolverAnswer::Unsat, "{operation:?} of {operand:?} must be {expected:?}");
            }
        }
    }
}

macro_rules! conversions {
    ($($name:ident: $operation:ident of $from:ident;)*) => {
        $(#[test]
        fn $name() {
            convert(Unary::$operation, Sort::$from);
        })*
    };
}

conversions! {
    not_of_bool: Not of Bool;
    negate_of_int: Negate of Int;
    negate_of_long: Negate of Long;
    negate_of_float: Negate of Float;
    negate_of_double: Negate of Double;
    widen_of_int: Widen of Int;
    truncate_of_long: Truncate of Long;
    signed_byte_of_int: SignedByte of Int;
    signed_short_of_int: SignedShort of Int;
    unsigned_short_of_int: UnsignedShort of Int;
    to_float_of_int: ToFloat of Int;
    to_float_of_long: ToFloat of Long;
    to_float_of_double: ToFloat of Double;
    to_double_of_int: ToDouble of Int;
    to_double_of_long: ToDouble of Long;
    to_double_of_float: ToDouble of Float;
    to_int_of_float: ToInt of Float;
    to_int_of_double: ToInt of Double;
    to_long_of_float: ToLong of Float;
    to_long_of_double: ToLong of Double;
    is_nan_of_float: IsNan of Float;
    is_nan_of_double: IsNan of Double;
    absolute_of_double: Absolute of Double;
    square_root_of_float: SquareRoot of Float;
    square_root_of_double: SquareRoot of Double;
    round_even_of_double: RoundEven of Double;
    floor_of_double: Floor of Double;
    ceiling_of_double: Ceiling of Double;
}

/// The axioms about remainders that Z3 gets must hold for every remainder, or Z3 would call the possible impossible.
#[test]
fn remainders_of_floats_are_never_denied() {
    let (mut terms, mut smt) = (Terms::new(), Smt::default());
    let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::Float));
    let remainder = terms.binary(Binary::Remainder, x, y);
    let mut circuits = CircuitSolver::default();
    let (mut sat, mut unknown, mut open, mut pairs) = (0, 0, 0, 0);
    for dividend in FLOATS {
        for divisor in FLOATS {
            let (dividend, divisor) = (Constant::Float(dividend.to_bits()), Constant::Float(divisor.to_bits()));
            let mut conjuncts = has_value(&mut terms, x, dividend);
            conjuncts.extend(has_value(&mut terms, y, divisor));
            let expected = evaluate::binary(Binary::Remainder, dividend, divisor);
            conjuncts.extend(has_value(&mut terms, remainder, expected));
            match smt.check(&terms, &conjuncts, &PATIENT) {
                SolverAnswer::Sat(_) => sat += 1,
                SolverAnswer::Unknown => unknown += 1,
                SolverAnswer::Unsat => panic!("{dividend:?} % {divisor:?} is {expected:?}"),
            }
            pairs += 1;
            if pairs % 8 != 0 {
                continue;
            }
            match circuits.check(&terms, &conjuncts, &PATIENT) {
                SolverAnswer::Sat(_) => {}
                SolverAnswer::Unknown => open += 1,
                SolverAnswer::Unsat => panic!("circuits: {dividend:?} % {divisor:?} is {expected:?}"),
            }
        }
    }
    println!("remainders: {sat} found, {unknown} unknown");
    assert_eq!(open, 0, "the operands are given to the circuits, too");
    assert_eq!(unknown, 0, "the operands are given, so the remainder that is true is the only one asked for");
    // A remainder is smaller than its divisor, and that is told.
    let three = terms.constant(Constant::Float(3f32.to_bits()));
    let remainder = terms.binary(Binary::Remainder, x, three);
    let too_great = terms.less_or_equal(three, remainder);
    assert_eq!(smt.check(&terms, &[too_great], &PATIENT), SolverAnswer::Unsat);
    assert_eq!(circuits.check(&terms, &[too_great], &PATIENT), SolverAnswer::Unsat);
}

#[test]
fn a_smaller_table_is_another_table() {
    let mut smt = Smt::default();
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::Int));
    let less = terms.less(x, y);
    let more = [less, terms.less(y, x)];
    assert_eq!(smt.check(&terms, &more, &PATIENT), SolverAnswer::Unsat);
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Long);
    let zero = terms.long(0);
    let negative = terms.less(x, zero);
    assert!(matches!(smt.check(&terms, &[negative], &PATIENT), SolverAnswer::Sat(_)));
}

/// Asks along a path that grows and shrinks like that of a depth-first search, 12 conjuncts deep, and prints the times.
fn walk(what: &str, mut conjunct: impl FnMut(&mut Random, &mut Terms, Term, Term) -> Term) {
    let mut random = Random(0x7a);
    let (mut terms, mut smt) = (Terms::new(), Smt::default());
    let variables: Vec<Term> = (0..8).map(|index| terms.variable(&format!("x{index}"), Sort::Int)).collect();
    let mut path: Vec<Term> = Vec::new();
    let mut times = Vec::new();
    let mut unsat = 0;
    while times.len() < 1000 {
        if path.len() == 12 {
            path.truncate(12 - 1 - random.below(4));
        }
        let (one, other) = (random.one_of(&variables), random.one_of(&variables));
        let next = conjunct(&mut random, &mut terms, one, other);
        let next = if random.below(2) == 0 { next } else { terms.not(next) };
        if is_constant(&terms, next) || path.contains(&next) {
            continue;
        }
        path.push(next);
        let start = Instant::now();
        let answer = smt.check(&terms, &path, &PATIENT);
        times.push(start.elapsed());
        match answer {
            SolverAnswer::Sat(_) => {}
            SolverAnswer::Unsat => {
                unsat += 1;
                path.pop();
            }
            SolverAnswer::Unknown => panic!("{path:?} is unknown"),
        }
    }
    let first = times[0];
    times.sort();
    let mean = times.iter().sum::<Duration>() / 1000;
    println!(
        "{what}: median {:.2?}, mean {mean:.2?}, slowest {:.2?}, first {first:.2?}; {unsat} of 1000 impossible",
        times[500], times[999]
    );
}

#[test]
fn questions_along_a_path_have_answers() {
    walk("comparisons", |random, terms, one, other| terms.binary(random.one_of(&RELATIONS), one, other));
    walk("sums", |random, terms, one, other| {
        let constant = terms.int(random.below(20) as i32 + 1);
        let sum = terms.binary(random.one_of(&[Binary::Add, Binary::Subtract]), one, constant);
        terms.binary(random.one_of(&RELATIONS), sum, other)
    });
}

/// Two factors of a product of primes: a question that takes hours.
/// Far more than the limit below, because machines are shared, and far less than the question would take.
const GENEROUS: Duration = Duration::from_secs(20);

#[test]
fn hard_questions_end_in_time() {
    let mut terms = Terms::new();
    let limit = (1i64 << 31) - 1;
    let [x, y] = ["x", "y"].map(|name| terms.variable_in(name, Sort::Long, (2, limit)));
    let product = terms.binary(Binary::Multiply, x, y);
    let wanted = terms.long(1_500_450_271 * 2_038_074_743);
    let ordered = terms.less(x, y);
    let conjuncts = [ordered, terms.equal(product, wanted)];
    let mut smt = Smt::default();
    let limits = SolverLimits { time: Duration::from_millis(300), deadline: None, stop: None };
    for _ in 0..3 {
        let start = Instant::now();
        assert_eq!(smt.check(&terms, &conjuncts, &limits), SolverAnswer::Unknown);
        println!("factors: {:?}", start.elapsed());
        assert!(start.elapsed() < GENEROUS, "{:?}", start.elapsed());
        // The next question is answered nevertheless.
        assert!(matches!(smt.check(&terms, &conjuncts[..1], &PATIENT), SolverAnswer::Sat(_)));
    }
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, Sort::Double));
    let product = terms.binary(Binary::Multiply, x, y);
    let quotient = terms.binary(Binary::Divide, product, z);
    let (sum, one) = (terms.binary(Binary::Add, quotient, x), terms.constant(Constant::Double(1.1f64.to_bits())));
    let conjuncts = [terms.equal(sum, z), terms.less(one, x), terms.less(x, y), terms.less(z, quotient)];
    let start = Instant::now();
    let answer = smt.check(&terms, &conjuncts, &limits);
    println!("doubles: {:?} {answer:?}", start.elapsed());
    assert!(start.elapsed() < GENEROUS, "{:?}", start.elapsed());
    let start = Instant::now();
    assert_eq!(
        smt.check(&terms, &conjuncts, &SolverLimits { time: Duration::ZERO, deadline: None, stop: None }),
        SolverAnswer::Unknown
    );
    assert!(start.elapsed() < GENEROUS);
}

/// Boxes must never refute what a value makes true: random terms, with a value for each variable nearby.
#[test]
fn boxes_refute_nothing_that_is_true() {
    let sorts = [Sort::Bool, Sort::Int, Sort::Long, Sort::Float, Sort::Double];
    let mut random = Random(0xb0c5);
    let (mut found, mut refuted, mut unknown) = (0, 0, 0);
    for round in 0..3000 {
        let mut terms = Terms::new();
        let variables: Vec<(Term, Constant)> = [Sort::Double, Sort::Float, Sort::Int]
            .map(|sort| (terms.variable("x", sort), random.constant(sort)))
            .to_vec();
        let mut generator = Generator { random: &mut random, terms: &mut terms, variables: &variables, sorts: &sorts };
        let (term, value) = generator.term(Sort::Bool, 3);
        if is_constant(&terms, term) {
            continue;
        }
        let is_true = value == Constant::Bool(true);
        let conjunct = if is_true { term } else { terms.not(term) };
        let mut conjuncts = vec![conjunct];
        // Half of the questions are narrow: every variable lies within a few units of its value.
        if round % 2 == 0 {
            for (variable, value) in &variables {
                conjuncts.push(has_bits(&mut terms, *variable, *value));
            }
        }
        match BoxSolver.check(&terms, &conjuncts, &PATIENT) {
            SolverAnswer::Sat(model) => {
                found += 1;
                assert!(evaluate::satisfies(&terms, &model, &conjuncts), "round {round}");
            }
            SolverAnswer::Unsat => panic!("round {round}: {} with {variables:?}", written(&terms, conjunct)),
            SolverAnswer::Unknown => unknown += 1,
        }
        let never = [&conjuncts[..], &[terms.not(conjunct)]].concat();
        if BoxSolver.check(&terms, &never, &PATIENT) == SolverAnswer::Unsat {
            refuted += 1;
        }
    }
    println!("{found} found, {refuted} refuted, {unknown} unknown");
    assert!(found > 500 && refuted > 100, "{found} found, {refuted} refuted, {unknown} unknown");
}

/// The facts about functions hold for the values that are computed, so that neither solver refutes them; and they refute what cannot be.
#[test]
fn functions_are_bounded_by_facts_that_are_true() {
    let mut random = Random(0xfac7);
    let arguments =
        [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -3.5, 10.0, 1e-300, -1e300, 709.0, f64::INFINITY, f64::NAN];
    let unaries = UnaryFunction::ALL.map(Unary::Function);
    let binaries = [BinaryFunction::Atan2, BinaryFunction::Power, BinaryFunction::IeeeRemainder];
    for round in 0..240 {
        let (mut terms, mut circuits) = (Terms::new(), CircuitSolver::default());
        let pick = |random: &mut Random| {
            let any = (random.next() % 4000) as f64 / 100.0 - 20.0;
            Constant::Double(if random.below(2) == 0 { random.one_of(&arguments) } else { any }.to_bits())
        };
        let (x, y) = (terms.variable("x", Sort::Double), terms.variable("y", Sort::Double));
        let (at_x, at_y) = (pick(&mut random), pick(&mut random));
        let (term, value) = if round % 3 == 0 {
            let operation = Binary::Function(random.one_of(&binaries));
            (terms.binary(operation, x, y), evaluate::binary(operation, at_x, at_y))
        } else {
            let operation = random.one_of(&unaries);
            (terms.unary(operation, x), evaluate::unary(operation, at_x))
        };
        let is_there = [has_bits(&mut terms, x, at_x), has_bits(&mut terms, y, at_y)];
        let is_value = has_bits(&mut terms, term, value);
        let conjuncts = [&is_there[..], &[is_value]].concat();
        for solver in [&mut circuits as &mut dyn Solver, &mut BoxSolver] {
            let answer = solver.check(&terms, &conjuncts, &PATIENT);
            assert_ne!(answer, SolverAnswer::Unsat, "{} with {at_x:?}, {at_y:?} is {value:?}", written(&terms, term));
        }
        // Far from the value, there is nothing.
        let Constant::Double(bits) = value else { unreachable!("a function of doubles is one") };
        let number = f64::from_bits(bits);
        let outside = if number.is_nan() {
            let nan = terms.unary(Unary::IsNan, term);
            terms.not(nan)
        } else {
            let limit = terms.constant(Constant::Double((number + 1.0 + number.abs() / 2.0).to_bits()));
            terms.less(limit, term)
        };
        let conjuncts = [&is_there[..], &[outside]].concat();
        let answer = circuits.check(&terms, &conjuncts, &PATIENT);
        assert_eq!(answer, SolverAnswer::Unsat, "{} with {at_x:?}, {at_y:?} is {value:?}", written(&terms, term));
    }
}
