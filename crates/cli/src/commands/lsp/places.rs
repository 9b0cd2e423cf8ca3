//! Where in the files of the editor is a place that a report names?

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use lazuli_spec::SourceLine;
use lsp_types::{Location, Uri};

use super::reported::line_range;
use crate::report::Sources;

/// Finds sources of classes.
pub(super) struct SourcePlaces {
    sources: Sources,
}

impl SourcePlaces {
    pub(super) fn new(sources: &[PathBuf], class_path: &[PathBuf]) -> SourcePlaces {
        SourcePlaces { sources: Sources::new(sources, class_path) }
    }

    /// The place of a fault: the innermost frame of its stack that names its line, else the line in the package of the target.
    pub(super) fn of_fault(&self, target: &str, at: &str, stack: &[String]) -> Option<Location> {
        let end = format!("({at})");
        if let Some(found) = stack.iter().find(|frame| frame.ends_with(&end)).and_then(|frame| self.of_frame(frame)) {
            return Some(found);
        }
        let (file, line) = file_and_line(at)?;
        let class = target.split('(').next()?.rsplit_once('.')?.0;
        self.find(class, file, line)
    }

    /// `acme.Node.swap(Node.java:12)`
    pub(super) fn of_frame(&self, frame: &str) -> Option<Location> {
        let (method, place) = frame.strip_suffix(')')?.split_once('(')?;
        let (file, line) = file_and_line(place)?;
        self.find(method.rsplit_once('.')?.0, file, line)
    }

    fn find(&self, class: &str, file: &str, line: u16) -> Option<Location> {
        let package = class.rsplit_once('.').map_or("", |(package, _)| package).to_string();
        let source = self.sources.find(&SourceLine { package, file: file.to_string(), line })?;
        let path = source.path.canonicalize().ok()?;
        Some(Location { uri: uri_of(&path)?, range: line_range(u32::from(line)) })
    }
}

fn file_and_line(place: &str) -> Option<(&str, u16)> {
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// The file of a `file:` URI, without detours.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    // A host may stand before the path; it is this machine.
    let path = &path[path.find('/')?..];
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    path.canonicalize().ok().or(Some(path))
}

/// The URI of an absolute path.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = String::from("file://");
    for part in path.components() {
        match part {
            Component::RootDir => {}
            Component::Normal(name) => {
                text.push('/');
                text.push_str(&crate::report::percent_encoded(name.to_str()?));
            }
            _ => return None,
        }
    }
    Uri::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_being_uris() {
        for path in ["/a/b c/Ünder.java", "/x/100%/A$B.java", "/tmp/#1?/[x].java"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert_eq!(path_of(&uri).unwrap(), Path::new(path), "{}", uri.as_str());
        }
        assert_eq!(path_of(&Uri::from_str("untitled:one").unwrap()), None);
        assert_eq!(path_of(&Uri::from_str("file:///a%3Ab/C.java").unwrap()).unwrap(), Path::new("/a:b/C.java"));
    }
}
