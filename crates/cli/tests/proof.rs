//! Does a proof convince a checker that trusts neither Lazuli nor its solvers?
//!
//! A checker that others wrote, and that shares no code with them, reads the clauses and the proof. It need know but one rule: a clause follows if its negation leads
//! to a contradiction by unit propagation.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use dratify::Checker;
use lazuli_logic::sat::{Batsat, Cadical, Literal};
use lazuli_logic::{SatSolver, SatVerdict, SolverLimits};
use tempfile::TempDir;

/// A method that goes wrong.
const WRONG: &str = "package taco; public class Quotient { public static int of(int by) { return 1 / by; } }";

#[test]
fn a_checker_of_others_accepts_the_proofs() {
    let scratch = Scratch::new();
    for (method, scope) in
        [("SLList.insert", 3), ("SLList.remove", 3), ("BSTree.find", 3), ("TreeSet.insert", 3), ("AVLTree.insert", 2)]
    {
        let (clauses, steps) = scratch.proof_of(method, scope);
        assert!(accepts(&clauses, &steps), "{method}: the proof is not one");
    }
}

#[test]
fn a_damaged_proof_is_refused() {
    let (clauses, steps) = Scratch::new().proof_of("BSTree.find", 3);
    assert!(accepts(&clauses, &steps));
    assert!(!accepts(&clauses, &steps[steps.len() - 1..]), "the empty clause alone is no proof");
    assert!(!accepts(&clauses, &steps[..steps.len() - 1]), "without the empty clause nothing is proved");
    let mut wrong = steps.clone();
    let variable = clauses.iter().flatten().map(|literal| literal.abs()).max().unwrap_or(0) + 1;
    wrong.insert(0, vec![variable]);
    assert!(!accepts(&clauses, &wrong), "nothing follows about a new variable");
    assert!(!accepts(&clauses[..clauses.len() - 1], &steps), "the claim is needed");
}

#[test]
fn what_the_proof_begins_with_contradicts_nothing_without_the_claim() {
    let scratch = Scratch::new();
    for method in ["SLList.insert", "BSTree.find"] {
        let (clauses, _) = scratch.proof_of(method, 2);
        let (claim, program) = clauses.split_last().expect("there are clauses");
        assert_eq!(claim.len(), 1, "the last clause is the claim");
        let mut solver = Cadical::new();
        let most = clauses.iter().flatten().map(|literal| literal.abs()).max().unwrap_or(0);
        let variables: Vec<Literal> = (0..most).map(|_| solver.new_variable()).collect();
        let literal = |number: &i32| {
            let variable = variables[number.unsigned_abs() as usize - 1];
            if *number < 0 { !variable } else { variable }
        };
        for clause in program {
            solver.add_clause(&clause.iter().map(literal).collect::<Vec<_>>());
        }
        let limits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };
        assert_eq!(solver.solve(&[], &limits), SatVerdict::Sat, "{method}: there are valid inputs");
        assert_eq!(solver.solve(&[literal(&claim[0])], &limits), SatVerdict::Unsat, "{method}: and none goes wrong");
    }
}

#[test]
fn the_map_names_fields_parameters_and_lines() {
    let scratch = Scratch::new();
    let (clauses, _) = scratch.proof_of("BSTree.find", 2);
    let map = std::fs::read_to_string(scratch.file("map")).expect("there is a map");
    let names: BTreeMap<&str, i32> = map
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(literal, what)| (what, literal.parse().expect("a literal")))
        .collect();
    let has = |part: &str| names.keys().any(|what| what.contains(part));
    for what in
        ["Node#0.left = Node#1", "Node#1.right = null", "Node#0 exists", "left out as impossible, at taco.BSTree."]
    {
        assert!(has(what), "{what} is missing in\n{map}");
    }
    assert!(has(" bit 0") && has("parameter ") && has("line "), "{map}");
    let claim = names.iter().find(|(what, _)| what.starts_with("claim")).expect("the claim is named");
    assert_eq!(clauses.last(), Some(&vec![*claim.1]));
}

#[test]
fn what_can_go_wrong_is_named_with_its_line() {
    let scratch = Scratch::new();
    scratch.proof_of("SLList.remove", 2);
    let map = std::fs::read_to_string(scratch.file("map")).expect("there is a map");
    assert!(map.contains("goes wrong: after a return, taco.SLList.repOK()Z is false"), "{map}");
}

#[test]
fn without_a_verdict_that_it_holds_there_is_no_proof() {
    let scratch = Scratch::new();
    std::fs::write(scratch.file("drat"), "an older proof").expect("it can be written");
    let output = scratch.check("Quotient.of", &["--engine", "sat", "--scope", "1", "--no-confirm"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("there is no proof, because the method is violated"), "{}", told(&output));
    assert!(!scratch.file("drat").exists(), "the older proof is not one of this run");
    let output = scratch.check("SLList.contains", &["--engine", "sat", "--scope", "3", "--unroll", "1"]);
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert!(told(&output).contains("there is no proof, because the check is incomplete"), "{}", told(&output));
}

#[test]
fn wrong_requests_say_what_to_do() {
    let scratch = Scratch::new();
    let output = scratch.check("SLList.insert", &["--scope", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("--proof needs --engine sat"), "{}", told(&output));
    let output = scratch.check("SLList", &["--engine", "sat", "--scope", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("--proof is for one method"), "{}", told(&output));
    let nowhere = scratch.directory.path().join("no/such/place");
    let output = scratch.check_into("SLList.insert", &["--engine", "sat", "--scope", "2"], &nowhere);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("the proof cannot be written to"), "{}", told(&output));
    // A file in the way that is no older proof stays.
    std::fs::create_dir(scratch.file("map")).expect("it can be made");
    let output = scratch.check("SLList.insert", &["--engine", "sat", "--scope", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("proof.map") && scratch.file("map").is_dir(), "{}", told(&output));
}

#[test]
fn another_solver_agrees_with_the_verdict() {
    let scratch = Scratch::new();
    let cases = [
        // Found and refuted; a method that goes wrong; a loop that goes on behind the unrolling; and a method that a defect makes wrong.
        ("SLList.remove", "3", &[][..], 0, SatVerdict::Unsat, ""),
        ("BSTree.find", "3", &[], 0, SatVerdict::Unsat, ""),
        ("AVLTree.insert", "2", &[], 0, SatVerdict::Unsat, ""),
        ("Quotient.of", "1", &["--no-confirm"], 1, SatVerdict::Sat, "goes wrong: java.lang.ArithmeticException"),
        ("SLList.contains", "3", &["--unroll", "1"], 3, SatVerdict::Sat, "goes on: taco.SLList"),
    ];
    for (method, scope, more, exit, verdict, why) in cases {
        let file = scratch.directory.path().join("problem");
        let options = [&["--engine", "sat", "--scope", scope][..], more].concat();
        let output = scratch.check_with(method, &options, "--dimacs", &file);
        assert_eq!(output.status.code(), Some(exit), "{method}: {}", told(&output));
        let (most, clauses) = dimacs(&std::fs::read_to_string(&file).expect("it was written"));
        // Not the solver that Lazuli asks.
        let mut solver = Batsat::new();
        let variables: Vec<Literal> = (0..most).map(|_| solver.new_variable()).collect();
        let literal = |number: &i32| {
            let variable = variables[number.unsigned_abs() as usize - 1];
            if *number < 0 { !variable } else { variable }
        };
        for clause in &clauses {
            solver.add_clause(&clause.iter().map(literal).collect::<Vec<_>>());
        }
        let limits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };
        assert_eq!(solver.solve(&[], &limits), verdict, "{method}");
        let map = std::fs::read_to_string(file.with_extension("map")).expect("there is a map");
        if verdict == SatVerdict::Sat {
            let is_true = |line: &&str| {
                let number = line.split(' ').next().and_then(|number| number.parse().ok());
                number.is_some_and(|number: i32| solver.value(literal(&number)))
            };
            assert!(map.lines().filter(is_true).any(|line| line.contains(why)), "{method}: {why} is not true in {map}");
        }
    }
}

#[test]
fn a_problem_that_cannot_be_written_is_refused() {
    let scratch = Scratch::new();
    let file = scratch.directory.path().join("problem");
    for (method, options, why) in [
        ("SLList.insert", &["--scope", "2"][..], "--dimacs needs --engine sat"),
        ("SLList", &["--engine", "sat", "--scope", "2"], "--dimacs is for one method"),
        ("SLList.insert", &["--engine", "sat"], "--dimacs needs --scope"),
    ] {
        let output = scratch.check_with(method, options, "--dimacs", &file);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains(why) && !file.exists(), "{}", told(&output));
    }
    let nowhere = scratch.directory.path().join("no/such/place");
    let output = scratch.check_with("SLList.insert", &["--engine", "sat", "--scope", "2"], "--dimacs", &nowhere);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("the problem cannot be written to"), "{}", told(&output));
}

/// Compiled subjects, and a place for proofs.
struct Scratch {
    classes: TempDir,
    directory: TempDir,
}

impl Scratch {
    fn new() -> Scratch {
        let directory = tempfile::tempdir().expect("a scratch directory can be made");
        let wrong = directory.path().join("Quotient.java");
        std::fs::write(&wrong, WRONG).expect("it can be written");
        Scratch { classes: common::compiled(&["subjects/taco"], &[wrong]), directory }
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.directory.path().join("proof").with_extension(extension)
    }

    fn check(&self, method: &str, options: &[&str]) -> Output {
        self.check_into(method, options, &self.directory.path().join("proof"))
    }

    fn check_into(&self, method: &str, options: &[&str], proof: &Path) -> Output {
        self.check_with(method, options, "--proof", proof)
    }

    fn check_with(&self, method: &str, options: &[&str], writes: &str, file: &Path) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", "-cp"]).arg(self.classes.path()).arg(format!("taco.{method}"));
        command.args(options).arg(writes).arg(file).output().expect("lazuli can be run")
    }

    /// The clauses and the steps.
    fn proof_of(&self, method: &str, scope: usize) -> (Vec<Vec<i32>>, Vec<Vec<i32>>) {
        let output = self.check(method, &["--engine", "sat", "--scope", &scope.to_string()]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        let read = |extension| std::fs::read_to_string(self.file(extension)).expect("it was written");
        let (clauses, steps) = (read("cnf"), read("drat"));
        (dimacs(&clauses).1, steps.lines().map(clause).collect())
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// The number of variables, and the clauses.
fn dimacs(text: &str) -> (i32, Vec<Vec<i32>>) {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header: Vec<&str> = lines.next().expect("there is a header").split_whitespace().collect();
    let clauses: Vec<Vec<i32>> = lines.map(clause).collect();
    assert_eq!(header[..2], ["p", "cnf"]);
    assert_eq!(header[3], clauses.len().to_string());
    let most: i32 = header[2].parse().expect("a number of variables");
    assert!(clauses.iter().flatten().all(|literal| literal.abs() <= most));
    (most, clauses)
}

fn clause(line: &str) -> Vec<i32> {
    let mut literals: Vec<i32> = line.split_whitespace().map(|word| word.parse().expect("a literal")).collect();
    assert_eq!(literals.pop(), Some(0), "a clause ends with 0");
    literals
}

/// Does each step follow from what is before it by unit propagation, and is one of them the empty clause?
fn accepts(clauses: &[Vec<i32>], steps: &[Vec<i32>]) -> bool {
    // Theirs count variables from 0, and literals two for each.
    let literal = |number: &i32| 2 * (number.unsigned_abs() - 1) + (*number < 0) as u32;
    let literals = |clause: &Vec<i32>| clause.iter().map(literal).collect::<Vec<_>>();
    let most = clauses.iter().chain(steps).flatten().map(|number| number.unsigned_abs()).max().unwrap_or(0);
    let clauses: Vec<_> = clauses.iter().map(literals).collect();
    let steps: Vec<_> = steps.iter().map(|step| (false, literals(step))).collect();
    Checker::new(most, &clauses, false, false).check(&steps).ok
}
