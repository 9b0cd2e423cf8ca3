//! How do machine words compute, bit by bit?
//!
//! A word is a list of literals, the least significant bit first, and means a number in two's complement. Operations are those
//! of `evaluate`. Constant operands fold in the gates; this file looks for them only where that is not enough.

use std::rc::Rc;

use super::{Circuit, Lit};

/// Bits of a number, the least significant first.
pub type Word = Rc<[Lit]>;

impl Circuit {
    /// The low bits of the value; where the word is longer than 64 bits, its sign.
    pub fn word_constant(&self, width: usize, value: i64) -> Word {
        (0..width).map(|bit| Lit::constant(value >> bit.min(63) & 1 == 1)).collect()
    }

    /// Makes a word of new inputs.
    pub fn word_input(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// The value of a word of at most 64 bits, its sign extended, if all of its bits are known.
    pub fn word_constant_of(&self, word: &[Lit]) -> Option<i64> {
        let mut value = 0;
        for (bit, lit) in word.iter().enumerate() {
            value |= i64::from(lit.as_constant()?) << bit;
        }
        let unused = 64 - word.len();
        Some(value.checked_shl(unused as u32).unwrap_or(0) >> unused.min(63))
    }

    /// The same number with more bits.
    pub fn widen(&self, word: &[Lit], width: usize) -> Word {
        let sign = word.last().copied().unwrap_or(Lit::FALSE);
        (0..width).map(|bit| word.get(bit).copied().unwrap_or(sign)).collect()
    }

    /// The low bits.
    pub fn truncate(&self, word: &[Lit], width: usize) -> Word {
        word[..width].into()
    }

    /// Bitwise complement.
    pub fn word_not(&self, word: &[Lit]) -> Word {
        word.iter().map(|lit| !*lit).collect()
    }

    /// Bitwise conjunction of two words of the same width.
    pub fn word_and(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.bitwise(a, b, Circuit::and)
    }

    /// Bitwise disjunction of two words of the same width.
    pub fn word_or(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.bitwise(a, b, Circuit::or)
    }

    /// Bitwise exclusive disjunction of two words of the same width.
    pub fn word_xor(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.bitwise(a, b, Circuit::xor)
    }

    /// The first word if the condition is true, else the second.
    pub fn word_if(&mut self, condition: Lit, yes: &[Lit], no: &[Lit]) -> Word {
        self.bitwise(yes, no, |circuit, yes, no| circuit.if_else(condition, yes, no))
    }

    /// Do two words of the same width have the same bits?
    pub fn word_equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        let mut all = Lit::TRUE;
        for (a, b) in a.iter().zip(b) {
            let same = self.equal(*a, *b);
            all = self.and(all, same);
        }
        all
    }

    /// Of signed numbers.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let enough = significant(a).max(significant(b));
        let (a, b) = (&a[..enough], &b[..enough]);
        let (Some((a_sign, a)), Some((b_sign, b))) = (a.split_last(), b.split_last()) else { return Lit::FALSE };
        // Among numbers of different signs the one whose sign is set is less.
        let less = self.less_unsigned(a, b);
        let differ = self.xor(*a_sign, *b_sign);
        self.if_else(differ, *a_sign, less)
    }

    /// Of signed numbers. It is the negation of the opposite order, so that the two are seen to exclude each other.
    pub fn less_or_equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        !self.less(b, a)
    }

    /// Is the first word less than the second, both without a sign?
    pub fn less_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        let mut less = Lit::FALSE;
        let mut last = None;
        for (a, b) in a.iter().zip(b) {
            // The same bits once more change nothing.
            if last.replace((a, b)) == Some((a, b)) {
                continue;
            }
            let differ = self.xor(*a, *b);
            less = self.if_else(differ, *b, less);
        }
        less
    }

    /// Sum modulo two to the width.
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.sum(a, b, Lit::FALSE)
    }

    /// Difference modulo two to the width.
    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let b = self.word_not(b);
        self.sum(a, &b, Lit::TRUE)
    }

    /// Negation in two's complement.
    pub fn negate(&mut self, word: &[Lit]) -> Word {
        let zero = vec![Lit::FALSE; word.len()];
        self.subtract(&zero, word)
    }

    /// Product modulo two to the width.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        debug_assert_eq!(a.len(), b.len());
        let width = a.len();
        if width <= 64 {
            if let Some(factor) = self.word_constant_of(b) {
                return self.multiply_by(a, factor);
            }
            if let Some(factor) = self.word_constant_of(a) {
                return self.multiply_by(b, factor);
            }
        }
        // Rows of zeros cost nothing, so the factor with more of them is the one that makes rows.
        let zeros = |word: &[Lit]| word.iter().filter(|lit| **lit == Lit::FALSE).count();
        let (rows, row) = if zeros(a) > zeros(b) { (a, b) } else { (b, a) };
        let mut sum = vec![Lit::FALSE; width];
        for (bit, factor) in rows.iter().enumerate() {
            if *factor != Lit::FALSE {
                let addend: Vec<Lit> = row[..width - bit].iter().map(|lit| self.and(*factor, *lit)).collect();
                let high = self.add_with(&sum[bit..], &addend, Lit::FALSE).0;
                sum.splice(bit.., high);
            }
        }
        sum.into()
    }

    /// Towards zero; the least number divided by -1 is itself, and anything divided by zero is zero.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (Some(a_sign), Some(b_sign)) = (a.last(), b.last()) else { return Rc::default() };
        let (quotient, _) = self.divide_magnitudes(a, b);
        let is_negative = self.xor(*a_sign, *b_sign);
        let quotient = self.negate_if(is_negative, &quotient);
        self.unless_zero(&quotient, b)
    }

    /// With the sign of the dividend; of a division by zero, zero.
    pub fn remainder(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let Some(a_sign) = a.last() else { return Rc::default() };
        let (_, remainder) = self.divide_magnitudes(a, b);
        let remainder = self.negate_if(*a_sign, &remainder);
        self.unless_zero(&remainder, b)
    }

    /// Of the distance only the low 5 bits count, or 6 for words of more than 32 bits.
    pub fn shift_left(&mut self, word: &[Lit], distance: &[Lit]) -> Word {
        let reversed: Vec<Lit> = word.iter().rev().copied().collect();
        let shifted = self.shift(&reversed, distance, Lit::FALSE);
        shifted.iter().rev().copied().collect()
    }

    /// The sign is shifted in.
    pub fn shift_right(&mut self, word: &[Lit], distance: &[Lit]) -> Word {
        let sign = word.last().copied().unwrap_or(Lit::FALSE);
        self.shift(word, distance, sign)
    }

    /// Zeros are shifted in.
    pub fn shift_right_unsigned(&mut self, word: &[Lit], distance: &[Lit]) -> Word {
        self.shift(word, distance, Lit::FALSE)
    }

    fn bitwise(&mut self, a: &[Lit], b: &[Lit], mut gate: impl FnMut(&mut Circuit, Lit, Lit) -> Lit) -> Word {
        debug_assert_eq!(a.len(), b.len());
        // The range, unlike a zip, tells the reference-counted list its length at once.
        (0..a.len()).map(|bit| gate(self, a[bit], b[bit])).collect()
    }

    /// The sum of two words and a carry. It needs one bit more than they do; all above only repeat its sign.
    fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Word {
        let width = a.len();
        let enough = (significant(a).max(significant(b)) + 1).min(width);
        let (sum, _) = self.add_with(&a[..enough], &b[..enough], carry);
        self.widen(&sum, width)
    }

    /// The sum of two words and a carry, and the carry out of it.
    pub(super) fn add_with(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        debug_assert_eq!(a.len(), b.len());
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let differ = self.xor(*a, *b);
            sum.push(self.xor(differ, carry));
            carry = self.if_else(differ, carry, *a);
        }
        (sum, carry)
    }

    pub(super) fn negate_if(&mut self, condition: Lit, word: &[Lit]) -> Word {
        let flipped: Vec<Lit> = word.iter().map(|lit| self.xor(*lit, condition)).collect();
        let zero = vec![Lit::FALSE; word.len()];
        self.add_with(&flipped, &zero, condition).0.into()
    }

    fn unless_zero(&mut self, word: &[Lit], divisor: &[Lit]) -> Word {
        let is_nonzero = self.any(divisor.iter().copied());
        (0..word.len()).map(|bit| self.and(word[bit], is_nonzero)).collect()
    }

    /// Runs of ones in the factor are one addition and one subtraction: 31 is 32 - 1.
    fn multiply_by(&mut self, word: &[Lit], factor: i64) -> Word {
        let (mut added, mut subtracted) = (Vec::new(), Vec::new());
        let mut rest = factor as i128;
        for bit in 0..word.len() {
            // The digit that leaves the longer run of zeros.
            match rest & 3 {
                1 => added.push(bit),
                3 => {
                    subtracted.push(bit);
                    rest += 1;
                }
                _ => {}
            }
            rest >>= 1;
        }
        let mut product = vec![Lit::FALSE; word.len()];
        for bit in added {
            let high = self.add_with(&product[bit..], &word[..word.len() - bit], Lit::FALSE).0;
            product.splice(bit.., high);
        }
        // After what is added, since to subtract from nothing is not free.
        let negated = self.word_not(word);
        for bit in subtracted {
            let high = self.add_with(&product[bit..], &negated[..word.len() - bit], Lit::TRUE).0;
            product.splice(bit.., high);
        }
        product.into()
    }

    /// Quotient and remainder of the absolute values, which are taken for unsigned numbers: that of the least number is itself.
    fn divide_magnitudes(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        debug_assert_eq!(a.len(), b.len());
        let (dividend, divisor) = (self.negate_if(a[a.len() - 1], a), self.negate_if(b[b.len() - 1], b));
        let width = dividend.len();
        // The remainder is less than the divisor, so it needs no more bits than that may have.
        let longest = width - divisor.iter().rev().take_while(|lit| **lit == Lit::FALSE).count();
        // At each place: has the divisor a bit here or above?
        let mut above = vec![Lit::FALSE; width + 1];
        for bit in (0..width).rev() {
            above[bit] = self.or(above[bit + 1], divisor[bit]);
        }
        let mut quotient = vec![Lit::FALSE; width];
        let mut remainder: Vec<Lit> = Vec::with_capacity(width + 1);
        for bit in (0..width).rev() {
            remainder.insert(0, dividend[bit]);
            let length = remainder.len();
            // The remainder has one bit more than a divisor of the full width at the most.
            let mut subtrahend: Vec<Lit> = divisor.iter().take(length).map(|lit| !*lit).collect();
            subtrahend.resize(length, Lit::TRUE);
            let (difference, fits_here) = self.add_with(&remainder, &subtrahend, Lit::TRUE);
            let fits = self.and(fits_here, !above[length.min(width)]);
            quotient[bit] = fits;
            remainder = (0..length).map(|bit| self.if_else(fits, difference[bit], remainder[bit])).collect();
            remainder.truncate(longest);
        }
        remainder.resize(width, Lit::FALSE);
        (quotient, remainder)
    }

    /// To the right.
    fn shift(&mut self, word: &[Lit], distance: &[Lit], fill: Lit) -> Word {
        let stages = if word.len() > 32 { 6 } else { 5 };
        let mut word = word.to_vec();
        for (stage, by) in distance.iter().take(stages).enumerate() {
            let far = |word: &[Lit], bit: usize| word.get(bit + (1 << stage)).copied().unwrap_or(fill);
            word = (0..word.len()).map(|bit| self.if_else(*by, far(&word, bit), word[bit])).collect();
        }
        word.into()
    }
}

/// How many bits a signed number needs: those above repeat its sign.
fn significant(word: &[Lit]) -> usize {
    let repeated = word.windows(2).rev().take_while(|pair| pair[0] == pair[1]).count();
    word.len() - repeated
}
