//! How are recursive calls executed, whose depth depends on the input?

pub(crate) mod at_most_once;
pub(crate) mod call_graph;
pub(crate) mod loop_iterations;
pub(crate) mod per_object;
pub(crate) mod postcondition;
pub(crate) mod promises;
