//! What is a technique made for?

use std::sync::Arc;

use lazuli_vm::program::Method;

use crate::{Invariant, VerdictCache};

/// How valid inputs are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Means {
    /// By a search; where searches take long, in a list of all of them, which a circuit makes if a search does not soon; or else by a circuit.
    #[default]
    Auto,
    /// By a search for each question, and never by a list or a circuit.
    Search,
    /// In a list of all of them from the start, where they can be listed; else by a search.
    List,
    /// In a list that a circuit makes from the start, where it can; else in a list or by a search.
    CircuitList,
    /// By a circuit from the start, where the invariant can be translated; else by a search.
    Circuit,
}

/// The contract of a target and the user's choices, from which a technique is made.
pub struct TechniqueSetup<'a> {
    /// The invariants of inputs.
    pub invariants: &'a [Invariant],
    /// The part of it that is about structure, where the user told it from what is about data; else all of it.
    pub heap_invariants: &'a [Invariant],
    /// The invariants for partly known inputs, which know what is unknown; else the invariants of inputs.
    pub hybrid_invariants: &'a [Invariant],
    /// The fields over which objects are numbered, if the user chose them.
    pub backbone: &'a [String],
    /// May numbered objects that a valid object does not have be null in all fields?
    pub has_loose_bounds: bool,
    /// May a valid input that was found before be used again?
    pub reuses: bool,
    /// How are valid inputs found?
    pub means: Means,
    /// The method that is explored, if it is known.
    pub target: Option<&'static Method>,
    /// Answers about valid objects that are known from before.
    pub verdicts: &'a Arc<VerdictCache>,
}

impl<'a> TechniqueSetup<'a> {
    /// Of a target without any contract.
    pub fn empty(verdicts: &'a Arc<VerdictCache>) -> TechniqueSetup<'a> {
        TechniqueSetup {
            invariants: &[],
            heap_invariants: &[],
            hybrid_invariants: &[],
            backbone: &[],
            has_loose_bounds: false,
            reuses: false,
            means: Means::Search,
            target: None,
            verdicts,
        }
    }
}
