//! What does a model field stand for? The expression of its `represents` clause, about the object whose field it is.

use lazuli_jml::{Expr, ModelField, Span};
use lazuli_vm::program::Class;

use super::names::{Declared, supertypes};
use super::operators::passed;
use super::resolve::{ClauseOutcome, ClauseScope, Resolved, Resolver, ResolverTables};
use super::typed::*;

/// Model fields that stand for each other are followed so far.
const DEEPEST: usize = 16;

/// A `represents` clause, and the class in which it stands.
struct FoundValue {
    declared: Declared,
    class: &'static Class,
    value: Expr,
}

impl Resolver<'_, '_> {
    /// The value of a model field of an object, or of `this`. None if the class has no such field.
    ///
    /// A clause of an interface may speak of a model field that a class below gives its value. Where one class alone does so, the object is taken
    /// for one of that class: if it is another, the clause throws, and is not true.
    pub(super) fn model_field(
        &mut self,
        class: &'static Class,
        name: &str,
        object: Option<&Typed>,
        span: Span,
    ) -> Resolved<Option<Typed>> {
        let Some((context, field)) = self.shared.model(class, name)? else { return Ok(None) };
        if field.is_ghost {
            return self
                .complain(span, format!("the ghost field {name} has no value: `set` in a body is not executed"));
        }
        if field.is_static {
            return self.complain(span, format!("{name} is a static model field, which is not supported"));
        }
        if self.is_chosen {
            let message =
                "`\\old` of a model field is not supported where it speaks of what a quantifier around it chooses";
            return self.complain(span, message);
        }
        let Some(found) = self.represented(class, name, span)? else {
            return self.complain(span, format!("nothing `represents` the model field {name}"));
        };
        let of = Type::of_class(context.context.class_of(self.program(), &field.of)?);
        let object = match object {
            Some(object) => object.clone(),
            None => self.this(span)?,
        };
        let object = match class.is_subtype_of(found.class) {
            true => object,
            false => Typed::new(Type::Reference(found.class), TypedNode::Cast(found.class, Box::new(object))),
        };
        if self.shared.models_around >= DEEPEST {
            return self.complain(span, format!("the model field {name} stands for itself"));
        }
        let scope = ClauseScope {
            context: found.declared.context.clone(),
            has_this: true,
            parameters: Vec::new(),
            outcome: ClauseOutcome::None,
            has_past: false,
        };
        self.shared.models_around += 1;
        let mut inner = Resolver {
            shared: &mut *self.shared,
            scope: &scope,
            variables: Vec::new(),
            in_old: self.in_old,
            is_chosen: false,
            object: Some(object),
        };
        let value = inner.expression(&found.value);
        self.shared.models_around -= 1;
        let value = self.unboxed_for(value?, of);
        match value.of.fits(of) {
            true => Ok(Some(passed(value, of))),
            false => {
                let message = format!("{} is expected here, and not {}", self.type_text(of), self.type_text(value.of));
                Err(found.declared.context.complain(found.value.span, message))
            }
        }
    }

    fn unboxed_for(&self, value: Typed, of: Type) -> Typed {
        if of.is_reference() { value } else { self.unboxed(value) }
    }

    /// The clause that says what the field stands for: one of the class or above it, or the only one below it.
    fn represented(&mut self, class: &'static Class, name: &str, span: Span) -> Resolved<Option<FoundValue>> {
        let mut found: Vec<FoundValue> = Vec::new();
        for above in supertypes(class) {
            if found.is_empty() {
                found.extend(self.shared.value_in(above, name)?);
            }
        }
        for below in self.program().users_below(class) {
            if below.id != class.id {
                found.extend(self.shared.value_in(below, name)?);
            }
        }
        if let [one, other, ..] = found.as_slice() {
            let [one, other] = [one, other].map(|found| self.program().short_name(found.class));
            let message = format!("the model field {name} stands for different things in {one} and {other}");
            return self.complain(span, message);
        }
        Ok(found.pop())
    }
}

impl ResolverTables<'_> {
    /// Does the class have such a model field? A file that cannot be read is told of where the field is asked for.
    pub(super) fn has_model(&mut self, class: &'static Class, name: &str) -> bool {
        self.model(class, name).is_ok_and(|found| found.is_some())
    }

    /// The declaration of a model or ghost field, and of the class in which it stands.
    fn model(&mut self, class: &'static Class, name: &str) -> Resolved<Option<(Declared, ModelField)>> {
        for above in supertypes(class) {
            let Some(declared) = self.declared(above)? else { continue };
            let field = declared.declaration().model_fields.iter().find(|field| field.name == name).cloned();
            if let Some(field) = field {
                return Ok(Some((declared, field)));
            }
        }
        Ok(None)
    }

    fn value_in(&mut self, class: &'static Class, name: &str) -> Resolved<Option<FoundValue>> {
        let Some(declared) = self.declared(class)? else { return Ok(None) };
        let value = declared.declaration().represents.iter().find(|clause| clause.name == name);
        let value = value.map(|clause| clause.value.clone());
        Ok(value.map(|value| FoundValue { declared, class, value }))
    }
}
