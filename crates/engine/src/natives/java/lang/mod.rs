//! Models for the package `java.lang`.

mod class;
mod invoke;
mod math;
mod object;
mod strings;
mod system;
mod thread;
mod throwable;

use crate::natives::Models;

pub fn models() -> impl Iterator<Item = Models> {
    let files: [&[Models]; 7] =
        [class::MODELS, math::MODELS, object::MODELS, strings::MODELS, system::MODELS, thread::MODELS, throwable::MODELS];
    files.into_iter().flatten().copied().chain(invoke::models())
}
