//! How far has the search for an order come that explains what threads saw, and how do two runs of their calls compare?

use std::rc::Rc;

use lazuli_vm::outcome::End;
use lazuli_vm::state::State;
use lazuli_vm::value::{ObjId, Value};

use super::{ConcurrentUse, orders};

/// How far a path of a concurrent use has come.
#[derive(Clone)]
pub(crate) struct OrderSearch {
    /// How the calls of the run ended that goes on.
    pub(crate) record: ObjId,
    /// The threads' run, if it is over.
    pub(crate) ended: Option<Rc<ThreadsEnd>>,
    /// The order that is tried, and of its runs the one that goes on.
    pub(crate) at: (usize, usize),
    pub(crate) phase: OrderPhase,
}

/// Whether a run goes on, is over, or was the last one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OrderPhase {
    Running,
    /// The calls have returned, or one of them waits for ever.
    Compared {
        is_blocked: bool,
    },
    Explained,
    Unexplained,
}

/// The end of the threads' run.
pub(crate) struct ThreadsEnd {
    pub(crate) state: State,
    pub(crate) record: ObjId,
    pub(crate) end: End,
    pub(crate) orders: Vec<OrderRuns>,
}

/// An order of the calls that are over. If there are others, each of them must wait for ever after these.
pub(crate) struct OrderRuns {
    pub(crate) calls: Vec<usize>,
    pub(crate) runs: Vec<Vec<usize>>,
}

impl OrderSearch {
    /// A run of threads with this record begins.
    pub(crate) fn new(record: ObjId) -> OrderSearch {
        OrderSearch { record, ended: None, at: (0, 0), phase: OrderPhase::Running }
    }

    /// Does no order explain the path?
    pub(crate) fn is_unexplained(&self) -> bool {
        self.phase == OrderPhase::Unexplained
    }

    /// Did a call wait for ever, which it does in an order, too?
    pub(crate) fn is_blocked(&self) -> bool {
        let is_blocked = |ended: &Rc<ThreadsEnd>| ended.end == End::Deadlock;
        self.phase == OrderPhase::Explained && self.ended.as_ref().is_some_and(is_blocked)
    }
}

impl ConcurrentUse {
    /// The orders that may explain a run of the threads.
    pub(crate) fn orders_of(&self, state: &State, record: ObjId) -> Vec<OrderRuns> {
        let int = |name: String| match self.slot(&name).map(|slot| state.heap.field(record, slot)) {
            Some(Value::Int(value)) => value,
            _ => 0,
        };
        let is_over = |call: &usize| int(format!("ended{call}")) != 0;
        let threads: Vec<Vec<usize>> =
            self.by_thread().into_iter().map(|calls| calls.into_iter().filter(is_over).collect()).collect();
        let pending: Vec<usize> = (0..self.calls.len()).filter(|call| !is_over(call)).collect();
        let before = |first: usize, then: usize| {
            let (first, thread) = (self.calls[first], self.calls[then].thread);
            first.thread != thread && int(format!("seen{then}by{}", first.thread)) > first.position as i32
        };
        let found = orders(&threads, &before);
        let with_runs = |calls: Vec<usize>| {
            // Of each thread, at most one call waits; those behind it never began.
            let is_next = |call: &&usize| {
                let position = self.calls[**call].position;
                let thread = self.calls[**call].thread;
                calls.iter().filter(|done| self.calls[**done].thread == thread).count() == position
            };
            let waiting = pending.iter().filter(is_next);
            let runs = match pending.is_empty() {
                true => vec![calls.clone()],
                false => waiting.map(|call| calls.iter().copied().chain([*call]).collect()).collect(),
            };
            OrderRuns { calls, runs }
        };
        found.into_iter().map(with_runs).collect()
    }

    /// The ends of the calls in two runs, to be compared: all of them, or those of `only`.
    pub(crate) fn ends_of(
        &self,
        (one, record): (&State, ObjId),
        (other, also): (&State, ObjId),
        only: &[usize],
    ) -> Vec<(String, Value, Value)> {
        let mut pairs = Vec::new();
        for call in only {
            for what in ["ended", "result"] {
                let Some(slot) = self.slot(&format!("{what}{call}")) else { continue };
                let name = format!("{what} {call}");
                pairs.push((name, one.heap.field(record, slot), other.heap.field(also, slot)));
            }
        }
        pairs
    }

    /// Do the calls throw exceptions of the same classes in both runs? If not, a call that does not.
    pub(crate) fn thrown_differently(
        &self,
        (one, record): (&State, ObjId),
        (other, also): (&State, ObjId),
        only: &[usize],
    ) -> Option<usize> {
        let class = |state: &State, record: ObjId, call: usize| {
            let slot = self.slot(&format!("thrown{call}"))?;
            state.heap.field(record, slot).object().map(|thrown| state.heap.class(thrown).id)
        };
        only.iter().copied().find(|call| class(one, record, *call) != class(other, also, *call))
    }
}
