//! `java.lang.Class`: the fields, methods, constructors and record components that a class declares.
//!
//! A reflected member knows its class and its place there (`slot`), by which the natives that use it find it again.

use lazuli_classfile::format::attributes::{AttributeData, AttributeInfo};
use lazuli_classfile::raw::Owner;

use super::annotations::keep;
use super::class::record_components;
use crate::natives::{Call, Exit, Models};
use crate::program::{Class, Method, access, descriptor};
use crate::value::{ObjId, Value};

/// Models that list the declared members of a class as reflection objects.
pub(super) const MODELS: &[Models] = &[
    (
        "java/lang/Class",
        &[
            ("getDeclaredFields0(Z)[Ljava/lang/reflect/Field;", get_declared_fields),
            ("getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;", get_declared_methods),
            ("getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;", get_declared_constructors),
            ("getRecordComponents0()[Ljava/lang/reflect/RecordComponent;", get_record_components),
        ],
    ),
    ("java/lang/reflect/Executable", &[("getParameters0()[Ljava/lang/reflect/Parameter;", get_parameters)]),
];

/// Flags that the class file has for the virtual machine but `java.lang.reflect` does not show.
const SHOWN: u16 = 0x5FFF;

fn get_declared_fields(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let public_only = call.bool(1);
    let member_class = call.load("java/lang/reflect/Field")?;
    let mut found = Vec::new();
    for (slot, field) in class.fields.iter().enumerate() {
        if public_only && field.access & access::PUBLIC == 0 {
            continue;
        }
        let kind = call.vm.program.load_descriptor(field.descriptor).map_err(crate::interp::Trouble::Load)?;
        let object = new_member(call, member_class, class, slot);
        let name = call.interned(field.name);
        let kind = call.mirror(kind);
        call.set_field(object, "name", name.into());
        call.set_field(object, "type", kind.into());
        call.set_field(object, "modifiers", Value::Int((field.access & SHOWN) as i32));
        let is_record = record_components(class).is_some();
        let is_trusted = field.access & access::FINAL != 0 && (field.is_static() || is_record);
        call.set_field(object, "trustedFinal", Value::bool(is_trusted));
        let attributes = class.file.and_then(|file| file.fields.get(slot)).map(|info| info.attributes.as_slice());
        set_signature(call, object, attributes.unwrap_or_default());
        if attributes.is_some_and(|all| all.iter().any(|present| present.name == "RuntimeVisibleAnnotations")) {
            keep(call, object, "annotations", class, Owner::Field(slot), "RuntimeVisibleAnnotations");
        }
        found.push(object.into());
    }
    Ok(call.new_references(member_class, found).into())
}

fn get_declared_methods(call: &mut Call) -> Result<Value, Exit> {
    declared(call, "java/lang/reflect/Method", |method| !method.name.starts_with('<'))
}

fn get_declared_constructors(call: &mut Call) -> Result<Value, Exit> {
    declared(call, "java/lang/reflect/Constructor", |method| method.name == "<init>")
}

/// The methods or constructors of the class, in the order of the class file. (HotSpot's order depends on addresses.)
fn declared(call: &mut Call, member_class: &str, wanted: fn(&Method) -> bool) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let public_only = call.bool(1);
    let member_class = call.load(member_class)?;
    let mut found = Vec::new();
    for method in class.methods.iter().filter(|method| wanted(method)) {
        if public_only && method.access & access::PUBLIC == 0 {
            continue;
        }
        found.push(reflect(call, member_class, method)?.into());
    }
    Ok(call.new_references(member_class, found).into())
}

/// A `java.lang.reflect.Method` or `Constructor`.
fn reflect(call: &mut Call, member_class: &'static Class, method: &'static Method) -> Result<ObjId, Exit> {
    let class = method.class();
    let (parameters, result) = descriptor::method(method.descriptor)
        .ok_or_else(|| Exit::Unsupported(format!("a method with the descriptor {}", method.descriptor)))?;
    let slot = class.methods.iter().position(|other| std::ptr::eq(*other, method)).unwrap_or_default();
    let parameters = mirrors(call, &parameters)?;
    let exceptions: Vec<String> = method
        .attributes()
        .filter_map(|attribute| match attribute {
            AttributeData::Exceptions(names) => Some(names),
            _ => None,
        })
        .flatten()
        .map(|name| format!("L{name};"))
        .collect();
    let exceptions: Vec<&str> = exceptions.iter().map(String::as_str).collect();
    let exceptions = mirrors(call, &exceptions)?;
    let object = new_member(call, member_class, class, slot);
    call.set_field(object, "parameterTypes", parameters);
    call.set_field(object, "exceptionTypes", exceptions);
    call.set_field(object, "modifiers", Value::Int((method.access & SHOWN) as i32));
    if method.name != "<init>" {
        let name = call.interned(method.name);
        call.set_field(object, "name", name.into());
        let result = call.vm.program.load_descriptor(result).map_err(crate::interp::Trouble::Load)?;
        let result = call.mirror(result);
        call.set_field(object, "returnType", result.into());
    }
    let attributes = class.file.and_then(|file| file.methods.get(slot)).map(|info| info.attributes.as_slice());
    let attributes = attributes.unwrap_or_default();
    set_signature(call, object, attributes);
    for (field, attribute) in [
        ("annotations", "RuntimeVisibleAnnotations"),
        ("parameterAnnotations", "RuntimeVisibleParameterAnnotations"),
        ("annotationDefault", "AnnotationDefault"),
    ] {
        if attributes.iter().any(|present| present.name == attribute) {
            keep(call, object, field, class, Owner::Method(slot), attribute);
        }
    }
    Ok(object)
}

fn get_record_components(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let component_class = call.load("java/lang/reflect/RecordComponent")?;
    let method_class = call.load("java/lang/reflect/Method")?;
    let mut found = Vec::new();
    for (slot, component) in record_components(class).unwrap_or_default().iter().enumerate() {
        let kind = component.descriptor.to_string();
        let accessor = class.own_method(&component.name, &format!("(){kind}"));
        let kind = call.vm.program.load_descriptor(&kind).map_err(crate::interp::Trouble::Load)?;
        let kind = call.mirror(kind);
        let accessor = match accessor.filter(|accessor| !accessor.is_static()) {
            Some(accessor) => reflect(call, method_class, accessor)?.into(),
            None => Value::NULL,
        };
        let object = call.state.heap.allocate(component_class);
        let name = call.interned(&component.name);
        let mirror = call.mirror(class);
        call.set_field(object, "clazz", mirror.into());
        call.set_field(object, "name", name.into());
        call.set_field(object, "type", kind.into());
        call.set_field(object, "accessor", accessor);
        set_signature(call, object, &component.attributes);
        for (field, attribute) in
            [("annotations", "RuntimeVisibleAnnotations"), ("typeAnnotations", "RuntimeVisibleTypeAnnotations")]
        {
            keep(call, object, field, class, Owner::RecordComponent(slot), attribute);
        }
        found.push(object.into());
    }
    Ok(call.new_references(component_class, found).into())
}

/// The parameters as the class file describes them; null if it does not, as usual.
fn get_parameters(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let (Value::Ref(Some(mirror)), Value::Int(slot)) = (call.field(this, "clazz"), call.field(this, "slot")) else {
        return call.unsupported();
    };
    let method = call.class_of(mirror)?.methods.get(slot as usize).copied();
    let described = method.and_then(|method| {
        method.attributes().find_map(|attribute| match attribute {
            AttributeData::MethodParameters(parameters) => Some(parameters),
            _ => None,
        })
    });
    let Some(described) = described else { return Ok(Value::NULL) };
    let class = call.load("java/lang/reflect/Parameter")?;
    let mut found = Vec::new();
    for (index, parameter) in described.iter().enumerate() {
        let name = match &parameter.name {
            Some(name) => call.interned(name).into(),
            None => Value::NULL,
        };
        let object = call.state.heap.allocate(class);
        call.set_field(object, "name", name);
        call.set_field(object, "modifiers", Value::Int(parameter.access_flags.bits() as i32));
        call.set_field(object, "executable", this.into());
        call.set_field(object, "index", Value::Int(index as i32));
        found.push(object.into());
    }
    Ok(call.new_references(class, found).into())
}

fn new_member(call: &mut Call, member_class: &'static Class, class: &'static Class, slot: usize) -> ObjId {
    let object = call.state.heap.allocate(member_class);
    let mirror = call.mirror(class);
    call.set_field(object, "clazz", mirror.into());
    call.set_field(object, "slot", Value::Int(slot as i32));
    object
}

/// An array of the mirrors of types, given by their descriptors.
fn mirrors(call: &mut Call, descriptors: &[&str]) -> Result<Value, Exit> {
    let mut items = Vec::new();
    for descriptor in descriptors {
        let class = call.vm.program.load_descriptor(descriptor).map_err(crate::interp::Trouble::Load)?;
        items.push(call.mirror(class).into());
    }
    let component = call.vm.program.known().class;
    Ok(call.new_references(component, items).into())
}

/// The generic type, if the class file has one.
fn set_signature(call: &mut Call, object: ObjId, attributes: &[AttributeInfo]) {
    let signature = attributes.iter().find_map(|attribute| match &attribute.data {
        AttributeData::Signature(signature) => Some(signature),
        _ => None,
    });
    if let Some(signature) = signature {
        let text = call.interned(signature);
        call.set_field(object, "signature", text.into());
    }
}
