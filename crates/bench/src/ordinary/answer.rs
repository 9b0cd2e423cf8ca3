//! Which answer did a method get, in the categories by which people judge a tool?
//!
//! Read from the JSON report alone. Violations are defects; everything else that was noticed is among the findings, with its kind.

use std::time::Duration;

use serde_json::Value;

use super::super::runner::{CellOutcome, TableCell};

/// The category of a method. A method is in one of them: that of the weightiest thing that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MethodCategory {
    /// Nothing was found.
    Holds,
    /// Nothing but exceptions that the method throws on purpose.
    Rejections,
    /// Nothing worse than parameters that are null.
    NullArguments,
    /// Nothing worse than faults of inputs that no calls were found to make.
    Notes,
    /// A defect that the JVM shows as well.
    Confirmed,
    /// Defects, none of which the JVM was seen to show.
    Unconfirmed,
    /// Not everything was explored, and no defect was found.
    Incomplete,
    /// No report.
    Failed,
}

/// In the order of the columns.
pub(super) const ANSWERS: [MethodCategory; 8] = [
    MethodCategory::Holds,
    MethodCategory::Rejections,
    MethodCategory::NullArguments,
    MethodCategory::Notes,
    MethodCategory::Confirmed,
    MethodCategory::Unconfirmed,
    MethodCategory::Incomplete,
    MethodCategory::Failed,
];

impl MethodCategory {
    /// The answer of a measured method.
    pub(super) fn of(cell: &TableCell) -> MethodCategory {
        let Some(measured) = cell.measured() else { return MethodCategory::Failed };
        let report = &measured.report;
        match report["verdict"].as_str() {
            Some("violated") if violations(cell).any(is_confirmed) => MethodCategory::Confirmed,
            Some("violated") => MethodCategory::Unconfirmed,
            Some("holds") => {
                let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
                findings.iter().map(of_finding).max().unwrap_or(MethodCategory::Holds)
            }
            Some("incomplete") => MethodCategory::Incomplete,
            _ => MethodCategory::Failed,
        }
    }

    /// Does it tell the user whether the method is right, up to a bound?
    pub(super) fn is_definite(self) -> bool {
        !matches!(self, MethodCategory::Incomplete | MethodCategory::Failed)
    }

    /// Does it say that the method is wrong?
    pub(super) fn is_violated(self) -> bool {
        matches!(self, MethodCategory::Confirmed | MethodCategory::Unconfirmed)
    }

    /// Above its column, and in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            MethodCategory::Holds => "holds",
            MethodCategory::Rejections => "only rejections",
            MethodCategory::NullArguments => "only null arguments",
            MethodCategory::Notes => "only notes",
            MethodCategory::Confirmed => "violated, confirmed",
            MethodCategory::Unconfirmed => "violated, not confirmed",
            MethodCategory::Incomplete => "incomplete",
            MethodCategory::Failed => "failed",
        }
    }
}

/// The defects that a report tells.
pub(super) fn violations(cell: &TableCell) -> impl Iterator<Item = &Value> {
    let violations = cell.measured().and_then(|measured| measured.report["violations"].as_array());
    violations.into_iter().flatten()
}

/// Did the user's JVM show it?
pub(super) fn is_confirmed(violation: &Value) -> bool {
    violation["confirmed_on_jvm"] == true
}

/// Why a method has no definite answer: the reasons that the report gives, each once.
pub(super) fn reasons(cell: &TableCell) -> Vec<String> {
    let mut reasons: Vec<String> = match &cell.outcome {
        CellOutcome::Measured(measured) => {
            let entries = measured.report["not_explored"].as_array().map_or(&[][..], Vec::as_slice);
            entries.iter().filter_map(|entry| entry["why"].as_str()).map(str::to_string).collect()
        }
        CellOutcome::Failed(why) => vec![why.clone()],
        outcome => vec![outcome.name().to_string()],
    };
    reasons.sort();
    reasons.dedup();
    reasons
}

/// How long the user waited for the answer.
pub(super) fn time(cell: &TableCell) -> Duration {
    cell.measured().map_or(Duration::ZERO, |measured| measured.wall)
}

fn of_finding(finding: &Value) -> MethodCategory {
    match finding["finding"].as_str().or(finding["kind"].as_str()) {
        Some("rejection") => MethodCategory::Rejections,
        Some("null-argument") => MethodCategory::NullArguments,
        _ => MethodCategory::Notes,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::runner::MeasuredCell;
    use super::*;

    fn answer(report: Value) -> MethodCategory {
        let measured = MeasuredCell { report, cpu: Duration::ZERO, wall: Duration::ZERO, peak_memory: 1 };
        MethodCategory::of(&cell(CellOutcome::Measured(measured)))
    }

    fn cell(outcome: CellOutcome) -> TableCell {
        let [subject, target, column] = ["p.A", "p.A.f", "method"].map(str::to_string);
        TableCell { subject, target, column, scope: 0, outcome }
    }

    #[test]
    fn the_weightiest_finding_decides() {
        assert_eq!(answer(json!({"verdict": "holds"})), MethodCategory::Holds);
        let with = |kinds: &[&str]| {
            let findings: Vec<Value> = kinds.iter().map(|kind| json!({"kind": kind})).collect();
            answer(json!({"verdict": "holds", "findings": findings}))
        };
        assert_eq!(with(&["rejection"]), MethodCategory::Rejections);
        assert_eq!(with(&["null-argument", "rejection"]), MethodCategory::NullArguments);
        assert_eq!(with(&["rejection", "note", "null-argument"]), MethodCategory::Notes);
        let violated = |confirmed: &[bool]| {
            let violations: Vec<Value> = confirmed.iter().map(|is| json!({"confirmed_on_jvm": is})).collect();
            answer(json!({"verdict": "violated", "violations": violations}))
        };
        assert_eq!(violated(&[false]), MethodCategory::Unconfirmed);
        assert_eq!(violated(&[false, true]), MethodCategory::Confirmed);
        assert_eq!(answer(json!({"verdict": "incomplete"})), MethodCategory::Incomplete);
        assert_eq!(answer(json!({})), MethodCategory::Failed);
        assert_eq!(MethodCategory::of(&cell(CellOutcome::OutOfTime)), MethodCategory::Failed);
    }

    #[test]
    fn every_answer_has_a_column() {
        assert!(ANSWERS.windows(2).all(|pair| pair[0] < pair[1]), "in the order of their weight, each once");
        assert_eq!(ANSWERS.iter().filter(|answer| answer.is_definite()).count(), 6);
    }

    #[test]
    fn a_method_without_an_answer_has_reasons() {
        let report = json!({"verdict": "incomplete", "not_explored": [{"why": "b"}, {"why": "a"}, {"why": "b"}]});
        let measured = MeasuredCell { report, cpu: Duration::ZERO, wall: Duration::ZERO, peak_memory: 1 };
        assert_eq!(reasons(&cell(CellOutcome::Measured(measured))), ["a", "b"]);
        assert_eq!(reasons(&cell(CellOutcome::OutOfTime)), ["out of time"]);
    }
}
