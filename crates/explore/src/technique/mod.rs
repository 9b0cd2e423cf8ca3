//! How is a question about an input answered?
//!
//! A technique lists the answers, and may refuse a state whose input no valid object can complete. Each is one file; this
//! one knows them by name and holds what they share.

mod bounded;
pub(crate) mod calls;
mod driver;
mod eager;
mod hybrid;
mod kiasan;
mod lazier;
mod lazy;
mod lissa;
mod precise;
mod refined;
mod sat;
mod sat_cached;

use std::fmt;
use std::sync::Arc;

use lazuli_valid::{Completer, FeasibleAnswers, SharedTable, TechniqueSetup, Tools};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::reason::Reason;
use lazuli_vm::universe::{Alternatives, Cx};

use crate::Path;
use crate::report::CacheUse;

/// May the input still be completed to a valid one?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// There was nothing to ask: any input may go on.
    Unasked,
    /// Some valid input takes the path.
    Admitted {
        /// Did a valid input that was found before prove it?
        is_reused: bool,
    },
    /// No valid input takes the path, so that it is dropped.
    Pruned,
    /// Nothing could tell: why.
    Unknown(Reason),
}

/// A technique of symbolic execution over heaps: it lists the answers to a question, and drops paths that no valid input takes.
///
/// A technique that refines another one names it as [`inner`](Technique::inner): all methods that it does not define itself, except
/// `alternatives` and `makes_inputs`, are then those of the inner technique.
pub trait Technique {
    /// Every way in which the question may be answered here. The same state gives the same list, always.
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives;

    /// The technique that this one refines.
    fn inner(&self) -> Option<&dyn Technique> {
        None
    }

    /// The same technique as [`inner`](Technique::inner), to be changed.
    fn inner_mut(&mut self) -> Option<&mut dyn Technique> {
        None
    }

    /// Finds out what all paths need to know. `inputs` are those of which nothing is known; what was found is shared with the
    /// techniques of other threads.
    fn prepare(&mut self, tools: &mut Tools, inputs: &Path, shared: &Arc<SharedTable>) {
        if let Some(inner) = self.inner_mut() {
            inner.prepare(tools, inputs, shared);
        }
    }

    /// Notes with the state what an answer means to the technique. Comes after every answer, also where a trace is replayed.
    fn learn(&self, path: &mut Path, question: &Question, answer: &Answer) {
        if let Some(inner) = self.inner() {
            inner.learn(path, question, answer);
        }
    }

    /// May the input heap still be completed to a valid one, given the path condition?
    fn admit(&mut self, tools: &mut Tools, path: &mut Path) -> Admission {
        self.inner_mut().map_or(Admission::Unasked, |inner| inner.admit(tools, path))
    }

    /// The answers that a place may have that the path reads next, as far as that excludes some. They need not be admitted then.
    fn feasible_answers(
        &mut self,
        tools: &mut Tools,
        path: &Path,
        place: Place,
        answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        self.inner_mut()?.feasible_answers(tools, path, place, answers)
    }

    /// The same state for each of the valid inputs that it may have, if they are known one by one.
    fn by_input(&self, tools: &mut Tools, path: &Path) -> Option<Vec<Path>> {
        self.inner()?.by_input(tools, path)
    }

    /// How often an answer was known from before.
    fn cache_use(&self) -> CacheUse {
        self.inner().map_or(CacheUse::default(), |inner| inner.cache_use())
    }

    /// Are the invariants executed before the method?
    fn starts_with_invariants(&self) -> bool {
        self.inner().is_some_and(|inner| inner.starts_with_invariants())
    }

    /// Are preconditions that speak of the receiver alone asked as invariants are, of what a path knows? Else they are executed before the method.
    fn asks_preconditions(&self) -> bool {
        self.inner().is_some_and(|inner| inner.asks_preconditions())
    }

    /// Are input arrays of any length, and bounded by how many of their elements a path touches? Else their length is bounded.
    fn bounds_touched_elements(&self) -> bool {
        self.inner().is_some_and(|inner| inner.bounds_touched_elements())
    }

    /// Are the receiver, and parameters with an invariant, made by calls before the method?
    fn makes_inputs(&self) -> bool {
        false
    }
}

/// The technique that is used if none is asked for.
pub const DEFAULT: &str = TECHNIQUES[0].0;

/// The technique that asks for no valid input and delays nothing: for inputs that are known.
pub const PLAIN: &str = TECHNIQUES[1].0;

/// Makes a technique.
pub type Maker = fn(&TechniqueSetup) -> Box<dyn Technique>;

/// The technique of an exploration: one that this crate knows by name, or one from outside.
#[derive(Clone)]
pub struct TechniqueChoice {
    name: String,
    custom: Option<Arc<CustomMaker>>,
}

/// Makes a technique from outside, once for each worker.
type CustomMaker = dyn Fn(&TechniqueSetup) -> Box<dyn Technique> + Send + Sync;

impl TechniqueChoice {
    /// A technique from outside under a name of its own, which reports show and caches are kept under.
    pub fn custom(
        name: impl Into<String>,
        make: impl Fn(&TechniqueSetup) -> Box<dyn Technique> + Send + Sync + 'static,
    ) -> TechniqueChoice {
        TechniqueChoice { name: name.into(), custom: Some(Arc::new(make)) }
    }

    /// The name under which it was chosen.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the technique. None if no technique has the name.
    pub fn make(&self, setup: &TechniqueSetup) -> Option<Box<dyn Technique>> {
        match &self.custom {
            Some(make) => Some(make(setup)),
            None => find(&self.name).map(|make| make(setup)),
        }
    }

    /// Does the technique have inputs made by calls?
    pub fn makes_inputs(&self) -> bool {
        self.says(|technique| technique.makes_inputs())
    }

    /// Does the technique execute the invariants before the method?
    pub fn starts_with_invariants(&self) -> bool {
        self.says(|technique| technique.starts_with_invariants())
    }

    /// Does the technique ask preconditions as it asks invariants?
    pub fn asks_preconditions(&self) -> bool {
        self.says(|technique| technique.asks_preconditions())
    }

    /// Does the technique bound the elements of arrays that a path touches, and not the lengths of arrays?
    pub fn bounds_touched_elements(&self) -> bool {
        self.says(|technique| technique.bounds_touched_elements())
    }

    fn says(&self, what: impl FnOnce(&dyn Technique) -> bool) -> bool {
        self.make(&TechniqueSetup::empty(&Arc::default())).is_some_and(|technique| what(&*technique))
    }
}

impl<T: Into<String>> From<T> for TechniqueChoice {
    fn from(name: T) -> TechniqueChoice {
        TechniqueChoice { name: name.into(), custom: None }
    }
}

impl fmt::Debug for TechniqueChoice {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.name)
    }
}

impl fmt::Display for TechniqueChoice {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.name)
    }
}

/// Name, other names, and the technique.
const TECHNIQUES: &[(&str, &[&str], Maker)] = &[
    ("precise", &["pli"], |given| {
        Box::new(precise::Precise { completer: Completer::new(given.invariants, given.means), reuses: given.reuses })
    }),
    ("lazy", &["li"], |_| Box::new(lazy::Lazy)),
    ("lazier", &[], |_| Box::new(lazier::Lazier { delays_null: false })),
    ("lazier-sharp", &["lazier#"], |_| Box::new(lazier::Lazier { delays_null: true })),
    ("kiasan", &[], |_| Box::new(kiasan::Kiasan)),
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
    TechniqueChoice::from(name).makes_inputs()
}
