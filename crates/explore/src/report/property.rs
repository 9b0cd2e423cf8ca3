//! Which events broke a property?

use lazuli_spec::SourceLine;
use lazuli_vm::property::EventKind;
use serde::{Deserialize, Serialize};

/// A property that a path broke, and the events that did so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyBreach {
    /// The name of the property.
    pub property: String,
    /// The user's words for the error.
    pub what: String,
    /// The object that its automaton was about, if there was one for each object.
    pub object: Option<String>,
    /// The events that led the automaton from its first state to the error.
    pub word: Vec<PropertyStep>,
}

/// An event that led an automaton to another state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyStep {
    /// The kind of the event.
    pub kind: EventKind,
    /// The method, field or class: `Door.open`. Empty of an end.
    pub subject: String,
    /// The thread; none if there was one only.
    pub thread: Option<String>,
    /// The innermost line of the user's code: `Door.java:7`. Empty if there is none.
    pub at: String,
    /// The same as a place in the sources.
    pub place: Option<SourceLine>,
    /// The state that it led to; none at the error.
    pub state: Option<String>,
}
