//! How long did what take, and how much of it was there?

use super::super::text::{count, duration, effort_figures, path_figures};
use super::super::{Finding, Tried};
use crate::report::escape::escaped;

/// Scopes in a table; a target without structures may have hundreds.
const LISTED_SCOPES: usize = 12;

/// Times and counts of a target.
pub fn table(finding: &Finding) -> String {
    let report = &finding.report;
    let solver = &report.solver;
    let mut rows = vec![
        ("Paths", path_figures(report)),
        ("Effort", effort_figures(finding)),
        ("Time in all", duration(finding.elapsed)),
    ];
    if solver.by_smt + solver.by_order > 0 {
        let smt = format!("{} in the SMT solver", duration(solver.time_in_smt));
        let order = format!("{} in the procedure for orders", duration(solver.time_in_order));
        rows.push(("Solvers, all threads", format!("{smt}, {order}")));
    }
    if report.structure_calls + report.sat_calls > 0 {
        let searches = count(report.structure_calls, "search", "searches");
        let sat = count(report.sat_calls, "question", "questions");
        rows.push(("Valid inputs", format!("{searches}, {sat} to a SAT solver")));
    }
    let rows = rows
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name), escaped(value)));
    let mut html = format!("<table class=\"figures\">\n{}</table>\n", rows.collect::<String>());
    if finding.tried.len() > 1 {
        html.push_str(&scopes(&finding.tried));
    }
    html
}

fn scopes(tried: &[Tried]) -> String {
    let row = |one: &Tried| {
        let end = if one.is_complete { "complete" } else { "not finished" };
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{end}</td></tr>\n",
            one.scope,
            count(one.paths, "path", "paths"),
            duration(one.elapsed)
        )
    };
    let skipped = tried.len().saturating_sub(LISTED_SCOPES);
    let rows: String = tried[skipped..].iter().map(row).collect();
    let note = match skipped {
        0 => String::new(),
        _ => format!("<p class=\"quiet\">Of {} scopes, the last {LISTED_SCOPES}:</p>\n", tried.len()),
    };
    format!(
        "{note}<table class=\"figures\">\n<thead><tr><th scope=\"col\">Scope</th><th scope=\"col\">Paths</th>\
         <th scope=\"col\">Time</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n"
    )
}
