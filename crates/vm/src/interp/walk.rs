//! Where did a run go: which methods, lines and ways out of branches of the user's code?

use std::collections::BTreeSet;

use super::{Performed, Vm};
use crate::heap::Heap;
use crate::program::{Class, Code, Method, Op};
use crate::state::State;
use crate::value::Value;

/// The methods, lines and branches that a run came by, of the user's code only.
#[derive(Clone, Default)]
pub struct Walk {
    /// Each line, when the run came to it from another one.
    pub lines: Vec<(&'static Class, u16)>,
    /// The ways that were taken, in order.
    pub ways: Vec<BranchEdge>,
    /// The methods that were entered, each once.
    pub methods: Vec<&'static Method>,
    /// The values that the program asked for, in order.
    pub asked: Vec<AskedValue>,
    /// The first moments at which the run came to a line, as many as are wanted.
    pub moments: Vec<Moment>,
    /// The visible operations of threads, if they are wanted.
    pub performed: Option<Performed>,
    /// How many moments are wanted.
    most_moments: usize,
    /// The branch that was just executed: the index of the instruction, and how far behind it the branch itself stands.
    last: Option<(&'static Method, u32, u32)>,
}

/// A value that a program asked for by `Lazuli.any…`, or by a name of its own.
#[derive(Clone, Debug)]
pub struct AskedValue {
    /// Its name in reports: `nondetInt#1`, `args[0]`.
    pub name: String,
    /// The method and the line that asked for it, if a line did.
    pub at: Option<(&'static Method, u16)>,
}

/// A run before it executes a line.
#[derive(Clone)]
pub struct Moment {
    /// The method that the line belongs to.
    pub method: &'static Method,
    /// The first instruction of the line.
    pub pc: u32,
    /// The number of the line in its source.
    pub line: u16,
    /// How many methods are entered, that of the line included.
    pub depth: usize,
    /// All objects.
    pub heap: Heap,
    /// The registers of local variables.
    pub locals: Vec<Value>,
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

impl Walk {
    /// A walk that remembers this many moments.
    pub fn with_moments(most_moments: usize) -> Walk {
        Walk { most_moments, ..Walk::default() }
    }

    /// A walk that notes the visible operations of threads.
    pub fn with_operations() -> Walk {
        Walk { performed: Some(Performed::default()), ..Walk::default() }
    }
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
    /// Notes that the program asks for a value.
    pub(crate) fn note_asked(&mut self, state: &State, name: &str) {
        let Some(walk) = &mut self.walk else { return };
        let frame = state.thread.frames.iter().rev().find(|frame| !frame.method.hidden);
        let at = frame.and_then(|frame| Some((frame.method, frame.code.line(frame.pc)?)));
        walk.asked.push(AskedValue { name: name.to_string(), at });
    }

    /// Notes that an instruction is about to be executed.
    pub(super) fn note_step(
        &mut self,
        method: &'static Method,
        code: &Code,
        (pc, depth): (usize, usize),
        heap: &Heap,
        registers: &[Value],
    ) {
        let class = method.class();
        if let Some(performed) = self.walk.as_mut().and_then(|walk| walk.performed.as_mut()) {
            performed.visit(method, (pc, depth));
        }
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
            if walk.moments.len() < walk.most_moments {
                let locals = registers[..code.locals as usize].to_vec();
                walk.moments.push(Moment { method, pc, line, depth, heap: heap.clone(), locals });
            }
        }
    }
}
