//! How does a program ask whether a clause of JML is kept?
//!
//! The clause is written as an expression of Java over the variables of the test. Values from before the call are computed before it, a
//! quantifier becomes a method with loops, and a few small methods go over the heap by reflection.

use std::collections::BTreeMap;

use lazuli_reach::plan::Operand;
use lazuli_spec::typed::{Collected, Links, Node, Place, Relation, Type, Typed};
use lazuli_spec::{Allowed, Body as Meaning, Places};
use lazuli_vm::program::{Class, Field, Method, Op, Program, descriptor};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::{Kind, Value};

use super::body::Body;
use super::literal::{literal, name, text};
use crate::{Asked, Rehearsed};

/// The variable that has an exception.
pub const THROWN: &str = "thrown";
/// The type of what is remembered of the time before the call, in the variable `before`.
pub const MEMORY: &str = "java.util.Map<Object, java.util.Map<Object, Object>>";

/// How tightly an expression is bound, as in the grammar of Java (JLS §15): what is bound less tightly than wanted stands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tie {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Whole,
}

/// A piece of Java.
pub struct Java {
    pub text: String,
    tie: Tie,
}

impl Java {
    fn new(text: impl Into<String>, tie: Tie) -> Java {
        Java { text: text.into(), tie }
    }

    pub fn whole(text: impl Into<String>) -> Java {
        Java::new(text, Tie::Whole)
    }

    /// The text where something that is tied so is wanted.
    pub fn at(self, tie: Tie) -> String {
        if self.tie < tie { format!("({})", self.text) } else { self.text }
    }
}

/// The error is a reason why no program can ask the clause.
pub type Written<T = Java> = Result<T, String>;

/// What a program does about a clause.
pub struct Question {
    /// Statements before the call.
    pub before: Vec<String>,
    /// Is true if the clause is kept.
    pub condition: String,
    /// Is a list of what the method must not change, and did; in place of a condition that would say less.
    pub changes: Option<String>,
    /// Does the condition ask how the call ended?
    pub asks_outcome: bool,
}

/// Can a program ask the clause that is not kept, if there is one? The error says why not.
pub fn check_clause(
    program: &Program,
    package: &str,
    target: &'static Method,
    rehearsed: &Rehearsed,
) -> Result<(), String> {
    let Some(asked) = &rehearsed.asked else { return Ok(()) };
    Body::new(program, package, target, &rehearsed.plan).question(asked, "result").map(|_| ())
}

impl Body<'_> {
    /// Writes what a program asks. `outcome` is the variable that has the result, or the exception.
    pub fn question(&mut self, asked: &Asked, outcome: &str) -> Written<Question> {
        let mut writer = Writer { asked, outcome, olds: BTreeMap::new(), bound: BTreeMap::new(), body: self };
        let meaning = &*asked.clause.meaning;
        let mut before = Vec::new();
        for (number, old) in asked.olds.iter().enumerate() {
            let is_this =
                |part: &Typed| matches!(part.node, Node::Old(found) | Node::WasTrue(found) if found == number);
            if let (Some(old), true) = (old, meaning.any(&mut |part| is_this(part))) {
                let value = writer.value(old)?.text;
                let name = writer.body.fresh_name("old");
                let kind = writer.type_name(old.of);
                before.push(format!("{kind} {name} = {value};"));
                writer.olds.insert(number, (kind, name));
            }
        }
        let looks_back =
            matches!(meaning, Meaning::Frame(..)) || meaning.any(&mut |part| matches!(part.node, Node::Fresh(_)));
        if looks_back {
            before.push(writer.memory());
        }
        let mut changes = None;
        let condition = match meaning {
            Meaning::Condition(condition) => writer.value(condition)?.text,
            Meaning::AnyOf { .. } => return Err("several preconditions are no matter of a test".to_string()),
            // The clause was found not to be kept on this very input, so that it applies to it.
            Meaning::Frame(_, allowed) => {
                let listed = writer.changes(allowed)?;
                let condition = format!("{listed}.isEmpty()");
                changes = Some(listed);
                condition
            }
        };
        let asks_outcome = meaning.any(&mut |part| matches!(part.node, Node::Variable(Place::Outcome)));
        Ok(Question { before, condition, changes, asks_outcome })
    }
}

/// Writes the expressions of one clause.
pub struct Writer<'w, 'a> {
    pub body: &'w mut Body<'a>,
    asked: &'w Asked,
    /// The variable that has the result, or the exception.
    pub outcome: &'w str,
    /// The variables of values from before the call, by number: type and name.
    pub olds: BTreeMap<usize, (String, String)>,
    /// What quantifiers bind, by number: type and name.
    pub bound: BTreeMap<usize, (String, String)>,
}

impl Writer<'_, '_> {
    pub fn type_name(&self, of: Type) -> String {
        match of {
            Type::Primitive(kind) => kind.primitive_name().unwrap_or("void").to_string(),
            Type::Reference(class) => self.source_name(class).unwrap_or_else(|| unnamed(class).to_string()),
            Type::Null => "Object".to_string(),
            Type::Set | Type::Queue => "java.util.List<Object>".to_string(),
        }
    }

    pub fn source_name(&self, class: &Class) -> Option<String> {
        class.source_name(self.body.package)
    }

    pub fn value(&mut self, of: &Typed) -> Written {
        Ok(match &of.node {
            Node::Null => Java::whole("null"),
            Node::Int(value) => plain(literal(Datum::Int(*value), kind_of(of.of))),
            Node::Constant(value) => plain(match value {
                Value::Long(value) => literal(Datum::Long(*value), Kind::Long),
                Value::Float(value) => literal(Datum::Float(*value), Kind::Float),
                Value::Double(value) => literal(Datum::Double(*value), Kind::Double),
                _ => return Err("the clause has a constant of no type of Java".to_string()),
            }),
            Node::Text(id) => Java::whole(text(self.body.program.text(*id))),
            Node::Mirror(class) => Java::whole(self.body.class_literal(class)),
            Node::Variable(place) => self.variable(*place, of.of),
            Node::Old(number) | Node::WasTrue(number) => match (self.olds.get(number), &of.node) {
                (Some((_, name)), _) => Java::whole(name.clone()),
                (None, Node::WasTrue(_)) => Java::whole("false"),
                (None, _) => {
                    self.body.needs.undefined = true;
                    Java::new(format!("({}) undefined()", self.type_name(of.of)), Tie::Unary)
                }
            },
            Node::Field(on, owner, field) => self.field(on, owner, field)?,
            Node::Static(owner, field) => match self.body.program.can_use_field(owner, field, self.body.package) {
                true => Java::whole(format!("{}.{}", self.source_name(owner).unwrap_or_default(), field.name)),
                false => self.hidden_field(owner, "null", field)?,
            },
            Node::Length(array) => Java::whole(format!("{}.length", self.receiver(array, None)?)),
            Node::Element(array, index) => {
                let (array, index) = (self.receiver(array, None)?, self.value(index)?.text);
                Java::whole(format!("{array}[{index}]"))
            }
            Node::Call(method, arguments) => self.call(method, arguments)?,
            Node::Arithmetic(op, left, right) => self.arithmetic(*op, left, right)?,
            Node::Convert(ops, inner) => {
                let mut written = self.value(inner)?;
                for op in ops {
                    let sign = conversion(*op).ok_or("the clause has an operator that Java has not")?;
                    written = Java::new(format!("{sign}{}", written.at(Tie::Whole)), Tie::Unary);
                }
                written
            }
            Node::Compare(relation, left, right) => {
                let (sign, tie) = match relation {
                    Relation::Equal => ("==", Tie::Equality),
                    Relation::NotEqual => ("!=", Tie::Equality),
                    Relation::Less => ("<", Tie::Relation),
                    Relation::LessOrEqual => ("<=", Tie::Relation),
                    Relation::Greater => (">", Tie::Relation),
                    Relation::GreaterOrEqual => (">=", Tie::Relation),
                };
                self.joined(left, sign, right, tie)?
            }
            Node::Same(left, right) => self.same(left, "==", right)?,
            Node::IsNull(inner) => {
                Java::new(format!("{} == null", self.value(inner)?.at(Tie::Relation)), Tie::Equality)
            }
            Node::Not(inner) => match &inner.node {
                Node::Same(left, right) => self.same(left, "!=", right)?,
                Node::IsNull(inner) => {
                    Java::new(format!("{} != null", self.value(inner)?.at(Tie::Relation)), Tie::Equality)
                }
                Node::Not(inner) => self.value(inner)?,
                _ => Java::new(format!("!{}", self.value(inner)?.at(Tie::Unary)), Tie::Unary),
            },
            // What is always so is only in the way of readers.
            Node::And(left, right) if matches!(left.node, Node::Int(1)) => self.value(right)?,
            Node::Or(left, right) if matches!(left.node, Node::Int(0)) => self.value(right)?,
            Node::And(left, right) => self.joined(left, "&&", right, Tie::And)?,
            Node::Or(left, right) => self.joined(left, "||", right, Tie::Or)?,
            Node::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition)?.at(Tie::Or);
                let (then, otherwise) = (self.value(then)?.at(Tie::Or), self.value(otherwise)?.at(Tie::Or));
                Java::new(format!("{condition} ? {then} : {otherwise}"), Tie::Choice)
            }
            Node::Cast(class, inner) => {
                let inner = self.value(inner)?;
                match self.source_name(class) {
                    Some(name) => Java::new(format!("({name}) {}", inner.at(Tie::Unary)), Tie::Unary),
                    None => Java::whole(format!("{}.cast({})", self.body.class_literal(class), inner.text)),
                }
            }
            Node::InstanceOf(inner, class) => self.instance_of(inner, class)?,
            Node::CopyOf(array) => Java::whole(format!("{}.clone()", self.receiver(array, None)?)),
            Node::Has(set, object) => {
                self.body.needs.reach = true;
                Java::whole(format!("has({}, {})", self.value(set)?.text, self.value(object)?.text))
            }
            Node::Size(set) => Java::whole(format!("{}.size()", self.value(set)?.at(Tie::Whole))),
            Node::Fresh(object) => Java::whole(format!("isFresh(before, {})", self.value(object)?.text)),
            Node::Collected(collected) => self.collected(collected)?,
            Node::Loop(quantified) => self.quantified(quantified, of.of)?,
        })
    }

    fn variable(&mut self, place: Place, of: Type) -> Java {
        match place {
            Place::Given(position) => {
                let Some(operand) = self.body.plan.arguments.get(position).cloned() else { return Java::whole("null") };
                let made = match &operand {
                    Operand::Made(step) => self.body.plan.steps[*step].makes(),
                    _ => None,
                };
                let written = self.body.operand(&operand, &of.descriptor());
                match (of, made) {
                    // A field of the same name may be declared below.
                    (Type::Reference(class), Some(made)) if class.id != made.id && !written.starts_with('(') => {
                        self.cast(written, class)
                    }
                    _ => plain(written),
                }
            }
            Place::Outcome if self.outcome_type() == "Object" => {
                let (_, result) = descriptor::method(self.body.target.descriptor).unwrap_or_default();
                self.unpacked(self.outcome.to_string(), result)
            }
            Place::Outcome => Java::whole(self.outcome),
            Place::Bound(number) => Java::whole(self.bound.get(&number).map_or("null", |(_, name)| name.as_str())),
        }
    }

    /// The type of the variable that has the result, or the exception.
    pub fn outcome_type(&self) -> String {
        match self.outcome {
            THROWN => "Throwable".to_string(),
            _ => self.body.result_type(),
        }
    }

    /// The text as one of the class, if that has a name.
    fn cast(&self, text: String, class: &Class) -> Java {
        match self.source_name(class).filter(|name| name != "Object") {
            Some(name) => Java::new(format!("({name}) {text}"), Tie::Unary),
            None => Java::whole(text),
        }
    }

    /// What a member is asked of, which must be of the class that has it.
    fn receiver(&mut self, on: &Typed, class: Option<&Class>) -> Written<String> {
        let written = self.value(on)?;
        let own = match on.of {
            Type::Reference(own) => Some(own),
            _ => None,
        };
        let wanted = match class {
            Some(class) if own.is_none_or(|own| own.id != class.id || self.source_name(own).is_none()) => Some(class),
            None | Some(_) if written.text == "null" => own,
            _ => None,
        };
        if let Some(array) = own.filter(|own| own.is_array() && self.source_name(own).is_none()) {
            return Ok(format!("(({}) {})", unnamed(array), written.at(Tie::Unary)));
        }
        Ok(match wanted {
            Some(class) => self.cast(written.at(Tie::Unary), class).at(Tie::Whole),
            None => written.at(Tie::Whole),
        })
    }

    fn field(&mut self, on: &Typed, owner: &'static Class, field: &'static Field) -> Written {
        if self.body.program.can_use_field(owner, field, self.body.package) {
            return Ok(Java::whole(format!("{}.{}", self.receiver(on, Some(owner))?, field.name)));
        }
        let on = self.value(on)?.text;
        self.hidden_field(owner, &on, field)
    }

    fn hidden_field(&mut self, owner: &'static Class, on: &str, field: &'static Field) -> Written {
        self.check_open(owner)?;
        (self.body.needs.get, self.body.needs.throws) = (true, true);
        let read = format!("get({}, {on}, {})", self.body.class_literal(owner), name(field.name));
        Ok(self.unpacked(read, field.descriptor))
    }

    /// What reflection gives, as a value of the type that it was declared with: a box can be turned into nothing else.
    fn unpacked(&self, text: String, descriptor: &str) -> Java {
        let declared = self.body.program.load_descriptor(descriptor).map_or(Type::Null, Type::of_class);
        match self.type_name(declared).as_str() {
            "Object" => Java::whole(text),
            name => Java::new(format!("({name}) {text}"), Tie::Unary),
        }
    }

    /// Nobody may look into the JDK's classes.
    fn check_open(&self, owner: &Class) -> Result<(), String> {
        match owner.is_users() {
            true => Ok(()),
            false => {
                Err(format!("the clause needs a private member of {}, which no program may use", owner.java_name()))
            }
        }
    }

    fn call(&mut self, method: &'static Method, arguments: &[Typed]) -> Written {
        let (types, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let (receiver, others) = arguments.split_at(!method.is_static() as usize);
        let mut given = Vec::new();
        for (argument, wanted) in others.iter().zip(&types) {
            let written = self.value(argument)?;
            // What has no name is an Object in Java.
            let is_unnamed = matches!(argument.of, Type::Reference(class) if self.source_name(class).is_none());
            let needs_type = is_unnamed || self.body.is_overloaded(method);
            given.push(match self.body.named(wanted).filter(|_| needs_type) {
                Some(name) => format!("({name}) {}", written.at(Tie::Unary)),
                None => written.text,
            });
        }
        self.body.note_exceptions(method);
        if self.body.program.can_call(method, self.body.package) {
            let owner = match receiver.first() {
                Some(on) => self.receiver(on, Some(method.class()).filter(|_| self.needs_cast(on, method)))?,
                None => self.source_name(method.class()).unwrap_or_default(),
            };
            return Ok(Java::whole(format!("{owner}.{}({})", method.name, given.join(", "))));
        }
        self.check_open(method.class())?;
        let on = match receiver.first() {
            Some(on) => self.value(on)?.text,
            None => "null".to_string(),
        };
        let called = self.body.reflective(method, &on, &given);
        Ok(self.unpacked(called, result))
    }

    /// Does the type that the receiver has in Java lack the method?
    fn needs_cast(&self, on: &Typed, method: &Method) -> bool {
        match on.of {
            Type::Reference(class) => self.source_name(class).is_none() || !class.is_subtype_of(method.class()),
            _ => true,
        }
    }

    fn joined(&mut self, left: &Typed, sign: &str, right: &Typed, tie: Tie) -> Written {
        let (left, right) = (self.value(left)?, self.value(right)?);
        // Java reads `a - b - c` from the left; of what is associative, the right side needs no brackets either.
        let is_associative = matches!(tie, Tie::And | Tie::Or);
        let right = if right.tie == tie && !is_associative { format!("({})", right.text) } else { right.at(tie) };
        Ok(Java::new(format!("{} {sign} {right}", left.at(tie)), tie))
    }

    fn same(&mut self, left: &Typed, sign: &str, right: &Typed) -> Written {
        let is_related = match (left.of, right.of) {
            (Type::Reference(one), Type::Reference(other)) => one.is_subtype_of(other) || other.is_subtype_of(one),
            _ => true,
        };
        if is_related {
            return self.joined(left, sign, right, Tie::Equality);
        }
        let (left, right) = (self.value(left)?.at(Tie::Unary), self.value(right)?.at(Tie::Relation));
        Ok(Java::new(format!("(Object) {left} {sign} {right}"), Tie::Equality))
    }

    fn instance_of(&mut self, inner: &Typed, class: &'static Class) -> Written {
        let is_related =
            matches!(inner.of, Type::Reference(own) if own.is_subtype_of(class) || class.is_subtype_of(own));
        let written = self.value(inner)?;
        Ok(match self.source_name(class) {
            Some(name) if is_related => {
                Java::new(format!("{} instanceof {name}", written.at(Tie::Shift)), Tie::Relation)
            }
            Some(name) => Java::new(format!("(Object) {} instanceof {name}", written.at(Tie::Unary)), Tie::Relation),
            None => Java::whole(format!("{}.isInstance({})", self.body.class_literal(class), written.text)),
        })
    }

    fn arithmetic(&mut self, op: Op, left: &Typed, right: &Typed) -> Written {
        let (sign, tie) = match op {
            Op::Iadd | Op::Ladd | Op::Fadd | Op::Dadd => ("+", Tie::Sum),
            Op::Isub | Op::Lsub | Op::Fsub | Op::Dsub => ("-", Tie::Sum),
            Op::Imul | Op::Lmul | Op::Fmul | Op::Dmul => ("*", Tie::Product),
            Op::Idiv | Op::Ldiv | Op::Fdiv | Op::Ddiv => ("/", Tie::Product),
            Op::Irem | Op::Lrem | Op::Frem | Op::Drem => ("%", Tie::Product),
            Op::Iand | Op::Land => ("&", Tie::BitAnd),
            Op::Ior | Op::Lor => ("|", Tie::BitOr),
            Op::Ixor | Op::Lxor => ("^", Tie::BitXor),
            Op::Ishl | Op::Lshl => ("<<", Tie::Shift),
            Op::Ishr | Op::Lshr => (">>", Tie::Shift),
            Op::Iushr | Op::Lushr => (">>>", Tie::Shift),
            _ => return Err("the clause has an operator that Java has not".to_string()),
        };
        self.joined(left, sign, right, tie)
    }

    fn collected(&mut self, collected: &Collected) -> Written {
        self.body.needs.throws = true;
        let mut from = Vec::new();
        for root in &collected.from {
            from.push(self.value(root)?.text);
        }
        match &collected.links {
            Links::Fields(class, fields) => {
                let mut listed = vec![self.body.class_literal(class), from.concat()];
                for (owner, field) in fields {
                    listed.push(self.named_field(owner, field)?);
                }
                self.body.needs.reach = true;
                Ok(Java::whole(format!("reach({})", listed.join(", "))))
            }
            Links::All(classes) => {
                for class in classes.iter().filter(|class| !class.is_array() && !class.fields.is_empty()) {
                    self.check_open(class)?;
                }
                self.body.needs.memory = true;
                Ok(Java::whole(format!("new java.util.ArrayList<>(held({}).keySet())", from.join(", "))))
            }
        }
    }

    fn named_field(&mut self, owner: &'static Class, field: &Field) -> Written<String> {
        self.check_open(owner)?;
        (self.body.needs.field, self.body.needs.throws) = (true, true);
        Ok(format!("field({}, {})", self.body.class_literal(owner), name(field.name)))
    }

    /// Remembers what was there before the call.
    fn memory(&mut self) -> String {
        (self.body.needs.memory, self.body.needs.throws) = (true, true);
        let plan = self.body.plan;
        let made = plan.arguments.iter().filter(|operand| matches!(operand, Operand::Made(_)));
        let mut roots: Vec<String> = Vec::new();
        for operand in made {
            roots.push(self.body.operand(operand, "Ljava/lang/Object;"));
        }
        roots.extend(self.asked.statics.iter().map(|class| self.body.class_literal(class)));
        format!("{MEMORY} before = held({});", roots.join(", "))
    }

    /// What changed that must not.
    fn changes(&mut self, allowed: &[Allowed]) -> Written<String> {
        let mut listed = vec!["before".to_string()];
        for Allowed { object, places } in allowed {
            // A place that there was not before the call cannot change.
            let is_missing = |part: &&Typed| matches!(part.node, Node::Old(number) if !self.olds.contains_key(&number));
            let is_there = match places {
                Places::Between(low, high) => ![object, low, high].iter().any(is_missing),
                _ => !is_missing(&object),
            };
            if !is_there {
                continue;
            }
            let object = self.value(object)?.text;
            listed.push(match places {
                Places::All => format!("may({object})"),
                Places::Field(owner, field) => format!("may({object}, {})", self.named_field(owner, field)?),
                Places::Between(low, high) => {
                    format!("may({object}, {}, {})", self.value(low)?.text, self.value(high)?.text)
                }
            });
        }
        self.body.needs.changes = true;
        Ok(format!("changed({})", listed.join(", ")))
    }
}

/// The type of objects of a class that source may not name.
fn unnamed(class: &Class) -> &'static str {
    if class.is_array() { "Object[]" } else { "Object" }
}

/// A literal or a variable, which may have a sign or a cast before it.
fn plain(text: String) -> Java {
    let tie = if text.starts_with(['(', '-']) { Tie::Unary } else { Tie::Whole };
    Java { text, tie }
}

fn kind_of(of: Type) -> Kind {
    match of {
        Type::Primitive(kind) => kind,
        _ => Kind::Int,
    }
}

/// What an instruction on one operand is in Java.
fn conversion(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Ineg | Op::Lneg | Op::Fneg | Op::Dneg => "-",
        Op::I2l | Op::F2l | Op::D2l => "(long) ",
        Op::I2f | Op::L2f | Op::D2f => "(float) ",
        Op::I2d | Op::L2d | Op::F2d => "(double) ",
        Op::L2i | Op::F2i | Op::D2i => "(int) ",
        Op::I2b => "(byte) ",
        Op::I2c => "(char) ",
        Op::I2s => "(short) ",
        _ => return None,
    })
}
