//! Which statements may the code around execute, and where does each lead?
//!
//! A statement is a call of a constructor or method that is not private, or an assignment, with arguments of which nothing is known.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};

use lazuli_logic::Sort;
use lazuli_reach::call_sequence::{Act, CallSequence, SequenceCall};
use lazuli_reach::workshop::{assignable_fields, is_readable, methods_on};
use lazuli_spec::parameter_classes;
use lazuli_vm::heap::Body;
use lazuli_vm::library::recipe_for;
use lazuli_vm::outcome::{End, Limit, Stop};
use lazuli_vm::program::{Class, ClassId, Field, GenericType, Method, access, parameter_names, readable_type};
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::universe::{Restriction, is_mutable};
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::path::Path;
use crate::worker::Worker;
use crate::worker::sequence::{sequence_mut, sequence_of};

/// Choices that one call may have.
const MOST_STEPS: usize = 100_000;

/// States to which a call leads later are looked for when all other calls were tried. Example: a constructor that reduces a fraction, with a path for each number of divisions.
const FIRST_TRY: Duration = Duration::from_millis(500);

/// Longer arrays are not assigned to from outside.
const MOST_ELEMENTS: usize = 8;

/// The methods that take all elements out of a collection or map.
const EMPTYING: [(&str, &str); 1] = [("clear", "()V")];

/// A declared type, and the same with its arguments if it has some.
type TypedParameter = (&'static Class, Option<Rc<GenericType>>);

/// The methods that may be called on objects of each class.
pub(crate) type Callable = HashMap<ClassId, Rc<[&'static Method]>>;

/// A statement that extends a state.
#[derive(Clone, Copy)]
pub(super) enum Deed {
    New(&'static Method),
    Static(&'static Method),
    Call(&'static Method, ObjId),
    Assign(ObjId, &'static Class, &'static Field),
    Fill(ObjId),
}

impl Deed {
    /// Is it the call of a constructor or a static method?
    pub(super) fn takes_no_receiver(&self) -> bool {
        matches!(self, Deed::New(_) | Deed::Static(_))
    }
}

/// The states to which a statement leads.
#[derive(Default)]
pub(super) struct DeedEnds {
    pub returned: Vec<Path>,
    /// Those behind an exception by which the call says no, and which the code around catches.
    pub refused: Vec<Path>,
    /// Those behind other exceptions.
    pub threw: Vec<Path>,
    /// Paths of the call that took too long to be followed at once.
    pub waiting: VecDeque<Path>,
}

/// Classes of the library whose methods change nothing of an object.
const PLAIN: [&str; 3] = ["java/lang/Object", "java/lang/Record", "java/lang/Enum"];

impl Worker<'_> {
    /// The state before all calls.
    pub(super) fn before_calls(&self) -> Path {
        let mut first = Path { sequence: Some(Rc::default()), ..self.start.fork().into() };
        // Objects that the calls which make inputs change were there at entry.
        first.symbols.origin = None;
        first.symbols.later = Rc::default();
        first
    }

    /// The statements that the code around may execute next.
    pub(super) fn deeds(&mut self, path: &Path) -> Vec<Deed> {
        let Some(workshop) = self.workshop.clone() else { return Vec::new() };
        let mut deeds: Vec<Deed> = workshop.constructors.iter().map(|method| Deed::New(method)).collect();
        deeds.extend(workshop.statics.iter().map(|method| Deed::Static(method)));
        let lazy = path.symbols.inputs.iter().map(|input| input.object);
        let sequence = sequence_of(path);
        let lazy = lazy.filter(|object| !sequence.objects.contains(object));
        let is_reached = self.retained(path);
        let objects: Vec<ObjId> =
            sequence.held.iter().copied().chain(lazy.filter(|object| is_reached.contains(object))).collect();
        for object in objects {
            let class = path.heap.class(object);
            // Of an object whose class is not decided, the code around writes the fields that are known; what calls of it do depends on the class.
            if let Some(possible) = class.possible().filter(|_| class.is_users()) {
                let fields = assignable_fields(&self.vm.program, possible.bound);
                deeds.extend(fields.into_iter().map(|(owner, field)| Deed::Assign(object, owner, field)));
                if !self.methods_of(possible.bound).is_empty() {
                    let class = possible.bound.java_name();
                    self.summary.restricted(&Restriction::OnlyByCalls { class, is_emptied: false });
                }
            } else if class.is_users() {
                // Methods that it inherits from the library are not called.
                if let Some(above) =
                    class.chain().find(|above| !above.is_users()).filter(|above| !PLAIN.contains(&above.name))
                {
                    self.summary.restricted(&Restriction::Uncalled { class: above.java_name() });
                }
                let methods = self.methods_of(class);
                deeds.extend(methods.iter().map(|method| Deed::Call(method, object)));
                let fields = assignable_fields(&self.vm.program, class);
                deeds.extend(fields.into_iter().map(|(owner, field)| Deed::Assign(object, owner, field)));
            } else if class.is_array() && self.may_be_filled(path, object) {
                deeds.push(Deed::Fill(object));
            } else if let Some(methods) = self.emptying(class) {
                deeds.extend(methods.into_iter().map(|method| Deed::Call(method, object)));
                let class = class.java_name();
                self.summary.restricted(&Restriction::OnlyByCalls { class, is_emptied: true });
            } else if is_mutable(class) && !class.name.starts_with("java/util/Collections$Unmodifiable") {
                let class = readable_type(&class.descriptor());
                self.summary.restricted(&Restriction::OnlyByCalls { class, is_emptied: false });
            }
        }
        deeds
    }

    /// The methods by which the code around takes elements out of a collection that a call handed out. To put one in, it would have to know their type.
    fn emptying(&self, class: &'static Class) -> Option<Vec<&'static Method>> {
        recipe_for(class)?;
        let named = |(name, descriptor)| self.vm.program.find_method(class, name, descriptor);
        let found: Vec<&'static Method> = EMPTYING.into_iter().filter_map(named).collect();
        (!found.is_empty()).then_some(found)
    }

    fn methods_of(&mut self, class: &'static Class) -> Rc<[&'static Method]> {
        let program = &self.vm.program;
        self.pool.callable.entry(class.id).or_insert_with(|| methods_on(program, class).into()).clone()
    }

    /// Objects that objects made by calls, or static fields, refer to.
    fn retained(&self, path: &Path) -> Vec<ObjId> {
        let sequence = sequence_of(path);
        let mut waiting: Vec<ObjId> = sequence.objects.iter().copied().collect();
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

    /// The states to which a statement leads. An error says what ran out on the way.
    pub(super) fn perform(&mut self, state: &Path, deed: Deed) -> Result<DeedEnds, Resource> {
        let mut path = state.fork();
        let (act, receiver, method) = match deed {
            Deed::New(method) => (Act::Call(method), Some(path.heap.allocate(method.class())), Some(method)),
            Deed::Static(method) => (Act::Call(method), None, Some(method)),
            Deed::Call(method, object) => (Act::Call(method), Some(object), Some(method)),
            Deed::Assign(object, owner, field) => (Act::Assign { owner, field }, Some(object), None),
            Deed::Fill(object) => {
                let lengths = self.lengths(state, object);
                let filled = lengths.into_iter().filter_map(|length| self.filled(state, object, length));
                return Ok(DeedEnds { returned: filled.collect(), ..DeedEnds::default() });
            }
        };
        let arguments = self.note_statement(&mut path, act, receiver, matches!(deed, Deed::New(_)));
        match (method, receiver) {
            (Some(method), _) => {
                if let (Deed::New(_), Some(object)) = (deed, receiver) {
                    // A root, so that no collection of garbage takes it.
                    path.add_root("", object.into(), None);
                }
                let all: Vec<Value> = receiver.map(Value::from).into_iter().chain(arguments.iter().copied()).collect();
                path.thread = Default::default();
                let mut ended = DeedEnds::default();
                match self.vm.begin(&mut path, method, &all) {
                    Ok(()) => self.follow_call(VecDeque::from([path]), ended),
                    Err(stop) => {
                        self.call_ended(path, stop, &mut ended);
                        Ok(ended)
                    }
                }
            }
            (None, Some(object)) => {
                if let Act::Assign { field, .. } = act {
                    path.heap.set_field(object, field.slot as usize, arguments[0]);
                }
                self.take_stock(&mut path, 0);
                Ok(DeedEnds { returned: vec![path], ..DeedEnds::default() })
            }
            (None, None) => Ok(DeedEnds::default()),
        }
    }

    /// Writes down that a statement comes next. Returns its arguments, of which nothing is known.
    fn note_statement(&mut self, path: &mut Path, act: Act, receiver: Option<ObjId>, is_new: bool) -> Rc<[Value]> {
        let number = sequence_of(path).calls.len() + 1;
        let method = match act {
            Act::Call(method) => Some(method),
            _ => None,
        };
        let named = self.parameters(&act);
        let prefix = told(&act).replace(' ', "_");
        path.symbols.passed = Some(path.symbols.unknowns.len());
        let nullable = method.map_or(vec![true; named.len()], |method| self.nullable_parameters(method));
        let arguments: Rc<[Value]> = named
            .into_iter()
            .zip(nullable)
            .map(|((name, declared), may_be_null)| {
                self.vm.new_value(path, &format!("{prefix}#{number}.{name}"), declared, may_be_null)
            })
            .collect();
        let sequence = sequence_mut(path);
        let (objects_before, held_before) = (sequence.objects.len(), sequence.held.len());
        let result = receiver.filter(|_| is_new);
        let given = arguments.clone();
        let call = SequenceCall { act, receiver, arguments: given, result, threw: false, objects_before, held_before };
        Rc::make_mut(&mut sequence.calls).push(call);
        arguments
    }

    /// Does the code around assign to the elements of an array? It notes if longer arrays are left as they are. An array that may be of a subtype does not take every element.
    fn may_be_filled(&mut self, path: &Path, array: ObjId) -> bool {
        if path.heap.class(array).is_open() {
            return false;
        }
        let longest = match path.heap.sparse(array) {
            // A call was handed it.
            Some(_) if self.vm.rules.touched.is_some() => usize::MAX,
            Some(_) => self.vm.rules.length,
            None => path.heap.length(array).unwrap_or(0),
        };
        let is_sparse = path.heap.sparse(array).is_some();
        if is_sparse && longest > MOST_ELEMENTS {
            let class = readable_type(&path.heap.class(array).descriptor());
            self.summary.restricted(&Restriction::OnlyByCalls { class, is_emptied: false });
        }
        is_sparse || longest <= MOST_ELEMENTS
    }

    /// The lengths that an array may have, if the code around assigns to its elements.
    fn lengths(&self, path: &Path, array: ObjId) -> Vec<usize> {
        match path.heap.sparse(array).map(|sparse| sparse.length) {
            Some(Value::Int(length)) => vec![length.max(0) as usize],
            Some(_) => (1..=self.vm.rules.length.min(MOST_ELEMENTS)).collect(),
            None => vec![path.heap.length(array).unwrap_or(0)],
        }
    }

    /// The state behind assignments to all elements of an array, if it can have that length.
    fn filled(&mut self, state: &Path, object: ObjId, length: usize) -> Option<Path> {
        let mut path = state.fork();
        let array = path.heap.class(object);
        if let Some(unknown) = path.heap.sparse(object).map(|sparse| sparse.length) {
            let (unknown, known) = (self.vm.term_of(unknown, Sort::Int)?, self.vm.terms.int(length as i32));
            let is_long = self.vm.terms.equal(unknown, known);
            if !self.can_assume(&mut path, is_long) {
                return None;
            }
        }
        let elements = self.note_statement(&mut path, Act::Fill { array, length }, Some(object), false);
        let body = match array.component_kind() {
            Some(Kind::Reference) => Body::Refs(elements),
            _ => Body::Mixed(elements),
        };
        path.heap.replace(object, array, body);
        self.take_stock(&mut path, 0);
        Some(path)
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

    /// Follows all paths of a call, those with the fewest forks first, for a while.
    pub(super) fn follow_call(
        &mut self,
        mut waiting: VecDeque<Path>,
        mut ended: DeedEnds,
    ) -> Result<DeedEnds, Resource> {
        // Forks do not go through the frontier: a state of the pool is the end of a call, and its path counts as an input, not as a path of the target.
        let began = Instant::now();
        let mut steps = 0;
        while let Some(mut path) = waiting.pop_front() {
            if began.elapsed() > FIRST_TRY {
                waiting.push_front(path);
                ended.waiting = waiting;
                return Ok(ended);
            }
            steps += 1;
            if let Some(cut) = self.resource_out() {
                return Err(cut);
            }
            if steps > MOST_STEPS {
                let left = waiting.len() as u64 + 1;
                let called = sequence_of(&path).calls.last().map_or_else(String::new, |call| told(&call.act));
                self.summary.not_explored(Reason::PathsLeft(Resource::Paths), called, left);
                break;
            }
            let question = match self.run(&mut path) {
                Stop::Ask(question) => question,
                Stop::End(End::Limit(Limit::Time | Limit::Stopped)) => {
                    return Err(self.resource_out().unwrap_or(Resource::Time));
                }
                Stop::End(End::Limit(Limit::Memory)) => return Err(Resource::Memory),
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
            for child in children.iter().filter(|child| !child.is_excluded) {
                let Some(mut forked) = self.take_child(path.fork(), &question, child, is_forced) else { continue };
                forked.symbols.condition.is_doubtful |= child.witness.is_none();
                match self.admit(&mut forked) {
                    Ok(true) => waiting.push_back(forked),
                    Ok(false) => {}
                    Err(_) => {
                        forked.symbols.condition.is_unproven = true;
                        waiting.push_back(forked);
                    }
                }
            }
        }
        Ok(ended)
    }

    pub(super) fn call_ended(&mut self, mut path: Path, stop: Stop, ended: &mut DeedEnds) {
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
                let sequence = sequence_mut(&mut path);
                if let Some(call) = Rc::make_mut(&mut sequence.calls).last_mut() {
                    call.result = call.result.or(result);
                }
                self.take_hold(&mut path);
                self.note_handed_out(&path, None);
                self.take_stock(&mut path, 0);
                ended.returned.push(path);
            }
            End::Threw(exception) => {
                path.thread = Default::default();
                path.monitors.clear();
                if let Some(call) = Rc::make_mut(&mut sequence_mut(&mut path).calls).last_mut() {
                    call.result = None;
                    call.threw = true;
                }
                let is_constructor = sequence_of(&path).calls.last().is_some_and(|call| call.act.is_constructor());
                let refuses = !is_constructor && is_refusal(path.heap.class(exception));
                if refuses && path.symbols.condition.is_doubtful && !self.settle_doubt(&mut path) {
                    return;
                }
                self.take_hold(&mut path);
                self.note_handed_out(&path, Some(exception));
                self.take_stock(&mut path, 0);
                if refuses { ended.refused.push(path) } else { ended.threw.push(path) }
            }
            End::AssumedAway | End::Exited(_) => {}
            // It waits for ever: with no other thread, it makes nothing.
            End::Deadlock => self.summary.restricted(&Restriction::ReturningCalls),
            End::Beyond(bound) => self.summary.restricted(&bound),
            other => {
                if let Some((why, at)) = self.vm.reason(&path, &other) {
                    self.summary.not_explored(why, at, 1);
                }
            }
        }
    }

    /// Notes which objects that calls make the last call handed out where the next calls do not get at them: an object that it passed to unknown code, stored in
    /// what it was given, or put into its exception. Example: `void each(Consumer<Item> action)`.
    fn note_handed_out(&mut self, path: &Path, exception: Option<ObjId>) {
        let sequence = sequence_of(path);
        let arguments = sequence.calls.last().map(|call| call.arguments.clone()).unwrap_or_default();
        let mut waiting: Vec<ObjId> =
            arguments.iter().filter_map(|value| path.symbols.settled(*value).object()).collect();
        waiting.extend(path.symbols.handed.iter().map(|handed| handed.object));
        waiting.extend(exception);
        let mut seen: Vec<ObjId> = Vec::new();
        while let Some(object) = waiting.pop() {
            if seen.contains(&object) || sequence.held.contains(&object) {
                continue;
            }
            seen.push(object);
            let class = path.heap.class(object);
            if self.bounds.made.contains(&class.id) && class.is_users() {
                self.summary.restricted(&Restriction::HandedOut { class: simple(class) });
            } else {
                waiting.extend(references(path, object));
            }
        }
    }

    /// Notes which objects the code around can get at after a call: the result, and what it can read from there and from static fields.
    fn take_hold(&mut self, path: &mut Path) {
        let program = self.vm.program.clone();
        let mut waiting: Vec<(ObjId, bool)> = Vec::new();
        let sequence = sequence_of(path);
        waiting.extend(sequence.held.iter().map(|object| (*object, false)));
        waiting.extend(sequence.calls.last().and_then(|call| call.result).map(|object| (object, false)));
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
            // Calls hand out the elements of a collection of the JDK, and never its nodes and arrays.
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
                Body::Fields(values) => {
                    let read = values.iter().enumerate().filter(|(slot, _)| readable(*slot));
                    read.filter_map(|(_, value)| path.symbols.settled(*value).object()).collect()
                }
                _ => references(path, object),
            };
            waiting.extend(parts.into_iter().map(|part| (part, is_jdk)));
        }
        // The list only grows, and those that were there stay first.
        let sequence: &mut CallSequence = sequence_mut(path);
        let new: Vec<ObjId> = held.into_iter().filter(|object| !sequence.held.contains(object)).collect();
        Rc::make_mut(&mut sequence.held).extend(new);
    }
}

/// The objects to which an object refers.
pub(super) fn references(path: &Path, object: ObjId) -> Vec<ObjId> {
    let values: Vec<Value> = match &path.heap.get(object).body {
        Body::Fields(values) | Body::Refs(values) => values.to_vec(),
        Body::Sparse(sparse) => sparse.touched.iter().map(|(_, value)| *value).collect(),
        _ => Vec::new(),
    };
    values.into_iter().filter_map(|value| path.symbols.settled(value).object()).collect()
}

/// Does code throw such an exception to say no? The others show a defect or a null argument, and what they leave behind is no state in which a program goes on.
fn is_refusal(class: &'static Class) -> bool {
    const REFUSALS: [&str; 4] = [
        "java/lang/IllegalArgumentException",
        "java/lang/IllegalStateException",
        "java/lang/UnsupportedOperationException",
        "java/util/NoSuchElementException",
    ];
    let is_a = |name: &str| class.chain().any(|above| above.name == name);
    is_a("java/lang/Exception")
        && (class.is_users() || REFUSALS.into_iter().any(is_a) || !is_a("java/lang/RuntimeException"))
}

/// `new Cart`, `add`, `Cart.size =`
pub(super) fn told(act: &Act) -> String {
    match act {
        Act::Call(method) if method.name == "<init>" => format!("new {}", simple(method.class())),
        Act::Call(method) => method.name.to_string(),
        Act::Assign { field, .. } => format!("{} =", field.name),
        Act::Fill { array, .. } => format!("{} =", readable_type(&array.descriptor())),
    }
}

pub(super) fn simple(class: &'static Class) -> String {
    let name = class.java_name();
    name.rsplit(['.', '$']).next().unwrap_or_default().to_string()
}
