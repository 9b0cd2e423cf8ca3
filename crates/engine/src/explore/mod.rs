//! Which paths does a method have over all its inputs?
//!
//! `explore` follows every answer to every question that the interpreter asks, drops what cannot be, and describes how the paths
//! end. A path is its trace, the list of its choices: threads hand traces to each other, never states.

mod bounds;
mod config;
mod confirm;
pub(crate) mod contract;
pub(crate) mod example;
mod frontier;
mod making;
mod parallel;
mod picture;
mod post;
mod recipe;
mod report;
mod seen;
mod shapes;
mod slots;
mod summary;
mod tree;
mod vacuity;
mod whole;
mod worker;

use std::sync::Arc;
use std::time::Instant;

pub use bounds::{BoundsFound, field_bounds};
pub use config::{Bounds, Config, Detail, Economy, Engine, Order, ProblemProgress, Progress};
pub use report::*;
pub use shapes::{Shapes, shapes};

use crate::program::{Method, Program};
pub use crate::relational::audit::Certificate;
pub use crate::structure::Ranges;

/// Why there is no report: a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request, or the contract that it names, must be changed.
    #[error("{0}")]
    Request(String),
    /// The exploration could not begin, or a bug of ours ended it.
    #[error("{0}")]
    Host(String),
}

/// Are there all the methods that the configuration names for this target? If not, the sentence says what is missing.
pub fn validate(program: &Program, method: &'static Method, config: &Config) -> Result<(), String> {
    recipe::recipes(program, method, config)?;
    contract::Contract::of(program, method, config).map(drop)
}

/// Proves what a check by the propositional engine said of a method: that it holds. If that fails, the sentence says why.
pub fn prove(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Certificate, String> {
    validate(program, method, config)?;
    whole::prove(program, method, config, progress)
}

/// Explores a method.
pub fn explore(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Report, Failure> {
    let started = Instant::now();
    validate(program, method, config).map_err(Failure::Request)?;
    let run = match config.engine {
        Engine::Paths => parallel::run,
        Engine::Sat => whole::run,
    };
    let mut summary = run(program, method, config, progress).map_err(Failure::Host)?;
    if let Some(misuse) = summary.misuse.take() {
        return Err(Failure::Request(misuse));
    }
    config.verdicts.save();
    if config.engine == Engine::Paths || !summary.has_input {
        vacuity::explain_nothing(program, method, config, progress, &mut summary);
    }
    vacuity::warn_of_unread(program, method, config, &mut summary);
    let mut report = summary.into_report(method);
    report.unused_clauses =
        config.specification.as_ref().map_or(Vec::new(), |specification| specification.unused.clone());
    report.begins = confirm::beginning(program, method);
    report.told_numbers = config.bounds.told_numbers();
    report.elapsed = started.elapsed();
    Ok(report)
}
