//! How is the order of what threads did shown? As a table with a column for each of them.

use lazuli_explore::{Schedule, ScheduleStep, StandingThread, StepAction, WaitReason};

/// The widest column; longer texts are cut.
const WIDEST: usize = 56;

/// The last steps are those that matter where there are too many to read.
const MOST_STEPS: usize = 60;

/// The lines of the table.
pub(super) fn table(schedule: &Schedule) -> Vec<String> {
    let left_out = schedule.steps.len().saturating_sub(MOST_STEPS);
    let steps = &schedule.steps[left_out..];
    let cell = |step: &ScheduleStep| {
        let at = if step.at.is_empty() { String::new() } else { format!("{} ", step.at) };
        cut(&format!("{at}{}", action(&step.action)))
    };
    let mut columns: Vec<(String, usize)> = schedule.threads.iter().map(|name| (cut(name), 0)).collect();
    for (number, (name, width)) in columns.iter_mut().enumerate() {
        let own = steps.iter().filter(|step| step.thread == number).map(|step| cell(step).chars().count());
        *width = own.chain([name.chars().count()]).max().unwrap_or(0);
    }
    let row = |cells: &dyn Fn(usize) -> String| {
        let padded = columns.iter().enumerate().map(|(number, (_, width))| format!("{:width$}", cells(number)));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    let mut lines = vec![row(&|number| columns[number].0.clone())];
    if left_out > 0 {
        lines.push(format!("({left_out} steps before)"));
    }
    for step in steps {
        lines.push(row(&|number| if step.thread == number { cell(step) } else { String::new() }));
    }
    lines
}

fn cut(text: &str) -> String {
    match text.chars().count() > WIDEST {
        true => text.chars().take(WIDEST - 1).chain(['…']).collect(),
        false => text.to_string(),
    }
}

/// An operation in a few words.
pub(super) fn action(action: &StepAction) -> String {
    match action {
        StepAction::Reads(what) => format!("reads {what}"),
        StepAction::Writes(what) => format!("writes {what}"),
        StepAction::Updates(what) => format!("updates {what}"),
        StepAction::Calls(what) => format!("in {what}"),
        StepAction::Locks(what) => format!("locks {what}"),
        StepAction::Unlocks(what) => format!("unlocks {what}"),
        StepAction::Waits(what) => format!("waits for {what}"),
        StepAction::Resumes(what) => format!("goes on with {what}"),
        StepAction::Notifies(what) => format!("notifies {what}"),
        StepAction::Parks => "goes on after park".to_string(),
        StepAction::Unparks(thread) => format!("unparks {thread}"),
        StepAction::Interrupts(thread) => format!("interruption of {thread}"),
        StepAction::Sleeps => "sleeps".to_string(),
        StepAction::Starts(thread) => format!("starts {thread}"),
        StepAction::AsksAlive(thread) => format!("asks whether {thread} is alive"),
        StepAction::Joins(thread) => format!("joins {thread}"),
        StepAction::Ends => "ends".to_string(),
        StepAction::Initialises(class) => format!("initialises {class}"),
        StepAction::Returns => "returns".to_string(),
    }
}

/// An operation with its value: `writes Counter.count = 1`.
pub(super) fn step_in_words(step: &ScheduleStep) -> String {
    match &step.value {
        Some(value) => format!("{} = {value}", action(&step.action)),
        None => action(&step.action),
    }
}

/// One word for the kind of an operation, for programs.
pub(super) fn verb(action: &StepAction) -> &'static str {
    match action {
        StepAction::Reads(_) => "read",
        StepAction::Writes(_) => "write",
        StepAction::Updates(_) => "update",
        StepAction::Calls(_) => "call",
        StepAction::Locks(_) => "lock",
        StepAction::Unlocks(_) => "unlock",
        StepAction::Waits(_) => "wait",
        StepAction::Resumes(_) => "resume",
        StepAction::Notifies(_) => "notify",
        StepAction::Parks => "park",
        StepAction::Unparks(_) => "unpark",
        StepAction::Interrupts(_) => "interrupt",
        StepAction::Sleeps => "sleep",
        StepAction::Starts(_) => "start",
        StepAction::AsksAlive(_) => "is_alive",
        StepAction::Joins(_) => "join",
        StepAction::Ends => "end",
        StepAction::Initialises(_) => "initialise",
        StepAction::Returns => "return",
    }
}

/// The object, field, thread, class or method that an operation is about.
pub(super) fn subject(action: &StepAction) -> Option<&str> {
    match action {
        StepAction::Reads(what)
        | StepAction::Writes(what)
        | StepAction::Updates(what)
        | StepAction::Calls(what)
        | StepAction::Locks(what)
        | StepAction::Unlocks(what)
        | StepAction::Waits(what)
        | StepAction::Resumes(what)
        | StepAction::Notifies(what)
        | StepAction::Unparks(what)
        | StepAction::Interrupts(what)
        | StepAction::Starts(what)
        | StepAction::AsksAlive(what)
        | StepAction::Joins(what)
        | StepAction::Initialises(what) => Some(what),
        StepAction::Parks | StepAction::Sleeps | StepAction::Ends | StepAction::Returns => None,
    }
}

/// The event that a thread waits for, in a few words.
pub(super) fn wait(reason: &WaitReason) -> String {
    match reason {
        WaitReason::Monitor { object, holder } => format!("the monitor of {object}, which {holder} holds"),
        WaitReason::Notification { object } => format!("a notification of {object}"),
        WaitReason::Permit => "being unparked".to_string(),
        WaitReason::End { thread } => format!("the end of {thread}"),
        WaitReason::Initialiser { class } => format!("the initialiser of {class}"),
        WaitReason::Change => "a change by another thread".to_string(),
    }
}

/// Where the threads of a deadlock stand: a line for each, and its stack.
pub(super) fn standing(threads: &[StandingThread]) -> Vec<String> {
    let mut lines = Vec::new();
    for thread in threads {
        let holds = match thread.holds.is_empty() {
            true => String::new(),
            false => format!("; it holds {}", thread.holds.join(", ")),
        };
        lines.push(format!("{} waits for {}{holds}", thread.name, wait(&thread.waits)));
        lines.extend(thread.stack.iter().map(|frame| format!("    at {frame}")));
    }
    lines
}
