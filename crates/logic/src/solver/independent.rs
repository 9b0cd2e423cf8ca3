//! Which conjuncts have nothing to do with each other? Each part can be decided on its own.

use std::collections::HashMap;

use crate::term::{Term, Terms, Variable};

/// Conjuncts that share variables, directly or through others.
pub(super) struct IndependentSet {
    pub conjuncts: Vec<Term>,
    pub variables: Vec<Variable>,
}

/// The parts of a conjunction, in the order of their first conjuncts.
pub(super) fn independent_parts(terms: &Terms, conjuncts: &[Term]) -> Vec<IndependentSet> {
    let mentioned: Vec<&[Variable]> = conjuncts.iter().map(|conjunct| terms.variables_of(*conjunct)).collect();
    // Union of the conjuncts that mention the same variable.
    let mut group: Vec<usize> = (0..conjuncts.len()).collect();
    let mut owner: HashMap<Variable, usize> = HashMap::new();
    for (index, variables) in mentioned.iter().enumerate() {
        for variable in *variables {
            let first = *owner.entry(*variable).or_insert(index);
            let (one, other) = (root(&mut group, first), root(&mut group, index));
            group[one.max(other)] = one.min(other);
        }
    }
    let mut parts: Vec<(usize, IndependentSet)> = Vec::new();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        let key = root(&mut group, index);
        let at = parts.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
            parts.push((key, IndependentSet { conjuncts: Vec::new(), variables: Vec::new() }));
            parts.len() - 1
        });
        let part = &mut parts[at].1;
        part.conjuncts.push(*conjunct);
        for variable in mentioned[index] {
            if !part.variables.contains(variable) {
                part.variables.push(*variable);
            }
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The conjuncts that have to do with this one, and itself first.
pub(super) fn part_of(terms: &Terms, conjuncts: &[Term], conjunct: Term) -> IndependentSet {
    let mut part = IndependentSet { conjuncts: vec![conjunct], variables: terms.variables_of(conjunct).to_vec() };
    let mut left: Vec<Term> = conjuncts.to_vec();
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        left.retain(|other| {
            let mentioned = terms.variables_of(*other);
            let is_outside = !mentioned.iter().any(|variable| part.variables.contains(variable));
            if !is_outside {
                part.conjuncts.push(*other);
                for variable in mentioned {
                    if !part.variables.contains(variable) {
                        part.variables.push(*variable);
                        has_grown = true;
                    }
                }
            }
            is_outside
        });
    }
    part
}

fn root(group: &mut [usize], index: usize) -> usize {
    let mut top = index;
    while group[top] != top {
        top = group[top];
    }
    group[index] = top;
    top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn parts_are_connected_by_variables() {
        let mut terms = Terms::new();
        let names = ["a", "b", "c", "d", "e"];
        let [a, b, c, d, e] = names.map(|name| terms.variable(name, Sort::Int));
        let conjuncts = [terms.less(a, b), terms.less(c, d), terms.less(b, e), terms.less(d, c)];
        let parts = independent_parts(&terms, &conjuncts);
        let sizes: Vec<(usize, usize)> =
            parts.iter().map(|part| (part.conjuncts.len(), part.variables.len())).collect();
        assert_eq!(sizes, [(2, 3), (2, 2)]);
    }
}
