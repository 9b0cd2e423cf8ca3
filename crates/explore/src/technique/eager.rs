//! The invariant first: all of it is executed on the unknown input, and the method on each input that satisfies it.
//!
//! `if (repOK()) method()`, IFPRE in the PLI paper. It decides more of the input than the method reads, and so has more paths, but
//! every one of them is possible: the truth to which the others are held.

use lazuli_vm::outcome::Question;
use lazuli_vm::universe::{Alternatives, Cx};

use super::Technique;
use super::lazy::Lazy;
use crate::Path;

/// IFPRE, which executes the whole invariant before the method.
pub(super) struct Eager;

impl Technique for Eager {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, path, question)
    }

    fn starts_with_invariants(&self) -> bool {
        true
    }
}
