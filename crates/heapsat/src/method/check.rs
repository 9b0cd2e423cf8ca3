//! Which inputs violate the contract? Executes preconditions, old values, the method, and its postconditions.

use std::collections::BTreeMap;

use lazuli_logic::circuit::Lit;
use lazuli_logic::sat::SatVerdict;
use lazuli_spec::Argument;
use lazuli_vm::program::{Class, Method};

use crate::Refusal;
use crate::exec::executor::{Executor, MethodExit};
use crate::exec::path::{GuardedPath, SymHeap};
use crate::exec::value::{Pointee, SymValue};
use crate::method::circuit::{ViolatedProperty, ViolationGoal};
use crate::method::problem::{MethodCondition, Problem};

/// The result of a translation.
pub(crate) struct Conclusion {
    pub(crate) goals: Vec<ViolationGoal>,
    pub(crate) has_input: bool,
    pub(crate) made: usize,
    /// The arguments of the method.
    pub(crate) given: Vec<SymValue>,
}

/// When a condition is true, and when it is false or throws.
pub(crate) struct Truth {
    pub(crate) holds: Lit,
    pub(crate) fails: Lit,
}

impl Executor<'_> {
    /// Executes preconditions and old values, the method, and its postconditions.
    pub(crate) fn check(&mut self, problem: &Problem, given: &[SymValue]) -> Result<Conclusion, Refusal> {
        // 1. Preconditions are asserted: from here on there are only inputs that satisfy them.
        let start = SymHeap::default();
        for condition in &problem.requires {
            let arguments = arguments(condition, given, &SymValue::Undefined, &[]);
            let truth = self.evaluate(Lit::TRUE, condition.method, arguments, &start)?;
            self.decider.assert(self.circuit, truth.holds);
        }
        let has_input = self.is_possible_at_all()?;
        // 2. Old values. They may allocate, and the method begins in the heap that they leave.
        let mut heap = start;
        let mut olds = Vec::new();
        for old in &problem.olds {
            let taken = old.arguments as usize;
            let path = self.enter(Lit::TRUE, old, given[..taken].to_vec(), heap.clone())?;
            let (thrown, returned) = self.run_to_exits(path)?;
            let value = match self.merge_exits(returned) {
                Some(all) => {
                    heap = all.heap;
                    Some((all.guard, all.value.stored_as(old.result)))
                }
                None => None,
            };
            // Where an old value throws there is none; the heap that it leaves is not observable.
            drop(thrown);
            olds.push(value);
        }
        // Unreachable collections would only make later merges larger.
        heap = heap.without_collections(olds.iter().flatten().map(|(_, value)| value.clone()).collect());
        let mut given = given.to_vec();
        if problem.method.name == "<init>" {
            let class = problem.method.class();
            let made = self.new_object(class)?;
            let path = &mut self.enter(Lit::TRUE, problem.method, Vec::new(), heap.clone())?;
            given.insert(0, self.allocate(path, class, made));
            heap = std::mem::take(&mut path.heap);
        }
        // 3. The method, under its unrolling bound.
        let first_fresh = self.allocations.next();
        if let Some(state) = self.mode.method_mut() {
            state.begin_method(problem.unroll, first_fresh);
        }
        // Where an old value is truncated, nothing can be said.
        let truncated = self.mode.method().into_iter().flat_map(|state| state.truncations());
        let unknown: Vec<Lit> = truncated.map(|truncation| truncation.when).collect();
        let unknown = self.circuit.any(unknown);
        let path = self.enter(!unknown, problem.method, given.clone(), heap)?;
        let (thrown, returned) = self.run_to_exits(path)?;
        let made = (self.allocations.next() - first_fresh) as usize;
        let returned = self.merge_exits(returned);
        if let Some(state) = self.mode.method_mut() {
            state.end_method();
        }
        // 4. Postconditions after a return, on one merged exit.
        let mut goals = Vec::new();
        if let Some(end) = returned {
            let end = MethodExit { value: end.value.stored_as(problem.method.result), ..end };
            self.check_postconditions(
                &problem.returns,
                &given,
                (&end, end.guard),
                &olds,
                ViolatedProperty::Returns,
                &mut goals,
            )?;
        }
        // 5. Exceptions: those that are not allowed are violations, one for each class and site.
        let mut by_site: BTreeMap<ViolatedProperty, Vec<Lit>> = BTreeMap::new();
        let (mut allowed, mut all_thrown) = (Vec::new(), Vec::new());
        for end in thrown {
            let SymValue::Ref(refs) = end.value.clone() else { continue };
            for (target, when) in refs.iter() {
                for (class, which) in self.classes_in(&end.heap, *target)? {
                    let when = self.circuit.all([end.guard, *when, which]);
                    if (problem.is_allowed)(class) {
                        allowed.push(when);
                    } else {
                        by_site
                            .entry(ViolatedProperty::Threw(class.java_name(), self.site_of(*target)))
                            .or_default()
                            .push(when);
                    }
                }
            }
            all_thrown.push(end);
        }
        for (what, when) in by_site {
            goals.push(ViolationGoal { what, when: self.circuit.any(when) });
        }
        // 6. Postconditions after an allowed exception.
        let guard = self.circuit.any(allowed);
        if let (Some(end), true) = (self.merge_exits(all_thrown), guard != Lit::FALSE) {
            self.check_postconditions(
                &problem.throws,
                &given,
                (&end, guard),
                &olds,
                ViolatedProperty::Throws,
                &mut goals,
            )?;
        }
        goals.retain(|goal| goal.when != Lit::FALSE);
        Ok(Conclusion { goals, has_input, made, given: given.to_vec() })
    }

    /// Executes postconditions at an exit. A condition that was true at entry still is if nothing was written.
    fn check_postconditions(
        &mut self,
        conditions: &[MethodCondition],
        given: &[SymValue],
        (end, guard): (&MethodExit, Lit),
        olds: &[Option<(Lit, SymValue)>],
        fault: fn(usize) -> ViolatedProperty,
        goals: &mut Vec<ViolationGoal>,
    ) -> Result<(), Refusal> {
        for (at, condition) in conditions.iter().enumerate() {
            if condition.was_true && end.heap.written.is_empty() {
                continue;
            }
            let arguments = arguments(condition, given, &end.value, olds);
            let truth = self.evaluate_postcondition(guard, condition.method, arguments, &end.heap)?;
            goals.push(ViolationGoal { what: fault(at), when: truth.fails });
        }
        Ok(())
    }

    /// Executes a condition on a heap.
    pub(crate) fn evaluate(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<SymValue>,
        heap: &SymHeap,
    ) -> Result<Truth, Refusal> {
        let path = self.enter(guard, method, arguments, heap.clone())?;
        let (thrown, returned) = self.run_to_exits(path)?;
        let (mut holds, mut fails) = (Vec::new(), Vec::new());
        for end in returned {
            let SymValue::Word(word) = &end.value else { return Err(self.unsupported("a condition without a value")) };
            holds.push(self.circuit.and(end.guard, word[0]));
            fails.push(self.circuit.and(end.guard, !word[0]));
        }
        fails.extend(thrown.iter().map(|end| end.guard));
        Ok(Truth { holds: self.circuit.any(holds), fails: self.circuit.any(fails) })
    }

    /// Follows a method to its exits: with exceptions, and without.
    pub(crate) fn run_to_exits(&mut self, path: GuardedPath) -> Result<(Vec<MethodExit>, Vec<MethodExit>), Refusal> {
        if let Some(state) = self.mode.method_mut() {
            state.push_frame(path.method);
        }
        let ends = self.run(path, None);
        if let Some(state) = self.mode.method_mut() {
            state.pop_frame();
        }
        Ok(ends?.into_iter().partition(|end| end.is_thrown))
    }

    fn is_possible_at_all(&mut self) -> Result<bool, Refusal> {
        match self.decider.solve(self.circuit, &[], self.budget.limits()) {
            SatVerdict::Sat => Ok(true),
            SatVerdict::Unsat => Ok(false),
            SatVerdict::Unknown => Err(Refusal::OutOfTime),
        }
    }

    /// The classes that an exception may have, each with its guard.
    fn classes_in(&mut self, heap: &SymHeap, target: Pointee) -> Result<Vec<(&'static Class, Lit)>, Refusal> {
        let class = match target {
            Pointee::Allocated(number) => heap.get(number).map(|made| made.class),
            Pointee::Atom(atom) => return Ok(self.universe.exact_parts(self.circuit, self.program, atom)),
            Pointee::Concrete(object) => Some(self.concrete_class(object)),
            _ => None,
        };
        let class = class.ok_or_else(|| self.unsupported("an exception of which nothing is known"))?;
        Ok(vec![(class, Lit::TRUE)])
    }

    /// Where an exception was allocated: violations are distinguished by it.
    fn site_of(&self, target: Pointee) -> String {
        match target {
            Pointee::Allocated(number) => self.allocations.site(number),
            _ => String::new(),
        }
    }
}

fn arguments(
    condition: &MethodCondition,
    given: &[SymValue],
    outcome: &SymValue,
    olds: &[Option<(Lit, SymValue)>],
) -> Vec<SymValue> {
    let one = |argument: &Argument| match argument {
        Argument::Given(at) => given[*at].clone(),
        Argument::Outcome => outcome.clone(),
        Argument::Old(at) => olds[*at].as_ref().map_or(SymValue::Undefined, |(_, value)| value.clone()),
        Argument::HasOld(at) => SymValue::truth(olds[*at].as_ref().map_or(Lit::FALSE, |(when, _)| *when)),
    };
    condition.arguments.iter().map(one).collect()
}
