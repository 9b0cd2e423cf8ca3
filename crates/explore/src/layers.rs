//! Which inputs is a verdict about, where a class has no invariant?
//!
//! Three layers, from the strongest statement to the weakest. What holds whatever the fields of objects hold, holds. Where that fails, only
//! inputs count that the program can make: a fault on one that calls make is a violation. A fault for whose input no calls were found is a
//! note. Where fields may hold objects of the library of other classes than those that were tried, faults are looked for behind calls too. Example: `Cart.total()` with `private final List<Line> lines = new ArrayList<>()` fails if `lines` contains null; it is
//! violated if `add` lets null in, and else the verdict is that it holds for every Cart that so many calls make. Before a fault becomes a note, longer sequences
//! that come near its example are tried.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_reach::kept::keeps_others;
use lazuli_reach::workshop::Workshop;
use lazuli_vm::ambient::Assumption;
use lazuli_vm::program::{Class, Method, Program};
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::universe::Restriction;

use crate::report::FindingKind;
use crate::report::summary::Summary;
use crate::worker::behind::made_behind;
use crate::worker::hunt::Likeness;
use crate::worker::{parallel, sat};
use crate::{
    Config, Engine, Failure, Inputs, NotExplored, Pools, Progress, Report, RequestError, Verdict, Violation,
    explore_once,
};

/// Explores a method layer by layer.
pub(crate) fn explore_in_layers(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    pools: &mut Pools,
) -> Result<Report, Failure> {
    let whatever_fields_hold = |config: &Config| {
        let run = match config.engine {
            Engine::Paths => parallel::run,
            Engine::Sat => sat::run,
        };
        explore_once(program, method, config, progress, || run(program, method, config, progress))
    };
    let has_recipes = config.technique.makes_inputs();
    let workshop_with = |behind: &[&'static Class]| match config.inputs {
        Inputs::Calls | Inputs::OnlyCalls if !has_recipes => Workshop::of(program, method, &config.contract, behind),
        _ => None,
    };
    let behind = |faults: &[Violation]| made_behind(program, method, &config.contract, faults);
    let mut workshop = workshop_with(&[]);
    if let Some(workshop) = &workshop {
        refuse_narrowed(program, config, workshop)?;
    }
    let mut first = None;
    if workshop.is_none() {
        let report = whatever_fields_hold(config)?;
        workshop = match behind(&report.violations) {
            classes if classes.is_empty() => None,
            classes => workshop_with(&classes),
        };
        if workshop.is_none() {
            return Ok(report);
        }
        first = Some(report);
    }
    let Some(mut workshop) = workshop else { return whatever_fields_hold(config) };
    let keeps_others = keeps_others(program, &workshop.classes);
    let mut explore_made = |config: &Config, workshop: &Workshop, is_enough: &dyn Fn(&Summary) -> bool| {
        let config = config.clone().with(|config| {
            config.engine = Engine::Paths;
            config.inputs = Inputs::OnlyCalls;
        });
        explore_once(program, method, &config, progress, || {
            parallel::run_on_made(program, method, &config, progress, workshop.clone(), pools, is_enough)
        })
    };
    // A fault on an object of a further class, which stands behind a wider type, needs calls of that class.
    let mut made_by_calls = |config: &Config, is_enough: &dyn Fn(&Summary) -> bool| loop {
        let report = explore_made(config, &workshop, is_enough)?;
        let mut classes = behind(&report.violations);
        classes.retain(|class| !workshop.made.contains(&class.id));
        if classes.is_empty() {
            return Ok::<Report, Failure>(report);
        }
        classes.extend(workshop.classes.iter().copied());
        match workshop_with(&classes) {
            Some(wider) => workshop = wider,
            None => return Ok(report),
        }
    };
    if config.inputs == Inputs::OnlyCalls {
        return made_by_calls(config, &|_| false);
    }
    if config.report.goal.is_some() {
        // Only paths on inputs that calls make count as covered.
        let is_goal_met = |_: &Summary| progress.is_goal_met.load(Ordering::Relaxed);
        let report = made_by_calls(config, &is_goal_met)?;
        if progress.is_goal_met.load(Ordering::Relaxed) {
            return Ok(report);
        }
    }
    let config = &config.clone().with(|config| config.report.goal = None);
    // The first layer must leave time for the second, which it cannot do without if it is not complete.
    let half = config.limits.deadline.map(|end| {
        let now = Instant::now();
        now + end.saturating_duration_since(now) / 2
    });
    let first = match first {
        Some(report) => report,
        None => whatever_fields_hold(&config.clone().with(|config| {
            config.limits.deadline = half;
            config.bounds.is_constructed = true;
        }))?,
    };
    let is_over = progress.stop.load(Ordering::Relaxed);
    if is_over {
        return Ok(without_violations(first));
    }
    if first.verdict() == Verdict::Holds {
        let is_narrowed = |restriction: &Restriction| matches!(restriction, Restriction::Represented { .. });
        let is_unknown_code = |assumption: &Assumption| matches!(assumption, Assumption::UnknownCode { .. });
        let is_narrower = first.restrictions.iter().any(is_narrowed) || first.assumptions.iter().any(is_unknown_code);
        if !keeps_others || !is_narrower {
            return Ok(first);
        }
        // Calls may put more there than fields are thought to hold. Where that shows no fault, the verdict stays what it is.
        let made = made_by_calls(config, &|_| false)?;
        return Ok(if made.verdict() == Verdict::Violated { joined(first, made) } else { first });
    }
    // If no fault is left out, there is nothing to look for behind the last of them.
    let is_enough = |summary: &Summary| {
        let is_found = |fault: &Violation| summary.has_found(&fault.kind, &fault.at, fault.clause.as_deref());
        first.not_explored.is_empty() && first.violations.iter().all(is_found)
    };
    // No longer sequences are tried than the user wants.
    if first.violations.is_empty() || config.input_calls.is_some() {
        let made = made_by_calls(config, &is_enough)?;
        return Ok(joined(first, made));
    }
    let hunt_time = hunt_time(config);
    let mut made = made_by_calls(
        &config.clone().with(|config| config.limits.deadline = config.limits.deadline.map(|end| end - hunt_time)),
        &is_enough,
    )?;
    // Where no bound and no limit ended the search, no calls make the input.
    let is_cut = !made.not_explored.is_empty()
        || made.restrictions.iter().any(|restriction| matches!(restriction, Restriction::Calls { .. }));
    if !is_cut {
        return Ok(joined(first, made));
    }
    // The time that the sequences have left goes to longer ones, but for what larger scopes need.
    let now = Instant::now();
    let left = config.limits.deadline.map_or(HUNT_TIME, |end| end.saturating_duration_since(now));
    let latest = now + hunt_time.max(left / SPARE_SHARE).min(left);
    for (number, fault) in first.violations.iter().enumerate() {
        // Calls may lead to none of the others, which must not take all the time.
        let left = latest.saturating_duration_since(Instant::now());
        let share = left / (first.violations.len() - number) as u32;
        if share.is_zero() {
            break;
        }
        let hunting = config.clone().with(|config| config.limits.deadline = Some(Instant::now() + share));
        if let Some(found) = hunted(program, method, &hunting, progress, &workshop, fault, &made)? {
            made.violations.push(found);
        }
    }
    Ok(joined(first, made))
}

/// Of the time that is left, one part of so many is for inputs like those of faults for which no calls were found.
const HUNT_SHARE: u32 = 8;
/// Of what is left when all sequences were tried, one part of so many is added.
const SPARE_SHARE: u32 = 3;
/// It takes this long where there is no limit.
const HUNT_TIME: Duration = Duration::from_secs(2);

fn hunt_time(config: &Config) -> Duration {
    let left = config.limits.deadline.map(|end| end.saturating_duration_since(Instant::now()));
    left.map_or(HUNT_TIME, |left| left / HUNT_SHARE)
}

/// The same fault on an input that calls make, if longer sequences of calls lead to one that is like its example.
fn hunted(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    workshop: &Workshop,
    fault: &Violation,
    made: &Report,
) -> Result<Option<Violation>, Failure> {
    let is_known = made.violations.iter().any(|known| known.has_cause_of(fault));
    let is_over = progress.stop.load(Ordering::Relaxed) || config.limits.first_defect && !made.violations.is_empty();
    let Some(case) = fault.outcome.case.as_ref().filter(|_| !is_known && !is_over) else { return Ok(None) };
    if fault.finding != FindingKind::Defect {
        return Ok(None);
    }
    let config = config.clone().with(|config| {
        config.engine = Engine::Paths;
        config.inputs = Inputs::OnlyCalls;
    });
    let wanted = Likeness::of_case(case);
    let is_enough = |summary: &Summary| summary.has_found(&fault.kind, &fault.at, fault.clause.as_deref());
    let report = explore_once(program, method, &config, progress, || {
        parallel::run_hunt(program, method, &config, progress, workshop.clone(), (&wanted, &is_enough))
    })?;
    Ok(report.violations.into_iter().find(|found| found.has_cause_of(fault)))
}

/// The contents of fields cannot be narrowed where calls write it, nor can parts of the input be kept apart.
fn refuse_narrowed(program: &Program, config: &Config, workshop: &Workshop) -> Result<(), Failure> {
    let made = program.users().iter().find(|class| workshop.made.contains(&class.id));
    if let Some(class) = made.filter(|_| !config.bounds.regions.is_empty()) {
        return Err(RequestError::RegionOfMade { class: class.java_name() }.into());
    }
    for limit in &config.bounds.fields {
        let owner = limit.resolve(program).map_err(RequestError::from)?.owner;
        if workshop.made.contains(&owner.id) {
            return Err(RequestError::FieldOfMade { field: limit.name(), class: owner.java_name() }.into());
        }
    }
    Ok(())
}

/// The report about the inputs that calls make, with notes of faults on others.
fn joined(first: Report, made: Report) -> Report {
    if first.violations.is_empty() && made.verdict() == Verdict::Incomplete {
        return first;
    }
    // All faults are on inputs that calls make, and whatever the fields hold there are no others.
    let is_violated = |fault: &Violation| made.violations.iter().any(|other| other.has_cause_of(fault));
    let is_same = first.not_explored.is_empty() && first.violations.iter().all(is_violated);
    if is_same && !first.violations.is_empty() {
        let mut report = first;
        report.elapsed += made.elapsed;
        report.violations = made.violations;
        // Nor is anything else a finding that was noticed on inputs that no calls make.
        report.findings = made.findings;
        return report;
    }
    let mut report = made;
    report.elapsed += first.elapsed;
    let others: Vec<Violation> = first.violations.into_iter().filter(|fault| !is_in(fault, &report)).collect();
    note_others(&mut report, others);
    report
}

/// Of an exploration that ended before calls were looked for that make the inputs of its faults.
fn without_violations(mut report: Report) -> Report {
    let faults = std::mem::take(&mut report.violations);
    if !faults.is_empty() {
        report.not_explored.push(NotExplored {
            why: Reason::PathsLeft(Resource::Stopped),
            at: String::new(),
            count: 1,
        });
    }
    note_others(&mut report, faults);
    report
}

fn note_others(report: &mut Report, faults: Vec<Violation>) {
    let noted = faults.into_iter().map(|fault| Violation { finding: FindingKind::Note, ..fault });
    report.findings.extend(noted);
}

/// Did the other exploration find the same fault?
fn is_in(fault: &Violation, report: &Report) -> bool {
    report.violations.iter().chain(&report.findings).any(|other| other.has_cause_of(fault))
}
