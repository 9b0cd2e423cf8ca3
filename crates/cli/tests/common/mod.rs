//! How do tests and benchmarks get at Java classes?

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_vm::program::Program;
use tempfile::TempDir;

/// The classes of all Java files in folders of the repository, and of further files, in a directory that is gone afterwards.
pub fn compiled(folders: &[&str], further: &[PathBuf]) -> TempDir {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let classes = tempfile::tempdir().expect("a scratch directory can be made");
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder is there"));
    let files = files.map(|file| file.expect("it can be read").path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "java"));
    let javac = Command::new("javac").args(["-g", "-d"]).arg(classes.path()).args(files).args(further).status();
    assert!(javac.expect("javac is installed (scripts/test.sh installs it)").success(), "javac failed");
    classes
}

/// The program that these classes are.
// Tests that run the command line need no program.
#[allow(dead_code)]
pub fn program(classes: &Path) -> Arc<Program> {
    let jdk = Jdk::locate().expect("a JDK is installed");
    let path = ClassPath::open(jdk, &[classes.to_path_buf()]).expect("the classes are there");
    Arc::new(Program::open(path).expect("the JDK can be used"))
}
