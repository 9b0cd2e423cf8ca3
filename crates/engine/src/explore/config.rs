//! What is to be explored, and how far?

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::report::Violation;
use crate::ambient::Ambient;
use crate::contract::Specification;
use crate::program::{Class, Method};
use crate::reason::Warning;
use crate::structure::{Means, Ranges, Verdicts};

pub use crate::universe::Bounds;

/// The name of the invariant where none is given.
const USUAL_NAME: &str = "repOK";
/// The name of an invariant that stands for none: what JML says is all.
const JML_ALONE: &str = "jml";

/// Which pending choice is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Depth first up to a number of choices that grows.
    Deepening,
    /// Branches that were taken least often first.
    Coverage,
    Random {
        seed: u64,
    },
}

/// Which paths are described in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Violations,
    AllPaths,
}

/// What keeps a propositional problem small, without which the answers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Economy {
    /// Are the objects of an input numbered in the order in which a walk meets them, so that it has one description? Default: true.
    pub breaks_symmetry: bool,
    /// Do the fields of an input refer only to what some valid input has there? Default: true.
    pub tightens_bounds: bool,
}

impl Default for Economy {
    fn default() -> Economy {
        Economy { breaks_symmetry: true, tightens_bounds: true }
    }
}

/// How a method is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One path after the other.
    Paths,
    /// As one propositional problem.
    Sat,
}

#[derive(Clone, Debug)]
pub struct Config {
    /// Default: paths.
    pub engine: Engine,
    /// Default: what a run takes from outside is unknown.
    pub ambient: Ambient,
    /// For the propositional problem: rounds of each loop of the method, and calls of each method within itself. Default: as many as some
    /// valid input takes.
    pub unroll: Option<usize>,
    /// Of the propositional problem.
    pub economy: Economy,
    /// The class of the receiver, where it inherits the method. Default: the class that declares the method.
    pub receiver: Option<&'static Class>,
    /// A name that `technique::find` knows. Default: `technique::DEFAULT`.
    pub technique: String,
    pub bounds: Bounds,
    /// Default: depth first.
    pub order: Order,
    /// Default: 1.
    pub jobs: usize,
    /// Paths after which the exploration ends. Default: no limit.
    pub paths: Option<u64>,
    /// When the exploration ends. Default: never.
    pub deadline: Option<Instant>,
    /// Bytes that the process may occupy before the exploration ends. Default: no limit.
    pub memory: Option<usize>,
    /// The name of the method that says whether an object is valid. Default: `repOK`, where a class has it.
    pub invariant: Option<String>,
    /// The names of two methods that make the invariant together, one about the structure and one about the data in it, which is asked
    /// only after the first. Default: one method says both.
    pub split: Option<(String, String)>,
    /// A method that says of inputs which are known in part whether they may become valid, for techniques that ask that: `NAME` of the
    /// class, or a static `pkg.Class.NAME` that takes the object. Default: the invariant, up to where it reads something unknown.
    pub hybrid: Option<String>,
    /// The reference fields over which objects are numbered, in this order. Default: those that the invariant always reads.
    pub backbone: Vec<String>,
    /// Do bounds of fields let every numbered object but the root have null, as BLISS's do, where objects that a structure does not
    /// have are null in all fields? Only to compare with its counts. Default: false, bounds are tight.
    pub loose_bounds: bool,
    /// The values that numbers in structures have when these are listed. Default: numbers stay unknown, and do not tell structures apart.
    pub values: Option<Ranges>,
    /// May a valid input that was found before prove the next step of a path possible? Default: true.
    pub reuse: bool,
    /// How are partly known inputs completed to valid ones? Default: by searches, and by a circuit where these take long.
    pub means: Means,
    /// Answers about valid objects that are known from before, for techniques that keep them. Default: none; those of one exploration
    /// are known to the next with the same configuration.
    pub verdicts: Arc<Verdicts>,
    /// Must the invariant hold again when the method returns, or throws what it declares? Default: true.
    pub post: bool,
    /// The name of a method that says which arguments the target takes. Default: all of them.
    pub precondition: Option<String>,
    /// The name of a method that says whether a normal return is right. Default: every one is.
    pub postcondition: Option<String>,
    /// What JML says of the target, compiled for it. Default: nothing.
    pub specification: Option<Arc<Specification>>,
    /// The methods that make inputs, under a technique that has them made by calls: `put`, `put(int, Object)`, `acme.Map.put`; and of
    /// constructors, where the class has several: `new(int)`. Default: none.
    pub build: Vec<String>,
    /// Exceptions that are no fault, by full or simple name, subclasses included. Default: none.
    pub allowed: Vec<String>,
    /// Default: violations only.
    pub detail: Detail,
    /// Are the shapes of the inputs of paths that return counted? Default: false.
    pub count_shapes: bool,
    /// Are the source lines of described paths listed? Default: true.
    pub lines: bool,
    /// How many paths are remembered with their choices. Default: 0.
    pub tree: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            engine: Engine::Paths,
            ambient: Ambient::default(),
            unroll: None,
            economy: Economy::default(),
            receiver: None,
            technique: crate::technique::DEFAULT.into(),
            bounds: Bounds::default(),
            order: Order::Dfs,
            jobs: 1,
            paths: None,
            deadline: None,
            memory: None,
            invariant: None,
            split: None,
            hybrid: None,
            backbone: Vec::new(),
            loose_bounds: false,
            values: None,
            reuse: true,
            means: Means::Auto,
            verdicts: Arc::default(),
            post: true,
            precondition: None,
            postcondition: None,
            specification: None,
            build: Vec::new(),
            allowed: Vec::new(),
            detail: Detail::Violations,
            count_shapes: false,
            lines: true,
            tree: 0,
        }
    }
}

impl Config {
    /// The methods that say together whether an object is valid, in the order in which they are asked.
    pub fn invariant_names(&self) -> Vec<&str> {
        match (&self.split, &self.invariant) {
            (Some((heap, data)), _) => vec![heap, data],
            (None, Some(name)) => vec![name],
            (None, None) => vec![USUAL_NAME],
        }
    }

    /// The class of which receivers are, or a superclass of theirs.
    pub fn receiver_of(&self, method: &'static Method) -> &'static Class {
        self.receiver.unwrap_or(method.class())
    }

    /// Does only what JML says count?
    pub(super) fn is_jml_alone(&self) -> bool {
        self.split.is_none() && self.invariant.as_deref() == Some(JML_ALONE)
    }

    /// The invariant of JML for a root, if it has one.
    pub(super) fn clauses_of_root(&self, root: usize) -> impl Iterator<Item = &'static Method> {
        let all = self.specification.iter().flat_map(|specification| &specification.invariants);
        all.filter(move |invariant| invariant.root == root).map(|invariant| invariant.all)
    }

    /// Says that no object satisfies the invariant.
    pub(super) fn nothing_is_valid(&self) -> Warning {
        let invariant = match self.is_jml_alone() {
            true => "the invariant in JML".to_string(),
            false => format!("{}()", self.invariant_names().join("() && ")),
        };
        Warning::NothingValid { invariant, has_few_bits: self.bounds.int_bits.is_some() }
    }
}

/// How far the exploration has come, for somebody who watches from another thread; and how that one ends it.
#[derive(Default)]
pub struct Progress {
    pub paths: AtomicU64,
    /// Choices that wait to be followed.
    pub pending: AtomicUsize,
    /// Choices on the path that was finished last.
    pub depth: AtomicUsize,
    pub violations: AtomicU64,
    pub problem: ProblemProgress,
    /// Is a circuit of an invariant being made? That may take long, and counts nothing.
    pub is_translating: AtomicBool,
    /// The faults that were found so far, for the case that the exploration never comes to its report. Each cause is there once.
    pub found: Mutex<Vec<Violation>>,
    /// Set it to end the exploration with a partial report.
    pub stop: Arc<AtomicBool>,
    /// Set it before `stop` if the reason is that the process occupies too much memory.
    pub is_full: AtomicBool,
}

impl Progress {
    /// Has somebody ended the exploration because of its memory?
    pub(super) fn is_stopped_for_memory(&self) -> bool {
        self.stop.load(Ordering::Relaxed) && self.is_full.load(Ordering::Relaxed)
    }

    /// Keeps the first fault of each cause.
    pub(super) fn note_found(&self, violation: &Violation) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let cause = |violation: &Violation| (violation.kind.clone(), violation.at.clone(), violation.clause.clone());
        if !found.iter().any(|known| cause(known) == cause(violation)) {
            found.push(violation.clone());
        }
    }
}

/// How far a propositional problem has come.
#[derive(Default)]
pub struct ProblemProgress {
    /// Rounds of each loop that are being translated.
    pub unroll: AtomicUsize,
    pub gates: AtomicUsize,
    /// To the SAT solver, about these gates.
    pub questions: AtomicU64,
    /// Is all translated, so that the solver looks for something that goes wrong?
    pub is_translated: AtomicBool,
}
