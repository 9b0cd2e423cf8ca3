//! Is a divisor one of few numbers? Then each is a case of its own.
//!
//! Solvers are slow with quotients of unknown numbers by unknown numbers, and fast where the divisor is known. Example: `split(int parts)` refuses what is not
//! between 1 and 12, and divides by `parts`, `parts - 1` and so on. Once `parts` is decided, the others follow from the path condition.
//!
//! An `int` divided by the length of an array, as in `items[(first + count) % items.length]`, stays as it is: 32 bits are few enough, and the cases would be as
//! many as the scope allows elements.

use lazuli_logic::{Binary, Node, Sort, Term, Terms, Unary};

use super::Vm;
use crate::heap::Body;
use crate::outcome::Stop;
use crate::state::State;

/// Of more possible values, none is chosen.
const MOST_CASES: i64 = 16;

/// Bounds are passed on from conjunct to conjunct so often.
const ROUNDS: usize = 3;

/// A number that differs from another by a constant; the sum may wrap around.
#[derive(Clone, Copy)]
struct Shifted {
    base: Term,
    by: i64,
}

impl Vm {
    /// The divisor, as a constant if the path condition leaves few values to it: asks which of them it is. It is known not to be zero.
    pub(super) fn known_divisor(&mut self, state: &State, divisor: Term, sort: Sort) -> Result<Term, Stop> {
        if self.terms.as_constant(divisor).is_some() {
            return Ok(divisor);
        }
        let Some((least, greatest)) = known_range(&self.terms, &state.symbols.condition.conjuncts, divisor) else {
            return Ok(divisor);
        };
        if greatest.checked_sub(least).is_none_or(|width| width >= MOST_CASES) {
            return Ok(divisor);
        }
        let values: Vec<Term> = (least..=greatest)
            .filter(|value| *value != 0)
            .map(|value| if sort == Sort::Int { self.terms.int(value as i32) } else { self.terms.long(value) })
            .collect();
        if let [only] = values.as_slice() {
            return Ok(*only);
        }
        if sort == Sort::Int && self.is_length(state, shifted(&self.terms, divisor).base) {
            return Ok(divisor);
        }
        let cases = values.iter().map(|value| self.terms.equal(divisor, *value)).collect();
        let chosen = self.decide_case(state, cases)?;
        Ok(values[chosen])
    }

    /// Is the number the length of an array?
    fn is_length(&mut self, state: &State, number: Term) -> bool {
        let lengths = state.heap.ids().filter_map(|object| match &state.heap.get(object).body {
            Body::Sparse(sparse) => Some(sparse.length),
            _ => None,
        });
        lengths.into_iter().any(|length| self.term_of(length, Sort::Int) == Some(number))
    }
}

/// Bounds of a number that follow from conditions which compare it, or what differs from it by a constant, with constants. None if they may be wrong because
/// a sum wraps around.
fn known_range(terms: &Terms, conjuncts: &[Term], number: Term) -> Option<(i64, i64)> {
    let wanted = shifted(terms, number);
    let mut range = terms.range(wanted.base);
    for _ in 0..ROUNDS {
        let before = range;
        for conjunct in conjuncts {
            range = narrowed(terms, *conjunct, wanted.base, range);
        }
        if range == before {
            break;
        }
    }
    let sum = sum_within(terms, wanted, range)?;
    (sum.0 <= sum.1).then_some(sum)
}

/// The range of a number within that of its base, if the sum does not wrap around.
fn sum_within(terms: &Terms, number: Shifted, (least, greatest): (i64, i64)) -> Option<(i64, i64)> {
    let (lowest, highest) = match terms.sort(number.base) {
        Sort::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    };
    let sum = (least.checked_add(number.by)?, greatest.checked_add(number.by)?);
    (sum.0 >= lowest && sum.1 <= highest).then_some(sum)
}

/// The part of the range of a number that a condition leaves.
fn narrowed(terms: &Terms, condition: Term, base: Term, range: (i64, i64)) -> (i64, i64) {
    let (relation, is_true) = match terms.node(condition) {
        Node::Unary(Unary::Not, inner) => (inner, false),
        _ => (condition, true),
    };
    let Node::Binary(operation, left, right) = terms.node(relation) else { return range };
    let constant = |term: Term| terms.as_constant(term).and_then(lazuli_logic::Constant::integer);
    // Read as `number relation constant`, with both bounds included.
    let (number, bounds) = match (operation, constant(left), constant(right)) {
        (Binary::Equal, None, Some(value)) if is_true => (left, (Some(value), Some(value))),
        (Binary::Equal, Some(value), None) if is_true => (right, (Some(value), Some(value))),
        (Binary::Less, None, Some(value)) if is_true => (left, (None, value.checked_sub(1))),
        (Binary::Less, Some(value), None) if is_true => (right, (value.checked_add(1), None)),
        (Binary::LessOrEqual, None, Some(value)) if is_true => (left, (None, Some(value))),
        (Binary::LessOrEqual, Some(value), None) if is_true => (right, (Some(value), None)),
        (Binary::Less, None, Some(value)) => (left, (Some(value), None)),
        (Binary::Less, Some(value), None) => (right, (None, Some(value))),
        (Binary::LessOrEqual, None, Some(value)) => (left, (value.checked_add(1), None)),
        (Binary::LessOrEqual, Some(value), None) => (right, (None, value.checked_sub(1))),
        _ => return range,
    };
    let number = shifted(terms, number);
    if number.base != base || sum_within(terms, number, range).is_none() {
        return range;
    }
    let moved = |bound: Option<i64>| bound.and_then(|bound| bound.checked_sub(number.by));
    (
        moved(bounds.0).map_or(range.0, |least| range.0.max(least)),
        moved(bounds.1).map_or(range.1, |most| range.1.min(most)),
    )
}

/// Takes a constant and widening off a number.
fn shifted(terms: &Terms, number: Term) -> Shifted {
    let number = narrow(terms, number);
    let constant = |term: Term| terms.as_constant(term).and_then(lazuli_logic::Constant::integer);
    let (base, by) = match terms.node(number) {
        Node::Binary(Binary::Add, one, other) => match (constant(one), constant(other)) {
            (None, Some(by)) => (one, by),
            (Some(by), None) => (other, by),
            _ => (number, 0),
        },
        Node::Binary(Binary::Subtract, one, other) => match constant(other).and_then(i64::checked_neg) {
            Some(by) => (one, by),
            None => (number, 0),
        },
        _ => (number, 0),
    };
    // The sum of a widened number cannot wrap around where one of the number itself does not.
    Shifted { base: narrow(terms, base), by }
}

/// The number that was widened, if it was.
fn narrow(terms: &Terms, number: Term) -> Term {
    match terms.node(number) {
        Node::Unary(Unary::Widen, inner) => inner,
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_from_conditions_on_shifted_numbers() {
        let mut terms = Terms::new();
        let parts = terms.variable("parts", Sort::Int);
        let [one, twelve, zero] = [1, 12, 0].map(|value| terms.int(value));
        let (below, above) = (terms.less(parts, one), terms.less(twelve, parts));
        let conjuncts = [terms.not(below), terms.not(above)];
        assert_eq!(known_range(&terms, &conjuncts, parts), Some((1, 12)));
        let less = terms.int(-3);
        let rest = terms.binary(Binary::Add, parts, less);
        let wide = terms.unary(Unary::Widen, rest);
        assert_eq!(known_range(&terms, &conjuncts, wide), Some((-2, 9)));
        let goes_on = terms.less(zero, rest);
        let conjuncts = [conjuncts[0], conjuncts[1], goes_on];
        assert_eq!(known_range(&terms, &conjuncts, wide), Some((1, 9)));
    }

    #[test]
    fn a_sum_that_may_wrap_around_bounds_nothing() {
        let mut terms = Terms::new();
        let number = terms.variable("number", Sort::Int);
        let (three, zero) = (terms.int(3), terms.int(0));
        let sum = terms.binary(Binary::Add, number, three);
        let is_small = terms.less(sum, zero);
        assert_eq!(known_range(&terms, &[is_small], sum), None);
        assert_eq!(known_range(&terms, &[is_small], number), Some((i64::from(i32::MIN), i64::from(i32::MAX))));
    }
}
