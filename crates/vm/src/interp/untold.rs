//! What does a text say that depends on unknown numbers and characters, once something looks into it?
//!
//! One path for each sign and number of digits, and for texts with and without characters beyond Latin-1; the digits themselves are terms. Lengths, and comparisons with
//! known texts, need no path: whether a number is written "12" is whether it is 12.

use lazuli_logic::{Binary, Constant, Sort, Term, Unary};

use super::Vm;
use crate::heap::Body;
use crate::outcome::Stop;
use crate::state::State;
use crate::untold::{BuilderGrowth, TextUnit, UntoldText};
use crate::value::{ObjId, Value};

/// The most decimal digits of an int and of a long.
const INT_DIGITS: u32 = 10;
const LONG_DIGITS: u32 = 19;

impl Vm {
    /// A string of these parts, not told.
    pub(crate) fn untold_string(&mut self, state: &mut State, units: Vec<TextUnit>) -> ObjId {
        let object = self.untold_text(state);
        state.symbols.set_untold(UntoldText { object, units: units.into(), growth: None });
        object
    }

    /// The parts of a string as far as they are known without a question.
    pub(crate) fn parts_of_text(&mut self, state: &mut State, string: ObjId) -> Vec<TextUnit> {
        if let Some(text) = state.symbols.untold_text(string) {
            return text.units.to_vec();
        }
        let known = self.program.known();
        match state.heap.field(string, known.string_value).object().map(|bytes| &state.heap.get(bytes).body) {
            Some(Body::Bytes(_)) => self.units(state, string).into_iter().map(TextUnit::Known).collect(),
            Some(Body::Sparse(_)) => vec![TextUnit::Text(string)],
            // No question is asked for a length that is known.
            Some(_) => match self.letters(state, string) {
                Ok(Some(letters)) => letters,
                _ => vec![TextUnit::Untold],
            },
            // A string of the input of which it is not decided whether it is Latin-1.
            None if state.symbols.input(string).is_some() => vec![TextUnit::Text(string)],
            None => vec![TextUnit::Untold],
        }
    }

    /// The parts of a builder, and how it grew so far.
    pub(crate) fn parts_of_builder(&mut self, state: &State, builder: ObjId) -> (Vec<TextUnit>, BuilderGrowth) {
        if let Some(text) = state.symbols.untold_text(builder) {
            let growth = text.growth.clone().unwrap_or(BuilderGrowth { room: 0, steps: vec![0] });
            return (text.units.to_vec(), growth);
        }
        let class = state.heap.class(builder);
        let field = |name: &str| class.field(name).map(|field| state.heap.field(builder, field.slot as usize));
        let untold = (vec![TextUnit::Untold], BuilderGrowth { room: 0, steps: vec![1] });
        let (Some(Value::Ref(Some(array))), Some(Value::Int(coder)), Some(Value::Int(count))) =
            (field("value"), field("coder"), field("count"))
        else {
            return untold;
        };
        let Some(room) = state.heap.length(array) else { return untold };
        let byte = |at: i32| state.heap.element(array, at);
        let units: Option<Vec<TextUnit>> = (0..count)
            .map(|at| match (coder, byte(at << coder)?, byte((at << coder) + coder)?) {
                (0, Value::Int(unit), _) => Some(TextUnit::Known(unit as u8 as u16)),
                (0, Value::Term(term, Sort::Int), _) => {
                    let mask = self.terms.int(0xFF);
                    Some(TextUnit::Letter(self.terms.binary(Binary::BitAnd, term, mask)))
                }
                (_, Value::Int(low), Value::Int(high)) => {
                    Some(TextUnit::Known(u16::from_le_bytes([low as u8, high as u8])))
                }
                _ => None,
            })
            .collect();
        match units {
            Some(units) => {
                let steps = vec![units.len()];
                (units, BuilderGrowth { room: room >> coder, steps })
            }
            None => untold,
        }
    }

    /// Writes the text of a string or builder into its fields. False if it is not known what it consists of.
    pub(super) fn tell(&mut self, state: &mut State, object: ObjId) -> Result<bool, Stop> {
        let Some(UntoldText { units, growth, .. }) = state.symbols.untold_text(object).cloned() else {
            return Ok(false);
        };
        let (mut told, mut ends) = (Vec::new(), vec![0]);
        for unit in units.iter() {
            if !self.tell_unit(state, *unit, &mut told)? {
                return Ok(false);
            }
            ends.push(told.len());
        }
        let is_latin = self.are_latin(state, &told)?;
        let room = growth.map(|growth| room_after(growth.room, growth.steps.iter().map(|step| ends[*step])));
        let class = state.heap.class(object);
        let value = self.bytes_of(state, &told, is_latin, room);
        for slot in 0..class.defaults.len() {
            let Some(field) = class.field_at(slot as u32) else { continue };
            let written = match field.name {
                "value" => value.into(),
                "coder" => Value::bool(!is_latin),
                "count" => Value::Int(told.len() as i32),
                _ => class.defaults[slot],
            };
            state.heap.set_field(object, slot, written);
        }
        state.symbols.forget_untold(object);
        Ok(true)
    }

    /// Appends the characters of a part. False if they are not known.
    fn tell_unit(&mut self, state: &mut State, unit: TextUnit, told: &mut Vec<TextUnit>) -> Result<bool, Stop> {
        match unit {
            TextUnit::Known(_) | TextUnit::Letter(_) | TextUnit::Wide(_) => told.push(unit),
            TextUnit::Number(number) => told.extend(self.digits(state, number)?),
            TextUnit::Text(string) => match self.letters(state, string)? {
                Some(letters) => {
                    for letter in letters {
                        if !self.tell_unit(state, letter, told)? {
                            return Ok(false);
                        }
                    }
                }
                None => return Ok(false),
            },
            TextUnit::Untold => return Ok(false),
        }
        Ok(true)
    }

    /// Are all these characters Latin-1? Asks if need be.
    fn are_latin(&mut self, state: &State, units: &[TextUnit]) -> Result<bool, Stop> {
        let greatest = self.terms.int(0xFF);
        let mut all = self.terms.truth(true);
        for unit in units {
            match unit {
                TextUnit::Known(unit) if *unit > 0xFF => return Ok(false),
                TextUnit::Wide(term) => {
                    let is_latin = self.terms.less_or_equal(*term, greatest);
                    all = self.terms.and(all, is_latin);
                }
                _ => {}
            }
        }
        self.decide(state, all)
    }

    /// The array of a string or builder of these characters.
    fn bytes_of(&mut self, state: &mut State, units: &[TextUnit], is_latin: bool, room: Option<usize>) -> ObjId {
        let mask = self.terms.int(0xFF);
        let mut bytes: Vec<Value> = Vec::new();
        for unit in units {
            let unit = self.term_of_unit(*unit).unwrap_or(mask);
            if is_latin {
                let low = self.terms.binary(Binary::BitAnd, unit, mask);
                let low = self.terms.unary(Unary::SignedByte, low);
                bytes.push(self.value_of(low));
            } else {
                bytes.extend(self.bytes_of_unit(unit).map(|byte| self.value_of(byte)));
            }
        }
        let width = if is_latin { 1 } else { 2 };
        bytes.resize(bytes.len().max(room.unwrap_or(0) * width), Value::Int(0));
        let known: Option<Vec<i8>> =
            bytes.iter().map(|byte| if let Value::Int(byte) = byte { Some(*byte as i8) } else { None }).collect();
        let class = self.program.known().byte_array;
        match known {
            Some(known) => state.heap.insert(class, Body::Bytes(known.into())),
            None => state.heap.insert(class, Body::Mixed(bytes.into())),
        }
    }

    /// The code of a character; none for a part that is not one character.
    fn term_of_unit(&mut self, unit: TextUnit) -> Option<Term> {
        match unit {
            TextUnit::Known(unit) => Some(self.terms.int(unit as i32)),
            TextUnit::Letter(term) | TextUnit::Wide(term) => Some(term),
            TextUnit::Number(_) | TextUnit::Text(_) | TextUnit::Untold => None,
        }
    }

    fn whole(&mut self, sort: Sort, value: i64) -> Term {
        self.terms.constant(Constant::of_integer(sort, value))
    }

    /// The sign and the digits of a number. Asks which of them there are.
    fn digits(&mut self, state: &State, number: Term) -> Result<Vec<TextUnit>, Stop> {
        let sort = self.terms.sort(number);
        let (most, least, greatest) = match sort {
            Sort::Long => (LONG_DIGITS, i64::MIN, i64::MAX),
            _ => (INT_DIGITS, i32::MIN as i64, i32::MAX as i64),
        };
        let mut cases = Vec::new();
        for is_negative in [false, true] {
            for digits in 1..=most {
                let from = if digits == 1 { is_negative as i64 } else { 10i64.pow(digits - 1) };
                let to = if digits == most { greatest } else { 10i64.pow(digits) - 1 };
                let (from, to) = match (is_negative, digits == most) {
                    (false, _) => (from, to),
                    (true, false) => (-to, -from),
                    (true, true) => (least, -from),
                };
                let (from, to) = (self.whole(sort, from), self.whole(sort, to));
                let (above, below) = (self.terms.less_or_equal(from, number), self.terms.less_or_equal(number, to));
                cases.push(self.terms.and(above, below));
            }
        }
        let chosen = self.decide_case(state, cases)? as u32;
        let (is_negative, digits) = (chosen >= most, chosen % most + 1);
        let mut units = Vec::new();
        if is_negative {
            units.push(TextUnit::Known(b'-' as u16));
        }
        let (ten, zero) = (self.whole(sort, 10), self.terms.int(b'0' as i32));
        for place in (0..digits).rev() {
            let power = self.whole(sort, 10i64.pow(place));
            let above = self.terms.binary(Binary::Divide, number, power);
            // A remainder has the sign of the number.
            let mut digit = self.terms.binary(Binary::Remainder, above, ten);
            if sort == Sort::Long {
                digit = self.terms.unary(Unary::Truncate, digit);
            }
            let operation = if is_negative { Binary::Subtract } else { Binary::Add };
            let letter = self.terms.binary(operation, zero, digit);
            units.push(match self.value_of(letter) {
                Value::Int(letter) => TextUnit::Known(letter as u16),
                _ => TextUnit::Letter(letter),
            });
        }
        Ok(units)
    }

    /// The length of a text that is not told, which needs no question. None if it is told, or not known what it consists of.
    pub(crate) fn length_of_untold(&mut self, state: &State, object: ObjId) -> Option<Value> {
        let text = state.symbols.untold_text(object)?.units.clone();
        let mut length = self.terms.int(0);
        for unit in text.iter() {
            let part = match unit {
                TextUnit::Number(number) => self.number_length(*number),
                TextUnit::Text(string) => {
                    let bytes = state.heap.field(*string, self.program.known().string_value).object()?;
                    let coder = state.heap.field(*string, self.program.known().string_coder);
                    let bytes = self.length_of(state, bytes)?;
                    let (bytes, coder) = (self.term_of(bytes, Sort::Int)?, self.term_of(coder, Sort::Int)?);
                    self.terms.binary(Binary::ShiftRight, bytes, coder)
                }
                TextUnit::Untold => return None,
                _ => self.terms.int(1),
            };
            length = self.terms.binary(Binary::Add, length, part);
        }
        Some(self.value_of(length))
    }

    /// How many characters a number has in decimal.
    fn number_length(&mut self, number: Term) -> Term {
        let sort = self.terms.sort(number);
        let most = if sort == Sort::Long { LONG_DIGITS } else { INT_DIGITS };
        let mut length = self.terms.int(most as i32);
        for digits in (1..most).rev() {
            let (bound, shorter) = (self.whole(sort, 10i64.pow(digits)), self.terms.int(digits as i32));
            let is_below = self.terms.less(number, bound);
            length = self.terms.choose(is_below, shorter, length);
        }
        for digits in 1..=most {
            let from = if digits == 1 { -1 } else { -10i64.pow(digits - 1) };
            let (bound, longer) = (self.whole(sort, from), self.terms.int(digits as i32 + 1));
            let is_at_most = self.terms.less_or_equal(number, bound);
            length = self.terms.choose(is_at_most, longer, length);
        }
        length
    }

    /// The condition under which two texts are equal, at least one of which is not told. None if only its characters can tell.
    pub(crate) fn equal_untold(&mut self, state: &mut State, one: ObjId, other: ObjId) -> Option<Term> {
        let is_untold = [one, other].iter().any(|text| state.symbols.untold_text(*text).is_some());
        if !is_untold {
            return None;
        }
        let (one, other) = (self.parts_of_text(state, one), self.parts_of_text(state, other));
        let number_in = |units: &[TextUnit]| units.iter().position(|unit| matches!(unit, TextUnit::Number(_)));
        let are_plain = |units: &[TextUnit]| {
            let is_number = |unit: &&TextUnit| matches!(unit, TextUnit::Number(_));
            units.iter().filter(is_number).count() <= 1
                && !units.iter().any(|unit| matches!(unit, TextUnit::Text(_) | TextUnit::Untold))
        };
        if !are_plain(&one) || !are_plain(&other) {
            return None;
        }
        match (number_in(&one), number_in(&other)) {
            (None, None) if one.len() != other.len() => Some(self.terms.truth(false)),
            (None, None) => self.equal_units(&one, &other),
            (Some(at), None) => self.equal_around(&one, at, &other),
            (None, Some(at)) => self.equal_around(&other, at, &one),
            // The texts around both numbers are equally long, so that the numbers stand at the same places.
            (Some(at), Some(also)) if at == also && one.len() == other.len() => {
                let (TextUnit::Number(left), TextUnit::Number(right)) = (one[at], other[at]) else { return None };
                let around = self.equal_units(&one[..at], &other[..at])?;
                let behind = self.equal_units(&one[at + 1..], &other[at + 1..])?;
                let wide = |terms: &mut lazuli_logic::Terms, number: Term| match terms.sort(number) {
                    Sort::Int => terms.unary(Unary::Widen, number),
                    _ => number,
                };
                let (left, right) = (wide(&mut self.terms, left), wide(&mut self.terms, right));
                let same = self.terms.equal(left, right);
                let both = self.terms.and(around, behind);
                Some(self.terms.and(both, same))
            }
            _ => None,
        }
    }

    /// Is a text with one number equal to one of single characters?
    fn equal_around(&mut self, text: &[TextUnit], at: usize, other: &[TextUnit]) -> Option<Term> {
        let TextUnit::Number(number) = text[at] else { return None };
        let behind = text.len() - at - 1;
        if other.len() < text.len() {
            return Some(self.terms.truth(false));
        }
        let end = other.len() - behind;
        let written: Option<String> = other[at..end]
            .iter()
            .map(|unit| match unit {
                TextUnit::Known(unit) => Some(char::from_u32(*unit as u32).unwrap_or('?')),
                _ => None,
            })
            .collect();
        let written = written?;
        let sort = self.terms.sort(number);
        let value = written.parse::<i64>().ok().filter(|value| value.to_string() == written);
        let Some(value) = value.filter(|value| sort == Sort::Long || i32::try_from(*value).is_ok()) else {
            return Some(self.terms.truth(false));
        };
        let value = self.whole(sort, value);
        let same = self.terms.equal(number, value);
        let before = self.equal_units(&text[..at], &other[..at])?;
        let after = self.equal_units(&text[at + 1..], &other[end..])?;
        let around = self.terms.and(before, after);
        Some(self.terms.and(around, same))
    }

    /// Are as many characters the same?
    fn equal_units(&mut self, one: &[TextUnit], other: &[TextUnit]) -> Option<Term> {
        let mut all = self.terms.truth(true);
        for (left, right) in one.iter().zip(other) {
            let (left, right) = (self.term_of_unit(*left)?, self.term_of_unit(*right)?);
            let same = self.terms.equal(left, right);
            all = self.terms.and(all, same);
        }
        Some(all)
    }
}

/// The room in a builder that had so much, and then grew to these lengths: it doubles, and has two more.
fn room_after(room: usize, lengths: impl Iterator<Item = usize>) -> usize {
    lengths.fold(room, |room, length| if length > room { length.max(2 * room + 2) } else { room })
}

/// The units of a text of ours.
pub(crate) fn plain_units(text: &str) -> impl Iterator<Item = TextUnit> + '_ {
    text.encode_utf16().map(TextUnit::Known)
}

/// The part that a character is which is not known.
pub(crate) fn unit_of(vm: &Vm, character: Term) -> TextUnit {
    if vm.terms.range(character).1 < 256 { TextUnit::Letter(character) } else { TextUnit::Wide(character) }
}
