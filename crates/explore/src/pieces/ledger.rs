//! Which pieces are open, and how did the others end?
//!
//! The ledger is the truth, and queues are hints. The first recorded end of a piece counts; what comes later is a repetition. A problem is settled when
//! each piece from the root on is either recorded as a leaf or as split into pieces of which the same is true.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_heapsat::{PieceEnd, PieceId};

/// The books about the pieces of one problem.
#[derive(Clone, Debug)]
pub struct Ledger {
    open: BTreeSet<PieceId>,
    records: BTreeMap<PieceId, PieceRecord>,
    repeated: u64,
}

/// How a piece was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PieceRecord {
    Empty,
    Refuted,
    Split(Vec<PieceId>),
}

impl Default for Ledger {
    /// The whole problem is open.
    fn default() -> Ledger {
        Ledger { open: BTreeSet::from([PieceId::default()]), records: BTreeMap::new(), repeated: 0 }
    }
}

impl Ledger {
    /// The pieces that are open, in their order.
    pub fn open(&self) -> impl Iterator<Item = &PieceId> {
        self.open.iter()
    }

    /// Is the piece open?
    pub fn is_open(&self, piece: &PieceId) -> bool {
        self.open.contains(piece)
    }

    /// Records the end of a piece. True if it was open and is now closed; a violation, or no decision, leaves it open.
    pub fn close(&mut self, piece: &PieceId, end: &PieceEnd) -> bool {
        let record = match end {
            PieceEnd::Empty => PieceRecord::Empty,
            PieceEnd::Refuted => PieceRecord::Refuted,
            PieceEnd::Violated(_) | PieceEnd::Undecided => return false,
        };
        self.record(piece, record)
    }

    /// Records that a piece was split: its pieces are open instead of it.
    pub fn split(&mut self, piece: &PieceId, into: &[PieceId]) -> bool {
        let is_new = self.record(piece, PieceRecord::Split(into.to_vec()));
        if is_new {
            self.open.extend(into.iter().cloned());
        }
        is_new
    }

    fn record(&mut self, piece: &PieceId, record: PieceRecord) -> bool {
        let is_open = self.open.remove(piece);
        if is_open {
            self.records.insert(piece.clone(), record);
        } else {
            self.repeated += 1;
        }
        is_open
    }

    /// Notes an answer about a piece that is not open any more.
    pub(super) fn note_repeated(&mut self) {
        self.repeated += 1;
    }

    /// Does every leaf have a record? Walks from the root, and does not rely on the list of open pieces.
    pub fn is_settled(&self) -> bool {
        let mut waiting = vec![&PieceId(Vec::new())].into_iter().cloned().collect::<Vec<PieceId>>();
        while let Some(piece) = waiting.pop() {
            match self.records.get(&piece) {
                None => return false,
                Some(PieceRecord::Empty | PieceRecord::Refuted) => {}
                Some(PieceRecord::Split(into)) => waiting.extend(into.iter().cloned()),
            }
        }
        self.open.is_empty()
    }

    /// Pieces that were not split and are empty, refuted, or open; and pieces that were split.
    pub fn counts(&self) -> (u64, u64, u64, u64) {
        let count =
            |is_it: fn(&PieceRecord) -> bool| self.records.values().filter(|record| is_it(record)).count() as u64;
        let empty = count(|record| *record == PieceRecord::Empty);
        let refuted = count(|record| *record == PieceRecord::Refuted);
        (empty, refuted, self.open.len() as u64, count(|record| matches!(record, PieceRecord::Split(_))))
    }

    /// The leaves that are closed, in their order.
    pub fn leaves(&self) -> Vec<PieceId> {
        let leaves = self.records.iter().filter(|(_, record)| !matches!(record, PieceRecord::Split(_)));
        leaves.map(|(piece, _)| piece.clone()).collect()
    }

    /// Answers that were not needed any more.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(choices: &[u16]) -> PieceId {
        PieceId(choices.to_vec())
    }

    #[test]
    fn a_problem_is_settled_when_every_leaf_has_a_record() {
        let mut ledger = Ledger::default();
        assert!(!ledger.is_settled());
        assert!(ledger.split(&piece(&[]), &[piece(&[0]), piece(&[1])]));
        assert!(ledger.close(&piece(&[0]), &PieceEnd::Empty));
        assert!(!ledger.close(&piece(&[1]), &PieceEnd::Undecided));
        assert!(!ledger.is_settled());
        assert!(ledger.split(&piece(&[1]), &[piece(&[1, 0]), piece(&[1, 1])]));
        assert!(ledger.close(&piece(&[1, 1]), &PieceEnd::Refuted));
        assert!(!ledger.is_settled());
        assert!(ledger.close(&piece(&[1, 0]), &PieceEnd::Refuted));
        assert!(ledger.is_settled());
        assert_eq!(ledger.counts(), (1, 2, 0, 2));
    }

    #[test]
    fn the_first_record_counts() {
        let mut ledger = Ledger::default();
        assert!(ledger.split(&piece(&[]), &[piece(&[0]), piece(&[1])]));
        // An answer about the whole comes too late, and changes nothing.
        assert!(!ledger.close(&piece(&[]), &PieceEnd::Refuted));
        assert!(!ledger.split(&piece(&[]), &[piece(&[7])]));
        assert_eq!(ledger.open().cloned().collect::<Vec<_>>(), [piece(&[0]), piece(&[1])]);
        assert_eq!(ledger.repeated(), 2);
        assert!(!ledger.is_settled());
    }
}
