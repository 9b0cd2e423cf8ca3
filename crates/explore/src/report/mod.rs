//! What did an exploration find? Plain data: it outlives the exploration, crosses threads, and is printed and written down by others.

pub(crate) mod picture;
pub(crate) mod shapes_seen;
pub(crate) mod summary;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use lazuli_logic::{Expression, Statistics};
use serde::{Deserialize, Serialize};

pub use lazuli_spec::UnusedClause;
pub use lazuli_vm::ambient::{Assumption, Source};

use lazuli_spec::SourceLine;
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::universe::Restriction;

use crate::Case;
use crate::technique::CacheUse;

/// The choices that lead to a path: the index of each answer among its question's alternatives.
pub type Trace = Vec<u16>;

/// One finished path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub trace: Trace,
    pub ending: Ending,
    /// The path condition; all of it must hold.
    pub condition: Vec<Expression>,
    /// The input as it was at entry, as far as the path read it.
    pub input: Picture,
    /// The same objects, and those that the path made, at its end.
    pub output: Picture,
    /// The result; nothing for `void` and for other endings.
    pub result: Option<Shown>,
    /// The source lines in the order in which the path came to them. Empty unless asked for.
    pub lines: Vec<SourceLine>,
    /// One concrete input that takes this path, if a solver gave one.
    pub example: Option<Picture>,
    /// The example's heap and result after the method ran on it.
    pub after: Option<After>,
    /// The same input in a form from which it can be made again. It names classes and methods, and is not written down.
    #[serde(skip)]
    pub case: Option<Case>,
}

/// The end of a concrete run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct After {
    /// The objects of the example first, under the same names.
    pub heap: Picture,
    /// The result; nothing for `void` and for other endings.
    pub result: Option<Shown>,
}

/// A path of the exploration tree: what it chose, and where that led.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Leaf {
    /// Only where there was a choice.
    pub choices: Vec<Arc<Choice>>,
    pub ending: Ending,
    /// Is it one of the paths of a violation?
    pub is_fault: bool,
}

/// One of several ways that a path could have gone, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// `this.root is null`, `key < this.root.key`.
    pub what: String,
    /// Where it mattered: `pkg.Class.method(File.java:12)`.
    pub at: String,
}

/// How a path ended, for readers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    Returned,
    Threw {
        /// The class of the exception, with dots.
        class: String,
        message: Option<String>,
        /// Where it was thrown: the innermost frames, `pkg.Class.method(File.java:12)`.
        trace: Vec<String>,
        /// Does the method declare it, or did the user allow it?
        is_allowed: bool,
    },
    Exited(i32),
    /// A bound or a limit cut the path: which, and where.
    Limit {
        which: Cut,
        at: String,
    },
    Unsupported {
        what: Reason,
        at: String,
    },
    /// No solver could tell whether the path is possible.
    Unknown {
        at: String,
    },
}

/// The limit that cut a path. The scope does not: inputs beyond it are left out before a path begins to depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cut {
    /// Too many forks at one branch that read nothing new.
    Unroll,
    /// A loop that never ends: the path came back to a state in which it was before.
    Endless,
    /// Too many choices on one path.
    Depth,
    /// The number of paths that were asked for.
    Paths,
    Time,
    Memory,
}

/// A heap, as far as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// `this`, the parameters and the static fields by name, in that order.
    pub roots: Vec<(String, Shown)>,
    pub objects: Vec<Drawn>,
    /// The calls that made what is drawn, where it was made so.
    pub calls: Vec<MakingCall>,
}

/// `this.put(1, null)`: a call that made a part of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MakingCall {
    /// The root that it works for.
    pub on: String,
    /// The name of the method; of a constructor, `new` and the class.
    pub name: String,
    pub arguments: Vec<Shown>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// How the input is first reached, such as `this.next`; `new Node#1` for what the path made.
    pub name: String,
    /// With dots.
    pub class: String,
    /// False if the object may be of a subclass: nothing on the path depended on which.
    pub is_exact: bool,
    /// If it is not exact: the classes of the class path that it may have.
    pub among: Vec<String>,
    /// Was it made by the program, and not an input?
    pub is_new: bool,
    /// Is it held by a `static final` field, or one of an enumeration? Its name then says which.
    pub is_constant: bool,
    /// The fields that may refer to another object of its kind: what makes lists and trees.
    pub links: Vec<String>,
    pub contents: Contents,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Contents {
    /// Name and value, superclasses first.
    Fields(Vec<(String, Shown)>),
    /// The elements that were read, by index, and the contents of the others.
    Elements { length: Expression, items: Vec<(Expression, Shown)>, others: Shown },
    /// Of a string.
    Text(String),
}

/// A value in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shown {
    /// Never read: any value would do.
    Unread,
    Null,
    /// An object of this picture, by its index.
    Object(usize),
    Value(Expression),
    /// A reference that was passed on, but never looked at: a null or an object of that class.
    Unknown {
        class: String,
        may_be_null: bool,
    },
}

/// A fault, confirmed by running the example in the interpreter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// `NullPointerException`, `AssertionError`, `check`: the simple name of what was thrown, or what failed.
    pub kind: String,
    pub message: String,
    /// `TreeMap.java:212`; empty if the class file has no line numbers.
    pub at: String,
    /// The line to look at: where the exception was thrown, or else where the method begins.
    pub place: Option<SourceLine>,
    pub outcome: Outcome,
    /// The clause of JML that is not kept, as it is written, if it is one.
    pub clause: Option<String>,
    /// How many paths ended with this fault at this place.
    pub count: u64,
}

/// Something that was not explored, so that nothing can be said about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NotExplored {
    pub why: Reason,
    pub at: String,
    pub count: u64,
}

/// How many paths ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    pub returned: u64,
    pub threw: u64,
    pub exited: u64,
    pub limit: u64,
    pub unsupported: u64,
    pub unknown: u64,
}

/// How many inputs there are that differ in more than their numbers and the names of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeCounts {
    /// A reference that the path did not read counts as null.
    pub whole: u64,
    /// It counts as something of its own.
    pub partial: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated,
    Incomplete,
}

/// How large a propositional problem was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemFigures {
    pub gates: usize,
    /// Rounds of each loop of the method, and calls of each method within itself.
    pub unroll: usize,
    /// Objects that the method makes at most.
    pub made: usize,
    /// Was all of it translated? Else the figures are those of the moment when that ended.
    pub is_translated: bool,
}

/// Everything that is known after an exploration.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// `acme.List.swapNode()Lacme/Node;`
    pub target: String,
    /// How the target is written in source: `acme.List.swapNode()`.
    pub title: String,
    /// The first line of the target's code.
    pub begins: Option<SourceLine>,
    /// The numbers of the inputs, if not all: words to put behind its extent.
    pub told_numbers: String,
    /// Paths that reached an end.
    pub paths: u64,
    /// Branches that the technique left out because no valid input goes there.
    pub pruned: u64,
    /// Branches that contradict the path condition.
    pub infeasible: u64,
    /// Paths that ended because an `assume` did not hold.
    pub assumed_away: u64,
    pub ends: Ends,
    pub solver: Statistics,
    /// Branches on primitives that were answered by the state's own example.
    pub reused_witnesses: u64,
    /// Searches for a valid input.
    pub structure_calls: u64,
    pub sat_calls: u64,
    /// Answers that a technique which keeps them knew from before.
    pub cache: CacheUse,
    /// Of a check as one propositional problem.
    pub problem: Option<ProblemFigures>,
    /// Were only inputs tried that satisfy an invariant?
    pub is_contracted: bool,
    /// The precondition by which inputs were left out, if there was one: `even()`, `requires at Half.java:7`.
    pub precondition: Option<String>,
    /// The inputs that calls made: "TreeMap made by at most 3 calls of put". Empty if none were made so.
    pub made: Vec<String>,
    /// How many shapes the inputs of paths that returned have, if that was asked for.
    pub shapes: Option<ShapeCounts>,
    /// The most input objects on one path.
    pub objects_max: usize,
    pub violations: Vec<Violation>,
    pub not_explored: Vec<NotExplored>,
    /// Alarms on paths that no valid input takes. Only techniques that do not ask for one have any.
    pub unconfirmed: Vec<NotExplored>,
    /// Oddities that are no fault: an invariant that throws, say.
    pub warnings: Vec<Warning>,
    /// Everything that the verdict takes for granted.
    pub assumptions: Vec<Assumption>,
    /// Clauses of JML that have no effect.
    pub unused_clauses: Vec<UnusedClause>,
    /// The restrictions that left inputs out, so that the verdict does not speak of them.
    pub restrictions: BTreeSet<Restriction>,
    /// Every path, in the order of the traces, if asked for.
    pub outcomes: Vec<Outcome>,
    /// The first paths in the order of their traces, as many as asked for.
    pub tree: Vec<Leaf>,
    pub elapsed: Duration,
}

impl Report {
    pub fn verdict(&self) -> Verdict {
        if !self.violations.is_empty() {
            Verdict::Violated
        } else if self.not_explored.is_empty() {
            Verdict::Holds
        } else {
            Verdict::Incomplete
        }
    }

    /// The bound as a sentence that stands after "holds for": "all inputs", or "every input of classes on the class path with at most …".
    pub fn extent(&self) -> String {
        let (bounds, others): (Vec<&Restriction>, Vec<&Restriction>) =
            self.restrictions.iter().partition(|restriction| restriction.is_bound());
        let (statics, world): (Vec<&Restriction>, Vec<&Restriction>) =
            others.into_iter().partition(|restriction| matches!(restriction, Restriction::InitialStatic { .. }));
        let world: String = world.iter().map(|restriction| format!(" {restriction}")).collect();
        let statics = match statics.len() {
            0 => String::new(),
            1 => format!(" with {} as its initialiser leaves it", listed(&statics)),
            _ => format!(" with {} as their initialisers leave them", listed(&statics)),
        };
        let given = self.precondition.as_ref().map(|name| format!(" for which {name} is true")).unwrap_or_default();
        let given = given + &self.told_numbers;
        let made: Vec<String> = self.made.iter().map(|made| format!("every {made}")).collect();
        let made = made.join(" and ");
        let (valid, listed) = (self.told_valid(), listed(&bounds));
        match (made.is_empty(), bounds.is_empty()) {
            (false, true) => format!("{made}{statics}{given}"),
            (false, false) => format!("{made}{statics}, with other inputs{world} of at most {listed}{given}"),
            (true, true) => format!("all {valid}inputs{world}{statics}{given}"),
            (true, false) => format!("every {valid}input{world}{statics} with at most {listed}{given}"),
        }
    }

    fn told_valid(&self) -> &'static str {
        if self.is_contracted { "valid " } else { "" }
    }
}

/// "3 Node objects, 2 arrays int[] and 3 elements in each array".
fn listed(restrictions: &[&Restriction]) -> String {
    let parts: Vec<String> = restrictions.iter().map(|restriction| restriction.to_string()).collect();
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
