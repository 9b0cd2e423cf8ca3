//! Which new objects can share a name?
//!
//! Two paths that meet exclude each other. So an object that one of them allocated and an object of the same class that the other allocated never
//! exist together, and one name does for both: points-to sets after the merge are half as large. A method that calls itself in two places, and
//! allocates an object in the end, would otherwise have as many names for it as there are paths through its calls.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use lazuli_logic::circuit::Lit;

use crate::exec::executor::Executor;
use crate::exec::path::{Allocation, ObjectBody, SymHeap};
use crate::exec::value::{Pointee, PointsTo, SymValue};
use crate::method::state::Running;

/// Old names and their new ones.
struct Renaming {
    names: BTreeMap<u32, u32>,
    /// Renamed references, by their addresses: those that are the same pointer stay so.
    done: HashMap<*const (Pointee, Lit), (PointsTo, PointsTo)>,
}

impl Executor<'_> {
    /// Renames new objects of a path, in its heap and in these values, to those of the path with which it is about to merge.
    pub(crate) fn unify_names(&self, one: &SymHeap, other: &mut SymHeap, values: &mut [SymValue]) {
        let is_in_method = self.mode.method().is_some_and(|method| method.running() == Running::Method);
        if Rc::ptr_eq(&one.made, &other.made) || !is_in_method {
            return;
        }
        let mut renaming = Renaming { names: self.common_names(one, other), done: HashMap::new() };
        if renaming.names.is_empty() {
            return;
        }
        values.iter_mut().for_each(|value| renaming.rename(value));
        let mut made = BTreeMap::new();
        for (number, object) in other.made.iter() {
            let ObjectBody::Fields(mut fields) = object.body.clone() else {
                made.insert(*number, object.clone());
                continue;
            };
            fields.iter_mut().for_each(|value| renaming.rename(value));
            let number = renaming.names.get(number).unwrap_or(number);
            let is_same = matches!(&object.body, ObjectBody::Fields(before) if *before == fields);
            let renamed = Allocation { class: object.class, body: ObjectBody::Fields(fields) };
            made.insert(*number, if is_same { object.clone() } else { Rc::new(renamed) });
        }
        other.made = Rc::new(made);
        let mut written = (*other.written).clone();
        written.values_mut().for_each(|value| renaming.rename(value));
        if written != *other.written {
            other.written = Rc::new(written);
        }
    }

    /// Pairs each object that only the other path allocated with one that only this path allocated.
    fn common_names(&self, one: &SymHeap, other: &SymHeap) -> BTreeMap<u32, u32> {
        // Collections know objects by name. Those that have not changed since the paths parted have no object that was allocated since.
        let is_old =
            |number: &u32, made: &Rc<Allocation>| one.made.get(number).is_some_and(|same| Rc::ptr_eq(same, made));
        if other.made.iter().any(|(number, made)| !matches!(made.body, ObjectBody::Fields(_)) && !is_old(number, made))
        {
            return BTreeMap::new();
        }
        let throwable = self.program.known().throwable;
        let mut free: Vec<(u32, &Allocation)> = Vec::new();
        for (number, made) in one.made.iter().filter(|(number, _)| !other.made.contains_key(number)) {
            // Exceptions are distinguished by where they were allocated.
            if matches!(made.body, ObjectBody::Fields(_)) && !made.class.is_subtype_of(throwable) {
                free.push((*number, made));
            }
        }
        let mut names = BTreeMap::new();
        for (number, made) in other.made.iter().filter(|(number, _)| !one.made.contains_key(number)) {
            if let Some(at) = free.iter().position(|(_, candidate)| candidate.class.id == made.class.id) {
                names.insert(*number, free.remove(at).0);
            }
        }
        names
    }
}

impl Renaming {
    fn rename(&mut self, value: &mut SymValue) {
        let SymValue::Ref(refs) = value else { return };
        let is_renamed = |(target, _): &(Pointee, Lit)| matches!(target, Pointee::Allocated(number) if self.names.contains_key(number));
        if !refs.iter().any(is_renamed) {
            return;
        }
        if let Some((_, known)) = self.done.get(&refs.as_ptr()) {
            *value = SymValue::Ref(known.clone());
            return;
        }
        let new_name = |target: Pointee| match target {
            Pointee::Allocated(number) => Pointee::Allocated(self.names.get(&number).copied().unwrap_or(number)),
            other => other,
        };
        let mut renamed: Vec<(Pointee, Lit)> = refs.iter().map(|(target, when)| (new_name(*target), *when)).collect();
        renamed.sort_by_key(|(target, _)| *target);
        let renamed: PointsTo = renamed.into();
        self.done.insert(refs.as_ptr(), (refs.clone(), renamed.clone()));
        *value = SymValue::Ref(renamed);
    }
}
