//! `lazuli.Lazuli`, the class by which a program speaks to the exploration: values that may be anything, and assumptions. The class of the verification
//! competitions says the same by other names.

use lazuli_logic::Sort;

use super::{Call, Exit, Models, throw};
use crate::outcome::{End, Place, Question, Stop};
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
            ("any(Ljava/lang/Class;)Ljava/lang/Object;", |call| any_object(call, true)),
            ("anyNonNull(Ljava/lang/Class;)Ljava/lang/Object;", |call| any_object(call, false)),
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

/// A new unknown in an exploration; in a run of an example, the value that the example has for it.
fn any(call: &mut Call, class: &'static Class, may_be_null: bool) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let number = call.state.symbols.asked_for as usize;
    call.state.symbols.asked_for += 1;
    if let Some(example) = &call.vm.example {
        return Ok(example.any.get(number).copied().unwrap_or(class.kind().default_value()));
    }
    let name = format!("{}#{}", call.method.name, number + 1);
    Ok(call.vm.new_argument(call.state, &name, class, may_be_null))
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
        return Err(Exit::Stop(Stop::Ask(Question::Read { place, declared })));
    }
    Ok(Value::Int(!matches!(value, Value::Unread | Value::Unknown(_)) as i32))
}
