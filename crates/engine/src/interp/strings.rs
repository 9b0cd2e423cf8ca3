//! How do Java strings and texts of ours become each other? A string is Latin-1 if it can be, else UTF-16 (JEP 254).

use super::Vm;
use crate::heap::Body;
use crate::outcome::Stop;
use crate::program::{Piece, StringId};
use crate::state::State;
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

    pub fn new_text(&self, state: &mut State, text: &str) -> ObjId {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string(state, &units)
    }

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
        let mut units: Vec<u16> = Vec::new();
        for piece in pieces {
            let kind = match piece {
                Piece::Literal(text) => {
                    units.extend_from_slice(text);
                    continue;
                }
                Piece::Argument(kind) => *kind,
            };
            next -= 1;
            match (kind, state.operand(next)) {
                (Kind::Boolean, Value::Int(value)) => {
                    units.extend(if value != 0 { "true" } else { "false" }.encode_utf16())
                }
                (Kind::Char, Value::Int(value)) => units.push(value as u16),
                (_, Value::Int(value)) => units.extend(value.to_string().encode_utf16()),
                (_, Value::Long(value)) => units.extend(value.to_string().encode_utf16()),
                (_, Value::Ref(Some(string))) => units.extend(self.units(state, string)),
                (_, Value::Ref(None)) => units.extend("null".encode_utf16()),
                _ => return self.malformed(state, "a value that cannot be joined to a string"),
            }
        }
        let string = self.new_string(state, &units);
        state.complete(count, Some(string.into()));
        Ok(())
    }
}
