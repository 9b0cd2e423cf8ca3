//! Does each pattern for methods name one? A mistyped pattern changes what a verdict relies on, without a trace of it in the verdict.

use lazuli_console::visible::tell;
use lazuli_vm::program::Program;
use lazuli_vm::unknown_code::MethodPatterns;

use crate::arguments::CheckOptions;

/// Warns of patterns that name no method.
pub(crate) fn warn_of_unmatched(options: &CheckOptions, program: &Program) {
    let lists = [("--by-contract", &options.contract.by_contract), ("--assume-pure", &options.findings.assume_pure)];
    for (option, patterns) in lists {
        for pattern in patterns.iter().filter(|pattern| !names_method(pattern, program)) {
            tell!(
                "warning: {option} {pattern} names no method of a class on the class path; write CLASS.METHOD or CLASS.*, with the class that declares it."
            );
        }
    }
}

fn names_method(pattern: &str, program: &Program) -> bool {
    let patterns = MethodPatterns { patterns: vec![pattern.to_string()] };
    let mut methods = program.users().iter().flat_map(|class| class.methods.iter());
    methods.any(|method| patterns.name(method)) || names_library(pattern, program)
}

/// Is the class one of the JDK, by its full or its simple name?
fn names_library(pattern: &str, program: &Program) -> bool {
    let Some((class, _)) = pattern.rsplit_once('.') else { return false };
    if class.contains('.') {
        let package = class.strip_suffix(".**").unwrap_or(class).replace('.', "/");
        return program.path().jdk().module_of(&package).is_some() || program.load(&package).is_ok();
    }
    let is_it = |name: &String| name.rsplit(['/', '$']).next() == Some(class);
    program.path().jdk().classes_of("java.base").iter().any(is_it)
}
