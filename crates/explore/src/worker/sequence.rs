//! How are inputs made by calls before the method runs?
//!
//! Each call is an ordinary run from an empty stack, and which comes next is a question like any other. The objects that the calls
//! made are then recorded as the input: from there on it is the same as one that came into being in another way.

use std::collections::HashSet;
use std::rc::Rc;

use lazuli_reach::call_sequence::{Act, CallSequence, RecipeStep, SequenceCall};
use lazuli_spec::parameter_classes;
use lazuli_vm::heap::Body;
use lazuli_vm::outcome::{End, Question, Stop};
use lazuli_vm::program::{Class, Method, access, parameter_names};
use lazuli_vm::state::Initialisation;
use lazuli_vm::symbols::{Entry, Input};
use lazuli_vm::value::{ObjId, Value};

use crate::path::{Finished, Path};
use crate::worker::{Continuation, Worker};

impl Worker<'_> {
    /// The path before anything is made. An input that no call makes is unknown, as under other techniques.
    pub(crate) fn inputs_to_make(&mut self) -> Path {
        let mut path = Path { sequence: Some(Rc::default()), ..self.start.fork().into() };
        // Objects that the calls which make inputs change were there at entry.
        path.symbols.origin = None;
        path.symbols.later = Rc::default();
        if !self.method.is_static() && self.method.name != "<init>" {
            path.add_root("this", Value::NULL, None);
        }
        let classes = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        let nullable = self.nullable_parameters(self.method);
        let typed = classes.into_iter().zip(self.vm.program.generic_parameters(self.method));
        for ((name, declared), may_be_null) in parameter_names(self.method).into_iter().zip(typed).zip(nullable) {
            let root = path.symbols.roots.len();
            match self.recipes.iter().any(|recipe| recipe.root == root) {
                true => path.add_root(&name, Value::NULL, None),
                false => drop(self.vm.new_typed_argument(&mut path, &name, declared, may_be_null)),
            }
        }
        path
    }

    /// Runs to the next question or end. The question which calls make an input comes before anything runs.
    pub(crate) fn advance(&mut self, path: &mut Path) -> Stop {
        while self.is_making(path) && path.thread.frames.is_empty() {
            let sequence = Rc::make_mut(path.sequence.get_or_insert_default());
            let Some(step) = sequence.step.take() else { return Stop::Ask(self.next_step(path)) };
            if let Err(stop) = self.begin_step(path, step) {
                return stop;
            }
        }
        // An invariant waits for its root to be decided.
        if path.thread.frames.is_empty() && path.stage < self.contract.invariants.len() {
            if let Some(root) = self.undecided_root(path) {
                return Stop::Ask(Question::Deref(root));
            }
            if let Err(stop) = self.begin_stage(path) {
                return stop;
            }
        }
        // Contracts, and calls that make inputs, start no threads: the inputs of a check are those of one thread.
        self.vm.may_start_threads = !self.is_making(path) && path.stage >= self.contract.stages();
        self.vm.checks_return = self.checks_return;
        let stop = match path.stage >= self.contract.stages() {
            true => self.advance_use(path),
            false => self.run(path),
        };
        self.vm.may_start_threads = false;
        stop
    }

    /// Is an input not made yet?
    pub(crate) fn is_making(&self, path: &Path) -> bool {
        path.sequence.as_ref().map_or(0, |sequence| sequence.finished) < self.recipes.len()
    }

    /// Goes on after the end of a call. One that throws makes no input.
    pub(crate) fn step_ended(&mut self, finished: Finished) -> Continuation {
        match finished.end {
            End::Returned(_) => {
                let mut path = finished.path;
                path.thread = Default::default();
                path.monitors.clear();
                let own = self.method.arguments as usize - (self.method.name == "<init>") as usize;
                self.take_stock(&mut path, own);
                Continuation::GoesOn(path)
            }
            End::Beyond(bound) => {
                self.summary.restricted(&bound);
                Continuation::Dropped
            }
            // A call that makes an input starts no thread.
            End::Threw(_) | End::AssumedAway | End::Exited(_) | End::Deadlock | End::Redundant => Continuation::Dropped,
            End::Broken(_) => Continuation::Dropped,
            End::Limit(_) | End::Unsupported { .. } | End::Malformed { .. } => Continuation::Over(finished),
        }
    }

    /// Asks which step of its recipe an input takes next.
    fn next_step(&self, path: &mut Path) -> Question {
        let offered = self.steps(path);
        let ways = offered.len();
        sequence_mut(path).offered = offered;
        Question::Choose(ways)
    }

    /// Notes which of the steps that were offered comes next.
    pub(crate) fn choose_step(&mut self, path: &mut Path, way: usize) {
        let sequence = sequence_mut(path);
        sequence.step = sequence.offered.get(way).copied();
    }

    /// The possible next steps of the input that is being made. The shortest way is the first.
    fn steps(&self, path: &Path) -> Vec<RecipeStep> {
        let sequence = sequence_of(path);
        let recipe = &self.recipes[sequence.finished];
        if sequence.object.is_some() {
            let is_its = |call: &&SequenceCall| call.receiver == sequence.object && !call.act.is_constructor();
            let called = sequence.calls.iter().filter(is_its).count();
            let calls = recipe.methods.iter().filter(|_| called < recipe.calls).map(|method| RecipeStep::Call(method));
            return std::iter::once(RecipeStep::Done).chain(calls).collect();
        }
        let mut steps = Vec::new();
        if recipe.is_parameter {
            steps.push(RecipeStep::Null);
            for earlier in &self.recipes[..sequence.finished] {
                let made = path.symbols.roots[earlier.root].value;
                if let Value::Ref(Some(object)) = made
                    && earlier.class.is_subtype_of(recipe.class)
                    && !steps.iter().any(|step| matches!(step, RecipeStep::Same(known) if *known == object))
                {
                    steps.push(RecipeStep::Same(object));
                }
            }
        }
        steps.push(RecipeStep::New(recipe.constructor));
        steps
    }

    fn begin_step(&mut self, path: &mut Path, step: RecipeStep) -> Result<(), Stop> {
        let recipe = self.recipes[sequence_of(path).finished].clone();
        let is_finished = match step {
            RecipeStep::New(constructor) => {
                let object = path.heap.allocate(recipe.class);
                set_root(path, recipe.root, object.into());
                sequence_mut(path).object = Some(object);
                self.call(path, recipe.root, object, constructor)?;
                false
            }
            RecipeStep::Call(method) => {
                if let Some(object) = sequence_of(path).object {
                    self.call(path, recipe.root, object, method)?;
                }
                false
            }
            RecipeStep::Null => true,
            RecipeStep::Same(object) => {
                set_root(path, recipe.root, object.into());
                true
            }
            RecipeStep::Done => true,
        };
        if is_finished {
            let sequence = sequence_mut(path);
            sequence.finished += 1;
            sequence.object = None;
            if !self.is_making(path) {
                self.begin_stage(path)?;
            }
        }
        Ok(())
    }

    /// Enters a method with unknown arguments.
    fn call(&mut self, path: &mut Path, root: usize, object: ObjId, method: &'static Method) -> Result<(), Stop> {
        let sequence = sequence_of(path);
        let objects_before = sequence.objects.len();
        let before = sequence.calls.iter().filter(|call| call.receiver == Some(object)).count();
        let owner = match &*path.symbols.roots[root].name {
            "this" => String::new(),
            name => format!("{name}."),
        };
        let call = if method.name == "<init>" { "new".to_string() } else { format!("{}#{before}", method.name) };
        let classes = parameter_classes(&self.vm.program, method).unwrap_or_default();
        let nullable = self.nullable_parameters(method);
        let typed = classes.into_iter().zip(self.vm.program.generic_parameters(method));
        let named = parameter_names(method).into_iter().zip(typed).zip(nullable);
        path.symbols.passed = Some(path.symbols.unknowns.len());
        let arguments: Rc<[Value]> = named
            .map(|((name, declared), may_be_null)| {
                self.vm.new_value(path, &format!("{owner}{call}.{name}"), declared, may_be_null)
            })
            .collect();
        let all: Vec<Value> = std::iter::once(object.into()).chain(arguments.iter().copied()).collect();
        let result = (method.name == "<init>").then_some(object);
        let act = Act::Call(method);
        let receiver = Some(object);
        let made = SequenceCall { act, receiver, arguments, result, threw: false, objects_before, held_before: 0 };
        Rc::make_mut(&mut sequence_mut(path).calls).push(made);
        self.vm.begin(path, method, &all)
    }

    /// Writes down what the calls have made so far as the input: all that it reaches, as it is now.
    pub(super) fn take_stock(&mut self, path: &mut Path, own: usize) {
        self.note_statics(path, own);
        self.note_changes(path);
        let sequence = sequence_of(path).clone();
        let made_before: HashSet<ObjId> = sequence.objects.iter().copied().collect();
        let mut lazy: Vec<Input> =
            path.symbols.inputs.iter().filter(|input| !made_before.contains(&input.object)).cloned().collect();
        for input in &mut lazy {
            let now = contents(path, input.object).unwrap_or(input.entry.clone());
            sequence_mut(path).note_original(input.object, &input.entry, &now);
            input.entry = now;
        }
        let mut found: Vec<Input> = Vec::new();
        let mut seen: HashSet<ObjId> = HashSet::new();
        let mut next: Vec<(ObjId, String, u32)> = Vec::new();
        for root in path.symbols.roots.iter() {
            if let Value::Ref(Some(object)) = path.symbols.settled(root.value) {
                next.push((object, root.name.to_string(), 0));
            }
        }
        let unnamed = |object: &ObjId| (*object, name_of_made(path, *object), 0);
        next.extend(sequence.held.iter().map(unnamed));
        next.extend(lazy.iter().map(|input| (input.object, input.name.to_string(), input.depth)));
        let mut at = 0;
        while at < next.len() {
            let (object, name, depth) = next[at].clone();
            at += 1;
            if !seen.insert(object) {
                continue;
            }
            let is_lazy = lazy.iter().any(|input| input.object == object);
            let Some(entry) = contents(path, object).filter(|_| is_lazy || self.is_part_of_input(path, object)) else {
                continue;
            };
            let class = path.heap.class(object);
            for (label, value) in labelled(class, &entry) {
                if let Value::Ref(Some(object)) = path.symbols.settled(value) {
                    next.push((object, format!("{name}{label}"), depth + 1));
                }
            }
            if !is_lazy {
                found.push(Input { object, name: name.as_str().into(), depth, counted: class, generic: None, entry });
            }
        }
        let new: Vec<ObjId> =
            found.iter().map(|input| input.object).filter(|object| !made_before.contains(object)).collect();
        Rc::make_mut(&mut sequence_mut(path).objects).extend(new);
        found.extend(lazy);
        path.symbols.inputs = Rc::new(found);
        path.symbols.forks.clear();
    }

    /// Static fields that calls changed are part of the input too; the first `own` roots are those of the method. Values that they asked for by `Lazuli.any…` are not.
    fn note_statics(&mut self, path: &mut Path, own: usize) {
        let mut roots = (*path.symbols.roots).clone();
        let mut index = 0;
        roots.retain(|root| {
            index += 1;
            index <= own || root.holder.is_some()
        });
        for root in &mut roots {
            if let Some((mirror, slot)) = root.holder {
                root.value = path.heap.field(mirror, slot as usize);
            }
        }
        path.symbols.roots = Rc::new(roots);
        for class in self.vm.program.users() {
            let (before, now) = (self.start.classes.slot(class.id), path.classes.slot(class.id));
            let (Some(mirror), Initialisation::Done) = (before.mirror, before.initialisation) else { continue };
            if now.mirror != before.mirror {
                continue;
            }
            for field in class.fields.iter().filter(|field| field.is_static()) {
                let slot = self.vm.program.slot_of(field);
                let value = path.heap.field(mirror, slot as usize);
                let is_known = path.symbols.roots.iter().any(|root| root.holder == Some((mirror, slot)));
                if !is_known && value != self.start.heap.field(mirror, slot as usize) {
                    let name = format!("{}.{}", self.vm.program.short_name(class), field.name);
                    path.add_root(&name, value, Some((mirror, slot)));
                }
            }
        }
    }

    /// Objects that static fields held before all calls are no parts of the input, but calls may have changed what they contain: a singleton's setting.
    fn note_changes(&mut self, path: &mut Path) {
        let held = path.held_by_statics().iter().map(|held| held.object);
        let is_changed = |object: &ObjId| {
            let (before, now) = (&self.start.heap, &path.heap);
            let (true, Body::Fields(now)) = (before.contains(*object), &now.get(*object).body) else { return false };
            !matches!(&before.get(*object).body, Body::Fields(before) if before == now)
        };
        let changed = held.filter(is_changed).filter_map(|object| Some((object, contents(path, object)?))).collect();
        sequence_mut(path).changed = Rc::new(changed);
    }

    /// Did the calls make this object, and can code observe its identity? Strings and boxes count by their value, and objects that
    /// were there before are there again.
    fn is_part_of_input(&self, path: &Path, object: ObjId) -> bool {
        let class = path.heap.class(object);
        let known = self.vm.program.known();
        let is_constant = class.chain().any(|class| class.access & access::ENUM != 0);
        !(self.start.heap.contains(object) || is_constant || class.is_box)
            && class.id != known.class.id
            && class.id != known.string.id
    }
}

pub(crate) fn sequence_of(path: &Path) -> &CallSequence {
    path.sequence.as_ref().expect("a step belongs to a sequence of calls")
}

pub(super) fn sequence_mut(path: &mut Path) -> &mut CallSequence {
    Rc::make_mut(path.sequence.get_or_insert_default())
}

/// How an object is called that calls made, and that no root refers to: `item1`.
fn name_of_made(path: &Path, object: ObjId) -> String {
    let held = &sequence_of(path).held;
    let class = path.heap.class(object);
    let same = |other: &&ObjId| path.heap.class(**other).id == class.id;
    let number = held.iter().take_while(|other| **other != object).filter(same).count() + 1;
    let name = class.java_name();
    let mut letters = name.rsplit(['.', '$']).next().unwrap_or_default().chars();
    let first: String = letters.next().map(|letter| letter.to_lowercase().collect()).unwrap_or_default();
    format!("{first}{}{number}", letters.as_str())
}

fn set_root(path: &mut Path, root: usize, value: Value) {
    Rc::make_mut(&mut path.symbols.roots)[root].value = value;
}

/// The values of an object, each with how it is written behind the name of the object: `.next`, `[0]`.
fn labelled(class: &'static Class, entry: &Entry) -> Vec<(String, Value)> {
    match entry {
        Entry::Fields(fields) => {
            let label = |slot: usize| format!(".{}", class.label_at(slot as u32).unwrap_or_default());
            fields.iter().enumerate().map(|(slot, value)| (label(slot), *value)).collect()
        }
        Entry::Built(built) => built.arguments.iter().map(|value| (String::new(), *value)).collect(),
        Entry::Elements(elements) => {
            elements.iter().enumerate().map(|(index, (_, value))| (format!("[{index}]"), *value)).collect()
        }
    }
}

/// The contents of an object now. None if its slot is not in use.
pub(super) fn contents(path: &Path, object: ObjId) -> Option<Entry> {
    Some(match &path.heap.get(object).body {
        Body::Fields(fields) => Entry::Fields(fields.clone()),
        Body::Sparse(sparse) => Entry::Elements(Rc::new(sparse.touched.clone())),
        Body::Free => return None,
        _ => {
            let length = path.heap.length(object).unwrap_or(0) as i32;
            let element = |index| Some((Value::Int(index), path.heap.element(object, index)?));
            Entry::Elements(Rc::new((0..length).filter_map(element).collect()))
        }
    })
}
