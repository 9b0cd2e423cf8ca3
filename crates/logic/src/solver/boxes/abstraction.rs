//! Which values may a term have if its operands lie within bounds? Never fewer than it has.

use crate::evaluate;
use crate::functions::{BinaryFunction, UnaryFunction};
use crate::term::{Binary, Constant, Sort, Unary};

/// ValueBounds of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ValueBounds {
    Truth {
        can_hold: bool,
        can_fail: bool,
    },
    /// Of a bit vector with its sign, both included.
    Integer(i64, i64),
    /// Of a floating-point number, both included; of zeros the sign does not count. Without numbers, the first is greater than the second.
    Number {
        least: f64,
        greatest: f64,
        may_be_nan: bool,
    },
}

use ValueBounds::{Integer, Number, Truth};

impl ValueBounds {
    pub(super) const NAN: ValueBounds = Number { least: f64::INFINITY, greatest: f64::NEG_INFINITY, may_be_nan: true };
    const ANY_NUMBER: ValueBounds = Number { least: f64::NEG_INFINITY, greatest: f64::INFINITY, may_be_nan: true };
    const ANY_TRUTH: ValueBounds = Truth { can_hold: true, can_fail: true };

    pub(super) fn of(constant: Constant) -> ValueBounds {
        match constant {
            Constant::Bool(value) => Truth { can_hold: value, can_fail: !value },
            Constant::Int(value) => Integer(value as i64, value as i64),
            Constant::Long(value) => Integer(value, value),
            Constant::Float(bits) => number(f64::from(f32::from_bits(bits)), f64::from(f32::from_bits(bits))),
            Constant::Double(bits) => number(f64::from_bits(bits), f64::from_bits(bits)),
        }
    }

    pub(super) fn any(sort: Sort) -> ValueBounds {
        match sort {
            Sort::Bool => ValueBounds::ANY_TRUTH,
            Sort::Int => Integer(i32::MIN as i64, i32::MAX as i64),
            Sort::Long => Integer(i64::MIN, i64::MAX),
            Sort::Float | Sort::Double => ValueBounds::ANY_NUMBER,
        }
    }

    pub(super) fn is_false(self) -> bool {
        self == Truth { can_hold: false, can_fail: true }
    }

    /// All values of both.
    pub(super) fn join(self, other: ValueBounds) -> ValueBounds {
        match (self, other) {
            (Truth { can_hold: a, can_fail: b }, Truth { can_hold: c, can_fail: d }) => {
                Truth { can_hold: a || c, can_fail: b || d }
            }
            (Integer(a, b), Integer(c, d)) => Integer(a.min(c), b.max(d)),
            (
                Number { least: a, greatest: b, may_be_nan: nan },
                Number { least: c, greatest: d, may_be_nan: other_nan },
            ) => Number { least: a.min(c), greatest: b.max(d), may_be_nan: nan || other_nan },
            // Sorts never differ; if they did, nothing would be known.
            _ => ValueBounds::ANY_TRUTH,
        }
    }
}

/// Between two numbers; NaN if one of them is.
fn number(least: f64, greatest: f64) -> ValueBounds {
    if least.is_nan() || greatest.is_nan() {
        return ValueBounds::NAN;
    }
    Number { least, greatest, may_be_nan: false }
}

pub(super) fn chosen(condition: ValueBounds, yes: ValueBounds, no: ValueBounds) -> ValueBounds {
    match condition {
        Truth { can_fail: false, .. } => yes,
        Truth { can_hold: false, .. } => no,
        _ => yes.join(no),
    }
}

/// The operand's sort and the result's.
pub(super) fn unary(operation: Unary, from: Sort, to: Sort, operand: ValueBounds) -> ValueBounds {
    let is_single = from == Sort::Float || to == Sort::Float;
    match (operation, operand) {
        (Unary::Not, Truth { can_hold, can_fail }) => Truth { can_hold: can_fail, can_fail: can_hold },
        (_, Integer(least, greatest)) => {
            if least == greatest {
                return ValueBounds::of(evaluate::unary(operation, Constant::of_integer(from, least)));
            }
            let keeps = |low: i64, high: i64| {
                if least >= low && greatest <= high { operand } else { Integer(low, high) }
            };
            match operation {
                Unary::Widen => operand,
                Unary::Truncate => keeps(i32::MIN as i64, i32::MAX as i64),
                Unary::SignedByte => keeps(-128, 127),
                Unary::SignedShort => keeps(-32768, 32767),
                Unary::UnsignedShort => keeps(0, 65535),
                Unary::ToFloat => number(f64::from(least as f32), f64::from(greatest as f32)),
                Unary::ToDouble => number(least as f64, greatest as f64),
                Unary::OfBits => {
                    let infinity =
                        if is_single { i64::from(f32::INFINITY.to_bits()) } else { f64::INFINITY.to_bits() as i64 };
                    if least < 0 || greatest > infinity {
                        return ValueBounds::ANY_NUMBER;
                    }
                    let of = |bits: i64| {
                        if is_single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
                    };
                    number(of(least), of(greatest))
                }
                _ => ValueBounds::any(to),
            }
        }
        (_, Number { least, greatest, may_be_nan }) => {
            let has_numbers = least <= greatest;
            let monotone = |function: fn(f64) -> f64| {
                if has_numbers {
                    Number { least: function(least), greatest: function(greatest), may_be_nan }
                } else {
                    ValueBounds::NAN
                }
            };
            match operation {
                Unary::IsNan => Truth { can_hold: may_be_nan, can_fail: has_numbers },
                Unary::Negate => Number { least: -greatest, greatest: -least, may_be_nan },
                _ if !has_numbers && matches!(to, Sort::Float | Sort::Double) => ValueBounds::NAN,
                Unary::Absolute if least >= 0.0 => operand,
                Unary::Absolute if greatest <= 0.0 => Number { least: -greatest, greatest: -least, may_be_nan },
                Unary::Absolute => Number { least: 0.0, greatest: greatest.max(-least), may_be_nan },
                Unary::SquareRoot if greatest < 0.0 => ValueBounds::NAN,
                Unary::SquareRoot => {
                    let root = |value: f64| if is_single { f64::from((value as f32).sqrt()) } else { value.sqrt() };
                    let may_be_nan = may_be_nan || least < 0.0;
                    Number { least: root(least.max(0.0)), greatest: root(greatest), may_be_nan }
                }
                Unary::RoundEven => monotone(f64::round_ties_even),
                Unary::Floor => monotone(f64::floor),
                Unary::Ceiling => monotone(f64::ceil),
                Unary::ToFloat => monotone(|value| f64::from(value as f32)),
                Unary::ToDouble => operand,
                Unary::ToInt | Unary::ToLong => {
                    let of = |value: f64| if operation == Unary::ToInt { value as i32 as i64 } else { value as i64 };
                    let numbers = has_numbers.then(|| Integer(of(least), of(greatest)));
                    let nan = may_be_nan.then_some(Integer(0, 0));
                    match (numbers, nan) {
                        (Some(numbers), Some(nan)) => numbers.join(nan),
                        (Some(only), None) | (None, Some(only)) => only,
                        (None, None) => ValueBounds::any(to),
                    }
                }
                Unary::Bits if has_numbers && !may_be_nan && (least > 0.0 || greatest < 0.0) => {
                    let of = |value: f64| {
                        if is_single { i64::from((value as f32).to_bits() as i32) } else { value.to_bits() as i64 }
                    };
                    Integer(of(least).min(of(greatest)), of(least).max(of(greatest)))
                }
                Unary::Function(function) => of_function(function, least, greatest, may_be_nan),
                _ => ValueBounds::any(to),
            }
        }
        _ => ValueBounds::any(to),
    }
}

fn of_function(function: UnaryFunction, least: f64, greatest: f64, may_be_nan: bool) -> ValueBounds {
    let (from, to) = function.domain();
    let may_be_nan = may_be_nan || least < from || greatest > to;
    let (least, greatest) = (least.max(from), greatest.min(to));
    if least > greatest {
        return ValueBounds::NAN;
    }
    let (low, high) = (function.enclosure(least), function.enclosure(greatest));
    if least == greatest {
        return Number { least: low.0, greatest: low.1, may_be_nan };
    }
    let covers = |piece: &crate::functions::MonotonePiece| piece.from <= least && greatest <= piece.to;
    match function.pieces().into_iter().find(covers) {
        Some(piece) if piece.rises => Number { least: low.0, greatest: high.1, may_be_nan },
        Some(_) => Number { least: high.0, greatest: low.1, may_be_nan },
        None => {
            let (least, greatest) = function.range();
            Number { least, greatest, may_be_nan }
        }
    }
}

pub(super) fn binary(operation: Binary, sort: Sort, left: ValueBounds, right: ValueBounds) -> ValueBounds {
    match (left, right) {
        (Truth { can_hold: a, can_fail: b }, Truth { can_hold: c, can_fail: d }) => match operation {
            Binary::And => Truth { can_hold: a && c, can_fail: b || d },
            Binary::Or => Truth { can_hold: a || c, can_fail: b && d },
            _ => Truth { can_hold: a && c || b && d, can_fail: a && d || b && c },
        },
        (Integer(a, b), Integer(c, d)) => integers(operation, sort, (a, b), (c, d)),
        (
            Number { least: a, greatest: b, may_be_nan: nan },
            Number { least: c, greatest: d, may_be_nan: other_nan },
        ) => numbers(operation, sort == Sort::Float, (a, b), (c, d), nan || other_nan),
        _ => ValueBounds::ANY_TRUTH,
    }
}

/// A product plus a number, rounded once. Rounding is monotone, so that the extremes lie at the ends of the operands.
pub(super) fn fused(sort: Sort, one: ValueBounds, other: ValueBounds, added: ValueBounds) -> ValueBounds {
    let (
        Number { least: a, greatest: b, may_be_nan: first },
        Number { least: c, greatest: d, may_be_nan: second },
        Number { least: e, greatest: f, may_be_nan: third },
    ) = (one, other, added)
    else {
        return ValueBounds::ANY_NUMBER;
    };
    if a > b || c > d || e > f {
        return ValueBounds::NAN;
    }
    let has_zero = |low: f64, high: f64| low <= 0.0 && 0.0 <= high;
    let is_infinite = |low: f64, high: f64| low == f64::NEG_INFINITY || high == f64::INFINITY;
    if has_zero(a, b) && is_infinite(c, d) || has_zero(c, d) && is_infinite(a, b) {
        return ValueBounds::ANY_NUMBER;
    }
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (x, y) in [(a, c), (a, d), (b, c), (b, d)] {
        for z in [e, f] {
            let value = match sort {
                Sort::Float => f64::from((x as f32).mul_add(y as f32, z as f32)),
                _ => x.mul_add(y, z),
            };
            if value.is_nan() {
                return ValueBounds::ANY_NUMBER;
            }
            (least, greatest) = (least.min(value), greatest.max(value));
        }
    }
    Number { least, greatest, may_be_nan: first || second || third }
}

fn integers(operation: Binary, sort: Sort, (a, b): (i64, i64), (c, d): (i64, i64)) -> ValueBounds {
    if a == b && c == d {
        let of = |value: i64| Constant::of_integer(sort, value);
        return ValueBounds::of(evaluate::binary(operation, of(a), of(c)));
    }
    let Integer(least, greatest) = ValueBounds::any(sort) else { return ValueBounds::ANY_TRUTH };
    // Only if nothing wraps around.
    let exact = |low: i128, high: i128| {
        if low >= i128::from(least) && high <= i128::from(greatest) {
            Integer(low as i64, high as i64)
        } else {
            Integer(least, greatest)
        }
    };
    let [a, b, c, d] = [a, b, c, d].map(i128::from);
    match operation {
        Binary::Equal => Truth { can_hold: a <= d && c <= b, can_fail: true },
        Binary::Less => Truth { can_hold: a < d, can_fail: b >= c },
        Binary::LessOrEqual => Truth { can_hold: a <= d, can_fail: b > c },
        Binary::Add => exact(a + c, b + d),
        Binary::Subtract => exact(a - d, b - c),
        Binary::Multiply => {
            let products = [a * c, a * d, b * c, b * d];
            exact(products.into_iter().min().unwrap_or(0), products.into_iter().max().unwrap_or(0))
        }
        Binary::BitAnd if c == d && c >= 0 => Integer(0, c as i64),
        _ => Integer(least, greatest),
    }
}

fn numbers(operation: Binary, is_single: bool, (a, b): (f64, f64), (c, d): (f64, f64), nan: bool) -> ValueBounds {
    let has_numbers = a <= b && c <= d;
    if matches!(operation, Binary::Equal | Binary::Less | Binary::LessOrEqual) {
        if !has_numbers {
            return Truth { can_hold: false, can_fail: true };
        }
        return match operation {
            Binary::Equal => Truth { can_hold: a <= d && c <= b, can_fail: nan || !(a == b && c == d && a == c) },
            Binary::Less => Truth { can_hold: a < d, can_fail: nan || b >= c },
            _ => Truth { can_hold: a <= d, can_fail: nan || b > c },
        };
    }
    if !has_numbers {
        // One to the power of zero is one, whatever the base is.
        return if matches!(operation, Binary::Function(BinaryFunction::Power)) {
            ValueBounds::ANY_NUMBER
        } else {
            ValueBounds::NAN
        };
    }
    let round = |value: f64| if is_single { f64::from(value as f32) } else { value };
    // A sum, difference, product or quotient of singles that is computed in double precision and then rounded is rounded correctly.
    let corners = |function: fn(f64, f64) -> f64| {
        let mut least = f64::INFINITY;
        let mut greatest = f64::NEG_INFINITY;
        let mut undefined = false;
        for (x, y) in [(a, c), (a, d), (b, c), (b, d)] {
            let value = round(function(x, y));
            undefined |= value.is_nan();
            least = least.min(value);
            greatest = greatest.max(value);
        }
        (!undefined).then_some(Number { least, greatest, may_be_nan: nan })
    };
    let has_zero = |low: f64, high: f64| low <= 0.0 && 0.0 <= high;
    let is_infinite = |low: f64, high: f64| low == f64::NEG_INFINITY || high == f64::INFINITY;
    match operation {
        Binary::Add => corners(|x, y| x + y).unwrap_or(ValueBounds::ANY_NUMBER),
        Binary::Subtract => corners(|x, y| x - y).unwrap_or(ValueBounds::ANY_NUMBER),
        Binary::Multiply => {
            let may_be_nan = has_zero(a, b) && is_infinite(c, d) || has_zero(c, d) && is_infinite(a, b);
            if may_be_nan { ValueBounds::ANY_NUMBER } else { corners(|x, y| x * y).unwrap_or(ValueBounds::ANY_NUMBER) }
        }
        Binary::Divide if !has_zero(c, d) => corners(|x, y| x / y).unwrap_or(ValueBounds::ANY_NUMBER),
        Binary::Remainder => {
            if a == b && c == d {
                let rest = if is_single { f64::from(a as f32 % c as f32) } else { a % c };
                return if nan { number(rest, rest).join(ValueBounds::NAN) } else { number(rest, rest) };
            }
            let size = b.max(-a).min(d.max(-c));
            let may_be_nan = nan || has_zero(c, d) || is_infinite(a, b);
            Number { least: if a < 0.0 { -size } else { 0.0 }, greatest: if b > 0.0 { size } else { 0.0 }, may_be_nan }
        }
        Binary::Function(function) => of_two(function, (a, b), (c, d), nan),
        _ => ValueBounds::ANY_NUMBER,
    }
}

fn of_two(function: BinaryFunction, (a, b): (f64, f64), (c, d): (f64, f64), nan: bool) -> ValueBounds {
    let at = |x: f64, y: f64| {
        if function.value(x, y).is_nan() {
            return ValueBounds::NAN;
        }
        let (low, high) = function.enclosure(x, y);
        number(low, high)
    };
    // A zero's sign, which bounds do not tell, matters to both functions.
    let is_point = a == b && c == d && a != 0.0 && c != 0.0;
    match function {
        _ if nan => ValueBounds::ANY_NUMBER,
        _ if is_point => at(a, c),
        // For a base that is not negative and an exponent above zero, a power grows with its base.
        BinaryFunction::Power if c == d && c > 0.0 && c < f64::INFINITY && a >= 0.0 => at(a, c).join(at(b, c)),
        BinaryFunction::Atan2 => {
            let angle = std::f64::consts::PI.next_up();
            Number { least: -angle, greatest: angle, may_be_nan: false }
        }
        _ => ValueBounds::ANY_NUMBER,
    }
}
