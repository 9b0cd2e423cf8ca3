//! What do method handles call? A table that, like the classes, only grows and is shared by all states.
//!
//! A handle object holds an index into the table, so that it can be copied with its heap. For each type with which a handle
//! is called, the target has an adapter: a synthetic static method that converts the arguments and makes the call.

use std::collections::HashMap;
use std::sync::{OnceLock, RwLock};

use lazuli_classfile::format::constant_pool::ReferenceKind;

use super::class::{Class, Field, Method};

/// A method or field that a handle accesses.
#[derive(Clone, Copy)]
pub enum Member {
    /// A method or a constructor.
    Method(&'static Method),
    /// A field, and the class that declares it.
    Field(&'static Class, &'static Field),
}

/// A method, constructor or field with the way in which it is accessed (JVMS §5.4.3.5).
pub struct HandleTarget {
    /// The way in which the member is accessed: read, written, called, constructed.
    pub kind: ReferenceKind,
    /// The class through which the member was named: the type of the receiver, or of what a constructor makes.
    pub class: &'static Class,
    /// The method or field itself.
    pub member: Member,
    adapters: RwLock<HashMap<String, &'static Method>>,
}

/// The method handles of a program, shared by all states.
#[derive(Default)]
pub struct Handles {
    targets: boxcar::Vec<HandleTarget>,
    by_identity: RwLock<HashMap<String, usize>>,
    /// The code of `invoke` and `invokeExact` instructions, by method and descriptor.
    sites: RwLock<HashMap<(&'static str, &'static str), &'static Method>>,
    /// The class of all handle objects.
    class: OnceLock<&'static Class>,
}

impl Member {
    /// The simple name of the method or field.
    pub fn name(&self) -> &'static str {
        match self {
            Member::Method(method) => method.name,
            Member::Field(_, field) => field.name,
        }
    }

    /// The class that declares the member, which may be above the one that names it.
    pub fn declaring_class(&self) -> &'static Class {
        match self {
            Member::Method(method) => method.class(),
            Member::Field(class, _) => class,
        }
    }
}

impl Handles {
    /// The class of all handle objects; `make` is asked when the first one is made.
    pub fn class<E>(&self, make: impl FnOnce() -> Result<&'static Class, E>) -> Result<&'static Class, E> {
        match self.class.get() {
            Some(class) => Ok(class),
            None => {
                let made = make()?;
                Ok(self.class.get_or_init(|| made))
            }
        }
    }

    /// The index of the target, which is the same for equal targets.
    pub fn index_of(&self, kind: ReferenceKind, class: &'static Class, member: Member) -> usize {
        let descriptor = match member {
            Member::Method(method) => method.descriptor,
            Member::Field(_, field) => field.descriptor,
        };
        let declaring = member.declaring_class().id.index();
        let key = format!("{kind:?} {} {declaring} {} {descriptor}", class.id.index(), member.name());
        let mut known = self.by_identity.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        *known
            .entry(key)
            .or_insert_with(|| self.targets.push(HandleTarget { kind, class, member, adapters: RwLock::default() }))
    }

    /// Looks up a target by the index that a handle object holds.
    pub fn target(&self, index: usize) -> Option<&HandleTarget> {
        self.targets.get(index)
    }

    /// The code of an `invoke` or `invokeExact` instruction; `make` is asked when it is first reached.
    pub fn site<E>(
        &self,
        name: &'static str,
        descriptor: &'static str,
        make: impl FnOnce() -> Result<&'static Method, E>,
    ) -> Result<&'static Method, E> {
        cached(&self.sites, (name, descriptor), make)
    }
}

impl HandleTarget {
    /// The adapter of that key; `make` is asked when it is first needed.
    pub fn adapter<E>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<&'static Method, E>,
    ) -> Result<&'static Method, E> {
        if let Some(known) = self.adapters.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(key) {
            return Ok(known);
        }
        cached(&self.adapters, key.to_string(), make)
    }
}

/// Two threads may both make the value; the first one stays.
fn cached<K: std::hash::Hash + Eq, E>(
    table: &RwLock<HashMap<K, &'static Method>>,
    key: K,
    make: impl FnOnce() -> Result<&'static Method, E>,
) -> Result<&'static Method, E> {
    if let Some(known) = table.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&key) {
        return Ok(known);
    }
    let made = make()?;
    Ok(table.write().unwrap_or_else(|poisoned| poisoned.into_inner()).entry(key).or_insert(made))
}
