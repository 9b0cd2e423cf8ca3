//! Do faults that share a JVM get the answers that they would get alone, and soon?

#[path = "common/junit.rs"]
#[allow(dead_code)]
mod junit;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compiles sources.
fn compiled(files: &[PathBuf]) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    junit::javac("", directory.path(), files);
    let path = directory.path().display().to_string();
    (directory, path)
}

/// The reports of targets of one run, and how long it took.
fn check(class_path: &str, targets: &[&str], options: &[&str]) -> (Vec<Value>, Duration) {
    let begin = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp", class_path, "--format", "json", "--time", "120s"]).args(options).args(targets);
    let output = command.output().expect("lazuli starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let reports = serde_json::Deserializer::from_str(&said).into_iter();
    let reports = reports.map(|report| {
        report.unwrap_or_else(|_| panic!("{targets:?}: {said}{}", String::from_utf8_lossy(&output.stderr)))
    });
    let reports = reports.collect();
    (reports, begin.elapsed())
}

fn kinds(report: &Value) -> Vec<(String, Value)> {
    let violations = report["violations"].as_array().expect("a list").iter();
    violations
        .map(|violation| {
            (violation["kind"].as_str().unwrap_or_default().to_string(), violation["confirmed_on_jvm"].clone())
        })
        .collect()
}

/// Code that leaves properties, static fields and output behind, or overflows a stack, in three packages.
#[test]
fn faults_that_share_a_jvm_do_not_notice_one_another() {
    let files = ["Odd.java", "one/Same.java", "two/Same.java"].map(|file| root().join("tests/confirm").join(file));
    let (_directory, class_path) = compiled(&files);
    let expected = [
        ("Odd.counts", "ArithmeticException"),
        ("Odd.finds", "AssertionError"),
        ("Odd.sets", "ArithmeticException"),
        ("Odd.prints", "ArithmeticException"),
        ("Odd.overflows", "StackOverflowError"),
        ("one.Same.half", "ArithmeticException"),
        ("one.Same.pick", "ArrayIndexOutOfBoundsException"),
        ("two.Same.half", "ArithmeticException"),
        ("two.Same.pick", "ArrayIndexOutOfBoundsException"),
    ];
    let targets = expected.map(|(target, _)| target);
    let (reports, _) = check(&class_path, &targets, &[]);
    assert_eq!(reports.len(), expected.len());
    for ((target, kind), report) in expected.iter().zip(&reports) {
        let found = kinds(report);
        assert!(found.contains(&(kind.to_string(), Value::Bool(true))), "{target}: {found:?} {report}");
    }
}

/// Exceptions are made by their constructors; an order that differs from run to run hinders only what depends on it.
#[test]
fn exceptions_are_made_and_orders_hinder_only_what_depends_on_them() {
    let (_directory, class_path) = compiled(&[root().join("tests/confirm/Given.java")]);
    let confirmed = ["any", "rethrown", "priced", "summed", "named", "first"];
    let targets = confirmed.map(|name| format!("Given.{name}"));
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let (reports, _) = check(&class_path, &targets, &[]);
    assert_eq!(reports.len(), confirmed.len());
    for (name, report) in confirmed.iter().zip(&reports) {
        let is_confirmed = *name != "first";
        let expected = vec![("AssertionError".to_string(), Value::Bool(is_confirmed))];
        let found: Vec<_> = kinds(report).into_iter().map(|(kind, value)| (kind, Value::Bool(value == true))).collect();
        assert_eq!(found, expected, "{name}: {report}");
    }
}

/// Confirming costs little more than starting a JVM once.
#[test]
fn twenty_faults_are_confirmed_in_one_jvm() {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let source = directory.path().join("Twenty.java");
    let methods: Vec<String> =
        (0..20).map(|number| format!("int m{number}(int x) {{ return 1 / (x - {number}); }}")).collect();
    std::fs::write(&source, format!("class Twenty {{ {} }}", methods.join("\n"))).unwrap();
    let (_compiled, class_path) = compiled(&[source]);
    let targets: Vec<String> = (0..20).map(|number| format!("Twenty.m{number}")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let (reports, with) = check(&class_path, &targets, &[]);
    for report in &reports {
        assert_eq!(kinds(report), [("ArithmeticException".to_string(), Value::Bool(true))], "{report}");
    }
    let (one, once) = check(&class_path, &targets[..1], &[]);
    assert_eq!(kinds(&one[0]).len(), 1);
    // Each alone would take as long as the first.
    assert!(with < once * 10, "{with:?} for twenty, {once:?} for one");
}
