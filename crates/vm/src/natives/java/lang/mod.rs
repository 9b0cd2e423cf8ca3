//! Models for the package `java.lang`.

mod annotations;
pub(crate) mod class;
mod invoke;
pub(crate) mod loader;
pub(crate) mod math;
mod members;
mod module;
mod null_pointer;
pub(crate) mod object;
mod operand_sources;
pub(crate) mod reflect;
mod stack_walker;
mod strings;
pub(crate) mod system;
pub(crate) mod thread;
mod throwable;

use crate::natives::Models;

const FILES: &[&[Models]] = &[
    annotations::MODELS,
    class::MODELS,
    loader::MODELS,
    math::MODELS,
    members::MODELS,
    module::MODELS,
    null_pointer::MODELS,
    object::MODELS,
    reflect::MODELS,
    reflect::ELEMENTS,
    stack_walker::MODELS,
    strings::MODELS,
    system::MODELS,
    thread::MODELS,
    throwable::MODELS,
];

/// Lists the models of `java.lang` and its subpackages.
pub(crate) fn models() -> impl Iterator<Item = Models> {
    FILES.iter().copied().flatten().copied().chain(invoke::models())
}
