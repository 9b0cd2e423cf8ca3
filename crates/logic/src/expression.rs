//! How does a term look to somebody who does not have its table?
//!
//! A tree that owns its parts: it may be sent, kept, printed and evaluated. It prints as Java would write it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evaluate;
use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Expression {
    Constant(Constant),
    Variable(Arc<Named>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    If(Box<[Expression; 3]>),
}

/// A variable, by the name that it was declared with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    pub sort: Sort,
    /// The least and the greatest value of a bit vector.
    pub range: (i64, i64),
}

impl Named {
    /// Does it stand for a truth value, although it is a number?
    pub fn is_boolean(&self) -> bool {
        self.sort == Sort::Int && self.range == (0, 1)
    }

    fn is_character(&self) -> bool {
        self.sort == Sort::Int && self.range == (0, u16::MAX as i64)
    }
}

impl Expression {
    pub fn of(terms: &Terms, term: Term) -> Expression {
        match terms.node(term) {
            Node::Constant(constant) => Expression::Constant(constant),
            Node::Variable(variable) => {
                let declaration = terms.declaration(variable);
                let (name, sort, range) = (declaration.name.clone(), declaration.sort, declaration.range);
                Expression::Variable(Arc::new(Named { name, sort, range }))
            }
            Node::Unary(operation, operand) => Expression::Unary(operation, Box::new(Expression::of(terms, operand))),
            Node::Binary(operation, left, right) => {
                let (left, right) = (Expression::of(terms, left), Expression::of(terms, right));
                Expression::Binary(operation, Box::new(left), Box::new(right))
            }
            Node::If(condition, yes, no) => {
                Expression::If(Box::new([condition, yes, no].map(|part| Expression::of(terms, part))))
            }
        }
    }

    /// The value under an assignment of the variables; nothing if it leaves one out.
    pub fn value(&self, assignment: &impl Fn(&str) -> Option<Constant>) -> Option<Constant> {
        Some(match self {
            Expression::Constant(constant) => *constant,
            Expression::Variable(variable) => assignment(&variable.name)?,
            Expression::Unary(operation, operand) => evaluate::unary(*operation, operand.value(assignment)?),
            Expression::Binary(operation, left, right) => {
                evaluate::binary(*operation, left.value(assignment)?, right.value(assignment)?)
            }
            Expression::If(parts) => {
                let [condition, yes, no] = &**parts;
                match condition.value(assignment)? {
                    Constant::Bool(true) => yes.value(assignment)?,
                    _ => no.value(assignment)?,
                }
            }
        })
    }

    /// The names of the variables, in order of appearance, each once.
    pub fn variables(&self) -> Vec<Arc<Named>> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<Arc<Named>>) {
        match self {
            Expression::Constant(_) => {}
            Expression::Variable(variable) => {
                if !found.iter().any(|known| known.name == variable.name) {
                    found.push(variable.clone());
                }
            }
            Expression::Unary(_, operand) => operand.collect(found),
            Expression::Binary(_, left, right) => {
                left.collect(found);
                right.collect(found);
            }
            Expression::If(parts) => parts.iter().for_each(|part| part.collect(found)),
        }
    }

    /// Operands that may be swapped are put in the order in which `rank` has the first variable of each, so that
    /// the same condition reads the same whatever else its table held.
    pub fn ordered(self, rank: &impl Fn(&str) -> usize) -> Expression {
        let first = |expression: &Expression| {
            expression.variables().iter().map(|variable| rank(&variable.name)).min().unwrap_or(usize::MAX)
        };
        match self {
            Expression::Unary(operation, operand) => Expression::Unary(operation, Box::new(operand.ordered(rank))),
            Expression::Binary(operation, left, right) => {
                let (mut left, mut right) = (left.ordered(rank), right.ordered(rank));
                if operation.is_commutative() && first(&right) < first(&left) {
                    std::mem::swap(&mut left, &mut right);
                }
                Expression::Binary(operation, Box::new(left), Box::new(right))
            }
            Expression::If(parts) => Expression::If(Box::new(parts.map(|part| part.ordered(rank)))),
            leaf => leaf,
        }
    }

    /// How tightly the outermost operator binds, as in Java.
    fn level(&self) -> u8 {
        match self {
            Expression::Constant(constant) if is_negative(*constant) => 13,
            Expression::Constant(_) | Expression::Variable(_) => 15,
            Expression::Unary(Unary::Not, operand) => match &**operand {
                Expression::Binary(Binary::Equal, left, right) => match as_truth(left, right) {
                    Some(_) => 15,
                    None => 8,
                },
                _ => 13,
            },
            Expression::Unary(Unary::Widen, _) => self.inner_of_widening().level(),
            Expression::Unary(..) => 13,
            Expression::Binary(Binary::Equal, left, right) if as_truth(left, right).is_some() => 13,
            Expression::Binary(operation, ..) => level_of(*operation),
            Expression::If(_) => 1,
        }
    }

    fn inner_of_widening(&self) -> &Expression {
        match self {
            Expression::Unary(Unary::Widen, operand) => operand.inner_of_widening(),
            other => other,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        if self.level() < least {
            f.write_str("(")?;
            self.write_bare(f)?;
            return f.write_str(")");
        }
        self.write_bare(f)
    }

    fn write_bare(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Constant(constant) => write_constant(f, *constant),
            Expression::Variable(variable) => f.write_str(&variable.name),
            Expression::Unary(Unary::Not, operand) => match &**operand {
                Expression::Binary(Binary::Equal, left, right) => match as_truth(left, right) {
                    Some((variable, value)) => write_truth(f, variable, !value),
                    None => write_binary(f, "!=", 8, left, right),
                },
                operand => {
                    f.write_str("!")?;
                    operand.write(f, 13)
                }
            },
            Expression::Unary(Unary::Widen, operand) => operand.write_bare(f),
            Expression::Unary(Unary::IsNan, operand) => write!(f, "isNaN({operand})"),
            Expression::Unary(operation, operand) => {
                f.write_str(match operation {
                    Unary::Negate => "-",
                    Unary::Truncate | Unary::ToInt => "(int) ",
                    Unary::SignedByte => "(byte) ",
                    Unary::SignedShort => "(short) ",
                    Unary::UnsignedShort => "(char) ",
                    Unary::ToFloat => "(float) ",
                    Unary::ToDouble => "(double) ",
                    _ => "(long) ",
                })?;
                operand.write(f, 14)
            }
            Expression::Binary(operation, left, right) => {
                if *operation == Binary::Equal
                    && let Some((variable, value)) = as_truth(left, right)
                {
                    return write_truth(f, variable, value);
                }
                let is_comparison = matches!(operation, Binary::Less | Binary::LessOrEqual);
                // `0 < x` reads better the other way round.
                if is_comparison && matches!(**left, Expression::Constant(_)) {
                    let turned = if *operation == Binary::Less { ">" } else { ">=" };
                    return write_binary(f, turned, level_of(*operation), right, left);
                }
                if let (Binary::Add, Expression::Constant(Constant::Int(value @ ..0))) = (operation, &**right) {
                    left.write(f, 11)?;
                    return write!(f, " - {}", value.unsigned_abs());
                }
                write_binary(f, symbol_of(*operation), level_of(*operation), left, right)
            }
            Expression::If(parts) => {
                let [condition, yes, no] = &**parts;
                condition.write(f, 2)?;
                f.write_str(" ? ")?;
                yes.write(f, 2)?;
                f.write_str(" : ")?;
                no.write(f, 1)
            }
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

/// A comparison of a truth value with 0 or 1: the variable, and the value that it has.
fn as_truth<'a>(left: &'a Expression, right: &'a Expression) -> Option<(&'a Named, bool)> {
    match (left, right) {
        (Expression::Variable(variable), Expression::Constant(Constant::Int(value @ (0 | 1))))
            if variable.is_boolean() =>
        {
            Some((variable, *value == 1))
        }
        _ => None,
    }
}

fn write_truth(f: &mut fmt::Formatter<'_>, variable: &Named, value: bool) -> fmt::Result {
    write!(f, "{}{}", if value { "" } else { "!" }, variable.name)
}

fn write_binary(
    f: &mut fmt::Formatter<'_>,
    symbol: &str,
    level: u8,
    left: &Expression,
    right: &Expression,
) -> fmt::Result {
    let as_character = |expression: &Expression, other: &Expression| match (expression, other) {
        (Expression::Constant(Constant::Int(value)), Expression::Variable(variable)) if variable.is_character() => {
            u8::try_from(*value).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ').map(char::from)
        }
        _ => None,
    };
    left.write(f, level)?;
    write!(f, " {symbol} ")?;
    match as_character(right, left) {
        Some(letter) => write!(f, "'{letter}'"),
        None => right.write(f, level + 1),
    }
}

fn is_negative(constant: Constant) -> bool {
    match constant {
        Constant::Bool(_) => false,
        Constant::Int(value) => value < 0,
        Constant::Long(value) => value < 0,
        Constant::Float(bits) => f32::from_bits(bits).is_sign_negative(),
        Constant::Double(bits) => f64::from_bits(bits).is_sign_negative(),
    }
}

/// A constant as a Java literal.
pub fn write_constant(f: &mut impl fmt::Write, constant: Constant) -> fmt::Result {
    match constant {
        Constant::Bool(value) => write!(f, "{value}"),
        Constant::Int(value) => write!(f, "{value}"),
        Constant::Long(value) => write!(f, "{value}L"),
        Constant::Float(bits) => match f32::from_bits(bits) {
            value if value.is_nan() => f.write_str("Float.NaN"),
            value if value.is_infinite() && value > 0.0 => f.write_str("Float.POSITIVE_INFINITY"),
            value if value.is_infinite() => f.write_str("Float.NEGATIVE_INFINITY"),
            value => write!(f, "{value:?}f"),
        },
        Constant::Double(bits) => match f64::from_bits(bits) {
            value if value.is_nan() => f.write_str("Double.NaN"),
            value if value.is_infinite() && value > 0.0 => f.write_str("Double.POSITIVE_INFINITY"),
            value if value.is_infinite() => f.write_str("Double.NEGATIVE_INFINITY"),
            value => write!(f, "{value:?}"),
        },
    }
}

fn symbol_of(operation: Binary) -> &'static str {
    match operation {
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::ShiftRightUnsigned => ">>>",
        Binary::Equal => "==",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
    }
}

fn level_of(operation: Binary) -> u8 {
    match operation {
        Binary::Or => 3,
        Binary::And => 4,
        Binary::BitOr => 5,
        Binary::BitXor => 6,
        Binary::BitAnd => 7,
        Binary::Equal => 8,
        Binary::Less | Binary::LessOrEqual => 9,
        Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned => 10,
        Binary::Add | Binary::Subtract => 11,
        Binary::Multiply | Binary::Divide | Binary::Remainder => 12,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_read_like_java() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("this.elem", Sort::Int), terms.variable("key", Sort::Int));
        let flag = terms.variable_in("flag", Sort::Int, (0, 1));
        let letter = terms.variable_in("c", Sort::Int, (0, 65535));
        let (zero, three, a) = (terms.int(0), terms.int(3), terms.int(97));
        let print = |terms: &Terms, term| Expression::of(terms, term).to_string();

        let difference = terms.binary(Binary::Subtract, x, y);
        let positive = terms.less(zero, difference);
        assert_eq!(print(&terms, positive), "this.elem - key > 0");
        let sum = terms.binary(Binary::Add, x, y);
        let product = terms.binary(Binary::Multiply, sum, three);
        assert_eq!(print(&terms, product), "(this.elem + key) * 3");
        let is_false = terms.equal(flag, zero);
        assert_eq!(print(&terms, is_false), "!flag");
        let is_true = terms.not(is_false);
        assert_eq!(print(&terms, is_true), "flag");
        let is_a = terms.equal(letter, a);
        let is_not_a = terms.not(is_a);
        assert_eq!(print(&terms, is_not_a), "c != 'a'");
    }
}
