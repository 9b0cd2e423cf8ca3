//! What do the instructions do that only move what is on the operand stack?

use lazuli_vm::program::Op;

/// Drops, copies or swaps operands (JVMS §6.5, from pop to swap). Each is one entry, whether it takes one slot or two. None if there are too few.
pub fn shuffle<T: Clone>(stack: &mut Vec<T>, op: Op, is_wide: impl Fn(&T) -> bool) -> Option<()> {
    let wide = |stack: &[T], depth: usize| stack.len().checked_sub(1 + depth).is_some_and(|at| is_wide(&stack[at]));
    // How many values are copied, and under how many more the copies go.
    let (copied, under) = match op {
        Op::Pop => {
            stack.pop()?;
            return Some(());
        }
        Op::Pop2 => {
            if !is_wide(&stack.pop()?) {
                stack.pop()?;
            }
            return Some(());
        }
        Op::Swap => {
            let below = stack.len().checked_sub(2)?;
            stack.swap(below, below + 1);
            return Some(());
        }
        Op::Dup => (1, 0),
        Op::DupX1 => (1, 1),
        Op::DupX2 => (1, if wide(stack, 1) { 1 } else { 2 }),
        Op::Dup2 => (if wide(stack, 0) { 1 } else { 2 }, 0),
        Op::Dup2X1 => (if wide(stack, 0) { 1 } else { 2 }, 1),
        _ => {
            let copied = if wide(stack, 0) { 1 } else { 2 };
            (copied, if wide(stack, copied) { 1 } else { 2 })
        }
    };
    let at = stack.len().checked_sub(copied + under)?;
    let copies: Vec<T> = stack[stack.len() - copied..].to_vec();
    stack.splice(at..at, copies);
    Some(())
}
