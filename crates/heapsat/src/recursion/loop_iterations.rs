//! How is a loop executed that calls a recursive method in every round, if nobody knows how often it comes round?
//!
//! Such a loop walks over objects too, as from child to child: a round is about the object that it hands to the recursive method, which comes
//! to each object once. So all rounds but the first are executed by object as the method is, whichever loop comes to it: what
//! the other variables are is left open, and is what the round before made of them. What a round returns is what the method does.

use lazuli_vm::program::{Code, MethodId, Op};

use crate::Refusal;
use crate::exec::executor::{Executor, MethodExit};
use crate::exec::flow::LoopOrder;
use crate::exec::path::GuardedPath;
use crate::exec::value::SymValue;
use crate::recursion::per_object::is_input;

/// Where a recursive method was called, and which local variable it got for its subject.
pub(crate) type LoopSubjects = Vec<(MethodId, u32, usize)>;

impl Executor<'_> {
    /// A path calls a recursive method for the object that this is.
    pub(crate) fn record_loop_subject(&mut self, path: &GuardedPath, subject: &SymValue) {
        let is_noted = |(method, pc, _): &(MethodId, u32, usize)| *method == path.method.id && *pc == path.pc;
        let Some(per_object) = self.recursion.per_object_mut() else { return };
        if per_object.loop_subjects.iter().any(is_noted) {
            return;
        }
        let locals = &path.registers[..(path.code.locals as usize).min(path.registers.len())];
        if let Some(local) = locals.iter().position(|local| local == subject) {
            per_object.loop_subjects.push((path.method.id, path.pc, local));
        }
    }

    /// The local variable by whose objects the rounds of the loop are executed that a path begins again, if they can be.
    fn loop_subject(&self, path: &GuardedPath) -> Option<usize> {
        let is_in_loop = |pc: u32| {
            let mut blocks = path.order.loop_of(path.block);
            blocks.any(|block| (path.order.starts[block as usize]..path.order.end(block, path.code)).contains(&pc))
        };
        let is_called = |(method, pc, _): &&(MethodId, u32, usize)| *method == path.method.id && is_in_loop(*pc);
        let (.., local) = self.recursion.per_object()?.loop_subjects.iter().find(is_called)?;
        Some(*local)
    }

    /// Can the rounds of the loop that a path begins again be executed by object?
    pub(crate) fn iterates_per_object(&self, path: &GuardedPath) -> bool {
        let mut values = path.registers.clone();
        drop_dead_locals(path, &mut values);
        self.loop_subject(path).is_some_and(|subject| is_input(&values[subject]))
            && self.require_only_sets(&values, &path.heap).is_ok()
    }

    /// Leaves the rest of a method to the rounds of the loop that a path begins again: what that returns, if anything.
    pub(crate) fn execute_next_iteration(&mut self, mut path: GuardedPath) -> Result<Option<MethodExit>, Refusal> {
        let Some(subject) = self.loop_subject(&path) else { unreachable!("such a loop has one") };
        let mut values = std::mem::take(&mut path.registers);
        drop_dead_locals(&path, &mut values);
        path.registers = values;
        let (guard, heap, head) = (path.guard, path.heap.clone(), Some(path.block));
        let value = self.execute_per_object(path, subject, head)?;
        Ok(value.map(|value| MethodExit { guard, value, heap, is_thrown: false }))
    }
}

/// What nobody looks at any more would only be one more variable.
fn drop_dead_locals(path: &GuardedPath, values: &mut [SymValue]) {
    for (value, is_alive) in values.iter_mut().zip(alive(path.code, &path.order, path.block)) {
        if !is_alive {
            *value = SymValue::Undefined;
        }
    }
}

/// Which local variables may be read from a block on before they are written?
fn alive(code: &Code, order: &LoopOrder, from: u32) -> Vec<bool> {
    let is_alive = |local: u16| {
        let mut seen = vec![false; code.ops.len()];
        let mut waiting = vec![order.starts[from as usize]];
        while let Some(pc) = waiting.pop() {
            let Some(op) = code.ops.get(pc as usize).map(|op| op.first()) else { continue };
            if std::mem::replace(&mut seen[pc as usize], true) {
                continue;
            }
            match op {
                Op::Load(at) | Op::Iinc(at, _) | Op::Ret(at) if at == local => return true,
                Op::Store(at) if at == local => continue,
                _ => waiting.extend(crate::exec::flow::successors(code, pc)),
            }
        }
        false
    };
    (0..code.locals as u16).map(is_alive).collect()
}
