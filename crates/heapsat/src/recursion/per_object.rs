//! How is a recursive method executed once for each object, in whichever order the calls come?
//!
//! An invariant that walks over a structure comes to each object once, or says that something is wrong. So a recursive method is executed once
//! for each atom, for all callers together: its other arguments are variables, which equal the caller's arguments under the caller's guard.
//! A second call for the same atom gets an execution of its own, in which most invariants return false; the result of a third call is
//! havocked. So the circuit has as many parts as there are atoms, instead of as many as there are paths that reach them.
//!
//! It over-approximates: no valid input is excluded, and the interpreter refuses an input that only the circuit takes for valid.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Class, Method, MethodId, Program, descriptor};
use lazuli_vm::value::Kind;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::{GuardedPath, ObjectBody, SymHeap};
use crate::exec::value::{Pointee, SymValue, any_of};
use crate::recursion::at_most_once::{EntryPoint, ExecutionLog, FailureValues};
use crate::recursion::loop_iterations::LoopSubjects;
use crate::recursion::passed_widths::{PassedNumber, PassedWidths};
use crate::recursion::promises::{PendingExecution, Promise, ResultUse, reachable};

/// The time for a question whose answer only makes later questions easier.
const BRIEFLY: Duration = Duration::from_millis(200);

/// How often may a method be called for the same object, if the input is valid?
pub(crate) enum Multiplicity {
    /// To be proved: each execution stands alone, its callees return anything, and the log has its calls, returns and insertions.
    Modular(ExecutionLog),
    /// Not known.
    Unknown,
    /// At most once; with the values that executions never return in a valid input, if these are known.
    AtMostOnce(Option<FailureValues>),
}

/// The state of executions per object.
pub(crate) struct PerObject {
    multiplicity: Multiplicity,
    /// The executions of the invariant that is being translated, and the calls of each.
    pub(super) calls: BTreeMap<ExecutionKey, ObjectCalls>,
    pub(super) loop_subjects: LoopSubjects,
    /// The call that is being executed, if it is for one object.
    pub(super) occurrence: Option<Occurrence>,
    /// The invariant, unless it calls itself.
    invariant: Option<MethodId>,
    /// Is the invariant itself being executed?
    pub(super) is_outermost: bool,
    /// Did each invariant so far call each method at most once for each object?
    is_once: bool,
    /// Bit widths of the numbers that executions pass on, if these are known.
    pub(super) widths: Option<PassedWidths>,
    /// Is it worth a little time to bound the results of methods?
    pub(super) bounds_results: bool,
}

impl PerObject {
    pub(crate) fn new(multiplicity: Multiplicity, widths: Option<PassedWidths>, bounds_results: bool) -> PerObject {
        PerObject {
            multiplicity,
            calls: BTreeMap::new(),
            loop_subjects: LoopSubjects::new(),
            occurrence: None,
            invariant: None,
            is_outermost: false,
            is_once: true,
            widths,
            bounds_results,
        }
    }

    pub(super) fn begin_invariant(&mut self, invariant: Option<MethodId>) {
        self.invariant = invariant;
    }

    pub(super) fn begin_execution(&mut self, occurrence: Option<Occurrence>, method: MethodId) {
        (self.occurrence, self.is_outermost) = (occurrence, self.invariant == Some(method));
    }

    pub(super) fn is_known_once(&self) -> bool {
        matches!(self.multiplicity, Multiplicity::AtMostOnce(_))
    }

    pub(super) fn set_multiplicity(&mut self, multiplicity: Multiplicity) {
        self.multiplicity = multiplicity;
    }

    /// The log, if executions are looked at one by one.
    pub(crate) fn log_mut(&mut self) -> Option<&mut ExecutionLog> {
        match &mut self.multiplicity {
            Multiplicity::Modular(log) => Some(log),
            Multiplicity::Unknown | Multiplicity::AtMostOnce(_) => None,
        }
    }

    /// The findings: whether each object is visited at most once, bit widths, and failure values.
    pub(crate) fn into_findings(self) -> (bool, Option<PassedWidths>, Option<FailureValues>) {
        let failures = match self.multiplicity {
            Multiplicity::Modular(log) => log.into_failures(),
            Multiplicity::Unknown | Multiplicity::AtMostOnce(_) => None,
        };
        (self.is_once, self.widths, failures)
    }
}

/// Identifies an execution: a method, from its beginning or from the head of a loop on, for an atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ExecutionKey {
    pub(super) method: u32,
    pub(super) head: Option<u32>,
    pub(super) atom: u32,
}

impl ExecutionKey {
    pub(super) fn entry_point(&self) -> EntryPoint {
        (self.method, self.head)
    }
}

/// The first or the second call of a method for an object.
#[derive(Clone, Copy)]
pub(crate) struct Occurrence {
    pub(super) key: ExecutionKey,
    pub(super) is_second: bool,
}

/// The calls of one method for one object, and the executions of the first two.
pub(super) struct ObjectCalls {
    /// There is a call.
    any: Lit,
    /// There are two.
    two: Lit,
    pub(super) first: Option<Execution>,
    second: Option<Execution>,
}

impl Default for ObjectCalls {
    fn default() -> ObjectCalls {
        ObjectCalls { any: Lit::FALSE, two: Lit::FALSE, first: None, second: None }
    }
}

/// One execution, for all its callers.
#[derive(Clone)]
pub(super) struct Execution {
    /// True if it is needed.
    pub(super) guard: Lit,
    pub(super) arguments: Rc<[SymValue]>,
    pub(super) promise: Rc<Promise>,
}

/// The declared types of the receiver and the parameters of a method, as far as they can be loaded.
pub(crate) fn parameter_types(program: &Program, method: &'static Method) -> Vec<Option<&'static Class>> {
    let receiver = (!method.is_static()).then(|| Some(method.class()));
    let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
    receiver.into_iter().chain(types.iter().map(|declared| program.load_descriptor(declared).ok())).collect()
}

impl Executor<'_> {
    /// The log of modular executions, if they are.
    pub(super) fn log_mut(&mut self) -> Option<&mut ExecutionLog> {
        self.recursion.per_object_mut().and_then(PerObject::log_mut)
    }

    /// The values that executions never return in a valid input, if these are known.
    pub(super) fn failure_values(&self) -> Option<&FailureValues> {
        match &self.recursion.per_object()?.multiplicity {
            Multiplicity::AtMostOnce(failures) => failures.as_ref(),
            Multiplicity::Modular(_) | Multiplicity::Unknown => None,
        }
    }

    fn is_known_once(&self) -> bool {
        self.recursion.per_object().is_some_and(PerObject::is_known_once)
    }

    pub(super) fn forget_executions(&mut self) {
        if let Some(per_object) = self.recursion.per_object_mut() {
            per_object.calls.clear();
        }
    }

    /// The argument by whose objects calls of the method are executed: the first that may refer to objects of the input. None if calls are not
    /// executed per object.
    pub(super) fn subject(
        &self,
        path: &GuardedPath,
        method: &'static Method,
        arguments: &[SymValue],
    ) -> Result<Option<usize>, Refusal> {
        if !self.recursion.is_per_object() {
            return Ok(None);
        }
        self.require_only_sets(arguments, &path.heap)?;
        let subject = self.subject_of(method);
        subject.filter(|at| is_input(&arguments[*at])).map_or_else(
            || Err(self.unsupported("a recursive method that is not about an object of the input")),
            |subject| Ok(Some(subject)),
        )
    }

    /// The first argument of a method that may refer to objects of the input.
    pub(super) fn subject_of(&self, method: &'static Method) -> Option<usize> {
        let may_refer =
            |class: &'static Class| class.is_users() && !self.universe.atoms_of(self.program, class).is_empty();
        parameter_types(self.program, method).into_iter().position(|class| class.is_some_and(may_refer))
    }

    /// Executions come in any order, so they may share nothing but sets, and these may be read only when all executions are known.
    pub(super) fn require_only_sets(&self, values: &[SymValue], heap: &SymHeap) -> Result<(), Refusal> {
        let is_set = |number: u32| {
            heap.get(number).is_some_and(|made| matches!(made.body, ObjectBody::Unordered(set) if !set.is_read))
        };
        if reachable(values, heap).into_iter().all(is_set) {
            return Ok(());
        }
        Err(self.unsupported("something else than a set that is handed on from object to object"))
    }

    /// Executes a method from its beginning, or from the head of a loop on, for whichever object the subject is, and returns its value. None if
    /// no input gets there.
    pub(super) fn execute_per_object(
        &mut self,
        path: GuardedPath,
        subject: usize,
        head: Option<u32>,
    ) -> Result<Option<SymValue>, Refusal> {
        let SymValue::Ref(refs) = path.registers[subject].clone() else { unreachable!("a subject is a reference") };
        let is_second = self.recursion.occurrence().is_some_and(|occurrence| occurrence.is_second);
        if is_second && !self.is_feasible_when_complete(path.guard)? {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            let mut here = path.clone();
            here.guard = self.circuit.and(path.guard, *when);
            if here.guard == Lit::FALSE {
                continue;
            }
            here.registers[subject] = SymValue::one(*target);
            let value = match target {
                Pointee::Atom(atom) => Some(self.call_for_atom(*atom, (subject, head), here)?),
                // Null: the recursion ends here, and its base case is executed in place.
                _ => self.call_in_place(&mut here)?,
            };
            parts.extend(value.map(|value| (*when, value)));
        }
        match &parts[..] {
            [] => Ok(None),
            _ if path.method.result == Kind::Void => Ok(Some(SymValue::Undefined)),
            parts => any_of(self.circuit, parts).map(Some).ok_or_else(|| self.unsupported("values of different kinds")),
        }
    }

    /// Connects a call for one atom with the execution that serves it, and returns the promised value.
    ///
    /// Let `any` and `two` say whether earlier calls have this atom once, or twice. The guard of a call splits into three cases: it is the first
    /// (`!any`), the second (`any && !two`), or a later one (`two`). In the first two cases the arguments of the shared execution are the
    /// arguments of this call; in the third the result is havocked. Where `at_most_once` has proved that valid inputs call once, only
    /// the first case is left, and another call is assumed away.
    fn call_for_atom(
        &mut self,
        atom: u32,
        (subject, head): (usize, Option<u32>),
        path: GuardedPath,
    ) -> Result<SymValue, Refusal> {
        let (here, method) = (path.guard, path.method);
        let key = ExecutionKey { method: method.id.index(), head, atom };
        let mut calls = self.per_object_state().calls.remove(&key).unwrap_or_default();
        if self.log_mut().is_some() {
            // A modular execution: the arguments stay free, so that its proof holds wherever it is called.
            let execution = match calls.first.take() {
                Some(known) => known,
                None => self.schedule_execution(&path, subject, Occurrence { key, is_second: false })?,
            };
            let (by, value) = (self.recursion.running(), execution.promise.value.clone());
            if let Some(log) = self.log_mut() {
                log.call(by, key, here, &value);
            }
            calls.first = Some(execution);
            self.per_object_state().calls.insert(key, calls);
            return Ok(value);
        }
        let (any, two) = (calls.any, calls.two);
        let again = self.circuit.and(here, any);
        let (is_first, is_second, is_late) = if self.is_known_once() {
            self.assume_not(again);
            (here, Lit::FALSE, Lit::FALSE)
        } else {
            (self.circuit.and(here, !any), self.circuit.and(again, !two), self.circuit.and(again, two))
        };
        let mut parts = Vec::new();
        let first = (is_first, &mut calls.first, Occurrence { key, is_second: false });
        let second = (is_second, &mut calls.second, Occurrence { key, is_second: true });
        for (is_it, execution, occurrence) in [first, second] {
            if is_it == Lit::FALSE {
                continue;
            }
            let known = match execution.clone() {
                Some(known) => known,
                None => self.schedule_execution(&path, subject, occurrence)?,
            };
            let needs = self.circuit.implies(is_it, known.guard);
            self.decider.assert(self.circuit, needs);
            for (variable, value) in known.arguments.iter().zip(&path.registers) {
                // Where results are havocked, so are the numbers among the arguments.
                let is_number = matches!(value, SymValue::Word(_));
                let matters = !is_number || !self.arithmetic.havocs() || self.failure_values().is_none();
                if *value != SymValue::Undefined && matters {
                    self.equate(is_it, variable, value)?;
                }
            }
            parts.push((is_it, known.promise.value.clone()));
            *execution = Some(known);
        }
        if is_late != Lit::FALSE {
            parts.push((is_late, self.promised_value(method)?));
        }
        (calls.any, calls.two) = (self.circuit.or(any, here), self.circuit.or(two, again));
        self.per_object_state().calls.insert(key, calls);
        match &parts[..] {
            [(_, only)] => Ok(only.clone()),
            _ if method.result == Kind::Void => Ok(SymValue::Undefined),
            _ => any_of(self.circuit, &parts).ok_or_else(|| self.unsupported("values of different kinds")),
        }
    }

    /// Promises an execution for one object. All its other registers are variables, except for sets, which all executions share.
    fn schedule_execution(
        &mut self,
        like: &GuardedPath,
        subject: usize,
        occurrence: Occurrence,
    ) -> Result<Execution, Refusal> {
        let mut variables = Vec::with_capacity(like.registers.len());
        let types = parameter_types(self.program, like.method);
        for (at, value) in like.registers.iter().enumerate() {
            variables.push(match value {
                SymValue::Ref(refs) if at == subject || matches!(refs[..], [(Pointee::Allocated(_), _)]) => {
                    value.clone()
                }
                SymValue::Ref(refs) => {
                    let atoms = match types.get(at) {
                        Some(Some(declared)) => self.universe.atoms_of(self.program, declared),
                        _ => self.universe.like(refs),
                    };
                    let atoms = atoms.into_iter().map(Pointee::Atom);
                    SymValue::Ref(self.any_of_targets([Pointee::Null].into_iter().chain(atoms)))
                }
                SymValue::Word(word) => {
                    let number = PassedNumber::Local(occurrence.key.method, occurrence.key.head, at);
                    SymValue::Word(self.word_of_passed_width(number, word.len()))
                }
                SymValue::Undefined => SymValue::Undefined,
            });
        }
        // In a valid input no execution returns a failure value, so the promise excludes them from the start.
        let guard = self.circuit.input();
        let value = self.promised_value(like.method)?;
        let promise = Rc::new(Promise {
            method: like.method,
            value: value.clone(),
            made: Vec::new(),
            constants: RefCell::default(),
        });
        let failures = self.failure_values().and_then(|failures| failures.get(&occurrence.key.entry_point())).cloned();
        if let Some(failures) = failures {
            let failures = failures.into_iter().filter(|failure| self.is_representable(*failure)).collect();
            let fails = self.is_one_of(&value, &failures);
            let fails = self.circuit.and(guard, fails);
            self.assume_not(fails);
        }
        let path = GuardedPath { guard, registers: variables.clone(), ..like.clone() };
        let output = ResultUse::Promised(promise.clone());
        let pending = PendingExecution { path, output, depth: 0, occurrence: Some(occurrence) };
        self.recursion.agenda.pending.push_back(pending);
        Ok(Execution { guard, arguments: variables.into(), promise })
    }

    /// Makes a new assumption literal under which there are no calls but those that are known: then no execution happens without a call. If
    /// a second execution makes further calls, a later literal takes its place.
    pub(super) fn assume_calls_complete(&mut self) {
        self.recursion.agenda.complete = self.circuit.input();
        let calls = self.recursion.per_object().into_iter().flat_map(|per_object| per_object.calls.values());
        let executions: Vec<(Lit, Lit)> = calls
            .flat_map(|calls| [(calls.any, &calls.first), (calls.two, &calls.second)])
            .filter_map(|(needed, execution)| Some((execution.as_ref()?.guard, needed)))
            .collect();
        for (guard, needed) in executions {
            let closed = self.circuit.implies(guard, needed);
            self.assert_when_complete(closed);
        }
    }

    /// Is there an input for which the literal is true, if all calls are known?
    pub(super) fn is_feasible_when_complete(&mut self, literal: Lit) -> Result<bool, Refusal> {
        let now = self.circuit.and(self.recursion.agenda.complete, literal);
        self.is_feasible(now)
    }

    /// Does the solver soon refute the literal, if all calls are known? A hard question is left to the query that needs its answer.
    pub(super) fn is_refuted_within(&mut self, literal: Lit, time: Duration) -> Result<bool, Refusal> {
        let now = self.circuit.and(self.recursion.agenda.complete, literal);
        self.is_infeasible_within(now, time)
    }

    pub(super) fn assert_when_complete(&mut self, literal: Lit) {
        let asserted = self.circuit.implies(self.recursion.agenda.complete, literal);
        self.decider.assert(self.circuit, asserted);
    }

    /// The constants that executions return.
    pub(super) fn returned_constants(&self) -> FailureValues {
        let mut constants = FailureValues::new();
        let calls = self.recursion.per_object().into_iter().flat_map(|per_object| &per_object.calls);
        for (key, calls) in calls {
            let of_part = constants.entry(key.entry_point()).or_default();
            of_part.extend(calls.first.iter().flat_map(|first| first.promise.constants.borrow().clone()));
        }
        constants
    }

    /// Concludes an invariant whose executions are all known: is no object visited twice, and which bits do results need? If executions were
    /// left out, these may call, and insert into sets; then nothing is concluded.
    pub(super) fn conclude(&mut self, is_cut: bool, first: &[Occurrence]) -> Result<bool, Refusal> {
        let is_once = !is_cut && (self.is_known_once() || self.calls_at_most_once()?);
        let (is_known_once, is_saturating) = (self.is_known_once(), self.arithmetic.is_saturating());
        let Some(per_object) = self.recursion.per_object_mut() else { return Ok(is_once) };
        per_object.is_once &= is_once;
        if is_once && per_object.bounds_results {
            let widths = self.bound_results(first)?;
            if is_saturating {
                self.per_object_state().widths = widths;
            }
        }
        let has_widths = self.per_object_state().widths.is_some();
        if is_once && is_known_once && !has_widths && !is_saturating {
            let widths = self.find_passed_widths(first)?;
            self.per_object_state().widths = Some(widths);
        }
        Ok(is_once)
    }

    /// Does no input call a method twice for the same object?
    fn calls_at_most_once(&mut self) -> Result<bool, Refusal> {
        let calls = self.recursion.per_object().into_iter().flat_map(|per_object| per_object.calls.values());
        let twice: Vec<Lit> = calls.map(|calls| calls.two).collect();
        let twice = self.circuit.any(twice);
        Ok(!self.is_feasible_when_complete(twice)?)
    }

    /// Finds constants that no execution returns in a valid input. From the root on, each is excluded because the one before it is: if
    /// the invariant does not return `false`, its callee does not return `-1`, and so on.
    pub(super) fn exclude_results(&mut self, occurrences: &[Occurrence]) -> Result<(), Refusal> {
        for occurrence in occurrences {
            let Some(calls) = self.per_object_state().calls.get(&occurrence.key) else { continue };
            let execution = if occurrence.is_second { &calls.second } else { &calls.first };
            let Some(Execution { guard, promise, .. }) = execution.clone() else { continue };
            let SymValue::Word(value) = &promise.value else { continue };
            for constant in promise.constants.borrow().iter() {
                let constant = self.circuit.word_constant(value.len(), *constant);
                let is_it = self.circuit.word_equal(value, &constant);
                let returns_it = self.circuit.and(guard, is_it);
                if self.is_refuted_within(returns_it, BRIEFLY)? {
                    self.assert_when_complete(!returns_it);
                }
            }
            if occurrence.is_second && self.is_refuted_within(guard, BRIEFLY)? {
                self.assert_when_complete(!guard);
            }
        }
        Ok(())
    }

    /// The state of executions per object, where there are some.
    pub(super) fn per_object_state(&mut self) -> &mut PerObject {
        self.recursion.per_object_mut().expect("only executions per object have occurrences")
    }
}

/// Is the value null, or an object of the input, wherever it is?
pub(crate) fn is_input(value: &SymValue) -> bool {
    let is_input = |(target, _): &(Pointee, Lit)| matches!(target, Pointee::Atom(_) | Pointee::Null);
    matches!(value, SymValue::Ref(refs) if refs.iter().all(is_input))
}
