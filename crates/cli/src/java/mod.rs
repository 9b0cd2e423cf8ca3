//! How is a concrete input written as Java source?
//!
//! `body` turns a plan into statements, `program` makes a plain program of it that says what happens, `suite` makes a class of JUnit
//! tests, and `names` finds out what they are called.

mod body;
mod literal;
mod names;
mod program;
mod suite;

pub use names::{Told, capital, names};
pub use program::replay;
pub use suite::{Suite, Test, class_name, is_ours};
