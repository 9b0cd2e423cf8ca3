//! Where does a report go, and what if it cannot go there?
//!
//! A verdict may have cost an hour. A full disk must not lose it: what cannot be written to the file is printed instead.

use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use lazuli_console::safe::Draft;
use lazuli_console::visible::tell;
use terminal_size::{Width, terminal_size};

use crate::report::Style;

/// Columns, where nobody knows better.
const USUAL_WIDTH: usize = 100;

pub struct Output {
    file: Option<(PathBuf, Stage)>,
    /// Is some of the report not where the user wanted it?
    pub has_failed: bool,
    /// Is a document written as a whole?
    pub is_written: bool,
}

/// How far a file is.
enum Stage {
    /// It can be made; an older report is still there.
    Drafted(Option<Draft>),
    Begun(File),
}

impl Stage {
    /// Replaces an older report by an empty file, so that it is not taken for the new one.
    fn begin(&mut self) -> std::io::Result<&mut File> {
        if let Stage::Drafted(draft) = self {
            let draft = draft.take().ok_or(ErrorKind::NotFound)?;
            *self = Stage::Begun(draft.finish()?);
        }
        match self {
            Stage::Begun(file) => Ok(file),
            Stage::Drafted(_) => Err(ErrorKind::NotFound.into()),
        }
    }

    fn add(&mut self, text: &str) -> std::io::Result<()> {
        let file = self.begin()?;
        file.write_all(text.as_bytes())?;
        // Some disks only notice that they are full when the bytes have to go there.
        match file.sync_data() {
            Err(error) if error.kind() != ErrorKind::InvalidInput => Err(error),
            _ => Ok(()),
        }
    }
}

impl Output {
    /// Opens the file at once, so that a wrong name is found out before the work and not after it.
    pub fn open(path: Option<&Path>) -> Result<Output, String> {
        let file = match path {
            None => None,
            Some(path) => {
                let draft = Draft::named(path).map_err(|error| {
                    format!("the report cannot be written to {}: {error}. Give another file with -o.", path.display())
                })?;
                Some((path.to_path_buf(), Stage::Drafted(Some(draft))))
            }
        };
        Ok(Output { file, has_failed: false, is_written: false })
    }

    /// Colours are for people who look at a terminal and did not ask to be spared.
    pub fn style(&self) -> Style {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_seen = self.file.is_none() && std::io::stdout().is_terminal();
        let width = terminal_size().filter(|_| is_seen).map_or(USUAL_WIDTH, |(Width(width), _)| usize::from(width));
        Style { is_coloured: is_seen && !is_unwanted, width }
    }

    pub fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Empties the file: what follows is the new report.
    pub fn begin(&mut self) {
        if let Some((_, stage)) = &mut self.file {
            // Whatever is wrong will show when the report is written.
            let _ = stage.begin();
        }
    }

    /// Says whether the text arrived somewhere.
    pub fn write(&mut self, text: &str) -> bool {
        self.deliver(text, |_, stage| stage.add(text))
    }

    /// The same for a document: it is there as a whole, or not at all.
    pub fn write_document(&mut self, text: &str) -> bool {
        self.is_written = self.deliver(text, |path, stage| match Draft::named(path)? {
            // A pipe or a device cannot be opened twice.
            Draft::Direct(_) => stage.add(text),
            mut draft => {
                draft.write_all(text.as_bytes())?;
                *stage = Stage::Begun(draft.finish()?);
                Ok(())
            }
        });
        self.is_written
    }

    fn deliver(&mut self, text: &str, write: impl FnOnce(&Path, &mut Stage) -> std::io::Result<()>) -> bool {
        if let Some((path, stage)) = &mut self.file {
            let Err(error) = write(path, stage) else { return true };
            tell!("the report cannot be written to {}: {error}. It follows here.", path.display());
            self.has_failed = true;
            self.file = None;
        }
        self.print(text)
    }

    /// Writes to standard output, whatever the file.
    pub fn print(&mut self, text: &str) -> bool {
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Ok(()) => true,
            // Whoever reads has seen enough; that is no failure.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => true,
            Err(error) => {
                if !self.has_failed {
                    tell!("the report cannot be printed: {error}.");
                }
                self.has_failed = true;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_report_is_replaced_when_the_new_one_begins() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("report");
        std::fs::write(&path, "older and longer").unwrap();
        let mut output = Output::open(Some(&path)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "older and longer");
        output.begin();
        output.write("one\n");
        output.write("two\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        assert!(!output.has_failed);
    }

    #[test]
    fn a_document_is_there_as_a_whole_and_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("report");
        let mut output = Output::open(Some(&path)).unwrap();
        assert!(!path.exists());
        output.begin();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
        output.write_document("<all>");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "<all>");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_made_is_found_out_at_once() {
        let error = Output::open(Some(Path::new("/no/such/place/report"))).err().unwrap();
        assert!(error.contains("/no/such/place/report") && error.contains("-o"), "{error}");
    }

    #[test]
    fn a_full_disk_is_noticed_and_the_report_printed() {
        let mut output = Output::open(Some(Path::new("/dev/full"))).unwrap();
        output.begin();
        output.write("a report that a test prints\n");
        assert!(output.has_failed && !output.is_file());
    }
}
