//! What does a fault mean to the author of the method: a defect of it, or something that it says no to on purpose?

use serde::{Deserialize, Serialize};

/// The meaning of something that was noticed. Only defects make a method violated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// The method is wrong: an implicit exception of the JVM, or a contract that is not kept.
    #[default]
    Defect,
    /// The method deliberately throws, because an argument or the receiver's state at entry is not to its liking.
    Rejection,
    /// A parameter is null where the code does not expect it.
    NullArgument,
    /// A fault on an input that no calls were found to make.
    Note,
    /// Two threads access a variable, one of them writes, and nothing orders them.
    Race,
}

/// The instruction of the user's code at which a fault shows. It tells causes apart: two may stand in one line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Instruction {
    /// With dots.
    pub class: String,
    /// Name and descriptor: `add(I)V`.
    pub method: String,
    /// The index of its first byte in the code of the method.
    pub offset: u32,
}

impl FindingKind {
    /// The name in JSON, and in options.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Defect => "defect",
            FindingKind::Rejection => "rejection",
            FindingKind::NullArgument => "null-argument",
            FindingKind::Note => "note",
            FindingKind::Race => "race",
        }
    }
}
