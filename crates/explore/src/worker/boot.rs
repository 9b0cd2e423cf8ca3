//! How does an exploration begin? The virtual machine starts, the target's class is initialised, and the inputs are unknown.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use lazuli_logic::{Chain, SolverLimits};
use lazuli_reach::workshop::{Workshop, methods_on};
use lazuli_spec::{CompletionKind, Contract, Invariant, invariant_of, parameter_classes};
use lazuli_valid::{Completer, Means, SharedTable, TechniqueSetup};
use lazuli_vm::ambient::{Ambient, Assumption};
use lazuli_vm::boot;
use lazuli_vm::host::Silent;
use lazuli_vm::interp::{InputRules, Limits, Vm};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{
    Class, Field, GenericType, Method, Program, access, element_of, never_null, parameter_names, signature,
};
use lazuli_vm::reason::Reason;
use lazuli_vm::state::State;
use lazuli_vm::universe::{Restriction, World, enum_constants};
use lazuli_vm::unknown_code::KnownInvariants;
use lazuli_vm::value::{Kind, ObjId};

use crate::path::{Finished, Path};
use crate::report::summary::Summary;
use crate::technique::calls::ByCalls;
use crate::technique::{Technique, TechniqueChoice};
use crate::worker::frontier::Frontier;
use crate::worker::pool::CALL_TIME;
use crate::worker::pool::StatePool;
use crate::worker::pools::RetainedPool;
use crate::worker::{Continuation, SOLVER_TIME, Worker};
use crate::{Config, Detail, Failure, Needing, NotBegun, Progress, RequestError, recipes, technique};

impl<'a> Worker<'a> {
    /// Starts the virtual machine, initialises the target's class and makes the inputs symbolic.
    pub(crate) fn boot(
        program: &Arc<Program>,
        method: &'static Method,
        config: &'a Config,
        progress: &'a Progress,
    ) -> Result<Worker<'a>, Failure> {
        let (vm, start) = started(program, method, config, progress, None)?;
        Worker::made_of(RetainedPool { vm, start, pool: StatePool::default() }, method, config, progress, None)
    }

    /// The same where calls of a workshop make the inputs. What the method before it left is used, if it left something.
    pub(crate) fn boot_for_made(
        program: &Arc<Program>,
        method: &'static Method,
        config: &'a Config,
        progress: &'a Progress,
        workshop: Rc<Workshop>,
        retained: Option<RetainedPool>,
    ) -> Result<Worker<'a>, Failure> {
        let retained = match retained {
            Some(mut retained) => {
                retained.vm.limits = limits(config, progress);
                retained.vm.assumptions.clear();
                retained.vm.contract_ends.clear();
                retained.vm.contracts = config.contracts.clone();
                retained.vm.properties = config.properties.clone();
                retained.vm.seen_properties.clear();
                retained.vm.used_statics = Default::default();
                retained.vm.contract_reads.clear();
                retained
            }
            None => {
                let (vm, start) = started(program, method, config, progress, Some(&workshop))?;
                RetainedPool { vm, start, pool: StatePool::default() }
            }
        };
        Worker::made_of(retained, method, config, progress, Some(workshop))
    }

    fn made_of(
        retained: RetainedPool,
        method: &'static Method,
        config: &'a Config,
        progress: &'a Progress,
        workshop: Option<Rc<Workshop>>,
    ) -> Result<Worker<'a>, Failure> {
        let RetainedPool { mut vm, start, pool } = retained;
        vm.rules.skips_messages = skips_messages(config);
        let contract = Contract::of(&vm.program, method, &config.contract)?;
        let recipes = recipes(&vm.program, method, config)?;
        let mut bounds = config.bounds.clone();
        bounds.touched = config.touched();
        bounds.has_recipes &= method.class().is_users();
        if let Some(workshop) = &workshop {
            bounds.made = workshop.made.clone();
        }
        // An object that calls made is known before the method begins, and its precondition is simply executed.
        let is_made = !recipes.is_empty() || workshop.is_some();
        let asked_conditions = match config.technique.asks_preconditions() && !is_made {
            true => contract.receiver_conditions(&vm.program, method),
            false => Vec::new(),
        };
        let with_conditions =
            |invariants: &[Invariant]| invariants.iter().chain(&asked_conditions).copied().collect::<Vec<Invariant>>();
        let invariants = with_conditions(&contract.invariants);
        let setup = TechniqueSetup {
            invariants: &invariants,
            heap_invariants: &contract.heap_invariants,
            hybrid_invariants: &with_conditions(&contract.hybrid_invariants),
            backbone: &config.valid.backbone,
            has_loose_bounds: config.valid.loose_bounds,
            reuses: config.valid.reuse,
            means: config.valid.means,
            target: Some(method),
            verdicts: &config.valid.verdicts,
        };
        let no_technique = |choice: &TechniqueChoice| {
            let name = choice.to_string();
            Failure::from(RequestError::NoTechnique { name, techniques: technique::names() })
        };
        let made = |choice: &TechniqueChoice, setup: &TechniqueSetup| -> Result<Box<dyn Technique>, Failure> {
            let technique = choice.make(setup).ok_or_else(|| no_technique(choice))?;
            Ok(match workshop {
                Some(_) => Box::new(ByCalls { others: technique }),
                None => technique,
            })
        };
        let technique = made(&config.technique, &setup)?;
        let other_technique = made(&technique::PLAIN.into(), &TechniqueSetup::empty(&config.valid.verdicts))?;
        // Of what calls made, only numbers are open: there is little to search for, and the circuit is about other inputs.
        let means = if recipes.is_empty() && workshop.is_none() { config.valid.means } else { Means::Search };
        let solver_limits =
            SolverLimits { time: SOLVER_TIME, deadline: config.limits.deadline, stop: Some(progress.stop.clone()) };
        Ok(Worker {
            vm,
            start,
            method,
            config,
            progress,
            technique,
            completer: Completer::new(&invariants, means),
            contract,
            asked_conditions,
            recipes,
            workshop,
            pool,
            entries: Default::default(),
            other_technique,
            other_solver_time: CALL_TIME,
            bounds,
            chain: Chain::new(),
            solver_limits,
            frontier: Frontier::new(config.order),
            summary: Summary::new(config.report.count_shapes, config.technique.starts_with_invariants()),
            cut: None,
            last_meaning: None,
            lost_exchange: None,
            looks: 0,
            checks_return: false,
            nodes: Default::default(),
            visited: Default::default(),
        }
        .with_duties())
    }

    /// Finds out whether anything is checked at the end of the method.
    fn with_duties(mut self) -> Self {
        let (program, options) = (&self.vm.program, &self.config.contract);
        let owes = |exit| !self.contract.obligations(program, self.method, options, exit).is_empty();
        self.checks_return = owes(CompletionKind::Return) || owes(CompletionKind::Throw);
        self
    }

    /// Lets the technique find out what all paths need to know, or take it from another worker that did.
    pub(crate) fn prepare(&mut self, shared: &Arc<SharedTable>) {
        let Ok(inputs) = self.inputs() else { return };
        // The bounds that it meets matter where they exclude something.
        self.with_technique(&mut BTreeSet::new(), |technique, tools| technique.prepare(tools, &inputs, shared));
    }

    /// The path before the method is entered, with everything unknown.
    pub(crate) fn inputs(&mut self) -> Result<Path, Stop> {
        let mut path = self.start.fork();
        let class = self.config.contract.receiver_of(self.method);
        if self.method.name != "<init>" && !self.method.is_static() {
            if class.access & access::ENUM != 0 {
                return self.constant_inputs(path, class);
            }
            self.add_receiver(&mut path, class)?;
        }
        self.add_parameters(&mut path);
        Ok(path.into())
    }

    /// Adds a receiver of which nothing is known.
    pub(super) fn add_receiver(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        let world = self.bounds.world;
        let Some(possible) = self.vm.program.receiver_classes(class, self.method, world) else {
            let what = Reason::NoReceiver { class: class.java_name() };
            return Err(End::unsupported(what, self.method.full_name()).into());
        };
        if World::Open.has_others(&self.vm.program, class)
            && !possible.possible().is_some_and(|possible| possible.others)
        {
            let is_closed = world == World::Closed;
            self.summary.restricted(if is_closed { &Restriction::Closed } else { &Restriction::ClassPath });
        }
        let receiver = self.vm.new_receiver(state, class, possible);
        state.add_root("this", receiver.into(), None);
        Ok(())
    }

    /// The same where the receiver is a constant of an enumeration, like an argument that is not null.
    fn constant_inputs(&mut self, mut state: State, class: &'static Class) -> Result<Path, Stop> {
        let constants = enum_constants(&self.vm.program, &state, class);
        let runs = |constant: &ObjId| {
            let found = self.vm.program.select(state.heap.class(*constant), self.method);
            found.is_some_and(|found| found.id == self.method.id)
        };
        match constants.iter().filter(|constant| runs(constant)).count() {
            0 => {
                let what = Reason::NoReceiver { class: class.java_name() };
                Err(End::unsupported(what, self.method.full_name()).into())
            }
            some if some < constants.len() => {
                let what = Reason::from("a method that only some constants of its enumeration inherit");
                Err(End::unsupported(what, self.method.full_name()).into())
            }
            _ => {
                self.vm.new_argument(&mut state, "this", class, false);
                self.add_parameters(&mut state);
                Ok(state.into())
            }
        }
    }

    pub(super) fn add_parameters(&mut self, state: &mut State) {
        let classes = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        let nullable = self.nullable_parameters(self.method);
        let typed = classes.into_iter().zip(self.vm.program.generic_parameters(self.method));
        for ((name, declared), may_be_null) in parameter_names(self.method).into_iter().zip(typed).zip(nullable) {
            self.vm.new_typed_argument(state, &name, declared, may_be_null);
        }
    }

    /// For each parameter of a method that the exploration calls, whether it may be null. The verdict assumes what annotations say.
    pub(super) fn nullable_parameters(&mut self, method: &'static Method) -> Vec<bool> {
        let says = never_null(&self.vm.program, method);
        for (name, by) in parameter_names(method).into_iter().zip(&says) {
            let Some(by) = by else { continue };
            let parameter = match method.id == self.method.id {
                true => name,
                false => format!("{name} of {}.{}", self.vm.program.short_name(method.class()), signature(method)),
            };
            self.summary.assumptions.insert(Assumption::NeverNull { parameter, by: by.to_string() });
        }
        let mut nullable: Vec<bool> = says.iter().map(Option::is_none).collect();
        // `outer.new Inner()` checks the object around before the constructor begins.
        if method.name == "<init>" && method.class().is_member_of_object() {
            nullable.iter_mut().take(1).for_each(|outer| *outer = false);
        }
        nullable
    }

    /// The path at the entry of the method, or of what is executed before it.
    pub(super) fn entry(&mut self) -> Continuation {
        let is_made = !self.recipes.is_empty();
        let mut path = match is_made {
            true => self.inputs_to_make(),
            false => match self.inputs() {
                Ok(path) => path,
                Err(stop) => return Continuation::Over(Finished::at_entry(self.start.fork(), stop)),
            },
        };
        if !self.technique.starts_with_invariants() {
            path.stage = self.contract.invariants.len();
        }
        if is_made {
            return Continuation::GoesOn(path);
        }
        match self.begin_stage(&mut path) {
            Ok(()) => Continuation::GoesOn(path),
            Err(stop) => self.next_stage(Finished::at_entry(path, stop)),
        }
    }
}

/// Where every path begins: the virtual machine is up, the target's class is initialised.
fn started(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    workshop: Option<&Workshop>,
) -> Result<(Vm, State), Failure> {
    let mut vm = Vm::new(program.clone(), Box::new(Silent::default()), limits(config, progress));
    let mut start = State::default();
    if let Err(stop) = boot::boot(&mut vm, &mut start) {
        return Err(not_begun(&vm, Finished::at_entry(start, stop), Needing::Library));
    }
    vm.is_exploring = true;
    vm.rules = InputRules {
        length: config.bounds.length(),
        all_units: config.bounds.has_all_units,
        touched: config.touched(),
        delays_comparisons: config.technique.bounds_touched_elements(),
        compares_in_contracts: config.technique.starts_with_invariants(),
        world: config.bounds.world,
        // A whole program makes all that its static fields hold.
        unknown_statics: config.program.is_none(),
        // Where calls make the inputs, they also make what static fields hold that nothing else can write.
        known_private_statics: workshop.is_some(),
        jdk_inputs: !method.class().is_users(),
        decides_lengths: false,
        // Programs compute much before they ask.
        iterations: Some(match config.program {
            Some(_) => config.bounds.iterations().saturating_mul(100),
            None => config.bounds.iterations(),
        }),
        numbers: config.bounds.numbers(),
        // That all of them can be resolved was validated.
        regions: config.bounds.regions.clone(),
        fields: config.bounds.fields.iter().filter_map(|limit| limit.resolve(program).ok()).collect(),
        ambient: config.ambient,
        pure: config.pure.clone(),
        havoc: config.havoc,
        skips_messages: skips_messages(config),
        program: config.program.as_ref().map(|program| program.arguments.clone()),
        spurious: config.threads.spurious,
    };
    let (known, options) = (program.clone(), config.contract.clone());
    vm.invariants = Some(KnownInvariants::new(move |class| invariant_of(&known, class, &options)));
    vm.contracts = config.contracts.clone();
    vm.properties = config.properties.clone();
    vm.forget_immutable_order(&mut start);
    if let Err(stop) = initialise_first(&mut vm, &mut start, method.class()) {
        let what = Needing::Initialiser(method.class().java_name());
        return Err(not_begun(&vm, Finished::at_entry(start, stop), what));
    }
    let parameters = parameter_classes(&vm.program, method)?;
    let mut types = parameters.clone();
    types.extend(workshop.into_iter().flat_map(|workshop| workshop.types.iter().copied()));
    let made = |workshop: &&Workshop| {
        let on = |class: &&'static Class| methods_on(program, class);
        let of_objects: Vec<&'static Method> = workshop.classes.iter().flat_map(on).collect();
        workshop.constructors.iter().chain(&workshop.statics).copied().chain(of_objects).collect::<Vec<_>>()
    };
    let calls = workshop.as_ref().map(made).unwrap_or_default();
    for method in calls.into_iter().chain([method]) {
        let generics = program.generic_parameters(method);
        generics.iter().flatten().for_each(|generic| add_classes(generic, &mut types));
    }
    initialise_types_of_inputs(&mut vm, &mut start, config.contract.receiver_of(method), &types);
    let recipes = recipes(program, method, config)?;
    let is_needed = |declared: &&'static Class| {
        declared.access & access::ENUM != 0 || recipes.iter().any(|recipe| recipe.class.id == declared.id)
    };
    let made = workshop.into_iter().flat_map(|workshop| workshop.classes.iter().copied());
    for class in parameters.into_iter().filter(is_needed).chain(made) {
        if let Err(stop) = initialise_first(&mut vm, &mut start, class) {
            let what = Needing::Initialiser(class.java_name());
            return Err(not_begun(&vm, Finished::at_entry(start, stop), what));
        }
    }
    start.symbols.condition.witness = Some(Rc::default());
    start.heap.settle();
    start.symbols.origin = Some(Rc::new(start.heap.clone()));
    Ok((vm, start))
}

fn limits(config: &Config, progress: &Progress) -> Limits {
    Limits {
        deadline: config.limits.deadline,
        memory: config.limits.memory,
        stop: Some(progress.stop.clone()),
        ..Limits::default()
    }
}

/// Says why there are no paths. A class that is missing must be there before anything can be said.
fn not_begun(vm: &Vm, finished: Finished, what: Needing) -> Failure {
    let Finished { path, end } = &finished;
    match (finished.thrown(), vm.reason(path, end)) {
        (Some((path, exception)), _) => {
            let origin = vm.origin_of(path, exception);
            let place = vm.describe_trace(path, origin, 3).join(", ");
            let thrown = vm.describe_throwable(path, origin);
            Failure::Begin { what, why: NotBegun::Threw { thrown, place } }
        }
        (_, Some((Reason::Class(fault), _))) => Failure::Class { what, fault },
        (_, Some((why, at))) => Failure::Begin { what, why: NotBegun::Unknown { why: Box::new(why), at } },
        _ => Failure::Begin { what, why: NotBegun::Ended },
    }
}

/// Initialises a class before all paths. Where what it takes from outside decides how, it gets the values of one run: there is no path yet
/// that could fork.
fn initialise_first(vm: &mut Vm, start: &mut State, class: &'static Class) -> Result<(), Stop> {
    let before = start.fork();
    match vm.initialise_fully(start, class) {
        Err(Stop::Ask(_)) => {
            *start = before;
            let usual = std::mem::replace(&mut vm.rules.ambient, Ambient::Concrete);
            let initialised = vm.initialise_fully(start, class);
            vm.rules.ambient = usual;
            initialised
        }
        initialised => initialised,
    }
}

/// Initialises a class, or leaves that to the path that needs it.
fn initialise_if_possible(vm: &mut Vm, start: &mut State, class: &'static Class) {
    let before = start.fork();
    if vm.initialise_fully(start, class).is_err() {
        *start = before;
    }
}

/// The other classes of the user whose static fields the code of a class names, and which may hold objects that inputs refer to.
fn holders(program: &Program, class: &'static Class) -> Vec<&'static Class> {
    let names = program.field_owners(class);
    let holds = |other: &&'static Class| {
        let is_reference = |field: &Field| field.is_static() && field.kind == Kind::Reference;
        other.is_users() && other.id != class.id && other.fields.iter().any(is_reference)
    };
    names.into_iter().filter_map(|name| program.load(name).ok()).filter(holds).collect()
}

/// Initialises the user's classes of which there may be objects at entry: theirs were initialised when these were made. Also those whose static
/// fields their code names: an input may be what these hold, and is decided before a path comes there.
fn initialise_types_of_inputs(vm: &mut Vm, start: &mut State, receiver: &'static Class, parameters: &[&'static Class]) {
    let mut reached: Vec<&'static Class> = vec![receiver];
    reached.extend(parameters);
    let mut next = 0;
    while let Some(&class) = reached.get(next) {
        next += 1;
        let element = std::iter::successors(Some(class), |class| class.component()).last().unwrap_or(class);
        if !element.is_users() || element.is_open() {
            continue;
        }
        initialise_if_possible(vm, start, element);
        let behind: Vec<&'static Class> = vm.program.enumerations_behind(element).collect();
        for enumeration in behind {
            initialise_if_possible(vm, start, enumeration);
        }
        for holder in holders(&vm.program, element) {
            initialise_if_possible(vm, start, holder);
        }
        let fields = element.chain().flat_map(|owner| owner.fields.iter().map(move |field| (owner, field)));
        for (owner, field) in fields.filter(|(_, field)| !field.is_static()) {
            let mut kinds: Vec<&'static Class> = vm.program.load_descriptor(field.descriptor).into_iter().collect();
            if let Some(generic) = vm.program.generic_of(owner, field) {
                add_classes(&generic, &mut kinds);
            }
            for kind in kinds {
                if !reached.iter().any(|known| known.id == kind.id) {
                    reached.push(kind);
                }
            }
        }
    }
}

/// Adds the classes of the user that a type names: an element of a `List<Colour>` is a constant of an enumeration.
fn add_classes(generic: &GenericType, classes: &mut Vec<&'static Class>) {
    classes.extend(Some(generic.class).filter(|class| element_of(class).is_users()));
    generic.arguments.iter().chain(&generic.also).for_each(|part| add_classes(part, classes));
}

/// May the messages of exceptions that leave the method stay empty? Lists of paths show them, and clauses ask for them.
fn skips_messages(config: &Config) -> bool {
    config.report.detail != Detail::AllPaths && config.contract.specification.is_none()
}
