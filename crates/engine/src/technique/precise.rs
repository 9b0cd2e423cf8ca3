//! Precise lazy initialization: a path is followed only as long as some valid input takes it.
//!
//! Copia, Molina, Aguirre, Frias, Gorla and Ponzio, "Precise Lazy Initialization for Programs with Complex Heap Inputs" (ASE 2023),
//! Algorithm 1. There, heap and numbers are solved one after the other, by two halves of the precondition; here one search decides
//! both, by the invariant as it is. Without an invariant this is lazy initialization.

use super::lazy::Lazy;
use super::{Admission, Alternatives, Cx, Technique};
use crate::outcome::{Answer, Place, Question};
use crate::state::State;
use crate::structure::{Completer, Fitting, Foresight, Form, Tools};

pub struct Precise {
    pub completer: Completer,
    /// May a valid input that was found before prove the next step possible?
    pub reuses: bool,
}

impl Technique for Precise {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, state, question)
    }

    fn foresee(&mut self, tools: &mut Tools, state: &State, place: Place, _answers: &[Answer]) -> Option<Foresight> {
        self.completer.foresee(tools.bounds, state, place)
    }

    fn by_input(&self, tools: &mut Tools, state: &State) -> Option<Vec<State>> {
        self.completer.by_input(tools, state)
    }

    fn admit(&mut self, tools: &mut Tools, state: &mut State) -> Admission {
        if self.completer.invariants().is_empty() {
            return Admission::Unasked;
        }
        if state.symbols.fit.as_ref().is_some_and(|fit| fit.is_only) {
            return Admission::Admitted { is_reused: true };
        }
        let known = state.symbols.fit.take().filter(|_| self.reuses);
        let reused = known.as_ref().and_then(|fit| fit.refit(tools, state, &Form::of(state)).ok());
        let is_reused = reused.is_some();
        let fit = match reused {
            Some(fit) => fit,
            None => match self.completer.fit(tools, state, known.as_ref()) {
                Fitting::Fits(fit) => fit,
                Fitting::None => return Admission::Pruned,
                Fitting::Unknown(why) => return Admission::Unknown(why),
            },
        };
        state.symbols.path.witness = Some(fit.model.clone());
        state.symbols.fit = Some(fit);
        Admission::Admitted { is_reused }
    }
}
