//! Models for the packages `sun.*`.

use super::{Models, nothing};

pub fn models() -> impl Iterator<Item = Models> {
    MODELS.iter().copied()
}

const MODELS: &[Models] =
    &[("sun/nio/ch/IOUtil", &[("initIDs()V", nothing)]), ("sun/nio/fs/UnixNativeDispatcher", &[])];
