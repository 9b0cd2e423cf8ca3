//! Are the paths that Lazuli finds complete and sound? On a small domain this can be decided: all inputs are tried.
//!
//! A fixture is a Java file below tests/check. On the real JVM its target is run on every input of its domain; the
//! exploration must have exactly one path for each input, which ends as the run does, and an input for each path. Directives
//! in the first lines of a fixture (`tables` makes further ones up):
//!
//! - `// target: Class$Nested.method`
//! - `// scope: 2`: input objects of each class, and the length of arrays and strings unless `// k: 1` says another
//! - `// domain: int -2..2 MIN MAX; string ab; key 0 1`: values by type, or by the name of a parameter or field
//! - `// statics: head count`: static fields that are inputs
//! - `// objects: 3`: a bound of all objects of the enumerated inputs
//! - `// scope-for-threads: 5`: at this scope, one thread and several must find the same paths
//! - `// techniques: lazy lazier lazier-sharp`: these are the default
//! - `// paths-outside-domain: 1`: so many paths need inputs that the domain does not have

#[path = "../common/dice.rs"]
mod dice;
mod expected;
#[path = "../../src/report/extent.rs"]
mod extent;
mod hand_made;
mod judge;
mod matching;
mod runs;
mod tables;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_explore::{Bounds, Config, Detail, Progress, Report, explore};
use lazuli_vm::program::{Method, Program, World};
use libtest_mimic::{Arguments, Failed, Trial};

/// An exploration that takes longer than this is at fault.
const TIME: Duration = Duration::from_secs(60);

#[derive(Clone)]
struct Fixture {
    source: PathBuf,
    /// `lists.SwapNode`
    title: String,
    /// The directory of its classes, and beside it the runs.
    classes: PathBuf,
    header: Vec<String>,
    /// Loaded once for all techniques: classes are never unloaded, so that a program of its own for each would take 20 MB.
    program: Arc<OnceLock<Arc<Program>>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/check");
    let scratch = tempfile::tempdir().expect("a scratch directory can be made");
    let made_up = scratch.path().join("made-up");
    tables::write(&made_up);
    let mut fixtures = fixtures(&root, scratch.path());
    fixtures.extend(self::fixtures(&made_up, scratch.path()));
    let mut trials = hand_made::trials();
    for fixture in &fixtures {
        for technique in fixture.directive("techniques").unwrap_or("lazy lazier lazier-sharp").split_whitespace() {
            let (fixture, technique) = (fixture.clone(), technique.to_string());
            let name = format!("{}.{technique}", fixture.title);
            trials.push(Trial::test(name, move || compare(&fixture, &technique)));
        }
        // Fixtures that are made up have no list of their paths.
        if fixture.source.starts_with(&root) {
            let copy = fixture.clone();
            trials.push(Trial::test(format!("{}.expected", fixture.title), move || expected::compare(&copy)));
        }
        if let Some(scope) = fixture.directive("scope-for-threads").map(str::to_string) {
            let copy = fixture.clone();
            let compare = move || expected::compare_threads(&copy, scope.parse()?);
            trials.push(Trial::test(format!("{}.threads", fixture.title), compare));
        }
    }
    if !arguments.list {
        let is_wanted = |fixture: &&Fixture| {
            let belongs = |trial: &&Trial| trial.name().starts_with(&format!("{}.", fixture.title));
            trials
                .iter()
                .filter(belongs)
                .any(|trial| arguments.filter.as_ref().is_none_or(|filter| trial.name().contains(filter)))
        };
        let wanted: Vec<&Fixture> = fixtures.iter().filter(is_wanted).collect();
        run_on_all_inputs(&root.join("support"), scratch.path(), &wanted);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn fixtures(root: &Path, scratch: &Path) -> Vec<Fixture> {
    let mut found = Vec::new();
    for area in std::fs::read_dir(root).expect("the fixtures are there").flatten() {
        let area_name = area.file_name().to_string_lossy().into_owned();
        if area_name == "support" {
            continue;
        }
        for file in std::fs::read_dir(area.path()).expect("an area is a directory").flatten() {
            let source = file.path();
            if source.extension().is_none_or(|extension| extension != "java") {
                continue;
            }
            let name = source.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&source).expect("fixtures are readable");
            let header = text.lines().map_while(|line| line.strip_prefix("//")).map(|line| line.trim().to_string());
            let (title, classes) = (format!("{area_name}.{name}"), scratch.join(&name));
            found.push(Fixture { source, title, classes, header: header.collect(), program: Arc::default() });
        }
    }
    found.sort_by(|left, right| left.title.cmp(&right.title));
    found
}

/// The target and its options.
struct Target {
    program: Arc<Program>,
    method: &'static Method,
    config: Config,
}

impl Target {
    /// Explores the target; `change` may ask for something else than the directives do.
    fn explore(&self, change: impl Fn(Config) -> Config) -> Result<Report, Failed> {
        let config = change(self.config.clone()).with(|config| config.limits.deadline = Some(Instant::now() + TIME));
        Ok(explore(&self.program, self.method, &config, &Progress::default())?)
    }
}

impl Fixture {
    fn directive(&self, name: &str) -> Option<&str> {
        self.header.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
    }

    fn number(&self, name: &str) -> Result<Option<usize>, Failed> {
        Ok(self.directive(name).map(str::parse).transpose()?)
    }

    /// The target, with the bounds of the directives.
    fn target(&self) -> Result<Target, Failed> {
        let program = match self.program.get() {
            Some(program) => Arc::clone(program),
            None => {
                let path = ClassPath::open(Jdk::locate()?, std::slice::from_ref(&self.classes))?;
                let opened = Arc::new(Program::open(path)?);
                Arc::clone(self.program.get_or_init(|| opened))
            }
        };
        let target = self.directive("target").ok_or("the fixture has no directive `// target:`")?;
        let (class, method) = target.rsplit_once('.').ok_or("a target is Class.method")?;
        let class = program.load(class)?;
        let method =
            class.methods.iter().find(|candidate| candidate.name == method).ok_or("there is no such method")?;
        let scope = self.number("scope")?.unwrap_or(3);
        let bounds = Bounds { scope, k: self.number("k")?, world: World::Closed, ..Bounds::default() };
        let config = Config::default().with(|config| {
            config.bounds = bounds;
            config.report.detail = Detail::AllPaths;
            config.report.lines = false;
        });
        Ok(Target { program, method, config })
    }

    fn runs_file(&self) -> PathBuf {
        self.classes.with_extension("runs")
    }
}

/// Compiles the fixtures, gives each a directory of its own, so that none sees the classes of others, and runs them.
fn run_on_all_inputs(support: &Path, scratch: &Path, fixtures: &[&Fixture]) {
    if fixtures.is_empty() {
        return;
    }
    let (all, tools) = (scratch.join("all"), scratch.join("tools"));
    let sources: Vec<PathBuf> = fixtures.iter().map(|fixture| fixture.source.clone()).collect();
    compile(&sources, &all);
    let supporting = std::fs::read_dir(support).expect("the support is there").flatten().map(|file| file.path());
    compile(&supporting.collect::<Vec<PathBuf>>(), &tools);
    for file in std::fs::read_dir(&all).expect("javac wrote classes").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let outermost = name.split(['.', '$']).next().expect("split yields at least one part");
        let directory = scratch.join(outermost);
        std::fs::create_dir_all(&directory).expect("a directory can be made");
        std::fs::rename(file.path(), directory.join(&name)).expect("a class can be moved");
    }
    let mut java = Command::new("java");
    java.arg("-ea").arg("-cp").arg(&tools).arg("BruteForce").arg(scratch);
    for fixture in fixtures {
        java.arg(&fixture.source).arg(&fixture.classes);
    }
    let output = java.output().expect("java is installed (scripts/test.sh installs it)");
    assert!(output.status.success(), "BruteForce failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn compile(sources: &[PathBuf], classes: &Path) {
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-g", "-parameters", "-encoding", "UTF-8", "-d"]).arg(classes).args(sources);
    let output = javac.output().expect("javac is installed (scripts/test.sh installs it)");
    assert!(output.status.success(), "javac failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn compare(fixture: &Fixture, technique: &str) -> Result<(), Failed> {
    let runs = runs::Runs::read(&std::fs::read_to_string(fixture.runs_file())?)?;
    let report = fixture.target()?.explore(|config| config.with(|config| config.technique = technique.into()))?;
    let outside = fixture.number("paths-outside-domain")?.unwrap_or(0);
    Ok(judge::judge(&report, &runs, outside)?)
}
