//! Does a method as one propositional problem (`--engine sat`) get the verdict that its paths get?

#[path = "common/taco.rs"]
mod taco;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use taco::{BY_JML, DEFECTS, SUBJECTS, precondition};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compiled(packages: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let mut sources = Vec::new();
    for package in packages {
        let entries = std::fs::read_dir(root().join("subjects").join(package)).expect("the subjects are there");
        sources.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "java"));
    compile(&folder, &sources);
    folder
}

fn compile(folder: &TempDir, sources: &[PathBuf]) {
    let javac = Command::new("javac").args(["-g", "-d"]).arg(folder.path()).args(sources).output();
    let javac = javac.expect("javac is installed (scripts/test.sh installs it)");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
}

fn lazuli(classes: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(root()).args(["check", "--jobs", "1", "-cp"]).arg(classes).args(options);
    command.output().expect("lazuli starts")
}

/// The reports on the targets that the options name.
fn reports(classes: &Path, options: &[&str]) -> Vec<Value> {
    let output = lazuli(classes, &[options, &["--format", "json", "--no-confirm"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stream = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let all: Vec<Value> = stream.map(|report| report.unwrap_or_else(|error| panic!("{error}: {told}"))).collect();
    assert!(!all.is_empty(), "{options:?}: {told}");
    all
}

fn report(classes: &Path, options: &[&str]) -> Value {
    reports(classes, options).pop().expect("there is one")
}

/// Kind and place of all that is wrong.
fn faults(report: &Value) -> BTreeSet<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let violations = report["violations"].as_array().expect("a report lists violations");
    violations.iter().map(|violation| (text(&violation["kind"]), text(&violation["at"]))).collect()
}

#[test]
fn the_subjects_of_table_3_keep_their_contracts() {
    let classes = compiled(&["taco"]);
    for (class, methods) in SUBJECTS {
        for method in methods {
            let target = format!("taco.{class}.{method}");
            let by_method = precondition(method);
            for (contract, scopes) in [(by_method, 1..=5), (&BY_JML[..], 1..=4)] {
                for scope in scopes {
                    let scope = scope.to_string();
                    let options = [&[target.as_str(), "--scope", &scope, "--time", "100s"], contract].concat();
                    let by_sat = report(classes.path(), &[&options[..], &["--engine", "sat"]].concat());
                    assert_eq!(by_sat["verdict"], "holds", "{options:?}: {}", by_sat["not_explored"]);
                    assert_eq!(by_sat["engine"], "sat");
                    if contract == by_method {
                        let by_paths = report(classes.path(), &options);
                        assert_eq!(by_paths["verdict"], "holds", "{options:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_defect_is_found_and_told_as_by_its_paths() {
    for defect in &DEFECTS {
        let classes = defect.compiled();
        let target = defect.target();
        let by_method = precondition(defect.method);
        for contract in [by_method, &BY_JML[..]] {
            let options = [&[target.as_str(), "--scope", defect.scope, "--time", "100s"], contract].concat();
            let by_sat = report(classes.path(), &[&options[..], &["--engine", "sat"]].concat());
            assert_eq!(by_sat["verdict"], "violated", "{options:?}, {}: {}", defect.wrong, by_sat["not_explored"]);
            if contract == by_method {
                let by_paths = report(classes.path(), &options);
                assert_eq!(faults(&by_sat), faults(&by_paths), "{options:?}, {}", defect.wrong);
            }
        }
    }
}

#[test]
fn the_other_subjects_get_the_verdict_that_their_paths_get() {
    let classes = compiled(&["bliss", "kiasan", "gse", "pli"]);
    let (mut decided, mut left) = (0, Vec::new());
    for class in [
        "bliss.AvlTree",
        "bliss.BinTree",
        "bliss.LinkedList",
        "bliss.TreeSet",
        "bliss.BinomialHeap",
        "gse.Node",
        "kiasan.MergeList",
        "kiasan.RedBlackTree",
        "kiasan.SearchTree",
        "kiasan.BinaryHeap",
        "pli.AvlTree",
        "pli.BinomialHeap",
        "pli.DictionaryInfo",
        "pli.LinkedList",
        "pli.LongTreeMap",
        "pli.TreeMap",
        "pli.TreeSet",
    ] {
        let options = [class, "--scope", "2", "--time", "60s"];
        let by_paths = reports(classes.path(), &options);
        let by_sat = reports(classes.path(), &[&options[..], &["--engine", "sat"]].concat());
        assert_eq!(by_sat.len(), by_paths.len(), "{class}");
        for (sat, paths) in by_sat.iter().zip(&by_paths) {
            if sat["verdict"] == "incomplete" {
                left.push(format!("{}: {}", sat["target"], sat["not_explored"]));
                continue;
            }
            decided += 1;
            assert_eq!((&sat["target"], &sat["verdict"]), (&paths["target"], &paths["verdict"]));
            assert_eq!(faults(sat), faults(paths), "{}", sat["target"]);
        }
    }
    assert!(decided >= 50, "only {decided} were decided:\n{}", left.join("\n"));
}

/// Says of what a method as one problem says no less than its paths do: nothing if something is left out.
fn compare(by_sat: &Value, by_paths: &Value) -> bool {
    let target = &by_paths["target"];
    assert_eq!(&by_sat["target"], target);
    let (found, all) = (faults(by_sat), faults(by_paths));
    let left = by_sat["not_explored"].as_array().expect("a report lists what was not explored");
    assert!(left.iter().all(|each| !each["why"].as_str().unwrap().contains("a bug in Lazuli")), "{target}: {left:?}");
    assert!(found.is_subset(&all), "{target}: {found:?}, but {all:?}");
    let agrees = by_sat["verdict"] == by_paths["verdict"] && found == all;
    assert!(
        agrees || !left.is_empty(),
        "{target}: {} {found:?}, but {} {all:?}",
        by_sat["verdict"],
        by_paths["verdict"]
    );
    assert!(agrees || by_sat["verdict"] != "holds", "{target}");
    agrees
}

/// Inputs of all kinds: arrays, texts, boxes, constants of enumerations, objects of static fields, of subclasses and of unknown classes.
#[test]
fn inputs_of_all_kinds_get_the_verdict_that_their_paths_get() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    compile(&folder, &[root().join("tests/sat/Corners.java")]);
    let options = ["Corners", "--scope", "2", "--time", "60s"];
    let by_paths = reports(folder.path(), &options);
    let by_sat = reports(folder.path(), &[&options[..], &["--engine", "sat"]].concat());
    assert_eq!(by_sat.len(), by_paths.len());
    let agreeing = by_sat.iter().zip(&by_paths).filter(|(sat, paths)| compare(sat, paths)).count();
    // Not: an object under two types that is changed by one of them, sets of numbers, texts and class objects that are known as objects only.
    assert!(agreeing + 5 >= by_sat.len(), "only {agreeing} of {} agree", by_sat.len());
}

#[test]
fn a_verdict_says_how_long_arrays_and_texts_are() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = folder.path().join("Long.java");
    let text = "public class Long {
        public static int count(int[] a) { int n = 0; if (a != null) { for (int x : a) { n++; } } return n; }
        public static int length(String s) { return s == null ? 0 : s.length(); } }";
    std::fs::write(&source, text).expect("it can be written");
    compile(&folder, &[source]);
    for (method, bound) in [("count", "2 elements in each array"), ("length", "2 characters in each string")] {
        let report = report(folder.path(), &[&format!("Long.{method}"), "--scope", "2", "--engine", "sat"]);
        assert_eq!(report["verdict"], "holds", "{}", report["not_explored"]);
        assert!(report["extent"].as_str().unwrap().contains(bound), "{}", report["extent"]);
    }
}

/// An object may have two interfaces as types of which neither extends the other.
#[test]
fn an_object_under_two_types_is_one_object() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = folder.path().join("Two.java");
    let text = "public class Two { interface I {} interface J {} static final class C implements I, J {}
        I i; J j;
        public boolean repOK() { return i != null && j != null; }
        public void same() { if (i == j) { throw new AssertionError(); } } }";
    std::fs::write(&source, text).expect("it can be written");
    compile(&folder, &[source]);
    for options in
        [&["--structure", "circuit"], &["--structure", "search"], &["--technique", "sat"], &["--engine", "sat"]]
    {
        let report = report(folder.path(), &[&["Two.same", "--scope", "2"], &options[..]].concat());
        assert_eq!(report["verdict"], "violated", "{options:?}");
    }
}

/// The fixtures whose paths are held to runs of the JVM on all inputs.
#[test]
fn fixtures_get_the_verdict_that_their_paths_get() {
    let mut sources = Vec::new();
    for folder in std::fs::read_dir(root().join("tests/check")).expect("the fixtures are there").flatten() {
        let files = std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.path());
        sources.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "java")));
    }
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    compile(&folder, &sources);
    let (mut agreeing, mut all) = (0, 0);
    for source in &sources {
        let text = std::fs::read_to_string(source).expect("it can be read");
        let directive = |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {name}: ")));
        let Some(target) = directive("target") else { continue };
        let options = [target, "--scope", directive("scope").unwrap_or("3"), "--time", "30s"];
        let by_paths = report(folder.path(), &options);
        let by_sat = report(folder.path(), &[&options[..], &["--engine", "sat"]].concat());
        agreeing += compare(&by_sat, &by_paths) as usize;
        all += 1;
    }
    assert!(all >= 159, "{all} fixtures");
    // Not: numbers with a point, most of the streams, random numbers.
    assert!(agreeing >= 140, "only {agreeing} of {all} agree");
}

#[test]
fn loops_that_may_run_longer_are_named() {
    let classes = compiled(&["taco"]);
    let options = ["taco.SLList.contains", "--scope", "4", "--engine", "sat", "--unroll"];
    let cut = report(classes.path(), &[&options[..], &["2"]].concat());
    assert_eq!(cut["verdict"], "incomplete");
    let left = &cut["not_explored"][0];
    assert_eq!(left["why"], "a loop may go round more than 2 times (--unroll)");
    assert!(left["where"].as_str().unwrap().starts_with("taco.SLList.contains(SLList.java:"), "{left}");
    for enough in ["5", "auto"] {
        let report = report(classes.path(), &[&options[..], &[enough]].concat());
        assert_eq!(report["verdict"], "holds", "{enough}: {}", report["not_explored"]);
    }
}

#[test]
fn what_is_found_fails_on_the_jvm() {
    let defect = DEFECTS.iter().find(|defect| defect.class == "TreeSet").expect("there is one");
    let classes = defect.compiled();
    let output = lazuli(classes.path(), &[&defect.target(), "--scope", "3", "--engine", "sat", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let violation = &report["violations"][0];
    assert_eq!(violation["confirmed_on_jvm"], true, "{}", violation["not_confirmed"]);
    assert!(violation["test"].as_str().unwrap().contains("@Test"));
}

#[test]
fn what_no_valid_input_can_do_is_no_verdict() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = folder.path().join("Never.java");
    let text =
        "public class Never { int n; boolean repOK() { return n > 0 && n < 0; } public int half() { return 1 / n; } }";
    std::fs::write(&source, text).expect("it can be written");
    compile(&folder, &[source]);
    let report = report(folder.path(), &["Never.half", "--engine", "sat"]);
    assert_eq!(report["verdict"], "incomplete");
    let why = report["not_explored"][0]["why"].as_str().unwrap();
    assert!(why.starts_with("no input within the bounds satisfies the invariant repOK()"), "{why}");
}

/// `n == a` has the same bits as `n.f` where `n` is one of the two, and is used where it is neither.
#[test]
fn values_with_the_same_bits_are_not_mixed_up() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = folder.path().join("Flag.java");
    let text = "public class Flag { static class N { boolean f; } N a; N b; N n;
        public boolean repOK() { return a != null && b != null && a != b; }
        public int told() {
            a.f = true; b.f = false;
            int told = 0;
            if (n == a || n == b) { told = n.f ? 1 : 2; }
            boolean isA = n == a;
            if (!isA && n == null) { told += 10; }
            if (!isA && n == null && told != 10 || isA && told != 1) { throw new AssertionError(); }
            if (n == null && told == 10) { throw new AssertionError(); }
            return told;
        } }";
    std::fs::write(&source, text).expect("it can be written");
    compile(&folder, &[source]);
    let options = ["Flag.told", "--scope", "3"];
    let (by_paths, by_sat) =
        (report(folder.path(), &options), report(folder.path(), &[&options[..], &["--engine", "sat"]].concat()));
    assert_eq!(faults(&by_sat), faults(&by_paths));
    assert_eq!(faults(&by_sat).len(), 1, "{}", by_sat["not_explored"]);
}

/// Numbers that are only compared have few bits, but enough for all that they are compared with.
#[test]
fn numbers_are_wide_enough_for_narrower_types() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = folder.path().join("Order.java");
    let text = "public class Order { char c; char d; int n; int k; long w;
        public void chars() { if (n > c && c > d) { throw new AssertionError(); } }
        public void bytes(byte a, byte b, int x) { if (x < a && a < b) { throw new AssertionError(); } }
        public void extremes() { if (n != Integer.MAX_VALUE && k > n && k != Integer.MAX_VALUE) { throw new AssertionError(); } }
        public void equal() { if (w == Integer.MAX_VALUE) { throw new AssertionError(); } }
        public void given(long x) { if (x < Integer.MIN_VALUE && w < x) { throw new AssertionError(); } }
        public void longs() { if (w > n && n > k && k > 1) { throw new AssertionError(); } } }";
    std::fs::write(&source, text).expect("it can be written");
    compile(&folder, &[source]);
    let found = reports(folder.path(), &["Order", "--scope", "1", "--engine", "sat"]);
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|report| report["verdict"] == "violated"), "{found:?}");
}

/// With any numbers for objects, and without tight bounds of fields, the problem is larger, and the answer is the same.
#[test]
fn what_makes_problems_small_changes_no_answer() {
    let economies = [
        &["--engine", "sat", "--no-symmetry-breaking"][..],
        &["--engine", "sat", "--no-tight-bounds"],
        &["--engine", "sat", "--no-symmetry-breaking", "--no-tight-bounds"],
    ];
    let classes = compiled(&["taco"]);
    let methods = ["SLList.remove", "BSTree.add", "TreeSet.insert", "BinHeap.decreaseKey"];
    let targets =
        methods.map(|method| (format!("taco.{method}"), precondition(method.rsplit('.').next().unwrap_or(""))));
    // The JDK's list has elements of which nothing is known but which is which.
    let list = ("java.util.LinkedList.add(Object)".to_string(), &BY_JML[..]);
    for (target, contract) in targets.iter().chain([&list]) {
        for scope in ["1", "2", "3"] {
            for economy in economies {
                let options = [&[target.as_str(), "--scope", scope, "--time", "100s"], *contract, economy].concat();
                let found = report(classes.path(), &options);
                assert_eq!(found["verdict"], "holds", "{options:?}: {}", found["not_explored"]);
            }
        }
    }
    // Every third: of each class one.
    for defect in DEFECTS.iter().step_by(3) {
        let classes = defect.compiled();
        let target = defect.target();
        let options =
            [&[target.as_str(), "--scope", defect.scope, "--time", "100s"], precondition(defect.method)].concat();
        let usual = faults(&report(classes.path(), &[&options[..], &["--engine", "sat"]].concat()));
        for economy in economies {
            let found = report(classes.path(), &[&options[..], economy].concat());
            assert_eq!(faults(&found), usual, "{options:?} {economy:?}, {}: {}", defect.wrong, found["not_explored"]);
        }
    }
}

/// Duties that call themselves are executed object by object: also if the method made objects, if objects are met twice, rightly or not, and if the duty does not end.
#[test]
fn duties_that_walk_over_objects_get_the_verdict_that_their_paths_get() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = folder.path().join("Walk.java");
    let text = "import java.util.*; public class Walk {
        static class Node { Node left; Node right; }
        Node root; int size;
        boolean repOK() { Set<Node> met = new HashSet<>(); return isTree(root, met) && met.size() == size; }
        private static boolean isTree(Node node, Set<Node> met) {
            return node == null || met.add(node) && isTree(node.left, met) && isTree(node.right, met);
        }
        public void grow() { Node node = new Node(); node.left = root; root = node; size++; }
        public void forget() { Node node = new Node(); node.left = root; root = node; }
        public void either(boolean left) {
            Node node;
            if (left) { node = new Node(); node.left = root; } else { node = new Node(); node.right = root; }
            root = node;
            size++;
        }
        public void mixed(boolean left) {
            Node one = new Node();
            Node node;
            if (left) { node = new Node(); node.left = one; } else { node = one; }
            node.right = root;
            root = node;
            size += left ? 2 : 1;
            if (left == (node == one)) { throw new AssertionError(); }
        }
        public void tie() { if (root != null) { root.left = root; } }
        public void share() { if (root != null) { root.right = root.left; } }
        public void touch() { size = size + 0; }
        boolean weighsTheSame() { return weight(root) == weight(root); }
        private static int weight(Node node) { return node == null ? 0 : 1 + weight(node.left) + weight(node.right); }
        boolean ends() { return walk(root) || true; }
        private static boolean walk(Node node) { return node != null && !walk(node); }
    }";
    std::fs::write(&source, text).expect("it can be written");
    compile(&folder, &[source]);
    for (options, expected) in [
        (&["Walk.grow"][..], "holds"),
        (&["Walk.forget"], "violated"),
        (&["Walk.either"], "holds"),
        (&["Walk.mixed"], "holds"),
        (&["Walk.tie"], "violated"),
        (&["Walk.share"], "violated"),
        (&["Walk.touch", "--post", "weighsTheSame"], "holds"),
        (&["Walk.touch", "--post", "ends"], "violated"),
    ] {
        for engine in ["sat", "paths"] {
            let found = report(folder.path(), &[options, &["--scope", "3", "--engine", engine]].concat());
            assert_eq!(found["verdict"], expected, "{options:?} {engine}: {}", found["not_explored"]);
        }
    }
}

/// Of a search tree with ten nodes there are sixteen thousand shapes, and a thousand ways down from the root.
#[test]
fn duties_grow_with_the_number_of_objects() {
    let classes = compiled(&["taco"]);
    let found = report(classes.path(), &["taco.BSTree.add", "--scope", "10", "--engine", "sat"]);
    assert_eq!(found["verdict"], "holds");
    let gates = found["problem"]["gates"].as_u64().expect("a size");
    assert!(gates < 60_000, "{gates} gates");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let classes = compiled(&["taco"]);
    for (options, expected) in [
        (&["--engine", "sat", "--paths"][..], "--paths speaks of paths, and --engine sat follows none"),
        (&["--engine", "paths", "--unroll", "auto"], "--unroll auto is for --engine sat"),
        (&["--no-symmetry-breaking"], "--no-symmetry-breaking is for --engine sat"),
        (&["--no-tight-bounds"], "--no-tight-bounds is for --engine sat"),
        (&["--engine", "smt"], "possible values: paths, sat"),
        (&["--engine", "sat", "--unroll", "often"], "write a number, or auto"),
    ] {
        let output = lazuli(classes.path(), &[&["taco.SLList.contains"], options].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{options:?}: {told}");
        assert!(told.contains(expected), "{options:?}: {told}");
    }
}
