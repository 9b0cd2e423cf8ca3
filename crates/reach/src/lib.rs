//! Which calls make this input?
//!
//! Four answers, from the user's to the machine's: a [`recipe`] names the methods of a class that may make its objects; a [`workshop`] has all
//! those that the code around the class may call; a [`call_sequence`] has the calls that a path has made
//! by either; and [`sequence`] looks for the shortest calls that make a snapshot which is given. A [`plan`] says it
//! as statements, which the interpreter performs.
//!
//! Invariant: a plan is never believed, it is run, and what it made is compared with the snapshot. Deliberately absent: paths and
//! techniques (`lazuli-explore` asks here), and Java source (`lazuli-testgen` writes it).

#![warn(missing_docs, unreachable_pub)]

pub mod call_sequence;
pub mod kept;
mod library_values;
mod nest;
pub mod observer;
pub mod plan;
pub mod recipe;
pub mod sequence;
pub mod workshop;
