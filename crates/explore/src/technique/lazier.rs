//! Lazier initialization: a reference that was read is decided when it is first dereferenced or compared.
//!
//! Deng, Lee and Robby, "Bogor/Kiasan: A k-bounded Symbolic Execution for Checking Strong Heap Properties of Open Systems"
//! (ASE 2006), section 3. Reading decides between null and some object; `lazier-sharp` delays even that.

use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::universe::{Alternatives, Cx};
use lazuli_vm::universe::{NO_OBJECTS, may_hold_null, never_null};

use super::{Technique, lazy::Lazy};
use crate::Path;

/// Lazier initialization: reading decides at most between null and some object.
pub(super) struct Lazier {
    /// Does a read leave even null open, as in `lazier-sharp`?
    pub delays_null: bool,
}

impl Technique for Lazier {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        match question {
            Question::Read { place, declared } if declared.name != NO_OBJECTS => {
                let guarantee = never_null(cx.program, cx.bounds, path, *place);
                let may_be_null = may_hold_null(path, *place) && guarantee.is_none();
                let later = Answer::Defer { may_be_null: self.delays_null && may_be_null };
                let answers = if self.delays_null || !may_be_null { vec![later] } else { vec![Answer::Null, later] };
                Alternatives { answers, beyond: guarantee.into_iter().collect(), ..Alternatives::default() }
            }
            other => Lazy.alternatives(cx, path, other),
        }
    }
}
