//! Which methods are checked, and how is each?

use std::collections::BTreeSet;
use std::sync::Arc;

use lazuli_console::visible::tell;
use lazuli_explore::{Config, Failure, WholeProgram, validate};
use lazuli_vm::program::{Method, Program};
use lazuli_vm::unknown_code::MethodPatterns;

use crate::arguments::CheckOptions;
use crate::commands::CommandError;
use crate::project::FILE;
use crate::targets::concurrent::concurrent_plans;
use crate::targets::implementations::implementations;
use crate::targets::properties::read_properties;
use crate::targets::specifications::Specifications;
use crate::targets::{CheckedMethod, TargetError, classes_below, find_main, find_methods, find_targets, title_for};

/// Why a request names nothing to check.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("{0} has no public method but the invariant; name a method.")]
    OnlyInvariants(String),
    /// Several targets, and something is wrong with each.
    #[error("{}", .0.join("\n  "))]
    NoneUsable(Vec<String>),
    /// A name in the settings of the project is wrong.
    #[error("{place}: {error}")]
    Setting { place: String, error: Box<TargetError> },
    #[error(
        "there is nothing to check. Name a class or a method, as in `lazuli check -cp target/classes acme.TreeMap`,\n  \
         or let `lazuli init` write a {FILE} for the project."
    )]
    NoTarget,
    #[error(
        "no class on the class path {class_path} has a public method.\n  \
         Build the project first, or name `targets` in {FILE}, or a target on the command line."
    )]
    NoClass { class_path: String },
}

/// A method that is checked, and how.
pub(crate) struct CheckPlan {
    pub method: &'static Method,
    pub config: Config,
    /// Are growing scopes explored, because the user gave none?
    pub is_deepening: bool,
}

impl CheckPlan {
    /// How the method is written; an inherited one is named by the class of its receivers.
    pub(crate) fn title(&self) -> String {
        match (&self.config.program, &self.config.concurrent) {
            (Some(program), _) => program.title(),
            (None, Some(used)) => used.title(),
            (None, None) => title_for(self.method, self.config.contract.receiver),
        }
    }
}

/// All that a request asks for.
pub(crate) struct CheckPlans {
    pub plans: Vec<CheckPlan>,
    /// Targets that cannot be checked, beside others that can: what the user wrote, or the method, and why.
    pub refused: Vec<(String, CommandError)>,
    /// Classes that were meant by a package or stand beside other targets, and have nothing to check: sentences.
    pub skipped: Vec<String>,
}

/// The methods that all targets mean together, each once, and each with the settings that the project has for it. A mistake in one
/// target does not hide the others.
pub(crate) fn plans(options: &CheckOptions, program: &Arc<Program>) -> Result<CheckPlans, CommandError> {
    let properties = read_properties(&options.contract.property, program)?;
    let mut found = plans_without_properties(options, program)?;
    for plan in &mut found.plans {
        plan.config.properties.clone_from(&properties);
    }
    Ok(found)
}

fn plans_without_properties(options: &CheckOptions, program: &Arc<Program>) -> Result<CheckPlans, CommandError> {
    if let Some(class) = &options.program.main {
        let plans = vec![plan_of_program(options, program, class)?];
        return Ok(CheckPlans { plans, refused: Vec::new(), skipped: Vec::new() });
    }
    let specifications = Specifications::open(&options.specifications.spec, &options.specifications.source)?;
    let specifications = Arc::new(specifications);
    let targets = match options.targets.as_slice() {
        [] => usual_targets(options, program, &specifications)?,
        named => named.to_vec(),
    };
    if let Some(methods) = &options.threads.concurrent {
        return concurrent_plans(options, program, &targets, methods);
    }
    let mut found = CheckPlans { plans: Vec::new(), refused: Vec::new(), skipped: Vec::new() };
    if options.contract.check_contracts {
        let config = options.config().map_err(CommandError::Options)?;
        let replaced = MethodPatterns { patterns: options.contract.by_contract.clone() };
        let contracts = specifications.contracts(program, replaced, &config.contract);
        for checked in implementations(program, &contracts) {
            match plan_of(&checked, options, program, &specifications, &found.plans)? {
                Planned::Method(plan) => found.plans.push(*plan),
                Planned::Refused(error) => found.refused.push((title_for(checked.method, None), error)),
                Planned::Nothing => {}
            }
        }
    }
    for target in &targets {
        let meant = match find_targets(program, target, &options.common) {
            Ok(meant) => meant,
            Err(error @ TargetError::NoPublicMethod { .. }) if targets.len() > 1 => {
                found.skipped.push(error.short());
                continue;
            }
            Err(error) => {
                found.refused.push((target.clone(), error.into()));
                continue;
            }
        };
        found.skipped.extend(meant.skipped.iter().map(TargetError::short));
        for checked in meant.methods {
            match plan_of(&checked, options, program, &specifications, &found.plans)? {
                Planned::Method(plan) => found.plans.push(*plan),
                Planned::Refused(error) => {
                    let receiver = (checked.class.id != checked.method.class().id).then_some(checked.class);
                    found.refused.push((title_for(checked.method, receiver), error));
                }
                Planned::Nothing => {}
            }
        }
    }
    if found.plans.is_empty() {
        let told = found.refused.iter().map(|(_, error)| error.to_string()).chain(found.skipped.iter().cloned());
        let mut seen = BTreeSet::new();
        let told: Vec<String> = told.filter(|why| seen.insert(why.clone())).collect();
        return Err(match (found.refused.len(), found.skipped.is_empty()) {
            (1, true) => found.refused.remove(0).1,
            (0, true) => PlanError::OnlyInvariants(targets.join(", ")).into(),
            _ => PlanError::NoneUsable(told).into(),
        });
    }
    if found.plans.iter().all(|plan| plan.config.contract.specification.is_none()) && found.refused.is_empty() {
        let class = found.plans[0].method.class();
        specifications.none_about(class)?;
        if let Some(file) = specifications.missing_source(class) {
            tell!(
                "warning: --source: there is no {}, so that no JML of {} is read.",
                file.display(),
                class.java_name()
            );
        }
    }
    Ok(found)
}

/// A whole program, whose launcher is the method to check.
fn plan_of_program(options: &CheckOptions, program: &Program, class: &str) -> Result<CheckPlan, CommandError> {
    let (class, main) = find_main(program, class, &options.common)?;
    let (arguments, goals) = (options.program.arguments(&options.targets), options.program.goals());
    let config = options.config().map_err(CommandError::Options)?;
    validate(program, main, &config).map_err(CommandError::Failure)?;
    let config = config.with(|config| config.program = Some(WholeProgram { class, main, arguments, goals }));
    Ok(CheckPlan { method: program.launcher(class, main), config, is_deepening: options.is_deepening() })
}

/// The result of planning one method.
enum Planned {
    Method(Box<CheckPlan>),
    /// Another target means it already, or no user does.
    Nothing,
    Refused(CommandError),
}

fn plan_of(
    &CheckedMethod { method, class, is_named, is_relied_on }: &CheckedMethod,
    options: &CheckOptions,
    program: &Arc<Program>,
    specifications: &Arc<Specifications>,
    known: &[CheckPlan],
) -> Result<Planned, CommandError> {
    let receiver = (class.id != method.class().id).then_some(class);
    // The same method may be meant by two targets.
    let is_same = |known: &CheckPlan| {
        known.method.id == method.id
            && known.config.contract.receiver.map(|class| class.id) == receiver.map(|class| class.id)
    };
    if known.iter().any(is_same) {
        return Ok(Planned::Nothing);
    }
    let own = own_options(options, program, method)?;
    let options = own.as_ref().unwrap_or(options);
    let mut config = options.config().map_err(CommandError::Options)?;
    // A class as target does not mean its invariant.
    if !is_named && is_invariant(method, &config) {
        return Ok(Planned::Nothing);
    }
    config.contract.receiver = receiver;
    config.contract.is_relied_on = is_relied_on;
    if is_relied_on {
        // A contract that a proof rests on allows what it says.
        config.contract.allowed.clear();
    }
    config.contract.specification = match specifications.of(program, method) {
        Ok(specification) => specification,
        Err(error) => return Ok(Planned::Refused(error.into())),
    };
    let replaced = MethodPatterns { patterns: options.contract.by_contract.clone() };
    config.contracts = Some(specifications.contracts(program, replaced, &config.contract));
    match validate(program, method, &config) {
        // The other targets can be checked all the same.
        Ok(()) | Err(Failure::Class { .. }) => {}
        Err(failure) => return Ok(Planned::Refused(CommandError::Failure(failure))),
    }
    Ok(Planned::Method(Box::new(CheckPlan { method, config, is_deepening: options.is_deepening() })))
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
        let meant = find_targets(program, &candidate.target, &options.common)
            .map_err(|error| PlanError::Setting { place: candidate.place.clone(), error: Box::new(error) })?;
        let is_meant = |meant: &CheckedMethod| meant.method.id == method.id;
        if meant.methods.iter().any(is_meant) || is_class_of(&candidate.target, method) {
            special.push(candidate);
        }
    }
    if special.is_empty() { Ok(None) } else { Ok(Some(project.options(&special)?)) }
}

/// The targets of a project that names none: the classes that have an invariant, or, if there are none, all of its classes.
fn usual_targets(
    options: &CheckOptions,
    program: &Program,
    specifications: &Specifications,
) -> Result<Vec<String>, CommandError> {
    if options.project.is_none() {
        return Err(PlanError::NoTarget.into());
    }
    let config = options.config().map_err(CommandError::Options)?;
    let (mut with_invariant, mut all) = (Vec::new(), Vec::new());
    for name in own_classes(program) {
        // A class that cannot be loaded needs what is not on the class path. It could not be checked anyway.
        let Ok(class) = program.load(&name) else { continue };
        let name = class.java_name();
        if find_methods(program, &name, &options.common).is_err() {
            continue;
        }
        let is_valid = class.methods.iter().any(|method| is_invariant(method, &config));
        // A clause that cannot be understood is told about when the class is checked.
        if is_valid || specifications.has_invariant(program, class).unwrap_or(true) {
            with_invariant.push(name.clone());
        }
        all.push(name);
    }
    let found = if with_invariant.is_empty() { all } else { with_invariant };
    if found.is_empty() {
        return Err(PlanError::NoClass { class_path: options.common.class_path.clone() }.into());
    }
    Ok(found)
}

/// The classes that are compiled here, and not those of jars, which are the work of others; if there are only jars, those.
fn own_classes(program: &Program) -> Vec<String> {
    let all = classes_below(program, "**");
    let is_in_jar = |name: &String| program.path().file_of(name).is_some_and(|file| file.contains("!/"));
    let (jars, own): (Vec<String>, Vec<String>) = all.into_iter().partition(is_in_jar);
    if own.is_empty() { jars } else { own }
}

/// Does the target name the method's class, and not a method?
fn is_class_of(target: &str, method: &Method) -> bool {
    target.replace('$', ".") == method.class().java_name().replace('$', ".")
}

pub(super) fn is_invariant(method: &Method, config: &Config) -> bool {
    config.contract.invariant_names().contains(&method.name) && method.descriptor == "()Z"
}
