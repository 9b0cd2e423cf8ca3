//! Bounded lazy initialization with satisfiability checks: what is known about objects of which the number is certain must be true of
//! some valid object, whatever the path condition says.
//!
//! Rosner, Geldenhuys, Aguirre, Visser and Frias, "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support" (TSE
//! 2015), section 4, Algorithms 5 and 6. Their solver answers from a formula; here the list of valid objects from which the bounds come
//! is looked through.

use std::sync::Arc;

use super::refined::Refined;
use super::{Admission, Alternatives, Cx, Given, Technique};
use crate::explore::Bounds;
use crate::outcome::{Answer, Place, Question};
use crate::state::State;
use crate::structure::{Foresight, Shared, Tools};

pub struct Sat {
    refined: Refined,
}

impl Sat {
    pub fn new(given: &Given) -> Sat {
        Sat { refined: Refined::new(given) }
    }
}

impl Technique for Sat {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        self.refined.alternatives(cx, state, question)
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &State, shared: &Arc<Shared>) {
        self.refined.prepare(tools, inputs, shared);
    }

    fn learn(&self, state: &mut State, question: &Question, answer: &Answer) {
        self.refined.learn(state, question, answer);
    }

    fn admit(&mut self, tools: &mut Tools, state: &mut State) -> Admission {
        let is_changed = state.symbols.labels.is_changed;
        match self.refined.admit(tools, state) {
            Admission::Admitted { .. } if is_changed && !self.refined.bounded.labeller.has_valid(tools, state) => {
                Admission::Pruned
            }
            other => other,
        }
    }

    fn foresee(&self, bounds: &Bounds, state: &State, place: Place) -> Option<Foresight> {
        self.refined.foresee(bounds, state, place)
    }
}
