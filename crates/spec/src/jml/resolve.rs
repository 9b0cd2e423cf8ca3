//! What does an expression of JML mean? Names are looked up and types are found; the result can be written as code.

use std::collections::HashMap;
use std::sync::Arc;

use lazuli_jml::{Complaint, Expr, ExprKind, SourceText, Span, TypeName, qualified};
use lazuli_vm::program::{Class, Program};
use lazuli_vm::value::{Kind, Value};

use super::names::{Context, Declared, Files, find_field};
use super::past::OldKey;
use super::reach::{Given, Reaches};
use super::typed::*;

/// The result of a resolution, or a complaint that points at the part that is wrong.
pub(super) type Resolved<T = Typed> = Result<T, Complaint>;

/// The state that all clauses of one target share.
pub(super) struct ResolverTables<'a> {
    /// The program in which classes and members are looked up.
    pub program: &'a Program,
    /// The source and `.jml` files of classes.
    pub files: Files<'a>,
    /// The native methods that tell of the state before the target.
    pub natives: super::natives::Natives,
    /// The methods that collect reachable objects; one for each set of fields.
    pub reaches: Reaches,
    /// The values from before the method that clauses ask for; those of one text are one.
    pub olds: Vec<Typed>,
    /// The number of each old value, so that equal expressions share one.
    pub known_olds: HashMap<OldKey, usize>,
    /// How many variables quantifiers have bound in this clause.
    pub bound: usize,
    /// The most variables that quantifiers have bound in one clause.
    pub most_bound: usize,
    /// How many model fields stand around the expression that is being resolved.
    pub models_around: usize,
    /// Does a clause ask what was there before the method?
    pub asks_entry: bool,
    /// The declarations that were looked up; none for classes without a specification.
    pub declarations: HashMap<&'static str, Option<Declared>>,
}

impl<'a> ResolverTables<'a> {
    /// Makes the state for a target about which nothing was resolved yet.
    pub(super) fn new(program: &'a Program, files: Files<'a>) -> ResolverTables<'a> {
        ResolverTables {
            program,
            files,
            natives: super::natives::Natives::of(program),
            reaches: Reaches::default(),
            olds: Vec::new(),
            known_olds: HashMap::new(),
            bound: 0,
            most_bound: 0,
            models_around: 0,
            asks_entry: false,
            declarations: HashMap::new(),
        }
    }

    /// The files that were looked at.
    pub(super) fn sources(&self) -> Vec<Arc<SourceText>> {
        let mut sources: Vec<Arc<SourceText>> =
            self.declarations.values().flatten().map(|declared| declared.context.unit.source.clone()).collect();
        sources.sort_by(|one, other| one.path.cmp(&other.path));
        sources.dedup_by(|one, other| one.path == other.path);
        sources
    }

    /// Where a class is specified, if anywhere.
    pub(super) fn declared(&mut self, class: &'static Class) -> Resolved<Option<Declared>> {
        if let Some(known) = self.declarations.get(class.name) {
            return Ok(known.clone());
        }
        let found = Declared::find(self.files, class)?;
        if let Some(declared) = &found {
            declared.check()?;
        }
        self.declarations.insert(class.name, found.clone());
        Ok(found)
    }
}

/// The names of a clause beside members.
#[derive(Clone)]
pub(super) struct ClauseScope {
    /// The class and the file in which the clause stands.
    pub context: Context,
    /// Is there a receiver?
    pub has_this: bool,
    /// Of the parameters: name, type, and place among what the target gets.
    pub parameters: Vec<(String, Type, usize)>,
    /// The meaning of `\result` and of the exception's name.
    pub outcome: ClauseOutcome,
    /// Is there a time before the method?
    pub has_past: bool,
}

/// How the method ended, where a clause speaks of that.
#[derive(Clone)]
pub(super) enum ClauseOutcome {
    /// It has not.
    None,
    /// It returned: nothing for `void`.
    Returned(Option<Type>),
    /// It threw; the clause may have a name for the exception.
    Threw(Option<String>, Type),
}

/// Finds out what the expressions of one clause mean.
pub(super) struct Resolver<'r, 'a> {
    /// The state that all clauses of the target share.
    pub shared: &'r mut ResolverTables<'a>,
    /// The names that the clause may use.
    pub scope: &'r ClauseScope,
    /// The variables that quantifiers around bind: name, type, number.
    pub variables: Vec<(String, Type, usize)>,
    /// Is an `\old` around?
    pub in_old: bool,
    /// Does that speak of what a quantifier around it chooses, so that it is no value from before the method but made of such values?
    pub is_chosen: bool,
    /// The object that `this` stands for, where it is not the receiver: one whose model field is asked for.
    pub object: Option<Typed>,
}

impl<'r, 'a> Resolver<'r, 'a> {
    /// Makes a resolver for one clause, with no bound variables.
    pub(super) fn new(shared: &'r mut ResolverTables<'a>, scope: &'r ClauseScope) -> Resolver<'r, 'a> {
        shared.bound = 0;
        Resolver { shared, scope, variables: Vec::new(), in_old: false, is_chosen: false, object: None }
    }

    /// The number of a new bound variable.
    pub(super) fn bind(&mut self, name: &str, of: Type) -> usize {
        let number = self.shared.bound;
        self.shared.bound += 1;
        self.shared.most_bound = self.shared.most_bound.max(self.shared.bound);
        self.variables.push((name.to_string(), of, number));
        number
    }

    /// The program in which classes and members are looked up.
    pub(super) fn program(&self) -> &'a Program {
        self.shared.program
    }

    /// Fails with a complaint about a part of the clause.
    pub(super) fn complain<T>(&self, span: Span, message: impl Into<String>) -> Resolved<T> {
        Err(self.scope.context.complain(span, message))
    }

    /// Writes a type as Java source does, for messages.
    pub(super) fn type_text(&self, of: Type) -> String {
        of.type_text(self.program())
    }

    /// Resolves the name of a type to its class.
    pub(super) fn class_of(&self, of: &TypeName) -> Resolved<&'static Class> {
        self.scope.context.class_of(self.program(), of)
    }

    /// An expression that must be a truth value.
    pub(super) fn condition(&mut self, expression: &Expr) -> Resolved {
        let found = self.expression(expression)?;
        let found = self.unboxed(found);
        match found.of.is_boolean() {
            true => Ok(found),
            false => self
                .complain(expression.span, format!("a boolean is expected here, and not {}", self.type_text(found.of))),
        }
    }

    /// An expression that must be a number.
    pub(super) fn number(&mut self, expression: &Expr) -> Resolved<(Typed, Kind)> {
        let found = self.expression(expression)?;
        let found = self.unboxed(found);
        match found.of.number() {
            Some(kind) => Ok((found, kind)),
            None => self
                .complain(expression.span, format!("a number is expected here, and not {}", self.type_text(found.of))),
        }
    }

    /// An expression that must be a reference.
    pub(super) fn reference(&mut self, expression: &Expr) -> Resolved {
        let found = self.expression(expression)?;
        match found.of.is_reference() {
            true => Ok(found),
            false => self
                .complain(expression.span, format!("an object is expected here, and not {}", self.type_text(found.of))),
        }
    }

    /// Resolves an expression of any type.
    pub(super) fn expression(&mut self, expression: &Expr) -> Resolved {
        let span = expression.span;
        let program = self.program();
        if self.is_chosen
            && let Some(found) = self.chosen_part(expression)?
        {
            return Ok(found);
        }
        Ok(match &expression.kind {
            ExprKind::Null => Typed::new(Type::Null, TypedNode::Null),
            ExprKind::Bool(truth) => Typed::constant(*truth),
            ExprKind::Int(value) => Typed::new(Type::INT, TypedNode::Int(*value)),
            ExprKind::Char(unit) => Typed::new(Type::Primitive(Kind::Char), TypedNode::Int(i32::from(*unit))),
            ExprKind::Long(value) => Typed::new(Type::Primitive(Kind::Long), TypedNode::Constant(Value::Long(*value))),
            ExprKind::Float(value) => {
                Typed::new(Type::Primitive(Kind::Float), TypedNode::Constant(Value::Float(*value)))
            }
            ExprKind::Double(value) => {
                Typed::new(Type::Primitive(Kind::Double), TypedNode::Constant(Value::Double(*value)))
            }
            ExprKind::Text(text) => {
                Typed::new(Type::Reference(program.known().string), TypedNode::Text(program.intern_str(text)))
            }
            ExprKind::This => self.this(span)?,
            ExprKind::Result => self.result(span)?,
            ExprKind::Name(name) => match self.variable(name) {
                Some(found) => found,
                None => self.own_field(name, span)?,
            },
            ExprKind::Member(on, name) => self.member(on, name, span)?,
            ExprKind::Index(array, index) => self.element(array, index)?,
            ExprKind::Call { on, name, arguments } => self.call(on.as_deref(), name, arguments, span)?,
            ExprKind::Unary(operator, of) => self.unary(*operator, of)?,
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, span)?,
            ExprKind::Conditional(condition, then, otherwise) => self.conditional(condition, then, otherwise, span)?,
            ExprKind::Cast(of, value) => self.cast(of, value, span)?,
            ExprKind::InstanceOf(value, of) => {
                let class = self.class_of(of)?;
                if class.kind() != Kind::Reference {
                    return self.complain(of.span, "a class is expected here");
                }
                Typed::truth(TypedNode::InstanceOf(Box::new(self.reference(value)?), class))
            }
            ExprKind::Old(of) => self.old(of, span)?,
            ExprKind::Fresh(objects) => self.fresh(objects, span)?,
            ExprKind::NotModified(places) => self.not_modified(places, span)?,
            ExprKind::NonNullElements(array) => self.non_null_elements(array)?,
            ExprKind::TypeOf(of) => {
                let of = self.reference(of)?;
                let get_class = program.known().object.own_method("getClass", "()Ljava/lang/Class;");
                let get_class = get_class.expect("every object has a class");
                Typed::new(Type::Reference(program.known().class), TypedNode::Call(get_class, vec![of]))
            }
            ExprKind::Type(of) => {
                let class = self.class_of(of)?;
                Typed::new(Type::Reference(program.known().class), TypedNode::Mirror(class))
            }
            ExprKind::Reach { from, of, fields } => self.reach(from, of, fields, Given::Set)?,
            ExprKind::Quantified(quantified) => self.quantified(quantified, span)?,
        })
    }

    /// Resolves `this`, which static contexts do not have.
    pub(super) fn this(&self, span: Span) -> Resolved {
        if let Some(object) = &self.object {
            return Ok(object.clone());
        }
        match self.scope.has_this {
            true => {
                Ok(Typed::new(Type::Reference(self.scope.context.class), TypedNode::Variable(VariablePlace::Given(0))))
            }
            false => self.complain(span, "there is no `this` in a static context"),
        }
    }

    fn result(&self, span: Span) -> Resolved {
        match &self.scope.outcome {
            _ if self.in_old => self.complain(span, "`\\result` is not there before the method"),
            ClauseOutcome::Returned(Some(of)) => Ok(Typed::new(*of, TypedNode::Variable(VariablePlace::Outcome))),
            ClauseOutcome::Returned(None) => self.complain(span, "the method returns nothing"),
            _ => self.complain(span, "`\\result` is there in `ensures` only"),
        }
    }

    /// A variable that a quantifier, the method or a `signals` clause binds.
    fn variable(&self, name: &str) -> Option<Typed> {
        if let Some((_, of, number)) = self.variables.iter().rev().find(|(known, ..)| known == name) {
            return Some(Typed::new(*of, TypedNode::Variable(VariablePlace::Bound(*number))));
        }
        if let (ClauseOutcome::Threw(Some(exception), of), false) = (&self.scope.outcome, self.in_old)
            && exception == name
        {
            let found = Typed::new(*of, TypedNode::Variable(VariablePlace::Outcome));
            // A clause takes any exception, and asks which one it is first.
            return Some(match of {
                Type::Reference(class) => Typed::new(*of, TypedNode::Cast(class, Box::new(found))),
                _ => found,
            });
        }
        let (_, of, position) = self.scope.parameters.iter().find(|(known, ..)| known == name)?;
        Some(Typed::new(*of, TypedNode::Variable(VariablePlace::Given(*position))))
    }

    /// A field of the class that the clause stands in, or a static one of a class around it.
    fn own_field(&mut self, name: &str, span: Span) -> Resolved {
        let class = self.scope.context.class;
        if let Some((owner, field)) = find_field(class, name) {
            if field.is_static() {
                return self
                    .field_type(field.descriptor, span)
                    .map(|of| Typed::new(of, TypedNode::Static(owner, field)));
            }
            let this = self.this(span)?;
            return self
                .field_type(field.descriptor, span)
                .map(|of| Typed::new(of, TypedNode::Field(Box::new(this), owner, field)));
        }
        if let Some(found) = self.model_field(class, name, None, span)? {
            return Ok(found);
        }
        let around = std::iter::successors(class.name.rsplit_once('$').map(|(outer, _)| outer), |name| {
            name.rsplit_once('$').map(|(outer, _)| outer)
        });
        for outer in around {
            let Ok(outer) = self.program().load(outer) else { continue };
            if let Some((owner, field)) = find_field(outer, name).filter(|(_, field)| field.is_static()) {
                return self
                    .field_type(field.descriptor, span)
                    .map(|of| Typed::new(of, TypedNode::Static(owner, field)));
            }
        }
        let class = self.program().short_name(class);
        self.complain(span, format!("there is no variable, parameter or field {name} here; the class is {class}"))
    }

    fn field_type(&self, descriptor: &str, span: Span) -> Resolved<Type> {
        match self.program().load_descriptor(descriptor) {
            Ok(class) => Ok(Type::of_class(class)),
            Err(error) => self.complain(span, format!("its type cannot be loaded: {error}")),
        }
    }

    /// The class that an expression names, if it names no variable.
    pub(super) fn class_named(&mut self, expression: &Expr) -> Option<&'static Class> {
        let name = qualified(expression)?;
        let first = name.split('.').next().unwrap_or(&name);
        let class = self.scope.context.class;
        if self.variable(first).is_some() || find_field(class, first).is_some() || self.shared.has_model(class, first) {
            return None;
        }
        self.scope.context.find_class(self.program(), &name, 0)
    }

    fn member(&mut self, on: &Expr, name: &str, span: Span) -> Resolved {
        if let Some(class) = self.class_named(on) {
            return match find_field(class, name).filter(|(_, field)| field.is_static()) {
                Some((owner, field)) => {
                    self.field_type(field.descriptor, span).map(|of| Typed::new(of, TypedNode::Static(owner, field)))
                }
                None => self.complain(span, format!("{} has no static field {name}", self.program().short_name(class))),
            };
        }
        let object = self.expression(on)?;
        let Type::Reference(class) = object.of else {
            return self.complain(span, format!("{} has no field {name}", self.type_text(object.of)));
        };
        if class.is_array() && name == "length" {
            return Ok(Typed::new(Type::INT, TypedNode::Length(Box::new(object))));
        }
        match find_field(class, name) {
            Some((owner, field)) => {
                let of = self.field_type(field.descriptor, span)?;
                Ok(match field.is_static() {
                    true => Typed::new(of, TypedNode::Static(owner, field)),
                    false => self.held(object, owner, field, of),
                })
            }
            None => {
                if let Some(found) = self.model_field(class, name, Some(&object), span)? {
                    return Ok(found);
                }
                self.complain(span, format!("{} has no field {name}{}", self.type_text(object.of), erased_hint(class)))
            }
        }
    }

    fn element(&mut self, array: &Expr, index: &Expr) -> Resolved {
        let items = self.expression(array)?;
        let component = match items.of {
            Type::Reference(class) => class.component(),
            _ => None,
        };
        let Some(component) = component else {
            return self
                .complain(array.span, format!("an array is expected here, and not {}", self.type_text(items.of)));
        };
        let position = self.index(index)?;
        Ok(Typed::new(Type::of_class(component), TypedNode::Element(Box::new(items), Box::new(position))))
    }

    /// A number that fits an `int`.
    pub(super) fn index(&mut self, index: &Expr) -> Resolved {
        let (position, kind) = self.number(index)?;
        match Type::Primitive(kind).fits(Type::INT) {
            true => Ok(position),
            false => {
                self.complain(index.span, format!("an int is expected here, and not {}", self.type_text(position.of)))
            }
        }
    }

    /// A number or truth value in place of a box.
    pub(super) fn unboxed(&self, value: Typed) -> Typed {
        let Type::Reference(class) = value.of else { return value };
        let Some(kind) = Kind::of_box(class.name).filter(|_| class.is_box) else { return value };
        let name = format!("{}Value", kind.primitive_name().unwrap_or_default());
        match class.own_method(&name, &format!("(){}", kind.letter())) {
            Some(method) => Typed::new(Type::Primitive(kind), TypedNode::Call(method, vec![value])),
            None => value,
        }
    }
}
/// Type variables are gone from class files, which surprises people.
fn erased_hint(class: &Class) -> &'static str {
    match class.name {
        "java/lang/Object" => "; a type variable is an Object here, so cast it",
        _ => "",
    }
}
