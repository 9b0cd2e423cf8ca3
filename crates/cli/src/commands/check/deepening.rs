//! Up to which scope does a target hold, if the user gave none?
//!
//! Scopes 1, 2, 3 and so on are explored one after the other. Each is a question of its own with an answer of its own; what is
//! reported is the last that was answered completely, so that running out of time never takes an answer away.

use lazuli_explore::{Report, Verdict};
use lazuli_vm::universe::Restriction;

use crate::report::reasons::reason;
use crate::report::{Tried, Unfinished};

/// One scope, explored.
pub(super) struct ScopeAttempt {
    pub report: Report,
    /// Why the exploration ended before its end, as the rest of a sentence: "the time limit was reached".
    pub cut_short: Option<String>,
}

impl ScopeAttempt {
    /// The effort.
    pub(super) fn figures(&self, scope: usize) -> Tried {
        let Report { paths, elapsed, .. } = self.report;
        Tried { scope, paths, elapsed, is_complete: self.cut_short.is_none() }
    }
}

/// The result that is reported.
pub(super) struct Deepest {
    pub scope: usize,
    pub report: Report,
    pub unfinished: Option<Unfinished>,
    /// In their order.
    pub tried: Vec<Tried>,
}

/// Scopes that are tried in any case, though each leaves something out for a reason that no limit gives.
const FEW_SCOPES: usize = 4;

/// Explores growing scopes until a scope leaves no input out, or an exploration is cut short; with a fault up to scope `behind`, and not beyond
/// the one that shows it if that is larger. Goes on behind what was explored before. `explore` is told whether a fault is known.
pub(super) fn deepen<E>(
    before: Option<Deepest>,
    behind: usize,
    mut explore: impl FnMut(usize, bool) -> Result<ScopeAttempt, E>,
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
        let is_known = complete.as_ref().is_some_and(|(_, report): &(usize, Report)| is_violated(report));
        let mut attempt = explore(scope, is_known)?;
        let is_all = complete.as_ref().is_some_and(|(_, finished)| finished.not_explored.is_empty());
        if attempt.cut_short.is_none() && is_all && scope > FEW_SCOPES {
            attempt.cut_short = unrolled(&attempt.report);
        }
        tried.push(attempt.figures(scope));
        let ScopeAttempt { mut report, cut_short } = attempt;
        match complete.take() {
            // The verdict for the smaller scope stays true. The larger scope adds nothing but its faults.
            Some((last, finished)) if is_known && !report.not_explored.is_empty() => {
                let unfinished = cut_short.map(|why| Unfinished { scope, paths: report.paths, why });
                let finished = with_faults_of(finished, report);
                return Ok(Deepest { scope: last, report: finished, unfinished, tried });
            }
            Some((last, finished)) if cut_short.is_some() && !is_violated(&report) => {
                let unfinished = cut_short.map(|why| Unfinished { scope, paths: report.paths, why });
                return Ok(Deepest { scope: last, report: finished, unfinished, tried });
            }
            Some((_, finished)) if is_known => report = with_faults_of(report, finished),
            _ => {}
        }
        // A larger scope that adds no path meets the same obstacles.
        let is_stuck = scope >= FEW_SCOPES
            && !report.not_explored.is_empty()
            && tried.len() > 1
            && tried[tried.len() - 2].paths == report.paths;
        let is_enough = is_stuck || is_violated(&report) && (scope >= behind || !report.not_explored.is_empty());
        if is_enough || cut_short.is_some() || leaves_nothing_out(&report) || !may_go_on() {
            return Ok(Deepest { scope, report, unfinished: None, tried });
        }
        complete = Some((scope, report));
        scope += 1;
    }
}

/// The bound on how often a branch is taken, if nothing but that left paths out. Loops grow with the scope until they meet it, as one over a long string.
fn unrolled(report: &Report) -> Option<String> {
    let is_unrolled = report.not_explored.iter().all(|entry| entry.why.is_unrolling());
    report.not_explored.first().filter(|_| is_unrolled).map(|entry| reason(&entry.why))
}

fn is_violated(report: &Report) -> bool {
    report.verdict() == Verdict::Violated
}

/// Adds the faults of another scope, each once.
fn with_faults_of(mut report: Report, other: Report) -> Report {
    for fault in other.violations {
        if !report.violations.iter().any(|known| known.has_cause_of(&fault)) {
            report.violations.push(fault);
        }
    }
    report
}

/// Were all inputs tried, whatever their size?
fn leaves_nothing_out(report: &Report) -> bool {
    !report.restrictions.iter().any(Restriction::is_bound) && report.recipes.is_empty()
}

#[cfg(test)]
mod tests {
    use lazuli_explore::NotExplored;
    use lazuli_vm::reason::{Reason, Resource};

    use super::*;
    use crate::report::{extent, samples};

    fn complete() -> ScopeAttempt {
        ScopeAttempt { report: samples::holds().report, cut_short: None }
    }

    fn cut() -> ScopeAttempt {
        let mut report = samples::holds().report;
        report.not_explored.push(NotExplored { why: Reason::PathCut(Resource::Time), at: String::new(), count: 9 });
        ScopeAttempt { report, cut_short: Some("the time ended".to_string()) }
    }

    #[test]
    fn a_loop_that_grows_with_the_scope_until_it_is_cut_takes_no_answer_away() {
        let explore = |scope, _| {
            let mut attempt = complete();
            if scope > 6 {
                let cut = NotExplored { why: Reason::Unroll(100), at: String::new(), count: 1 };
                attempt.report.not_explored.push(cut);
            }
            Ok(attempt)
        };
        let deepest = deepen::<String>(None, 0, explore, || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (6, Verdict::Holds));
        assert!(deepest.unfinished.is_some());
    }

    #[test]
    fn the_last_complete_scope_is_reported() {
        let deepest =
            deepen::<String>(None, 0, |scope, _| Ok(if scope < 4 { complete() } else { cut() }), || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (3, Verdict::Holds));
        let unfinished = Unfinished { scope: 4, paths: 1234, why: "the time ended".to_string() };
        assert_eq!(deepest.unfinished, Some(unfinished));
        let complete: Vec<(usize, bool)> = deepest.tried.iter().map(|tried| (tried.scope, tried.is_complete)).collect();
        assert_eq!(complete, [(1, true), (2, true), (3, true), (4, false)]);
    }

    #[test]
    fn what_was_explored_before_is_not_explored_again() {
        let before =
            deepen::<String>(None, 0, |scope, _| Ok(if scope < 4 { complete() } else { cut() }), || true).unwrap();
        let mut again = Vec::new();
        let explore = |scope, _| {
            again.push(scope);
            Ok(if scope < 6 { complete() } else { cut() })
        };
        let deepest = deepen::<String>(Some(before), 0, explore, || true).unwrap();
        let complete: Vec<(usize, bool)> = deepest.tried.iter().map(|tried| (tried.scope, tried.is_complete)).collect();
        assert_eq!((deepest.scope, deepest.unfinished.map(|unfinished| unfinished.scope)), (5, Some(6)));
        assert_eq!(complete, [(1, true), (2, true), (3, true), (4, true), (5, true), (6, false)]);
        assert_eq!(again, [4, 5, 6]);
    }

    #[test]
    fn a_first_scope_that_is_cut_short_is_incomplete() {
        let deepest = deepen::<String>(None, 0, |_, _| Ok(cut()), || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (1, Verdict::Incomplete));
        assert_eq!(deepest.unfinished, None);
    }

    #[test]
    fn a_fault_ends_the_search_even_in_a_scope_that_was_cut_short() {
        let violated = || ScopeAttempt { report: samples::violated().report, ..cut() };
        let deepest =
            deepen::<String>(None, 0, |scope, _| Ok(if scope < 2 { complete() } else { violated() }), || true).unwrap();
        assert_eq!((deepest.scope, deepest.report.verdict()), (2, Verdict::Violated));
    }

    fn faulty(kind: &str) -> ScopeAttempt {
        let mut report = samples::violated().report;
        report.violations[0].kind = kind.to_string();
        ScopeAttempt { report, cut_short: None }
    }

    #[test]
    fn exploration_goes_on_behind_a_fault_up_to_the_usual_scope() {
        let mut known = Vec::new();
        let explore = |scope, is_known| {
            known.push((scope, is_known));
            Ok(if scope < 2 { complete() } else { faulty(if scope < 4 { "one" } else { "two" }) })
        };
        let deepest = deepen::<String>(None, 4, explore, || true).unwrap();
        let kinds: Vec<&str> = deepest.report.violations.iter().map(|fault| fault.kind.as_str()).collect();
        assert_eq!((deepest.scope, kinds), (4, vec!["two", "one"]));
        assert_eq!(known, [(1, false), (2, false), (3, true), (4, true)]);
        let first = deepen::<String>(None, 0, |_, _| Ok(faulty("one")), || true).unwrap();
        assert_eq!((first.scope, first.report.violations.len()), (1, 1));
    }

    #[test]
    fn a_scope_that_is_cut_short_behind_a_fault_adds_its_faults_alone() {
        let explore = |scope, _| {
            let mut attempt = faulty(if scope == 1 { "one" } else { "two" });
            if scope == 2 {
                attempt.report.not_explored = cut().report.not_explored;
                attempt.cut_short = Some("it took long".to_string());
            }
            Ok(attempt)
        };
        let deepest = deepen::<String>(None, 3, explore, || true).unwrap();
        let kinds: Vec<&str> = deepest.report.violations.iter().map(|fault| fault.kind.as_str()).collect();
        assert_eq!((deepest.scope, kinds, deepest.report.not_explored.len()), (1, vec!["one", "two"], 0));
        assert_eq!(deepest.unfinished.map(|unfinished| unfinished.scope), Some(2));
    }

    #[test]
    fn a_scope_that_leaves_nothing_out_is_the_last() {
        let all = |scope, _| {
            let mut attempt = complete();
            if scope == 2 {
                attempt.report.restrictions.clear();
            }
            Ok(attempt)
        };
        let deepest = deepen::<String>(None, 0, all, || true).unwrap();
        assert_eq!((deepest.scope, extent(&deepest.report).as_str()), (2, "all inputs"));
    }

    #[test]
    fn no_scope_is_begun_without_time() {
        assert_eq!(deepen::<String>(None, 0, |_, _| Ok(complete()), || false).unwrap().scope, 1);
        assert!(deepen::<String>(None, 0, |_, _| Err("no machine".to_string()), || true).is_err());
    }
}
