//! Are whole programs judged rightly?
//!
//! A program is one Java file below `tests/programs/KIND`. A line that ends with `// wrong: CODE` has the defect of its twin, which is the same program with
//! that code. The JVM is the judge: on every sequence of the values at the top of the file, the program must come to a plain end, and its twin must
//! fail with some. Then `lazuli check --main` must say that the one holds and find the defect of the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

struct JavaProgram {
    kind: String,
    name: String,
    values: String,
    source: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn programs() -> Vec<JavaProgram> {
    let mut found = Vec::new();
    for kind in std::fs::read_dir(folder()).expect("the programs are there").flatten() {
        let kind = kind.file_name().to_string_lossy().into_owned();
        if kind == "support" {
            continue;
        }
        for file in std::fs::read_dir(folder().join(&kind)).expect("a kind is a folder").flatten() {
            let name = file.file_name().to_string_lossy().trim_end_matches(".java").to_string();
            let source = std::fs::read_to_string(file.path()).expect("a program can be read");
            let values = source.lines().find_map(|line| line.strip_prefix("//! values: "));
            let values = values.unwrap_or_else(|| panic!("{name} names no values")).to_string();
            found.push(JavaProgram { kind: kind.clone(), name, values, source });
        }
    }
    found.sort_by(|one, other| (&one.kind, &one.name).cmp(&(&other.kind, &other.name)));
    found
}

/// The program with its defect.
fn twin(source: &str) -> String {
    let line = |line: &str| match line.split_once("// wrong: ") {
        Some((code, wrong)) => {
            let indent = code.len() - code.trim_start().len();
            format!("{}{wrong}\n", &code[..indent])
        }
        None => format!("{line}\n"),
    };
    source.lines().map(line).collect()
}

fn javac(target: &Path, class_path: &Path, sources: &[PathBuf]) {
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-cp"]).arg(class_path).arg("-d").arg(target).args(sources);
    assert!(javac.status().expect("javac is installed").success(), "javac failed");
}

/// Compiles all programs, or their twins.
fn compiled(programs: &[JavaProgram], support: &Path, is_twin: bool) -> TempDir {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let write = |program: &JavaProgram| {
        let file = directory.path().join(format!("{}.java", program.name));
        let source = if is_twin { twin(&program.source) } else { program.source.clone() };
        std::fs::write(&file, source).expect("the source can be written");
        file
    };
    let sources: Vec<PathBuf> = programs.iter().map(write).collect();
    javac(directory.path(), support, &sources);
    directory
}

/// How each program ends at worst on the JVM.
fn on_jvm(programs: &[JavaProgram], support: &Path, classes: &Path) -> BTreeMap<String, String> {
    let mut java = Command::new("java");
    java.arg("-cp").arg(support).arg("Search").arg(classes);
    java.args(programs.iter().map(|program| format!("{}={}", program.name, program.values)));
    let output = java.output().expect("java is installed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter_map(|line| line.split_once(' ')).map(|(name, end)| (name.into(), end.into())).collect()
}

fn checked(support: &Path, classes: &Path, name: &str, options: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    let path = format!("{}:{}", classes.display(), support.display());
    command.args(["check", "-cp", &path, "--main", name, "--scope", "3", "--time", "20s", "--format", "json"]);
    let output = command.args(options).output().expect("lazuli starts");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{name}: {error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

#[test]
fn programs_hold_and_their_twins_are_violated() {
    let programs = programs();
    assert!(programs.len() >= 80, "{} programs", programs.len());
    let support = tempfile::tempdir().expect("a scratch directory can be made");
    let sources = ["Verifier.java", "Search.java"].map(|file| folder().join("support").join(file));
    javac(support.path(), support.path(), &sources);
    let right = compiled(&programs, support.path(), false);
    let wrong = compiled(&programs, support.path(), true);
    let right_ends = on_jvm(&programs, support.path(), right.path());
    let wrong_ends = on_jvm(&programs, support.path(), wrong.path());
    let mut faults = Vec::new();
    let mut kind = "";
    for program in &programs {
        let name = &program.name;
        if right_ends[name] != "fine" || wrong_ends[name] == "fine" {
            faults.push(format!("{name}: on the JVM {}, its twin {}", right_ends[name], wrong_ends[name]));
        }
        let report = checked(support.path(), right.path(), name, &["--no-confirm"]);
        if report["verdict"] != "holds" {
            let (violations, left) = (&report["violations"][0]["kind"], &report["not_explored"]);
            faults.push(format!("{name}: {} ({violations}, {left})", report["verdict"]));
        }
        // Of each kind, one defect is also run on the JVM with the values that were found.
        let is_first = std::mem::replace(&mut kind, &program.kind) != program.kind;
        let options: &[&str] = if is_first { &[] } else { &["--no-confirm"] };
        let report = checked(support.path(), wrong.path(), name, options);
        let violation = &report["violations"][0];
        if report["verdict"] != "violated" || violation["kind"] != wrong_ends[name].as_str() {
            faults.push(format!("twin of {name}: {} {}", report["verdict"], report["not_explored"]));
        }
        if is_first && violation["confirmed_on_jvm"] != true {
            faults.push(format!("twin of {name}: not confirmed: {violation}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
