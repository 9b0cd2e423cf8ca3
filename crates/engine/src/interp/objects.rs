//! How are objects and arrays made, and class references resolved? (JVMS §2.11.5)

use super::{Trouble, Vm};
use crate::heap::FIRST_COLLECTION;
use crate::outcome::Stop;
use crate::program::Class;
use crate::state::State;
use crate::value::{ObjId, Value};

impl Vm {
    /// Resolves a field site; the instruction runs again.
    pub(super) fn resolve_field(&mut self, state: &mut State, site: u32, wants_static: bool) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        match self.program.resolve_field(&code.fields[site as usize], wants_static) {
            Ok(_) => Ok(()),
            Err(error) => self.raise(state, Trouble::Link(error)),
        }
    }

    /// Resolves a class site; the instruction runs again.
    pub(super) fn resolve_class(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        match self.class_at_site(state, site) {
            Ok(_) => Ok(()),
            Err(trouble) => self.raise(state, trouble),
        }
    }

    fn class_at_site(&self, state: &State, site: u32) -> Result<&'static Class, Trouble> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        self.program.resolve_class(&code.classes[site as usize]).map_err(Trouble::Load)
    }

    /// Does what must be done before an object can be made; the instruction runs again (JVMS §6.5.new).
    pub(super) fn prepare_new(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let class = match self.class_at_site(state, site) {
            Ok(class) => class,
            Err(trouble) => return self.raise(state, trouble),
        };
        if class.is_abstract() {
            return self.raise(state, Trouble::Instantiation(class));
        }
        if !state.classes.is_usable(class) {
            return self.initialise(state, class);
        }
        self.collect_if_due(state);
        if self.exceeds_heap(state, 0) {
            self.collect(state, true);
        }
        if self.exceeds_heap(state, 0) {
            return self.raise(state, Trouble::OutOfMemory);
        }
        Ok(())
    }

    /// JVMS §6.5.newarray, .anewarray.
    pub(super) fn new_array(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let Value::Int(length) = state.operand(0) else { return self.malformed(state, "an array length that is no int") };
        let class = match self.class_at_site(state, site) {
            Ok(class) => class,
            Err(trouble) => return self.raise(state, trouble),
        };
        match self.allocate_array(state, class, length) {
            Ok(array) => {
                state.complete(1, Some(array.into()));
                Ok(())
            }
            Err(trouble) => self.raise(state, trouble),
        }
    }

    /// An array of that class, if its length is not negative and there is room. May collect garbage before.
    fn allocate_array(&mut self, state: &mut State, class: &'static Class, length: i32) -> Result<ObjId, Trouble> {
        self.collect_if_due(state);
        match self.allocate_array_here(state, class, length) {
            Err(Trouble::OutOfMemory) => {
                self.collect(state, true);
                self.allocate_array_here(state, class, length)
            }
            outcome => outcome,
        }
    }

    /// The same for natives, which hold references that the collector does not see.
    pub fn allocate_array_here(&self, state: &mut State, class: &'static Class, length: i32) -> Result<ObjId, Trouble> {
        let Ok(length) = usize::try_from(length) else { return Err(Trouble::NegativeArraySize(length)) };
        if length >= i32::MAX as usize - 1 {
            return Err(Trouble::ArrayTooLarge);
        }
        if self.exceeds_heap(state, length * class.component_kind().map_or(16, |kind| kind.bytes())) {
            return Err(Trouble::OutOfMemory);
        }
        Ok(state.heap.allocate_array(class, length))
    }

    /// JVMS §6.5.multianewarray.
    pub(super) fn multi_new_array(&mut self, state: &mut State, site: u32, dimensions: u8) -> Result<(), Stop> {
        let class = match self.class_at_site(state, site) {
            Ok(class) => class,
            Err(trouble) => return self.raise(state, trouble),
        };
        let count = dimensions as usize;
        let mut lengths = Vec::with_capacity(count);
        for depth in (0..count).rev() {
            let Value::Int(length) = state.operand(depth) else {
                return self.malformed(state, "an array length that is no int");
            };
            lengths.push(length);
        }
        // All lengths are looked at before anything is made.
        if let Some(negative) = lengths.iter().find(|length| **length < 0) {
            return self.raise(state, Trouble::NegativeArraySize(*negative));
        }
        self.collect_if_due(state);
        let mut outcome = self.nested_arrays(state, class, &lengths);
        if matches!(outcome, Err(Trouble::OutOfMemory)) {
            self.collect(state, true);
            outcome = self.nested_arrays(state, class, &lengths);
        }
        match outcome {
            Ok(array) => {
                state.complete(count, Some(array.into()));
                Ok(())
            }
            Err(trouble) => self.raise(state, trouble),
        }
    }

    /// An array of arrays, as deep as there are lengths.
    pub fn nested_arrays(&self, state: &mut State, class: &'static Class, lengths: &[i32]) -> Result<ObjId, Trouble> {
        let array = self.allocate_array_here(state, class, lengths[0])?;
        if lengths.len() > 1
            && let Some(component) = class.component()
        {
            for index in 0..lengths[0] {
                let inner = self.nested_arrays(state, component, &lengths[1..])?;
                state.heap.set_element(array, index, inner.into());
            }
        }
        Ok(array)
    }

    /// JVMS §6.5.ldc of a class.
    pub(super) fn class_constant(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        match self.class_at_site(state, site) {
            Ok(class) => {
                let mirror = self.mirror(state, class);
                state.complete(0, Some(mirror.into()));
                Ok(())
            }
            Err(trouble) => self.raise(state, trouble),
        }
    }

    /// Collects garbage if enough was allocated since the last time. Only called where every live reference is in a frame.
    pub(super) fn collect_if_due(&mut self, state: &mut State) {
        if state.heap.bytes() >= state.heap.collect_at {
            self.collect(state, false);
        }
    }

    /// Collects garbage, which must be tried before an OutOfMemoryError. Only called where every live reference is in a frame.
    pub fn collect(&mut self, state: &mut State, memory_is_short: bool) {
        state.collect_garbage(&self.program, memory_is_short);
        let bytes = state.heap.bytes();
        // Well before the limit, because some garbage takes two rounds: what a map with weak keys still holds is let go only
        // when the program next touches the map.
        let half_way = bytes + self.limits.heap.saturating_sub(bytes) / 2;
        state.heap.collect_at = (bytes * 2).max(FIRST_COLLECTION).min(half_way).max(bytes + (1 << 20));
    }

    fn exceeds_heap(&self, state: &State, more: usize) -> bool {
        state.heap.bytes().saturating_add(more) > self.limits.heap
    }
}
