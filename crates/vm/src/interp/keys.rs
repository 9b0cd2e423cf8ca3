//! When are two keys of a hash table equal, and which hash code has a key, said in terms?
//!
//! For null, boxes, strings, records with the methods that they get for free, and objects that are equal only to themselves, both can be said
//! without running code. All other keys have an `equals` and a `hashCode` of their own, which must run.

use lazuli_logic::{Binary, Sort, Term, Unary};

use super::{LatinTable, Vm};
use crate::heap::Body;
use crate::outcome::{Question, Stop};
use crate::program::{Class, Method, Op};
use crate::state::State;
use crate::value::{Kind, ObjId, Value};

/// Longer strings are compared by their own code.
const LONGEST: i64 = 4096;

/// How `equals` and `hashCode` of a key can be said.
#[derive(Clone, Copy)]
enum KeyKind {
    /// By the primitive in a box.
    Box(Kind),
    /// By the characters of a string.
    Text,
    /// By the components of a record.
    Record(&'static Class),
    /// It is equal to itself only.
    Itself,
    /// By code alone.
    Coded,
}

/// A string as far as it is known.
struct StringLetters {
    /// 0 for Latin-1, 1 for UTF-16.
    coder: Value,
    /// The number of bytes.
    length: Term,
    /// The bytes, as many as there may be.
    bytes: Vec<Term>,
}

impl Vm {
    /// The condition under which `key.equals(other)`, or both are null. None if only code can tell.
    pub(crate) fn equal_keys(&mut self, state: &mut State, key: Value, other: Value) -> Result<Option<Term>, Stop> {
        let (key, other) = (self.decided(state, key)?, self.decided(state, other)?);
        let (Some(key), Some(other)) = (key, other) else {
            return Ok(Some(self.terms.truth(key == other)));
        };
        let kind = self.key_of(state, key)?;
        if matches!(kind, KeyKind::Coded) {
            return Ok(None);
        }
        if key == other {
            return Ok(Some(self.terms.truth(true)));
        }
        match kind {
            KeyKind::Itself => {
                let is_same = self.is_same(state, key.into(), other.into())?;
                Ok(Some(self.terms.truth(is_same)))
            }
            // The classes of the others are final.
            _ if !self.has_type(state, other, state.heap.class(key))? => Ok(Some(self.terms.truth(false))),
            KeyKind::Box(kind) => {
                let (one, two) = (self.value_of_box(state, key)?, self.value_of_box(state, other)?);
                Ok(one.zip(two).and_then(|(one, two)| self.equal_numbers(kind, one, two)))
            }
            KeyKind::Text => Ok(self.equal_texts(state, key, other)),
            KeyKind::Record(class) => {
                let mut all = self.terms.truth(true);
                for field in class.fields.iter().filter(|field| !field.is_static()) {
                    let slot = field.slot as usize;
                    let (one, two) = (self.component(state, key, slot)?, self.component(state, other, slot)?);
                    let equal = match field.kind.sort() {
                        None => self.equal_keys(state, one, two)?,
                        Some(sort) => {
                            let terms = self.term_of(one, sort).zip(self.term_of(two, sort));
                            terms.and_then(|(one, two)| self.equal_numbers(field.kind, one, two))
                        }
                    };
                    let Some(equal) = equal else { return Ok(None) };
                    all = self.terms.and(all, equal);
                }
                Ok(Some(all))
            }
            KeyKind::Coded => Ok(None),
        }
    }

    /// The hash code of a key. None if only code can tell.
    pub(crate) fn hash_of_key(&mut self, state: &mut State, key: Value) -> Result<Option<Value>, Stop> {
        let Some(object) = self.decided(state, key)? else { return Ok(Some(Value::Int(0))) };
        match self.key_of(state, object)? {
            KeyKind::Box(kind) => {
                let Some(value) = self.value_of_box(state, object)? else { return Ok(None) };
                Ok(self.hash_of_number(kind, value))
            }
            KeyKind::Text => Ok(self.hash_of_text(state, object)),
            KeyKind::Itself => Ok(Some(self.hash_for_table(state, object))),
            KeyKind::Record(class) => {
                let (mut sum, factor) = (self.terms.int(0), self.terms.int(31));
                for field in class.fields.iter().filter(|field| !field.is_static()) {
                    let part = self.component(state, object, field.slot as usize)?;
                    let hash = match field.kind.sort() {
                        None => self.hash_of_key(state, part)?,
                        Some(sort) => self.term_of(part, sort).and_then(|part| self.hash_of_number(field.kind, part)),
                    };
                    let Some(hash) = hash.and_then(|hash| self.term_of(hash, Sort::Int)) else { return Ok(None) };
                    sum = self.terms.binary(Binary::Multiply, sum, factor);
                    sum = self.terms.binary(Binary::Add, sum, hash);
                }
                Ok(Some(self.value_of(sum)))
            }
            KeyKind::Coded => Ok(None),
        }
    }

    /// The condition under which two strings have the same characters. None if one of them is not told, or too long.
    pub(crate) fn equal_texts(&mut self, state: &State, one: ObjId, other: ObjId) -> Option<Term> {
        let (one, other) = (self.letters_of(state, one)?, self.letters_of(state, other)?);
        // A string that can be Latin-1 is.
        if one.coder != other.coder {
            return Some(self.terms.truth(false));
        }
        Some(self.equal_letters(&one, &other, |vm, left, right| vm.terms.equal(left, right)))
    }

    /// The condition under which two strings have characters of which the table has the same values. None if one of them is not told, too long, or
    /// not Latin-1.
    pub(crate) fn equal_folded(
        &mut self,
        state: &State,
        one: ObjId,
        other: ObjId,
        folded: &LatinTable,
    ) -> Option<Term> {
        let (one, other) = (self.letters_of(state, one)?, self.letters_of(state, other)?);
        if one.coder != Value::Int(0) || other.coder != Value::Int(0) {
            return None;
        }
        Some(self.equal_letters(&one, &other, |vm, left, right| vm.equal_by_table(left, right, folded)))
    }

    /// Has the table the same value for two bytes, which are characters of Latin-1?
    fn equal_by_table(&mut self, left: Term, right: Term, table: &LatinTable) -> Term {
        let mask = self.terms.int(0xFF);
        let letters = [left, right].map(|byte| self.terms.binary(Binary::BitAnd, byte, mask));
        for (letter, known) in [(letters[0], letters[1]), (letters[1], letters[0])] {
            let Some(known) = self.terms.as_constant(known).and_then(|known| known.integer()) else { continue };
            let same = (0..).zip(table).filter(|(_, value)| **value == table[known as usize]);
            let same: Vec<(i32, i32)> = same.map(|(at, _)| (at, at)).collect();
            return self.lies_in(letter, &same, (0, 0xFF));
        }
        let [left, right] = letters.map(|letter| self.value_in_table(letter, table));
        self.terms.equal(left, right)
    }

    /// Are two strings as long as each other, and are their characters the same in this sense?
    fn equal_letters(
        &mut self,
        one: &StringLetters,
        other: &StringLetters,
        mut are_same: impl FnMut(&mut Vm, Term, Term) -> Term,
    ) -> Term {
        let mut equal = self.terms.equal(one.length, other.length);
        for (at, (left, right)) in one.bytes.iter().zip(&other.bytes).enumerate() {
            let at = self.terms.int(at as i32);
            // Where both lengths are equal, it does not matter which of them is asked.
            let is_constant = self.terms.as_constant(other.length).is_some();
            let is_behind = self.terms.less_or_equal(if is_constant { other.length } else { one.length }, at);
            let same = are_same(self, *left, *right);
            let part = self.terms.or(is_behind, same);
            equal = self.terms.and(equal, part);
        }
        equal
    }

    /// `String.hashCode()`. None if the string is not told.
    pub(crate) fn hash_of_text(&mut self, state: &State, string: ObjId) -> Option<Value> {
        if self.is_plain(state, string.into()) {
            let hash = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(unit as i32);
            return Some(Value::Int(self.units(state, string).into_iter().fold(0, hash)));
        }
        let StringLetters { coder, length, bytes } = self.letters_of(state, string)?;
        // The hash code of the first n characters, for every n that the length may be: the hash of a longer prefix replaces it
        // where the string is that long.
        let (mask, factor) = (self.terms.int(0xFF), self.terms.int(31));
        let (mut prefix, mut hash) = (self.terms.int(0), self.terms.int(0));
        let is_latin = coder == Value::Int(0);
        let width = if is_latin { 1 } else { 2 };
        let length = {
            let coder = self.term_of(coder, Sort::Int)?;
            self.terms.binary(Binary::ShiftRight, length, coder)
        };
        for (at, unit) in bytes.chunks_exact(width).enumerate() {
            let letter = match *unit {
                [byte] => self.terms.binary(Binary::BitAnd, byte, mask),
                [lower, upper] => self.unit_of_bytes(lower, upper),
                _ => return None,
            };
            prefix = self.terms.binary(Binary::Multiply, prefix, factor);
            prefix = self.terms.binary(Binary::Add, prefix, letter);
            let at = self.terms.int(at as i32);
            let is_longer = self.terms.less(at, length);
            hash = self.terms.choose(is_longer, prefix, hash);
        }
        Some(self.value_of(hash))
    }

    fn letters_of(&mut self, state: &State, string: ObjId) -> Option<StringLetters> {
        let known = self.program.known();
        let coder = state.heap.field(string, known.string_coder);
        let array = state.heap.field(string, known.string_value).object()?;
        let length = self.length_of(state, array)?;
        let length = self.term_of(length, Sort::Int)?;
        let most = self.terms.range(length).1;
        if !matches!(coder, Value::Int(_)) || most > LONGEST {
            return None;
        }
        let bytes: Option<Vec<Value>> = match &state.heap.get(array).body {
            Body::Sparse(sparse) => {
                // Only where all touched places are known is it known what the others hold.
                let is_known = |(index, _): &(Value, Value)| matches!(index, Value::Int(_));
                let at = |at: i64| {
                    let touched = sparse.touched.iter().find(|(index, _)| *index == Value::Int(at as i32));
                    touched.map_or(sparse.others, |(_, byte)| *byte)
                };
                sparse.touched.iter().all(is_known).then(|| (0..most).map(at).collect())
            }
            _ => (0..most).map(|at| state.heap.element(array, at as i32)).collect(),
        };
        let bytes: Option<Vec<Term>> = bytes?.into_iter().map(|byte| self.term_of(byte, Sort::Int)).collect();
        Some(StringLetters { coder, length, bytes: bytes? })
    }

    /// Equality as the boxes of two numbers have it.
    fn equal_numbers(&mut self, kind: Kind, one: Term, other: Term) -> Option<Term> {
        match kind.sort()? {
            Sort::Int | Sort::Long => Some(self.terms.equal(one, other)),
            // By their bits, which terms do not have.
            _ => {
                let bits = |vm: &Vm, term| bits_of(vm.value_of(term));
                let is_same = bits(self, one)? == bits(self, other)?;
                Some(self.terms.truth(is_same))
            }
        }
    }

    /// The hash code of the box of a number.
    fn hash_of_number(&mut self, kind: Kind, value: Term) -> Option<Value> {
        let folded = |value: i64| (value ^ ((value as u64) >> 32) as i64) as i32;
        let hash = match kind {
            Kind::Boolean => {
                let (zero, yes, no) = (self.terms.int(0), self.terms.int(1231), self.terms.int(1237));
                let is_false = self.terms.equal(value, zero);
                self.terms.choose(is_false, no, yes)
            }
            Kind::Long => {
                let half = self.terms.long(32);
                let high = self.terms.binary(Binary::ShiftRightUnsigned, value, half);
                let both = self.terms.binary(Binary::BitXor, value, high);
                self.terms.unary(Unary::Truncate, both)
            }
            Kind::Float => return bits_of(self.value_of(value)).map(|bits| Value::Int(bits as i32)),
            Kind::Double => return bits_of(self.value_of(value)).map(|bits| Value::Int(folded(bits))),
            _ => value,
        };
        Some(self.value_of(hash))
    }

    /// The object that a reference denotes; asks if that is not decided.
    fn decided(&self, state: &State, value: Value) -> Result<Option<ObjId>, Stop> {
        match state.symbols.settled(value) {
            Value::Unknown(id) => Err(Stop::Ask(Question::Deref(id))),
            Value::Ref(object) => Ok(object),
            _ => Err(self.unsupported(state, "a key that is no reference")),
        }
    }

    /// A component of a record, which is read if it is an input.
    fn component(&mut self, state: &mut State, record: ObjId, slot: usize) -> Result<Value, Stop> {
        if state.heap.field(record, slot) == Value::Unread
            && let Some(field) = state.heap.class(record).field_at(slot as u32)
        {
            self.read_field(state, record, slot as u32, field.kind, field.name, field.descriptor)?;
        }
        Ok(state.heap.field(record, slot))
    }

    /// How a key can be compared. Asks for its class if the possible ones differ in that.
    fn key_of(&mut self, state: &mut State, object: ObjId) -> Result<KeyKind, Stop> {
        let known = self.program.known();
        let (object_class, string) = (known.object, known.string);
        let class = state.heap.class(object);
        if let Some(kind) = Kind::of_box(class.name) {
            return Ok(KeyKind::Box(kind));
        }
        if class.id == string.id {
            return Ok(KeyKind::Text);
        }
        if class.is_array() {
            return Ok(KeyKind::Itself);
        }
        let mut is_own = false;
        for (name, descriptor) in [("hashCode", "()I"), ("equals", "(Ljava/lang/Object;)Z")] {
            let Some(method) = object_class.own_method(name, descriptor) else { return Ok(KeyKind::Coded) };
            let class = self.class_for_call(state, object, method)?;
            let owner = self.select(class, method).map(|selected| selected.class());
            is_own |= !owner.is_some_and(|owner| owner.id == object_class.id || owner.name == "java/lang/Enum");
        }
        let class = state.heap.class(object);
        Ok(match is_own {
            false => KeyKind::Itself,
            true if !class.is_open() && self.is_plain_record(class) => KeyKind::Record(class),
            true => KeyKind::Coded,
        })
    }

    /// Has a record the `equals` and `hashCode` that it gets for free?
    fn is_plain_record(&self, class: &'static Class) -> bool {
        let is_generated = |name: &str, descriptor: &str| {
            let method = class.own_method(name, descriptor);
            method.is_some_and(|method| self.is_generated(method))
        };
        class.super_class.is_some_and(|above| above.name == "java/lang/Record")
            && is_generated("hashCode", "()I")
            && is_generated("equals", "(Ljava/lang/Object;)Z")
    }

    /// Does the method do nothing but call what `ObjectMethods` makes for a record?
    fn is_generated(&self, method: &'static Method) -> bool {
        let Ok(code) = self.program.code(method) else { return false };
        let is_simple = |op: &Op| matches!(op, Op::Load(_) | Op::LoadTwo(..) | Op::InvokeDynamic(_) | Op::ReturnValue);
        code.ops.iter().all(is_simple)
            && code.dynamics.len() == 1
            && code.dynamics.iter().all(|site| super::dynamic::is_of_record(method.class(), site))
    }
}

/// The bits of a number that is known, as `floatToIntBits` and `doubleToLongBits` have them.
fn bits_of(value: Value) -> Option<i64> {
    match value {
        Value::Float(value) if value.is_nan() => Some(0x7FC0_0000),
        Value::Double(value) if value.is_nan() => Some(0x7FF8_0000_0000_0000),
        Value::Float(value) => Some(value.to_bits() as i32 as i64),
        Value::Double(value) => Some(value.to_bits() as i64),
        _ => None,
    }
}
