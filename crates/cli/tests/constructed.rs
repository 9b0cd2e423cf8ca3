//! Which fields do constructors never leave null? The comments of tests/constructed say it of each field.

mod common;

use std::collections::BTreeSet;

use lazuli_vm::value::Kind;

#[test]
fn fields_are_guaranteed_where_constructors_see_to_it() {
    let classes = common::compiled(&["tests/constructed"], &[]);
    let program = common::program(classes.path());
    let source = include_str!("../../../tests/constructed/Guarantees.java");
    let mut expected: BTreeSet<String> = BTreeSet::new();
    let mut class = String::new();
    for line in source.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(at) = words.iter().position(|word| *word == "class" || *word == "record") {
            class = words[at + 1].split('(').next().unwrap_or_default().to_string();
        }
        if line.ends_with("// never null") {
            let declared = line.split(['=', ';']).next().unwrap_or_default();
            let name = declared.split_whitespace().last().unwrap_or_default();
            expected.insert(format!("{class}.{name}"));
        }
    }
    // The compact constructor of the record sees to its first component.
    expected.insert("Pair.left".to_string());
    let mut found: BTreeSet<String> = BTreeSet::new();
    for class in program.users() {
        for field in class.fields.iter().filter(|field| !field.is_static() && field.kind == Kind::Reference) {
            if !class.name.contains("$Mode") && program.is_never_null(class, field) {
                let simple = class.name.rsplit('$').next().unwrap_or_default();
                found.insert(format!("{simple}.{}", field.name));
            }
        }
    }
    assert_eq!(found, expected);
    assert!(found.len() > 15, "{found:?}");
}
