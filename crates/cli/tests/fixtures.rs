//! Does Lazuli run Java programs as `java` does? One test per file below tests/fixtures.
//!
//! A fixture is a Java file whose class has a main method. All are compiled by one call of `javac`, run by `java -ea` and by
//! Lazuli, and compared: standard output, standard error (so the stack trace of an uncaught exception) and exit code.
//! Directives in the first lines: `//! args: a b` for arguments, `//! stdin: text` for a line of standard input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut fixtures = Vec::new();
    collect(&root, &mut fixtures);
    fixtures.sort();
    let classes = tempfile::tempdir().expect("a scratch directory can be made");
    if !arguments.list {
        compile(&fixtures, classes.path());
    }
    let trials = fixtures.into_iter().map(|fixture| {
        let relative = fixture.strip_prefix(&root).expect("found below the root").with_extension("");
        let class = relative.display().to_string().replace('/', ".");
        let classes = classes.path().to_path_buf();
        Trial::test(class.clone(), move || compare(&fixture, &class, &classes))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
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

fn compile(fixtures: &[PathBuf], classes: &Path) {
    let output =
        Command::new("javac").args(["-nowarn", "-encoding", "UTF-8", "-d"]).arg(classes).args(fixtures).output();
    let output = output.expect("javac is installed (scripts/test.sh installs it)");
    assert!(output.status.success(), "javac failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn compare(fixture: &Path, class: &str, classes: &Path) -> Result<(), Failed> {
    let source = std::fs::read_to_string(fixture)?;
    let directive = |name: &str| {
        let lines = source.lines().take_while(|line| line.starts_with("//"));
        lines.filter_map(|line| line.strip_prefix(&format!("//! {name}:"))).map(str::trim).next()
    };
    let arguments: Vec<&str> = directive("args").unwrap_or_default().split_whitespace().collect();
    let input = format!("{}\n", directive("stdin").unwrap_or_default());
    let mut java = Command::new("java");
    java.arg("-ea").arg("-cp").arg(classes).arg(class).args(&arguments);
    let mut lazuli = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    lazuli.args(["run", "--time", "120s", "-cp"]).arg(classes).arg(class).args(&arguments);
    let (expected, actual) = (run(java, &input)?, run(lazuli, &input)?);
    let mut differences = String::new();
    for (what, expected, actual) in
        [("stdout", &expected.stdout, &actual.stdout), ("stderr", &expected.stderr, &actual.stderr)]
    {
        if expected != actual {
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
