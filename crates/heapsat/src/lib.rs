//! Which inputs are valid, as one propositional problem?
//!
//! Heaps are relations over a few atoms, and the invariant is translated, as bytecode, into a circuit over them: all ways through it at
//! once, merged where they meet, instead of one after the other. A SAT solver then says at once whether what a path knows about its
//! input can be completed to a valid one, however many candidates there are. Everything here is one-sided: what it proves
//! impossible is, and what it finds possible is run by the interpreter before anybody believes it.
//!
//! Jackson's relational logic as TACO uses it for Java (Galeotti and others, ISSTA 2010; TSE 2013), with the invariant as it is.

mod atoms;
mod exec;
mod library;
mod method;
mod numbers;
mod query;
mod recursion;

pub use atoms::backbone::{Backbone, BackboneField, Fact, FieldValue, ObjectSort, Referent};
use lazuli_vm::reason::Untranslated;
pub use method::certificate::{Certificate, Vocabulary};
pub use method::problem::{
    Argument, Encoding, Goal, MethodCircuit, MethodCondition, Problem, SearchOutcome, Truncation, TruncationCause,
    ViolatedProperty,
};
pub use query::decode::{DecodedInput, DecodedObject, DecodedValue};
pub use query::economy::Economy;
pub use query::guide::{Guide, GuideValue};
pub use query::oracle::{Advice, AnalysedCode, Oracle, OracleRecipe, OracleTask};

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
