//! Do the sources keep the rules of the house that a compiler does not check? See ARCHITECTURE.md, "Invariants".

use std::path::{Path, PathBuf};

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn collect(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(directory).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("sources are readable");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), &mut found);
    assert!(!found.is_empty(), "{folder} has sources");
    found
}

/// No file of the folder contains any of the words.
fn forbid(folder: &str, words: &[&str]) {
    for (path, text) in sources(folder) {
        let is_code = |(_, line): &(usize, &str)| !line.trim_start().starts_with("//");
        for (number, line) in text.lines().enumerate().filter(is_code) {
            for word in words {
                assert!(!line.contains(word), "{}:{}: {word} does not belong here", path.display(), number + 1);
            }
        }
    }
}

/// The crates of each layer, from the ground up: a crate depends on crates that come before it. Cargo refuses circles; this says which way
/// the layers point.
const LAYERS: &[&str] = &[
    "classfile",
    "logic",
    "jml",
    "console",
    "vm",
    "spec",
    "heapsat",
    "valid",
    "reach",
    "explore",
    "testgen",
    "bench",
    "cli",
];

#[test]
fn crates_depend_on_lower_layers_only() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(&crates).expect("the crates are there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let height = LAYERS.iter().position(|layer| *layer == name);
        let height = height.unwrap_or_else(|| panic!("crate {name} has no layer; give it a place in LAYERS"));
        let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml")).expect("a crate has a manifest");
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("lazuli-")) {
            let other = line["lazuli-".len()..].split([' ', '=']).next().unwrap_or_default();
            let is_below = LAYERS[..height].contains(&other);
            assert!(is_below, "crates/{name} depends on {other}, which is not below it");
        }
    }
}

#[test]
fn the_interpreter_asks_no_solver() {
    forbid(
        "crates/vm/src",
        &["lazuli_logic::solver", "lazuli_logic::circuit", "lazuli_logic::Chain", "lazuli_logic::sat"],
    );
}

#[test]
fn techniques_are_named_only_where_they_live() {
    let inside = std::path::Path::new("explore/src/technique");
    for (path, text) in sources("crates") {
        let is_test = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "benches");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_sample = path.ends_with("report/samples.rs");
        let mut parts = path.components().collect::<Vec<_>>();
        parts.pop();
        let folder: PathBuf = parts.iter().collect();
        if is_test || is_sample || folder.ends_with(inside) {
            continue;
        }
        for name in ["\"lazy\"", "\"lazier", "\"li\""] {
            assert!(!text.contains(name), "{}: {name} does not belong here", path.display());
        }
    }
}

#[test]
fn only_the_command_line_prints_or_opens_sockets() {
    let libraries = LAYERS.iter().filter(|layer| !["console", "cli"].contains(layer));
    for place in libraries.map(|layer| format!("crates/{layer}/src")) {
        let place = place.as_str();
        forbid(place, &["println!", "print!(", "dbg!(", "std::net"]);
        // The tables read the reports of the processes that they measure, and are written as JSON themselves.
        if place == "crates/bench/src" {
            continue;
        }
        forbid(place, &["serde_json", "Serializer"]);
        // A result may declare that it can be serialised, and nothing else.
        for (path, text) in sources(place) {
            for line in text.lines().filter(|line| line.contains("serde")) {
                let is_declaration = line.trim().starts_with("#[derive(")
                    || ["#[serde(skip)]", "#[serde(default)]"].contains(&line.trim())
                    || line.starts_with("#[serde(into = ")
                    || line == "#[serde(rename_all = \"kebab-case\")]"
                    || line == "use serde::{Deserialize, Serialize};";
                assert!(is_declaration, "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn there_are_no_stubs_and_no_ignored_tests() {
    // The words are put together here so that this file does not contain them.
    let words = [["to", "do!("].concat(), ["unimpl", "emented!("].concat(), ["#[ign", "ore"].concat()];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    forbid("crates", &words);
}

#[test]
fn files_stay_readable() {
    for (path, text) in sources("crates") {
        let lines = text.lines().count();
        assert!(lines <= 1000, "{} has {lines} lines; split it", path.display());
        let opens_with_a_question_or_purpose = text.starts_with("//!");
        assert!(opens_with_a_question_or_purpose, "{} does not say what it is for", path.display());
    }
}

/// Names that more than one type has, each with the reason why that is no trouble to a reader.
const NAMED_TWICE: &[(&str, &str)] = &[];

#[test]
fn a_type_has_a_name_of_its_own() {
    let mut places = std::collections::BTreeMap::<String, Vec<PathBuf>>::new();
    for layer in LAYERS {
        for (path, text) in sources(&format!("crates/{layer}/src")) {
            let names = text.lines().filter_map(declared_type);
            names.for_each(|name| places.entry(name.to_string()).or_default().push(path.clone()));
        }
    }
    assert!(places.contains_key("State") && places.contains_key("Term"), "types are found");
    for (name, paths) in &places {
        let is_excepted = NAMED_TWICE.iter().any(|(known, _)| known == name);
        assert!(paths.len() == 1 || is_excepted, "{name} is the name of more than one type: {paths:?}");
        assert!(paths.len() > 1 || !is_excepted, "{name} is unique now; take it from NAMED_TWICE");
    }
}

/// The name of the type that a line declares. Types of traits and implementations are indented, and belong to those.
fn declared_type(line: &str) -> Option<&str> {
    let is_outermost = !line.starts_with(' ');
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next()?;
    let declares = ["struct", "enum", "trait", "union"].contains(&keyword) || (keyword == "type" && is_outermost);
    let name = words.next().filter(|_| declares)?;
    name.split(|letter: char| !letter.is_alphanumeric()).next().filter(|name| !name.is_empty())
}

#[test]
fn errors_of_libraries_are_types() {
    for layer in LAYERS {
        for (path, text) in sources(&format!("crates/{layer}/src")) {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (number, line) in code.lines().enumerate() {
                let is_sentence = line.contains("Result<") && line.contains(", String>");
                assert!(
                    !is_sentence,
                    "{}:{}: an error is a type, worded by the command line",
                    path.display(),
                    number + 1
                );
            }
        }
    }
}

/// Comments say what the code does in plain, active sentences with a subject. The first line of a file is a question, and doc comments of
/// options are the text of `--help`.
#[test]
fn comments_have_a_subject() {
    for (path, text) in sources("crates") {
        let is_help =
            path.components().any(|part| part.as_os_str() == "arguments") || path.ends_with("commands/bench/mod.rs");
        for (number, line) in text.lines().enumerate().skip(1) {
            let Some(comment) = line.trim_start().strip_prefix("//").filter(|_| !is_help) else { continue };
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            let at = format!("{}:{}", path.display(), number + 1);
            assert!(!comment.starts_with("What "), "{at}: begin with the subject of the sentence");
            let mut words = comment.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase);
            let vague = words.find(|word| ["nobody", "somebody", "whoever"].contains(&word.as_str()));
            assert!(vague.is_none(), "{at}: say who");
        }
    }
}

/// Links, and names of files in backticks, in the documents for contributors.
#[test]
fn documents_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect("the document is there");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let links = links.filter(|link| !link.is_empty() && !link.contains("://"));
        let names = text.split('`').skip(1).step_by(2).filter(|name| name.starts_with("crates/"));
        let names = names.filter(|name| !name.contains("NAME") && !name.contains(' '));
        for name in links.chain(names) {
            assert!(root.join(name).exists(), "{document}: {name} does not exist");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} names of files were found");
}
