//! Which visible operations did the threads of a run perform, and how often had each thread come to the instruction by then?
//!
//! A debugger stops a thread before an instruction, whatever object it is about. So it must know at which of its visits the instruction is the operation
//! that the schedule means. Visits are counted from the start of the first other thread on.

use std::collections::HashMap;

use super::Vm;
use crate::frame::Frame;
use crate::program::{Method, access};
use crate::state::State;
use crate::threads::{ThreadNumber, ThreadOperation};

/// An instruction of a class file, and how often a thread had come to it.
#[derive(Clone, Copy, Debug)]
pub struct InstructionVisit {
    /// The method whose code it is.
    pub method: &'static Method,
    /// The byte offset of the instruction.
    pub offset: u16,
    /// 1 for the first visit.
    pub count: u32,
}

impl PartialEq for InstructionVisit {
    fn eq(&self, other: &InstructionVisit) -> bool {
        (self.method.id, self.offset, self.count) == (other.method.id, other.offset, other.count)
    }
}

/// A visible operation that was performed.
#[derive(Clone, Debug)]
pub struct PerformedOperation {
    /// The thread.
    pub thread: ThreadNumber,
    /// The operation.
    pub operation: ThreadOperation,
    /// The instruction before which a debugger finds the thread that is about to do it; none at the bottom of a thread's stack.
    pub at: Option<InstructionVisit>,
}

/// The visible operations of a run, and the visits of its threads.
#[derive(Clone, Default)]
pub struct Performed {
    /// In their order.
    pub operations: Vec<PerformedOperation>,
    counts: HashMap<(ThreadNumber, u32, u32), u32>,
    /// Per thread and depth of its stack, the instruction that was noted last.
    last: Vec<Vec<(u32, u32)>>,
    current: ThreadNumber,
}

impl Performed {
    /// An instruction is about to be executed, perhaps again after an operation was permitted or something was done first.
    pub(super) fn visit(&mut self, method: &'static Method, (pc, depth): (usize, usize)) {
        let (thread, at) = (self.current as usize, (method.id.index(), pc as u32));
        if self.last.len() <= thread {
            self.last.resize(thread + 1, Vec::new());
        }
        let last = &mut self.last[thread];
        if last.get(depth) == Some(&at) {
            return;
        }
        last.resize(depth + 1, (u32::MAX, 0));
        last[depth] = at;
        *self.counts.entry((self.current, at.0, at.1)).or_default() += 1;
    }

    fn count(&self, thread: ThreadNumber, (method, pc): (&'static Method, u32)) -> u32 {
        self.counts.get(&(thread, method.id.index(), pc)).copied().unwrap_or(0)
    }
}

impl Vm {
    /// Takes over the operations that were performed since the last look, and the thread that runs.
    pub(super) fn note_performed(&mut self, state: &State) {
        let Some(threads) = &state.threads else { return };
        let Some(performed) = self.walk.as_mut().and_then(|walk| walk.performed.as_mut()) else { return };
        performed.current = threads.current;
        for event in &threads.events[performed.operations.len()..] {
            let (frames, _) = state.stack_of(event.thread);
            let callers = &frames[..frames.len().min(event.depth().saturating_sub(1))];
            let callers = callers.iter().rev().map(|frame| (frame.method, frame.pc));
            let at = stop([event.site].into_iter().chain(callers), &event.operation);
            let at = at.and_then(|at| self.program.visit(at, performed.count(event.thread, at)));
            performed.operations.push(PerformedOperation {
                thread: event.thread,
                operation: event.operation.clone(),
                at,
            });
        }
    }

    /// The instruction before which a thread stands that is not done, and what it is about to do there. To be asked at the end of a run.
    pub fn pending_operation(
        &self,
        state: &State,
        performed: &Performed,
        number: ThreadNumber,
    ) -> Option<PerformedOperation> {
        let operation = state.threads.as_ref()?.all[number as usize].pending.clone()?;
        let frames = state.stack_of(number).0.iter().rev().map(|frame: &Frame| (frame.method, frame.pc));
        let at = stop(frames, &operation);
        let at = at.and_then(|at| self.program.visit(at, performed.count(number, at)));
        Some(PerformedOperation { thread: number, operation, at })
    }
}

impl crate::program::Program {
    fn visit(&self, (method, pc): (&'static Method, u32), count: u32) -> Option<InstructionVisit> {
        let offset = self.code(method).ok()?.offsets.get(pc as usize).copied()?;
        Some(InstructionVisit { method, offset, count })
    }
}

/// The innermost of these places at which a debugger can stop: no native method, nor code that no class file has. The monitor of a synchronized method is
/// entered before the first instruction: its caller must be stopped.
fn stop(
    places: impl Iterator<Item = (&'static Method, u32)>,
    operation: &ThreadOperation,
) -> Option<(&'static Method, u32)> {
    let mut enters = matches!(operation, ThreadOperation::Lock(_));
    for (method, pc) in places {
        let is_entry = std::mem::take(&mut enters) && pc == 0 && method.is_synchronized();
        let is_there = !method.hidden && method.access & access::NATIVE == 0 && method.class().file.is_some();
        if is_there && !is_entry {
            return Some((method, pc));
        }
    }
    None
}
