//! Does a run that is killed lose nothing but the scope that it was at?

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const TARGET: &str = "pli.BinomialHeapDefect.extractMin";

/// A folder with a subject, compiled to `classes`. Its fault needs 13 nodes, so that there are 13 scopes to be killed at.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    compile(folder.path(), |source| source.to_string());
    folder
}

fn compile(folder: &Path, change: impl Fn(&str) -> String) {
    let subject = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/pli/BinomialHeapDefect.java");
    let source = std::fs::read_to_string(subject).expect("the subject is there");
    let file = folder.join("BinomialHeapDefect.java");
    std::fs::write(&file, change(&source)).expect("the scratch directory can be written");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(folder.join("classes")).arg(file).status();
    assert!(javac.expect("javac is installed").success());
}

fn command(folder: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(folder).args(["check", "-cp", "classes", "--jobs", "1", "--format", "json"]).args(options);
    command
}

fn check(folder: &Path, options: &[&str]) -> Output {
    command(folder, options).output().expect("lazuli starts")
}

fn journal(folder: &Path) -> PathBuf {
    folder.join(".lazuli/journal.jsonl")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Exit code and report, without what differs between two runs.
fn essence(output: &Output) -> (Option<i32>, Vec<Value>) {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut reports = serde_json::Deserializer::from_str(&text).into_iter::<Value>().collect::<Result<Vec<_>, _>>();
    for report in reports.as_mut().expect("reports are JSON") {
        let fields = report.as_object_mut().expect("a report is an object");
        fields.retain(|name, _| ["target", "verdict", "scope", "paths", "ends", "violations"].contains(&name.as_str()));
        assert_eq!(fields.len(), 6);
    }
    (output.status.code(), reports.expect("reports are JSON"))
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_an_undisturbed_one() {
    let folder = project();
    let begin = Instant::now();
    let undisturbed = essence(&check(folder.path(), &[TARGET]));
    let whole = begin.elapsed();
    assert_eq!(undisturbed.0, Some(1));
    let options = [TARGET, "--resume"];
    let mut kills = 0;
    while kills < 20 {
        let mut child = command(folder.path(), &options);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lazuli starts");
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * fastrand::f64() * 0.3));
        child.kill().expect("what was started can be killed");
        let output = child.wait_with_output().expect("it has ended");
        match output.status.code() {
            // A process that a signal ended has no exit code.
            None => kills += 1,
            Some(_) => {
                assert_eq!(essence(&output), undisturbed);
                std::fs::remove_file(journal(folder.path())).expect("there is a journal");
            }
        }
    }
    assert_eq!(essence(&check(folder.path(), &options)), undisturbed);
    let again = check(folder.path(), &options);
    assert_eq!(essence(&again), undisturbed);
    let expected = "reused: scopes 1 to 12 of pli.BinomialHeapDefect.extractMin(), from .lazuli/journal.jsonl";
    assert!(stderr(&again).contains(expected), "{}", stderr(&again));
}

#[test]
fn results_about_other_classes_or_under_other_options_are_not_reused() {
    let folder = project();
    let options = ["pli.BinomialHeapDefect.insert", "--scope", "3", "--resume"];
    let first = check(folder.path(), &options);
    assert!(stderr(&first).contains("there is no .lazuli/journal.jsonl to resume from"), "{}", stderr(&first));
    let reused = check(folder.path(), &options);
    assert!(stderr(&reused).contains("reused: scope 3 of"), "{}", stderr(&reused));

    let other = check(folder.path(), &[&options[..], &["--no-post"]].concat());
    assert!(stderr(&other).contains("results under other options; they are not reused"), "{}", stderr(&other));
    assert!(!stderr(&other).contains("reused: scope"), "{}", stderr(&other));

    compile(folder.path(), |source| source.replace("public void insert(int key) {", "public void insert(int key) {\n"));
    let changed = check(folder.path(), &options);
    assert!(stderr(&changed).contains("about other classes"), "{}", stderr(&changed));
    assert!(!stderr(&changed).contains("reused: scope"), "{}", stderr(&changed));
    assert_eq!(essence(&changed), essence(&first));
}

#[test]
fn a_journal_that_cannot_be_kept_costs_a_warning() {
    let folder = project();
    std::fs::write(folder.path().join("taken"), "a file").expect("the scratch directory can be written");
    let output = check(folder.path(), &["pli.BinomialHeapDefect.insert", "--scope", "2", "--journal", "taken"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("warning: no journal is kept"), "{}", stderr(&output));
    assert!(!journal(folder.path()).exists());
}
