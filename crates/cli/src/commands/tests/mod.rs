//! `lazuli tests`: the paths of an exploration as a suite of JUnit 5.

pub(crate) mod selection;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_console::numbers::count;
use lazuli_console::safe;
use lazuli_console::visible::{tell, visible};
use lazuli_explore::{Case, Coverage};
use lazuli_explore::{
    Config, Detail, Ending, Engine, Failure, FindingKind, NotExplored, Outcome, Report, Uncovered, Verdict, Violation,
    explore,
};
use lazuli_spec::Specification;
use lazuli_testgen::java::{Suite, Test, TestDescription, check_clause, class_name, is_ours, names};
use lazuli_testgen::{CallResult, Construction, ExecutedPlan, NoPlan, TestPlanner};
use lazuli_vm::program::{Class, Method, Program};
use lazuli_vm::reason::{Reason, Resource};

use crate::arguments::{CheckOptions, TestsOptions};
use crate::cache::Cache;
use crate::commands::CommandError;
use crate::commands::check::rounds::fair_deadline;
use crate::confirm::{fault, fault_word};
use crate::exit::ProcessExit;
use crate::progress::supervisor::{LastWords, Supervisor};
use crate::progress::{ExplorationTask, ProgressUnit, Watch};
use crate::report::reasons::{self, no_plan, reason};
use crate::report::{Finding, refusals};
use crate::targets::plan::{CheckPlan, CheckPlans, plans};
use crate::targets::{open_program, title};
use selection::{Criterion, choose};

/// The least time for writing tests. They get as much as the exploration, but what was found in a second may take longer to write.
pub(crate) const LEAST_WRITING: Duration = Duration::from_secs(10);
/// How long tests of what an interrupted exploration found are looked for.
const AFTER_INTERRUPTION: Duration = Duration::from_millis(500);

pub(crate) fn tests(options: TestsOptions) -> Result<ProcessExit, CommandError> {
    let watch = Watch::start(options.check.reports.quiet);
    let end = Instant::now().checked_add(options.check.limits.time);
    let supervisor = Supervisor::start(&watch, end, options.check.common.memory(), last_words(&options));
    Ok(write_all(prepare(&options)?, &options, &watch, &supervisor, end))
}

/// Files are written as soon as their tests are known; only that there are no more is left to say.
fn last_words(options: &TestsOptions) -> LastWords {
    let targets = match options.check.targets.as_slice() {
        [] => "all targets".to_string(),
        some => some.join(", "),
    };
    Box::new(move |resource| {
        let (targets, why) = (visible(&targets), reason(&Reason::Ended(resource)));
        print(&format!("{targets}: incomplete: {why}; the files that are named above are written\n"));
        ProcessExit::Incomplete
    })
}

/// A request that was found to make sense.
struct TestsRequest {
    program: Arc<Program>,
    /// By class, in the order in which they were asked for.
    methods: Vec<SpecifiedMethod>,
    config: Config,
    directory: PathBuf,
    /// Of the targets that cannot be checked.
    exit: ProcessExit,
}

/// A method, its specification, and the class of its receivers if that inherits it.
type SpecifiedMethod = (&'static Method, Option<Arc<Specification>>, Option<&'static Class>);

fn prepare(options: &TestsOptions) -> Result<TestsRequest, CommandError> {
    let CheckOptions { reports, findings, .. } = &options.check;
    if options.check.program.main.is_some() {
        return Err(CommandError::TestsOfProgram);
    }
    let writes = findings.proof.is_some() || findings.dimacs.is_some();
    if !reports.format.is_empty() || reports.paths || findings.no_confirm || writes {
        return Err(CommandError::OptionsOfCheck);
    }
    let [directory] = reports.output.as_slice() else {
        return Err(CommandError::NoDirectory);
    };
    let directory = directory.clone();
    let mut config = options.check.config().map_err(CommandError::Options)?;
    if config.engine == Engine::Sat {
        return Err(CommandError::TestsWithoutPaths);
    }
    if options.check.threads.concurrent.is_some() {
        return Err(CommandError::TestsOfThreads);
    }
    config.report.detail = Detail::AllPaths;
    // The examples that solvers find depend on what they were asked before: with several threads, on who was faster.
    config.limits.jobs = options.check.limits.jobs.unwrap_or(1);
    let program = Arc::new(open_program(&options.check.common)?);
    let CheckPlans { plans, refused, skipped } = plans(&options.check, &program)?;
    let told: Vec<(String, String)> = refused.iter().map(|(title, error)| (title.clone(), error.to_string())).collect();
    refusals(&told).iter().for_each(|told| tell!("{told}"));
    skipped.iter().for_each(|sentence| tell!("{sentence}"));
    let exit = refused.iter().map(|(_, error)| error.exit()).max().unwrap_or_default();
    let of_plan = |plan: CheckPlan| (plan.method, plan.config.contract.specification, plan.config.contract.receiver);
    let methods: Vec<SpecifiedMethod> = plans.into_iter().map(of_plan).collect();
    for (method, ..) in &methods {
        let file = directory.join(file_of(method.class()));
        // A link, a pipe or another file that cannot be read is none of ours either.
        let is_foreign = match safe::read(&file) {
            Ok(bytes) => !is_ours(&String::from_utf8_lossy(&bytes)),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        if is_foreign && !options.force {
            return Err(CommandError::ForeignFile(file));
        }
    }
    Ok(TestsRequest { program, methods, config, directory, exit })
}

/// Explores one method after the other, and writes one file for each class. The result is the exit code.
fn write_all(
    request: TestsRequest,
    options: &TestsOptions,
    watch: &Arc<Watch>,
    supervisor: &Supervisor,
    mut end: Option<Instant>,
) -> ProcessExit {
    let TestsRequest { program, methods, config, directory, mut exit } = request;
    // One that is refused was refused before.
    let cache = Cache::new(options.check.cache().unwrap_or_default(), &program, end);
    let config = config.with(|config| config.valid.verdicts = cache.verdicts());
    // Writing has a time of its own: an exploration that takes all of its own leaves that of the tests alone.
    let mut writing = options.check.limits.time.max(LEAST_WRITING);
    let mut by_class: BTreeMap<&'static str, (&'static Class, Vec<SelectedTests>)> = BTreeMap::new();
    for (index, (method, specification, receiver)) in methods.iter().enumerate() {
        let deadline = fair_deadline(end, methods.len() - index);
        let config = config.clone().with(|config| {
            config.limits.deadline = deadline;
            config.contract.specification = specification.clone();
            config.contract.receiver = *receiver;
        });
        let scope = config.bounds.scope;
        let task = ExplorationTask {
            title: title(method),
            scope,
            deadline: config.limits.deadline,
            counts: ProgressUnit::Paths,
        };
        let goal = options.criterion.and_then(Criterion::goal);
        let to_goal = config.clone().with(|config| config.report.goal = goal);
        let found = watch.during(task, |progress| explore(&program, method, &to_goal, progress));
        let begin = Instant::now();
        let most = if watch.is_interrupted() { AFTER_INTERRUPTION } else { writing };
        let written_by = begin.checked_add(most);
        supervisor.until(written_by);
        let chosen = found.and_then(|report| {
            let finding = Finding::new(config.technique.to_string(), config.bounds.clone(), report);
            exit = exit.max(exit_of(&finding));
            let selector = TestSelector::new(&program, method, &config, options.criterion, written_by, watch)
                .map_err(|why| Failure::Host(no_plan(&why)))?;
            let chosen = selector.choose(&finding.report);
            if chosen.is_cut {
                exit = exit.max(ProcessExit::Incomplete);
            }
            print(&chosen.summary(&program, &finding, options.check.reports.quiet));
            Ok(chosen)
        });
        match chosen {
            Ok(chosen) => by_class.entry(method.class().name).or_insert((method.class(), Vec::new())).1.push(chosen),
            Err(failure) => {
                let why = reasons::failure(&failure);
                tell!("{why}");
                print(&format!("{}: not checked: {}\n", visible(&title(method)), visible(&why)));
                exit = exit.max(ProcessExit::from(&failure));
            }
        }
        // A class is written when its last method is done, so that what comes later cannot lose it.
        let class = method.class();
        let is_last = methods[index + 1..].iter().all(|(other, ..)| other.class().id != class.id);
        if is_last && let Some((class, chosen)) = by_class.remove(class.name) {
            exit = exit.max(write_class(&program, class, chosen, &directory));
        }
        let spent = begin.elapsed();
        writing = writing.saturating_sub(spent);
        end = end.and_then(|end| end.checked_add(spent));
        supervisor.until(end.map(|end| end.max(Instant::now())));
    }
    cache.finish();
    exit
}

/// Writes the tests of one class. The result is the exit code.
fn write_class(program: &Program, class: &'static Class, chosen: Vec<SelectedTests>, directory: &Path) -> ProcessExit {
    let tests = named(chosen);
    if tests.is_empty() {
        return ProcessExit::Success;
    }
    let package = class.package_of_programs();
    let source = Suite { program, class, package, tests: &tests }.source();
    let file = directory.join(file_of(class));
    match write(directory, &file_of(class), &source) {
        Ok(()) => {
            let tests = count(tests.len() as u64, "test", "tests");
            print(&format!("{}: {tests}\n", visible(&file.display().to_string())));
            ProcessExit::Success
        }
        Err(error) => {
            tell!("{} cannot be written: {error}. Give another directory with -o.", file.display());
            ProcessExit::Incomplete
        }
    }
}

/// Below the directory that the user named, nothing is written through a link.
fn write(directory: &Path, file: &Path, source: &str) -> std::io::Result<()> {
    let folder = safe::make_below(directory, file.parent().unwrap_or(Path::new("")))?;
    safe::replace(&folder.join(file.file_name().unwrap_or_default()), source.as_bytes())
}

fn print(text: &str) {
    use std::io::Write;
    // The reader may have closed the pipe; the files are written all the same.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Below the directory of the suite.
fn file_of(class: &'static Class) -> PathBuf {
    Path::new(class.package_of_programs()).join(format!("{}.java", class_name(class)))
}

/// A test that has no name yet.
struct UnnamedTest {
    description: TestDescription,
    executed: ExecutedPlan,
    fault: Option<String>,
}

/// The tests of one method.
struct SelectedTests {
    method: &'static Method,
    drafts: Vec<UnnamedTest>,
    coverage: Coverage,
    /// Paths that have no test, and why.
    without: BTreeMap<String, usize>,
    /// Did the time end before all tests were made?
    is_cut: bool,
    /// The coverage of all paths that were followed, whether or not they have a test.
    followed: Coverage,
    /// Were all paths followed, and is the coverage of each of them known?
    is_all_known: bool,
}

impl SelectedTests {
    fn summary(&self, program: &Program, finding: &Finding, is_quiet: bool) -> String {
        let report = &finding.report;
        let faults = self.drafts.iter().filter(|draft| draft.fault.is_some()).count();
        let tests = count(self.drafts.len() as u64, "test", "tests");
        let mut text = format!("{}: {tests} of {}", visible(&title(self.method)), count(report.paths, "path", "paths"));
        if faults > 0 {
            text.push_str(&format!(", {faults} of them failing until the defect is mended"));
        }
        text.push('\n');
        if is_quiet {
            return text;
        }
        // The JDK's own code is not measured.
        if !self.coverage.methods.is_empty() {
            let extent = self.coverage.extent(program);
            text.push_str(&format!(
                "  covers {} of {} lines and {} of {} branches of {}\n",
                self.coverage.lines.len(),
                extent.lines,
                self.coverage.ways.len(),
                extent.ways,
                count(self.coverage.methods.len() as u64, "method", "methods"),
            ));
        }
        let by = |construction: Construction| {
            self.drafts.iter().filter(|draft| draft.executed.construction == construction).count()
        };
        text.push_str(&format!(
            "  inputs: {} by constructors and methods, {} by setting fields, {} by reflection\n",
            by(Construction::Calls),
            by(Construction::Fields),
            by(Construction::Reflection)
        ));
        text.push_str(&self.gaps(program));
        let lasting: BTreeSet<String> = self
            .drafts
            .iter()
            .flat_map(|draft| &draft.executed.modified_statics)
            .filter(|modified| modified.before.is_none())
            .map(|modified| format!("{}.{}", modified.owner.java_name(), modified.field.name))
            .collect();
        if !lasting.is_empty() {
            let fields = lasting.into_iter().collect::<Vec<String>>().join(", ");
            text.push_str(&format!(
                "  these tests may disturb others: they change objects behind {}, and do not set them back\n",
                visible(&fields)
            ));
        }
        for (why, number) in &self.without {
            text.push_str(&format!("  {} without a test: {}\n", count(*number as u64, "path", "paths"), visible(why)));
        }
        if is_at_goal(report) {
            text.push_str("  stopped, because every goal of the criterion is met\n");
        }
        for entry in report.not_explored.iter().filter(|entry| entry.why.resource() != Some(Resource::Goals)) {
            text.push_str(&format!("  not explored: {} × {}\n", entry.count, visible(&reason(&entry.why))));
        }
        text
    }
}

impl SelectedTests {
    /// The lines and branches that no test covers: those that no input reaches, as far as the bound goes, and the others.
    fn gaps(&self, program: &Program) -> String {
        let untested = self.coverage.missing_in(program, &self.followed);
        let unreached = self.followed.missing_in(program, &self.followed);
        let reached = Uncovered {
            lines: untested.lines.difference(&unreached.lines).copied().collect(),
            ways: untested.ways.difference(&unreached.ways).copied().collect(),
        };
        let why = match self.is_all_known {
            true => "unreachable within the bound",
            false => "not reached, and not all paths were followed",
        };
        let mut text = String::new();
        for (gap, why) in [(&unreached, why), (&reached, "reached, but without a test")] {
            let told = describe_gaps(gap);
            if !told.is_empty() {
                text.push_str(&format!("  not covered ({why}): {}\n", visible(&told.join("; "))));
            }
        }
        text
    }
}

/// "Parser.java:12, 15–17; the branch at Parser.java:20 to line 22". A branch whose line is missing altogether is not told again.
fn describe_gaps(gap: &Uncovered) -> Vec<String> {
    let mut files: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for (file, line) in &gap.lines {
        files.entry(file).or_default().push(*line);
    }
    let ranges = |lines: &[u16]| {
        let runs = lines.chunk_by(|one, next| next.wrapping_sub(*one) == 1);
        let told = runs.map(|run| match run {
            [first, .., last] => format!("{first}–{last}"),
            [only] => only.to_string(),
            [] => String::new(),
        });
        told.collect::<Vec<String>>().join(", ")
    };
    let mut told: Vec<String> = files.iter().map(|(file, lines)| format!("{file}:{}", ranges(lines))).collect();
    let is_told = |line: &u16, file: &str| gap.lines.contains(&(file, *line));
    let ways = gap.ways.iter().filter(|way| !is_told(&way.line, way.file) && !is_told(&way.to_line, way.file));
    let mut ways: Vec<String> =
        ways.map(|way| format!("the branch at {}:{} to line {}", way.file, way.line, way.to_line)).collect();
    ways.dedup();
    told.append(&mut ways);
    told
}

/// Did the exploration end because enough was covered?
fn is_at_goal(report: &Report) -> bool {
    report.not_explored.iter().any(|entry| entry.why.resource() == Some(Resource::Goals))
}

/// The exit code of a finding. Paths that are not needed for the criterion are no gap.
fn exit_of(finding: &Finding) -> ProcessExit {
    let is_needless = |entry: &NotExplored| entry.why.resource() == Some(Resource::Goals);
    match finding.verdict() {
        Verdict::Incomplete if finding.report.not_explored.iter().all(is_needless) && is_at_goal(&finding.report) => {
            ProcessExit::Success
        }
        verdict => verdict.into(),
    }
}

/// A test would pass or fail by chance.
const BY_SCHEDULE: &str = "it depends on the order of threads";

/// A test does not watch properties.
const BY_PROPERTY: &str = "it breaks a property, which no test watches";

const OUT_OF_TIME: &str = "the time for writing was up";

/// Finds the tests of one method.
struct TestSelector<'a> {
    program: Arc<Program>,
    method: &'static Method,
    criterion: Option<Criterion>,
    planner: TestPlanner,
    end: Option<Instant>,
    watch: &'a Watch,
}

impl<'a> TestSelector<'a> {
    fn new(
        program: &Arc<Program>,
        method: &'static Method,
        config: &Config,
        criterion: Option<Criterion>,
        end: Option<Instant>,
        watch: &'a Watch,
    ) -> Result<TestSelector<'a>, NoPlan> {
        let planner = TestPlanner::new(program, method, config, end)?;
        Ok(TestSelector { program: program.clone(), method, criterion, planner, end, watch })
    }

    /// Is the time for writing up?
    fn is_over(&self) -> bool {
        let is_interrupted = self.watch.interrupted_for().is_some_and(|since| since >= AFTER_INTERRUPTION);
        is_interrupted || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The test of a case, or the reason why there is none. Once the time is up, no more plans are made.
    fn plan(&mut self, case: &Case, chosen: &mut SelectedTests) -> Option<ExecutedPlan> {
        let why = match self.is_over() {
            true => {
                chosen.is_cut = true;
                OUT_OF_TIME.to_string()
            }
            false => {
                let (program, package) = (self.program.clone(), self.planner.package());
                let found = self.planner.plan(case).and_then(|executed| {
                    check_clause(&program, package, self.method, &executed)?;
                    Ok(executed)
                });
                match found {
                    Ok(executed) => return Some(executed),
                    Err(why) => no_plan(&why),
                }
            }
        };
        *chosen.without.entry(why).or_default() += 1;
        None
    }

    fn choose(mut self, report: &Report) -> SelectedTests {
        let mut chosen = SelectedTests {
            method: self.method,
            drafts: Vec::new(),
            coverage: Coverage::default(),
            without: BTreeMap::new(),
            is_cut: false,
            followed: Coverage::default(),
            is_all_known: report.not_explored.is_empty() && report.paths <= report.outcomes.len() as u64,
        };
        for outcome in &report.outcomes {
            match &outcome.case {
                Some(case) => chosen.followed.add(&case.coverage),
                None => chosen.is_all_known = false,
            }
        }
        let (faulty, sound): (Vec<&Outcome>, Vec<&Outcome>) =
            report.outcomes.iter().partition(|found| is_faulty(found));
        let (nulls, faulty): (Vec<&Outcome>, Vec<&Outcome>) =
            faulty.into_iter().partition(|found| found.finding == Some(FindingKind::NullArgument));
        if !nulls.is_empty() {
            let why = "an argument is null where the code does not expect it (--strict makes that a defect)";
            chosen.without.insert(why.to_string(), nulls.len());
        }
        let undescribed = report.paths.saturating_sub(report.outcomes.len() as u64) as usize;
        if undescribed > 0 {
            chosen.without.insert("no valid input is known that takes it".to_string(), undescribed);
        }
        self.add_sound(sound, &mut chosen);
        for violation in &report.violations {
            self.add_faulty(violation, &violation.outcome, &mut chosen);
        }
        if self.criterion == Some(Criterion::Paths) {
            for outcome in faulty {
                let cause = report.violations.iter().find(|violation| is_same_fault(&violation.outcome, outcome));
                if let Some(cause) = cause.filter(|cause| cause.outcome.trace != outcome.trace) {
                    self.add_faulty(cause, outcome, &mut chosen);
                }
            }
        }
        chosen
    }

    /// Chooses among what works until all that is chosen can be made by a program.
    fn add_sound(&mut self, sound: Vec<&Outcome>, chosen: &mut SelectedTests) {
        let (mut cases, others): (Vec<&Outcome>, Vec<&Outcome>) =
            sound.into_iter().partition(|found| found.case.is_some() && found.schedule.is_none());
        for outcome in others {
            let why = match &outcome.ending {
                Ending::Returned | Ending::Threw { .. } | Ending::Exited(_) if outcome.schedule.is_some() => {
                    BY_SCHEDULE
                }
                Ending::Returned | Ending::Threw { .. } | Ending::Exited(_) => "no example is known",
                Ending::Deadlock { .. } => BY_SCHEDULE,
                Ending::Broken(_) => BY_PROPERTY,
                Ending::Limit { .. } => "a limit cut it",
                Ending::Unsupported { .. } => "something is not supported",
                Ending::Unknown { .. } => "no solver knows whether it is possible",
            };
            *chosen.without.entry(why.to_string()).or_default() += 1;
        }
        let mut made: BTreeMap<Vec<u16>, ExecutedPlan> = BTreeMap::new();
        loop {
            let all: Vec<&Case> = cases.iter().filter_map(|found| found.case.as_ref()).collect();
            let mut picked = choose(&all, self.criterion, &|| self.is_over());
            if self.is_over() {
                // Only the plans that are there are chosen.
                picked = (0..cases.len()).filter(|index| made.contains_key(&cases[*index].trace)).collect();
                chosen.is_cut = true;
                *chosen.without.entry(OUT_OF_TIME.to_string()).or_default() += cases.len() - picked.len();
            }
            let picked: Vec<&Outcome> = picked.into_iter().map(|index| cases[index]).collect();
            let mut failed: Vec<Vec<u16>> = Vec::new();
            for outcome in &picked {
                if let (Some(case), false) = (&outcome.case, made.contains_key(&outcome.trace)) {
                    match self.plan(case, chosen) {
                        Some(executed) => drop(made.insert(outcome.trace.clone(), executed)),
                        None => failed.push(outcome.trace.clone()),
                    }
                }
            }
            if failed.is_empty() {
                for outcome in picked {
                    if let Some(executed) = made.remove(&outcome.trace) {
                        chosen.coverage.add(&executed.coverage);
                        let end = end_word(&executed);
                        let description = TestDescription::of(self.method.name, outcome, end);
                        chosen.drafts.push(UnnamedTest { description, executed, fault: None });
                    }
                }
                return;
            }
            cases.retain(|found| !failed.contains(&found.trace));
        }
    }

    fn add_faulty(&mut self, cause: &Violation, outcome: &Outcome, chosen: &mut SelectedTests) {
        if let Ending::Broken(_) = outcome.ending {
            *chosen.without.entry(BY_PROPERTY.to_string()).or_default() += 1;
            return;
        }
        if outcome.schedule.is_some() {
            *chosen.without.entry(BY_SCHEDULE.to_string()).or_default() += 1;
            return;
        }
        let Some(executed) = outcome.case.as_ref().and_then(|case| self.plan(case, chosen)) else { return };
        chosen.coverage.add(&executed.coverage);
        let description = TestDescription::of(self.method.name, outcome, Some(fault_word(cause)));
        chosen.drafts.push(UnnamedTest { description, executed, fault: Some(fault(cause)) });
    }
}

/// Is a fault seen at the end of the path? A rejection is what the method is meant to do.
fn is_faulty(outcome: &Outcome) -> bool {
    let is_broken = outcome.case.as_ref().is_some_and(Case::is_broken);
    let is_rejection = outcome.finding == Some(FindingKind::Rejection);
    is_broken
        || (!is_rejection
            && matches!(outcome.ending, Ending::Threw { is_allowed: false, .. } | Ending::Deadlock { .. }))
}

/// Do two paths show the same fault?
fn is_same_fault(one: &Outcome, other: &Outcome) -> bool {
    match (&one.case, &other.case) {
        (Some(one), Some(other)) => {
            let broken = |case: &Case| {
                let clause = case.broken_clause.as_ref().map(|clause| clause.method);
                case.broken.or(clause).map(|method| method.id)
            };
            broken(one) == broken(other) && (broken(one).is_some() || one.ended == other.ended)
        }
        _ => false,
    }
}

/// The last word in the name of a test that throws.
fn end_word(executed: &ExecutedPlan) -> Option<String> {
    match &executed.result {
        CallResult::Returned(_) | CallResult::Deadlock => None,
        CallResult::Threw { class, .. } => {
            let simple = class.name.rsplit(['/', '$']).next().unwrap_or(class.name);
            Some(format!("throws{simple}"))
        }
    }
}

/// Gives the tests of a class their names.
fn named(chosen: Vec<SelectedTests>) -> Vec<Test> {
    let (mut descriptions, mut tests) = (Vec::new(), Vec::new());
    for SelectedTests { method, drafts, .. } in chosen {
        for UnnamedTest { description, executed, fault } in drafts {
            descriptions.push(description);
            tests.push(Test { name: String::new(), target: method, executed, fault });
        }
    }
    for (test, name) in tests.iter_mut().zip(names(&descriptions)) {
        test.name = name;
    }
    tests
}
