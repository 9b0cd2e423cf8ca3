//! What is told, in which format, and where? The options that say so.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Reports about methods.
#[derive(Args)]
#[command(next_help_heading = REPORTS)]
pub struct ReportOptions {
    /// Format [default: text]
    ///
    /// May be given several times, each with a file of its own.
    #[arg(long, value_enum)]
    pub format: Vec<Format>,

    /// Write the report to a file; one line per target is then printed
    ///
    /// The first file is for the first --format, and so on.
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Of several targets, print all that is known about each
    #[arg(long)]
    pub details: bool,

    /// List every path: how it ended, its condition, input and output heap, result and source lines
    #[arg(long, hide_short_help = true)]
    pub paths: bool,

    /// Show no progress, and of the text report only one line per target
    #[arg(short, long)]
    pub quiet: bool,
}

/// Reports about the valid objects of a class.
#[derive(Args)]
#[command(next_help_heading = REPORTS)]
pub struct ListReportOptions {
    /// Format
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,

    /// Write the report to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

const REPORTS: &str = "Reports (what is told, and how)";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one object, or one per line if there are several targets
    Json,
    /// For people with a browser: one file with everything in it
    Html,
    /// For code hosts and editors: SARIF 2.1.0
    Sarif,
    /// For build servers: JUnit XML
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ListFormat {
    /// For people
    Text,
    /// For programs
    Json,
}
