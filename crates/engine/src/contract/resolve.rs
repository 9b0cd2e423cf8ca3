//! What does an expression of JML mean? Names are looked up and types are found; the result can be written as code.

use std::collections::HashMap;
use std::sync::Arc;

use lazuli_jml::{Binary, Complaint, Expr, ExprKind, Source, Span, TypeName, Unary, qualified};

use super::names::{Context, Declared, Files, find_field};
use super::reach::Reaches;
use super::typed::*;
use crate::program::{Class, Op, Program};
use crate::value::{Kind, Value};

pub type Resolved<T = Typed> = Result<T, Complaint>;

/// What all clauses of one target share.
pub struct Shared<'a> {
    pub program: &'a Program,
    pub files: Files<'a>,
    pub natives: super::natives::Natives,
    pub reaches: Reaches,
    /// The values from before the method that clauses ask for; those of one text are one.
    pub olds: Vec<Typed>,
    known_olds: HashMap<OldKey, usize>,
    /// How many variables quantifiers have bound in a clause: in this one, and at most.
    pub bound: usize,
    pub most_bound: usize,
    /// Does a clause ask what was there before the method?
    pub asks_entry: bool,
    pub declarations: HashMap<&'static str, Option<Declared>>,
}

impl<'a> Shared<'a> {
    pub fn new(program: &'a Program, files: Files<'a>) -> Shared<'a> {
        Shared {
            program,
            files,
            natives: super::natives::Natives::of(program),
            reaches: Reaches::default(),
            olds: Vec::new(),
            known_olds: HashMap::new(),
            bound: 0,
            most_bound: 0,
            asks_entry: false,
            declarations: HashMap::new(),
        }
    }

    /// The files that were looked at.
    pub fn sources(&self) -> Vec<Arc<Source>> {
        let mut sources: Vec<Arc<Source>> =
            self.declarations.values().flatten().map(|declared| declared.context.unit.source.clone()).collect();
        sources.sort_by(|one, other| one.path.cmp(&other.path));
        sources.dedup_by(|one, other| one.path == other.path);
        sources
    }

    /// Where a class is specified, if anywhere.
    pub fn declared(&mut self, class: &'static Class) -> Resolved<Option<Declared>> {
        if let Some(known) = self.declarations.get(class.name) {
            return Ok(known.clone());
        }
        let found = Declared::find(self.files, class)?;
        self.declarations.insert(class.name, found.clone());
        Ok(found)
    }
}

/// What makes two values from before the method the same.
#[derive(PartialEq, Eq, Hash)]
struct OldKey {
    text: String,
    class: &'static str,
    names: Vec<String>,
    is_copied: bool,
}

/// What the names of a clause may stand for, beside members.
#[derive(Clone)]
pub struct Scope {
    pub context: Context,
    pub has_this: bool,
    /// Of the parameters: name, type, and place among what the target gets.
    pub parameters: Vec<(String, Type, usize)>,
    pub outcome: Outcome,
    /// Is there a time before the method?
    pub has_past: bool,
}

/// How the method ended, where a clause speaks of that.
#[derive(Clone)]
pub enum Outcome {
    /// It has not.
    None,
    /// It returned: nothing for `void`.
    Returned(Option<Type>),
    /// It threw; the clause may have a name for the exception.
    Threw(Option<String>, Type),
}

/// Finds out what the expressions of one clause mean.
pub struct Resolver<'r, 'a> {
    pub shared: &'r mut Shared<'a>,
    pub scope: &'r Scope,
    /// What quantifiers around bind: name, type, number.
    pub variables: Vec<(String, Type, usize)>,
    /// Is an `\old` around?
    pub in_old: bool,
}

impl<'r, 'a> Resolver<'r, 'a> {
    pub fn new(shared: &'r mut Shared<'a>, scope: &'r Scope) -> Resolver<'r, 'a> {
        shared.bound = 0;
        Resolver { shared, scope, variables: Vec::new(), in_old: false }
    }

    /// The number of a new bound variable.
    pub fn bind(&mut self, name: &str, of: Type) -> usize {
        let number = self.shared.bound;
        self.shared.bound += 1;
        self.shared.most_bound = self.shared.most_bound.max(self.shared.bound);
        self.variables.push((name.to_string(), of, number));
        number
    }

    pub fn program(&self) -> &'a Program {
        self.shared.program
    }

    pub fn complain<T>(&self, span: Span, message: impl Into<String>) -> Resolved<T> {
        Err(self.scope.context.complain(span, message))
    }

    pub fn told(&self, of: Type) -> String {
        of.told(self.program())
    }

    pub fn class_of(&self, of: &TypeName) -> Resolved<&'static Class> {
        self.scope.context.class_of(self.program(), of)
    }

    /// An expression that must be a truth value.
    pub fn condition(&mut self, expression: &Expr) -> Resolved {
        let found = self.expression(expression)?;
        let found = self.unboxed(found);
        match found.of.is_boolean() {
            true => Ok(found),
            false => {
                self.complain(expression.span, format!("a boolean is expected here, and not {}", self.told(found.of)))
            }
        }
    }

    /// An expression that must be a number.
    pub fn number(&mut self, expression: &Expr) -> Resolved<(Typed, Kind)> {
        let found = self.expression(expression)?;
        let found = self.unboxed(found);
        match found.of.number() {
            Some(kind) => Ok((found, kind)),
            None => {
                self.complain(expression.span, format!("a number is expected here, and not {}", self.told(found.of)))
            }
        }
    }

    /// An expression that must be a reference.
    pub fn reference(&mut self, expression: &Expr) -> Resolved {
        let found = self.expression(expression)?;
        match found.of.is_reference() {
            true => Ok(found),
            false => {
                self.complain(expression.span, format!("an object is expected here, and not {}", self.told(found.of)))
            }
        }
    }

    pub fn expression(&mut self, expression: &Expr) -> Resolved {
        let span = expression.span;
        let program = self.program();
        Ok(match &expression.kind {
            ExprKind::Null => Typed::new(Type::Null, Node::Null),
            ExprKind::Bool(truth) => Typed::constant(*truth),
            ExprKind::Int(value) => Typed::new(Type::INT, Node::Int(*value)),
            ExprKind::Char(unit) => Typed::new(Type::Primitive(Kind::Char), Node::Int(i32::from(*unit))),
            ExprKind::Long(value) => Typed::new(Type::Primitive(Kind::Long), Node::Constant(Value::Long(*value))),
            ExprKind::Float(value) => Typed::new(Type::Primitive(Kind::Float), Node::Constant(Value::Float(*value))),
            ExprKind::Double(value) => Typed::new(Type::Primitive(Kind::Double), Node::Constant(Value::Double(*value))),
            ExprKind::Text(text) => {
                Typed::new(Type::Reference(program.known().string), Node::Text(program.intern_str(text)))
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
                Typed::truth(Node::InstanceOf(Box::new(self.reference(value)?), class))
            }
            ExprKind::Old(of) => self.old(of, span)?,
            ExprKind::Fresh(objects) => self.fresh(objects, span)?,
            ExprKind::NotModified(places) => self.not_modified(places, span)?,
            ExprKind::NonNullElements(array) => self.non_null_elements(array)?,
            ExprKind::TypeOf(of) => {
                let of = self.reference(of)?;
                let get_class = program.known().object.own_method("getClass", "()Ljava/lang/Class;");
                let get_class = get_class.expect("every object has a class");
                Typed::new(Type::Reference(program.known().class), Node::Call(get_class, vec![of]))
            }
            ExprKind::Type(of) => {
                let class = self.class_of(of)?;
                Typed::new(Type::Reference(program.known().class), Node::Mirror(class))
            }
            ExprKind::Reach { from, of, fields } => self.reach(from, of, fields)?,
            ExprKind::Quantified(quantified) => self.quantified(quantified, span)?,
        })
    }

    pub fn this(&self, span: Span) -> Resolved {
        match self.scope.has_this {
            true => Ok(Typed::new(Type::Reference(self.scope.context.class), Node::Variable(Place::Given(0)))),
            false => self.complain(span, "there is no `this` in a static context"),
        }
    }

    fn result(&self, span: Span) -> Resolved {
        match &self.scope.outcome {
            _ if self.in_old => self.complain(span, "`\\result` is not there before the method"),
            Outcome::Returned(Some(of)) => Ok(Typed::new(*of, Node::Variable(Place::Outcome))),
            Outcome::Returned(None) => self.complain(span, "the method returns nothing"),
            _ => self.complain(span, "`\\result` is there in `ensures` only"),
        }
    }

    /// What a quantifier, the method or a `signals` clause has a name for.
    fn variable(&self, name: &str) -> Option<Typed> {
        if let Some((_, of, number)) = self.variables.iter().rev().find(|(known, ..)| known == name) {
            return Some(Typed::new(*of, Node::Variable(Place::Bound(*number))));
        }
        if let (Outcome::Threw(Some(exception), of), false) = (&self.scope.outcome, self.in_old)
            && exception == name
        {
            return Some(Typed::new(*of, Node::Variable(Place::Outcome)));
        }
        let (_, of, position) = self.scope.parameters.iter().find(|(known, ..)| known == name)?;
        Some(Typed::new(*of, Node::Variable(Place::Given(*position))))
    }

    /// A field of the class that the clause stands in, or a static one of a class around it.
    fn own_field(&self, name: &str, span: Span) -> Resolved {
        let class = self.scope.context.class;
        if let Some((owner, field)) = find_field(class, name) {
            if field.is_static() {
                return self.field_type(field.descriptor, span).map(|of| Typed::new(of, Node::Static(owner, field)));
            }
            let this = self.this(span)?;
            return self
                .field_type(field.descriptor, span)
                .map(|of| Typed::new(of, Node::Field(Box::new(this), owner, field)));
        }
        let around = std::iter::successors(class.name.rsplit_once('$').map(|(outer, _)| outer), |name| {
            name.rsplit_once('$').map(|(outer, _)| outer)
        });
        for outer in around {
            let Ok(outer) = self.program().load(outer) else { continue };
            if let Some((owner, field)) = find_field(outer, name).filter(|(_, field)| field.is_static()) {
                return self.field_type(field.descriptor, span).map(|of| Typed::new(of, Node::Static(owner, field)));
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
    pub fn class_named(&self, expression: &Expr) -> Option<&'static Class> {
        let name = qualified(expression)?;
        let first = name.split('.').next().unwrap_or(&name);
        if self.variable(first).is_some() || find_field(self.scope.context.class, first).is_some() {
            return None;
        }
        self.scope.context.find_class(self.program(), &name, 0)
    }

    fn member(&mut self, on: &Expr, name: &str, span: Span) -> Resolved {
        if let Some(class) = self.class_named(on) {
            return match find_field(class, name).filter(|(_, field)| field.is_static()) {
                Some((owner, field)) => {
                    self.field_type(field.descriptor, span).map(|of| Typed::new(of, Node::Static(owner, field)))
                }
                None => self.complain(span, format!("{} has no static field {name}", self.program().short_name(class))),
            };
        }
        let object = self.expression(on)?;
        let Type::Reference(class) = object.of else {
            return self.complain(span, format!("{} has no field {name}", self.told(object.of)));
        };
        if class.is_array() && name == "length" {
            return Ok(Typed::new(Type::INT, Node::Length(Box::new(object))));
        }
        match find_field(class, name) {
            Some((owner, field)) => {
                let of = self.field_type(field.descriptor, span)?;
                Ok(match field.is_static() {
                    true => Typed::new(of, Node::Static(owner, field)),
                    false => Typed::new(of, Node::Field(Box::new(object), owner, field)),
                })
            }
            None => self.complain(span, format!("{} has no field {name}{}", self.told(object.of), erased_hint(class))),
        }
    }

    fn element(&mut self, array: &Expr, index: &Expr) -> Resolved {
        let items = self.expression(array)?;
        let component = match items.of {
            Type::Reference(class) => class.component(),
            _ => None,
        };
        let Some(component) = component else {
            return self.complain(array.span, format!("an array is expected here, and not {}", self.told(items.of)));
        };
        let position = self.index(index)?;
        Ok(Typed::new(Type::of_class(component), Node::Element(Box::new(items), Box::new(position))))
    }

    /// A number that fits an `int`.
    pub fn index(&mut self, index: &Expr) -> Resolved {
        let (position, kind) = self.number(index)?;
        match Type::Primitive(kind).fits(Type::INT) {
            true => Ok(position),
            false => self.complain(index.span, format!("an int is expected here, and not {}", self.told(position.of))),
        }
    }

    fn unary(&mut self, operator: Unary, of: &Expr) -> Resolved {
        if operator == Unary::Not {
            return Ok(self.condition(of)?.negated());
        }
        let (value, kind) = self.number(of)?;
        let kind = promoted(kind, Kind::Int);
        let value = converted(value, kind);
        let of_type = Type::Primitive(kind);
        let node = match (operator, kind) {
            (Unary::Plus, _) => return Ok(value),
            (Unary::Minus, Kind::Long) => Node::Convert(vec![Op::Lneg], Box::new(value)),
            (Unary::Minus, Kind::Float) => Node::Convert(vec![Op::Fneg], Box::new(value)),
            (Unary::Minus, Kind::Double) => Node::Convert(vec![Op::Dneg], Box::new(value)),
            (Unary::Minus, _) => Node::Convert(vec![Op::Ineg], Box::new(value)),
            (_, Kind::Int) => Node::Arithmetic(Op::Ixor, Box::new(value), Box::new(Typed::new(of_type, Node::Int(-1)))),
            (_, Kind::Long) => {
                let ones = Typed::new(of_type, Node::Constant(Value::Long(-1)));
                Node::Arithmetic(Op::Lxor, Box::new(value), Box::new(ones))
            }
            _ => return self.complain(of.span, format!("an integer is expected here, and not {}", self.told(of_type))),
        };
        Ok(Typed::new(of_type, node))
    }

    fn binary(&mut self, operator: Binary, left: &Expr, right: &Expr, span: Span) -> Resolved {
        match operator {
            Binary::And => return Ok(self.condition(left)?.and(self.condition(right)?)),
            Binary::Or => return Ok(self.condition(left)?.or(self.condition(right)?)),
            Binary::Implies => return Ok(self.condition(left)?.negated().or(self.condition(right)?)),
            Binary::Equivalent | Binary::Inequivalent => {
                let relation = if operator == Binary::Equivalent { Relation::Equal } else { Relation::NotEqual };
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                return Ok(Typed::truth(Node::Compare(relation, Box::new(left), Box::new(right))));
            }
            Binary::Subtype => return self.subtype(left, right),
            _ => {}
        }
        let (one, other) = (self.expression(left)?, self.expression(right)?);
        if let Binary::Equal | Binary::NotEqual = operator {
            return self.equality(operator == Binary::Equal, one, other, span);
        }
        let (one, other) = (self.unboxed(one), self.unboxed(other));
        if one.of.is_boolean() && other.of.is_boolean() {
            let op = match operator {
                Binary::BitAnd => Op::Iand,
                Binary::BitOr => Op::Ior,
                Binary::BitXor => Op::Ixor,
                _ => return self.complain(span, "booleans have no such operator"),
            };
            return Ok(Typed::truth(Node::Arithmetic(op, Box::new(one), Box::new(other))));
        }
        let string = self.program().known().string;
        if operator == Binary::Add
            && [one.of, other.of].iter().any(|of| matches!(of, Type::Reference(class) if class.id == string.id))
        {
            return self.complain(span, "putting texts together is not supported");
        }
        let (Some(first), Some(second)) = (one.of.number(), other.of.number()) else {
            let wrong = if one.of.number().is_none() { (left, one.of) } else { (right, other.of) };
            return self.complain(wrong.0.span, format!("a number is expected here, and not {}", self.told(wrong.1)));
        };
        let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned);
        let kind = if is_shift { promoted(first, Kind::Int) } else { promoted(first, second) };
        if let Some(relation) = relation(operator) {
            let (one, other) = (converted(one, kind), converted(other, kind));
            return Ok(Typed::truth(Node::Compare(relation, Box::new(one), Box::new(other))));
        }
        let Some(op) = arithmetic(operator, kind) else {
            return self.complain(span, format!("{} has no such operator", self.told(Type::Primitive(kind))));
        };
        let distance = if is_shift { Kind::Int } else { kind };
        if is_shift && !matches!(second, Kind::Byte | Kind::Short | Kind::Char | Kind::Int | Kind::Long) {
            return self.complain(right.span, "an integer is expected here");
        }
        let (one, other) = (converted(one, kind), converted(other, distance));
        Ok(Typed::new(Type::Primitive(kind), Node::Arithmetic(op, Box::new(one), Box::new(other))))
    }

    fn equality(&mut self, wanted: bool, one: Typed, other: Typed, span: Span) -> Resolved {
        let is_reference = one.of.is_reference() && other.of.is_reference();
        let (one, other) = if is_reference { (one, other) } else { (self.unboxed(one), self.unboxed(other)) };
        let relation = if wanted { Relation::Equal } else { Relation::NotEqual };
        let found = match (one.of, other.of) {
            (Type::Null, _) if is_reference => Typed::truth(Node::IsNull(Box::new(other))),
            (_, Type::Null) if is_reference => Typed::truth(Node::IsNull(Box::new(one))),
            _ if is_reference => Typed::truth(Node::Same(Box::new(one), Box::new(other))),
            (left, right) if left.is_boolean() && right.is_boolean() => {
                return Ok(Typed::truth(Node::Compare(relation, Box::new(one), Box::new(other))));
            }
            (left, right) => {
                let (Some(first), Some(second)) = (left.number(), right.number()) else {
                    let message = format!("{} and {} cannot be compared", self.told(left), self.told(right));
                    return self.complain(span, message);
                };
                let kind = promoted(first, second);
                let (one, other) = (converted(one, kind), converted(other, kind));
                return Ok(Typed::truth(Node::Compare(relation, Box::new(one), Box::new(other))));
            }
        };
        Ok(if wanted { found } else { found.negated() })
    }

    /// `S <: T`, of objects that stand for types.
    fn subtype(&mut self, left: &Expr, right: &Expr) -> Resolved {
        let class = self.program().known().class;
        let is_assignable = class.own_method("isAssignableFrom", "(Ljava/lang/Class;)Z").expect("the JDK has it");
        let (below, above) = (self.expression(left)?, self.expression(right)?);
        for (expression, of) in [(left, below.of), (right, above.of)] {
            if !matches!(of, Type::Reference(found) if found.id == class.id) {
                return self.complain(expression.span, "a type is expected here: \\typeof(x) or \\type(T)");
            }
        }
        Ok(Typed::truth(Node::Call(is_assignable, vec![above, below])))
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, span: Span) -> Resolved {
        let condition = self.condition(condition)?;
        let (one, other) = (self.expression(then)?, self.expression(otherwise)?);
        let of = match (one.of, other.of) {
            (Type::Null, of) | (of, Type::Null) if of.is_reference() => of,
            (left, right) if left.is_boolean() && right.is_boolean() => left,
            (Type::Reference(left), Type::Reference(right)) if left.is_subtype_of(right) => Type::Reference(right),
            (Type::Reference(left), Type::Reference(right)) if right.is_subtype_of(left) => Type::Reference(left),
            (left, right) => match (left.number(), right.number()) {
                (Some(first), Some(second)) => Type::Primitive(promoted(first, second)),
                _ => {
                    let message =
                        format!("{} and {} have no common type; cast one of them", self.told(left), self.told(right));
                    return self.complain(span, message);
                }
            },
        };
        let (one, other) = match of.number() {
            Some(kind) => (converted(one, kind), converted(other, kind)),
            None => (one, other),
        };
        Ok(Typed::new(of, Node::Conditional(Box::new(condition), Box::new(one), Box::new(other))))
    }

    fn cast(&mut self, of: &TypeName, value: &Expr, span: Span) -> Resolved {
        let class = self.class_of(of)?;
        let found = self.expression(value)?;
        match (Type::of_class(class), found.of) {
            (Type::Reference(class), own) if own.is_reference() => {
                Ok(Typed::new(Type::Reference(class), Node::Cast(class, Box::new(found))))
            }
            (Type::Primitive(to), _) => {
                let found = self.unboxed(found);
                match found.of.number() {
                    Some(_) if to != Kind::Boolean => Ok(converted(found, to)),
                    None if to == Kind::Boolean && found.of.is_boolean() => Ok(found),
                    _ => self.complain(span, format!("{} cannot be cast to {}", self.told(found.of), of.name)),
                }
            }
            (_, own) => self.complain(span, format!("{} cannot be cast to {}", self.told(own), of.name)),
        }
    }

    fn old(&mut self, of: &Expr, span: Span) -> Resolved {
        if self.in_old {
            return self.complain(span, "`\\old` within `\\old` says nothing more; leave it out");
        }
        if !self.scope.has_past {
            return self
                .complain(span, "`\\old` needs a time before the method: it is there in `ensures` and `signals`");
        }
        // An element at an index that a quantifier chooses: the whole array is remembered.
        if let ExprKind::Index(array, index) = &of.kind
            && self.mentions_bound(index)
            && !self.mentions_bound(array)
        {
            let items = self.remember(array, true)?;
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
            return Ok(Typed::new(Type::of_class(component), Node::Element(Box::new(items), Box::new(position?))));
        }
        if self.mentions_bound(of) {
            let message =
                "`\\old` of what a quantifier chooses is supported for elements of arrays only, as in \\old(a[i])";
            return self.complain(span, message);
        }
        self.remember(of, false)
    }

    /// A value that is computed before the method.
    pub fn remember(&mut self, of: &Expr, is_copied: bool) -> Resolved {
        // The same words mean the same in one class, for parameters of the same names.
        let Scope { context, parameters, .. } = self.scope;
        let names = parameters.iter().map(|(name, ..)| name.clone()).collect();
        let key = OldKey { text: context.unit.source.quote(of.span), class: context.class.name, names, is_copied };
        let number = match self.shared.known_olds.get(&key) {
            Some(number) => *number,
            None => {
                self.in_old = true;
                let variables = std::mem::take(&mut self.variables);
                let found = self.expression(of);
                self.in_old = false;
                self.variables = variables;
                let found = found?;
                let found = match (is_copied, found.of) {
                    (true, Type::Reference(class)) if class.is_array() => {
                        Typed::new(found.of, Node::CopyOf(Box::new(found)))
                    }
                    (true, of_type) => {
                        return self
                            .complain(of.span, format!("an array is expected here, and not {}", self.told(of_type)));
                    }
                    _ => found,
                };
                self.shared.known_olds.insert(key, self.shared.olds.len());
                self.shared.olds.push(found);
                self.shared.olds.len() - 1
            }
        };
        Ok(Typed::new(self.shared.olds[number].of, Node::Old(number)))
    }

    fn fresh(&mut self, objects: &[Expr], span: Span) -> Resolved {
        if !self.scope.has_past || self.in_old {
            return self
                .complain(span, "`\\fresh` needs a time before the method: it is there in `ensures` and `signals`");
        }
        self.shared.asks_entry = true;
        let fresh = self.shared.natives.fresh;
        let mut all = Typed::constant(true);
        for object in objects {
            let object = self.reference(object)?;
            all = all.and(Typed::truth(Node::Call(fresh, vec![object])));
        }
        Ok(all)
    }

    fn not_modified(&mut self, places: &[Expr], span: Span) -> Resolved {
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
            let (before, now) = (self.remember(place, false)?, self.expression(place)?);
            let is_float = matches!(now.of, Type::Primitive(Kind::Float | Kind::Double));
            let mut same = self.equality(true, before.clone(), now.clone(), place.span)?;
            if is_float {
                // What is not a number does not equal itself.
                let odd = |value: &Typed| {
                    Typed::truth(Node::Compare(Relation::NotEqual, Box::new(value.clone()), Box::new(value.clone())))
                };
                same = same.or(odd(&before).and(odd(&now)));
            }
            all = all.and(same);
        }
        Ok(all)
    }

    /// Does the expression speak of a variable that a quantifier around it binds?
    pub fn mentions_bound(&self, expression: &Expr) -> bool {
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

    /// A number or truth value in place of a box.
    pub fn unboxed(&self, value: Typed) -> Typed {
        let Type::Reference(class) = value.of else { return value };
        let Some(kind) = Kind::of_box(class.name).filter(|_| class.is_box) else { return value };
        let name = format!("{}Value", kind.primitive_name().unwrap_or_default());
        match class.own_method(&name, &format!("(){}", kind.letter())) {
            Some(method) => Typed::new(Type::Primitive(kind), Node::Call(method, vec![value])),
            None => value,
        }
    }
}

/// The number as one of another type.
pub fn converted(value: Typed, to: Kind) -> Typed {
    let Some(from) = value.of.number() else { return value };
    let ops = conversion(from, to);
    let of = Type::Primitive(to);
    match ops.is_empty() {
        true => Typed { of, ..value },
        false => Typed::new(of, Node::Convert(ops, Box::new(value))),
    }
}

/// The value where one of this type is wanted.
pub fn passed(value: Typed, wanted: Type) -> Typed {
    match wanted.number() {
        Some(kind) => converted(value, kind),
        None => value,
    }
}

fn relation(operator: Binary) -> Option<Relation> {
    Some(match operator {
        Binary::Less => Relation::Less,
        Binary::LessOrEqual => Relation::LessOrEqual,
        Binary::Greater => Relation::Greater,
        Binary::GreaterOrEqual => Relation::GreaterOrEqual,
        _ => return None,
    })
}

fn arithmetic(operator: Binary, kind: Kind) -> Option<Op> {
    let [int, long, float, double] = match operator {
        Binary::Add => [Some(Op::Iadd), Some(Op::Ladd), Some(Op::Fadd), Some(Op::Dadd)],
        Binary::Subtract => [Some(Op::Isub), Some(Op::Lsub), Some(Op::Fsub), Some(Op::Dsub)],
        Binary::Multiply => [Some(Op::Imul), Some(Op::Lmul), Some(Op::Fmul), Some(Op::Dmul)],
        Binary::Divide => [Some(Op::Idiv), Some(Op::Ldiv), Some(Op::Fdiv), Some(Op::Ddiv)],
        Binary::Remainder => [Some(Op::Irem), Some(Op::Lrem), Some(Op::Frem), Some(Op::Drem)],
        Binary::BitAnd => [Some(Op::Iand), Some(Op::Land), None, None],
        Binary::BitOr => [Some(Op::Ior), Some(Op::Lor), None, None],
        Binary::BitXor => [Some(Op::Ixor), Some(Op::Lxor), None, None],
        Binary::ShiftLeft => [Some(Op::Ishl), Some(Op::Lshl), None, None],
        Binary::ShiftRight => [Some(Op::Ishr), Some(Op::Lshr), None, None],
        Binary::ShiftRightUnsigned => [Some(Op::Iushr), Some(Op::Lushr), None, None],
        _ => return None,
    };
    match kind {
        Kind::Long => long,
        Kind::Float => float,
        Kind::Double => double,
        _ => int,
    }
}

/// Type variables are gone from class files, which surprises people.
fn erased_hint(class: &Class) -> &'static str {
    match class.name {
        "java/lang/Object" => "; a type variable is an Object here, so cast it",
        _ => "",
    }
}
