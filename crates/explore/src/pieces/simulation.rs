//! How would a problem scale to more workers than there are? Replays the recorded pieces of a check on simulated workers.
//!
//! A check on two cores records how long each piece took and which were split. The simulation gives the same pieces to as many workers as one likes, and
//! charges what the exchange costs: time of the coordinator for each piece, one after the other, and time of the worker for each piece. Pieces of a split
//! wait until the piece above them came back. So three things bound the speed-up: the work (all of it, divided among the workers), the longest chain of
//! pieces from the whole problem down, and the coordinator. What more workers would split further is not known: the simulation never splits a piece that
//! was solved, so that the real thing may do better where the longest chain is what stops it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

use lazuli_heapsat::{PieceId, UnreadablePiece};

use crate::report::PieceAnswer;

/// The costs of a piece beside its solving.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceCosts {
    /// Time of the coordinator, which handles one piece after the other.
    pub coordinator: Duration,
    /// Time of the worker: the way there and back.
    pub worker: Duration,
}

/// The pieces of a check, with the time that each took.
#[derive(Clone, Debug, Default)]
pub struct RecordedPieces {
    /// By number: the time, and the numbers of the pieces that are offered when it comes back.
    pieces: Vec<(Duration, Vec<usize>)>,
    /// The pieces that are offered at first.
    first: Vec<usize>,
}

/// Why an answer of a report cannot be replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnreadableAnswer {
    /// Its piece has no name.
    #[error(transparent)]
    Piece(#[from] UnreadablePiece),
    /// Its time is none.
    #[error("no piece takes {0} s")]
    Time(f64),
}

/// No piece takes longer: the sums below do not overflow.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// A simulated check.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedCheck {
    /// How many workers shared the problem.
    pub workers: usize,
    /// The time until every piece has an answer.
    pub took: Duration,
    /// The obstacle that keeps more workers from being faster.
    pub bound: SimulationBound,
}

/// The lower bound on the time of a simulated check, and that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimulationBound {
    /// The work, divided among the workers: more of them would help.
    Work(Duration),
    /// The longest chain of pieces, each of which was split from the one before.
    Chain(Duration),
    /// The coordinator, which handles one piece after the other.
    Coordinator(Duration),
}

impl RecordedPieces {
    /// Reads the answers of a report.
    pub fn of(answers: &[PieceAnswer]) -> Result<RecordedPieces, UnreadableAnswer> {
        let read = answers.iter().map(|PieceAnswer { piece, took_s }| {
            let took = Duration::try_from_secs_f64(*took_s).ok().filter(|took| *took < LONGEST);
            Ok((piece.parse()?, took.ok_or(UnreadableAnswer::Time(*took_s))?))
        });
        Ok(RecordedPieces::new(read.collect::<Result<Vec<_>, UnreadableAnswer>>()?))
    }

    /// Takes the time of each piece. One that was answered several times took the sum.
    fn new(answers: impl IntoIterator<Item = (PieceId, Duration)>) -> RecordedPieces {
        let mut times: BTreeMap<PieceId, Duration> = BTreeMap::new();
        for (piece, took) in answers {
            *times.entry(piece).or_default() += took;
        }
        let numbers: BTreeMap<&PieceId, usize> = times.keys().zip(0..).collect();
        let mut recorded =
            RecordedPieces { pieces: times.values().map(|took| (*took, Vec::new())).collect(), first: Vec::new() };
        for (piece, number) in &numbers {
            // The piece above may have been split without having been tried; then the one above that counts.
            let above = (0..piece.0.len()).rev().find_map(|kept| numbers.get(&PieceId(piece.0[..kept].to_vec())));
            match above {
                Some(above) => recorded.pieces[*above].1.push(*number),
                None => recorded.first.push(*number),
            }
        }
        recorded
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Was nothing recorded?
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The time that all workers together spent on the pieces.
    pub fn work(&self) -> Duration {
        self.pieces.iter().map(|(took, _)| *took).sum()
    }

    /// Replays the check: the piece that came first goes to the worker that is free first.
    pub fn simulate(&self, workers: usize, costs: PieceCosts) -> SimulatedCheck {
        let workers = workers.max(1);
        let mut free: BinaryHeap<Reverse<Duration>> = std::iter::repeat_n(Reverse(Duration::ZERO), workers).collect();
        // Pieces by the time at which they are offered. Equal times go by number, so that the same record gives the same answer.
        let mut offered: BinaryHeap<Reverse<(Duration, usize)>> =
            self.first.iter().map(|piece| Reverse((Duration::ZERO, *piece))).collect();
        let (mut coordinator_free, mut took) = (Duration::ZERO, Duration::ZERO);
        while let Some(Reverse((since, piece))) = offered.pop() {
            let Some(Reverse(worker_free)) = free.pop() else { break };
            coordinator_free = coordinator_free.max(since) + costs.coordinator;
            let (time, into) = &self.pieces[piece];
            let ended = worker_free.max(coordinator_free) + costs.worker + *time;
            free.push(Reverse(ended));
            took = took.max(ended);
            offered.extend(into.iter().map(|below| Reverse((ended, *below))));
        }
        SimulatedCheck { workers, took, bound: self.bound(workers, costs) }
    }

    /// The largest of the three lower bounds.
    fn bound(&self, workers: usize, costs: PieceCosts) -> SimulationBound {
        let count = self.len() as u32;
        let share = (self.work() + costs.worker * count) / u32::try_from(workers).unwrap_or(u32::MAX);
        let (chain, coordinator) = (self.longest_chain(costs), costs.coordinator * count);
        match share.max(chain).max(coordinator) {
            most if most == share => SimulationBound::Work(share),
            most if most == chain => SimulationBound::Chain(chain),
            _ => SimulationBound::Coordinator(coordinator),
        }
    }

    /// The time of the longest chain of pieces. Pieces come behind those that they were split from, in the order of their names.
    fn longest_chain(&self, costs: PieceCosts) -> Duration {
        let mut until_end = vec![Duration::ZERO; self.pieces.len()];
        for (number, (took, into)) in self.pieces.iter().enumerate().rev() {
            let below = into.iter().map(|piece| until_end[*piece]).max().unwrap_or_default();
            until_end[number] = costs.coordinator + costs.worker + *took + below;
        }
        self.first.iter().map(|piece| until_end[*piece]).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    /// A piece of 2 s that came back undecided, and was split into pieces of 4, 4 and 8 s; and another one of 6 s.
    fn recorded() -> RecordedPieces {
        let pieces: [(&[u16], u64); 5] = [(&[0], 2), (&[0, 0], 4), (&[0, 1, 3], 4), (&[0, 2], 8), (&[1], 6)];
        RecordedPieces::new(pieces.map(|(choices, took)| (PieceId(choices.to_vec()), seconds(took))))
    }

    #[test]
    fn one_worker_takes_all_the_time_and_many_take_the_longest_chain() {
        let recorded = recorded();
        let check = |workers| recorded.simulate(workers, PieceCosts::default());
        assert_eq!(
            check(1),
            SimulatedCheck { workers: 1, took: seconds(24), bound: SimulationBound::Work(seconds(24)) }
        );
        // One worker solves those of 2, 4 and 4 s, the other those of 6 and 8 s.
        assert_eq!(check(2).took, seconds(14));
        let chain = SimulationBound::Chain(seconds(10));
        assert_eq!(check(4), SimulatedCheck { workers: 4, took: seconds(10), bound: chain });
        assert_eq!(check(10_000).took, seconds(10));
    }

    #[test]
    fn the_coordinator_handles_one_piece_after_the_other() {
        let pieces = (0..1000).map(|choice| (PieceId(vec![choice]), Duration::from_millis(10)));
        let recorded = RecordedPieces::new(pieces);
        let costs = PieceCosts { coordinator: Duration::from_millis(1), worker: Duration::from_millis(5) };
        let check = recorded.simulate(1000, costs);
        assert_eq!(check.bound, SimulationBound::Coordinator(seconds(1)));
        assert_eq!(check.took, Duration::from_millis(1015));
        // Alone, a worker pays for each piece; the coordinator works meanwhile.
        assert_eq!(recorded.simulate(1, costs).took, Duration::from_millis(1 + 15_000));
    }

    #[test]
    fn answers_of_one_piece_add_up_and_nothing_takes_no_time() {
        let twice = [(PieceId(vec![0]), seconds(1)), (PieceId(vec![0]), seconds(2))];
        assert_eq!(RecordedPieces::new(twice).simulate(8, PieceCosts::default()).took, seconds(3));
        let answer = |piece: &str, took_s| RecordedPieces::of(&[PieceAnswer { piece: piece.to_string(), took_s }]);
        assert_eq!(answer("0.1", 3.0).map(|recorded| recorded.work()), Ok(seconds(3)));
        assert_eq!(answer("0.x", 3.0).err().map(|error| error.to_string()), Some("\"0.x\" is no piece".to_string()));
        for took in [-1.0, f64::NAN, 1e300] {
            assert!(matches!(answer("root", took), Err(UnreadableAnswer::Time(_))));
        }
        let nothing = RecordedPieces::default();
        assert!(nothing.is_empty());
        assert_eq!(nothing.simulate(8, PieceCosts::default()).took, Duration::ZERO);
    }
}
