//! Does the search for valid inputs find as many as running the invariant first does? The differential test of the PLI paper.
//!
//! The invariant itself is the method under check: a path of `precise` through it, on inputs that satisfy it, is one way to be valid, and so is a
//! path of `eager` through a method that does nothing. Both must find the same ones, up to the conditions on numbers.

mod common;
#[path = "common/paths.rs"]
mod paths;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_explore::{Bounds, Config, Detail, Progress, Verdict, explore};
use lazuli_valid::Means;
use lazuli_vm::program::{Method, Program, access};
use lazuli_vm::reason::Reason;
use tempfile::TempDir;

/// The subjects with an invariant, what their constructor takes, and the largest scopes that take about a second: of a search, and of a circuit.
const SUBJECTS: &[(&str, &str, usize, usize)] = &[
    ("bliss.AvlTree", "1", 5, 5),
    ("bliss.BinTree", "", 5, 5),
    ("bliss.BinomialHeap", "", 6, 6),
    ("bliss.LinkedList", "", 12, 12),
    ("bliss.TreeMap", "", 6, 6),
    ("bliss.TreeSet", "1", 5, 0),
    ("kiasan.BinaryHeap", "1", 12, 12),
    ("kiasan.MergeList", "", 12, 12),
    ("kiasan.RedBlackTree", "", 6, 6),
    ("kiasan.SearchTree", "", 6, 5),
    ("pli.AvlTree", "", 7, 6),
    ("pli.BinomialHeap", "", 12, 8),
    ("pli.BinomialHeapDefect", "", 12, 8),
    ("pli.CombatantStatistic", "", 1, 1),
    ("pli.DictionaryInfo", "", 5, 5),
    ("pli.HashMap", "", 3, 2),
    ("pli.LinkedList", "", 12, 12),
    ("pli.LongTreeMap", "", 7, 7),
    ("pli.SQLFilterClauses", "", 1, 1),
    ("pli.Schedule", "", 5, 4),
    ("pli.Template", "", 2, 2),
    ("pli.TransportStats", "", 5, 5),
    ("pli.TreeMap", "", 7, 7),
    ("pli.TreeSet", "", 3, 3),
    ("models.BackLinks", "", 3, 3),
    ("models.BothEnds", "", 5, 5),
    ("models.ByQueue", "", 4, 4),
    ("models.ByStack", "", 3, 3),
    ("models.TwoRoots", "", 3, 3),
];

/// More than this is at fault on any machine.
const TIME: Duration = Duration::from_secs(120);

/// The subjects, and of each a subclass with the two methods, compiled once.
fn program() -> &'static Arc<Program> {
    static PROGRAM: OnceLock<(Arc<Program>, TempDir)> = OnceLock::new();
    let (program, _) = PROGRAM.get_or_init(|| {
        let probes = tempfile::tempdir().expect("a scratch directory can be made");
        let mut sources = Vec::new();
        for (class, argument, ..) in SUBJECTS {
            let (package, name) = class.split_once('.').expect("subjects are in packages");
            let file = probes.path().join(format!("{package}{name}Probe.java"));
            let text = format!(
                "package {package}; class {name}Probe extends {name} {{ {name}Probe() {{ super({argument}); }} \
                 boolean probe() {{ return repOK(); }} void nothing() {{}} }}"
            );
            std::fs::write(&file, text).expect("the scratch directory can be written");
            sources.push(file);
        }
        let folders = ["subjects/pli", "subjects/bliss", "subjects/kiasan", "tests/models"];
        let classes = common::compiled(&folders, &sources);
        (common::program(classes.path()), classes)
    });
    program
}

/// How each path leaves the input: what is decided about it, and what its numbers satisfy; and the questions to a SAT solver.
fn paths(class: &str, method: &str, technique: &str, means: Means, scope: usize) -> (Vec<String>, u64) {
    let class = program().load(&format!("{}Probe", class.replace('.', "/"))).expect("the probe is there");
    let method = class.methods.iter().find(|known| known.name == method).expect("it has the method");
    paths_of(method, technique, means, scope)
}

fn paths_of(method: &'static Method, technique: &str, means: Means, scope: usize) -> (Vec<String>, u64) {
    let config = Config::default().with(|config| {
        config.technique = technique.into();
        config.valid.means = means;
        config.bounds = Bounds { scope, ..Bounds::default() };
        config.limits.deadline = Some(Instant::now() + TIME);
        config.contract.post = false;
        config.report.detail = Detail::AllPaths;
        config.report.lines = false;
    });
    let report = explore(program(), method, &config, &Progress::default()).expect("it can begin");
    // A scope that is too small for any valid object gives no path, and says so.
    let is_right = report.verdict() != Verdict::Incomplete || report.paths == 0;
    assert!(is_right, "{} under {technique}: {:?}", report.title, report.not_explored);
    assert_eq!(report.paths as usize, report.outcomes.len());
    (paths::described(&report.outcomes), report.sat_calls)
}

#[test]
fn precise_on_the_invariant_is_eager_on_nothing() {
    let (mut without, mut searched) = (Vec::new(), Vec::new());
    for (class, _, most, by_circuit) in SUBJECTS {
        let mut calls = 0;
        for scope in 1..=*most {
            let (eager, _) = paths(class, "nothing", "eager", Means::Search, scope);
            let is_possible = |means: &Means| match means {
                Means::Circuit => scope <= *by_circuit,
                Means::CircuitList => scope <= *by_circuit.min(&3),
                _ => true,
            };
            let all = [Means::Search, Means::List, Means::Circuit, Means::CircuitList];
            for means in all.into_iter().filter(is_possible) {
                let (precise, sat_calls) = paths(class, "probe", "precise", means, scope);
                assert_eq!(precise.len(), eager.len(), "paths of {class} at scope {scope} by {means:?}");
                assert_eq!(precise, eager, "{class} at scope {scope} by {means:?}");
                calls += sat_calls;
            }
            if scope == *most && eager.is_empty() {
                without.push(class);
            }
        }
        if calls == 0 {
            searched.push(*class);
        }
    }
    assert!(without.is_empty(), "no path at all in {without:?}");
    // The binary heap has an array; in the others the probe is one more class that an object which the invariant calls may have.
    let known = [
        "bliss.AvlTree",
        "bliss.BinTree",
        "bliss.TreeSet",
        "kiasan.BinaryHeap",
        "pli.CombatantStatistic",
        "pli.DictionaryInfo",
        "pli.Template",
        "pli.TransportStats",
        "pli.TreeSet",
    ];
    assert_eq!(searched, known, "invariants for which there is no circuit");
}

/// What is known of an input on the way through a method is completed in the same way by all means. One of the subjects has payload
/// of type Object, which may be a node: it then counts as one.
#[test]
fn all_means_find_the_same_paths_of_every_method() {
    let mut compared = 0;
    for (class, _, most, by_circuit) in SUBJECTS {
        let class = program().load(&class.replace('.', "/")).expect("the subject is there");
        let scope = *most.min(by_circuit).min(&2);
        let is_target = |method: &&Method| {
            method.access & access::PUBLIC != 0
                && !method.is_static()
                && method.name != "<init>"
                && method.name != "repOK"
        };
        for method in class.methods.iter().filter(|method| is_target(method) && scope > 0) {
            let (searched, _) = paths_of(method, "precise", Means::Search, scope);
            for means in [Means::List, Means::Circuit, Means::CircuitList] {
                let (found, _) = paths_of(method, "precise", means, scope);
                assert_eq!(found, searched, "{} at scope {scope} by {means:?}", method.full_name());
            }
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} methods were compared");
}

/// The techniques that number objects and exclude what no valid object has.
const NUMBERING: [&str; 4] = ["bounded", "refined", "sat", "sat-cached"];

/// The paths of a method under a technique that may also follow inputs which are not valid, and so never end on some of them.
fn paths_that_end(method: &'static Method, technique: &str, scope: usize, jobs: usize) -> Vec<String> {
    let config = Config::default().with(|config| {
        config.technique = technique.into();
        config.bounds = Bounds { scope, ..Bounds::default() };
        config.limits.deadline = Some(Instant::now() + TIME);
        config.contract.post = false;
        config.report.detail = Detail::AllPaths;
        config.report.lines = false;
        config.limits.jobs = jobs;
    });
    let report = explore(program(), method, &config, &Progress::default()).expect("it can begin");
    let is_cut =
        |why: &Reason| why.resource().is_some() || matches!(why, Reason::SearchTooLong | Reason::DutyTooLong { .. });
    let cut = report.not_explored.iter().find(|left_out| is_cut(&left_out.why));
    assert!(cut.is_none(), "{} under {technique}: {cut:?}", report.title);
    paths::described(&report.outcomes)
}

/// A path that some valid input takes is never lost, with one thread or two.
#[test]
fn techniques_that_number_objects_lose_no_path_of_a_valid_input() {
    let numbered = ["WithSentinel", "WithChoice", "WithKinds", "WithPayload", "WithClasses"];
    let further = numbered.iter().map(|name| (format!("models/{name}"), 3));
    let subjects = SUBJECTS.iter().map(|(class, _, most, _)| (class.replace('.', "/"), *most.min(&2)));
    let mut compared = 0;
    for (class, scope) in subjects.chain(further) {
        let class = program().load(&class).expect("the subject is there");
        let is_target =
            |method: &&Method| method.access & access::PUBLIC != 0 && !method.is_static() && method.name != "<init>";
        // Traces only call the other methods, one after the other.
        let is_other = |method: &&&Method| method.name != "repOK" && !method.name.starts_with("trace");
        for method in class.methods.iter().filter(|method| is_target(method)).filter(is_other) {
            let precise = paths_that_end(method, "precise", scope, 1);
            for technique in NUMBERING {
                let found = paths_that_end(method, technique, scope, 1);
                let lost: Vec<&String> = precise.iter().filter(|path| found.binary_search(path).is_err()).collect();
                assert!(lost.is_empty(), "{} at scope {scope} under {technique}: {lost:#?}", method.full_name());
                compared += precise.len();
                if class.name.starts_with("bliss/") {
                    let together = paths_that_end(method, technique, scope, 2);
                    assert_eq!(together, found, "{} under {technique} on two threads", method.full_name());
                }
            }
        }
    }
    assert!(compared > 1000, "only {compared} paths were compared");
}
