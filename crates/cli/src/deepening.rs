//! Up to which scope does a target hold, if nobody said how far to look?
//!
//! Scopes 1, 2, 3 and so on are explored one after the other. Each is a question of its own with an answer of its own; what is
//! reported is the last that was answered completely, so that running out of time never takes an answer away.

use lazuli_explore::{Report, Verdict};
use lazuli_vm::universe::Restriction;

use crate::report::{Tried, Unfinished};

/// One scope, explored.
pub struct Attempt {
    pub report: Report,
    /// Why the exploration ended before its end, as the rest of a sentence: "the time limit was reached".
    pub cut_short: Option<String>,
}

impl Attempt {
    /// What it took.
    pub fn figures(&self, scope: usize) -> Tried {
        let Report { paths, elapsed, .. } = self.report;
        Tried { scope, paths, elapsed, is_complete: self.cut_short.is_none() }
    }
}

/// What is reported.
pub struct Deepest {
    pub scope: usize,
    pub report: Report,
    pub unfinished: Option<Unfinished>,
    /// In their order.
    pub tried: Vec<Tried>,
}

/// Explores growing scopes until a fault is found, a scope leaves no input out, or an exploration is cut short. Goes on behind what was
/// explored before.
pub fn deepen<E>(
    before: Option<Deepest>,
    mut explore: impl FnMut(usize) -> Result<Attempt, E>,
    mut may_go_on: impl FnMut() -> bool,
) -> Result<Deepest, E> {
    let (mut complete, mut tried, mut scope) = match before {
        Some(Deepest { scope, report, unfinished: Some(_), mut tried }) => {
            tried.retain(|tried| tried.is_complete);
            (Some((scope, report)), tried, scope + 1)
        }
        _ => (None, Vec::new(), 1),
    };
    loop {
        let attempt = explore(scope)?;
        tried.push(attempt.figures(scope));
        let Attempt { report, cut_short } = attempt;
        let is_violated = report.verdict() == Verdict::Violated;
        if let (Some(why), false, Some((last, finished))) = (cut_short.clone(), is_violated, complete.take()) {
            let unfinished = Some(Unfinished { scope, paths: report.paths, why });
            return Ok(Deepest { scope: last, report: finished, unfinished, tried });
        }
        if is_violated || cut_short.is_some() || leaves_nothing_out(&report) || !may_go_on() {
            return Ok(Deepest { scope, report, unfinished: None, tried });
        }
        complete = Some((scope, report));
        scope += 1;
    }
}

/// Were all inputs tried, whatever their size?
fn leaves_nothing_out(report: &Report) -> bool {
    !report.restrictions.iter().any(Restriction::is_bound) && report.made.is_empty()
}

#[cfg(test)]
mod tests {
    use lazuli_explore::NotExplored;
    use lazuli_vm::reason::{Reason, Resource};

    use super::*;
    use crate::report::samples;

    fn complete() -> Attempt {
        Attempt { report: samples::holds().report, cut_short: None }
    }

    fn cut() -> Attempt {
        let mut report = samples::holds().report;
        report.not_explored.push(NotExplored { why: Reason::PathCut(Resource::Time), at: String::new(), count: 9 });
        Attempt { report, cut_short: Some("the time ended".to_string()) }
    }

    #[test]
    fn the_last_complete_scope_is_reported() {
        let deepest = deepen::<String>(None, |scope| Ok(if scope < 4 { complete() } else { cut() }), || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (3, Verdict::Holds));
        let unfinished = Unfinished { scope: 4, paths: 1234, why: "the time ended".to_string() };
        assert_eq!(deepest.unfinished, Some(unfinished));
        let complete: Vec<(usize, bool)> = deepest.tried.iter().map(|tried| (tried.scope, tried.is_complete)).collect();
        assert_eq!(complete, [(1, true), (2, true), (3, true), (4, false)]);
    }

    #[test]
    fn what_was_explored_before_is_not_explored_again() {
        let before = deepen::<String>(None, |scope| Ok(if scope < 4 { complete() } else { cut() }), || true).unwrap();
        let mut again = Vec::new();
        let explore = |scope| {
            again.push(scope);
            Ok(if scope < 6 { complete() } else { cut() })
        };
        let deepest = deepen::<String>(Some(before), explore, || true).unwrap();
        let complete: Vec<(usize, bool)> = deepest.tried.iter().map(|tried| (tried.scope, tried.is_complete)).collect();
        assert_eq!((deepest.scope, deepest.unfinished.map(|unfinished| unfinished.scope)), (5, Some(6)));
        assert_eq!(complete, [(1, true), (2, true), (3, true), (4, true), (5, true), (6, false)]);
        assert_eq!(again, [4, 5, 6]);
    }

    #[test]
    fn a_first_scope_that_is_cut_short_is_incomplete() {
        let deepest = deepen::<String>(None, |_| Ok(cut()), || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (1, Verdict::Incomplete));
        assert_eq!(deepest.unfinished, None);
    }

    #[test]
    fn a_fault_ends_the_search_even_in_a_scope_that_was_cut_short() {
        let violated = || Attempt { report: samples::violated().report, ..cut() };
        let deepest =
            deepen::<String>(None, |scope| Ok(if scope < 2 { complete() } else { violated() }), || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (2, Verdict::Violated));
    }

    #[test]
    fn a_scope_that_leaves_nothing_out_is_the_last() {
        let all = |scope| {
            let mut attempt = complete();
            if scope == 2 {
                attempt.report.restrictions.clear();
            }
            Ok(attempt)
        };
        let deepest = deepen::<String>(None, all, || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.extent().as_str()), (2, "all inputs"));
    }

    #[test]
    fn no_scope_is_begun_without_time() {
        assert_eq!(deepen::<String>(None, |_| Ok(complete()), || false).unwrap().scope, 1);
        assert!(deepen::<String>(None, |_| Err("no machine".to_string()), || true).is_err());
    }
}
