//! Can every Java source be read, whatever the language has, and does hostile text end in a complaint, never in a panic?

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lazuli_jml::{CompilationUnit, SourceText, TypeDeclaration, read};

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("jml/rejected") {
            java_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "java" || extension == "jml") {
            found.push(path);
        }
    }
}

/// All sources of this repository that javac accepts.
fn sources() -> Vec<SourceText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["tests", "subjects", "examples", "helper", "bench"] {
        java_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 300, "{} files", files.len());
    files.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("sources are readable");
    files.iter().map(|path| SourceText { path: path.display().to_string(), text: text(path) }).collect()
}

fn unit(text: &str) -> CompilationUnit {
    let source = SourceText { path: "A.java".to_string(), text: text.to_string() };
    read(Arc::new(source)).unwrap_or_else(|complaint| panic!("{complaint}"))
}

#[test]
fn every_source_of_the_repository_can_be_read() {
    let mut wrong = Vec::new();
    for source in sources() {
        // Some use a folder for a class that is written in another file.
        let has_class = ["class ", "interface ", "enum ", "record "].iter().any(|word| source.text.contains(word));
        match read(Arc::new(source)) {
            Ok(unit) if unit.types.is_empty() && has_class => wrong.push(format!("{}: no class", unit.source.path)),
            Ok(_) => {}
            Err(complaint) => wrong.push(complaint.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_cut_off_or_changed_never_panics() {
    for source in sources().into_iter().filter(|source| source.text.contains("@*/")) {
        let cuts: Vec<usize> = source.text.char_indices().map(|(at, _)| at).step_by(7).collect();
        for at in cuts {
            let (before, after) = source.text.split_at(at);
            let rest: String = after.chars().skip(1).collect();
            for text in [before.to_string(), format!("{before}{rest}"), format!("{before}\\({after}")] {
                let _ = read(Arc::new(SourceText { path: source.path.clone(), text }));
            }
        }
    }
}

#[test]
fn declarations_are_found_with_what_is_said_of_them() {
    let text = "package a.b; import java.util.*; import static java.lang.Math.max;
        /*@ nullable_by_default @*/ class A<T extends Comparable<? super T>> extends B<Map<T, List<T>>> {
            //@ invariant x > 0;
            private /*@ non_null @*/ int[] x[], y = {1, 2};
            A(int z) { this(() -> { }); }
            /*@ requires p != null; ensures \\result; @*/ static <U extends T> /*@ pure @*/ boolean m(final U p, int... q) throws E { return a < b; }
            enum Kind { ONE(1) { void f() { } }, TWO; Kind(int... n) { } }
            record Pair<X>(X left, /*@ nullable @*/ X right) { Pair { } }
        }";
    let unit = unit(text);
    assert_eq!((unit.package.as_str(), unit.imports.len(), unit.types.len()), ("a.b", 1, 1));
    let a = &unit.types[0];
    assert!(a.is_nullable_by_default && a.is_specified);
    let names = |declared: &TypeDeclaration| -> Vec<String> {
        declared.fields.iter().map(|field| format!("{}{}", field.name, "[]".repeat(field.of.dimensions))).collect()
    };
    assert_eq!(names(a), ["x[][]", "y[]"]);
    assert_eq!(a.invariants.len(), 1);
    let methods: Vec<(Option<&str>, usize, bool)> =
        a.methods.iter().map(|method| (method.name.as_deref(), method.parameters.len(), method.is_pure)).collect();
    assert_eq!(methods, [(None, 1, false), (Some("m"), 2, true)]);
    let case = &a.methods[1].cases[0];
    assert_eq!((case.requires.len(), case.ensures.len()), (1, 1));
    assert_eq!(a.types.iter().map(|inner| inner.name.as_str()).collect::<Vec<_>>(), ["Kind", "Pair"]);
    assert_eq!(names(&a.types[1]), ["left", "right"]);
}
