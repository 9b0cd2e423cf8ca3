//! Models for the package `java.lang`.

pub mod class;
mod loader;
mod math;
mod members;
mod module;
mod object;
pub mod reflect;
mod strings;
mod system;
mod thread;
mod throwable;

use crate::natives::Models;

pub fn models() -> impl Iterator<Item = Models> {
    let files: [&[Models]; 11] = [
        class::MODELS,
        loader::MODELS,
        math::MODELS,
        members::MODELS,
        module::MODELS,
        object::MODELS,
        reflect::MODELS,
        strings::MODELS,
        system::MODELS,
        thread::MODELS,
        throwable::MODELS,
    ];
    files.into_iter().flatten().copied()
}
