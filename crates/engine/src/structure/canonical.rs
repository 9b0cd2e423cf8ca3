//! When do two inputs have the same shape? When they are equal after numbering objects in the order of a breadth-first walk.

use std::collections::HashMap;

use crate::state::State;
use crate::symbols::Entry;
use crate::value::{ObjId, Value};

/// The shape of the input that a root refers to: for each object in breadth-first order its class, and for each of its references
/// the number of the object, or -1 for null. Numbers do not count, and a reference that nobody read counts as null.
/// Also the number of objects.
pub fn shape_of(state: &State, root: ObjId) -> (Vec<i32>, usize) {
    let mut numbers: HashMap<ObjId, i32> = HashMap::from([(root, 0)]);
    let mut order = vec![root];
    let mut shape = Vec::new();
    let mut next = 0;
    while let Some(&object) = order.get(next) {
        next += 1;
        shape.push(state.heap.class(object).id.index() as i32);
        let Some(input) = state.symbols.input(object) else { continue };
        let class = state.heap.class(object);
        let mut add = |value: Value| {
            let number = match state.symbols.settled(value) {
                Value::Ref(Some(target)) => *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() as i32 - 1
                }),
                _ => -1,
            };
            shape.push(number);
        };
        match &input.entry {
            Entry::Fields(fields) => {
                for (slot, value) in fields.iter().enumerate() {
                    let is_reference =
                        class.field_at(slot as u32).is_some_and(|field| field.kind == crate::value::Kind::Reference);
                    if is_reference {
                        add(*value);
                    }
                }
            }
            Entry::Elements(elements) => elements.iter().for_each(|(_, value)| add(*value)),
        }
    }
    (shape, order.len())
}
