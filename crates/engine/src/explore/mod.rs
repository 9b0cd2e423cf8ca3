//! Which paths does a method have over all its inputs?
//!
//! `explore` follows every answer to every question that the interpreter asks, drops what cannot be, and describes how the paths
//! end. A path is its trace, the list of its choices: threads hand traces to each other, never states.

mod config;
mod contract;
mod example;
mod frontier;
mod parallel;
mod picture;
mod report;
mod shapes;
mod summary;
mod worker;

use std::sync::Arc;
use std::time::Instant;

pub use config::{Bounds, Config, Detail, Order, Progress};
pub use report::*;
pub use shapes::{Shapes, shapes};

use crate::program::{Method, Program};

/// Explores a method. Fails with a sentence for the user if the exploration cannot even begin.
pub fn explore(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Report, String> {
    let started = Instant::now();
    let mut summary = parallel::run(program, method, config, progress)?;
    summary.warn_of_nothing(method);
    let mut report = summary.into_report(method);
    report.elapsed = started.elapsed();
    Ok(report)
}
