//! Executes Java bytecode. See ARCHITECTURE.md for the flow and the vocabulary.
//!
//! The nouns in reading order: `program` (classes and code), `value`, `heap`, `frame`, `state`. The verb: `interp`.

pub mod ambient;
pub mod boot;
pub mod contract;
pub mod explore;
pub mod frame;
mod garbage;
pub mod heap;
pub mod host;
pub mod interp;
pub mod making;
pub mod natives;
pub mod outcome;
pub mod program;
pub mod reason;
pub mod rehearse;
pub mod relational;
pub mod state;
pub mod structure;
pub mod symbols;
pub mod technique;
pub mod universe;
pub mod value;
