//! What is a term worth under a model? Also the meaning of every operation, for solvers to agree with.

use crate::model::Model;
use crate::term::{Binary, Constant, Node, Term, Terms, Unary};

/// Evaluates many terms under one model; what is shared is evaluated once.
pub struct Evaluation<'a> {
    terms: &'a Terms,
    model: &'a Model,
    known: Vec<Option<Constant>>,
}

impl<'a> Evaluation<'a> {
    /// Prepares the evaluation of terms under a model; the value of each term is computed at most once.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluation<'a> {
        Evaluation { terms, model, known: vec![None; terms.len()] }
    }

    /// The value of a term under the model.
    pub fn value(&mut self, term: Term) -> Constant {
        // Operands first; a list instead of recursion, because terms may be deep.
        let mut waiting = vec![term];
        while let Some(&top) = waiting.last() {
            if self.known[top.index()].is_some() {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let mut get = |term: Term| {
                let value = self.known[term.index()];
                if value.is_none() {
                    waiting.push(term);
                }
                value
            };
            let value = match self.terms.node(top) {
                Node::Constant(constant) => Some(constant),
                Node::Variable(variable) => Some(self.model.value(self.terms, variable)),
                Node::Unary(operation, operand) => get(operand).map(|operand| unary(operation, operand)),
                Node::Binary(operation, left, right) => {
                    let (left, right) = (get(left), get(right));
                    left.zip(right).map(|(left, right)| binary(operation, left, right))
                }
                Node::If(condition, yes, no) => match get(condition) {
                    Some(Constant::Bool(true)) => get(yes),
                    Some(_) => get(no),
                    None => None,
                },
                Node::Fused(one, other, added) => {
                    let (one, other, added) = (get(one), get(other), get(added));
                    one.zip(other).zip(added).map(|((one, other), added)| fused(one, other, added))
                }
            };
            if value.is_some() {
                waiting.truncate(before - 1);
                self.known[top.index()] = value;
            }
        }
        self.known[term.index()].expect("the loop ends when the term is known")
    }

    /// Is a truth value true under the model?
    pub fn is_true(&mut self, term: Term) -> bool {
        self.value(term) == Constant::Bool(true)
    }
}

/// How deep, and how many, terms are evaluated without keeping what is shared.
const PLAIN_DEPTH: u32 = 24;
const PLAIN_STEPS: u32 = 2000;

/// Are all of these true under the model?
pub fn satisfies(terms: &Terms, model: &Model, conjuncts: &[Term]) -> bool {
    let mut steps = PLAIN_STEPS;
    for conjunct in conjuncts {
        match plain_value(terms, model, *conjunct, PLAIN_DEPTH, &mut steps) {
            Some(Constant::Bool(true)) => {}
            Some(_) => return false,
            None => {
                let mut evaluation = Evaluation::new(terms, model);
                return conjuncts.iter().all(|conjunct| evaluation.is_true(*conjunct));
            }
        }
    }
    true
}

/// The value of a term, unless it is too large. An `Evaluation` makes room for the whole table first, which takes longer than
/// all the rest if the table is large and the term is not.
fn plain_value(terms: &Terms, model: &Model, term: Term, depth: u32, steps: &mut u32) -> Option<Constant> {
    let depth = depth.checked_sub(1)?;
    *steps = steps.checked_sub(1)?;
    let mut get = |term: Term| plain_value(terms, model, term, depth, steps);
    Some(match terms.node(term) {
        Node::Constant(constant) => constant,
        Node::Variable(variable) => model.value(terms, variable),
        Node::Unary(operation, operand) => unary(operation, get(operand)?),
        Node::Binary(operation, left, right) => binary(operation, get(left)?, get(right)?),
        Node::If(condition, yes, no) => {
            let chosen = if get(condition)? == Constant::Bool(true) { yes } else { no };
            get(chosen)?
        }
        Node::Fused(one, other, added) => fused(get(one)?, get(other)?, get(added)?),
    })
}

/// The meaning of an operation on one constant.
pub fn unary(operation: Unary, operand: Constant) -> Constant {
    use Constant::{Bool, Double, Float, Int, Long};
    let float = f32::from_bits;
    let double = f64::from_bits;
    match (operation, operand) {
        (Unary::Not, Bool(value)) => Bool(!value),
        (Unary::Negate, Int(value)) => Int(value.wrapping_neg()),
        (Unary::Negate, Long(value)) => Long(value.wrapping_neg()),
        (Unary::Negate, Float(bits)) => Float((-float(bits)).to_bits()),
        (Unary::Negate, Double(bits)) => Double((-double(bits)).to_bits()),
        (Unary::Widen, Int(value)) => Long(value as i64),
        (Unary::Truncate, Long(value)) => Int(value as i32),
        (Unary::SignedByte, Int(value)) => Int(value as i8 as i32),
        (Unary::SignedShort, Int(value)) => Int(value as i16 as i32),
        (Unary::UnsignedShort, Int(value)) => Int(value as u16 as i32),
        (Unary::ToFloat, Int(value)) => of_float(value as f32),
        (Unary::ToFloat, Long(value)) => of_float(value as f32),
        (Unary::ToFloat, Double(bits)) => of_float(double(bits) as f32),
        (Unary::ToDouble, Int(value)) => of_double(value as f64),
        (Unary::ToDouble, Long(value)) => of_double(value as f64),
        (Unary::ToDouble, Float(bits)) => of_double(float(bits) as f64),
        (Unary::ToInt, Float(bits)) => Int(float(bits) as i32),
        (Unary::ToInt, Double(bits)) => Int(double(bits) as i32),
        (Unary::ToLong, Float(bits)) => Long(float(bits) as i64),
        (Unary::ToLong, Double(bits)) => Long(double(bits) as i64),
        (Unary::IsNan, Float(bits)) => Bool(float(bits).is_nan()),
        (Unary::IsNan, Double(bits)) => Bool(double(bits).is_nan()),
        (Unary::Absolute, Float(bits)) => Float(bits & !(1 << 31)),
        (Unary::Absolute, Double(bits)) => Double(bits & !(1 << 63)),
        (Unary::SquareRoot, Float(bits)) => of_float(float(bits).sqrt()),
        (Unary::SquareRoot, Double(bits)) => of_double(double(bits).sqrt()),
        (Unary::RoundEven, Float(bits)) => of_float(float(bits).round_ties_even()),
        (Unary::RoundEven, Double(bits)) => of_double(double(bits).round_ties_even()),
        (Unary::Floor, Float(bits)) => of_float(float(bits).floor()),
        (Unary::Floor, Double(bits)) => of_double(double(bits).floor()),
        (Unary::Ceiling, Float(bits)) => of_float(float(bits).ceil()),
        (Unary::Ceiling, Double(bits)) => of_double(double(bits).ceil()),
        (Unary::Bits, Float(bits)) => Int(bits as i32),
        (Unary::Bits, Double(bits)) => Long(bits as i64),
        (Unary::OfBits, Int(bits)) => Float(bits as u32),
        (Unary::OfBits, Long(bits)) => Double(bits as u64),
        (Unary::Function(function), Double(bits)) => of_double(function.value(double(bits))),
        (operation, operand) => unreachable!("{operation:?} of {operand:?} is no term"),
    }
}

/// The meaning of an operation on two constants. A division by zero, which no path condition contains, gives zero.
pub fn binary(operation: Binary, left: Constant, right: Constant) -> Constant {
    use Constant::{Bool, Double, Float, Int, Long};
    match (left, right) {
        (Bool(left), Bool(right)) => Bool(match operation {
            Binary::And => left && right,
            Binary::Or => left || right,
            Binary::Equal => left == right,
            _ => unreachable!("{operation:?} of truth values is no term"),
        }),
        (Int(left), Int(right)) => match operation {
            Binary::Add => Int(left.wrapping_add(right)),
            Binary::Subtract => Int(left.wrapping_sub(right)),
            Binary::Multiply => Int(left.wrapping_mul(right)),
            Binary::Divide => Int(if right == 0 { 0 } else { left.wrapping_div(right) }),
            Binary::Remainder => Int(if right == 0 { 0 } else { left.wrapping_rem(right) }),
            Binary::BitAnd => Int(left & right),
            Binary::BitOr => Int(left | right),
            Binary::BitXor => Int(left ^ right),
            Binary::ShiftLeft => Int(left.wrapping_shl(right as u32)),
            Binary::ShiftRight => Int(left.wrapping_shr(right as u32)),
            Binary::ShiftRightUnsigned => Int((left as u32).wrapping_shr(right as u32) as i32),
            Binary::Equal => Bool(left == right),
            Binary::Less => Bool(left < right),
            Binary::LessOrEqual => Bool(left <= right),
            Binary::And | Binary::Or | Binary::Function(_) => unreachable!("{operation:?} of ints is no term"),
        },
        (Long(left), Long(right)) => match operation {
            Binary::Add => Long(left.wrapping_add(right)),
            Binary::Subtract => Long(left.wrapping_sub(right)),
            Binary::Multiply => Long(left.wrapping_mul(right)),
            Binary::Divide => Long(if right == 0 { 0 } else { left.wrapping_div(right) }),
            Binary::Remainder => Long(if right == 0 { 0 } else { left.wrapping_rem(right) }),
            Binary::BitAnd => Long(left & right),
            Binary::BitOr => Long(left | right),
            Binary::BitXor => Long(left ^ right),
            Binary::ShiftLeft => Long(left.wrapping_shl(right as u32)),
            Binary::ShiftRight => Long(left.wrapping_shr(right as u32)),
            Binary::ShiftRightUnsigned => Long((left as u64).wrapping_shr(right as u32) as i64),
            Binary::Equal => Bool(left == right),
            Binary::Less => Bool(left < right),
            Binary::LessOrEqual => Bool(left <= right),
            Binary::And | Binary::Or | Binary::Function(_) => unreachable!("{operation:?} of longs is no term"),
        },
        (Float(left), Float(right)) => {
            let (left, right) = (f32::from_bits(left), f32::from_bits(right));
            match operation {
                Binary::Add => of_float(left + right),
                Binary::Subtract => of_float(left - right),
                Binary::Multiply => of_float(left * right),
                Binary::Divide => of_float(left / right),
                Binary::Remainder => of_float(left % right),
                Binary::Equal => Bool(left == right),
                Binary::Less => Bool(left < right),
                Binary::LessOrEqual => Bool(left <= right),
                _ => unreachable!("{operation:?} of floats is no term"),
            }
        }
        (Double(left), Double(right)) => {
            let (left, right) = (f64::from_bits(left), f64::from_bits(right));
            match operation {
                Binary::Add => of_double(left + right),
                Binary::Subtract => of_double(left - right),
                Binary::Multiply => of_double(left * right),
                Binary::Divide => of_double(left / right),
                Binary::Remainder => of_double(left % right),
                Binary::Function(function) => of_double(function.value(left, right)),
                Binary::Equal => Bool(left == right),
                Binary::Less => Bool(left < right),
                Binary::LessOrEqual => Bool(left <= right),
                _ => unreachable!("{operation:?} of doubles is no term"),
            }
        }
        (left, right) => unreachable!("{operation:?} of {left:?} and {right:?} is no term"),
    }
}

/// The product of two numbers plus a third, rounded once.
pub fn fused(one: Constant, other: Constant, added: Constant) -> Constant {
    match (one, other, added) {
        (Constant::Float(one), Constant::Float(other), Constant::Float(added)) => {
            of_float(f32::from_bits(one).mul_add(f32::from_bits(other), f32::from_bits(added)))
        }
        (Constant::Double(one), Constant::Double(other), Constant::Double(added)) => {
            of_double(f64::from_bits(one).mul_add(f64::from_bits(other), f64::from_bits(added)))
        }
        operands => unreachable!("{operands:?} are no operands of one product and sum"),
    }
}

/// One NaN for all that is computed: which one a machine computes is not fixed, and programs cannot tell them apart without asking for the bits. Inputs
/// may be any NaN.
fn of_float(value: f32) -> Constant {
    Constant::Float(if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
}

fn of_double(value: f64) -> Constant {
    Constant::Double(if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() })
}
