//! How is a loop executed that calls a recursive method in every round, if nobody knows how often it comes round?
//!
//! Such a loop walks over objects too, as from child to child: a round is about the object that it hands to the recursive method, which comes
//! to each object once. So all rounds but the first are executed by object as the method is, whichever loop comes to it: what
//! the other variables are is left open, and is what the round before made of them. What a round returns is what the method does.

use lazuli_vm::program::{Code, MethodId, Op};

use super::Refusal;
use super::by_object::is_input;
use super::flow::Order;
use super::meaning::Meaning;
use super::translate::{Returned, Translator};
use super::way::Way;

/// Where a recursive method was called, and which local variable it got for its subject.
pub type Walkers = Vec<(MethodId, u32, usize)>;

impl Translator<'_> {
    /// A way calls a recursive method for the object that this is.
    pub fn note_walker(&mut self, way: &Way, subject: &Meaning) {
        let is_noted = |(method, pc, _): &(MethodId, u32, usize)| *method == way.method.id && *pc == way.pc;
        if self.walkers.iter().any(is_noted) {
            return;
        }
        let locals = &way.registers[..(way.code.locals as usize).min(way.registers.len())];
        if let Some(local) = locals.iter().position(|local| local == subject) {
            self.walkers.push((way.method.id, way.pc, local));
        }
    }

    /// The local variable by whose objects the rounds of the loop are executed that a way begins again, if they can be.
    fn walker(&self, way: &Way) -> Option<usize> {
        let is_in_loop = |pc: u32| {
            let mut blocks = way.order.loop_of(way.block);
            blocks.any(|block| (way.order.starts[block as usize]..way.order.end(block, way.code)).contains(&pc))
        };
        let is_called = |(method, pc, _): &&(MethodId, u32, usize)| *method == way.method.id && is_in_loop(*pc);
        let (.., local) = self.walkers.iter().find(is_called)?;
        Some(*local)
    }

    /// Can the rounds of the loop that a way begins again be executed by object?
    pub fn walks(&self, way: &Way) -> bool {
        let mut values = way.registers.clone();
        forget_dead(way, &mut values);
        self.by_object
            && self.whole.is_none()
            && self.walker(way).is_some_and(|walker| is_input(&values[walker]))
            && self.has_only_sets(&values, &way.heap).is_ok()
    }

    /// Leaves the rest of a method to the rounds of the loop that a way begins again: what that returns, if anything.
    pub fn next_round(&mut self, mut way: Way) -> Result<Option<Returned>, Refusal> {
        let Some(walker) = self.walker(&way) else { unreachable!("such a loop has one") };
        let mut values = std::mem::take(&mut way.registers);
        forget_dead(&way, &mut values);
        way.registers = values;
        let (guard, heap, head) = (way.guard, way.heap.clone(), Some(way.block));
        let value = self.visit(way, walker, head)?;
        Ok(value.map(|value| Returned { guard, value, heap, is_thrown: false }))
    }
}

/// What nobody looks at any more would only be one more variable.
fn forget_dead(way: &Way, values: &mut [Meaning]) {
    for (value, is_alive) in values.iter_mut().zip(alive(way.code, &way.order, way.block)) {
        if !is_alive {
            *value = Meaning::Nothing;
        }
    }
}

/// Which local variables may be read from a block on before they are written?
fn alive(code: &Code, order: &Order, from: u32) -> Vec<bool> {
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
                _ => waiting.extend(super::flow::successors(code, pc)),
            }
        }
        false
    };
    (0..code.locals as u16).map(is_alive).collect()
}
