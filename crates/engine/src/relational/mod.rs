//! Which inputs are valid, as one propositional problem?
//!
//! Heaps are relations over a few atoms, and the invariant is translated, as bytecode, into a circuit over them: all ways through it at
//! once, merged where they meet, instead of one after the other. A SAT solver then says at once whether what a path knows about its
//! input can be completed to a valid one, however many candidates there are. Everything here is one-sided: what it proves
//! impossible is, and what it finds possible is run by the interpreter before anybody believes it.
//!
//! Jackson's relational logic as TACO uses it for Java (Galeotti and others, ISSTA 2010; TSE 2013), with the invariant as it is.

mod activation;
mod by_object;
mod collections;
mod contract;
mod cores;
pub mod decode;
mod events;
mod exceptions;
mod flow;
mod instructions;
mod meaning;
mod rank;
mod recursion;
mod stack;
mod translate;
mod universe;
mod way;

pub mod audit;
pub mod oracle;
pub mod whole;

/// Why there is no circuit for an invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It uses what is not translated: what, and where.
    #[error("{0} is not translated")]
    Unsupported(String),
    /// The circuit would be too large to be of use.
    #[error("it would be too large")]
    TooLarge,
    #[error("it would take too long to make")]
    OutOfTime,
}
