//! How does the page show one violation?

use lazuli_console::escape::{escaped, escaped_lines};
use lazuli_console::numbers::count;
use lazuli_explore::{Ending, Outcome, Picture, Violation};
use lazuli_logic::Expression;
use lazuli_spec::SourceLine;

use super::super::Proof;
use super::super::concurrent;
use super::super::diagram::{self, Diagram, svg};
use super::super::picture::{self, When};
use super::super::property;
use super::super::schedule;
use super::super::sources::Sources;
use super::{objects, steps};

/// How wide boxes that do not hang together may stand side by side, in characters.
const WIDTH: usize = 90;
/// With more boxes than this, lines of text say more.
const MOST_BOXES: usize = 60;
/// Steps of the path that are seen at once, and those that are there at all.
const OPEN_STEPS: usize = 40;
const MOST_STEPS: usize = 400;

pub(super) fn article(
    violation: &Violation,
    (number, id): (usize, &str),
    proof: Proof,
    sources: &Sources,
    knows_paths: bool,
) -> String {
    let outcome = &violation.outcome;
    let place = if violation.at.is_empty() { String::new() } else { format!(" at {}", violation.at) };
    let mut html = format!(
        "<article id=\"{id}\" class=\"violation\">\n<h3>{number}. {}{}</h3>\n",
        escaped(&violation.kind),
        escaped(&place)
    );
    if !violation.message.is_empty() {
        html.push_str(&format!("<p class=\"message\">{}</p>\n", escaped_lines(&violation.message)));
    }
    if violation.count > 1 {
        let others = count(violation.count, "path", "paths");
        html.push_str(&format!("<p>{others} end this way; this is the smallest input among them.</p>\n"));
    }
    if let Some(confirmation) = proof.confirmation {
        html.push_str(&format!("<p class=\"confirmation\">{}</p>\n", escaped(&confirmation)));
    }
    if !proof.calls.is_empty() {
        let calls = escaped_lines(&proof.calls.join("\n"));
        html.push_str(&format!("<h4>The calls, in order</h4>\n<pre><code>{calls}</code></pre>\n"));
    }
    html.push_str(&pictures(outcome));
    html.push_str(&stack(&outcome.ending));
    html.push_str(&threads(outcome));
    html.push_str(&steps::stepper(outcome, sources));
    html.push_str(&path(&outcome.lines, violation.place.as_ref(), sources));
    if knows_paths {
        html.push_str(&condition(outcome));
    }
    if let Some(test) = proof.test {
        html.push_str(&format!(
            "<h4>The test to copy</h4>\n<div class=\"copy\"><pre><code>{}</code></pre></div>\n",
            escaped_lines(test)
        ));
    }
    html.push_str("</article>\n");
    html
}

/// The example before and after the method ran on it.
fn pictures(outcome: &Outcome) -> String {
    let Some(example) = &outcome.example else { return String::new() };
    let mut html = String::from("<h4>The input, and what became of it</h4>\n<div class=\"heaps\">\n");
    let mut tree = String::new();
    html.push_str(&figure(example, None, "Before the call"));
    match &outcome.after {
        Some(after) if after.heap == *example && after.result.is_none() => {
            html.push_str("<p class=\"quiet\">The method changed nothing.</p>\n");
        }
        Some(after) => {
            let heap = diagram::with_result(&after.heap, after.result.as_ref());
            html.push_str(&figure(&heap, Some(example), "After the call"));
            tree = objects::tree(example, &heap);
        }
        None => {}
    }
    html.push_str("</div>\n");
    html + &tree
}

/// A heap as boxes and arrows, or as lines where there are too many or none.
pub(super) fn drawing(heap: &Picture, before: Option<&Picture>, caption: &str) -> String {
    let description = picture::compared(heap, before, When::AtEntry).join("\n");
    let diagram = Diagram::of(heap, before, WIDTH);
    match diagram.boxes.len() {
        1..=MOST_BOXES => svg(&diagram, caption, &description),
        _ if description.is_empty() => "<p class=\"quiet\">no input</p>\n".to_string(),
        _ => format!("<pre>{}</pre>\n", escaped_lines(&description)),
    }
}

fn figure(heap: &Picture, before: Option<&Picture>, caption: &str) -> String {
    let drawing = drawing(heap, before, caption);
    let legend = match (before, Diagram::of(heap, before, WIDTH).is_changed()) {
        (Some(_), true) => " <span class=\"legend\">what the method changed or made</span>",
        _ => "",
    };
    format!("<figure>\n<figcaption>{caption}{legend}</figcaption>\n<div class=\"scroll\">{drawing}</div></figure>\n")
}

/// Where the threads stand, and what they did.
fn threads(outcome: &Outcome) -> String {
    let mut html = String::new();
    if let Ending::Deadlock { threads } = &outcome.ending {
        let lines = escaped_lines(&schedule::standing(threads).join("\n"));
        html.push_str(&format!("<pre class=\"stack\">{lines}</pre>\n"));
    }
    if let Ending::Broken(breach) = &outcome.ending {
        let lines = escaped_lines(&property::word(breach).join("\n"));
        html.push_str(&format!("<h4>The events that break the property</h4>\n<pre>{lines}</pre>\n"));
    }
    if let Some(calls) = &outcome.concurrent {
        let table = escaped_lines(&concurrent::table(calls).join("\n"));
        let orders = escaped_lines(&concurrent::orders(calls).join("\n"));
        html.push_str(&format!("<h4>The calls of the threads</h4>\n<pre>{table}</pre>\n"));
        html.push_str(&format!("<h4>Why no order of the calls explains them</h4>\n<pre>{orders}</pre>\n"));
    }
    if let Some(order) = &outcome.schedule {
        let lines = escaped_lines(&schedule::table(order).join("\n"));
        html.push_str(&format!("<h4>The order of the threads</h4>\n<pre>{lines}</pre>\n"));
    }
    html
}

fn stack(ending: &Ending) -> String {
    let Ending::Threw { class, trace, .. } = ending else { return String::new() };
    if trace.is_empty() {
        return String::new();
    }
    let frames: String = trace.iter().map(|frame| format!("    at {}\n", escaped(frame))).collect();
    format!("<pre class=\"stack\">{}\n{frames}</pre>\n", escaped(class))
}

/// The lines that the example runs through, in order.
fn path(places: &[SourceLine], fault: Option<&SourceLine>, sources: &Sources) -> String {
    if places.is_empty() {
        return String::new();
    }
    let mut html = String::from("<h4>The path through the source</h4>\n");
    let missing = missing_sources(places, sources);
    if !missing.is_empty() {
        html.push_str(&format!(
            "<p class=\"quiet\">The source of {} was not found; say where it is with <code>--source DIR</code>.</p>\n",
            escaped(&missing.join(", "))
        ));
    }
    let last = places.len() - 1;
    let shown = places.len().min(MOST_STEPS);
    let row = |step: usize, is_first: bool| {
        let place = &places[step];
        let file = match is_first || places[step - 1].file != place.file {
            true => format!(
                "<tr class=\"file\"><th colspan=\"2\" scope=\"colgroup\">{}</th></tr>\n",
                escaped(&sources.uri(place))
            ),
            false => String::new(),
        };
        let source = sources.find(place);
        let code = source.as_ref().and_then(|source| source.line(place.line)).unwrap_or("");
        let is_fault = fault == Some(place) && step == last;
        let mark = if is_fault { " class=\"fault\"" } else { "" };
        format!(
            "{file}<tr{mark}><th scope=\"row\">{}</th><td><code>{}</code></td></tr>\n",
            place.line,
            escaped_lines(code)
        )
    };
    let rows = |steps: std::ops::Range<usize>| {
        let rows: String = steps.clone().map(|step| row(step, step == steps.start)).collect();
        format!("<div class=\"scroll\"><table class=\"source\"><tbody>\n{rows}</tbody></table></div>\n")
    };
    let steps = count(places.len() as u64, "step", "steps");
    if places.len() <= OPEN_STEPS {
        html.push_str(&rows(0..places.len()));
    } else {
        html.push_str(&format!("<details><summary>All {steps}</summary>\n{}", rows(0..shown)));
        if shown < places.len() {
            html.push_str(&format!("<p class=\"quiet\">… {} more</p>\n", places.len() - shown));
        }
        html.push_str("</details>\n<p class=\"quiet\">The last steps:</p>\n");
        html.push_str(&rows(places.len() - OPEN_STEPS / 2..places.len()));
    }
    html
}

fn missing_sources(places: &[SourceLine], sources: &Sources) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for place in places.iter().filter(|place| sources.find(place).is_none()) {
        if !missing.contains(&place.file) {
            missing.push(place.file.clone());
        }
    }
    missing
}

/// The condition that all inputs of this path satisfy.
fn condition(outcome: &Outcome) -> String {
    let conjuncts: Vec<String> = outcome.condition.iter().map(Expression::to_string).collect();
    let condition = match conjuncts.is_empty() {
        true => "<p>Every input of this shape takes the path, whatever its numbers are.</p>\n".to_string(),
        false => {
            let item = |conjunct: &String| format!("<li><code>{}</code></li>\n", escaped(conjunct));
            format!("<ul class=\"condition\">\n{}</ul>\n", conjuncts.iter().map(item).collect::<String>())
        }
    };
    let inside = format!(
        "<div class=\"heaps\">\n{}{}</div>\n",
        figure(&outcome.input, None, "What the path read of its input"),
        figure(&outcome.output, Some(&outcome.input), "What it left behind")
    );
    format!(
        "<h4>The path condition</h4>\n{condition}<details><summary>All inputs that take this path</summary>\n\
         <p class=\"quiet\">Clouds are what nobody looked at, <em>any</em> is a number that the condition may speak of.</p>\n\
         {inside}</details>\n"
    )
}
