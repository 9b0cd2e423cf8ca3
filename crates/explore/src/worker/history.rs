//! Which calls made a concrete input, as plain data?
//!
//! A program that replays them names objects by what it made and got: most are the results of calls. The code around a class can also read
//! objects from fields, arrays and collections of the JDK; to those a route leads, through the heap as the last call left it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lazuli_reach::call_sequence::CallSequence;
use lazuli_reach::workshop::is_readable;
use lazuli_vm::heap::Body;
use lazuli_vm::interp::Vm;
use lazuli_vm::program::Class;
use lazuli_vm::snapshot::{Camera, Datum};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::case::{CallHistory, PastCall, Route, RouteStart};

/// The calls of a sequence in which everything is concrete. The camera takes all their objects; `arguments` are those of the target.
pub(crate) fn history(
    vm: &Vm,
    state: &State,
    sequence: &CallSequence,
    arguments: &[Value],
    camera: &mut Camera,
) -> CallHistory {
    let mut cell = |object: ObjId| match camera.take(object.into()) {
        Datum::Object(index) => index,
        _ => unreachable!("an object has a place in the heap"),
    };
    let made: BTreeSet<ObjId> = sequence.objects.iter().copied().collect();
    // The objects that a program has without looking for them, and those that it must have.
    let mut had: Vec<ObjId> = Vec::new();
    let mut wanted: BTreeSet<ObjId> = BTreeSet::new();
    for call in sequence.calls.iter() {
        let used = call.receiver.into_iter().chain(call.arguments.iter().filter_map(|value| value.object()));
        for object in used.filter(|object| !call.act.is_constructor() || Some(*object) != call.receiver) {
            if made.contains(&object) {
                wanted.insert(object);
            } else {
                had.push(object);
            }
        }
        had.extend(call.result);
    }
    wanted.extend(arguments.iter().filter_map(|value| value.object()).filter(|object| made.contains(object)));
    let routes = Routes::from(vm, state, &had);
    let told = wanted.iter().filter(|object| !had.contains(object)).filter_map(|object| {
        let (start, places) = routes.to(*object)?;
        let start = match start {
            RouteOrigin::Object(object) => RouteStart::Object(cell(object)),
            RouteOrigin::Static(start) => start,
        };
        Some((cell(*object), Route { start, places }))
    });
    let routes = told.collect();
    let made = made.into_iter().map(&mut cell).collect();
    let calls = sequence.calls.iter().map(|call| PastCall {
        act: call.act,
        receiver: call.receiver.filter(|_| !call.act.is_constructor()).map(&mut cell),
        result: call.result.map(&mut cell),
        threw: call.threw,
        arguments: Vec::new(),
    });
    let mut calls: Vec<PastCall> = calls.collect();
    for (call, past) in sequence.calls.iter().zip(&mut calls) {
        past.arguments = call.arguments.iter().map(|value| camera.take(*value)).collect();
    }
    let mut originals = BTreeMap::new();
    for (object, entry) in sequence.originals.iter() {
        let (Datum::Object(index), Entry::Elements(known)) = (camera.take((*object).into()), entry) else { continue };
        let known = known.iter().filter(|(_, value)| *value != Value::Unread);
        let known = known.map(|(at, value)| (place(*at), camera.take(*value)));
        originals.insert(index, known.collect::<BTreeMap<usize, Datum>>());
    }
    CallHistory { calls, made, originals, routes }
}

/// A slot or an index.
fn place(value: Value) -> usize {
    if let Value::Int(at) = value { at as usize } else { usize::MAX }
}

#[derive(Clone, Copy)]
enum RouteOrigin {
    Object(ObjId),
    Static(RouteStart),
}

/// The shortest ways to all objects that the code around can read.
struct Routes {
    /// The object before each, and the place there; or the start of the route.
    before: HashMap<ObjId, Result<(ObjId, u32), RouteOrigin>>,
}

impl Routes {
    fn from(vm: &Vm, state: &State, had: &[ObjId]) -> Routes {
        let mut before: HashMap<ObjId, Result<(ObjId, u32), RouteOrigin>> = HashMap::new();
        let mut waiting: Vec<ObjId> = Vec::new();
        for object in had {
            if before.insert(*object, Err(RouteOrigin::Object(*object))).is_none() {
                waiting.push(*object);
            }
        }
        for owner in vm.program.users().iter().copied() {
            let Some(mirror) = state.classes.slot(owner.id).mirror else { continue };
            let fields = owner.fields.iter().filter(|field| field.is_static() && field.kind == Kind::Reference);
            for field in fields.filter(|field| is_readable(&vm.program, owner, field)) {
                let held = state.heap.field(mirror, vm.program.slot_of(field) as usize);
                if let Some(object) = held.object()
                    && !before.contains_key(&object)
                {
                    before.insert(object, Err(RouteOrigin::Static(RouteStart::Static { owner, field })));
                    waiting.push(object);
                }
            }
        }
        let mut next = 0;
        while let Some(object) = waiting.get(next).copied() {
            next += 1;
            for (place, below) in parts(vm, state, object) {
                before.entry(below).or_insert_with(|| {
                    waiting.push(below);
                    Ok((object, place))
                });
            }
        }
        Routes { before }
    }

    fn to(&self, object: ObjId) -> Option<(RouteOrigin, Vec<u32>)> {
        let mut places = Vec::new();
        let mut at = object;
        loop {
            match self.before.get(&at)? {
                Ok((above, place)) => {
                    places.insert(0, *place);
                    at = *above;
                }
                Err(start) => return Some((*start, places)),
            }
        }
    }
}

/// The objects that can be read from one, and where. The parts of an object of the JDK lead to what it contains.
fn parts(vm: &Vm, state: &State, object: ObjId) -> Vec<(u32, ObjId)> {
    let class = state.heap.class(object);
    let can_read = |class: &'static Class, slot: u32| {
        let declared = class.declaration_at(slot);
        !class.is_users() || declared.is_some_and(|(owner, field)| is_readable(&vm.program, owner, field))
    };
    match &state.heap.get(object).body {
        Body::Fields(values) => {
            let values = (0..).zip(values.iter()).filter(|(slot, _)| can_read(class, *slot));
            values.filter_map(|(slot, value)| Some((slot, value.object()?))).collect()
        }
        Body::Refs(values) => (0..).zip(values.iter()).filter_map(|(at, value)| Some((at, value.object()?))).collect(),
        _ => Vec::new(),
    }
}
