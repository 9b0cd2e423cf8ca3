//! When does a thread wait for another: for a monitor, a notification, or the initialiser of a class?

use std::rc::Rc;
use std::time::Duration;

use super::super::Vm;
use super::quiet::is_quiet;
use super::spurious::SpuriousEnd;
use crate::frame::{Frame, HeldMonitor, Purpose};
use crate::outcome::{Question, Stop};
use crate::program::Class;
use crate::property::EventKind;
use crate::state::{Initialisation, State};
use crate::threads::{ThreadNumber, ThreadOperation, Threads, WaitingFor};
use crate::value::ObjId;

impl Vm {
    /// Enters a monitor that two threads can reach: waits until it is free.
    pub(super) fn may_lock(&mut self, state: &mut State, object: ObjId) -> Result<(), Stop> {
        let Some(threads) = &state.threads else { return Ok(()) };
        let is_own = state.holds_lock(object);
        let is_taken = !is_own && threads.owner(object, &state.monitors).is_some();
        let is_visible = threads.is_shared(object) && !state.thread.frames.last().is_some_and(is_quiet);
        if !is_own && (is_taken || is_visible || threads.is_granted) {
            self.permit(state, ThreadOperation::Lock(object))?;
        }
        Ok(())
    }

    /// The same for a synchronized method whose frame is there already.
    pub(super) fn lock_visibly(&mut self, state: &mut State, object: ObjId) -> Result<(), Stop> {
        self.may_lock(state, object)?;
        state.lock(object);
        Ok(())
    }

    /// Waits until another thread has initialised a class.
    pub(crate) fn await_initialiser(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        let Some(threads) = &state.threads else { return Ok(()) };
        let is_running = state.classes.slot(class.id).initialisation == Initialisation::Running;
        let is_others = is_running && state.initialiser_of(class.id).is_some_and(|owner| owner != threads.current);
        // A thread that waited for it goes on; one that is about to begin is asked for where it does so.
        let was_waiting = state.classes.slot(class.id).initialisation != Initialisation::NotStarted
            && matches!(&threads.now().pending, Some(ThreadOperation::Initialise(pending)) if *pending == class.id);
        if is_others || was_waiting {
            self.permit(state, ThreadOperation::Initialise(class.id))?;
        }
        Ok(())
    }

    /// Begins to initialise a class of the user's: which of several threads does so may matter.
    pub(in crate::interp) fn may_initialise(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        if state.threads.is_some() && class.is_users() && class.own_method("<clinit>", "()V").is_some() {
            self.permit(state, ThreadOperation::Initialise(class.id))?;
        }
        Ok(())
    }

    /// `Object.wait`: leaves the monitor, and enters it again when the wait is over. True if an interruption ended it.
    pub(crate) fn wait(&mut self, state: &mut State, object: ObjId, time: Option<Duration>) -> Result<bool, Stop> {
        if waiting_now(state).is_none() {
            self.permit(state, ThreadOperation::Wait(object))?;
            let Some(threads) = &mut state.threads else { return Ok(false) };
            let own = threads.now().object;
            if self.is_interrupted(state, own) {
                self.clear_interruption(state, own);
                return Ok(true);
            }
            // A wait whose time may be over at any moment ends in all these ways anyway.
            let is_spurious = time.is_none() && self.is_spurious(state, SpuriousEnd::WakeUp)?;
            let held = state.monitors.iter().position(|held| held.object == object);
            let count = held.map_or(0, |at| state.monitors.swap_remove(at).count);
            state.note_monitor(EventKind::Unlock, object);
            let Some(threads) = &mut state.threads else { return Ok(false) };
            threads.now_mut().waiting = Some(WaitingFor { object, count, is_notified: false, is_spurious });
            self.passing = None;
            if let Some(time) = time {
                self.set_alarm(state, time);
            }
        }
        let is_timed = time.is_some() || waiting_now(state).is_some_and(|waiting| waiting.is_spurious);
        self.permit(state, ThreadOperation::Resume { object, is_timed })?;
        let Some(threads) = &mut state.threads else { return Ok(false) };
        let record = threads.now_mut();
        let Some(waiting) = record.waiting.take() else { return Ok(false) };
        let own = record.object;
        state.monitors.push(HeldMonitor { object, count: waiting.count });
        state.note_monitor(EventKind::Lock, object);
        // Who left the wait set for no reason was not interrupted in it.
        let is_interrupted = !waiting.is_notified && !waiting.is_spurious && self.is_interrupted(state, own);
        if is_interrupted {
            self.clear_interruption(state, own);
        }
        Ok(is_interrupted)
    }

    /// `Object.notify` and `notifyAll`.
    pub(crate) fn notify(&mut self, state: &mut State, object: ObjId, is_all: bool) -> Result<(), Stop> {
        let Some(threads) = &state.threads else { return Ok(()) };
        let is_waiting = |number: &ThreadNumber| {
            let waiting = threads.all[*number as usize].waiting;
            waiting.is_some_and(|waiting| waiting.object == object && waiting.is_in_set())
        };
        if threads.is_shared(object) {
            let waiting: Vec<ThreadNumber> = (0..threads.all.len() as ThreadNumber).filter(is_waiting).collect();
            let is_chosen = threads.woken.is_some();
            if !is_chosen {
                self.permit(state, ThreadOperation::Notify(object))?;
                if !is_all && waiting.len() > 1 {
                    return Err(Stop::Ask(Question::Schedule { threads: waiting, is_wake: true }));
                }
            }
        }
        if let Some(threads) = &mut state.threads {
            threads.rerun = None;
            let chosen = threads.woken.take();
            threads.notify(object, if is_all { None } else { chosen });
        }
        Ok(())
    }
}

/// The wait that the current thread is in.
fn waiting_now(state: &State) -> Option<WaitingFor> {
    state.threads.as_ref().and_then(|threads| threads.now().waiting)
}

impl Threads {
    /// Wakes a thread that waits for the object, or all of them. The last event is what wakes them.
    pub(super) fn notify(&mut self, object: ObjId, only: Option<ThreadNumber>) {
        let mut woken = 0u64;
        for (number, record) in self.all.iter_mut().enumerate() {
            if let Some(waiting) = &mut record.waiting
                && waiting.object == object
                && only.is_none_or(|only| only as usize == number)
                && waiting.is_in_set()
            {
                waiting.is_notified = true;
                woken |= 1 << number;
            }
        }
        if let Some(event) = self.events.last_mut().filter(|_| woken != 0) {
            Rc::make_mut(event).woken |= woken;
        }
    }
}

impl State {
    /// The current thread has left a monitor. That is no choice: who wants it can have it where the thread stops next.
    pub(in crate::interp) fn note_unlocked(&mut self, object: ObjId) {
        let version = self.heap.version();
        let State { thread, threads, .. } = self;
        if let Some(threads) = threads
            && threads.has_locked(object)
            && !thread.frames.is_empty()
        {
            threads.perform(ThreadOperation::Unlock(object), (thread, version));
        }
    }

    /// The thread that initialises a class now.
    pub(super) fn initialiser_of(&self, class: crate::program::ClassId) -> Option<ThreadNumber> {
        let threads = self.threads.as_ref()?;
        let initialises = |frames: &[Frame]| {
            frames.iter().any(|frame| matches!(frame.purpose, Purpose::Initialise(own) if own.id == class))
        };
        let is_owner = |number: usize| match number == threads.current as usize {
            true => initialises(&self.thread.frames),
            false => initialises(&threads.all[number].thread.frames),
        };
        (0..threads.all.len()).find(|number| is_owner(*number)).map(|number| number as ThreadNumber)
    }
}
