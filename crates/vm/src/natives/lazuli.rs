//! `lazuli.Lazuli`, the class by which a program speaks to the exploration: values that may be anything, and assumptions. The class of the verification
//! competitions says the same by other names.

use lazuli_logic::Sort;

use super::{Call, Exit, Models, throw};
use crate::interp::ArgumentValues;
use crate::outcome::{End, LeftOut, Place, Question, Stop};
use crate::program::{Class, Field};
use crate::value::{Kind, Value};

/// Models of the methods of `lazuli.Lazuli`, and of the competitions' `Verifier`.
pub(super) const MODELS: &[Models] = &[
    (
        "lazuli/Lazuli",
        &[
            ("anyBoolean()Z", |call| any_primitive(call, Kind::Boolean)),
            ("anyByte()B", |call| any_primitive(call, Kind::Byte)),
            ("anyChar()C", |call| any_primitive(call, Kind::Char)),
            ("anyShort()S", |call| any_primitive(call, Kind::Short)),
            ("anyInt()I", |call| any_primitive(call, Kind::Int)),
            ("anyLong()J", |call| any_primitive(call, Kind::Long)),
            ("anyFloat()F", |call| any_primitive(call, Kind::Float)),
            ("anyDouble()D", |call| any_primitive(call, Kind::Double)),
            ("anyString()Ljava/lang/String;", any_string),
            ("any(Ljava/lang/Class;)Ljava/lang/Object;", |call| any_valid(call, true)),
            ("anyNonNull(Ljava/lang/Class;)Ljava/lang/Object;", |call| any_valid(call, false)),
            ("anyUnchecked(Ljava/lang/Class;)Ljava/lang/Object;", |call| any_object(call, true)),
            ("anyUncheckedNonNull(Ljava/lang/Class;)Ljava/lang/Object;", |call| any_object(call, false)),
            ("isValid(Ljava/lang/Object;)Z", is_valid),
            ("assume(Z)V", assume),
        ],
    ),
    (
        "org/sosy_lab/sv_benchmarks/Verifier",
        &[
            ("nondetBoolean()Z", |call| any_primitive(call, Kind::Boolean)),
            ("nondetByte()B", |call| any_primitive(call, Kind::Byte)),
            ("nondetChar()C", |call| any_primitive(call, Kind::Char)),
            ("nondetShort()S", |call| any_primitive(call, Kind::Short)),
            ("nondetInt()I", |call| any_primitive(call, Kind::Int)),
            ("nondetLong()J", |call| any_primitive(call, Kind::Long)),
            ("nondetFloat()F", |call| any_primitive(call, Kind::Float)),
            ("nondetDouble()D", |call| any_primitive(call, Kind::Double)),
            ("nondetString()Ljava/lang/String;", |call| {
                let class = call.vm.program.known().string;
                any(call, class, false)
            }),
            ("assume(Z)V", assume),
        ],
    ),
];

fn any_primitive(call: &mut Call, kind: Kind) -> Result<Value, Exit> {
    let class = call.vm.program.primitive(kind);
    any(call, class, true)
}

fn any_string(call: &mut Call) -> Result<Value, Exit> {
    let class = call.vm.program.known().string;
    any(call, class, true)
}

fn any_object(call: &mut Call, may_be_null: bool) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let class = if class.access & crate::program::access::ENUM != 0 { call.initialised(class)? } else { class };
    any(call, class, may_be_null)
}

/// The code of the class asks for an object, and then whether it is valid. Older copies of the class leave all to the exploration.
fn any_valid(call: &mut Call, may_be_null: bool) -> Result<Value, Exit> {
    let asks = call.method.class().own_method("isValid", "(Ljava/lang/Object;)Z").is_some();
    if asks { Err(Exit::OwnCode) } else { any_object(call, may_be_null) }
}

/// Asks the object itself, if its class says what is valid. The values of an example are.
pub(super) fn is_valid(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring || call.vm.example.is_some() {
        return Ok(Value::Int(1));
    }
    let object = match call.state.symbols.settled(call.arguments[0]) {
        Value::Unknown(id) => return Err(Exit::Stop(Stop::Ask(Question::Deref(id)))),
        value => value.object(),
    };
    let Some(object) = object else { return Ok(Value::Int(1)) };
    let class = call.state.heap.class(object);
    if class.is_open() && class.possible().is_some_and(|possible| !possible.known.is_empty()) {
        let parts = call.vm.program.split_fully(class);
        return Err(Exit::Stop(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing })));
    }
    let invariant = call.vm.invariants.as_ref().and_then(|invariants| invariants.of(class).first().copied());
    match invariant.and_then(|invariant| call.vm.select(class, invariant)) {
        Some(method) => Err(Exit::Call { method, arguments: ArgumentValues::from_slice(&[object.into()]) }),
        None => Ok(Value::Int(1)),
    }
}

/// A new unknown in an exploration; in a run of an example, the value that the example has for it.
fn any(call: &mut Call, class: &'static Class, may_be_null: bool) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let name = format!("{}#{}", call.method.name.replace("Unchecked", ""), call.state.symbols.asked_for + 1);
    Ok(any_named(call, &name, class, may_be_null))
}

/// The same for an exploration, with the name of the unknown in reports.
pub(super) fn any_named(call: &mut Call, name: &str, class: &'static Class, may_be_null: bool) -> Value {
    let number = call.state.symbols.asked_for as usize;
    call.state.symbols.asked_for += 1;
    call.vm.note_asked(call.state, name);
    match &call.vm.example {
        Some(example) => example.any.get(number).copied().unwrap_or(class.kind().default_value()),
        None => call.vm.new_argument(call.state, name, class, may_be_null),
    }
}

pub(super) fn assume(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let Some(condition) = call.vm.term_of(call.arguments[0], Sort::Int) else { return call.unsupported() };
    let zero = call.vm.terms.int(0);
    let fails = call.vm.terms.equal(condition, zero);
    if call.vm.decide(call.state, fails)? { Err(Exit::Stop(Stop::End(End::AssumedAway))) } else { Ok(Value::Top) }
}

/// Is the value of an object's field decided? Only asked of objects of which not everything is known.
pub(super) fn is_known(call: &mut Call) -> Result<Value, Exit> {
    let (Value::Ref(Some(object)), Value::Ref(Some(name))) = (call.arguments[0], call.arguments[1]) else {
        return call.unsupported();
    };
    let class = call.state.heap.class(object);
    let field = match call.vm.latin1(call.state, name) {
        Some(bytes) => {
            let is_named = |field: &&Field| {
                let letters = field.name.bytes().zip(bytes);
                field.name.len() == bytes.len()
                    && letters.into_iter().all(|(one, other)| i8::try_from(one) == Ok(*other))
            };
            class.chain().find_map(|class| class.fields.iter().find(is_named))
        }
        None => class.field(&call.text(name)),
    };
    let Some(field) = field.filter(|field| !field.is_static()) else {
        // A subclass that the object may have could declare it.
        if class.is_open() {
            return Ok(Value::Int(0));
        }
        let why = format!("{} has no field {}", class.java_name(), call.text(name));
        return throw("java/lang/IllegalArgumentException", why);
    };
    let place = Place { object, slot: field.slot };
    let value = call.state.symbols.settled(call.state.heap.field(object, field.slot as usize));
    if value == Value::Unread
        && call.vm.awaited == Some(place)
        && let Ok(declared) = call.vm.program.load_descriptor(field.descriptor)
    {
        let generic = call.state.generic_at(&call.vm.program, place);
        let declared = call.vm.type_at_place(declared, generic.as_deref());
        return Err(Exit::Stop(Stop::Ask(Question::Read { place, declared })));
    }
    Ok(Value::Int(!matches!(value, Value::Unread | Value::Unknown(_)) as i32))
}
