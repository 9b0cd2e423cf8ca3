//! `lazuli cluster simulate`: how would a problem that was solved in pieces scale to more workers?

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lazuli_console::numbers::{count, duration as readable, grouped};
use lazuli_console::units::duration;
use lazuli_console::visible::visible;
use lazuli_explore::{PieceAnswer, PieceCosts, RecordedPieces, SimulatedCheck, SimulationBound};
use serde::{Deserialize, Serialize};

use super::{ClusterOptions, show};
use crate::arguments::OptionError;
use crate::commands::CommandError;
use crate::commands::saved::{self, SavedReportError};
use crate::exit::ProcessExit;

#[derive(Args)]
pub(crate) struct SimulationOptions {
    /// For simulate, a report of `lazuli check --engine sat --format json` whose problem was solved in pieces
    #[arg(value_name = "REPORT")]
    pub report: Option<PathBuf>,

    /// For simulate, the numbers of workers
    #[arg(
        long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,16,64,1024,10000",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub workers: Vec<u32>,

    /// For simulate, what a piece costs its worker beside the solving
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5ms")]
    pub worker_cost: Duration,

    /// For simulate, what a piece costs the coordinator, which handles one after the other
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1ms")]
    pub coordinator_cost: Duration,
}

/// Why there is nothing to simulate.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SimulationError {
    #[error(transparent)]
    Saved(#[from] SavedReportError),
    #[error(
        "no problem of {} was solved in pieces. A check is, with --engine sat, from --split-after on: with `--split-after 0s`, at once.",
        .0.display()
    )]
    NoPieces(PathBuf),
}

/// The report of a target, as far as it is needed.
#[derive(Deserialize)]
struct RecordedReport {
    title: String,
    pieces: Option<RecordedProblem>,
}

#[derive(Deserialize)]
struct RecordedProblem {
    #[serde(default)]
    answers: Vec<PieceAnswer>,
    open: u64,
}

/// A problem on each number of workers.
#[derive(Serialize)]
struct SimulatedProblem {
    title: String,
    pieces: usize,
    /// Pieces without an answer: what they would cost is not known.
    open: u64,
    /// All workers together work so long on the pieces.
    work_s: f64,
    checks: Vec<SimulatedRow>,
    /// Twice as many workers would not be 10 % faster.
    enough: usize,
    /// The obstacle to more of them, and the time below which no number of workers comes.
    stopped_by: &'static str,
    least_s: f64,
}

#[derive(Serialize)]
struct SimulatedRow {
    workers: usize,
    took_s: f64,
    speed_up: f64,
}

/// Simulates each problem of a report.
pub(super) fn simulate(options: &ClusterOptions) -> Result<ProcessExit, CommandError> {
    let SimulationOptions { report, workers, worker_cost, coordinator_cost } = &options.simulation;
    let file = report.as_ref().ok_or(OptionError::NoReportToSimulate)?;
    let reports: Vec<RecordedReport> = saved::reports(file).map_err(SimulationError::from)?;
    let costs = PieceCosts { coordinator: *coordinator_cost, worker: *worker_cost };
    let mut problems = Vec::new();
    for RecordedReport { title, pieces } in reports {
        let Some(RecordedProblem { answers, open }) = pieces else { continue };
        let recorded = RecordedPieces::of(&answers)
            .map_err(|error| SimulationError::from(SavedReportError::no_report(file, error)))?;
        if !recorded.is_empty() {
            problems.push(SimulatedProblem::new(title, &recorded, open, workers, costs));
        }
    }
    if problems.is_empty() {
        return Err(SimulationError::NoPieces(file.clone()).into());
    }
    show(options, || problems.iter().map(SimulatedProblem::text).collect::<Vec<_>>().join("\n"), &problems)
}

impl SimulatedProblem {
    fn new(
        title: String,
        recorded: &RecordedPieces,
        open: u64,
        workers: &[u32],
        costs: PieceCosts,
    ) -> SimulatedProblem {
        let alone = recorded.simulate(1, costs).took.as_secs_f64();
        let row = |check: SimulatedCheck| {
            let took_s = check.took.as_secs_f64();
            SimulatedRow { workers: check.workers, took_s, speed_up: if took_s > 0.0 { alone / took_s } else { 1.0 } }
        };
        let (stopped_by, least) = match recorded.simulate(MOST_WORKERS, costs).bound {
            SimulationBound::Work(least) => ("work", least),
            SimulationBound::Chain(least) => ("chain", least),
            SimulationBound::Coordinator(least) => ("coordinator", least),
        };
        SimulatedProblem {
            title,
            pieces: recorded.len(),
            open,
            work_s: recorded.work().as_secs_f64(),
            checks: workers.iter().map(|workers| row(recorded.simulate(*workers as usize, costs))).collect(),
            enough: enough(recorded, costs),
            stopped_by,
            least_s: least.as_secs_f64(),
        }
    }

    /// For people.
    fn text(&self) -> String {
        let time = |seconds: f64| readable(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        let SimulatedProblem { title, pieces, open, work_s, checks, enough, stopped_by, least_s } = self;
        let answered = count(*pieces as u64, "piece", "pieces");
        let mut lines = vec![format!("{}: {answered}, {} of work", visible(title), time(*work_s))];
        if *open > 0 {
            let open = count(*open, "piece has", "pieces have");
            lines.push(format!("  {open} no answer, and are left out: the check did not come to its end."));
        }
        lines.push(format!("  {:>9}  {:>12}  {:>8}", "workers", "time", "speed-up"));
        for SimulatedRow { workers, took_s, speed_up } in checks {
            lines.push(format!("  {:>9}  {:>12}  {speed_up:>8.1}", grouped(*workers as u64), time(*took_s)));
        }
        let why = match *stopped_by {
            "chain" => format!("the longest chain of pieces, each split from the one before, takes {}", time(*least_s)),
            "coordinator" => {
                format!("the coordinator handles one piece after the other, which takes {}", time(*least_s))
            }
            _ => "there is no more work".to_string(),
        };
        lines.push(format!("  More than {} help little: {why}.", count(*enough as u64, "worker", "workers")));
        lines.join("\n") + "\n"
    }
}

/// More workers are not simulated.
const MOST_WORKERS: usize = 1 << 20;

/// The first power of two from which on twice as many workers are not 10 % faster.
fn enough(recorded: &RecordedPieces, costs: PieceCosts) -> usize {
    let mut workers = 1;
    let mut took = recorded.simulate(workers, costs).took;
    while workers < MOST_WORKERS {
        let doubled = recorded.simulate(2 * workers, costs).took;
        if doubled > took.mul_f64(0.9) {
            break;
        }
        (workers, took) = (2 * workers, doubled);
    }
    workers
}
