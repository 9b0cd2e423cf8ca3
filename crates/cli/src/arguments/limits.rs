//! How long may it take, and what is left if it is killed? The options that say so.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lazuli_console::units::duration;

use crate::journal;

use super::OptionError;

/// Limits of every command that searches.
#[derive(Args)]
#[command(next_help_heading = LIMITS)]
pub struct LimitOptions {
    /// Time for everything, such as 500ms, 60s or 5m
    ///
    /// It covers exploring all targets and the report, and is kept to within 2 s.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub time: Duration,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = jobs, hide_short_help = true)]
    pub jobs: Option<usize>,
}

/// Limits of an exploration, and how it goes on after a run that was killed.
#[derive(Args)]
#[command(next_help_heading = LIMITS)]
pub struct ExplorationLimitOptions {
    /// Check everything again, also where nothing has changed that an earlier verdict depends on
    #[arg(long, hide_short_help = true)]
    pub fresh: bool,

    /// Paths of one target after which its exploration ends [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub max_paths: Option<u64>,

    /// Keep what was found, scope by scope, in DIR/journal.jsonl, so that a run that was killed can be resumed
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub journal: Option<PathBuf>,

    #[arg(
        long,
        hide_short_help = true,
        help = format!("Do not explore again what the journal has, and add to it [journal: {}]", journal::USUAL_DIRECTORY)
    )]
    pub resume: bool,
}

pub const LIMITS: &str = "Limits (how long it may take)";

impl LimitOptions {
    pub fn jobs(&self) -> usize {
        let all_cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get()).min(MOST_JOBS);
        self.jobs.unwrap_or_else(all_cores)
    }
}

impl ExplorationLimitOptions {
    /// The directory of the journal, if there is to be one.
    pub fn journal(&self) -> Option<PathBuf> {
        self.journal.clone().or_else(|| self.resume.then(|| PathBuf::from(journal::USUAL_DIRECTORY)))
    }
}

/// More threads than this are of no use, and a machine may be unable to start them.
pub(super) const MOST_JOBS: usize = 256;

fn jobs(text: &str) -> Result<usize, OptionError> {
    let is_reasonable = |number: &usize| (1..=MOST_JOBS).contains(number);
    text.parse().ok().filter(is_reasonable).ok_or(OptionError::Jobs)
}
