//! How much may a piece cost before it is split?

use std::time::Duration;

use lazuli_heapsat::PieceLimit;

/// Before any piece is solved, a piece may take so long (section 3.5 of the paper).
const FIRST: Duration = Duration::from_secs(40);

/// No piece gets less, since splitting costs something as well.
const LEAST: Duration = Duration::from_secs(1);

/// No piece gets more.
const MOST: Duration = Duration::from_secs(240);

/// A piece may take so many times the mean of those that were solved.
const TIMES_MEAN: u32 = 5;

/// How the limit of a piece is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LimitRule {
    /// From the times of the pieces that were solved: five times their mean, between 1 s and 240 s, and 40 s at first. The formula of the paper is a
    /// sum, which reaches its upper bound after some fifty pieces, whatever they took.
    #[default]
    Adjusting,
    /// Always this time.
    Time(Duration),
    /// This number of conflicts of the solver: which pieces there are then does not depend on the machine.
    Conflicts(u32),
}

/// The times of pieces that were solved.
#[derive(Clone, Copy, Default, Debug)]
pub struct PieceTimes {
    solved: u32,
    total: Duration,
}

impl PieceTimes {
    /// Counts a piece.
    pub fn add(&mut self, took: Duration) {
        self.solved += 1;
        self.total += took;
    }

    /// The limit of the next piece.
    pub fn limit(&self, rule: LimitRule) -> PieceLimit {
        match rule {
            LimitRule::Time(time) => PieceLimit::Time(time),
            LimitRule::Conflicts(most) => PieceLimit::Conflicts(most),
            LimitRule::Adjusting if self.solved == 0 => PieceLimit::Time(FIRST),
            LimitRule::Adjusting => PieceLimit::Time((self.total / self.solved * TIMES_MEAN).clamp(LEAST, MOST)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_mean_between_their_bounds() {
        let mut times = PieceTimes::default();
        let limit = |times: &PieceTimes| times.limit(LimitRule::Adjusting);
        assert_eq!(limit(&times), PieceLimit::Time(FIRST));
        times.add(Duration::from_millis(1));
        assert_eq!(limit(&times), PieceLimit::Time(LEAST));
        times.add(Duration::from_millis(1999));
        assert_eq!(limit(&times), PieceLimit::Time(Duration::from_secs(5)));
        times.add(Duration::from_secs(1000));
        assert_eq!(limit(&times), PieceLimit::Time(MOST));
        assert_eq!(times.limit(LimitRule::Conflicts(7)), PieceLimit::Conflicts(7));
    }
}
