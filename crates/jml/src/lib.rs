//! What does a specification in JML say? Text becomes a syntax tree with positions; its meaning is found elsewhere.
//!
//! `read` takes a Java source, or a `.jml` file, which looks like one without bodies. Of the Java in it, only declarations are read;
//! the rest is skipped by its brackets.

#![warn(missing_docs, unreachable_pub)]

mod clause;
mod declaration;
mod expression;
mod lex;
mod member;
mod model;
mod source;
mod syntax;

pub use expression::qualified;
pub use source::{Complaint, SourceText, Span};
pub use syntax::*;

use std::sync::Arc;

/// Reads a file. The complaint is about the first thing that cannot be understood.
pub fn read(source: Arc<SourceText>) -> Result<CompilationUnit, Complaint> {
    let tokens = lex::tokens(&source)?;
    declaration::unit(source, tokens)
}
