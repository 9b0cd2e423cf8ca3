//! Which bodies of the user's methods did a piece of work depend on?
//!
//! A body is read through [`Program::code`] alone, by the interpreter as well as by every analysis, and each reading leaves a mark. A period begins
//! with [`Program::begin_period`]; all that is marked until the next one is what the work in between has seen. The result of the work is a function of
//! these bodies, of what the classes declare, and of what it was asked.
//!
//! Invariant: no conclusion from a body outlives its period unmarked. Conclusions that the program keeps are forgotten when a period begins; results
//! that are kept elsewhere, and used again, bring their bodies with them ([`Program::uses_again`], [`Program::uses_everything`]).

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::{Class, Method, Program};

/// The current period.
pub(super) struct Period {
    number: AtomicU32,
    /// Is it unknown which bodies a result came from, so that all of them count?
    is_everything: AtomicBool,
    /// The classes of which it was asked whose fields they name.
    asked: Mutex<BTreeSet<&'static str>>,
}

impl Default for Period {
    fn default() -> Period {
        // A method that was never read has the mark 0.
        Period { number: AtomicU32::new(1), is_everything: AtomicBool::new(false), asked: Mutex::default() }
    }
}

impl Program {
    /// From now on, bodies count that are read from now on.
    pub fn begin_period(&self) {
        self.period.number.fetch_add(1, Ordering::Relaxed);
        self.period.is_everything.store(false, Ordering::Relaxed);
        self.period.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
        // Both are concluded from bodies, which a later question would not read again.
        self.reassigned.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
        self.constructed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }

    /// The methods of the user whose bodies were read in this period, in the order in which they were loaded.
    pub fn used(&self) -> Vec<&'static Method> {
        if self.period.is_everything.load(Ordering::Relaxed) {
            let all = self.users().iter().flat_map(|class| class.methods.iter().copied());
            return all.filter(|method| has_body(method)).collect();
        }
        let period = self.period.number.load(Ordering::Relaxed);
        let is_used = |method: &&'static Method| method.used.load(Ordering::Relaxed) == period && has_body(method);
        self.methods.iter().map(|(_, method)| *method).filter(is_used).collect()
    }

    /// The classes whose fields the bodies of a class name. That is taken for a part of what the class declares, so that a body counts as read only where
    /// more than this matters; the class itself is one of [`Program::asked_for_owners`].
    pub fn field_owners(&self, class: &'static Class) -> BTreeSet<&'static str> {
        self.period.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(class.name);
        let codes = class.methods.iter().filter_map(|method| self.code_unmarked(method).ok());
        codes.flat_map(|code| code.fields.iter().map(|site| site.class)).collect()
    }

    /// The classes whose bodies were read for the names of fields in this period. They must be usable in the same way, and that is all.
    pub fn asked_for_owners(&self) -> Vec<&'static str> {
        self.period.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).iter().copied().collect()
    }

    /// A result of an earlier period counts in this one.
    pub fn uses_again(&self, methods: &[&'static Method]) {
        methods.iter().for_each(|method| self.mark(method));
    }

    /// A result counts of which it is not known from which bodies it came.
    pub fn uses_everything(&self) {
        self.period.is_everything.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn mark(&self, method: &Method) {
        let period = self.period.number.load(Ordering::Relaxed);
        // Most calls are of methods that are marked already; a store would make threads wait for each other.
        if method.used.load(Ordering::Relaxed) != period {
            method.used.store(period, Ordering::Relaxed);
        }
    }
}

/// Does the body come from a class file of the user?
fn has_body(method: &Method) -> bool {
    let class = method.class();
    class.is_users() && class.file.is_some()
}
