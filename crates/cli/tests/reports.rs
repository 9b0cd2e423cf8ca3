//! Do the reports say what they should, byte for byte, and do those who read them accept them?
//!
//! The expected reports stand beside the fixture in `tests/report`, without times and without anything that a solver chose;
//! `LAZULI_BLESS=1` writes them anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

const METHODS: [&str; 4] = ["addFirst", "removeFirst", "second", "play"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/report")
}

fn classes() -> &'static str {
    static CLASSES: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = CLASSES.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a scratch directory can be made");
        let source = fixtures().join("acme/Playlist.java");
        let javac = Command::new("javac").args(["-g", "-d"]).arg(directory.path()).arg(source).status();
        assert!(javac.expect("javac is installed (scripts/test.sh installs it)").success(), "javac failed");
        let path = directory.path().display().to_string();
        (directory, path)
    });
    path
}

/// Checks the fixture from its own directory, where its sources are.
fn check(options: &[&str]) -> Output {
    let targets = METHODS.map(|method| format!("acme.Playlist.{method}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(fixtures()).args([
        "check",
        "--no-confirm",
        "-cp",
        classes(),
        "--scope",
        "3",
        "--jobs",
        "1",
        "--time",
        "60s",
    ]);
    command.args(targets).args(options).output().expect("lazuli starts")
}

fn printed(options: &[&str]) -> String {
    let output = check(options);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("reports are UTF-8")
}

/// Compares with the file, or writes it.
fn compare(found: &str, name: &str) {
    let file = fixtures().join(name);
    if std::env::var_os("LAZULI_BLESS").is_some() {
        std::fs::write(&file, found).expect("the fixtures can be written");
    }
    let expected = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; LAZULI_BLESS=1 writes it", file.display()));
    assert!(found == expected, "{name}: expected:\n{expected}\nfound:\n{found}");
}

/// Without the line that has times, memory and counts of solvers.
fn without_effort(text: &str) -> String {
    text.lines().filter(|line| !line.contains(" MB · solver: ")).map(|line| format!("{line}\n")).collect()
}

/// `name="…"` with a star for what is there.
fn without_attribute(text: &str, name: &str) -> String {
    let begin = format!("{name}=\"");
    let mut parts = text.split(&begin);
    let mut rest = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find('"').expect("attributes end");
        rest.push_str(&format!("{begin}*{}", &part[end..]));
    }
    rest
}

#[test]
fn the_text_is_as_expected() {
    compare(&without_effort(&printed(&["--details"])), "playlist.txt");
    let short = printed(&[]);
    let without_time = |line: &str| match line.split_once(". Scope ") {
        Some((before, _)) => format!("{before}.\n"),
        None if line.starts_with("Next: ") => line.replace(classes(), "CLASSES") + "\n",
        None => format!("{line}\n"),
    };
    compare(&short.lines().map(without_time).collect::<String>(), "project.txt");
}

#[test]
fn the_json_is_as_expected() {
    let mut all = String::new();
    for line in printed(&["--format", "json"]).lines() {
        let mut report: Value = serde_json::from_str(line).expect("each line is an object");
        for key in ["time_ms", "peak_memory_mb", "solver"] {
            assert!(!report[key].is_null(), "{key}");
            report[key] = json!("*");
        }
        all.push_str(&(serde_json::to_string_pretty(&report).expect("it was just read") + "\n"));
    }
    compare(&all, "playlist.json");
}

#[test]
fn the_sarif_is_as_expected() {
    let sarif = printed(&["--format", "sarif", "--source", "."]);
    compare(&sarif.replace(env!("CARGO_PKG_VERSION"), "*"), "playlist.sarif");
}

#[test]
fn the_junit_xml_is_as_expected() {
    let xml = without_effort(&printed(&["--format", "junit"]));
    compare(&without_attribute(&xml, " time"), "playlist.xml");
}

/// The schema comes with a crate that is never compiled.
fn schema() -> Value {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("it is a dependency");
    let folder = Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder");
    let text = std::fs::read_to_string(folder.join("src/schema.json")).expect("the crate has the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    // A bracket too many makes these patterns no regular expressions.
    for owner in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][owner]["properties"]["language"];
        language.as_object_mut().expect("it has a language").remove("pattern");
    }
    schema
}

#[test]
fn the_sarif_is_valid_by_the_schema_and_leads_to_the_right_lines() {
    let sarif: Value = serde_json::from_str(&printed(&["--format", "sarif", "--source", "."])).expect("it is JSON");
    let validator = jsonschema::draft7::new(&schema()).expect("the schema can be used");
    let errors: Vec<String> =
        validator.iter_errors(&sarif).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let mut broken = sarif.clone();
    broken["runs"][0]["results"][0]["message"] = json!("not an object");
    assert!(!validator.is_valid(&broken), "the schema is really applied");

    let source = std::fs::read_to_string(fixtures().join("acme/Playlist.java")).expect("it is there");
    let lines: Vec<&str> = source.lines().collect();
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    let at = |result: &Value| {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "acme/Playlist.java");
        lines[place["region"]["startLine"].as_u64().expect("a line") as usize - 1].trim().to_string()
    };
    let found: Vec<(String, String)> =
        results.iter().map(|result| (result["ruleId"].as_str().expect("a rule").to_string(), at(result))).collect();
    let expected =
        [("lazuli/invariant", "if (first == null) {"), ("lazuli/NullPointerException", "return first.next;")];
    let expected = expected.map(|(rule, line)| (rule.to_string(), line.to_string()));
    assert_eq!(found, expected);
}

/// The exploration trees of a page, as they stand there.
fn trees(jobs: &str) -> Vec<String> {
    let page = Command::new(env!("CARGO_BIN_EXE_lazuli"))
        .current_dir(fixtures())
        .args(["check", "--no-confirm", "-cp", classes(), "--scope", "5", "--format", "html", "--jobs", jobs])
        .args(["acme.Playlist.removeFirst", "acme.Playlist.repOK"])
        .output()
        .expect("lazuli starts");
    let page = String::from_utf8(page.stdout).expect("reports are UTF-8");
    let tree = |part: &str| part.split("</div></details>").next().unwrap_or_default().to_string();
    page.split("<div class=\"tree\">").skip(1).map(tree).collect()
}

#[test]
fn the_exploration_tree_is_the_same_on_any_number_of_threads() {
    let alone = trees("1");
    let [removal, invariant] = alone.as_slice() else { panic!("{alone:#?}") };
    for part in [">this.first is null<", ">this.first is another object<", ">returned, contract broken<"] {
        assert!(removal.contains(part), "{part}: {removal}");
    }
    assert!(invariant.matches("class=\"end ").count() > 20, "{invariant}");
    assert_eq!(trees("4"), alone);
}

#[test]
fn several_reports_of_one_run_go_to_files_of_their_own() {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (html, sarif) = (file("report.html"), file("report.sarif"));
    let output = check(&["--format", "html", "-o", &html, "--format", "sarif", "-o", &sarif]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), METHODS.len(), "{printed}");
    assert_eq!(lines[2], "acme.Playlist.second(): violated: NullPointerException at Playlist.java:51; holds otherwise");
    assert!(std::fs::read_to_string(html).expect("it was written").starts_with("<!doctype html>"));
    assert!(std::fs::read_to_string(sarif).expect("it was written").starts_with('{'));

    for (options, message) in [
        (&["--format", "html", "--format", "sarif"][..], "each needs a file"),
        (&["--format", "html", "-o", "/dev/null", "-o", "/dev/zero"], "2 files for 1 report"),
        (&["--format", "html", "-o", "/dev/null", "--format", "json", "-o", "/dev/null"], "two reports cannot both"),
    ] {
        let output = check(options);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains(message), "{told}");
    }
}
