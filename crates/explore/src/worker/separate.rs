//! Can two objects that calls made ever have to do with each other?
//!
//! Without this, no search by calls would come to an end: there is always one more object to make. Let a state consist of parts that share no
//! object, and let no object that the code around has be of a type that some call takes or some field holds. Then each call has to do with
//! one part alone, which is its receiver's, until there is an object that can be passed. If static fields are as they were at first, calls on
//! different parts can change places: each part is made as well without the others, and they are made when they are needed, by as many calls.
//! So the state stands for its parts, each of which is a state of its own.
//!
//! Example: two doors, of which one is open. No method takes a door. Whatever happens to the open one happens also if the other is not there.

use std::collections::HashSet;
use std::rc::Rc;

use lazuli_vm::value::ObjId;

use crate::path::Path;
use crate::worker::Worker;
use crate::worker::deeds::references;
use crate::worker::sequence::{sequence_mut, sequence_of};

impl Worker<'_> {
    /// The states for which a state stands. After a statement that has to do with none of the parts that were there, they are known already, and
    /// so is the new one.
    pub(super) fn separate(&self, path: Path, is_unrelated: bool) -> Vec<Path> {
        let parts = self.parts(&path);
        match parts.len() {
            0 | 1 => vec![path],
            _ if is_unrelated => Vec::new(),
            _ => parts.iter().map(|part| only(&path, part)).collect(),
        }
    }

    /// The objects that the code around has, by the parts of the heap that they reach. One part if the parts can have to do with each other.
    fn parts(&self, path: &Path) -> Vec<Vec<ObjId>> {
        let Some(workshop) = &self.workshop else { return Vec::new() };
        let held = &sequence_of(path).held;
        let is_passable = |object: &ObjId| {
            let class = path.heap.class(*object);
            class.is_open() || workshop.is_passable(class)
        };
        let has_statics = path.symbols.roots.iter().any(|root| root.holder.is_some());
        if held.len() < 2
            || has_statics
            || held.iter().any(is_passable)
            || !path.heap.changed_since(&self.start.heap).is_empty()
        {
            return Vec::new();
        }
        let mut parts: Vec<(Vec<ObjId>, HashSet<ObjId>)> = Vec::new();
        for object in held.iter() {
            let reached = self.reached_from(path, *object);
            let (touched, others): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(_, known)| known.iter().any(|known| reached.contains(known)));
            let mut part = (vec![*object], reached);
            for (objects, known) in touched {
                part.0.extend(objects);
                part.1.extend(known);
            }
            parts = others;
            parts.push(part);
        }
        parts.into_iter().map(|(objects, _)| objects).collect()
    }

    /// The objects that were made and that an object leads to.
    fn reached_from(&self, path: &Path, object: ObjId) -> HashSet<ObjId> {
        let mut seen = HashSet::new();
        let mut waiting = vec![object];
        while let Some(object) = waiting.pop() {
            if !self.start.heap.contains(object) && seen.insert(object) {
                waiting.extend(references(path, object));
            }
        }
        seen
    }
}

/// The same state for a code around that has only these objects.
fn only(path: &Path, part: &[ObjId]) -> Path {
    let mut path = path.fork();
    let sequence = sequence_mut(&mut path);
    let is_kept: Vec<bool> = sequence.held.iter().map(|object| part.contains(object)).collect();
    for call in Rc::make_mut(&mut sequence.calls).iter_mut() {
        call.held_before = is_kept[..call.held_before].iter().filter(|is_kept| **is_kept).count();
    }
    Rc::make_mut(&mut sequence.held).retain(|object| part.contains(object));
    path
}
