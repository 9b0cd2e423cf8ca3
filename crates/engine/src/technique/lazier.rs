//! Lazier initialization: a reference that was read is decided when it is first dereferenced or compared.
//!
//! Deng, Lee and Robby, "Bogor/Kiasan: A k-bounded Symbolic Execution for Checking Strong Heap Properties of Open Systems"
//! (ASE 2006), section 3. Reading decides between null and some object; `lazier-sharp` delays even that.

use super::{Alternatives, Cx, Technique, lazy::Lazy};
use crate::outcome::{Answer, Question};
use crate::state::State;
use crate::universe::{NO_OBJECTS, may_hold_null};

pub struct Lazier {
    pub delays_null: bool,
}

impl Technique for Lazier {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        match question {
            Question::Read { place, declared } if declared.name != NO_OBJECTS => {
                let may_be_null = may_hold_null(state, *place);
                let later = Answer::Defer { may_be_null: self.delays_null && may_be_null };
                let answers = if self.delays_null || !may_be_null { vec![later] } else { vec![Answer::Null, later] };
                Alternatives { answers, ..Alternatives::default() }
            }
            other => Lazy.alternatives(cx, state, other),
        }
    }
}
