//! In which order does execution follow the paths of a method, and where do they end?
//!
//! Where a branch depends on the input, both sides are followed, each under its guard, and where paths meet, they are merged. A call is
//! executed in place, a loop is unrolled as long as the solver finds an input that iterates once more. Recursive calls of invariants go
//! another way: see `recursion`.

use std::collections::BTreeMap;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::Method;

use crate::Refusal;
use crate::exec::exceptions::is_covered;
use crate::exec::executor::{Executor, MethodExit, Successor};
use crate::exec::feasibility::{Refinement, refine};
use crate::exec::path::GuardedPath;
use crate::exec::value::SymValue;
use crate::library::reach::is_bounded_iteration;
use crate::recursion::promises::ResultUse;

/// Iterations of a loop of an invariant, besides two for each atom.
const MOST_ITERATIONS: usize = 64;

/// Calls in place that nest deeper than this are not worth a circuit.
const DEEPEST: usize = 60;

impl Executor<'_> {
    /// Executes a method in place. Leaves in the path the heap and the guard with which it returns.
    pub(crate) fn call(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: Vec<SymValue>,
    ) -> Result<SymValue, Refusal> {
        let (is_covered, iterates_unordered) = (is_covered(path), self.iterates_unordered(path));
        self.context.enter_site(is_covered, iterates_unordered);
        let mut inner = self.enter(path.guard, method, arguments, path.heap.clone())?;
        let before = self.context.thrown_count();
        let value = self.call_in_place(&mut inner)?;
        self.context.leave_site(is_covered, iterates_unordered);
        for (thrown, _) in self.context.thrown_since(before) {
            // An exception that leaves the callee is thrown by the call instruction: its path has the caller's registers.
            let (guard, heap) = (thrown.guard, std::mem::take(&mut thrown.heap));
            *thrown = GuardedPath { guard, heap, ..path.clone() };
        }
        (path.guard, path.heap) = (inner.guard, inner.heap);
        Ok(value.unwrap_or(SymValue::Undefined))
    }

    /// Follows a path to the end of its method, and returns the value; none if no input returns.
    pub(crate) fn call_in_place(&mut self, path: &mut GuardedPath) -> Result<Option<SymValue>, Refusal> {
        let Some(caller) = self.context.begin_call(DEEPEST) else { return Err(Refusal::TooLarge) };
        let truncations = self.truncation_count();
        let exits = self.run(path.clone(), None);
        self.context.end_call(caller);
        let (thrown, returned): (Vec<MethodExit>, Vec<MethodExit>) =
            exits?.into_iter().partition(|exit| exit.is_thrown);
        // Where every input that calls also returns, the guard stays as it is: a merged one would be an equal, but larger, formula.
        let is_total = thrown.is_empty() && self.truncation_count() == truncations;
        if let Some(MethodExit { guard, value: SymValue::Ref(refs), heap, .. }) = self.merge_exits(thrown) {
            self.context.throw(GuardedPath { guard, heap, ..path.clone() }, refs);
        }
        let Some(all) = self.merge_exits(returned) else {
            path.guard = Lit::FALSE;
            return Ok(None);
        };
        if !is_total {
            path.guard = all.guard;
        }
        path.heap = all.heap;
        Ok(Some(all.value.stored_as(path.method.result)))
    }

    fn truncation_count(&self) -> usize {
        self.mode.method().map_or(0, |method| method.truncations().len())
    }

    /// Follows a path to the exits of its method. With an output, a loop that needs the results of pending executions goes on as a pending
    /// execution of its own, whose results have the same output.
    ///
    /// Invariant: `waiting` has at most one path for each visit of a block, and visits are executed in the weak topological order of their
    /// labels. So all paths into a block are merged before it is executed, and each iteration of a loop is complete before the next begins:
    /// for `while (a) { if (b) x(); else y(); }` the block after the `if` is executed once per iteration, not once per path.
    pub(crate) fn run(&mut self, first: GuardedPath, output: Option<&ResultUse>) -> Result<Vec<MethodExit>, Refusal> {
        let mut exits = Vec::new();
        let mut tail_calls: BTreeMap<u32, (GuardedPath, Vec<SymValue>, &'static Method)> = BTreeMap::new();
        // Paths that begin the next iteration of a loop which is executed per object, by the loop's head.
        let mut per_object: BTreeMap<u32, GuardedPath> = BTreeMap::new();
        let mut waiting: BTreeMap<Vec<u32>, GuardedPath> = BTreeMap::new();
        waiting.insert(first.visit.name().to_vec(), first);
        while let Some((_, path)) = waiting.pop_first() {
            self.check_budget()?;
            for successor in self.block(path)? {
                let (mut path, target) = match successor {
                    Successor::Return(path, value) => {
                        exits.push(MethodExit { guard: path.guard, value, heap: path.heap, is_thrown: false });
                        continue;
                    }
                    Successor::Throw(path, value) => {
                        exits.push(MethodExit { guard: path.guard, value, heap: path.heap, is_thrown: true });
                        continue;
                    }
                    Successor::TailCall(path, method, arguments) => {
                        // All tail calls of one method become one.
                        let all = match tail_calls.remove(&method.id.index()) {
                            Some((other, others, _)) => {
                                let arguments = self.merge_all(path.guard, &arguments, &others);
                                (self.merge_ends(path, other), arguments, method)
                            }
                            None => (path, arguments, method),
                        };
                        tail_calls.insert(method.id.index(), all);
                        continue;
                    }
                    Successor::Jump(path, target) => (path, target),
                };
                if path.guard == Lit::FALSE {
                    continue;
                }
                let is_back = path.jump(target).ok_or_else(|| self.unsupported("a jump into the middle of a block"))?;
                // A loop with recursive calls: its next iteration needs results that are only promised.
                let waits = is_back && self.call_graph.waits(self.program, path.method, &path.order, path.block);
                if waits && self.iterates_per_object(&path) {
                    let path = match per_object.remove(&path.block) {
                        Some(other) => self.merge(path, other),
                        None => path,
                    };
                    per_object.insert(path.block, path);
                    continue;
                }
                if let (true, Some(output)) = (waits, output) {
                    self.interrupt(path, output);
                    continue;
                }
                if let (true, Some(output)) = (is_back && self.has_promises(), output) {
                    self.defer(path, output.clone());
                    continue;
                }
                if is_back && !self.unroll(&mut path, target)? {
                    continue;
                }
                let name = path.visit.name().to_vec();
                let path = match waiting.remove(&name) {
                    Some(other) => self.merge(path, other),
                    None => path,
                };
                waiting.insert(name, path);
            }
        }
        for path in per_object.into_values() {
            exits.extend(self.execute_next_iteration(path)?);
        }
        for (mut path, arguments, method) in tail_calls.into_values() {
            if let Some(output) = output {
                let path = self.enter(path.guard, method, arguments, path.heap)?;
                self.schedule(path, output.clone());
            } else {
                let value = self.promise_call(&mut path, method, arguments)?;
                exits.push(MethodExit { guard: path.guard, value, heap: path.heap, is_thrown: false });
            }
        }
        Ok(exits)
    }

    /// Does a loop iterate once more? Asks the solver, and prunes the registers of the next iteration.
    fn unroll(&mut self, path: &mut GuardedPath, head: u32) -> Result<bool, Refusal> {
        if self.mode.is_method() {
            // An iteration over a list of candidates ends by itself. An invariant asks all the same: infeasible iterations make the rest of it smaller.
            if is_bounded_iteration(path, head) {
                return Ok(true);
            }
            if !self.is_feasible(path.guard)? || self.truncates_loop(path) {
                return Ok(false);
            }
        } else {
            // A loop may be endless as long as the result of a recursive method that would exclude cyclic heaps is only promised.
            if path.visit.iterations() > MOST_ITERATIONS + 2 * self.universe.atoms.len() {
                return Err(Refusal::TooLarge);
            }
            if !self.is_feasible(path.guard)? {
                return Ok(false);
            }
        }
        self.prune_registers(path)?;
        Ok(true)
    }

    /// Executes the instructions of the block where a path is.
    fn block(&mut self, mut path: GuardedPath) -> Result<Vec<Successor>, Refusal> {
        let code = path.code;
        let (start, end) = (path.order.starts[path.block as usize], path.order.end(path.block, code));
        let mut out = Vec::new();
        for pc in start..end {
            self.context.move_to((path.method, pc));
            path.pc = pc;
            let executed = self.execute(code, pc, &mut path, &mut out);
            let goes_on = self.truncate_unsupported(&path, executed)?.unwrap_or(false);
            if self.context.has_thrown() {
                self.catch_pending(&mut out)?;
            }
            if !goes_on || path.guard == Lit::FALSE {
                return Ok(out);
            }
        }
        out.push(Successor::Jump(path, end));
        Ok(out)
    }

    /// Follows both sides of a branch, each with its refinement of a reference.
    pub(crate) fn split(&mut self, path: &GuardedPath, sides: [(u32, Lit, Refinement); 2], out: &mut Vec<Successor>) {
        for (target, condition, refinement) in sides {
            let mut side = path.clone();
            side.guard = self.circuit.and(path.guard, condition);
            if side.guard == Lit::FALSE {
                continue;
            }
            if let Some((was, left)) = refinement {
                refine(&mut side, &was, left);
            }
            out.push(Successor::Jump(side, target));
        }
    }
}
