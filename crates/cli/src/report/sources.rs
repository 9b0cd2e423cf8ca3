//! Where is the source of a class, and what does a line of it say?

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lazuli_spec::SourceLine;

/// Where Maven and Gradle have the sources of the classes in `target/classes` and `build/classes/java/main`.
const BESIDE_CLASSES: [&str; 3] = ["", "../../src/main/java", "../../../../src/main/java"];
/// Where sources are in a project that is the current directory.
const USUAL: [&str; 3] = ["src/main/java", "src", "."];
/// Larger files are not read as sources.
const LARGEST: u64 = 8 << 20;

/// The folders in which sources are looked for. A file is read once.
pub(crate) struct Sources {
    folders: Vec<PathBuf>,
    read: RefCell<HashMap<PathBuf, Option<Rc<SourceFile>>>>,
}

/// A source file.
pub(crate) struct SourceFile {
    /// As the user would write it: relative to the current directory if it is below it.
    pub path: PathBuf,
    lines: Vec<String>,
}

impl Sources {
    /// In the folders that the user names, else beside the classes and where build tools expect them.
    pub(crate) fn new(named: &[PathBuf], class_path: &[PathBuf]) -> Sources {
        let beside = class_path.iter().flat_map(|entry| BESIDE_CLASSES.map(|folder| entry.join(folder)));
        let folders = named.iter().cloned().chain(beside).chain(USUAL.map(PathBuf::from)).collect();
        Sources { folders, read: RefCell::default() }
    }

    pub(crate) fn find(&self, place: &SourceLine) -> Option<Rc<SourceFile>> {
        let within: PathBuf =
            place.package.split('.').filter(|part| !part.is_empty()).collect::<PathBuf>().join(&place.file);
        let mut read = self.read.borrow_mut();
        let search = || self.folders.iter().find_map(|folder| SourceFile::read(&folder.join(&within))).map(Rc::new);
        read.entry(within.clone()).or_insert_with(search).clone()
    }

    /// The file of a place as a relative URI, whether or not it was found.
    pub(crate) fn uri(&self, place: &SourceLine) -> String {
        let found = self.find(place).map(|source| source.path.clone());
        let path = found.filter(|path| path.is_relative()).unwrap_or_else(|| {
            place.package.split('.').filter(|part| !part.is_empty()).collect::<PathBuf>().join(&place.file)
        });
        percent_encoded(&path.to_string_lossy())
    }
}

impl SourceFile {
    fn read(path: &Path) -> Option<SourceFile> {
        let metadata = std::fs::metadata(path).ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        let lines = String::from_utf8_lossy(&bytes).lines().map(|line| line.replace('\t', "    ")).collect();
        Some(SourceFile { path: as_written(path), lines })
    }

    /// Lines are counted from 1.
    pub(crate) fn line(&self, number: u16) -> Option<&str> {
        self.lines.get(usize::from(number).checked_sub(1)?).map(String::as_str)
    }
}

/// Relative to the current directory if it is below it, without detours.
fn as_written(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    match (path.canonicalize(), here) {
        (Ok(full), Ok(here)) => full.strip_prefix(&here).map_or_else(|_| full.clone(), Path::to_path_buf),
        _ => path.to_path_buf(),
    }
}

/// RFC 3986, section 2: what may stand in the path of a URI stays, slashes included.
pub(crate) fn percent_encoded(path: &str) -> String {
    let mut encoded = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'$' => {
                encoded.push(byte as char)
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(package: &str, file: &str) -> SourceLine {
        SourceLine { package: package.to_string(), file: file.to_string(), line: 2 }
    }

    #[test]
    fn sources_are_found_below_the_folder_of_their_package() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("src/acme/util");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("Node.java"), "one\n\ttwo\n").unwrap();
        let sources = Sources::new(&[directory.path().join("src")], &[]);
        let found = sources.find(&place("acme.util", "Node.java")).expect("it is there");
        assert_eq!((found.line(2), found.line(0), found.line(3)), (Some("    two"), None, None));
        assert!(sources.find(&place("acme", "Node.java")).is_none());
        assert_eq!(sources.uri(&place("acme", "A b$1.java")), "acme/A%20b$1.java");
    }

    #[test]
    fn sources_are_found_where_build_tools_put_them() {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("src/main/java/A.java");
        std::fs::create_dir_all(source.parent().unwrap()).unwrap();
        std::fs::write(&source, "class A {}").unwrap();
        for classes in ["target/classes", "build/classes/java/main"] {
            let classes = directory.path().join(classes);
            std::fs::create_dir_all(&classes).unwrap();
            assert!(Sources::new(&[], &[classes]).find(&place("", "A.java")).is_some());
        }
    }
}
