//! What does a path of the exploration consist of? Its state, and the notes that the explorer and its technique keep with it.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use lazuli_reach::call_sequence::CallSequence;
use lazuli_valid::Partial;
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::Method;
use lazuli_vm::reason::Reason;
use lazuli_vm::state::State;
use lazuli_vm::threads::ThreadNumber;
use lazuli_vm::value::ObjId;

use crate::concurrent::OrderSearch;
use crate::report::Choice;
use crate::worker::reduction::WakeUpOrder;
use crate::worker::visited::Visit;

/// One path. The interpreter sees its state only.
#[derive(Clone, Default)]
pub struct Path {
    /// The state of the interpreter, and the valid inputs that are known to complete it.
    pub known: Partial,
    /// How many of the invariants, preconditions and old values that come before the method have been executed.
    pub stage: usize,
    /// The calls that made the input, under techniques that have it made so.
    pub sequence: Option<Rc<CallSequence>>,
    /// The choices so far in words, if the report shows them.
    pub choices: Rc<Vec<Arc<Choice>>>,
    /// How many events of threads were looked at for other orders.
    pub raced: usize,
    /// The order of operations that the path shall begin with, after its last choice among threads that brought one.
    pub(crate) wake_up: Option<WakeUpOrder>,
    /// How far the use of an object by several threads has come, if that is what is explored.
    pub(crate) concurrent: Option<Rc<OrderSearch>>,
    /// The forks of a whole program on the way, as far as they are looked at again.
    pub(crate) visits: Option<Rc<Visit>>,
}

impl Path {
    /// A copy that shares what neither of the two has written since.
    pub fn fork(&self) -> Path {
        self.with_known(self.known.fork())
    }

    /// The name of a thread.
    pub(crate) fn thread_name(&self, number: ThreadNumber) -> String {
        match &self.threads {
            Some(threads) => threads.all[number as usize].name.to_string(),
            None => "main".to_string(),
        }
    }

    /// Does another thread run than the one that called the method?
    pub(crate) fn is_in_other_thread(&self) -> bool {
        self.threads.as_ref().is_some_and(|threads| threads.current != 0)
    }

    /// Does the error stand for a precondition that is false at a call?
    pub(crate) fn is_refused(&self, error: ObjId) -> bool {
        self.symbols.refused.as_ref().is_some_and(|refused| refused.exception == error)
    }

    /// The same path with another knowledge of its input.
    pub fn with_known(&self, known: Partial) -> Path {
        Path {
            known,
            stage: self.stage,
            sequence: self.sequence.clone(),
            choices: self.choices.clone(),
            raced: self.raced,
            wake_up: self.wake_up.clone(),
            concurrent: self.concurrent.clone(),
            visits: self.visits.clone(),
        }
    }

    /// Goes on in another state that has the same input.
    pub(crate) fn set_state(&mut self, state: State) {
        self.known.state = state;
    }

    /// The same path with its input completed, or restored.
    pub fn with_state(&self, state: State) -> Path {
        self.with_known(self.known.with_state(state))
    }
}

impl From<State> for Path {
    fn from(state: State) -> Path {
        Path { known: state.into(), ..Path::default() }
    }
}

impl Deref for Path {
    type Target = Partial;

    fn deref(&self) -> &Partial {
        &self.known
    }
}

impl DerefMut for Path {
    fn deref_mut(&mut self) -> &mut Partial {
        &mut self.known
    }
}

/// The end of a path, with the path that it ended: what an end refers to is in the heap of that path and of no other.
pub struct Finished {
    /// The path up to its end.
    pub path: Path,
    /// How the path ended; references in it are valid in the heap of `path` only.
    pub end: End,
}

impl Finished {
    /// A path that ended before its first instruction. Nothing is asked there.
    pub fn at_entry(path: impl Into<Path>, stop: Stop) -> Finished {
        let end = match stop {
            Stop::End(end) => end,
            Stop::Ask(_) => End::unsupported(Reason::Bug("a question at the entry of a method".to_string()), ""),
        };
        Finished { path: path.into(), end }
    }

    /// Did the path end because a precondition is false at a call?
    pub(crate) fn is_refused(&self) -> bool {
        self.thrown().is_some_and(|(path, error)| path.is_refused(error))
    }

    /// The instruction at which a fault shows that is no exception.
    pub(crate) fn place(&self) -> Option<(&'static Method, u32)> {
        match &self.end {
            End::Deadlock => self.path.blocked_at(),
            End::Broken(broken) => broken.place(),
            _ => None,
        }
    }

    /// The exception that nothing caught, if that is the end, and the path whose heap has it.
    pub fn thrown(&self) -> Option<(&Path, ObjId)> {
        match self.end {
            End::Threw(exception) => Some((&self.path, exception)),
            _ => None,
        }
    }
}
