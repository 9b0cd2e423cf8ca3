//! How does the page go through the run of a counterexample, line by line?
//!
//! Without JavaScript, the steps are below each other in a fold. With it, one is seen at a time, beside the source.

use std::collections::BTreeSet;

use lazuli_console::escape::{escaped, escaped_lines};
use lazuli_console::numbers::count;
use lazuli_explore::{Ending, Outcome, Picture, RunStep};

use super::super::changes::Changes;
use super::super::diagram;
use super::super::picture::value;
use super::super::sources::Sources;
use super::violation::drawing;

/// Lines around those of the run that are shown too.
const AROUND: u16 = 2;
/// Lines that a listing has at most.
const LONGEST: u16 = 400;

/// The lines of a file that the run comes to within one method.
struct SourceListing<'a> {
    step: &'a RunStep,
    first: u16,
    last: u16,
}

pub(super) fn stepper(outcome: &Outcome, sources: &Sources) -> String {
    let steps = &outcome.steps;
    // One line is no way.
    if steps.len() < 2 {
        return String::new();
    }
    let listings = listings(steps);
    let mut html = format!(
        "<h4>Step by step</h4>\n<details class=\"stepper\"><summary>{} with heap and variables</summary>\n<div class=\"views\">\n",
        count(steps.len() as u64, "step", "steps")
    );
    html.push_str("<div class=\"listings\">\n");
    let came: BTreeSet<(&str, u16)> = steps.iter().map(|step| (step.method.as_str(), step.place.line)).collect();
    for listing in &listings {
        html.push_str(&listing.table(sources, &came));
    }
    html.push_str("</div>\n<div class=\"scenes\">\n");
    let mut before: Option<&RunStep> = None;
    for (index, step) in steps.iter().enumerate() {
        let listing = listings.iter().position(|listing| listing.is_of(step)).unwrap_or_default();
        // Variables of another method are others, even if they have the same names.
        let same =
            before.filter(|before| before.method == step.method && before.depth == step.depth).map(|one| &one.heap);
        let heading = format!("{} · {}:{}", step.method, step.place.file, step.place.line);
        let place = format!("data-listing=\"{listing}\" data-line=\"{}\"", step.place.line);
        html.push_str(&scene(index + 1, &place, &heading, &step.heap, same, before.map(|one| &one.heap)));
        before = Some(step);
    }
    html.push_str(&last_scene(outcome, steps));
    html.push_str("</div>\n</div>\n</details>\n");
    html
}

/// The heap that the run left behind, if all its steps are there.
fn last_scene(outcome: &Outcome, steps: &[RunStep]) -> String {
    let (Some(after), Some(last)) = (&outcome.after, steps.last()) else { return String::new() };
    if outcome.lines.len() > steps.len() {
        let left = count((outcome.lines.len() - steps.len()) as u64, "step is", "steps are");
        return format!("<p class=\"quiet\">{left} not shown.</p>\n");
    }
    let heading = match &outcome.ending {
        Ending::Threw { class, .. } => format!("{} is thrown", class.rsplit('.').next().unwrap_or(class)),
        _ => "The method has ended".to_string(),
    };
    let heap = diagram::with_result(&after.heap, after.result.as_ref());
    let place = "data-end=\"true\"";
    scene(steps.len() + 1, place, &heading, &heap, None, Some(&last.heap))
}

/// The variables and the heap at one step; both show what the last one changed.
fn scene(
    number: usize,
    place: &str,
    heading: &str,
    heap: &Picture,
    variables_before: Option<&Picture>,
    before: Option<&Picture>,
) -> String {
    let changes = Changes::between(variables_before, heap);
    let row = |(name, shown): &(String, lazuli_explore::Shown)| {
        let is_new = variables_before.is_some_and(|before| !before.roots.iter().any(|(known, _)| known == name));
        let class = if is_new || changes.root(name, shown) { " class=\"changed\"" } else { "" };
        format!("<tr{class}><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name), escaped(&value(heap, shown)))
    };
    let variables: String = heap.roots.iter().map(row).collect();
    let variables = match variables.is_empty() {
        true => "<p class=\"quiet\">There are no variables; <code>javac -g</code> writes them into the class.</p>\n"
            .to_string(),
        false => {
            format!("<table class=\"variables\"><caption>Variables</caption><tbody>\n{variables}</tbody></table>\n")
        }
    };
    format!(
        "<div class=\"scene\" {place}>\n<p class=\"where\"><span class=\"number\">{number}</span> {}</p>\n{variables}\
         <div class=\"scroll\">{}</div></div>\n",
        escaped(heading),
        drawing(heap, before, heading)
    )
}

/// A listing for each method that the run comes to, in the order in which it does.
fn listings(steps: &[RunStep]) -> Vec<SourceListing<'_>> {
    let mut listings: Vec<SourceListing> = Vec::new();
    for step in steps {
        let line = step.place.line;
        match listings.iter_mut().find(|listing| listing.is_of(step)) {
            Some(listing) => (listing.first, listing.last) = (listing.first.min(line), listing.last.max(line)),
            None => listings.push(SourceListing { step, first: line, last: line }),
        }
    }
    listings
}

impl SourceListing<'_> {
    fn is_of(&self, step: &RunStep) -> bool {
        self.step.method == step.method && self.step.place.file == step.place.file
    }

    fn table(&self, sources: &Sources, came: &BTreeSet<(&str, u16)>) -> String {
        let source = sources.find(&self.step.place);
        let first = self.first.saturating_sub(AROUND).max(1);
        let last = self.last.saturating_add(AROUND).min(first.saturating_add(LONGEST));
        let mut rows = String::new();
        for number in first..=last {
            let code = source.as_ref().map(|source| source.line(number));
            // Behind the end of the file there are no lines; without a file, only those that the run came to.
            let is_known = came.contains(&(self.step.method.as_str(), number));
            let code = match code {
                Some(Some(code)) => code,
                Some(None) => break,
                None if is_known => "",
                None => continue,
            };
            let class = if is_known { " class=\"came\"" } else { "" };
            rows.push_str(&format!(
                "<tr{class} data-line=\"{number}\"><th scope=\"row\">{number}</th><td><code>{}</code></td></tr>\n",
                escaped_lines(code)
            ));
        }
        format!(
            "<div class=\"scroll listing\"><table class=\"source\"><tbody>\n<tr class=\"file\"><th colspan=\"2\" scope=\"colgroup\">{}</th></tr>\n\
             {rows}</tbody></table></div>\n",
            escaped(&self.step.method)
        )
    }
}
