//! What do the tests of a suite say, on the real JVM and with the real JUnit?

use std::path::{Path, PathBuf};
use std::process::Command;

/// JUnit 5 as Debian has it.
const JUNIT: &str = "/usr/share/java/junit-platform-console-standalone.jar";

/// What became of the tests of a suite.
#[derive(Debug, PartialEq)]
pub struct VerdictCache {
    pub passed: usize,
    /// By name, sorted.
    pub failed: Vec<String>,
}

/// Compiles a suite and runs it.
pub fn run_suite(class_path: &str, directory: &Path) -> VerdictCache {
    fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).expect("the folder is there").flatten() {
            match entry.path() {
                path if path.is_dir() => collect(&path, found),
                path => found.push(path),
            }
        }
    }
    let mut files = Vec::new();
    collect(directory, &mut files);
    let compiled = tempfile::tempdir().expect("a scratch directory can be made");
    assert!(Path::new(JUNIT).is_file(), "JUnit 5 is missing (scripts/test.sh installs the package junit5)");
    let class_path = format!("{class_path}:{JUNIT}");
    javac(&class_path, compiled.path(), &files);
    let mut command = Command::new("java");
    command
        .args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"])
        .arg(format!("{}:{class_path}", compiled.path().display()));
    command.arg("org.junit.platform.console.ConsoleLauncher").args(["--disable-banner", "--details=summary"]);
    command.arg("--scan-class-path").arg(compiled.path());
    let output = command.output().expect("java is installed");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |what: &str| {
        let line = said.lines().find(|line| line.contains(what));
        let number = line.and_then(|line| line.trim_matches(['[', ']', ' ']).split(' ').next()?.parse::<usize>().ok());
        number.unwrap_or_else(|| panic!("no number of {what}: {said}{}", String::from_utf8_lossy(&output.stderr)))
    };
    let name = |line: &str| Some(line.split_once("methodName = '")?.1.split('\'').next()?.to_string());
    let mut failed: Vec<String> = said.lines().filter_map(name).collect();
    failed.sort();
    assert_eq!(failed.len(), number("tests failed"), "{said}");
    VerdictCache { passed: number("tests successful"), failed }
}

pub fn javac(class_path: &str, directory: &Path, files: &[PathBuf]) {
    let mut command = Command::new("javac");
    command
        .args([
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-g",
            "-nowarn",
            "-Xlint:none",
            "-cp",
            class_path,
            "-d",
        ])
        .arg(directory)
        .args(files);
    let output = command.output().expect("javac is installed (scripts/test.sh installs it)");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}
