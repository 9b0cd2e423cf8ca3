//! What do terms say about differences of integers? Reads conjuncts into pieces.

use super::piece::{DifferenceFormula, Gap, Interval, Sum, TURNS, VariableIndex, Width, Wrapping, ZERO};
use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary};

/// How deep formulas and sums are read.
const DEPTH: u32 = 64;
/// How much is read, for terms that share so much that they are small in memory only.
const READ: u32 = 10_000;

/// A place for each unknown integer, and what is required of them; kept for its memory.
#[derive(Default)]
pub(super) struct Reader {
    pub unknowns: Vec<DifferenceVariable>,
    /// The bounds of the unknowns from the start.
    pub declared: Vec<Interval>,
    /// A condition that has to be true.
    pub required: Vec<DifferenceFormula>,
    /// The sums that pieces want to vanish.
    pub vanishing: Vec<Sum>,
    /// The comparisons of pieces whose sums may wrap around.
    pub wrapping: Vec<Wrapping>,
    pieces: Vec<DifferenceFormula>,
    /// The places of terms, each with the number of the question in which it was given.
    places: Vec<(u32, VariableIndex)>,
    question: u32,
    left_to_read: u32,
    waiting: Vec<(Term, bool)>,
}

#[derive(Clone, Copy)]
pub(super) struct DifferenceVariable {
    /// Nothing for zero.
    pub term: Option<Term>,
    /// Something else than a variable, or a sum of variables, whose value follows from values not known here.
    pub is_opaque: bool,
}

impl Reader {
    /// Reads conjuncts into pieces, in their order.
    pub(super) fn read(&mut self, terms: &Terms, conjuncts: &[Term]) {
        self.start(terms);
        self.waiting.extend(conjuncts.iter().rev().map(|conjunct| (*conjunct, true)));
        // Conjunctions may be deep, so these are taken apart in a loop.
        while let Some((term, is_true)) = self.waiting.pop() {
            match (terms.node(term), is_true) {
                _ if self.left_to_read == 0 => {
                    self.waiting.clear();
                    self.required.push(DifferenceFormula::Opaque);
                }
                (Node::Unary(Unary::Not, inner), _) => {
                    self.left_to_read -= 1;
                    self.waiting.push((inner, !is_true));
                }
                (Node::Binary(Binary::And, left, right), true) | (Node::Binary(Binary::Or, left, right), false) => {
                    self.left_to_read -= 1;
                    self.waiting.extend([(right, is_true), (left, is_true)]);
                }
                _ => {
                    let piece = self.formula(terms, term, is_true, DEPTH);
                    self.required.push(piece);
                }
            }
        }
    }

    /// The pieces at the indices from `start` to before `end`.
    pub(super) fn list(&self, start: u32, end: u32) -> &[DifferenceFormula] {
        &self.pieces[start as usize..end as usize]
    }

    fn start(&mut self, terms: &Terms) {
        self.unknowns.clear();
        self.declared.clear();
        self.required.clear();
        self.vanishing.clear();
        self.wrapping.clear();
        self.pieces.clear();
        self.waiting.clear();
        self.left_to_read = READ;
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            // Numbers start again: what has an old one must not be taken for new.
            self.places.clear();
            self.question = 1;
        }
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), (0, ZERO));
        }
        self.unknowns.push(DifferenceVariable { term: None, is_opaque: false });
        self.declared.push(Interval { low: 0, high: 0 });
    }

    /// The piece that is true exactly if the term has that truth value.
    fn formula(&mut self, terms: &Terms, term: Term, is_true: bool, depth: u32) -> DifferenceFormula {
        if depth == 0 || self.left_to_read == 0 {
            return DifferenceFormula::Opaque;
        }
        self.left_to_read -= 1;
        let depth = depth - 1;
        match terms.node(term) {
            Node::Constant(constant) => DifferenceFormula::of_truth(constant == Constant::Bool(is_true)),
            Node::Unary(Unary::Not, inner) => self.formula(terms, inner, !is_true, depth),
            Node::Binary(operation @ (Binary::And | Binary::Or), left, right) => {
                let both = [left, right].map(|side| self.formula(terms, side, is_true, depth));
                if (operation == Binary::And) == is_true { self.all(&both) } else { self.any(&both) }
            }
            Node::If(condition, yes, no) => self.choice(terms, condition, depth, |reader, is_yes| {
                reader.formula(terms, if is_yes { yes } else { no }, is_true, depth)
            }),
            Node::Binary(operation @ (Binary::Equal | Binary::Less | Binary::LessOrEqual), left, right) => {
                match (operation, terms.sort(left)) {
                    (Binary::Equal, Sort::Bool) => self.same_truth(terms, left, right, is_true, depth),
                    (_, Sort::Int | Sort::Long) => self.relation(terms, operation, [left, right], is_true, depth),
                    _ => self.opaque_truth(terms, term, is_true),
                }
            }
            Node::Variable(_) => self.truth_of_place(terms, term, is_true),
            _ => self.opaque_truth(terms, term, is_true),
        }
    }

    fn choice(
        &mut self,
        terms: &Terms,
        condition: Term,
        depth: u32,
        mut side: impl FnMut(&mut Reader, bool) -> DifferenceFormula,
    ) -> DifferenceFormula {
        let sides = [true, false].map(|is_yes| {
            let both = [self.formula(terms, condition, is_yes, depth), side(self, is_yes)];
            self.all(&both)
        });
        self.any(&sides)
    }

    fn same_truth(&mut self, terms: &Terms, left: Term, right: Term, is_same: bool, depth: u32) -> DifferenceFormula {
        if let (Node::Variable(_), Node::Variable(_)) = (terms.node(left), terms.node(right)) {
            let gap = Gap { left: self.place(terms, left, false), right: self.place(terms, right, false), by: 0 };
            return if is_same { DifferenceFormula::Exactly(gap) } else { DifferenceFormula::Differs(gap) };
        }
        let ways = [true, false].map(|is_true| {
            let both =
                [self.formula(terms, left, is_true, depth), self.formula(terms, right, is_true == is_same, depth)];
            self.all(&both)
        });
        self.any(&ways)
    }

    fn truth_of_place(&mut self, terms: &Terms, term: Term, is_true: bool) -> DifferenceFormula {
        let left = self.place(terms, term, false);
        DifferenceFormula::Exactly(Gap { left, right: ZERO, by: is_true as i128 })
    }

    /// Whatever a truth value means, it is not both.
    fn opaque_truth(&mut self, terms: &Terms, term: Term, is_true: bool) -> DifferenceFormula {
        let left = self.place(terms, term, true);
        let known = DifferenceFormula::Exactly(Gap { left, right: ZERO, by: is_true as i128 });
        self.all(&[known, DifferenceFormula::Opaque])
    }

    fn relation(
        &mut self,
        terms: &Terms,
        operation: Binary,
        [left, right]: [Term; 2],
        is_true: bool,
        depth: u32,
    ) -> DifferenceFormula {
        for (side, term) in [left, right].into_iter().enumerate() {
            if let Node::If(condition, yes, no) = terms.node(term) {
                return self.choice(terms, condition, depth, |reader, is_yes| {
                    let mut sides = [left, right];
                    sides[side] = if is_yes { yes } else { no };
                    if depth == 0 || reader.left_to_read == 0 {
                        return DifferenceFormula::Opaque;
                    }
                    reader.left_to_read -= 1;
                    reader.relation(terms, operation, sides, is_true, depth - 1)
                });
            }
        }
        let (left, right) = (self.sum(terms, left, depth), self.sum(terms, right, depth));
        let piece = match (operation, is_true) {
            (Binary::Equal, _) => self.equality(left, right, is_true),
            (Binary::Less, true) => self.comparison(left, right, true),
            (Binary::Less, false) => self.comparison(right, left, false),
            (_, true) => self.comparison(left, right, false),
            (_, false) => self.comparison(right, left, true),
        };
        let is_opaque = [left.plus, left.minus, right.plus, right.minus]
            .iter()
            .any(|place| self.unknowns[*place as usize].is_opaque);
        if is_opaque { self.all(&[piece, DifferenceFormula::Opaque]) } else { piece }
    }

    /// Are two sums equal? Their difference vanishes, once wrapped around.
    fn equality(&mut self, left: Sum, right: Sum, is_equal: bool) -> DifferenceFormula {
        let Some(sum) = combine(left, negate(right)) else {
            return DifferenceFormula::Opaque;
        };
        let (plus, minus, period) = (sum.plus, sum.minus, sum.width.period());
        let (low, high) = Gap { left: plus, right: minus, by: 0 }.extent(&self.declared);
        let possible = TURNS.map(|turns| turns * period - sum.offset).map(|by| (low <= by && by <= high).then_some(by));
        let mut gaps = possible.into_iter().flatten().map(|by| Gap { left: plus, right: minus, by });
        match (gaps.next(), gaps.next(), is_equal) {
            (None, _, _) => DifferenceFormula::of_truth(!is_equal),
            (Some(gap), None, true) => DifferenceFormula::Exactly(gap),
            (Some(gap), None, false) => DifferenceFormula::Differs(gap),
            (Some(_), Some(_), true) => {
                self.vanishing.push(sum);
                DifferenceFormula::Vanishes(self.vanishing.len() as u32 - 1)
            }
            (Some(one), Some(other), false) => {
                let third = gaps.next().map_or(DifferenceFormula::True, DifferenceFormula::Differs);
                self.all(&[DifferenceFormula::Differs(one), DifferenceFormula::Differs(other), third])
            }
        }
    }

    fn comparison(&mut self, left: Sum, right: Sum, is_strict: bool) -> DifferenceFormula {
        let Some((plus, minus)) = cancel([left.plus, right.minus], [left.minus, right.plus]) else {
            return DifferenceFormula::Opaque;
        };
        if left.never_wraps(&self.declared) && right.never_wraps(&self.declared) {
            let by = right.offset - left.offset - is_strict as i128;
            return DifferenceFormula::AtMost(Gap { left: plus, right: minus, by });
        }
        self.wrapping.push(Wrapping { left, right, plus, minus, is_strict });
        DifferenceFormula::Compare(self.wrapping.len() as u32 - 1)
    }

    /// Reads an integer as a sum; in the worst case, as an unknown on its own.
    fn sum(&mut self, terms: &Terms, term: Term, depth: u32) -> Sum {
        let width = if terms.sort(term) == Sort::Long { Width::Long } else { Width::Int };
        let of_place = |plus: VariableIndex| Sum { plus, minus: ZERO, offset: 0, width };
        let is_readable = depth > 0 && self.left_to_read > 0;
        self.left_to_read = self.left_to_read.saturating_sub(1);
        let read = match terms.node(term) {
            Node::Variable(_) => return of_place(self.place(terms, term, false)),
            Node::Constant(constant) => {
                constant.integer().map(|value| Sum { plus: ZERO, minus: ZERO, offset: value as i128, width })
            }
            Node::Unary(Unary::Widen, inner) if is_readable => Some(of_place(self.widened(terms, inner, depth - 1))),
            Node::Unary(Unary::Negate, inner) if is_readable => Some(negate(self.sum(terms, inner, depth - 1))),
            Node::Binary(operation @ (Binary::Add | Binary::Subtract), left, right) if is_readable => {
                let (left, right) = (self.sum(terms, left, depth - 1), self.sum(terms, right, depth - 1));
                combine(left, if operation == Binary::Add { right } else { negate(right) })
            }
            _ => None,
        };
        read.unwrap_or_else(|| of_place(self.place(terms, term, true)))
    }

    /// The place of an int that is used as a long. It has one of its own, because it wraps around before it is widened.
    fn widened(&mut self, terms: &Terms, term: Term, depth: u32) -> VariableIndex {
        let sum = self.sum(terms, term, depth);
        if sum.minus == ZERO && sum.offset == 0 && sum.plus != ZERO {
            return sum.plus;
        }
        let is_opaque = [sum.plus, sum.minus].iter().any(|place| self.unknowns[*place as usize].is_opaque);
        let known = self.unknowns.len();
        let place = self.place(terms, term, is_opaque);
        if self.unknowns.len() > known {
            let own = Sum { plus: place, minus: ZERO, offset: 0, width: sum.width };
            let definition = self.definition(own, sum);
            self.required.push(definition);
        }
        place
    }

    /// A new place equals its sum. That is a difference if the sum has one unknown, which is what programs widen; the value of
    /// others is left open.
    fn definition(&mut self, own: Sum, sum: Sum) -> DifferenceFormula {
        if combine(own, negate(sum)).is_none() {
            self.unknowns[own.plus as usize].is_opaque = true;
            return DifferenceFormula::True;
        }
        self.equality(own, sum, true)
    }

    /// The place of a term that is an unknown on its own.
    fn place(&mut self, terms: &Terms, term: Term, is_opaque: bool) -> VariableIndex {
        let (question, place) = self.places[term.index()];
        if question == self.question {
            return place;
        }
        let place = self.unknowns.len() as VariableIndex;
        self.places[term.index()] = (self.question, place);
        let (low, high) = match (terms.sort(term), terms.range(term)) {
            (Sort::Bool, _) => (0, 1),
            (Sort::Int, (low, high)) => (low.max(i32::MIN as i64), high.min(i32::MAX as i64)),
            (_, range) => range,
        };
        if low > high {
            // Nothing is in that range, so nothing can be true of it.
            self.required.push(DifferenceFormula::FALSE);
        }
        self.unknowns.push(DifferenceVariable { term: Some(term), is_opaque });
        self.declared.push(Interval { low: low as i128, high: low.max(high) as i128 });
        place
    }

    fn all(&mut self, pieces: &[DifferenceFormula]) -> DifferenceFormula {
        let (start, end) = self.add(pieces);
        DifferenceFormula::All(start, end)
    }

    fn any(&mut self, pieces: &[DifferenceFormula]) -> DifferenceFormula {
        let (start, end) = self.add(pieces);
        DifferenceFormula::Any(start, end)
    }

    fn add(&mut self, pieces: &[DifferenceFormula]) -> (u32, u32) {
        let start = self.pieces.len() as u32;
        self.pieces.extend_from_slice(pieces);
        (start, self.pieces.len() as u32)
    }
}

fn negate(sum: Sum) -> Sum {
    Sum { plus: sum.minus, minus: sum.plus, offset: sum.width.wrap(-sum.offset), width: sum.width }
}

/// The sum of two sums, if it is again one of at most two unknowns.
fn combine(left: Sum, right: Sum) -> Option<Sum> {
    let (plus, minus) = cancel([left.plus, right.plus], [left.minus, right.minus])?;
    Some(Sum { plus, minus, offset: left.width.wrap(left.offset + right.offset), width: left.width })
}

/// Cancels unknowns that are both added and subtracted. None if more than one is left on a side.
fn cancel(mut plus: [VariableIndex; 2], mut minus: [VariableIndex; 2]) -> Option<(VariableIndex, VariableIndex)> {
    for added in &mut plus {
        if let Some(subtracted) = minus.iter_mut().find(|subtracted| *subtracted == added) {
            (*added, *subtracted) = (ZERO, ZERO);
        }
    }
    let one = |places: [VariableIndex; 2]| match places {
        [ZERO, place] | [place, ZERO] => Some(place),
        _ => None,
    };
    one(plus).zip(one(minus))
}
