//! Does Lazuli run Java programs as `java` does, with every JDK of this machine? One test per file below tests/fixtures and JDK.
//!
//! A fixture is a Java file whose class has a main method. All are compiled by one call of `javac`, run by `java -ea` and by
//! Lazuli, and compared: standard output, standard error (so the stack trace of an uncaught exception) and exit code.
//! Directives in the first lines: `//! args: a b` for arguments, `//! stdin: text` for a line of standard input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use tempfile::TempDir;

#[path = "common/jdks.rs"]
mod jdks;

use jdks::{JDKS, other_jdks};

/// Where another JDK says the same in other words than Lazuli, which has those of 17: the frames and messages of reflective calls, and the
/// cause of a null that is passed for a number. Only the exit code is compared there.
const OTHER_WORDS: [&str; 3] = ["dispatch.ReflectiveInvoke", "reflection.InvokeUncaught", "reflection.ReflectInvoke"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut fixtures = Vec::new();
    collect(&root, &mut fixtures);
    fixtures.sort();
    let others = other_jdks();
    if others.is_empty() {
        println!("skipped: fixtures under another JDK, because there is only one below {JDKS} that is 17 or later");
    }
    let jdks: Vec<Option<PathBuf>> = std::iter::once(None).chain(others.into_iter().map(Some)).collect();
    let classes: Vec<TempDir> =
        jdks.iter().map(|_| tempfile::tempdir().expect("a scratch directory can be made")).collect();
    let mut trials = Vec::new();
    for (jdk, classes) in jdks.iter().zip(&classes) {
        if !arguments.list {
            compile(jdk.as_deref(), &fixtures, classes.path());
        }
        for fixture in fixtures.clone() {
            let relative = fixture.strip_prefix(&root).expect("found below the root").with_extension("");
            let class = relative.display().to_string().replace('/', ".");
            let name = match jdk.as_deref().and_then(Path::file_name) {
                Some(jdk) => format!("{class}/{}", jdk.to_string_lossy()),
                None => class.clone(),
            };
            let (jdk, classes) = (jdk.clone(), classes.path().to_path_buf());
            trials.push(Trial::test(name, move || compare(jdk.as_deref(), &fixture, &class, &classes)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A program of a JDK; without one, that of the `PATH`.
fn program(jdk: Option<&Path>, name: &str) -> Command {
    match jdk {
        Some(home) => Command::new(home.join("bin").join(name)),
        None => Command::new(name),
    }
}

fn collect(directory: &Path, fixtures: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the fixtures are there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, fixtures);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            fixtures.push(path);
        }
    }
}

fn compile(jdk: Option<&Path>, fixtures: &[PathBuf], classes: &Path) {
    let output =
        program(jdk, "javac").args(["-nowarn", "-encoding", "UTF-8", "-d"]).arg(classes).args(fixtures).output();
    let output = output.expect("javac is installed (scripts/test.sh installs it)");
    assert!(output.status.success(), "javac failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn compare(jdk: Option<&Path>, fixture: &Path, class: &str, classes: &Path) -> Result<(), Failed> {
    let source = std::fs::read_to_string(fixture)?;
    let directive = |name: &str| {
        let lines = source.lines().take_while(|line| line.starts_with("//"));
        lines.filter_map(|line| line.strip_prefix(&format!("//! {name}:"))).map(str::trim).next()
    };
    let arguments: Vec<&str> = directive("args").unwrap_or_default().split_whitespace().collect();
    let input = format!("{}\n", directive("stdin").unwrap_or_default());
    let mut java = program(jdk, "java");
    java.arg("-ea").arg("-cp").arg(classes).arg(class).args(&arguments);
    let mut lazuli = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    lazuli.args(["run", "--time", "120s", "-cp"]).arg(classes).arg(class).args(&arguments);
    if let Some(home) = jdk {
        lazuli.env("JAVA_HOME", home);
    }
    let (expected, actual) = (run(java, &input)?, run(lazuli, &input)?);
    let mut differences = String::new();
    for (what, expected, actual) in
        [("stdout", &expected.stdout, &actual.stdout), ("stderr", &expected.stderr, &actual.stderr)]
    {
        let has_other_words = jdk.is_some() && OTHER_WORDS.contains(&class);
        if expected != actual && !has_other_words {
            differences.push_str(&first_difference(what, expected, actual));
        }
    }
    if expected.status.code() != actual.status.code() {
        differences.push_str(&format!(
            "exit code: java {:?}, lazuli {:?}\n",
            expected.status.code(),
            actual.status.code()
        ));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.into()) }
}

fn run(mut command: Command, input: &str) -> Result<Output, Failed> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // A program that does not read its input may be gone already.
    let _ = child.stdin.take().expect("piped above").write_all(input.as_bytes());
    Ok(child.wait_with_output()?)
}

fn first_difference(what: &str, expected: &[u8], actual: &[u8]) -> String {
    let (expected, actual) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(actual));
    let (mut left, mut right) = (expected.lines(), actual.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (left.next(), right.next()) {
            (None, None) => return format!("{what} differs in line ends only\n"),
            (one, other) if one == other => {}
            (one, other) => {
                let show = |line: Option<&str>| line.map_or("(end)".to_string(), str::to_string);
                return format!("{what} line {number}:\n  java:   {}\n  lazuli: {}\n", show(one), show(other));
            }
        }
    }
}
