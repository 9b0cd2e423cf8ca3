//! Which methods does a change of the sources concern?
//!
//! git says which files differ from a revision, those that it does not know included. A class is changed if its source file is one of them. A method is
//! concerned if its class leads to a changed one: by names in class files, texts included, and from a class to its subclasses on the class path. That is a
//! choice of what to check, and no verdict: a method that is left out is told as not checked. A change of a build file or of `lazuli.toml` concerns all.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use lazuli_console::numbers::count;
use lazuli_vm::program::{Class, Program};

use crate::project::FILE;
use crate::targets::plan::CheckPlan;

/// Files from which class files are made.
const SOURCES: [&str; 5] = ["java", "kt", "scala", "groovy", "jml"];

/// Files that say how, beside `lazuli.toml`.
const BUILD_FILES: [&str; 5] = ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "build.sbt"];

/// Why it is not known what has changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SinceError {
    #[error("--since: git cannot be started: {0}.")]
    NoGit(std::io::Error),
    #[error("--since: git does not know what changed since {revision}: {why}")]
    Refused { revision: String, why: String },
}

/// The sources that differ from a revision.
pub(crate) struct SourceChanges {
    revision: String,
    /// From the top of the working tree.
    files: Vec<PathBuf>,
    /// The classes that a class names, by its name.
    named: RefCell<HashMap<&'static str, Vec<&'static Class>>>,
}

impl SourceChanges {
    pub(crate) fn since(revision: &str) -> Result<SourceChanges, SinceError> {
        let git = |words: &[&str]| {
            let output = Command::new("git").args(words).output().map_err(SinceError::NoGit)?;
            if !output.status.success() {
                let why = String::from_utf8_lossy(&output.stderr).trim().to_string();
                return Err(SinceError::Refused { revision: revision.to_string(), why });
            }
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        // A revision that looks like an option is none.
        let commit = git(&["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")])?;
        let changed = git(&["diff", "--name-only", "-z", "--no-ext-diff", commit.trim(), "--"])?;
        let unknown = git(&["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"])?;
        let files = changed.split('\0').chain(unknown.split('\0')).filter(|file| !file.is_empty());
        Ok(SourceChanges {
            revision: revision.to_string(),
            files: files.map(PathBuf::from).collect(),
            named: RefCell::default(),
        })
    }

    /// May something have changed that a verdict about the method depends on?
    pub(crate) fn concern(&self, program: &Program, plan: &CheckPlan) -> bool {
        if self.files.iter().any(|file| is_about_all(file)) {
            return true;
        }
        let mut reached = vec![plan.method.class()];
        reached.extend(plan.config.contract.receiver);
        let mut seen: BTreeSet<&'static str> = BTreeSet::new();
        while let Some(class) = reached.pop() {
            if !class.is_users() || !seen.insert(class.name) {
                continue;
            }
            if self.files.iter().any(|file| is_source_of(file, class)) {
                return true;
            }
            reached.extend(class.chain().chain(class.interfaces.iter().copied()));
            reached.extend(program.users_below(class));
            reached
                .extend(self.named.borrow_mut().entry(class.name).or_insert_with(|| named_by(program, class)).iter());
        }
        false
    }

    /// A sentence about so many methods that are left out.
    pub(crate) fn left_out(&self, methods: usize) -> Option<String> {
        let sentence = || {
            let methods = count(methods as u64, "method is", "methods are");
            format!("{methods} not checked: nothing that they name has changed since {}.", self.revision)
        };
        (methods > 0).then(sentence)
    }
}

fn is_about_all(file: &Path) -> bool {
    file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name == FILE || BUILD_FILES.contains(&name))
}

/// Only Java and JML stand in folders as packages do.
fn is_source_of(file: &Path, class: &Class) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !SOURCES.contains(&extension) {
        return false;
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let outermost = class.name.rsplit('/').next().and_then(|name| name.split('$').next()).unwrap_or_default();
    let is_named = stem == outermost || class.source_file().is_some_and(|source| file.ends_with(source));
    let folder = file.parent().unwrap_or(Path::new(""));
    is_named && (!matches!(extension, "java" | "jml") || folder.ends_with(class.package()))
}

/// The classes of the user whose names stand in the file of a class. Names stand there with slashes, and in texts also with dots; in front of one may be up to
/// two characters of other things: the length of the text, and the letter of a descriptor.
fn named_by(program: &Program, class: &'static Class) -> Vec<&'static Class> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$/.".contains(byte) || *byte >= 0x80;
    let mut found: Vec<&'static Class> = Vec::new();
    let names: HashMap<&str, &'static Class> = program.users().iter().map(|class| (class.name, *class)).collect();
    for word in class.bytes.unwrap_or_default().split(|byte| !is_letter(byte)) {
        let Ok(word) = std::str::from_utf8(word) else { continue };
        let word = word.replace('.', "/");
        let starts = word.char_indices().map(|(at, _)| at).take(4);
        found.extend(starts.filter_map(|at| names.get(&word[at..])));
    }
    found.sort_by_key(|class| class.name);
    found.dedup_by_key(|class| class.id);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_files_concern_all() {
        for file in ["pom.xml", "a/build.gradle.kts", "lazuli.toml"] {
            assert!(is_about_all(Path::new(file)), "{file}");
        }
        assert!(!is_about_all(Path::new("README.md")) && !is_about_all(Path::new("src/A.java")));
    }
}
