//! How does text leave Lazuli, on a terminal or into a file?
//!
//! Names come from class files and may hold anything; files are named by users and projects. [`visible`] escapes control characters for a
//! terminal, [`escape`] markup for HTML, [`numbers`] and [`units`] write and read quantities, [`safe`] writes files.
//!
//! Invariants: a text that went through [`visible`] has no character that a terminal obeys or that changes the order of others; a file
//! is replaced as a whole, and never written through a link unless the user named it.
//!
//! Deliberately absent: everything about Java. The crates that write Java source, tables and reports share these functions.

#![warn(missing_docs, unreachable_pub)]

pub mod escape;
pub mod numbers;
pub mod safe;
pub mod units;
pub mod visible;
