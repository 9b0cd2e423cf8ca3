//! How is a finding reported to people?

use lazuli_console::numbers::{count, duration, grouped};
use lazuli_console::visible::visible;
use lazuli_explore::{
    After, Bounds, Cut, Ending, Ends, NotExplored, Outcome, Picture, PieceFigures, ProblemFigures, Report, Verdict,
    Violation,
};
use lazuli_logic::Expression;
use lazuli_spec::SourceLine;

use super::changes::Changes;
use super::concurrent;
use super::diagram;
use super::noticed::noticed;
use super::picture::{self, When};
use super::property;
use super::reasons::reason;
use super::schedule;
use super::{Finding, assumed, fast_answers, size};
use crate::confirm::JvmVerdict;

/// A list of lines that is longer than this is cut: the JSON report has all of it.
const LISTED_LINES: usize = 40;
/// The indentation of a drawing.
const INDENT: usize = 16;
/// Conditions up to this width stand on one line.
const WIDTH: usize = 100;

/// Colours, or their absence.
#[derive(Clone, Copy)]
pub(crate) struct TextStyle {
    pub is_coloured: bool,
    /// Columns.
    pub width: usize,
}

impl TextStyle {
    /// The text made visible, so that no colours are in it but ours.
    fn paint(self, code: &str, text: &str) -> String {
        let text = visible(text);
        if self.is_coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into_owned() }
    }

    fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Green for good, red for bad, yellow for unknown.
    pub(super) fn verdict(self, verdict: Verdict, text: &str) -> String {
        let code = match verdict {
            Verdict::Holds => "1;32",
            Verdict::Violated => "1;31",
            Verdict::Incomplete => "1;33",
        };
        self.paint(code, text)
    }
}

/// The whole report of a target.
pub(crate) fn text(finding: &Finding, style: TextStyle) -> String {
    let report = &finding.report;
    let mut page = Page { style, text: String::new() };
    let judgement = style.verdict(finding.verdict(), &finding.judgement());
    page.painted(0, &format!("{}: {judgement}", style.bold(&report.title)));
    page.painted(2, &style.faint(&size_figures(report)));
    if let Some(pieces) = &report.pieces {
        page.painted(2, &style.faint(&piece_figures(pieces)));
    }
    page.painted(2, &style.faint(&effort_figures(finding)));
    if let Some(sentence) = finding.unfinished_sentence() {
        page.line(2, &sentence);
    }
    if let Some(sentence) = assumed(&report.assumptions) {
        page.line(2, &sentence);
    }
    for warning in finding.remarks() {
        page.line(2, &format!("Warning: {}", warning));
    }
    for (index, violation) in report.violations.iter().enumerate() {
        page.line(0, "");
        page.violation(index + 1, violation, finding);
    }
    if !report.findings.is_empty() {
        page.line(0, "");
        report.findings.iter().for_each(|found| page.line(2, &noticed(found)));
    }
    if !report.unconfirmed.is_empty() {
        page.line(0, "");
        page.line(2, "Unconfirmed, because no valid input takes these paths:");
        page.counted(&report.unconfirmed);
    }
    if !report.not_explored.is_empty() {
        page.line(0, "");
        page.not_explored(report);
    }
    for (index, outcome) in report.outcomes.iter().enumerate() {
        page.line(0, "");
        let heading = format!("path {}: {}", index + 1, ending(outcome));
        page.painted(2, &style.bold(&heading));
        page.outcome(outcome);
    }
    page.text
}

/// A page that is written from top to bottom.
pub(super) struct Page {
    pub(super) style: TextStyle,
    pub(super) text: String,
}

impl Page {
    /// A line of any text.
    pub(super) fn line(&mut self, indent: usize, line: &str) {
        self.painted(indent, &visible(line));
    }

    /// A line of which all parts were painted or made visible.
    pub(super) fn painted(&mut self, indent: usize, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&" ".repeat(indent));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Lines behind a label, one below the other.
    fn labelled(&mut self, label: &str, lines: &[String]) {
        for (index, line) in lines.iter().enumerate() {
            let label = format!("{:11}", if index == 0 { label } else { "" });
            let label = if index == 0 { self.style.faint(&label) } else { label };
            self.painted(5, format!("{label}{}", visible(line)).trim_end());
        }
    }

    fn violation(&mut self, number: usize, violation: &Violation, finding: &Finding) {
        let place = if violation.at.is_empty() { String::new() } else { format!(" at {}", violation.at) };
        let often = match violation.count {
            0 | 1 => String::new(),
            several => format!(", on {}", count(several, "path", "paths")),
        };
        let kind = self.style.verdict(Verdict::Violated, &violation.kind);
        self.painted(2, &format!("{number}. {kind}{}{often}", visible(&place)));
        for line in violation.message.lines() {
            self.line(5, line);
        }
        if let Ending::Threw { trace, .. } = &violation.outcome.ending {
            for frame in trace {
                let frame = self.style.faint(&format!("at {frame}"));
                self.painted(9, &frame);
            }
        }
        if let Ending::Deadlock { threads } = &violation.outcome.ending {
            self.labelled("threads", &schedule::standing(threads));
        }
        if let Ending::Broken(breach) = &violation.outcome.ending {
            self.labelled("events", &property::word(breach));
        }
        if let Some(calls) = &violation.outcome.concurrent {
            self.labelled("calls", &concurrent::table(calls));
            self.labelled("orders", &concurrent::orders(calls));
        }
        if let Some(confirmation) = finding.confirmations.get(number - 1) {
            self.confirmation(5, &confirmation.on_jvm);
        }
        if let Some(calls) = finding.calls(number - 1) {
            self.labelled("calls", &calls);
        }
        let Outcome { input, condition: conjuncts, example, after, lines: places, .. } = &violation.outcome;
        // A SAT solver finds one input, and no more is known of its path.
        if finding.knows_paths() {
            self.labelled("input", &or_nothing(picture::lines(input, When::AtEntry)));
            self.labelled("condition", &condition(conjuncts));
        }
        if let Some(example) = example {
            self.labelled("example", &or_nothing(self.drawn(example, None)));
        }
        if let (Some(example), Some(after)) = (example, after) {
            self.after(example, after);
        }
        if let Some(order) = &violation.outcome.schedule {
            self.labelled("schedule", &schedule::table(order));
        } else if !places.is_empty() {
            self.labelled("lines", &lines(places));
        }
    }

    /// The effect of the method on the example.
    fn after(&mut self, example: &Picture, after: &After) {
        if after.heap == *example && after.result.is_none() {
            return self.labelled("after", &["as before".to_string()]);
        }
        let heap = diagram::with_result(&after.heap, after.result.as_ref());
        let lines = self.drawn(&heap, Some(example));
        self.labelled("after", &lines);
        if Changes::between(Some(example), &heap).any() {
            let legend = self.style.faint("* changed by the method");
            self.painted(INDENT, &legend);
        }
    }

    fn drawn(&self, heap: &Picture, before: Option<&Picture>) -> Vec<String> {
        diagram::drawn(heap, before, self.style.width.saturating_sub(INDENT))
    }

    /// The verdict of the user's JVM about a violation.
    pub(super) fn confirmation(&mut self, indent: usize, on_jvm: &JvmVerdict) {
        match on_jvm {
            JvmVerdict::NotAsked => {}
            JvmVerdict::Confirmed { version } => self.line(indent, &format!("confirmed on the JVM ({version})")),
            JvmVerdict::NotConfirmed { why } => self.line(indent, &format!("not confirmed: {why}")),
            JvmVerdict::Differs { what, file } => {
                let cry =
                    self.style.verdict(Verdict::Violated, "NOT CONFIRMED: the JVM disagrees. This is a bug of Lazuli.");
                self.painted(indent, &cry);
                for line in what.lines() {
                    self.line(indent, line);
                }
                if let Some(file) = file {
                    self.line(indent, &format!("Please report it, and attach {}", file.display()));
                }
            }
        }
    }

    fn outcome(&mut self, outcome: &Outcome) {
        let drawing = |picture, when| or_nothing(picture::lines(picture, when));
        self.labelled("input", &drawing(&outcome.input, When::AtEntry));
        self.labelled("condition", &condition(&outcome.condition));
        if let Some(example) = &outcome.example {
            self.labelled("example", &drawing(example, When::AtEntry));
        }
        let made = outcome.example.as_ref().unwrap_or(&outcome.input);
        self.labelled("made by", &picture::calls(made));
        let is_as_input =
            (&outcome.output.roots, &outcome.output.objects) == (&outcome.input.roots, &outcome.input.objects);
        let output = match is_as_input {
            true => vec!["as the input".to_string()],
            false => drawing(&outcome.output, When::AtEnd),
        };
        self.labelled("output", &output);
        if !outcome.lines.is_empty() {
            self.labelled("lines", &lines(&outcome.lines));
        }
    }

    fn not_explored(&mut self, report: &Report) {
        let heading = self.style.verdict(Verdict::Incomplete, "Not explored:");
        self.painted(2, &heading);
        self.counted(&report.not_explored);
    }

    fn counted(&mut self, entries: &[NotExplored]) {
        let width = entries.iter().map(|entry| grouped(entry.count).len()).max().unwrap_or(0);
        for entry in entries {
            let place = if entry.at.is_empty() { String::new() } else { format!(", at {}", entry.at) };
            self.line(5, &format!("{:>width$} × {}{place}", grouped(entry.count), reason(&entry.why)));
        }
    }
}

/// How large what was explored is.
pub(super) fn size_figures(report: &Report) -> String {
    match report.problem {
        Some(problem) => problem_figures(problem, report.sat_calls),
        None => path_figures(report),
    }
}

fn problem_figures(problem: ProblemFigures, questions: u64) -> String {
    let ProblemFigures { gates, unroll, made, is_translated } = problem;
    if gates == 0 {
        return "not translated".to_string();
    }
    let gates = count(gates as u64, "gate", "gates");
    let questions = format!("{} to the SAT solver", count(questions, "question", "questions"));
    let unrolled = count(unroll as u64, "time", "times");
    match is_translated {
        true => {
            let made = count(made as u64, "object", "objects");
            format!("one problem of {gates} · {questions} · loops unrolled {unrolled} · at most {made} made")
        }
        false => format!("not translated to the end: {gates} so far · {questions} · loops unrolled {unrolled}"),
    }
}

/// How the pieces of a problem ended, and how the work spread.
pub(super) fn piece_figures(pieces: &PieceFigures) -> String {
    let PieceFigures { leaves, empty, refuted, violated, open, split, repeated, workers, .. } = pieces;
    let open = open - (*open).min(*violated);
    let ends = [
        (*refuted, "refuted"),
        (*empty, "without a valid input"),
        (*violated, "with a violation"),
        (open, "open"),
        (*repeated, "answered twice"),
    ];
    let ends = ends.iter().filter(|(number, _)| *number > 0).map(|(number, how)| format!("{} {how}", grouped(*number)));
    let ends: Vec<String> = ends.collect();
    let mut figures = vec![format!(
        "{} of {} ({})",
        count(*leaves, "piece", "pieces"),
        count(*split, "split", "splits"),
        ends.join(", ")
    )];
    figures.push(count(workers.len() as u64, "worker", "workers"));
    if let Some(balance) = pieces.balance().filter(|_| workers.len() > 1) {
        figures.push(format!("the busiest worked {balance:.2} times the mean"));
    }
    figures.join(" · ")
}

fn path_figures(report: &Report) -> String {
    let Ends { returned, threw, exited, deadlocked, broken, limit, unsupported, unknown } = report.ends;
    let ends = [
        (returned, "returned"),
        (threw, "threw"),
        (exited, "exited"),
        (deadlocked, "deadlocked"),
        (broken, "broke a property"),
        (limit, "cut by a limit"),
        (unsupported, "unsupported"),
        (unknown, "unknown"),
    ];
    let ends = ends.iter().filter(|(number, _)| *number > 0).map(|(number, how)| format!("{} {how}", grouped(*number)));
    let ends: Vec<String> = ends.collect();
    let ends = if ends.is_empty() { String::new() } else { format!(" ({})", ends.join(", ")) };
    let mut figures = vec![format!("{}{ends}", count(report.paths, "path", "paths"))];
    let branches =
        [(report.pruned, "pruned"), (report.infeasible, "infeasible"), (report.assumed_away, "assumed away")];
    figures.extend(
        branches.iter().filter(|(number, _)| *number > 0).map(|(number, how)| format!("{} {how}", grouped(*number))),
    );
    figures.push(format!("at most {}", count(report.objects_max as u64, "input object", "input objects")));
    figures.join(" · ")
}

pub(super) fn effort_figures(finding: &Finding) -> String {
    let how = if finding.knows_paths() { &finding.technique } else { "engine sat" };
    let (elapsed, memory) = (duration(finding.elapsed), grouped(finding.peak_memory));
    let reused = if finding.is_reused { " · of an earlier run" } else { "" };
    let rate = executions_per_second(finding).map_or(String::new(), |rate| format!(" · {rate}"));
    let effort = format!("{} · {how} · {elapsed}{rate} · {memory} MB{reused}", scope(&finding.bounds));
    // The SAT solver has figures of its own; running the input that it found asks the other solvers, but hardly.
    if !finding.knows_paths() {
        return effort;
    }
    let solver = &finding.report.solver;
    let mut answers =
        vec![format!("{} fast", grouped(fast_answers(solver))), format!("{} SMT", grouped(solver.by_smt))];
    if finding.report.reused_witnesses > 0 {
        answers.insert(0, count(finding.report.reused_witnesses, "reused witness", "reused witnesses"));
    }
    if solver.unknown > 0 {
        answers.push(format!("{} unknown", grouped(solver.unknown)));
    }
    format!("{effort} · solver: {}", answers.join(", "))
}

/// How fast orders of threads were tried, those included that were given up half way.
fn executions_per_second(finding: &Finding) -> Option<String> {
    let report = &finding.report;
    let seconds = report.elapsed.as_secs_f64();
    let executions = report.paths + report.redundant;
    let rate = (executions as f64 / seconds).round();
    (report.has_threads && seconds > 0.0)
        .then(|| format!("{} per second", count(rate as u64, "execution", "executions")))
}

fn scope(bounds: &Bounds) -> String {
    let named = bounds.scope_of.iter().map(|(class, scope)| format!(", {class} {scope}"));
    format!("{}{}", size(bounds), named.collect::<String>())
}

/// How a path ended, in a few words.
fn ending(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Returned => match &outcome.result {
            Some(result) => format!("returned {}", picture::value(&outcome.output, result)),
            None => "returned".to_string(),
        },
        Ending::Threw { class, message, trace, is_allowed } => {
            let message = message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
            let place = trace.first().map(|frame| format!(" at {frame}")).unwrap_or_default();
            let allowed = if *is_allowed { " (allowed)" } else { "" };
            format!("threw {class}{message}{place}{allowed}")
        }
        Ending::Exited(code) => format!("exited with code {code}"),
        Ending::Deadlock { .. } => "deadlocked".to_string(),
        Ending::Broken(breach) => format!("broke property {}", breach.property),
        Ending::Limit { which, at } => format!("cut by {} at {at}", limit(*which)),
        Ending::Unsupported { what, at } => format!("unsupported: {} at {at}", reason(what)),
        Ending::Unknown { at } => format!("unknown: no solver could tell whether this is possible, at {at}"),
    }
}

/// The option to change for the path to go on.
fn limit(which: Cut) -> &'static str {
    match which {
        Cut::Endless => "an endless loop",
        Cut::Unroll => "the limit on iterations (--unroll)",
        Cut::Depth => "the limit on choices (--depth)",
        Cut::Paths => "the limit on paths (--max-paths)",
        Cut::Time => "the time limit (--time)",
        Cut::Memory => "the memory limit (--memory)",
    }
}

/// The conjuncts on one line if they fit, else one below the other.
fn condition(conjuncts: &[Expression]) -> Vec<String> {
    if conjuncts.is_empty() {
        return vec!["true".to_string()];
    }
    let binds_weakly = |text: &String| text.contains("||") || text.contains(" ? ") || text.starts_with("let ");
    let parts: Vec<String> = conjuncts
        .iter()
        .map(Expression::to_string)
        .map(|text| if conjuncts.len() > 1 && binds_weakly(&text) { format!("({text})") } else { text })
        .collect();
    let joined = parts.join(" && ");
    if joined.chars().count() <= WIDTH {
        return vec![joined];
    }
    parts.iter().enumerate().map(|(index, part)| if index == 0 { part.clone() } else { format!("&& {part}") }).collect()
}

/// The places in their order, file by file; three lines or more in a row as a range.
fn lines(places: &[SourceLine]) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut shown = 0;
    for run in places.chunk_by(|one, next| one.file == next.file) {
        let mut parts = Vec::new();
        for steps in run.chunk_by(|one, next| next.line == one.line.wrapping_add(1)) {
            match steps {
                [first, .., last] if steps.len() > 2 => parts.push(format!("{}–{}", first.line, last.line)),
                few => parts.extend(few.iter().map(|place| place.line.to_string())),
            }
        }
        let left = LISTED_LINES.saturating_sub(shown);
        shown += parts.len();
        if parts.len() > left {
            parts.truncate(left);
            parts.push("…".to_string());
        }
        files.push(format!("{}: {}", run[0].file, parts.join(", ")));
        if shown > LISTED_LINES {
            break;
        }
    }
    files
}

fn or_nothing(lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() { vec!["nothing".to_string()] } else { lines }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    const PLAIN: TextStyle = TextStyle { is_coloured: false, width: 100 };

    #[test]
    fn what_holds_is_said_with_its_bound() {
        let expected = "\
acme.Node.swap(int): holds for every input with at most 3 Node objects
  1,234 paths (1,233 returned, 1 threw) · 2 pruned · 3 infeasible · at most 3 input objects
  scope 3 · lazy · 1 min 0 s · 30 MB · solver: 9 reused witnesses, 33 fast, 7 SMT
  Scope 4 was not finished: the time limit was reached after 100,000 paths.
";
        assert_eq!(text(&samples::holds_so_far(), PLAIN), expected);
    }

    #[test]
    fn a_problem_has_no_paths() {
        let expected = "\
acme.Node.swap(int): holds for every input with at most 3 Node objects
  one problem of 4,321 gates · 21 questions to the SAT solver · loops unrolled 8 times · at most 1 object made
  scope 3 · engine sat · 1 min 0 s · 30 MB
  Scope 4 was not finished: the time limit was reached.
";
        assert_eq!(text(&samples::as_problem(samples::holds_so_far()), PLAIN), expected);
        let found = text(&samples::as_problem(samples::violated()), PLAIN);
        assert!(found.contains("example    this = some Node") && found.contains("lines      Node.java"), "{found}");
        assert!(!found.contains("condition") && !found.contains("input "), "{found}");
        let mut cut = samples::as_problem(samples::incomplete());
        let problem = cut.report.problem.as_mut().expect("it is one");
        problem.is_translated = false;
        let cut = text(&cut, PLAIN);
        let expected =
            "not translated to the end: 4,321 gates so far · 21 questions to the SAT solver · loops unrolled 8 times\n";
        assert!(cut.contains(expected), "{cut}");
    }

    #[test]
    fn a_violation_shows_its_path_and_an_example() {
        let expected = "\
acme.Node.swap(int): violated: NullPointerException at Node.java:12; holds otherwise up to scope 3
  2 paths (1 returned, 1 threw) · 2 pruned · 3 infeasible · at most 3 input objects
  scope 3 · lazy · 12 ms · 30 MB · solver: 9 reused witnesses, 33 fast, 7 SMT

  1. NullPointerException at Node.java:12, on 2 paths
     because \"this.next\" is null
         at acme.Node.swap(Node.java:12)
     input      this = some Node { elem: int, next = null }
     condition  this.elem > 0
     example    this = some Node { elem = 1, next = null }
     after      as before
     lines      Node.java: 10–12, 10

  path 1: threw java.lang.NullPointerException: because \"this.next\" is null at acme.Node.swap(Node.java:12)
     input      this = some Node { elem: int, next = null }
     condition  this.elem > 0
     example    this = some Node { elem = 1, next = null }
     output     this       = some Node { elem = this.elem, next = null }
                new Cell#1 = Cell {}
     lines      Node.java: 10–12, 10

  path 2: returned this.next
     input      this      = some Node { elem: int, next → this.next }
                this.next = Node { elem = 5, next → this, label = ? }
     condition  this.elem > 0 && this.elem < key
     output     as the input
     lines      Node.java: 10–12, 15
";
        assert_eq!(text(&samples::violated(), PLAIN), expected);
    }

    #[test]
    fn what_was_not_explored_is_always_shown() {
        let expected = "\
acme.Node.swap(int): incomplete: unsupported: a native, and 1 more
  1,234 paths (1,233 returned, 1 threw, 2 unsupported) · 2 pruned · 3 infeasible · at most 3 input objects
  scope 3 · lazy · 12 ms · 30 MB · solver: 9 reused witnesses, 33 fast, 7 SMT

  Not explored:
     2 × unsupported: a native, at acme.Node.swap(Node.java:9)
     1 × time
";
        assert_eq!(text(&samples::incomplete(), PLAIN), expected);
        let mut unlisted = samples::incomplete();
        unlisted.report.not_explored.clear();
        assert_eq!(unlisted.headline(), "acme.Node.swap(int): incomplete: paths were cut");
    }

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let coloured = text(&samples::violated(), TextStyle { is_coloured: true, width: 100 });
        assert!(coloured.contains("\x1b[1;31m"), "{coloured}");
        let mut plain = String::new();
        for (index, part) in coloured.split("\x1b[").enumerate() {
            plain.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        assert_eq!(plain, text(&samples::violated(), PLAIN));
    }

    #[test]
    fn long_lists_of_lines_are_cut_and_long_conditions_are_broken() {
        let place = |line: u16| SourceLine { package: String::new(), file: "A.java".to_string(), line };
        let many: Vec<SourceLine> = (0..100).map(|step| place(step * 2)).collect();
        let cut = lines(&many);
        assert!(cut.len() == 1 && cut[0].ends_with("78, …"), "{cut:?}");
        let mut two = vec![place(1), place(2)];
        two.push(SourceLine { package: String::new(), file: "B.java".to_string(), line: 3 });
        assert_eq!(lines(&two), ["A.java: 1, 2", "B.java: 3"]);

        let conjuncts = [(); 4].map(|()| samples::returned().condition).concat();
        let broken = condition(&conjuncts);
        assert_eq!(broken[..2], ["this.elem > 0", "&& this.elem < key"]);
        assert_eq!(condition(&[]), ["true"]);
    }
}
