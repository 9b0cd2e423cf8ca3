//! Which settings of `lazuli.toml` complete the command line?
//!
//! `lazuli.toml` is looked for in the current directory and above it. Its settings become words of the command line that stand before
//! those of the user, which override them.

mod error;
pub(crate) mod layout;
pub(crate) mod settings;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use lazuli_console::safe::is_below;

use crate::arguments::{Arguments, CheckOptions, Command, laid_out};
use settings::{Settings, TargetSettings, Words};

pub(crate) use error::ProjectError;

pub(crate) const FILE: &str = "lazuli.toml";

/// Options that belong together: one of them on the command line overrides all of them in the settings.
const TOGETHER: [&[&str]; 2] = [&["invariant", "heap-invariant", "data-invariant"], &["format", "output"]];

/// The settings and the words of the user, from which the options of each target are made.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    settings: Settings,
    /// Where the settings are, seen from the current directory.
    folder: PathBuf,
    /// As the user wrote it, beginning with the program and the command.
    words: Vec<OsString>,
}

/// Reads the command line, completed by the settings of the project. A command line that is wrong by itself ends the process.
pub(crate) fn parse(words: Vec<OsString>) -> Result<Arguments, ProjectError> {
    let matches = laid_out(&words).get_matches_from(&words);
    let found = match matches.subcommand_name() {
        Some("check" | "watch" | "tests" | "shapes" | "run") => nearest()?,
        _ => None,
    };
    let Some((settings, folder)) = found else {
        return Ok(Arguments::from_arg_matches(&matches)?);
    };
    let project = Project { settings, folder, words };
    let mut arguments = project.arguments(&[])?;
    if let Command::Check(options) = &mut arguments.command {
        options.project = Some(project);
    }
    Ok(arguments)
}

impl Project {
    /// The settings of single targets, the more special last.
    pub(crate) fn special(&self) -> &[TargetSettings] {
        &self.settings.special
    }

    /// The options of a check for which these settings count too.
    pub(crate) fn options(&self, special: &[&TargetSettings]) -> Result<CheckOptions, ProjectError> {
        match self.arguments(special)?.command {
            Command::Check(options) => Ok(*options),
            _ => Err(ProjectError::NotACheck),
        }
    }

    fn arguments(&self, special: &[&TargetSettings]) -> Result<Arguments, ProjectError> {
        let user = Arguments::command().get_matches_from(&self.words);
        let mut words = self.settings.general.clone();
        for special in special {
            override_by(&mut words, &special.words);
        }
        let (name, user) = user.subcommand().ok_or(ProjectError::NoCommand)?;
        let mut completed = self.words[..2].to_vec();
        for (option, said) in &words {
            if belongs_to(name, option) && !is_said(user, option) {
                self.check_written(option)?;
                completed.extend(said.iter().cloned());
            }
        }
        completed.extend(self.words[2..].iter().cloned());
        if matches!(name, "check" | "watch" | "tests") && !is_said(user, "targets") && !is_said(user, "main") {
            completed.extend(self.settings.targets.iter().cloned());
        }
        let command = Arguments::command();
        let matches = command.try_get_matches_from(completed);
        matches.and_then(|matches| Arguments::from_arg_matches(&matches)).map_err(ProjectError::Conflict)
    }

    /// Refuses settings that name a place outside of the project: checking a foreign project must not write all over the machine.
    fn check_written(&self, option: &str) -> Result<(), ProjectError> {
        let mut written = self.settings.written.get(option).into_iter().flatten();
        match written.find(|path| !is_below(&self.folder, path)) {
            None => Ok(()),
            Some(path) => Err(ProjectError::OutsideOfProject { path: path.clone(), option: option.to_string() }),
        }
    }
}

/// The settings in the nearest folder that has some, from the current one upwards. Paths are made relative to the current one.
fn nearest() -> Result<Option<(Settings, PathBuf)>, ProjectError> {
    let mut folder = PathBuf::new();
    let depth = std::env::current_dir().map_or(0, |current| current.components().count());
    for _ in 0..depth {
        let file = folder.join(FILE);
        if file.is_file() {
            let text = std::fs::read_to_string(&file)
                .map_err(|error| ProjectError::Unreadable { file: file.clone(), error })?;
            let settings = settings::read(&text, &file.display().to_string(), &folder)?;
            return Ok(Some((settings, folder)));
        }
        folder.push("..");
    }
    Ok(None)
}

fn override_by(words: &mut Words, stronger: &Words) {
    for (option, said) in stronger {
        for other in together_with(option) {
            if !stronger.contains_key(other) {
                words.remove(other);
            }
        }
        words.insert(option, said.clone());
    }
}

/// Programs are run as they are: limits of checks are none of theirs.
fn belongs_to(command: &str, option: &str) -> bool {
    let known = Arguments::command();
    let arguments = known.find_subcommand(command).map(|command| command.get_arguments().collect::<Vec<_>>());
    let has_it = arguments.is_some_and(|known| known.iter().any(|argument| argument.get_long() == Some(option)));
    match (command, option) {
        ("run", _) => has_it && matches!(option, "class-path" | "memory"),
        // Reports are about checks.
        (_, "format") => matches!(command, "check" | "watch"),
        _ => has_it,
    }
}

/// Did the user say it, or something that stands for it?
fn is_said(user: &ArgMatches, option: &str) -> bool {
    let is_said = |option: &str| {
        let id = option.replace('-', "_");
        user.try_contains_id(&id).is_ok() && user.value_source(&id) == Some(ValueSource::CommandLine)
    };
    is_said(option) || together_with(option).any(is_said)
}

fn together_with(option: &str) -> impl Iterator<Item = &'static str> {
    let group = TOGETHER.iter().find(|group| group.contains(&option)).copied().unwrap_or_default();
    group.iter().copied().filter(move |other| *other != option)
}
