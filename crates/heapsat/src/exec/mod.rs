//! How is bytecode executed on all inputs at once? Each path carries a guard; paths that meet are merged with if-then-else gates.

pub(crate) mod arrays;
pub(crate) mod calls;
pub(crate) mod context;
pub(crate) mod exceptions;
pub(crate) mod executor;
pub(crate) mod feasibility;
pub(crate) mod fields;
pub(crate) mod flow;
pub(crate) mod instructions;
pub(crate) mod merge;
pub(crate) mod path;
pub(crate) mod renaming;
pub(crate) mod run;
pub(crate) mod value;
