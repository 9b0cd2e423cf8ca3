//! What can be asked for on the command line?

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use lazuli_console::units::{LARGEST_SCOPE, Range, Scope, duration, listed_methods, size};
use lazuli_explore::technique;
use lazuli_explore::{Bounds, Config, Detail, Economy, Engine, Order, Ranges};
use lazuli_valid::Means;
use lazuli_vm::ambient::Ambient;
use lazuli_vm::universe::World;

use crate::bench::BenchOptions;
use crate::cache::{CacheOptions, Place};
use crate::confirm::{BEYOND, MOST};
use crate::journal;
use crate::project::{InitOptions, Project};
use crate::selection::Criterion;
use crate::shell::CompletionsOptions;
use crate::tests::LEAST_WRITING;

/// Paths of which the HTML report shows what they chose.
const TREE: usize = 400;

/// Checks Java code that lives on the heap against every valid input up to a bound.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Try methods on every input up to a bound, and report what can go wrong
    Check(Box<CheckOptions>),
    /// Write what an exploration finds as a suite of JUnit 5 tests
    Tests(Box<TestsOptions>),
    /// List the valid objects of a class up to a scope; those that differ only in numbers are one
    Shapes(Box<ShapesOptions>),
    /// Measure the papers' tables here; without a table, list them
    Bench(Box<BenchOptions>),
    /// Say which values each reference field may have in any valid object of a class, whose objects are numbered breadth first
    Bounds(Box<BoundsOptions>),
    /// Say what is kept between runs, and where; or throw it away
    Cache(CacheOptions),
    /// Run a main method in Lazuli's interpreter, with the output and exit code that `java` would have
    Run(RunOptions),
    /// Write a lazuli.toml that says what a check of this project is
    Init(InitOptions),
    /// Print a script that completes commands in a shell
    Completions(CompletionsOptions),
    /// Print the manual page, for `man -l -`
    Man,
}

/// What every command wants to know about the program and about this machine.
#[derive(Args)]
pub struct CommonOptions {
    /// Directories of classes, and jars, separated by `:`; `-cp PATH` as with `java` works too
    #[arg(long = "class-path", visible_alias = "cp", value_name = "PATH", default_value = ".")]
    pub class_path: String,

    /// Memory that the whole run may use before it is ended, kept to within a fifth [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<usize>,
}

#[derive(Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// Frames on the stack before a StackOverflowError
    #[arg(long, value_name = "N", default_value_t = 11000)]
    pub depth: usize,

    /// Size of the Java heap before an OutOfMemoryError, such as 512m or 2g
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1g")]
    pub heap: usize,

    /// Time after which the run is ended, such as 500ms, 60s or 5m [default: none]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// The class whose main method is run, such as pkg.Main
    pub class: String,

    /// Arguments for the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

#[derive(Args)]
#[command(after_help = "Exit codes: 0 holds, 1 violated, 2 the request is wrong, 3 incomplete.")]
pub struct CheckOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// What to check: pkg.Class (its public methods), pkg.Class.method, or pkg.Class.method(I)V
    /// [default: those of lazuli.toml]
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,

    /// Input objects of each class: 3, or Node=5,List=2 (others 3), or 2,Node=5
    /// [default: 1, 2, 3 and so on until the time ends]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<Scope>,

    #[command(flatten)]
    pub bounds: BoundOptions,

    /// What the program takes from outside: times, random numbers, identity hash codes, environment variables
    #[arg(long, value_enum, default_value_t = AmbientName::Unknown)]
    pub ambient: AmbientName,

    /// How the method is checked
    #[arg(long, value_enum, default_value_t = EngineName::Paths)]
    pub engine: EngineName,

    /// Let the objects of an input have any numbers, and not only those of a walk: slower, and the same verdict; for --engine sat
    #[arg(long)]
    pub no_symmetry_breaking: bool,

    /// Let the fields of an input refer to any object, and not only to what some valid input has there: slower, and the same verdict; for
    /// --engine sat
    #[arg(long)]
    pub no_tight_bounds: bool,

    /// If the method holds, write a proof that a checker of others accepts: FILE.cnf (DIMACS), FILE.drat, and in FILE.map what the variables
    /// mean; for one method and --engine sat
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,

    #[arg(
        long,
        value_name = "NAME",
        help = format!("How unknown references come into being: {}", technique::names().join(", ")),
        value_parser = technique_name,
        default_value_t = Config::default().technique
    )]
    pub technique: String,

    /// Time for exploring all targets together and for the report, such as 500ms, 60s or 5m; it is kept to within 2 s
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub time: Duration,

    /// Paths of one target after which its exploration ends [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_paths: Option<u64>,

    /// Which pending choice is followed next
    #[arg(long, value_enum, default_value_t = OrderName::Dfs)]
    pub order: OrderName,

    /// Where the random order begins; the same seed gives the same order [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,

    /// An exception that is no fault, subclasses included; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub allow: Vec<String>,

    /// The method `boolean NAME()` that says whether an object is valid; jml: what JML says alone
    /// [default: repOK, where a class has it, and what JML says]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,

    /// The part of the invariant that is about structure, if two methods `boolean NAME()` make it together
    #[arg(long, value_name = "NAME", requires = "data_invariant", conflicts_with = "invariant")]
    pub heap_invariant: Option<String>,

    /// The part of the invariant that is about data; it is asked only where the other part holds
    #[arg(long, value_name = "NAME", requires = "heap_invariant", conflicts_with = "invariant")]
    pub data_invariant: Option<String>,

    /// A method `boolean NAME()` that says of an input which is known in part (`Lazuli.isKnown`) whether it may become valid, or a static
    /// pkg.Class.NAME that takes the object; for hybrid, bounded, refined and sat
    /// [default: the invariant, up to where it reads something unknown]
    #[arg(long, value_name = "NAME")]
    pub hybrid_invariant: Option<String>,

    /// The reference fields over which bounded, refined and sat number objects, in this order, such as left,right
    /// [default: those that the invariant reads in every valid object]
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    pub backbone: Vec<String>,

    /// Where answers of sat-cached, and the bounds of fields, are kept between runs: a directory, redis://HOST[:PORT], or none
    /// [default: $XDG_CACHE_HOME/lazuli or ~/.cache/lazuli]
    #[arg(long, value_name = "WHERE")]
    pub cache: Option<Place>,

    /// Never use a valid input again that was found before: slower, but the effort for each is seen
    #[arg(long)]
    pub no_reuse: bool,

    /// How inputs that are known in part are completed to valid ones: by running the invariant on one candidate after the other, by
    /// listing all valid inputs once and looking them up, or by a SAT solver on a circuit of the invariant
    #[arg(long, value_enum, default_value_t = MeansName::Auto)]
    pub structure: MeansName,

    /// Leave out the check that the invariant holds again after the method
    #[arg(long)]
    pub no_post: bool,

    /// A method `boolean NAME(…)` of the target's class, with the target's parameters: inputs for which it is false, or throws,
    /// are left out
    #[arg(long, value_name = "NAME")]
    pub pre: Option<String>,

    /// The same, with the result as an additional last parameter unless the target is void: must be true after every normal
    /// return
    #[arg(long, value_name = "NAME")]
    pub post: Option<String>,

    /// The methods that make inputs, under a technique that has them made by calls, such as put,remove or 'put(int, Object)'; a
    /// constructor is called new: 'new(int)'; may be given several times
    #[arg(long, value_name = "NAME")]
    pub build: Vec<String>,

    #[arg(
        long,
        help = format!(
            "Do not run the faults on the JVM that is installed here; that takes at most {} s for each program, and for all of them \
             together at most {} s more than --time",
            MOST.as_secs(),
            BEYOND.as_secs()
        )
    )]
    pub no_confirm: bool,

    /// List every path: how it ended, its condition, input and output heap, result and source lines
    #[arg(long)]
    pub paths: bool,

    /// What the report looks like; may be given several times, each with a file of its own [default: text]
    #[arg(long, value_enum)]
    pub format: Vec<Format>,

    /// Write the report to a file; one line per target is then printed. The first file is for the first --format, and so on
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Where the Java sources are: JML in their comments is checked, and reports quote them; may be given several times
    /// [default: no JML; reports look beside the classes, in src/main/java and in src]
    #[arg(long, value_name = "DIR")]
    pub source: Vec<PathBuf>,

    /// Where .jml files are, such as DIR/java/util/LinkedList.jml; may be given several times
    #[arg(long, value_name = "DIR")]
    pub spec: Vec<PathBuf>,

    /// Keep what was found, scope by scope, in DIR/journal.jsonl, so that a run that was killed can be resumed
    #[arg(long, value_name = "DIR")]
    pub journal: Option<PathBuf>,

    #[arg(
        long,
        help = format!("Do not explore again what the journal has, and add to it [journal: {}]", journal::USUAL_DIRECTORY)
    )]
    pub resume: bool,

    /// Show no progress, and of the text report only one line per target
    #[arg(short, long)]
    pub quiet: bool,

    /// As BLISS's authors have them: see `Config`. Only `lazuli bench` asks for it.
    #[arg(long, hide = true)]
    pub loose_bounds: bool,

    /// Count the shapes of the inputs of paths that return. Only `lazuli bench` asks for it.
    #[arg(long, hide = true)]
    pub count_shapes: bool,

    /// What the project says about single targets.
    #[arg(skip)]
    pub project: Option<Project>,
}

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all tests should pass, 1 some fail until a defect is mended, 2 the request is wrong, 3 incomplete.",
    mut_arg("output", |output| output.value_name("DIR").help("The directory that the tests are written to, below it one for each package")),
    mut_arg("scope", |scope| scope.help(format!(
        "Input objects of each class: 3, or Node=5,List=2 (others 3), or 2,Node=5 [default: {}]", Bounds::default().scope
    ))),
    mut_arg("time", |time| time.help(format!(
        "Time for exploring all targets together, such as 500ms, 60s or 5m; writing their tests may take as long again, but at least {} s",
        LEAST_WRITING.as_secs()
    ))),
    mut_arg("jobs", |jobs| jobs.help("Threads; with more than one, the values in tests may vary [default: 1]")),
    mut_arg("format", |format| format.hide(true)),
    mut_arg("paths", |paths| paths.hide(true)),
    mut_arg("no_confirm", |no_confirm| no_confirm.hide(true)),
    mut_arg("journal", |journal| journal.hide(true)),
    mut_arg("resume", |resume| resume.hide(true)),
)]
pub struct TestsOptions {
    #[command(flatten)]
    pub check: CheckOptions,

    /// What the tests must cover together [default: every line, branch, and way to end]
    #[arg(long, value_enum)]
    pub criterion: Option<Criterion>,

    /// Replace files that were written by others
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
#[command(after_help = "Exit codes: 0 all were listed, 2 the request is wrong, 3 incomplete.")]
pub struct ShapesOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// The class, such as pkg.Class
    pub class: String,

    #[arg(
        long,
        value_name = "SCOPE",
        help = format!(
            "Objects of each class, the root included: 3, or Node=5,List=2 (others {0}), or 2,Node=5 [default: {0}]",
            Bounds::default().scope
        )
    )]
    pub scope: Option<Scope>,

    #[command(flatten)]
    pub bounds: BoundOptions,

    /// Draw each shape
    #[arg(long)]
    pub print: bool,

    /// Tell objects apart by their numbers too, and try all of given ranges in the fields that the invariant reads
    #[arg(long)]
    pub values: bool,

    /// The numbers of a field, such as key=0..5 or Node.key=-1..1, both ends included, or of all other fields: 0..5; may be given
    /// several times
    #[arg(long, value_name = "FIELD=FROM..TO", requires = "values", allow_hyphen_values = true)]
    pub range: Vec<Range>,

    /// The method `boolean NAME()` that says whether an object is valid; jml: what JML says alone [default: repOK, and JML]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,

    /// Where Java sources with JML in their comments are; may be given several times
    #[arg(long, value_name = "DIR")]
    pub source: Vec<PathBuf>,

    /// Where .jml files are, such as DIR/java/util/LinkedList.jml; may be given several times
    #[arg(long, value_name = "DIR")]
    pub spec: Vec<PathBuf>,

    /// Time after which the search ends, such as 500ms, 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub time: Duration,

    /// Threads [default: all cores, and one with --print]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,

    /// What the report looks like
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,

    /// Write the report to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 the bounds are tight, 2 the request is wrong, 3 incomplete: there may be more pairs."
)]
pub struct BoundsOptions {
    #[command(flatten)]
    pub common: CommonOptions,

    /// The class, such as pkg.Class
    pub class: String,

    #[arg(
        long,
        value_name = "SCOPE",
        help = format!(
            "Objects of each class, the root included: 3, or Node=5,List=2 (others {0}), or 2,Node=5 [default: {0}]",
            Bounds::default().scope
        )
    )]
    pub scope: Option<Scope>,

    #[command(flatten)]
    pub bounds: BoundOptions,

    /// The reference fields over which objects are numbered, in this order, such as left,right or Node.left,Node.right
    /// [default: those that the invariant reads in every valid object]
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', visible_alias = "fields")]
    pub backbone: Vec<String>,

    /// The method `boolean NAME()` that says whether an object is valid; jml: what JML says alone [default: repOK, and JML]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,

    /// Where Java sources with JML in their comments are; may be given several times
    #[arg(long, value_name = "DIR")]
    pub source: Vec<PathBuf>,

    /// Where .jml files are, such as DIR/java/util/LinkedList.jml; may be given several times
    #[arg(long, value_name = "DIR")]
    pub spec: Vec<PathBuf>,

    /// Time after which the search ends, such as 500ms, 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub time: Duration,

    /// Threads; with two, one lists the valid objects while the other makes a circuit [default: all cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,

    /// Where the result is kept for later: a directory, redis://HOST[:PORT], or none
    /// [default: $XDG_CACHE_HOME/lazuli or ~/.cache/lazuli]
    #[arg(long, value_name = "WHERE")]
    pub cache: Option<Place>,

    /// What the report looks like
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,

    /// Write the report to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// How large inputs and how long paths may become.
#[derive(Args)]
pub struct BoundOptions {
    /// Input objects in all [default: no bound]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub objects: Option<usize>,

    /// Longest chain of lazily initialised references, and longest input array or string
    /// [default: no bound on chains; arrays and strings as the scope]
    #[arg(long, value_name = "N", value_parser = length)]
    pub k: Option<usize>,

    #[arg(
        long,
        value_name = "N",
        value_parser = unroll,
        help = format!(
            "Forks at one branch between two reads of something new [default: {}]; under --engine sat, rounds of each loop, or auto: as \
             many as some valid input takes [default: auto]",
            Bounds::default().unroll
        )
    )]
    pub unroll: Option<Unroll>,

    /// Choices on one path
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth)]
    pub depth: usize,

    /// Classes of the class path may have further subclasses, of which nothing is known [default: only interfaces and types of the JDK may]
    #[arg(long, conflicts_with = "closed")]
    pub open: bool,

    /// There are no classes but those on the class path: nothing else extends or implements any type
    #[arg(long)]
    pub closed: bool,

    /// Bits of the whole numbers in inputs, sign included: with 4, only -8 to 7 are tried [default: all of Java's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub int_bits: Option<u32>,
}

/// How often loops go round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unroll {
    /// As often as they can.
    Auto,
    Times(usize),
}

fn unroll(text: &str) -> Result<Unroll, String> {
    match text {
        "auto" => Ok(Unroll::Auto),
        number => number.parse().map(Unroll::Times).map_err(|_| "write a number, or auto".to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    /// Symbolic execution, one path after the other
    Paths,
    /// One propositional problem
    Sat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AmbientName {
    /// May be anything
    Unknown,
    /// Is as in one run, which the verdict says
    Concrete,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderName {
    /// Depth first
    Dfs,
    /// Breadth first
    Bfs,
    /// Depth first up to a number of choices that grows
    Deepening,
    /// Branches that were taken least often first
    Coverage,
    /// At random; see --seed
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MeansName {
    /// By searches; where these take long, in a list, which a circuit may make, or by a circuit if there are too many to list
    Auto,
    /// By searches alone
    Search,
    /// In a list of all valid inputs from the start, where they can be listed
    List,
    /// In such a list made by a circuit, where the invariant can be translated
    CircuitList,
    /// By a circuit from the start, where the invariant can be translated
    Circuit,
}

impl From<MeansName> for Means {
    fn from(name: MeansName) -> Means {
        match name {
            MeansName::Auto => Means::Auto,
            MeansName::Search => Means::Search,
            MeansName::List => Means::List,
            MeansName::CircuitList => Means::CircuitList,
            MeansName::Circuit => Means::Circuit,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one object, or one per line if there are several targets
    Json,
    /// For people with a browser: one file with everything in it
    Html,
    /// For code hosts and editors: SARIF 2.1.0
    Sarif,
    /// For build servers: JUnit XML
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ListFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

impl CommonOptions {
    pub fn class_path(&self) -> Vec<PathBuf> {
        self.class_path.split(':').filter(|entry| !entry.is_empty()).map(PathBuf::from).collect()
    }

    pub fn memory(&self) -> usize {
        self.memory.unwrap_or_else(half_of_memory)
    }
}

impl CheckOptions {
    /// The directory of the journal, if there is to be one.
    pub fn journal(&self) -> Option<PathBuf> {
        self.journal.clone().or_else(|| self.resume.then(|| PathBuf::from(journal::USUAL_DIRECTORY)))
    }

    /// All of the exploration but when it ends.
    pub fn config(&self) -> Result<Config, String> {
        if self.seed.is_some() && self.order != OrderName::Random {
            return Err("--seed is for --order random; add that, or leave the seed out.".to_string());
        }
        let order = match self.order {
            OrderName::Dfs => Order::Dfs,
            OrderName::Bfs => Order::Bfs,
            OrderName::Deepening => Order::Deepening,
            OrderName::Coverage => Order::Coverage,
            OrderName::Random => Order::Random { seed: self.seed.unwrap_or(0) },
        };
        let unfit = [
            (self.paths, "--paths"),
            (!self.build.is_empty(), "--build"),
            (self.count_shapes, "--count-shapes"),
            (self.bounds.objects.is_some(), "--objects"),
            (self.bounds.k.is_some(), "--k"),
        ];
        if let (EngineName::Sat, Some((_, option))) = (self.engine, unfit.iter().find(|(is_given, _)| *is_given)) {
            return Err(format!("{option} speaks of paths, and --engine sat follows none; leave one of the two out."));
        }
        if self.engine == EngineName::Paths && self.bounds.unroll == Some(Unroll::Auto) {
            return Err("--unroll auto is for --engine sat; give a number, or leave it out.".to_string());
        }
        let of_sat =
            [(self.no_symmetry_breaking, "--no-symmetry-breaking"), (self.no_tight_bounds, "--no-tight-bounds")];
        if let (EngineName::Paths, Some((_, option))) = (self.engine, of_sat.iter().find(|(is_given, _)| *is_given)) {
            return Err(format!("{option} is for --engine sat; add that, or leave it out."));
        }
        Ok(Config::default().with(|config| {
            config.contract.receiver = None;
            config.engine = match self.engine {
                EngineName::Paths => Engine::Paths,
                EngineName::Sat => Engine::Sat,
            };
            config.ambient = match self.ambient {
                AmbientName::Unknown => Ambient::Unknown,
                AmbientName::Concrete => Ambient::Concrete,
            };
            config.sat.unroll = match self.bounds.unroll {
                Some(Unroll::Times(times)) => Some(times),
                _ => None,
            };
            config.sat.economy =
                Economy { breaks_symmetry: !self.no_symmetry_breaking, tightens_bounds: !self.no_tight_bounds };
            config.technique = self.technique.clone();
            config.bounds = self.bounds.bounds(self.scope.as_ref());
            config.order = order;
            config.limits.jobs = self.jobs.unwrap_or_else(all_cores);
            config.limits.paths = self.max_paths;
            config.limits.deadline = None;
            config.limits.memory = Some(self.common.memory());
            config.build = self.build.iter().flat_map(|names| listed_methods(names)).collect();
            config.contract.allowed = self.allow.clone();
            config.contract.invariant = self.invariant.clone();
            config.valid.values = None;
            config.contract.hybrid = self.hybrid_invariant.clone();
            config.valid.backbone = self.backbone.clone();
            config.valid.loose_bounds = self.loose_bounds;
            config.report.count_shapes = self.count_shapes;
            config.contract.split = self.heap_invariant.clone().zip(self.data_invariant.clone());
            config.valid.reuse = !self.no_reuse;
            config.valid.means = self.structure.into();
            config.valid.verdicts = Default::default();
            config.contract.post = !self.no_post;
            config.contract.precondition = self.pre.clone();
            config.contract.postcondition = self.post.clone();
            config.contract.specification = None;
            config.report.detail = if self.paths { Detail::AllPaths } else { Detail::Violations };
            config.report.lines = true;
            config.report.tree = if self.format.contains(&Format::Html) { TREE } else { 0 };
        }))
    }
}

impl ShapesOptions {
    /// All of the search but when it ends.
    pub fn config(&self) -> Result<Config, String> {
        let mut ranges = Ranges::default();
        for Range { field, values } in &self.range {
            match field {
                Some(field) if ranges.named.iter().any(|(known, _)| known == field) => {
                    return Err(format!("{field} has two ranges; leave one out."));
                }
                Some(field) => ranges.named.push((field.clone(), *values)),
                None if ranges.others.is_some() => {
                    return Err("two ranges name no field; write --range FIELD=FROM..TO for one of them.".to_string());
                }
                None => ranges.others = Some(*values),
            }
        }
        Ok(Config::default().with(|config| {
            config.bounds = self.bounds.bounds(self.scope.as_ref());
            config.limits.memory = Some(self.common.memory());
            config.contract.invariant = self.invariant.clone();
            config.valid.values = self.values.then_some(ranges);
            config.limits.jobs = self.jobs.unwrap_or_else(all_cores);
        }))
    }
}

impl BoundsOptions {
    /// All of the search but when it ends.
    pub fn config(&self) -> Config {
        Config::default().with(|config| {
            config.bounds = self.bounds.bounds(self.scope.as_ref());
            config.limits.memory = Some(self.common.memory());
            config.contract.invariant = self.invariant.clone();
            config.limits.jobs = self.jobs.unwrap_or_else(all_cores);
        })
    }
}

impl BoundOptions {
    fn bounds(&self, scope: Option<&Scope>) -> Bounds {
        let usual = Bounds::default();
        let scope = scope.cloned().unwrap_or(Scope { each: None, named: Vec::new() });
        Bounds {
            scope: scope.each.unwrap_or(usual.scope),
            scope_of: scope.named,
            objects: self.objects,
            k: self.k,
            unroll: match self.unroll {
                Some(Unroll::Times(times)) => times,
                _ => usual.unroll,
            },
            depth: self.depth,
            world: match (self.open, self.closed) {
                (true, _) => World::Open,
                (false, true) => World::Closed,
                (false, false) => World::ClassPath,
            },
            int_bits: self.int_bits,
        }
    }
}

/// Accepts `-cp` and `-classpath` as `java` spells them, up to the first word that is no option: what follows is the program's.
pub fn with_java_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut spelled: Vec<OsString> = Vec::new();
    let mut is_value = false;
    let mut is_programs = false;
    for (index, argument) in arguments.enumerate() {
        let text = argument.to_string_lossy().into_owned();
        if index < 2 || is_programs || is_value {
            is_value = false;
            spelled.push(argument);
            continue;
        }
        let command = spelled.get(1).map(|command| command.to_string_lossy().into_owned()).unwrap_or_default();
        if !text.starts_with('-') {
            is_programs = command == "run";
            spelled.push(argument);
            continue;
        }
        let is_java = matches!(text.as_str(), "-cp" | "-classpath");
        is_value = is_java || (text.starts_with("--") && !text.contains('=') && !is_flag(&command, &text[2..]));
        spelled.push(if is_java { "--class-path".into() } else { argument });
    }
    spelled
}

/// Is this an option without a value?
fn is_flag(command: &str, option: &str) -> bool {
    let known = Arguments::command();
    let command = known.find_subcommand(command);
    let argument = command.and_then(|command| command.get_arguments().find(|known| known.get_long() == Some(option)));
    argument.is_some_and(|argument| !argument.get_action().takes_values())
}

fn technique_name(text: &str) -> Result<String, String> {
    match technique::find(text) {
        Some(_) => Ok(text.to_string()),
        None => Err(format!("there are: {}", technique::names().join(", "))),
    }
}

pub fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "write a number from 1 on".to_string())
}

fn length(text: &str) -> Result<usize, String> {
    let is_possible = |number: &usize| *number <= LARGEST_SCOPE;
    text.parse().ok().filter(is_possible).ok_or_else(|| format!("write a number from 0 to {LARGEST_SCOPE}"))
}

/// More threads than this are of no use, and a machine may be unable to start them.
const MOST_JOBS: usize = 256;

fn jobs(text: &str) -> Result<usize, String> {
    let is_reasonable = |number: &usize| (1..=MOST_JOBS).contains(number);
    text.parse().ok().filter(is_reasonable).ok_or_else(|| format!("write a number from 1 to {MOST_JOBS}"))
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get()).min(MOST_JOBS)
}

fn half_of_memory() -> usize {
    let information = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = information.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"));
    let kilobytes: usize = total.and_then(|total| total.trim().parse().ok()).unwrap_or(8 << 20);
    kilobytes * 1024 / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_spelling_ends_where_the_program_begins() {
        let spell = |words: &str| {
            let spelled = with_java_spelling(words.split(' ').map(OsString::from));
            spelled.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spell("lazuli run -cp a Main -cp b"), "lazuli run --class-path a Main -cp b");
        assert_eq!(spell("lazuli run --heap 1g -classpath a Main x"), "lazuli run --heap 1g --class-path a Main x");
        assert_eq!(spell("lazuli run --heap=1g -cp -cp Main"), "lazuli run --heap=1g --class-path -cp Main");
        assert_eq!(spell("lazuli check A.f --paths -cp a"), "lazuli check A.f --paths --class-path a");
        assert_eq!(spell("lazuli check --k 3 -cp a B -o f"), "lazuli check --k 3 --class-path a B -o f");
    }

    fn check(words: &str) -> Result<CheckOptions, String> {
        let words = with_java_spelling(format!("lazuli check {words}").split(' ').map(OsString::from));
        match Arguments::try_parse_from(words).map_err(|error| error.to_string())?.command {
            Command::Check(options) => Ok(*options),
            _ => Err("another command".to_string()),
        }
    }

    #[test]
    fn what_is_not_said_is_the_default() {
        let options = check("A.f").unwrap();
        let config = options.config().unwrap();
        let usual = Config::default();
        assert_eq!(options.time, Duration::from_secs(60));
        assert_eq!(options.common.class_path(), [PathBuf::from(".")]);
        assert!(options.scope.is_none() && options.output.is_empty() && options.format.is_empty());
        assert_eq!(
            (config.technique, config.order, config.report.detail),
            (usual.technique, usual.order, usual.report.detail)
        );
        assert_eq!(config.bounds.unroll, usual.bounds.unroll);
        assert!(
            config.limits.jobs > 0
                && config.limits.memory > Some(0)
                && config.bounds.world == World::ClassPath
                && config.limits.paths.is_none()
        );
    }

    #[test]
    fn all_bounds_reach_the_engine() {
        let words = "-cp a:b --scope 2,Node=5 --objects 9 --k 4 --unroll 7 --depth 8 --closed --max-paths 6 --jobs 2 \
                     --order random --seed 3 --allow a.E --allow F --paths --memory 1m --technique li A B.f";
        let options = check(words).unwrap();
        let config = options.config().unwrap();
        assert_eq!(options.targets, ["A", "B.f"]);
        let bounds = config.bounds;
        assert_eq!((bounds.scope, bounds.scope_of), (2, vec![("Node".to_string(), 5)]));
        assert_eq!((bounds.objects, bounds.k, bounds.unroll, bounds.depth), (Some(9), Some(4), 7, 8));
        assert!(
            bounds.world == World::Closed
                && config.order == Order::Random { seed: 3 }
                && config.report.detail == Detail::AllPaths
        );
        assert_eq!((config.limits.paths, config.limits.jobs, config.limits.memory), (Some(6), 2, Some(1 << 20)));
        assert_eq!(
            (config.contract.allowed, config.technique),
            (vec!["a.E".to_string(), "F".to_string()], "li".to_string())
        );
    }

    #[test]
    fn wrong_options_are_refused_with_what_is_right() {
        let refusal = |words: &str| check(words).and_then(|options| options.config()).expect_err(words);
        assert!(
            refusal("A --technique magic").contains("there are: precise, lazy"),
            "{}",
            refusal("A --technique magic")
        );
        assert!(refusal("A --scope x").contains("Node=5"));
        assert!(refusal("A --order up").contains("coverage"));
        assert!(refusal("A --seed 3").contains("--order random"));
        for words in [
            "A --jobs 0",
            "A --jobs 257",
            "A --scope 65536",
            "A --k 65536",
            "A --objects 0",
            "A --max-paths 0",
            "A --time 5y",
            "A --format xml",
            "A --k x",
        ] {
            refusal(words);
        }
    }
}
