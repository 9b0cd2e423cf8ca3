//! Which properties does a file describe?
//!
//! `syntax` reads the text, `resolve` looks for the classes, methods and fields that it names. A mistake has its line and column.

mod resolve;
mod syntax;

pub use resolve::properties;
pub use syntax::PropertySyntax;

/// A mistake in a file of properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The mistake.
    pub mistake: PropertyMistake,
}

/// The mistakes that a file of properties may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyMistake {
    /// A character that no word and no sign begins with.
    Character(char),
    /// A text does not end on its line.
    OpenText,
    /// Something else stands there than what may.
    Expected {
        /// The words and signs that may stand there, as a reader would write them.
        expected: Vec<&'static str>,
        /// The word or sign that does; none at the end of the file.
        found: Option<String>,
    },
    /// The file has no property.
    Empty,
    /// Two properties, or two states of one, have this name.
    Twice(String),
    /// There is no state of this name.
    NoState {
        /// The name.
        name: String,
        /// The states that there are.
        states: Vec<String>,
    },
    /// No path breaks it, whatever happens: no move that a state can come to leads to an error.
    NeverBroken,
    /// The name has no dot: a class and a method or field belong together.
    NoMember(String),
    /// There is no class of this name.
    NoClass(String),
    /// Several classes have this name.
    SeveralClasses {
        /// The name.
        name: String,
        /// The full names of the classes.
        classes: Vec<String>,
    },
    /// The class has no such method.
    NoMethod {
        /// The class, with dots.
        class: String,
        /// The name of the method.
        name: String,
    },
    /// The class has no such field.
    NoField {
        /// The class, with dots.
        class: String,
        /// The name of the field.
        name: String,
    },
    /// The property is about each object, and a static method or field has none.
    NoObject {
        /// The method or field.
        member: String,
    },
    /// The property is about each object, and this is an end in the first state, in which all objects are of which nothing was seen.
    EndOfUnseen,
    /// One property names more events than that.
    TooManyEvents {
        /// The greatest number.
        most: usize,
    },
}
