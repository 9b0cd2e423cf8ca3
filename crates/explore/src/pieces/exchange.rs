//! What carries pieces to workers, and their answers back? One small blocking seam, with one implementation in this process and others elsewhere.

use std::sync::Arc;
use std::time::Duration;

use lazuli_heapsat::{PieceEnd, PieceId, PieceLimit};
use lazuli_logic::circuit::Formula;
use lazuli_logic::sat::Literal;

use crate::pieces::ledger::Ledger;

/// A piece that a worker is to solve.
#[derive(Clone, Debug)]
pub struct PieceTask {
    /// Its name.
    pub piece: PieceId,
    /// The assumptions that are the piece.
    pub assumed: Vec<Literal>,
    /// When it is given back.
    pub limit: PieceLimit,
}

/// The answer of a worker.
#[derive(Clone, Debug)]
pub struct PieceReport {
    /// The piece.
    pub piece: PieceId,
    /// How it ended.
    pub end: PieceEnd,
    /// The time that the worker took.
    pub took: Duration,
    /// The name of the worker.
    pub worker: String,
}

/// A problem that workers solve together.
#[derive(Clone)]
pub struct SharedProblem {
    /// The clauses.
    pub formula: Arc<Formula>,
    /// Do workers ask first whether a piece has a valid input?
    pub checks_invariant: bool,
    /// The target, for those who watch.
    pub title: String,
}

/// Why pieces cannot be exchanged. The one who made the exchange has the words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ExchangeError(pub Box<dyn std::error::Error + Send + Sync>);

/// Carries the pieces of one problem.
pub trait Exchange {
    /// How many workers there are now.
    fn workers(&mut self) -> usize;

    /// Offers a piece to the workers.
    fn offer(&mut self, task: PieceTask) -> Result<(), ExchangeError>;

    /// Waits for answers, at most so long. A piece may be answered more than once, or after it was offered again.
    fn answers(&mut self, most: Duration) -> Result<Vec<PieceReport>, ExchangeError>;

    /// Asks the worker that works on a piece to give it back, so that it can be split.
    fn recall(&mut self, piece: &PieceId) -> Result<(), ExchangeError>;

    /// Notes a split, so that a coordinator which begins again after this one finds it.
    fn note_split(&mut self, _piece: &PieceId, _into: &[PieceId]) -> Result<(), ExchangeError> {
        Ok(())
    }

    /// Brings the books to where an earlier coordinator of the same problem left them.
    fn restore(&mut self, _ledger: &mut Ledger) -> Result<(), ExchangeError> {
        Ok(())
    }

    /// Ends all work on the problem.
    fn end(&mut self);
}

/// Workers elsewhere.
pub trait Cluster: Send + Sync + std::fmt::Debug {
    /// Makes a problem known to the workers.
    fn open(&self, problem: &SharedProblem) -> Result<Box<dyn Exchange>, ExchangeError>;
}
