//! How is a concrete input written as Java source?
//!
//! `body` turns a plan into statements, `program` makes a plain program of them that reports what happens, `suite` makes a class of
//! JUnit tests, and `names` finds their names. `clause` and `quantifier` translate a clause of JML, `helpers` has the methods that all of
//! this calls.

mod body;
mod clause;
mod helpers;
mod implementation;
mod literal;
mod names;
mod program;
mod quantifier;
mod suite;
mod whole;

pub use clause::check_clause;
pub use literal::comment;
pub use names::{TestDescription, capital, names};
pub use program::{MARKER, clause_label, replay, statements};
pub use suite::{Suite, Test, class_name, is_ours};
pub use whole::{AsksForObject, ProgramInput, VERIFIER, VERIFIER_SOURCE, whole_replay};
