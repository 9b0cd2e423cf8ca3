//! Which valid input has what a path knows, and which way to find it is the quickest?
//!
//! The invariant is the user's own `repOK`, run by the same interpreter on the input as it was at entry. Where it reads a field that is not
//! decided, the search tries null, every object that is there, and a new one, within the bounds; numbers stay terms. So
//! the search goes through the structures in the order in which the invariant reads them, drops all that share a part which is
//! wrong already, and never tries two that differ only in the names of objects (Korat, Boyapati, Khurshid and Marinov, ISSTA 2002;
//! SymSolve in LISSA, Copia and others, ASE 2022).

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use lazuli_heapsat::Refusal;
use lazuli_heapsat::{Advice, Oracle, OracleTask};
use lazuli_logic::circuit::Lit;
use lazuli_vm::outcome::Place;
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::state::State;
use lazuli_vm::universe::{Bounds, Restriction};

use crate::Means;
use crate::catalogue::by_circuit::CircuitListing;
use crate::catalogue::{Catalogue, Listed, Listing, Looked, Pattern, listed_input_of};
use crate::{FeasibleAnswers, Found, Guide, HeapWitness, Invariant, Partial, PartialHeap, Search, Tools, ValidInput};

/// The result of a search for one valid input.
pub enum Completion {
    /// A state in which the invariants ran to the end and returned true.
    Valid(Box<State>),
    /// No valid input within the bounds has what is known.
    None,
    /// The search could not go on: why.
    Unknown(Reason),
}

/// The result of a search for a witness of a path.
pub enum WitnessResult {
    /// This valid input has all that is known.
    Fits(HeapWitness),
    /// No valid input within the bounds has what is known.
    None,
    /// The search could not go on: why.
    Unknown(Reason),
}

/// Finds valid inputs for what paths know about theirs.
///
/// A search is the quickest way as long as it need not go far. Where the searches of a run together went far, all valid inputs are
/// listed, if they are few enough, and looked up from then on. A list that the search for it hardly fills is made by a circuit of the
/// invariant. If there are too many, a SAT solver says by such a circuit what is possible before a search begins.
pub struct Completer {
    invariants: Vec<Invariant>,
    /// The roots that they are about.
    asked: Rc<[usize]>,
    means: Means,
    catalogues: Vec<(Pattern, List)>,
    advice: Advisor,
    /// Choices that all searches have followed.
    steps: u64,
    /// The time after which the search for a list takes so long that a circuit is tried.
    patience: Duration,
    /// The time that answers took which no list gave, once there was something else than a search.
    asking: Duration,
}

/// The valid inputs for paths of one pattern.
enum List {
    Made(Catalogue),
    /// It is being made, as long as searches take long too.
    Begun(Box<Listing>),
    /// A SAT solver enumerates it, model by model; and the search that was too slow.
    ByCircuit(Box<CircuitListing>, Box<Listing>),
    /// They cannot be listed.
    None,
}

impl List {
    /// Lets a circuit go on where a search was slow.
    fn continue_by_circuit(&mut self, circuit: CircuitListing) {
        if let List::Begun(listing) = std::mem::replace(self, List::None) {
            *self = List::ByCircuit(Box::new(circuit), listing);
        }
    }
}

enum Advisor {
    /// Not needed so far.
    NotMade,
    Ready(Box<Oracle>),
    /// The invariant cannot be translated, or the strategy excludes circuits.
    Refused,
}

/// Choices that the searches of a run may follow before something else is tried, and that one search follows at a time.
const FEW_STEPS: u64 = 5_000;

/// Choices that may go into a list for each one that searches have followed. A list then never costs much more than it may save.
const WORTH: u64 = 40;

/// Time that a search for a list may take before a circuit is tried, which is about as soon made, and the choices for each entry with which
/// it is not.
const LONG: Duration = Duration::from_millis(800);
const STEPS_FOR_ENTRY: u64 = 5_000;

/// How many times as long it must have taken when a circuit is tried again.
const LATER: u32 = 8;

/// The time limit for building the circuit of a list, besides the time that the search for the list has taken.
const SHORT: Duration = Duration::from_millis(1500);

/// The time limit for a list by circuit, besides twice the time for building the circuit and for answers meanwhile.
const FIRST_BY_CIRCUIT: Duration = Duration::from_secs(2);

/// The time limit for building a circuit in the middle of a run.
const PATIENCE: Duration = Duration::from_secs(20);

/// The answer for a path.
enum Answered {
    /// A valid input that the path fits.
    HeapWitness(HeapWitness),
    /// The input of the path, completed by the interpreter.
    State(Box<State>),
    None,
    Unknown(Reason),
}

impl Completer {
    /// Makes a completer that looks for inputs which satisfy all `invariants`, by the given `means`.
    pub fn new(invariants: &[Invariant], means: Means) -> Completer {
        let has_circuit = matches!(means, Means::Auto | Means::Circuit);
        let advice = if has_circuit { Advisor::NotMade } else { Advisor::Refused };
        let patience = match means {
            Means::Auto => LONG,
            Means::CircuitList => Duration::ZERO,
            _ => Duration::MAX,
        };
        let asked: BTreeSet<usize> = invariants.iter().map(|invariant| invariant.root).collect();
        let asked = asked.into_iter().collect();
        Completer {
            invariants: invariants.to_vec(),
            asked,
            means,
            catalogues: Vec::new(),
            advice,
            steps: 0,
            patience,
            asking: Duration::ZERO,
        }
    }

    /// The invariants that a completed input satisfies.
    pub fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }

    /// A valid input that has what a path knows. `before` is one that fitted an earlier part of the path.
    pub fn find_witness(&mut self, tools: &mut Tools, path: &State, before: Option<&HeapWitness>) -> WitnessResult {
        match self.answer(tools, path, before) {
            Answered::HeapWitness(witness) => WitnessResult::Fits(witness),
            Answered::State(state) => {
                WitnessResult::Fits(HeapWitness::new(Rc::new(ValidInput::of(&state, &self.asked))))
            }
            Answered::None => WitnessResult::None,
            Answered::Unknown(why) => WitnessResult::Unknown(why),
        }
    }

    /// Completes what a path knows about its input to a valid one.
    pub fn complete(&mut self, tools: &mut Tools, path: &Partial) -> Completion {
        let known = PartialHeap::of(path);
        let witness = path.witness.as_ref().and_then(|witness| witness.rematch(tools, path, &known).ok());
        let answer = match witness {
            Some(witness) => Answered::HeapWitness(witness),
            None => self.answer(tools, path, path.witness.as_ref()),
        };
        match answer {
            Answered::State(state) => Completion::Valid(state),
            Answered::HeapWitness(witness) => {
                let guided = witness.guide(tools, &known).and_then(|guide| self.follow(tools, path, guide));
                guided.map_or_else(
                    || completion(Search::new(path.at_entry(), &self.invariants).next(tools)),
                    Completion::Valid,
                )
            }
            Answered::None => Completion::None,
            Answered::Unknown(why) => Completion::Unknown(why),
        }
    }

    /// The answers that a place may have that a path reads next, if a list of valid inputs tells.
    pub fn feasible_answers(&self, bounds: &Bounds, path: &Partial, place: Place) -> Option<FeasibleAnswers> {
        // A path that knows everything the invariant reads does not learn more from it.
        let witness = path.witness.as_ref().filter(|witness| !witness.is_only)?;
        let (number, catalogue) = self.listed(path)?;
        catalogue.feasible_answers(bounds, path, place, number, witness.left.as_ref())
    }

    /// The same path for each valid input that fits it, if there is a list of these.
    pub fn by_input(&self, tools: &mut Tools, path: &Partial) -> Option<Vec<Partial>> {
        let (number, catalogue) = self.listed(path)?;
        let left = path.witness.as_ref().and_then(|witness| witness.left.as_ref()?.of(number));
        let filled = catalogue.by_input(tools, path, left)?;
        let known = |(state, witness)| Partial { witness: Some(witness), ..path.with_state(state) };
        Some(filled.into_iter().map(known).collect())
    }

    /// The list of valid inputs for paths like this one, if it is made, and its number.
    fn listed(&self, path: &State) -> Option<(usize, &Catalogue)> {
        let pattern = Pattern::of(path, &self.asked);
        let number = self.catalogues.iter().position(|(known, _)| *known == pattern)?;
        match &self.catalogues[number].1 {
            List::Made(catalogue) => Some((number, catalogue)),
            _ => None,
        }
    }

    fn answer(&mut self, tools: &mut Tools, path: &State, before: Option<&HeapWitness>) -> Answered {
        let mut search = None;
        // The list and the circuit are asked once the searches have gone far.
        if matches!(self.means, Means::Auto | Means::Search)
            && self.steps < FEW_STEPS
            && let Some(found) = self.search_on(tools, path, &mut search, FEW_STEPS - self.steps)
        {
            return found.into();
        }
        if matches!(self.means, Means::Auto | Means::List | Means::CircuitList)
            && let Some(answered) = self.look_up(tools, path, before, &mut search)
        {
            return answered;
        }
        let begin = Instant::now();
        let answered = self.ask(tools, path).unwrap_or_else(|| {
            let mut search = search.unwrap_or_else(|| Search::new(path.at_entry(), &self.invariants));
            search.next(tools).into()
        });
        self.asking += begin.elapsed();
        answered
    }

    /// Asks the circuit, if there is one. None if it cannot tell.
    fn ask(&mut self, tools: &mut Tools, path: &State) -> Option<Answered> {
        let oracle = self.oracle(tools, path)?;
        let advice = oracle.ask(&tools.vm.terms, path, Lit::TRUE, tools.limits);
        *tools.sat_calls += oracle.take_calls();
        match advice {
            Advice::Impossible => {
                // Within the scope only: a larger one might allow more.
                for class in oracle.bounded() {
                    tools.beyond.insert(Restriction::scope(tools.bounds, class));
                    tools.beyond.extend(tools.bounds.world.restriction(&tools.vm.program, class));
                }
                Some(Answered::None)
            }
            Advice::Follow(guide) => self.follow(tools, path, guide).map(Answered::State),
            Advice::Unknown => None,
        }
    }

    /// Goes on with the search for a path, or begins it. None if it takes more than so many choices.
    fn search_on(&mut self, tools: &mut Tools, path: &State, search: &mut Option<Search>, most: u64) -> Option<Found> {
        let search = search.get_or_insert_with(|| Search::new(path.at_entry(), &self.invariants));
        let before = search.steps;
        let found = search.next_within(tools, most);
        self.steps += search.steps - before;
        found
    }

    /// Looks a path up in a list of all valid inputs. As long as that is being made, the search goes on in turns with it. None if the list
    /// cannot tell.
    fn look_up(
        &mut self,
        tools: &mut Tools,
        path: &State,
        before: Option<&HeapWitness>,
        search: &mut Option<Search>,
    ) -> Option<Answered> {
        loop {
            let number = self.list(tools, path);
            match &self.catalogues[number].1 {
                List::None => return None,
                List::Made(catalogue) => {
                    match catalogue.find(tools, path, number, before.and_then(|witness| witness.left.as_ref())) {
                        Looked::Fits(witness) => return Some(Answered::HeapWitness(witness)),
                        Looked::None => return Some(Answered::None),
                        Looked::Unsure => return None,
                    }
                }
                List::ByCircuit(..) => {
                    self.go_on_by_circuit(tools, number);
                    if let List::ByCircuit(..) = self.catalogues[number].1 {
                        return None;
                    }
                }
                List::Begun(listing) => {
                    let most = (self.steps * WORTH).saturating_sub(listing.steps()).min(FEW_STEPS * WORTH);
                    let choices = if self.means == Means::List { u64::MAX } else { most };
                    self.go_on_listing(tools, number, choices);
                    self.list_by_circuit(tools, path, number);
                    if let List::Begun(_) = self.catalogues[number].1
                        && let Some(found) = self.search_on(tools, path, search, FEW_STEPS)
                    {
                        return Some(found.into());
                    }
                }
            }
        }
    }

    /// Has a circuit make the list that a search does not make soon.
    fn list_by_circuit(&mut self, tools: &mut Tools, path: &State, number: usize) {
        let List::Begun(listing) = &self.catalogues[number].1 else { return };
        if listing.spent < self.patience {
            return;
        }
        let time = if self.means == Means::CircuitList { PATIENCE } else { SHORT + listing.spent };
        self.patience = (LATER * listing.spent).max(LONG);
        if listing.found() as u64 * STEPS_FOR_ENTRY > listing.steps() {
            return;
        }
        let Some(input) = listed_input_of(tools, path, &self.asked) else { return };
        match CircuitListing::new(&self.task(tools, path, time, &|_, _| tools.is_out_of_time()), input) {
            Ok(circuit) => self.catalogues[number].1.continue_by_circuit(circuit),
            // There may be more time for it later.
            Err(Refusal::OutOfTime) => {}
            Err(_) => self.patience = Duration::MAX,
        }
    }

    fn go_on_by_circuit(&mut self, tools: &mut Tools, number: usize) {
        if let List::ByCircuit(circuit, listing) = std::mem::replace(&mut self.catalogues[number].1, List::None) {
            let most = match self.means {
                Means::CircuitList => Duration::MAX,
                _ => (FIRST_BY_CIRCUIT + 2 * (circuit.construction + self.asking)).saturating_sub(circuit.spent),
            };
            self.catalogues[number].1 = match circuit.go_on(tools, (&self.invariants, &self.asked), most) {
                Listed::All(catalogue) => List::Made(catalogue),
                Listed::Part(circuit) => List::ByCircuit(circuit, listing),
                Listed::Never => {
                    self.patience = Duration::MAX;
                    List::Begun(listing)
                }
            };
        }
    }

    /// The number of the list of valid inputs for paths like this one.
    fn list(&mut self, tools: &Tools, path: &State) -> usize {
        let pattern = Pattern::of(path, &self.asked);
        if let Some(known) = self.catalogues.iter().position(|(known, _)| *known == pattern) {
            return known;
        }
        let begun = Listing::new(tools, path, &self.invariants, &self.asked);
        self.catalogues.push((pattern, begun.map_or(List::None, |listing| List::Begun(Box::new(listing)))));
        self.catalogues.len() - 1
    }

    fn go_on_listing(&mut self, tools: &mut Tools, number: usize, choices: u64) {
        if let List::Begun(listing) = std::mem::replace(&mut self.catalogues[number].1, List::None) {
            self.catalogues[number].1 = match listing.go_on(tools, choices, &self.asked) {
                Listed::All(catalogue) => List::Made(catalogue),
                Listed::Part(listing) => List::Begun(listing),
                Listed::Never => {
                    if matches!(self.means, Means::List | Means::CircuitList) {
                        tools.warnings.insert(Warning::NotListed);
                    }
                    List::None
                }
            };
        }
    }

    /// The task of building a circuit of the invariants. It may take so much time, and no more than half of what is left.
    fn task<'a>(
        &'a self,
        tools: &'a Tools,
        path: &'a State,
        most: Duration,
        watch: &'a dyn Fn(usize, u64) -> bool,
    ) -> OracleTask<'a> {
        let left = tools.limits.deadline.map(|end| end.saturating_duration_since(Instant::now()) / 2);
        tools.task(&self.invariants, path, left.map_or(most, |left| left.min(most)), watch)
    }

    /// The circuit of the invariants.
    fn oracle(&mut self, tools: &mut Tools, path: &State) -> Option<&mut Oracle> {
        if let Advisor::NotMade = self.advice {
            let made = Oracle::new(&self.task(tools, path, PATIENCE, &|_, _| tools.is_out_of_time()));
            self.advice = match made {
                Ok(oracle) => Advisor::Ready(Box::new(oracle)),
                Err(refusal) => {
                    // The user asked for a circuit, and must know that there is none.
                    if self.means == Means::Circuit {
                        tools.warnings.insert(Warning::NoCircuit(refusal.to_string()));
                    }
                    Advisor::Refused
                }
            };
        }
        match &mut self.advice {
            Advisor::Ready(oracle) => Some(oracle),
            _ => None,
        }
    }

    /// Runs the invariants on the input that a guide describes.
    fn follow(&self, tools: &mut Tools, path: &State, guide: Guide) -> Option<Box<State>> {
        match Search::guided(path.at_entry(), &self.invariants, guide).next(tools) {
            Found::Solution(state) => Some(state),
            _ => None,
        }
    }
}

impl From<Found> for Answered {
    fn from(found: Found) -> Answered {
        match found {
            Found::Solution(state) => Answered::State(state),
            Found::Exhausted => Answered::None,
            Found::Unknown(why) => Answered::Unknown(why),
        }
    }
}

fn completion(found: Found) -> Completion {
    match found {
        Found::Solution(state) => Completion::Valid(state),
        Found::Exhausted => Completion::None,
        Found::Unknown(why) => Completion::Unknown(why),
    }
}
