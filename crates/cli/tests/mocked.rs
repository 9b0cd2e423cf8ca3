//! Is a method right for every code that is not there: services that it gets, callbacks, comparators?
//!
//! A fixture is one Java file below `tests/mocked`. `support/Answers.java` tries every small implementation of the interfaces that its public methods get, on the
//! JVM. Each fault that it finds must be one of Lazuli's, at the same line; each of Lazuli's must be confirmed on the JVM by its own test, and stand in a line
//! of the fixture that ends with `//: KIND`; its test for JUnit compiles and fails; and a method without faults holds.

mod common;
#[path = "common/junit.rs"]
mod junit;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mocked")
}

fn check(classes: &Path, target: &str, options: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "--time", "120s", "--format", "json", "-cp"]).arg(classes);
    let output = command.args(options).arg(target).output().expect("lazuli starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{target}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The faults of a report as the fixture names them: `ArithmeticException@15`, `repOK`.
fn found(report: &Value) -> BTreeSet<String> {
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    let told = |violation: &Value| {
        let (kind, at) = (violation["kind"].as_str().unwrap_or(""), violation["at"].as_str().unwrap_or(""));
        match at.rsplit_once(".java:") {
            Some((_, line)) if kind.contains("Exception") || kind.contains("Error") => format!("{kind}@{line}"),
            _ => "repOK".to_string(),
        }
    };
    violations.iter().map(told).collect()
}

/// The faults that a fixture announces.
fn announced(source: &str) -> BTreeSet<String> {
    let lines = source.lines().enumerate();
    let told = lines.filter_map(|(at, line)| Some((at + 1, line.split_once("//: ")?.1.trim())));
    told.map(|(line, kind)| if kind == "repOK" { kind.to_string() } else { format!("{kind}@{line}") }).collect()
}

/// The faults that brute force finds, method by method.
fn by_brute_force(classes: &Path, words: &[&str]) -> Vec<(String, BTreeSet<String>)> {
    let output = Command::new("java").args(["-ea", "-cp"]).arg(classes).arg("Answers").args(words).output();
    let output = output.expect("java starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = |line: &str| {
        let (method, faults) = line.split_once(": ").or(line.split_once(':'))?;
        Some((method.to_string(), faults.split_whitespace().map(str::to_string).collect()))
    };
    text.lines().filter_map(told).collect()
}

#[test]
fn brute_force_over_small_implementations_agrees() {
    let mut sources: Vec<PathBuf> = std::fs::read_dir(fixtures())
        .expect("the fixtures are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    sources.sort();
    let mut all = sources.clone();
    all.push(fixtures().join("support/Answers.java"));
    let compiled = common::compiled(&[], &all);
    let tests = tempfile::tempdir().expect("there is room");
    let mut written = 0;
    for source in sources {
        let class = source.file_stem().expect("a file").to_string_lossy().into_owned();
        let announced = announced(&std::fs::read_to_string(&source).expect("the fixture can be read"));
        let mut told: BTreeSet<String> = BTreeSet::new();
        for (method, expected) in by_brute_force(compiled.path(), &[&class]) {
            let target = format!("{class}.{method}");
            // The second one delays what comparisons compare.
            for options in [&["--scope", "3"][..], &["--scope", "3", "--technique", "kiasan"]] {
                // Arrays are of any length there, and code that is not there gets only such whose length is known.
                if class == "Filled" && options.contains(&"kiasan") {
                    continue;
                }
                let report = check(compiled.path(), &target, options);
                assert_eq!(found(&report), expected, "{target} {options:?}: {report:#}");
                let verdict = if expected.is_empty() { "holds" } else { "violated" };
                assert_eq!(report["verdict"], verdict, "{target} {options:?}: {report:#}");
                for violation in report["violations"].as_array().into_iter().flatten() {
                    assert_eq!(violation["confirmed_on_jvm"], true, "{target} {options:?}: {violation:#}");
                    written += 1;
                    write_test(tests.path(), violation, written);
                }
            }
            told.extend(expected);
        }
        assert_eq!(told, announced, "{class} announces what is wrong with it");
    }
    let result = junit::run_suite(&compiled.path().display().to_string(), tests.path());
    assert_eq!((result.passed, result.failed.len()), (0, written), "{result:?}");
}

/// Writes the test of a violation, under a name of its own.
fn write_test(folder: &Path, violation: &Value, number: usize) {
    let test = violation["test"].as_str().unwrap_or_else(|| panic!("a test: {violation:#}"));
    let class = test.split("\nclass ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a class");
    let name = format!("Fault{number}Test");
    std::fs::write(folder.join(format!("{name}.java")), test.replace(class, &name)).expect("it can be written");
}

#[test]
fn code_that_holds_all_inputs_may_change_them() {
    let compiled = common::compiled(&[], &[fixtures().join("Stockroom.java"), fixtures().join("support/Answers.java")]);
    let mut changed = Vec::new();
    for (method, expected) in by_brute_force(compiled.path(), &["Stockroom", "all"]) {
        let report = check(compiled.path(), &format!("Stockroom.{method}"), &["--scope", "3", "--havoc", "all"]);
        assert_eq!(found(&report), expected, "{method}: {report:#}");
        for violation in report["violations"].as_array().into_iter().flatten() {
            assert_eq!(violation["confirmed_on_jvm"], true, "{method}: {violation:#}");
        }
        let assumptions = report["assumptions"].to_string();
        assert!(!assumptions.contains("nothing but what it was handed"), "{method}: {assumptions}");
        if !expected.is_empty() {
            changed.push(method);
        }
    }
    assert!(changed.contains(&"keptByCaller".to_string()), "{changed:?}");
}

#[test]
fn a_method_that_is_assumed_to_be_pure_changes_nothing() {
    let compiled = common::compiled(&[], &[fixtures().join("Stockroom.java")]);
    let report = check(compiled.path(), "Stockroom.saved", &["--scope", "3", "--assume-pure", "Repository.save"]);
    assert_eq!(report["verdict"], "holds", "{report:#}");
    let assumptions = report["assumptions"].as_array().cloned().unwrap_or_default();
    let told: Vec<&str> = assumptions.iter().filter_map(Value::as_str).collect();
    assert!(told.contains(&"Repository.save changes nothing"), "{told:?}");
}

/// An order survives what is written outside of the elements (Kiasan, section 2, point 4).
#[test]
fn an_order_stays_the_same_until_an_element_is_written() {
    let compiled = common::compiled(&[], &[fixtures().join("kiasan/TypedMerge.java")]);
    for technique in ["precise", "kiasan"] {
        let verdict = |method: &str| {
            let target = format!("TypedMerge.{method}");
            check(compiled.path(), &target, &["--scope", "Node=4,Element=3", "--technique", technique])
        };
        for method in ["writesNodes", "writesOther"] {
            let report = verdict(method);
            assert_eq!(report["verdict"], "holds", "{method} {technique}: {report:#}");
        }
        let report = verdict("writesElement");
        assert_eq!(report["verdict"], "violated", "{technique}: {report:#}");
        assert_eq!(report["violations"][0]["confirmed_on_jvm"], true, "{technique}: {report:#}");
    }
}

#[test]
fn the_merge_of_kiasan_is_checked_with_a_comparator_that_is_not_there() {
    let compiled = common::compiled(&[], &[fixtures().join("kiasan/Merge.java")]);
    for method in ["staysSorted", "addsUp"] {
        let report = check(compiled.path(), &format!("Merge.{method}"), &["--scope", "4"]);
        assert_eq!(report["verdict"], "holds", "{method}: {report:#}");
        let assumptions = report["assumptions"].to_string();
        assert!(assumptions.contains("Comparator.compare is a total order"), "{assumptions}");
    }
    let report = check(compiled.path(), "Merge.inverted", &["--scope", "4"]);
    assert_eq!(report["verdict"], "violated", "{report:#}");
    assert_eq!(report["violations"][0]["confirmed_on_jvm"], true, "{report:#}");
}
