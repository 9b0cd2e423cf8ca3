//! How is a call of unknown code executed? It havocs what it can reach, and returns or throws anything that its type allows.
//!
//! The receiver is of a class that is not on the class path: an interface that a service gets, a lambda of the caller, a subclass of elsewhere. The
//! call returns any value of its type, throws an exception that it declares, or one of an unknown unchecked class. What it may change is
//! all that is reachable from its receiver, its arguments, and what such code has got hold of before on this path. All of this is decided
//! first, by questions, so that exactly the objects are known that may change and those that may not. Example: `listener.added(cart)` decides
//! `cart.first`, `cart.first.next` and so on, within the scope, and then gives each field that is not final a new unknown value.
//!
//! In the run of an example the call does what the example says ([`ScriptedCall`](crate::unknown_code::ScriptedCall)).

use std::rc::Rc;

use super::elements::Location;
use super::orders::ObjectRelation;
use super::refill::Refilling;
use super::{ArgumentValues, Vm};
use crate::ambient::Assumption;
use crate::frame::Purpose;
use crate::heap::Body;
use crate::outcome::{LeftOut, Place, Question, Stop};
use crate::program::{
    Class, Field, GenericType, Method, Op, Possible, World, access, descriptor, is_declared_pure, is_of_closed_package,
};
use crate::property::EventKind;
use crate::reason::{ClassFault, Reason};
use crate::state::State;
use crate::symbols::{Entry, Unknown};
use crate::universe::is_mutable;
use crate::unknown_code::{
    CallRole, HandedObject, Havoc, ScriptedEnd, ScriptedValue, UnknownCall, UnknownEnd, UnknownRefill, UnknownWrite,
};
use crate::value::{Kind, ObjId, UnknownId, Value};

/// Arrays with more elements are not followed into such code.
const MOST_ELEMENTS: usize = 64;

/// More objects are not followed into such code.
const MOST_OBJECTS: usize = 256;

/// A type, and the same with its arguments, if it has some.
pub(super) type DeclaredType = (&'static Class, Option<Rc<GenericType>>);

/// A place that a call may change, and its type.
pub(super) struct Changing {
    /// The object or array.
    pub object: ObjId,
    /// The slot of a field, the index of an element, or its position among the touched ones.
    pub slot: u32,
    /// For the name of its new value.
    pub name: String,
    /// The type of the place.
    pub declared: &'static Class,
    /// The same with its arguments, if it has some.
    pub generic: Option<Rc<GenericType>>,
}

/// The effects that a call of code has which is not executed.
pub(super) struct CallEffects<'a> {
    /// The method that the program called.
    pub method: &'static Method,
    /// The object that is called, if there is one.
    pub receiver: Option<ObjId>,
    /// Without the receiver.
    pub given: &'a [Value],
    /// How many operands of the current frame belong to the call.
    pub operands: u32,
    /// The objects that it gets hold of.
    pub reached: Vec<ObjId>,
    /// The places that it may change.
    pub changing: Vec<Changing>,
    /// The collections and maps that it fills anew.
    pub refillings: Vec<Refilling>,
    /// The open classes of exceptions by which it may end.
    pub exceptions: Vec<&'static Class>,
    /// The type of the result.
    pub result: DeclaredType,
    /// Is the result an object that the call makes?
    pub returns_new: bool,
    /// May it change what the heap does not show?
    pub changes_unseen: bool,
    /// Who calls it.
    pub role: CallRole,
}

impl Vm {
    /// Is the code of the method not there, for an object of this class? Constants of enumerations behind a wider type are no unknown code, though their class is
    /// not decided either; nor does unknown code say whether an object is valid.
    pub(super) fn has_unknown_code(&self, state: &State, class: &'static Class, method: &'static Method) -> bool {
        let Some(possible) = class.possible().filter(|possible| possible.known.is_empty() && possible.others) else {
            return false;
        };
        // Between the parts of one call, which the state keeps, no other begins.
        let is_judging = || {
            let mut frames = state.thread.frames.iter();
            frames.any(|frame| matches!(frame.purpose, Purpose::Judge(_) | Purpose::Assume | Purpose::Refill))
        };
        let is_followed = self.example.is_some() || (self.is_exploring && !self.is_concrete);
        // Classes of the class path that implement a type of the user's show how it behaves. What an implementation of elsewhere could do
        // besides is followed only where the user asks for it: no fault of theirs is a getter that returns 1 and then 0. They do not show what a lambda of
        // the class path does.
        let is_shown = self.has_known_classes(possible) && !self.program.may_be_lambda(possible);
        let mut types = [possible.bound].into_iter().chain(possible.also.iter().copied());
        is_followed
            && !is_shown
            && (!state.thread.is_guarded || self.may_compare_in_contract(method))
            && !is_judging()
            && !possible.bound.is_array()
            && method.access & (access::FINAL | access::PRIVATE | access::STATIC) == 0
            && !is_of_closed_package(method)
            && types.all(|class| possible.world.has_others(&self.program, class))
    }

    /// Do classes of the class path implement one of these types, where the world is the class path?
    fn has_known_classes(&self, possible: &Possible) -> bool {
        let is_implemented = |class: &'static Class| {
            class.is_users() && self.program.users_below(class).iter().any(|below| !below.is_abstract())
        };
        let mut types = [possible.bound].into_iter().chain(possible.also.iter().copied());
        possible.world == World::ClassPath && types.any(is_implemented)
    }

    /// The default method that a lambda of the class path runs: it overrides none.
    pub(super) fn inherited_by_lambda(
        &self,
        state: &State,
        receiver: ObjId,
        method: &'static Method,
    ) -> Option<&'static Method> {
        let possible = state.heap.class(receiver).possible()?;
        let is_lambda = possible.known.is_empty() && self.has_known_classes(possible);
        let is_lambda = is_lambda && self.program.may_be_lambda(possible);
        self.inherited(state, receiver, method).filter(|_| is_lambda)
    }

    /// Calls a method whose code is not there. Its arguments are the top operands of the current frame.
    pub(super) fn call_unknown_code(
        &mut self,
        state: &mut State,
        receiver: ObjId,
        method: &'static Method,
        arguments: u32,
    ) -> Result<(), Stop> {
        if state.threads.is_some() {
            return Err(self.unsupported(state, "a call of code that is not there while there are other threads"));
        }
        if let Some(exception) = state.symbols.thrown {
            self.class_for_handlers(state, exception)?;
            state.symbols.thrown = None;
            return self.throw(state, exception);
        }
        let top = state.thread.top();
        let given = ArgumentValues::from_slice(&state.thread.stack[top + 1 - arguments as usize..top]);
        // The class of the receiver may inherit code that is there, or override it.
        let own = self.inherited(state, receiver, method);
        let contract = self.contract_of_receiver(state, receiver, method)?;
        if self.example.is_some() {
            let is_scripted = match contract {
                Some(_) => self.is_scripted_later(state, receiver, method),
                None => self.is_scripted(state, Some(receiver), method),
            };
            return match (own.filter(|_| !is_scripted), contract) {
                (Some(own), _) => self.invoke(state, own, arguments),
                (None, Some(contract)) => self.enter_stub(state, &contract, arguments),
                (None, None) => self.play_call(state, Some(receiver), method, &given),
            };
        }
        if let Some(own) = own
            && !self.is_overridden(state, receiver, own)?
        {
            return self.invoke(state, own, arguments);
        }
        if let Some(relation) = ObjectRelation::of(method) {
            if let Some(value) = self.relate(state, relation, receiver.into(), method, &given)? {
                state.complete(arguments as usize, Some(value));
            }
            return Ok(());
        }
        if let Some(contract) = contract {
            return self.enter_stub(state, &contract, arguments);
        }
        // A clause of a contract may ask only what changes nothing, and returns.
        let is_clause = !state.symbols.contract_calls.is_empty();
        let is_pure = is_clause || self.is_pure(method);
        let reached = match is_pure {
            true => Some(Vec::new()),
            false => self.reached_by_unknown_code(state, Some(receiver), &given)?,
        };
        let Some(reached) = reached else { return Ok(()) };
        let mut changing = Vec::new();
        for object in &reached {
            if !self.places_of(state, *object, &mut changing)? {
                return Ok(());
            }
        }
        let number = state.symbols.unknown_calls.len() as u32 + 1;
        let name = self.name_of_call(state, receiver.into(), method, number);
        let call = (method, Some(receiver), &given[..]);
        let Some(refillings) = self.refillings(state, &name, call, &reached)? else { return Ok(()) };
        let exceptions = if is_clause { Vec::new() } else { self.exceptions_of(state, method)? };
        let role = if is_clause { CallRole::Clause } else { CallRole::Program };
        let frame = state.thread.frames.len() - 1;
        let Some(result) = self.result_of(state, Some(receiver), method, frame)? else { return Ok(()) };
        let effects = CallEffects {
            method,
            receiver: Some(receiver),
            given: &given,
            operands: arguments,
            reached,
            changing,
            refillings,
            exceptions,
            result,
            returns_new: false,
            changes_unseen: !is_pure,
            role,
        };
        if self.take_effect(state, effects)?.is_some() {
            self.take_for_granted(match is_pure {
                true => {
                    Assumption::Pure { method: format!("{}.{}", self.program.short_name(method.class()), method.name) }
                }
                false => Assumption::UnknownCode { has_inputs: self.rules.havoc == Havoc::All },
            });
        }
        Ok(())
    }

    /// The call has these effects: what may change and the result become unknown. Gives how it ended; none if it is to be tried again, after an
    /// invariant was run.
    pub(super) fn take_effect(&mut self, state: &mut State, effects: CallEffects) -> Result<Option<UnknownEnd>, Stop> {
        let CallEffects { method, receiver, given, operands, reached, changing, refillings, exceptions, .. } = effects;
        let CallEffects { result, returns_new, changes_unseen, role, .. } = effects;
        // Questions come first: the instruction runs again after each.
        let number = state.symbols.unknown_calls.len() as u32 + 1;
        let called: Value = receiver.map_or(Value::NULL, Value::from);
        let name = self.name_of_call(state, called, method, number);
        let mut judged: Vec<ObjId> = changing.iter().map(|place| place.object).collect();
        // Collections have no invariant of their own, and may be what that of another object is about.
        judged.extend(reached.iter().copied().filter(|_| !refillings.is_empty()));
        if let Some((object, invariant)) = self.next_to_judge(state, &judged) {
            return self.enter_invariant(state, object, invariant, Purpose::Judge(object)).map(|()| None);
        }
        let way = self.way_of(state, &name, 1 + exceptions.len())?;
        // Nothing is asked any more.
        self.hand_over(state, &reached, given, number);
        let writes: Vec<UnknownWrite> =
            changing.into_iter().map(|place| self.change(state, &name, place, number)).collect();
        let refills: Rc<[UnknownRefill]> =
            refillings.iter().map(|refilling| self.new_contents(state, &name, refilling, number)).collect();
        let end = match way.checked_sub(1) {
            None if returns_new => UnknownEnd::Returned(self.object_from_call(state, &name, result, number)),
            None => UnknownEnd::Returned(self.value_from_call(state, &name, result, number)),
            Some(which) => {
                let exception = self.new_throwable(state, exceptions[which], None, None);
                self.fill_in_stack_trace(state, exception, None);
                UnknownEnd::Threw(exception)
            }
        };
        let call = UnknownCall {
            name: name.as_str().into(),
            method,
            receiver: called,
            arguments: given.into(),
            end,
            writes: writes.into(),
            refills: refills.clone(),
            changes_unseen,
            role,
        };
        Rc::make_mut(&mut state.symbols.unknown_calls).push(call);
        match end {
            UnknownEnd::Returned(value) => {
                self.note_call_without_frame(state, method, receiver, EventKind::Return);
                state.complete(operands as usize, (value != Value::Top).then_some(value));
            }
            // The instruction runs again, and throws.
            UnknownEnd::Threw(exception) => {
                self.note_call_without_frame(state, method, receiver, EventKind::Throw);
                state.symbols.thrown = Some(exception);
            }
        }
        // An object that was valid when such code got it is valid again afterwards.
        for (object, was_valid) in std::mem::take(&mut state.symbols.judged) {
            if let Some(invariant) = self.invariant_of(state, object).filter(|_| was_valid) {
                let class = self.program.short_name(state.heap.class(object));
                self.take_for_granted(Assumption::LeavesValid { class });
                self.enter_invariant(state, object, invariant, Purpose::Assume)?;
            }
        }
        // Collections are filled first: invariants look at them.
        for refill in refills.iter().rev() {
            self.enter_refill(state, refill.object, &refill.values)?;
        }
        Ok(Some(end))
    }

    /// Does the method change nothing, by what the user says or by an annotation?
    pub(super) fn is_pure(&self, method: &'static Method) -> bool {
        self.rules.pure.name(method) || is_declared_pure(method)
    }

    /// An object that is about to change, that has an invariant, and of which it is not known whether it is valid now.
    fn next_to_judge(&mut self, state: &State, objects: &[ObjId]) -> Option<(ObjId, &'static Method)> {
        objects.iter().copied().find_map(|object| {
            let is_known = state.symbols.judged.iter().any(|(judged, _)| *judged == object);
            let invariant = self.invariant_of(state, object).filter(|_| !is_known)?;
            Some((object, invariant))
        })
    }

    /// The method that says whether an object is valid, if its class has one.
    pub(super) fn invariant_of(&mut self, state: &State, object: ObjId) -> Option<&'static Method> {
        let class = state.heap.class(object);
        if class.is_open() || class.is_array() {
            return None;
        }
        let invariant = *self.invariants.as_ref()?.of(class).first()?;
        if invariant.is_static() { Some(invariant) } else { self.select(class, invariant) }
    }

    /// Pushes a frame for a method that takes an object and says whether it is valid.
    fn enter_invariant(
        &mut self,
        state: &mut State,
        object: ObjId,
        invariant: &'static Method,
        purpose: Purpose,
    ) -> Result<(), Stop> {
        let base = state.thread.top();
        if state.thread.stack.len() <= base {
            state.thread.stack.resize((base + 1).next_power_of_two(), Value::Top);
        }
        state.thread.stack[base] = object.into();
        self.enter(state, invariant, base as u32, purpose)
    }

    /// Is a truth value true? Asks, unless the path knows.
    pub(super) fn is_true(&mut self, state: &State, value: Value) -> Result<bool, Stop> {
        match value {
            Value::Int(value) => Ok(value != 0),
            Value::Term(term, _) => {
                let zero = self.terms.int(0);
                let is_false = self.terms.equal(term, zero);
                self.decide(state, is_false).map(|is_false| !is_false)
            }
            _ => Ok(false),
        }
    }

    /// The code that an object of unknown class has for a method unless its class overrides it. What `Object` has says nothing.
    fn inherited(&self, state: &State, receiver: ObjId, method: &'static Method) -> Option<&'static Method> {
        let bound = state.heap.class(receiver).possible()?.bound;
        let found = self.program.find_method(bound, method.name, method.descriptor)?;
        let is_code = !found.is_abstract() && found.access & access::NATIVE == 0;
        Some(found).filter(|found| is_code && found.class().id != self.program.known().object.id)
    }

    /// Does the class of the object override code that is there? One answer for each object and method of a path.
    fn is_overridden(&mut self, state: &mut State, receiver: ObjId, own: &'static Method) -> Result<bool, Stop> {
        let owner = self.told_object(state, Some(receiver));
        let name = format!("{owner} overrides {}{}", own.name, own.descriptor);
        let overrides = self.symbol_in(state, &name, lazuli_logic::Sort::Int, (0, 1));
        self.is_true(state, overrides)
    }

    /// Is this call the next one of the example?
    fn is_scripted(&self, state: &State, receiver: Option<ObjId>, method: &'static Method) -> bool {
        let number = state.symbols.unknown_calls.len();
        let next = self.example.as_ref().and_then(|example| example.calls.get(number));
        next.is_some_and(|next| (next.receiver.is_none() || next.receiver == receiver) && next.method.id == method.id)
    }

    /// Does the example still have such a call? Before it, the clauses of its contract may ask others.
    fn is_scripted_later(&self, state: &State, receiver: ObjId, method: &'static Method) -> bool {
        let done = state.symbols.unknown_calls.len();
        let left = self.example.iter().flat_map(|example| example.calls.iter().skip(done));
        let is_it =
            |name: &'static str, descriptor: &'static str| name == method.name && descriptor == method.descriptor;
        left.into_iter().any(|next| next.receiver == Some(receiver) && is_it(next.method.name, next.method.descriptor))
    }

    /// `this.prices.price()#2`
    pub(super) fn name_of_call(&self, state: &State, receiver: Value, method: &'static Method, number: u32) -> String {
        let of_class = || self.program.short_name(method.class());
        let owner = match state.symbols.settled(receiver) {
            Value::Unknown(id) => state.symbols.unknown(id).name.to_string(),
            known => {
                let input = known.object().and_then(|object| state.symbols.input(object));
                input.map_or_else(of_class, |input| input.name.to_string())
            }
        };
        format!("{owner}.{}()#{number}", method.name)
    }

    /// Which of that many ways does the call end?
    fn way_of(&mut self, state: &mut State, name: &str, ways: usize) -> Result<usize, Stop> {
        let kind = lazuli_logic::Sort::Int;
        let way = self.symbol_in(state, &format!("{name} throws"), kind, (0, ways as i64 - 1));
        let Value::Term(way, _) = way else { return Ok(0) };
        let mut cases = Vec::new();
        for number in 0..ways {
            let number = self.terms.int(number as i32);
            cases.push(self.terms.equal(way, number));
        }
        self.decide_case(state, cases)
    }

    /// The classes of exceptions by which the method may end: an unchecked one, and those that it declares.
    fn exceptions_of(&mut self, state: &State, method: &'static Method) -> Result<Vec<&'static Class>, Stop> {
        let load = |name: &str| {
            let found = self.program.load(name);
            found.map_err(|error| self.unsupported(state, ClassFault::of_load(&self.program, &error)))
        };
        let (unchecked, error) = (load("java/lang/RuntimeException")?, load("java/lang/Error")?);
        let mut found = vec![unchecked];
        for name in method.declared_exceptions() {
            let class = load(&name)?;
            if !class.is_subtype_of(unchecked) && !class.is_subtype_of(error) {
                found.push(class);
            }
        }
        let open = |class: &'static Class| {
            let possible = self.program.possible_classes(class, self.rules.world);
            possible.ok_or_else(|| self.unsupported(state, Reason::NoObject { class: class.java_name() }))
        };
        found.into_iter().map(open).collect()
    }

    /// The declared type of the result of a call in that frame; none if a class must be initialised first.
    pub(super) fn result_of(
        &mut self,
        state: &mut State,
        receiver: Option<ObjId>,
        method: &'static Method,
        frame: usize,
    ) -> Result<Option<DeclaredType>, Stop> {
        let (_, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let generic =
            receiver.and_then(|receiver| state.symbols.input(receiver)).and_then(|input| input.generic.clone());
        let told = self.program.generic_result(method, generic.as_deref());
        let (declared, generic) = match told {
            Some(told) => (told.class, Some(Rc::new(told))),
            None => match self.cast_of_result(state, method, frame)? {
                Some(cast) => (cast, None),
                None => (self.class_of(state, result)?, None),
            },
        };
        let is_ready = declared.kind() != Kind::Reference || self.ready_to_ask(state, declared)?;
        Ok(is_ready.then_some((declared, generic)))
    }

    /// The class to which the next instruction casts the result, where its type is a variable of which the receiver does not tell what it stands for. The compiler adds such casts;
    /// one that the source has looks the same, so that the verdict tells it.
    fn cast_of_result(
        &mut self,
        state: &mut State,
        method: &'static Method,
        frame: usize,
    ) -> Result<Option<&'static Class>, Stop> {
        if !self.program.returns_type_variable(method) {
            return Ok(None);
        }
        let frame = &state.thread.frames[frame];
        let Some(Op::CheckCast(site)) = frame.code.ops.get(frame.pc as usize + 1).map(|op| op.unfused()) else {
            return Ok(None);
        };
        let cast = frame.code.classes[site as usize].name;
        let class = match self.program.load(cast) {
            Ok(class) => class,
            Err(error) => return Err(self.unsupported(state, ClassFault::of_load(&self.program, &error))),
        };
        self.take_for_granted(Assumption::ResultCast {
            method: format!("{}.{}", self.program.short_name(method.class()), method.name),
            class: self.program.short_name(class),
        });
        Ok(Some(class))
    }

    pub(super) fn class_of(&self, state: &State, descriptor: &str) -> Result<&'static Class, Stop> {
        let found = self.program.load_descriptor(descriptor);
        found.map_err(|error| self.unsupported(state, ClassFault::of_load(&self.program, &error)))
    }

    pub(super) fn value_from_call(
        &mut self,
        state: &mut State,
        name: &str,
        (declared, generic): DeclaredType,
        call: u32,
    ) -> Value {
        match declared.kind() {
            Kind::Void => Value::Top,
            Kind::Reference => state.symbols.add_unknown(Unknown {
                name: name.into(),
                declared,
                generic,
                may_be_null: true,
                depth: 0,
                is: None,
                is_callers: true,
                place: None,
                call: Some(call),
            }),
            kind => self.new_symbol(state, name, kind),
        }
    }

    fn change(&mut self, state: &mut State, call: &str, place: Changing, number: u32) -> UnknownWrite {
        let Changing { object, slot, name, declared, generic } = place;
        let value = self.value_from_call(state, &format!("{name} after {call}"), (declared, generic), number);
        self.write_place(state, object, slot, value);
        UnknownWrite { object, slot, value }
    }

    fn write_place(&mut self, state: &mut State, object: ObjId, slot: u32, value: Value) {
        if !state.heap.class(object).is_array() {
            return state.heap.set_field(object, slot as usize, value);
        }
        if let Some(sparse) = state.heap.sparse_mut(object) {
            if let Some((_, element)) = sparse.touched.get_mut(slot as usize) {
                *element = value;
            }
            return;
        }
        if matches!(value, Value::Term(..)) && !matches!(state.heap.get(object).body, Body::Mixed(_)) {
            state.heap.mix(object);
        }
        state.heap.set_element(object, slot as i32, value);
    }

    /// All objects that the call can get at, in an order that depends on the path only. Asks for what is not decided. None if a class must be
    /// initialised first.
    pub(super) fn reached_by_unknown_code(
        &mut self,
        state: &mut State,
        receiver: Option<ObjId>,
        given: &[Value],
    ) -> Result<Option<Vec<ObjId>>, Stop> {
        let mut waiting: Vec<Value> = given.iter().copied().chain(receiver.map(Value::from)).collect();
        waiting.extend(self.held_by_unknown_code(state));
        waiting.reverse();
        let mut reached: Vec<ObjId> = Vec::new();
        while let Some(value) = waiting.pop() {
            let object = match state.symbols.settled(value) {
                Value::Unknown(id) => return Err(Stop::Ask(Question::Deref(id))),
                Value::Ref(Some(object)) if !reached.contains(&object) => object,
                _ => continue,
            };
            if reached.len() >= MOST_OBJECTS {
                return Err(self.unsupported(state, Reason::UnknownCodeReaches { class: None }));
            }
            reached.push(object);
            let Some(parts) = self.references_of(state, object)? else { return Ok(None) };
            waiting.extend(parts.into_iter().rev());
        }
        Ok(Some(reached))
    }

    /// Notes which objects a call gets hold of.
    fn hand_over(&self, state: &mut State, reached: &[ObjId], given: &[Value], call: u32) {
        let mut undecided: Vec<UnknownId> = Vec::new();
        let mut note = |value: &Value| {
            if let Value::Unknown(id) = state.symbols.settled(*value) {
                undecided.push(id);
            }
        };
        given.iter().for_each(&mut note);
        let mut new = Vec::new();
        for object in reached.iter().copied() {
            let mut is_lazy = false;
            match &state.heap.get(object).body {
                Body::Fields(values) | Body::Refs(values) => {
                    values.iter().for_each(&mut note);
                    is_lazy = values.contains(&Value::Unread);
                }
                Body::Sparse(sparse) => {
                    sparse.touched.iter().for_each(|(_, value)| note(value));
                    is_lazy = true;
                }
                _ => {}
            }
            if !state.symbols.handed.iter().any(|known| known.object == object) {
                new.push(HandedObject { object, call, is_lazy });
            }
        }
        if !undecided.is_empty() {
            Rc::make_mut(&mut state.symbols.handed_undecided).extend(undecided);
        }
        if !new.is_empty() {
            Rc::make_mut(&mut state.symbols.handed).extend(new);
        }
    }

    /// The objects that code which is not there has got hold of so far, apart from those that they lead to.
    pub(super) fn held_by_unknown_code(&self, state: &State) -> Vec<Value> {
        let symbols = &state.symbols;
        let mut held: Vec<Value> = symbols.handed.iter().map(|handed| Value::from(handed.object)).collect();
        let results: Vec<Value> = symbols.unknown_calls.iter().filter_map(UnknownCall::made_reference).collect();
        // Of what was undecided when such code got it, or returned it, the input tells what it has turned out to be.
        let undecided: Vec<Value> =
            symbols.handed_undecided.iter().map(|id| symbols.settled(Value::Unknown(*id))).collect();
        let mut lazy: Vec<ObjId> =
            symbols.handed.iter().filter(|handed| handed.is_lazy).map(|handed| handed.object).collect();
        lazy.extend(undecided.iter().chain(&results).filter_map(|value| symbols.settled(*value).object()));
        held.extend(results);
        held.extend(undecided);
        let mut next = 0;
        while let Some(object) = lazy.get(next).copied() {
            next += 1;
            let Some(input) = symbols.input(object) else { continue };
            let then: Vec<Value> = match &input.entry {
                Entry::Fields(fields) => fields.to_vec(),
                Entry::Elements(elements) => elements.iter().map(|(_, value)| *value).collect(),
                Entry::Built(_) => Vec::new(),
            };
            for value in then {
                let Value::Ref(Some(inner)) = symbols.settled(value) else { continue };
                if !lazy.contains(&inner) {
                    lazy.push(inner);
                    held.push(inner.into());
                }
            }
        }
        // Every input is one of the roots, an object that a path knows, or what these lead to.
        if self.rules.havoc == Havoc::All {
            held.extend(symbols.roots.iter().map(|root| root.value));
            held.extend(symbols.inputs.iter().map(|input| Value::from(input.object)));
        }
        held
    }

    /// The references of an object, all of them decided; none if a class must be initialised first. Ends the path where the object may change in
    /// ways that are not followed.
    fn references_of(&mut self, state: &mut State, object: ObjId) -> Result<Option<Vec<Value>>, Stop> {
        let class = state.heap.class(object);
        let known = self.program.known();
        if class.id == known.class.id || class.id == known.string.id || class.is_box {
            return Ok(Some(Vec::new()));
        }
        if class.possible().is_some_and(|possible| !possible.known.is_empty()) && !self.is_throwable(class) {
            let parts = self.program.split_fully(class);
            return Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }));
        }
        if class.is_array() {
            return self.elements_of(state, object);
        }
        // The exception that such code made has nothing that a program can tell from outside but its class.
        let is_exception = self.is_throwable(class) && state.symbols.is_of_unknown_code(object);
        // Nor can it look into an object of the JDK's types whose class is not there.
        if is_exception || (class.is_open() && !class.is_users()) {
            return Ok(Some(Vec::new()));
        }
        if !class.is_users() && class.access & access::ENUM == 0 && is_mutable(class) {
            let parts = self.parts_of_library(state, object)?;
            let class = Some(class.java_name());
            let refused = || self.unsupported(state, Reason::UnknownCodeReaches { class });
            return parts.ok_or_else(refused).map(Some);
        }
        let fields = class.chain().flat_map(|class| class.fields.iter());
        let fields: Vec<&'static Field> =
            fields.filter(|field| !field.is_static() && field.kind == Kind::Reference).collect();
        for field in &fields {
            if state.heap.field(object, field.slot as usize) == Value::Unread {
                self.decide_field(state, object, field)?;
                // The class of the field's constants is initialised first.
                if state.heap.field(object, field.slot as usize) == Value::Unread {
                    return Ok(None);
                }
            }
        }
        let held = fields.iter().map(|field| state.heap.field(object, field.slot as usize)).collect();
        if class.is_users() { Ok(Some(held)) } else { self.without_arrays(state, held) }
    }

    fn is_throwable(&self, class: &'static Class) -> bool {
        class.is_subtype_of(self.program.known().throwable)
    }

    /// The elements of an array of which all are decided; none of an array of primitives.
    pub(super) fn elements_of(&mut self, state: &mut State, array: ObjId) -> Result<Option<Vec<Value>>, Stop> {
        let too_long = |vm: &Vm, state: &State| {
            let class = Some(state.heap.class(array).java_name());
            Err(vm.unsupported(state, Reason::UnknownCodeReaches { class }))
        };
        let is_reference = state.heap.class(array).component_kind() == Some(Kind::Reference);
        let Some(sparse) = state.heap.sparse(array) else {
            let length = state.heap.length(array).unwrap_or(0);
            if length > MOST_ELEMENTS {
                return too_long(self, state);
            }
            let elements = (0..length as i32).filter_map(|at| state.heap.element(array, at));
            return Ok(Some(if is_reference { elements.collect() } else { Vec::new() }));
        };
        let length = sparse.length;
        let length = self.fix(state, length, MOST_ELEMENTS as i32)?;
        let mut elements = Vec::new();
        for index in 0..length {
            let Location::Touched(position) = self.locate(state, array, Value::Int(index))? else { continue };
            if is_reference {
                match self.read_touched(state, array, position)? {
                    Some(value) => elements.push(value),
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(elements))
    }

    /// Adds the places of an object that may change. False if a class must be initialised first.
    pub(super) fn places_of(
        &mut self,
        state: &mut State,
        object: ObjId,
        found: &mut Vec<Changing>,
    ) -> Result<bool, Stop> {
        let class = state.heap.class(object);
        let owner = match state.symbols.input(object) {
            Some(input) => input.name.to_string(),
            None => format!("{} {}", self.program.short_name(class), object.index()),
        };
        if let Some(component) = class.component() {
            if component.kind() == Kind::Reference && !self.ready_to_ask(state, component)? {
                return Ok(false);
            }
            let length = match state.heap.sparse(object) {
                Some(sparse) => sparse.touched.len(),
                None => state.heap.length(object).unwrap_or(0),
            };
            let place = |slot: usize| Changing {
                object,
                slot: slot as u32,
                name: format!("{owner}[{slot}]"),
                declared: component,
                generic: None,
            };
            found.extend((0..length).map(place));
            return Ok(true);
        }
        if !class.is_users() || (!class.is_open() && !is_mutable(class)) {
            return Ok(true);
        }
        for (above, field) in class.chain().flat_map(|class| class.fields.iter().map(move |field| (class, field))) {
            if field.is_static() || !self.program.may_be_reassigned(above, field) {
                continue;
            }
            let generic = state.generic_at(&self.program, Place { object, slot: field.slot });
            let erased = self.class_of(state, field.descriptor)?;
            let declared = self.type_at_place(erased, generic.as_deref());
            if field.kind == Kind::Reference && !self.ready_to_ask(state, declared)? {
                return Ok(false);
            }
            let label = class.label_at(field.slot);
            found.push(Changing {
                object,
                slot: field.slot,
                name: format!("{owner}.{}", label.as_deref().unwrap_or(field.name)),
                declared,
                generic,
            });
        }
        Ok(true)
    }

    /// Does what the example says.
    pub(super) fn play_call(
        &mut self,
        state: &mut State,
        receiver: Option<ObjId>,
        method: &'static Method,
        given: &[Value],
    ) -> Result<(), Stop> {
        let operands = given.len() + receiver.is_some() as usize;
        if let Some(result) = receiver.and_then(|receiver| self.known_comparison(state, receiver, method, given)) {
            state.complete(operands, Some(result));
            return Ok(());
        }
        let number = state.symbols.unknown_calls.len();
        let script = self.example.as_ref().and_then(|example| example.calls.get(number)).cloned();
        let Some(script) = script.filter(|_| self.is_scripted(state, receiver, method)) else {
            return Err(self.unsupported(state, Reason::UnknownCodeUnscripted { method: method.full_name() }));
        };
        let called: Value = receiver.map_or(Value::NULL, Value::from);
        let mut call = UnknownCall {
            name: self.name_of_call(state, called, method, number as u32 + 1).as_str().into(),
            method,
            receiver: called,
            arguments: given.into(),
            end: UnknownEnd::Returned(Value::Top),
            writes: Rc::default(),
            refills: Rc::default(),
            changes_unseen: true,
            role: script.role,
        };
        let handed = |object| HandedObject { object, call: number as u32 + 1, is_lazy: false };
        let made = script.makes.iter().map(|object| handed(*object));
        Rc::make_mut(&mut state.symbols.made_by_calls).extend(made);
        Rc::make_mut(&mut state.symbols.unknown_calls).push(call.clone());
        let scripted = |state: &State, value: ScriptedValue| match value {
            ScriptedValue::Known(value) => value,
            ScriptedValue::Handed { call, argument } => {
                let call = state.symbols.unknown_calls.get(call);
                call.and_then(|call| call.arguments.get(argument)).copied().unwrap_or(Value::NULL)
            }
        };
        for write in &script.writes {
            let (object, value) = (scripted(state, write.object), scripted(state, write.value));
            if let Some(object) = object.object() {
                self.write_place(state, object, write.slot, value);
            }
        }
        let refills: Vec<(Value, Vec<Value>)> = script
            .refills
            .iter()
            .map(|refill| {
                let values = refill.values.iter().map(|value| scripted(state, *value));
                (scripted(state, refill.object), values.collect())
            })
            .collect();
        let enter_refills = |vm: &mut Vm, state: &mut State| {
            let mut refills = refills.iter().rev().filter_map(|(object, values)| Some((object.object()?, values)));
            refills.try_for_each(|(object, values)| vm.enter_refill(state, object, values))
        };
        match script.end {
            ScriptedEnd::Returned(value) => {
                let value = scripted(state, value);
                call.end = UnknownEnd::Returned(value);
                if let Some(last) = Rc::make_mut(&mut state.symbols.unknown_calls).last_mut() {
                    *last = call;
                }
                self.note_call_without_frame(state, method, receiver, EventKind::Return);
                state.complete(operands, (method.result != Kind::Void).then_some(value));
                enter_refills(self, state)
            }
            ScriptedEnd::Threw(class) => {
                let exception = self.new_throwable(state, class, None, None);
                self.fill_in_stack_trace(state, exception, None);
                call.end = UnknownEnd::Threw(exception);
                if let Some(last) = Rc::make_mut(&mut state.symbols.unknown_calls).last_mut() {
                    *last = call;
                }
                self.note_call_without_frame(state, method, receiver, EventKind::Throw);
                if script.refills.is_empty() {
                    return self.throw(state, exception);
                }
                // The instruction runs again behind them, and throws.
                state.symbols.thrown = Some(exception);
                enter_refills(self, state)
            }
        }
    }
}
