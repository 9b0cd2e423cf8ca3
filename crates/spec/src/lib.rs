//! What may a method rely on, and what does it owe?
//!
//! A contract comes from the user's own methods (`repOK`, a precondition, a postcondition) and from clauses in JML, which `jml` compiles
//! to methods of synthetic classes: so a clause has one meaning, that of its code, and the crates above execute or translate
//! obligations without knowing where they come from.
//!
//! Invariant: an obligation is a method that returns a boolean, and the arguments that it takes. Deliberately absent: how obligations are
//! checked. `lazuli-explore` runs them path by path, `lazuli-heapsat` translates them.

#![warn(missing_docs, unreachable_pub)]

mod contract;
mod invariant;
mod jml;
mod obligation;
mod options;
mod property;
mod source;

pub use contract::{
    ConditionRole, Contract, ContractError, MissingCondition, Precondition, arguments_of, invariant_of,
    parameter_classes, root_classes,
};
pub use invariant::{Invariant, receiver};
pub use jml::*;
pub use obligation::{Argument, CompletionKind, EndValues, Obligation, Owed};
pub use options::ContractOptions;
pub use property::{PropertyError, PropertyMistake, PropertySyntax, properties};
pub use source::SourceLine;
