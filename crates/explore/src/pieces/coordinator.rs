//! Which piece is solved next, and which is split? The master of figure 8 of MUCHO-TACO (ISSTA 2013).
//!
//! Two queues: pieces that wait for a worker, and pieces that came back undecided and wait to be split. They are split only when too few pieces wait,
//! so that no more pieces come about than keep the workers busy. When a worker has nothing to do and nothing waits, the piece that has been worked on
//! longest is called back and split; so a limit that is too long costs little. The first violation ends all.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_heapsat::{PieceEnd, PieceId, PieceLimit, PieceSolver, PieceTree};
use lazuli_logic::SolverLimits;

use crate::Progress;
use crate::pieces::exchange::{Exchange, ExchangeError, PieceReport, PieceTask};
use crate::pieces::ledger::Ledger;
use crate::pieces::limit::{LimitRule, PieceTimes};
use crate::report::PieceFigures;

/// The interval between two looks at the clock and at the user's wishes.
const INTERVAL: Duration = Duration::from_millis(20);

/// Pieces for each worker that are offered ahead, so that it need not wait for the next.
const AHEAD: usize = 2;

/// Pieces for each worker before any is solved.
const FIRST_PIECES: usize = 4;

/// A piece is called back no sooner than this.
const WORTH_RECALLING: Duration = Duration::from_millis(250);

/// The end of a round.
pub(crate) enum RoundEnd {
    /// Every leaf has a record: no input violates what is asked for.
    Settled,
    /// An input does: the values of the formula's inputs.
    Violated(Vec<bool>),
    /// Time, memory or the user ended it.
    Stopped,
}

/// One problem, until it is settled or an input is found.
pub(crate) struct Round<'a> {
    pub(crate) tree: &'a PieceTree,
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) exchange: &'a mut dyn Exchange,
    pub(crate) rule: LimitRule,
    pub(crate) limits: &'a SolverLimits,
    pub(crate) progress: &'a Progress,
    pub(crate) figures: &'a mut PieceFigures,
}

/// The pieces of a round, by what is to be done with them.
struct Queues {
    waiting: VecDeque<(PieceId, bool)>,
    to_split: VecDeque<PieceId>,
    /// Offered, with the time, and whether it was called back.
    offered: BTreeMap<PieceId, (Instant, bool)>,
    /// Pieces that cannot be split have no limit.
    times: PieceTimes,
    splitter: PieceSolver,
}

impl Round<'_> {
    /// Works until the problem is settled, violated or stopped.
    pub(crate) fn run(&mut self) -> Result<RoundEnd, ExchangeError> {
        self.exchange.restore(self.ledger)?;
        let mut queues = Queues {
            waiting: VecDeque::new(),
            to_split: VecDeque::new(),
            offered: BTreeMap::new(),
            times: PieceTimes::default(),
            splitter: PieceSolver::new(&self.tree.formula),
        };
        // The whole problem was tried before: it is split at once. What is left of an earlier round is tried as it is.
        for piece in self.ledger.open() {
            match piece.0.is_empty() {
                true => queues.to_split.push_back(piece.clone()),
                false => queues.waiting.push_back((piece.clone(), true)),
            }
        }
        let ended = self.settle(&mut queues);
        self.exchange.end();
        let (empty, refuted, open, split) = self.ledger.counts();
        let figures = &mut *self.figures;
        (figures.empty, figures.refuted, figures.open, figures.split) = (empty, refuted, open, split);
        figures.leaves = empty + refuted + open;
        figures.repeated = self.ledger.repeated();
        ended
    }

    fn settle(&mut self, queues: &mut Queues) -> Result<RoundEnd, ExchangeError> {
        loop {
            if self.limits.left().is_zero() {
                return Ok(RoundEnd::Stopped);
            }
            // The list of open pieces and the walk from the root must agree.
            if self.ledger.open().next().is_none() {
                return Ok(if self.ledger.is_settled() { RoundEnd::Settled } else { RoundEnd::Stopped });
            }
            let workers = self.exchange.workers();
            self.fill(queues, workers)?;
            self.offer(queues, workers)?;
            self.recall(queues, workers)?;
            for report in self.exchange.answers(INTERVAL)? {
                if let Some(found) = self.take(queues, report) {
                    return Ok(RoundEnd::Violated(found));
                }
            }
            self.show(queues, workers);
        }
    }

    /// Splits as long as too few pieces wait: those that came back, and, before the first answer, those that were not tried.
    fn fill(&mut self, queues: &mut Queues, workers: usize) -> Result<(), ExchangeError> {
        let enough = AHEAD * workers.max(1);
        while queues.waiting.len() < enough {
            let Some(piece) = queues.to_split.pop_front() else { break };
            self.split(queues, piece)?;
        }
        // Each piece that waits is looked at once, from the shortest on; one that cannot be split stays.
        let mut candidates = queues.waiting.len();
        let is_first = self.ledger.leaves().is_empty() && queues.offered.is_empty() && self.rule_is_free();
        while is_first && candidates > 0 && queues.waiting.len() < FIRST_PIECES * workers {
            candidates -= 1;
            if let Some((piece, has_limit)) = queues.waiting.pop_front() {
                match has_limit {
                    true => self.split(queues, piece)?,
                    false => queues.waiting.push_back((piece, has_limit)),
                }
            }
        }
        Ok(())
    }

    /// May pieces be split for other reasons than their limit? Not where the limit is a count, so that the leaves are the same on any number of workers.
    fn rule_is_free(&self) -> bool {
        !matches!(self.rule, LimitRule::Conflicts(_))
    }

    fn split(&mut self, queues: &mut Queues, piece: PieceId) -> Result<(), ExchangeError> {
        if !self.ledger.is_open(&piece) {
            return Ok(());
        }
        match self.tree.split(&piece, &mut queues.splitter, self.limits) {
            Some(into) => {
                self.exchange.note_split(&piece, &into)?;
                self.ledger.split(&piece, &into);
                queues.waiting.extend(into.into_iter().map(|piece| (piece, true)));
            }
            None => queues.waiting.push_back((piece, false)),
        }
        Ok(())
    }

    fn offer(&mut self, queues: &mut Queues, workers: usize) -> Result<(), ExchangeError> {
        while queues.offered.len() < AHEAD * workers.max(1) {
            let Some((piece, has_limit)) = queues.waiting.pop_front() else { break };
            if !self.ledger.is_open(&piece) {
                continue;
            }
            let limit = if has_limit { queues.times.limit(self.rule) } else { PieceLimit::None };
            let assumed = self.tree.assumptions(&piece);
            queues.offered.insert(piece.clone(), (Instant::now(), !has_limit));
            self.exchange.offer(PieceTask { piece, assumed, limit })?;
        }
        Ok(())
    }

    /// Calls a piece back if a worker has nothing to do.
    fn recall(&mut self, queues: &mut Queues, workers: usize) -> Result<(), ExchangeError> {
        let is_idle = queues.offered.len() < workers && queues.waiting.is_empty() && queues.to_split.is_empty();
        if !is_idle || !self.rule_is_free() {
            return Ok(());
        }
        let is_long = |(since, is_called): &(Instant, bool)| !is_called && since.elapsed() > WORTH_RECALLING;
        let longest =
            queues.offered.iter_mut().filter(|(_, times)| is_long(times)).min_by_key(|(_, (since, _))| *since);
        if let Some((piece, (_, is_called))) = longest {
            *is_called = true;
            self.exchange.recall(piece)?;
        }
        Ok(())
    }

    /// Takes note of an answer. The values of an input, if it is one that violates the contract.
    fn take(&mut self, queues: &mut Queues, report: PieceReport) -> Option<Vec<bool>> {
        let PieceReport { piece, end, took, worker } = report;
        queues.offered.remove(&piece);
        self.figures.note_answer(piece.to_string(), &worker, took.as_secs_f64());
        if !self.ledger.is_open(&piece) {
            self.ledger.note_repeated();
            return None;
        }
        match end {
            PieceEnd::Violated(inputs) => {
                self.figures.violated += 1;
                return Some(inputs);
            }
            // A worker that was told to stop may come back with nothing; it is asked again, or the piece is split.
            PieceEnd::Undecided => queues.to_split.push_back(piece),
            PieceEnd::Empty | PieceEnd::Refuted => {
                self.ledger.close(&piece, &end);
                if end == PieceEnd::Refuted {
                    queues.times.add(took);
                }
            }
        }
        None
    }

    /// Shows how far it has come.
    fn show(&self, queues: &Queues, workers: usize) {
        let progress = &self.progress.pieces;
        let (empty, refuted, open, split) = self.ledger.counts();
        progress.closed.store(empty + refuted, Ordering::Relaxed);
        progress.open.store(open, Ordering::Relaxed);
        progress.split.store(split, Ordering::Relaxed);
        progress.running.store(queues.offered.len().min(workers) as u64, Ordering::Relaxed);
        progress.workers.store(workers as u64, Ordering::Relaxed);
    }
}
