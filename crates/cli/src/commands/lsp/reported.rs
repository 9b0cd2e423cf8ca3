//! What does a check report about a target, and how does an editor show it?

use std::collections::HashMap;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range,
};
use serde::Deserialize;

use super::places::SourcePlaces;

/// Statements of a counterexample that a message shows; the hover has all of it.
const MOST_STATEMENTS: usize = 12;

/// Of the JSON report, as much as an editor shows, with the words of the text report.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TargetReport {
    #[serde(default)]
    pub target: String,
    #[serde(default)]
    pub title: String,
    pub verdict: String,
    /// Why it was not checked.
    #[serde(default)]
    pub error: Option<String>,
    #[serde(default)]
    violations: Vec<ReportedFault>,
    #[serde(default)]
    not_explored: Vec<ReportedGap>,
    /// Its part of the text report: the drawing is in it.
    #[serde(skip)]
    pub words: String,
}

#[derive(Clone, Debug, Deserialize)]
struct ReportedFault {
    kind: String,
    message: String,
    at: String,
    calls: Vec<String>,
    ending: ReportedEnding,
    confirmed_on_jvm: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
struct ReportedEnding {
    #[serde(default)]
    stack: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct ReportedGap {
    why: String,
}

/// The reports of a run, as far as they are written. One that is being written is left out.
pub(super) fn read(json: &str, text: &str) -> Vec<TargetReport> {
    let mut words: HashMap<&str, String> = HashMap::new();
    let mut title = "";
    for line in text.lines() {
        // The words about a target begin in the first column with its title, and go on indented.
        if let Some(end) = line.find("): ").filter(|_| !line.starts_with(char::is_whitespace)) {
            title = &line[..=end];
        }
        let block = words.entry(title).or_default();
        block.push_str(line);
        block.push('\n');
    }
    let reports = serde_json::Deserializer::from_str(json).into_iter::<TargetReport>().map_while(Result::ok);
    let with_words = |mut report: TargetReport| {
        report.words = words.get(report.title.as_str()).map(|words| words.trim_end().to_string()).unwrap_or_default();
        report
    };
    reports.map(with_words).collect()
}

impl TargetReport {
    /// "violated: NullPointerException at Node.java:12", as the first line of its words says it.
    pub(super) fn judgement(&self) -> String {
        let line = self.words.lines().next().unwrap_or_default();
        line.strip_prefix(&format!("{}: ", self.title)).unwrap_or(&self.verdict).to_string()
    }

    /// Markdown in which nothing of the program is taken for markup: a fence that is longer than any inside.
    pub(super) fn hover(&self) -> String {
        let longest = self.words.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        format!("{fence}text\n{}\n{fence}", self.words)
    }

    /// Diagnostics, each with the file that it belongs to. `begins` is the line of the method's declaration, counted from 1.
    pub(super) fn diagnostics(&self, begins: &Location, places: &SourcePlaces) -> Vec<(Location, Diagnostic)> {
        if let Some(error) = &self.error {
            return vec![self.diagnostic(
                begins.clone(),
                DiagnosticSeverity::WARNING,
                "not-checked",
                format!("not checked: {error}"),
            )];
        }
        let faults = self.violations.iter().map(|fault| {
            let place = places.of_fault(&self.target, &fault.at, &fault.ending.stack).unwrap_or_else(|| begins.clone());
            let (place, mut diagnostic) = self.diagnostic(place, DiagnosticSeverity::ERROR, "violated", fault.words());
            let frames = fault.ending.stack.iter().skip(1).filter_map(|frame| Some((frame, places.of_frame(frame)?)));
            let mut related: Vec<DiagnosticRelatedInformation> = frames
                .map(|(frame, location)| DiagnosticRelatedInformation {
                    location,
                    message: format!("called at {frame}"),
                })
                .collect();
            if place != *begins {
                related.push(DiagnosticRelatedInformation {
                    location: begins.clone(),
                    message: format!("checked: {}", self.title),
                });
            }
            diagnostic.related_information = Some(related);
            (place, diagnostic)
        });
        let mut all: Vec<_> = faults.collect();
        if self.verdict == "incomplete" {
            let mut why: Vec<&str> = self.not_explored.iter().map(|gap| gap.why.as_str()).collect();
            why.dedup();
            let why = if why.is_empty() { self.judgement() } else { format!("not explored: {}", why.join("; ")) };
            all.push(self.diagnostic(begins.clone(), DiagnosticSeverity::INFORMATION, "incomplete", why));
        }
        all
    }

    fn diagnostic(
        &self,
        place: Location,
        severity: DiagnosticSeverity,
        code: &str,
        message: String,
    ) -> (Location, Diagnostic) {
        let diagnostic = Diagnostic {
            range: place.range,
            severity: Some(severity),
            code: Some(NumberOrString::String(code.to_string())),
            source: Some("lazuli".to_string()),
            message: if self.title.is_empty() { message } else { format!("{}: {message}", self.title) },
            ..Diagnostic::default()
        };
        (place, diagnostic)
    }
}

impl ReportedFault {
    /// The fault, and the counterexample as code.
    fn words(&self) -> String {
        let mut words = self.kind.clone();
        if !self.message.is_empty() {
            words.push_str(&format!(": {}", self.message));
        }
        if self.confirmed_on_jvm == Some(true) {
            words.push_str(" (confirmed on the JVM)");
        }
        for statement in self.calls.iter().take(MOST_STATEMENTS) {
            words.push_str(&format!("\n    {statement}"));
        }
        if self.calls.len() > MOST_STATEMENTS {
            words.push_str(&format!("\n    … {} more", self.calls.len() - MOST_STATEMENTS));
        }
        words
    }
}

/// A whole line, counted from 1. Editors cut a range that is longer than its line.
pub(super) fn line_range(line: u32) -> Range {
    let line = line.saturating_sub(1);
    Range { start: Position { line, character: 0 }, end: Position { line, character: 1000 } }
}
