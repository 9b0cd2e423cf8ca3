//! How does the page show one target?

use lazuli_console::escape::escaped;
use lazuli_console::numbers::count;
use lazuli_explore::{NotExplored, Verdict, Violation};

use super::super::noticed::noticed;
use super::super::reasons::reason;
use super::super::sources::Sources;
use super::super::{Finding, assumed, extent};
use super::{breakable, figures, plot, tree, violation, word};

pub(super) fn section(finding: &Finding, anchor: &str, sources: &Sources) -> String {
    let report = &finding.report;
    let verdict = word(finding.verdict());
    let mut html = format!(
        "<section id=\"{anchor}\">\n<h2><code>{}</code> <span class=\"verdict {verdict}\">{verdict}</span></h2>\n",
        breakable(&report.title)
    );
    if let Some(place) = &report.begins {
        html.push_str(&format!("<p class=\"quiet\">{}:{}</p>\n", escaped(&sources.uri(place)), place.line));
    }
    html.push_str("<ul class=\"bounds\">\n");
    for sentence in sentences(finding) {
        html.push_str(&format!("<li>{}</li>\n", escaped(&sentence)));
    }
    if let Some(sentence) = assumed(&report.assumptions) {
        html.push_str(&format!("<li>{}</li>\n", escaped(&sentence)));
    }
    html.push_str("</ul>\n");
    for warning in finding.remarks() {
        html.push_str(&format!("<p class=\"warning\"><strong>Warning:</strong> {}</p>\n", escaped(&warning)));
    }
    for (index, fault) in report.violations.iter().enumerate() {
        let id = format!("{anchor}-violation-{}", index + 1);
        let article = violation::article(fault, (index + 1, &id), finding.proof(index), sources, finding.knows_paths());
        html.push_str(&article);
    }
    if !report.findings.is_empty() {
        html.push_str("<h3>What was noticed, and is no defect</h3>\n<ul class=\"missing\">\n");
        for found in &report.findings {
            let kind = found.finding.name();
            html.push_str(&format!("<li class=\"{kind}\">{}</li>\n", escaped(&noticed(found))));
        }
        html.push_str("</ul>\n");
    }
    if !report.not_explored.is_empty() {
        html.push_str("<h3>What was not explored</h3>\n");
        html.push_str(&counted(&report.not_explored));
    }
    if !report.unconfirmed.is_empty() {
        html.push_str("<h3>Alarms on paths that no valid input takes</h3>\n");
        html.push_str(&counted(&report.unconfirmed));
    }
    html.push_str(&tree::details(report));
    html.push_str("<h3>What it took</h3>\n");
    html.push_str(&figures::table(finding));
    if finding.tried.len() > 1 {
        html.push_str(&plot::plots(&finding.tried, finding.knows_paths()));
    }
    html.push_str("</section>\n");
    html
}

/// The verdict and its reasons, for the summary.
pub(super) fn gist(finding: &Finding) -> String {
    let report = &finding.report;
    match finding.verdict() {
        Verdict::Holds => format!("for {}", extent(report)),
        Verdict::Violated => {
            let at = |one: &Violation| if one.at.is_empty() { String::new() } else { format!(" at {}", one.at) };
            let faults: Vec<String> = report.violations.iter().map(|one| format!("{}{}", one.kind, at(one))).collect();
            faults.join("; ") + &finding.otherwise()
        }
        Verdict::Incomplete => {
            finding.judgement().split_once(": ").map_or(finding.judgement(), |(_, rest)| rest.to_string())
        }
    }
}

/// The bound, so that an auditor can read it.
fn sentences(finding: &Finding) -> Vec<String> {
    let (report, bounds) = (&finding.report, &finding.bounds);
    let mut sentences = Vec::new();
    sentences.push(match finding.verdict() {
        Verdict::Holds => format!("Holds for {}.", extent(report)),
        Verdict::Violated => match report.violations.len() as u64 {
            1 => "One fault was found, and confirmed by running the method on the input that is shown.".to_string(),
            several => format!(
                "{several} faults were found, and each was confirmed by running the method on the input that is shown."
            ),
        },
        Verdict::Incomplete => "Nothing wrong was found, but not everything was explored.".to_string(),
    });
    sentences.extend(finding.unfinished_sentence());
    let named = bounds.scope_of.iter().map(|(class, scope)| format!(", {scope} of {class}"));
    sentences.push(format!(
        "Inputs had at most {} of each class{}, and arrays and strings at most {}.",
        count(bounds.scope as u64, "object", "objects"),
        named.collect::<String>(),
        count(bounds.length() as u64, "element", "elements")
    ));
    if let Some(objects) = bounds.objects {
        sentences.push(format!("They had at most {} in all.", count(objects as u64, "object", "objects")));
    }
    if report.is_contracted {
        sentences.push("Only inputs that satisfy the invariant were tried.".to_string());
    }
    if let Some(pre) = &report.precondition {
        sentences.push(format!("Only inputs for which {pre} is true were tried."));
    }
    sentences.push(match finding.knows_paths() {
        true => format!("The technique was {}.", finding.technique),
        false => "The method was checked as one propositional problem.".to_string(),
    });
    sentences
}

fn counted(entries: &[NotExplored]) -> String {
    let item = |entry: &NotExplored| {
        let place =
            if entry.at.is_empty() { String::new() } else { format!(", at <code>{}</code>", escaped(&entry.at)) };
        let often = count(entry.count, "time", "times");
        format!("<li>{} <span class=\"quiet\">({often}{place})</span></li>\n", escaped(&reason(&entry.why)))
    };
    format!("<ul class=\"missing\">\n{}</ul>\n", entries.iter().map(item).collect::<String>())
}
