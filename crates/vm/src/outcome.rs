//! How can a path of execution end, or pause?

use lazuli_logic::Term;
use serde::{Deserialize, Serialize};

use crate::program::Class;
use crate::reason::Reason;
use crate::value::{ObjId, UnknownId, Value};

/// What `step` needs to know before it can go on. A concrete program never asks.
#[derive(Debug, Clone)]
pub enum Question {
    /// Is this true?
    Branch(Term),
    /// Which of these is true? They exclude each other, and one of them is.
    Cases(Vec<Term>),
    /// What did this place of an input hold at entry? The class is the declared type.
    Read { place: Place, declared: &'static Class },
    /// Which object is this reference, or is it null?
    Deref(UnknownId),
    /// Is this reference null?
    Null(UnknownId),
    /// Which of these is the class of an input? They exclude each other, and one of them is.
    Class { object: ObjId, parts: Vec<&'static Class> },
    /// Which of that many ways does the embedding program go? The interpreter itself never asks this.
    Choose(usize),
}

/// An answer to a question.
#[derive(Debug, Clone)]
pub enum Answer {
    Assume(Term),
    Null,
    /// An input that is there already.
    Alias(ObjId),
    /// An input that nobody has met yet.
    Fresh,
    /// A reference that is decided later; null only if that is said.
    Defer {
        may_be_null: bool,
    },
    NotNull,
    Narrow(&'static Class),
    /// One of the ways of [`Question::Choose`].
    Choose(usize),
}

/// A place in an input: a field, or an element that was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub object: ObjId,
    /// The slot of the field, or the position among the touched elements.
    pub slot: u32,
}

/// Why the interpreter handed control back.
#[derive(Debug, Clone)]
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
    /// An assumption of the program does not hold: the path is of no interest.
    AssumedAway,
    /// An effort limit was reached; the path might have gone on.
    Limit(Limit),
    /// The program needs something that Lazuli does not do. Never a wrong result instead.
    Unsupported {
        /// In a box, so that ends are small: the interpreter hands them up call by call.
        what: Box<Reason>,
        called_from: String,
    },
    /// The class file holds code that no verifier would pass.
    Malformed {
        what: String,
        at: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    Memory,
    Time,
    /// Somebody asked for the end.
    Stopped,
    /// A loop or a recursion went on and on without anything new.
    Iterations,
    /// A loop came back to exactly the state in which it was before.
    Endless,
}

impl End {
    pub fn unsupported(what: impl Into<Reason>, called_from: impl Into<String>) -> End {
        End::Unsupported { what: Box::new(what.into()), called_from: called_from.into() }
    }
}

impl From<End> for Stop {
    fn from(end: End) -> Stop {
        Stop::End(end)
    }
}
