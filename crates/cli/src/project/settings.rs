//! Which settings may a `lazuli.toml` have, and which options are they?
//!
//! A setting has the name and the meaning of an option, and becomes words of the command line. So it has the same checks, and this file
//! knows no more than names and kinds.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Parser;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Mistake, SettingError};
use crate::arguments::Arguments;
use crate::cache::CacheLocation;

/// Words of the command line by the option that they are for.
pub(crate) type Words = BTreeMap<&'static str, Vec<OsString>>;

/// A file that was understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub targets: Vec<OsString>,
    pub general: Words,
    /// The files and directories that are written to, by the option that names them.
    pub written: BTreeMap<&'static str, Vec<PathBuf>>,
    /// Those with longer names, which are the more special ones, last.
    pub special: Vec<TargetSettings>,
}

/// The settings of one class or method.
#[derive(Clone, Debug)]
pub(crate) struct TargetSettings {
    pub target: String,
    pub words: Words,
    /// Where it is said: `lazuli.toml:12`.
    pub place: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SettingKind {
    /// A text or a number.
    Value,
    Flag,
    /// Several values, each an option of its own.
    List,
    /// A file or directory, relative to the settings.
    Path,
    Paths,
    /// A directory relative to the settings, or what is none: a server, or a word.
    CacheLocation,
    /// All in one option, separated by `:`. `lib/*` stands for all jars there.
    ClassPath,
}

/// May be said of the project, and of single targets.
const OF_TARGETS: &[(&str, SettingKind)] = &[
    ("scope", SettingKind::Value),
    ("objects", SettingKind::Value),
    ("k", SettingKind::Value),
    ("array", SettingKind::Value),
    ("engine", SettingKind::Value),
    ("unroll", SettingKind::Value),
    ("no-symmetry-breaking", SettingKind::Flag),
    ("no-tight-bounds", SettingKind::Flag),
    ("depth", SettingKind::Value),
    ("closed", SettingKind::Flag),
    ("open", SettingKind::Flag),
    ("unicode", SettingKind::Flag),
    ("int-bits", SettingKind::Value),
    ("ambient", SettingKind::Value),
    ("assume-pure", SettingKind::List),
    ("havoc", SettingKind::Value),
    ("region", SettingKind::List),
    ("technique", SettingKind::Value),
    ("build", SettingKind::List),
    ("structure", SettingKind::Value),
    ("order", SettingKind::Value),
    ("max-paths", SettingKind::Value),
    ("allow", SettingKind::List),
    ("strict", SettingKind::Flag),
    ("invariant", SettingKind::Value),
    ("heap-invariant", SettingKind::Value),
    ("data-invariant", SettingKind::Value),
    ("by-contract", SettingKind::List),
    ("no-post", SettingKind::Flag),
    ("pre", SettingKind::Value),
    ("post", SettingKind::Value),
];

/// May only be said of the project.
const OF_PROJECTS: &[(&str, SettingKind)] = &[
    ("class-path", SettingKind::ClassPath),
    ("source", SettingKind::Paths),
    ("spec", SettingKind::Paths),
    ("check-contracts", SettingKind::Flag),
    ("property", SettingKind::Paths),
    ("time", SettingKind::Value),
    ("memory", SettingKind::Value),
    ("jobs", SettingKind::Value),
    ("journal", SettingKind::Path),
    ("cache", SettingKind::CacheLocation),
    ("ca", SettingKind::Path),
];

/// The parts of a project that are no options.
const PARTS: [&str; 3] = ["targets", "report", "target"];

/// Understands the text of a file, or says where it is wrong. Paths in it are relative to the folder.
pub(crate) fn read(text: &str, name: &str, folder: &Path) -> Result<Settings, SettingError> {
    let source = SettingsFile { text, name, folder };
    let document = DeTable::parse(text)
        .map_err(|error| source.wrong(error.span(), Mistake::Syntax(error.message().to_string())))?;
    let mut settings = Settings::default();
    for (key, value) in document.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("targets", _) => settings.targets = source.texts(value)?.into_iter().map(OsString::from).collect(),
            ("report", DeValue::Array(reports)) => {
                let words = reports.iter().map(|report| source.report(report)).collect::<Result<Vec<_>, _>>()?;
                let files = words.iter().map(|(_, file)| file.clone());
                settings.written.insert("format", files.collect());
                settings.general.insert("format", words.into_iter().flat_map(|(words, _)| words).collect());
            }
            ("report", _) => return Err(source.wrong(Some(value.span()), Mistake::ReportHeading)),
            ("target", DeValue::Table(targets)) => {
                for (target, settings_of_it) in targets {
                    settings.special.push(source.special(target, settings_of_it)?);
                }
            }
            ("target", _) => return Err(source.wrong(Some(value.span()), Mistake::TargetHeading)),
            _ => source.add(key, value, &[OF_PROJECTS, OF_TARGETS], &PARTS, &mut settings.general)?,
        }
        // Notes the directories that are written to.
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("journal", DeValue::String(path)) => {
                settings.written.insert("journal", vec![folder.join(path.as_ref())]);
            }
            ("cache", DeValue::String(path)) if CacheLocation::is_directory(path) => {
                settings.written.insert("cache", vec![folder.join(path.as_ref())]);
            }
            _ => {}
        }
    }
    settings.special.sort_by_key(|special| special.target.len());
    Ok(settings)
}

/// A file that is being read.
struct SettingsFile<'a> {
    text: &'a str,
    name: &'a str,
    folder: &'a Path,
}

type SettingKey<'a> = Spanned<std::borrow::Cow<'a, str>>;

impl SettingsFile<'_> {
    fn special(&self, target: &SettingKey, value: &Spanned<DeValue>) -> Result<TargetSettings, SettingError> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.wrong(Some(target.span()), Mistake::TargetIsNoTable));
        };
        let mut words = Words::new();
        for (key, value) in table {
            let is_below = matches!(value.get_ref(), DeValue::Table(_));
            if is_below {
                return Err(self.wrong(Some(key.span()), Mistake::UnquotedTarget));
            }
            self.add(key, value, &[OF_TARGETS], &[], &mut words)?;
        }
        let place = format!("{}:{}", self.name, self.position(target.span().start).0);
        Ok(TargetSettings { target: target.get_ref().to_string(), words, place })
    }

    /// The words for a format and a file, and the file.
    fn report(&self, report: &Spanned<DeValue>) -> Result<(Vec<OsString>, PathBuf), SettingError> {
        let fields: &[(&str, SettingKind)] = &[("format", SettingKind::Value), ("file", SettingKind::Path)];
        let DeValue::Table(table) = report.get_ref() else {
            return Err(self.wrong(Some(report.span()), Mistake::ReportHeading));
        };
        let mut words = Words::new();
        let mut written = PathBuf::new();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "file" => {
                    let file = self.folder.join(self.text_of(value)?);
                    words.insert("output", vec![joined("--output=", file.as_os_str())]);
                    written = file;
                }
                _ => self.add(key, value, &[fields], &[], &mut words)?,
            }
        }
        match (words.remove("format"), words.remove("output")) {
            (Some(format), Some(file)) => Ok(([format, file].concat(), written)),
            _ => Err(self.wrong(Some(report.span()), Mistake::IncompleteReport)),
        }
    }

    /// Adds what one setting is on the command line.
    fn add(
        &self,
        key: &SettingKey,
        value: &Spanned<DeValue>,
        known: &[&[(&'static str, SettingKind)]],
        parts: &[&'static str],
        words: &mut Words,
    ) -> Result<(), SettingError> {
        let written = key.get_ref().as_ref();
        let known: Vec<(&'static str, SettingKind)> = known.concat();
        let Some((name, kind)) = known.iter().copied().find(|(name, _)| *name == written) else {
            let known = known.iter().map(|(name, _)| *name).chain(parts.iter().copied()).collect();
            return Err(self.wrong(Some(key.span()), Mistake::UnknownSetting { name: written.to_string(), known }));
        };
        let option = format!("--{name}=");
        let path = |text: String| joined(&option, self.folder.join(text).as_os_str());
        let made = match kind {
            SettingKind::Value => vec![OsString::from(option.clone() + &self.text_of(value)?)],
            SettingKind::List => {
                self.texts(value)?.into_iter().map(|text| OsString::from(option.clone() + &text)).collect()
            }
            SettingKind::Path => vec![path(self.text_of(value)?)],
            SettingKind::CacheLocation => match self.text_of(value)? {
                text if CacheLocation::is_directory(&text) => vec![path(text)],
                text => vec![OsString::from(option.clone() + &text)],
            },
            SettingKind::Paths => self.texts(value)?.into_iter().map(path).collect(),
            SettingKind::ClassPath => {
                let entries: Vec<PathBuf> = self.texts(value)?.iter().flat_map(|entry| self.entries(entry)).collect();
                let entries: Vec<&std::ffi::OsStr> = entries.iter().map(|entry| entry.as_os_str()).collect();
                vec![joined(&option, &entries.join(std::ffi::OsStr::new(":")))]
            }
            SettingKind::Flag => match value.get_ref() {
                DeValue::Boolean(true) => vec![OsString::from(format!("--{name}"))],
                DeValue::Boolean(false) => Vec::new(),
                _ => return Err(self.wrong(Some(value.span()), Mistake::NoFlag)),
            },
        };
        for word in &made {
            self.check(word, name, value.span())?;
        }
        words.insert(name, made);
        Ok(())
    }

    /// Lets the command line judge an option on its own.
    fn check(&self, word: &OsString, name: &str, at: Range<usize>) -> Result<(), SettingError> {
        let alone = ["lazuli".into(), "check".into(), word.clone()];
        match Arguments::try_parse_from(alone) {
            // Half of a split invariant needs the other half, which may be said elsewhere.
            Err(error) if error.kind() != clap::error::ErrorKind::MissingRequiredArgument => {
                Err(self.wrong(Some(at), Mistake::Value { name: name.to_string(), error }))
            }
            _ => Ok(()),
        }
    }

    /// A text, or a number as text.
    fn text_of(&self, value: &Spanned<DeValue>) -> Result<String, SettingError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            _ => Err(self.wrong(Some(value.span()), Mistake::NoText)),
        }
    }

    fn texts(&self, value: &Spanned<DeValue>) -> Result<Vec<String>, SettingError> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.text_of(item)).collect(),
            DeValue::String(text) => Ok(vec![text.to_string()]),
            _ => Err(self.wrong(Some(value.span()), Mistake::NoList)),
        }
    }

    /// As with `java`, `lib/*` is all jars in that directory.
    fn entries(&self, entry: &str) -> Vec<PathBuf> {
        let Some(directory) = entry.strip_suffix('*').filter(|rest| rest.is_empty() || rest.ends_with('/')) else {
            return vec![self.folder.join(entry)];
        };
        let files = std::fs::read_dir(Path::new(".").join(self.folder).join(directory)).into_iter().flatten().flatten();
        let names = files.map(|file| file.file_name());
        let mut jars: Vec<PathBuf> = names
            .filter(|name| Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar")))
            .map(|name| self.folder.join(directory).join(name))
            .collect();
        jars.sort();
        jars
    }

    /// The error for a mistake in that part of the file.
    fn wrong(&self, at: Option<Range<usize>>, mistake: Mistake) -> SettingError {
        let at = at.unwrap_or(0..0);
        let (line, column) = self.position(at.start);
        let excerpt = self.text.lines().nth(line - 1).unwrap_or_default().to_string();
        let marked = self.text.get(at).and_then(|marked| marked.lines().next()).unwrap_or_default();
        let width = marked.chars().count().max(1);
        SettingError { file: self.name.to_string(), line, column, excerpt, width, mistake }
    }

    /// Line and column, counted from 1.
    fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }
}

fn joined(start: &str, end: &std::ffi::OsStr) -> OsString {
    let mut word = OsString::from(start);
    word.push(end);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Settings, SettingError> {
        read(text, "lazuli.toml", Path::new(".."))
    }

    fn flat(words: &Words) -> String {
        let words: Vec<&str> = words.values().flatten().map(|word| word.to_str().unwrap()).collect();
        words.join(" ")
    }

    #[test]
    fn settings_are_options() {
        let text = "class-path = ['classes', 'a.jar']\ntargets = ['A', 'B.f']\ntime = '5s'\nscope = 4\nclosed = true\n\
                    allow = ['E', 'F']\n[[report]]\nformat = 'html'\nfile = 'r.html'\n\
                    [target.'A.g(int)']\npost = 'fine'\n[target.A]\nscope = '2,Node=3'\nno-post = false\n";
        let settings = settings(text).unwrap();
        assert_eq!(settings.targets, ["A", "B.f"]);
        assert_eq!(
            flat(&settings.general),
            "--allow=E --allow=F --class-path=../classes:../a.jar --closed --format=html --output=../r.html --scope=4 --time=5s"
        );
        let special: Vec<(&str, String, &str)> =
            settings.special.iter().map(|one| (one.target.as_str(), flat(&one.words), one.place.as_str())).collect();
        let expected = [
            ("A", "--scope=2,Node=3".to_string(), "lazuli.toml:12"),
            ("A.g(int)", "--post=fine".to_string(), "lazuli.toml:10"),
        ];
        assert_eq!(special, expected);
    }

    #[test]
    fn what_is_wrong_is_shown_with_its_place() {
        for (text, expected) in [
            ("\nscop = 3\n", "lazuli.toml:2:1: there is no setting `scop` here; there are: class-path, "),
            ("\nscop = 3\n", "\n  2 | scop = 3\n    | ^^^^"),
            ("scope = 0", "lazuli.toml:1:9: `scope`: invalid value '0'"),
            ("scope = 0", "write at least 1"),
            ("time = true", "lazuli.toml:1:8: write a text between quotes, or a whole number"),
            ("closed = 'yes'", "write true or false"),
            ("technique = 'magic'", "there are: precise"),
            ("scope = ", "lazuli.toml:1:"),
            ("[target.A]\ntime = '1s'", "lazuli.toml:2:1: there is no setting `time` here; there are: scope"),
            ("[target.acme.List]\nscope = 3", "between quotes"),
            ("[[report]]\nformat = 'xml'\nfile = 'x'", "invalid value 'xml'"),
            ("[[report]]\nformat = 'html'", "needs a `format` and a `file`"),
            ("report = 3", "[[report]]"),
        ] {
            let message = settings(text).expect_err(text).to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn every_setting_is_an_option() {
        use clap::CommandFactory;
        let command = Arguments::command();
        let check = command.find_subcommand("check").unwrap();
        for (name, _) in OF_PROJECTS.iter().chain(OF_TARGETS) {
            assert!(check.get_arguments().any(|argument| argument.get_long() == Some(name)), "{name}");
        }
    }
}
