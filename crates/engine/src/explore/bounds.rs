//! Which pairs of objects may each reference field of a valid object hold?

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::shapes::unknown_object;
use super::{Config, Progress};
use crate::program::{Class, Program};
use crate::structure::{FieldBound, Followed, Tools, valid_objects};

/// The tight bounds of the reference fields of a class up to a scope.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BoundsFound {
    pub fields: Vec<FieldBound>,
    /// Valid objects that differ in more than numbers, if they were counted.
    pub objects: Option<u64>,
    /// Runs of the invariant that were tried.
    pub candidates: u64,
    /// Why there may be more pairs, if there may.
    pub unfinished: Option<String>,
    /// What is odd about the invariant.
    pub warnings: BTreeSet<String>,
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
) -> Result<BoundsFound, String> {
    let started = Instant::now();
    let mut start = unknown_object(program, class, config, progress)?;
    let followed = if named.is_empty() { Followed::Read } else { Followed::Named(named) };
    let worker = &mut start.worker;
    let mut warnings = BTreeSet::new();
    let mut tools = Tools {
        vm: &mut worker.vm,
        chain: &mut worker.chain,
        bounds: &start.bounds,
        limits: &worker.solver_limits,
        beyond: &mut BTreeSet::new(),
        warnings: &mut warnings,
        sat_calls: &mut 0,
    };
    let found = valid_objects(&mut tools, &start.input, start.root, &start.invariants, &followed)?;
    if let Some(misuse) = worker.vm.misuse.take() {
        return Err(misuse);
    }
    if found.objects.is_empty() && found.unfinished.is_none() {
        warnings.insert(config.nothing_is_valid());
    }
    let held = start.input.held_by_statics(program);
    let name_of = |object| {
        let known = held.iter().find(|(_, known)| *known == object);
        known.map_or("another object".to_string(), |(name, _)| name.clone())
    };
    Ok(BoundsFound {
        fields: found.bounds(&|class| start.bounds.scope_of(class), &name_of),
        objects: found.circuit.is_none().then_some(found.objects.len() as u64),
        candidates: found.candidates,
        unfinished: found.unfinished,
        warnings,
        elapsed: started.elapsed(),
    })
}
