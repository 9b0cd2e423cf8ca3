//! Do circuits of floating-point numbers compute as IEEE 754 says? Small formats are tried exhaustively, single and double precision against the
//! machine's own arithmetic.

mod random;

use lazuli_logic::circuit::{FloatFormat, Gate, Integral, MOST_REMAINDER_STEPS};
use lazuli_logic::{Circuit, Lit, Word};
use random::{DOUBLES, FLOATS, INTS, LONGS, Random};

/// Values of words under 64 assignments of the inputs at once; the circuit is walked once.
struct Lanes {
    values: Vec<u64>,
}

impl Lanes {
    /// The inputs are the bits of the operands of each lane, one after the other.
    fn of(circuit: &Circuit, widths: &[usize], lanes: &[Vec<u64>]) -> Lanes {
        let mut inputs = Vec::new();
        for (operand, width) in widths.iter().enumerate() {
            for bit in 0..*width {
                let each = lanes.iter().enumerate();
                inputs.push(each.fold(0, |all, (lane, operands)| all | (operands[operand] >> bit & 1) << lane));
            }
        }
        let mut values: Vec<u64> = Vec::with_capacity(circuit.len());
        for index in 0..circuit.len() {
            let get = |lit: Lit| if lit.is_negated() { !values[lit.gate()] } else { values[lit.gate()] };
            let value = match circuit.gate(index) {
                Gate::False => 0,
                // Inputs beyond the operands are free; here they are false.
                Gate::Input(number) => inputs.get(number as usize).copied().unwrap_or(0),
                Gate::And(a, b) => get(a) & get(b),
                Gate::Xor(a, b) => get(a) ^ get(b),
                Gate::If(condition, yes, no) => get(condition) & get(yes) | !get(condition) & get(no),
            };
            values.push(value);
        }
        Lanes { values }
    }

    fn value(&self, word: &[Lit], lane: usize) -> u64 {
        let bit = |lit: &Lit| (self.values[lit.gate()] >> lane & 1) ^ lit.is_negated() as u64;
        word.iter().enumerate().fold(0, |value, (place, lit)| value | bit(lit) << place)
    }
}

/// Compares a circuit with its meaning on all these operands.
fn compare(
    name: &str,
    widths: &[usize],
    operands: &[Vec<u64>],
    circuit: &Circuit,
    word: &[Lit],
    meaning: &dyn Fn(&[u64]) -> u64,
) {
    for lanes in operands.chunks(64) {
        let values = Lanes::of(circuit, widths, lanes);
        for (lane, operands) in lanes.iter().enumerate() {
            let (found, expected) = (values.value(word, lane), meaning(operands));
            assert_eq!(found, expected, "{name} of {operands:x?}: {found:#x} instead of {expected:#x}");
        }
    }
}

/// The number that bits of a small format mean.
fn decode(format: FloatFormat, bits: u64) -> f64 {
    let (fraction, field) =
        (bits & ((1 << format.fraction) - 1), bits >> format.fraction & ((1 << format.exponent) - 1));
    let sign = if bits >> (format.width() - 1) & 1 == 1 { -1.0 } else { 1.0 };
    let bias = (1 << (format.exponent - 1)) - 1;
    let unit = (fraction as f64) / (1u64 << format.fraction) as f64;
    if field == (1 << format.exponent) - 1 {
        return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN };
    }
    if field == 0 { sign * unit * 2f64.powi(1 - bias) } else { sign * (1.0 + unit) * 2f64.powi(field as i32 - bias) }
}

/// The bits of the small format's number that is nearest, found by trying all of them.
fn encode(format: FloatFormat, value: f64) -> u64 {
    let infinity = ((1u64 << format.exponent) - 1) << format.fraction;
    if value.is_nan() {
        return infinity | 1 << (format.fraction - 1);
    }
    let sign = (value.is_sign_negative() as u64) << (format.width() - 1);
    let magnitude = value.abs();
    // The overflow threshold lies half a unit above the greatest number, where the next power of two would be.
    let greatest = decode(format, infinity - 1);
    let unit = greatest - decode(format, infinity - 2);
    if magnitude >= greatest + unit / 2.0 {
        return sign | infinity;
    }
    let distance = |bits: u64| (decode(format, bits) - magnitude).abs();
    let best = (0..infinity).min_by(|a, b| distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1))));
    sign | best.expect("zero is a number")
}

type Unary = (&'static str, fn(&mut Circuit, FloatFormat, &Word) -> Word, fn(f64) -> f64);
type Binary = (&'static str, fn(&mut Circuit, FloatFormat, &Word, &Word) -> Word, fn(f64, f64) -> f64);

const UNARIES: [Unary; 4] = [
    ("square root", |c, f, a| c.float_square_root(f, a), f64::sqrt),
    ("nearest integer", |c, f, a| c.float_integral(f, a, Integral::Even), f64::round_ties_even),
    ("floor", |c, f, a| c.float_integral(f, a, Integral::Floor), f64::floor),
    ("ceiling", |c, f, a| c.float_integral(f, a, Integral::Ceiling), f64::ceil),
];

const BINARIES: [Binary; 5] = [
    ("sum", |c, f, a, b| c.float_add(f, a, b), |a, b| a + b),
    ("difference", |c, f, a, b| c.float_subtract(f, a, b), |a, b| a - b),
    ("product", |c, f, a, b| c.float_multiply(f, a, b), |a, b| a * b),
    ("quotient", |c, f, a, b| c.float_divide(f, a, b), |a, b| a / b),
    ("remainder", |c, f, a, b| c.float_remainder(f, a, b, 40).0, |a, b| a % b),
];

type Relation = (&'static str, fn(&mut Circuit, FloatFormat, &Word, &Word) -> Lit, fn(f64, f64) -> bool);

const RELATIONS: [Relation; 3] = [
    ("equal", |c, f, a, b| c.float_equal(f, a, b), |a, b| a == b),
    ("less", |c, f, a, b| c.float_less(f, a, b), |a, b| a < b),
    ("less or equal", |c, f, a, b| c.float_less_or_equal(f, a, b), |a, b| a <= b),
];

const SMALL: [FloatFormat; 3] = [
    FloatFormat { exponent: 3, fraction: 2 },
    FloatFormat { exponent: 2, fraction: 4 },
    FloatFormat { exponent: 4, fraction: 3 },
];

#[test]
fn small_formats_compute_as_ieee_754_says() {
    for format in SMALL {
        let width = format.width();
        let numbers: Vec<f64> = (0..1 << width).map(|bits| decode(format, bits)).collect();
        let singles: Vec<Vec<u64>> = (0..1 << width).map(|bits| vec![bits]).collect();
        for (name, bits, meaning) in UNARIES {
            let mut circuit = Circuit::new();
            let a = circuit.word_input(width);
            let word = bits(&mut circuit, format, &a);
            compare(name, &[width], &singles, &circuit, &word, &|operands| {
                encode(format, meaning(numbers[operands[0] as usize]))
            });
        }
        let pairs: Vec<Vec<u64>> = (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| vec![a, b])).collect();
        for (name, bits, meaning) in BINARIES {
            let mut circuit = Circuit::new();
            let (a, b) = (circuit.word_input(width), circuit.word_input(width));
            let word = bits(&mut circuit, format, &a, &b);
            compare(name, &[width, width], &pairs, &circuit, &word, &|operands| {
                encode(format, meaning(numbers[operands[0] as usize], numbers[operands[1] as usize]))
            });
        }
        for (name, bits, meaning) in RELATIONS {
            let mut circuit = Circuit::new();
            let (a, b) = (circuit.word_input(width), circuit.word_input(width));
            let word = [bits(&mut circuit, format, &a, &b)];
            compare(name, &[width, width], &pairs, &circuit, &word, &|operands| {
                meaning(numbers[operands[0] as usize], numbers[operands[1] as usize]) as u64
            });
        }
        let mut circuit = Circuit::new();
        let operands: Vec<Word> = (0..3).map(|_| circuit.word_input(width)).collect();
        let word = circuit.float_fused(format, &operands[0], &operands[1], &operands[2]);
        // Products and sums of so few digits are exact in double precision, so that they are rounded once. The nearest number is looked up.
        let mut rounded = std::collections::HashMap::new();
        // Of the largest format, one summand in thirteen.
        for summand in (0..1 << width).step_by(if width < 8 { 1 } else { 13 }) {
            let triples: Vec<Vec<u64>> = pairs.iter().map(|pair| vec![pair[0], pair[1], summand]).collect();
            let exact = |operands: &[u64]| {
                let [one, other, added] = [0, 1, 2].map(|at| numbers[operands[at] as usize]);
                one * other + added
            };
            for triple in &triples {
                let exact = exact(triple);
                rounded.entry(exact.to_bits()).or_insert_with(|| encode(format, exact));
            }
            compare("product and sum", &[width; 3], &triples, &circuit, &word, &|operands| {
                rounded[&exact(operands).to_bits()]
            });
        }
        for integer in [4, 8] {
            let mut circuit = Circuit::new();
            let a = circuit.word_input(width);
            let word = circuit.float_to_integer(format, &a, integer);
            let greatest = (1i64 << (integer - 1)) - 1;
            compare("integer", &[width], &singles, &circuit, &word, &|operands| {
                let value = (numbers[operands[0] as usize] as i64).clamp(-greatest - 1, greatest);
                value as u64 & ((1 << integer) - 1)
            });
            let mut circuit = Circuit::new();
            let a = circuit.word_input(integer);
            let word = circuit.float_of_integer(format, &a);
            let integers: Vec<Vec<u64>> = (0..1 << integer).map(|bits| vec![bits]).collect();
            compare("of integer", &[integer], &integers, &circuit, &word, &|operands| {
                let value = (operands[0] as i64) << (64 - integer) >> (64 - integer);
                encode(format, value as f64)
            });
        }
        for other in SMALL {
            let mut circuit = Circuit::new();
            let a = circuit.word_input(width);
            let word = circuit.float_convert(format, other, &a);
            compare("conversion", &[width], &singles, &circuit, &word, &|operands| {
                encode(other, numbers[operands[0] as usize])
            });
        }
    }
}

fn canonical(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

fn canonical_single(value: f32) -> u64 {
    u64::from(if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
}

/// Pairs of special values, and random ones, many of them close to each other or near the ends of the exponents.
fn pairs(special: &[u64], fraction: usize, width: usize) -> Vec<Vec<u64>> {
    let mut pairs: Vec<Vec<u64>> = special.iter().flat_map(|a| special.iter().map(move |b| vec![*a, *b])).collect();
    let mut random = Random(0xf10a7);
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    for round in 0..4000 {
        let a = random.next() & mask;
        let b = match round % 5 {
            0 => random.next() & mask,
            // A few units apart, also with the opposite sign.
            1 => a.wrapping_add(random.below(5) as u64).wrapping_sub(2) & mask,
            2 => (a ^ 1 << (width - 1)).wrapping_add(random.below(5) as u64) & mask,
            // Exponents that are close.
            3 => (a ^ (random.next() & ((1 << (fraction + 2)) - 1))) & mask,
            _ => special[random.below(special.len())],
        };
        pairs.push(vec![a, b]);
        // Subnormal numbers.
        pairs.push(vec![a & ((1 << (fraction + 1)) - 1), b]);
    }
    pairs
}

#[test]
fn doubles_compute_as_the_machine_does() {
    let format = FloatFormat::DOUBLE;
    let special: Vec<u64> = DOUBLES.iter().map(|value| value.to_bits()).collect();
    let pairs = pairs(&special, 52, 64);
    for (name, bits, meaning) in UNARIES {
        let mut circuit = Circuit::new();
        let a = circuit.word_input(64);
        let word = bits(&mut circuit, format, &a);
        compare(name, &[64], &pairs, &circuit, &word, &|operands| canonical(meaning(f64::from_bits(operands[0]))));
    }
    for (name, bits, meaning) in &BINARIES[..4] {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.word_input(64), circuit.word_input(64));
        let word = bits(&mut circuit, format, &a, &b);
        println!("{name}: {} gates", circuit.len());
        compare(name, &[64, 64], &pairs, &circuit, &word, &|operands| {
            canonical(meaning(f64::from_bits(operands[0]), f64::from_bits(operands[1])))
        });
    }
    for (name, bits, meaning) in RELATIONS {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.word_input(64), circuit.word_input(64));
        let word = [bits(&mut circuit, format, &a, &b)];
        compare(name, &[64, 64], &pairs, &circuit, &word, &|operands| {
            meaning(f64::from_bits(operands[0]), f64::from_bits(operands[1])) as u64
        });
    }
}

/// Three numbers each: any pair, and a third one that is any other, or close to the product with the opposite sign, so that most digits cancel.
fn triples(pairs: &[Vec<u64>], product: impl Fn(u64, u64) -> u64, sign: u32) -> Vec<Vec<u64>> {
    let mut random = Random(0xf0a);
    let third = |at: usize, random: &mut Random, (a, b): (u64, u64)| match at % 3 {
        0 => pairs[random.below(pairs.len())][0],
        1 => {
            (product(a, b) ^ 1 << sign).wrapping_add(random.below(5) as u64).wrapping_sub(2) & (u64::MAX >> (63 - sign))
        }
        _ => product(a, b),
    };
    let triple = |(at, pair): (usize, &Vec<u64>)| vec![pair[0], pair[1], third(at, &mut random, (pair[0], pair[1]))];
    pairs.iter().enumerate().map(triple).collect()
}

#[test]
fn products_and_sums_are_rounded_once() {
    let (single, double) = (|bits: u64| f32::from_bits(bits as u32), f64::from_bits);
    let special: Vec<u64> = FLOATS.iter().map(|value| u64::from(value.to_bits())).collect();
    let product = |a, b| u64::from((single(a) * single(b)).to_bits());
    let mut circuit = Circuit::new();
    let operands: Vec<Word> = (0..3).map(|_| circuit.word_input(32)).collect();
    let word = circuit.float_fused(FloatFormat::SINGLE, &operands[0], &operands[1], &operands[2]);
    let cases = triples(&pairs(&special, 23, 32), product, 31);
    compare("fma", &[32; 3], &cases, &circuit, &word, &|of| {
        canonical_single(single(of[0]).mul_add(single(of[1]), single(of[2])))
    });
    let special: Vec<u64> = DOUBLES.iter().map(|value| value.to_bits()).collect();
    let product = |a, b| (double(a) * double(b)).to_bits();
    let mut circuit = Circuit::new();
    let operands: Vec<Word> = (0..3).map(|_| circuit.word_input(64)).collect();
    let word = circuit.float_fused(FloatFormat::DOUBLE, &operands[0], &operands[1], &operands[2]);
    println!("fma: {} gates", circuit.len());
    let cases = triples(&pairs(&special, 52, 64), product, 63);
    compare("fma", &[64; 3], &cases, &circuit, &word, &|of| {
        canonical(double(of[0]).mul_add(double(of[1]), double(of[2])))
    });
}

#[test]
fn floats_compute_as_the_machine_does() {
    let format = FloatFormat::SINGLE;
    let special: Vec<u64> = FLOATS.iter().map(|value| u64::from(value.to_bits())).collect();
    let pairs = pairs(&special, 23, 32);
    let meanings: [fn(f32, f32) -> f32; 4] = [|a, b| a + b, |a, b| a - b, |a, b| a * b, |a, b| a / b];
    for ((name, bits, _), meaning) in BINARIES.iter().zip(meanings) {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.word_input(32), circuit.word_input(32));
        let word = bits(&mut circuit, format, &a, &b);
        compare(name, &[32, 32], &pairs, &circuit, &word, &|operands| {
            canonical_single(meaning(f32::from_bits(operands[0] as u32), f32::from_bits(operands[1] as u32)))
        });
    }
    let meanings: [fn(f32) -> f32; 4] = [f32::sqrt, f32::round_ties_even, f32::floor, f32::ceil];
    for ((name, bits, _), meaning) in UNARIES.iter().zip(meanings) {
        let mut circuit = Circuit::new();
        let a = circuit.word_input(32);
        let word = bits(&mut circuit, format, &a);
        compare(name, &[32], &pairs, &circuit, &word, &|operands| {
            canonical_single(meaning(f32::from_bits(operands[0] as u32)))
        });
    }
}

#[test]
fn remainders_are_exact_up_to_the_limit_and_open_beyond() {
    let format = FloatFormat::DOUBLE;
    let special: Vec<u64> = DOUBLES.iter().map(|value| value.to_bits()).collect();
    let mut circuit = Circuit::new();
    let (a, b) = (circuit.word_input(64), circuit.word_input(64));
    let (word, open, _) = circuit.float_remainder(format, &a, &b, MOST_REMAINDER_STEPS);
    println!("remainder: {} gates", circuit.len());
    let (mut exact, mut left_open) = (0, 0);
    let mut operands = pairs(&special, 52, 64);
    let mut random = Random(0x4e3);
    for _ in 0..1000 {
        let (dividend, divisor) = (random.next() as f64 / 1000.0, (random.next() % 10_000) as f64 / 16.0);
        operands.push(vec![dividend.to_bits(), divisor.to_bits()]);
    }
    for lanes in operands.chunks(64) {
        let values = Lanes::of(&circuit, &[64, 64], lanes);
        for (lane, operands) in lanes.iter().enumerate() {
            if values.value(&[open], lane) == 1 {
                left_open += 1;
                let gap = (operands[0] >> 52 & 0x7ff) as i64 - (operands[1] >> 52 & 0x7ff) as i64;
                assert!(gap > MOST_REMAINDER_STEPS as i64 - 53, "{operands:x?}");
                continue;
            }
            exact += 1;
            let expected = canonical(f64::from_bits(operands[0]) % f64::from_bits(operands[1]));
            assert_eq!(values.value(&word, lane), expected, "{operands:x?}");
        }
    }
    assert!(exact > 2000 && left_open > 100, "{exact} and {left_open}");
}

#[test]
fn conversions_are_those_of_the_machine() {
    let mut random = Random(0xc0);
    let doubles: Vec<Vec<u64>> = DOUBLES
        .iter()
        .map(|value| value.to_bits())
        .chain((0..4000).map(|round| {
            let any = random.next();
            if round % 2 == 0 { any } else { ((any as i64) as f64 / 1e9).to_bits() }
        }))
        .map(|bits| vec![bits])
        .collect();
    let floats: Vec<Vec<u64>> = FLOATS
        .iter()
        .map(|value| u64::from(value.to_bits()))
        .chain((0..4000).map(|round| {
            let any = random.next();
            if round % 2 == 0 { any as u32 as u64 } else { u64::from(((any as i64) as f32 / 1e9).to_bits()) }
        }))
        .map(|bits| vec![bits])
        .collect();
    let longs: Vec<Vec<u64>> = LONGS
        .iter()
        .map(|value| *value as u64)
        .chain((0..2000).map(|at| random.next() >> (at % 64)))
        .map(|bits| vec![bits])
        .collect();
    let ints: Vec<Vec<u64>> = INTS
        .iter()
        .map(|value| u64::from(*value as u32))
        .chain((0..2000).map(|at| u64::from(random.next() as u32 >> (at % 32))))
        .map(|bits| vec![bits])
        .collect();
    let (single, double) = (FloatFormat::SINGLE, FloatFormat::DOUBLE);
    let check = |name: &str,
                 width: usize,
                 operands: &[Vec<u64>],
                 bits: &dyn Fn(&mut Circuit, &Word) -> Word,
                 meaning: &dyn Fn(u64) -> u64| {
        let mut circuit = Circuit::new();
        let a = circuit.word_input(width);
        let word = bits(&mut circuit, &a);
        compare(name, &[width], operands, &circuit, &word, &|operands| meaning(operands[0]));
    };
    let float = |bits: u64| f32::from_bits(bits as u32);
    check("double to float", 64, &doubles, &|c, a| c.float_convert(double, single, a), &|a| {
        canonical_single(f64::from_bits(a) as f32)
    });
    check("float to double", 32, &floats, &|c, a| c.float_convert(single, double, a), &|a| {
        canonical(f64::from(float(a)))
    });
    check("double to int", 64, &doubles, &|c, a| c.float_to_integer(double, a, 32), &|a| {
        f64::from_bits(a) as i32 as u32 as u64
    });
    check("double to long", 64, &doubles, &|c, a| c.float_to_integer(double, a, 64), &|a| {
        f64::from_bits(a) as i64 as u64
    });
    check("float to int", 32, &floats, &|c, a| c.float_to_integer(single, a, 32), &|a| float(a) as i32 as u32 as u64);
    check("float to long", 32, &floats, &|c, a| c.float_to_integer(single, a, 64), &|a| float(a) as i64 as u64);
    check("int to float", 32, &ints, &|c, a| c.float_of_integer(single, a), &|a| canonical_single(a as i32 as f32));
    check("int to double", 32, &ints, &|c, a| c.float_of_integer(double, a), &|a| canonical(a as i32 as f64));
    check("long to float", 64, &longs, &|c, a| c.float_of_integer(single, a), &|a| canonical_single(a as i64 as f32));
    check("long to double", 64, &longs, &|c, a| c.float_of_integer(double, a), &|a| canonical(a as i64 as f64));
}
