//! Which of the choices that wait is followed next?

use std::collections::{HashMap, VecDeque};

use lazuli_vm::symbols::Site;

use crate::path::Path;
use crate::{Order, Trace};

/// A choice that was made, but not followed yet.
pub(super) struct Pending {
    /// The choices that lead here, the one to follow included.
    pub trace: Trace,
    /// The path after the choice. Without it, the trace is replayed.
    pub path: Option<Box<Path>>,
    /// The choice among threads that may have to be made in another way, if it is about one; then there is no path.
    pub node: Option<u32>,
    /// Where the choice was made, and which it was.
    pub arm: (Site, u16),
    /// The same as the user's code sees it: a way of a branch there, or the call during which something was chosen.
    pub place: (Site, u16),
}

/// States are kept for at most this many; the others are made again from their traces.
const KEPT_STATES: usize = 20_000;

/// By how many choices a round of deepening goes further than the one before.
const DEEPENING_STEP: usize = 8;

/// The choices that wait, in the order in which they are to be followed.
pub(super) struct Frontier {
    order: Order,
    waiting: VecDeque<Pending>,
    /// Of deepening: what is beyond the depth of this round.
    beyond: Vec<Pending>,
    depth: usize,
    random: u64,
    /// How often each arm of a branch was followed.
    taken: HashMap<(Site, u16), u64>,
    /// The same for the places of choices in the user's code.
    visited: HashMap<(Site, u16), u64>,
    /// How many of those that wait, at the end, are the choices of the path that was followed last.
    latest: usize,
}

impl Frontier {
    /// Makes an empty frontier with the given order.
    pub(super) fn new(order: Order) -> Frontier {
        // A seed of zero would give nothing but zeros.
        let random = if let Order::Random { seed } = order { seed.wrapping_mul(2) | 1 } else { 1 };
        Frontier {
            order,
            waiting: VecDeque::new(),
            beyond: Vec::new(),
            depth: DEEPENING_STEP,
            random,
            taken: HashMap::new(),
            visited: HashMap::new(),
            latest: 0,
        }
    }

    /// Counts all choices that wait, also those beyond the depth of this round.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.beyond.len()
    }

    /// Adds choices; the first of them is the one that depth first follows first.
    pub(super) fn extend(&mut self, mut choices: Vec<Pending>) {
        if self.order == Order::Bfs {
            self.waiting.extend(choices);
        } else {
            choices.reverse();
            self.latest = choices.len();
            for choice in choices {
                if self.order == Order::Deepening && choice.trace.len() > self.depth {
                    self.beyond.push(choice);
                } else {
                    self.waiting.push_back(choice);
                }
            }
        }
        if self.waiting.len() > KEPT_STATES {
            let oldest = self.waiting.len() - KEPT_STATES;
            let forgotten = if self.order == Order::Bfs { oldest + KEPT_STATES - 1 } else { oldest - 1 };
            // The orders that were tried are no part of a trace.
            if self.waiting[forgotten].path.as_ref().is_some_and(|path| path.threads.is_none()) {
                self.waiting[forgotten].path = None;
            }
        }
    }

    /// Takes the choice to follow next; with deepening, an empty round begins the next one.
    pub(super) fn pop(&mut self) -> Option<Pending> {
        if self.waiting.is_empty() && !self.beyond.is_empty() {
            self.depth += DEEPENING_STEP;
            let (now, later): (Vec<Pending>, Vec<Pending>) =
                std::mem::take(&mut self.beyond).into_iter().partition(|choice| choice.trace.len() <= self.depth);
            self.beyond = later;
            self.waiting.extend(now);
            if self.waiting.is_empty() {
                return self.pop();
            }
        }
        let chosen = match self.order {
            Order::Dfs | Order::Deepening => self.waiting.pop_back(),
            Order::Bfs => self.waiting.pop_front(),
            Order::Random { .. } => {
                if self.waiting.is_empty() {
                    return None;
                }
                let at = (self.next_random() % self.waiting.len() as u64) as usize;
                self.waiting.swap_remove_back(at)
            }
            Order::Coverage => self.least_covered(),
        }?;
        self.latest = 0;
        *self.taken.entry(chosen.arm).or_default() += 1;
        *self.visited.entry(chosen.place).or_default() += 1;
        Some(chosen)
    }

    /// A path covers something only when it has come to its end. It is therefore followed there, at each fork along the way that was taken
    /// least often. When it has ended, the next begins where least was tried in the user's code, and of those nearest to the start, where most
    /// of the method is still ahead.
    fn least_covered(&mut self) -> Option<Pending> {
        let visits = |choice: &Pending| self.visited.get(&choice.place).copied().unwrap_or(0);
        let taken = |choice: &Pending| self.taken.get(&choice.arm).copied().unwrap_or(0);
        let all = self.waiting.len();
        let best = match self.latest.min(all) {
            0 => (0..all).min_by_key(|at| (visits(&self.waiting[*at]), *at)),
            // Choices are stored from the last to the first.
            latest => {
                (all - latest..all).rev().min_by_key(|at| (visits(&self.waiting[*at]), taken(&self.waiting[*at])))
            }
        };
        best.and_then(|at| self.waiting.remove(at))
    }

    /// The choice nearest to the start: most likely the largest piece of work.
    pub(super) fn give_away(&mut self) -> Option<Trace> {
        // The orders of the threads that were tried are known to one worker only.
        let is_own =
            |choice: &Pending| choice.node.is_some() || choice.path.as_ref().is_some_and(|path| path.threads.is_some());
        if self.waiting.len() < 2 || self.waiting.front().is_some_and(is_own) {
            return None;
        }
        let given = self.waiting.pop_front().map(|choice| choice.trace);
        self.latest = self.latest.min(self.waiting.len());
        given
    }

    /// A xorshift generator (Marsaglia 2003).
    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}
