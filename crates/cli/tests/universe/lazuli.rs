//! Which verdicts does Lazuli give on the methods of a fixture?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use lazuli_explore::{Config, Progress, field_bounds};
use lazuli_valid::Means;
use serde_json::Value;

use super::common;
use super::truth::{Fault, Pair};

/// The answer about one method.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub verdict: String,
    /// For which inputs it holds.
    pub extent: String,
    pub faults: Vec<Found>,
    /// Why something was not explored.
    pub not_explored: Vec<String>,
}

/// A fault that Lazuli found.
#[derive(Clone, Debug)]
pub struct Found {
    pub fault: Fault,
    pub on_jvm: OnJvm,
}

/// The result of running Lazuli's own input.
#[derive(Clone, Debug, PartialEq)]
pub enum OnJvm {
    NotAsked,
    Confirmed,
    /// The machine was too busy to tell.
    TooLate,
    /// Why not.
    NotConfirmed(String),
}

/// How much longer than all methods together a method may take whose answer a limit cut off.
const MORE_TIME: u32 = 10;

/// Asks about methods, all at once, with so much time for all of them. A run that ends itself on a busy machine may lack answers: only where
/// the time was over, these are asked for once more, each alone and with more time. Whatever is missing then is an error.
pub fn answers(
    classes: &Path,
    methods: &[&str],
    options: &[&str],
    time: Duration,
) -> Result<BTreeMap<String, Answer>, Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let (mut answers, said) = run(classes, methods, options, time)?;
    let is_cut_off = begin.elapsed() >= time;
    for method in methods {
        if answers.contains_key(*method) {
            continue;
        }
        if !is_cut_off {
            return Err(format!("{method} is not among {} answers: {said}", answers.len()).into());
        }
        let (mut again, said) = run(classes, &[method], options, time * MORE_TIME)?;
        let answer = again.remove(*method).ok_or_else(|| format!("{method} alone has no answer either: {said}"))?;
        answers.insert(method.to_string(), answer);
    }
    Ok(answers)
}

/// The answers of a run, and how it ended otherwise.
fn run(
    classes: &Path,
    methods: &[&str],
    options: &[&str],
    time: Duration,
) -> Result<(BTreeMap<String, Answer>, String), Box<dyn std::error::Error>> {
    let mut command = lazuli(classes);
    command.args(["check", "--class-path"]).arg(classes).args(methods);
    // The enumerators set fields, and call nothing; an argument that must not be null is a fault to them.
    command.args(["--format", "json", "--jobs", "1", "--inputs", "fields", "--strict"]).args(options);
    command.arg("--time").arg(format!("{}ms", time.as_millis()));
    let output = command.output()?;
    let said = format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    // Also one that does not keep the run from an answer.
    if !matches!(output.status.code(), Some(0 | 1 | 3)) || said.contains("panicked") {
        return Err(format!("{command:?}: {said}").into());
    }
    let mut answers = BTreeMap::new();
    for report in serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>() {
        let report = report.map_err(|error| format!("{command:?}: {error}\n{said}"))?;
        let target = report["target"].as_str().unwrap_or_default();
        let name = target.split('(').next().unwrap_or_default().replace('/', ".");
        answers.insert(name, answer(&report, classes)?);
    }
    Ok((answers, said))
}

/// The number of shapes that the valid objects of a class have.
pub fn shapes(classes: &Path, class: &str, scope: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let mut command = lazuli(classes);
    command.args(["shapes", "--class-path"]).arg(classes).args([class, "--scope", scope, "--jobs", "1"]);
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let count = said.lines().find_map(|line| line.split_once(": ")?.1.split_once(" valid shape")?.0.parse().ok());
    Ok(count.ok_or_else(|| format!("{said}{}", String::from_utf8_lossy(&output.stderr)))?)
}

/// The pairs of objects that fields of valid objects may connect.
pub fn bounds(classes: &Path, class: &str, scope: &str) -> Result<BTreeSet<Pair>, Box<dyn std::error::Error>> {
    let mut command = lazuli(classes);
    command.args(["bounds", "--format", "json", "--jobs", "1", class, "--scope", scope, "--class-path"]).arg(classes);
    let output = command.output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {errors}"))?;
    if report["unfinished"] != Value::Null {
        return Err(format!("unfinished: {report}").into());
    }
    let mut found = BTreeSet::new();
    for (field, bound) in report["fields"].as_object().ok_or("no fields")? {
        let pairs: Vec<(String, String)> = serde_json::from_value(bound["pairs"].clone())?;
        found.extend(pairs.into_iter().map(|(owner, target)| (field.clone(), number(&owner), number(&target))));
    }
    Ok(found)
}

/// The same from a circuit; none if there is none.
pub fn bounds_by_circuit(
    classes: &Path,
    class: &str,
    scope: usize,
) -> Result<Option<BTreeSet<Pair>>, Box<dyn std::error::Error>> {
    let program = common::program(classes);
    let class = program.load(class).map_err(|error| format!("{error:?}"))?;
    let config = Config::default().with(|config| {
        config.bounds.scope = scope;
        config.valid.means = Means::Circuit;
    });
    // The only error that may be: there is no circuit.
    let Ok(found) = field_bounds(&program, class, &config, &[], &Progress::default()) else { return Ok(None) };
    let pairs = found.fields.iter().flat_map(|bound| bound.pairs.iter().map(|pair| (bound.field.clone(), pair)));
    Ok(Some(pairs.map(|(field, (owner, target))| (field, number(owner), number(target))).collect()))
}

/// `N12` is 12; a static field goes by its name.
fn number(name: &str) -> String {
    let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    if digits.is_empty() { name.to_string() } else { digits.to_string() }
}

/// Answers that are kept are those of this run: a Lazuli of yesterday may have kept wrong ones.
fn lazuli(classes: &Path) -> Command {
    let binary = std::env::var("LAZULI_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_lazuli").to_string());
    let mut command = Command::new(binary);
    command.env("XDG_CACHE_HOME", classes.with_extension("cache"));
    command
}

fn answer(report: &Value, classes: &Path) -> Result<Answer, String> {
    let fixture = classes.file_name().unwrap_or_default().to_string_lossy();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut faults = Vec::new();
    for violation in list(&report["violations"]) {
        let fault = match violation["kind"].as_str() {
            Some("invariant") => ("invariant".to_string(), 0),
            _ => {
                let ending = &violation["ending"];
                let stack = list(&ending["stack"]);
                let line = stack.iter().find_map(|frame| line_in(frame.as_str()?, &fixture));
                (text(&ending["class"]), line.unwrap_or(0))
            }
        };
        let on_jvm = match violation["confirmed_on_jvm"].as_bool() {
            None => OnJvm::NotAsked,
            Some(true) => OnJvm::Confirmed,
            Some(false) => match text(&violation["not_confirmed"]) {
                why if why.ends_with("did not come to an end in time") => OnJvm::TooLate,
                why => OnJvm::NotConfirmed(why),
            },
        };
        faults.push(Found { fault, on_jvm });
    }
    let not_explored = list(&report["not_explored"]).iter().map(|left_out| text(&left_out["why"])).collect();
    let verdict = report["verdict"].as_str().ok_or_else(|| format!("no verdict: {report}"))?.to_string();
    Ok(Answer { verdict, extent: text(&report["extent"]), faults, not_explored })
}

/// The line of a frame such as `Texts.equal(Texts.java:5)`, if it is one of the fixture.
fn line_in(frame: &str, fixture: &str) -> Option<u32> {
    frame.split_once(&format!("({fixture}.java:"))?.1.strip_suffix(')')?.parse().ok()
}
