//! Why does a name mean no method that can be checked? `Display` is the message, with what could be named instead.

use lazuli_classfile::{JdkError, PathError};
use lazuli_vm::program::LoadError;
use lazuli_vm::reason::ClassFault;

use crate::report::reasons::class_sentence;

/// Methods that are listed one by one; more would hide the message.
const MOST_LISTED: usize = 20;

#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetError {
    #[error(transparent)]
    Jdk(#[from] JdkError),
    #[error(transparent)]
    ClassPath(#[from] PathError),
    #[error("the JDK cannot be used: {0}")]
    Library(LoadError),
    #[error("a target is empty; write pkg.Class or pkg.Class.method.")]
    Empty,
    #[error("{target} names no class; write pkg.Class.method{parameters}")]
    NoClassNamed { target: String, parameters: String },
    #[error("there is no class {name} on the class path {class_path}: {hint}")]
    NoSuchClass { name: String, class_path: String, hint: ClassHint },
    /// The file is named where another class is missing than the one that was asked for.
    #[error("class {name}{} cannot be loaded: {}", in_file(.file), class_sentence(.fault))]
    Unloadable { name: String, file: Option<String>, fault: Box<ClassFault> },
    #[error("class {class} has no public method with a body{}", alternatives(.methods))]
    NoPublicMethod { class: String, methods: Vec<String> },
    #[error("static initialisers cannot be checked on their own; check a method of {class}, which runs it first.")]
    Initialiser { class: String },
    #[error(
        "{class} has no objects of its own that a constructor makes: it is abstract, an interface or an enumeration."
    )]
    NotConstructible { class: String },
    #[error("class {class} has no method {name}{hint}")]
    NoSuchMethod { class: String, name: String, hint: MethodHint },
    #[error("class {class} has no method {name}{parameters}; there is:{}", overloads.concat())]
    NoSuchOverload {
        class: String,
        name: String,
        parameters: String,
        /// Each on a line of its own.
        overloads: Vec<String>,
    },
    #[error("class {0} has no method `public static void main(String[] args)`; name a class that has one.")]
    NoMain(String),
    #[error("{0} is abstract: there is nothing to execute. Name the method of a class that implements it.")]
    Abstract(String),
    #[error("{0} is native: there is no bytecode to execute. Name a method that is written in Java.")]
    Native(String),
}

impl TargetError {
    /// In one line, for a class that is skipped beside others.
    pub(crate) fn short(&self) -> String {
        match self {
            TargetError::NoPublicMethod { class, .. } => format!("{class}: skipped, it has no public method to check"),
            other => other.to_string(),
        }
    }
}

/// The class path as it is, for a user whose class is not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClassHint {
    #[error("did you mean {0}?")]
    Similar(String),
    #[error("no compiled class is there; compile with `javac -d DIR …` and give -cp DIR.")]
    NoClasses,
    #[error("the project is not built; run `{0}` first, or give -cp DIR with compiled classes.")]
    NotBuilt(&'static str),
    #[error("{0} other classes are there; check the package and the class path.")]
    OtherClasses(usize),
}

/// The methods of a class, for a user whose method is not among them.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MethodHint {
    #[error(" of its own, but inherits one: check {0}.")]
    Inherited(String),
    #[error("; did you mean {0}?")]
    Similar(String),
    #[error("{}", alternatives(.0))]
    Others(Vec<String>),
}

fn in_file(file: &Option<String>) -> String {
    file.as_ref().map_or(String::new(), |file| format!(" (in {file})"))
}

/// The methods that can be named instead, as the rest of a sentence.
fn alternatives(methods: &[String]) -> String {
    match methods.len() {
        0 => "; it has no methods with a body.".to_string(),
        count if count > MOST_LISTED => {
            let shown = methods[..MOST_LISTED].join("\n  ");
            format!("; there are:\n  {shown}\n  and {} more", count - MOST_LISTED)
        }
        _ => format!("; there are:\n  {}", methods.join("\n  ")),
    }
}
