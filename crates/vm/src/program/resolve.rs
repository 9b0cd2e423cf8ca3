//! What do the symbolic references in a method body mean? (JVMS §5.4.3)

use std::cell::RefCell;
use std::collections::BTreeSet;

use thiserror::Error;

use super::class::{Class, ClassId, Field, Method, access};
use super::code::{CallSite, ClassSite, FieldSite, ResolvedField};
use super::{LoadError, Program};
use crate::value::Kind;

/// Why a reference cannot be resolved. Each becomes the Java error that a JVM throws.
#[derive(Debug, Clone, Error)]
pub enum LinkError {
    /// The class that the reference names cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The class and its supertypes declare no such field: NoSuchFieldError.
    #[error("{message}")]
    NoSuchField {
        /// The name of the field.
        name: String,
        /// The words of the JVM.
        message: String,
    },
    /// The class and its supertypes declare no such method: NoSuchMethodError.
    #[error("{0}")]
    NoSuchMethod(String),
    /// The member is static and should not be, or the other way round: IncompatibleClassChangeError.
    #[error("{0}")]
    IncompatibleClassChange(String),
    /// The member is not accessible from here: IllegalAccessError.
    #[error("{0}")]
    IllegalAccess(String),
}

/// The static fields that code of one exploration uses, apart from initialisers, if they may change or may refer to an object that does.
#[derive(Default)]
pub struct UsedStatics(RefCell<BTreeSet<(ClassId, u32)>>);

impl UsedStatics {
    /// Notes a static field that the program may change.
    pub fn note(&self, field: &ResolvedField) {
        if field.is_variable {
            self.0.borrow_mut().insert((field.class.id, field.slot));
        }
    }

    /// Adds what another exploration noted.
    pub fn extend(&self, others: &UsedStatics) {
        self.0.borrow_mut().extend(others.0.borrow().iter());
    }
}

impl Program {
    /// Resolves a class reference once and caches the class in the site (JVMS §5.4.3.1).
    pub fn resolve_class(&self, site: &ClassSite) -> Result<&'static Class, LoadError> {
        if let Some(class) = site.resolved.get() {
            return Ok(class);
        }
        let class = self.load(site.name)?;
        Ok(site.resolved.get_or_init(|| class))
    }

    /// The error about a field that is not there. Its words are those of the JVM: from 21 on, they name class and type.
    pub(crate) fn no_such_field(&self, class: &Class, name: &str, descriptor: &str) -> LinkError {
        let message = if self.jdk().feature() < 21 {
            name.to_string()
        } else {
            format!("Class {} does not have member field '{} {name}'", class.java_name(), readable_type(descriptor))
        };
        LinkError::NoSuchField { name: name.to_string(), message }
    }

    /// Resolves a field reference once and caches the place in the site (JVMS §5.4.3.2).
    pub fn resolve_field(&self, site: &FieldSite, wants_static: bool) -> Result<ResolvedField, LinkError> {
        if let Some(resolved) = site.resolved.get() {
            return Ok(*resolved);
        }
        let class = self.load(site.class)?;
        let Some((owner, field)) = self.find_field(class, site.name, site.descriptor) else {
            return Err(self.no_such_field(class, site.name, site.descriptor));
        };
        if field.is_static() != wants_static {
            let expected = if wants_static { "static" } else { "non-static" };
            return Err(LinkError::IncompatibleClassChange(format!(
                "Expected {expected} field {}.{}",
                owner.java_name(),
                site.name
            )));
        }
        let resolved = ResolvedField {
            class: owner,
            slot: self.slot_of(field),
            kind: field.kind,
            is_static: field.is_static(),
            is_variable: self.is_variable(owner, field),
            access: field.access,
        };
        Ok(*site.resolved.get_or_init(|| resolved))
    }

    /// Is this a static field of the user's that may change, or may refer to an object that does?
    fn is_variable(&self, class: &Class, field: &Field) -> bool {
        let is_written = class.is_users() && class.file.is_some();
        field.is_static()
            && is_written
            && field.access & access::SYNTHETIC == 0
            && (field.access & access::FINAL == 0 || field.kind == Kind::Reference)
    }

    /// The static fields that were noted: their classes and slots, and their names with the class.
    pub fn named_statics(&self, used: &UsedStatics) -> Vec<(&'static Class, u32, String)> {
        let used = used.0.borrow();
        let named = used.iter().filter_map(|(class, slot)| {
            let class = self.class_at(class.index());
            let field = class.fields.iter().find(|own| own.is_static() && self.slot_of(own) == *slot)?;
            Some((class, *slot, format!("{}.{}", self.short_name(class), field.name)))
        });
        named.collect()
    }

    /// The field that a reference to `class` with this name and descriptor denotes, and the class that declares it.
    pub fn find_field(
        &self,
        class: &'static Class,
        name: &str,
        descriptor: &str,
    ) -> Option<(&'static Class, &'static Field)> {
        find_field(class, name, descriptor)
    }

    /// Where a field lives: in its object, or in the mirror of its class.
    pub fn slot_of(&self, field: &Field) -> u32 {
        if field.is_static() { self.known().first_static_slot + field.slot } else { field.slot }
    }

    /// Resolves a method reference once and caches the method in the site (JVMS §5.4.3.3, §5.4.3.4).
    pub fn resolve_call(&self, site: &CallSite) -> Result<&'static Method, LinkError> {
        if let Some(method) = site.resolved.get() {
            return Ok(method);
        }
        let class = self.load(site.class)?;
        let Some(method) = self.find_method(class, site.name, site.descriptor) else {
            let (parameters, result) = super::descriptor::method(site.descriptor).unwrap_or_default();
            let readable = |descriptor: &&str| readable_type(descriptor);
            let parameters: Vec<String> = parameters.iter().map(readable).collect();
            return Err(LinkError::NoSuchMethod(format!(
                "'{} {}.{}({})'",
                readable_type(result),
                class.java_name(),
                site.name,
                parameters.join(", ")
            )));
        };
        Ok(site.resolved.get_or_init(|| method))
    }

    /// The method that a reference to `class` with this name and descriptor denotes (JVMS §5.4.3.3, §5.4.3.4).
    pub fn find_method(&self, class: &'static Class, name: &str, descriptor: &str) -> Option<&'static Method> {
        let declared = class.chain().find_map(|class| {
            class.own_method(name, descriptor).or_else(|| {
                // The methods whose call sites each have a type of their own match by name alone (JVMS §2.9.3).
                class.methods.iter().copied().find(|method| method.name == name && method.is_signature_polymorphic())
            })
        });
        declared.or_else(|| self.interface_method(class, name, descriptor))
    }

    /// The implementation that a call of `method` reaches on an object of `class` (JVMS §5.4.6).
    pub fn select(&self, class: &'static Class, method: &'static Method) -> Option<&'static Method> {
        if method.is_private() {
            return Some(method);
        }
        if let Some(vindex) = method.vindex {
            return class.vtable.get(vindex as usize).copied();
        }
        let declared = class
            .chain()
            .filter_map(|class| class.own_method(method.name, method.descriptor))
            .find(|found| !found.is_static() && !found.is_private());
        declared.or_else(|| self.interface_method(class, method.name, method.descriptor))
    }

    /// The most specific method of the superinterfaces: a default method if there is one (JVMS §5.4.3.3).
    fn interface_method(&self, class: &'static Class, name: &str, descriptor: &str) -> Option<&'static Method> {
        let mut found: Vec<&'static Method> = Vec::new();
        let mut waiting: Vec<&'static Class> =
            class.chain().flat_map(|class| class.interfaces.iter().copied()).collect();
        let mut seen: Vec<&'static Class> = Vec::new();
        while let Some(interface) = waiting.pop() {
            if seen.iter().any(|other| other.id == interface.id) {
                continue;
            }
            seen.push(interface);
            found.extend(
                interface.own_method(name, descriptor).filter(|method| !method.is_static() && !method.is_private()),
            );
            waiting.extend(interface.interfaces.iter().copied());
        }
        let overridden = |method: &Method| {
            found.iter().any(|other| other.id != method.id && other.class().is_subtype_of(method.class()))
        };
        let most_specific: Vec<&'static Method> = found.iter().copied().filter(|method| !overridden(method)).collect();
        let concrete = most_specific.iter().copied().find(|method| !method.is_abstract());
        concrete.or_else(|| most_specific.first().copied())
    }
}

fn find_field(class: &'static Class, name: &str, descriptor: &str) -> Option<(&'static Class, &'static Field)> {
    let own = class.fields.iter().find(|field| field.name == name && field.descriptor == descriptor);
    if let Some(field) = own {
        return Some((class, field));
    }
    let inherited = class.interfaces.iter().find_map(|interface| find_field(interface, name, descriptor));
    inherited.or_else(|| find_field(class.super_class?, name, descriptor))
}

/// A descriptor as it is written in Java source.
pub fn readable_type(descriptor: &str) -> String {
    let dimensions = descriptor.bytes().take_while(|byte| *byte == b'[').count();
    let element = super::descriptor::class_name(&descriptor[dimensions..]);
    format!("{}{}", element.replace('/', "."), "[]".repeat(dimensions))
}
