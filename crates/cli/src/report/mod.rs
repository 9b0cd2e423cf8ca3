//! How is a finding reported to the user? Each sibling is one format; this file has the parts that they share.

pub(crate) mod assumptions;
mod changes;
mod concurrent;
mod contracts;
mod diagram;
pub(crate) mod extent;
#[cfg(test)]
mod extent_tests;
mod html;
mod json;
mod junit;
mod noticed;
pub(crate) mod output;
pub(crate) mod picture;
mod project;
mod property;
pub(crate) mod publish;
pub(crate) mod reasons;
mod requests;
#[cfg(test)]
pub(crate) mod samples;
mod sarif;
mod schedule;
pub(crate) mod sources;
mod text;
pub(crate) mod witness;

use std::time::Duration;

use lazuli_console::numbers::count;
use lazuli_console::units::LARGEST_SCOPE;
use lazuli_console::visible::visible;
use lazuli_explore::{Bounds, Report, Verdict};
use lazuli_logic::SolverStatistics;
use lazuli_vm::universe::Restriction;
use serde::{Deserialize, Serialize};

use crate::confirm::{Confirmation, JvmVerdict};
use crate::exit::ProcessExit;

pub(crate) use assumptions::{assumed, assumption, restriction};
pub(crate) use diagram::drawn;
pub(crate) use extent::extent;
pub(crate) use html::html;
pub(crate) use json::{json, json_error};
pub(crate) use junit::junit;
pub(crate) use project::{RequestWords, project, refusal, refusals};
pub(crate) use sarif::sarif;
pub(crate) use sources::{Sources, percent_encoded};
pub(crate) use text::{TextStyle, text};

/// All that is known about one target.
#[derive(Clone)]
pub(crate) struct Finding {
    pub technique: String,
    /// The bounds under which the report was made.
    pub bounds: Bounds,
    pub report: Report,
    /// The result of each violation on the user's JVM.
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
    /// Was it found by an earlier run?
    pub is_reused: bool,
}

/// A whole run, for reports that are one document.
pub(crate) struct RunReport<'a> {
    pub findings: &'a [Finding],
    /// Targets about which nothing can be said: their titles, and why.
    pub failures: &'a [(String, String)],
    pub exit: ProcessExit,
    pub sources: &'a Sources,
    pub request: &'a RequestWords,
}

/// The effort for a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tried {
    pub scope: usize,
    pub paths: u64,
    pub elapsed: Duration,
    pub is_complete: bool,
}

/// The verdict of the user's JVM about a violation; absent if it was not run.
#[derive(Clone, Default)]
pub(crate) struct Proof<'a> {
    /// The source of a JUnit test that fails.
    pub test: Option<&'a str>,
    /// As a sentence: "Confirmed on the JVM: …".
    pub confirmation: Option<String>,
    /// The statements that make the input, and call the target.
    pub calls: Vec<String>,
}

/// A scope that was not explored to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unfinished {
    pub scope: usize,
    pub paths: u64,
    /// As the rest of a sentence: "the time limit was reached".
    pub why: String,
}

impl Finding {
    /// A report as it comes from an exploration.
    pub(crate) fn new(technique: String, bounds: Bounds, mut report: Report) -> Finding {
        // In the order of their words, which readers can follow.
        report.not_explored.sort_by_cached_key(|entry| (reasons::reason(&entry.why), entry.at.clone()));
        report.unconfirmed.sort_by_cached_key(|entry| (reasons::reason(&entry.why), entry.at.clone()));
        report.warnings.sort_by_cached_key(reasons::warning);
        let elapsed = report.elapsed;
        Finding {
            technique,
            bounds,
            report,
            confirmations: Vec::new(),
            unfinished: None,
            tried: Vec::new(),
            elapsed,
            peak_memory: 0,
            is_abridged: false,
            is_reused: false,
        }
    }

    /// An unexplored part makes the verdict incomplete, whether or not the report lists it.
    pub(crate) fn verdict(&self) -> Verdict {
        let ends = &self.report.ends;
        match self.report.verdict() {
            Verdict::Holds if ends.limit + ends.unsupported + ends.unknown > 0 => Verdict::Incomplete,
            verdict => verdict,
        }
    }

    /// How it was checked: `paths`, or `sat`.
    pub(crate) fn engine(&self) -> &'static str {
        if self.knows_paths() { "paths" } else { "sat" }
    }

    /// Are there paths to speak of, and not one problem?
    fn knows_paths(&self) -> bool {
        self.report.problem.is_none()
    }

    /// The verdict in one line.
    pub(crate) fn headline(&self) -> String {
        visible(&format!("{}: {}", self.report.title, self.judgement())).into_owned()
    }

    pub(crate) fn judgement(&self) -> String {
        let report = &self.report;
        match self.verdict() {
            Verdict::Holds => format!("holds for {}", extent(report)),
            Verdict::Violated => match report.violations.as_slice() {
                [one] if one.at.is_empty() => format!("violated: {}{}", one.kind, self.otherwise()),
                [one] => format!("violated: {} at {}{}", one.kind, one.at, self.otherwise()),
                several => format!("violated in {} ways{}", several.len(), self.otherwise()),
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

    /// Is everything known about the inputs that no violation is about? A SAT solver is asked for one input at each place, and not for all causes.
    pub(crate) fn holds_otherwise(&self) -> bool {
        let ends = &self.report.ends;
        let is_explored = self.report.not_explored.is_empty() && ends.limit + ends.unsupported + ends.unknown == 0;
        self.verdict() == Verdict::Violated && is_explored && self.knows_paths()
    }

    /// As the rest of a sentence about violations: "; holds otherwise up to scope 3".
    fn otherwise(&self) -> String {
        if !self.holds_otherwise() {
            return String::new();
        }
        let restrictions = &self.report.restrictions;
        let calls = restrictions.iter().find_map(Restriction::calls).map(|most| count(most as u64, "call", "calls"));
        let is_scope = |restriction: &&Restriction| restriction.is_bound() && !restriction.is_about_calls();
        let has_scope =
            restrictions.iter().any(|restriction| is_scope(&restriction)) || !self.report.recipes.is_empty();
        let scope = has_scope.then(|| size(&self.bounds));
        match (scope, calls) {
            (Some(scope), Some(calls)) => format!("; holds otherwise up to {scope} and {calls}"),
            (Some(bound), None) | (None, Some(bound)) => format!("; holds otherwise up to {bound}"),
            (None, None) => "; holds otherwise".to_string(),
        }
    }

    /// The verdict of the user's JVM about a violation, by its number.
    fn proof(&self, violation: usize) -> Proof<'_> {
        let Some(Confirmation { on_jvm, test, .. }) = self.confirmations.get(violation) else {
            return Proof::default();
        };
        let confirmation = match on_jvm {
            JvmVerdict::NotAsked => None,
            JvmVerdict::Confirmed { version } => Some(format!("Confirmed on the JVM ({version}).")),
            JvmVerdict::NotConfirmed { why } => Some(format!("Not confirmed: {why}")),
            JvmVerdict::Differs { what, .. } => Some(format!("The JVM disagrees, which is a bug of Lazuli: {what}")),
        };
        Proof { test: test.as_deref(), confirmation, calls: self.calls(violation).unwrap_or_default() }
    }

    /// The calls that made the input of a violation, where calls did: as a program if there is one, or else as they are known.
    fn calls(&self, violation: usize) -> Option<Vec<String>> {
        let example = self.report.violations.get(violation)?.outcome.example.as_ref()?;
        let known = Some(picture::calls(example)).filter(|calls| !calls.is_empty())?;
        let program = self.confirmations.get(violation).map(|confirmation| confirmation.calls.clone());
        Some(program.filter(|calls| !calls.is_empty()).unwrap_or(known))
    }

    /// The class and the method of the title: `acme.Node` and `swap(int)`.
    fn class_and_method(&self) -> (&str, &str) {
        split_title(&self.report.title)
    }

    /// Warnings about the check, and about this report of it.
    fn warnings(&self) -> Vec<String> {
        let abridged = self.is_abridged.then(|| "the report was cut, because it took too long to write".to_string());
        abridged.into_iter().chain(self.report.warnings.iter().map(reasons::warning)).collect()
    }

    /// Warnings, and the clauses of JML that have no effect.
    fn remarks(&self) -> Vec<String> {
        let unused = self.report.unused_clauses.iter();
        let unused = unused.map(|clause| format!("not used: {} (at {}): {}", clause.text, clause.at, clause.why));
        self.warnings().into_iter().chain(unused).collect()
    }

    /// Remarks about the scope.
    fn unfinished_sentence(&self) -> Option<String> {
        let unfinished = self.unfinished.as_ref()?;
        let after = match self.knows_paths() {
            true => format!(" after {}", count(unfinished.paths, "path", "paths")),
            false => String::new(),
        };
        Some(format!("Scope {} was not finished: {}{after}.", unfinished.scope, unfinished.why))
    }
}

/// The bound on objects that the user gave: "scope 3", or "k 3" where only chains are bounded.
fn size(bounds: &Bounds) -> String {
    match bounds.k {
        Some(k) if bounds.scope == LARGEST_SCOPE => format!("k {k}"),
        _ => format!("scope {}", bounds.scope),
    }
}

/// `acme.Node.swap(int)` as `acme.Node` and `swap(int)`.
fn split_title(title: &str) -> (&str, &str) {
    let end = title.find('(').unwrap_or(title.len());
    title[..end].rfind('.').map_or(("", title), |dot| (&title[..dot], &title[dot + 1..]))
}

/// Questions that were answered without the SMT solver.
fn fast_answers(solver: &SolverStatistics) -> u64 {
    solver.trivial + solver.by_model + solver.by_memory + solver.by_order
}
