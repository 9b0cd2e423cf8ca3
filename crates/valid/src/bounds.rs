//! Which values may each reference field have in any valid object?
//!
//! All valid objects within the bounds are listed, each as relations between numbered objects. The pairs of a field that occur in one of
//! them are its tight bound: a value that is not among them is in no valid object that is numbered in this way.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lazuli_heapsat::{Advice, Backbone, BackboneField, Fact, Oracle, OracleRecipe, Precision, Referent, UnknownField};
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::state::State;
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::ObjId;
use serde::{Deserialize, Serialize};

use crate::{Found, Invariant, Search, Tools};

/// How far a computation of bounds has come, for another thread that watches it.
#[derive(Default)]
pub struct BoundsProgress {
    /// Valid objects, or their parts, that were found.
    pub found: AtomicU64,
    /// Is a circuit of the invariant being made? That may take long, and counts nothing.
    pub is_translating: AtomicBool,
}

/// The valid objects within the bounds, up to the names of objects and to numbers, as relations over a backbone.
pub struct ValidObjects {
    /// The reference fields over which the objects are numbered.
    pub backbone: Backbone,
    /// Of each object its facts, sorted. All of them, or so many that each pair that occurs in one occurs in one of these.
    pub objects: Vec<Box<[Fact]>>,
    /// Tells whether there is a further one, if these are not all.
    pub circuit: Option<Told>,
    /// Why there may be more, if there may.
    pub unfinished: Option<Reason>,
    /// The bounds that left further ones out.
    pub beyond: BTreeSet<Restriction>,
    /// Runs of the invariant that were tried.
    pub candidates: u64,
}

/// A circuit that tells of valid objects.
pub struct Told {
    /// The translated invariant, from which each thread makes its own solver.
    pub recipe: OracleRecipe,
    /// Was it asked for with numbers of few bits?
    pub is_near: bool,
}

/// Choices that a search for all valid objects may follow before a circuit is asked instead.
const FEW_STEPS: u64 = 100_000;

/// The time limit for building the circuit.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);

/// The pairs of one field.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FieldBound {
    /// With the class that declares it: `Node.left`.
    pub field: String,
    /// Names of objects, numbered breadth first, and of what they may refer to.
    pub pairs: Vec<(String, String)>,
    /// How many pairs there are without a bound.
    pub of: usize,
}

/// Which fields are followed when objects are numbered.
pub enum Followed<'a> {
    /// Those that the invariant reads in every valid object; of these, objects are met over those that lead to one.
    Read,
    /// These, in this order.
    Named(&'a [String]),
}

/// How the valid objects are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// They are listed, as long as that takes a few choices.
    Few,
    /// They are listed, however long that takes.
    List,
    /// The pairs come from a circuit.
    Circuit,
    /// The pairs come from a circuit; if there is none, they are listed.
    Either,
}

/// Why valid objects cannot be numbered over the fields that were named.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BoundsError {
    /// There is no such field.
    #[error(transparent)]
    UnknownField(#[from] UnknownField),
    /// A valid object leaves the field open, so that its referents could have any number.
    #[error("{field} is not read in every valid object")]
    NotRead {
        /// The field with its class.
        field: String,
    },
}

/// Lists the valid objects that are like an input of which nothing is known.
pub fn valid_objects(
    tools: &mut Tools,
    input: &State,
    root: ObjId,
    invariants: &[Invariant],
    followed: &Followed,
    (effort, progress): (Effort, &BoundsProgress),
) -> Result<Option<ValidObjects>, BoundsError> {
    let counted = input.symbols.input(root).map_or(input.heap.class(root), |input| input.counted);
    let mut backbone = Backbone::of(&tools.vm.program, &[counted]);
    if let Followed::Named(names) = followed {
        backbone = backbone.only(names)?;
    }
    // Invariant: the fields of the backbone include all over which objects can be numbered. Each round that fails removes the
    // field that some valid object leaves open, so that there are at most as many rounds as fields.
    loop {
        match list(tools, input, root, invariants, &backbone, (effort, progress)) {
            None => return Ok(None),
            Some(Ok((mut found, leading))) => {
                if let Followed::Read = followed {
                    let fields = found.backbone.fields.iter_mut().enumerate();
                    fields.for_each(|(at, field)| field.leads = leading.contains(&at));
                }
                return Ok(Some(found));
            }
            // A field that the invariant does not read may refer to anything, and its referents could have any number.
            Some(Err(open)) => {
                if let Followed::Named(_) = followed {
                    let field = backbone.title(&backbone.fields[open]);
                    return Err(BoundsError::NotRead { field });
                }
                backbone.fields.remove(open);
            }
        }
    }
}

/// Lists the valid objects, and the fields over which an object of theirs is met first; or, as an error, a field of the backbone
/// that one of them leaves open.
type ListedObjects = Result<(ValidObjects, HashSet<usize>), usize>;

/// Finds the valid objects. None if that takes more than it may.
fn list(
    tools: &mut Tools,
    input: &State,
    root: ObjId,
    invariants: &[Invariant],
    backbone: &Backbone,
    (effort, progress): (Effort, &BoundsProgress),
) -> Option<ListedObjects> {
    if let Effort::Circuit | Effort::Either = effort {
        let left = tools.limits.deadline.map_or(PATIENCE, |end| end.saturating_duration_since(Instant::now()));
        // Half of the time is for the list, if there is no circuit.
        let patience = if effort == Effort::Either { PATIENCE.min(left / 2) } else { PATIENCE };
        let found = by_circuits(tools, input, root, invariants, backbone, (patience, progress));
        if effort == Effort::Circuit || found.is_some() {
            return found;
        }
    }
    // Each solution becomes its facts under the breadth-first numbering, a canonical form: structures that differ only in
    // numbers or in the names of objects are equal then. Example, lists of at most two nodes: the facts are {first: L0→null},
    // {first: L0→N0, next: N0→null} and {first: L0→N0, next: N0→N1, next: N1→null}. The bound of `next` is their union,
    // {N0→null, N0→N1, N1→null}: 3 of 6 pairs (tight field bounds: TACO, ISSTA 2010; BLISS, TSE 2015, section 2.2).
    let mut search = Search::new(input.fork(), invariants);
    let most = if effort == Effort::Few { FEW_STEPS } else { u64::MAX };
    let mut objects = HashSet::new();
    let mut leading = HashSet::new();
    let mut beyond = BTreeSet::new();
    let unfinished = loop {
        let mut tools = tools.beyond(&mut beyond);
        let next = search.next_within(&mut tools, most - search.steps.min(most))?;
        match next {
            Found::Solution(state) => {
                let numbered = backbone.number(&state, root);
                if let Some(open) = numbered.open {
                    return Some(Err(open));
                }
                progress.found.fetch_add(1, Ordering::Relaxed);
                leading.extend(numbered.leading);
                let mut facts = numbered.facts;
                facts.sort_unstable();
                objects.insert(facts.into_boxed_slice());
            }
            Found::Exhausted => break None,
            Found::Unknown(why) => break Some(why),
        }
        if tools.is_out_of_time() {
            break Some(Reason::ProblemCut(Resource::Time));
        }
    };
    let mut objects: Vec<Box<[Fact]>> = objects.into_iter().collect();
    objects.sort_unstable();
    let candidates = search.candidates;
    let backbone = backbone.clone();
    Some(Ok((ValidObjects { backbone, objects, circuit: None, unfinished, beyond, candidates }, leading)))
}

/// The same from a circuit of the invariants, with numbers of few bits if that is enough.
fn by_circuits(
    tools: &mut Tools,
    input: &State,
    root: ObjId,
    invariants: &[Invariant],
    backbone: &Backbone,
    (patience, progress): (Duration, &BoundsProgress),
) -> Option<ListedObjects> {
    let mut by = |is_near| by_circuit(tools, input, root, invariants, backbone, (is_near, patience, progress));
    by(true).or_else(|| by(false))
}

/// The same from one circuit: every pair of which the solver says that it may occur is looked for in a model, which
/// the interpreter must confirm, and each model shows many pairs at once. None if there is no circuit, or it does not tell exactly.
fn by_circuit(
    tools: &mut Tools,
    input: &State,
    root: ObjId,
    invariants: &[Invariant],
    backbone: &Backbone,
    (is_near, patience, progress): (bool, Duration, &BoundsProgress),
) -> Option<ListedObjects> {
    let watch = |_, _| tools.is_out_of_time();
    let task = tools.task(invariants, input, patience, &watch);
    progress.is_translating.store(true, Ordering::Relaxed);
    let oracle = Oracle::of_structure(&task, backbone, precision(is_near));
    progress.is_translating.store(false, Ordering::Relaxed);
    let mut oracle = oracle.ok()?;
    let is_followed = |pair: &((u16, u16, Referent), _)| (pair.0.0 as usize) < backbone.fields.len();
    let mut doubtful: Vec<_> = oracle.pairs()?.into_iter().filter(is_followed).collect();
    // Objects that are met over other fields first would have other numbers in the walk.
    let leading = oracle.leading(tools.limits);
    if leading.iter().any(|at| *at >= backbone.fields.len()) {
        return None;
    }
    let mut objects = BTreeSet::new();
    let mut beyond = BTreeSet::new();
    let mut candidates = 0;
    // Invariant: `doubtful` has the pairs that may occur, as far as the solver knows, and that no confirmed object shows. A round
    // asks for an object with at least one of them, and removes all that this object shows. At the end the solver has proved that
    // the rest occurs in none, so that the bound is tight. TACO asks one query for each pair; here one model settles many pairs.
    //
    // A model that shows no doubtful pair contradicts its own query: the circuit is not exact, and not used.
    while !doubtful.is_empty() {
        let any = oracle.any(doubtful.iter().map(|(_, when)| *when));
        let guide = match oracle.ask(&tools.vm.terms, input, any, tools.limits) {
            Advice::Follow(guide) => guide,
            Advice::Impossible => break,
            Advice::Unknown => return None,
        };
        candidates += 1;
        let found = Search::guided(input.fork(), invariants, guide).next(&mut tools.beyond(&mut beyond));
        let Found::Solution(state) = found else { return None };
        let numbered = backbone.number(&state, root);
        if let Some(open) = numbered.open {
            return Some(Err(open));
        }
        let mut facts = numbered.facts;
        facts.sort_unstable();
        let before = doubtful.len();
        doubtful.retain(|(pair, _)| facts.binary_search(pair).is_err());
        if doubtful.len() == before {
            return None;
        }
        objects.insert(facts.into_boxed_slice());
        progress.found.fetch_add(1, Ordering::Relaxed);
    }
    *tools.sat_calls += oracle.take_calls();
    for sort in backbone.sorts.iter().filter(|sort| sort.declared > 0) {
        beyond.insert(Restriction::scope(tools.bounds, sort.classes[0]));
    }
    let circuit = Some(Told { recipe: oracle.recipe()?, is_near });
    let (objects, backbone) = (objects.into_iter().collect(), backbone.clone());
    Some(Ok((ValidObjects { backbone, objects, circuit, unfinished: None, beyond, candidates }, leading)))
}

impl ValidObjects {
    /// The referents that each field of the backbone may have, by the number of its owner.
    pub fn targets(&self) -> Vec<BTreeMap<u16, BTreeSet<Referent>>> {
        let mut targets = vec![BTreeMap::<u16, BTreeSet<Referent>>::new(); self.backbone.fields.len()];
        for (field, owner, target) in self.objects.iter().flatten() {
            targets[*field as usize].entry(*owner).or_default().insert(*target);
        }
        targets
    }

    /// The bounds of all fields, with names. `scope` says how many objects of a class there may be, and `held` what objects are
    /// called that are no inputs.
    pub fn bounds(&self, scope: &dyn Fn(&str) -> usize, held: &dyn Fn(ObjId) -> String) -> Vec<FieldBound> {
        let targets = self.targets();
        let names = self.backbone.names();
        let sizes = self.sizes(&targets, scope);
        let others: BTreeSet<ObjId> = targets.iter().flat_map(BTreeMap::values).flatten().filter_map(other).collect();
        let bound = |(field, targets): (&BackboneField, &BTreeMap<u16, BTreeSet<Referent>>)| {
            let pairs = targets.iter().flat_map(|(owner, targets)| targets.iter().map(move |target| (owner, target)));
            let name = |target: &Referent| match target {
                Referent::Null => "null".to_string(),
                Referent::Object(number) => format!("{}{number}", names[field.target]),
                Referent::Other(object) => held(*object),
            };
            FieldBound {
                field: self.backbone.title(field),
                pairs: pairs.map(|(owner, target)| (format!("{}{owner}", names[field.owner]), name(target))).collect(),
                of: sizes[field.owner] * (sizes[field.target] + 1 + others.len()),
            }
        };
        self.backbone.fields.iter().zip(&targets).map(bound).collect()
    }

    /// How many objects of each sort there may be. There is one root, unless fields may refer to others like it.
    fn sizes(&self, targets: &[BTreeMap<u16, BTreeSet<Referent>>], scope: &dyn Fn(&str) -> usize) -> Vec<usize> {
        let size = |(at, sort): (usize, &lazuli_heapsat::ObjectSort)| {
            let is_target = self.backbone.fields.iter().any(|field| field.target == at);
            let most: usize = sort.classes.iter().map(|class| scope(&class.java_name())).sum();
            let owners = self.backbone.fields.iter().zip(targets).filter(|(field, _)| field.owner == at);
            let seen =
                owners.filter_map(|(_, targets)| targets.keys().next_back()).map(|last| *last as usize + 1).max();
            if is_target { most.max(seen.unwrap_or(0)) } else { 1 }
        };
        self.backbone.sorts.iter().enumerate().map(size).collect()
    }
}

fn other(target: &Referent) -> Option<ObjId> {
    match target {
        Referent::Other(object) => Some(*object),
        _ => None,
    }
}

/// Numbers of few bits saturate.
pub(super) fn precision(is_near: bool) -> Precision {
    if is_near { Precision::Saturating } else { Precision::Exact }
}
