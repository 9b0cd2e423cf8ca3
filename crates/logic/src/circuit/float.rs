//! How do floating-point numbers compute, bit by bit?
//!
//! A number is a word in the interchange format of IEEE 754: fraction, biased exponent, sign, the least significant bit first. Every operation unpacks
//! its operands into sign, exponent and a significand whose leading bit is set, computes as on paper, and rounds once, to the nearest, ties to even.
//! A format is two widths, so that small formats can be tried exhaustively. Operations that compute a NaN give the canonical one, as `evaluate` does.

mod fused;

use super::{Circuit, Lit, Word};

/// The widths of a binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// Bits of the biased exponent.
    pub exponent: usize,
    /// Bits of the fraction, the hidden bit not among them.
    pub fraction: usize,
}

impl FloatFormat {
    /// IEEE 754 binary32.
    pub const SINGLE: FloatFormat = FloatFormat { exponent: 8, fraction: 23 };
    /// IEEE 754 binary64.
    pub const DOUBLE: FloatFormat = FloatFormat { exponent: 11, fraction: 52 };

    /// Bits of a number.
    pub fn width(self) -> usize {
        self.exponent + self.fraction + 1
    }

    /// The greatest exponent of a finite number, and the distance from an exponent to its field.
    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Bits that hold the sum of the exponents of any two numbers, subnormal ones included, and their difference.
    fn working_exponent(self) -> usize {
        // A normalised exponent is at least 1 - bias - fraction, so a sum is less than 4 * 2^exponent for formats with fraction < 2^exponent.
        let log = usize::BITS - self.fraction.leading_zeros();
        self.exponent.max(log as usize) + 3
    }
}

/// To which integer a number is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integral {
    /// The nearest; of two, the even one.
    Even,
    /// Not above the number.
    Floor,
    /// Not below the number.
    Ceiling,
}

/// Exponents of dividend and divisor may differ by so much that the circuit still computes their remainder. Each step costs a subtraction: for
/// double precision, 64 steps are about 20,000 gates.
pub const MOST_REMAINDER_STEPS: usize = 64;

/// A number taken apart. Of NaN, infinities and zero only the sign and the flags mean something.
struct Unpacked {
    sign: Lit,
    is_nan: Lit,
    is_infinite: Lit,
    is_zero: Lit,
    /// Signed; the number is significand / 2^fraction * 2^exponent.
    exponent: Word,
    /// One bit more than the fraction; the highest is set.
    significand: Word,
}

impl Circuit {
    /// Is the number NaN?
    pub fn float_is_nan(&mut self, format: FloatFormat, a: &[Lit]) -> Lit {
        let is_special = self.all(a[format.fraction..format.width() - 1].iter().copied());
        let has_fraction = self.any(a[..format.fraction].iter().copied());
        self.and(is_special, has_fraction)
    }

    /// The number with the opposite sign; also of NaN.
    pub fn float_negate(&self, a: &[Lit]) -> Word {
        let last = a.len() - 1;
        a.iter().enumerate().map(|(bit, lit)| if bit == last { !*lit } else { *lit }).collect()
    }

    /// The number without its sign; also of NaN.
    pub fn float_absolute(&self, a: &[Lit]) -> Word {
        let last = a.len() - 1;
        a.iter().enumerate().map(|(bit, lit)| if bit == last { Lit::FALSE } else { *lit }).collect()
    }

    /// IEEE equality: zeros are equal, and NaN equals nothing.
    pub fn float_equal(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.word_equal(a, b);
        let zeros = self.both_zero(a, b);
        let equal = self.or(same, zeros);
        let ordered = self.ordered(format, a, b);
        self.and(ordered, equal)
    }

    /// IEEE order; false if one is NaN.
    pub fn float_less(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let less = self.less_if_ordered(a, b);
        let ordered = self.ordered(format, a, b);
        self.and(ordered, less)
    }

    /// IEEE order; false if one is NaN.
    pub fn float_less_or_equal(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let greater = self.less_if_ordered(b, a);
        let ordered = self.ordered(format, a, b);
        self.and(ordered, !greater)
    }

    /// Sum.
    pub fn float_add(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let (fraction, top) = (format.fraction, format.width() - 1);
        let (a_nan, b_nan) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        let (a_sign, b_sign) = (a[top], b[top]);
        let opposite = self.xor(a_sign, b_sign);
        // The greater magnitude first, so that the difference of significands is not negative.
        let is_swapped = self.less_unsigned(&a[..top], &b[..top]);
        let great = self.word_if(is_swapped, b, a);
        let small = self.word_if(is_swapped, a, b);
        let (great_infinite, small_infinite) = (self.is_special(format, &great), self.is_special(format, &small));
        let (great_field, great_significand) = self.plain_parts(format, &great);
        let (small_field, small_significand) = self.plain_parts(format, &small);
        // Three bits below the last place: guard, round and sticky. That is enough for one rounding to nearest, since a shift by two or more leaves a
        // difference with at most one leading zero.
        let below = |word: &[Lit]| -> Vec<Lit> { [Lit::FALSE; 3].iter().chain(word).copied().collect() };
        let distance = self.subtract(&great_field, &small_field);
        let (mut shifted, sticky) = self.shift_right_sticky(&below(&small_significand), &distance);
        shifted[0] = self.or(shifted[0], sticky);
        let zero_extended = |word: Vec<Lit>| -> Vec<Lit> { word.into_iter().chain([Lit::FALSE]).collect() };
        let (one, other) = (zero_extended(below(&great_significand)), zero_extended(shifted));
        let other: Vec<Lit> = other.into_iter().map(|lit| self.xor(lit, opposite)).collect();
        let sum = self.add_with(&one, &other, opposite).0;
        let is_zero = !self.any(sum.iter().copied());
        let (normal, zeros) = self.normalise(&sum);
        // The highest bit of the sum is one above the leading place of the greater operand.
        let width = format.working_exponent();
        let exponent = self.unsigned(&great_field, width);
        let offset = self.word_constant(width, 1 - format.bias());
        let exponent = self.add(&exponent, &offset);
        let zeros = self.unsigned(&zeros, width);
        let exponent = self.subtract(&exponent, &zeros);
        let sign = great[top];
        let rounded = self.round(format, sign, &exponent, &normal, Lit::FALSE, true);
        let zero_sign = self.and(a_sign, b_sign);
        let zero = self.signed_zero(format, zero_sign);
        let finite = self.word_if(is_zero, &zero, &rounded);
        let infinite = self.infinity(format, sign);
        let result = self.word_if(great_infinite, &infinite, &finite);
        let both = self.and(great_infinite, small_infinite);
        let cancelled = self.and(both, opposite);
        let is_nan = self.any([a_nan, b_nan, cancelled]);
        debug_assert_eq!(result.len(), fraction + format.exponent + 1);
        self.unless_nan(format, is_nan, &result)
    }

    /// Difference.
    pub fn float_subtract(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        // The sign of a NaN does not matter to a sum.
        let negated = self.float_negate(b);
        self.float_add(format, a, &negated)
    }

    /// Product.
    pub fn float_multiply(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = (self.unpack(format, a), self.unpack(format, b));
        let wide = 2 * (format.fraction + 1);
        let (one, other) = (self.unsigned(&a.significand, wide), self.unsigned(&b.significand, wide));
        let product = self.multiply(&one, &other);
        let exponent = self.add(&a.exponent, &b.exponent);
        // A product of two numbers from [1, 2) lies in [1, 4).
        let (normal, exponent) = self.normalise_by_one(&product, &exponent);
        let sign = self.xor(a.sign, b.sign);
        let rounded = self.round(format, sign, &exponent, &normal, Lit::FALSE, true);
        let is_zero = self.or(a.is_zero, b.is_zero);
        let is_infinite = self.or(a.is_infinite, b.is_infinite);
        let undefined = self.and(is_zero, is_infinite);
        let is_nan = self.any([a.is_nan, b.is_nan, undefined]);
        self.select(format, sign, is_nan, is_infinite, is_zero, &rounded)
    }

    /// Quotient.
    pub fn float_divide(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = (self.unpack(format, a), self.unpack(format, b));
        // Restoring division, digit by digit. Invariant: the remainder is less than twice the divisor, since both significands lie in [1, 2).
        let length = format.fraction + 2;
        let mut rest: Vec<Lit> = self.unsigned(&a.significand, length).to_vec();
        let divisor = self.unsigned(&b.significand, length);
        let mut quotient = Vec::new();
        for _ in 0..format.fraction + 3 {
            let (fits, reduced) = self.reduce(&rest, &divisor);
            quotient.push(fits);
            rest = std::iter::once(Lit::FALSE).chain(reduced[..length - 1].iter().copied()).collect();
        }
        quotient.reverse();
        let sticky = self.any(rest);
        let exponent = self.subtract(&a.exponent, &b.exponent);
        // The quotient lies in (1/2, 2); `normalise_by_one` counts from [1, 4).
        let minus_one = self.word_constant(exponent.len(), -1);
        let lower = self.add(&exponent, &minus_one);
        let (normal, exponent) = self.normalise_by_one(&quotient, &lower);
        let sign = self.xor(a.sign, b.sign);
        let rounded = self.round(format, sign, &exponent, &normal, sticky, true);
        let is_infinite = self.or(a.is_infinite, b.is_zero);
        let is_zero = self.or(a.is_zero, b.is_infinite);
        let zeros = self.and(a.is_zero, b.is_zero);
        let infinities = self.and(a.is_infinite, b.is_infinite);
        let is_nan = self.any([a.is_nan, b.is_nan, zeros, infinities]);
        self.select(format, sign, is_nan, is_infinite, is_zero, &rounded)
    }

    /// Square root.
    pub fn float_square_root(&mut self, format: FloatFormat, a: &[Lit]) -> Word {
        let a = self.unpack(format, a);
        let fraction = format.fraction;
        // With an even exponent the significand lies in [1, 4) and its root in [1, 2). The root has guard bits, and what is left is sticky.
        let is_odd = a.exponent[0];
        let length = fraction + 2;
        let once: Vec<Lit> = a.significand.iter().copied().chain([Lit::FALSE]).collect();
        let twice: Vec<Lit> = std::iter::once(Lit::FALSE).chain(a.significand.iter().copied()).collect();
        let significand = self.word_if(is_odd, &twice, &once);
        let mut radicand = vec![Lit::FALSE; 2 * length - 2 - fraction];
        radicand.extend(significand.iter().copied());
        radicand.resize(2 * length, Lit::FALSE);
        // One digit of the root for two of the radicand. Invariant: rest = digits so far - root², and rest <= 2 * root.
        let (mut root, mut rest): (Vec<Lit>, Vec<Lit>) = (Vec::new(), Vec::new());
        for digit in (0..length).rev() {
            rest.splice(0..0, [radicand[2 * digit], radicand[2 * digit + 1]]);
            let mut trial = vec![Lit::TRUE, Lit::FALSE];
            trial.extend(root.iter().copied());
            trial.resize(rest.len(), Lit::FALSE);
            let (fits, reduced) = self.reduce(&rest, &trial);
            root.insert(0, fits);
            rest = reduced;
            // By the invariant, one bit more than the root has is enough.
            rest.truncate(root.len() + 1);
        }
        let sticky = self.any(rest);
        // Half of an exponent that is even: the lowest bit is dropped, which rounds an odd one down.
        let half: Word = a.exponent[1..].into();
        let exponent = self.widen(&half, a.exponent.len());
        // Half of the least exponent is that of a normal number, unless the format has few exponents for its fraction.
        let may_underflow = format.fraction as i64 >= format.bias();
        let rounded = self.round(format, a.sign, &exponent, &root, sticky, may_underflow);
        let is_negative = self.and(a.sign, !a.is_zero);
        let is_nan = self.or(a.is_nan, is_negative);
        self.select(format, a.sign, is_nan, a.is_infinite, a.is_zero, &rounded)
    }

    /// The remainder of truncated division, where exponents differ by at most [`MOST_REMAINDER_STEPS`]; the second literal says where they do not. There, the
    /// word is one of new inputs, of which the third literal says facts that every remainder satisfies.
    pub fn float_remainder(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit], steps: usize) -> (Word, Lit, Lit) {
        let top = format.width() - 1;
        let dividend = a;
        let (a, b) = (self.unpack(format, a), self.unpack(format, b));
        let width = a.exponent.len();
        let gap = self.subtract(&a.exponent, &b.exponent);
        let is_small = gap[width - 1];
        // No gap of the format is greater than its exponents can say.
        let steps = steps.min((1 << (width - 1)) - 1);
        let limit = self.word_constant(width, steps as i64);
        let too_far = self.less(&limit, &gap);
        // Long division from the highest digit on. Step i subtracts if the digit exists, that is, if i <= gap; between two steps the rest is doubled.
        let length = format.fraction + 2;
        let mut rest: Vec<Lit> = self.unsigned(&a.significand, length).to_vec();
        let divisor = self.unsigned(&b.significand, length);
        for step in (0..=steps).rev() {
            let number = self.word_constant(width, step as i64);
            let is_active = self.less_or_equal(&number, &gap);
            let (_, reduced) = self.reduce(&rest, &divisor);
            let next: Vec<Lit> = if step == 0 {
                reduced
            } else {
                std::iter::once(Lit::FALSE).chain(reduced[..length - 1].iter().copied()).collect()
            };
            rest = self.word_if(is_active, &next, &rest).to_vec();
        }
        let is_zero = !self.any(rest.iter().copied());
        let (normal, zeros) = self.normalise(&rest);
        let zeros = self.unsigned(&zeros, width);
        let one = self.word_constant(width, 1);
        let exponent = self.add(&b.exponent, &one);
        let exponent = self.subtract(&exponent, &zeros);
        let rounded = self.round(format, a.sign, &exponent, &normal, Lit::FALSE, true);
        let zero = self.signed_zero(format, a.sign);
        let divided = self.word_if(is_zero, &zero, &rounded);
        let is_dividend = self.any([is_small, a.is_zero, b.is_infinite]);
        let is_nan = self.any([a.is_nan, b.is_nan, a.is_infinite, b.is_zero]);
        let is_plain = self.and(!is_dividend, !is_nan);
        let open = self.and(is_plain, too_far);
        if open == Lit::FALSE {
            let result = self.word_if(is_dividend, dividend, &divided);
            return (self.unless_nan(format, is_nan, &result), open, Lit::TRUE);
        }
        let unknown = self.word_input(top);
        let packed_divisor: Vec<Lit> = {
            let sign = Lit::FALSE;
            let packed = self.round(format, sign, &b.exponent, &b.significand, Lit::FALSE, true);
            packed[..top].to_vec()
        };
        let is_below = self.less_unsigned(&unknown, &packed_divisor);
        let fact = self.implies(open, is_below);
        let unknown: Vec<Lit> = unknown.iter().copied().chain([a.sign]).collect();
        let divided = self.word_if(open, &unknown, &divided);
        let result = self.word_if(is_dividend, dividend, &divided);
        (self.unless_nan(format, is_nan, &result), open, fact)
    }

    /// The integer that is nearest, or next in one direction. The sign stays, also of zero.
    pub fn float_integral(&mut self, format: FloatFormat, a: &[Lit], to: Integral) -> Word {
        let number = a;
        let fraction = format.fraction;
        let a = self.unpack(format, a);
        let width = a.exponent.len();
        let last = self.word_constant(width, fraction as i64);
        let is_integral = self.less_or_equal(&last, &a.exponent);
        // The point moves behind the last place of the significand: a shift by fraction - exponent, and two bits for guard and what lies below.
        let distance = self.subtract(&last, &a.exponent);
        let distance: Vec<Lit> = (0..width).map(|bit| self.and(distance[bit], !is_integral)).collect();
        let padded: Vec<Lit> = [Lit::FALSE; 2].iter().chain(a.significand.iter()).copied().collect();
        let (shifted, sticky) = self.shift_right_sticky(&padded, &distance);
        let rest = self.any([shifted[0], sticky]);
        let guard = shifted[1];
        let whole = &shifted[2..];
        let inexact = self.or(guard, rest);
        let up = match to {
            Integral::Even => {
                let past_half = self.or(rest, whole[0]);
                self.and(guard, past_half)
            }
            Integral::Floor => self.and(inexact, a.sign),
            Integral::Ceiling => self.and(inexact, !a.sign),
        };
        let wide: Vec<Lit> = whole.iter().copied().chain([Lit::FALSE]).collect();
        let zeros = vec![Lit::FALSE; wide.len()];
        let magnitude = self.add_with(&wide, &zeros, up).0;
        let is_zero = !self.any(magnitude.iter().copied());
        let rounded = self.of_magnitude(format, a.sign, &magnitude);
        let zero = self.signed_zero(format, a.sign);
        let rounded = self.word_if(is_zero, &zero, &rounded);
        let keeps = self.any([is_integral, a.is_infinite, a.is_zero]);
        let result = self.word_if(keeps, number, &rounded);
        self.unless_nan(format, a.is_nan, &result)
    }

    /// The same number in another format, rounded.
    pub fn float_convert(&mut self, from: FloatFormat, to: FloatFormat, a: &[Lit]) -> Word {
        let a = self.unpack(from, a);
        let is_wider = to.exponent > from.exponent && to.fraction >= from.fraction;
        let width = a.exponent.len().max(to.working_exponent());
        let exponent = self.widen(&a.exponent, width);
        let rounded = self.round(to, a.sign, &exponent, &a.significand, Lit::FALSE, !is_wider);
        self.select(to, a.sign, a.is_nan, a.is_infinite, a.is_zero, &rounded)
    }

    /// A signed integer as a floating-point number, rounded.
    pub fn float_of_integer(&mut self, format: FloatFormat, integer: &[Lit]) -> Word {
        let sign = integer[integer.len() - 1];
        let magnitude = self.negate_if(sign, integer);
        let is_zero = !self.any(integer.iter().copied());
        let rounded = self.of_magnitude(format, sign, &magnitude);
        let zero = self.signed_zero(format, Lit::FALSE);
        self.word_if(is_zero, &zero, &rounded)
    }

    /// A signed integer: towards zero, the nearest one if it does not fit, zero for NaN.
    pub fn float_to_integer(&mut self, format: FloatFormat, a: &[Lit], width: usize) -> Word {
        let fraction = format.fraction;
        let a = self.unpack(format, a);
        // Subnormal numbers are below one, so the exponent that matters is not negative: the significand is shifted left by it, and the integer begins
        // where the point was.
        let exponent_width = a.exponent.len().max(9);
        let exponent = self.widen(&a.exponent, exponent_width);
        let is_small = exponent[exponent_width - 1];
        let limit = self.word_constant(exponent_width, width as i64 - 1);
        let too_large = self.less_or_equal(&limit, &exponent);
        let mut shifted: Vec<Lit> = a.significand.to_vec();
        shifted.resize(fraction + width, Lit::FALSE);
        let stages = usize::BITS - (width - 1).leading_zeros();
        for (stage, by) in exponent.iter().take(stages as usize).enumerate() {
            let near = shifted.clone();
            for bit in 0..shifted.len() {
                let far = bit.checked_sub(1 << stage).map_or(Lit::FALSE, |bit| near[bit]);
                shifted[bit] = self.if_else(*by, far, near[bit]);
            }
        }
        let magnitude = &shifted[fraction..];
        let value = self.negate_if(a.sign, magnitude);
        let least = i64::MIN >> (64 - width);
        let (least, greatest) = (self.word_constant(width, least), self.word_constant(width, !least));
        let saturated = self.word_if(a.sign, &least, &greatest);
        let zero = self.word_constant(width, 0);
        let too_large = self.or(too_large, a.is_infinite);
        let fitting = self.word_if(is_small, &zero, &value);
        let result = self.word_if(too_large, &saturated, &fitting);
        let is_nothing = self.or(a.is_nan, a.is_zero);
        self.word_if(is_nothing, &zero, &result)
    }

    /// The canonical NaN where the condition is true.
    pub fn unless_nan(&mut self, format: FloatFormat, is_nan: Lit, word: &[Lit]) -> Word {
        let (fraction, width) = (format.fraction, format.width());
        let nan: Word = (0..width).map(|bit| Lit::constant((fraction - 1..width - 1).contains(&bit))).collect();
        self.word_if(is_nan, &nan, word)
    }

    fn ordered(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.and(!a, !b)
    }

    fn both_zero(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = a[..a.len() - 1].iter().chain(&b[..b.len() - 1]).copied().collect();
        !self.any(bits)
    }

    /// Magnitudes are ordered as their bits are.
    fn less_if_ordered(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let (below, above) = (self.less_unsigned(&a[..top], &b[..top]), self.less_unsigned(&b[..top], &a[..top]));
        let same_sign = self.if_else(a[top], above, below);
        let differ = self.xor(a[top], b[top]);
        let less = self.if_else(differ, a[top], same_sign);
        let zeros = self.both_zero(a, b);
        self.and(less, !zeros)
    }

    fn is_special(&mut self, format: FloatFormat, a: &[Lit]) -> Lit {
        self.all(a[format.fraction..format.width() - 1].iter().copied())
    }

    /// The exponent's field, at least one, and the significand as it stands: that of a subnormal number has no leading bit.
    fn plain_parts(&mut self, format: FloatFormat, a: &[Lit]) -> (Word, Word) {
        let field = &a[format.fraction..format.width() - 1];
        let is_normal = self.any(field.iter().copied());
        let lowest = self.or(field[0], !is_normal);
        let field = std::iter::once(lowest).chain(field[1..].iter().copied()).collect();
        (field, a[..format.fraction].iter().copied().chain([is_normal]).collect())
    }

    fn unpack(&mut self, format: FloatFormat, a: &[Lit]) -> Unpacked {
        let top = format.width() - 1;
        let is_special = self.is_special(format, a);
        let has_fraction = self.any(a[..format.fraction].iter().copied());
        let has_field = self.any(a[format.fraction..top].iter().copied());
        let (field, significand) = self.plain_parts(format, a);
        let (significand, zeros) = self.normalise(&significand);
        let width = format.working_exponent();
        let field = self.unsigned(&field, width);
        let bias = self.word_constant(width, -format.bias());
        let exponent = self.add(&field, &bias);
        let zeros = self.unsigned(&zeros, width);
        let exponent = self.subtract(&exponent, &zeros);
        Unpacked {
            sign: a[top],
            is_nan: self.and(is_special, has_fraction),
            is_infinite: self.and(is_special, !has_fraction),
            is_zero: !self.or(has_field, has_fraction),
            exponent,
            significand: significand.into(),
        }
    }

    /// Packs a number whose significand has its leading bit set, however many bits it has, and `sticky` for what lies below. Only where the
    /// exponent may be too small for a normal number need that be looked at.
    fn round(
        &mut self,
        format: FloatFormat,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
        sticky: Lit,
        may_underflow: bool,
    ) -> Word {
        let fraction = format.fraction;
        // The kept bits, a guard bit, and one bit at least below it.
        let missing = (fraction + 3).saturating_sub(significand.len());
        let mut bits: Vec<Lit> = vec![Lit::FALSE; missing];
        bits.extend_from_slice(significand);
        let width = exponent.len();
        let mut sticky = sticky;
        let mut is_subnormal = Lit::FALSE;
        if may_underflow {
            // A subnormal number has the least exponent and loses digits instead. Example: 2^-1075 is shifted by 53 places, so that its leading bit is the
            // guard bit; the tie goes to zero.
            let least = self.word_constant(width, 1 - format.bias());
            is_subnormal = self.less(exponent, &least);
            let distance = self.subtract(&least, exponent);
            let distance: Vec<Lit> = (0..width).map(|bit| self.and(distance[bit], is_subnormal)).collect();
            let (shifted, lost) = self.shift_right_sticky(&bits, &distance);
            bits = shifted;
            sticky = self.or(sticky, lost);
        }
        let first = bits.len() - (fraction + 1);
        let guard = bits[first - 1];
        let below = self.any(bits[..first - 1].iter().copied());
        let sticky = self.or(sticky, below);
        let past_half = self.or(sticky, bits[first]);
        let up = self.and(guard, past_half);
        let bias = self.word_constant(width, format.bias());
        let field = self.add(exponent, &bias);
        // Rounding up may carry into the exponent: from subnormal to normal, to the next power of two, from the greatest number to infinity. The packed
        // format is made for that.
        let mut packed: Vec<Lit> = bits[first..first + fraction].to_vec();
        for bit in 0..format.exponent {
            let bit = field.get(bit).copied().unwrap_or(Lit::FALSE);
            packed.push(self.and(bit, !is_subnormal));
        }
        let zeros = vec![Lit::FALSE; packed.len()];
        let mut packed = self.add_with(&packed, &zeros, up).0;
        packed.push(sign);
        let overflows = self.less(&bias, exponent);
        let infinity = self.infinity(format, sign);
        self.word_if(overflows, &infinity, &packed)
    }

    /// An unsigned integer as a number; zero is not meant.
    fn of_magnitude(&mut self, format: FloatFormat, sign: Lit, magnitude: &[Lit]) -> Word {
        let (normal, zeros) = self.normalise(magnitude);
        let width = format.working_exponent().max(9);
        let highest = self.word_constant(width, magnitude.len() as i64 - 1);
        let zeros = self.unsigned(&zeros, width);
        let exponent = self.subtract(&highest, &zeros);
        self.round(format, sign, &exponent, &normal, Lit::FALSE, false)
    }

    fn select(
        &mut self,
        format: FloatFormat,
        sign: Lit,
        is_nan: Lit,
        is_infinite: Lit,
        is_zero: Lit,
        rounded: &[Lit],
    ) -> Word {
        let (zero, infinity) = (self.signed_zero(format, sign), self.infinity(format, sign));
        let finite = self.word_if(is_zero, &zero, rounded);
        let number = self.word_if(is_infinite, &infinity, &finite);
        self.unless_nan(format, is_nan, &number)
    }

    fn signed_zero(&self, format: FloatFormat, sign: Lit) -> Word {
        let top = format.width() - 1;
        (0..=top).map(|bit| if bit == top { sign } else { Lit::FALSE }).collect()
    }

    fn infinity(&self, format: FloatFormat, sign: Lit) -> Word {
        let top = format.width() - 1;
        (0..=top).map(|bit| if bit == top { sign } else { Lit::constant(bit >= format.fraction) }).collect()
    }

    /// The same unsigned number with that many bits.
    fn unsigned(&self, word: &[Lit], width: usize) -> Word {
        (0..width).map(|bit| word.get(bit).copied().unwrap_or(Lit::FALSE)).collect()
    }

    /// Does the divisor fit into the rest, both unsigned? And what is left if it is taken away where it fits.
    fn reduce(&mut self, rest: &[Lit], divisor: &[Lit]) -> (Lit, Vec<Lit>) {
        let complement = self.word_not(divisor);
        let (difference, fits) = self.add_with(rest, &complement, Lit::TRUE);
        let reduced = (0..rest.len()).map(|bit| self.if_else(fits, difference[bit], rest[bit])).collect();
        (fits, reduced)
    }

    /// Shifts the leading bit to the top, and says by how many places.
    fn normalise(&mut self, word: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let mut word = word.to_vec();
        let length = word.len();
        let stages = usize::BITS - (length - 1).leading_zeros();
        let mut count = vec![Lit::FALSE; stages as usize];
        for stage in (0..stages as usize).rev() {
            let by = 1 << stage;
            let is_empty = !self.any(word[length - by.min(length)..].iter().copied());
            count[stage] = is_empty;
            let near = word.clone();
            for bit in 0..length {
                let far = bit.checked_sub(by).map_or(Lit::FALSE, |bit| near[bit]);
                word[bit] = self.if_else(is_empty, far, near[bit]);
            }
        }
        (word, count)
    }

    /// A significand from [1, 4): shifted by one place if it is below 2. The exponent is that of the number from [1, 2).
    fn normalise_by_one(&mut self, significand: &[Lit], exponent: &[Lit]) -> (Vec<Lit>, Word) {
        let is_high = significand[significand.len() - 1];
        let shifted: Vec<Lit> = (0..significand.len())
            .map(|bit| {
                let far = if bit == 0 { Lit::FALSE } else { significand[bit - 1] };
                self.if_else(is_high, significand[bit], far)
            })
            .collect();
        let carry: Word = (0..exponent.len()).map(|bit| if bit == 0 { is_high } else { Lit::FALSE }).collect();
        (shifted, self.add(exponent, &carry))
    }

    /// Shifts to the right by an unsigned distance; was a bit lost that is set?
    fn shift_right_sticky(&mut self, word: &[Lit], distance: &[Lit]) -> (Vec<Lit>, Lit) {
        let mut word = word.to_vec();
        let mut sticky = Lit::FALSE;
        for (stage, by) in distance.iter().enumerate() {
            let places = if stage < 32 { 1usize << stage } else { usize::MAX };
            let lost = self.any(word[..places.min(word.len())].iter().copied());
            let lost = self.and(lost, *by);
            sticky = self.or(sticky, lost);
            word = (0..word.len())
                .map(|bit| {
                    let far = bit.checked_add(places).and_then(|bit| word.get(bit)).copied().unwrap_or(Lit::FALSE);
                    self.if_else(*by, far, word[bit])
                })
                .collect();
        }
        (word, sticky)
    }
}
