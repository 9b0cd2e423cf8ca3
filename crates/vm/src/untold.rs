//! What does a text consist of that nothing has looked into yet?
//!
//! The digits of an unknown number are not worth a path each as long as the text is only passed around, as messages are. So such a string, or builder, has unread
//! fields, and the path keeps what it consists of. `interp/untold` tells it where something looks.

use std::rc::Rc;

use lazuli_logic::Term;

use crate::value::ObjId;

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextUnit {
    /// A unit of UTF-16.
    Known(u16),
    /// A Latin-1 character that is not known.
    Letter(Term),
    /// A unit of UTF-16 that is not known.
    Wide(Term),
    /// An int or a long that is not known, in decimal digits.
    Number(Term),
    /// The characters of a string whose length is not known.
    Text(ObjId),
    /// Any number of letters that are not known.
    Untold,
}

/// A string or builder whose text is not told.
#[derive(Clone, Debug)]
pub struct UntoldText {
    /// The string or builder.
    pub object: ObjId,
    /// The text, in parts.
    pub units: Rc<[TextUnit]>,
    /// How a builder grew.
    pub growth: Option<BuilderGrowth>,
}

/// The room in a builder follows from its room when its text was last told, and from what was appended since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuilderGrowth {
    /// The room for characters at the beginning.
    pub room: usize,
    /// The number of parts at the beginning, and after each time that something was appended.
    pub steps: Vec<usize>,
}
