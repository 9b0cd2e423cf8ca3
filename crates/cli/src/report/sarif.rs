//! How is a run reported to code hosts and editors? As SARIF 2.1.0, the standard for results of analyses.
//!
//! A violation is a result at its line, with the path as a code flow. What was not explored is a notification of the invocation: it is
//! no fault of the program, but must not be taken for fine.

use lazuli_console::visible::visible_json;
use lazuli_explore::{Ending, FindingKind, PropertyStep, Schedule, ScheduleStep, Verdict, Violation};
use lazuli_spec::SourceLine;
use serde_json::{Value, json};

use super::noticed::noticed;
use super::property::event;
use super::reasons::reason;
use super::schedule::step_in_words;
use super::{Finding, RunReport, assumed};
use crate::exit::ProcessExit;

/// Longer paths are cut at their beginning: what matters is how they end.
const MOST_STEPS: usize = 500;
/// Files are named relative to the root of the sources, whatever that is for the reader.
const ROOT: &str = "%SRCROOT%";

/// The whole document.
pub(crate) fn sarif(run: &RunReport) -> String {
    let all = run.findings.iter().flat_map(|one| one.report.violations.iter().chain(&one.report.findings));
    let mut rules: Vec<&str> = all.map(rule_of).collect();
    rules.sort_unstable();
    rules.dedup();
    let mut results = Vec::new();
    for finding in run.findings {
        for (index, violation) in finding.report.violations.iter().enumerate() {
            let rule = rules.iter().position(|kind| *kind == violation.kind).unwrap_or(0);
            results.push(result(run, finding, violation, index, rule));
        }
        for (index, found) in finding.report.findings.iter().enumerate() {
            let rule = rules.iter().position(|kind| *kind == rule_of(found)).unwrap_or(0);
            results.push(result(run, finding, found, index, rule));
        }
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Lazuli",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|kind| rule(kind)).collect::<Vec<Value>>(),
            }},
            "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the project."}}},
            "columnKind": "utf16CodeUnits",
            "invocations": [invocation(run)],
            "results": results,
        }],
    });
    let text = serde_json::to_string_pretty(&document).expect("texts and numbers can always be written");
    visible_json(text) + "\n"
}

/// The kind of a fault, or the meaning of what is none.
fn rule_of(found: &Violation) -> &str {
    match found.finding {
        FindingKind::Defect => &found.kind,
        other => other.name(),
    }
}

/// One for each kind of fault.
fn rule(kind: &str) -> Value {
    let (short, full) = match kind {
        "rejection" => (
            "An exception that the method throws on purpose".to_string(),
            "The method says no to an argument, or to the state of its receiver.".to_string(),
        ),
        "null-argument" => (
            "A null argument is not expected".to_string(),
            "An exception is thrown where an argument is null. With --strict it is a defect.".to_string(),
        ),
        "deadlock" => (
            "Threads wait for each other, or for ever".to_string(),
            "For some valid input there is an order of the threads in which some of them never go on.".to_string(),
        ),
        "race" => (
            "Threads race for a field or an element".to_string(),
            "Two threads access it, one of them writes, and neither access happens before the other.".to_string(),
        ),
        "not linearizable" => (
            "No order of the calls explains what the threads saw".to_string(),
            "Calls of several threads end in a way, or leave an object, that the same calls one after the other do not."
                .to_string(),
        ),
        "note" => (
            "A fault on an object that no calls were found to make".to_string(),
            "The fault depends on the contents of fields, and no calls were found that lead to them.".to_string(),
        ),
        property if property.starts_with("property ") => (
            format!("The {property} is broken"),
            "For some valid input, and some order of the threads, the events of the run lead its automaton into an error.".to_string(),
        ),
        "invariant" => (
            "The invariant does not hold after the method".to_string(),
            "For some valid input the method leaves an object for which the invariant is false, or throws.".to_string(),
        ),
        "postcondition" => (
            "The postcondition is false after the method".to_string(),
            "For some input that the precondition takes, the postcondition is false, or throws, after a normal return."
                .to_string(),
        ),
        "ensures" | "signals" | "signals_only" | "assignable" | "pure" | "normal_behavior" | "exceptional_behavior" => {
            (
                format!("A clause of JML is not kept: {kind}"),
                "For some input that the specification takes, the method does not do what the clause says.".to_string(),
            )
        }
        thrown => (
            format!("{thrown} is thrown"),
            format!("For some valid input the method ends with {thrown}, which it does not declare."),
        ),
    };
    json!({
        "id": rule_id(kind),
        "name": kind,
        "shortDescription": {"text": format!("{short}.")},
        "fullDescription": {"text": full},
        "help": {"text": "The report of Lazuli shows an input for which this happens, and the path that it takes."},
        "defaultConfiguration": {"level": level(kind)},
    })
}

fn level(rule: &str) -> &'static str {
    let is_note = |kind: &FindingKind| *kind != FindingKind::Defect && kind.name() == rule;
    let kinds = [FindingKind::Rejection, FindingKind::NullArgument, FindingKind::Note, FindingKind::Race];
    if kinds.iter().any(is_note) { "note" } else { "error" }
}

fn rule_id(kind: &str) -> String {
    format!("lazuli/{kind}")
}

fn result(run: &RunReport, finding: &Finding, violation: &Violation, index: usize, rule: usize) -> Value {
    let report = &finding.report;
    let message = match (violation.finding, violation.message.is_empty()) {
        (FindingKind::Defect, true) => format!("{}: {}.", report.title, violation.kind),
        (FindingKind::Defect, false) => format!("{}: {}: {}", report.title, violation.kind, violation.message),
        _ => format!("{}: {}", report.title, noticed(violation)),
    };
    let calls = match violation.finding {
        FindingKind::Defect => finding.proof(index).calls,
        _ => Vec::new(),
    };
    let message = match calls {
        calls if calls.is_empty() => message,
        calls => format!("{message}\nThe calls, in order:\n{}", calls.join("\n")),
    };
    let mut location = json!({
        "logicalLocations": [{"fullyQualifiedName": report.title, "kind": "function"}],
    });
    if let Some(place) = &violation.place {
        location["physicalLocation"] = physical(run, place);
    }
    let mut result = json!({
        "ruleId": rule_id(rule_of(violation)),
        "ruleIndex": rule,
        "level": level(rule_of(violation)),
        "kind": "fail",
        "message": {"text": message},
        "locations": [location],
        "occurrenceCount": violation.count.max(1),
        "partialFingerprints": {"lazuliFault/v1": fingerprint(finding, violation, index)},
    });
    let lines = &violation.outcome.lines;
    let steps: Vec<Value> = lines[lines.len().saturating_sub(MOST_STEPS)..]
        .iter()
        .map(|place| json!({"location": {"physicalLocation": physical(run, place)}}))
        .collect();
    match &violation.outcome.schedule {
        Some(schedule) => result["codeFlows"] = json!([{"threadFlows": thread_flows(run, schedule)}]),
        None if !steps.is_empty() => result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]),
        None => {}
    }
    if let Ending::Broken(breach) = &violation.outcome.ending {
        let events: Vec<Value> = breach.word.iter().map(|step| property_location(run, step)).collect();
        let flow =
            json!({"message": {"text": "the events that break the property"}, "threadFlows": [{"locations": events}]});
        match result["codeFlows"].as_array_mut() {
            Some(flows) => flows.insert(0, flow),
            None => result["codeFlows"] = json!([flow]),
        }
    }
    if let Ending::Threw { trace, .. } = &violation.outcome.ending
        && !trace.is_empty()
    {
        let frames = trace.iter().map(
            |frame| json!({"location": {"logicalLocations": [{"fullyQualifiedName": frame, "kind": "function"}]}}),
        );
        result["stacks"] = json!([{"frames": frames.collect::<Vec<Value>>()}]);
    }
    result
}

/// A flow for each thread. The orders of execution say how they interleave.
fn thread_flows(run: &RunReport, schedule: &Schedule) -> Vec<Value> {
    let first = schedule.steps.len().saturating_sub(MOST_STEPS);
    let steps: Vec<(usize, &ScheduleStep)> = schedule.steps.iter().enumerate().skip(first).collect();
    let flow = |(number, name): (usize, &String)| {
        let own = steps.iter().filter(|(_, step)| step.thread == number);
        let locations: Vec<Value> = own.map(|(at, step)| thread_flow_location(run, at + 1, step)).collect();
        // A flow must have a location.
        (!locations.is_empty()).then(|| json!({"id": format!("{name} ({number})"), "locations": locations}))
    };
    schedule.threads.iter().enumerate().filter_map(flow).collect()
}

fn property_location(run: &RunReport, step: &PropertyStep) -> Value {
    let state = step.state.as_deref().unwrap_or("error");
    let thread = step.thread.as_ref().map_or(String::new(), |thread| format!(" by {thread}"));
    let mut location = json!({"message": {"text": format!("{}{thread} leads to {state}", event(step))}});
    if let Some(place) = &step.place {
        location["physicalLocation"] = physical(run, place);
    }
    json!({"location": location})
}

fn thread_flow_location(run: &RunReport, order: usize, step: &ScheduleStep) -> Value {
    let mut location = json!({"message": {"text": step_in_words(step)}});
    if let Some(place) = &step.place {
        location["physicalLocation"] = physical(run, place);
    }
    json!({"executionOrder": order, "location": location})
}

fn physical(run: &RunReport, place: &SourceLine) -> Value {
    let mut location = json!({"artifactLocation": {"uri": run.sources.uri(place), "uriBaseId": ROOT}});
    // Without line numbers, there is the file at least.
    if place.line > 0 {
        location["region"] = json!({"startLine": place.line});
    }
    location
}

/// The same for the same fault of the same method, even if its line has moved.
fn fingerprint(finding: &Finding, violation: &Violation, index: usize) -> String {
    let list = match violation.finding {
        FindingKind::Defect => &finding.report.violations,
        _ => &finding.report.findings,
    };
    let same = list[..index].iter().filter(|other| other.kind == violation.kind).count();
    // FNV-1a, because it must be the same everywhere and for ever.
    let rule = rule_of(violation);
    let kind = if rule == violation.kind { rule.to_string() } else { format!("{rule} {}", violation.kind) };
    let text = format!("{}\n{kind}\n{same}", finding.report.target);
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

fn invocation(run: &RunReport) -> Value {
    let mut notifications = Vec::new();
    for finding in run.findings {
        let title = &finding.report.title;
        for missing in &finding.report.not_explored {
            let place = if missing.at.is_empty() { String::new() } else { format!(", at {}", missing.at) };
            let text = format!("{title}: not explored: {} ({} ×{place})", reason(&missing.why), missing.count);
            notifications.push(notification("warning", &text));
        }
        if finding.verdict() == Verdict::Incomplete && finding.report.not_explored.is_empty() {
            notifications.push(notification("warning", &finding.headline()));
        }
        notifications
            .extend(finding.unfinished_sentence().map(|text| notification("note", &format!("{title}: {text}"))));
        notifications
            .extend(assumed(&finding.report.assumptions).map(|text| notification("note", &format!("{title}: {text}"))));
        let warnings = finding.remarks().into_iter();
        notifications.extend(warnings.map(|warning| notification("warning", &format!("{title}: {warning}"))));
    }
    for (title, why) in run.failures {
        notifications.push(notification("error", &format!("{title}: {why}")));
    }
    let meaning = match run.exit {
        ProcessExit::Success => "holds",
        ProcessExit::Violated => "violated",
        ProcessExit::WrongRequest => "the request is wrong",
        ProcessExit::Incomplete => "incomplete",
    };
    json!({
        "executionSuccessful": run.failures.is_empty(),
        "exitCode": run.exit.code(),
        "exitCodeDescription": meaning,
        "toolExecutionNotifications": notifications,
    })
}

fn notification(level: &str, text: &str) -> Value {
    json!({"level": level, "message": {"text": text}})
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::super::sources::Sources;
    use super::*;

    #[test]
    fn a_violation_is_a_result_at_its_line() {
        let findings = [samples::violated(), samples::incomplete()];
        let run = RunReport {
            findings: &findings,
            failures: &[],
            exit: ProcessExit::Violated,
            sources: &Sources::new(&[], &[]),
            request: &Default::default(),
        };
        let parsed: Value = serde_json::from_str(&sarif(&run)).unwrap();
        let run = &parsed["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], "lazuli/NullPointerException");
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"], json!({"uri": "acme/Node.java", "uriBaseId": ROOT}));
        assert_eq!(physical["region"]["startLine"], 12);
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        let lines: Vec<&Value> =
            steps.iter().map(|step| &step["location"]["physicalLocation"]["region"]["startLine"]).collect();
        assert_eq!(lines, [10, 11, 12, 10]);
        assert_eq!(result["occurrenceCount"], 2);
        let invocation = &run["invocations"][0];
        assert_eq!((&invocation["exitCode"], &invocation["executionSuccessful"]), (&json!(1), &json!(true)));
        let notification = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
        assert_eq!(
            notification,
            "acme.Node.swap(int): not explored: unsupported: a native (2 ×, at acme.Node.swap(Node.java:9))"
        );
    }

    #[test]
    fn a_fingerprint_does_not_depend_on_the_line() {
        let finding = samples::violated();
        let mut moved = samples::violated();
        moved.report.violations[0].at = "Node.java:99".to_string();
        let print = |finding: &Finding| fingerprint(finding, &finding.report.violations[0], 0);
        assert_eq!(print(&finding), print(&moved));
        moved.report.violations[0].kind = "invariant".to_string();
        assert_ne!(print(&finding), print(&moved));
    }
}
