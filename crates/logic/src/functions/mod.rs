//! What is known about functions that IEEE 754 does not fix to the last bit: sines, logarithms, powers?
//!
//! Two answers, which are kept apart. `value` is what the interpreter computes; another machine may differ in the last places. `domain`, `range`, `pieces` and
//! `enclosure` hold for every implementation that keeps the promises of `java.lang.Math`: an error of at most 2.5 units in the last place. So a
//! refutation may rely on the second kind alone, and an example of the first kind must be run.
//!
//! `Math` may be off by one unit in the last place. HotSpot uses functions of Intel's that almost always round correctly; `value` always does. They differ
//! in the last digit for (of 10,000 arguments) `tan` 27, `exp` 15, `sin` 11, `cos` 10, `pow` 2, `log` and `log10` 0. `StrictMath` prescribes the algorithms of
//! fdlibm; `value` equals HotSpot's natives on 200,000 random arguments per function and range; only for angles above a million, `sin` and
//! `cos` differ in the last digit about twice in 10,000.

mod strict;

use std::f64::consts::{FRAC_PI_2, PI};

use serde::{Deserialize, Serialize};

/// A function of one double.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnaryFunction {
    Sin,
    Cos,
    Tan,
    Exp,
    Log,
    Log10,
    StrictSin,
    StrictCos,
    StrictTan,
    StrictLog,
    StrictLog10,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Expm1,
    Log1p,
}

/// A function of two doubles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryFunction {
    /// The angle of a point, its second coordinate first.
    Atan2,
    /// The first to the power of the second.
    Power,
    /// The remainder of a division whose quotient is rounded to the nearest.
    IeeeRemainder,
}

/// An interval on which a function only rises, or only falls. Both ends belong to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MonotonePiece {
    /// The least argument.
    pub from: f64,
    /// The greatest argument.
    pub to: f64,
    /// Does a greater argument have a result that is not less?
    pub rises: bool,
}

/// More than the error that is allowed, 2.5 units, and the error of `value`, less than one unit, together.
pub(crate) const STEPS: i64 = 4;

impl UnaryFunction {
    /// All of them.
    pub const ALL: [UnaryFunction; 19] = {
        use UnaryFunction::*;
        [
            Sin,
            Cos,
            Tan,
            Exp,
            Log,
            Log10,
            StrictSin,
            StrictCos,
            StrictTan,
            StrictLog,
            StrictLog10,
            Asin,
            Acos,
            Atan,
            Sinh,
            Cosh,
            Tanh,
            Expm1,
            Log1p,
        ]
    };

    /// The result that the interpreter computes.
    pub fn value(self, x: f64) -> f64 {
        match self {
            UnaryFunction::Sin => pxfm::f_sin(x),
            UnaryFunction::Cos => pxfm::f_cos(x),
            UnaryFunction::Tan => pxfm::f_tan(x),
            UnaryFunction::Exp => pxfm::f_exp(x),
            UnaryFunction::Log => pxfm::f_log(x),
            UnaryFunction::Log10 => pxfm::f_log10(x),
            UnaryFunction::StrictSin => strict::sin(x),
            UnaryFunction::StrictCos => strict::cos(x),
            UnaryFunction::StrictTan => libm::tan(x),
            UnaryFunction::StrictLog => strict::log(x),
            UnaryFunction::StrictLog10 => strict::log10(x),
            UnaryFunction::Asin => libm::asin(x),
            UnaryFunction::Acos => libm::acos(x),
            UnaryFunction::Atan => libm::atan(x),
            UnaryFunction::Sinh => strict::sinh(x),
            UnaryFunction::Cosh => strict::cosh(x),
            UnaryFunction::Tanh => strict::tanh(x),
            UnaryFunction::Expm1 => libm::expm1(x),
            UnaryFunction::Log1p => strict::log1p(x),
        }
    }

    /// The name in Java.
    pub fn name(self) -> &'static str {
        match self {
            UnaryFunction::Sin | UnaryFunction::StrictSin => "sin",
            UnaryFunction::Cos | UnaryFunction::StrictCos => "cos",
            UnaryFunction::Tan | UnaryFunction::StrictTan => "tan",
            UnaryFunction::Exp => "exp",
            UnaryFunction::Log | UnaryFunction::StrictLog => "log",
            UnaryFunction::Log10 | UnaryFunction::StrictLog10 => "log10",
            UnaryFunction::Asin => "asin",
            UnaryFunction::Acos => "acos",
            UnaryFunction::Atan => "atan",
            UnaryFunction::Sinh => "sinh",
            UnaryFunction::Cosh => "cosh",
            UnaryFunction::Tanh => "tanh",
            UnaryFunction::Expm1 => "expm1",
            UnaryFunction::Log1p => "log1p",
        }
    }

    /// The arguments between these, both included, have a result; all others have NaN.
    pub fn domain(self) -> (f64, f64) {
        use UnaryFunction::*;
        match self {
            Sin | Cos | Tan | StrictSin | StrictCos | StrictTan => (-f64::MAX, f64::MAX),
            Log | Log10 | StrictLog | StrictLog10 => (0.0, f64::INFINITY),
            Log1p => (-1.0, f64::INFINITY),
            Asin | Acos => (-1.0, 1.0),
            Exp | Atan | Sinh | Cosh | Tanh | Expm1 => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// All results lie between these, both included.
    ///
    /// An error of one unit does not lead beyond 1 where the exact result lies below it: the unit is that of the numbers below 1. The exact angles are
    /// irrational, and the double above them may be closer than one unit.
    pub fn range(self) -> (f64, f64) {
        use UnaryFunction::*;
        match self {
            Sin | Cos | StrictSin | StrictCos | Tanh => (-1.0, 1.0),
            Tan | StrictTan => (-f64::MAX, f64::MAX),
            Exp => (0.0, f64::INFINITY),
            Asin | Atan => (-FRAC_PI_2.next_up(), FRAC_PI_2.next_up()),
            Acos => (0.0, PI.next_up()),
            Cosh => (moved(1.0, -STEPS), f64::INFINITY),
            Expm1 => (-1.0, f64::INFINITY),
            Log | Log10 | StrictLog | StrictLog10 | Log1p | Sinh => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Intervals on which the exact function is monotone. Arguments that lie in none of them have nothing but the range.
    pub fn pieces(self) -> Vec<MonotonePiece> {
        use UnaryFunction::*;
        // Between multiples of π/2, a few units inside, since the multiples are no doubles.
        let quarters = |first: i32, last: i32, rises: fn(i32) -> bool| -> Vec<MonotonePiece> {
            let at = |quarter: i32| f64::from(quarter) * FRAC_PI_2;
            (first..last)
                .step_by(2)
                .map(|quarter| {
                    let (from, to) = (at(quarter), at(quarter + 2));
                    let from = if quarter == 0 { 0.0 } else { moved(from, STEPS) };
                    let to = if quarter == -2 { 0.0 } else { moved(to, -STEPS) };
                    MonotonePiece { from, to, rises: rises((quarter.rem_euclid(4)) / 2) }
                })
                .collect()
        };
        let (from, to) = self.domain();
        match self {
            Sin | StrictSin => quarters(-9, 9, |half| half == 1),
            Cos | StrictCos => quarters(-8, 8, |half| half == 1),
            Tan | StrictTan => quarters(-5, 5, |_| true),
            Acos => vec![MonotonePiece { from, to, rises: false }],
            Cosh => vec![MonotonePiece { from, to: 0.0, rises: false }, MonotonePiece { from: 0.0, to, rises: true }],
            _ => vec![MonotonePiece { from, to, rises: true }],
        }
    }

    /// Bounds of the result for one argument of the domain.
    pub fn enclosure(self, x: f64) -> (f64, f64) {
        use UnaryFunction::*;
        let value = self.value(x);
        let is_fixed = match self {
            Sin | Tan | StrictSin | StrictTan | Asin | Atan | Sinh | Tanh | Expm1 | Log1p => x == 0.0,
            Cos | StrictCos | Cosh => x == 0.0,
            Acos => x == 1.0,
            Exp => x.is_infinite(),
            Log | Log10 | StrictLog | StrictLog10 => x == 0.0 || x == 1.0 || x == f64::INFINITY,
        };
        let is_limit = matches!(self, Sinh | Cosh | Tanh | Expm1 | Log1p) && value.is_infinite() && x.is_infinite();
        if is_fixed || is_limit {
            return (value, value);
        }
        let (least, greatest) = self.range();
        let (mut low, mut high) = (moved(value, -STEPS).max(least), moved(value, STEPS).min(greatest));
        // An error of units in the last place of a number does not change its sign.
        if value > 0.0 {
            low = low.max(0.0);
        } else if value < 0.0 {
            high = high.min(-0.0);
        }
        (low, high)
    }
}

impl BinaryFunction {
    /// The result that the interpreter computes.
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self {
            BinaryFunction::Atan2 => strict::atan2(x, y),
            BinaryFunction::Power => power(x, y),
            BinaryFunction::IeeeRemainder => libm::remainder(x, y),
        }
    }

    /// The name in Java.
    pub fn name(self) -> &'static str {
        match self {
            BinaryFunction::Atan2 => "atan2",
            BinaryFunction::Power => "pow",
            BinaryFunction::IeeeRemainder => "IEEEremainder",
        }
    }

    /// Bounds of the result for two arguments whose result is a number.
    pub fn enclosure(self, x: f64, y: f64) -> (f64, f64) {
        let value = self.value(x, y);
        let is_exact = match self {
            BinaryFunction::IeeeRemainder => true,
            // A power of integers that is a double is exact; so are the first power and what has an infinity or zero in it.
            BinaryFunction::Power => {
                let is_integral = x.fract() == 0.0 && y.fract() == 0.0 && y >= 0.0 && value.abs() <= 9e15;
                is_integral || y == 1.0 || y == 0.0 || [x, y].iter().any(|z| z.is_infinite()) || x == 0.0
            }
            BinaryFunction::Atan2 => false,
        };
        if is_exact {
            return (value, value);
        }
        let (mut low, mut high) = (moved(value, -STEPS), moved(value, STEPS));
        if value > 0.0 {
            low = low.max(0.0);
        } else if value < 0.0 {
            high = high.min(-0.0);
        }
        (low, high)
    }
}

/// Unlike C, Java has NaN for one to the power of NaN or of an infinity. The library forgets that anything, even NaN, to the
/// power of zero is one.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 0.0 {
        1.0
    } else if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) {
        f64::NAN
    } else {
        pxfm::f_pow(base, exponent)
    }
}

/// The number so many doubles further, at most an infinity.
pub(crate) fn moved(value: f64, steps: i64) -> f64 {
    if value.is_nan() {
        return value;
    }
    let bits = value.to_bits() as i64;
    // Ordered as the numbers are: negative ones the other way round; both zeros are zero.
    let place = if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits };
    let limit = f64::INFINITY.to_bits() as i64;
    let place = place.saturating_add(steps).clamp(-limit, limit);
    f64::from_bits(if place < 0 { i64::MIN.wrapping_sub(place) } else { place } as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_hold_for_the_results_that_are_computed() {
        let mut random = 0x5eed_u64;
        for function in UnaryFunction::ALL {
            let pieces = function.pieces();
            let (from, to) = function.domain();
            let mut last: Vec<Option<(f64, f64)>> = vec![None; pieces.len()];
            let mut arguments: Vec<f64> = pieces.iter().flat_map(|piece| [piece.from, piece.to]).collect();
            for round in 0..20_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
                arguments.push(match round % 3 {
                    0 => (unit - 0.5) * 4.0,
                    1 => (unit - 0.5) * 60.0,
                    _ => f64::from_bits(random),
                });
            }
            arguments.sort_by(f64::total_cmp);
            for x in arguments {
                let value = function.value(x);
                if !(from..=to).contains(&x) {
                    assert!(value.is_nan(), "{function:?}({x}) is {value}");
                    continue;
                }
                let (least, greatest) = function.range();
                assert!((least..=greatest).contains(&value), "{function:?}({x}) is {value}");
                let (low, high) = function.enclosure(x);
                assert!((low..=high).contains(&value), "{function:?}({x}) is {value}, not in {low} to {high}");
                for (piece, last) in pieces.iter().zip(&mut last) {
                    if (piece.from..=piece.to).contains(&x) {
                        if let Some((before, bound)) = *last {
                            let (low, high) = if piece.rises { (bound, high) } else { (low, bound) };
                            assert!(low <= high, "{function:?} between {before} and {x}");
                        }
                        *last = Some((x, if piece.rises { low } else { high }));
                    }
                }
            }
        }
    }

    #[test]
    fn doubles_are_counted_across_zero() {
        assert_eq!(moved(0.0, 1), 5e-324);
        assert_eq!(moved(-0.0, -1), -5e-324);
        assert_eq!(moved(5e-324, -2), -5e-324);
        assert_eq!(moved(f64::MAX, 5), f64::INFINITY);
        assert_eq!(moved(1.0, 1), 1f64.next_up());
    }
}
