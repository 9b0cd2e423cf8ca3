//! Which valid inputs are there, if a circuit of the invariant finds them one by one?
//!
//! A search tries everything that the invariant does not refuse early: 26 million candidates for 1,773 AVL trees. The solver goes from one
//! valid input straight to the next. For each, a search finds all that look like it, so that entries are those that one search for all would
//! have found. These are left out from then on, and when there are no others, the list is complete.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use lazuli_heapsat::{Advice, Oracle, OracleTask, Refusal};
use lazuli_logic::circuit::Lit;
use lazuli_logic::{Term, Terms, Variable};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::Value;

use crate::catalogue::{Catalogue, Listed, MOST_ENTRIES};
use crate::{Found, Guide, HeapWitness, Invariant, Search, Tools, ValidInput};

/// Choices that may lead from one input to the next that looks like it.
const MOST_ALIKE: u64 = 10_000;

/// A list that a SAT solver enumerates, model by model.
pub(crate) struct CircuitListing {
    oracle: Oracle,
    /// An input of which nothing is known.
    input: State,
    /// That an input is none of the entries.
    is_another: Lit,
    entries: Vec<HeapWitness>,
    /// The time that building the circuit took.
    pub construction: Duration,
    /// The time that was spent on the list.
    pub spent: Duration,
}

impl CircuitListing {
    /// A list of the valid inputs for paths like this one. None if they cannot be listed so, or not yet.
    pub(crate) fn new(task: &OracleTask, input: State) -> Result<CircuitListing, Refusal> {
        let begin = Instant::now();
        let mut oracle = Oracle::of_shapes(task)?;
        let (is_another, construction) = (oracle.assumption(), begin.elapsed());
        Ok(CircuitListing { oracle, input, is_another, entries: Vec::new(), construction, spent: Duration::ZERO })
    }

    /// Goes on with the list for that long.
    pub(crate) fn go_on(
        mut self: Box<Self>,
        tools: &mut Tools,
        (invariants, asked): (&[Invariant], &Rc<[usize]>),
        most: Duration,
    ) -> Listed<CircuitListing> {
        let begin = Instant::now();
        while begin.elapsed() < most {
            let advice = self.oracle.ask(&tools.vm.terms, &self.input, self.is_another, tools.limits);
            *tools.sat_calls += self.oracle.take_calls();
            let guide = match advice {
                Advice::Follow(guide) => guide,
                Advice::Impossible => {
                    let bounded = self.oracle.bounded().into_iter().flat_map(|class| {
                        let world = tools.bounds.world.restriction(&tools.vm.program, class);
                        [Restriction::scope(tools.bounds, class)].into_iter().chain(world)
                    });
                    // Small ones first, as a search finds them.
                    self.entries.sort_by_key(|entry| entry.form().objects.len());
                    return Listed::All(Catalogue::new(self.entries, bounded.collect()));
                }
                Advice::Unknown => return Listed::Never,
            };
            if self.add_like(tools, (invariants, asked), guide).is_none() {
                return Listed::Never;
            }
        }
        self.spent += begin.elapsed();
        Listed::Part(self)
    }

    /// Adds all valid inputs that look like that of a guide. None if that is too much, or something cannot be decided.
    fn add_like(
        &mut self,
        tools: &mut Tools,
        (invariants, asked): (&[Invariant], &Rc<[usize]>),
        guide: Guide,
    ) -> Option<()> {
        let mut beyond = BTreeSet::new();
        let mut tools = tools.beyond(&mut beyond);
        let Found::Solution(found) = Search::guided(self.input.fork(), invariants, guide).next(&mut tools) else {
            return None;
        };
        let outline = outline_of(&tools.vm.terms, &found);
        if !self.oracle.block_under(&tools.vm.terms, &outline, self.is_another) {
            return None;
        }
        let mut search = Search::new(outline, invariants);
        loop {
            match search.next_within(&mut tools, MOST_ALIKE)? {
                Found::Solution(state) => self.entries.push(HeapWitness::new(Rc::new(ValidInput::of(&state, asked)))),
                Found::Exhausted => return Some(()),
                Found::Unknown(_) => return None,
            }
            if self.entries.len() > MOST_ENTRIES {
                return None;
            }
        }
    }
}

/// An input with its numbers left out, but for those that are one bit, such as colours. A search finds the
/// other numbers soon once all else is known, and a circuit only with great effort.
fn outline_of(terms: &Terms, state: &State) -> State {
    let is_bit = |variable: &Variable| {
        let (least, greatest) = terms.declaration(*variable).range;
        least >= 0 && greatest <= 1
    };
    let are_bits = |term: Term| terms.variables_of(term).iter().all(is_bit);
    let is_kept = |value: &Value| match value {
        Value::Ref(_) | Value::Unknown(_) => true,
        Value::Term(term, _) => are_bits(*term),
        _ => false,
    };
    let mut outline = state.fork();
    let symbols = &mut outline.symbols;
    symbols.condition.conjuncts.retain(|conjunct| are_bits(*conjunct));
    symbols.condition.implied.clear();
    for input in Rc::make_mut(&mut symbols.inputs) {
        if let Entry::Fields(fields) = &mut input.entry {
            *fields = fields.iter().map(|value| if is_kept(value) { *value } else { Value::Unread }).collect();
        }
    }
    // The heap must say the same as the inputs.
    outline.at_entry()
}
