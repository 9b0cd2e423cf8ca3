//! Where does the problem go, for solvers of others?
//!
//! Into two files, before it is solved here: the clauses (DIMACS), and a map of what their variables mean. So they are there too if the time ends.

use std::io::Error;
use std::path::{Path, PathBuf};

use lazuli_console::visible::tell;
use lazuli_explore::{Engine, Failure, NamedClauses};

use super::clauses::{removed, with_extension, write_clauses, write_map};
use crate::exit::ProcessExit;
use crate::report::reasons;
use crate::targets::plan::CheckPlan;

/// Why the problem cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DimacsError {
    #[error("--dimacs needs --engine sat: only that engine has one problem for all inputs.")]
    OtherEngine,
    #[error("--dimacs is for one method, and {0} are to be checked; name one of them.")]
    SeveralMethods(usize),
    #[error("--dimacs needs --scope N: without it there is a problem for each scope.")]
    NoScope,
    #[error("the problem cannot be written to {}: {error}. Give another file with --dimacs.", path.display())]
    Unwritable { path: PathBuf, error: Error },
}

/// The files of `--dimacs FILE`.
pub(crate) struct DimacsFiles {
    clauses: PathBuf,
    map: PathBuf,
}

impl DimacsFiles {
    /// Checks before the work whether there can be a problem. Removes an older one, which would be mistaken for that of this run.
    pub(crate) fn open(file: &Path, plans: &[CheckPlan]) -> Result<DimacsFiles, DimacsError> {
        match plans {
            [plan] if plan.config.engine != Engine::Sat => return Err(DimacsError::OtherEngine),
            [plan] if plan.is_deepening => return Err(DimacsError::NoScope),
            [_] => {}
            _ => return Err(DimacsError::SeveralMethods(plans.len())),
        }
        let files = DimacsFiles { clauses: file.to_path_buf(), map: with_extension(file, ".map") };
        for path in [&files.clauses, &files.map] {
            removed(path).map_err(|error| unwritable(path, error))?;
        }
        Ok(files)
    }

    /// Writes the problem, and prints where it is or why it is not there.
    pub(crate) fn write(&self, title: &str, made: Result<NamedClauses, Failure>) -> ProcessExit {
        let problem = match made {
            Ok(problem) => problem,
            Err(failure) => {
                tell!("{} is not written: {}.", self.clauses.display(), reasons::failure(&failure));
                return ProcessExit::Incomplete;
            }
        };
        let written = write_clauses(&self.clauses, &problem, title).map_err(|error| unwritable(&self.clauses, error));
        let written =
            written.and_then(|()| write_map(&self.map, &problem, title).map_err(|error| unwritable(&self.map, error)));
        if let Err(error) = written {
            // Part of it is of no use, and neither may be there.
            for path in [&self.clauses, &self.map] {
                let _ = std::fs::remove_file(path);
            }
            tell!("{error}");
            return ProcessExit::WrongRequest;
        }
        let (clauses, map, count) = (self.clauses.display(), self.map.display(), problem.clauses.len());
        tell!(
            "{clauses} has {count} clauses, which have a model if a valid input goes wrong; {map} says what they mean."
        );
        ProcessExit::Success
    }
}

fn unwritable(path: &Path, error: Error) -> DimacsError {
    DimacsError::Unwritable { path: path.to_path_buf(), error }
}
