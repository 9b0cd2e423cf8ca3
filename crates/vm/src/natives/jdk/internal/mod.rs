//! Models for the packages `jdk.internal.*`.

mod loader;
mod memory;
mod misc;
mod properties;
mod reflect;
mod unsafe_;

pub(crate) use reflect::is_caller_sensitive;
pub(crate) use unsafe_::{offset_of, slot_at};

use crate::natives::Models;

const FILES: &[&[Models]] = &[loader::MODELS, misc::MODELS, properties::MODELS, reflect::MODELS, unsafe_::MODELS];

/// Models that understand what is not known.
const OF_UNKNOWNS: &[&[Models]] = &[reflect::CALLS, unsafe_::ACCESSES];

/// Lists the models of the packages `jdk.internal.*`.
pub(crate) fn models() -> impl Iterator<Item = Models> {
    FILES.iter().chain(OF_UNKNOWNS).copied().flatten().copied()
}

/// Lists those models that also apply when arguments are not all known.
pub(crate) fn unknown_models() -> impl Iterator<Item = Models> {
    OF_UNKNOWNS.iter().copied().flatten().copied()
}
