//! `MethodHandleNatives`: which method or field does a `MemberName` stand for?

use lazuli_classfile::format::constant_pool::ReferenceKind;

use crate::interp::Trouble;
use crate::interp::dynamic::handle;
use crate::natives::jdk::offset_of;
use crate::natives::{Call, Exit, Models, nothing};
use crate::program::{Class, LinkError, Member, Method, access, descriptor, readable_type};
use crate::value::{ObjId, Value};

const IS_METHOD: i32 = 0x1_0000;
const IS_CONSTRUCTOR: i32 = 0x2_0000;
const IS_FIELD: i32 = 0x4_0000;
/// The flag of a `MemberName` whose method looks at its caller (`MN_CALLER_SENSITIVE`).
pub(crate) const CALLER_SENSITIVE: i32 = 0x10_0000;
const TRUSTED_FINAL: i32 = 0x20_0000;
/// The flag of a `MemberName` whose method stack walks leave out.
pub(crate) const HIDDEN_MEMBER: i32 = 0x40_0000;
const REFERENCE_KIND_SHIFT: i32 = 24;
const REFERENCE_KIND_MASK: i32 = 0xF;
const GET_FIELD: i32 = 1;
const PUT_FIELD: i32 = 3;

/// Models that resolve `MemberName` objects to members of loaded classes.
pub(crate) const MODELS: &[Models] = &[(
    "java/lang/invoke/MethodHandleNatives",
    &[
        ("registerNatives()V", nothing),
        ("resolve(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;", resolve),
        ("init(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V", init),
        ("expand(Ljava/lang/invoke/MemberName;)V", nothing),
        ("objectFieldOffset(Ljava/lang/invoke/MemberName;)J", field_offset),
        ("staticFieldOffset(Ljava/lang/invoke/MemberName;)J", field_offset),
        ("staticFieldBase(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;", static_field_base),
    ],
)];

/// The class that a `MemberName` names, the name, and the descriptor.
fn parts(call: &Call, member: ObjId) -> Result<(&'static Class, String, String), Exit> {
    let (Value::Ref(Some(class)), Value::Ref(Some(name))) = (call.field(member, "clazz"), call.field(member, "name"))
    else {
        return call.unsupported();
    };
    let Value::Ref(Some(kind)) = call.field(member, "type") else { return call.unsupported() };
    Ok((call.class_of(class)?, call.text(name), descriptor_of(call, kind)?))
}

/// The descriptor that a `Class`, a `MethodType`, a string or a pair of result and parameter classes stands for.
pub(crate) fn descriptor_of(call: &Call, kind: ObjId) -> Result<String, Exit> {
    let (result, parameters) = match call.state.heap.class(kind).name {
        "java/lang/Class" => return Ok(call.class_of(kind)?.descriptor()),
        "java/lang/String" => return Ok(call.text(kind)),
        "java/lang/invoke/MethodType" => (call.field(kind, "rtype"), call.field(kind, "ptypes")),
        _ => match call.references(Some(kind))[..] {
            [result, parameters] => (result, parameters),
            _ => return call.unsupported(),
        },
    };
    let of_class = |mirror: Value| match mirror {
        Value::Ref(Some(mirror)) => Ok(call.class_of(mirror)?.descriptor()),
        _ => call.unsupported(),
    };
    let Value::Ref(parameters) = parameters else { return call.unsupported() };
    let mut text = String::from("(");
    for parameter in call.references(parameters) {
        text += &of_class(parameter)?;
    }
    Ok(format!("{text}){}", of_class(result)?))
}

/// The method or field that a `MemberName` denotes.
pub(crate) fn member(call: &Call, name: ObjId) -> Result<Option<Member>, Exit> {
    let (class, name, descriptor) = parts(call, name)?;
    if descriptor.starts_with('(') {
        let found = match name.as_str() {
            "<init>" => class.own_method(&name, &descriptor),
            _ => call.vm.program.find_method(class, &name, &descriptor),
        };
        return Ok(found.map(Member::Method));
    }
    let found = call.vm.program.find_field(class, &name, &descriptor);
    Ok(found.map(|(class, field)| Member::Field(class, field)))
}

fn resolve(call: &mut Call) -> Result<Value, Exit> {
    let object = call.object(0)?;
    let is_speculative = call.bool(3);
    let Value::Int(flags) = call.field(object, "flags") else { return call.unsupported() };
    let kind = (flags >> REFERENCE_KIND_SHIFT) & REFERENCE_KIND_MASK;
    let found = member(call, object)?;
    let checked = match found {
        Some(found) => check(call, found, kind),
        None => {
            let (class, name, descriptor) = parts(call, object)?;
            Err(if descriptor.starts_with('(') {
                LinkError::NoSuchMethod(format!("'{}'", readable_method(class, &name, &descriptor)))
            } else {
                call.vm.program.no_such_field(class, &name, &descriptor)
            })
        }
    };
    match (found, checked) {
        (Some(found), Ok(())) => {
            describe(call, object, found, kind);
            Ok(object.into())
        }
        (_, Err(_)) if is_speculative => Ok(Value::NULL),
        (_, Err(error)) => Err(Trouble::Refused(error).into()),
        (None, Ok(())) => call.unsupported(),
    }
}

/// Fails as linking an instruction of this kind would (JVMS §5.4.3, §5.4.4).
fn check(call: &Call, found: Member, kind: i32) -> Result<(), LinkError> {
    // The JDK checks fields itself, with better messages.
    let Member::Method(method) = found else { return Ok(()) };
    let declaring = method.class();
    let wants_static = handle::reference_kind(kind) == Some(ReferenceKind::InvokeStatic);
    let readable = format!("'{}'", readable_method(declaring, method.name, method.descriptor));
    if wants_static != method.is_static() {
        let expected = if wants_static { "Expected static" } else { "Expecting non-static" };
        return Err(LinkError::IncompatibleClassChange(format!("{expected} method {readable}")));
    }
    let caller = call.reference(1).and_then(|mirror| call.class_of(mirror).ok());
    let outermost = |class: &Class| class.name.split('$').next().unwrap_or(class.name);
    match caller {
        Some(caller) if method.is_private() && outermost(caller) != outermost(declaring) => {
            let places = crate::interp::places_of(caller, declaring);
            let message = format!("class {} tried to access private method {readable} ({places})", caller.java_name());
            Err(LinkError::IllegalAccess(message))
        }
        _ => Ok(()),
    }
}

/// `java.lang.String java.lang.Object.toString()`
pub(crate) fn readable_method(class: &Class, name: &str, descriptor: &str) -> String {
    let (parameters, result) = descriptor::method(descriptor).unwrap_or_default();
    let parameters: Vec<String> = parameters.into_iter().map(readable_type).collect();
    format!("{} {}.{name}({})", readable_type(result), class.java_name(), parameters.join(", "))
}

/// Completes a `MemberName` with what the virtual machine knows.
fn describe(call: &mut Call, object: ObjId, found: Member, kind: i32) {
    let mut kind = kind;
    let (flags, what) = match found {
        Member::Method(method) if method.name == "<init>" => (method.access, IS_CONSTRUCTOR),
        Member::Method(method) => (method.access, IS_METHOD),
        Member::Field(class, field) => {
            // Whether it is static is the field's, not the asker's; the numbers of the static kinds are one higher.
            let is_setter = kind == PUT_FIELD || kind == PUT_FIELD + 1;
            kind = if is_setter { PUT_FIELD } else { GET_FIELD } + field.is_static() as i32;
            let is_record = class.super_class.is_some_and(|parent| parent.name == "java/lang/Record");
            let is_trusted = field.access & access::FINAL != 0 && (field.is_static() || is_record);
            (field.access, IS_FIELD | if is_trusted { TRUSTED_FINAL } else { 0 })
        }
    };
    let mirror = call.mirror(found.declaring_class());
    call.set_field(object, "clazz", mirror.into());
    call.set_field(object, "flags", Value::Int(flags as i32 | what | (kind << REFERENCE_KIND_SHIFT)));
}

/// Makes a `MemberName` denote that method.
pub(crate) fn describe_method(call: &mut Call, object: ObjId, method: &'static Method) {
    describe(call, object, Member::Method(method), handle::reference_number(usual_kind(method)));
    let (name, kind) = (call.interned(method.name), call.new_text(method.descriptor));
    call.set_field(object, "name", name.into());
    call.set_field(object, "type", kind.into());
}

/// The kind of instruction that calls such a method.
fn usual_kind(method: &Method) -> ReferenceKind {
    match method.name {
        "<init>" => ReferenceKind::NewInvokeSpecial,
        _ if method.is_static() => ReferenceKind::InvokeStatic,
        _ if method.class().is_interface() => ReferenceKind::InvokeInterface,
        _ => ReferenceKind::InvokeVirtual,
    }
}

/// Fills in a `MemberName` from a `java.lang.reflect` object.
fn init(call: &mut Call) -> Result<Value, Exit> {
    let (object, reflected) = (call.object(0)?, call.object(1)?);
    let (Value::Ref(Some(mirror)), Value::Int(slot)) = (call.field(reflected, "clazz"), call.field(reflected, "slot"))
    else {
        return call.unsupported();
    };
    let class = call.class_of(mirror)?;
    let unknown = || Exit::Unsupported("a reflected member that Lazuli did not make".into());
    let (found, kind) = match call.state.heap.class(reflected).name {
        "java/lang/reflect/Field" => {
            let field = class.fields.get(slot as usize).ok_or_else(unknown)?;
            let kind = if field.is_static() { ReferenceKind::GetStatic } else { ReferenceKind::GetField };
            (Member::Field(class, field), kind)
        }
        _ => {
            let method: &'static Method = class.methods.get(slot as usize).copied().ok_or_else(unknown)?;
            (Member::Method(method), usual_kind(method))
        }
    };
    describe(call, object, found, handle::reference_number(kind));
    Ok(Value::Top)
}

fn field_offset(call: &mut Call) -> Result<Value, Exit> {
    match member(call, call.object(0)?)? {
        Some(Member::Field(_, field)) => Ok(Value::Long(offset_of(call, field))),
        _ => call.unsupported(),
    }
}

fn static_field_base(call: &mut Call) -> Result<Value, Exit> {
    match member(call, call.object(0)?)? {
        Some(Member::Field(class, _)) => Ok(call.mirror(class).into()),
        _ => call.unsupported(),
    }
}
