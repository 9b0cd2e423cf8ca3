//! `java.lang.ClassLoader` and the loaders of the JDK.
//!
//! Lazuli finds classes itself. The loader objects exist for programs that ask for them; they are made, by the JDK's own
//! initialiser, when the first program does. A class that Lazuli can find counts as loaded by its loader already.

use lazuli_classfile::ClassOrigin;

use crate::heap::Body;
use crate::interp::Trouble;
use crate::natives::{Call, Exit, Models, nothing};
use crate::program::{Class, Form, LoadError};
use crate::value::{ObjId, Value};

/// Models that find classes and loaders without running the JDK's own search.
pub(crate) const MODELS: &[Models] = &[
    (
        "java/lang/ClassLoader",
        &[
            ("registerNatives()V", nothing),
            ("getSystemClassLoader()Ljava/lang/ClassLoader;", |call| builtin_loader(call, "APP_LOADER")),
            ("findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;", find_bootstrap_class),
            ("findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;", find_loaded_class),
            (
                "defineClass1(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
                define_class,
            ),
            ("getUnnamedModule()Ljava/lang/Module;", get_unnamed_module),
            ("retrieveDirectives()Ljava/lang/AssertionStatusDirectives;", |call| call.unsupported()),
        ],
    ),
    (
        "java/lang/reflect/Proxy$ProxyBuilder",
        &[("getDynamicModule(Ljava/lang/ClassLoader;)Ljava/lang/Module;", get_dynamic_module)],
    ),
    ("java/lang/Thread", &[("getContextClassLoader()Ljava/lang/ClassLoader;", get_context_class_loader)]),
];

/// Modules whose classes the boot loader defines, as the JDK's build decides.
const BOOT_MODULES: &[&str] = &[
    "java.base",
    "java.datatransfer",
    "java.desktop",
    "java.instrument",
    "java.logging",
    "java.management",
    "java.management.rmi",
    "java.naming",
    "java.prefs",
    "java.rmi",
    "java.security.sasl",
    "java.xml",
    "jdk.incubator.foreign",
    "jdk.incubator.vector",
    "jdk.internal.vm.ci",
    "jdk.jfr",
    "jdk.management",
    "jdk.management.agent",
    "jdk.management.jfr",
    "jdk.naming.rmi",
    "jdk.net",
    "jdk.nio.mapmode",
    "jdk.sctp",
    "jdk.unsupported",
];

/// Modules of the JDK whose classes the application loader defines: its tools.
const APP_MODULES: &[&str] = &[
    "jdk.attach",
    "jdk.compiler",
    "jdk.editpad",
    "jdk.internal.ed",
    "jdk.internal.jvmstat",
    "jdk.internal.le",
    "jdk.internal.opt",
    "jdk.internal.vm.compiler",
    "jdk.jartool",
    "jdk.javadoc",
    "jdk.jconsole",
    "jdk.jdeps",
    "jdk.jdi",
    "jdk.jdwp.agent",
    "jdk.jlink",
    "jdk.jpackage",
    "jdk.jshell",
    "jdk.jstatd",
    "jdk.random",
    "jdk.unsupported.desktop",
];

/// The loader that defines a class, as the name of the field of `jdk.internal.loader.ClassLoaders` that holds it.
fn loader_field(class: &Class) -> Option<&'static str> {
    match &class.origin {
        ClassOrigin::User => Some("APP_LOADER"),
        ClassOrigin::Jdk { module } => loader_field_of_module(module),
    }
}

/// The same for a module of the JDK.
pub(crate) fn loader_field_of_module(module: &str) -> Option<&'static str> {
    match module {
        module if BOOT_MODULES.contains(&module) => None,
        module if APP_MODULES.contains(&module) => Some("APP_LOADER"),
        _ => Some("PLATFORM_LOADER"),
    }
}

/// The field that holds a loader, judged by its class.
pub(crate) fn field_of_loader(call: &Call, loader: Option<ObjId>) -> Option<&'static str> {
    match call.state.heap.class(loader?).name {
        "jdk/internal/loader/ClassLoaders$AppClassLoader" => Some("APP_LOADER"),
        "jdk/internal/loader/ClassLoaders$PlatformClassLoader" => Some("PLATFORM_LOADER"),
        _ => None,
    }
}

/// The loader of a class; null for the boot loader.
pub(crate) fn loader_of(call: &mut Call, class: &Class) -> Result<Value, Exit> {
    if let ClassOrigin::Jdk { module } = &class.origin
        && module.starts_with(PROXY_MODULES)
    {
        let module = call.vm.module(call.state, module);
        return Ok(module.map_or(Value::NULL, |module| call.field(module, "loader")));
    }
    match loader_field(class) {
        Some(field) => builtin_loader(call, field),
        None => Ok(Value::NULL),
    }
}

/// One of the loaders of the JDK, by the field that holds it.
pub(crate) fn builtin_loader(call: &mut Call, field: &str) -> Result<Value, Exit> {
    let loaders = call.load("jdk/internal/loader/ClassLoaders")?;
    let loaders = call.initialised(loaders)?;
    Ok(call.static_field(loaders, field))
}

/// The class of that name, if it exists, is no primitive, and its loader is the one held by that field.
fn defined_by(call: &mut Call, name: &str, field: Option<&str>) -> Result<Value, Exit> {
    if name.contains('/') || name.starts_with('[') {
        return Ok(Value::NULL);
    }
    match call.vm.program.load(&name.replace('.', "/")) {
        Ok(class) if matches!(class.form, Form::Ordinary) && loader_field(class) == field => {
            Ok(call.mirror(class).into())
        }
        _ => Ok(Value::NULL),
    }
}

fn find_bootstrap_class(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(0)?);
    defined_by(call, &name, None)
}

fn find_loaded_class(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(1)?);
    match field_of_loader(call, call.reference(0)) {
        Some(field) => defined_by(call, &name, Some(field)),
        None => Ok(Value::NULL),
    }
}

/// The modules that hold proxy classes are named so, and numbered.
pub(crate) const PROXY_MODULES: &str = "jdk.proxy";

/// The module of the proxy classes that a loader defines for public interfaces.
fn get_dynamic_module(call: &mut Call) -> Result<Value, Exit> {
    let loader = call.arguments[0];
    let known = call.state.roots.modules.clone();
    let mut dynamic = known.iter().filter(|(name, _)| name.starts_with(PROXY_MODULES));
    if let Some((_, module)) = dynamic.clone().find(|(_, module)| call.field(*module, "loader") == loader) {
        return Ok((*module).into());
    }
    let name = format!("{PROXY_MODULES}{}", dynamic.by_ref().count() + 1);
    let Some(module) = call.vm.module(call.state, &name) else { return call.unsupported() };
    call.set_field(module, "loader", loader);
    Ok(module.into())
}

/// A class that a built-in loader is given as bytes: those that `java.lang.reflect.Proxy` makes.
fn define_class(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(1)?).replace('.', "/");
    let loader = call.reference(0);
    if loader.is_some() && field_of_loader(call, loader).is_none() {
        return Err(Exit::Unsupported("a class loader of the program that defines classes".into()));
    }
    let (start, length) = (call.int(3) as usize, call.int(4) as usize);
    let bytes: Vec<u8> = match &call.state.heap.get(call.object(2)?).body {
        Body::Bytes(bytes) => bytes.iter().skip(start).take(length).map(|byte| *byte as u8).collect(),
        _ => return call.unsupported(),
    };
    let package = name.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".");
    let in_module = call.state.roots.modules.iter().map(|(module, _)| module).find(|module| {
        let is_dynamic = module.starts_with(PROXY_MODULES);
        is_dynamic && (package == **module || package.ends_with(&format!(".{module}")))
    });
    let origin = match (in_module, loader) {
        (Some(module), _) => ClassOrigin::Jdk { module: module.clone() },
        (None, Some(_)) => ClassOrigin::User,
        (None, None) => ClassOrigin::Jdk { module: "java.base".into() },
    };
    let refused = |error: LoadError| match error {
        missing @ LoadError::NotFound(_) => Trouble::Load(missing),
        error => Trouble::Refused(error.into()),
    };
    match call.vm.program.define_bytes(&name, &bytes, origin).map_err(refused)? {
        Some(class) => Ok(call.mirror(class).into()),
        None => Err(Exit::Unsupported(format!("a second class with the name {name}"))),
    }
}

/// The unnamed module of the application loader is the one that the program's classes are in.
fn get_unnamed_module(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let unnamed = call.state.roots.modules.iter().find(|(name, _)| name.is_empty()).map(|(_, module)| *module);
    match (call.state.heap.class(this).name, unnamed) {
        ("jdk/internal/loader/ClassLoaders$AppClassLoader", Some(module)) => Ok(module.into()),
        _ => Ok(call.field(this, "unnamedModule")),
    }
}

/// The program's threads start with the application loader. While the virtual machine starts, there is none.
fn get_context_class_loader(call: &mut Call) -> Result<Value, Exit> {
    let own = call.field(call.this(), "contextClassLoader");
    let vm_class = call.load("jdk/internal/misc/VM")?;
    let is_booted = matches!(call.static_field(vm_class, "initLevel"), Value::Int(4..));
    if own == Value::NULL && is_booted { builtin_loader(call, "APP_LOADER") } else { Ok(own) }
}
