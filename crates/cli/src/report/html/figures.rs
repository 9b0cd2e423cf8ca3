//! How long did what take, and how much of it was there?

use lazuli_console::escape::escaped;
use lazuli_console::numbers::{count, duration};

use super::super::text::{effort_figures, piece_figures, size_figures};
use super::super::{Finding, Tried};

/// Scopes in a table; a target without structures may have hundreds.
const LISTED_SCOPES: usize = 12;

/// Times and counts of a target.
pub(super) fn table(finding: &Finding) -> String {
    let report = &finding.report;
    let solver = &report.solver;
    let knows_paths = finding.knows_paths();
    let mut rows = vec![
        (if knows_paths { "Paths" } else { "Problem" }, size_figures(report)),
        ("Effort", effort_figures(finding)),
        ("Time in all", duration(finding.elapsed)),
    ];
    if let Some(pieces) = &report.pieces {
        rows.push(("Pieces", piece_figures(pieces)));
    }
    if solver.by_smt + solver.by_order > 0 {
        let smt = format!("{} in the SMT solver", duration(solver.time_in_smt));
        let order = format!("{} in the procedure for orders", duration(solver.time_in_order));
        rows.push(("Solvers, all threads", format!("{smt}, {order}")));
    }
    if report.structure_calls + report.sat_calls > 0 && knows_paths {
        let searches = count(report.structure_calls, "search", "searches");
        let sat = count(report.sat_calls, "question", "questions");
        rows.push(("Valid inputs", format!("{searches}, {sat} to a SAT solver")));
    }
    let rows = rows
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name), escaped(value)));
    let mut html = format!("<table class=\"figures\">\n{}</table>\n", rows.collect::<String>());
    if finding.tried.len() > 1 {
        html.push_str(&scopes(&finding.tried, knows_paths));
    }
    html
}

fn scopes(tried: &[Tried], knows_paths: bool) -> String {
    let row = |one: &Tried| {
        let end = if one.is_complete { "complete" } else { "not finished" };
        let paths = match knows_paths {
            true => format!("<td>{}</td>", count(one.paths, "path", "paths")),
            false => String::new(),
        };
        let (scope, time) = (one.scope, duration(one.elapsed));
        format!("<tr><th scope=\"row\">{scope}</th>{paths}<td>{time}</td><td>{end}</td></tr>\n")
    };
    let heading = if knows_paths { "<th scope=\"col\">Paths</th>" } else { "" };
    let skipped = tried.len().saturating_sub(LISTED_SCOPES);
    let rows: String = tried[skipped..].iter().map(row).collect();
    let note = match skipped {
        0 => String::new(),
        _ => format!("<p class=\"quiet\">Of {} scopes, the last {LISTED_SCOPES}:</p>\n", tried.len()),
    };
    format!(
        "{note}<table class=\"figures\">\n<thead><tr><th scope=\"col\">Scope</th>{heading}\
         <th scope=\"col\">Time</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n"
    )
}
