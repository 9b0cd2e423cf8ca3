//! Which methods are checked, and how is each?

use lazuli_explore::{Config, Failure, validate};
use lazuli_vm::program::{Method, Program};

use crate::arguments::CheckOptions;
use crate::project::FILE;
use crate::report::reasons;
use crate::specifications::Specifications;
use crate::target::{Target, find_methods};

pub struct Plan {
    pub method: &'static Method,
    pub config: Config,
    /// Nobody said how far to look.
    pub is_deepening: bool,
}

/// The methods that all targets mean together, each once, and each with the settings that the project has for it.
pub fn plans(options: &CheckOptions, program: &Program) -> Result<Vec<Plan>, String> {
    let specifications = Specifications::open(&options.specifications.spec, &options.specifications.source)?;
    let targets = match options.targets.as_slice() {
        [] => classes_with_invariant(options, program, &specifications)?,
        named => named.to_vec(),
    };
    let mut plans: Vec<Plan> = Vec::new();
    for target in &targets {
        for Target { method, class } in find_methods(program, target, &options.common)? {
            let receiver = (class.id != method.class().id).then_some(class);
            // The same method may be meant by two targets.
            let is_same = |known: &Plan| {
                known.method.id == method.id
                    && known.config.contract.receiver.map(|class| class.id) == receiver.map(|class| class.id)
            };
            if plans.iter().any(is_same) {
                continue;
            }
            let own = own_options(options, program, method)?;
            let options = own.as_ref().unwrap_or(options);
            let mut config = options.config()?;
            // Whoever asks for a class does not ask whether valid objects are valid.
            if is_class_of(target, method) && is_invariant(method, &config) {
                continue;
            }
            config.contract.receiver = receiver;
            config.contract.specification = specifications.of(program, method)?;
            match validate(program, method, &config) {
                // The other targets can be checked all the same.
                Ok(()) | Err(Failure::Class { .. }) => {}
                Err(failure) => return Err(reasons::failure(&failure)),
            }
            plans.push(Plan { method, config, is_deepening: options.bounds.scope.is_none() });
        }
    }
    if plans.is_empty() {
        return Err(format!("{} has no public method but the invariant; name a method.", targets.join(", ")));
    }
    if plans.iter().all(|plan| plan.config.contract.specification.is_none()) {
        specifications.none_about(plans[0].method.class())?;
    }
    Ok(plans)
}

/// The options of a method about which the project says something special.
fn own_options(
    options: &CheckOptions,
    program: &Program,
    method: &'static Method,
) -> Result<Option<CheckOptions>, String> {
    let Some(project) = &options.project else { return Ok(None) };
    let mut special = Vec::new();
    for candidate in project.special() {
        // A name that means nothing is a mistake, even if another method is checked.
        let meant = find_methods(program, &candidate.target, &options.common)
            .map_err(|message| format!("{}: {message}", candidate.place))?;
        if meant.iter().any(|meant| meant.method.id == method.id) || is_class_of(&candidate.target, method) {
            special.push(candidate);
        }
    }
    if special.is_empty() { Ok(None) } else { project.options(&special).map(Some) }
}

/// What a project means that names no target: the classes that say what a valid object is.
fn classes_with_invariant(
    options: &CheckOptions,
    program: &Program,
    specifications: &Specifications,
) -> Result<Vec<String>, String> {
    if options.project.is_none() {
        return Err(format!(
            "there is nothing to check. Name a class or a method, as in `lazuli check -cp target/classes acme.TreeMap`,\n  \
             or let `lazuli init` write a {FILE} for the project."
        ));
    }
    let config = options.config()?;
    let mut found = Vec::new();
    for name in program.path().user_classes() {
        // A class that cannot be loaded needs what is not on the class path. It could not be checked anyway.
        let Ok(class) = program.load(&name) else { continue };
        let name = class.java_name();
        let has_targets = find_methods(program, &name, &options.common).is_ok();
        let is_valid = class.methods.iter().any(|method| is_invariant(method, &config));
        if has_targets && (is_valid || specifications.has_invariant(program, class)?) {
            found.push(name);
        }
    }
    if found.is_empty() {
        return Err(format!(
            "no class on the class path {} has a method `boolean {}()`.\n  \
             Build the project first, or name `targets` in {FILE}, or a target on the command line.",
            options.common.class_path,
            config.contract.invariant_names().join("()` or `boolean ")
        ));
    }
    Ok(found)
}

/// Does the target name the method's class, and not a method?
fn is_class_of(target: &str, method: &Method) -> bool {
    target.replace('$', ".") == method.class().java_name().replace('$', ".")
}

fn is_invariant(method: &Method, config: &Config) -> bool {
    config.contract.invariant_names().contains(&method.name) && method.descriptor == "()Z"
}
