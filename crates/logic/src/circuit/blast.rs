//! What is a term in single bits? The meaning of every operation is that of `evaluate`.

use rustc_hash::FxHashMap;

use super::{Circuit, Lit, Word};
use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary, Variable};

/// Where the bits of variables come from. A word must be as wide as the variable's sort; its maker
/// restricts the word to the range of the variable.
pub(super) type InputWords<'a> = &'a mut dyn FnMut(&mut Circuit, Variable) -> Option<Word>;

/// Translates each term once. All terms must be of one table, all words of one circuit.
#[derive(Default)]
pub struct Blaster {
    known: FxHashMap<Term, Word>,
}

impl Blaster {
    /// Makes a translator that knows no terms yet.
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// A truth value has one bit. Nothing if the term depends on a floating-point number, or on a variable without a word.
    pub fn blast(&mut self, circuit: &mut Circuit, terms: &Terms, term: Term, variable: InputWords) -> Option<Word> {
        // Operands first; a list instead of recursion, because terms may be deep.
        let mut waiting = vec![term];
        while let Some(&top) = waiting.last() {
            if self.known.contains_key(&top) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let word = self.word(circuit, terms, top, variable, &mut waiting);
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

    /// The word of one term. If an operand that it depends on is not known yet, that is made to wait, and the answer is none.
    fn word(
        &self,
        circuit: &mut Circuit,
        terms: &Terms,
        term: Term,
        variable: InputWords,
        waiting: &mut Vec<Term>,
    ) -> Option<Word> {
        let mut get = |operand: Term| {
            let word = self.known.get(&operand);
            if word.is_none() {
                waiting.push(operand);
            }
            word
        };
        Some(match terms.node(term) {
            Node::Constant(Constant::Bool(value)) => circuit.word_constant(1, value as i64),
            Node::Constant(constant) => circuit.word_constant(width(constant.sort())?, constant.integer()?),
            Node::Variable(unknown) => {
                let width = width(terms.declaration(unknown).sort)?;
                let word = variable(circuit, unknown)?;
                assert_eq!(word.len(), width, "the word of a variable is as wide as its sort");
                word
            }
            Node::Unary(operation, operand) => unary(circuit, operation, get(operand)?)?,
            // A don't-care need not be expressible in bits.
            Node::Binary(operation @ (Binary::And | Binary::Or), left, right) => {
                let decisive = Lit::constant(operation == Binary::Or);
                let left = get(left)?;
                if left[0] == decisive {
                    return Some(left.clone());
                }
                binary(circuit, operation, left, get(right)?)
            }
            Node::Binary(operation, left, right) => {
                let (left, right) = (get(left), get(right));
                binary(circuit, operation, left?, right?)
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
}

/// The number of bits; nothing for floating-point numbers.
fn width(sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Int => Some(32),
        Sort::Long => Some(64),
        Sort::Float | Sort::Double => None,
    }
}

fn unary(circuit: &mut Circuit, operation: Unary, word: &Word) -> Option<Word> {
    let low_bits = |bits: usize| circuit.widen(&word[..bits], word.len());
    Some(match operation {
        Unary::Not => circuit.word_not(word),
        Unary::Negate => circuit.negate(word),
        Unary::Widen => circuit.widen(word, 64),
        Unary::Truncate => circuit.truncate(word, 32),
        Unary::SignedByte => low_bits(8),
        Unary::SignedShort => low_bits(16),
        Unary::UnsignedShort => {
            word.iter().enumerate().map(|(bit, lit)| if bit < 16 { *lit } else { Lit::FALSE }).collect()
        }
        Unary::ToFloat | Unary::ToDouble | Unary::ToInt | Unary::ToLong | Unary::IsNan => return None,
    })
}

fn binary(circuit: &mut Circuit, operation: Binary, left: &Word, right: &Word) -> Word {
    match operation {
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
    }
}
