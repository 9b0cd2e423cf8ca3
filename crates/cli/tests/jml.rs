//! Does JML mean what it says? Small classes with clauses that are kept or broken, and files that must be refused.
//!
//! A file of `tests/jml/accepted` says at its top which methods are checked, and how: `//! check --scope 2: size, Inner.add`. A line that ends with
//! `// broken by size` has a clause, or declares something, that this method does not keep; all others are kept. Files of
//! `tests/jml/separate` are the same, with what is said in a `.jml` file beside them. What is said about a file of `tests/jml/rejected` stands
//! in a file beside it, which `LAZULI_BLESS=1` writes anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// The files of a folder that have this extension, by name.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    found.retain(|path| path.extension().is_some_and(|found| found == extension));
    found.sort();
    found
}

fn compiled(sources: &[PathBuf]) -> TempDir {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(directory.path()).args(sources).output();
    let javac = javac.expect("javac is installed (scripts/test.sh installs it)");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    directory
}

/// Runs `lazuli check` in the root of the repository, so that messages have short paths.
fn lazuli(classes: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(root()).args(["check", "--time", "60s", "--jobs", "1", "-cp"]).arg(classes).args(arguments);
    command.output().expect("lazuli starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn reports(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stream = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    stream.map(|report| report.unwrap_or_else(|error| panic!("{error}: {text}{}", stderr(output)))).collect()
}

/// The lines on which something stands that the method does not keep.
fn broken_lines(text: &str, method: &str) -> BTreeSet<usize> {
    let simple = method.rsplit('.').next().unwrap_or(method);
    let is_marked = |line: &str| {
        let names = line.split_once("// broken by ").map_or("", |(_, names)| names);
        names.split(',').any(|name| name.trim() == simple)
    };
    text.lines().enumerate().filter(|(_, line)| is_marked(line)).map(|(index, _)| index + 1).collect()
}

/// Checks the methods that a file names, and gives what is not as it says.
fn misjudged(classes: &Path, java: &Path, said: &Path, option: &str) -> Vec<String> {
    let (top, text) = (std::fs::read_to_string(java).unwrap(), std::fs::read_to_string(said).unwrap());
    let class = java.file_stem().unwrap().to_string_lossy().into_owned();
    let mut wrong = Vec::new();
    for directive in top.lines().filter_map(|line| line.strip_prefix("//! check ")) {
        let (options, methods) = directive.split_once(':').expect("a directive has options and methods");
        for method in methods.split(',').map(str::trim) {
            let target = if method.contains('.') { method.to_string() } else { format!("{class}.{method}") };
            let folder = said.parent().unwrap().to_string_lossy().into_owned();
            let fixed = [option, &folder, "--format", "json", "--no-confirm", &target];
            let options: Vec<&str> = options.split_whitespace().chain(fixed).collect();
            let output = lazuli(classes, &options);
            let expected = broken_lines(&text, method);
            let Some(report) = reports(&output).pop() else {
                wrong.push(format!("{target}: {}", stderr(&output)));
                continue;
            };
            let verdict = if expected.is_empty() { "holds" } else { "violated" };
            let violations = report["violations"].as_array().unwrap();
            let file = said.file_name().unwrap().to_string_lossy().into_owned();
            let line = |violation: &Value| {
                let (name, line) = violation["at"].as_str()?.split_once(':')?;
                line.parse::<usize>().ok().filter(|_| name == file)
            };
            let found: Vec<Option<usize>> = violations.iter().map(line).collect();
            let found: BTreeSet<usize> = found.into_iter().map(|line| line.unwrap_or(0)).collect();
            if report["verdict"] != verdict || found != expected {
                let told: Vec<&Value> = violations.iter().map(|violation| &violation["message"]).collect();
                wrong.push(format!(
                    "{target}: expected {verdict} {expected:?}, found {} {found:?} {told:?} {}",
                    report["verdict"], report["not_explored"]
                ));
            }
        }
    }
    assert!(top.contains("//! check "), "{} names no method", java.display());
    wrong
}

#[test]
fn clauses_in_sources_are_kept_or_broken_as_they_should() {
    let sources = files("tests/jml/accepted", "java");
    let classes = compiled(&sources);
    let wrong: Vec<String> =
        sources.iter().flat_map(|source| misjudged(classes.path(), source, source, "--source")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn clauses_in_files_of_their_own_are_kept_or_broken_as_they_should() {
    let sources = files("tests/jml/separate", "java");
    let classes = compiled(&sources);
    let judge = |source: &PathBuf| misjudged(classes.path(), source, &source.with_extension("jml"), "--spec");
    let wrong: Vec<String> = sources.iter().flat_map(judge).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_understood_is_refused_with_its_place() {
    let sources = files("tests/jml/rejected", "java");
    let classes = compiled(&sources);
    let mut wrong = Vec::new();
    for source in &sources {
        let class = source.file_stem().unwrap().to_string_lossy().into_owned();
        let output = lazuli(classes.path(), &["--source", "tests/jml/rejected", &format!("{class}.target")]);
        let found = stderr(&output);
        let golden = source.with_extension("expected");
        if std::env::var_os("LAZULI_BLESS").is_some() {
            std::fs::write(&golden, &found).expect("it can be written");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if output.status.code() != Some(2) || found != expected || found.is_empty() {
            wrong.push(format!("{class}: exit code {:?}\n{found}instead of\n{expected}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_many_files() {
    let counts = ["tests/jml/accepted", "tests/jml/separate", "tests/jml/rejected"].map(|folder| files(folder, "java").len());
    assert!(counts.iter().sum::<usize>() >= 60, "{counts:?}");
}
