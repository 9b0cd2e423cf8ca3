//! Annotations: the bytes that the JDK decodes, and the constants that they refer to (`jdk.internal.reflect.ConstantPool`).

use lazuli_classfile::raw::{Owner, Raw};

use crate::heap::Body;
use crate::natives::{Call, Exit, Models};
use crate::program::{Class, descriptor};
use crate::value::{ObjId, Value};

/// Models that hand out the raw annotation bytes and constant pool entries.
pub(super) const MODELS: &[Models] = &[
    (
        "java/lang/Class",
        &[
            ("getRawAnnotations()[B", |call| of_class(call, "RuntimeVisibleAnnotations")),
            ("getRawTypeAnnotations()[B", |call| of_class(call, "RuntimeVisibleTypeAnnotations")),
            ("getConstantPool()Ljdk/internal/reflect/ConstantPool;", get_constant_pool),
        ],
    ),
    ("java/lang/reflect/Field", &[("getTypeAnnotationBytes0()[B", |call| of_member(call, Owner::Field))]),
    ("java/lang/reflect/Executable", &[("getTypeAnnotationBytes0()[B", |call| of_member(call, Owner::Method))]),
    (
        "jdk/internal/reflect/ConstantPool",
        &[
            ("getSize0(Ljava/lang/Object;)I", get_size),
            ("getIntAt0(Ljava/lang/Object;I)I", |call| Ok(Value::Int(number::<4>(call, 3).map(i32::from_be_bytes)?))),
            ("getFloatAt0(Ljava/lang/Object;I)F", |call| {
                Ok(Value::Float(number::<4>(call, 4).map(f32::from_be_bytes)?))
            }),
            ("getLongAt0(Ljava/lang/Object;I)J", |call| Ok(Value::Long(number::<8>(call, 5).map(i64::from_be_bytes)?))),
            ("getDoubleAt0(Ljava/lang/Object;I)D", |call| {
                Ok(Value::Double(number::<8>(call, 6).map(f64::from_be_bytes)?))
            }),
            ("getUTF8At0(Ljava/lang/Object;I)Ljava/lang/String;", get_utf8),
        ],
    ),
];

/// The contents of an attribute of a class or of one of its members, as a byte array; null if there is none.
pub(super) fn bytes_of(call: &mut Call, class: &Class, owner: Owner, attribute: &str) -> Value {
    let contents = class.bytes.and_then(Raw::open).and_then(|raw| raw.attribute(owner, attribute));
    match contents {
        Some(contents) => {
            let contents = contents.iter().map(|byte| *byte as i8).collect();
            call.state.heap.insert(call.vm.program.known().byte_array, Body::Bytes(contents)).into()
        }
        None => Value::NULL,
    }
}

/// Sets the field of a reflected member that keeps the bytes of an attribute.
pub(super) fn keep(call: &mut Call, member: ObjId, field: &str, class: &Class, owner: Owner, attribute: &str) {
    let bytes = bytes_of(call, class, owner, attribute);
    if bytes != Value::NULL {
        call.set_field(member, field, bytes);
    }
}

fn of_class(call: &mut Call, attribute: &str) -> Result<Value, Exit> {
    let class = call.class(0)?;
    Ok(bytes_of(call, class, Owner::Class, attribute))
}

fn of_member(call: &mut Call, owner: fn(usize) -> Owner) -> Result<Value, Exit> {
    let this = call.this();
    match (call.field(this, "clazz"), call.field(this, "slot")) {
        (Value::Ref(Some(mirror)), Value::Int(slot)) => {
            let class = call.class_of(mirror)?;
            Ok(bytes_of(call, class, owner(slot as usize), "RuntimeVisibleTypeAnnotations"))
        }
        _ => call.unsupported(),
    }
}

/// The pool of a class is an object that knows the class.
fn get_constant_pool(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let class = call.load("jdk/internal/reflect/ConstantPool")?;
    let class = call.initialised(class)?;
    let pool = call.state.heap.allocate(class);
    call.set_field(pool, "constantPoolOop", this.into());
    Ok(pool.into())
}

fn pool(call: &Call) -> Result<Raw<'static>, Exit> {
    let class = call.class(1)?;
    match class.bytes.and_then(Raw::open) {
        Some(raw) => Ok(raw),
        None => call.unsupported(),
    }
}

fn get_size(call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Int(pool(call)?.constant_count() as i32))
}

fn wrong_type() -> Exit {
    crate::interp::Trouble::Named(
        "java/lang/IllegalArgumentException",
        Some("Wrong type at constant pool index".into()),
    )
    .into()
}

fn number<const BYTES: usize>(call: &Call, wanted: u8) -> Result<[u8; BYTES], Exit> {
    match pool(call)?.constant(call.int(2) as usize) {
        Some((tag, rest)) if tag == wanted => rest.first_chunk().copied().ok_or_else(wrong_type),
        _ => Err(wrong_type()),
    }
}

fn get_utf8(call: &mut Call) -> Result<Value, Exit> {
    let text = pool(call)?.utf8(call.int(2) as usize).ok_or_else(wrong_type)?;
    let text = call.vm.program.intern_utf16(descriptor::modified_utf8(text));
    Ok(call.vm.interned(call.state, text).into())
}
