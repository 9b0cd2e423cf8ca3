//! Which input is it that the solver found?

use std::collections::BTreeMap;

use lazuli_logic::circuit::{Circuit, Decider, Lit, Word};

use super::meaning::{Meaning, Refs, Target};
use super::universe::Universe;
use crate::program::Class;

/// An input as data.
pub struct Decoded {
    /// The objects that can be reached, in the order in which they were met.
    pub objects: Vec<Object>,
    /// The receiver and the parameters.
    pub roots: Vec<Datum>,
    /// Static fields that matter, by class and slot.
    pub statics: Vec<((u32, u32), i64)>,
}

pub struct Object {
    /// Its class, or several of which it may be one.
    pub class: &'static Class,
    /// The declared type under which it counts against the scope.
    pub counted: &'static Class,
    /// What its fields hold, by slot, as far as it matters.
    pub fields: Vec<(u32, Datum)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum {
    Null,
    /// By its place.
    Object(usize),
    Number(i64),
    /// Something of which nothing is known.
    Something,
}

/// A model that is read.
pub struct Reading<'a> {
    pub circuit: &'a Circuit,
    pub decider: &'a mut Decider,
    pub universe: &'a Universe,
}

impl Reading<'_> {
    pub fn input(mut self, given: &[Meaning]) -> Decoded {
        let mut met: Vec<u32> = Vec::new();
        let mut places: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (atom, slot) in self.universe.places.keys().chain(self.universe.others.keys()) {
            places.entry(*atom).or_default().push(*slot);
        }
        let is_input = |given: &&Meaning| !matches!(given, Meaning::Ref(refs) if is_made(refs));
        let roots = given.iter().filter(is_input).map(|given| self.datum(given, &mut met)).collect();
        let mut objects = Vec::new();
        while let Some(atom) = met.get(objects.len()).copied() {
            let mut fields = Vec::new();
            for slot in places.get(&atom).into_iter().flatten() {
                if let Some(meaning) = self.universe.at_entry((atom, *slot)) {
                    fields.push((*slot, self.datum(&meaning, &mut met)));
                }
            }
            fields.sort_by_key(|(slot, _)| *slot);
            let known = &self.universe.atoms[atom as usize];
            objects.push(Object { class: known.class, counted: known.counted, fields });
        }
        let statics = self.universe.statics.clone();
        let statics = statics.iter().filter_map(|(place, held)| match held {
            Meaning::Word(word) => Some((*place, self.number(word))),
            _ => None,
        });
        Decoded { objects, roots, statics: statics.collect() }
    }

    fn datum(&mut self, meaning: &Meaning, met: &mut Vec<u32>) -> Datum {
        match meaning {
            Meaning::Word(word) => Datum::Number(self.number(word)),
            Meaning::Ref(refs) => match self.chosen(refs) {
                Some(Target::Atom(atom)) => {
                    let at = met.iter().position(|known| *known == atom).unwrap_or_else(|| {
                        met.push(atom);
                        met.len() - 1
                    });
                    Datum::Object(at)
                }
                Some(Target::Null) | None => Datum::Null,
                Some(_) => Datum::Something,
            },
            Meaning::Nothing => Datum::Something,
        }
    }

    /// What a reference is.
    pub fn chosen(&mut self, refs: &Refs) -> Option<Target> {
        refs.iter().find(|(_, when)| self.is_true(*when)).map(|(target, _)| *target)
    }

    pub fn is_true(&mut self, literal: Lit) -> bool {
        self.decider.value(self.circuit, literal)
    }

    pub fn number(&mut self, word: &Word) -> i64 {
        let bits = word.iter().enumerate().map(|(at, bit)| (self.is_true(*bit) as u64) << at).sum::<u64>();
        let unused = 64 - word.len() as u32;
        (bits << unused) as i64 >> unused
    }
}

fn is_made(refs: &Refs) -> bool {
    refs.iter().all(|(target, _)| matches!(target, Target::Made(_)))
}
