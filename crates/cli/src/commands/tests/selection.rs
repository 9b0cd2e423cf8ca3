//! Which of many runs are enough?
//!
//! The run that covers most of what is still missing is taken, again and again; of two that cover as much, the smaller, then the earlier.
//! Tests that have become superfluous are dropped in the end. That is not always the smallest set, which is hard to find, but seldom far from it,
//! and always the same.

use std::collections::BTreeSet;

use clap::ValueEnum;
use lazuli_explore::{Case, CoverageGoal, Ended, Gist};
use lazuli_vm::snapshot::Datum;

/// The goals that must stay covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Criterion {
    /// Every path has a test
    Paths,
    /// Both ways of every branch, and every arm of every switch
    Branches,
    /// Whatever the conditions on one line said together
    Conditions,
    /// Every line
    Lines,
}

impl Criterion {
    /// The goal that is met once nothing is missing. Of paths and conditions, no exploration knows how many there are before its end.
    pub(crate) fn goal(self) -> Option<CoverageGoal> {
        match self {
            Criterion::Lines => Some(CoverageGoal::Lines),
            Criterion::Branches => Some(CoverageGoal::Branches),
            Criterion::Paths | Criterion::Conditions => None,
        }
    }
}

/// Chooses among cases: their positions, in order. Without a criterion, lines, branches and ends stay covered. If the time is over, fewer are.
pub(crate) fn choose(cases: &[&Case], criterion: Option<Criterion>, is_over: &dyn Fn() -> bool) -> Vec<usize> {
    if criterion == Some(Criterion::Paths) {
        return (0..cases.len()).collect();
    }
    let goals: Vec<BTreeSet<Goal>> =
        cases.iter().take_while(|_| !is_over()).map(|case| goals(case, criterion)).collect();
    let sizes: Vec<usize> = cases.iter().map(|case| case.heap.len()).collect();
    cover(&goals, &sizes, is_over)
}

/// Something to cover.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Goal {
    Line(&'static str, u16),
    Way(u32, u32, u32),
    Decision(Vec<(u32, u32, u32)>),
    End(String),
}

fn goals(case: &Case, criterion: Option<Criterion>) -> BTreeSet<Goal> {
    let covered = &case.coverage;
    let lines = covered.lines.iter().map(|(class, line)| Goal::Line(class, *line));
    let ways = covered.ways.iter().map(|(method, at, to)| Goal::Way(method.index(), *at, *to));
    let decisions = covered
        .decisions
        .iter()
        .map(|decision| Goal::Decision(decision.iter().map(|(method, at, to)| (method.index(), *at, *to)).collect()));
    match criterion {
        Some(Criterion::Lines) => lines.collect(),
        Some(Criterion::Branches) => ways.collect(),
        Some(Criterion::Conditions) => decisions.collect(),
        Some(Criterion::Paths) => BTreeSet::new(),
        None => lines.chain(ways).chain([Goal::End(end(&case.ended))]).collect(),
    }
}

/// How a run ended, as far as tests should tell the difference.
fn end(ended: &Ended) -> String {
    match ended {
        Ended::Returned(Gist::Plain(Datum::Null)) => "returned null".to_string(),
        Ended::Returned(Gist::Object(class)) => format!("returned {class}"),
        Ended::Returned(_) => "returned".to_string(),
        Ended::Threw { class, place } => format!("threw {class} at {place:?}"),
        Ended::Deadlock | Ended::Otherwise => "otherwise".to_string(),
    }
}

fn cover(goals: &[BTreeSet<Goal>], sizes: &[usize], is_over: &dyn Fn() -> bool) -> Vec<usize> {
    let mut missing: BTreeSet<&Goal> = goals.iter().flatten().collect();
    let mut chosen: Vec<usize> = Vec::new();
    while !missing.is_empty() && !is_over() {
        let gain = |index: &usize| goals[*index].iter().filter(|goal| missing.contains(goal)).count();
        let best = (0..goals.len()).max_by_key(|index| (gain(index), usize::MAX - sizes[*index], usize::MAX - index));
        let Some(best) = best else { break };
        missing.retain(|goal| !goals[best].contains(*goal));
        chosen.push(best);
    }
    // The largest are dropped first.
    let mut by_size = chosen.clone();
    by_size.sort_by_key(|index| (usize::MAX - sizes[*index], usize::MAX - index));
    for candidate in by_size.into_iter().take_while(|_| !is_over()) {
        let others: BTreeSet<&Goal> =
            chosen.iter().filter(|index| **index != candidate).flat_map(|index| goals[*index].iter()).collect();
        if goals[candidate].iter().all(|goal| others.contains(goal)) {
            chosen.retain(|index| *index != candidate);
        }
    }
    chosen.sort();
    if chosen.is_empty() && !goals.is_empty() { vec![0] } else { chosen }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[u16]) -> BTreeSet<Goal> {
        lines.iter().map(|line| Goal::Line("A", *line)).collect()
    }

    #[test]
    fn everything_stays_covered_by_few() {
        let goals = [lines(&[1, 2]), lines(&[1, 2, 3]), lines(&[4]), lines(&[3, 4]), lines(&[1])];
        let chosen = cover(&goals, &[1, 1, 1, 1, 1], &|| false);
        assert_eq!(chosen, [1, 2]);
    }

    #[test]
    fn the_smaller_input_is_preferred_and_then_the_earlier() {
        let goals = [lines(&[1, 2]), lines(&[1, 2]), lines(&[1, 2])];
        assert_eq!(cover(&goals, &[5, 2, 2], &|| false), [1]);
    }

    #[test]
    fn what_was_taken_first_and_became_superfluous_is_dropped() {
        let goals = [lines(&[1, 2, 3, 4]), lines(&[1, 2, 5]), lines(&[3, 4, 6])];
        assert_eq!(cover(&goals, &[3, 3, 3], &|| false), [1, 2]);
    }

    #[test]
    fn a_run_without_goals_is_still_a_run() {
        assert_eq!(cover(&[lines(&[]), lines(&[])], &[1, 1], &|| false), [0]);
        assert!(cover(&[], &[], &|| false).is_empty());
    }
}
