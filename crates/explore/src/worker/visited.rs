//! Has a program been in this state before?
//!
//! A program that reads values in a loop and updates a few flags has hundreds of paths that differ in nothing that matters later. Where a state
//! covers another one, in the sense of [`covers`](super::covers), whatever goes wrong behind the second goes wrong behind the first, with as
//! many steps. So the second is not followed: by induction over these steps, no fault is lost. That also closes endless loops with finitely
//! many states. Only whole programs are explored so: the paths of a method are counted, and its inputs are asked for on the way.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_vm::frame::{Frame, Purpose};
use lazuli_vm::program::{Code, Liveness};
use lazuli_vm::symbols::Site;
use lazuli_vm::value::Value;

use crate::path::Path;
use crate::worker::Worker;
use crate::worker::covers::Portrait;
use crate::worker::induction::InductionProof;

/// A question about two states may take this long.
pub(super) const COMPARISON_TIME: Duration = Duration::from_millis(100);

/// Of the states that differ in unknown numbers only, so many are compared with a new one, and of those with other known numbers.
const MOST_COMPARED: usize = 8;

/// Where comparing has not paid after so many tries, the solvers are asked about each of so many states only.
const TRIES: u64 = 64;
const SELDOM: u64 = 16;

/// The states of a program that were gone on from.
#[derive(Default)]
pub(crate) struct Visited {
    /// By the hashes of their shapes, positions in the code included, and of their known numbers.
    pub(super) known: HashMap<u64, Vec<Rc<Portrait>>>,
    /// By the addresses of their instructions.
    live: HashMap<usize, Option<Rc<Liveness>>>,
    /// By position: how many states were compared, and how many of them were covered.
    paid: HashMap<Site, (u64, u64)>,
    /// The proof about a loop that is being tried.
    pub(super) proof: Option<InductionProof>,
    /// How many proofs within each other are being tried.
    pub(super) depth: usize,
    /// By shape: how many proofs about a loop failed.
    pub(super) failed: HashMap<u64, u32>,
}

/// A state on the way of a path.
pub(crate) struct Visit {
    /// The state itself.
    pub(super) portrait: Rc<Portrait>,
    before: Option<Rc<Visit>>,
}

impl Visit {
    /// The earlier states of the path at the same place, the latest first.
    pub(super) fn earlier(&self) -> impl Iterator<Item = &Rc<Portrait>> {
        let all = std::iter::successors(self.before.as_deref(), |visit| visit.before.as_deref());
        all.map(|visit| &visit.portrait).filter(|portrait| portrait.shape == self.portrait.shape)
    }
}

impl Worker<'_> {
    /// Is the target explored state by state, and not path by path?
    pub(super) fn compares_states(&self) -> bool {
        self.config.program.is_some()
            && !self.checks_return
            && self.contract.stages() == 0
            && self.config.report.detail != crate::Detail::AllPaths
    }

    /// Does a state that was gone on from cover this one? It is known from here on.
    pub(super) fn is_covered(&mut self, path: &mut Path) -> bool {
        let Some(frame) = path.thread.frames.last() else { return false };
        let site = (frame.method.id, frame.pc);
        let (tries, paid) = self.visited.paid.entry(site).or_default();
        *tries += 1;
        let asks = *tries <= TRIES || *paid * SELDOM >= *tries || tries.is_multiple_of(SELDOM);
        let Some(portrait) = self.portrait(path) else { return false };
        let portrait = Rc::new(portrait);
        if let Some(is_closed) = self.is_back_at_head(&portrait, path) {
            return is_closed;
        }
        let known = self.visited.known.entry(portrait.hash()).or_default();
        let limits = SolverLimits { time: COMPARISON_TIME, ..self.solver_limits.clone() };
        let (terms, chain) = (&mut self.vm.terms, &mut self.chain);
        let mut latest = known.iter().rev().take(MOST_COMPARED);
        if latest.any(|earlier| earlier.covers(&portrait, path, terms, chain, &limits, asks)) {
            self.visited.paid.entry(site).or_default().1 += 1;
            return true;
        }
        known.push(portrait.clone());
        path.visits = Some(Rc::new(Visit { portrait, before: path.visits.take() }));
        false
    }

    fn portrait(&mut self, path: &Path) -> Option<Portrait> {
        let frames = &path.thread.frames;
        let lives: Vec<Option<Rc<Liveness>>> = frames.iter().map(|frame| self.liveness(frame.code)).collect();
        let is_live = |at: usize, register: usize| is_live(&frames[at], lives[at].as_deref(), register);
        Portrait::running(path, &self.start, is_live)
    }

    fn liveness(&mut self, code: &'static Code) -> Option<Rc<Liveness>> {
        let key = std::ptr::from_ref(code) as usize;
        self.visited.live.entry(key).or_insert_with(|| Liveness::of(code).map(Rc::new)).clone()
    }

    /// A number in a register, as a term.
    pub(super) fn number(&mut self, value: Value) -> Option<lazuli_logic::Term> {
        super::covers::term_of(&mut self.vm.terms, value)
    }
}

/// May a frame still read this register? Operands are always read; of a caller, what lives behind the call, and before it if it is made again.
fn is_live(frame: &Frame, liveness: Option<&Liveness>, register: usize) -> bool {
    if register >= frame.code.locals as usize {
        return true;
    }
    debug_assert!(!matches!(frame.purpose, Purpose::Thread));
    liveness.is_none_or(|live| live.is_live_before(frame.pc, register) || live.is_live_after(frame.pc, register))
}
