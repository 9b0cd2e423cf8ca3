//! `java.lang.Module`: what one module lets another see.
//!
//! The module system is never started. Every module of the JDK's image reads every other, and a package is exported or
//! open as its module declares it.

use lazuli_classfile::format::attributes::AttributeData;

use crate::natives::{Call, Exit, Models, always_true, nothing};
use crate::value::{ObjId, Value};

/// Models of the exports and opens of modules.
pub(super) const MODELS: &[Models] = &[(
    "java/lang/Module",
    &[
        ("implIsExportedOrOpen(Ljava/lang/String;Ljava/lang/Module;Z)Z", is_exported_or_open),
        ("canRead(Ljava/lang/Module;)Z", always_true),
        ("canUse(Ljava/lang/Class;)Z", always_true),
        ("getDescriptor()Ljava/lang/module/ModuleDescriptor;", get_descriptor),
        ("getLayer()Ljava/lang/ModuleLayer;", for_unnamed),
        ("getClassLoader()Ljava/lang/ClassLoader;", get_class_loader),
        ("getPackages()Ljava/util/Set;", |call| call.unsupported()),
        ("addReads0(Ljava/lang/Module;Ljava/lang/Module;)V", nothing),
        ("implAddReads(Ljava/lang/Module;Z)V", nothing),
        ("implAddExportsOrOpens(Ljava/lang/String;Ljava/lang/Module;ZZ)V", nothing),
    ],
)];

fn name_of(call: &Call, module: ObjId) -> Option<String> {
    match call.field(module, "name") {
        Value::Ref(Some(name)) => Some(call.text(name)),
        _ => None,
    }
}

/// An unnamed module has none; what named ones have is not modelled.
fn for_unnamed(call: &mut Call) -> Result<Value, Exit> {
    match name_of(call, call.this()) {
        None => Ok(Value::NULL),
        Some(_) => call.unsupported(),
    }
}

/// The loader that defines the classes of the module. Modules that the JDK itself made know theirs.
fn get_class_loader(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let name = call.state.roots.modules.iter().find(|(_, module)| *module == this).map(|(name, _)| name.clone());
    let field = match name.as_deref() {
        Some("") => Some("APP_LOADER"),
        Some(name) if !name.starts_with(super::loader::PROXY_MODULES) => super::loader::loader_field_of_module(name),
        _ => return Ok(call.field(this, "loader")),
    };
    match field {
        Some(field) => super::loader::builtin_loader(call, field),
        None => Ok(Value::NULL),
    }
}

/// `java.lang.reflect.Proxy` asks for the packages of the modules that it puts classes into; nothing else is modelled.
fn get_descriptor(call: &mut Call) -> Result<Value, Exit> {
    let asks = call.state.thread.frames.last().map(|frame| frame.method.class().name);
    let name = name_of(call, call.this()).filter(|name| name.starts_with(super::loader::PROXY_MODULES));
    let asks = asks.is_some_and(|class| class.starts_with("java/lang/reflect/Proxy$ProxyBuilder"));
    let Some(name) = name.filter(|_| asks) else { return for_unnamed(call) };
    let set_class = call.load("java/util/ImmutableCollections$Set12")?;
    let descriptor_class = call.load("java/lang/module/ModuleDescriptor")?;
    let public = call.new_text(&format!("com.sun.proxy.{name}"));
    let own = call.new_text(&name);
    let packages = call.state.heap.allocate(set_class);
    call.set_field(packages, "e0", own.into());
    call.set_field(packages, "e1", public.into());
    let descriptor = call.state.heap.allocate(descriptor_class);
    call.set_field(descriptor, "packages", packages.into());
    Ok(descriptor.into())
}

fn is_exported_or_open(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let Some(module) = name_of(call, this) else { return Ok(Value::Int(1)) };
    if call.reference(2) == Some(this) {
        return Ok(Value::Int(1));
    }
    let package = call.text(call.object(1)?);
    if module.starts_with(super::loader::PROXY_MODULES) {
        // Such a module exports the package that is named like itself, and opens its packages to the maker of proxies only.
        let is_for_maker = match call.reference(2) {
            Some(other) => name_of(call, other).as_deref() == Some("java.base"),
            None => false,
        };
        return Ok(Value::bool(is_for_maker || package == module && !call.bool(3)));
    }
    let package = package.replace('.', "/");
    let to = match call.reference(2) {
        Some(other) => name_of(call, other),
        None => None,
    };
    let wants_open = call.bool(3);
    let found = call.vm.program.jdk().resource(&format!("/{module}/module-info.class"));
    let declaration = found.and_then(|bytes| lazuli_classfile::outline(bytes).ok());
    let Some(declaration) = declaration else { return call.unsupported() };
    let allowed = declaration.attributes.iter().any(|attribute| {
        let AttributeData::Module(data) = &attribute.data else { return false };
        let is_for = |targets: &[std::borrow::Cow<str>]| {
            targets.is_empty() || targets.iter().any(|target| to.as_deref() == Some(&**target))
        };
        let opens = data.opens.iter().any(|entry| entry.package_name == package && is_for(&entry.opens_to));
        let exports = data.exports.iter().any(|entry| entry.package_name == package && is_for(&entry.exports_to));
        opens || (exports && !wants_open)
    });
    Ok(Value::bool(allowed))
}
