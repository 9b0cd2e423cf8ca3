//! Which reports of a run are written, and when?
//!
//! Text and JSON are written target by target; HTML, SARIF and JUnit XML are documents about all of them, and written at the end.

use lazuli_engine::program::Method;

use crate::arguments::{CheckOptions, Format};
use crate::output::Output;
use crate::report::{Finding, Run, Sources, html, json, json_error, junit, sarif, text};
use crate::target::title;

pub struct Publisher {
    /// Each report goes to a file of its own; or there is one, and it is printed.
    reports: Vec<(Format, Output)>,
    sources: Sources,
    /// Kept for the documents.
    findings: Vec<Finding>,
    failures: Vec<(String, String)>,
    is_only: bool,
    is_quiet: bool,
}

/// Writes a JSON report about a request that is refused as a whole, where one is wanted.
pub fn refuse(options: &CheckOptions, why: &str) {
    for (position, _) in options.format.iter().enumerate().filter(|(_, format)| **format == Format::Json) {
        // A file that cannot be written was named in the message, or is of no more use than the message.
        if let Ok(mut output) = Output::open(options.output.get(position).map(|file| file.as_path())) {
            output.begin();
            output.write(&json_error(None, why, true));
        }
    }
}

impl Publisher {
    /// Opens the files, so that what cannot be written is known before the work.
    pub fn open(options: &CheckOptions, targets: usize) -> Result<Publisher, String> {
        let formats = if options.format.is_empty() { &[Format::Text][..] } else { &options.format };
        let files = &options.output;
        if files.len() > formats.len() {
            return Err(format!(
                "there are {} files for {} report; write --format before each -o.",
                files.len(),
                formats.len()
            ));
        }
        if formats.len() > 1 && files.len() < formats.len() {
            return Err("of several reports, each needs a file; write -o FILE after each --format.".to_string());
        }
        if let Some((one, _)) = files.iter().enumerate().find(|(one, file)| files[..*one].contains(file)) {
            return Err(format!(
                "two reports cannot both be written to {}; choose another file.",
                files[one].display()
            ));
        }
        let mut reports = Vec::new();
        for (position, format) in formats.iter().enumerate() {
            reports.push((*format, Output::open(files.get(position).map(|file| file.as_path()))?));
        }
        Ok(Publisher {
            reports,
            sources: Sources::new(&options.source, &options.common.class_path()),
            findings: Vec::new(),
            failures: Vec::new(),
            is_only: targets == 1,
            is_quiet: options.quiet,
        })
    }

    /// Older reports are emptied: there will be new ones.
    pub fn begin(&mut self) {
        self.reports.iter_mut().for_each(|(_, output)| output.begin());
    }

    /// Is only one line for each target wanted?
    pub fn is_one_line(&self) -> bool {
        self.is_quiet && self.reports.iter().all(|(format, output)| *format == Format::Text && !output.is_file())
    }

    /// Tells what was found about one target.
    pub fn tell(&mut self, finding: Finding) {
        let headline = finding.headline() + "\n";
        if let Some((_, output)) = self.reports.iter_mut().find(|(_, output)| output.is_file()) {
            output.print(&headline);
        }
        let (is_only, is_quiet) = (self.is_only, self.is_quiet);
        for (format, output) in &mut self.reports {
            let report = match format {
                Format::Json => json(&finding, is_only),
                Format::Text if is_quiet && !output.is_file() => headline.clone(),
                Format::Text if is_only || is_quiet => text(&finding, output.style()),
                // An empty line sets the targets apart.
                Format::Text => text(&finding, output.style()) + "\n",
                Format::Html | Format::Sarif | Format::Junit => continue,
            };
            if !output.write(&report) {
                eprint!("{headline}");
            }
        }
        if self.reports.iter().any(|(format, _)| !matches!(format, Format::Text | Format::Json)) {
            self.findings.push(finding);
        }
    }

    /// Nothing can be said about a target.
    pub fn fail(&mut self, method: &Method, why: String) {
        let title = title(method);
        for (_, output) in self.reports.iter_mut().filter(|(format, _)| *format == Format::Json) {
            output.write(&json_error(Some((&method.full_name(), &title)), &why, self.is_only));
        }
        self.failures.push((title, why));
    }

    /// Writes the documents. False if some report is not where the user wanted it.
    pub fn finish(self, exit_code: u8) -> bool {
        let Publisher { findings, failures, sources, mut reports, .. } = self;
        let run = Run { findings: &findings, failures: &failures, exit_code, sources: &sources };
        for (format, output) in &mut reports {
            let document = match format {
                Format::Html => html(&run),
                Format::Sarif => sarif(&run),
                Format::Junit => junit(&run),
                Format::Text | Format::Json => continue,
            };
            output.write_document(&document);
        }
        !reports.iter().any(|(_, output)| output.has_failed)
    }
}
