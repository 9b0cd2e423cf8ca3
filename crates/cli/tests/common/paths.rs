//! When are two paths the same, whichever technique found them?

use std::collections::BTreeSet;

use lazuli_explore::Outcome;

/// The decisions about the input of each path, and the conditions on its numbers; sorted.
pub fn described(outcomes: &[Outcome]) -> Vec<String> {
    let path = |outcome: &Outcome| {
        let conditions: BTreeSet<String> = outcome.condition.iter().map(|condition| condition.to_string()).collect();
        format!("{:?} where {conditions:?}", outcome.input)
    };
    let mut paths: Vec<String> = outcomes.iter().map(path).collect();
    paths.sort();
    paths
}
