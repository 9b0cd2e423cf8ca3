//! Does Lazuli check, confirm and write tests with every JDK of this machine?

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lazuli_classfile::Jdk;

#[path = "common/jdks.rs"]
mod jdks;

use jdks::{JDKS, other_jdks};

const SOURCE: &str = r#"
import java.util.*;

public class Sample {
    public enum Colour { RED, GREEN }
    public record Pair(int left, int right) {}
    static class Node { int value; Node next; }

    Node first;
    int size;

    public boolean repOK() {
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Node node = first; node != null; node = node.next) {
            if (!seen.add(node)) return false;
        }
        return seen.size() == size;
    }

    public void push(int value) { Node node = new Node(); node.value = value; node.next = first; first = node; size++; }
    public int drop() { int value = first.value; first = first.next; size--; return value; }
    public static int text(String text, int number) { return text.startsWith("b") ? 1 / (number - 7) : text.length(); }
    public static int list(List<Integer> list) { return list.isEmpty() ? 0 : 10 / (list.get(0) - 3); }
    public static int map(Map<String, Integer> map) { return map.containsKey("k") ? 1 / (map.size() - 1) : 0; }
    public static int pair(Pair pair) { return pair.left() / pair.right(); }
    public static int colour(Colour colour) { return switch (colour) { case RED -> 1; case GREEN -> 2; }; }
    public static int thread(int number) throws InterruptedException {
        int[] box = {0};
        Thread thread = new Thread(() -> box[0] = number);
        thread.start();
        thread.join();
        return 10 / (box[0] - 3);
    }
    public static int array(int[] numbers) { return Arrays.stream(numbers).filter(each -> each > 0).map(each -> 8 / (each - 4)).sum(); }
}
"#;

/// Methods of the sample, and the exception that each must be found to throw.
const FAULTS: [(&str, &str); 7] = [
    ("drop()", "NullPointerException"),
    ("text(String, int)", "ArithmeticException"),
    ("list(List)", "ArithmeticException"),
    ("map(Map)", "ArithmeticException"),
    ("pair(Pair)", "ArithmeticException"),
    ("thread(int)", "ArithmeticException"),
    ("array(int[])", "ArithmeticException"),
];

fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn compile(jdk: &Path, options: &[&str], folder: &Path) {
    std::fs::write(folder.join("Sample.java"), SOURCE).expect("the scratch directory can be written");
    let mut javac = Command::new(jdk.join("bin/javac"));
    javac.current_dir(folder).args(["-g", "-d", "."]).args(options).arg("Sample.java");
    let output = javac.output().expect("javac is there");
    assert!(output.status.success(), "{}", words(&output));
}

fn lazuli(jdk: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.env("JAVA_HOME", jdk).env("XDG_CACHE_HOME", folder.join("cache")).current_dir(folder);
    command.args(arguments).output().expect("lazuli starts")
}

/// The others of this machine; says that there is none.
fn others() -> Vec<PathBuf> {
    let others = other_jdks();
    if others.is_empty() {
        println!("skipped: there is only one JDK below {JDKS} that is 17 or later");
    }
    others
}

#[test]
fn faults_are_found_and_confirmed_with_other_jdks() {
    for home in others() {
        // Its own compiler makes classes for it, and for JDK 17.
        for options in [&[][..], &["--release", "17"]] {
            let place = tempfile::tempdir().expect("a scratch directory can be made");
            compile(&home, options, place.path());
            let output =
                lazuli(&home, place.path(), &["check", "Sample", "--scope", "2", "--time", "2m", "--format", "json"]);
            let told = words(&output);
            assert_eq!(output.status.code(), Some(1), "{told}");
            let line = |method: &str| {
                let title = format!(r#""title":"Sample.{method}""#);
                told.lines().find(|line| line.contains(&title)).unwrap_or_else(|| panic!("no {method} in {told}"))
            };
            for (method, exception) in FAULTS {
                let line = line(method);
                assert!(line.contains(r#""verdict":"violated""#) && line.contains(exception), "{line}");
                // An order of threads cannot be asked of a JVM.
                let is_confirmed = line.contains(r#""confirmed_on_jvm":true"#) || method.starts_with("thread");
                assert!(is_confirmed, "{method} is not confirmed: {line}");
            }
            for method in ["push(int)", "colour(Colour)"] {
                assert!(line(method).contains(r#""verdict":"holds""#), "{}", line(method));
            }
            let output = lazuli(&home, place.path(), &["tests", "Sample.drop", "--scope", "2", "-o", "made"]);
            assert!(place.path().join("made/SampleLazuliTest.java").is_file(), "{}", words(&output));
        }
    }
}

#[test]
fn classes_for_a_newer_jdk_are_refused_with_what_to_do() {
    let own = Jdk::locate().expect("tests need a JDK");
    for home in others() {
        if Jdk::open(&home).expect("it was opened before").feature() <= own.feature() {
            continue;
        }
        let place = tempfile::tempdir().expect("a scratch directory can be made");
        compile(&home, &[], place.path());
        let output = lazuli(own.home(), place.path(), &["check", "Sample"]);
        assert_eq!(output.status.code(), Some(2), "{}", words(&output));
        assert!(
            words(&output).contains("Set JAVA_HOME to a newer JDK, or compile with `javac --release"),
            "{}",
            words(&output)
        );
    }
}
