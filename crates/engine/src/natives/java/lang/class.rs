//! `java.lang.Class` and its loaders.

use crate::natives::{Call, Exit, Models, always_false, always_null, nothing, throw};
use crate::program::{Class, Form, LoadError, access};
use crate::value::{Kind, Value};

pub const MODELS: &[Models] = &[
    (
        "java/lang/Class",
        &[
            ("registerNatives()V", nothing),
            ("getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;", get_primitive_class),
            ("desiredAssertionStatus()Z", desired_assertion_status),
            ("desiredAssertionStatus0(Ljava/lang/Class;)Z", desired_assertion_status),
            ("initClassName()Ljava/lang/String;", init_class_name),
            ("isInstance(Ljava/lang/Object;)Z", is_instance),
            ("isAssignableFrom(Ljava/lang/Class;)Z", is_assignable_from),
            ("isInterface()Z", |call| with_class(call, Class::is_interface)),
            ("isArray()Z", |call| with_class(call, Class::is_array)),
            ("isPrimitive()Z", |call| with_class(call, |class| matches!(class.form, Form::Primitive(_)))),
            ("isHidden()Z", always_false),
            ("getSuperclass()Ljava/lang/Class;", get_superclass),
            ("getInterfaces0()[Ljava/lang/Class;", get_interfaces),
            ("getModifiers()I", get_modifiers),
            ("getClassLoader0()Ljava/lang/ClassLoader;", get_class_loader),
            ("forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;", for_name),
            ("getSigners()[Ljava/lang/Object;", always_null),
            ("getProtectionDomain0()Ljava/security/ProtectionDomain;", always_null),
        ],
    ),
    ("java/lang/ClassLoader", &[("registerNatives()V", nothing)]),
    ("java/lang/Module", &[]),
];

fn with_class(call: &mut Call, question: fn(&Class) -> bool) -> Result<Value, Exit> {
    Ok(Value::bool(question(call.class(0)?)))
}

fn get_primitive_class(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(0)?);
    let kind = Kind::PRIMITIVES.into_iter().find(|kind| kind.primitive_name() == Some(&name));
    match kind {
        Some(kind) => {
            let class = call.vm.program.primitive(kind);
            Ok(call.mirror(class).into())
        }
        None => throw("java/lang/ClassNotFoundException", name),
    }
}

/// As with `java -ea`: on for the user's classes, off for those of the JDK.
fn desired_assertion_status(call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::bool(call.class(0)?.is_users()))
}

fn init_class_name(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let name = call.class(0)?.java_name();
    let name = call.interned(&name);
    call.set_field(this, "name", name.into());
    Ok(name.into())
}

fn is_instance(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    Ok(Value::bool(call.reference(1).is_some_and(|object| call.state.heap.class(object).is_subtype_of(class))))
}

fn is_assignable_from(call: &mut Call) -> Result<Value, Exit> {
    let (class, other) = (call.class(0)?, call.class(1)?);
    Ok(Value::bool(other.is_subtype_of(class)))
}

fn get_superclass(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    match class.super_class.filter(|_| !class.is_interface()) {
        Some(parent) => Ok(call.mirror(parent).into()),
        None => Ok(Value::NULL),
    }
}

fn get_interfaces(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let mirrors = class.interfaces.iter().map(|interface| call.mirror(interface).into()).collect();
    let component = call.vm.program.known().class;
    Ok(call.new_references(component, mirrors).into())
}

/// The flags of a nested class are those of its declaration, which stand in `InnerClasses`.
fn get_modifiers(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let element = std::iter::successors(Some(class), |class| class.component()).last().unwrap_or(class);
    let declared = element.attributes().find_map(|attribute| match attribute {
        lazuli_classfile::format::attributes::AttributeData::InnerClasses(entries) => {
            let own = entries.iter().find(|entry| entry.inner_class_info == element.name)?;
            Some(own.access_flags.bits())
        }
        _ => None,
    });
    let flags = declared.unwrap_or(element.access) & !access::SYNCHRONIZED;
    let flags = if class.is_array() {
        (flags & (access::PUBLIC | access::PRIVATE | access::PROTECTED)) | access::FINAL | access::ABSTRACT
    } else {
        flags
    };
    Ok(Value::Int(flags as i32))
}

fn get_class_loader(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let slot = call.vm.program.known().class_loader;
    Ok(call.state.heap.field(this, slot))
}

fn for_name(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(0)?);
    if name.contains('/') {
        return throw("java/lang/ClassNotFoundException", name);
    }
    let class = match call.vm.program.load(&name.replace('.', "/")) {
        Ok(class) if matches!(class.form, Form::Primitive(_)) => return throw("java/lang/ClassNotFoundException", name),
        Ok(class) => class,
        Err(LoadError::NotFound(_)) => return throw("java/lang/ClassNotFoundException", name),
        Err(error) => return Err(crate::interp::Trouble::Load(error).into()),
    };
    if call.bool(1) {
        call.initialised(class)?;
    }
    Ok(call.mirror(class).into())
}
