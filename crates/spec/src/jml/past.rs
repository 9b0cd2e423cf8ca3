//! What do clauses say about the time before the method? Values from then are computed before it, and handed to those who ask.

use lazuli_jml::{Expr, ExprKind, Span};
use lazuli_vm::value::Kind;

use super::reach::Given;
use super::resolve::{ClauseScope, Resolved, Resolver};
use super::typed::*;

/// Two values from before the method with the same key are the same.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct OldKey {
    text: String,
    class: &'static str,
    names: Vec<String>,
    kept: PreStateValue,
}

/// The stored value of an expression from before the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PreStateValue {
    /// The value itself; of an object, the reference.
    Value,
    /// Of an array, a copy.
    Elements,
    /// Of a set, its objects in a row.
    Queue,
}

impl Resolver<'_, '_> {
    /// Resolves `\old(of)`: the expression is computed before the method, and the clause gets its value.
    pub(super) fn old(&mut self, of: &Expr, span: Span) -> Resolved {
        self.check_past(span)?;
        // An element at an index that a quantifier chooses: the whole array is remembered.
        if let ExprKind::Index(array, index) = &of.kind
            && self.mentions_bound(index)
            && !self.mentions_bound(array)
        {
            let items = self.remember(array, PreStateValue::Elements)?;
            let Type::Reference(class) = items.of else {
                return self.complain(array.span, "an array is expected here");
            };
            let Some(component) = class.component() else {
                return self.complain(array.span, "an array is expected here");
            };
            self.in_old = true;
            let position = self.index(index);
            self.in_old = false;
            if !self.is_bound_only(index) {
                return self.complain(
                    index.span,
                    "within `\\old`, an index may speak of quantified variables and numbers only",
                );
            }
            return Ok(Typed::new(Type::of_class(component), TypedNode::Element(Box::new(items), Box::new(position?))));
        }
        if self.mentions_bound(of) {
            let message =
                "`\\old` of what a quantifier chooses is supported for elements of arrays only, as in \\old(a[i])";
            return self.complain(span, message);
        }
        self.remember(of, PreStateValue::Value)
    }

    /// The objects of a set as it was, one by one.
    pub(super) fn old_queue(&mut self, reach: &Expr, span: Span) -> Resolved {
        self.check_past(span)?;
        match self.mentions_bound(reach) {
            true => {
                self.complain(span, "`\\old` of what a quantifier chooses is supported for elements of arrays only")
            }
            false => self.remember(reach, PreStateValue::Queue),
        }
    }

    /// Is there a time before the method to speak of?
    fn check_past(&self, span: Span) -> Resolved<()> {
        if self.in_old {
            return self.complain(span, "`\\old` within `\\old` says nothing more; leave it out");
        }
        match self.scope.has_past {
            true => Ok(()),
            false => self.complain(
                span,
                "`\\old` needs a time before the method: it is there in `ensures`, `signals` and `constraint`",
            ),
        }
    }

    /// Something that is computed before the method.
    pub(super) fn remember(&mut self, of: &Expr, kept: PreStateValue) -> Resolved {
        // The same words mean the same in one class, for parameters of the same names.
        let ClauseScope { context, parameters, .. } = self.scope;
        let names = parameters.iter().map(|(name, ..)| name.clone()).collect();
        let key = OldKey { text: context.unit.source.quote(of.span), class: context.class.name, names, kept };
        let number = match self.shared.known_olds.get(&key) {
            Some(number) => *number,
            None => {
                self.in_old = true;
                let variables = std::mem::take(&mut self.variables);
                let found = match (&of.kind, kept) {
                    (ExprKind::Reach { from, of, fields }, PreStateValue::Queue) => {
                        self.reach(from, of, fields, Given::Queue)
                    }
                    _ => self.expression(of),
                };
                self.in_old = false;
                self.variables = variables;
                let found = found?;
                let found = match (kept, found.of) {
                    (PreStateValue::Elements, Type::Reference(class)) if class.is_array() => {
                        Typed::new(found.of, TypedNode::CopyOf(Box::new(found)))
                    }
                    (PreStateValue::Elements, other) => {
                        let message = format!("an array is expected here, and not {}", self.type_text(other));
                        return self.complain(of.span, message);
                    }
                    _ => found,
                };
                self.shared.known_olds.insert(key, self.shared.olds.len());
                self.shared.olds.push(found);
                self.shared.olds.len() - 1
            }
        };
        Ok(Typed::new(self.shared.olds[number].of, TypedNode::Old(number)))
    }

    /// Resolves `\fresh(objects)`: each of them is not null and was made by the method.
    pub(super) fn fresh(&mut self, objects: &[Expr], span: Span) -> Resolved {
        if !self.scope.has_past || self.in_old {
            return self
                .complain(span, "`\\fresh` needs a time before the method: it is there in `ensures` and `signals`");
        }
        self.shared.asks_entry = true;
        let mut all = Typed::constant(true);
        for object in objects {
            let object = self.reference(object)?;
            all = all.and(Typed::truth(TypedNode::Fresh(Box::new(object))));
        }
        Ok(all)
    }

    /// Resolves `\not_modified(places)`: each place has the value that it had before the method.
    pub(super) fn not_modified(&mut self, places: &[Expr], span: Span) -> Resolved {
        if !self.scope.has_past || self.in_old {
            return self.complain(
                span,
                "`\\not_modified` needs a time before the method: it is there in `ensures` and `signals`",
            );
        }
        let mut all = Typed::constant(true);
        for place in places {
            if self.mentions_bound(place) {
                return self.complain(place.span, "`\\not_modified` of what a quantifier chooses is not supported");
            }
            let (before, now) = (self.remember(place, PreStateValue::Value)?, self.expression(place)?);
            let is_float = matches!(now.of, Type::Primitive(Kind::Float | Kind::Double));
            let mut same = self.equality(true, before.clone(), now.clone(), place.span)?;
            if is_float {
                // NaN does not equal itself.
                let odd = |value: &Typed| {
                    Typed::truth(TypedNode::Compare(
                        Relation::NotEqual,
                        Box::new(value.clone()),
                        Box::new(value.clone()),
                    ))
                };
                same = same.or(odd(&before).and(odd(&now)));
            }
            all = all.and(same);
        }
        Ok(all)
    }

    /// Does the expression speak of a variable that a quantifier around it binds?
    pub(super) fn mentions_bound(&self, expression: &Expr) -> bool {
        expression.any(&mut |part| matches!(&part.kind, ExprKind::Name(name) if self.is_bound(name)))
    }

    fn is_bound(&self, name: &str) -> bool {
        self.variables.iter().any(|(known, ..)| known == name)
    }

    /// Does the expression speak of nothing else that could change?
    fn is_bound_only(&self, expression: &Expr) -> bool {
        let may_change = |part: &Expr| match &part.kind {
            ExprKind::Name(name) => !self.is_bound(name),
            ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Call { .. } | ExprKind::This => true,
            _ => false,
        };
        !expression.any(&mut |part| may_change(part))
    }
}
