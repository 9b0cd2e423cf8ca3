//! Where does the proof go that a method holds?
//!
//! Into three files: the clauses (DIMACS), the proof that they contradict each other (DRAT, as text), and a map of what their variables mean.

use std::io::Error;
use std::path::{Path, PathBuf};

use lazuli_console::visible::tell;
use lazuli_explore::{Certificate, Engine, Failure, Verdict};

use super::clauses::{line, removed, with_extension, write_clauses, write_file, write_map};
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
        let with = |extension| with_extension(file, extension);
        let proof = ProofFiles { clauses: with(".cnf"), steps: with(".drat"), map: with(".map") };
        proof.paths().into_iter().try_for_each(|path| removed(path).map_err(|error| unwritable(path, error)))?;
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
            certificate.problem.clauses.len(),
            certificate.steps.len()
        );
        ProcessExit::Success
    }

    fn paths(&self) -> [&Path; 3] {
        [&self.clauses, &self.steps, &self.map]
    }

    fn write_certificate(&self, certificate: &Certificate, title: &str) -> Result<(), ProofError> {
        let Certificate { problem, steps } = certificate;
        let written = |path: &Path, result: Result<(), Error>| result.map_err(|error| unwritable(path, error));
        written(&self.clauses, write_clauses(&self.clauses, problem, title))?;
        let steps = write_file(&self.steps, |file| {
            steps.iter().try_for_each(|clause| line(file, clause.iter().map(|literal| literal.number())))
        });
        written(&self.steps, steps)?;
        written(&self.map, write_map(&self.map, problem, title))
    }
}

fn unwritable(path: &Path, error: Error) -> ProofError {
    ProofError::Unwritable { path: path.to_path_buf(), error }
}
