//! In which order must the threads of a plan run, so that it ends as the path did?
//!
//! A debugger can stop a thread before an instruction, and can tell which object a new thread is. So a schedule is a list of instructions, each with the
//! number of times that the thread has come to it by then. Two operations of one instruction cannot be kept apart: the second is left out.

use lazuli_vm::interp::{InstructionVisit, Performed, PerformedOperation, Vm};
use lazuli_vm::state::State;
use lazuli_vm::threads::{ThreadNumber, ThreadOperation};

/// The order in which threads must run.
#[derive(Clone, Debug)]
pub struct ForcedSchedule {
    /// The names of the threads by their numbers; the first is the one that calls the target.
    pub threads: Vec<String>,
    /// The operations in their order.
    pub steps: Vec<ForcedStep>,
    /// Where threads that are not done must stop until all steps are made.
    pub last: Vec<ForcedStep>,
    /// The threads that wait at the end of a deadlock.
    pub standing: Vec<StandingPlace>,
    /// The thread whose uncaught exception ends the run, if it is not the first one.
    pub thrower: Option<ThreadNumber>,
}

/// A thread that goes on, and where it waits for that.
#[derive(Clone, Copy, Debug)]
pub struct ForcedStep {
    /// The thread.
    pub thread: ThreadNumber,
    /// How it waits.
    pub kind: StepKind,
    /// The instruction before which it stops; none where it begins.
    pub at: Option<InstructionVisit>,
}

/// How a thread waits for its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A debugger stops it before an instruction.
    Stop,
    /// The same, and the instruction starts another thread.
    Start,
    /// It is in `Object.wait`.
    Resume,
}

/// A thread that cannot go on.
#[derive(Clone, Debug)]
pub struct StandingPlace {
    /// The thread.
    pub thread: ThreadNumber,
    /// Does it run on and on, so that it cannot be told from one that is slow?
    pub is_spinning: bool,
    /// Does it wait for the initialiser of a class? A JVM does not call that waiting.
    pub is_initialising: bool,
    /// The innermost place of the user's code: the class with dots, the method, and the line.
    pub place: Option<(String, &'static str, u16)>,
}

/// The schedule of a run that has ended. None if it had one thread only.
pub(crate) fn forced(vm: &Vm, state: &State, performed: &Performed) -> Option<ForcedSchedule> {
    let threads = state.threads.as_ref()?;
    let mut steps: Vec<ForcedStep> = Vec::new();
    for operation in &performed.operations {
        steps.extend(step(operation).filter(|step| is_new(&steps, step)));
    }
    let mut last = Vec::new();
    let mut standing = Vec::new();
    for (number, record) in threads.all.iter().enumerate().filter(|(_, record)| !record.has_ended) {
        let number = number as ThreadNumber;
        let pending = vm.pending_operation(state, performed, number);
        last.extend(pending.as_ref().and_then(step).filter(|step| is_new(&steps, step)));
        let frames = state.stack_of(number).0;
        if matches!(record.pending, None | Some(ThreadOperation::Return)) || frames.is_empty() {
            continue;
        }
        let users = frames.iter().rev().find(|frame| frame.method.class().is_users() && !frame.method.hidden);
        let place = users.map(|frame| {
            let line = vm.program.code(frame.method).ok().and_then(|code| code.line(frame.pc));
            (frame.method.class().java_name(), frame.method.name, line.unwrap_or(0))
        });
        let is_initialising = matches!(record.pending, Some(ThreadOperation::Initialise(_)));
        standing.push(StandingPlace { thread: number, is_spinning: record.spinning.is_some(), is_initialising, place });
    }
    Some(ForcedSchedule {
        threads: threads.all.iter().map(|record| record.name.to_string()).collect(),
        steps,
        last,
        standing,
        thrower: Some(threads.current).filter(|number| *number != 0),
    })
}

/// Leaving a monitor is no step of its own: the thread does so before it stops next.
fn step(operation: &PerformedOperation) -> Option<ForcedStep> {
    let kind = match operation.operation {
        ThreadOperation::Unlock(_) => return None,
        ThreadOperation::Resume { .. } => StepKind::Resume,
        ThreadOperation::Start(_) => StepKind::Start,
        _ => StepKind::Stop,
    };
    Some(ForcedStep { thread: operation.thread, kind, at: operation.at })
}

fn is_new(steps: &[ForcedStep], step: &ForcedStep) -> bool {
    let is_same = |other: &ForcedStep| other.thread == step.thread && other.kind == step.kind && other.at == step.at;
    step.kind == StepKind::Resume || !steps.iter().any(is_same)
}
