//! How is a run reported to build servers? As JUnit XML: a suite for each class, a case for each method.
//!
//! A violation is a failure. What is incomplete, or could not be checked, is an error and not skipped: a build must not be green because of
//! something that was not explored.

use std::time::Duration;

use lazuli_console::escape::{escaped, escaped_lines};
use lazuli_explore::Verdict;

use super::text::{TextStyle, text};
use super::{Finding, RunReport, split_title};

/// The whole document.
pub(crate) fn junit(run: &RunReport) -> String {
    let mut suites: Vec<JunitSuite> = Vec::new();
    for finding in run.findings {
        let (class, method) = finding.class_and_method();
        suite_of(&mut suites, class).add(case(finding, class, method), finding.verdict(), finding.elapsed);
    }
    for (title, why) in run.failures {
        let (class, method) = split_title(title);
        let why = escaped(why);
        let case = format!(
            "    <testcase classname=\"{}\" name=\"{}\" time=\"0.000\">\n      \
             <error type=\"not checked\" message=\"{why}\"></error>\n    </testcase>\n",
            escaped(class),
            escaped(method)
        );
        suite_of(&mut suites, class).add(case, Verdict::Incomplete, Duration::ZERO);
    }
    let sum = |number: fn(&JunitSuite) -> usize| suites.iter().map(number).sum::<usize>();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lazuli\" {}>\n",
        attributes(
            sum(|suite| suite.cases.len()),
            sum(|suite| suite.failures),
            sum(|suite| suite.errors),
            suites.iter().map(|suite| suite.time).sum()
        )
    );
    for suite in &suites {
        let attributes = attributes(suite.cases.len(), suite.failures, suite.errors, suite.time);
        xml.push_str(&format!("  <testsuite name=\"{}\" {attributes} skipped=\"0\">\n", escaped(&suite.class)));
        suite.cases.iter().for_each(|case| xml.push_str(case));
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

struct JunitSuite {
    class: String,
    cases: Vec<String>,
    failures: usize,
    errors: usize,
    time: Duration,
}

impl JunitSuite {
    fn add(&mut self, case: String, verdict: Verdict, time: Duration) {
        self.cases.push(case);
        self.failures += (verdict == Verdict::Violated) as usize;
        self.errors += (verdict == Verdict::Incomplete) as usize;
        self.time += time;
    }
}

fn suite_of<'a>(suites: &'a mut Vec<JunitSuite>, class: &str) -> &'a mut JunitSuite {
    let position = suites.iter().position(|suite| suite.class == class).unwrap_or(suites.len());
    if position == suites.len() {
        let class = class.to_string();
        suites.push(JunitSuite { class, cases: Vec::new(), failures: 0, errors: 0, time: Duration::ZERO });
    }
    &mut suites[position]
}

fn attributes(tests: usize, failures: usize, errors: usize, time: Duration) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\"", time.as_secs_f64())
}

fn case(finding: &Finding, class: &str, method: &str) -> String {
    let report = text(finding, TextStyle { is_coloured: false, width: 100 });
    let judgement = finding.judgement();
    let body = match finding.verdict() {
        Verdict::Holds => format!("<system-out>{}</system-out>", escaped_lines(&report)),
        Verdict::Violated => {
            let kind = finding.report.violations.first().map_or("violated", |violation| &violation.kind);
            element("failure", kind, &judgement, &report)
        }
        Verdict::Incomplete => element("error", "incomplete", &judgement, &report),
    };
    format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\">\n      {body}\n    </testcase>\n",
        escaped(class),
        escaped(method),
        finding.elapsed.as_secs_f64()
    )
}

fn element(name: &str, kind: &str, message: &str, text: &str) -> String {
    format!("<{name} type=\"{}\" message=\"{}\">{}</{name}>", escaped(kind), escaped(message), escaped_lines(text))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::super::sources::Sources;
    use super::*;
    use crate::exit::ProcessExit;

    #[test]
    fn each_verdict_has_its_element() {
        let mut findings = [samples::holds(), samples::violated(), samples::incomplete()];
        findings[1].report.violations[0].kind = "Odd<Error>".to_string();
        findings[2].report.title = "acme.List.size()".to_string();
        let failures = [("acme.List.clear()".to_string(), "no \"machine\"".to_string())];
        let xml = junit(&RunReport {
            findings: &findings,
            failures: &failures,
            exit: ProcessExit::Violated,
            sources: &Sources::new(&[], &[]),
            request: &Default::default(),
        });
        assert!(
            xml.contains("<testsuites name=\"lazuli\" tests=\"4\" failures=\"1\" errors=\"2\" time=\"0.036\">"),
            "{xml}"
        );
        assert!(
            xml.contains(
                "<testsuite name=\"acme.Node\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"0.024\" skipped=\"0\">"
            ),
            "{xml}"
        );
        assert!(
            xml.contains("<testcase classname=\"acme.Node\" name=\"swap(int)\" time=\"0.012\">\n      <system-out>"),
            "{xml}"
        );
        assert!(
            xml.contains("<failure type=\"Odd&lt;Error&gt;\" message=\"violated: Odd&lt;Error&gt; at Node.java:12; holds otherwise up to scope 3\">"),
            "{xml}"
        );
        assert!(
            xml.contains("<error type=\"incomplete\" message=\"incomplete: unsupported: a native, and 1 more\">"),
            "{xml}"
        );
        assert!(xml.contains("<error type=\"not checked\" message=\"no &quot;machine&quot;\">"), "{xml}");
    }
}
