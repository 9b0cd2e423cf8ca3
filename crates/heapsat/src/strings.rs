//! What is a text, over all inputs at once?
//!
//! A text of the input is an object of the JDK's class, of Latin-1 characters, with an array of its own that nothing else refers to: as many characters as an
//! array may be long. What the JDK's methods do with it is translated like everything else.

use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Program, StringId};

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

    /// Refuses to put together what runs code of the user on the way, or may become longer than a text of Java can be.
    ///
    /// Of a text that was put together nothing is kept, so that one bound holds for all of them: of `s += s`, which takes two such texts, it doubles
    /// with each round, and of `s += "x"` it grows by one piece.
    pub fn may_be_joined(&mut self, way: &Way, arguments: &[Meaning]) -> Result<(), Refusal> {
        /// The longest constant of a class file, and longer than the text of any number.
        const LONGEST_PIECE: u64 = u16::MAX as u64;
        for argument in arguments {
            if self.may_run(way, argument, &["toString"])? || self.has_long_text(way, argument)? {
                return Err(self.unsupported("a text that takes more than texts, numbers and plain objects"));
            }
        }
        let is_joined = |argument: &&Meaning| match argument {
            Meaning::Ref(refs) => refs.iter().any(|(target, _)| *target == Target::Other),
            _ => false,
        };
        let joined = arguments.iter().filter(is_joined).count() as u64;
        let piece = LONGEST_PIECE.max(self.universe.longest as u64);
        // Between any two arguments there may be a piece of the recipe.
        let pieces = piece * (2 * arguments.len() as u64 + 1);
        let longest = self.longest_text.saturating_mul(joined).saturating_add(pieces);
        if longest > i32::MAX as u64 {
            return Err(self.unsupported("a text that may become too long"));
        }
        self.longest_text = self.longest_text.max(longest);
        Ok(())
    }

    /// May the text of what the reference denotes consist of other texts? Those of collections do, say.
    fn has_long_text(&self, way: &Way, value: &Meaning) -> Result<bool, Refusal> {
        let Meaning::Ref(refs) = value else { return Ok(false) };
        let known = self.program.known();
        let is_short = |class: &'static Class| {
            let of = class.chain().find(|class| class.own_method("toString", "()Ljava/lang/String;").is_some());
            let is_plain = of.is_none_or(|of| of.id == known.object.id || of.name == "java/lang/Enum");
            class.is_array() || class.is_box || class.id == known.string.id || is_plain
        };
        for (target, _) in refs.iter() {
            if matches!(target, Target::Atom(_) | Target::Made(_) | Target::Held(_)) {
                let class = self.class_of(way, *target)?;
                let is_short = match class.possible() {
                    Some(possible) => possible.known.iter().all(|known| is_short(known)),
                    None => is_short(class),
                };
                if !is_short {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    pub fn is_literal(&self, number: u32) -> bool {
        self.literals.values().any(|literal| *literal == number)
    }
}
