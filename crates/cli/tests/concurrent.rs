//! Is a class that several threads use at once told from one that only looks safe? The classes of `tests/threads/Concurrent.java` say which calls are not linearizable.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn compiled(name: &str) -> (String, TempDir) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads").join(name);
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(directory.path()).arg(&file).status();
    assert!(javac.expect("javac is installed").success(), "javac failed");
    (std::fs::read_to_string(file).expect("the fixture is there"), directory)
}

fn check(classes: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "--cache", "none", "-cp"]).arg(classes).args(words).output().expect("lazuli starts")
}

/// The classes of a file end as it says, all choices of two calls by two threads. How many classes there are.
fn judge(file: &str, scope: &str) -> usize {
    let (source, classes) = compiled(file);
    let mut programs = 0;
    for line in source.lines().filter(|line| line.starts_with("class ")) {
        let (head, expected) = line.split_once("//:").expect("each class says what is expected");
        let (expected, undecided) = expected.split_once("; undecided: ").unwrap_or((expected, ""));
        let class = head.trim_start_matches("class ").split(' ').next().unwrap_or_default();
        // A comma stands between choices of calls, and between parameters.
        let choices = |listed: &str| -> BTreeSet<String> {
            let listed = listed.replace("), ", ")\n").replace(")\n|", ") |");
            let calls = listed.lines().map(str::trim).filter(|calls| !calls.is_empty());
            calls.map(|calls| format!("{class}: {calls}")).collect()
        };
        let (expected, undecided) = (choices(expected), choices(undecided));
        let options = ["--concurrent", "all", "--scope", scope, "--no-confirm", "--format", "json", "--jobs", "1"];
        let output = check(classes.path(), &[&[class][..], &options].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let reports = serde_json::Deserializer::from_str(&text).into_iter::<Value>().collect::<Result<Vec<_>, _>>();
        let reports = reports.unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(reports.len() == 3 || reports.len() == 6, "{class}: {text}");
        let mut found = BTreeSet::new();
        for report in &reports {
            let title = report["title"].as_str().unwrap_or_default();
            let kinds = report["violations"].as_array().cloned().unwrap_or_default();
            let is_told = kinds.iter().any(|fault| fault["kind"] == "not linearizable");
            if is_told {
                found.insert(title.to_string());
                let calls = &kinds[0]["concurrent"];
                assert_eq!(calls["threads"].as_array().map(Vec::len), Some(2), "{title}: {calls}");
                assert!(!calls["orders"].as_array().is_none_or(Vec::is_empty), "{title}: {calls}");
            }
            let has_races =
                report["findings"].as_array().is_some_and(|found| found.iter().any(|one| one["kind"] == "race"));
            let verdict = if is_told { "violated" } else { "holds" };
            let is_undecided = report["verdict"] == "incomplete" && undecided.contains(title);
            let is_right = report["verdict"] == verdict || !is_told && (has_races || is_undecided);
            assert!(is_right, "{title}: {} {}", report["verdict"], report["not_explored"]);
        }
        assert_eq!(found, expected, "{class}");
        programs += 1;
    }
    programs
}

#[test]
fn calls_of_two_threads_have_an_order_or_none() {
    assert_eq!(judge("Concurrent.java", "1"), 11);
}

#[test]
fn lock_free_structures_are_right_from_every_receiver_up_to_three_objects() {
    assert_eq!(judge("LockFree.java", "3"), 6);
}

#[test]
fn no_call_of_a_concurrent_queue_is_told_to_be_wrong() {
    assert_eq!(judge("Library.java", "1"), 2);
}

#[test]
fn wrong_requests_say_what_to_write() {
    let (_, classes) = compiled("Concurrent.java");
    for (words, told) in [
        (&["Counter.get", "--concurrent", "all"][..], "name the class alone"),
        (&["Counter", "--concurrent", "gett"], "did you mean"),
        (&["Counter", "--concurrent", "all", "--engine", "sat"], "leave one of the two out"),
        (&["Counter", "--concurrent", "all", "--threads", "4", "--calls", "3"], "too many orders"),
        (&["Counter", "--threads", "2"], "--concurrent"),
    ] {
        let output = check(classes.path(), words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(told), "{words:?}: {text}");
    }
}
