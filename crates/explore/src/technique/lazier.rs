//! Lazier initialization: a reference that was read is decided when it is first dereferenced or compared.
//!
//! Deng, Lee and Robby, "Bogor/Kiasan: A k-bounded Symbolic Execution for Checking Strong Heap Properties of Open Systems"
//! (ASE 2006), section 3. Reading decides between null and some object; `lazier-sharp` delays even that.

use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::universe::may_hold_null;
use lazuli_vm::universe::{Alternatives, Cx};

use super::{Technique, lazy::Lazy};
use crate::Path;

pub struct Lazier {
    pub delays_null: bool,
}

impl Technique for Lazier {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        match question {
            Question::Read { place, .. } => {
                let may_be_null = may_hold_null(path, *place);
                let later = Answer::Defer { may_be_null: self.delays_null && may_be_null };
                let answers = if self.delays_null || !may_be_null { vec![later] } else { vec![Answer::Null, later] };
                Alternatives { answers, ..Alternatives::default() }
            }
            other => Lazy.alternatives(cx, path, other),
        }
    }
}
