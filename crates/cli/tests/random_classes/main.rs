//! Do all techniques agree on classes that nobody chose?
//!
//! `eager` runs the invariant first, and so knows which inputs are valid: how a method can end on these is the truth. `precise` must find the same,
//! by whatever means; other techniques may follow paths that no valid input takes, but must not lose any, and must not call them faults.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/dice.rs"]
mod dice;
mod generator;
#[path = "../common/paths.rs"]
mod paths;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_explore::technique;
use lazuli_explore::{Bounds, Config, Detail, Ending, Outcome, Progress, Report, Verdict, explore};
use lazuli_valid::Means;
use lazuli_vm::program::Program;
use lazuli_vm::reason::{NoInput, Reason};
use tempfile::TempDir;

use generator::Generated;

const CLASSES: u64 = 120;

/// More than this is at fault on any machine.
const TIME: Duration = Duration::from_secs(60);

/// The classes, and the program that they are.
struct MadeUp {
    classes: Vec<Generated>,
    program: Arc<Program>,
    /// Is gone with the last of them.
    _directory: TempDir,
}

/// All of them, compiled once by one compiler.
fn made_up() -> &'static MadeUp {
    static MADE_UP: OnceLock<MadeUp> = OnceLock::new();
    MADE_UP.get_or_init(|| {
        let sources = tempfile::tempdir().expect("a scratch directory can be made");
        let all: Vec<Generated> = (0..CLASSES).map(generator::class).collect();
        let files: Vec<PathBuf> = all
            .iter()
            .map(|class| {
                let simple = class.name.rsplit('/').next().expect("a name has an end");
                let file = sources.path().join(format!("{simple}.java"));
                std::fs::write(&file, &class.source).expect("the scratch directory can be written");
                file
            })
            .collect();
        let directory = common::compiled(&[], &files);
        MadeUp { classes: all, program: common::program(directory.path()), _directory: directory }
    })
}

/// What a technique finds about a class.
fn report(class: &Generated, technique: &str, means: Means, post: bool) -> Report {
    let program = &made_up().program;
    let loaded = program.load(&class.name).expect("it was compiled");
    let method = loaded.methods.iter().find(|method| method.name == "lookAround").expect("it has the method");
    let config = Config::default().with(|config| {
        config.technique = technique.into();
        config.valid.means = means;
        config.bounds = Bounds { scope: class.scope, ..Bounds::default() };
        config.limits.deadline = Some(Instant::now() + TIME);
        config.contract.post = post;
        config.report.detail = if post { Detail::Violations } else { Detail::AllPaths };
        config.report.lines = false;
    });
    let report = explore(program, method, &config, &Progress::default()).expect("it can begin");
    // A scope that is too small for any valid object says so, whatever paths there are.
    let is_about_nothing = |why: &Reason| matches!(why, Reason::NoInput(NoInput::None { .. }));
    let is_finished = report.not_explored.iter().all(|left_out| is_about_nothing(&left_out.why));
    assert!(is_finished, "{technique} on\n{}\n{:?}", class.source, report.not_explored);
    report
}

/// The ways in which the method ends, each once.
fn ends(report: &Report) -> BTreeSet<String> {
    let end = |outcome: &Outcome| match &outcome.ending {
        Ending::Threw { class, trace, .. } => format!("{class} {}", trace.first().map_or("", String::as_str)),
        other => format!("{other:?} {:?}", outcome.result),
    };
    // Faults that were told once stand for all paths that end so.
    let faults = report.violations.iter().map(|violation| &violation.outcome);
    report.outcomes.iter().chain(faults).map(end).collect()
}

/// The techniques that may follow more paths than valid inputs take.
fn others() -> impl Iterator<Item = &'static str> {
    let all = ["lissa", "hybrid", "bounded", "refined", "sat", "sat-cached"];
    all.into_iter().filter(|name| technique::find(name).is_some())
}

#[test]
fn every_technique_finds_every_way_to_end() {
    let (mut without_input, mut ends_in_all) = (0, 0);
    for class in &made_up().classes {
        let truth = ends(&report(class, "eager", Means::Search, false));
        let precise = report(class, "precise", Means::Search, false);
        assert_eq!(ends(&precise), truth, "precise on\n{}", class.source);
        let precise = paths::described(&precise.outcomes);
        for means in [Means::Auto, Means::List, Means::Circuit, Means::CircuitList] {
            let found = paths::described(&report(class, "precise", means, false).outcomes);
            assert_eq!(found, precise, "{means:?} on\n{}", class.source);
        }
        for technique in others() {
            let found = report(class, technique, Means::Auto, false);
            assert!(ends(&found).is_superset(&truth), "{technique} on\n{}", class.source);
            let found = paths::described(&found.outcomes);
            let lost: Vec<&String> = precise.iter().filter(|path| found.binary_search(path).is_err()).collect();
            assert!(lost.is_empty(), "{technique} loses {lost:#?} of\n{}", class.source);
        }
        without_input += usize::from(truth.is_empty());
        ends_in_all += truth.len();
    }
    // The classes are worth the effort only if most of them have valid objects, and methods that tell these apart.
    assert!(without_input * 10 <= CLASSES as usize, "{without_input} classes have no valid object");
    assert!(ends_in_all > 4 * CLASSES as usize, "only {ends_in_all} ways to end");
}

#[test]
fn every_technique_finds_the_same_faults() {
    let mut verdicts = [0, 0];
    for class in &made_up().classes {
        let faults = |report: &Report| -> BTreeSet<(String, String)> {
            report.violations.iter().map(|violation| (violation.kind.clone(), violation.at.clone())).collect()
        };
        let truth = report(class, "eager", Means::Search, true);
        for technique in others().chain(["precise"]) {
            let found = report(class, technique, Means::Auto, true);
            assert_eq!(faults(&found), faults(&truth), "{technique} on\n{}", class.source);
            assert_eq!(found.verdict(), truth.verdict(), "{technique} on\n{}", class.source);
        }
        match truth.verdict() {
            Verdict::Holds => verdicts[0] += 1,
            Verdict::Violated => verdicts[1] += 1,
            Verdict::Incomplete => {}
        }
    }
    assert!(verdicts.iter().all(|count| *count >= 5), "{verdicts:?} hold and are violated");
}
