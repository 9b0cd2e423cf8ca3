//! Do the programs that Lazuli writes compile and do what they should, on the real JVM and with the real JUnit?

#[path = "common/junit.rs"]
mod junit;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use junit::{javac, run_suite};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scratch() -> TempDir {
    tempfile::tempdir().expect("a scratch directory can be made")
}

/// The Java files of a folder.
fn sources(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join(folder)).expect("the folder is there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "java"));
    files.sort();
    files
}

/// The subjects and the fixtures, compiled once.
fn classes() -> &'static str {
    static CLASSES: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = CLASSES.get_or_init(|| {
        let directory = scratch();
        let folders =
            ["subjects/pli", "subjects/bliss", "subjects/kiasan", "subjects/gse", "tests/emit", "tests/emit/shop"];
        javac("", directory.path(), &folders.into_iter().flat_map(sources).collect::<Vec<PathBuf>>());
        let path = directory.path().display().to_string();
        (directory, path)
    });
    path
}

fn lazuli(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lazuli")).args(arguments).output().expect("lazuli starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn report(arguments: &[&str]) -> Value {
    let output = lazuli(&[&["check", "--format", "json", "--time", "300s"], arguments].concat());
    let report = serde_json::from_str(&text(&output.stdout));
    report.unwrap_or_else(|_| panic!("{arguments:?}: {}", text(&output.stderr)))
}

/// Writes a suite, and says what was printed.
fn suite(class_path: &str, directory: &Path, arguments: &[&str]) -> String {
    let directory = directory.display().to_string();
    let output = lazuli(&[&["tests", "-cp", class_path, "-o", &directory, "--time", "600s"], arguments].concat());
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[test]
fn suites_of_the_subjects_pass() {
    let directory = scratch();
    let targets = [
        "pli.TreeMap",
        "pli.TreeSet",
        "pli.LinkedList",
        "pli.AvlTree",
        "pli.BinomialHeap",
        "pli.LongTreeMap",
        "bliss.LinkedList",
        "bliss.TreeMap.put",
        "bliss.TreeMap.remove",
        "kiasan.SearchTree",
        "kiasan.RedBlackTree.put",
        "gse.Node.swapNode",
    ];
    let printed = suite(classes(), directory.path(), &[&targets[..], &["--scope", "3"]].concat());
    assert!(!printed.contains("without a test") && !printed.contains("not explored"), "{printed}");
    assert!(printed.contains("pli.TreeMap.put(int, Object): 8 tests of 18 paths"), "{printed}");
    assert!(printed.contains("covers 88 of 92 lines and 39 of 48 branches of 11 methods"), "{printed}");
    let verdicts = run_suite(classes(), directory.path());
    assert_eq!(verdicts.failed, Vec::<String>::new());
    assert!(verdicts.passed > 80, "{verdicts:?}");
}

#[test]
fn criteria_choose_more_or_fewer_tests() {
    let tests = |criterion: &str| {
        let directory = scratch();
        let arguments = ["pli.TreeMap.remove", "--scope", "3", "--criterion", criterion];
        let printed = suite(classes(), directory.path(), &arguments);
        let number =
            printed.split(" tests of ").next().and_then(|start| start.rsplit(' ').next()?.parse::<usize>().ok());
        // The others are parts of it.
        if criterion == "paths" {
            assert_eq!(run_suite(classes(), directory.path()).failed, Vec::<String>::new());
        }
        number.unwrap_or_else(|| panic!("{printed}"))
    };
    let [lines, branches, conditions, paths] = ["lines", "branches", "conditions", "paths"].map(tests);
    assert!(
        lines <= branches && branches <= conditions && conditions < paths,
        "{lines} {branches} {conditions} {paths}"
    );
    assert_eq!(paths, 17);
}

/// Everything that Java has to make inputs of: what works passes, and each fault that was found fails.
#[test]
fn inputs_of_every_kind_are_made_again() {
    let directory = scratch();
    let methods = "half fraction shout greet isLiteral next warmth other sums across sizeOf total isBeyond keep pick check larger self later";
    let values: Vec<String> = methods.split(' ').map(|method| format!("shop.Values.{method}")).collect();
    let mut arguments: Vec<&str> = values.iter().map(String::as_str).collect();
    arguments.extend([
        "shop.Hidden.longest",
        "shop.Hidden.isNamed",
        "shop.Hidden.holds",
        "Ring.count",
        "Ring.cut",
        "shop.Stack.below",
        "shop.Stack.peek",
    ]);
    arguments.extend(["--scope", "2", "--criterion", "paths", "--inputs", "fields"]);
    let printed = suite(classes(), directory.path(), &arguments);
    let faults: usize = printed
        .lines()
        .filter_map(|line| line.split_once(" of them failing")?.0.rsplit(' ').next()?.parse::<usize>().ok())
        .sum();
    let verdicts = run_suite(classes(), directory.path());
    assert_eq!(verdicts.failed.len(), faults, "{printed}{verdicts:?}");
    assert!(verdicts.failed.iter().all(|name| name.contains("_throws") || name.contains("_breaks")), "{verdicts:?}");
    assert!(verdicts.passed > 90, "{verdicts:?}");
    let hidden = std::fs::read_to_string(directory.path().join("shop/HiddenLazuliTest.java")).unwrap();
    assert!(hidden.contains("// The input, by reflection.") && hidden.contains("private static Object allocate("));
    let stack = std::fs::read_to_string(directory.path().join("shop/StackLazuliTest.java")).unwrap();
    assert!(
        stack.contains("Stack.Cell expected = stack.top.next;") && stack.contains("assertSame(expected, result);"),
        "{stack}"
    );
    let ring = std::fs::read_to_string(directory.path().join("RingLazuliTest.java")).unwrap();
    assert!(ring.contains("// The input, by setting fields.") && ring.contains("node.next = node;"), "{ring}");
}

#[test]
fn the_same_input_gives_the_same_files() {
    let (one, other) = (scratch(), scratch());
    let targets = ["pli.TreeMap", "shop.Values.sums", "--scope", "2"];
    let read = |directory: &TempDir, file: &str| std::fs::read_to_string(directory.path().join(file)).unwrap();
    for directory in [&one, &other] {
        suite(classes(), directory.path(), &targets);
    }
    for file in ["pli/TreeMapLazuliTest.java", "shop/ValuesLazuliTest.java"] {
        assert_eq!(read(&one, file), read(&other, file));
    }
    let before = read(&one, "pli/TreeMapLazuliTest.java");
    suite(classes(), one.path(), &targets);
    assert_eq!(read(&one, "pli/TreeMapLazuliTest.java"), before);
}

#[test]
fn tests_that_change_what_static_fields_lead_to_say_so() {
    let (folder, suites) = (scratch(), scratch());
    let source = folder.path().join("Stat.java");
    let code = "public class Stat {
        private static final java.util.Map<String, Integer> ALL = new java.util.HashMap<>();
        private static final java.util.Map<String, Integer> READ = new java.util.HashMap<>();
        static { ALL.put(\"a\", 1); READ.put(\"a\", 1); }
        public static void register(String name) { ALL.put(name, READ.get(\"a\")); }
        public static int count() { int sum = 0; for (int one : READ.values()) sum += one; return sum; } }";
    std::fs::write(&source, code).unwrap();
    javac("", folder.path(), &[source]);
    let path = folder.path().display().to_string();
    let told = suite(&path, suites.path(), &["Stat", "--scope", "1"]);
    let sentence = "these tests may disturb others: they change objects behind Stat.ALL, and do not set them back";
    assert!(told.contains(sentence) && !told.contains("Stat.READ"), "{told}");
    let file = std::fs::read_to_string(suites.path().join("StatLazuliTest.java")).unwrap();
    assert!(file.contains("// Stat.ALL leads to an object that tests change") && !file.contains("READ"), "{file}");
}

#[test]
fn files_of_others_are_left_alone() {
    let directory = scratch();
    let file = directory.path().join("pli/LinkedListLazuliTest.java");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "package pli; class LinkedListLazuliTest {}").unwrap();
    let place = directory.path().display().to_string();
    let arguments = ["tests", "-cp", classes(), "-o", &place, "pli.LinkedList.add", "--scope", "2"];
    let output = lazuli(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--force"), "{}", text(&output.stderr));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("package pli;"));
    assert_eq!(lazuli(&[&arguments[..], &["--force"]].concat()).status.code(), Some(0));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("// Written by `lazuli tests`"));
}

#[test]
fn wrong_requests_say_what_to_do() {
    let output = lazuli(&["tests", "-cp", classes(), "pli.LinkedList.add"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("-o"), "{}", text(&output.stderr));
    let output = lazuli(&["tests", "-cp", classes(), "pli.LinkedList.add", "-o", "/proc/nowhere"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("cannot be written"), "{}", text(&output.stderr));
}

/// A change of a subject that makes it wrong.
struct Defect {
    name: String,
    subject: String,
    target: String,
    finds: String,
    objects: usize,
    source: String,
}

impl Defect {
    /// Lines that begin with `-`, or with neither sign, are in the subject, where they begin with `+` or neither in the defect.
    fn read(file: &Path) -> Defect {
        let written = std::fs::read_to_string(file).expect("it can be read");
        let word = |name: &str| {
            let line = written.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{} says no {name}", file.display())).to_string()
        };
        let hunk: Vec<(char, &str)> = written
            .lines()
            .filter(|line| line.starts_with(['-', '+', ' ']))
            .map(|line| (line.chars().next().unwrap_or(' '), line[1..].trim()))
            .collect();
        let side = |other: char| hunk.iter().filter(move |(sign, _)| *sign != other).map(|(_, line)| *line);
        let old: Vec<&str> = side('+').collect();
        let original =
            std::fs::read_to_string(root().join("subjects").join(word("subject"))).expect("the subject is there");
        let lines: Vec<&str> = original.lines().collect();
        let is_here = |at: &usize| lines[*at..*at + old.len()].iter().map(|line| line.trim()).eq(old.iter().copied());
        let places: Vec<usize> = (0..=lines.len() - old.len()).filter(is_here).collect();
        let [at] = places[..] else { panic!("{} fits {} places", file.display(), places.len()) };
        let changed = lines[..at].iter().copied().chain(side('-')).chain(lines[at + old.len()..].iter().copied());
        Defect {
            name: file.file_stem().expect("it has a name").to_string_lossy().into_owned(),
            subject: word("subject"),
            target: word("target"),
            finds: word("finds"),
            objects: word("objects").parse().expect("a number"),
            source: changed.collect::<Vec<&str>>().join("\n"),
        }
    }

    /// Is it found, shown small, confirmed on the JVM, and does its test fail?
    fn is_caught(&self) {
        let Defect { name, .. } = self;
        let directory = scratch();
        let source = directory.path().join(Path::new(&self.subject).file_name().expect("it has a name"));
        std::fs::write(&source, &self.source).unwrap();
        let compiled = directory.path().join("classes");
        javac("", &compiled, &[source]);
        let class_path = compiled.display().to_string();
        let report = report(&["-cp", &class_path, &self.target]);
        assert_eq!(report["verdict"], "violated", "{name}");
        let violations = report["violations"].as_array().expect("a list");
        let found = violations.iter().find(|violation| violation["kind"] == self.finds.as_str());
        let found = found.unwrap_or_else(|| panic!("{name}: {violations:?}"));
        let objects = found["example"]["objects"].as_array().expect("an example").len();
        assert!(objects <= self.objects, "{name}: {objects} objects");
        for violation in violations {
            assert_eq!(violation["confirmed_on_jvm"], true, "{name}: {}", violation["not_confirmed"]);
        }
        let tests = directory.path().join("tests");
        let test = found["test"].as_str().expect("a test");
        let class = test.split("\nclass ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a class");
        std::fs::create_dir_all(&tests).unwrap();
        std::fs::write(tests.join(format!("{class}.java")), test).unwrap();
        let verdicts = run_suite(&class_path, &tests);
        assert_eq!((verdicts.passed, verdicts.failed.len()), (0, 1), "{name}: {test}");
    }
}

#[test]
fn seeded_defects_are_found_shown_small_and_confirmed() {
    let files = std::fs::read_dir(root().join("tests/defects")).expect("the folder is there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("it can be read").path()).collect();
    files.sort();
    assert!(files.len() >= 10);
    let defects: Vec<Defect> = files.iter().map(|file| Defect::read(file)).collect();
    // Most of the time is spent in processes of other programs.
    std::thread::scope(|scope| {
        for half in defects.chunks(defects.len().div_ceil(2)) {
            scope.spawn(move || half.iter().for_each(Defect::is_caught));
        }
    });
}

#[test]
fn faults_that_need_reflection_or_cycles_are_confirmed() {
    for (target, marks) in [
        ("shop.Hidden.longest", ["allocate(Hidden.class)", "set(Hidden.class, hidden, \"first\", link);"]),
        ("Ring.cut", ["new Ring();", ".next = "]),
    ] {
        let report = report(&["-cp", classes(), target, "--inputs", "fields"]);
        let violation = &report["violations"][0];
        assert_eq!(violation["confirmed_on_jvm"], true, "{target}: {violation}");
        let test = violation["test"].as_str().expect("a test");
        assert!(marks.iter().all(|mark| test.contains(mark)), "{test}");
    }
}

/// A JDK whose tools are scripts.
struct Jdk {
    home: TempDir,
}

impl Jdk {
    fn without_tools() -> Jdk {
        let real =
            Command::new("sh").args(["-c", "dirname $(dirname $(readlink -f $(command -v javac)))"]).output().unwrap();
        let real = PathBuf::from(text(&real.stdout).trim());
        let home = scratch();
        std::fs::create_dir_all(home.path().join("bin")).unwrap();
        std::os::unix::fs::symlink(real.join("lib"), home.path().join("lib")).unwrap();
        std::fs::copy(real.join("release"), home.path().join("release")).unwrap();
        Jdk { home }
    }

    fn with(self, tool: &str, script: &str) -> Jdk {
        use std::os::unix::fs::PermissionsExt;
        let file = self.home.path().join("bin").join(tool);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn check(&self, options: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", "-cp", classes(), "gse.Node.swapNodeUnchecked"]).args(options);
        // The scripts find `sleep` and the like; there is no compiler.
        let tools = scratch();
        for tool in ["sleep", "touch"] {
            std::os::unix::fs::symlink(format!("/bin/{tool}"), tools.path().join(tool)).unwrap();
        }
        command.env("JAVA_HOME", self.home.path()).env("PATH", tools.path());
        command.output().expect("lazuli starts")
    }
}

#[test]
fn without_a_compiler_nothing_is_confirmed_and_that_is_said() {
    let output = Jdk::without_tools().check(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("not confirmed: no javac (the JDK at "), "{}", text(&output.stdout));
    let output = Jdk::without_tools().check(&["--no-confirm"]);
    assert!(!text(&output.stdout).contains("confirmed"), "{}", text(&output.stdout));
}

#[test]
fn a_jvm_that_does_not_start_is_no_disagreement() {
    let output = Jdk::without_tools().with("javac", "exit 0").with("java", "echo no memory >&2; exit 1").check(&[]);
    let said = text(&output.stdout);
    assert!(said.contains("not confirmed: java does not run the program: no memory"), "{said}");
    let output = Jdk::without_tools().with("javac", "echo odd >&2; exit 1").with("java", "exit 0").check(&[]);
    let said = text(&output.stdout);
    let kept = said
        .split("javac does not accept the program: odd; it is kept in ")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    std::fs::remove_file(kept.unwrap_or_else(|| panic!("{said}"))).expect("the file is there");
}

#[test]
fn a_jvm_that_disagrees_is_reported_as_a_bug_with_a_file_to_attach() {
    let script = r#"for word in "$@"; do
        case "$word" in -Dlazuli.replay=*) printf 'begun\nmade\nreturned\n' > "${word#*=}" ;; esac
    done"#;
    let output = Jdk::without_tools().with("javac", "exit 0").with("java", script).check(&[]);
    let said = text(&output.stdout);
    assert!(said.contains("NOT CONFIRMED: the JVM disagrees. This is a bug of Lazuli."), "{said}");
    let file = said.lines().find_map(|line| line.trim().strip_prefix("Please report it, and attach ")).expect("a file");
    let kept = std::fs::read_to_string(file).expect("the file is there");
    assert!(kept.contains("class LazuliReplay1") && kept.contains("swapNodeUnchecked()"), "{kept}");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_jvm_that_hangs_is_ended_with_what_it_started() {
    let mark = scratch();
    let late = mark.path().join("late").display().to_string();
    let script = format!("(sleep 25; touch {late}) & sleep 60");
    let begin = Instant::now();
    let output = Jdk::without_tools().with("javac", "exit 0").with("java", &script).check(&["--time", "1s"]);
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    assert!(
        text(&output.stdout).contains("not confirmed: java did not come to an end in time"),
        "{}",
        text(&output.stdout)
    );
    std::thread::sleep(Duration::from_secs(26).saturating_sub(begin.elapsed()));
    assert!(!Path::new(&late).exists(), "a child of the JVM went on");
}

/// The lines `//! check TARGET KIND` of a fixture.
fn expected(source: &str) -> Vec<(String, String)> {
    let lines = source.lines().filter_map(|line| line.strip_prefix("//! check "));
    lines.filter_map(|line| line.split_once(' ')).map(|(target, kind)| (target.to_string(), kind.to_string())).collect()
}

/// A line of `tests/emit/calls` that ends with `// mended: CODE` is wrong, and CODE is right.
fn mended(line: &str) -> &str {
    line.split_once("// mended:").map_or(line, |(_, right)| right)
}

/// Objects that only calls make: the report says which calls, the JVM confirms them, and their test fails until the defect is mended.
#[test]
fn defects_of_objects_that_only_calls_make_are_shown_by_calls() {
    let directory = scratch();
    let (wrong, right) = (directory.path().join("wrong"), directory.path().join("right"));
    let helper = root().join("helper/lazuli/Lazuli.java");
    let files = sources("tests/emit/calls");
    assert!(files.len() >= 7);
    let changed = directory.path().join("mended");
    std::fs::create_dir_all(&changed).unwrap();
    let mut mended_files = vec![helper.clone()];
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let mended = text.lines().map(mended).collect::<Vec<_>>().join("\n");
        mended_files.push(changed.join(file.file_name().expect("it has a name")));
        std::fs::write(mended_files.last().expect("it is there"), mended).unwrap();
    }
    javac("", &wrong, &[&files[..], &[helper]].concat());
    javac("", &right, &mended_files);
    let (wrong, right) = (wrong.display().to_string(), right.display().to_string());
    let tests = directory.path().join("tests");
    let mut number = 0;
    for file in &files {
        for (target, kind) in expected(&std::fs::read_to_string(file).unwrap()) {
            let report = report(&["-cp", &wrong, &target]);
            let violations = report["violations"].as_array().expect("a list");
            let found = violations.iter().find(|violation| violation["kind"] == kind.as_str());
            let found = found.unwrap_or_else(|| panic!("{target}: {report}"));
            assert_eq!(found["confirmed_on_jvm"], true, "{target}: {}", found["not_confirmed"]);
            assert!(!found["calls"].as_array().expect("a list").is_empty(), "{target}");
            // Two faults of a class have tests of the same name.
            number += 1;
            let name = format!("Fault{number}Test");
            let test = found["test"].as_str().expect("a test");
            let class = test.split("\nclass ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a class");
            assert!(!test.contains("reflection"), "{target}: {test}");
            std::fs::create_dir_all(&tests).unwrap();
            std::fs::write(tests.join(format!("{name}.java")), test.replace(class, &name)).unwrap();
        }
    }
    let failing = run_suite(&wrong, &tests);
    assert_eq!((failing.passed, failing.failed.len()), (0, number), "{failing:?}");
    let passing = run_suite(&right, &tests);
    assert_eq!((passing.passed, passing.failed.len()), (number, 0), "{passing:?}");
}
