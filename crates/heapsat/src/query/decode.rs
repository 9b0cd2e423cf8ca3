//! Which input is it that the solver found?

use std::collections::BTreeMap;

use lazuli_logic::circuit::{Circuit, Decider, Lit, Word};
use lazuli_vm::program::Class;

use crate::atoms::universe::Universe;
use crate::exec::value::{Pointee, PointsTo, SymValue};

/// An input as data.
pub struct DecodedInput {
    /// The objects that can be reached, in the order in which they were met.
    pub objects: Vec<DecodedObject>,
    /// The receiver and the parameters.
    pub roots: Vec<DecodedValue>,
    /// Static fields that matter, by class and slot.
    pub statics: Vec<((u32, u32), DecodedValue)>,
}

/// An object of a decoded input.
pub struct DecodedObject {
    /// Its class, or several of which it may be one.
    pub class: &'static Class,
    /// The declared type under which it counts against the scope.
    pub counted: &'static Class,
    /// The values of its fields, by slot, as far as they matter; or its elements, by index.
    pub fields: Vec<(u32, DecodedValue)>,
    /// Of an array.
    pub length: Option<u32>,
    /// Is it the array of a string, which does not count as an object?
    pub is_text: bool,
}

/// A value of a decoded input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DecodedValue {
    /// Null.
    Null,
    /// An object, by its place.
    Object(usize),
    /// A number.
    Number(i64),
    /// An object of a static field, by its number in the heap.
    Concrete(u32),
    /// Something of which nothing is known.
    Something,
}

/// Reads values from the last model.
pub(crate) struct ModelReader<'a> {
    pub(crate) circuit: &'a Circuit,
    pub(crate) decider: &'a mut Decider,
    pub(crate) universe: &'a Universe,
}

impl ModelReader<'_> {
    /// Decodes the input that the model describes.
    pub(crate) fn input(mut self, given: &[SymValue]) -> DecodedInput {
        let mut met: Vec<u32> = Vec::new();
        let mut places: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (atom, slot) in self.universe.places.keys().chain(self.universe.others.keys()) {
            places.entry(*atom).or_default().push(*slot);
        }
        let statics = self.universe.statics.clone();
        let is_input = |given: &&SymValue| !matches!(given, SymValue::Ref(refs) if is_made(refs));
        let roots = given.iter().filter(is_input).map(|given| self.decoded(given, &mut met)).collect();
        let statics = statics.iter().map(|(place, held)| (*place, self.decoded(held, &mut met))).collect();
        let mut objects = Vec::new();
        while let Some(atom) = met.get(objects.len()).copied() {
            let class = self.class_of(atom);
            let length = self.universe.lengths.get(&atom).map(|length| self.number(length) as u32);
            let mut fields = Vec::new();
            for slot in places.get(&atom).into_iter().flatten() {
                let (of, field) = self.universe.field_at(*slot);
                let is_there =
                    of.is_none_or(|of| class.is_subtype_of(of)) && length.is_none_or(|length| field < length);
                if let Some(value) = self.universe.at_entry((atom, *slot)).filter(|_| is_there) {
                    fields.push((field, self.decoded(&value, &mut met)));
                }
            }
            fields.sort_by_key(|(slot, _)| *slot);
            let counted = self.universe.atoms[atom as usize].counted;
            objects.push(DecodedObject {
                class,
                counted,
                fields,
                length,
                is_text: self.universe.string_arrays.contains(&atom),
            });
        }
        DecodedInput { objects, roots, statics }
    }

    fn class_of(&mut self, atom: u32) -> &'static Class {
        let parts = self.universe.parts(atom);
        let chosen = parts.iter().find(|(_, when)| self.is_true(*when));
        chosen.map_or(self.universe.atoms[atom as usize].class, |(class, _)| class)
    }

    fn decoded(&mut self, value: &SymValue, met: &mut Vec<u32>) -> DecodedValue {
        match value {
            SymValue::Word(word) => DecodedValue::Number(self.number(word)),
            SymValue::Ref(refs) => match self.chosen(refs) {
                Some(Pointee::Atom(atom)) => {
                    let at = met.iter().position(|known| *known == atom).unwrap_or_else(|| {
                        met.push(atom);
                        met.len() - 1
                    });
                    DecodedValue::Object(at)
                }
                Some(Pointee::Concrete(object)) => DecodedValue::Concrete(object),
                Some(Pointee::Null) | None => DecodedValue::Null,
                Some(_) => DecodedValue::Something,
            },
            SymValue::Undefined => DecodedValue::Something,
        }
    }

    /// The pointee of a reference in the model.
    pub(crate) fn chosen(&mut self, refs: &PointsTo) -> Option<Pointee> {
        refs.iter().find(|(_, when)| self.is_true(*when)).map(|(target, _)| *target)
    }

    pub(crate) fn is_true(&mut self, literal: Lit) -> bool {
        self.decider.value(self.circuit, literal)
    }

    pub(crate) fn number(&mut self, word: &Word) -> i64 {
        let bits = word.iter().enumerate().map(|(at, bit)| (self.is_true(*bit) as u64) << at).sum::<u64>();
        let unused = 64 - word.len() as u32;
        (bits << unused) as i64 >> unused
    }
}

fn is_made(refs: &PointsTo) -> bool {
    refs.iter().all(|(target, _)| matches!(target, Pointee::Allocated(_)))
}
