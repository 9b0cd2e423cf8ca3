//! Is a recursive postcondition kept at an exit of a method?
//!
//! Executed call by call, an invariant of a tree has as many parts as there are paths from the root: twice as many for each level more. But it
//! visits each object once, or says that something is wrong. So, as in `per_object`, a recursive method is executed once for each object: its
//! other arguments are variables, which equal the caller's arguments.
//!
//! There the invariant is assumed to be true. Here the question is whether it can be false, so the encoding must be sound in the other
//! direction: an input on which two calls execution the same object counts as a violation, whatever the condition returns. Consider an execution
//! in which a second call for an object returns any value at once. It terminates, even if the real one does not, it has at most one execution
//! for each object, and it satisfies all that is asserted here. If the real execution visits no object twice, both are the same. So if no input
//! violates this encoding, the postcondition holds. An input that violates it is run; if it turns out to be harmless, the postcondition is
//! executed call by call (`PostEncoding::InPlace`).

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Class, Method};
use lazuli_vm::value::Kind;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::{GuardedPath, ObjectBody, SymHeap};
use crate::exec::value::{Pointee, SymValue, any_of};
use crate::method::check::Truth;
use crate::method::state::{MethodState, PostEncoding};
use crate::recursion::Strategy;
use crate::recursion::per_object::parameter_types;
use crate::recursion::promises::reachable;

/// A postcondition that is being executed per object.
pub(crate) struct PostPerObject {
    /// The heap at the exit.
    heap: SymHeap,
    executions: BTreeMap<PostKey, PostExecution>,
    /// Executions that were asked for, and did not run yet.
    waiting: VecDeque<PostKey>,
    /// When an execution throws.
    thrown: Vec<Lit>,
    /// Is the postcondition itself being executed, and not a recursive method?
    pub(super) is_outermost: bool,
}

/// The method, and the object for which it is called.
type PostKey = (u32, Pointee);

/// The execution of a method for an object.
struct PostExecution {
    path: GuardedPath,
    value: SymValue,
    /// There is at most one call. Then the arguments and the value of the execution are those of the call.
    is_once: Lit,
    /// There is a call, and there are two, as far as calls are known.
    any: Lit,
    two: Lit,
}

impl Executor<'_> {
    /// When a postcondition is true, and when it is false, throws, or visits an object twice.
    pub(crate) fn evaluate_postcondition(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<SymValue>,
        heap: &SymHeap,
    ) -> Result<Truth, Refusal> {
        let is_in_place = self.mode.method().is_none_or(|state| state.posts() == PostEncoding::InPlace);
        let below = self.call_graph.below(self.program, method);
        let leads_apart = below.into_iter().any(|callee| self.call_graph.is_recursive(self.program, callee));
        if is_in_place || !leads_apart || self.call_graph.is_recursive(self.program, method) {
            return self.evaluate(guard, method, arguments, heap);
        }
        let (nesting, mark) = (self.context.nesting(), self.mode.method().map(MethodState::mark));
        self.recursion.strategy = Strategy::Postcondition(PostPerObject {
            heap: heap.clone(),
            executions: BTreeMap::new(),
            waiting: VecDeque::new(),
            thrown: Vec::new(),
            is_outermost: true,
        });
        let truth = self.execute_postcondition(guard, method, arguments.clone(), heap);
        let strategy = std::mem::replace(&mut self.recursion.strategy, Strategy::InPlace);
        match (truth, strategy) {
            (Ok(truth), Strategy::Postcondition(post)) => {
                self.close_insertions(true);
                Ok(self.close_calls(post, truth))
            }
            (Err(Refusal::Unsupported(..)), _) => {
                // Abandons the attempt, and executes call by call. Assertions about its variables stay, and harm nothing: some values of
                // these variables always satisfy them.
                self.context.abandon(nesting);
                self.recursion.take_sets();
                if let (Some(state), Some(mark)) = (self.mode.method_mut(), mark) {
                    state.abandon(mark);
                }
                self.evaluate(guard, method, arguments, heap)
            }
            (Err(other), _) => Err(other),
            (Ok(truth), _) => Ok(truth),
        }
    }

    /// Executes the postcondition, and then its recursive methods, each once for each object for which it is called.
    fn execute_postcondition(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<SymValue>,
        heap: &SymHeap,
    ) -> Result<Truth, Refusal> {
        let truth = self.evaluate(guard, method, arguments, heap)?;
        self.post().is_outermost = false;
        while let Some(key) = self.post().waiting.pop_front() {
            let execution = &self.post().executions[&key];
            let (path, value) = (execution.path.clone(), execution.value.clone());
            let (thrown, returned) = self.run_to_exits(path)?;
            for exit in returned {
                self.require_unwritten(&exit.heap)?;
                self.equate(exit.guard, &value, &exit.value)?;
            }
            self.post().thrown.extend(thrown.iter().map(|exit| exit.guard));
        }
        match self.has_possible_members() {
            true => Ok(truth),
            false => Err(self.unsupported("a set of objects that a condition made")),
        }
    }

    /// Closes the world: there are no calls but those that are known. A second call for an object counts as a violation.
    fn close_calls(&mut self, post: PostPerObject, truth: Truth) -> Truth {
        let mut broken = post.thrown;
        for execution in post.executions.values() {
            let is_called = self.circuit.implies(execution.path.guard, execution.any);
            self.decider.assert(self.circuit, is_called);
            let is_once = self.circuit.equal(execution.is_once, !execution.two);
            self.decider.assert(self.circuit, is_once);
            broken.push(execution.two);
        }
        let broken = self.circuit.any(broken);
        Truth { holds: self.circuit.and(truth.holds, !broken), fails: self.circuit.or(truth.fails, broken) }
    }

    /// Is a call of this method executed object by object?
    pub(crate) fn is_per_object_call(&mut self, method: &'static Method) -> bool {
        self.recursion.is_postcondition() && self.call_graph.is_recursive(self.program, method)
    }

    /// The objects that the method has allocated, if a postcondition is being executed.
    pub(crate) fn allocated_before_post(&self) -> Vec<Pointee> {
        let post = self.recursion.postcondition();
        post.map_or(Vec::new(), |post| post.heap.made.keys().map(|number| Pointee::Allocated(*number)).collect())
    }

    /// Calls a method that is executed once for each object, and returns its value. None if no input returns.
    pub(crate) fn call_per_object(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: Vec<SymValue>,
    ) -> Result<Option<SymValue>, Refusal> {
        if self.is_caught(path) {
            return Err(self.unsupported("a recursive call in a try block"));
        }
        if self.iterates_unordered(path) {
            return Err(self.unsupported("a recursive call while the objects of a set are gone through"));
        }
        self.require_unwritten(&path.heap)?;
        self.require_shared_sets(&arguments, &path.heap)?;
        let Some((subject, SymValue::Ref(refs))) = self.subject_of(method).map(|at| (at, arguments[at].clone())) else {
            return Err(self.unsupported("a recursive method that is not about an object"));
        };
        // Each pointee on its own: objects share an execution, null and the like are executed in place. If a call in place may throw, the guard
        // shrinks to the pointees for which the call returns.
        let mut parts = Vec::new();
        let (mut goes_on, mut is_all) = (Vec::new(), true);
        for (target, when) in refs.iter() {
            let here = self.circuit.and(path.guard, *when);
            if here == Lit::FALSE {
                continue;
            }
            let mut arguments = arguments.clone();
            arguments[subject] = SymValue::one(*target);
            let value = match target {
                Pointee::Atom(_) | Pointee::Allocated(_) | Pointee::Concrete(_) => {
                    let inner = self.enter(here, method, arguments, path.heap.clone())?;
                    goes_on.push(here);
                    self.call_in_postcondition((method.id.index(), *target), subject, inner)?
                }
                Pointee::Null | Pointee::Mirror(_) | Pointee::Unknown => {
                    let mut one = GuardedPath { guard: here, ..path.clone() };
                    let is_outermost = std::mem::replace(&mut self.post().is_outermost, false);
                    let value = self.call(&mut one, method, arguments)?;
                    self.post().is_outermost = is_outermost;
                    self.require_unwritten(&one.heap)?;
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
            path.guard = self.circuit.any(goes_on);
        }
        match &parts[..] {
            [] => Ok(None),
            _ if path.guard == Lit::FALSE => Ok(None),
            _ if method.result == Kind::Void => Ok(Some(SymValue::Undefined)),
            parts => any_of(self.circuit, parts).map(Some).ok_or_else(|| self.unsupported("values of different kinds")),
        }
    }

    /// Calls a method for one object.
    fn call_in_postcondition(&mut self, key: PostKey, subject: usize, call: GuardedPath) -> Result<SymValue, Refusal> {
        let execution = match self.post().executions.remove(&key) {
            Some(execution) => execution,
            None => {
                self.post().waiting.push_back(key);
                self.new_execution(subject, &call)?
            }
        };
        let here = call.guard;
        let is_executed = self.circuit.implies(here, execution.path.guard);
        self.decider.assert(self.circuit, is_executed);
        let is_it = self.circuit.and(here, execution.is_once);
        for (variable, value) in execution.path.registers.iter().zip(&call.registers) {
            if *value != SymValue::Undefined {
                self.equate(is_it, variable, value)?;
            }
        }
        let value = match call.method.result {
            Kind::Void => SymValue::Undefined,
            _ => {
                let anything = self.promised_value(call.method)?;
                crate::exec::value::ite(self.circuit, execution.is_once, &execution.value, &anything)
            }
        };
        let again = self.circuit.and(execution.any, here);
        let (any, two) = (self.circuit.or(execution.any, here), self.circuit.or(execution.two, again));
        self.post().executions.insert(key, PostExecution { any, two, ..execution });
        Ok(value)
    }

    /// An execution for one object, in which all else are variables, except for sets.
    fn new_execution(&mut self, subject: usize, like: &GuardedPath) -> Result<PostExecution, Refusal> {
        let types = parameter_types(self.program, like.method);
        let mut registers = Vec::with_capacity(like.registers.len());
        for (at, value) in like.registers.iter().enumerate() {
            registers.push(match value {
                SymValue::Ref(refs) if at == subject || self.is_set(refs, &like.heap) => value.clone(),
                SymValue::Ref(_) => {
                    let declared = types.get(at).copied().flatten();
                    let declared = declared.ok_or_else(|| self.unsupported("an argument of an unknown type"))?;
                    let targets = self.targets_of(declared);
                    SymValue::Ref(self.any_of_targets(targets.into_iter()))
                }
                SymValue::Word(word) => SymValue::Word(self.circuit.word_input(word.len())),
                SymValue::Undefined => SymValue::Undefined,
            });
        }
        let (guard, is_once) = (self.circuit.input(), self.circuit.input());
        let value = self.promised_value(like.method)?;
        let path = GuardedPath { guard, registers, ..like.clone() };
        Ok(PostExecution { path, value, is_once, any: Lit::FALSE, two: Lit::FALSE })
    }

    /// The pointees of a reference of this type in the heap at the exit.
    fn targets_of(&mut self, declared: &'static Class) -> Vec<Pointee> {
        let atoms = self.universe.atoms_of(self.program, declared).into_iter().map(Pointee::Atom);
        let mut targets: Vec<Pointee> = [Pointee::Null].into_iter().chain(atoms).collect();
        let made = self.post().heap.made.clone();
        let fits = made.iter().filter(|(_, made)| made.class.is_subtype_of(declared));
        targets.extend(fits.map(|(number, _)| Pointee::Allocated(*number)));
        targets
    }

    /// Refuses writes: executions come in any order, so they may write nothing but sets.
    fn require_unwritten(&mut self, heap: &SymHeap) -> Result<(), Refusal> {
        let before = &self.post().heap;
        let is_same = |(number, made): (&u32, &Rc<crate::exec::path::Allocation>)| {
            heap.get(*number).is_some_and(|now| Rc::ptr_eq(now, made) || now.body == made.body)
        };
        let require_unwritten = before.made.iter().all(is_same)
            && (Rc::ptr_eq(&before.written, &heap.written) || before.written == heap.written);
        match require_unwritten {
            true => Ok(()),
            false => Err(self.unsupported("a recursive condition that writes")),
        }
    }

    /// Refuses arguments that share objects of the postcondition itself, except for sets.
    fn require_shared_sets(&mut self, arguments: &[SymValue], heap: &SymHeap) -> Result<(), Refusal> {
        let before = self.post().heap.made.clone();
        let is_known = |number: u32| before.contains_key(&number);
        let is_set = |number: u32| heap.get(number).is_some_and(|made| matches!(made.body, ObjectBody::Unordered(_)));
        match reachable(arguments, heap).into_iter().all(|number| is_known(number) || is_set(number)) {
            true => Ok(()),
            false => Err(self.unsupported("something else than a set that is handed on from object to object")),
        }
    }

    fn is_set(&self, refs: &[(Pointee, Lit)], heap: &SymHeap) -> bool {
        let set = |target: Pointee| match target {
            Pointee::Allocated(number) => {
                heap.get(number).is_some_and(|made| matches!(made.body, ObjectBody::Unordered(_)))
            }
            _ => false,
        };
        matches!(refs, [(target, _)] if set(*target))
    }

    fn post(&mut self) -> &mut PostPerObject {
        match &mut self.recursion.strategy {
            Strategy::Postcondition(post) => post,
            _ => unreachable!("only calls of a postcondition are executed per object"),
        }
    }
}
