//! Refined bounded lazy initialization: as far as the breadth-first walk from the root is known, the number of an object is its place
//! in the walk, and no other.
//!
//! Rosner, Geldenhuys, Aguirre, Visser and Frias, "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support" (TSE
//! 2015), section 3, Algorithms 3 and 4: RBLI.

use std::sync::Arc;

use super::bounded::Bounded;
use super::{Admission, Alternatives, Cx, Given, Technique};
use crate::outcome::{Answer, Place, Question};
use crate::state::State;
use crate::structure::{Foresight, Shared, Tools};

pub struct Refined {
    pub bounded: Bounded,
}

impl Refined {
    pub fn new(given: &Given) -> Refined {
        Refined { bounded: Bounded::new(given) }
    }
}

impl Technique for Refined {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        self.bounded.alternatives(cx, state, question)
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &State, shared: &Arc<Shared>) {
        self.bounded.prepare(tools, inputs, shared);
    }

    fn learn(&self, state: &mut State, question: &Question, answer: &Answer) {
        self.bounded.learn(state, question, answer);
        if state.symbols.labels.is_changed {
            self.bounded.labeller.refine(state);
        }
    }

    fn admit(&mut self, tools: &mut Tools, state: &mut State) -> Admission {
        self.bounded.admit(tools, state)
    }

    fn foresee(&mut self, tools: &mut Tools, state: &State, place: Place, answers: &[Answer]) -> Option<Foresight> {
        self.bounded.foresee(tools, state, place, answers)
    }
}
