//! Which method does a call in a specification mean, and may it be called there? Only pure ones may: they change nothing.

use lazuli_jml::{Expr, Span};
use lazuli_vm::program::{Class, Method, descriptor, signature};

use super::names::{find_methods, overridden, supertypes};
use super::operators::passed;
use super::resolve::{Resolved, Resolver, ResolverTables};
use super::typed::*;

/// Methods of the JDK that change nothing, so that clauses may call them; of a class all of them, or those named.
const PURE: [(&str, &[&str]); 15] = [
    ("java/lang/Object", &["equals", "hashCode", "toString", "getClass"]),
    ("java/lang/String", &[]),
    ("java/lang/Math", &[]),
    ("java/lang/StrictMath", &[]),
    ("java/lang/Integer", &[]),
    ("java/lang/Long", &[]),
    ("java/lang/Short", &[]),
    ("java/lang/Byte", &[]),
    ("java/lang/Character", &[]),
    ("java/lang/Boolean", &[]),
    ("java/lang/Float", &[]),
    ("java/lang/Double", &[]),
    ("java/lang/Throwable", &["getMessage", "getCause"]),
    ("java/lang/Comparable", &["compareTo"]),
    ("java/util/Comparator", &["compare"]),
];

impl Resolver<'_, '_> {
    /// Resolves a call: chooses among the overloads by the types of the arguments, and refuses a method that is not pure.
    pub(super) fn call(&mut self, on: Option<&Expr>, name: &str, arguments: &[Expr], span: Span) -> Resolved {
        let (receiver, class) = match on {
            None => (None, self.scope.context.class),
            Some(on) => match self.class_named(on) {
                Some(class) => (None, class),
                None => {
                    let receiver = self.expression(on)?;
                    match receiver.of {
                        Type::Set => return self.call_on_set(receiver, name, arguments, span),
                        Type::Reference(class) => (Some(receiver), class),
                        other => return self.complain(span, format!("{} has no method {name}", self.type_text(other))),
                    }
                }
            },
        };
        let mut given = Vec::new();
        for argument in arguments {
            given.push(self.expression(argument)?);
        }
        let method = self.overload(class, name, &given, span)?;
        if !self.shared.is_pure(method)? {
            let (class, said) = (self.program().short_name(method.class()), signature(method));
            let message = format!(
                "{class}.{said} is not declared pure, so that a specification cannot call it; write /*@ pure @*/ before it, or in a .jml file (--spec)"
            );
            return self.complain(span, message);
        }
        let receiver = match (method.is_static(), receiver, on) {
            (true, ..) => None,
            (false, Some(receiver), _) => Some(receiver),
            (false, None, None) => Some(self.this(span)?),
            (false, None, Some(_)) => return self.complain(span, format!("{name} is not static: it needs an object")),
        };
        let (parameters, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let types = self.types(&parameters, span)?;
        let given = given.into_iter().zip(types).map(|(value, wanted)| passed(value, wanted));
        let all = receiver.into_iter().chain(given).collect();
        let of = self.types(&[result], span)?[0];
        if let Type::Primitive(lazuli_vm::value::Kind::Void) = of {
            return self.complain(span, format!("{name} returns nothing"));
        }
        Ok(Typed::new(of, TypedNode::Call(method, all)))
    }

    /// The operations on the objects that `\reach` gives.
    fn call_on_set(&mut self, set: Typed, name: &str, arguments: &[Expr], span: Span) -> Resolved {
        match (name, arguments) {
            ("has", [object]) => {
                let object = self.reference(object)?;
                Ok(Typed::truth(TypedNode::Has(Box::new(set), Box::new(object))))
            }
            ("int_size" | "size", []) => Ok(Typed::new(Type::INT, TypedNode::Size(Box::new(set)))),
            ("isEmpty", []) => {
                let size = Typed::new(Type::INT, TypedNode::Size(Box::new(set)));
                let zero = Typed::new(Type::INT, TypedNode::Int(0));
                Ok(Typed::truth(TypedNode::Compare(Relation::Equal, Box::new(size), Box::new(zero))))
            }
            _ => self
                .complain(span, format!("what `\\reach` gives has no {name}; it has has(x), int_size() and isEmpty()")),
        }
    }

    /// The method of that name which takes the arguments, the most specific one if there are several (JLS §15.12.2).
    fn overload(
        &mut self,
        class: &'static Class,
        name: &str,
        given: &[Typed],
        span: Span,
    ) -> Resolved<&'static Method> {
        let named = find_methods(class, name);
        let mut fitting: Vec<(&'static Method, Vec<Type>)> = Vec::new();
        for method in &named {
            let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
            let types = self.types(&parameters, span)?;
            if types.len() == given.len() && given.iter().zip(&types).all(|(value, wanted)| value.of.fits(*wanted)) {
                fitting.push((method, types));
            }
        }
        let is_best = |(_, types): &&(&'static Method, Vec<Type>)| {
            fitting.iter().all(|(_, others)| types.iter().zip(others).all(|(own, other)| own.fits(*other)))
        };
        if let Some((method, _)) = fitting.iter().find(is_best) {
            return Ok(method);
        }
        let class_name = self.type_text(Type::Reference(class));
        let types: Vec<String> = given.iter().map(|value| self.type_text(value.of)).collect();
        let asked = format!("{name}({})", types.join(", "));
        let there: Vec<String> = named.iter().map(|method| signature(method)).collect();
        match (fitting.len(), there.as_slice()) {
            (2.., _) => self
                .complain(span, format!("it is not clear which {name} of {class_name} is meant: cast the arguments")),
            (_, []) => self.complain(span, format!("{class_name} has no method {name}")),
            (_, there) => {
                self.complain(span, format!("{class_name} has no method {asked}; there is {}", there.join(", ")))
            }
        }
    }

    fn types(&self, descriptors: &[&str], span: Span) -> Resolved<Vec<Type>> {
        let mut types = Vec::new();
        for descriptor in descriptors {
            match *descriptor {
                "V" => types.push(Type::Primitive(lazuli_vm::value::Kind::Void)),
                descriptor => match self.program().load_descriptor(descriptor) {
                    Ok(class) => types.push(Type::of_class(class)),
                    Err(error) => return self.complain(span, format!("a type cannot be loaded: {error}")),
                },
            }
        }
        Ok(types)
    }
}

impl ResolverTables<'_> {
    /// Is the method, or one that it overrides, declared pure?
    pub(super) fn is_pure(&mut self, method: &'static Method) -> Resolved<bool> {
        for class in supertypes(method.class()) {
            let is_listed = |(name, methods): &&(&str, &[&str])| {
                *name == class.name && (methods.is_empty() || methods.contains(&method.name))
            };
            let Some(declared) = overridden(self.program, method, class) else { continue };
            if PURE.iter().any(|entry| is_listed(&entry)) {
                return Ok(true);
            }
            if self.declared(class)?.is_some_and(|found| found.method(declared).is_some_and(|said| said.is_pure)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
