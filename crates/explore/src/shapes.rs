//! Which shapes do the valid objects of a class have?

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_logic::Model;
use lazuli_logic::evaluate::Evaluation;
use lazuli_spec::invariant_of;
use lazuli_valid::{Assignments, Found, Invariant, Part, Search, Tools, Unread, shape_of};
use lazuli_vm::ambient::Assumption;
use lazuli_vm::interp::{Vm, value_of_constant};
use lazuli_vm::program::{Class, Program};
use lazuli_vm::reason::{Reason, Resource, Warning};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::{ObjId, Value};

use super::slots::by_slot;
use super::{Bounds, Config, Failure, Picture, Progress, RequestError};
use crate::report::picture::Artist;
use crate::worker::Worker;

/// How many structures pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;

const OUT_OF_TIME: Reason = Reason::ProblemCut(Resource::Time);

/// The valid objects of a class up to a scope. Those that differ only in numbers are one, unless ranges of values were given.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// Valid objects that were found.
    pub total: u64,
    /// By the number of objects other than the root.
    pub by_objects: BTreeMap<usize, u64>,
    /// Runs of the invariant that were tried, and values of numbers.
    pub candidates: u64,
    /// Why the count is not complete, if it is not.
    pub unfinished: Option<Reason>,
    /// Oddities of the invariant.
    pub warnings: BTreeSet<Warning>,
    /// The assumptions of the list about the JVM's surroundings.
    pub assumptions: BTreeSet<Assumption>,
    /// The bounds, and what else left objects out.
    pub restrictions: BTreeSet<Restriction>,
    /// Wall time of the enumeration.
    pub elapsed: Duration,
}

/// Is shown one object of every shape.
pub(crate) type Viewer<'a> = &'a mut dyn FnMut(&dyn Fn() -> Picture);

/// Counts the shapes of the valid objects of a class. A viewer sees them in their order, which is the work of one thread.
pub fn shapes(
    program: &Arc<Program>,
    class: &'static Class,
    config: &Config,
    progress: &Progress,
    viewer: Option<Viewer>,
) -> Result<Shapes, Failure> {
    let started = Instant::now();
    let jobs = if viewer.is_some() { 1 } else { config.limits.jobs };
    let parts = match jobs {
        0 | 1 => vec![count(program, class, config, progress, Part::ALL, viewer)],
        _ => std::thread::scope(|scope| {
            let part = |index| Part { index, of: jobs as u64 };
            let begin = |index| scope.spawn(move || count(program, class, config, progress, part(index), None));
            let threads: Vec<_> = (0..jobs as u64).map(begin).collect();
            let end = |thread: std::thread::ScopedJoinHandle<_>| {
                thread.join().unwrap_or_else(|panic| Err(Failure::bug(&*panic)))
            };
            threads.into_iter().map(end).collect()
        }),
    };
    let mut all = Counted::default();
    for part in parts {
        all.add(part?);
    }
    let mut found = all.shapes;
    for objects in all.seen.values() {
        found.total += 1;
        *found.by_objects.entry(*objects).or_default() += 1;
    }
    let named = config.valid.values.iter().flat_map(|ranges| ranges.named.iter());
    for (name, _) in named.filter(|(name, _)| !all.used.contains(name)) {
        found.warnings.insert(Warning::UnusedRange(name.clone()));
    }
    if found.total == 0 && found.unfinished.is_none() {
        found.warnings.insert(config.nothing_is_valid());
    }
    found.elapsed = started.elapsed();
    Ok(found)
}

/// The shapes that one thread found.
#[derive(Default)]
struct Counted {
    /// Objects that numbers tell apart are counted here at once.
    shapes: Shapes,
    /// Shapes, with their objects beside the root. Two threads may meet the same.
    seen: HashMap<Vec<i32>, usize>,
    /// The ranges that were used.
    used: BTreeSet<String>,
}

impl Counted {
    fn add(&mut self, other: Counted) {
        let (all, more) = (&mut self.shapes, other.shapes);
        all.total += more.total;
        for (objects, count) in more.by_objects {
            *all.by_objects.entry(objects).or_default() += count;
        }
        all.candidates += more.candidates;
        all.unfinished = all.unfinished.take().or(more.unfinished);
        all.warnings.extend(more.warnings);
        all.assumptions.extend(more.assumptions);
        all.restrictions.extend(more.restrictions);
        self.used.extend(other.used);
        match self.seen.is_empty() {
            true => self.seen = other.seen,
            false => self.seen.extend(other.seen),
        }
    }
}

/// Goes through one part of the valid objects.
fn count(
    program: &Arc<Program>,
    class: &'static Class,
    config: &Config,
    progress: &Progress,
    part: Part,
    mut viewer: Option<Viewer>,
) -> Result<Counted, Failure> {
    let Start { mut worker, bounds, input, root, invariants } = unknown_object(program, class, config, progress)?;
    let mut search = Search::new(input, &invariants).part(part);
    let Counted { shapes: mut found, mut seen, mut used } = Counted::default();
    let mut show = |worker: &Worker, picture: &dyn Fn() -> State| {
        progress.paths.fetch_add(1, Ordering::Relaxed);
        if let Some(viewer) = &mut viewer {
            viewer(&|| Artist::new(&worker.vm, &picture()).input());
        }
    };
    loop {
        let mut tools = Tools {
            vm: &mut worker.vm,
            chain: &mut worker.chain,
            bounds: &bounds,
            limits: &worker.solver_limits,
            beyond: &mut found.restrictions,
            warnings: &mut found.warnings,
            sat_calls: &mut 0,
        };
        // A solution is a valid shape with a condition on its numbers. With ranges of values, each assignment that satisfies the
        // condition is an object of its own. Without, solutions that differ in their conditions only are one shape, so that `seen`
        // has their canonical forms.
        match search.next_in_time(&mut tools) {
            Found::Solution(state) => match &config.valid.values {
                Some(ranges) => {
                    let (_, objects) = shape_of(&state, [root.into()], Unread::AsNull);
                    let before = found.total;
                    let assignments = Assignments::new(&worker.vm.terms, &state, ranges, &mut used);
                    let mut assignments = assignments.inspect_err(|_| progress.stop.store(true, Ordering::Relaxed))?;
                    let is_done = assignments.visit(&mut |model| {
                        found.total += 1;
                        show(&worker, &|| with_values(&worker.vm, &state, model));
                        !found.total.is_multiple_of(CLOCK_INTERVAL) || !worker.is_out_of_time()
                    });
                    found.candidates += assignments.tried;
                    if !is_done {
                        found.unfinished = Some(OUT_OF_TIME);
                    }
                    if found.total > before {
                        *found.by_objects.entry(objects - 1).or_default() += found.total - before;
                    }
                }
                None => match by_slot(&mut tools, *state) {
                    Some(states) => {
                        for state in states {
                            let (shape, objects) = shape_of(&state, [root.into()], Unread::AsNull);
                            if seen.insert(shape, objects - 1).is_none() {
                                show(&worker, &|| state.fork());
                            }
                        }
                    }
                    None => {
                        found.unfinished = Some(Reason::InvariantUndecided);
                        break;
                    }
                },
            },
            Found::Exhausted => break,
            Found::Unknown(why) => {
                found.unfinished = Some(why);
                break;
            }
        }
        if found.unfinished.is_some() || worker.is_out_of_time() {
            found.unfinished = Some(OUT_OF_TIME);
            break;
        }
    }
    if let Some(misuse) = worker.vm.misuse.take() {
        progress.stop.store(true, Ordering::Relaxed);
        return Err(misuse.into());
    }
    found.candidates += search.candidates;
    let (assumptions, restrictions) = worker.taken_for_granted();
    found.assumptions.extend(assumptions);
    found.restrictions.extend(restrictions);
    Ok(Counted { shapes: found, seen, used })
}

/// An object of which nothing is known, and what says whether it is valid.
pub(super) struct Start<'a> {
    pub worker: Worker<'a>,
    /// Without classes that are not on the class path: what would an invariant be about then?
    pub bounds: Bounds,
    pub input: State,
    pub root: ObjId,
    pub invariants: Vec<Invariant>,
}

/// Where a search for the valid objects of a class begins.
pub(super) fn unknown_object<'a>(
    program: &Arc<Program>,
    class: &'static Class,
    config: &'a Config,
    progress: &'a Progress,
) -> Result<Start<'a>, Failure> {
    let mut parts = invariant_of(program, class, &config.contract);
    parts.extend(config.contract.clauses_of_root(0));
    let &[method, ..] = parts.as_slice() else {
        let names = || config.contract.invariant_names().into_iter().map(str::to_string).collect();
        let methods = if config.contract.is_jml_alone() { Vec::new() } else { names() };
        return Err(RequestError::NoInvariant { class: class.java_name(), methods }.into());
    };
    let invariants = parts.iter().map(|method| Invariant::new(program, method, 0)).collect();
    let mut worker = Worker::boot(program, method, config, progress)?;
    let bounds = config.bounds.clone();
    let mut input = worker.start.fork();
    let exact = Some(class).filter(|class| !class.is_abstract());
    let possible = exact.or_else(|| program.possible_classes(class, bounds.world));
    let possible = possible.ok_or_else(|| RequestError::NoImplementation { class: class.java_name() })?;
    let root = worker.vm.new_receiver(&mut input, class, possible);
    input.add_root("this", root.into(), None);
    Ok(Start { worker, bounds, input, root, invariants })
}

/// The same structure with its numbers.
fn with_values(vm: &Vm, state: &State, model: &Model) -> State {
    let mut state = state.fork();
    let mut evaluation = Evaluation::new(&vm.terms, model);
    let mut known = |value: &mut Value| {
        if let Value::Term(term, _) = value {
            *value = value_of_constant(evaluation.value(*term));
        }
    };
    let mut inputs = (*state.symbols.inputs).clone();
    for input in &mut inputs {
        match &mut input.entry {
            Entry::Fields(fields) => Rc::make_mut(fields).iter_mut().for_each(&mut known),
            Entry::Built(built) => Rc::make_mut(&mut Rc::make_mut(built).arguments).iter_mut().for_each(&mut known),
            Entry::Elements(elements) => Rc::make_mut(elements).iter_mut().for_each(|(index, value)| {
                known(index);
                known(value);
            }),
        }
        if let Some(sparse) = state.heap.sparse_mut(input.object) {
            known(&mut sparse.length);
        }
    }
    state.symbols.inputs = Rc::new(inputs);
    state
}
