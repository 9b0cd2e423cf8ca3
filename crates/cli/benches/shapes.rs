//! How fast are the valid objects of a class listed, and what does a second thread bring?
//! `cargo bench --bench shapes` prints the table of bench/.
//!
//! One thread and two search in turns, in one run, and the least time of several rounds counts: machines are shared.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use lazuli_explore::{Bounds, Config, Progress, Ranges, Shapes, shapes};
use lazuli_vm::program::Program;

const ROUNDS: usize = 3;

struct Subject {
    title: &'static str,
    class: &'static str,
    scope: usize,
    /// The field that has the values from 1 to the scope. Without one, numbers stay unknown.
    field: Option<&'static str>,
}

const SUBJECTS: [Subject; 5] = [
    Subject { title: "binary trees", class: "bliss/BinTree", scope: 10, field: None },
    Subject { title: "search trees", class: "kiasan/SearchTree", scope: 9, field: Some("element") },
    Subject { title: "red-black trees", class: "pli/TreeMap", scope: 10, field: Some("key") },
    Subject { title: "sorted lists", class: "kiasan/MergeList", scope: 12, field: Some("Node.data") },
    Subject { title: "binomial heaps", class: "pli/KoratHeap", scope: 9, field: Some("key") },
];

fn main() {
    let classes = common::compiled(&["subjects/bliss", "subjects/kiasan", "subjects/pli", "tests/valid"], &[]);
    let program = common::program(classes.path());

    println!("| structures up to | number | candidates | s | candidates/s | structures/s | 2 threads, times |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for subject in &SUBJECTS {
        let (mut one, mut two) = (None, None);
        for _ in 0..ROUNDS {
            keep_better(&mut one, run(&program, subject, 1));
            keep_better(&mut two, run(&program, subject, 2));
        }
        let (Some(one), Some(two)) = (one, two) else { continue };
        assert_eq!(
            (one.total, one.candidates),
            (two.total, two.candidates),
            "{}: the number of threads counts",
            subject.title
        );
        let seconds = one.elapsed.as_secs_f64();
        println!(
            "| {}, {} | {} | {} | {seconds:.2} | {:.0} | {:.0} | {:.2} |",
            subject.title,
            subject.scope,
            one.total,
            one.candidates,
            one.candidates as f64 / seconds,
            one.total as f64 / seconds,
            seconds / two.elapsed.as_secs_f64(),
        );
    }
}

fn run(program: &Arc<Program>, subject: &Subject, jobs: usize) -> Shapes {
    let class = program.load(subject.class).expect("the subject is compiled");
    let greatest = subject.scope as i64;
    let ranges = |field: &str| Ranges { named: vec![(field.to_string(), (1, greatest))], others: None };
    let bounds = Bounds { scope: subject.scope, ..Bounds::default() };
    let config = Config::default().with(|config| {
        config.bounds = bounds;
        config.limits.jobs = jobs;
        config.valid.values = subject.field.map(ranges);
    });
    let found = shapes(program, class, &config, &Progress::default(), None).expect("there are ranges for all");
    assert_eq!(found.unfinished, None);
    found
}

fn keep_better(best: &mut Option<Shapes>, found: Shapes) {
    if best.as_ref().is_none_or(|best| found.elapsed < best.elapsed) {
        *best = Some(found);
    }
}
