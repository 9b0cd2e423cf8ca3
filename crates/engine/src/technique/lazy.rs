//! Lazy initialization: a field of an input is decided when it is first read.
//!
//! Khurshid, Păsăreanu and Visser, "Generalized Symbolic Execution for Model Checking and Testing" (TACAS 2003), section 4.1 and
//! Figure 3. Parameters and static fields, which nobody reads from an object, are decided when they are first looked at.

use super::{Alternatives, Cx, Technique, objects, plain_answers};
use crate::outcome::{Answer, Place, Question};
use crate::state::State;
use crate::universe::{Reference, may_hold, may_hold_null};

pub struct Lazy;

impl Technique for Lazy {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        match question {
            Question::Read { place, declared } => {
                let depth = state.symbols.input(place.object).map_or(0, |owner| owner.depth + 1);
                let may_be_null = may_hold_null(state, *place);
                let reference = Reference { declared, may_be_null, depth, is_callers: false };
                held(objects(cx, state, reference), state, *place)
            }
            Question::Deref(id) => {
                let unknown = state.symbols.unknown(*id);
                let found = objects(cx, state, Reference::from(unknown));
                match unknown.place {
                    Some(place) => held(found, state, place),
                    None => found,
                }
            }
            other => plain_answers(cx, state, other),
        }
    }
}

/// Drops the objects that the place cannot hold.
fn held(mut found: Alternatives, state: &State, place: Place) -> Alternatives {
    found.answers.retain(|answer| !matches!(answer, Answer::Alias(object) if !may_hold(state, place, *object)));
    found
}
