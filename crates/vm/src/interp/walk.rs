//! Where did a run go: which methods, lines and ways out of branches of the user's code?

use std::collections::BTreeSet;

use super::Vm;
use crate::program::{Class, Code, Method, Op};

/// The methods, lines and branches that a run came by, of the user's code only.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Each line, when the run came to it from another one.
    pub lines: Vec<(&'static Class, u16)>,
    /// The ways that were taken, in order.
    pub ways: Vec<BranchEdge>,
    /// The methods that were entered, each once.
    pub methods: Vec<&'static Method>,
    /// The branch that was just executed: the index of the instruction, and how far behind it the branch itself stands.
    last: Option<(&'static Method, u32, u32)>,
}

/// One way out of a branch or switch.
#[derive(Clone, Copy, Debug)]
pub struct BranchEdge {
    /// The method that contains the branch.
    pub method: &'static Method,
    /// The index of the branch among the instructions.
    pub at: u32,
    /// The index of the instruction that came next.
    pub to: u32,
}

impl Code {
    /// All ways out of all branches and switches: the index of the instruction, and of the one that comes next.
    pub fn ways(&self) -> Vec<(u32, u32)> {
        let mut ways = Vec::new();
        for at in 0..self.ops.len() as u32 {
            // A fused instruction that contains a branch has the branch itself behind it.
            if self.distance_of_branch(at) == Some(0) {
                ways.extend(self.next_of_branch(at).into_iter().map(|to| (at, to)));
            }
        }
        ways
    }

    /// How far behind an instruction the branch stands that it executes, if it does: not far, unless it is fused with it.
    fn distance_of_branch(&self, at: u32) -> Option<u32> {
        match self.ops[at as usize] {
            Op::Goto(_) | Op::Jsr(_) => None,
            Op::TableSwitch(_) | Op::LookupSwitch(_) => Some(0),
            Op::LocalIfEq(..) | Op::LocalIfNe(..) | Op::LocalIfNull(..) | Op::LocalIfNonNull(..) => Some(1),
            Op::LocalsEq(..)
            | Op::LocalsNe(..)
            | Op::LocalsLt(..)
            | Op::LocalsGe(..)
            | Op::LocalsGt(..)
            | Op::LocalsLe(..)
            | Op::LocalEq(..)
            | Op::LocalNe(..)
            | Op::LocalLt(..)
            | Op::LocalGe(..)
            | Op::LocalGt(..)
            | Op::LocalLe(..) => Some(2),
            op => op.target().map(|_| 0),
        }
    }

    /// Where a branch or switch may go.
    fn next_of_branch(&self, at: u32) -> BTreeSet<u32> {
        let op = self.ops[at as usize];
        let next = op.falls_through().then_some(at + 1);
        self.targets(op).into_iter().flatten().chain(next).collect()
    }
}

impl Vm {
    /// Notes that an instruction is about to be executed.
    pub(super) fn note_step(&mut self, method: &'static Method, code: &Code, pc: usize) {
        let class = method.class();
        let (true, Some(walk)) = (class.is_users() && !method.hidden, &mut self.walk) else { return };
        let pc = pc as u32;
        if let Some((known, at, distance)) = walk.last.take()
            && known.id == method.id
            && code.next_of_branch(at + distance).contains(&pc)
        {
            walk.ways.push(BranchEdge { method, at: at + distance, to: pc });
        }
        walk.last = code.distance_of_branch(pc).map(|distance| (method, pc, distance));
        if walk.methods.last().is_none_or(|last| last.id != method.id)
            && !walk.methods.iter().any(|known| known.id == method.id)
        {
            walk.methods.push(method);
        }
        let Some(line) = code.line(pc) else { return };
        if walk.lines.last().is_none_or(|(last, number)| last.id != class.id || *number != line) {
            walk.lines.push((class, line));
        }
    }
}
