//! In which slots of arrays do the objects of an input stand? An index that is a number of the input may be each of several slots.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_logic::solver::{Solver, SolverAnswer};
use lazuli_valid::Tools;
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{ObjId, Value};

/// The inputs that an input is, one for each choice of slots in which its references may stand; none if a solver could not decide it.
///
/// Of `slots[at] != null` with `0 <= at < slots.length` and at most 2 elements, these are the one with `at == 0` and the one with `at == 1`.
pub(crate) fn by_slot(tools: &mut Tools, state: State) -> Option<Vec<State>> {
    let (mut waiting, mut known) = (vec![state], Vec::new());
    while let Some(state) = waiting.pop() {
        let Some((array, at, index)) = open_slot(&state) else {
            known.push(state);
            continue;
        };
        for slot in 0..tools.bounds.length() as i32 {
            let number = tools.vm.terms.int(slot);
            let is_here = tools.vm.terms.equal(index, number);
            let conjuncts: Vec<Term> = state.symbols.condition.conjuncts.iter().copied().chain([is_here]).collect();
            match tools.chain.check(&tools.vm.terms, &conjuncts, tools.limits) {
                SolverAnswer::Sat(witness) => {
                    let mut chosen = state.fork();
                    chosen.symbols.condition.conjuncts = conjuncts;
                    chosen.symbols.condition.witness = Some(Rc::new(witness));
                    if let Some(Entry::Elements(elements)) =
                        chosen.symbols.input_mut(array).map(|input| &mut input.entry)
                    {
                        Rc::make_mut(elements)[at].0 = Value::Int(slot);
                    }
                    waiting.push(chosen);
                }
                SolverAnswer::Unsat => {}
                SolverAnswer::Unknown => return None,
            }
        }
    }
    Some(known)
}

/// An array of references, the position of one that was looked at, and its index, which is not known.
fn open_slot(state: &State) -> Option<(ObjId, usize, Term)> {
    state.symbols.inputs.iter().find_map(|input| {
        let Entry::Elements(elements) = &input.entry else { return None };
        elements.iter().enumerate().find_map(|(at, element)| match element {
            (Value::Term(index, _), Value::Ref(_) | Value::Unknown(_)) => Some((input.object, at, *index)),
            _ => None,
        })
    })
}
