//! Can a whole method break its contract on a valid input?

pub(crate) mod certificate;
pub(crate) mod problem;
