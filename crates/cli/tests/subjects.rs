//! Do all techniques, structures and engines say the same about the programs of the papers?
//!
//! Each answer about a method must be that of `eager`, with the same faults, or *incomplete* with a reason. `--test universe -- subjects.` compares with brute
//! force at the scopes that this can do. `LAZULI_SUBJECTS=3` sets another scope than 2: minutes.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The subjects with an invariant.
const SUBJECTS: [&str; 22] = [
    "bliss.AvlTree",
    "bliss.BinTree",
    "bliss.BinomialHeap",
    "bliss.LinkedList",
    "bliss.TreeMap",
    "bliss.TreeSet",
    "gse.Node",
    "kiasan.BinaryHeap",
    "kiasan.MergeList",
    "kiasan.RedBlackTree",
    "kiasan.SearchTree",
    "pli.AvlTree",
    "pli.BinomialHeap",
    "pli.DictionaryInfo",
    "pli.HashMap",
    "pli.LinkedList",
    "pli.TreeMap",
    "taco.AVLTree",
    "taco.BSTree",
    "taco.BinHeap",
    "taco.SLList",
    "taco.TreeSet",
];

const OTHERS: [&[&str]; 13] = [
    &[],
    &["--structure", "search"],
    &["--structure", "list"],
    &["--structure", "circuit-list"],
    &["--structure", "circuit"],
    &["--technique", "lazier"],
    &["--technique", "lazier-sharp"],
    &["--technique", "hybrid"],
    &["--technique", "bounded"],
    &["--technique", "refined"],
    &["--technique", "sat"],
    &["--technique", "lissa"],
    &["--engine", "sat"],
];

/// An answer about a method.
struct Answer {
    verdict: String,
    /// Each with its kind and its place.
    faults: BTreeSet<(String, String)>,
    has_reason: bool,
}

/// The answers about all methods of the subjects.
fn answers(classes: &Path, options: &[&str]) -> BTreeMap<String, Answer> {
    let scope = std::env::var("LAZULI_SUBJECTS").unwrap_or_else(|_| "2".to_string());
    let time = if scope == "2" { "8s" } else { "120s" };
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.env("XDG_CACHE_HOME", classes.join("cache"));
    command.args(["check", "--scope", &scope, "--time", time, "--jobs", "1", "--no-confirm", "--inputs", "fields"]);
    command.args(["--format", "json", "-cp"]).arg(classes).args(SUBJECTS).args(options);
    let output = command.output().expect("lazuli starts");
    let mut answers = BTreeMap::new();
    for report in serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>() {
        let report = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
        let faults = list("violations").iter().map(|fault| (text(&fault["kind"]), text(&fault["at"]))).collect();
        let has_reason = !list("not_explored").is_empty();
        answers.insert(text(&report["target"]), Answer { verdict: text(&report["verdict"]), faults, has_reason });
    }
    assert!(answers.len() > 60, "{}: {}", answers.len(), String::from_utf8_lossy(&output.stderr));
    answers
}

#[test]
fn every_way_says_what_eager_says() {
    let classes =
        common::compiled(&["subjects/pli", "subjects/bliss", "subjects/kiasan", "subjects/taco", "subjects/gse"], &[]);
    let eager = answers(classes.path(), &["--technique", "eager"]);
    let mut wrong = Vec::new();
    for options in OTHERS {
        let mut compared = 0;
        for (target, answer) in answers(classes.path(), options) {
            let Some(expected) = eager.get(&target) else { panic!("eager says nothing about {target}") };
            if answer.verdict == "incomplete" && !answer.has_reason {
                wrong.push(format!("{target} {options:?}: incomplete without a reason"));
            }
            if answer.verdict == "incomplete" || expected.verdict == "incomplete" {
                continue;
            }
            compared += 1;
            if (&answer.verdict, &answer.faults) != (&expected.verdict, &expected.faults) {
                let (is, should) = ((answer.verdict, answer.faults), (&expected.verdict, &expected.faults));
                wrong.push(format!("{target} {options:?}: {is:?}, but eager says {should:?}"));
            }
        }
        println!("{compared} of {} methods were compared: {options:?}", eager.len());
        // Where all is incomplete, nothing is compared: lazy techniques know little of what the invariant says of an input that is known in part.
        assert!(compared >= 5, "{compared} of {} methods were compared: {options:?}", eager.len());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
