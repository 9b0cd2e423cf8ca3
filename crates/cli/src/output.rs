//! Where does a report go, and what if it cannot go there?
//!
//! A verdict may have cost an hour. A full disk must not lose it: what cannot be written to the file is printed instead.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use terminal_size::{Width, terminal_size};

use crate::report::Style;

/// Columns, where nobody knows better.
const USUAL_WIDTH: usize = 100;

pub struct Output {
    file: Option<(PathBuf, File)>,
    /// Is some of the report not where the user wanted it?
    pub has_failed: bool,
    /// Is a document that is written at once written?
    pub is_written: bool,
}

impl Output {
    /// Opens the file at once, so that a wrong name is found out before the work and not after it.
    pub fn open(path: Option<&Path>) -> Result<Output, String> {
        let file = match path {
            None => None,
            Some(path) => {
                // An older report is emptied when there is something to replace it.
                let opened = OpenOptions::new().create(true).write(true).truncate(false).open(path);
                let file = opened.map_err(|error| {
                    format!("the report cannot be written to {}: {error}. Give another file with -o.", path.display())
                })?;
                Some((path.to_path_buf(), file))
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
        if let Some((_, file)) = &self.file
            && file.metadata().is_ok_and(|metadata| metadata.is_file())
        {
            // Whatever is wrong will show when the report is written.
            let _ = file.set_len(0);
        }
    }

    /// Says whether the text arrived somewhere.
    pub fn write(&mut self, text: &str) -> bool {
        if let Some((path, file)) = &mut self.file {
            // Some disks only notice that they are full when the bytes have to go there.
            let written = file.write_all(text.as_bytes()).and_then(|()| match file.sync_data() {
                Err(error) if error.kind() != ErrorKind::InvalidInput => Err(error),
                _ => Ok(()),
            });
            let Err(error) = written else { return true };
            eprintln!("lazuli: the report cannot be written to {}: {error}. It follows here.", path.display());
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
                    eprintln!("lazuli: the report cannot be printed: {error}.");
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
