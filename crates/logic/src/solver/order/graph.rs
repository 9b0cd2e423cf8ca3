//! Which bounds follow from differences? Also: which values close to zero lie within them?

use super::piece::{Gap, Interval};

/// Constraints on differences of unknowns, the bounds that follow, and values.
#[derive(Default)]
pub(super) struct Graph {
    /// `left - right <= by`
    pub edges: Vec<Gap>,
    /// `left - right != by`
    pub distinct: Vec<Gap>,
    pub bounds: Vec<Interval>,
    is_visited: Vec<bool>,
    forbidden: Vec<i128>,
}

/// The result of choosing values.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Assigned {
    /// Each unknown has one value left, and all constraints hold.
    All,
    /// No value was left for an unknown, because of this disequality among others.
    Blocked(usize),
}

impl Graph {
    /// The bounds that follow from these bounds and all edges; false if there are none. Each value within the resulting bounds
    /// of one unknown is part of a solution of the edges: bounds of differences lose nothing when looked at one by one.
    pub(super) fn close(&mut self, declared: &[Interval]) -> bool {
        self.bounds.clear();
        self.bounds.extend_from_slice(declared);
        loop {
            if !self.propagate() {
                return false;
            }
            match self.trim() {
                Some(true) => {}
                Some(false) => return true,
                None => return false,
            }
        }
    }

    /// Gives each unknown a value within its bounds, close to zero, such that edges and disequalities hold.
    pub(super) fn assign(&mut self) -> Assigned {
        let count = self.bounds.len();
        self.is_visited.clear();
        self.is_visited.resize(count, false);
        // The one with the least room first: it has the least choice.
        while let Some(unknown) = (0..count)
            .filter(|unknown| !self.is_visited[*unknown])
            .min_by_key(|unknown| self.bounds[*unknown].high - self.bounds[*unknown].low)
        {
            self.is_visited[unknown] = true;
            let Some(value) = self.free_value(unknown) else {
                return Assigned::Blocked(self.blocker(unknown));
            };
            if !self.bounds[unknown].is_fixed() {
                self.bounds[unknown] = Interval { low: value, high: value };
                let is_possible = self.propagate();
                debug_assert!(is_possible, "each value within closed bounds is part of a solution");
            }
        }
        Assigned::All
    }

    /// Pushes bounds along the edges until they rest; false if they cross.
    fn propagate(&mut self) -> bool {
        let bounds = self.bounds.as_mut_slice();
        // A bound comes over a path that visits each unknown once, and each pass takes it at least one edge further. If there
        // is still something to do after that many passes, the path is a cycle that never rests.
        for _ in 0..=bounds.len() {
            let mut is_changed = false;
            for edge in &self.edges {
                let (left, right) = (bounds[edge.left as usize], bounds[edge.right as usize]);
                let high = right.high + edge.by;
                if high < left.high {
                    if high < left.low {
                        return false;
                    }
                    bounds[edge.left as usize].high = high;
                    is_changed = true;
                }
                let low = left.low - edge.by;
                if low > right.low {
                    if low > right.high {
                        return false;
                    }
                    bounds[edge.right as usize].low = low;
                    is_changed = true;
                }
            }
            if !is_changed {
                return true;
            }
        }
        false
    }

    /// Takes a bound away that a disequality with a known value forbids: was there one? Nothing if no value is left.
    fn trim(&mut self) -> Option<bool> {
        let mut is_changed = false;
        for gap in &self.distinct {
            let (left, right) = (self.bounds[gap.left as usize], self.bounds[gap.right as usize]);
            let (unknown, value) = if right.is_fixed() {
                (gap.left, right.low + gap.by)
            } else if left.is_fixed() {
                (gap.right, left.low - gap.by)
            } else {
                continue;
            };
            let bounds = &mut self.bounds[unknown as usize];
            if bounds.is_fixed() && bounds.low == value {
                return None;
            } else if bounds.low == value {
                bounds.low += 1;
                is_changed = true;
            } else if bounds.high == value {
                bounds.high -= 1;
                is_changed = true;
            }
        }
        Some(is_changed)
    }

    /// The value closest to zero that differs from what it must differ from.
    fn free_value(&mut self, unknown: usize) -> Option<i128> {
        self.forbidden.clear();
        for gap in &self.distinct {
            if let Some(value) = forbidden_value(&self.bounds, *gap, unknown) {
                self.forbidden.push(value);
            }
        }
        let Interval { low, high } = self.bounds[unknown];
        let start = 0.clamp(low, high);
        // Among this many values on both sides of the start one is free, unless all are forbidden.
        let enough = self.forbidden.len() as i128;
        (0..=enough)
            .flat_map(|distance| [start + distance, start - distance])
            .find(|value| low <= *value && *value <= high && !self.forbidden.contains(value))
    }

    /// A disequality that forbids a value of an unknown for which none is left.
    fn blocker(&self, unknown: usize) -> usize {
        let Interval { low, high } = self.bounds[unknown];
        self.distinct
            .iter()
            .position(|gap| {
                forbidden_value(&self.bounds, *gap, unknown).is_some_and(|value| low <= value && value <= high)
            })
            .expect("only disequalities forbid values within the bounds")
    }
}

/// The value that a disequality with a known value takes from an unknown.
fn forbidden_value(bounds: &[Interval], gap: Gap, unknown: usize) -> Option<i128> {
    let (left, right) = (gap.left as usize, gap.right as usize);
    if left == unknown && bounds[right].is_fixed() {
        Some(bounds[right].low + gap.by)
    } else if right == unknown && bounds[left].is_fixed() {
        Some(bounds[left].low - gap.by)
    } else {
        None
    }
}
