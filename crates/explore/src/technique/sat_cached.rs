//! Bounded lazy initialization with satisfiability checks whose answers are kept: facts that a valid object has at some scope are not asked
//! about again at this one or a larger one, in this run or a later one; nor those that no valid object has at this scope or a smaller one.
//!
//! Rosner, Geldenhuys, Aguirre, Visser and Frias, "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support" (TSE
//! 2015), section 4.2, Algorithm 7: BLISSDB, which keeps only that facts are possible.

use std::sync::Arc;

use lazuli_valid::TechniqueSetup;
use lazuli_valid::{SharedTable, Tools, Topic, VerdictCache, key_of, start_of};
use lazuli_vm::outcome::Question;
use lazuli_vm::program::Method;
use lazuli_vm::universe::Bounds;
use lazuli_vm::universe::{Alternatives, Cx};

use super::refined::Refined;
use super::{Admission, Technique};
use crate::Path;
use crate::report::CacheUse;

/// BLISS whose verdicts are kept over paths, scopes and runs.
pub(super) struct SatCached {
    refined: Refined,
    verdicts: Arc<VerdictCache>,
    target: Option<&'static Method>,
    /// The known answers about this invariant under these bounds; none before the first question.
    topic: Option<Arc<Topic>>,
    scope: u32,
    used: CacheUse,
}

impl SatCached {
    /// Makes the technique on the verdicts that earlier explorations kept.
    pub(super) fn new(given: &TechniqueSetup) -> SatCached {
        SatCached {
            refined: Refined::new(given),
            verdicts: given.verdicts.clone(),
            target: given.target,
            topic: None,
            scope: 0,
            used: CacheUse::default(),
        }
    }

    fn has_valid(&mut self, tools: &mut Tools, path: &Path) -> bool {
        let labeller = &self.refined.bounded.labeller;
        let Some(facts) = labeller.facts(path) else { return true };
        let is_possible = match (&self.topic, key_of(&facts)) {
            (Some(topic), Some(key)) => match topic.find(&key, self.scope) {
                Some(known) => {
                    self.used.hits += 1;
                    known
                }
                None => {
                    self.used.misses += 1;
                    let answer = labeller.seek(tools, &facts).is_possible();
                    if let Some(is_possible) = answer {
                        self.used.stored += topic.learn(key, self.scope, is_possible) as u64;
                    }
                    // An unknown answer excludes nothing.
                    answer.unwrap_or(true)
                }
            },
            _ => labeller.seek(tools, &facts).is_possible().unwrap_or(true),
        };
        if !is_possible {
            labeller.note_excluded(tools);
        }
        is_possible
    }
}

impl Technique for SatCached {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        self.refined.alternatives(cx, path, question)
    }

    fn inner(&self) -> Option<&dyn Technique> {
        Some(&self.refined)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Technique> {
        Some(&mut self.refined)
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &Path, shared: &Arc<SharedTable>) {
        self.refined.prepare(tools, inputs, shared);
        if let (Some(target), Some(objects)) = (self.target, self.refined.bounded.labeller.describe()) {
            let about = format!("{}\n{objects}\n{}", start_of(&tools.vm.program, target), besides_scope(tools.bounds));
            self.topic = Some(self.verdicts.topic(&about));
            self.scope = u32::try_from(tools.bounds.scope).unwrap_or(u32::MAX);
        }
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        let is_changed = path.labels.is_changed;
        match self.refined.admit(tools, path) {
            Admission::Admitted { .. } if is_changed && !self.has_valid(tools, path) => Admission::Pruned,
            other => other,
        }
    }

    fn cache_use(&self) -> CacheUse {
        self.used
    }
}

/// All bounds but the one over which answers are carried.
fn besides_scope(bounds: &Bounds) -> String {
    format!("{:?}", Bounds { scope: 0, ..bounds.clone() })
}
