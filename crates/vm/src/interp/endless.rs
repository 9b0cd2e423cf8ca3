//! Is a loop of the user's code back where it was, so that it never ends?

use lazuli_logic::Sort;

use super::{LOOP_INTERVAL, Vm};
use crate::outcome::{End, Limit, Stop};
use crate::program::MethodId;
use crate::state::State;
use crate::value::Value;

/// The part of a state that must be equal for a loop to be back where it was. An interpreter with equal positions, registers and heap does the
/// same again; the heap is equal if nothing was written in between.
pub struct LoopState {
    /// The method and the instruction of each frame: two calls of one method from different places are no loop.
    positions: Vec<(MethodId, u32)>,
    /// The count of writes to the heap.
    heap: u64,
    /// Those of all frames.
    registers: Vec<Value>,
}

impl LoopState {
    /// Is it the same again?
    fn is_again(&self, before: &LoopState) -> bool {
        self.counters(before).is_some_and(|counters| counters.is_empty())
    }

    /// The registers in which a later visit of the same instruction differs, if these are numbers and nothing else differs.
    pub fn counters(&self, later: &LoopState) -> Option<Vec<usize>> {
        let is_same_place = self.positions == later.positions && self.heap == later.heap;
        if !is_same_place || self.registers.len() != later.registers.len() {
            return None;
        }
        let pairs = self.registers.iter().zip(&later.registers).enumerate();
        let differing = pairs.filter(|(_, (before, now))| !before.is_identical(**now));
        differing.map(|(at, (before, now))| (before.number_kind()? == now.number_kind()?).then_some(at)).collect()
    }
}

impl Vm {
    /// The part of a state by which loops are told.
    pub fn loop_state(&self, state: &State) -> LoopState {
        LoopState {
            positions: state.thread.frames.iter().map(|frame| (frame.method.id, frame.pc)).collect(),
            heap: state.heap.version(),
            registers: state.thread.stack[..state.thread.top()].to_vec(),
        }
    }

    /// Replaces numbers in registers by unknown ones, of which nothing is assumed.
    pub fn havoc_numbers(&mut self, state: &mut State, registers: &[usize]) {
        for &at in registers {
            let Some(kind) = state.thread.stack[at].number_kind() else { continue };
            let sort = kind.sort().unwrap_or(Sort::Int);
            state.thread.stack[at] = self.symbol_in(state, &format!("loop register {at}"), sort, kind.range());
        }
    }

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
        let now = self.loop_state(state);
        if self.snapshot.as_ref().is_some_and(|before| now.is_again(before)) {
            return Err(End::Limit(Limit::Endless).into());
        }
        self.snapshot = Some(now);
        Ok(())
    }
}
