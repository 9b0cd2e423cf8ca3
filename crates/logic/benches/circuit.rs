//! How fast are circuits built, and how long does a question about one take?

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lazuli_logic::sat::{Batsat, Cadical};
use lazuli_logic::{Circuit, Decider, Lit, SatSolver, SatVerdict, SolverLimits, Word};

const LIMITS: SolverLimits = SolverLimits { time: Duration::from_secs(10), deadline: None, stop: None };

fn building(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("circuit");
    let mut circuit = Circuit::new();
    list(&mut circuit, 24);
    group.throughput(Throughput::Elements(circuit.len() as u64));
    group.bench_function(format!("list of 24 nodes, {} gates", circuit.len()), |bencher| {
        bencher.iter_batched(
            Circuit::new,
            |mut circuit| drop(black_box(list(&mut circuit, 24))),
            BatchSize::LargeInput,
        );
    });

    let mut circuit = Circuit::new();
    let words: Vec<Word> = (0..100).map(|_| circuit.word_input(32)).collect();
    let before = circuit.len();
    sums(&mut circuit, &words);
    group.throughput(Throughput::Elements((circuit.len() - before) as u64));
    group.bench_function(format!("sums and comparisons, {} gates", circuit.len() - before), |bencher| {
        bencher.iter_batched(
            || {
                let mut circuit = Circuit::new();
                let words: Vec<Word> = (0..100).map(|_| circuit.word_input(32)).collect();
                (circuit, words)
            },
            |(mut circuit, words)| {
                sums(&mut circuit, &words);
                circuit
            },
            BatchSize::LargeInput,
        );
    });
    group.bench_function("the same again, where all is there", |bencher| {
        bencher.iter(|| sums(&mut circuit, &words));
    });
    group.finish();
}

/// Each word is added to every other, and each sum compared with the word before.
fn sums(circuit: &mut Circuit, words: &[Word]) {
    for (index, one) in words.iter().enumerate() {
        for other in &words[..index] {
            let sum = circuit.add(one, other);
            black_box(circuit.less(&sum, one));
        }
    }
}

fn deciding(criterion: &mut Criterion) {
    for nodes in [4, 6] {
        for name in ["CaDiCaL", "plain CaDiCaL", "BatSat"] {
            let sat: Box<dyn SatSolver> = match name {
                "CaDiCaL" => Box::new(Cadical::new()),
                "plain CaDiCaL" => Box::new(Cadical::plain()),
                _ => Box::new(Batsat::new()),
            };
            let mut circuit = Circuit::new();
            let list = list(&mut circuit, nodes);
            let mut decider = Decider::with(sat);
            decider.assert(&circuit, list.is_valid);
            let mut random = fastrand::Rng::with_seed(7);
            let mut verdicts = [0, 0];
            criterion.bench_function(&format!("{name}: sorted list, {nodes} nodes"), |bencher| {
                bencher.iter(|| {
                    let assumptions = list.path(&mut random);
                    let verdict = decider.solve(&circuit, &assumptions, &LIMITS);
                    assert_ne!(verdict, SatVerdict::Unknown);
                    verdicts[usize::from(verdict == SatVerdict::Sat)] += 1;
                });
            });
            println!("  unsat and sat: {verdicts:?}, {:?}", decider.statistics);
        }
    }
}

/// A linked list that is sorted and ends, in nodes of which each is reached or not.
struct List {
    is_valid: Lit,
    /// Does the field of that node refer to that node?
    next: Vec<Vec<Lit>>,
    /// Is the key of one node less than that of another?
    less: Vec<Lit>,
    /// Is the node at that place of the list that node?
    at: Vec<Vec<Lit>>,
}

fn list(circuit: &mut Circuit, nodes: usize) -> List {
    let keys: Vec<Word> = (0..nodes).map(|_| circuit.word_input(32)).collect();
    // The last stands for the end.
    let next: Vec<Vec<Lit>> = (0..nodes).map(|_| (0..=nodes).map(|_| circuit.input()).collect()).collect();
    let mut valid: Vec<Lit> = next.iter().map(|choice| circuit.exactly_one(choice)).collect();
    let mut current = vec![Lit::FALSE; nodes + 1];
    current[0] = Lit::TRUE;
    let mut at = vec![current.clone()];
    let mut key = keys[0].clone();
    for _ in 0..nodes {
        let mut following = vec![Lit::FALSE; nodes + 1];
        following[nodes] = current[nodes];
        for (from, choice) in next.iter().enumerate() {
            for (to, chosen) in choice.iter().enumerate() {
                let step = circuit.and(current[from], *chosen);
                following[to] = circuit.or(following[to], step);
            }
        }
        let mut following_key = circuit.word_constant(32, 0);
        for (node, key) in keys.iter().enumerate() {
            following_key = circuit.word_if(following[node], key, &following_key);
        }
        let is_sorted = circuit.less(&key, &following_key);
        valid.push(circuit.or(is_sorted, following[nodes]));
        (current, key) = (following, following_key);
        at.push(current.clone());
    }
    valid.push(current[nodes]);
    let mut less = Vec::new();
    for (index, one) in keys.iter().enumerate() {
        for other in &keys[..index] {
            less.push(circuit.less(one, other));
        }
    }
    List { is_valid: circuit.all(valid), next, less, at }
}

impl List {
    /// Assumptions as a path through some code makes them: some fields, some comparisons, and where the list ends.
    fn path(&self, random: &mut fastrand::Rng) -> Vec<Lit> {
        let mut assumptions = Vec::new();
        for _ in 0..3 {
            let choice = &self.next[random.usize(..self.next.len())];
            assumptions.push(choice[random.usize(..choice.len())]);
        }
        for _ in 0..4 {
            assumptions.push(self.less[random.usize(..self.less.len())].negate_if(random.bool()));
        }
        let place = &self.at[random.usize(1..self.at.len())];
        assumptions.push(place[random.usize(..place.len())].negate_if(random.u8(..4) != 0));
        assumptions
    }
}

criterion_group!(benches, building, deciding);
criterion_main!(benches);
