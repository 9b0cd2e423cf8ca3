//! `java.lang.Math`, `java.lang.StrictMath`, and the bits of floating-point numbers.
//!
//! `StrictMath` prescribes the algorithms of fdlibm, which the `libm` crate ports. `Math` may be more precise: HotSpot's
//! versions of the functions below round almost always correctly, and so do those of the C library that Rust calls.

use crate::natives::{Call, Exit, Models};
use crate::value::Value;

pub const MODELS: &[Models] = &[
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
            ("sin(D)D", |call| unary(call, libm::sin)),
            ("cos(D)D", |call| unary(call, libm::cos)),
            ("tan(D)D", |call| unary(call, libm::tan)),
            ("asin(D)D", |call| unary(call, libm::asin)),
            ("acos(D)D", |call| unary(call, libm::acos)),
            ("atan(D)D", |call| unary(call, libm::atan)),
            ("exp(D)D", |call| unary(call, libm::exp)),
            ("log(D)D", |call| unary(call, libm::log)),
            ("log10(D)D", |call| unary(call, libm::log10)),
            ("sqrt(D)D", |call| unary(call, f64::sqrt)),
            ("cbrt(D)D", |call| unary(call, libm::cbrt)),
            ("sinh(D)D", |call| unary(call, libm::sinh)),
            ("cosh(D)D", |call| unary(call, libm::cosh)),
            ("tanh(D)D", |call| unary(call, libm::tanh)),
            ("expm1(D)D", |call| unary(call, libm::expm1)),
            ("log1p(D)D", |call| unary(call, libm::log1p)),
            ("atan2(DD)D", |call| binary(call, libm::atan2)),
            ("hypot(DD)D", |call| binary(call, libm::hypot)),
            ("pow(DD)D", |call| binary(call, strict_pow)),
            ("IEEEremainder(DD)D", |call| binary(call, libm::remainder)),
        ],
    ),
    (
        "java/lang/Math",
        &[
            ("sin(D)D", |call| unary(call, f64::sin)),
            ("cos(D)D", |call| unary(call, f64::cos)),
            ("tan(D)D", |call| unary(call, f64::tan)),
            ("exp(D)D", |call| unary(call, f64::exp)),
            ("log(D)D", |call| unary(call, f64::ln)),
            ("log10(D)D", |call| unary(call, f64::log10)),
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

/// Unlike C, Java has NaN for one to the power of NaN or of an infinity.
fn pow(base: f64, exponent: f64) -> f64 {
    if is_javas_nan(base, exponent) { f64::NAN } else { base.powf(exponent) }
}

fn strict_pow(base: f64, exponent: f64) -> f64 {
    if is_javas_nan(base, exponent) { f64::NAN } else { libm::pow(base, exponent) }
}

fn is_javas_nan(base: f64, exponent: f64) -> bool {
    exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite())
}
