//! Which local variables may still be read from an instruction on?
//!
//! Two states that differ in other variables only do the same from there on. Backward data flow over the instructions, as in any compiler's
//! textbook; a fused instruction counts as the first of its sequence, because the others stay where they are.

use super::code::{Code, Op};

/// The live local variables of a method's code.
pub struct Liveness {
    /// How many words the set of one instruction has.
    words: usize,
    /// By instruction: those that are live before it.
    before: Vec<u64>,
    /// The same after it, wherever execution goes on, handlers of exceptions included.
    after: Vec<u64>,
}

impl Liveness {
    /// Analyses code. None if it has subroutines, whose ends lead to more than one place.
    pub fn of(code: &Code) -> Option<Liveness> {
        let is_subroutine = |op: &Op| matches!(op.first(), Op::Jsr(_) | Op::Ret(_));
        if !code.walks.is_empty() || code.ops.iter().any(is_subroutine) {
            return None;
        }
        let words = (code.locals as usize).div_ceil(64).max(1);
        let count = code.ops.len();
        let mut found = Liveness { words, before: vec![0; count * words], after: vec![0; count * words] };
        loop {
            let mut is_changed = false;
            for at in (0..count).rev() {
                is_changed |= found.visit(code, at)?;
            }
            if !is_changed {
                return Some(found);
            }
        }
    }

    /// Looks at one instruction again. True if something became live.
    fn visit(&mut self, code: &Code, at: usize) -> Option<bool> {
        let op = code.ops[at].first();
        let mut after = vec![0; self.words];
        let mut next = |target: usize| {
            for (word, live) in after.iter_mut().enumerate() {
                *live |= self.before.get(target * self.words + word).copied().unwrap_or(0);
            }
        };
        if op.falls_through() {
            next(at + 1);
        }
        code.targets(op)?.for_each(|target| next(target as usize));
        let covers = |range: (u32, u32)| (range.0..range.1).contains(&(at as u32));
        for handler in code.handlers.iter().filter(|handler| covers((handler.start, handler.end))) {
            next(handler.target as usize);
        }
        let mut before = after.clone();
        let bit = |local: u16| (local as usize / 64, 1u64 << (local % 64));
        match op {
            Op::Store(local) => {
                let (word, bit) = bit(local);
                before[word] &= !bit;
                // The value from before is still there if an exception is thrown first.
                if code.handlers.iter().any(|handler| covers((handler.start, handler.end))) {
                    before[word] |= after[word] & bit;
                }
            }
            Op::Load(local) | Op::Iinc(local, _) => {
                let (word, bit) = bit(local);
                before[word] |= bit;
            }
            _ => {}
        }
        let range = at * self.words..(at + 1) * self.words;
        let is_changed = self.before[range.clone()] != before[..] || self.after[range.clone()] != after[..];
        self.before[range.clone()].copy_from_slice(&before);
        self.after[range].copy_from_slice(&after);
        Some(is_changed)
    }

    /// May a local variable be read when this instruction is executed, or later?
    pub fn is_live_before(&self, pc: u32, local: usize) -> bool {
        self.is_in(&self.before, pc, local)
    }

    /// The same after the instruction.
    pub fn is_live_after(&self, pc: u32, local: usize) -> bool {
        self.is_in(&self.after, pc, local)
    }

    fn is_in(&self, sets: &[u64], pc: u32, local: usize) -> bool {
        let word = sets.get(pc as usize * self.words + local / 64);
        word.is_none_or(|word| word >> (local % 64) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_live_until_it_is_read_last() {
        // 0: load 1; 1: store 0; 2: load 0; 3: ifeq 2; 4: return
        let ops = [Op::Load(1), Op::Store(0), Op::Load(0), Op::IfEq(2), Op::Return];
        let code = Code { ops: Box::new(ops), locals: 2, registers: 3, ..Code::default() };
        let live = Liveness::of(&code).expect("no subroutines");
        assert!(live.is_live_before(0, 1) && !live.is_live_before(0, 0));
        assert!(!live.is_live_after(0, 1));
        assert!(live.is_live_after(1, 0) && live.is_live_before(3, 0));
        assert!(!live.is_live_before(4, 0));
    }

    #[test]
    fn a_handler_keeps_what_it_reads_alive() {
        // 0: store 0 (covered); 1: return; 2: load 0; 3: throw
        let ops = [Op::Store(0), Op::Return, Op::Load(0), Op::Throw];
        let handler = super::super::code::Handler { start: 0, end: 1, target: 2, catches: None };
        let code =
            Code { ops: Box::new(ops), locals: 1, registers: 2, handlers: Box::new([handler]), ..Code::default() };
        let live = Liveness::of(&code).expect("no subroutines");
        assert!(live.is_live_before(0, 0) && !live.is_live_before(1, 0));
    }
}
