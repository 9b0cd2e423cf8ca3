//! What did an exploration find? Plain data: it outlives the exploration, crosses threads, and is printed and written down by others.

mod concurrent;
pub(crate) mod finding;
mod library;
pub(crate) mod picture;
mod pieces;
mod property;
pub(crate) mod schedule;
pub(crate) mod shapes_seen;
pub(crate) mod summary;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use lazuli_logic::{Expression, SolverStatistics};
use lazuli_reach::recipe::Recipe;
use serde::{Deserialize, Serialize};

pub use concurrent::{CallEnd, ConcurrentCall, ConcurrentCalls, OrderMismatch, RefutedOrder};
pub use finding::{FindingKind, Instruction};
pub use lazuli_spec::UnusedClause;
pub use lazuli_vm::ambient::{Assumption, Source};
pub use pieces::{PieceAnswer, PieceFigures, WorkerFigures};
pub use property::{PropertyBreach, PropertyStep};
pub use schedule::{Schedule, ScheduleStep, StandingThread, StepAction, WaitReason};

use lazuli_spec::SourceLine;
use lazuli_vm::program::{Method, descriptor, readable_type};
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::universe::Restriction;

use crate::Case;

/// The choices that lead to a path: the index of each answer among its question's alternatives.
pub type Trace = Vec<u16>;

/// One finished path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The choices that lead to this path from the start of the method.
    pub trace: Trace,
    /// How the path ended.
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
    /// The first steps of the example's run, as many as were asked for.
    #[serde(default)]
    pub steps: Vec<RunStep>,
    /// The example's heap and result after the method ran on it.
    pub after: Option<After>,
    /// The same input in a form from which it can be made again. It names classes and methods, and is not written down.
    #[serde(skip)]
    pub case: Option<Case>,
    /// The meaning of its end, if that is a fault or something else that is told.
    pub finding: Option<FindingKind>,
    /// The order of what the threads did, if there were several.
    #[serde(default)]
    pub schedule: Option<Schedule>,
    /// The calls of the threads, and why no order explains how they ended, of an object that several threads used.
    #[serde(default)]
    pub concurrent: Option<ConcurrentCalls>,
}

/// A concrete run before it executes a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStep {
    /// The line.
    pub place: SourceLine,
    /// The method that it belongs to, as in source and without its package: `Node.swap(int)`.
    pub method: String,
    /// How many methods of the user are entered below it.
    pub depth: usize,
    /// The objects; its roots are the local variables, in the order of their declarations, and the static fields that are inputs.
    pub heap: Picture,
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
    /// How the path ended.
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
    /// The method returned.
    Returned,
    /// The method ended with an exception that it did not catch.
    Threw {
        /// The class of the exception, with dots.
        class: String,
        /// The message of the exception, if it has one that is known.
        message: Option<String>,
        /// Where it was thrown: the innermost frames, `pkg.Class.method(File.java:12)`.
        trace: Vec<String>,
        /// Does the method declare it, or did the user allow it?
        is_allowed: bool,
    },
    /// The method called `System.exit` with this status.
    Exited(i32),
    /// No thread can go on.
    Deadlock {
        /// The threads that are not done.
        threads: Vec<StandingThread>,
    },
    /// The events so far break a property.
    Broken(PropertyBreach),
    /// A bound or a limit cut the path: which, and where.
    Limit {
        /// The bound or limit.
        which: Cut,
        /// The line at which the path was cut.
        at: String,
    },
    /// The interpreter cannot execute an instruction or a call on the path.
    Unsupported {
        /// The instruction, native method or feature.
        what: Reason,
        /// The line that needs it.
        at: String,
    },
    /// No solver could tell whether the path is possible.
    Unknown {
        /// The line that asked the solver.
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
    /// The time limit of the run.
    Time,
    /// The memory limit of the run.
    Memory,
}

/// A heap, as far as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// `this`, the parameters and the static fields by name, in that order.
    pub roots: Vec<(String, Shown)>,
    /// The objects of the heap; [`Shown::Object`] refers to them by index.
    pub objects: Vec<Drawn>,
    /// The calls that made what is drawn, where it was made so.
    pub calls: Vec<ShownCall>,
}

/// `this.put(1, null)`: a call that made a part of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownCall {
    /// The root that it works for.
    pub on: String,
    /// The name of the method; of a constructor, `new` and the class.
    pub name: String,
    /// The arguments of the call, without its receiver.
    pub arguments: Vec<Shown>,
    /// Did it throw an exception, which is caught?
    pub threw: bool,
}

/// One object of a picture.
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
    /// The fields, elements or text of the object.
    pub contents: ShownContents,
}

/// The contents of an object, by its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ShownContents {
    /// Name and value, superclasses first.
    Fields(Vec<(String, Shown)>),
    /// The elements that were read, by index, and the contents of the others.
    Elements {
        /// The length of the array.
        length: Expression,
        /// The index and the value of each element that was read.
        items: Vec<(Expression, Shown)>,
        /// The value of all other elements.
        others: Shown,
    },
    /// Of a string: its units of UTF-16. Surrogates may be alone.
    Text(Vec<u16>),
}

/// A value in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shown {
    /// Never read: any value would do.
    Unread,
    /// The null reference.
    Null,
    /// An object of this picture, by its index.
    Object(usize),
    /// A primitive value: a number or a symbolic expression.
    Value(Expression),
    /// A reference that was passed on, but never looked at: a null or an object of that class.
    Unknown {
        /// The class of the object, unless the reference is null.
        class: String,
        /// Is null one of the possible values?
        may_be_null: bool,
    },
}

/// A fault, or something else that was noticed, confirmed by running the example in the interpreter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// Its meaning: a defect, or something that was merely noticed.
    pub finding: FindingKind,
    /// `NullPointerException`, `AssertionError`, `check`: the simple name of what was thrown, or what failed.
    pub kind: String,
    /// The message of the exception, or the obligation that failed.
    pub message: String,
    /// `TreeMap.java:212`; empty if the class file has no line numbers.
    pub at: String,
    /// The line to look at: where the exception was thrown, or else where the method begins.
    pub place: Option<SourceLine>,
    /// The innermost instruction of the user's code at which it shows; none if a contract is not kept.
    pub instruction: Option<Instruction>,
    /// The parameter that is null, of a null argument.
    pub parameter: Option<String>,
    /// The path that violates the contract, with an input that takes it.
    pub outcome: Outcome,
    /// The clause of JML that is not kept, as it is written, if it is one.
    pub clause: Option<String>,
    /// How many paths ended with this fault at this place.
    pub count: u64,
}

impl Violation {
    /// Do two explorations speak of the same fault? Its meaning may differ: whether calls make the input, say.
    pub fn has_cause_of(&self, other: &Violation) -> bool {
        let cause = |one: &Violation| (one.kind.clone(), one.at.clone(), one.instruction.clone(), one.clause.clone());
        cause(self) == cause(other)
    }
}

/// Something that was not explored, so that nothing can be said about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NotExplored {
    /// The reason why it was not explored.
    pub why: Reason,
    /// The line at which the paths stopped, or empty where there is none.
    pub at: String,
    /// Paths that stopped there for this reason.
    pub count: u64,
}

/// How many paths ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// Paths that returned.
    pub returned: u64,
    /// Paths that ended with an exception.
    pub threw: u64,
    /// Paths that called `System.exit`.
    pub exited: u64,
    /// Paths at whose end no thread could go on.
    #[serde(default)]
    pub deadlocked: u64,
    /// Paths that broke a property.
    #[serde(default)]
    pub broken: u64,
    /// Paths that a bound or a limit cut.
    pub limit: u64,
    /// Paths that need something that the interpreter cannot execute.
    pub unsupported: u64,
    /// Paths about which no solver could decide whether they are possible.
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

/// The result of an exploration in one word, from which the exit code follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All paths were followed, and none violates the contract.
    Holds,
    /// At least one path violates the contract, and a concrete run confirms it.
    Violated,
    /// No violation was found, but some paths or inputs were not explored.
    Incomplete,
}

/// How large a propositional problem was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemFigures {
    /// Gates of the circuit.
    pub gates: usize,
    /// Rounds of each loop of the method, and calls of each method within itself.
    pub unroll: usize,
    /// Objects that the method makes at most.
    pub made: usize,
    /// Was all of it translated? Else the figures are those of the moment when that ended.
    pub is_translated: bool,
}

/// The inputs that a recipe of the user makes: every object of a class that so many calls of these methods lead to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RecipeExtent {
    /// The simple name of the class.
    pub class: String,
    /// The types of the parameters of the constructor, if the class has others that make no input.
    pub constructor: Option<Vec<String>>,
    /// The greatest number of calls.
    pub calls: usize,
    /// The names of the methods, each once.
    pub methods: Vec<String>,
}

impl From<&Recipe> for RecipeExtent {
    fn from(recipe: &Recipe) -> RecipeExtent {
        let mut methods: Vec<String> = Vec::new();
        for method in &recipe.methods {
            if !methods.iter().any(|known| known == method.name) {
                methods.push(method.name.to_string());
            }
        }
        let class = recipe.class.java_name();
        let class = class.rsplit(['.', '$']).next().unwrap_or(&class).to_string();
        let constructors = recipe.class.methods.iter().filter(|method| method.name == "<init>").count();
        let constructor = (constructors > 1).then(|| simple_parameters(recipe.constructor));
        RecipeExtent { class, constructor, calls: recipe.calls, methods }
    }
}

/// The states that Kiasan counts (ASE 2006, Table 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCounts {
    /// States that satisfy the invariants and preconditions: the method begins in each of them.
    pub pre: u64,
    /// States in which the method has ended, by a return or by an exception that it may throw.
    pub before_post: u64,
    /// States after the postcondition and the invariants that hold again: of each end, as many as the one of these that splits it most.
    pub after_post: u64,
    /// States that an answer led to, those of invariants, preconditions and postconditions included.
    pub visited: u64,
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
    /// The least and the greatest whole number of an input, if a bound leaves out some.
    pub numbers: Option<(i64, i64)>,
    /// Paths that reached an end.
    pub paths: u64,
    /// Branches that the technique left out because no valid input goes there.
    pub pruned: u64,
    /// Executions that were given up because another order of the same operations was explored.
    pub redundant: u64,
    /// Did a path have several threads? An execution is then one order of what they do.
    #[serde(default)]
    pub has_threads: bool,
    /// Branches that contradict the path condition.
    pub infeasible: u64,
    /// Paths that ended because an `assume` did not hold.
    pub assumed_away: u64,
    /// Of a technique that executes invariants and preconditions first.
    pub states: Option<StateCounts>,
    /// How many paths ended in which way.
    pub ends: Ends,
    /// The work of the constraint solvers.
    pub solver: SolverStatistics,
    /// Branches on primitives that were answered by the state's own example.
    pub reused_witnesses: u64,
    /// Searches for a valid input.
    pub structure_calls: u64,
    /// Queries to a SAT solver about valid inputs.
    pub sat_calls: u64,
    /// Answers that a technique which keeps them knew from before.
    pub cache: CacheUse,
    /// Of a check as one propositional problem.
    pub problem: Option<ProblemFigures>,
    /// Of its pieces, if several workers shared it.
    #[serde(default)]
    pub pieces: Option<PieceFigures>,
    /// Were only inputs tried that satisfy an invariant?
    pub is_contracted: bool,
    /// The precondition by which inputs were left out, if there was one: `even()`, `requires at Half.java:7`.
    pub precondition: Option<String>,
    /// The recipes that the user gave for inputs. Empty if there are none.
    pub recipes: Vec<RecipeExtent>,
    /// The types of inputs whose objects were made by calls that Lazuli chose: `Cart`. Empty if none were.
    pub made_by_calls: Vec<String>,
    /// How many shapes the inputs of paths that returned have, if that was asked for.
    pub shapes: Option<ShapeCounts>,
    /// The most input objects on one path.
    pub objects_max: usize,
    /// The violations, all of them defects, one for each cause, sorted by the rank of their examples.
    pub violations: Vec<Violation>,
    /// Everything else that was noticed: rejections, null arguments and notes, in the same order.
    pub findings: Vec<Violation>,
    /// The paths and inputs that were left out; empty if the exploration is complete.
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
    /// Wall time of the exploration.
    pub elapsed: Duration,
}

impl Report {
    /// Derives the verdict: a violation outweighs paths that were not explored.
    pub fn verdict(&self) -> Verdict {
        if !self.violations.is_empty() {
            Verdict::Violated
        } else if self.not_explored.is_empty() {
            Verdict::Holds
        } else {
            Verdict::Incomplete
        }
    }
}

/// How often answers about valid objects were known, had to be found, and were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheUse {
    /// Questions that a stored answer decided.
    pub hits: u64,
    /// Questions that had to be solved.
    pub misses: u64,
    /// Answers that were written to the cache.
    pub stored: u64,
}

/// The simple names of the types of a method's parameters.
pub(crate) fn simple_parameters(method: &'static Method) -> Vec<String> {
    let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
    let simple = |parameter: &str| {
        let readable = readable_type(parameter);
        readable.rsplit('.').next().unwrap_or_default().to_string()
    };
    parameters.into_iter().map(simple).collect()
}
