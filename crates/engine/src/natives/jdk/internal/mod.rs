//! Models for the packages `jdk.internal.*`.

mod loader;
mod memory;
mod misc;
mod properties;
mod reflect;
mod unsafe_;

pub use reflect::is_caller_sensitive;
pub use unsafe_::{offset_of, slot_at};

use crate::natives::Models;

const FILES: &[&[Models]] = &[loader::MODELS, misc::MODELS, properties::MODELS, reflect::MODELS, unsafe_::MODELS];

pub fn models() -> impl Iterator<Item = Models> {
    FILES.iter().copied().flatten().copied()
}
