//! Which terms are only a longer way of writing another?
//!
//! Terms are simplified when they are made, looking at a few levels only. Symbolic execution of real code produces
//! mostly comparisons of variables behind conversions and three-way comparisons; these come out as the plain comparison.

use crate::evaluate;
use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary};

/// How deep the range of a term is looked for.
const RANGE_DEPTH: u32 = 6;

impl Terms {
    /// Logical negation.
    pub fn not(&mut self, term: Term) -> Term {
        self.unary(Unary::Not, term)
    }

    /// Conjunction.
    pub fn and(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::And, left, right)
    }

    /// Disjunction.
    pub fn or(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Or, left, right)
    }

    /// Equality in the sense of [`Binary::Equal`].
    pub fn equal(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Equal, left, right)
    }

    /// Signed comparison in the sense of [`Binary::Less`].
    pub fn less(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Less, left, right)
    }

    /// Signed comparison in the sense of [`Binary::LessOrEqual`].
    pub fn less_or_equal(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::LessOrEqual, left, right)
    }

    /// -1, 0 or 1 as the left is less than, equal to, or greater than the right; `unordered` if one is NaN.
    pub fn compare(&mut self, left: Term, right: Term, unordered: i32) -> Term {
        let (less, equal) = (self.less(left, right), self.equal(left, right));
        let (minus, zero, one) = (self.int(-1), self.int(0), self.int(1));
        let ordered = if matches!(self.sort(left), Sort::Float | Sort::Double) {
            let greater = self.less(right, left);
            let unordered = self.int(unordered);
            self.choose(greater, one, unordered)
        } else {
            one
        };
        let not_less = self.choose(equal, zero, ordered);
        self.choose(less, minus, not_less)
    }

    /// Makes a term of one operand, or a simpler one with the same meaning.
    pub fn unary(&mut self, operation: Unary, operand: Term) -> Term {
        if let Some(constant) = self.as_constant(operand) {
            return self.constant(evaluate::unary(operation, constant));
        }
        let sort = self.sort(operand);
        match (operation, self.node(operand)) {
            (Unary::Not, Node::Unary(Unary::Not, inner)) => return inner,
            (Unary::Not, Node::Binary(Binary::Less, left, right)) if self.is_integer(left) => {
                return self.less_or_equal(right, left);
            }
            (Unary::Not, Node::Binary(Binary::LessOrEqual, left, right)) if self.is_integer(left) => {
                return self.less(right, left);
            }
            (Unary::Negate, Node::Unary(Unary::Negate, inner)) => return inner,
            (Unary::Truncate, Node::Unary(Unary::Widen, inner)) => return inner,
            (Unary::Bits, Node::Unary(Unary::OfBits, inner)) | (Unary::OfBits, Node::Unary(Unary::Bits, inner)) => {
                return inner;
            }
            (Unary::Absolute, Node::Unary(Unary::Negate | Unary::Absolute, inner)) => {
                return self.unary(Unary::Absolute, inner);
            }
            // An integral number stays as it is, but for a NaN, which becomes the canonical one.
            (
                Unary::RoundEven | Unary::Floor | Unary::Ceiling,
                Node::Unary(Unary::RoundEven | Unary::Floor | Unary::Ceiling, _),
            ) => return operand,
            _ => {}
        }
        let keeps = match operation {
            Unary::SignedByte => Some((-128, 127)),
            Unary::SignedShort => Some((-32768, 32767)),
            Unary::UnsignedShort => Some((0, 65535)),
            _ => None,
        };
        if let Some((least, greatest)) = keeps {
            let range = self.range(operand);
            if range.0 >= least && range.1 <= greatest {
                return operand;
            }
        }
        let sort = match operation {
            Unary::Not | Unary::IsNan => Sort::Bool,
            Unary::Negate => sort,
            Unary::Widen | Unary::ToLong => Sort::Long,
            Unary::Truncate | Unary::SignedByte | Unary::SignedShort | Unary::UnsignedShort | Unary::ToInt => Sort::Int,
            Unary::ToFloat => Sort::Float,
            Unary::ToDouble => Sort::Double,
            Unary::Bits if sort == Sort::Float => Sort::Int,
            Unary::Bits => Sort::Long,
            Unary::OfBits if sort == Sort::Int => Sort::Float,
            Unary::OfBits => Sort::Double,
            Unary::Absolute
            | Unary::SquareRoot
            | Unary::RoundEven
            | Unary::Floor
            | Unary::Ceiling
            | Unary::Function(_) => sort,
        };
        if sort == self.sort(operand) && matches!(operation, Unary::ToFloat | Unary::ToDouble) {
            return operand;
        }
        self.intern(Node::Unary(operation, operand), sort)
    }

    /// Makes a term of two operands of one sort, or a simpler one with the same meaning.
    pub fn binary(&mut self, operation: Binary, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "{operation:?}");
        let (mut left, mut right) = (left, right);
        if let (Some(one), Some(other)) = (self.as_constant(left), self.as_constant(right)) {
            return self.constant(evaluate::binary(operation, one, other));
        }
        // One order for what may be swapped: constants last, else older terms first.
        let is_swapped = self.as_constant(left).is_some() || (self.as_constant(right).is_none() && right < left);
        if operation.is_commutative() && is_swapped {
            std::mem::swap(&mut left, &mut right);
        }
        let simpler = match operation {
            Binary::And | Binary::Or => self.connective(operation == Binary::And, left, right),
            Binary::Equal | Binary::Less | Binary::LessOrEqual => self.relation(operation, left, right),
            _ if self.is_integer(left) => self.arithmetic(operation, left, right),
            _ => None,
        };
        if let Some(term) = simpler {
            return term;
        }
        let sort = if operation.is_relation() { Sort::Bool } else { self.sort(left) };
        self.intern(Node::Binary(operation, left, right), sort)
    }

    /// The one or the other, by a truth value.
    pub fn choose(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        if yes == no {
            return yes;
        }
        if let Some(Constant::Bool(truth)) = self.as_constant(condition) {
            return if truth { yes } else { no };
        }
        if let Node::Unary(Unary::Not, inner) = self.node(condition) {
            return self.choose(inner, no, yes);
        }
        if self.sort(yes) == Sort::Bool {
            let (not, yes_constant, no_constant) = (self.not(condition), self.as_constant(yes), self.as_constant(no));
            return match (yes_constant, no_constant) {
                (Some(Constant::Bool(true)), _) => self.or(condition, no),
                (Some(_), _) => self.and(not, no),
                (_, Some(Constant::Bool(true))) => self.or(not, yes),
                (_, Some(_)) => self.and(condition, yes),
                _ => self.intern(Node::If(condition, yes, no), Sort::Bool),
            };
        }
        let sort = self.sort(yes);
        self.intern(Node::If(condition, yes, no), sort)
    }

    /// The product of two floating-point numbers plus a third, rounded once.
    pub fn fused(&mut self, one: Term, other: Term, added: Term) -> Term {
        let constant = |term| self.as_constant(term);
        if let (Some(one), Some(other), Some(added)) = (constant(one), constant(other), constant(added)) {
            return self.constant(evaluate::fused(one, other, added));
        }
        // As for all operations that may be swapped, constants come last, else older terms first.
        let is_swapped = constant(one).is_some() || (constant(other).is_none() && other < one);
        let (one, other) = if is_swapped { (other, one) } else { (one, other) };
        let sort = self.sort(one);
        self.intern(Node::Fused(one, other, added), sort)
    }

    /// Bounds of a bit vector that follow from its form.
    pub fn range(&self, term: Term) -> (i64, i64) {
        self.range_within(term, RANGE_DEPTH)
    }

    fn range_within(&self, term: Term, depth: u32) -> (i64, i64) {
        let all = match self.sort(term) {
            Sort::Int => (i32::MIN as i64, i32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        };
        if depth == 0 {
            return all;
        }
        match self.node(term) {
            Node::Constant(constant) => constant.integer().map_or(all, |value| (value, value)),
            Node::Variable(variable) => self.declaration(variable).range,
            Node::Unary(Unary::Widen, inner) => self.range_within(inner, depth - 1),
            Node::Unary(Unary::SignedByte, _) => (-128, 127),
            Node::Unary(Unary::SignedShort, _) => (-32768, 32767),
            Node::Unary(Unary::UnsignedShort, _) => (0, 65535),
            Node::Binary(Binary::BitAnd, _, mask) => match self.as_constant(mask).and_then(Constant::integer) {
                Some(mask) if mask >= 0 => (0, mask),
                _ => all,
            },
            Node::Binary(Binary::Add, left, right) => {
                let (left, right) = (self.range_within(left, depth - 1), self.range_within(right, depth - 1));
                let (least, greatest) = (left.0.checked_add(right.0), left.1.checked_add(right.1));
                match least.zip(greatest) {
                    // Only if the sum cannot wrap around.
                    Some((least, greatest)) if least >= all.0 && greatest <= all.1 => (least, greatest),
                    _ => all,
                }
            }
            Node::Binary(Binary::Subtract, left, right) => {
                let (left, right) = (self.range_within(left, depth - 1), self.range_within(right, depth - 1));
                let (least, greatest) = (left.0.checked_sub(right.1), left.1.checked_sub(right.0));
                match least.zip(greatest) {
                    Some((least, greatest)) if least >= all.0 && greatest <= all.1 => (least, greatest),
                    _ => all,
                }
            }
            Node::Binary(Binary::ShiftLeft, inner, distance) => {
                let distance = self.as_constant(distance).and_then(Constant::integer);
                let places = distance.and_then(|distance| u32::try_from(distance).ok()).filter(|places| *places < 31);
                let (least, greatest) = self.range_within(inner, depth - 1);
                let times = |value: i64| value.checked_mul(1 << places?);
                match times(least).zip(times(greatest)) {
                    Some((least, greatest)) if least >= all.0 && greatest <= all.1 => (least, greatest),
                    _ => all,
                }
            }
            // With the sign of the dividend, and less than the divisor.
            Node::Binary(Binary::Remainder, _, divisor) => {
                let most = self.as_constant(divisor).and_then(Constant::integer).and_then(i64::checked_abs);
                most.filter(|most| *most > 0).map_or(all, |most| (1 - most, most - 1))
            }
            Node::Unary(Unary::Truncate, inner) => {
                let inner = self.range_within(inner, depth - 1);
                if inner.0 >= all.0 && inner.1 <= all.1 { inner } else { all }
            }
            Node::If(_, yes, no) => {
                let (yes, no) = (self.range_within(yes, depth - 1), self.range_within(no, depth - 1));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            _ => all,
        }
    }

    fn is_integer(&self, term: Term) -> bool {
        matches!(self.sort(term), Sort::Int | Sort::Long)
    }

    fn connective(&mut self, is_and: bool, left: Term, right: Term) -> Option<Term> {
        if left == right {
            return Some(left);
        }
        if let Some(Constant::Bool(truth)) = self.as_constant(right) {
            return Some(if truth == is_and { left } else { right });
        }
        if self.not(left) == right {
            return Some(self.truth(!is_and));
        }
        // `a < b || a == b`, `a <= b && a != b` and `a <= b && a == b`, in either order.
        for (one, other) in [(left, right), (right, left)] {
            match (is_and, self.node(one), self.node(other)) {
                (false, Node::Binary(Binary::Less, a, b), Node::Binary(Binary::Equal, c, d))
                    if (a, b) == (c, d) || (b, a) == (c, d) =>
                {
                    return Some(self.less_or_equal(a, b));
                }
                (true, Node::Binary(Binary::LessOrEqual, a, b), Node::Binary(Binary::Equal, c, d))
                    if (a, b) == (c, d) || (b, a) == (c, d) =>
                {
                    return Some(other);
                }
                // `a == b && !(a < b)`: what is equal is not less, NaN or not.
                (true, Node::Binary(Binary::Equal, a, b), Node::Unary(Unary::Not, less)) => {
                    if let Node::Binary(Binary::Less, c, d) = self.node(less)
                        && ((a, b) == (c, d) || (b, a) == (c, d))
                    {
                        return Some(one);
                    }
                }
                (true, Node::Binary(Binary::LessOrEqual, a, b), Node::Unary(Unary::Not, equal)) => {
                    if let Node::Binary(Binary::Equal, c, d) = self.node(equal)
                        && self.is_integer(a)
                        && ((a, b) == (c, d) || (b, a) == (c, d))
                    {
                        return Some(self.less(a, b));
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn relation(&mut self, operation: Binary, left: Term, right: Term) -> Option<Term> {
        if self.sort(left) == Sort::Bool {
            // Only `Equal` compares truth values, and a constant stands on the right.
            return match self.as_constant(right) {
                Some(Constant::Bool(true)) => Some(left),
                Some(_) => Some(self.not(left)),
                None => (left == right).then(|| self.truth(true)),
            };
        }
        if !self.is_integer(left) {
            return None;
        }
        if left == right {
            return Some(self.truth(operation != Binary::Less));
        }
        if let Some(decided) = decided_by_ranges(operation, self.range(left), self.range(right)) {
            return Some(self.truth(decided));
        }
        match (self.node(left), self.node(right)) {
            (Node::Unary(Unary::Widen, one), Node::Unary(Unary::Widen, other)) => {
                return Some(self.binary(operation, one, other));
            }
            // The ranges overlap, so the constant is an int.
            (Node::Unary(Unary::Widen, one), Node::Constant(Constant::Long(value))) => {
                let other = self.int(value as i32);
                return Some(self.binary(operation, one, other));
            }
            (Node::Constant(Constant::Long(value)), Node::Unary(Unary::Widen, other)) => {
                let one = self.int(value as i32);
                return Some(self.binary(operation, one, other));
            }
            (Node::Binary(Binary::ShiftLeft, ..), _) | (_, Node::Binary(Binary::ShiftLeft, ..)) => {
                if let Some(relation) = self.relation_of_multiples(operation, left, right) {
                    return Some(relation);
                }
            }
            // Adding a constant is a bijection, so it does not matter for equality.
            (Node::Binary(Binary::Add, inner, added), Node::Constant(_))
                if operation == Binary::Equal && self.as_constant(added).is_some() =>
            {
                let value = self.binary(Binary::Subtract, right, added);
                return Some(self.equal(inner, value));
            }
            // Where a sum does not wrap around, the constants can be taken together.
            (Node::Binary(Binary::Add, inner, added), Node::Constant(bound)) => {
                let bound = bound.integer()?;
                let value = self.without_wrapping(inner, added, bound)?;
                return Some(self.binary(operation, inner, value));
            }
            (Node::Constant(bound), Node::Binary(Binary::Add, inner, added)) => {
                let bound = bound.integer()?;
                let value = self.without_wrapping(inner, added, bound)?;
                return Some(self.binary(operation, value, inner));
            }
            // On numbers of one unsigned byte, giving the byte a sign is a bijection.
            (Node::Unary(Unary::SignedByte, inner), Node::Constant(Constant::Int(value)))
                if operation == Binary::Equal && self.is_unsigned_byte(inner) =>
            {
                let value = self.int(value & 0xFF);
                return Some(self.equal(inner, value));
            }
            (Node::Unary(Unary::SignedByte, one), Node::Unary(Unary::SignedByte, other))
                if operation == Binary::Equal && self.is_unsigned_byte(one) && self.is_unsigned_byte(other) =>
            {
                return Some(self.equal(one, other));
            }
            (Node::If(condition, yes, no), Node::Constant(_)) if self.is_choice_of_constants(left) => {
                let (yes, no) = (self.binary(operation, yes, right), self.binary(operation, no, right));
                return Some(self.choose(condition, yes, no));
            }
            (Node::Constant(_), Node::If(condition, yes, no)) if self.is_choice_of_constants(right) => {
                let (yes, no) = (self.binary(operation, left, yes), self.binary(operation, left, no));
                return Some(self.choose(condition, yes, no));
            }
            _ => {}
        }
        None
    }

    /// A relation between a multiple of a power of two and a constant, or another such multiple: `x << 1 < 5` is `x < 3`.
    fn relation_of_multiples(&mut self, operation: Binary, left: Term, right: Term) -> Option<Term> {
        let constant = |terms: &Terms, term| terms.as_constant(term).and_then(Constant::integer);
        let of = |terms: &mut Terms, like: Term, value| terms.constant(Constant::of_integer(terms.sort(like), value));
        match (self.unshifted(left), self.unshifted(right)) {
            (Some((one, places)), Some((other, same))) if places == same => Some(self.binary(operation, one, other)),
            (Some((inner, places)), None) => {
                let bound = constant(self, right)?;
                let (below, above) = (bound >> places, bound.checked_add((1 << places) - 1)? >> places);
                match operation {
                    Binary::Equal if below != above => return Some(self.truth(false)),
                    _ => {}
                }
                let bound = of(self, inner, if operation == Binary::Less { above } else { below });
                Some(self.binary(operation, inner, bound))
            }
            (None, Some((inner, places))) => {
                let bound = constant(self, left)?;
                let (below, above) = (bound >> places, bound.checked_add((1 << places) - 1)? >> places);
                match operation {
                    Binary::Equal if below != above => return Some(self.truth(false)),
                    _ => {}
                }
                let bound = of(self, inner, if operation == Binary::LessOrEqual { above } else { below });
                Some(self.binary(operation, bound, inner))
            }
            _ => None,
        }
    }

    /// The term that is shifted to the left, and by how many places, if no bit of it is lost.
    fn unshifted(&self, term: Term) -> Option<(Term, u32)> {
        let Node::Binary(Binary::ShiftLeft, inner, distance) = self.node(term) else { return None };
        let places = self.as_constant(distance)?.integer()?;
        let places = u32::try_from(places).ok().filter(|places| *places < 31)?;
        let (least, greatest) = self.range(inner);
        let fits = |value: i64| {
            let shifted = value.checked_mul(1 << places)?;
            (self.sort(inner) == Sort::Long || i32::try_from(shifted).is_ok()).then_some(())
        };
        fits(least).and(fits(greatest)).map(|()| (inner, places))
    }

    fn is_unsigned_byte(&self, term: Term) -> bool {
        let (least, greatest) = self.range(term);
        least >= 0 && greatest <= 0xFF
    }

    /// `bound - added`, if neither that nor `inner + added` leaves the sort.
    fn without_wrapping(&mut self, inner: Term, added: Term, bound: i64) -> Option<Term> {
        let sort = self.sort(inner);
        let added = self.as_constant(added)?.integer()?;
        let (least, greatest) = self.range(inner);
        let fits = |value: Option<i64>| value.filter(|value| sort == Sort::Long || i32::try_from(*value).is_ok());
        fits(least.checked_add(added))?;
        fits(greatest.checked_add(added))?;
        let value = fits(bound.checked_sub(added))?;
        Some(self.constant(Constant::of_integer(sort, value)))
    }

    /// A choice between constants, or between a constant and such a choice: what a three-way comparison gives.
    fn is_choice_of_constants(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Constant(_) => true,
            Node::If(_, yes, no) => {
                (self.as_constant(yes).is_some() && self.is_choice_of_constants(no))
                    || (self.as_constant(no).is_some() && self.is_choice_of_constants(yes))
            }
            _ => false,
        }
    }

    /// The number of which two terms are the upper byte in its place and the lower one, if they are.
    fn both_bytes(&self, upper: Term, lower: Term) -> Option<Term> {
        let constant = |term: Term| self.as_constant(term).and_then(Constant::integer);
        let Node::Binary(Binary::ShiftLeft, byte, distance) = self.node(upper) else { return None };
        let Node::Binary(Binary::BitAnd, shifted, mask) = self.node(byte) else { return None };
        let Node::Binary(Binary::ShiftRight | Binary::ShiftRightUnsigned, whole, back) = self.node(shifted) else {
            return None;
        };
        let Node::Binary(Binary::BitAnd, also, low_mask) = self.node(lower) else { return None };
        let fits = constant(distance) == Some(8) && constant(back) == Some(8);
        let fits = fits && constant(mask) == Some(0xFF) && constant(low_mask) == Some(0xFF);
        (fits && whole == also).then_some(whole)
    }

    /// A quotient, remainder or combination of the bits of a widened `int` and a constant, computed in 32 bits: solvers take much longer for 64.
    fn without_widening(&mut self, operation: Binary, left: Term, right: Term) -> Option<Term> {
        let Node::Unary(Unary::Widen, inner) = self.node(left) else { return None };
        let constant = i32::try_from(self.as_constant(right)?.integer()?).ok()?;
        let fits = match operation {
            // The only quotient of two ints that is none is that of the least one and -1.
            Binary::Divide | Binary::Remainder => !matches!(constant, 0 | -1),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => true,
            _ => false,
        };
        if !fits {
            return None;
        }
        let constant = self.int(constant);
        let narrow = self.binary(operation, inner, constant);
        Some(self.unary(Unary::Widen, narrow))
    }

    fn arithmetic(&mut self, operation: Binary, left: Term, right: Term) -> Option<Term> {
        if operation == Binary::BitOr
            && let Some(whole) = self.both_bytes(left, right).or_else(|| self.both_bytes(right, left))
        {
            let mask = self.constant(Constant::of_integer(self.sort(left), 0xFFFF));
            return Some(self.binary(Binary::BitAnd, whole, mask));
        }
        if let Some(narrower) = self.without_widening(operation, left, right) {
            return Some(narrower);
        }
        let sort = self.sort(left);
        let constant = self.as_constant(right).and_then(Constant::integer);
        let of = |terms: &mut Terms, value: i64| terms.constant(Constant::of_integer(sort, value));
        Some(match (operation, constant) {
            (Binary::Subtract, Some(value)) => {
                let negated = of(self, value.wrapping_neg());
                self.binary(Binary::Add, left, negated)
            }
            (Binary::Subtract | Binary::BitXor, _) if left == right => of(self, 0),
            (Binary::BitAnd | Binary::BitOr, _) if left == right => left,
            (Binary::Add | Binary::BitOr | Binary::BitXor, Some(0)) => left,
            (Binary::Add, Some(_)) => match self.node(left) {
                Node::Binary(Binary::Add, inner, added) if self.as_constant(added).is_some() => {
                    let sum = self.binary(Binary::Add, added, right);
                    self.binary(Binary::Add, inner, sum)
                }
                _ => return None,
            },
            (Binary::Multiply | Binary::Divide, Some(1)) => left,
            (Binary::Multiply | Binary::BitAnd, Some(0)) => right,
            (Binary::Remainder, Some(1 | -1)) => of(self, 0),
            (Binary::BitAnd, Some(-1)) => left,
            (Binary::BitOr, Some(-1)) => right,
            (Binary::BitAnd, Some(0xFF)) if matches!(self.node(left), Node::Unary(Unary::SignedByte, _)) => {
                let Node::Unary(_, inner) = self.node(left) else { return None };
                self.binary(Binary::BitAnd, inner, right)
            }
            // A mask that takes nothing away.
            (Binary::BitAnd, Some(mask)) if mask > 0 && mask & mask.wrapping_add(1) == 0 => {
                let (least, greatest) = self.range(left);
                if least < 0 || greatest > mask {
                    return None;
                }
                left
            }
            (Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned, Some(distance)) => {
                let bits = if sort == Sort::Long { 63 } else { 31 };
                if distance & bits == 0 {
                    left
                } else if operation == Binary::ShiftRight
                    && let Some((inner, places)) = self.unshifted(left)
                    && places as i64 == distance
                {
                    inner
                } else {
                    return None;
                }
            }
            _ => return None,
        })
    }
}

fn decided_by_ranges(operation: Binary, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    match operation {
        Binary::Less if left.1 < right.0 => Some(true),
        Binary::Less if left.0 >= right.1 => Some(false),
        Binary::LessOrEqual if left.1 <= right.0 => Some(true),
        Binary::LessOrEqual if left.0 > right.1 => Some(false),
        Binary::Equal if left.1 < right.0 || right.1 < left.0 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_way_comparisons_become_plain_ones() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::Long), terms.variable("y", Sort::Long));
        let compared = terms.compare(x, y, 0);
        let zero = terms.int(0);
        let (less, at_most, equal) = (terms.less(x, y), terms.less_or_equal(x, y), terms.equal(x, y));
        assert_eq!(terms.less(compared, zero), less);
        assert_eq!(terms.less_or_equal(compared, zero), at_most);
        assert_eq!(terms.equal(compared, zero), equal);
        let greater = terms.less(y, x);
        assert_eq!(terms.less(zero, compared), greater);
        let at_least = terms.less_or_equal(y, x);
        assert_eq!(terms.less_or_equal(zero, compared), at_least);
    }

    #[test]
    fn conversions_do_not_hide_comparisons() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::Int), terms.variable("y", Sort::Int));
        let (wide_x, wide_y) = (terms.unary(Unary::Widen, x), terms.unary(Unary::Widen, y));
        let plain = terms.less(x, y);
        assert_eq!(terms.less(wide_x, wide_y), plain);
        let big = terms.long(1 << 40);
        let truth = terms.truth(true);
        assert_eq!(terms.less(wide_x, big), truth);
        let boolean = terms.variable_in("b", Sort::Int, (0, 1));
        assert_eq!(terms.unary(Unary::SignedByte, boolean), boolean);
    }

    #[test]
    fn a_widened_number_is_divided_in_32_bits() {
        let mut terms = Terms::new();
        let year = terms.variable("year", Sort::Int);
        let wide = terms.unary(Unary::Widen, year);
        for (operation, value) in [(Binary::Remainder, 400), (Binary::Divide, 4), (Binary::BitAnd, 3)] {
            let (long, int) = (terms.long(value), terms.int(value as i32));
            let narrow = terms.binary(operation, year, int);
            let widened = terms.unary(Unary::Widen, narrow);
            assert_eq!(terms.binary(operation, wide, long), widened);
        }
        // Neither fits: the quotient may be 2^31, and the divisor is no int.
        for divisor in [-1, 1 << 40] {
            let divisor = terms.long(divisor);
            let quotient = terms.binary(Binary::Divide, wide, divisor);
            assert_eq!(terms.node(quotient), Node::Binary(Binary::Divide, wide, divisor));
        }
    }

    #[test]
    fn bytes_of_a_character_are_the_character() {
        let mut terms = Terms::new();
        let unit = terms.variable_in("unit", Sort::Int, (0, 0xFFFF));
        let (mask, eight) = (terms.int(0xFF), terms.int(8));
        let high = terms.binary(Binary::ShiftRight, unit, eight);
        let [low, high] = [unit, high].map(|byte| terms.unary(Unary::SignedByte, byte));
        let [low, high] = [low, high].map(|byte| terms.binary(Binary::BitAnd, byte, mask));
        let high = terms.binary(Binary::ShiftLeft, high, eight);
        assert_eq!(terms.binary(Binary::BitOr, high, low), unit);
        assert_eq!(terms.binary(Binary::BitOr, low, high), unit);
    }

    #[test]
    fn digits_are_small() {
        let mut terms = Terms::new();
        let (ten, letter) = (terms.long(10), terms.int(48));
        let number = terms.variable("number", Sort::Long);
        let digit = terms.binary(Binary::Remainder, number, ten);
        let digit = terms.unary(Unary::Truncate, digit);
        let (positive, negative) =
            (terms.binary(Binary::Add, letter, digit), terms.binary(Binary::Subtract, letter, digit));
        assert_eq!((terms.range(positive), terms.range(negative)), ((39, 57), (39, 57)));
    }

    #[test]
    fn multiples_of_powers_of_two_are_compared_without_the_shift() {
        let mut terms = Terms::new();
        let small = terms.variable_in("small", Sort::Int, (-9, 9));
        let any = terms.variable("any", Sort::Int);
        let places = terms.int(2);
        let [multiple, wrapped] = [small, any].map(|inner| terms.binary(Binary::ShiftLeft, inner, places));
        assert_eq!(terms.binary(Binary::ShiftRight, multiple, places), small);
        assert_ne!(terms.binary(Binary::ShiftRight, wrapped, places), any);
        assert_eq!((terms.range(multiple), terms.range(wrapped).0), ((-36, 36), i32::MIN as i64));
        let Node::Variable(variable) = terms.node(small) else { panic!("it is a variable") };
        // For every bound, the relation says of each number what it says of the multiple.
        for number in -40..=40 {
            let bound = terms.int(number);
            for operation in [Binary::Less, Binary::LessOrEqual, Binary::Equal] {
                let (below, above) =
                    (terms.binary(operation, multiple, bound), terms.binary(operation, bound, multiple));
                for value in -9..=9 {
                    let mut model = crate::Model::default();
                    model.set(variable, Constant::Int(value));
                    let holds = |term| crate::evaluate::satisfies(&terms, &model, &[term]);
                    let (less, equal) = (value << 2 < number, value << 2 == number);
                    let expected = match operation {
                        Binary::Less => (less, !less && !equal),
                        Binary::LessOrEqual => (less || equal, !less),
                        _ => (equal, equal),
                    };
                    assert_eq!((holds(below), holds(above)), expected, "{value} {operation:?} {number}");
                }
            }
        }
        let two = terms.variable_in("two", Sort::Int, (-9, 9));
        let other = terms.binary(Binary::ShiftLeft, two, places);
        assert_eq!(terms.less(multiple, other), terms.less(small, two));
    }

    #[test]
    fn constants_are_gathered() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Int);
        let (one, two, three, five) = (terms.int(1), terms.int(2), terms.int(3), terms.int(5));
        let sum = terms.binary(Binary::Add, one, x);
        let sum = terms.binary(Binary::Add, sum, two);
        assert_eq!(terms.node(sum), Node::Binary(Binary::Add, x, three));
        let equal = terms.equal(sum, five);
        assert_eq!(equal, terms.equal(x, two));
        let difference = terms.binary(Binary::Subtract, sum, three);
        assert_eq!(difference, x);
    }

    #[test]
    fn masks_that_take_nothing_away_are_dropped() {
        let mut terms = Terms::new();
        let (small, any) = (terms.variable_in("small", Sort::Long, (0, 7)), terms.variable("any", Sort::Long));
        for mask in [7, i64::MAX] {
            let mask = terms.long(mask);
            assert_eq!(terms.binary(Binary::BitAnd, small, mask), small);
            assert_ne!(terms.binary(Binary::BitAnd, any, mask), any);
        }
    }

    #[test]
    fn comparisons_of_floats_keep_their_nans() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::Double), terms.variable("y", Sort::Double));
        let less = terms.less(x, y);
        let not_less = terms.not(less);
        assert_eq!(terms.node(not_less), Node::Unary(Unary::Not, less));
        let same = terms.equal(x, x);
        assert_eq!(terms.as_constant(same), None, "NaN is not equal to itself");
    }
}
