//! Which shapes do the valid objects of a class have?

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::contract::invariant_of;
use super::picture::Artist;
use super::worker::Worker;
use super::{Bounds, Config, Picture, Progress};
use crate::program::{Class, Program};
use crate::structure::{Found, Invariant, Search, Tools, shape_of};

/// The valid objects of a class up to a scope. Those that differ only in numbers are one.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    pub total: u64,
    /// By the number of objects other than the root.
    pub by_objects: BTreeMap<usize, u64>,
    /// Runs of the invariant that were tried.
    pub candidates: u64,
    /// Why the count is not complete, if it is not.
    pub unfinished: Option<String>,
    /// What is odd about the invariant.
    pub warnings: BTreeSet<String>,
    pub elapsed: Duration,
}

/// Counts the shapes of the valid objects of a class; `each` gets a picture of one object of every shape.
pub fn shapes(
    program: &Arc<Program>,
    class: &'static Class,
    config: &Config,
    progress: &Progress,
    each: &mut dyn FnMut(Picture),
) -> Result<Shapes, String> {
    let started = Instant::now();
    let parts = invariant_of(program, class, config);
    let &[method, ..] = parts.as_slice() else {
        let name = config.invariant_names().join("() and ");
        let class = class.java_name();
        return Err(format!("class {class} has no method `boolean {name}()` that says which objects are valid"));
    };
    let invariants: Vec<Invariant> = parts.iter().map(|method| Invariant { method, root: 0 }).collect();
    let mut worker = Worker::boot(program, method, config, progress)?;
    worker.vm.rules.is_open = false;
    let bounds = Bounds { is_open: false, ..config.bounds.clone() };
    let mut input = worker.start.fork();
    let root = worker.vm.new_receiver(&mut input, class);
    let root = root.ok_or_else(|| format!("no class on the class path implements {}", class.java_name()))?;
    input.add_root("this", root.into(), None);
    let mut search = Search::new(input, &invariants);
    let mut found = Shapes::default();
    let mut seen = HashSet::new();
    loop {
        let mut tools = Tools {
            vm: &mut worker.vm,
            chain: &mut worker.chain,
            bounds: &bounds,
            limits: &worker.solver_limits,
            beyond: &mut BTreeSet::new(),
            warnings: &mut found.warnings,
        };
        match search.next(&mut tools) {
            Found::Solution(state) => {
                let (shape, objects) = shape_of(&state, root);
                if seen.insert(shape) {
                    found.total += 1;
                    *found.by_objects.entry(objects - 1).or_default() += 1;
                    progress.paths.store(found.total, Ordering::Relaxed);
                    each(Artist::new(&worker.vm, &state).input());
                }
            }
            Found::Exhausted => break,
            Found::Unknown(why) => {
                found.unfinished = Some(why);
                break;
            }
        }
        if worker.is_out_of_time() {
            found.unfinished = Some("the time limit was reached".to_string());
            break;
        }
    }
    if let Some(misuse) = worker.vm.misuse.take() {
        return Err(misuse);
    }
    found.candidates = search.candidates;
    found.elapsed = started.elapsed();
    Ok(found)
}
