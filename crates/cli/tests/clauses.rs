//! Do the tests that Lazuli writes of broken clauses fail on the real JVM, and pass when the method is mended?
//!
//! A line of `tests/jml/mended` that ends with `// mended: CODE` is wrong, and CODE is right.

#[path = "common/junit.rs"]
mod junit;

use std::path::{Path, PathBuf};
use std::process::Command;

use junit::{javac, run_suite};

const FOLDER: &str = "tests/jml/mended";
/// Each of them breaks a clause.
const METHODS: [&str; 15] = [
    "add", "drop", "sum", "largest", "post", "split", "parts", "top", "check", "sign", "hasNone", "sortTwo", "step",
    "label", "stamp",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The line as it should be.
fn mended(line: &str) -> &str {
    line.split_once("// mended:").map_or(line, |(_, right)| right)
}

#[test]
fn tests_of_broken_clauses_fail_until_the_method_is_mended() {
    let source = root().join(FOLDER).join("ledger/Ledger.java");
    let (wrong, right, tests) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    javac("", wrong.path(), std::slice::from_ref(&source));
    let text = std::fs::read_to_string(&source).expect("the fixture is there");
    let changed = right.path().join("Ledger.java");
    std::fs::write(&changed, text.lines().map(mended).collect::<Vec<_>>().join("\n")).unwrap();
    javac("", right.path(), &[changed]);

    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["tests", "ledger.Ledger", "--scope", "2", "--time", "300s", "-cp"]).arg(wrong.path());
    let output = command.arg("-o").arg(tests.path()).arg("--source").arg(root().join(FOLDER)).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert!(!printed.contains("path without a test") && !printed.contains("paths without a test"), "{printed}");

    let wrong_class_path = wrong.path().display().to_string();
    let failed = run_suite(&wrong_class_path, tests.path()).failed;
    for method in METHODS {
        let is_about = |name: &&String| name.starts_with(&format!("{method}_")) && name.contains("_breaks");
        assert!(failed.iter().any(|name| is_about(&name)), "{method}: {failed:?}");
    }
    let right_class_path = right.path().display().to_string();
    let found = run_suite(&right_class_path, tests.path());
    // Tests of paths on which the method was wrong, but kept its clauses, say what it did.
    let broken: Vec<&String> = found.failed.iter().filter(|name| name.contains("_breaks")).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn what_a_program_cannot_see_is_not_confirmed_and_has_no_test() {
    let classes = tempfile::tempdir().unwrap();
    javac("", classes.path(), &[root().join("tests/jml/hidden/Hidden.java")]);
    for (method, why) in [
        ("log", "no program shows it: an object of java.util.ArrayList changes, and no program can see what it holds"),
        ("one", "no program shows it: no program can tell whether an object of java.lang.Integer was there before"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", &format!("Hidden.{method}"), "--format", "json", "--time", "60s", "-cp"]);
        let output = command.arg(classes.path()).arg("--source").arg(root().join("tests/jml/hidden")).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("there is a report");
        let violation = &report["violations"][0];
        assert_eq!(violation["confirmed_on_jvm"], false, "{report}");
        assert_eq!(violation["not_confirmed"], why);
        assert!(violation["test"].is_null(), "{violation}");
    }
}
