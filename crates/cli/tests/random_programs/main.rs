//! Does `--engine sat` say of random programs what running them says?
//!
//! The truth comes from two sides. The paths of `lazy`, which other tests hold to the JVM, must have the same faults. And the JVM runs each
//! program on inputs of at most two objects of each class with small numbers: no fault that it meets may be missing.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/dice.rs"]
mod dice;
mod generator;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_explore::{
    Bounds, Config, Economy, Engine, Inputs, NotExplored, Progress, Report, Verdict, Violation, explore,
};
use lazuli_vm::program::{Program, World};
use lazuli_vm::reason::Reason;

use generator::Generated;

const PROGRAMS: u64 = 100;

/// Of the four million inputs, the JVM takes one in so many: of a program that holds, and of one that has faults. As primes they meet each
/// value of each field.
const HELD: usize = 101;
const VIOLATED: usize = 2003;

/// More than this is at fault on any machine.
const TIME: Duration = Duration::from_secs(60);

/// Exceptions that the JVM throws, and that are also thrown on purpose.
const OF_THE_JVM: [&str; 3] = ["NullPointerException", "ArithmeticException", "ClassCastException"];

#[test]
fn the_relational_engine_finds_the_faults_of_running_programs() {
    let programs: Vec<Generated> = (0..PROGRAMS).map(generator::program).collect();
    let classes = compiled(&programs);
    let program = common::program(classes.path());
    let (mut found, mut held, mut violations) = (BTreeMap::new(), 0, 0);
    for (at, made_up) in programs.iter().enumerate() {
        let paths = report(&program, made_up, Engine::Paths, Economy::default());
        let sat = report(&program, made_up, Engine::Sat, Economy::default());
        // One or both of what makes the problem small is left out.
        let economy = Economy { breaks_symmetry: at % 3 == 0, tightens_bounds: at % 3 == 1 };
        let larger = report(&program, made_up, Engine::Sat, economy);
        for found in [&sat, &larger] {
            assert_eq!(faults(found), faults(&paths), "faults of\n{}", made_up.source);
            assert_eq!(found.verdict(), paths.verdict(), "verdict of\n{}", made_up.source);
        }
        held += usize::from(sat.verdict() == Verdict::Holds);
        violations += sat.violations.len();
        found.insert(made_up.name.as_str(), faults(&sat));
    }
    // The programs are worth the effort only if they differ.
    assert!(held >= 20 && violations > PROGRAMS as usize, "{held} programs hold, and there are {violations} faults");
    let judged = judged(classes.path(), &found);
    for made_up in &programs {
        let known = &found[made_up.name.as_str()];
        let is_fault =
            |fault: &&String| !(made_up.only_checks && OF_THE_JVM.iter().any(|name| fault.starts_with(name)));
        let met = judged.get(&made_up.name).into_iter().flatten().filter(is_fault);
        let missing: Vec<&String> = met.filter(|fault| !known.contains(*fault)).collect();
        assert!(missing.is_empty(), "the JVM also met {missing:?} in\n{}", made_up.source);
    }
    let met: usize = judged.values().map(BTreeSet::len).sum();
    assert!(met > PROGRAMS as usize, "the JVM met only {met} faults");
}

/// The programs and their judge, compiled by one compiler.
fn compiled(programs: &[Generated]) -> tempfile::TempDir {
    let sources = tempfile::tempdir().expect("a scratch directory can be made");
    let files = programs.iter().map(|program| {
        let file = sources.path().join(format!("{}.java", program.name));
        std::fs::write(&file, &program.source).expect("the scratch directory can be written");
        file
    });
    let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random_programs/Judge.java");
    let files: Vec<PathBuf> = files.chain([judge]).collect();
    common::compiled(&[], &files)
}

fn report(program: &Arc<Program>, made_up: &Generated, engine: Engine, economy: Economy) -> Report {
    let class = program.load(&format!("made/up/{}$A", made_up.name)).expect("it was compiled");
    let method = class.methods.iter().find(|method| method.name == "run").expect("it has the method");
    let allowed = if made_up.only_checks { OF_THE_JVM.map(str::to_string).to_vec() } else { Vec::new() };
    let config = Config::default().with(|config| {
        config.engine = engine;
        config.sat.economy = economy;
        config.technique = "lazy".into();
        config.inputs = Inputs::Fields;
        config.is_strict = true;
        config.bounds = Bounds { scope: 2, world: World::Closed, ..Bounds::default() };
        config.limits.deadline = Some(Instant::now() + TIME);
        config.contract.allowed = allowed;
    });
    let report = explore(program, method, &config, &Progress::default()).expect("it can begin");
    // All that is generated is translated, and ends. A path whose example is not valid must have shown nothing that another has not.
    let known = faults(&report);
    let is_known = |left: &NotExplored| match &left.why {
        Reason::Unconfirmed { kind, .. } => known.contains(&format!("{kind} {}", left.at)),
        _ => false,
    };
    let is_right = report.not_explored.iter().all(is_known);
    assert!(is_right, "{engine:?} on\n{}\n{:?}", made_up.source, report.not_explored);
    report
}

/// The fault and its place; an object that is not valid afterwards has no place of its own.
fn faults(report: &Report) -> BTreeSet<String> {
    let told = |violation: &Violation| match violation.kind.as_str() {
        "invariant" => "invariant".to_string(),
        kind => format!("{kind} {}", violation.at),
    };
    // To the judge, whatever is thrown is a fault.
    report.violations.iter().chain(&report.findings).map(told).collect()
}

/// The faults when the JVM runs the programs.
fn judged(classes: &Path, found: &BTreeMap<&str, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    let programs =
        found.iter().map(|(name, faults)| format!("{name}:{}", if faults.is_empty() { HELD } else { VIOLATED }));
    // Better compiled code loses the lines of exceptions that are thrown often, or takes long to throw them.
    let mut java = Command::new("java");
    java.args(["-XX:TieredStopAtLevel=1", "-cp"]).arg(classes);
    let output = java.arg("made.up.Judge").args(programs).output().expect("java is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the judge failed: {errors}");
    let mut judged: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("names are plain").lines() {
        let (name, fault) = line.split_once(':').expect("a program and a fault");
        judged.entry(name.to_string()).or_default().insert(fault.to_string());
    }
    judged
}
