//! Does the technique `kiasan` find what its paper finds, on arrays of any length, and where code that is not there orders objects?

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn subject(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/kiasan").join(name)
}

fn run(classes: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "--time", "60s", "--format", "json", "-cp"]).arg(classes);
    command.args(words.split_whitespace()).output().expect("lazuli starts")
}

fn check(classes: &Path, words: &str) -> Value {
    let output = run(classes, &format!("{words} --technique kiasan"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{words}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Compiles a subject in which one line is another one.
fn changed(file: &str, line: &str, into: &str) -> tempfile::TempDir {
    let source = std::fs::read_to_string(subject(file)).expect("the subject can be read");
    assert!(source.contains(line), "{file} has no {line}");
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join(file);
    std::fs::write(&path, source.replacen(line, into, 1)).expect("it can be written");
    common::compiled(&[], &[path])
}

fn source(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("Arrays.java");
    std::fs::write(&path, text).expect("it can be written");
    common::compiled(&[], &[path])
}

fn is_violated_and_confirmed(report: &Value) {
    assert_eq!(report["verdict"], "violated", "{report:#}");
    assert_eq!(report["violations"][0]["confirmed_on_jvm"], true, "{report:#}");
}

#[test]
fn a_seeded_error_in_red_black_trees_is_found_for_ints_and_for_a_comparator() {
    let (line, into) = ("if (colorOf(sibling) == RED) {", "if (colorOf(sibling) == BLACK) {");
    let classes = changed("RedBlackTree.java", line, into);
    is_violated_and_confirmed(&check(classes.path(), "kiasan.RedBlackTree.remove --k 2"));
    let classes = changed("ComparatorRedBlackTree.java", line, into);
    is_violated_and_confirmed(&check(classes.path(), "kiasan.ComparatorRedBlackTree.remove --pre given --k 2"));
}

#[test]
fn an_inverted_comparison_is_found() {
    let (line, into) = ("order.compare(one.data, two.data) < 0", "order.compare(one.data, two.data) > 0");
    let classes = changed("ComparatorMerge.java", line, into);
    is_violated_and_confirmed(&check(
        classes.path(),
        "kiasan.ComparatorMerge.merge --pre mergeable --post merged --k 3",
    ));
}

#[test]
fn sorting_objects_that_may_be_null_throws() {
    let classes = common::compiled(&[], &[subject("ComparableSort.java")]);
    let report = check(classes.path(), "kiasan.ComparableSort.sort --pre isThere --k 2");
    let told = report["violations"].as_array().into_iter().chain(report["findings"].as_array()).flatten();
    let kinds: Vec<&str> = told.filter_map(|told| told["what"].as_str().or(told["kind"].as_str())).collect();
    assert!(kinds.iter().any(|kind| kind.contains("NullPointerException")), "{report:#}");
    let report = check(classes.path(), "kiasan.ComparableSort.sort --pre given --post sorted --k 2");
    assert_eq!(report["verdict"], "holds", "{report:#}");
    assert!(report["assumptions"].to_string().contains("Comparable.compareTo is a total order"), "{report:#}");
}

#[test]
fn touched_elements_are_bounded_and_not_the_length() {
    let classes = source(
        "public class Arrays {
    public static int last(int[] a) {
        return a != null && a.length == 1000 && a[999] == 7 ? 1 / (a.length - 1000) : 0;
    }
    public static int three(int[] a) {
        return a != null && a.length > 40 && a[2] == a[40] && a[7] == 1 ? 1 / (a[7] - 1) : 0;
    }
}",
    );
    is_violated_and_confirmed(&check(classes.path(), "Arrays.last --k 1"));
    let report = check(classes.path(), "Arrays.three --k 2");
    assert_eq!(report["verdict"], "holds", "{report:#}");
    let extent = report["extent"].as_str().unwrap_or_default();
    assert!(extent.contains("at most 2 elements touched in each array"), "{extent}");
    is_violated_and_confirmed(&check(classes.path(), "Arrays.three --k 2 --array 3"));
    let output = run(classes.path(), "Arrays.last --array 3");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--technique kiasan"), "{output:?}");
}

/// The bound is one of inputs: a path through an array that the method or the library makes is not cut off by it.
#[test]
fn elements_of_arrays_that_the_run_makes_are_not_bounded() {
    let classes = source(
        "class Made {
    enum Colour { RED, GREEN }
    public static void named(String name) {
        if (name != null) Colour.valueOf(name);
    }
    public static int copied(int n) {
        if (n < 0 || n > 9) return 0;
        byte[] all = new byte[n + 10];
        System.arraycopy(new byte[] {1, 2, 3, 4, 5}, 0, all, n, 5);
        return 1 / (all[n + 4] - 5);
    }
}",
    );
    for method in ["named", "copied"] {
        is_violated_and_confirmed(&check(classes.path(), &format!("Made.{method} --scope 3")));
    }
}

/// The mistakes of ESC/Java's Bag: no array, no element, and one element too many.
#[test]
fn the_mistakes_of_the_bag_are_found() {
    let found = |classes: &Path, words: &str| -> Vec<String> {
        let report = check(classes, &format!("kiasan.Bag.extractMin --k 2 {words}"));
        let all = report["violations"].as_array().into_iter().flatten();
        all.map(|violation| {
            assert_eq!(violation["confirmed_on_jvm"], true, "{violation:#}");
            violation["kind"].as_str().unwrap_or_default().to_string()
        })
        .collect()
    };
    let classes = common::compiled(&[], &[subject("Bag.java")]);
    assert!(found(classes.path(), "--pre notEmpty").is_empty());
    assert_eq!(found(classes.path(), ""), ["ArrayIndexOutOfBoundsException"]);
    let classes = changed("Bag.java", "i < size", "i <= size");
    assert_eq!(found(classes.path(), "--pre notEmpty"), ["ArrayIndexOutOfBoundsException"]);
    let classes = changed("Bag.java", "elements != null && 0 <= size && size <= elements.length", "0 <= size");
    assert!(found(classes.path(), "--pre notEmpty").contains(&"NullPointerException".to_string()));
}
