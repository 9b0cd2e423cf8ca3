//! How is a result written in one line, so that a line that was torn or changed is known as such?
//!
//! A line is a JSON object with an entry and the checksum of the entry's text. What does not match it is no line.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::provenance::digest;

/// A scope of a target that was explored to its end.
#[derive(Serialize, Deserialize)]
pub(super) struct JournalEntry {
    /// Which Lazuli explored it.
    pub lazuli: String,
    /// Which classes and which JDK.
    pub classes: String,
    /// Under which options.
    pub options: String,
    /// `acme.List.swapNode()Lacme/Node;`
    pub target: String,
    pub scope: usize,
    /// Its report, as text: most are never needed, and some are large.
    pub report: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct JournalLine {
    checksum: String,
    entry: Box<RawValue>,
}

/// With the end of the line.
pub(super) fn write(entry: &JournalEntry) -> Result<String, serde_json::Error> {
    let entry = serde_json::value::to_raw_value(entry)?;
    let checksum = digest(entry.get().as_bytes());
    Ok(serde_json::to_string(&JournalLine { checksum, entry })? + "\n")
}

/// Nothing if the line is damaged.
pub(super) fn read(line: &str) -> Option<JournalEntry> {
    let JournalLine { checksum, entry } = serde_json::from_str(line).ok()?;
    if checksum != digest(entry.get().as_bytes()) {
        return None;
    }
    serde_json::from_str(entry.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> JournalEntry {
        let report = RawValue::from_string(r#"{"paths":12}"#.to_string()).unwrap();
        let [lazuli, classes, options, target] = ["1.0", "abc", "def", "A.f()V"].map(str::to_string);
        JournalEntry { lazuli, classes, options, target, scope: 4, report }
    }

    #[test]
    fn what_was_written_is_read() {
        let line = write(&entry()).unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        let read = read(&line).unwrap();
        assert_eq!((read.target.as_str(), read.scope, read.report.get()), ("A.f()V", 4, r#"{"paths":12}"#));
    }

    #[test]
    fn every_torn_line_is_refused() {
        let line = write(&entry()).unwrap();
        let whole = line.trim_end();
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_none(), "{}", &whole[..length]);
        }
        assert!(read(whole).is_some());
    }

    #[test]
    fn a_changed_digit_is_noticed() {
        let line = write(&entry()).unwrap();
        assert!(read(&line.replace(":12}", ":13}")).is_none());
        assert!(read(&line.replace("\"scope\":4", "\"scope\":5")).is_none());
    }
}
