//! Which conditions decided the constant that a method returns?
//!
//! `boolean mayGo(State to) { return this == A && to == B || this == B && to == C; }` returns 1 or 0, into which no data flow: they stand in the code. But
//! conditions decided which of them it is. A condition is *decisive* if the method, had it gone the other way, could end without the
//! instruction that made the constant (dynamic control dependence). Example: `n < most && n >= 0` with n = -1. The second condition is decisive, the
//! first one is not: had it gone the other way, the result would be false all the same. Where the class of the receiver chose among several bodies, it
//! decided, too.

use std::collections::HashSet;

use crate::program::{Class, Code, Method, Op};

/// The way that a conditional jump or switch took.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayTaken {
    /// Where it stands.
    pub at: u32,
    /// The instruction behind it.
    pub next: u32,
}

/// Could the method have ended otherwise than by the constant that was made at `constant`, had the jump taken another way?
pub(super) fn is_decisive(code: &Code, way: WayTaken, constant: u32) -> bool {
    let mut seen: HashSet<u32> = HashSet::from([constant]);
    let mut waiting: Vec<u32> = ways(code, way.at).into_iter().filter(|next| *next != way.next).collect();
    while let Some(at) = waiting.pop() {
        if !seen.insert(at) {
            continue;
        }
        match code.ops.get(at as usize).map(|op| op.unfused()) {
            Some(Op::Return | Op::ReturnValue | Op::Throw) => return true,
            Some(_) => waiting.extend(ways(code, at)),
            None => {}
        }
    }
    false
}

/// Does the method override or implement another one, so that a call may have come to another body?
pub(super) fn is_chosen_by_receiver(method: &'static Method) -> bool {
    let mut waiting: Vec<&'static Class> = Vec::new();
    let above = |class: &'static Class| class.super_class.into_iter().chain(class.interfaces.iter().copied());
    waiting.extend(above(method.class()));
    while let Some(class) = waiting.pop() {
        if class.own_method(method.name, method.descriptor).is_some() {
            return !method.is_static() && !method.name.starts_with('<');
        }
        waiting.extend(above(class));
    }
    false
}

/// The instructions that may follow one.
fn ways(code: &Code, at: u32) -> Vec<u32> {
    let Some(op) = code.ops.get(at as usize).map(|op| op.unfused()) else { return Vec::new() };
    let behind = op.falls_through().then_some(at + 1);
    code.targets(op).into_iter().flatten().chain(behind).collect()
}
