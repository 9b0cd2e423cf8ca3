//! How can a path of execution end, or pause?

use crate::value::{ObjId, Value};

/// What `step` needs to know before it can go on. A concrete program never asks; symbolic values will.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {}

/// Why the interpreter handed control back.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    Ask(Question),
    End(End),
}

/// How a path ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    Returned(Value),
    /// An exception that nothing caught; the object is in the state's heap.
    Threw(ObjId),
    /// `System.exit` or `Runtime.halt`.
    Exited(i32),
    /// An effort limit was reached; the path might have gone on.
    Limit(Limit),
    /// The program needs something that Lazuli does not do. Never a wrong result instead.
    Unsupported {
        what: String,
        called_from: String,
    },
    /// The class file holds code that no verifier would pass.
    Malformed {
        what: String,
        at: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    Memory,
    Time,
}

impl From<End> for Stop {
    fn from(end: End) -> Stop {
        Stop::End(end)
    }
}
