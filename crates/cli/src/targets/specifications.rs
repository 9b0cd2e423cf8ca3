//! Where do specifications in JML come from? From `.jml` files, and from the comments of Java sources.
//!
//! A file is looked for when its class is needed, and read once. A `.jml` file replaces all JML in the source of the class, which is not
//! read then.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lazuli_jml::{CompilationUnit, Complaint, SourceText, read};
use lazuli_spec::{
    BUNDLED, ContractOptions, Specification, call_contract, has_invariant, invariant_of, prepare_stubs, specify,
    specify_class,
};
use lazuli_vm::contracts::{ContractRefusal, KnownContracts};
use lazuli_vm::program::{Class, Method, Program};
use lazuli_vm::unknown_code::MethodPatterns;

use super::bundled;
use crate::provenance::digest;

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
    units: Mutex<HashMap<String, Option<Arc<CompilationUnit>>>>,
    bundled: Mutex<HashMap<String, Option<Arc<CompilationUnit>>>>,
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
        Ok(Specifications {
            spec: spec.to_vec(),
            source: source.to_vec(),
            units: Mutex::default(),
            bundled: Mutex::default(),
        })
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
        if let Some(known) = self.units.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
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
        self.units.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
        Ok(found)
    }

    /// The file about a class, or what comes with Lazuli.
    fn unit_or_bundled(&self, class: &Class) -> Result<Option<Arc<CompilationUnit>>, Complaint> {
        if let Some(own) = self.unit(class)? {
            return Ok(Some(own));
        }
        let Some(text) = bundled::text_about(outermost(class)) else { return Ok(None) };
        let mut known = self.bundled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(class.name) {
            return Ok(known.clone());
        }
        let source = SourceText { path: format!("{BUNDLED}{}", jml_file(class)), text: text.to_string() };
        let read = Some(Arc::new(read(Arc::new(source))?));
        known.insert(class.name.to_string(), read.clone());
        Ok(read)
    }

    /// The contracts that replace calls: of code that is not there, and of the methods that the patterns name.
    pub(crate) fn contracts(
        self: &Arc<Self>,
        program: &Arc<Program>,
        replaced: MethodPatterns,
        options: &ContractOptions,
    ) -> KnownContracts {
        prepare_stubs(program);
        let (own, program, options) = (self.clone(), program.clone(), options.clone());
        KnownContracts::new(replaced, self.fingerprint(), move |method| {
            let invariants = |class: &'static Class| invariant_of(&program, class, &options);
            match call_contract(&program, &|class| own.unit_or_bundled(class), method, &invariants) {
                Ok(found) => Ok(found.map(Arc::new)),
                Err(complaint) => Err(ContractRefusal { why: complaint.to_string() }),
            }
        })
    }

    /// A number for the text of all specifications: a verdict that rests on contracts is another one where these are.
    fn fingerprint(&self) -> String {
        let mut files: Vec<PathBuf> = Vec::new();
        let mut folders: Vec<PathBuf> = self.spec.iter().chain(&self.source).cloned().collect();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let is_text = path.extension().is_some_and(|extension| extension == "jml" || extension == "java");
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(kind) if kind.is_file() && is_text => files.push(path),
                    _ => {}
                }
            }
        }
        files.sort();
        let mut all = String::new();
        for source in files.iter().filter_map(|file| text_of(file)) {
            if ["//@", "/*@"].iter().any(|sign| source.text.contains(sign)) {
                all.push_str(&format!("{} {}\n", source.path, digest(source.text.as_bytes())));
            }
        }
        digest(all.as_bytes())
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
