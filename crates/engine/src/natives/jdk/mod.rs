//! Models for the packages `jdk.internal.*`.

mod internal;

pub use internal::models;
