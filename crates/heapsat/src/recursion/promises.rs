//! How is a recursive method executed over all inputs, if its depth depends on the input?
//!
//! A call of such a method returns a promise: its result and the heap that it leaves are fresh variables. Promises are fulfilled one after the other,
//! in the order in which they were given: the method is executed, and the variables are asserted to equal its results. So all calls of one
//! depth are known before any deeper one is executed, and those that no valid input reaches, which for a balanced tree are nearly all, are never
//! executed.
//!
//! A loop after such a call waits until all promises are fulfilled: before, the heap may be cyclic as far as the solver knows, and the loop endless.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::Method;
use lazuli_vm::value::Kind;

use crate::Refusal;
use crate::exec::executor::{Executor, MethodExit};
use crate::exec::path::{Allocation, GuardedPath, ObjectBody, SymHeap};
use crate::exec::value::{Pointee, PointsTo, SymValue, guard_of};
use crate::recursion::passed_widths::PassedNumber;
use crate::recursion::per_object::Occurrence;

/// A method, or the rest of one, that must still be executed.
pub(crate) struct PendingExecution {
    pub(crate) path: GuardedPath,
    pub(crate) output: ResultUse,
    /// How many executions had to run before this one could be asked for.
    pub(crate) depth: usize,
    /// Which call it is, if it is for one object.
    pub(crate) occurrence: Option<Occurrence>,
}

/// The use of the result of an execution.
#[derive(Clone)]
pub(crate) enum ResultUse {
    /// It must be true.
    Required,
    /// It was promised to callers.
    Promised(Rc<Promise>),
}

pub(crate) struct Promise {
    pub(crate) method: &'static Method,
    pub(crate) value: SymValue,
    /// The objects that the caller knows, as they are afterwards.
    pub(crate) made: Vec<(u32, Rc<Allocation>)>,
    /// The numbers that are returned as they are.
    pub(crate) constants: RefCell<BTreeSet<i64>>,
}

impl Executor<'_> {
    /// Calls a method that is executed later, and returns the promised value.
    pub(crate) fn promise_call(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: Vec<SymValue>,
    ) -> Result<SymValue, Refusal> {
        if self.is_caught(path) {
            return Err(self.unsupported("a recursive call in a try block"));
        }
        // The order of an iteration over a set is not known to an execution that runs later.
        if self.iterates_unordered(path) {
            return Err(Refusal::Unordered);
        }
        if let Some(subject) = self.subject(path, method, &arguments)? {
            self.record_loop_subject(path, &arguments[subject]);
            let inner = self.enter(path.guard, method, arguments, path.heap.clone())?;
            let value = self.execute_per_object(inner, subject, None)?;
            if value.is_none() {
                path.guard = Lit::FALSE;
            }
            return Ok(value.unwrap_or(SymValue::Undefined));
        }
        let inner = self.enter(path.guard, method, arguments, path.heap.clone())?;
        let known = reachable(&inner.registers, &path.heap);
        if let Some((at, promise)) = self.mergeable_promise(method, path.guard, &known)? {
            let other = self.recursion.agenda.pending.remove(at).expect("it is pending");
            let both = self.merge(inner, other.path);
            self.recursion.agenda.pending.insert(at, PendingExecution { path: both, ..other });
            return self.use_promise(path, method, &promise);
        }
        let promise = self.new_promise(path, method, known)?;
        self.schedule(inner, ResultUse::Promised(promise.clone()));
        self.recursion.agenda.given.push(promise.clone());
        self.use_promise(path, method, &promise)
    }

    /// Must a call be deferred? It must if the method has loops, and promises were given that may decide how these end. A call with a list, a call in a
    /// try block, and a call that may return an object of its own cannot be deferred.
    pub(crate) fn must_defer(&mut self, path: &GuardedPath, method: &'static Method, arguments: &[SymValue]) -> bool {
        let is_list = |number: u32| path.heap.get(number).is_some_and(|made| matches!(made.body, ObjectBody::List(_)));
        self.has_promises()
            && method.result != Kind::Reference
            && !self.is_caught(path)
            && self.call_graph.has_loops(self.program, method)
            && !reachable(arguments, &path.heap).into_iter().any(is_list)
    }

    /// Did the execution that is running give promises?
    pub(crate) fn has_promises(&self) -> bool {
        !self.recursion.is_per_object() && !self.recursion.agenda.given.is_empty()
    }

    /// Calls a method that is executed when all promises are fulfilled, and returns the promised value.
    pub(crate) fn promise_deferred(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: Vec<SymValue>,
    ) -> Result<SymValue, Refusal> {
        if self.iterates_unordered(path) {
            return Err(Refusal::Unordered);
        }
        let inner = self.enter(path.guard, method, arguments, path.heap.clone())?;
        let known = reachable(&inner.registers, &path.heap);
        let promise = self.new_promise(path, method, known)?;
        self.defer(inner, ResultUse::Promised(promise.clone()));
        self.use_promise(path, method, &promise)
    }

    /// Follows a path when all promises are fulfilled.
    pub(crate) fn defer(&mut self, path: GuardedPath, output: ResultUse) {
        let agenda = &mut self.recursion.agenda;
        agenda.deferred.push_back(PendingExecution { path, output, depth: agenda.depth, occurrence: None });
    }

    /// Follows a path after the executions of the depth that is running.
    pub(crate) fn schedule(&mut self, path: GuardedPath, output: ResultUse) {
        let agenda = &mut self.recursion.agenda;
        agenda.pending.push_back(PendingExecution { path, output, depth: agenda.depth + 1, occurrence: None });
    }

    /// Follows the next iteration of a loop later. A modular execution is then not known as a whole, and proves nothing.
    pub(crate) fn interrupt(&mut self, path: GuardedPath, output: &ResultUse) {
        if let Some(log) = self.log_mut() {
            log.interrupted();
        }
        self.schedule(path, output.clone());
    }

    /// Promises the value of a method, and the objects that it reaches as it leaves them.
    fn new_promise(
        &mut self,
        path: &GuardedPath,
        method: &'static Method,
        known: BTreeSet<u32>,
    ) -> Result<Rc<Promise>, Refusal> {
        let value = self.promised_value(method)?;
        let mut made = Vec::new();
        for number in known {
            let Some(before) = path.heap.get(number).cloned() else { continue };
            made.push((number, Rc::new(Allocation { class: before.class, body: self.promised_body(&before.body)? })));
        }
        Ok(Rc::new(Promise { method, value, made, constants: RefCell::default() }))
    }

    /// Finds a promise of the running execution for the same method that is still pending, and whose callers no input combines with this path. One
    /// execution then serves both: the calls in the two branches of an `if` cost one execution instead of two.
    fn mergeable_promise(
        &mut self,
        method: &'static Method,
        guard: Lit,
        known: &BTreeSet<u32>,
    ) -> Result<Option<(usize, Rc<Promise>)>, Refusal> {
        for given in self.recursion.agenda.given.clone() {
            let is_same = given.method.id == method.id && given.made.iter().map(|(number, _)| number).eq(known);
            let is_it = |waiting: &PendingExecution| matches!(&waiting.output, ResultUse::Promised(other) if Rc::ptr_eq(other, &given));
            let pending = &self.recursion.agenda.pending;
            let Some(at) = pending.iter().position(is_it).filter(|_| is_same) else { continue };
            let both = self.circuit.and(pending[at].path.guard, guard);
            if !self.is_feasible(both)? {
                return Ok(Some((at, given)));
            }
        }
        Ok(None)
    }

    /// Goes on with promised objects and the promised value. A method that takes nothing out of sets leaves them at least as large.
    fn use_promise(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        promise: &Promise,
    ) -> Result<SymValue, Refusal> {
        let grows = !self.call_graph.takes_out(self.program, method);
        for (number, after) in &promise.made {
            if let (true, Some(ObjectBody::Set(before)), ObjectBody::Set(after)) =
                (grows, path.heap.get(*number).map(|made| made.body.clone()), &after.body)
            {
                for (target, when) in before.iter() {
                    let stays = self.circuit.implies(when, after.when(target));
                    let stays = self.circuit.implies(path.guard, stays);
                    self.decider.assert(self.circuit, stays);
                }
            }
            Rc::make_mut(&mut path.heap.made).insert(*number, after.clone());
        }
        Ok(promise.value.clone())
    }

    /// Requires from now on that the invariant returns true for this receiver, if there is one, as far as executions down to some depth tell.
    /// Says whether deeper ones were left out.
    pub(crate) fn require(
        &mut self,
        method: &'static Method,
        receiver: &PointsTo,
        deepest: usize,
    ) -> Result<bool, Refusal> {
        let is_recursive = self.call_graph.is_recursive(self.program, method);
        if let Some(per_object) = self.recursion.per_object_mut() {
            per_object.begin_invariant((!is_recursive).then_some(method.id));
        }
        let exists = !guard_of(receiver, Pointee::Null);
        let objects: PointsTo = receiver.iter().filter(|(target, _)| *target != Pointee::Null).copied().collect();
        let path = self.enter(exists, method, vec![SymValue::Ref(objects)], SymHeap::default())?;
        let output = ResultUse::Required;
        self.recursion.agenda.pending.push_back(PendingExecution { path, output, depth: 0, occurrence: None });
        self.run_pending(deepest)
    }

    /// Fulfils promises down to some depth, as far as an input gets there. Says whether something deeper is left.
    ///
    /// Executions run in the order in which they were promised: breadth first. So the solver knows all of one depth before it is asked whether
    /// some input reaches a deeper one. In a balanced tree of 7 nodes it refutes nearly all calls of depth 4, and with them the rest.
    fn run_pending(&mut self, deepest: usize) -> Result<bool, Refusal> {
        let mut is_cut = false;
        // Second calls for an object are executed when all first ones are known: mostly no input makes one.
        let (mut first, mut second) = (Vec::new(), Vec::new());
        loop {
            while let Some(next) = self.recursion.agenda.pending.pop_front() {
                match next.occurrence {
                    Some(occurrence) if occurrence.is_second => {
                        second.push(next);
                        continue;
                    }
                    occurrence => first.extend(occurrence),
                }
                if !(is_cut && next.depth > deepest) {
                    is_cut |= self.run_one(next, deepest)?;
                }
            }
            if let Some(next) = self.recursion.agenda.deferred.pop_front() {
                // Where something deeper is missing, a loop that depends on it would not end.
                if !is_cut {
                    self.recursion.agenda.pending.push_back(next);
                }
                continue;
            }
            if self.log_mut().is_some() {
                let constants = self.returned_constants();
                self.prove_at_most_once(constants)?;
                self.forget_executions();
                self.recursion.take_sets();
                return Ok(is_cut);
            }
            // All calls are known, except for those that second executions may make.
            self.assume_calls_complete();
            if self.failure_values().is_none() {
                self.exclude_results(&first)?;
            }
            let mut is_done = true;
            for next in std::mem::take(&mut second) {
                let Some(occurrence) = next.occurrence else { continue };
                is_cut |= self.run_one(next, deepest)?;
                is_done &= self.recursion.agenda.pending.is_empty();
                self.exclude_results(&[occurrence])?;
            }
            if is_done {
                break;
            }
        }
        let is_once = self.conclude(is_cut, &first)?;
        if !is_cut {
            let complete = self.recursion.agenda.complete;
            self.decider.assert(self.circuit, complete);
        }
        self.forget_executions();
        self.close_insertions(is_once);
        Ok(is_cut)
    }

    /// Fulfils a promise, unless it is too deep. Says whether that is so.
    fn run_one(&mut self, mut next: PendingExecution, deepest: usize) -> Result<bool, Refusal> {
        if next.occurrence.is_none() && !self.is_feasible(next.path.guard)? {
            self.assume_not(next.path.guard);
            return Ok(false);
        }
        if next.depth > deepest {
            return Ok(true);
        }
        self.recursion.agenda.depth = next.depth;
        self.recursion.agenda.given.clear();
        if let Some(per_object) = self.recursion.per_object_mut() {
            per_object.begin_execution(next.occurrence, next.path.method.id);
        }
        self.prune_registers(&mut next.path)?;
        for exit in self.run(next.path, Some(&next.output))? {
            match &next.output {
                ResultUse::Required => self.assert_true(exit)?,
                ResultUse::Promised(promise) => self.fulfil(promise, exit)?,
            }
        }
        Ok(false)
    }

    fn assert_true(&mut self, returned: MethodExit) -> Result<(), Refusal> {
        if let Some(log) = self.log_mut() {
            log.returned(None, returned.guard, &returned.value);
            return Ok(());
        }
        let SymValue::Word(word) = returned.value else {
            return Err(self.unsupported("an invariant without an answer"));
        };
        let is_true = self.circuit.any(word.iter().copied());
        let holds = self.circuit.implies(returned.guard, is_true);
        self.decider.assert(self.circuit, holds);
        Ok(())
    }

    /// Asserts that the promised variables equal the results.
    fn fulfil(&mut self, promise: &Promise, returned: MethodExit) -> Result<(), Refusal> {
        let guard = returned.guard;
        if let SymValue::Word(word) = &returned.value
            && let Some(constant) = self.circuit.word_constant_of(word)
        {
            promise.constants.borrow_mut().insert(constant);
        }
        let by = self.recursion.running();
        if let Some(log) = self.log_mut() {
            log.returned(by, guard, &returned.value);
            return Ok(());
        }
        let is_constant = |word: &Word| self.circuit.word_constant_of(word).is_some();
        // Where numbers are havocked, only the failure values among the results matter.
        let matters = matches!(&returned.value, SymValue::Word(word) if is_constant(word));
        if matters || !self.arithmetic.havocs() || self.failure_values().is_none() {
            self.equate(guard, &promise.value, &returned.value)?;
        }
        for (number, after) in &promise.made {
            let Some(is) = returned.heap.get(*number).cloned() else { continue };
            match (&after.body, &is.body) {
                (ObjectBody::Elements(promised), ObjectBody::Elements(is))
                | (ObjectBody::Fields(promised), ObjectBody::Fields(is)) => {
                    for (promised, is) in promised.iter().zip(is) {
                        self.equate(guard, promised, is)?;
                    }
                }
                (ObjectBody::Set(promised), ObjectBody::Set(is)) => {
                    for (target, when) in promised.iter() {
                        self.equal(guard, when, is.when(target));
                    }
                }
                (ObjectBody::Unordered(_), ObjectBody::Unordered(_)) => {}
                _ => return Err(self.unsupported("a list that a recursive method changes")),
            }
        }
        Ok(())
    }

    pub(crate) fn equate(&mut self, guard: Lit, promised: &SymValue, is: &SymValue) -> Result<(), Refusal> {
        match (promised, is) {
            (SymValue::Word(promised), SymValue::Word(is)) => {
                self.require_saturated(is)?;
                for (promised, is) in promised.iter().zip(is.iter()) {
                    self.equal(guard, *promised, *is);
                }
            }
            (SymValue::Ref(promised), SymValue::Ref(is)) => {
                if is.iter().any(|(target, _)| promised.iter().all(|(known, _)| known != target)) {
                    return Err(self.unsupported("a new object from a recursive method"));
                }
                for (target, when) in promised.iter() {
                    self.equal(guard, *when, guard_of(is, *target));
                }
            }
            (SymValue::Undefined, _) => {}
            _ => return Err(self.unsupported("a value that is not known")),
        }
        Ok(())
    }

    fn equal(&mut self, guard: Lit, one: Lit, other: Lit) {
        let same = self.circuit.equal(one, other);
        let holds = self.circuit.implies(guard, same);
        if holds != Lit::TRUE {
            self.decider.assert(self.circuit, holds);
        }
    }

    pub(crate) fn promised_value(&mut self, method: &'static Method) -> Result<SymValue, Refusal> {
        match method.result {
            Kind::Void => Ok(SymValue::Undefined),
            Kind::Boolean => Ok(SymValue::truth(self.circuit.input())),
            Kind::Reference => {
                let (_, result) = method.descriptor.split_once(')').unwrap_or_default();
                let declared = self.program.load_descriptor(result);
                let declared = declared.map_err(|error| self.unlinked(error))?;
                let atoms = self.universe.atoms_of(self.program, declared).into_iter().map(Pointee::Atom);
                Ok(SymValue::Ref(self.any_of_targets([Pointee::Null].into_iter().chain(atoms))))
            }
            Kind::Float | Kind::Double => Ok(unknown_word(self.circuit, method.result)),
            kind => {
                let width = if kind == Kind::Long { 64 } else { 32 };
                Ok(SymValue::Word(self.word_of_passed_width(PassedNumber::Returned(method.id.index()), width)))
            }
        }
    }

    /// Exactly one of these.
    pub(crate) fn any_of_targets(&mut self, targets: impl Iterator<Item = Pointee>) -> PointsTo {
        let refs: Vec<(Pointee, Lit)> = targets.map(|target| (target, self.circuit.input())).collect();
        let lits: Vec<Lit> = refs.iter().map(|(_, when)| *when).collect();
        let one = self.circuit.exactly_one(&lits);
        self.decider.assert(self.circuit, one);
        refs.into()
    }

    /// Fresh variables for the content of an object after a call.
    fn promised_body(&mut self, before: &ObjectBody) -> Result<ObjectBody, Refusal> {
        let any = |executor: &mut Self, before: &SymValue| match before {
            SymValue::Undefined => Ok(SymValue::Undefined),
            SymValue::Word(word) if word.len() == 64 => Ok(unknown_word(executor.circuit, Kind::Long)),
            SymValue::Word(_) => Ok(unknown_word(executor.circuit, Kind::Int)),
            SymValue::Ref(_) => {
                let atoms = (0..executor.universe.atoms.len() as u32).map(Pointee::Atom);
                Ok(SymValue::Ref(executor.any_of_targets([Pointee::Null].into_iter().chain(atoms))))
            }
        };
        match before {
            ObjectBody::Fields(values) => {
                values.iter().map(|value| any(self, value)).collect::<Result<_, _>>().map(ObjectBody::Fields)
            }
            ObjectBody::Elements(values) => {
                values.iter().map(|value| any(self, value)).collect::<Result<_, _>>().map(ObjectBody::Elements)
            }
            ObjectBody::Set(members) => {
                let atoms = (0..self.universe.atoms.len() as u32).map(Pointee::Atom);
                let targets: BTreeSet<Pointee> =
                    atoms.chain([Pointee::Null]).chain(members.iter().map(|(target, _)| target)).collect();
                Ok(ObjectBody::Set(targets.into_iter().map(|target| (target, self.circuit.input())).collect()))
            }
            ObjectBody::Unordered(events) => Ok(ObjectBody::Unordered(*events)),
            ObjectBody::List(_) => Err(self.unsupported("a list that is handed to a recursive method")),
        }
    }
}

pub(crate) fn unknown_word(circuit: &mut Circuit, kind: Kind) -> SymValue {
    let width = if matches!(kind, Kind::Long | Kind::Double) { 64 } else { 32 };
    SymValue::Word(circuit.word_input(width))
}

/// The allocated objects that these values lead to.
pub(crate) fn reachable(values: &[SymValue], heap: &SymHeap) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<SymValue> = values.to_vec();
    while let Some(value) = waiting.pop() {
        let SymValue::Ref(refs) = value else { continue };
        for (target, _) in refs.iter() {
            let Pointee::Allocated(number) = target else { continue };
            if found.insert(*number)
                && let Some(made) = heap.get(*number)
                && let ObjectBody::Fields(inner) | ObjectBody::Elements(inner) = &made.body
            {
                waiting.extend(inner.iter().cloned());
            }
        }
    }
    found
}
