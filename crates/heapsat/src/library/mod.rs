//! Which library methods are modelled instead of executed?

pub(crate) mod collections;
pub(crate) mod contract;
pub(crate) mod reach;
pub(crate) mod unordered_set;
