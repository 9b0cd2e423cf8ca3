//! Which pairs of objects may each reference field of a valid object hold?

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use lazuli_heapsat::{Fact, Oracle, OracleTask};
use lazuli_valid::{Effort, FieldBound, Followed, Means, StoredObjects, Tools, about, valid_objects};
use lazuli_vm::ambient::Assumption;
use lazuli_vm::program::{Class, Program};
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::universe::Restriction;
use serde::{Deserialize, Serialize};

use super::printed::{PrintedPieces, printed_pieces};
use super::shapes::unknown_object;
use super::{Config, Failure, Progress, RequestError};

/// The bounds; none if finding them takes more than it may.
type Attempt = Result<Option<BoundsFound>, Failure>;

/// The interval between two looks at the progress of two threads.
const INTERVAL: Duration = Duration::from_millis(50);

/// The tight bounds of the reference fields of a class up to a scope.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BoundsFound {
    /// One bound for each reference field that a valid object can reach, with the pairs of objects that it may hold.
    pub fields: Vec<FieldBound>,
    /// Valid objects that differ in more than numbers, if they were counted.
    pub objects: Option<u64>,
    /// Runs of the invariant that were tried.
    pub candidates: u64,
    /// Why there may be more pairs, if there may.
    pub unfinished: Option<Reason>,
    /// Oddities of the invariant.
    pub warnings: BTreeSet<Warning>,
    /// The assumptions of the bounds about the JVM's surroundings.
    pub assumptions: BTreeSet<Assumption>,
    /// The bounds on objects, and what else left some out.
    pub restrictions: BTreeSet<Restriction>,
    /// The pieces of the rule that MUCHO-TACO prints, if they are counted.
    #[serde(default)]
    pub printed: Vec<PrintedPieces>,
    /// Wall time of the whole computation, the search for valid objects included.
    pub elapsed: Duration,
}

/// Computes the bounds of the fields of which an object of the class is made: of those that were named, or else of those that the
/// invariant always reads.
pub fn field_bounds(
    program: &Arc<Program>,
    class: &'static Class,
    config: &Config,
    named: &[String],
    progress: &Progress,
) -> Result<BoundsFound, Failure> {
    let started = Instant::now();
    let find = |effort: Effort, progress: &Progress| found_with(program, class, config, named, (effort, progress));
    let found = match config.valid.means {
        Means::Circuit | Means::CircuitList => find(Effort::Circuit, progress)?,
        Means::List | Means::Search => find(Effort::List, progress)?,
        Means::Auto => match find(Effort::Few, progress)? {
            Some(found) => Some(found),
            None if config.limits.jobs > 1 => race(&find, progress)?,
            None => find(Effort::Either, progress)?,
        },
    };
    let found = found.ok_or(RequestError::NoValidObjects)?;
    Ok(BoundsFound { elapsed: started.elapsed(), ..found })
}

/// Lists the objects on one thread and makes a circuit on another, until one of them knows all: which is faster cannot be told before.
fn race(find: &(dyn Fn(Effort, &Progress) -> Attempt + Sync), progress: &Progress) -> Attempt {
    let runners = [(Effort::List, Progress::default()), (Effort::Circuit, Progress::default())];
    let (ended, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for (effort, own) in &runners {
            let ended = ended.clone();
            scope.spawn(move || {
                let found = catch_unwind(AssertUnwindSafe(|| find(*effort, own)));
                // The receiver is gone if the other one knew all.
                let _ = ended.send(found.unwrap_or_else(|panic| Err(Failure::bug(&*panic))));
            });
        }
        drop(ended);
        let mut partial = Ok(None);
        loop {
            match results.recv_timeout(INTERVAL) {
                Ok(Ok(Some(found))) if found.unfinished.is_none() => {
                    partial = Ok(Some(found));
                    break;
                }
                Ok(Ok(Some(found))) => partial = Ok(Some(found)),
                // There is no circuit: the other one goes on.
                Ok(Ok(None)) => {}
                // Who asks for something wrong would be told so by both.
                Ok(Err(why)) => {
                    partial = Err(why);
                    break;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let count = |(_, own): &(Effort, Progress)| own.bounds.found.load(Ordering::Relaxed);
                    progress.bounds.found.store(runners.iter().map(count).max().unwrap_or(0), Ordering::Relaxed);
                    let is_translating =
                        runners.iter().any(|(_, own)| own.bounds.is_translating.load(Ordering::Relaxed));
                    progress.bounds.is_translating.store(is_translating, Ordering::Relaxed);
                    if progress.stop.load(Ordering::Relaxed) {
                        runners.iter().for_each(|(_, own)| own.stop.store(true, Ordering::Relaxed));
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        runners.iter().for_each(|(_, own)| own.stop.store(true, Ordering::Relaxed));
        partial
    })
}

/// The bounds, if that takes no more than it may.
fn found_with(
    program: &Arc<Program>,
    class: &'static Class,
    config: &Config,
    named: &[String],
    (effort, progress): (Effort, &Progress),
) -> Attempt {
    let mut start = unknown_object(program, class, config, progress)?;
    let followed = if named.is_empty() { Followed::Read } else { Followed::Named(named) };
    let worker = &mut start.worker;
    let (mut warnings, mut beyond) = (BTreeSet::new(), BTreeSet::new());
    let mut tools = Tools {
        vm: &mut worker.vm,
        chain: &mut worker.chain,
        bounds: &start.bounds,
        limits: &worker.solver_limits,
        beyond: &mut beyond,
        warnings: &mut warnings,
        sat_calls: &mut 0,
    };
    let found =
        valid_objects(&mut tools, &start.input, start.root, &start.invariants, &followed, (effort, &progress.bounds))?;
    if let Some(misuse) = worker.vm.misuse.take() {
        return Err(misuse.into());
    }
    let Some(found) = found else { return Ok(None) };
    // A check of a method of the class with these bounds need not find them again.
    let about = about(program, worker.method, &start.invariants, named, &start.bounds);
    let is_hard = effort != Effort::Few;
    if let (Some(about), Some(kept)) = (about.filter(|_| is_hard), StoredObjects::of(&found)) {
        config.valid.verdicts.keep_objects(&about, &kept);
    }
    if found.objects.is_empty() && found.unfinished.is_none() {
        warnings.insert(config.nothing_is_valid());
    }
    let printed = match config.valid.printed_pieces {
        Some(nodes) if found.unfinished.is_none() => {
            let mut oracle = found.circuit.as_ref().and_then(|told| {
                let watch = |_, _| worker.is_out_of_time();
                let task = OracleTask {
                    program: &worker.vm.program,
                    bounds: &start.bounds,
                    invariants: &start.invariants,
                    path: &start.input,
                    limits: &worker.solver_limits,
                    watch: &watch,
                    used_statics: &worker.vm.used_statics,
                    patience: Duration::MAX,
                    economy: config.sat.economy,
                    code: None,
                };
                Oracle::of_recipe(&task, &told.recipe).ok()
            });
            let begins = &mut |facts: &[Fact]| match &mut oracle {
                Some(oracle) => oracle.has(facts, &worker.solver_limits),
                None if found.circuit.is_some() => None,
                // All objects are listed.
                None => {
                    Some(found.objects.iter().any(|object| facts.iter().all(|fact| object.binary_search(fact).is_ok())))
                }
            };
            printed_pieces(&found.backbone, &found.targets(), nodes, begins)
        }
        _ => Vec::new(),
    };
    let (assumptions, mut restrictions) = worker.taken_for_granted();
    restrictions.extend(beyond);
    restrictions.extend(found.beyond.iter().cloned());
    let name_of = |object| {
        let known = start.input.held_by_statics().iter().find(|held| held.object == object);
        known.map_or("another object".to_string(), |held| held.name.to_string())
    };
    Ok(Some(BoundsFound {
        fields: found.bounds(&|class| start.bounds.scope_of(class), &name_of),
        objects: found.circuit.is_none().then_some(found.objects.len() as u64),
        candidates: found.candidates,
        unfinished: found.unfinished,
        warnings,
        assumptions,
        restrictions,
        printed,
        elapsed: Duration::ZERO,
    }))
}
