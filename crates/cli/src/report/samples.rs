//! Hand-made reports, for the tests of all that prints them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use lazuli_explore::{
    After, Bounds, Drawn, Ending, Ends, FindingKind, NotExplored, Outcome, Picture, ProblemFigures, Report, Shown,
    ShownContents, Violation,
};
use lazuli_logic::expression::Named;
use lazuli_logic::{Binary, Constant, Expression, SolverStatistics, Sort};
use lazuli_spec::SourceLine;
use lazuli_vm::reason::Reason;
use lazuli_vm::universe::Restriction;

use super::{Finding, Tried, Unfinished};

pub(crate) fn int(value: i32) -> Expression {
    Expression::Constant(Constant::Int(value))
}

/// An unknown `int`.
pub(crate) fn unknown(name: &str) -> Shown {
    Shown::Value(variable(name))
}

fn variable(name: &str) -> Expression {
    let range = (i32::MIN as i64, i32::MAX as i64);
    Expression::Variable(Arc::new(Named { name: name.to_string(), sort: Sort::Int, range }))
}

fn less(left: Expression, right: Expression) -> Expression {
    Expression::Binary(Binary::Less, Arc::new(left), Arc::new(right))
}

/// An input object without fields that may be of a subclass.
pub(crate) fn drawn(name: &str, class: &str) -> Drawn {
    let contents = ShownContents::Fields(Vec::new());
    Drawn {
        name: name.to_string(),
        class: class.to_string(),
        is_exact: false,
        among: Vec::new(),
        is_new: false,
        is_constant: false,
        links: Vec::new(),
        contents,
    }
}

fn node(name: &str, fields: &[(&str, Shown)]) -> Drawn {
    let fields = fields.iter().map(|(name, shown)| (name.to_string(), shown.clone())).collect();
    Drawn { contents: ShownContents::Fields(fields), links: vec!["next".to_string()], ..drawn(name, "acme.Node") }
}

/// Two nodes that refer to each other.
pub(crate) fn swapped() -> Picture {
    let first = node("this", &[("elem", unknown("this.elem")), ("next", Shown::Object(1))]);
    let second =
        node("this.next", &[("elem", Shown::Value(int(5))), ("next", Shown::Object(0)), ("label", Shown::Unread)]);
    let second = Drawn { is_exact: true, ..second };
    Picture { roots: vec![("this".to_string(), Shown::Object(0))], objects: vec![first, second], ..Picture::default() }
}

fn one_node(elem: Shown) -> Picture {
    let this = node("this", &[("elem", elem), ("next", Shown::Null)]);
    Picture { roots: vec![("this".to_string(), Shown::Object(0))], objects: vec![this], ..Picture::default() }
}

fn places(lines: &[u16]) -> Vec<SourceLine> {
    lines
        .iter()
        .map(|line| SourceLine { package: "acme".to_string(), file: "Node.java".to_string(), line: *line })
        .collect()
}

/// A path that returns an object.
pub(crate) fn returned() -> Outcome {
    Outcome {
        trace: vec![1, 0],
        ending: Ending::Returned,
        condition: vec![less(int(0), variable("this.elem")), less(variable("this.elem"), variable("key"))],
        input: swapped(),
        output: swapped(),
        result: Some(Shown::Object(1)),
        lines: places(&[10, 11, 12, 15]),
        example: None,
        steps: Vec::new(),
        after: None,
        case: None,
        finding: None,
        schedule: None,
        concurrent: None,
    }
}

fn threw() -> Outcome {
    let ending = Ending::Threw {
        class: "java.lang.NullPointerException".to_string(),
        message: Some("because \"this.next\" is null".to_string()),
        trace: vec!["acme.Node.swap(Node.java:12)".to_string()],
        is_allowed: false,
    };
    let mut output = one_node(unknown("this.elem"));
    output.objects.push(Drawn { is_new: true, ..drawn("new Cell#1", "acme.Cell") });
    Outcome {
        trace: vec![0],
        ending,
        condition: vec![less(int(0), variable("this.elem"))],
        input: one_node(unknown("this.elem")),
        output,
        result: None,
        lines: places(&[10, 11, 12, 10]),
        example: Some(one_node(Shown::Value(int(1)))),
        steps: Vec::new(),
        after: Some(After { heap: one_node(Shown::Value(int(1))), result: None }),
        case: None,
        finding: None,
        schedule: None,
        concurrent: None,
    }
}

/// A target of which nothing bad is known.
pub(crate) fn holds() -> Finding {
    let report = Report {
        target: "acme.Node.swap(I)Lacme/Node;".to_string(),
        title: "acme.Node.swap(int)".to_string(),
        begins: places(&[10]).pop(),
        paths: 1234,
        pruned: 2,
        redundant: 0,
        has_threads: false,
        infeasible: 3,
        ends: Ends { returned: 1233, threw: 1, ..Ends::default() },
        solver: SolverStatistics {
            asked: 40,
            trivial: 1,
            by_model: 20,
            by_memory: 2,
            by_order: 10,
            by_smt: 7,
            ..SolverStatistics::default()
        },
        reused_witnesses: 9,
        objects_max: 3,
        restrictions: BTreeSet::from([Restriction::Scope { class: "Node".to_string(), most: 3 }]),
        elapsed: Duration::from_millis(12),
        ..Report::default()
    };
    Finding {
        technique: "lazy".to_string(),
        bounds: Bounds::default(),
        report,
        confirmations: Vec::new(),
        unfinished: None,
        tried: vec![Tried { scope: 3, paths: 1234, elapsed: Duration::from_millis(12), is_complete: true }],
        elapsed: Duration::from_millis(12),
        peak_memory: 30,
        is_abridged: false,
        is_reused: false,
    }
}

/// The same, found by deepening that did not come to the end of the next scope.
pub(crate) fn holds_so_far() -> Finding {
    let unfinished = Unfinished { scope: 4, paths: 100_000, why: "the time limit was reached".to_string() };
    Finding { unfinished: Some(unfinished), elapsed: Duration::from_secs(60), ..holds() }
}

pub(crate) fn violated() -> Finding {
    let mut finding = holds();
    finding.report.violations.push(Violation {
        finding: FindingKind::Defect,
        kind: "NullPointerException".to_string(),
        message: "because \"this.next\" is null".to_string(),
        at: "Node.java:12".to_string(),
        place: places(&[12]).pop(),
        instruction: None,
        parameter: None,
        outcome: threw(),
        clause: None,
        count: 2,
    });
    finding.report.outcomes = vec![threw(), returned()];
    finding.report.ends = Ends { returned: 1, threw: 1, ..Ends::default() };
    finding.report.paths = 2;
    finding
}

/// The same, by the engine that follows no paths.
pub(crate) fn as_problem(mut finding: Finding) -> Finding {
    finding.report.problem = Some(ProblemFigures { gates: 4321, unroll: 8, made: 1, is_translated: true });
    (finding.report.paths, finding.report.sat_calls) = (0, 21);
    finding.report.ends = Ends::default();
    finding.report.violations.iter_mut().for_each(|violation| violation.count = 1);
    finding.report.outcomes.clear();
    finding
}

pub(crate) fn incomplete() -> Finding {
    let mut finding = holds();
    finding.report.ends.unsupported = 2;
    finding.report.not_explored = vec![
        NotExplored {
            why: Reason::Unmodelled("unsupported: a native".to_string()),
            at: "acme.Node.swap(Node.java:9)".into(),
            count: 2,
        },
        NotExplored { why: Reason::Unmodelled("time".to_string()), at: String::new(), count: 1 },
    ];
    finding
}

#[cfg(test)]
mod tests {
    use lazuli_testgen::java::TestDescription;

    #[test]
    fn conditions_and_shapes_become_names_of_tests() {
        let told = TestDescription::of("swap", &super::returned(), None);
        assert_eq!(told.features[0], "onOneNode");
        assert!(told.features.contains(&"elemAbove0".to_string()), "{:?}", told.features);
        assert!(told.features.contains(&"nextNextIsThis".to_string()), "{:?}", told.features);
    }
}
