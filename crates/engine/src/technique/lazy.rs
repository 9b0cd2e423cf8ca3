//! Lazy initialization: a field of an input is decided when it is first read.
//!
//! Khurshid, Păsăreanu and Visser, "Generalized Symbolic Execution for Model Checking and Testing" (TACAS 2003), section 4.1 and
//! Figure 3. Parameters and static fields, which nobody reads from an object, are decided when they are first looked at.

use super::{Alternatives, Cx, Technique, objects, plain_answers};
use crate::outcome::Question;
use crate::state::State;
use crate::universe::{Reference, may_hold_null};

pub struct Lazy;

impl Technique for Lazy {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        match question {
            Question::Read { place, declared } => {
                let depth = state.symbols.input(place.object).map_or(0, |owner| owner.depth + 1);
                objects(
                    cx,
                    state,
                    Reference { declared, may_be_null: may_hold_null(state, *place), depth, is_callers: false },
                )
            }
            Question::Deref(id) => {
                let unknown = state.symbols.unknown(*id);
                objects(cx, state, Reference::from(unknown))
            }
            other => plain_answers(cx, state, other),
        }
    }
}
