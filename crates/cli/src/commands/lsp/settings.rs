//! What did the editor say about the project, and what does the project say itself?
//!
//! Options of the editor come first, then `lazuli.toml`, then the folders where build tools leave classes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::arguments::Command;
use crate::project::layout::class_folders;
use crate::project::{self, FILE, ProjectError};

/// The initialization options of the editor.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct EditorSettings {
    /// Directories of classes, and jars.
    class_path: Vec<String>,
    /// Directories of sources.
    sources: Vec<String>,
    /// Further options of `lazuli check`, such as `--time 10s`.
    arguments: Vec<String>,
    pub check_on: CheckOn,
    /// Where tests are written.
    test_folder: Option<PathBuf>,
}

/// When a file is checked without being asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum CheckOn {
    /// When the class of an open file is compiled again.
    #[default]
    Save,
    /// Then, and when a file is opened.
    Open,
    /// Never: only code lenses and commands.
    Command,
}

/// Everything that a check of this project needs.
#[derive(Clone, Debug, Default)]
pub(super) struct EditorProject {
    pub settings: EditorSettings,
    /// Directories of classes, and jars; seen from the folder of the project, which is the current directory.
    pub class_path: Vec<PathBuf>,
    pub sources: Vec<PathBuf>,
    /// Does the command line have to name the class path, because `lazuli.toml` does not?
    names_class_path: bool,
}

impl EditorProject {
    /// The workspace in the current directory. If a file of settings is wrong, the message says so, and the rest counts.
    pub(super) fn open(settings: EditorSettings) -> (EditorProject, Option<ProjectError>) {
        let (mut class_path, mut sources, mut mistake) = (Vec::new(), Vec::new(), None);
        match project::parse(["lazuli", "check"].map(OsString::from).to_vec()) {
            Ok(arguments) => {
                if let Command::Check(options) = arguments.command
                    && options.project.is_some()
                {
                    class_path = options.common.class_path();
                    sources = options.specifications.source;
                }
            }
            Err(error) => mistake = Some(error),
        }
        let is_said_by_project = !class_path.is_empty() && class_path != [PathBuf::from(".")];
        if !settings.class_path.is_empty() {
            class_path = settings.class_path.iter().map(PathBuf::from).collect();
        } else if !is_said_by_project {
            class_path = class_folders(Path::new("")).into_iter().map(PathBuf::from).collect();
            if class_path.is_empty() {
                class_path.push(PathBuf::from("."));
            }
        }
        if !settings.sources.is_empty() {
            sources = settings.sources.iter().map(PathBuf::from).collect();
        }
        let names_class_path = !settings.class_path.is_empty() || !is_said_by_project;
        (EditorProject { settings, class_path, sources, names_class_path }, mistake)
    }

    /// The words that `lazuli check` and `lazuli tests` need to find the classes.
    pub(super) fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if self.names_class_path {
            let mut path = OsString::new();
            for (index, entry) in self.class_path.iter().enumerate() {
                path.push(if index > 0 { ":" } else { "" });
                path.push(entry);
            }
            words.extend([OsString::from("--class-path"), path]);
        }
        if !self.settings.sources.is_empty() {
            for folder in &self.sources {
                words.extend([OsString::from("--source"), folder.into()]);
            }
        }
        words.extend(self.settings.arguments.iter().map(OsString::from));
        words
    }

    /// Where tests go: what the editor says, else where build tools look for them, else a folder of their own.
    pub(super) fn test_folder(&self) -> PathBuf {
        let usual = Path::new("src/test/java");
        match &self.settings.test_folder {
            Some(folder) => folder.clone(),
            None if usual.is_dir() => usual.to_path_buf(),
            None => PathBuf::from("lazuli-tests"),
        }
    }

    /// Whether a changed file of this name changes the settings.
    pub(super) fn is_settings(path: &Path) -> bool {
        path.file_name().is_some_and(|name| name == FILE)
    }
}
