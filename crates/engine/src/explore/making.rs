//! How are inputs made by calls before the method runs?
//!
//! Each call is an ordinary run from an empty stack, and which comes next is a question like any other. What the calls made is then
//! written down as the input: from there on it is the same as one that came into being in another way.

use std::collections::HashSet;
use std::rc::Rc;

use super::contract::parameter_classes;
use super::worker::{Stage, Worker};
use crate::heap::Body;
use crate::making::{Call, Making, Step};
use crate::outcome::{End, Finished, Question, Stop};
use crate::program::{Class, Method, access, parameter_names};
use crate::state::{Initialisation, State};
use crate::symbols::{Entry, Input};
use crate::value::{ObjId, Value};

impl Worker<'_> {
    /// The state before anything is made. What no call makes is unknown, as under other techniques.
    pub(super) fn inputs_to_make(&mut self) -> State {
        let mut state = self.start.fork();
        state.symbols.making = Some(Rc::default());
        // What the calls that make inputs change was there at entry.
        state.symbols.origin = None;
        state.symbols.later = Rc::default();
        if !self.method.is_static() && self.method.name != "<init>" {
            state.add_root("this", Value::NULL, None);
        }
        let classes = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        for (name, declared) in parameter_names(self.method).into_iter().zip(classes) {
            let root = state.symbols.roots.len();
            match self.recipes.iter().any(|recipe| recipe.root == root) {
                true => state.add_root(&name, Value::NULL, None),
                false => drop(self.vm.new_argument(&mut state, &name, declared, true)),
            }
        }
        state
    }

    /// Runs to the next question or end. What an input is made of is asked for before anything runs.
    pub(super) fn advance(&mut self, state: &mut State) -> Stop {
        while self.is_making(state) && state.thread.frames.is_empty() {
            let making = Rc::make_mut(state.symbols.making.get_or_insert_default());
            let Some(step) = making.step.take() else { return Stop::Ask(Question::Make(self.steps(state))) };
            if let Err(stop) = self.begin_step(state, step) {
                return stop;
            }
        }
        self.run(state)
    }

    /// Is an input not made yet?
    pub(super) fn is_making(&self, state: &State) -> bool {
        state.symbols.making.as_ref().map_or(0, |making| making.finished) < self.recipes.len()
    }

    /// Goes on after the end of a call. One that throws makes no input.
    pub(super) fn step_ended(&mut self, finished: Finished) -> Stage {
        match finished.end {
            End::Returned(_) => {
                let mut state = finished.state;
                state.thread = Default::default();
                state.monitors.clear();
                self.take_stock(&mut state);
                Stage::GoesOn(state)
            }
            End::Threw(_) | End::AssumedAway | End::Exited(_) => Stage::Dropped,
            End::Limit(_) | End::Unsupported { .. } | End::Malformed { .. } => Stage::Over(finished),
        }
    }

    /// What may happen next to the input that is being made. The shortest way is the first.
    fn steps(&self, state: &State) -> Vec<Step> {
        let making = making_of(state);
        let recipe = &self.recipes[making.finished];
        if making.object.is_some() {
            let called =
                making.calls.iter().filter(|call| call.root == recipe.root && call.method.name != "<init>").count();
            let calls = recipe.methods.iter().filter(|_| called < recipe.calls).map(|method| Step::Call(method));
            return std::iter::once(Step::Done).chain(calls).collect();
        }
        let mut steps = Vec::new();
        if recipe.is_parameter {
            steps.push(Step::Null);
            for earlier in &self.recipes[..making.finished] {
                let made = state.symbols.roots[earlier.root].value;
                if let Value::Ref(Some(object)) = made
                    && earlier.class.is_subtype_of(recipe.class)
                    && !steps.iter().any(|step| matches!(step, Step::Same(known) if *known == object))
                {
                    steps.push(Step::Same(object));
                }
            }
        }
        steps.push(Step::New(recipe.constructor));
        steps
    }

    fn begin_step(&mut self, state: &mut State, step: Step) -> Result<(), Stop> {
        let recipe = self.recipes[making_of(state).finished].clone();
        let is_finished = match step {
            Step::New(constructor) => {
                let object = state.heap.allocate(recipe.class);
                set_root(state, recipe.root, object.into());
                making_mut(state).object = Some(object);
                self.call(state, recipe.root, object, constructor)?;
                false
            }
            Step::Call(method) => {
                if let Some(object) = making_of(state).object {
                    self.call(state, recipe.root, object, method)?;
                }
                false
            }
            Step::Null => true,
            Step::Same(object) => {
                set_root(state, recipe.root, object.into());
                true
            }
            Step::Done => true,
        };
        if is_finished {
            let making = making_mut(state);
            making.finished += 1;
            making.object = None;
            if !self.is_making(state) {
                self.begin_stage(state)?;
            }
        }
        Ok(())
    }

    /// Enters a method with unknown arguments.
    fn call(&mut self, state: &mut State, root: usize, object: ObjId, method: &'static Method) -> Result<(), Stop> {
        let making = making_of(state);
        let objects_before = making.objects.len();
        let before = making.calls.iter().filter(|call| call.root == root).count();
        let owner = match &*state.symbols.roots[root].name {
            "this" => String::new(),
            name => format!("{name}."),
        };
        let call = if method.name == "<init>" { "new".to_string() } else { format!("{}#{before}", method.name) };
        let classes = parameter_classes(&self.vm.program, method).unwrap_or_default();
        let named = parameter_names(method).into_iter().zip(classes);
        let arguments: Rc<[Value]> = named
            .map(|(name, declared)| self.vm.new_value(state, &format!("{owner}{call}.{name}"), declared, true))
            .collect();
        let all: Vec<Value> = std::iter::once(object.into()).chain(arguments.iter().copied()).collect();
        Rc::make_mut(&mut making_mut(state).calls).push(Call { root, method, arguments, objects_before });
        self.vm.begin(state, method, &all)
    }

    /// Writes down what the calls have made so far as the input: all that it reaches, as it is now.
    fn take_stock(&mut self, state: &mut State) {
        self.note_statics(state);
        let making = making_of(state).clone();
        let made_before: HashSet<ObjId> = making.objects.iter().copied().collect();
        let mut lazy: Vec<Input> =
            state.symbols.inputs.iter().filter(|input| !made_before.contains(&input.object)).cloned().collect();
        for input in &mut lazy {
            input.entry = contents(state, input.object).unwrap_or(input.entry.clone());
        }
        let mut found: Vec<Input> = Vec::new();
        let mut seen: HashSet<ObjId> = HashSet::new();
        let mut next: Vec<(ObjId, String, u32)> = Vec::new();
        for root in state.symbols.roots.iter() {
            if let Value::Ref(Some(object)) = state.symbols.settled(root.value) {
                next.push((object, root.name.to_string(), 0));
            }
        }
        next.extend(lazy.iter().map(|input| (input.object, input.name.to_string(), input.depth)));
        let mut at = 0;
        while at < next.len() {
            let (object, name, depth) = next[at].clone();
            at += 1;
            if !seen.insert(object) {
                continue;
            }
            let is_lazy = lazy.iter().any(|input| input.object == object);
            let Some(entry) = contents(state, object).filter(|_| is_lazy || self.is_part_of_input(state, object))
            else {
                continue;
            };
            let class = state.heap.class(object);
            for (label, value) in labelled(class, &entry) {
                if let Value::Ref(Some(object)) = state.symbols.settled(value) {
                    next.push((object, format!("{name}{label}"), depth + 1));
                }
            }
            if !is_lazy {
                found.push(Input { object, name: name.as_str().into(), depth, counted: class, entry });
            }
        }
        let new: Vec<ObjId> =
            found.iter().map(|input| input.object).filter(|object| !made_before.contains(object)).collect();
        Rc::make_mut(&mut making_mut(state).objects).extend(new);
        found.extend(lazy);
        state.symbols.inputs = Rc::new(found);
        state.symbols.forks.clear();
    }

    /// What calls left in static fields is part of the input too. Values that they asked for by `Lazuli.any…` are not.
    fn note_statics(&mut self, state: &mut State) {
        let own = self.method.arguments as usize - (self.method.name == "<init>") as usize;
        let mut roots = (*state.symbols.roots).clone();
        let mut index = 0;
        roots.retain(|root| {
            index += 1;
            index <= own || root.holder.is_some()
        });
        for root in &mut roots {
            if let Some((mirror, slot)) = root.holder {
                root.value = state.heap.field(mirror, slot as usize);
            }
        }
        state.symbols.roots = Rc::new(roots);
        for class in self.vm.program.users() {
            let (before, now) = (self.start.classes.slot(class.id), state.classes.slot(class.id));
            let (Some(mirror), Initialisation::Done) = (before.mirror, before.initialisation) else { continue };
            if now.mirror != before.mirror {
                continue;
            }
            for field in class.fields.iter().filter(|field| field.is_static()) {
                let slot = self.vm.program.slot_of(field);
                let value = state.heap.field(mirror, slot as usize);
                let is_known = state.symbols.roots.iter().any(|root| root.holder == Some((mirror, slot)));
                if !is_known && value != self.start.heap.field(mirror, slot as usize) {
                    let name = format!("{}.{}", self.vm.program.short_name(class), field.name);
                    state.add_root(&name, value, Some((mirror, slot)));
                }
            }
        }
    }

    /// Is an object one that the calls made, and of which somebody could tell? Texts and boxes are known by their value, and what was
    /// there before is there again.
    fn is_part_of_input(&self, state: &State, object: ObjId) -> bool {
        let class = state.heap.class(object);
        let known = self.vm.program.known();
        let is_constant = class.chain().any(|class| class.access & access::ENUM != 0);
        !(self.start.heap.contains(object) || is_constant || class.is_box)
            && class.id != known.class.id
            && class.id != known.string.id
    }
}

fn making_of(state: &State) -> &Making {
    state.symbols.making.as_ref().expect("a step belongs to a making")
}

fn making_mut(state: &mut State) -> &mut Making {
    Rc::make_mut(state.symbols.making.get_or_insert_default())
}

fn set_root(state: &mut State, root: usize, value: Value) {
    Rc::make_mut(&mut state.symbols.roots)[root].value = value;
}

/// The values of an object, each with how it is written behind the name of the object: `.next`, `[0]`.
fn labelled(class: &'static Class, entry: &Entry) -> Vec<(String, Value)> {
    match entry {
        Entry::Fields(fields) => {
            let label = |slot: usize| format!(".{}", class.label_at(slot as u32).unwrap_or_default());
            fields.iter().enumerate().map(|(slot, value)| (label(slot), *value)).collect()
        }
        Entry::Elements(elements) => {
            elements.iter().enumerate().map(|(index, (_, value))| (format!("[{index}]"), *value)).collect()
        }
    }
}

/// What an object holds now. None if its slot is not in use.
fn contents(state: &State, object: ObjId) -> Option<Entry> {
    Some(match &state.heap.get(object).body {
        Body::Fields(fields) => Entry::Fields(fields.clone()),
        Body::Sparse(sparse) => Entry::Elements(Rc::new(sparse.touched.clone())),
        Body::Free => return None,
        _ => {
            let length = state.heap.length(object).unwrap_or(0) as i32;
            let element = |index| Some((Value::Int(index), state.heap.element(object, index)?));
            Entry::Elements(Rc::new((0..length).filter_map(element).collect()))
        }
    })
}
