//! Is a duty kept at an end, if it walks over the heap by calling itself?
//!
//! Executed call by call, an invariant of a tree has as many parts as there are ways to go down from the root: twice as many for each object more. But it comes to each object
//! once, or says that something is wrong. So, as in `by_object`, a recursive method is executed once for each object, whoever calls it: its other
//! arguments are variables, and are what the caller gave.
//!
//! There it is taken for granted that the invariant is true; here the question is whether it can be false, and nothing may be lost. If some execution of the duty comes to an
//! object twice, then the duty is taken for broken, whatever it says. So think of an execution in which a second call for an object returns anything at once: it ends, even if the real one
//! does not, it has at most one execution for each object, and all that is asserted here is true of it. If the real one comes to no object twice, it is the real
//! one. So whoever finds no input for which the duty is taken for broken knows that it is kept. An input that is found is run; if it does not go wrong, the duty is executed call by call.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Class, Method};
use lazuli_vm::value::Kind;

use super::Refusal;
use super::activation::reachable;
use super::by_object::parameter_types;
use super::exceptions::is_covered;
use super::meaning::{Meaning, Target, any_of};
use super::translate::Translator;
use super::way::{Body, Heap, Way};
use super::whole::Truth;

/// A duty that is being executed.
pub struct Duty {
    /// The heap that it is about.
    heap: Heap,
    visits: BTreeMap<Key, Visit>,
    /// What must still be executed.
    waiting: VecDeque<Key>,
    /// When something was thrown on the way.
    thrown: Vec<Lit>,
}

/// The method, and the object that it is called for.
type Key = (u32, Target);

/// The execution of a method for an object.
struct Visit {
    way: Way,
    value: Meaning,
    /// Is there at most one call? Then the arguments and the value of the execution are those of the call.
    is_once: Lit,
    /// Is there a call, are there two, as far as they are known?
    any: Lit,
    two: Lit,
}

impl Translator<'_> {
    /// When a duty is true, and when it is false, throws, or is taken for broken.
    pub fn evaluate_duty(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<Meaning>,
        heap: &Heap,
    ) -> Result<Truth, Refusal> {
        let is_call_by_call = self.whole.as_ref().is_none_or(|whole| whole.is_call_by_call);
        let below = self.recursion.below(self.program, method);
        let leads_apart = below.into_iter().any(|callee| self.recursion.is_recursive(self.program, callee));
        if is_call_by_call || !leads_apart || self.recursion.is_recursive(self.program, method) {
            return self.evaluate(guard, method, arguments, heap);
        }
        let (nested, handlers, rows) = (self.nested, self.handlers, self.rows);
        let lengths = self.whole.as_ref().map(|whole| (whole.calls.len(), whole.cuts.len()));
        let duty = Duty { heap: heap.clone(), visits: BTreeMap::new(), waiting: VecDeque::new(), thrown: Vec::new() };
        let truth = self.begin_duty(duty, guard, method, arguments.clone());
        let duty = self.whole.as_mut().and_then(|whole| whole.duty.take());
        self.by_object = false;
        self.is_outermost = false;
        match (truth, duty) {
            (Ok(truth), Some(duty)) => {
                self.close_events(true);
                Ok(self.close_duty(duty, truth))
            }
            (Err(Refusal::Unsupported(..)), _) => {
                // What was being executed is given up.
                (self.nested, self.handlers, self.rows) = (nested, handlers, rows);
                self.events.clear();
                self.pending.clear();
                if let (Some(whole), Some((calls, cuts))) = (&mut self.whole, lengths) {
                    whole.calls.truncate(calls);
                    whole.cuts.truncate(cuts);
                }
                self.evaluate(guard, method, arguments, heap)
            }
            (Err(other), _) => Err(other),
            (Ok(truth), None) => Ok(truth),
        }
    }

    /// Executes the duty, and then for all objects what it calls for them.
    fn begin_duty(
        &mut self,
        duty: Duty,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<Meaning>,
    ) -> Result<Truth, Refusal> {
        let heap = duty.heap.clone();
        if let Some(whole) = &mut self.whole {
            whole.duty = Some(duty);
        }
        (self.by_object, self.is_outermost) = (true, true);
        let truth = self.evaluate(guard, method, arguments, &heap)?;
        self.is_outermost = false;
        while let Some(key) = self.duty().waiting.pop_front() {
            let visit = &self.duty().visits[&key];
            let (way, value) = (visit.way.clone(), visit.value.clone());
            let (thrown, returned) = self.ends(way)?;
            for end in returned {
                self.is_untouched(&end.heap)?;
                self.equate(end.guard, &value, &end.value)?;
            }
            self.duty().thrown.extend(thrown.iter().map(|end| end.guard));
        }
        match self.has_possible_members() {
            true => Ok(truth),
            false => Err(self.unsupported("a set of objects that a condition made")),
        }
    }

    /// There are no calls but those that are known.
    fn close_duty(&mut self, duty: Duty, truth: Truth) -> Truth {
        let mut broken = duty.thrown;
        for visit in duty.visits.values() {
            let is_called = self.circuit.implies(visit.way.guard, visit.any);
            self.decider.assert(self.circuit, is_called);
            let is_once = self.circuit.equal(visit.is_once, !visit.two);
            self.decider.assert(self.circuit, is_once);
            broken.push(visit.two);
        }
        let broken = self.circuit.any(broken);
        Truth { holds: self.circuit.and(truth.holds, !broken), fails: self.circuit.or(truth.fails, broken) }
    }

    /// Is a call of this method executed object by object?
    pub fn is_by_object(&mut self, method: &'static Method) -> bool {
        let is_duty = self.whole.as_ref().is_some_and(|whole| whole.duty.is_some());
        is_duty && self.recursion.is_recursive(self.program, method)
    }

    /// The objects that the method made, if a duty of it is being executed.
    pub fn made_before_duty(&self) -> Vec<Target> {
        let duty = self.whole.as_ref().and_then(|whole| whole.duty.as_ref());
        duty.map_or(Vec::new(), |duty| duty.heap.made.keys().map(|number| Target::Made(*number)).collect())
    }

    /// Calls a method that is executed for each object: what it returns. None if no input returns.
    pub fn call_by_object(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
    ) -> Result<Option<Meaning>, Refusal> {
        if self.handlers > 0 || is_covered(way) {
            return Err(self.unsupported("a recursive call in a try block"));
        }
        if self.is_unordered(way) {
            return Err(self.unsupported("a recursive call while the objects of a set are gone through"));
        }
        self.is_untouched(&way.heap)?;
        self.shares_only_sets(&arguments, &way.heap)?;
        let Some((subject, Meaning::Ref(refs))) = self.subject_of(method).map(|at| (at, arguments[at].clone())) else {
            return Err(self.unsupported("a recursive method that is not about an object"));
        };
        let mut parts = Vec::new();
        let (mut goes_on, mut is_all) = (Vec::new(), true);
        for (target, when) in refs.iter() {
            let here = self.circuit.and(way.guard, *when);
            if here == Lit::FALSE {
                continue;
            }
            let mut arguments = arguments.clone();
            arguments[subject] = Meaning::one(*target);
            let value = match target {
                Target::Atom(_) | Target::Made(_) | Target::Held(_) => {
                    let inner = self.enter(here, method, arguments, way.heap.clone())?;
                    goes_on.push(here);
                    self.visit_afterwards((method.id.index(), *target), subject, inner)?
                }
                Target::Null | Target::Mirror(_) | Target::Other => {
                    let mut one = Way { guard: here, ..way.clone() };
                    let is_outermost = std::mem::replace(&mut self.is_outermost, false);
                    let value = self.call(&mut one, method, arguments)?;
                    self.is_outermost = is_outermost;
                    self.is_untouched(&one.heap)?;
                    is_all &= one.guard == here;
                    goes_on.push(one.guard);
                    if one.guard == Lit::FALSE {
                        continue;
                    }
                    value
                }
            };
            parts.push((*when, value));
        }
        if !is_all {
            way.guard = self.circuit.any(goes_on);
        }
        match &parts[..] {
            [] => Ok(None),
            _ if way.guard == Lit::FALSE => Ok(None),
            _ if method.result == Kind::Void => Ok(Some(Meaning::Nothing)),
            parts => any_of(self.circuit, parts).map(Some).ok_or_else(|| self.unsupported("values of different kinds")),
        }
    }

    /// Calls a method for one object.
    fn visit_afterwards(&mut self, key: Key, subject: usize, call: Way) -> Result<Meaning, Refusal> {
        let visit = match self.duty().visits.remove(&key) {
            Some(visit) => visit,
            None => {
                self.duty().waiting.push_back(key);
                self.new_visit(subject, &call)?
            }
        };
        let here = call.guard;
        let is_executed = self.circuit.implies(here, visit.way.guard);
        self.decider.assert(self.circuit, is_executed);
        let is_it = self.circuit.and(here, visit.is_once);
        for (variable, value) in visit.way.registers.iter().zip(&call.registers) {
            if *value != Meaning::Nothing {
                self.equate(is_it, variable, value)?;
            }
        }
        let value = match call.method.result {
            Kind::Void => Meaning::Nothing,
            _ => {
                let anything = self.promised_value(call.method)?;
                super::meaning::choose(self.circuit, visit.is_once, &visit.value, &anything)
            }
        };
        let again = self.circuit.and(visit.any, here);
        let (any, two) = (self.circuit.or(visit.any, here), self.circuit.or(visit.two, again));
        self.duty().visits.insert(key, Visit { any, two, ..visit });
        Ok(value)
    }

    /// An execution for one object, in which all else are variables, except for sets.
    fn new_visit(&mut self, subject: usize, like: &Way) -> Result<Visit, Refusal> {
        let types = parameter_types(self.program, like.method);
        let mut registers = Vec::with_capacity(like.registers.len());
        for (at, value) in like.registers.iter().enumerate() {
            registers.push(match value {
                Meaning::Ref(refs) if at == subject || self.is_set(refs, &like.heap) => value.clone(),
                Meaning::Ref(_) => {
                    let declared = types.get(at).copied().flatten();
                    let declared = declared.ok_or_else(|| self.unsupported("an argument of an unknown type"))?;
                    let targets = self.targets_of(declared);
                    Meaning::Ref(self.any_of_targets(targets.into_iter()))
                }
                Meaning::Word(word) => Meaning::Word(self.circuit.word_input(word.len())),
                Meaning::Nothing => Meaning::Nothing,
            });
        }
        let (guard, is_once) = (self.circuit.input(), self.circuit.input());
        let value = self.promised_value(like.method)?;
        let way = Way { guard, registers, ..like.clone() };
        Ok(Visit { way, value, is_once, any: Lit::FALSE, two: Lit::FALSE })
    }

    /// All that a reference of this type may denote in the heap of the duty.
    fn targets_of(&mut self, declared: &'static Class) -> Vec<Target> {
        let atoms = self.universe.atoms_of(self.program, declared).into_iter().map(Target::Atom);
        let mut targets: Vec<Target> = [Target::Null].into_iter().chain(atoms).collect();
        let made = self.duty().heap.made.clone();
        let fits = made.iter().filter(|(_, made)| made.class.is_subtype_of(declared));
        targets.extend(fits.map(|(number, _)| Target::Made(*number)));
        targets
    }

    /// What executions do in any order must not be seen by others: they may write nothing but sets.
    fn is_untouched(&mut self, heap: &Heap) -> Result<(), Refusal> {
        let before = &self.duty().heap;
        let is_same = |(number, made): (&u32, &Rc<super::way::Made>)| {
            heap.get(*number).is_some_and(|now| Rc::ptr_eq(now, made) || now.body == made.body)
        };
        let is_untouched = before.made.iter().all(is_same)
            && (Rc::ptr_eq(&before.written, &heap.written) || before.written == heap.written);
        match is_untouched {
            true => Ok(()),
            false => Err(self.unsupported("a recursive condition that writes")),
        }
    }

    /// Of what the duty made itself, calls may be given sets alone.
    fn shares_only_sets(&mut self, arguments: &[Meaning], heap: &Heap) -> Result<(), Refusal> {
        let before = self.duty().heap.made.clone();
        let is_known = |number: u32| before.contains_key(&number);
        let is_set = |number: u32| heap.get(number).is_some_and(|made| matches!(made.body, Body::Events(_)));
        match reachable(arguments, heap).into_iter().all(|number| is_known(number) || is_set(number)) {
            true => Ok(()),
            false => Err(self.unsupported("something else than a set that is handed on from object to object")),
        }
    }

    fn is_set(&self, refs: &[(Target, Lit)], heap: &Heap) -> bool {
        let set = |target: Target| match target {
            Target::Made(number) => heap.get(number).is_some_and(|made| matches!(made.body, Body::Events(_))),
            _ => false,
        };
        matches!(refs, [(target, _)] if set(*target))
    }

    fn duty(&mut self) -> &mut Duty {
        let duty = self.whole.as_mut().and_then(|whole| whole.duty.as_mut());
        duty.expect("only what is called by a duty is executed object by object")
    }
}
