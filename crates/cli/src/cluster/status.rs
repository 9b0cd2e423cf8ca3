//! What is going on in a cluster?

use std::time::Duration;

use lazuli_console::numbers::{count, duration};
use lazuli_console::visible::visible;
use serde::Serialize;

use super::exchange::server_time;
use super::link::{Link, list, pairs, text};
use super::message::field;
use super::{ClusterError, Keys};
use crate::wire::{Reply, ServerAddress};

/// A worker that was silent for so long is not shown any more.
const FORGOTTEN_MS: u64 = 600_000;

/// A worker that was silent for so long is told as such.
const SILENT_MS: u64 = 10_000;

/// The workers and problems of a cluster.
#[derive(Serialize)]
pub(crate) struct ClusterStatus {
    pub(crate) workers: Vec<WorkerStatus>,
    pub(crate) problems: Vec<ProblemStatus>,
}

#[derive(Serialize)]
pub(crate) struct WorkerStatus {
    name: String,
    version: String,
    /// The piece that it solves; none if it waits.
    piece: Option<String>,
    solved: u64,
    silent_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct ProblemStatus {
    title: String,
    version: String,
    /// Pieces that wait for a worker or are being solved.
    offered: u64,
    answered: u64,
    /// Pieces that were split.
    split: u64,
    /// The time of a piece, on the average.
    mean_ms: u64,
    /// How long the pieces that are offered now will take, if none is split; a piece that is split takes longer.
    rest_ms: Option<u64>,
}

impl ClusterStatus {
    pub(crate) fn of(address: &ServerAddress) -> Result<ClusterStatus, ClusterError> {
        let mut link = Link::open(address)?;
        let now = server_time(&mut link)?;
        let mut workers = Vec::new();
        for (name, info) in pairs(link.ask(&["HGETALL", Keys::WORKERS])?) {
            let beat = link.ask(&["ZSCORE", Keys::BEATS, &name])?;
            let beat = text(&beat).and_then(|beat| beat.parse::<f64>().ok()).unwrap_or(0.0) as u64;
            let info = String::from_utf8_lossy(&info).into_owned();
            let mut parts = info.split('\t').map(str::to_string);
            let mut next = || parts.next().unwrap_or_default();
            let (version, _job, piece, solved) = (next(), next(), next(), next());
            let piece = Some(piece).filter(|piece| !piece.is_empty());
            let silent_ms = now.saturating_sub(beat);
            let solved = solved.parse().unwrap_or(0);
            workers.push(WorkerStatus { name, version, piece, solved, silent_ms });
        }
        workers.retain(|worker| worker.silent_ms < FORGOTTEN_MS);
        workers.sort_by(|one, other| one.name.cmp(&other.name));
        let alive = workers.iter().filter(|worker| worker.silent_ms < SILENT_MS).count() as u64;
        let mut problems = Vec::new();
        for job in list(link.ask(&["SMEMBERS", Keys::JOBS])?).iter().filter_map(text) {
            let info = pairs(link.ask(&["HGETALL", &Keys::of(&job, "info")])?);
            let number = |name: &str| field(&info, name).and_then(|number| number.parse().ok()).unwrap_or(0);
            let all = match link.ask(&["XLEN", &Keys::of(&job, "answers")])? {
                Reply::Number(number) => number.max(0) as u64,
                _ => 0,
            };
            let (offered, answered, mean_ms) = (number("offered"), number("answered"), number("mean_ms"));
            problems.push(ProblemStatus {
                title: field(&info, "title").unwrap_or_default().to_string(),
                version: field(&info, "version").unwrap_or_default().to_string(),
                offered,
                answered,
                split: all.saturating_sub(answered),
                mean_ms,
                rest_ms: (alive > 0).then(|| offered * mean_ms / alive),
            });
        }
        Ok(ClusterStatus { workers, problems })
    }

    /// For people.
    pub(crate) fn text(&self, address: &ServerAddress) -> String {
        let mut text = format!("cluster {address}: {}\n", count(self.workers.len() as u64, "worker", "workers"));
        for worker in &self.workers {
            let WorkerStatus { name, version, piece, solved, silent_ms } = worker;
            let at = piece.as_ref().map_or("waits".to_string(), |piece| format!("solves {piece}"));
            let silent = if *silent_ms < SILENT_MS {
                String::new()
            } else {
                format!(" · silent for {}", duration(Duration::from_millis(*silent_ms)))
            };
            let solved = count(*solved, "piece", "pieces");
            text.push_str(&format!(
                "  {} · Lazuli {} · {solved} · {}{silent}\n",
                visible(name),
                visible(version),
                visible(&at)
            ));
        }
        for problem in &self.problems {
            let rest = problem.rest_ms.map_or("no worker".to_string(), |rest| {
                format!("about {} for these", duration(Duration::from_millis(rest)))
            });
            text.push_str(&format!(
                "  {}: {} answered, {} split, {} offered, {} ms each on the average · {rest}\n",
                visible(&problem.title),
                problem.answered,
                problem.split,
                problem.offered,
                problem.mean_ms,
            ));
        }
        if self.problems.is_empty() {
            text.push_str("  nothing to do\n");
        }
        text
    }
}
