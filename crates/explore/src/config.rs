//! What is to be explored, and how far?

use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_heapsat::{Economy, SplitOptions};
use lazuli_spec::ContractOptions;
use lazuli_valid::{Means, Ranges, VerdictCache};
use lazuli_vm::ambient::Ambient;
use lazuli_vm::contracts::KnownContracts;
use lazuli_vm::program::{Class, Method, signature};
use lazuli_vm::property::Properties;
use lazuli_vm::reason::Warning;
use lazuli_vm::unknown_code::{Havoc, MethodPatterns};
use lazuli_vm::whole::ProgramArguments;

use crate::concurrent::ConcurrentUse;
use crate::coverage::CoverageGoal;
use crate::pieces::{Cluster, LimitRule};
use crate::technique::TechniqueChoice;

pub use lazuli_vm::universe::Bounds;

/// Which pending choice is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Depth first up to a number of choices that grows.
    Deepening,
    /// One path after the other to its end, each along ways of the user's branches that were taken least often.
    Coverage,
    /// A pseudo-random choice among all that wait.
    Random {
        /// Two runs with the same seed and one thread follow the same order.
        seed: u64,
    },
}

/// Which paths are described in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only paths that violate the contract.
    Violations,
    /// Every path, also those that keep the contract.
    AllPaths,
}

/// How a method is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One path after the other.
    Paths,
    /// As one propositional problem.
    Sat,
}

/// Which objects of classes without an invariant are inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// All, whatever their fields hold.
    Fields,
    /// Those that the program can make. All are tried first; where that shows a fault, or leaves something out, those that calls make are tried.
    Calls,
    /// The same, but those that calls make are tried at once.
    OnlyCalls,
}

/// All that decides what an exploration looks at and how far it goes. Change single parts with [`Config::with`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Default: paths.
    pub engine: Engine,
    /// How questions about inputs are answered. Default: `technique::DEFAULT`.
    pub technique: TechniqueChoice,
    /// The scope: how many objects, elements and steps an input and a path may have.
    pub bounds: Bounds,
    /// Are values that a run takes from outside, such as times, unknown? Default: they are.
    pub ambient: Ambient,
    /// Methods that change nothing where their code is not there: `PriceService.price`. Default: none.
    pub pure: MethodPatterns,
    /// The objects that code which is not there may change. Default: those that it was handed.
    pub havoc: Havoc,
    /// The contracts that replace calls: of code that is not there, and of methods that the user names. Default: none.
    pub contracts: Option<KnownContracts>,
    /// The properties that must hold at all times. Default: none.
    pub properties: Option<Arc<Properties>>,
    /// Default: depth first.
    pub order: Order,
    /// The methods that make inputs, under a technique that has them made by calls: `put`, `put(int, Object)`, `acme.Map.put`; and of
    /// constructors, where the class has several: `new(int)`. Default: none.
    pub build: Vec<String>,
    /// Which objects are inputs, where no invariant says so. Default: all, whatever their fields hold.
    pub inputs: Inputs,
    /// Calls and assignments that make the inputs of one path. Default: one more than the scope.
    pub input_calls: Option<usize>,
    /// Is an exception that a null argument causes a defect? Default: false, it is told as a null argument.
    pub is_strict: bool,
    /// The contract of the target.
    pub contract: ContractOptions,
    /// Which orders of the program's threads are tried.
    pub threads: ThreadOptions,
    /// The calls of several threads on one object, if these are explored, and not a method. Default: none.
    pub concurrent: Option<Arc<ConcurrentUse>>,
    /// Limits on time, memory, paths and threads.
    pub limits: RunLimits,
    /// How valid inputs are found and kept.
    pub valid: ValidOptions,
    /// Options of the SAT engine, which translates the method as a whole.
    pub sat: SatOptions,
    /// How much of the exploration the report describes.
    pub report: ReportExtent,
    /// A whole program in place of a method: the target is then its launcher. Default: none.
    pub program: Option<WholeProgram>,
}

/// A program that is explored from its main method on.
#[derive(Clone, Debug)]
pub struct WholeProgram {
    /// The class in which it begins.
    pub class: &'static Class,
    /// The main method of that class, which may be inherited.
    pub main: &'static Method,
    /// Its arguments.
    pub arguments: ProgramArguments,
    /// The ends that count as faults.
    pub goals: Goals,
}

/// Which ends of a whole program are faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goals {
    /// An `AssertionError` that nothing catches.
    pub assertions: bool,
    /// Any other exception that nothing catches.
    pub exceptions: bool,
    /// No thread can go on.
    pub deadlocks: bool,
}

impl WholeProgram {
    /// The main method in reports: `acme.Main.main(String[])`.
    pub fn title(&self) -> String {
        format!("{}.{}", self.class.java_name(), signature(self.main))
    }
}

impl Goals {
    /// Every end that is no plain one.
    pub const ALL: Goals = Goals { assertions: true, exceptions: true, deadlocks: true };

    /// Is an exception of this class a fault, if nothing catches it?
    pub fn count(self, class: &'static Class) -> bool {
        match class.chain().any(|above| above.name == "java/lang/AssertionError") {
            true => self.assertions,
            false => self.exceptions,
        }
    }
}

/// Which orders of the threads that a program starts are tried.
#[derive(Clone, Debug)]
pub struct ThreadOptions {
    /// Are orders left out that only repeat others? Default: true.
    pub is_reduced: bool,
    /// Changes from a thread that could go on to another one, on one path. Default: no bound.
    pub preemptions: Option<u32>,
    /// How often, at each place, a thread wakes up from a wait or a weak compare-and-set fails for no reason. Default: 1.
    pub spurious: u32,
    /// Is it taken for granted that all threads see all writes in one order, also where they race? Default: false.
    pub assumes_consistency: bool,
}

impl Default for ThreadOptions {
    fn default() -> ThreadOptions {
        ThreadOptions { is_reduced: true, preemptions: None, spurious: 1, assumes_consistency: false }
    }
}

/// When an exploration ends before it has followed all paths.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// Threads. Default: 1.
    pub jobs: usize,
    /// Paths after which the exploration ends. Default: no limit.
    pub paths: Option<u64>,
    /// When the exploration ends. Default: never.
    pub deadline: Option<Instant>,
    /// Bytes that the process may occupy before the exploration ends. Default: no limit.
    pub memory: Option<usize>,
    /// Does the first defect end the exploration? Default: false.
    pub first_defect: bool,
}

/// How valid inputs are found and numbered.
#[derive(Clone, Debug)]
pub struct ValidOptions {
    /// How are partly known inputs completed to valid ones? Default: by searches, and by a circuit where these take long.
    pub means: Means,
    /// May a valid input that was found before prove the next step of a path possible? Default: true.
    pub reuse: bool,
    /// The reference fields over which objects are numbered, in this order. Default: those that the invariant always reads.
    pub backbone: Vec<String>,
    /// Do bounds of fields let every numbered object but the root have null, as BLISS's do, where objects that a structure does not
    /// have are null in all fields? Only to compare with its counts. Default: false, bounds are tight.
    pub loose_bounds: bool,
    /// Answers about valid objects that are known from before, for techniques that keep them. Default: none; those of one exploration
    /// are known to the next with the same configuration.
    pub verdicts: Arc<VerdictCache>,
    /// Of bounds: for how many nodes the pieces of the rule that MUCHO-TACO prints are counted. Default: for none.
    pub printed_pieces: Option<usize>,
    /// The values that numbers in structures have when these are listed. Default: numbers stay unknown, and do not tell structures apart.
    pub values: Option<Ranges>,
}

/// The propositional problem of [`Engine::Sat`].
#[derive(Clone, Debug, Default)]
pub struct SatOptions {
    /// Iterations of each loop of the method, and calls of each method within itself. Default: as many as some valid input takes.
    pub unroll: Option<usize>,
    /// Which means of making the problem small are used, so that each can be measured on its own.
    pub economy: Economy,
    /// How several workers share the problem.
    pub pieces: PieceOptions,
}

/// How a problem is split for several workers.
#[derive(Clone, Debug)]
pub struct PieceOptions {
    /// Threads of this process that solve pieces: those of the run, see [`RunLimits::jobs`]. With one, nothing is split.
    pub(crate) workers: usize,
    /// The time in which one solver tries the whole problem first. Default: 3 s.
    pub after: Duration,
    /// Which reductions there are. Default: all.
    pub split: SplitOptions,
    /// When is a piece split further? Default: by the times of others.
    pub limit: LimitRule,
    /// Workers elsewhere. Default: threads of this process.
    pub cluster: Option<Arc<dyn Cluster>>,
}

impl Default for PieceOptions {
    fn default() -> PieceOptions {
        let (split, limit) = (SplitOptions::default(), LimitRule::default());
        PieceOptions { workers: 1, after: Duration::from_secs(3), split, limit, cluster: None }
    }
}

/// Which paths a report describes, and how far.
#[derive(Clone, Debug)]
pub struct ReportExtent {
    /// Default: violations only.
    pub detail: Detail,
    /// Are the shapes of the inputs of paths that return counted? Default: false.
    pub count_shapes: bool,
    /// Are the source lines of described paths listed? Default: true.
    pub lines: bool,
    /// How many paths are remembered with their choices. Default: 0.
    pub tree: usize,
    /// How many steps of an example's run are described with their heaps. Default: 0.
    pub steps: usize,
    /// Where all paths are described, does the exploration end when these cover everything of a kind? Default: no.
    pub goal: Option<CoverageGoal>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            engine: Engine::Paths,
            technique: crate::technique::DEFAULT.into(),
            bounds: Bounds::default(),
            ambient: Ambient::default(),
            pure: MethodPatterns::default(),
            havoc: Havoc::default(),
            contracts: None,
            properties: None,
            order: Order::Dfs,
            build: Vec::new(),
            inputs: Inputs::Fields,
            input_calls: None,
            is_strict: false,
            contract: ContractOptions::default(),
            threads: ThreadOptions::default(),
            concurrent: None,
            limits: RunLimits::default(),
            valid: ValidOptions::default(),
            sat: SatOptions::default(),
            report: ReportExtent::default(),
            program: None,
        }
    }
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits { jobs: 1, paths: None, deadline: None, memory: None, first_defect: false }
    }
}

impl Default for ValidOptions {
    fn default() -> ValidOptions {
        ValidOptions {
            means: Means::Auto,
            reuse: true,
            backbone: Vec::new(),
            loose_bounds: false,
            verdicts: Arc::default(),
            printed_pieces: None,
            values: None,
        }
    }
}

impl Default for ReportExtent {
    fn default() -> ReportExtent {
        ReportExtent { detail: Detail::Violations, count_shapes: false, lines: true, tree: 0, steps: 0, goal: None }
    }
}

impl Config {
    /// The same configuration with a change.
    pub fn with(mut self, change: impl FnOnce(&mut Config)) -> Config {
        change(&mut self);
        self
    }

    /// How many calls make the inputs of one path at most.
    pub fn most_input_calls(&self) -> usize {
        self.input_calls.unwrap_or(self.bounds.scope.saturating_add(1))
    }

    /// How many elements of an array a path may touch, where the technique bounds that and not the length of arrays.
    pub fn touched(&self) -> Option<usize> {
        let most = self.bounds.touched.unwrap_or(self.bounds.length());
        self.technique.bounds_touched_elements().then_some(most)
    }

    /// Says that no object satisfies the invariant.
    pub(super) fn nothing_is_valid(&self) -> Warning {
        let invariant = match self.contract.is_jml_alone() {
            true => "the invariant in JML".to_string(),
            false => format!("{}()", self.contract.invariant_names().join("() && ")),
        };
        Warning::NothingValid { invariant, has_few_bits: self.bounds.int_bits.is_some() }
    }
}
