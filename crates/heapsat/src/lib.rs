//! Which inputs are valid, and which of them break a method's contract, as one propositional problem?
//!
//! Heaps are relations over a few atoms, and code is executed, as bytecode, on all of them at once: each path has a guard, paths that meet are
//! merged with if-then-else gates, and loops are unrolled as long as the solver finds an input that iterates once more. The result is one
//! circuit. A SAT solver then says at once whether the facts that a path knows about its input can be completed to a valid one, or whether
//! some valid input violates a postcondition. This is Jackson's relational logic as TACO uses it for Java (Galeotti and others, ISSTA 2010;
//! TSE 2013), with invariants as the code that they are.
//!
//! | folder | question |
//! |---|---|
//! | `atoms` | Which objects, classes and field values may an input have, as variables? |
//! | `numbers` | How many bits does a number need, and how do instructions compute with them? |
//! | `exec` | How is bytecode executed on all inputs at once? |
//! | `recursion` | How are recursive calls executed: in place, through promises, or once per object? |
//! | `library` | Which library methods are modelled instead of executed? |
//! | `query` | How is the circuit of an invariant built, and which questions does it answer? |
//! | `method` | Can a whole method break its contract on a valid input? |
//! | `pieces` | How is that problem split into pieces that partition the inputs? |
//!
//! # Invariants
//!
//! - The circuit of an invariant over-approximates: no valid input within the bounds is excluded. An input that it yields is run by the
//!   interpreter before it counts.
//! - The circuit of a method is exact within its unrolling, except as [`Encoding`] says. Paths that are left out are kept as
//!   [`Truncation`]s: a verdict without one covers all inputs within the bounds.
//! - Guards of the entries of one points-to set exclude each other wherever the reference means anything.
//! - Symmetry breaking and tight field bounds change the size of a circuit, never an answer.
//!
//! # Deliberately absent
//!
//! Paths and their exploration (`lazuli-explore`), the search for valid inputs that uses these circuits (`lazuli-valid`), mathematical
//! functions, threads, and the words of a [`Refusal`] for users (the command line has them).

#![warn(missing_docs, unreachable_pub)]

mod atoms;
mod exec;
mod library;
mod method;
mod numbers;
mod pieces;
mod query;
mod recursion;
mod refusal;

pub use atoms::backbone::{Backbone, BackboneField, Fact, FieldValue, ObjectSort, Referent, UnknownField};
pub use method::certificate::{Certificate, NamedClauses, Vocabulary};
pub use method::circuit::{MethodCircuit, SearchOutcome, ViolatedProperty};
pub use method::problem::{Encoding, InvariantEncoding, MethodCondition, Problem};
pub use method::state::{PostEncoding, Truncation, TruncationCause};
pub use numbers::Precision;
pub use pieces::piece::{PieceId, UnreadablePiece};
pub use pieces::solver::{PieceEnd, PieceLimit, PieceSolver};
pub use pieces::tree::{PieceTree, SplitOptions};
pub use query::build::OracleRecipe;
pub use query::decode::{DecodedInput, DecodedObject, DecodedValue};
pub use query::economy::Economy;
pub use query::guide::{Guide, GuideValue};
pub use query::oracle::{Advice, Oracle};
pub use query::task::OracleTask;
pub use refusal::Refusal;
