//! Which pages does the book have, and do their links lead somewhere?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::root;

fn source() -> PathBuf {
    root().join("docs/src")
}

/// All pages, and README.md.
pub fn all() -> Vec<PathBuf> {
    fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).expect("the book is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let mut found = vec![root().join("README.md")];
    collect(&source(), &mut found);
    found.sort();
    found
}

/// `guides/repok`, or `README`.
pub fn name(page: &Path) -> String {
    let relative = page.strip_prefix(source()).or_else(|_| page.strip_prefix(root())).unwrap_or(page);
    relative.with_extension("").display().to_string()
}

pub fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// A page of the reference.
pub fn reference(name: &str) -> String {
    read(&source().join("reference").join(name))
}

/// The lines outside of fenced blocks, with their numbers.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

/// `(text, target)` of `[text](target)`, but not of code.
fn links(line: &str) -> Vec<String> {
    // Every other part is between backquotes.
    let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    outside.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_string())).collect()
}

/// As mdBook makes them: lower case, spaces to hyphens, nothing but letters, digits, `-` and `_`.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    prose(text)
        .filter(|(_, line)| line.starts_with('#'))
        .map(|(_, line)| anchor(line.trim_start_matches('#')))
        .collect()
}

pub fn summary_names_every_page() -> Result<(), String> {
    let summary = source().join("SUMMARY.md");
    let text = read(&summary);
    let named: Vec<PathBuf> =
        prose(&text).flat_map(|(_, line)| links(line)).map(|target| source().join(target)).collect();
    for page in &named {
        if !page.is_file() {
            return Err(format!("SUMMARY.md names {}, which is not there", page.display()));
        }
    }
    let unnamed =
        all().into_iter().find(|page| page.starts_with(source()) && *page != summary && !named.contains(page));
    match unnamed {
        Some(page) => Err(format!("{} is not in SUMMARY.md", page.display())),
        None if named.len() < 20 => Err(format!("only {} pages were found", named.len())),
        None => Ok(()),
    }
}

pub fn links_lead_somewhere() -> Result<(), String> {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in all() {
        let text = read(&page);
        for (line, content) in prose(&text) {
            for link in links(content).into_iter().filter(|link| !link.contains("://")) {
                count += 1;
                let (file, part) = link.split_once('#').unwrap_or((&link, ""));
                let target = match file {
                    "" => page.clone(),
                    file => page.parent().expect("a page is in a folder").join(file),
                };
                let is_there = target.exists();
                let is_page = target.extension().is_some_and(|extension| extension == "md");
                let has_part = part.is_empty() || (is_there && is_page && anchors(&read(&target)).contains(part));
                // Inside of the book, a page must not point out of it: that is no link once it is built.
                let leaves = page.starts_with(source())
                    && target.canonicalize().is_ok_and(|target| !target.starts_with(source()));
                if !is_there || !has_part || leaves {
                    wrong.push(format!("{}:{line}: {link}", page.display()));
                }
            }
        }
    }
    match wrong.as_slice() {
        [] if count < 50 => Err(format!("only {count} links were found")),
        [] => Ok(()),
        some => Err(format!("links that lead nowhere:\n{}", some.join("\n"))),
    }
}

pub fn readme_is_short() -> Result<(), String> {
    let text = read(&root().join("README.md"));
    let scripts = ["    scripts/example.sh ", "    scripts/test.sh "];
    match text.len() {
        length if length > 8 << 10 => Err(format!("README.md has {length} bytes; move something to the book")),
        _ if scripts.iter().any(|script| !text.contains(script)) => Err("README.md lacks a script".to_string()),
        _ => Ok(()),
    }
}

/// Builds the book into a scratch directory where mdBook is installed. Warnings of mdBook are failures: they name links and files that are missing.
pub fn mdbook_builds_it() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut mdbook = std::process::Command::new("mdbook");
    let built = match mdbook.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(directory.path()).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: mdbook is not installed, so that the book is not built");
            return Ok(());
        }
        built => built.map_err(|error| error.to_string())?,
    };
    let said = String::from_utf8_lossy(&built.stderr);
    let is_built = built.status.success() && directory.path().join("index.html").is_file();
    if is_built && !said.contains("[WARN]") && !said.contains(" WARN ") { Ok(()) } else { Err(said.into_owned()) }
}
