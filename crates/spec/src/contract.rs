//! What may a method rely on, and what does it owe? Finds the invariants and the contract methods that the options name.

use std::collections::BTreeSet;
use std::sync::Arc;

use lazuli_vm::program::{Class, LoadError, Method, Program, access, descriptor, readable_type};
use lazuli_vm::value::Kind;

use crate::{CompiledClause, ContractOptions, Invariant, Specification};

/// Everything that a method may rely on, and that it owes.
pub struct Contract {
    /// The invariants of the receiver and the parameters.
    pub invariants: Vec<Invariant>,
    /// Of each the part that is about structure, where the user told it from what is about data; else all of it.
    pub heap_invariants: Vec<Invariant>,
    /// Of each what is asked of objects that are known in part.
    pub hybrid_invariants: Vec<Invariant>,
    /// Say of the arguments whether the method takes them, in the order in which they are asked.
    pub pre: Vec<Precondition>,
    /// Says of the arguments and the result whether the method did what it should.
    pub post: Option<&'static Method>,
    /// The method's JML, compiled.
    pub specification: Option<Arc<Specification>>,
}

/// Why the contract of a method cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// The type of a parameter cannot be loaded.
    #[error("a parameter type cannot be loaded: {0}")]
    ParameterType(LoadError),
    /// No input is of a class that has the methods which the options name as its invariant.
    #[error("no input of {class}.{method} has the invariant {names:?}")]
    NoInvariant {
        /// The class of the target.
        class: String,
        /// The simple name of the target.
        method: String,
        /// The method that is the invariant, or the two that are its parts.
        names: Vec<String>,
    },
    /// No input that must be valid has the method which the options name for objects that are known in part.
    #[error("no input of {method} has the hybrid invariant {name}")]
    NoHybridInvariant {
        /// The name as it was given.
        name: String,
        /// The simple name of the target.
        method: String,
    },
    /// The class of the target has no method that could be its precondition or postcondition.
    #[error("{class} has no method {name} that could be a {role:?}", class = .0.class, name = .0.name, role = .0.role)]
    NoCondition(Box<MissingCondition>),
}

/// A method that the options name as a part of the contract, and that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCondition {
    /// The part of the contract that it should be.
    pub role: ConditionRole,
    /// The name as it was given.
    pub name: String,
    /// The class that needs it, with dots.
    pub class: String,
    /// Must it be static, because there is no object on which it could run?
    pub is_static: bool,
    /// The simple names of the types that it must take.
    pub parameters: Vec<String>,
    /// Is the last of them the result of the target?
    pub takes_result: bool,
    /// The simple name of the target; none for a constructor.
    pub target: Option<String>,
    /// The methods of that name that are there, each with its descriptor.
    pub candidates: Vec<String>,
}

/// The part of a contract that a method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionRole {
    /// It says of the arguments whether the target takes them.
    Precondition,
    /// It says of the arguments and the result whether the target did what it should.
    Postcondition,
}

/// Something that must be true of the arguments.
#[derive(Clone)]
pub struct Precondition {
    /// The method that returns whether the arguments satisfy it.
    pub method: &'static Method,
    /// For messages: `even()`, or `requires at Buffer.java:12`.
    pub told: String,
    /// Is it a clause of JML, which takes the receiver as well?
    pub is_clause: bool,
}

impl Precondition {
    /// Its arguments, from those of the target.
    pub fn arguments<T: Copy>(&self, target: &'static Method, given: &[T]) -> Vec<T> {
        match self.is_clause {
            true => given.to_vec(),
            false => arguments_of(self.method, target, given, None),
        }
    }
}

impl Contract {
    /// Finds what the configuration names.
    pub fn of(
        program: &Program,
        method: &'static Method,
        options: &ContractOptions,
    ) -> Result<Contract, ContractError> {
        let (parameters, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let pre = options.precondition.as_deref().map(|name| {
            let role = ConditionRole::Precondition;
            find_condition(program, method, &Condition { role, name, parameters: &parameters })
        });
        let with_result: Vec<&str> = parameters.iter().copied().chain((result != "V").then_some(result)).collect();
        let post = options.postcondition.as_deref().map(|name| {
            let role = ConditionRole::Postcondition;
            find_condition(program, method, &Condition { role, name, parameters: &with_result })
        });
        let mut preconditions: Vec<Precondition> = Vec::new();
        if let Some(method) = pre.transpose()? {
            preconditions.push(Precondition { method, told: format!("{}()", method.name), is_clause: false });
        }
        let specification = options.specification.clone();
        for clause in specification.iter().flat_map(|specification| &specification.requires) {
            let told = format!("{} at {}", clause.kind, clause.at());
            preconditions.push(Precondition { method: clause.method, told, is_clause: true });
        }
        let (invariants, heap_invariants) = invariants(program, method, options)?;
        let hybrid_invariants = hybrids(program, method, options, &invariants)?;
        let post = post.transpose()?;
        Ok(Contract { invariants, heap_invariants, hybrid_invariants, pre: preconditions, post, specification })
    }

    /// The clauses of which an invariant of JML consists.
    pub fn clauses_of(&self, invariant: &Invariant) -> impl Iterator<Item = &CompiledClause> {
        let all = self.specification.iter().flat_map(|specification| &specification.invariants);
        let method = invariant.method.id;
        all.filter(move |listed| listed.all.id == method).flat_map(|listed| &listed.clauses)
    }

    /// The preconditions that speak of the receiver alone, as if they were invariants of it: such a method can be asked on what is known of the object.
    pub fn receiver_conditions(&self, program: &Program, target: &'static Method) -> Vec<Invariant> {
        let is_about_receiver = |pre: &&Precondition| {
            let method = pre.method;
            let has_receiver = !target.is_static() && target.name != "<init>";
            has_receiver && !pre.is_clause && !method.is_static() && method.arguments == 1
        };
        self.pre.iter().filter(is_about_receiver).map(|pre| Invariant::new(program, pre.method, 0)).collect()
    }

    /// How many stages come before the method: invariants, preconditions, and values that are computed for later.
    pub fn stages(&self) -> usize {
        self.invariants.len() + self.pre.len() + self.olds().len()
    }

    /// The methods that compute the values of `\old` before the target runs.
    pub fn olds(&self) -> &[&'static Method] {
        self.specification.as_ref().map_or(&[], |specification| &specification.olds)
    }

    /// The preconditions, for messages.
    pub fn precondition_names(&self) -> Option<String> {
        let told: Vec<&str> = self.pre.iter().map(|pre| pre.told.as_str()).collect();
        (!told.is_empty()).then(|| told.join(" and "))
    }

    /// The invariant in words: "the invariant repOK()".
    pub fn invariant_text(&self, options: &ContractOptions) -> String {
        let names: Vec<String> = options.invariant_names().iter().map(|name| format!("{name}()")).collect();
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
pub fn parameter_classes(program: &Program, method: &'static Method) -> Result<Vec<&'static Class>, ContractError> {
    let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
    let load = |descriptor: &&str| program.load_descriptor(descriptor).map_err(ContractError::ParameterType);
    parameters.iter().map(load).collect()
}

/// The classes of the receiver, if there is one, and of the parameters.
pub fn root_classes(
    program: &Program,
    method: &'static Method,
    options: &ContractOptions,
) -> Result<Vec<&'static Class>, ContractError> {
    let has_receiver = !method.is_static() && method.name != "<init>";
    let receiver = has_receiver.then(|| options.receiver_of(method));
    Ok(receiver.into_iter().chain(parameter_classes(program, method)?).collect())
}

/// The invariants of the receiver and of the parameters whose classes have one; and of each, the first part.
fn invariants(
    program: &Program,
    method: &'static Method,
    options: &ContractOptions,
) -> Result<(Vec<Invariant>, Vec<Invariant>), ContractError> {
    let roots = root_classes(program, method, options)?.into_iter().enumerate();
    let (mut invariants, mut first_parts) = (Vec::new(), Vec::new());
    for (root, class) in roots {
        if class.kind() == Kind::Reference && !class.is_array() && class.access & access::ENUM == 0 {
            let parts = invariant_of(program, class, options);
            // A target that is the invariant itself is explored on all objects.
            if parts.iter().all(|part| part.id != method.id) {
                let clauses = options.clauses_of_root(root);
                let parts: Vec<Invariant> =
                    parts.into_iter().chain(clauses).map(|method| Invariant::new(program, method, root)).collect();
                first_parts.extend(parts.first().copied());
                invariants.extend(parts);
            }
        }
    }
    let names = options.invariant_names();
    let is_named = (options.invariant.is_some() && !options.is_jml_alone()) || options.split.is_some();
    // A static method of the class has no object that it could speak of, and a constructor none yet.
    let is_there = !invariant_of(program, method.class(), options).is_empty();
    let is_found = invariants.iter().any(|invariant: &Invariant| !invariant.is_clause());
    if is_named && !is_found && !is_there {
        let (class, method) = (method.class().java_name(), method.name.to_string());
        let names = names.into_iter().map(str::to_string).collect();
        return Err(ContractError::NoInvariant { class, method, names });
    }
    Ok((invariants, first_parts))
}

/// For each root that must be valid, the method that the user named for objects which are known in part; without it, the invariants.
fn hybrids(
    program: &Program,
    method: &'static Method,
    options: &ContractOptions,
    invariants: &[Invariant],
) -> Result<Vec<Invariant>, ContractError> {
    let Some(name) = &options.hybrid else { return Ok(invariants.to_vec()) };
    let classes = root_classes(program, method, options)?;
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
        return Err(ContractError::NoHybridInvariant { name: name.clone(), method: method.name.to_string() });
    }
    Ok(found)
}

/// The methods that say together whether an object of a class is valid. None if one of them is missing.
pub fn invariant_of(program: &Program, class: &'static Class, options: &ContractOptions) -> Vec<&'static Method> {
    let part = |name: &str| {
        let found = program.find_method(class, name, "()Z");
        found.filter(|found| !found.is_static() && !found.is_abstract() && class.is_users())
    };
    options.invariant_names().into_iter().map(part).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// A contract method as the command line asks for it.
struct Condition<'a> {
    role: ConditionRole,
    name: &'a str,
    parameters: &'a [&'a str],
}

/// The method that a condition names: an instance method where there is an object to run it on, else a static one.
fn find_condition(
    program: &Program,
    method: &'static Method,
    condition: &Condition,
) -> Result<&'static Method, ContractError> {
    let Condition { role, name, parameters } = *condition;
    let class = method.class();
    let is_made = method.name == "<init>";
    // The object that a constructor makes is not there before it runs.
    let has_object = !method.is_static() && (!is_made || role == ConditionRole::Postcondition);
    let found = program.find_method(class, name, &format!("({})Z", parameters.concat()));
    if let Some(found) = found
        && !found.is_abstract()
        && (found.is_static() || has_object)
    {
        return Ok(found);
    }
    let simple = |parameter: &&str| {
        let full = readable_type(parameter);
        full.rsplit(['.', '$']).next().unwrap_or(&full).to_string()
    };
    let named = class.chain().flat_map(|class| class.methods.iter().copied()).filter(|method| method.name == name);
    let own = descriptor::method(method.descriptor).map_or(0, |(own, _)| own.len());
    Err(ContractError::NoCondition(Box::new(MissingCondition {
        role,
        name: name.to_string(),
        class: class.java_name(),
        is_static: !has_object,
        parameters: parameters.iter().map(simple).collect(),
        takes_result: parameters.len() > own,
        target: (!is_made).then(|| method.name.to_string()),
        candidates: named.map(|method| format!("{}{}", method.name, method.descriptor)).collect(),
    })))
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
