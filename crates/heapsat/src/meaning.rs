//! What can a variable hold, over all heaps and all ways at once?
//!
//! A number is a word of literals. A reference is a list of what it may be, each with the literal that says when. The literals of
//! one reference exclude each other wherever the reference means anything.

use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::value::Kind;

/// What a reference may denote.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    Null,
    /// An object of the input, by its number.
    Atom(u32),
    /// An object that the code made, by its number.
    Made(u32),
    /// An object that is there before the method, known in full: what a static field holds, by its number in the heap.
    Held(u32),
    /// The object that stands for a class, by the number of the class.
    Mirror(u32),
    /// An object of which nothing is known but that it is there.
    Other,
}

/// What a reference may denote, sorted, and when.
pub type Refs = Rc<[(Target, Lit)]>;

/// The value of a variable as a function of the input.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    /// Nothing was stored, or different kinds of things were.
    Nothing,
    /// An `int` of 32 bits, or a `long` of 64.
    Word(Word),
    Ref(Refs),
}

impl Meaning {
    pub fn null() -> Meaning {
        Meaning::Ref(Rc::new([(Target::Null, Lit::TRUE)]))
    }

    pub fn one(target: Target) -> Meaning {
        Meaning::Ref(Rc::new([(target, Lit::TRUE)]))
    }

    /// A truth value as an `int`.
    pub fn truth(truth: Lit) -> Meaning {
        let bits: Vec<Lit> = std::iter::once(truth).chain(std::iter::repeat_n(Lit::FALSE, 31)).collect();
        Meaning::Word(bits.into())
    }

    /// The value as a variable of that kind keeps it.
    pub fn kept_as(self, kind: Kind) -> Meaning {
        let Meaning::Word(word) = &self else { return self };
        let (bits, is_signed) = match kind {
            Kind::Boolean => (1, false),
            Kind::Byte => (8, true),
            Kind::Short => (16, true),
            Kind::Char => (16, false),
            _ => return self,
        };
        Meaning::Word(resized(&word[..bits], 32, is_signed))
    }

    /// Does the value take two slots (JVMS §2.11.1)?
    pub fn is_wide(&self) -> bool {
        matches!(self, Meaning::Word(word) if word.len() == 64)
    }
}

/// A word of another width.
pub fn resized(bits: &[Lit], width: usize, is_signed: bool) -> Word {
    let fill = if is_signed { bits.last().copied().unwrap_or(Lit::FALSE) } else { Lit::FALSE };
    let mut bits = bits.to_vec();
    bits.resize(width, fill);
    bits.into()
}

/// The one value if the condition holds, the other if not.
pub fn choose(circuit: &mut Circuit, condition: Lit, one: &Meaning, other: &Meaning) -> Meaning {
    match (one, other) {
        // What was read in one place is not known to have been read in the other: see `Translator::remember`.
        (Meaning::Ref(one), Meaning::Ref(other)) if one == other && !Rc::ptr_eq(one, other) => {
            Meaning::Ref(one.iter().copied().collect())
        }
        // Nor is one chosen as the other was.
        (Meaning::Word(one), Meaning::Word(other)) if one == other && !Rc::ptr_eq(one, other) => {
            Meaning::Word(one.iter().copied().collect())
        }
        _ if one == other => one.clone(),
        (Meaning::Word(one), Meaning::Word(other)) if one.len() == other.len() => {
            let word = circuit.word_if(condition, one, other);
            circuit.note_choice(&word, &[(condition, one.clone()), (!condition, other.clone())]);
            Meaning::Word(word)
        }
        (Meaning::Ref(one), Meaning::Ref(other)) => Meaning::Ref(choose_ref(circuit, condition, one, other)),
        _ => Meaning::Nothing,
    }
}

pub fn choose_ref(circuit: &mut Circuit, condition: Lit, one: &Refs, other: &Refs) -> Refs {
    let mut all = Vec::with_capacity(one.len() + other.len());
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let target = match (left.peek(), right.peek()) {
            (Some((a, _)), Some((b, _))) => *a.min(b),
            (Some((a, _)), None) => *a,
            (None, Some((b, _))) => *b,
            (None, None) => break,
        };
        let if_so = left.next_if(|(known, _)| *known == target).map_or(Lit::FALSE, |(_, when)| *when);
        let if_not = right.next_if(|(known, _)| *known == target).map_or(Lit::FALSE, |(_, when)| *when);
        let when = circuit.if_else(condition, if_so, if_not);
        if when != Lit::FALSE {
            all.push((target, when));
        }
    }
    all.into()
}

/// When is a reference this?
pub fn is(refs: &Refs, target: Target) -> Lit {
    refs.iter().find(|(known, _)| *known == target).map_or(Lit::FALSE, |(_, when)| *when)
}

/// When do two references denote the same?
pub fn same(circuit: &mut Circuit, one: &Refs, other: &Refs) -> Lit {
    let both: Vec<Lit> = one
        .iter()
        .map(|(target, when)| {
            let too = is(other, *target);
            circuit.and(*when, too)
        })
        .collect();
    circuit.any(both)
}

/// Collects what a reference may be from parts that exclude each other.
#[derive(Default)]
pub struct Collected(Vec<(Target, Vec<Lit>)>);

impl Collected {
    pub fn add(&mut self, target: Target, when: Lit) {
        if when == Lit::FALSE {
            return;
        }
        match self.0.binary_search_by_key(&target, |(known, _)| *known) {
            Ok(at) => self.0[at].1.push(when),
            Err(at) => self.0.insert(at, (target, vec![when])),
        }
    }

    pub fn refs(self, circuit: &mut Circuit) -> Refs {
        self.0.into_iter().map(|(target, when)| (target, circuit.any(when))).collect()
    }
}

/// The one of these values whose literal is true; the literals exclude each other. None if the values are of different kinds.
pub fn any_of(circuit: &mut Circuit, parts: &[(Lit, Meaning)]) -> Option<Meaning> {
    match parts {
        [(_, only)] => Some(only.clone()),
        [(_, Meaning::Word(_)), ..] => {
            let words = parts.iter().map(|(when, part)| match part {
                Meaning::Word(word) => Some((*when, word.clone())),
                _ => None,
            });
            let words: Vec<(Lit, Word)> = words.collect::<Option<_>>()?;
            Some(Meaning::Word(circuit.word_any(&words)))
        }
        [(_, Meaning::Ref(_)), ..] => {
            let mut found = Collected::default();
            for (when, part) in parts {
                let Meaning::Ref(refs) = part else { return None };
                for (target, inner) in refs.iter() {
                    found.add(*target, circuit.and(*when, *inner));
                }
            }
            Some(Meaning::Ref(found.refs(circuit)))
        }
        _ => None,
    }
}
