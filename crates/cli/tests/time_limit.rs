//! Does a check end in time, even where single questions to the solver are slow?

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Products, quotients and remainders of 64 bits: what solvers are worst at.
const SLOW: &str = "public class Slow {
    public static int divided(long a, long b, long c) {
        if (b > 3 && c > 3 && a / b * c % 1000003 == a % c * 7919 + 12345 && (a ^ b) / c == b * c % 65537) { return 1; }
        return 0;
    }
    public static int many(long a, long b, long c) {
        int n = 0;
        for (int i = 1; i < 30; i++) { if ((a * b + c * i) % (a + i * 31L) == (b * c ^ i) / 7) n++; }
        return n;
    }
    public static int reals(double a, double b) {
        if (a * b == 3.7 && a / b > 1.23456 && a + b * a < 4.2 && a - b / a == 0.001) { return 1; }
        return 0;
    }
}
";

fn compiled() -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    std::fs::write(folder.path().join("Slow.java"), SLOW).expect("the scratch directory can be written");
    let javac = Command::new("javac").current_dir(folder.path()).args(["-g", "Slow.java"]).status();
    assert!(javac.expect("javac is installed").success());
    folder
}

fn check(folder: &TempDir, time: &str, target: &str) -> Command {
    let mut check = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    check.current_dir(folder.path()).args(["check", "-q", "--time", time, target]);
    check
}

#[test]
fn an_interrupted_check_ends_soon_and_still_reports() {
    let folder = compiled();
    let begin = Instant::now();
    let child = check(&folder, "10m", "Slow").stdout(Stdio::piped()).spawn().expect("lazuli starts");
    std::thread::sleep(Duration::from_secs(2));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill is installed").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches(": incomplete: ").count(), 3);
}

/// A check of a tree so large that the SAT solver has to do for hours.
fn check_of_problem(options: &[&str]) -> (TempDir, Command) {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/taco/BSTree.java");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(folder.path()).arg(source).status();
    assert!(javac.expect("javac is installed").success());
    let mut check = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    let target = ["check", "-q", "taco.BSTree.remove", "--engine", "sat", "--scope", "14", "--no-symmetry-breaking"];
    check.current_dir(folder.path()).args(target).args(options).stdout(Stdio::piped());
    (folder, check)
}

#[test]
fn a_problem_is_given_up_when_it_is_stopped() {
    let (_folder, mut check) = check_of_problem(&["--time", "10m"]);
    let child = check.spawn().expect("lazuli starts");
    std::thread::sleep(Duration::from_secs(3));
    let begin = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill is installed").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told, "taco.BSTree.remove(int): incomplete: the check was stopped\n");
}

#[test]
fn a_problem_is_given_up_in_time_and_when_memory_is_full() {
    for (options, why) in [
        (["--time", "3s", "--memory", "8g"], "the time limit was reached"),
        // More than the JDK's library takes, and less than the problem needs.
        (["--time", "10m", "--memory", "60m"], "the memory limit was reached: raise --memory, or lower --scope"),
    ] {
        let begin = Instant::now();
        let output = check_of_problem(&options).1.output().expect("lazuli starts");
        assert!(begin.elapsed() < Duration::from_secs(100), "{options:?}: {:?}", begin.elapsed());
        assert_eq!(output.status.code(), Some(3), "{options:?}");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(told, format!("taco.BSTree.remove(int): incomplete: {why}\n"), "{options:?}");
    }
}

#[test]
fn slow_questions_do_not_overrun_the_limit() {
    let folder = compiled();
    // The quickest of these questions takes about 3 s.
    let limit = Duration::from_secs(1);
    for target in ["Slow", "Slow.many", "Slow.divided"] {
        let begin = Instant::now();
        let output = check(&folder, "1s", target).output().expect("lazuli starts");
        let took = begin.elapsed();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        // It must have been slow, and have said so.
        assert!(matches!(output.status.code(), Some(1 | 3)), "{target}: {told}");
        assert!(took < limit + Duration::from_secs(2), "{target}: {took:?}\n{told}");
        let methods = if target == "Slow" { 3 } else { 1 };
        assert_eq!(told.lines().count(), methods, "{told}");
    }
}
