//! Are findings sorted by what they mean, are targets what people say, and does the report about several of them say the essential?
//!
//! The programs are in `tests/findings`. A method of one whose line ends with `//: KIND EXCEPTION [PARAMETER]` must be reported so, and no other way;
//! one without is reported with nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/findings")
}

fn classes() -> &'static str {
    static CLASSES: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = CLASSES.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a scratch directory can be made");
        let mut javac = Command::new("javac");
        javac.args(["-g", "-d"]).arg(directory.path());
        for folder in ["m", "m/deep", "marked"] {
            for entry in std::fs::read_dir(sources().join(folder)).expect("the fixtures are there").flatten() {
                if entry.path().extension().is_some_and(|extension| extension == "java") {
                    javac.arg(entry.path());
                }
            }
        }
        assert!(javac.status().expect("javac is installed").success(), "javac failed");
        let path = directory.path().display().to_string();
        (directory, path)
    });
    path
}

fn lazuli(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.arg(words[0]).args(["-cp", classes(), "--jobs", "1"]).args(&words[1..]);
    command.output().expect("lazuli starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The reports about targets, by title.
fn reports(words: &[&str]) -> BTreeMap<String, Value> {
    let words: Vec<&str> =
        ["check"].iter().chain(words).chain(&["--no-confirm", "--format", "json"]).copied().collect();
    let output = lazuli(&words);
    let parsed =
        serde_json::Deserializer::from_str(&stdout(&output)).into_iter::<Value>().collect::<Result<Vec<_>, _>>();
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}: {}{}", stdout(&output), stderr(&output)));
    parsed.into_iter().map(|report| (report["title"].as_str().unwrap_or_default().to_string(), report)).collect()
}

/// The violations and findings of a report in the words of the fixtures, sorted.
fn noticed(report: &Value) -> Vec<String> {
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let defects = list("violations").into_iter().map(|found| format!("defect {}", text(&found["kind"])));
    let others = list("findings").into_iter().map(|found| {
        let parameter = text(&found["parameter"]);
        format!("{} {} {parameter}", text(&found["kind"]), text(&found["what"])).trim_end().to_string()
    });
    let mut all: Vec<String> = defects.chain(others).collect();
    all.sort();
    all
}

/// Holds a class to the comments of its source.
fn compare(file: &str, target: &str, class: &str) {
    let text = std::fs::read_to_string(sources().join(file)).expect("the fixture is there");
    let reports = reports(&[target, "--scope", "2"]);
    let mut wrong = Vec::new();
    let mut methods = 0;
    for line in text.lines().filter(|line| line.starts_with("    public ") || line.starts_with("        public ")) {
        let Some((before, _)) = line.split_once('(') else { continue };
        let name = before.rsplit(' ').next().unwrap_or_default();
        let Some((_, report)) = reports.iter().find(|(title, _)| title.starts_with(&format!("{class}.{name}("))) else {
            continue;
        };
        methods += 1;
        let expected = line.split_once("//: ").map_or("", |(_, expected)| expected);
        let mut expected: Vec<String> =
            expected.split(", ").filter(|word| !word.is_empty()).map(str::to_string).collect();
        expected.sort();
        let found = noticed(report);
        let verdict = if found.iter().any(|found| found.starts_with("defect")) { "violated" } else { "holds" };
        if found != expected || report["verdict"] != verdict {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}, {}", report["verdict"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(methods, reports.len(), "some methods of {target} are not looked at");
}

#[test]
fn exceptions_are_sorted_by_what_they_mean() {
    compare("m/Meanings.java", "m.Meanings", "m.Meanings");
}

#[test]
fn null_that_a_caller_handed_over_is_no_defect() {
    compare("m/Handed.java", "m.Handed", "m.Handed");
}

#[test]
fn what_a_class_keeps_may_be_changed_by_others() {
    compare("m/Kept.java", "m.Kept", "m.Kept");
}

#[test]
fn null_is_no_argument_where_annotations_say_so() {
    compare("marked/Promises.java", "marked.Promises", "marked.Promises");
    compare("marked/Promises.java", "marked.Promises.Marked", "marked.Promises$Marked");
    let all = reports(&["marked.Promises", "--scope", "1"]);
    let assumed = |title: &str| all[title]["assumptions"].to_string();
    assert!(assumed("marked.Promises.ofType(String)").contains("text is not null (@NonNull)"));
    assert!(!assumed("marked.Promises.plain(String)").contains("null"));
}

#[test]
fn the_sat_engine_says_the_same_or_that_it_does_not_know() {
    let by_paths = reports(&["m.Meanings", "marked.Promises", "--scope", "2", "--inputs", "fields"]);
    let by_sat = reports(&["m.Meanings", "marked.Promises", "--scope", "2", "--engine", "sat", "--inputs", "fields"]);
    let mut decided = 0;
    for (title, sat) in &by_sat {
        if sat["verdict"] != "incomplete" {
            assert_eq!(sat["verdict"], by_paths[title]["verdict"], "{title}: {:?}", noticed(sat));
            decided += 1;
        }
    }
    assert!(decided >= 10, "only {decided} methods are decided");
}

#[test]
fn a_null_argument_is_a_defect_if_the_user_is_strict() {
    let usual = lazuli(&["check", "m.Meanings.length", "--scope", "1", "--no-confirm"]);
    assert_eq!(usual.status.code(), Some(0), "{}", stdout(&usual));
    assert!(
        stdout(&usual).contains("  null argument: text, NullPointerException at Meanings.java"),
        "{}",
        stdout(&usual)
    );
    let strict = lazuli(&["check", "m.Meanings.length", "--scope", "1", "--no-confirm", "--strict", "-q"]);
    assert_eq!(strict.status.code(), Some(1), "{}", stdout(&strict));
    assert!(stdout(&strict).starts_with("m.Meanings.length(String): violated: NullPointerException"));
}

#[test]
fn all_defects_are_found_and_the_rest_holds_or_only_the_first() {
    let all = lazuli(&["check", "m.Meanings.two", "--no-confirm", "-q"]);
    assert!(stdout(&all).starts_with("m.Meanings.two(Box): violated in 3 ways; holds otherwise"), "{}", stdout(&all));
    let first = reports(&["m.Meanings.two", "--first"]);
    let first = &first["m.Meanings.two(Box)"];
    assert_eq!(first["violations"].as_array().map(Vec::len), Some(1), "{first}");
    assert!(first["otherwise"].is_null() && first["not_explored"].to_string().contains("defects"), "{first}");
}

#[test]
fn targets_are_packages_patterns_constructors_and_inherited_methods() {
    let titles = |target: &str| reports(&[target, "--scope", "1"]).into_keys().collect::<Vec<String>>();
    assert_eq!(titles("m.Kind"), ["m.Kind.other()"]);
    let account = ["limit()", "post(int)", "share(int)", "total()"].map(|method| format!("m.Account.{method}"));
    assert_eq!(titles("m.Account"), account);
    assert_eq!(titles("m.Account.share"), ["m.Account.share(int)"]);
    assert_eq!(titles("m.Account.share(int, int)"), ["m.Account.share(int, int)"]);
    assert_eq!(titles("m.Account.close"), ["m.Account.close(int)"]);
    assert_eq!(titles("m.Account.new"), ["m.Account.new(int)"]);
    let made = reports(&["m.Account.new(int)", "--scope", "1"]);
    let expected = ["defect ArithmeticException", "rejection IllegalArgumentException"];
    assert_eq!(noticed(&made["m.Account.new(int)"]), expected);
    for (package, has_below) in [("m", false), ("m.*", false), ("m.**", true)] {
        let titles = titles(package);
        assert!(titles.contains(&"m.Ledger.total()".to_string()) && titles.contains(&"m.Account.limit()".to_string()));
        assert_eq!(titles.contains(&"m.deep.Low.same(int)".to_string()), has_below, "{package}");
        assert!(!titles.contains(&"m.Account.total()".to_string()), "it is checked where it is declared");
    }
}

#[test]
fn a_name_that_is_wrong_gets_a_suggestion_and_does_not_hide_the_others() {
    for (target, meant) in [
        ("m.Ledgr", "did you mean m.Ledger?"),
        ("m.Ledgr.post", "did you mean m.Ledger?"),
        ("m.Ledger.pots", "did you mean m.Ledger.post?"),
        ("n.Ledger", "did you mean m.Ledger?"),
        ("m.deeep.**", "did you mean m.deep?"),
    ] {
        let output = lazuli(&["check", target]);
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert!(stderr(&output).contains(meant), "{target}: {}", stderr(&output));
    }
    let output = lazuli(&["check", "m.Ledgr", "m.deep.Low", "m.Empty", "-q"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("m.deep.Low.same(int): holds"), "{}", stdout(&output));
    assert!(stderr(&output).contains("m.Ledgr: not checked") && stdout(&output).contains("m.Ledgr: not checked"));
    let json = reports(&["m.Ledgr", "m.deep.Low"]);
    assert_eq!(json["m.Ledgr"]["verdict"], "not checked");
    assert_eq!(json["m.deep.Low.same(int)"]["verdict"], "holds");
}

#[test]
fn the_report_about_several_targets_has_defects_first_and_a_line_for_each_class() {
    let output = lazuli(&["check", "m.Account", "m.Ledger", "m.Empty", "--scope", "2"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1. m.Account.share(int): ArithmeticException at Account.java:22", "{text}");
    assert!(lines[1..6].iter().any(|line| line.contains("parts = -1")), "{text}");
    assert!(text.contains("\n   confirmed on the JVM"), "{text}");
    assert!(text.contains("\nm.Ledger   2 hold, 1 rejection\n"), "{text}");
    assert!(text.contains("m.Account  1 violated, 3 hold, 1 rejection"), "{text}");
    assert!(text.contains("m.Empty: skipped"), "{text}");
    assert!(text.contains("6 methods of 2 classes: 1 violated (1 defect, 1 confirmed on the JVM), 5 hold."), "{text}");
    assert!(lines.last().is_some_and(|last| last.starts_with("Next: lazuli check -cp ")), "{text}");
    let details = stdout(&lazuli(&["check", "m.Account", "m.Ledger", "--scope", "2", "--details", "--no-confirm"]));
    assert!(
        details.contains("m.Ledger.total(): holds for") && details.contains("  rejection: IllegalArgumentException")
    );
}

#[test]
fn other_reports_carry_the_kinds() {
    let targets =
        ["check", "m.Meanings.length", "m.Meanings.division", "m.Ledger.post", "--scope", "1", "--no-confirm"];
    let printed = |format: &str| {
        let words: Vec<&str> = targets.iter().copied().chain(["--format", format]).collect();
        stdout(&lazuli(&words))
    };
    let sarif: Value = serde_json::from_str(&printed("sarif")).expect("SARIF is JSON");
    let results = sarif["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let levels: BTreeMap<String, String> = results
        .iter()
        .map(|one| (one["ruleId"].as_str().unwrap_or("").to_string(), one["level"].as_str().unwrap_or("").to_string()))
        .collect();
    let expected =
        [("lazuli/ArithmeticException", "error"), ("lazuli/null-argument", "note"), ("lazuli/rejection", "note")];
    assert_eq!(levels, expected.map(|(rule, level)| (rule.to_string(), level.to_string())).into());
    assert!(printed("html").contains("<li class=\"rejection\">rejection: IllegalArgumentException"));
    let junit = printed("junit");
    assert!(junit.contains("failures=\"1\"") && junit.contains("rejection: IllegalArgumentException"), "{junit}");
}

#[test]
fn rejections_become_tests_and_gaps_are_named() {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let folder = directory.path().display().to_string();
    let output = lazuli(&["tests", "m.Ledger.post", "--scope", "1", "-o", &folder]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let written = std::fs::read_to_string(directory.path().join("m/LedgerLazuliTest.java")).expect("tests are written");
    assert!(written.contains("assertThrows(IllegalArgumentException.class"), "{written}");
    let output = lazuli(&["tests", "m.Meanings.asserted", "--scope", "1", "-o", &folder]);
    assert!(stdout(&output).contains("not covered (unreachable within the bound): "), "{}", stdout(&output));
    let lines = lazuli(&["tests", "m.Kind.other", "--scope", "1", "--criterion", "lines", "-o", &folder]);
    assert_eq!(lines.status.code(), Some(0), "{}{}", stdout(&lines), stderr(&lines));
    assert!(stdout(&lines).contains("stopped, because every goal of the criterion is met"), "{}", stdout(&lines));
}
