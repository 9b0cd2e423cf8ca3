//! Is an answer right?

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use super::configuration::Configuration;
use super::lazuli::{self, Answer, Found, OnJvm};
use super::truth::{Directives, Fault, Method};

/// The question.
pub struct Asked<'a> {
    pub classes: &'a Path,
    pub directives: &'a Directives,
    pub configuration: &'a Configuration,
    /// For all methods together.
    pub time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Violated,
    Holds,
    Incomplete,
    Wrong,
}

/// An answer, and what is wrong with it.
pub struct Judgement {
    pub kind: Kind,
    pub wrong: Option<String>,
}

/// Judges the answers about all methods of a fixture.
pub fn judge(asked: &Asked, methods: &[Method]) -> Result<Vec<Judgement>, Box<dyn std::error::Error>> {
    let all: Vec<&str> = methods.iter().map(|method| method.name.as_str()).collect();
    let scope = asked.directives.words("scope").next().unwrap_or("2").to_string();
    let mut options: Vec<&str> = vec!["--scope", &scope];
    let further: Vec<&str> = asked.directives.words("lazuli").collect();
    if further.contains(&"--scope") {
        options.clear();
    }
    options.extend(further);
    options.extend(asked.configuration.options);
    let unconfirmed = [&options[..], &["--no-confirm"]].concat();
    let first = if asked.configuration.confirms { &options } else { &unconfirmed };
    let answers = lazuli::answers(asked.classes, &all, first, asked.time)?;
    let mut judgements = Vec::new();
    for method in methods {
        let mut answer = answers.get(&method.name).ok_or_else(|| format!("{} has no answer", method.name))?.clone();
        // Brute force knows no such fault: numbers outside of its domain may still have it, which Lazuli's own input must show.
        let is_new = |found: &Found| !method.faults.contains_key(&found.fault) && found.on_jvm == OnJvm::NotAsked;
        if !method.goes_wrong && answer.faults.iter().any(is_new) {
            let again = lazuli::answers(asked.classes, &[&method.name], &options, asked.time)?;
            answer = again.get(&method.name).ok_or_else(|| format!("{} has no answer", method.name))?.clone();
        }
        let must_be_complete =
            asked.directives.words("complete").any(|name| name == "all" || name == asked.configuration.name);
        let wrong = wrong(method, &answer, must_be_complete).or_else(|| invented(asked.directives, method, &answer));
        let kind = match (&wrong, answer.verdict.as_str()) {
            (Some(_), _) => Kind::Wrong,
            (None, "violated") => Kind::Violated,
            (None, "holds") => Kind::Holds,
            (None, _) => Kind::Incomplete,
        };
        let told = wrong.map(|why| format!("{} under {}: {why}", method.name, asked.configuration.name));
        judgements.push(Judgement { kind, wrong: told });
    }
    Ok(judgements)
}

/// The fault of an answer.
fn wrong(method: &Method, answer: &Answer, must_be_complete: bool) -> Option<String> {
    let found: BTreeSet<&Fault> = answer.faults.iter().map(|found| &found.fault).collect();
    let missing = method.faults.iter().find(|(fault, _)| !found.contains(fault));
    // A panic that ended a path.
    if let Some(panic) = answer.not_explored.iter().find(|why| why.starts_with("a bug in Lazuli")) {
        return Some(format!("PANIC: {panic}"));
    }
    match (answer.verdict.as_str(), missing) {
        // A verdict may leave such inputs out, if it says so.
        ("holds", Some(_)) if method.left_out_by.iter().any(|words| answer.extent.contains(words)) => None,
        ("holds", Some(((kind, line), example))) => {
            Some(format!("WRONG HOLDS for {}: brute force finds {kind} at line {line} for {example}", answer.extent))
        }
        ("holds", None) if method.goes_wrong => {
            Some(format!("WRONG HOLDS for {}: it is known to go wrong", answer.extent))
        }
        ("holds", None) => None,
        ("violated", missing) => match (answer.faults.iter().find_map(|found| false_alarm(method, found)), missing) {
            (Some(why), _) => Some(why),
            (None, Some(((kind, line), example)))
                if answer.not_explored.is_empty() && !method.goes_wrong && method.left_out_by.is_empty() =>
            {
                Some(format!(
                    "MISSED FAULT: says violated by {found:?} alone; brute force also finds {kind} at line {line} for {example}"
                ))
            }
            _ => None,
        },
        ("incomplete", _) if answer.not_explored.is_empty() => Some("INCOMPLETE WITHOUT A REASON".to_string()),
        ("incomplete", _) if must_be_complete => Some(format!("INCOMPLETE: {:?}", answer.not_explored)),
        ("incomplete", _) => None,
        (other, _) => Some(format!("the verdict is {other:?}")),
    }
}

/// A fault that brute force must know, and does not. The JVM confirms such a fault where Lazuli's own input is one that no program makes without unchecked casts.
fn invented(directives: &Directives, method: &Method, answer: &Answer) -> Option<String> {
    let must_be_known = |kind: &str| directives.words("known").any(|known| known == "all" || known == kind);
    let mut faults = answer.faults.iter().map(|found| &found.fault);
    let (kind, line) = faults.find(|fault| must_be_known(&fault.0) && !method.faults.contains_key(fault))?;
    Some(format!("FALSE ALARM: {kind} at line {line}, which none of {} valid inputs shows", method.valid_inputs))
}

/// Why a fault that Lazuli tells is none, or its input cannot be.
fn false_alarm(method: &Method, found: &Found) -> Option<String> {
    let OnJvm::NotConfirmed(why) = &found.on_jvm else { return None };
    let ((kind, line), inputs) = (&found.fault, method.valid_inputs);
    if method.goes_wrong || method.is_unconfirmed {
        return None;
    }
    match method.faults.get(&found.fault) {
        Some(example) => {
            Some(format!("WRONG INPUT: {kind} at line {line} is not confirmed: {why}; brute force knows {example}"))
        }
        // One of the inputs that were not tried may show it.
        None if method.is_cut => None,
        None => Some(format!(
            "FALSE ALARM: {kind} at line {line}, which none of {inputs} valid inputs shows and the JVM does not confirm: {why}"
        )),
    }
}
