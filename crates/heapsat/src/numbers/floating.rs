//! How do instructions compute with floating-point numbers? By the circuits that terms become, and by the same tables of operations.

use lazuli_logic::circuit::{FloatFormat, Lit, MOST_REMAINDER_STEPS, Word};
use lazuli_logic::{Binary, Sort, Unary};
use lazuli_vm::interp::{binary_of, unary_of};
use lazuli_vm::program::Op;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::GuardedPath;
use crate::exec::value::SymValue;

fn is_floating(sort: Sort) -> bool {
    matches!(sort, Sort::Float | Sort::Double)
}

impl Executor<'_> {
    /// Executes an instruction that computes with floating-point numbers; false if it is none.
    pub(crate) fn floating(&mut self, path: &mut GuardedPath, op: Op) -> Result<bool, Refusal> {
        let three_way = match op {
            Op::Fcmpl => Some((Sort::Float, false)),
            Op::Fcmpg => Some((Sort::Float, true)),
            Op::Dcmpl => Some((Sort::Double, false)),
            Op::Dcmpg => Some((Sort::Double, true)),
            _ => None,
        };
        let binary = binary_of(op).filter(|(_, sort)| is_floating(*sort));
        let converts = |operation: Unary| matches!(operation, Unary::ToFloat | Unary::ToDouble);
        let unary = unary_of(op).filter(|(operation, sort)| is_floating(*sort) || converts(*operation));
        if three_way.is_none() && binary.is_none() && unary.is_none() {
            return Ok(false);
        }
        if self.arithmetic.is_saturating() {
            return Err(self.unsupported("floating point with numbers of few bits"));
        }
        let word = if let Some((sort, unordered_is_greater)) = three_way {
            let (right, left) = (self.pop_word(path)?, self.pop_word(path)?);
            self.three_way(sort, &left, &right, unordered_is_greater)?
        } else if let Some((operation, sort)) = binary {
            let (right, left) = (self.pop_word(path)?, self.pop_word(path)?);
            if operation == Binary::Remainder {
                let format = if sort == Sort::Float { FloatFormat::SINGLE } else { FloatFormat::DOUBLE };
                let (word, open, _) = self.circuit.float_remainder(format, &left, &right, MOST_REMAINDER_STEPS);
                self.truncate_where(path, open, "a remainder of floating-point numbers that are far apart")?;
                word
            } else {
                let word = self.circuit.binary_operation(operation, sort, &left, &right);
                word.ok_or_else(|| self.unsupported(&format!("the instruction {op:?}")))?
            }
        } else if let Some((operation, sort)) = unary {
            let word = self.pop_word(path)?;
            match self.circuit.unary_operation(operation, sort, &word) {
                Some(word) => word,
                None => return Err(self.unsupported(&format!("the instruction {op:?}"))),
            }
        } else {
            return Ok(false);
        };
        let word = self.havoc_result(word);
        path.push(SymValue::Word(word));
        Ok(true)
    }

    /// -1, 0 or 1; 1 or -1 if one of them is NaN.
    fn three_way(&mut self, sort: Sort, left: &Word, right: &Word, nan_is_greater: bool) -> Result<Word, Refusal> {
        let mut relation = |operation: Binary, left: &Word, right: &Word| {
            self.circuit.binary_operation(operation, sort, left, right).map_or(Lit::FALSE, |word| word[0])
        };
        let equal = relation(Binary::Equal, left, right);
        let (less, greater) = (relation(Binary::Less, left, right), relation(Binary::Less, right, left));
        // The lowest bit says unequal, all others less, or unordered where that counts as less.
        let negative = if nan_is_greater { less } else { self.circuit.and(!equal, !greater) };
        Ok(std::iter::once(!equal).chain(std::iter::repeat_n(negative, 31)).collect())
    }
}
