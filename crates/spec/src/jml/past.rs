//! What do clauses say about the time before the method? Values from then are computed before it, and handed to those who ask.

use lazuli_jml::{Expr, ExprKind, Span};
use lazuli_vm::program::{Class, Field};
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
        if !self.mentions_bound(of) {
            return self.remember(of, PreStateValue::Value);
        }
        (self.in_old, self.is_chosen) = (true, true);
        let found = self.expression(of);
        (self.in_old, self.is_chosen) = (false, false);
        found
    }

    /// A part of what `\old` speaks of, where a quantifier chooses: None if the part consists of others, of which each is as it was.
    ///
    /// Example: in `(\forall Node n; …; n.key == \old(n.key + offset))` there is no one value from before the method, because n is only chosen
    /// behind it. But n is the same object, and `n.key` what that object held; `offset` is computed before the method as ever. Elements are
    /// found in a copy of the whole array.
    pub(super) fn chosen_part(&mut self, of: &Expr) -> Resolved<Option<Typed>> {
        if !self.mentions_bound(of) {
            // Values that never change need no memory.
            let is_lasting = match &of.kind {
                ExprKind::Name(name) => self.scope.parameters.iter().any(|(known, ..)| known == name),
                ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Call { .. } | ExprKind::Result => false,
                _ => of.parts().is_empty(),
            };
            return if is_lasting { Ok(None) } else { self.remember(of, PreStateValue::Value).map(Some) };
        }
        match &of.kind {
            ExprKind::Index(array, index) if !self.mentions_bound(array) => {
                let items = self.remember(array, PreStateValue::Elements)?;
                let component = match items.of {
                    Type::Reference(class) => class.component(),
                    _ => None,
                };
                let Some(component) = component else {
                    return self.complain(array.span, "an array is expected here");
                };
                let position = self.index(index)?;
                let element = TypedNode::Element(Box::new(items), Box::new(position));
                Ok(Some(Typed::new(Type::of_class(component), element)))
            }
            ExprKind::Index(..) => {
                self.complain(of.span, "`\\old` of an element of an array that a quantifier chooses is not supported")
            }
            ExprKind::Call { on, name, arguments } => {
                let called = self.call(on.as_deref(), name, arguments, of.span)?;
                let is_lasting = |class: &Class| {
                    class.is_box || matches!(class.name, "java/lang/String" | "java/lang/Math" | "java/lang/StrictMath")
                };
                match &called.node {
                    TypedNode::Call(method, _) if !is_lasting(method.class()) => self.complain(
                        of.span,
                        "`\\old` of a call is not supported where it speaks of what a quantifier around it chooses",
                    ),
                    _ => Ok(Some(called)),
                }
            }
            ExprKind::Quantified(_) | ExprKind::NonNullElements(_) | ExprKind::Reach { .. } => self.complain(
                of.span,
                "`\\old` of this is not supported where it speaks of what a quantifier around it chooses",
            ),
            _ => Ok(None),
        }
    }

    /// The contents of a field; those before the method, if a quantifier chooses the object of which `\old` speaks.
    pub(super) fn held(&mut self, object: Typed, owner: &'static Class, field: &'static Field, of: Type) -> Typed {
        match self.is_chosen {
            true => {
                self.shared.asks_entry = true;
                Typed::new(of, TypedNode::Past(Box::new(object), owner, field))
            }
            false => Typed::new(of, TypedNode::Field(Box::new(object), owner, field)),
        }
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
                let around = (self.in_old, self.is_chosen);
                (self.in_old, self.is_chosen) = (true, false);
                let variables = std::mem::take(&mut self.variables);
                let found = match (&of.kind, kept) {
                    (ExprKind::Reach { from, of, fields }, PreStateValue::Queue) => {
                        self.reach(from, of, fields, Given::Queue)
                    }
                    _ => self.expression(of),
                };
                (self.in_old, self.is_chosen) = around;
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
}
