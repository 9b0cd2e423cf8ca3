//! How is that told which was noticed and is no defect: rejections, null arguments, and faults on objects that no calls make?

use lazuli_explore::{FindingKind, Violation};

/// Messages of exceptions are cut after so many characters where there is one line for them.
const MOST_OF_MESSAGE: usize = 120;

/// One line: "rejection: IllegalArgumentException at Cart.java:12: negative amount".
pub(crate) fn noticed(found: &Violation) -> String {
    let at = if found.at.is_empty() { String::new() } else { format!(" at {}", found.at) };
    let thrown = format!("{}{at}", found.kind);
    let message = match first_line(&found.message) {
        message if message.is_empty() => String::new(),
        message => format!(": {message}"),
    };
    match found.finding {
        FindingKind::Defect => format!("defect: {thrown}{message}"),
        FindingKind::Rejection => format!("rejection: {thrown}{message}"),
        FindingKind::NullArgument => {
            let parameter = found.parameter.as_deref().unwrap_or("handed over before, or inside of an argument");
            format!("null argument: {parameter}, {thrown}{message}")
        }
        FindingKind::Race => format!("data race: {}{at}{message}", found.kind),
        FindingKind::Note => format!("note: {thrown}, only for objects that no calls were found to make{message}"),
    }
}

/// "2 rejections, 1 null argument", for a list; empty if there is none.
pub(crate) fn counted<'a>(findings: impl Iterator<Item = &'a Violation>) -> Vec<String> {
    let mut numbers = [0u64; 4];
    for found in findings {
        match found.finding {
            FindingKind::Rejection => numbers[0] += 1,
            FindingKind::NullArgument => numbers[1] += 1,
            FindingKind::Note => numbers[2] += 1,
            FindingKind::Race => numbers[3] += 1,
            FindingKind::Defect => {}
        }
    }
    let words = [
        ("rejection", "rejections"),
        ("null argument", "null arguments"),
        ("note", "notes"),
        ("data race", "data races"),
    ];
    let told = numbers.into_iter().zip(words).filter(|(number, _)| *number > 0);
    told.map(|(number, (one, several))| lazuli_console::numbers::count(number, one, several)).collect()
}

/// Of a message, in one line.
pub(crate) fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST_OF_MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_kind_has_its_word_and_stands_on_one_line() {
        let fault = samples::violated().report.violations.remove(0);
        let told = |finding, parameter: Option<&str>| {
            let parameter = parameter.map(str::to_string);
            noticed(&Violation { finding, parameter, message: "one\ntwo".to_string(), ..fault.clone() })
        };
        assert_eq!(told(FindingKind::Rejection, None), "rejection: NullPointerException at Node.java:12: one");
        let null = "null argument: key, NullPointerException at Node.java:12: one";
        assert_eq!(told(FindingKind::NullArgument, Some("key")), null);
        let note = "note: NullPointerException at Node.java:12, only for objects that no calls were found to make: one";
        assert_eq!(told(FindingKind::Note, None), note);
        let long = first_line(&"x".repeat(500));
        assert_eq!(long.chars().count(), MOST_OF_MESSAGE + 1);
    }
}
