//! Are inputs that the class's own methods make the same as those that its invariant describes, and does the report say how to make them?

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use lazuli_explore::{
    Bounds, Config, Detail, Ending, Outcome, Picture, Progress, Shown, ShownContents, Verdict, explore,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The fixture and the subjects, compiled once.
fn classes() -> &'static str {
    static CLASSES: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = CLASSES.get_or_init(|| {
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contract/Built.java");
        let directory = common::compiled(&["subjects/pli"], &[built]);
        let path = directory.path().display().to_string();
        (directory, path)
    });
    path
}

/// Runs `lazuli check` on inputs that calls make.
fn check(target: &str, build: &str, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp", classes(), "--time", "60s", "--technique", "driver", "--build", build, target]);
    command.args(options).output().expect("lazuli starts")
}

fn report(target: &str, build: &str, options: &[&str]) -> Value {
    let output = check(target, build, &[&["--format", "json"], options].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{target}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn the_published_counts_of_lists() {
    for scope in 1..=10_u64 {
        let options = ["--scope", &scope.to_string()];
        let add = report("pli.LinkedList.add", "add", &options);
        let remove = report("pli.LinkedList.remove", "add", &options);
        assert_eq!((&add["verdict"], &remove["verdict"]), (&json!("holds"), &json!("holds")));
        assert_eq!(add["paths"], scope + 1, "add at {scope}");
        assert_eq!(remove["paths"], (scope + 1) * (scope + 2) / 2, "remove at {scope}");
    }
}

/// Method, what makes inputs, how often, the scope that has all of these, and whether each valid input can be made.
const TARGETS: &[(&str, &str, &str, usize, &str, usize, bool)] = &[
    ("pli/LinkedList", "add", "add", 4, "Entry", 5, true),
    ("pli/LinkedList", "remove", "add", 4, "Entry", 5, true),
    ("pli/LinkedList", "removeFirst", "add", 4, "Entry", 5, true),
    ("pli/LinkedList", "contains", "add", 4, "Entry", 5, true),
    ("pli/TreeMap", "put", "put", 4, "Entry", 4, true),
    ("pli/TreeMap", "remove", "put,remove", 3, "Entry", 3, true),
    ("pli/AvlTree", "insert", "insert", 4, "AvlNode", 4, true),
    ("pli/BinomialHeap", "extractMin", "insert", 6, "Node", 6, true),
    ("pli/BinomialHeap", "insert", "insert", 6, "Node", 6, true),
    ("pli/Schedule", "finishAllProcesses", "addProcess,blockProcess", 2, "Job", 2, false),
];

#[test]
fn what_calls_make_is_valid_and_ends_as_valid_inputs_do() {
    for &(class, method, build, calls, node, scope, makes_all) in TARGETS {
        let bounds = |scope, scope_of| Bounds { scope, scope_of, ..Bounds::default() };
        let driver = ends(class, method, "driver", build, bounds(calls, vec![]));
        let eager = ends(class, method, "eager", "", bounds(4, vec![(node.to_string(), scope)]));
        let unknown: Vec<&String> = driver.difference(&eager).collect();
        assert!(unknown.is_empty(), "{class}.{method}: only driver has {unknown:#?}");
        if makes_all {
            assert_eq!(driver, eager, "{class}.{method}");
        }
    }
}

/// How the paths end: the shape of the input, how the method ended, and what it returned if that is a constant.
fn ends(class: &str, method: &str, technique: &str, build: &str, bounds: Bounds) -> BTreeSet<String> {
    let program = common::program(Path::new(classes()));
    let class = program.load(class).expect("the subject is there");
    let method = class.methods.iter().find(|known| known.name == method).expect("it has the method");
    let config = Config::default().with(|config| {
        config.technique = technique.into();
        config.build = build.split(',').filter(|name| !name.is_empty()).map(str::to_string).collect();
        config.bounds = bounds;
        config.limits.deadline = Some(Instant::now() + Duration::from_secs(120));
        config.report.detail = Detail::AllPaths;
        config.report.lines = false;
    });
    let report = explore(&program, method, &config, &Progress::default()).expect("it can begin");
    assert_eq!(report.verdict(), Verdict::Holds, "{} under {technique}: {:?}", report.title, report.not_explored);
    assert_eq!(report.paths as usize, report.outcomes.len());
    report.outcomes.iter().map(end).collect()
}

fn end(outcome: &Outcome) -> String {
    let ending = match &outcome.ending {
        Ending::Threw { class, .. } => class.clone(),
        other => format!("{other:?}"),
    };
    let result = match &outcome.result {
        Some(Shown::Value(lazuli_logic::Expression::Constant(constant))) => format!("{constant:?}"),
        Some(Shown::Null) => "null".to_string(),
        Some(_) => "something".to_string(),
        None => String::new(),
    };
    let example = outcome.example.as_ref().expect("every path has an example");
    format!("{} {ending} {result}", shape(example))
}

/// The objects in the order in which they are first reached, each with the numbers of those that its fields refer to.
fn shape(picture: &Picture) -> String {
    let mut order: Vec<usize> = Vec::new();
    let number = |order: &mut Vec<usize>, index: usize| {
        order.iter().position(|known| *known == index).unwrap_or_else(|| {
            order.push(index);
            order.len() - 1
        })
    };
    if let Some((_, Shown::Object(root))) = picture.roots.first() {
        number(&mut order, *root);
    }
    let (mut text, mut at) = (String::new(), 0);
    while at < order.len() {
        let object = &picture.objects[order[at]];
        let ShownContents::Fields(fields) = &object.contents else { panic!("subjects have no arrays") };
        // An object that is only stored is no part of the shape.
        for (_, value) in fields.iter().filter(|(name, _)| name != "value") {
            match value {
                Shown::Object(index) => text += &format!("{} ", number(&mut order, *index)),
                Shown::Null => text += "- ",
                _ => {}
            }
        }
        text += "/ ";
        at += 1;
    }
    text
}

#[test]
fn the_defect_of_thirteen_nodes_is_found_with_its_calls() {
    let found = report("pli.BinomialHeapDefect.extractMin", "insert", &["--scope", "13"]);
    let violation = &found["violations"][0];
    assert_eq!((&found["verdict"], &violation["kind"]), (&json!("violated"), &json!("invariant")));
    let calls = violation["example"]["calls"].as_array().unwrap();
    assert_eq!(calls[0], json!({"on": "this", "method": "new BinomialHeapDefect", "arguments": []}));
    assert_eq!(calls.len(), 14, "{calls:?}");
    let without = report("pli.BinomialHeapDefect.extractMin", "insert", &["--scope", "12"]);
    assert_eq!(without["extent"], "every BinomialHeapDefect made by at most 12 calls of insert");
}

#[test]
fn the_calls_that_are_reported_lead_to_the_fault_on_the_jvm() {
    for (target, scope, kind, ends) in
        [("dropFirst", "3", "invariant", "invalid"), ("gap", "2", "ArithmeticException", "ArithmeticException")]
    {
        let found = report(&format!("Built.{target}"), "add", &["--scope", scope]);
        let violation = &found["violations"][0];
        assert_eq!(violation["kind"], kind, "{found}");
        let calls = violation["example"]["calls"].as_array().unwrap();
        let told =
            calls[1..].iter().map(|call| format!("{}:{}", call["method"].as_str().unwrap(), call["arguments"][0]));
        let told: Vec<String> = told.chain([target.to_string()]).collect();
        let run =
            Command::new("java").args(["-cp", classes(), "Built"]).args(&told).output().expect("java is installed");
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), ends, "{told:?}");
    }
}

#[test]
fn inputs_that_fewer_calls_make_have_no_fault() {
    assert_eq!(report("Built.dropFirst", "add", &["--scope", "2"])["verdict"], "holds");
    assert_eq!(report("Built.gap", "add", &["--scope", "1"])["extent"], "every Built made by at most 1 call of add");
    // Deepening goes on until the fault is there.
    assert_eq!(report("Built.dropFirst", "add", &[])["scope"]["*"], 3);
}

#[test]
fn what_calls_leave_in_arrays_and_static_fields_is_part_of_the_input() {
    let found = report("Built.staticsAreSeen", "add", &["--scope", "2"]);
    let messages: Vec<&Value> = found["violations"].as_array().unwrap().iter().map(|one| &one["message"]).collect();
    assert_eq!(messages, ["only where somebody else made cells", "found: cell"]);
    assert_eq!(found["not_explored"], json!([]));
    let counted = &found["violations"][1]["example"]["roots"];
    assert_eq!(counted["Built.made"], 2, "{counted}");
}

#[test]
fn an_argument_is_anything_that_was_there_when_it_was_passed() {
    let itself = report("Built.holdsItself", "note", &["--scope", "1", "--paths"]);
    let results: Vec<&Value> = itself["outcomes"].as_array().unwrap().iter().map(|path| &path["result"]).collect();
    assert_eq!(
        results.iter().filter(|result| **result == &json!(1) || **result == &json!(true)).count(),
        1,
        "{results:?}"
    );
    let later = report("Built.firstNoteIsNotTheCell", "note,addAfterNote", &["--scope", "2"]);
    assert_eq!(later["extent"], "every Built made by at most 2 calls of note and addAfterNote");
    let earlier = report("Built.firstNoteIsNotTheCell", "note,add", &["--scope", "2"]);
    assert_eq!(earlier["verdict"], "violated");
}

#[test]
fn parameters_with_an_invariant_are_made_too() {
    let found = report("Built.compare", "add", &["--scope", "2", "--paths"]);
    let calls = found["violations"][0]["example"]["calls"].as_array().unwrap();
    let made: Vec<(&str, &str)> =
        calls.iter().map(|call| (call["on"].as_str().unwrap(), call["method"].as_str().unwrap())).collect();
    let expected = [("this", "new Built"), ("this", "add"), ("other", "new Built"), ("other", "add"), ("other", "add")];
    assert_eq!(made, expected);
    let results = found["outcomes"].as_array().unwrap().iter().map(|path| path["result"].to_string());
    let results: BTreeSet<String> = results.collect();
    assert!(["0", "1", "2"].iter().all(|result| results.contains(*result)), "null, itself, another one: {results:?}");
    assert_eq!(report("Built.count", "add", &["--scope", "2"])["verdict"], "holds");
}

#[test]
fn objects_that_calls_leave_invalid_are_no_fault_of_the_target() {
    let found = report("Built.dropFirst", "link", &["--scope", "2"]);
    assert_eq!((&found["verdict"], &found["violations"]), (&json!("incomplete"), &json!([])));
    let why = found["not_explored"][0]["why"].as_str().unwrap();
    assert_eq!(why, "inputs that do not satisfy the invariant were made by link: check that first");
}

#[test]
fn what_cannot_be_followed_while_inputs_are_made_is_shown() {
    let found = report("Built.count", "add,addLater", &["--scope", "1"]);
    assert_eq!((&found["verdict"], &found["ends"]["unsupported"]), (&json!("incomplete"), &json!(1)), "{found}");
    assert_eq!(found["not_explored"][0]["why"], "java.lang.Thread.start0()V");
}

#[test]
fn the_order_and_the_number_of_threads_do_not_matter() {
    let figures = |options: &[&str]| {
        let found = report("pli.TreeMap.put", "put", &[&["--scope", "3"], options].concat());
        (found["paths"].clone(), found["ends"].clone(), found["pruned"].clone())
    };
    let usual = figures(&["--jobs", "1"]);
    assert_eq!(usual.0, 92);
    for options in [["--jobs", "2"], ["--order", "bfs"], ["--order", "random"], ["--order", "deepening"]] {
        assert_eq!(figures(&options), usual, "{options:?}");
    }
}

#[test]
fn what_cannot_be_made_is_a_wrong_request() {
    for (target, build, expected) in [
        ("Built.gap", "Add", "--build Add: there is no such method in Built; there are:\n  new()\n  add(int)"),
        ("Built.gap", "add,fly", "--build fly: there is no such method in Built"),
        ("Built.gap", "new", "--build new: there is no such method in Built"),
        ("Built.gap", "Sized.add", "--build Sized.add: there is no such method in Built"),
        ("Built.plain", "add", "takes no object that --build could make"),
        ("Sized.get", "put", "choose one with --build 'new(int)' beside the methods. There are: new(int), new(long)"),
        ("Unfinished.run", "add", "Unfinished is abstract"),
    ] {
        let output = check(target, build, &["--scope", "2"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{target} {build}: {message}");
        assert!(message.contains(expected), "{target} {build}: {message}");
    }
    let lazuli = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        let output =
            command.args(["check", "-cp", classes(), "Built.gap"]).args(options).output().expect("lazuli starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, message) = lazuli(&["--build", "add"]);
    assert!(code == Some(2) && message.contains("write --technique driver with it, or leave it out"), "{message}");
    let (code, message) = lazuli(&["--technique", "driver"]);
    assert!(code == Some(2) && message.contains("--build NAME says of which methods"), "{message}");
    let refused = report("Refuser.add", "add", &["--scope", "2"]);
    let why = refused["not_explored"][0]["why"].as_str().unwrap();
    assert_eq!(why, "no input could be made: the constructor, or every call of --build, throws");
}

#[test]
fn a_constructor_may_be_chosen() {
    for constructor in ["new(int)", "Sized.new(I)V"] {
        let found = report("Sized.get", &format!("put,{constructor}"), &["--scope", "1"]);
        let violation = &found["violations"][0];
        assert_eq!(violation["kind"], "ArrayIndexOutOfBoundsException");
        assert_eq!(violation["example"]["calls"][0]["method"], "new Sized");
    }
}

/// The faults of all targets of a class below `tests/driven`, as brute force over sequences of calls on the JVM finds them: method, exception, line.
fn brute_force(tools: &Path, classes: &Path, class: &str, calls: &str, build: &[&str]) -> BTreeSet<String> {
    let mut java = Command::new("java");
    java.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow", "-cp"]).arg(tools);
    let output = java.arg("Driven").arg(classes).args([class, calls]).args(build).output().expect("java is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

#[test]
fn brute_force_over_sequences_of_calls_finds_the_same_faults() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/driven");
    let tools = common::compiled(&["tests/driven/support"], &[]);
    let classes = common::compiled(&["tests/driven"], &[]);
    let mut compared = 0;
    for file in std::fs::read_dir(&root).expect("the fixtures are there").flatten() {
        let path = file.path();
        if path.extension().is_none_or(|extension| extension != "java") {
            continue;
        }
        let class = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("fixtures are readable");
        let directive = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("// {name}: ")));
            line.unwrap_or_else(|| panic!("{class} has no directive {name}"))
        };
        let (calls, build) = (directive("calls"), directive("build").split(' ').collect::<Vec<_>>());
        let expected = brute_force(tools.path(), classes.path(), &class, calls, &build);
        let targets: BTreeSet<String> = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| word.starts_with("check"))
            .map(|word| format!("{class}.{word}"))
            .collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", "--time", "120s", "--format", "json", "--technique", "driver", "--scope", calls]);
        command.args(["--build", &build.join(","), "-cp"]).arg(classes.path()).args(&targets);
        let output = command.output().expect("lazuli starts");
        let mut found = BTreeSet::new();
        for report in serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>() {
            let report = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
            compared += 1;
            let method = report["title"].as_str().and_then(|title| title.split(['.', '(']).nth(1)).expect("a title");
            assert_ne!(report["verdict"], "incomplete", "{class}.{method}: {}", report["not_explored"]);
            for violation in report["violations"].as_array().expect("a list") {
                let fault = match violation["kind"].as_str() {
                    Some("invariant") => format!("{method} invariant 0"),
                    _ => {
                        let line = violation["at"].as_str().and_then(|at| at.rsplit(':').next()).unwrap_or_default();
                        format!("{method} {} {line}", violation["ending"]["class"].as_str().unwrap_or_default())
                    }
                };
                // Numbers that brute force does not try, and static fields that others have changed, may show more.
                let is_known = expected.contains(&fault) || violation["confirmed_on_jvm"] == true;
                assert!(is_known, "{class}: {fault} is none: {violation}");
                found.insert(fault);
            }
        }
        let missed: Vec<&String> = expected.difference(&found).collect();
        assert!(missed.is_empty(), "{class}: brute force also finds {missed:?}");
    }
    assert!(compared > 10, "{compared} methods were compared");
}
