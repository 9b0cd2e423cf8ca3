//! Which inputs is a verdict about, where a class has no invariant?
//!
//! Three layers, from the strongest statement to the weakest. What holds whatever the fields of objects hold, holds. Where that fails, only
//! inputs count that the program can make: a fault on one that calls make is a violation. A fault for whose input no calls were found is a
//! note. Example: `Cart.total()` with `private final List<Line> lines = new ArrayList<>()` fails if `lines` contains null; it is
//! violated if `add` lets null in, and else the verdict is that it holds for every Cart that so many calls make.

use std::sync::Arc;
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
    let first = match config.inputs {
        Inputs::Calls => explore_once(program, method, config, progress)?,
        Inputs::Fields | Inputs::OnlyCalls => return explore_once(program, method, config, progress),
    };
    let is_settled = first.verdict() == Verdict::Holds || config.technique.makes_inputs();
    if is_settled || Workshop::of(program, method, &config.contract).is_none() {
        return Ok(first);
    }
    let is_over = || {
        let is_stopped = progress.stop.load(std::sync::atomic::Ordering::Relaxed);
        is_stopped || config.limits.deadline.is_some_and(|end| Instant::now() >= end)
    };
    let most = config.most_input_calls();
    let mut best: Option<Report> = None;
    // Few calls first: they show most faults, and a longer search need not come to its end.
    for calls in 1..=most {
        if is_over() {
            break;
        }
        let config = config.clone().with(|config| {
            config.engine = Engine::Paths;
            config.inputs = Inputs::OnlyCalls;
            config.input_calls = Some(calls);
        });
        let report = explore_once(program, method, &config, progress)?;
        let is_cut = is_over() && report.verdict() == Verdict::Incomplete;
        // A search that the time cut short says less than the one before.
        if is_cut && best.as_ref().is_some_and(|best| best.verdict() != Verdict::Incomplete) {
            break;
        }
        let has_all =
            first.verdict() == Verdict::Violated && first.violations.iter().all(|fault| is_in(fault, &report));
        let is_closed = !report.restrictions.iter().any(|restriction| restriction.is_about_calls());
        best = Some(report);
        if has_all || is_closed {
            break;
        }
    }
    Ok(joined(first, best, config.input_calls))
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

/// Did the other exploration find the same fault?
fn is_in(fault: &Violation, report: &Report) -> bool {
    let is_same = |other: &Violation| other.kind == fault.kind && other.at == fault.at && other.clause == fault.clause;
    report.violations.iter().chain(&report.findings).any(is_same)
}
