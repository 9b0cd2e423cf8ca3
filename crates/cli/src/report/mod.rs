//! How is what was found told to the user? Each sibling is one way to tell it; this file has what they agree on.

mod json;
pub mod picture;
#[cfg(test)]
pub mod samples;
mod text;

use std::time::Duration;

use lazuli_engine::explore::{Bounds, Report, Verdict};
use lazuli_logic::Statistics;

use crate::confirm::Confirmation;
pub use json::json;
pub use text::{Style, count, duration, text};

/// All that is known about one target.
pub struct Finding {
    pub technique: String,
    /// The bounds under which the report was made.
    pub bounds: Bounds,
    pub report: Report,
    /// What became of each violation on the user's JVM.
    pub confirmations: Vec<Confirmation>,
    /// The next larger scope, if it was begun and not finished.
    pub unfinished: Option<Unfinished>,
    /// For all scopes that were tried.
    pub elapsed: Duration,
    /// Of the process, in megabytes.
    pub peak_memory: u64,
}

/// A scope that was not explored to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    pub scope: usize,
    pub paths: u64,
    /// As the rest of a sentence: "the time limit was reached".
    pub why: String,
}

impl Finding {
    /// A report as it comes from an exploration.
    pub fn new(technique: String, bounds: Bounds, report: Report) -> Finding {
        let elapsed = report.elapsed;
        Finding { technique, bounds, report, confirmations: Vec::new(), unfinished: None, elapsed, peak_memory: 0 }
    }

    /// What was not explored is never taken for fine, whether or not the report lists it.
    pub fn verdict(&self) -> Verdict {
        let ends = &self.report.ends;
        match self.report.verdict() {
            Verdict::Holds if ends.limit + ends.unsupported + ends.unknown > 0 => Verdict::Incomplete,
            verdict => verdict,
        }
    }

    /// The verdict in one line.
    pub fn headline(&self) -> String {
        format!("{}: {}", self.report.title, self.judgement())
    }

    fn judgement(&self) -> String {
        let report = &self.report;
        match self.verdict() {
            Verdict::Holds => format!("holds for {}", report.extent()),
            Verdict::Violated => match report.violations.as_slice() {
                [one] if one.at.is_empty() => format!("violated: {}", one.kind),
                [one] => format!("violated: {} at {}", one.kind, one.at),
                several => format!("violated in {} ways", several.len()),
            },
            Verdict::Incomplete => match report.not_explored.as_slice() {
                [] => "incomplete: paths were cut".to_string(),
                [only] => format!("incomplete: {}", only.why),
                [first, others @ ..] => format!("incomplete: {}, and {} more", first.why, others.len()),
            },
        }
    }

    /// What else there is to say about the scope.
    fn unfinished_sentence(&self) -> Option<String> {
        let unfinished = self.unfinished.as_ref()?;
        let paths = count(unfinished.paths, "path", "paths");
        Some(format!("Scope {} was not finished: {} after {paths}.", unfinished.scope, unfinished.why))
    }
}

/// Questions that were answered without the SMT solver.
fn fast_answers(solver: &Statistics) -> u64 {
    solver.trivial + solver.by_model + solver.by_memory + solver.by_order
}
