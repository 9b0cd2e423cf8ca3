//! Which concrete input takes a path, and does it really?
//!
//! A solver's model, the shape of the input and the first class that fits make a concrete heap. Running the method on it, with
//! the same interpreter but nothing unknown, must end as the path did: what does not is a fault of ours and never reported as
//! one of the program.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lazuli_logic::evaluate::Evaluation;
use lazuli_logic::{Chain, Constant, Model, Node, Solver, SolverAnswer, SolverLimits, Sort, Term};
use lazuli_reach::making::Making;
use lazuli_spec::{Contract, ContractOptions, EndValues, Obligation, Owed, Precondition, Specification, invariant_of};
use lazuli_valid::Invariant;
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::interp::{Example, Vm, Walk};
use lazuli_vm::library::{BuiltObject, LibraryForm, LibraryRecipe, recipe_of};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, ClassId, Field, Method, access};
use lazuli_vm::reason::NoExample;
use lazuli_vm::snapshot::{Camera, Datum};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{ENVIRONMENT, Entry, Input, Root, Taken};
use lazuli_vm::unknown_code::{ScriptedEnd, ScriptedValue};
use lazuli_vm::value::{Kind, ObjId, UnknownId, Value};

use crate::case::{Case, CaseCall, CaseValue, CaseWrite, Ended, StaticInput, gist};
use crate::coverage::Coverage;
use crate::path::{Finished, Path};
use crate::report::picture::Artist;
use crate::report::{After, Picture};
use crate::worker::history::history;
use crate::worker::script::ConcreteCall;

/// A concrete input.
pub(crate) struct Concrete {
    state: State,
    arguments: Vec<Value>,
    example: Example,
    /// The inputs and the roots, for pictures.
    inputs: Rc<Vec<Input>>,
    roots: Vec<Root>,
    /// The static fields among the inputs.
    statics: Vec<(&'static Class, &'static Field, Value)>,
    /// The places that the path never looked at.
    unread: BTreeSet<(ObjId, u32)>,
    /// The values from outside that the path assumes something about, by name.
    depends_on: Vec<String>,
    /// The calls that made the input.
    making: Option<Rc<Making>>,
    /// The objects whose code is not there and is called, call by call.
    receivers: Vec<ObjId>,
    /// The input as the report draws it.
    pub picture: Picture,
}

/// The lines that a run came to, in order.
pub(crate) type Lines = Vec<(&'static Class, u16)>;

/// How the run of an example ended.
pub(crate) struct Run {
    /// The state in which the run ended.
    pub state: State,
    /// Why the interpreter stopped.
    pub stop: Stop,
    /// The lines that the run came to.
    pub lines: Lines,
    /// The lines, branch outcomes and methods that the run covered.
    pub coverage: Coverage,
    inputs: Rc<Vec<Input>>,
    roots: Vec<Root>,
    /// The object that a constructor worked on.
    made: Option<Value>,
}

/// The report of a run after which an obligation did not hold.
pub(crate) struct Checked {
    /// The lines that the run came to.
    pub lines: Lines,
    /// The lines, branch outcomes and methods that the run covered.
    pub coverage: Coverage,
    /// How the method itself ended, before the obligation was checked.
    pub ended: Ended,
    /// The heap after the run.
    pub after: After,
}

/// Longer arrays than this make no example.
const LONGEST: i32 = 1 << 20;

/// Values between these are preferred.
const SMALL: i64 = 8;

/// Values for the path condition, small ones if they will do. None if no solver knows any.
pub(crate) fn readable_model(
    vm: &mut Vm,
    chain: &mut Chain,
    state: &State,
    limits: &SolverLimits,
) -> Option<Rc<Model>> {
    let conjuncts = &state.symbols.condition.conjuncts;
    let mut wanted: Vec<Term> = conjuncts.clone();
    for variable in state.symbols.variables.iter() {
        let sort = vm.terms.sort(*variable);
        let (least, greatest) = match sort {
            Sort::Int => (vm.terms.int(-SMALL as i32), vm.terms.int(SMALL as i32)),
            Sort::Long => (vm.terms.long(-SMALL), vm.terms.long(SMALL)),
            _ => continue,
        };
        let bounds = [vm.terms.less_or_equal(least, *variable), vm.terms.less_or_equal(*variable, greatest)];
        // A bound that the domain implies, or that it excludes, says nothing.
        wanted.extend(bounds.into_iter().filter(|bound| vm.terms.as_constant(*bound).is_none()));
    }
    if let SolverAnswer::Sat(model) = chain.check(&vm.terms, &wanted, limits) {
        return Some(Rc::new(model));
    }
    if let Some(witness) = &state.symbols.condition.witness {
        return Some(witness.clone());
    }
    match chain.check(&vm.terms, conjuncts, limits) {
        SolverAnswer::Sat(model) => Some(Rc::new(model)),
        _ => None,
    }
}

/// Builds the concrete input that the model describes, on a copy of the state in which the path began.
pub(crate) fn build(
    vm: &mut Vm,
    start: &State,
    path: &Path,
    model: &Model,
    method: &'static Method,
    made: &BTreeSet<ClassId>,
) -> Result<Concrete, NoExample> {
    let mut builder = ExampleBuilder {
        made,
        vm,
        start: &start.heap,
        state: start.fork(),
        path,
        model,
        objects: HashMap::new(),
        begun: HashSet::new(),
        entries: Vec::new(),
        unread: BTreeSet::new(),
        undecided: HashMap::new(),
    };
    let is_built = |input: &&Input| matches!(input.entry, Entry::Built(_));
    for input in path.symbols.inputs.iter().filter(|input| !is_built(input)) {
        builder.allocate(input)?;
    }
    for input in path.symbols.inputs.iter() {
        match &input.entry {
            Entry::Built(built) => {
                builder.built(input, built)?;
            }
            _ => builder.fill(input)?,
        }
    }
    builder.settle_tables();
    let mut roots = Vec::new();
    for root in path.symbols.roots.iter() {
        let value = builder.concrete(root.value, Kind::Reference)?;
        roots.push(Root { name: root.name.clone(), value, holder: root.holder });
    }
    let mut taken = Vec::new();
    for given in path.symbols.taken.iter() {
        taken.push(Taken { name: given.name.clone(), value: builder.primitive(given.value) });
    }
    let calls = builder.script()?;
    builder.ground();
    let making = builder.making()?;
    let ExampleBuilder { vm, mut state, entries, unread, .. } = builder;
    for root in &roots {
        // Static fields have again the contents that the calls which made the input left there.
        if let Some((mirror, slot)) = root.holder.filter(|(mirror, _)| making.is_some() && start.heap.contains(*mirror))
        {
            state.heap.set_field(mirror, slot as usize, root.value);
        }
    }
    let mut drawn = state.fork();
    let inputs = Rc::new(entries);
    drawn.symbols.inputs = inputs.clone();
    drawn.symbols.roots = Rc::new(roots.clone());
    drawn.symbols.taken = Rc::new(taken.clone());
    drawn.symbols.unknown_calls = Rc::new(calls.iter().map(ConcreteCall::told).collect());
    let picture = Artist::new(vm, &drawn).made_by(making.as_deref()).input();
    let mut arguments: Vec<Value> = Vec::new();
    if method.name == "<init>" {
        arguments.push(state.heap.allocate(method.class()).into());
    }
    let missing = method.arguments as usize - arguments.len();
    arguments.extend(roots.iter().take(missing).map(|root| root.value));
    let others = &roots[missing.min(roots.len())..];
    let (statics, any): (Vec<&Root>, Vec<&Root>) = others.iter().partition(|root| root.holder.is_some());
    let fields = statics.iter().filter_map(|root| {
        let (owner, field) = static_field(vm, path, root.holder?)?;
        Some((owner, field, root.value))
    });
    let fields = fields.collect();
    let is_environment = |root: &Root| root.name.starts_with(ENVIRONMENT);
    taken.extend(
        any.iter().filter(|root| is_environment(root)).map(|root| Taken { name: root.name.clone(), value: root.value }),
    );
    let example = Example {
        statics: statics.into_iter().map(|root| (root.name.to_string(), root.value)).collect(),
        any: any.iter().filter(|root| !is_environment(root)).map(|root| root.value).collect(),
        taken,
        calls: calls.iter().map(|call| call.script.clone()).collect(),
    };
    let depends_on = depends_on(vm, path);
    Ok(Concrete {
        receivers: calls.into_iter().map(|call| call.receiver).collect(),
        state,
        arguments,
        example,
        inputs,
        roots,
        statics: fields,
        unread,
        depends_on,
        making,
        picture,
    })
}

impl Concrete {
    /// The input as data, to which the run will add how it ended.
    pub(crate) fn case(&self, vm: &Vm, method: &'static Method, broken: Option<&'static Method>) -> Case {
        let mut camera = Camera::new(vm, &self.state, &self.unread);
        let made = (method.name == "<init>") as usize;
        let arguments: Vec<Datum> = self.arguments.iter().skip(made).map(|value| camera.take(*value)).collect();
        let statics: Vec<StaticInput> = (self.statics.iter())
            .map(|(owner, field, value)| StaticInput { owner, field, value: camera.take(*value) })
            .collect();
        let asked = self.example.any.iter().map(|value| camera.take(*value)).collect();
        let history = self.making.as_ref().map(|making| history(vm, &self.state, making, &self.arguments, &mut camera));
        let unknown_calls = self.case_calls(&mut camera);
        Case {
            unknown_calls,
            heap: camera.finish(),
            arguments,
            statics,
            history,
            asks: !self.example.any.is_empty(),
            asked,
            takes: self.example.taken.iter().map(|taken| taken.name.to_string()).collect(),
            depends_on: self.depends_on.clone(),
            ended: Ended::Otherwise,
            coverage: Coverage::default(),
            broken,
            broken_clause: None,
        }
    }

    /// What code does that is not there, as data.
    fn case_calls(&self, camera: &mut Camera) -> Vec<CaseCall> {
        let mut value = |value: ScriptedValue| match value {
            ScriptedValue::Known(value) => CaseValue::Known(camera.take(value)),
            ScriptedValue::Handed { call, argument } => CaseValue::Handed { call, argument },
        };
        let mut found = Vec::new();
        for (call, receiver) in self.example.calls.iter().zip(&self.receivers) {
            let CaseValue::Known(Datum::Object(receiver)) = value(ScriptedValue::Known((*receiver).into())) else {
                continue;
            };
            let end = match call.end {
                ScriptedEnd::Returned(result) => Ok(value(result)),
                ScriptedEnd::Threw(class) => Err(class),
            };
            let writes = call.writes.iter().map(|write| {
                let (object, new) = (value(write.object), value(write.value));
                CaseWrite { object, class: write.class, slot: write.slot, value: new }
            });
            found.push(CaseCall { receiver, method: call.method, end, writes: writes.collect() });
        }
        found
    }

    /// Does the input satisfy an invariant?
    pub(crate) fn satisfies(&self, vm: &mut Vm, invariant: &Invariant) -> bool {
        let Some(Value::Ref(Some(object))) = self.arguments.get(invariant.root).copied() else { return true };
        self.is_true(vm, invariant.code(), &[object.into()])
    }

    /// Is every object of the input valid whose class has an invariant, wherever it stands? One that the path never looked into may be any: its
    /// fields have default values here, and a valid object could stand there. Nor is a part asked by itself of what the same invariant
    /// describes as a whole: the nodes below the root of a tree whose root has no parent.
    pub(crate) fn has_valid_parts(&self, vm: &mut Vm, options: &ContractOptions) -> bool {
        let program = vm.program.clone();
        let heap = &self.state.heap;
        let invariants_of = |object: ObjId| invariant_of(&program, heap.class(object), options);
        self.inputs.iter().all(|input| {
            let class = heap.class(input.object);
            let is_root = self.arguments.contains(&input.object.into());
            let is_read = (0..class.defaults.len()).any(|slot| !self.unread.contains(&(input.object, slot as u32)));
            let own = invariants_of(input.object);
            if is_root || !is_read || own.is_empty() {
                return true;
            }
            let is_whole = |other: &&Input| {
                let others = invariants_of(other.object);
                let is_same = others.iter().map(|method| method.id).eq(own.iter().map(|method| method.id));
                other.object != input.object && is_same && reaches(heap, other.object, input.object)
            };
            self.inputs.iter().any(|other| is_whole(&other))
                || own.iter().all(|invariant| self.is_true(vm, invariant, &[input.object.into()]))
        })
    }

    /// Does the target take the input?
    pub(crate) fn satisfies_condition(&self, vm: &mut Vm, pre: &Precondition, target: &'static Method) -> bool {
        self.is_true(vm, pre.method, &pre.arguments(target, &self.arguments))
    }

    /// The values that clauses ask for after the method. They are computed where the method will run, because some are objects.
    fn olds(&mut self, vm: &mut Vm, specification: &Specification) -> Vec<Option<Value>> {
        let compute = |old: &&'static Method| {
            vm.example = Some(of_contract(&self.example));
            let stop = vm.call(&mut self.state, old, &self.arguments);
            vm.example = None;
            self.state.thread = Default::default();
            match stop {
                Stop::End(End::Returned(value)) => Some(value),
                _ => None,
            }
        };
        specification.olds.iter().map(compute).collect()
    }

    fn is_true(&self, vm: &mut Vm, method: &'static Method, arguments: &[Value]) -> bool {
        let mut state = self.state.fork();
        vm.example = Some(of_contract(&self.example));
        let stop = vm.call(&mut state, method, arguments);
        vm.example = None;
        matches!(stop, Stop::End(End::Returned(Value::Int(1))))
    }
}

/// Runs the method on a concrete input, and then what must be true afterwards, which must not be. Gives where it went, how it ended, and
/// what it left behind.
pub(crate) fn run_and_check(
    vm: &mut Vm,
    mut concrete: Concrete,
    method: &'static Method,
    obligation: &Obligation,
    contract: &Contract,
) -> Result<Checked, NoExample> {
    let (given, example) = (concrete.arguments.clone(), concrete.example.clone());
    let specification = contract.specification.as_deref();
    let olds = specification.map_or(Vec::new(), |specification| concrete.olds(vm, specification));
    let past = concrete.state.heap.clone();
    let run = run(vm, concrete, method);
    let (ended, after) = (ended(vm, &run.state, &run.stop), after(vm, &run, method));
    let Run { mut state, lines, stop, coverage, inputs, .. } = run;
    // The example must end so that the obligation is owed at all.
    let arguments = match &stop {
        Stop::End(end @ (End::Returned(_) | End::Threw(_)))
            if !matches!((&obligation.owed, end), (Owed::Postcondition, End::Threw(_))) =>
        {
            obligation.values(&EndValues { arguments: &given, end, olds: &olds }, contract.olds())
        }
        _ => return Err(NoExample::EndsOtherwise),
    };
    state.thread = Default::default();
    if let Owed::Clause(_) = obligation.owed {
        (state.symbols.past, state.symbols.inputs) = (Some(Rc::new(past)), inputs);
    }
    vm.example = Some(of_contract(&example));
    let stop = vm.call(&mut state, obligation.method, &arguments);
    vm.example = None;
    match stop {
        Stop::End(End::Returned(Value::Int(0)) | End::Threw(_)) => Ok(Checked { lines, coverage, ended, after }),
        _ => Err(NoExample::Holds { duty: obligation.name() }),
    }
}

/// The same for a contract method, which gets the usual values from outside.
fn of_contract(example: &Example) -> Example {
    Example { taken: Vec::new(), ..example.clone() }
}

/// The values from outside that the path assumes something about, and all of them where they are those of one run.
fn depends_on(vm: &Vm, path: &State) -> Vec<String> {
    let symbols = &path.symbols;
    let mentions = |conjunct: &Term, term: Term| {
        vm.terms.variables_of(term).iter().any(|variable| vm.terms.variables_of(*conjunct).contains(variable))
    };
    let is_assumed = |taken: &&Taken| match taken.value {
        Value::Term(term, _) => symbols.condition.conjuncts.iter().any(|conjunct| mentions(conjunct, term)),
        _ => true,
    };
    let taken = symbols.taken.iter().filter(is_assumed).map(|taken| taken.name.to_string());
    let environment = symbols.roots.iter().filter(|root| root.name.starts_with(ENVIRONMENT));
    taken.chain(environment.map(|root| root.name.to_string())).collect()
}

/// Runs the method on a concrete input.
pub(crate) fn run(vm: &mut Vm, concrete: Concrete, method: &'static Method) -> Run {
    let Concrete { mut state, arguments, example, inputs, roots, .. } = concrete;
    vm.example = Some(example);
    vm.walk = Some(Walk::default());
    let stop = vm.call(&mut state, method, &arguments);
    vm.example = None;
    let walk = vm.walk.take().unwrap_or_default();
    let coverage = Coverage::of(&vm.program, &walk);
    let made = (method.name == "<init>").then(|| arguments[0]);
    Run { state, stop, lines: walk.lines, coverage, inputs, roots, made }
}

/// The heap and the result that a run left behind.
pub(crate) fn after(vm: &Vm, run: &Run, method: &'static Method) -> After {
    let mut state = run.state.fork();
    let made = run.made.map(|value| Root { name: "this".into(), value, holder: None });
    let now = |root: &Root| {
        // The class whose static field it is may have got its mirror elsewhere than on the path.
        let value = root.holder.and_then(|_| held_statically(vm, &run.state, &root.name)).unwrap_or(root.value);
        Root { name: root.name.clone(), value, holder: None }
    };
    state.symbols.roots = Rc::new(made.into_iter().chain(run.roots.iter().map(now)).collect());
    state.symbols.inputs = run.inputs.clone();
    let result = match run.stop {
        Stop::End(End::Returned(value)) if value != Value::Top => Some((value, method.result)),
        _ => None,
    };
    let (heap, result) = Artist::new(vm, &state).output(result);
    After { heap, result }
}

/// The contents of a static field, by the name that roots have. None if it was never read or written.
fn held_statically(vm: &Vm, state: &State, name: &str) -> Option<Value> {
    let (class_name, field_name) = name.rsplit_once('.')?;
    let class = vm.program.users().iter().find(|class| vm.program.short_name(class) == class_name)?;
    let field = class.fields.iter().find(|field| field.is_static() && field.name == field_name)?;
    let mirror = state.classes.slot(class.id).mirror?;
    let value = state.heap.field(mirror, vm.program.slot_of(field) as usize);
    (value != Value::Unread).then_some(value)
}

/// How a run ended, as data.
pub fn ended(vm: &Vm, state: &State, stop: &Stop) -> Ended {
    match stop {
        Stop::End(End::Returned(value)) => Ended::Returned(gist(vm, state, *value)),
        Stop::End(End::Threw(exception)) => {
            let place = vm.user_place(state, *exception).map(|(class, line)| {
                let file = class.source_file().unwrap_or("Unknown Source");
                line.map_or(file.to_string(), |line| format!("{file}:{line}"))
            });
            Ended::Threw { class: state.heap.class(*exception).name, place }
        }
        _ => Ended::Otherwise,
    }
}

/// The text of `getMessage()` of an exception that ended a run.
pub fn message(vm: &mut Vm, ended: &State, exception: ObjId) -> Option<String> {
    let get_message = vm.program.known().throwable.own_method("getMessage", "()Ljava/lang/String;")?;
    let target = vm.select(ended.heap.class(exception), get_message)?;
    let mut state = ended.fork();
    state.thread = Default::default();
    match vm.call(&mut state, target, &[exception.into()]) {
        Stop::End(End::Returned(Value::Ref(Some(text)))) => Some(vm.text(&state, text)),
        _ => None,
    }
}

/// Did the run of the example end as the path did? If not, the sentence says how they differ.
pub(crate) fn agrees(vm: &Vm, finished: &Finished, model: &Model, run: &Run) -> Result<(), NoExample> {
    let Finished { path, end } = finished;
    let told = |state: &State, end: &End| match end {
        End::Threw(exception) => {
            let place = vm.describe_trace(state, *exception, 1).join("");
            format!("{} at {place}", state.heap.class(*exception).java_name())
        }
        End::Returned(_) => "a normal return".to_string(),
        other => format!("{other:?}"),
    };
    let Stop::End(found) = &run.stop else { return Err(NoExample::Asks) };
    let is_same = match (end, found) {
        (End::Threw(_), End::Threw(_)) => told(path, end) == told(&run.state, found),
        (End::Returned(expected), End::Returned(value)) => match expected {
            Value::Term(term, _) => {
                let constant = Evaluation::new(&vm.terms, model).value(*term);
                lazuli_vm::interp::value_of_constant(constant) == *value
                    || matches!(value, Value::Float(_) | Value::Double(_))
            }
            Value::Ref(None) => *value == Value::NULL,
            _ => true,
        },
        (End::Exited(expected), End::Exited(code)) => expected == code,
        _ => false,
    };
    match is_same {
        true => Ok(()),
        false => Err(NoExample::Differs { predicted: told(path, end), found: told(&run.state, found) }),
    }
}

/// Does a chain of references lead from one object to another?
fn reaches(heap: &Heap, from: ObjId, to: ObjId) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::from([from]), vec![from]);
    while let Some(object) = waiting.pop() {
        let values: &[Value] = match &heap.get(object).body {
            Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => values,
            _ => &[],
        };
        for next in values.iter().filter_map(|value| value.object()) {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    false
}

pub(super) struct ExampleBuilder<'a> {
    pub(super) vm: &'a mut Vm,
    /// The heap in which every path begins.
    pub(super) start: &'a Heap,
    pub(super) state: State,
    pub(super) path: &'a Path,
    pub(super) model: &'a Model,
    pub(super) objects: HashMap<ObjId, ObjId>,
    /// Inputs whose contents were made, or are being made.
    begun: HashSet<ObjId>,
    /// The inputs of the example, for its picture.
    entries: Vec<Input>,
    /// Places of the example that the path never looked at.
    unread: BTreeSet<(ObjId, u32)>,
    /// The classes of which only calls make objects.
    made: &'a BTreeSet<ClassId>,
    /// The objects that stand for references which the path did not decide.
    undecided: HashMap<UnknownId, ObjId>,
}

impl ExampleBuilder<'_> {
    fn allocate(&mut self, input: &Input) -> Result<(), NoExample> {
        let heap = &self.path.heap;
        let class = self.representative(heap.class(input.object))?;
        if let Some(cached) = self.cached_box(input, class) {
            self.objects.insert(input.object, cached);
            return Ok(());
        }
        let object = if class.id == self.vm.program.known().string.id {
            self.string(input.object)?
        } else if let Entry::Elements(_) = input.entry {
            let length = self.int(self.vm.length_of(self.path, input.object).unwrap_or(Value::Int(0)));
            if length > LONGEST {
                return Err(NoExample::ArrayTooLong(length));
            }
            self.state.heap.allocate_array(class, length.max(0) as usize)
        } else {
            self.state.heap.allocate(class)
        };
        self.objects.insert(input.object, object);
        Ok(())
    }

    fn fill(&mut self, input: &Input) -> Result<(), NoExample> {
        if !self.begun.insert(input.object) {
            return Ok(());
        }
        let object = self.objects[&input.object];
        let class = self.state.heap.class(object);
        let mut entry = input.entry.clone();
        match &mut entry {
            Entry::Built(_) => {}
            Entry::Fields(_) if class.id == self.vm.program.known().string.id => {}
            Entry::Fields(fields) => {
                let values: Vec<Value> = fields.to_vec();
                let is_unread = |slot: &usize| values.get(*slot).is_none_or(|value| *value == Value::Unread);
                self.unread.extend((0..class.defaults.len()).filter(is_unread).map(|slot| (object, slot as u32)));
                for (slot, value) in values.into_iter().enumerate() {
                    let kind = class.field_at(slot as u32).map_or(Kind::Int, |field| field.kind);
                    let value = self.concrete(value, kind)?;
                    self.state.heap.set_field(object, slot, value);
                }
                let all: Rc<[Value]> =
                    (0..class.defaults.len()).map(|slot| self.state.heap.field(object, slot)).collect();
                *fields = all;
            }
            Entry::Elements(elements) => {
                let kind = class.component_kind().unwrap_or(Kind::Reference);
                let length = self.state.heap.length(object).unwrap_or(0) as u32;
                self.unread.extend((0..length).map(|index| (object, index)));
                for (index, value) in elements.iter() {
                    let index = self.int(*index);
                    if *value != Value::Unread {
                        self.unread.remove(&(object, index as u32));
                    }
                    let value = self.concrete(*value, kind)?;
                    self.state.heap.set_element(object, index, value);
                }
                let length = self.state.heap.length(object).unwrap_or(0) as i32;
                let element = |index| (Value::Int(index), self.state.heap.element(object, index).unwrap_or(Value::Top));
                *elements = Rc::new((0..length).map(element).collect());
            }
        }
        self.entries.push(Input { object, entry, ..input.clone() });
        Ok(())
    }

    /// Makes an object of the library by its recipe, from its elements. Keys must be whole before they are put into a map.
    fn built(&mut self, input: &Input, built: &BuiltObject) -> Result<ObjId, NoExample> {
        if let Some(object) = self.objects.get(&input.object) {
            return Ok(*object);
        }
        if !self.begun.insert(input.object) {
            return Err("a collection that contains itself".into());
        }
        let path = self.path;
        let mut arguments = Vec::new();
        for argument in built.arguments.iter() {
            arguments.push(self.concrete(*argument, Kind::Reference)?);
            if let Value::Ref(Some(object)) = path.symbols.settled(*argument)
                && let Some(element) = path.symbols.input(object)
                && !matches!(element.entry, Entry::Built(_))
            {
                self.fill(element)?;
            }
        }
        let object = self.make(built.recipe, &arguments)?;
        self.objects.insert(input.object, object);
        let entry = Entry::Built(Rc::new(BuiltObject { recipe: built.recipe, arguments: arguments.into() }));
        self.entries.push(Input { object, entry, ..input.clone() });
        Ok(object)
    }

    fn make(&mut self, recipe: &'static LibraryRecipe, arguments: &[Value]) -> Result<ObjId, NoExample> {
        let size = if matches!(recipe.form, LibraryForm::Pairs { .. }) { arguments.len() / 2 } else { arguments.len() };
        let script = self.vm.program.script(recipe, size);
        let stop = script.map(|script| self.vm.call(&mut self.state, script, arguments));
        self.state.thread = Default::default();
        match stop {
            Some(Stop::End(End::Returned(Value::Ref(Some(object))))) => Ok(object),
            _ => Err(format!("no {} has these elements", recipe.class.replace('/', ".")).into()),
        }
    }

    /// Places the keys of hash tables by the hash codes that they have here.
    fn settle_tables(&mut self) {
        let objects: Vec<ObjId> = self.entries.iter().map(|input| input.object).collect();
        if !self.vm.settle_tables(&mut self.state, &objects) {
            return;
        }
        let (heap, string) = (&self.state.heap, self.vm.program.known().string.id);
        for input in self.entries.iter_mut().filter(|input| heap.class(input.object).id != string) {
            match (&mut input.entry, &heap.get(input.object).body) {
                (Entry::Fields(fields), Body::Fields(now)) => *fields = now.clone(),
                (Entry::Elements(elements), Body::Refs(now)) => {
                    let now = now.iter().enumerate().map(|(index, value)| (Value::Int(index as i32), *value));
                    *elements = Rc::new(now.collect());
                }
                _ => {}
            }
        }
    }

    /// Puts the example's values in where initialisers that ran before the path took some from outside.
    fn ground(&mut self) {
        if self.state.symbols.taken.is_empty() {
            return;
        }
        for object in self.state.heap.ids().collect::<Vec<_>>() {
            let terms: Vec<(usize, Value)> = match &self.state.heap.get(object).body {
                Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => {
                    let all = values.iter().copied().enumerate();
                    all.filter(|(_, value)| matches!(value, Value::Term(..))).collect()
                }
                _ => Vec::new(),
            };
            for (at, term) in terms {
                let value = self.primitive(term);
                match self.state.heap.length(object) {
                    Some(_) => drop(self.state.heap.set_element(object, at as i32, value)),
                    None => self.state.heap.set_field(object, at, value),
                }
            }
        }
        let mut symbols = std::mem::take(&mut self.state.symbols);
        for taken in Rc::make_mut(&mut symbols.taken) {
            taken.value = self.primitive(taken.value);
        }
        for (_, hash) in Rc::make_mut(&mut symbols.hashes) {
            *hash = self.primitive(*hash);
        }
        symbols.nano_time = symbols.nano_time.map(|value| self.primitive(value));
        symbols.variables = Rc::default();
        self.state.symbols = symbols;
    }

    /// The calls that made the input, with their arguments.
    fn making(&mut self) -> Result<Option<Rc<Making>>, NoExample> {
        let Some(making) = &self.path.making else { return Ok(None) };
        let mut calls = (*making.calls).clone();
        for call in &mut calls {
            let kinds = call.act.kinds();
            let arguments = call.arguments.iter().zip(kinds);
            call.arguments = arguments.map(|(value, kind)| self.concrete(*value, kind)).collect::<Result<_, _>>()?;
            call.receiver = call.receiver.and_then(|object| self.participant(object));
            call.result = call.result.and_then(|object| self.participant(object));
        }
        let objects = making.objects.iter().filter_map(|object| self.objects.get(object).copied()).collect();
        let mut originals = Vec::new();
        for (object, entry) in making.originals.iter() {
            let Some(object) = self.objects.get(object).copied() else { continue };
            let class = self.state.heap.class(object);
            let mut values: Vec<(Value, Value)> = Vec::new();
            match entry {
                Entry::Fields(fields) => {
                    for (slot, value) in fields.iter().enumerate() {
                        let kind = class.field_at(slot as u32).map_or(Kind::Int, |field| field.kind);
                        values.push((Value::Int(slot as i32), self.known(*value, kind)?));
                    }
                }
                Entry::Built(built) => {
                    for (at, value) in built.arguments.iter().enumerate() {
                        values.push((Value::Int(at as i32), self.concrete(*value, Kind::Reference)?));
                    }
                }
                Entry::Elements(elements) => {
                    let kind = class.component_kind().unwrap_or(Kind::Reference);
                    for (index, value) in elements.iter() {
                        values.push((Value::Int(self.int(*index)), self.known(*value, kind)?));
                    }
                }
            }
            originals.push((object, Entry::Elements(Rc::new(values))));
        }
        let (calls, objects, originals) = (Rc::new(calls), Rc::new(objects), Rc::new(originals));
        Ok(Some(Rc::new(Making { calls, objects, originals, ..Making::default() })))
    }

    /// The cached object that an input is, if the path found that it is one.
    fn cached_box(&self, input: &Input, class: &'static Class) -> Option<ObjId> {
        let name = lazuli_vm::interp::name_of_cached(&input.name);
        let is_asked = |term: &&Term| match self.vm.terms.node(**term) {
            Node::Variable(variable) => self.vm.terms.declaration(variable).name == name,
            _ => false,
        };
        let asked = self.path.symbols.variables.iter().find(is_asked).filter(|_| class.is_box)?;
        let Constant::Int(1) = Evaluation::new(&self.vm.terms, self.model).value(*asked) else { return None };
        let Entry::Fields(fields) = &input.entry else { return None };
        self.vm.cached_object(&self.state, class, self.primitive(*fields.first()?))
    }

    fn string(&mut self, string: ObjId) -> Result<ObjId, NoExample> {
        let known = self.vm.program.known();
        let Value::Ref(Some(bytes)) = self.path.heap.field(string, known.string_value) else {
            return Err("a string without contents".into());
        };
        let Some(sparse) = self.path.heap.sparse(bytes) else { return Err("a string that is no input".into()) };
        let length = self.int(sparse.length).max(0) as usize;
        let bytes: Vec<Value> = sparse.touched.iter().take(length).map(|(_, byte)| *byte).collect();
        let units: Vec<u16> = bytes.into_iter().map(|byte| self.int(byte) as u8 as u16).collect();
        Ok(self.vm.new_string(&mut self.state, &units))
    }

    pub(super) fn int(&self, value: Value) -> i32 {
        match self.primitive(value) {
            Value::Int(value) => value,
            _ => 0,
        }
    }

    fn primitive(&self, value: Value) -> Value {
        match value {
            Value::Term(term, _) => {
                let constant = Evaluation::new(&self.vm.terms, self.model).value(term);
                lazuli_vm::interp::value_of_constant(constant)
            }
            other => other,
        }
    }

    /// The same where nothing is known of some places.
    fn known(&mut self, value: Value, kind: Kind) -> Result<Value, NoExample> {
        if matches!(value, Value::Unread | Value::Top) { Ok(Value::Unread) } else { self.concrete(value, kind) }
    }

    pub(super) fn concrete(&mut self, value: Value, kind: Kind) -> Result<Value, NoExample> {
        let path = self.path;
        match path.symbols.settled(value) {
            Value::Unread => Ok(kind.default_value()),
            Value::Ref(Some(object)) => match self.objects.get(&object).copied() {
                Some(object) => Ok(object.into()),
                // An object that was there before the path began is there again.
                None if self.start.contains(object) => Ok(object.into()),
                None if let Some(input) = path.symbols.input(object)
                    && let Entry::Built(built) = &input.entry =>
                {
                    self.built(input, built).map(Value::from)
                }
                None if let Some(same) = self.known_by_value(object) => {
                    self.objects.insert(object, same);
                    Ok(same.into())
                }
                None => self.enum_constant(object).map(Value::from),
            },
            Value::Unknown(id) if let Some(object) = self.undecided.get(&id) => Ok((*object).into()),
            Value::Unknown(id) => {
                let unknown = self.path.symbols.unknown(id);
                if unknown.may_be_null {
                    return Ok(Value::NULL);
                }
                let declared = unknown.declared;
                if let Some(recipe) = recipe_of(declared).filter(|_| !self.vm.rules.jdk_inputs) {
                    return self.make(recipe, &[]).map(Value::from);
                }
                let possible = self.vm.program.possible_classes(declared, self.vm.rules.world);
                let class = possible.ok_or_else(|| format!("no class implements {}", declared.java_name()))?;
                let class = self.representative(class)?;
                if class.id == self.vm.program.known().string.id {
                    return Ok(self.vm.new_text(&mut self.state, "").into());
                }
                if class.access & access::ENUM != 0 {
                    let constant = self.first_constant(class)?;
                    self.undecided.insert(id, constant);
                    return Ok(constant.into());
                }
                let heap = &mut self.state.heap;
                let object = if class.is_array() { heap.allocate_array(class, 0) } else { heap.allocate(class) };
                self.unread.extend((0..class.defaults.len()).map(|slot| (object, slot as u32)));
                self.undecided.insert(id, object);
                Ok(object.into())
            }
            other => Ok(self.primitive(other)),
        }
    }

    /// A text or a box that only a call made: there is another one with its value.
    fn known_by_value(&mut self, object: ObjId) -> Option<ObjId> {
        let class = self.path.heap.class(object);
        if class.id == self.vm.program.known().string.id {
            let text = self.vm.text(self.path, object);
            return Some(self.vm.new_text(&mut self.state, &text));
        }
        if !class.is_box {
            return None;
        }
        let value = self.primitive(self.path.heap.field(object, 0));
        let cached = self.path.symbols.boxes.contains(&object);
        if cached && let Some(cached) = self.vm.cached_object(&self.state, class, value) {
            return Some(cached);
        }
        let copy = self.state.heap.allocate(class);
        self.state.heap.set_field(copy, 0, value);
        Some(copy)
    }

    /// The first constant of an enumeration, which has no other objects.
    fn first_constant(&mut self, class: &'static Class) -> Result<ObjId, NoExample> {
        let owner = class.chain().find(|class| class.super_class.is_some_and(|above| above.name == "java/lang/Enum"));
        let owner = owner.unwrap_or(class);
        if self.vm.initialise_fully(&mut self.state, owner).is_err() {
            return Err(format!("{} cannot be initialised", owner.java_name()).into());
        }
        let mirror = self.state.classes.slot(owner.id).mirror;
        let slots = owner.enum_constants().map(|field| self.vm.program.slot_of(field) as usize);
        let mut constants = slots.filter_map(|slot| self.state.heap.field(mirror?, slot).object());
        constants.next().ok_or("an enumeration without constants".into())
    }

    /// The same constant of an enumeration in the new state.
    fn enum_constant(&mut self, object: ObjId) -> Result<ObjId, NoExample> {
        let class = self.path.heap.class(object);
        let owner = class.chain().find(|class| class.super_class.is_some_and(|above| above.name == "java/lang/Enum"));
        let owner = owner.ok_or_else(|| format!("an object of {} that is no input", class.java_name()))?;
        if self.vm.initialise_fully(&mut self.state, owner).is_err() {
            return Err(format!("{} cannot be initialised", owner.java_name()).into());
        }
        let program = self.vm.program.clone();
        let constant_in = |state: &State, slot: usize| {
            let mirror = state.classes.slot(owner.id).mirror?;
            match state.heap.field(mirror, slot) {
                Value::Ref(object) => object,
                _ => None,
            }
        };
        let mut slots = owner.enum_constants().map(|field| program.slot_of(field) as usize);
        let slot = slots.find(|slot| constant_in(self.path, *slot) == Some(object));
        slot.and_then(|slot| constant_in(&self.state, slot)).ok_or("a constant that is not there".into())
    }

    /// The object of the example that stands for one on which a call was made. One that is no part of the input, such as the builder of the
    /// receiver, has an identity here and nothing else: only the calls say what became of it.
    fn participant(&mut self, object: ObjId) -> Option<ObjId> {
        if let Some(known) = self.objects.get(&object) {
            return Some(*known);
        }
        if matches!(self.path.heap.get(object).body, Body::Free) {
            return None;
        }
        let class = self.path.heap.class(object);
        if class.is_open() || class.is_array() {
            return None;
        }
        let stand_in = self.state.heap.allocate(class);
        self.objects.insert(object, stand_in);
        Some(stand_in)
    }

    /// One class of those that an object may have.
    pub(super) fn representative(&self, class: &'static Class) -> Result<&'static Class, NoExample> {
        let Some(possible) = class.possible() else { return Ok(class) };
        // An object that no call made is of a class whose objects need none.
        let known = || possible.known.iter().filter(|known| !self.made.contains(&known.id));
        let own = known().find(|known| known.id == possible.bound.id);
        let types = || [possible.bound].into_iter().chain(possible.also.iter().copied());
        // An object whose code is not there: a test implements its types.
        if possible.known.is_empty()
            && possible.others
            && !possible.bound.is_array()
            && types().all(|class| possible.world.has_others(&self.vm.program, class))
        {
            return Ok(class);
        }
        own.or(known().next()).copied().ok_or_else(|| NoExample::Subclass { of: possible.bound.java_name() })
    }
}

/// The static field that lives in a slot of a class's mirror.
fn static_field(vm: &Vm, state: &State, (mirror, slot): (ObjId, u32)) -> Option<(&'static Class, &'static Field)> {
    let owner = vm.class_of_mirror(state, mirror)?;
    let field = owner.fields.iter().find(|field| field.is_static() && vm.program.slot_of(field) == slot)?;
    Some((owner, field))
}
