//! How is a run told to people with a browser?
//!
//! One file that needs nothing else: styles, drawings and plots are inside of it. Without JavaScript only the copy buttons are missing.
//! Everything that comes from the program under check is escaped where it is put in.

mod figures;
mod method;
mod plot;
mod tree;
mod violation;

use lazuli_console::escape::escaped;
use lazuli_console::numbers::{count, duration};
use lazuli_explore::Verdict;

use super::{Finding, Run};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole page.
pub fn html(run: &Run) -> String {
    let mut page = String::new();
    let title = format!("Lazuli: {}", verdicts(run));
    page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.push_str(&format!("<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n", escaped(&title)));
    page.push_str(&summary(run));
    for (index, finding) in run.findings.iter().enumerate() {
        page.push_str(&method::section(finding, &anchor(index), run.sources));
    }
    page.push_str(&format!(
        "<footer><p>Written by Lazuli {}. A verdict is about the inputs that its bound names, and about no others.</p></footer>\n",
        env!("CARGO_PKG_VERSION")
    ));
    page.push_str(&format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n"));
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
fn verdicts(run: &Run) -> String {
    let number = |verdict| run.findings.iter().filter(|finding| finding.verdict() == verdict).count();
    let numbers = [
        (number(Verdict::Violated), "violated"),
        (number(Verdict::Incomplete), "incomplete"),
        (run.failures.len(), "not checked"),
        (number(Verdict::Holds), "without a fault"),
    ];
    let told: Vec<String> =
        numbers.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    if told.is_empty() { "nothing was checked".to_string() } else { told.join(", ") }
}

fn summary(run: &Run) -> String {
    let mut html = format!("<header>\n<h1>Lazuli report</h1>\n<p class=\"lead\">{}.</p>\n", escaped(&in_all(run)));
    html.push_str(
        "<table class=\"summary\">\n<caption>Every target, and what is known about it</caption>\n<thead><tr>",
    );
    for heading in ["Method", "Verdict", "Finding", "Paths", "Scope", "Time"] {
        html.push_str(&format!("<th scope=\"col\">{heading}</th>"));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (index, finding) in run.findings.iter().enumerate() {
        html.push_str(&summary_row(finding, &anchor(index)));
    }
    for (title, why) in run.failures {
        html.push_str(&format!(
            "<tr><th scope=\"row\"><code>{}</code></th><td><span class=\"verdict incomplete\">not checked</span></td>\
             <td colspan=\"4\">{}</td></tr>\n",
            escaped(title),
            escaped(why)
        ));
    }
    html.push_str("</tbody>\n</table>\n</header>\n");
    html
}

/// "3 methods: 1 violated, 2 without a fault"
fn in_all(run: &Run) -> String {
    let all = (run.findings.len() + run.failures.len()) as u64;
    let time = run.findings.iter().map(|finding| finding.elapsed).sum();
    format!("{}: {}; {} in all", count(all, "method", "methods"), verdicts(run), duration(time))
}

fn summary_row(finding: &Finding, anchor: &str) -> String {
    let report = &finding.report;
    let verdict = word(finding.verdict());
    let paths = match finding.knows_paths() {
        true => count(report.paths, "", "").trim_end().to_string(),
        false => "–".to_string(),
    };
    let cells = [
        ("Finding", method::gist(finding)),
        ("Paths", paths),
        ("Scope", finding.bounds.scope.to_string()),
        ("Time", duration(finding.elapsed)),
    ];
    let cells = cells.iter().map(|(name, value)| format!("<td data-name=\"{name}\">{}</td>", escaped(value)));
    format!(
        "<tr><th scope=\"row\"><a href=\"#{anchor}\"><code>{}</code></a></th>\
         <td><span class=\"verdict {verdict}\">{verdict}</span></td>{}</tr>\n",
        breakable(&report.title),
        cells.collect::<String>()
    )
}

/// Escaped, and a long name may be broken after its dots.
fn breakable(name: &str) -> String {
    escaped(name).replace('.', ".<wbr>")
}

#[cfg(test)]
mod tests;
