//! Which methods are checked, and how is each?

use lazuli_explore::{Config, Failure, validate};
use lazuli_vm::program::{Method, Program};

use crate::arguments::CheckOptions;
use crate::commands::CommandError;
use crate::project::FILE;
use crate::targets::specifications::Specifications;
use crate::targets::{CheckedMethod, TargetError, find_methods};

/// Why a request names nothing to check.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("{0} has no public method but the invariant; name a method.")]
    OnlyInvariants(String),
    /// A name in the settings of the project is wrong.
    #[error("{place}: {error}")]
    Setting { place: String, error: Box<TargetError> },
    #[error(
        "there is nothing to check. Name a class or a method, as in `lazuli check -cp target/classes acme.TreeMap`,\n  \
         or let `lazuli init` write a {FILE} for the project."
    )]
    NoTarget,
    #[error(
        "no class on the class path {class_path} has a method `boolean {}()`.\n  \
         Build the project first, or name `targets` in {FILE}, or a target on the command line.",
        names.join("()` or `boolean ")
    )]
    NoInvariant { class_path: String, names: Vec<String> },
}

/// A method that is checked, and how.
pub(crate) struct CheckPlan {
    pub method: &'static Method,
    pub config: Config,
    /// Are growing scopes explored, because the user gave none?
    pub is_deepening: bool,
}

/// The methods that all targets mean together, each once, and each with the settings that the project has for it.
pub(crate) fn plans(options: &CheckOptions, program: &Program) -> Result<Vec<CheckPlan>, CommandError> {
    let specifications = Specifications::open(&options.specifications.spec, &options.specifications.source)?;
    let targets = match options.targets.as_slice() {
        [] => classes_with_invariant(options, program, &specifications)?,
        named => named.to_vec(),
    };
    let mut plans: Vec<CheckPlan> = Vec::new();
    for target in &targets {
        for CheckedMethod { method, class } in find_methods(program, target, &options.common)? {
            let receiver = (class.id != method.class().id).then_some(class);
            // The same method may be meant by two targets.
            let is_same = |known: &CheckPlan| {
                known.method.id == method.id
                    && known.config.contract.receiver.map(|class| class.id) == receiver.map(|class| class.id)
            };
            if plans.iter().any(is_same) {
                continue;
            }
            let own = own_options(options, program, method)?;
            let options = own.as_ref().unwrap_or(options);
            let mut config = options.config().map_err(CommandError::Options)?;
            // A class as target does not mean its invariant.
            if is_class_of(target, method) && is_invariant(method, &config) {
                continue;
            }
            config.contract.receiver = receiver;
            config.contract.specification = specifications.of(program, method)?;
            match validate(program, method, &config) {
                // The other targets can be checked all the same.
                Ok(()) | Err(Failure::Class { .. }) => {}
                Err(failure) => return Err(CommandError::Failure(failure)),
            }
            plans.push(CheckPlan { method, config, is_deepening: options.bounds.scope.is_none() });
        }
    }
    if plans.is_empty() {
        return Err(PlanError::OnlyInvariants(targets.join(", ")).into());
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
) -> Result<Option<CheckOptions>, CommandError> {
    let Some(project) = &options.project else { return Ok(None) };
    let mut special = Vec::new();
    for candidate in project.special() {
        // A name that means nothing is a mistake, even if another method is checked.
        let meant = find_methods(program, &candidate.target, &options.common)
            .map_err(|error| PlanError::Setting { place: candidate.place.clone(), error: Box::new(error) })?;
        if meant.iter().any(|meant| meant.method.id == method.id) || is_class_of(&candidate.target, method) {
            special.push(candidate);
        }
    }
    if special.is_empty() { Ok(None) } else { Ok(Some(project.options(&special)?)) }
}

/// The targets of a project that names none: the classes that have an invariant.
fn classes_with_invariant(
    options: &CheckOptions,
    program: &Program,
    specifications: &Specifications,
) -> Result<Vec<String>, CommandError> {
    if options.project.is_none() {
        return Err(PlanError::NoTarget.into());
    }
    let config = options.config().map_err(CommandError::Options)?;
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
        let names = config.contract.invariant_names().into_iter().map(str::to_string).collect();
        return Err(PlanError::NoInvariant { class_path: options.common.class_path.clone(), names }.into());
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
