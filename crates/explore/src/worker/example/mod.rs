//! Which concrete input takes a path, and does it really?
//!
//! A solver's model, the shape of the input and the first class that fits make a concrete heap. Running the method on it, with
//! the same interpreter but nothing unknown, must end as the path did: what does not is a fault of ours and never reported as
//! one of the program.

mod builder;
mod handed;
mod orders;
mod run;
mod script;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lazuli_logic::{Chain, Model, Solver, SolverAnswer, SolverLimits, Sort, Term};
use lazuli_reach::call_sequence::CallSequence;
use lazuli_vm::contracts::RefusedCall;
use lazuli_vm::interp::{Example, Vm};
use lazuli_vm::program::{Class, ClassId, Field, Method};
use lazuli_vm::reason::NoExample;
use lazuli_vm::snapshot::{Camera, Datum};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{ENVIRONMENT, Entry, Input, Root, Taken};
use lazuli_vm::unknown_code::{ScriptedEnd, ScriptedValue};
use lazuli_vm::value::{Kind, ObjId, Value};

use self::builder::ExampleBuilder;
use self::script::ConcreteCall;
use crate::case::{Case, CaseCall, CaseRefill, CaseRefusal, CaseValue, CaseWrite, Ended, StaticInput};
use crate::coverage::Coverage;
use crate::path::Path;
use crate::report::Picture;
use crate::report::picture::Artist;
use crate::worker::history::history;

pub(crate) use orders::run_orders;
pub(crate) use run::{after, agrees, run, run_and_check, steps};
pub use run::{ended, message};

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
    /// The places that contain null because the code around handed it over.
    pub handed_nulls: Vec<(ObjId, u32)>,
    /// The calls that made the input.
    sequence: Option<Rc<CallSequence>>,
    /// The input as the report draws it.
    pub picture: Picture,
    /// The call whose precondition is false: its object, its method, and the condition.
    refused: Option<(Value, &'static Method, String)>,
}

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
        argument_parts: handed::argument_parts(path, method),
        handed_nulls: Vec::new(),
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
    builder.change_held()?;
    builder.settle_tables();
    let mut roots = Vec::new();
    for root in path.symbols.roots.iter() {
        let value = builder.concrete(root.value, Kind::Reference)?;
        roots.push(Root { name: root.name.clone(), value, holder: root.holder });
    }
    let mut taken = Vec::new();
    for given in path.symbols.taken.iter() {
        taken.push(Taken { name: given.name.clone(), value: builder.primitive(given.value), is_used: true });
    }
    let calls = builder.script()?;
    let comparisons = builder.comparisons();
    let refused = match &path.symbols.refused {
        Some(RefusedCall { receiver, method, told, .. }) => {
            let receiver = builder.concrete(*receiver, Kind::Reference).ok();
            receiver.map(|receiver| (receiver, *method, told.to_string()))
        }
        None => None,
    };
    builder.ground();
    let sequence = builder.sequence()?;
    let ExampleBuilder { vm, mut state, entries, unread, handed_nulls, .. } = builder;
    for root in &roots {
        // Static fields have again the contents that the calls which made the input left there.
        if let Some((mirror, slot)) =
            root.holder.filter(|(mirror, _)| sequence.is_some() && start.heap.contains(*mirror))
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
    let picture = Artist::new(vm, &drawn).made_by(sequence.as_deref()).input();
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
    taken.extend(any.iter().filter(|root| is_environment(root)).map(|root| Taken {
        name: root.name.clone(),
        value: root.value,
        is_used: true,
    }));
    let example = Example {
        statics: statics.into_iter().map(|root| (root.name.to_string(), root.value)).collect(),
        any: any.iter().filter(|root| !is_environment(root)).map(|root| root.value).collect(),
        taken,
        calls: calls.into_iter().map(|call| call.script).collect(),
        comparisons,
        is_contract: false,
        is_after: false,
        schedule: crate::worker::schedule::steps_of(path),
    };
    let mut depends_on = depends_on(vm, path);
    depends_on.retain(|name| !example.taken.iter().any(|taken| *taken.name == **name && taken.is_usual()));
    Ok(Concrete {
        state,
        arguments,
        example,
        inputs,
        roots,
        statics: fields,
        unread,
        depends_on,
        handed_nulls,
        sequence,
        picture,
        refused,
    })
}

impl Concrete {
    /// The same input, on which threads run in the order of a path.
    pub(crate) fn scheduled_as(mut self, path: &Path) -> Concrete {
        self.example.schedule = crate::worker::schedule::steps_of(path);
        self
    }

    /// The input as data, to which the run will add how it ended.
    pub(crate) fn case(&self, vm: &Vm, method: &'static Method, broken: Option<&'static Method>) -> Case {
        let mut camera = Camera::new(vm, &self.state, &self.unread);
        let made = (method.name == "<init>") as usize;
        let arguments: Vec<Datum> = self.arguments.iter().skip(made).map(|value| camera.take(*value)).collect();
        let statics: Vec<StaticInput> = (self.statics.iter())
            .map(|(owner, field, value)| StaticInput { owner, field, value: camera.take(*value) })
            .collect();
        let asked = self.example.any.iter().map(|value| camera.take(*value)).collect();
        let from_outside: Vec<&Taken> = self.example.taken.iter().filter(|taken| !taken.is_usual()).collect();
        let taken = from_outside.iter().map(|taken| camera.take(taken.value)).collect();
        let history =
            self.sequence.as_ref().map(|sequence| history(vm, &self.state, sequence, &self.arguments, &mut camera));
        let unknown_calls = self.case_calls(&mut camera);
        let refused = self.refused.as_ref().and_then(|(receiver, method, told)| match camera.take(*receiver) {
            Datum::Object(receiver) => Some(CaseRefusal { receiver, method, told: told.clone() }),
            _ => None,
        });
        Case {
            unknown_calls,
            refused,
            heap: camera.finish(),
            arguments,
            statics,
            history,
            asks: !self.example.any.is_empty(),
            asked,
            asked_at: Vec::new(),
            taken,
            takes: from_outside.iter().map(|taken| taken.name.to_string()).collect(),
            depends_on: self.depends_on.clone(),
            schedule: self.example.schedule.clone(),
            ended: Ended::Otherwise,
            coverage: Coverage::default(),
            broken,
            broken_clause: None,
        }
    }

    /// The calls of code that is not there, as data.
    fn case_calls(&self, camera: &mut Camera) -> Vec<CaseCall> {
        let mut value = |value: ScriptedValue| match value {
            ScriptedValue::Known(value) => CaseValue::Known(camera.take(value)),
            ScriptedValue::Handed { call, argument } => CaseValue::Handed { call, argument },
        };
        let mut found = Vec::new();
        for call in &self.example.calls {
            let receiver = call.receiver.map(|receiver| value(ScriptedValue::Known(receiver.into())));
            let receiver = match receiver {
                Some(CaseValue::Known(Datum::Object(receiver))) => Some(receiver),
                _ => None,
            };
            let end = match call.end {
                ScriptedEnd::Returned(result) => Ok(value(result)),
                ScriptedEnd::Threw(class) => Err(class),
            };
            let writes = call.writes.iter().map(|write| {
                let (object, new) = (value(write.object), value(write.value));
                CaseWrite { object, class: write.class, slot: write.slot, value: new }
            });
            let writes = writes.collect();
            let refills = call.refills.iter().map(|refill| CaseRefill {
                object: value(refill.object),
                is_map: refill.is_map,
                values: refill.values.iter().map(|element| value(*element)).collect(),
            });
            let refills = refills.collect();
            let made = call.makes.iter().map(|object| value(ScriptedValue::Known((*object).into())));
            let makes = made.filter_map(|made| match made {
                CaseValue::Known(datum) => Some(datum),
                CaseValue::Handed { .. } => None,
            });
            let makes = makes.collect();
            found.push(CaseCall { receiver, method: call.method, end, writes, refills, makes, role: call.role });
        }
        found
    }
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

/// The static field that lives in a slot of a class's mirror.
pub(crate) fn static_field(
    vm: &Vm,
    state: &State,
    (mirror, slot): (ObjId, u32),
) -> Option<(&'static Class, &'static Field)> {
    let owner = vm.class_of_mirror(state, mirror)?;
    let field = owner.fields.iter().find(|field| field.is_static() && vm.program.slot_of(field) == slot)?;
    Some((owner, field))
}
