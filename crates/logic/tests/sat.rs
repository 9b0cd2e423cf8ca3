//! Does every SAT solver keep the contract that the others rely on?

mod random;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lazuli_logic::sat::{Batsat, Cadical, Literal};
use lazuli_logic::{SatSolver, SatVerdict, SolverLimits};
use random::Random;

/// Time enough that a slow machine does not make a question unknown.
const PATIENT: SolverLimits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };

/// One module for each solver, with all the tests.
macro_rules! contract {
    ($name:ident, $make:expr) => {
        mod $name {
            use super::*;

            contract!($make => truths_and_contradictions, assumptions_hold_for_one_question, failed_assumptions_suffice,
                clauses_come_between_questions, models_are_models, a_hard_question_ends_in_time,
                a_hard_question_ends_when_somebody_says_so, no_time_is_no_answer);
        }
    };
    ($make:expr => $($test:ident),+) => {
        $(
            #[test]
            fn $test() {
                super::$test(&mut || Box::new($make()));
            }
        )+
    };
}

contract!(cadical, Cadical::new);
contract!(plain_cadical, Cadical::plain);
contract!(batsat, Batsat::new);
contract!(expecting_cadical, || Expecting(Cadical::plain()));

/// A solver that is told to expect every assumption.
struct Expecting(Cadical);

impl SatSolver for Expecting {
    fn fresh(&self) -> Box<dyn SatSolver> {
        Box::new(Expecting(Cadical::plain()))
    }

    fn new_variable(&mut self) -> Literal {
        let variable = self.0.new_variable();
        self.0.expect(&[variable, !variable]);
        variable
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.0.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Literal], limits: &SolverLimits) -> SatVerdict {
        self.0.solve(assumptions, limits)
    }

    fn value(&self, literal: Literal) -> bool {
        self.0.value(literal)
    }

    fn failed(&self) -> &[Literal] {
        self.0.failed()
    }
}

type Make<'a> = &'a mut dyn FnMut() -> Box<dyn SatSolver>;

fn variables(sat: &mut dyn SatSolver, count: usize) -> Vec<Literal> {
    (0..count).map(|_| sat.new_variable()).collect()
}

fn truths_and_contradictions(make: Make) {
    let mut sat = make();
    assert_eq!(sat.solve(&[], &PATIENT), SatVerdict::Sat);
    let x = sat.new_variable();
    assert_eq!(sat.solve(&[x], &PATIENT), SatVerdict::Sat);
    assert!(sat.value(x) && !sat.value(!x));
    assert_eq!(sat.solve(&[!x], &PATIENT), SatVerdict::Sat);
    assert!(!sat.value(x) && sat.value(!x));
    sat.add_clause(&[x, x, !x]);
    sat.add_clause(&[x, x]);
    assert_eq!(sat.solve(&[], &PATIENT), SatVerdict::Sat);
    assert!(sat.value(x));
    sat.add_clause(&[!x]);
    assert_eq!(sat.solve(&[], &PATIENT), SatVerdict::Unsat);
    assert!(sat.failed().is_empty());
    assert_eq!(sat.solve(&[x], &PATIENT), SatVerdict::Unsat);

    let mut sat = make();
    sat.add_clause(&[]);
    assert_eq!(sat.solve(&[], &PATIENT), SatVerdict::Unsat);
}

fn assumptions_hold_for_one_question(make: Make) {
    let mut sat = make();
    let [x, y, z] = variables(&mut *sat, 3)[..] else { unreachable!() };
    sat.add_clause(&[!x, y]);
    sat.add_clause(&[!y, z]);
    assert_eq!(sat.solve(&[x, !z], &PATIENT), SatVerdict::Unsat);
    assert_eq!(sat.solve(&[x], &PATIENT), SatVerdict::Sat);
    assert!(sat.value(x) && sat.value(y) && sat.value(z));
    assert_eq!(sat.solve(&[!z], &PATIENT), SatVerdict::Sat);
    assert!(!sat.value(x) && !sat.value(y) && !sat.value(z));
    assert!(sat.failed().is_empty());
}

fn failed_assumptions_suffice(make: Make) {
    let mut sat = make();
    let all = variables(&mut *sat, 8);
    let [x, y, z, others @ ..] = &all[..] else { unreachable!() };
    sat.add_clause(&[!*x, !*y, !*z]);
    let mut assumptions = others.to_vec();
    assumptions.extend([*x, *y, *z]);
    assert_eq!(sat.solve(&assumptions, &PATIENT), SatVerdict::Unsat);
    let mut failed = sat.failed().to_vec();
    failed.sort();
    assert_eq!(failed, [*x, *y, *z]);
    // Assumptions that contradict each other, with no clause in between.
    assert_eq!(sat.solve(&[others[0], others[1], !others[0]], &PATIENT), SatVerdict::Unsat);
    let failed = sat.failed().to_vec();
    assert_eq!(sat.solve(&failed, &PATIENT), SatVerdict::Unsat);
    assert!(!failed.contains(&others[1]));

    let mut random = Random(0x5a7);
    let (mut unsat, mut smaller) = (0, 0);
    for _ in 0..60 {
        let mut sat = make();
        let all = variables(&mut *sat, 40);
        for clause in random_clauses(&mut random, &all, 140) {
            sat.add_clause(&clause);
        }
        for _ in 0..5 {
            let assumptions: Vec<Literal> =
                all.iter().take(25).map(|literal| if random.below(2) == 0 { *literal } else { !*literal }).collect();
            if sat.solve(&assumptions, &PATIENT) == SatVerdict::Unsat {
                let failed = sat.failed().to_vec();
                assert!(failed.iter().all(|literal| assumptions.contains(literal)));
                assert_eq!(sat.solve(&failed, &PATIENT), SatVerdict::Unsat);
                unsat += 1;
                smaller += usize::from(failed.len() < assumptions.len());
            }
        }
    }
    assert!(unsat > 100 && smaller > unsat / 2, "{smaller} of {unsat} are smaller");
}

fn clauses_come_between_questions(make: Make) {
    let mut random = Random(0x1ac);
    let mut sat = make();
    let mut all = variables(&mut *sat, 6);
    let mut clauses: Vec<Vec<Literal>> = Vec::new();
    // The truth of the matter is found by trying; when nothing is possible any more, it starts again.
    for round in 0..300 {
        let clause: Vec<Literal> = (0..3).map(|_| random_literal(&mut random, &all)).collect();
        sat.add_clause(&clause);
        clauses.push(clause);
        let assumptions = [random_literal(&mut random, &all)];
        let is_true = |literal: &Literal, model: u64| {
            all.iter().enumerate().any(|(index, variable)| {
                let value = model >> index & 1 == 1;
                *literal == if value { *variable } else { !*variable }
            })
        };
        let possible = |assumptions: &[Literal]| {
            (0..1 << all.len()).any(|model| {
                clauses.iter().all(|clause| clause.iter().any(|literal| is_true(literal, model)))
                    && assumptions.iter().all(|literal| is_true(literal, model))
            })
        };
        let expected =
            |assumptions: &[Literal]| if possible(assumptions) { SatVerdict::Sat } else { SatVerdict::Unsat };
        assert_eq!(sat.solve(&assumptions, &PATIENT), expected(&assumptions), "round {round}");
        let verdict = sat.solve(&[], &PATIENT);
        assert_eq!(verdict, expected(&[]), "round {round}");
        if verdict == SatVerdict::Unsat {
            sat = make();
            all = variables(&mut *sat, 6);
            clauses.clear();
        } else if round % 20 == 0 && all.len() < 9 {
            all.push(sat.new_variable());
        }
    }
}

fn models_are_models(make: Make) {
    let mut random = Random(0x30d);
    for _ in 0..30 {
        let mut sat = make();
        let all = variables(&mut *sat, 100);
        let clauses = random_clauses(&mut random, &all, 380);
        for clause in &clauses {
            sat.add_clause(clause);
        }
        let assumptions = [all[0], !all[1]];
        if sat.solve(&assumptions, &PATIENT) == SatVerdict::Sat {
            assert!(assumptions.iter().all(|literal| sat.value(*literal)));
            assert!(clauses.iter().all(|clause| clause.iter().any(|literal| sat.value(*literal))));
        }
    }
}

fn a_hard_question_ends_in_time(make: Make) {
    let mut sat = make();
    pigeons(&mut *sat, 12);
    let time = Duration::from_millis(200);
    let soon = || SolverLimits { time: Duration::from_secs(60), deadline: Some(Instant::now() + time), stop: None };
    for limits in [SolverLimits { time, deadline: None, stop: None }, soon()] {
        let started = Instant::now();
        assert_eq!(sat.solve(&[], &limits), SatVerdict::Unknown);
        assert!(started.elapsed() < time + Duration::from_secs(1), "{:?}", started.elapsed());
    }
    // And it still answers what is easy.
    let (x, y) = (sat.new_variable(), sat.new_variable());
    sat.add_clause(&[!x, y]);
    assert_eq!(sat.solve(&[x, !y], &PATIENT), SatVerdict::Unsat);
}

fn a_hard_question_ends_when_somebody_says_so(make: Make) {
    let mut sat = make();
    pigeons(&mut *sat, 12);
    let stop = Arc::new(AtomicBool::new(false));
    let limits = SolverLimits { stop: Some(stop.clone()), ..PATIENT };
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(sat.solve(&[], &limits), SatVerdict::Unknown);
    });
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    let x = sat.new_variable();
    assert_eq!(sat.solve(&[x], &limits), SatVerdict::Unknown, "it stays stopped");
}

fn no_time_is_no_answer(make: Make) {
    let mut sat = make();
    let x = sat.new_variable();
    sat.add_clause(&[x]);
    assert_eq!(
        sat.solve(&[x], &SolverLimits { time: Duration::ZERO, deadline: None, stop: None }),
        SatVerdict::Unknown
    );
    assert_eq!(sat.solve(&[x], &SolverLimits { deadline: Some(Instant::now()), ..PATIENT }), SatVerdict::Unknown);
    assert_eq!(sat.solve(&[x], &SolverLimits { time: Duration::MAX, deadline: None, stop: None }), SatVerdict::Sat);
}

#[test]
fn all_solvers_agree() {
    let mut random = Random(0x3547);
    let mut verdicts = [0, 0];
    for round in 0..100 {
        let mut solvers: [Box<dyn SatSolver>; 2] = [Box::new(Cadical::new()), Box::new(Batsat::new())];
        let names = solvers.each_mut().map(|sat| variables(&mut **sat, 60));
        assert_eq!(names[0], names[1], "variables are numbered alike, so that clauses can be shared");
        // About as many clauses as make half of all questions impossible.
        for clause in random_clauses(&mut random, &names[0], 250) {
            solvers.iter_mut().for_each(|sat| sat.add_clause(&clause));
        }
        for _ in 0..3 {
            let assumptions: Vec<Literal> = (0..2).map(|_| random_literal(&mut random, &names[0])).collect();
            let [one, other] = solvers.each_mut().map(|sat| sat.solve(&assumptions, &PATIENT));
            assert_eq!(one, other, "round {round}");
            verdicts[usize::from(one == SatVerdict::Sat)] += 1;
        }
    }
    assert!(verdicts.iter().all(|count| *count > 50), "{verdicts:?}");
}

fn random_literal(random: &mut Random, variables: &[Literal]) -> Literal {
    let variable = random.one_of(variables);
    if random.below(2) == 0 { variable } else { !variable }
}

fn random_clauses(random: &mut Random, variables: &[Literal], count: usize) -> Vec<Vec<Literal>> {
    (0..count).map(|_| (0..3).map(|_| random_literal(random, variables)).collect()).collect()
}

/// One pigeon more than holes, each in a hole of its own.
fn pigeons(sat: &mut dyn SatSolver, holes: usize) {
    let pigeons: Vec<Vec<Literal>> = (0..=holes).map(|_| variables(sat, holes)).collect();
    for (index, pigeon) in pigeons.iter().enumerate() {
        sat.add_clause(pigeon);
        for other in &pigeons[..index] {
            for (one, other) in pigeon.iter().zip(other) {
                sat.add_clause(&[!*one, !*other]);
            }
        }
    }
}
