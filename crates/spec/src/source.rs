//! Where in a source file?

use serde::{Deserialize, Serialize};

/// A line of a source file: `List.java:12`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceLine {
    /// Of the class, with dots; empty for none. It says in which folder the file is.
    pub package: String,
    /// The name of the file without its folder.
    pub file: String,
    /// 0 if the class file has no line numbers.
    pub line: u16,
}
