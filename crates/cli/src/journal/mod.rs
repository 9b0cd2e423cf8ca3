//! What is left of a run that was killed, and what of it may be used again?
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
use lazuli_console::safe::{self, Draft};
use lazuli_console::visible::tell;
use lazuli_explore::{Config, Report};
use serde::Deserialize;

use crate::origin::{Origin, options};
use line::Entry;

/// Where it is if nobody says.
pub const USUAL_DIRECTORY: &str = ".lazuli";
const FILE: &str = "journal.jsonl";

pub struct Journal {
    /// Nothing if nobody wants one, or it cannot be written.
    book: Option<RefCell<Book>>,
}

struct Book {
    path: PathBuf,
    /// Nothing after a write that failed.
    file: Option<File>,
    origin: Origin,
    /// What was found earlier, by target, scope and options.
    known: HashMap<(String, usize, String), Entry>,
    /// The scopes of the current target that were not explored again.
    reused: Vec<usize>,
    has_told_of_options: bool,
}

impl Journal {
    /// No directory: no journal. What an earlier run wrote is dropped unless this one resumes it.
    pub fn open(directory: Option<&Path>, resumes: bool, classes: &ClassPath) -> Journal {
        let Some(directory) = directory else { return Journal { book: None } };
        let book = Origin::of(classes).and_then(|origin| Book::open(directory, resumes, origin));
        if let Err(why) = &book {
            tell!("warning: no journal is kept: {why}. A killed run cannot be resumed.");
        }
        Journal { book: book.ok().map(RefCell::new) }
    }

    /// What is known about a target in the scope of the configuration.
    pub fn find(&self, target: &str, config: &Config) -> Option<Report> {
        self.book.as_ref()?.borrow_mut().find(target, config)
    }

    /// Keeps the report about a scope that was explored to its end.
    pub fn record(&self, target: &str, config: &Config, report: &Report) {
        if let Some(book) = &self.book {
            book.borrow_mut().record(target, config, report);
        }
    }

    /// Says what was reused since the last time.
    pub fn tell(&self, title: &str) {
        let Some(book) = &self.book else { return };
        let mut book = book.borrow_mut();
        if let Some(scopes) = in_words(&std::mem::take(&mut book.reused)) {
            tell!("reused: {scopes} of {title}, from {}", book.path.display());
        }
    }
}

impl Book {
    fn open(directory: &Path, resumes: bool, origin: Origin) -> Result<Book, String> {
        let path = directory.join(FILE);
        let fault = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        if directory == Path::new(USUAL_DIRECTORY) && directory.is_symlink() {
            return Err(format!("{USUAL_DIRECTORY} is a link; give the directory that it leads to with --journal"));
        }
        safe::make_private(directory).map_err(fault)?;
        let earlier = if resumes { earlier(&path) } else { String::new() };
        // A new file, with what is resumed at its beginning, takes the place of the old one.
        let mut draft = Draft::own(&path).map_err(fault)?;
        draft.write_all(earlier.as_bytes()).map_err(fault)?;
        if !earlier.is_empty() && !earlier.ends_with('\n') {
            // The last write was torn. What comes now must not be part of that line.
            draft.write_all(b"\n").map_err(fault)?;
        }
        let file = draft.finish().map_err(fault)?;
        let known = read(&earlier, &path, &origin);
        Ok(Book { path, file: Some(file), origin, known, reused: Vec::new(), has_told_of_options: false })
    }

    fn find(&mut self, target: &str, config: &Config) -> Option<Report> {
        let scope = config.bounds.scope;
        let key = (target.to_string(), scope, options(config));
        let Some(entry) = self.known.get(&key) else {
            let is_about_it = |(known, at, _): &(String, usize, String)| known == target && *at == scope;
            if !self.has_told_of_options && self.known.keys().any(is_about_it) {
                self.has_told_of_options = true;
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
        let Origin { lazuli, classes } = self.origin.clone();
        let written = serde_json::value::to_raw_value(report).and_then(|report| {
            let scope = config.bounds.scope;
            line::write(&Entry { lazuli, classes, options: options(config), target: target.to_string(), scope, report })
        });
        // One write, so that a kill leaves a line or a torn one, and never two in one another.
        let written = written.map_err(std::io::Error::from);
        let kept = written.and_then(|line| file.write_all(line.as_bytes())).and_then(|()| file.sync_data());
        if let Err(error) = kept {
            let path = self.path.display();
            tell!("warning: {path} cannot be written: {error}. What comes now cannot be resumed.");
            self.file = None;
        }
    }
}

/// What an earlier run wrote.
fn earlier(path: &Path) -> String {
    match safe::read(path) {
        // What is no text is damaged, and noticed as such line by line.
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
fn read(text: &str, path: &Path, origin: &Origin) -> HashMap<(String, usize, String), Entry> {
    let mut known = HashMap::new();
    let (mut damaged, mut of_others, mut by_others) = (0, 0, 0);
    for line in text.split_inclusive('\n').filter(|line| !line.trim().is_empty()) {
        match line::read(line) {
            // The last line of a run that was killed may be torn; a run that went on has ended it since.
            None => damaged += 1,
            Some(entry) if entry.lazuli != origin.lazuli => by_others += 1,
            Some(entry) if entry.classes != origin.classes => of_others += 1,
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

    fn origin(classes: &str) -> Origin {
        Origin { lazuli: "1".to_string(), classes: classes.to_string() }
    }

    fn at_scope(scope: usize) -> Config {
        let mut config = Config::default();
        config.bounds.scope = scope;
        config
    }

    #[test]
    fn a_resumed_run_finds_what_was_recorded_and_only_that() {
        let directory = tempfile::tempdir().unwrap();
        let mut book = Book::open(directory.path(), false, origin("a")).unwrap();
        let mut finding = samples::holds();
        book.record("A.f()V", &at_scope(2), &finding.report);
        book.record("A.f()V", &at_scope(4), &samples::violated().report);

        let mut resumed = Book::open(directory.path(), true, origin("a")).unwrap();
        let expected = json(&finding, true);
        finding.report = resumed.find("A.f()V", &at_scope(2)).expect("it was recorded");
        assert_eq!(json(&finding, true), expected);
        assert_eq!(resumed.reused, [2]);
        assert!(resumed.find("A.f()V", &at_scope(3)).is_none());
        assert!(resumed.find("A.f()V", &at_scope(4)).is_none(), "a fault is looked for again");
        assert!(resumed.find("A.g()V", &at_scope(2)).is_none());
        assert!(resumed.find("A.f()V", &at_scope(2).with(|config| config.contract.post = false)).is_none());

        let mut others = Book::open(directory.path(), true, origin("b")).unwrap();
        assert!(others.find("A.f()V", &at_scope(2)).is_none());
        let mut anew = Book::open(directory.path(), false, origin("a")).unwrap();
        assert!(anew.find("A.f()V", &at_scope(2)).is_none());
    }

    #[test]
    fn a_torn_line_costs_itself_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        let report = samples::holds().report;
        Book::open(directory.path(), false, origin("a")).unwrap().record("A.f()V", &at_scope(1), &report);
        let line = std::fs::read(&path).unwrap();
        for torn in [1, line.len() / 2, line.len() - 2] {
            let text = [&line, &line[..torn]].concat();
            std::fs::write(&path, text).unwrap();
            let mut book = Book::open(directory.path(), true, origin("a")).unwrap();
            assert!(book.find("A.f()V", &at_scope(1)).is_some());
            book.record("A.f()V", &at_scope(2), &report);
            let mut next = Book::open(directory.path(), true, origin("a")).unwrap();
            assert!(next.find("A.f()V", &at_scope(2)).is_some(), "torn after {torn} bytes");
        }
    }

    #[test]
    fn what_is_no_journal_is_no_reason_to_stop() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        std::fs::write(&path, b"\xff\xfe{}\nnothing\n[[[[\n").unwrap();
        let mut book = Book::open(directory.path(), true, origin("a")).unwrap();
        assert!(book.find("A.f()V", &at_scope(1)).is_none());
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(Book::open(directory.path(), true, origin("a")).is_err());
    }

    #[test]
    fn scopes_are_said_in_words() {
        assert_eq!(in_words(&[]), None);
        assert_eq!(in_words(&[3]).as_deref(), Some("scope 3"));
        assert_eq!(in_words(&[1, 2, 3]).as_deref(), Some("scopes 1 to 3"));
    }
}
