//! How is a verdict about a whole program written for the validators of verification competitions?
//!
//! Two formats: witness automata in GraphML (1.0), and sequences of way points in YAML (2.0). A violation is the list of values that the program asks
//! for, each with the line that asks, and the line at which it fails. What holds has no invariants to tell: a witness of it says no more than that.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lazuli_console::safe;
use lazuli_explore::{Goals, Verdict, Violation, WholeProgram};
use lazuli_spec::SourceLine;
use lazuli_vm::snapshot::{Contents, Datum};
use sha2::{Digest, Sha256};

use super::Finding;
use super::sources::Sources;

/// Why there is no witness.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WitnessError {
    #[error("the witness cannot be written to {}: {error}. Give another file with --witness.", path.display())]
    Unwritable { path: PathBuf, error: std::io::Error },
    #[error("there is no witness, because the check is incomplete.")]
    Incomplete,
}

/// A value that the program asked for.
struct WitnessValue {
    file: String,
    line: u16,
    /// As Java writes it.
    value: String,
}

/// All that both formats tell.
struct Witness {
    file: String,
    hash: String,
    specification: String,
    time: String,
    /// Of a violation: the values, and the place at which it shows.
    violation: Option<(Vec<WitnessValue>, Option<SourceLine>)>,
}

/// Writes the witness of a verdict. Removes an older one where there is none, because it would be mistaken for one of this run.
pub(crate) fn write_witness(
    path: &Path,
    finding: &Finding,
    program: &WholeProgram,
    sources: &Sources,
) -> Result<(), WitnessError> {
    let unwritable = |error| WitnessError::Unwritable { path: path.to_path_buf(), error };
    let violation = match finding.verdict() {
        Verdict::Violated => finding.report.violations.first(),
        Verdict::Holds => None,
        Verdict::Incomplete => match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(unwritable(error)),
            _ => return Err(WitnessError::Incomplete),
        },
    };
    let witness = Witness::of(violation, program, sources);
    let is_yaml = path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    let text = if is_yaml { witness.yaml() } else { witness.graphml() };
    safe::replace(path, text.as_bytes()).map_err(unwritable)
}

impl Witness {
    fn of(violation: Option<&Violation>, program: &WholeProgram, sources: &Sources) -> Witness {
        let package = program.class.name.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".");
        let file = program.class.source_file().unwrap_or(program.class.name).to_string();
        let place = SourceLine { package, file: file.clone(), line: 0 };
        let source = sources.find(&place).and_then(|source| std::fs::read(&source.path).ok());
        // Without a source there is no hash, and a validator says so.
        let hash = source.map_or_else(String::new, |source| {
            Sha256::digest(source).iter().map(|byte| format!("{byte:02x}")).collect()
        });
        let is_assertion = violation.map_or(program.goals.assertions, |violation| violation.kind == "AssertionError");
        let specification = match (is_assertion, program.goals) {
            (true, _) => "G assert",
            (false, Goals { exceptions: false, deadlocks: true, .. }) => "G ! deadlock",
            (false, _) => "G ! uncaught(java.lang.RuntimeException)",
        };
        let specification =
            format!("CHECK( init({}.main()), LTL({specification}) )", program.class.java_name().replace('$', "."));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let violation = violation.map(|violation| (values(violation), violation.place.clone()));
        Witness { file, hash, specification, time: iso(now), violation }
    }

    fn graphml(&self) -> String {
        let kind = if self.violation.is_some() { "violation_witness" } else { "correctness_witness" };
        let mut page = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
        );
        for (name, of) in [
            ("witness-type", "graph"),
            ("sourcecodelang", "graph"),
            ("producer", "graph"),
            ("specification", "graph"),
            ("programfile", "graph"),
            ("programhash", "graph"),
            ("architecture", "graph"),
            ("creationtime", "graph"),
            ("entry", "node"),
            ("violation", "node"),
            ("originfile", "edge"),
            ("startline", "edge"),
            ("assumption", "edge"),
        ] {
            let _ = writeln!(page, "  <key attr.name=\"{name}\" attr.type=\"string\" for=\"{of}\" id=\"{name}\"/>");
        }
        page.push_str("  <graph edgedefault=\"directed\">\n");
        for (key, value) in [
            ("witness-type", kind),
            ("sourcecodelang", "Java"),
            ("producer", concat!("Lazuli ", env!("CARGO_PKG_VERSION"))),
            ("specification", &self.specification),
            ("programfile", &self.file),
            ("programhash", &self.hash),
            ("architecture", "64bit"),
            ("creationtime", &self.time),
        ] {
            let _ = writeln!(page, "    <data key=\"{key}\">{}</data>", in_xml(value));
        }
        page.push_str("    <node id=\"n0\"><data key=\"entry\">true</data></node>\n");
        if let Some((values, place)) = &self.violation {
            for (at, asked) in values.iter().enumerate() {
                let _ = writeln!(page, "    <node id=\"n{}\"/>", at + 1);
                let (file, value) = (in_xml(&asked.file), in_xml(&asked.value));
                let _ = writeln!(
                    page,
                    "    <edge source=\"n{at}\" target=\"n{}\"><data key=\"originfile\">{file}</data><data \
                     key=\"startline\">{}</data><data key=\"assumption\">result = {value};</data></edge>",
                    at + 1,
                    asked.line
                );
            }
            let (last, end) = (values.len(), values.len() + 1);
            let _ = writeln!(page, "    <node id=\"n{end}\"><data key=\"violation\">true</data></node>");
            let _ = write!(page, "    <edge source=\"n{last}\" target=\"n{end}\">");
            if let Some(place) = place {
                let _ = write!(
                    page,
                    "<data key=\"originfile\">{}</data><data key=\"startline\">{}</data>",
                    in_xml(&place.file),
                    place.line
                );
            }
            page.push_str("</edge>\n");
        }
        page.push_str("  </graph>\n</graphml>\n");
        page
    }

    fn yaml(&self) -> String {
        let kind = if self.violation.is_some() { "violation_sequence" } else { "invariant_set" };
        // A number that no other witness has, made of what it says.
        let digest = Sha256::digest(format!("{} {} {}", self.hash, self.specification, self.time));
        let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let uuid = format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32]);
        let (file, specification) = (in_yaml(&self.file), in_yaml(&self.specification));
        let mut page = format!(
            "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {uuid}\n    creation_time: \"{}\"\n    \
             producer:\n      name: Lazuli\n      version: {:?}\n    task:\n      input_files:\n      - {file}\n      \
             input_file_hashes:\n        {file}: {}\n      specification: {specification}\n      data_model: LP64\n      \
             language: Java\n",
            self.time,
            env!("CARGO_PKG_VERSION"),
            self.hash
        );
        let Some((values, place)) = &self.violation else {
            page.push_str("  content: []\n");
            return page;
        };
        page.push_str("  content:\n");
        let mut waypoint = |kind: &str, file: &str, line: u16, value: Option<&str>| {
            let _ = write!(page, "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n");
            if let Some(value) = value {
                let value = in_yaml(&format!("\\result == {value}"));
                let _ =
                    write!(page, "        constraint:\n          value: {value}\n          format: java_expression\n");
            }
            let _ = write!(page, "        location:\n          file_name: {}\n          line: {line}\n", in_yaml(file));
        };
        for asked in values {
            waypoint("function_return", &asked.file, asked.line, Some(&asked.value));
        }
        let (file, line) = place.as_ref().map_or((self.file.as_str(), 1), |place| (&place.file, place.line.max(1)));
        waypoint("target", file, line, None);
        page
    }
}

/// The values that lines of the program ask for.
fn values(violation: &Violation) -> Vec<WitnessValue> {
    let Some(case) = &violation.outcome.case else { return Vec::new() };
    let asked = case.asked_at.iter().zip(&case.asked);
    let value = |datum: &Datum| match *datum {
        Datum::Int(value) => value.to_string(),
        Datum::Long(value) => format!("{value}L"),
        Datum::Float(value) => format!("{value:?}f"),
        Datum::Double(value) => format!("{value:?}"),
        Datum::Object(at) => match &case.heap[at].contents {
            Contents::Text(units) => in_java(units),
            _ => "null".to_string(),
        },
        Datum::Any | Datum::Null => "null".to_string(),
    };
    let told = asked.filter_map(|(asked, datum)| {
        let (method, line) = asked.at?;
        let file = method.class().source_file().unwrap_or(method.class().name).to_string();
        Some(WitnessValue { file, line, value: value(datum) })
    });
    told.collect()
}

/// A string literal of ASCII.
fn in_java(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for unit in units {
        match u8::try_from(*unit).map(char::from) {
            Ok(letter @ ('"' | '\\')) => text.extend(['\\', letter]),
            Ok(letter @ ' '..='~') => text.push(letter),
            _ => {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text + "\""
}

fn in_xml(text: &str) -> String {
    let text = lazuli_console::visible::visible(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A scalar in double quotes.
fn in_yaml(text: &str) -> String {
    let text = lazuli_console::visible::visible(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// `2026-11-18T17:30:00Z`, by the usual reckoning of days since 1970 (a year begins in March, so that the leap day is its last).
fn iso(since: Duration) -> String {
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_calendars_do() {
        assert_eq!(iso(Duration::ZERO), "1970-01-01T00:00:00Z");
        assert_eq!(iso(Duration::from_secs(951_782_399)), "2000-02-28T23:59:59Z");
        assert_eq!(iso(Duration::from_secs(951_782_400)), "2000-02-29T00:00:00Z");
        assert_eq!(iso(Duration::from_secs(1_735_689_599)), "2024-12-31T23:59:59Z");
    }

    fn witness() -> Witness {
        let value = |value: &str| WitnessValue { file: "Main.java".to_string(), line: 7, value: value.to_string() };
        let place = SourceLine { package: String::new(), file: "Main.java".to_string(), line: 9 };
        Witness {
            file: "Main.java".to_string(),
            hash: "00".to_string(),
            specification: "CHECK( init(Main.main()), LTL(G assert) )".to_string(),
            time: iso(Duration::ZERO),
            violation: Some((vec![value("3"), value("\"a<\\u0000\"")], Some(place))),
        }
    }

    #[test]
    fn both_formats_have_values_and_places() {
        let (graph, sequence) = (witness().graphml(), witness().yaml());
        assert!(graph.contains("<data key=\"assumption\">result = 3;</data>"), "{graph}");
        assert!(graph.contains("result = &quot;a&lt;\\u0000&quot;;") && graph.contains("violation_witness"), "{graph}");
        assert!(sequence.contains("value: \"\\\\result == 3\"") && sequence.contains("line: 9"), "{sequence}");
        let holds = Witness { violation: None, ..witness() };
        assert!(holds.graphml().contains("correctness_witness") && holds.yaml().contains("content: []"));
    }
}
