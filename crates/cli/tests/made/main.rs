//! Are the inputs that calls make those that a program can make? One test per file below tests/made.
//!
//! `tests/made/support/Sequences.java` tries, on the JVM, all sequences of at most so many statements with few arguments, and then each method whose
//! name begins with `check` on everything that was made. Lazuli explores the same methods with the same number of calls: every fault that
//! the JVM shows must be found, every violation must be one that the JVM shows, and where nothing was left out, the verdict follows.
//!
//! Directives at the top of a fixture: `// calls: N`, `// sequences: M` if the JVM needs more statements because it has to make what Lazuli takes as
//! given, `// classes: A B` (default: the class of the file), `// ints: 0 1` (default: -1 to 3), `// incomplete: checkX` for methods of which
//! an incomplete verdict is right, `// closed: checkX` for those whose verdict needs no bound on calls. A line that ends with `// beyond the domain` shows a fault for which the JVM would need other arguments than those of the domain.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../src/report/extent.rs"]
mod extent;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use lazuli_explore::{Config, FindingKind, Inputs, Pools, Progress, Report, Verdict, explore_with};
use lazuli_vm::program::Program;
use libtest_mimic::{Arguments, Failed, Trial};

use extent::extent;

/// Long enough for all fixtures on a machine that has other work.
const TIME: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/made");
    let files = std::fs::read_dir(&root).expect("the fixtures are there").flatten().map(|file| file.path());
    let mut fixtures: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "java")).collect();
    fixtures.sort();
    let classes = match arguments.list {
        true => tempfile::tempdir().expect("a scratch directory can be made"),
        false => common::compiled(&["tests/made", "tests/made/support"], &[]),
    };
    let trials = fixtures.into_iter().flat_map(|fixture| {
        let name = fixture.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        [1, 2].map(|jobs| {
            let (fixture, name, classes) = (fixture.clone(), name.clone(), classes.path().to_path_buf());
            Trial::test(format!("{name}/jobs-{jobs}"), move || compare(&fixture, &name, &classes, jobs))
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// The comments at the top of a fixture.
struct Fixture {
    source: String,
}

impl Fixture {
    fn directive(&self, name: &str) -> Option<&str> {
        let lines = self.source.lines().take_while(|line| line.starts_with("//"));
        lines.filter_map(|line| line.strip_prefix(&format!("// {name}:"))).map(str::trim).next()
    }

    fn names(&self, directive: &str, method: &str) -> bool {
        self.directive(directive).is_some_and(|names| names.split_whitespace().any(|name| name == method))
    }

    fn is_beyond_domain(&self, line: usize) -> bool {
        self.source.lines().nth(line - 1).is_some_and(|line| line.ends_with("// beyond the domain"))
    }
}

fn compare(fixture: &Path, name: &str, classes: &Path, jobs: usize) -> Result<(), Failed> {
    let fixture = Fixture { source: std::fs::read_to_string(fixture)? };
    let calls: usize = fixture.directive("calls").ok_or("no directive says how many calls")?.parse()?;
    let shown = shown_by_jvm(&fixture, name, classes, calls)?;
    let own = own_classes(&fixture, name, classes)?;
    let program = common::program(own.path());
    let mut pools = Pools::default();
    let mut wrong = Vec::new();
    let methods = methods(&program, name)?;
    if methods.is_empty() {
        return Err("no method begins with check".into());
    }
    for method in methods {
        let config = Config::default().with(|config| {
            config.inputs = Inputs::Calls;
            config.input_calls = Some(calls);
            config.bounds.scope = 2;
            config.limits.deadline = Some(Instant::now() + TIME);
            config.limits.jobs = jobs;
        });
        let report = explore_with(&program, method, &config, &Progress::default(), &mut pools)?;
        wrong.extend(disagreements(&fixture, method.name, &report, &shown));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The classes of one fixture alone: those of others are no classes of its inputs.
fn own_classes(fixture: &Fixture, name: &str, classes: &Path) -> Result<tempfile::TempDir, Failed> {
    let own = tempfile::tempdir()?;
    let named: Vec<&str> = fixture.directive("classes").unwrap_or(name).split_whitespace().collect();
    for file in std::fs::read_dir(classes)?.flatten() {
        let file_name = file.file_name().to_string_lossy().into_owned();
        let class = file_name.trim_end_matches(".class");
        if named.contains(&class) || named.iter().any(|outer| class.starts_with(&format!("{outer}$"))) {
            std::fs::copy(file.path(), own.path().join(&file_name))?;
        }
    }
    Ok(own)
}

fn methods(program: &Program, name: &str) -> Result<Vec<&'static lazuli_vm::program::Method>, Failed> {
    let class = program.load(name).map_err(|error| format!("{name}: {error:?}"))?;
    Ok(class.methods.iter().copied().filter(|method| method.name.starts_with("check")).collect())
}

/// The faults that the JVM shows: `checkTwo ArithmeticException 44`.
fn shown_by_jvm(fixture: &Fixture, name: &str, classes: &Path, calls: usize) -> Result<BTreeSet<String>, Failed> {
    let mut java = Command::new("java");
    java.args(["-XX:+UseSerialGC", "-cp"]).arg(classes).arg("Sequences").arg(classes).arg(name);
    java.arg(fixture.directive("sequences").map_or(calls.to_string(), str::to_string))
        .arg(fixture.directive("ints").unwrap_or("-1 0 1 2 3"));
    java.args(fixture.directive("classes").unwrap_or(name).split_whitespace());
    let output = java.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_string).collect())
}

/// Where the two judges disagree.
fn disagreements(fixture: &Fixture, method: &str, report: &Report, shown: &BTreeSet<String>) -> Vec<String> {
    let told = |kind: &str, at: &str| format!("{method} {kind} {}", at.rsplit(':').next().unwrap_or_default());
    let shown: BTreeSet<String> =
        shown.iter().filter(|fault| fault.split(' ').next() == Some(method)).cloned().collect();
    let findings = report.findings.iter().filter(|finding| finding.finding != FindingKind::Note);
    let found: BTreeSet<String> =
        report.violations.iter().chain(findings).map(|found| told(&found.kind, &found.at)).collect();
    let verdict = report.verdict();
    let mut wrong = Vec::new();
    if verdict == Verdict::Incomplete && !fixture.names("incomplete", method) {
        wrong.push(format!("{method} is incomplete: {:?}", report.not_explored));
    }
    let is_complete = report.not_explored.is_empty();
    wrong.extend(
        shown
            .difference(&found)
            .filter(|_| is_complete)
            .map(|fault| format!("{fault} was not found; {verdict:?} for {}", extent(report))),
    );
    let is_unexpected = |fault: &&String| {
        let line = fault.rsplit(' ').next().and_then(|line| line.parse().ok()).unwrap_or(1);
        !fixture.is_beyond_domain(line)
    };
    let unknown = found.difference(&shown).filter(is_unexpected);
    wrong.extend(unknown.map(|fault| format!("{fault} is none that the JVM shows")));
    let is_bounded = report.restrictions.iter().any(|restriction| restriction.is_about_calls());
    if is_bounded && fixture.names("closed", method) {
        wrong.push(format!("{method} holds only for {}", extent(report)));
    }
    wrong
}
