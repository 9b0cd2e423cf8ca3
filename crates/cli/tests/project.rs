//! Does `lazuli check` alone do what the project says, and does the command line win?

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const STACK: &str = "package acme;
public class Stack {
    static class Cell { Cell below; }
    Cell top; int size;
    public boolean repOK() {
        java.util.Set<Cell> seen = new java.util.HashSet<>();
        for (Cell cell = top; cell != null; cell = cell.below) { if (!seen.add(cell)) return false; }
        return size == seen.size();
    }
    public void push() { Cell cell = new Cell(); cell.below = top; top = cell; size++; }
    public void drop() { top = top.below; size--; }
    boolean isFilled() { return top != null; }
}
";

/// A project as Maven lays it out, after its build.
fn maven() -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let sources = folder.path().join("src/main/java/acme");
    std::fs::create_dir_all(&sources).expect("the scratch directory can be written");
    std::fs::write(folder.path().join("pom.xml"), "<project/>").expect("the scratch directory can be written");
    std::fs::write(sources.join("Stack.java"), STACK).expect("the scratch directory can be written");
    let mut javac = Command::new("javac");
    javac.current_dir(folder.path()).args(["-g", "-d", "target/classes", "src/main/java/acme/Stack.java"]);
    assert!(javac.status().expect("javac is installed").success());
    folder
}

fn lazuli(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(folder).args(arguments).output().expect("lazuli starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn write(folder: &Path, settings: &str) {
    std::fs::write(folder.join("lazuli.toml"), settings).expect("the scratch directory can be written");
}

#[test]
fn after_init_a_check_needs_no_word_more() {
    let folder = maven();
    let folder = folder.path();
    let init = lazuli(folder, &["init"]);
    assert_eq!(init.status.code(), Some(0), "{}", stderr(&init));
    assert_eq!(lazuli(folder, &["init"]).status.code(), Some(2));
    // From below the root, too.
    for place in [folder.to_path_buf(), folder.join("src/main/java")] {
        let check = lazuli(&place, &["check", "-q", "--time", "4s", "--max-paths", "50"]);
        assert_eq!(check.status.code(), Some(1), "{}", stderr(&check));
        assert!(stdout(&check).contains("acme.Stack.drop(): violated: NullPointerException"), "{}", stdout(&check));
        assert!(stdout(&check).contains("acme.Stack.push(): holds"), "{}", stdout(&check));
        assert!(!stdout(&check).contains("repOK"), "{}", stdout(&check));
    }
    // A second check of the same classes explores nothing.
    let again = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.env_remove("LAZULI_FRESH").env("XDG_CACHE_HOME", folder.join("cache")).current_dir(folder);
        command.args(["check", "--scope", "2"]).output().expect("lazuli starts")
    };
    let (first, second) = (again(), again());
    assert!(!stderr(&first).contains("earlier run"), "{}", stderr(&first));
    assert!(stderr(&second).contains("2 verdicts are of an earlier run"), "{}", stderr(&second));
    assert!(!folder.join(".lazuli").exists());
}

#[test]
fn what_a_build_has_left_is_the_class_path() {
    let folder = maven();
    let folder = folder.path();
    let check = || lazuli(folder, &["check", "acme.Stack.push", "--scope", "1", "-q"]);
    let found = check();
    assert_eq!(found.status.code(), Some(0), "{}", stderr(&found));
    assert!(stdout(&found).contains("acme.Stack.push(): holds"), "{}", stdout(&found));
    // A class path of the user wins.
    assert_eq!(lazuli(folder, &["check", "-cp", ".", "acme.Stack.push", "--scope", "1"]).status.code(), Some(2));
    std::fs::remove_dir_all(folder.join("target")).expect("it can be removed");
    let unbuilt = check();
    assert_eq!(unbuilt.status.code(), Some(2));
    assert!(stderr(&unbuilt).contains("run `mvn compile` first"), "{}", stderr(&unbuilt));
}

#[test]
fn a_project_without_an_invariant_is_checked_as_a_whole() {
    let folder = maven();
    let folder = folder.path();
    let source = STACK.replace("repOK", "isWhole");
    std::fs::write(folder.join("src/main/java/acme/Stack.java"), source).expect("the scratch directory can be written");
    std::fs::write(folder.join("src/main/java/acme/Pair.java"), "package acme; public record Pair(int a, int b) {}")
        .expect("the scratch directory can be written");
    let mut javac = Command::new("javac");
    javac.current_dir(folder).args(["-g", "-d", "target/classes", "-sourcepath", "src/main/java"]);
    let sources = ["src/main/java/acme/Stack.java", "src/main/java/acme/Pair.java"];
    assert!(javac.args(sources).status().expect("javac is installed").success());
    let init = lazuli(folder, &["init"]);
    assert!(stdout(&init).contains("Now run `lazuli check`"), "{}", stdout(&init));
    let check = lazuli(folder, &["check", "-q", "--time", "8s", "--scope", "1"]);
    assert_eq!(check.status.code(), Some(1), "{}{}", stdout(&check), stderr(&check));
    assert!(stdout(&check).contains("acme.Stack.drop(): violated: NullPointerException"), "{}", stdout(&check));
    assert!(stdout(&check).contains("acme.Pair.a(): holds"), "{}", stdout(&check));
}

#[test]
fn the_special_wins_over_the_general_and_the_command_line_over_all() {
    let folder = maven();
    let folder = folder.path();
    write(
        folder,
        "class-path = ['target/classes']\ntargets = ['acme.Stack.push', 'acme.Stack.drop']\nscope = 2\n\
         [target.'acme.Stack']\nscope = 3\n[target.'acme.Stack.drop()']\nscope = 4\npre = 'isFilled'\n\
         [[report]]\nformat = 'json'\nfile = 'report.json'\n",
    );
    let reported = |name: &str| std::fs::read_to_string(folder.join(name)).expect("there is a report");
    let check = lazuli(folder, &["check"]);
    assert_eq!(check.status.code(), Some(0), "{}{}", stdout(&check), stderr(&check));
    let headlines = "acme.Stack.push(): holds for every valid input of classes on the class path with at most 3 Cell objects\n\
                     acme.Stack.drop(): holds for every valid input of classes on the class path with at most 4 Cell objects for which isFilled() is true\n";
    assert_eq!(stdout(&check), headlines);
    assert_eq!(reported("report.json").lines().count(), 2);

    let check = lazuli(folder, &["check", "--scope", "1", "-q", "--format", "text", "acme.Stack.push"]);
    assert_eq!(
        stdout(&check),
        "acme.Stack.push(): holds for every valid input of classes on the class path with at most 1 Cell object\n"
    );
    assert_eq!(reported("report.json").lines().count(), 2, "the user asked for another report");
    let shapes = lazuli(folder, &["shapes", "acme.Stack"]);
    assert!(stdout(&shapes).contains("at scope 2"), "{}{}", stdout(&shapes), stderr(&shapes));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = maven();
    let folder = folder.path();
    for (settings, expected) in [
        ("class-pth = ['target/classes']", "lazuli.toml:1:1: there is no setting `class-pth` here"),
        ("class-path = ['target/classes']\n[target.'acme.Stak']\nscope = 1", "lazuli.toml:2: there is no class acme"),
        ("class-path = ['nowhere']", "nowhere does not exist"),
        ("class-path = ['src']", "no class on the class path src has a public method"),
        ("invariant = 'a'\nheap-invariant = 'b'\ndata-invariant = 'c'", "do not fit together"),
    ] {
        write(folder, settings);
        let targets: &[&str] = if settings.contains("Stak") { &["check", "acme.Stack.push"] } else { &["check"] };
        let check = lazuli(folder, targets);
        assert_eq!(check.status.code(), Some(2), "{settings}");
        assert!(stderr(&check).contains(expected), "{settings}: {}", stderr(&check));
    }
}

#[test]
fn without_a_project_a_check_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let check = lazuli(folder.path(), &["check"]);
    assert_eq!(check.status.code(), Some(2));
    assert!(stderr(&check).contains("lazuli init"), "{}", stderr(&check));
}

#[test]
fn shells_and_man_are_served() {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&lazuli(folder.path(), &["completions", shell]));
        assert!(script.contains("shapes") && script.contains("resume"), "{shell}");
    }
    assert!(stdout(&lazuli(folder.path(), &["man"])).starts_with(".ie"));
}
