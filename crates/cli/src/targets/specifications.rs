//! Where do specifications in JML come from? From `.jml` files, and from the comments of Java sources.
//!
//! A file is looked for when its class is needed, and read once. A `.jml` file replaces all JML in the source of the class, which is not
//! read then.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lazuli_jml::{CompilationUnit, Complaint, SourceText, read};
use lazuli_spec::{Specification, has_invariant, specify, specify_class};
use lazuli_vm::program::{Class, Method, Program};

/// Larger files are not read as sources.
const LARGEST: u64 = 8 << 20;

/// Why specifications cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpecificationError {
    #[error("{option} {}: there is no such directory.", folder.display())]
    NoDirectory { option: &'static str, folder: PathBuf },
    #[error("--spec: no file says anything about {class}; it would be {}.", files.join(" or "))]
    NoFile { class: String, files: Vec<String> },
    #[error(transparent)]
    Jml(#[from] Complaint),
}

pub(crate) struct Specifications {
    spec: Vec<PathBuf>,
    source: Vec<PathBuf>,
    units: RefCell<HashMap<String, Option<Arc<CompilationUnit>>>>,
}

impl Specifications {
    pub(crate) fn open(spec: &[PathBuf], source: &[PathBuf]) -> Result<Specifications, SpecificationError> {
        let named =
            spec.iter().map(|folder| ("--spec", folder)).chain(source.iter().map(|folder| ("--source", folder)));
        for (option, folder) in named {
            if !folder.is_dir() {
                return Err(SpecificationError::NoDirectory { option, folder: folder.clone() });
            }
        }
        Ok(Specifications { spec: spec.to_vec(), source: source.to_vec(), units: RefCell::default() })
    }

    /// The specification of a method. The error shows the place.
    pub(crate) fn of(
        &self,
        program: &Program,
        method: &'static Method,
    ) -> Result<Option<Arc<Specification>>, SpecificationError> {
        if self.spec.is_empty() && self.source.is_empty() {
            return Ok(None);
        }
        Ok(specify(program, &|class| self.unit(class), method)?.map(Arc::new))
    }

    /// The specification of the objects of a class.
    pub(crate) fn of_class(
        &self,
        program: &Program,
        class: &'static Class,
    ) -> Result<Option<Arc<Specification>>, SpecificationError> {
        Ok(specify_class(program, &|class| self.unit(class), class)?.map(Arc::new))
    }

    /// Does JML say what a valid object of the class is?
    pub(crate) fn has_invariant(&self, program: &Program, class: &'static Class) -> Result<bool, SpecificationError> {
        Ok(has_invariant(program, &|class| self.unit(class), class)?)
    }

    /// Says so if `.jml` files were asked for, and none of them is about a class.
    pub(crate) fn none_about(&self, class: &Class) -> Result<(), SpecificationError> {
        if self.spec.is_empty() {
            return Ok(());
        }
        let wanted = self.spec.iter().map(|folder| folder.join(jml_file(class)).display().to_string());
        Err(SpecificationError::NoFile { class: class.java_name(), files: wanted.collect() })
    }

    /// The source of a class that would be read, where directories of sources were named and none has it.
    pub(crate) fn missing_source(&self, class: &Class) -> Option<PathBuf> {
        let java = java_file(class);
        let is_read = self.spec.iter().map(|root| root.join(jml_file(class))).any(|file| file.is_file());
        let is_there = is_read || self.source.iter().any(|root| root.join(&java).is_file());
        self.source.first().filter(|_| !is_there).map(|root| root.join(java))
    }

    /// The file about a class.
    fn unit(&self, class: &Class) -> Result<Option<Arc<CompilationUnit>>, Complaint> {
        let key = outermost(class).to_string();
        if let Some(known) = self.units.borrow().get(&key) {
            return Ok(known.clone());
        }
        let java = java_file(class);
        let specs = self.spec.iter().map(|root| root.join(jml_file(class)));
        let sources = self.source.iter().map(|root| root.join(&java));
        let written = specs.chain(sources).find_map(|path| text_of(&path));
        let found = match written.filter(|source| ["//@", "/*@"].iter().any(|sign| source.text.contains(sign))) {
            Some(source) => Some(Arc::new(read(Arc::new(source))?)),
            None => None,
        };
        self.units.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

/// Where the source of a class stands below a directory of sources.
fn java_file(class: &Class) -> PathBuf {
    let simple = outermost(class).rsplit('/').next().unwrap_or_default();
    let file = class.source_file().map_or_else(|| format!("{simple}.java"), str::to_string);
    Path::new(class.package()).join(file)
}

fn jml_file(class: &Class) -> String {
    format!("{}.jml", outermost(class))
}

/// The class around it, with its package.
fn outermost(class: &Class) -> &'static str {
    class.name.split('$').next().unwrap_or(class.name)
}

fn text_of(path: &Path) -> Option<SourceText> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(SourceText { path: path.display().to_string(), text: String::from_utf8_lossy(&bytes).into_owned() })
}
