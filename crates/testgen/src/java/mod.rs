//! How is a concrete input written as Java source?
//!
//! `body` turns a plan into statements, `program` makes a plain program of it that says what happens, `suite` makes a class of JUnit
//! tests, and `names` finds out what they are called. `clause` and `quantifier` write what a clause of JML asks, `helpers` what all that needs.

mod body;
mod clause;
mod helpers;
mod literal;
mod names;
mod program;
mod quantifier;
mod suite;

pub use clause::check_clause;
pub use literal::comment;
pub use names::{Told, capital, names};
pub use program::{replay, told};
pub use suite::{Suite, Test, class_name, is_ours};
