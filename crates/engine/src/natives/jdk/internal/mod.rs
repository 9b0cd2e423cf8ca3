//! Models for the packages `jdk.internal.*`.

mod misc;
mod properties;
mod reflect;
mod unsafe_;

pub use unsafe_::{offset_of, slot_at};

use crate::natives::Models;

pub fn models() -> impl Iterator<Item = Models> {
    let files: [&[Models]; 4] = [misc::MODELS, properties::MODELS, reflect::MODELS, unsafe_::MODELS];
    files.into_iter().flatten().copied()
}
