//! How is a cell measured so that nothing else disturbs it, and which cell is next?
//!
//! Each cell is a process of its own, the same binary with one thread: memory, panics and limits of one do not touch the others. Its limit is
//! one of CPU time, so that it does not matter who else uses the machine. A series is
//! the same request for growing scopes; it ends with the first scope that takes too long. Series that take little go on first, so that
//! all of them have come about equally far when the time is over.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use lazuli_console::numbers::{count, duration};
use serde_json::{Map, Value, json};
use wait4::{ResourceUsage, Wait4};

use crate::BenchError;

/// How often limits and interruptions are looked at.
const TICK: Duration = Duration::from_millis(100);
/// Cells that differ by less than this, of CPU time, take equally long.
const ALIKE: Duration = Duration::from_millis(500);
/// A cell may take so many times its limit on the wall clock; one that waits for something would never use up its CPU time.
const PATIENCE: u32 = 10;
/// A cell whose process outlives this one ends by itself so long after that.
const GRACE: Duration = Duration::from_secs(1);
/// The unit in which Linux tells programs how long a process has run, whatever it counts in itself.
const CLOCK_TICK: Duration = Duration::from_millis(10);

/// Watches a measurement, and may end it.
pub trait BenchObserver: Sync {
    /// Has the user seen enough?
    fn is_interrupted(&self) -> bool;

    /// Draws the progress line.
    fn draw(&self, line: &str);

    /// Erases the progress line.
    fn erase(&self);
}

/// One request for growing scopes.
pub struct Series {
    /// The class.
    pub subject: String,
    /// The folder with its source.
    pub package: String,
    /// The part of it that is measured: a method, say.
    pub target: String,
    /// The column of the table: a technique, say.
    pub column: String,
    /// Scopes in ascending order, and the arguments of Lazuli for each.
    pub requests: Vec<(usize, Vec<String>)>,
    /// Does Lazuli remember something from one scope to the next? The series then has a directory of its own for that.
    pub has_cache: bool,
    /// Is each request made twice, and measured the second time?
    pub is_repeated: bool,
    /// The time that Lazuli is told to keep itself, with a report about what it has by then. Without it, a cell ends without a report at the limit of CPU time.
    pub own_time: Option<Duration>,
}

/// The limits of one cell, and of all of them.
pub struct BenchLimits {
    /// CPU time of one cell.
    pub cell: Duration,
    /// When all of them end.
    pub end: Option<Instant>,
    /// Bytes for one cell.
    pub memory: usize,
    /// Cells at a time.
    pub jobs: usize,
}

/// One request, and its result.
pub struct TableCell {
    /// The class.
    pub subject: String,
    /// The part of it that is measured.
    pub target: String,
    /// The column of the table.
    pub column: String,
    /// The scope.
    pub scope: usize,
    /// How the process ended.
    pub outcome: CellOutcome,
}

/// How the process of a cell ended.
pub enum CellOutcome {
    /// With a report.
    Measured(MeasuredCell),
    /// By the limit of time.
    OutOfTime,
    /// By the limit of memory.
    OutOfMemory,
    /// Without a report: why.
    Failed(String),
}

/// The report and the effort of a cell.
pub struct MeasuredCell {
    /// As the process printed it.
    pub report: Value,
    /// Of the whole process, from its start to its end.
    pub cpu: Duration,
    /// From its start to its end.
    pub wall: Duration,
    /// In megabytes.
    pub peak_memory: u64,
}

/// The cells of a table that were measured.
pub struct MeasuredTable {
    /// In the order of the plan.
    pub cells: Vec<TableCell>,
    /// How many cells were planned and not finished because the time was over or the user ended the run.
    pub unreached: usize,
}

impl BenchLimits {
    /// How long a cell may take on the wall clock. More than a year is no limit.
    fn patience(&self) -> Duration {
        self.cell.saturating_mul(PATIENCE).min(Duration::from_secs(365 * 24 * 3600))
    }
}

impl Series {
    /// One whose requests have nothing to do with each other.
    pub fn new(subject: &str, target: &str, column: &str, requests: Vec<(usize, Vec<String>)>) -> Series {
        let package = subject.split('.').next().unwrap_or_default().to_string();
        let [subject, target, column] = [subject, target, column].map(str::to_string);
        Series { subject, package, target, column, requests, has_cache: false, is_repeated: false, own_time: None }
    }
}

impl TableCell {
    /// The report and the effort, if there are any.
    pub fn measured(&self) -> Option<&MeasuredCell> {
        match &self.outcome {
            CellOutcome::Measured(measured) => Some(measured),
            _ => None,
        }
    }
}

impl CellOutcome {
    /// As in reports.
    pub fn name(&self) -> &'static str {
        match self {
            CellOutcome::Measured(_) => "measured",
            CellOutcome::OutOfTime => "out of time",
            CellOutcome::OutOfMemory => "out of memory",
            CellOutcome::Failed(_) => "failed",
        }
    }

    /// The text in place of the figures; `limit` is the limit of CPU time.
    pub fn instead(&self, limit: Duration) -> String {
        match self {
            CellOutcome::OutOfTime => format!("> {} s", limit.as_secs_f64()),
            _ => self.name().to_string(),
        }
    }
}

impl MeasuredCell {
    /// A figure of the report, such as `/solver/smt_calls`; 0 if it has none.
    pub fn number(&self, pointer: &str) -> u64 {
        self.report.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
    }
}

impl MeasuredTable {
    /// Was everything measured that the limits of single cells allow?
    pub fn is_complete(&self) -> bool {
        self.unreached == 0 && self.failures().next().is_none()
    }

    /// A sentence about the cells that were not reached.
    pub fn left_out(&self) -> Option<String> {
        let cells = count(self.unreached as u64, "cell was", "cells were");
        (self.unreached > 0).then(|| format!("The run ended early: {cells} planned and not measured."))
    }

    /// A sentence for each cell that failed.
    pub fn failures(&self) -> impl Iterator<Item = String> {
        self.cells.iter().filter_map(|cell| match &cell.outcome {
            CellOutcome::Failed(why) => {
                Some(format!("{} at scope {} under {} failed: {why}", cell.target, cell.scope, cell.column))
            }
            _ => None,
        })
    }
}

/// The figures that every table has.
pub(crate) fn figures(cell: &TableCell) -> Map<String, Value> {
    let mut figures = Map::new();
    if let CellOutcome::Failed(why) = &cell.outcome {
        figures.insert("why".to_string(), json!(why));
    }
    if let Some(measured) = cell.measured() {
        figures.insert("cpu_s".to_string(), json!(measured.cpu.as_secs_f64()));
        figures.insert("wall_s".to_string(), json!(measured.wall.as_secs_f64()));
        figures.insert("peak_memory_mb".to_string(), json!(measured.peak_memory));
    }
    figures
}

/// Every target and scope of which there is a cell, in the order of the plan.
pub(crate) fn targets_and_scopes(cells: &[TableCell]) -> Vec<(&str, usize)> {
    let mut targets: Vec<&str> = cells.iter().map(|cell| cell.target.as_str()).collect();
    targets.dedup();
    let rows = targets.into_iter().flat_map(|target| {
        let mut scopes: Vec<usize> = cells.iter().filter(|c| c.target == target).map(|cell| cell.scope).collect();
        scopes.sort();
        scopes.dedup();
        scopes.into_iter().map(move |scope| (target, scope))
    });
    rows.collect()
}

/// Measures until there is nothing left, the time is over, or the user has seen enough.
///
/// `program` is the executable of Lazuli, `classes` the directory of the subjects.
pub fn measure(
    plan: Vec<Series>,
    program: &Path,
    classes: &Path,
    limits: &BenchLimits,
    observer: &dyn BenchObserver,
) -> Result<MeasuredTable, BenchError> {
    let caches = tempfile::tempdir().map_err(BenchError::NoCaches)?;
    let queue = Mutex::new(SeriesQueue::new(plan, caches.path()));
    let is_over = || observer.is_interrupted() || limits.end.is_some_and(|end| Instant::now() >= end);
    let work = || {
        while !is_over() {
            let next = lock(&queue).take();
            match next {
                NextRequest::Request { series, arguments, is_repeated, own_time } => {
                    let process = CellProcess { program, classes, arguments: &arguments, own_time };
                    let mut measured = process.measure(limits, &is_over);
                    if is_repeated && matches!(measured, Some(CellOutcome::Measured(_))) {
                        measured = process.measure(limits, &is_over);
                    }
                    lock(&queue).put(series, measured);
                }
                NextRequest::Wait => std::thread::sleep(TICK),
                NextRequest::Nothing => return,
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..limits.jobs).map(|_| scope.spawn(work)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            observer.draw(&lock(&queue).line(limits, observer.is_interrupted()));
            std::thread::sleep(TICK);
        }
    });
    observer.erase();
    Ok(queue.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).finish())
}

fn lock(queue: &Mutex<SeriesQueue>) -> MutexGuard<'_, SeriesQueue> {
    queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The series, and how far each has come.
struct SeriesQueue {
    states: Vec<SeriesState>,
}

struct SeriesState {
    series: Series,
    outcomes: Vec<CellOutcome>,
    /// Since when the next one runs.
    running: Option<Instant>,
    /// Did a cell come to nothing? Then larger ones would too.
    is_cut_off: bool,
}

enum NextRequest {
    Request {
        series: usize,
        arguments: Vec<String>,
        is_repeated: bool,
        own_time: Option<Duration>,
    },
    /// The rest depends on cells that are being measured.
    Wait,
    Nothing,
}

impl SeriesQueue {
    /// Of series whose caches go into the directory.
    fn new(plan: Vec<Series>, caches: &Path) -> SeriesQueue {
        let states = plan.into_iter().enumerate().map(|(index, mut series)| {
            if series.has_cache {
                let cache = caches.join(index.to_string()).display().to_string();
                for (_, arguments) in &mut series.requests {
                    arguments.extend(["--cache".to_string(), cache.clone()]);
                }
            }
            SeriesState { series, outcomes: Vec::new(), running: None, is_cut_off: false }
        });
        SeriesQueue { states: states.collect() }
    }

    fn take(&mut self) -> NextRequest {
        let is_open = |state: &SeriesState| state.running.is_none() && state.left() > 0;
        let open = self.states.iter().enumerate().filter(|(_, state)| is_open(state));
        match open.min_by_key(|(_, state)| state.urgency()).map(|(index, _)| index) {
            Some(series) => {
                let state = &mut self.states[series];
                state.running = Some(Instant::now());
                let arguments = state.series.requests[state.outcomes.len()].1.clone();
                let Series { is_repeated, own_time, .. } = state.series;
                NextRequest::Request { series, arguments, is_repeated, own_time }
            }
            None if self.states.iter().any(|state| state.running.is_some()) => NextRequest::Wait,
            None => NextRequest::Nothing,
        }
    }

    /// Takes note of an outcome; there is none if the run ended before the cell did.
    fn put(&mut self, series: usize, outcome: Option<CellOutcome>) {
        let state = &mut self.states[series];
        state.running = None;
        if let Some(outcome) = outcome {
            state.is_cut_off = !matches!(outcome, CellOutcome::Measured(_));
            state.outcomes.push(outcome);
        }
    }

    fn line(&self, limits: &BenchLimits, is_interrupted: bool) -> String {
        let left = self.states.iter().filter(|state| state.left() > 0).count();
        let mut parts = vec![format!("{} of {} series to go on with", left, self.states.len())];
        for state in &self.states {
            if let (Some(begin), Some((scope, _))) = (state.running, state.series.requests.get(state.outcomes.len())) {
                let Series { target, column, .. } = &state.series;
                parts.push(format!("{target}, {column}, scope {scope}: {} s", begin.elapsed().as_secs()));
            }
        }
        if is_interrupted {
            parts.push("ending; Ctrl-C again to end at once".to_string());
        } else if let Some(end) = limits.end {
            let left = end.saturating_duration_since(Instant::now());
            parts.push(format!("{} left", duration(Duration::from_secs(left.as_secs() + 1))));
        }
        parts.join(" · ")
    }

    fn finish(self) -> MeasuredTable {
        let unreached = self.states.iter().map(SeriesState::left).sum();
        let mut cells = Vec::new();
        for SeriesState { series: Series { subject, target, column, requests, .. }, outcomes, .. } in self.states {
            cells.extend(requests.iter().zip(outcomes).map(|((scope, _), outcome)| TableCell {
                subject: subject.clone(),
                target: target.clone(),
                column: column.clone(),
                scope: *scope,
                outcome,
            }));
        }
        MeasuredTable { cells, unreached }
    }
}

impl SeriesState {
    /// Cells that are still to be measured.
    fn left(&self) -> usize {
        if self.is_cut_off { 0 } else { self.series.requests.len() - self.outcomes.len() }
    }

    /// The least goes on first: what took least, and of equals what has come least far.
    fn urgency(&self) -> (u128, usize) {
        let cost = match self.outcomes.last() {
            Some(CellOutcome::Measured(measured)) => measured.cpu.as_millis() / ALIKE.as_millis(),
            _ => 0,
        };
        (cost, self.outcomes.len())
    }
}

/// The process of a cell.
struct CellProcess<'a> {
    program: &'a Path,
    classes: &'a Path,
    arguments: &'a [String],
    own_time: Option<Duration>,
}

impl CellProcess<'_> {
    /// Runs to the end or to a limit. There is no outcome if all is over before.
    fn measure(&self, limits: &BenchLimits, is_over: &dyn Fn() -> bool) -> Option<CellOutcome> {
        let begin = Instant::now();
        let mut child = match self.start(limits) {
            Ok(child) => child,
            Err(error) => return Some(CellOutcome::Failed(format!("the process cannot be started: {error}"))),
        };
        let (sender, ended) = channel::<()>();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let report = std::thread::spawn(move || {
            let report = everything(stdout);
            // The receiver may no longer wait.
            let _ = sender.send(());
            report
        });
        let complaint = std::thread::spawn(move || everything(stderr));
        // The output ends when the process does.
        let is_spent = || {
            let used = cpu_time(child.id()).unwrap_or(begin.elapsed());
            used >= self.cpu_limit(limits) || begin.elapsed() >= limits.patience()
        };
        let why_ended = loop {
            match ended.recv_timeout(TICK) {
                Err(RecvTimeoutError::Timeout) if is_spent() => break EndCause::Limit,
                Err(RecvTimeoutError::Timeout) if is_over() => break EndCause::Over,
                Err(RecvTimeoutError::Timeout) => {}
                _ => break EndCause::Finished,
            }
        };
        if why_ended != EndCause::Finished {
            // If it has ended by itself in the meantime, so much the better.
            let _ = child.kill();
        }
        let wall = begin.elapsed();
        let used = child.wait4();
        let (report, complaint) = (report.join().unwrap_or_default(), complaint.join().unwrap_or_default());
        match (why_ended, used) {
            (EndCause::Over, _) => None,
            // Ctrl-C reaches the cell as well, and what it then reports is no measurement.
            (EndCause::Finished, _) if is_over() => None,
            (EndCause::Limit, _) => Some(CellOutcome::OutOfTime),
            // BenchLimits shorter than the time between two looks are limits too.
            (EndCause::Finished, Ok(used)) if used.rusage.utime + used.rusage.stime > self.cpu_limit(limits) => {
                Some(CellOutcome::OutOfTime)
            }
            (EndCause::Finished, Ok(used)) => Some(outcome(&report, &complaint, used.status, used.rusage, wall)),
            (EndCause::Finished, Err(error)) => {
                Some(CellOutcome::Failed(format!("its use of time is not known: {error}")))
            }
        }
    }

    /// The CPU time after which the process is ended: none if it keeps a limit of its own, which leaves time for a report.
    fn cpu_limit(&self, limits: &BenchLimits) -> Duration {
        if self.own_time.is_some() { Duration::MAX } else { limits.cell }
    }

    fn start(&self, limits: &BenchLimits) -> std::io::Result<Child> {
        let time = self.own_time.unwrap_or(limits.patience() + GRACE);
        Command::new(self.program)
            .args(self.arguments)
            .arg("--class-path")
            .arg(self.classes)
            .args(["--format", "json", "--quiet"])
            // A verdict of an earlier run says nothing about the effort for it.
            .args((self.arguments.first().map(String::as_str) == Some("check")).then_some("--fresh"))
            .args(["--memory".to_string(), limits.memory.to_string()])
            .args(["--time".to_string(), format!("{}s", time.as_secs_f64())])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EndCause {
    Finished,
    Limit,
    Over,
}

/// The CPU time that a running process has used, where the system tells.
fn cpu_time(process: u32) -> Option<Duration> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the name of the program in parentheses, which may contain anything.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(CLOCK_TICK * (ticks()? + ticks()?))
}

fn everything(source: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // Bytes that were read before a failure are kept.
    let _ = source.map(|mut source| source.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn outcome(report: &str, complaint: &str, status: ExitStatus, used: ResourceUsage, wall: Duration) -> CellOutcome {
    let Ok(report) = serde_json::from_str::<Value>(report) else {
        let said = complaint.lines().find(|line| !line.trim().is_empty()).unwrap_or("without a word").trim();
        return CellOutcome::Failed(format!("{status}: {said}"));
    };
    if is_out_of_memory(&report) {
        return CellOutcome::OutOfMemory;
    }
    CellOutcome::Measured(MeasuredCell { report, cpu: used.utime + used.stime, wall, peak_memory: used.maxrss >> 20 })
}

fn is_out_of_memory(report: &Value) -> bool {
    report["not_explored"].as_array().is_some_and(|entries| entries.iter().any(|entry| entry["limit"] == "memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(column: &str, scopes: std::ops::RangeInclusive<usize>) -> Series {
        let requests = scopes.map(|scope| (scope, vec![scope.to_string()])).collect();
        Series::new("p.A", "p.A.f", column, requests)
    }

    fn take(queue: &mut SeriesQueue) -> Option<(usize, String)> {
        match queue.take() {
            NextRequest::Request { series, arguments, .. } => Some((series, arguments[0].clone())),
            _ => None,
        }
    }

    fn measured(seconds: u64) -> Option<CellOutcome> {
        let (cpu, wall) = (Duration::from_secs(seconds), Duration::ZERO);
        Some(CellOutcome::Measured(MeasuredCell { report: json!({}), cpu, wall, peak_memory: 1 }))
    }

    #[test]
    fn what_takes_least_goes_on_and_what_is_cut_off_does_not() {
        let mut queue = SeriesQueue::new(vec![series("slow", 1..=3), series("quick", 1..=3)], Path::new("caches"));
        for expected in ["slow 1", "quick 1", "quick 2", "quick 3", "slow 2"] {
            let (series, scope) = take(&mut queue).expect("there is more");
            assert_eq!(format!("{} {scope}", queue.states[series].series.column), expected);
            match expected {
                "slow 1" => queue.put(series, measured(9)),
                "slow 2" => assert!(matches!(queue.take(), NextRequest::Wait)),
                _ => queue.put(series, measured(0)),
            }
        }
        queue.put(0, Some(CellOutcome::OutOfTime));
        assert!(matches!(queue.take(), NextRequest::Nothing));
        let run = queue.finish();
        assert_eq!((run.cells.len(), run.unreached, run.is_complete()), (5, 0, true));
    }

    #[test]
    fn what_the_run_did_not_reach_is_counted() {
        let mut queue = SeriesQueue::new(vec![series("one", 1..=3)], Path::new("caches"));
        take(&mut queue);
        queue.put(0, None);
        let run = queue.finish();
        assert_eq!((run.cells.len(), run.unreached, run.is_complete()), (0, 3, false));
        assert!(run.left_out().unwrap().contains("3 cells were planned"));
    }

    #[test]
    fn a_series_with_a_cache_has_one_of_its_own() {
        let cached = |column| Series { has_cache: true, is_repeated: true, ..series(column, 1..=2) };
        let queue = SeriesQueue::new(vec![cached("one"), series("two", 1..=1), cached("three")], Path::new("caches"));
        let arguments = |at: usize| queue.states[at].series.requests.iter().map(|(_, words)| words.join(" "));
        assert_eq!(arguments(0).collect::<Vec<_>>(), ["1 --cache caches/0", "2 --cache caches/0"]);
        assert_eq!(arguments(1).collect::<Vec<_>>(), ["1"]);
        assert_eq!(arguments(2).collect::<Vec<_>>(), ["1 --cache caches/2", "2 --cache caches/2"]);
    }
}
