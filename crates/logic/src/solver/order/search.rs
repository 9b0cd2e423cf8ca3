//! Which choices make all pieces true? Choices are only made where values chosen without them violate one.

use std::time::Instant;

use super::graph::{Assigned, Graph};
use super::piece::{DifferenceFormula, Gap, Interval, TURNS, ZERO};
use super::read::Reader;
use crate::limits::SolverLimits;
use crate::sat::SatVerdict;

/// How many combinations of choices are looked at before the question is left to another solver: some milliseconds.
const COMBINATIONS: u32 = 500;
/// The same if the answer cannot be `Sat` anyway.
const COMBINATIONS_WITHOUT_HOPE: u32 = 100;
/// How many choices are made one after the other.
const DEPTH: u32 = 200;

/// The state of a search; a part of each question, kept for its memory.
#[derive(Default)]
pub(super) struct DifferenceSearch {
    graph: Graph,
    pending: Vec<PendingChoice>,
    /// The pending pieces that were decided, in that order.
    decided: Vec<usize>,
    /// How many of the pieces that are to be true were not understood.
    opaque: usize,
    /// Some piece that has to be true under all choices was not understood, so that nothing can be found to be true.
    is_without_hope: bool,
    combinations_left: u32,
    deadline: Option<Instant>,
}

/// A piece that is a choice.
#[derive(Clone, Copy)]
struct PendingChoice {
    piece: DifferenceFormula,
    is_decided: bool,
}

/// The state to return to when a choice was wrong.
#[derive(Clone, Copy)]
struct Mark {
    edges: usize,
    distinct: usize,
    pending: usize,
    decided: usize,
    opaque: usize,
}

impl DifferenceSearch {
    /// Can all pieces that were read be true?
    pub(super) fn run(&mut self, reader: &Reader, limits: &SolverLimits) -> SatVerdict {
        self.restore(Mark { edges: 0, distinct: 0, pending: 0, decided: 0, opaque: 0 });
        for piece in &reader.required {
            self.require(reader, *piece);
        }
        self.is_without_hope = self.opaque > 0;
        self.combinations_left = if self.is_without_hope { COMBINATIONS_WITHOUT_HOPE } else { COMBINATIONS };
        self.deadline = limits.deadline;
        self.search(reader, 0)
    }

    /// The value of an unknown, after the verdict `Sat`.
    pub(super) fn value(&self, unknown: usize) -> i128 {
        self.graph.bounds[unknown].low
    }

    fn search(&mut self, reader: &Reader, depth: u32) -> SatVerdict {
        // Lazy case splitting over difference constraints. Invariant: every solution satisfies all edges and disequalities of the
        // graph, and one choice of each pending piece. Three steps:
        //
        // 1. The closed bounds cross: no solution, whatever is chosen. Pieces with a single possible choice become constraints.
        // 2. Values close to zero are assigned that satisfy edges and disequalities. If a disequality leaves none, it is split into
        //    less and greater.
        // 3. The values are tried on the pending pieces. If all hold, they are a model, although no piece was decided; else the
        //    first violated piece is split, and no other.
        //
        // Example: `0 <= x`, `x <= y`, and `y + 1 <= z` with a sum that may wrap around. The values x = y = z = 0 violate the sum, so
        // that it is split. Its first choice, no overflow, adds the edges `y <= MAX - 1` and `y - z <= -1`, and z = 1 is a model.
        if !self.graph.close(&reader.declared) || !self.decide_forced(reader) {
            return SatVerdict::Unsat;
        }
        if let Assigned::Blocked(blocker) = self.graph.assign() {
            let Gap { left, right, by } = self.graph.distinct[blocker];
            let less = DifferenceFormula::AtMost(Gap { left, right, by: by - 1 });
            let greater = DifferenceFormula::AtMost(Gap { left: right, right: left, by: -by - 1 });
            return self.split(reader, depth, 2, |search, choice| {
                search.require(reader, if choice == 0 { less } else { greater });
                true
            });
        }
        let violated = self
            .pending
            .iter()
            .position(|pending| !pending.is_decided && !holds(reader, pending.piece, &self.graph.bounds));
        let Some(index) = violated else {
            return if self.opaque == 0 { SatVerdict::Sat } else { SatVerdict::Unknown };
        };
        let piece = self.pending[index].piece;
        self.split(reader, depth, choices(piece), |search, choice| {
            let pieces = possible_choice(reader, piece, choice, &reader.declared);
            if let Some(pieces) = &pieces {
                search.decide(reader, index, pieces);
            }
            pieces.is_some()
        })
    }

    /// Tries one choice after the other. `choose` says whether the choice is worth a look.
    fn split(
        &mut self,
        reader: &Reader,
        depth: u32,
        choices: usize,
        mut choose: impl FnMut(&mut DifferenceSearch, usize) -> bool,
    ) -> SatVerdict {
        // Unsat is the answer only if every choice was refuted; one that was left undecided makes it Unknown.
        let mut verdict = SatVerdict::Unsat;
        for choice in 0..choices {
            let mark = self.mark();
            if !choose(self, choice) {
                continue;
            }
            if depth == DEPTH || self.is_exhausted() {
                return SatVerdict::Unknown;
            }
            match self.search(reader, depth + 1) {
                SatVerdict::Sat => return SatVerdict::Sat,
                SatVerdict::Unsat => {}
                SatVerdict::Unknown if self.is_without_hope || self.combinations_left == 0 => {
                    return SatVerdict::Unknown;
                }
                SatVerdict::Unknown => verdict = SatVerdict::Unknown,
            }
            self.restore(mark);
        }
        verdict
    }

    fn is_exhausted(&mut self) -> bool {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.combinations_left = 0;
        }
        if self.combinations_left == 0 {
            return true;
        }
        self.combinations_left -= 1;
        false
    }

    /// Decides the pending pieces for which the bounds leave one choice; false if they leave none.
    fn decide_forced(&mut self, reader: &Reader) -> bool {
        loop {
            let mut is_changed = false;
            let mut index = 0;
            // The list may grow in the loop, by pieces within pieces.
            while index < self.pending.len() {
                let PendingChoice { piece, is_decided } = self.pending[index];
                if !is_decided {
                    let mut possible = (0..choices(piece))
                        .filter_map(|choice| possible_choice(reader, piece, choice, &self.graph.bounds));
                    let Some(first) = possible.next() else {
                        return false;
                    };
                    if possible.next().is_none() {
                        self.decide(reader, index, &first);
                        is_changed = true;
                    }
                }
                index += 1;
            }
            if !is_changed {
                return true;
            }
            if !self.graph.close(&reader.declared) {
                return false;
            }
        }
    }

    fn decide(&mut self, reader: &Reader, index: usize, pieces: &[DifferenceFormula]) {
        self.pending[index].is_decided = true;
        self.decided.push(index);
        for piece in pieces {
            self.require(reader, *piece);
        }
    }

    fn require(&mut self, reader: &Reader, piece: DifferenceFormula) {
        match piece {
            DifferenceFormula::True => {}
            DifferenceFormula::AtMost(gap) => self.graph.edges.push(gap),
            DifferenceFormula::Exactly(Gap { left, right, by }) => {
                self.graph.edges.push(Gap { left, right, by });
                self.graph.edges.push(Gap { left: right, right: left, by: -by });
            }
            DifferenceFormula::Differs(gap) => self.graph.distinct.push(gap),
            DifferenceFormula::All(start, end) => {
                for inner in reader.list(start, end) {
                    self.require(reader, *inner);
                }
            }
            DifferenceFormula::Compare(_) | DifferenceFormula::Vanishes(_) | DifferenceFormula::Any(..) => {
                self.pending.push(PendingChoice { piece, is_decided: false });
            }
            DifferenceFormula::Opaque => self.opaque += 1,
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            edges: self.graph.edges.len(),
            distinct: self.graph.distinct.len(),
            pending: self.pending.len(),
            decided: self.decided.len(),
            opaque: self.opaque,
        }
    }

    fn restore(&mut self, mark: Mark) {
        self.graph.edges.truncate(mark.edges);
        self.graph.distinct.truncate(mark.distinct);
        for index in self.decided.drain(mark.decided..) {
            self.pending[index].is_decided = false;
        }
        self.pending.truncate(mark.pending);
        self.opaque = mark.opaque;
    }
}

/// The number of choices that a pending piece leaves.
fn choices(piece: DifferenceFormula) -> usize {
    match piece {
        DifferenceFormula::Any(start, end) => (end - start) as usize,
        DifferenceFormula::Vanishes(_) => TURNS.len(),
        DifferenceFormula::Compare(_) => TURNS.len() * TURNS.len(),
        _ => 1,
    }
}

/// The conditions of one choice, the plainest first; nothing if bounds exclude it.
fn possible_choice(
    reader: &Reader,
    piece: DifferenceFormula,
    choice: usize,
    bounds: &[Interval],
) -> Option<[DifferenceFormula; 5]> {
    let mut pieces = [DifferenceFormula::True; 5];
    match piece {
        DifferenceFormula::Any(start, end) => pieces[0] = reader.list(start, end)[choice],
        DifferenceFormula::Vanishes(index) => {
            let sum = reader.vanishing[index as usize];
            let by = TURNS[choice] * sum.width.period() - sum.offset;
            pieces[0] = DifferenceFormula::Exactly(Gap { left: sum.plus, right: sum.minus, by });
        }
        DifferenceFormula::Compare(index) => {
            // Each side is `plus - minus + offset`, less some turns of a period so that the result fits its width. The first four
            // conditions say that the chosen turns are the right ones, and the fifth compares the two results. The reader has
            // cancelled equal unknowns of `left - right` to one pair, so that this is a difference constraint again.
            let wrapping = reader.wrapping[index as usize];
            let turns = [TURNS[choice % TURNS.len()], TURNS[choice / TURNS.len()]];
            let mut shifts = [0, 0];
            for (side, sum) in [wrapping.left, wrapping.right].into_iter().enumerate() {
                let shift = sum.offset - turns[side] * sum.width.period();
                let (least, greatest) = (sum.width.least() - shift, sum.width.greatest() - shift);
                let (low, high) = Gap { left: sum.plus, right: sum.minus, by: 0 }.extent(bounds);
                if low > greatest || high < least {
                    return None;
                }
                pieces[2 * side] = DifferenceFormula::AtMost(Gap { left: sum.plus, right: sum.minus, by: greatest });
                pieces[2 * side + 1] = DifferenceFormula::AtMost(Gap { left: sum.minus, right: sum.plus, by: -least });
                shifts[side] = shift;
            }
            let by = shifts[1] - shifts[0] - wrapping.is_strict as i128;
            pieces[4] = DifferenceFormula::AtMost(Gap { left: wrapping.plus, right: wrapping.minus, by });
        }
        other => pieces[0] = other,
    }
    pieces.iter().all(|piece| is_possible(reader, *piece, bounds)).then_some(pieces)
}

/// Do bounds leave a way for a piece to be true? Errs on the side of yes.
fn is_possible(reader: &Reader, piece: DifferenceFormula, bounds: &[Interval]) -> bool {
    match piece {
        DifferenceFormula::AtMost(gap) => gap.extent(bounds).0 <= gap.by,
        DifferenceFormula::Exactly(gap) => {
            let (low, high) = gap.extent(bounds);
            low <= gap.by && gap.by <= high
        }
        DifferenceFormula::Differs(gap) => gap.extent(bounds) != (gap.by, gap.by),
        DifferenceFormula::All(start, end) => {
            reader.list(start, end).iter().all(|inner| is_possible(reader, *inner, bounds))
        }
        DifferenceFormula::Any(start, end) => {
            reader.list(start, end).iter().any(|inner| is_possible(reader, *inner, bounds))
        }
        DifferenceFormula::True
        | DifferenceFormula::Compare(_)
        | DifferenceFormula::Vanishes(_)
        | DifferenceFormula::Opaque => true,
    }
}

/// Is a piece true of the values that were chosen? An opaque piece counts as false.
fn holds(reader: &Reader, piece: DifferenceFormula, values: &[Interval]) -> bool {
    debug_assert_eq!(values[ZERO as usize], Interval { low: 0, high: 0 });
    match piece {
        DifferenceFormula::True => true,
        DifferenceFormula::AtMost(gap) => gap.extent(values).0 <= gap.by,
        DifferenceFormula::Exactly(gap) => gap.extent(values).0 == gap.by,
        DifferenceFormula::Differs(gap) => gap.extent(values).0 != gap.by,
        DifferenceFormula::Compare(index) => {
            let wrapping = reader.wrapping[index as usize];
            wrapping.left.value(values) + wrapping.is_strict as i128 <= wrapping.right.value(values)
        }
        DifferenceFormula::Vanishes(index) => reader.vanishing[index as usize].value(values) == 0,
        DifferenceFormula::All(start, end) => reader.list(start, end).iter().all(|inner| holds(reader, *inner, values)),
        DifferenceFormula::Any(start, end) => reader.list(start, end).iter().any(|inner| holds(reader, *inner, values)),
        DifferenceFormula::Opaque => false,
    }
}
