//! Does what is kept between runs ever change a result? Whatever is wrong with it, the report must be the one without a cache, and
//! the user must be told once.

mod common;

use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use redis::TypedCommands;
use serde_json::{Map, Value};
use tempfile::TempDir;

/// The subjects of BLISS, with methods that take a fraction of a second at scope 5.
const SUBJECTS: &[(&str, &[&str])] = &[
    ("AvlTree", &["bfs", "contains", "insert", "remove"]),
    ("BinTree", &["bfs", "count"]),
    ("BinomialHeap", &["bfs", "insert", "delete", "extractMin"]),
    ("LinkedList", &["add", "contains", "repOK"]),
    ("TreeMap", &["containsKey", "put", "remove"]),
    ("TreeSet", &["bfs", "contains", "add"]),
];

/// A run that takes longer than this hangs.
const HANGS: Duration = Duration::from_secs(60);

fn scratch() -> TempDir {
    tempfile::tempdir().expect("a scratch directory can be made")
}

fn compile(sources: &[PathBuf], to: &Path) {
    let javac = Command::new("javac").args(["-g", "-d"]).arg(to).args(sources).status();
    assert!(javac.expect("javac is installed (scripts/test.sh installs it)").success(), "javac failed");
}

/// The subjects, compiled once.
fn subjects() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| common::compiled(&["subjects/bliss"], &[]));
    classes.path()
}

fn lazuli(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The cache of the user who runs the tests is left alone.
    command.env_remove("XDG_CACHE_HOME").env_remove("HOME");
    command
}

/// `lazuli check` with a report of every path.
fn check(classes: &Path, targets: &[String], options: &[&str]) -> Command {
    let mut command = lazuli(&["check", "--time", "50s", "--format", "json", "--paths", "--no-confirm", "--fresh"]);
    command.arg("-cp").arg(classes).args(targets).args(options);
    if !options.contains(&"--jobs") {
        command.args(["--jobs", "1"]);
    }
    command
}

/// The parts of a report that do not depend on the cache: all but times, the number of questions, and numbers that a solver chose.
#[derive(PartialEq)]
struct Told {
    figures: Map<String, Value>,
    /// Of each, what is known about its input, and how it ends.
    paths: Vec<String>,
}

impl std::fmt::Debug for Told {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{} with {} paths", Value::Object(self.figures.clone()), self.paths.len())
    }
}

impl Told {
    fn of(mut report: Map<String, Value>) -> Told {
        let Some(Value::Array(outcomes)) = report.remove("outcomes") else {
            panic!("no paths of {}", report["target"])
        };
        let path = |path: &Value| ["input", "condition", "ending", "trace"].map(|part| path[part].to_string()).concat();
        let mut paths: Vec<String> = outcomes.iter().map(path).collect();
        paths.sort();
        for differs in ["technique", "solver", "time_ms", "peak_memory_mb", "violations"] {
            report.remove(differs).unwrap_or_else(|| panic!("no {differs}"));
        }
        Told { figures: report, paths }
    }
}

/// The report of a run, and its messages about the cache.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    reports: Vec<Told>,
    hits: u64,
    misses: u64,
    warnings: Vec<String>,
}

fn ran(output: &Output) -> Ran {
    let text = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let reports = serde_json::Deserializer::from_str(&text).into_iter::<Map<String, Value>>();
    let reports = reports.collect::<Result<Vec<_>, _>>().unwrap_or_else(|error| panic!("{error}: {text}{told}"));
    let sum = |name: &str| reports.iter().map(|report| report["solver"][name].as_u64().expect("a number")).sum();
    let (hits, misses) = (sum("cache_hits"), sum("cache_misses"));
    let reports = reports.into_iter().map(Told::of).collect();
    let warnings = told.lines().map(str::to_string).collect();
    Ran { code: output.status.code(), reports, hits, misses, warnings }
}

fn run(mut command: Command) -> Ran {
    let begin = Instant::now();
    let ran = ran(&command.output().expect("it starts"));
    assert!(begin.elapsed() < HANGS, "{:?}", ran.warnings);
    ran
}

/// The same as without a cache, and a warning that says something like this.
fn assert_undisturbed(found: &Ran, expected: &Ran, warning: &str) {
    assert_same(found, expected, warning);
    assert_eq!(found.warnings.len(), 1, "{warning}: {:#?}", found.warnings);
    assert!(found.warnings[0].starts_with("lazuli: warning: the cache "), "{:?}", found.warnings);
    assert!(found.warnings[0].contains(warning), "{warning}: {:?}", found.warnings);
}

fn assert_same(found: &Ran, expected: &Ran, what: &str) {
    assert_eq!(found.code, expected.code, "{what}: {:?}", found.warnings);
    assert!(!found.reports.is_empty(), "{what}: {:?}", found.warnings);
    let is_same = found.reports == expected.reports;
    assert!(is_same, "{what}: {:#?}, not {:#?}", found.reports, expected.reports);
}

fn methods(class: &str, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("bliss.{class}.{name}")).collect()
}

/// One subject with some thousand questions, for what may go wrong.
fn some_targets() -> Vec<String> {
    methods("TreeSet", &["bfs", "contains"])
}

/// It, without a cache.
fn undisturbed() -> &'static Ran {
    static RAN: OnceLock<Ran> = OnceLock::new();
    RAN.get_or_init(|| {
        let ran = with_cache("none");
        assert!(ran.warnings.is_empty() && ran.misses > 300, "{ran:?}");
        ran
    })
}

fn with_cache(place: &str) -> Ran {
    run(checking(place))
}

fn checking(place: &str) -> Command {
    let options = ["--technique", "sat-cached", "--scope", "7", "--no-post", "--jobs", "2", "--cache", place];
    check(subjects(), &some_targets(), &options)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("scratch directories have plain names")
}

/// The files of a cache, each with what is in it.
fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(directory).expect("the cache is there").flatten();
    entries.map(|entry| (entry.path(), std::fs::read(entry.path()).expect("it can be read"))).collect()
}

/// A cache in a directory that knows everything about the targets.
fn filled() -> TempDir {
    let directory = scratch();
    let ran = with_cache(text(directory.path()));
    assert_same(&ran, undisturbed(), "cold");
    assert!(ran.warnings.is_empty() && ran.misses > 0, "{ran:?}");
    directory
}

#[test]
fn answers_from_the_cache_are_those_of_the_solver() {
    for (class, names) in SUBJECTS {
        let targets = methods(class, names);
        let at = |technique: &str, scope: &str, cache: &str| {
            let options = ["--technique", technique, "--scope", scope, "--cache", cache, "--no-post"];
            let found = run(check(subjects(), &targets, &options));
            assert!(found.warnings.is_empty(), "{class}: {:?}", found.warnings);
            found
        };
        let scopes = ["3", "4", "5"];
        let expected = scopes.map(|scope| at("sat", scope, "none"));
        let (growing, shrinking) = (scratch(), scratch());
        for (index, scope) in scopes.iter().enumerate() {
            let what = format!("{class} at scope {scope}");
            let found = at("sat-cached", scope, text(growing.path()));
            assert_same(&found, &expected[index], &format!("{what}, growing"));
            assert!(found.misses > 0 || index > 0, "{what} asked nothing");
        }
        let again = at("sat-cached", "5", text(growing.path()));
        assert_same(&again, &expected[2], &format!("{class} at scope 5, again"));
        assert!(again.hits > 0 && again.misses == 0, "{class}: {} hits, {} misses", again.hits, again.misses);
        for (index, scope) in scopes.iter().enumerate().rev() {
            let found = at("sat-cached", scope, text(shrinking.path()));
            assert_same(&found, &expected[index], &format!("{class} at scope {scope}, shrinking"));
        }
    }
}

/// A scope of its own for one class is another question.
#[test]
fn answers_under_other_bounds_are_not_used() {
    let directory = scratch();
    let targets = methods("TreeMap", &["containsKey"]);
    let with = |technique: &str, options: &[&str]| {
        let cache = ["--technique", technique, "--cache", text(directory.path())];
        run(check(subjects(), &targets, &[&cache, options].concat()))
    };
    with("sat-cached", &["--scope", "5"]);
    for bounds in [
        &["--scope", "5,Entry=3"][..],
        &["--scope", "5", "--objects", "3"],
        &["--scope", "5", "--backbone", "root,right,left"],
    ] {
        let found = with("sat-cached", bounds);
        assert_same(&found, &with("sat", bounds), &format!("{bounds:?}"));
        assert!(found.misses > 0, "{bounds:?}");
        assert_eq!(with("sat-cached", bounds).misses, 0, "{bounds:?}");
    }
}

/// A valid object has only one of two parts, unless it has a list of four nodes too: both parts together are impossible up to scope 3, and
/// possible from 4 on, although each of them is possible everywhere.
const PAIR: &str = "public class Pair { One one; Two two; Node list; \
    static class One {} static class Two {} static class Node { Node next; } \
    boolean repOK() { int n = 0; for (Node at = list; at != null; at = at.next) if (++n > 9) return false; \
        return one == null | two == null | n >= 4; } \
    public int parts() { return (one == null ? 0 : 1) + (two == null ? 0 : 2); } }";

#[test]
fn what_is_impossible_at_one_scope_may_be_possible_at_the_next() {
    let folder = scratch();
    let source = folder.path().join("Pair.java");
    std::fs::write(&source, PAIR).expect("the scratch directory can be written");
    compile(&[source], folder.path());
    let paths = |scope: &str, cache: &Path| {
        let options = ["--technique", "sat-cached", "--scope", scope, "--cache", text(cache)];
        let found = run(check(folder.path(), &["Pair.parts".to_string()], &options));
        assert!(found.warnings.is_empty() && found.code == Some(0), "{found:?}");
        (found.reports[0].paths.len(), found.misses > 0)
    };
    let (growing, shrinking) = (folder.path().join("growing"), folder.path().join("shrinking"));
    let grown = ["2", "3", "4", "5", "3"].map(|scope| paths(scope, &growing));
    assert_eq!(grown, [(3, true), (3, true), (4, true), (4, false), (3, false)]);
    let shrunk = ["5", "4", "3", "2", "5"].map(|scope| paths(scope, &shrinking));
    assert_eq!(shrunk, [(4, true), (4, true), (3, true), (3, true), (4, false)]);
}

/// A list whose length a rule of another class decides.
fn chain(folder: &Path, rule: &str, invariant: &str) {
    let chain = format!(
        "public class Chain {{ Node first; static class Node {{ Node next; }} \
         boolean repOK() {{ int n = 0; for (Node at = first; at != null; at = at.next) if (++n > 9) return false; {invariant} }} \
         public int length() {{ int n = 0; for (Node at = first; at != null; at = at.next) n++; return n; }} }}"
    );
    let rules = format!("class Rules {{ static boolean fits(int n) {{ {rule} }} }}");
    let sources = [folder.join("Chain.java"), folder.join("Rules.java")];
    std::fs::write(&sources[0], chain).expect("the scratch directory can be written");
    std::fs::write(&sources[1], rules).expect("the scratch directory can be written");
    compile(&sources, &folder.join("classes"));
}

#[test]
fn no_answer_about_a_class_that_was_changed_is_used() {
    let folder = scratch();
    let cache = folder.path().join("cache");
    let target = ["Chain.length".to_string()];
    let mut found_before = Vec::new();
    let versions = [
        ("return n == 2;", "return Rules.fits(n);"),
        // Weaker, then stronger, by the rule alone; and then the invariant itself, twice.
        ("return n >= 1;", "return Rules.fits(n);"),
        ("return n == 3;", "return Rules.fits(n);"),
        ("return n == 3;", "return true;"),
        ("return n == 3;", "return n == 1;"),
    ];
    for (rule, invariant) in versions {
        chain(folder.path(), rule, invariant);
        let with = |technique: &str, cache: &Path| {
            let options = ["--technique", technique, "--scope", "4", "--cache", text(cache)];
            run(check(&folder.path().join("classes"), &target, &options))
        };
        let expected = with("sat", Path::new("none"));
        assert!(!found_before.contains(&expected.reports), "this change changes nothing");
        let found = with("sat-cached", &cache);
        assert_same(&found, &expected, &format!("{rule} {invariant}"));
        let none_was_known = (found.hits, with("sat-cached", Path::new("none")).hits);
        assert_eq!(none_was_known.0, none_was_known.1, "{rule} {invariant}");
        assert_eq!(with("sat-cached", &cache).misses, 0, "{rule} {invariant}");
        found_before.push(expected.reports);
    }
    // The results about the first version are still there when it comes back.
    chain(folder.path(), versions[0].0, versions[0].1);
    let options = ["--technique", "sat-cached", "--scope", "4", "--cache", text(&cache)];
    let back = run(check(&folder.path().join("classes"), &target, &options));
    assert!(back.misses == 0 && back.reports == found_before[0], "{back:?}");
}

#[test]
fn a_damaged_file_costs_a_warning() {
    let directory = filled();
    let (path, whole) = files(directory.path()).pop().expect("something was kept");
    let mut generator = fastrand::Rng::with_seed(7);
    let format = whole.iter().position(|byte| *byte == b'\n').expect("it begins with a line") + 1;
    for round in 0..4 {
        let mut changed = whole.clone();
        let at = generator.usize(format..whole.len());
        changed[at] ^= 1 << generator.u8(0..8);
        std::fs::write(&path, &changed).expect("it can be written");
        assert_undisturbed(&with_cache(text(directory.path())), undisturbed(), "was damaged");
        // The results that were computed again are there from now on.
        let again = with_cache(text(directory.path()));
        assert_same(&again, undisturbed(), "again");
        assert!(
            again.misses == 0 && again.hits > 0 && again.warnings.is_empty(),
            "round {round}, byte {at}: {again:?}"
        );
    }
    for length in [format + 1, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).expect("it can be written");
        assert_undisturbed(&with_cache(text(directory.path())), undisturbed(), "was damaged");
        let again = with_cache(text(directory.path()));
        assert_same(&again, undisturbed(), "again");
        assert!(again.misses == 0 && again.warnings.is_empty(), "up to {length}: {again:?}");
    }
}

#[test]
fn a_file_of_another_version_is_left_alone() {
    let directory = filled();
    let (path, whole) = files(directory.path()).pop().expect("something was kept");
    for other in [&b"lazuli cache 2\nwhatever comes then"[..], b"\0\0\0\0", b"lazuli c"] {
        std::fs::write(&path, other).expect("it can be written");
        assert_undisturbed(&with_cache(text(directory.path())), undisturbed(), "another version of Lazuli");
        assert_eq!(std::fs::read(&path).expect("it is there"), other);
    }
    std::fs::write(&path, whole).expect("it can be written");
    assert_eq!(with_cache(text(directory.path())).misses, 0);
}

#[test]
fn a_file_that_another_process_has_locked_is_done_without() {
    let directory = filled();
    let (path, before) = files(directory.path()).pop().expect("something was kept");
    let file = File::options().write(true).open(&path).expect("it can be opened");
    file.lock().expect("no other process has it");
    assert_undisturbed(&with_cache(text(directory.path())), undisturbed(), "another process has locked");
    assert_eq!(std::fs::read(&path).expect("it is there"), before);
    file.unlock().expect("it was locked");
    assert_eq!(with_cache(text(directory.path())).misses, 0);
}

#[test]
fn two_runs_share_a_directory() {
    let directory = scratch();
    let both: Vec<Child> = (0..2).map(|_| checking(text(directory.path())).spawn().expect("it starts")).collect();
    for child in both {
        let found = ran(&child.wait_with_output().expect("it ends"));
        assert_same(&found, undisturbed(), "beside another one");
        assert!(found.warnings.is_empty(), "{found:?}");
    }
    assert_eq!(with_cache(text(directory.path())).misses, 0);
}

#[test]
fn a_place_that_cannot_be_written_costs_a_warning() {
    let directory = scratch();
    let file = directory.path().join("file");
    std::fs::write(&file, "").expect("it can be written");
    // These directories belong to the kernel: not even root makes files there.
    for place in [text(&file), "/proc/self", "/proc/nowhere"] {
        assert_undisturbed(&with_cache(place), undisturbed(), place);
    }
}

#[test]
fn a_full_disk_costs_a_warning_and_nothing_that_was_kept() {
    let directory = scratch();
    let place = text(directory.path());
    let limited = |blocks: &str| {
        let command = checking(place);
        let mut shell = Command::new("sh");
        // A write beyond the limit fails as on a full disk, after as much as there is room for.
        shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
        shell.arg(command.get_program()).args(command.get_args()).stdout(Stdio::piped()).stderr(Stdio::piped());
        run(shell)
    };
    assert_undisturbed(&limited("0"), undisturbed(), "File too large");
    assert_undisturbed(&limited("1"), undisturbed(), "File too large");
    assert!(files(directory.path()).iter().all(|(_, bytes)| bytes.is_empty()), "half a frame was left");

    assert!(
        run(check(
            subjects(),
            &some_targets()[..1],
            &["--technique", "sat-cached", "--scope", "3", "--no-post", "--cache", place]
        ))
        .warnings
        .is_empty()
    );
    let before = files(directory.path());
    assert!(before.iter().any(|(_, bytes)| !bytes.is_empty()));
    assert_undisturbed(&limited("1"), undisturbed(), "File too large");
    assert_eq!(files(directory.path()), before);
}

#[test]
fn the_usual_place_is_the_users_cache_directory() {
    let home = scratch();
    let options = ["--technique", "sat-cached", "--scope", "3", "--no-post"];
    let at_home = |name: &str, value: &Path| {
        let mut command = check(subjects(), &some_targets(), &options);
        command.env(name, value);
        run(command)
    };
    let cold = at_home("HOME", home.path());
    assert!(cold.warnings.is_empty() && home.path().join(".cache/lazuli").is_dir(), "{cold:?}");
    assert_eq!(at_home("XDG_CACHE_HOME", &home.path().join(".cache")).misses, 0);
    let homeless = run(check(subjects(), &some_targets(), &options));
    assert_undisturbed(&homeless, &cold, "give --cache DIR");
    // A run without a cache needs no location.
    let other = run(check(subjects(), &some_targets(), &["--technique", "sat", "--scope", "3", "--no-post"]));
    assert!(other.warnings.is_empty(), "{other:?}");
}

#[test]
fn settings_say_where_it_is() {
    let folder = scratch();
    std::fs::write(folder.path().join("lazuli.toml"), "cache = 'kept'\ntechnique = 'blissdb'\n").expect("a file");
    std::fs::create_dir(folder.path().join("below")).expect("a directory");
    let mut command = check(subjects(), &some_targets(), &["--scope", "3", "--no-post"]);
    let cold = run({
        command.current_dir(folder.path().join("below"));
        command
    });
    assert!(cold.warnings.is_empty() && cold.misses > 0, "{cold:?}");
    assert_eq!(files(&folder.path().join("kept")).len(), 1);
}

#[test]
fn wrong_places_are_wrong_requests() {
    for (place, expected) in [
        ("http://here", "write rediss://"),
        ("redis://here", "would not be encrypted"),
        ("rediss://here", "without a password"),
        ("", "a directory"),
    ] {
        let mut command = check(subjects(), &some_targets(), &["--cache", place]);
        let output = command.output().expect("it starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains(expected), "{place}: {told}");
    }
}

#[test]
fn bounds_are_computed_once() {
    let directory = scratch();
    let bounds = |options: &[&str]| {
        let mut command =
            lazuli(&["bounds", "bliss.TreeMap", "--format", "json", "--cache", text(directory.path()), "-cp"]);
        let output = command.arg(subjects()).args(options).output().expect("it starts");
        assert!(output.stderr.is_empty() && output.status.success(), "{output:?}");
        let mut found: Map<String, Value> = serde_json::from_slice(&output.stdout).expect("it is JSON");
        found.remove("time_ms").expect("there is a time");
        (found.remove("from_cache") == Some(Value::Bool(true)), found)
    };
    let (was_kept, first) = bounds(&["--scope", "5", "--backbone", "root,left,right"]);
    assert!(!was_kept && first["pairs"] == 22, "{first:?}");
    assert_eq!(bounds(&["--scope", "5", "--backbone", "root,left,right"]), (true, first));
    for others in [&["--scope", "4", "--backbone", "root,left,right"][..], &["--scope", "5"], &["--scope", "5,Entry=4"]]
    {
        assert!(!bounds(others).0, "{others:?}");
        assert!(bounds(others).0, "{others:?}");
    }
    let cut = lazuli(&[
        "bounds",
        "bliss.TreeMap",
        "--scope",
        "19",
        "--time",
        "300ms",
        "--cache",
        text(directory.path()),
        "-cp",
    ])
    .arg(subjects())
    .output()
    .expect("it starts");
    assert_eq!(cut.status.code(), Some(3), "{cut:?}");
    assert_eq!(files(directory.path()).len(), 4, "what was cut off must not be kept");
}

/// Explores a method at a scope at which valid objects are too many to be listed: what it found, and how often the SAT solver was asked.
fn explore(method: &str, options: &[&str]) -> (Ran, u64) {
    let output = check(subjects(), &methods("TreeSet", &[method]), &[options, &["--no-post"]].concat()).output();
    let output = output.expect("it starts");
    let report: Map<String, Value> = serde_json::from_slice(&output.stdout).expect("it is JSON");
    (ran(&output), report["solver"]["sat_calls"].as_u64().expect("a number"))
}

#[test]
fn what_fields_may_refer_to_is_found_once() {
    for technique in ["bounded", "refined", "sat", "sat-cached"] {
        let directory = scratch();
        let place = text(directory.path());
        let at_8 = ["--technique", technique, "--scope", "8"];
        let with = |options: &[&str], place: &str| explore("contains", &[&at_8, options, &["--cache", place]].concat());
        let tables = || {
            let files = files(directory.path()).into_iter();
            files.filter(|(file, _)| text(file).contains("objects-")).collect::<Vec<_>>()
        };
        let (expected, calls) = with(&[], "none");
        assert!(calls > 0, "{technique} needs no solver");
        for _ in 0..2 {
            let (found, _) = with(&[], place);
            assert_same(&found, &expected, technique);
            assert!(found.warnings.is_empty() && tables().len() == 1, "{technique}: {:?}", found.warnings);
        }
        // Techniques that only look at bounds ask no solver.
        let asks_no_solver = || is_used(|| with(&[], place).1);
        assert!(["sat", "sat-cached"].contains(&technique) || asks_no_solver(), "{technique} found the bounds again");
        // Results for other bounds and over other fields are of no use.
        for (number, others) in [&["--int-bits", "8"][..], &["--backbone", "right,left"]].into_iter().enumerate() {
            let (expected, _) = with(others, "none");
            let (found, _) = with(others, place);
            assert_same(&found, &expected, technique);
            assert!(found.warnings.is_empty() && tables().len() == number + 2, "{technique} {others:?}");
        }
        for (file, mut bytes) in tables() {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(file, bytes).expect("it can be written");
        }
        assert_undisturbed(&with(&[], place).0, &expected, "was damaged");
    }
}

#[test]
fn bounds_that_were_printed_serve_later_checks() {
    let directory = scratch();
    let mut bounds = lazuli(&["bounds", "bliss.TreeSet", "--scope", "8", "--cache", text(directory.path()), "-cp"]);
    let output = bounds.arg(subjects()).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let with = |place: &str| explore("contains", &["--technique", "refined", "--scope", "8", "--cache", place]);
    let (expected, calls) = with("none");
    assert_same(&with(text(directory.path())).0, &expected, "bounds of `lazuli bounds`");
    assert!(calls > 0 && is_used(|| with(text(directory.path())).1), "the bounds were found again");
    assert_eq!(files(directory.path()).len(), 2, "what is printed, and one table");
}

/// Does a run with known bounds not ask the solver? On a busy machine there may not be the time to use what is known.
fn is_used(calls: impl Fn() -> u64) -> bool {
    (0..5).any(|_| calls() == 0)
}

#[test]
fn the_cache_can_be_looked_at_and_cleared() {
    let directory = filled();
    std::fs::write(directory.path().join("mine"), "not Lazuli's").expect("it can be written");
    let cache = |words: &[&str]| {
        let output = lazuli(&[&["cache"], words, &["--cache", text(directory.path())]].concat()).output();
        let output = output.expect("it starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).expect("it is text")
    };
    let shown = cache(&[]);
    assert!(shown.contains(text(directory.path())) && shown.contains(" answers about valid objects"), "{shown}");
    assert!(!shown.contains(" 0 answers") && shown == cache(&["show"]), "{shown}");
    assert!(cache(&["clear"]).contains("deleted"));
    assert!(cache(&[]).contains(" 0 answers"));
    assert_eq!(files(directory.path()).len(), 1, "a foreign file is gone");
}

/// A Redis server that ends with the test.
struct Redis {
    child: Child,
    port: u16,
    _directory: TempDir,
}

impl Redis {
    fn start() -> Redis {
        let directory = scratch();
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(directory.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed (scripts/test.sh installs it)");
        let redis = Redis { child, port, _directory: directory };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begin.elapsed() < HANGS, "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        redis
    }

    fn place(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    fn connection(&self) -> redis::Connection {
        let client = redis::Client::open(self.place()).expect("the address is right");
        client.get_connection().expect("the server answers")
    }

    fn stop(&mut self) {
        self.child.kill().expect("what was started can be ended");
        self.child.wait().expect("it has ended");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_is_shared() {
    let server = Redis::start();
    let cold = with_cache(&server.place());
    assert_same(&cold, undisturbed(), "cold");
    assert!(cold.warnings.is_empty() && cold.misses > 0, "{cold:?}");
    let warm = with_cache(&server.place());
    assert_same(&warm, undisturbed(), "warm");
    assert!(warm.warnings.is_empty() && warm.misses == 0 && warm.hits > 0, "{warm:?}");

    let mut connection = server.connection();
    let keys = connection.keys("lazuli:1:*").expect("the server answers");
    assert_eq!(keys.len(), 2, "answers, and a table of what fields may refer to: {keys:?}");
    for key in keys {
        assert!(redis::cmd("TTL").arg(&key).query::<i64>(&mut connection).expect("it answers") > 1000, "{key}");
    }
    connection.set("foreign", "own").expect("the server answers");
    let cache = |words: &[&str]| {
        let output = lazuli(&[&["cache"], words, &["--cache", &server.place()]].concat()).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("it is text")
    };
    assert!(cache(&[]).contains(" answers about valid objects"));
    assert!(cache(&["clear"]).contains("2 entries deleted"));
    assert_eq!(connection.keys("*").expect("the server answers"), ["foreign"]);
}

#[test]
fn a_server_with_something_else_under_our_names_costs_a_warning() {
    let server = Redis::start();
    with_cache(&server.place());
    let mut connection = server.connection();
    let key = connection.keys("lazuli:1:verdicts-*").expect("the server answers").remove(0);
    connection.rpush(&key, "no frame of ours").expect("the server answers");
    let found = with_cache(&server.place());
    assert_undisturbed(&found, undisturbed(), "was damaged");
    assert_eq!(found.misses, 0, "what is good is used");
    connection.set(&key, "no list").expect("the server answers");
    assert_undisturbed(&with_cache(&server.place()), undisturbed(), "WRONGTYPE");
}

#[test]
fn a_server_that_disappears_costs_a_warning() {
    let mut server = Redis::start();
    let place = server.place();
    let mut connection = server.connection();
    let child = checking(&place).spawn().expect("it starts");
    let begin = Instant::now();
    // The first look-up comes before the first path; what is found is added at the end.
    loop {
        let clients: String = redis::cmd("CLIENT").arg("LIST").query(&mut connection).expect("the server answers");
        if clients.contains("cmd=lrange") {
            break;
        }
        assert!(begin.elapsed() < HANGS, "the server is not asked: {clients}");
    }
    server.stop();
    let found = ran(&child.wait_with_output().expect("it ends"));
    assert_undisturbed(&found, undisturbed(), "is not used");
    // And one that was never there.
    assert_undisturbed(&with_cache(&place), undisturbed(), "is not used");
}

/// Something that listens, but is no Redis server. It serves until the test program ends.
fn impostor(serve: impl Fn(TcpStream) + Send + Copy + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve(stream));
        }
    });
    format!("redis://127.0.0.1:{port}")
}

#[test]
fn a_server_that_is_none_costs_a_warning() {
    let answers_nonsense = impostor(|mut stream| {
        let _ = stream.read(&mut [0; 1000]);
        let _ = stream.write_all(b"HTTP/1.1 418 I'm a teapot\r\n\r\n");
    });
    let never_answers = impostor(|stream| {
        std::thread::sleep(HANGS);
        drop(stream);
    });
    let drips = impostor(|mut stream| {
        // An answer that is right so far, and has no end.
        while stream.write_all(b"*9999\r\n").is_ok() {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let hangs_up = impostor(drop);
    for place in [answers_nonsense, never_answers, drips, hangs_up] {
        assert_undisturbed(&with_cache(&place), undisturbed(), "is not used");
    }
}
