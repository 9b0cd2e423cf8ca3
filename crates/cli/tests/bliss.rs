//! Do BLISS's techniques count on its subjects what its tables say?
//!
//! Paths are counted, the shapes of their inputs (a reference that nobody read is null), and their partial shapes (it is not). Each call
//! stands in `subjects/bliss/driver/Driver.java`; what the authors ask of inputs that are known in part in `Hybrid.java` beside it.

mod common;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_explore::{Bounds, Config, Progress, Report, explore};
use lazuli_vm::program::Program;
use lazuli_vm::reason::Warning;
use tempfile::TempDir;

/// A count that takes longer than this on any machine is at fault.
const TIME: Duration = Duration::from_secs(120);

/// LI, BLI, RBLI and BLISS.
const TECHNIQUES: [&str; 4] = ["hybrid", "bounded", "refined", "sat"];

fn program() -> &'static Arc<Program> {
    static PROGRAM: OnceLock<(Arc<Program>, TempDir)> = OnceLock::new();
    let (program, _) = PROGRAM.get_or_init(|| {
        let classes = common::compiled(&["subjects/bliss", "subjects/bliss/driver", "helper/lazuli"], &[]);
        (common::program(classes.path()), classes)
    });
    program
}

/// A class of the authors', with the fields over which they number its objects.
struct Subject {
    name: &'static str,
    backbone: &'static [&'static str],
}

const BIN_TREE: Subject = Subject { name: "binTree", backbone: &["left", "right"] };
const TREE_SET: Subject = Subject { name: "treeSet", backbone: &["left", "right"] };
const AVL_TREE: Subject = Subject { name: "avlTree", backbone: &["left", "right"] };
const BINOMIAL_HEAP: Subject = Subject { name: "binomialHeap", backbone: &["Nodes", "sibling", "child", "parent"] };
const LINKED_LIST: Subject = Subject { name: "linkedList", backbone: &["header", "next", "previous"] };

#[derive(Debug, PartialEq, Eq)]
struct Counts {
    paths: u64,
    shapes: u64,
    partial: u64,
}

/// What a technique counts for a call on a subject. Runs that end with an exception do not count.
fn counts(subject: &Subject, call: &str, technique: &str, scope: usize) -> Counts {
    let report = explored(subject, call, technique, scope);
    let shapes = report.shapes.expect("they were asked for");
    Counts { paths: report.ends.returned, shapes: shapes.whole, partial: shapes.partial }
}

/// What is found when a call on a subject is explored to the end.
fn explored(subject: &Subject, call: &str, technique: &str, scope: usize) -> Report {
    let class = program().load("bliss/Driver").expect("the driver is there");
    let name = format!("{}{call}", subject.name);
    let method = class.methods.iter().find(|method| method.name == name).unwrap_or_else(|| panic!("no call {name}"));
    let config = Config::default().with(|config| {
        config.technique = technique.into();
        config.bounds = Bounds { scope, ..Bounds::default() };
        config.limits.deadline = Some(Instant::now() + TIME);
        config.contract.hybrid = Some(format!("bliss.Hybrid.{}", subject.name));
        config.valid.backbone = subject.backbone.iter().map(|field| field.to_string()).collect();
        config.valid.loose_bounds = true;
        config.contract.post = false;
        config.contract.allowed = vec!["java.lang.Throwable".to_string()];
        config.report.count_shapes = true;
    });
    let report = explore(program(), method, &config, &Progress::default()).expect("it can begin");
    assert!(report.not_explored.is_empty(), "{name} under {technique}: {:?}", report.not_explored);
    assert!(
        !report.warnings.iter().any(|warning| matches!(warning, Warning::NoFieldBounds(_))),
        "{:?}",
        report.warnings
    );
    report
}

/// The counts of all four techniques.
fn assert_counts(subject: &Subject, call: &str, scope: usize, paths: [u64; 4], shapes: [u64; 4], partial: [u64; 4]) {
    for (at, technique) in TECHNIQUES.iter().enumerate() {
        let expected = Counts { paths: paths[at], shapes: shapes[at], partial: partial[at] };
        let found = counts(subject, call, technique, scope);
        assert_eq!(found, expected, "{}.{call} under {technique} at scope {scope}", subject.name);
    }
}

/// The paths of one technique at scopes from the first on.
fn assert_paths(subject: &Subject, call: &str, technique: &str, first: usize, expected: &[u64]) {
    for (scope, expected) in (first..).zip(expected) {
        let found = counts(subject, call, technique, scope).paths;
        assert_eq!(found, *expected, "{}.{call} under {technique} at scope {scope}", subject.name);
    }
}

/// Binary trees with up to so many nodes, and at least one.
fn trees(most: u64) -> u64 {
    let catalan = |n: u64| (0..n).fold(1, |product, i| product * (4 * i + 2) / (i + 2));
    (1..=most).map(catalan).sum()
}

#[test]
fn removal_from_red_black_trees() {
    assert_counts(&TREE_SET, "Remove", 3, [54, 22, 22, 22], [23, 7, 7, 7], [40, 16, 16, 16]);
    assert_counts(&TREE_SET, "Remove", 5, [706, 200, 179, 179], [359, 78, 70, 70], [530, 141, 127, 127]);
}

#[test]
fn removal_from_binomial_heaps() {
    assert_counts(&BINOMIAL_HEAP, "ExtractMin", 5, [1491, 944, 504, 424], [41, 34, 19, 19], [228, 176, 90, 78]);
    // Published of these: 9 structures under the last two.
    assert_counts(&BINOMIAL_HEAP, "Delete", 3, [62, 46, 28, 25], [15, 11, 9, 9], [31, 24, 16, 14]);
    assert_counts(&BINOMIAL_HEAP, "Delete", 4, [723, 454, 168, 151], [54, 33, 19, 17], [126, 91, 37, 30]);
}

#[test]
fn traversals_of_binary_trees() {
    for (call, technique) in [("Bfs", "hybrid"), ("Dfs", "bounded"), ("Count", "refined"), ("RepOK", "sat")] {
        for scope in [3, 6] {
            let all = trees(scope as u64);
            let found = counts(&BIN_TREE, call, technique, scope);
            assert_eq!(
                found,
                Counts { paths: all, shapes: all, partial: all },
                "{call} under {technique} at scope {scope}"
            );
        }
    }
}

/// There are too many trees to list, so that a solver is asked; but of most paths it is known otherwise that they are possible.
#[test]
fn few_questions_about_many_trees() {
    let report = explored(&BIN_TREE, "Bfs", "sat", 9);
    assert_eq!(report.ends.returned, trees(9));
    let questions = report.sat_calls;
    assert!(questions > 0 && questions < report.paths / 2, "{questions} questions about {} paths", report.paths);
    assert!(report.reused_witnesses > report.paths, "{} were reused", report.reused_witnesses);
}

/// Published for depth-first walks at scopes from 3 on (Table 9). A breadth-first walk meets the same trees.
#[test]
fn traversals_of_red_black_trees() {
    let all: Vec<u64> = (3..=8).map(trees).collect();
    for call in ["Dfs", "Bfs"] {
        assert_paths(&TREE_SET, call, "hybrid", 3, &all[..5]);
        assert_paths(&TREE_SET, call, "sat", 3, &[4, 8, 14, 26, 55, 95]);
    }
    assert_paths(&TREE_SET, "Dfs", "bounded", 3, &[4, 14, 20, 92, 385, 1511]);
    assert_paths(&TREE_SET, "Dfs", "refined", 3, &[4, 8, 14, 42, 151, 555]);
}

/// Each is met with every colouring.
#[test]
fn invariants_of_red_black_trees() {
    assert_paths(&TREE_SET, "RepOK", "hybrid", 3, &[5]);
    assert_paths(&TREE_SET, "RepOK", "hybrid", 5, &[17]);
    for technique in ["bounded", "refined", "sat"] {
        assert_paths(&TREE_SET, "RepOK", technique, 7, &[66]);
    }
    assert_paths(&TREE_SET, "RepOK", "sat", 9, &[212]);
}

#[test]
fn insertion_into_red_black_trees() {
    for (scope, shapes) in [(3, 4), (5, 14), (7, 55), (9, 141)] {
        assert_eq!(counts(&TREE_SET, "Add", "sat", scope).shapes, shapes, "at scope {scope}");
    }
}

/// Runs that find the key, by where it is.
#[test]
fn look_ups_in_trees() {
    for subject in [&TREE_SET, &AVL_TREE] {
        assert_paths(subject, "Contains", "hybrid", 1, &[1, 3, 7, 15, 31, 63, 127, 255]);
    }
}

#[test]
fn height_balanced_trees() {
    let all: Vec<u64> = (3..=7).map(trees).collect();
    for call in ["Bfs", "Dfs"] {
        assert_paths(&AVL_TREE, call, "hybrid", 3, &all);
        assert_paths(&AVL_TREE, call, "sat", 7, &[35]);
        assert_paths(&AVL_TREE, call, "sat", 9, &[111]);
    }
    assert_paths(&AVL_TREE, "RepOK", "sat", 7, &[35]);
    assert_paths(&AVL_TREE, "RepOK", "sat", 9, &[111]);
}

#[test]
fn binomial_heaps() {
    for call in ["Bfs", "Dfs", "RepOK"] {
        assert_paths(&BINOMIAL_HEAP, call, "sat", 5, &[6, 7, 8]);
    }
    assert_paths(&BINOMIAL_HEAP, "Bfs", "sat", 14, &[15]);
}

#[test]
fn circular_lists() {
    for technique in TECHNIQUES {
        assert_paths(&LINKED_LIST, "RepOK", technique, 19, &[19, 20]);
        assert_paths(&LINKED_LIST, "Add", technique, 19, &[2, 2]);
    }
}

/// The table has 16,234 shapes at scope 20, under all techniques. Ours are four more; bench/README.md says which.
#[test]
fn removal_from_circular_lists() {
    assert_counts(&LINKED_LIST, "Remove10", 10, [2175; 4], [1562; 4], [1562; 4]);
    let at_20 = Counts { paths: 23_540, shapes: 16_238, partial: 16_238 };
    assert_eq!(counts(&LINKED_LIST, "Remove20", "sat", 20), at_20);
}
