//! How long does a path condition of a search tree take?

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use lazuli_logic::solver::DifferenceSolver;
use lazuli_logic::{Node, Solver, SolverAnswer, SolverLimits, Sort, Term, Terms};

fn questions(criterion: &mut Criterion) {
    let limits = SolverLimits::default();
    let mut order = DifferenceSolver::default();
    for (name, is_sat, other_terms) in
        [("sat", true, 0), ("unsat", false, 0), ("sat, large table", true, 100_000), ("all distinct", true, 0)]
    {
        let mut terms = Terms::new();
        for index in 0..other_terms {
            terms.int(index);
        }
        let mut conjuncts = match name {
            "all distinct" => distinct_keys(&mut terms),
            _ => search_tree(&mut terms),
        };
        if !is_sat {
            // The largest key is below the first, through the whole chain.
            let Node::Binary(_, first, _) = terms.node(conjuncts[1]) else { unreachable!("it is a comparison") };
            let Node::Binary(_, _, last) = terms.node(conjuncts[conjuncts.len() - 1]) else {
                unreachable!("it is a comparison")
            };
            conjuncts.push(terms.less_or_equal(last, first));
        }
        assert_eq!(matches!(order.check(&terms, &conjuncts, &limits), SolverAnswer::Sat(_)), is_sat);
        criterion.bench_function(&format!("order: {name}, {} conjuncts", conjuncts.len()), |bencher| {
            bencher.iter(|| order.check(black_box(&terms), black_box(&conjuncts), &limits));
        });
    }
}

/// Eight keys are inserted one after the other into a search tree: the comparisons on their ways down.
fn search_tree(terms: &mut Terms) -> Vec<Term> {
    let ranks = [4, 2, 6, 1, 3, 5, 7, 8];
    let keys: Vec<Term> = ranks.iter().map(|rank| terms.variable(&format!("key{rank}"), Sort::Int)).collect();
    let mut conjuncts = Vec::new();
    for (index, rank) in ranks.iter().enumerate() {
        // The way of a key visits those before it that are next to it among all before them.
        let (mut least, mut greatest) = (0, 9);
        for (other, other_rank) in ranks[..index].iter().enumerate() {
            if !(least < *other_rank && *other_rank < greatest) {
                continue;
            }
            if rank < other_rank {
                greatest = *other_rank;
                conjuncts.push(terms.less(keys[index], keys[other]));
            } else {
                least = *other_rank;
                conjuncts.push(terms.less(keys[other], keys[index]));
            }
        }
    }
    conjuncts
}

/// Eight keys that differ pairwise.
fn distinct_keys(terms: &mut Terms) -> Vec<Term> {
    let keys: Vec<Term> = (0..8).map(|index| terms.variable(&format!("key{index}"), Sort::Int)).collect();
    let mut conjuncts = Vec::new();
    for (index, one) in keys.iter().enumerate() {
        for other in &keys[..index] {
            let equal = terms.equal(*one, *other);
            conjuncts.push(terms.not(equal));
        }
    }
    conjuncts
}

criterion_group!(benches, questions);
criterion_main!(benches);
