//! Where does the proof go that a method holds?
//!
//! Into three files: the clauses (DIMACS), the proof that they contradict each other (DRAT, as text), and a map of what their variables mean.

use std::io::{BufWriter, Error, Write};
use std::path::{Path, PathBuf};

use lazuli_console::safe::FileDraft;
use lazuli_console::visible::{tell, visible};
use lazuli_explore::{Certificate, Engine, Failure, Verdict};

use crate::exit::ProcessExit;
use crate::report::{Finding, reasons};
use crate::targets::plan::CheckPlan;

/// Why there can be no proof.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProofError {
    #[error("--proof needs --engine sat: only that engine proves what it says.")]
    OtherEngine,
    #[error("--proof is for one method, and {0} are to be checked; name one of them.")]
    SeveralMethods(usize),
    #[error("the proof cannot be written to {}: {error}. Give another file with --proof.", path.display())]
    Unwritable { path: PathBuf, error: Error },
}

/// The files of `--proof FILE`.
pub(crate) struct ProofFiles {
    clauses: PathBuf,
    steps: PathBuf,
    map: PathBuf,
}

impl ProofFiles {
    /// Checks before the work whether there can be a proof. Removes an older one, which would be mistaken for one of this run.
    pub(crate) fn open(file: &Path, plans: &[CheckPlan]) -> Result<ProofFiles, ProofError> {
        match plans {
            [plan] if plan.config.engine == Engine::Sat => {}
            [_] => return Err(ProofError::OtherEngine),
            _ => return Err(ProofError::SeveralMethods(plans.len())),
        }
        let with = |extension: &str| {
            let mut name = file.as_os_str().to_os_string();
            name.push(extension);
            PathBuf::from(name)
        };
        let proof = ProofFiles { clauses: with(".cnf"), steps: with(".drat"), map: with(".map") };
        for path in proof.paths() {
            let can_be_made = FileDraft::own(path).and_then(|_| match std::fs::remove_file(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            });
            can_be_made.map_err(|error| unwritable(path, error))?;
        }
        Ok(proof)
    }

    /// Proves that the method holds, writes the proof, and prints where it is or why there is none.
    pub(crate) fn write(&self, finding: &Finding, prove: impl FnOnce() -> Result<Certificate, Failure>) -> ProcessExit {
        match finding.verdict() {
            // The certificate proves that no exception ends the method.
            Verdict::Holds if !finding.report.findings.is_empty() => {
                tell!(
                    "there is no proof, because the method rejects some inputs; allow these exceptions with --allow."
                );
                return ProcessExit::Incomplete;
            }
            Verdict::Holds => {}
            Verdict::Violated => {
                tell!("there is no proof, because the method is violated.");
                return ProcessExit::Success;
            }
            Verdict::Incomplete => {
                tell!("there is no proof, because the check is incomplete.");
                return ProcessExit::Success;
            }
        }
        let certificate = match prove() {
            Ok(certificate) => certificate,
            Err(failure) => {
                let why = reasons::failure(&failure);
                tell!("the method holds, but there is no proof of it: {why}.");
                return ProcessExit::Incomplete;
            }
        };
        if let Err(error) = self.write_certificate(&certificate, &finding.report.title) {
            // Part of a proof is of no use.
            for path in self.paths() {
                let _ = std::fs::remove_file(path);
            }
            tell!("{error}");
            return ProcessExit::WrongRequest;
        }
        let [clauses, steps, map] = self.paths().map(|path| path.display());
        tell!(
            "{clauses} has {} clauses that contradict each other, {steps} the proof in {} steps, {map} what they mean.",
            certificate.clauses.len(),
            certificate.steps.len()
        );
        ProcessExit::Success
    }

    fn paths(&self) -> [&Path; 3] {
        [&self.clauses, &self.steps, &self.map]
    }

    fn write_certificate(&self, certificate: &Certificate, title: &str) -> Result<(), ProofError> {
        let Certificate { variables, clauses, steps, names } = certificate;
        write_file(&self.clauses, |file| {
            writeln!(
                file,
                "c {}: a valid input goes wrong. The last clause claims it; the others are the program.",
                visible(title)
            )?;
            writeln!(file, "p cnf {variables} {}", clauses.len())?;
            clauses.iter().try_for_each(|clause| line(file, clause.iter().map(|literal| literal.number())))
        })?;
        write_file(&self.steps, |file| {
            steps.iter().try_for_each(|clause| line(file, clause.iter().map(|literal| literal.number())))
        })?;
        write_file(&self.map, |file| {
            writeln!(
                file,
                "# {}: what the literals mean; less than zero: what is true if the variable is false.",
                visible(title)
            )?;
            writeln!(file, "# Variables that are not listed are gates between these.")?;
            names.iter().try_for_each(|(literal, what)| writeln!(file, "{literal} {}", visible(what)))
        })
    }
}

fn line(file: &mut impl Write, literals: impl Iterator<Item = i32>) -> Result<(), Error> {
    for literal in literals {
        write!(file, "{literal} ")?;
    }
    writeln!(file, "0")
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<FileDraft>) -> Result<(), Error>,
) -> Result<(), ProofError> {
    let all = || {
        let mut file = BufWriter::new(FileDraft::own(path)?);
        write(&mut file)?;
        file.into_inner()?.finish().map(drop)
    };
    all().map_err(|error: Error| unwritable(path, error))
}

fn unwritable(path: &Path, error: Error) -> ProofError {
    ProofError::Unwritable { path: path.to_path_buf(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_told() {
        let error = write_file(Path::new("/dev/full"), |file| line(file, [1, -2].into_iter())).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("/dev/full") && message.contains("--proof"), "{message}");
    }
}
