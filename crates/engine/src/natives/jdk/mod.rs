//! Models for the packages `jdk.internal.*`.

mod internal;

pub use internal::{models, offset_of, slot_at};
