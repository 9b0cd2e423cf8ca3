//! How are numbers represented with few bits, without a proof that they need no more?
//!
//! They saturate: all numbers above the greatest are one number, and all below the least another. Sums and comparisons of other numbers are exact. A
//! sum with a saturated number, and a comparison of two numbers that saturated on the same side, are havocked. So no valid input is lost, and where
//! numbers count objects, of which there are few, nothing saturates and nothing is havocked. The interpreter runs each input that the circuit
//! yields, as always.

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::Op;

use crate::Refusal;
use crate::exec::executor::Executor;

/// The bits of numbers that can count this many objects, and a few more.
pub(crate) fn saturation_width(objects: usize) -> usize {
    // One for the sign, and one more, so that sums of two of them do not saturate.
    (usize::BITS - (objects + 2).leading_zeros()) as usize + 2
}

impl Executor<'_> {
    /// Does a number stand only for itself?
    pub(crate) fn is_representable(&self, value: i64) -> bool {
        self.arithmetic.saturation().is_none_or(|bits| -(1 << (bits - 1)) < value && value < (1 << (bits - 1)) - 1)
    }

    /// A saturated constant.
    pub(crate) fn number(&self, width: usize, value: i64) -> Word {
        let value =
            self.arithmetic.saturation().map_or(value, |bits| value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1));
        self.circuit.word_constant(width, value)
    }

    /// The result of an operation on two numbers.
    pub(crate) fn apply(
        &mut self,
        op: Op,
        operation: fn(&mut Circuit, &[Lit], &[Lit]) -> Word,
        (left, right): (&Word, &Word),
    ) -> Result<Word, Refusal> {
        let Some(bits) = self.arithmetic.saturation() else { return Ok(operation(self.circuit, left, right)) };
        let is_sum = matches!(op, Op::Iadd | Op::Ladd | Op::Isub | Op::Lsub | Op::Iinc(..) | Op::Ineg | Op::Lneg);
        let is_bitwise = matches!(op, Op::Iand | Op::Land | Op::Ior | Op::Lor | Op::Ixor | Op::Lxor);
        if !is_sum && !is_bitwise {
            return Err(self.unsupported(&format!("the instruction {op:?} on numbers of few bits")));
        }
        let is_far = {
            let (left, right) = (self.is_saturated(left)?, self.is_saturated(right)?);
            self.circuit.or(left, right)
        };
        let exact = operation(self.circuit, left, right);
        let saturated = self.saturate(&exact);
        if is_far == Lit::FALSE {
            return Ok(saturated);
        }
        let any = self.circuit.word_input(bits);
        let any = self.circuit.widen(&any, exact.len());
        Ok(self.circuit.word_if(is_far, &any, &saturated))
    }

    /// Saturates an exact result.
    pub(crate) fn saturate(&mut self, exact: &Word) -> Word {
        let Some(bits) = self.arithmetic.saturation() else { return exact.clone() };
        let sign = exact[exact.len() - 1];
        let mut fits = Lit::TRUE;
        for bit in &exact[bits - 1..] {
            let same = self.circuit.equal(*bit, sign);
            fits = self.circuit.and(fits, same);
        }
        let limit: Vec<Lit> = (0..exact.len()).map(|bit| if bit < bits - 1 { !sign } else { sign }).collect();
        let word = self.circuit.word_if(fits, exact, &limit);
        // The bits above only repeat the sign.
        (0..exact.len()).map(|bit| word[bit.min(bits - 1)]).collect()
    }

    /// True if a number is one of the two that stand for all beyond.
    fn is_saturated(&mut self, word: &Word) -> Result<Lit, Refusal> {
        let Some(bits) = self.arithmetic.saturation() else { return Ok(Lit::FALSE) };
        self.require_saturated(word)?;
        let sign = word[bits - 1];
        let mut is_far = Lit::TRUE;
        for bit in &word[..bits - 1] {
            let differs = self.circuit.xor(*bit, sign);
            is_far = self.circuit.and(is_far, differs);
        }
        Ok(is_far)
    }

    /// Refuses a number with more bits: it would be taken for another one.
    pub(crate) fn require_saturated(&self, word: &[Lit]) -> Result<(), Refusal> {
        match self.arithmetic.saturation() {
            Some(bits) if word[bits - 1..].iter().any(|bit| *bit != word[bits - 1]) => {
                Err(self.unsupported("a number of many bits"))
            }
            _ => Ok(()),
        }
    }

    /// The result of a comparison, havocked where both numbers saturated on the same side.
    pub(crate) fn compare_saturating(&mut self, (left, right): (&Word, &Word), exact: Lit) -> Result<Lit, Refusal> {
        if !self.arithmetic.is_saturating() {
            return Ok(exact);
        }
        let is_far = self.is_saturated(left)?;
        self.require_saturated(right)?;
        if is_far == Lit::FALSE {
            return Ok(exact);
        }
        let same = self.circuit.word_equal(left, right);
        let is_open = self.circuit.and(is_far, same);
        if is_open == Lit::FALSE {
            return Ok(exact);
        }
        let any = self.circuit.input();
        Ok(self.circuit.if_else(is_open, any, exact))
    }
}
