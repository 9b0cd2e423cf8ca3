//! What can be asked about methods? `lazuli check` explores them, and `lazuli tests` writes what it finds as tests.

use clap::Args;
use lazuli_console::units::{LARGEST_SCOPE, listed_methods};
use lazuli_explore::technique::TechniqueChoice;
use lazuli_explore::{Bounds, Config, Detail, LimitRule, SplitOptions};

use super::OptionError;
use super::bounds::{BoundOptions, Unroll};
use super::findings::FindingOptions;
use super::inputs::InputOptions;
use super::limits::{ExplorationLimitOptions, LimitOptions};
use super::programs::ProgramOptions;
use super::reports::{Format, ReportOptions};
use super::sharing::SharingOptions;
use super::specifications::{ContractMethodOptions, SpecificationOptions};
use super::techniques::{EngineName, OrderName, TechniqueOptions};
use super::threads::ScheduleOptions;
use super::{CommonOptions, WHAT};
use crate::cache::CacheLocation;
use crate::commands::tests::LEAST_WRITING;
use crate::commands::tests::selection::Criterion;
use crate::project::Project;

/// Paths of which the HTML report shows what they chose.
const TREE: usize = 400;
/// Steps of a counterexample that the HTML report goes through, with heap and variables.
const STEPS: usize = 150;

#[derive(Args)]
#[command(after_help = "Exit codes: 0 holds, 1 violated, 2 the request is wrong, 3 incomplete.")]
pub struct CheckOptions {
    /// pkg.Class (its public methods), pkg.Class.method, or pkg.Class.method(int, String)
    ///
    /// `pkg.Class.method(I)V` works, too [default: the targets of lazuli.toml].
    #[arg(value_name = "TARGET", display_order = 0, help_heading = WHAT)]
    pub targets: Vec<String>,

    /// Check only methods of which something changed since a revision of git: their class, or one that it leads to by name
    #[arg(long, value_name = "REV", hide_short_help = true, help_heading = WHAT)]
    pub since: Option<String>,

    #[command(flatten)]
    pub bounds: BoundOptions,

    #[command(flatten)]
    pub inputs: InputOptions,

    #[command(flatten)]
    pub program: ProgramOptions,

    #[command(flatten)]
    pub threads: ScheduleOptions,

    #[command(flatten)]
    pub specifications: SpecificationOptions,

    #[command(flatten)]
    pub contract: ContractMethodOptions,

    #[command(flatten)]
    pub findings: FindingOptions,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub limits: LimitOptions,

    #[command(flatten)]
    pub exploration: ExplorationLimitOptions,

    #[command(flatten)]
    pub reports: ReportOptions,

    #[command(flatten)]
    pub sharing: SharingOptions,

    #[command(flatten)]
    pub techniques: TechniqueOptions,

    /// The settings of `lazuli.toml` for single targets.
    #[arg(skip)]
    pub project: Option<Project>,
}

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all should pass, 1 some fail until a defect is mended, 2 wrong request, 3 incomplete.",
    mut_arg("output", |output| {
        output.value_name("DIR").help("The directory for the tests, with one below it for each package").long_help(None::<&str>)
    }),
    mut_arg("scope", |scope| {
        let usual = Bounds::default().scope;
        scope.help(format!("Input objects of each class: 3, or 2,Node=5 [default: {usual}]")).long_help(None::<&str>)
    }),
    mut_arg("time", |time| time.long_help(format!(
        "Time for exploring all targets together, such as 500ms, 60s or 5m; writing their tests may take as long again, but at least {} s",
        LEAST_WRITING.as_secs()
    ))),
    mut_arg("jobs", |jobs| jobs.help("Threads; with more than one, the values in tests may vary [default: 1]")),
    mut_arg("engine", |engine| engine.hide(true)),
    mut_arg("no_symmetry_breaking", |option| option.hide(true)),
    mut_arg("no_tight_bounds", |option| option.hide(true)),
    mut_arg("split_after", |option| option.hide(true)),
    mut_arg("split", |option| option.hide(true)),
    mut_arg("piece_limit", |option| option.hide(true)),
    mut_arg("cluster", |option| option.hide(true)),
    mut_arg("lease", |option| option.hide(true)),
    mut_arg("proof", |proof| proof.hide(true)),
    mut_arg("dimacs", |dimacs| dimacs.hide(true)),
    mut_arg("format", |format| format.hide(true)),
    mut_arg("paths", |paths| paths.hide(true)),
    mut_arg("no_confirm", |no_confirm| no_confirm.hide(true)),
    mut_arg("journal", |journal| journal.hide(true)),
    mut_arg("resume", |resume| resume.hide(true)),
    mut_arg("fresh", |fresh| fresh.hide(true)),
    mut_arg("since", |since| since.hide(true)),
    mut_arg("main", |main| main.hide(true)),
    mut_arg("any_args", |any_args| any_args.hide(true)),
    mut_arg("goal", |goal| goal.hide(true)),
    mut_arg("witness", |witness| witness.hide(true)),
    mut_arg("concurrent", |concurrent| concurrent.hide(true)),
    mut_arg("threads", |threads| threads.hide(true)),
    mut_arg("calls", |calls| calls.hide(true)),
)]
pub struct TestsOptions {
    #[command(flatten)]
    pub check: CheckOptions,

    /// What to cover
    ///
    /// Without it, the tests cover every line, branch, and way to end together.
    #[arg(long, value_enum, help_heading = WHAT)]
    pub criterion: Option<Criterion>,

    /// Replace files that were written by others
    #[arg(long, help_heading = WHAT)]
    pub force: bool,
}

impl CheckOptions {
    /// All of the exploration but when it ends.
    pub fn config(&self) -> Result<Config, OptionError> {
        self.refuse_what_does_not_fit()?;
        let CheckOptions {
            bounds,
            inputs,
            threads,
            specifications,
            contract,
            findings,
            limits,
            exploration,
            reports,
            sharing,
            techniques,
            ..
        } = self;
        let elsewhere = sharing.workers_elsewhere(exploration.resume)?;
        self.cache()?;
        Ok(Config::default().with(|config| {
            config.sat.pieces.cluster = elsewhere;
            config.engine = techniques.engine.into();
            config.technique = techniques.technique.clone().into();
            config.order = techniques.order();
            config.build = techniques.build.iter().flat_map(|names| listed_methods(names)).collect();
            config.inputs = inputs.inputs.into();
            config.input_calls = inputs.input_calls;
            config.threads = threads.options();
            config.sat.economy = techniques.economy();
            config.sat.unroll = match bounds.unroll {
                Some(Unroll::Times(times)) => Some(times),
                _ => None,
            };
            config.sat.pieces.after = sharing.split_after;
            config.sat.pieces.split = sharing.split.0;
            config.sat.pieces.limit = sharing.piece_limit.0;
            config.ambient = findings.ambient.into();
            config.pure.patterns = findings.assume_pure.clone();
            config.havoc = findings.havoc.into();
            config.bounds = bounds.bounds();
            config.bounds.fields = inputs.field.clone();
            config.bounds.regions = inputs.region.clone();
            if self.is_bounded_by_chains() {
                config.bounds.scope = LARGEST_SCOPE;
            }
            config.limits.jobs = limits.jobs();
            config.limits.paths = exploration.max_paths;
            config.limits.memory = Some(self.common.memory());
            config.limits.first_defect = findings.first;
            config.is_strict = findings.strict;
            config.contract.allowed = findings.allow.clone();
            config.contract.invariant = specifications.invariant.clone();
            config.contract.hybrid = techniques.hybrid_invariant.clone();
            config.contract.split = contract.heap_invariant.clone().zip(contract.data_invariant.clone());
            config.contract.post = !contract.no_post;
            config.contract.precondition = contract.pre.clone();
            config.contract.postcondition = contract.post.clone();
            config.valid.backbone = techniques.backbone.clone();
            config.valid.loose_bounds = techniques.loose_bounds;
            config.valid.reuse = !techniques.no_reuse;
            config.valid.means = techniques.structure.into();
            config.report.count_shapes = techniques.count_shapes;
            config.report.detail = if reports.paths { Detail::AllPaths } else { Detail::Violations };
            (config.report.tree, config.report.steps) =
                if reports.format.contains(&Format::Html) { (TREE, STEPS) } else { (0, 0) };
        }))
    }

    /// Where the cache is, if the user said so.
    pub fn cache(&self) -> Result<Option<CacheLocation>, OptionError> {
        let place = self.techniques.cache.as_ref();
        Ok(place.map(|place| place.protected(&self.sharing.protection)).transpose()?)
    }

    /// Is the scope to grow until the time ends?
    pub fn is_deepening(&self) -> bool {
        self.bounds.scope.is_none() && !self.is_bounded_by_chains()
    }

    /// Does the length of chains alone bound the objects of inputs, as in Kiasan?
    fn is_bounded_by_chains(&self) -> bool {
        let technique = TechniqueChoice::from(self.techniques.technique.clone());
        self.bounds.scope.is_none() && self.bounds.k.is_some() && technique.bounds_touched_elements()
    }

    fn refuse_what_does_not_fit(&self) -> Result<(), OptionError> {
        let CheckOptions { bounds, techniques, sharing, contract, .. } = self;
        if techniques.seed.is_some() && techniques.order != OrderName::Random {
            return Err(OptionError::SeedWithoutRandom);
        }
        let technique = TechniqueChoice::from(techniques.technique.clone());
        if self.program.main.is_some() {
            let of_methods = [
                (self.contract.pre.is_some(), "--pre"),
                (self.contract.post.is_some(), "--post"),
                (self.specifications.invariant.is_some(), "--invariant"),
                (!techniques.build.is_empty(), "--build"),
                (self.since.is_some(), "--since"),
                (self.findings.proof.is_some(), "--proof"),
                (techniques.engine == EngineName::Sat, "--engine sat"),
            ];
            if let Some((_, option)) = of_methods.iter().find(|(is_given, _)| *is_given) {
                return Err(OptionError::OfMethods { option });
            }
            if self.program.any_args.is_some() && !self.targets.is_empty() {
                return Err(OptionError::TwoArguments);
            }
        }
        if self.program.witness.is_some() && !contract.property.is_empty() {
            return Err(OptionError::WitnessOfProperty);
        }
        if bounds.array.is_some() && !technique.bounds_touched_elements() {
            return Err(OptionError::ArrayOfOthers);
        }
        if self.threads.concurrent.is_some() && techniques.engine == EngineName::Sat {
            return Err(OptionError::ConcurrentBySat);
        }
        let of_paths = [
            (self.reports.paths, "--paths"),
            (!techniques.build.is_empty(), "--build"),
            (techniques.count_shapes, "--count-shapes"),
            (bounds.objects.is_some(), "--objects"),
            (bounds.k.is_some(), "--k"),
            (!self.inputs.field.is_empty(), "--field"),
            (!self.inputs.region.is_empty(), "--region"),
            (!contract.by_contract.is_empty(), "--by-contract"),
            (contract.check_contracts, "--check-contracts"),
            (!contract.property.is_empty(), "--property"),
        ];
        let of_sat = [
            (techniques.no_symmetry_breaking, "--no-symmetry-breaking"),
            (techniques.no_tight_bounds, "--no-tight-bounds"),
            (sharing.split.0 != SplitOptions::default(), "--split"),
            (sharing.piece_limit.0 != LimitRule::default(), "--piece-limit"),
            (sharing.cluster.is_some(), "--cluster"),
        ];
        let given = |options: &[(bool, &'static str)]| {
            options.iter().find(|(is_given, _)| *is_given).map(|(_, option)| *option)
        };
        match techniques.engine {
            EngineName::Sat => match given(&of_paths) {
                Some(option) => Err(OptionError::OfPaths { option }),
                None => Ok(()),
            },
            EngineName::Paths if bounds.unroll == Some(Unroll::Auto) => Err(OptionError::UnrollAuto),
            EngineName::Paths => match given(&of_sat) {
                Some(option) => Err(OptionError::OfSat { option }),
                None => Ok(()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::PathBuf;
    use std::time::Duration;

    use clap::Parser;
    use lazuli_explore::Order;
    use lazuli_vm::universe::World;

    use super::*;
    use crate::arguments::{Arguments, Command, with_java_spelling};

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
        assert_eq!(options.limits.time, Duration::from_secs(60));
        assert_eq!(options.common.class_path(), [PathBuf::from(".")]);
        assert!(
            options.bounds.scope.is_none() && options.reports.output.is_empty() && options.reports.format.is_empty()
        );
        assert_eq!(
            (config.technique.name(), config.order, config.report.detail),
            (usual.technique.name(), usual.order, usual.report.detail)
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
            (config.contract.allowed, config.technique.to_string()),
            (vec!["a.E".to_string(), "F".to_string()], "li".to_string())
        );
    }

    #[test]
    fn wrong_options_are_refused_with_what_is_right() {
        let refusal = |words: &str| {
            check(words).and_then(|options| options.config().map_err(|error| error.to_string())).expect_err(words)
        };
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
