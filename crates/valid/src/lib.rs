//! Which valid inputs complete a partly known one?
//!
//! A path knows a part of its input ([`Partial`]). A [`Completer`] looks for a valid input that has this part: by a `search` that runs the
//! user's own invariant on ever more of the input, in a `catalogue` of all valid inputs, or by a circuit of the invariant
//! (`lazuli-heapsat`). `bounds` computes tight field bounds, `labels` numbers the objects of a partial input by them (BLISS), and
//! `cache` keeps answers for later paths and runs.
//!
//! Invariants: an answer "no valid input" is a proof within the bounds, and each bound that took part is told; where that is not certain, the
//! answer is *unknown*. The same state gets the same answer. Deliberately absent: techniques, which decide when to ask, and paths,
//! which decide what follows from the answer (`lazuli-explore`).

#![warn(missing_docs, unreachable_pub)]

mod bounds;
mod cache;
mod canonical;
mod catalogue;
mod completer;
mod label;
mod labels;
mod partial;
mod search;
mod setup;
mod tools;

pub use lazuli_heapsat::{Backbone, BackboneField, Fact, Guide, GuideValue, Referent};
pub use lazuli_spec::{Invariant, receiver};

pub use bounds::{BoundsError, BoundsProgress, Effort, FieldBound, Followed, ValidObjects, valid_objects};
pub use cache::objects::{StoredObjects, about, start_of};
pub use cache::{Archive, Key, KnownScopes, Topic, VerdictCache, key_of};
pub use canonical::{Unread, shape_of};
pub use catalogue::heap::PartialHeap;
pub use catalogue::witness::{HeapWitness, ValidInput};
pub use catalogue::{FeasibleAnswers, RemainingEntries};
pub use completer::{Completer, Completion, WitnessResult};
pub use label::{HybridPass, Labels};
pub use labels::evidence::FactSearch;
pub use labels::{Labeller, SharedTable};
pub use partial::Partial;
pub use search::values::{Assignments, NoRange, Ranges};
pub use search::{Found, Part, Search};
pub use setup::{Means, TechniqueSetup};
pub use tools::Tools;
