//! How can a program make a concrete input again, and what does the target then do?
//!
//! An exploration finds inputs as heaps; a test must make them with statements. A plan of such statements is performed in the
//! interpreter: only if it makes the same heap, and the target then ends as it did in the exploration, is it given to anybody.

mod clause;
pub mod java;
mod make;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

pub use clause::Asked;

use lazuli_explore::{Case, Config, Coverage, Ended, ended, message};
use lazuli_reach::plan::{Operand, Plan, Stage, Step};
use lazuli_reach::sequence::Sequences;
use lazuli_spec::{Contract, EndValues, Exit, Obligation};
use lazuli_vm::boot;
use lazuli_vm::host::Silent;
use lazuli_vm::interp::{InputRules, Limits, Vm, Walk};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, Field, Method, Program, access};
use lazuli_vm::snapshot::{Camera, Contents, Datum, holder, is_same_heap, reachable};
use lazuli_vm::state::{Initialisation, State};
use lazuli_vm::value::{ObjId, Value};

use clause::Before;
use make::{Maker, Tools};

/// A loop of the user's code that goes on for longer than this ends a rehearsal.
const MOST_ITERATIONS: u32 = 100_000;
/// The fields that are followed from an argument to a result.
const LONGEST_ROUTE: usize = 4;

/// How an input is made; the later, the less readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Craft {
    /// By constructors and public methods alone.
    Calls,
    /// By constructors and by fields that the test may set.
    Fields,
    Reflection,
}

/// A plan, and what happened when it was followed.
#[derive(Clone, Debug)]
pub struct Rehearsed {
    pub plan: Plan,
    pub craft: Craft,
    pub finish: Finish,
    pub duties: Vec<Duty>,
    /// The clause of JML that is not kept.
    pub asked: Option<Asked>,
    pub coverage: Coverage,
    /// Static fields that the run changed, with what they held before.
    pub dirty: Vec<Dirty>,
}

/// How the target ended.
#[derive(Clone, Debug)]
pub enum Finish {
    Returned(Option<Outturn>),
    Threw {
        class: &'static Class,
        message: Option<String>,
        /// The innermost frames: `pkg.Class.method(File.java:12)`.
        trace: Vec<String>,
    },
}

/// What can be asserted about a result.
#[derive(Clone, Debug)]
pub enum Outturn {
    /// Equal to, or for objects the same as, what is written.
    Operand(Operand),
    /// The object that was there before the call, behind fields that the test may read.
    Route {
        argument: usize,
        fields: Vec<&'static Field>,
    },
    /// A box of this value.
    Boxed {
        class: &'static Class,
        value: Datum,
    },
    Text(Vec<u16>),
    /// A new array of primitives.
    Elements {
        class: &'static Class,
        values: Vec<Datum>,
    },
    /// Some other object.
    Object(&'static Class),
}

/// A static field that is not what it was after its class was initialised. Whoever runs next in the same JVM must set it back.
#[derive(Clone, Debug)]
pub struct Dirty {
    pub owner: &'static Class,
    pub field: &'static Field,
    /// None if it is an object that no literal can say.
    pub before: Option<Operand>,
}

/// A method that must return true at the end: an invariant of the receiver, or the postcondition.
#[derive(Clone, Copy, Debug)]
pub struct Duty {
    pub method: &'static Method,
    pub is_post: bool,
    pub holds: bool,
}

/// Where plans for one target are made and tried.
pub struct Rehearsal {
    vm: Vm,
    start: State,
    method: &'static Method,
    contract: Contract,
    config: Config,
    sequences: Sequences,
}

impl Rehearsal {
    pub fn new(
        program: &Arc<Program>,
        method: &'static Method,
        config: &Config,
        deadline: Option<Instant>,
    ) -> Result<Rehearsal, String> {
        let limits = Limits { deadline, memory: config.limits.memory, ..Limits::default() };
        let mut vm = Vm::new(program.clone(), Box::new(Silent::default()), limits);
        vm.rules = InputRules { iterations: Some(MOST_ITERATIONS), ..InputRules::default() };
        let mut start = State::default();
        let is_up = boot::boot(&mut vm, &mut start).is_ok() && vm.initialise_fully(&mut start, method.class()).is_ok();
        if !is_up {
            return Err(format!("{} cannot be initialised", method.class().java_name()));
        }
        let contract = Contract::of(&vm.program, method, &config.contract)?;
        Ok(Rehearsal { vm, start, method, contract, config: config.clone(), sequences: Sequences::default() })
    }

    /// The package that tests of the target are in, with slashes. Nobody may add to the packages of the JDK.
    pub fn package(&self) -> &'static str {
        self.method.class().package_of_programs()
    }

    /// Finds the most readable plan that makes the input of a case and leads to the same end. The error says why there is none.
    pub fn rehearse(&mut self, case: &Case) -> Result<Rehearsed, String> {
        if case.asks {
            return Err("the method asks for values by Lazuli.any…, which only an exploration gives".to_string());
        }
        // What a run returns or leaves behind may depend on values that decide nothing.
        let depends_on = match case.ended {
            Ended::Threw { .. } => &case.depends_on,
            _ => &case.takes,
        };
        if !depends_on.is_empty() {
            return Err(format!("it depends on {}, which no program can choose", depends_on.join(" and ")));
        }
        if case.ended == Ended::Otherwise {
            return Err("the program ends by itself, and a test with it".to_string());
        }
        let mut why = String::new();
        for (has_calls, has_constructors, has_literals) in
            [(true, true, true), (false, true, true), (false, false, true), (false, true, false), (false, false, false)]
        {
            let tools = Tools { package: self.package(), has_constructors, has_literals };
            let tried = self.plan(case, tools, has_calls).and_then(|(plan, stage)| self.perform(case, plan, stage));
            match tried {
                Ok(rehearsed) => return Ok(rehearsed),
                // The first failure is about the most natural way.
                Err(reason) if why.is_empty() => why = reason,
                Err(_) => {}
            }
        }
        Err(why)
    }

    fn plan(&mut self, case: &Case, tools: Tools, has_calls: bool) -> Result<(Plan, Stage), String> {
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
            if let Some(steps) = self.sequences.find(&mut self.vm, &self.start, &case.heap, *root, tools.package) {
                let own = parts.into_iter().filter(|part| elsewhere.binary_search(part).is_err() && part != root);
                sequences.push((*root, steps, own.collect::<Vec<usize>>()));
            }
        }
        let mut maker = Maker::new(&mut self.vm, stage, case, tools);
        for (root, steps, parts) in sequences {
            maker.take_over(root, &steps, &parts)?;
        }
        maker.finish()
    }

    /// Follows a plan to the end.
    fn perform(&mut self, case: &Case, plan: Plan, mut stage: Stage) -> Result<Rehearsed, String> {
        let mut given: Vec<Value> = Vec::new();
        for argument in &plan.arguments {
            given.push(stage.value(&mut self.vm, argument)?);
        }
        self.compare(case, &stage, &given)?;
        let target = self.method;
        if let (false, Some(Value::Ref(Some(receiver)))) =
            (target.is_static() || target.is_private() || target.name == "<init>", given.first())
            && let class = stage.state.heap.class(*receiver)
            && self.vm.select(class, target).is_none_or(|selected| selected.id != target.id)
        {
            return Err(format!("the receiver is of {}, which overrides the method", class.java_name()));
        }
        if target.name == "<init>" {
            given.insert(0, stage.state.heap.allocate(target.class()).into());
        }
        let specification = self.contract.specification.clone();
        let asked = case.broken_clause.as_ref().zip(specification.as_deref());
        let past = asked.map(|(_, said)| Before::new(&mut self.vm, &mut stage.state, said, &given)).transpose()?;
        let before = stage.state.fork();
        self.vm.walk = Some(Walk::default());
        stage.state.thread = Default::default();
        let stop = self.vm.call(&mut stage.state, target, &given);
        let walk = self.vm.walk.take().unwrap_or_default();
        let found = ended(&self.vm, &stage.state, &stop);
        if found != case.ended {
            return Err(format!("the program that was made ends with {found:?} instead of {:?}", case.ended));
        }
        let duties = self.duties(&stage.state, &given, &stop);
        let is_broken = match (&asked, &past, &stop) {
            (Some((clause, said)), Some(past), Stop::End(end)) => {
                let owed = self.owed(end);
                !past.is_kept(&mut self.vm, &stage.state, end, &given, clause, (said, &owed))?
            }
            _ => duties.iter().any(|duty| !duty.holds),
        };
        // After an exception that is a fault itself, nothing is owed.
        let owes = case.is_broken() || matches!(case.ended, Ended::Returned(_));
        if owes && is_broken != case.is_broken() {
            return Err("the program that was made does not end as the path does".to_string());
        }
        let asked = asked.zip(past).map(|((clause, said), past)| past.asked(clause, said));
        let finish = match stop {
            Stop::End(End::Returned(value)) => {
                Finish::Returned((value != Value::Top).then(|| self.outturn(&before, &stage, &given, value)))
            }
            Stop::End(End::Threw(exception)) => Finish::Threw {
                class: stage.state.heap.class(exception),
                message: message(&mut self.vm, &stage.state, exception),
                trace: self.vm.describe_trace(&stage.state, exception, 8),
            },
            _ => return Err("the program that was made does not end".to_string()),
        };
        let craft = self.craft(&plan);
        let coverage = Coverage::of(&self.vm.program, &walk);
        let dirty = self.dirty(&stage.state);
        Ok(Rehearsed { plan, craft, finish, duties, asked, coverage, dirty })
    }

    /// Did the plan make what the case describes?
    fn compare(&mut self, case: &Case, stage: &Stage, given: &[Value]) -> Result<(), String> {
        let unread = BTreeSet::new();
        let mut camera = Camera::new(&self.vm, &stage.state, &unread);
        let mut pairs: Vec<(Datum, Datum)> = Vec::new();
        for (wanted, value) in case.arguments.iter().zip(given) {
            pairs.push((*wanted, camera.take(*value)));
        }
        for input in &case.statics {
            let mirror = stage.state.classes.slot(input.owner.id).mirror;
            let slot = self.vm.program.slot_of(input.field) as usize;
            let value = mirror.map_or(Value::Top, |mirror| stage.state.heap.field(mirror, slot));
            pairs.push((input.value, camera.take(value)));
        }
        match is_same_heap(&case.heap, &camera.finish(), &pairs) {
            true => Ok(()),
            false => Err("the input cannot be made by a program of its own".to_string()),
        }
    }

    /// The obligations at the end that are methods of the program's, and whether each is kept.
    fn duties(&mut self, state: &State, given: &[Value], stop: &Stop) -> Vec<Duty> {
        let Stop::End(end) = stop else { return Vec::new() };
        let owed = self.owed(end);
        let mut judged = Vec::new();
        for owed in owed.into_iter().filter(|owed| owed.clause().is_none()) {
            let arguments = owed.values(&EndValues { arguments: given, end, olds: &[] }, &[]);
            let mut state = state.fork();
            state.thread = Default::default();
            let holds =
                matches!(self.vm.call(&mut state, owed.method, &arguments), Stop::End(End::Returned(Value::Int(1))));
            judged.push(Duty { method: owed.declared, is_post: !owed.is_invariant(), holds });
        }
        judged
    }

    fn owed(&self, end: &End) -> Vec<Obligation> {
        let Some(exit) = Exit::of(end) else { return Vec::new() };
        self.contract.obligations(&self.vm.program, self.method, &self.config.contract, exit)
    }

    fn outturn(&self, before: &State, stage: &Stage, given: &[Value], value: Value) -> Outturn {
        let Value::Ref(Some(object)) = value else {
            let unread = BTreeSet::new();
            return Outturn::Operand(Operand::Plain(Camera::new(&self.vm, &stage.state, &unread).take(value)));
        };
        if let Some(step) = stage.made.iter().position(|made| *made == Some(object)) {
            return Outturn::Operand(Operand::Made(step));
        }
        let heap = &stage.state.heap;
        let class = heap.class(object);
        if let Some((owner, field)) = holder(&self.vm, &stage.state, object) {
            return Outturn::Operand(Operand::Held { owner: owner.name, field: field.name });
        }
        if class.id == self.vm.program.known().string.id {
            return Outturn::Text(self.vm.units(&stage.state, object));
        }
        let unread = BTreeSet::new();
        if class.is_box {
            let value = Camera::new(&self.vm, &stage.state, &unread).take(heap.field(object, 0));
            return Outturn::Boxed { class, value };
        }
        if class.component_kind().is_some_and(|kind| kind != lazuli_vm::value::Kind::Reference) {
            let mut camera = Camera::new(&self.vm, &stage.state, &unread);
            let index = camera.take(value);
            let cells = camera.finish();
            // Only what an array holds that is new is what the method put there.
            if let (Datum::Object(index), false) = (index, before.heap.contains(object))
                && let Contents::Elements(values) = &cells[index].contents
            {
                return Outturn::Elements { class, values: values.clone() };
            }
        }
        match before.heap.contains(object).then(|| self.route(before, given, object)).flatten() {
            Some((argument, fields)) => Outturn::Route { argument, fields },
            None => Outturn::Object(class),
        }
    }

    /// How the test gets at an object that was there before the call: an argument, and fields that the types let it read.
    fn route(&self, before: &State, given: &[Value], wanted: ObjId) -> Option<(usize, Vec<&'static Field>)> {
        struct Reached {
            object: ObjId,
            /// What source knows about its class.
            known: &'static Class,
            argument: usize,
            fields: Vec<&'static Field>,
        }
        let (package, program) = (self.package(), &self.vm.program);
        let mut reached: Vec<Reached> = Vec::new();
        for (argument, value) in given.iter().enumerate() {
            if let Value::Ref(Some(object)) = *value {
                reached.push(Reached { object, known: before.heap.class(object), argument, fields: Vec::new() });
            }
        }
        let mut next = 0;
        while let Some(Reached { object, known, argument, fields }) = reached.get(next) {
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
                    reached.push(Reached { object: below, known, argument, fields });
                }
            }
        }
        None
    }

    /// The static fields of the user's classes that are not as their initialisers left them.
    fn dirty(&mut self, after: &State) -> Vec<Dirty> {
        let program = self.vm.program.clone();
        let mut dirty = Vec::new();
        for owner in program.users() {
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
                    dirty.push(Dirty { owner, field, before: self.constant(&clean, before) });
                }
            }
        }
        dirty
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

    fn craft(&self, plan: &Plan) -> Craft {
        if plan.steps.iter().any(Step::is_reflective) {
            return Craft::Reflection;
        }
        let is_set = |step: &Step| matches!(step, Step::Set { .. } | Step::SetStatic { .. });
        if plan.steps.iter().any(is_set) { Craft::Fields } else { Craft::Calls }
    }
}
