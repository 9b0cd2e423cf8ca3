//! What does a class declare, and what does each of its bodies say? As digests, so that the same question tells whether something has changed.
//!
//! The declaration of a class is its file without the bodies: flags, supertypes, fields, methods, annotations, nest, record components. It is digested as
//! decoded, with names in place of indices into the constant pool, which every edit moves; with the classes whose fields its bodies name, and with the interfaces of its lambdas. A class of a jar, or one that cannot be decoded, is digested as it is.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{Debug, Write};

use lazuli_classfile::ClassPath;
use lazuli_classfile::format::attributes::{AttributeData, AttributeInfo, CodeData};
use lazuli_classfile::format::bytecode::Opcode;
use lazuli_classfile::format::constant_pool::Loadable;
use lazuli_classfile::format::{ClassFile, MethodInfo};
use lazuli_classfile::{lambda_types, outline, with_instructions};
use lazuli_vm::program::{Class, Method, Program};
use sha2::{Digest, Sha256};

use crate::provenance::{ProvenanceError, hexadecimal};

/// The digests of bodies by the name and descriptor of their methods.
pub(super) type Bodies = BTreeMap<String, String>;

/// The classes of a program, digested as far as was asked.
pub(super) struct ClassDigests {
    /// Of all declarations together, with the names of the classes.
    pub declarations: String,
    bodies: RefCell<HashMap<&'static str, Option<Bodies>>>,
}

impl ClassDigests {
    pub(super) fn of(path: &ClassPath) -> Result<ClassDigests, ProvenanceError> {
        let mut sum = Sha256::new();
        for name in path.user_classes() {
            let bytes = path.supplied(&format!("{name}.class"))?.unwrap_or_default();
            let is_whole = is_in_jar(path, &name);
            add(&mut sum, &(&name, is_whole));
            match outline(&bytes) {
                Ok(file) if !is_whole => {
                    declaration(&mut sum, &file);
                    add(&mut sum, &(field_owners(&bytes, &file), lambda_types(&bytes)));
                }
                _ => {
                    sum.update((bytes.len() as u64).to_le_bytes());
                    sum.update(&bytes);
                }
            }
        }
        Ok(ClassDigests { declarations: hexadecimal(sum), bodies: RefCell::default() })
    }

    /// The bodies of a class as the program has it. None if it cannot be used, as it is or in part.
    pub(super) fn bodies(&self, program: &Program, class: &'static Class) -> Option<Bodies> {
        let digested = || {
            let bodies = digested(class)?;
            // A class is verified as a whole: one body that is wrong makes the others unusable.
            let is_usable =
                |method: &&'static Method| !bodies.contains_key(&named(method)) || program.code(method).is_ok();
            class.methods.iter().all(is_usable).then_some(bodies)
        };
        self.bodies.borrow_mut().entry(class.name).or_insert_with(digested).clone()
    }
}

/// Is the class one of a jar, whose bodies are part of the declaration?
pub(super) fn is_in_jar(path: &ClassPath, class: &str) -> bool {
    path.file_of(class).is_some_and(|file| file.contains("!/"))
}

/// `insert(I)V`
pub(super) fn named(method: &Method) -> String {
    format!("{}{}", method.name, method.descriptor)
}

fn declaration(sum: &mut Sha256, file: &ClassFile) {
    add(sum, &(file.major_version, file.minor_version, file.access_flags.bits(), &file.this_class, &file.super_class));
    add(sum, &file.interfaces);
    for field in &file.fields {
        add(sum, &(field.access_flags.bits(), &field.name, &field.descriptor, &field.attributes));
    }
    for method in &file.methods {
        add(sum, &(method.access_flags.bits(), &method.name, &method.descriptor));
        // A method with a body and one without are different declarations.
        add(sum, &body_of(method).is_some());
        without(sum, &method.attributes, |data| matches!(data, AttributeData::Code(_)));
    }
    // The arguments of dynamic call sites belong to the bodies that have them.
    without(sum, &file.attributes, |data| matches!(data, AttributeData::BootstrapMethods(_)));
}

/// The classes whose fields the bodies name (`Program::field_owners`). None if they cannot be decoded.
fn field_owners(bytes: &[u8], outline: &ClassFile) -> Option<BTreeSet<String>> {
    let file = with_instructions(bytes, outline).ok()?;
    let codes = file.methods.iter().filter_map(|method| body_of(method)?.bytecode.as_ref());
    let owner = |opcode: &Opcode| match opcode {
        Opcode::Getfield(field) | Opcode::Putfield(field) | Opcode::Getstatic(field) | Opcode::Putstatic(field) => {
            Some(field.class_name.to_string())
        }
        _ => None,
    };
    Some(codes.flat_map(|code| code.opcodes.iter().filter_map(|(_, opcode)| owner(opcode))).collect())
}

fn without(sum: &mut Sha256, attributes: &[AttributeInfo], is_left_out: impl Fn(&AttributeData) -> bool) {
    attributes.iter().filter(|attribute| !is_left_out(&attribute.data)).for_each(|attribute| add(sum, attribute));
}

fn digested(class: &Class) -> Option<Bodies> {
    let file = with_instructions(class.bytes?, class.file?).ok()?;
    let bootstraps = || file.attributes.iter().filter(|one| matches!(one.data, AttributeData::BootstrapMethods(_)));
    let mut bodies = Bodies::new();
    for method in &file.methods {
        let Some(code) = body_of(method) else { continue };
        let mut sum = Sha256::new();
        // Not its bytes, which have indices in them.
        add(&mut sum, &(code.max_stack, code.max_locals, &code.bytecode, &code.exception_table, &code.attributes));
        if has_dynamic_sites(code) {
            bootstraps().for_each(|attribute| add(&mut sum, attribute));
        }
        bodies.insert(format!("{}{}", method.name, method.descriptor), hexadecimal(sum));
    }
    Some(bodies)
}

fn body_of<'a, 'b>(method: &'b MethodInfo<'a>) -> Option<&'b CodeData<'a>> {
    method.attributes.iter().find_map(|attribute| match &attribute.data {
        AttributeData::Code(code) => Some(code),
        _ => None,
    })
}

/// Call sites and constants that bootstrap methods compute are numbers of entries in an attribute of the class.
fn has_dynamic_sites(code: &CodeData) -> bool {
    let is_dynamic = |opcode: &Opcode| match opcode {
        Opcode::Invokedynamic(_) => true,
        Opcode::Ldc(constant) | Opcode::LdcW(constant) | Opcode::Ldc2W(constant) => {
            matches!(constant, Loadable::Dynamic(_))
        }
        _ => false,
    };
    // A body that was not decoded counts as one that has some.
    code.bytecode.as_ref().is_none_or(|bytecode| bytecode.opcodes.iter().any(|(_, opcode)| is_dynamic(opcode)))
}

/// Adds what a value prints as, with a mark behind it that no printed value contains.
fn add(sum: &mut Sha256, value: &impl Debug) {
    struct Sink<'a>(&'a mut Sha256);
    impl Write for Sink<'_> {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.update(text);
            Ok(())
        }
    }
    let _ = write!(Sink(sum), "{value:?}");
    sum.update([0]);
}
