//! Models for the package `java.lang.invoke`.
//!
//! The JDK's own code looks up members, checks access and computes types. Its lambda forms are not run: method handles are
//! objects of a class of Lazuli's (`handles`), and variable handles are the JDK's objects with modelled accesses (`variables`).

mod handles;
pub(super) mod members;
mod variables;

use crate::natives::Models;

/// Lists the models of `java.lang.invoke`.
pub(super) fn models() -> impl Iterator<Item = Models> {
    [handles::MODELS, members::MODELS, variables::MODELS].into_iter().flatten().copied()
}
