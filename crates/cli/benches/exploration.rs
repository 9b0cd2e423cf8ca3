//! How fast are paths explored, how much of that is solving, and what does a second thread bring?
//! `cargo bench --bench exploration` prints the table of bench/.
//!
//! One thread and two explore in turns, in one run, and the least time of several rounds counts: machines are shared.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Duration;

use lazuli_explore::{Bounds, Config, Progress, Report, explore};
use lazuli_vm::program::{Program, World};

const ROUNDS: usize = 3;

/// Class, method and scope.
const SUBJECTS: [(&str, &str, usize); 5] = [
    ("Chains", "insert", 200),
    ("SearchTree", "isValid", 10),
    ("SearchTree", "insertIfValid", 8),
    ("Sorting", "insertionSort", 9),
    ("Sorting", "binarySearch", 60),
];

fn main() {
    let classes = common::compiled(&["bench/check"], &[]);
    let program = common::program(classes.path());

    println!(
        "| subject | scope | paths | paths/s | 2 threads, paths/s | times | branches to a solver | fast, µs each | to SMT | SMT, µs each |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (class, method, scope) in SUBJECTS {
        let (mut one, mut two) = (None, None);
        for _ in 0..ROUNDS {
            keep_better(&mut one, run(&program, class, method, scope, 1));
            keep_better(&mut two, run(&program, class, method, scope, 2));
        }
        let (Some(one), Some(two)) = (one, two) else { continue };
        assert_eq!(one.paths, two.paths, "{class}.{method}: the number of threads changes the paths");
        let rate = |report: &Report| report.paths as f64 / report.elapsed.as_secs_f64();
        let each = |time: Duration, count: u64| time.as_secs_f64() * 1e6 / count.max(1) as f64;
        let solver = one.solver;
        println!(
            "| {class}.{method} | {scope} | {} | {:.0} | {:.0} | {:.2} | {} | {:.2} | {} | {:.0} |",
            one.paths,
            rate(&one),
            rate(&two),
            rate(&two) / rate(&one),
            solver.asked,
            each(solver.time_in_order, solver.asked),
            solver.by_smt,
            each(solver.time_in_smt, solver.by_smt),
        );
    }
}

fn run(program: &Arc<Program>, class: &str, method: &str, scope: usize, jobs: usize) -> Report {
    let class = program.load(class).expect("the subject is compiled");
    let method = class.methods.iter().find(|candidate| candidate.name == method).expect("the subject has the method");
    let bounds = Bounds { scope, world: World::Closed, ..Bounds::default() };
    let config = Config::default().with(|config| {
        config.bounds = bounds;
        config.limits.jobs = jobs;
    });
    explore(program, method, &config, &Progress::default()).expect("the JDK can be started")
}

fn keep_better(best: &mut Option<Report>, report: Report) {
    if best.as_ref().is_none_or(|best| report.elapsed < best.elapsed) {
        *best = Some(report);
    }
}
