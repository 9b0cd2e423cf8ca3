//! What has changed since the last report?
//!
//! A report carries the verdicts of its run as data. The next one that is written to the same file reads them there, so that no other place
//! has to remember anything.

use std::collections::BTreeMap;
use std::path::Path;

use lazuli_console::escape::escaped;
use lazuli_console::visible::visible_json;
use lazuli_explore::Verdict;
use serde::{Deserialize, Serialize};

use super::super::RunReport;
use super::word;

/// Larger files are not read: no report is that long.
const LARGEST: u64 = 256 << 20;
/// Runs that the plot shows.
const MOST_RUNS: usize = 24;
/// Where the data begin and end in the page.
const BEGIN: &str = "<script type=\"application/json\" id=\"lazuli-run\">";
const END: &str = "</script>";

/// The verdicts of a run, and how many there were of each kind in the runs before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    verdicts: BTreeMap<String, String>,
    runs: Vec<RunCounts>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct RunCounts {
    violated: usize,
    incomplete: usize,
    holds: usize,
}

impl RunRecord {
    /// The record in an earlier report, if the file is one.
    pub(crate) fn read(path: &Path) -> Option<RunRecord> {
        let metadata = std::fs::metadata(path).ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        let page = String::from_utf8(std::fs::read(path).ok()?).ok()?;
        let (data, _) = page.split_once(BEGIN)?.1.split_once(END)?;
        serde_json::from_str(data).ok()
    }

    fn of(run: &RunReport, earlier: Option<&RunRecord>) -> RunRecord {
        let number = |verdict| run.findings.iter().filter(|finding| finding.verdict() == verdict).count();
        let counts = RunCounts {
            violated: number(Verdict::Violated),
            incomplete: number(Verdict::Incomplete) + run.failures.len(),
            holds: number(Verdict::Holds),
        };
        let before = earlier.map(|earlier| earlier.runs.as_slice()).unwrap_or_default();
        let before = &before[before.len().saturating_sub(MOST_RUNS - 1)..];
        RunRecord {
            verdicts: run
                .findings
                .iter()
                .map(|finding| (finding.report.title.clone(), word(finding.verdict()).to_string()))
                .collect(),
            runs: before.iter().copied().chain([counts]).collect(),
        }
    }

    /// How a verdict compares with that of the last run: "new", "was violated"; nothing if it is the same.
    pub(super) fn change(&self, title: &str, verdict: Verdict) -> Option<String> {
        match self.verdicts.get(title) {
            None => Some("new".to_string()),
            Some(was) if was == word(verdict) => None,
            Some(was) => Some(format!("was {was}")),
        }
    }

    /// "2 methods changed their verdict, 1 is new, 1 is gone."
    fn sentence(&self, run: &RunReport) -> String {
        let changes: Vec<String> =
            run.findings.iter().filter_map(|finding| self.change(&finding.report.title, finding.verdict())).collect();
        let new = changes.iter().filter(|change| *change == "new").count();
        let is_there = |title: &String| run.findings.iter().any(|finding| finding.report.title == *title);
        let gone = self.verdicts.keys().filter(|title| !is_there(title)).count();
        let parts = [(changes.len() - new, "with another verdict"), (new, "new"), (gone, "not checked any more")];
        let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        match parts.is_empty() {
            true => "Since the last report: all verdicts are the same.".to_string(),
            false => format!("Since the last report: {}.", parts.join(", ")),
        }
    }
}

/// The record of this run, for the next one.
pub(super) fn data(run: &RunReport) -> String {
    let record = RunRecord::of(run, run.request.earlier.as_ref());
    let written = serde_json::to_string(&record).unwrap_or_default();
    // Nothing inside may end the element.
    format!("{BEGIN}{}{END}\n", visible_json(written.replace('<', "\\u003c")))
}

/// A sentence, and a bar for each of the last runs. Nothing without an earlier report.
pub(super) fn section(run: &RunReport) -> String {
    let Some(earlier) = &run.request.earlier else { return String::new() };
    let record = RunRecord::of(run, Some(earlier));
    format!("<div class=\"trend\">{}<p>{}</p></div>\n", plot(&record.runs), escaped(&earlier.sentence(run)))
}

fn plot(runs: &[RunCounts]) -> String {
    const HEIGHT: usize = 40;
    const STEP: usize = 12;
    let most = runs.iter().map(|run| run.violated + run.incomplete + run.holds).max().unwrap_or(0).max(1);
    let mut bars = String::new();
    for (index, run) in runs.iter().enumerate() {
        let mut bottom = HEIGHT as f64;
        for (number, class) in [(run.holds, "holds"), (run.incomplete, "incomplete"), (run.violated, "violated")] {
            let height = number as f64 * HEIGHT as f64 / most as f64;
            bottom -= height;
            let x = index * STEP;
            bars.push_str(&format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{bottom:.1}\" width=\"9\" height=\"{height:.1}\"/>"
            ));
        }
    }
    let width = runs.len() * STEP;
    let told =
        runs.iter().map(|run| format!("{} violated, {} incomplete, {} hold", run.violated, run.incomplete, run.holds));
    let told = told.collect::<Vec<_>>().join("; ");
    format!(
        "<svg class=\"runs\" role=\"img\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" height=\"{HEIGHT}\">\
         <title>The last {} runs, the newest on the right: {told}</title>{bars}</svg>",
        runs.len()
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::super::super::sources::Sources;
    use super::super::super::{Finding, RequestWords};
    use super::*;
    use crate::exit::ProcessExit;

    fn page(findings: &[Finding], earlier: Option<RunRecord>) -> String {
        let (sources, request) = (&Sources::new(&[], &[]), &RequestWords { earlier, ..RequestWords::default() });
        super::super::html(&RunReport { findings, failures: &[], exit: ProcessExit::Violated, sources, request })
    }

    #[test]
    fn a_report_is_compared_with_the_one_before_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("report.html");
        assert_eq!(RunRecord::read(&path), None);
        let mut odd = samples::holds();
        odd.report.title = "acme.</script>.f()".to_string();
        let first = page(&[odd, samples::violated()], None);
        assert!(!first.contains("class=\"trend\""));
        std::fs::write(&path, &first).unwrap();
        let earlier = RunRecord::read(&path);
        assert_eq!(earlier.as_ref().map(|record| record.runs.len()), Some(1), "{first}");
        let mut mended = samples::holds();
        mended.report.title = samples::violated().report.title;
        let mut added = samples::incomplete();
        added.report.title = "acme.Added.f()".to_string();
        let second = page(&[mended, added], earlier);
        assert!(
            second.contains("Since the last report: 1 with another verdict, 1 new, 1 not checked any more."),
            "{second}"
        );
        assert!(second.contains("was violated"));
        std::fs::write(&path, "<html>not ours").unwrap();
        assert_eq!(RunRecord::read(&path), None);
    }
}
