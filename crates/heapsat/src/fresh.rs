//! Which new objects can share a name?
//!
//! Two ways that meet exclude each other. So an object that one of them made and an object of the same class that the other made are never there together,
//! and one name does for both: what follows has to look at half as many objects. A method that calls itself in two places, and makes an object in the end, would
//! otherwise have as many names for it as there are ways down.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use lazuli_logic::circuit::Lit;

use super::meaning::{Meaning, Refs, Target};
use super::translate::Translator;
use super::way::{Body, Heap, Made};

/// Names that are replaced, and what by.
struct Renaming {
    names: BTreeMap<u32, u32>,
    /// What became of references, by their places in memory: those that are known to be the same stay so.
    done: HashMap<*const (Target, Lit), (Refs, Refs)>,
}

impl Translator<'_> {
    /// Gives new objects of a way the names of those that another way made which it is about to meet: in its heap, and in these values.
    pub fn share_names(&self, one: &Heap, other: &mut Heap, values: &mut [Meaning]) {
        let is_in_method = self.whole.as_ref().is_some_and(|whole| !whole.is_contract);
        if Rc::ptr_eq(&one.made, &other.made) || !is_in_method {
            return;
        }
        let mut renaming = Renaming { names: self.shared_names(one, other), done: HashMap::new() };
        if renaming.names.is_empty() {
            return;
        }
        values.iter_mut().for_each(|value| renaming.rename(value));
        let mut made = BTreeMap::new();
        for (number, object) in other.made.iter() {
            let Body::Fields(mut fields) = object.body.clone() else {
                made.insert(*number, object.clone());
                continue;
            };
            fields.iter_mut().for_each(|value| renaming.rename(value));
            let number = renaming.names.get(number).unwrap_or(number);
            let is_same = matches!(&object.body, Body::Fields(before) if *before == fields);
            let renamed = Made { class: object.class, body: Body::Fields(fields) };
            made.insert(*number, if is_same { object.clone() } else { Rc::new(renamed) });
        }
        other.made = Rc::new(made);
        let mut written = (*other.written).clone();
        written.values_mut().for_each(|value| renaming.rename(value));
        if written != *other.written {
            other.written = Rc::new(written);
        }
    }

    /// The names of objects that only the other way made, each with one that only this way made.
    fn shared_names(&self, one: &Heap, other: &Heap) -> BTreeMap<u32, u32> {
        // What is in collections is known by name elsewhere, too. Those that are as they were before the ways parted have nothing of what was made since.
        let is_old = |number: &u32, made: &Rc<Made>| one.made.get(number).is_some_and(|same| Rc::ptr_eq(same, made));
        if other.made.iter().any(|(number, made)| !matches!(made.body, Body::Fields(_)) && !is_old(number, made)) {
            return BTreeMap::new();
        }
        let throwable = self.program.known().throwable;
        let mut free: Vec<(u32, &Made)> = Vec::new();
        for (number, made) in one.made.iter().filter(|(number, _)| !other.made.contains_key(number)) {
            // Exceptions are told apart by where they were made.
            if matches!(made.body, Body::Fields(_)) && !made.class.is_subtype_of(throwable) {
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
    fn rename(&mut self, value: &mut Meaning) {
        let Meaning::Ref(refs) = value else { return };
        let is_renamed =
            |(target, _): &(Target, Lit)| matches!(target, Target::Made(number) if self.names.contains_key(number));
        if !refs.iter().any(is_renamed) {
            return;
        }
        if let Some((_, known)) = self.done.get(&refs.as_ptr()) {
            *value = Meaning::Ref(known.clone());
            return;
        }
        let new_name = |target: Target| match target {
            Target::Made(number) => Target::Made(self.names.get(&number).copied().unwrap_or(number)),
            other => other,
        };
        let mut renamed: Vec<(Target, Lit)> = refs.iter().map(|(target, when)| (new_name(*target), *when)).collect();
        renamed.sort_by_key(|(target, _)| *target);
        let renamed: Refs = renamed.into();
        self.done.insert(refs.as_ptr(), (refs.clone(), renamed.clone()));
        *value = Meaning::Ref(renamed);
    }
}
