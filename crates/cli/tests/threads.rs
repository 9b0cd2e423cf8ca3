//! Are all orders of threads found, and no other? The programs of `tests/threads` say what must be found, and random ones are held to an enumeration of
//! their interleavings that has nothing to do with Lazuli.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

fn compiled(files: &[(&str, String)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-d"]).arg(directory.path());
    for (name, text) in files {
        let file = directory.path().join(name);
        std::fs::write(&file, text).expect("the source can be written");
        javac.arg(file);
    }
    assert!(javac.status().expect("javac is installed").success(), "javac failed");
    directory
}

/// The reports about all methods of a class, by title.
fn reports(classes: &Path, class: &str, options: &[&str]) -> BTreeMap<String, Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp"]).arg(classes).args([class, "--no-confirm", "--format", "json", "--scope", "1"]);
    let output = command.args(options).output().expect("lazuli starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parsed = serde_json::Deserializer::from_str(&text).into_iter::<Value>().collect::<Result<Vec<_>, _>>();
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    parsed.into_iter().map(|report| (report["title"].as_str().unwrap_or_default().to_string(), report)).collect()
}

fn texts<'a>(report: &'a Value, list: &str, key: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let entries = report[list].as_array().cloned().unwrap_or_default();
    entries.into_iter().map(move |entry| entry[key].as_str().unwrap_or_default().to_string())
}

/// The ends of all paths with their results.
fn ends(report: &Value) -> BTreeSet<String> {
    let outcomes = report["outcomes"].as_array().cloned().unwrap_or_default();
    let end = |outcome: Value| match outcome["ending"]["how"].as_str() {
        Some("threw") => format!("threw {}", outcome["ending"]["class"]),
        Some(how) => format!("{how} {}", outcome["result"]),
        None => String::new(),
    };
    outcomes.into_iter().map(end).collect()
}

#[test]
fn small_programs_have_the_faults_that_they_were_written_with() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads/Suite.java");
    let source = std::fs::read_to_string(source).expect("the fixture is there");
    let classes = compiled(&[("Suite.java", source.clone())]);
    let reduced = reports(classes.path(), "Suite", &["--jobs", "1"]);
    let mut wrong = Vec::new();
    let mut programs = 0;
    for line in source.lines().filter(|line| line.starts_with("    public static int ")) {
        let (head, expected) = line.split_once("//:").expect("each program says what is expected");
        let name = head.trim_start_matches("    public static int ").split('(').next().unwrap_or_default();
        let Some((_, report)) = reduced.iter().find(|(title, _)| title.starts_with(&format!("Suite.{name}("))) else {
            wrong.push(format!("{name} has no report"));
            continue;
        };
        programs += 1;
        let mut expected: Vec<String> =
            expected.split(',').map(|word| word.trim().to_string()).filter(|word| !word.is_empty()).collect();
        expected.sort();
        let defects = texts(report, "violations", "kind").map(|kind| format!("defect {kind}"));
        let findings = texts(report, "findings", "kind").zip(texts(report, "findings", "what"));
        let races = findings.filter(|(kind, _)| kind == "race").map(|(_, what)| format!("race {what}"));
        let found: BTreeSet<String> = defects.chain(races).collect();
        let found: Vec<String> = found.into_iter().collect();
        let has = |what: &str| expected.iter().any(|word| word.starts_with(what));
        let verdict = match (has("defect"), has("race")) {
            (true, _) => "violated",
            (false, true) => "incomplete",
            (false, false) => "holds",
        };
        if found != expected || report["verdict"] != verdict {
            wrong.push(format!(
                "{name}: expected {expected:?} and {verdict}, found {found:?}, {}: {}",
                report["verdict"], report["not_explored"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(programs, 81);
}

/// A bound on preemptions hides an order, and stands in the verdict.
#[test]
fn a_bound_on_preemptions_is_part_of_the_verdict() {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads/Suite.java"));
    let classes = compiled(&[("Suite.java", source.expect("the fixture is there"))]);
    let report = |most: &str| {
        let found = reports(classes.path(), "Suite.volatileIsNotAtomic", &["--preemptions", most]);
        let report = found.into_values().next().expect("there is a report");
        (report["verdict"].clone(), report["extent"].clone())
    };
    let (verdict, extent) = report("0");
    assert_eq!((verdict, extent), ("holds".into(), "every input with at most 0 preemptions on each path".into()));
    assert_eq!(report("1").0, "violated");
}

/// How often threads may wake up for no reason is bounded, and the verdict says so.
#[test]
fn a_bound_on_spurious_wake_ups_is_part_of_the_verdict() {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads/Suite.java"));
    let classes = compiled(&[("Suite.java", source.expect("the fixture is there"))]);
    let report = |method: &str, most: &str| {
        let found = reports(classes.path(), &format!("Suite.{method}"), &["--spurious", most]);
        let report = found.into_values().next().expect("there is a report");
        (report["verdict"].clone(), report["assumptions"].to_string())
    };
    let (verdict, assumptions) = report("wakesUpForNoReason", "0");
    assert_eq!(verdict, "holds");
    assert!(assumptions.contains("wait and park end only when the thread is woken"), "{assumptions}");
    assert_eq!(report("wakesUpForNoReason", "1").0, "violated");
    let (verdict, assumptions) = report("weakCompareAndSetInLoop", "2");
    assert_eq!(verdict, "holds");
    assert!(assumptions.contains("fails for no reason more than twice"), "{assumptions}");
}

/// Defects of `Suite` that no JVM is made to show, and why.
const NOT_FORCED: [(&str, &str); 5] = [
    ("spinForEver", "a thread that goes round and round for ever looks like a slow one on a JVM"),
    ("wakesUpForNoReason", "spurious wake-up of A at Suite.java"),
    ("parkReturnsForNoReason", "spurious wake-up of Thread-0 at Suite.java"),
    ("weakCompareAndSetFails", "spurious failure of a weak compare-and-set at Suite.java"),
    ("weakReferenceFails", "spurious failure of a weak compare-and-set of B at Suite.java"),
];

#[test]
fn schedules_are_forced_on_the_jvm() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads/Suite.java");
    let source = std::fs::read_to_string(source).expect("the fixture is there");
    let classes = compiled(&[("Suite.java", source.clone())]);
    let mut wrong = Vec::new();
    let mut confirmed = 0;
    for line in source.lines().filter(|line| line.contains("//: defect")) {
        let name = line.trim_start_matches("    public static int ").split('(').next().unwrap_or_default();
        // Each has a run of its own: the time for confirmations is one for all targets.
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", "-cp"]).arg(classes.path()).arg(format!("Suite.{name}"));
        let output = command.args(["--format", "json", "--scope", "1"]).output().expect("lazuli starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let expected = NOT_FORCED.iter().find(|(known, _)| *known == name).map(|(_, why)| *why);
        for violation in report["violations"].as_array().expect("violations") {
            let (is_confirmed, why) = (&violation["confirmed_on_jvm"], violation["not_confirmed"].as_str());
            confirmed += (*is_confirmed == true) as usize;
            let is_why = why.is_some_and(|why| expected.is_some_and(|expected| why.contains(expected)));
            if (*is_confirmed == true) != expected.is_none() || is_why != expected.is_some() {
                wrong.push(format!("{name}: {is_confirmed}, {why:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(confirmed, 35);
}

#[test]
fn an_order_that_breaks_the_invariant_is_forced_too() {
    let source = "public class Pair { int n, m; public boolean repOK() { return n == m; } \
        public void late() { new Thread(() -> { synchronized (this) { n++; } synchronized (this) { m++; } }).start(); } \
        public void joined() throws Exception { \
            Thread t = new Thread(() -> { synchronized (this) { n++; m++; } }); t.start(); t.join(); } }";
    let classes = compiled(&[("Pair.java", source.to_string())]);
    for (method, verdict, confirmed) in [("late", "violated", vec![true]), ("joined", "holds", vec![])] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", "-cp"]).arg(classes.path()).arg(format!("Pair.{method}"));
        let output = command.args(["--format", "json", "--scope", "2"]).output().expect("lazuli starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let violations = report["violations"].as_array().expect("violations");
        let found: Vec<bool> = violations.iter().map(|found| found["confirmed_on_jvm"] == true).collect();
        assert_eq!((&report["verdict"], found), (&Value::from(verdict), confirmed), "{method}: {report}");
    }
}

#[test]
fn a_report_is_stepped_through() {
    let source = "public class Two { int n; static int lost() throws Exception { Two two = new Two(); \
        Thread other = new Thread(() -> two.n = 7, \"other\"); other.start(); int seen = two.n; other.join(); \
        assert seen == 0; return seen; } }";
    let classes = compiled(&[("Two.java", source.to_string())]);
    let file = classes.path().join("report.json");
    let lazuli = || Command::new(env!("CARGO_BIN_EXE_lazuli"));
    let mut check = lazuli();
    check.args(["check", "-cp"]).arg(classes.path()).args(["Two.lost", "--no-confirm", "--format", "json", "-o"]);
    assert_eq!(check.arg(&file).output().expect("lazuli starts").status.code(), Some(1));
    let replayed = |arguments: &[&str]| {
        let output = lazuli().arg("replay").arg(&file).args(arguments).output().expect("lazuli starts");
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        (output.status.code(), texts)
    };
    let (code, [steps, _]) = replayed(&[]);
    assert_eq!(code, Some(0));
    let position = |what: &str| steps.lines().position(|line| line.contains(what)).expect(what);
    assert!(position("other  Two.java:1  writes Two#1.n = 7") < position("reads Two#1.n = 7"), "{steps}");
    assert!(steps.contains("Then java.lang.AssertionError is thrown."), "{steps}");
    let (code, [_, message]) = replayed(&["--violation", "2"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("there is no violation 2") && message.contains("it has 1"), "{message}");
    for (text, expected) in [("", "it is empty"), ("{\"a\": 1}", "missing field `title`"), ("x", "line 1 column 1")] {
        std::fs::write(&file, text).expect("the file can be written");
        let (code, [_, message]) = replayed(&[]);
        assert_eq!(code, Some(2), "{text}");
        assert!(message.contains(expected) && message.contains("--format json -o FILE"), "{message}");
    }
}

#[test]
fn each_class_of_equivalent_executions_is_followed_to_its_end_once() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads/Published.java");
    let source = std::fs::read_to_string(source).expect("the fixture is there");
    let classes = compiled(&[("Published.java", source.clone())]);
    let reports = reports(classes.path(), "Published", &["--jobs", "1", "--assume-sc"]);
    let mut programs = 0;
    for line in source.lines().filter(|line| line.starts_with("    public static void ")) {
        let (head, expected) = line.split_once("//: ").expect("each program says how many executions it has");
        let name = head.trim_start_matches("    public static void ").split('(').next().unwrap_or_default();
        let report = &reports[&format!("Published.{name}()")];
        // Some executions repeat another one only after a while, and are given up there.
        let (expected, given_up) = expected.split_once(", given up: ").unwrap_or((expected, "0"));
        let number = |text: &str| text.trim().parse::<u64>().expect("a number");
        let (expected, given_up) = (number(expected), number(given_up));
        assert_eq!((&report["paths"], &report["verdict"]), (&expected.into(), &"holds".into()), "{name}");
        assert_eq!(report["redundant"], given_up, "{name}");
        programs += 1;
    }
    assert_eq!(programs, 7);
}

/// A statement of a thread. Each thread has one local variable.
#[derive(Clone, Debug)]
enum Statement {
    /// `a = v;`
    Load(usize),
    /// `v = a + n;`
    Store(usize, i32),
    /// `synchronized (lock) { … }`
    Locked(Vec<Statement>),
}

/// A step of an interleaving.
#[derive(Clone, Debug)]
enum Step {
    Load(usize),
    Store(usize, i32),
    Lock,
    Unlock,
}

/// The shared variables: x and y are plain, z is volatile.
const VARIABLES: [&str; 3] = ["x", "y", "z"];

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn simple(&mut self) -> Statement {
        let variable = self.below(3) as usize;
        match self.below(2) {
            0 => Statement::Load(variable),
            _ => Statement::Store(variable, self.below(3) as i32),
        }
    }

    fn thread(&mut self, most: u64) -> Vec<Statement> {
        (0..1 + self.below(most))
            .map(|_| match self.below(4) {
                0 => Statement::Locked((0..1 + self.below(2)).map(|_| self.simple()).collect()),
                _ => self.simple(),
            })
            .collect()
    }
}

fn java(statements: &[Statement]) -> String {
    let one = |statement: &Statement| match statement {
        Statement::Load(variable) => format!("a = {};", VARIABLES[*variable]),
        Statement::Store(variable, more) => format!("{} = a + {more};", VARIABLES[*variable]),
        Statement::Locked(inner) => format!("synchronized (lock) {{ {} }}", java(inner)),
    };
    statements.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn steps(statements: &[Statement]) -> Vec<Step> {
    let one = |statement: &Statement| match statement {
        Statement::Load(variable) => vec![Step::Load(*variable)],
        Statement::Store(variable, more) => vec![Step::Store(*variable, *more)],
        Statement::Locked(inner) => [vec![Step::Lock], steps(inner), vec![Step::Unlock]].concat(),
    };
    statements.iter().flat_map(one).collect()
}

#[derive(Clone)]
struct Machine {
    positions: Vec<usize>,
    locals: Vec<i32>,
    shared: [i32; 3],
    owner: Option<usize>,
}

/// Collects the results of all interleavings.
fn interleave(programs: &[Vec<Step>], machine: Machine, results: &mut BTreeSet<i32>) {
    let mut is_over = true;
    for thread in 0..programs.len() {
        let Some(step) = programs[thread].get(machine.positions[thread]) else { continue };
        if matches!(step, Step::Lock) && machine.owner.is_some() {
            continue;
        }
        is_over = false;
        let mut next = machine.clone();
        next.positions[thread] += 1;
        match step {
            Step::Load(variable) => next.locals[thread] = next.shared[*variable],
            Step::Store(variable, more) => next.shared[*variable] = next.locals[thread] + more,
            Step::Lock => next.owner = Some(thread),
            Step::Unlock => next.owner = None,
        }
        interleave(programs, next, results);
    }
    if is_over {
        let all = machine.shared.iter().chain(&machine.locals);
        results.insert(all.fold(0, |sum, value| sum * 11 + value));
    }
}

/// A class of random programs with that many threads of at most so many statements, and the results of all interleavings of each.
fn generate(random: &mut Random, class: &str, count: usize, most: u64) -> (String, Vec<BTreeSet<i32>>) {
    const PROGRAMS: usize = 12;
    let mut source = format!(
        "public class {class} {{ static int x, y; static volatile int z; static final Object lock = new Object();\n\
         static void join(Thread t) {{ try {{ t.join(); }} catch (InterruptedException e) {{ throw new IllegalStateException(e); }} }}\n",
    );
    let mut expected = Vec::new();
    for number in 0..PROGRAMS {
        let threads: Vec<Vec<Statement>> = (0..count).map(|_| random.thread(most)).collect();
        let programs: Vec<Vec<Step>> = threads.iter().map(|thread| steps(thread)).collect();
        let mut results = BTreeSet::new();
        let machine = Machine { positions: vec![0; count], locals: vec![0; count], shared: [0; 3], owner: None };
        interleave(&programs, machine, &mut results);
        expected.push(results);
        source
            .push_str(&format!("public static int m{number}() {{ x = 0; y = 0; z = 0; int[] r = new int[{count}];\n"));
        for (thread, statements) in threads.iter().enumerate() {
            source.push_str(&format!(
                "Thread t{thread} = new Thread(() -> {{ int a = 0; {} r[{thread}] = a; }});\n",
                java(statements)
            ));
        }
        let each = |what: &dyn Fn(usize) -> String| (0..count).map(what).collect::<String>();
        source.push_str(&each(&|thread| format!("t{thread}.start(); ")));
        source.push_str(&each(&|thread| format!("join(t{thread}); ")));
        source.push_str("int s = (x * 11 + y) * 11 + z;\n");
        source.push_str(&each(&|thread| format!("s = s * 11 + r[{thread}]; ")));
        source.push_str("return s; }\n");
    }
    source.push('}');
    (source, expected)
}

fn compare(classes: &Path, class: &str, expected: &[BTreeSet<i32>], options: &[&str], source: &str) {
    let all = [options, &["--paths", "--assume-sc"]].concat();
    let reports = reports(classes, class, &all);
    for (number, results) in expected.iter().enumerate() {
        let report = &reports[&format!("{class}.m{number}()")];
        let wanted: BTreeSet<String> = results.iter().map(|result| format!("returned {result}")).collect();
        assert_eq!(ends(report), wanted, "{options:?}: m{number} of\n{source}");
    }
}

#[test]
fn random_programs_end_as_their_interleavings_do() {
    let mut random = Random(0x5eed_1234_5678_9abd);
    let (two, of_two) = generate(&mut random, "Two", 2, 2);
    let (three, of_three) = generate(&mut random, "Three", 3, 3);
    let classes = compiled(&[("Two.java", two.clone()), ("Three.java", three.clone())]);
    compare(classes.path(), "Three", &of_three, &["--jobs", "1"], &three);
    compare(classes.path(), "Two", &of_two, &["--jobs", "3"], &two);
    compare(classes.path(), "Two", &of_two, &["--jobs", "1", "--no-reduction"], &two);
    compare(classes.path(), "Two", &of_two, &["--jobs", "1", "--order", "bfs"], &two);
}
