//! How are objects and arrays made, and class references resolved? (JVMS §2.11.5)

use lazuli_logic::Sort;

use super::{Trouble, Vm};
use crate::outcome::Stop;
use crate::program::{Class, Method, ResolvedField};
use crate::state::State;
use crate::value::{Kind, ObjId, Value};

impl Vm {
    /// Resolves a field site; the instruction runs again.
    pub(super) fn resolve_field(&mut self, state: &mut State, site: u32, wants_static: bool) -> Result<(), Stop> {
        let frame = state.thread.frames.last().expect("an instruction runs in a frame");
        match self.program.resolve_field(&frame.code.fields[site as usize], wants_static) {
            Ok(_) => Ok(()),
            Err(error) => self.raise(state, Trouble::Link(error)),
        }
    }

    /// Notes that code of an exploration uses a static field: an initialiser leaves it as it is at entry.
    #[inline]
    pub(super) fn note_static(&self, method: &Method, field: &ResolvedField) {
        if field.is_variable && self.is_exploring && method.name != "<clinit>" {
            self.used_statics.note(field);
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
        match self.make_room(state, 0) {
            Ok(()) => Ok(()),
            Err(trouble) => self.raise(state, trouble),
        }
    }

    /// JVMS §6.5.newarray, .anewarray.
    pub(super) fn new_array(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let class = match self.class_at_site(state, site) {
            Ok(class) => class,
            Err(trouble) => return self.raise(state, trouble),
        };
        if let Value::Term(length, Sort::Int) = state.operand(0) {
            return self.new_sparse_array(state, class, length);
        }
        let Value::Int(length) = state.operand(0) else {
            return self.malformed(state, "an array length that is no int");
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
        if length < i32::MAX - 1 {
            self.make_room(state, size_of_array(class, length))?;
        }
        self.allocate_array_here(state, class, length)
    }

    /// The same for natives, which hold references that the collector does not see.
    pub fn allocate_array_here(&self, state: &mut State, class: &'static Class, length: i32) -> Result<ObjId, Trouble> {
        let Ok(length) = usize::try_from(length) else { return Err(Trouble::NegativeArraySize(length)) };
        if length >= i32::MAX as usize - 1 {
            return Err(Trouble::ArrayTooLarge);
        }
        if state.heap.is_full(size_of_array(class, length as i32)) {
            return Err(Trouble::OutOfMemory);
        }
        if self.is_beyond_memory(size_of_array(class, length as i32)) {
            return Err(Trouble::MemoryLimit);
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
        let mut lengths: Vec<Value> = (0..count).rev().map(|depth| state.operand(depth)).collect();
        // All lengths are looked at before anything is made.
        for length in &lengths {
            match *length {
                Value::Int(length) if length < 0 => return self.raise(state, Trouble::NegativeArraySize(length)),
                Value::Int(_) => {}
                Value::Term(length, Sort::Int) if self.is_negative(state, length)? => {
                    return self.raise(state, Trouble::Untold("java/lang/NegativeArraySizeException"));
                }
                Value::Term(_, Sort::Int) => {}
                _ => return self.malformed(state, "an array length that is no int"),
            }
        }
        // The rows are objects of their own, so that their number is decided; only the last length may stay unknown.
        for length in &mut lengths[..count - 1] {
            if let Value::Term(term, _) = *length {
                *length = Value::Int(self.decided_length(state, term, true)?);
            }
        }
        self.collect_if_due(state);
        let mut made = self.nested_arrays(state, class, &lengths);
        if matches!(made, Err(Trouble::OutOfMemory | Trouble::MemoryLimit)) {
            state.collect_garbage(&self.program, true);
            made = self.nested_arrays(state, class, &lengths);
        }
        match made {
            Ok(array) => {
                state.complete(count, Some(array.into()));
                Ok(())
            }
            Err(trouble) => self.raise(state, trouble),
        }
    }

    /// An array of arrays, as deep as there are lengths, of which only the last may be unknown.
    pub fn nested_arrays(&self, state: &mut State, class: &'static Class, lengths: &[Value]) -> Result<ObjId, Trouble> {
        let Value::Int(length) = lengths[0] else { return Ok(self.sparse_array(state, class, lengths[0])) };
        let array = self.allocate_array_here(state, class, length)?;
        if lengths.len() > 1
            && let Some(component) = class.component()
        {
            for index in 0..length {
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
        if state.heap.is_collection_due() {
            state.collect_garbage(&self.program, false);
        }
    }

    /// Would a large object, or one after many smaller ones, take the process beyond the memory that it may occupy?
    fn is_beyond_memory(&self, more: usize) -> bool {
        let Some(most) = self.limits.memory else { return false };
        let unseen = self.unseen_bytes.get().saturating_add(more);
        let is_due = unseen >= MEMORY_INTERVAL;
        let is_beyond = is_due && self.host.resident_bytes().saturating_add(more) > most;
        // Beyond the limit, the next object is looked at again.
        self.unseen_bytes.set(if is_due && !is_beyond { 0 } else { unseen });
        is_beyond
    }

    /// Makes room for that many more bytes, if there is any. A heap that is nearly full after a collection counts as full:
    /// otherwise the program would do nothing but collect for its last objects.
    fn make_room(&mut self, state: &mut State, more: usize) -> Result<(), Trouble> {
        if !state.heap.is_collection_due() && !state.heap.is_full(more) && !self.is_beyond_memory(more) {
            return Ok(());
        }
        state.collect_garbage(&self.program, false);
        let reserve = self.limits.heap / 64;
        if state.heap.is_full(more.saturating_add(reserve)) {
            state.collect_garbage(&self.program, true);
        }
        if state.heap.is_full(more.saturating_add(reserve)) { Err(Trouble::OutOfMemory) } else { Ok(()) }
    }
}

/// How many bytes of objects are made between two looks at the memory.
const MEMORY_INTERVAL: usize = 4 << 20;

/// The bytes that an array of that class and length occupies. A length that is not possible occupies nothing.
fn size_of_array(class: &Class, length: i32) -> usize {
    class.component_kind().map_or(0, Kind::bytes).saturating_mul(usize::try_from(length).unwrap_or(0))
}
