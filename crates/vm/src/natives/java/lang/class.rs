//! `java.lang.Class`: what a class is, where it comes from, and how it is nested.

use lazuli_classfile::format::attributes::{AttributeData, RecordComponentEntry};

use super::loader::loader_of;
use crate::interp::dynamic::reflective;
use crate::natives::{Call, Exit, Models, always_false, always_null, nothing, throw};
use crate::program::{Class, Form, LoadError, access};
use crate::value::{Kind, Value};

/// Models of `java.lang.Class` that tell name, modifiers, supertypes and nesting.
pub(crate) const MODELS: &[Models] = &[(
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
        ("getClassLoader()Ljava/lang/ClassLoader;", get_class_loader),
        ("getPackage()Ljava/lang/Package;", get_package),
        ("forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;", for_name),
        ("forName(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;", for_name_in_module),
        ("getSigners()[Ljava/lang/Object;", always_null),
        ("getProtectionDomain0()Ljava/security/ProtectionDomain;", always_null),
        ("getEnclosingMethod0()[Ljava/lang/Object;", get_enclosing_method),
        ("getDeclaringClass0()Ljava/lang/Class;", get_declaring_class),
        ("getSimpleBinaryName0()Ljava/lang/String;", get_simple_binary_name),
        ("getDeclaredClasses0()[Ljava/lang/Class;", get_declared_classes),
        ("getGenericSignature0()Ljava/lang/String;", get_generic_signature),
        ("getNestHost0()Ljava/lang/Class;", get_nest_host),
        ("getNestMembers0()[Ljava/lang/Class;", get_nest_members),
        ("getPermittedSubclasses0()[Ljava/lang/Class;", get_permitted_subclasses),
        ("isRecord0()Z", |call| with_class(call, |class| record_components(class).is_some())),
    ],
)];

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
    let declared = element.nested_declaration().map(|own| own.access_flags.bits());
    let flags = declared.unwrap_or(element.access) & !access::SYNCHRONIZED;
    let flags = if class.is_array() {
        (flags & (access::PUBLIC | access::PRIVATE | access::PROTECTED)) | access::FINAL | access::ABSTRACT
    } else {
        flags
    };
    Ok(Value::Int(flags as i32))
}

fn get_class_loader(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    loader_of(call, class)
}

/// The package as the class's loader has it. JDK 25 would look for the loader in a field that Lazuli leaves empty.
fn get_package(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    if !matches!(class.form, Form::Ordinary) {
        return Ok(Value::NULL);
    }
    let (loader, mirror) = (loader_of(call, class)?, call.arguments[0]);
    let (definer, arguments) = match loader {
        Value::Ref(None) => ("jdk/internal/loader/BootLoader", vec![mirror]),
        loader => ("java/lang/ClassLoader", vec![loader, mirror]),
    };
    let definer = call.initialised(call.load(definer)?)?;
    match definer.own_method("definePackage", "(Ljava/lang/Class;)Ljava/lang/Package;") {
        Some(define) => call.hand_over(define, &arguments),
        None => call.unsupported(),
    }
}

fn for_name(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(0)?);
    let loader = call.reference(2);
    let is_builtin = loader.is_none_or(|loader| call.state.heap.class(loader).name.starts_with("jdk/internal/loader/"));
    if !is_builtin {
        return Err(Exit::Unsupported("Class.forName with a class loader of the program".into()));
    }
    let element = name.strip_prefix('[').map(|rest| rest.trim_start_matches('['));
    let element = element.and_then(|element| element.strip_prefix('L')?.strip_suffix(';'));
    let is_descriptor = name.starts_with('[') || (name.starts_with('L') && name.ends_with(';'));
    let is_asked_for = |missing: &str| missing == name || missing.replace('/', ".") == element.unwrap_or(&name);
    let found = if name.contains('/') {
        None
    } else {
        match call.vm.program.load(&name.replace('.', "/")) {
            Ok(class) => {
                Some(class).filter(|class| !matches!(class.form, Form::Primitive(_)) && !class.name.ends_with("[V"))
            }
            // A class that is there, but whose superclass is not, is not what the program asked about.
            Err(LoadError::NotFound(missing)) if !call.vm.is_exploring || is_asked_for(&missing) => None,
            Err(error) => return Err(crate::interp::Trouble::Load(error).into()),
        }
    };
    match (found, loader) {
        (Some(class), Some(_)) => initialised_mirror(call, class),
        (Some(class), None) if loader_of(call, class)? == Value::NULL => initialised_mirror(call, class),
        // The loader itself throws, so that it appears in the stack trace. Of an array, it is asked for the element.
        (None, Some(loader)) if !name.contains('/') && (!is_descriptor || element.is_some()) => {
            let load = call
                .state
                .heap
                .class(loader)
                .chain()
                .find_map(|class| class.own_method("loadClass", "(Ljava/lang/String;)Ljava/lang/Class;"));
            match load {
                Some(load) => {
                    let wanted = match element {
                        Some(element) => call.new_text(element).into(),
                        None => call.arguments[0],
                    };
                    call.hand_over(load, &[loader.into(), wanted])
                }
                None => call.unsupported(),
            }
        }
        // HotSpot speaks of a descriptor as it writes it inside.
        _ if is_descriptor => throw("java/lang/ClassNotFoundException", name.replace('.', "/")),
        _ => throw("java/lang/ClassNotFoundException", name),
    }
}

/// The class of that name if it is in that module, not initialised; else null.
fn for_name_in_module(call: &mut Call) -> Result<Value, Exit> {
    let module = call.object(0)?;
    let name = call.text(call.object(1)?);
    let found = if name.contains('/') { None } else { call.vm.program.load(&name.replace('.', "/")).ok() };
    let Some(class) = found.filter(|class| matches!(class.form, Form::Ordinary)) else { return Ok(Value::NULL) };
    let mirror = call.mirror(class);
    let own = call.state.heap.field(mirror, call.vm.program.known().class_module);
    Ok(if own == Value::from(module) { mirror.into() } else { Value::NULL })
}

fn initialised_mirror(call: &mut Call, class: &'static Class) -> Result<Value, Exit> {
    if call.bool(1) && !call.state.classes.is_usable(class) {
        // By way of a call, so that this method appears in the stack trace of the initialiser.
        let glue = reflective::class_initialiser(&call.vm.program, class)?;
        return call.hand_over(glue, &[]);
    }
    Ok(call.mirror(class).into())
}

/// The class around a local or anonymous class, and the name and descriptor of the method if it stands in one.
fn get_enclosing_method(call: &mut Call) -> Result<Value, Exit> {
    let found = call.class(0)?.attributes().find_map(|attribute| match attribute {
        AttributeData::EnclosingMethod { class_name, method } => Some((class_name, method)),
        _ => None,
    });
    let Some((outer, method)) = found else { return Ok(Value::NULL) };
    let outer = call.load(outer)?;
    let outer = call.mirror(outer).into();
    let (name, descriptor) = match method {
        Some(method) => {
            let name = call.interned(&method.name).into();
            (name, call.interned(&method.descriptor).into())
        }
        None => (Value::NULL, Value::NULL),
    };
    let object = call.vm.program.known().object;
    Ok(call.new_references(object, vec![outer, name, descriptor]).into())
}

fn get_declaring_class(call: &mut Call) -> Result<Value, Exit> {
    match call.class(0)?.nested_declaration().and_then(|own| own.outer_class_info.as_ref()) {
        Some(outer) => {
            let outer = call.load(outer)?;
            Ok(call.mirror(outer).into())
        }
        None => Ok(Value::NULL),
    }
}

fn get_simple_binary_name(call: &mut Call) -> Result<Value, Exit> {
    match call.class(0)?.nested_declaration().and_then(|own| own.inner_name.as_ref()) {
        Some(name) => Ok(call.interned(name).into()),
        None => Ok(Value::NULL),
    }
}

fn get_declared_classes(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let own = class.inner_classes().filter(|entry| entry.outer_class_info.as_deref() == Some(class.name));
    let names: Vec<&str> = own.map(|entry| &*entry.inner_class_info).collect();
    mirrors(call, &names)
}

/// An array of the mirrors of the classes of these names.
fn mirrors(call: &mut Call, names: &[&str]) -> Result<Value, Exit> {
    let mut items = Vec::new();
    for name in names {
        let class = call.load(name)?;
        items.push(call.mirror(class).into());
    }
    let component = call.vm.program.known().class;
    Ok(call.new_references(component, items).into())
}

fn get_generic_signature(call: &mut Call) -> Result<Value, Exit> {
    let signature = call.class(0)?.attributes().find_map(|attribute| match attribute {
        AttributeData::Signature(signature) => Some(signature),
        _ => None,
    });
    match signature {
        Some(signature) => Ok(call.new_text(signature).into()),
        None => Ok(Value::NULL),
    }
}

/// The host that a class names, if that class names it as a member; else the class itself (JVMS §5.4.4).
pub(crate) fn nest_host(call: &Call, class: &'static Class) -> &'static Class {
    let host = class.attributes().find_map(|attribute| match attribute {
        AttributeData::NestHost(host) => call.vm.program.load(host).ok(),
        _ => None,
    });
    host.filter(|host| nest_members(host).contains(&class.name)).unwrap_or(class)
}

fn nest_members(class: &Class) -> Vec<&'static str> {
    let members = class.attributes().find_map(|attribute| match attribute {
        AttributeData::NestMembers(members) => Some(members),
        _ => None,
    });
    members.into_iter().flatten().map(|member| &**member).collect()
}

fn get_nest_host(call: &mut Call) -> Result<Value, Exit> {
    let host = nest_host(call, call.class(0)?);
    Ok(call.mirror(host).into())
}

fn get_nest_members(call: &mut Call) -> Result<Value, Exit> {
    let host = nest_host(call, call.class(0)?);
    let mut names = vec![host.name];
    names.extend(nest_members(host));
    mirrors(call, &names)
}

fn get_permitted_subclasses(call: &mut Call) -> Result<Value, Exit> {
    let permitted = call.class(0)?.attributes().find_map(|attribute| match attribute {
        AttributeData::PermittedSubclasses(names) => Some(names),
        _ => None,
    });
    match permitted {
        Some(names) => {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            mirrors(call, &names)
        }
        None => Ok(Value::NULL),
    }
}

/// The components of a record; none if the class is no record.
pub(crate) fn record_components(class: &Class) -> Option<&'static [RecordComponentEntry<'static>]> {
    let is_record = class.super_class.is_some_and(|parent| parent.name == "java/lang/Record");
    let mut attributes = class.attributes().filter(|_| is_record && class.access & access::FINAL != 0);
    attributes.find_map(|attribute| match attribute {
        AttributeData::Record(components) => Some(components.as_slice()),
        _ => None,
    })
}
