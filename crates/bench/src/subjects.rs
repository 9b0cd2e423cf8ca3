//! Where do the classes of the subjects come from? The user's own compiler makes them, in a place that is gone afterwards.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use lazuli_classfile::Jdk;
use tempfile::TempDir;

use crate::{BenchError, Corpus, PlantedDefect};

/// The class by which a program speaks to the exploration.
const HELPER: &str = include_str!("../../../helper/lazuli/Lazuli.java");

/// Compiles the sources of these packages, each of which is a folder. One with calls that only a table makes has a folder `driver` below it.
pub fn compile<'a>(
    directory: &Path,
    packages: impl Iterator<Item = &'a str>,
    jdk: &Jdk,
) -> Result<TempDir, BenchError> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for package in packages.collect::<BTreeSet<_>>() {
        let found = java_files(&directory.join(package))
            .map_err(|_| BenchError::NoSubjects { directory: directory.to_path_buf(), package: package.to_string() });
        sources.extend(found?);
        sources.extend(java_files(&directory.join(package).join("driver")).unwrap_or_default());
    }
    let classes = tempfile::tempdir().map_err(BenchError::NoScratch)?;
    let helper = classes.path().join("Lazuli.java");
    std::fs::write(&helper, HELPER).map_err(|error| BenchError::Unwritable { path: helper.clone(), error })?;
    sources.push(helper);
    javac(&sources, directory, classes, jdk)
}

/// The classes of the corpus, in a directory that is gone afterwards.
pub struct CompiledCorpus {
    /// The defects that are planted in some of them.
    pub defects: Vec<PlantedDefect>,
    classes: TempDir,
}

impl CompiledCorpus {
    /// The directory of the classes.
    pub fn path(&self) -> &Path {
        self.classes.path()
    }
}

/// Compiles the corpus of ordinary classes, as they are and with each planted defect. `directory` is that of the subjects.
pub fn compile_corpus(directory: &Path, jdk: &Jdk) -> Result<CompiledCorpus, BenchError> {
    let corpus = Corpus::read(directory)?;
    let planted = tempfile::tempdir().map_err(BenchError::NoScratch)?;
    let sources = corpus.write(planted.path())?;
    let classes = javac(&sources, directory, tempfile::tempdir().map_err(BenchError::NoScratch)?, jdk)?;
    Ok(CompiledCorpus { defects: corpus.defects, classes })
}

/// Puts the classes of these sources into the directory `classes`; `directory` is where the user knows the sources to be.
fn javac(sources: &[PathBuf], directory: &Path, classes: TempDir, jdk: &Jdk) -> Result<TempDir, BenchError> {
    let beside_java = jdk.home().join("bin/javac");
    let javac = if beside_java.is_file() { beside_java } else { PathBuf::from("javac") };
    let compiled = Command::new(javac).args(["-g", "-nowarn", "-d"]).arg(classes.path()).args(sources).output();
    match compiled {
        Ok(output) if output.status.success() => Ok(classes),
        Ok(output) => Err(BenchError::Rejected {
            directory: directory.to_path_buf(),
            messages: String::from_utf8_lossy(&output.stderr).trim_end().to_string(),
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(BenchError::NoCompiler),
        Err(error) => Err(BenchError::CompilerNotStarted(error)),
    }
}

fn java_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let mut sources: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "java")).collect();
    sources.sort();
    if sources.is_empty() { Err(ErrorKind::NotFound.into()) } else { Ok(sources) }
}
