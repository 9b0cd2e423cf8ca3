//! Do the commands of a page print what the page says?
//!
//! A block ```` ```console ```` has commands behind `$ ` and their output. A line `...` there stands for any lines, and one that ends with
//! ` ...` for any end of the line. Times, sizes of memory and versions are not compared. A block behind `<!-- file: NAME -->` is first
//! written to that file. `classes` has the subjects, the examples and the helper, compiled; `subjects` and `helper` are their sources.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::{pages, root};

/// The compiled classes that pages speak of, made once.
#[derive(Default)]
pub struct Classes(OnceLock<TempDir>);

impl Classes {
    pub fn directory(&self) -> &Path {
        self.0.get_or_init(compile).path()
    }
}

fn compile() -> TempDir {
    let classes = tempfile::tempdir().expect("a scratch directory can be made");
    let mut files: Vec<PathBuf> = Vec::new();
    let folders = ["pli", "bliss", "bliss/driver", "gse", "kiasan", "taco"].map(|folder| format!("subjects/{folder}"));
    for folder in folders.iter().map(String::as_str).chain(["examples", "helper/lazuli"]) {
        let listed = std::fs::read_dir(root().join(folder)).expect("the folder is there").flatten();
        files.extend(listed.map(|file| file.path()).filter(|file| file.extension().is_some_and(|kind| kind == "java")));
    }
    let javac = Command::new("javac").args(["-g", "-d"]).arg(classes.path()).args(&files).status();
    assert!(javac.expect("javac is installed (scripts/test.sh installs it)").success(), "javac failed");
    classes
}

/// How often a command is run whose confirmation takes too long.
const TRIES: usize = 4;

/// One part of a page.
#[derive(Debug, PartialEq)]
enum Part {
    /// Lines that are no business of ours.
    Text(Vec<String>),
    /// A block that is written to a file; its lines stand in a `Text`.
    File {
        name: String,
        lines: Vec<String>,
    },
    Command {
        text: String,
        output: Vec<String>,
    },
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut plain: Vec<String> = Vec::new();
    let mut named: Option<String> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        plain.push(line.to_string());
        if let Some(name) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            named = Some(name.to_string());
        } else if line == "```console" {
            parts.push(Part::Text(std::mem::take(&mut plain)));
            for line in lines.by_ref() {
                if line == "```" {
                    plain.push(line.to_string());
                    break;
                }
                match (line.strip_prefix("$ "), parts.last_mut()) {
                    (Some(command), _) => {
                        parts.push(Part::Command { text: command.to_string(), output: Vec::new() });
                    }
                    (None, Some(Part::Command { output, .. })) => output.push(line.to_string()),
                    (None, _) => panic!("a console block begins with a command, not with: {line}"),
                }
            }
        } else if line.starts_with("```") {
            let body: Vec<String> = lines.by_ref().take_while(|line| *line != "```").map(str::to_string).collect();
            plain.extend(body.iter().cloned());
            plain.push("```".to_string());
            if let Some(name) = named.take() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
                parts.push(Part::File { name, lines: body });
            }
        }
    }
    parts.push(Part::Text(plain));
    parts
}

/// Runs the commands of a page, and compares. With `LAZULI_BLESS`, the page is written anew instead.
pub fn run(page: &Path, classes: &Classes) -> Result<(), Failed> {
    let text = pages::read(page);
    let mut parts = parts(&text);
    if !parts.iter().any(|part| matches!(part, Part::Command { .. })) {
        return Ok(());
    }
    let scratch = Scratch::new(classes);
    let mut code = 0;
    let mut wrong = Vec::new();
    for part in &mut parts {
        match part {
            Part::Text(_) => {}
            Part::File { name, lines } => scratch.write(name, &(lines.join("\n") + "\n")),
            Part::Command { text, output } => {
                let printed = scratch.run_in_time(text, &mut code);
                if !matches(output, &printed) {
                    wrong.push(format!("$ {text}\n{}", printed.join("\n")));
                    *output = printed;
                }
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    if std::env::var_os("LAZULI_BLESS").is_some() {
        let mut lines: Vec<String> = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => lines.extend(text),
                Part::File { .. } => {}
                Part::Command { text, output } => {
                    lines.push(format!("$ {text}"));
                    lines.extend(output);
                }
            }
        }
        std::fs::write(page, lines.join("\n") + "\n").expect("the page can be written");
        return Ok(());
    }
    Err(format!("other than the page says (LAZULI_BLESS=1 writes it anew):\n{}", wrong.join("\n")).into())
}

/// The directory in which the commands of a page run.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new(classes: &Classes) -> Scratch {
        let scratch = tempfile::tempdir().expect("a scratch directory can be made");
        let place = scratch.path();
        let copied = Command::new("cp").arg("-r").arg(classes.directory()).arg(place.join("classes")).status();
        assert!(copied.expect("cp is there").success());
        std::fs::create_dir(place.join("bin")).expect("it is empty");
        let link = |from: &Path, to: &str| std::os::unix::fs::symlink(from, place.join(to)).expect("it is empty");
        link(Path::new(env!("CARGO_BIN_EXE_lazuli")), "bin/lazuli");
        link(&root().join("subjects"), "subjects");
        link(&root().join("helper"), "helper");
        Scratch(scratch)
    }

    pub fn write(&self, name: &str, text: &str) {
        let file = self.0.path().join(name);
        std::fs::create_dir_all(file.parent().expect("a file is in a folder")).expect("the folder can be made");
        std::fs::write(file, text).expect("the file can be written");
    }

    /// The same as `run`, but again if the machine was too busy for the JVM to confirm a fault.
    fn run_in_time(&self, command: &str, code: &mut i32) -> Vec<String> {
        let before = *code;
        for _ in 1..TRIES {
            let printed = self.run(command, code);
            if !printed.iter().any(|line| line.contains("did not come to an end in time")) {
                return printed;
            }
            *code = before;
        }
        self.run(command, code)
    }

    /// The lines that a command prints, on both streams. `$?` is the exit code of the one before.
    pub fn run(&self, command: &str, code: &mut i32) -> Vec<String> {
        let place = self.0.path();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("bash")
            .arg("-c")
            .arg(format!("exec 2>&1; (exit {code}); {command}"))
            .current_dir(place)
            .env("PATH", format!("{}:{path}", place.join("bin").display()))
            .env("HOME", place)
            .env("XDG_CACHE_HOME", place.join(".cache"))
            .env_remove("LAZULI_FRESH")
            .env("LC_ALL", "C.UTF-8")
            .output()
            .expect("bash is there");
        *code = output.status.code().unwrap_or(-1);
        let home = place.display().to_string();
        String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().replace(&home, "/home/me")).collect()
    }
}

/// Is that what a page says? Empty lines at the end say nothing.
fn matches(expected: &[String], printed: &[String]) -> bool {
    let end = |lines: &[String]| lines.len() - lines.iter().rev().take_while(|line| line.is_empty()).count();
    fits(&expected[..end(expected)], &printed[..end(printed)])
}

fn fits(expected: &[String], printed: &[String]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((wild, rest)), _) if wild.trim() == "..." => {
            (0..=printed.len()).any(|left_out| fits(rest, &printed[left_out..]))
        }
        (Some((line, rest)), Some((other, others))) => is_same(line, other) && fits(rest, others),
        _ => false,
    }
}

fn is_same(expected: &str, printed: &str) -> bool {
    let printed = without_amounts(printed);
    match expected.strip_suffix(" ...") {
        Some(start) => printed.starts_with(&without_amounts(start)),
        None => without_amounts(expected) == printed,
    }
}

/// Without the parts that differ from run to run: times, memory, the effort of solvers and searches, and the version of the JVM.
fn without_amounts(line: &str) -> String {
    let line = line.split(" · solver: ").next().unwrap_or_default();
    let line = line.split(" gates · ").next().unwrap_or_default();
    // With several threads, which paths are refuted, and how, depends on which of them is faster.
    let is_effort = |part: &&str| part.ends_with(" pruned") || part.ends_with(" infeasible");
    let line = line.split(" · ").filter(|part| !is_effort(part)).collect::<Vec<_>>().join(" · ");
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_rate = |index: usize| line.ends_with("per second") && index + 7 >= words.len();
    let is_problem = line.starts_with("  one problem of ");
    let mut kept: Vec<&str> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let after = words.get(index + 1).copied().unwrap_or_default();
        let before = if index > 0 { words[index - 1] } else { "" };
        let is_amount = is_number(word) && (matches!(after, "ms" | "s" | "MB" | "min") || is_rate(index) || is_problem);
        let is_unit = matches!(*word, "ms" | "s" | "min") && is_number(before);
        let is_version = word.starts_with("(17.") && word.ends_with(')');
        kept.push(if is_amount || is_unit || is_version { "#" } else { word });
    }
    kept.join(" ")
}

/// The comparison itself: times do not matter, counts and words do.
pub fn comparison() -> Result<(), String> {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    for (expected, printed, is_same) in [
        ("a\n...\nc", "a\nb\nb\nc\n", true),
        ("a\n...\nc", "a\nb\n", false),
        ("a\nb", "a\n", false),
        ("a", "a\nb", false),
        ("  2 paths · 3 pruned · at most 1 input object", "  2 paths · at most 1 input object", true),
        ("  2 paths · at most 1 input object", "  3 paths · at most 1 input object", false),
        (
            "  scope 3 · lazy · 10 ms · 42 MB · solver: 1 fast",
            "  scope 3 · lazy · 1.2 s · 40 MB · solver: 2 fast",
            true,
        ),
        ("  scope 3 · lazy · 10 ms · 42 MB", "  scope 4 · lazy · 10 ms · 42 MB", false),
        ("  scope 3 · lazy · ...", "  scope 3 · lazy · 10 ms · 42 MB", true),
        ("  scope 3 · lazy · ...", "  scope 3 · precise · 10 ms · 42 MB", false),
        (
            "  9 candidates · 2.0 s · 7 candidates and 5 shapes per second",
            "  9 candidates · 0.1 s · 90 candidates and 50 shapes per second",
            true,
        ),
        (
            "  9 candidates · 2.0 s · 7 candidates and 5 shapes per second",
            "  8 candidates · 2.0 s · 7 candidates and 5 shapes per second",
            false,
        ),
        ("confirmed on the JVM (17.0.1)", "confirmed on the JVM (17.0.15)", true),
    ] {
        if matches(&lines(expected), &lines(printed)) != is_same {
            return Err(format!("{expected}\nand\n{printed}\nshould {}be the same", if is_same { "" } else { "not " }));
        }
    }
    Ok(())
}
