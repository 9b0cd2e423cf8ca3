//! What is true of the result of a function, whatever machine computes it? As literals over the words of its operands and its result.

use crate::circuit::blast::Application;
use crate::circuit::{Circuit, FloatFormat, Lit, Word};
use crate::functions::{BinaryFunction, STEPS, UnaryFunction, moved};

const DOUBLE: FloatFormat = FloatFormat::DOUBLE;

/// Arguments at which something is said about every function from the start: where signs and slopes change.
const POINTS: [f64; 5] = [0.0, 1.0, -1.0, 2.0, 0.5];

/// Facts about all arguments.
pub(super) fn facts(circuit: &mut Circuit, application: &Application) -> Vec<Lit> {
    match application {
        Application::Unary(function, _, x, y) => of_unary(circuit, *function, x, y),
        Application::Binary(function, _, [x, y], z) => of_binary(circuit, *function, x, y, z),
    }
}

/// Facts about one argument, and about all arguments on the same side of it where the function is monotone.
pub(super) fn facts_at(circuit: &mut Circuit, application: &Application, at: &[f64]) -> Vec<Lit> {
    match (application, at) {
        (Application::Unary(function, _, x, y), [point]) => at_point(circuit, *function, x, y, *point),
        (Application::Binary(function, _, [x, y], z), [one, other]) => {
            let value = function.value(*one, *other);
            if value.is_nan() {
                return Vec::new();
            }
            let (low, high) = function.enclosure(*one, *other);
            let (is_one, is_other) = (is(circuit, x, *one), is(circuit, y, *other));
            let here = circuit.and(is_one, is_other);
            let within = between(circuit, z, low, high);
            vec![circuit.implies(here, within)]
        }
        _ => Vec::new(),
    }
}

fn of_unary(circuit: &mut Circuit, function: UnaryFunction, x: &Word, y: &Word) -> Vec<Lit> {
    let (from, to) = function.domain();
    let inside = between(circuit, x, from, to);
    let (least, greatest) = function.range();
    let within = between(circuit, y, least, greatest);
    let mut facts = vec![circuit.implies(inside, within)];
    facts.push(nan_unless(circuit, inside, y));
    // The exact result is nearer to zero than the argument, and an error of one unit does not lead past it.
    if matches!(function, UnaryFunction::Sin | UnaryFunction::StrictSin | UnaryFunction::Atan) {
        let (x, y) = (circuit.float_absolute(x), circuit.float_absolute(y));
        let smaller = circuit.float_less_or_equal(DOUBLE, &y, &x);
        facts.push(circuit.implies(inside, smaller));
    }
    for point in POINTS {
        facts.extend(at_point(circuit, function, x, y, point));
    }
    for piece in function.pieces() {
        for point in [piece.from, piece.to] {
            facts.extend(at_point(circuit, function, x, y, point));
        }
    }
    facts.retain(|fact| *fact != Lit::TRUE);
    facts
}

fn at_point(circuit: &mut Circuit, function: UnaryFunction, x: &Word, y: &Word, point: f64) -> Vec<Lit> {
    let (from, to) = function.domain();
    if !(from..=to).contains(&point) {
        return Vec::new();
    }
    let (low, high) = function.enclosure(point);
    let (lowest, highest) = (constant(circuit, low), constant(circuit, high));
    let below = circuit.float_less_or_equal(DOUBLE, y, &highest);
    let above = circuit.float_less_or_equal(DOUBLE, &lowest, y);
    let both = circuit.and(below, above);
    let here = equals(circuit, x, point);
    let mut facts = vec![circuit.implies(here, both)];
    for piece in function.pieces() {
        if !(piece.from..=piece.to).contains(&point) {
            continue;
        }
        // Example: exp rises, and exp(1) <= 2.7182818284590464 on every machine; so for all x <= 1.
        let (before, after) = (between(circuit, x, piece.from, point), between(circuit, x, point, piece.to));
        let (when_before, when_after) = if piece.rises { (below, above) } else { (above, below) };
        facts.push(circuit.implies(before, when_before));
        facts.push(circuit.implies(after, when_after));
    }
    facts
}

fn of_binary(circuit: &mut Circuit, function: BinaryFunction, x: &Word, y: &Word, z: &Word) -> Vec<Lit> {
    let (x_nan, y_nan) = (circuit.float_is_nan(DOUBLE, x), circuit.float_is_nan(DOUBLE, y));
    let any_nan = circuit.or(x_nan, y_nan);
    let zero = constant(circuit, 0.0);
    match function {
        BinaryFunction::Atan2 => {
            let angle = std::f64::consts::PI.next_up();
            let quarter = std::f64::consts::FRAC_PI_2.next_up();
            let within = between(circuit, z, -angle, angle);
            let (positive, negative) = (circuit.float_less(DOUBLE, &zero, x), circuit.float_less(DOUBLE, x, &zero));
            let (up, down) =
                (circuit.float_less_or_equal(DOUBLE, &zero, z), circuit.float_less_or_equal(DOUBLE, z, &zero));
            let right = circuit.float_less(DOUBLE, &zero, y);
            let right = circuit.and(right, !any_nan);
            let half = between(circuit, z, -quarter, quarter);
            let above = circuit.and(positive, !any_nan);
            let below = circuit.and(negative, !any_nan);
            vec![
                circuit.implies(!any_nan, within),
                circuit.implies(above, up),
                circuit.implies(below, down),
                circuit.implies(right, half),
                nan_unless(circuit, !any_nan, z),
            ]
        }
        BinaryFunction::Power => power(circuit, x, y, z),
        BinaryFunction::IeeeRemainder => {
            let infinite = circuit.float_absolute(x);
            let infinity = constant(circuit, f64::INFINITY);
            let infinite = circuit.word_equal(&infinite, &infinity);
            let by_zero = circuit.float_equal(DOUBLE, y, &zero);
            let undefined = circuit.any([any_nan, infinite, by_zero]);
            // The remainder is at most half of the divisor, so twice the remainder is at most the divisor.
            let (rest, divisor) = (circuit.float_absolute(z), circuit.float_absolute(y));
            let smaller = circuit.float_less_or_equal(DOUBLE, &rest, &divisor);
            vec![circuit.implies(!undefined, smaller), nan_unless(circuit, !undefined, z)]
        }
    }
}

/// As `java.lang.Math.pow` promises.
fn power(circuit: &mut Circuit, x: &Word, y: &Word, z: &Word) -> Vec<Lit> {
    let (x_nan, y_nan) = (circuit.float_is_nan(DOUBLE, x), circuit.float_is_nan(DOUBLE, y));
    let (zero, one, two) = (constant(circuit, 0.0), constant(circuit, 1.0), constant(circuit, 2.0));
    let infinity = constant(circuit, f64::INFINITY);
    let (x_size, y_size) = (circuit.float_absolute(x), circuit.float_absolute(y));
    let no_exponent = circuit.float_equal(DOUBLE, y, &zero);
    let is_first = circuit.float_equal(DOUBLE, y, &one);
    let is_square = circuit.float_equal(DOUBLE, y, &two);
    let x_one = circuit.word_equal(&x_size, &one);
    let (x_infinite, y_infinite) = (circuit.word_equal(&x_size, &infinity), circuit.word_equal(&y_size, &infinity));
    let x_negative = circuit.float_less(DOUBLE, x, &zero);
    let floor = circuit.float_integral(DOUBLE, y, crate::circuit::Integral::Floor);
    let is_integral = circuit.float_equal(DOUBLE, &floor, y);
    let no_root = circuit.all([x_negative, !x_infinite, !y_infinite, !is_integral]);
    let one_to_infinity = circuit.and(x_one, y_infinite);
    let undefined = circuit.any([x_nan, y_nan, one_to_infinity, no_root]);
    let undefined = circuit.and(undefined, !no_exponent);
    let is_one = circuit.word_equal(z, &one);
    let mut facts = vec![circuit.implies(no_exponent, is_one), nan_unless(circuit, !undefined, z)];
    let z_number = circuit.float_less_or_equal(DOUBLE, &zero, z);
    // -0.0 is not meant: to the power of -1.0 it is an infinity below zero.
    let signed = circuit.and(!x[63], !undefined);
    facts.push(circuit.implies(signed, z_number));
    let same = circuit.word_equal(x, z);
    let first = circuit.and(is_first, !x_nan);
    facts.push(circuit.implies(first, same));
    // A square lies within two units of the product: bit patterns of numbers with the same sign are consecutive.
    let product = circuit.float_multiply(DOUBLE, x, x);
    let difference = circuit.subtract(z, &product);
    let shift = circuit.word_constant(64, 2);
    let difference = circuit.add(&difference, &shift);
    let limit = circuit.word_constant(64, 5);
    let close = circuit.less_unsigned(&difference, &limit);
    let square = circuit.and(is_square, !x_nan);
    let close = circuit.and(close, z_number);
    facts.push(circuit.implies(square, close));
    // Of a base from one on, and of one up to one, the exponent's sign decides on which side of one the power lies, but for a few units.
    let (almost, beyond) = (constant(circuit, moved(1.0, -STEPS)), constant(circuit, moved(1.0, STEPS)));
    let (at_least, at_most) =
        (circuit.float_less_or_equal(DOUBLE, &almost, z), circuit.float_less_or_equal(DOUBLE, z, &beyond));
    let y_rises = circuit.float_less_or_equal(DOUBLE, &zero, y);
    let (x_great, x_small) = (circuit.float_less_or_equal(DOUBLE, &one, x), between(circuit, x, 0.0, 1.0));
    let grows = circuit.all([x_great, y_rises, !undefined]);
    let shrinks = circuit.all([x_small, y_rises, !undefined]);
    facts.push(circuit.implies(grows, at_least));
    facts.push(circuit.implies(shrinks, at_most));
    facts
}

fn constant(circuit: &Circuit, value: f64) -> Word {
    circuit.word_constant(64, value.to_bits() as i64)
}

fn between(circuit: &mut Circuit, x: &[Lit], least: f64, greatest: f64) -> Lit {
    let (least, greatest) = (constant(circuit, least), constant(circuit, greatest));
    let above = circuit.float_less_or_equal(DOUBLE, &least, x);
    let below = circuit.float_less_or_equal(DOUBLE, x, &greatest);
    circuit.and(above, below)
}

fn equals(circuit: &mut Circuit, x: &[Lit], value: f64) -> Lit {
    let value = constant(circuit, value);
    circuit.float_equal(DOUBLE, x, &value)
}

/// The very bits.
fn is(circuit: &mut Circuit, x: &[Lit], value: f64) -> Lit {
    let value = constant(circuit, value);
    circuit.word_equal(x, &value)
}

/// The result is the canonical NaN where the condition is false, and no NaN where it is true.
fn nan_unless(circuit: &mut Circuit, condition: Lit, result: &Word) -> Lit {
    let is_nan = circuit.float_is_nan(DOUBLE, result);
    let canonical = is(circuit, result, f64::NAN);
    circuit.if_else(condition, !is_nan, canonical)
}
