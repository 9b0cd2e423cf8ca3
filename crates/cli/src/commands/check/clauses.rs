//! How are clauses written for other programs?

use std::io::{BufWriter, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use lazuli_console::safe::FileDraft;
use lazuli_console::visible::visible;
use lazuli_explore::NamedClauses;

/// The path with more behind its name.
pub(super) fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(extension);
    PathBuf::from(name)
}

/// Removes an older file, which would be mistaken for one of this run, and finds out whether one can be made there.
pub(super) fn removed(path: &Path) -> Result<(), Error> {
    FileDraft::own(path)?;
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Writes a problem in the format of DIMACS.
pub(super) fn write_clauses(path: &Path, problem: &NamedClauses, title: &str) -> Result<(), Error> {
    write_file(path, |file| {
        let title = visible(title);
        writeln!(file, "c {title}: a valid input goes wrong. The last clause claims it; the others are the program.")?;
        writeln!(file, "p cnf {} {}", problem.variables, problem.clauses.len())?;
        problem.clauses.iter().try_for_each(|clause| line(file, clause.iter().map(|literal| literal.number())))
    })
}

/// Writes the meanings of its literals.
pub(super) fn write_map(path: &Path, problem: &NamedClauses, title: &str) -> Result<(), Error> {
    write_file(path, |file| {
        let title = visible(title);
        writeln!(file, "# {title}: what the literals mean; less than zero: what is true if the variable is false.")?;
        writeln!(file, "# Variables that are not listed are gates between these.")?;
        problem.names.iter().try_for_each(|(literal, what)| writeln!(file, "{literal} {}", visible(what)))
    })
}

pub(super) fn line(file: &mut impl Write, literals: impl Iterator<Item = i32>) -> Result<(), Error> {
    for literal in literals {
        write!(file, "{literal} ")?;
    }
    writeln!(file, "0")
}

pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<FileDraft>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut file = BufWriter::new(FileDraft::own(path)?);
    write(&mut file)?;
    file.into_inner()?.finish().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_an_error() {
        assert!(write_file(Path::new("/dev/full"), |file| line(file, [1, -2].into_iter())).is_err());
    }

    #[test]
    fn clauses_end_with_zero() {
        let mut written = Vec::new();
        line(&mut written, [1, -2].into_iter()).unwrap();
        line(&mut written, std::iter::empty()).unwrap();
        assert_eq!(written, b"1 -2 0\n0\n");
    }
}
