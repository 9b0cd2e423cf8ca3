//! Where do the classes of the subjects come from? The user's own compiler makes them, in a place that is gone afterwards.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use lazuli_classfile::Jdk;
use tempfile::TempDir;

/// The class by which a program speaks to the exploration.
const HELPER: &str = include_str!("../../../../helper/lazuli/Lazuli.java");

/// Compiles the sources of these packages, each of which is a folder. One with calls that only a table makes has a folder `driver` below it.
pub fn compile<'a>(directory: &Path, packages: impl Iterator<Item = &'a str>, jdk: &Jdk) -> Result<TempDir, String> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for package in packages.collect::<BTreeSet<_>>() {
        sources.extend(java_files(&directory.join(package)).map_err(|_| {
            format!(
                "there are no subjects in {}: a folder {package} with Java sources is expected there.\n\
                 Go to the directory of Lazuli's own sources, or name its folder with --subjects DIR.",
                directory.display()
            )
        })?);
        sources.extend(java_files(&directory.join(package).join("driver")).unwrap_or_default());
    }
    let classes = tempfile::tempdir().map_err(|error| {
        format!("no temporary directory can be made: {error}. Set TMPDIR to a directory that can be written to.")
    })?;
    let helper = classes.path().join("Lazuli.java");
    std::fs::write(&helper, HELPER).map_err(|error| format!("{} cannot be written: {error}.", helper.display()))?;
    sources.push(helper);
    let beside_java = jdk.home().join("bin/javac");
    let javac = if beside_java.is_file() { beside_java } else { PathBuf::from("javac") };
    let compiled = Command::new(javac).args(["-g", "-nowarn", "-d"]).arg(classes.path()).args(&sources).output();
    match compiled {
        Ok(output) if output.status.success() => Ok(classes),
        Ok(output) => Err(format!(
            "javac refuses the subjects in {}:\n{}",
            directory.display(),
            String::from_utf8_lossy(&output.stderr).trim_end()
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(
            "the subjects cannot be compiled: there is no javac, neither in the JDK that is used nor on the PATH.\n\
             Install a whole JDK, for example with `apt-get install openjdk-17-jdk-headless`, or set JAVA_HOME to one."
                .to_string(),
        ),
        Err(error) => Err(format!("javac cannot be started: {error}.")),
    }
}

fn java_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let mut sources: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "java")).collect();
    sources.sort();
    if sources.is_empty() { Err(ErrorKind::NotFound.into()) } else { Ok(sources) }
}
