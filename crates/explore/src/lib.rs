//! Which paths does a method have over all its inputs?
//!
//! `explore` follows every answer to every question that the interpreter asks, drops what cannot be, and describes how the paths
//! end. A path is its trace, the list of its choices: threads hand traces to each other, never states.

#![warn(missing_docs, unreachable_pub)]

mod bounds;
mod case;
mod concurrent;
mod config;
mod coverage;
mod exploration;
mod layers;
mod path;
mod pieces;
mod printed;
mod progress;
mod report;
mod request;
mod shapes;
mod slots;
pub mod technique;
mod worker;

use std::sync::Arc;
use std::time::Instant;

pub use bounds::{BoundsFound, field_bounds};
pub use case::{
    CallHistory, Case, CaseCall, CaseRefill, CaseRefusal, CaseValue, CaseWrite, Ended, Gist, PastCall, Route,
    RouteStart, StaticInput, gist,
};
pub use concurrent::{ConcurrentUse, MOST_CALLS};
pub use config::{
    Bounds, Config, Detail, Engine, Goals, Inputs, Order, PieceOptions, ReportExtent, RunLimits, SatOptions,
    ThreadOptions, ValidOptions, WholeProgram,
};
pub use coverage::{Coverage, CoverageGoal, Extent, Uncovered, UncoveredWay};
pub use exploration::Exploration;
pub use path::{Finished, Path};
pub use pieces::{
    Cluster, Exchange, ExchangeError, Ledger, LimitRule, PieceCosts, PieceReport, PieceTask, PieceTimes,
    RecordedPieces, SharedProblem, SimulatedCheck, SimulationBound, UnreadableAnswer,
};
pub use printed::PrintedPieces;
pub use progress::{PieceProgress, ProblemProgress, Progress};
pub use report::*;
pub use request::RequestError;
pub use shapes::{Shapes, shapes};
pub use worker::example::{ended, message};
pub use worker::pools::Pools;

use crate::report::summary::Summary;

use lazuli_heapsat::Backbone;
pub use lazuli_heapsat::{Certificate, NamedClauses};
pub use lazuli_heapsat::{Economy, PieceTree, SplitOptions};
use lazuli_reach::recipe::{self as reach, Recipe, RecipeError};
use lazuli_spec::{Contract, ContractError, root_classes};
pub use lazuli_valid::Ranges;
use lazuli_valid::{BoundsError, NoRange};
use lazuli_vm::interp::ContractWrite;
use lazuli_vm::program::{LoadError, Method, Program, descriptor, parameter_names, signature};
use lazuli_vm::reason::{ClassFault, Reason, Warning};
use lazuli_vm::universe::{FieldLimit, Region, RegionPlace, Restriction, check_regions};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request, or the contract that it names, must be changed.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The contract that the request names cannot be found.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// Objects cannot be numbered over the fields that the request names.
    #[error(transparent)]
    NoBounds(#[from] BoundsError),
    /// All values of the fields are asked for, and one of them has no range.
    #[error(transparent)]
    NoRange(#[from] NoRange),
    /// A name stands for no method of the class, or for several.
    #[error("{count} methods of {class} are {method}")]
    Ambiguous {
        /// The class in which the method was looked up.
        class: String,
        /// The name, or name and parameters, that the user gave.
        method: String,
        /// Methods that the name stands for: none, or at least two.
        count: usize,
    },
    /// A class that is needed before anything can be said is missing or cannot be used.
    #[error("{what:?}: {fault:?}")]
    Class {
        /// The part of the request that needs the class.
        what: Needing,
        /// The fault that the class loader reports.
        fault: Box<ClassFault>,
    },
    /// The exploration could not begin.
    #[error("{what:?}: {why:?}")]
    Begin {
        /// The part of the request that did not work.
        what: Needing,
        /// The reason why it did not work.
        why: NotBegun,
    },
    /// Pieces cannot be exchanged with workers elsewhere.
    #[error(transparent)]
    Cluster(#[from] ExchangeError),
    /// There is no proof.
    #[error("{0:?}")]
    Unproved(Reason),
    /// The machine, or a bug of ours, ended the exploration.
    #[error("{0}")]
    Host(String),
}

/// A part of a request that must work before there are paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needing {
    /// The start of the JDK's library.
    Library,
    /// The static initialiser of a class.
    Initialiser(String),
    /// The method itself: `acme.List.add(int)`.
    Target(String),
}

/// Why it does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBegun {
    /// The code threw an exception.
    Threw {
        /// The exception as the JVM would print it.
        thrown: String,
        /// The line that threw it.
        place: String,
    },
    /// The interpreter cannot execute the code.
    Unknown {
        /// The instruction, native method or limit that stopped the interpreter.
        why: Box<Reason>,
        /// The line that it could not execute.
        at: String,
    },
    /// The code ended the program, as `System.exit` does.
    Ended,
}

impl Failure {
    /// Of a panic.
    pub fn bug(panic: &(dyn std::any::Any + Send)) -> Failure {
        Failure::Host(format!("a bug in Lazuli, please report it: {}", worker::panic_message(panic)))
    }
}

impl From<RecipeError> for Failure {
    fn from(error: RecipeError) -> Failure {
        RequestError::from(error).into()
    }
}

impl From<ContractWrite> for Failure {
    fn from(misuse: ContractWrite) -> Failure {
        RequestError::ContractWrites(misuse).into()
    }
}

/// Is all there that a target needs: its code, the types of its parameters and its result, and the methods that the configuration
/// names?
pub fn validate(program: &Program, method: &'static Method, config: &Config) -> Result<(), Failure> {
    let unusable = |error: LoadError| {
        let what = Needing::Target(format!("{}.{}", method.class().java_name(), signature(method)));
        Failure::Class { what, fault: Box::new(ClassFault::of_load(program, &error)) }
    };
    let all_types = |method: &Method| {
        let (parameters, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let mut types = parameters.into_iter().chain([result]);
        types.try_for_each(|named| program.load_descriptor(named).map(drop)).map_err(unusable)
    };
    all_types(method)?;
    for limit in &config.bounds.fields {
        limit.resolve(program).map_err(RequestError::from)?;
    }
    check_regions(program, &config.bounds.regions, &parameter_names(method)).map_err(RequestError::from)?;
    if method.class().file.is_some() && !method.is_abstract() && method.native.is_none() {
        program.code(method).map_err(unusable)?;
    }
    for recipe in recipes(program, method, config)? {
        recipe.methods.iter().chain([&recipe.constructor]).try_for_each(|made| all_types(made))?;
    }
    let contract = Contract::of(program, method, &config.contract)?;
    if let (Some(numbered), false) = (contract.invariants.first(), config.valid.backbone.is_empty()) {
        let root = root_classes(program, method, &config.contract)?[numbered.root];
        Backbone::of(program, &[root]).only(&config.valid.backbone).map_err(BoundsError::from)?;
    }
    let conditions = contract.pre.iter().map(|pre| pre.method).chain(contract.post);
    for condition in conditions.chain(contract.invariants.iter().map(|invariant| invariant.method)) {
        program.code(condition).map_err(unusable)?;
    }
    Ok(())
}

/// The recipes by which inputs are made, under a technique that has them made by calls; none under others.
fn recipes(program: &Program, method: &'static Method, config: &Config) -> Result<Vec<Recipe>, Failure> {
    let technique = &config.technique;
    match (technique.makes_inputs(), config.build.is_empty()) {
        (false, true) => Ok(Vec::new()),
        (false, false) => {
            let techniques = technique::names().into_iter().filter(|name| technique::makes_inputs(name)).collect();
            Err(RequestError::NoInputsByCalls { techniques }.into())
        }
        (true, true) => Err(RequestError::NoMethods { technique: technique.to_string() }.into()),
        (true, false) => Ok(reach::recipes(program, method, &config.build, &config.contract, &config.bounds)?),
    }
}

/// Proves what a check by the propositional engine said of a method: that it holds. If that fails, the sentence says why.
pub fn prove(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Certificate, Failure> {
    validate(program, method, config)?;
    worker::sat::prove(program, method, config, progress)
}

/// The problem of a check by the propositional engine as clauses for other solvers: a model of them is an input that goes wrong.
pub fn clauses(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<NamedClauses, Failure> {
    validate(program, method, config)?;
    worker::sat::clauses(program, method, config, progress)
}

/// The problem of a check by the propositional engine as a tree of pieces, to look at how it is split.
pub fn piece_tree(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<PieceTree, Failure> {
    validate(program, method, config)?;
    worker::sat::pieces(program, method, config, progress)
}

/// Explores a method.
pub fn explore(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Report, Failure> {
    explore_with(program, method, config, progress, &mut Pools::default())
}

/// Explores a method. The states that calls lead to are left for the methods that are explored after it with the same configuration; the scope may differ.
pub fn explore_with(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    pools: &mut Pools,
) -> Result<Report, Failure> {
    let mut report = layers::explore_in_layers(program, method, config, progress, pools)?;
    // Paths that a bound on rounds alone left out are explored with more of them, as long as there is time: the report is about the last bound that was done.
    let mut config = config.clone();
    let is_program = config.program.is_some() && config.engine == Engine::Paths;
    while is_program && config.bounds.unrolls_further && is_cut_by_unrolling_alone(&report) {
        config.bounds.unroll = config.bounds.unroll.saturating_mul(UNROLL_GROWTH);
        let further = layers::explore_in_layers(program, method, &config, progress, pools)?;
        let elapsed = report.elapsed + further.elapsed;
        if further.verdict() == Verdict::Incomplete && !is_cut_by_unrolling_alone(&further) {
            report.elapsed = elapsed;
            break;
        }
        report = Report { elapsed, ..further };
    }
    Ok(report)
}

/// By how much the bound on rounds grows each time.
const UNROLL_GROWTH: usize = 4;

/// Would more rounds tell more, and nothing else? A larger scope might.
fn is_cut_by_unrolling_alone(report: &Report) -> bool {
    report.verdict() == Verdict::Incomplete
        && !report.not_explored.is_empty()
        && report.restrictions.is_empty()
        && report.not_explored.iter().all(|entry| entry.why.is_unrolling())
}

/// Explores a method on the inputs of one layer.
fn explore_once(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    run: impl FnOnce() -> Result<Summary, Failure>,
) -> Result<Report, Failure> {
    let started = Instant::now();
    validate(program, method, config)?;
    let mut summary = run()?;
    if let Some(misuse) = summary.misuse.take() {
        return Err(misuse.into());
    }
    for FieldLimit { class, field, values } in &config.bounds.fields {
        let (field, values) = (format!("{class}.{field}"), values.clone());
        summary.restricted(&Restriction::Field { field, values });
    }
    if !config.bounds.regions.is_empty() {
        let places = |region: &Region| region.places.iter().map(RegionPlace::to_string).collect();
        summary.restricted(&Restriction::Regions { regions: config.bounds.regions.iter().map(places).collect() });
    }
    config.valid.verdicts.save();
    if config.engine == Engine::Paths || !summary.has_input {
        worker::vacuity::explain_nothing(program, method, config, progress, &mut summary);
    }
    worker::vacuity::warn_of_unread(program, method, config, &mut summary);
    worker::vacuity::warn_of_no_event(config, &mut summary);
    summary.warnings.extend(unloadable(program));
    let mut report = summary.into_report(method);
    report.unused_clauses =
        config.contract.specification.as_ref().map_or(Vec::new(), |specification| specification.unused.clone());
    report.begins = worker::confirm::beginning(program, method);
    report.title = match &config.program {
        Some(program) => program.title(),
        None => format!("{}.{}", config.contract.receiver_of(method).java_name(), signature(method)),
    };
    if let Some(program) = &config.program {
        report.target = program.main.full_name();
    }
    report.numbers = config.bounds.numbers();
    report.elapsed = started.elapsed();
    Ok(report)
}

/// Says so if the inputs were chosen among fewer classes than the class path has.
fn unloadable(program: &Program) -> Option<Warning> {
    let of = |(name, error): &(String, LoadError)| (name.replace('/', "."), ClassFault::of_load(program, error));
    let faults: Vec<(String, ClassFault)> = program.unloadable().iter().map(of).collect();
    (!faults.is_empty()).then_some(Warning::Unloadable(faults))
}
