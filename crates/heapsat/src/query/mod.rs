//! Which questions can be put to the circuit of an invariant?

pub(crate) mod build;
pub(crate) mod cores;
pub(crate) mod decode;
pub(crate) mod economy;
pub(crate) mod facts;
pub(crate) mod field_bounds;
pub(crate) mod guide;
pub(crate) mod oracle;
pub(crate) mod task;
