//! Which instructions and natives could other threads notice?
//!
//! The loop asks `look` before each instruction that might be visible; natives that get shared objects come to `look_at_native`.

use super::super::Vm;
use super::quiet::{is_inert, is_quiet, is_quiet_access};
use crate::outcome::Stop;
use crate::program::{Method, Op, access};
use crate::state::{Initialisation, State};
use crate::threads::{AccessMode, ObjectPart, ThreadOperation};
use crate::value::{Kind, ObjId, Value};

impl Op {
    /// Might another thread notice the instruction, or must it wait for another thread that initialises a class?
    #[inline]
    pub(in crate::interp) fn may_be_visible(self) -> bool {
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

impl Vm {
    /// Looks at the current instruction before it is executed: an operation that others could notice must be permitted.
    #[inline(never)]
    pub(in crate::interp) fn look(&mut self, state: &mut State) -> Result<(), Stop> {
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
                // The call site of a lambda that captures nothing keeps the object: it is linked before any thread passes it.
                let is_call_site = field.class.file.is_none() && field.access & access::VOLATILE == 0;
                if !is_constant && !is_call_site && !is_quiet(&frame) {
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
    pub(in crate::interp) fn symbolic_with_threads(&mut self, state: &mut State) -> Result<(), Stop> {
        let before = state.position();
        self.symbolic(state)?;
        self.may_pass = state.position() == before
            && state.thread.frames.last().is_some_and(|frame| frame.code.ops[frame.pc as usize].may_be_visible());
        Ok(())
    }

    /// The instruction may be executed once.
    pub(super) fn pass(&mut self) -> Result<(), Stop> {
        self.may_pass = true;
        Ok(())
    }

    pub(super) fn perform(&mut self, state: &mut State, operation: Option<ThreadOperation>) -> Result<(), Stop> {
        if let Some(operation) = operation {
            self.permit(state, operation)?;
        }
        self.pass()
    }

    /// A native method that gets objects which two threads can reach: it may look at all of them, and change them.
    pub(in crate::interp) fn look_at_native(
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
