//! How are a product and a sum computed with a single rounding (`fusedMultiplyAdd` of IEEE 754, `Math.fma` of Java)?

use super::FloatFormat;
use crate::circuit::{Circuit, Lit, Word};

impl Circuit {
    /// The exact product of the first two plus the third, rounded once.
    pub fn float_fused(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
        let (a, b, c) = (self.unpack(format, a), self.unpack(format, b), self.unpack(format, c));
        // The product has twice as many digits, and the summand is brought to as many. The exponents of three numbers are added up.
        let length = 2 * (format.fraction + 1);
        let (one, other) = (self.unsigned(&a.significand, length), self.unsigned(&b.significand, length));
        let product = self.multiply(&one, &other);
        let width = a.exponent.len() + 2;
        let [one, other, summand_exponent] = [&a, &b, &c].map(|number| self.widen(&number.exponent, width));
        let exponent = self.add(&one, &other);
        let (product, product_exponent) = self.normalise_by_one(&product, &exponent);
        let product_is_zero = self.or(a.is_zero, b.is_zero);
        let product: Vec<Lit> = product.into_iter().map(|lit| self.and(lit, !product_is_zero)).collect();
        let mut summand = vec![Lit::FALSE; length - c.significand.len()];
        summand.extend(c.significand.iter().map(|lit| self.and(*lit, !c.is_zero)));
        // The greater magnitude first. The exponent of a zero means nothing: it comes second, and no distance makes another number of it.
        let is_before = self.less(&product_exponent, &summand_exponent);
        let is_level = self.word_equal(&product_exponent, &summand_exponent);
        let has_less = self.less_unsigned(&product, &summand);
        let is_behind = self.and(is_level, has_less);
        let is_less = self.or(is_before, is_behind);
        let is_less = self.and(is_less, !c.is_zero);
        let is_swapped = self.or(is_less, product_is_zero);
        let great = self.word_if(is_swapped, &summand, &product);
        let small = self.word_if(is_swapped, &product, &summand);
        let great_exponent = self.word_if(is_swapped, &summand_exponent, &product_exponent);
        let small_exponent = self.word_if(is_swapped, &product_exponent, &summand_exponent);
        let product_sign = self.xor(a.sign, b.sign);
        let opposite = self.xor(product_sign, c.sign);
        // As in a sum, three bits below the last place are enough.
        let below = |word: &[Lit]| -> Vec<Lit> { [Lit::FALSE; 3].iter().chain(word).copied().collect() };
        let distance = self.subtract(&great_exponent, &small_exponent);
        let (mut shifted, sticky) = self.shift_right_sticky(&below(&small), &distance);
        shifted[0] = self.or(shifted[0], sticky);
        let great: Vec<Lit> = below(&great).into_iter().chain([Lit::FALSE]).collect();
        let small: Vec<Lit> = shifted.into_iter().chain([Lit::FALSE]).map(|lit| self.xor(lit, opposite)).collect();
        let sum = self.add_with(&great, &small, opposite).0;
        let is_zero = !self.any(sum.iter().copied());
        let (normal, zeros) = self.normalise(&sum);
        // The highest bit of the sum is one above the leading place of the greater operand.
        let one = self.word_constant(width, 1);
        let exponent = self.add(&great_exponent, &one);
        let zeros = self.unsigned(&zeros, width);
        let exponent = self.subtract(&exponent, &zeros);
        let sign = self.if_else(is_swapped, c.sign, product_sign);
        let rounded = self.round(format, sign, &exponent, &normal, Lit::FALSE, true);
        let zero_sign = self.and(product_sign, c.sign);
        let zero = self.signed_zero(format, zero_sign);
        let finite = self.word_if(is_zero, &zero, &rounded);
        let product_is_infinite = self.or(a.is_infinite, b.is_infinite);
        let sign = self.if_else(product_is_infinite, product_sign, c.sign);
        let is_infinite = self.or(product_is_infinite, c.is_infinite);
        let infinite = self.infinity(format, sign);
        let result = self.word_if(is_infinite, &infinite, &finite);
        let undefined = self.and(product_is_zero, product_is_infinite);
        let cancelled = self.all([product_is_infinite, c.is_infinite, opposite]);
        let is_nan = self.any([a.is_nan, b.is_nan, c.is_nan, undefined, cancelled]);
        self.unless_nan(format, is_nan, &result)
    }
}
