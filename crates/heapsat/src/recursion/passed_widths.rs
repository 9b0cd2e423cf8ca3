//! How many bits need the numbers that executions pass from object to object?
//!
//! Heights, sizes and counters of an invariant grow by one from object to object, so they are never larger than the number of objects. The
//! solver proves this by induction over the breadth-first numbers of the atoms: the result for the last atom is at most 1, the one before it
//! at most 2, and so on; each bound is asserted before the next question. With bounds of `n` atoms, words of `log2(n) + 2` bits do, and the
//! circuit is translated once more with these.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use lazuli_logic::circuit::{Lit, Word};

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::value::SymValue;
use crate::recursion::per_object::{Execution, ExecutionKey, Occurrence};

/// The time for a question that has little to gain.
const VERY_BRIEFLY: Duration = Duration::from_millis(50);

/// Bit widths of the numbers that executions pass on.
pub(crate) type PassedWidths = BTreeMap<PassedNumber, usize>;

/// A number that executions pass from object to object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PassedNumber {
    /// The result of a method.
    Returned(u32),
    /// A local variable with which a method, or an iteration of a loop, begins: the method, the head of the loop, and the variable.
    Local(u32, Option<u32>, usize),
}

impl Executor<'_> {
    /// A variable for a number, with as many bits as it needs.
    pub(super) fn word_of_passed_width(&mut self, number: PassedNumber, width: usize) -> Word {
        let widths = self.recursion.per_object().and_then(|per_object| per_object.widths.as_ref());
        let bits = self.arithmetic.saturation().or_else(|| widths?.get(&number).copied());
        let word = self.circuit.word_input(bits.unwrap_or(width).min(width));
        self.circuit.widen(&word, width)
    }

    /// Finds the widths of results and of the counters of loops. Numbers that are missing may need all bits.
    pub(super) fn find_passed_widths(&mut self, occurrences: &[Occurrence]) -> Result<PassedWidths, Refusal> {
        let atoms = self.universe.atoms.len() as i64;
        let bits = self.result_width();
        let mut widths = PassedWidths::new();
        let (mut methods, mut iterations): (Vec<Occurrence>, Vec<Occurrence>) =
            occurrences.iter().partition(|occurrence| occurrence.key.head.is_none());
        // Results: from the last atom to the first, since the result for an object is computed from those of the objects behind it.
        methods.sort_by_key(|occurrence| std::cmp::Reverse(occurrence.key));
        for occurrences in methods.chunk_by(|one, other| one.key.method == other.key.method) {
            let mut are_small = true;
            for occurrence in occurrences {
                let Some(first) = self.first_execution(&occurrence.key) else { continue };
                let most = atoms - occurrence.key.atom as i64 + 1;
                are_small = self.is_bounded_by(first.guard, &first.promise.value, most)?;
                if !are_small {
                    break;
                }
            }
            if are_small && let Some(occurrence) = occurrences.first() {
                widths.insert(PassedNumber::Returned(occurrence.key.method), bits);
            }
        }
        // Counters of loops: from the first atom to the last.
        iterations.sort_by_key(|occurrence| occurrence.key);
        let is_same_loop =
            |one: &Occurrence, other: &Occurrence| (one.key.method, one.key.head) == (other.key.method, other.key.head);
        for occurrences in iterations.chunk_by(is_same_loop) {
            let mut large = BTreeSet::new();
            for occurrence in occurrences {
                let Some(first) = self.first_execution(&occurrence.key) else { continue };
                for (local, value) in first.arguments.iter().enumerate() {
                    if !matches!(value, SymValue::Word(_)) {
                        continue;
                    }
                    // A counter has at most counted all objects before this one.
                    let is_small = !large.contains(&local)
                        && (self.is_bounded_by(first.guard, value, occurrence.key.atom as i64 + 1)?
                            || self.is_bounded_by(first.guard, value, atoms + 1)?);
                    if is_small {
                        widths.insert(PassedNumber::Local(occurrence.key.method, occurrence.key.head, local), bits);
                    } else {
                        large.insert(local);
                    }
                }
            }
            if let Some(ExecutionKey { method, head, .. }) = occurrences.first().map(|occurrence| occurrence.key) {
                let is_large = |number: &PassedNumber| {
                    large.iter().any(|local| *number == PassedNumber::Local(method, head, *local))
                };
                widths.retain(|number, _| !is_large(number));
            }
        }
        Ok(widths)
    }

    /// Bounds the results of methods in the same order, as long as the solver proves it soon: the bounds make later questions easier. Returns
    /// the widths that follow if nothing but results is passed from object to object.
    pub(super) fn bound_results(&mut self, occurrences: &[Occurrence]) -> Result<Option<PassedWidths>, Refusal> {
        let atoms = self.universe.atoms.len() as i64;
        let of_methods = occurrences.iter().filter(|occurrence| occurrence.key.head.is_none());
        let mut methods: Vec<Occurrence> = of_methods.copied().collect();
        methods.sort_by_key(|occurrence| std::cmp::Reverse(occurrence.key));
        let mut widths = PassedWidths::new();
        for occurrence in &methods {
            let Some(first) = self.first_execution(&occurrence.key) else { continue };
            if !matches!(first.promise.value, SymValue::Word(_)) {
                continue;
            }
            let outside = self.outside(first.guard, &first.promise.value, atoms - occurrence.key.atom as i64 + 1);
            if outside != Lit::FALSE && !self.is_refuted_within(outside, VERY_BRIEFLY)? {
                return Ok(None);
            }
            self.assert_when_complete(!outside);
            widths.insert(PassedNumber::Returned(occurrence.key.method), self.result_width());
        }
        Ok((methods.len() == occurrences.len()).then_some(widths))
    }

    fn first_execution(&mut self, key: &ExecutionKey) -> Option<Execution> {
        self.per_object_state().calls.get(key).and_then(|calls| calls.first.clone())
    }

    fn result_width(&self) -> usize {
        let atoms = self.universe.atoms.len() as i64;
        // One bit for the sign.
        (i64::BITS - (atoms + 2).leading_zeros()) as usize + 1
    }

    /// Is a number between -most - 1 and most, whenever there is one? If so, this is asserted.
    fn is_bounded_by(&mut self, guard: Lit, value: &SymValue, most: i64) -> Result<bool, Refusal> {
        let outside = self.outside(guard, value, most);
        if self.is_feasible_when_complete(outside)? {
            return Ok(false);
        }
        self.assert_when_complete(!outside);
        Ok(true)
    }

    /// True if there is a number that is not between -most - 1 and most.
    fn outside(&mut self, guard: Lit, value: &SymValue, most: i64) -> Lit {
        let SymValue::Word(value) = value else { return guard };
        let (least, most) =
            (self.circuit.word_constant(value.len(), -most - 1), self.circuit.word_constant(value.len(), most));
        let (below, above) = (self.circuit.less(value, &least), self.circuit.less(&most, value));
        let outside = self.circuit.or(below, above);
        self.circuit.and(guard, outside)
    }
}
