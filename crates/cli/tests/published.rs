//! Do the subjects have as many paths and shapes as was published, or computed independently? See subjects/README.md.

mod common;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_explore::{Bounds, Config, Progress, Ranges, Verdict, explore, shapes};
use lazuli_vm::program::Program;
use lazuli_vm::universe::Restriction;
use tempfile::TempDir;

/// A count that takes longer than this on any machine is at fault.
const TIME: Duration = Duration::from_secs(120);

/// The subjects, compiled once.
fn program() -> &'static Arc<Program> {
    static PROGRAM: OnceLock<(Arc<Program>, TempDir)> = OnceLock::new();
    let (program, _) = PROGRAM.get_or_init(|| {
        let classes = common::compiled(
            &["subjects/pli", "subjects/bliss", "subjects/gse", "subjects/kiasan", "tests/valid"],
            &[],
        );
        (common::program(classes.path()), classes)
    });
    program
}

fn config(technique: &str, scope: usize) -> Config {
    Config::default().with(|config| {
        config.technique = technique.into();
        config.bounds = Bounds { scope, ..Bounds::default() };
        config.limits.deadline = Some(Instant::now() + TIME);
        config.contract.post = false;
    })
}

/// The paths of a method at scopes from the first on.
fn assert_paths(class: &str, method: &str, technique: &str, first: usize, expected: &[u64]) {
    let class = program().load(class).expect("the subject is there");
    let method = class.methods.iter().find(|candidate| candidate.name == method).expect("the subject has the method");
    for (scope, expected) in (first..).zip(expected) {
        let report = explore(program(), method, &config(technique, scope), &Progress::default()).expect("it can begin");
        assert_eq!(report.verdict(), Verdict::Holds, "{} at scope {scope}: {:?}", report.title, report.not_explored);
        assert_eq!(report.paths, *expected, "{} under {technique} at scope {scope}", report.title);
    }
}

fn assert_shapes(class: &str, scope: usize, expected: u64) {
    let class = program().load(class).expect("the subject is there");
    let mut drawn = 0;
    let found = shapes(program(), class, &config("lazy", scope), &Progress::default(), Some(&mut |_| drawn += 1));
    let found = found.expect("the class has an invariant");
    assert_eq!((found.unfinished, found.total, drawn), (None, expected, expected), "{} at scope {scope}", class.name);
}

/// The same with a precondition.
fn given(technique: &str, scope: usize, precondition: &str) -> Config {
    config(technique, scope).with(|config| config.contract.precondition = Some(precondition.to_string()))
}

#[test]
fn swapping_nodes_has_seven_executions_and_four_on_acyclic_lists() {
    assert_paths("gse/Node", "swapNode", "lazy", 3, &[7]);
    let class = program().load("gse/Node").expect("the subject is there");
    let method = class.methods.iter().find(|method| method.name == "swapNode").expect("it has the method");
    let config = config("precise", 3).with(|config| config.contract.invariant = Some("acyclic".to_string()));
    let report = explore(program(), method, &config, &Progress::default()).expect("it can begin");
    assert_eq!((report.verdict(), report.paths), (Verdict::Holds, 4));
    // As a precondition, of lists of any length: no path looks further than three nodes.
    for technique in ["precise", "hybrid"] {
        let given = given(technique, 5, "acyclic");
        let report = explore(program(), method, &given, &Progress::default()).expect("it can begin");
        assert_eq!((report.verdict(), report.paths), (Verdict::Holds, 4), "{technique}");
        assert!(!report.restrictions.iter().any(Restriction::is_bound), "{technique}: {:?}", report.restrictions);
    }
}

#[test]
fn insertion_into_red_black_trees() {
    assert_paths("pli/TreeMap", "put", "precise", 1, &[4, 10, 18, 30, 46]);
    assert_paths("pli/TreeMap", "put", "eager", 3, &[28, 64]);
}

#[test]
fn removal_from_red_black_trees() {
    assert_paths("pli/TreeMap", "remove", "precise", 1, &[4, 12, 17]);
}

#[test]
fn circular_lists() {
    assert_paths("pli/LinkedList", "remove", "eager", 3, &[6, 10, 15]);
    assert_paths("pli/LinkedList", "add", "eager", 2, &[2, 3, 4]);
    assert_paths("pli/LinkedList", "add", "lissa", 2, &[2, 2]);
    assert_paths("pli/LinkedList", "remove", "lissa", 2, &[3, 6, 9]);
}

#[test]
fn the_invariant_must_hold_again() {
    let class = program().load("SortedList").expect("the subject is there");
    let verdict = |name: &str| {
        let method = class.methods.iter().find(|method| method.name == name).expect("it has the method");
        let config = config("precise", 3).with(|config| config.contract.post = true);
        explore(program(), method, &config, &Progress::default()).expect("it can begin")
    };
    assert_eq!(verdict("add").verdict(), Verdict::Holds);
    let report = verdict("removeFirst");
    let kinds: Vec<&str> = report.violations.iter().map(|violation| violation.kind.as_str()).collect();
    assert_eq!(kinds, ["invariant"]);
}

#[test]
fn parameters_are_valid_too() {
    // A cyclic list would go on for ever, and one that is not sorted would break the invariant.
    let class = program().load("SortedList").expect("the subject is there");
    let method = class.methods.iter().find(|method| method.name == "addAll").expect("it has the method");
    for jobs in [1, 2] {
        let config = config("precise", 3).with(|config| config.limits.jobs = jobs);
        let report = explore(program(), method, &config, &Progress::default()).expect("it can begin");
        assert_eq!(report.verdict(), Verdict::Holds, "{:?}", report.not_explored);
        assert!(report.pruned > 0);
    }
}

#[test]
fn an_input_may_be_what_a_static_field_holds() {
    let class = program().load("Sentinel").expect("the subject is there");
    for name in ["refuseParameter", "refuseField"] {
        let method = class.methods.iter().find(|method| method.name == name).expect("it has the method");
        let report = explore(program(), method, &config("precise", 2), &Progress::default()).expect("it can begin");
        assert_eq!(report.violations.len(), 1, "{name}: {:?}", report.not_explored);
    }
}

#[test]
fn shapes_of_valid_objects() {
    // The empty structure counts where a class has a container of its own.
    assert_shapes("pli/TreeMap", 5, 14 + 1);
    assert_shapes("pli/AvlTree", 5, 14 + 1);
    assert_shapes("pli/BinomialHeap", 7, 7 + 1);
    assert_shapes("pli/LinkedList", 9, 9);
    assert_shapes("bliss/BinTree", 6, 1 + 2 + 5 + 14 + 42 + 132);
}

/// The valid objects with a number of objects beside the root, where a field has the values from 1 to a greatest.
fn objects_with_values(
    class: &str,
    scope: usize,
    field: &str,
    greatest: i64,
) -> std::collections::BTreeMap<usize, u64> {
    let class = program().load(class).expect("the subject is there");
    let values = Some(Ranges { named: vec![(field.to_string(), (1, greatest))], others: None });
    let config = config("lazy", scope).with(|config| config.valid.values = values);
    let found = shapes(program(), class, &config, &Progress::default(), None).expect("there are ranges for all");
    assert_eq!(found.unfinished, None, "{} at scope {scope}", class.name);
    assert_eq!(found.total, found.by_objects.values().sum::<u64>());
    found.by_objects
}

#[test]
fn any_number_of_threads_finds_the_same_shapes() {
    let range = |field: &str| Some(Ranges { named: vec![(field.to_string(), (1, 6))], others: None });
    for (class, scope, values) in [
        ("bliss/BinTree", 7, None),
        ("pli/TreeMap", 7, None),
        ("kiasan/SearchTree", 6, None),
        ("kiasan/SearchTree", 6, range("element")),
        ("pli/LinkedList", 3, None),
    ] {
        let class = program().load(class).expect("the subject is there");
        let with = |jobs: usize| {
            let config = config("lazy", scope).with(|config| {
                config.valid.values = values.clone();
                config.limits.jobs = jobs;
            });
            let found =
                shapes(program(), class, &config, &Progress::default(), None).expect("there are ranges for all");
            assert_eq!(found.unfinished, None);
            (found.total, found.by_objects, found.candidates)
        };
        let one = with(1);
        assert!(one.0 > 0);
        for jobs in [2, 3, 8] {
            assert_eq!(with(jobs), one, "{} with {jobs} threads", class.name);
        }
    }
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn search_trees_with_keys_up_to_their_size() {
    for n in 1..=6 {
        let catalan = binomial(2 * n, n) / (n + 1);
        assert_eq!(objects_with_values("kiasan/SearchTree", n as usize, "element", n as i64)[&(n as usize)], catalan);
    }
}

#[test]
fn sorted_lists_with_keys_up_to_their_size() {
    for n in 1..=7 {
        // There is a head node in front of the data.
        let found = objects_with_values("kiasan/MergeList", n as usize + 1, "Node.data", n as i64);
        assert_eq!(found[&(n as usize + 1)], binomial(2 * n - 1, n));
    }
}

#[test]
fn binomial_heaps_with_keys_up_to_their_size() {
    // Korat counts the heaps of all sizes up to n, the empty one among them.
    for (n, expected) in (1..).zip([2, 6, 28, 120, 936, 7602]) {
        let found = objects_with_values("pli/KoratHeap", n, "key", n as i64);
        assert_eq!(found.values().sum::<u64>(), expected, "{found:?}");
    }
}

/// Red-black trees by nodes and by the black nodes on a path down, with a red or a black root.
fn red_black_trees(most: usize) -> Vec<(u64, u64)> {
    let heights = most + 1;
    let mut trees = vec![vec![[0u64; 2]; heights + 1]; most + 1];
    for height in 0..=heights {
        for nodes in 0..=most {
            // A missing tree counts as black, and has no black node.
            let black = |trees: &[Vec<[u64; 2]>], n: usize, h: usize| if (n, h) == (0, 0) { 1 } else { trees[n][h][1] };
            let any = |trees: &[Vec<[u64; 2]>], n: usize, h: usize| black(trees, n, h) + trees[n][h][0];
            if nodes == 0 {
                continue;
            }
            let splits = || (0..nodes).map(move |left| (left, nodes - 1 - left));
            if height > 0 {
                trees[nodes][height][1] =
                    splits().map(|(left, right)| any(&trees, left, height - 1) * any(&trees, right, height - 1)).sum();
            }
            trees[nodes][height][0] =
                splits().map(|(left, right)| black(&trees, left, height) * black(&trees, right, height)).sum();
        }
    }
    let sum = |nodes: usize, color: usize| trees[nodes].iter().map(|height| height[color]).sum();
    (0..=most).map(|nodes| (sum(nodes, 0), sum(nodes, 1))).collect()
}

#[test]
fn red_black_trees_with_keys_up_to_their_size() {
    let known = red_black_trees(11);
    let published = [2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586];
    assert_eq!(known[1..].iter().map(|(red, black)| red + black).collect::<Vec<_>>(), published);
    // Korat's root may be red, ours is black.
    for (n, (_, black)) in known.iter().enumerate().take(6).skip(1) {
        assert_eq!(objects_with_values("pli/TreeMap", n, "key", n as i64)[&n], *black, "{n} nodes");
    }
}
