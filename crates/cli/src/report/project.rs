//! How is a run about many targets told to a person with a project?
//!
//! Defects first, each in a few lines; then one line for each class, the sum of it all, and a command that makes sense now. `--details` prints
//! the whole block of each target instead.

use std::collections::BTreeMap;

use lazuli_console::numbers::{count, duration};
use lazuli_explore::{Verdict, Violation};
use lazuli_vm::reason::Resource;

use super::html::trend::RunRecord;
use super::noticed::{counted, first_line};
use super::picture::{self, When};
use super::text::{Page, TextStyle};
use super::{Finding, RunReport, split_title};
use crate::confirm::JvmVerdict;

/// Lines of the calls that make the input of a defect, or of its picture.
const MOST_LINES: usize = 6;

/// How the user asked for the run.
#[derive(Clone, Default)]
pub(crate) struct RequestWords {
    /// As it was written; none if the settings of the project say it.
    pub class_path: Option<String>,
    pub targets: Vec<String>,
    /// Classes in which there was nothing to check: sentences.
    pub skipped: Vec<String>,
    /// The report that was in the file of the HTML report before, if there was one.
    pub earlier: Option<RunRecord>,
}

/// The whole report.
pub(crate) fn project(run: &RunReport, style: TextStyle) -> String {
    let mut page = Page { style, text: String::new() };
    let mut number = 0;
    for finding in run.findings {
        for (index, violation) in finding.report.violations.iter().enumerate() {
            number += 1;
            defect(&mut page, number, finding, (index, violation));
        }
    }
    classes(&mut page, run);
    page.line(0, "");
    page.line(0, &summary(run));
    for line in next(run) {
        page.line(0, &line);
    }
    page.text
}

fn defect(page: &mut Page, number: usize, finding: &Finding, (index, violation): (usize, &Violation)) {
    let place = if violation.at.is_empty() { String::new() } else { format!(" at {}", violation.at) };
    let kind = page.style.verdict(Verdict::Violated, &violation.kind);
    let title = page.style.bold(&finding.report.title);
    page.painted(0, &format!("{number}. {title}: {kind}{}", lazuli_console::visible::visible(&place)));
    let message = first_line(&violation.message);
    if !message.is_empty() {
        page.line(3, &message);
    }
    let input = violation.outcome.example.as_ref().unwrap_or(&violation.outcome.input);
    // Calls describe the objects that they made; the picture describes the rest of the input.
    let is_made = |line: &String| {
        let name = line.split([' ', '.']).next().unwrap_or_default();
        input.calls.iter().any(|call| call.on == name)
    };
    let rest = picture::lines(input, When::AtEntry).into_iter().filter(|line| !is_made(line));
    let lines: Vec<String> = picture::calls(input).into_iter().chain(rest).collect();
    for line in lines.iter().take(MOST_LINES) {
        page.line(5, line);
    }
    if lines.len() > MOST_LINES {
        page.line(5, &format!("… {} more", count((lines.len() - MOST_LINES) as u64, "line", "lines")));
    }
    let on_jvm = finding.confirmations.get(index).map_or(&JvmVerdict::NotAsked, |confirmed| &confirmed.on_jvm);
    page.confirmation(3, on_jvm);
    page.line(0, "");
}

/// Everything known about the methods of one class.
#[derive(Default)]
struct ClassLine<'a> {
    holds: u64,
    violated: u64,
    incomplete: Vec<&'a Finding>,
    noticed: Vec<&'a Violation>,
    /// Methods that could not be checked, and why.
    refused: Vec<(&'a str, &'a str)>,
}

impl ClassLine<'_> {
    fn told(&self) -> String {
        let mut parts = Vec::new();
        if self.violated > 0 {
            parts.push(format!("{} violated", self.violated));
        }
        if self.holds > 0 {
            parts.push(count(self.holds, "holds", "hold"));
        }
        parts.extend(counted(self.noticed.iter().copied()));
        if let Some(first) = self.incomplete.first() {
            let why = first.judgement();
            let why = why.strip_prefix("incomplete: ").unwrap_or(&why).to_string();
            let (_, method) = first.class_and_method();
            let number = self.incomplete.len();
            parts.push(format!("{number} incomplete ({method}{}: {why})", others(number)));
        }
        if let Some((method, why)) = self.refused.first() {
            let number = self.refused.len();
            parts.push(format!("{number} not checked ({method}{}: {})", others(number), first_line(why)));
        }
        parts.join(", ")
    }
}

fn classes(page: &mut Page, run: &RunReport) {
    let mut lines: BTreeMap<&str, ClassLine> = BTreeMap::new();
    for finding in run.findings {
        let (class, _) = finding.class_and_method();
        let line = lines.entry(class).or_default();
        match finding.verdict() {
            Verdict::Holds => line.holds += 1,
            Verdict::Violated => line.violated += 1,
            Verdict::Incomplete => line.incomplete.push(finding),
        }
        line.noticed.extend(&finding.report.findings);
    }
    for (title, why) in run.failures {
        // A request of the user need not name a method.
        let (class, method) = if title.contains('(') { split_title(title) } else { (title.as_str(), title.as_str()) };
        lines.entry(class).or_default().refused.push((method, why));
    }
    let width = lines.keys().map(|class| class.chars().count()).max().unwrap_or(0).min(40);
    for (class, line) in &lines {
        let verdict = match (line.violated > 0, line.incomplete.is_empty() && line.refused.is_empty()) {
            (true, _) => Verdict::Violated,
            (false, false) => Verdict::Incomplete,
            (false, true) => Verdict::Holds,
        };
        let padding = " ".repeat(width.saturating_sub(class.chars().count()));
        let class = page.style.verdict(verdict, class);
        page.painted(0, &format!("{class}{padding}  {}", lazuli_console::visible::visible(&line.told())));
    }
    for skipped in &run.request.skipped {
        page.line(0, skipped);
    }
}

/// "12 methods of 3 classes: 2 violated (3 defects, 2 confirmed on the JVM), 10 hold. Scopes 1 to 5, 3.2 s."
fn summary(run: &RunReport) -> String {
    let number = |verdict| run.findings.iter().filter(|finding| finding.verdict() == verdict).count() as u64;
    let mut names: Vec<&str> = run.findings.iter().map(|finding| finding.class_and_method().0).collect();
    names.sort_unstable();
    names.dedup();
    let mut parts = Vec::new();
    if number(Verdict::Violated) > 0 {
        let defects: usize = run.findings.iter().map(|finding| finding.report.violations.len()).sum();
        let confirmed = run.findings.iter().flat_map(|finding| &finding.confirmations);
        let confirmed = confirmed.filter(|one| matches!(one.on_jvm, JvmVerdict::Confirmed { .. })).count();
        let defects = count(defects as u64, "defect", "defects");
        parts.push(format!("{} violated ({defects}, {confirmed} confirmed on the JVM)", number(Verdict::Violated)));
    }
    if number(Verdict::Holds) > 0 {
        parts.push(count(number(Verdict::Holds), "holds", "hold"));
    }
    if number(Verdict::Incomplete) > 0 {
        parts.push(format!("{} incomplete", number(Verdict::Incomplete)));
    }
    if !run.failures.is_empty() {
        parts.push(format!("{} not checked", run.failures.len()));
    }
    let scopes = run.findings.iter().map(|finding| finding.bounds.scope);
    let scopes = match (scopes.clone().min(), scopes.max()) {
        (Some(least), Some(most)) if least < most => format!("Scopes {least} to {most}, "),
        (Some(only), _) => format!("Scope {only}, "),
        _ => String::new(),
    };
    let time = duration(run.findings.iter().map(|finding| finding.elapsed).sum());
    let methods = count(run.findings.len() as u64, "method", "methods");
    let classes = count(names.len() as u64, "class", "classes");
    format!(
        "{methods} of {classes}: {}. {scopes}{time}; --details says of which inputs each is true.",
        parts.join(", ")
    )
}

/// A command that makes sense now, with the reason for it.
fn next(run: &RunReport) -> Vec<String> {
    let class_path = run.request.class_path.as_ref().map(|path| format!(" -cp {}", quoted(path))).unwrap_or_default();
    let of = |verdict| run.findings.iter().find(|finding| finding.verdict() == verdict);
    let is_out_of_time = |finding: &Finding| {
        let why = finding.report.not_explored.iter().filter_map(|entry| entry.why.resource());
        finding.verdict() == Verdict::Incomplete && why.into_iter().any(|resource| resource == Resource::Time)
    };
    // The calls of several threads are no target that could be named.
    if run.findings.iter().any(|finding| finding.report.title.contains(" | ")) {
        return Vec::new();
    }
    let command = match (of(Verdict::Violated), of(Verdict::Incomplete)) {
        (Some(violated), _) => {
            format!("lazuli check{class_path} {}", quoted(&violated.report.title))
        }
        (None, Some(_)) if run.findings.iter().any(is_out_of_time) => {
            let targets: Vec<String> = run.request.targets.iter().map(|target| quoted(target)).collect();
            format!("lazuli check{class_path} {} --time 10m", targets.join(" "))
        }
        (None, Some(incomplete)) => format!("lazuli check{class_path} {}", quoted(&incomplete.report.title)),
        (None, None) if run.findings.is_empty() => return Vec::new(),
        (None, None) => {
            let targets: Vec<String> = run.request.targets.iter().map(|target| quoted(target)).collect();
            format!("lazuli tests{class_path} {} -o tests", targets.join(" "))
        }
    };
    vec![format!("Next: {}", command.replace("  ", " "))]
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-/:,".contains(character);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// " and 2 more", behind the first of three.
fn others(number: usize) -> String {
    if number > 1 { format!(" and {} more", number - 1) } else { String::new() }
}

/// The reason why a target was not checked, for reports that have a line for it.
pub(crate) fn refusal(title: &str, why: &str) -> String {
    format!("{title}: not checked: {why}")
}

/// The same for several targets. A reason that is the same for some of them, such as a clause that is not understood, is told once.
pub(crate) fn refusals(refused: &[(String, String)]) -> Vec<String> {
    let mut told: Vec<(&str, &str, usize)> = Vec::new();
    for (title, why) in refused {
        match told.iter_mut().find(|(_, known, _)| *known == why) {
            Some((_, _, number)) => *number += 1,
            None => told.push((title, why, 1)),
        }
    }
    told.into_iter().map(|(title, why, number)| refusal(&format!("{title}{}", others(number)), why)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::super::sources::Sources;
    use super::*;
    use crate::exit::ProcessExit;

    const PLAIN: TextStyle = TextStyle { is_coloured: false, width: 100 };

    fn told(findings: &[Finding], failures: &[(String, String)], request: RequestWords) -> String {
        let sources = Sources::new(&[], &[]);
        let exit = ProcessExit::Success;
        project(&RunReport { findings, failures, exit, sources: &sources, request: &request }, PLAIN)
    }

    #[test]
    fn defects_come_first_and_then_the_classes() {
        let request = RequestWords {
            class_path: Some("out".to_string()),
            targets: vec!["acme.**".to_string()],
            skipped: vec!["acme.Names: skipped, it has no public method to check".to_string()],
            ..RequestWords::default()
        };
        let mut incomplete = samples::incomplete();
        incomplete.report.title = "acme.List.add(int)".to_string();
        let failures = [("acme.List.get(int)".to_string(), "a clause is wrong\nhere".to_string())];
        let expected = "\
1. acme.Node.swap(int): NullPointerException at Node.java:12
   because \"this.next\" is null
     this = some Node { elem = 1, next = null }

acme.List  1 incomplete (add(int): unsupported: a native, and 1 more), 1 not checked (get(int): a clause is wrong)
acme.Node  1 violated, 1 holds
acme.Names: skipped, it has no public method to check

3 methods of 2 classes: 1 violated (1 defect, 0 confirmed on the JVM), 1 holds, 1 incomplete, 1 not checked. Scope 3, 36 ms; --details says of which inputs each is true.
Next: lazuli check -cp out 'acme.Node.swap(int)'
";
        assert_eq!(told(&[samples::holds(), samples::violated(), incomplete], &failures, request), expected);
    }

    #[test]
    fn where_all_hold_tests_come_next() {
        let request = RequestWords { targets: vec!["acme.**".to_string()], ..RequestWords::default() };
        let report = told(&[samples::holds()], &[], request);
        assert!(report.ends_with("Next: lazuli tests 'acme.**' -o tests\n"), "{report}");
    }
}
