//! Lazy initialization with a hybrid invariant: the invariant runs on the part of the input that is known; a path is dropped if it is
//! false already, and kept as soon as it reads something unknown.
//!
//! What Khurshid, Păsăreanu and Visser (TACAS 2003, section 4.1) call a conservative precondition; LIHYBRID in the PLI paper. Users of
//! those tools write it by hand; here it is the one invariant, stopped where it asks. Who has one that knows what is unknown
//! (`Lazuli.isKnown`) may name it.

use super::lazy::Lazy;
use super::{Admission, Alternatives, Cx, Given, Technique};
use crate::outcome::{End, Question, Stop};
use crate::state::State;
use crate::structure::{Invariant, Tools, input_of, receiver};
use crate::value::Value;

pub struct Hybrid {
    invariants: Vec<Invariant>,
}

impl Hybrid {
    pub fn new(given: &Given) -> Hybrid {
        Hybrid { invariants: given.hybrid_invariants.to_vec() }
    }
}

impl Technique for Hybrid {
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
        Lazy.alternatives(cx, state, question)
    }

    fn admit(&mut self, tools: &mut Tools, state: &mut State) -> Admission {
        if self.invariants.is_empty() {
            return Admission::Unasked;
        }
        for invariant in &self.invariants {
            let mut input = input_of(state);
            let Some(object) = receiver(&input, invariant) else { continue };
            let stop = match tools.vm.begin_contract(&mut input, invariant.method, &[object.into()]) {
                Ok(()) => tools.vm.run(&mut input),
                Err(stop) => stop,
            };
            if let Stop::End(End::Returned(Value::Int(0)) | End::Threw(_)) = stop {
                return Admission::Pruned;
            }
        }
        Admission::Admitted { is_reused: false }
    }
}
