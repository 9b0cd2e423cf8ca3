//! How is what was found told to the user? Each sibling is one way to tell it; this file has what they agree on.

mod assumptions;
mod changes;
mod diagram;
mod html;
mod json;
mod junit;
pub mod picture;
pub mod reasons;
#[cfg(test)]
pub mod samples;
mod sarif;
mod sources;
mod text;

use std::time::Duration;

use lazuli_console::numbers::count;
use lazuli_console::visible::visible;
use lazuli_explore::{Bounds, Report, Verdict};
use lazuli_logic::Statistics;

use crate::confirm::{Confirmation, OnJvm};

pub use assumptions::{assumed, assumption, restriction};
pub use diagram::drawn;
pub use html::html;
pub use json::{json, json_error};
pub use junit::junit;
pub use sarif::sarif;
pub use sources::Sources;
pub use text::{Style, text};

/// All that is known about one target.
#[derive(Clone)]
pub struct Finding {
    pub technique: String,
    /// The bounds under which the report was made.
    pub bounds: Bounds,
    pub report: Report,
    /// What became of each violation on the user's JVM.
    pub confirmations: Vec<Confirmation>,
    /// The next larger scope, if it was begun and not finished.
    pub unfinished: Option<Unfinished>,
    /// The scopes that were tried, in their order.
    pub tried: Vec<Tried>,
    /// For all scopes that were tried.
    pub elapsed: Duration,
    /// Of the process, in megabytes.
    pub peak_memory: u64,
    /// Is this only what matters of the report, because all of it took too long to write?
    pub is_abridged: bool,
}

/// A whole run, for reports that are one document.
pub struct Run<'a> {
    pub findings: &'a [Finding],
    /// Targets about which nothing can be said: their titles, and why.
    pub failures: &'a [(String, String)],
    pub exit_code: u8,
    pub sources: &'a Sources,
}

/// What it took to explore a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    pub scope: usize,
    pub paths: u64,
    pub elapsed: Duration,
    pub is_complete: bool,
}

/// What the user's JVM says about a violation; absent as long as nobody asked it.
#[derive(Clone, Default)]
pub struct Proof<'a> {
    /// The source of a JUnit test that fails.
    pub test: Option<&'a str>,
    /// As a sentence: "Confirmed on the JVM: …".
    pub confirmation: Option<String>,
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
    pub fn new(technique: String, bounds: Bounds, mut report: Report) -> Finding {
        // In the order of their words, which readers can follow.
        report.not_explored.sort_by_cached_key(|entry| (reasons::reason(&entry.why), entry.at.clone()));
        report.unconfirmed.sort_by_cached_key(|entry| (reasons::reason(&entry.why), entry.at.clone()));
        report.warnings.sort_by_cached_key(reasons::warning);
        let elapsed = report.elapsed;
        let (confirmations, tried, unfinished) = (Vec::new(), Vec::new(), None);
        let (peak_memory, is_abridged) = (0, false);
        Finding { technique, bounds, report, confirmations, unfinished, tried, elapsed, peak_memory, is_abridged }
    }

    /// What was not explored is never taken for fine, whether or not the report lists it.
    pub fn verdict(&self) -> Verdict {
        let ends = &self.report.ends;
        match self.report.verdict() {
            Verdict::Holds if ends.limit + ends.unsupported + ends.unknown > 0 => Verdict::Incomplete,
            verdict => verdict,
        }
    }

    /// How it was checked: `paths`, or `sat`.
    pub fn engine(&self) -> &'static str {
        if self.knows_paths() { "paths" } else { "sat" }
    }

    /// Are there paths to speak of, and not one problem?
    fn knows_paths(&self) -> bool {
        self.report.problem.is_none()
    }

    /// The verdict in one line.
    pub fn headline(&self) -> String {
        visible(&format!("{}: {}", self.report.title, self.judgement())).into_owned()
    }

    pub fn judgement(&self) -> String {
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
                [only] => format!("incomplete: {}", reasons::reason(&only.why)),
                [first, others @ ..] => {
                    format!("incomplete: {}, and {} more", reasons::reason(&first.why), others.len())
                }
            },
        }
    }

    /// What the user's JVM says about a violation, by its number.
    fn proof(&self, violation: usize) -> Proof<'_> {
        let Some(Confirmation { on_jvm, test }) = self.confirmations.get(violation) else { return Proof::default() };
        let confirmation = match on_jvm {
            OnJvm::NotAsked => None,
            OnJvm::Confirmed { version } => Some(format!("Confirmed on the JVM ({version}).")),
            OnJvm::NotConfirmed { why } => Some(format!("Not confirmed: {why}")),
            OnJvm::Differs { what, .. } => Some(format!("The JVM disagrees, which is a bug of Lazuli: {what}")),
        };
        Proof { test: test.as_deref(), confirmation }
    }

    /// The class and the method of the title: `acme.Node` and `swap(int)`.
    fn class_and_method(&self) -> (&str, &str) {
        split_title(&self.report.title)
    }

    /// What is odd about the check, and about this report of it.
    fn warnings(&self) -> Vec<String> {
        let abridged = self.is_abridged.then(|| "the report was cut, because it took too long to write".to_string());
        abridged.into_iter().chain(self.report.warnings.iter().map(reasons::warning)).collect()
    }

    /// What is odd, and which clauses of JML have no effect.
    fn remarks(&self) -> Vec<String> {
        let unused = self.report.unused_clauses.iter();
        let unused = unused.map(|clause| format!("not used: {} (at {}): {}", clause.text, clause.at, clause.why));
        self.warnings().into_iter().chain(unused).collect()
    }

    /// What else there is to say about the scope.
    fn unfinished_sentence(&self) -> Option<String> {
        let unfinished = self.unfinished.as_ref()?;
        let after = match self.knows_paths() {
            true => format!(" after {}", count(unfinished.paths, "path", "paths")),
            false => String::new(),
        };
        Some(format!("Scope {} was not finished: {}{after}.", unfinished.scope, unfinished.why))
    }
}

/// `acme.Node.swap(int)` as `acme.Node` and `swap(int)`.
fn split_title(title: &str) -> (&str, &str) {
    let end = title.find('(').unwrap_or(title.len());
    title[..end].rfind('.').map_or(("", title), |dot| (&title[..dot], &title[dot + 1..]))
}

/// Questions that were answered without the SMT solver.
fn fast_answers(solver: &Statistics) -> u64 {
    solver.trivial + solver.by_model + solver.by_memory + solver.by_order
}
