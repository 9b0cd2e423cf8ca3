//! Which inputs is a verdict about, where a class has no invariant?
//!
//! Three layers, from the strongest statement to the weakest. What holds whatever the fields of objects hold, holds. Where that fails, only
//! inputs count that the program can make: a fault on one that calls make is a violation. A fault for whose input no calls were found is a
//! note. Example: `Cart.total()` with `private final List<Line> lines = new ArrayList<>()` fails if `lines` contains null; it is
//! violated if `add` lets null in, and else the verdict is that it holds for every Cart that so many calls make.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use lazuli_reach::workshop::Workshop;
use lazuli_vm::program::{Method, Program};
use lazuli_vm::reason::{Reason, Resource};

use crate::report::FindingKind;
use crate::{Config, Engine, Failure, Inputs, NotExplored, Progress, Report, Verdict, Violation, explore_once};

/// Explores a method layer by layer.
pub(crate) fn explore_in_layers(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Report, Failure> {
    let is_layered = config.inputs == Inputs::Calls && !config.technique.makes_inputs();
    if !is_layered || Workshop::of(program, method, &config.contract).is_none() {
        return explore_once(program, method, config, progress);
    }
    if config.report.goal.is_some() {
        // Only what calls make counts as covered.
        for calls in 1..=config.most_input_calls() {
            let report = explore_once(program, method, &by_calls(config, calls), progress)?;
            if progress.is_goal_met.load(Ordering::Relaxed) {
                return Ok(report);
            }
        }
    }
    let config = &config.clone().with(|config| config.report.goal = None);
    let first = explore_once(program, method, config, progress)?;
    if first.verdict() == Verdict::Holds {
        return Ok(first);
    }
    let is_over = || {
        let is_stopped = progress.stop.load(Ordering::Relaxed);
        is_stopped || config.limits.deadline.is_some_and(|end| Instant::now() >= end)
    };
    let most = config.most_input_calls();
    let mut best: Option<Report> = None;
    // Few calls first: they show most faults, and a longer search need not come to its end.
    for calls in 1..=most {
        if is_over() {
            break;
        }
        let report = explore_once(program, method, &by_calls(config, calls), progress)?;
        let is_cut = is_over() && report.verdict() == Verdict::Incomplete;
        // A search that the time cut short says less than the one before.
        if is_cut && best.as_ref().is_some_and(|best| best.verdict() != Verdict::Incomplete) {
            break;
        }
        let has_all =
            first.verdict() == Verdict::Violated && first.violations.iter().all(|fault| is_in(fault, &report));
        let is_closed = !report.restrictions.iter().any(|restriction| restriction.is_about_calls());
        let is_enough = config.limits.first_defect && report.verdict() == Verdict::Violated;
        best = Some(report);
        if has_all || is_closed || is_enough {
            break;
        }
    }
    Ok(joined(first, best, config.input_calls))
}

/// The same configuration for inputs that so many calls make.
fn by_calls(config: &Config, calls: usize) -> Config {
    config.clone().with(|config| {
        config.engine = Engine::Paths;
        config.inputs = Inputs::OnlyCalls;
        config.input_calls = Some(calls);
    })
}

/// The report about the inputs that calls make, with notes of faults on others. `wanted` is the number of calls that the user asked for.
fn joined(first: Report, made: Option<Report>, wanted: Option<usize>) -> Report {
    // No search by calls came to an end.
    let Some(mut report) = made else {
        let mut report = first;
        let faults = std::mem::take(&mut report.violations);
        note_others(&mut report, faults);
        report.not_explored.push(NotExplored { why: Reason::PathsLeft(Resource::Time), at: String::new(), count: 1 });
        return report;
    };
    if first.violations.is_empty() && report.verdict() == Verdict::Incomplete {
        return first;
    }
    // All faults are on inputs that calls make, and whatever the fields hold there are no others.
    let is_same = first.not_explored.is_empty() && first.violations.iter().all(|fault| is_violated_by(fault, &report));
    if is_same && !first.violations.is_empty() {
        let elapsed = first.elapsed + report.elapsed;
        return Report { violations: report.violations, elapsed, ..first };
    }
    let tried = report.restrictions.iter().find_map(|restriction| restriction.calls());
    if tried.zip(wanted).is_some_and(|(tried, wanted)| tried < wanted) && report.violations.is_empty() {
        report.not_explored.push(NotExplored { why: Reason::PathsLeft(Resource::Time), at: String::new(), count: 1 });
    }
    report.elapsed += first.elapsed;
    let others: Vec<Violation> = first.violations.into_iter().filter(|fault| !is_in(fault, &report)).collect();
    note_others(&mut report, others);
    report
}

fn note_others(report: &mut Report, faults: Vec<Violation>) {
    let noted = faults.into_iter().map(|fault| Violation { finding: FindingKind::Note, ..fault });
    report.findings.extend(noted);
}

fn is_violated_by(fault: &Violation, report: &Report) -> bool {
    report.violations.iter().any(|other| other.has_cause_of(fault))
}

/// Did the other exploration find the same fault?
fn is_in(fault: &Violation, report: &Report) -> bool {
    report.violations.iter().chain(&report.findings).any(|other| other.has_cause_of(fault))
}
