//! Bounded lazy initialization with satisfiability checks: what is known about objects of which the number is certain must be true of
//! some valid object, whatever the path condition says.
//!
//! Rosner, Geldenhuys, Aguirre, Visser and Frias, "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support" (TSE
//! 2015), section 4, Algorithms 5 and 6. Their solver is asked at each step; here a valid object that is known already answers most
//! questions, and a contradiction that was found before most others.

use lazuli_valid::TechniqueSetup;
use lazuli_valid::{FactSearch, FeasibleAnswers, Tools};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::state::State;
use lazuli_vm::universe::{Alternatives, Cx};

use super::bounded::Bounded;
use super::refined::Refined;
use super::{Admission, Technique};
use crate::Path;

/// BLISS: refined labels, and a SAT query about the facts of objects with a certain label.
pub(super) struct Sat {
    refined: Refined,
    /// May a valid object that was found before answer for later questions? Only where all invariants are about it.
    keeps_evidence: bool,
}

impl Sat {
    /// Makes the technique; evidence is kept only if all invariants are about the same root.
    pub(super) fn new(given: &TechniqueSetup) -> Sat {
        let mut roots = given.invariants.iter().chain(given.hybrid_invariants).map(|invariant| invariant.root);
        let first = roots.next();
        let keeps_evidence = given.reuses && roots.all(|root| Some(root) == first);
        Sat { refined: Refined::new(given), keeps_evidence }
    }

    /// Is there no valid object with all that is known about objects with one number? One that is found is kept as evidence.
    fn is_refuted(&mut self, tools: &mut Tools, path: &mut Path) -> bool {
        let Bounded { labeller, hybrid } = &mut self.refined.bounded;
        let Some(facts) = labeller.facts(path) else { return false };
        let is_all = self.keeps_evidence && labeller.knows_facts_only(path);
        match labeller.seek(tools, &facts) {
            FactSearch::Listed(evidence) if is_all => path.labels.evidence = Some(evidence),
            // The hybrid invariant stays the judge, but of the whole, once, instead of each of its parts.
            FactSearch::Told(evidence) if is_all => {
                let whole = labeller.completed(tools, path, &evidence);
                let is_accepted =
                    |whole: State| matches!(hybrid.admit(tools, &mut whole.into()), Admission::Admitted { .. });
                path.labels.evidence = whole.is_some_and(is_accepted).then_some(evidence);
            }
            FactSearch::None => {
                labeller.note_excluded(tools);
                return true;
            }
            // An unknown answer excludes nothing.
            FactSearch::Listed(_) | FactSearch::Told(_) | FactSearch::Unknown => {}
        }
        false
    }
}

impl Technique for Sat {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        self.refined.alternatives(cx, path, question)
    }

    fn inner(&self) -> Option<&dyn Technique> {
        Some(&self.refined)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Technique> {
        Some(&mut self.refined)
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        if path.labels.is_changed && self.refined.bounded.labeller.admits(tools, path) {
            let is_evident = self.keeps_evidence && self.refined.bounded.labeller.has_evidence(tools, path);
            if !is_evident && self.is_refuted(tools, path) {
                return Admission::Pruned;
            }
            if path.labels.evidence.is_some() {
                path.labels.is_changed = false;
                return Admission::Admitted { is_reused: is_evident };
            }
        }
        self.refined.admit(tools, path)
    }

    fn feasible_answers(
        &mut self,
        _tools: &mut Tools,
        path: &Path,
        place: Place,
        _answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        // Evidence mostly spares the hybrid invariant.
        self.refined.bounded.labeller.feasible_answers(path, place)
    }
}
