//! How many bits does a number need, and what do instructions compute with these bits?

pub(crate) mod bit_widths;
pub(crate) mod saturating;
