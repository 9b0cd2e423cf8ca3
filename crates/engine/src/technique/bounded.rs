//! Bounded lazy initialization: lazy and hybrid, but a field refers only to what tight bounds allow for the numbers that its
//! object may have.
//!
//! Geldenhuys, Aguirre, Frias and Visser, "Bounded Lazy Initialization" (NFM 2013); BLI in BLISS (Rosner, Geldenhuys, Aguirre, Visser and
//! Frias, TSE 2015, section 2.3).

use std::sync::Arc;

use super::hybrid::Hybrid;
use super::lazy::Lazy;
use super::{Admission, Alternatives, Cx, Given, Technique};
use crate::explore::Bounds;
use crate::outcome::{Answer, Place, Question};
use crate::state::State;
use crate::structure::{Foresight, Labeller, Shared, Tools};

pub struct Bounded {
    pub labeller: Labeller,
    pub hybrid: Hybrid,
}

impl Bounded {
    pub fn new(given: &Given) -> Bounded {
        let labeller = Labeller::new(given.invariants, given.backbone, given.has_loose_bounds);
        Bounded { labeller, hybrid: Hybrid::new(given) }
    }
}

impl Technique for Bounded {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, state, question)
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &State, shared: &Arc<Shared>) {
        self.labeller.prepare(tools, inputs, shared);
    }

    fn learn(&self, state: &mut State, question: &Question, answer: &Answer) {
        self.labeller.learn(state, question, answer);
    }

    fn admit(&mut self, tools: &mut Tools, state: &mut State) -> Admission {
        if !self.labeller.admits(tools, state) {
            return Admission::Pruned;
        }
        // The hybrid invariant knows no numbers, so that a branch on these tells it nothing.
        if !std::mem::take(&mut state.symbols.labels.is_changed) {
            return Admission::Admitted { is_reused: true };
        }
        self.hybrid.admit(tools, state)
    }

    fn foresee(&self, _bounds: &Bounds, state: &State, place: Place) -> Option<Foresight> {
        self.labeller.foresee(state, place)
    }
}
