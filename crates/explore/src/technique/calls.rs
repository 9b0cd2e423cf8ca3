//! Inputs of which some are made by calls that Lazuli chose: any other technique, which sees of their parts only what the code around has.
//!
//! A reference that is passed in, or read from an object that no call made, is never one of the private parts of an object that calls made, and
//! never an object that was made after it was passed in.

use lazuli_reach::call_sequence::CallSequence;
use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::universe::{Alternatives, Cx};
use lazuli_vm::value::{UnknownId, Value};

use super::Technique;
use crate::Path;

/// The technique by which everything is answered that calls do not decide.
pub(crate) struct ByCalls {
    /// Answers all other questions.
    pub others: Box<dyn Technique>,
}

impl Technique for ByCalls {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        let mut found = self.others.alternatives(cx, path, question);
        let Some(sequence) = &path.sequence else { return found };
        let held_before = match question {
            Question::Deref(id) => held_before(sequence, *id),
            Question::Read { .. } => sequence.held.len(),
            _ => return found,
        };
        let is_hidden = |answer: &Answer| match answer {
            Answer::Alias(object) => sequence.is_hidden(*object, held_before),
            _ => false,
        };
        found.answers.retain(|answer| !is_hidden(answer));
        found
    }

    fn inner(&self) -> Option<&dyn Technique> {
        Some(self.others.as_ref())
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Technique> {
        Some(self.others.as_mut())
    }
}

/// How many objects the code around had when it passed the reference. One that is read later can be any that it has now.
pub(crate) fn held_before(sequence: &CallSequence, id: UnknownId) -> usize {
    let call = sequence.calls.iter().find(|call| call.arguments.contains(&Value::Unknown(id)));
    call.map_or(sequence.held.len(), |call| call.held_before)
}
