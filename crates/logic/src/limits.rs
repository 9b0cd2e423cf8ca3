//! How long may a question take? The same limits hold for the solvers of terms, of circuits and of clauses.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of one question.
#[derive(Clone, Debug)]
pub struct SolverLimits {
    /// Time for one question. Default: 5 s.
    pub time: Duration,
    /// When everything must end. Default: never.
    pub deadline: Option<Instant>,
    /// Ends everything earlier when it is set. A SAT solver looks at it while it works, others between questions. Default: none.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for SolverLimits {
    fn default() -> SolverLimits {
        SolverLimits { time: Duration::from_secs(5), deadline: None, stop: None }
    }
}

impl SolverLimits {
    /// The time that is left for a question asked now.
    pub fn left(&self) -> Duration {
        if is_set(&self.stop) {
            return Duration::ZERO;
        }
        let until_deadline = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        until_deadline.map_or(self.time, |left| left.min(self.time))
    }

    /// Something that tells a solver which works on a question from now on when to end. None if there is no time left for it.
    pub(crate) fn alarm(&self) -> Option<Alarm> {
        let left = self.left();
        // A time too far away to be told is never reached.
        (!left.is_zero()).then(|| Alarm { end: Instant::now().checked_add(left), stop: self.stop.clone() })
    }
}

/// Rings when a question has cost what it may.
#[derive(Default)]
pub(crate) struct Alarm {
    end: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
}

impl Alarm {
    pub(crate) fn rings(&self) -> bool {
        is_set(&self.stop) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

fn is_set(stop: &Option<Arc<AtomicBool>>) -> bool {
    stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
}
