//! Do values that often matter make a conjunction true? Zero, one, the extremes, and the constants that are mentioned: for
//! floating-point numbers this finds in microseconds what takes an SMT solver seconds.

use crate::evaluate::satisfies;
use crate::limits::SolverLimits;
use crate::model::Model;
use crate::term::{Constant, Node, Sort, Term, Terms, Variable};

/// How many combinations of values are tried.
const TRIES: usize = 3000;

/// How many of them pass between two looks at the clock.
const INTERVAL: usize = 16;

/// A model of all conjuncts, if one is found among the samples in time.
pub(super) fn sample(terms: &Terms, conjuncts: &[Term], limits: &SolverLimits) -> Option<Model> {
    let mut variables: Vec<Variable> = Vec::new();
    for conjunct in conjuncts {
        variables.extend_from_slice(terms.variables_of(*conjunct));
    }
    variables.sort();
    variables.dedup();
    let mentioned = constants_of(terms, conjuncts);
    let candidates: Vec<Vec<Constant>> =
        variables.iter().map(|variable| candidates(terms, *variable, &mentioned)).collect();
    let combinations = candidates.iter().map(Vec::len).try_fold(1usize, |all, some| all.checked_mul(some));
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    for attempt in 0..combinations.unwrap_or(usize::MAX).min(TRIES) {
        if attempt.is_multiple_of(INTERVAL) && limits.left().is_zero() {
            return None;
        }
        // All combinations if they are few; else any, from a generator with a fixed start (Marsaglia's xorshift).
        let mut number = if combinations.is_some_and(|all| all <= TRIES) {
            attempt
        } else {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 1) as usize
        };
        let mut model = Model::default();
        for (variable, values) in variables.iter().zip(&candidates) {
            model.set(*variable, values[number % values.len()]);
            number /= values.len();
        }
        if satisfies(terms, &model, conjuncts) {
            return Some(model);
        }
    }
    None
}

fn constants_of(terms: &Terms, conjuncts: &[Term]) -> Vec<Constant> {
    let mut found = Vec::new();
    let mut waiting = conjuncts.to_vec();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Constant(constant) => found.push(constant),
            Node::Variable(_) => {}
            Node::Unary(_, operand) => waiting.push(operand),
            Node::Binary(_, left, right) => waiting.extend([left, right]),
            Node::If(one, two, three) | Node::Fused(one, two, three) => waiting.extend([one, two, three]),
        }
    }
    found
}

fn candidates(terms: &Terms, variable: Variable, mentioned: &[Constant]) -> Vec<Constant> {
    let declaration = terms.declaration(variable);
    let mut values: Vec<Constant> = match declaration.sort {
        Sort::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
        Sort::Float => [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e6, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX]
            .map(|value: f32| Constant::Float(value.to_bits()))
            .to_vec(),
        Sort::Double => [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX]
            .map(|value: f64| Constant::Double(value.to_bits()))
            .to_vec(),
        sort => [0, 1, -1, 2, declaration.range.0, declaration.range.1]
            .map(|value| Constant::of_integer(sort, value))
            .to_vec(),
    };
    for constant in mentioned.iter().filter(|constant| constant.sort() == declaration.sort) {
        match constant {
            Constant::Float(bits) => {
                let value = f32::from_bits(*bits);
                values.extend([value, -value, value / 2.0].map(|value| Constant::Float(value.to_bits())));
            }
            Constant::Double(bits) => {
                let value = f64::from_bits(*bits);
                values.extend([value, -value, value / 2.0].map(|value| Constant::Double(value.to_bits())));
            }
            Constant::Bool(_) => {}
            integer => {
                let value = integer.integer().unwrap_or(0);
                let near = [value, value.wrapping_add(1), value.wrapping_sub(1), value.wrapping_neg()];
                values.extend(near.map(|value| Constant::of_integer(declaration.sort, value)));
            }
        }
    }
    let (least, greatest) = declaration.range;
    values.retain(|value| value.integer().is_none_or(|value| (least..=greatest).contains(&value)));
    values.dedup();
    values
}
