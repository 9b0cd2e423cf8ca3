//! Do names in class files do any harm: in programs that Lazuli writes, or in what it tells?
//!
//! A class file may call things as it likes. Classes are compiled with harmless names, which are then replaced in the class file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Classes in which each of these words is the name of something else.
const SOURCE: &str = r#"
    public class Main {
        public int x;
        public int HostileField;
        public static int HostileStatic;
        private int HostilePrivate;
        public Main next;
        public HostileInner inner;
        boolean repOK() { return x >= 0; }
        boolean HostileInvariant() { return x >= 0; }
        public void set(int HostileParameter) {
            if (HostileField == 7 && HostilePrivate == 8 && HostileParameter == 9) x = -HostileStatic;
        }
        public int HostileMethod(int a) {
            if (HostileField == 7 && inner != null && next != null) throw new HostileException();
            return HostilePrivate;
        }
        public static class HostileInner { public int y; HostileInner other; }
        public static class HostileException extends AssertionError {}
    }
"#;

const WORDS: [&str; 8] = [
    "HostileField",
    "HostileStatic",
    "HostilePrivate",
    "HostileParameter",
    "HostileMethod",
    "HostileInvariant",
    "HostileInner",
    "HostileException",
];

/// The compiled classes, with names replaced in all class files and in their file names.
fn compiled(renamed: &[(&str, &str)]) -> TempDir {
    let (sources, classes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = sources.path().join("Main.java");
    std::fs::write(&file, SOURCE).unwrap();
    let javac = Command::new("javac").args(["-g", "-d"]).arg(classes.path()).arg(&file).output().expect("javac");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    for entry in std::fs::read_dir(classes.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>()
    {
        let mut bytes = std::fs::read(&entry).unwrap();
        let mut name = entry.file_name().unwrap().to_str().unwrap().to_string();
        for (old, new) in renamed {
            bytes = with_constants(&bytes, old, new);
            name = name.replace(old, new);
        }
        std::fs::remove_file(&entry).unwrap();
        std::fs::write(classes.path().join(name), bytes).unwrap();
    }
    classes
}

/// The class file with a text replaced in all constants that are texts.
fn with_constants(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    let number = |at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    let mut changed = bytes[..10].to_vec();
    let (mut at, mut entry, count) = (10, 1, number(8));
    while entry < count {
        let length = match bytes[at] {
            1 => 3 + number(at + 1),
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
        let whole = &bytes[at..at + length];
        match whole[0] {
            1 => {
                let text = std::str::from_utf8(&whole[3..]).unwrap().replace(old, new);
                changed.push(1);
                changed.extend((text.len() as u16).to_be_bytes());
                changed.extend(text.as_bytes());
            }
            _ => changed.extend(whole),
        }
        // A long or a double takes two numbers.
        entry += if matches!(whole[0], 5 | 6) { 2 } else { 1 };
        at += length;
    }
    changed.extend(&bytes[at..]);
    changed
}

/// Java code as a name that a class file may have: signs that it may not are written as javac reads them.
fn as_name(code: &str) -> String {
    let letter = |letter: char| match letter {
        '.' | ';' | '[' | '/' | '<' | '>' => format!("\\u{:04x}", letter as u32),
        letter => letter.to_string(),
    };
    code.chars().map(letter).collect()
}

fn lazuli(words: &[&str], classes: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(words).args(["--quiet", "--cache", "none", "-cp"]).arg(classes);
    command.output().expect("lazuli starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Names that run a command if they get into source: in a statement, a declaration, a literal, or a comment.
fn attacks(mark: &Path) -> Vec<String> {
    let touch = format!("new java.io.File(\"{}\").createNewFile();", mark.display());
    let block = format!("static {{ try {{ {touch} }} catch (Exception e) {{}} }}");
    vec![
        as_name(&format!("x=0;{touch}int q")),
        as_name(&format!("x\", 0); {touch} //")),
        as_name(&format!("x*/ class Q {{ {block} }} /*")),
        as_name(&format!("x\n{touch}//")),
        format!("x\\u000a{}\\u002f\\u002f", as_name(&touch)),
        format!("x\\\\u000a{}\\u002f\\u002f", as_name(&touch)),
        "class".to_string(),
        "1".to_string(),
        "a b".to_string(),
    ]
}

/// The classes in which everything is called by an attack, each by one of its own.
fn attacked(attack: &str) -> TempDir {
    let renamed: Vec<(&str, String)> = WORDS.iter().map(|word| (*word, format!("{attack}{word}"))).collect();
    let renamed: Vec<(&str, &str)> = renamed.iter().map(|(old, new)| (*old, new.as_str())).collect();
    compiled(&renamed)
}

#[test]
fn names_do_not_become_code() {
    let scratch = tempfile::tempdir().unwrap();
    let mark = scratch.path().join("mark");
    for attack in attacks(&mark) {
        let classes = attacked(&attack);
        let invariant = format!("{attack}HostileInvariant");
        let options = ["check", "Main", "--scope", "2", "--time", "60s", "--invariant", &invariant];
        let checked = Command::new(env!("CARGO_BIN_EXE_lazuli"))
            .args(options)
            .args(["--cache", "none", "-cp"])
            .arg(classes.path())
            .output()
            .expect("lazuli starts");
        let told = text(&checked.stdout) + &text(&checked.stderr);
        assert_eq!(checked.status.code(), Some(1), "{attack:?}: {told}");
        assert!(!mark.exists(), "{attack:?} ran a command");
        // Both faults are shown on the JVM, with the names by reflection.
        assert_eq!(told.matches("confirmed on the JVM").count(), 2, "{attack:?}: {told}");
        assert!(!told.contains("javac does not accept") && !told.contains("bug of Lazuli"), "{attack:?}: {told}");
    }
}

#[test]
fn suites_have_no_code_of_names() {
    let scratch = tempfile::tempdir().unwrap();
    let mark = scratch.path().join("mark");
    for (number, attack) in attacks(&mark).into_iter().enumerate() {
        let classes = attacked(&attack);
        let suite = scratch.path().join(format!("suite{number}"));
        let options = ["--scope", "2", "--time", "30s", "-o", suite.to_str().unwrap()];
        let written = lazuli(&[&["tests", "Main"], &options[..]].concat(), classes.path());
        assert_eq!(written.status.code(), Some(1), "{attack:?}: {}", text(&written.stderr));
        let sources = files(&suite);
        assert_eq!(sources.len(), 1, "{sources:?}");
        let stubs = scratch.path().join("stubs");
        write_stubs(&stubs);
        let compiled = Command::new("javac")
            .args(["-nowarn", "-proc:none", "-cp"])
            .arg(format!("{}:{}", classes.path().display(), stubs.display()))
            .args(["-d", scratch.path().to_str().unwrap()])
            .args(&sources)
            .output()
            .expect("javac");
        let source = std::fs::read_to_string(&sources[0]).unwrap();
        assert!(compiled.status.success(), "{attack:?}: {}\n{source}", text(&compiled.stderr));
        assert!(source.contains("@Test"), "{source}");
        // javac translates such escapes before lexing: no ASCII character is written so.
        let escapes = source
            .match_indices("\\u")
            .filter(|(at, _)| source[..*at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0);
        for (at, _) in escapes {
            assert!(!source[at + 2..].starts_with("00"), "{attack:?}: {}", &source[at..]);
        }
    }
    assert!(!mark.exists());
}

/// As much of JUnit as suites name, so that the compiler finds it.
fn write_stubs(directory: &Path) {
    let package = directory.join("org/junit/jupiter/api");
    if package.exists() {
        return;
    }
    std::fs::create_dir_all(&package).unwrap();
    let files = [
        ("Test", "package org.junit.jupiter.api; public @interface Test {}"),
        ("BeforeEach", "package org.junit.jupiter.api; public @interface BeforeEach {}"),
        (
            "Assertions",
            "package org.junit.jupiter.api; public class Assertions { \
             public interface Executable { void execute() throws Throwable; } \
             public static void assertTrue(boolean a) {} public static void assertFalse(boolean a) {} \
             public static void assertNull(Object a) {} public static void assertNotNull(Object a) {} \
             public static void assertSame(Object a, Object b) {} public static void assertEquals(Object a, Object b) {} \
             public static <T extends Throwable> T assertThrows(Class<T> a, Executable b) { return null; } }",
        ),
    ];
    let paths = files.map(|(name, source)| {
        let path = package.join(format!("{name}.java"));
        std::fs::write(&path, source).unwrap();
        path
    });
    let javac = Command::new("javac").arg("-d").arg(directory).args(paths).status().expect("javac");
    assert!(javac.success());
}

#[test]
fn nothing_that_deceives_is_told() {
    // A new line with a verdict, a sequence that clears the screen, and one that turns the direction of writing.
    let deceit = "a\nMain: holds for all inputs\u{1b}c\u{9b}1m\u{202e}\u{2066}\r\u{7}b";
    let renamed: Vec<(&str, String)> = WORDS.iter().map(|word| (*word, format!("{deceit}{word}"))).collect();
    let mut renamed: Vec<(&str, &str)> = renamed.iter().map(|(old, new)| (*old, new.as_str())).collect();
    let file = format!("Main{deceit}.java");
    renamed.push(("Main.java", &file));
    let classes = compiled(&renamed);
    let scratch = tempfile::tempdir().unwrap();
    let suite = scratch.path().join("suite");
    let commands: Vec<Vec<&str>> = vec![
        vec!["check", "Main", "--paths"],
        vec!["check", "Main", "--format", "json", "--paths"],
        vec!["check", "Main", "--format", "html"],
        vec!["check", "Main", "--format", "sarif"],
        vec!["check", "Main", "--format", "junit"],
        vec!["check", "Main", "--engine", "sat", "--details"],
        vec!["check", "Main.nothing"],
        vec!["check", "Main.set(long)"],
        vec!["check", "Main$Nothing"],
        vec!["tests", "Main", "-o", suite.to_str().unwrap()],
        vec!["shapes", "Main", "--print"],
        vec!["shapes", "Main", "--format", "json"],
        vec!["bounds", "Main"],
        vec!["bounds", "Main", "--format", "json"],
    ];
    for command in commands {
        let mut words = command.clone();
        if !command[1].contains(['.', '$']) {
            words.extend(["--scope", "2", "--time", "20s"]);
        }
        let output = Command::new(env!("CARGO_BIN_EXE_lazuli"))
            .args(&words)
            .args(["--cache", "none", "-cp"])
            .arg(classes.path())
            .output()
            .expect("lazuli starts");
        for told in [text(&output.stdout), text(&output.stderr)] {
            let seen = |letter: char| letter == '\n' || !letter.is_control() && !"\u{202e}\u{2066}".contains(letter);
            let unseen = told.chars().find(|letter| !seen(*letter));
            assert_eq!(unseen, None, "{command:?}: {told:?}");
            let forged = told.lines().find(|line| line.trim_start().starts_with("Main: holds"));
            assert_eq!(forged, None, "{command:?}: {told}");
        }
        // The names are there, and not only left out.
        let lists_names = command[0] == "check" && !["Main$Nothing", "Main.set(long)"].contains(&command[1]);
        if lists_names {
            assert!(
                text(&output.stdout).contains("\\u202e") || text(&output.stderr).contains("\\u202e"),
                "{command:?}"
            );
        }
    }
    for source in files(&suite) {
        let source = std::fs::read_to_string(source).unwrap();
        assert!(source.is_ascii() && !source.contains(['\r', '\u{1b}']), "{source}");
        assert!(!source.lines().any(|line| line.starts_with("Main: holds")), "{source}");
    }
}
