//! How do two paths that meet become one? Each variable becomes an if-then-else gate over the guard of one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lazuli_logic::circuit::Lit;

use crate::exec::executor::{Executor, MethodExit};
use crate::exec::path::{Allocation, EntryLocation, GuardedPath, ObjectBody, SymHeap};
use crate::exec::value::{SymValue, ite};

impl Executor<'_> {
    /// Merges exits of a method.
    pub(crate) fn merge_exits(&mut self, returned: Vec<MethodExit>) -> Option<MethodExit> {
        let mut returned = returned.into_iter();
        let mut all = returned.next()?;
        for mut other in returned {
            self.unify_names(&all.heap, &mut other.heap, std::slice::from_mut(&mut other.value));
            all.value = ite(self.circuit, other.guard, &other.value, &all.value);
            all.heap = self.merge_heaps(other.guard, &other.heap, &all.heap);
            all.guard = self.circuit.or(all.guard, other.guard);
        }
        Some(all)
    }

    /// Merges two paths at the same block. Their guards exclude each other, so the guard of one selects the values.
    pub(crate) fn merge(&mut self, one: GuardedPath, mut other: GuardedPath) -> GuardedPath {
        self.unify_names(&one.heap, &mut other.heap, &mut other.registers);
        let registers = self.merge_all(one.guard, &one.registers, &other.registers);
        let heap = self.merge_heaps(one.guard, &one.heap, &other.heap);
        let guard = self.circuit.or(one.guard, other.guard);
        GuardedPath { guard, registers, heap, ..one }
    }

    /// The same for paths of which only guard and heap are needed.
    pub(crate) fn merge_ends(&mut self, one: GuardedPath, other: GuardedPath) -> GuardedPath {
        let heap = self.merge_heaps(one.guard, &one.heap, &other.heap);
        let guard = self.circuit.or(one.guard, other.guard);
        GuardedPath { guard, heap, ..one }
    }

    /// Merges heaps: the one if the condition holds, the other if not. Equal parts are shared pointers, and cost nothing.
    pub(crate) fn merge_heaps(&mut self, condition: Lit, one: &SymHeap, other: &SymHeap) -> SymHeap {
        let mut heap = one.clone();
        if !Rc::ptr_eq(&one.made, &other.made) {
            let all = Rc::make_mut(&mut heap.made);
            for (number, object) in other.made.iter() {
                match all.get(number) {
                    Some(same) if Rc::ptr_eq(same, object) => {}
                    Some(same) => {
                        let merged = self.merge_objects(condition, &same.clone(), object);
                        all.insert(*number, Rc::new(merged));
                    }
                    // Allocated on one path only, so that the other cannot refer to it.
                    None => {
                        all.insert(*number, object.clone());
                    }
                }
            }
        }
        if !Rc::ptr_eq(&one.written, &other.written) {
            let places: BTreeSet<EntryLocation> = one.written.keys().chain(other.written.keys()).copied().collect();
            let mut all = BTreeMap::new();
            for place in places {
                let mut side = |heap: &SymHeap| match heap.written.get(&place) {
                    Some(value) => value.clone(),
                    // The write has read it before, so that this cannot fail.
                    None => self.at_entry(place).unwrap_or(SymValue::Undefined),
                };
                let (a, b) = (side(one), side(other));
                all.insert(place, ite(self.circuit, condition, &a, &b));
            }
            heap.written = Rc::new(all);
        }
        heap
    }

    fn merge_objects(&mut self, condition: Lit, one: &Allocation, other: &Allocation) -> Allocation {
        let body = match (&one.body, &other.body) {
            (ObjectBody::Fields(a), ObjectBody::Fields(b)) => ObjectBody::Fields(self.merge_all(condition, a, b)),
            (ObjectBody::Elements(a), ObjectBody::Elements(b)) => ObjectBody::Elements(self.merge_all(condition, a, b)),
            (ObjectBody::Set(a), ObjectBody::Set(b)) => ObjectBody::Set(a.merge(self.circuit, condition, b)),
            (ObjectBody::Unordered(a), ObjectBody::Unordered(b)) => ObjectBody::Unordered(a.merge(b)),
            (ObjectBody::List(a), ObjectBody::List(b)) => ObjectBody::List(a.merge(self.circuit, condition, b)),
            _ => unreachable!("an object keeps its form"),
        };
        Allocation { class: one.class, body }
    }

    pub(crate) fn merge_all(&mut self, condition: Lit, one: &[SymValue], other: &[SymValue]) -> Vec<SymValue> {
        one.iter().zip(other).map(|(a, b)| ite(self.circuit, condition, a, b)).collect()
    }
}
