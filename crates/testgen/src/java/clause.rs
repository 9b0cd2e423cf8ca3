//! How does a Java program evaluate a clause of JML?
//!
//! The clause is written as an expression of Java over the variables of the test. Values from before the call are computed before it, a
//! quantifier becomes a method with loops, and a few small methods go over the heap by reflection.

use std::collections::BTreeMap;

use lazuli_reach::plan::Operand;
use lazuli_spec::typed::{Collected, Links, Relation, Type, Typed, TypedNode, VariablePlace};
use lazuli_spec::{Allowed, ClauseMeaning, Places};
use lazuli_vm::program::{Class, Field, Method, Op, Program, descriptor};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::{Kind, Value};

use super::body::TestBody;
use super::literal::{literal, name, text};
use crate::{ExecutedPlan, NoClause, ViolatedClause};

/// The variable that has an exception.
pub(super) const THROWN: &str = "thrown";
/// The type of what is remembered of the time before the call, in the variable `before`.
pub(super) const MEMORY: &str = "java.util.Map<Object, java.util.Map<Object, Object>>";

/// The precedence of an expression in Java (JLS §15), from the lowest: an operand of lower precedence stands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
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

/// An expression of Java.
pub(super) struct JavaExpression {
    pub text: String,
    precedence: Precedence,
}

impl JavaExpression {
    fn new(text: impl Into<String>, precedence: Precedence) -> JavaExpression {
        JavaExpression { text: text.into(), precedence }
    }

    pub(super) fn whole(text: impl Into<String>) -> JavaExpression {
        JavaExpression::new(text, Precedence::Whole)
    }

    /// The text as an operand of that precedence.
    pub(super) fn at(self, precedence: Precedence) -> String {
        if self.precedence < precedence { format!("({})", self.text) } else { self.text }
    }
}

/// Part of a clause as Java.
pub(crate) type Rendered<T = JavaExpression> = Result<T, NoClause>;

/// The statements and the expression by which a program evaluates a clause.
pub(crate) struct ClauseTest {
    /// Statements before the call.
    pub before: Vec<String>,
    /// Is true if the clause is kept.
    pub condition: String,
    /// Is a list of what the method must not change, and did; in place of a condition that would say less.
    pub changes: Option<String>,
    /// Does the condition mention the result or the exception?
    pub mentions_outcome: bool,
}

/// Can the violated clause, if there is one, be written as Java?
pub fn check_clause(
    program: &Program,
    package: &str,
    target: &'static Method,
    executed: &ExecutedPlan,
) -> Result<(), NoClause> {
    let Some(violated) = &executed.violated else { return Ok(()) };
    TestBody::new(program, package, target, &executed.plan, 0).clause_test(violated, "result").map(|_| ())
}

impl TestBody<'_> {
    /// Writes the evaluation of a clause. `outcome` is the variable that has the result, or the exception.
    pub(crate) fn clause_test(&mut self, violated: &ViolatedClause, outcome: &str) -> Rendered<ClauseTest> {
        let mut writer = ClauseWriter { violated, outcome, olds: BTreeMap::new(), bound: BTreeMap::new(), body: self };
        let meaning = &*violated.clause.meaning;
        let mut before = Vec::new();
        for (number, old) in violated.olds.iter().enumerate() {
            let is_this = |part: &Typed| matches!(part.node, TypedNode::Old(found) | TypedNode::WasTrue(found) if found == number);
            if let (Some(old), true) = (old, meaning.any(&mut |part| is_this(part))) {
                let value = writer.value(old)?.text;
                let name = writer.body.fresh_name("old");
                let kind = writer.type_name(old.of);
                before.push(format!("{kind} {name} = {value};"));
                writer.olds.insert(number, (kind, name));
            }
        }
        let looks_back = matches!(meaning, ClauseMeaning::Frame(..))
            || meaning.any(&mut |part| matches!(part.node, TypedNode::Fresh(_) | TypedNode::Past(..)));
        if looks_back {
            before.push(writer.memory());
        }
        let mut changes = None;
        let condition = match meaning {
            ClauseMeaning::Condition(condition) => writer.value(condition)?.text,
            ClauseMeaning::AnyOf { .. } => return Err(NoClause::Preconditions),
            // The clause was violated on this very input, so that it applies to it.
            ClauseMeaning::Frame(_, allowed) => {
                let listed = writer.changes(allowed)?;
                let condition = format!("{listed}.isEmpty()");
                changes = Some(listed);
                condition
            }
        };
        let mentions_outcome =
            meaning.any(&mut |part| matches!(part.node, TypedNode::Variable(VariablePlace::Outcome)));
        Ok(ClauseTest { before, condition, changes, mentions_outcome })
    }
}

/// Writes the expressions of one clause.
pub(super) struct ClauseWriter<'w, 'a> {
    pub body: &'w mut TestBody<'a>,
    violated: &'w ViolatedClause,
    /// The variable that has the result, or the exception.
    pub outcome: &'w str,
    /// The variables of values from before the call, by number: type and name.
    pub olds: BTreeMap<usize, (String, String)>,
    /// The variables of quantifiers, by number: type and name.
    pub bound: BTreeMap<usize, (String, String)>,
}

impl ClauseWriter<'_, '_> {
    pub(super) fn type_name(&self, of: Type) -> String {
        match of {
            Type::Primitive(kind) => kind.primitive_name().unwrap_or("void").to_string(),
            Type::Reference(class) => self.source_name(class).unwrap_or_else(|| unnamed(class).to_string()),
            Type::Null => "Object".to_string(),
            Type::Set | Type::Queue => "java.util.List<Object>".to_string(),
        }
    }

    pub(super) fn source_name(&self, class: &Class) -> Option<String> {
        class.source_name(self.body.package)
    }

    pub(super) fn value(&mut self, of: &Typed) -> Rendered {
        Ok(match &of.node {
            TypedNode::Null => JavaExpression::whole("null"),
            TypedNode::Int(value) => plain(literal(Datum::Int(*value), kind_of(of.of))),
            TypedNode::Constant(value) => plain(match value {
                Value::Long(value) => literal(Datum::Long(*value), Kind::Long),
                Value::Float(value) => literal(Datum::Float(*value), Kind::Float),
                Value::Double(value) => literal(Datum::Double(*value), Kind::Double),
                _ => return Err(NoClause::Constant),
            }),
            TypedNode::Text(id) => JavaExpression::whole(text(self.body.program.text(*id))),
            TypedNode::Mirror(class) => JavaExpression::whole(self.body.class_literal(class)),
            TypedNode::Variable(place) => self.variable(*place, of.of),
            TypedNode::Old(number) | TypedNode::WasTrue(number) => match (self.olds.get(number), &of.node) {
                (Some((_, name)), _) => JavaExpression::whole(name.clone()),
                (None, TypedNode::WasTrue(_)) => JavaExpression::whole("false"),
                (None, _) => {
                    self.body.needs.undefined = true;
                    JavaExpression::new(format!("({}) undefined()", self.type_name(of.of)), Precedence::Unary)
                }
            },
            TypedNode::Field(on, owner, field) => self.field(on, owner, field)?,
            TypedNode::Static(owner, field) => match self.body.program.can_use_field(owner, field, self.body.package) {
                true => {
                    JavaExpression::whole(format!("{}.{}", self.source_name(owner).unwrap_or_default(), field.name))
                }
                false => self.hidden_field(owner, "null", field)?,
            },
            TypedNode::Length(array) => JavaExpression::whole(format!("{}.length", self.receiver(array, None)?)),
            TypedNode::Element(array, index) => {
                let (array, index) = (self.receiver(array, None)?, self.value(index)?.text);
                JavaExpression::whole(format!("{array}[{index}]"))
            }
            TypedNode::Call(method, arguments) => self.call(method, arguments)?,
            TypedNode::Arithmetic(op, left, right) => self.arithmetic(*op, left, right)?,
            TypedNode::Convert(ops, inner) => {
                let mut written = self.value(inner)?;
                for op in ops {
                    let sign = conversion(*op).ok_or(NoClause::Operator)?;
                    written =
                        JavaExpression::new(format!("{sign}{}", written.at(Precedence::Whole)), Precedence::Unary);
                }
                written
            }
            TypedNode::Compare(relation, left, right) => {
                let (sign, precedence) = match relation {
                    Relation::Equal => ("==", Precedence::Equality),
                    Relation::NotEqual => ("!=", Precedence::Equality),
                    Relation::Less => ("<", Precedence::Relation),
                    Relation::LessOrEqual => ("<=", Precedence::Relation),
                    Relation::Greater => (">", Precedence::Relation),
                    Relation::GreaterOrEqual => (">=", Precedence::Relation),
                };
                self.joined(left, sign, right, precedence)?
            }
            TypedNode::Same(left, right) => self.same(left, "==", right)?,
            TypedNode::IsNull(inner) => JavaExpression::new(
                format!("{} == null", self.value(inner)?.at(Precedence::Relation)),
                Precedence::Equality,
            ),
            TypedNode::Not(inner) => match &inner.node {
                TypedNode::Same(left, right) => self.same(left, "!=", right)?,
                TypedNode::IsNull(inner) => JavaExpression::new(
                    format!("{} != null", self.value(inner)?.at(Precedence::Relation)),
                    Precedence::Equality,
                ),
                TypedNode::Not(inner) => self.value(inner)?,
                _ => JavaExpression::new(format!("!{}", self.value(inner)?.at(Precedence::Unary)), Precedence::Unary),
            },
            // A condition that is always true would only distract the reader.
            TypedNode::And(left, right) if matches!(left.node, TypedNode::Int(1)) => self.value(right)?,
            TypedNode::Or(left, right) if matches!(left.node, TypedNode::Int(0)) => self.value(right)?,
            TypedNode::And(left, right) => self.joined(left, "&&", right, Precedence::And)?,
            TypedNode::Or(left, right) => self.joined(left, "||", right, Precedence::Or)?,
            TypedNode::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition)?.at(Precedence::Or);
                let (then, otherwise) =
                    (self.value(then)?.at(Precedence::Or), self.value(otherwise)?.at(Precedence::Or));
                JavaExpression::new(format!("{condition} ? {then} : {otherwise}"), Precedence::Choice)
            }
            TypedNode::Cast(class, inner) => {
                let inner = self.value(inner)?;
                match self.source_name(class) {
                    Some(name) => {
                        JavaExpression::new(format!("({name}) {}", inner.at(Precedence::Unary)), Precedence::Unary)
                    }
                    None => JavaExpression::whole(format!("{}.cast({})", self.body.class_literal(class), inner.text)),
                }
            }
            TypedNode::InstanceOf(inner, class) => self.instance_of(inner, class)?,
            TypedNode::CopyOf(array) => JavaExpression::whole(format!("{}.clone()", self.receiver(array, None)?)),
            TypedNode::Has(set, object) => {
                self.body.needs.reach = true;
                JavaExpression::whole(format!("has({}, {})", self.value(set)?.text, self.value(object)?.text))
            }
            TypedNode::Size(set) => JavaExpression::whole(format!("{}.size()", self.value(set)?.at(Precedence::Whole))),
            TypedNode::Fresh(object) => JavaExpression::whole(format!("isFresh(before, {})", self.value(object)?.text)),
            TypedNode::Past(object, owner, field) => {
                self.body.needs.past = true;
                let (object, named) = (self.value(object)?.text, self.named_field(owner, field)?);
                self.unpacked(format!("past(before, {object}, {named})"), field.descriptor)
            }
            TypedNode::Collected(collected) => self.collected(collected)?,
            TypedNode::Loop(quantified) => self.quantified(quantified, of.of)?,
        })
    }

    fn variable(&mut self, place: VariablePlace, of: Type) -> JavaExpression {
        match place {
            VariablePlace::Given(position) => {
                let Some(operand) = self.body.plan.arguments.get(position).cloned() else {
                    return JavaExpression::whole("null");
                };
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
            VariablePlace::Outcome if self.outcome_type() == "Object" => {
                let (_, result) = descriptor::method(self.body.target.descriptor).unwrap_or_default();
                self.unpacked(self.outcome.to_string(), result)
            }
            VariablePlace::Outcome => JavaExpression::whole(self.outcome),
            VariablePlace::Bound(number) => {
                JavaExpression::whole(self.bound.get(&number).map_or("null", |(_, name)| name.as_str()))
            }
        }
    }

    /// The type of the variable that has the result, or the exception.
    pub(super) fn outcome_type(&self) -> String {
        match self.outcome {
            THROWN => "Throwable".to_string(),
            _ => self.body.result_type(),
        }
    }

    /// The text as one of the class, if that has a name.
    fn cast(&self, text: String, class: &Class) -> JavaExpression {
        match self.source_name(class).filter(|name| name != "Object") {
            Some(name) => JavaExpression::new(format!("({name}) {text}"), Precedence::Unary),
            None => JavaExpression::whole(text),
        }
    }

    /// The receiver of a member, cast to the class that has it where necessary.
    fn receiver(&mut self, on: &Typed, class: Option<&Class>) -> Rendered<String> {
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
            return Ok(format!("(({}) {})", unnamed(array), written.at(Precedence::Unary)));
        }
        Ok(match wanted {
            Some(class) => self.cast(written.at(Precedence::Unary), class).at(Precedence::Whole),
            None => written.at(Precedence::Whole),
        })
    }

    fn field(&mut self, on: &Typed, owner: &'static Class, field: &'static Field) -> Rendered {
        if self.body.program.can_use_field(owner, field, self.body.package) {
            return Ok(JavaExpression::whole(format!("{}.{}", self.receiver(on, Some(owner))?, field.name)));
        }
        let on = self.value(on)?.text;
        self.hidden_field(owner, &on, field)
    }

    fn hidden_field(&mut self, owner: &'static Class, on: &str, field: &'static Field) -> Rendered {
        self.check_open(owner)?;
        (self.body.needs.get, self.body.needs.throws) = (true, true);
        let read = format!("get({}, {on}, {})", self.body.class_literal(owner), name(field.name));
        Ok(self.unpacked(read, field.descriptor))
    }

    /// The result of a reflective access, cast to its declared type, which is the only one that a box can be cast to.
    fn unpacked(&self, text: String, descriptor: &str) -> JavaExpression {
        let declared = self.body.program.load_descriptor(descriptor).map_or(Type::Null, Type::of_class);
        match self.type_name(declared).as_str() {
            "Object" => JavaExpression::whole(text),
            name => JavaExpression::new(format!("({name}) {text}"), Precedence::Unary),
        }
    }

    /// Refuses private members of the JDK, which reflection may not use.
    fn check_open(&self, owner: &Class) -> Result<(), NoClause> {
        match owner.is_users() {
            true => Ok(()),
            false => Err(NoClause::PrivateMember { class: owner.java_name() }),
        }
    }

    fn call(&mut self, method: &'static Method, arguments: &[Typed]) -> Rendered {
        let (types, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let (receiver, others) = arguments.split_at(!method.is_static() as usize);
        let mut given = Vec::new();
        for (argument, wanted) in others.iter().zip(&types) {
            let written = self.value(argument)?;
            // An expression of a type without a name is an Object in Java.
            let is_unnamed = matches!(argument.of, Type::Reference(class) if self.source_name(class).is_none());
            let needs_type = is_unnamed || self.body.is_overloaded(method);
            given.push(match self.body.named(wanted).filter(|_| needs_type) {
                Some(name) => format!("({name}) {}", written.at(Precedence::Unary)),
                None => written.text,
            });
        }
        self.body.note_exceptions(method);
        if self.body.program.can_call(method, self.body.package) {
            let owner = match receiver.first() {
                Some(on) => self.receiver(on, Some(method.class()).filter(|_| self.needs_cast(on, method)))?,
                None => self.source_name(method.class()).unwrap_or_default(),
            };
            return Ok(JavaExpression::whole(format!("{owner}.{}({})", method.name, given.join(", "))));
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

    fn joined(&mut self, left: &Typed, sign: &str, right: &Typed, precedence: Precedence) -> Rendered {
        let (left, right) = (self.value(left)?, self.value(right)?);
        // Java reads `a - b - c` from the left; the right operand of an associative operator needs no brackets either.
        let is_associative = matches!(precedence, Precedence::And | Precedence::Or);
        let right = if right.precedence == precedence && !is_associative {
            format!("({})", right.text)
        } else {
            right.at(precedence)
        };
        Ok(JavaExpression::new(format!("{} {sign} {right}", left.at(precedence)), precedence))
    }

    fn same(&mut self, left: &Typed, sign: &str, right: &Typed) -> Rendered {
        let is_related = match (left.of, right.of) {
            (Type::Reference(one), Type::Reference(other)) => one.is_subtype_of(other) || other.is_subtype_of(one),
            _ => true,
        };
        if is_related {
            return self.joined(left, sign, right, Precedence::Equality);
        }
        let (left, right) = (self.value(left)?.at(Precedence::Unary), self.value(right)?.at(Precedence::Relation));
        Ok(JavaExpression::new(format!("(Object) {left} {sign} {right}"), Precedence::Equality))
    }

    fn instance_of(&mut self, inner: &Typed, class: &'static Class) -> Rendered {
        let is_related =
            matches!(inner.of, Type::Reference(own) if own.is_subtype_of(class) || class.is_subtype_of(own));
        let written = self.value(inner)?;
        Ok(match self.source_name(class) {
            Some(name) if is_related => JavaExpression::new(
                format!("{} instanceof {name}", written.at(Precedence::Shift)),
                Precedence::Relation,
            ),
            Some(name) => JavaExpression::new(
                format!("(Object) {} instanceof {name}", written.at(Precedence::Unary)),
                Precedence::Relation,
            ),
            None => JavaExpression::whole(format!("{}.isInstance({})", self.body.class_literal(class), written.text)),
        })
    }

    fn arithmetic(&mut self, op: Op, left: &Typed, right: &Typed) -> Rendered {
        let (sign, precedence) = match op {
            Op::Iadd | Op::Ladd | Op::Fadd | Op::Dadd => ("+", Precedence::Sum),
            Op::Isub | Op::Lsub | Op::Fsub | Op::Dsub => ("-", Precedence::Sum),
            Op::Imul | Op::Lmul | Op::Fmul | Op::Dmul => ("*", Precedence::Product),
            Op::Idiv | Op::Ldiv | Op::Fdiv | Op::Ddiv => ("/", Precedence::Product),
            Op::Irem | Op::Lrem | Op::Frem | Op::Drem => ("%", Precedence::Product),
            Op::Iand | Op::Land => ("&", Precedence::BitAnd),
            Op::Ior | Op::Lor => ("|", Precedence::BitOr),
            Op::Ixor | Op::Lxor => ("^", Precedence::BitXor),
            Op::Ishl | Op::Lshl => ("<<", Precedence::Shift),
            Op::Ishr | Op::Lshr => (">>", Precedence::Shift),
            Op::Iushr | Op::Lushr => (">>>", Precedence::Shift),
            _ => return Err(NoClause::Operator),
        };
        self.joined(left, sign, right, precedence)
    }

    fn collected(&mut self, collected: &Collected) -> Rendered {
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
                Ok(JavaExpression::whole(format!("reach({})", listed.join(", "))))
            }
            Links::All(classes) => {
                for class in classes.iter().filter(|class| !class.is_array() && !class.fields.is_empty()) {
                    self.check_open(class)?;
                }
                self.body.needs.memory = true;
                Ok(JavaExpression::whole(format!("new java.util.ArrayList<>(held({}).keySet())", from.join(", "))))
            }
        }
    }

    fn named_field(&mut self, owner: &'static Class, field: &Field) -> Rendered<String> {
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
        roots.extend(self.violated.statics.iter().map(|class| self.body.class_literal(class)));
        format!("{MEMORY} before = held({});", roots.join(", "))
    }

    /// The changes that the frame does not allow, as a list.
    fn changes(&mut self, allowed: &[Allowed]) -> Rendered<String> {
        let mut listed = vec!["before".to_string()];
        for Allowed { object, places } in allowed {
            // A place that there was not before the call cannot change.
            let is_missing =
                |part: &&Typed| matches!(part.node, TypedNode::Old(number) if !self.olds.contains_key(&number));
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
fn plain(text: String) -> JavaExpression {
    let precedence = if text.starts_with(['(', '-']) { Precedence::Unary } else { Precedence::Whole };
    JavaExpression { text, precedence }
}

fn kind_of(of: Type) -> Kind {
    match of {
        Type::Primitive(kind) => kind,
        _ => Kind::Int,
    }
}

/// The operator of an instruction with one operand.
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
