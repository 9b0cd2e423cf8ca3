//! Does Lazuli try every input of random programs?
//!
//! `LAZULI_SECONDS` says how long they are made up, and `LAZULI_SEED` with which number they begin. What disagrees is made smaller and printed with its number.

use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

use super::configuration::{CONFIGURATIONS, Configuration};
use super::dice::Dice;
use super::generator::{self, Generated, Part};
use super::judge::{self, Asked, Judgement, Kind};
use super::truth::{self, Directives, Method};

/// A compiler and a JVM are started for so many programs at once.
const BATCH: u64 = 8;

/// Each program is checked in so many ways, by lot.
const WAYS: usize = 6;

/// For all methods of a program together.
const TIME: Duration = Duration::from_secs(6);

/// A program with an error is made smaller for so long.
const SMALLER: Duration = Duration::from_secs(60);

/// Without `LAZULI_SECONDS`, the programs with these numbers are judged, so that two runs judge the same ones; and no longer than this.
const FIXED: u64 = 64;
const MOST_SECONDS: u64 = 240;

/// After so many programs with an error the reader has enough.
const ENOUGH: usize = 5;

/// A number of the environment.
pub fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable);
    text.map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{variable} must be a number")))
}

/// Makes up programs until the time is over: those whose number is `stream` modulo `streams`.
pub fn run(stream: u64, streams: u64) -> Result<(), Failed> {
    let is_fixed = std::env::var("LAZULI_SECONDS").is_err();
    let most = if is_fixed { FIXED / streams } else { u64::MAX };
    let end = Instant::now() + Duration::from_secs(number("LAZULI_SECONDS", MOST_SECONDS));
    let mut next = number("LAZULI_SEED", 0) + stream;
    let (mut programs, mut inputs, mut counts, mut wrong) = (0, 0, [0; 4], Vec::new());
    while Instant::now() < end && programs < most && wrong.len() < ENOUGH {
        let batch: Vec<Generated> = (0..BATCH).map(|at| generator::program(next + at * streams)).collect();
        let scratch = tempfile::tempdir()?;
        prepare(scratch.path(), &batch)?;
        for (at, made_up) in batch.iter().enumerate() {
            // However busy the machine is, some program is judged.
            if programs > 0 && Instant::now() > end || programs >= most || wrong.len() >= ENOUGH {
                break;
            }
            let number = next + at as u64 * streams;
            let mut is_right = true;
            for configuration in ways(number) {
                let (judgements, valid) = judged(scratch.path(), made_up, configuration)?;
                inputs += valid;
                for judgement in judgements {
                    let Some(why) = judgement.wrong else {
                        counts[judgement.kind as usize] += 1;
                        continue;
                    };
                    let Some((tried, why)) = with_more_inputs(made_up, configuration, why)? else {
                        counts[Kind::Violated as usize] += 1;
                        continue;
                    };
                    counts[Kind::Wrong as usize] += 1;
                    if is_right {
                        is_right = false;
                        let (smaller, why) = smaller(&tried, configuration, why);
                        wrong.push(format!("LAZULI_SEED={number}: {why}\n{}", smaller.source()));
                    }
                }
            }
            programs += 1;
        }
        next += BATCH * streams;
    }
    let [violated, holds, incomplete, mistaken] = counts;
    println!(
        "random.{stream}: {programs} programs up to number {next}, {inputs} valid inputs; answers: {violated} violated, {holds} holds, \
         {incomplete} incomplete, {mistaken} wrong"
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The configurations in which a program is checked.
fn ways(number: u64) -> Vec<&'static Configuration> {
    let mut dice = Dice::new(number ^ 0xc0f1);
    let mut all: Vec<&Configuration> = CONFIGURATIONS.iter().collect();
    while all.len() > WAYS {
        all.remove(dice.below(all.len()));
    }
    all
}

/// Compiles programs, and tries all their inputs.
fn prepare(scratch: &Path, programs: &[Generated]) -> Result<(), Failed> {
    let fixtures = programs.iter().map(|program| {
        let source = scratch.join(format!("{}.java", program.name));
        std::fs::write(&source, program.source())?;
        Ok((source, scratch.join(&program.name)))
    });
    let fixtures: Vec<_> = fixtures.collect::<Result<_, std::io::Error>>()?;
    Ok(truth::enumerate(scratch, &fixtures)?)
}

/// The faults of the answers of a configuration, and the number of valid inputs that they were compared with.
fn judged(scratch: &Path, program: &Generated, way: &Configuration) -> Result<(Vec<Judgement>, u64), Failed> {
    let directives = Directives::of(&program.source());
    let classes = scratch.join(&program.name);
    let methods = Method::read(&classes.with_extension("truth"), &directives)?;
    // Faults that brute force knows need no second JVM.
    let configuration = &Configuration { confirms: false, ..*way };
    let asked = Asked { classes: &classes, directives: &directives, configuration, time: TIME };
    let valid = methods.iter().map(|method| method.valid_inputs).sum();
    let judgements = judge::judge(&asked, &methods).map_err(|error| format!("{error}\n{}", program.source()))?;
    Ok((judgements, valid))
}

/// A false alarm is only one if inputs of more kinds do not show the fault either: a legal input of Lazuli may be one that brute force did not build. The result is the
/// program that all this was tried on, and its fault.
fn with_more_inputs(
    program: &Generated,
    configuration: &Configuration,
    why: String,
) -> Result<Option<(Generated, String)>, Failed> {
    if !why.contains("FALSE ALARM") {
        return Ok(Some((program.clone(), why)));
    }
    let wider = program.with_more_kinds();
    let scratch = tempfile::tempdir()?;
    prepare(scratch.path(), std::slice::from_ref(&wider))?;
    let (judgements, _) = judged(scratch.path(), &wider, configuration)?;
    let method = why.split(' ').next().unwrap_or_default();
    let is_same = |other: &String| other.starts_with(&format!("{method} "));
    Ok(judgements.into_iter().filter_map(|judgement| judgement.wrong).find(is_same).map(|why| (wider, why)))
}

/// Leaves out what is not needed for an error of the same kind, as long as something can be left out.
fn smaller(program: &Generated, configuration: &Configuration, why: String) -> (Generated, String) {
    // "Any7.m1 under eager: WRONG HOLDS …"
    let kind = |why: &str| why.split(": ").nth(1).map(|text| text.chars().take(11).collect::<String>());
    let method = why.split(['.', ' ']).nth(1).unwrap_or_default().to_string();
    let end = Instant::now() + SMALLER;
    let shows = |candidate: &Generated| -> Option<String> {
        if Instant::now() > end {
            return None;
        }
        let scratch = tempfile::tempdir().ok()?;
        prepare(scratch.path(), std::slice::from_ref(candidate)).ok()?;
        let (judgements, _) = judged(scratch.path(), candidate, configuration).ok()?;
        let found = judgements.into_iter().filter(|judgement| judgement.kind == Kind::Wrong);
        let mut found = found.filter_map(|judgement| judgement.wrong);
        found.find(|other| kind(other) == kind(&why) && other.contains(&format!(".{method} ")))
    };
    let (mut best, mut said) = (program.clone(), why.clone());
    let mut accept = |candidate: Generated, best: &mut Generated| {
        if let Some(why) = shows(&candidate) {
            (*best, said) = (candidate, why);
        }
    };
    let mine = |line: &generator::Line| line.text.contains(&format!(" {method}("));
    let own = best.lines.iter().find(|line| mine(line)).map(|line| line.part);
    for is_left in [
        |part: Part, own| !matches!(part, Part::Method(_)) || Some(part) == own,
        |part: Part, _| part != Part::Invariant,
    ] {
        let mut candidate = best.clone();
        candidate.lines.retain(|line| is_left(line.part, own));
        accept(candidate, &mut best);
    }
    let mut at = best.lines.len();
    while at > 0 {
        at -= 1;
        let line = &best.lines[at];
        if line.part == Part::Program || mine(line) || line.text.trim() == "}" {
            continue;
        }
        let mut candidate = best.clone();
        candidate.lines.remove(at);
        accept(candidate, &mut best);
    }
    (best, said)
}
