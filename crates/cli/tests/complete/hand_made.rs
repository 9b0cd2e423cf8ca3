//! Does the judge itself tell right from wrong? Explorations that were made by hand, some with faults.

use std::sync::Arc;

use lazuli_explore::{Drawn, Ending, Outcome, Picture, Report, Shown, ShownContents};
use lazuli_logic::expression::Named;
use lazuli_logic::{Binary, Constant, Expression, Sort, Unary};
use libtest_mimic::{Failed, Trial};

use super::judge::judge;
use super::runs::Runs;

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("judge.right_paths_pass", || judged(paths(), "")),
        Trial::test("judge.a_missing_path_is_noticed", || judged(without(0), "takes no path")),
        Trial::test("judge.two_paths_for_one_input_are_noticed", || judged(twice(), "takes two paths")),
        Trial::test("judge.a_wrong_result_is_noticed", || judged(with_result(1, number(9)), "is Int(9)")),
        Trial::test("judge.a_wrong_end_is_noticed", || {
            judged(changed(0, |path| path.ending = Ending::Returned), "a run ends with")
        }),
        Trial::test("judge.a_path_without_a_run_is_noticed", || judged(with_an_impossible_path(), "no input takes")),
        Trial::test("judge.a_write_that_was_forgotten_is_noticed", || {
            judged(changed(1, |path| path.output = path.input.clone()), "the heap after a run differs")
        }),
        Trial::test("judge.elements_at_symbolic_indices_are_found", elements),
    ]
}

/// `int take(Cell cell, int index)` throws on null; it puts `index` into the value, and returns what was there.
const RUNS: &str = "roots\tcell\tindex
run\tn i1\tthrew java.lang.NullPointerException\t=
class\t0\tCell java.lang.Object\tvalue
run\t@0 i1;0 i3\treturned result\t@0 i1 i3;0 i1
run\t@0 i0;0 i4\treturned result\t@0 i0 i4;0 i0";

fn paths() -> Vec<Outcome> {
    let cell = |value: Expression| Drawn {
        name: "cell".into(),
        class: "Cell".into(),
        is_exact: false,
        among: Vec::new(),
        is_new: false,
        is_constant: false,
        links: Vec::new(),
        contents: ShownContents::Fields(vec![("value".into(), Shown::Value(value))]),
    };
    let roots = || {
        let index = Shown::Value(variable("index"));
        vec![("cell".to_string(), Shown::Object(0)), ("index".to_string(), index)]
    };
    let input = Picture { roots: roots(), objects: vec![cell(variable("cell.value"))], ..Picture::default() };
    let output = Picture { roots: roots(), objects: vec![cell(variable("index"))], ..Picture::default() };
    let thrown = Ending::Threw {
        class: "java.lang.NullPointerException".into(),
        message: None,
        trace: vec![],
        is_allowed: false,
    };
    let nothing = Picture {
        roots: vec![("cell".into(), Shown::Null), ("index".into(), Shown::Value(variable("index")))],
        ..Picture::default()
    };
    vec![
        outcome(thrown, nothing.clone(), nothing, None),
        outcome(Ending::Returned, input, output, Some(Shown::Value(variable("cell.value")))),
    ]
}

fn without(index: usize) -> Vec<Outcome> {
    let mut paths = paths();
    paths.remove(index);
    paths
}

fn twice() -> Vec<Outcome> {
    let mut paths = paths();
    paths.push(paths[1].clone());
    paths
}

fn changed(index: usize, change: impl Fn(&mut Outcome)) -> Vec<Outcome> {
    let mut paths = paths();
    change(&mut paths[index]);
    paths
}

fn with_result(index: usize, result: Expression) -> Vec<Outcome> {
    changed(index, |path| path.result = Some(Shown::Value(result.clone())))
}

fn with_an_impossible_path() -> Vec<Outcome> {
    let mut paths = paths();
    let mut path = paths[1].clone();
    path.condition = vec![Expression::Binary(Binary::Less, Arc::new(variable("index")), Arc::new(number(0)))];
    paths.push(path);
    paths
}

/// `a[i] == a[j]` for different indices: what is drawn at an index is found only when the index is known.
fn elements() -> Result<(), Failed> {
    let runs = "roots\ta\ti\tj
class\t0\tint[] java.lang.Object\t
run\t@0 i1 i0;0 i5 i6\treturned result\t@0 i1 i0 i0;0 i5 i6";
    let array = Drawn {
        name: "a".into(),
        class: "[I".into(),
        is_exact: true,
        among: Vec::new(),
        is_new: false,
        is_constant: false,
        links: Vec::new(),
        contents: ShownContents::Elements {
            length: variable("a.length"),
            items: vec![
                (variable("i"), Shown::Value(variable("a[i]"))),
                (variable("j"), Shown::Value(variable("a[j]"))),
            ],
            others: Shown::Unread,
        },
    };
    let roots = vec![
        ("a".to_string(), Shown::Object(0)),
        ("i".to_string(), Shown::Value(variable("i"))),
        ("j".to_string(), Shown::Value(variable("j"))),
    ];
    let picture = Picture { roots, objects: vec![array], ..Picture::default() };
    let equal = |left: &str, right: &str| {
        Expression::Binary(Binary::Equal, Arc::new(variable(left)), Arc::new(variable(right)))
    };
    let not = |truth: Expression| Expression::Unary(Unary::Not, Arc::new(truth));
    let mut path = outcome(Ending::Returned, picture.clone(), picture, Some(Shown::Value(number(0))));
    path.condition = vec![not(equal("i", "j")), not(equal("a[i]", "a[j]"))];
    check(runs, vec![path.clone()], "")?;
    path.condition[1] = equal("a[i]", "a[j]");
    check(runs, vec![path], "takes no path")
}

fn outcome(ending: Ending, input: Picture, output: Picture, result: Option<Shown>) -> Outcome {
    Outcome {
        trace: vec![],
        ending,
        condition: vec![],
        input,
        output,
        result,
        lines: vec![],
        example: None,
        after: None,
        case: None,
        concurrent: None,
        steps: Vec::new(),
        finding: None,
        schedule: None,
    }
}

fn variable(name: &str) -> Expression {
    let range = (i32::MIN.into(), i32::MAX.into());
    Expression::Variable(Arc::new(Named { name: name.into(), sort: Sort::Int, range }))
}

fn number(value: i32) -> Expression {
    Expression::Constant(Constant::Int(value))
}

fn judged(paths: Vec<Outcome>, expected: &str) -> Result<(), Failed> {
    check(RUNS, paths, expected)
}

/// The complaint must contain a text; an empty one means that there must be none.
fn check(runs: &str, outcomes: Vec<Outcome>, expected: &str) -> Result<(), Failed> {
    let report = Report { outcomes, ..Report::default() };
    match judge(&report, &Runs::read(runs)?, 0) {
        Ok(()) if expected.is_empty() => Ok(()),
        Err(complaint) if !expected.is_empty() && complaint.contains(expected) => Ok(()),
        other => Err(format!("expected {expected:?}, but the judge says {other:?}").into()),
    }
}
