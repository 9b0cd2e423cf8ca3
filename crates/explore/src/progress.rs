//! How far has an exploration come?

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lazuli_valid::BoundsProgress;

use crate::coverage::Coverage;
use crate::report::Violation;

/// How far the exploration has come, for an observer on another thread; and how that one ends it.
#[derive(Default)]
pub struct Progress {
    /// Paths that have ended.
    pub paths: AtomicU64,
    /// Choices that wait to be followed.
    pub pending: AtomicUsize,
    /// Choices on the path that was finished last.
    pub depth: AtomicUsize,
    /// Paths that violated the contract.
    pub violations: AtomicU64,
    /// The size of the propositional problem, where the SAT engine works.
    pub problem: ProblemProgress,
    /// Its pieces, where several workers share it.
    pub pieces: PieceProgress,
    /// Of `bounds`: how far the valid objects are found.
    pub bounds: BoundsProgress,
    /// The faults that were found so far, for the case that the exploration never comes to its report. Each cause is there once.
    pub found: Mutex<Vec<Violation>>,
    /// The coverage of the paths that are described, where an exploration ends when it is enough.
    pub(crate) covered: Mutex<Coverage>,
    /// Is it enough?
    pub(crate) is_goal_met: AtomicBool,
    /// Set it to end the exploration with a partial report.
    pub stop: Arc<AtomicBool>,
    /// Set it before `stop` if the reason is that the process occupies too much memory.
    pub is_full: AtomicBool,
}

impl Progress {
    /// Was the exploration ended because of its memory?
    pub(crate) fn is_stopped_for_memory(&self) -> bool {
        self.stop.load(Ordering::Relaxed) && self.is_full.load(Ordering::Relaxed)
    }

    /// Keeps the first fault of each cause.
    pub(crate) fn note_found(&self, violation: &Violation) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if !found.iter().any(|known| known.has_cause_of(violation)) {
            found.push(violation.clone());
        }
    }
}

/// How far a propositional problem has come.
#[derive(Default)]
pub struct ProblemProgress {
    /// Rounds of each loop that are being translated.
    pub unroll: AtomicUsize,
    /// Gates of the circuit so far.
    pub gates: AtomicUsize,
    /// To the SAT solver, about these gates.
    pub questions: AtomicU64,
    /// Is all translated, so that the solver looks for something that goes wrong?
    pub is_translated: AtomicBool,
}

/// How far the pieces of a problem have come.
#[derive(Default)]
pub struct PieceProgress {
    /// Pieces that are settled.
    pub closed: AtomicU64,
    /// Pieces that are not.
    pub open: AtomicU64,
    /// Pieces that were split.
    pub split: AtomicU64,
    /// Pieces that are being solved.
    pub running: AtomicU64,
    /// Workers.
    pub workers: AtomicU64,
}
