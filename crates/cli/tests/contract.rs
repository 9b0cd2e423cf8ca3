//! Do contracts mean what they say? The real JVM tries every small input, and must come to the same verdict.

mod common;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use lazuli_explore::{Config, Progress, explore};
use serde_json::Value;
use tempfile::TempDir;

/// The fixtures and the subjects of one paper, compiled once.
fn classes() -> &'static str {
    static CLASSES: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = CLASSES.get_or_init(|| {
        let directory = common::compiled(&["tests/contract", "subjects/pli", "subjects/kiasan", "subjects/gse"], &[]);
        let path = directory.path().display().to_string();
        (directory, path)
    });
    path
}

/// Runs `lazuli check` with the options.
fn check(target: &str, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp", classes(), "--time", "60s", "--no-confirm", "--cache", "none", target]).args(options);
    command.output().expect("lazuli starts")
}

fn report(target: &str, options: &[&str]) -> Value {
    let output = check(target, &[&["--format", "json"], options].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{target} {options:?}: {}", stderr(&output)))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The verdicts of the judge in the fixture on the real JVM.
fn judged(target: &str, pre: &str, post: &str) -> String {
    let output = Command::new("java").args(["-cp", classes(), "Contracts", target, pre, post]).output();
    let output = output.expect("java is installed");
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

#[test]
fn the_jvm_comes_to_the_same_verdict() {
    let mut verdicts = Vec::new();
    for (target, pre, post) in [
        ("first", "-", "-"),
        ("first", "notEmpty", "-"),
        ("first", "notEmpty", "isFirst"),
        ("first", "notEmpty", "isSecond"),
        ("first", "brokenSize", "-"),
        ("add", "-", "has"),
        ("add", "-", "hasNew"),
        ("add", "below", "hasNew"),
        ("push", "-", "has"),
        ("push", "below", "has"),
        ("push", "belowOrEmpty", "anything"),
        ("half", "-", "isHalf"),
        ("half", "even", "isHalf"),
    ] {
        let expected = judged(target, pre, post);
        let mut options = vec!["--scope", "3"];
        options.extend(if pre == "-" { vec![] } else { vec!["--pre", pre] });
        options.extend(if post == "-" { vec![] } else { vec!["--post", post] });
        for technique in ["precise", "eager", "lissa", "hybrid", "bounded", "refined", "sat", "sat-cached"] {
            let options = [&options[..], &["--technique", technique]].concat();
            let report = report(&format!("Contracts.{target}"), &options);
            assert_eq!(report["verdict"], expected, "{target} {options:?}: {report}");
        }
        verdicts.push(expected);
    }
    assert!(["holds", "violated", "incomplete"].iter().all(|verdict| verdicts.iter().any(|found| found == verdict)));
}

#[test]
fn a_broken_postcondition_is_named_and_has_an_input() {
    let report = report("Contracts.first", &["--scope", "2", "--pre", "notEmpty", "--post", "isSecond"]);
    let violation = &report["violations"][0];
    assert_eq!(violation["kind"], "postcondition");
    let message = violation["message"].as_str().unwrap();
    assert!(message.starts_with("postcondition isSecond() throws java.lang.NullPointerException"), "{message}");
    assert!(!violation["example"]["objects"].as_array().unwrap().is_empty());
}

#[test]
fn a_split_names_two_methods_that_are_there() {
    let output = check("Contracts.first", &["--heap-invariant", "repOKHeap", "--data-invariant", "none"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`boolean repOKHeap()` and `boolean none()`"), "{}", stderr(&output));
}

#[test]
fn a_static_method_needs_no_invariant() {
    let half = report("Contracts.half", &["--invariant", "notCyclic"]);
    assert_eq!(half["extent"], "all inputs");
}

#[test]
fn what_holds_is_said_with_its_precondition() {
    let half = report("Contracts.half", &["--pre", "even", "--post", "isHalf"]);
    assert_eq!(half["extent"], "all inputs for which even() is true");
    let throwing = report("Contracts.add", &["--scope", "2", "--pre", "below"]);
    let extent = "every valid input of classes on the class path with at most 2 Node objects for which below() is true";
    assert_eq!(throwing["extent"], extent);
    let warning = throwing["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("the precondition below() throws java.lang.NullPointerException"), "{warning}");
}

#[test]
fn preconditions_of_the_subjects() {
    let deleting = report("kiasan.BinaryHeap.deleteMin", &["--scope", "3", "--pre", "notEmpty", "--no-post"]);
    assert_eq!(deleting["verdict"], "holds", "{deleting}");
    let swapping = report("gse.Node.swapNode", &["--scope", "3", "--pre", "acyclic"]);
    assert_eq!((&swapping["verdict"], &swapping["violations"]), (&"holds".into(), &Value::Array(vec![])), "{swapping}");
}

#[test]
fn a_split_invariant_gives_the_same_paths() {
    let split = ["--heap-invariant", "repOKHeap", "--data-invariant", "repOKData"];
    for (target, scope) in [
        ("pli.TreeMap.put", "3"),
        ("pli.TreeMap.remove", "3"),
        ("pli.AvlTree.insert", "3"),
        ("pli.LinkedList.remove", "3"),
        ("Contracts.add", "3"),
    ] {
        for technique in ["precise", "eager"] {
            let options = ["--scope", scope, "--technique", technique, "--no-post"];
            let (whole, parts) = (report(target, &options), report(target, &[&options[..], &split].concat()));
            for figure in ["verdict", "paths", "pruned", "ends", "extent"] {
                assert_eq!(whole[figure], parts[figure], "{figure} of {target} under {technique}");
            }
        }
    }
    // A subclass overrides the whole invariant and none of its parts: only the whole one tells receivers of the two classes apart.
    let options = ["--scope", "3", "--technique", "eager", "--no-post"];
    let extract = |invariant: &[&str]| report("pli.BinomialHeap.extractMin", &[&options, invariant].concat());
    let (whole, parts) = (extract(&[]), extract(&split));
    assert_eq!((&whole["verdict"], &whole["extent"]), (&parts["verdict"], &parts["extent"]));
    assert_eq!((&whole["paths"], &parts["paths"]), (&12.into(), &6.into()));
    // One part alone lets more pass, and that is what lissa asks.
    let paths = |technique: &str, invariant: &[&str]| {
        let options = ["--scope", "3", "--no-post", "--technique", technique];
        report("Contracts.isOrdered", &[&options, invariant].concat())["paths"].as_u64().unwrap()
    };
    let (whole, split) =
        (["--invariant", "isEmpty"], ["--heap-invariant", "repOKHeap", "--data-invariant", "sizeIsZero"]);
    assert_eq!((paths("precise", &whole), paths("precise", &split)), (1, 1));
    assert_eq!((paths("lissa", &whole), paths("lissa", &split)), (1, 4));
}

#[test]
fn both_parts_of_a_split_invariant_must_hold_again() {
    let split = ["--scope", "3", "--heap-invariant", "repOKHeap", "--data-invariant", "repOKData"];
    let messages = |target: &str| -> Vec<String> {
        let report = report(target, &split);
        let violations = report["violations"].as_array().unwrap().clone();
        violations.iter().map(|violation| violation["message"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(messages("Contracts.push"), ["repOKData() is false afterwards"]);
    assert_eq!(messages("Contracts.miscount"), ["repOKHeap() is false afterwards"]);
    assert_eq!(messages("Contracts.add"), [""; 0]);
}

#[test]
fn without_reuse_every_step_is_searched_for() {
    let options = ["--scope", "3", "--jobs", "1"];
    let (with, without) =
        (report("pli.TreeMap.put", &options), report("pli.TreeMap.put", &[&options[..], &["--no-reuse"]].concat()));
    assert_eq!((&with["paths"], &with["ends"]), (&without["paths"], &without["ends"]));
    assert_eq!(without["solver"]["reused_witnesses"], 0);
    assert!(with["solver"]["reused_witnesses"].as_u64() > Some(0));
    assert!(without["solver"]["structure_calls"].as_u64() > with["solver"]["structure_calls"].as_u64());
}

#[test]
fn who_asks_for_a_circuit_is_told_if_there_is_none() {
    let with = report("pli.AvlTree.insert", &["--scope", "3", "--structure", "circuit"]);
    assert!(with["solver"]["sat_calls"].as_u64() > Some(0));
    let array = check("kiasan.BinaryHeap.deleteMin", &["--scope", "3", "--structure", "circuit", "--no-post"]);
    let text = String::from_utf8_lossy(&array.stdout);
    assert!(
        text.contains(
            "there is no circuit of the invariant (an array of which nothing is known, at kiasan.BinaryHeap.repOK, line"
        ),
        "{text}"
    );
}

/// A verdict about numbers of a few bits says so, and is the same by all means.
#[test]
fn numbers_of_a_few_bits_are_told_of() {
    for (bits, extent) in
        [("3", "3 AvlNode objects, with numbers from -4 to 3"), ("64", "3 AvlNode objects, with numbers from -9")]
    {
        let options = |structure| ["--scope", "3", "--int-bits", bits, "--no-post", "--structure", structure];
        let searched = report("pli.AvlTree.contains", &options("search"));
        assert!(searched["extent"].as_str().is_some_and(|told| told.contains(extent)), "{}", searched["extent"]);
        assert_eq!(searched["int_bits"].as_u64(), bits.parse().ok());
        for structure in ["list", "circuit-list", "circuit"] {
            let found = report("pli.AvlTree.contains", &options(structure));
            assert_eq!((&found["paths"], &found["extent"]), (&searched["paths"], &searched["extent"]), "{structure}");
        }
    }
    // Two different keys take two bits with a sign, and a tree of three nodes has three.
    let paths =
        |bits| report("pli.AvlTree.contains", &["--scope", "3", "--int-bits", bits, "--no-post"])["paths"].clone();
    assert!(paths("1").as_u64() < paths("3").as_u64());
    let wrong = check("pli.AvlTree.contains", &["--int-bits", "65"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn a_contract_that_is_not_there_says_what_it_would_be() {
    for (target, options, expected) in [
        ("half", ["--pre", "none"], "`static boolean none(int)`, with the parameters of half"),
        ("half", ["--pre", "below"], "`static boolean below(int)`, with the parameters of half (there is below(I)Z)"),
        ("add", ["--pre", "notEmpty"], "`boolean notEmpty(int)`"),
        ("add", ["--post", "below"], "`boolean below(int, boolean)`, with the parameters of add, and its result as"),
        ("push", ["--post", "isHalf"], "`boolean isHalf(int)`, with the parameters of push (there is isHalf(II)Z)"),
        ("first", ["--invariant", "valid"], "has a method `boolean valid()`"),
        ("first", ["--heap-invariant", "repOKHeap"], "--data-invariant <NAME>"),
    ] {
        let output = check(&format!("Contracts.{target}"), &options);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{options:?}: {}", stderr(&output));
    }
}

/// Why nothing can be said, if it cannot.
fn why_nothing(target: &str, options: &[&str]) -> String {
    let output = check(target, &[&["--format", "json"], options].concat());
    assert_eq!(output.status.code(), Some(3), "{target} {options:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["not_explored"][0]["why"].as_str().unwrap().to_string()
}

#[test]
fn a_verdict_over_no_input_is_none_and_says_why() {
    for technique in ["precise", "eager", "lissa", "bounded", "refined", "sat", "sat-cached"] {
        let why =
            |target: &str, options: &[&str]| why_nothing(target, &[options, &["--technique", technique]].concat());
        assert_eq!(
            why("Contracts.first", &["--scope", "2", "--pre", "brokenSize"]),
            "no valid input within the bounds satisfies the precondition brokenSize(): \
             it contradicts the invariant repOK(), or needs a larger --scope"
        );
        assert_eq!(
            why("Contracts.first", &["--scope", "1", "--invariant", "hasThree"]),
            "no input within the bounds satisfies the invariant hasThree(): the smallest that does needs --scope 3"
        );
        assert_eq!(
            why("Contracts.first", &["--scope", "2,Node=1", "--invariant", "hasThree"]),
            "no input within the bounds satisfies the invariant hasThree(): the smallest that does needs --scope 4,Node=3"
        );
        assert_eq!(
            why("Contracts.first", &["--scope", "1", "--invariant", "never"]),
            "no input within the bounds satisfies the invariant never(): raise --scope, or look at the invariant"
        );
        assert_eq!(
            why("Contracts.half", &["--pre", "neverEven"]),
            "no input within the bounds satisfies the precondition neverEven(): raise --scope, or look at it"
        );
    }
    let schedule = why_nothing("pli.Schedule.finishAllProcesses", &["--scope", "3"]);
    assert!(schedule.ends_with("the smallest that does needs --scope 4"), "{schedule}");
}

#[test]
fn a_field_that_the_method_writes_and_the_invariant_never_reads_is_named() {
    for technique in ["precise", "eager", "lissa", "hybrid", "bounded", "refined", "sat", "sat-cached"] {
        let warnings = |target: &str, invariant: &str| {
            let options = ["--scope", "3", "--technique", technique, "--invariant", invariant, "--no-post"];
            report(target, &options)["warnings"].clone()
        };
        assert!(warnings("Contracts.add", "repOK").is_null(), "{technique}");
        assert_eq!(
            warnings("Contracts.miscount", "notCyclic"),
            serde_json::json!([
                "the invariant notCyclic() never reads Contracts.size, which miscount writes: whatever is there counts as valid"
            ])
        );
        // The invariant of an input does not cover new objects.
        assert!(warnings("Contracts.push", "repOKHeap").is_null(), "{technique}");
        assert_eq!(
            warnings("Contracts.negateAll", "repOKHeap"),
            serde_json::json!([
                "the invariant repOKHeap() never reads Contracts$Node.key, which negateAll writes: whatever is there counts as valid"
            ])
        );
    }
}

#[test]
fn a_contract_that_changes_its_input_is_refused_with_the_place() {
    for (options, expected) in [
        (
            ["--invariant", "marks"],
            "Impure.marks() writes to the field this.head.mark, at Impure.marks(Impure.java:26)",
        ),
        (
            ["--invariant", "counts"],
            "Impure.counts() writes to the static field Impure.calls, at Impure.counts(Impure.java:32)",
        ),
        (
            ["--invariant", "narrows"],
            "Impure.narrows() writes to the field this.size, at Impure.narrows(Impure.java:37)",
        ),
        (
            ["--invariant", "sorts"],
            "Impure.sorts() writes to an element of this.head.keys, at Impure.sorts(Impure.java:43)",
        ),
        (
            ["--invariant", "copies"],
            "Impure.copies() writes to an element of this.head.keys, at Impure.copies(Impure.java:50)",
        ),
        (
            ["--pre", "writesBefore"],
            "Impure.writesBefore() writes to the field this.size, at Impure.writesBefore(Impure.java:56)",
        ),
        (
            ["--post", "writesAfter"],
            "Impure.writesAfter() writes to the field this.head, at Impure.writesAfter(Impure.java:63)",
        ),
    ] {
        for technique in ["precise", "eager", "lissa", "bounded", "refined", "sat", "sat-cached"] {
            let options = [&options[..], &["--scope", "2", "--technique", technique]].concat();
            let output = check("Impure.target", &options);
            assert_eq!(output.status.code(), Some(2), "{options:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(expected), "{options:?}: {}", stderr(&output));
            // The report names the target all the same, so that none is missing from a list of them.
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(told.starts_with("Impure.target") && told.contains("not checked"), "{told}");
        }
    }
    let pure = report("Impure.target", &["--scope", "2", "--invariant", "pure"]);
    assert_eq!(pure["verdict"], "holds", "{pure}");
    let mut shapes = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    shapes.args(["shapes", "-cp", classes(), "Impure", "--scope", "2", "--invariant", "marks"]);
    let output = shapes.output().expect("lazuli starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Impure.java:26"), "{}", stderr(&output));
}

#[test]
fn a_constructor_has_a_contract_too() {
    let program = common::program(Path::new(classes()));
    let class = program.load("Made").expect("the fixture is there");
    let method = class.methods.iter().find(|method| method.name == "<init>").expect("it has a constructor");
    let kinds = |pre: Option<&str>, post: Option<&str>| {
        let (precondition, postcondition) = (pre.map(str::to_string), post.map(str::to_string));
        let config = Config::default().with(|config| {
            config.contract.precondition = precondition;
            config.contract.postcondition = postcondition;
        });
        let report = explore(&program, method, &config, &Progress::default()).map_err(|failure| failure.to_string())?;
        let found = report.violations.iter().chain(&report.findings);
        Ok::<_, String>(found.map(|found| found.kind.clone()).collect::<Vec<_>>())
    };
    assert_eq!(kinds(None, Some("holdsIt")).unwrap(), ["invariant", "IllegalArgumentException"]);
    assert_eq!(kinds(Some("notNegative"), Some("holdsIt")).unwrap(), ["invariant"]);
    assert_eq!(kinds(Some("given"), Some("holdsIt")).unwrap(), [""; 0]);
    assert_eq!(kinds(Some("given"), Some("holdsMore")).unwrap(), ["postcondition"]);
    // There is no object yet.
    let refused = kinds(Some("instance"), None).unwrap_err();
    assert!(refused.contains("no method instance"), "{refused}");
}

/// That parts are valid by their own invariants is an assumption where a fault depends on it.
#[test]
fn parts_that_are_taken_for_valid_are_named() {
    let is_named = |report: &Value| {
        let listed = report["assumptions"].as_array().cloned().unwrap_or_default();
        listed.iter().filter_map(Value::as_str).any(|text| text.contains("each Inner that an input refers to is valid"))
    };
    let reads = report("Parts.reads", &[]);
    assert_eq!(reads["verdict"], "holds", "{reads}");
    assert!(is_named(&reads), "{reads}");
    let counts = report("Parts.counts", &[]);
    assert_eq!(counts["verdict"], "holds", "{counts}");
    assert!(!is_named(&counts), "{counts}");
    let by_circuit = report("Parts.reads", &["--engine", "sat"]);
    assert_eq!(by_circuit["verdict"], "incomplete", "{by_circuit}");
    assert!(!by_circuit.to_string().contains("record"), "{by_circuit}");
}
