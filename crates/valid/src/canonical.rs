//! When do two inputs have the same shape? When they are equal after numbering objects in the order of a breadth-first walk.

use std::collections::HashMap;

use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{Kind, ObjId, Value};

/// How a reference counts that was never read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// As null, so that the shape is that of a whole input.
    AsNull,
    /// As something of its own, so that the shape is that of a part of an input.
    AsItself,
}

/// The shape of the input that roots refer to: the numbers of these, for each object in breadth-first order its class, and for each of its
/// references the number of the object, or -1 for null, those of arrays with their slots. Numbers in fields do not count. Also the number of objects.
pub fn shape_of(state: &State, roots: impl IntoIterator<Item = Value>, unread: Unread) -> (Vec<i32>, usize) {
    let mut walk = Numbering { numbers: HashMap::new(), order: Vec::new(), unread };
    let is_reference = |value: &Value| matches!(value, Value::Ref(_) | Value::Unknown(_) | Value::Unread);
    let mut shape: Vec<i32> =
        roots.into_iter().filter(is_reference).map(|value| walk.number(state.symbols.settled(value))).collect();
    let mut next = 0;
    while let Some(&object) = walk.order.get(next) {
        next += 1;
        let class = state.heap.class(object);
        shape.push(class.id.index() as i32);
        let Some(input) = state.symbols.input(object) else { continue };
        match &input.entry {
            Entry::Fields(fields) => {
                for (slot, value) in fields.iter().enumerate() {
                    if class.field_at(slot as u32).is_some_and(|field| field.kind == Kind::Reference) {
                        shape.push(walk.number(state.symbols.settled(*value)));
                    }
                }
            }
            Entry::Built(built) => {
                shape.push(built.arguments.len() as i32);
                for value in built.arguments.iter() {
                    shape.push(walk.number(state.symbols.settled(*value)));
                }
            }
            Entry::Elements(elements) => {
                // In the order of the slots, and not in that of the reads.
                let slot = |index: &Value| if let Value::Int(slot) = index { *slot } else { i32::MAX };
                let mut elements: Vec<(i32, Value)> =
                    elements.iter().map(|(index, value)| (slot(index), *value)).collect();
                elements.sort_by_key(|(slot, _)| *slot);
                for (slot, value) in elements {
                    if is_reference(&value) {
                        shape.push(slot);
                    }
                    shape.push(walk.number(state.symbols.settled(value)));
                }
            }
        }
    }
    (shape, walk.order.len())
}

/// The objects that were met, and their numbers.
struct Numbering {
    numbers: HashMap<ObjId, i32>,
    order: Vec<ObjId>,
    unread: Unread,
}

impl Numbering {
    fn number(&mut self, value: Value) -> i32 {
        match value {
            Value::Ref(Some(object)) => *self.numbers.entry(object).or_insert_with(|| {
                self.order.push(object);
                self.order.len() as i32 - 1
            }),
            Value::Ref(None) => -1,
            _ if self.unread == Unread::AsNull => -1,
            _ => -2,
        }
    }
}
