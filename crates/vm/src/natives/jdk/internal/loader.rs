//! `jdk.internal.loader` and `java.util.ServiceLoader`: resources next to classes, and services that modules provide.
//!
//! The resources of a module of the JDK come from its image, those of the program from the class path. Both are handed out
//! as streams over their bytes; URLs are made for none of them.

use lazuli_classfile::format::attributes::AttributeData;

use crate::heap::Body;
use crate::natives::java::lang::loader::{field_of_loader, loader_field_of_module};
use crate::natives::{Call, Exit, Models, always_null, nothing};
use crate::value::Value;

/// Models of resource lookup and of service providers.
pub(super) const MODELS: &[Models] = &[
    (
        "jdk/internal/loader/BootLoader",
        &[
            ("setBootLoaderUnnamedModule0(Ljava/lang/Module;)V", nothing),
            // The natives of the JDK's libraries are modelled, or not supported.
            ("loadLibrary(Ljava/lang/String;)V", nothing),
            ("getSystemPackageLocation(Ljava/lang/String;)Ljava/lang/String;", location_of_package),
            ("findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;", |call| {
                resource_of_module(call, 0)
            }),
        ],
    ),
    (
        "jdk/internal/loader/BootLoader$PackageHelper",
        &[("findModule(Ljava/lang/String;)Ljava/lang/Module;", module_at_location)],
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader",
        &[
            ("findClassOnClassPathOrNull(Ljava/lang/String;)Ljava/lang/Class;", always_null),
            ("findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;", |call| {
                resource_of_module(call, 1)
            }),
        ],
    ),
    (
        "java/lang/ClassLoader",
        &[
            ("getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", resource_of_loader),
            ("getSystemResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", |call| resource_of_program(call, 0)),
        ],
    ),
    (
        "jdk/internal/loader/URLClassPath",
        &[
            // The class path is not looked at through the JDK's eyes.
            ("<init>(Ljava/lang/String;Z)V", nothing),
            ("findResource(Ljava/lang/String;Z)Ljava/net/URL;", null_if_absent),
            ("getResource(Ljava/lang/String;Z)Ljdk/internal/loader/Resource;", null_if_absent),
            ("findResource(Ljava/lang/String;)Ljava/net/URL;", null_if_absent),
            ("getResource(Ljava/lang/String;)Ljdk/internal/loader/Resource;", null_if_absent),
            ("findResources(Ljava/lang/String;)Ljava/util/Enumeration;", none_if_absent),
            ("getResources(Ljava/lang/String;)Ljava/util/Enumeration;", none_if_absent),
            ("findResources(Ljava/lang/String;Z)Ljava/util/Enumeration;", none_if_absent),
            ("getResources(Ljava/lang/String;Z)Ljava/util/Enumeration;", none_if_absent),
        ],
    ),
    (
        "java/util/ServiceLoader",
        &[("inExplicitModule(Ljava/lang/Class;)Z", |call| Ok(Value::bool(!call.class(1)?.is_users())))],
    ),
    (
        "java/util/ServiceLoader$ModuleServicesLookupIterator",
        &[("iteratorFor(Ljava/lang/ClassLoader;)Ljava/util/Iterator;", providers)],
    ),
];

/// Where the modules of the JDK lie, in the words of its class loaders.
const IMAGE: &str = "jrt:/";

/// The location of the module that a package (with slashes) of the boot loader belongs to.
fn location_of_package(call: &mut Call) -> Result<Value, Exit> {
    let package = call.text(call.object(0)?);
    let module = call.vm.program.jdk().module_of(&package).filter(|module| loader_field_of_module(module).is_none());
    match module.map(|module| format!("{IMAGE}{module}")) {
        Some(location) => Ok(call.new_text(&location).into()),
        None => Ok(Value::NULL),
    }
}

fn module_at_location(call: &mut Call) -> Result<Value, Exit> {
    let location = call.text(call.object(0)?);
    let module = location.strip_prefix(IMAGE).and_then(|name| call.vm.module(call.state, name));
    match module {
        Some(module) => Ok(module.into()),
        None => call.unsupported(),
    }
}

/// A `ByteArrayInputStream` over the bytes.
fn stream(call: &mut Call, bytes: &[u8]) -> Result<Value, Exit> {
    let class = call.load("java/io/ByteArrayInputStream")?;
    let class = call.initialised(class)?;
    let contents = bytes.iter().map(|byte| *byte as i8).collect();
    let array = call.state.heap.insert(call.vm.program.known().byte_array, Body::Bytes(contents));
    let stream = call.state.heap.allocate(class);
    call.set_field(stream, "buf", array.into());
    call.set_field(stream, "count", Value::Int(bytes.len() as i32));
    Ok(stream.into())
}

/// The arguments from `first` on are the name of a module, null for the unnamed one, and the name of the resource.
fn resource_of_module(call: &mut Call, first: usize) -> Result<Value, Exit> {
    let name = call.text(call.object(first + 1)?);
    let found = match call.reference(first) {
        Some(module) => {
            let module = call.text(module);
            call.vm.program.jdk().resource(&format!("/{module}/{name}"))
        }
        None => None,
    };
    match found {
        Some(bytes) => stream(call, bytes),
        None => Ok(Value::NULL),
    }
}

fn resource_of_loader(call: &mut Call) -> Result<Value, Exit> {
    if call.state.heap.class(call.this()).name.starts_with("jdk/internal/loader/") {
        resource_of_program(call, 1)
    } else {
        call.unsupported()
    }
}

/// A resource on the class path, whose name is the argument at `index`.
fn resource_of_program(call: &mut Call, index: usize) -> Result<Value, Exit> {
    let name = call.text(call.object(index)?);
    let found = call.vm.program.path().resource(&name).map_err(|error| Exit::Unsupported(error.to_string()))?;
    match found {
        Some(bytes) => stream(call, &bytes),
        // Classes of the JDK may be read as resources too; that no such resource exists can only be said of other names.
        None if !name.ends_with(".class") => Ok(Value::NULL),
        None => call.unsupported(),
    }
}

fn is_absent(call: &Call) -> Result<bool, Exit> {
    let name = call.text(call.object(1)?);
    let found = call.vm.program.path().resource(&name).map_err(|error| Exit::Unsupported(error.to_string()))?;
    Ok(found.is_none())
}

fn null_if_absent(call: &mut Call) -> Result<Value, Exit> {
    if is_absent(call)? { Ok(Value::NULL) } else { call.unsupported() }
}

fn none_if_absent(call: &mut Call) -> Result<Value, Exit> {
    let empty = call.load("java/util/Collections")?.own_method("emptyEnumeration", "()Ljava/util/Enumeration;");
    match empty {
        Some(empty) if is_absent(call)? => {
            call.initialised(empty.class())?;
            call.hand_over(empty, &[])
        }
        _ => call.unsupported(),
    }
}

/// The providers of a service in the JDK's modules of one loader, as an iterator over `ServicesCatalog.ServiceProvider`.
fn providers(call: &mut Call) -> Result<Value, Exit> {
    let outer = match call.field(call.this(), "this$0") {
        Value::Ref(Some(outer)) => outer,
        _ => return call.unsupported(),
    };
    let service = match call.field(outer, "serviceName") {
        Value::Ref(Some(name)) => call.text(name).replace('.', "/"),
        _ => return call.unsupported(),
    };
    let field = field_of_loader(call, call.reference(1));
    let provider_class = call.load("jdk/internal/module/ServicesCatalog$ServiceProvider")?;
    let iterator_class = call.load("java/util/Arrays$ArrayItr")?;
    let mut items = Vec::new();
    if field.is_some() || call.reference(1).is_none() {
        for (module, provider) in provided(call, &service, field) {
            let Some(module) = call.vm.module(call.state, &module) else { return call.unsupported() };
            let name = call.new_text(&provider.replace('/', "."));
            let object = call.state.heap.allocate(provider_class);
            call.set_field(object, "module", module.into());
            call.set_field(object, "providerName", name.into());
            items.push(object.into());
        }
    }
    let array = call.new_references(call.vm.program.known().object, items);
    let iterator = call.state.heap.allocate(iterator_class);
    call.set_field(iterator, "a", array.into());
    Ok(iterator.into())
}

/// The modules of one loader that declare providers of the service, and the names of these.
fn provided(call: &Call, service: &str, field: Option<&str>) -> Vec<(String, String)> {
    let jdk = call.vm.program.jdk();
    let mut found = Vec::new();
    for module in jdk.module_names().iter().filter(|module| loader_field_of_module(module) == field) {
        let Some(bytes) = jdk.resource(&format!("/{module}/module-info.class")) else { continue };
        let Ok(declaration) = lazuli_classfile::outline(bytes) else { continue };
        for attribute in &declaration.attributes {
            let AttributeData::Module(data) = &attribute.data else { continue };
            let entries = data.provides.iter().filter(|entry| entry.service_interface_name == service);
            let providers = entries.flat_map(|entry| entry.provides_with.iter());
            found.extend(providers.map(|provider| (module.clone(), provider.to_string())));
        }
    }
    found
}
