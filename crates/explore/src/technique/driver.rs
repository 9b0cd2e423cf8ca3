//! Inputs that the class's own methods make: a constructor, and then up to as many calls of insertions as the scope says, each with
//! unknown arguments.
//!
//! DRIVER in Copia, Molina, Aguirre, Frias, Gorla and Ponzio, "Precise Lazy Initialization for Programs with Complex Heap Inputs" (ASE
//! 2023), section V; the same input may be made in several ways, and each counts. Inputs that no call makes are lazily initialised.

use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::universe::{Alternatives, Cx};
use lazuli_vm::value::{ObjId, UnknownId, Value};

use super::Technique;
use super::lazy::Lazy;
use crate::Path;

/// DRIVER, which makes the inputs by calls of the class's own methods.
pub(super) struct Driver;

impl Technique for Driver {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        let mut found = Lazy.alternatives(cx, path, question);
        if let Question::Deref(id) = question {
            let later = made_later(path, *id);
            found.answers.retain(|answer| !matches!(answer, Answer::Alias(object) if later.contains(object)));
        }
        found
    }

    fn makes_inputs(&self) -> bool {
        true
    }
}

/// The objects that were not there yet when a call got this reference as an argument.
fn made_later(path: &Path, id: UnknownId) -> &[ObjId] {
    let Some(sequence) = &path.sequence else { return &[] };
    let call = sequence.calls.iter().find(|call| call.arguments.contains(&Value::Unknown(id)));
    call.map_or(&[], |call| &sequence.objects[call.objects_before..])
}
