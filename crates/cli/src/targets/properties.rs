//! Which properties must hold at all times? The files behind `--property` say so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lazuli_spec::{PropertyError, PropertyMistake, properties};
use lazuli_vm::program::Program;
use lazuli_vm::property::Properties;

/// Larger files are not read.
const LARGEST: u64 = 1 << 20;

/// Why a file of properties cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PropertyFileError {
    #[error("--property {}: {error}", .file.display())]
    Unreadable { file: PathBuf, error: std::io::Error },
    #[error("--property {}: the file is larger than 1 MB.", .0.display())]
    TooLarge(PathBuf),
    #[error("--property {}: the file is no text in UTF-8.", .0.display())]
    NoText(PathBuf),
    #[error("{}:{}:{}: {}", .file.display(), .error.line, .error.column, mistake(&.error.mistake))]
    Wrong { file: PathBuf, error: PropertyError },
    #[error("--property {}: another file has a property {name}, too; give one of them another name.", .file.display())]
    Twice { file: PathBuf, name: String },
}

/// The properties of all files; none if there are no files.
pub(crate) fn read_properties(
    files: &[PathBuf],
    program: &Program,
) -> Result<Option<Arc<Properties>>, PropertyFileError> {
    let mut found = Properties { all: Vec::new(), text: String::new() };
    for file in files {
        let text = read(file)?;
        let wrong = |error| PropertyFileError::Wrong { file: file.clone(), error };
        for property in properties(program, &text).map_err(wrong)? {
            if found.all.iter().any(|known| known.name == property.name) {
                return Err(PropertyFileError::Twice { file: file.clone(), name: property.name });
            }
            found.all.push(property);
        }
        found.text.push_str(&text);
    }
    Ok((!found.all.is_empty()).then(|| Arc::new(found)))
}

fn read(file: &Path) -> Result<String, PropertyFileError> {
    let unreadable = |error| PropertyFileError::Unreadable { file: file.to_path_buf(), error };
    if std::fs::metadata(file).map_err(unreadable)?.len() > LARGEST {
        return Err(PropertyFileError::TooLarge(file.to_path_buf()));
    }
    let bytes = lazuli_console::safe::read(file).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|_| PropertyFileError::NoText(file.to_path_buf()))
}

/// A mistake, and the words to write instead: a sentence.
fn mistake(mistake: &PropertyMistake) -> String {
    match mistake {
        PropertyMistake::Character(character) => format!("{character:?} begins no word; names of classes and states have letters, digits, dots and _."),
        PropertyMistake::OpenText => "the text does not end on its line; close it with \".".to_string(),
        PropertyMistake::Expected { expected, found } => {
            let quoted: Vec<String> = expected.iter().map(|word| told(word)).collect();
            let expected = match quoted.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, others)) => format!("{} or {last}", others.join(", ")),
                None => String::new(),
            };
            let found = found.as_ref().map_or("the end of the file".to_string(), |found| format!("`{found}`"));
            format!("expected {expected}, found {found}.")
        }
        PropertyMistake::Empty => "there is no property in the file; write `property NAME { state NAME { … } }`.".to_string(),
        PropertyMistake::Twice(name) => format!("there are two of the name {name}; rename one of them."),
        PropertyMistake::NoState { name, states } => {
            format!("there is no state {name}; there are: {}.", states.join(", "))
        }
        PropertyMistake::NeverBroken => {
            "nothing breaks this property: no move that its first state leads to ends in `error`.".to_string()
        }
        PropertyMistake::NoMember(name) => format!("{name} is no CLASS.NAME; write the class before it, with a dot."),
        PropertyMistake::NoClass(name) => {
            format!("there is no class {name} on the class path or in the JDK; write it as in source, with its package.")
        }
        PropertyMistake::SeveralClasses { name, classes } => {
            format!("{name} may be {}; write one of these.", classes.join(" or "))
        }
        PropertyMistake::NoMethod { class, name } => format!("{class} has no method {name}."),
        PropertyMistake::NoField { class, name } => format!("{class} has no field {name}."),
        PropertyMistake::NoObject { member } => {
            format!("{member} is static, and the property is about each object; leave `for each object` out.")
        }
        PropertyMistake::EndOfUnseen => {
            "`end` in the first state would be about all objects of which no event was seen; let an event lead to another state before it.".to_string()
        }
        PropertyMistake::TooManyEvents { most } => format!("one property names at most {most} events; make two of it."),
    }
}

/// A word that stands for itself is quoted, one that stands for others is not.
fn told(word: &str) -> String {
    match word {
        "a name" | "a class" | "the name of a state" | "CLASS.METHOD" | "CLASS.FIELD" => word.to_string(),
        word => format!("`{word}`"),
    }
}
