//! Why is there no circuit?

use lazuli_vm::reason::Untranslated;

/// Why there is no circuit for an invariant or a method. Callers decide by it; the words for users are in the command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The code uses something that is not translated; with the method and the line, if it is code.
    #[error("{0}{at} is not translated", at = place(.1))]
    Unsupported(Untranslated, Option<String>),
    /// The circuit would be too large to be of use.
    #[error("the circuit would be too large")]
    TooLarge,
    /// Building the circuit, or a question on the way, takes too long.
    #[error("the circuit would take too long to build")]
    OutOfTime,
    /// The code needs a class, by its number, that is not initialised.
    #[error("the code needs a class that is not initialised")]
    Late(u32),
    /// The code calls a method that the analysis of bit widths had not seen.
    #[error("the code calls a method that was not analysed")]
    Unforeseen,
    /// An iteration over a set may throw, so that the order of its objects matters.
    #[error("the code depends on the order of objects")]
    Unordered,
}

fn place(at: &Option<String>) -> String {
    at.as_ref().map_or(String::new(), |at| format!(", at {at},"))
}

impl Refusal {
    /// Refuses something that is not at an instruction.
    pub fn unsupported(what: impl Into<Untranslated>) -> Refusal {
        Refusal::Unsupported(what.into(), None)
    }
}
