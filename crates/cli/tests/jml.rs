//! Does JML mean what it says? Small classes with clauses that are kept or broken, and files that must be refused.
//!
//! A file of `tests/jml/accepted` says at its top which methods are checked, and how: `//! check --scope 2: size, Inner.add`. A line that ends with
//! `// broken by size` has a clause, or declares something, that this method does not keep; all others are kept. Files of
//! `tests/jml/separate` are the same, with what is said in a `.jml` file beside them. What is said about a file of `tests/jml/rejected` stands
//! in a file beside it, which `LAZULI_BLESS=1` writes anew.

#[path = "common/taco.rs"]
mod taco;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use taco::{BY_JML, DEFECTS, SUBJECTS, precondition};

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

/// Checks the methods that a file names, and gives what is not as it says. Every clause that is broken must be so on the JVM.
fn misjudged(classes: &Path, java: &Path, said: &Path, option: &str) -> Vec<String> {
    judged(classes, java, said, &[option]).into_iter().filter_map(Result::err).collect()
}

/// The same for each method: the report if it is as the file says, or else what is wrong. The last option takes the folder.
fn judged(classes: &Path, java: &Path, said: &Path, given: &[&str]) -> Vec<Result<Value, String>> {
    let (top, text) = (std::fs::read_to_string(java).unwrap(), std::fs::read_to_string(said).unwrap());
    let class = java.file_stem().unwrap().to_string_lossy().into_owned();
    let mut all = Vec::new();
    for directive in top.lines().filter_map(|line| line.strip_prefix("//! check ")) {
        let (options, methods) = directive.split_once(':').expect("a directive has options and methods");
        for method in methods.split(',').map(str::trim) {
            let target = if method.contains('.') { method.to_string() } else { format!("{class}.{method}") };
            let folder = said.parent().unwrap().to_string_lossy().into_owned();
            // Clauses are about all objects, whether calls make them or not.
            let fixed = [&folder, "--inputs", "fields", "--format", "json", &target];
            let options: Vec<&str> = options.split_whitespace().chain(given.iter().copied()).chain(fixed).collect();
            let output = lazuli(classes, &options);
            let expected = broken_lines(&text, method);
            let Some(report) = reports(&output).pop() else {
                all.push(Err(format!("{target}: {}", stderr(&output))));
                continue;
            };
            let verdict = if expected.is_empty() { "holds" } else { "violated" };
            let violations = report["violations"].as_array().unwrap();
            let file = said.file_name().unwrap().to_string_lossy().into_owned();
            let line = |violation: &Value| {
                let (name, line) = violation["at"].as_str()?.split_once(':')?;
                line.parse::<usize>().ok().filter(|_| name == file)
            };
            // Where a clause is broken, exceptions on other paths are faults of their own.
            let is_exception =
                |violation: &&Value| violation["kind"].as_str().is_some_and(|kind| kind.ends_with("Exception"));
            let has_clauses = violations.iter().any(|violation| !is_exception(&violation));
            let judged = violations.iter().filter(|violation| !has_clauses || !is_exception(violation));
            let found: Vec<Option<usize>> = judged.map(line).collect();
            let found: BTreeSet<usize> = found.into_iter().map(|line| line.unwrap_or(0)).collect();
            let is_unconfirmed = |violation: &&Value| violation["confirmed_on_jvm"] != true;
            let unconfirmed = violations.iter().find(is_unconfirmed).map(|violation| &violation["not_confirmed"]);
            all.push(if report["verdict"] != verdict || found != expected {
                let told: Vec<&Value> = violations.iter().map(|violation| &violation["message"]).collect();
                Err(format!(
                    "{target}: expected {verdict} {expected:?}, found {} {found:?} {told:?} {}",
                    report["verdict"], report["not_explored"]
                ))
            } else if let Some(why) = unconfirmed {
                Err(format!("{target}: not confirmed: {why}"))
            } else {
                Ok(report)
            });
        }
    }
    assert!(top.contains("//! check "), "{} names no method", java.display());
    all
}

#[test]
fn clauses_in_sources_are_kept_or_broken_as_they_should() {
    let sources = files("tests/jml/accepted", "java");
    let classes = compiled(&sources);
    let wrong: Vec<String> =
        sources.iter().flat_map(|source| misjudged(classes.path(), source, source, "--source")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Both engines give clauses the same meaning: the one that translates them says what the files say, or what it does not translate.
#[test]
fn clauses_mean_the_same_as_one_propositional_problem() {
    let sources = files("tests/jml/accepted", "java");
    let classes = compiled(&sources);
    let options = ["--engine", "sat", "--source"];
    let all = sources.iter().flat_map(|source| judged(classes.path(), source, source, &options));
    let (right, others): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
    let is_refused = |wrong: &String| wrong.contains("found \"incomplete\"") && wrong.contains("is not translated");
    let (refused, wrong): (Vec<String>, Vec<String>) = others.into_iter().filter_map(Result::err).partition(is_refused);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        right.len() > 90 && right.len() > refused.len(),
        "only {} were translated:\n{}",
        right.len(),
        refused.join("\n")
    );
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
    let counts =
        ["tests/jml/accepted", "tests/jml/separate", "tests/jml/rejected"].map(|folder| files(folder, "java").len());
    assert!(counts.iter().sum::<usize>() >= 60, "{counts:?}");
}

fn verdict(classes: &Path, target: &str, options: &[&str]) -> String {
    let options = [&[target, "--format", "json", "--no-confirm"], options].concat();
    let output = lazuli(classes, &options);
    let found = reports(&output).pop().unwrap_or_else(|| panic!("{target}: {}", stderr(&output)));
    found["verdict"].as_str().expect("a report has a verdict").to_string()
}

fn shapes(classes: &Path, class: &str, scope: usize, options: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(root()).args(["shapes", "--format", "json", "--scope", &scope.to_string(), "-cp"]);
    let output = command.arg(classes).arg(class).args(options).output().expect("lazuli starts");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(found["unfinished"], Value::Null, "{class}");
    found["by_objects"].clone()
}

#[test]
fn repok_and_jml_describe_the_same_objects() {
    let classes = compiled(&files("subjects/taco", "java"));
    for (class, _) in SUBJECTS {
        let class = format!("taco.{class}");
        // An object that is valid by JML is valid by repOK too; and there are as many of the one as of the other.
        assert_eq!(
            verdict(classes.path(), &format!("{class}.repOK"), &[&["--scope", "4"], &BY_JML[..]].concat()),
            "holds",
            "{class}"
        );
        for scope in 1..=4 {
            let (by_method, by_jml) =
                (shapes(classes.path(), &class, scope, &[]), shapes(classes.path(), &class, scope, &BY_JML));
            assert_eq!(by_method, by_jml, "{class} at scope {scope}");
        }
    }
}

#[test]
fn repok_and_jml_have_the_same_bounds() {
    let classes = compiled(&files("subjects/taco", "java"));
    for (class, backbone) in
        [("taco.TreeSet", "root,left,right"), ("taco.SLList", "head,next"), ("taco.BinHeap", "nodes,child,sibling")]
    {
        let bounds = |options: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
            command.current_dir(root()).args(["bounds", "--format", "json", "--scope", "4", "--cache", "none", "-cp"]);
            let output = command.arg(classes.path()).args([class, "--backbone", backbone]).args(options).output();
            let output = output.expect("lazuli starts");
            let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
            found["fields"].clone()
        };
        assert_eq!(bounds(&[]), bounds(&BY_JML), "{class}");
    }
    for name in ["bounds", "shapes"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.current_dir(root()).args([name, "taco.SLList", "--invariant", "jml", "-cp"]);
        let output = command.arg(classes.path()).output().expect("lazuli starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("no file says in JML which objects of taco.SLList are valid"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn repok_and_jml_come_to_the_same_verdict_about_the_subjects() {
    let classes = compiled(&files("subjects/taco", "java"));
    for (class, methods) in SUBJECTS {
        for method in methods {
            let target = format!("taco.{class}.{method}");
            let pre = precondition(method);
            assert_eq!(
                verdict(classes.path(), &target, &[&["--scope", "4"], pre].concat()),
                "holds",
                "{target} by repOK"
            );
            assert_eq!(
                verdict(classes.path(), &target, &[&["--scope", "4"], &BY_JML[..]].concat()),
                "holds",
                "{target} by JML"
            );
        }
    }
    let defect = "taco.BinHeapDefect.extractMin";
    assert_eq!(
        verdict(classes.path(), defect, &[&["--scope", "3"], &BY_JML[..]].concat()),
        "holds",
        "it needs 13 nodes"
    );
}

#[test]
fn repok_and_jml_find_the_same_defects() {
    for defect in &DEFECTS {
        let (classes, target) = (defect.compiled(), defect.target());
        let by_method = [&["--scope", defect.scope], precondition(defect.method)].concat();
        assert_eq!(verdict(classes.path(), &target, &by_method), "violated", "{target} by repOK: {}", defect.wrong);
        let by_jml = [&["--scope", defect.scope], &BY_JML[..]].concat();
        assert_eq!(verdict(classes.path(), &target, &by_jml), "violated", "{target} by JML: {}", defect.wrong);
    }
}

#[test]
fn classes_of_the_jdk_are_checked_by_what_is_said_elsewhere() {
    let classes = compiled(&files("subjects/taco", "java"));
    for (target, scope) in
        [("java.util.LinkedList.add(Object)", "4"), ("java.util.TreeMap.put(Object,Object)", "3,Object=5")]
    {
        assert_eq!(
            verdict(classes.path(), target, &["--scope", scope, "--spec", "subjects/taco/specs"]),
            "holds",
            "{target}"
        );
    }
}

#[test]
fn clauses_that_have_no_effect_are_listed() {
    let classes = compiled(&[
        root().join("tests/jml/accepted/WhereJmlStands.java"),
        root().join("tests/jml/separate/Counter.java"),
    ]);
    let options = ["--source", "tests/jml/accepted", "--format", "json", "WhereJmlStands.lines"];
    let report = reports(&lazuli(classes.path(), &options)).pop().expect("there is a report");
    let listed: Vec<&str> =
        report["unused_clauses"].as_array().unwrap().iter().map(|clause| clause["text"].as_str().unwrap()).collect();
    assert_eq!(listed, ["assert value == value;", "in state;"]);
    let generic = compiled(&[root().join("tests/jml/accepted/GenericInheritance.java")]);
    let options = ["--source", "tests/jml/accepted", "--format", "json", "GenericInheritance$Middle.take"];
    let report = reports(&lazuli(generic.path(), &options)).pop().expect("there is a report");
    assert_eq!(report["unused_clauses"][0]["text"], "ensures \\result == item;");
    assert_eq!(report["unused_clauses"][0]["why"], "it is not known whether the method overrides this one");
    let options = ["--spec", "tests/jml/separate", "Counter.next", "--scope", "2"];
    let text = String::from_utf8_lossy(&lazuli(classes.path(), &options).stdout).into_owned();
    let expected = "Warning: not used: invariant weight > 0; (at Counter.jml:19): an invariant is asked of the receiver and of parameters only";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_broken_clause_is_told_with_its_text_and_a_test() {
    let classes = compiled(&[root().join("tests/jml/accepted/RequiresEnsures.java")]);
    let options = ["--source", "tests/jml/accepted", "--format", "json", "RequiresEnsures.wrongHalf"];
    let output = lazuli(classes.path(), &options);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = reports(&output).pop().expect("there is a report");
    let violation = &report["violations"][0];
    assert_eq!((&violation["kind"], &violation["at"]), (&"ensures".into(), &"RequiresEnsures.java:11".into()));
    assert_eq!(violation["clause"], "ensures \\result * 3 == x;");
    assert_eq!(violation["confirmed_on_jvm"], true);
    let test = violation["test"].as_str().unwrap();
    assert!(
        test.contains("// ensures \\result * 3 == x; (RequiresEnsures.java:11)\n        assertTrue(result * 3 == "),
        "{test}"
    );
    assert!(!violation["example"]["roots"].as_object().unwrap().is_empty());
}

#[test]
fn what_is_said_of_something_that_is_not_there_is_refused() {
    let classes = compiled(&files("tests/jml/unfit", "java"));
    for (folder, expected) in [("field", "Unfit has no field counter;"), ("method", "Unfit has no method add(long);")] {
        let folder = format!("tests/jml/unfit/{folder}");
        let output = lazuli(classes.path(), &["--spec", &folder, "Unfit.add"]);
        assert_eq!(output.status.code(), Some(2), "{folder}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{folder}: {}", stderr(&output));
    }
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let classes = compiled(&files("tests/jml/separate", "java"));
    for (arguments, expected) in [
        (vec!["--spec", "tests/nowhere", "Counter.next"], "--spec tests/nowhere: there is no such directory"),
        (vec!["--source", "tests/nowhere", "Counter.next"], "--source tests/nowhere: there is no such directory"),
        (
            vec!["--spec", "tests/jml", "Counter.next"],
            "no file says anything about Counter; it would be tests/jml/Counter.jml",
        ),
        (
            vec!["--spec", "tests/jml/separate", "Counter.next", "--invariant", "valid"],
            "has a method `boolean valid()`",
        ),
    ] {
        let output = lazuli(classes.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn invariants_of_jml_have_a_circuit_that_gives_the_same_paths() {
    let classes = compiled(&files("subjects/taco", "java"));
    for target in [
        "taco.SLList.insert",
        "taco.BSTree.add",
        "taco.AVLTree.insert",
        "taco.TreeSet.remove",
        "taco.BinHeap.extractMin",
    ] {
        let paths = |structure: &str| {
            let options =
                [&BY_JML[..], &["--scope", "3", "--structure", structure, "--format", "json", target]].concat();
            let report = reports(&lazuli(classes.path(), &options)).pop().expect("there is a report");
            assert_eq!(report["warnings"], Value::Null, "{target} by {structure}");
            (report["verdict"].clone(), report["paths"].clone())
        };
        let searched = paths("search");
        assert_eq!(searched, paths("list"), "{target}");
        assert_eq!(searched, paths("circuit"), "{target}");
    }
}

#[test]
fn techniques_agree_about_clauses() {
    let files = ["Reach.java", "Invariants.java", "SeveralInvariants.java"];
    let classes = compiled(&files.map(|file| root().join("tests/jml/accepted").join(file)));
    for (target, expected) in [
        ("SeveralInvariants.lower", "violated"),
        ("SeveralInvariants.shrink", "violated"),
        ("SeveralInvariants.rise", "holds"),
        ("Reach.push", "holds"),
        ("Reach.drop", "violated"),
        ("Invariants.decrement", "violated"),
        ("Invariants.take", "holds"),
    ] {
        for technique in ["precise", "eager", "lissa", "hybrid", "lazy", "lazier", "bounded", "refined", "sat"] {
            let options = ["--source", "tests/jml/accepted", "--scope", "2", "--technique", technique];
            let found = verdict(classes.path(), target, &options);
            // Lazy asks for no valid input, so that what it cannot confirm stays open.
            let is_right = found == expected || (technique.starts_with("laz") && found == "incomplete");
            assert!(is_right, "{target} under {technique}: {found}");
        }
    }
}
