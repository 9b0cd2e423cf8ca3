//! How does a decoded class become part of the program: supertypes, field layout, method table? (JVMS §5.3, §5.4)

use std::collections::HashMap;
use std::sync::OnceLock;

use lazuli_classfile::format::ClassFile;
use lazuli_classfile::format::attributes::AttributeData;
use lazuli_classfile::format::constant_pool::LiteralConstant;
use lazuli_classfile::{ClassBytes, ClassOrigin};

use super::class::{Class, ClassId, ConstantValue, Field, Form, Hold, Method, MethodId, access};
use super::code::Code;
use super::instances::has_variable_fields;
use super::{LoadError, Program, descriptor, translate, verify};
use crate::value::{Kind, Value};

/// The newest class file that Lazuli reads: Java 25.
const NEWEST_MAJOR: u16 = 69;

/// The nodes of `java.util.HashMap`.
pub(crate) const HASH_NODE: &str = "java/util/HashMap$Node";

/// Class files of Java N have this version and N more.
pub const FIRST_MAJOR: u16 = 44;

impl Class {
    /// A class with a name and nothing else.
    pub(super) fn blank(name: &'static str, origin: ClassOrigin) -> Class {
        Class {
            id: ClassId(u32::MAX),
            name,
            access: 0,
            super_class: None,
            interfaces: Vec::new(),
            form: Form::Ordinary,
            hold: Hold::Strong,
            origin: origin.clone(),
            file: None,
            bytes: None,
            fields: Vec::new(),
            methods: Vec::new(),
            by_signature: HashMap::new(),
            vtable: Vec::new(),
            defaults: Box::default(),
            static_defaults: Box::default(),
            supertypes: Box::default(),
            array: OnceLock::new(),
            has_variables: false,
            is_box: crate::value::Kind::of_box(name).is_some(),
            is_valued: origin != ClassOrigin::User,
            codes: OnceLock::new(),
            initialiser_stub: OnceLock::new(),
            possible: None,
        }
    }
}

impl Program {
    pub(super) fn link(
        &self,
        name: &str,
        found: ClassBytes,
        pending: &mut Vec<String>,
    ) -> Result<&'static Class, LoadError> {
        let broken = |why: String| LoadError::Format { class: name.to_string(), why };
        let file = lazuli_classfile::outline(found.bytes).map_err(|error| broken(error.to_string()))?;
        let newest = NEWEST_MAJOR.min(self.jdk().feature() as u16 + FIRST_MAJOR);
        if file.major_version > newest {
            return Err(LoadError::Version {
                class: name.to_string(),
                major: file.major_version,
                minor: file.minor_version,
                newest,
            });
        }
        if *file.this_class != *name {
            return Err(LoadError::Misnamed { class: name.to_string(), found: file.this_class.to_string() });
        }
        let super_class = match &file.super_class {
            Some(parent) => Some(self.load_under(parent, pending)?),
            None => None,
        };
        if super_class.is_none() && name != "java/lang/Object" {
            return Err(broken("only java.lang.Object has no superclass".into()));
        }
        let mut interfaces = Vec::new();
        for interface in &file.interfaces {
            interfaces.push(self.load_under(interface, pending)?);
        }
        let flags = file.access_flags.bits();
        self.check_supertypes(name, flags, super_class, &interfaces)?;
        let file: &'static ClassFile<'static> = Box::leak(Box::new(file));
        let class = self.lay_out(name, flags, super_class, interfaces, found, file)?;
        Ok(self.define(class))
    }

    /// JVMS §5.3.5: a superclass is a class that may be extended, a superinterface an interface.
    fn check_supertypes(
        &self,
        name: &str,
        flags: u16,
        super_class: Option<&'static Class>,
        interfaces: &[&'static Class],
    ) -> Result<(), LoadError> {
        let incompatible = |what: String| Err(LoadError::Incompatible(what));
        let name = name.replace('/', ".");
        if let Some(parent) = super_class {
            if parent.is_interface() {
                return incompatible(format!("class {name} has interface {} as super class", parent.java_name()));
            }
            if parent.access & access::FINAL != 0 {
                return incompatible(format!("class {name} cannot inherit from final class {}", parent.java_name()));
            }
            if flags & access::INTERFACE != 0 && parent.name != "java/lang/Object" {
                return incompatible(format!("interface {name} extends {}", parent.java_name()));
            }
        }
        match interfaces.iter().find(|interface| !interface.is_interface()) {
            Some(wrong) => incompatible(format!(
                "class {name} can not implement {}, because it is not an interface",
                wrong.java_name()
            )),
            None => Ok(()),
        }
    }

    fn lay_out(
        &self,
        name: &str,
        flags: u16,
        super_class: Option<&'static Class>,
        interfaces: Vec<&'static Class>,
        found: ClassBytes,
        file: &'static ClassFile<'static>,
    ) -> Result<Class, LoadError> {
        let broken = |why: String| LoadError::Format { class: name.to_string(), why };
        let mut fields = Vec::new();
        for info in &file.fields {
            let constant = info.attributes.iter().find_map(|attribute| match &attribute.data {
                AttributeData::ConstantValue(constant) => Some(self.constant_of(constant)),
                _ => None,
            });
            fields.push((
                self.intern_name(&info.name),
                self.intern_name(&info.descriptor.to_string()),
                info.access_flags.bits(),
                constant,
            ));
        }
        let mut methods = Vec::new();
        for info in &file.methods {
            let descriptor = self.intern_name(&info.descriptor.to_string());
            let (parameters, result) =
                descriptor::kinds(descriptor).ok_or_else(|| broken(format!("bad descriptor {descriptor}")))?;
            methods.push(Method {
                id: MethodId(u32::MAX),
                name: self.intern_name(&info.name),
                descriptor,
                access: info.access_flags.bits(),
                arguments: parameters.len() as u32 + (info.access_flags.bits() & access::STATIC == 0) as u32,
                parameters,
                result,
                vindex: None,
                hidden: is_hidden(&info.attributes),
                class: OnceLock::new(),
                code: OnceLock::new(),
                used: Default::default(),
                native: None,
                symbolic: None,
                watched: None,
                guide: None,
                names: None,
            });
        }
        let blank = Class {
            access: flags,
            file: Some(file),
            bytes: Some(found.bytes),
            ..Class::blank(self.intern_name(name), found.origin)
        };
        Ok(self.assemble(blank, super_class, interfaces, fields, methods))
    }

    /// Completes a class from its parts: field slots, method table, supertypes. Also used for synthetic classes.
    pub(super) fn assemble(
        &self,
        blank: Class,
        super_class: Option<&'static Class>,
        interfaces: Vec<&'static Class>,
        fields: Vec<(&'static str, &'static str, u16, Option<ConstantValue>)>,
        methods: Vec<Method>,
    ) -> Class {
        let name = blank.name;
        // Slots of superclasses come first and keep their numbers, so that a slot means the same field in all subclasses.
        // Static fields are numbered on their own: they live in the mirror.
        let mut defaults = super_class.map_or(Vec::new(), |parent| parent.defaults.to_vec());
        let mut static_defaults = Vec::new();
        let fields = fields.into_iter().map(|(name, descriptor, flags, constant)| {
            let kind = Kind::of_descriptor(descriptor);
            let table = if flags & access::STATIC != 0 { &mut static_defaults } else { &mut defaults };
            let slot = table.len() as u32;
            table.push(match constant {
                Some(ConstantValue::Value(value)) if flags & access::STATIC != 0 => value,
                _ => kind.default_value(),
            });
            Field { name, descriptor, kind, access: flags, slot, constant }
        });
        let fields: Vec<Field> = fields.collect();
        // A node of a hash table has room for the hash code of its key where that is a term (`interp/tables`). Code has no name for it.
        if name == HASH_NODE {
            defaults.push(Value::NULL);
        }
        let is_inherited = super_class.is_some_and(|parent| parent.has_variables);
        let has_variables = is_inherited || blank.file.is_some_and(has_variable_fields);
        let is_interface = blank.access & access::INTERFACE != 0;
        let mut vtable =
            if is_interface { Vec::new() } else { super_class.map_or(Vec::new(), |parent| parent.vtable.clone()) };
        let mut by_signature = HashMap::new();
        let mut placed = Vec::new();
        for (index, mut method) in methods.into_iter().enumerate() {
            by_signature.insert((method.name, method.descriptor), index);
            method.native = self.natives.find(name, method.name, method.descriptor);
            method.symbolic = self.natives.find_symbolic(name, method.name, method.descriptor);
            method.watched = self.natives.find_watch(name, method.name, method.descriptor);
            method.guide = self.natives.find_guide(name, method.name, method.descriptor);
            // A method takes the places of all that it overrides (JVMS §5.4.5); there may be several, if package-private methods
            // of different packages have the same signature. A method that overrides none gets a new place.
            let overrides = (!is_interface && is_virtual(&method)).then(|| {
                vtable
                    .iter()
                    .enumerate()
                    .filter(|(_, other)| can_override(name, &method, other))
                    .map(|(at, _)| at)
                    .collect::<Vec<_>>()
            });
            if let Some(overrides) = &overrides {
                method.vindex = Some(overrides.first().copied().unwrap_or(vtable.len()) as u32);
            }
            let mut method = Some(method);
            let at = self.methods.push_with(|index| {
                let method = Method { id: MethodId(index as u32), ..method.take().expect("called once") };
                Box::leak(Box::new(method))
            });
            let method = self.methods[at];
            if let Some(overrides) = overrides {
                if overrides.is_empty() {
                    vtable.push(method);
                }
                for at in overrides {
                    vtable[at] = method;
                }
            }
            placed.push(method);
        }
        // The transitive closure, sorted for the binary search in `is_subtype_of`.
        let mut supertypes: Vec<ClassId> = super_class
            .into_iter()
            .chain(interfaces.iter().copied())
            .flat_map(|parent| parent.supertypes.iter().copied().chain([parent.id]))
            .collect();
        supertypes.sort();
        supertypes.dedup();
        let hold = match name {
            "java/lang/ref/SoftReference" => Hold::Soft,
            "java/lang/ref/WeakReference" | "java/lang/ref/PhantomReference" => Hold::Weak,
            _ => super_class.map_or(Hold::Strong, |parent| parent.hold),
        };
        Class {
            super_class,
            interfaces,
            hold,
            fields,
            methods: placed,
            by_signature,
            vtable,
            defaults: defaults.into(),
            static_defaults: static_defaults.into(),
            supertypes: supertypes.into(),
            has_variables,
            ..blank
        }
    }

    fn constant_of(&self, constant: &LiteralConstant) -> ConstantValue {
        match constant {
            LiteralConstant::Integer(value) => ConstantValue::Value(Value::Int(*value)),
            LiteralConstant::Float(value) => ConstantValue::Value(Value::Float(*value)),
            LiteralConstant::Long(value) => ConstantValue::Value(Value::Long(*value)),
            LiteralConstant::Double(value) => ConstantValue::Value(Value::Double(*value)),
            LiteralConstant::String(text) => ConstantValue::String(self.intern_str(text)),
            LiteralConstant::StringBytes(bytes) => {
                ConstantValue::String(self.intern_utf16(descriptor::modified_utf8(bytes)))
            }
        }
    }

    /// The body of a method. All bodies of a class are translated when the first is needed.
    pub fn code(&self, method: &'static Method) -> Result<&'static super::Code, LoadError> {
        self.mark(method);
        self.code_unmarked(method)
    }

    /// The same where the caller takes care of what is to be marked.
    pub(super) fn code_unmarked(&self, method: &'static Method) -> Result<&'static super::Code, LoadError> {
        if let Some(code) = method.code.get() {
            return Ok(code);
        }
        let class = method.class();
        class.codes.get_or_init(|| self.translate_bodies(class)).as_ref().map_err(Clone::clone)?;
        let no_body =
            || LoadError::Format { class: class.name.to_string(), why: format!("method {} has no body", method.name) };
        method.code.get().ok_or_else(no_body)
    }

    /// Hands out the bodies of a class. Those of the user are verified first; the JDK's are trusted, as HotSpot does.
    fn translate_bodies(&self, class: &'static Class) -> Result<Option<LoadError>, LoadError> {
        let codes = self.translated(class)?;
        let unknown = if class.is_users() { self.verify_all(class, &codes)? } else { None };
        for (method, mut code) in codes {
            super::fuse::fuse(&mut code.ops);
            let _ = method.code.set(code);
        }
        Ok(unknown)
    }

    /// Why a JVM would refuse a class that an exploration has used, if it would: its verification needs one that cannot be loaded.
    pub fn refused_by_jvm(&self) -> Option<LoadError> {
        self.classes.iter().find_map(|(_, class)| class.codes.get()?.as_ref().ok()?.clone())
    }

    /// Translates and verifies all bodies of a class, wherever it comes from, and says how many there are.
    pub fn verify(&self, class: &'static Class) -> Result<usize, LoadError> {
        let codes = self.translated(class)?;
        self.verify_all(class, &codes)?;
        Ok(codes.len())
    }

    /// Decodes, translates and verifies a class file that is not part of the program: what the front end does with any bytes.
    pub fn examine(&self, bytes: &[u8]) -> Result<usize, LoadError> {
        let broken = |why: String| LoadError::Format { class: "this class".to_string(), why };
        let outline = lazuli_classfile::outline(bytes).map_err(|error| broken(error.to_string()))?;
        let file = lazuli_classfile::with_instructions(bytes, &outline).map_err(|error| broken(error.to_string()))?;
        let mut bodies = 0;
        for info in &file.methods {
            let descriptor = self.intern_name(&info.descriptor.to_string());
            let flags = info.access_flags.bits();
            let (parameters, _) = descriptor::kinds(descriptor).ok_or_else(|| broken(descriptor.to_string()))?;
            for attribute in &info.attributes {
                if let AttributeData::Code(body) = &attribute.data {
                    let code = translate::translate(self, body, flags, &parameters)
                        .map_err(|error| broken(error.to_string()))?;
                    let receiver = (flags & access::STATIC == 0).then_some(self.known().object.name);
                    let verified = verify::verify(&code, receiver, descriptor, &mut verify::ClassHierarchy::ignored());
                    verified.map_err(|violation| broken(violation.what.to_string()))?;
                    bodies += 1;
                }
            }
        }
        Ok(bodies)
    }

    fn translated(&self, class: &'static Class) -> Result<Vec<(&'static Method, Code)>, LoadError> {
        let broken = |why: String| LoadError::Format { class: class.name.to_string(), why };
        let (Some(bytes), Some(outline)) = (class.bytes, class.file) else { return Ok(Vec::new()) };
        let file = lazuli_classfile::with_instructions(bytes, outline).map_err(|error| broken(error.to_string()))?;
        let mut codes = Vec::new();
        for (method, info) in class.methods.iter().zip(&file.methods) {
            let body = info.attributes.iter().find_map(|attribute| match &attribute.data {
                AttributeData::Code(code) => Some(code),
                _ => None,
            });
            if let Some(body) = body {
                let code = translate::translate(self, body, method.access, &method.parameters)
                    .map_err(|why| broken(format!("method {}{}: {why}", method.name, method.descriptor)))?;
                codes.push((*method, code));
            }
        }
        Ok(codes)
    }

    /// Says why a JVM would refuse what is found harmless here, if it would.
    fn verify_all(&self, class: &Class, codes: &[(&'static Method, Code)]) -> Result<Option<LoadError>, LoadError> {
        let mut classes = verify::ClassHierarchy::of(self);
        for (method, code) in codes {
            let receiver = (!method.is_static()).then_some(class.name);
            verify::verify(code, receiver, method.descriptor, &mut classes).map_err(|violation| LoadError::Verify {
                class: class.java_name(),
                method: format!("{}{}", method.name, method.descriptor),
                offset: violation.offset,
                why: violation.what,
            })?;
        }
        if let Some(error) = classes.missing().filter(|_| self.is_strict) {
            return Err(error);
        }
        for (_, code) in codes {
            let caught = code.handlers.iter().filter_map(|handler| handler.catches);
            caught.for_each(|site| classes.note_unknown(code.classes[site as usize].name));
        }
        Ok(classes.unknown())
    }
}

fn is_virtual(method: &Method) -> bool {
    // Signature-polymorphic methods are final and native with a variable number of arguments. Their calls need the call site,
    // and so must not take the short way through the vtable.
    let polymorphic = access::FINAL | access::NATIVE | access::VARARGS;
    let is_own = method.access & (access::STATIC | access::PRIVATE) == 0 && !method.name.starts_with('<');
    is_own && method.access & polymorphic != polymorphic
}

/// JVMS §5.4.5: same signature, and visible to the overriding class.
fn can_override(class: &str, method: &Method, other: &Method) -> bool {
    if other.name != method.name || other.descriptor != method.descriptor {
        return false;
    }
    let package = class.rsplit_once('/').map_or("", |(package, _)| package);
    other.access & (access::PUBLIC | access::PROTECTED) != 0 || other.class().package() == package
}

/// HotSpot leaves methods marked so by the JDK out of stack traces, and those that only stand for what a call site means.
fn is_hidden(attributes: &[lazuli_classfile::format::attributes::AttributeInfo]) -> bool {
    attributes.iter().any(|attribute| match &attribute.data {
        AttributeData::RuntimeVisibleAnnotations(annotations) => annotations.iter().any(|annotation| {
            let name = annotation.type_descriptor.to_string();
            ["/Hidden;", "LambdaForm$Hidden;", "MethodHandle$PolymorphicSignature;"]
                .iter()
                .any(|mark| name.ends_with(mark))
        }),
        _ => false,
    })
}
