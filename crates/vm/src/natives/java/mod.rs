//! Models for the packages `java.*`.

pub(super) mod io;
pub(crate) mod lang;
mod security;
mod util;
mod zip;

use super::Models;

/// Lists the models of the packages `java.*`.
pub(crate) fn models() -> impl Iterator<Item = Models> {
    lang::models()
        .chain(io::MODELS.iter().copied())
        .chain(security::MODELS.iter().copied())
        .chain(util::MODELS.iter().chain(zip::MODELS).copied())
}
