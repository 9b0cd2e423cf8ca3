//! `lazuli init`: where are the classes of this project, and what could be said about them?

use std::path::Path;

use clap::Args;
use lazuli_console::safe;

use super::CommandError;
use crate::exit::ProcessExit;
use crate::project::FILE;
use crate::project::layout::ProjectLayout;

#[derive(Args)]
pub(crate) struct InitOptions {
    /// Replace a lazuli.toml that is there
    #[arg(long)]
    pub force: bool,
}

/// Classes that are named as examples.
const MOST_NAMED: usize = 20;

/// Why the file was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InitError {
    #[error("{FILE} is there already; --force replaces it.")]
    Exists,
    #[error("{FILE} cannot be written: {0}.")]
    Unwritable(std::io::Error),
}

pub(crate) fn init(options: &InitOptions) -> Result<ProcessExit, CommandError> {
    print!("{}", write(Path::new(""), options.force)?);
    Ok(ProcessExit::Success)
}

/// Writes the file, and says what comes next.
fn write(folder: &Path, may_replace: bool) -> Result<String, InitError> {
    let file = folder.join(FILE);
    let layout = ProjectLayout::of(folder);
    let checkable = checkable(folder, &layout);
    let write = if may_replace { safe::replace } else { safe::create };
    let written = write(&file, text_for(&layout, &checkable).as_bytes());
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => InitError::Exists,
        _ => InitError::Unwritable(error),
    })?;
    let is_built = layout.classes.iter().any(|classes| folder.join(classes).is_dir());
    let next = match is_built {
        false => format!("Build the project ({}), then run", layout.build.unwrap_or("javac -g -d classes")),
        true => "Now run".to_string(),
    };
    Ok(format!("{FILE} was written for {}.\n{next} `lazuli check`.\n", layout.what))
}

/// The text of the file for a project, with classes that say what a valid object is as examples.
fn text_for(layout: &ProjectLayout, checkable: &[String]) -> String {
    let (sources, sign) = match layout.sources.is_empty() {
        true => (listed(&["src".to_string()]), "# "),
        false => (listed(&layout.sources), ""),
    };
    let named = checkable.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>();
    let targets = if named.is_empty() { listed(&["acme.TreeMap".to_string()]) } else { listed(&named) };
    let example = named.first().map_or("acme.TreeMap", String::as_str);
    let ProjectLayout { what, classes, libraries, .. } = layout;
    let classes = listed(classes);
    format!(
        r#"# What `lazuli check` does in {what}. Options of the command line win over what is said here.
# Paths are relative to this file. `lazuli check --help` explains each setting under the same name.

# Directories of compiled classes, and jars: "{libraries}.
class-path = {classes}

# Where the sources are, for reports that quote them.
{sign}source = {sources}

# What is checked: a package (pkg, or pkg.** with those below it), pkg.Class (its public methods), pkg.Class.method,
# pkg.Class.method(int, String), or pkg.Class.new for constructors.
# Without it: all classes with an invariant, `boolean repOK()`; if there is none, all classes of the directories above.
# targets = {targets}

# The time for all targets together. Without a scope, it grows from 1 until the time is up.
time = "60s"
# scope = 4
# memory = "2g"

# What was found is kept here, scope by scope, for `lazuli check --resume`. Do not check it in.
# Not needed to check again only what has changed: verdicts are in the cache, and with a journal they are not reused.
# journal = ".lazuli"

# Exceptions that are no fault.
# allow = ["IllegalArgumentException"]

# Reports to write: text, json, html, sarif or junit.
# [[report]]
# format = "html"
# file = "lazuli.html"

# What is different for a class, or for a method.
# [target."{example}"]
# scope = 5
# invariant = "repOK"
# [target."{example}.put"]
# pre = "isAllowed"
# post = "isRight"
"#
    )
}

/// Classes that say what a valid object is.
fn checkable(folder: &Path, layout: &ProjectLayout) -> Vec<String> {
    let mut found = Vec::new();
    for classes in &layout.classes {
        find_checkable(&folder.join(classes), "", &mut found);
    }
    found.sort();
    found
}

/// Classes whose files mention `repOK`. They are examples in a comment, so that a guess is good enough.
fn find_checkable(directory: &Path, package: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find_checkable(&entry.path(), &format!("{package}{name}."), found);
        } else if let Some(class) = name.strip_suffix(".class").filter(|class| !class.contains('$')) {
            let bytes = std::fs::read(entry.path()).unwrap_or_default();
            if bytes.windows(5).any(|word| word == b"repOK") {
                found.push(format!("{package}{class}"));
            }
        }
    }
}

fn listed(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| toml::Value::from(text.as_str()).to_string()).collect();
    format!("[{}]", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::settings::read;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "… repOK …").unwrap();
        }
        folder
    }

    fn class_path(files: &[&str]) -> String {
        let folder = folder(files);
        write(folder.path(), false).unwrap();
        let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        let settings = read(&text, FILE, Path::new("")).expect("what we write, we read");
        settings.general["class-path"][0].to_str().unwrap().strip_prefix("--class-path=").unwrap().to_string()
    }

    #[test]
    fn builds_are_known_by_their_files() {
        assert_eq!(class_path(&["pom.xml"]), "target/classes");
        assert_eq!(class_path(&["build.gradle.kts", "target/classes/A.class"]), "build/classes/java/main");
        assert_eq!(class_path(&["target/classes/A.class"]), "target/classes");
        assert_eq!(class_path(&["notes.txt"]), "classes");
        let modules = ["pom.xml", "core/src/main/java/A.java", "app/target/classes/B.class", "docs/a.md"];
        assert_eq!(class_path(&modules), "app/target/classes:core/target/classes");
    }

    #[test]
    fn all_that_is_commented_out_may_be_commented_in() {
        let text = text_for(&ProjectLayout::of(folder(&["pom.xml"]).path()), &[]);
        let settings = text.lines().map(|line| match line.strip_prefix("# ") {
            Some(rest)
                if rest.starts_with('[') || rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' ')) =>
            {
                rest
            }
            _ => line,
        });
        let settings = read(&settings.collect::<Vec<_>>().join("\n"), FILE, Path::new("")).unwrap();
        assert_eq!(settings.special.len(), 2);
        assert!(settings.general.contains_key("format") && settings.general.contains_key("scope"));
    }

    #[test]
    fn classes_with_an_invariant_are_named() {
        let folder = folder(&["pom.xml", "target/classes/acme/Tree.class", "target/classes/acme/Tree$Node.class"]);
        let message = write(folder.path(), false).unwrap();
        assert_eq!(message, "lazuli.toml was written for a Maven project.\nNow run `lazuli check`.\n");
        let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(text.contains("# targets = [\"acme.Tree\"]"), "{text}");
    }

    #[test]
    fn what_is_there_is_replaced_only_by_force() {
        let folder = folder(&[FILE]);
        assert!(matches!(write(folder.path(), false), Err(InitError::Exists)));
        assert!(std::fs::read_to_string(folder.path().join(FILE)).unwrap().contains("…"));
        write(folder.path(), true).unwrap();
        assert!(std::fs::read_to_string(folder.path().join(FILE)).unwrap().contains("class-path"));
    }
}
