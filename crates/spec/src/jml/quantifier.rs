//! Over which values does a quantifier range? Integers need bounds that can be computed; objects are those that can be reached.

use lazuli_jml::{BinaryOperator, Expr, ExprKind, Quantified, Quantifier, Span};
use lazuli_vm::program::Op;
use lazuli_vm::value::Kind;

use super::operators::converted;
use super::reach::Given;
use super::resolve::{Resolved, Resolver};
use super::typed::*;

impl Resolver<'_, '_> {
    /// Resolves a quantified expression; its variables are in scope only within it.
    pub(super) fn quantified(&mut self, quantified: &Quantified, span: Span) -> Resolved {
        let before = self.variables.len();
        let found = self.loops(quantified, span);
        self.variables.truncate(before);
        found
    }

    /// `\nonnullelements(a)`
    pub(super) fn non_null_elements(&mut self, array: &Expr) -> Resolved {
        let items = self.expression(array)?;
        let component = match items.of {
            Type::Reference(class) => class.component().filter(|component| component.kind() == Kind::Reference),
            _ => None,
        };
        let Some(component) = component else {
            return self.complain(array.span, "an array of objects is expected here");
        };
        let before = self.variables.len();
        // No name that a specification could contain.
        let variable = self.bind("[]", Type::INT);
        self.variables.truncate(before);
        let index = Typed::new(Type::INT, TypedNode::Variable(VariablePlace::Bound(variable)));
        let element =
            Typed::new(Type::of_class(component), TypedNode::Element(Box::new(items.clone()), Box::new(index)));
        let length = Typed::new(Type::INT, TypedNode::Length(Box::new(items.clone())));
        let zero = Typed::new(Type::INT, TypedNode::Int(0));
        let values = Values::Between(
            Kind::Int,
            Bound { value: zero, is_strict: false },
            Bound { value: length, is_strict: true },
        );
        let body = Typed::truth(TypedNode::IsNull(Box::new(element))).negated();
        let all = Loop {
            ranges: vec![QuantifiedRange { variable, name: "index".to_string(), guard: None, values }],
            filter: None,
            body,
            fold: Fold::All,
        };
        let is_there = Typed::truth(TypedNode::IsNull(Box::new(items))).negated();
        Ok(is_there.and(Typed::truth(TypedNode::Loop(Box::new(all)))))
    }

    fn loops(&mut self, quantified: &Quantified, span: Span) -> Resolved {
        let Quantified { quantifier, variables, .. } = quantified;
        let (said, body_left) = said(quantified);
        let names: Vec<String> = variables.iter().map(|variable| variable.name.clone()).collect();
        let mut is_used = vec![false; said.len()];
        let mut ranges = Vec::new();
        for (position, variable) in variables.iter().enumerate() {
            let class = self.class_of(&variable.of)?;
            let of = Type::of_class(class);
            // Bounds may speak of the variables before this one, but not of itself and those behind it.
            let open = &names[position..];
            let before = is_used.clone();
            let values = match of {
                Type::Primitive(Kind::Boolean) => Values::Booleans,
                Type::Primitive(kind @ (Kind::Byte | Kind::Short | Kind::Char)) => {
                    // All values of the type are few enough to be counted.
                    let low = self.bound(&said, &mut is_used, &variable.name, open, RangeEnd::Low, Kind::Int)?;
                    let high = self.bound(&said, &mut is_used, &variable.name, open, RangeEnd::High, Kind::Int)?;
                    Values::Between(kind, within(kind, RangeEnd::Low, low), within(kind, RangeEnd::High, high))
                }
                Type::Primitive(kind @ (Kind::Int | Kind::Long)) => {
                    let low = self.bound(&said, &mut is_used, &variable.name, open, RangeEnd::Low, kind)?;
                    let high = self.bound(&said, &mut is_used, &variable.name, open, RangeEnd::High, kind)?;
                    let (Some(low), Some(high)) = (low, high) else {
                        let missing = if low_is_missing(&said, &variable.name) { "lower" } else { "upper" };
                        let message = format!(
                            "the range of {} has no {missing} bound; write it as in (\\forall int i; 0 <= i && i < n; …)",
                            variable.name
                        );
                        return self.complain(span, message);
                    };
                    Values::Between(kind, low, high)
                }
                Type::Primitive(_) => {
                    let message = format!(
                        "a quantifier cannot range over {}; use an integer type, boolean or a class",
                        variable.of.name
                    );
                    return self.complain(variable.of.span, message);
                }
                _ => {
                    let found = self.queue_of(&said, &mut is_used, &variable.name, open)?;
                    let (queue, is_shared) = found.unwrap_or_else(|| (self.reachable(), false));
                    Values::Of { queue, is_shared, class }
                }
            };
            // A conjunct before a bound protects it: in `a != null && 0 <= i && i < a.length`, the length is read of something.
            let last = (0..said.len()).rev().find(|at| is_used[*at] && !before[*at]).unwrap_or(0);
            let first: Vec<usize> = (0..last).filter(|at| !is_used[*at] && !mentions(said[*at], open)).collect();
            let guard = self.all(first.iter().map(|at| said[*at]))?;
            first.into_iter().for_each(|at| is_used[at] = true);
            let number = self.bind(&variable.name, of);
            ranges.push(QuantifiedRange { variable: number, name: variable.name.clone(), guard, values });
        }
        let left = said.iter().zip(&is_used).filter(|(_, is_used)| !**is_used);
        let filter = self.all(left.map(|(conjunct, _)| *conjunct))?;
        self.folded(*quantifier, ranges, filter, body_left)
    }

    /// All these conditions; none if there are none.
    fn all<'e>(&mut self, conditions: impl Iterator<Item = &'e Expr>) -> Resolved<Option<Typed>> {
        let mut all: Option<Typed> = None;
        for condition in conditions {
            let condition = self.condition(condition)?;
            all = Some(match all {
                Some(before) => before.and(condition),
                None => condition,
            });
        }
        Ok(all)
    }

    fn folded(
        &mut self,
        quantifier: Quantifier,
        ranges: Vec<QuantifiedRange>,
        filter: Option<Typed>,
        body: Option<&Expr>,
    ) -> Resolved {
        let (of, body, fold) = match (quantifier, body) {
            (Quantifier::ForAll | Quantifier::Exists | Quantifier::NumOf, body) => {
                let body = match body {
                    Some(body) => self.condition(body)?,
                    None => Typed::constant(true),
                };
                match quantifier {
                    Quantifier::ForAll => (Type::BOOLEAN, body, Fold::All),
                    Quantifier::Exists => (Type::BOOLEAN, body, Fold::Any),
                    _ => (Type::INT, body, Fold::Count),
                }
            }
            (_, Some(body)) => {
                let (value, kind) = self.number(body)?;
                let kind = promoted(kind, Kind::Int);
                let fold = match quantifier {
                    Quantifier::Sum => Fold::Sum(kind),
                    Quantifier::Min => Fold::Least(kind),
                    _ => Fold::Greatest(kind),
                };
                (Type::Primitive(kind), converted(value, kind), fold)
            }
            (_, None) => unreachable!("only conditions are taken apart"),
        };
        Ok(Typed::new(of, TypedNode::Loop(Box::new(Loop { ranges, filter, body, fold }))))
    }

    /// An end of the range of a variable.
    fn bound(
        &mut self,
        said: &[&Expr],
        is_used: &mut [bool],
        name: &str,
        open: &[String],
        end: RangeEnd,
        kind: Kind,
    ) -> Resolved<Option<Bound>> {
        for (position, conjunct) in said.iter().enumerate() {
            let Some((other, is_strict)) = limit(conjunct, name, end) else { continue };
            if mentions(other, open) {
                continue;
            }
            let (value, found) = self.number(other)?;
            // A bound of a wider type is none that can be counted up to.
            if promoted(found, kind) != kind {
                continue;
            }
            is_used[position] = true;
            return Ok(Some(Bound { value: converted(value, kind), is_strict }));
        }
        // In `0 <= i && i < j && j < n`, what bounds j bounds i as well. The comparison itself stays.
        for conjunct in said {
            let Some((other, _)) = limit(conjunct, name, end) else { continue };
            if let ExprKind::Name(next) = &other.kind
                && open.contains(next)
            {
                let others: Vec<&Expr> =
                    said.iter().copied().filter(|other| !std::ptr::eq(*other, *conjunct)).collect();
                let found = self.bound(&others, &mut vec![false; others.len()], next, open, end, kind)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        for conjunct in said {
            if let Some(found) = self.bound_of_either(conjunct, name, open, end, kind)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// In `i == first || 0 <= i && i < n`, each part bounds i: what is outside of both bounds is in no part. The condition itself stays. Bounds that
    /// may throw are none, because there, the part that they stand in may not be asked for.
    fn bound_of_either(
        &mut self,
        condition: &Expr,
        name: &str,
        open: &[String],
        end: RangeEnd,
        kind: Kind,
    ) -> Resolved<Option<Bound>> {
        let ExprKind::Binary(BinaryOperator::Or, left, right) = &condition.kind else { return Ok(None) };
        let mut found = Vec::new();
        for part in [left, right] {
            let parts = conjuncts(part);
            match self.bound(&parts, &mut vec![false; parts.len()], name, open, end, kind)? {
                Some(bound) if self.is_total(&bound.value) => found.push(bound.value),
                _ => return Ok(None),
            }
        }
        let value = found.into_iter().reduce(|one, other| outer(end, one, other));
        Ok(value.map(|value| Bound { value, is_strict: false }))
    }

    /// Has the expression a value in any case?
    fn is_total(&self, value: &Typed) -> bool {
        match &value.node {
            TypedNode::Int(_) | TypedNode::Constant(_) | TypedNode::Variable(_) => true,
            TypedNode::Field(on, ..) => {
                self.scope.has_this && matches!(on.node, TypedNode::Variable(VariablePlace::Given(0)))
            }
            TypedNode::Arithmetic(op, one, other) => {
                let may_throw = matches!(op, Op::Idiv | Op::Irem | Op::Ldiv | Op::Lrem);
                !may_throw && self.is_total(one) && self.is_total(other)
            }
            TypedNode::Convert(_, inner) => self.is_total(inner),
            TypedNode::Compare(_, one, other) => self.is_total(one) && self.is_total(other),
            TypedNode::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().all(|part| self.is_total(part))
            }
            _ => false,
        }
    }

    /// The objects of the set that the range says an object is in, and whether others need them too.
    fn queue_of(
        &mut self,
        said: &[&Expr],
        is_used: &mut [bool],
        name: &str,
        open: &[String],
    ) -> Resolved<Option<(Typed, bool)>> {
        for (position, conjunct) in said.iter().enumerate() {
            let ExprKind::Call { on: Some(set), name: called, arguments } = &conjunct.kind else { continue };
            let is_name = |argument: &Expr| matches!(&argument.kind, ExprKind::Name(found) if found == name);
            if called != "has" || arguments.len() != 1 || !is_name(&arguments[0]) || mentions(set, open) {
                continue;
            }
            let found = match &set.kind {
                ExprKind::Reach { from, of, fields } => (self.reach(from, of, fields, Given::Queue)?, false),
                ExprKind::Old(inner) if matches!(inner.kind, ExprKind::Reach { .. }) => {
                    (self.old_queue(inner, set.span)?, true)
                }
                _ => continue,
            };
            is_used[position] = true;
            return Ok(Some(found));
        }
        Ok(None)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeEnd {
    Low,
    High,
}

/// The conditions that say which values of the variables count, and what is asked of these. The left side of an implication is such a condition, wherever
/// the range stands; of `\exists` and `\num_of`, everything is.
fn said(quantified: &Quantified) -> (Vec<&Expr>, Option<&Expr>) {
    let mut said: Vec<&Expr> = quantified.range.iter().flat_map(conjuncts).collect();
    let mut body = &quantified.body;
    match quantified.quantifier {
        Quantifier::ForAll => {
            while let ExprKind::Binary(BinaryOperator::Implies, condition, rest) = &body.kind {
                said.extend(conjuncts(condition));
                body = rest;
            }
            (said, Some(body))
        }
        Quantifier::Exists | Quantifier::NumOf => {
            said.extend(conjuncts(body));
            (said, None)
        }
        Quantifier::Sum | Quantifier::Min | Quantifier::Max => (said, Some(body)),
    }
}

/// The end of a range that goes further.
fn outer(end: RangeEnd, one: Typed, other: Typed) -> Typed {
    let relation = if end == RangeEnd::Low { Relation::Less } else { Relation::Greater };
    let condition = Typed::truth(TypedNode::Compare(relation, Box::new(one.clone()), Box::new(other.clone())));
    Typed::new(one.of, TypedNode::Conditional(Box::new(condition), Box::new(one), Box::new(other)))
}

/// The end of a range of numbers of a small type: what was said, if that is within the type, or else the last value of the type.
fn within(kind: Kind, end: RangeEnd, said: Option<Bound>) -> Bound {
    let (least, greatest) = kind.range();
    let (last, beyond, opposite) = match end {
        RangeEnd::Low => (least, least - 1, RangeEnd::High),
        RangeEnd::High => (greatest, greatest + 1, RangeEnd::Low),
    };
    let Some(Bound { value, is_strict }) = said else {
        return Bound { value: Typed::new(Type::INT, TypedNode::Int(last as i32)), is_strict: false };
    };
    let last = if is_strict { beyond } else { last };
    if let TypedNode::Int(known) = value.node
        && (least..=greatest).contains(&i64::from(known))
    {
        return Bound { value, is_strict };
    }
    Bound { value: outer(opposite, value, Typed::new(Type::INT, TypedNode::Int(last as i32))), is_strict }
}

/// The other side of a comparison if it bounds the variable on this end, and whether the bound is strict.
fn limit<'e>(comparison: &'e Expr, name: &str, end: RangeEnd) -> Option<(&'e Expr, bool)> {
    let ExprKind::Binary(operator, left, right) = &comparison.kind else { return None };
    let is_variable = |side: &Expr| matches!(&side.kind, ExprKind::Name(found) if found == name);
    // Read as `variable operator other`.
    let (operator, other) = match (is_variable(left), is_variable(right)) {
        (true, false) => (*operator, &**right),
        (false, true) => (mirrored(*operator), &**left),
        _ => return None,
    };
    match (operator, end) {
        (BinaryOperator::Less, RangeEnd::High) | (BinaryOperator::Greater, RangeEnd::Low) => Some((other, true)),
        (BinaryOperator::LessOrEqual, RangeEnd::High)
        | (BinaryOperator::GreaterOrEqual, RangeEnd::Low)
        | (BinaryOperator::Equal, _) => Some((other, false)),
        _ => None,
    }
}

fn low_is_missing(said: &[&Expr], name: &str) -> bool {
    !said.iter().any(|conjunct| limit(conjunct, name, RangeEnd::Low).is_some())
}

fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessOrEqual => BinaryOperator::GreaterOrEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterOrEqual => BinaryOperator::LessOrEqual,
        other => other,
    }
}

fn mentions(expression: &Expr, names: &[String]) -> bool {
    expression.any(&mut |part| matches!(&part.kind, ExprKind::Name(name) if names.contains(name)))
}

fn conjuncts(expression: &Expr) -> Vec<&Expr> {
    match &expression.kind {
        ExprKind::Binary(BinaryOperator::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expression],
    }
}
