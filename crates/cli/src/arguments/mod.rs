//! What can be asked for on the command line?
//!
//! Options are grouped by the question that they answer, one file each; the help has the same groups. `-h` shows the dozen that are
//! needed every day, and `--help` all of them.

mod bounds;
mod check;
mod error;
mod findings;
mod inputs;
mod limits;
mod list;
mod programs;
mod reports;
mod sharing;
mod specifications;
mod spelling;
mod techniques;
mod threads;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand};
use lazuli_console::units::{duration, size};

use crate::commands::bench::BenchOptions;
use crate::commands::cache::CacheOptions;
use crate::commands::cluster::{ClusterOptions, WorkerOptions};
use crate::commands::init::InitOptions;
use crate::commands::lsp::LspOptions;
use crate::commands::replay::ReplayOptions;
use crate::commands::shell::CompletionsOptions;
use crate::commands::specs::SpecsOptions;
use crate::project::layout::usual_class_path;

pub use bounds::BoundOptions;
pub use check::{CheckOptions, TestsOptions};
pub use error::OptionError;
pub use list::{BoundsOptions, ShapesOptions};
pub use reports::{Format, ListFormat};
pub use spelling::with_java_spelling;

/// Checks Java code that lives on the heap against every valid input up to a bound.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Try methods on every input up to a bound, and report what can go wrong
    Check(Box<CheckOptions>),
    /// Check again after every build what it changed, until Ctrl-C
    Watch(Box<CheckOptions>),
    /// Write what an exploration finds as a suite of JUnit 5 tests
    Tests(Box<TestsOptions>),
    /// List the valid objects of a class up to a scope; those that differ only in numbers are one
    Shapes(Box<ShapesOptions>),
    /// Measure the papers' tables here; without a table, list them
    Bench(Box<BenchOptions>),
    /// Say which objects each reference field of a valid object may refer to: its tight field bounds
    Bounds(Box<BoundsOptions>),
    /// Say what is kept between runs, and where; or throw it away
    Cache(CacheOptions),
    /// Solve pieces of problems that `lazuli check --cluster` splits, on this machine
    Worker(WorkerOptions),
    /// Show the workers of a cluster, and what they do
    Cluster(ClusterOptions),
    /// Run a main method in Lazuli's interpreter, with the output and exit code that `java` would have
    Run(RunOptions),
    /// Write a lazuli.toml that says what a check of this project is
    Init(InitOptions),
    /// Show an editor what is found while code is written: a server for the Language Server Protocol
    Lsp(LspOptions),
    /// Step through a violation of a report in JSON: what each thread does, in its order
    Replay(ReplayOptions),
    /// List the contracts of the library that come with Lazuli, or print one
    Specs(SpecsOptions),
    /// Print a script that completes commands in a shell
    Completions(CompletionsOptions),
    /// Print the manual page, for `man -l -`
    Man,
}

pub const WHAT: &str = "What to check";

/// The class path and the memory, for every command. It is flattened behind the options of other groups, because help lists groups in the
/// order of their first option.
#[derive(Args)]
pub struct CommonOptions {
    /// Class directories and jars, separated by `:`; also -cp
    #[arg(
        long = "class-path",
        alias = "cp",
        value_name = "PATH",
        default_value_t = usual_class_path(),
        display_order = 0,
        help_heading = WHAT
    )]
    pub class_path: String,

    /// Memory that the whole run may use before it is ended, kept to within a fifth [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = limits::LIMITS, hide_short_help = true)]
    pub memory: Option<usize>,
}

#[derive(Args)]
#[command(
    mut_arg("class_path", |class_path| class_path.help_heading(None::<&str>)),
    mut_arg("memory", |memory| memory.help_heading(None::<&str>).hide_short_help(false)),
)]
pub struct RunOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Frames on the stack before a StackOverflowError
    #[arg(long, value_name = "N", default_value_t = 11000)]
    pub depth: usize,

    /// Size of the Java heap before an OutOfMemoryError, such as 512m or 2g
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1g")]
    pub heap: usize,

    /// Time after which the run is ended, such as 500ms, 60s or 5m [default: none]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// The class whose main method is run, such as pkg.Main
    pub class: String,

    /// Arguments for the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

impl CommonOptions {
    pub fn class_path(&self) -> Vec<PathBuf> {
        self.class_path.split(':').filter(|entry| !entry.is_empty()).map(PathBuf::from).collect()
    }

    pub fn memory(&self) -> usize {
        self.memory.unwrap_or_else(half_of_memory)
    }
}

/// The commands, laid out for these words. Under `-h` the options have no headings: these would take more lines than the options.
pub fn laid_out(words: &[OsString]) -> clap::Command {
    let command = Arguments::command();
    if words.iter().any(|word| word == "-h") {
        command.mut_subcommands(|command| command.mut_args(|option| option.help_heading(None::<&str>)))
    } else {
        command
    }
}

pub fn at_least_one(text: &str) -> Result<usize, OptionError> {
    text.parse().ok().filter(|number| *number > 0).ok_or(OptionError::NotPositive)
}

fn half_of_memory() -> usize {
    let information = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = information.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"));
    let kilobytes: usize = total.and_then(|total| total.trim().parse().ok()).unwrap_or(8 << 20);
    kilobytes * 1024 / 2
}
