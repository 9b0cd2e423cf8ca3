//! Is a call by contract as good as every implementation that keeps the contract, and no better?
//!
//! A fixture is one Java file below `tests/contracts`, with services whose contracts stand in JML, and the same in Java (`Contracts`). `tests/mocked/support/Answers.java` tries
//! every small implementation that keeps them, on the JVM. Each fault that it finds must be one of Lazuli's, at the same line, and confirmed by Lazuli's own test;
//! Lazuli must find no others; and a method without faults holds, with the contracts on which that rests among its assumptions.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contracts")
}

fn lazuli(words: &[&str], classes: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(words).args(["--time", "120s", "--source"]).arg(fixtures()).arg("-cp").arg(classes);
    command.output().expect("lazuli starts")
}

fn check(classes: &Path, target: &str, options: &[&str]) -> Value {
    let output = lazuli(&[&["check", "--fresh", "--format", "json", target], options].concat(), classes);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{target}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The faults of a report as a fixture names them: `precondition@15`.
fn found(report: &Value) -> BTreeSet<String> {
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    let told = |violation: &Value| {
        let line = violation["at"].as_str().and_then(|at| at.rsplit_once(':')).map_or("", |(_, line)| line);
        format!("{}@{line}", violation["kind"].as_str().unwrap_or(""))
    };
    violations.iter().map(told).collect()
}

/// The faults that a fixture announces.
fn announced(source: &str) -> BTreeSet<String> {
    let lines = source.lines().enumerate();
    lines.filter_map(|(at, line)| Some(format!("{}@{}", line.split_once("//: ")?.1.trim(), at + 1))).collect()
}

/// The faults of implementations that keep the contracts, method by method.
fn by_brute_force(classes: &Path, words: &[&str]) -> Vec<(String, BTreeSet<String>)> {
    let output = Command::new("java").args(["-ea", "-cp"]).arg(classes).arg("Answers").args(words).output();
    let output = output.expect("java starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let told = |line: &str| {
        let (method, faults) = line.split_once(": ").or(line.split_once(':'))?;
        Some((method.to_string(), faults.split_whitespace().map(str::to_string).collect()))
    };
    String::from_utf8_lossy(&output.stdout).lines().filter_map(told).collect()
}

fn compiled(names: &[&str]) -> tempfile::TempDir {
    let mut all: Vec<PathBuf> = names.iter().map(|name| fixtures().join(name)).collect();
    all.push(fixtures().join("../mocked/support/Answers.java"));
    common::compiled(&[], &all)
}

#[test]
fn implementations_that_keep_the_contracts_agree() {
    for class in ["Depot", "Gauge", "Probe"] {
        implementations_agree(class);
    }
}

fn implementations_agree(class: &str) {
    let file = format!("{class}.java");
    let compiled = compiled(&[&file]);
    let source = std::fs::read_to_string(fixtures().join(&file)).expect("the fixture can be read");
    let mut told = BTreeSet::new();
    for (method, expected) in by_brute_force(compiled.path(), &[class]) {
        for technique in ["precise", "kiasan"] {
            let target = format!("{class}.{method}");
            let report = check(compiled.path(), &target, &["--scope", "3", "--technique", technique]);
            assert_eq!(found(&report), expected, "{target} {technique}: {report:#}");
            let verdict = if expected.is_empty() { "holds" } else { "violated" };
            assert_eq!(report["verdict"], verdict, "{target} {technique}: {report:#}");
            for violation in report["violations"].as_array().into_iter().flatten() {
                assert_eq!(violation["confirmed_on_jvm"], true, "{target} {technique}: {violation:#}");
            }
            // A precondition that is false at once leaves nothing to rely on.
            let assumptions = report["assumptions"].to_string();
            let relies = assumptions.contains(&format!("keeps its contract at {file}:"));
            assert!(
                relies || expected.iter().any(|fault| fault.starts_with("precondition")),
                "{target}: {assumptions}"
            );
        }
        told.extend(expected);
    }
    assert_eq!(told, announced(&source), "the fixture announces what is wrong with it");
}

/// Kiasan's summaries: six calls in the same context have the paths of one.
#[test]
fn a_call_in_the_same_context_is_explored_once() {
    let compiled = compiled(&["Gauge.java"]);
    let report = check(compiled.path(), "Gauge.readsOften", &["--scope", "3"]);
    assert_eq!((&report["verdict"], report["paths"].as_u64()), (&"holds".into(), Some(2)), "{report:#}");
}

/// Kiasan's heap regions: writes in one of them leave pure results of the others as they are.
#[test]
fn results_survive_what_is_written_in_another_region() {
    let compiled = compiled(&["Probe.java"]);
    let parameters: [&[&str]; 3] =
        [&["--region", "one"], &["--region", "two"], &["--region", "two", "--region", "one"]];
    for (method, expected) in by_brute_force(compiled.path(), &["Probe", "apart"]) {
        for (regions, technique) in parameters.into_iter().zip(["precise", "lazy", "kiasan"]) {
            let target = format!("Probe.{method}");
            let options = [&["--scope", "3", "--technique", technique], regions].concat();
            let report = check(compiled.path(), &target, &options);
            assert_eq!(found(&report), expected, "{target} {options:?}: {report:#}");
            let verdict = if expected.is_empty() { "holds" } else { "violated" };
            assert_eq!(report["verdict"], verdict, "{target} {options:?}: {report:#}");
            let extent = report["extent"].to_string();
            assert!(verdict == "violated" || extent.contains("the rest"), "{target} {options:?}: {extent}");
        }
    }
    // In one region together, they may be the same.
    let together = check(compiled.path(), "Probe.writesAnother", &["--scope", "3", "--region", "one,two"]);
    assert_eq!(together["verdict"], "violated", "{together:#}");
}

#[test]
fn regions_that_are_not_there_are_told() {
    let compiled = compiled(&["Probe.java"]);
    for (region, told) in [
        ("three", "no such parameter; write this, two, one"),
        ("Cell.outer", "--region names outer"),
        ("Cell.size", "no reference"),
        ("one,one", "names one twice"),
        ("one,", "CLASS.FIELD"),
    ] {
        let output = lazuli(&["check", "Probe.writesAnother", "--region", region], compiled.path());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{region}: {text}");
        assert!(text.contains(told), "{region}: {text}");
    }
    let output = lazuli(&["check", "Probe.writesAnother", "--engine", "sat", "--region", "one"], compiled.path());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn what_was_made_before_a_call_may_come_out_of_it() {
    let compiled = compiled(&["Figure5.java"]);
    let verdict = |method: &str| check(compiled.path(), &format!("Figure5.{method}"), &["--scope", "3"]);
    for method in ["foo", "wraps", "zeros"] {
        let report = verdict(method);
        assert_eq!(report["verdict"], "violated", "{report:#}");
        assert_eq!(report["violations"][0]["confirmed_on_jvm"], true, "{report:#}");
    }
    for method in ["isNew", "later", "wrapsInput", "wrapsLater", "another", "rounds"] {
        let report = verdict(method);
        assert_eq!(report["verdict"], "holds", "{report:#}");
    }
    let vain = verdict("vain");
    assert_eq!(vain["verdict"], "incomplete", "{vain:#}");
    assert!(vain["not_explored"].to_string().contains("no result satisfies the contract"), "{vain:#}");
}

/// A pure relation keeps its answers as long as nothing writes what it can read (Kiasan, section 2, point 4).
#[test]
fn a_merge_stays_sorted_unless_an_element_is_written() {
    let compiled = compiled(&["Figure1.java"]);
    let verdict = |method: &str| {
        let target = format!("Figure1.{method}");
        check(compiled.path(), &target, &["--scope", "Node=4,Element=3"])
    };
    for method in ["writesNodes", "writesOther"] {
        let report = verdict(method);
        assert_eq!(report["verdict"], "holds", "{report:#}");
    }
    let report = verdict("writesElement");
    assert_eq!(report["verdict"], "violated", "{report:#}");
    assert_eq!(report["violations"][0]["confirmed_on_jvm"], true, "{report:#}");
}

#[test]
fn contracts_replace_code_that_is_there_and_are_checked() {
    let compiled = compiled(&["Figure5.java"]);
    let by_contract = ["--scope", "3", "--by-contract", "Figure5.*"];
    let bumps = check(compiled.path(), "Figure5.bumps", &by_contract);
    assert_eq!(bumps["verdict"], "holds", "{bumps:#}");
    assert!(bumps["assumptions"].to_string().contains("bump(int) keeps its contract"), "{bumps:#}");
    let nothing = check(compiled.path(), "Figure5.bumpsByNothing", &by_contract);
    assert_eq!(nothing["violations"][0]["kind"], "precondition", "{nothing:#}");
    // By its contract, it holds; its code does not keep the contract.
    let grows = check(compiled.path(), "Figure5.grows", &by_contract);
    assert_eq!(grows["verdict"], "holds", "{grows:#}");
    let words = ["check", "--fresh", "--check-contracts", "Figure5.grows", "Figure5.bumps"];
    let output = lazuli(&[&words, &by_contract[..]].concat(), compiled.path());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("Figure5.grow(int)") && text.contains("ensures"), "{text}");
}

#[test]
fn code_that_is_relied_on_ends_as_its_contract_says() {
    let compiled = compiled(&["Promises.java"]);
    let output = lazuli(
        &["check", "--fresh", "-q", "--scope", "2", "--check-contracts", "Promises$Keeper.runs"],
        compiled.path(),
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for method in ["count()", "one(Box)", "make()", "accepts(int)", "length(String)", "runs()", "mayFail()"] {
        for (class, verdict) in [("Keeper", "holds"), ("Breaker", "violated")] {
            let told = format!("Promises${class}.{method}: {verdict}");
            assert!(text.lines().any(|line| line.starts_with(&told)), "{told} is not in\n{text}");
        }
    }
}
