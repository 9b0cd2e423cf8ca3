//! Is a verdict of an earlier run ever reused that a full run would not give?
//!
//! A small project is edited at random: bodies, invariants, subclasses, static state, resources, declarations. After each edit, a run that reuses verdicts must say
//! about each method what a run without a cache says. `LAZULI_EDITS=500` tries as many, `LAZULI_SEED` begins elsewhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use sha2::Digest;

/// Parts of the project that have variants: file, and the text of each variant.
const PARTS: &[(&str, &[&str])] = &[
    // The weight of a node, which a subclass may override.
    (
        "Node.java",
        &[
            "class Node { Node next; int value; int weight() { return 1; } }",
            "class Node { Node next; int value; int weight() { return value; } }",
            "class Node { Node next; int value; int weight() { return 2 - 1; } }",
        ],
    ),
    (
        "Leaf.java",
        &["", "class Leaf extends Node { @Override int weight() { return -9; } }", "class Leaf extends Node { }"],
    ),
    (
        "Chain.java",
        &[
            "public class Chain { Node first; boolean repOK() { return first == null || first.next == null; } BODIES }",
            "public class Chain { Node first; boolean repOK() { return first == null || (first.next == null && first.value > 0); } BODIES }",
            "public class Chain { Node first; private boolean flag; boolean repOK() { return first == null || first.next == null; } BODIES }",
        ],
    ),
    (
        "Settings.java",
        &[
            "class Settings { static int limit = start(); static int start() { return 3; } static int of(int v) { return v; } }",
            "class Settings { static int limit = start(); static int start() { return 0; } static int of(int v) { return v; } }",
            "class Settings { static int limit = start(); static int start() { return 3; } static int of(int v) { return v == 7 ? 0 : v; } }",
        ],
    ),
    // No invariant: its objects are those that calls make.
    (
        "Door.java",
        &[
            "public class Door { private int state; public void step() { if (state < 2) state++; } public int left() { return 10 / (state - 3); } }",
            "public class Door { private int state; public void step() { if (state < 3) state++; } public int left() { return 10 / (state - 3); } }",
            "public class Door { private int state; public void step() { if (state < 2) state++; } public void force() { state = 3; } public int left() { return 10 / (state - 3); } }",
        ],
    ),
    ("Shape.java", &["interface Shape { int area(); }"]),
    (
        "Square.java",
        &[
            "class Square implements Shape { int side; public int area() { return 4; } }",
            "class Square implements Shape { int side; public int area() { return side == 5 ? -1 : 4; } }",
            "class Square implements Shape { int side; public int area() { return 4; } public boolean equals(Object o) { return side / (side - side) > 0; } public int hashCode() { return 0; } }",
        ],
    ),
    (
        "Painter.java",
        &[
            "public class Painter { public void paint(Shape s) { if (s instanceof Square && s.area() < 0) throw new AssertionError(); } \
         public int pick(int k) { java.util.function.IntSupplier f = () -> Settings.of(k); return 100 / f.getAsInt(); } }",
            "public class Painter { public void paint(Shape s) { if (s instanceof Square && s.area() < 0) throw new AssertionError(); } \
         public int pick(int k) { java.util.function.IntSupplier f = () -> Settings.of(1); return 100 / f.getAsInt(); } }",
        ],
    ),
    (
        "Reader.java",
        &[
            "public class Reader { public void look() throws Exception { if (Reader.class.getResource(\"data.txt\") == null) throw new AssertionError(); } }",
        ],
    ),
    ("data.txt", &["", "here"]),
    // Nothing else has to do with it.
    (
        "Other.java",
        &[
            "public class Other { public int twice(int x) { return 2 * x; } }",
            "public class Other { public int twice(int x) { return x + x; } }",
            "public class Other { public int twice(int x) { return x << 1; } }",
        ],
    ),
];

/// The methods of `Chain`, each with bodies.
const BODIES: &[&[&str]] = &[
    &[
        "public int total() { return first == null ? 0 : 6 / first.weight(); }",
        "public int total() { return first == null ? 0 : 6 / (first.weight() + 0); }",
    ],
    &[
        "public void push() { first = new Node(); first.value = 1; }",
        "public void push() { first = new Node(); first.next = first; }",
    ],
    &["public int limit() { return 5 / Settings.limit; }", "public int limit() { return Settings.limit; }"],
    &[
        "public boolean same(Object o) { return o instanceof Square && o.equals(this); }",
        "public boolean same(Object o) { return o == this; }",
    ],
];

/// Compiles folders, each into `classes` inside it, in one JVM: starting one for each would take most of the time.
const COMPILER: &str = "import java.nio.file.*; import java.util.*; import javax.tools.*;
public class Compile { public static void main(String[] folders) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String folder : folders) {
        List<String> words = new ArrayList<>(List.of(\"-g\", \"-nowarn\", \"-proc:none\", \"-d\", folder + \"/classes\"));
        try (var files = Files.list(Path.of(folder))) { files.map(Path::toString).filter(f -> f.endsWith(\".java\")).sorted().forEach(words::add); }
        if (compiler.run(null, null, null, words.toArray(new String[0])) != 0) System.exit(1);
    } } }";

/// The variants of a state of the project.
#[derive(Clone, Debug, PartialEq)]
struct Choices {
    parts: Vec<usize>,
    bodies: Vec<usize>,
}

impl Choices {
    fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder.join("classes")).expect("a folder can be made");
        for ((file, variants), choice) in PARTS.iter().zip(&self.parts) {
            let bodies: Vec<&str> =
                BODIES.iter().zip(&self.bodies).map(|(variants, choice)| variants[*choice]).collect();
            // Each method on a line of its own, which stays the same.
            let text = variants[*choice].replace("BODIES", &format!("\n{}\n", bodies.join("\n")));
            let place = if file.ends_with(".java") { folder.join(file) } else { folder.join("classes").join(file) };
            if !text.is_empty() {
                std::fs::write(place, text).expect("it can be written");
            }
        }
    }
}

fn lazuli(classes: &Path, cache: &str, further: &[&str]) -> Output {
    let mut command = Command::new(std::env::var("LAZULI_BINARY").unwrap_or(env!("CARGO_BIN_EXE_lazuli").to_string()));
    command
        .args(["check", "**", "--scope", "2", "--time", "120s", "--jobs", "1", "--format", "json", "--cache", cache]);
    command.env_remove("LAZULI_FRESH");
    command.args(further).arg("-cp").arg(classes).output().expect("lazuli starts")
}

/// The parts of each report that do not depend on effort, by target; and the targets whose verdict was reused.
fn verdicts(output: &Output) -> (BTreeMap<String, Value>, Vec<String>) {
    let text = String::from_utf8(output.stdout.clone()).expect("reports are UTF-8");
    let (mut verdicts, mut reused) = (BTreeMap::new(), Vec::new());
    // One report is laid out over many lines, several are a line each.
    for report in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let report = report.expect("it is JSON");
        let target = report["target"].as_str().expect("it names its target").to_string();
        if report["reused"] == true {
            reused.push(target.clone());
        }
        let parts = ["verdict", "extent", "otherwise", "assumptions", "not_explored", "findings", "paths", "error"];
        let mut kept: Vec<Value> = parts.iter().map(|part| report[part].clone()).collect();
        for fault in report["violations"].as_array().into_iter().flatten() {
            kept.extend(["kind", "at", "message", "calls", "test"].iter().map(|part| fault[part].clone()));
        }
        verdicts.insert(target, Value::Array(kept));
    }
    assert!(!verdicts.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (verdicts, reused)
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn no_verdict_is_stale_after_random_edits() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let mut dice = fastrand::Rng::with_seed(number("LAZULI_SEED", 7));
    let mut now = Choices { parts: vec![0; PARTS.len()], bodies: vec![0; BODIES.len()] };
    let mut states = vec![now.clone()];
    let edits = number("LAZULI_EDITS", 24) as usize;
    // The first edit is of a class that nothing else has to do with.
    *now.parts.last_mut().expect("there are parts") = 1;
    states.push(now.clone());
    while states.len() <= edits {
        let change = |choice: &mut usize, variants: usize, dice: &mut fastrand::Rng| *choice = dice.usize(..variants);
        match dice.bool() {
            true => {
                let at = dice.usize(..BODIES.len());
                change(&mut now.bodies[at], BODIES[at].len(), &mut dice);
            }
            false => {
                let at = dice.usize(..PARTS.len());
                change(&mut now.parts[at], PARTS[at].1.len(), &mut dice);
            }
        }
        if states.last() != Some(&now) {
            states.push(now.clone());
        }
    }
    let folders: Vec<PathBuf> = (0..states.len()).map(|number| place.path().join(number.to_string())).collect();
    states.iter().zip(&folders).for_each(|(state, folder)| state.write(folder));
    std::fs::write(place.path().join("Compile.java"), COMPILER).expect("it can be written");
    let compiled = Command::new("java").arg(place.path().join("Compile.java")).args(&folders).status();
    assert!(compiled.expect("java is installed").success());
    let cache = place.path().join("cache").display().to_string();
    let (mut reused_in_all, mut checked_in_all) = (0, 0);
    for (number, folder) in folders.iter().enumerate() {
        let classes = folder.join("classes");
        let (expected, none) = verdicts(&lazuli(&classes, "none", &["--no-confirm"]));
        let (found, reused) = verdicts(&lazuli(&classes, &cache, &["--no-confirm"]));
        assert!(none.is_empty());
        for (target, verdict) in &expected {
            let how = if reused.contains(target) { "reused" } else { "checked" };
            assert_eq!(found.get(target), Some(verdict), "edit {number}: {target} was {how}\n{:?}", states[number]);
        }
        assert_eq!(found.len(), expected.len());
        if number == 1 {
            let all_but_other: Vec<&String> = expected.keys().filter(|target| !target.starts_with("Other")).collect();
            assert!(all_but_other.iter().all(|target| reused.contains(target)), "reused: {reused:?}");
            assert!(!reused.iter().any(|target| target.starts_with("Other")), "reused: {reused:?}");
        }
        reused_in_all += reused.len();
        checked_in_all += expected.len() - reused.len();
    }
    println!("{reused_in_all} verdicts were reused, {checked_in_all} methods checked");
    assert!(reused_in_all > 0 && checked_in_all > 0);
}

/// A project of one class, compiled.
fn compiled(place: &Path, source: &str) -> PathBuf {
    let classes = place.join("classes");
    std::fs::write(place.join("Counter.java"), source).expect("it can be written");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(&classes).arg(place.join("Counter.java")).status();
    assert!(javac.expect("javac is installed").success());
    classes
}

const COUNTER: &str = "public class Counter { int count; boolean repOK() { return count >= 0; }
    public void up() { count++; }
    public int half() { return 10 / (count + 1); } }";

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn faults_are_reused_with_their_confirmations_and_tests() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let classes = compiled(place.path(), COUNTER);
    let cache = place.path().join("cache").display().to_string();
    let first = lazuli(&classes, &cache, &[]);
    let second = lazuli(&classes, &cache, &[]);
    let (before, none) = verdicts(&first);
    let (after, all) = verdicts(&second);
    assert_eq!((before, none.len(), all.len()), (after, 0, 2));
    assert!(String::from_utf8_lossy(&second.stdout).contains(r#""confirmed_on_jvm":true"#));
    assert_eq!(first.status.code(), second.status.code());
    assert!(told(&second).contains("2 verdicts are of an earlier run"), "{}", told(&second));
    // Neither without the JVM, nor under other options, nor when it is asked for.
    for options in [&["--no-confirm"][..], &["--strict"], &["--fresh"]] {
        assert!(verdicts(&lazuli(&classes, &cache, options)).1.is_empty(), "{options:?}");
    }
}

#[test]
fn damage_another_lazuli_and_another_jdk_are_told_and_not_trusted() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let classes = compiled(place.path(), COUNTER);
    let cache = place.path().join("cache");
    let text = cache.display().to_string();
    let (expected, _) = verdicts(&lazuli(&classes, &text, &["--no-confirm"]));
    // Another build is the same program with a byte behind its end.
    let other = place.path().join("lazuli");
    let mut program = std::fs::read(env!("CARGO_BIN_EXE_lazuli")).expect("it can be read");
    program.push(0);
    std::fs::write(&other, program).expect("it can be written");
    let permissions = std::fs::metadata(env!("CARGO_BIN_EXE_lazuli")).expect("it is there").permissions();
    std::fs::set_permissions(&other, permissions).expect("it can be executed");
    let run = Command::new(&other)
        .args(["check", "**", "--scope", "2", "--time", "120s", "--jobs", "1", "--format", "json", "--no-confirm"])
        .args(["--cache", &text, "-cp"])
        .arg(&classes)
        .env_remove("LAZULI_FRESH")
        .output()
        .expect("it starts");
    assert!(verdicts(&run).1.is_empty() && told(&run).contains("another Lazuli"), "{}", told(&run));
    assert_eq!(verdicts(&run).0, expected);
    // Each byte of an entry may be wrong; a few of them are tried.
    let entries = || std::fs::read_dir(&cache).expect("it is there").map(|entry| entry.expect("it can be read").path());
    let checks: Vec<PathBuf> = entries().filter(|path| path.to_string_lossy().contains("checks-")).collect();
    assert_eq!(checks.len(), 2);
    for share in [3, 5, 9] {
        for file in &checks {
            let mut bytes = std::fs::read(file).expect("it can be read");
            let at = bytes.len() * share / 10;
            bytes[at] ^= 0x10;
            std::fs::write(file, bytes).expect("it can be written");
        }
        let damaged = lazuli(&classes, &text, &["--no-confirm"]);
        assert_eq!(verdicts(&damaged).0, expected, "at {share} tenths: {}", told(&damaged));
        assert!(told(&damaged).contains("damaged"), "{}", told(&damaged));
    }
    assert_eq!(verdicts(&lazuli(&classes, &text, &["--no-confirm"])).1.len(), 2);
    let others = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_newer = |home: &PathBuf| {
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        home.join("lib/modules").exists() && !release.contains("JAVA_VERSION=\"17")
    };
    let Some(home) = others.into_iter().find(is_newer) else {
        println!("skipped: no second JDK is installed");
        return;
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "**", "--scope", "2", "--time", "120s", "--jobs", "1", "--format", "json", "--no-confirm"]);
    let run = command
        .args(["--cache", &text, "-cp"])
        .arg(&classes)
        .env("JAVA_HOME", home)
        .env_remove("LAZULI_FRESH")
        .output()
        .expect("it starts");
    assert!(verdicts(&run).1.is_empty() && told(&run).contains("another JDK"), "{}", told(&run));
}

#[test]
fn two_questions_of_one_digest_are_told_apart() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let classes = compiled(place.path(), COUNTER);
    let cache = place.path().join("cache");
    let text = cache.display().to_string();
    let (expected, _) = verdicts(&lazuli(&classes, &text, &["--no-confirm"]));
    let entries = std::fs::read_dir(&cache).expect("it is there").map(|entry| entry.expect("it can be read"));
    let name = |entry: std::fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    let mut names: Vec<String> = entries.map(name).filter(|name| name.starts_with("checks-")).collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    // The verdict of the one question under the digest of the other, as a whole and valid entry.
    let bytes = std::fs::read(cache.join(&names[1])).expect("it can be read");
    let (format, checksum) = (b"lazuli cache 1\n", 16);
    let contents = &bytes[format.len() + 8 + checksum..];
    let mut sum = sha2::Sha256::new_with_prefix((names[0].len() as u64).to_le_bytes());
    sum.update(names[0].as_bytes());
    sum.update(contents);
    let length = ((checksum + contents.len()) as u64).to_le_bytes();
    let forged = [&format[..], &length, &sum.finalize()[..checksum], contents].concat();
    std::fs::write(cache.join(&names[0]), forged).expect("it can be written");
    let again = lazuli(&classes, &text, &["--no-confirm"]);
    let (found, reused) = verdicts(&again);
    assert_eq!((found, reused.len()), (expected, 1));
    assert!(told(&again).contains("another question of the same digest (1)"), "{}", told(&again));
}

#[test]
fn two_hundred_methods_that_are_unchanged_take_less_than_a_second() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let source = |class: usize, first: &str| {
        let method = |number: usize| {
            let result = if number == 0 { first.to_string() } else { format!("count + {number}") };
            format!(
                "    public int m{number}(int x) {{ if (x > {number}) count = x; return next == null ? {result} : next.count; }}\n"
            )
        };
        let methods: String = (0..5).map(method).collect();
        let file = place.path().join(format!("C{class}.java"));
        let text = format!(
            "public class C{class} {{ int count; C{class} next;\n    boolean repOK() {{ return next != this; }}\n{methods}}}"
        );
        std::fs::write(&file, text).expect("it can be written");
        file
    };
    let files: Vec<PathBuf> = (0..40).map(|class| source(class, "count")).collect();
    let (classes, cache) = (place.path().join("classes"), place.path().join("cache").display().to_string());
    let compile = |files: &[PathBuf]| {
        let javac = Command::new("javac").args(["-g", "-d"]).arg(&classes).args(files).status();
        assert!(javac.expect("javac is installed").success());
    };
    compile(&files);
    let (expected, _) = verdicts(&lazuli(&classes, &cache, &[]));
    assert_eq!(expected.len(), 200);
    // The time of the processor: other tests run at the same time.
    let timed = "TIMEFORMAT='%U %S'; time \"$@\" --format json";
    let again = Command::new("bash")
        .args(["-c", timed, "bash", env!("CARGO_BIN_EXE_lazuli"), "check", "**", "--scope", "2", "--time", "120s"])
        .args(["--jobs", "1", "--cache", &cache, "-cp"])
        .arg(&classes)
        .env_remove("LAZULI_FRESH")
        .output()
        .expect("bash is installed");
    let (found, reused) = verdicts(&again);
    assert_eq!((found, reused.len()), (expected, 200));
    let told = told(&again);
    let times = told.lines().last().expect("bash says the times").split(' ');
    let seconds: f64 = times.map(|time| time.parse::<f64>().expect("a number")).sum();
    assert!(seconds < 1.0, "{told}");
    compile(&[source(7, "x")]);
    let (found, reused) = verdicts(&lazuli(&classes, &cache, &[]));
    assert_eq!((found.len(), reused.len()), (200, 199));
    assert!(!reused.iter().any(|target| target.starts_with("C7.m0")), "{reused:?}");
}

#[test]
fn since_a_revision_only_what_it_concerns_is_checked() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let root = place.path();
    let git = |words: &[&str]| {
        let names = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
        let done = Command::new("git").args(names).args(words).current_dir(root).output().expect("git is installed");
        assert!(done.status.success(), "{}", told(&done));
    };
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).expect("it can be written");
    write("A.java", "public class A { public int use(int x) { return B.of(x); } }");
    write("B.java", "class B { static int of(int x) { return x; } }");
    write("C.java", "public class C { public int alone(int x) { return x; } }");
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    write("B.java", "class B { static int of(int x) { return 1 / x; } }");
    let javac =
        Command::new("javac").args(["-g", "-d", "classes", "A.java", "B.java", "C.java"]).current_dir(root).status();
    assert!(javac.expect("javac is installed").success());
    let check = |revision: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args([
            "check",
            "**",
            "-cp",
            "classes",
            "--format",
            "json",
            "--scope",
            "1",
            "--no-confirm",
            "--since",
            revision,
        ]);
        command.env("XDG_CACHE_HOME", root.join("cache")).current_dir(root).output().expect("lazuli starts")
    };
    let concerned = check("HEAD");
    let targets: Vec<String> = verdicts(&concerned).0.into_keys().collect();
    assert_eq!(targets, ["A.use(I)I"], "{}", told(&concerned));
    assert_eq!(concerned.status.code(), Some(1));
    let unknown = check("nowhere");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(told(&unknown).contains("nowhere"), "{}", told(&unknown));
    git(&["commit", "-q", "-a", "-m", "second"]);
    let none = check("HEAD");
    assert_eq!((none.status.code(), none.stdout.len()), (Some(0), 0), "{}", told(&none));
}

#[test]
fn watching_checks_again_after_a_build() {
    use std::io::{BufRead, BufReader};
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let classes = compiled(place.path(), COUNTER);
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["watch", "Counter.half", "--scope", "1", "--no-confirm", "-q", "-cp"]).arg(&classes);
    command.env("XDG_CACHE_HOME", place.path().join("cache")).stdout(std::process::Stdio::piped());
    let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("lazuli starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut next = || lines.next().expect("there is a line").expect("it can be read");
    assert!(next().contains("holds"));
    compiled(place.path(), &COUNTER.replace("(count + 1)", "count"));
    assert!(next().contains("violated"));
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
}
