//! When are two paths the same, whoever found them?

use std::collections::BTreeSet;

use lazuli_explore::Outcome;

/// What is decided about the input of each path, and what its numbers satisfy; sorted.
pub fn described(outcomes: &[Outcome]) -> Vec<String> {
    let path = |outcome: &Outcome| {
        let conditions: BTreeSet<String> = outcome.condition.iter().map(|condition| condition.to_string()).collect();
        format!("{:?} where {conditions:?}", outcome.input)
    };
    let mut paths: Vec<String> = outcomes.iter().map(path).collect();
    paths.sort();
    paths
}
