//! Which methods does a table measure that takes any classes: those of the user's class path, or those of the bundled corpus?

use std::path::{Path, PathBuf};

use lazuli_bench::{CompiledCorpus, MeasuredMethod, PlantedDefect, compile_corpus};
use lazuli_classfile::Jdk;
use lazuli_explore::Config;
use lazuli_vm::program::{Class, Program, access};

use super::BenchOptions;
use crate::arguments::CommonOptions;
use crate::commands::CommandError;
use crate::targets::{CheckedMethod, TargetError, find_methods, open_program};

/// The classes of such a table.
pub(super) struct TableClasses {
    /// As `--class-path` takes it.
    pub path: PathBuf,
    pub methods: Vec<MeasuredMethod>,
    pub planted: Vec<PlantedDefect>,
    /// Its directory is there as long as this is.
    _corpus: Option<CompiledCorpus>,
}

impl TableClasses {
    /// All public methods of public classes that one of the patterns means, or of all of them if there are none.
    pub(super) fn open(options: &BenchOptions, patterns: &[String], jdk: &Jdk) -> Result<TableClasses, CommandError> {
        let (path, corpus) = match &options.class_path {
            Some(path) => (PathBuf::from(path), None),
            None => {
                let corpus = compile_corpus(&options.subjects, jdk)?;
                (corpus.path().to_path_buf(), Some(corpus))
            }
        };
        let planted = corpus.as_ref().map_or(Vec::new(), |corpus| corpus.defects.clone());
        let methods = methods(&path, patterns)?;
        let mut classes = TableClasses { path, methods, planted, _corpus: corpus };
        if patterns.is_empty() {
            classes.add_planted();
        }
        Ok(classes)
    }

    /// A planted defect is measured in any case: one whose method cannot be a target has not been found.
    fn add_planted(&mut self) {
        for defect in &self.planted {
            let target = defect.target();
            let is_there = |method: &MeasuredMethod| method.target.split('(').next() == Some(target.as_str());
            if !self.methods.iter().any(is_there) {
                let class = format!("{}.{}", defect.package(), defect.class);
                self.methods.push(MeasuredMethod { class, target });
            }
        }
    }
}

fn methods(path: &Path, patterns: &[String]) -> Result<Vec<MeasuredMethod>, CommandError> {
    let options = CommonOptions { class_path: path.display().to_string(), memory: None };
    let program = open_program(&options)?;
    let mut found = Vec::new();
    // A pattern that means no class names a class or a method, or nothing, which is then explained.
    let (packages, names): (Vec<&String>, Vec<&String>) =
        patterns.iter().partition(|pattern| public_classes(&program).any(|class| is_meant(class, pattern)));
    for class in public_classes(&program) {
        if patterns.is_empty() || packages.iter().any(|pattern| is_meant(class, pattern)) {
            match find_methods(&program, &class.java_name(), &options) {
                Ok(methods) => found.extend(methods),
                Err(TargetError::NoPublicMethod { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    for name in names {
        found.extend(find_methods(&program, name, &options)?);
    }
    let invariants = Config::default();
    // A method is measured in the class that declares it.
    let is_wanted = |target: &CheckedMethod| {
        !invariants.contract.invariant_names().contains(&target.method.name)
            && (target.is_named || target.class.id == target.method.class().id)
    };
    Ok(found.iter().filter(|target| is_wanted(target)).map(measured).collect())
}

fn measured(CheckedMethod { method, class, .. }: &CheckedMethod) -> MeasuredMethod {
    let class = class.java_name();
    MeasuredMethod { target: format!("{class}.{}{}", method.name, method.descriptor), class }
}

/// The public classes of the class path. Those that cannot be loaded need what is not there, and could not be checked anyway.
fn public_classes(program: &Program) -> impl Iterator<Item = &'static Class> {
    let names = program.path().user_classes().into_iter();
    let loaded = names.filter_map(|name| program.load(&name).ok());
    loaded.filter(|class| class.access & access::PUBLIC != 0)
}

/// Is the class in the package `shop` or `shop.*`, or also below it, `shop.**`? Or is it the class `shop.Cart`?
fn is_meant(class: &Class, pattern: &str) -> bool {
    let name = class.java_name();
    let package = name.rsplit_once('.').map_or("", |(package, _)| package);
    match (pattern.strip_suffix(".**"), pattern.strip_suffix(".*")) {
        (Some(above), _) => package == above || package.strip_prefix(above).is_some_and(|rest| rest.starts_with('.')),
        (None, Some(exactly)) => package == exactly,
        (None, None) => pattern == "**" || package == pattern || name.replace('$', ".") == pattern.replace('$', "."),
    }
}
