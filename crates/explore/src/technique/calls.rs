//! Inputs of which some are made by calls that Lazuli chose: any other technique, which sees of their parts only what the code around has.
//!
//! A reference that is passed in, or read from an object that no call made, is never one of the private parts of an object that calls made, and
//! never an object that was made after it was passed in.

use std::sync::Arc;

use lazuli_reach::making::Making;
use lazuli_valid::{FeasibleAnswers, SharedTable, Tools};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::universe::{Alternatives, Cx};
use lazuli_vm::value::{UnknownId, Value};

use super::{Admission, Technique};
use crate::Path;
use crate::report::CacheUse;

/// The technique by which everything is answered that calls do not decide.
pub(crate) struct ByCalls {
    /// Answers all other questions.
    pub others: Box<dyn Technique>,
}

impl Technique for ByCalls {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        let mut found = self.others.alternatives(cx, path, question);
        let Some(making) = &path.making else { return found };
        let held_before = match question {
            Question::Deref(id) => held_before(making, *id),
            Question::Read { .. } => making.held.len(),
            _ => return found,
        };
        let is_hidden = |answer: &Answer| match answer {
            Answer::Alias(object) => making.is_hidden(*object, held_before),
            _ => false,
        };
        found.answers.retain(|answer| !is_hidden(answer));
        found
    }

    fn prepare(&mut self, tools: &mut Tools, inputs: &Path, shared: &Arc<SharedTable>) {
        self.others.prepare(tools, inputs, shared);
    }

    fn learn(&self, path: &mut Path, question: &Question, answer: &Answer) {
        self.others.learn(path, question, answer);
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        self.others.admit(tools, path)
    }

    fn feasible_answers(
        &mut self,
        tools: &mut Tools,
        path: &Path,
        place: Place,
        answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        self.others.feasible_answers(tools, path, place, answers)
    }

    fn by_input(&self, tools: &mut Tools, path: &Path) -> Option<Vec<Path>> {
        self.others.by_input(tools, path)
    }

    fn cache_use(&self) -> CacheUse {
        self.others.cache_use()
    }

    fn starts_with_invariants(&self) -> bool {
        self.others.starts_with_invariants()
    }
}

/// How many objects the code around had when it passed the reference. One that is read later can be any that it has now.
pub(crate) fn held_before(making: &Making, id: UnknownId) -> usize {
    let call = making.calls.iter().find(|call| call.arguments.contains(&Value::Unknown(id)));
    call.map_or(making.held.len(), |call| call.held_before)
}
