//! Do the modules of each crate depend on each other in one direction? Crates cannot depend in circles; modules can, and must not but for the
//! exceptions below.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Edges that close a circle, each with its reason: (crate, module, the module that it uses, why).
const EXCEPTIONS: &[(&str, &str, &str, &str)] = &[
    ("jml", "clause", "declaration", "a recursive-descent parser is one object over several files"),
    ("jml", "declaration", "member", "a recursive-descent parser is one object over several files"),
    ("vm", "program", "natives", "a method carries the function that models it"),
    ("vm", "interp", "natives", "the interpreter calls models, and models call back through `Call`"),
    ("vm", "symbols", "state", "inputs are written into the state that they belong to"),
    ("vm", "outcome", "universe", "an end may be a bound that the path met"),
    ("vm", "reason", "outcome", "a reason may be a limit, and an end carries its reason"),
    ("vm", "reason", "state", "a reason is read from the state in which a path ended"),
    ("vm", "reason", "interp", "a reason names the place of the interpreter"),
    ("vm", "frame", "property", "a thread carries the states of the properties that watch it"),
    ("vm", "ambient", "interp", "values from outside are made by the interpreter"),
    ("explore", "path", "worker", "a path keeps the states that it came by, which the worker compares"),
    ("heapsat", "atoms", "exec", "a root is a symbolic value"),
    ("heapsat", "atoms", "numbers", "the numbers of atoms have the widths that the analysis found"),
    ("heapsat", "numbers", "exec", "the analysis of numbers walks the code as the executor does"),
    ("heapsat", "numbers", "library", "the analysis of numbers knows the modelled methods"),
    ("heapsat", "exec", "recursion", "the executor hands recursive calls to a strategy, which executes them"),
    ("heapsat", "exec", "library", "the executor hands calls of the library to its models, which execute conditions"),
    ("heapsat", "exec", "method", "the executor looks up what a whole method adds to an invariant"),
    ("heapsat", "library", "recursion", "an unordered set is a strategy's own"),
    ("heapsat", "library", "method", "clauses ask for the heap before the method"),
    ("heapsat", "recursion", "method", "a postcondition is executed at the ends of the method"),
    ("cli", "arguments", "commands", "the command line lists the options of its commands"),
    ("cli", "arguments", "project", "the options of a check remember the settings of the project"),
    ("cli", "report", "arguments", "reports are written in the formats that the options name"),
    ("cli", "report", "confirm", "reports show what the JVM said"),
    ("cli", "targets", "commands", "a plan of targets fails as a command does"),
];

/// The modules of a crate, each with those that it uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_depend_in_one_direction() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut used: BTreeSet<(String, String, String)> = BTreeSet::new();
    for entry in std::fs::read_dir(&crates).expect("the crates are there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut graph = graph(&entry.path().join("src"));
        for (_, from, to, _) in EXCEPTIONS.iter().filter(|(owner, ..)| *owner == name) {
            if graph.get_mut(*from).is_some_and(|targets| targets.remove(*to)) {
                used.insert((name.clone(), from.to_string(), to.to_string()));
            }
        }
        // Modules that use no others are taken away until none is left; a circle stays.
        while let Some(leaf) = graph.iter().find(|(_, targets)| targets.is_empty()).map(|(module, _)| module.clone()) {
            graph.remove(&leaf);
            for targets in graph.values_mut() {
                targets.remove(&leaf);
            }
        }
        assert!(graph.is_empty(), "crates/{name}: modules in or above a circle: {graph:#?}");
    }
    for (owner, from, to, _) in EXCEPTIONS {
        let is_used = used.contains(&(owner.to_string(), from.to_string(), to.to_string()));
        assert!(is_used, "crates/{owner}: {from} does not use {to} any more; take the exception away");
    }
}

/// Reads which top-level modules of a crate name which others.
fn graph(source: &Path) -> Graph {
    let root = ["lib.rs", "main.rs"].iter().find_map(|root| std::fs::read_to_string(source.join(root)).ok());
    let root = root.expect("a crate has a root");
    let mut graph = Graph::new();
    for entry in std::fs::read_dir(source).expect("sources are there").flatten() {
        let name = entry.file_name().to_string_lossy().trim_end_matches(".rs").to_string();
        if !["lib", "main"].contains(&name.as_str()) {
            graph.insert(name, BTreeSet::new());
        }
    }
    let items = exported(&root);
    for (module, targets) in graph.clone() {
        let mut targets = targets;
        let path = source.join(&module);
        let text = match path.is_dir() {
            true => all_of(&path),
            false => code(&std::fs::read_to_string(path.with_extension("rs")).expect("sources are readable")),
        };
        for name in named(&text, "crate::").into_iter().chain(match path.is_dir() {
            // In a file of its own, the module above is the crate.
            false => named(&text, "super::"),
            true => Vec::new(),
        }) {
            let target = items.get(&name).unwrap_or(&name);
            if *target != module && graph.contains_key(target) {
                targets.insert(target.clone());
            }
        }
        graph.insert(module, targets);
    }
    graph
}

/// The code of all files below a directory.
fn all_of(directory: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(directory).expect("sources are there").flatten() {
        match entry.path() {
            path if path.is_dir() => text.push_str(&all_of(&path)),
            path => text.push_str(&code(&std::fs::read_to_string(path).expect("sources are readable"))),
        }
    }
    text
}

/// A source without comments and tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let without = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    without.collect::<Vec<_>>().join("\n")
}

/// The first names behind a prefix: of `crate::{a::B, c}` these are `a` and `c`.
fn named(text: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let rest = &text[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => names.extend(word(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut is_first = true;
                for (index, letter) in list.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => is_first = true,
                        letter if is_first && letter.is_alphanumeric() => {
                            names.extend(word(&list[index..]));
                            is_first = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

fn word(text: &str) -> Option<String> {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_string())
}

/// The items that the root of a crate exports, with their modules.
fn exported(root: &str) -> BTreeMap<String, String> {
    let mut items = BTreeMap::new();
    for statement in code(root).split(';').filter_map(|statement| statement.split("use ").nth(1).map(str::to_string)) {
        let statement = statement.trim_start_matches("crate::");
        if let Some((module, rest)) = statement.split_once("::") {
            let names = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            items.extend(names.filter(|name| !name.is_empty()).map(|name| (name.to_string(), module.to_string())));
        }
    }
    items
}
