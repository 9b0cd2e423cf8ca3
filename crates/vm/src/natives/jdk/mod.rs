//! Models for the packages `jdk.internal.*`.

mod internal;

pub(super) use internal::{is_caller_sensitive, models, offset_of, slot_at, unknown_models};
