//! How does a thread begin and end, and what does its object say of it?

use std::rc::Rc;

use super::super::Vm;
use crate::frame::{Frame, Purpose};
use crate::outcome::{End, Stop};
use crate::program::Class;
use crate::state::State;
use crate::threads::{MOST_THREADS, ThreadNumber, ThreadOperation, ThreadRecord, Threads};
use crate::value::{Kind, ObjId, Value};

/// `threadStatus` as JVMTI counts it.
const RUNNABLE: i32 = 5;
const TERMINATED: i32 = 2;

impl Vm {
    /// The first thread is about to return from the method that it ran. True if it may.
    pub(in crate::interp) fn may_return(&mut self, state: &mut State) -> Result<(), Stop> {
        if state.threads.is_none() {
            return Ok(());
        }
        state.leave_bottom();
        self.permit(state, ThreadOperation::Return)?;
        if self.enabled(state).is_empty() && self.waits_for_ever(state) {
            return Err(End::Deadlock.into());
        }
        Ok(())
    }

    /// Is there a thread that will never go on, in the midst of the user's code? A thread of a pool that has nothing to do is none.
    pub(super) fn waits_for_ever(&self, state: &State) -> bool {
        let Some(threads) = &state.threads else { return false };
        let has_users = |record: &ThreadRecord| {
            record.thread.frames.iter().any(|frame| frame.method.class().is_users() && !frame.method.hidden)
        };
        let mut others = threads.all.iter().skip(1);
        others.any(|record| !record.has_ended && has_users(record) && !self.is_daemon(state, record.object))
    }

    /// `Thread.start0()`.
    pub(crate) fn start_thread(&mut self, state: &mut State, object: ObjId) -> Result<(), Stop> {
        if !self.may_start_threads || state.thread.is_guarded {
            let method = self.program.known().thread.own_method("start0", "()V");
            let name = method.map_or("java.lang.Thread.start0()V".to_string(), |method| method.full_name());
            return Err(self.unsupported(state, crate::reason::Reason::Native(name)));
        }
        let class = state.heap.class(object);
        let run = self.program.known().thread.own_method("run", "()V").and_then(|run| self.select(class, run));
        let Some(run) = run else { return Err(self.unsupported(state, "a thread without a method run()")) };
        if state.threads.is_none() && !self.begin_threads(state) {
            return Err(self.unsupported(state, "a thread that is started before there is a first one"));
        }
        self.permit(state, ThreadOperation::Start(object))?;
        let name = self.thread_name(state, object);
        let Some(threads) = &mut state.threads else { return Ok(()) };
        if threads.all.len() >= MOST_THREADS {
            return Err(self.unsupported(state, format!("more than {MOST_THREADS} threads")));
        }
        let (before, clock) = (threads.current, threads.now().clock.clone());
        threads.all.push(ThreadRecord::new(object, name, clock));
        threads.share(&state.heap, object.into());
        let number = threads.all.len() as ThreadNumber - 1;
        self.set_status(state, object, RUNNABLE);
        state.change_to(number);
        state.thread.stack.push(object.into());
        let entered = self.enter(state, run, 0, Purpose::Thread);
        state.change_to(before);
        entered?;
        self.has_new_thread = true;
        Ok(())
    }

    /// From now on, the path has threads, of which the one that runs is the first. False if contracts or calls that make inputs run, which have none.
    pub(crate) fn begin_threads(&mut self, state: &mut State) -> bool {
        let Some(main) = state.roots.main_thread.filter(|_| self.may_start_threads && !state.thread.is_guarded) else {
            return false;
        };
        let name = self.thread_name(state, main);
        let mut threads = Box::new(Threads::new(main, name));
        threads.checks_return = self.checks_return;
        for mirror in state.classes.mirrors().collect::<Vec<_>>() {
            threads.share(&state.heap, mirror.into());
        }
        for input in state.symbols.inputs.iter() {
            threads.share(&state.heap, input.object.into());
        }
        for value in state.symbols.roots.iter().map(|root| root.value) {
            threads.share(&state.heap, state.symbols.settled(value));
        }
        threads.share(&state.heap, main.into());
        state.threads = Some(threads);
        self.flow = None;
        self.has_new_thread = true;
        true
    }

    /// The bottom frame of another thread is about to go.
    pub(in crate::interp) fn end_thread(&mut self, state: &mut State) -> Result<(), Stop> {
        self.leave_by_return(state)?;
        state.leave_bottom();
        self.permit(state, ThreadOperation::End)?;
        state.thread.frames.pop();
        let Some(object) = state.threads.as_ref().map(|threads| threads.now().object) else { return Ok(()) };
        self.set_status(state, object, TERMINATED);
        if let Some(threads) = &mut state.threads {
            threads.now_mut().has_ended = true;
            threads.notify(object, None);
        }
        Err(self.dispatch(state))
    }

    /// An exception left the bottom frame of another thread, which is gone. Without a handler of the program's, that is the path's end.
    pub(in crate::interp) fn uncaught(
        &mut self,
        state: &mut State,
        bottom: &Frame,
        exception: ObjId,
    ) -> Result<(), Stop> {
        let Some(object) = state.threads.as_ref().map(|threads| threads.now().object) else { return Ok(()) };
        let thread = self.program.known().thread;
        let dispatch = thread.own_method("dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
        let is_handling = dispatch.is_some_and(|dispatch| dispatch.id == bottom.method.id);
        state.thread.stack.resize(state.thread.stack.len().max(16), Value::Top);
        if let Some(dispatch) =
            dispatch.filter(|_| !is_handling && (!self.is_exploring || self.has_handler(state, object)))
        {
            state.thread.stack[0] = object.into();
            state.thread.stack[1] = exception.into();
            return self.enter(state, dispatch, 0, Purpose::Thread);
        }
        if !is_handling {
            return Err(End::Threw(exception).into());
        }
        // Exceptions of the handler are ignored: the thread has nothing left to do but to end.
        let code = self.program.native_stub(Kind::Void);
        let purpose = Purpose::Thread;
        state.thread.frames.push(Frame {
            method: bottom.method,
            code,
            base: 0,
            pc: 0,
            sp: 0,
            purpose,
            synchronized: None,
        });
        Ok(())
    }

    /// An exception left the bottom frame of the first thread while there are others: they may do something before it is seen.
    pub(in crate::interp) fn first_threw(&mut self, state: &mut State, exception: ObjId) -> Stop {
        let Some(threads) = &mut state.threads else { return self.threw_last(state, exception) };
        let record = threads.now_mut();
        (record.thrown, record.pending) = (Some(exception), Some(ThreadOperation::Return));
        self.dispatch(state)
    }

    /// The first thread is over by an exception, and nothing of it is left.
    pub(in crate::interp) fn threw_last(&mut self, state: &mut State, exception: ObjId) -> Stop {
        self.show_end_of_run(state).err().unwrap_or(End::Threw(exception).into())
    }

    pub(super) fn has_handler(&self, state: &State, object: ObjId) -> bool {
        let thread = self.program.known().thread;
        let own = |holder: ObjId, name: &str| {
            let slot = state.heap.class(holder).field(name).map(|field| field.slot as usize);
            slot.and_then(|slot| state.heap.field(holder, slot).object())
        };
        let of_all = thread.field("defaultUncaughtExceptionHandler").and_then(|field| {
            let mirror = state.classes.slot(thread.id).mirror?;
            state.heap.field(mirror, self.program.slot_of(field) as usize).object()
        });
        let group = self.status_holder(state, object).and_then(|holder| own(holder, "group"));
        own(object, "uncaughtExceptionHandler").is_some()
            || of_all.is_some()
            || group.is_some_and(|group| state.heap.class(group).name != "java/lang/ThreadGroup")
    }

    /// The object that has the status of a thread: from JDK 19 on, one of its own.
    pub(super) fn status_holder(&self, state: &State, object: ObjId) -> Option<ObjId> {
        match state.heap.class(object).field("holder").map(|field| field.slot as usize) {
            Some(slot) => state.heap.field(object, slot).object(),
            None => Some(object),
        }
    }

    pub(super) fn set_status(&self, state: &mut State, object: ObjId, status: i32) {
        let Some(holder) = self.status_holder(state, object) else { return };
        if let Some(field) = state.heap.class(holder).field("threadStatus") {
            state.heap.set_field(holder, field.slot as usize, Value::Int(status));
        }
    }

    pub(super) fn is_daemon(&self, state: &State, object: ObjId) -> bool {
        let Some(holder) = self.status_holder(state, object) else { return false };
        let slot = state.heap.class(holder).field("daemon").map(|field| field.slot as usize);
        slot.is_some_and(|slot| state.heap.field(holder, slot) == Value::Int(1))
    }

    pub(crate) fn is_interrupted(&self, state: &State, object: ObjId) -> bool {
        let slot = state.heap.class(object).field("interrupted").map(|field| field.slot as usize);
        slot.is_some_and(|slot| state.heap.field(object, slot) == Value::Int(1))
    }

    /// Takes the interruption of a thread back, where an exception tells of it.
    pub(crate) fn clear_interruption(&self, state: &mut State, object: ObjId) {
        if let Some(field) = state.heap.class(object).field("interrupted") {
            state.heap.set_field(object, field.slot as usize, Value::Int(0));
        }
    }

    pub(super) fn is_interruption(&self, class: &'static Class, slot: u32) -> bool {
        let thread = self.program.known().thread;
        class.id == thread.id && thread.field("interrupted").is_some_and(|field| field.slot == slot)
    }

    pub(super) fn thread_name(&self, state: &State, object: ObjId) -> Rc<str> {
        let slot = state.heap.class(object).field("name").map(|field| field.slot as usize);
        match slot.map(|slot| state.heap.field(object, slot)) {
            Some(Value::Ref(Some(text))) => self.text(state, text).as_str().into(),
            _ => "thread".into(),
        }
    }
}

impl State {
    /// A synchronized method at the bottom of the stack leaves its monitor before anything else can happen.
    pub(super) fn leave_bottom(&mut self) {
        let monitor = self.thread.frames.last_mut().and_then(|frame| frame.synchronized.take());
        if let Some(monitor) = monitor {
            self.unlock(monitor);
        }
    }
}
