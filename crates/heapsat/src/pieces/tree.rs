//! Which pieces does a piece have?
//!
//! A piece makes the first references of the walk that numbers objects deterministic: its field bounds have one target there (Rosner and others,
//! MUCHO-TACO, ISSTA 2013, section 3.1). To split it, the references of the next object get each of their possible values: null, an object that was
//! met before (a back edge, a self-loop or sharing), or the next new one. Example, binary trees with the root chosen: `left` and `right` of the
//! first node are null and null, null and N1, N1 and null, N1 and N1, or N1 and N2; where children are never shared, the fourth is left out.
//!
//! The paper's own rule counts new labels from the largest target *at one node*, and has only targets that come after the node: it loses inputs
//! with cycles and sharing. Here the largest target *so far* counts, and nothing rests on that being right: before a split counts, a solver
//! proves from the axioms and the invariant that the pieces cover the whole.
//!
//! Invariants: how a piece is split is a function of the tree and the piece; pieces of a split exclude each other, because each reference has one
//! value.

use std::sync::Arc;
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::Formula;
use lazuli_logic::sat::{Literal, SatVerdict};

use super::piece::PieceId;
use super::solver::PieceSolver;

/// A split has no more pieces than this, unless a single reference has more values.
const MOST_CHILDREN: usize = 48;

/// The time to prove that a split covers its piece.
const COVERING: Duration = Duration::from_secs(20);

/// Which of the paper's reductions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitOptions {
    /// Only numbers that the walk can give (optimisation 1, section 3.2).
    pub by_symmetry: bool,
    /// No two references to one object where the invariant forbids it (optimisation 2, section 3.3).
    pub by_aliasing: bool,
    /// The invariant alone is checked before the whole piece (optimisation 3, section 3.4).
    pub by_invariant: bool,
}

impl Default for SplitOptions {
    fn default() -> SplitOptions {
        SplitOptions { by_symmetry: true, by_aliasing: true, by_invariant: true }
    }
}

/// All pieces of a problem, as far as they are asked for.
pub struct PieceTree {
    /// The problem.
    pub formula: Arc<Formula>,
    /// Which reductions are used.
    pub options: SplitOptions,
    pub(super) places: Vec<SplitPlace>,
    /// By sort: do the references so far tell which objects exist?
    pub(super) is_guided: Vec<bool>,
    /// How many objects of each sort are there before any reference.
    pub(super) met: Vec<u16>,
    /// Pairs of fields that never refer to the same object from two places, the smaller number first.
    pub(super) never_alias: Vec<(u16, u16)>,
}

/// A reference of the walk.
pub(super) struct SplitPlace {
    /// The object that has it; none for roots.
    pub(super) owner: Option<SplitObject>,
    /// The literal that says that it is there. None if it always is.
    pub(super) is_there: Option<Literal>,
    /// Is it there wherever its owner is?
    pub(super) comes_with_owner: bool,
    /// The number of its field. Roots have numbers of their own.
    pub(super) field: u16,
    pub(super) values: Vec<SplitValue>,
}

/// A possible value of a reference.
pub(super) struct SplitValue {
    /// The object; none for null and for objects without a number.
    pub(super) target: Option<SplitObject>,
    /// The literal that says so. None if there is no other value.
    pub(super) when: Option<Literal>,
}

/// An object by its sort and its number there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SplitObject {
    pub(super) sort: usize,
    pub(super) number: u16,
}

/// How far the walk has come.
#[derive(Clone)]
struct WalkState {
    piece: PieceId,
    /// The next reference.
    next: usize,
    met: Vec<u16>,
    referred: Vec<(u16, SplitObject)>,
    assumed: Vec<Literal>,
}

/// A value of the next reference, or its absence.
#[derive(Clone, Copy)]
enum PlaceChoice {
    /// It is not there, which follows from the choices before.
    Skipped,
    /// It is not there.
    Absent,
    /// It has the value of that index.
    Value(usize),
}

impl PieceTree {
    /// The assumptions that are the piece.
    pub fn assumptions(&self, piece: &PieceId) -> Vec<Literal> {
        self.reach(piece).assumed
    }

    /// The pieces into which a piece is split. None if nothing is left to be chosen, or if it could not be proved that they cover the piece: then it must be
    /// solved as it is.
    pub fn split(&self, piece: &PieceId, solver: &mut PieceSolver, limits: &SolverLimits) -> Option<Vec<PieceId>> {
        let here = self.reach(piece);
        let children = self.children(&here);
        if children.len() < 2 {
            return None;
        }
        let more: Vec<Vec<Literal>> =
            children.iter().map(|child| child.assumed[here.assumed.len()..].to_vec()).collect();
        let limits = SolverLimits { time: limits.time.min(COVERING), ..limits.clone() };
        let is_covered = solver.covers(&here.assumed, &more, &limits) == SatVerdict::Sat;
        is_covered.then(|| children.into_iter().map(|child| child.piece).collect())
    }

    /// How many pairs of fields were found never to refer to one object.
    pub fn forbidden_aliases(&self) -> usize {
        self.never_alias.len()
    }

    fn start(&self) -> WalkState {
        WalkState {
            piece: PieceId::default(),
            next: 0,
            met: self.met.clone(),
            referred: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// Follows the choices of a piece, up to the last of them.
    fn reach(&self, piece: &PieceId) -> WalkState {
        let mut state = self.start();
        for choice in &piece.0 {
            let Some(ways) = self.next_choice(&mut state) else { break };
            // A choice that is not there belongs to another tree; the piece is then larger than it should be, which is no harm.
            let Some(way) = ways.get(*choice as usize) else { break };
            self.follow(&mut state, *way);
            state.piece = state.piece.and(*choice);
        }
        state
    }

    /// Goes on to the next reference with several values, and lists these. None if there is none.
    fn next_choice(&self, state: &mut WalkState) -> Option<Vec<PlaceChoice>> {
        while state.next < self.places.len() {
            let ways = self.ways(state);
            match ways[..] {
                [only] => self.follow(state, only),
                _ => return Some(ways),
            }
        }
        None
    }

    /// The children of a piece: all references of one object are chosen together.
    fn children(&self, here: &WalkState) -> Vec<WalkState> {
        let mut first = here.clone();
        let Some(_) = self.next_choice(&mut first) else { return Vec::new() };
        let owner = self.places[first.next].owner;
        let (mut open, mut children) = (vec![first], Vec::new());
        while let Some(mut state) = open.pop() {
            let ways = self.next_choice(&mut state);
            let is_here = self.places.get(state.next).is_some_and(|place| place.owner == owner && owner.is_some());
            let is_first = state.piece == here.piece;
            let count = open.len() + children.len() + 1;
            match ways {
                Some(ways) if is_first || (is_here && count + ways.len() <= MOST_CHILDREN) => {
                    let chosen = ways.iter().enumerate().map(|(choice, way)| {
                        let mut chosen = state.clone();
                        chosen.piece = state.piece.and(choice as u16);
                        self.follow(&mut chosen, *way);
                        chosen
                    });
                    let chosen: Vec<WalkState> = chosen.collect();
                    open.extend(chosen.into_iter().rev());
                }
                _ => children.push(state),
            }
        }
        children
    }

    /// The values that the next reference may have, as far as the choices so far tell.
    fn ways(&self, state: &WalkState) -> Vec<PlaceChoice> {
        let place = &self.places[state.next];
        let is_guided = |object: &SplitObject| self.options.by_symmetry && self.is_guided[object.sort];
        let guided = place.owner.filter(is_guided);
        if guided.is_some_and(|owner| owner.number >= state.met[owner.sort]) {
            return vec![PlaceChoice::Skipped];
        }
        let is_sure = place.is_there.is_none() || (guided.is_some() && place.comes_with_owner);
        let may_be = |value: &SplitValue| {
            let Some(target) = value.target else { return true };
            // Objects 0 and 1 were met: the next one is 2, and never 3.
            let is_numbered = !is_guided(&target) || target.number <= state.met[target.sort];
            let is_taken = |(field, known): &(u16, SplitObject)| {
                let pair = (*field.min(&place.field), *field.max(&place.field));
                *known == target && self.never_alias.binary_search(&pair).is_ok()
            };
            is_numbered && !(self.options.by_aliasing && state.referred.iter().any(is_taken))
        };
        let values = place.values.iter().enumerate().filter(|(_, value)| may_be(value));
        let absent = (!is_sure).then_some(PlaceChoice::Absent);
        let ways: Vec<PlaceChoice> = absent.into_iter().chain(values.map(|(at, _)| PlaceChoice::Value(at))).collect();
        // Nothing is left: the piece has no input, which its solver will find.
        if ways.is_empty() { vec![PlaceChoice::Skipped] } else { ways }
    }

    fn follow(&self, state: &mut WalkState, way: PlaceChoice) {
        let place = &self.places[state.next];
        state.next += 1;
        match way {
            PlaceChoice::Skipped => {}
            PlaceChoice::Absent => state.assumed.extend(place.is_there.map(|is_there| !is_there)),
            PlaceChoice::Value(at) => {
                let value = &place.values[at];
                state.assumed.extend(place.is_there.into_iter().chain(value.when));
                if let Some(target) = value.target {
                    state.referred.push((place.field, target));
                    let met = &mut state.met[target.sort];
                    *met = (*met).max(target.number + 1);
                }
            }
        }
    }
}
