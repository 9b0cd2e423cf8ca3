//! Which of all valid inputs has what a path knows?
//!
//! Balanced trees, heaps and cyclic lists have few valid shapes, far fewer than there are questions about them. So they are listed
//! once, by one search that starts from nothing, and from then on a question is answered by looking through the list. As the
//! list is complete within the bounds, an input that is none of these is not valid.

pub(crate) mod by_circuit;
mod fill;
pub(crate) mod heap;
pub(crate) mod witness;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

use lazuli_vm::outcome::{Answer, Place};
use lazuli_vm::program::ClassId;
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Entry, PathCondition, Symbols};
use lazuli_vm::universe::Bounds;
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::{ObjId, Value};

use crate::catalogue::heap::{Mismatch, PartialContents, PartialHeap, PartialValue};
use crate::{Found, HeapWitness, HybridPass, Invariant, Search, Tools, ValidInput};

/// All valid inputs within the bounds, up to the names of objects and to their numbers.
pub(crate) struct Catalogue {
    entries: Vec<HeapWitness>,
    /// The bounds that left further ones out.
    beyond: Rc<BTreeSet<Restriction>>,
}

/// The entries that may still have what a path knows: all from one on, but for those that were found not to. A path that knows
/// more has no others.
#[derive(Clone)]
pub struct RemainingEntries {
    catalogue: usize,
    entries: Rc<[u32]>,
}

impl RemainingEntries {
    /// The entries, if they are of that catalogue.
    pub fn of(&self, catalogue: usize) -> Option<&[u32]> {
        (self.catalogue == catalogue).then_some(&self.entries)
    }
}

/// The answer of the catalogue about a path.
pub(crate) enum Looked {
    /// This valid input has all that the path knows.
    Fits(HeapWitness),
    /// No valid input has what the path knows.
    None,
    /// No entry fits for certain, but one may, or the time was over before all were compared.
    Unsure,
}

/// Which roots have validity to be asked for: null, undecided, or the first root that is the same object, with what is known of its class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern(Vec<Option<Option<(usize, ClassId)>>>);

/// More inputs than this are not worth a list.
pub(crate) const MOST_ENTRIES: usize = 50_000;

/// A list that takes longer than this is given up.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Choices that are followed between two looks at the limits.
const STRIDE: u64 = 4096;

/// A path with more valid inputs than this is better followed for all of them at once.
const MOST_TOGETHER: usize = 10_000;

/// Entries that are compared between two looks at the clock.
const CLOCK_INTERVAL: usize = 64;

/// A list that is being made.
pub(crate) struct Listing {
    search: Search,
    entries: Vec<HeapWitness>,
    beyond: BTreeSet<Restriction>,
    /// The time that was spent on it.
    pub spent: Duration,
}

/// How far a list has come, and what makes it.
pub(crate) enum Listed<T> {
    /// Every valid input within the bounds is in the catalogue.
    All(Catalogue),
    /// There is more to list.
    Part(Box<T>),
    /// There are too many valid inputs, or something cannot be decided.
    Never,
}

impl Listing {
    /// A list of the valid inputs for paths like this one.
    pub(crate) fn new(tools: &Tools, path: &State, invariants: &[Invariant], asked: &[usize]) -> Option<Listing> {
        let search = Search::new(listed_input_of(tools, path, asked)?, invariants);
        Some(Listing { search, entries: Vec::new(), beyond: BTreeSet::new(), spent: Duration::ZERO })
    }

    /// Choices that were followed so far.
    pub(crate) fn steps(&self) -> u64 {
        self.search.steps
    }

    /// Counts the valid inputs that were listed so far.
    pub(crate) fn found(&self) -> usize {
        self.entries.len()
    }

    /// Goes on with the list for that many choices.
    pub(crate) fn go_on(mut self: Box<Self>, tools: &mut Tools, choices: u64, asked: &Rc<[usize]>) -> Listed<Listing> {
        let begin = Instant::now();
        let left = tools.limits.deadline.map_or(MOST_TIME, |end| end.saturating_duration_since(begin) / 3);
        let most = left.min(MOST_TIME.saturating_sub(self.spent));
        let last = self.search.steps.saturating_add(choices);
        while self.search.steps < last {
            let mut tools = tools.beyond(&mut self.beyond);
            match self.search.next_within(&mut tools, STRIDE) {
                Some(Found::Solution(state)) => {
                    self.entries.push(HeapWitness::new(Rc::new(ValidInput::of(&state, asked))))
                }
                Some(Found::Exhausted) => {
                    return Listed::All(Catalogue::new(self.entries, self.beyond));
                }
                Some(Found::Unknown(_)) => return Listed::Never,
                None => {}
            }
            if self.entries.len() > MOST_ENTRIES || begin.elapsed() >= most {
                return Listed::Never;
            }
        }
        self.spent += begin.elapsed();
        Listed::Part(self)
    }
}

impl Catalogue {
    /// Makes a catalogue of all valid inputs; `beyond` names the bounds that left inputs out.
    pub(crate) fn new(entries: Vec<HeapWitness>, beyond: BTreeSet<Restriction>) -> Catalogue {
        Catalogue { entries, beyond: Rc::new(beyond) }
    }

    /// The first valid input that has what a path knows. `number` is that of this catalogue, and `before` what an earlier part of the
    /// path found.
    pub(crate) fn find(
        &self,
        tools: &mut Tools,
        path: &State,
        number: usize,
        before: Option<&RemainingEntries>,
    ) -> Looked {
        let known = PartialHeap::of(path);
        let left = self.left(before.and_then(|left| left.of(number)));
        let mut unsure = Vec::new();
        for (at, entry) in left.iter().enumerate() {
            match self.entries[*entry as usize].rematch(tools, path, &known) {
                Ok(witness) => {
                    unsure.extend_from_slice(&left[at..]);
                    return Looked::Fits(witness.with(RemainingEntries { catalogue: number, entries: unsure.into() }));
                }
                Err(Mismatch::Differs) => {}
                Err(Mismatch::Unsure) => unsure.push(*entry),
            }
            if at.is_multiple_of(CLOCK_INTERVAL) && tools.is_out_of_time() {
                return Looked::Unsure;
            }
        }
        if !unsure.is_empty() {
            return Looked::Unsure;
        }
        tools.beyond.extend(self.beyond.iter().cloned());
        Looked::None
    }
}

/// The contents that valid inputs have at a place that a path reads next.
#[derive(Default)]
pub struct FeasibleAnswers {
    /// Does some valid input have null there?
    pub may_be_null: bool,
    /// Something that the path has not met.
    pub may_be_new: bool,
    /// Objects that the path has met.
    pub objects: BTreeSet<ObjId>,
    /// The bounds that left further inputs out.
    pub beyond: Rc<BTreeSet<Restriction>>,
    /// Did a hybrid invariant say so of each answer? Then it need not be asked again.
    pub asked: Option<HybridPass>,
    /// Which of the listed inputs give each answer, if a list said so.
    pub shares: Option<Shares>,
}

/// The entries that may still have what a path knows, shared out by what they hold at a place. A path that gets one
/// answer skips the entries that hold another.
pub struct Shares {
    catalogue: usize,
    null: Vec<u32>,
    new: Vec<u32>,
    objects: BTreeMap<ObjId, Vec<u32>>,
}

impl Shares {
    fn of(catalogue: usize) -> Shares {
        Shares { catalogue, null: Vec::new(), new: Vec::new(), objects: BTreeMap::new() }
    }

    fn add(&mut self, entry: u32, object: ObjId) {
        self.objects.entry(object).or_default().push(entry);
    }
}

impl FeasibleAnswers {
    /// Adds an answer to the feasible ones.
    pub fn allow(&mut self, answer: &Answer) {
        match answer {
            Answer::Null => self.may_be_null = true,
            Answer::Fresh => self.may_be_new = true,
            Answer::Alias(object) => drop(self.objects.insert(*object)),
            _ => {}
        }
    }

    /// Is it certain that no valid input gives this answer?
    pub fn excludes(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Null => !self.may_be_null,
            Answer::Fresh => !self.may_be_new,
            Answer::Alias(object) => !self.objects.contains(object),
            _ => false,
        }
    }

    /// The listed inputs that are left for a path that gets this answer.
    pub fn left(&self, answer: &Answer) -> Option<RemainingEntries> {
        let shares = self.shares.as_ref()?;
        let entries = match answer {
            Answer::Null => &shares.null,
            Answer::Fresh => &shares.new,
            Answer::Alias(object) => shares.objects.get(object)?,
            _ => return None,
        };
        Some(RemainingEntries { catalogue: shares.catalogue, entries: entries.as_slice().into() })
    }
}

impl Catalogue {
    /// The same path for each of the entries that it may have, with all that is known of it. None if that is not certain.
    pub(crate) fn by_input(
        &self,
        tools: &mut Tools,
        path: &State,
        left: Option<&[u32]>,
    ) -> Option<Vec<(State, HeapWitness)>> {
        let left = self.left(left);
        if left.len() > MOST_TOGETHER {
            return None;
        }
        let known = PartialHeap::of(path);
        let mut paths = Vec::new();
        for entry in left.iter() {
            let witness = match self.entries[*entry as usize].rematch(tools, path, &known) {
                Ok(witness) => witness,
                Err(Mismatch::Differs) => continue,
                Err(Mismatch::Unsure) => return None,
            };
            paths.push(witness.filled(tools, path, &known)?);
        }
        tools.beyond.extend(self.beyond.iter().cloned());
        paths.reverse();
        Some(paths)
    }

    /// The entries that are left; all if none was compared yet.
    fn left(&self, left: Option<&[u32]>) -> Rc<[u32]> {
        left.map_or_else(|| (0..self.entries.len() as u32).collect(), Rc::from)
    }

    /// The contents that a place may have, by the entries that may still have what the path knows. None if it may hold anything. `number` is that of this
    /// catalogue.
    pub(crate) fn feasible_answers(
        &self,
        bounds: &Bounds,
        path: &State,
        place: Place,
        number: usize,
        left: Option<&RemainingEntries>,
    ) -> Option<FeasibleAnswers> {
        let left = self.left(left.and_then(|left| left.of(number)));
        let known = PartialHeap::of(path);
        let from = known.objects.iter().position(|item| item.object == place.object)?;
        let mut shares = Shares::of(number);
        for number in left.iter() {
            let entry = &self.entries[*number as usize];
            let objects = match entry.matching(bounds, &known) {
                Ok(found) => found.objects,
                Err(Mismatch::Differs) => continue,
                Err(Mismatch::Unsure) => return None,
            };
            let PartialContents::Fields(cells) = &entry.form().objects[objects[from]? as usize].contents else {
                return None;
            };
            match cells.get(place.slot as usize)? {
                PartialValue::Null => shares.null.push(*number),
                PartialValue::Object(target) => match objects.iter().position(|object| *object == Some(*target)) {
                    Some(met) => shares.add(*number, known.objects[met].object),
                    // One that the path came to in another way, by a place that the invariant does not read, may be the same.
                    None => {
                        shares.new.push(*number);
                        let further = known.objects.iter().zip(&objects).filter(|(_, object)| object.is_none());
                        further.for_each(|(item, _)| shares.add(*number, item.object));
                    }
                },
                PartialValue::Other(object) => shares.add(*number, *object),
                PartialValue::Unread | PartialValue::Undecided { .. } | PartialValue::Number(_) => return None,
            }
        }
        Some(FeasibleAnswers {
            may_be_null: !shares.null.is_empty(),
            may_be_new: !shares.new.is_empty(),
            objects: shares.objects.keys().copied().collect(),
            beyond: self.beyond.clone(),
            asked: None,
            shares: Some(shares),
        })
    }
}

impl Pattern {
    /// Notes for each root that an invariant asks about whether it is undecided, null or an object; two roots with the same object are aliases.
    pub(crate) fn of(path: &State, asked: &[usize]) -> Pattern {
        let object = |root: usize| match path.symbols.settled(path.symbols.roots.get(root)?.value) {
            Value::Ref(object) => Some(object),
            _ => None,
        };
        let first = |object: ObjId| {
            let first = (0..path.symbols.roots.len()).find(|root| self::is(path, *root, object))?;
            Some((first, path.heap.class(object).id))
        };
        Pattern(asked.iter().map(|root| object(*root).map(|object| object.and_then(first))).collect())
    }
}

fn is(path: &State, root: usize, object: ObjId) -> bool {
    path.symbols.settled(path.symbols.roots[root].value) == Value::Ref(Some(object))
}

/// The input from which a list for paths like this one begins. None if a list would not do for all of them.
pub(crate) fn listed_input_of(tools: &Tools, path: &State, asked: &[usize]) -> Option<State> {
    // How deep an object is depends on the way by which a path came to it; and what a static field holds, such as a sentinel, may
    // have been changed on this path and not on others. Regions depend on the roots.
    if tools.bounds.k.is_some() || !tools.bounds.regions.is_empty() || !path.held_by_statics().is_empty() {
        return None;
    }
    unknown_input_of(path, asked)
}

/// The input of a path as if it had not been read, but for the roots whose validity is asked. None if it is not one of objects
/// with fields.
fn unknown_input_of(path: &State, asked: &[usize]) -> Option<State> {
    let mut state = path.at_entry();
    let symbols = &path.symbols;
    // By the root, and not by a way on which the path came there too: another object may be there in another input.
    let mut names: BTreeMap<ObjId, Rc<str>> = BTreeMap::new();
    for root in asked {
        let root = symbols.roots.get(*root)?;
        if let Value::Ref(Some(object)) = symbols.settled(root.value) {
            names.entry(object).or_insert_with(|| root.name.clone());
        }
    }
    let mut inputs = Vec::new();
    for input in symbols.inputs.iter() {
        let Some(name) = names.get(&input.object) else { continue };
        let Entry::Fields(fields) = &input.entry else { return None };
        let mut input = input.clone();
        (input.name, input.depth) = (name.clone(), 0);
        input.entry = Entry::Fields(std::iter::repeat_n(Value::Unread, fields.len()).collect());
        inputs.push(input);
    }
    let mut roots = (*symbols.roots).clone();
    let mut unknowns = (*symbols.unknowns).clone();
    for (at, root) in roots.iter_mut().enumerate() {
        if asked.contains(&at) {
            continue;
        }
        if let Value::Unknown(id) = root.value {
            let unknown = &mut unknowns[id.0 as usize];
            (unknown.is, unknown.may_be_null) = (None, true);
        }
    }
    state.symbols = Symbols {
        condition: PathCondition { witness: Some(Rc::default()), ..PathCondition::default() },
        inputs: Rc::new(inputs),
        unknowns: Rc::new(unknowns),
        roots: Rc::new(roots),
        forks: Vec::new(),
        boxes: Vec::new(),
        ..path.symbols.clone()
    };
    // The heap must say the same as the inputs.
    Some(state.at_entry())
}
