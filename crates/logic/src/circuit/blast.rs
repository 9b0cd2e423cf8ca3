//! What is a term in single bits? The meaning of every operation is that of `evaluate`.

use rustc_hash::FxHashMap;

use super::float::{FloatFormat, Integral, MOST_REMAINDER_STEPS};
use super::{Circuit, Lit, Word};
use crate::functions::{BinaryFunction, UnaryFunction};
use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary, Variable};

/// Where the bits of variables come from. A word must be as wide as the variable's sort; its maker
/// restricts the word to the range of the variable.
pub(super) type InputWords<'a> = &'a mut dyn FnMut(&mut Circuit, Variable) -> Option<Word>;

/// Translates each term once. All terms must be of one table, all words of one circuit.
#[derive(Default)]
pub struct Blaster {
    known: FxHashMap<Term, Word>,
    /// Results that are no function of the bits of their operands here. None if such terms are not to be translated.
    open: Option<OpenResults>,
}

/// Words of new inputs in the place of results that no circuit computes: less is said about them than is true. So a refutation is certain, and a model
/// must be evaluated.
#[derive(Default)]
pub(crate) struct OpenResults {
    /// True of all results, whatever the operands are.
    pub(crate) facts: Vec<(Term, Lit)>,
    pub(crate) applications: Vec<Application>,
}

/// A function and the words of its operands and its result.
pub(crate) enum Application {
    Unary(UnaryFunction, Term, Word, Word),
    Binary(BinaryFunction, [Term; 2], [Word; 2], Word),
}

impl Blaster {
    /// Makes a translator that knows no terms yet.
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// Makes a translator that also translates what no circuit computes, as words of new inputs. The facts about them must be asserted.
    pub(crate) fn with_open_results() -> Blaster {
        Blaster { open: Some(OpenResults::default()), ..Blaster::default() }
    }

    /// The facts and applications since this was asked the last time.
    pub(crate) fn take_open_results(&mut self) -> OpenResults {
        self.open.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A truth value has one bit. Nothing if the term depends on a function that no circuit computes, or on a variable without a word.
    pub fn blast(&mut self, circuit: &mut Circuit, terms: &Terms, term: Term, variable: InputWords) -> Option<Word> {
        // Operands first; a list instead of recursion, because terms may be deep.
        let mut waiting = vec![term];
        while let Some(&top) = waiting.last() {
            if self.known.contains_key(&top) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let Blaster { known, open } = self;
            let word = word_of(known, open, circuit, terms, top, variable, &mut waiting);
            if waiting.len() == before {
                self.known.insert(top, word?);
                waiting.pop();
            }
        }
        self.known.get(&term).cloned()
    }

    /// The one bit of a truth value.
    pub fn truth(&mut self, circuit: &mut Circuit, terms: &Terms, term: Term, variable: InputWords) -> Option<Lit> {
        debug_assert_eq!(terms.sort(term), Sort::Bool);
        self.blast(circuit, terms, term, variable).map(|word| word[0])
    }
}

/// The word of one term. If an operand that it depends on is not known yet, that is made to wait, and the answer is none.
fn word_of(
    known: &FxHashMap<Term, Word>,
    open: &mut Option<OpenResults>,
    circuit: &mut Circuit,
    terms: &Terms,
    term: Term,
    variable: InputWords,
    waiting: &mut Vec<Term>,
) -> Option<Word> {
    let mut get = |operand: Term| {
        let word = known.get(&operand);
        if word.is_none() {
            waiting.push(operand);
        }
        word
    };
    Some(match terms.node(term) {
        Node::Constant(constant) => circuit.word_constant(width(constant.sort()), bits_of(constant)),
        Node::Variable(unknown) => {
            let word = variable(circuit, unknown)?;
            let width = width(terms.declaration(unknown).sort);
            assert_eq!(word.len(), width, "the word of a variable is as wide as its sort");
            word
        }
        Node::Unary(Unary::Function(function), operand) => {
            let word = get(operand)?;
            let result = circuit.word_input(word.len());
            open.as_mut()?.applications.push(Application::Unary(function, operand, word.clone(), result.clone()));
            result
        }
        Node::Unary(operation, operand) => unary(circuit, operation, terms.sort(operand), get(operand)?)?,
        // A don't-care need not be expressible in bits.
        Node::Binary(operation @ (Binary::And | Binary::Or), left, right) => {
            let decisive = Lit::constant(operation == Binary::Or);
            let left = get(left)?;
            if left[0] == decisive {
                return Some(left.clone());
            }
            integral(circuit, operation, left, get(right)?)?
        }
        Node::Binary(Binary::Function(function), left, right) => {
            let (one, other) = (get(left), get(right));
            let (one, other) = (one?, other?);
            let result = circuit.word_input(one.len());
            let operands = [one.clone(), other.clone()];
            open.as_mut()?.applications.push(Application::Binary(function, [left, right], operands, result.clone()));
            result
        }
        Node::Binary(operation, left, right) => {
            let format = format(terms.sort(left));
            let (left, right) = (get(left), get(right));
            let (left, right) = (left?, right?);
            match format {
                None => integral(circuit, operation, left, right)?,
                Some(format) if operation == Binary::Remainder => {
                    let (word, is_open, fact) = circuit.float_remainder(format, left, right, MOST_REMAINDER_STEPS);
                    if is_open != Lit::FALSE {
                        open.as_mut()?.facts.push((term, fact));
                    }
                    word
                }
                Some(format) => numeric(circuit, format, operation, left, right)?,
            }
        }
        Node::Fused(one, other, added) => {
            let format = format(terms.sort(one))?;
            let (one, other, added) = (get(one), get(other), get(added));
            circuit.float_fused(format, one?, other?, added?)
        }
        Node::If(condition, yes, no) => match get(condition)?[0].as_constant() {
            Some(true) => get(yes)?.clone(),
            Some(false) => get(no)?.clone(),
            None => {
                let condition = get(condition)?[0];
                let (yes, no) = (get(yes), get(no));
                circuit.word_if(condition, yes?, no?)
            }
        },
    })
}

/// The number of bits.
pub(crate) fn width(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Int | Sort::Float => 32,
        Sort::Long | Sort::Double => 64,
    }
}

/// The format of floating-point numbers; nothing for others.
fn format(sort: Sort) -> Option<FloatFormat> {
    match sort {
        Sort::Float => Some(FloatFormat::SINGLE),
        Sort::Double => Some(FloatFormat::DOUBLE),
        Sort::Bool | Sort::Int | Sort::Long => None,
    }
}

/// The bits of a constant, as a number with the same low bits.
pub(crate) fn bits_of(constant: Constant) -> i64 {
    match constant {
        Constant::Bool(value) => value as i64,
        Constant::Int(value) => value as i64,
        Constant::Long(value) => value,
        Constant::Float(bits) => bits as i64,
        Constant::Double(bits) => bits as i64,
    }
}

impl Circuit {
    /// An operation on an operand of that sort; nothing if there is none, or if no circuit computes it.
    pub fn unary_operation(&mut self, operation: Unary, sort: Sort, operand: &Word) -> Option<Word> {
        unary(self, operation, sort, operand)
    }

    /// An operation on operands of that sort; nothing if there is none, or if no circuit computes it for all operands.
    pub fn binary_operation(&mut self, operation: Binary, sort: Sort, left: &Word, right: &Word) -> Option<Word> {
        match format(sort) {
            None => integral(self, operation, left, right),
            Some(format) if operation == Binary::Remainder => {
                let (word, open, _) = self.float_remainder(format, left, right, MOST_REMAINDER_STEPS);
                (open == Lit::FALSE).then_some(word)
            }
            Some(format) => numeric(self, format, operation, left, right),
        }
    }
}

/// Nothing if the operation does not exist for the sort.
fn unary(circuit: &mut Circuit, operation: Unary, sort: Sort, word: &Word) -> Option<Word> {
    let low_bits = |bits: usize| circuit.widen(&word[..bits], word.len());
    let (single, double) = (FloatFormat::SINGLE, FloatFormat::DOUBLE);
    Some(match (operation, format(sort)) {
        (Unary::Not, None) => circuit.word_not(word),
        (Unary::Negate, None) => circuit.negate(word),
        (Unary::Widen, None) => circuit.widen(word, 64),
        (Unary::Truncate, None) => circuit.truncate(word, 32),
        (Unary::SignedByte, None) => low_bits(8),
        (Unary::SignedShort, None) => low_bits(16),
        (Unary::UnsignedShort, None) => {
            word.iter().enumerate().map(|(bit, lit)| if bit < 16 { *lit } else { Lit::FALSE }).collect()
        }
        (Unary::ToFloat, None) => circuit.float_of_integer(single, word),
        (Unary::ToDouble, None) => circuit.float_of_integer(double, word),
        (Unary::ToFloat, Some(format)) => circuit.float_convert(format, single, word),
        (Unary::ToDouble, Some(format)) => circuit.float_convert(format, double, word),
        (Unary::ToInt, Some(format)) => circuit.float_to_integer(format, word, 32),
        (Unary::ToLong, Some(format)) => circuit.float_to_integer(format, word, 64),
        (Unary::IsNan, Some(format)) => [circuit.float_is_nan(format, word)].into(),
        (Unary::Negate, Some(_)) => circuit.float_negate(word),
        (Unary::Absolute, Some(_)) => circuit.float_absolute(word),
        (Unary::SquareRoot, Some(format)) => circuit.float_square_root(format, word),
        (Unary::RoundEven, Some(format)) => circuit.float_integral(format, word, Integral::Even),
        (Unary::Floor, Some(format)) => circuit.float_integral(format, word, Integral::Floor),
        (Unary::Ceiling, Some(format)) => circuit.float_integral(format, word, Integral::Ceiling),
        (Unary::Bits, Some(_)) | (Unary::OfBits, None) => word.clone(),
        _ => return None,
    })
}

/// Of bit vectors and truth values.
fn integral(circuit: &mut Circuit, operation: Binary, left: &Word, right: &Word) -> Option<Word> {
    Some(match operation {
        Binary::And | Binary::BitAnd => circuit.word_and(left, right),
        Binary::Or | Binary::BitOr => circuit.word_or(left, right),
        Binary::BitXor => circuit.word_xor(left, right),
        Binary::Add => circuit.add(left, right),
        Binary::Subtract => circuit.subtract(left, right),
        Binary::Multiply => circuit.multiply(left, right),
        Binary::Divide => circuit.divide(left, right),
        Binary::Remainder => circuit.remainder(left, right),
        Binary::ShiftLeft => circuit.shift_left(left, right),
        Binary::ShiftRight => circuit.shift_right(left, right),
        Binary::ShiftRightUnsigned => circuit.shift_right_unsigned(left, right),
        Binary::Equal => [circuit.word_equal(left, right)].into(),
        Binary::Less => [circuit.less(left, right)].into(),
        Binary::LessOrEqual => [circuit.less_or_equal(left, right)].into(),
        Binary::Function(_) => return None,
    })
}

/// Of floating-point numbers.
fn numeric(circuit: &mut Circuit, format: FloatFormat, operation: Binary, left: &Word, right: &Word) -> Option<Word> {
    Some(match operation {
        Binary::Add => circuit.float_add(format, left, right),
        Binary::Subtract => circuit.float_subtract(format, left, right),
        Binary::Multiply => circuit.float_multiply(format, left, right),
        Binary::Divide => circuit.float_divide(format, left, right),
        Binary::Equal => [circuit.float_equal(format, left, right)].into(),
        Binary::Less => [circuit.float_less(format, left, right)].into(),
        Binary::LessOrEqual => [circuit.float_less_or_equal(format, left, right)].into(),
        _ => return None,
    })
}
