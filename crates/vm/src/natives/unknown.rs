//! How does a native look at what may not be known? It asks, or the path ends as not supported; it never takes it for something else.

use lazuli_logic::{Sort, Unary};

use super::{Call, Exit};
use crate::heap::Body;
use crate::outcome::{Question, Stop};
use crate::program::Class;
use crate::value::{Kind, ObjId, Value};

impl Call<'_> {
    /// An undecided reference as what it is; asks if need be.
    pub fn settled(&self, value: Value) -> Result<Value, Exit> {
        match self.state.symbols.settled(value) {
            Value::Unknown(id) => Err(Exit::Stop(Stop::Ask(Question::Deref(id)))),
            known => Ok(known),
        }
    }

    /// Is the object of this type? Asks if its possible classes differ in that.
    pub fn has_type(&mut self, object: ObjId, class: &'static Class) -> Result<bool, Exit> {
        Ok(self.vm.has_type(self.state, object, class)?)
    }

    /// Reads a field of an object; asks for its value if it is still unread.
    pub fn read_slot(&mut self, object: ObjId, slot: usize) -> Result<Value, Exit> {
        if self.state.heap.field(object, slot) == Value::Unread {
            let class = self.state.heap.class(object);
            let Some(field) = class.field_at(slot as u32) else { return self.not_known() };
            self.vm.read_field(self.state, object, slot as u32, field.kind, field.name, field.descriptor)?;
        }
        match self.state.heap.field(object, slot) {
            Value::Unread => self.not_known(),
            value => Ok(self.state.symbols.settled(value)),
        }
    }

    /// Writes an element that may be a term.
    pub fn write_element(&mut self, array: ObjId, index: i32, value: Value) -> Result<(), Exit> {
        let is_mixed = matches!(self.state.heap.get(array).body, Body::Mixed(_) | Body::Refs(_));
        if matches!(value, Value::Term(..)) && !is_mixed {
            self.state.heap.mix(array);
        }
        if self.state.heap.set_element(array, index, value) { Ok(()) } else { self.not_known() }
    }

    /// Are two values of a kind the same, bit by bit? Asks if need be.
    pub fn is_same(&mut self, kind: Kind, one: Value, other: Value) -> Result<bool, Exit> {
        match (one, other, kind.sort()) {
            (Value::Float(one), Value::Float(other), _) => Ok(one.to_bits() == other.to_bits()),
            (Value::Double(one), Value::Double(other), _) => Ok(one.to_bits() == other.to_bits()),
            (.., None) => Ok(self.vm.is_same(self.state, one, other)?),
            (.., Some(sort @ (Sort::Int | Sort::Long))) => {
                let terms = (self.vm.term_of(one, sort), self.vm.term_of(other, sort));
                let (Some(one), Some(other)) = terms else { return self.not_known() };
                let is_same = self.vm.terms.equal(one, other);
                Ok(self.vm.decide(self.state, is_same)?)
            }
            _ => self.not_known(),
        }
    }

    /// Is this what the user's code calls as a weak compare-and-set? The library's own loops around one look again.
    pub fn is_weak_attempt(&self) -> bool {
        let frames = self.state.thread.frames.iter().rev();
        let called = frames.take_while(|frame| !frame.method.class().is_users()).last();
        called.map_or(self.method.name, |frame| frame.method.name).starts_with("weakCompareAndSet")
    }

    /// The value in a box, and of which kind it is; none if the object is no box.
    pub fn unboxed(&mut self, object: ObjId) -> Result<Option<(Value, Kind)>, Exit> {
        let class = self.vm.exact_class(self.state, object)?;
        let Some(kind) = Kind::of_box(class.name) else { return Ok(None) };
        let Some(field) = class.field("value") else { return Ok(None) };
        Ok(Some((self.read_slot(object, field.slot as usize)?, kind)))
    }

    /// The value of one primitive kind as one of another, where that needs no cast (JLS §5.1.2). None if it does.
    pub fn widened(&mut self, value: Value, from: Kind, to: Kind) -> Option<Value> {
        use Kind::*;
        let is_allowed = match to {
            Boolean | Byte | Char => from == to,
            Short => matches!(from, Byte | Short),
            Int => matches!(from, Byte | Short | Char | Int),
            Long => matches!(from, Byte | Short | Char | Int | Long),
            Float => !matches!(from, Boolean | Double | Reference | Void),
            Double => !matches!(from, Boolean | Reference | Void),
            Reference | Void => false,
        };
        if !is_allowed {
            return None;
        }
        let (Some(given), Some(wanted)) = (from.sort(), to.sort()) else { return None };
        let operation = match (given, wanted) {
            (Sort::Int, Sort::Long) => Unary::Widen,
            (Sort::Int | Sort::Long, Sort::Float) => Unary::ToFloat,
            (Sort::Int | Sort::Long | Sort::Float, Sort::Double) => Unary::ToDouble,
            _ => return Some(value),
        };
        let term = self.vm.term_of(value, given)?;
        let converted = self.vm.terms.unary(operation, term);
        Some(self.vm.value_of(converted))
    }

    /// Ends the path: the native does not understand what is not known here.
    pub fn not_known<T>(&self) -> Result<T, Exit> {
        Err(Exit::Unsupported(format!("{} on unknown values", self.method.full_name())))
    }
}
