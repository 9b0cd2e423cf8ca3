//! Which effects of a call can a test see, beside its result?
//!
//! A test can read fields that are open to it, and call getters: methods without parameters of the classes that it knows, which change nothing
//! and depend on nothing from outside. Only what the call changed is told, and of an object that a constructor made, everything.

use lazuli_reach::plan::{Operand, Plan};
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::interp::{Example, Vm};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, Field, Method, access, descriptor};
use lazuli_vm::snapshot::{Camera, Datum};
use lazuli_vm::state::State;
use lazuli_vm::value::{Kind, ObjId, Value};

use std::collections::BTreeSet;

/// Effects that one test asserts.
const MOST_EFFECTS: usize = 6;
/// Objects that are looked at to see whether a getter changes one.
const MOST_OBJECTS: usize = 10_000;
/// Methods that say nothing about what a call did, or not the same in each run.
const UNWANTED: [&str; 4] = ["hashCode", "toString", "clone", "iterator"];

/// A value that a test can read after the call.
#[derive(Clone, Debug)]
pub struct VisibleEffect {
    /// Where the test reads it.
    pub place: EffectPlace,
    /// The value that is there then: never an object that a step made.
    pub value: EffectValue,
}

/// The value of an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectValue {
    /// As source writes it.
    pub operand: Operand,
    /// The type of the field or of the getter's result.
    pub kind: Kind,
}

/// A place that a test can read.
#[derive(Clone, Copy, Debug)]
pub enum EffectPlace {
    /// A field of an argument, or of the object that a constructor made.
    Field {
        /// The position of the argument; none for the new object.
        argument: Option<usize>,
        /// The field.
        field: &'static Field,
    },
    /// The result of a getter of an argument, or of the object that a constructor made.
    Getter {
        /// The position of the argument; none for the new object.
        argument: Option<usize>,
        /// The getter.
        method: &'static Method,
        /// Is it not the result that is told, but how many elements it has?
        is_size: bool,
    },
    /// A static field.
    Static {
        /// The class that declares the field.
        owner: &'static Class,
        /// The field.
        field: &'static Field,
    },
}

/// The effects of a call between two states. `given` has the receiver first, if there is one.
pub(crate) fn effects(
    vm: &mut Vm,
    target: &'static Method,
    plan: &Plan,
    given: &[Value],
    (before, after): (&State, &State),
) -> Vec<VisibleEffect> {
    let package = target.class().package_of_programs();
    let is_new = target.name == "<init>";
    let mut found: Vec<VisibleEffect> = Vec::new();
    let mut seen: Vec<ObjId> = Vec::new();
    // Objects that a test can name: the receiver and the arguments. Of each, the fields and getters that the test may read are compared
    // with their contents before the call; of an object that the call made, all of them are effects.
    for (position, value) in given.iter().enumerate() {
        let Some(object) = value.object().filter(|object| !seen.contains(object)) else { continue };
        seen.push(object);
        let is_made = is_new && position == 0;
        let argument = (!is_made).then(|| position - is_new as usize);
        let known = match argument.and_then(|argument| plan.arguments.get(argument)) {
            Some(Operand::Made(step)) => plan.steps[*step].makes(),
            None if is_made => Some(target.class()),
            _ => None,
        };
        let Some(known) = known.filter(|known| known.is_users() && known.source_name(package).is_some()) else {
            continue;
        };
        for place in places(vm, known, package, argument) {
            let is_target = matches!(place, EffectPlace::Getter { method, .. } if method.id == target.id);
            let (false, Some((place, value))) = (is_target, read(vm, after, place, object, given)) else { continue };
            let was = read(vm, before, place, object, given).map(|(_, value)| value);
            if is_made || was.as_ref() != Some(&value) {
                found.push(VisibleEffect { place, value });
            }
        }
    }
    // Static fields have names everywhere.
    let program = vm.program.clone();
    for owner in program.users().iter().copied() {
        for field in owner.fields.iter().filter(|field| field.is_static() && field.access & access::FINAL == 0) {
            if !program.can_use_field(owner, field, package) {
                continue;
            }
            let value = |state: &State| {
                let mirror = state.classes.slot(owner.id).mirror?;
                let value = state.heap.field(mirror, program.slot_of(field) as usize);
                simple(vm, state, value, field.kind)
            };
            if let Some(now) = value(after)
                && value(before).is_some_and(|was| was != now)
            {
                found.push(VisibleEffect { place: EffectPlace::Static { owner, field }, value: now });
            }
        }
    }
    found.truncate(MOST_EFFECTS);
    found
}

/// The places of an object that a test may read, fields first.
fn places(vm: &Vm, known: &'static Class, package: &str, argument: Option<usize>) -> Vec<EffectPlace> {
    let program = &vm.program;
    let mut found = Vec::new();
    let mut getters: Vec<&'static Method> = Vec::new();
    for owner in known.chain().filter(|owner| owner.is_users()) {
        for field in owner.fields.iter().filter(|field| !field.is_static()) {
            let is_hidden = known.field(field.name).is_none_or(|found| !std::ptr::eq(found, field));
            if !is_hidden && program.can_use_field(owner, field, package) {
                found.push(EffectPlace::Field { argument, field });
            }
        }
        for method in owner.methods.iter().copied() {
            let without = access::STATIC | access::SYNTHETIC | access::NATIVE;
            let is_overridden = getters.iter().any(|other| other.name == method.name);
            if method.access & without == 0
                && method.parameters.is_empty()
                && method.result != Kind::Void
                && !method.name.starts_with('<')
                && !UNWANTED.contains(&method.name)
                && method.declared_exceptions().is_empty()
                && !is_overridden
                && program.can_call(method, package)
            {
                getters.push(method);
            }
        }
    }
    found.extend(getters.into_iter().map(|method| EffectPlace::Getter { argument, method, is_size: false }));
    found
}

/// The value at a place, if source can write it. For a collection, that is its size.
fn read(
    vm: &mut Vm,
    state: &State,
    place: EffectPlace,
    object: ObjId,
    given: &[Value],
) -> Option<(EffectPlace, EffectValue)> {
    match place {
        EffectPlace::Field { field, .. } => {
            let value = simple(vm, state, state.heap.field(object, field.slot as usize), field.kind)?;
            Some((place, value))
        }
        EffectPlace::Getter { argument, method, .. } => {
            let (after, value) = called(vm, state, method, object, given)?;
            if let Some(value) = simple(vm, &after, value, method.result) {
                return Some((place, value));
            }
            let collection = value.object()?;
            let class = after.heap.class(collection);
            let size = size_of(vm, method, class)?;
            let (after, value) = called(vm, &after, size, collection, given)?;
            let value = simple(vm, &after, value, Kind::Int)?;
            Some((EffectPlace::Getter { argument, method, is_size: true }, value))
        }
        EffectPlace::Static { .. } => None,
    }
}

/// `size()` of a collection or map of the JDK, if the getter's type has it.
fn size_of(vm: &Vm, getter: &'static Method, class: &'static Class) -> Option<&'static Method> {
    let (_, declared) = descriptor::method(getter.descriptor).unwrap_or_default();
    let declared = vm.program.load_descriptor(declared).ok()?;
    ["java/util/Collection", "java/util/Map"].into_iter().find_map(|name| {
        let sized = vm.program.load(name).ok()?;
        let is_one = !class.is_users() && class.is_subtype_of(sized) && declared.is_subtype_of(sized);
        sized.own_method("size", "()I").filter(|_| is_one)
    })
}

/// Calls a getter. None unless it returns, changes nothing, and takes nothing from outside.
fn called(
    vm: &mut Vm,
    state: &State,
    method: &'static Method,
    object: ObjId,
    given: &[Value],
) -> Option<(State, Value)> {
    let mut after = state.fork();
    after.thread = Default::default();
    let selected = vm.select(after.heap.class(object), method)?;
    // Values from outside are noted only in explorations.
    let usual = (std::mem::replace(&mut vm.is_exploring, true), vm.example.replace(Example::default()));
    let taken = after.symbols.taken.len();
    let stop = vm.call(&mut after, selected, &[object.into()]);
    (vm.is_exploring, vm.example) = usual;
    after.thread = Default::default();
    let Stop::End(End::Returned(value)) = stop else { return None };
    let is_pure = after.symbols.taken.len() == taken && is_unchanged(&state.heap, &after.heap, given);
    is_pure.then_some((after, value))
}

/// Are the objects that can be reached from some as they were? Objects of the JDK may keep what they compute; their arrays count.
fn is_unchanged(before: &Heap, after: &Heap, roots: &[Value]) -> bool {
    let mut seen: BTreeSet<ObjId> = BTreeSet::new();
    let mut waiting: Vec<ObjId> = roots.iter().filter_map(|value| value.object()).collect();
    while let Some(object) = waiting.pop() {
        if !seen.insert(object) {
            continue;
        }
        if seen.len() > MOST_OBJECTS {
            return false;
        }
        let is_fixed = before.class(object).is_users() || before.length(object).is_some();
        let (was, is) = (&before.get(object).body, &after.get(object).body);
        if is_fixed && !is_same(was, is) {
            return false;
        }
        if let Body::Fields(values) | Body::Refs(values) = was {
            waiting.extend(values.iter().filter_map(|value| value.object()));
        }
    }
    true
}

fn is_same(one: &Body, other: &Body) -> bool {
    match (one, other) {
        (Body::Fields(one), Body::Fields(other)) | (Body::Refs(one), Body::Refs(other)) => one == other,
        (Body::Bytes(one), Body::Bytes(other)) => one == other,
        (Body::Chars(one), Body::Chars(other)) => one == other,
        (Body::Shorts(one), Body::Shorts(other)) => one == other,
        (Body::Ints(one), Body::Ints(other)) => one == other,
        (Body::Longs(one), Body::Longs(other)) => one == other,
        (Body::Floats(one), Body::Floats(other)) => one == other,
        (Body::Doubles(one), Body::Doubles(other)) => one == other,
        _ => false,
    }
}

/// A value that source can write without a variable: a number, a text, a box, a constant or null.
fn simple(vm: &Vm, state: &State, value: Value, kind: Kind) -> Option<EffectValue> {
    let unread = BTreeSet::new();
    let mut camera = Camera::new(vm, state, &unread);
    let operand = match camera.take(value) {
        Datum::Object(index) => Operand::inline(&camera.finish()[index], true)?,
        Datum::Any => return None,
        plain => Operand::Plain(plain),
    };
    Some(EffectValue { operand, kind })
}
