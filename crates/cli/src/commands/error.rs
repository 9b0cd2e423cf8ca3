//! Why can a command not be executed?

use std::path::PathBuf;

use lazuli_bench::BenchError;
use lazuli_explore::Failure;

use super::check::{DimacsError, ProofError};
use super::cluster::simulation::SimulationError;
use super::init::InitError;
use super::replay::ReplayError;
use crate::arguments::OptionError;
use crate::cluster::ClusterError;
use crate::exit::ProcessExit;
use crate::project::ProjectError;
use crate::report::output::OutputError;
use crate::report::publish::PublishError;
use crate::report::reasons;
use crate::targets::TargetError;
use crate::targets::concurrent::ConcurrentError;
use crate::targets::plan::PlanError;
use crate::targets::properties::PropertyFileError;
use crate::targets::since::SinceError;
use crate::targets::specifications::SpecificationError;

/// The error of a command as a whole. `Display` is the message to the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// Options of which each is right contradict each other.
    #[error(transparent)]
    Options(#[from] OptionError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Concurrent(#[from] ConcurrentError),
    #[error(transparent)]
    Property(#[from] PropertyFileError),
    #[error(transparent)]
    Since(#[from] SinceError),
    #[error(transparent)]
    Specification(#[from] SpecificationError),
    #[error(transparent)]
    ReportOutput(#[from] OutputError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error(transparent)]
    Dimacs(#[from] DimacsError),
    #[error(transparent)]
    Init(#[from] InitError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The exploration refuses the request, or could not begin.
    #[error("{}", reasons::failure(.0))]
    Failure(Failure),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("--format, --paths, --no-confirm, --proof and --dimacs are for `lazuli check`; leave them out.")]
    OptionsOfCheck,
    #[error("lazuli tests writes tests of methods, and --main is about a whole program: ask `lazuli check` about it.")]
    TestsOfProgram,
    #[error("no contract of {0} comes with Lazuli; `lazuli specs` lists those that do.")]
    NoBundledContract(String),
    #[error("one -o DIR is needed: the directory that the tests are written to.")]
    NoDirectory,
    #[error("--concurrent is for `lazuli check`: a test of threads would pass or fail by chance. Leave it out.")]
    TestsOfThreads,
    #[error("lazuli tests writes tests of paths, and --engine sat follows none; leave it out.")]
    TestsWithoutPaths,
    #[error(
        "{} is there and was not written by `lazuli tests`; give another directory with -o, or --force to replace it.",
        .0.display()
    )]
    ForeignFile(PathBuf),
    /// The library of the JDK could not be started.
    #[error("{0}")]
    Boot(String),
}

impl CommandError {
    /// The exit code. Only the JDK's own library is no fault of the request.
    pub(crate) fn exit(&self) -> ProcessExit {
        match self {
            CommandError::Boot(_) => ProcessExit::Incomplete,
            _ => ProcessExit::WrongRequest,
        }
    }
}
