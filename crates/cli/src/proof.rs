//! Where does the proof go that a method holds?
//!
//! Into three files: the clauses (DIMACS), the proof that they contradict each other (DRAT, as text), and a map of what their variables mean.

use std::io::{BufWriter, Error, Write};
use std::path::{Path, PathBuf};

use lazuli_console::safe::Draft;
use lazuli_console::visible::{tell, visible};
use lazuli_explore::{Certificate, Engine, Failure, Verdict};

use crate::plan::Plan;
use crate::report::{Finding, reasons};
use crate::{INCOMPLETE, WRONG_REQUEST};

/// What `--proof FILE` asks for.
pub struct Proof {
    clauses: PathBuf,
    steps: PathBuf,
    map: PathBuf,
}

impl Proof {
    /// Finds out before the work whether there can be one. An older proof is removed, so that nobody takes it for one of this run.
    pub fn open(file: &Path, plans: &[Plan]) -> Result<Proof, String> {
        match plans {
            [plan] if plan.config.engine == Engine::Sat => {}
            [_] => return Err("--proof needs --engine sat: only that engine proves what it says.".to_string()),
            _ => {
                return Err(format!(
                    "--proof is for one method, and {} are to be checked; name one of them.",
                    plans.len()
                ));
            }
        }
        let with = |extension: &str| {
            let mut name = file.as_os_str().to_os_string();
            name.push(extension);
            PathBuf::from(name)
        };
        let proof = Proof { clauses: with(".cnf"), steps: with(".drat"), map: with(".map") };
        for path in proof.paths() {
            let can_be_made = Draft::own(path).and_then(|_| match std::fs::remove_file(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            });
            can_be_made.map_err(|error| unwritable(path, &error))?;
        }
        Ok(proof)
    }

    /// Proves what was found, if it can be, and writes it down. Says what became of it; the result is what this means for the exit code.
    pub fn tell(&self, finding: &Finding, prove: impl FnOnce() -> Result<Certificate, Failure>) -> u8 {
        match finding.verdict() {
            Verdict::Holds => {}
            Verdict::Violated => {
                tell!("there is no proof, because the method is violated.");
                return 0;
            }
            Verdict::Incomplete => {
                tell!("there is no proof, because the check is incomplete.");
                return 0;
            }
        }
        let certificate = match prove() {
            Ok(certificate) => certificate,
            Err(failure) => {
                let why = reasons::failure(&failure);
                tell!("the method holds, but there is no proof of it: {why}.");
                return INCOMPLETE;
            }
        };
        if let Err(message) = self.write(&certificate, &finding.report.title) {
            // Part of a proof is of no use.
            for path in self.paths() {
                let _ = std::fs::remove_file(path);
            }
            tell!("{message}");
            return WRONG_REQUEST;
        }
        let [clauses, steps, map] = self.paths().map(|path| path.display());
        tell!(
            "{clauses} has {} clauses that contradict each other, {steps} the proof in {} steps, {map} what they mean.",
            certificate.clauses.len(),
            certificate.steps.len()
        );
        0
    }

    fn paths(&self) -> [&Path; 3] {
        [&self.clauses, &self.steps, &self.map]
    }

    fn write(&self, certificate: &Certificate, title: &str) -> Result<(), String> {
        let Certificate { variables, clauses, steps, names } = certificate;
        written(&self.clauses, |file| {
            writeln!(
                file,
                "c {}: a valid input goes wrong. The last clause claims it; the others are the program.",
                visible(title)
            )?;
            writeln!(file, "p cnf {variables} {}", clauses.len())?;
            clauses.iter().try_for_each(|clause| line(file, clause.iter().map(|literal| literal.number())))
        })?;
        written(&self.steps, |file| {
            steps.iter().try_for_each(|clause| line(file, clause.iter().map(|literal| literal.number())))
        })?;
        written(&self.map, |file| {
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

fn written(path: &Path, write: impl FnOnce(&mut BufWriter<Draft>) -> Result<(), Error>) -> Result<(), String> {
    let all = || {
        let mut file = BufWriter::new(Draft::own(path)?);
        write(&mut file)?;
        file.into_inner()?.finish().map(drop)
    };
    all().map_err(|error: Error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &Error) -> String {
    format!("the proof cannot be written to {}: {error}. Give another file with --proof.", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_told() {
        let message = written(Path::new("/dev/full"), |file| line(file, [1, -2].into_iter())).unwrap_err();
        assert!(message.contains("/dev/full") && message.contains("--proof"), "{message}");
    }
}
