//! The effective precondition first, and lazier answers: Kiasan.
//!
//! Deng, Lee and Robby, "Bogor/Kiasan: A k-bounded Symbolic Execution for Checking Strong Heap Properties of Open Systems"
//! (ASE 2006), sections 3 and 4. The invariants of all roots and the preconditions are executed on the unknown input, and then the
//! method on each state that satisfies them; a reference that was read is decided when it is dereferenced or compared. References
//! are bounded by the length of the chain that leads to them, and arrays by how many elements of them are touched, not by their length.

use lazuli_vm::outcome::Question;
use lazuli_vm::universe::{Alternatives, Cx};

use super::{Technique, lazier::Lazier};
use crate::Path;

/// Lazier initialization behind the effective precondition.
pub(super) struct Kiasan;

impl Technique for Kiasan {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        Lazier { delays_null: false }.alternatives(cx, path, question)
    }

    fn starts_with_invariants(&self) -> bool {
        true
    }

    fn bounds_touched_elements(&self) -> bool {
        true
    }
}
