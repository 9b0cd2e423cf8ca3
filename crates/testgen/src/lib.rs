//! Which Java program replays a path of an exploration?
//!
//! An exploration finds inputs as heaps; a test must build them with statements. [`TestPlanner`] finds a plan of such statements
//! ([`lazuli_reach::plan`]): the calls that made the input on its path, where calls did (`calls`), other calls of public methods where some
//! sequence makes the object, constructors and assignments to fields otherwise (`input`), reflection as a last resort. [`java`] writes a plan as a plain program or as a JUnit test.
//!
//! Invariants: a plan is executed in the interpreter before it is returned, and returned only if it makes the same heap as the case, or makes
//! the calls that did, and the target then ends as it did in the exploration; a violated clause of JML becomes part of a test only if a program can see all that
//! it refers to (`clause_check`). A case without a test is a [`NoPlan`], which is data.
//!
//! Deliberately absent: running `javac` and `java`, choosing among tests, and every sentence for the user, which are in the command line.

#![warn(missing_docs, unreachable_pub)]

mod calls;
mod clause_check;
mod effect;
mod error;
mod implement;
mod input;
pub mod java;
mod schedule;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Instant;

pub use clause_check::ViolatedClause;
pub use effect::{EffectPlace, EffectValue, VisibleEffect};
pub use error::{NoClause, NoPlan, PlanReference};
pub use schedule::{ForcedSchedule, ForcedStep, StandingPlace, StepKind};

use lazuli_explore::{CallHistory, Case, Config, Coverage, Ended, ended, message};
use lazuli_reach::plan::{Operand, Plan, Stage, Step};
use lazuli_reach::sequence::Sequences;
use lazuli_spec::{CompletionKind, Contract, EndValues, Obligation};
use lazuli_vm::ambient::IMMUTABLE_ORDER;
use lazuli_vm::boot;
use lazuli_vm::contracts::KnownContracts;
use lazuli_vm::heap::Body;
use lazuli_vm::host::Silent;
use lazuli_vm::interp::{Example, InputRules, Limits, Vm, Walk};
use lazuli_vm::library::held_by;
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, Field, Method, Program, access};
use lazuli_vm::snapshot::{Camera, Contents, Datum, holder, is_same_heap, reachable};
use lazuli_vm::state::{Initialisation, State};
use lazuli_vm::value::{ObjId, Value};

use clause_check::PreState;
use effect::effects;
use input::{BuildOptions, InputBuilder};

/// A loop of the user's code with more iterations ends the execution of a plan.
const MOST_ITERATIONS: u32 = 100_000;
/// The fields that are followed from an argument to a result.
const LONGEST_ROUTE: usize = 4;

/// How an input is made; the later, the less readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Construction {
    /// By constructors and public methods alone.
    Calls,
    /// By constructors and by fields that the test may set.
    Fields,
    /// By reflection, at least in part.
    Reflection,
}

/// A plan, and the result of its execution in the interpreter.
#[derive(Clone, Debug)]
pub struct ExecutedPlan {
    /// The statements.
    pub plan: Plan,
    /// How they make the input.
    pub construction: Construction,
    /// How the call of the target ended.
    pub result: CallResult,
    /// The invariants and the postcondition at the end.
    pub post_checks: Vec<PostCheck>,
    /// The clause of JML that is violated.
    pub violated: Option<ViolatedClause>,
    /// The lines and branches that were executed.
    pub coverage: Coverage,
    /// Static fields that the execution changed.
    pub modified_statics: Vec<ModifiedStatic>,
    /// The effects of the call that a test can see.
    pub effects: Vec<VisibleEffect>,
    /// Are its steps the calls that made the input when it was found?
    pub is_as_found: bool,
    /// In which order its threads must run; none if there is one thread only.
    pub schedule: Option<ForcedSchedule>,
}

/// How the target ended.
#[derive(Clone, Debug)]
pub enum CallResult {
    /// By a return; an assertion about the result, unless the target is void.
    Returned(Option<ResultAssertion>),
    /// By an exception.
    Threw {
        /// Of the exception.
        class: &'static Class,
        /// Of the exception.
        message: Option<String>,
        /// The innermost frames: `pkg.Class.method(File.java:12)`.
        trace: Vec<String>,
    },
    /// Not at all: its threads wait for each other, or for ever.
    Deadlock,
}

/// An assertion about a result.
#[derive(Clone, Debug)]
pub enum ResultAssertion {
    /// Equal to, or for objects the same as, what is written.
    Operand(Operand),
    /// The object that was there before the call, behind fields that the test may read.
    Route {
        /// The position of the argument at which the route begins.
        argument: usize,
        /// The fields that lead to the object.
        fields: Vec<&'static Field>,
    },
    /// A box of this value.
    Boxed {
        /// Of the box.
        class: &'static Class,
        /// Its value.
        value: Datum,
    },
    /// A string of these UTF-16 units.
    Text(Vec<u16>),
    /// A new array of primitives.
    Elements {
        /// Of the array.
        class: &'static Class,
        /// The elements.
        values: Vec<Datum>,
    },
    /// Some other object.
    Object(&'static Class),
}

/// A static field that has another value than after the initialisation of its class, or leads to an object that was changed. A test must reset it before the
/// next one in the same JVM.
#[derive(Clone, Debug)]
pub struct ModifiedStatic {
    /// The class that declares the field.
    pub owner: &'static Class,
    /// The field.
    pub field: &'static Field,
    /// Its value after the initialisation; none if no literal can express it.
    pub before: Option<Operand>,
}

/// A method that must return true after the target: an invariant of the receiver, or the postcondition.
#[derive(Clone, Copy, Debug)]
pub struct PostCheck {
    /// The method.
    pub method: &'static Method,
    /// Is it the postcondition?
    pub is_post: bool,
    /// Did it return true?
    pub holds: bool,
}

/// Seeds of `Set.of` and `Map.of`: both directions, each from several places of a small table.
const ORDERS: [u32; 6] = [0, 1, 0x2AAA_AAAA, 0x5555_5555, 0x9E37_79B8, 0xC2B2_AE35];

/// Boots the library and initialises the class of the target, with `Set.of` and `Map.of` in an order of their own or in a given one.
fn initialise(vm: &mut Vm, start: &mut State, method: &'static Method, order: Option<u32>) -> Result<(), NoPlan> {
    let class = method.class();
    let failed = |stop: Stop| NoPlan::NotInitialised { class: class.java_name(), cut: stop.limit() };
    boot::boot(vm, start).map_err(failed)?;
    if let Some(salt) = order {
        vm.choose_immutable_order(start, salt);
    }
    vm.initialise_fully(start, class).map_err(failed)
}

/// The case with its objects as they were before the calls that made its input.
fn at_first(case: &Case, history: &CallHistory) -> Case {
    let mut case = case.clone();
    for (cell, known) in &history.originals {
        match &mut case.heap[*cell].contents {
            Contents::Fields(values) | Contents::Elements(values) => {
                let datum = |at: usize| known.get(&at).copied().unwrap_or(Datum::Any);
                *values = (0..values.len()).map(datum).collect();
            }
            // All elements are known, and calls may have changed how many there are.
            Contents::Library { values, .. } => *values = known.values().copied().collect(),
            _ => {}
        }
    }
    case
}

/// Objects behind one static field that are compared.
const MOST_STATIC_OBJECTS: usize = 10_000;

/// Finds and executes plans for one target.
pub struct TestPlanner {
    vm: Vm,
    start: State,
    method: &'static Method,
    contract: Contract,
    config: Config,
    sequences: Sequences,
}

impl TestPlanner {
    /// Boots the library and initialises the class of the target. Executions end at the deadline.
    pub fn new(
        program: &Arc<Program>,
        method: &'static Method,
        config: &Config,
        deadline: Option<Instant>,
    ) -> Result<TestPlanner, NoPlan> {
        let limits = Limits { deadline, memory: config.limits.memory, ..Limits::default() };
        let mut vm = Vm::new(program.clone(), Box::new(Silent::default()), limits);
        vm.rules = InputRules { iterations: Some(MOST_ITERATIONS), ..InputRules::default() };
        // On a JVM, code runs that is there.
        vm.contracts = config.contracts.as_ref().map(KnownContracts::of_missing_code);
        let mut start = State::default();
        initialise(&mut vm, &mut start, method, None)?;
        let contract = Contract::of(&vm.program, method, &config.contract).map_err(NoPlan::Contract)?;
        Ok(TestPlanner { vm, start, method, contract, config: config.clone(), sequences: Sequences::default() })
    }

    /// The package of the tests, with slashes: that of the target, unless it is one of the JDK, to which programs may not add.
    pub fn package(&self) -> &'static str {
        self.method.class().package_of_programs()
    }

    /// Finds the most readable plan that makes the input of a case and leads to the same end. The error is about the most readable attempt.
    pub fn plan(&mut self, case: &Case) -> Result<ExecutedPlan, NoPlan> {
        // The result of a run may depend on values that do not decide how it ends.
        let depends_on = match case.ended {
            Ended::Threw { .. } => &case.depends_on,
            _ => &case.takes,
        };
        if depends_on.iter().any(|name| !name.starts_with(IMMUTABLE_ORDER)) {
            return Err(NoPlan::DependsOnOutside(depends_on.clone()));
        }
        let depends = || NoPlan::DependsOnOutside(depends_on.clone());
        let planned = self.plan_as_it_is(case).map_err(|why| if depends_on.is_empty() { why } else { depends() })?;
        // The order of `Set.of` is another one in each run: the end must not depend on it.
        for salt in if depends_on.is_empty() { &[][..] } else { &ORDERS } {
            let mut other = State::default();
            initialise(&mut self.vm, &mut other, self.method, Some(*salt))?;
            let usual = std::mem::replace(&mut self.start, other);
            let sequences = std::mem::take(&mut self.sequences);
            let again = self.plan_as_it_is(case);
            (self.start, self.sequences) = (usual, sequences);
            again.map_err(|_| depends())?;
        }
        Ok(planned)
    }

    /// The same, with `Set.of` and `Map.of` in the order of the start.
    fn plan_as_it_is(&mut self, case: &Case) -> Result<ExecutedPlan, NoPlan> {
        if case.ended == Ended::Otherwise {
            return Err(NoPlan::EndsJvm);
        }
        if !self.can_call_target() {
            return Err(NoPlan::NoConstructor { class: self.method.class().java_name() });
        }
        let mut first_failure = None;
        let history = case.history.as_ref().filter(|history| !history.calls.is_empty());
        let first = history.map(|history| at_first(case, history));
        for (has_literals, sets_statics) in [(true, false), (true, true), (false, false)] {
            let (Some(history), Some(first)) = (history, &first) else { break };
            let options = BuildOptions { package: self.package(), has_constructors: true, has_literals };
            let stage = Stage { state: self.start.fork(), made: Vec::new() };
            let tried = InputBuilder::new(&mut self.vm, stage, first, options).replay(history, sets_statics);
            match tried.and_then(|(plan, stage)| self.execute(case, plan, stage)) {
                Ok(executed) => return Ok(ExecutedPlan { is_as_found: true, ..executed }),
                Err(why) => drop(first_failure.get_or_insert(why)),
            }
        }
        for (has_calls, has_constructors, has_literals) in
            [(true, true, true), (false, true, true), (false, false, true), (false, true, false), (false, false, false)]
        {
            let options = BuildOptions { package: self.package(), has_constructors, has_literals };
            let tried = self.build(case, options, has_calls).and_then(|(plan, stage)| {
                self.compare(case, &plan, &stage)?;
                self.execute(case, plan, stage)
            });
            match tried {
                Ok(executed) => return Ok(executed),
                // The first attempt is the most natural one, and its failure the most helpful.
                Err(why) => drop(first_failure.get_or_insert(why)),
            }
        }
        Err(first_failure.unwrap_or(NoPlan::OtherInput))
    }

    /// Builds the input with these means, without the call of the target.
    fn build(&mut self, case: &Case, options: BuildOptions, has_calls: bool) -> Result<(Plan, Stage), NoPlan> {
        let stage = Stage { state: self.start.fork(), made: Vec::new() };
        let object = |datum: &Datum| match datum {
            Datum::Object(index) => Some(*index),
            _ => None,
        };
        let statics = case.statics.iter().map(|input| &input.value);
        let mut roots: Vec<usize> = Vec::new();
        for root in case.arguments.iter().chain(statics).filter_map(object) {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        let mut sequences = Vec::new();
        for (position, root) in roots.iter().enumerate().filter(|_| has_calls) {
            let parts = reachable(&case.heap, &[*root]);
            let others: Vec<usize> =
                roots.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, root)| *root).collect();
            let elsewhere = reachable(&case.heap, &others);
            let is_shared = |part: &&usize| {
                elsewhere.binary_search(part).is_ok() && Operand::inline(&case.heap[**part], true).is_none()
            };
            if parts.iter().any(|part| is_shared(&part)) {
                continue;
            }
            if let Some(steps) = self.sequences.find(&mut self.vm, &self.start, &case.heap, *root, options.package) {
                let own = parts.into_iter().filter(|part| elsewhere.binary_search(part).is_err() && part != root);
                sequences.push((*root, steps, own.collect::<Vec<usize>>()));
            }
        }
        let mut builder = InputBuilder::new(&mut self.vm, stage, case, options);
        for (root, steps, parts) in sequences {
            builder.take_over(root, &steps, &parts)?;
        }
        builder.finish()
    }

    /// Calls the target on an input that was built, and compares the end with that of the path.
    fn execute(&mut self, case: &Case, plan: Plan, mut stage: Stage) -> Result<ExecutedPlan, NoPlan> {
        let mut given: Vec<Value> = Vec::new();
        for argument in &plan.arguments {
            given.push(stage.value(&mut self.vm, argument).map_err(NoPlan::Step)?);
        }
        let target = self.method;
        if let (false, Some(Value::Ref(Some(receiver)))) =
            (target.is_static() || target.is_private() || target.name == "<init>", given.first())
            && let class = stage.state.heap.class(*receiver)
            && self.vm.select(class, target).is_none_or(|selected| selected.id != target.id)
        {
            return Err(NoPlan::Overridden { class: class.java_name() });
        }
        if target.name == "<init>" {
            given.insert(0, stage.state.heap.allocate(target.class()).into());
        }
        let specification = self.contract.specification.clone();
        let clause = case.broken_clause.as_ref().zip(specification.as_deref());
        let past = clause.map(|(_, said)| PreState::new(&mut self.vm, &mut stage.state, said, &given)).transpose()?;
        let before = stage.state.fork();
        let calls = stage.script(&mut self.vm, &plan.calls).map_err(NoPlan::Step)?;
        // A thread that waits for ever may be alone, and have done nothing that others could notice.
        let has_threads = !case.schedule.is_empty() || case.ended == Ended::Deadlock;
        self.vm.walk = Some(if has_threads { Walk::with_operations() } else { Walk::default() });
        stage.state.thread = Default::default();
        // A call whose precondition is false is performed by nothing, and yet replaced by its contract.
        let has_replaced = !calls.is_empty() || self.vm.contracts.is_some() || has_threads;
        let schedule = case.schedule.clone();
        self.vm.example = has_replaced.then(|| Example { calls, schedule, ..Example::default() });
        // Without a schedule, a run that starts threads would end by chance.
        self.vm.may_start_threads = has_threads;
        // The program's own handling of an exception that nothing catches is no part of a path, where the exception is the end.
        self.vm.is_exploring = has_threads && !case.asks;
        let owes = |kind| !self.contract.obligations(&self.vm.program, target, &self.config.contract, kind).is_empty();
        self.vm.checks_return = owes(CompletionKind::Return) || owes(CompletionKind::Throw);
        let stop = self.vm.call(&mut stage.state, target, &given);
        (self.vm.may_start_threads, self.vm.is_exploring, self.vm.example) = (false, false, None);
        let mut walk = self.vm.walk.take().unwrap_or_default();
        let schedule = walk.performed.take().and_then(|performed| schedule::forced(&self.vm, &stage.state, &performed));
        let found = ended(&self.vm, &stage.state, &stop);
        if found != case.ended {
            return Err(NoPlan::OtherEnd { found, expected: case.ended.clone() });
        }
        let post_checks = self.post_checks(&stage.state, &given, &stop);
        let is_broken = match (&clause, &past, &stop) {
            (Some((clause, said)), Some(past), Stop::End(end)) => {
                let owed = self.owed(end);
                !past.holds(&mut self.vm, &stage.state, end, &given, clause, (said, &owed))?
            }
            _ => post_checks.iter().any(|check| !check.holds),
        };
        // After an exception that is a fault itself, nothing is owed.
        let owes = case.is_broken() || matches!(case.ended, Ended::Returned(_));
        if owes && is_broken != case.is_broken() {
            return Err(NoPlan::OtherVerdict);
        }
        let violated = clause.zip(past).map(|((clause, said), past)| past.violated(clause, said));
        let effects = effects(&mut self.vm, target, &plan, &given, (&before, &stage.state));
        let result = match stop {
            Stop::End(End::Returned(value)) => {
                let assertion = || self.assertion(&plan, &before, &stage, &given, value);
                CallResult::Returned((value != Value::Top).then(assertion))
            }
            Stop::End(End::Threw(exception)) => CallResult::Threw {
                class: stage.state.heap.class(exception),
                message: message(&mut self.vm, &stage.state, exception),
                trace: self.vm.describe_trace(&stage.state, exception, 8),
            },
            Stop::End(End::Deadlock) => CallResult::Deadlock,
            stop => return Err(NoPlan::NoEnd { cut: stop.limit() }),
        };
        let construction = self.construction(&plan);
        let coverage = Coverage::of(&self.vm.program, &walk);
        let modified_statics = self.modified_statics(&stage.state);
        let is_as_found = false;
        Ok(ExecutedPlan {
            plan,
            construction,
            result,
            post_checks,
            violated,
            coverage,
            modified_statics,
            effects,
            is_as_found,
            schedule,
        })
    }

    /// May a program call the target, if it is a constructor?
    fn can_call_target(&self) -> bool {
        let class = self.method.class();
        let is_open = || !class.is_abstract() && self.vm.program.can_call(self.method, self.package());
        self.method.name != "<init>" || is_open()
    }

    /// Did the plan make what the case describes?
    fn compare(&mut self, case: &Case, plan: &Plan, stage: &Stage) -> Result<(), NoPlan> {
        let mut stage = stage.fork();
        let mut given: Vec<Value> = Vec::new();
        for argument in &plan.arguments {
            given.push(stage.value(&mut self.vm, argument).map_err(NoPlan::Step)?);
        }
        let unread = BTreeSet::new();
        let mut camera = Camera::new(&self.vm, &stage.state, &unread);
        let mut pairs: Vec<(Datum, Datum)> = Vec::new();
        for (wanted, value) in case.arguments.iter().zip(given) {
            pairs.push((*wanted, camera.take(value)));
        }
        for input in &case.statics {
            let mirror = stage.state.classes.slot(input.owner.id).mirror;
            let slot = self.vm.program.slot_of(input.field) as usize;
            let value = mirror.map_or(Value::Top, |mirror| stage.state.heap.field(mirror, slot));
            pairs.push((input.value, camera.take(value)));
        }
        match is_same_heap(&case.heap, &camera.finish(), &pairs) {
            true => Ok(()),
            false => Err(NoPlan::OtherInput),
        }
    }

    /// Evaluates the obligations at the end that are methods of the program's.
    fn post_checks(&mut self, state: &State, given: &[Value], stop: &Stop) -> Vec<PostCheck> {
        let Stop::End(end) = stop else { return Vec::new() };
        let owed = self.owed(end);
        let mut judged = Vec::new();
        for owed in owed.into_iter().filter(|owed| owed.clause().is_none()) {
            let arguments = owed.values(&EndValues { arguments: given, end, olds: &[] }, &[]);
            let mut state = state.fork();
            (state.thread, state.threads) = Default::default();
            // The program calls what the class of the receiver has.
            let method = owed.declared;
            let called = match arguments.first() {
                Some(Value::Ref(Some(object))) if !method.is_static() => {
                    self.vm.program.select(state.heap.class(*object), method).unwrap_or(method)
                }
                _ => method,
            };
            let holds = matches!(self.vm.call(&mut state, called, &arguments), Stop::End(End::Returned(Value::Int(1))));
            judged.push(PostCheck { method, is_post: !owed.is_invariant(), holds });
        }
        judged
    }

    fn owed(&self, end: &End) -> Vec<Obligation> {
        let Some(exit) = CompletionKind::of(end) else { return Vec::new() };
        self.contract.obligations(&self.vm.program, self.method, &self.config.contract, exit)
    }

    /// The strongest assertion about the result that source can express.
    fn assertion(&self, plan: &Plan, before: &State, stage: &Stage, given: &[Value], value: Value) -> ResultAssertion {
        let Value::Ref(Some(object)) = value else {
            let unread = BTreeSet::new();
            return ResultAssertion::Operand(Operand::Plain(Camera::new(&self.vm, &stage.state, &unread).take(value)));
        };
        let has_variable = |step: &Step| step.makes().is_some() || matches!(step, Step::Text { .. });
        let mut made = stage.made.iter().zip(&plan.steps);
        if let Some(step) = made.position(|(made, step)| *made == Some(object) && has_variable(step)) {
            return ResultAssertion::Operand(Operand::Made(step));
        }
        let heap = &stage.state.heap;
        let class = heap.class(object);
        if let Some((owner, field)) = holder(&self.vm, &stage.state, object) {
            return ResultAssertion::Operand(Operand::Held { owner: owner.name, field: field.name });
        }
        if class.id == self.vm.program.known().string.id {
            return ResultAssertion::Text(self.vm.units(&stage.state, object));
        }
        let unread = BTreeSet::new();
        if class.is_box {
            let value = Camera::new(&self.vm, &stage.state, &unread).take(heap.field(object, 0));
            return ResultAssertion::Boxed { class, value };
        }
        if class.component_kind().is_some_and(|kind| kind != lazuli_vm::value::Kind::Reference) {
            let mut camera = Camera::new(&self.vm, &stage.state, &unread);
            let index = camera.take(value);
            let cells = camera.finish();
            // Only the elements of a new array were all put there by the method.
            if let (Datum::Object(index), false) = (index, before.heap.contains(object))
                && let Contents::Elements(values) = &cells[index].contents
            {
                return ResultAssertion::Elements { class, values: values.clone() };
            }
        }
        match before.heap.contains(object).then(|| self.route(before, given, object)).flatten() {
            Some((argument, fields)) => ResultAssertion::Route { argument, fields },
            None => ResultAssertion::Object(class),
        }
    }

    /// How the test gets at an object that was there before the call: an argument, and fields that the types let it read.
    fn route(&self, before: &State, given: &[Value], wanted: ObjId) -> Option<(usize, Vec<&'static Field>)> {
        struct RoutedObject {
            object: ObjId,
            /// Its static type.
            known: &'static Class,
            argument: usize,
            fields: Vec<&'static Field>,
        }
        let (package, program) = (self.package(), &self.vm.program);
        let mut reached: Vec<RoutedObject> = Vec::new();
        for (argument, value) in given.iter().enumerate() {
            if let Value::Ref(Some(object)) = *value {
                reached.push(RoutedObject { object, known: before.heap.class(object), argument, fields: Vec::new() });
            }
        }
        let mut next = 0;
        while let Some(RoutedObject { object, known, argument, fields }) = reached.get(next) {
            next += 1;
            let (object, known, argument, fields) = (*object, *known, *argument, fields.clone());
            if fields.len() >= LONGEST_ROUTE || !known.is_users() || known.source_name(package).is_none() {
                continue;
            }
            for slot in 0..known.defaults.len() {
                let Some((owner, field)) = known.declaration_at(slot as u32) else { continue };
                let Value::Ref(Some(below)) = before.heap.field(object, slot) else { continue };
                let is_hidden = known.field(field.name).is_none_or(|found| !std::ptr::eq(found, field));
                let is_known = reached.iter().any(|other| other.object == below);
                if is_hidden || is_known || !program.can_use_field(owner, field, package) {
                    continue;
                }
                let fields: Vec<&'static Field> = fields.iter().copied().chain([field]).collect();
                if below == wanted {
                    return Some((argument, fields));
                }
                if let Ok(known) = program.load_descriptor(field.descriptor) {
                    reached.push(RoutedObject { object: below, known, argument, fields });
                }
            }
        }
        None
    }

    /// The static fields of the user's classes that are not as their initialisers left them.
    fn modified_statics(&mut self, after: &State) -> Vec<ModifiedStatic> {
        let program = self.vm.program.clone();
        let mut modified = Vec::new();
        // The class by which a program speaks to the exploration is set up by each test that needs it.
        for owner in program.users().iter().filter(|owner| owner.name != "lazuli/Lazuli") {
            let slot = after.classes.slot(owner.id);
            let (Some(mirror), Initialisation::Done) = (slot.mirror, slot.initialisation) else { continue };
            let mut clean = self.start.fork();
            clean.thread = Default::default();
            let is_wanted = |field: &&'static Field| field.is_static() && field.access & access::FINAL == 0;
            if !owner.fields.iter().any(|field| is_wanted(&field))
                || self.vm.initialise_fully(&mut clean, owner).is_err()
            {
                continue;
            }
            let Some(original) = clean.classes.slot(owner.id).mirror else { continue };
            for field in owner.fields.iter().filter(is_wanted) {
                let slot = program.slot_of(field) as usize;
                let (now, before) = (after.heap.field(mirror, slot), clean.heap.field(original, slot));
                if now != before {
                    modified.push(ModifiedStatic { owner, field, before: self.constant(&clean, before) });
                }
            }
        }
        let changed: HashSet<ObjId> = after.heap.changed_since(&self.start.heap).into_iter().collect();
        for owner in program.users().iter().filter(|owner| owner.name != "lazuli/Lazuli") {
            let slot = self.start.classes.slot(owner.id);
            let (Some(mirror), Initialisation::Done) = (slot.mirror, slot.initialisation) else { continue };
            for field in owner.fields.iter().filter(|field| field.is_static()) {
                let is_known =
                    modified.iter().any(|known| known.owner.id == owner.id && known.field.name == field.name);
                let held = self.start.heap.field(mirror, program.slot_of(field) as usize).object();
                if !is_known && held.is_some_and(|held| self.leads_to_change(held, after, &changed)) {
                    modified.push(ModifiedStatic { owner, field, before: None });
                }
            }
        }
        modified
    }

    /// Has a run changed an object that was there before, or one of those that it leads to? Collections count by their elements.
    fn leads_to_change(&self, object: ObjId, after: &State, changed: &HashSet<ObjId>) -> bool {
        let known = self.vm.program.known();
        let before = &self.start.heap;
        let mut seen: HashSet<ObjId> = HashSet::new();
        let mut waiting = vec![object];
        while let Some(object) = waiting.pop().filter(|_| seen.len() < MOST_STATIC_OBJECTS) {
            let class = before.class(object);
            if !seen.insert(object) || class.is_box || [known.string.id, known.class.id].contains(&class.id) {
                continue;
            }
            if let Some(held) = held_by(before, object) {
                let now = held_by(&after.heap, object);
                if now.is_none_or(|now| now.values != held.values) {
                    return true;
                }
                waiting.extend(held.values.iter().filter_map(|value| value.object()));
                continue;
            }
            if changed.contains(&object) {
                return true;
            }
            if let (Body::Fields(values) | Body::Refs(values), true) =
                (&before.get(object).body, class.is_users() || class.is_array())
            {
                waiting.extend(values.iter().filter_map(|value| value.object()));
            }
        }
        false
    }

    /// A value that needs no object of its own.
    fn constant(&self, state: &State, value: Value) -> Option<Operand> {
        let unread = BTreeSet::new();
        let mut camera = Camera::new(&self.vm, state, &unread);
        match camera.take(value) {
            Datum::Object(index) => {
                let cells = camera.finish();
                Operand::inline(&cells[index], true)
            }
            plain => Some(Operand::Plain(plain)),
        }
    }

    fn construction(&self, plan: &Plan) -> Construction {
        if plan.steps.iter().any(Step::is_reflective) {
            return Construction::Reflection;
        }
        let is_set = |step: &Step| matches!(step, Step::Set { .. } | Step::SetStatic { .. });
        if plan.steps.iter().any(is_set) { Construction::Fields } else { Construction::Calls }
    }
}
