//! Where do specifications in JML come from? From `.jml` files, and from the comments of Java sources.
//!
//! A file is looked for when somebody asks for a class, and read once. What a `.jml` file says of a class is all that is said of it: the source
//! is not looked at then.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lazuli_jml::{Complaint, Source, Unit, read};
use lazuli_spec::{Specification, has_invariant, specify, specify_class};
use lazuli_vm::program::{Class, Method, Program};

/// Larger files are no text that anybody wrote.
const LARGEST: u64 = 8 << 20;

pub struct Specifications {
    spec: Vec<PathBuf>,
    source: Vec<PathBuf>,
    units: RefCell<HashMap<String, Option<Arc<Unit>>>>,
}

impl Specifications {
    pub fn open(spec: &[PathBuf], source: &[PathBuf]) -> Result<Specifications, String> {
        let named =
            spec.iter().map(|folder| ("--spec", folder)).chain(source.iter().map(|folder| ("--source", folder)));
        for (option, folder) in named {
            if !folder.is_dir() {
                return Err(format!("{option} {}: there is no such directory.", folder.display()));
            }
        }
        Ok(Specifications { spec: spec.to_vec(), source: source.to_vec(), units: RefCell::default() })
    }

    /// What is said of a method. The error shows the place.
    pub fn of(&self, program: &Program, method: &'static Method) -> Result<Option<Arc<Specification>>, String> {
        if self.spec.is_empty() && self.source.is_empty() {
            return Ok(None);
        }
        let found = specify(program, &|class| self.unit(class), method);
        found.map(|specification| specification.map(Arc::new)).map_err(|complaint| complaint.to_string())
    }

    /// What is said of the objects of a class.
    pub fn of_class(&self, program: &Program, class: &'static Class) -> Result<Option<Arc<Specification>>, String> {
        let found = specify_class(program, &|class| self.unit(class), class);
        found.map(|specification| specification.map(Arc::new)).map_err(|complaint| complaint.to_string())
    }

    /// Does JML say what a valid object of the class is?
    pub fn has_invariant(&self, program: &Program, class: &'static Class) -> Result<bool, String> {
        has_invariant(program, &|class| self.unit(class), class).map_err(|complaint| complaint.to_string())
    }

    /// Says so if `.jml` files were asked for, and none of them is about a class.
    pub fn none_about(&self, class: &Class) -> Result<(), String> {
        if self.spec.is_empty() {
            return Ok(());
        }
        let wanted = self.spec.iter().map(|folder| folder.join(jml_file(class)).display().to_string());
        let wanted = wanted.collect::<Vec<_>>().join(" or ");
        Err(format!("--spec: no file says anything about {}; it would be {wanted}.", class.java_name()))
    }

    /// The file about a class.
    fn unit(&self, class: &Class) -> Result<Option<Arc<Unit>>, Complaint> {
        let key = outermost(class).to_string();
        if let Some(known) = self.units.borrow().get(&key) {
            return Ok(known.clone());
        }
        let folder = Path::new(class.package());
        let simple = key.rsplit('/').next().unwrap_or(&key);
        let java = folder.join(class.source_file().map_or_else(|| format!("{simple}.java"), str::to_string));
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

fn jml_file(class: &Class) -> String {
    format!("{}.jml", outermost(class))
}

/// The class around it, with its package.
fn outermost(class: &Class) -> &'static str {
    class.name.split('$').next().unwrap_or(class.name)
}

fn text_of(path: &Path) -> Option<Source> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(Source { path: path.display().to_string(), text: String::from_utf8_lossy(&bytes).into_owned() })
}
