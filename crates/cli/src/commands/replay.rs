//! `lazuli replay`: what happens in a violation of a report, step by step?
//!
//! A report in JSON has the schedule of its threads, or the lines of its one thread. Nothing is executed, and no classes are needed.

use std::path::{Path, PathBuf};

use clap::Args;
use lazuli_console::visible::visible;
use serde::Deserialize;

use crate::commands::CommandError;
use crate::commands::saved::{self, SavedReportError};
use crate::commands::shell::print;
use crate::exit::ProcessExit;

#[derive(Args)]
pub(crate) struct ReplayOptions {
    /// A report of `lazuli check --format json`
    pub file: PathBuf,

    /// The violation to step through, counted over all targets of the report [default: the first that has steps]
    #[arg(long, value_name = "N")]
    pub violation: Option<usize>,
}

/// Why nothing can be stepped through.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    #[error(transparent)]
    Saved(#[from] SavedReportError),
    #[error("{} has no violations: there is nothing to step through.", .0.display())]
    NoViolations(PathBuf),
    #[error("no violation of {} has steps; look at its text report instead.", .0.display())]
    NoSteps(PathBuf),
    #[error("there is no violation {asked} in {}: it has {count}, counted from 1 over all targets.", file.display())]
    NoSuchViolation { file: PathBuf, asked: usize, count: usize },
}

/// The report of a target, as far as it is needed.
#[derive(Deserialize)]
struct ReplayedReport {
    title: String,
    violations: Vec<ReplayedViolation>,
}

#[derive(Deserialize)]
struct ReplayedViolation {
    kind: String,
    message: String,
    at: String,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    lines: Vec<String>,
    schedule: Option<ReplayedSchedule>,
    ending: ReplayedEnding,
}

#[derive(Deserialize)]
struct ReplayedSchedule {
    threads: Vec<String>,
    steps: Vec<ReplayedStep>,
}

#[derive(Deserialize)]
struct ReplayedStep {
    thread: usize,
    action: String,
    on: Option<String>,
    at: String,
    value: Option<String>,
}

#[derive(Deserialize)]
struct ReplayedEnding {
    how: String,
    class: Option<String>,
    #[serde(default)]
    threads: Vec<ReplayedStanding>,
}

#[derive(Deserialize)]
struct ReplayedStanding {
    thread: String,
    waits_for: String,
    at: String,
}

/// Prints the steps of a violation.
pub(crate) fn replay(options: &ReplayOptions) -> Result<ProcessExit, CommandError> {
    let file = &options.file;
    let reports = read(file)?;
    let all: Vec<(&ReplayedReport, &ReplayedViolation)> =
        reports.iter().flat_map(|report| report.violations.iter().map(move |found| (report, found))).collect();
    if all.is_empty() {
        return Err(ReplayError::NoViolations(file.clone()).into());
    }
    let at = match options.violation {
        Some(asked) => match asked.checked_sub(1).filter(|at| *at < all.len()) {
            Some(at) => at,
            None => {
                let (file, count) = (file.clone(), all.len());
                return Err(ReplayError::NoSuchViolation { file, asked, count }.into());
            }
        },
        None => {
            let has_steps = |(_, found): &(&ReplayedReport, &ReplayedViolation)| {
                found.schedule.is_some() || !found.lines.is_empty()
            };
            all.iter().position(has_steps).ok_or_else(|| ReplayError::NoSteps(file.clone()))?
        }
    };
    let (report, found) = all[at];
    Ok(print(story(report, found, (at + 1, all.len())).as_bytes()))
}

/// One object, or one for each target.
fn read(file: &Path) -> Result<Vec<ReplayedReport>, ReplayError> {
    let reports: Vec<ReplayedReport> = saved::reports(file)?;
    let names_threads =
        |schedule: &ReplayedSchedule| schedule.steps.iter().all(|step| step.thread < schedule.threads.len());
    let schedules = reports.iter().flat_map(|report| &report.violations).filter_map(|found| found.schedule.as_ref());
    if !schedules.into_iter().all(names_threads) {
        let why = "a step is one of a thread that its schedule does not have";
        return Err(SavedReportError::no_report(file, why).into());
    }
    Ok(reports)
}

fn story(report: &ReplayedReport, found: &ReplayedViolation, (number, count): (usize, usize)) -> String {
    let at = if found.at.is_empty() { String::new() } else { format!(" at {}", found.at) };
    let mut lines = vec![format!("{}: {}{at} (violation {number} of {count})", report.title, found.kind)];
    if !found.message.is_empty() {
        lines.push(found.message.clone());
    }
    if !found.calls.is_empty() {
        lines.extend(["".to_string(), "The input and the call:".to_string()]);
        lines.extend(found.calls.iter().flat_map(|call| call.lines()).map(|line| format!("    {line}")));
    }
    lines.push(String::new());
    match &found.schedule {
        Some(schedule) => lines.extend(steps(schedule)),
        None => lines.extend(numbered(found.lines.iter().map(|line| vec![line.clone()]).collect())),
    }
    lines.push(String::new());
    lines.extend(end(&found.ending));
    lines.iter().map(|line| format!("{}\n", visible(line).trim_end())).collect()
}

/// A line for each step: its number, its thread, the line of the source, and what happens.
fn steps(schedule: &ReplayedSchedule) -> Vec<String> {
    let row = |step: &ReplayedStep| {
        let value = step.value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
        let what = format!("{}{value}", in_words(&step.action, step.on.as_deref().unwrap_or_default()));
        vec![schedule.threads[step.thread].clone(), step.at.clone(), what]
    };
    numbered(schedule.steps.iter().map(row).collect())
}

fn numbered(rows: Vec<Vec<String>>) -> Vec<String> {
    let digits = rows.len().to_string().len();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |(at, row): (usize, &Vec<String>)| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{:>digits$}  {}", at + 1, cells.collect::<Vec<_>>().join("  "))
    };
    rows.iter().enumerate().map(line).collect()
}

/// `writes Counter.count` for the words of a report.
fn in_words(action: &str, on: &str) -> String {
    let phrase = match action {
        "read" => "reads",
        "write" => "writes",
        "update" => "updates",
        "call" => "is in",
        "lock" => "locks",
        "unlock" => "unlocks",
        "wait" => "waits for",
        "resume" => "goes on with",
        "notify" => "notifies",
        "park" => "goes on after park",
        "unpark" => "unparks",
        "interrupt" => "has to do with the interruption of",
        "sleep" => "sleeps",
        "start" => "starts",
        "is_alive" => return format!("asks whether {on} is alive"),
        "join" => "joins",
        "end" => "ends",
        "initialise" => "initialises",
        "return" => "returns",
        // A later version may know more of them.
        other => other,
    };
    format!("{phrase} {on}").trim_end().to_string()
}

fn end(ending: &ReplayedEnding) -> Vec<String> {
    match (ending.how.as_str(), &ending.class) {
        ("threw", Some(class)) => vec![format!("Then {class} is thrown.")],
        ("deadlock", _) => {
            let mut lines = vec!["Then no thread can go on:".to_string()];
            lines.extend(ending.threads.iter().map(|standing| {
                let at = if standing.at.is_empty() { String::new() } else { format!(" ({})", standing.at) };
                format!("    {} waits for {}{at}", standing.thread, standing.waits_for)
            }));
            lines
        }
        ("returned", _) => vec!["Then the method has returned.".to_string()],
        (how, _) => vec![format!("Then it ends: {how}.")],
    }
}
