//! Are times, random numbers, hash codes and the like inputs of a check, and does the verdict name those that are not?

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The fixture, compiled once.
fn classes() -> &'static str {
    static CLASSES: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = CLASSES.get_or_init(|| {
        let outside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ambient/Outside.java");
        let directory = common::compiled(&[], &[outside]);
        let path = directory.path().display().to_string();
        (directory, path)
    });
    path
}

fn report(method: &str, options: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp", classes(), "--time", "30s", "--scope", "2", "--format", "json"]);
    command.arg(format!("Outside.{method}")).args(options);
    let output = command.output().expect("lazuli starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{method}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The methods of the fixture whose names begin so.
fn methods(prefix: &str) -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ambient/Outside.java");
    let source = std::fs::read_to_string(source).expect("the fixture can be read");
    let start = format!("public static void {prefix}");
    let names = source.lines().filter_map(|line| line.trim().strip_prefix(&start)?.split('(').next());
    names.map(|name| format!("{prefix}{name}")).collect()
}

fn assumptions(report: &Value) -> Vec<String> {
    let listed = report["assumptions"].as_array().cloned().unwrap_or_default();
    listed.iter().map(|text| text.as_str().expect("an assumption is a text").to_string()).collect()
}

#[test]
fn an_order_of_initialisers_that_matters_is_named() {
    for method in ["orderOfCircle", "orderOfNumbers", "anyOrder"] {
        let report = report(method, &[]);
        assert_eq!(report["verdict"], "holds", "{method}: {report}");
        let is_named = assumptions(&report).iter().any(|text| text.contains("are initialised in the order"));
        assert_eq!(is_named, method != "anyOrder", "{method}: {report}");
    }
}

#[test]
fn what_may_fail_is_violated_and_never_called_a_bug() {
    let methods = methods("may");
    assert!(methods.len() > 15, "{methods:?}");
    for method in methods {
        let report = report(&method, &[]);
        assert_eq!(report["verdict"], "violated", "{method}: {report}");
        let violation = &report["violations"][0];
        let why = violation["not_confirmed"].as_str().unwrap_or_default();
        assert!(why.contains("which no program can choose"), "{method}: {violation}");
    }
}

#[test]
fn what_cannot_fail_holds() {
    for method in methods("never") {
        let report = report(&method, &["--no-confirm"]);
        assert_eq!((&report["verdict"], assumptions(&report)), (&json!("holds"), Vec::new()), "{method}");
    }
}

#[test]
fn values_of_one_run_are_assumed() {
    let options = ["--ambient", "concrete", "--no-confirm"];
    let [order, reverse] = ["mayOrder", "mayReverse"].map(|method| report(method, &options));
    let mut verdicts = [&order, &reverse].map(|report| report["verdict"].as_str().unwrap_or_default());
    verdicts.sort();
    assert_eq!(verdicts, ["holds", "violated"], "one run has one order");
    // The class has a random generator, whose seed is a time.
    let time = "System.nanoTime() is as in one run";
    for report in [order, reverse] {
        assert_eq!(assumptions(&report), [time, "the order of Set.of and Map.of is as in one run"]);
    }
    let hash = report("mayHash", &options);
    assert_eq!(assumptions(&hash), [time, "identity hash codes are as in one run"]);
}

#[test]
fn what_stays_concrete_is_named() {
    let hashed = "the order of hash tables whose keys have identity hash codes is as in one run";
    let thread = "the current thread is a main thread that is not interrupted and holds no locks";
    let stack = "no other method is on the stack below";
    for (method, told) in [
        ("interrupted", thread),
        ("named", thread),
        ("locked", thread),
        ("daemon", thread),
        ("slept", thread),
        ("deep", stack),
        ("walked", stack),
        ("walk", hashed),
        ("sides", hashed),
        ("lower", "the default locale is that of this machine"),
        ("home", "the system property user.home is that of this machine"),
        ("mayClock", "clocks show a time from 1970 to 9999"),
    ] {
        assert_eq!(assumptions(&report(method, &["--no-confirm"])), [told], "{method}");
    }
}

#[test]
fn what_is_only_printed_is_not_assumed() {
    assert_eq!(assumptions(&report("printed", &["--no-confirm"])), Vec::<String>::new());
}

#[test]
fn what_cannot_be_unknown_is_incomplete() {
    assert_eq!(report("all", &["--no-confirm"])["verdict"], "incomplete");
}

#[test]
fn standard_input_has_any_bytes_up_to_the_scope() {
    let report = report("read", &["--no-confirm"]);
    assert_eq!(report["verdict"], "holds");
    assert_eq!(report["extent"], "every input with at most 2 bytes of standard input");
    assert_eq!(report["paths"], 3);
}

#[test]
fn a_fault_that_does_not_depend_on_it_is_confirmed() {
    let report = report("message", &[]);
    assert_eq!(report["violations"][0]["confirmed_on_jvm"], json!(true), "{report}");
    assert_eq!(assumptions(&report), Vec::<String>::new());
}
