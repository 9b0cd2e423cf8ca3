//! Which input is it that the solver found?

use std::collections::BTreeMap;

use lazuli_logic::circuit::{Circuit, Decider, Lit, Word};
use lazuli_vm::program::Class;

use super::meaning::{Meaning, Refs, Target};
use super::universe::Universe;

/// An input as data.
pub struct Decoded {
    /// The objects that can be reached, in the order in which they were met.
    pub objects: Vec<Object>,
    /// The receiver and the parameters.
    pub roots: Vec<Datum>,
    /// Static fields that matter, by class and slot.
    pub statics: Vec<((u32, u32), Datum)>,
}

pub struct Object {
    /// Its class, or several of which it may be one.
    pub class: &'static Class,
    /// The declared type under which it counts against the scope.
    pub counted: &'static Class,
    /// What its fields hold, by slot, as far as it matters; or its elements, by index.
    pub fields: Vec<(u32, Datum)>,
    /// Of an array.
    pub length: Option<u32>,
    /// Is it the characters of a text, which are not counted as an object?
    pub is_text: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum {
    Null,
    /// By its place.
    Object(usize),
    Number(i64),
    /// What a static field holds, by its number in the heap.
    Held(u32),
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
        let statics = self.universe.statics.clone();
        let is_input = |given: &&Meaning| !matches!(given, Meaning::Ref(refs) if is_made(refs));
        let roots = given.iter().filter(is_input).map(|given| self.datum(given, &mut met)).collect();
        let statics = statics.iter().map(|(place, held)| (*place, self.datum(held, &mut met))).collect();
        let mut objects = Vec::new();
        while let Some(atom) = met.get(objects.len()).copied() {
            let class = self.class_of(atom);
            let length = self.universe.lengths.get(&atom).map(|length| self.number(length) as u32);
            let mut fields = Vec::new();
            for slot in places.get(&atom).into_iter().flatten() {
                let (of, field) = self.universe.field_at(*slot);
                let is_there =
                    of.is_none_or(|of| class.is_subtype_of(of)) && length.is_none_or(|length| field < length);
                if let Some(meaning) = self.universe.at_entry((atom, *slot)).filter(|_| is_there) {
                    fields.push((field, self.datum(&meaning, &mut met)));
                }
            }
            fields.sort_by_key(|(slot, _)| *slot);
            let counted = self.universe.atoms[atom as usize].counted;
            objects.push(Object { class, counted, fields, length, is_text: self.universe.texts.contains(&atom) });
        }
        Decoded { objects, roots, statics }
    }

    fn class_of(&mut self, atom: u32) -> &'static Class {
        let parts = self.universe.parts(atom);
        let chosen = parts.iter().find(|(_, when)| self.is_true(*when));
        chosen.map_or(self.universe.atoms[atom as usize].class, |(class, _)| class)
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
                Some(Target::Held(object)) => Datum::Held(object),
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
