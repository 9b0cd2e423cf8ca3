//! Do words compute as the machine does?

mod random;

use std::time::Duration;

use lazuli_logic::circuit::Gate;
use lazuli_logic::{Circuit, Decider, Lit, SatVerdict, SolverLimits, Word};
use random::{INTS, LONGS, Random};

/// Time enough that a slow machine does not make a question unknown.
const PATIENT: SolverLimits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };

/// An operation in bits, and what it means: both numbers are of that width, and of the result only that many bits count.
struct Operation {
    name: &'static str,
    bits: fn(&mut Circuit, &Word, &Word) -> Word,
    meaning: fn(i64, i64, usize) -> i64,
}

fn distance(right: i64, width: usize) -> u32 {
    (right & if width > 32 { 63 } else { 31 }) as u32
}

/// A number without its sign: the low bits alone.
fn unsigned(value: i64, width: usize) -> u64 {
    if width == 64 { value as u64 } else { value as u64 & ((1 << width) - 1) }
}

/// The number that the low bits mean.
fn signed(value: i64, width: usize) -> i64 {
    value << (64 - width) >> (64 - width)
}

#[rustfmt::skip]
const OPERATIONS: [Operation; 19] = [
    Operation { name: "add", bits: |c, a, b| c.add(a, b), meaning: |a, b, _| a.wrapping_add(b) },
    Operation { name: "subtract", bits: |c, a, b| c.subtract(a, b), meaning: |a, b, _| a.wrapping_sub(b) },
    Operation { name: "negate", bits: |c, a, _| c.negate(a), meaning: |a, _, _| a.wrapping_neg() },
    Operation { name: "multiply", bits: |c, a, b| c.multiply(a, b), meaning: |a, b, _| a.wrapping_mul(b) },
    Operation { name: "divide", bits: |c, a, b| c.divide(a, b), meaning: |a, b, _| if b == 0 { 0 } else { a.wrapping_div(b) } },
    Operation { name: "remainder", bits: |c, a, b| c.remainder(a, b), meaning: |a, b, _| if b == 0 { 0 } else { a.wrapping_rem(b) } },
    Operation { name: "shift left", bits: |c, a, b| c.shift_left(a, b), meaning: |a, b, width| a << distance(b, width) },
    Operation { name: "shift right", bits: |c, a, b| c.shift_right(a, b), meaning: |a, b, width| a >> distance(b, width) },
    Operation { name: "shift right unsigned", bits: |c, a, b| c.shift_right_unsigned(a, b),
        meaning: |a, b, width| (unsigned(a, width) >> distance(b, width)) as i64 },
    Operation { name: "and", bits: |c, a, b| c.word_and(a, b), meaning: |a, b, _| a & b },
    Operation { name: "or", bits: |c, a, b| c.word_or(a, b), meaning: |a, b, _| a | b },
    Operation { name: "xor", bits: |c, a, b| c.word_xor(a, b), meaning: |a, b, _| a ^ b },
    Operation { name: "not", bits: |c, a, _| c.word_not(a), meaning: |a, _, _| !a },
    Operation { name: "equal", bits: |c, a, b| [c.word_equal(a, b)].into(), meaning: |a, b, _| (a == b) as i64 },
    Operation { name: "less", bits: |c, a, b| [c.less(a, b)].into(), meaning: |a, b, _| (a < b) as i64 },
    Operation { name: "less or equal", bits: |c, a, b| [c.less_or_equal(a, b)].into(), meaning: |a, b, _| (a <= b) as i64 },
    Operation { name: "less unsigned", bits: |c, a, b| [c.less_unsigned(a, b)].into(),
        meaning: |a, b, width| (unsigned(a, width) < unsigned(b, width)) as i64 },
    Operation { name: "if", bits: |c, a, b| { let less = c.less(a, b); c.word_if(less, b, a) }, meaning: |a, b, _| a.max(b) },
    Operation { name: "widen low half", bits: |c, a, _| { let low = c.truncate(a, a.len() / 2); c.widen(&low, a.len()) },
        meaning: |a, _, width| signed(a, width / 2) },
];

/// The bits of a word where the inputs are the bits of these numbers, one after the other; computed from the gates alone.
fn evaluate(circuit: &Circuit, word: &[Lit], inputs: u128) -> i64 {
    let mut values: Vec<bool> = Vec::with_capacity(circuit.len());
    for index in 0..circuit.len() {
        let get = |lit: Lit| values[lit.gate()] != lit.is_negated();
        let value = match circuit.gate(index) {
            Gate::False => false,
            Gate::Input(number) => inputs >> number & 1 == 1,
            Gate::And(a, b) => get(a) && get(b),
            Gate::Xor(a, b) => get(a) != get(b),
            Gate::If(condition, yes, no) => {
                if get(condition) {
                    get(yes)
                } else {
                    get(no)
                }
            }
        };
        values.push(value);
    }
    word.iter().enumerate().map(|(bit, lit)| i64::from(values[lit.gate()] != lit.is_negated()) << bit).sum()
}

fn inputs(left: i64, right: i64, width: usize) -> u128 {
    u128::from(unsigned(left, width)) | u128::from(unsigned(right, width)) << width
}

/// Random numbers of that width, mostly at the edges.
fn numbers(random: &mut Random, width: usize, count: usize) -> Vec<(i64, i64)> {
    let mut one = || {
        let any = random.next() as i64;
        let value = match random.below(4) {
            0 => any,
            // Of every magnitude.
            1 => any >> random.below(64),
            _ if width == 64 => random.one_of(&LONGS),
            _ => random.one_of(&INTS) as i64,
        };
        signed(value, width)
    };
    let least = i64::MIN >> (64 - width);
    let mut numbers = vec![(least, -1), (least, least), (least, 1), (!least, -1), (-7, 2), (7, -2), (-7, -2), (5, 0)];
    numbers.extend((0..count).map(|_| (one(), one())));
    numbers
}

/// The word of a number, known or not.
fn operand(circuit: &mut Circuit, word: &Word, value: i64, is_known: bool) -> Word {
    if is_known { circuit.word_constant(word.len(), value) } else { word.clone() }
}

#[test]
fn four_bits_compute_as_they_should() {
    let width = 4;
    for operation in &OPERATIONS {
        let mut circuit = Circuit::new();
        let (left, right) = (circuit.word_input(width), circuit.word_input(width));
        let result = (operation.bits)(&mut circuit, &left, &right);
        for (a, b) in (-8..8).flat_map(|a| (-8..8).map(move |b| (a, b))) {
            // Distances are numbers of as many bits as there are.
            let distance = if operation.name.starts_with("shift") { b & 15 } else { b };
            let expected = (operation.meaning)(a, distance, width);
            let found = evaluate(&circuit, &result, inputs(a, b, width));
            let name = operation.name;
            assert_eq!(found, unsigned(expected, result.len()) as i64, "{a} {name} {b}");
        }
    }
}

/// Numbers of a few bits in longer words, whose upper bits only repeat the sign.
#[test]
fn small_numbers_in_long_words_compute_as_they_should() {
    let (few, width) = (3, 8);
    for operation in OPERATIONS.iter().filter(|operation| !operation.name.starts_with("shift")) {
        let mut circuit = Circuit::new();
        let (left, right) = (circuit.word_input(few), circuit.word_input(few));
        let (left, right) = (circuit.widen(&left, width), circuit.widen(&right, width));
        let result = (operation.bits)(&mut circuit, &left, &right);
        for (a, b) in (-4..4).flat_map(|a| (-4..4).map(move |b| (a, b))) {
            let expected = (operation.meaning)(a, b, width);
            let found = evaluate(&circuit, &result, inputs(a, b, few));
            assert_eq!(found, unsigned(expected, result.len()) as i64, "{a} {} {b}", operation.name);
        }
    }
}

#[test]
fn machine_words_compute_as_they_should() {
    let mut random = Random(0x30cd);
    for width in [32, 64] {
        for operation in &OPERATIONS {
            let mut circuit = Circuit::new();
            let (left, right) = (circuit.word_input(width), circuit.word_input(width));
            let unknown = (operation.bits)(&mut circuit, &left, &right);
            for (a, b) in numbers(&mut random, width, 120) {
                let expected = unsigned((operation.meaning)(a, b, width), unknown.len()) as i64;
                let what = format!("{a} {} {b} of {width} bits", operation.name);
                assert_eq!(evaluate(&circuit, &unknown, inputs(a, b, width)), expected, "{what}");
            }
            for (a, b) in numbers(&mut random, width, 30) {
                let expected = unsigned((operation.meaning)(a, b, width), unknown.len()) as i64;
                for (knows_left, knows_right) in [(true, false), (false, true)] {
                    let mut circuit = Circuit::new();
                    let (left, right) = (circuit.word_input(width), circuit.word_input(width));
                    let left = operand(&mut circuit, &left, a, knows_left);
                    let right = operand(&mut circuit, &right, b, knows_right);
                    let result = (operation.bits)(&mut circuit, &left, &right);
                    let found = evaluate(&circuit, &result, inputs(a, b, width));
                    assert_eq!(found, expected, "{a} {} {b} of {width} bits", operation.name);
                }
            }
        }
    }
}

#[test]
fn what_is_known_needs_no_gates() {
    let mut random = Random(0xc057);
    let mut circuit = Circuit::new();
    for width in [32, 64] {
        for operation in &OPERATIONS {
            for (a, b) in numbers(&mut random, width, 100) {
                let (left, right) = (circuit.word_constant(width, a), circuit.word_constant(width, b));
                let result = (operation.bits)(&mut circuit, &left, &right);
                let expected = signed((operation.meaning)(a, b, width), result.len());
                let what = format!("{a} {} {b} of {width} bits", operation.name);
                assert_eq!(circuit.word_constant_of(&result), Some(expected), "{what}");
            }
        }
    }
    assert!(circuit.is_empty());
}

/// The gates that an operation with one known operand takes, for a word of 32 unknown bits.
fn gates_with<T>(constant: i64, operation: impl Fn(&mut Circuit, &Word, &Word) -> T) -> usize {
    let mut circuit = Circuit::new();
    let (word, constant) = (circuit.word_input(32), circuit.word_constant(32, constant));
    let before = circuit.len();
    operation(&mut circuit, &word, &constant);
    circuit.len() - before
}

#[test]
fn known_operands_need_fewer_gates() {
    assert_eq!(gates_with(0, |circuit, a, b| circuit.less(a, b)), 0);
    assert!(gates_with(1000, |circuit, a, b| circuit.less(a, b)) <= 32);
    assert_eq!(gates_with(7, |circuit, a, b| circuit.word_equal(a, b)), 31);
    assert!(gates_with(1, |circuit, a, b| circuit.add(a, b)) <= 64);
    assert_eq!(gates_with(0, |circuit, a, b| circuit.subtract(a, b)), 0);
    assert_eq!(gates_with(1024, |circuit, a, b| circuit.multiply(a, b)), 0);
    // One subtraction, as in the hash codes of strings.
    assert!(gates_with(31, |circuit, a, b| circuit.multiply(a, b)) <= 96);
    assert_eq!(gates_with(9, |circuit, a, b| circuit.shift_right(a, b)), 0);
    assert!(gates_with(8, |circuit, a, b| circuit.remainder(a, b)) <= 400);
}

#[test]
fn the_solver_finds_what_computes_so() {
    let mut random = Random(0x501);
    let mut found = 0;
    for operation in &OPERATIONS {
        let (mut circuit, mut decider) = (Circuit::new(), Decider::new());
        let width = 32;
        let (left, right) = (circuit.word_input(width), circuit.word_input(width));
        let result = (operation.bits)(&mut circuit, &left, &right);
        let number = |circuit: &Circuit, decider: &mut Decider, word: &Word| -> i64 {
            let bits = word.iter().enumerate();
            signed(bits.map(|(bit, lit)| i64::from(decider.value(circuit, *lit)) << bit).sum(), word.len())
        };
        for (a, b) in numbers(&mut random, width, 6) {
            let expected = signed((operation.meaning)(a, b, width), result.len());
            let mut is = |word: &Word, value: i64| {
                let constant = circuit.word_constant(word.len(), value);
                circuit.word_equal(word, &constant)
            };
            let (is_left, is_right, is_result) = (is(&left, a), is(&right, b), is(&result, expected));
            let what = format!("{a} {} {b}", operation.name);
            // With both known there is one result; with one known the other is found, or another that does as well.
            assert_eq!(decider.solve(&circuit, &[is_left, is_right, is_result], &PATIENT), SatVerdict::Sat, "{what}");
            assert_eq!(
                decider.solve(&circuit, &[is_left, is_right, !is_result], &PATIENT),
                SatVerdict::Unsat,
                "{what}"
            );
            assert_eq!(decider.solve(&circuit, &[is_left, is_result], &PATIENT), SatVerdict::Sat, "{what}");
            let (a, b) = (number(&circuit, &mut decider, &left), number(&circuit, &mut decider, &right));
            assert_eq!(signed((operation.meaning)(a, b, width), result.len()), expected, "{what}: {a}, {b}");
            found += 1;
        }
    }
    assert!(found > 200);
}

#[test]
fn a_product_is_factored() {
    let (mut circuit, mut decider) = (Circuit::new(), Decider::new());
    let (a, b) = (circuit.word_input(32), circuit.word_input(32));
    let product = circuit.multiply(&a, &b);
    let [one, limit, expected] = [1, 1 << 12, 2_027 * 3_001].map(|value| circuit.word_constant(32, value));
    let mut conjuncts = vec![circuit.word_equal(&product, &expected)];
    for word in [&a, &b] {
        conjuncts.push(circuit.less(&one, word));
        conjuncts.push(circuit.less(word, &limit));
    }
    conjuncts.push(circuit.less(&a, &b));
    assert_eq!(decider.solve(&circuit, &conjuncts, &PATIENT), SatVerdict::Sat);
    let mut value = |word: &Word| -> i64 {
        word.iter().enumerate().map(|(bit, lit)| i64::from(decider.value(&circuit, *lit)) << bit).sum()
    };
    assert_eq!((value(&a), value(&b)), (2_027, 3_001));
}

/// Another word with the same bits may mean something where none of the conditions is true.
#[test]
fn what_a_word_is_chosen_among_is_known_of_that_word_alone() {
    let mut circuit = Circuit::new();
    let (first, second) = (circuit.input(), circuit.input());
    let (one, zero) = (circuit.word_constant(8, 1), circuit.word_constant(8, 0));
    let chosen = circuit.word_any(&[(first, one), (second, zero.clone())]);
    let same: Word = chosen.iter().copied().collect();
    assert_eq!(circuit.compare_chosen(&chosen, &zero, Circuit::word_equal), second);
    assert_eq!(circuit.compare_chosen(&same, &zero, Circuit::word_equal), !first);
}
