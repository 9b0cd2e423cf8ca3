//! How do Java strings and texts of ours become each other? A string is Latin-1 if it can be, else UTF-16 (JEP 254).

use lazuli_logic::{Binary, Sort, Term};

use super::{Vm, plain_units, unit_of};
use crate::heap::Body;
use crate::outcome::Stop;
use crate::program::{Piece, StringId};
use crate::state::State;
use crate::untold::TextUnit;
use crate::value::{Kind, ObjId, Value};

const LATIN1: i32 = 0;
const UTF16: i32 = 1;

impl Vm {
    /// A new string object of these UTF-16 code units.
    pub fn new_string(&self, state: &mut State, units: &[u16]) -> ObjId {
        let known = self.program.known();
        let is_latin = units.iter().all(|unit| *unit < 256);
        let bytes = if is_latin {
            units.iter().map(|unit| *unit as u8 as i8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
        };
        let value = state.heap.insert(known.byte_array, Body::Bytes(bytes));
        let string = state.heap.allocate(known.string);
        state.heap.set_field(string, known.string_value, value.into());
        state.heap.set_field(string, known.string_coder, Value::Int(if is_latin { LATIN1 } else { UTF16 }));
        string
    }

    /// Allocates a string object of that text.
    pub fn new_text(&self, state: &mut State, text: &str) -> ObjId {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string(state, &units)
    }

    /// A string whose contents depend on what is not known. It may be passed around; looking into it is not supported, unless it is noted what it consists of
    /// (`untold_string`).
    pub fn untold_text(&self, state: &mut State) -> ObjId {
        let known = self.program.known();
        let string = state.heap.allocate(known.string);
        for slot in 0..known.string.defaults.len() {
            state.heap.set_field(string, slot, Value::Unread);
        }
        string
    }

    /// Allocates a `String[]` of references to string objects.
    pub fn new_string_array(&self, state: &mut State, strings: Vec<Value>) -> ObjId {
        let class = self.program.array_class(self.program.known().string);
        state.heap.insert(class, Body::Refs(strings.into()))
    }

    /// The class and the message of a throwable.
    pub fn describe_throwable(&self, state: &State, throwable: ObjId) -> String {
        let class = state.heap.class(throwable).java_name();
        match state.heap.field(throwable, self.program.known().throwable_message) {
            Value::Ref(Some(message)) => format!("{class}: {}", self.text(state, message)),
            _ => class,
        }
    }

    /// The code units of a string object.
    pub fn units(&self, state: &State, string: ObjId) -> Vec<u16> {
        let known = self.program.known();
        let Value::Ref(Some(value)) = state.heap.field(string, known.string_value) else { return Vec::new() };
        let Body::Bytes(bytes) = &state.heap.get(value).body else { return Vec::new() };
        match state.heap.field(string, known.string_coder) {
            Value::Int(LATIN1) => bytes.iter().map(|byte| *byte as u8 as u16).collect(),
            _ => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8])).collect(),
        }
    }

    /// The text of a string object; unpaired surrogates are replaced.
    pub fn text(&self, state: &State, string: ObjId) -> String {
        String::from_utf16_lossy(&self.units(state, string))
    }

    /// The characters of a string object, if each is a byte: they are compared without a copy.
    pub fn latin1<'a>(&self, state: &'a State, string: ObjId) -> Option<&'a [i8]> {
        let known = self.program.known();
        let Value::Ref(Some(value)) = state.heap.field(string, known.string_value) else { return None };
        let Body::Bytes(bytes) = &state.heap.get(value).body else { return None };
        (state.heap.field(string, known.string_coder) == Value::Int(LATIN1)).then_some(bytes)
    }

    /// The object of an interned string.
    pub fn interned(&self, state: &mut State, id: StringId) -> ObjId {
        if let Some(object) = state.strings.get(id) {
            return object;
        }
        let object = self.new_string(state, self.program.text(id));
        state.strings.set(id, object);
        object
    }

    pub(super) fn make_interned(&mut self, state: &mut State, id: StringId) -> Result<(), Stop> {
        self.interned(state, id);
        Ok(())
    }

    /// Joins the operands by a recipe. References are strings already; `float` and `double` were converted by the JDK.
    pub(super) fn concat(&mut self, state: &mut State, recipe: u32) -> Result<(), Stop> {
        self.collect_if_due(state);
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let pieces = &code.recipes[recipe as usize];
        let count = pieces.iter().filter(|piece| matches!(piece, Piece::Argument(_))).count();
        let mut next = count;
        let mut units: Vec<TextUnit> = Vec::new();
        for piece in pieces {
            let kind = match piece {
                Piece::Literal(text) => {
                    units.extend(text.iter().copied().map(TextUnit::Known));
                    continue;
                }
                Piece::Argument(kind) => *kind,
            };
            next -= 1;
            if let Value::Unknown(_) = state.operand(next) {
                self.settle(state, next)?;
            }
            match (kind, state.operand(next)) {
                (Kind::Boolean, Value::Int(value)) => {
                    units.extend(plain_units(if value != 0 { "true" } else { "false" }));
                }
                (Kind::Char, Value::Int(value)) => units.push(TextUnit::Known(value as u16)),
                (_, Value::Int(value)) => units.extend(plain_units(&value.to_string())),
                (_, Value::Long(value)) => units.extend(plain_units(&value.to_string())),
                (_, Value::Ref(Some(string))) => units.extend(self.parts_of_text(state, string)),
                (_, Value::Ref(None)) => units.extend(plain_units("null")),
                (Kind::Boolean, Value::Term(term, _)) => {
                    let zero = self.terms.int(0);
                    let is_false = self.terms.equal(term, zero);
                    units.extend(plain_units(if self.decide(state, is_false)? { "false" } else { "true" }));
                }
                (Kind::Char, Value::Term(term, _)) => units.push(unit_of(self, term)),
                (_, Value::Term(term, Sort::Int | Sort::Long)) => units.push(TextUnit::Number(term)),
                (_, Value::Term(..)) => units.push(TextUnit::Untold),
                _ => return self.malformed(state, "a value that cannot be joined to a string"),
            }
        }
        let is_open = |unit: &TextUnit| matches!(unit, TextUnit::Wide(_) | TextUnit::Number(_) | TextUnit::Untold);
        let string = if units.iter().any(is_open) {
            self.untold_string(state, units)
        } else {
            let mut told = Vec::new();
            for unit in units {
                match unit {
                    TextUnit::Text(string) => match self.letters(state, string)? {
                        Some(letters) => told.extend(letters),
                        None => told.push(TextUnit::Untold),
                    },
                    unit => told.push(unit),
                }
            }
            self.joined(state, &told)
        };
        state.complete(count, Some(string.into()));
        Ok(())
    }

    /// The letters of a string; none if they are not told. Asks for the length of an input, and whether it is Latin-1.
    pub(super) fn letters(&mut self, state: &mut State, string: ObjId) -> Result<Option<Vec<TextUnit>>, Stop> {
        let known = self.program.known();
        let (value_slot, coder_slot) = (known.string_value, known.string_coder);
        if let Some(text) = state.symbols.untold_text(string) {
            return Ok(Some(text.units.to_vec()));
        }
        if state.heap.field(string, value_slot) == Value::Unread {
            self.read_characters(state, string)?;
        }
        let Value::Ref(Some(bytes)) = state.heap.field(string, value_slot) else { return Ok(None) };
        if let Body::Bytes(_) = state.heap.get(bytes).body {
            return Ok(Some(self.units(state, string).into_iter().map(TextUnit::Known).collect()));
        }
        if state.heap.field(string, coder_slot) != Value::Int(LATIN1) {
            return self.wide_letters(state, bytes);
        }
        self.letters_in(state, bytes)
    }

    /// The characters of an array of two bytes for each. None if they are not told. Asks for their number.
    fn wide_letters(&mut self, state: &mut State, bytes: ObjId) -> Result<Option<Vec<TextUnit>>, Stop> {
        let Some(bytes) = self.bytes_in(state, bytes)? else { return Ok(None) };
        let units = bytes.chunks_exact(2).map(|pair| {
            let unit = self.unit_of_bytes(pair[0], pair[1]);
            match self.value_of(unit) {
                Value::Int(unit) => TextUnit::Known(unit as u16),
                _ => TextUnit::Wide(unit),
            }
        });
        Ok(Some(units.collect()))
    }

    /// The characters of an array of bytes, each of which is one. None if they are not told. Asks for their number.
    fn letters_in(&mut self, state: &mut State, bytes: ObjId) -> Result<Option<Vec<TextUnit>>, Stop> {
        let Some(bytes) = self.bytes_in(state, bytes)? else { return Ok(None) };
        let mask = self.terms.int(0xFF);
        let letters = bytes.into_iter().map(|byte| {
            let letter = self.terms.binary(Binary::BitAnd, byte, mask);
            match self.value_of(letter) {
                Value::Int(value) => TextUnit::Known(value as u16),
                _ => TextUnit::Letter(letter),
            }
        });
        Ok(Some(letters.collect()))
    }

    /// The elements of an array of bytes. None if they are not told. Asks for their number.
    fn bytes_in(&mut self, state: &mut State, bytes: ObjId) -> Result<Option<Vec<Term>>, Stop> {
        let Some(length) = self.length_of(state, bytes) else { return Ok(None) };
        let length = self.fix(state, length, i32::MAX)?;
        let byte = |at| {
            let byte = match state.heap.sparse(bytes) {
                Some(sparse) => {
                    sparse.touched.iter().find(|(index, _)| *index == Value::Int(at)).map(|(_, byte)| *byte)
                }
                None => state.heap.element(bytes, at),
            };
            self.term_of(byte?, Sort::Int)
        };
        Ok((0..length).map(byte).collect())
    }

    /// The unit of UTF-16 of which these are the lower and the upper byte.
    pub(super) fn unit_of_bytes(&mut self, lower: Term, upper: Term) -> Term {
        let (mask, eight) = (self.terms.int(0xFF), self.terms.int(8));
        let lower = self.terms.binary(Binary::BitAnd, lower, mask);
        let upper = self.terms.binary(Binary::BitAnd, upper, mask);
        let upper = self.terms.binary(Binary::ShiftLeft, upper, eight);
        self.terms.binary(Binary::BitOr, upper, lower)
    }

    /// The characters of an array of bytes, those of a Latin-1 string that is not all known. None if they are not told, or all known. Asks for their number.
    pub(crate) fn latin_letters(&mut self, state: &mut State, bytes: ObjId) -> Result<Option<Vec<Term>>, Stop> {
        if let Body::Bytes(_) = state.heap.get(bytes).body {
            return Ok(None);
        }
        let Some(letters) = self.letters_in(state, bytes)? else { return Ok(None) };
        let letters = letters.into_iter().map(|letter| match letter {
            TextUnit::Known(unit) => Some(self.terms.int(unit as i32)),
            TextUnit::Letter(letter) => Some(letter),
            _ => None,
        });
        Ok(letters.collect())
    }

    /// A string of Latin-1 characters.
    pub(crate) fn latin_text(&mut self, state: &mut State, letters: &[Term]) -> ObjId {
        let units = letters.iter().map(|letter| match self.value_of(*letter) {
            Value::Int(unit) => TextUnit::Known(unit as u16),
            _ => TextUnit::Letter(*letter),
        });
        let units: Vec<TextUnit> = units.collect();
        self.joined(state, &units)
    }

    /// A string of these letters.
    fn joined(&mut self, state: &mut State, units: &[TextUnit]) -> ObjId {
        let known: Option<Vec<u16>> = units
            .iter()
            .map(|unit| match unit {
                TextUnit::Known(unit) => Some(*unit),
                _ => None,
            })
            .collect();
        if let Some(known) = known {
            return self.new_string(state, &known);
        }
        let is_latin = units.iter().all(|unit| match unit {
            TextUnit::Known(unit) => *unit < 256,
            TextUnit::Letter(_) => true,
            _ => false,
        });
        if !is_latin {
            return self.untold_string(state, units.to_vec());
        }
        let bytes = units.iter().map(|unit| match unit {
            TextUnit::Letter(letter) => {
                let byte = self.terms.unary(lazuli_logic::Unary::SignedByte, *letter);
                self.value_of(byte)
            }
            TextUnit::Known(unit) => Value::Int(*unit as u8 as i8 as i32),
            _ => Value::Int(0),
        });
        let bytes: std::rc::Rc<[Value]> = bytes.collect();
        let known = self.program.known();
        let value = state.heap.insert(known.byte_array, Body::Mixed(bytes));
        let string = state.heap.allocate(known.string);
        state.heap.set_field(string, known.string_value, value.into());
        state.heap.set_field(string, known.string_coder, Value::Int(LATIN1));
        string
    }
}
