//! How are two words compared of which each is one of several?
//!
//! Choosing the bits first and comparing them then hides from a solver that the same two words were compared before. So words that are chosen remember
//! among which, and a comparison of two of them is chosen among the comparisons of all pairs, each of which is made once.
//!
//! The memory belongs to one value, not to its bits: two values with the same bits may be chosen in different ways, and neither
//! way means anything where the other value is used. So it is the word itself that is known, by its place in memory, and not another one that looks the same.

use std::collections::HashMap;
use std::rc::Rc;

use super::word::Word;
use super::{Circuit, Lit};

/// More pairs than this are not worth it.
const MOST_PAIRS: usize = 400;
const MOST_PARTS: usize = 32;

/// The alternatives of a word, with their conditions. Exactly one of the conditions is true wherever the word means anything.
#[derive(Default)]
pub(super) struct Choices {
    /// By place in memory, with the words, so that nothing else comes to be there.
    known: HashMap<*const Lit, (Word, Parts)>,
}

type Parts = Rc<[(Lit, Word)]>;

impl Choices {
    fn of(&self, word: &[Lit]) -> Option<Parts> {
        let (known, parts) = self.known.get(&word.as_ptr())?;
        (known.len() == word.len()).then(|| parts.clone())
    }
}

impl Circuit {
    /// The one of these words whose condition is true. The conditions exclude each other; where none is true, the word is zero.
    pub fn word_any(&mut self, parts: &[(Lit, Word)]) -> Word {
        let width = parts.first().map_or(0, |(_, word)| word.len());
        let mut bits = Vec::with_capacity(width);
        for bit in 0..width {
            let each: Vec<Lit> = parts.iter().map(|(when, word)| self.and(*when, word[bit])).collect();
            bits.push(self.any(each));
        }
        let word: Word = bits.into();
        self.note_choice(&word, parts);
        word
    }

    /// Writes down what a word is chosen among.
    pub fn note_choice(&mut self, word: &Word, parts: &[(Lit, Word)]) {
        if self.word_constant_of(word).is_some() {
            return;
        }
        let mut all: Vec<(Lit, Word)> = Vec::new();
        for (when, part) in parts {
            for (inner, part) in self.choices.of(part).unwrap_or_else(|| [(Lit::TRUE, part.clone())].into()).iter() {
                let when = self.and(*when, *inner);
                match all.iter_mut().find(|(_, known)| known == part) {
                    Some((known, _)) => *known = self.or(*known, when),
                    None => all.push((when, part.clone())),
                }
            }
        }
        all.retain(|(when, _)| *when != Lit::FALSE);
        if all.len() > 1 && all.len() <= MOST_PARTS {
            self.choices.known.insert(word.as_ptr(), (word.clone(), all.into()));
        }
    }

    /// Compares two words, where they are chosen, pair by pair.
    pub fn compare_chosen(&mut self, a: &[Lit], b: &[Lit], compare: fn(&mut Circuit, &[Lit], &[Lit]) -> Lit) -> Lit {
        let parts = |circuit: &Circuit, word: &[Lit]| match circuit.choices.of(word) {
            Some(parts) => parts,
            None => [(Lit::TRUE, Word::from(word))].into(),
        };
        let (left, right) = (parts(self, a), parts(self, b));
        if left.len() * right.len() == 1 || left.len() * right.len() > MOST_PAIRS {
            return compare(self, a, b);
        }
        let mut each = Vec::new();
        for (when_left, one) in left.iter() {
            for (when_right, other) in right.iter() {
                let when = self.and(*when_left, *when_right);
                if when != Lit::FALSE {
                    let holds = compare(self, one, other);
                    each.push(self.and(when, holds));
                }
            }
        }
        self.any(each)
    }
}
