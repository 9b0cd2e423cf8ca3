//! Tests of the whole page, on hand-made reports.

use std::time::Duration;

use lazuli_vm::reason::Warning;

use super::super::samples;
use super::super::sources::Sources;
use super::super::{Finding, Tried};
use super::*;
use crate::exit::ProcessExit;

fn page(findings: &[Finding]) -> String {
    let failures = [("acme.<Odd>.f()".to_string(), "no <such> thing".to_string())];
    let (sources, request) = (&Sources::new(&[], &[]), &Default::default());
    html(&RunReport { findings, failures: &failures, exit: ProcessExit::Violated, sources, request })
}

#[test]
fn nothing_of_the_program_is_taken_for_markup() {
    let mut finding = samples::violated();
    finding.report.title = "acme.Node<T>.swap(int)".to_string();
    finding.report.violations[0].message = "<script>alert(\"&\")</script>".to_string();
    finding.report.warnings.push(Warning::InvariantThrows("a <b> warning".to_string()));
    let page = page(&[finding]);
    assert!(page.contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"), "{page}");
    assert!(page.contains("a &lt;b&gt; warning") && page.contains("no &lt;such&gt; thing"));
    assert!(!page.contains("<script>alert") && !page.contains("<such>") && !page.contains("Node<T>"));
}

#[test]
fn every_link_leads_to_a_place_of_the_page() {
    let page = page(&[samples::holds_so_far(), samples::violated(), samples::incomplete()]);
    let targets: Vec<&str> = page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(targets.len(), 3);
    for target in targets {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn all_verdicts_are_told_with_their_reasons() {
    let page = page(&[samples::holds_so_far(), samples::violated(), samples::incomplete()]);
    assert!(page.contains("4 methods: 1 violated, 1 incomplete, 1 not checked, 1 without a fault"), "{page}");
    assert!(page.contains("Holds for every input with at most 3 Node objects."));
    assert!(page.contains("Scope 4 was not finished: the time limit was reached after 100,000 paths."));
    assert!(page.contains("1. NullPointerException at Node.java:12") && page.contains("this.elem &gt; 0"));
    assert!(page.contains("The source of Node.java was not found"));
    assert!(page.contains(
        "unsupported: a native <span class=\"quiet\">(2 times, at <code>acme.Node.swap(Node.java:9)</code>)"
    ));
}

#[test]
fn a_problem_has_no_paths() {
    let tried = |scope| Tried { scope, paths: 0, elapsed: Duration::from_secs(1), is_complete: true };
    let mut findings = [samples::holds_so_far(), samples::violated()].map(samples::as_problem);
    findings[0].tried = vec![tried(1), tried(2)];
    let page = page(&findings);
    assert!(page.contains("The method was checked as one propositional problem."), "{page}");
    assert!(page.contains("Scope 4 was not finished: the time limit was reached.") && page.contains("Time by scope"));
    assert!(page.contains("<th scope=\"row\">Problem</th><td>one problem of 4,321 gates"), "{page}");
    assert!(page.contains("Before the call"), "the input is drawn");
    let of_paths = ["0 paths", "Paths by scope", "The technique was", "path condition", "<th scope=\"row\">Paths</th>"];
    for words in of_paths {
        assert!(!page.contains(words), "{words}");
    }
}

#[test]
fn a_test_and_its_confirmation_have_their_place() {
    let finding = samples::violated();
    let proof = super::super::Proof {
        test: Some("assertTrue(a < b);"),
        confirmation: Some("Confirmed on the JVM.".to_string()),
        calls: vec!["List list = new List();".to_string(), "list.swap(a < b);".to_string()],
    };
    let article = violation::article(&finding.report.violations[0], (1, "v"), proof, &Sources::new(&[], &[]), true);
    assert!(article.contains("<h4>The test to copy</h4>") && article.contains("assertTrue(a &lt; b);"), "{article}");
    assert!(article.contains("<p class=\"confirmation\">Confirmed on the JVM.</p>"));
    assert!(article.contains("<h4>The calls, in order</h4>") && article.contains("list.swap(a &lt; b);"), "{article}");
}
