//! How is a question about an input answered?
//!
//! A technique lists the answers, and may refuse a state whose input no valid object can complete. Each is one file; this
//! one knows them by name and holds what they share.

mod bounded;
mod driver;
mod eager;
mod hybrid;
mod lazier;
mod lazy;
mod lissa;
mod precise;
mod refined;
mod sat;
mod sat_cached;

use std::sync::Arc;

use lazuli_logic::Terms;
use serde::{Deserialize, Serialize};

use crate::outcome::{Answer, Place, Question};
use crate::program::{Class, Method, Program};
use crate::reason::Reason;
use crate::state::State;
use crate::structure::{Completer, Foresight, Invariant, Means, Shared, Tools, Verdicts};
use crate::universe::{self, Bounds, Reference, Restriction};

/// What a technique may look at.
pub struct Cx<'a> {
    pub program: &'a Program,
    pub terms: &'a mut Terms,
    pub bounds: &'a Bounds,
}

/// The ways in which a question may be answered.
#[derive(Default)]
pub struct Alternatives {
    pub answers: Vec<Answer>,
    /// The restrictions that left an answer out, or kept one small.
    pub beyond: Vec<Restriction>,
    /// A type of which no object is known, so that only null is left: nothing can be said of the others.
    pub void: Option<&'static Class>,
}

/// May the input still be completed to a valid one?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// There was nothing to ask: any input may go on.
    Unasked,
    Admitted {
        /// Did a valid input that was found before prove it?
        is_reused: bool,
    },
    Pruned,
    /// Nothing could tell: why.
    Unknown(Reason),
}

pub trait Technique {
    /// Every way in which the question may be answered here. The same state gives the same list, always.
    fn alternatives(&self, cx: &mut Cx, state: &State, question: &Question) -> Alternatives;

    /// Finds out what all paths need to know. `inputs` are those of which nothing is known; what was found is shared with the
    /// techniques of other threads.
    fn prepare(&mut self, _tools: &mut Tools, _inputs: &State, _shared: &Arc<Shared>) {}

    /// Notes with the state what an answer means to the technique. Comes after every answer, also where a trace is replayed.
    fn learn(&self, _state: &mut State, _question: &Question, _answer: &Answer) {}

    /// May the input heap still be completed to a valid one, given the path condition?
    fn admit(&mut self, _tools: &mut Tools, _state: &mut State) -> Admission {
        Admission::Unasked
    }

    /// What a place may hold that the path reads next, as far as that excludes some of the answers. They need not be admitted then.
    fn foresee(&mut self, _tools: &mut Tools, _state: &State, _place: Place, _answers: &[Answer]) -> Option<Foresight> {
        None
    }

    /// The same state for each of the valid inputs that it may have, if they are known one by one.
    fn by_input(&self, _tools: &mut Tools, _state: &State) -> Option<Vec<State>> {
        None
    }

    /// How often an answer was known from before.
    fn cache_use(&self) -> CacheUse {
        CacheUse::default()
    }

    /// Are the invariants executed before the method?
    fn starts_with_invariants(&self) -> bool {
        false
    }

    /// Are the receiver, and parameters with an invariant, made by calls before the method?
    fn makes_inputs(&self) -> bool {
        false
    }
}

/// How often answers about valid objects were known, had to be found, and were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheUse {
    pub hits: u64,
    pub misses: u64,
    pub stored: u64,
}

/// The technique that is used if none is asked for.
pub const DEFAULT: &str = TECHNIQUES[0].0;

/// The technique that asks for no valid input and delays nothing: for inputs that are known.
pub const PLAIN: &str = TECHNIQUES[1].0;

/// What a technique is made for.
pub struct Given<'a> {
    /// What makes inputs valid.
    pub invariants: &'a [Invariant],
    /// The part of it that is about structure, where the user told it from what is about data; else all of it.
    pub heap_invariants: &'a [Invariant],
    /// What is asked of inputs that are known in part, and knows it; else what makes them valid.
    pub hybrid_invariants: &'a [Invariant],
    /// The fields over which objects are numbered, if somebody chose them.
    pub backbone: &'a [String],
    /// May numbered objects that a valid object does not have be null in all fields?
    pub has_loose_bounds: bool,
    /// May a valid input that was found before be used again?
    pub reuses: bool,
    /// How are valid inputs found?
    pub means: Means,
    /// The method that is explored, if it is known.
    pub target: Option<&'static Method>,
    /// Answers about valid objects that are known from before.
    pub verdicts: &'a Arc<Verdicts>,
}

/// Makes a technique.
pub type Maker = fn(&Given) -> Box<dyn Technique>;

/// Name, other names, and the technique.
const TECHNIQUES: &[(&str, &[&str], Maker)] = &[
    ("precise", &["pli"], |given| {
        Box::new(precise::Precise { completer: Completer::new(given.invariants, given.means), reuses: given.reuses })
    }),
    ("lazy", &["li"], |_| Box::new(lazy::Lazy)),
    ("lazier", &[], |_| Box::new(lazier::Lazier { delays_null: false })),
    ("lazier-sharp", &["lazier#"], |_| Box::new(lazier::Lazier { delays_null: true })),
    ("hybrid", &["lihybrid"], |given| Box::new(hybrid::Hybrid::new(given))),
    ("bounded", &["bli"], |given| Box::new(bounded::Bounded::new(given))),
    ("refined", &["rbli"], |given| Box::new(refined::Refined::new(given))),
    ("sat", &["bliss"], |given| Box::new(sat::Sat::new(given))),
    ("sat-cached", &["blissdb"], |given| Box::new(sat_cached::SatCached::new(given))),
    ("eager", &["ifpre"], |_| Box::new(eager::Eager)),
    ("driver", &[], |_| Box::new(driver::Driver)),
    ("lissa", &[], |given| Box::new(lissa::Lissa { completer: Completer::new(given.heap_invariants, given.means) })),
];

/// The names under which techniques are known.
pub fn names() -> Vec<&'static str> {
    TECHNIQUES.iter().map(|(name, ..)| *name).collect()
}

/// The technique of that name.
pub fn find(name: &str) -> Option<Maker> {
    let found = TECHNIQUES.iter().find(|(known, others, _)| *known == name || others.contains(&name));
    found.map(|(_, _, make)| *make)
}

/// The name that a technique goes by, of all those that it is known under.
pub fn canonical_name(name: &str) -> Option<&'static str> {
    let found = TECHNIQUES.iter().find(|(known, others, _)| *known == name || others.contains(&name));
    found.map(|(known, ..)| *known)
}

/// Does the technique have inputs made by calls?
pub fn makes_inputs(name: &str) -> bool {
    let given = Given {
        invariants: &[],
        heap_invariants: &[],
        hybrid_invariants: &[],
        backbone: &[],
        has_loose_bounds: false,
        reuses: false,
        means: Means::Search,
        target: None,
        verdicts: &Arc::default(),
    };
    find(name).is_some_and(|make| make(&given).makes_inputs())
}

/// The answers to a question of the invariant, which decides every reference that it reads.
pub fn completions(cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
    lazy::Lazy.alternatives(cx, state, question)
}

/// The answers to a question that do not depend on the technique.
fn plain_answers(cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
    let mut beyond = Vec::new();
    let answers = match question {
        Question::Branch(condition) => {
            let negation = cx.terms.not(*condition);
            vec![Answer::Assume(*condition), Answer::Assume(negation)]
        }
        Question::Cases(cases) => cases.iter().map(|case| Answer::Assume(*case)).collect(),
        Question::Null(id) => {
            let found = objects(cx, state, Reference::from(state.symbols.unknown(*id)));
            if found.answers.iter().all(|answer| matches!(answer, Answer::Null)) {
                return Alternatives { answers: vec![Answer::Null], ..found };
            }
            vec![Answer::Null, Answer::NotNull]
        }
        Question::Class { object, parts } => {
            let was = state.heap.class(*object);
            let may_be = |part: &&&'static Class| universe::may_become(cx.program, state, *object, part);
            let parts: Vec<&'static Class> = parts.iter().filter(may_be).copied().collect();
            beyond.extend(parts.iter().filter_map(|part| Restriction::length(cx.program, cx.bounds, was, part)));
            parts.iter().map(|part| Answer::Narrow(part)).collect()
        }
        Question::Make(steps) => steps.iter().map(|step| Answer::Make(*step)).collect(),
        Question::Read { .. } | Question::Deref(_) => Vec::new(),
    };
    Alternatives { answers, beyond, void: None }
}

/// The objects that a reference may denote.
fn objects(cx: &Cx, state: &State, reference: Reference) -> Alternatives {
    let universe::Objects { answers, restrictions, is_void } =
        universe::objects(cx.program, cx.bounds, state, &reference);
    Alternatives { answers, beyond: restrictions, void: is_void.then_some(reference.declared) }
}
