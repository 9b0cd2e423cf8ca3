//! How does a page list all methods of a run?

use std::collections::BTreeMap;

use lazuli_console::escape::escaped;
use lazuli_console::numbers::{count, duration};
use lazuli_explore::Verdict;

use super::super::{Finding, RunReport};
use super::{anchor, breakable, in_all, method, trend, word};

/// The methods of a class in their order, with their places in the run.
type ClassRows<'a> = BTreeMap<&'a str, Vec<(usize, &'a Finding)>>;

pub(super) fn index(run: &RunReport) -> String {
    let mut html = format!(
        "<header id=\"index\">\n<h1>Lazuli report</h1>\n<p class=\"lead\">{}.</p>\n{}",
        escaped(&in_all(run)),
        trend::section(run)
    );
    html.push_str(
        "<table class=\"summary\">\n<caption>Every target, and what is known about it</caption>\n<thead><tr>",
    );
    for heading in ["Method", "Verdict", "Finding", "Paths", "Scope", "Time"] {
        html.push_str(&format!("<th scope=\"col\">{heading}</th>"));
    }
    html.push_str("</tr></thead>\n");
    let mut classes: ClassRows = BTreeMap::new();
    for (index, finding) in run.findings.iter().enumerate() {
        classes.entry(finding.class_and_method().0).or_default().push((index, finding));
    }
    for (class, findings) in &classes {
        html.push_str("<tbody class=\"methods\">\n");
        html.push_str(&class_row(class, findings));
        for (index, finding) in findings {
            html.push_str(&row(finding, &anchor(*index), run));
        }
        html.push_str("</tbody>\n");
    }
    if !run.failures.is_empty() {
        html.push_str("<tbody class=\"methods\">\n<tr class=\"class\"><th colspan=\"6\" scope=\"rowgroup\">Not checked</th></tr>\n");
        for (title, why) in run.failures {
            html.push_str(&format!(
                "<tr class=\"method\" data-verdict=\"incomplete\"><th scope=\"row\"><code>{}</code></th>\
                 <td><span class=\"verdict incomplete\">not checked</span></td><td colspan=\"4\">{}</td></tr>\n",
                escaped(title),
                escaped(why)
            ));
        }
        html.push_str("</tbody>\n");
    }
    html.push_str("</table>\n</header>\n");
    html
}

/// The class, and how many of its methods have which verdict.
fn class_row(class: &str, findings: &[(usize, &Finding)]) -> String {
    let number = |verdict| findings.iter().filter(|(_, finding)| finding.verdict() == verdict).count();
    let counts =
        [Verdict::Violated, Verdict::Incomplete, Verdict::Holds].map(|verdict| (number(verdict), word(verdict)));
    let counts: String = counts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!(" <span class=\"count {word}\">{number}</span>"))
        .collect();
    format!("<tr class=\"class\"><th colspan=\"6\" scope=\"rowgroup\">{}{counts}</th></tr>\n", breakable(class))
}

fn row(finding: &Finding, anchor: &str, run: &RunReport) -> String {
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
    let change = run.request.earlier.as_ref().and_then(|earlier| earlier.change(&report.title, finding.verdict()));
    let change =
        change.map(|change| format!(" <span class=\"change\">{}</span>", escaped(&change))).unwrap_or_default();
    format!(
        "<tr class=\"method\" data-verdict=\"{verdict}\"><th scope=\"row\"><a href=\"#{anchor}\"><code>{}</code></a></th>\
         <td><span class=\"verdict {verdict}\">{verdict}</span>{change}</td>{}</tr>\n",
        breakable(finding.class_and_method().1),
        cells.collect::<String>()
    )
}
