//! How fast are the valid objects of a class listed, and what does a second thread bring?
//! `cargo bench --bench shapes` prints the table of bench/.
//!
//! One thread and two search in turns, in one run, and the least time of several rounds counts: machines are shared.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_engine::explore::{Bounds, Config, Progress, Ranges, Shapes, shapes};
use lazuli_engine::program::Program;

const ROUNDS: usize = 3;

/// What it is, the class, the scope, and the field that has the values from 1 to a greatest.
const SUBJECTS: [(&str, &str, usize, Option<(&str, i64)>); 5] = [
    ("binary trees", "bliss/BinTree", 10, None),
    ("search trees", "kiasan/SearchTree", 9, Some(("element", 9))),
    ("red-black trees", "pli/TreeMap", 10, Some(("key", 10))),
    ("sorted lists", "kiasan/MergeList", 14, Some(("Node.data", 13))),
    ("binomial heaps", "pli/KoratHeap", 9, Some(("key", 9))),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let classes = tempfile::tempdir().expect("a scratch directory can be made");
    let folders = ["subjects/bliss", "subjects/kiasan", "subjects/pli", "tests/valid"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("it is there").flatten());
    let files = files.map(|file| file.path());
    let compiled =
        Command::new("javac").args(["-g", "-d"]).arg(classes.path()).args(files).status().expect("javac is installed");
    assert!(compiled.success(), "javac failed");
    let jdk = Jdk::locate().expect("a JDK is installed");
    let path = ClassPath::open(jdk, &[classes.path().to_path_buf()]).expect("the classes are there");
    let program = Arc::new(Program::open(path).expect("the JDK can be used"));

    println!("| structures up to | number | candidates | s | candidates/s | structures/s | 2 threads, times |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (title, class, scope, values) in SUBJECTS {
        let (mut one, mut two) = (None, None);
        for _ in 0..ROUNDS {
            keep_better(&mut one, run(&program, class, scope, values, 1));
            keep_better(&mut two, run(&program, class, scope, values, 2));
        }
        let (Some(one), Some(two)) = (one, two) else { continue };
        assert_eq!((one.total, one.candidates), (two.total, two.candidates), "{class}: the number of threads counts");
        let seconds = one.elapsed.as_secs_f64();
        println!(
            "| {title}, {scope} | {} | {} | {seconds:.2} | {:.0} | {:.0} | {:.2} |",
            one.total,
            one.candidates,
            one.candidates as f64 / seconds,
            one.total as f64 / seconds,
            seconds / two.elapsed.as_secs_f64(),
        );
    }
}

fn run(program: &Arc<Program>, class: &str, scope: usize, values: Option<(&str, i64)>, jobs: usize) -> Shapes {
    let class = program.load(class).expect("the subject is compiled");
    let ranges =
        |(field, greatest): (&str, i64)| Ranges { named: vec![(field.to_string(), (1, greatest))], others: None };
    let bounds = Bounds { scope, ..Bounds::default() };
    let config = Config { bounds, jobs, values: values.map(ranges), ..Config::default() };
    let found = shapes(program, class, &config, &Progress::default(), None).expect("there are ranges for all");
    assert_eq!(found.unfinished, None);
    found
}

fn keep_better(best: &mut Option<Shapes>, found: Shapes) {
    if best.as_ref().is_none_or(|best| found.elapsed < best.elapsed) {
        *best = Some(found);
    }
}
