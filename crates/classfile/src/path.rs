//! Which entry of the class path holds a class?
//!
//! As with `java`, the JDK comes first for its own packages, then the user's entries in order.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;
use zip::ZipArchive;

use crate::{Jdk, LARGEST_CLASS_FILE};

/// An error of the class path or of a file in it.
#[derive(Debug, Error)]
pub enum PathError {
    /// An entry that the user named does not exist.
    #[error(
        "the class path entry {0} does not exist: give -cp directories of compiled classes, or jars, separated by `:`."
    )]
    Missing(PathBuf),
    /// A file is no zip archive, or a broken one.
    #[error("the class path entry {0} cannot be read as a jar: {1}.")]
    BadJar(PathBuf, String),
    /// The operating system refuses to read a file, or the file is too large.
    #[error("{0} cannot be read: {1}.")]
    Unreadable(PathBuf, String),
}

/// Who supplied a class: the JDK (and which of its modules), or the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassOrigin {
    /// A class from the image of the JDK.
    Jdk {
        /// The module that contains the class, such as `java.base`.
        module: String,
    },
    /// A class from an entry of the class path.
    User,
}

/// The bytes of a class and where they came from. They live as long as the process: class metadata borrows from them.
pub struct ClassBytes {
    /// The class file.
    pub bytes: &'static [u8],
    /// The place from which the bytes came.
    pub origin: ClassOrigin,
}

enum ClassPathEntry {
    Directory(PathBuf),
    Jar { path: PathBuf, archive: Box<Mutex<ZipArchive<BufReader<File>>>> },
}

/// The JDK and the entries of the class path, in the order in which classes are looked up.
pub struct ClassPath {
    jdk: Jdk,
    entries: Vec<ClassPathEntry>,
    /// A hash of the class files that have been read, as they were then.
    read: Mutex<HashMap<String, u64>>,
    has_changed: AtomicBool,
    /// The files beside the classes that a program asked for, whether or not they are there.
    asked: Mutex<BTreeSet<String>>,
}

impl ClassPath {
    /// Opens every entry; jars bring the jars that their manifests name in `Class-Path`.
    pub fn open(jdk: Jdk, entries: &[PathBuf]) -> Result<ClassPath, PathError> {
        let mut opened = Vec::new();
        let mut seen = HashSet::new();
        // A stack, so that the jars of a `Class-Path` stand right behind the jar that names them.
        let mut waiting: Vec<(PathBuf, bool)> = entries.iter().rev().map(|path| (path.clone(), true)).collect();
        while let Some((path, required)) = waiting.pop() {
            if !seen.insert(path.clone()) {
                continue;
            }
            if path.is_dir() {
                opened.push(ClassPathEntry::Directory(path));
            } else if path.is_file() {
                let mut archive = open_jar(&path)?;
                let named = manifest_class_path(&mut archive, &path);
                waiting.extend(named.into_iter().rev().map(|path| (path, false)));
                opened.push(ClassPathEntry::Jar { path, archive: Box::new(Mutex::new(archive)) });
            } else if required {
                return Err(PathError::Missing(path));
            }
        }
        let (read, asked) = (Mutex::default(), Mutex::default());
        Ok(ClassPath { jdk, entries: opened, read, has_changed: AtomicBool::new(false), asked })
    }

    /// The JDK whose classes come first.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The class of that name (with slashes), or none.
    pub fn find(&self, name: &str) -> Result<Option<ClassBytes>, PathError> {
        if let Some((module, bytes)) = self.jdk.find(name) {
            return Ok(Some(ClassBytes { bytes, origin: ClassOrigin::Jdk { module: module.to_string() } }));
        }
        // A name that could climb out of a directory is the name of no class.
        if name.split('/').any(|part| part.is_empty() || part == "." || part == "..") || name.contains('\0') {
            return Ok(None);
        }
        let file = format!("{name}.class");
        for entry in &self.entries {
            if let Some(bytes) = entry.read(&file)? {
                self.compare(&file, &bytes);
                return Ok(Some(ClassBytes { bytes: Box::leak(bytes.into_boxed_slice()), origin: ClassOrigin::User }));
            }
        }
        Ok(None)
    }

    /// The file in which the user supplied a class (with slashes), for messages: `lib/a.jar!/p/A.class`.
    pub fn file_of(&self, name: &str) -> Option<String> {
        let file = format!("{name}.class");
        self.entries.iter().find_map(|entry| match entry {
            ClassPathEntry::Directory(root) => {
                Some(root.join(&file)).filter(|path| path.exists()).map(|path| path.display().to_string())
            }
            ClassPathEntry::Jar { path, archive } => {
                let archive = archive.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                archive.index_for_name(&file).map(|_| format!("{}!/{file}", path.display()))
            }
        })
    }

    /// A file that the user supplied next to the classes, by its path with slashes, for a program that asks for it.
    pub fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, PathError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string());
        self.supplied(name)
    }

    /// The names of all files that programs asked for, sorted.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The same file, for Lazuli itself.
    pub fn supplied(&self, name: &str) -> Result<Option<Vec<u8>>, PathError> {
        if name.split('/').any(|part| part.is_empty() || part == "." || part == "..") || name.contains('\0') {
            return Ok(None);
        }
        for entry in &self.entries {
            if let Some(bytes) = entry.read(name)? {
                if name.ends_with(".class") {
                    self.compare(name, &bytes);
                } else if bytes.len() > LARGEST_CLASS_FILE {
                    let why = format!("it is larger than {LARGEST_CLASS_FILE} bytes");
                    return Err(PathError::Unreadable(PathBuf::from(name), why));
                }
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Was a class file read twice and not the same both times? What is known about the one need not be true of the other.
    pub fn has_changed(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
    }

    /// Compares the file of a class with what it was when it was read before.
    fn compare(&self, file: &str, bytes: &[u8]) {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let now = hasher.finish();
        let before = self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_string(), now);
        if before.is_some_and(|before| before != now) {
            self.has_changed.store(true, Ordering::Relaxed);
        }
    }

    /// The names (with slashes) of all classes that the user supplied, sorted.
    pub fn user_classes(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in &self.entries {
            match entry {
                ClassPathEntry::Directory(root) => collect_directory(root, root, &mut names),
                ClassPathEntry::Jar { archive, .. } => {
                    let archive = archive.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    names.extend(archive.file_names().flatten().filter_map(|name| class_name_of_file(&name)));
                }
            }
        }
        names.sort();
        names.dedup();
        names
    }
}

impl ClassPathEntry {
    fn read(&self, file: &str) -> Result<Option<Vec<u8>>, PathError> {
        match self {
            ClassPathEntry::Directory(root) => {
                let path = root.join(file);
                match read_file(&path) {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(error) if is_absence(&error) => Ok(None),
                    Err(error) => Err(PathError::Unreadable(path, error.to_string())),
                }
            }
            ClassPathEntry::Jar { path, archive } => {
                let mut archive = archive.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let Some(index) = archive.index_for_name(file) else { return Ok(None) };
                let entry =
                    archive.by_index(index).map_err(|error| PathError::BadJar(path.clone(), error.to_string()))?;
                let mut bytes = Vec::new();
                // One byte more than is accepted, so that the decoder sees that it is too large.
                entry
                    .take(LARGEST_CLASS_FILE as u64 + 1)
                    .read_to_end(&mut bytes)
                    .map_err(|error| PathError::BadJar(path.clone(), error.to_string()))?;
                Ok(Some(bytes))
            }
        }
    }
}

/// Reads a regular file. Opening a pipe waits for a writer, and a device may have no end.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(std::io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    // One byte more than is accepted, so that the decoder sees that it is too large.
    File::open(path)?.take(LARGEST_CLASS_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_absence(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidFilename, IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | InvalidFilename)
}

fn open_jar(path: &Path) -> Result<ZipArchive<BufReader<File>>, PathError> {
    let bad = |why: String| PathError::BadJar(path.to_path_buf(), why);
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| bad(error.to_string()))
}

/// The jars and directories that a jar's manifest names, relative to the jar. Missing ones are skipped, as `java` does.
fn manifest_class_path(archive: &mut ZipArchive<BufReader<File>>, jar: &Path) -> Vec<PathBuf> {
    let mut text = String::new();
    let Ok(manifest) = archive.by_name("META-INF/MANIFEST.MF") else { return Vec::new() };
    if manifest.take(1 << 20).read_to_string(&mut text).is_err() {
        return Vec::new();
    }
    // Long lines continue on the next one, which then starts with a space.
    let text = text.replace("\r\n", "\n").replace("\n ", "");
    let parent = jar.parent().unwrap_or(Path::new(""));
    text.lines()
        .filter_map(|line| line.strip_prefix("Class-Path:"))
        .flat_map(str::split_whitespace)
        .map(|entry| parent.join(entry.strip_prefix("file:").unwrap_or(entry)))
        .collect()
}

/// Lists the classes below a directory. Links to directories are not followed: they may lead back.
fn collect_directory(root: &Path, directory: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            collect_directory(root, &path, names);
        } else if (kind.is_file() || path.is_file())
            && let Some(name) = path.strip_prefix(root).ok().and_then(|path| class_name_of_file(path.to_str()?))
        {
            names.push(name);
        }
    }
}

fn class_name_of_file(file: &str) -> Option<String> {
    let name = file.strip_suffix(".class")?;
    (!name.ends_with("module-info") && !name.starts_with("META-INF/")).then(|| name.to_string())
}
