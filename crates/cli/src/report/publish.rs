//! Which reports of a run are written, and when?
//!
//! Text and JSON are written target by target; HTML, SARIF and JUnit XML are documents about all of them, and written at the end. The
//! latest finding of each target is kept here until it is published, so that a run that must end at once (`supervisor`) can still
//! publish it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lazuli_console::visible::visible;
use lazuli_explore::{NotExplored, Outcome, Report, Verdict, Violation};
use lazuli_vm::reason::{Reason, Resource};

use crate::arguments::{CheckOptions, Format};
use crate::exit::ProcessExit;
use crate::report::html::trend::RunRecord;
use crate::report::output::{OutputError, ReportOutput};
use crate::report::reasons::reason;
use crate::report::{
    Finding, RequestWords, RunReport, Sources, TextStyle, Unfinished, html, json, json_error, junit, project, refusal,
    sarif, text,
};

/// How often a run that must end asks whether a report is written, for half a second. Tries are counted and not time: on a busy machine,
/// the thread that writes gets its turns as late as the one that waits.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// Entries of each kind in a report that must be short.
const MOST_LISTED: usize = 100;

/// Why the reports cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PublishError {
    #[error("there are {files} files for {reports} report; write --format before each -o.")]
    TooManyFiles { files: usize, reports: usize },
    #[error("of several reports, each needs a file; write -o FILE after each --format.")]
    MissingFile,
    #[error("two reports cannot both be written to {}; choose another file.", .0.display())]
    SameFile(PathBuf),
    #[error(transparent)]
    ReportOutput(#[from] OutputError),
}

#[derive(Clone)]
pub(crate) struct Publisher {
    book: Arc<Mutex<Publication>>,
    /// Where sources and classes are.
    folders: (Vec<PathBuf>, Vec<PathBuf>),
    request: Arc<RequestWords>,
    is_only: bool,
    is_quiet: bool,
    /// Is the text a document about all targets, and not one block for each?
    is_project: bool,
}

/// The reports, and the findings that are not in them yet.
struct Publication {
    /// Each report goes to a file of its own; or there is one, and it is printed.
    reports: Vec<(Format, ReportOutput)>,
    /// Kept for the documents.
    findings: Vec<Finding>,
    failures: Vec<(String, String)>,
    /// In their order.
    targets: Vec<TargetState>,
    /// The target that is being explored.
    current: Option<usize>,
    /// The worst of the targets that are published.
    exit: ProcessExit,
}

/// A target, and how far it is.
struct TargetState {
    /// How it is checked, without anything that was found.
    blank: Finding,
    /// The latest finding, until it is published.
    known: Option<Box<Finding>>,
    /// Its line, once it is published.
    headline: Option<String>,
}

/// Writes a JSON report about a request that is refused as a whole, where one is wanted.
pub(crate) fn refuse(options: &CheckOptions, why: &str) {
    for (position, _) in options.reports.format.iter().enumerate().filter(|(_, format)| **format == Format::Json) {
        // A file that cannot be written was named in the message, or is of no more use than the message.
        if let Ok(mut output) = ReportOutput::open(options.reports.output.get(position).map(|file| file.as_path())) {
            output.write_document(&json_error(None, why, true));
        }
    }
}

impl Publisher {
    /// Opens the files, so that what cannot be written is known before the work. Of each target, there is a finding without anything
    /// that was found; `refused` are targets that cannot be checked, and why.
    pub(crate) fn open(
        options: &CheckOptions,
        targets: Vec<Finding>,
        refused: Vec<(String, String)>,
        skipped: Vec<String>,
    ) -> Result<Publisher, PublishError> {
        let formats = if options.reports.format.is_empty() { &[Format::Text][..] } else { &options.reports.format };
        let files = &options.reports.output;
        if files.len() > formats.len() {
            return Err(PublishError::TooManyFiles { files: files.len(), reports: formats.len() });
        }
        if formats.len() > 1 && files.len() < formats.len() {
            return Err(PublishError::MissingFile);
        }
        if let Some((one, _)) = files.iter().enumerate().find(|(one, file)| files[..*one].contains(file)) {
            return Err(PublishError::SameFile(files[one].clone()));
        }
        let html = formats.iter().position(|format| *format == Format::Html);
        let earlier = html.and_then(|position| RunRecord::read(files.get(position)?));
        let mut reports = Vec::new();
        for (position, format) in formats.iter().enumerate() {
            reports.push((*format, ReportOutput::open(files.get(position).map(|file| file.as_path()))?));
        }
        let is_only = targets.len() == 1 && refused.is_empty();
        let target = |blank| TargetState { blank, known: None, headline: None };
        let book = Publication {
            reports,
            findings: Vec::new(),
            failures: refused,
            targets: targets.into_iter().map(target).collect(),
            current: None,
            exit: ProcessExit::Success,
        };
        Ok(Publisher {
            book: Arc::new(Mutex::new(book)),
            folders: (options.specifications.source.clone(), options.common.class_path()),
            request: Arc::new(RequestWords {
                class_path: options.project.is_none().then(|| options.common.class_path.clone()),
                targets: options.targets.clone(),
                skipped,
                earlier,
            }),
            is_only,
            is_quiet: options.reports.quiet,
            is_project: !is_only && !options.reports.quiet && !options.reports.details && !options.reports.paths,
        })
    }

    fn book(&self) -> MutexGuard<'_, Publication> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The book, if nothing is written about the target yet. If there is, the run was over its limit (`last_words`), and the process ends at any moment
    /// with the exit code of what was written then: nothing may follow it.
    fn book_without(&self, index: usize) -> MutexGuard<'_, Publication> {
        loop {
            let book = self.book();
            if book.targets[index].headline.is_none() {
                return book;
            }
            drop(book);
            std::thread::park();
        }
    }

    fn sources(&self) -> Sources {
        Sources::new(&self.folders.0, &self.folders.1)
    }

    /// Older reports are emptied: there will be new ones. Those that are written target by target begin with what cannot be checked.
    pub(crate) fn begin(&self) {
        let mut book = self.book();
        book.reports.iter_mut().for_each(|(_, output)| output.begin());
        for (title, why) in book.failures.clone() {
            let line = visible(&refusal(&title, &why)).into_owned();
            for (format, output) in &mut book.reports {
                match format {
                    Format::Json => drop(output.write(&json_error(Some((&title, &title)), &why, false))),
                    Format::Text if !self.is_project => drop(output.write(&format!("{line}\n"))),
                    _ => {}
                }
            }
        }
    }

    /// Is only one line for each target wanted?
    pub(crate) fn is_one_line(&self) -> bool {
        let book = self.book();
        self.is_quiet && book.reports.iter().all(|(format, output)| *format == Format::Text && !output.is_file())
    }

    /// A target is being explored from now on.
    pub(crate) fn explores(&self, index: usize) {
        self.book().current = Some(index);
    }

    /// Keeps what is known about a target so far.
    pub(crate) fn note(&self, index: usize, finding: &Finding) {
        let known = Some(Box::new(finding.clone()));
        let mut book = self.book();
        book.targets[index].known = known;
        book.current = None;
    }

    /// Publishes the finding about one target; `exit` is the result of the run so far.
    pub(crate) fn publish(&self, index: usize, finding: Finding, exit: ProcessExit) {
        // If writing the report takes too long, an abridged one is written.
        let known = Some(Box::new(essence(&finding)));
        let styles = {
            let mut book = self.book();
            book.targets[index].known = known;
            book.current = None;
            book.styles()
        };
        let rendered = self.rendered(&finding, &styles);
        let mut book = self.book_without(index);
        book.write(index, finding.headline(), rendered);
        book.keep(finding, self.is_project);
        book.exit = exit;
    }

    /// The text about a target in each report; none for a document.
    fn rendered(&self, finding: &Finding, styles: &[(Format, bool, TextStyle)]) -> Vec<Option<String>> {
        let report = |(format, is_file, style): &(Format, bool, TextStyle)| match format {
            Format::Json => Some(json(finding, self.is_only)),
            Format::Text if self.is_project => None,
            Format::Text if self.is_quiet && !is_file => Some(finding.headline() + "\n"),
            Format::Text if self.is_only || self.is_quiet => Some(text(finding, *style)),
            // An empty line sets the targets apart.
            Format::Text => Some(text(finding, *style) + "\n"),
            Format::Html | Format::Sarif | Format::Junit => None,
        };
        styles.iter().map(report).collect()
    }

    /// Nothing can be said about a target.
    pub(crate) fn fail(&self, index: usize, why: String, exit: ProcessExit) {
        let mut book = self.book_without(index);
        let Report { target, title, .. } = book.targets[index].blank.report.clone();
        let headline = visible(&refusal(&title, &why)).into_owned();
        let report = |(format, _, _): (Format, bool, TextStyle)| match format {
            Format::Json => Some(json_error(Some((&target, &title)), &why, self.is_only)),
            Format::Text if self.is_project => None,
            Format::Text if self.is_only || self.is_quiet => Some(format!("{headline}\n")),
            Format::Text => Some(format!("{headline}\n\n")),
            Format::Html | Format::Sarif | Format::Junit => None,
        };
        let rendered = book.styles().into_iter().map(report).collect();
        book.write(index, headline, rendered);
        book.failures.push((title, why));
        (book.exit, book.current) = (exit, None);
    }

    /// Writes the documents. False if some report is not where the user wanted it.
    pub(crate) fn finish(&self, exit: ProcessExit) -> bool {
        let (findings, failures, formats) = {
            let mut book = self.book();
            book.exit = exit;
            let formats: Vec<Format> = book.reports.iter().map(|(format, _)| *format).collect();
            (std::mem::take(&mut book.findings), book.failures.clone(), formats)
        };
        let sources = self.sources();
        let request = &*self.request;
        let run = RunReport { findings: &findings, failures: &failures, exit, sources: &sources, request };
        for (position, format) in formats.into_iter().enumerate() {
            let style = self.book().reports[position].1.style();
            if let Some(document) = self.document(format, &run, style) {
                let mut book = self.book();
                book.reports[position].1.write_document(&document);
            }
        }
        !self.book().reports.iter().any(|(_, output)| output.has_failed)
    }

    /// Publishes the latest findings of all targets, because the run must end now. `found` are faults of the exploration that does not end,
    /// and its paths.
    pub(crate) fn last_words(&self, resource: Resource, found: (Vec<Violation>, u64)) -> ProcessExit {
        let Some(mut book) = self.book_soon() else { return ProcessExit::Incomplete };
        let styles = book.styles();
        let current = book.current;
        // Documents that are being made have taken the findings; these targets are represented by their lines.
        let published: Vec<(String, String)> = book.targets.iter().filter_map(TargetState::published).collect();
        let is_finishing = book.findings.is_empty() && !published.is_empty();
        let mut exit = book.exit;
        for index in 0..book.targets.len() {
            if book.targets[index].headline.is_some() {
                continue;
            }
            let is_behind = current.is_some_and(|at| at < index);
            let found = (current == Some(index)).then(|| found.clone());
            let finding = book.targets[index].unfinished(resource, is_behind, found);
            exit = exit.max(finding.verdict().into());
            let rendered = self.rendered(&finding, &styles);
            book.write(index, finding.headline(), rendered);
            book.keep(finding, self.is_project);
        }
        let (findings, mut failures) = (std::mem::take(&mut book.findings), book.failures.clone());
        if is_finishing {
            failures = published;
        }
        let sources = self.sources();
        let request = &*self.request;
        let run = RunReport { findings: &findings, failures: &failures, exit, sources: &sources, request };
        for (format, output) in book.reports.iter_mut().filter(|(_, output)| !output.is_written) {
            if let Some(document) = self.document(*format, &run, output.style()) {
                output.write_document(&document);
                // It has only the line of each target.
                exit = exit.max(ProcessExit::of_completeness(!is_finishing));
            }
        }
        exit
    }

    fn document(&self, format: Format, run: &RunReport, style: TextStyle) -> Option<String> {
        match format {
            Format::Html => Some(html(run)),
            Format::Sarif => Some(sarif(run)),
            Format::Junit => Some(junit(run)),
            Format::Text if self.is_project => Some(project(run, style)),
            Format::Text | Format::Json => None,
        }
    }

    /// The book, unless what is written into it does not come to an end: then nothing more can be written.
    fn book_soon(&self) -> Option<MutexGuard<'_, Publication>> {
        for _ in 0..TRIES {
            match self.book.try_lock() {
                Ok(book) => return Some(book),
                Err(std::sync::TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(_) => std::thread::sleep(BETWEEN_TRIES),
            }
        }
        None
    }
}

impl Publication {
    /// Format, whether it goes to a file, and style of each report.
    fn styles(&self) -> Vec<(Format, bool, TextStyle)> {
        self.reports.iter().map(|(format, output)| (*format, output.is_file(), output.style())).collect()
    }

    /// Writes what the reports have to say about a target. A JSON report about one target is a document, and there as a whole.
    fn write(&mut self, index: usize, headline: String, rendered: Vec<Option<String>>) {
        let is_only = self.targets.len() == 1;
        if let Some((_, output)) = self.reports.iter_mut().find(|(_, output)| output.is_file()) {
            output.print(&format!("{headline}\n"));
        }
        for ((format, output), report) in self.reports.iter_mut().zip(rendered) {
            let Some(report) = report else { continue };
            let has_arrived = match format {
                Format::Json if is_only => output.write_document(&report),
                _ => output.write(&report),
            };
            if !has_arrived {
                eprintln!("{headline}");
            }
        }
        self.targets[index].known = None;
        self.targets[index].headline = Some(headline);
    }

    /// Keeps a finding for the documents, if there are any.
    fn keep(&mut self, finding: Finding, is_project: bool) {
        let is_document = |format: &Format| match format {
            Format::Text => is_project,
            Format::Json => false,
            Format::Html | Format::Sarif | Format::Junit => true,
        };
        if self.reports.iter().any(|(format, _)| is_document(format)) {
            self.findings.push(finding);
        }
    }
}

impl TargetState {
    /// Title and line, if it was published.
    fn published(&self) -> Option<(String, String)> {
        self.headline.as_ref().map(|headline| (self.blank.report.title.clone(), headline.clone()))
    }

    /// Nothing was explored.
    fn nothing(&self, why: Reason) -> Finding {
        let mut finding = self.blank.clone();
        finding.report.not_explored.push(NotExplored { why, at: String::new(), count: 1 });
        finding
    }

    /// The finding about a target whose turn did not end, or did not come.
    ///
    /// `found` are the faults and the number of paths of its exploration, if that is what does not end.
    fn unfinished(&mut self, resource: Resource, is_behind: bool, found: Option<(Vec<Violation>, u64)>) -> Finding {
        let is_current = found.is_some();
        let (violations, paths) = found.unwrap_or_default();
        let known = self.known.take().map(|known| *known);
        match known {
            // A finished exploration is never taken back; nor is a scope that was finished, unless a larger one has a fault.
            Some(known) if violations.is_empty() => {
                let is_deepening = is_current && known.unfinished.is_none() && known.verdict() == Verdict::Holds;
                let next = Unfinished { scope: known.bounds.scope + 1, paths, why: reason(&Reason::Ended(resource)) };
                let unfinished = if is_deepening { Some(next) } else { known.unfinished.clone() };
                Finding { unfinished, ..known }
            }
            _ => {
                let why = if is_behind { Reason::NotBegun(resource) } else { Reason::Ended(resource) };
                let mut finding = self.nothing(why);
                finding.report.paths = paths.max(violations.iter().map(|violation| violation.count).sum());
                finding.report.violations = violations;
                if let Some(known) = known {
                    finding.bounds.scope = known.bounds.scope + 1;
                    finding.report.restrictions = known.report.restrictions;
                    finding.report.assumptions = known.report.assumptions;
                }
                finding
            }
        }
    }
}

/// The verdict and its reasons, without what may be long.
fn essence(finding: &Finding) -> Finding {
    let report = &finding.report;
    let short = |violation: &Violation| {
        let outcome = Outcome {
            trace: Vec::new(),
            ending: violation.outcome.ending.clone(),
            condition: Vec::new(),
            input: Default::default(),
            output: Default::default(),
            result: None,
            lines: Vec::new(),
            example: violation.outcome.example.clone(),
            steps: Vec::new(),
            after: None,
            case: None,
            finding: None,
            schedule: None,
            concurrent: None,
        };
        let Violation { finding, kind, message, at, place, instruction, parameter, clause, count, .. } = violation;
        Violation {
            finding: *finding,
            kind: kind.clone(),
            message: message.clone(),
            at: at.clone(),
            place: place.clone(),
            instruction: instruction.clone(),
            parameter: parameter.clone(),
            outcome,
            clause: clause.clone(),
            count: *count,
        }
    };
    let report = Report {
        target: report.target.clone(),
        title: report.title.clone(),
        begins: report.begins.clone(),
        paths: report.paths,
        ends: report.ends,
        problem: report.problem,
        pieces: report.pieces.clone(),
        is_contracted: report.is_contracted,
        precondition: report.precondition.clone(),
        numbers: report.numbers,
        recipes: report.recipes.clone(),
        made_by_calls: report.made_by_calls.clone(),
        violations: report.violations.iter().take(MOST_LISTED).map(short).collect(),
        findings: report.findings.iter().take(MOST_LISTED).map(short).collect(),
        not_explored: report.not_explored.iter().take(MOST_LISTED).cloned().collect(),
        warnings: report.warnings.iter().take(MOST_LISTED).cloned().collect(),
        unused_clauses: report.unused_clauses.iter().take(MOST_LISTED).cloned().collect(),
        // The assumptions and restrictions of a verdict are never left out.
        assumptions: report.assumptions.clone(),
        restrictions: report.restrictions.clone(),
        elapsed: report.elapsed,
        ..Report::default()
    };
    Finding {
        unfinished: finding.unfinished.clone(),
        tried: finding.tried.clone(),
        elapsed: finding.elapsed,
        peak_memory: finding.peak_memory,
        is_abridged: true,
        is_reused: finding.is_reused,
        ..Finding::new(finding.technique.clone(), finding.bounds.clone(), report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn an_abridged_report_speaks_of_the_same_inputs() {
        let mut finding = samples::holds();
        finding.report.made_by_calls = vec!["Cart".to_string()];
        finding.report.numbers = Some((-8, 7));
        assert_eq!(essence(&finding).judgement(), finding.judgement());
        assert!(finding.judgement().contains("every Cart"), "{}", finding.judgement());
    }
}
