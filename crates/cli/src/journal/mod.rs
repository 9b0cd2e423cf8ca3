//! Which results of a run that was killed may be reused?
//!
//! Each scope of a target that was explored to its end is one line of a file that only grows, on the disk before the next scope is
//! begun. A run that resumes takes from it what was found by the same Lazuli in the same classes under the same options. Whatever is
//! wrong with the file costs a warning, and that the work is done again.

mod line;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use lazuli_classfile::ClassPath;
use lazuli_console::numbers::count;
use lazuli_console::safe::{self, FileDraft};
use lazuli_console::visible::tell;
use lazuli_explore::{Config, Report};
use serde::Deserialize;

use crate::provenance::{Provenance, ProvenanceError, options};
use line::JournalEntry;

/// The default directory.
pub(crate) const USUAL_DIRECTORY: &str = ".lazuli";
const FILE: &str = "journal.jsonl";

pub(crate) struct Journal {
    /// Nothing if none is wanted, or it cannot be written.
    file: Option<RefCell<JournalFile>>,
}

/// Why no journal is kept.
#[derive(Debug, thiserror::Error)]
enum JournalError {
    #[error(transparent)]
    Provenance(#[from] ProvenanceError),
    #[error("{} cannot be written: {error}", path.display())]
    Unwritable { path: PathBuf, error: std::io::Error },
    #[error("{USUAL_DIRECTORY} is a link; give the directory that it leads to with --journal")]
    LinkedDirectory,
}

struct JournalFile {
    path: PathBuf,
    /// Nothing after a write that failed.
    file: Option<File>,
    provenance: Provenance,
    /// The results of earlier runs, by target, scope and options.
    known: HashMap<(String, usize, String), JournalEntry>,
    /// The scopes of the current target that were not explored again.
    reused: Vec<usize>,
    has_warned_of_options: bool,
}

impl Journal {
    /// No directory: no journal. What an earlier run wrote is dropped unless this one resumes it.
    pub(crate) fn open(directory: Option<&Path>, resumes: bool, classes: &ClassPath) -> Journal {
        let Some(directory) = directory else { return Journal { file: None } };
        let file = Provenance::of(classes)
            .map_err(JournalError::from)
            .and_then(|provenance| JournalFile::open(directory, resumes, provenance));
        if let Err(why) = &file {
            tell!("warning: no journal is kept: {why}. A killed run cannot be resumed.");
        }
        Journal { file: file.ok().map(RefCell::new) }
    }

    /// The report of an earlier run about a target in the scope of the configuration.
    pub(crate) fn find(&self, target: &str, config: &Config) -> Option<Report> {
        self.file.as_ref()?.borrow_mut().find(target, config)
    }

    /// Keeps the report about a scope that was explored to its end.
    pub(crate) fn record(&self, target: &str, config: &Config, report: &Report) {
        if let Some(file) = &self.file {
            file.borrow_mut().record(target, config, report);
        }
    }

    /// Prints which scopes were reused since the last call.
    pub(crate) fn report_reused(&self, title: &str) {
        let Some(file) = &self.file else { return };
        let mut file = file.borrow_mut();
        if let Some(scopes) = in_words(&std::mem::take(&mut file.reused)) {
            tell!("reused: {scopes} of {title}, from {}", file.path.display());
        }
    }
}

impl JournalFile {
    fn open(directory: &Path, resumes: bool, provenance: Provenance) -> Result<JournalFile, JournalError> {
        let path = directory.join(FILE);
        let fault = |error: std::io::Error| JournalError::Unwritable { path: path.clone(), error };
        if directory == Path::new(USUAL_DIRECTORY) && directory.is_symlink() {
            return Err(JournalError::LinkedDirectory);
        }
        safe::make_private(directory).map_err(fault)?;
        let earlier = if resumes { earlier(&path) } else { String::new() };
        // A new file, with what is resumed at its beginning, takes the place of the old one.
        let mut draft = FileDraft::own(&path).map_err(fault)?;
        draft.write_all(earlier.as_bytes()).map_err(fault)?;
        if !earlier.is_empty() && !earlier.ends_with('\n') {
            // The last write was torn. What comes now must not be part of that line.
            draft.write_all(b"\n").map_err(fault)?;
        }
        let file = draft.finish().map_err(fault)?;
        let known = read(&earlier, &path, &provenance);
        Ok(JournalFile { path, file: Some(file), provenance, known, reused: Vec::new(), has_warned_of_options: false })
    }

    fn find(&mut self, target: &str, config: &Config) -> Option<Report> {
        let scope = config.bounds.scope;
        let key = (target.to_string(), scope, options(config));
        let Some(entry) = self.known.get(&key) else {
            let is_about_it = |(known, at, _): &(String, usize, String)| known == target && *at == scope;
            if !self.has_warned_of_options && self.known.keys().any(is_about_it) {
                self.has_warned_of_options = true;
                tell!("{} has results under other options; they are not reused.", self.path.display());
            }
            return None;
        };
        let mut text = serde_json::Deserializer::from_str(entry.report.get());
        // The checksum says that we wrote it ourselves, from something as deep as it is now.
        text.disable_recursion_limit();
        match Report::deserialize(&mut text) {
            // A fault is looked for again: what its run on the JVM needs is not written down.
            Ok(report) if !report.violations.is_empty() => None,
            Ok(report) => {
                self.reused.push(scope);
                Some(report)
            }
            Err(error) => {
                tell!("warning: a result in {} is not reused: {error}.", self.path.display());
                None
            }
        }
    }

    fn record(&mut self, target: &str, config: &Config, report: &Report) {
        let Some(file) = &mut self.file else { return };
        let Provenance { lazuli, classes, .. } = self.provenance.clone();
        let written = serde_json::value::to_raw_value(report).and_then(|report| {
            let scope = config.bounds.scope;
            line::write(&JournalEntry {
                lazuli,
                classes,
                options: options(config),
                target: target.to_string(),
                scope,
                report,
            })
        });
        // One write, so that a kill leaves a line or a torn one, and never two in one another.
        let written = written.map_err(std::io::Error::from);
        let stored = written.and_then(|line| file.write_all(line.as_bytes())).and_then(|()| file.sync_data());
        if let Err(error) = stored {
            let path = self.path.display();
            tell!("warning: {path} cannot be written: {error}. What comes now cannot be resumed.");
            self.file = None;
        }
    }
}

/// The text that an earlier run wrote.
fn earlier(path: &Path) -> String {
    match safe::read(path) {
        // A line that is no text is damaged, and is left out when its checksum is compared.
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            tell!("there is no {} to resume from; everything is explored.", path.display());
            String::new()
        }
        Err(error) => {
            tell!("warning: {} cannot be read: {error}. Everything is explored.", path.display());
            String::new()
        }
    }
}

/// The results of the same origin. Says what was left out.
fn read(text: &str, path: &Path, provenance: &Provenance) -> HashMap<(String, usize, String), JournalEntry> {
    let mut known = HashMap::new();
    let (mut damaged, mut of_others, mut by_others) = (0, 0, 0);
    for line in text.split_inclusive('\n').filter(|line| !line.trim().is_empty()) {
        match line::read(line) {
            // The last line of a run that was killed may be torn; a run that went on has ended it since.
            None => damaged += 1,
            Some(entry) if entry.lazuli != provenance.lazuli => by_others += 1,
            Some(entry) if entry.classes != provenance.classes => of_others += 1,
            Some(entry) => {
                known.insert((entry.target.clone(), entry.scope, entry.options.clone()), entry);
            }
        }
    }
    let path = path.display();
    for (number, what) in [(by_others, "by another Lazuli"), (of_others, "about other classes, or another JDK")] {
        if number > 0 {
            let results = count(number, "result", "results");
            tell!("{path} has {results} {what}; not reused.");
        }
    }
    if damaged > 0 {
        let lines = count(damaged, "line", "lines");
        tell!("{path} has {lines} that a kill tore or somebody changed; left out.");
    }
    known
}

/// `scope 3`, `scopes 1 to 4`: they are found in their order, and none is left out.
fn in_words(scopes: &[usize]) -> Option<String> {
    match scopes {
        [] => None,
        [only] => Some(format!("scope {only}")),
        [first, .., last] => Some(format!("scopes {first} to {last}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{json, samples};

    fn provenance(classes: &str) -> Provenance {
        Provenance { lazuli: "1".to_string(), jdk: String::new(), classes: classes.to_string() }
    }

    fn at_scope(scope: usize) -> Config {
        let mut config = Config::default();
        config.bounds.scope = scope;
        config
    }

    #[test]
    fn a_resumed_run_finds_what_was_recorded_and_only_that() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = JournalFile::open(directory.path(), false, provenance("a")).unwrap();
        let mut finding = samples::holds();
        journal.record("A.f()V", &at_scope(2), &finding.report);
        journal.record("A.f()V", &at_scope(4), &samples::violated().report);

        let mut resumed = JournalFile::open(directory.path(), true, provenance("a")).unwrap();
        let expected = json(&finding, true);
        finding.report = resumed.find("A.f()V", &at_scope(2)).expect("it was recorded");
        assert_eq!(json(&finding, true), expected);
        assert_eq!(resumed.reused, [2]);
        assert!(resumed.find("A.f()V", &at_scope(3)).is_none());
        assert!(resumed.find("A.f()V", &at_scope(4)).is_none(), "a fault is looked for again");
        assert!(resumed.find("A.g()V", &at_scope(2)).is_none());
        assert!(resumed.find("A.f()V", &at_scope(2).with(|config| config.contract.post = false)).is_none());

        let mut others = JournalFile::open(directory.path(), true, provenance("b")).unwrap();
        assert!(others.find("A.f()V", &at_scope(2)).is_none());
        let mut anew = JournalFile::open(directory.path(), false, provenance("a")).unwrap();
        assert!(anew.find("A.f()V", &at_scope(2)).is_none());
    }

    #[test]
    fn a_torn_line_costs_itself_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        let report = samples::holds().report;
        JournalFile::open(directory.path(), false, provenance("a")).unwrap().record("A.f()V", &at_scope(1), &report);
        let line = std::fs::read(&path).unwrap();
        for torn in [1, line.len() / 2, line.len() - 2] {
            let text = [&line, &line[..torn]].concat();
            std::fs::write(&path, text).unwrap();
            let mut journal = JournalFile::open(directory.path(), true, provenance("a")).unwrap();
            assert!(journal.find("A.f()V", &at_scope(1)).is_some());
            journal.record("A.f()V", &at_scope(2), &report);
            let mut next = JournalFile::open(directory.path(), true, provenance("a")).unwrap();
            assert!(next.find("A.f()V", &at_scope(2)).is_some(), "torn after {torn} bytes");
        }
    }

    #[test]
    fn what_is_no_journal_is_no_reason_to_stop() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        std::fs::write(&path, b"\xff\xfe{}\nnothing\n[[[[\n").unwrap();
        let mut journal = JournalFile::open(directory.path(), true, provenance("a")).unwrap();
        assert!(journal.find("A.f()V", &at_scope(1)).is_none());
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(JournalFile::open(directory.path(), true, provenance("a")).is_err());
    }

    #[test]
    fn scopes_are_said_in_words() {
        assert_eq!(in_words(&[]), None);
        assert_eq!(in_words(&[3]).as_deref(), Some("scope 3"));
        assert_eq!(in_words(&[1, 2, 3]).as_deref(), Some("scopes 1 to 3"));
    }
}
