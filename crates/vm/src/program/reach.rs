//! Which methods collect what can be reached, and over which fields?
//!
//! Their code computes it with a queue and a set. A technique that executes all heaps at once needs the result in closed form.

use super::Program;
use super::class::{Class, Field, Method};

/// The result of such a method: it takes a reference, and gives the objects that fields lead to from there, the first one included.
#[derive(Clone)]
pub struct Reach {
    /// Objects of other classes are neither collected nor followed.
    pub class: &'static Class,
    /// The fields that are followed, and the classes that declare them.
    pub fields: Vec<(&'static Class, &'static Field)>,
    /// Does it give the objects in a row, for a loop to go through, or as a set?
    pub gives_row: bool,
}

impl Program {
    /// This is what the code of the method comes to.
    pub fn collects(&self, method: &'static Method, reach: Reach) {
        self.reaches.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(method.id, reach);
    }

    /// The objects that a method collects, if `collects` registered it.
    pub fn collected_by(&self, method: &'static Method) -> Option<Reach> {
        self.reaches.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&method.id).cloned()
    }
}
