//! How do specifications see the time before the method: which objects were there, and what did they hold?
//!
//! Inputs keep what they held at entry. Of what static fields lead to, a copy of the heap from then tells.

use std::rc::Rc;

use lazuli_logic::Sort;

use super::{Call, Exit, Models, throw};
use crate::contracts::AssignedPlace;
use crate::heap::{Body, Heap};
use crate::interp::Trouble;
use crate::outcome::{Question, Stop};
use crate::symbols::{Entry, Unknown};
use crate::value::{Kind, ObjId, Value};

/// The class that has these methods; no program has one of this name.
pub const CLASS: &str = "lazuli/$Contract";

/// Models of the methods by which specifications read the heap at entry.
pub const MODELS: &[Models] = &[(
    CLASS,
    &[
        ("fresh(Ljava/lang/Object;)Z", fresh),
        ("undefined()V", undefined),
        ("objects()I", objects),
        ("object(I)Ljava/lang/Object;", object),
        ("places(I)I", places),
        ("index(II)I", index),
        ("changed(II)Z", changed),
        ("held(Ljava/lang/Object;I)Ljava/lang/Object;", held_before),
        ("heldInt(Ljava/lang/Object;I)I", held_before),
        ("heldLong(Ljava/lang/Object;I)J", held_before),
        ("heldFloat(Ljava/lang/Object;I)F", held_before),
        ("heldDouble(Ljava/lang/Object;I)D", held_before),
        ("begun()V", begun),
        ("refused(I)V", refused),
        ("assignAll(Ljava/lang/Object;)V", assign_all),
        ("assignField(Ljava/lang/Object;I)V", assign_field),
        ("assignBetween(Ljava/lang/Object;II)V", assign_between),
        ("satisfied()V", satisfied),
        ("unsatisfied()V", unsatisfied),
    ],
)];

/// Was the object made by the method?
fn fresh(call: &mut Call) -> Result<Value, Exit> {
    let Some(object) = call.reference(0) else { return Ok(Value::Int(0)) };
    if let Some(is_made) = call.vm.is_made_by_contract(call.state, object) {
        return Ok(Value::bool(is_made));
    }
    let past = past(call)?;
    let symbols = &call.state.symbols;
    let is_new = symbols.input(object).is_none() && !past.contains(object) && !symbols.boxes.contains(&object);
    Ok(Value::bool(is_new || symbols.made_by_call(object).is_some()))
}

/// The contents of a field before the method, or before the call that the contract replaces. Objects that were made since then held nothing.
///
/// The place has been read as it is now. So if the heap does not tell what it held, it was written before anything read it, and an input may
/// have held anything there.
fn held_before(call: &mut Call) -> Result<Value, Exit> {
    let object = match call.state.symbols.settled(call.arguments[0]) {
        Value::Unknown(id) => return Err(Exit::Stop(Stop::Ask(Question::Deref(id)))),
        value => value.object().ok_or(Exit::Raise(Trouble::NullPointer))?,
    };
    let slot = call.int(1) as usize;
    if let Some(is_made) = call.vm.is_made_by_contract(call.state, object) {
        if is_made {
            return undefined(call);
        }
        let before = call.state.symbols.contract_calls.last().and_then(|begun| begun.past.clone());
        let held = before.filter(|before| before.contains(object)).map(|before| before.field(object, slot));
        if let Some(held) = held.filter(|held| *held != Value::Unread) {
            return Ok(held);
        }
    } else {
        let past = past(call)?;
        let symbols = &call.state.symbols;
        let is_new = symbols.input(object).is_none() && !past.contains(object);
        if is_new || symbols.made_by_call(object).is_some() {
            return undefined(call);
        }
    }
    let held = match call.state.symbols.input(object).is_some() {
        true => entry(call, object, slot)?,
        false => {
            let past = past(call)?;
            held_then(call, &past, object, slot)?
        }
    };
    match held {
        Value::Unread => call.unsupported(),
        held => Ok(held),
    }
}

/// A call by contract begins.
fn begun(call: &mut Call) -> Result<Value, Exit> {
    call.vm.begin_contract_call(call.state);
    Ok(Value::Top)
}

/// The condition of that number is false, and must be true at the call.
fn refused(call: &mut Call) -> Result<Value, Exit> {
    let clause = call.int(0) as usize;
    Err(Exit::Stop(call.vm.refuse_call(call.state, clause)))
}

/// All places of an object may be assigned.
fn assign_all(call: &mut Call) -> Result<Value, Exit> {
    assign(call, |_, object| AssignedPlace::All(object))
}

/// A field of an object may be assigned.
fn assign_field(call: &mut Call) -> Result<Value, Exit> {
    assign(call, |call, object| AssignedPlace::Field(object, call.int(1) as u32))
}

/// The elements of an array from the one index to the other may be assigned.
fn assign_between(call: &mut Call) -> Result<Value, Exit> {
    assign(call, |call, object| AssignedPlace::Between(object, call.arguments[1], call.arguments[2]))
}

fn assign(call: &mut Call, place: impl Fn(&Call, ObjId) -> AssignedPlace) -> Result<Value, Exit> {
    let object = match call.state.symbols.settled(call.arguments[0]) {
        Value::Unknown(id) => return Err(Exit::Stop(Stop::Ask(Question::Deref(id)))),
        value => value.object(),
    };
    if let Some(object) = object {
        let place = place(call, object);
        if let Some(begun) = call.state.symbols.contract_calls.last_mut() {
            begun.assigned.push(place);
        }
    }
    Ok(Value::Top)
}

/// The contract allows the end of the call.
fn satisfied(call: &mut Call) -> Result<Value, Exit> {
    call.vm.satisfy_contract(call.state);
    Ok(Value::Top)
}

/// The contract does not allow it.
fn unsatisfied(call: &mut Call) -> Result<Value, Exit> {
    Err(Exit::Stop(call.vm.drop_end(call.state)))
}

fn undefined(_call: &mut Call) -> Result<Value, Exit> {
    throw("java/lang/IllegalStateException", "a value that \\old asks for could not be computed before the method")
}

fn objects(call: &mut Call) -> Result<Value, Exit> {
    let past = past(call)?;
    Ok(Value::Int((call.state.symbols.inputs.len() + held(call, &past).len()) as i32))
}

fn object(call: &mut Call) -> Result<Value, Exit> {
    subject(call).map(Value::from)
}

fn places(call: &mut Call) -> Result<Value, Exit> {
    let past = past(call)?;
    let object = subject(call)?;
    let count = match call.state.symbols.input(object).map(|input| &input.entry) {
        Some(Entry::Fields(_)) => call.state.heap.class(object).defaults.len(),
        Some(Entry::Elements(elements)) => elements.len(),
        // Which of its elements may change cannot be said in places.
        Some(Entry::Built(_)) if call.state.is_as_made(object) => 0,
        Some(Entry::Built(_)) => return call.unsupported(),
        None => match then(call, &past, object) {
            Some(heap) => match &heap.get(object).body {
                Body::Fields(fields) => fields.len(),
                _ => heap.length(object).unwrap_or(0),
            },
            None => match &call.state.heap.get(object).body {
                Body::Fields(fields) => fields.len(),
                _ => 0,
            },
        },
    };
    Ok(Value::Int(count as i32))
}

/// The slot of a field, or the index of an element, which may be unknown.
fn index(call: &mut Call) -> Result<Value, Exit> {
    let object = subject(call)?;
    let place = call.int(1);
    Ok(match call.state.symbols.input(object).map(|input| &input.entry) {
        Some(Entry::Elements(elements)) => elements[place as usize].0,
        _ => Value::Int(place),
    })
}

fn changed(call: &mut Call) -> Result<Value, Exit> {
    let past = past(call)?;
    let object = subject(call)?;
    let place = call.int(1) as usize;
    let is_mirror = call.state.heap.class(object).id == call.vm.program.known().class.id;
    // Below its static fields, a mirror has fields of the JVM's own.
    if is_mirror && place < call.vm.program.known().first_static_slot as usize {
        return Ok(Value::Int(0));
    }
    let now = match call.state.symbols.input(object).map(|input| &input.entry) {
        Some(Entry::Elements(elements)) => element_now(call, object, place, elements[place].0)?,
        _ => match &call.state.heap.get(object).body {
            Body::Fields(fields) => fields.get(place).copied().unwrap_or(Value::Unread),
            _ => call.state.heap.element(object, place as i32).unwrap_or(Value::Unread),
        },
    };
    if now == Value::Unread {
        return Ok(Value::Int(0));
    }
    let then = match call.state.symbols.input(object).is_some() {
        true => entry(call, object, place)?,
        false => held_then(call, &past, object, place)?,
    };
    differ(call, now, then).map(Value::bool)
}

/// An element that was touched at this position.
fn element_now(call: &Call, array: ObjId, position: usize, index: Value) -> Result<Value, Exit> {
    match (call.state.heap.sparse(array), index) {
        (Some(sparse), _) => Ok(sparse.touched.get(position).map_or(Value::Unread, |(_, value)| *value)),
        (None, Value::Int(index)) => Ok(call.state.heap.element(array, index).unwrap_or(Value::Unread)),
        _ => call.unsupported(),
    }
}

/// The value of an input's place at entry. If the place was written before it was read, that is a new unknown.
fn entry(call: &mut Call, object: ObjId, place: usize) -> Result<Value, Exit> {
    let class = call.state.heap.class(object);
    let Some(input) = call.state.symbols.input(object) else { return Ok(Value::Unread) };
    let (known, descriptor) = match &input.entry {
        Entry::Fields(fields) => {
            let descriptor = class.field_at(place as u32).map(|field| field.descriptor.to_string());
            (fields.get(place).copied().unwrap_or(Value::Unread), descriptor)
        }
        Entry::Elements(elements) => (elements[place].1, class.component().map(|component| component.descriptor())),
        Entry::Built(_) => return call.unsupported(),
    };
    let (Value::Unread, Some(descriptor)) = (known, descriptor) else { return Ok(known) };
    let name = match &input.entry {
        Entry::Fields(_) => format!("{}.{}", input.name, class.label_at(place as u32).unwrap_or_default()),
        Entry::Elements(elements) => {
            let index = elements[place].0;
            call.vm.element_name(call.state, object, index)
        }
        Entry::Built(_) => return call.unsupported(),
    };
    let depth = call.state.symbols.input(object).map_or(0, |input| input.depth + 1);
    let value = unknown(call, &name, &descriptor, depth)?;
    if let Some(input) = call.state.symbols.input_mut(object) {
        match &mut input.entry {
            Entry::Fields(fields) => {
                let missing = (place + 1).saturating_sub(fields.len());
                let mut all: Vec<Value> =
                    fields.iter().copied().chain(std::iter::repeat_n(Value::Unread, missing)).collect();
                all[place] = value;
                *fields = all.into();
            }
            Entry::Elements(elements) => Rc::make_mut(elements)[place].1 = value,
            Entry::Built(_) => {}
        }
    }
    Ok(value)
}

/// The value that a place behind a static field held in an earlier heap.
fn held_then(call: &mut Call, past: &Rc<Heap>, object: ObjId, place: usize) -> Result<Value, Exit> {
    let held = then(call, past, object).map_or(Value::Unread, |heap| match &heap.get(object).body {
        Body::Fields(fields) => fields.get(place).copied().unwrap_or(Value::Unread),
        _ => heap.element(object, place as i32).unwrap_or(Value::Unread),
    });
    if held != Value::Unread {
        return Ok(held);
    }
    let holder = (object, place as u32);
    let root = call.state.symbols.roots.iter().find(|root| root.holder == Some(holder)).map(|root| root.value);
    if let Some(value) = root {
        return Ok(value);
    }
    let owner = call.class_of(object)?;
    let slot_of = |field: &&crate::program::Field| field.is_static() && call.vm.program.slot_of(field) == place as u32;
    let Some(field) = owner.fields.iter().find(slot_of) else { return Ok(Value::Unread) };
    let name = format!("{}.{}", call.vm.program.short_name(owner), field.name);
    if let Some(example) = &call.vm.example {
        let known = example.statics.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        return Ok(known.unwrap_or(field.kind.default_value()));
    }
    let value = unknown(call, &name, field.descriptor, 0)?;
    call.state.add_root(&name, value, Some(holder));
    Ok(value)
}

/// A value of which nothing is known.
fn unknown(call: &mut Call, name: &str, descriptor: &str, depth: u32) -> Result<Value, Exit> {
    let kind = Kind::of_descriptor(descriptor);
    if kind != Kind::Reference {
        return Ok(call.vm.new_symbol(call.state, name, kind));
    }
    let declared = call.load(crate::program::descriptor::class_name(descriptor))?;
    Ok(call.state.symbols.add_unknown(Unknown {
        name: name.into(),
        declared,
        generic: None,
        may_be_null: true,
        depth,
        is: None,
        is_callers: false,
        place: None,
        call: None,
    }))
}

fn differ(call: &mut Call, now: Value, then: Value) -> Result<bool, Exit> {
    let (now, then) = (call.state.symbols.settled(now), call.state.symbols.settled(then));
    if now == then {
        return Ok(false);
    }
    let sort = match (now, then) {
        (Value::Ref(_) | Value::Unknown(_), _) => return Ok(!call.vm.is_same(call.state, now, then)?),
        (Value::Term(_, sort), _) | (_, Value::Term(_, sort)) => sort,
        (Value::Int(_), _) => Sort::Int,
        (Value::Long(_), _) => Sort::Long,
        (Value::Float(one), Value::Float(other)) => return Ok(one.to_bits() != other.to_bits()),
        (Value::Double(one), Value::Double(other)) => return Ok(one.to_bits() != other.to_bits()),
        _ => return Ok(true),
    };
    let (Some(now), Some(then)) = (call.vm.term_of(now, sort), call.vm.term_of(then, sort)) else { return Ok(true) };
    let is_same = call.vm.terms.equal(now, then);
    Ok(!call.vm.decide(call.state, is_same)?)
}

/// The heap as it was before the method.
fn past(call: &Call) -> Result<Rc<Heap>, Exit> {
    match &call.state.symbols.past {
        Some(heap) => Ok(heap.clone()),
        None => call.unsupported(),
    }
}

/// An object of those that were there before.
fn subject(call: &Call) -> Result<ObjId, Exit> {
    let (past, number) = (past(call)?, call.int(0) as usize);
    let inputs = &call.state.symbols.inputs;
    match inputs.get(number) {
        Some(input) => Ok(input.object),
        None => held(call, &past)
            .get(number - inputs.len())
            .copied()
            .ok_or_else(|| Exit::Unsupported(call.method.full_name())),
    }
}

/// The heap that tells what an object held before the method. That of a class which the method initialises is the one in which its initialiser ended. None
/// for the mirror of a class that the method uses first and that has no initialiser.
fn then(call: &Call, past: &Rc<Heap>, object: ObjId) -> Option<Rc<Heap>> {
    let late = &call.state.symbols.late;
    let own = late.iter().find(|late| late.mirror == object).map(|late| &late.heap);
    let before = || Some(past).filter(|past| past.contains(object));
    let behind = || late.iter().map(|late| &late.heap).find(|heap| heap.contains(object));
    own.or_else(before).or_else(behind).cloned()
}

/// The mirrors of the user's classes, and what their static fields led to, inputs apart.
fn held(call: &Call, past: &Rc<Heap>) -> Vec<ObjId> {
    let (state, program) = (&call.state, &call.vm.program);
    let users = program.users().iter().copied();
    let with_fields = users.filter(|class| class.fields.iter().any(crate::program::Field::is_static));
    let mut found: Vec<ObjId> = with_fields.filter_map(|class| state.classes.slot(class.id).mirror).collect();
    let mut next = 0;
    while let Some(object) = found.get(next).copied() {
        next += 1;
        let Some(heap) = then(call, past, object) else { continue };
        let inner: Vec<Value> = match &heap.get(object).body {
            Body::Fields(fields) if heap.class(object).id == program.known().class.id => {
                fields.iter().copied().skip(program.known().first_static_slot as usize).collect()
            }
            Body::Fields(values) | Body::Refs(values) => values.to_vec(),
            _ => Vec::new(),
        };
        for value in inner {
            let Value::Ref(Some(inner)) = value else { continue };
            let class = heap.class(inner);
            let is_machines = matches!(class.name, "java/lang/Class" | "java/lang/Thread" | "java/lang/String");
            if !is_machines && state.symbols.input(inner).is_none() && !found.contains(&inner) {
                found.push(inner);
            }
        }
    }
    found
}
