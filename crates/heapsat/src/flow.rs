//! In which order are the blocks of a method visited, so that all ways to a block are merged before going on from there?
//!
//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993) nests the blocks into loops. A
//! visit of a block is named by the positions of the loops around it, how often each has come round, and the block's own position.
//! Visits in the order of their names finish one round of a loop before the next begins, and the loop before what follows it.

use lazuli_vm::program::{Code, Op};

/// The blocks of a method and how loops nest them.
pub struct Order {
    /// The first instruction of each block.
    pub starts: Vec<u32>,
    /// The block that begins at an instruction, if one does.
    block_at: Vec<Option<u32>>,
    /// Of each block: its position, and the positions of the heads of the loops around it, outermost first.
    positions: Vec<u32>,
    loops: Vec<Vec<u32>>,
}

/// The name of one visit of a block: for each loop around it the head and the round, then the block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Visit(Vec<u32>);

impl Visit {
    pub fn name(&self) -> &[u32] {
        &self.0
    }

    /// How often the innermost loop has come round.
    pub fn rounds(&self) -> usize {
        self.0.len().checked_sub(2).map_or(0, |at| self.0[at] as usize)
    }
}

impl Order {
    pub fn of(code: &Code) -> Order {
        let (starts, block_at) = blocks(code);
        let successors: Vec<Vec<usize>> = (0..starts.len())
            .map(|block| {
                let end = starts.get(block + 1).copied().unwrap_or(code.ops.len() as u32);
                let mut next = targets(code, end - 1);
                if goes_on(code.ops[end as usize - 1]) && (end as usize) < code.ops.len() {
                    next.push(end);
                }
                // What is thrown in a block goes on where it is caught.
                let start = starts[block];
                next.extend(code.handlers.iter().filter(|h| h.start < end && start < h.end).map(|h| h.target));
                next.iter().filter_map(|target| block_at[*target as usize].map(|block| block as usize)).collect()
            })
            .collect();
        let count = starts.len();
        let mut nesting = Nesting { successors, numbers: vec![0; count], stack: Vec::new(), next: 0 };
        let mut elements = Vec::new();
        nesting.visit(0, &mut elements);
        let mut order = Order { starts, block_at, positions: vec![0; count], loops: vec![Vec::new(); count] };
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
    pub fn first(&self) -> Visit {
        self.enter(0, &[], &[])
    }

    /// Where a jump from a block's visit leads: the visit of the target, and whether a loop begins another round.
    pub fn jump(&self, from: u32, visit: &Visit, target: u32) -> Option<(u32, Visit, bool)> {
        let to = self.block_at[target as usize]?;
        let (loops, rounds) = (&self.loops[from as usize], &visit.0);
        let rounds: Vec<u32> = (0..loops.len()).map(|depth| rounds[2 * depth + 1]).collect();
        let mut next = self.enter(to, loops, &rounds);
        let inner = self.loops[to as usize].len();
        let is_head = self.loops[to as usize].last() == Some(&self.positions[to as usize]);
        let is_back = is_head && loops.get(inner - 1) == self.loops[to as usize].last();
        if is_back {
            next.0[2 * inner - 1] += 1;
        }
        Some((to, next, is_back))
    }

    /// The visit of a block from a place inside these loops: the rounds of shared loops stay, others begin.
    fn enter(&self, block: u32, loops: &[u32], rounds: &[u32]) -> Visit {
        let around = &self.loops[block as usize];
        let mut name = Vec::with_capacity(2 * around.len() + 1);
        for (depth, head) in around.iter().enumerate() {
            let is_shared = around[..=depth] == loops[..loops.len().min(depth + 1)];
            name.extend([*head, if is_shared { rounds[depth] } else { 0 }]);
        }
        name.push(self.positions[block as usize]);
        Visit(name)
    }

    pub fn has_loops(&self) -> bool {
        self.loops.iter().any(|around| !around.is_empty())
    }

    /// The blocks of the loop that a block begins.
    pub fn loop_of(&self, head: u32) -> impl Iterator<Item = u32> {
        let head = self.positions[head as usize];
        (0..self.starts.len() as u32).filter(move |block| self.loops[*block as usize].contains(&head))
    }

    /// The instruction after the last one of a block.
    pub fn end(&self, block: u32, code: &Code) -> u32 {
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
        let targets = targets(code, pc);
        // Where a call may mean several methods, the ways through them meet again after it.
        let is_call = matches!(
            code.ops[pc as usize].first(),
            Op::InvokeVirtual(_) | Op::InvokeInterface(_) | Op::InvokeSpecial(_) | Op::InvokeStatic(_)
        );
        let ends = is_call || !targets.is_empty() || !goes_on(code.ops[pc as usize]);
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

/// Where an instruction may jump to.
fn targets(code: &Code, pc: u32) -> Vec<u32> {
    match code.ops[pc as usize].first() {
        Op::TableSwitch(table) => {
            let table = &code.tables[table as usize];
            table.targets.iter().copied().chain([table.default]).collect()
        }
        Op::LookupSwitch(table) => {
            let table = &code.lookups[table as usize];
            table.pairs.iter().map(|(_, target)| *target).chain([table.default]).collect()
        }
        op => op.target().into_iter().collect(),
    }
}

/// The instructions that may follow one.
pub fn successors(code: &Code, pc: u32) -> Vec<u32> {
    let caught = code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&pc)).map(|h| h.target);
    let next = goes_on(code.ops[pc as usize]).then_some(pc + 1);
    targets(code, pc).into_iter().chain(next).chain(caught).collect()
}

/// May the next instruction follow?
fn goes_on(op: Op) -> bool {
    !matches!(
        op.first(),
        Op::Goto(_) | Op::TableSwitch(_) | Op::LookupSwitch(_) | Op::ReturnValue | Op::Return | Op::Throw | Op::Ret(_)
    )
}
