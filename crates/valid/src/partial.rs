//! What is known about a partly known input besides its objects?

use std::ops::{Deref, DerefMut};

use lazuli_vm::state::State;

use crate::catalogue::witness::HeapWitness;
use crate::label::{HybridPass, Labels};

/// The state of a path, whose input is known in part, with what techniques found out about the valid inputs that complete it.
#[derive(Clone, Default)]
pub struct Partial {
    /// The state of the interpreter, with the heap and the path condition.
    pub state: State,
    /// A valid input that completes it, under techniques that look for one.
    pub witness: Option<HeapWitness>,
    /// The numbers that its objects may have in a valid input, under techniques that number them.
    pub labels: Labels,
    /// The answer of a hybrid invariant about the input as it is now, if it was asked.
    pub hybrid_pass: Option<HybridPass>,
}

impl Partial {
    /// A copy that shares what neither of the two has written since.
    pub fn fork(&self) -> Partial {
        self.with_state(self.state.fork())
    }

    /// The same knowledge about another state.
    pub fn with_state(&self, state: State) -> Partial {
        Partial { state, witness: self.witness.clone(), labels: self.labels.clone(), hybrid_pass: self.hybrid_pass }
    }
}

impl From<State> for Partial {
    fn from(state: State) -> Partial {
        Partial { state, ..Partial::default() }
    }
}

impl Deref for Partial {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Partial {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}
