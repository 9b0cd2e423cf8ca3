//! `java.lang.Math`, `java.lang.StrictMath`, and the bits of floating-point numbers.
//!
//! `StrictMath` prescribes the algorithms of fdlibm; `exp`, `pow`, `cbrt` and `hypot` are in Java already and have no model. What the functions
//! compute, and how far from HotSpot, is said in `lazuli_logic::functions`. The second table has the same methods for arguments that are not known: they are
//! terms, exact where IEEE 754 is, and no path forks.

use lazuli_logic::{Binary, BinaryFunction, Constant, Node, Sort, Term, Unary, UnaryFunction};

use crate::natives::{Call, Exit, Models};
use crate::value::Value;

/// Models of mathematical functions and of conversions between numbers and their bits.
pub(super) const MODELS: &[Models] = &[
    (
        "java/lang/Float",
        &[
            ("floatToRawIntBits(F)I", |call| Ok(Value::Int(call.float(0).to_bits() as i32))),
            ("intBitsToFloat(I)F", |call| Ok(Value::Float(f32::from_bits(call.int(0) as u32)))),
        ],
    ),
    (
        "java/lang/Double",
        &[
            ("doubleToRawLongBits(D)J", |call| Ok(Value::Long(call.double(0).to_bits() as i64))),
            ("longBitsToDouble(J)D", |call| Ok(Value::Double(f64::from_bits(call.long(0) as u64)))),
        ],
    ),
    (
        "java/lang/StrictMath",
        &[
            ("sin(D)D", |call| function(call, UnaryFunction::StrictSin)),
            ("cos(D)D", |call| function(call, UnaryFunction::StrictCos)),
            ("tan(D)D", |call| function(call, UnaryFunction::StrictTan)),
            ("asin(D)D", |call| function(call, UnaryFunction::Asin)),
            ("acos(D)D", |call| function(call, UnaryFunction::Acos)),
            ("atan(D)D", |call| function(call, UnaryFunction::Atan)),
            ("log(D)D", |call| function(call, UnaryFunction::StrictLog)),
            ("log10(D)D", |call| function(call, UnaryFunction::StrictLog10)),
            ("sqrt(D)D", |call| Ok(Value::Double(call.double(0).sqrt()))),
            ("sinh(D)D", |call| function(call, UnaryFunction::Sinh)),
            ("cosh(D)D", |call| function(call, UnaryFunction::Cosh)),
            ("tanh(D)D", |call| function(call, UnaryFunction::Tanh)),
            ("expm1(D)D", |call| function(call, UnaryFunction::Expm1)),
            ("log1p(D)D", |call| function(call, UnaryFunction::Log1p)),
            ("atan2(DD)D", |call| function_of_two(call, BinaryFunction::Atan2)),
            ("IEEEremainder(DD)D", |call| function_of_two(call, BinaryFunction::IeeeRemainder)),
        ],
    ),
    (
        "java/lang/Math",
        &[
            ("sin(D)D", |call| function(call, UnaryFunction::Sin)),
            ("cos(D)D", |call| function(call, UnaryFunction::Cos)),
            ("tan(D)D", |call| function(call, UnaryFunction::Tan)),
            ("exp(D)D", |call| function(call, UnaryFunction::Exp)),
            ("log(D)D", |call| function(call, UnaryFunction::Log)),
            ("log10(D)D", |call| function(call, UnaryFunction::Log10)),
            ("sqrt(D)D", |call| Ok(Value::Double(call.double(0).sqrt()))),
            ("pow(DD)D", |call| function_of_two(call, BinaryFunction::Power)),
            ("fma(DDD)D", |call| Ok(Value::Double(call.double(0).mul_add(call.double(1), call.double(2))))),
            ("fma(FFF)F", |call| Ok(Value::Float(call.float(0).mul_add(call.float(1), call.float(2))))),
        ],
    ),
];

/// Models of the same for arguments that are not all known. Methods that are code of the JDK stand here too, where that code would look at bits.
pub(in crate::natives) const OF_UNKNOWNS: &[Models] = &[
    (
        "java/lang/Float",
        &[
            ("floatToRawIntBits(F)I", raw_bits),
            ("floatToIntBits(F)I", bits),
            ("intBitsToFloat(I)F", |call| unary(call, Unary::OfBits, Sort::Int)),
            ("isNaN(F)Z", is_nan),
            ("compare(FF)I", compare),
        ],
    ),
    (
        "java/lang/Double",
        &[
            ("doubleToRawLongBits(D)J", raw_bits),
            ("doubleToLongBits(D)J", bits),
            ("longBitsToDouble(J)D", |call| unary(call, Unary::OfBits, Sort::Long)),
            ("isNaN(D)Z", is_nan),
            ("compare(DD)I", compare),
        ],
    ),
    (
        "java/lang/StrictMath",
        &[
            ("sin(D)D", |call| term_of_function(call, UnaryFunction::StrictSin)),
            ("cos(D)D", |call| term_of_function(call, UnaryFunction::StrictCos)),
            ("tan(D)D", |call| term_of_function(call, UnaryFunction::StrictTan)),
            ("asin(D)D", |call| term_of_function(call, UnaryFunction::Asin)),
            ("acos(D)D", |call| term_of_function(call, UnaryFunction::Acos)),
            ("atan(D)D", |call| term_of_function(call, UnaryFunction::Atan)),
            ("log(D)D", |call| term_of_function(call, UnaryFunction::StrictLog)),
            ("log10(D)D", |call| term_of_function(call, UnaryFunction::StrictLog10)),
            ("sinh(D)D", |call| term_of_function(call, UnaryFunction::Sinh)),
            ("cosh(D)D", |call| term_of_function(call, UnaryFunction::Cosh)),
            ("tanh(D)D", |call| term_of_function(call, UnaryFunction::Tanh)),
            ("expm1(D)D", |call| term_of_function(call, UnaryFunction::Expm1)),
            ("log1p(D)D", |call| term_of_function(call, UnaryFunction::Log1p)),
            ("atan2(DD)D", |call| term_of_two(call, BinaryFunction::Atan2)),
            ("IEEEremainder(DD)D", |call| term_of_two(call, BinaryFunction::IeeeRemainder)),
            ("sqrt(D)D", |call| unary(call, Unary::SquareRoot, Sort::Double)),
            ("rint(D)D", |call| unary(call, Unary::RoundEven, Sort::Double)),
            ("floor(D)D", |call| unary(call, Unary::Floor, Sort::Double)),
            ("ceil(D)D", |call| unary(call, Unary::Ceiling, Sort::Double)),
        ],
    ),
    (
        "java/lang/Math",
        &[
            ("sin(D)D", |call| term_of_function(call, UnaryFunction::Sin)),
            ("cos(D)D", |call| term_of_function(call, UnaryFunction::Cos)),
            ("tan(D)D", |call| term_of_function(call, UnaryFunction::Tan)),
            ("exp(D)D", |call| term_of_function(call, UnaryFunction::Exp)),
            ("log(D)D", |call| term_of_function(call, UnaryFunction::Log)),
            ("log10(D)D", |call| term_of_function(call, UnaryFunction::Log10)),
            ("pow(DD)D", |call| term_of_two(call, BinaryFunction::Power)),
            ("sqrt(D)D", |call| unary(call, Unary::SquareRoot, Sort::Double)),
            ("fma(DDD)D", fused),
            ("fma(FFF)F", fused),
            ("abs(D)D", |call| unary(call, Unary::Absolute, Sort::Double)),
            ("abs(F)F", |call| unary(call, Unary::Absolute, Sort::Float)),
            ("rint(D)D", |call| unary(call, Unary::RoundEven, Sort::Double)),
            ("floor(D)D", |call| unary(call, Unary::Floor, Sort::Double)),
            ("ceil(D)D", |call| unary(call, Unary::Ceiling, Sort::Double)),
            ("round(D)J", round),
            ("round(F)I", round),
            ("min(DD)D", |call| extreme(call, true)),
            ("min(FF)F", |call| extreme(call, true)),
            ("max(DD)D", |call| extreme(call, false)),
            ("max(FF)F", |call| extreme(call, false)),
            ("getExponent(D)I", exponent),
            ("getExponent(F)I", exponent),
        ],
    ),
];

fn function(call: &mut Call, function: UnaryFunction) -> Result<Value, Exit> {
    Ok(Value::Double(function.value(call.double(0))))
}

fn function_of_two(call: &mut Call, function: BinaryFunction) -> Result<Value, Exit> {
    Ok(Value::Double(function.value(call.double(0), call.double(1))))
}

fn argument(call: &mut Call, at: usize) -> Result<(Term, Sort), Exit> {
    let Some(sort) = call.method.parameters.get(at).and_then(|kind| kind.sort()) else { return call.not_known() };
    match call.vm.term_of(call.arguments[at], sort) {
        Some(term) => Ok((term, sort)),
        None => call.not_known(),
    }
}

fn told(call: &mut Call, term: Term) -> Result<Value, Exit> {
    Ok(call.vm.value_of(term))
}

fn unary(call: &mut Call, operation: Unary, sort: Sort) -> Result<Value, Exit> {
    let Some(term) = call.vm.term_of(call.arguments[0], sort) else { return call.not_known() };
    let result = call.vm.terms.unary(operation, term);
    told(call, result)
}

fn term_of_function(call: &mut Call, function: UnaryFunction) -> Result<Value, Exit> {
    unary(call, Unary::Function(function), Sort::Double)
}

fn term_of_two(call: &mut Call, function: BinaryFunction) -> Result<Value, Exit> {
    let ((one, _), (other, _)) = (argument(call, 0)?, argument(call, 1)?);
    let result = call.vm.terms.binary(Binary::Function(function), one, other);
    told(call, result)
}

fn fused(call: &mut Call) -> Result<Value, Exit> {
    let ((one, _), (other, _), (added, _)) = (argument(call, 0)?, argument(call, 1)?, argument(call, 2)?);
    let result = call.vm.terms.fused(one, other, added);
    told(call, result)
}

/// Which NaN a machine computes is not fixed, so the raw bits of one that was computed are not known. Those of an input are its own.
fn raw_bits(call: &mut Call) -> Result<Value, Exit> {
    let (number, _) = argument(call, 0)?;
    if !has_own_bits(call, number) {
        let is_nan = call.vm.terms.unary(Unary::IsNan, number);
        if call.vm.decide(call.state, is_nan)? {
            return Err(Exit::Unsupported("the raw bits of a NaN that was computed".into()));
        }
    }
    let result = call.vm.terms.unary(Unary::Bits, number);
    told(call, result)
}

fn has_own_bits(call: &Call, number: Term) -> bool {
    let mut waiting = vec![number];
    while let Some(term) = waiting.pop() {
        match call.vm.terms.node(term) {
            Node::Constant(_) | Node::Variable(_) | Node::Unary(Unary::OfBits, _) => {}
            Node::Unary(Unary::Negate | Unary::Absolute, inner) => waiting.push(inner),
            _ => return false,
        }
    }
    true
}

/// The bits, with one NaN for all.
fn bits(call: &mut Call) -> Result<Value, Exit> {
    let (number, sort) = argument(call, 0)?;
    let result = canonical_bits(call, number, sort);
    told(call, result)
}

fn canonical_bits(call: &mut Call, number: Term, sort: Sort) -> Term {
    let terms = &mut call.vm.terms;
    let is_nan = terms.unary(Unary::IsNan, number);
    let bits = terms.unary(Unary::Bits, number);
    let nan = match sort {
        Sort::Float => terms.int(f32::NAN.to_bits() as i32),
        _ => terms.long(f64::NAN.to_bits() as i64),
    };
    terms.choose(is_nan, nan, bits)
}

fn is_nan(call: &mut Call) -> Result<Value, Exit> {
    let (number, _) = argument(call, 0)?;
    let truth = call.vm.terms.unary(Unary::IsNan, number);
    truth_value(call, truth)
}

/// A truth value as the JVM has it.
fn truth_value(call: &mut Call, truth: Term) -> Result<Value, Exit> {
    let (one, zero) = (call.vm.terms.int(1), call.vm.terms.int(0));
    let result = call.vm.terms.choose(truth, one, zero);
    told(call, result)
}

/// The total order of `compare`: by value, then -0.0 before 0.0, and NaN last.
fn compare(call: &mut Call) -> Result<Value, Exit> {
    let ((one, sort), (other, _)) = (argument(call, 0)?, argument(call, 1)?);
    let (one_bits, other_bits) = (canonical_bits(call, one, sort), canonical_bits(call, other, sort));
    let terms = &mut call.vm.terms;
    let (less, greater) = (terms.less(one, other), terms.less(other, one));
    let by_bits = terms.compare(one_bits, other_bits, 0);
    let (minus, plus) = (terms.int(-1), terms.int(1));
    let not_less = terms.choose(greater, plus, by_bits);
    let result = terms.choose(less, minus, not_less);
    told(call, result)
}

/// The integer that is nearest, of two the greater one; out of range, the nearest that there is; of NaN, zero.
fn round(call: &mut Call) -> Result<Value, Exit> {
    let (number, sort) = argument(call, 0)?;
    // The difference is exact, or it lies so close to one that its rounding does not matter: the number and its floor have the same sign and differ by
    // less than a factor of two, but where the floor is -1 or 0.
    let (half, one, to_integer) = match sort {
        Sort::Float => (Constant::Float(0.5f32.to_bits()), Constant::Float(1f32.to_bits()), Unary::ToInt),
        _ => (Constant::Double(0.5f64.to_bits()), Constant::Double(1f64.to_bits()), Unary::ToLong),
    };
    let terms = &mut call.vm.terms;
    let (half, one) = (terms.constant(half), terms.constant(one));
    let floor = terms.unary(Unary::Floor, number);
    let rest = terms.binary(Binary::Subtract, number, floor);
    let is_up = terms.less_or_equal(half, rest);
    let above = terms.binary(Binary::Add, floor, one);
    let chosen = terms.choose(is_up, above, floor);
    let result = terms.unary(to_integer, chosen);
    told(call, result)
}

/// The lesser or the greater of two; NaN if one is, and -0.0 is less than 0.0.
fn extreme(call: &mut Call, is_least: bool) -> Result<Value, Exit> {
    let ((one, sort), (other, _)) = (argument(call, 0)?, argument(call, 1)?);
    let terms = &mut call.vm.terms;
    let nan = terms.unary(Unary::IsNan, one);
    let zero = terms.constant(match sort {
        Sort::Float => Constant::Float(0),
        _ => Constant::Double(0),
    });
    // Of two zeros, the signs are joined.
    let (one_zero, other_zero) = (terms.equal(one, zero), terms.equal(other, zero));
    let zeros = terms.and(one_zero, other_zero);
    let (one_bits, other_bits) = (terms.unary(Unary::Bits, one), terms.unary(Unary::Bits, other));
    let joined = terms.binary(if is_least { Binary::BitOr } else { Binary::BitAnd }, one_bits, other_bits);
    let joined = terms.unary(Unary::OfBits, joined);
    let is_first = if is_least { terms.less_or_equal(one, other) } else { terms.less_or_equal(other, one) };
    let ordered = terms.choose(is_first, one, other);
    let number = terms.choose(zeros, joined, ordered);
    let result = terms.choose(nan, one, number);
    told(call, result)
}

/// The unbiased exponent. All NaNs have the same.
fn exponent(call: &mut Call) -> Result<Value, Exit> {
    let (number, sort) = argument(call, 0)?;
    let terms = &mut call.vm.terms;
    let bits = terms.unary(Unary::Bits, number);
    let result = match sort {
        Sort::Float => {
            let (places, mask, bias) = (terms.int(23), terms.int(0xFF), terms.int(127));
            let shifted = terms.binary(Binary::ShiftRightUnsigned, bits, places);
            let field = terms.binary(Binary::BitAnd, shifted, mask);
            terms.binary(Binary::Subtract, field, bias)
        }
        _ => {
            let (places, mask, bias) = (terms.long(52), terms.long(0x7FF), terms.int(1023));
            let shifted = terms.binary(Binary::ShiftRightUnsigned, bits, places);
            let field = terms.binary(Binary::BitAnd, shifted, mask);
            let field = terms.unary(Unary::Truncate, field);
            terms.binary(Binary::Subtract, field, bias)
        }
    };
    told(call, result)
}
