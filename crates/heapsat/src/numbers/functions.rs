//! Which methods of the JDK that compute with floating-point numbers are circuits of ours? Those that natives implement, or that look at bits where a circuit
//! of the whole operation is small.

use lazuli_logic::circuit::FloatFormat;
use lazuli_logic::{Sort, Unary};
use lazuli_vm::program::Method;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::GuardedPath;
use crate::exec::value::SymValue;

/// A computation that a method stands for.
#[derive(Clone, Copy)]
enum FloatFunction {
    /// An operation of terms.
    Unary(Unary, Sort),
    /// A product and a sum, rounded once.
    Fused(FloatFormat),
    /// The bits of a number. Which NaN a machine computes is not fixed.
    RawBits(FloatFormat),
    /// The number that has these bits.
    OfBits,
}

fn function_of(method: &Method) -> Option<FloatFunction> {
    use FloatFunction::{Fused, OfBits, RawBits, Unary as One};
    let (double, single) = (FloatFormat::DOUBLE, FloatFormat::SINGLE);
    Some(match (method.class().name, method.name, method.descriptor) {
        ("java/lang/Math" | "java/lang/StrictMath", "sqrt", "(D)D") => One(Unary::SquareRoot, Sort::Double),
        ("java/lang/Math" | "java/lang/StrictMath", "rint", "(D)D") => One(Unary::RoundEven, Sort::Double),
        ("java/lang/Math" | "java/lang/StrictMath", "floor", "(D)D") => One(Unary::Floor, Sort::Double),
        ("java/lang/Math" | "java/lang/StrictMath", "ceil", "(D)D") => One(Unary::Ceiling, Sort::Double),
        ("java/lang/Math" | "java/lang/StrictMath", "abs", "(D)D") => One(Unary::Absolute, Sort::Double),
        ("java/lang/Math" | "java/lang/StrictMath", "abs", "(F)F") => One(Unary::Absolute, Sort::Float),
        ("java/lang/Math" | "java/lang/StrictMath", "fma", "(DDD)D") => Fused(double),
        ("java/lang/Math" | "java/lang/StrictMath", "fma", "(FFF)F") => Fused(single),
        ("java/lang/Double", "doubleToRawLongBits", "(D)J") => RawBits(double),
        ("java/lang/Float", "floatToRawIntBits", "(F)I") => RawBits(single),
        ("java/lang/Double", "longBitsToDouble", "(J)D") | ("java/lang/Float", "intBitsToFloat", "(I)F") => OfBits,
        _ => return None,
    })
}

impl Executor<'_> {
    /// The result of a method that is a circuit; none if it is another one.
    pub(crate) fn float_function(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: &[SymValue],
    ) -> Result<Option<SymValue>, Refusal> {
        let Some(function) = function_of(method) else { return Ok(None) };
        if self.arithmetic.is_saturating() {
            return Err(self.unsupported("floating point with numbers of few bits"));
        }
        let words = arguments.iter().map(|argument| match argument {
            SymValue::Word(word) => Some(word.clone()),
            _ => None,
        });
        let words: Option<Vec<_>> = words.collect();
        let Some(words) = words else { return Err(self.unsupported("a function of what is no number")) };
        let word = match (function, words.as_slice()) {
            (FloatFunction::Unary(operation, sort), [word]) => self.circuit.unary_operation(operation, sort, word),
            (FloatFunction::Fused(format), [one, other, added]) => {
                Some(self.circuit.float_fused(format, one, other, added))
            }
            (FloatFunction::RawBits(format), [word]) => {
                let is_nan = self.circuit.float_is_nan(format, word);
                self.truncate_where(path, is_nan, "the raw bits of a NaN")?;
                Some(word.clone())
            }
            (FloatFunction::OfBits, [word]) => Some(word.clone()),
            _ => None,
        };
        match word {
            Some(word) => Ok(Some(SymValue::Word(self.havoc_result(word)))),
            None => Err(self.unsupported(&format!("a call of {}", method.full_name()))),
        }
    }
}
