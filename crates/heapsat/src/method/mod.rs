//! Can a whole method break its contract on a valid input?

pub(crate) mod certificate;
pub(crate) mod check;
pub(crate) mod circuit;
pub(crate) mod problem;
pub(crate) mod state;
pub(crate) mod unrolling;
