//! `lazuli worker` serves pieces of problems, `lazuli cluster status` shows who does, and `lazuli cluster simulate` what more workers would do.

pub(crate) mod simulation;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use lazuli_console::numbers::count;
use lazuli_console::units::duration;
use lazuli_console::visible::{tell, visible_json};
use serde::Serialize;
use simulation::SimulationOptions;

use super::CommandError;
use crate::arguments::{ListFormat, OptionError};
use crate::cluster::ClusterError;
use crate::cluster::status::ClusterStatus;
use crate::cluster::worker::PieceWorker;
use crate::exit::ProcessExit;
use crate::report::output::ReportOutput;
use crate::wire::{ProtectionOptions, ServerAddress};

#[derive(Args)]
pub(crate) struct WorkerOptions {
    /// The server over which pieces come: rediss://[:PASSWORD@]HOST[:PORT], or redis:// without encryption
    #[arg(long, value_name = "URL")]
    pub cluster: ServerAddress,

    #[command(flatten)]
    pub protection: ProtectionOptions,

    /// Pieces that are solved at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// Go after so long without a piece, such as 10m [default: stay]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub idle: Option<Duration>,
}

#[derive(Args)]
pub(crate) struct ClusterOptions {
    /// The work to be done: status or simulate
    #[arg(value_enum, default_value_t = ClusterAction::Status)]
    pub action: ClusterAction,

    #[command(flatten)]
    pub simulation: SimulationOptions,

    /// For status, the server: rediss://[:PASSWORD@]HOST[:PORT], or redis:// without encryption
    #[arg(long, value_name = "URL")]
    pub cluster: Option<ServerAddress>,

    #[command(flatten)]
    pub protection: ProtectionOptions,

    /// How it is shown
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ClusterAction {
    /// Say which workers there are, and what they do
    Status,
    /// Say how a problem that was solved in pieces would scale to more workers
    Simulate,
}

/// Serves until it is told to go.
pub(crate) fn serve(options: &WorkerOptions) -> Result<ProcessExit, CommandError> {
    let cluster = options.cluster.protected(&options.protection).map_err(ClusterError::from)?;
    let all_cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let jobs = options.jobs.map_or_else(all_cores, usize::from);
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    // Without a handler, Ctrl-C ends the process at once; its pieces are offered again when their leases are over.
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    let machine = std::fs::read_to_string(Path::new("/proc/sys/kernel/hostname")).unwrap_or_default();
    let machine = if machine.trim().is_empty() { "worker" } else { machine.trim() };
    let worker = |number: usize| PieceWorker {
        address: cluster.clone(),
        name: format!("{machine}-{}-{number}", std::process::id()),
        stop: stop.clone(),
        idle: options.idle,
    };
    tell!("{} at {}; Ctrl-C ends.", count(jobs as u64, "worker", "workers"), options.cluster);
    let solved: Result<Vec<u64>, ClusterError> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs)
            .map(|number| {
                let worker = worker(number);
                scope.spawn(move || worker.run())
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(Ok(0))).collect()
    });
    tell!("{} solved.", count(solved?.iter().sum(), "piece", "pieces"));
    Ok(ProcessExit::Success)
}

/// The exit code of a worker that is interrupted twice, as shells expect it.
const INTERRUPTED: u8 = 130;

/// Shows a cluster, or simulates one.
pub(crate) fn cluster(options: &ClusterOptions) -> Result<ProcessExit, CommandError> {
    match options.action {
        ClusterAction::Status => status(options),
        ClusterAction::Simulate => simulation::simulate(options),
    }
}

/// Shows the workers and problems of a cluster.
fn status(options: &ClusterOptions) -> Result<ProcessExit, CommandError> {
    let asked = options.cluster.as_ref().ok_or(OptionError::NoCluster)?;
    if options.simulation.report.is_some() {
        return Err(OptionError::ReportOfCluster.into());
    }
    let cluster = asked.protected(&options.protection).map_err(ClusterError::from)?;
    let status = ClusterStatus::of(&cluster)?;
    show(options, || status.text(&cluster), &status)
}

/// Prints what was found in the format that was asked for.
fn show(
    options: &ClusterOptions,
    text: impl FnOnce() -> String,
    found: &impl Serialize,
) -> Result<ProcessExit, CommandError> {
    let text = match options.format {
        ListFormat::Text => text(),
        ListFormat::Json => visible_json(serde_json::to_string_pretty(found)?) + "\n",
    };
    let mut output = ReportOutput::open(None)?;
    Ok(ProcessExit::of_completeness(output.print(&text)))
}
