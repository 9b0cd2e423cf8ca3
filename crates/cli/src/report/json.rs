//! How is a finding reported to programs? The fields are fixed in the user's documentation; more may be added.

use std::collections::BTreeMap;

use lazuli_console::visible::{readable, visible_json};
use lazuli_explore::{
    After, Bounds, ConcurrentCall, ConcurrentCalls, Drawn, Ending, Ends, NotExplored, Outcome, Picture, PieceFigures,
    PropertyBreach, PropertyStep, Report, ScheduleStep, Shown, ShownCall, ShownContents, StandingThread, UnusedClause,
    Verdict, Violation,
};
use lazuli_logic::{Constant, Expression};
use lazuli_spec::SourceLine;
use serde::{Serialize, Serializer};

use super::{Finding, assumption, concurrent, extent, fast_answers, property, reasons, restriction, schedule};
use crate::confirm::{Confirmation, JvmVerdict};

/// One object; on one line, or indented for a reader.
pub(crate) fn json(finding: &Finding, is_pretty: bool) -> String {
    let view = View::of(finding);
    let text = if is_pretty { serde_json::to_string_pretty(&view) } else { serde_json::to_string(&view) };
    visible_json(text.expect("plain structs with texts as keys can always be written")) + "\n"
}

/// The same for a target, by its name and its title, or for a whole request, about which nothing can be said.
pub(crate) fn json_error(named: Option<(&str, &str)>, why: &str, is_pretty: bool) -> String {
    let (target, title) = named.unzip();
    let view = ErrorView { target, title, verdict: "not checked", error: why };
    let text = if is_pretty { serde_json::to_string_pretty(&view) } else { serde_json::to_string(&view) };
    visible_json(text.expect("texts can always be written")) + "\n"
}

#[derive(Serialize)]
struct ErrorView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    verdict: &'static str,
    error: &'a str,
}

#[derive(Serialize)]
struct View<'a> {
    target: &'a str,
    title: &'a str,
    technique: &'a str,
    engine: &'static str,
    scope: BTreeMap<&'a str, usize>,
    /// Of `--engine sat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<lazuli_explore::ProblemFigures>,
    /// Of its pieces, if several workers shared it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<PiecesView<'a>>,
    /// Of the numbers in inputs, if these have fewer than Java gives them.
    #[serde(skip_serializing_if = "Option::is_none")]
    int_bits: Option<u32>,
    verdict: &'static str,
    /// For what it holds: "all inputs", or "every input with at most …".
    extent: Option<String>,
    /// Of what is violated: for what it holds otherwise, if all of that was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    otherwise: Option<String>,
    unfinished: Option<UnfinishedView<'a>>,
    /// The assumptions of the verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// Clauses of JML that have no effect.
    #[serde(skip_serializing_if = "<[UnusedClause]>::is_empty")]
    unused_clauses: &'a [UnusedClause],
    paths: u64,
    /// Executions of threads that were given up because they would only repeat others.
    #[serde(skip_serializing_if = "Option::is_none")]
    redundant: Option<u64>,
    pruned: u64,
    infeasible: u64,
    assumed_away: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<StatesView>,
    ends: EndsView,
    solver: SolverView,
    /// Of the inputs of paths that returned, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<ShapesView>,
    objects_max: usize,
    time_ms: u64,
    peak_memory_mb: u64,
    /// Was it found by an earlier run? Left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    violations: Vec<ViolationView<'a>>,
    /// Everything else that was noticed.
    findings: Vec<FindingView<'a>>,
    not_explored: Vec<NotExploredView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<OutcomeView<'a>>,
}

#[derive(Serialize)]
struct PiecesView<'a> {
    #[serde(flatten)]
    figures: &'a PieceFigures,
    /// The work of the busiest worker as a multiple of the mean.
    balance: Option<f64>,
}

#[derive(Serialize)]
struct UnfinishedView<'a> {
    scope: usize,
    paths: u64,
    why: &'a str,
}

#[derive(Serialize)]
struct EndsView {
    returned: u64,
    threw: u64,
    exited: u64,
    /// Only where there are threads.
    #[serde(skip_serializing_if = "is_zero")]
    deadlocked: u64,
    /// Only where there are properties.
    #[serde(skip_serializing_if = "is_zero")]
    broken: u64,
    limit: u64,
    unsupported: u64,
    unknown: u64,
}

#[derive(Serialize)]
struct ShapesView {
    /// Unread references count as null.
    whole: u64,
    /// They count as something of their own.
    partial: u64,
}

#[derive(Serialize)]
struct SolverView {
    smt_calls: u64,
    /// Answered without the SMT solver.
    fast_calls: u64,
    structure_calls: u64,
    sat_calls: u64,
    cache_hits: u64,
    cache_misses: u64,
    cache_stores: u64,
    reused_witnesses: u64,
    unknown: u64,
}

#[derive(Serialize)]
struct ViolationView<'a> {
    kind: &'a str,
    message: &'a str,
    at: &'a str,
    /// The clause of JML that is not kept, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'a str>,
    count: u64,
    #[serde(flatten)]
    outcome: OutcomeView<'a>,
    /// Does it fail in the same way on the user's JVM? Null if it was not run.
    confirmed_on_jvm: Option<bool>,
    /// Why it is not true.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_confirmed: Option<&'a str>,
    /// The program that makes the input and calls the target, statement by statement, if it needs no reflection.
    calls: Vec<String>,
    /// A class of JUnit 5 with one test, which fails.
    test: Option<&'a str>,
}

/// A finding that is no defect: a rejection, a null argument, or a note.
#[derive(Serialize)]
struct FindingView<'a> {
    kind: &'static str,
    /// The exception, or the part of the contract that is not kept.
    what: &'a str,
    message: &'a str,
    at: &'a str,
    /// The parameter that is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    count: u64,
    #[serde(flatten)]
    outcome: OutcomeView<'a>,
}

#[derive(Serialize)]
struct NotExploredView<'a> {
    why: String,
    /// The resource that ran out, if that is why: `time`, `memory`, `paths`, or `stopped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    r#where: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct OutcomeView<'a> {
    ending: EndingView<'a>,
    condition: Vec<String>,
    input: PictureView<'a>,
    output: PictureView<'a>,
    result: Option<ShownView<'a>>,
    example: Option<PictureView<'a>>,
    /// The example after the method.
    after: Option<AfterView<'a>>,
    lines: Vec<String>,
    /// The choices that lead here.
    trace: &'a [u16],
    /// The order of what the threads did, if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleView<'a>>,
    /// The calls of the threads on one object, and why no order explains them.
    #[serde(skip_serializing_if = "Option::is_none")]
    concurrent: Option<ConcurrentView<'a>>,
}

#[derive(Serialize)]
struct ConcurrentView<'a> {
    /// The calls of each thread.
    threads: Vec<Vec<ConcurrentCallView<'a>>>,
    orders: Vec<OrderView<'a>>,
}

#[derive(Serialize)]
struct ConcurrentCallView<'a> {
    call: &'a str,
    end: String,
}

#[derive(Serialize)]
struct OrderView<'a> {
    calls: &'a [String],
    why: String,
}

#[derive(Serialize)]
struct ScheduleView<'a> {
    threads: &'a [String],
    steps: Vec<StepView<'a>>,
}

#[derive(Serialize)]
struct StepView<'a> {
    /// By its position in `threads`.
    thread: usize,
    /// `read`, `write`, `lock`, `start` …
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<&'a str>,
    at: &'a str,
    /// That is read or written.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
}

#[derive(Serialize)]
struct StandingView<'a> {
    thread: &'a str,
    waits_for: String,
    holds: &'a [String],
    at: &'a str,
    stack: &'a [String],
}

#[derive(Serialize)]
struct AfterView<'a> {
    heap: PictureView<'a>,
    result: Option<ShownView<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "how", rename_all = "snake_case")]
enum EndingView<'a> {
    Returned,
    Threw { class: &'a str, message: Option<&'a str>, stack: &'a [String], allowed: bool },
    Exited { code: i32 },
    Deadlock { threads: Vec<StandingView<'a>> },
    BrokeProperty { property: &'a str, what: &'a str, object: Option<&'a str>, events: Vec<EventView<'a>> },
    Limit { which: String, at: &'a str },
    Unsupported { what: String, at: &'a str },
    Unknown { at: &'a str },
}

#[derive(Serialize)]
struct EventView<'a> {
    event: &'static str,
    /// The method, field or class.
    #[serde(skip_serializing_if = "str::is_empty")]
    on: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<&'a str>,
    at: &'a str,
    /// That it leads to; none at the error.
    state: Option<&'a str>,
}

#[derive(Serialize)]
struct PictureView<'a> {
    roots: InOrder<'a>,
    objects: Vec<ObjectView<'a>>,
    /// The calls that made the objects, where calls did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<CallView<'a>>,
}

#[derive(Serialize)]
struct CallView<'a> {
    on: &'a str,
    /// The name of the method; `new` and the class for a constructor.
    method: &'a str,
    arguments: Vec<ShownView<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    threw: bool,
}

#[derive(Serialize)]
struct ObjectView<'a> {
    name: &'a str,
    class: &'a str,
    exact: bool,
    /// The classes of the class path that it may have, if it is not exact.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    among: &'a [String],
    new: bool,
    #[serde(flatten)]
    contents: ContentsView<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ContentsView<'a> {
    Fields { fields: InOrder<'a> },
    Elements { length: NumberView, elements: Vec<ElementView<'a>>, others: ShownView<'a> },
    Text { text: String },
}

#[derive(Serialize)]
struct ElementView<'a> {
    index: NumberView,
    value: ShownView<'a>,
}

/// A null, a number or truth value, or an object that says what else it is.
#[derive(Serialize)]
#[serde(untagged)]
enum ShownView<'a> {
    Null,
    Number(NumberView),
    Object { object: &'a str },
    Unread { unread: bool },
    Unknown { unknown: &'a str, may_be_null: bool },
}

#[derive(Serialize)]
#[serde(untagged)]
enum NumberView {
    Truth(bool),
    Whole(i64),
    Floating(f64),
    /// As Java writes it: `this.elem + 1`, `Double.NaN`.
    Expression {
        expression: String,
    },
}

/// Names and values as an object whose order is kept.
struct InOrder<'a>(Vec<(&'a str, ShownView<'a>)>);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, shown)| (name, shown)))
    }
}

impl<'a> View<'a> {
    fn of(finding: &'a Finding) -> View<'a> {
        let report = &finding.report;
        View {
            target: &report.target,
            title: &report.title,
            technique: &finding.technique,
            engine: finding.engine(),
            scope: scope(&finding.bounds),
            problem: report.problem,
            pieces: report.pieces.as_ref().map(|figures| PiecesView { figures, balance: figures.balance() }),
            int_bits: finding.bounds.int_bits,
            verdict: match finding.verdict() {
                Verdict::Holds => "holds",
                Verdict::Violated => "violated",
                Verdict::Incomplete => "incomplete",
            },
            extent: (finding.verdict() == Verdict::Holds).then(|| extent(report)),
            otherwise: finding.holds_otherwise().then(|| extent(report)),
            assumptions: report
                .assumptions
                .iter()
                .map(assumption)
                .chain(report.restrictions.iter().filter_map(restriction))
                .collect(),
            warnings: finding.warnings(),
            unused_clauses: &report.unused_clauses,
            unfinished: finding.unfinished.as_ref().map(|unfinished| UnfinishedView {
                scope: unfinished.scope,
                paths: unfinished.paths,
                why: &unfinished.why,
            }),
            paths: report.paths,
            redundant: report.has_threads.then_some(report.redundant),
            pruned: report.pruned,
            infeasible: report.infeasible,
            assumed_away: report.assumed_away,
            states: report.states.map(|states| StatesView {
                pre: states.pre,
                b_post: states.before_post,
                a_post: states.after_post,
                visited: states.visited,
            }),
            ends: ends(&report.ends),
            solver: solver(report),
            shapes: report.shapes.map(|counts| ShapesView { whole: counts.whole, partial: counts.partial }),
            objects_max: report.objects_max,
            time_ms: finding.elapsed.as_millis() as u64,
            peak_memory_mb: finding.peak_memory,
            reused: finding.is_reused,
            violations: (report.violations.iter().enumerate())
                .map(|(index, found)| {
                    let confirmation = finding.confirmations.get(index);
                    let calls = finding.calls(index).or_else(|| Some(confirmation?.calls.clone()));
                    violation(found, confirmation, calls.unwrap_or_default())
                })
                .collect(),
            findings: report.findings.iter().map(noticed).collect(),
            not_explored: report.not_explored.iter().map(not_explored).collect(),
            outcomes: report.outcomes.iter().map(outcome).collect(),
        }
    }
}

/// `*` stands for every class that is not named.
fn scope(bounds: &Bounds) -> BTreeMap<&str, usize> {
    let named = bounds.scope_of.iter().map(|(class, scope)| (class.as_str(), *scope));
    named.chain([("*", bounds.scope)]).collect()
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn ends(ends: &Ends) -> EndsView {
    let Ends { returned, threw, exited, deadlocked, broken, limit, unsupported, unknown } = *ends;
    EndsView { returned, threw, exited, deadlocked, broken, limit, unsupported, unknown }
}

fn solver(report: &Report) -> SolverView {
    let statistics = &report.solver;
    SolverView {
        smt_calls: statistics.by_smt,
        fast_calls: fast_answers(statistics),
        structure_calls: report.structure_calls,
        sat_calls: report.sat_calls,
        cache_hits: report.cache.hits,
        cache_misses: report.cache.misses,
        cache_stores: report.cache.stored,
        reused_witnesses: report.reused_witnesses,
        unknown: statistics.unknown,
    }
}

fn violation<'a>(
    violation: &'a Violation,
    confirmation: Option<&'a Confirmation>,
    calls: Vec<String>,
) -> ViolationView<'a> {
    let on_jvm = confirmation.map_or(&JvmVerdict::NotAsked, |confirmation| &confirmation.on_jvm);
    ViolationView {
        kind: &violation.kind,
        message: &violation.message,
        at: &violation.at,
        clause: violation.clause.as_deref(),
        count: violation.count,
        outcome: outcome(&violation.outcome),
        confirmed_on_jvm: match on_jvm {
            JvmVerdict::Confirmed { .. } => Some(true),
            JvmVerdict::Differs { .. } | JvmVerdict::NotConfirmed { .. } => Some(false),
            JvmVerdict::NotAsked => None,
        },
        not_confirmed: match on_jvm {
            JvmVerdict::Differs { what, .. } => Some(what),
            JvmVerdict::NotConfirmed { why } => Some(why),
            JvmVerdict::NotAsked | JvmVerdict::Confirmed { .. } => None,
        },
        calls,
        test: confirmation.and_then(|confirmation| confirmation.test.as_deref()),
    }
}

fn noticed(found: &Violation) -> FindingView<'_> {
    FindingView {
        kind: found.finding.name(),
        what: &found.kind,
        message: &found.message,
        at: &found.at,
        parameter: found.parameter.as_deref(),
        count: found.count,
        outcome: outcome(&found.outcome),
    }
}

fn not_explored(not_explored: &NotExplored) -> NotExploredView<'_> {
    NotExploredView {
        why: reasons::reason(&not_explored.why),
        limit: not_explored.why.resource().map(reasons::resource_name),
        r#where: &not_explored.at,
        count: not_explored.count,
    }
}

fn outcome(outcome: &Outcome) -> OutcomeView<'_> {
    OutcomeView {
        ending: ending(&outcome.ending),
        condition: outcome.condition.iter().map(Expression::to_string).collect(),
        input: picture(&outcome.input),
        output: picture(&outcome.output),
        result: outcome.result.as_ref().map(|result| shown(&outcome.output, result)),
        example: outcome.example.as_ref().map(picture),
        after: outcome.after.as_ref().map(after),
        lines: outcome.lines.iter().map(|SourceLine { file, line, .. }| format!("{file}:{line}")).collect(),
        trace: &outcome.trace,
        schedule: outcome.schedule.as_ref().map(|schedule| ScheduleView {
            threads: &schedule.threads,
            steps: schedule.steps.iter().map(step).collect(),
        }),
        concurrent: outcome.concurrent.as_ref().map(concurrent_calls),
    }
}

fn concurrent_calls(calls: &ConcurrentCalls) -> ConcurrentView<'_> {
    ConcurrentView {
        threads: calls.threads.iter().map(|calls| calls.iter().map(concurrent_call).collect()).collect(),
        orders: calls
            .orders
            .iter()
            .map(|order| OrderView { calls: &order.calls, why: concurrent::mismatch(&order.why) })
            .collect(),
    }
}

fn concurrent_call(call: &ConcurrentCall) -> ConcurrentCallView<'_> {
    ConcurrentCallView { call: &call.call, end: concurrent::end(&call.end) }
}

fn step(step: &ScheduleStep) -> StepView<'_> {
    let ScheduleStep { thread, action, at, place: _, value } = step;
    let value = value.as_deref();
    StepView { thread: *thread, action: schedule::verb(action), on: schedule::subject(action), at, value }
}

fn standing(thread: &StandingThread) -> StandingView<'_> {
    let StandingThread { name, waits, at, holds, stack } = thread;
    StandingView { thread: name, waits_for: schedule::wait(waits), holds, at, stack }
}

fn after(after: &After) -> AfterView<'_> {
    let result = after.result.as_ref().map(|result| shown(&after.heap, result));
    AfterView { heap: picture(&after.heap), result }
}

fn ending(ending: &Ending) -> EndingView<'_> {
    match ending {
        Ending::Returned => EndingView::Returned,
        Ending::Threw { class, message, trace, is_allowed } => {
            EndingView::Threw { class, message: message.as_deref(), stack: trace, allowed: *is_allowed }
        }
        Ending::Exited(code) => EndingView::Exited { code: *code },
        Ending::Deadlock { threads } => EndingView::Deadlock { threads: threads.iter().map(standing).collect() },
        Ending::Broken(PropertyBreach { property, what, object, word }) => EndingView::BrokeProperty {
            property,
            what,
            object: object.as_deref(),
            events: word.iter().map(property_event).collect(),
        },
        Ending::Limit { which, at } => EndingView::Limit { which: format!("{which:?}").to_lowercase(), at },
        Ending::Unsupported { what, at } => EndingView::Unsupported { what: reasons::reason(what), at },
        Ending::Unknown { at } => EndingView::Unknown { at },
    }
}

fn property_event(step: &PropertyStep) -> EventView<'_> {
    let PropertyStep { kind, subject, thread, at, place: _, state } = step;
    EventView { event: property::verb(*kind), on: subject, thread: thread.as_deref(), at, state: state.as_deref() }
}

fn picture(picture: &Picture) -> PictureView<'_> {
    PictureView {
        roots: in_order(picture, &picture.roots),
        objects: picture.objects.iter().map(|object| object_view(picture, object)).collect(),
        calls: picture.calls.iter().map(|call| call_view(picture, call)).collect(),
    }
}

fn call_view<'a>(picture: &'a Picture, call: &'a ShownCall) -> CallView<'a> {
    let arguments = call.arguments.iter().map(|argument| shown(picture, argument)).collect();
    CallView { on: &call.on, method: &call.name, arguments, threw: call.threw }
}

fn object_view<'a>(picture: &'a Picture, object: &'a Drawn) -> ObjectView<'a> {
    let contents = match &object.contents {
        ShownContents::Fields(fields) => ContentsView::Fields { fields: in_order(picture, fields) },
        ShownContents::Elements { length, items, others } => ContentsView::Elements {
            length: number(length),
            elements: items
                .iter()
                .map(|(index, value)| ElementView { index: number(index), value: shown(picture, value) })
                .collect(),
            others: shown(picture, others),
        },
        ShownContents::Text(text) => ContentsView::Text { text: readable(text) },
    };
    ObjectView {
        name: &object.name,
        class: &object.class,
        exact: object.is_exact,
        among: &object.among,
        new: object.is_new,
        contents,
    }
}

fn in_order<'a>(picture: &'a Picture, pairs: &'a [(String, Shown)]) -> InOrder<'a> {
    InOrder(pairs.iter().map(|(name, value)| (name.as_str(), shown(picture, value))).collect())
}

fn shown<'a>(picture: &'a Picture, value: &'a Shown) -> ShownView<'a> {
    match value {
        Shown::Unread => ShownView::Unread { unread: true },
        Shown::Null => ShownView::Null,
        Shown::Object(index) => match picture.objects.get(*index) {
            Some(object) => ShownView::Object { object: &object.name },
            None => ShownView::Unread { unread: true },
        },
        Shown::Value(expression) => ShownView::Number(number(expression)),
        Shown::Unknown { class, may_be_null } => ShownView::Unknown { unknown: class, may_be_null: *may_be_null },
    }
}

fn number(expression: &Expression) -> NumberView {
    match expression {
        Expression::Constant(Constant::Bool(value)) => NumberView::Truth(*value),
        Expression::Constant(Constant::Int(value)) => NumberView::Whole(i64::from(*value)),
        Expression::Constant(Constant::Long(value)) => NumberView::Whole(*value),
        Expression::Constant(Constant::Float(bits)) if f32::from_bits(*bits).is_finite() => {
            NumberView::Floating(f64::from(f32::from_bits(*bits)))
        }
        Expression::Constant(Constant::Double(bits)) if f64::from_bits(*bits).is_finite() => {
            NumberView::Floating(f64::from_bits(*bits))
        }
        other => NumberView::Expression { expression: other.to_string() },
    }
}

/// The columns of Kiasan's Table 1.
#[derive(Serialize)]
struct StatesView {
    pre: u64,
    b_post: u64,
    a_post: u64,
    visited: u64,
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_fixed_fields_are_there() {
        let expected = concat!(
            r#"{"target":"acme.Node.swap(I)Lacme/Node;","title":"acme.Node.swap(int)","technique":"lazy","#,
            r#""engine":"paths","scope":{"*":3},"verdict":"holds","#,
            r#""extent":"every input with at most 3 Node objects","#,
            r#""unfinished":{"scope":4,"paths":100000,"why":"the time limit was reached"},"#,
            r#""paths":1234,"pruned":2,"infeasible":3,"assumed_away":0,"#,
            r#""ends":{"returned":1233,"threw":1,"exited":0,"limit":0,"unsupported":0,"unknown":0},"#,
            r#""solver":{"smt_calls":7,"fast_calls":33,"structure_calls":0,"sat_calls":0,"#,
            r#""cache_hits":0,"cache_misses":0,"cache_stores":0,"reused_witnesses":9,"unknown":0},"#,
            r#""objects_max":3,"time_ms":60000,"peak_memory_mb":30,"violations":[],"findings":[],"#,
            r#""not_explored":[]}"#,
            "\n"
        );
        assert_eq!(json(&samples::holds_so_far(), false), expected);
    }

    #[test]
    fn violations_carry_their_path() {
        let mut finding = samples::violated();
        finding.bounds.scope_of.push(("Node".to_string(), 5));
        let parsed: serde_json::Value = serde_json::from_str(&json(&finding, true)).unwrap();
        assert_eq!(parsed["verdict"], "violated");
        assert_eq!(parsed["scope"], serde_json::json!({"*": 3, "Node": 5}));
        let violation = &parsed["violations"][0];
        assert_eq!((&violation["kind"], &violation["at"]), (&"NullPointerException".into(), &"Node.java:12".into()));
        assert_eq!(violation["condition"], serde_json::json!(["this.elem > 0"]));
        assert_eq!(violation["ending"]["stack"], serde_json::json!(["acme.Node.swap(Node.java:12)"]));
        assert_eq!(violation["lines"][0], "Node.java:10");
        assert!(violation["confirmed_on_jvm"].is_null() && violation["test"].is_null());
        let input = serde_json::json!({"roots": {"this": {"object": "this"}}, "objects": [{
            "name": "this", "class": "acme.Node", "exact": false, "new": false,
            "fields": {"elem": {"expression": "this.elem"}, "next": null}}]});
        assert_eq!(violation["input"], input);
        assert_eq!(violation["example"]["objects"][0]["fields"]["elem"], 1);
        assert_eq!(violation["after"], serde_json::json!({"heap": violation["example"], "result": null}));
        assert_eq!(parsed["outcomes"][1]["result"], serde_json::json!({"object": "this.next"}));
        assert_eq!(
            parsed["outcomes"][1]["input"]["objects"][1]["fields"]["label"],
            serde_json::json!({"unread": true})
        );
    }

    #[test]
    fn what_was_not_explored_is_never_fine() {
        let parsed: serde_json::Value = serde_json::from_str(&json(&samples::incomplete(), false)).unwrap();
        assert_eq!(parsed["verdict"], "incomplete");
        let first =
            serde_json::json!({"why": "unsupported: a native", "where": "acme.Node.swap(Node.java:9)", "count": 2});
        assert_eq!(parsed["not_explored"][0], first);
    }
}
