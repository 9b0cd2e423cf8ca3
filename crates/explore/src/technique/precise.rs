//! Precise lazy initialization: a path is followed only as long as some valid input takes it.
//!
//! Copia, Molina, Aguirre, Frias, Gorla and Ponzio, "Precise Lazy Initialization for Programs with Complex Heap Inputs" (ASE 2023),
//! Algorithm 1. There, heap and numbers are solved one after the other, by two halves of the precondition; here one search decides
//! both, by the invariant as it is. Without an invariant this is lazy initialization.

use lazuli_valid::{Completer, FeasibleAnswers, PartialHeap, Tools, WitnessResult};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::universe::{Alternatives, Cx};

use super::lazy::Lazy;
use super::{Admission, Technique};
use crate::Path;

/// PLI, precise lazy initialization.
pub(super) struct Precise {
    /// Finds a valid input that has the known part of the path's input, numbers included.
    pub completer: Completer,
    /// May a valid input that was found before prove the next step possible?
    pub reuses: bool,
}

impl Technique for Precise {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, path, question)
    }

    fn feasible_answers(
        &mut self,
        tools: &mut Tools,
        path: &Path,
        place: Place,
        _answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        self.completer.feasible_answers(tools.bounds, path, place)
    }

    fn by_input(&self, tools: &mut Tools, path: &Path) -> Option<Vec<Path>> {
        let inputs = self.completer.by_input(tools, path)?;
        Some(inputs.into_iter().map(|known| path.with_known(known)).collect())
    }

    fn asks_preconditions(&self) -> bool {
        true
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        if self.completer.invariants().is_empty() {
            return Admission::Unasked;
        }
        if path.witness.as_ref().is_some_and(|witness| witness.is_only) {
            return Admission::Admitted { is_reused: true };
        }
        let known = path.witness.take().filter(|_| self.reuses);
        let reused = known.as_ref().and_then(|witness| witness.rematch(tools, path, &PartialHeap::of(path)).ok());
        let is_reused = reused.is_some();
        let witness = match reused {
            Some(witness) => witness,
            None => match self.completer.find_witness(tools, path, known.as_ref()) {
                WitnessResult::Fits(witness) => witness,
                WitnessResult::None => return Admission::Pruned,
                WitnessResult::Unknown(why) => return Admission::Unknown(why),
            },
        };
        path.symbols.condition.witness = Some(witness.model.clone());
        path.witness = Some(witness);
        Admission::Admitted { is_reused }
    }
}
