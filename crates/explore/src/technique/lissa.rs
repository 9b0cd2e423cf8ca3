//! Lazy initialization with a structure solver: the shape of the input must be that of a valid one, whatever the path condition says.
//! Where the user tells what is about structure from what is about data, only the first is asked, as in the paper.
//!
//! Copia, Ponzio, Aguirre, Garbervetsky and Frias, "LISSA: Lazy Initialization with Specialized Solver Aid" (ASE 2022).

use lazuli_valid::{Completer, Tools, WitnessResult};
use lazuli_vm::outcome::Question;
use lazuli_vm::universe::{Alternatives, Cx};

use super::lazy::Lazy;
use super::{Admission, Technique};
use crate::Path;

/// LISSA, which asks a structure solver about the shape alone.
pub(super) struct Lissa {
    /// Finds a valid input that has the known part of the shape.
    pub completer: Completer,
}

impl Technique for Lissa {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, path, question)
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        if self.completer.invariants().is_empty() {
            return Admission::Unasked;
        }
        let mut without_numbers = path.fork();
        let path = &mut without_numbers.symbols.condition;
        path.conjuncts.clear();
        path.implied.clear();
        path.witness = Some(Default::default());
        match self.completer.find_witness(tools, &without_numbers, None) {
            WitnessResult::Fits(_) => Admission::Admitted { is_reused: false },
            WitnessResult::None => Admission::Pruned,
            WitnessResult::Unknown(why) => Admission::Unknown(why),
        }
    }
}
