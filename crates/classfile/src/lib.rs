//! Where does the class of a given name come from, and what does it say?
//!
//! Bytes in, decoded classes out: directories, jars (with their `Class-Path`) and the image of the installed JDK.
//! Nothing here knows what an instruction does.

#![warn(missing_docs, unreachable_pub)]

mod jdk;
mod lambdas;
mod path;
pub mod raw;
mod switches;

pub use cafebabe as format;
pub use jdk::{Jdk, JdkError};
pub use lambdas::lambda_types;
pub use path::{ClassBytes, ClassOrigin, ClassPath, PathError};

use thiserror::Error;

/// Larger files are refused: no compiler writes them, and the decoder's recursion is bounded by the size of its input.
pub const LARGEST_CLASS_FILE: usize = 8 << 20;

/// An error of a class file that cannot be decoded.
#[derive(Debug, Error)]
pub enum DecodeError {
    /// The file exceeds [`LARGEST_CLASS_FILE`]; the field has its size in bytes.
    #[error("the class file has {0} bytes, more than the {LARGEST_CLASS_FILE} that Lazuli accepts")]
    TooLarge(usize),
    /// The bytes violate the format (JVMS §4), as the text says.
    #[error("broken class file: {0}")]
    Broken(String),
}

/// Decodes the outline of a class: everything but the instructions of its methods.
pub fn outline(bytes: &[u8]) -> Result<format::ClassFile<'_>, DecodeError> {
    decode(bytes, false)
}

/// Decodes a class with the instructions of all its methods, once its outline is known.
pub fn with_instructions<'a>(
    bytes: &'a [u8],
    outline: &format::ClassFile,
) -> Result<format::ClassFile<'a>, DecodeError> {
    for attribute in outline.methods.iter().flat_map(|method| &method.attributes) {
        if let format::attributes::AttributeData::Code(body) = &attribute.data
            && !switches::switches_fit(body.code)
        {
            return Err(DecodeError::Broken("a switch has more targets than there is code".into()));
        }
    }
    decode(bytes, true)
}

fn decode(bytes: &[u8], instructions: bool) -> Result<format::ClassFile<'_>, DecodeError> {
    if bytes.len() > LARGEST_CLASS_FILE {
        return Err(DecodeError::TooLarge(bytes.len()));
    }
    let mut options = format::ParseOptions::default();
    options.parse_bytecode(instructions);
    format::parse_class_with_options(bytes, &options).map_err(|error| DecodeError::Broken(error.to_string()))
}
