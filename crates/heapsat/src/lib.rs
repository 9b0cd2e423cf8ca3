//! Which inputs are valid, as one propositional problem?
//!
//! Heaps are relations over a few atoms, and the invariant is translated, as bytecode, into a circuit over them: all ways through it at
//! once, merged where they meet, instead of one after the other. A SAT solver then says at once whether what a path knows about its
//! input can be completed to a valid one, however many candidates there are. Everything here is one-sided: what it proves
//! impossible is, and what it finds possible is run by the interpreter before anybody believes it.
//!
//! Jackson's relational logic as TACO uses it for Java (Galeotti and others, ISSTA 2010; TSE 2013), with the invariant as it is.

mod activation;
mod afterwards;
mod arrays;
mod backbone;
mod by_object;
mod calls;
mod classes;
mod closure;
mod collections;
mod contract;
mod cores;
pub mod decode;
mod economy;
mod events;
mod exceptions;
mod facts;
mod fields;
mod flow;
mod fresh;
mod guide;
mod identity;
mod instructions;
mod meaning;
mod near;
mod once;
mod rank;
mod recursion;
mod rounds;
mod stack;
mod strangers;
mod strings;
mod tight;
mod translate;
mod universe;
mod way;

pub mod audit;
pub mod oracle;
pub mod whole;

pub use backbone::{Backbone, BackboneField, Fact, FieldValue, Referent, Sort};
pub use economy::Economy;
pub use guide::{Guide, Held};
use lazuli_vm::reason::Untranslated;

/// Why there is no circuit for an invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It uses what is not translated: what, and the method and the line, if it is code.
    #[error("{0}{at} is not translated", at = place(.1))]
    Unsupported(Untranslated, Option<String>),
    /// The circuit would be too large to be of use.
    #[error("it would be too large")]
    TooLarge,
    #[error("it would take too long to make")]
    OutOfTime,
    /// It needs a class, by its number, that is not initialised.
    #[error("it needs a class that is not initialised")]
    Late(u32),
    /// It calls what nobody had looked at when it was decided how many bits numbers need.
    #[error("it calls what was not foreseen")]
    Unforeseen,
    /// Something may throw while objects of a set are gone through, so that it matters in which order they come.
    #[error("it depends on the order of objects")]
    Unordered,
}

fn place(at: &Option<String>) -> String {
    at.as_ref().map_or(String::new(), |at| format!(", at {at},"))
}

impl Refusal {
    /// Of something that is no code.
    pub fn unsupported(what: impl Into<Untranslated>) -> Refusal {
        Refusal::Unsupported(what.into(), None)
    }
}
