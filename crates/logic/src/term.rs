//! What can be said about unknown values?
//!
//! A term is a small number that stands for a node in a table. Equal nodes have one number, so that terms are compared and
//! hashed at no cost, and what is learned about a term can be kept by its number. The table only grows; each thread has its own.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::functions::{BinaryFunction, UnaryFunction};

/// A term, by its place in the table that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// The place of the term in its table.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown value, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(u32);

impl Variable {
    /// The place of the variable among the declarations.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit vector of 32 bits.
    Int,
    /// A bit vector of 64 bits.
    Long,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
}

/// A known value. Floating-point numbers are compared by their bits, so that every value equals itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Constant {
    /// A truth value.
    Bool(bool),
    /// A number of 32 bits.
    Int(i32),
    /// A number of 64 bits.
    Long(i64),
    /// The bits of a single-precision number.
    Float(u32),
    /// The bits of a double-precision number.
    Double(u64),
}

impl Constant {
    /// The type of the value.
    pub fn sort(self) -> Sort {
        match self {
            Constant::Bool(_) => Sort::Bool,
            Constant::Int(_) => Sort::Int,
            Constant::Long(_) => Sort::Long,
            Constant::Float(_) => Sort::Float,
            Constant::Double(_) => Sort::Double,
        }
    }

    /// The value of a bit vector, its sign extended.
    pub fn integer(self) -> Option<i64> {
        match self {
            Constant::Int(value) => Some(value as i64),
            Constant::Long(value) => Some(value),
            _ => None,
        }
    }

    /// The value of that sort with these bits; of those that it has not, none counts.
    pub fn of_bits(sort: Sort, bits: u64) -> Constant {
        match sort {
            Sort::Float => Constant::Float(bits as u32),
            Sort::Double => Constant::Double(bits),
            sort => Constant::of_integer(sort, bits as i64),
        }
    }

    /// The bit vector of that sort with the lowest bits of the value.
    pub fn of_integer(sort: Sort, value: i64) -> Constant {
        match sort {
            Sort::Long => Constant::Long(value),
            Sort::Bool => Constant::Bool(value & 1 == 1),
            _ => Constant::Int(value as i32),
        }
    }
}

/// Operations on one term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Unary {
    /// Of a truth value.
    Not,
    /// Two's complement, or the sign of a floating-point number.
    Negate,
    /// `Int` to `Long`, with its sign.
    Widen,
    /// `Long` to `Int`: the low half.
    Truncate,
    /// `Int` to `Int`: the low 8 bits with their sign.
    SignedByte,
    /// `Int` to `Int`: the low 16 bits with their sign.
    SignedShort,
    /// `Int` to `Int`: the low 16 bits.
    UnsignedShort,
    /// Between floating-point sorts, rounding to nearest.
    ToFloat,
    /// To double precision; from single precision, exact.
    ToDouble,
    /// From floating point: towards zero, saturating, NaN to zero.
    ToInt,
    /// From floating point to 64 bits, in the same way.
    ToLong,
    /// Of a floating-point number: is it NaN?
    IsNan,
    /// A floating-point number without its sign.
    Absolute,
    /// Square root, rounded to nearest.
    SquareRoot,
    /// The nearest integral number, of two the even one.
    RoundEven,
    /// The greatest integral number that is not above.
    Floor,
    /// The least integral number that is not below.
    Ceiling,
    /// The bits of a floating-point number as a bit vector.
    Bits,
    /// The floating-point number with these bits.
    OfBits,
    /// A function that IEEE 754 does not fix to the last bit, of a double.
    Function(UnaryFunction),
}

/// Operations on two terms of the same sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Binary {
    /// Of truth values.
    And,
    /// Disjunction of truth values.
    Or,
    /// Of bit vectors, wrapping around, and of floating-point numbers.
    Add,
    /// Difference, in the arithmetic of `Add`.
    Subtract,
    /// Product, in the arithmetic of `Add`.
    Multiply,
    /// Towards zero; the divisor is known not to be zero. Of floating-point numbers: IEEE 754 division.
    Divide,
    /// With the sign of the dividend. Of floating-point numbers: what is left after truncated division.
    Remainder,
    /// Bitwise conjunction.
    BitAnd,
    /// Bitwise disjunction.
    BitOr,
    /// Bitwise exclusive disjunction.
    BitXor,
    /// The distance is of the same sort, and only its low 5 or 6 bits count.
    ShiftLeft,
    /// To the right, with copies of the sign.
    ShiftRight,
    /// To the right, with zeros.
    ShiftRightUnsigned,
    /// Identity of bit vectors and truth values; IEEE equality of floating-point numbers.
    Equal,
    /// Signed; of floating-point numbers: false if one is NaN.
    Less,
    /// Signed; of floating-point numbers: false if one is NaN.
    LessOrEqual,
    /// A function that IEEE 754 does not fix to the last bit, of two doubles.
    Function(BinaryFunction),
}

impl Binary {
    /// Is the result a truth value?
    pub fn is_relation(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Equal | Binary::Less | Binary::LessOrEqual)
    }

    /// Does swapping the operands leave the value as it is?
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Binary::And
                | Binary::Or
                | Binary::Add
                | Binary::Multiply
                | Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor
                | Binary::Equal
        )
    }
}

/// The operation and operands of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A known value.
    Constant(Constant),
    /// An unknown value.
    Variable(Variable),
    /// An operation on one operand.
    Unary(Unary, Term),
    /// An operation on two operands of the same sort.
    Binary(Binary, Term, Term),
    /// The second if the first is true, else the third.
    If(Term, Term, Term),
    /// The product of the first two floating-point numbers plus the third, rounded once.
    Fused(Term, Term, Term),
}

/// The bounds of a variable from the start.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The name, for readers only; two variables may share it.
    pub name: String,
    /// The type of the variable.
    pub sort: Sort,
    /// The least and the greatest value of a bit vector.
    pub range: (i64, i64),
}

/// The table of terms.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    /// By term: does it speak of floating-point numbers?
    numeric: Vec<bool>,
    /// The variables that each term mentions, sorted. Terms that mention the same share one list.
    mentioned: Vec<Rc<[Variable]>>,
    known: FxHashMap<Node, Term>,
    variables: Vec<Declaration>,
}

impl Terms {
    /// Makes a table without terms.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The operation and the operands of a term.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The type of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The name, type and range of a variable.
    pub fn declaration(&self, variable: Variable) -> &Declaration {
        &self.variables[variable.index()]
    }

    /// The number of variables so far; their numbers are below it.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The number of terms so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no term?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A new unknown value of any value of its sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        let range = match sort {
            Sort::Int => (i32::MIN as i64, i32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        };
        self.variable_in(name, sort, range)
    }

    /// A new unknown bit vector between two values, both included.
    pub fn variable_in(&mut self, name: &str, sort: Sort, range: (i64, i64)) -> Term {
        let variable = Variable(self.variables.len() as u32);
        self.variables.push(Declaration { name: name.to_string(), sort, range });
        self.intern(Node::Variable(variable), sort)
    }

    /// The term of a known value; equal values have the same term.
    pub fn constant(&mut self, constant: Constant) -> Term {
        self.intern(Node::Constant(constant), constant.sort())
    }

    /// The term of a 32-bit number.
    pub fn int(&mut self, value: i32) -> Term {
        self.constant(Constant::Int(value))
    }

    /// The term of a 64-bit number.
    pub fn long(&mut self, value: i64) -> Term {
        self.constant(Constant::Long(value))
    }

    /// The term of a truth value.
    pub fn truth(&mut self, value: bool) -> Term {
        self.constant(Constant::Bool(value))
    }

    /// The value of a term that is a constant.
    pub fn as_constant(&self, term: Term) -> Option<Constant> {
        match self.node(term) {
            Node::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The one term of this node. The sort of an operation follows from its operands.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(term) = self.known.get(&node) {
            return *term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("memory ends long before 2^32 terms"));
        self.nodes.push(node);
        self.sorts.push(sort);
        self.numeric.push(self.is_numeric_node(node, sort));
        self.mentioned.push(self.mentioned_by(node));
        self.known.insert(node, term);
        term
    }

    /// Does the term, or a part of it, have a floating-point sort?
    #[inline]
    pub fn has_floats(&self, term: Term) -> bool {
        self.numeric[term.index()]
    }

    fn is_numeric_node(&self, node: Node, sort: Sort) -> bool {
        let of = |term: Term| self.numeric[term.index()];
        matches!(sort, Sort::Float | Sort::Double)
            || match node {
                Node::Constant(_) | Node::Variable(_) => false,
                Node::Unary(_, operand) => of(operand),
                Node::Binary(_, left, right) => of(left) || of(right),
                Node::If(one, two, three) | Node::Fused(one, two, three) => of(one) || of(two) || of(three),
            }
    }

    /// The variables that a term mentions, sorted.
    #[inline]
    pub fn variables_of(&self, term: Term) -> &[Variable] {
        &self.mentioned[term.index()]
    }

    fn mentioned_by(&self, node: Node) -> Rc<[Variable]> {
        let of = |term: Term| &self.mentioned[term.index()];
        match node {
            Node::Constant(_) => Rc::default(),
            Node::Variable(variable) => Rc::new([variable]),
            Node::Unary(_, operand) => of(operand).clone(),
            Node::Binary(_, left, right) => union(of(left), of(right)),
            Node::If(one, two, three) | Node::Fused(one, two, three) => union(&union(of(one), of(two)), of(three)),
        }
    }
}

/// All of two sorted lists; one of them, if it has all of the other.
fn union(one: &Rc<[Variable]>, other: &Rc<[Variable]>) -> Rc<[Variable]> {
    let contains =
        |all: &[Variable], some: &[Variable]| some.iter().all(|variable| all.binary_search(variable).is_ok());
    if contains(one, other) {
        return one.clone();
    }
    if contains(other, one) {
        return other.clone();
    }
    let mut both: Vec<Variable> = one.iter().chain(other.iter()).copied().collect();
    both.sort();
    both.dedup();
    both.into()
}
