//! What does an expression mean, once its names are resolved? Every part has a type, and every conversion is written out.

use lazuli_vm::program::{Class, Field, Method, Op, Program, StringId};
use lazuli_vm::value::{Kind, Value};

/// The type of an expression.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A primitive type.
    Primitive(Kind),
    /// A class, an interface or an array type.
    Reference(&'static Class),
    /// The type of the literal `null`.
    Null,
    /// Of `\reach`: objects, told apart by identity.
    Set,
    /// The same objects in a row, for those who go through them.
    Queue,
}

impl Type {
    /// The type of conditions.
    pub const BOOLEAN: Type = Type::Primitive(Kind::Boolean);
    /// The type of integer literals without a suffix.
    pub const INT: Type = Type::Primitive(Kind::Int);

    /// The type of values of a class; the class may be that of a primitive type.
    pub fn of_class(class: &'static Class) -> Type {
        match class.kind() {
            Kind::Reference => Type::Reference(class),
            kind => Type::Primitive(kind),
        }
    }

    /// Tests for the primitive type `boolean`.
    pub fn is_boolean(self) -> bool {
        matches!(self, Type::Primitive(Kind::Boolean))
    }

    /// Tests for a reference type; sets and queues of generated code do not count.
    pub fn is_reference(self) -> bool {
        matches!(self, Type::Reference(_) | Type::Null)
    }

    /// The primitive type of a number.
    pub fn number(self) -> Option<Kind> {
        match self {
            Type::Primitive(Kind::Boolean | Kind::Void) => None,
            Type::Primitive(kind) => Some(kind),
            _ => None,
        }
    }

    /// May a value of this type be passed where the other is wanted, perhaps after widening (JLS §5.3, without boxes)?
    pub fn fits(self, wanted: Type) -> bool {
        match (self, wanted) {
            (Type::Primitive(own), Type::Primitive(wanted)) => own == wanted || widens(own, wanted),
            (Type::Null, Type::Reference(_)) => true,
            (Type::Reference(own), Type::Reference(wanted)) => own.is_subtype_of(wanted),
            _ => false,
        }
    }

    /// The descriptor in a class file (JVMS §4.3.2).
    pub fn descriptor(self) -> String {
        match self {
            Type::Primitive(kind) => kind.letter().to_string(),
            Type::Reference(class) => class.descriptor(),
            Type::Null => "Ljava/lang/Object;".to_string(),
            Type::Set => "Ljava/util/IdentityHashMap;".to_string(),
            Type::Queue => "Ljava/util/ArrayDeque;".to_string(),
        }
    }

    /// For messages.
    pub fn type_text(self, program: &Program) -> String {
        match self {
            Type::Primitive(kind) => kind.primitive_name().unwrap_or("void").to_string(),
            Type::Reference(class) if class.is_array() => lazuli_vm::program::readable_type(&class.descriptor()),
            Type::Reference(class) => program.short_name(class),
            Type::Null => "null".to_string(),
            Type::Set | Type::Queue => "a set".to_string(),
        }
    }
}

/// Does Java widen the one primitive type to the other (JLS §5.1.2)?
fn widens(from: Kind, to: Kind) -> bool {
    let rank = |kind: Kind| match kind {
        Kind::Byte => 1,
        Kind::Short | Kind::Char => 2,
        Kind::Int => 3,
        Kind::Long => 4,
        Kind::Float => 5,
        Kind::Double => 6,
        _ => 0,
    };
    let is_number = rank(from) > 0 && rank(to) > 0;
    is_number && rank(from) < rank(to) && to != Kind::Char
}

/// The type in which an operator works on two numbers (JLS §5.6.2), or on one.
pub fn promoted(left: Kind, right: Kind) -> Kind {
    for kind in [Kind::Double, Kind::Float, Kind::Long] {
        if left == kind || right == kind {
            return kind;
        }
    }
    Kind::Int
}

/// The instructions that turn a number of one type into one of another (JLS §5.1.2, §5.1.3).
pub fn conversion(from: Kind, to: Kind) -> Vec<Op> {
    let wide = |kind: Kind| match kind {
        Kind::Long | Kind::Float | Kind::Double => kind,
        _ => Kind::Int,
    };
    let first = match (wide(from), wide(to)) {
        (Kind::Int, Kind::Long) => Some(Op::I2l),
        (Kind::Int, Kind::Float) => Some(Op::I2f),
        (Kind::Int, Kind::Double) => Some(Op::I2d),
        (Kind::Long, Kind::Int) => Some(Op::L2i),
        (Kind::Long, Kind::Float) => Some(Op::L2f),
        (Kind::Long, Kind::Double) => Some(Op::L2d),
        (Kind::Float, Kind::Int) => Some(Op::F2i),
        (Kind::Float, Kind::Long) => Some(Op::F2l),
        (Kind::Float, Kind::Double) => Some(Op::F2d),
        (Kind::Double, Kind::Int) => Some(Op::D2i),
        (Kind::Double, Kind::Long) => Some(Op::D2l),
        (Kind::Double, Kind::Float) => Some(Op::D2f),
        _ => None,
    };
    let narrow = match to {
        _ if from == to || widens(from, to) => None,
        Kind::Byte => Some(Op::I2b),
        Kind::Char => Some(Op::I2c),
        Kind::Short => Some(Op::I2s),
        _ => None,
    };
    first.into_iter().chain(narrow).collect()
}

/// Where a variable of a clause lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablePlace {
    /// An argument of the target: the receiver, if there is one, and the parameters.
    Given(usize),
    /// The result, or the exception.
    Outcome,
    /// A variable that a quantifier binds, by number.
    Bound(usize),
}

/// An expression and its type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The static type.
    pub of: Type,
    /// The operation and its operands.
    pub node: TypedNode,
}

/// The operation of a resolved expression.
#[derive(Clone, Debug)]
pub enum TypedNode {
    /// The literal `null`.
    Null,
    /// An `int`, or a smaller type that is an `int` on the stack.
    Int(i32),
    /// `long`, `float` or `double`.
    Constant(Value),
    /// A string literal.
    Text(StringId),
    /// The `Class` object of a class.
    Mirror(&'static Class),
    /// A parameter, the receiver, the outcome or a bound variable.
    Variable(VariablePlace),
    /// A value from before the method, by its number; it may have none, and throws then.
    Old(usize),
    /// Was this condition true before the method, without throwing?
    WasTrue(usize),
    /// An instance field: the object, and the class that declares the field.
    Field(Box<Typed>, &'static Class, &'static Field),
    /// A static field and the class that declares it.
    Static(&'static Class, &'static Field),
    /// The length of an array.
    Length(Box<Typed>),
    /// An element of an array: the array and the index.
    Element(Box<Typed>, Box<Typed>),
    /// The receiver, if there is one, comes first.
    Call(&'static Method, Vec<Typed>),
    /// The operands have the type of the operator.
    Arithmetic(Op, Box<Typed>, Box<Typed>),
    /// Instructions that work on one operand.
    Convert(Vec<Op>, Box<Typed>),
    /// A comparison of two numbers of one type.
    Compare(Relation, Box<Typed>, Box<Typed>),
    /// Identity of two references.
    Same(Box<Typed>, Box<Typed>),
    /// A test for null.
    IsNull(Box<Typed>),
    /// Logical negation.
    Not(Box<Typed>),
    /// Conjunction that evaluates the second operand only if the first is true.
    And(Box<Typed>, Box<Typed>),
    /// Disjunction that evaluates the second operand only if the first is false.
    Or(Box<Typed>, Box<Typed>),
    /// The condition, and the values if it is true and if it is false.
    Conditional(Box<Typed>, Box<Typed>, Box<Typed>),
    /// A checked cast of a reference.
    Cast(&'static Class, Box<Typed>),
    /// A test of the runtime class; false for null.
    InstanceOf(Box<Typed>, &'static Class),
    /// A copy of an array.
    CopyOf(Box<Typed>),
    /// Is the object in the set?
    Has(Box<Typed>, Box<Typed>),
    /// How many objects are in the set?
    Size(Box<Typed>),
    /// Was the object made by the method?
    Fresh(Box<Typed>),
    /// The contents of a field before the method: the object, and the class that declares the field.
    Past(Box<Typed>, &'static Class, &'static Field),
    /// The objects that are reachable from some others.
    Collected(Box<Collected>),
    /// A quantified expression.
    Loop(Box<Loop>),
}

/// The objects that references lead to.
#[derive(Clone, Debug)]
pub struct Collected {
    /// Collects them.
    pub method: &'static Method,
    /// The objects at which the walk begins.
    pub from: Vec<Typed>,
    /// Which references the walk follows.
    pub links: Links,
}

/// Which references are followed.
#[derive(Clone, Debug)]
pub enum Links {
    /// These fields of objects of the class.
    Fields(&'static Class, Vec<FollowedField>),
    /// All fields and elements of objects of these.
    All(Vec<&'static Class>),
}

/// A field that is followed, and the class that declares it.
pub type FollowedField = (&'static Class, &'static Field);

/// How two numbers of one type compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A quantified expression: what it adds up, and over which values.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The outermost first.
    pub ranges: Vec<QuantifiedRange>,
    /// Which of these values count.
    pub filter: Option<Typed>,
    /// The value that each turn adds.
    pub body: Typed,
    /// How the values of all turns become one.
    pub fold: Fold,
}

/// The values of one bound variable.
#[derive(Clone, Debug)]
pub struct QuantifiedRange {
    /// The number of the bound variable.
    pub variable: usize,
    /// As it is written, for those who write it again.
    pub name: String,
    /// There are no values if this is false; they are not even computed.
    pub guard: Option<Typed>,
    /// The values that the variable takes, in order.
    pub values: Values,
}

/// A set of values that can be enumerated.
#[derive(Clone, Debug)]
pub enum Values {
    /// `int` or `long`, and so are both ends.
    Between(Kind, Bound, Bound),
    /// False and true.
    Booleans,
    /// The objects of a queue that are of a class. If others need it too, it is left as it was.
    Of {
        /// The queue of objects.
        queue: Typed,
        /// Does another loop read the queue too, so that this one works on a copy?
        is_shared: bool,
        /// Objects of other classes are skipped.
        class: &'static Class,
    },
}

/// An end of a range.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The value of this end.
    pub value: Typed,
    /// Is it not part of the range itself?
    pub is_strict: bool,
}

/// How a quantifier combines the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// `\forall`: all are true.
    All,
    /// `\exists`: at least one is true.
    Any,
    /// `\num_of`: how many are true.
    Count,
    /// `\sum`, in the arithmetic of this kind.
    Sum(Kind),
    /// `\min`, for values of this kind.
    Least(Kind),
    /// `\max`, for values of this kind.
    Greatest(Kind),
}

impl Typed {
    /// Makes an expression of a type.
    pub fn new(of: Type, node: TypedNode) -> Typed {
        Typed { of, node }
    }

    /// Makes an expression of type `boolean`.
    pub fn truth(node: TypedNode) -> Typed {
        Typed { of: Type::BOOLEAN, node }
    }

    /// Truth values are numbers on the stack.
    pub fn constant(truth: bool) -> Typed {
        Typed::truth(TypedNode::Int(truth as i32))
    }

    /// The logical negation of a condition.
    pub fn negated(self) -> Typed {
        Typed::truth(TypedNode::Not(Box::new(self)))
    }

    /// The conjunction with a condition that is evaluated second.
    pub fn and(self, other: Typed) -> Typed {
        Typed::truth(TypedNode::And(Box::new(self), Box::new(other)))
    }

    /// The disjunction with a condition that is evaluated second.
    pub fn or(self, other: Typed) -> Typed {
        Typed::truth(TypedNode::Or(Box::new(self), Box::new(other)))
    }

    /// Is something true of this expression, or of one within it?
    pub fn any(&self, is_wanted: &mut dyn FnMut(&Typed) -> bool) -> bool {
        is_wanted(self) || self.parts().into_iter().any(|part| part.any(is_wanted))
    }

    /// The expressions of which it is made.
    fn parts(&self) -> Vec<&Typed> {
        match &self.node {
            TypedNode::Null
            | TypedNode::Int(_)
            | TypedNode::Constant(_)
            | TypedNode::Text(_)
            | TypedNode::Mirror(_)
            | TypedNode::Variable(_)
            | TypedNode::Old(_)
            | TypedNode::WasTrue(_)
            | TypedNode::Static(..) => Vec::new(),
            TypedNode::Field(of, ..)
            | TypedNode::Length(of)
            | TypedNode::Convert(_, of)
            | TypedNode::IsNull(of)
            | TypedNode::Not(of)
            | TypedNode::Cast(_, of)
            | TypedNode::InstanceOf(of, _)
            | TypedNode::CopyOf(of)
            | TypedNode::Size(of)
            | TypedNode::Fresh(of)
            | TypedNode::Past(of, ..) => vec![of],
            TypedNode::Element(one, other)
            | TypedNode::Arithmetic(_, one, other)
            | TypedNode::Compare(_, one, other)
            | TypedNode::Same(one, other)
            | TypedNode::And(one, other)
            | TypedNode::Or(one, other)
            | TypedNode::Has(one, other) => vec![one, other],
            TypedNode::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
            TypedNode::Call(_, arguments) => arguments.iter().collect(),
            TypedNode::Collected(collected) => collected.from.iter().collect(),
            TypedNode::Loop(quantified) => {
                let mut parts: Vec<&Typed> = Vec::new();
                for range in &quantified.ranges {
                    parts.extend(&range.guard);
                    match &range.values {
                        Values::Between(_, low, high) => parts.extend([&low.value, &high.value]),
                        Values::Booleans => {}
                        Values::Of { queue, .. } => parts.push(queue),
                    }
                }
                parts.extend(&quantified.filter);
                parts.push(&quantified.body);
                parts
            }
        }
    }
}
