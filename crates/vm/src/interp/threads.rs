//! Which thread goes on, and which of its operations could others notice?
//!
//! The loop asks `look` before each instruction that might be visible, and natives ask `permit`. A thread that comes to a visible operation
//! stops before it; when all threads have done so, the question is which of them goes first. So a state in which the question is asked says of
//! each thread what it will do next, and whether it can.

use std::rc::Rc;

use super::Vm;
use crate::ambient::Assumption;
use crate::frame::{Frame, HeldMonitor, Purpose};
use crate::outcome::{Answer, End, Question, Stop};
use crate::program::{Class, Method, Op, access};
use crate::state::{Initialisation, State};
use crate::threads::{
    AccessMode, MOST_THREADS, ObjectPart, ThreadNumber, ThreadOperation, ThreadRecord, Threads, WaitingFor,
};
use crate::value::{Kind, ObjId, Value};

/// A visible operation that a schedule expects: the thread, and the instruction.
pub type ScheduledStep = (ThreadNumber, (&'static Method, u32));

/// `threadStatus` as JVMTI counts it.
const RUNNABLE: i32 = 5;
const TERMINATED: i32 = 2;

impl Op {
    /// Might another thread notice the instruction, or must it wait for another thread that initialises a class?
    #[inline]
    pub(super) fn may_be_visible(self) -> bool {
        matches!(
            self,
            Op::GetField(_)
                | Op::PutField(_)
                | Op::GetStatic(_)
                | Op::PutStatic(_)
                | Op::ArrayLoad
                | Op::ArrayStore
                | Op::MonitorEnter
                | Op::New(_)
                | Op::InvokeStatic(_)
        )
    }
}

/// The thread that goes on is another one now; nothing is asked.
pub(super) fn go_on() -> Stop {
    Stop::Ask(Question::Schedule { threads: Vec::new(), is_wake: false })
}

/// Is it merely told that another thread goes on?
pub(super) fn is_change(stop: &Stop) -> bool {
    matches!(stop, Stop::Ask(Question::Schedule { threads, .. }) if threads.is_empty())
}

impl Vm {
    /// Looks at the current instruction before it is executed: an operation that others could notice must be permitted.
    #[inline(never)]
    pub(super) fn look(&mut self, state: &mut State) -> Result<(), Stop> {
        if let Some(object) = state.threads.as_ref().and_then(|threads| threads.now().entering) {
            self.lock_visibly(state, object)?;
            if let Some(threads) = &mut state.threads {
                threads.now_mut().entering = None;
            }
            return Ok(());
        }
        let frame = *state.thread.frames.last().expect("an instruction runs in a frame");
        let code = frame.code;
        match code.ops[frame.pc as usize].unfused() {
            Op::GetField(site) => {
                let Some(field) = code.fields[site as usize].resolved.get() else { return self.pass() };
                self.settle(state, 0)?;
                let Some(object) = state.reference_operand(0) else { return self.pass() };
                if !state.is_shared(object) || is_quiet_access(&frame, field.class, field.access, field.slot, self) {
                    return self.pass();
                }
                let operation = match self.is_interruption(field.class, field.slot) {
                    true => interruption(state, object),
                    false => Some(ThreadOperation::Read(object, ObjectPart::Slot(field.slot), mode_of(field.access))),
                };
                self.perform(state, operation)
            }
            Op::PutField(site) => {
                let Some(field) = code.fields[site as usize].resolved.get() else { return self.pass() };
                self.settle(state, 1)?;
                let Some(object) = state.reference_operand(1) else { return self.pass() };
                if !state.is_shared(object) {
                    return self.pass();
                }
                if !is_quiet_access(&frame, field.class, field.access & !access::FINAL, field.slot, self) {
                    let operation = match self.is_interruption(field.class, field.slot) {
                        true => interruption(state, object),
                        false => {
                            Some(ThreadOperation::Write(object, ObjectPart::Slot(field.slot), mode_of(field.access)))
                        }
                    };
                    self.perform(state, operation)?;
                }
                state.share(state.operand(0));
                self.pass()
            }
            Op::GetStatic(site) | Op::PutStatic(site) => {
                let Some(field) = code.fields[site as usize].resolved.get() else { return self.pass() };
                self.await_initialiser(state, field.class)?;
                let slot = state.classes.slot(field.class.id);
                let Some(mirror) = slot.mirror.filter(|_| slot.initialisation == Initialisation::Done) else {
                    // Only the thread that initialises the class comes here: others wait until it is done.
                    if slot.initialisation == Initialisation::Running
                        && matches!(code.ops[frame.pc as usize], Op::PutStatic(_))
                    {
                        state.share(state.operand(0));
                    }
                    return self.pass();
                };
                let is_write = matches!(code.ops[frame.pc as usize].unfused(), Op::PutStatic(_));
                let is_constant = !is_write && field.access & access::FINAL != 0;
                if !is_constant && !is_quiet(&frame) {
                    let (part, mode) = (ObjectPart::Slot(field.slot), mode_of(field.access));
                    let operation = match is_write {
                        true => ThreadOperation::Write(mirror, part, mode),
                        false => ThreadOperation::Read(mirror, part, mode),
                    };
                    self.perform(state, Some(operation))?;
                }
                if is_write {
                    state.share(state.operand(0));
                }
                self.pass()
            }
            op @ (Op::ArrayLoad | Op::ArrayStore) => {
                let depth = if op == Op::ArrayLoad { 1 } else { 2 };
                self.settle(state, depth)?;
                let Some(array) = state.reference_operand(depth) else { return self.pass() };
                if !state.is_shared(array) {
                    return self.pass();
                }
                if !is_quiet(&frame) {
                    let part = match state.operand(depth - 1) {
                        Value::Int(index) => ObjectPart::Element(index),
                        _ => ObjectPart::Elements,
                    };
                    let operation = match op {
                        Op::ArrayLoad => ThreadOperation::Read(array, part, AccessMode::Plain),
                        _ => ThreadOperation::Write(array, part, AccessMode::Plain),
                    };
                    self.perform(state, Some(operation))?;
                }
                if op == Op::ArrayStore {
                    state.share(state.operand(0));
                }
                self.pass()
            }
            Op::MonitorEnter => {
                self.settle(state, 0)?;
                if let Some(object) = state.reference_operand(0) {
                    self.may_lock(state, object)?;
                }
                self.pass()
            }
            Op::New(site) => {
                if let Some(class) = code.classes[site as usize].resolved.get() {
                    self.await_initialiser(state, class)?;
                }
                self.pass()
            }
            Op::InvokeStatic(site) => {
                if let Some(method) = code.calls[site as usize].resolved.get() {
                    self.await_initialiser(state, method.class())?;
                }
                self.pass()
            }
            _ => self.pass(),
        }
    }

    /// Runs the current instruction where something is unknown. One that is not done yet, because it has just found out the value of a place,
    /// goes on without being asked for again: it is one operation.
    #[inline(never)]
    pub(super) fn symbolic_with_threads(&mut self, state: &mut State) -> Result<(), Stop> {
        let before = state.position();
        self.symbolic(state)?;
        self.may_pass = state.position() == before
            && state.thread.frames.last().is_some_and(|frame| frame.code.ops[frame.pc as usize].may_be_visible());
        Ok(())
    }

    /// The instruction may be executed once.
    fn pass(&mut self) -> Result<(), Stop> {
        self.may_pass = true;
        Ok(())
    }

    fn perform(&mut self, state: &mut State, operation: Option<ThreadOperation>) -> Result<(), Stop> {
        if let Some(operation) = operation {
            self.permit(state, operation)?;
        }
        self.pass()
    }

    /// Performs a visible operation of the current thread, if it was chosen to go first. If not, the thread stops here.
    pub(crate) fn permit(&mut self, state: &mut State, operation: ThreadOperation) -> Result<(), Stop> {
        let position = state.position();
        let version = state.heap.version();
        let State { thread, threads, .. } = &mut *state;
        let Some(threads) = threads else { return Ok(()) };
        if threads.rerun.take() == Some(position) {
            self.passing = Some(position);
            return Ok(());
        }
        if std::mem::take(&mut threads.is_granted) {
            threads.perform(operation, (thread, version));
            let record = threads.now_mut();
            (record.pending, record.spinning) = (None, None);
            self.passing = Some(position);
            return Ok(());
        }
        let goes_round = threads.goes_round(&operation, thread, version);
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
        let is_enabled = |number: &ThreadNumber| self.is_enabled(state, threads, *number);
        let numbers = 0..threads.all.len() as ThreadNumber;
        let mut enabled: Vec<ThreadNumber> = numbers.filter(is_enabled).collect();
        // A return after which nothing is checked may as well come last.
        if !threads.checks_return && enabled.len() > 1 && threads.all[0].pending == Some(ThreadOperation::Return) {
            enabled.retain(|number| *number != 0);
        }
        enabled.sort_by_key(|number| *number != last);
        enabled
    }

    fn is_enabled(&self, state: &State, threads: &Threads, number: ThreadNumber) -> bool {
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
                is_free(*object) && (*is_timed || is_notified || is_interrupted())
            }
            ThreadOperation::Park { is_timed } => *is_timed || record.has_permit || is_interrupted(),
            ThreadOperation::Join { thread, is_timed } => {
                let is_over = threads.number_of(*thread).is_none_or(|other| threads.all[other as usize].has_ended);
                *is_timed || is_over || is_interrupted()
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

    /// Enters a monitor that two threads can reach: waits until it is free.
    fn may_lock(&mut self, state: &mut State, object: ObjId) -> Result<(), Stop> {
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
    fn lock_visibly(&mut self, state: &mut State, object: ObjId) -> Result<(), Stop> {
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
    pub(super) fn may_initialise(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        if state.threads.is_some() && class.is_users() && class.own_method("<clinit>", "()V").is_some() {
            self.permit(state, ThreadOperation::Initialise(class.id))?;
        }
        Ok(())
    }

    /// The first thread is about to return from the method that it ran. True if it may.
    pub(super) fn may_return(&mut self, state: &mut State) -> Result<(), Stop> {
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
    fn waits_for_ever(&self, state: &State) -> bool {
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
        if state.threads.is_none() {
            let Some(main) = state.roots.main_thread else {
                return Err(self.unsupported(state, "a thread that is started before there is a first one"));
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

    /// The bottom frame of another thread is about to go.
    pub(super) fn end_thread(&mut self, state: &mut State) -> Result<(), Stop> {
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
    pub(super) fn uncaught(&mut self, state: &mut State, bottom: &Frame, exception: ObjId) -> Result<(), Stop> {
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
    pub(super) fn first_threw(&mut self, state: &mut State, exception: ObjId) -> Stop {
        let Some(threads) = &mut state.threads else { return End::Threw(exception).into() };
        let record = threads.now_mut();
        (record.thrown, record.pending) = (Some(exception), Some(ThreadOperation::Return));
        self.dispatch(state)
    }

    fn has_handler(&self, state: &State, object: ObjId) -> bool {
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
    fn status_holder(&self, state: &State, object: ObjId) -> Option<ObjId> {
        match state.heap.class(object).field("holder").map(|field| field.slot as usize) {
            Some(slot) => state.heap.field(object, slot).object(),
            None => Some(object),
        }
    }

    fn set_status(&self, state: &mut State, object: ObjId, status: i32) {
        let Some(holder) = self.status_holder(state, object) else { return };
        if let Some(field) = state.heap.class(holder).field("threadStatus") {
            state.heap.set_field(holder, field.slot as usize, Value::Int(status));
        }
    }

    fn is_daemon(&self, state: &State, object: ObjId) -> bool {
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

    fn is_interruption(&self, class: &'static Class, slot: u32) -> bool {
        let thread = self.program.known().thread;
        class.id == thread.id && thread.field("interrupted").is_some_and(|field| field.slot == slot)
    }

    fn thread_name(&self, state: &State, object: ObjId) -> Rc<str> {
        let slot = state.heap.class(object).field("name").map(|field| field.slot as usize);
        match slot.map(|slot| state.heap.field(object, slot)) {
            Some(Value::Ref(Some(text))) => self.text(state, text).as_str().into(),
            _ => "thread".into(),
        }
    }

    /// A native method that gets objects which two threads can reach: it may look at all of them, and change them.
    pub(super) fn look_at_native(
        &mut self,
        state: &mut State,
        method: &'static Method,
        arguments: &[Value],
    ) -> Result<(), Stop> {
        // A thread that holds the monitor keeps this one out. `join` is a wait, which leaves it.
        if method.is_synchronized() && !method.is_static() && method.name != "join" {
            let receiver = arguments.first().and_then(|value| value.object());
            let owner = receiver.and_then(|object| state.threads.as_ref()?.owner(object, &state.monitors));
            let current = state.threads.as_ref().map(|threads| threads.current);
            if let Some(object) = receiver.filter(|_| owner.is_some() && owner != current) {
                self.permit(state, ThreadOperation::Lock(object))?;
            }
        }
        if is_inert(method) || state.thread.frames.last().is_some_and(is_quiet) {
            return Ok(());
        }
        let known = self.program.known();
        let is_mutable = |object: &ObjId| {
            let class = state.heap.class(*object);
            class.id != known.string.id && class.id != known.class.id && Kind::of_box(class.name).is_none()
        };
        let objects = arguments.iter().filter_map(|value| value.object());
        let touched: Vec<ObjId> = objects.filter(|object| state.is_shared(*object)).filter(is_mutable).collect();
        if touched.is_empty() {
            return Ok(());
        }
        self.permit(state, ThreadOperation::Touch(touched.into()))?;
        for value in arguments {
            state.share(*value);
        }
        Ok(())
    }

    /// `Object.wait`: leaves the monitor, and enters it again when the wait is over. True if an interruption ended it.
    pub(crate) fn wait(&mut self, state: &mut State, object: ObjId, is_timed: bool) -> Result<bool, Stop> {
        let waiting = state.threads.as_ref().and_then(|threads| threads.now().waiting);
        if waiting.is_none() {
            self.permit(state, ThreadOperation::Wait(object))?;
            self.assumptions.insert(Assumption::NoSpuriousWakeUps);
            let Some(threads) = &mut state.threads else { return Ok(false) };
            let own = threads.now().object;
            if self.is_interrupted(state, own) {
                self.clear_interruption(state, own);
                return Ok(true);
            }
            let held = state.monitors.iter().position(|held| held.object == object);
            let count = held.map_or(0, |at| state.monitors.swap_remove(at).count);
            let Some(threads) = &mut state.threads else { return Ok(false) };
            threads.now_mut().waiting = Some(WaitingFor { object, count, is_notified: false });
            self.passing = None;
        }
        self.permit(state, ThreadOperation::Resume { object, is_timed })?;
        let Some(threads) = &mut state.threads else { return Ok(false) };
        let record = threads.now_mut();
        let Some(waiting) = record.waiting.take() else { return Ok(false) };
        let own = record.object;
        state.monitors.push(HeldMonitor { object, count: waiting.count });
        let is_interrupted = !waiting.is_notified && self.is_interrupted(state, own);
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
            waiting.is_some_and(|waiting| waiting.object == object && !waiting.is_notified)
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

impl Threads {
    /// Wakes a thread that waits for the object, or all of them.
    fn notify(&mut self, object: ObjId, only: Option<ThreadNumber>) {
        for (number, record) in self.all.iter_mut().enumerate() {
            if let Some(waiting) = &mut record.waiting
                && waiting.object == object
                && only.is_none_or(|only| only as usize == number)
            {
                waiting.is_notified = true;
            }
        }
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

    /// A synchronized method at the bottom of the stack leaves its monitor before anything else can happen.
    fn leave_bottom(&mut self) {
        let monitor = self.thread.frames.last_mut().and_then(|frame| frame.synchronized.take());
        if let Some(monitor) = monitor {
            self.unlock(monitor);
        }
    }

    /// The current thread has left a monitor. That is no choice: who wants it can have it where the thread stops next.
    pub(super) fn note_unlocked(&mut self, object: ObjId) {
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
    fn initialiser_of(&self, class: crate::program::ClassId) -> Option<ThreadNumber> {
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

fn interruption(state: &State, object: ObjId) -> Option<ThreadOperation> {
    let number = state.threads.as_ref().and_then(|threads| threads.number_of(object))?;
    Some(ThreadOperation::Interruption(number))
}

fn mode_of(access: u16) -> AccessMode {
    match access & access::VOLATILE != 0 {
        true => AccessMode::Volatile,
        false => AccessMode::Plain,
    }
}

/// Classes of the JDK whose own state is that of one thread, or whose methods change nothing that others see half done. The order in which
/// threads get to them does not matter to a program.
const QUIET: [&str; 20] = [
    "java/lang/String",
    "java/lang/StringLatin1",
    "java/lang/StringUTF16",
    "java/lang/StringCoding",
    "java/lang/StringConcatHelper",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Short",
    "java/lang/Math",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/ThreadLocal",
    "java/lang/ThreadLocal$ThreadLocalMap",
    "java/lang/InheritableThreadLocal",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/Throwable",
];

fn is_quiet(frame: &Frame) -> bool {
    let class = frame.method.class();
    !class.is_users() && (QUIET.contains(&class.name) || class.name.starts_with("java/lang/invoke/"))
}

/// Is an access to a field one that no other thread can notice, although it could reach the object?
fn is_quiet_access(frame: &Frame, class: &'static Class, access: u16, slot: u32, vm: &Vm) -> bool {
    // Variables that a lambda has captured are written before anything else can reach it.
    if class.file.is_none() {
        return true;
    }
    if class.is_users() {
        return false;
    }
    // Constructors of the JDK do not hand out what they make before its final fields are written.
    let is_constant = access & access::FINAL != 0 || class.name == "java/lang/String";
    is_constant || (is_quiet(frame) && !vm.is_interruption(class, slot))
}

/// Natives that look at no field of their arguments that may change, or that ask for permission themselves.
fn is_inert(method: &'static Method) -> bool {
    let class = method.class().name;
    let is_object = class == "java/lang/Object" && method.name != "clone";
    let is_system = class == "java/lang/System" && method.name != "arraycopy";
    let is_own = class == "jdk/internal/misc/Unsafe"
        && !method.name.starts_with("copy")
        && !method.name.starts_with("setMemory");
    let packages = ["java/lang/invoke/", "java/security/", "lazuli/", "java/lang/ref/", "jdk/internal/reflect/"];
    is_object
        || is_system
        || is_own
        || ["java/lang/Runtime", "java/lang/StrictMath", "java/lang/Float", "java/lang/Double", "java/lang/Enum"]
            .contains(&class)
        || QUIET.contains(&class)
        || packages.iter().any(|package| class.starts_with(package))
        || (class.starts_with("jdk/internal/") && !is_own && class != "jdk/internal/misc/Unsafe")
}
