//! Does what a replay said show the fault that is expected?

use std::io::Read;
use std::path::Path;

use lazuli_console::safe;
use lazuli_testgen::java::clause_label;
use lazuli_testgen::{CallResult, ExecutedPlan};

use super::jvm::{JvmError, Ran};

/// Bytes that are read of a replay's output file.
const MOST_SAID: u64 = 64 << 10;

/// Errors that depend on the size of a stack or heap.
const OF_MACHINE: [&str; 2] = ["java/lang/StackOverflowError", "java/lang/OutOfMemoryError"];

/// Why a fault is not confirmed.
pub(super) enum Unconfirmed {
    Unknown(String),
    Differs(String),
}

/// How far a replay came in a JVM that it shared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SharedEnd {
    NotBegun,
    /// It showed the fault.
    Agrees,
    /// It did something else, or came to no end.
    Otherwise,
}

/// Judges a replay that shared a JVM by its output file.
pub(super) fn judge_shared(file: &Path, expected: &[String]) -> SharedEnd {
    let said = said(file);
    let mut first = said.lines();
    match (first.next(), first.next()) {
        (None, _) => SharedEnd::NotBegun,
        (Some("begun"), Some("made")) if missing(&said, expected).is_none() => SharedEnd::Agrees,
        _ => SharedEnd::Otherwise,
    }
}

/// Judges a replay that ran alone.
pub(super) fn judge_alone(ran: Ran, file: &Path, expected: &[String]) -> Result<(), Unconfirmed> {
    let (status, complaints) = match ran {
        Ran::Exited { status, complaints } => (status, complaints),
        Ran::Ended => return Err(Unconfirmed::Unknown(JvmError::TooSlow("java").to_string())),
    };
    let said = said(file);
    let first = || complaints.lines().take(5).collect::<Vec<_>>().join(" / ");
    if said.lines().next() != Some("begun") {
        return Err(Unconfirmed::Unknown(format!("java does not run the program: {}", first())));
    }
    let has_died = complaints.contains("java.lang.OutOfMemoryError") || said.contains("java.lang.OutOfMemoryError");
    if has_died && !expected.iter().any(|line| line.contains("java.lang.OutOfMemoryError")) {
        return Err(Unconfirmed::Unknown("java needs more memory for it than a confirmation gets".to_string()));
    }
    // The last thing that a program says is how the call ended, unless the call ended the JVM.
    let has_ended = said.lines().skip(2).any(|line| line == "returned" || line.starts_with("threw "));
    if !has_ended && !complaints.contains("Exception in thread \"main\"") {
        let code = status.code().map_or_else(|| "a signal".to_string(), |code| format!("exit code {code}"));
        return Err(Unconfirmed::Unknown(format!("the code under check ended the JVM with {code}")));
    }
    if said.lines().nth(1) != Some("made") {
        return Err(Unconfirmed::Differs(format!("the input cannot be made there: {}", first())));
    }
    match missing(&said, expected) {
        None => Ok(()),
        Some(line) => {
            let found = said.lines().skip(2).collect::<Vec<_>>().join(", ");
            Err(Unconfirmed::Differs(format!("expected \"{line}\", but there it is \"{found}\"")))
        }
    }
}

/// The lines that the program must say. Where an error was thrown that depends on the machine, the place is left open.
pub(super) fn expectation(executed: &ExecutedPlan, is_broken: bool) -> Vec<String> {
    let mut lines = Vec::new();
    match &executed.result {
        CallResult::Returned(_) => lines.push("returned".to_string()),
        CallResult::Threw { class, trace, .. } => {
            lines.push(thrown_line(&class.java_name(), trace));
        }
        CallResult::Deadlock => {}
    }
    lines.extend(executed.violated.as_ref().map(clause_label));
    for check in executed.post_checks.iter().filter(|check| is_broken && !check.holds) {
        lines.push(check.method.name.to_string());
    }
    // As programs write them.
    lines.iter().map(|line| line.replace('\r', "\\r").replace('\n', "\\n")).collect()
}

/// The line of an exception of a class, with dots, and its stack trace. That an error depends on the machine leaves the place open.
pub(super) fn thrown_line(class: &str, trace: &[String]) -> String {
    let place = trace
        .first()
        .and_then(|frame| place(frame))
        .filter(|_| !OF_MACHINE.contains(&class.replace('.', "/").as_str()));
    place.map_or_else(|| format!("threw {class}"), |place| format!("threw {class} at {place}"))
}

/// May the program share its JVM with others? Not one that ends with an error that depends on the size of a stack or heap, nor one whose threads a
/// debugger stops.
pub(super) fn may_share(executed: &ExecutedPlan) -> bool {
    let depends_on_machine =
        matches!(&executed.result, CallResult::Threw { class, .. } if OF_MACHINE.contains(&class.name));
    !depends_on_machine && executed.schedule.is_none()
}

/// The first line that a replay should have said and did not.
fn missing<'a>(said: &str, expected: &'a [String]) -> Option<&'a String> {
    let is_said = |line: &&String| {
        said.lines().skip(2).any(|found| found == *line || found.strip_prefix(*line).is_some_and(is_place))
    };
    expected.iter().find(|line| !is_said(line))
}

/// The same of an output file: the line, and all that it says instead.
pub(super) fn missing_of_file(file: &Path, expected: &[String]) -> Option<(String, String)> {
    let said = said(file);
    let line = missing(&said, expected)?;
    Some((line.clone(), said.lines().skip(2).collect::<Vec<_>>().join(", ")))
}

/// Reads the output file of a replay. The replay writes little, but the code that it calls may write anything to any file.
fn said(file: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = safe::open(file, std::fs::OpenOptions::new().read(true)) {
        let _ = file.take(MOST_SAID).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Does the text only add where something was thrown?
pub(super) fn is_at_place(rest: &str) -> bool {
    rest.starts_with(" at ")
}

/// May the text follow a line whose place was left open? where it was thrown, or how an invariant failed.
fn is_place(rest: &str) -> bool {
    is_at_place(rest) || rest == " false" || rest.starts_with(" threw ")
}

/// `pkg.Class.method:12` for `pkg.Class.method(File.java:12)`.
fn place(frame: &str) -> Option<String> {
    let (method, rest) = frame.rsplit_once('(')?;
    let line = rest.trim_end_matches(')').rsplit_once(':')?.1;
    Some(format!("{method}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_compared_as_the_program_says_them() {
        assert_eq!(place("acme.Node.swap(Node.java:12)").as_deref(), Some("acme.Node.swap:12"));
        assert_eq!(place("acme.Node.a(b)(Node.java:12)").as_deref(), Some("acme.Node.a(b):12"));
        assert_eq!(place("acme.Node.swap(Unknown Source)"), None);
        assert!(is_place(" at a.B.c:1") && is_place(" false") && is_place(" threw X at y") && !is_place(" true"));
    }
}
