//! How does the user see the progress of an exploration, and interrupt it?
//!
//! `supervisor` ends the process where a limit is not kept.

pub(crate) mod supervisor;

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lazuli_console::numbers::{count, duration};
use lazuli_console::visible::visible;
use lazuli_explore::{Engine, PieceProgress, ProblemProgress, Progress, Violation};

use supervisor::end_process;

/// How often the line is drawn.
const INTERVAL: Duration = Duration::from_millis(200);
/// The exit code of a process that was interrupted, as shells expect it.
const INTERRUPTED: u8 = 130;

/// Stands between the user and whatever is being explored.
pub(crate) struct Watch {
    is_interrupted: AtomicBool,
    interrupted_at: OnceLock<Instant>,
    current: Mutex<Option<Arc<Progress>>>,
    shows_line: bool,
}

/// Was an exploration asked to end?
pub(crate) enum StopRequest {
    /// There is no exploration.
    Idle,
    /// It was asked before.
    Before,
    Now,
}

/// The parts of the line that are known before the exploration.
pub(crate) struct ExplorationTask {
    pub title: String,
    pub scope: usize,
    pub deadline: Option<Instant>,
    pub counts: ProgressUnit,
}

/// The unit of the figures in the line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgressUnit {
    Paths,
    Structures,
    /// Of a propositional problem.
    Gates,
}

impl ProgressUnit {
    pub(crate) fn of(engine: Engine) -> ProgressUnit {
        match engine {
            Engine::Paths => ProgressUnit::Paths,
            Engine::Sat => ProgressUnit::Gates,
        }
    }
}

impl Watch {
    /// From now on, the first Ctrl-C (or a polite request to terminate) ends the exploration with a partial report, and the second ends the process.
    pub(crate) fn start(is_quiet: bool) -> Arc<Watch> {
        let is_dumb = std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
        let shows_line = !is_quiet && !is_dumb && std::io::stderr().is_terminal();
        let watch = Arc::new(Watch {
            is_interrupted: AtomicBool::new(false),
            interrupted_at: OnceLock::new(),
            current: Mutex::default(),
            shows_line,
        });
        let shared = watch.clone();
        // Without a handler the first Ctrl-C (or a polite request to terminate) ends the process: a partial report is lost, and nothing else.
        let _ = ctrlc::set_handler(move || {
            if shared.is_interrupted.swap(true, Ordering::SeqCst) {
                shared.erase();
                end_process(INTERRUPTED);
            }
            let _ = shared.interrupted_at.set(Instant::now());
            if let Some(progress) = &*shared.current() {
                progress.stop.store(true, Ordering::SeqCst);
            }
        });
        watch
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::SeqCst)
    }

    /// How long ago the user interrupted, if at all.
    pub(crate) fn interrupted_for(&self) -> Option<Duration> {
        self.interrupted_at.get().map(Instant::elapsed)
    }

    /// Asks the current exploration to end because the memory is full.
    pub(crate) fn stop_for_memory(&self) -> StopRequest {
        let Some(progress) = self.current().clone() else { return StopRequest::Idle };
        let was_asked = progress.is_full.swap(true, Ordering::SeqCst);
        progress.stop.store(true, Ordering::SeqCst);
        if was_asked { StopRequest::Before } else { StopRequest::Now }
    }

    /// The faults that the current exploration has found, and the number of its paths.
    pub(crate) fn found(&self) -> (Vec<Violation>, u64) {
        let Some(progress) = self.current().clone() else { return Default::default() };
        let found = progress.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        (found, progress.paths.load(Ordering::Relaxed))
    }

    /// Watches one exploration, until it ends.
    pub(crate) fn during<T>(self: &Arc<Watch>, task: ExplorationTask, explore: impl FnOnce(&Progress) -> T) -> T {
        let progress = Arc::new(Progress::default());
        *self.current() = Some(progress.clone());
        // The interruption may have come after the last look at it and before there was anything to stop.
        if self.is_interrupted() {
            progress.stop.store(true, Ordering::SeqCst);
        }
        // Ends with the exploration, even if that panics.
        let _ticker = self.shows_line.then(|| Ticker::start(self.clone(), task, progress.clone()));
        let _over = Over(self);
        explore(&progress)
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Option<Arc<Progress>>> {
        self.current.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Draws over the line that is there. The terminal is told not to wrap, so that it stays one line however narrow it is.
    pub(crate) fn draw(&self, line: &str) {
        if !self.shows_line {
            return;
        }
        let _ = write!(std::io::stderr(), "\r\x1b[?7l{line}\x1b[K\x1b[?7h");
    }

    pub(crate) fn erase(&self) {
        if self.shows_line {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Nothing is explored any more.
struct Over<'a>(&'a Watch);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        *self.0.current() = None;
    }
}

/// The thread that draws; it erases the line when it is dropped.
struct Ticker {
    ended: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(watch: Arc<Watch>, task: ExplorationTask, progress: Arc<Progress>) -> Ticker {
        let (ended, is_ended) = mpsc::channel::<()>();
        let begin = Instant::now();
        let draw = move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = is_ended.recv_timeout(INTERVAL) {
                watch.draw(&line(&task, &progress, begin.elapsed(), watch.is_interrupted()));
            }
            watch.erase();
        };
        // A missing line is no reason to end the exploration.
        let thread = std::thread::Builder::new().name("progress".into()).spawn(draw).ok();
        Ticker { ended: Some(ended), thread }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.ended.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn line(task: &ExplorationTask, progress: &Progress, elapsed: Duration, is_interrupted: bool) -> String {
    // A computation of bounds counts objects, everything else paths; the other counter stays at zero.
    let paths = progress.paths.load(Ordering::Relaxed) + progress.bounds.found.load(Ordering::Relaxed);
    let rate = (paths as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    let mut parts = vec![visible(&task.title).into_owned(), format!("scope {}", task.scope)];
    match task.counts {
        ProgressUnit::Paths => {
            parts.push(format!("{} ({rate}/s)", count(paths, "path", "paths")));
            parts.push(format!("depth {}", progress.depth.load(Ordering::Relaxed)));
            parts.push(format!("{} pending", progress.pending.load(Ordering::Relaxed)));
        }
        ProgressUnit::Structures => parts.push(format!("{} ({rate}/s)", count(paths, "structure", "structures"))),
        ProgressUnit::Gates => {
            parts.extend(about(&progress.problem));
            parts.extend(about_pieces(&progress.pieces));
        }
    }
    if progress.bounds.is_translating.load(Ordering::Relaxed) {
        parts.push("making a circuit".to_string());
    }
    let violations = progress.violations.load(Ordering::Relaxed);
    if violations > 0 {
        parts.push(count(violations, "violation", "violations"));
    }
    if is_interrupted {
        parts.push("ending; Ctrl-C again to end at once".to_string());
    } else if let Some(deadline) = task.deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        // Tenths of seconds would only flicker; the last second is counted as one.
        parts.push(format!("{} left", duration(Duration::from_secs(left.as_secs() + 1))));
    }
    parts.join(" · ")
}

/// How far the pieces are, if there are any.
fn about_pieces(pieces: &PieceProgress) -> Option<String> {
    let number = |of: &AtomicU64| of.load(Ordering::Relaxed);
    let (closed, open) = (number(&pieces.closed), number(&pieces.open));
    (closed + open > 0).then(|| {
        let done = count(closed, "piece done", "pieces done");
        let workers = count(number(&pieces.workers), "worker", "workers");
        format!(
            "{done}, {open} open, {} split · {} at work of {workers}",
            number(&pieces.split),
            number(&pieces.running)
        )
    })
}

fn about(problem: &ProblemProgress) -> Vec<String> {
    let unroll = problem.unroll.load(Ordering::Relaxed) as u64;
    if unroll == 0 {
        return vec!["starting".to_string()];
    }
    let stage = match problem.is_translated.load(Ordering::Relaxed) {
        true => "looking for an input that goes wrong",
        false => "translating",
    };
    vec![
        stage.to_string(),
        format!("loops unrolled at most {}", count(unroll, "time", "times")),
        count(problem.gates.load(Ordering::Relaxed) as u64, "gate", "gates"),
        count(problem.questions.load(Ordering::Relaxed), "question", "questions"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_all_figures() {
        let mut task =
            ExplorationTask { title: "a.B.f()".to_string(), scope: 2, deadline: None, counts: ProgressUnit::Paths };
        let progress = Progress::default();
        progress.paths.store(3000, Ordering::Relaxed);
        progress.depth.store(7, Ordering::Relaxed);
        progress.pending.store(4, Ordering::Relaxed);
        let two_seconds = Duration::from_secs(2);
        let expected = "a.B.f() · scope 2 · 3,000 paths (1500/s) · depth 7 · 4 pending";
        assert_eq!(line(&task, &progress, two_seconds, false), expected);
        task.counts = ProgressUnit::Structures;
        assert_eq!(line(&task, &progress, two_seconds, false), "a.B.f() · scope 2 · 3,000 structures (1500/s)");
        progress.violations.store(1, Ordering::Relaxed);
        assert!(
            line(&task, &progress, two_seconds, true).ends_with("1 violation · ending; Ctrl-C again to end at once")
        );
    }

    #[test]
    fn the_line_of_a_problem_speaks_of_no_paths() {
        let task = ExplorationTask {
            title: "a.B.f()".to_string(),
            scope: 2,
            deadline: None,
            counts: ProgressUnit::of(Engine::Sat),
        };
        let progress = Progress::default();
        assert_eq!(line(&task, &progress, INTERVAL, false), "a.B.f() · scope 2 · starting");
        progress.problem.unroll.store(6, Ordering::Relaxed);
        progress.problem.gates.store(12_345, Ordering::Relaxed);
        progress.problem.questions.store(1, Ordering::Relaxed);
        let figures = "loops unrolled at most 6 times · 12,345 gates · 1 question";
        let expected = format!("a.B.f() · scope 2 · translating · {figures}");
        assert_eq!(line(&task, &progress, INTERVAL, false), expected);
        progress.problem.is_translated.store(true, Ordering::Relaxed);
        let expected = format!("a.B.f() · scope 2 · looking for an input that goes wrong · {figures}");
        assert_eq!(line(&task, &progress, INTERVAL, false), expected);
    }

    #[test]
    fn the_time_left_is_in_whole_seconds() {
        let deadline = Some(Instant::now() + Duration::from_millis(5900));
        let line = line(
            &ExplorationTask { title: String::new(), scope: 1, deadline, counts: ProgressUnit::Paths },
            &Progress::default(),
            INTERVAL,
            false,
        );
        assert!(line.ends_with("6 s left"), "{line}");
    }
}
