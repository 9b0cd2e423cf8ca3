//! Which classes does the corpus of ordinary code have, and how are its defects planted?
//!
//! A source says itself how it may be wrong: comments before `package` name a defect, its kind, the method on which it must be found, and statements
//! that show it; a line that ends with `// defect NAME: CODE` is replaced by CODE where that defect is planted. `subjects/ordinary/README.md` has an
//! example. Every defect gets a copy of its package of its own, so that none hides another:
//!
//! ```text
//! ordinary.voting           the classes as they are
//! ordinary.voting.winner    the same with the defect `winner`
//! ```
//!
//! Invariant: a defect that is announced is planted, and a planted one is announced; anything else is refused.

use std::path::{Path, PathBuf};

use super::super::BenchError;

/// The folder of the corpus below the subjects, and the package that all of its packages are in.
pub(super) const ROOT: &str = "ordinary";

const MARK: &str = "// defect ";

/// Classes as applications have them, and the defects that can be planted in them.
pub struct Corpus {
    packages: Vec<CorpusPackage>,
    /// In the order of folders, files and lines.
    pub defects: Vec<PlantedDefect>,
}

/// A change that makes a class wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlantedDefect {
    /// The package that is changed: `ordinary.voting`.
    pub origin: String,
    /// One word, by which the lines that are changed name it.
    pub name: String,
    /// Such as "off by one".
    pub kind: String,
    /// The class that it is found in, without its package.
    pub class: String,
    /// The method that it is found in; `new` for a constructor.
    pub method: String,
    /// The kind of the violation in reports.
    pub expected: ExpectedFault,
    /// Statements that show it.
    pub driver: Vec<String>,
}

/// The way in which a defect shows itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedFault {
    /// An exception of a class with this simple name.
    Throws(String),
    /// An obligation of the contract that is not kept: "invariant".
    Breaks(String),
}

struct CorpusPackage {
    name: String,
    files: Vec<CorpusFile>,
}

struct CorpusFile {
    name: String,
    text: String,
}

impl Corpus {
    /// Reads the corpus below the directory of the subjects.
    pub fn read(directory: &Path) -> Result<Corpus, BenchError> {
        let missing = || BenchError::NoSubjects { directory: directory.to_path_buf(), package: ROOT.to_string() };
        let mut corpus = Corpus { packages: Vec::new(), defects: Vec::new() };
        for folder in sorted(&directory.join(ROOT)).map_err(|_| missing())? {
            let Some(name) = folder.file_name().and_then(|name| name.to_str()).filter(|_| folder.is_dir()) else {
                continue;
            };
            let package = format!("{ROOT}.{name}");
            let mut files = Vec::new();
            for path in sorted(&folder).map_err(|_| missing())? {
                let file = path.file_name().and_then(|file| file.to_str()).filter(|file| file.ends_with(".java"));
                let Some(file) = file else { continue };
                let text = std::fs::read_to_string(&path)
                    .map_err(|error| BenchError::Unreadable { path: path.clone(), error })?;
                corpus.defects.extend(announced(&package, &text, &path)?);
                files.push(CorpusFile { name: file.to_string(), text });
            }
            corpus.packages.push(CorpusPackage { name: package, files });
        }
        if corpus.packages.is_empty() {
            return Err(missing());
        }
        corpus.validate()?;
        Ok(corpus)
    }

    /// Writes all packages, as they are and with each defect, below a directory. The result has the files, for a compiler.
    pub fn write(&self, directory: &Path) -> Result<Vec<PathBuf>, BenchError> {
        let mut written = Vec::new();
        for package in &self.packages {
            for file in &package.files {
                written.push(write(directory, &package.name, &file.name, &file.text)?);
            }
            for defect in self.defects.iter().filter(|defect| defect.origin == package.name) {
                for file in &package.files {
                    written.push(write(directory, &defect.package(), &file.name, &planted(&file.text, defect))?);
                }
            }
        }
        Ok(written)
    }

    /// Every defect changes something, and every change belongs to a defect.
    fn validate(&self) -> Result<(), BenchError> {
        for (index, defect) in self.defects.iter().enumerate() {
            let is_same = |other: &PlantedDefect| other.package() == defect.package();
            let files = self.packages.iter().filter(|package| package.name == defect.origin).flat_map(|p| &p.files);
            if self.defects[..index].iter().any(is_same)
                || !files.flat_map(|file| file.text.lines()).any(|line| change(line, &defect.name).is_some())
            {
                return Err(BenchError::DefectNotPlanted { package: defect.origin.clone(), name: defect.name.clone() });
            }
        }
        for package in &self.packages {
            for line in package.files.iter().flat_map(|file| file.text.lines()) {
                let named = line.split_once(MARK).filter(|(code, _)| !code.trim().is_empty());
                let Some(name) = named.and_then(|(_, mark)| mark.split(':').next()) else { continue };
                if !self.defects.iter().any(|defect| defect.origin == package.name && defect.name == name) {
                    return Err(BenchError::DefectNotPlanted { package: package.name.clone(), name: name.to_string() });
                }
            }
        }
        Ok(())
    }
}

impl PlantedDefect {
    /// The package in which it is planted: `ordinary.voting.winner`.
    pub fn package(&self) -> String {
        format!("{}.{}", self.origin, self.name)
    }

    /// The method on which it must be found: `ordinary.voting.winner.BallotBox.votes`.
    pub fn target(&self) -> String {
        format!("{}.{}.{}", self.package(), self.class, self.method)
    }

    /// Is this the kind of a violation that was meant?
    pub fn is_shown_by(&self, kind: &str) -> bool {
        match &self.expected {
            ExpectedFault::Throws(class) => kind.rsplit(['.', '$']).next() == Some(class),
            ExpectedFault::Breaks(obligation) => kind == obligation,
        }
    }
}

impl ExpectedFault {
    /// The kind of the violation in reports, without a package.
    pub fn name(&self) -> &str {
        match self {
            ExpectedFault::Throws(name) | ExpectedFault::Breaks(name) => name,
        }
    }
}

/// The defects that a source announces before its `package`.
fn announced(package: &str, text: &str, path: &Path) -> Result<Vec<PlantedDefect>, BenchError> {
    let mut defects: Vec<PlantedDefect> = Vec::new();
    for (index, line) in text.lines().take_while(|line| !line.starts_with("package ")).enumerate() {
        if let Some(defect) = line.strip_prefix(MARK).and_then(|words| announcement(package, words)) {
            defects.push(defect);
        } else if let (Some(statement), Some(last)) = (line.strip_prefix("//     "), defects.last_mut()) {
            last.driver.push(statement.to_string());
        } else {
            return Err(BenchError::BadDefect { path: path.to_path_buf(), line: index + 1 });
        }
    }
    Ok(defects)
}

/// Reads `winner, unboxing null: BallotBox.votes throws NullPointerException`.
fn announcement(package: &str, words: &str) -> Option<PlantedDefect> {
    let (name, words) = words.split_once(", ")?;
    let (kind, words) = words.split_once(": ")?;
    let [place, verb, fault] = words.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let (class, method) = place.rsplit_once('.')?;
    let expected = match verb {
        "throws" => ExpectedFault::Throws(fault.to_string()),
        "breaks" => ExpectedFault::Breaks(fault.to_string()),
        _ => return None,
    };
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase());
    let [origin, name, kind, class, method] = [package, name, kind, class, method].map(str::to_string);
    is_word.then_some(PlantedDefect { origin, name, kind, class, method, expected, driver: Vec::new() })
}

/// The source with the defect, in the package that the defect has.
fn planted(text: &str, defect: &PlantedDefect) -> String {
    let own = format!("package {};", defect.origin);
    let lines = text.lines().map(|line| match change(line, &defect.name) {
        _ if line == own => format!("package {};", defect.package()),
        Some(changed) => changed,
        None => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// The line where the defect is planted, if that changes it. Only code is changed: an announcement begins its line.
fn change(line: &str, name: &str) -> Option<String> {
    let (code, mark) = line.split_once(MARK)?;
    let replacement = mark.strip_prefix(name)?.strip_prefix(':')?;
    let indent = &code[..code.len() - code.trim_start().len()];
    (!code.trim().is_empty()).then(|| format!("{indent}{}", replacement.trim()))
}

fn write(directory: &Path, package: &str, file: &str, text: &str) -> Result<PathBuf, BenchError> {
    let folder = directory.join(package.replace('.', "/"));
    let path = folder.join(file);
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
    written.map(|()| path.clone()).map_err(|error| BenchError::Unwritable { path, error })
}

fn sorted(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
// defect winner, unboxing null: Box.votes throws NullPointerException
//     new Box().votes();
// defect twice, missed update: Box.cast breaks invariant
//     if (true) {
//         new Box().cast();
//     }
package ordinary.voting;
class Box {
    int votes() {
        return number == null ? 0 : number; // defect winner: return number;
    }
    void cast() {
        count++; // defect twice:
    }
}
";

    fn corpus(source: &str) -> Result<Corpus, BenchError> {
        let directory = tempfile::tempdir().expect("a scratch directory can be made");
        write(directory.path(), "ordinary.voting", "Box.java", source)?;
        Corpus::read(directory.path())
    }

    #[test]
    fn defects_are_read_and_planted_one_at_a_time() {
        let corpus = corpus(SOURCE).expect("it is right");
        let [winner, twice] = corpus.defects.as_slice() else { panic!("{:?}", corpus.defects) };
        assert_eq!(
            (winner.target().as_str(), winner.kind.as_str()),
            ("ordinary.voting.winner.Box.votes", "unboxing null")
        );
        assert!(winner.is_shown_by("java.lang.NullPointerException") && !winner.is_shown_by("invariant"));
        assert_eq!(twice.expected, ExpectedFault::Breaks("invariant".to_string()));
        assert_eq!(twice.driver, ["if (true) {", "    new Box().cast();", "}"]);
        let text = planted(SOURCE, winner);
        assert!(text.contains("\npackage ordinary.voting.winner;\n"), "{text}");
        assert!(text.contains("\n        return number;\n") && text.contains("count++;"), "{text}");
        assert!(planted(SOURCE, twice).contains("cast() {\n        \n"));
    }

    #[test]
    fn what_is_announced_and_not_planted_is_refused_and_the_other_way_round() {
        for (from, to) in [
            ("// defect twice:", ""),
            ("// defect twice:", "// defect thrice:"),
            ("// defect twice,", "// defect winner,"),
            ("breaks invariant", "throws"),
            ("// defect winner, unboxing", "// defect Winner, unboxing"),
            ("//     new Box().votes();", "// new Box().votes();"),
        ] {
            assert!(corpus(&SOURCE.replacen(from, to, 1)).is_err(), "{to}");
        }
    }
}
