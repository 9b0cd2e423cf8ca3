//! Which objects, classes and field values may an input have, as propositional variables?

pub(crate) mod backbone;
pub(crate) mod classes;
pub(crate) mod identity;
pub(crate) mod opaque;
pub(crate) mod strings;
pub(crate) mod universe;
