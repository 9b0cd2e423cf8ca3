//! Does each name and pattern of an option mean something that is there? A mistyped one changes what is checked, or what a verdict relies on, without a
//! trace of it in the verdict.

use lazuli_console::visible::tell;
use lazuli_vm::program::{Class, Program, is_end_of_name};
use lazuli_vm::unknown_code::MethodPatterns;

use crate::arguments::{BoundOptions, CheckOptions};

/// Warns of patterns that name no method, and of names that no class has.
pub(crate) fn warn_of_unmatched(options: &CheckOptions, program: &Program) {
    let lists = [("--by-contract", &options.contract.by_contract), ("--assume-pure", &options.findings.assume_pure)];
    for (option, patterns) in lists {
        for pattern in patterns.iter().filter(|pattern| !names_method(pattern, program)) {
            tell!(
                "warning: {option} {pattern} names no method of a class on the class path; write CLASS.METHOD or CLASS.*, with the class that declares it."
            );
        }
    }
    warn_of_unknown_classes("--allow", options.findings.allow.iter(), program);
    warn_of_unknown_scopes(&options.bounds, program);
}

/// Warns of scopes of classes that are not there.
pub(crate) fn warn_of_unknown_scopes(bounds: &BoundOptions, program: &Program) {
    let scopes = bounds.scope.iter().flat_map(|scope| &scope.named);
    warn_of_unknown_classes("--scope", scopes.map(|(name, _)| name), program);
}

fn warn_of_unknown_classes<'a>(option: &str, names: impl Iterator<Item = &'a String>, program: &Program) {
    for name in names.filter(|name| !names_class(name, program)) {
        tell!("warning: {option} {name}: no class on the class path or of the JDK has that name.");
    }
}

fn names_method(pattern: &str, program: &Program) -> bool {
    let patterns = MethodPatterns { patterns: vec![pattern.to_string()] };
    let mut methods = program.users().iter().flat_map(|class| class.methods.iter());
    if methods.any(|method| patterns.name(method)) {
        return true;
    }
    let Some((class, _)) = pattern.rsplit_once('.') else { return false };
    let package = class.strip_suffix(".**").unwrap_or(class).replace('.', "/");
    program.path().jdk().module_of(&package).is_some() || names_library(class, program)
}

fn names_class(name: &str, program: &Program) -> bool {
    program.users().iter().any(|class| class.is_called(name)) || names_library(name, program)
}

/// Is it a class of the JDK: by its full name, or by an end of it in the JDK's first module?
fn names_library(name: &str, program: &Program) -> bool {
    let is_it = |class: &String| is_end_of_name(name, &class.replace('/', "."));
    let is_other = |class: &Class| program.users().iter().all(|user| user.id != class.id);
    program.path().jdk().classes_of("java.base").iter().any(is_it)
        || program.load(&name.replace('.', "/")).is_ok_and(is_other)
}
