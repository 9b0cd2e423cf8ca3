//! Does a loop that only counts ever make the invariant true?
//!
//! `for (Node n = first; n != null; n = n.next) if (++count > size) return false;` goes round a cycle of nodes until `count` passes `size`, which is not
//! known: each round is one more question, and there are two billion sizes. But rounds differ in `count` alone, and the only way out returns false.
//!
//! So the state at the branch is *widened*: numbers in registers that change from round to round become unknown numbers of which nothing is assumed.
//! Invariant: each later visit of the branch is a case of the widened state, because references, heap and position are the same, and the path condition only grows. If
//! all ways from there end without returning true, or are back at the branch in a case of the same widened state, then so do all rounds to come.

use lazuli_vm::outcome::{Answer, End, Limit, Question, Stop};
use lazuli_vm::state::State;
use lazuli_vm::universe::{Alternatives, Cx, alternatives};
use lazuli_vm::value::Value;

use super::{Extended, extended};
use crate::Tools;

/// Runs from one question to the next that one look may take.
const MOST_RUNS: usize = 400;

/// The ways that lead on from a widened state.
enum Ahead {
    /// None returns true.
    Vain,
    /// One may return true, or is not followed to its end.
    Open,
    /// The branch was met again, and these numbers had changed as well.
    Counters(Vec<usize>),
}

/// Does the invariant never return true from this branch on? False if that is not known.
pub(super) fn counts_in_vain(tools: &mut Tools, state: &State) -> bool {
    let mut counters: Vec<usize> = Vec::new();
    let mut runs = MOST_RUNS;
    loop {
        let mut widened = state.fork();
        tools.vm.havoc_numbers(&mut widened, &counters);
        match ahead(tools, widened, &counters, &mut runs) {
            Ahead::Vain => return true,
            Ahead::Open => return false,
            // There are only so many registers: it comes to an end.
            Ahead::Counters(more) => counters.extend(more),
        }
    }
}

fn ahead(tools: &mut Tools, widened: State, counters: &[usize], runs: &mut usize) -> Ahead {
    let branch = tools.vm.loop_state(&widened);
    let mut waiting = vec![widened];
    let mut is_first = true;
    while let Some(mut state) = waiting.pop() {
        if *runs == 0 || tools.is_out_of_time() {
            return Ahead::Open;
        }
        *runs -= 1;
        match tools.vm.run(&mut state) {
            Stop::Ask(question @ (Question::Branch(_) | Question::Cases(_))) => {
                let again = branch.counters(&tools.vm.loop_state(&state)).filter(|_| !is_first);
                is_first = false;
                if let Some(mut changed) = again {
                    changed.retain(|register| !counters.contains(register));
                    match changed.is_empty() {
                        true => continue,
                        false => return Ahead::Counters(changed),
                    }
                }
                let program = tools.vm.program.clone();
                let mut cx = Cx { program: &program, terms: &mut tools.vm.terms, bounds: tools.bounds };
                let Alternatives { answers, .. } = alternatives(&mut cx, &state, &question);
                for answer in answers {
                    let Answer::Assume(term) = answer else { return Ahead::Open };
                    let witness = match extended(tools, &state, term) {
                        Extended::To(witness) => witness,
                        Extended::Never => continue,
                        Extended::Undecided => return Ahead::Open,
                    };
                    let mut forked = state.fork();
                    tools.vm.answer(&mut forked, &question, &answer);
                    forked.symbols.condition.witness = Some(witness);
                    waiting.push(forked);
                }
            }
            Stop::End(End::Returned(Value::Int(0)) | End::Threw(_) | End::AssumedAway | End::Limit(Limit::Endless)) => {
            }
            _ => return Ahead::Open,
        }
    }
    Ahead::Vain
}
