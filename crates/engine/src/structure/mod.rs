//! Which valid inputs complete a partly known one?
//!
//! The invariant is the user's own `repOK`, run by the same interpreter on the input as it was at entry. Where it reads a field that
//! nobody has decided, the search tries null, every object that is there, and a new one, within the bounds; numbers stay terms. So
//! the search goes through the structures in the order in which the invariant reads them, drops all that share a part which is
//! wrong already, and never tries two that differ only in the names of objects (Korat, Boyapati, Khurshid and Marinov, ISSTA 2002;
//! SymSolve in LISSA, Copia and others, ASE 2022).

mod canonical;
mod fit;
mod guide;
mod search;
mod values;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use lazuli_logic::{Chain, Limits, Model, Term};

pub use canonical::shape_of;
pub use fit::{Fit, refit};
pub use guide::{Guide, Held};
pub use search::{Found, Part, Search};
pub use values::{Assignments, Ranges};

use crate::explore::Bounds;
use crate::heap::Body;
use crate::interp::Vm;
use crate::program::Method;

use crate::relational::oracle::{Advice, Oracle, Task};
use crate::state::State;
use crate::symbols::{Entry, Symbols};
use crate::value::{ObjId, Value};

/// A method without parameters that says whether its receiver is valid.
#[derive(Clone, Copy)]
pub struct Invariant {
    pub method: &'static Method,
    /// The receiver's place among the roots of the path: `this`, or a parameter.
    pub root: usize,
}

/// What a search works with.
pub struct Tools<'a> {
    pub vm: &'a mut Vm,
    pub chain: &'a mut Chain,
    pub bounds: &'a Bounds,
    pub limits: &'a Limits,
    /// The bounds that left completions out.
    pub beyond: &'a mut BTreeSet<String>,
    /// What is odd about the invariant: it throws, or never ends.
    pub warnings: &'a mut BTreeSet<String>,
    /// Questions to a SAT solver so far.
    pub sat_calls: &'a mut u64,
}

impl Tools<'_> {
    /// Must everything end now?
    pub fn is_out_of_time(&self) -> bool {
        let is_stopped = self.vm.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        is_stopped || self.limits.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// A valid input: what the invariant read of it, and values for its numbers.
pub struct Witness {
    pub symbols: Symbols,
    /// The state at the end of the invariant; its heap holds the input.
    pub state: State,
    pub conjuncts: Vec<Term>,
    pub model: Rc<Model>,
}

/// What a search for one valid input found.
pub enum Completion {
    Valid(Rc<Witness>),
    /// No valid input within the bounds has what is known.
    None,
    /// The search could not go on: why.
    Unknown(String),
}

/// Completes what paths know about their inputs to valid ones.
///
/// A search is the quickest way as long as it need not go far. Where the searches of a run together went far, the invariant is
/// translated into a circuit, and a SAT solver says what is possible before anybody searches.
pub struct Completer {
    invariants: Vec<Invariant>,
    means: Means,
    advice: Advisor,
    /// Choices that all searches have followed.
    steps: u64,
}

/// How valid inputs are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Means {
    /// By a search, and by a circuit where searches take long.
    #[default]
    Auto,
    Search,
    /// By a circuit from the start, where the invariant can be translated.
    Circuit,
}

enum Advisor {
    /// Nobody needed it so far.
    NotMade,
    Ready(Box<Oracle>),
    /// The invariant cannot be translated.
    Refused,
}

/// Choices that the searches of a run may follow before the invariant is translated.
const FEW_STEPS: u64 = 5_000;

impl Completer {
    pub fn new(invariants: &[Invariant], means: Means) -> Completer {
        let advice = if means == Means::Search { Advisor::Refused } else { Advisor::NotMade };
        Completer { invariants: invariants.to_vec(), means, advice, steps: 0 }
    }

    pub fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }

    /// Completes what a path knows about its input to a valid one.
    pub fn complete(&mut self, tools: &mut Tools, path: &State) -> Completion {
        let mut search = Search::new(input_of(path), &self.invariants);
        let few = if self.means == Means::Circuit { 0 } else { FEW_STEPS };
        if let Advisor::NotMade = self.advice {
            match search.next_within(tools, few.saturating_sub(self.steps)) {
                None => {
                    let made = Oracle::new(&Task {
                        program: &tools.vm.program,
                        bounds: tools.bounds,
                        invariants: &self.invariants,
                        path,
                        limits: tools.limits,
                        stop: &|| tools.is_out_of_time(),
                    });
                    self.advice = match made {
                        Ok(oracle) => Advisor::Ready(Box::new(oracle)),
                        Err(refusal) => {
                            // Whoever asked for a circuit must know that there is none.
                            if self.means == Means::Circuit {
                                tools.warnings.insert(format!(
                                    "there is no circuit of the invariant ({refusal}): valid inputs were searched for"
                                ));
                            }
                            Advisor::Refused
                        }
                    };
                }
                Some(found) => {
                    self.steps += search.steps;
                    return completion(found);
                }
            }
        }
        if let Advisor::Ready(oracle) = &mut self.advice {
            let advice = oracle.ask(&tools.vm.program, &tools.vm.terms, path, tools.limits);
            *tools.sat_calls += oracle.take_calls();
            match advice {
                Advice::Impossible => return Completion::None,
                Advice::Follow(guide) => {
                    let mut guided = Search::guided(input_of(path), &self.invariants, guide);
                    if let found @ Found::Solution(_) = guided.next(tools) {
                        return completion(found);
                    }
                }
                Advice::Unknown => {}
            }
        }
        completion(search.next(tools))
    }
}

fn completion(found: Found) -> Completion {
    match found {
        Found::Solution(state) => {
            let conjuncts = state.symbols.path.conjuncts.clone();
            let model = state.symbols.path.witness.clone().unwrap_or_default();
            Completion::Valid(Rc::new(Witness { symbols: state.symbols.clone(), conjuncts, model, state: *state }))
        }
        Found::Exhausted => Completion::None,
        Found::Unknown(why) => Completion::Unknown(why),
    }
}

/// A state in which the inputs of a path are as they were at entry, and nothing runs.
pub fn input_of(path: &State) -> State {
    let mut state = path.fork();
    state.thread = Default::default();
    state.monitors.clear();
    for input in path.symbols.inputs.iter() {
        match &input.entry {
            Entry::Fields(fields) => {
                let missing = state.heap.class(input.object).defaults.len().saturating_sub(fields.len());
                let all = fields.iter().copied().chain(std::iter::repeat_n(Value::Unread, missing)).collect();
                *state.heap.body_mut(input.object) = Body::Fields(all);
            }
            Entry::Elements(elements) => {
                match state.heap.sparse_mut(input.object) {
                    Some(sparse) => sparse.touched = elements.to_vec(),
                    // An array that is known in full was made by a call.
                    None => {
                        for (index, value) in elements.iter() {
                            if let Value::Int(index) = index {
                                state.heap.set_element(input.object, *index, *value);
                            }
                        }
                    }
                }
            }
        }
    }
    for root in path.symbols.roots.iter() {
        if let Some((mirror, slot)) = root.holder {
            state.heap.set_field(mirror, slot as usize, root.value);
        }
    }
    state.symbols.forks.clear();
    state
}

/// The object whose validity an invariant is about; none if it is null or not decided.
pub fn receiver(state: &State, invariant: &Invariant) -> Option<ObjId> {
    let root = state.symbols.roots.get(invariant.root)?;
    match state.symbols.settled(root.value) {
        Value::Ref(object) => object,
        _ => None,
    }
}
