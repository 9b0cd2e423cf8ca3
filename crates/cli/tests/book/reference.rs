//! Does the reference name what the program has, and nothing else?

use std::collections::BTreeSet;
use std::process::Command;

use crate::pages;

fn lazuli(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_lazuli")).args(words).output().expect("lazuli starts");
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    String::from_utf8(text).expect("help is UTF-8")
}

fn commands_of_help() -> BTreeSet<String> {
    let help = lazuli(&["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A line that goes on about the same command is indented further.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_string).collect()
}

/// The long names of the options that `--help` lists.
fn options_of_help(command: &str) -> BTreeSet<String> {
    let help = lazuli(&[command, "--help"]);
    let declared = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let names = declared.filter_map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")));
    names.filter(|name| *name != "--help").map(str::to_string).collect()
}

/// The sections of a page by their headings of the second level.
fn sections(text: &str) -> Vec<(String, Vec<&str>)> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for (_, line) in pages::prose(text) {
        match line.strip_prefix("## ") {
            Some(heading) => sections.push((heading.replace('`', ""), Vec::new())),
            None => sections.iter_mut().next_back().into_iter().for_each(|(_, lines)| lines.push(line)),
        }
    }
    sections
}

/// The code in the first column of a table.
pub fn first_column<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let rows = lines.iter().filter_map(|line| line.strip_prefix("| "));
    rows.flat_map(|row| row.split(" | ").next().unwrap_or_default().split('`').skip(1).step_by(2)).collect()
}

fn compare(what: &str, program: &BTreeSet<String>, page: &BTreeSet<String>) -> Result<(), String> {
    let missing: Vec<&String> = program.difference(page).collect();
    let invented: Vec<&String> = page.difference(program).collect();
    match (missing.as_slice(), invented.as_slice()) {
        ([], []) if program.is_empty() => Err(format!("{what}: the program seems to have none")),
        ([], []) => Ok(()),
        _ => Err(format!("{what}: the page lacks {missing:?}, and invents {invented:?}")),
    }
}

/// Every section `lazuli NAME` has a row for each option. A line `Not here: …` takes some of those of `lazuli check` away again.
pub fn options() -> Result<(), String> {
    let text = pages::reference("options.md");
    let sections = sections(&text);
    let mut checked = BTreeSet::new();
    for (heading, lines) in &sections {
        let Some(command) = heading.strip_prefix("lazuli ") else { continue };
        let named = |lines: &[&str]| -> BTreeSet<String> {
            let cells = first_column(lines).into_iter().flat_map(|cell| cell.split([' ', ',']));
            cells.filter(|word| word.starts_with("--")).map(str::to_string).collect()
        };
        let mut page = named(lines);
        if let Some(left_out) = lines.iter().find_map(|line| line.strip_prefix("Not here: ")) {
            let all = sections.iter().find(|(heading, _)| heading == "lazuli check").expect("check has a section");
            let left_out: BTreeSet<&str> = left_out.split('`').skip(1).step_by(2).collect();
            page.extend(named(&all.1).into_iter().filter(|option| !left_out.contains(option.as_str())));
        }
        compare(heading, &options_of_help(command), &page)?;
        checked.insert(command.to_string());
    }
    let with_options = commands_of_help().into_iter().filter(|command| !options_of_help(command).is_empty());
    compare("commands with options", &with_options.collect(), &checked)
}

pub fn commands() -> Result<(), String> {
    let text = pages::reference("commands.md");
    let lines: Vec<&str> = pages::prose(&text).map(|(_, line)| line).collect();
    let page = first_column(&lines).into_iter().filter_map(|cell| cell.strip_prefix("lazuli ")).map(str::to_string);
    compare("commands", &commands_of_help(), &page.collect())
}

/// A setting that is not there is refused with a list of those that are.
pub fn settings() -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a scratch directory can be made");
    let refused = |text: &str| -> BTreeSet<String> {
        std::fs::write(folder.path().join("lazuli.toml"), text).expect("it can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_lazuli")).arg("check").current_dir(folder.path()).output();
        let message = String::from_utf8(output.expect("lazuli starts").stderr).expect("messages are UTF-8");
        let list = message.split_once("there are: ").map_or("", |(_, rest)| rest.lines().next().unwrap_or_default());
        list.split(", ").map(|name| name.trim_end_matches('.').to_string()).collect()
    };
    let text = pages::reference("settings.md");
    let sections = sections(&text);
    for (heading, refusal) in
        [("Of the project, and of single targets", "[target.A]\nx = 1\n"), ("Of the project alone", "x = 1\n")]
    {
        let (_, lines) = sections.iter().find(|(known, _)| known == heading).ok_or(format!("no section {heading}"))?;
        let mut page: BTreeSet<String> = first_column(lines).into_iter().map(str::to_string).collect();
        if heading == "Of the project alone" {
            // The list in the message has those of targets, too.
            page.extend(refused("[target.A]\nx = 1\n"));
        }
        compare(heading, &refused(refusal), &page)?;
    }
    Ok(())
}

pub fn techniques() -> Result<(), String> {
    let message = lazuli(&["check", "--technique", "none"]);
    let list = message.split_once("there are: ").ok_or("the refusal has no list")?.1;
    let program = list.lines().next().unwrap_or_default().split(", ").map(str::to_string).collect();
    let text = pages::reference("techniques.md");
    let lines = sections(&text).into_iter().find(|(heading, _)| heading == "Names").ok_or("no section Names")?.1;
    compare("techniques", &program, &first_column(&lines).into_iter().map(str::to_string).collect())
}

/// 24 lines of 100 columns.
pub fn short_help() -> Result<(), String> {
    for command in ["check", "tests", "shapes", "bounds"] {
        let help = lazuli(&[command, "-h"]);
        let (lines, columns) = (help.lines().count(), help.lines().map(|line| line.chars().count()).max().unwrap_or(0));
        let options = help.lines().filter(|line| line.trim_start().starts_with('-')).count();
        if lines > 24 || columns > 100 || options < 10 {
            return Err(format!(
                "lazuli {command} -h has {options} options on {lines} lines of {columns} columns\n{help}"
            ));
        }
    }
    let all = lazuli(&["check", "--help"]);
    let groups =
        ["What to check", "Bounds", "Specifications", "Findings", "Limits", "Reports", "Techniques of the papers"];
    match groups.iter().find(|group| !all.lines().any(|line| line.starts_with(**group))) {
        Some(group) => Err(format!("lazuli check --help has no group {group}")),
        None => Ok(()),
    }
}
