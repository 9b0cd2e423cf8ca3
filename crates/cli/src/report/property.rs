//! How are the events shown that broke a property? One below the other, with the state that each of them led to.

use lazuli_explore::{PropertyBreach, PropertyStep};
use lazuli_vm::property::EventKind;

/// The lines of the table: the event, its thread if there are several, its place, and the state behind it.
pub(super) fn word(breach: &PropertyBreach) -> Vec<String> {
    let has_threads = breach.word.iter().any(|step| step.thread.is_some());
    let rows: Vec<Vec<String>> = breach
        .word
        .iter()
        .map(|step| {
            let state = step.state.as_deref().unwrap_or("error");
            let thread = has_threads.then(|| step.thread.clone().unwrap_or_default());
            let mut row = vec![event(step)];
            row.extend(thread);
            row.extend([step.at.clone(), format!("→ {state}")]);
            row
        })
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let padded = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    rows.iter().map(padded).collect()
}

/// `call of Iterator.next`
pub(super) fn event(step: &PropertyStep) -> String {
    let subject = &step.subject;
    match step.kind {
        EventKind::Call => format!("call of {subject}"),
        EventKind::Return => format!("return from {subject}"),
        EventKind::Throw => format!("exception out of {subject}"),
        EventKind::Write => format!("write of {subject}"),
        EventKind::Lock => format!("lock of {subject}"),
        EventKind::Unlock => format!("unlock of {subject}"),
        EventKind::End => "end".to_string(),
    }
}

/// The word for a kind in a file of properties.
pub(super) fn verb(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Call => "call",
        EventKind::Return => "return",
        EventKind::Throw => "throw",
        EventKind::Write => "write",
        EventKind::Lock => "lock",
        EventKind::Unlock => "unlock",
        EventKind::End => "end",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_has_a_line() {
        let step = |kind, subject: &str, at: &str, state: Option<&str>| PropertyStep {
            kind,
            subject: subject.to_string(),
            thread: None,
            at: at.to_string(),
            place: None,
            state: state.map(str::to_string),
        };
        let word_of = vec![
            step(EventKind::Call, "Door.open", "Door.java:7", Some("open")),
            step(EventKind::End, "", "Door.java:12", None),
        ];
        let mut breach =
            PropertyBreach { property: "door".to_string(), what: String::new(), object: None, word: word_of };
        assert_eq!(
            word(&breach),
            ["call of Door.open  Door.java:7   → open", "end                Door.java:12  → error"]
        );
        breach.word[1].thread = Some("main".to_string());
        assert_eq!(
            word(&breach),
            ["call of Door.open        Door.java:7   → open", "end                main  Door.java:12  → error"]
        );
    }
}
