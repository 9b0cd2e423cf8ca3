//! Does the run of a concrete input end as its path did, and does it keep the contract?

use std::collections::BTreeSet;
use std::rc::Rc;

use lazuli_logic::Model;
use lazuli_logic::evaluate::Evaluation;
use lazuli_spec::{Contract, ContractOptions, EndValues, Obligation, Owed, Precondition, Specification, invariant_of};
use lazuli_valid::Invariant;
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::interp::{AskedValue, Example, Moment, Vm, Walk};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, Method, local_variables, signature};
use lazuli_vm::reason::NoExample;
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Input, Root};
use lazuli_vm::value::{ObjId, Value};

use super::Concrete;
use crate::case::{Ended, gist};
use crate::coverage::Coverage;
use crate::path::Finished;
use crate::report::picture::Artist;
use crate::report::{After, RunStep};
use crate::worker::confirm::place;
use crate::worker::schedule::stands;

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
    /// The values that the program asked for.
    pub asked: Vec<AskedValue>,
    /// The first of its lines, with all that there was before them.
    moments: Vec<Moment>,
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
    /// The first steps of the run.
    pub steps: Vec<RunStep>,
}

impl Concrete {
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
            vm.example = Some(of_contract(&self.example, false));
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
        vm.example = Some(of_contract(&self.example, false));
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
    most_steps: usize,
) -> Result<Checked, NoExample> {
    let (given, example) = (concrete.arguments.clone(), concrete.example.clone());
    let specification = contract.specification.as_deref();
    let olds = specification.map_or(Vec::new(), |specification| concrete.olds(vm, specification));
    let past = Rc::new(concrete.state.heap.clone());
    if specification.is_some_and(|specification| specification.asks_entry) {
        concrete.state.symbols.past = Some(past.clone());
    }
    let run = run(vm, concrete, method, most_steps);
    let (ended, after, steps) = (ended(vm, &run.state, &run.stop), after(vm, &run, method), steps(vm, &run));
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
    (state.thread, state.threads) = Default::default();
    if let Owed::Clause(_) = obligation.owed {
        (state.symbols.past, state.symbols.inputs) = (Some(past), inputs);
    }
    vm.example = Some(of_contract(&example, true));
    let stop = vm.call(&mut state, obligation.method, &arguments);
    vm.example = None;
    match stop {
        Stop::End(End::Returned(Value::Int(0)) | End::Threw(_)) => Ok(Checked { lines, coverage, ended, after, steps }),
        _ => Err(NoExample::Holds { duty: obligation.name() }),
    }
}

/// The same for a contract method, which gets the usual values from outside. Is it asked about what the method left behind?
fn of_contract(example: &Example, is_after: bool) -> Example {
    Example { taken: Vec::new(), is_contract: true, is_after, ..example.clone() }
}

/// Runs the method on a concrete input, and remembers that many of its first steps.
pub(crate) fn run(vm: &mut Vm, concrete: Concrete, method: &'static Method, most_steps: usize) -> Run {
    let Concrete { mut state, arguments, example, inputs, roots, .. } = concrete;
    vm.example = Some(example);
    vm.walk = Some(Walk::with_moments(most_steps));
    vm.may_start_threads = true;
    state.monitor = vm.new_monitor();
    let stop = vm.call(&mut state, method, &arguments);
    (vm.may_start_threads, vm.example, state.monitor) = (false, None, None);
    let walk = vm.walk.take().unwrap_or_default();
    let coverage = Coverage::of(&vm.program, &walk);
    let made = (method.name == "<init>").then(|| arguments[0]);
    Run { state, stop, lines: walk.lines, coverage, asked: walk.asked, moments: walk.moments, inputs, roots, made }
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

/// The steps of a run that were remembered, each with its local variables and the objects as they were.
pub(crate) fn steps(vm: &Vm, run: &Run) -> Vec<RunStep> {
    let step = |moment: &Moment| {
        let Moment { method, pc, line, depth, heap, locals } = moment;
        let code = vm.program.code(method).ok()?;
        let variables = local_variables(method, code, *pc).into_iter().filter_map(|variable| {
            let value = locals.get(variable.register).copied().filter(|value| *value != Value::Top)?;
            Some((variable, value))
        });
        let (variables, kinds): (Vec<Root>, Vec<_>) = variables
            .map(|(variable, value)| (Root { name: variable.name.into(), value, holder: None }, variable.kind))
            .unzip();
        let statics = run.roots.iter().filter(|root| root.holder.is_some()).map(|root| {
            let value = held_statically(vm, &State { heap: heap.clone(), ..run.state.fork() }, &root.name);
            Root { name: root.name.clone(), value: value.unwrap_or(root.value), holder: None }
        });
        let mut state = run.state.fork();
        state.symbols.roots = Rc::new(variables.into_iter().chain(statics).collect());
        state.symbols.inputs = run.inputs.clone();
        state.heap = heap.clone();
        let (heap, _) = Artist::new(vm, &state).with_kinds(kinds).output(None);
        let class = method.class().java_name();
        let class = class.rsplit('.').next().unwrap_or_default().replace('$', ".");
        let method = format!("{class}.{}", signature(method));
        Some(RunStep { place: place(moment.method.class(), *line), method, depth: *depth, heap })
    };
    run.moments.iter().filter_map(step).collect()
}

/// The heap that threads left behind which used one object.
pub(super) fn after_use(vm: &Vm, ended: &State, concrete: &Concrete) -> After {
    let mut state = ended.fork();
    state.symbols.roots = Rc::new(concrete.roots.clone());
    state.symbols.inputs = concrete.inputs.clone();
    let (heap, result) = Artist::new(vm, &state).output(None);
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
        Stop::End(End::Deadlock) => Ended::Deadlock,
        _ => Ended::Otherwise,
    }
}

/// The text of `getMessage()` of an exception that ended a run.
pub fn message(vm: &mut Vm, ended: &State, exception: ObjId) -> Option<String> {
    let get_message = vm.program.known().throwable.own_method("getMessage", "()Ljava/lang/String;")?;
    let target = vm.select(ended.heap.class(exception), get_message)?;
    let mut state = ended.fork();
    (state.thread, state.threads) = Default::default();
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
        (End::Deadlock, End::Deadlock) => stands(path) == stands(&run.state),
        (End::Broken(broken), End::Broken(found)) => broken == found,
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
