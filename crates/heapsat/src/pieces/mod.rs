//! How is one problem split into pieces that partition the valid inputs, and how is a piece solved?

mod export;
pub(crate) mod piece;
pub(crate) mod solver;
pub(crate) mod tree;
