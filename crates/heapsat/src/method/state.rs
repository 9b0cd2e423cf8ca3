//! Which notes does the executor take while it executes a whole method with its contract?

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::Method;
use lazuli_vm::reason::Untranslated;

use crate::exec::context::Position;

/// Which code is being executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Running {
    /// Invariants, preconditions, old values or postconditions. They are unrolled as far as some input gets.
    Contract,
    /// The method under check. It is unrolled up to a bound.
    Method,
}

/// How are recursive postconditions executed?
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum PostEncoding {
    /// Once for each object: a formula of linear size, which may call a kept postcondition broken.
    #[default]
    PerObject,
    /// Each call in place: exact, and exponential where calls fork.
    InPlace,
}

/// The state of a whole-method translation.
pub(crate) struct MethodState {
    running: Running,
    /// Iterations of each loop of the method, and calls of each method within itself.
    unroll: usize,
    /// Objects with numbers from here on were allocated after the method had begun.
    first_fresh: u32,
    posts: PostEncoding,
    /// The methods that are being executed, outermost first.
    frames: Vec<&'static Method>,
    truncations: Vec<Truncation>,
    infeasible: Vec<Infeasible>,
}

/// A path that would have gone on.
pub struct Truncation {
    /// The reason why it does not.
    pub why: TruncationCause,
    /// `Class.method`, and the line.
    pub at: String,
    pub(crate) when: Lit,
}

/// Why a path does not go on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TruncationCause {
    /// A loop may iterate more often.
    Loop,
    /// A method may call itself more often.
    Recursion,
    /// This is not translated.
    Untranslated(Untranslated),
}

/// A guard that no valid input makes true, and the instruction at which the solver proved it. A certificate proves it again.
pub(crate) struct Infeasible {
    pub(crate) when: Lit,
    pub(crate) at: Option<Position>,
}

impl MethodState {
    /// Before the method: its contract runs first.
    pub(crate) fn new(posts: PostEncoding) -> MethodState {
        MethodState {
            running: Running::Contract,
            unroll: 0,
            first_fresh: 0,
            posts,
            frames: Vec::new(),
            truncations: Vec::new(),
            infeasible: Vec::new(),
        }
    }

    /// Begins the method itself.
    pub(crate) fn begin_method(&mut self, unroll: usize, first_fresh: u32) {
        (self.running, self.unroll, self.first_fresh) = (Running::Method, unroll, first_fresh);
    }

    /// Goes on with postconditions.
    pub(crate) fn end_method(&mut self) {
        self.running = Running::Contract;
    }

    pub(crate) fn running(&self) -> Running {
        self.running
    }

    /// The unrolling bound of the code that is being executed; none for the contract.
    pub(crate) fn bound(&self) -> Option<usize> {
        (self.running == Running::Method).then_some(self.unroll)
    }

    pub(crate) fn first_fresh(&self) -> u32 {
        self.first_fresh
    }

    pub(crate) fn posts(&self) -> PostEncoding {
        self.posts
    }

    pub(crate) fn push_frame(&mut self, method: &'static Method) {
        self.frames.push(method);
    }

    pub(crate) fn pop_frame(&mut self) {
        self.frames.pop();
    }

    /// How often a method is on the call stack.
    pub(crate) fn depth_of(&self, method: &'static Method) -> usize {
        self.frames.iter().filter(|caller| caller.id == method.id).count()
    }

    pub(crate) fn truncate(&mut self, truncation: Truncation) {
        self.truncations.push(truncation);
    }

    pub(crate) fn truncations(&self) -> &[Truncation] {
        &self.truncations
    }

    pub(crate) fn note_infeasible(&mut self, when: Lit, at: Option<Position>) {
        self.infeasible.push(Infeasible { when, at });
    }

    /// The numbers of frames and truncations, for `abandon`.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.frames.len(), self.truncations.len())
    }

    /// Abandons all frames and truncations since the mark.
    pub(crate) fn abandon(&mut self, (frames, truncations): (usize, usize)) {
        self.frames.truncate(frames);
        self.truncations.truncate(truncations);
    }

    pub(crate) fn into_notes(self) -> (Vec<Truncation>, Vec<Infeasible>) {
        (self.truncations, self.infeasible)
    }
}
