//! Models for the package `java.lang`.

mod class;
mod math;
mod null_pointer;
mod object;
mod operand_sources;
mod strings;
mod system;
mod thread;
mod throwable;

use crate::natives::Models;

pub fn models() -> impl Iterator<Item = Models> {
    let files: [&[Models]; 8] = [
        class::MODELS,
        math::MODELS,
        null_pointer::MODELS,
        object::MODELS,
        strings::MODELS,
        system::MODELS,
        thread::MODELS,
        throwable::MODELS,
    ];
    files.into_iter().flatten().copied()
}
