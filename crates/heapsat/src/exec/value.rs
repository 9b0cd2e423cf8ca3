//! Which values can a variable have, over all heaps and all paths at once?
//!
//! A number is a word of literals. A reference is a guarded points-to set: its pointees, each with the literal under which the reference denotes it.
//! Invariant: the literals of one reference exclude each other wherever the reference means anything.

use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::value::Kind;

/// An object to which a reference may point, or null.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Pointee {
    Null,
    /// An object of the input, by its number.
    Atom(u32),
    /// An object that the code allocated, by its number.
    Allocated(u32),
    /// An object that exists before the method, and is known in full: the value of a static field, by its number in the heap.
    Concrete(u32),
    /// The mirror of a class, by the number of the class.
    Mirror(u32),
    /// An object of which nothing is known but that it is there.
    Unknown,
}

/// A guarded points-to set: the pointees of a reference, sorted, each with its guard.
pub(crate) type PointsTo = Rc<[(Pointee, Lit)]>;

/// The value of a variable as a function of the input.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SymValue {
    /// No value was stored, or values of different kinds were.
    Undefined,
    /// An `int` of 32 bits, or a `long` of 64.
    Word(Word),
    Ref(PointsTo),
}

impl SymValue {
    pub(crate) fn null() -> SymValue {
        SymValue::Ref(Rc::new([(Pointee::Null, Lit::TRUE)]))
    }

    pub(crate) fn one(target: Pointee) -> SymValue {
        SymValue::Ref(Rc::new([(target, Lit::TRUE)]))
    }

    /// A truth value as an `int`.
    pub(crate) fn truth(truth: Lit) -> SymValue {
        let bits: Vec<Lit> = std::iter::once(truth).chain(std::iter::repeat_n(Lit::FALSE, 31)).collect();
        SymValue::Word(bits.into())
    }

    /// The value as a variable of that kind stores it.
    pub(crate) fn stored_as(self, kind: Kind) -> SymValue {
        let SymValue::Word(word) = &self else { return self };
        let (bits, is_signed) = match kind {
            Kind::Boolean => (1, false),
            Kind::Byte => (8, true),
            Kind::Short => (16, true),
            Kind::Char => (16, false),
            _ => return self,
        };
        SymValue::Word(resized(&word[..bits], 32, is_signed))
    }

    /// Does the value take two slots (JVMS §2.11.1)?
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self, SymValue::Word(word) if word.len() == 64)
    }
}

/// A word of another width.
pub(crate) fn resized(bits: &[Lit], width: usize, is_signed: bool) -> Word {
    let fill = if is_signed { bits.last().copied().unwrap_or(Lit::FALSE) } else { Lit::FALSE };
    let mut bits = bits.to_vec();
    bits.resize(width, fill);
    bits.into()
}

/// If-then-else: the one value if the condition holds, the other if not.
pub(crate) fn ite(circuit: &mut Circuit, condition: Lit, one: &SymValue, other: &SymValue) -> SymValue {
    match (one, other) {
        // Equal sets stay different pointers: a refinement on one path replaces a reference by its pointer (`GuardedPath::replace`).
        (SymValue::Ref(one), SymValue::Ref(other)) if one == other && !Rc::ptr_eq(one, other) => {
            SymValue::Ref(one.iter().copied().collect())
        }
        // Likewise for words: `note_choice` knows them by pointer.
        (SymValue::Word(one), SymValue::Word(other)) if one == other && !Rc::ptr_eq(one, other) => {
            SymValue::Word(one.iter().copied().collect())
        }
        _ if one == other => one.clone(),
        (SymValue::Word(one), SymValue::Word(other)) if one.len() == other.len() => {
            let word = circuit.word_if(condition, one, other);
            circuit.note_choice(&word, &[(condition, one.clone()), (!condition, other.clone())]);
            SymValue::Word(word)
        }
        (SymValue::Ref(one), SymValue::Ref(other)) => SymValue::Ref(ite_ref(circuit, condition, one, other)),
        _ => SymValue::Undefined,
    }
}

pub(crate) fn ite_ref(circuit: &mut Circuit, condition: Lit, one: &PointsTo, other: &PointsTo) -> PointsTo {
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

/// The guard under which a reference denotes a pointee.
pub(crate) fn guard_of(refs: &PointsTo, target: Pointee) -> Lit {
    refs.iter().find(|(known, _)| *known == target).map_or(Lit::FALSE, |(_, when)| *when)
}

/// The literal under which two references denote the same object.
pub(crate) fn same(circuit: &mut Circuit, one: &PointsTo, other: &PointsTo) -> Lit {
    let both: Vec<Lit> = one
        .iter()
        .map(|(target, when)| {
            let too = guard_of(other, *target);
            circuit.and(*when, too)
        })
        .collect();
    circuit.any(both)
}

/// Builds a points-to set from parts that exclude each other.
#[derive(Default)]
pub(crate) struct GuardedUnion(Vec<(Pointee, Vec<Lit>)>);

impl GuardedUnion {
    pub(crate) fn add(&mut self, target: Pointee, when: Lit) {
        if when == Lit::FALSE {
            return;
        }
        match self.0.binary_search_by_key(&target, |(known, _)| *known) {
            Ok(at) => self.0[at].1.push(when),
            Err(at) => self.0.insert(at, (target, vec![when])),
        }
    }

    pub(crate) fn refs(self, circuit: &mut Circuit) -> PointsTo {
        self.0.into_iter().map(|(target, when)| (target, circuit.any(when))).collect()
    }
}

/// The one of these values whose literal is true; the literals exclude each other. None if the values are of different kinds.
pub(crate) fn any_of(circuit: &mut Circuit, parts: &[(Lit, SymValue)]) -> Option<SymValue> {
    match parts {
        [(_, only)] => Some(only.clone()),
        [(_, SymValue::Word(_)), ..] => {
            let words = parts.iter().map(|(when, part)| match part {
                SymValue::Word(word) => Some((*when, word.clone())),
                _ => None,
            });
            let words: Vec<(Lit, Word)> = words.collect::<Option<_>>()?;
            Some(SymValue::Word(circuit.word_any(&words)))
        }
        [(_, SymValue::Ref(_)), ..] => {
            let mut found = GuardedUnion::default();
            for (when, part) in parts {
                let SymValue::Ref(refs) = part else { return None };
                for (target, inner) in refs.iter() {
                    found.add(*target, circuit.and(*when, *inner));
                }
            }
            Some(SymValue::Ref(found.refs(circuit)))
        }
        _ => None,
    }
}
