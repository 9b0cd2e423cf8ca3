//! Does an input fit what type arguments say about it?
//!
//! An object is often known before its type arguments are: as an `Object`, or as a `Holder<T>` of a `T` that says nothing. What was read from it until then must fit them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::program::{Class, GenericType, Program};
use crate::state::State;
use crate::symbols::{Entry, Input};
use crate::value::{ObjId, Value};

/// May an input that turns out to be of this class also be at a place of this type?
pub(super) fn may_be_shared(
    program: &Program,
    input: &Input,
    class: &'static Class,
    place: Option<&GenericType>,
) -> bool {
    let Some(place) = place.filter(|place| place.is_telling()) else { return true };
    if program.with_arguments(class, Some(place)).is_none() {
        return false;
    }
    // Two arrays of one class may be declared with any arguments: nothing in an array tells them.
    class.is_array() || input.generic.as_deref().is_none_or(|found| program.may_be_both(found, place))
}

/// Do the fields that the path has read hold what objects of this class hold that are at a place of this type, too?
pub fn may_hold_read(
    program: &Program,
    state: &State,
    input: &Input,
    class: &'static Class,
    place: Option<&GenericType>,
) -> bool {
    typed_fields(program, state, input, class, place).all(|(value, declared)| match value {
        Value::Ref(Some(object)) => program.split(state.heap.class(object), declared).yes.is_some(),
        _ => true,
    })
}

/// The values that were read from fields whose types depend on type variables, each with the class that it has by the class of the object, and by the types of
/// the places where it was found.
pub(crate) fn typed_fields<'a>(
    program: &'a Program,
    state: &'a State,
    input: &'a Input,
    class: &'static Class,
    place: Option<&'a GenericType>,
) -> impl Iterator<Item = (Value, &'static Class)> + 'a {
    let fields = match &input.entry {
        Entry::Fields(fields) if class.has_variables => &fields[..],
        _ => &[],
    };
    let is_read = |(_, value): &(usize, &Value)| !matches!(value, Value::Unread);
    let found = input.generic.as_deref();
    fields.iter().enumerate().filter(is_read).flat_map(move |(slot, value)| {
        let types = [found, place].map(|found| program.field_type(class, slot as u32, found));
        let types = types.into_iter().flatten().filter(|generic| generic.is_argument);
        types.map(|generic| (state.symbols.settled(*value), generic.class))
    })
}

/// The places of one object whose types are compared: more say nothing new in practice, and types may grow along a cycle.
const MOST_TYPES: usize = 8;

/// Does each object that the roots lead to hold what type arguments say? For inputs that were found without looking at these.
pub fn obeys_arguments(
    program: &Program,
    state: &State,
    roots: impl IntoIterator<Item = (Value, Option<Rc<GenericType>>)>,
) -> bool {
    let object_of = |value: Value| match state.symbols.settled(value) {
        Value::Ref(object) => object,
        _ => None,
    };
    let mut waiting: Vec<(ObjId, Option<Rc<GenericType>>)> =
        roots.into_iter().filter_map(|(value, generic)| Some((object_of(value)?, generic))).collect();
    let mut found: HashMap<ObjId, Vec<Option<Rc<GenericType>>>> = HashMap::new();
    while let Some((object, generic)) = waiting.pop() {
        let class = state.heap.class(object);
        let known = found.entry(object).or_default();
        let is_same = |other: &Option<Rc<GenericType>>| match (other, &generic) {
            (None, None) => true,
            (Some(one), Some(other)) => one.is_within(other) && other.is_within(one),
            _ => false,
        };
        if known.len() >= MOST_TYPES || known.iter().any(is_same) {
            continue;
        }
        if let Some(generic) = &generic {
            let mut others = known.iter().flatten();
            if !program.may_have_type(class, generic) || !others.all(|other| program.may_be_both(other, generic)) {
                return false;
            }
        }
        known.push(generic.clone());
        let Some(input) = state.symbols.input(object) else { continue };
        let held: Vec<(ObjId, Option<Rc<GenericType>>)> = match &input.entry {
            Entry::Fields(fields) => {
                let typed = |(slot, value): (usize, &Value)| {
                    Some((object_of(*value)?, program.field_type(class, slot as u32, generic.as_deref())))
                };
                fields.iter().enumerate().filter_map(typed).collect()
            }
            Entry::Elements(elements) => {
                let element = generic.as_ref().and_then(|array| array.arguments.first().cloned().map(Rc::new));
                elements.iter().filter_map(|(_, value)| Some((object_of(*value)?, element.clone()))).collect()
            }
            Entry::Built(_) => continue,
        };
        for (object, generic) in held {
            let is_of = |generic: &Rc<GenericType>| {
                !generic.is_argument || program.split(state.heap.class(object), generic.class).yes.is_some()
            };
            if !generic.as_ref().is_none_or(is_of) {
                return false;
            }
            waiting.push((object, generic));
        }
    }
    true
}
