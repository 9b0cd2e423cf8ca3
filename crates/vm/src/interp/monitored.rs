//! Which events of a run do properties name, and when do their automata see them?
//!
//! An instruction writes its events down when it has its effect, so that one which runs again after a question has none twice. Before the next instruction of the
//! thread, `take_events` shows them to the automata. An automaton that is no thread's own is something that threads share: showing it an event is a visible
//! operation ([`ThreadOperation::Monitored`]), which conflicts with that of another thread on the same automaton. So reduction tries both orders.
//!
//! Only what the user's code does counts: a call that it makes, or one of its methods that is called. Calls within the library do not, so that it does not matter
//! whether a method of the library runs as code or as a model. Nor do contract methods count, which only say what is right.

use std::rc::Rc;

use super::Vm;
use crate::frame::{Frame, Purpose};
use crate::outcome::{End, Stop};
use crate::program::{Method, Op, ResolvedField};
use crate::property::{EventKind, EventMatch, EventSubject, MonitoredEvent, PropertyMonitor, is_bridge, is_of};
use crate::reason::Reason;
use crate::state::State;
use crate::threads::ThreadOperation;
use crate::value::ObjId;

impl Vm {
    /// The monitor with which a run begins, if there are properties.
    pub fn new_monitor(&self) -> Option<Box<PropertyMonitor>> {
        self.properties.clone().map(|properties| Box::new(PropertyMonitor::new(properties)))
    }

    /// A frame was pushed: its method is called.
    pub(super) fn note_call(&mut self, state: &mut State) {
        self.note_frame_event(state, EventKind::Call);
    }

    /// The same for a native method that hands over to Java code, whose arguments lie where its receiver was.
    pub(super) fn note_native_call(&mut self, state: &mut State, receiver: Option<ObjId>) {
        self.note_event_of_frame(state, EventKind::Call, FrameReceiver::Known(receiver));
    }

    /// The top frame was pushed, or is about to go by a return or by an exception.
    pub(super) fn note_frame_event(&mut self, state: &mut State, kind: EventKind) {
        let Some(frame) = state.thread.frames.last() else { return };
        let is_code = self.program.code(frame.method).is_ok_and(|code| std::ptr::eq(code, frame.code));
        let receiver = match is_code || self.meant(frame.method).id != frame.method.id {
            true => FrameReceiver::Known(state.thread.stack[frame.base as usize].object()),
            false => FrameReceiver::Lost,
        };
        self.note_event_of_frame(state, kind, receiver);
    }

    fn note_event_of_frame(&mut self, state: &mut State, kind: EventKind, receiver: FrameReceiver) {
        let Some((frame, below)) = state.thread.frames.split_last() else { return };
        let method = self.meant(frame.method);
        if !is_watched(state) || is_continued(frame, below, method) || self.is_silent(state) {
            return;
        }
        // The monitor of a synchronized method is its own affair.
        let is_locked = kind != EventKind::Call || state.threads.is_none();
        let is_once = |object: &ObjId| state.monitors.iter().any(|held| held.object == *object && held.count == 1);
        let own = frame.synchronized.filter(|_| is_locked).filter(is_once);
        let caller = users_place(below).filter(|_| kind == EventKind::Call);
        let place = caller.or_else(|| users_place(&state.thread.frames));
        self.note_method(state, (kind, method, receiver), own, place);
    }

    /// A method without a frame was called, and is over: by a return or by an exception.
    pub(super) fn note_call_without_frame(
        &mut self,
        state: &mut State,
        method: &'static Method,
        receiver: Option<ObjId>,
        end: EventKind,
    ) {
        let is_users = state.thread.frames.last().is_some_and(|frame| frame.method.class().is_users());
        if !is_watched(state) || !(is_users || method.class().is_users()) || self.is_silent(state) {
            return;
        }
        let (receiver, place) = (FrameReceiver::Known(receiver), users_place(&state.thread.frames));
        for kind in [EventKind::Call, end] {
            self.note_method(state, (kind, method, receiver), None, place);
        }
    }

    fn note_method(
        &mut self,
        state: &mut State,
        (kind, method, receiver): (EventKind, &'static Method, FrameReceiver),
        own: Option<ObjId>,
        place: Option<(&'static Method, u32)>,
    ) {
        let (object, is_lost) = match receiver {
            _ if method.is_static() => (None, false),
            FrameReceiver::Known(object) => (object, false),
            FrameReceiver::Lost => (None, true),
        };
        let class = object.map(|object| state.heap.class(object));
        let matches = |subject: &EventSubject| match subject.matches_method(method, class) {
            EventMatch::Yes if is_lost => EventMatch::Undecided,
            decided => decided,
        };
        let name = match method.name {
            "<init>" => "new",
            name => name,
        };
        let subject = || format!("{}.{name}", self.program.short_name(method.class()));
        state.note_event((kind, object), matches, own, place, subject);
    }

    /// The instruction before the next one of the top frame has written a field.
    pub(super) fn note_write(&mut self, state: &mut State, object: Option<ObjId>, site: u32) -> Result<(), Stop> {
        if !is_watched(state) || self.is_silent(state) {
            return Ok(());
        }
        let Some(frame) = state.thread.frames.last() else { return Ok(()) };
        let (method, pc, site) = (frame.method, frame.pc.saturating_sub(1), &frame.code.fields[site as usize]);
        let Some(&ResolvedField { class, slot, .. }) = site.resolved.get() else { return Ok(()) };
        if !method.class().is_users() && !class.is_users() {
            return Ok(());
        }
        let written = |subject: &EventSubject| match subject {
            EventSubject::Field { class: owner, slot: own, is_static } => {
                is_equal(owner.id == class.id && *own == slot && *is_static == object.is_none())
            }
            _ => EventMatch::No,
        };
        let subject = || format!("{}.{}", self.program.short_name(class), site.name);
        state.note_event((EventKind::Write, object), written, None, Some((method, pc)), subject);
        Ok(())
    }

    /// Shows the automata the events that the thread has written down.
    pub(super) fn take_events(&mut self, state: &mut State) -> Result<(), Stop> {
        while let Some(event) = state.thread.watch.as_ref().and_then(|watch| watch.events.first()).cloned() {
            let shared = state.monitor.as_ref().map_or_else(Vec::new, |monitor| monitor.shared(&event));
            if state.threads.is_some() && !shared.is_empty() {
                self.permit(state, ThreadOperation::Monitored(shared.into()))?;
                self.passing = None;
            }
            if let Some(watch) = &mut state.thread.watch {
                watch.events.remove(0);
            }
            self.show(state, &event)?;
        }
        match state.thread.watch.as_mut().and_then(|watch| watch.leaving.take()) {
            Some(exception) => self.throw(state, exception),
            None => Ok(()),
        }
    }

    fn show(&mut self, state: &mut State, event: &MonitoredEvent) -> Result<(), Stop> {
        if event.is_undecided {
            return Err(self.unsupported(state, Reason::UndecidedEvent { event: event.subject.to_string() }));
        }
        let thread = state.threads.as_ref().map_or(0, |threads| threads.current);
        self.seen_properties.extend(event.matched.iter().map(|(number, _)| *number));
        let Some(monitor) = &mut state.monitor else { return Ok(()) };
        let (has_moved, broken) = monitor.follow(event, thread);
        if has_moved {
            state.heap.note_change();
        }
        match broken {
            Some(broken) => Err(End::Broken(Box::new(broken)).into()),
            None => Ok(()),
        }
    }

    /// The bottom frame of a thread returns: the automata see that, and the end of the thread, before anything else of it.
    pub(super) fn leave_by_return(&mut self, state: &mut State) -> Result<(), Stop> {
        if !is_watched(state) {
            return Ok(());
        }
        let (has_left, has_ended) =
            state.thread.watch.as_ref().map_or((false, false), |watch| (watch.has_left, watch.has_ended));
        if !has_left {
            self.note_frame_event(state, EventKind::Return);
        }
        if !has_ended {
            self.note_end_of_thread(state);
        }
        self.take_events(state)
    }

    /// The bottom frame of a thread is left by an exception. True if the automata must see that first; the exception is thrown again afterwards.
    pub(super) fn leaves_by_throw(&mut self, state: &mut State, exception: ObjId) -> bool {
        if !is_watched(state) || state.thread.watch.as_ref().is_some_and(|watch| watch.has_left) {
            return false;
        }
        self.note_frame_event(state, EventKind::Throw);
        // Another thread may still have a handler that runs.
        let is_first = state.thread.frames.last().is_some_and(|frame| matches!(frame.purpose, Purpose::Entry));
        if is_first {
            self.note_end_of_thread(state);
        }
        let watch = state.thread.watch.get_or_insert_default();
        (watch.has_left, watch.leaving) = (true, Some(exception));
        true
    }

    fn note_end_of_thread(&mut self, state: &mut State) {
        let place = users_place(&state.thread.frames);
        let end = state.monitor.as_ref().and_then(|monitor| monitor.end(true));
        let watch = state.thread.watch.get_or_insert_default();
        watch.events.extend(end.map(|end| MonitoredEvent { place, ..end }));
        (watch.has_left, watch.has_ended) = (true, true);
    }

    /// The first thread is done. If no other can go on, that is the end of the run.
    pub(super) fn show_end_of_run(&mut self, state: &mut State) -> Result<(), Stop> {
        if !is_watched(state) || self.enabled(state).iter().any(|number| *number != 0) {
            return Ok(());
        }
        let place = users_place(&state.thread.frames)
            .or_else(|| state.threads.as_ref()?.events.iter().rev().find_map(|event| event.place));
        match state.monitor.as_ref().and_then(|monitor| monitor.end(false)) {
            Some(end) => self.show(state, &MonitoredEvent { place, ..end }),
            None => Ok(()),
        }
    }

    /// The method that a frame stands for: of a stub, the one whose contract it is.
    fn meant(&self, method: &'static Method) -> &'static Method {
        let contract = self.contracts.as_ref().and_then(|contracts| contracts.with_stub(method));
        contract.map_or(method, |contract| contract.method)
    }

    /// Does code run that only says whether an object or an end is right, or that makes an input?
    fn is_silent(&self, state: &State) -> bool {
        let is_aside = |frame: &Frame| {
            matches!(frame.purpose, Purpose::Judge(_) | Purpose::Assume | Purpose::Make | Purpose::Refill)
        };
        !state.symbols.contract_calls.is_empty() || state.thread.frames.iter().any(is_aside)
    }
}

impl State {
    /// Writes an event down, if a property names it.
    fn note_event(
        &mut self,
        (kind, object): (EventKind, Option<ObjId>),
        matches: impl Fn(&EventSubject) -> EventMatch,
        own: Option<ObjId>,
        place: Option<(&'static Method, u32)>,
        subject: impl Fn() -> String,
    ) {
        let Some(monitor) = &self.monitor else { return };
        let (matched, is_undecided) = monitor.matched(kind, matches, (&self.heap, &self.monitors), own);
        if matched.is_empty() && !is_undecided {
            return;
        }
        let event = MonitoredEvent { kind, subject: Rc::from(subject()), object, place, matched, is_undecided };
        self.thread.watch.get_or_insert_default().events.push(event);
    }

    /// The monitor of an object is entered that was not held, or left.
    pub(crate) fn note_monitor(&mut self, kind: EventKind, object: ObjId) {
        if self.monitor.is_none() || !is_watched(self) {
            return;
        }
        let class = self.heap.class(object);
        let is_users = self.thread.frames.last().is_some_and(|frame| frame.method.class().is_users());
        if !is_users && !class.is_users() {
            return;
        }
        let matches = |subject: &EventSubject| match subject {
            EventSubject::Monitor(named) => is_of(class, named),
            _ => EventMatch::No,
        };
        let (place, name) = (users_place(&self.thread.frames), class.java_name());
        let simple = || name.rsplit('.').next().unwrap_or(&name).replace('$', ".");
        self.note_event((kind, Some(object)), matches, Some(object), place, simple);
    }
}

/// The object that a frame's method runs on.
#[derive(Clone, Copy)]
enum FrameReceiver {
    /// None if the method is static.
    Known(Option<ObjId>),
    /// Something else lies in its register.
    Lost,
}

/// Do properties see what the thread does? They do not see contract methods.
pub(super) fn is_watched(state: &State) -> bool {
    state.monitor.is_some() && !state.thread.is_guarded
}

/// Is the frame no call of its own: of a library method by another one, or of the method that an overriding one, or another constructor, hands over to?
fn is_continued(frame: &Frame, below: &[Frame], method: &Method) -> bool {
    let Some(caller) = below.last() else { return false };
    let is_users = |frame: &Frame| frame.method.class().is_users();
    let hands_over = !method.is_static()
        && caller.method.name == method.name
        && caller.method.parameters.len() == method.parameters.len()
        && !caller.method.is_static()
        && matches!(caller.code.ops.get(caller.pc as usize).map(|op| op.unfused()), Some(Op::InvokeSpecial(_)))
        && (method.name != "<init>" || caller.method.class().id == method.class().id);
    hands_over || !(is_users(frame) || is_users(caller) || method.class().is_users())
}

fn is_equal(is_it: bool) -> EventMatch {
    if is_it { EventMatch::Yes } else { EventMatch::No }
}

/// The innermost place in the user's source.
fn users_place(frames: &[Frame]) -> Option<(&'static Method, u32)> {
    let is_source = |frame: &&Frame| {
        let method = frame.method;
        method.class().is_users() && !method.hidden && !is_bridge(method)
    };
    frames.iter().rev().find(is_source).map(|frame| (frame.method, frame.pc))
}
