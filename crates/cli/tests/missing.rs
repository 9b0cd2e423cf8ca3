//! How are classes reported that are missing, broken, newer than the JDK, or do not fit together? That is never a fault of the user's code, and told
//! with what to do.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const HOLDS: Option<i32> = Some(0);
const VIOLATED: Option<i32> = Some(1);
const WRONG_REQUEST: Option<i32> = Some(2);
const INCOMPLETE: Option<i32> = Some(3);

const ENGINES: [&str; 2] = ["paths", "sat"];

/// The offset of the major version in a class file.
const MAJOR: usize = 6;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

/// All classes.
fn complete() -> TempDir {
    common::compiled(&["tests/missing"], &[])
}

/// All but these.
fn without(missing: &[&str]) -> TempDir {
    let classes = complete();
    missing.iter().for_each(|class| std::fs::remove_file(file(&classes, class)).expect("it was compiled"));
    classes
}

/// All, but one of them changed.
fn changed(class: &str, change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let classes = complete();
    let mut bytes = std::fs::read(file(&classes, class)).expect("it was compiled");
    change(&mut bytes);
    std::fs::write(file(&classes, class), bytes).expect("it can be written");
    classes
}

/// All, but one of them compiled from another source than the others were.
fn replaced(class: &str, source: &str) -> TempDir {
    let (classes, other) = (complete(), tempfile::tempdir().expect("a scratch directory can be made"));
    let path = other.path().join(format!("{class}.java"));
    std::fs::write(&path, source).expect("it can be written");
    let javac = Command::new("javac").arg("-d").arg(classes.path()).arg(&path).status();
    assert!(javac.expect("javac is installed").success());
    classes
}

fn file(classes: &TempDir, class: &str) -> PathBuf {
    classes.path().join(format!("{class}.class"))
}

fn lazuli(classes: &TempDir, arguments: &[&str]) -> Output {
    let path = classes.path().display().to_string();
    let all = [&["check", "-cp", &path, "--no-confirm", "--jobs", "1"], arguments].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_lazuli")).args(all).output().expect("lazuli starts");
    assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
    output
}

/// The exit code, and the report as JSON.
fn check(classes: &TempDir, target: &str, options: &[&str]) -> (Option<i32>, Value) {
    let arguments = [&["--scope", "2", "--format", "json", target], options].concat();
    let output = lazuli(classes, &arguments);
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.unwrap_or_else(|error| panic!("{target} {options:?}: {error}: {}", stderr(&output))))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn why(report: &Value) -> &str {
    report["not_explored"][0]["why"].as_str().unwrap_or_else(|| panic!("nothing was left out: {report}"))
}

/// A path that needs a class ends there, under both engines; it is no violation.
fn assert_incomplete(classes: &TempDir, target: &str, expected: &str) {
    for engine in ENGINES {
        let (code, report) = check(classes, target, &["--engine", engine]);
        assert_eq!(
            (code, &report["violations"]),
            (INCOMPLETE, &Value::Array(Vec::new())),
            "{target} by {engine}: {report}"
        );
        assert!(why(&report).contains(expected), "{target} by {engine}: {}", why(&report));
    }
}

/// A target that cannot do without a class is refused.
fn assert_refused(classes: &TempDir, target: &str, expected: &[&str]) {
    for engine in ENGINES {
        let (code, report) = check(classes, target, &["--engine", engine]);
        assert_eq!(code, WRONG_REQUEST, "{target} by {engine}: {report}");
        let error = report["error"].as_str().unwrap_or_else(|| panic!("{target}: {report}"));
        expected.iter().for_each(|part| assert!(error.contains(part), "{target}: {part} in {error}"));
    }
}

fn assert_verdict(classes: &TempDir, target: &str, expected: Option<i32>) -> Value {
    for engine in ENGINES {
        let (code, report) = check(classes, target, &["--engine", engine]);
        assert_eq!(code, expected, "{target} by {engine}: {report}");
    }
    check(classes, target, &[]).1
}

#[test]
fn a_method_that_does_not_use_a_missing_class_gets_its_verdict() {
    let classes = without(&["Sub"]);
    assert_verdict(&classes, "User.divide", VIOLATED);
    assert_verdict(&classes, "User.order", VIOLATED);
    let report = assert_verdict(&classes, "User.compare", HOLDS);
    // An input may have been of a class that is there and cannot be loaded.
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("1 class of the class path cannot be loaded") && warning.contains("Below (needs Sub)"));
}

#[test]
fn a_path_that_needs_a_missing_class_is_not_explored() {
    let classes = without(&["Sub"]);
    let expected = "a class that the path needs is missing: Sub; add it to -cp";
    for target in ["User.either", "User.catchesAll", "User.readsField"] {
        assert_incomplete(&classes, target, expected);
    }
    // A program that asks whether a class is there gets its answer.
    let (code, report) = check(&classes, "User.asks", &[]);
    assert_eq!((code, &report["violations"][0]["kind"]), (VIOLATED, &"ArithmeticException".into()));
}

#[test]
fn a_missing_class_does_not_hide_a_fault_under_a_contract() {
    let classes = without(&["Sub"]);
    let spec = folder("missing/spec").display().to_string();
    for engine in ENGINES {
        let (code, report) = check(&classes, "User.order", &["--spec", &spec, "--engine", engine]);
        assert_eq!((code, &report["violations"][0]["kind"]), (VIOLATED, &"ArrayIndexOutOfBoundsException".into()));
        assert!(why(&report).contains("is missing: Sub"), "{}", why(&report));
    }
}

#[test]
fn a_target_that_needs_a_missing_class_is_refused() {
    let classes = without(&["Sub"]);
    let expected = ["it needs Sub, which is not on the class path", "-cp"];
    for target in ["User.takes", "User.gives", "Started.same", "Below.divide"] {
        assert_refused(&classes, target, &expected);
    }
    let below = file(&classes, "Below").display().to_string();
    assert_refused(&classes, "Below.divide", &[&below]);
    assert_refused(&without(&["Face"]), "Faced.two", &["it needs Face"]);
    // A call that makes inputs.
    let made = ["--technique", "driver", "--build", "takes"];
    let (code, report) = check(&classes, "User.compare", &made);
    assert_eq!(code, WRONG_REQUEST, "{report}");
    assert!(report["error"].as_str().is_some_and(|error| error.contains("it needs Sub")), "{report}");
}

#[test]
fn a_missing_interface_matters_where_it_is_asked_for() {
    let classes = without(&["Face"]);
    assert_verdict(&classes, "User.compare", HOLDS);
    let (code, report) = check(&classes, "User.tests", &[]);
    assert_eq!(code, INCOMPLETE);
    assert!(why(&report).contains("is missing: Face"), "{}", why(&report));
}

#[test]
fn a_missing_exception_matters_where_one_is_caught() {
    let classes = without(&["Unchecked", "Checked"]);
    assert_incomplete(&classes, "User.catchesOwn", "is missing: Unchecked");
    assert_verdict(&classes, "User.declares", HOLDS);
    assert_verdict(&classes, "User.divide", VIOLATED);
}

#[test]
fn a_missing_annotation_does_not_matter() {
    let report = assert_verdict(&without(&["Mark"]), "Marked.divide", VIOLATED);
    assert!(report["warnings"].is_null(), "{report}");
}

#[test]
fn a_class_that_is_newer_than_the_jdk_is_told_with_both_versions() {
    let newer = |bytes: &mut Vec<u8>| bytes[MAJOR..MAJOR + 2].copy_from_slice(&99_u16.to_be_bytes());
    let classes = changed("Sub", newer);
    let versions = ["Sub (in ", "version 99.0", "reads versions up to", "JAVA_HOME"];
    assert_refused(&classes, "User.takes", &versions);
    assert_incomplete(&classes, "User.catchesAll", "has version 99.0");
    assert_verdict(&classes, "User.divide", VIOLATED);
    assert_refused(&changed("User", newer), "User.divide", &["User (in ", "version 99.0", "JAVA_HOME"]);
}

#[test]
fn a_truncated_class_file_is_named() {
    let classes = changed("Sub", |bytes| bytes.truncate(bytes.len() / 2));
    assert_refused(&classes, "User.takes", &["Sub: broken class file", "Sub.class", "Compile it again"]);
    assert_incomplete(&classes, "User.catchesAll", "is broken: Sub: broken class file");
    assert_verdict(&classes, "User.divide", VIOLATED);
    let classes = changed("User", |bytes| bytes.truncate(bytes.len() / 2));
    assert_refused(&classes, "User.divide", &["User: broken class file", "Compile it again"]);
}

#[test]
fn classes_of_different_sources_are_no_fault_of_the_code() {
    let expected = "do not fit together: there is no method 'int Helper.twice(int)'";
    assert_incomplete(&replaced("Helper", "class Helper { long field; }"), "User.callsHelper", expected);
    assert_incomplete(
        &replaced("Helper", "class Helper { long field; }"),
        "User.readsHelper",
        "there is no field field",
    );
    let source = "class Helper { int twice(int x) { return x; } }";
    assert_incomplete(&replaced("Helper", source), "User.callsHelper", "is not static");
    let source = "abstract class Helper { int field; }";
    assert_incomplete(&replaced("Helper", source), "User.readsHelper", "do not fit together");
}

#[test]
fn what_the_jvm_cannot_load_is_not_called_a_disagreement() {
    for missing in ["Sub", "Unchecked"] {
        let classes = without(&[missing]);
        let path = classes.path().display().to_string();
        let arguments = ["check", "-cp", &path, "--scope", "1", "--format", "json", "User.divide"];
        let output = Command::new(env!("CARGO_BIN_EXE_lazuli")).args(arguments).output().expect("lazuli starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report is JSON");
        let why = report["violations"][0]["not_confirmed"].as_str().unwrap_or_default();
        assert!(why.contains(missing) && why.contains("not on the class path"), "{report}");
        assert!(!stderr(&output).contains("disagrees"), "{}", stderr(&output));
    }
}

/// The name of a method is not taken for the name of a limit.
#[test]
fn a_native_method_called_memory_does_not_end_the_deepening() {
    let output = lazuli(&complete(), &["--format", "json", "--time", "60s", "Chain.walk"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report is JSON");
    assert_eq!(output.status.code(), VIOLATED, "the fault needs four objects: {report}");
    assert_eq!(report["not_explored"][0]["why"], "Chain.memory()I");
}

#[test]
fn there_is_always_a_json_report() {
    let classes = without(&["Sub"]);
    // One target of several: the others are checked.
    let output = lazuli(&classes, &["--scope", "1", "--format", "json", "User.takes", "User.compare", "User.gives"]);
    assert_eq!(output.status.code(), WRONG_REQUEST);
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let reports: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(reports.len(), 3, "{text}");
    assert!(reports[0]["error"].is_string() && reports[0]["title"] == "User.takes(Sub)", "{text}");
    assert!(reports[1]["error"].is_null() && reports[1]["verdict"] == "holds", "{text}");
    assert!(reports[2]["error"].is_string() && reports[2]["target"] == "User.gives()LSub;", "{text}");
    // The whole request.
    for wrong in [&["Nothing.here"][..], &["User.compare", "--pre", "nothing"], &["User.compare", "--spec", "/no/such"]]
    {
        let output = lazuli(&classes, &[&["--format", "json"], wrong].concat());
        let report: Value = serde_json::from_slice(&output.stdout).expect("a refusal is JSON too");
        assert_eq!(output.status.code(), WRONG_REQUEST, "{wrong:?}");
        let error = report["error"].as_str().unwrap_or_else(|| panic!("{wrong:?}: {report}"));
        assert!(stderr(&output).contains(error), "{wrong:?}: {error}");
    }
    // In a file, in the place of an older report.
    let path = classes.path().join("report.json");
    std::fs::write(&path, "older, and much longer than what comes now ".repeat(100)).expect("it can be written");
    lazuli(&classes, &["--format", "json", "-o", &path.display().to_string(), "Nothing.here"]);
    let report: Value = serde_json::from_slice(&std::fs::read(&path).expect("it is there")).expect("it is JSON");
    assert!(report["error"].as_str().is_some_and(|error| error.contains("Nothing")), "{report}");
    // Limits.
    let output = lazuli(&classes, &["--format", "json", "--time", "1ms", "User.compare"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report that was cut short is JSON");
    assert!(report["verdict"] == "incomplete" || report["error"].is_string(), "{report}");
}
