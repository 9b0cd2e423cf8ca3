//! How is a call executed that a contract replaces?
//!
//! The stub of the contract ([`crate::contracts`]) is a frame of ordinary code. It says by natives (`natives/contract`) what may be assigned, and calls a method without code to
//! have the call performed: then these places and the result get new unknown values, or an exception comes. The clauses behind that drop what the
//! contract does not allow.
//!
//! A call that changes nothing gives the same result as before while nothing that it may read has changed ([`super::versions`]). Example:
//! `if (it.hasNext()) it.next()` keeps `requires hasNext()`, and a second `next()` does not.

use std::rc::Rc;
use std::sync::Arc;

use lazuli_logic::Sort;

use super::unknown_code::{CallEffects, Changing};
use super::{ArgumentValues, Vm};
use crate::ambient::Assumption;
use crate::contracts::{
    AssignedPlace, CallContract, ContractCall, ContractCallKey, ContractCheck, ContractEnds, PureResult, RefusedCall,
};
use crate::heap::Body;
use crate::outcome::{End, LeftOut, Question, Stop};
use crate::program::{Class, Method, access, signature};
use crate::reason::Reason;
use crate::state::State;
use crate::universe::is_mutable;
use crate::unknown_code::{CallRole, Havoc, UnknownCall, UnknownEnd};
use crate::value::{Kind, ObjId, Value};

impl Vm {
    /// May calls be replaced here? Contract methods, and calls that make inputs, execute all code.
    fn may_replace(&self, state: &State) -> bool {
        let is_run = self.example.as_ref().is_some_and(|example| !example.is_contract);
        let is_explored = self.is_exploring && !self.is_concrete && state.symbols.is_in_target;
        (is_run || is_explored) && !state.thread.is_guarded && state.threads.is_none()
    }

    /// The contract of a method, if calls may be replaced.
    fn contract_of(&self, state: &State, method: &'static Method) -> Result<Option<Arc<CallContract>>, Stop> {
        let Some(contracts) = self.contracts.as_ref().filter(|_| self.may_replace(state)) else { return Ok(None) };
        contracts.of(method).map_err(|refusal| {
            self.unsupported(state, Reason::ContractRefused { method: told(method), why: refusal.why })
        })
    }

    /// The contract that replaces a call whose code is there, because the user says so.
    #[inline(never)]
    pub(super) fn replacement(
        &mut self,
        state: &State,
        method: &'static Method,
    ) -> Result<Option<Arc<CallContract>>, Stop> {
        if method.name.starts_with('<') || method.hidden {
            return Ok(None);
        }
        let Some(contracts) = self.contracts.clone() else { return Ok(None) };
        let is_named = *self.replaced.entry(method.id).or_insert_with(|| contracts.replaced.name(method));
        // While a clause is evaluated, methods that it calls are executed where their code is there.
        if !is_named || !self.may_replace(state) || !state.symbols.contract_calls.is_empty() {
            return Ok(None);
        }
        self.contract_of(state, method)
    }

    /// The contract of a method whose code is not there, for an object of unknown class.
    pub(super) fn contract_of_receiver(
        &self,
        state: &State,
        receiver: ObjId,
        method: &'static Method,
    ) -> Result<Option<Arc<CallContract>>, Stop> {
        let bound = state.heap.class(receiver).possible().map(|possible| possible.bound);
        let narrower = bound.and_then(|bound| self.program.find_method(bound, method.name, method.descriptor));
        match narrower.filter(|narrower| narrower.id != method.id) {
            Some(narrower) => match self.contract_of(state, narrower)? {
                Some(found) => Ok(Some(found)),
                None => self.contract_of(state, method),
            },
            None => self.contract_of(state, method),
        }
    }

    /// The contract of a native method without a model.
    pub(super) fn contract_of_native(
        &self,
        state: &State,
        method: &'static Method,
    ) -> Result<Option<Arc<CallContract>>, Stop> {
        if method.hidden || !method.class().is_users() {
            return Ok(None);
        }
        self.contract_of(state, method)
    }

    /// Enters the stub in place of the method; the arguments are the top operands.
    pub(super) fn enter_stub(
        &mut self,
        state: &mut State,
        contract: &CallContract,
        arguments: u32,
    ) -> Result<(), Stop> {
        self.enter_own_code(state, contract.stub, arguments)
    }

    /// The stub begins: the call gets a number, which tells it from all others.
    pub(crate) fn begin_contract_call(&mut self, state: &mut State) {
        let number = state.symbols.contract_count;
        state.symbols.contract_count += 1;
        let key = ContractCallKey { choices: state.symbols.choices, number };
        state.symbols.contract_calls.push(ContractCall { key, assigned: Vec::new(), past: None, performed: None });
    }

    /// The precondition of the innermost call does not hold: ends the path with an error that no handler catches.
    pub(crate) fn refuse_call(&mut self, state: &mut State, clause: usize) -> Stop {
        let stub = state.thread.frames.last().map(|frame| frame.method);
        let contract = stub.and_then(|stub| self.contracts.as_ref()?.with_stub(stub));
        let Some(contract) = contract else {
            return self.unsupported(state, "a precondition of no contract");
        };
        let told = contract.required.get(clause).cloned().unwrap_or_default();
        let method = format!("{}.{}", self.program.short_name(contract.method.class()), contract.method.name);
        let message = format!("{told} is false, and {method} is called");
        let class = match self.program.load("java/lang/AssertionError") {
            Ok(class) => class,
            Err(error) => return self.unsupported(state, format!("a JDK without errors ({error})")),
        };
        let exception = self.new_throwable(state, class, Some(&message), None);
        self.fill_in_stack_trace(state, exception, None);
        let receiver = match (contract.method.is_static(), state.thread.frames.last()) {
            (false, Some(frame)) => state.thread.stack[frame.base as usize],
            _ => Value::NULL,
        };
        let told = message.as_str().into();
        state.symbols.refused = Some(RefusedCall { exception, receiver, method: contract.method, told });
        End::Threw(exception).into()
    }

    /// The contract allows this end of the innermost call.
    pub(crate) fn satisfy_contract(&mut self, state: &mut State) {
        let Some(call) = state.symbols.contract_calls.pop() else { return };
        self.note_contract_end(state, call.key, true);
    }

    /// The contract does not allow this end: there is no such path.
    pub(crate) fn drop_end(&mut self, state: &mut State) -> Stop {
        if let Some(call) = state.symbols.contract_calls.pop() {
            self.note_contract_end(state, call.key, false);
        }
        End::AssumedAway.into()
    }

    fn note_contract_end(&mut self, state: &State, key: ContractCallKey, is_satisfied: bool) {
        if self.example.is_some() {
            return;
        }
        if let Some(known) = self.contract_ends.get_mut(&key) {
            known.is_satisfied |= is_satisfied;
            return;
        }
        let stub = state.thread.frames.last().map(|frame| frame.method);
        let contract = stub.and_then(|stub| self.contracts.as_ref()?.with_stub(stub));
        let method = contract.map_or_else(String::new, |contract| told(contract.method));
        let at = self.describe_position(state);
        self.contract_ends.insert(key, ContractEnds { method, at, is_satisfied });
    }

    /// Performs a call by contract. The arguments are the top operands of the stub's frame.
    pub(super) fn perform_call(
        &mut self,
        state: &mut State,
        contract: &CallContract,
        arguments: u32,
    ) -> Result<(), Stop> {
        if let Some(exception) = state.symbols.thrown.take() {
            return self.throw(state, exception);
        }
        let method = contract.method;
        let top = state.thread.top();
        let all = ArgumentValues::from_slice(&state.thread.stack[top - arguments as usize..top]);
        let receiver = match (method.is_static(), all.first()) {
            (false, Some(Value::Ref(receiver))) => *receiver,
            _ => None,
        };
        let given = if method.is_static() { &all[..] } else { &all[1..] };
        if self.example.is_some() {
            self.remember_heap(state, contract);
            return self.play_call(state, receiver, method, given);
        }
        let role = match () {
            () if state.symbols.contract_calls.len() > 1 => CallRole::Clause,
            () if receiver.is_some_and(|receiver| state.heap.class(receiver).is_open()) => CallRole::Program,
            () => CallRole::Replaced,
        };
        // One that makes what it returns makes another object each time.
        let is_function = contract.is_pure && !contract.asks_entry;
        let version = match is_function {
            true => match self.version_of(state, &all)? {
                Some(version) => Some(version),
                None => return Ok(()),
            },
            false => None,
        };
        if let Some(version) = version
            && let Some(result) = self.known_result(state, method, &all, version)?
        {
            let number = state.symbols.unknown_calls.len() as u32 + 1;
            let called: Value = receiver.map_or(Value::NULL, Value::from);
            let call = UnknownCall {
                name: self.name_of_call(state, called, method, number).as_str().into(),
                method,
                receiver: called,
                arguments: given.into(),
                end: UnknownEnd::Returned(result),
                writes: Rc::default(),
                refills: Rc::default(),
                changes_unseen: false,
                role,
            };
            Rc::make_mut(&mut state.symbols.unknown_calls).push(call);
            state.complete(arguments as usize, Some(result));
            return Ok(());
        }
        // The operands are decided that say which places change.
        let (reached, changing) = match contract.assigns_everything {
            true => {
                let Some(reached) = self.reached_by_unknown_code(state, receiver, given)? else { return Ok(()) };
                let mut changing = Vec::new();
                for object in &reached {
                    if !self.places_of(state, *object, &mut changing)? {
                        return Ok(());
                    }
                }
                (reached, changing)
            }
            false => {
                let Some(changing) = self.assigned_places(state)? else { return Ok(()) };
                (self.handed_over(state, &all), changing)
            }
        };
        let number = state.symbols.unknown_calls.len() as u32 + 1;
        let refillings = match contract.assigns_everything {
            true => {
                let name = self.name_of_call(state, receiver.map_or(Value::NULL, Value::from), method, number);
                match self.refillings(state, &name, (method, receiver, given), &reached)? {
                    Some(refillings) => refillings,
                    None => return Ok(()),
                }
            }
            false => Vec::new(),
        };
        let mut exceptions = Vec::new();
        for class in contract.exceptions.iter().filter(|_| role != CallRole::Clause) {
            let possible = self.program.possible_classes(class, self.rules.world);
            let none = || self.unsupported(state, Reason::NoObject { class: class.java_name() });
            exceptions.push(possible.ok_or_else(none)?);
        }
        // The frame below the stub is that of the call.
        let caller = state.thread.frames.len().saturating_sub(2);
        let Some(result) = self.result_of(state, receiver, method, caller)? else { return Ok(()) };
        let returns_new = contract.returns_new;
        // All fields of an object of unknown class are more than its known ones.
        let is_unseen = |place: &AssignedPlace| match place {
            AssignedPlace::All(object) => state.heap.class(*object).is_open(),
            AssignedPlace::Field(..) | AssignedPlace::Between(..) => false,
        };
        let call = state.symbols.contract_calls.last();
        let changes_unseen =
            contract.assigns_everything || call.is_some_and(|call| call.assigned.iter().any(is_unseen));
        let operands = arguments;
        let before = contract.asks_entry.then(|| Rc::new(state.heap.clone()));
        let effects = CallEffects {
            method,
            receiver,
            given,
            operands,
            reached,
            changing,
            refillings,
            exceptions,
            result,
            returns_new,
            changes_unseen,
            role,
        };
        let Some(end) = self.take_effect(state, effects)? else { return Ok(()) };
        if let Some(call) = state.symbols.contract_calls.last_mut() {
            (call.past, call.performed) = (before, Some(number));
        }
        if let (UnknownEnd::Returned(result), Some(version)) = (end, version) {
            let known = PureResult { method: method.id, arguments: all.to_vec(), version, result };
            Rc::make_mut(&mut state.symbols.pure_results).push(known);
        }
        self.take_for_granted(Assumption::Contract {
            method: told(method),
            at: contract.at.clone(),
            is_bundled: contract.is_bundled,
            check: ContractCheck::NotAsked,
        });
        if contract.assigns_everything {
            self.take_for_granted(Assumption::UnknownCode { has_inputs: self.rules.havoc == Havoc::All });
        }
        Ok(())
    }

    fn remember_heap(&mut self, state: &mut State, contract: &CallContract) {
        let before = contract.asks_entry.then(|| Rc::new(state.heap.clone()));
        let number = state.symbols.unknown_calls.len() as u32 + 1;
        if let Some(call) = state.symbols.contract_calls.last_mut() {
            (call.past, call.performed) = (before, Some(number));
        }
    }

    /// The objects that such a call gets hold of, without asking for any: the decided arguments, and what leads on from them. It may keep them, and give
    /// them back later.
    fn handed_over(&self, state: &State, given: &[Value]) -> Vec<ObjId> {
        let mut found: Vec<ObjId> = Vec::new();
        let mut waiting: Vec<Value> = given.to_vec();
        while let Some(value) = waiting.pop() {
            let Value::Ref(Some(object)) = state.symbols.settled(value) else { continue };
            let class = state.heap.class(object);
            let known = self.program.known();
            if found.contains(&object) || class.id == known.class.id || class.id == known.string.id {
                continue;
            }
            found.push(object);
            if let Body::Fields(values) | Body::Refs(values) = &state.heap.get(object).body {
                waiting.extend(values.iter().rev().copied());
            }
        }
        found
    }

    /// The result of the same call in the same version. Asks where it is not decided whether the arguments are the same.
    fn known_result(
        &mut self,
        state: &mut State,
        method: &'static Method,
        given: &[Value],
        version: u64,
    ) -> Result<Option<Value>, Stop> {
        let known = state.symbols.pure_results.clone();
        'known: for known in known.iter().filter(|known| known.method == method.id && known.version == version) {
            for (one, other) in known.arguments.iter().zip(given) {
                if !self.is_same_argument(state, *one, *other)? {
                    continue 'known;
                }
            }
            return Ok(Some(known.result));
        }
        Ok(None)
    }

    fn is_same_argument(&mut self, state: &mut State, one: Value, other: Value) -> Result<bool, Stop> {
        let (one, other) = (state.symbols.settled(one), state.symbols.settled(other));
        let sort = match (one, other) {
            // A method that does something with 0.0 need not do it with -0.0, which is equal.
            (Value::Float(one), Value::Float(other)) => return Ok(one.to_bits() == other.to_bits()),
            (Value::Double(one), Value::Double(other)) => return Ok(one.to_bits() == other.to_bits()),
            _ if one == other => return Ok(true),
            (Value::Ref(_) | Value::Unknown(_), _) => return self.is_same(state, one, other),
            (Value::Term(_, Sort::Float | Sort::Double), _) | (_, Value::Term(_, Sort::Float | Sort::Double)) => {
                return Ok(false);
            }
            (Value::Term(_, sort), _) | (_, Value::Term(_, sort)) => sort,
            (Value::Int(_), _) => Sort::Int,
            (Value::Long(_), _) => Sort::Long,
            _ => return Ok(false),
        };
        let (Some(one), Some(other)) = (self.term_of(one, sort), self.term_of(other, sort)) else { return Ok(false) };
        let is_same = self.terms.equal(one, other);
        self.decide(state, is_same)
    }

    /// The places that the stub has listed, each with its type. None if a class must be initialised first.
    fn assigned_places(&mut self, state: &mut State) -> Result<Option<Vec<Changing>>, Stop> {
        let assigned = state.symbols.contract_calls.last().map_or(Vec::new(), |call| call.assigned.clone());
        let mut changing: Vec<Changing> = Vec::new();
        for place in assigned {
            let (AssignedPlace::All(object) | AssignedPlace::Field(object, _) | AssignedPlace::Between(object, ..)) =
                place;
            let mut found = Vec::new();
            if let Some(class) = self.mirrored(state, object) {
                if !self.static_places(state, object, class, &mut found)? {
                    return Ok(None);
                }
            } else {
                self.check_assignable(state, object)?;
                if state.heap.class(object).is_array() && self.elements_of(state, object)?.is_none() {
                    return Ok(None);
                }
                if !self.places_of(state, object, &mut found)? {
                    return Ok(None);
                }
            }
            match place {
                AssignedPlace::All(_) => {}
                AssignedPlace::Field(_, slot) => found.retain(|place| place.slot == slot),
                AssignedPlace::Between(_, low, high) => {
                    let mut within = Vec::new();
                    for place in found {
                        if self.is_between(state, object, place.slot, (low, high))? {
                            within.push(place);
                        }
                    }
                    found = within;
                }
            }
            for place in found {
                if !changing.iter().any(|known| known.object == place.object && known.slot == place.slot) {
                    changing.push(place);
                }
            }
        }
        Ok(Some(changing))
    }

    /// Asks for the class of an object that may be assigned, and refuses those whose contents are not followed.
    fn check_assignable(&mut self, state: &State, object: ObjId) -> Result<(), Stop> {
        let class = state.heap.class(object);
        if class.possible().is_some_and(|possible| !possible.known.is_empty()) {
            let parts = self.program.split_fully(class);
            return Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }));
        }
        if !class.is_users() && !class.is_array() && !class.is_open() && is_mutable(class) {
            let class = Some(class.java_name());
            return Err(self.unsupported(state, Reason::UnknownCodeReaches { class }));
        }
        Ok(())
    }

    fn is_between(
        &mut self,
        state: &mut State,
        array: ObjId,
        slot: u32,
        (low, high): (Value, Value),
    ) -> Result<bool, Stop> {
        let touched = state.heap.sparse(array).and_then(|sparse| sparse.touched.get(slot as usize));
        let index = touched.map_or(Value::Int(slot as i32), |(index, _)| *index);
        let terms = [low, index, high].map(|value| self.term_of(value, Sort::Int));
        let [Some(low), Some(index), Some(high)] = terms else { return Ok(true) };
        let is_below = self.terms.less(index, low);
        if self.decide(state, is_below)? {
            return Ok(false);
        }
        let is_above = self.terms.less(high, index);
        Ok(!self.decide(state, is_above)?)
    }

    /// The class whose static fields an object holds.
    fn mirrored(&self, state: &State, object: ObjId) -> Option<&'static Class> {
        if state.heap.class(object).id != self.program.known().class.id {
            return None;
        }
        self.program.users().iter().copied().find(|class| state.classes.slot(class.id).mirror == Some(object))
    }

    fn static_places(
        &mut self,
        state: &mut State,
        mirror: ObjId,
        class: &'static Class,
        found: &mut Vec<Changing>,
    ) -> Result<bool, Stop> {
        for field in class.fields.iter().filter(|field| field.is_static() && field.access & access::FINAL == 0) {
            let declared = self.class_of(state, field.descriptor)?;
            if field.kind == Kind::Reference && !self.ready_to_ask(state, declared)? {
                return Ok(false);
            }
            let slot = self.program.slot_of(field);
            let name = format!("{}.{}", self.program.short_name(class), field.name);
            found.push(Changing { object: mirror, slot, name, declared, generic: None });
        }
        Ok(true)
    }

    /// Was an object made by the innermost call by contract? One that came out of it and that nothing knew before can be: it is, from now on.
    pub(crate) fn is_made_by_contract(&mut self, state: &mut State, object: ObjId) -> Option<bool> {
        let call = state.symbols.contract_calls.last()?;
        let (past, number) = (call.past.clone()?, call.performed?);
        if state.symbols.made_by_call(object) == Some(number) {
            return Some(true);
        }
        let name = state.symbols.input(object).map(|input| input.name.clone());
        let Some(name) = name else { return Some(!past.contains(object) && !state.symbols.boxes.contains(&object)) };
        let is_its = |unknown: &crate::symbols::Unknown| {
            unknown.call == Some(number) && unknown.is == Some(Some(object)) && unknown.name == name
        };
        if past.contains(object) || !state.symbols.unknowns.iter().any(is_its) {
            return Some(false);
        }
        let made = crate::unknown_code::HandedObject { object, call: number, is_lazy: false };
        Rc::make_mut(&mut state.symbols.made_by_calls).push(made);
        Some(true)
    }
}

/// `acme.Store.put(int)`
fn told(method: &'static Method) -> String {
    format!("{}.{}", method.class().java_name(), signature(method))
}
