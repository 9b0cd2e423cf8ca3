//! What does the procedure for orders understand? Terms are read into these before the search, so that it never looks back.

/// The unknown that is always zero: bounds are differences to it.
pub(super) const ZERO: u32 = 0;

/// An unknown integer, by its place; the first is `ZERO`.
pub(super) type VariableIndex = u32;

/// The bounds of an unknown integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    /// Is one value left?
    pub(super) fn is_fixed(self) -> bool {
        self.low == self.high
    }
}

/// The difference of two unknowns, set against a constant. Wide enough for differences of longs, and sums of many of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub left: VariableIndex,
    pub right: VariableIndex,
    pub by: i128,
}

impl Gap {
    /// The least and the greatest value of the difference.
    pub(super) fn extent(self, bounds: &[Interval]) -> (i128, i128) {
        let (left, right) = (bounds[self.left as usize], bounds[self.right as usize]);
        (left.low - right.high, left.high - right.low)
    }
}

/// The number of bits of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Int,
    Long,
}

impl Width {
    /// The least number of this width.
    pub(super) fn least(self) -> i128 {
        match self {
            Width::Int => i32::MIN as i128,
            Width::Long => i64::MIN as i128,
        }
    }

    /// The greatest number of this width.
    pub(super) fn greatest(self) -> i128 {
        -self.least() - 1
    }

    /// How far apart numbers with the same bits are.
    pub(super) fn period(self) -> i128 {
        -2 * self.least()
    }

    /// The number of this width with the same low bits.
    pub(super) fn wrap(self, value: i128) -> i128 {
        match self {
            Width::Int => value as i32 as i128,
            Width::Long => value as i64 as i128,
        }
    }
}

/// The bits of `plus - minus + offset`, wrapped around. The offset is itself of that width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub plus: VariableIndex,
    pub minus: VariableIndex,
    pub offset: i128,
    pub width: Width,
}

impl Sum {
    /// Can it be taken for a sum of unlimited integers?
    pub(super) fn never_wraps(self, bounds: &[Interval]) -> bool {
        let (low, high) = Gap { left: self.plus, right: self.minus, by: 0 }.extent(bounds);
        low + self.offset >= self.width.least() && high + self.offset <= self.width.greatest()
    }

    /// Its value where the unknowns have their low bounds.
    pub(super) fn value(self, bounds: &[Interval]) -> i128 {
        let exact = bounds[self.plus as usize].low - bounds[self.minus as usize].low + self.offset;
        self.width.wrap(exact)
    }
}

/// A comparison of two sums of which one may wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrapping {
    pub left: Sum,
    pub right: Sum,
    /// Cancels equal unknowns of `left - right`.
    pub plus: VariableIndex,
    pub minus: VariableIndex,
    /// Less, or less or equal?
    pub is_strict: bool,
}

/// A formula. Lists are ranges of the reader's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferenceFormula {
    True,
    /// `left - right <= by`
    AtMost(Gap),
    /// `left - right == by`
    Exactly(Gap),
    /// `left - right != by`
    Differs(Gap),
    /// Of two sums that may wrap around, in the reader's list.
    Compare(u32),
    /// The sum is zero once wrapped around, in the reader's list.
    Vanishes(u32),
    All(u32, u32),
    Any(u32, u32),
    /// Something that is not understood: it may be true or false.
    Opaque,
}

impl DifferenceFormula {
    /// A gap that no values satisfy: `0 - 0 <= -1`.
    pub(super) const FALSE: DifferenceFormula = DifferenceFormula::AtMost(Gap { left: ZERO, right: ZERO, by: -1 });

    /// The piece that is always, or never, satisfied.
    pub(super) fn of_truth(truth: bool) -> DifferenceFormula {
        if truth { DifferenceFormula::True } else { DifferenceFormula::FALSE }
    }
}

/// How often a sum of two unknowns and an offset of the same width can wrap around, the plainest first: after that many turns
/// its value is `plus - minus + offset - turns * period`. One and a half periods away from zero is as far as it gets.
pub(super) const TURNS: [i128; 3] = [0, 1, -1];
