//! Which programs of the papers are judged by brute force, too?
//!
//! Each is a file below `subjects`, written to the scratch directory in no package and with the directives that a fixture has at its top. The scopes
//! are those that brute force can do: it fills fields without looking at the invariant first. `--test subjects` compares larger ones with `eager`.

use std::path::Path;

use super::Fixture;
use super::truth::Directives;

/// The folder and the class, and the directives: a scope, values of numbers, and how many objects there are in an input at most.
const SUBJECTS: [(&str, &str, &str); 14] = [
    ("pli", "AvlTree", "scope: 2\ndomain: int 0 1 2"),
    ("pli", "BinomialHeap", "scope: 2\ndomain: int 0 1 2; degree 0 1"),
    ("pli", "LinkedList", "scope: 3\ndomain: int 0 1; size 0 1 2 3"),
    ("bliss", "AvlTree", "scope: 2\ndomain: int 0 1 2"),
    ("bliss", "BinTree", "scope: 3\ndomain: int 0"),
    ("bliss", "LinkedList", "scope: 3\ndomain: int 0 1; size 0 1 2 3; index -1 0 1 2"),
    ("kiasan", "BinaryHeap", "scope: 3\ndomain: int 0 1 2"),
    ("kiasan", "MergeList", "scope: 2\ndomain: int 0 1\ntargets: kiasan_MergeList.addLast"),
    ("kiasan", "SearchTree", "scope: 3\ndomain: int 0 1 2"),
    ("taco", "AVLTree", "scope: 2\ndomain: int 0 1 2"),
    ("taco", "BSTree", "scope: 3\ndomain: int 0 1 2"),
    ("taco", "SLList", "scope: 2\nobjects: 4\nwide: String\ndomain: int -1 0 1 2; string a"),
    ("taco", "TreeSet", "scope: 2\ndomain: int 0 1 2"),
    ("gse", "Node", "scope: 3\ndomain: int 0 1 2"),
];

/// The subjects as fixtures. Two folders may have classes of the same name, so that each class gets the name of its folder too.
pub fn fixtures(scratch: &Path) -> Result<Vec<Fixture>, std::io::Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let mut found = Vec::new();
    for (folder, class, directives) in SUBJECTS {
        let text = std::fs::read_to_string(root.join(folder).join(format!("{class}.java")))?;
        let name = format!("{folder}_{class}");
        let body: Vec<&str> = text.lines().filter(|line| !line.starts_with("package ")).collect();
        let header: String = directives.lines().map(|line| format!("// {line}\n")).collect();
        let source = scratch.join(format!("{name}.java"));
        std::fs::write(&source, format!("{header}{}\n", renamed(&body.join("\n"), class, &name)))?;
        let (title, classes) = (format!("subjects.{folder}.{class}"), scratch.join(&name));
        found.push(Fixture { source, title, classes, directives: Directives::of(&header) });
    }
    Ok(found)
}

/// Replaces a word wherever it stands alone. Behind a dot it is the name of something else.
fn renamed(text: &str, word: &str, by: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, behind) = (&rest[..at], &rest[at + word.len()..]);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let is_whole = !before.ends_with(is_part) && !behind.starts_with(|letter| is_part(letter) && letter != '.');
        result += before;
        result += if is_whole { by } else { word };
        rest = behind;
    }
    result + rest
}
