//! Does a fault show on the user's own JVM, if its threads run in the order that was found?
//!
//! The replay runs in a JVM of its own, and the JDK's debugger interface makes its threads run one at a time (`ScheduleDriver.java`): each stops before
//! its next operation of the schedule. Both JVMs are contained together, and speak over the loopback of their own network namespace. Nothing of the
//! user's code is changed.
//!
//! Invariant: only a schedule that was forced to its end, and then showed the fault, confirms it. Everything else says how far it came.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use lazuli_console::safe;
use lazuli_testgen::{CallResult, ExecutedPlan, ForcedSchedule, ForcedStep, StepKind};

use super::judgement::{is_at_place, missing_of_file, thrown_line};
use super::jvm::{CompileError, JvmError, ProcessLimit, Ran};
use super::{JavaRunner, JvmVerdict, Replay, not_confirmed};

/// The debugger.
const DRIVER: &str = "ScheduleDriver";
const SOURCE: &str = include_str!("ScheduleDriver.java");

/// The time that the debugger needs beside that for the schedule: two JVMs start.
const STARTING: Duration = Duration::from_secs(2);

/// Why a schedule was not forced, or did not lead where it should.
#[derive(Debug, thiserror::Error)]
enum NotForced {
    #[error("a thread that goes round and round for ever looks like a slow one on a JVM")]
    Spinning,
    #[error("the schedule cannot be written: {0}")]
    NotWritten(std::io::Error),
    #[error("no directory can be made: {0}")]
    NoFolder(std::io::Error),
    #[error(transparent)]
    Jvm(#[from] JvmError),
    #[error("the schedule could not be forced: {0}")]
    NotReached(String),
    #[error("the debugger did not run: {0}")]
    NoDebugger(String),
    #[error("the debugger cannot be written: {0}")]
    DebuggerNotWritten(std::io::Error),
    #[error("the JDK has no debugger interface (module jdk.jdi) by which the schedule could be forced: {0}")]
    NoInterface(String),
    #[error("the schedule was forced, but \"{expected}\" was expected, and there it is \"{found}\"")]
    Differs { expected: String, found: String },
}

impl JavaRunner {
    /// Runs a replay by its schedule.
    pub(super) fn force(
        &self,
        class_path: &str,
        (replay, class): (&Replay, &str),
        schedule: &ForcedSchedule,
        limit: &ProcessLimit,
    ) -> JvmVerdict {
        match self.try_to_force(class_path, (replay, class), schedule, limit) {
            Ok(()) => JvmVerdict::Confirmed { version: self.tools.version.clone() },
            Err(why) => not_confirmed(why.to_string()),
        }
    }

    fn try_to_force(
        &self,
        class_path: &str,
        (replay, class): (&Replay, &str),
        schedule: &ForcedSchedule,
        limit: &ProcessLimit,
    ) -> Result<(), NotForced> {
        if schedule.standing.iter().any(|standing| standing.is_spinning) && is_deadlock(&replay.executed) {
            return Err(NotForced::Spinning);
        }
        self.compile_driver(limit)?;
        let directory = self.directory.path();
        let file = |ending: &str| directory.join(format!("{}.{ending}", replay.name));
        let (order, answer, said) = (file("schedule"), file("answer"), file("alone"));
        let lines = lines(schedule, &replay.executed, class);
        safe::replace(&order, lines.as_bytes()).map_err(NotForced::NotWritten)?;
        let own = safe::private_folder().map_err(NotForced::NoFolder)?;
        let time = limit.most.saturating_sub(STARTING).as_millis().to_string();
        let class_path = format!("{}:{class_path}", directory.display());
        let property = format!("-Dlazuli.replay={}", said.display());
        let driver: [OsString; 4] = [DRIVER.into(), order.into(), answer.clone().into(), time.into()];
        let ran = self.tools.run_debugged((directory, &driver), (&class_path, &property, class), own.path(), limit)?;
        let complaints = match ran {
            Ran::Exited { complaints, .. } => complaints,
            Ran::Ended => return Err(JvmError::TooSlow("the debugger").into()),
        };
        let answer = safe::read(&answer).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let mut answered = answer.lines();
        match answered.next() {
            Some("forced") => judge(answered.next(), replay, schedule, &said),
            Some(failed) => {
                let why = failed.strip_prefix("failed ").unwrap_or(failed);
                Err(NotForced::NotReached(why.to_string()))
            }
            None => {
                let first = complaints.lines().take(3).collect::<Vec<_>>().join(" / ");
                Err(NotForced::NoDebugger(first))
            }
        }
    }

    fn compile_driver(&self, limit: &ProcessLimit) -> Result<(), NotForced> {
        let directory = self.directory.path();
        if directory.join(DRIVER).with_extension("class").exists() {
            return Ok(());
        }
        let source = directory.join(DRIVER).with_extension("java");
        safe::replace(&source, SOURCE.as_bytes()).map_err(NotForced::DebuggerNotWritten)?;
        match self.tools.compile("", directory, &[source], limit) {
            Ok(()) => Ok(()),
            Err(CompileError::NotRun(error)) => Err(error.into()),
            Err(CompileError::Rejected(complaints)) => {
                Err(NotForced::NoInterface(complaints.lines().next().unwrap_or_default().to_string()))
            }
        }
    }
}

/// Did the end come that was predicted?
fn judge(told: Option<&str>, replay: &Replay, schedule: &ForcedSchedule, said: &Path) -> Result<(), NotForced> {
    let differs = |expected: &str, found: &str| {
        Err(NotForced::Differs { expected: expected.to_string(), found: found.to_string() })
    };
    match (&replay.executed.result, schedule.thrower) {
        (CallResult::Deadlock, _) if told == Some("deadlock") => Ok(()),
        (CallResult::Deadlock, _) => differs("deadlock", told.unwrap_or_default()),
        (CallResult::Threw { class, trace, .. }, Some(_)) => {
            let expected = thrown_line(&class.java_name(), trace);
            let found = told.unwrap_or_default();
            let is_it = found == expected || found.strip_prefix(&expected).is_some_and(is_at_place);
            if is_it { Ok(()) } else { differs(&expected, found) }
        }
        _ => match missing_of_file(said, &replay.expected) {
            None => Ok(()),
            Some((expected, found)) => differs(&expected, &found),
        },
    }
}

pub(super) fn is_deadlock(executed: &ExecutedPlan) -> bool {
    matches!(executed.result, CallResult::Deadlock)
}

/// The schedule as the debugger reads it. No name in a class file has a tab or a line break that a JVM would load from a file of `javac`.
fn lines(schedule: &ForcedSchedule, executed: &ExecutedPlan, class: &str) -> String {
    let mut text = format!("begin\t{class}\t{}\n", lazuli_testgen::java::MARKER);
    let all = schedule.steps.iter().map(|step| ("step", step));
    for (word, step) in all.chain(schedule.last.iter().map(|step| ("last", step))) {
        text.push_str(&line(word, step));
    }
    match (&executed.result, schedule.thrower) {
        (CallResult::Deadlock, _) => {
            for standing in &schedule.standing {
                text.push_str(&format!("stands\t{}", standing.thread));
                if let Some((class, method, line)) = &standing.place {
                    let initialises = if standing.is_initialising { "\tinitialiser" } else { "" };
                    text.push_str(&format!("\t{class}\t{method}\t{line}{initialises}"));
                }
                text.push('\n');
            }
        }
        (CallResult::Threw { .. }, Some(thrower)) => text.push_str(&format!("throws\t{thrower}\n")),
        _ => {}
    }
    text
}

fn line(word: &str, step: &ForcedStep) -> String {
    let kind = match step.kind {
        StepKind::Stop => "stop",
        StepKind::Start => "start",
        StepKind::Resume => "resume",
    };
    let at = step.at.map(|at| {
        let class = at.method.class().java_name();
        format!("\t{class}\t{}\t{}\t{}\t{}", at.method.name, at.method.descriptor, at.offset, at.count)
    });
    format!("{word}\t{}\t{kind}{}\n", step.thread, at.unwrap_or_default())
}
