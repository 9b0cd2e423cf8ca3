//! Lazy initialization: a field of an input is decided when it is first read.
//!
//! Khurshid, Păsăreanu and Visser, "Generalized Symbolic Execution for Model Checking and Testing" (TACAS 2003), section 4.1 and
//! Figure 3. Parameters and static fields, which are not read from an input, are decided when they are first looked at.

use lazuli_vm::outcome::Question;
use lazuli_vm::universe::{self, Alternatives, Cx};

use super::Technique;
use crate::Path;

/// Lazy initialization without an invariant.
pub(super) struct Lazy;

impl Technique for Lazy {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        universe::alternatives(cx, path, question)
    }
}
