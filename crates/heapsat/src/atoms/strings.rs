//! How are strings represented, over all inputs at once?
//!
//! A string of the input is an object of the JDK's class, with an array of its own that nothing else refers to, and as many characters as the bounds
//! allow. They are Latin-1, or any units of UTF-16 where those are tried: then the coder is a variable as well, and says whether one of the characters is
//! not Latin-1, as in a JVM (JEP 254). The JDK's methods on strings are translated like all other code.

use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::{Program, StringId};
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::Refusal;
use crate::atoms::universe::{Atom, Universe, number};
use crate::exec::executor::Executor;
use crate::exec::path::{Allocation, GuardedPath, ObjectBody};
use crate::exec::value::{Pointee, SymValue};

impl Universe {
    /// Gives the atoms of strings their arrays of characters.
    pub(crate) fn add_string_arrays(
        &mut self,
        circuit: &mut Circuit,
        program: &Program,
        strings: std::ops::Range<u32>,
    ) {
        let known = program.known();
        for text in strings {
            let characters = self.atoms.len() as u32;
            let number = self.atoms[text as usize].number;
            let (class, counted) = (known.byte_array, known.byte_array);
            self.atoms.push(Atom { class, counted, number, exists: Lit::FALSE });
            self.string_arrays.insert(characters);
            self.measure(circuit, characters);
            let coder = if self.has_all_units { self.coder(circuit, characters) } else { circuit.word_constant(32, 0) };
            for slot in 0..known.string.defaults.len() {
                let held = match slot {
                    slot if slot == known.string_value => SymValue::one(Pointee::Atom(characters)),
                    slot if slot == known.string_coder => SymValue::Word(coder.clone()),
                    // The hash code is not computed yet.
                    _ => SymValue::Word(circuit.word_constant(32, 0)),
                };
                self.others.insert((text, slot as u32), held);
            }
        }
    }

    /// The coder of a string: 1 if it has two bytes for each character, the lower one first, because one of them is not Latin-1.
    fn coder(&mut self, circuit: &mut Circuit, characters: u32) -> Word {
        let is_wide = circuit.input();
        let length = self.lengths[&characters].clone();
        let longest = circuit.word_constant(32, self.longest as i64);
        let is_short = circuit.less_or_equal(&length, &longest);
        let mut any = Lit::FALSE;
        for at in 0..self.longest {
            let slot = 2 * at + 1;
            let place = circuit.word_constant(32, slot as i64);
            let is_there = circuit.less(&place, &length);
            let Ok(SymValue::Word(upper)) = number(circuit, Kind::Byte, None) else { continue };
            let is_set = circuit.any(upper.iter().copied());
            let both = circuit.and(is_there, is_set);
            any = circuit.or(any, both);
            self.others.insert((characters, slot), SymValue::Word(upper));
        }
        let is_even = !length[0];
        let is_told = circuit.and(is_even, any);
        self.axioms.push(circuit.implies(is_wide, is_told));
        self.axioms.push(circuit.implies(!is_wide, is_short));
        (0..32).map(|bit| if bit == 0 { is_wide } else { Lit::FALSE }).collect()
    }
}

impl Executor<'_> {
    /// The object of a string constant.
    pub(crate) fn literal(&mut self, path: &mut GuardedPath, id: StringId) -> SymValue {
        if let Some(object) = self.statics.strings.get(id) {
            return SymValue::one(Pointee::Concrete(object.index() as u32));
        }
        let known = self.program.known();
        let units = self.program.text(id);
        let is_latin = units.iter().all(|unit| *unit < 256);
        let bytes: Vec<u8> = match is_latin {
            true => units.iter().map(|unit| *unit as u8).collect(),
            false => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        };
        let number = self.allocations.literal(id);
        let characters = number + 1;
        if path.heap.get(number).is_none() {
            let byte = |byte: &u8| SymValue::Word(self.circuit.word_constant(32, *byte as i8 as i64));
            let elements = ObjectBody::Elements(bytes.iter().map(byte).collect());
            let defaults =
                known.string.defaults.iter().map(|value| self.value_of(*value).unwrap_or(SymValue::Undefined));
            let mut fields: Vec<SymValue> = defaults.collect();
            fields[known.string_value] = SymValue::one(Pointee::Allocated(characters));
            fields[known.string_coder] = SymValue::Word(self.circuit.word_constant(32, !is_latin as i64));
            path.heap.set(characters, Allocation { class: known.byte_array, body: elements });
            path.heap.set(number, Allocation { class: known.string, body: ObjectBody::Fields(fields) });
        }
        SymValue::Ref(Rc::new([(Pointee::Allocated(number), Lit::TRUE)]))
    }

    /// Refuses to put texts together that may become longer than a text of Java can be.
    ///
    /// Of a text that was put together nothing is kept, so that one bound holds for all of them: of `s += s`, which takes two such texts, it doubles
    /// with each round, and of `s += "x"` it grows by one piece.
    pub(crate) fn may_be_joined(&mut self, path: &GuardedPath, arguments: &[SymValue]) -> Result<(), Refusal> {
        /// The longest constant of a class file. The text of a number is shorter.
        const LONGEST_PIECE: u64 = u16::MAX as u64;
        // Between any two arguments there may be a constant.
        let mut longest = LONGEST_PIECE * (arguments.len() as u64 + 1);
        for argument in arguments {
            let of_argument = match argument {
                SymValue::Ref(refs) => {
                    refs.iter().map(|(target, _)| self.longest_text(path, *target)).max().unwrap_or(0)
                }
                _ => LONGEST_PIECE,
            };
            longest = longest.saturating_add(of_argument);
        }
        if longest > i32::MAX as u64 {
            return Err(self.unsupported("a text that may become too long"));
        }
        self.allocations.longest_concatenation = self.allocations.longest_concatenation.max(longest);
        Ok(())
    }

    /// How many characters a text has at most.
    fn longest_text(&self, path: &GuardedPath, text: Pointee) -> u64 {
        let value = self.program.known().string_value;
        let length = match text {
            Pointee::Null => Some("null".len()),
            Pointee::Atom(_) => Some(self.universe.longest as usize),
            Pointee::Concrete(object) => match self.statics.heap.field(ObjId::from_index(object as usize), value) {
                Value::Ref(Some(characters)) => self.statics.heap.length(characters),
                _ => None,
            },
            Pointee::Allocated(number) => {
                let body = |number: u32| path.heap.get(number).map(|made| &made.body);
                let length_of = |(target, _): &(Pointee, Lit)| match target {
                    Pointee::Allocated(characters) => match body(*characters) {
                        Some(ObjectBody::Elements(elements)) => Some(elements.len()),
                        _ => None,
                    },
                    Pointee::Atom(_) => Some(self.universe.longest as usize),
                    _ => None,
                };
                match body(number) {
                    Some(ObjectBody::Fields(fields)) => match fields.get(value) {
                        Some(SymValue::Ref(refs)) => refs
                            .iter()
                            .map(length_of)
                            .collect::<Option<Vec<usize>>>()
                            .map(|all| all.into_iter().max().unwrap_or(0)),
                        _ => None,
                    },
                    _ => None,
                }
            }
            Pointee::Unknown => return self.allocations.longest_concatenation,
            Pointee::Mirror(_) => None,
        };
        length.map_or(u64::MAX, |length| length as u64)
    }
}
