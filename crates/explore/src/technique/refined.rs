//! Refined bounded lazy initialization: as far as the breadth-first walk from the root is known, the number of an object is its place
//! in the walk, and no other.
//!
//! Rosner, Geldenhuys, Aguirre, Visser and Frias, "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support" (TSE
//! 2015), section 3, Algorithms 3 and 4: RBLI.

use std::sync::Arc;

use lazuli_valid::TechniqueSetup;
use lazuli_valid::{FeasibleAnswers, SharedTable, Tools};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::universe::{Alternatives, Cx};

use super::bounded::Bounded;
use super::{Admission, Technique};
use crate::Path;

/// RBLI, bounded lazy initialization with labels refined by the breadth-first walk.
pub(super) struct Refined {
    /// The technique that is refined: its labels and its hybrid invariant.
    pub bounded: Bounded,
}

impl Refined {
    /// Makes the technique for a target and its invariants.
    pub(super) fn new(given: &TechniqueSetup) -> Refined {
        Refined { bounded: Bounded::new(given) }
    }
}

impl Technique for Refined {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        self.bounded.alternatives(cx, path, question)
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &Path, shared: &Arc<SharedTable>) {
        self.bounded.prepare(tools, inputs, shared);
    }

    fn learn(&self, path: &mut Path, question: &Question, answer: &Answer) {
        self.bounded.learn(path, question, answer);
        if path.labels.is_changed {
            self.bounded.labeller.refine(path);
        }
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        self.bounded.admit(tools, path)
    }

    fn feasible_answers(
        &mut self,
        tools: &mut Tools,
        path: &Path,
        place: Place,
        answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        self.bounded.feasible_answers(tools, path, place, answers)
    }
}
