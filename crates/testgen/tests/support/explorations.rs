//! Does the exploration of a class survive that no compiler would write?
//!
//! One class of a compiled sample is changed; then all that Lazuli does with classes is done with it, with small limits: paths and the
//! propositional problem of its methods, inputs made again for tests, the Java of these tests, shapes, and bounds. A panic is a finding, also one
//! that an exploration catches and reports; so is a run that takes much longer than it may, and Java source that names of the class have got out of hand in.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_explore::{Config, Detail, Engine, Progress, explore, field_bounds, shapes};
use lazuli_testgen::TestPlanner;
use lazuli_testgen::java::{Suite, Test, replay};
use lazuli_vm::program::{Class, Method, Program, access};

/// For each of the things that are done with a class.
const LIMIT: Duration = Duration::from_millis(300);
/// Tolerance beyond the limit: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// Bytes that the whole process may occupy before an exploration ends itself.
const MEMORY: usize = 4 << 30;

/// Counts and findings over all changed classes.
#[derive(Default)]
pub struct Tally {
    pub files: usize,
    /// Of the files, those whose class can be loaded.
    pub loaded: usize,
    /// Methods that were explored, by either engine, without being refused by the verifier.
    pub explored: usize,
    pub paths: u64,
    /// Inputs that were made again for a test.
    pub executed: usize,
    pub findings: Vec<String>,
}

/// The panics of all threads since the list was last drained.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes panics instead of printing them.
pub fn note_panics() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(panic.to_string());
    }));
}

/// A sample: the directory of its classes, and the class that is changed.
pub struct Sample {
    pub directory: PathBuf,
    /// As its file is called below the directory, without `.class`.
    pub class: String,
}

/// Does everything with a sample whose class has these bytes. `scratch` is an empty directory for the changed file.
pub fn examine(sample: &Sample, bytes: &[u8], scratch: &Path, tally: &mut Tally) {
    tally.files += 1;
    let file = scratch.join(format!("{}.class", sample.class));
    std::fs::create_dir_all(file.parent().unwrap_or(scratch)).expect("the scratch directory can be written");
    std::fs::write(&file, bytes).expect("the scratch directory can be written");
    let done = catch_unwind(AssertUnwindSafe(|| {
        let path =
            ClassPath::open(jdk(), &[scratch.to_path_buf(), sample.directory.clone()]).expect("directories open");
        let program = Arc::new(Program::open(path).expect("the JDK is complete"));
        if let Ok(class) = program.load(&sample.class) {
            tally.loaded += 1;
            explore_class(&program, class, tally);
        }
    }));
    // The hook has noted it.
    drop(done);
    let mut panics = PANICS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    tally.findings.extend(panics.drain(..).map(|panic| format!("{}: {panic}", sample.class)));
}

fn jdk() -> Jdk {
    Jdk::locate().expect("a JDK is installed")
}

fn explore_class(program: &Arc<Program>, class: &'static Class, tally: &mut Tally) {
    let timed = |what: &str, tally: &mut Tally, work: &mut dyn FnMut(&mut Tally, Config)| {
        let begin = Instant::now();
        let mut config = Config::default().with(|config| {
            config.limits.deadline = begin.checked_add(LIMIT);
            config.limits.memory = Some(MEMORY);
        });
        config.bounds.scope = 2;
        config.bounds.unroll = 10;
        work(tally, config);
        if begin.elapsed() > LIMIT + PATIENCE {
            tally.findings.push(format!("{}: {what} took {:?}", class.name, begin.elapsed()));
        }
    };
    let has_body = |method: &&&Method| method.access & (access::ABSTRACT | access::NATIVE) == 0;
    for method in class.methods.iter().filter(has_body) {
        for engine in [Engine::Paths, Engine::Sat] {
            timed(&format!("{} by {engine:?}", method.name), tally, &mut |tally, config| {
                let config = config.with(|config| {
                    config.engine = engine;
                    config.report.detail = Detail::AllPaths;
                });
                let Ok(report) = explore(program, method, &config, &Progress::default()) else { return };
                tally.explored += 1;
                tally.paths += report.paths;
                if engine == Engine::Paths {
                    plan_all(program, method, &config, &report.outcomes, tally);
                }
            });
        }
    }
    timed("shapes", tally, &mut |_, config| drop(shapes(program, class, &config, &Progress::default(), None)));
    timed("bounds", tally, &mut |_, config| drop(field_bounds(program, class, &config, &[], &Progress::default())));
}

/// Makes the first inputs again, as a test does, and writes the programs that do so.
fn plan_all(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    outcomes: &[lazuli_explore::Outcome],
    tally: &mut Tally,
) {
    let end = Instant::now().checked_add(LIMIT);
    let Ok(mut planner) = TestPlanner::new(program, method, config, end) else { return };
    let cases = outcomes.iter().filter_map(|outcome| outcome.case.as_ref()).take(4);
    let mut tests = Vec::new();
    for case in cases {
        let Ok(executed) = planner.plan(case) else { continue };
        tally.executed += 1;
        let replay = replay(program, planner.package(), method, &executed, "Replay");
        tally.findings.extend(replay.ok().and_then(|source| out_of_hand(&source)));
        tests.push(Test { name: format!("test{}", tests.len()), target: method, executed, fault: None });
    }
    let suite = Suite { program, class: method.class(), package: planner.package(), tests: &tests };
    tally.findings.extend(out_of_hand(&suite.source()));
}

/// How the names of a class have become more than names in Java source: control characters, escapes outside of texts, or brackets
/// that do not match.
fn out_of_hand(source: &str) -> Option<String> {
    let is_control =
        |letter: char| letter.is_control() && letter != '\n' || ('\u{202a}'..='\u{202e}').contains(&letter);
    if let Some(letter) = source.chars().find(|letter| is_control(*letter)) {
        return Some(format!("the test has a character {letter:?}: {source}"));
    }
    // Tokens as far as brackets need them: comments, texts, characters, others.
    let mut open = Vec::new();
    let mut rest = source;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '/' if rest.starts_with("//") || rest.starts_with("/*") => {
                let (end, more) = if rest.starts_with("//") { ("\n", 0) } else { ("*/", 2) };
                let Some(at) = rest.find(end) else {
                    return Some(format!("the test has a comment without an end: {source}"));
                };
                // The compiler reads escapes in comments, too: one could be the end of the line.
                if rest[..at].contains("\\u") {
                    return Some(format!("the test has an escape in a comment: {source}"));
                }
                at + more
            }
            '"' | '\'' => match closing(rest, letter) {
                Some(length) => length,
                None => return Some(format!("the test has a text without an end: {source}")),
            },
            '\\' => return Some(format!("the test has an escape outside of texts: {source}")),
            _ => letter.len_utf8(),
        };
        match letter {
            '(' | '[' | '{' => open.push(letter),
            ')' | ']' | '}' if open.pop() != Some(opening(letter)) => {
                return Some(format!("the test has brackets that do not match: {source}"));
            }
            _ => {}
        }
        rest = &rest[length..];
    }
    (!open.is_empty()).then(|| format!("the test has brackets that do not end: {source}"))
}

fn opening(closing: char) -> char {
    match closing {
        ')' => '(',
        ']' => '[',
        _ => '{',
    }
}

/// The length of a text or character with its quotes.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The samples that `javac` makes of sources of the repository, in the directory.
pub fn compiled(directory: &Path) -> Vec<Sample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut samples = Vec::new();
    for (number, source) in [
        "tests/fuzz/Sample.java",
        "subjects/gse/Node.java",
        "subjects/kiasan/SearchTree.java",
        "subjects/pli/BinomialHeap.java",
    ]
    .iter()
    .enumerate()
    {
        let classes = directory.join(format!("sample{number}"));
        let javac = std::process::Command::new("javac")
            .args(["-g", "-nowarn", "-d"])
            .arg(&classes)
            .arg(root.join(source))
            .status();
        assert!(javac.expect("javac is installed (scripts/test.sh installs it)").success(), "{source}");
        let mut found = Vec::new();
        collect(&classes, &classes, &mut found);
        // The order of directories is not the same everywhere; what a seed means is.
        found.sort();
        samples.extend(found.into_iter().map(|class| Sample { directory: classes.clone(), class }));
    }
    samples
}

fn collect(root: &Path, directory: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if let Ok(below) = path.strip_prefix(root) {
            found.extend(below.to_str().and_then(|name| name.strip_suffix(".class")).map(str::to_string));
        }
    }
}
