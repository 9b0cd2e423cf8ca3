//! What is a text, over all inputs at once?
//!
//! A text of the input is an object of the JDK's class, of Latin-1 characters, with an array of its own that nothing else refers to: as many characters as an
//! array may be long. What the JDK's methods do with it is translated like everything else.

use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Program, StringId};
use lazuli_vm::value::{ObjId, Value};

use super::Refusal;
use super::meaning::{Meaning, Target};
use super::translate::Translator;
use super::universe::{Atom, Universe};
use super::way::{Body, Made, Way};

impl Universe {
    /// Gives atoms, which are texts, characters.
    pub(super) fn write_texts(&mut self, circuit: &mut Circuit, program: &Program, texts: std::ops::Range<u32>) {
        let known = program.known();
        for text in texts {
            let characters = self.atoms.len() as u32;
            let number = self.atoms[text as usize].number;
            let (class, counted) = (known.byte_array, known.byte_array);
            self.atoms.push(Atom { class, counted, number, exists: Lit::FALSE });
            self.measure(circuit, characters);
            self.texts.insert(characters);
            for slot in 0..known.string.defaults.len() {
                let held = match slot == known.string_value {
                    true => Meaning::one(Target::Atom(characters)),
                    // How the characters are kept, and what the hash code is, if somebody has asked for it.
                    false => Meaning::Word(circuit.word_constant(32, 0)),
                };
                self.others.insert((text, slot as u32), held);
            }
        }
    }
}

impl Translator<'_> {
    /// The object that a constant is.
    pub fn literal(&mut self, way: &mut Way, id: StringId) -> Meaning {
        if let Some(object) = self.statics.strings.get(id) {
            return Meaning::one(Target::Held(object.index() as u32));
        }
        let known = self.program.known();
        let Some(bytes) =
            self.program.text(id).iter().map(|unit| u8::try_from(*unit).ok()).collect::<Option<Vec<u8>>>()
        else {
            // A text that somebody looks into is refused there.
            return Meaning::one(Target::Other);
        };
        let next = self.next_object;
        let number = *self.literals.entry(id).or_insert(next);
        if number == next {
            self.next_object += 2;
        }
        let characters = number + 1;
        if way.heap.get(number).is_none() {
            let byte = |byte: &u8| Meaning::Word(self.circuit.word_constant(32, *byte as i8 as i64));
            let elements = Body::Elements(bytes.iter().map(byte).collect());
            let defaults =
                known.string.defaults.iter().map(|value| self.meaning_of(*value).unwrap_or(Meaning::Nothing));
            let mut fields: Vec<Meaning> = defaults.collect();
            fields[known.string_value] = Meaning::one(Target::Made(characters));
            way.heap.set(characters, Made { class: known.byte_array, body: elements });
            way.heap.set(number, Made { class: known.string, body: Body::Fields(fields) });
        }
        Meaning::Ref(Rc::new([(Target::Made(number), Lit::TRUE)]))
    }

    /// Refuses to put texts together that may become longer than a text of Java can be.
    ///
    /// Of a text that was put together nothing is kept, so that one bound holds for all of them: of `s += s`, which takes two such texts, it doubles
    /// with each round, and of `s += "x"` it grows by one piece.
    pub fn may_be_joined(&mut self, way: &Way, arguments: &[Meaning]) -> Result<(), Refusal> {
        /// The longest constant of a class file. The text of a number is shorter.
        const LONGEST_PIECE: u64 = u16::MAX as u64;
        // Between any two arguments there may be a constant.
        let mut longest = LONGEST_PIECE * (arguments.len() as u64 + 1);
        for argument in arguments {
            let of_argument = match argument {
                Meaning::Ref(refs) => refs.iter().map(|(target, _)| self.longest_text(way, *target)).max().unwrap_or(0),
                _ => LONGEST_PIECE,
            };
            longest = longest.saturating_add(of_argument);
        }
        if longest > i32::MAX as u64 {
            return Err(self.unsupported("a text that may become too long"));
        }
        self.longest_joined = self.longest_joined.max(longest);
        Ok(())
    }

    /// How many characters a text has at most.
    fn longest_text(&self, way: &Way, text: Target) -> u64 {
        let value = self.program.known().string_value;
        let length = match text {
            Target::Null => Some("null".len()),
            Target::Atom(_) => Some(self.universe.longest as usize),
            Target::Held(object) => match self.statics.heap.field(ObjId::from_index(object as usize), value) {
                Value::Ref(Some(characters)) => self.statics.heap.length(characters),
                _ => None,
            },
            Target::Made(number) => {
                let body = |number: u32| way.heap.get(number).map(|made| &made.body);
                let length_of = |(target, _): &(Target, Lit)| match target {
                    Target::Made(characters) => match body(*characters) {
                        Some(Body::Elements(elements)) => Some(elements.len()),
                        _ => None,
                    },
                    Target::Atom(_) => Some(self.universe.longest as usize),
                    _ => None,
                };
                match body(number) {
                    Some(Body::Fields(fields)) => match fields.get(value) {
                        Some(Meaning::Ref(refs)) => refs
                            .iter()
                            .map(length_of)
                            .collect::<Option<Vec<usize>>>()
                            .map(|all| all.into_iter().max().unwrap_or(0)),
                        _ => None,
                    },
                    _ => None,
                }
            }
            Target::Other => return self.longest_joined,
            Target::Mirror(_) => None,
        };
        length.map_or(u64::MAX, |length| length as u64)
    }

    pub fn is_literal(&self, number: u32) -> bool {
        self.literals.values().any(|literal| *literal == number)
    }
}
