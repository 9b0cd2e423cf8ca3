//! Why can the settings of a project not be used? `Display` is the message, with the line of the file and a mark below the mistake.

use std::fmt::{Display, Formatter};
use std::path::PathBuf;

use super::FILE;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ProjectError {
    #[error("{} cannot be read: {error}.", file.display())]
    Unreadable { file: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The command line is wrong by itself.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    #[error("{FILE} and the command line do not fit together: {}", without_label(.0).trim_end())]
    Conflict(clap::Error),
    #[error("only a check has settings for single targets.")]
    NotACheck,
    #[error("no command is given.")]
    NoCommand,
    #[error(
        "{FILE} wants {} to be written, which is not below the project. If you want that, say it on the command line, with {}.",
        path.display(),
        if *option == "format" { "-o FILE".to_string() } else { format!("--{option} DIR") }
    )]
    OutsideOfProject { path: PathBuf, option: String },
}

/// A mistake in the file, and where it is.
#[derive(Debug, thiserror::Error)]
pub(crate) struct SettingError {
    /// `lazuli.toml`, as seen from the current directory.
    pub(super) file: String,
    /// Counted from 1, as the column is.
    pub(super) line: usize,
    pub(super) column: usize,
    /// The text of the line.
    pub(super) excerpt: String,
    /// The number of characters that are marked.
    pub(super) width: usize,
    pub(super) mistake: Mistake,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Mistake {
    #[error("{0}")]
    Syntax(String),
    #[error("there is no setting `{name}` here; there are: {}", known.join(", "))]
    UnknownSetting { name: String, known: Vec<&'static str> },
    #[error("`{name}`: {}", without_label(.error).split("\n\n").next().unwrap_or_default())]
    Value { name: String, error: clap::Error },
    #[error("write `[[report]]` above each report")]
    ReportHeading,
    #[error("a report needs a `format` and a `file`")]
    IncompleteReport,
    #[error("write `[target.\"pkg.Class\"]`")]
    TargetHeading,
    #[error("write `[target.\"pkg.Class\"]` above the settings of a class or a method")]
    TargetIsNoTable,
    #[error("put the whole name between quotes: [target.\"pkg.Class\"]")]
    UnquotedTarget,
    #[error("write true or false")]
    NoFlag,
    #[error("write a text between quotes, or a whole number")]
    NoText,
    #[error("write a list of texts: [\"one\", \"other\"]")]
    NoList,
}

impl Display for SettingError {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        let SettingError { file, line, column, excerpt, width, mistake } = self;
        let margin = " ".repeat(line.to_string().len());
        let before: String = excerpt.chars().take(column - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        let carets = "^".repeat(*width);
        write!(formatter, "{file}:{line}:{column}: {mistake}\n  {line} | {excerpt}\n  {margin} | {before}{carets}")
    }
}

/// The message of clap without its own beginning.
fn without_label(error: &clap::Error) -> String {
    error.to_string().trim_start_matches("error: ").to_string()
}
