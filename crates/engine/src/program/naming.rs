//! Who may name a class or use a member in Java source, and how is it written there? (JLS §6.6)

use lazuli_classfile::format::attributes::{AttributeData, InnerClassEntry};

use super::Program;
use super::class::{Class, Field, Form, Method, access};
use super::descriptor;
use super::resolve::readable_type;

impl Program {
    /// May source in a package (with slashes) name this type?
    pub fn can_name(&self, descriptor: &str, package: &str) -> bool {
        self.load_descriptor(descriptor).is_ok_and(|class| class.source_name(package).is_some())
    }

    /// May source in a package read and write the field of this class?
    pub fn can_use_field(&self, owner: &Class, field: &Field, package: &str) -> bool {
        is_open_to(field.access, owner.package() == package)
            && field.access & access::SYNTHETIC == 0
            && owner.source_name(package).is_some()
            && self.can_name(field.descriptor, package)
    }

    /// May source in a package call the method, and name the types of its parameters?
    pub fn can_call(&self, method: &Method, package: &str) -> bool {
        let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
        is_open_to(method.access, method.class().package() == package)
            && method.access & access::SYNTHETIC == 0
            && method.class().source_name(package).is_some()
            && parameters.iter().all(|parameter| self.can_name(parameter, package))
    }
}

impl Class {
    /// What a class says about its nested classes, and about itself and those around it if it is one.
    pub fn inner_classes(&self) -> impl Iterator<Item = &'static InnerClassEntry<'static>> {
        self.attributes().flat_map(|attribute| match attribute {
            AttributeData::InnerClasses(entries) => entries.as_slice(),
            _ => &[],
        })
    }

    /// The declaration of a nested class, which has its real access flags.
    pub fn nested_declaration(&self) -> Option<&'static InnerClassEntry<'static>> {
        self.declared_nesting(self.name)
    }

    /// How source in a package (with slashes) names the class: `Outer.Inner`, or `pkg.Outer.Inner` from elsewhere. None if it may not.
    pub fn source_name(&self, package: &str) -> Option<String> {
        match self.form {
            Form::Primitive(kind) => Some(readable_type(&kind.letter().to_string())),
            Form::Array { component } => Some(format!("{}[]", component.source_name(package)?)),
            Form::Ordinary => {
                let is_near = self.package() == package;
                let mut parts: Vec<&str> = Vec::new();
                let mut name = self.name;
                while let Some(entry) = self.declared_nesting(name) {
                    // A class without these is local or anonymous.
                    let (outer, inner) = (entry.outer_class_info.as_deref()?, entry.inner_name.as_deref()?);
                    if !is_open_to(entry.access_flags.bits(), is_near) {
                        return None;
                    }
                    parts.push(inner);
                    name = outer;
                }
                // The access flags of an outer class are its own business; in another package it must be public, as almost all are.
                let is_visible = is_near || !parts.is_empty() || self.access & access::PUBLIC != 0;
                let (found_in, simple) = name.rsplit_once('/').unwrap_or(("", name));
                let is_short = is_near || found_in == "java/lang";
                // A class of the unnamed package cannot be named from another one.
                if !is_visible || (found_in.is_empty() && !is_near) {
                    return None;
                }
                let outermost = if is_short { simple.to_string() } else { name.replace('/', ".") };
                parts.push(&outermost);
                parts.reverse();
                Some(parts.join("."))
            }
        }
    }

    /// Is it a nested class whose objects belong to an object of the class around it?
    pub fn is_inner(&self) -> bool {
        self.nested_declaration().is_some_and(|entry| entry.access_flags.bits() & access::STATIC == 0)
            && !self.is_interface()
    }

    fn declared_nesting(&self, name: &str) -> Option<&'static InnerClassEntry<'static>> {
        self.inner_classes().find(|entry| entry.inner_class_info == name)
    }
}

/// Is something with these flags open to source of the same package, or of another one?
fn is_open_to(flags: u16, is_near: bool) -> bool {
    if is_near { flags & access::PRIVATE == 0 } else { flags & access::PUBLIC != 0 }
}
