//! Is it true or false all over a box? Branch and prune, for questions about floating-point numbers with few unknowns.
//!
//! A box has an interval for each variable. A conjunct that is false for all values of a box refutes the box; a point of the box that makes all conjuncts
//! true answers the question; otherwise the box is cut in two. Rounding to nearest is monotone, so that the bounds of a result are the
//! results of bounds, rounded in the same way. Intervals are cut in the order of bit patterns, which reaches every magnitude in a few cuts.
//! Example: `d * d == 2.0` has no solution. About 60 cuts lead to two neighbours on each side of zero, one with a square below 2.0, one above.
//!
//! For functions such as sines, bounds are those that every machine keeps (`functions`), so that a refutation is certain.

mod abstraction;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Solver, SolverAnswer};
use crate::evaluate::satisfies;
use crate::limits::SolverLimits;
use crate::model::Model;
use crate::term::{Constant, Node, Sort, Term, Terms, Variable};
use abstraction::{ValueBounds, binary, chosen, fused, unary};

/// More boxes than this are not looked at, and fewer if terms are large: as many terms are evaluated.
const MOST_BOXES: usize = 6000;
const MOST_EVALUATIONS: usize = 400_000;
const MOST_TERMS: usize = 600;
/// Each floating-point number doubles the boxes from the start, since NaN is apart.
const MOST_NUMBERS: usize = 5;

/// How many boxes pass between two looks at the clock.
const INTERVAL: usize = 16;

/// Branch and prune over boxes of values. It keeps nothing from one question to the next.
#[derive(Default)]
pub struct BoxSolver;

/// The values of one variable. Numbers are counted in the order of their bit patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BoxSide {
    Between(i64, i64),
    NotANumber,
}

impl Solver for BoxSolver {
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> SolverAnswer {
        let Some(mut question) = BoxQuestion::of(terms, conjuncts) else { return SolverAnswer::Unknown };
        let most = MOST_BOXES.min(MOST_EVALUATIONS / question.order.len().max(1));
        let mut waiting: VecDeque<Vec<BoxSide>> = question.first_boxes().into();
        // Invariant: every model lies in one of the boxes that wait. So nothing is left to be found when none waits.
        let mut looked_at = 0;
        while let Some(sides) = waiting.pop_front() {
            looked_at += 1;
            if looked_at > most || (looked_at % INTERVAL == 0 && limits.left().is_zero()) {
                return SolverAnswer::Unknown;
            }
            if question.is_refuted(&sides) {
                continue;
            }
            for model in question.points(&sides) {
                if satisfies(terms, &model, conjuncts) {
                    return SolverAnswer::Sat(model);
                }
            }
            match question.cut(&sides) {
                Some(halves) => waiting.extend(halves),
                // One point that no fact refutes, and that evaluation does not confirm.
                None => return SolverAnswer::Unknown,
            }
        }
        SolverAnswer::Unsat
    }
}

struct BoxQuestion<'a> {
    terms: &'a Terms,
    conjuncts: &'a [Term],
    variables: Vec<(Variable, Sort)>,
    /// All parts of the conjuncts, operands before what is made of them.
    order: Vec<Term>,
    places: FxHashMap<Term, usize>,
    values: Vec<ValueBounds>,
}

impl<'a> BoxQuestion<'a> {
    /// None if it is too large, has many unknowns, or speaks of truth values that are unknown.
    fn of(terms: &'a Terms, conjuncts: &'a [Term]) -> Option<BoxQuestion<'a>> {
        let mut places: FxHashMap<Term, usize> = FxHashMap::default();
        let mut waiting = conjuncts.to_vec();
        while let Some(term) = waiting.pop() {
            if places.insert(term, 0).is_some() {
                continue;
            }
            if places.len() > MOST_TERMS {
                return None;
            }
            match terms.node(term) {
                Node::Constant(_) | Node::Variable(_) => {}
                Node::Unary(_, operand) => waiting.push(operand),
                Node::Binary(_, left, right) => waiting.extend([left, right]),
                Node::If(one, two, three) | Node::Fused(one, two, three) => waiting.extend([one, two, three]),
            }
        }
        // A term has a greater number than its operands.
        let mut order: Vec<Term> = places.keys().copied().collect();
        order.sort();
        for (place, term) in order.iter().enumerate() {
            places.insert(*term, place);
        }
        let mut variables: Vec<Variable> =
            conjuncts.iter().flat_map(|conjunct| terms.variables_of(*conjunct)).copied().collect();
        variables.sort();
        variables.dedup();
        let variables: Vec<(Variable, Sort)> =
            variables.into_iter().map(|variable| (variable, terms.declaration(variable).sort)).collect();
        let numbers = variables.iter().filter(|(_, sort)| matches!(sort, Sort::Float | Sort::Double)).count();
        if numbers > MOST_NUMBERS || variables.iter().any(|(_, sort)| *sort == Sort::Bool) {
            return None;
        }
        Some(BoxQuestion { terms, conjuncts, variables, order, places, values: Vec::new() })
    }

    /// All values: for each floating-point number, NaN apart from the others.
    fn first_boxes(&self) -> Vec<Vec<BoxSide>> {
        let mut boxes: Vec<Vec<BoxSide>> = vec![Vec::new()];
        for (variable, sort) in &self.variables {
            let sides: Vec<BoxSide> = match sort {
                Sort::Float => {
                    let end = i64::from(f32::INFINITY.to_bits());
                    vec![BoxSide::Between(-end - 1, end), BoxSide::NotANumber]
                }
                Sort::Double => {
                    let end = f64::INFINITY.to_bits() as i64;
                    vec![BoxSide::Between(-end - 1, end), BoxSide::NotANumber]
                }
                sort => {
                    let all =
                        if *sort == Sort::Int { (i32::MIN as i64, i32::MAX as i64) } else { (i64::MIN, i64::MAX) };
                    let (least, greatest) = self.terms.declaration(*variable).range;
                    vec![BoxSide::Between(least.max(all.0), greatest.min(all.1))]
                }
            };
            // Most of the models have numbers, so these come first.
            boxes = sides
                .iter()
                .flat_map(|side| boxes.iter().map(move |known| known.iter().copied().chain([*side]).collect()))
                .collect();
        }
        boxes.retain(|sides: &Vec<BoxSide>| {
            sides.iter().all(|side| !matches!(side, BoxSide::Between(least, greatest) if least > greatest))
        });
        boxes
    }

    /// Is a conjunct false for all values of the box?
    fn is_refuted(&mut self, sides: &[BoxSide]) -> bool {
        self.values.clear();
        for term in &self.order {
            let value = |term: Term| self.values[self.places[&term]];
            let bounds = match self.terms.node(*term) {
                Node::Constant(constant) => ValueBounds::of(constant),
                Node::Variable(variable) => {
                    let at = self.variables.binary_search_by_key(&variable, |(known, _)| *known);
                    at.map_or_else(
                        |_| ValueBounds::any(self.terms.sort(*term)),
                        |at| of_side(sides[at], self.variables[at].1),
                    )
                }
                Node::Unary(operation, operand) => {
                    unary(operation, self.terms.sort(operand), self.terms.sort(*term), value(operand))
                }
                Node::Binary(operation, left, right) => {
                    binary(operation, self.terms.sort(left), value(left), value(right))
                }
                Node::If(condition, yes, no) => chosen(value(condition), value(yes), value(no)),
                Node::Fused(one, other, added) => fused(self.terms.sort(*term), value(one), value(other), value(added)),
            };
            self.values.push(bounds);
        }
        self.conjuncts.iter().any(|conjunct| self.values[self.places[conjunct]].is_false())
    }

    /// Some points of the box: the middle and two corners.
    fn points(&self, sides: &[BoxSide]) -> Vec<Model> {
        let pick = |choose: fn(i64, i64) -> i64| {
            let mut model = Model::default();
            for (side, (variable, sort)) in sides.iter().zip(&self.variables) {
                model.set(
                    *variable,
                    match side {
                        BoxSide::Between(least, greatest) => at(choose(*least, *greatest), *sort),
                        BoxSide::NotANumber => Constant::of_bits(
                            *sort,
                            if *sort == Sort::Float { u64::from(f32::NAN.to_bits()) } else { f64::NAN.to_bits() },
                        ),
                    },
                );
            }
            model
        };
        vec![pick(middle), pick(|least, _| least), pick(|_, greatest| greatest)]
    }

    /// Two halves, along the side that is longest compared with all its values. None if the box is one point.
    fn cut(&self, sides: &[BoxSide]) -> Option<[Vec<BoxSide>; 2]> {
        let length = |side: &BoxSide, sort: Sort| match side {
            BoxSide::Between(least, greatest) if least < greatest => {
                let bits = 64 - (greatest.wrapping_sub(*least) as u64).leading_zeros();
                Some(if matches!(sort, Sort::Int | Sort::Float) { bits * 2 } else { bits })
            }
            _ => None,
        };
        let candidates = sides.iter().zip(&self.variables).map(|(side, (_, sort))| length(side, *sort));
        let (at, _) = candidates
            .enumerate()
            .filter_map(|(at, length)| Some((at, length?)))
            .max_by_key(|(at, length)| (*length, usize::MAX - at))?;
        let BoxSide::Between(least, greatest) = sides[at] else { return None };
        let middle = middle(least, greatest);
        let half = |least: i64, greatest: i64| {
            let mut half = sides.to_vec();
            half[at] = BoxSide::Between(least, greatest);
            half
        };
        Some([half(least, middle), half(middle + 1, greatest)])
    }
}

/// The lower one of two in the middle.
fn middle(least: i64, greatest: i64) -> i64 {
    ((i128::from(least) + i128::from(greatest)) >> 1) as i64
}

/// The value at a place in the order of bit patterns: -0.0 comes just before 0.0.
fn at(place: i64, sort: Sort) -> Constant {
    let bits = |place: i64, sign: u64| if place < 0 { sign | !place as u64 } else { place as u64 };
    match sort {
        Sort::Float => Constant::Float(bits(place, 1 << 31) as u32),
        Sort::Double => Constant::Double(bits(place, 1 << 63)),
        sort => Constant::of_integer(sort, place),
    }
}

fn of_side(side: BoxSide, sort: Sort) -> ValueBounds {
    match side {
        BoxSide::Between(least, greatest) => ValueBounds::of(at(least, sort)).join(ValueBounds::of(at(greatest, sort))),
        BoxSide::NotANumber => ValueBounds::NAN,
    }
}
