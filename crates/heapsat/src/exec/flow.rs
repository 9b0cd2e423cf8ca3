//! In which order are the blocks of a method visited, so that all paths into a block are merged before it is executed?
//!
//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993) nests the blocks into loops. A visit of a
//! block is named by the positions of the loops around it, the iteration of each, and the block's own position. Visits in the order of their names
//! finish one iteration of a loop before the next begins, and the loop before its successors. For blocks `a (b c) d`, where the loop of `b` and `c`
//! has two iterations, the order is `a`, `b.0`, `c.0`, `b.1`, `c.1`, `d`.

use lazuli_vm::program::{Code, Op};

/// The blocks of a method and how loops nest them.
pub(crate) struct LoopOrder {
    /// The first instruction of each block.
    pub(crate) starts: Vec<u32>,
    /// The block that begins at an instruction, if one does.
    block_at: Vec<Option<u32>>,
    /// Of each block: its position, and the positions of the heads of the loops around it, outermost first.
    positions: Vec<u32>,
    loops: Vec<Vec<u32>>,
}

/// The name of one visit of a block: for each loop around it the head and the iteration, then the block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BlockVisit(Vec<u32>);

impl BlockVisit {
    pub(crate) fn name(&self) -> &[u32] {
        &self.0
    }

    /// The iteration of the innermost loop.
    pub(crate) fn iterations(&self) -> usize {
        self.0.len().checked_sub(2).map_or(0, |at| self.0[at] as usize)
    }
}

impl LoopOrder {
    pub(crate) fn of(code: &Code) -> LoopOrder {
        let (starts, block_at) = blocks(code);
        let successors: Vec<Vec<usize>> = (0..starts.len())
            .map(|block| {
                let end = starts.get(block + 1).copied().unwrap_or(code.ops.len() as u32);
                let last = code.ops[end as usize - 1];
                let mut next: Vec<u32> = code.targets(last).into_iter().flatten().collect();
                if last.falls_through() && (end as usize) < code.ops.len() {
                    next.push(end);
                }
                // An exception in a block goes on at its handler.
                let start = starts[block];
                next.extend(code.handlers.iter().filter(|h| h.start < end && start < h.end).map(|h| h.target));
                next.iter().filter_map(|target| block_at[*target as usize].map(|block| block as usize)).collect()
            })
            .collect();
        let count = starts.len();
        let mut nesting = Nesting { successors, numbers: vec![0; count], stack: Vec::new(), next: 0 };
        let mut elements = Vec::new();
        nesting.visit(0, &mut elements);
        let mut order = LoopOrder { starts, block_at, positions: vec![0; count], loops: vec![Vec::new(); count] };
        let mut next = 0;
        order.place(&elements, &mut next, &[]);
        order
    }

    fn place(&mut self, elements: &[Element], next: &mut u32, around: &[u32]) {
        // Elements are collected last first.
        for element in elements.iter().rev() {
            let (head, inside) = match element {
                Element::Block(block) => (*block, None),
                Element::Loop(head, inside) => (*head, Some(inside)),
            };
            let position = *next;
            *next += 1;
            self.positions[head] = position;
            self.loops[head] = around.to_vec();
            if let Some(inside) = inside {
                self.loops[head].push(position);
                let around = self.loops[head].clone();
                self.place(inside, next, &around);
            }
        }
    }

    /// The visit in which a method begins.
    pub(crate) fn first(&self) -> BlockVisit {
        self.enter(0, &[], &[])
    }

    /// Where a jump from a block's visit leads: the visit of the target, and whether it is a back edge, which begins the next iteration of a loop.
    pub(crate) fn jump(&self, from: u32, visit: &BlockVisit, target: u32) -> Option<(u32, BlockVisit, bool)> {
        let to = self.block_at[target as usize]?;
        let (loops, iterations) = (&self.loops[from as usize], &visit.0);
        let iterations: Vec<u32> = (0..loops.len()).map(|depth| iterations[2 * depth + 1]).collect();
        let mut next = self.enter(to, loops, &iterations);
        let inner = self.loops[to as usize].len();
        let is_head = self.loops[to as usize].last() == Some(&self.positions[to as usize]);
        let is_back = is_head && loops.get(inner - 1) == self.loops[to as usize].last();
        if is_back {
            next.0[2 * inner - 1] += 1;
        }
        Some((to, next, is_back))
    }

    /// The visit of a block from inside these loops: iterations of shared loops stay, other loops begin.
    fn enter(&self, block: u32, loops: &[u32], iterations: &[u32]) -> BlockVisit {
        let around = &self.loops[block as usize];
        let mut name = Vec::with_capacity(2 * around.len() + 1);
        for (depth, head) in around.iter().enumerate() {
            let is_shared = around[..=depth] == loops[..loops.len().min(depth + 1)];
            name.extend([*head, if is_shared { iterations[depth] } else { 0 }]);
        }
        name.push(self.positions[block as usize]);
        BlockVisit(name)
    }

    pub(crate) fn has_loops(&self) -> bool {
        self.loops.iter().any(|around| !around.is_empty())
    }

    /// The blocks of the loop that a block begins.
    pub(crate) fn loop_of(&self, head: u32) -> impl Iterator<Item = u32> {
        let head = self.positions[head as usize];
        (0..self.starts.len() as u32).filter(move |block| self.loops[*block as usize].contains(&head))
    }

    /// The instruction after the last one of a block.
    pub(crate) fn end(&self, block: u32, code: &Code) -> u32 {
        self.starts.get(block as usize + 1).copied().unwrap_or(code.ops.len() as u32)
    }
}

enum Element {
    Block(usize),
    Loop(usize, Vec<Element>),
}

struct Nesting {
    successors: Vec<Vec<usize>>,
    /// The order in which blocks were met; zero for those that were not, or are to be met again inside their loop.
    numbers: Vec<u32>,
    stack: Vec<usize>,
    next: u32,
}

impl Nesting {
    fn visit(&mut self, block: usize, elements: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.next += 1;
        self.numbers[block] = self.next;
        let mut head = self.next;
        let mut is_loop = false;
        for successor in self.successors[block].clone() {
            let reached = match self.numbers[successor] {
                0 => self.visit(successor, elements),
                number => number,
            };
            if reached <= head {
                head = reached;
                is_loop = true;
            }
        }
        if head == self.numbers[block] {
            self.numbers[block] = u32::MAX;
            let mut top = self.stack.pop();
            if is_loop {
                while let Some(member) = top.filter(|top| *top != block) {
                    self.numbers[member] = 0;
                    top = self.stack.pop();
                }
                let mut inside = Vec::new();
                for successor in self.successors[block].clone() {
                    if self.numbers[successor] == 0 {
                        self.visit(successor, &mut inside);
                    }
                }
                elements.push(Element::Loop(block, inside));
            } else {
                elements.push(Element::Block(block));
            }
        }
        head
    }
}

fn blocks(code: &Code) -> (Vec<u32>, Vec<Option<u32>>) {
    let mut is_start = vec![false; code.ops.len() + 1];
    is_start[0] = true;
    for pc in 0..code.ops.len() as u32 {
        let op = code.ops[pc as usize];
        let targets: Vec<u32> = code.targets(op).into_iter().flatten().collect();
        // Where a call may select several methods, the paths through them meet again after it.
        let is_call = matches!(
            op.first(),
            Op::InvokeVirtual(_) | Op::InvokeInterface(_) | Op::InvokeSpecial(_) | Op::InvokeStatic(_)
        );
        let ends = is_call || !targets.is_empty() || !op.falls_through();
        for target in targets {
            is_start[target as usize] = true;
        }
        if ends {
            is_start[pc as usize + 1] = true;
        }
    }
    for handler in &code.handlers {
        for pc in [handler.start, handler.end, handler.target] {
            is_start[pc as usize] = true;
        }
    }
    let starts: Vec<u32> = (0..code.ops.len() as u32).filter(|pc| is_start[*pc as usize]).collect();
    let mut block_at = vec![None; code.ops.len()];
    for (block, start) in starts.iter().enumerate() {
        block_at[*start as usize] = Some(block as u32);
    }
    (starts, block_at)
}

/// The instructions that may follow one.
pub(crate) fn successors(code: &Code, pc: u32) -> Vec<u32> {
    let op = code.ops[pc as usize];
    let caught = code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&pc)).map(|h| h.target);
    let next = op.falls_through().then_some(pc + 1);
    code.targets(op).into_iter().flatten().chain(next).chain(caught).collect()
}
