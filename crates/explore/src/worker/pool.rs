//! Which inputs do calls make, if Lazuli chooses the calls itself?
//!
//! All sequences of at most so many calls and assignments, shortest first: each state is extended by every constructor, static method, method
//! of an object that the code around has, and assignment, with unknown arguments. What an argument refers to is decided when a call looks
//! at it: an object that the code around had before, or one that no call needs to make. A state that an earlier one covers is not
//! extended (see `covers`). If none is left to extend, every sequence leads to a state that is covered, and the bound falls away.
//!
//! Invariant: the list of states follows from the target and the bounds alone, so that a trace, whose first choice is an index into that list,
//! leads to the same path on every thread.

use std::collections::HashMap;
use std::rc::Rc;

use lazuli_logic::Model;
use lazuli_reach::making::{Act, Call, Making};
use lazuli_reach::workshop::{assignable_fields, is_readable, methods_on};
use lazuli_spec::parameter_classes;
use lazuli_vm::outcome::{End, Question, Stop};
use lazuli_vm::program::{Class, ClassId, Field, GenericType, Method, access, element_of, parameter_names};
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::universe::{Restriction, is_mutable};
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::path::Path;
use crate::worker::Worker;
use crate::worker::covers::Portrait;
use crate::worker::making::{making_mut, making_of};

/// Choices that one call may have.
const MOST_STEPS: usize = 100_000;

/// States that are kept, and inputs that are made of them: a choice in a trace is a small number.
const MOST_STATES: usize = 20_000;

/// Longer arrays are not assigned to from outside.
const MOST_ELEMENTS: usize = 8;

/// The inputs that calls make.
#[derive(Default)]
pub(crate) struct Reached {
    /// The paths at the entry of the method.
    entries: Vec<Path>,
    /// Does every longer sequence of calls lead to a state that is covered?
    pub(crate) is_closed: bool,
}

/// A statement that extends a state.
#[derive(Clone, Copy)]
enum Deed {
    New(&'static Method),
    Static(&'static Method),
    Call(&'static Method, ObjId),
    Assign(ObjId, &'static Class, &'static Field),
    Fill(ObjId),
}

/// States by the hashes of their shapes.
#[derive(Default)]
struct Gallery {
    known: HashMap<u64, Vec<Portrait>>,
}

impl Worker<'_> {
    /// The question by which a path begins: which of the inputs that calls made? None if the path is on its way.
    pub(crate) fn begin_with_reached(&mut self, path: &mut Path) -> Option<Stop> {
        match &path.making {
            None => {
                let ways = self.reached().entries.len();
                Some(Stop::Ask(Question::Choose(ways)))
            }
            Some(making) if !making.has_begun => {
                making_mut(path).has_begun = true;
                self.begin_stage(path).err()
            }
            Some(_) => None,
        }
    }

    /// Has the path begin with an input that calls made.
    pub(crate) fn take_reached(&mut self, path: &mut Path, way: usize) {
        let entry = self.reached().entries[way].fork();
        *path = Path { stage: path.stage, choices: path.choices.clone(), ..entry };
    }

    /// Values that satisfy the path condition of an input that calls made.
    pub(crate) fn witness_of_reached(&mut self, way: usize) -> Option<Rc<Model>> {
        self.reached().entries[way].symbols.condition.witness.clone()
    }

    /// The calls of an input in words, for the tree of choices.
    pub(crate) fn told_reached(&mut self, way: usize) -> String {
        let reached = self.reached();
        let calls = &making_of(&reached.entries[way]).calls;
        let told: Vec<String> = calls.iter().map(|call| told(&call.act)).collect();
        if told.is_empty() { "no calls come before".to_string() } else { format!("made by {}", told.join(", ")) }
    }

    /// Notes what calls made, and whether more of them could have made more.
    pub(crate) fn note_calls(&mut self) {
        let Some(reached) = self.reached.clone() else { return };
        if !reached.is_closed {
            self.summary.restricted(&Restriction::Calls { most: self.config.most_input_calls() });
        }
        let parameters = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        let has_receiver = self.method.name != "<init>" && !self.method.is_static();
        let receiver = has_receiver.then(|| self.config.contract.receiver_of(self.method));
        let roots: Vec<&'static Class> = receiver.into_iter().chain(parameters).map(element_of).collect();
        let made: Vec<&'static Class> = roots.into_iter().filter(|class| self.may_be_made(class)).collect();
        let is_user = |class: &&&'static Class| class.is_users();
        let names = made.iter().filter(is_user).map(|class| simple(class));
        self.summary.made_by_calls.extend(names);
        if self.summary.made_by_calls.is_empty() {
            self.summary.made_by_calls.insert("input".to_string());
        }
    }

    /// The inputs that calls make; found when they are first asked for.
    pub(crate) fn reached(&mut self) -> Rc<Reached> {
        if let Some(reached) = &self.reached {
            return reached.clone();
        }
        let (states, is_closed) = self.reach();
        let entries = self.entries(&states);
        let reached = Rc::new(Reached { entries, is_closed });
        self.reached = Some(reached.clone());
        reached
    }

    /// The states that sequences of calls lead to, and whether longer ones lead to no others.
    fn reach(&mut self) -> (Vec<Path>, bool) {
        let mut first = Path { making: Some(Rc::default()), ..self.start.fork().into() };
        // Objects that the calls which make inputs change were there at entry.
        first.symbols.origin = None;
        first.symbols.later = Rc::default();
        let mut gallery = Gallery::default();
        self.is_new(&first, &mut gallery);
        let mut states = vec![first];
        let mut begin = 0;
        for _ in 0..self.config.most_input_calls() {
            let end = states.len();
            for index in begin..end {
                let state = states[index].fork();
                for deed in self.deeds(&state) {
                    for next in self.perform(&state, deed) {
                        if self.is_new(&next, &mut gallery) {
                            states.push(next);
                        }
                    }
                    if self.is_out_of_time() || states.len() > MOST_STATES {
                        let cut = if self.is_out_of_time() { Resource::Time } else { Resource::Paths };
                        self.summary.not_explored(Reason::PathsLeft(cut), "", 1);
                        return (states, false);
                    }
                }
            }
            if states.len() == end {
                return (states, true);
            }
            begin = end;
        }
        (states, false)
    }

    /// The statements that the code around may execute next.
    fn deeds(&mut self, path: &Path) -> Vec<Deed> {
        let Some(workshop) = self.workshop.clone() else { return Vec::new() };
        let mut deeds: Vec<Deed> = workshop.constructors.iter().map(|method| Deed::New(method)).collect();
        deeds.extend(workshop.statics.iter().map(|method| Deed::Static(method)));
        let lazy = path.symbols.inputs.iter().map(|input| input.object);
        let making = making_of(path);
        let lazy = lazy.filter(|object| !making.objects.contains(object));
        let is_reached = self.retained(path);
        let objects: Vec<ObjId> =
            making.held.iter().copied().chain(lazy.filter(|object| is_reached.contains(object))).collect();
        for object in objects {
            let class = path.heap.class(object);
            if class.is_users() && !class.is_open() {
                let methods = self.methods_of(class);
                deeds.extend(methods.iter().map(|method| Deed::Call(method, object)));
                let fields = assignable_fields(&self.vm.program, class);
                deeds.extend(fields.into_iter().map(|(owner, field)| Deed::Assign(object, owner, field)));
            } else if class.is_array() && path.heap.length(object).is_some_and(|length| length <= MOST_ELEMENTS) {
                deeds.push(Deed::Fill(object));
            } else if is_mutable(class) && !class.name.starts_with("java/util/Collections$Unmodifiable") {
                let class = class.java_name();
                self.summary.restricted(&Restriction::OnlyByCalls { class });
            }
        }
        deeds
    }

    fn methods_of(&mut self, class: &'static Class) -> Rc<[&'static Method]> {
        let program = &self.vm.program;
        self.callable.entry(class.id).or_insert_with(|| methods_on(program, class).into()).clone()
    }

    /// Objects that objects made by calls, or static fields, refer to.
    fn retained(&self, path: &Path) -> Vec<ObjId> {
        let making = making_of(path);
        let mut waiting: Vec<ObjId> = making.objects.iter().copied().collect();
        let roots = path.symbols.roots.iter().map(|root| path.symbols.settled(root.value));
        waiting.extend(roots.filter_map(Value::object));
        let mut seen: Vec<ObjId> = Vec::new();
        while let Some(object) = waiting.pop() {
            if seen.contains(&object) {
                continue;
            }
            seen.push(object);
            waiting.extend(references(path, object));
        }
        seen
    }

    /// The states to which a statement leads. A call that throws makes no input.
    fn perform(&mut self, state: &Path, deed: Deed) -> Vec<Path> {
        let mut path = state.fork();
        let number = making_of(&path).calls.len() + 1;
        let (act, receiver, method) = match deed {
            Deed::New(method) => (Act::Call(method), Some(path.heap.allocate(method.class())), Some(method)),
            Deed::Static(method) => (Act::Call(method), None, Some(method)),
            Deed::Call(method, object) => (Act::Call(method), Some(object), Some(method)),
            Deed::Assign(object, owner, field) => (Act::Assign { owner, field }, Some(object), None),
            Deed::Fill(object) => {
                let (array, length) = (path.heap.class(object), path.heap.length(object).unwrap_or(0));
                (Act::Fill { array, length }, Some(object), None)
            }
        };
        let named = self.parameters(&act);
        let prefix = told(&act).replace(' ', "_");
        let arguments: Rc<[Value]> = named
            .into_iter()
            .map(|(name, declared)| self.vm.new_value(&mut path, &format!("{prefix}#{number}.{name}"), declared, true))
            .collect();
        let making = making_mut(&mut path);
        let (objects_before, held_before) = (making.objects.len(), making.held.len());
        let result = receiver.filter(|_| matches!(deed, Deed::New(_)));
        let call = Call { act, receiver, arguments: arguments.clone(), result, objects_before, held_before };
        Rc::make_mut(&mut making.calls).push(call);
        match (method, receiver) {
            (Some(method), _) => {
                if let (Deed::New(_), Some(object)) = (deed, receiver) {
                    // A root, so that no collection of garbage takes it.
                    path.add_root("", object.into(), None);
                }
                let all: Vec<Value> = receiver.map(Value::from).into_iter().chain(arguments.iter().copied()).collect();
                path.thread = Default::default();
                self.run_call(path, method, &all)
            }
            (None, Some(object)) => {
                match act {
                    Act::Assign { field, .. } => path.heap.set_field(object, field.slot as usize, arguments[0]),
                    _ => {
                        if path.heap.class(object).component_kind() != Some(Kind::Reference) {
                            path.heap.mix(object);
                        }
                        for (index, value) in arguments.iter().enumerate() {
                            path.heap.set_element(object, index as i32, *value);
                        }
                    }
                }
                self.take_stock(&mut path, 0);
                vec![path]
            }
            (None, None) => Vec::new(),
        }
    }

    /// The names and types of what a statement takes.
    fn parameters(&mut self, act: &Act) -> Vec<(String, TypedParameter)> {
        let program = &self.vm.program;
        match act {
            Act::Call(method) => {
                let classes = parameter_classes(program, method).unwrap_or_default();
                let typed = classes.into_iter().zip(program.generic_parameters(method));
                parameter_names(method).into_iter().map(|name| name.to_string()).zip(typed).collect()
            }
            Act::Assign { owner, field } => {
                let declared = program.load_descriptor(field.descriptor).ok();
                let typed = declared.map(|declared| (declared, program.generic_of(owner, field)));
                typed.map(|typed| (field.name.to_string(), typed)).into_iter().collect()
            }
            Act::Fill { array, length } => {
                let component = array.component();
                (0..*length).filter_map(|index| Some((index.to_string(), (component?, None)))).collect()
            }
        }
    }

    /// Follows all paths of a call, and gives those that return.
    fn run_call(&mut self, mut first: Path, method: &'static Method, arguments: &[Value]) -> Vec<Path> {
        let mut ended = Vec::new();
        if let Err(stop) = self.vm.begin(&mut first, method, arguments) {
            self.call_ended(first, stop, &mut ended);
            return ended;
        }
        let mut waiting = vec![first];
        let mut steps = 0;
        while let Some(mut path) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.is_out_of_time() {
                let cut = if self.is_out_of_time() { Resource::Time } else { Resource::Paths };
                self.summary.not_explored(Reason::PathsLeft(cut), method.full_name(), waiting.len() as u64 + 1);
                break;
            }
            let question = match self.run(&mut path) {
                Stop::Ask(question) => question,
                stop => {
                    self.call_ended(path, stop, &mut ended);
                    continue;
                }
            };
            let children = self.children(&path, &question);
            let is_forced = children.len() == 1;
            if !is_forced && self.count_fork(&mut path, &question) > self.bounds.unroll {
                let at = self.vm.describe_position(&path);
                self.summary.not_explored(Reason::Unroll(self.bounds.unroll), at, 1);
                continue;
            }
            for child in children.iter().filter(|child| !child.is_excluded).rev() {
                let mut forked = path.fork();
                self.apply(&mut forked, &question, &child.answer, is_forced);
                forked.symbols.condition.is_doubtful |= child.witness.is_none();
                forked.symbols.condition.witness = child.witness.clone();
                child.tell(&mut forked);
                match self.admit(&mut forked) {
                    Ok(true) => waiting.push(forked),
                    Ok(false) => {}
                    Err(_) => {
                        forked.symbols.condition.is_unproven = true;
                        waiting.push(forked);
                    }
                }
            }
        }
        ended
    }

    fn call_ended(&mut self, mut path: Path, stop: Stop, ended: &mut Vec<Path>) {
        let end = match stop {
            Stop::End(end) => end,
            Stop::Ask(_) => return self.summary.not_explored(Reason::Bug("a question at an end".into()), "", 1),
        };
        match end {
            End::Returned(value) => {
                if path.symbols.condition.is_doubtful && !self.settle_doubt(&mut path) {
                    return;
                }
                path.thread = Default::default();
                path.monitors.clear();
                let result = path.symbols.settled(value).object();
                let making = making_mut(&mut path);
                if let Some(call) = Rc::make_mut(&mut making.calls).last_mut() {
                    call.result = call.result.or(result);
                }
                self.take_hold(&mut path);
                self.take_stock(&mut path, 0);
                ended.push(path);
            }
            End::Threw(_) | End::AssumedAway | End::Exited(_) => {}
            other => {
                if let Some((why, at)) = self.vm.reason(&path, &other) {
                    self.summary.not_explored(why, at, 1);
                }
            }
        }
    }

    /// Notes which objects the code around can get at after a call: the result, and what it can read from there and from static fields.
    fn take_hold(&mut self, path: &mut Path) {
        let program = self.vm.program.clone();
        let mut waiting: Vec<(ObjId, bool)> = Vec::new();
        let making = making_of(path);
        waiting.extend(making.held.iter().map(|object| (*object, false)));
        waiting.extend(making.calls.last().and_then(|call| call.result).map(|object| (object, false)));
        for class in program.users() {
            let Some(mirror) = path.classes.slot(class.id).mirror else { continue };
            let fields = class.fields.iter().filter(|field| field.is_static() && field.kind == Kind::Reference);
            for field in fields.filter(|field| is_readable(&program, class, field)) {
                let value = path.heap.field(mirror, program.slot_of(field) as usize);
                waiting.extend(path.symbols.settled(value).object().map(|object| (object, false)));
            }
        }
        let mut held: Vec<ObjId> = Vec::new();
        let mut inside: Vec<ObjId> = Vec::new();
        let mut next = 0;
        while let Some(&(object, is_inside)) = waiting.get(next) {
            next += 1;
            if held.contains(&object) || inside.contains(&object) {
                continue;
            }
            let class = path.heap.class(object);
            let known = program.known();
            let is_value = class.is_box || class.id == known.string.id || class.id == known.class.id;
            let is_constant = class.chain().any(|class| class.access & access::ENUM != 0);
            // What objects of the JDK consist of is not handed out, but what they contain is.
            let is_part = is_inside && !class.is_users();
            if is_part || is_value || is_constant {
                inside.push(object)
            } else {
                held.push(object)
            }
            if is_value {
                continue;
            }
            let is_jdk = !class.is_users() && !class.is_array() || is_part;
            let readable = |slot: usize| {
                let declared = class.declaration_at(slot as u32);
                is_jdk || declared.is_some_and(|(owner, field)| is_readable(&program, owner, field))
            };
            let parts: Vec<ObjId> = match &path.heap.get(object).body {
                lazuli_vm::heap::Body::Fields(values) => {
                    let read = values.iter().enumerate().filter(|(slot, _)| readable(*slot));
                    read.filter_map(|(_, value)| path.symbols.settled(*value).object()).collect()
                }
                _ => references(path, object),
            };
            waiting.extend(parts.into_iter().map(|part| (part, is_jdk)));
        }
        // The list only grows, and those that were there stay first.
        let making: &mut Making = making_mut(path);
        let new: Vec<ObjId> = held.into_iter().filter(|object| !making.held.contains(object)).collect();
        Rc::make_mut(&mut making.held).extend(new);
    }

    /// Is the state none that an earlier one covers? It is kept then.
    fn is_new(&mut self, path: &Path, gallery: &mut Gallery) -> bool {
        let mut seeds: Vec<ObjId> = making_of(path).held.to_vec();
        // Two orders in which the same objects were made give the same state.
        seeds.sort_by_key(|object| path.heap.class(*object).id);
        let mut seeds: Vec<Value> = seeds.into_iter().map(Value::from).collect();
        seeds.extend(path.symbols.roots.iter().filter(|root| root.holder.is_some()).map(|root| root.value));
        self.is_new_portrait(path, &seeds, gallery)
    }

    fn is_new_portrait(&mut self, path: &Path, seeds: &[Value], gallery: &mut Gallery) -> bool {
        let Some(portrait) = Portrait::of(path, &self.start.heap, seeds) else { return true };
        let known = gallery.known.entry(portrait.shape.hash()).or_default();
        let (terms, chain, limits) = (&mut self.vm.terms, &mut self.chain, &self.solver_limits);
        if known.iter().any(|earlier| earlier.covers(&portrait, path, terms, chain, limits)) {
            return false;
        }
        known.push(portrait);
        true
    }

    /// The inputs of the method that the states give: one for each object that may be the receiver, without those that others cover as far as the method can see.
    fn entries(&mut self, states: &[Path]) -> Vec<Path> {
        let class = self.config.contract.receiver_of(self.method);
        let has_receiver = self.method.name != "<init>" && !self.method.is_static();
        let is_made = has_receiver && self.may_be_made(class);
        let parameters = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        let takes_objects = parameters.iter().any(|declared| declared.kind() == Kind::Reference);
        let mut gallery = Gallery::default();
        let mut entries = Vec::new();
        for state in states {
            let receivers: Vec<Option<ObjId>> = match is_made {
                true => self.receivers(state, class).into_iter().map(Some).collect(),
                false => Vec::new(),
            };
            // A class may have subclasses whose objects calls make, and others.
            let is_lazy = !has_receiver || !self.is_made_only(class);
            for receiver in receivers.into_iter().chain(is_lazy.then_some(None)) {
                let mut path = state.fork();
                let statics = std::mem::take(Rc::make_mut(&mut path.symbols.roots));
                match receiver {
                    Some(object) => path.add_root("this", object.into(), None),
                    None if has_receiver => {
                        if let Err(stop) = self.add_receiver(&mut path, class) {
                            self.call_ended(path, stop, &mut Vec::new());
                            continue;
                        }
                    }
                    None => {}
                }
                let mut seeds: Vec<Value> = path.symbols.roots.iter().map(|root| root.value).collect();
                // A reference that is not decided may be one of the objects that the code around has.
                let is_undecided = path.symbols.unknowns.iter().any(|unknown| unknown.is.is_none())
                    || path.symbols.inputs.iter().any(|input| !making_of(&path).objects.contains(&input.object));
                if takes_objects || is_undecided {
                    let mut held = making_of(&path).held.to_vec();
                    held.sort_by_key(|object| path.heap.class(*object).id);
                    seeds.extend(held.into_iter().map(Value::from));
                }
                seeds.extend(statics.iter().map(|root| root.value));
                if !self.is_new_portrait(&path, &seeds, &mut gallery) {
                    continue;
                }
                self.add_parameters(&mut path);
                let own = path.symbols.roots.len();
                Rc::make_mut(&mut path.symbols.roots).extend(statics);
                self.take_stock(&mut path, own);
                entries.push(path);
            }
        }
        entries
    }

    /// Can some object of the class, or of a subclass that inherits the method, be made by calls?
    fn may_be_made(&self, class: &'static Class) -> bool {
        let users = self.vm.program.users().iter();
        users.copied().any(|below| below.is_subtype_of(class) && self.bounds.made.contains(&below.id))
    }

    fn is_made_only(&self, class: &'static Class) -> bool {
        let possible = self.vm.program.receiver_classes(class, self.method, self.bounds.world);
        possible.is_none_or(|possible| self.bounds.is_made_by_calls(possible))
    }

    /// The objects that the code around has and that have the method.
    fn receivers(&mut self, state: &Path, class: &'static Class) -> Vec<ObjId> {
        let held = making_of(state).held.clone();
        let mut found = Vec::new();
        for object in held.iter().copied() {
            let own = state.heap.class(object);
            let selected = own.is_subtype_of(class).then(|| self.vm.select(own, self.method)).flatten();
            if selected.is_some_and(|selected| selected.id == self.method.id) {
                found.push(object);
            }
        }
        found
    }
}

/// A declared type, and the same with its arguments if it has some.
type TypedParameter = (&'static Class, Option<Rc<GenericType>>);

/// The methods that may be called on objects of each class.
pub(crate) type Callable = HashMap<ClassId, Rc<[&'static Method]>>;

/// The objects to which an object refers.
fn references(path: &Path, object: ObjId) -> Vec<ObjId> {
    use lazuli_vm::heap::Body;
    let values: Vec<Value> = match &path.heap.get(object).body {
        Body::Fields(values) | Body::Refs(values) => values.to_vec(),
        Body::Sparse(sparse) => sparse.touched.iter().map(|(_, value)| *value).collect(),
        _ => Vec::new(),
    };
    values.into_iter().filter_map(|value| path.symbols.settled(value).object()).collect()
}

/// `new Cart`, `add`, `Cart.size =`
fn told(act: &Act) -> String {
    match act {
        Act::Call(method) if method.name == "<init>" => format!("new {}", simple(method.class())),
        Act::Call(method) => method.name.to_string(),
        Act::Assign { field, .. } => format!("{} =", field.name),
        Act::Fill { array, .. } => format!("{} =", simple(array)),
    }
}

fn simple(class: &'static Class) -> String {
    let name = class.java_name();
    name.rsplit(['.', '$']).next().unwrap_or_default().to_string()
}
