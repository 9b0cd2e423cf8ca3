//! How can a path of execution end, or pause?

use lazuli_logic::Term;
use serde::{Deserialize, Serialize};

use crate::library::LibraryRecipe;
use crate::program::Class;
use crate::property::BrokenProperty;
use crate::reason::Reason;
use crate::threads::ThreadNumber;
use crate::universe::Restriction;
use crate::value::{ObjId, UnknownId, Value};

/// The most elements of a new array whose length was not known and must be.
pub const MOST_ELEMENTS: i32 = 64;

/// A fact that `step` needs before it can go on. A concrete program never asks.
#[derive(Debug, Clone)]
pub enum Question {
    /// Is this true?
    Branch(Term),
    /// Which of these is true? They exclude each other, and one of them is.
    Cases(Vec<Term>),
    /// How many elements has a new array whose length must be known? At most `MOST_ELEMENTS`, whatever the scope.
    Length {
        /// The length, which is not negative.
        length: Term,
        /// Are the elements arrays that the same instruction makes?
        is_nested: bool,
    },
    /// Which value did this place of an input hold at entry?
    Read {
        /// The field or touched element.
        place: Place,
        /// The declared type of the place.
        declared: &'static Class,
    },
    /// Which object is this reference, or is it null?
    Deref(UnknownId),
    /// Is this reference null?
    Null(UnknownId),
    /// Which of these is the class of an input? They exclude each other, and one of them is.
    Class {
        /// The input whose class is open.
        object: ObjId,
        /// The possible classes, open ones among them.
        parts: Vec<&'static Class>,
        /// Further classes that the object could have.
        left_out: LeftOut,
    },
    /// Which thread goes first? An interpreter that merely changes to another thread asks with no thread at all, and answers itself.
    Schedule {
        /// The threads that could, the one that ran last before the others.
        threads: Vec<ThreadNumber>,
        /// Is it about the thread that `notify` wakes?
        is_wake: bool,
    },
    /// Which of that many ways does the embedding program go? The interpreter itself never asks this.
    Choose(usize),
}

/// The classes that a question about a class leaves out.
#[derive(Debug, Clone)]
pub enum LeftOut {
    /// None.
    Nothing,
    /// Those that are not on the class path.
    Elsewhere,
    /// All but some that stand for a type of the library.
    Represented {
        /// The type.
        declared: &'static Class,
        /// The classes that stand for it.
        by: Vec<&'static Class>,
    },
}

/// An answer to a question.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Adds the condition to the path condition.
    Assume(Term),
    /// Makes the reference null.
    Null,
    /// An input that is there already.
    Alias(ObjId),
    /// An input that the path has not met yet.
    Fresh,
    /// An object of the library that the path has not met yet, with that many elements.
    Build {
        /// Makes the object.
        recipe: &'static LibraryRecipe,
        /// The number of elements, or of pairs.
        size: usize,
    },
    /// A reference that is decided later; null only if that is said.
    Defer {
        /// May it still turn out to be null?
        may_be_null: bool,
    },
    /// Excludes null and leaves the object open.
    NotNull,
    /// Gives the input this class, which may still be open.
    Narrow(&'static Class),
    /// One of the ways of [`Question::Choose`].
    Choose(usize),
    /// One of the threads of [`Question::Schedule`].
    Run(ThreadNumber),
}

/// A place in an input: a field, or an element that was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The input that contains the place.
    pub object: ObjId,
    /// The slot of the field, or the position among the touched elements.
    pub slot: u32,
}

/// Why the interpreter handed control back.
#[derive(Debug, Clone)]
pub enum Stop {
    /// The path goes on once this question is answered.
    Ask(Question),
    /// The path is over.
    End(End),
}

/// How a path ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// The entry method returned this value; `Top` if it is void.
    Returned(Value),
    /// An exception that nothing caught; the object is in the state's heap.
    Threw(ObjId),
    /// No thread can go on, and the first one is not done. The state says which threads wait for what.
    Deadlock,
    /// The events so far break a property.
    Broken(Box<BrokenProperty>),
    /// Everything that could happen from here on was tried in another order.
    Redundant,
    /// `System.exit` or `Runtime.halt`.
    Exited(i32),
    /// An assumption of the program does not hold: the path is of no interest.
    AssumedAway,
    /// The path needs an input that a bound leaves out.
    Beyond(Box<Restriction>),
    /// An effort limit was reached; the path might have gone on.
    Limit(Limit),
    /// The program needs something that Lazuli does not do. Never a wrong result instead.
    Unsupported {
        /// In a box, so that ends are small: the interpreter hands them up call by call.
        what: Box<Reason>,
        /// The method and line where execution stood.
        called_from: String,
    },
    /// The class file holds code that no verifier would pass.
    Malformed {
        /// The rule that the code breaks.
        what: String,
        /// The method and line where execution stood.
        at: String,
    },
}

/// An effort limit at which a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    /// The process occupies as much memory as it may.
    Memory,
    /// The deadline has passed.
    Time,
    /// The embedder asked for the end.
    Stopped,
    /// A loop or a recursion went on and on without anything new.
    Iterations,
    /// A loop came back to exactly the state in which it was before.
    Endless,
}

impl Stop {
    /// The effort limit that ended the run, if one did.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Stop::End(End::Limit(limit)) => Some(*limit),
            _ => None,
        }
    }
}

impl End {
    /// Builds the end of a path that needs something unsupported.
    pub fn unsupported(what: impl Into<Reason>, called_from: impl Into<String>) -> End {
        End::Unsupported { what: Box::new(what.into()), called_from: called_from.into() }
    }
}

impl From<End> for Stop {
    fn from(end: End) -> Stop {
        Stop::End(end)
    }
}
