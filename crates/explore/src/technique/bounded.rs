//! Bounded lazy initialization: lazy and hybrid, but a field refers only to what tight bounds allow for the numbers that its
//! object may have.
//!
//! Geldenhuys, Aguirre, Frias and Visser, "Bounded Lazy Initialization" (NFM 2013); BLI in BLISS (Rosner, Geldenhuys, Aguirre, Visser and
//! Frias, TSE 2015, section 2.3).

use std::sync::Arc;

use lazuli_valid::TechniqueSetup;
use lazuli_valid::{FeasibleAnswers, Labeller, SharedTable, Tools};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::universe::{Alternatives, Cx};

use super::hybrid::Hybrid;
use super::lazy::Lazy;
use super::{Admission, Technique};
use crate::Path;

/// BLI, bounded lazy initialization by tight field bounds.
pub(super) struct Bounded {
    /// Keeps the set of possible labels of each input object and the bounds of its fields.
    pub labeller: Labeller,
    /// The hybrid invariant that prunes what the bounds let through.
    pub hybrid: Hybrid,
}

impl Bounded {
    /// Makes the technique for a target and its invariants.
    pub(super) fn new(given: &TechniqueSetup) -> Bounded {
        Bounded { labeller: Labeller::new(given), hybrid: Hybrid::new(given) }
    }
}

impl Technique for Bounded {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, path, question)
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &Path, shared: &Arc<SharedTable>) {
        self.labeller.prepare(tools, inputs, shared);
    }

    fn learn(&self, path: &mut Path, question: &Question, answer: &Answer) {
        self.labeller.learn(path, question, answer);
        self.hybrid.learn(path, question, answer);
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        if !self.labeller.admits(tools, path) {
            return Admission::Pruned;
        }
        // The hybrid invariant knows no numbers, so that a branch on these tells it nothing.
        if !std::mem::take(&mut path.labels.is_changed) {
            return Admission::Admitted { is_reused: true };
        }
        self.hybrid.admit(tools, path)
    }

    fn feasible_answers(
        &mut self,
        tools: &mut Tools,
        path: &Path,
        place: Place,
        answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        let by_labels = self.labeller.feasible_answers(path, place);
        let is_left = |answer: &&Answer| !by_labels.as_ref().is_some_and(|foresight| foresight.excludes(answer));
        let left: Vec<Answer> = answers.iter().filter(is_left).cloned().collect();
        let beyond = by_labels.as_ref().filter(|_| left.len() < answers.len()).map(|found| found.beyond.clone());
        match self.hybrid.feasible_answers(tools, path, place, &left) {
            Some(by_both) => Some(FeasibleAnswers { beyond: beyond.unwrap_or_default(), ..by_both }),
            None => by_labels,
        }
    }
}
