//! Do the files for GitHub and GitLab in `contrib/` do what they say, as far as that can be tried without these services?
//!
//! Their shell commands run with a `lazuli` and a `git` that write down their words. The services themselves, their caches and uploads are not tried.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib").join(name)
}

/// The text of the block scalar that begins in the line with this end, without its indentation.
fn block(name: &str, head: &str) -> String {
    let text = std::fs::read_to_string(file(name)).expect("the file is there");
    let mut lines = text.lines().skip_while(|line| line.trim() != head).skip(1).peekable();
    let indentation = lines.peek().map_or(0, |line| line.len() - line.trim_start().len());
    assert!(indentation > 0, "{name} has no block behind {head}");
    let block = lines.take_while(|line| line.trim().is_empty() || line.starts_with(&" ".repeat(indentation)));
    block.map(|line| line.get(indentation..).unwrap_or("").to_string() + "\n").collect()
}

/// A directory with programs that write their words to `words`; `lazuli` ends with this code.
fn workspace(code: i32) -> TempDir {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    for (name, end) in [("lazuli", code), ("git", 0)] {
        let program = place.path().join(name);
        let words = place.path().join("words");
        let script = format!(
            "#!/bin/sh\nprintf '%s' {name} >>'{0}'\nfor word; do printf '|%s' \"$word\" >>'{0}'; done\necho >>'{0}'\nexit {end}\n",
            words.display()
        );
        std::fs::write(&program, script).expect("the scratch directory can be written");
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("it is ours");
    }
    place
}

/// The exit code, what was printed, and the words of the programs.
fn run(shell: &[&str], script: &str, code: i32, variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let place = workspace(code);
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg(script).current_dir(place.path()).env_clear();
    command.env("PATH", format!("{}:/usr/bin:/bin", place.path().display())).envs(variables.iter().copied());
    let output = command.output().expect("a shell is there");
    let words = std::fs::read_to_string(place.path().join("words")).unwrap_or_default();
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&told).into_owned(), words)
}

/// As GitHub runs a step with `shell: bash`.
fn github(code: i32, variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    run(
        &["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"],
        &block("github/action.yml", "run: |"),
        code,
        variables,
    )
}

const REPORTS: &str = "--format|sarif|-o|lazuli.sarif|--format|junit|-o|lazuli.xml";

#[test]
fn the_action_checks_all_or_what_a_pull_request_changes() {
    let (code, _, words) = github(0, &[("BASE", ""), ("IS_STRICT", "false"), ("ARGUMENTS", "")]);
    assert_eq!((code, words), (Some(0), format!("lazuli|check|--cache|.lazuli-cache|{REPORTS}\n")));
    let (code, _, words) = github(1, &[("BASE", "abc"), ("IS_STRICT", "false"), ("ARGUMENTS", "--scope 3")]);
    let expected = format!(
        "git|fetch|--quiet|--depth=1|origin|abc\nlazuli|check|--cache|.lazuli-cache|--since|abc|{REPORTS}|--scope|3\n"
    );
    assert_eq!((code, words), (Some(1), expected));
}

#[test]
fn the_action_warns_of_incomplete_verdicts_or_fails_with_them() {
    let (code, told, _) = github(3, &[("BASE", ""), ("IS_STRICT", "false"), ("ARGUMENTS", "")]);
    assert_eq!((code, told.trim()), (Some(0), "::warning::Lazuli could not try all inputs"));
    assert_eq!(github(3, &[("BASE", ""), ("IS_STRICT", "true"), ("ARGUMENTS", "")]).0, Some(3));
    assert_eq!(github(2, &[("BASE", ""), ("IS_STRICT", "false"), ("ARGUMENTS", "")]).0, Some(2));
}

#[test]
fn the_job_for_gitlab_checks_all_or_what_a_merge_request_changes() {
    // GitLab runs scripts in bash where there is one, and in sh.
    for shell in ["bash", "sh"] {
        let script = block("gitlab/lazuli.yml", "- |");
        let (code, _, words) = run(&[shell, "-e", "-c"], &script, 3, &[]);
        assert_eq!((code, words), (Some(3), format!("lazuli|check|--cache|.lazuli-cache|{REPORTS}\n")));
        let variables = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", "abc"), ("LAZULI_ARGUMENTS", "--time 5s")];
        let (code, _, words) = run(&[shell, "-e", "-c"], &script, 0, &variables);
        assert_eq!(code, Some(0));
        assert_eq!(words, format!("lazuli|check|--cache|.lazuli-cache|--since|abc|{REPORTS}|--time|5s\n"));
    }
}

#[test]
fn the_files_are_yaml() {
    let parse = "import sys, yaml\nfor name in sys.argv[1:]: assert isinstance(yaml.safe_load(open(name)), dict)";
    if !Command::new("python3").args(["-c", "import yaml"]).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no Python with a YAML parser");
        return;
    }
    let mut python = Command::new("python3");
    python.args(["-c", parse]).arg(file("github/action.yml")).arg(file("gitlab/lazuli.yml"));
    let output = python.output().expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_options_are_those_of_lazuli() {
    let output = Command::new(env!("CARGO_BIN_EXE_lazuli")).args(["check", "--help"]).output().expect("lazuli starts");
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    for option in ["--cache", "--since", "--format", "--output"] {
        assert!(help.contains(option), "{option} is no option");
    }
}
