//! Which calls, exceptions and allocations is the executor in the middle of?

use std::collections::HashMap;

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::Word;
use lazuli_vm::program::{Method, StringId};

use crate::Refusal;
use crate::exec::path::GuardedPath;
use crate::exec::value::PointsTo;

/// A method and one of its instructions.
pub(crate) type Position = (&'static Method, u32);

/// The effort that a translation may take.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    limits: &'a SolverLimits,
    /// Gets the number of gates and of solver calls, and says whether everything must end now.
    watch: &'a dyn Fn(usize, u64) -> bool,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &'a SolverLimits, watch: &'a dyn Fn(usize, u64) -> bool) -> Budget<'a> {
        Budget { limits, watch }
    }

    pub(crate) fn limits(&self) -> &'a SolverLimits {
        self.limits
    }

    pub(crate) fn check(&self, gates: usize, solver_calls: u64) -> Result<(), Refusal> {
        let must_end = (self.watch)(gates, solver_calls);
        if must_end || self.limits.left().is_zero() { Err(Refusal::OutOfTime) } else { Ok(()) }
    }
}

/// Calls in place that are being executed, and how many of them stand in a try block or in an unordered iteration.
#[derive(Clone, Copy, Default)]
pub(crate) struct CallNesting {
    calls: usize,
    handlers: usize,
    unordered: usize,
}

/// Where execution is: the instruction, the calls around it, and the exceptions that the instruction has thrown.
#[derive(Default)]
pub(crate) struct CallContext {
    nesting: CallNesting,
    position: Option<Position>,
    thrown: Vec<(GuardedPath, PointsTo)>,
}

impl CallContext {
    /// Counts the call site of the next call in place.
    pub(crate) fn enter_site(&mut self, is_covered: bool, iterates_unordered: bool) {
        self.nesting.handlers += is_covered as usize;
        self.nesting.unordered += iterates_unordered as usize;
    }

    /// Undoes `enter_site`.
    pub(crate) fn leave_site(&mut self, is_covered: bool, iterates_unordered: bool) {
        self.nesting.handlers -= is_covered as usize;
        self.nesting.unordered -= iterates_unordered as usize;
    }

    /// Begins a call in place with no exceptions of its own. None if calls nest deeper than `most`.
    pub(crate) fn begin_call(&mut self, most: usize) -> Option<SuspendedCall> {
        if self.nesting.calls == most {
            return None;
        }
        self.nesting.calls += 1;
        Some(SuspendedCall { position: self.position, thrown: std::mem::take(&mut self.thrown) })
    }

    /// Goes on in the caller.
    pub(crate) fn end_call(&mut self, caller: SuspendedCall) {
        self.nesting.calls -= 1;
        (self.position, self.thrown) = (caller.position, caller.thrown);
    }

    /// Does a caller of the method that is being executed catch exceptions?
    pub(crate) fn has_handlers(&self) -> bool {
        self.nesting.handlers > 0
    }

    /// Does a caller iterate over objects in an order that the code does not have?
    pub(crate) fn is_in_unordered_iteration(&self) -> bool {
        self.nesting.unordered > 0
    }

    pub(crate) fn position(&self) -> Option<Position> {
        self.position
    }

    pub(crate) fn move_to(&mut self, position: Position) {
        self.position = Some(position);
    }

    /// Notes an exception; it is dispatched when the instruction is over.
    pub(crate) fn throw(&mut self, path: GuardedPath, exception: PointsTo) {
        self.thrown.push((path, exception));
    }

    pub(crate) fn has_thrown(&self) -> bool {
        !self.thrown.is_empty()
    }

    pub(crate) fn take_thrown(&mut self) -> Vec<(GuardedPath, PointsTo)> {
        std::mem::take(&mut self.thrown)
    }

    /// The number of exceptions that wait to be dispatched.
    pub(crate) fn thrown_count(&self) -> usize {
        self.thrown.len()
    }

    pub(crate) fn thrown_since(&mut self, count: usize) -> &mut [(GuardedPath, PointsTo)] {
        &mut self.thrown[count..]
    }

    pub(crate) fn nesting(&self) -> CallNesting {
        self.nesting
    }

    /// Abandons everything that was begun since the nesting was read.
    pub(crate) fn abandon(&mut self, nesting: CallNesting) {
        self.nesting = nesting;
        self.thrown.clear();
    }
}

/// A caller while its callee is executed in place.
pub(crate) struct SuspendedCall {
    position: Option<Position>,
    thrown: Vec<(GuardedPath, PointsTo)>,
}

/// The objects that the code allocates, by number.
pub(crate) struct Allocations {
    next: u32,
    /// Where exceptions were allocated.
    sites: HashMap<u32, String>,
    /// The lengths of arrays, where they depend on the input.
    lengths: HashMap<u32, Word>,
    /// The objects of string constants.
    literals: HashMap<StringId, u32>,
    /// The longest text that was concatenated, and at least the longest constant.
    pub(crate) longest_concatenation: u64,
}

impl Default for Allocations {
    fn default() -> Allocations {
        Allocations {
            next: 0,
            sites: HashMap::new(),
            lengths: HashMap::new(),
            literals: HashMap::new(),
            longest_concatenation: u64::from(u16::MAX),
        }
    }
}

impl Allocations {
    /// The number that the next object gets.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }

    /// Takes so many numbers; the first of them.
    pub(crate) fn reserve(&mut self, count: u32) -> u32 {
        let first = self.next;
        self.next += count;
        first
    }

    pub(crate) fn set_site(&mut self, number: u32, site: String) {
        self.sites.insert(number, site);
    }

    /// Where an exception was allocated; empty if that is not known.
    pub(crate) fn site(&self, number: u32) -> String {
        self.sites.get(&number).cloned().unwrap_or_default()
    }

    pub(crate) fn set_length(&mut self, number: u32, length: Word) {
        self.lengths.insert(number, length);
    }

    pub(crate) fn length(&self, number: u32) -> Option<&Word> {
        self.lengths.get(&number)
    }

    /// The object of a string constant; its array of characters has the next number.
    pub(crate) fn literal(&mut self, id: StringId) -> u32 {
        match self.literals.get(&id) {
            Some(known) => *known,
            None => {
                let number = self.reserve(2);
                self.literals.insert(id, number);
                number
            }
        }
    }

    pub(crate) fn is_literal(&self, number: u32) -> bool {
        self.literals.values().any(|literal| *literal == number)
    }
}
