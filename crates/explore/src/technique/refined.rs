//! Refined bounded lazy initialization: as far as the breadth-first walk from the root is known, the number of an object is its place
//! in the walk, and no other.
//!
//! Rosner, Geldenhuys, Aguirre, Visser and Frias, "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support" (TSE
//! 2015), section 3, Algorithms 3 and 4: RBLI.

use lazuli_valid::TechniqueSetup;
use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::universe::{Alternatives, Cx};

use super::Technique;
use super::bounded::Bounded;
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

    fn inner(&self) -> Option<&dyn Technique> {
        Some(&self.bounded)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Technique> {
        Some(&mut self.bounded)
    }

    fn learn(&self, path: &mut Path, question: &Question, answer: &Answer) {
        self.bounded.learn(path, question, answer);
        if path.labels.is_changed {
            self.bounded.labeller.refine(path);
        }
    }
}
