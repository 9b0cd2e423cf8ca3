//! What does a path know about its inputs, and what has it assumed?

use std::rc::Rc;

use lazuli_logic::{Model, Term};

use crate::contracts::{ContractCall, PureResult, RefusedCall};
use crate::heap::{Body, Heap, share};
use crate::library::{BuiltObject, LibraryRecipe};
use crate::outcome::Place;
use crate::program::{Class, Field, GenericType, MethodId, Program, access, is_constant};
use crate::state::State;
use crate::unknown_code::{ComparedReference, HandedObject, UnknownCall, UnknownEnd};
use crate::untold::{TextUnit, UntoldText};
use crate::value::{Kind, ObjId, UnknownId, Value};

/// The symbolic part of a state. The heap beside it is the current one; the inputs as they were at entry are here.
#[derive(Clone, Default)]
pub struct Symbols {
    /// The assumptions under which the path is taken.
    pub condition: PathCondition,
    /// In the order in which the path met them.
    pub inputs: Rc<Vec<Input>>,
    /// The references that were read or passed in, indexed by `UnknownId`.
    pub unknowns: Rc<Vec<Unknown>>,
    /// `this`, the parameters, and what else the path reads without a reference from an input.
    pub roots: Rc<Vec<Root>>,
    /// The unknown primitives in the order in which the path met them.
    pub variables: Rc<Vec<Term>>,
    /// Boxes of values that are not known: where these are small, they are objects of a cache, of which it is not decided which.
    pub boxes: Vec<ObjId>,
    /// How often each branch forked since something new was read.
    pub forks: Vec<(Site, u32)>,
    /// The object that a constructor under check works on.
    pub made: Option<ObjId>,
    /// The heap before the method, if its specification asks for it.
    pub past: Option<Rc<Heap>>,
    /// The user's classes that were initialised since: their static fields held this at first.
    pub late: Rc<Vec<LateClass>>,
    /// Values from before the method that its specification asks for; none where computing one threw.
    pub olds: Vec<Option<Value>>,
    /// How many values the program asked for by `Lazuli.any…`.
    pub asked_for: u32,
    /// The values that the program took from outside, in order.
    pub taken: Rc<Vec<Taken>>,
    /// The latest of them from `System.nanoTime()`.
    pub nano_time: Option<Value>,
    /// The identity hash codes that the program asked for.
    pub hashes: Rc<Vec<(ObjId, Value)>>,
    /// Has a hash table placed an object by its identity hash code?
    pub has_hashed: bool,
    /// Nodes of hash tables that may be made next, with numbers in place of hash codes which are not known.
    pub labels: Rc<Vec<NodeLabel>>,
    /// The heap before all paths: what static fields lead to as it was at entry.
    pub origin: Option<Rc<Heap>>,
    /// Objects of classes that were initialised since then, each with the heap at the end of the initialiser; and what inputs of the library's
    /// classes consist of, each with the heap when it had been made.
    pub later: Rc<Vec<(ObjId, Rc<Heap>)>>,
    /// The objects that static fields led to when their classes had been initialised.
    pub held: Rc<Vec<Held>>,
    /// Strings, boxes and further objects that static fields led to, and that no input is tried to refer to. A comparison of an input with one of them is not
    /// followed.
    pub untried: Rc<Vec<ObjId>>,
    /// Are there further ones, which no input refers to?
    pub has_more_held: bool,
    /// The objects of the library that are being made, the latest one last.
    pub pending_builds: Vec<PendingBuild>,
    /// Where calls make inputs: the number of unknown references before the arguments of the last call. Objects that others refer to may have
    /// been changed by calls since the reference was passed.
    pub passed: Option<usize>,
    /// The calls of code that is not there, in order.
    pub unknown_calls: Rc<Vec<UnknownCall>>,
    /// How many of them there were before the method began: calls that make inputs may call such code, too.
    pub calls_before: usize,
    /// The undecided references that have a place in an order, and in which order.
    pub ranked: Rc<Vec<(UnknownId, Rc<str>)>>,
    /// The references that such code has compared, in the version of the latest comparison.
    pub compared: Rc<Vec<ComparedReference>>,
    /// The objects that such code has got hold of.
    pub handed: Rc<Vec<HandedObject>>,
    /// The undecided references that such code has got hold of.
    pub handed_undecided: Rc<Vec<UnknownId>>,
    /// The objects that such code is about to get, and whether each is valid.
    pub judged: Vec<(ObjId, bool)>,
    /// The exception that such code has just thrown: the handlers ask for its class before it leaves the call.
    pub thrown: Option<ObjId>,
    /// Is the method itself running, and not what is executed before or after it?
    pub is_in_target: bool,
    /// The choices of the path so far, as one number.
    pub choices: u64,
    /// The calls by contract that have begun, the innermost last: clauses of a contract may call others.
    pub contract_calls: Vec<ContractCall>,
    /// How many calls by contract there were.
    pub contract_count: u32,
    /// The results of calls that change nothing.
    pub pure_results: Rc<Vec<PureResult>>,
    /// The objects that calls by contract made, each with the number of its call. They were not there at entry.
    pub made_by_calls: Rc<Vec<HandedObject>>,
    /// The inputs that calls of code which is not there gave, each with the number of its call. Whether such code made them, or they were there at entry, is open.
    pub given_by_calls: Rc<Vec<HandedObject>>,
    /// The texts that nothing has looked into yet, and that depend on unknown values.
    pub untold: Rc<Vec<UntoldText>>,
    /// The call by contract whose precondition is false, and which ended the path.
    pub refused: Option<RefusedCall>,
}

/// An object that a static field leads to.
#[derive(Clone)]
pub struct Held {
    /// `Tree.NIL`, `Tree.POOL[0]`
    pub name: Rc<str>,
    /// The object itself.
    pub object: ObjId,
    /// The declared type of the field that refers to it, if that has arguments.
    pub generic: Option<Rc<GenericType>>,
}

/// A number in place of a hash code, for a node that is not made yet.
#[derive(Clone, Copy, Debug)]
pub struct NodeLabel {
    /// The number itself.
    pub number: i32,
    /// The key whose hash code it is.
    pub key: Value,
    /// The hash code, an `int` or a term.
    pub hash: Value,
}

/// More objects of static fields than this are not tried as what an input may refer to.
const MOST_HELD: usize = 16;

/// More objects of which others of the JDK consist are not looked into.
const MOST_INSIDE: usize = 256;

/// A branch instruction.
pub type Site = (MethodId, u32);

/// The assumptions of a path, in order.
#[derive(Clone, Default)]
pub struct PathCondition {
    /// The conditions that answers added; the inputs of the path satisfy all of them.
    pub conjuncts: Vec<Term>,
    /// Consequences of the conjuncts, kept so that they are recognised without a solver.
    pub implied: Vec<Term>,
    /// Values that satisfy all conjuncts, if a solver gave any.
    pub witness: Option<Rc<Model>>,
    /// Did a solver fail to decide whether the conjuncts can be true?
    pub is_doubtful: bool,
    /// Is it undecided whether a valid input takes the path?
    pub is_unproven: bool,
}

impl PathCondition {
    /// Is the one or the other among what was assumed or found out? Looks at the latest first.
    pub fn knows(&self, condition: Term, negation: Term) -> Option<bool> {
        let known = self.conjuncts.iter().rev().chain(self.implied.iter().rev());
        known.filter(|term| **term == condition || **term == negation).map(|term| *term == condition).next()
    }
}

/// An object that was there when the method was entered.
#[derive(Clone)]
pub struct Input {
    /// The object in the heap that stands for the input.
    pub object: ObjId,
    /// How it was first reached: `this.next`.
    pub name: Rc<str>,
    /// How many references were followed from a root.
    pub depth: u32,
    /// The class under which it counts against the scope.
    pub counted: &'static Class,
    /// The declared type with its arguments, if it has some.
    pub generic: Option<Rc<GenericType>>,
    /// The contents at entry, as far as the path has read them.
    pub entry: Entry,
}

impl Input {
    /// Something that was met as an object of a wider type turns out to be of this one, and counts as such.
    pub fn counts_anew_as(&self, declared: &'static Class) -> bool {
        declared.id != self.counted.id && declared.is_subtype_of(self.counted)
    }
}

/// The contents of an input at entry.
#[derive(Clone)]
pub enum Entry {
    /// The fields by slot; `Unread` where the path has not looked, and short where the class was narrowed.
    Fields(Rc<[Value]>),
    /// (index, element) for each touched element, in the order of the array in the heap.
    Elements(Rc<Vec<(Value, Value)>>),
    /// An object of the library, as its recipe made it.
    Built(Rc<BuiltObject>),
}

/// A reference that was read, or passed in, and may not have been looked at yet.
#[derive(Clone)]
pub struct Unknown {
    /// The path by which it was first reached: `this.next`.
    pub name: Rc<str>,
    /// The declared type of the variable that held it.
    pub declared: &'static Class,
    /// The same with its arguments, if it has some.
    pub generic: Option<Rc<GenericType>>,
    /// May it turn out to be null?
    pub may_be_null: bool,
    /// The number of references that were followed from a root.
    pub depth: u32,
    /// The object or null that it turned out to be; none while it is undecided.
    pub is: Option<Option<ObjId>>,
    /// May an array be of a subtype of its declared type? Only what comes from a caller.
    pub is_callers: bool,
    /// The place of an input that it was read from.
    pub place: Option<Place>,
    /// The call of code that is not there which gave it, by its number from 1 on: it may be what such code had got hold of by then.
    pub call: Option<u32>,
}

/// An object of the library that is being made.
#[derive(Clone)]
pub struct PendingBuild {
    /// The reference or place that will hold the object.
    pub target: BuildTarget,
    /// The recipe whose code runs.
    pub recipe: &'static LibraryRecipe,
    /// The name under which it is an input.
    pub name: Rc<str>,
    /// How many references lead to it from a root.
    pub depth: u32,
    /// The declared type under which it counts.
    pub declared: &'static Class,
    /// The same with its arguments.
    pub generic: Option<Rc<GenericType>>,
    /// Does its code look at elements that may have changed since entry?
    pub is_late: bool,
}

/// The reference that a new object is.
#[derive(Clone, Copy)]
pub enum BuildTarget {
    /// One that was undecided.
    Unknown(UnknownId),
    /// The contents of a place at entry.
    Place(Place),
}

/// The names of roots that are environment variables begin with this.
pub const ENVIRONMENT: &str = "System.getenv(";

/// The names of operations that may end for no reason begin with this.
pub const SPURIOUS: &str = "spurious ";

/// A primitive that the program took from outside: a time, a hash code, whether a wait ends for no reason.
#[derive(Clone, Debug)]
pub struct Taken {
    /// `System.nanoTime()#1`
    pub name: Rc<str>,
    /// The unknown primitive, or its concrete value.
    pub value: Value,
    /// Has the operation that took it made use of it? It may have to ask first.
    pub is_used: bool,
}

impl Taken {
    /// Does it say that an operation ended as it always does, and not for no reason?
    pub fn is_usual(&self) -> bool {
        self.name.starts_with(SPURIOUS) && self.value == Value::Int(0)
    }
}

/// A class that is initialised while the method runs.
#[derive(Clone)]
pub struct LateClass {
    /// It holds the static fields.
    pub mirror: ObjId,
    /// The heap when the initialiser has ended.
    pub heap: Rc<Heap>,
}

/// A variable from which inputs are reached.
#[derive(Clone)]
pub struct Root {
    /// The name in reports: `this`, a parameter, `Class.field`.
    pub name: Rc<str>,
    /// At entry.
    pub value: Value,
    /// Where a static field lives: the mirror of its class, and the slot.
    pub holder: Option<(ObjId, u32)>,
}

impl Symbols {
    /// Becomes a copy of others, and keeps what is the same already.
    pub fn become_copy(&mut self, other: &Symbols) {
        let Symbols {
            condition,
            inputs,
            unknowns,
            roots,
            variables,
            boxes,
            forks,
            made,
            past,
            late,
            olds,
            asked_for,
            taken,
            nano_time,
            hashes,
            has_hashed,
            labels,
            held,
            untried,
            later,
            origin,
            has_more_held,
            pending_builds,
            passed,
            unknown_calls,
            calls_before,
            ranked,
            compared,
            handed,
            handed_undecided,
            judged,
            thrown,
            is_in_target,
            choices,
            contract_calls,
            contract_count,
            pure_results,
            made_by_calls,
            given_by_calls,
            untold,
            refused,
        } = other;
        let PathCondition { conjuncts, implied, witness, is_doubtful, is_unproven } = condition;
        self.condition.conjuncts.clone_from(conjuncts);
        self.condition.implied.clone_from(implied);
        self.condition.witness.clone_from(witness);
        (self.condition.is_doubtful, self.condition.is_unproven) = (*is_doubtful, *is_unproven);
        share(&mut self.inputs, inputs);
        share(&mut self.unknowns, unknowns);
        share(&mut self.roots, roots);
        share(&mut self.variables, variables);
        share(&mut self.held, held);
        share(&mut self.untried, untried);
        share(&mut self.later, later);
        self.origin.clone_from(origin);
        self.has_more_held = *has_more_held;
        self.pending_builds.clone_from(pending_builds);
        self.passed = *passed;
        share(&mut self.unknown_calls, unknown_calls);
        share(&mut self.ranked, ranked);
        share(&mut self.compared, compared);
        share(&mut self.handed, handed);
        share(&mut self.handed_undecided, handed_undecided);
        self.judged.clone_from(judged);
        (self.thrown, self.calls_before) = (*thrown, *calls_before);
        (self.is_in_target, self.choices, self.contract_count) = (*is_in_target, *choices, *contract_count);
        self.contract_calls.clone_from(contract_calls);
        share(&mut self.pure_results, pure_results);
        share(&mut self.made_by_calls, made_by_calls);
        share(&mut self.given_by_calls, given_by_calls);
        share(&mut self.untold, untold);
        self.refused.clone_from(refused);
        share(&mut self.taken, taken);
        share(&mut self.hashes, hashes);
        share(&mut self.labels, labels);
        (self.nano_time, self.has_hashed) = (*nano_time, *has_hashed);
        self.boxes.clone_from(boxes);
        self.forks.clone_from(forks);
        self.past.clone_from(past);
        share(&mut self.late, late);
        self.olds.clone_from(olds);
        (self.made, self.asked_for) = (*made, *asked_for);
    }

    /// The input that an object of the heap is; none for objects that the program made.
    pub fn input(&self, object: ObjId) -> Option<&Input> {
        self.inputs.iter().find(|input| input.object == object)
    }

    /// The same for writing.
    pub fn input_mut(&mut self, object: ObjId) -> Option<&mut Input> {
        Rc::make_mut(&mut self.inputs).iter_mut().find(|input| input.object == object)
    }

    /// Looks up an undecided reference.
    pub fn unknown(&self, id: UnknownId) -> &Unknown {
        &self.unknowns[id.0 as usize]
    }

    /// Looks up an undecided reference for writing.
    pub fn unknown_mut(&mut self, id: UnknownId) -> &mut Unknown {
        &mut Rc::make_mut(&mut self.unknowns)[id.0 as usize]
    }

    /// Registers an undecided reference and returns the value that stands for it.
    pub fn add_unknown(&mut self, unknown: Unknown) -> Value {
        let unknowns = Rc::make_mut(&mut self.unknowns);
        unknowns.push(unknown);
        Value::Unknown(UnknownId(unknowns.len() as u32 - 1))
    }

    /// The value that an undecided reference turned out to be; others as they are.
    pub fn settled(&self, value: Value) -> Value {
        match value {
            Value::Unknown(id) => self.unknown(id).is.map_or(value, Value::Ref),
            other => other,
        }
    }

    /// A branch was taken of which both ways were possible.
    pub fn count_fork(&mut self, site: Site) -> u32 {
        match self.forks.iter_mut().find(|(known, _)| *known == site) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.forks.push((site, 1));
                1
            }
        }
    }

    /// Nothing is known yet: the state belongs to a concrete run, or to the start of a path.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.unknowns.is_empty() && self.variables.is_empty()
    }
}

impl Symbols {
    /// How many operations ended for no reason.
    pub fn spurious_ends(&self) -> usize {
        self.taken.iter().filter(|taken| taken.name.starts_with(SPURIOUS) && taken.value == Value::Int(1)).count()
    }

    /// Did code that is not there throw this exception?
    pub fn is_of_unknown_code(&self, exception: ObjId) -> bool {
        self.unknown_calls.iter().any(|call| matches!(call.end, UnknownEnd::Threw(thrown) if thrown == exception))
    }

    /// The call by contract that made an object which counts as an input.
    pub fn made_by_call(&self, object: ObjId) -> Option<u32> {
        self.made_by_calls.iter().find(|made| made.object == object).map(|made| made.call)
    }

    /// The call that gave an object, or that made it.
    pub fn given_by_call(&self, object: ObjId) -> Option<u32> {
        let given = || self.given_by_calls.iter().find(|given| given.object == object);
        self.made_by_call(object).or_else(|| given().map(|given| given.call))
    }

    /// The call that may have written what the object refers to: it made the object, or may have made it. Of one that something at entry refers to, the path knows
    /// that it was there.
    pub fn written_by_call(&self, object: ObjId) -> Option<u32> {
        let call = self.given_by_call(object)?;
        (self.made_by_call(object).is_some() || !self.is_known_at_entry(object)).then_some(call)
    }

    /// Does the input lead to an object, as it was at entry and as far as the path has read it?
    fn is_known_at_entry(&self, object: ObjId) -> bool {
        let roots = self.roots.iter().map(|root| root.value);
        let mut waiting: Vec<Value> = roots.chain(self.held.iter().map(|held| held.object.into())).collect();
        let mut seen: Vec<ObjId> = Vec::new();
        while let Some(value) = waiting.pop() {
            let Value::Ref(Some(found)) = self.settled(value) else { continue };
            if found == object {
                return true;
            }
            if !seen.contains(&found) {
                seen.push(found);
                waiting.extend(self.entry_values(found));
            }
        }
        false
    }

    /// The values that an input held at entry.
    fn entry_values(&self, object: ObjId) -> Vec<Value> {
        match self.input(object).map(|input| &input.entry) {
            Some(Entry::Fields(fields)) => fields.to_vec(),
            Some(Entry::Elements(elements)) => elements.iter().map(|(_, value)| *value).collect(),
            Some(Entry::Built(built)) => built.arguments.to_vec(),
            None => Vec::new(),
        }
    }

    /// The call that gave an object has made it, and so those that refer to it.
    pub(crate) fn was_made(&mut self, object: ObjId) {
        let mut waiting = vec![object];
        while let Some(object) = waiting.pop() {
            let Some(call) = self.given_by_call(object).filter(|_| self.made_by_call(object).is_none()) else {
                continue;
            };
            Rc::make_mut(&mut self.made_by_calls).push(HandedObject { object, call, is_lazy: false });
            let refers = |other: &ObjId| {
                self.entry_values(*other).into_iter().any(|value| self.settled(value) == Value::from(object))
            };
            waiting.extend(self.given_by_calls.iter().map(|given| given.object).filter(refers));
        }
    }

    /// One more choice of the path.
    pub fn note_choice(&mut self, choice: u16) {
        // FNV-1a, by halves of the number.
        for byte in choice.to_le_bytes() {
            self.choices = (self.choices ^ (byte as u64 + 1)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// May this call have given the object, which the program made, as its result, or written it?
    pub fn was_handed(&self, object: ObjId, call: u32) -> bool {
        self.handed.iter().any(|handed| handed.object == object && handed.call <= call)
    }

    /// The references that code which is not there has got hold of, or has given.
    pub fn known_to_unknown_code(&self) -> impl Iterator<Item = Value> {
        let of_call = |call: &'_ UnknownCall| {
            let end = match call.end {
                UnknownEnd::Returned(value) => value,
                UnknownEnd::Threw(exception) => exception.into(),
            };
            let written = call.writes.iter().map(|write| write.value);
            let filled = call.refills.iter().flat_map(|refill| refill.values.iter().copied());
            call.arguments.iter().copied().chain(written).chain(filled).chain([end]).collect::<Vec<Value>>()
        };
        let is_reference = |value: &Value| matches!(value, Value::Ref(_) | Value::Unknown(_));
        let handed = self.handed.iter().map(|handed| Value::from(handed.object));
        let thrown = self.thrown.map(Value::from);
        handed.chain(self.unknown_calls.iter().flat_map(of_call)).chain(thrown).filter(is_reference)
    }
}

impl State {
    /// Remembers what the static fields of a class hold at first, if clauses ask for the time before the method.
    pub(crate) fn note_late_class(&mut self, class: &Class) {
        let mirror = self.classes.slot(class.id).mirror.filter(|_| self.symbols.past.is_some() && class.is_users());
        if let Some(mirror) = mirror.filter(|_| class.fields.iter().any(Field::is_static)) {
            let heap = Rc::new(self.heap.clone());
            Rc::make_mut(&mut self.symbols.late).push(LateClass { mirror, heap });
        }
    }

    /// The objects that static fields of the user's classes led to when these classes had been initialised. They were there at entry, so that an
    /// input may refer to them.
    pub fn held_by_statics(&self) -> &[Held] {
        &self.symbols.held
    }

    /// Notes what the static fields of a class lead to, now that its initialiser is done: through fields, elements of arrays and objects of the JDK, such as
    /// a list of nodes. Strings, boxes and constants of enumerations are no such objects, because their identity is asked for where it matters, unless an interface of the
    /// user's stands before the constants; nor is what
    /// objects of the JDK consist of, because nothing hands it out. Where inputs are not tried to be them, as with
    /// classes of the JDK, only the objects of the fields themselves are noted.
    pub fn hold_statics(&mut self, program: &Program, class: &'static Class, is_tried: bool) {
        let (Some(mirror), owner) = (self.classes.slot(class.id).mirror, class) else { return };
        let simple = class.name.rsplit(['/', '$']).next().unwrap_or(class.name);
        let fields = class.fields.iter().filter(|field| field.is_static() && field.kind == Kind::Reference);
        // Constants are tried behind the interfaces of the user's that they implement.
        let is_behind = class.access & access::ENUM != 0
            && program.users().iter().any(|above| above.is_interface() && class.is_subtype_of(above));
        let left_out = if is_behind { access::SYNTHETIC } else { access::ENUM | access::SYNTHETIC };
        let fields = fields.filter(|field| field.access & left_out == 0);
        let object = |field| (field, self.heap.field(mirror, program.slot_of(field) as usize));
        // A plain object in a hidden field of the JDK stands for something, such as null in an `IdentityHashMap`, and is never handed out.
        let is_secret = |(field, value): &(&Field, Value)| {
            let is_hidden = !class.is_users() && field.access & (access::PUBLIC | access::PROTECTED) == 0;
            is_hidden && value.object().is_some_and(|object| self.heap.class(object).id == program.known().object.id)
        };
        let fields = fields.map(object).filter(|held| !is_secret(held));
        if !is_tried {
            let objects: Vec<ObjId> = fields.filter_map(|(_, value)| value.object()).collect();
            Rc::make_mut(&mut self.symbols.untried).extend(objects);
            return;
        }
        type Waiting = (String, Value, bool, Option<Rc<GenericType>>);
        let named = |(field, value): (&Field, Value)| {
            (format!("{simple}.{}", field.name), value, false, program.generic_of(owner, field))
        };
        let mut waiting: Vec<Waiting> = fields.map(named).collect();
        waiting.reverse();
        let known = program.known();
        let first = self.symbols.held.len();
        let mut inside: Vec<ObjId> = Vec::new();
        while let Some((name, value, is_inside, generic)) = waiting.pop() {
            // Depth first, in the order of the fields; each object is noted under the first name that leads to it. Objects inside
            // those of the JDK are followed but not noted (`is_hidden`), so that the elements of a list are found.
            let Some(object) = value.object() else { continue };
            let class = self.heap.class(object);
            let is_value = class.is_box || class.id == known.string.id || class.id == known.class.id;
            let is_other_constant =
                is_constant(class) && !(is_behind && class.chain().any(|above| above.id == owner.id));
            let is_known =
                self.symbols.input(object).is_some() || self.symbols.held.iter().any(|held| held.object == object);
            if is_other_constant || is_known || self.symbols.untried.contains(&object) || inside.contains(&object) {
                continue;
            }
            let is_hidden = is_inside && !class.is_users();
            if is_value
                || (!is_hidden && !is_constant(class) && self.symbols.held.len() >= MOST_HELD)
                || inside.len() >= MOST_INSIDE
            {
                self.symbols.has_more_held |= !is_value;
                Rc::make_mut(&mut self.symbols.untried).push(object);
                continue;
            }
            let is_inside = !class.is_users() && !class.is_array() || is_hidden;
            let parts: Vec<Waiting> = match &self.heap.get(object).body {
                Body::Fields(values) => {
                    let fields = class.chain().flat_map(|class| class.fields.iter());
                    let fields = fields.filter(|field| !field.is_static() && field.kind == Kind::Reference);
                    let part = |field: &Field| {
                        let own = program.field_type(class, field.slot, generic.as_deref());
                        (format!("{name}.{}", field.name), values[field.slot as usize], is_inside, own)
                    };
                    fields.map(part).collect()
                }
                _ if class.component_kind() == Some(Kind::Reference) => {
                    let length = self.heap.length(object).unwrap_or(0) as i32;
                    let element = |at| Some((format!("{name}[{at}]"), self.heap.element(object, at)?, is_inside, None));
                    (0..length).filter_map(element).collect()
                }
                _ => Vec::new(),
            };
            waiting.extend(parts.into_iter().rev());
            match is_hidden {
                true => inside.push(object),
                false => {
                    Rc::make_mut(&mut self.symbols.held).push(Held { name: name.as_str().into(), object, generic })
                }
            }
        }
        if self.symbols.origin.is_some() && self.symbols.held.len() > first {
            let now = Rc::new(self.heap.clone());
            let late = self.symbols.held[first..].iter().map(|held| (held.object, now.clone()));
            Rc::make_mut(&mut self.symbols.later).extend(late);
        }
    }

    /// The same state with its inputs as they were at entry, and nothing running.
    pub fn at_entry(&self) -> State {
        let mut state = self.fork();
        (state.thread, state.threads) = Default::default();
        state.monitors.clear();
        state.monitor = None;
        state.symbols.pending_builds.clear();
        if let Some(origin) = &self.symbols.origin {
            state.heap.restore(origin);
        }
        for (object, then) in self.symbols.later.iter() {
            state.heap.restore_object(*object, then);
        }
        for input in self.symbols.inputs.iter() {
            match &input.entry {
                Entry::Fields(fields) => {
                    let missing = state.heap.class(input.object).defaults.len().saturating_sub(fields.len());
                    let all = fields.iter().copied().chain(std::iter::repeat_n(Value::Unread, missing)).collect();
                    *state.heap.body_mut(input.object) = Body::Fields(all);
                }
                // Restored with all its parts above.
                Entry::Built(_) => {}
                Entry::Elements(elements) => {
                    match state.heap.sparse_mut(input.object) {
                        Some(sparse) => sparse.touched = elements.to_vec(),
                        // An array that is known in full was made by a call.
                        None => {
                            for (index, value) in elements.iter() {
                                if let Value::Int(index) = index {
                                    state.heap.set_element(input.object, *index, *value);
                                }
                            }
                        }
                    }
                }
            }
        }
        for root in self.symbols.roots.iter() {
            if let Some((mirror, slot)) = root.holder {
                state.heap.set_field(mirror, slot as usize, root.value);
            }
        }
        state.symbols.forks.clear();
        state
    }

    /// The value of an input's field at entry.
    pub fn entry_at(&self, place: Place) -> Option<Value> {
        match &self.symbols.input(place.object)?.entry {
            Entry::Fields(fields) => fields.get(place.slot as usize).map(|value| self.symbols.settled(*value)),
            Entry::Elements(_) | Entry::Built(_) => None,
        }
    }

    /// Writes down what a place of an input held at entry; it still does, because the place was neither read nor written.
    pub fn set_entry(&mut self, place: Place, value: Value) {
        let slot = place.slot as usize;
        let now = match &self.heap.get(place.object).body {
            Body::Fields(now) => Some(Rc::as_ptr(now)),
            _ => None,
        };
        // As long as the object is not written, it holds what it held at entry, and both share the fields.
        let mut shared = None;
        if let Some(input) = self.symbols.input_mut(place.object) {
            match &mut input.entry {
                Entry::Fields(fields) => {
                    let is_unwritten = now.is_some_and(|now| std::ptr::addr_eq(now, Rc::as_ptr(fields)));
                    if fields.len() <= slot {
                        let missing = slot + 1 - fields.len();
                        *fields = fields.iter().copied().chain(std::iter::repeat_n(Value::Unread, missing)).collect();
                    }
                    Rc::make_mut(fields)[slot] = value;
                    shared = is_unwritten.then(|| fields.clone());
                }
                Entry::Elements(elements) => Rc::make_mut(elements)[slot].1 = value,
                Entry::Built(_) => {}
            }
        }
        match (self.heap.body_mut(place.object), shared) {
            (Body::Fields(fields), Some(shared)) if fields.len() == shared.len() => *fields = shared,
            (Body::Fields(fields), _) => {
                if let Some(field) = Rc::make_mut(fields).get_mut(slot) {
                    *field = value;
                }
            }
            (Body::Sparse(sparse), _) => Rc::make_mut(sparse).touched[slot].1 = value,
            _ => {}
        }
        self.symbols.forks.clear();
    }

    /// Does every input hold what it held at entry?
    pub fn is_as_at_entry(&self) -> bool {
        self.symbols.inputs.iter().all(|input| self.is_input_as_at_entry(input))
    }

    /// Does an input hold what it held at entry?
    pub fn is_input_as_at_entry(&self, input: &Input) -> bool {
        let is_same = |(now, then): (&Value, &Value)| now == then || *now == Value::Unread;
        match (&input.entry, &self.heap.get(input.object).body) {
            // A field that an entry does not have yet, because the class became known later, was not read.
            (Entry::Fields(then), Body::Fields(now)) => {
                now.iter().zip(then.iter().chain(std::iter::repeat(&Value::Unread))).all(is_same)
            }
            (Entry::Elements(then), Body::Sparse(now)) => {
                now.touched.len() <= then.len() && now.touched.iter().zip(then.iter()).all(|(now, then)| now == then)
            }
            (Entry::Built(_), _) => self.is_as_made(input.object),
            _ => false,
        }
    }

    /// Does an object of the library, which is an input, hold what it held at entry?
    pub fn is_as_made(&self, object: ObjId) -> bool {
        let made = self.symbols.later.iter().find(|(known, _)| *known == object).map(|(_, then)| then);
        let Some(made) = made else { return false };
        let parts = self.symbols.later.iter().filter(|(_, then)| Rc::ptr_eq(then, made));
        parts.into_iter().all(|(part, then)| self.heap.get(*part).body.is_same(&then.get(*part).body))
    }

    /// The declared type of a place with its arguments, if it has some.
    pub fn generic_at(&self, program: &Program, place: Place) -> Option<Rc<GenericType>> {
        let class = self.heap.class(place.object);
        let found = self.symbols.input(place.object).and_then(|input| input.generic.as_ref());
        if !class.is_array() {
            return program.field_type(class, place.slot, found.map(|found| &**found));
        }
        let declared = found?;
        declared.arguments.first().map(|element| Rc::new(element.clone()))
    }

    /// Writes down that an element of an array matters from now on. Returns its position.
    pub fn touch(&mut self, array: ObjId, index: Value) -> usize {
        let Some(sparse) = self.heap.sparse_mut(array) else { return 0 };
        if let Some(Entry::Elements(elements)) = self.symbols.input_mut(array).map(|input| &mut input.entry) {
            Rc::make_mut(elements).push((index, sparse.others));
            self.symbols.forks.clear();
        }
        sparse.touched.push((index, sparse.others));
        sparse.touched.len() - 1
    }
}

impl Symbols {
    /// The parts of a text, if it is not told.
    pub fn untold_text(&self, object: ObjId) -> Option<&UntoldText> {
        self.untold.iter().find(|text| text.object == object)
    }

    /// Notes what a text consists of. Nothing is noted of one that no more is known about.
    pub(crate) fn set_untold(&mut self, text: UntoldText) {
        self.forget_untold(text.object);
        if !text.units.contains(&TextUnit::Untold) {
            Rc::make_mut(&mut self.untold).push(text);
        }
    }

    /// The text is told, or is another one from now on.
    pub(crate) fn forget_untold(&mut self, object: ObjId) {
        if self.untold_text(object).is_some() {
            Rc::make_mut(&mut self.untold).retain(|text| text.object != object);
        }
    }
}
