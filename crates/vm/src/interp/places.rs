//! Which place of the program is a path at, and which did a throwable come from?

use super::Vm;
use crate::heap::Body;
use crate::program::{Class, Method};
use crate::state::State;
use crate::value::{ObjId, Value};

impl Vm {
    /// The place that the top frame is at: `pkg.Class.method(File.java:12)`.
    pub fn describe_position(&self, state: &State) -> String {
        let shown = state.thread.frames.iter().rev().find(|frame| !frame.method.hidden);
        shown.map_or("the start of the program".to_string(), |frame| {
            describe_place(frame.method, frame.code.line(frame.pc))
        })
    }

    /// The innermost places of a throwable's stack trace.
    pub fn describe_trace(&self, state: &State, throwable: ObjId, most: usize) -> Vec<String> {
        let trace = self.trace(state, throwable);
        trace.into_iter().take(most).map(|(method, line)| describe_place(method, line)).collect()
    }

    /// The exception because of which a static initialiser failed; of any other throwable, itself.
    pub fn origin_of(&self, state: &State, throwable: ObjId) -> ObjId {
        let known = self.program.known();
        let mut origin = throwable;
        // Each was made before the error that wraps it, unless the program made it a cause of itself.
        while state.heap.class(origin).name == "java/lang/ExceptionInInitializerError"
            && let Value::Ref(Some(cause)) = state.heap.field(origin, known.throwable_cause)
            && cause < origin
        {
            origin = cause;
        }
        origin
    }

    /// The innermost place of a throwable's stack trace that is in the user's code.
    pub fn user_place(&self, state: &State, throwable: ObjId) -> Option<(&'static Class, Option<u16>)> {
        // The user's own code failed, not the class by which it speaks to Lazuli.
        let is_users = |class: &Class| class.is_users() && class.name != "lazuli/Lazuli";
        let (method, line) = self.trace(state, throwable).into_iter().find(|(method, _)| is_users(method.class()))?;
        Some((method.class(), line))
    }

    /// That place in words, or the innermost one of all if no code of the user's is on the way: `Table.<clinit>(Table.java:7)`.
    pub fn describe_user_place(&self, state: &State, throwable: ObjId) -> Option<String> {
        let trace = self.trace(state, throwable);
        let own = trace.iter().find(|(method, _)| method.class().is_users()).or(trace.first());
        own.map(|(method, line)| describe_place(method, *line))
    }

    /// The innermost instruction of a throwable's stack trace that is in the user's code: the method, and the offset in its code.
    pub fn user_instruction(&self, state: &State, throwable: ObjId) -> Option<(&'static Method, Option<u16>)> {
        let is_users = |class: &Class| class.is_users() && class.name != "lazuli/Lazuli";
        let mut entries = self.backtrace(state, throwable).into_iter();
        let (method, pc) = entries.find(|(method, _)| is_users(method.class()))?;
        let code = self.program.code(method).ok();
        Some((method, pc.zip(code).and_then(|(pc, code)| code.offsets.get(pc as usize).copied())))
    }

    fn trace(&self, state: &State, throwable: ObjId) -> Vec<(&'static Method, Option<u16>)> {
        let place = |(method, pc): (&'static Method, Option<u32>)| {
            let code = pc.zip(self.program.code(method).ok());
            (method, code.and_then(|(pc, code)| code.line(pc)))
        };
        self.backtrace(state, throwable).into_iter().map(place).collect()
    }

    /// The frames that a throwable recorded, the innermost first: the method, and the index of the instruction if it has code.
    fn backtrace(&self, state: &State, throwable: ObjId) -> Vec<(&'static Method, Option<u32>)> {
        let known = self.program.known();
        let Value::Ref(Some(backtrace)) = state.heap.field(throwable, known.throwable_backtrace) else {
            return Vec::new();
        };
        let Body::Ints(trace) = &state.heap.get(backtrace).body else { return Vec::new() };
        let frame = |entry: &[i32]| (self.program.method(entry[0] as u32), u32::try_from(entry[1]).ok());
        trace.chunks_exact(2).map(frame).collect()
    }
}

pub(super) fn describe_place(method: &Method, line: Option<u16>) -> String {
    let class = method.class();
    let file = class.source_file().unwrap_or("Unknown Source");
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    format!("{}.{}({file}{line})", class.java_name(), method.name)
}
