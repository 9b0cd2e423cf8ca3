//! Is a loop of the user's code back where it was, so that it never ends?

use super::{LOOP_INTERVAL, Vm};
use crate::outcome::{End, Limit, Stop};
use crate::program::MethodId;
use crate::state::State;
use crate::value::Value;

/// The part of a state that must be equal for a loop to be back where it was. An interpreter with equal positions, registers and heap does the
/// same again; the heap is equal if nothing was written in between.
#[derive(PartialEq)]
pub(super) struct LoopState {
    /// The method and the instruction of each frame: two calls of one method from different places are no loop.
    positions: Vec<(MethodId, u32)>,
    /// The count of writes to the heap.
    heap: u64,
    /// Those of all frames.
    registers: Vec<Value>,
}

impl Vm {
    /// Ends a path of an exploration that goes round and round in the user's code: because it is back in a state in which it
    /// was before, and so will be for ever, or because it has gone on for long enough.
    pub(super) fn look_at_loop(&mut self, state: &State) -> Result<(), Stop> {
        let Some(most) = self.rules.iterations else { return Ok(()) };
        let frames = &state.thread.frames;
        if !frames.last().is_some_and(|frame| frame.method.class().is_users()) {
            return Ok(());
        }
        // A recursion that gets deeper will overflow the stack, which is an end of its own.
        if self.snapshot.as_ref().is_none_or(|before| frames.len() <= before.positions.len()) {
            self.iterations += LOOP_INTERVAL;
        }
        if self.iterations >= most {
            return Err(End::Limit(Limit::Iterations).into());
        }
        let now = LoopState {
            positions: frames.iter().map(|frame| (frame.method.id, frame.pc)).collect(),
            heap: state.heap.version(),
            registers: state.thread.stack[..state.thread.top()].to_vec(),
        };
        if self.snapshot.as_ref() == Some(&now) {
            return Err(End::Limit(Limit::Endless).into());
        }
        self.snapshot = Some(now);
        Ok(())
    }
}
