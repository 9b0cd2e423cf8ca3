//! Models for the package `java.lang`.

pub mod class;
mod math;
mod members;
mod null_pointer;
mod object;
mod operand_sources;
pub mod reflect;
mod strings;
mod system;
mod thread;
mod throwable;

use crate::natives::Models;

pub fn models() -> impl Iterator<Item = Models> {
    let files: [&[Models]; 10] = [
        class::MODELS,
        math::MODELS,
        members::MODELS,
        null_pointer::MODELS,
        object::MODELS,
        reflect::MODELS,
        strings::MODELS,
        system::MODELS,
        thread::MODELS,
        throwable::MODELS,
    ];
    files.into_iter().flatten().copied()
}
