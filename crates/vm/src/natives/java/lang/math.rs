//! `java.lang.Math`, `java.lang.StrictMath`, and the bits of floating-point numbers.
//!
//! `StrictMath` prescribes the algorithms of fdlibm; `exp`, `pow`, `cbrt` and `hypot` are in Java already and have no model.
//! The models equal HotSpot's natives on 200,000 random arguments per function and range; only for angles above a million,
//! `sin` and `cos` differ in the last digit about twice in 10,000.
//!
//! `Math` may be off by one unit in the last place. HotSpot uses functions of Intel's that almost always round correctly; the
//! models always do. They differ in the last digit for (of 10,000 arguments) `tan` 27, `exp` 15, `sin` 11, `cos` 10, `pow` 2,
//! `log` and `log10` 0.

use super::strict_math;
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
            ("sin(D)D", |call| unary(call, strict_math::sin)),
            ("cos(D)D", |call| unary(call, strict_math::cos)),
            ("tan(D)D", |call| unary(call, libm::tan)),
            ("asin(D)D", |call| unary(call, libm::asin)),
            ("acos(D)D", |call| unary(call, libm::acos)),
            ("atan(D)D", |call| unary(call, libm::atan)),
            ("log(D)D", |call| unary(call, strict_math::log)),
            ("log10(D)D", |call| unary(call, strict_math::log10)),
            ("sqrt(D)D", |call| unary(call, f64::sqrt)),
            ("sinh(D)D", |call| unary(call, strict_math::sinh)),
            ("cosh(D)D", |call| unary(call, strict_math::cosh)),
            ("tanh(D)D", |call| unary(call, strict_math::tanh)),
            ("expm1(D)D", |call| unary(call, libm::expm1)),
            ("log1p(D)D", |call| unary(call, strict_math::log1p)),
            ("atan2(DD)D", |call| binary(call, strict_math::atan2)),
            ("IEEEremainder(DD)D", |call| binary(call, libm::remainder)),
        ],
    ),
    (
        "java/lang/Math",
        &[
            ("sin(D)D", |call| unary(call, pxfm::f_sin)),
            ("cos(D)D", |call| unary(call, pxfm::f_cos)),
            ("tan(D)D", |call| unary(call, pxfm::f_tan)),
            ("exp(D)D", |call| unary(call, pxfm::f_exp)),
            ("log(D)D", |call| unary(call, pxfm::f_log)),
            ("log10(D)D", |call| unary(call, pxfm::f_log10)),
            ("sqrt(D)D", |call| unary(call, f64::sqrt)),
            ("pow(DD)D", |call| binary(call, pow)),
            ("fma(DDD)D", |call| Ok(Value::Double(call.double(0).mul_add(call.double(1), call.double(2))))),
            ("fma(FFF)F", |call| Ok(Value::Float(call.float(0).mul_add(call.float(1), call.float(2))))),
        ],
    ),
];

fn unary(call: &mut Call, function: fn(f64) -> f64) -> Result<Value, Exit> {
    Ok(Value::Double(function(call.double(0))))
}

fn binary(call: &mut Call, function: fn(f64, f64) -> f64) -> Result<Value, Exit> {
    Ok(Value::Double(function(call.double(0), call.double(1))))
}

/// Unlike C, Java has NaN for one to the power of NaN or of an infinity. The library forgets that anything, even NaN, to the
/// power of zero is one.
fn pow(base: f64, exponent: f64) -> f64 {
    if exponent == 0.0 {
        1.0
    } else if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) {
        f64::NAN
    } else {
        pxfm::f_pow(base, exponent)
    }
}
