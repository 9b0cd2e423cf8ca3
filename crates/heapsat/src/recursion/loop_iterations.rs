//! How is a loop executed that calls a recursive method in every iteration, if its number of iterations depends on the heap?
//!
//! Such a loop walks over objects too, as from child to child: an iteration is about the object that it passes to the recursive method, which visits
//! each object once. So all iterations but the first are executed per object, as the method is: the other local variables are fresh variables,
//! which equal the values that the iteration before left. The rest of the method belongs to the iteration, so the iteration returns the method's
//! value.

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
    /// Records that a path calls a recursive method for the object of a local variable.
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

    /// The local variable by whose objects the iterations of a loop are executed, if they can be.
    fn loop_subject(&self, path: &GuardedPath) -> Option<usize> {
        let is_in_loop = |pc: u32| {
            let mut blocks = path.order.loop_of(path.block);
            blocks.any(|block| (path.order.starts[block as usize]..path.order.end(block, path.code)).contains(&pc))
        };
        let is_called = |(method, pc, _): &&(MethodId, u32, usize)| *method == path.method.id && is_in_loop(*pc);
        let (.., local) = self.recursion.per_object()?.loop_subjects.iter().find(is_called)?;
        Some(*local)
    }

    /// Can the next iteration of a loop be executed per object?
    pub(crate) fn iterates_per_object(&self, path: &GuardedPath) -> bool {
        let mut values = path.registers.clone();
        drop_dead_locals(path, &mut values);
        self.loop_subject(path).is_some_and(|subject| is_input(&values[subject]))
            && self.require_only_sets(&values, &path.heap).is_ok()
    }

    /// Leaves the rest of a method to the next iteration of a loop, and returns its exit, if there is one.
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

/// Forgets dead local variables, each of which would be one more free variable.
fn drop_dead_locals(path: &GuardedPath, values: &mut [SymValue]) {
    for (value, is_alive) in values.iter_mut().zip(alive(path.code, &path.order, path.block)) {
        if !is_alive {
            *value = SymValue::Undefined;
        }
    }
}

/// The live local variables at the beginning of a block: those that may be read before they are written.
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
