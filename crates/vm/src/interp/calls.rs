//! How are methods entered and left? (JVMS §2.6, §2.11.8, §5.4.6)

use std::cell::Cell;

use super::orders::ObjectRelation;
use super::{ArgumentValues, Trouble, Vm};
use crate::frame::{Frame, HeldMonitor, Purpose};
use crate::heap::Body;
use crate::natives::{Call, Exit, Native};
use crate::outcome::{End, LeftOut, Question, Stop};
use crate::program::{Class, Method, Possible, World, access, descriptor, is_of_closed_package};
use crate::property::EventKind;
use crate::reason::Reason;
use crate::state::{Initialisation, State};
use crate::value::{Kind, ObjId, Value};

/// Entries in the cache of selected interface methods.
pub(super) const SELECTED: usize = 1 << 12;

impl Vm {
    /// Calls a selected method whose arguments are the top operands of the current frame.
    #[inline]
    pub(super) fn invoke(&mut self, state: &mut State, method: &'static Method, arguments: u32) -> Result<(), Stop> {
        let has_model = method.native.is_some() || method.symbolic.is_some();
        let has_model = has_model || method.watched.is_some() || method.guide.is_some();
        if self.contracts.is_some()
            && let Some(contract) = self.replacement(state, method)?
        {
            return self.enter_stub(state, &contract, arguments);
        }
        if has_model || method.access & (access::NATIVE | access::ABSTRACT) != 0 {
            return self.invoke_without_code(state, method, arguments);
        }
        self.enter_own_code(state, method, arguments)
    }

    /// Pushes a frame for a method's bytecode; its arguments are the top operands of the current frame.
    #[inline]
    pub(super) fn enter_own_code(
        &mut self,
        state: &mut State,
        method: &'static Method,
        arguments: u32,
    ) -> Result<(), Stop> {
        let frame = state.thread.frames.last_mut().expect("a call comes from a frame");
        frame.sp -= arguments;
        let base = frame.base + frame.sp;
        self.enter(state, method, base, Purpose::Call)
    }

    /// Pushes a frame whose arguments lie at `base` already.
    #[inline]
    pub(super) fn enter(
        &mut self,
        state: &mut State,
        method: &'static Method,
        base: u32,
        purpose: Purpose,
    ) -> Result<(), Stop> {
        self.fuel -= 1;
        if self.fuel == 0 {
            self.poll(state)?;
        }
        let code = match self.program.code(method) {
            Ok(code) => code,
            Err(error) => return self.raise(state, Trouble::Load(error)),
        };
        if state.thread.frames.len() >= self.limits.depth {
            return self.raise(state, Trouble::StackOverflow);
        }
        let end = (base + code.registers) as usize;
        if state.thread.stack.len() < end {
            // A state that was just forked has room for no more than it needs, and many soon end.
            state.thread.stack.resize(end.next_power_of_two().max(64), Value::Top);
        }
        let first = (base + method.arguments) as usize;
        state.thread.stack[first..(base + code.locals) as usize].fill(Value::Top);
        let mut synchronized = None;
        if method.is_synchronized() {
            let monitor = if method.is_static() {
                Some(self.mirror(state, method.class()))
            } else {
                match state.thread.stack[base as usize] {
                    Value::Ref(receiver) => receiver,
                    _ => None,
                }
            };
            synchronized = monitor;
            match (&mut state.threads, monitor) {
                // Another thread may hold it: the frame waits until it is free.
                (Some(threads), Some(monitor)) => threads.now_mut().entering = Some(monitor),
                (None, Some(monitor)) => state.lock(monitor),
                _ => {}
            }
        }
        state.thread.frames.push(Frame { method, code, base, pc: 0, sp: code.locals, purpose, synchronized });
        if state.monitor.is_some() {
            self.note_call(state);
        }
        Ok(())
    }

    /// Natives, models and abstract methods.
    #[inline(never)]
    fn invoke_without_code(&mut self, state: &mut State, method: &'static Method, arguments: u32) -> Result<(), Stop> {
        let is_bare = method.access & access::NATIVE != 0 && method.native.is_none() && method.symbolic.is_none();
        if let Some(contracts) = self.contracts.as_ref().filter(|_| is_bare) {
            if let Some(contract) = contracts.performed_by(method) {
                return self.perform_call(state, &contract, arguments);
            }
            if let Some(contract) = self.contract_of_native(state, method)? {
                return self.enter_stub(state, &contract, arguments);
            }
        }
        if let Some(watch) = method.watched.filter(|_| self.is_exploring) {
            let top = state.thread.top();
            let values = ArgumentValues::from_slice(&state.thread.stack[top - arguments as usize..top]);
            watch(self, state, &values);
        }
        if let Some(guide) = method.guide.filter(|_| self.is_exploring && !state.symbols.is_empty()) {
            return self.run_native(state, method, guide, method.descriptor, arguments);
        }
        if !state.symbols.is_empty() {
            return self.run_model_on_inputs(state, method, arguments);
        }
        self.run_model(state, method, arguments)
    }

    /// The model of a method for concrete arguments, or its own code.
    fn run_model(&mut self, state: &mut State, method: &'static Method, arguments: u32) -> Result<(), Stop> {
        match method.native {
            Some(native) => self.run_native(state, method, native, method.descriptor, arguments),
            None if method.is_abstract() => self.raise(state, Trouble::AbstractMethod(method)),
            None if method.access & access::NATIVE != 0 => {
                Err(self.unsupported(state, Reason::Native(method.full_name())))
            }
            None => self.enter_own_code(state, method, arguments),
        }
    }

    /// A model that may meet what is not known. References are decided first; a model that has a symbolic twin is replaced
    /// by it, and one that only is faster than its bytecode by that.
    fn run_model_on_inputs(&mut self, state: &mut State, method: &'static Method, arguments: u32) -> Result<(), Stop> {
        for depth in 0..arguments as usize {
            if let Value::Unknown(_) = state.operand(depth) {
                self.settle(state, depth)?;
            }
        }
        let values = (0..arguments as usize).rev().map(|depth| state.operand(depth));
        let values: ArgumentValues = values.collect();
        if values.iter().all(|value| self.is_plain(state, *value)) {
            return self.run_model(state, method, arguments);
        }
        if let Some(twin) = method.symbolic {
            return self.run_native(state, method, twin, method.descriptor, arguments);
        }
        if method.access & access::NATIVE == 0 {
            return self.enter_own_code(state, method, arguments);
        }
        Err(self.unsupported(state, Reason::NativeOnUnknown(method.full_name())))
    }

    /// Is the value one that every model understands: neither a term, nor an object with unread or unknown contents?
    pub(crate) fn is_plain(&self, state: &State, value: Value) -> bool {
        let Value::Ref(reference) = value else { return !matches!(value, Value::Term(..) | Value::Unknown(_)) };
        let Some(object) = reference else { return true };
        let found = state.heap.get(object);
        match &found.body {
            Body::Sparse(_) | Body::Mixed(_) => false,
            _ if found.class.is_open() => false,
            Body::Fields(_) if found.class.id == self.program.known().string.id => {
                match state.heap.field(object, self.program.known().string_value) {
                    Value::Ref(Some(bytes)) => matches!(state.heap.get(bytes).body, Body::Bytes(_)),
                    _ => false,
                }
            }
            // The mirror of a class holds its static fields, which models leave alone.
            Body::Fields(_) if found.class.id == self.program.known().class.id => true,
            Body::Fields(fields) => !fields.contains(&Value::Unread),
            _ => true,
        }
    }

    /// Runs a model on the top operands of the current frame. The descriptor is that of the call site.
    pub(super) fn run_native(
        &mut self,
        state: &mut State,
        method: &'static Method,
        native: Native,
        descriptor: &'static str,
        arguments: u32,
    ) -> Result<(), Stop> {
        self.collect_if_due(state);
        let top = state.thread.top();
        let values = ArgumentValues::from_slice(&state.thread.stack[top - arguments as usize..top]);
        let monitor = match (method.is_synchronized(), values.first()) {
            // A native is one step: with several threads, it need not keep the others out.
            (true, Some(Value::Ref(receiver))) if !method.is_static() && state.threads.is_none() => *receiver,
            _ => None,
        };
        if state.threads.is_some() {
            self.look_at_native(state, method, &values)?;
        }
        if let Some(monitor) = monitor {
            state.lock(monitor);
        }
        let mut call = Call { vm: self, state, method, descriptor, arguments: &values, met_unknown: Cell::new(false) };
        let mut result = native(&mut call);
        if matches!(result, Err(Exit::Raise(Trouble::OutOfMemory | Trouble::MemoryLimit))) {
            // The arguments are still operands of the frame, so that the collector sees all that is alive.
            call.state.collect_garbage(&call.vm.program, true);
            result = native(&mut call);
        }
        let met_unknown = call.met_unknown.get();
        if let Some(monitor) = monitor {
            state.unlock(monitor);
        }
        if met_unknown && !matches!(result, Err(Exit::Stop(_) | Exit::Unsupported(_) | Exit::OwnCode)) {
            return Err(self.unsupported(state, Reason::NativeOnUnknown(method.full_name())));
        }
        if state.monitor.is_some() {
            let end = match &result {
                Ok(_) => Some(EventKind::Return),
                Err(Exit::Throw(_) | Exit::Raise(_)) => Some(EventKind::Throw),
                Err(_) => None,
            };
            let receiver = values.first().and_then(|receiver| receiver.object());
            if let Some(end) = end {
                self.note_call_without_frame(state, method, receiver, end);
            }
        }
        match result {
            Ok(value) => {
                let value = self.narrowed(method.result, value);
                state.complete(arguments as usize, (value != Value::Top).then_some(value));
                // The loop for programs with several threads is another one.
                match std::mem::take(&mut self.has_new_thread) {
                    true => Err(super::threads::go_on()),
                    false => Ok(()),
                }
            }
            Err(Exit::Throw(exception)) => self.throw(state, exception),
            Err(Exit::Raise(trouble)) => {
                let shown = (!method.hidden).then_some(method);
                let exception = self.exception_for(state, trouble, shown)?;
                self.throw(state, exception)
            }
            // The instruction is run again once the class is initialised.
            Err(Exit::Initialise(class)) => self.initialise(state, class),
            Err(Exit::Call { method: target, arguments: values }) => {
                let result = descriptor::result(descriptor);
                self.call_from_native(state, method, result, arguments, target, &values)
            }
            Err(Exit::Unsupported(what)) => Err(self.unsupported(state, what)),
            Err(Exit::OwnCode) => self.enter_own_code(state, method, arguments),
            Err(Exit::Stop(stop)) => Err(stop),
        }
    }

    /// A native hands over to a Java method, whose result becomes its own. The native gets a frame of its own,
    /// so that it appears in stack traces.
    fn call_from_native(
        &mut self,
        state: &mut State,
        native: &'static Method,
        result: Kind,
        arguments: u32,
        target: &'static Method,
        values: &[Value],
    ) -> Result<(), Stop> {
        let frame = state.thread.frames.last_mut().expect("a call comes from a frame");
        frame.sp -= arguments;
        let base = frame.base + frame.sp;
        let received = state.thread.stack.get(base as usize).and_then(|receiver| receiver.object());
        let code = self.program.native_stub(result);
        let end = base as usize + values.len() + 2;
        if state.thread.stack.len() < end {
            state.thread.stack.resize(end.next_power_of_two(), Value::Top);
        }
        state.thread.frames.push(Frame {
            method: native,
            code,
            base,
            pc: 0,
            sp: 0,
            purpose: Purpose::Call,
            synchronized: None,
        });
        state.thread.stack[base as usize..base as usize + values.len()].copy_from_slice(values);
        if state.monitor.is_some() {
            self.note_native_call(state, received);
        }
        if target.native.is_some() {
            // The stub has one operand slot; a native target takes its arguments from above it.
            let frame = state.thread.frames.last_mut().expect("just pushed");
            frame.sp = values.len() as u32;
            return self.invoke(state, target, values.len() as u32);
        }
        if target.is_abstract() || target.access & access::NATIVE != 0 {
            return self.invoke_without_code(state, target, 0);
        }
        self.enter(state, target, base, Purpose::Call)
    }

    /// `invokevirtual` and `invokeinterface`, with everything that the fast path leaves out.
    pub(super) fn invoke_virtual(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let call = &code.calls[site as usize];
        let method = match self.program.resolve_call(call) {
            Ok(method) => method,
            Err(error) => return self.raise(state, Trouble::Link(error)),
        };
        if method.is_static() {
            return self.raise(state, Trouble::NotVirtual(method));
        }
        if let Value::Unknown(id) = state.symbols.settled(state.operand(call.arguments as usize - 1))
            && self.relate_undecided(state, id, method, call.arguments)?.is_some()
        {
            return Ok(());
        }
        self.settle(state, call.arguments as usize - 1)?;
        let Some(receiver) = state.reference_operand(call.arguments as usize - 1) else {
            return self.raise(state, Trouble::NullPointer);
        };
        if method.is_signature_polymorphic() {
            return self.invoke_polymorphic(state, method, call);
        }
        let mut class = state.heap.class(receiver);
        if class.is_open() {
            if let Some((parts, left_out)) = self.shown_classes(state, receiver, method) {
                return Err(Stop::Ask(Question::Class { object: receiver, parts, left_out }));
            }
            if let Some(own) = self.inherited_by_lambda(state, receiver, method) {
                return self.invoke(state, own, call.arguments);
            }
            if self.has_unknown_code(state, class, method) {
                return self.call_unknown_code(state, receiver, method, call.arguments);
            }
            class = self.class_for_call(state, receiver, method)?;
        }
        let Some(target) = self.select(class, method) else {
            return self.raise(state, Trouble::AbstractMethod(method));
        };
        self.invoke(state, target, call.arguments)
    }

    /// The classes that are tried for a call on an object which may be of a class that is not there, and those that are left out. Known classes
    /// show how such an object behaves: those of the class path that implement a type of the user's, strings behind `CharSequence`. A class of elsewhere
    /// is followed only in an open world: no fault of the user's is a getter that returns 1 and then 0. A lambda of the class path has no class, and may do
    /// anything. None if no known class shows it.
    fn shown_classes(
        &self,
        state: &State,
        receiver: ObjId,
        method: &'static Method,
    ) -> Option<(Vec<&'static Class>, LeftOut)> {
        let possible = state
            .heap
            .class(receiver)
            .possible()
            .filter(|possible| possible.others && possible.world == World::ClassPath)
            .filter(|possible| !self.program.may_be_lambda(possible))?;
        let is_fixed = method.access & (access::FINAL | access::PRIVATE) != 0;
        if is_fixed || !self.is_exploring || self.is_concrete || self.example.is_some() {
            return None;
        }
        let known = self.program.open_class(Possible { others: false, ..possible.clone() });
        let mut parts = known.map_or_else(Vec::new, |known| self.program.split_by_method(known, method));
        if possible.bound.is_users() {
            // An object that came from a wider type may be a constant: in a closed world, nothing else is left. That part ends as unsupported.
            if self.program.may_be_constant(possible, possible.bound) {
                let constants = Possible { known: Vec::new(), world: World::Closed, ..possible.clone() };
                parts.extend(self.program.open_class(constants));
            }
            return (!parts.is_empty()).then_some((parts, LeftOut::Elsewhere));
        }
        let place = state.symbols.input(receiver).and_then(|input| input.generic.as_deref());
        let by = self.program.stand_ins(possible, method, place);
        parts.extend(by.iter().copied());
        (!by.is_empty()).then_some((parts, LeftOut::Represented { declared: possible.bound, by }))
    }

    /// A class whose implementation of the method is that of all classes which the object may have. Asks if they differ.
    pub(super) fn class_for_call(
        &mut self,
        state: &mut State,
        object: ObjId,
        method: &'static Method,
    ) -> Result<&'static Class, Stop> {
        let parts = self.program.split_by_method(state.heap.class(object), method);
        if parts.len() > 1 {
            return Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }));
        }
        let Some(possible) = parts.first().and_then(|class| class.possible()) else {
            return Ok(state.heap.class(object));
        };
        if let Some(known) = possible.known.first() {
            return Ok(known);
        }
        if method.access & (access::FINAL | access::PRIVATE) != 0 || is_of_closed_package(method) {
            // An interface has the final methods of `Object`.
            return Ok(if possible.bound.is_interface() { method.class() } else { possible.bound });
        }
        let is_constant = possible.world == World::Closed && self.program.may_be_constant(possible, possible.bound);
        if state.thread.is_guarded && !is_constant {
            let reason = Reason::UnknownCodeInContract {
                method: format!("{}.{}", method.class().java_name(), method.name),
                compares: ObjectRelation::of(method).is_some(),
            };
            return Err(self.unsupported(state, reason));
        }
        let bound = possible.bound.java_name();
        let on = match is_constant {
            true => format!("a constant of an enumeration behind {bound}"),
            false => format!("a subclass of {bound} that is not on the class path"),
        };
        let what = format!("a call of {}.{} on {on}", method.class().java_name(), method.name);
        Err(self.unsupported(state, what))
    }

    /// JVMS §6.5.invokespecial: constructors, private methods, and methods of a superclass.
    pub(super) fn invoke_special(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let frame = state.thread.frames.last().expect("an instruction runs in a frame");
        let (code, current) = (frame.code, frame.method.class());
        let call = &code.calls[site as usize];
        let method = match self.program.resolve_call(call) {
            Ok(method) => method,
            Err(error) => return self.raise(state, Trouble::Link(error)),
        };
        self.settle(state, call.arguments as usize - 1)?;
        if state.reference_operand(call.arguments as usize - 1).is_none() {
            return self.raise(state, Trouble::NullPointer);
        }
        let declaring = method.class();
        let is_super_call = method.name != "<init>"
            && !method.is_private()
            && !declaring.is_interface()
            && current.id != declaring.id
            && current.is_subtype_of(declaring);
        let target = if is_super_call {
            current.super_class.and_then(|parent| self.program.find_method(parent, method.name, method.descriptor))
        } else {
            Some(method)
        };
        match target {
            Some(target) => self.invoke(state, target, call.arguments),
            None => self.raise(state, Trouble::AbstractMethod(method)),
        }
    }

    pub(super) fn invoke_static(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let call = &code.calls[site as usize];
        let method = match self.program.resolve_call(call) {
            Ok(method) => method,
            Err(error) => return self.raise(state, Trouble::Link(error)),
        };
        if !method.is_static() {
            return self.raise(state, Trouble::NotStatic(method));
        }
        if !state.classes.is_usable(method.class()) {
            return self.initialise(state, method.class());
        }
        self.invoke(state, method, call.arguments)
    }

    /// The implementation that an object of `class` has for `method`.
    #[inline]
    pub fn select(&mut self, class: &'static Class, method: &'static Method) -> Option<&'static Method> {
        if let Some(vindex) = method.vindex {
            return class.vtable.get(vindex as usize).copied();
        }
        let at = (class.id.index().wrapping_mul(31) ^ method.id.index() as usize) % SELECTED;
        if let Some((cached_class, cached_method, target)) = self.selected[at]
            && std::ptr::eq(cached_class, class)
            && std::ptr::eq(cached_method, method)
        {
            return Some(target);
        }
        let target = self.program.select(class, method)?;
        self.selected[at] = Some((class, method, target));
        Some(target)
    }

    /// Leaves the current frame with a result, or with `Top` for none.
    #[inline]
    pub(super) fn return_from(&mut self, state: &mut State, value: Value) -> Result<(), Stop> {
        let purpose = state.thread.frames.last().expect("a return comes from a frame").purpose;
        let is_true = match purpose {
            Purpose::Judge(_) | Purpose::Assume => self.is_true(state, value)?,
            Purpose::Thread => return self.end_thread(state),
            Purpose::Entry => {
                self.leave_by_return(state)?;
                self.may_return(state)?;
                self.show_end_of_run(state)?;
                false
            }
            _ => false,
        };
        if state.monitor.is_some() && !matches!(purpose, Purpose::Entry) {
            self.note_frame_event(state, EventKind::Return);
        }
        let frame = state.thread.frames.pop().expect("a return comes from a frame");
        if let Some(monitor) = frame.synchronized {
            state.unlock(monitor);
        }
        match frame.purpose {
            Purpose::Call => {
                let value = self.narrowed(frame.method.result, value);
                let caller = state.thread.frames.last_mut().expect("a call comes from a frame");
                caller.pc += 1;
                if value != Value::Top {
                    let at = (caller.base + caller.sp) as usize;
                    caller.sp += 1;
                    state.thread.stack[at] = value;
                }
            }
            Purpose::Initialise(class) => {
                state.classes.slot_mut(class.id).initialisation = Initialisation::Done;
                state.note_late_class(class);
                if self.is_exploring {
                    let known = state.held_by_statics().len();
                    state.hold_statics(&self.program, class, class.is_users() || self.rules.jdk_inputs);
                    self.refuse_late_statics(state, known)?;
                }
            }
            Purpose::Detour | Purpose::Refill => {}
            Purpose::Judge(object) => state.symbols.judged.push((object, is_true)),
            Purpose::Assume if is_true => {}
            Purpose::Assume => return Err(End::AssumedAway.into()),
            Purpose::Make => self.finish_build(state, &frame, value)?,
            Purpose::Thread => {}
            Purpose::Entry => {
                if state.thread.is_guarded && self.is_exploring {
                    // A report about a forbidden write names the frame, so that it must be on the stack.
                    state.thread.frames.push(frame);
                    self.check_library(state)?;
                    state.thread.frames.pop();
                }
                return Err(End::Returned(value).into());
            }
        }
        Ok(())
    }

    /// Ends the path as unsupported, with the reason and the current position.
    pub fn unsupported(&self, state: &State, what: impl Into<Reason>) -> Stop {
        End::unsupported(what, self.describe_position(state)).into()
    }

    /// JVMS §6.5.monitorenter.
    pub(super) fn monitor_enter(&mut self, state: &mut State) -> Result<(), Stop> {
        self.settle(state, 0)?;
        let Some(object) = state.reference_operand(0) else { return self.raise(state, Trouble::NullPointer) };
        state.lock(object);
        state.complete(1, None);
        Ok(())
    }

    /// JVMS §6.5.monitorexit.
    pub(super) fn monitor_exit(&mut self, state: &mut State) -> Result<(), Stop> {
        self.settle(state, 0)?;
        let Some(object) = state.reference_operand(0) else { return self.raise(state, Trouble::NullPointer) };
        if !state.unlock(object) {
            return self.raise(state, Trouble::NotOwner);
        }
        state.complete(1, None);
        Ok(())
    }
}

impl State {
    /// Enters the monitor of an object, or counts one more entry of it.
    pub fn lock(&mut self, object: ObjId) {
        match self.monitors.iter_mut().rev().find(|held| held.object == object) {
            Some(held) => held.count += 1,
            None => {
                self.monitors.push(HeldMonitor { object, count: 1 });
                self.note_monitor(EventKind::Lock, object);
            }
        }
    }

    /// False if the monitor was not held.
    pub fn unlock(&mut self, object: ObjId) -> bool {
        let Some(at) = self.monitors.iter().rposition(|held| held.object == object) else { return false };
        self.monitors[at].count -= 1;
        if self.monitors[at].count == 0 {
            self.monitors.swap_remove(at);
            self.note_monitor(EventKind::Unlock, object);
            self.note_unlocked(object);
        }
        true
    }

    /// Has the thread entered the object's monitor?
    pub fn holds_lock(&self, object: ObjId) -> bool {
        self.monitors.iter().any(|held| held.object == object)
    }
}
