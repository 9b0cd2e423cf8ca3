//! How are recursive calls executed, whose depth depends on the input?
//!
//! Three strategies, each a variant of [`Strategy`] with its own state:
//! - **in place** (whole methods): a call is executed where it is made, up to the unrolling bound;
//! - **promises** (invariants): a call returns fresh variables, and is executed later, breadth first, if some valid input gets there;
//! - **per object** (invariants): a method is executed once for each atom, whichever call comes first, so that the circuit is linear in the
//!   number of atoms. `at_most_once` proves beforehand, by induction over calls, that valid inputs need no second execution;
//!   `postcondition` does the same for a condition that may be false.

use std::collections::VecDeque;
use std::rc::Rc;

use lazuli_logic::circuit::Lit;

use crate::library::unordered_set::InsertionLog;
use crate::recursion::per_object::{ExecutionKey, Occurrence, PerObject};
use crate::recursion::postcondition::PostPerObject;
use crate::recursion::promises::{PendingExecution, Promise};

pub(crate) mod at_most_once;
pub(crate) mod call_graph;
pub(crate) mod loop_iterations;
pub(crate) mod passed_widths;
pub(crate) mod per_object;
pub(crate) mod postcondition;
pub(crate) mod promises;

/// How recursive calls are executed.
pub(crate) enum Strategy {
    /// Where they are made.
    InPlace,
    /// Later, breadth first.
    Promises,
    /// Once for each object.
    PerObject(PerObject),
    /// Once for each object, for a postcondition of a whole method.
    Postcondition(PostPerObject),
}

/// Recursive calls: the strategy, and the executions that it still owes.
pub(crate) struct Recursion {
    strategy: Strategy,
    agenda: Agenda,
    /// Sets whose insertions have no order.
    sets: Vec<InsertionLog>,
}

/// Executions that were promised.
struct Agenda {
    /// In the order in which they were promised.
    pending: VecDeque<PendingExecution>,
    /// Those that run when nothing else is pending.
    deferred: VecDeque<PendingExecution>,
    /// The depth of the execution that is running: how many had to run before it could be asked for.
    depth: usize,
    /// The promises that it gave.
    given: Vec<Rc<Promise>>,
    /// An assumption literal: true if all calls are known, so that no execution happens without a call.
    complete: Lit,
}

impl Recursion {
    pub(crate) fn new(strategy: Strategy) -> Recursion {
        let agenda = Agenda {
            pending: VecDeque::new(),
            deferred: VecDeque::new(),
            depth: 0,
            given: Vec::new(),
            complete: Lit::TRUE,
        };
        Recursion { strategy, agenda, sets: Vec::new() }
    }

    pub(crate) fn per_object(&self) -> Option<&PerObject> {
        match &self.strategy {
            Strategy::PerObject(per_object) => Some(per_object),
            _ => None,
        }
    }

    pub(crate) fn per_object_mut(&mut self) -> Option<&mut PerObject> {
        match &mut self.strategy {
            Strategy::PerObject(per_object) => Some(per_object),
            _ => None,
        }
    }

    pub(crate) fn into_per_object(self) -> Option<PerObject> {
        match self.strategy {
            Strategy::PerObject(per_object) => Some(per_object),
            _ => None,
        }
    }

    fn postcondition(&self) -> Option<&PostPerObject> {
        match &self.strategy {
            Strategy::Postcondition(post) => Some(post),
            _ => None,
        }
    }

    /// Is a postcondition being executed per object?
    pub(crate) fn is_postcondition(&self) -> bool {
        self.postcondition().is_some()
    }

    /// Are recursive methods executed once for each object?
    pub(crate) fn is_per_object(&self) -> bool {
        matches!(self.strategy, Strategy::PerObject(_) | Strategy::Postcondition(_))
    }

    /// Is the method being executed with which everything began, and not one that it calls recursively?
    pub(crate) fn is_outermost(&self) -> bool {
        match &self.strategy {
            Strategy::PerObject(per_object) => per_object.is_outermost,
            Strategy::Postcondition(post) => post.is_outermost,
            Strategy::InPlace | Strategy::Promises => false,
        }
    }

    /// The call for an object that is being executed, if one is.
    pub(crate) fn occurrence(&self) -> Option<Occurrence> {
        self.per_object().and_then(|per_object| per_object.occurrence)
    }

    /// The execution that is running; none for the invariant itself.
    pub(crate) fn running(&self) -> Option<ExecutionKey> {
        self.occurrence().map(|occurrence| occurrence.key)
    }

    /// Is it useless to prune points-to sets? An execution for one object is small already, and the solver could rule out pointees only with executions
    /// that are not known yet.
    pub(crate) fn skips_pruning(&self) -> bool {
        self.is_per_object() && (!self.is_outermost() || self.occurrence().is_some())
    }

    /// Begins a set whose insertions have no order; its number.
    pub(crate) fn new_set(&mut self) -> usize {
        let (number, by) = (self.sets.len(), self.running());
        if let Some(log) = self.per_object_mut().and_then(PerObject::log_mut) {
            log.allocated(by, number);
        }
        self.sets.push(InsertionLog::default());
        number
    }

    pub(crate) fn set_mut(&mut self, number: usize) -> &mut InsertionLog {
        &mut self.sets[number]
    }

    pub(crate) fn sets(&self) -> &[InsertionLog] {
        &self.sets
    }

    pub(crate) fn take_sets(&mut self) -> Vec<InsertionLog> {
        std::mem::take(&mut self.sets)
    }
}
