//! Which characters has a string of the input?
//!
//! Where any unit of UTF-16 may stand in it, a string is one of two cases, as it is in a JVM (JEP 254): all its characters are Latin-1 and take a byte each, or
//! one at least is not and all of them take two. Each case has variables of its own, whose ranges say what they are, so that a program that meets
//! Latin-1 alone is explored with the same terms whether or not the other case is tried too.

use lazuli_logic::{Binary, Sort, Term, Unary};

use super::Vm;
use crate::heap::{Body, Sparse};
use crate::outcome::{Place, Stop};
use crate::state::State;
use crate::value::{ObjId, Value};

/// How a string keeps its characters. The JVM takes two bytes for each only where one byte is not enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StringCoder {
    Latin1,
    Utf16,
}

impl StringCoder {
    /// `String.coder`
    pub(crate) fn value(self) -> Value {
        Value::Int(match self {
            StringCoder::Latin1 => 0,
            StringCoder::Utf16 => 1,
        })
    }

    /// The greatest unit that it can keep.
    fn greatest(self) -> i64 {
        match self {
            StringCoder::Latin1 => 0xFF,
            StringCoder::Utf16 => 0xFFFF,
        }
    }
}

impl Vm {
    /// Gives a string of the input its characters. Asks first whether all of them are Latin-1.
    pub(super) fn read_characters(&mut self, state: &mut State, string: ObjId) -> Result<(), Stop> {
        let Some(name) = state.symbols.input(string).map(|input| input.name.clone()) else { return Ok(()) };
        let Value::Term(is_latin, _) = self.symbol_in(state, &format!("{name}.isLatin1()"), Sort::Int, (0, 1)) else {
            unreachable!("a new symbol is a term")
        };
        let (length, units) = self.length_and_units(state, &name, StringCoder::Utf16);
        let is_wide = self.any_is_wide(length, &units);
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let (narrow, wide) = (self.terms.equal(is_latin, one), self.terms.equal(is_latin, zero));
        let wide = self.terms.and(wide, is_wide);
        let coder = match self.decide_case(state, vec![narrow, wide])? {
            0 => StringCoder::Latin1,
            _ => StringCoder::Utf16,
        };
        let known = self.program.known();
        let (value_slot, coder_slot) = (known.string_value as u32, known.string_coder as u32);
        let value = self.characters(state, &name, coder);
        state.set_entry(Place { object: string, slot: value_slot }, value);
        state.set_entry(Place { object: string, slot: coder_slot }, coder.value());
        Ok(())
    }

    /// The array of the characters of a string. It is the string's own, so that it is no input that anything else may refer to.
    pub(super) fn characters(&mut self, state: &mut State, name: &str, coder: StringCoder) -> Value {
        let (length, units) = self.length_and_units(state, name, coder);
        let mut bytes = Vec::new();
        for unit in units {
            match coder {
                StringCoder::Latin1 => bytes.push(self.terms.unary(Unary::SignedByte, unit)),
                StringCoder::Utf16 => bytes.extend(self.bytes_of_unit(unit)),
            }
        }
        let length = match coder {
            StringCoder::Latin1 => length,
            StringCoder::Utf16 => {
                let one = self.terms.int(1);
                self.terms.binary(Binary::ShiftLeft, length, one)
            }
        };
        let touched = (0..).zip(bytes).map(|(at, byte)| (Value::Int(at), self.value_of(byte))).collect();
        let sparse = Sparse { length: self.value_of(length), touched, others: Value::Int(0) };
        state.heap.insert(self.program.known().byte_array, Body::Sparse(sparse.into())).into()
    }

    /// The lower and the upper byte of a unit of UTF-16, in the order in which a little-endian JVM keeps them.
    pub(super) fn bytes_of_unit(&mut self, unit: Term) -> [Term; 2] {
        let eight = self.terms.int(8);
        let upper = self.terms.binary(Binary::ShiftRight, unit, eight);
        [unit, upper].map(|byte| self.terms.unary(Unary::SignedByte, byte))
    }

    /// The number of characters, and as many of them as there may be. A string that is not Latin-1 is not empty.
    fn length_and_units(&mut self, state: &mut State, name: &str, coder: StringCoder) -> (Term, Vec<Term>) {
        let most = self.rules.length;
        let least = (coder == StringCoder::Utf16) as i64;
        let mut symbol = |name: String, range| match self.symbol_in(state, &name, Sort::Int, range) {
            Value::Term(term, _) => term,
            _ => unreachable!("a new symbol is a term"),
        };
        let length = symbol(format!("{name}.length()"), (least, most as i64));
        let units = (0..most).map(|at| symbol(format!("{name}.charAt({at})"), (0, coder.greatest()))).collect();
        (length, units)
    }

    /// Is one of the characters, of which there are so many, not Latin-1?
    fn any_is_wide(&mut self, length: Term, units: &[Term]) -> Term {
        let greatest = self.terms.int(StringCoder::Latin1.greatest() as i32);
        let mut any = self.terms.truth(false);
        for (at, unit) in (0..).zip(units) {
            let at = self.terms.int(at);
            let is_there = self.terms.less(at, length);
            let is_wide = self.terms.less(greatest, *unit);
            let both = self.terms.and(is_there, is_wide);
            any = self.terms.or(any, both);
        }
        any
    }
}
