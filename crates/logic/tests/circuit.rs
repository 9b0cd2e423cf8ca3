//! Do gates compute what they are asked for, and does the decider say of them what is true?

mod random;

use std::time::Duration;

use lazuli_logic::circuit::Gate;
use lazuli_logic::sat::Batsat;
use lazuli_logic::{Circuit, Decider, Lit, SatVerdict, SolverLimits};
use random::Random;

/// Time enough that a slow machine does not make a question unknown.
const PATIENT: SolverLimits = SolverLimits { time: Duration::from_secs(60), deadline: None, stop: None };

/// Truth tables of six inputs over all 64 cases.
const CASES: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Truth tables of all gates, computed from the gates alone.
fn tables(circuit: &Circuit) -> Vec<u64> {
    let mut tables: Vec<u64> = Vec::new();
    for index in 0..circuit.len() {
        let get = |lit: Lit| table(&tables, lit);
        let value = match circuit.gate(index) {
            Gate::False => 0,
            Gate::Input(number) => CASES[number as usize],
            Gate::And(a, b) => get(a) & get(b),
            Gate::Xor(a, b) => get(a) ^ get(b),
            Gate::If(condition, yes, no) => get(condition) & get(yes) | !get(condition) & get(no),
        };
        tables.push(value);
    }
    tables
}

fn table(tables: &[u64], lit: Lit) -> u64 {
    if lit.is_negated() { !tables[lit.gate()] } else { tables[lit.gate()] }
}

/// Literals over six inputs, with what they should be in each case.
fn random_lits(random: &mut Random, circuit: &mut Circuit, count: usize) -> Vec<(Lit, u64)> {
    let mut lits: Vec<(Lit, u64)> = CASES.iter().map(|cases| (circuit.input(), *cases)).collect();
    lits.extend([(Lit::FALSE, 0), (Lit::TRUE, !0)]);
    while lits.len() < count {
        // The last ones more often, so that circuits become deep.
        let mut pick = || {
            let from = if random.below(2) == 0 { 0 } else { lits.len().saturating_sub(8) };
            let (lit, cases) = lits[from + random.below(lits.len() - from)];
            if random.below(2) == 0 { (lit, cases) } else { (!lit, !cases) }
        };
        let (a, b, c) = (pick(), pick(), pick());
        let made = match random.below(8) {
            0 => (circuit.and(a.0, b.0), a.1 & b.1),
            1 => (circuit.or(a.0, b.0), a.1 | b.1),
            2 => (circuit.xor(a.0, b.0), a.1 ^ b.1),
            3 => (circuit.equal(a.0, b.0), !(a.1 ^ b.1)),
            4 => (circuit.implies(a.0, b.0), !a.1 | b.1),
            5 => (circuit.all([a.0, b.0, c.0]), a.1 & b.1 & c.1),
            6 => (circuit.any([a.0, b.0, c.0]), a.1 | b.1 | c.1),
            _ => (circuit.if_else(a.0, b.0, c.0), a.1 & b.1 | !a.1 & c.1),
        };
        lits.push(made);
    }
    lits
}

#[test]
fn gates_compute_what_they_are_asked_for() {
    let mut random = Random(0xc1c);
    for round in 0..3000 {
        let mut circuit = Circuit::new();
        let lits = random_lits(&mut random, &mut circuit, 40);
        let tables = tables(&circuit);
        for (lit, cases) in &lits {
            assert_eq!(table(&tables, *lit), *cases, "round {round}, {lit:?}");
        }
    }
}

#[test]
fn gates_are_in_normal_form() {
    let mut random = Random(0x40f);
    for _ in 0..500 {
        let mut circuit = Circuit::new();
        random_lits(&mut random, &mut circuit, 60);
        let mut seen = std::collections::HashSet::new();
        for index in 0..circuit.len() {
            let gate = circuit.gate(index);
            assert!(seen.insert(gate), "{gate:?} is there twice");
            let operands = match gate {
                Gate::False | Gate::Input(_) => vec![],
                Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
                Gate::If(condition, yes, no) => vec![condition, yes, no],
            };
            assert!(operands.iter().all(|lit| lit.as_constant().is_none() && lit.gate() < index));
            match gate {
                Gate::And(a, b) => assert!(a.gate() < b.gate()),
                Gate::Xor(a, b) => assert!(a.gate() < b.gate() && !a.is_negated() && !b.is_negated()),
                Gate::If(condition, yes, no) => {
                    assert!(!condition.is_negated() && !yes.is_negated());
                    assert!(condition.gate() != yes.gate() && condition.gate() != no.gate() && yes.gate() != no.gate());
                }
                Gate::False | Gate::Input(_) => {}
            }
        }
    }
}

#[test]
fn what_can_be_said_simply_is() {
    let mut circuit = Circuit::new();
    let [a, b, c] = [(); 3].map(|()| circuit.input());
    let and = circuit.and(a, b);
    let xor = circuit.xor(a, b);
    let choice = circuit.if_else(a, b, c);
    let gates = circuit.len();
    let f = &mut circuit;
    let same = [
        (f.and(a, and), and),
        (f.and(!a, and), Lit::FALSE),
        (f.and(!a, !and), !a),
        (f.or(a, and), a),
        (f.or(!a, and), f.or(!a, b)),
        (f.and(a, !and), f.and(a, !b)),
        (f.and(b, a), and),
        (f.xor(!a, b), !xor),
        (f.xor(xor, a), b),
        (f.xor(and, a), f.and(a, !b)),
        (f.and(a, choice), and),
        (f.and(a, xor), f.and(a, !b)),
        (f.if_else(!a, c, b), choice),
        (f.if_else(a, !b, !c), !choice),
        (f.if_else(a, choice, c), choice),
        (f.if_else(a, b, !b), !xor),
        (f.if_else(a, a, b), f.or(a, b)),
        (f.if_else(a, and, Lit::FALSE), and),
        (f.if_else(c, and, and), and),
    ];
    for (index, (one, other)) in same.into_iter().enumerate() {
        assert_eq!(one, other, "rule {index}");
    }
    // A choice and an exclusive or, as one writes them with the other gates.
    let (yes, no) = (f.and(a, b), f.and(!a, c));
    assert_eq!(f.or(yes, no), choice);
    let (one, other) = (f.and(a, !b), f.and(!a, b));
    assert_eq!(f.or(one, other), xor);
    assert!(circuit.len() <= gates + 5, "few gates are new");
}

#[test]
fn one_of_many() {
    for count in 0..=6 {
        let mut circuit = Circuit::new();
        let inputs: Vec<Lit> = (0..6).map(|_| circuit.input()).collect();
        let exactly = circuit.exactly_one(&inputs[..count]);
        let at_most = circuit.at_most_one(&inputs[..count]);
        let tables = tables(&circuit);
        for case in 0..64u64 {
            let ones = (case & ((1 << count) - 1)).count_ones();
            assert_eq!(table(&tables, exactly) >> case & 1 == 1, ones == 1);
            assert_eq!(table(&tables, at_most) >> case & 1 == 1, ones <= 1);
        }
    }
}

fn deciders() -> [Decider; 2] {
    [Decider::new(), Decider::with(Box::new(Batsat::new()))]
}

/// Cases in which all of these are true.
fn cases_of(tables: &[u64], lits: &[Lit]) -> u64 {
    lits.iter().fold(!0, |cases, lit| cases & table(tables, *lit))
}

#[test]
fn deciders_say_what_trying_says() {
    let mut random = Random(0xdec);
    let (mut sat, mut unsat, mut smaller) = (0, 0, 0);
    for round in 0..200 {
        for mut decider in deciders() {
            let mut circuit = Circuit::new();
            let lits = random_lits(&mut random, &mut circuit, 40);
            let mut asserted = Vec::new();
            for question in 0..8 {
                let mut pick = || random.one_of(&lits).0.negate_if(random.below(2) == 0);
                let assumptions = [pick(), pick(), pick(), pick()];
                if question % 3 == 2 {
                    let fact = pick();
                    decider.assert(&circuit, fact);
                    asserted.push(fact);
                }
                // Gates may come between questions.
                let late = circuit.and(assumptions[0], !assumptions[1]);
                let tables = tables(&circuit);
                let together = [&assumptions[..], &asserted].concat();
                let is_possible = cases_of(&tables, &together) != 0;
                let verdict = decider.solve(&circuit, &assumptions, &PATIENT);
                assert_eq!(verdict, if is_possible { SatVerdict::Sat } else { SatVerdict::Unsat }, "round {round}");
                if is_possible {
                    sat += 1;
                    assert!(together.iter().all(|lit| decider.value(&circuit, *lit)));
                    assert!(decider.core().is_empty());
                    let inputs = circuit.inputs().to_vec();
                    let case: usize =
                        (0..6).map(|input| usize::from(decider.value(&circuit, inputs[input])) << input).sum();
                    for lit in lits.iter().map(|(lit, _)| *lit).chain([late]) {
                        assert_eq!(decider.value(&circuit, lit), table(&tables, lit) >> case & 1 == 1);
                        assert!(!decider.value(&circuit, lit) || decider.was_true(&circuit, lit));
                    }
                } else {
                    unsat += 1;
                    let core = decider.core().to_vec();
                    assert!(core.iter().all(|lit| assumptions.contains(lit)));
                    smaller += usize::from(core.len() < assumptions.len());
                    assert_eq!(cases_of(&tables, &[&core[..], &asserted].concat()), 0);
                }
                // `was_true` implies that the literal is satisfiable together with all assertions.
                for (lit, _) in &lits {
                    let is_possible = cases_of(&tables, &[&asserted[..], &[*lit]].concat()) != 0;
                    assert!(is_possible || !decider.was_true(&circuit, *lit));
                }
            }
        }
    }
    assert!(sat > 500 && unsat > 500 && smaller > 500, "{sat}, {unsat}, {smaller}");
}

#[test]
fn the_last_models_are_remembered() {
    for mut decider in deciders() {
        let mut circuit = Circuit::new();
        let word = circuit.word_input(11);
        let is: Vec<Lit> = (0..1200)
            .map(|value| {
                let constant = circuit.word_constant(11, value);
                circuit.word_equal(&word, &constant)
            })
            .collect();
        assert!(!decider.was_true(&circuit, Lit::TRUE), "there is no model yet");
        for (value, lit) in is.iter().enumerate() {
            assert!(!decider.was_true(&circuit, *lit), "nobody asked for {value} yet");
            assert_eq!(decider.solve(&circuit, &[*lit], &PATIENT), SatVerdict::Sat);
            assert!(decider.was_true(&circuit, *lit));
        }
        assert_eq!(decider.statistics.calls, 1200);
        for (value, lit) in is.iter().enumerate() {
            // The oldest are forgotten, many at a time.
            let is_known = decider.was_true(&circuit, *lit);
            assert!(is_known || value + 960 < 1200, "{value} was forgotten");
            assert!(!is_known || value + 1024 >= 1200, "{value} is still known");
        }
        assert!(decider.recall(&circuit, &[word[0], is[701]]) && decider.value(&circuit, is[701]));
        assert!(!decider.recall(&circuit, &[word[0], is[700]]), "700 is even");
        assert!(decider.value(&circuit, is[701]), "the current model stays");
        let odd = word[0];
        decider.assert(&circuit, odd);
        assert!(decider.was_true(&circuit, is[1199]) && !decider.was_true(&circuit, is[1198]));
        assert_eq!(decider.solve(&circuit, &[is[1198]], &PATIENT), SatVerdict::Unsat);
        assert_eq!(decider.core(), &[is[1198]]);
    }
}

#[test]
fn a_solver_that_knows_too_much_is_given_up() {
    let mut random = Random(0x9e57);
    let mut circuit = Circuit::new();
    let words: Vec<_> = (0..20).map(|_| circuit.word_input(32)).collect();
    let mut lits = Vec::new();
    for (index, one) in words.iter().enumerate() {
        for other in &words[..index] {
            let sum = circuit.add(one, other);
            lits.push(circuit.less(&sum, one));
        }
    }
    // Something that must stay known.
    let fact = circuit.less(&words[3], &words[7]);
    let mut decider = Decider::new();
    decider.assert(&circuit, fact);
    let mut verdicts = [0, 0];
    for round in 0..60 {
        let mut assumptions: Vec<Lit> = (0..5).map(|_| random.one_of(&lits).negate_if(random.below(2) == 0)).collect();
        if round % 5 == 0 {
            assumptions.push(!fact);
        }
        let verdict = decider.solve(&circuit, &assumptions, &PATIENT);
        let mut fresh = Decider::with(Box::new(Batsat::new()));
        fresh.assert(&circuit, fact);
        assert_eq!(verdict, fresh.solve(&circuit, &assumptions, &PATIENT), "round {round}");
        verdicts[usize::from(verdict == SatVerdict::Sat)] += 1;
        if verdict == SatVerdict::Sat {
            assert!(assumptions.iter().chain([&fact]).all(|lit| decider.value(&circuit, *lit)), "round {round}");
        } else {
            assert_eq!(fresh.solve(&circuit, decider.core(), &PATIENT), SatVerdict::Unsat, "round {round}");
        }
    }
    assert!(verdicts.iter().all(|count| *count > 10), "{verdicts:?}");
    assert!(decider.statistics.restarts > 3, "{:?}", decider.statistics);
}

#[test]
fn constants_are_decided_too() {
    for mut decider in deciders() {
        let mut circuit = Circuit::new();
        let x = circuit.input();
        assert_eq!(decider.solve(&circuit, &[Lit::TRUE], &PATIENT), SatVerdict::Sat);
        assert!(!decider.value(&circuit, x), "the solver does not know it");
        assert_eq!(decider.solve(&circuit, &[x, Lit::FALSE], &PATIENT), SatVerdict::Unsat);
        assert_eq!(decider.core(), &[Lit::FALSE]);
        assert_eq!(decider.solve(&circuit, &[x, !x], &PATIENT), SatVerdict::Unsat);
        assert_eq!(decider.core(), &[x, !x]);
        decider.assert(&circuit, Lit::TRUE);
        assert_eq!(decider.solve(&circuit, &[x, Lit::TRUE, x], &PATIENT), SatVerdict::Sat);
        assert!(decider.was_true(&circuit, x));
        decider.assert(&circuit, Lit::FALSE);
        assert!(!decider.was_true(&circuit, x));
        assert_eq!(decider.solve(&circuit, &[], &PATIENT), SatVerdict::Unsat);
        assert!(decider.core().is_empty());
    }
}

#[test]
fn deep_circuits_do_not_overflow_the_stack() {
    let mut circuit = Circuit::new();
    let mut lit = circuit.input();
    for _ in 0..200_000 {
        let (a, b) = (circuit.input(), circuit.input());
        lit = circuit.if_else(a, lit, b);
    }
    let mut decider = Decider::new();
    assert_eq!(decider.solve(&circuit, &[lit], &PATIENT), SatVerdict::Sat);
    assert!(decider.value(&circuit, lit));
}
