//! Which of all valid inputs has what a path knows?
//!
//! Balanced trees, heaps and cyclic lists have few valid shapes, far fewer than there are questions about them. So they are listed
//! once, by one search that starts from nothing, and from then on a question is answered by looking through the list. As the
//! list is complete within the bounds, an input that is none of these is not valid.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::form::{Cell, Contents, Form, Mismatch};
use super::{Fit, Found, Invariant, Search, Tools, Witness, input_of};
use crate::explore::Bounds;
use crate::outcome::{Answer, Place};
use crate::state::State;
use crate::symbols::{Entry, PathCondition, Symbols};
use crate::value::{ObjId, Value};

/// All valid inputs within the bounds, up to the names of objects and to their numbers.
pub struct Catalogue {
    entries: Vec<Fit>,
    /// The bounds that left further ones out.
    beyond: Rc<BTreeSet<String>>,
}

/// The entries that may still have what a path knows: all from one on, but for those that were found not to. A path that knows
/// more has no others.
#[derive(Clone)]
pub struct Left {
    pub catalogue: usize,
    entries: Rc<[u32]>,
}

/// What the catalogue says about a path.
pub enum Listed {
    Fits(Fit),
    /// No valid input has what the path knows.
    None,
    Unsure,
}

/// Which roots have validity to be asked for: null, undecided, or the first root that is the same object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(Vec<Option<Option<usize>>>);

/// More inputs than this are not worth a list.
const MOST_ENTRIES: usize = 50_000;

/// Longer than this, nobody waits for the list.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Choices that are followed between two looks at the limits.
const STRIDE: u64 = 4096;

/// A path with more valid inputs than this is better followed for all of them at once.
const MOST_TOGETHER: usize = 2_000;

/// Entries that are compared between two looks at the clock.
const CLOCK_INTERVAL: usize = 64;

impl Catalogue {
    /// Lists the valid inputs for paths like this one. None if there are too many, or something cannot be decided.
    pub fn new(tools: &mut Tools, path: &State, invariants: &[Invariant], asked: &Rc<[usize]>) -> Option<Catalogue> {
        // How deep an object is depends on the way by which a path came to it.
        if tools.bounds.k.is_some() {
            return None;
        }
        let now = Instant::now();
        let left = tools.limits.deadline.map_or(MOST_TIME, |end| end.saturating_duration_since(now) / 3);
        let end = now + left.min(MOST_TIME);
        let mut beyond = BTreeSet::new();
        let mut entries = Vec::new();
        let mut search = Search::new(unknown_input_of(path, asked)?, invariants);
        loop {
            let mut tools = tools.beyond(&mut beyond);
            match search.next_within(&mut tools, STRIDE) {
                Some(Found::Solution(state)) => entries.push(Fit::new(Rc::new(Witness::of(&state, asked)))),
                Some(Found::Exhausted) => {
                    return Some(Catalogue { entries, beyond: Rc::new(beyond) });
                }
                Some(Found::Unknown(_)) => return None,
                None => {}
            }
            if entries.len() > MOST_ENTRIES || Instant::now() >= end {
                return None;
            }
        }
    }

    /// The first valid input that has what a path knows. `number` is that of this catalogue, and `before` what an earlier part of the
    /// path found.
    pub fn find(&self, tools: &mut Tools, path: &State, number: usize, before: Option<&Left>) -> Listed {
        let known = Form::of(path);
        let left = match before {
            Some(left) if left.catalogue == number => left.entries.clone(),
            _ => (0..self.entries.len() as u32).collect(),
        };
        let mut unsure = Vec::new();
        for (at, entry) in left.iter().enumerate() {
            match self.entries[*entry as usize].refit(tools, path, &known) {
                Ok(fit) => {
                    unsure.extend_from_slice(&left[at..]);
                    return Listed::Fits(fit.with(Left { catalogue: number, entries: unsure.into() }));
                }
                Err(Mismatch::Differs) => {}
                Err(Mismatch::Unsure) => unsure.push(*entry),
            }
            if at.is_multiple_of(CLOCK_INTERVAL) && tools.is_out_of_time() {
                return Listed::Unsure;
            }
        }
        if !unsure.is_empty() {
            return Listed::Unsure;
        }
        tools.beyond.extend(self.beyond.iter().cloned());
        Listed::None
    }
}

/// What valid inputs hold at a place that a path reads next.
#[derive(Default)]
pub struct Foresight {
    pub may_be_null: bool,
    /// Something that the path has not met.
    pub may_be_new: bool,
    /// Objects that the path has met.
    pub objects: BTreeSet<ObjId>,
    /// The bounds that left further inputs out.
    pub beyond: Rc<BTreeSet<String>>,
}

impl Foresight {
    /// Is it certain that no valid input gives this answer?
    pub fn excludes(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Null => !self.may_be_null,
            Answer::Fresh => !self.may_be_new,
            Answer::Alias(object) => !self.objects.contains(object),
            _ => false,
        }
    }
}

impl Catalogue {
    /// The same path for each of the entries that it may have, with all that is known of it. None if that is not certain.
    pub fn by_input(&self, tools: &mut Tools, path: &State, left: &Left) -> Option<Vec<State>> {
        if left.entries.len() > MOST_TOGETHER {
            return None;
        }
        let known = Form::of(path);
        let mut states = Vec::new();
        for entry in left.entries.iter() {
            let fit = match self.entries[*entry as usize].refit(tools, path, &known) {
                Ok(fit) => fit,
                Err(Mismatch::Differs) => continue,
                Err(Mismatch::Unsure) => return None,
            };
            states.push(fit.filled(tools, path, &known)?);
        }
        states.reverse();
        Some(states)
    }

    /// What a place may hold, by the entries that may still have what the path knows. None if it may hold anything.
    pub fn foresee(&self, bounds: &Bounds, path: &State, place: Place, left: &Left) -> Option<Foresight> {
        let known = Form::of(path);
        let from = known.objects.iter().position(|item| item.object == place.object)?;
        let mut found = Foresight { beyond: self.beyond.clone(), ..Foresight::default() };
        for entry in left.entries.iter() {
            let entry = &self.entries[*entry as usize];
            let objects = match entry.matching(bounds, &known) {
                Ok(found) => found.objects,
                Err(Mismatch::Differs) => continue,
                Err(Mismatch::Unsure) => return None,
            };
            let Contents::Fields(cells) = &entry.form().objects[objects[from]? as usize].contents else { return None };
            match cells.get(place.slot as usize)? {
                Cell::Null => found.may_be_null = true,
                Cell::Object(target) => match objects.iter().position(|object| *object == Some(*target)) {
                    Some(met) => {
                        found.objects.insert(known.objects[met].object);
                    }
                    // One that the path came to in another way, by a place that the invariant does not read, may be the same.
                    None => {
                        found.may_be_new = true;
                        let further = known.objects.iter().zip(&objects).filter(|(_, object)| object.is_none());
                        found.objects.extend(further.map(|(item, _)| item.object));
                    }
                },
                Cell::Other(object) => {
                    found.objects.insert(*object);
                }
                Cell::Unread | Cell::Undecided { .. } | Cell::Number(_) => return None,
            }
        }
        Some(found)
    }
}

impl Pattern {
    pub fn of(path: &State, asked: &[usize]) -> Pattern {
        let object = |root: usize| match path.symbols.settled(path.symbols.roots.get(root)?.value) {
            Value::Ref(object) => Some(object),
            _ => None,
        };
        let first = |object: ObjId| (0..path.symbols.roots.len()).find(|root| self::is(path, *root, object));
        Pattern(asked.iter().map(|root| object(*root).map(|object| object.and_then(first))).collect())
    }
}

fn is(path: &State, root: usize, object: ObjId) -> bool {
    path.symbols.settled(path.symbols.roots[root].value) == Value::Ref(Some(object))
}

/// The input of a path as if nobody had looked at it, but for the roots whose validity is asked. None if it is not one of objects
/// with fields.
fn unknown_input_of(path: &State, asked: &[usize]) -> Option<State> {
    let mut state = input_of(path);
    let symbols = &path.symbols;
    let mut kept: Vec<ObjId> = Vec::new();
    for root in asked {
        if let Value::Ref(Some(object)) = symbols.settled(symbols.roots.get(*root)?.value) {
            kept.push(object);
        }
    }
    let mut inputs = Vec::new();
    for input in symbols.inputs.iter().filter(|input| kept.contains(&input.object)) {
        let Entry::Fields(fields) = &input.entry else { return None };
        let mut input = input.clone();
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
        path: PathCondition { witness: Some(Rc::default()), ..PathCondition::default() },
        inputs: Rc::new(inputs),
        unknowns: Rc::new(unknowns),
        roots: Rc::new(roots),
        fit: None,
        forks: Vec::new(),
        boxes: Vec::new(),
        ..path.symbols.clone()
    };
    // The heap must say the same as the inputs.
    Some(input_of(&state))
}
