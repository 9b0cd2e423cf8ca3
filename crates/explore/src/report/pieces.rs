//! How many pieces were there, how did they end, and how evenly did the work spread?

use serde::{Deserialize, Serialize};

/// The figures of a problem that was split.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PieceFigures {
    /// Pieces that were not split further.
    pub leaves: u64,
    /// Of these, the ones without a valid input.
    pub empty: u64,
    /// The ones in which no input violates the contract.
    pub refuted: u64,
    /// The ones in which an input was found that violates it.
    pub violated: u64,
    /// The ones that were open when the check ended.
    pub open: u64,
    /// Pieces that were split.
    pub split: u64,
    /// Pairs of fields that never refer to one object, by which pieces were left out.
    pub forbidden_aliases: u64,
    /// Answers that came a second time, from workers that were thought dead.
    pub repeated: u64,
    /// Each worker that solved a piece.
    pub workers: Vec<WorkerFigures>,
    /// Each answer, in the order in which they came.
    #[serde(default)]
    pub answers: Vec<PieceAnswer>,
}

/// An answer about a piece. `lazuli cluster simulate` replays them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PieceAnswer {
    /// The name of the piece.
    pub piece: String,
    /// Seconds that the worker took, whether it decided the piece or gave it back.
    pub took_s: f64,
}

/// The work of one worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerFigures {
    /// Its name.
    pub name: String,
    /// Pieces that it answered.
    pub pieces: u64,
    /// Seconds that it worked on them.
    pub busy_s: f64,
}

impl PieceFigures {
    /// The work of the busiest worker as a multiple of the mean: 1 is even.
    pub fn balance(&self) -> Option<f64> {
        let most = self.workers.iter().map(|worker| worker.busy_s).fold(0.0, f64::max);
        let total: f64 = self.workers.iter().map(|worker| worker.busy_s).sum();
        (total > 0.0).then(|| most * self.workers.len() as f64 / total)
    }

    /// Counts the answer of a worker.
    pub(crate) fn note_answer(&mut self, piece: String, name: &str, busy_s: f64) {
        self.answers.push(PieceAnswer { piece, took_s: busy_s });
        let at = self.workers.iter().position(|worker| worker.name == name).unwrap_or_else(|| {
            self.workers.push(WorkerFigures { name: name.to_string(), ..WorkerFigures::default() });
            self.workers.len() - 1
        });
        self.workers[at].pieces += 1;
        self.workers[at].busy_s += busy_s;
    }
}
