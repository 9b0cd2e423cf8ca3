//! Which thread goes on, and which of its operations could others notice?
//!
//! The loop asks `look` before each instruction that might be visible, and natives ask `permit`. A thread that comes to a visible operation
//! stops before it; when all threads have done so, the question is which of them goes first. So a state in which the question is asked says of
//! each thread what it will do next, and whether it can.

mod life;
mod look;
mod quiet;
pub(crate) mod spurious;
mod time;
mod waits;

use super::Vm;
use crate::frame::{Frame, HeldMonitor};
use crate::outcome::{Answer, End, Question, Stop};
use crate::program::Method;
use crate::state::State;
use crate::threads::{ThreadNumber, ThreadOperation, Threads};
use crate::value::{ObjId, Value};

/// A visible operation that a schedule expects: the thread, and the instruction.
pub type ScheduledStep = (ThreadNumber, (&'static Method, u32));

/// The thread that goes on is another one now; nothing is asked.
pub(super) fn go_on() -> Stop {
    Stop::Ask(Question::Schedule { threads: Vec::new(), is_wake: false })
}

/// Is it merely told that another thread goes on?
pub(super) fn is_change(stop: &Stop) -> bool {
    matches!(stop, Stop::Ask(Question::Schedule { threads, .. }) if threads.is_empty())
}

impl Vm {
    /// Performs a visible operation of the current thread, if it was chosen to go first. If not, the thread stops here.
    pub(crate) fn permit(&mut self, state: &mut State, operation: ThreadOperation) -> Result<(), Stop> {
        let position = state.position();
        let version = state.heap.version();
        let State { thread, threads, monitors, .. } = &mut *state;
        let Some(threads) = threads else { return Ok(()) };
        if threads.rerun.take() == Some(position) {
            self.passing = Some(position);
            return Ok(());
        }
        if std::mem::take(&mut threads.is_granted) {
            threads.perform(operation, (thread, version));
            let record = threads.now_mut();
            (record.pending, record.spinning, record.alarm) = (None, None, None);
            self.passing = Some(position);
            return Ok(());
        }
        let goes_round = threads.goes_round(&operation, thread, monitors, version);
        let effects = threads.effects_of_others(threads.current);
        let record = threads.now_mut();
        record.pending = Some(operation);
        record.spinning = goes_round.then_some((version, effects));
        Err(self.dispatch(state))
    }

    /// All threads stop before a visible operation, or the one that does not goes on.
    fn dispatch(&mut self, state: &mut State) -> Stop {
        self.passing = None;
        let Some(threads) = &mut state.threads else { return go_on() };
        if let Some(number) = threads.all.iter().position(|record| !record.has_ended && record.pending.is_none()) {
            state.change_to(number as ThreadNumber);
            return go_on();
        }
        let enabled = self.enabled(state);
        let enabled = self.in_time(state, enabled);
        let Some(threads) = &mut state.threads else { return go_on() };
        if enabled.is_empty() {
            return End::Deadlock.into();
        }
        if enabled.iter().all(|number| threads.asleep >> number & 1 != 0) {
            return End::Redundant.into();
        }
        if let [only] = enabled[..] {
            self.grant(state, only);
            return go_on();
        }
        Stop::Ask(Question::Schedule { threads: enabled, is_wake: false })
    }

    /// The threads that can perform their next visible operation, the one that ran last before the others.
    pub fn enabled(&self, state: &State) -> Vec<ThreadNumber> {
        let Some(threads) = &state.threads else { return Vec::new() };
        let last = threads.events.last().map_or(threads.current, |event| event.thread);
        let is_enabled = |number: &ThreadNumber| self.is_enabled(state, threads, *number, true);
        let numbers = 0..threads.all.len() as ThreadNumber;
        let mut enabled: Vec<ThreadNumber> = numbers.filter(is_enabled).collect();
        // A return after which nothing is checked may as well come last.
        if !threads.checks_return && enabled.len() > 1 && threads.all[0].pending == Some(ThreadOperation::Return) {
            enabled.retain(|number| *number != 0);
        }
        enabled.sort_by_key(|number| *number != last);
        enabled
    }

    /// Can the thread perform its next visible operation, if the time of its wait is up, or is not?
    fn is_enabled(&self, state: &State, threads: &Threads, number: ThreadNumber, is_time_up: bool) -> bool {
        let record = &threads.all[number as usize];
        let Some(pending) = &record.pending else { return false };
        if record.has_ended {
            return false;
        }
        if let Some((version, effects)) = record.spinning
            && version == state.heap.version()
            && effects == threads.effects_of_others(number)
        {
            return false;
        }
        let is_free = |object: ObjId| threads.owner(object, &state.monitors).is_none_or(|owner| owner == number);
        let is_interrupted = || self.is_interrupted(state, record.object);
        match pending {
            ThreadOperation::Lock(object) => is_free(*object),
            ThreadOperation::Resume { object, is_timed } => {
                let is_notified = record.waiting.is_some_and(|waiting| waiting.is_notified);
                is_free(*object) && (*is_timed && is_time_up || is_notified || is_interrupted())
            }
            ThreadOperation::Park { is_timed } => *is_timed && is_time_up || record.has_permit || is_interrupted(),
            ThreadOperation::Sleep => is_time_up || is_interrupted(),
            ThreadOperation::Join { thread, is_timed } => {
                let is_over = threads.number_of(*thread).is_none_or(|other| threads.all[other as usize].has_ended);
                *is_timed && is_time_up || is_over || is_interrupted()
            }
            ThreadOperation::Initialise(class) => state.initialiser_of(*class).is_none_or(|owner| owner == number),
            _ => true,
        }
    }

    /// Lets a thread perform its next visible operation.
    fn grant(&mut self, state: &mut State, number: ThreadNumber) {
        let enabled = self.enabled(state);
        let Some(threads) = &mut state.threads else { return };
        let is_preemption =
            threads.events.last().is_some_and(|last| last.thread != number && enabled.contains(&last.thread));
        threads.preemptions += is_preemption as u32;
        threads.enabled = enabled.iter().fold(0, |set, number| set | 1 << number);
        threads.is_granted = true;
        state.change_to(number);
    }

    /// Writes the answer to the question which thread goes first, or is woken, into the state.
    pub(super) fn answer_schedule(&mut self, state: &mut State, is_wake: bool, answer: &Answer) {
        let Answer::Run(number) = answer else { return };
        match is_wake {
            true => {
                if let Some(threads) = &mut state.threads {
                    threads.woken = Some(*number);
                }
            }
            false => self.grant(state, *number),
        }
    }

    /// A run with nothing unknown goes on with the thread that its schedule says, or else with the one that ran last.
    pub(super) fn choose_thread(&mut self, state: &State, able: &[ThreadNumber]) -> ThreadNumber {
        let first = able[0];
        let (Some(example), Some(threads)) = (&self.example, &state.threads) else { return first };
        // Per thread, the steps of the schedule that its events have reached. Objects may be shared here that are not there, so that there
        // may be more events or fewer: an event that the schedule does not have is passed over, and so is a step that never comes.
        let mut reached = vec![0; threads.all.len()];
        let next_of = |thread: ThreadNumber, from: usize| {
            (from..example.schedule.len()).filter(move |at| example.schedule[*at].0 == thread)
        };
        for event in &threads.events {
            let from = reached[event.thread as usize];
            let is_step = |at: &usize| {
                let (_, (method, pc)) = example.schedule[*at];
                method.id == event.site.0.id && pc == event.site.1
            };
            if let Some(at) = next_of(event.thread, from).find(is_step) {
                reached[event.thread as usize] = at + 1;
            }
        }
        let next = |number: &ThreadNumber| next_of(*number, reached[*number as usize]).next().unwrap_or(usize::MAX);
        able.iter().copied().min_by_key(|number| next(number)).unwrap_or(first)
    }
}

impl State {
    /// The depth of the stack and the instruction of the top frame.
    pub(super) fn position(&self) -> (u32, u32) {
        (self.thread.frames.len() as u32, self.thread.frames.last().map_or(0, |frame| frame.pc))
    }

    /// Makes another thread the one that runs.
    fn change_to(&mut self, number: ThreadNumber) {
        let State { thread, monitors, threads, .. } = self;
        let Some(threads) = threads else { return };
        for number in [threads.current, number] {
            let record = &mut threads.all[number as usize];
            std::mem::swap(&mut record.thread, thread);
            std::mem::swap(&mut record.monitors, monitors);
        }
        threads.current = number;
    }

    /// Can two threads reach the object?
    pub(crate) fn is_shared(&self, object: ObjId) -> bool {
        self.threads.as_ref().is_some_and(|threads| threads.is_shared(object))
    }

    /// Marks what a value leads to as reachable for two threads.
    pub(crate) fn share(&mut self, value: Value) {
        let value = self.symbols.settled(value);
        if let Some(threads) = &mut self.threads {
            threads.share(&self.heap, value);
        }
    }

    /// The frames of a thread, the caller before the callee, and the monitors that it holds.
    pub fn stack_of(&self, number: ThreadNumber) -> (&[Frame], &[HeldMonitor]) {
        match &self.threads {
            Some(threads) if threads.current != number => {
                let record = &threads.all[number as usize];
                (&record.thread.frames, &record.monitors)
            }
            _ => (&self.thread.frames, &self.monitors),
        }
    }
}
