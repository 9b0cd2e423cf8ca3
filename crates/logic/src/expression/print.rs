//! How is an expression written, so that a reader sees what it says?
//!
//! As Java would write it. Parts that occur several times and are not small are written once and have a name: `let x1 = a * 31 + a in
//! x1 ^ x1 >>> 3`. So are parts of long chains, so that no piece is long. Of many names, only the first and the last are written, with a mark between
//! them. The alternate form (`{:#}`) leaves none out: different expressions are written differently, in a length that is linear in the graph.

use std::fmt::{self, Write};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Expression, Named};
use crate::term::{Binary, Constant, Unary};

/// A part of at least so many nodes gets a name if it occurs twice.
const NOT_SMALL: usize = 8;
/// A part of at least so many nodes gets a name in any case.
const LONG: usize = 80;
/// Of more names than twice this, those in the middle are left out.
const MOST_NAMES: usize = 8;

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::of(self);
        let mut left_out = 0..0;
        if !f.alternate() && printer.named.len() > 2 * MOST_NAMES {
            left_out = MOST_NAMES..printer.named.len() - MOST_NAMES;
        }
        for (index, part) in printer.named.iter().enumerate() {
            if left_out.contains(&index) {
                if index == left_out.start {
                    write!(f, ", … {} parts are left out …", left_out.len())?;
                }
                continue;
            }
            f.write_str(if index == 0 { "let " } else { ", " })?;
            write!(f, "{}{} = ", printer.prefix, index + 1)?;
            printer.write_bare(f, part)?;
        }
        if !printer.named.is_empty() {
            f.write_str(" in ")?;
        }
        printer.write_bare(f, self)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct Printer<'a> {
    /// The parts that have a name, each before those that use it.
    named: Vec<&'a Expression>,
    /// Their places in this list.
    places: FxHashMap<*const Expression, usize>,
    /// The prefix of a name, so that it is no variable's.
    prefix: String,
}

impl<'a> Printer<'a> {
    fn of(whole: &'a Expression) -> Printer<'a> {
        let mut printer = Printer { named: Vec::new(), places: FxHashMap::default(), prefix: "x".to_string() };
        // Most expressions are too small for names.
        if let [None, ..] = whole.operands() {
            return printer;
        }
        let parts = whole.parts();
        let mut uses: FxHashMap<*const Expression, usize> = FxHashMap::default();
        for operand in parts.iter().flat_map(|part| part.operands()).flatten() {
            *uses.entry(Arc::as_ptr(operand)).or_default() += 1;
        }
        // How many nodes are written for a part. A name is one; what has none is below `LONG`, so that sums stay small.
        let mut sizes: FxHashMap<*const Expression, usize> = FxHashMap::default();
        for part in parts {
            let operands = part.operands().into_iter().flatten();
            let size = 1 + operands.map(|operand| sizes[&Arc::as_ptr(operand)]).sum::<usize>();
            let is_shared = uses.get(&std::ptr::from_ref(part)).is_some_and(|uses| *uses > 1);
            let is_named = !std::ptr::eq(part, whole) && (size >= LONG || is_shared && size >= NOT_SMALL);
            if is_named {
                printer.places.insert(part, printer.named.len());
                printer.named.push(part);
            }
            sizes.insert(part, if is_named { 1 } else { size });
        }
        if !printer.named.is_empty() {
            let variables = whole.variables();
            let is_taken = |prefix: &str| {
                let digits = |name: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.parse::<usize>().is_ok());
                variables.iter().any(|variable| digits(&variable.name))
            };
            while is_taken(&printer.prefix) {
                printer.prefix.push('x');
            }
        }
        printer
    }

    fn name(&self, part: &Expression) -> Option<usize> {
        self.places.get(&std::ptr::from_ref(part)).copied()
    }

    /// How tightly the outermost operator binds, as in Java.
    fn level(&self, part: &Expression) -> u8 {
        if self.name(part).is_some() {
            return 15;
        }
        match part {
            Expression::Constant(constant) if is_negative(*constant) => 13,
            Expression::Constant(_) | Expression::Variable(_) => 15,
            Expression::Unary(Unary::Not, operand) => match &**operand {
                Expression::Binary(Binary::Equal, left, right) if self.name(operand).is_none() => {
                    match as_truth(left, right) {
                        Some(_) => 15,
                        None => 8,
                    }
                }
                _ => 13,
            },
            Expression::Unary(Unary::Widen, operand) => self.level(operand),
            Expression::Unary(operation, _) if function_of(*operation).is_some() => 15,
            Expression::Unary(..) => 13,
            Expression::Binary(Binary::Equal, left, right) if as_truth(left, right).is_some() => 13,
            Expression::Binary(operation, ..) => level_of(*operation),
            Expression::Fused(..) => 15,
            Expression::If(..) => 1,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, part: &Expression, least: u8) -> fmt::Result {
        if let Some(place) = self.name(part) {
            return write!(f, "{}{}", self.prefix, place + 1);
        }
        if self.level(part) < least {
            f.write_char('(')?;
            self.write_bare(f, part)?;
            return f.write_char(')');
        }
        self.write_bare(f, part)
    }

    /// Writes a part itself, even if it has a name. Each call goes one level deeper, and `LONG` says how deep that is at most.
    fn write_bare(&self, f: &mut fmt::Formatter<'_>, part: &Expression) -> fmt::Result {
        match part {
            Expression::Constant(constant) => write_constant(f, *constant),
            Expression::Variable(variable) => f.write_str(&variable.name),
            Expression::Unary(Unary::Not, operand) => match &**operand {
                Expression::Binary(Binary::Equal, left, right) if self.name(operand).is_none() => {
                    match as_truth(left, right) {
                        Some((variable, value)) => write_truth(f, variable, !value),
                        None => self.write_binary(f, "!=", 8, left, right),
                    }
                }
                _ => {
                    f.write_char('!')?;
                    self.write(f, operand, 13)
                }
            },
            Expression::Unary(Unary::Widen, operand) => self.write(f, operand, 0),
            Expression::Unary(operation, operand) if function_of(*operation).is_some() => {
                f.write_str(function_of(*operation).unwrap_or_default())?;
                f.write_char('(')?;
                self.write(f, operand, 0)?;
                f.write_char(')')
            }
            Expression::Binary(Binary::Function(function), left, right) => {
                f.write_str(function.name())?;
                f.write_char('(')?;
                self.write(f, left, 0)?;
                f.write_str(", ")?;
                self.write(f, right, 0)?;
                f.write_char(')')
            }
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
                self.write(f, operand, 14)
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
                    return self.write_binary(f, turned, level_of(*operation), right, left);
                }
                if let (Binary::Add, Expression::Constant(Constant::Int(value @ ..0))) = (operation, &**right) {
                    self.write(f, left, 11)?;
                    return write!(f, " - {}", value.unsigned_abs());
                }
                self.write_binary(f, symbol_of(*operation), level_of(*operation), left, right)
            }
            Expression::Fused(one, other, added) => {
                f.write_str("fma(")?;
                self.write(f, one, 0)?;
                f.write_str(", ")?;
                self.write(f, other, 0)?;
                f.write_str(", ")?;
                self.write(f, added, 0)?;
                f.write_char(')')
            }
            Expression::If(condition, yes, no) => {
                self.write(f, condition, 2)?;
                f.write_str(" ? ")?;
                self.write(f, yes, 2)?;
                f.write_str(" : ")?;
                self.write(f, no, 1)
            }
        }
    }

    fn write_binary(
        &self,
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
        self.write(f, left, level)?;
        write!(f, " {symbol} ")?;
        match as_character(right, left) {
            Some(letter) => write!(f, "'{letter}'"),
            None => self.write(f, right, level + 1),
        }
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
        Binary::Function(function) => function.name(),
    }
}

/// The name of an operation that is written as a call.
fn function_of(operation: Unary) -> Option<&'static str> {
    Some(match operation {
        Unary::IsNan => "isNaN",
        Unary::Absolute => "abs",
        Unary::SquareRoot => "sqrt",
        Unary::RoundEven => "rint",
        Unary::Floor => "floor",
        Unary::Ceiling => "ceil",
        Unary::Bits => "bits",
        Unary::OfBits => "ofBits",
        Unary::Function(function) => function.name(),
        _ => return None,
    })
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
        Binary::Function(_) => 15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Terms};

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

    /// `x = x * 31 + a ^ x >>> 3`, so many times.
    fn mixed(terms: &mut Terms, a: &str, rounds: usize) -> Expression {
        let a = terms.variable(a, Sort::Int);
        let (three, factor) = (terms.int(3), terms.int(31));
        let x = (0..rounds).fold(a, |x, _| {
            let product = terms.binary(Binary::Multiply, x, factor);
            let sum = terms.binary(Binary::Add, product, a);
            let shifted = terms.binary(Binary::ShiftRightUnsigned, x, three);
            terms.binary(Binary::BitXor, sum, shifted)
        });
        Expression::of(terms, x)
    }

    #[test]
    fn what_occurs_twice_has_a_name() {
        let mut terms = Terms::new();
        let once = "a + a * 31 ^ a >>> 3";
        assert_eq!(mixed(&mut terms, "a", 1).to_string(), once);
        assert_eq!(mixed(&mut terms, "a", 2).to_string(), format!("let x1 = {once} in a + x1 * 31 ^ x1 >>> 3"));
        let third = "a + x1 * 31 ^ x1 >>> 3";
        let thrice = format!("let x1 = {once}, x2 = {third} in a + x2 * 31 ^ x2 >>> 3");
        assert_eq!(mixed(&mut terms, "a", 3).to_string(), thrice);
        // No name is one of a variable.
        let other = mixed(&mut terms, "x1", 2).to_string();
        assert_eq!(other, "let xx1 = x1 + x1 * 31 ^ x1 >>> 3 in x1 + xx1 * 31 ^ xx1 >>> 3");
    }

    #[test]
    fn of_many_names_those_in_the_middle_are_left_out_and_that_is_said() {
        let mut terms = Terms::new();
        let (long, longer) = (mixed(&mut terms, "a", 500), mixed(&mut terms, "a", 501));
        let text = long.to_string();
        assert!(text.len() < 1000, "{text}");
        assert!(text.contains(", … 483 parts are left out …, x492 = ") && text.ends_with("a + x499 * 31 ^ x499 >>> 3"));
        let whole = format!("{long:#}");
        assert!(whole.contains("x250 = ") && !whole.contains('…') && whole != format!("{longer:#}"));
    }
}
