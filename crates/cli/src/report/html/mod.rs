//! How is a run reported to people with a browser?
//!
//! One file that needs nothing else: styles, drawings and plots are inside of it. Without JavaScript all methods are below each other on one
//! page, and steps in folds; with it, the index and each method are pages of their own, and there are a filter and keys.
//! Everything that comes from the program under check is escaped where it is put in.

mod figures;
mod index;
mod method;
mod objects;
mod plot;
mod steps;
mod tree;
pub(super) mod trend;
mod violation;

use lazuli_console::escape::escaped;
use lazuli_console::numbers::{count, duration};
use lazuli_explore::Verdict;

use super::RunReport;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole page.
pub(crate) fn html(run: &RunReport) -> String {
    let mut page = String::new();
    let title = format!("Lazuli: {}", verdicts(run));
    page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.push_str(&format!("<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n", escaped(&title)));
    page.push_str(&index::index(run));
    for (index, finding) in run.findings.iter().enumerate() {
        page.push_str(&method::section(finding, &anchor(index), run.sources));
    }
    page.push_str(&format!(
        "<footer><p>Written by Lazuli {}. A verdict is about the inputs that its bound names, and about no others.</p></footer>\n",
        env!("CARGO_PKG_VERSION")
    ));
    page.push_str(&trend::data(run));
    page.push_str(&format!("<script>\n{{\n{SCRIPT}}}\n</script>\n</body>\n</html>\n"));
    page
}

/// Where the page has a target.
fn anchor(index: usize) -> String {
    format!("target-{}", index + 1)
}

/// The word for a verdict, which is a class of the style sheet too.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Incomplete => "incomplete",
    }
}

/// "1 violated, 2 hold"
fn verdicts(run: &RunReport) -> String {
    let number = |verdict| run.findings.iter().filter(|finding| finding.verdict() == verdict).count();
    let numbers = [
        (number(Verdict::Violated), "violated"),
        (number(Verdict::Incomplete), "incomplete"),
        (run.failures.len(), "not checked"),
        (number(Verdict::Holds), "without a fault"),
    ];
    let verdicts: Vec<String> =
        numbers.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    if verdicts.is_empty() { "nothing was checked".to_string() } else { verdicts.join(", ") }
}

/// "3 methods: 1 violated, 2 without a fault"
fn in_all(run: &RunReport) -> String {
    let all = (run.findings.len() + run.failures.len()) as u64;
    let time = run.findings.iter().map(|finding| finding.elapsed).sum();
    format!("{}: {}; {} in all", count(all, "method", "methods"), verdicts(run), duration(time))
}

/// Escaped, and a long name may be broken after its dots.
fn breakable(name: &str) -> String {
    escaped(name).replace('.', ".<wbr>")
}

#[cfg(test)]
mod tests;
