//! What does a Java program do, step by step, also where its inputs are unknown?
//!
//! The nouns in reading order: `program` (classes and code), `value`, `heap`, `frame`, `state`, `symbols` (inputs and what a path assumes
//! of them). The verb: `interp`, with `natives` for code that is not bytecode and `boot` for the start of the JDK's own library. Where
//! the program depends on something unknown, the interpreter stops with a [`outcome::Question`]; `universe` lists every object that an
//! input may be.
//!
//! Invariants: a [`state::State`] is everything that one path knows, and forks in constant time; the interpreter never guesses, it asks or
//! ends as unsupported. Deliberately absent: techniques, solvers, contracts. The crates above drive the interpreter and choose the answers.

#![warn(missing_docs, unreachable_pub)]

pub mod ambient;
pub mod boot;
pub mod contracts;
pub mod frame;
mod garbage;
pub mod heap;
pub mod host;
pub mod interp;
pub mod library;
pub mod natives;
pub mod outcome;
pub mod program;
pub mod property;
pub mod reason;
pub mod snapshot;
pub mod state;
pub mod symbols;
pub mod threads;
pub mod universe;
pub mod unknown_code;
pub mod untold;
pub mod value;
pub mod whole;
