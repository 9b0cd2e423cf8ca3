//! Which nulls of an input did the code around hand over?
//!
//! Null that a caller passes is an argument of the caller's choice, whether the target gets it or a call before it: `person.setName(null)`, and then
//! `person.initials()`. On the path, such a null is a reference that was passed and turned out to be null, wherever the program has copied it; a null that the
//! program itself put there is a constant. Elements of arrays and collections that are passed count as passed, too.

use std::collections::HashSet;

use lazuli_vm::heap::Body;
use lazuli_vm::program::Method;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{ObjId, Value};

use super::builder::ExampleBuilder;
use crate::path::Path;

/// The fields in which linked collections and maps of the library keep an element.
const ELEMENT_FIELDS: [&str; 3] = ["item", "key", "value"];

/// The arrays and collections that are arguments of the method or of calls that made its input, and those inside of them.
pub(super) fn argument_parts(path: &Path, method: &'static Method) -> HashSet<ObjId> {
    let has_receiver = !method.is_static() && method.name != "<init>";
    let given = path.symbols.roots.iter().take(method.arguments as usize).skip(has_receiver as usize);
    let mut waiting: Vec<Value> = given.map(|root| root.value).collect();
    let calls = path.sequence.iter().flat_map(|sequence| sequence.calls.iter());
    waiting.extend(calls.flat_map(|call| call.arguments.iter().copied()));
    let mut found = HashSet::new();
    while let Some(value) = waiting.pop() {
        let Value::Ref(Some(object)) = path.symbols.settled(value) else { continue };
        let Some(input) = path.symbols.input(object) else { continue };
        match &input.entry {
            Entry::Fields(_) => continue,
            _ if !found.insert(object) => continue,
            Entry::Elements(elements) => waiting.extend(elements.iter().map(|(_, element)| *element)),
            Entry::Built(built) => waiting.extend(built.arguments.iter().copied()),
        }
    }
    found
}

impl ExampleBuilder<'_> {
    /// Was the value passed by the code around, and not read from an input or given by code that is not there?
    pub(super) fn is_handed(&self, value: Value) -> bool {
        let Value::Unknown(id) = value else { return false };
        let unknown = self.path.symbols.unknown(id);
        unknown.place.is_none() && unknown.call.is_none()
    }

    /// Notes where a new collection of the library, with so many elements, keeps those that are null.
    pub(super) fn note_null_elements(&mut self, collection: ObjId, size: usize) {
        let inputs: HashSet<ObjId> = self.objects.values().copied().filter(|object| *object != collection).collect();
        let (mut seen, mut waiting) = (HashSet::new(), vec![collection]);
        while let Some(object) = waiting.pop() {
            if inputs.contains(&object) || self.start.contains(object) || !seen.insert(object) {
                continue;
            }
            let class = self.state.heap.class(object);
            match &self.state.heap.get(object).body {
                Body::Fields(values) => {
                    for (slot, value) in values.iter().enumerate() {
                        let name = class.field_at(slot as u32).map_or("", |field| field.name);
                        if *value == Value::NULL && ELEMENT_FIELDS.contains(&name) {
                            self.handed_nulls.push((object, slot as u32));
                        }
                        waiting.extend(value.object());
                    }
                }
                Body::Refs(values) => {
                    let is_null = |(_, value): &(usize, &Value)| **value == Value::NULL;
                    let nulls = values.iter().enumerate().take(size).filter(is_null);
                    self.handed_nulls.extend(nulls.map(|(index, _)| (object, index as u32)));
                    waiting.extend(values.iter().filter_map(|value| value.object()));
                }
                _ => {}
            }
        }
    }
}
