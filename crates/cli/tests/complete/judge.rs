//! Do the paths of an exploration and the runs on the real JVM tell the same story?

use std::collections::HashSet;

use lazuli_explore::{Ending, Outcome, Report, Shown, ShownContents};

use super::matching::{Match, Mismatch};
use super::runs::{End, Run, Runs};

/// How many complaints are shown; one fault has often many.
const SHOWN: usize = 4;
/// How much of a condition is shown.
const LONGEST: usize = 1000;

/// Everything that does not fit, as text; nothing if all does. A few paths may have no run because the domain is too small.
pub fn judge(report: &Report, runs: &Runs, paths_outside_domain: usize) -> Result<(), String> {
    let mut complaints = Vec::new();
    for missing in &report.not_explored {
        complaints.push(format!("not explored: {:?} at {} ({} times)", missing.why, missing.at, missing.count));
    }
    let mut counts = vec![0; report.outcomes.len()];
    // Many runs give cause for the same complaint; the first of them is shown.
    let mut known = HashSet::new();
    for run in &runs.runs {
        if let Err(complaint) = judge_run(report, runs, run, &mut counts) {
            let with_run = format!("{complaint}\n    {}", run.text);
            if known.insert(complaint) {
                complaints.push(with_run);
            }
        }
    }
    let without: Vec<&Outcome> =
        report.outcomes.iter().zip(&counts).filter(|(_, count)| **count == 0).map(|(outcome, _)| outcome).collect();
    if without.len() > paths_outside_domain {
        let described = without.iter().map(|outcome| format!("no input takes the path {}", describe(outcome)));
        complaints.extend(described);
    }
    if complaints.is_empty() {
        return Ok(());
    }
    let more = complaints.len().saturating_sub(SHOWN);
    complaints.truncate(SHOWN);
    let summary = format!("{} paths, {} inputs", report.outcomes.len(), runs.runs.len());
    Err(format!("{summary}\n{}\nand {more} more complaints", complaints.join("\n")))
}

fn judge_run(report: &Report, runs: &Runs, run: &Run, counts: &mut [usize]) -> Result<(), String> {
    let mut taken: Option<(usize, Match)> = None;
    for (index, outcome) in report.outcomes.iter().enumerate() {
        let found = Match::of_input(runs, &run.before, &outcome.input)
            .and_then(|found| found.satisfies(&outcome.condition).map(|()| found));
        match found {
            Err(Mismatch::Different(_)) => {}
            Err(Mismatch::Unclear(why)) => return Err(format!("{why}: {}", describe(outcome))),
            Ok(found) => {
                counts[index] += 1;
                if let Some((other, _)) = taken {
                    let (one, other) = (describe(&report.outcomes[other]), describe(outcome));
                    return Err(format!("an input takes two paths: {one} and {other}"));
                }
                taken = Some((index, found));
            }
        }
    }
    let Some((index, found)) = taken else { return Err("an input takes no path".to_string()) };
    let outcome = &report.outcomes[index];
    judge_end(outcome, run, &found).map_err(|complaint| format!("{complaint}: {}", describe(outcome)))
}

fn judge_end(outcome: &Outcome, run: &Run, found: &Match) -> Result<(), String> {
    match (&outcome.ending, &run.end) {
        (Ending::Returned, End::Returned) => {}
        (Ending::Threw { class, .. }, End::Threw(thrown)) if class == thrown => {}
        (ending, end) => return Err(format!("a run ends with {end:?}, its path with {ending:?}")),
    }
    let explain = |mismatch: Mismatch| match mismatch {
        Mismatch::Different(why) => format!("the heap after a run differs: {why}"),
        Mismatch::Unclear(why) => format!("the output is unclear: {why}"),
    };
    let mut after = found.of_output(&run.after, &outcome.output).map_err(explain)?;
    match (&outcome.result, run.result) {
        (None, None) => Ok(()),
        (Some(shown), Some(value)) => after.is_value(shown, value).map_err(explain),
        (shown, value) => Err(format!("a run returns {value:?}, its path {shown:?}")),
    }
}

/// A path in one line, with what is needed to understand a complaint about it.
pub fn describe(outcome: &Outcome) -> String {
    let condition: Vec<String> = outcome.condition.iter().map(|conjunct| conjunct.to_string()).collect();
    let roots = outcome.input.roots.iter().map(|(name, value)| format!("{name} = {}", show(value)));
    let objects = outcome.input.objects.iter().enumerate().map(|(index, drawn)| {
        let openness = if drawn.is_exact { "" } else { "+" };
        // Of several possible classes, all are told if some were excluded.
        let among = if drawn.among.is_empty() { String::new() } else { format!("({})", drawn.among.join("|")) };
        format!("#{index} = {}{openness}{among} {}", drawn.class, show_contents(&drawn.contents))
    });
    let end = match &outcome.ending {
        Ending::Returned => format!("returns {}", outcome.result.as_ref().map_or("nothing".into(), show)),
        Ending::Threw { class, .. } => format!("throws {class}"),
        other => format!("{other:?}"),
    };
    let input: Vec<String> = roots.chain(objects).collect();
    let mut condition = condition.join(" && ");
    if condition.len() > LONGEST {
        condition.truncate(condition.floor_char_boundary(LONGEST));
        condition.push('…');
    }
    format!("{} where [{condition}] {end}", input.join(", "))
}

fn show(value: &Shown) -> String {
    match value {
        Shown::Unread => "?".to_string(),
        Shown::Null => "null".to_string(),
        Shown::Object(index) => format!("#{index}"),
        Shown::Value(expression) => expression.to_string(),
        Shown::Unknown { class, may_be_null } => format!("{}{class}", if *may_be_null { "null or " } else { "some " }),
    }
}

fn show_contents(contents: &ShownContents) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match contents {
        ShownContents::Fields(fields) => {
            format!("{{{}}}", list(fields.iter().map(|(name, value)| format!("{name}: {}", show(value))).collect()))
        }
        ShownContents::Elements { length, items, others } => {
            let items = items.iter().map(|(index, value)| format!("{index}: {}", show(value))).collect();
            format!("[{}; others: {}; length {length}]", list(items), show(others))
        }
        ShownContents::Text(text) => format!("{:?}", String::from_utf16_lossy(text)),
    }
}
