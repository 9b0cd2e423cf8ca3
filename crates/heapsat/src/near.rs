//! How are numbers told with few bits, if nobody has proved that they need no more?
//!
//! A number beyond some limit is only known to be there: all above are one number, and all below are another. Sums and comparisons of numbers that
//! are near are exact; what a sum with a far one is, and how two far ones on the same side compare, is left open. So no valid input is
//! lost, and where numbers count objects, of which there are few, nothing is far and nothing is left open. What is found to be possible is
//! run by the interpreter anyway, as always.

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::Op;

use super::Refusal;
use super::translate::Translator;

/// The bits of numbers that can count this many objects, and a few more.
pub fn bits_for(objects: usize) -> usize {
    // One for the sign, and one more, so that sums of two of them are still near.
    (usize::BITS - (objects + 2).leading_zeros()) as usize + 2
}

impl Translator<'_> {
    /// Is a number told apart from all others?
    pub fn is_near(&self, value: i64) -> bool {
        self.near.is_none_or(|bits| -(1 << (bits - 1)) < value && value < (1 << (bits - 1)) - 1)
    }

    /// A constant, or the limit if it is beyond.
    pub fn number(&self, width: usize, value: i64) -> Word {
        let value = self.near.map_or(value, |bits| value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1));
        self.circuit.word_constant(width, value)
    }

    /// What an operation on two numbers gives.
    pub fn computed(
        &mut self,
        op: Op,
        operation: fn(&mut Circuit, &[Lit], &[Lit]) -> Word,
        (left, right): (&Word, &Word),
    ) -> Result<Word, Refusal> {
        let Some(bits) = self.near else { return Ok(operation(self.circuit, left, right)) };
        let is_sum = matches!(op, Op::Iadd | Op::Ladd | Op::Isub | Op::Lsub | Op::Iinc(..) | Op::Ineg | Op::Lneg);
        let is_bitwise = matches!(op, Op::Iand | Op::Land | Op::Ior | Op::Lor | Op::Ixor | Op::Lxor);
        if !is_sum && !is_bitwise {
            return Err(self.unsupported(&format!("the instruction {op:?} on numbers of few bits")));
        }
        let is_far = {
            let (left, right) = (self.is_far(left)?, self.is_far(right)?);
            self.circuit.or(left, right)
        };
        let exact = operation(self.circuit, left, right);
        let near = self.limited(&exact);
        if is_far == Lit::FALSE {
            return Ok(near);
        }
        let any = self.circuit.word_input(bits);
        let any = self.circuit.widen(&any, exact.len());
        Ok(self.circuit.word_if(is_far, &any, &near))
    }

    /// A number that was computed exactly, or the limit if it is beyond.
    pub fn limited(&mut self, exact: &Word) -> Word {
        let Some(bits) = self.near else { return exact.clone() };
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

    /// Is a number one of the two that stand for all beyond?
    fn is_far(&mut self, word: &Word) -> Result<Lit, Refusal> {
        let Some(bits) = self.near else { return Ok(Lit::FALSE) };
        self.has_few_bits(word)?;
        let sign = word[bits - 1];
        let mut is_far = Lit::TRUE;
        for bit in &word[..bits - 1] {
            let differs = self.circuit.xor(*bit, sign);
            is_far = self.circuit.and(is_far, differs);
        }
        Ok(is_far)
    }

    /// A number that slipped in with more bits would be taken for another.
    pub fn has_few_bits(&self, word: &[Lit]) -> Result<(), Refusal> {
        match self.near {
            Some(bits) if word[bits - 1..].iter().any(|bit| *bit != word[bits - 1]) => {
                Err(self.unsupported("a number of many bits"))
            }
            _ => Ok(()),
        }
    }

    /// What a comparison says, where that is known: two far numbers on the same side may be anything.
    pub fn if_near(&mut self, (left, right): (&Word, &Word), exact: Lit) -> Result<Lit, Refusal> {
        if self.near.is_none() {
            return Ok(exact);
        }
        let is_far = self.is_far(left)?;
        self.has_few_bits(right)?;
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
