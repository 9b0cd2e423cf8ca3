//! Which orders of the threads that a program starts are tried?

use clap::Args;
use lazuli_explore::ThreadOptions;

#[derive(Args)]
#[command(next_help_heading = "Threads (which orders are tried)")]
pub struct ScheduleOptions {
    /// Methods of the class that several threads call at once on one object: push,pop, or all
    ///
    /// Every valid object, every choice of calls with any arguments, and every order of the threads: some order of the calls, one after the
    /// other, must explain how they end and what they leave behind (linearizability).
    #[arg(long, value_name = "METHODS", hide_short_help = true)]
    pub concurrent: Option<String>,

    /// Threads that call them [default: 2]
    #[arg(long, value_name = "N", hide_short_help = true, requires = "concurrent", value_parser = clap::value_parser!(u8).range(2..=4))]
    pub threads: Option<u8>,

    /// Calls of each of these threads, at most [default: 1]
    #[arg(long, value_name = "N", hide_short_help = true, requires = "concurrent", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub calls: Option<u8>,

    /// Changes from a thread that could go on to another one, on one path [default: no bound]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub preemptions: Option<u32>,

    /// Times that a thread wakes up from a wait, or a weak compare-and-set fails, for no reason, at each place [default: 1]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u32).range(0..=8))]
    pub spurious: Option<u32>,

    /// Try every order of the threads, also those that only repeat others
    #[arg(long, hide_short_help = true)]
    pub no_reduction: bool,

    /// Take for granted that all threads see all writes in one order: a data race is told, but leaves the verdict as it is
    #[arg(long, hide_short_help = true)]
    pub assume_sc: bool,
}

impl ScheduleOptions {
    pub fn options(&self) -> ThreadOptions {
        ThreadOptions {
            is_reduced: !self.no_reduction,
            preemptions: self.preemptions,
            spurious: self.spurious.unwrap_or(ThreadOptions::default().spurious),
            assumes_consistency: self.assume_sc,
        }
    }
}
