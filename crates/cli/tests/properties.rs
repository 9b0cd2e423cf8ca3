//! Are properties over time monitored, and only broken where they are?
//!
//! Each Java file of `tests/properties` has a file of properties of the same name. A method whose first line ends with `//: NAME` breaks that property on some
//! input in some order of its threads; all others keep all of them.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/properties")
}

fn compiled() -> tempfile::TempDir {
    common::compiled(&["tests/properties"], &[folder().join("../programs/support/Verifier.java")])
}

fn lazuli(classes: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp"]).arg(classes).args(["--scope", "1"]).args(words);
    command.output().expect("lazuli starts")
}

/// The reports about all that is asked, by title.
fn reports(classes: &Path, words: &[&str]) -> BTreeMap<String, Value> {
    let words: Vec<&str> = words.iter().copied().chain(["--no-confirm", "--format", "json"]).collect();
    let output = lazuli(classes, &words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parsed = serde_json::Deserializer::from_str(&text).into_iter::<Value>().collect::<Result<Vec<_>, _>>();
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    parsed.into_iter().map(|report| (report["title"].as_str().unwrap_or_default().to_string(), report)).collect()
}

/// The kinds and places of all violations.
fn violations(report: &Value) -> BTreeSet<(String, String)> {
    let text = |violation: &Value, key: &str| violation[key].as_str().unwrap_or_default().to_string();
    let found = report["violations"].as_array().cloned().unwrap_or_default();
    found.iter().map(|violation| (text(violation, "kind"), text(violation, "at"))).collect()
}

fn judge(class: &str) {
    let classes = compiled();
    let file = folder().join(format!("{class}.property"));
    let file = file.to_str().expect("the path is text");
    let source = std::fs::read_to_string(folder().join(format!("{class}.java"))).expect("the source is there");
    let first = reports(classes.path(), &[class, "--property", file, "--jobs", "1"]);
    let mut wrong = Vec::new();
    let methods = source.lines().filter(|line| line.starts_with("    public static "));
    for line in methods {
        let (head, expected) = line.split_once("//: ").map_or((line, None), |(head, name)| (head, Some(name)));
        let name = head.split('(').next().and_then(|head| head.split(' ').next_back()).unwrap_or_default();
        let found = first.iter().find(|(title, _)| title.starts_with(&format!("{class}.{name}(")));
        let Some((_, report)) = found else {
            wrong.push(format!("{name} has no report"));
            continue;
        };
        let kinds: BTreeSet<String> = violations(report).into_iter().map(|(kind, _)| kind).collect();
        let expected_kinds: BTreeSet<String> = expected.iter().map(|name| format!("property {name}")).collect();
        let verdict = if expected.is_some() { "violated" } else { "holds" };
        if kinds != expected_kinds || report["verdict"] != verdict {
            wrong.push(format!(
                "{name}: {} {kinds:?}, not {expected_kinds:?}: {}",
                report["verdict"], report["not_explored"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for options in [&["--jobs", "3"][..], &["--jobs", "1", "--no-reduction"]] {
        let words: Vec<&str> = [class, "--property", file].iter().chain(options).copied().collect();
        let other = reports(classes.path(), &words);
        for (title, report) in &first {
            let other = &other[title];
            assert_eq!(violations(report), violations(other), "{title} {options:?}");
            assert_eq!(report["verdict"], other["verdict"], "{title} {options:?}");
        }
    }
}

#[test]
fn iterators() {
    judge("Iterators");
}

#[test]
fn files() {
    judge("Files");
}

#[test]
fn locks() {
    judge("Locks");
}

#[test]
fn turns() {
    judge("Turns");
}

/// States of a program that differ in what properties have seen are not one.
#[test]
fn states_differ_by_what_properties_have_seen() {
    let classes = compiled();
    let file = folder().join("Rounds.property");
    let verdict = |main: &str| {
        let words = ["--main", main, "--property", file.to_str().expect("the path is text"), "--time", "30s"];
        let reports = reports(classes.path(), &words);
        let report = reports.values().next().cloned().expect("there is a report");
        (report["verdict"].clone(), violations(&report).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>())
    };
    let broken = (Value::from("violated"), vec!["property steps".to_string()]);
    assert_eq!(verdict("Rounds.Endless"), broken);
    assert_eq!(verdict("Rounds.Spinning"), broken);
    assert_eq!(verdict("Rounds.Reset"), (Value::from("holds"), vec![]));
}

/// The events stand in the report with their lines and states, in each format.
#[test]
fn the_events_that_break_it_are_told() {
    let classes = compiled();
    let file = folder().join("Turns.property");
    let file = file.to_str().expect("the path is text");
    let of_format = |format: &str| {
        let words = ["Turns.anyOrder", "--property", file, "--format", format];
        let output = lazuli(classes.path(), &words);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = of_format("text");
    assert!(text.contains("1. property turns at Turns.java:"), "{text}");
    assert!(text.contains("pong before ping") && text.contains("call of Turns.pong  main"), "{text}");
    assert!(
        text.contains("→ error") && text.contains("not confirmed: properties are not watched on the JVM"),
        "{text}"
    );
    let report: Value = serde_json::from_str(&of_format("json")).expect("it is JSON");
    let ending = &report["violations"][0]["ending"];
    assert_eq!(ending["how"], "broke_property", "{report}");
    let last = ending["events"].as_array().and_then(|events| events.last()).expect("there are events");
    assert_eq!((&last["event"], &last["on"], &last["thread"]), (&"call".into(), &"Turns.pong".into(), &"main".into()));
    assert!(last["state"].is_null());
    let sarif: Value = serde_json::from_str(&of_format("sarif")).expect("it is JSON");
    let flow = &sarif["runs"][0]["results"][0]["codeFlows"][0];
    assert_eq!(flow["message"]["text"], "the events that break the property", "{sarif}");
    assert!(of_format("html").contains("The events that break the property"));
    assert!(of_format("junit").contains("→ error"));
}

/// A mistake is told with its line and column, and with what may stand there.
#[test]
fn a_property_of_which_nothing_happens_is_told() {
    let classes = compiled();
    let file = folder().join("Iterators.property");
    let file = file.to_str().expect("the path is text");
    let warnings = |method: &str| {
        let found = reports(classes.path(), &[method, "--property", file]);
        let report = found.into_values().next().expect("there is a report");
        report["warnings"].to_string()
    };
    let told = "nothing that the property iterator names happened on any path";
    let vacuous = warnings("Turns.inOrder");
    assert!(vacuous.contains(told), "{vacuous}");
    let iterates = warnings("Iterators.ownInOrder");
    assert!(!iterates.contains(told), "{iterates}");
}

#[test]
fn mistakes_are_told_with_their_places() {
    let classes = compiled();
    let refusal = |text: &str| {
        let file = classes.path().join("wrong.property");
        std::fs::write(&file, text).expect("the file can be written");
        let output = lazuli(classes.path(), &["Turns.inOrder", "--property", file.to_str().expect("the path is text")]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        told.rsplit_once("wrong.property").map_or(told.clone(), |(_, told)| told.trim().to_string())
    };
    let in_state = |event: &str| format!("property p {{\n  state s {{\n    {event}\n  }}\n}}\n");
    let cases = [
        ("propety p", ":1:1: expected `property`, found `propety`."),
        ("property p { state s { call Turns.ping } }", ":1:40: expected `while holding`, `|` or `->`, found `}`."),
        ("property p { state s { call Turns.ping -> t } }", ":1:43: there is no state t; there are: s."),
        (
            "property p { state s { call Turns.ping -> s } }",
            ":1:10: nothing breaks this property: no move that its first state leads to ends in `error`.",
        ),
        (
            "property p { state s { call Turns.ping -> error",
            ":1:48: expected `call`, `return`, `throw`, `write`, `lock`, `unlock`, `end` or `}`, found the end of the file.",
        ),
        (
            "property p { state s { call Turns.ping -> error \"x } }",
            ":1:49: the text does not end on its line; close it with \".",
        ),
        (
            "property p { state s { end -> error } state s { } }",
            ":1:45: there are two of the name s; rename one of them.",
        ),
        ("", ":1:1: there is no property in the file; write `property NAME { state NAME { … } }`."),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected, "{text}");
    }
    let events = [
        ("call ping -> error", ":3:10: ping is no CLASS.NAME; write the class before it, with a dot."),
        (
            "call Turn.ping -> error",
            ":3:10: there is no class Turn on the class path or in the JDK; write it as in source, with its package.",
        ),
        ("call Turns.png -> error", ":3:10: Turns has no method png."),
        ("write Turns.doe -> error", ":3:11: Turns has no field doe."),
        (
            "lock Turn -> error",
            ":3:10: there is no class Turn on the class path or in the JDK; write it as in source, with its package.",
        ),
        (
            "call Turns.ping while holding Turn -> error",
            ":3:35: there is no class Turn on the class path or in the JDK; write it as in source, with its package.",
        ),
    ];
    for (event, expected) in events {
        assert_eq!(refusal(&in_state(event)), expected, "{event}");
    }
    let each = |event: &str| in_state(event).replace("property p", "property p for each object");
    assert_eq!(
        refusal(&each("call Turns.ping -> error")),
        ":3:10: Turns.ping is static, and the property is about each object; leave `for each object` out."
    );
    let told = refusal(&each("end -> error"));
    assert!(told.starts_with(":3:5: `end` in the first state would be about all objects"), "{told}");
}

#[test]
fn the_sat_engine_refuses_properties() {
    let classes = compiled();
    let file = folder().join("Turns.property");
    let words = ["Turns.inOrder", "--engine", "sat", "--property", file.to_str().expect("the path is text")];
    let output = lazuli(classes.path(), &words);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("--property speaks of paths, and --engine sat follows none"), "{told}");
}

/// Another property is another question: no verdict of an earlier run answers it.
#[test]
fn the_properties_of_a_project_are_part_of_the_question() {
    let classes = compiled();
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it can be written");
    write("lazuli.toml", &format!("class-path = [\"{}\"]\nproperty = [\"p.property\"]\n", classes.path().display()));
    let verdict = |event: &str| {
        write("p.property", &format!("property p {{ state s {{ call Turns.{event} -> error \"no\" }} }}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", "Turns.writtenOnce", "--no-confirm", "-q", "--cache", "kept"]);
        command.env_remove("LAZULI_FRESH");
        let output = command.current_dir(folder.path()).output().expect("lazuli starts");
        output.status.code()
    };
    assert_eq!((verdict("pong"), verdict("finish"), verdict("pong")), (Some(0), Some(1), Some(0)));
}
