//! Lazy initialization with a hybrid invariant: the invariant runs on the part of the input that is known; a path is dropped if it is
//! false already, and kept as soon as it reads something unknown.
//!
//! Khurshid, Păsăreanu and Visser (TACAS 2003, section 4.1) call it a conservative precondition; LIHYBRID in the PLI paper. Users of
//! those tools write it by hand; here it is the one invariant, stopped where it asks. Who has one that knows what is unknown
//! (`Lazuli.isKnown`) may name it.

use lazuli_valid::TechniqueSetup;
use lazuli_valid::{FeasibleAnswers, HybridPass, Invariant, Tools, receiver};
use lazuli_vm::outcome::{Answer, End, Place, Question, Stop};
use lazuli_vm::state::State;
use lazuli_vm::universe::{Alternatives, Cx};
use lazuli_vm::value::Value;

use super::lazy::Lazy;
use super::{Admission, Technique};
use crate::Path;

/// LIHYBRID, which runs a three-valued invariant on the known part of the input.
pub(super) struct Hybrid {
    invariants: Vec<Invariant>,
}

impl Hybrid {
    /// Takes the hybrid invariants of the target.
    pub(super) fn new(given: &TechniqueSetup) -> Hybrid {
        Hybrid { invariants: given.hybrid_invariants.to_vec() }
    }
}

impl Technique for Hybrid {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, path, question)
    }

    fn learn(&self, path: &mut Path, question: &Question, _answer: &Answer) {
        let is_about_numbers = matches!(question, Question::Branch(_) | Question::Cases(_) | Question::Length { .. });
        path.hybrid_pass.take_if(|asked| !is_about_numbers || asked.minds_numbers);
    }

    fn asks_preconditions(&self) -> bool {
        true
    }

    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        if self.invariants.is_empty() {
            return Admission::Unasked;
        }
        if path.hybrid_pass.is_some() {
            return Admission::Admitted { is_reused: true };
        }
        tools.vm.has_met_condition = false;
        for invariant in &self.invariants {
            let is_false = begin(tools, path, invariant).is_some_and(|run| is_false(tools, run));
            if is_false {
                return Admission::Pruned;
            }
        }
        path.hybrid_pass = Some(HybridPass { minds_numbers: tools.vm.has_met_condition });
        Admission::Admitted { is_reused: false }
    }

    /// The invariants run once up to where they want to know what the place holds, and from there on with each answer: most that they do comes
    /// before, and is the same for all.
    fn feasible_answers(
        &mut self,
        tools: &mut Tools,
        path: &Path,
        place: Place,
        answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        if self.invariants.is_empty() {
            return None;
        }
        let mut left: Vec<&Answer> = answers.iter().collect();
        tools.vm.has_met_condition = false;
        for invariant in &self.invariants {
            let Some(Ok(mut run)) = begin(tools, path, invariant) else { continue };
            tools.vm.awaited = Some(place);
            let stop = tools.vm.run(&mut run);
            tools.vm.awaited = None;
            let question = match stop {
                Stop::Ask(question @ Question::Read { place: asked, .. }) if asked == place => question,
                // The conditions on numbers may be wrong by now, whatever the place holds.
                stop if is_no(&stop) => {
                    left.clear();
                    break;
                }
                _ => continue,
            };
            left.retain(|answer| {
                let mut run = run.fork();
                tools.vm.answer(&mut run, &question, answer);
                !is_false(tools, Ok(run))
            });
        }
        let asked = Some(HybridPass { minds_numbers: tools.vm.has_met_condition });
        let mut found = FeasibleAnswers { asked, ..FeasibleAnswers::default() };
        left.into_iter().for_each(|answer| found.allow(answer));
        Some(found)
    }
}

/// An invariant at its beginning on the input of a path as it was at entry, or how it ended there. None if it is about no object.
fn begin(tools: &mut Tools, path: &Path, invariant: &Invariant) -> Option<Result<State, Stop>> {
    let mut input = path.at_entry();
    let object = receiver(&input, invariant)?;
    let begun = tools.vm.begin_contract(&mut input, invariant.code(), &[object.into()]);
    Some(begun.map(|()| input))
}

/// Does the invariant say no, whatever is not known? What throws does not hold.
fn is_false(tools: &mut Tools, run: Result<State, Stop>) -> bool {
    is_no(&run.map_or_else(|stop| stop, |mut run| tools.vm.run(&mut run)))
}

fn is_no(stop: &Stop) -> bool {
    matches!(stop, Stop::End(End::Returned(Value::Int(0)) | End::Threw(_)))
}
