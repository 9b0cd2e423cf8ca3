//! What may a method do that only says whether its input is right? It may look at everything, but write only to what it made.
//!
//! The thread knows that such a method is at the bottom of its stack. Only instructions that write look at that, and only those that read
//! something for the first time write down what it was.

use std::rc::Rc;

use super::Vm;
use crate::frame::Purpose;
use crate::heap::Heap;
use crate::library::held_by;
use crate::outcome::{End, Stop};
use crate::program::{Class, Field, Method};
use crate::reason::Reason;
use crate::state::{Classes, Initialisation, State};
use crate::symbols::{Entry, Input};
use crate::value::{ObjId, Value};

/// A write of a contract method to something that is not its own. The contract must be changed before anything can be said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContractWrite {
    /// The contract method: `acme.List.repOK()`.
    pub method: String,
    /// The field, element or other place that it writes to.
    pub place: String,
    /// The line of the user's code that writes.
    pub at: String,
}

impl Vm {
    /// Enters an invariant or another contract method. The thread must have no frames.
    pub fn begin_contract(
        &mut self,
        state: &mut State,
        method: &'static Method,
        arguments: &[Value],
    ) -> Result<(), Stop> {
        debug_assert!(state.thread.frames.is_empty());
        state.thread.stack.clear();
        state.thread.stack.extend_from_slice(arguments);
        state.thread.is_guarded = true;
        let is_library = |input: &Input| matches!(input.entry, Entry::Built(_));
        let has_library = state.symbols.inputs.iter().any(is_library);
        state.thread.guarded_heap = has_library.then(|| Rc::new(state.heap.clone()));
        self.enter(state, method, 0, Purpose::Entry)
    }

    /// May an object with fields of this class be an input? Most of what a contract method writes to are collections of the JDK.
    #[inline]
    pub(super) fn may_be_input(&self, class: &Class) -> bool {
        class.is_users() || self.rules.jdk_inputs
    }

    /// Fails if the code that runs must not write to this slot of an object, or to an element of this array.
    pub(crate) fn check_write(&mut self, state: &State, object: ObjId, slot: Option<usize>) -> Result<(), Stop> {
        if !state.thread.is_guarded {
            return Ok(());
        }
        if let Some(input) = state.symbols.input(object) {
            let place = match slot {
                Some(slot) => {
                    let label = state.heap.class(object).label_at(slot as u32);
                    format!("the field {}.{}", input.name, label.unwrap_or_default())
                }
                None => format!("an element of {}", input.name),
            };
            return Err(self.refuse_write(state, &place));
        }
        if state.heap.class(object).id != self.program.known().class.id {
            return Ok(());
        }
        let mirrored = self.program.users().iter().find(|class| state.classes.slot(class.id).mirror == Some(object));
        match (mirrored, slot) {
            (Some(class), Some(slot)) => self.check_static_write(state, class, slot as u32),
            _ => Ok(()),
        }
    }

    /// Fails if the code that runs must not write to this static field.
    pub(super) fn check_static_write(&mut self, state: &State, class: &'static Class, slot: u32) -> Result<(), Stop> {
        if !is_guarded_static(&state.classes, class) {
            return Ok(());
        }
        let field = class.fields.iter().find(|field: &&Field| field.is_static() && self.program.slot_of(field) == slot);
        let name = field.map_or("?", |field| field.name);
        Err(self.refuse_write(state, &format!("the static field {}.{name}", self.program.short_name(class))))
    }

    /// Fails if the method that returns has changed what an object of the library holds which is an input.
    pub(super) fn check_library(&mut self, state: &State) -> Result<(), Stop> {
        let held = |heap: &Heap, object: ObjId| {
            let held = held_by(heap, object)?;
            let each = held.recipe.values_of_element();
            let values: Vec<Value> = held.values.into_iter().map(|value| state.symbols.settled(value)).collect();
            Some((values, each))
        };
        // Walking a hash table may sort it, which is no change: the parts count there, and not their order.
        let is_same = |before: Option<(Vec<Value>, usize)>, now: Option<(Vec<Value>, usize)>, is_hashed: bool| {
            let (Some((before, each)), Some((now, _))) = (before, now) else { return false };
            let is_there = |part: &[Value]| now.chunks(each).any(|other| other == part);
            before == now || (is_hashed && before.len() == now.len() && before.chunks(each).all(is_there))
        };
        for input in state.symbols.inputs.iter().filter(|input| matches!(input.entry, Entry::Built(_))) {
            let began = state.thread.guarded_heap.as_ref().filter(|heap| heap.contains(input.object));
            let made = || state.symbols.later.iter().find(|(part, _)| *part == input.object).map(|(_, then)| then);
            let Some(before) = began.or_else(made) else { continue };
            let is_hashed = matches!(state.heap.class(input.object).name, "java/util/HashMap" | "java/util/HashSet");
            if !is_same(held(before, input.object), held(&state.heap, input.object), is_hashed) {
                return Err(self.refuse_write(state, &input.name.clone()));
            }
        }
        Ok(())
    }

    /// Ends the run: the contract must be changed before anything can be said.
    fn refuse_write(&mut self, state: &State, place: &str) -> Stop {
        let frames = &state.thread.frames;
        let method = frames
            .first()
            .map_or_else(String::new, |frame| format!("{}.{}()", frame.method.class().java_name(), frame.method.name));
        let written = frames.iter().rev().find(|frame| frame.method.class().is_users());
        let at = written
            .map_or_else(String::new, |frame| super::places::describe_place(frame.method, frame.code.line(frame.pc)));
        let place = place.to_string();
        self.misuse.get_or_insert(ContractWrite { method: method.clone(), place: place.clone(), at: at.clone() });
        let what = Reason::ContractWrites { method, place };
        End::unsupported(what, at).into()
    }

    /// Writes down that a contract method looked at a field.
    pub(super) fn note_contract_read(&mut self, class: &'static Class, slot: u32) {
        if let Some((owner, _)) = class.declaration_at(slot) {
            self.contract_reads.insert((owner.id, slot));
        }
    }
}

/// Are the static fields of this class read-only now? Its own initialiser may write them.
pub(super) fn is_guarded_static(classes: &Classes, class: &Class) -> bool {
    class.is_users() && classes.slot(class.id).initialisation == Initialisation::Done
}
