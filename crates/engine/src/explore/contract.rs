//! What must hold before and after the method? Finds the invariants and the contract methods, and runs those that come first.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::Config;
use super::path::{Finished, Path};
use super::worker::{Stage, Worker};
use crate::contract::Specification;
use crate::outcome::{End, Stop};
use crate::program::{Class, Method, Program, access, descriptor, readable_type};
use crate::structure::{Backbone, Invariant, receiver};
use crate::value::{Kind, Value};

/// What a method may rely on, and what it owes.
pub struct Contract {
    /// What makes the receiver and the parameters valid.
    pub invariants: Vec<Invariant>,
    /// Of each the part that is about structure, where the user told it from what is about data; else all of it.
    pub heap_invariants: Vec<Invariant>,
    /// Of each what is asked of objects that are known in part.
    pub hybrid_invariants: Vec<Invariant>,
    /// Say of the arguments whether the method takes them, in the order in which they are asked.
    pub pre: Vec<Precondition>,
    /// Says of the arguments and the result whether the method did what it should.
    pub post: Option<&'static Method>,
    /// What JML says of the method.
    pub specification: Option<Arc<Specification>>,
}

/// Something that must be true of the arguments.
#[derive(Clone)]
pub struct Precondition {
    pub method: &'static Method,
    /// For messages: `even()`, or `requires at Buffer.java:12`.
    pub told: String,
    /// Is it a clause of JML, which takes the receiver as well?
    pub is_clause: bool,
}

impl Precondition {
    /// What it takes of what the target gets.
    pub fn arguments<T: Copy>(&self, target: &'static Method, given: &[T]) -> Vec<T> {
        match self.is_clause {
            true => given.to_vec(),
            false => arguments_of(self.method, target, given, None),
        }
    }
}

impl Contract {
    /// Finds what the configuration names. The error is a sentence for the user.
    pub fn of(program: &Program, method: &'static Method, config: &Config) -> Result<Contract, String> {
        let (parameters, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let pre = config
            .precondition
            .as_deref()
            .map(|name| find_condition(program, method, &Condition { option: "--pre", name, parameters: &parameters }));
        let with_result: Vec<&str> = parameters.iter().copied().chain((result != "V").then_some(result)).collect();
        let post = config.postcondition.as_deref().map(|name| {
            find_condition(program, method, &Condition { option: "--post", name, parameters: &with_result })
        });
        let mut preconditions: Vec<Precondition> = Vec::new();
        if let Some(method) = pre.transpose()? {
            preconditions.push(Precondition { method, told: format!("{}()", method.name), is_clause: false });
        }
        let specification = config.specification.clone();
        for clause in specification.iter().flat_map(|specification| &specification.requires) {
            let told = format!("{} at {}", clause.kind, clause.at());
            preconditions.push(Precondition { method: clause.method, told, is_clause: true });
        }
        let (invariants, heap_invariants) = invariants(program, method, config)?;
        let hybrid_invariants = hybrids(program, method, config, &invariants)?;
        if let (Some(numbered), false) = (invariants.first(), config.backbone.is_empty()) {
            Backbone::of(program, &[root_classes(program, method, config)?[numbered.root]]).only(&config.backbone)?;
        }
        let post = post.transpose()?;
        Ok(Contract { invariants, heap_invariants, hybrid_invariants, pre: preconditions, post, specification })
    }

    /// How many stages come before the method: invariants, preconditions, and values that are computed for later.
    fn stages(&self) -> usize {
        self.invariants.len() + self.pre.len() + self.olds().len()
    }

    fn olds(&self) -> &[&'static Method] {
        self.specification.as_ref().map_or(&[], |specification| &specification.olds)
    }

    /// The preconditions, for messages.
    pub fn told_pre(&self) -> Option<String> {
        let told: Vec<&str> = self.pre.iter().map(|pre| pre.told.as_str()).collect();
        (!told.is_empty()).then(|| told.join(" and "))
    }

    /// What makes inputs valid, for messages: "the invariant repOK()".
    pub fn told_invariant(&self, config: &Config) -> String {
        let names: Vec<String> = config.invariant_names().iter().map(|name| format!("{name}()")).collect();
        let names = names.join(" && ");
        let has_clauses = self.invariants.iter().any(|invariant| invariant.is_clause());
        match (self.invariants.iter().any(|invariant| !invariant.is_clause()), has_clauses) {
            (false, true) => "the invariant in JML".to_string(),
            (true, true) => format!("the invariant {names} and that in JML"),
            _ => format!("the invariant {names}"),
        }
    }
}

/// The declared types of the parameters.
pub fn parameter_classes(program: &Program, method: &'static Method) -> Result<Vec<&'static Class>, String> {
    let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
    let load = |descriptor: &&str| {
        program.load_descriptor(descriptor).map_err(|error| format!("a parameter type cannot be loaded: {error}"))
    };
    parameters.iter().map(load).collect()
}

/// The classes of the receiver, if there is one, and of the parameters.
fn root_classes(program: &Program, method: &'static Method, config: &Config) -> Result<Vec<&'static Class>, String> {
    let has_receiver = !method.is_static() && method.name != "<init>";
    let receiver = has_receiver.then(|| config.receiver_of(method));
    Ok(receiver.into_iter().chain(parameter_classes(program, method)?).collect())
}

/// The invariants of the receiver and of the parameters whose classes have one; and of each, the first part.
fn invariants(
    program: &Program,
    method: &'static Method,
    config: &Config,
) -> Result<(Vec<Invariant>, Vec<Invariant>), String> {
    let roots = root_classes(program, method, config)?.into_iter().enumerate();
    let (mut invariants, mut first_parts) = (Vec::new(), Vec::new());
    for (root, class) in roots {
        if class.kind() == Kind::Reference && !class.is_array() && class.access & access::ENUM == 0 {
            let parts = invariant_of(program, class, config);
            // A target that is the invariant itself is explored on all objects.
            if parts.iter().all(|part| part.id != method.id) {
                let clauses = config.clauses_of_root(root);
                let parts: Vec<Invariant> =
                    parts.into_iter().chain(clauses).map(|method| Invariant::new(program, method, root)).collect();
                first_parts.extend(parts.first().copied());
                invariants.extend(parts);
            }
        }
    }
    let names = config.invariant_names();
    let is_named = (config.invariant.is_some() && !config.is_jml_alone()) || config.split.is_some();
    // A static method of the class has no object that it could speak of, and a constructor none yet.
    let is_there = !invariant_of(program, method.class(), config).is_empty();
    let is_found = invariants.iter().any(|invariant: &Invariant| !invariant.is_clause());
    if is_named && !is_found && !is_there {
        let (class, name) = (method.class().java_name(), method.name);
        return Err(match names.as_slice() {
            [heap, data] => format!(
                "neither {class} nor a parameter of {name} has the methods `boolean {heap}()` and `boolean {data}()`; \
                 --heap-invariant and --data-invariant name two that are there"
            ),
            _ => format!(
                "neither {class} nor a parameter of {name} has a method `boolean {}()`; --invariant names one that is there",
                names.concat()
            ),
        });
    }
    Ok((invariants, first_parts))
}

/// For each root that must be valid, the method that the user named for objects which are known in part; without it, the invariants.
fn hybrids(
    program: &Program,
    method: &'static Method,
    config: &Config,
    invariants: &[Invariant],
) -> Result<Vec<Invariant>, String> {
    let Some(name) = &config.hybrid else { return Ok(invariants.to_vec()) };
    let classes = root_classes(program, method, config)?;
    let roots: BTreeSet<usize> = invariants.iter().map(|invariant| invariant.root).collect();
    let found = roots.into_iter().filter_map(|root| {
        let class = classes.get(root)?;
        let (owner, name) = name.rsplit_once('.').unwrap_or(("", name));
        let found = match owner {
            "" => program.find_method(class, name, "()Z").filter(|found| !found.is_static()),
            owner => {
                let owner = program.load(&owner.replace('.', "/")).ok()?;
                let found = program.find_method(owner, name, &format!("({})Z", class.descriptor()));
                found.filter(|found| found.is_static())
            }
        };
        found.filter(|found| !found.is_abstract()).map(|method| Invariant::new(program, method, root))
    });
    let found: Vec<Invariant> = found.collect();
    if found.is_empty() && !invariants.is_empty() {
        return Err(format!(
            "there is no method `boolean {name}()` for the inputs of {}; --hybrid-invariant names one that is there, or a static \
             pkg.Class.NAME that takes the object",
            method.name
        ));
    }
    Ok(found)
}

/// The methods that say together whether an object of a class is valid. None if one of them is missing.
pub fn invariant_of(program: &Program, class: &'static Class, config: &Config) -> Vec<&'static Method> {
    let part = |name: &str| {
        let found = program.find_method(class, name, "()Z");
        found.filter(|found| !found.is_static() && !found.is_abstract() && class.is_users())
    };
    config.invariant_names().into_iter().map(part).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// A contract method as the command line asks for it.
struct Condition<'a> {
    option: &'a str,
    name: &'a str,
    parameters: &'a [&'a str],
}

/// The method that a condition names: an instance method where there is an object to run it on, else a static one.
fn find_condition(
    program: &Program,
    method: &'static Method,
    condition: &Condition,
) -> Result<&'static Method, String> {
    let Condition { option, name, parameters } = *condition;
    let class = method.class();
    let is_made = method.name == "<init>";
    // The object that a constructor makes is not there before it runs.
    let has_object = !method.is_static() && (!is_made || option == "--post");
    let found = program.find_method(class, name, &format!("({})Z", parameters.concat()));
    if let Some(found) = found
        && !found.is_abstract()
        && (found.is_static() || has_object)
    {
        return Ok(found);
    }
    let types: Vec<String> = parameters.iter().map(|parameter| readable_type(parameter)).collect();
    let simple: Vec<&str> = types.iter().map(|full| full.rsplit(['.', '$']).next().unwrap_or(full)).collect();
    let wanted = format!("{}boolean {name}({})", if has_object { "" } else { "static " }, simple.join(", "));
    let target = if is_made { "the constructor".to_string() } else { method.name.to_string() };
    let what = match option {
        "--pre" => format!("with the parameters of {target}"),
        _ if parameters.len() > descriptor::method(method.descriptor).map_or(0, |(own, _)| own.len()) => {
            format!("with the parameters of {target}, and its result as the last one")
        }
        _ => format!("with the parameters of {target}"),
    };
    let there: Vec<&Method> =
        class.chain().flat_map(|class| class.methods.iter().copied()).filter(|method| method.name == name).collect();
    let instead = match there.as_slice() {
        [] => String::new(),
        methods => {
            let shown = methods.iter().map(|method| format!("{}{}", method.name, method.descriptor));
            format!(" (there is {})", shown.collect::<Vec<_>>().join(", "))
        }
    };
    Err(format!("{option} {name}: class {} needs a method `{wanted}`, {what}{instead}", class.java_name()))
}

/// The arguments of a contract method: what the target got, without the receiver if it wants none, and the result if there is one.
pub fn arguments_of<T: Copy>(
    condition: &'static Method,
    target: &'static Method,
    given: &[T],
    result: Option<T>,
) -> Vec<T> {
    let skipped = (condition.is_static() && !target.is_static()) as usize;
    let own = given.iter().skip(skipped).copied().chain(result);
    own.take(condition.arguments as usize).collect()
}

impl Worker<'_> {
    /// Goes on with what comes after an invariant or a precondition that was executed before the method.
    pub(super) fn next_stage(&mut self, finished: Finished) -> Stage {
        if self.is_making(&finished.path) {
            return self.step_ended(finished);
        }
        let invariants = self.contract.invariants.len();
        let stage = finished.path.stage;
        if stage >= self.contract.stages() {
            return Stage::Over(finished);
        }
        if stage >= invariants + self.contract.pre.len() {
            return self.keep_old(finished);
        }
        match finished.end {
            End::Returned(Value::Int(0)) | End::AssumedAway => Stage::Dropped,
            End::Threw(_) => {
                if stage >= invariants {
                    self.warn_of_throwing_pre(&finished);
                }
                Stage::Dropped
            }
            End::Returned(value) => {
                let mut path = finished.path;
                if let Some(condition) = self.vm.term_of(value, lazuli_logic::Sort::Int) {
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(condition, zero);
                    let is_true = self.vm.terms.not(is_false);
                    if !self.can_assume(&mut path, is_true) {
                        return Stage::Dropped;
                    }
                    match self.admit(&mut path) {
                        Ok(true) => {}
                        Ok(false) => return Stage::Dropped,
                        Err(_) => path.symbols.condition.is_unproven = true,
                    }
                }
                self.begin_next(path)
            }
            _ => Stage::Over(finished),
        }
    }

    /// Begins what comes after a stage that is done.
    fn begin_next(&mut self, mut path: Path) -> Stage {
        path.stage += 1;
        match self.begin_stage(&mut path) {
            Ok(()) => Stage::GoesOn(path),
            Err(stop) => self.next_stage(Finished::at_entry(path, stop)),
        }
    }

    /// Writes down a value from before the method for those who ask for it later. There may be none: it is a fault only if somebody does.
    fn keep_old(&mut self, finished: Finished) -> Stage {
        let value = match finished.end {
            End::Returned(value) => Some(value),
            End::Threw(_) => None,
            End::AssumedAway => return Stage::Dropped,
            _ => return Stage::Over(finished),
        };
        let mut path = finished.path;
        path.symbols.olds.push(value);
        self.begin_next(path)
    }

    /// Begins the next of what is executed first, or else the method.
    pub(super) fn begin_stage(&mut self, path: &mut Path) -> Result<(), Stop> {
        path.thread = Default::default();
        path.monitors.clear();
        while let Some(invariant) = self.contract.invariants.get(path.stage) {
            if let Some(object) = receiver(path, invariant) {
                return self.vm.begin_contract(path, invariant.code(), &[object.into()]);
            }
            path.stage += 1;
        }
        let done = path.stage - self.contract.invariants.len();
        if let Some(pre) = self.contract.pre.get(done) {
            let given: Vec<Value> = path.symbols.roots.iter().map(|root| root.value).collect();
            // The roots of a constructor have no receiver, and its precondition wants none.
            let arguments = match self.method.name == "<init>" {
                true => given.into_iter().take(pre.method.arguments as usize).collect(),
                false => pre.arguments(self.method, &given[..self.method.arguments as usize]),
            };
            return self.vm.begin_contract(path, pre.method, &arguments);
        }
        if let Some(old) = self.contract.olds().get(done - self.contract.pre.len()).copied() {
            let arguments = self.given(path);
            return self.vm.begin_contract(path, old, &arguments);
        }
        if self.contract.specification.as_ref().is_some_and(|specification| specification.asks_entry) {
            path.symbols.past = Some(Rc::new(path.heap.clone()));
        }
        if self.method.name == "<init>" {
            path.symbols.made = Some(path.heap.allocate(self.method.class()));
        }
        let arguments = self.given(path);
        self.vm.begin(path, self.method, &arguments)
    }

    /// What the method gets: the receiver, and the parameters as they were at entry.
    pub(super) fn given(&self, path: &Path) -> Vec<Value> {
        let made = path.symbols.made.map(Value::from);
        let missing = self.method.arguments as usize - made.is_some() as usize;
        made.into_iter().chain(path.symbols.roots.iter().take(missing).map(|root| root.value)).collect()
    }
}
