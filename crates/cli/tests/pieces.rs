//! Do the pieces of a problem partition its inputs, and do several workers come to the verdict of one?

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lazuli_explore::{Config, Engine, Progress, SplitOptions, piece_tree, shapes};
use lazuli_heapsat::{PieceId, PieceSolver};
use lazuli_logic::{SatVerdict, SolverLimits};
use serde_json::Value;
use tempfile::TempDir;

/// Structures with cycles, sharing and parents, each with a method that does nothing.
const STRUCTURES: &str = r#"
package parts;

class Ring {
    static class Node { Node next; }
    Node first;
    int others;
    boolean repOK() {
        if (first == null) {
            return others == 0;
        }
        int left = others;
        for (Node node = first.next; node != first; node = node.next) {
            if (node == null || left <= 0) {
                return false;
            }
            left--;
        }
        return left == 0;
    }
    public int nothing() { return 0; }
}

// Without recursion, of which circuits may take too many objects for valid: three levels are enough for three nodes.
class Dag {
    static class Node { Node left, right; }
    Node root;
    boolean repOK() { return root == null || (isSecond(root.left) && isSecond(root.right)); }
    static boolean isSecond(Node node) { return node == null || (isThird(node.left) && isThird(node.right)); }
    static boolean isThird(Node node) { return node == null || (node.left == null && node.right == null); }
    public int nothing() { return 0; }
}

class Family {
    static class Node { Node left, right, parent; }
    Node root;
    boolean repOK() {
        if (root == null) {
            return true;
        }
        if (root.parent != null || (root.left != null && root.left == root.right)) {
            return false;
        }
        return isChild(root.left, root) && isChild(root.right, root);
    }
    static boolean isChild(Node node, Node parent) {
        if (node == null) {
            return true;
        }
        if (node.parent != parent || (node.left != null && node.left == node.right)) {
            return false;
        }
        return isLeaf(node.left, node) && isLeaf(node.right, node);
    }
    static boolean isLeaf(Node node, Node parent) {
        return node == null || (node.parent == parent && node.left == null && node.right == null);
    }
    public int nothing() { return 0; }
}

class Chain {
    static class Node { Node next; }
    Node first;
    // Nodes refer to any node or to none: back edges and self-loops are valid.
    boolean repOK() {
        Node node = first;
        for (int step = 0; step < 4 && node != null; step++) {
            node = node.next;
        }
        return true;
    }
    public int nothing() { return 0; }
}
"#;

fn all_options() -> impl Iterator<Item = SplitOptions> {
    (0..8).map(|bits| SplitOptions {
        by_symmetry: bits & 1 != 0,
        by_aliasing: bits & 2 != 0,
        by_invariant: bits & 4 != 0,
    })
}

#[test]
fn the_inputs_of_all_pieces_add_up_to_the_valid_shapes() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let source = scratch.path().join("Structures.java");
    std::fs::write(&source, STRUCTURES).expect("it can be written");
    let classes = common::compiled(&["subjects/taco"], &[source]);
    let program = common::program(classes.path());
    let limits = SolverLimits { time: Duration::from_secs(60), ..SolverLimits::default() };
    for (class, method, scope) in [
        ("parts/Ring", "nothing", 4),
        ("parts/Dag", "nothing", 3),
        ("parts/Family", "nothing", 3),
        ("parts/Chain", "nothing", 4),
        ("taco/BSTree", "find", 3),
        ("taco/TreeSet", "find", 3),
    ] {
        let class = program.load(class).expect("it is there");
        let method = class.methods.iter().find(|candidate| candidate.name == method).expect("it has it");
        let config = Config::default().with(|config| {
            config.engine = Engine::Sat;
            config.bounds.scope = scope;
        });
        let expected = shapes(&program, class, &config, &Progress::default(), None).expect("they are listed").total;
        assert!(expected > 3, "{}: {expected}", class.name);
        for options in all_options() {
            let config = config.clone().with(|config| config.sat.pieces.split = options);
            let tree = piece_tree(&program, method, &config, &Progress::default()).expect("it is translated");
            let mut solver = PieceSolver::new(&tree.formula);
            let (mut waiting, mut inputs) = (vec![PieceId::default()], 0);
            while let Some(piece) = waiting.pop() {
                if solver.has_input(&tree.assumptions(&piece), &limits) == SatVerdict::Unsat {
                    continue;
                }
                match tree.split(&piece, &mut solver, &limits) {
                    Some(into) => waiting.extend(into),
                    // Nothing is left to be chosen: one heap.
                    None => inputs += 1,
                }
            }
            assert_eq!(inputs, expected, "{} at scope {scope}, {options:?}", class.name);
        }
    }
}

/// Runs `lazuli`, and reads the JSON that it prints.
fn report(classes: &Path, words: &[&str]) -> Value {
    let output = lazuli(classes, words).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{words:?}: {error}: {text}{complaint}"))
}

fn lazuli(classes: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(words).arg("--class-path").arg(classes).args(["--format", "json", "--quiet"]);
    command
}

fn taco() -> TempDir {
    common::compiled(&["subjects/taco"], &[])
}

#[test]
fn any_number_of_workers_has_one_verdict_and_the_same_pieces() {
    let classes = taco();
    for (target, scope) in [("taco.AVLTree.insert", "5"), ("taco.BSTree.remove", "5")] {
        let check = ["check", target, "--engine", "sat", "--scope", scope, "--no-confirm", "--cache", "none"];
        let whole = report(classes.path(), &[&check[..], &["--jobs", "1"]].concat());
        assert_eq!((&whole["verdict"], &whole["pieces"]), (&Value::from("holds"), &Value::Null), "{target}");
        let mut first: Option<Value> = None;
        for jobs in ["1", "2", "4"] {
            let split = ["--split-after", "0s", "--piece-limit", "30", "--jobs", jobs];
            let shared = report(classes.path(), &[&check[..], &split].concat());
            assert_eq!((&shared["verdict"], &shared["extent"]), (&whole["verdict"], &whole["extent"]), "{target}");
            let of = |name: &str| shared["pieces"][name].clone();
            let counts = Value::from_iter(["leaves", "empty", "refuted", "split", "open"].map(of));
            assert!(of("split").as_u64() > Some(1) && of("open") == 0 && of("refuted").as_u64() > Some(0), "{counts}");
            assert_eq!(*first.get_or_insert(counts.clone()), counts, "{target} with {jobs} workers");
        }
        let times = ["--split-after", "0s", "--piece-limit", "20ms", "--jobs", "3", "--split", "none"];
        let shared = report(classes.path(), &[&check[..], &times].concat());
        assert_eq!((&shared["verdict"], &shared["pieces"]["open"]), (&whole["verdict"], &Value::from(0)), "{target}");
    }
}

#[test]
fn a_violation_ends_all_pieces_and_is_the_same_one() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/taco/BSTree.java");
    let right = std::fs::read_to_string(path).expect("it is there");
    let wrong = right.replacen("} else if (key < above.key) {", "} else if (key > above.key) {", 1);
    assert_ne!(right, wrong, "the subject has the line");
    let source = scratch.path().join("BSTree.java");
    std::fs::write(&source, wrong).expect("it can be written");
    let classes = common::compiled(&[], &[source]);
    let check = ["check", "taco.BSTree.add", "--engine", "sat", "--scope", "4", "--no-confirm", "--cache", "none"];
    let causes = |report: &Value| {
        let of = |violation: &Value| format!("{} at {}", violation["kind"], violation["at"]);
        report["violations"].as_array().map(|all| all.iter().map(of).collect::<Vec<_>>())
    };
    let whole = report(classes.path(), &[&check[..], &["--jobs", "1"]].concat());
    assert_eq!(whole["verdict"], "violated");
    for jobs in ["2", "4"] {
        let shared = report(classes.path(), &[&check[..], &["--split-after", "0s", "--jobs", jobs]].concat());
        assert_eq!((&shared["verdict"], causes(&shared)), (&whole["verdict"], causes(&whole)));
        assert!(shared["pieces"]["violated"].as_u64() > Some(0));
    }
}

#[test]
fn a_simulation_replays_the_pieces_of_a_report() {
    let classes = taco();
    let file = classes.path().join("report.json");
    let check = ["check", "taco.BSTree.remove", "--engine", "sat", "--scope", "5", "--no-confirm", "--cache", "none"];
    let split = ["--split-after", "0s", "--piece-limit", "30", "--jobs", "2", "-o", &file.display().to_string()];
    assert!(lazuli(classes.path(), &[&check[..], &split].concat()).status().expect("it runs").success());
    let simulate = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["cluster", "simulate"]).args(words).output().expect("it runs")
    };
    let file = file.display().to_string();
    let costs = ["--worker-cost", "0s", "--coordinator-cost", "0s"];
    let output = simulate(&[&[&file, "--workers", "1,4,4096", "--format", "json"], &costs[..]].concat());
    let problems: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let recorded: Value = serde_json::from_slice(&std::fs::read(&file).expect("it is there")).expect("it is JSON");
    let answers = recorded["pieces"]["answers"].as_array().expect("there are answers");
    // One that cannot be split is asked again without a limit; it took both times together.
    let pieces: BTreeSet<&str> = answers.iter().filter_map(|answer| answer["piece"].as_str()).collect();
    assert_eq!(problems[0]["pieces"].as_u64(), Some(pieces.len() as u64));
    let total: f64 = answers.iter().filter_map(|answer| answer["took_s"].as_f64()).sum();
    let took = |row: usize| problems[0]["checks"][row]["took_s"].as_f64().expect("it has a time");
    assert!((took(0) - total).abs() < 1e-3, "one worker takes all the time: {} and {total}", took(0));
    assert!(took(0) > took(1) && took(1) >= took(2) && took(1) >= total / 4.0 - 1e-6, "{problems}");
    assert_eq!(
        (&problems[0]["stopped_by"], took(2)),
        (&Value::from("chain"), problems[0]["least_s"].as_f64().unwrap())
    );

    let text = String::from_utf8(simulate(&[&file]).stdout).expect("it is UTF-8");
    assert!(text.contains("10,000") && text.contains("speed-up") && text.contains("help little"), "{text}");
    let unsplit = classes.path().join("unsplit.json").display().to_string();
    let alone = ["--jobs", "1", "-o", &unsplit];
    assert!(lazuli(classes.path(), &[&check[..], &alone].concat()).status().expect("it runs").success());
    for (words, expected) in [
        (&[&*unsplit][..], "--split-after 0s"),
        (&["no-such-file"], "cannot be read"),
        (&[], "cluster simulate REPORT"),
        (&[&file, "--workers", "0"], "1..=1000000"),
    ] {
        let output = simulate(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{words:?}: {said}");
    }
}

#[test]
fn the_printed_rule_gives_the_published_numbers() {
    let classes = taco();
    let binomial = [[72, 648, 10_368], [26, 108, 600], [13, 36, 111], [7, 11, 13]];
    let list = [[4, 8, 16], [3, 4, 5], [3, 4, 5], [3, 4, 5]];
    for (class, backbone, expected) in
        [("taco.SLList", "head,next", list), ("taco.BinHeap", "nodes,sibling,child", binomial)]
    {
        let words =
            ["bounds", class, "--scope", "20", "--cache", "none", "--count-pieces", "4", "--backbone", backbone];
        let found = report(classes.path(), &words);
        for (reduction, expected) in ["none", "symmetry", "aliasing", "invariant"].iter().zip(expected) {
            let rows = found["pieces"].as_array().unwrap_or_else(|| panic!("{class}: {found}"));
            let counts: Vec<u64> = rows.iter().filter_map(|row| row[reduction].as_u64()).collect();
            assert_eq!(counts, expected, "{class} by {reduction}");
        }
    }
}

#[test]
fn wrong_requests_say_what_to_do() {
    let classes = taco();
    for (words, expected) in [
        (&["--engine", "sat", "--split", "magic"][..], "symmetry, aliasing and invariant"),
        (&["--engine", "sat", "--piece-limit", "soon"], "number of conflicts"),
        (&["--piece-limit", "50"], "--engine sat"),
        (&["--cluster", "redis://127.0.0.1:1"], "--engine sat"),
        (&["--engine", "sat", "--cluster", "http://x"], "redis://"),
        (&["--engine", "sat", "--cluster", "rediss://192.0.2.1"], "password"),
        (&["--engine", "sat", "--cluster", "redis://192.0.2.1"], "--insecure"),
    ] {
        let check = ["check", "taco.SLList.contains", "--scope", "2"];
        let output = lazuli(classes.path(), &[&check[..], words].concat()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    }
}
