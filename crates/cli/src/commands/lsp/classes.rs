//! Which classes and methods come from a source file, and on which lines are they?
//!
//! A class file names its source (`SourceFile`, JVMS §4.7.10) and the lines of its code (`LineNumberTable`, §4.7.12). It is in the folder of its
//! package, and so is the source: `…/acme/Node.java` is the source of classes in `acme` that name `Node.java`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lazuli_classfile::format::attributes::AttributeData;
use lazuli_classfile::format::{ClassFile, MethodAccessFlags, MethodInfo};
use lazuli_classfile::{LARGEST_CLASS_FILE, outline};

/// Lines that are searched for the name of a method, above its first statement.
const HIGHEST_DECLARATION: usize = 60;

/// The classes of one source file.
#[derive(Clone, Debug, Default)]
pub(super) struct CompiledSource {
    pub classes: Vec<CompiledClass>,
    /// Names, sizes and ages of the class files: another value is another build.
    pub stamp: Vec<(PathBuf, u64, SystemTime)>,
    /// Their folder, and its age: a class file that is added or removed changes it.
    folder: Option<(PathBuf, SystemTime)>,
}

#[derive(Clone, Debug)]
pub(super) struct CompiledClass {
    /// With dots and dollars: `acme.Outer$Inner`.
    pub name: String,
    pub methods: Vec<CompiledMethod>,
    /// Can code elsewhere name it? Anonymous and local classes have no target of their own.
    pub is_named: bool,
}

#[derive(Clone, Debug)]
pub(super) struct CompiledMethod {
    /// As reports call it: `acme.Node.swap(I)V`.
    pub target: String,
    /// As the command line takes it; differs for constructors.
    pub request: String,
    /// As it is written in the source.
    pub word: String,
    pub is_private: bool,
    pub is_public: bool,
    /// Of its statements, counted from 1.
    pub lines: (u32, u32),
}

impl CompiledSource {
    /// The classes below these folders that were compiled from the file.
    pub(super) fn find(source: &Path, class_path: &[PathBuf]) -> CompiledSource {
        let (Some(file), Some(folder)) = (source.file_name().and_then(|name| name.to_str()), source.parent()) else {
            return CompiledSource::default();
        };
        // The package is the longest end of the folder's path below which there are such classes.
        let parts: Vec<_> = folder.components().collect();
        for first in 0..=parts.len() {
            let package: PathBuf = parts[first..].iter().collect();
            if package.is_absolute() {
                continue;
            }
            for root in class_path {
                let found = CompiledSource::in_folder(&root.join(&package), file);
                if !found.classes.is_empty() {
                    return found;
                }
            }
        }
        CompiledSource::default()
    }

    fn in_folder(folder: &Path, file: &str) -> CompiledSource {
        let folder_then = age(folder).map(|age| (folder.to_path_buf(), age));
        let mut found = CompiledSource { folder: folder_then, ..CompiledSource::default() };
        let Ok(entries) = std::fs::read_dir(folder) else { return found };
        for path in entries.flatten().map(|entry| entry.path()) {
            let Some(metadata) = path.metadata().ok().filter(|_| path.extension().is_some_and(|end| end == "class"))
            else {
                continue;
            };
            if metadata.len() > LARGEST_CLASS_FILE as u64 {
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            // A file that a compiler is still writing is looked at again when it has changed.
            let Ok(class) = outline(&bytes) else { continue };
            if source_of(&class) == Some(file) {
                found.stamp.push((path, metadata.len(), metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
                found.classes.push(CompiledClass::of(&class));
            }
        }
        found.stamp.sort();
        found.classes.sort_by(|one, other| one.name.cmp(&other.name));
        found
    }

    /// Are the class files still those that were read? What was not found has to be looked for again.
    pub(super) fn is_current(&self) -> bool {
        let is_same = |(path, length, time): &(PathBuf, u64, SystemTime)| {
            path.metadata().is_ok_and(|now| now.len() == *length && now.modified().ok() == Some(*time))
        };
        let folder = self.folder.as_ref().is_some_and(|(folder, time)| age(folder) == Some(*time));
        !self.stamp.is_empty() && folder && self.stamp.iter().all(is_same)
    }

    /// Is the source newer than all that was compiled from it?
    pub(super) fn is_older_than(&self, source: &Path) -> bool {
        let changed = source.metadata().and_then(|metadata| metadata.modified()).ok();
        let built = self.stamp.iter().map(|(_, _, time)| *time).max();
        matches!((changed, built), (Some(changed), Some(built)) if changed > built)
    }

    pub(super) fn methods(&self) -> impl Iterator<Item = &CompiledMethod> {
        self.classes.iter().flat_map(|class| &class.methods)
    }

    /// The method with a statement on this line, or the nearest one whose declaration is there. The innermost counts.
    pub(super) fn method_at(&self, line: u32, text: &str) -> Option<&CompiledMethod> {
        let around = self.methods().filter(|method| {
            let (first, last) = method.lines;
            let declared = method.declaration(text).unwrap_or(first);
            (declared..=last).contains(&line)
        });
        around.min_by_key(|method| method.lines.1 - method.lines.0)
    }
}

impl CompiledClass {
    fn of(class: &ClassFile) -> CompiledClass {
        let name = class.this_class.to_string().replace('/', ".");
        let simple = name.rsplit(['.', '$']).next().unwrap_or(&name).to_string();
        // `Outer$1` and `Outer$1Local` have no name that others could use.
        let is_named = name.split('$').skip(1).all(|part| !part.starts_with(|first: char| first.is_ascii_digit()));
        let methods = class.methods.iter().filter_map(|method| CompiledMethod::of(method, &name, &simple)).collect();
        CompiledClass { name, methods, is_named }
    }

    /// Does its name alone, as a target, stand for some methods?
    pub(super) fn has_public_methods(&self) -> bool {
        self.methods.iter().any(|method| method.is_public && method.is_ordinary())
    }
}

impl CompiledMethod {
    fn of(method: &MethodInfo, class: &str, simple: &str) -> Option<CompiledMethod> {
        let made = MethodAccessFlags::SYNTHETIC | MethodAccessFlags::BRIDGE;
        if method.access_flags.intersects(made) || method.name == "<clinit>" {
            return None;
        }
        let lines: Vec<u32> = lines_of(method).collect();
        let is_constructor = method.name == "<init>";
        let word = if is_constructor { simple.to_string() } else { method.name.to_string() };
        let requested = if is_constructor { "new" } else { &*method.name };
        Some(CompiledMethod {
            target: format!("{class}.{}{}", method.name, method.descriptor),
            request: format!("{class}.{requested}{}", method.descriptor),
            word,
            is_private: method.access_flags.contains(MethodAccessFlags::PRIVATE),
            is_public: method.access_flags.contains(MethodAccessFlags::PUBLIC),
            lines: (*lines.iter().min()?, *lines.iter().max()?),
        })
    }

    /// No constructor, not private, and not where a program begins.
    pub(super) fn is_ordinary(&self) -> bool {
        !self.is_private && !self.target.contains(".<init>(") && !self.target.contains(".main([Ljava/lang/String;)V")
    }

    /// The line of the declaration, if the source shows one: the nearest above the first statement that has the name before a parenthesis.
    /// Methods that the compiler made have none.
    pub(super) fn declaration(&self, text: &str) -> Option<u32> {
        let first = self.lines.0 as usize;
        let above: Vec<&str> = text.lines().take(first).collect();
        if above.len() < first {
            return None;
        }
        let shown = above.iter().enumerate().rev().take(HIGHEST_DECLARATION);
        let mut declared = shown.filter(|(_, line)| declares(line, &self.word));
        declared.next().map(|(index, _)| index as u32 + 1)
    }
}

/// Has the line this name, as a word of its own before a parenthesis, and not behind a dot as calls have it?
fn declares(line: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let is_called = before.trim_end().ends_with(['.', '=', '(', ',', '!', '?', ':', '+', '-', '&', '|'])
            || before.trim_end().ends_with("return")
            || before.trim_end().ends_with("new");
        !before.ends_with(is_part) && !is_called && after.trim_start().starts_with('(') && !is_comment(before)
    })
}

fn is_comment(before: &str) -> bool {
    before.contains("//") || before.trim_start().starts_with(['*', '/'])
}

fn age(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

fn source_of<'a>(class: &'a ClassFile) -> Option<&'a str> {
    class.attributes.iter().find_map(|attribute| match &attribute.data {
        AttributeData::SourceFile(file) => Some(&**file),
        _ => None,
    })
}

fn lines_of(method: &MethodInfo) -> impl Iterator<Item = u32> {
    let bodies = method.attributes.iter().filter_map(|attribute| match &attribute.data {
        AttributeData::Code(body) => Some(body),
        _ => None,
    });
    bodies.flat_map(|body| &body.attributes).flat_map(|attribute| match &attribute.data {
        AttributeData::LineNumberTable(entries) => entries.iter().map(|entry| u32::from(entry.line_number)).collect(),
        _ => Vec::new(),
    })
}
