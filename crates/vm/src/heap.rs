//! Which objects exist in a state, and what do they hold?
//!
//! Objects stand in small chunks that forked states share until one of them writes. A chunk that is copied copies only
//! pointers: the contents of an object are shared on their own, and copied when that object is written.

use std::rc::Rc;

use crate::program::Class;
use crate::value::{Kind, ObjId, Value};

const CHUNK: usize = 8;

/// The contents of an object. Arrays of primitives are stored unboxed; a boolean array is an array of bytes.
#[derive(Clone)]
pub enum Body {
    /// The instance fields of an ordinary object, by slot; of a mirror, the static fields follow.
    Fields(Rc<[Value]>),
    /// The elements of an array of references.
    Refs(Rc<[Value]>),
    /// The elements of a `byte` or `boolean` array.
    Bytes(Rc<[i8]>),
    /// The elements of a `char` array.
    Chars(Rc<[u16]>),
    /// The elements of a `short` array.
    Shorts(Rc<[i16]>),
    /// The elements of an `int` array.
    Ints(Rc<[i32]>),
    /// The elements of a `long` array.
    Longs(Rc<[i64]>),
    /// The elements of a `float` array.
    Floats(Rc<[f32]>),
    /// The elements of a `double` array.
    Doubles(Rc<[f64]>),
    /// An array of primitives of which some are terms.
    Mixed(Rc<[Value]>),
    /// An array whose length is a term, or whose elements are not all known.
    Sparse(Rc<Sparse>),
    /// The slot is unused. No reachable reference names it.
    Free,
}

impl Body {
    /// Are the contents the same? May say no of long arrays that were written back as they were.
    pub(crate) fn is_same(&self, other: &Body) -> bool {
        match (self, other) {
            (Body::Fields(one), Body::Fields(two))
            | (Body::Refs(one), Body::Refs(two))
            | (Body::Mixed(one), Body::Mixed(two)) => Rc::ptr_eq(one, two) || one == two,
            (Body::Bytes(one), Body::Bytes(two)) => Rc::ptr_eq(one, two),
            (Body::Chars(one), Body::Chars(two)) => Rc::ptr_eq(one, two),
            (Body::Shorts(one), Body::Shorts(two)) => Rc::ptr_eq(one, two),
            (Body::Ints(one), Body::Ints(two)) => Rc::ptr_eq(one, two),
            (Body::Longs(one), Body::Longs(two)) => Rc::ptr_eq(one, two),
            (Body::Floats(one), Body::Floats(two)) => Rc::ptr_eq(one, two),
            (Body::Doubles(one), Body::Doubles(two)) => Rc::ptr_eq(one, two),
            (Body::Sparse(one), Body::Sparse(two)) => Rc::ptr_eq(one, two),
            (Body::Free, Body::Free) => true,
            _ => false,
        }
    }
}

/// An array of which only the elements that the path touched are written down.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// An `int` or a term.
    pub length: Value,
    /// (index, element). The path condition says that the indices are in bounds and differ from each other.
    pub touched: Vec<(Value, Value)>,
    /// The value of all other elements: a default value, or `Unread`.
    pub others: Value,
}

/// An object or array in the heap.
#[derive(Clone)]
pub struct Object {
    /// The class; of an input whose class is not decided, the open class that stands for the possible ones.
    pub class: &'static Class,
    /// The identity hash code, or 0 as long as the program has not asked for it.
    pub hash: u32,
    /// The fields or elements.
    pub body: Body,
}

type Chunk = [Object; CHUNK];

/// The objects of one state, copied on write.
#[derive(Clone)]
pub struct Heap {
    /// The chunks that were there when paths began to part. Nearly all of them only read these, so that they share the table too.
    old: Rc<Vec<Rc<Chunk>>>,
    /// How many these are.
    settled: usize,
    /// The others.
    chunks: Vec<Rc<Chunk>>,
    /// Objects in use or freed, that is: the index of the next new slot.
    length: usize,
    /// Slots that the collector freed, reused last in first out.
    free: Rc<Vec<u32>>,
    /// An estimate of the bytes that the objects in use occupy.
    bytes: usize,
    /// The bytes in use at which garbage is collected next. It belongs to the path: names are reused after a collection.
    collect_at: usize,
    /// The bytes that may be in use.
    limit: usize,
    hashes: u32,
    /// How often an object was made or opened for writing.
    writes: u64,
}

/// A collection below this size is not worth its time.
const LEAST_COLLECTION: usize = 64 << 20;

/// At least that much is allocated between two collections.
const LEAST_PAUSE: usize = 1 << 20;

impl Default for Heap {
    fn default() -> Heap {
        Heap {
            old: Rc::default(),
            settled: 0,
            chunks: Vec::new(),
            length: 0,
            free: Rc::default(),
            bytes: 0,
            collect_at: LEAST_COLLECTION,
            limit: usize::MAX,
            hashes: 0,
            writes: 0,
        }
    }
}

impl Heap {
    /// Looks up an object by its name, which this heap or one that it was forked from gave out.
    #[inline]
    pub fn get(&self, id: ObjId) -> &Object {
        let index = id.index();
        let at = index / CHUNK;
        let chunk = if at >= self.settled { &self.chunks[at - self.settled] } else { &self.old[at] };
        &chunk[index % CHUNK]
    }

    #[inline]
    fn get_mut(&mut self, id: ObjId) -> &mut Object {
        self.writes += 1;
        let index = id.index();
        let at = index / CHUNK;
        let chunk =
            if at >= self.settled { &mut self.chunks[at - self.settled] } else { &mut Rc::make_mut(&mut self.old)[at] };
        &mut Rc::make_mut(chunk)[index % CHUNK]
    }

    /// Becomes a copy of another heap. Costs little if it was one not long ago, because what both share stays.
    pub fn become_copy(&mut self, other: &Heap) {
        let Heap { old, settled, chunks, length, free, bytes, collect_at, limit, hashes, writes } = other;
        share(&mut self.old, old);
        share(&mut self.free, free);
        self.chunks.truncate(chunks.len());
        let (same, more) = chunks.split_at(self.chunks.len());
        self.chunks.iter_mut().zip(same).for_each(|(mine, other)| share(mine, other));
        self.chunks.extend_from_slice(more);
        (self.settled, self.length, self.bytes) = (*settled, *length, *bytes);
        (self.collect_at, self.limit) = (*collect_at, *limit);
        (self.hashes, self.writes) = (*hashes, *writes);
    }

    /// Says that what is there now will hardly be written any more: forks cost less from here on.
    pub fn settle(&mut self) {
        Rc::make_mut(&mut self.old).append(&mut self.chunks);
        self.settled = self.old.len();
    }

    /// The class of an object, or the open class that stands for it.
    #[inline]
    pub fn class(&self, id: ObjId) -> &'static Class {
        self.get(id).class
    }

    /// Do all objects of an earlier heap still hold what they held there?
    pub fn is_unchanged_since(&self, earlier: &Heap) -> bool {
        self.changed_since(earlier).is_empty()
    }

    /// Has all objects of an earlier heap hold again what they held there. None of them may have been freed since.
    pub fn restore(&mut self, earlier: &Heap) {
        for id in self.changed_since(earlier) {
            self.restore_object(id, earlier);
        }
    }

    /// The same for one object.
    pub fn restore_object(&mut self, id: ObjId, earlier: &Heap) {
        let Object { class, body, .. } = earlier.get(id).clone();
        self.replace(id, class, body);
    }

    /// The objects of an earlier heap that hold something else now. Chunks that both heaps share are not looked at.
    pub fn changed_since(&self, earlier: &Heap) -> Vec<ObjId> {
        let mut changed = Vec::new();
        if Rc::ptr_eq(&self.old, &earlier.old) && earlier.chunks.is_empty() {
            return changed;
        }
        for at in 0..earlier.settled + earlier.chunks.len() {
            let (now, then) = (self.chunk(at), earlier.chunk(at));
            if Rc::ptr_eq(now, then) {
                continue;
            }
            for (within, (now, then)) in now.iter().zip(then.iter()).enumerate() {
                // Only objects of the earlier heap count; those that were made since lie behind it or in its free slots.
                // A slot that was free then may have been taken since.
                if !matches!(then.body, Body::Free) && !now.body.is_same(&then.body) {
                    changed.push(ObjId::from_index(at * CHUNK + within));
                }
            }
        }
        changed
    }

    fn chunk(&self, at: usize) -> &Rc<Chunk> {
        if at >= self.settled { &self.chunks[at - self.settled] } else { &self.old[at] }
    }

    /// A field of an ordinary object. `Top` if there is no such slot, which linked code never asks for.
    #[inline]
    pub fn field(&self, id: ObjId, slot: usize) -> Value {
        match &self.get(id).body {
            Body::Fields(fields) => fields.get(slot).copied().unwrap_or(Value::Top),
            _ => Value::Top,
        }
    }

    /// Writes an instance field; ignores a slot that the object does not have.
    #[inline]
    pub fn set_field(&mut self, id: ObjId, slot: usize, value: Value) {
        if let Body::Fields(fields) = &mut self.get_mut(id).body
            && let Some(field) = Rc::make_mut(fields).get_mut(slot)
        {
            *field = value;
        }
    }

    /// The length of an array; `None` if the object is no array.
    #[inline]
    pub fn length(&self, id: ObjId) -> Option<usize> {
        Some(match &self.get(id).body {
            Body::Refs(items) => items.len(),
            Body::Bytes(items) => items.len(),
            Body::Chars(items) => items.len(),
            Body::Shorts(items) => items.len(),
            Body::Ints(items) => items.len(),
            Body::Longs(items) => items.len(),
            Body::Floats(items) => items.len(),
            Body::Doubles(items) => items.len(),
            Body::Mixed(items) => items.len(),
            Body::Fields(_) | Body::Sparse(_) | Body::Free => return None,
        })
    }

    /// The contents of an array that is not written down in full.
    #[inline]
    pub fn sparse(&self, id: ObjId) -> Option<&Sparse> {
        match &self.get(id).body {
            Body::Sparse(sparse) => Some(sparse),
            _ => None,
        }
    }

    /// Changes an array that is not written down in full.
    pub fn sparse_mut(&mut self, id: ObjId) -> Option<&mut Sparse> {
        match &mut self.get_mut(id).body {
            Body::Sparse(sparse) => Some(Rc::make_mut(sparse)),
            _ => None,
        }
    }

    /// Changes the class of an object of which more became known; fields that the new class adds are unread.
    pub fn narrow(&mut self, id: ObjId, class: &'static Class) {
        let object = self.get_mut(id);
        object.class = class;
        if let Body::Fields(fields) = &mut object.body
            && fields.len() < class.defaults.len()
        {
            let missing = class.defaults.len() - fields.len();
            *fields = fields.iter().copied().chain(std::iter::repeat_n(Value::Unread, missing)).collect();
        }
    }

    /// Replaces an object of which it became known that it is something else altogether, such as an array.
    pub fn replace(&mut self, id: ObjId, class: &'static Class, body: Body) {
        let before = size_of_object(&self.get(id).body);
        self.bytes = self.bytes + size_of_object(&body) - before;
        let object = self.get_mut(id);
        (object.class, object.body) = (class, body);
    }

    /// Makes room for terms in an array of primitives.
    pub fn mix(&mut self, id: ObjId) {
        let length = self.length(id).unwrap_or(0) as i32;
        let items: Rc<[Value]> = (0..length).filter_map(|index| self.element(id, index)).collect();
        let before = size_of_object(&self.get(id).body);
        let body = Body::Mixed(items);
        self.bytes = self.bytes + size_of_object(&body) - before;
        self.get_mut(id).body = body;
    }

    /// An array element as the stack sees it; `None` if the index is out of bounds or the object is no array.
    #[inline]
    pub fn element(&self, id: ObjId, index: i32) -> Option<Value> {
        let index = index as usize; // a negative index becomes huge and is out of bounds
        Some(match &self.get(id).body {
            Body::Refs(items) => *items.get(index)?,
            Body::Bytes(items) => Value::Int(*items.get(index)? as i32),
            Body::Chars(items) => Value::Int(*items.get(index)? as i32),
            Body::Shorts(items) => Value::Int(*items.get(index)? as i32),
            Body::Ints(items) => Value::Int(*items.get(index)?),
            Body::Longs(items) => Value::Long(*items.get(index)?),
            Body::Floats(items) => Value::Float(*items.get(index)?),
            Body::Doubles(items) => Value::Double(*items.get(index)?),
            Body::Mixed(items) => *items.get(index)?,
            Body::Fields(_) | Body::Sparse(_) | Body::Free => return None,
        })
    }

    /// Stores an array element, narrowed to the element type. False if the index is out of bounds or the types differ.
    #[inline]
    pub fn set_element(&mut self, id: ObjId, index: i32, value: Value) -> bool {
        let index = index as usize;
        let object = self.get_mut(id);
        macro_rules! store {
            ($items:expr, $value:expr) => {
                match Rc::make_mut($items).get_mut(index) {
                    Some(item) => *item = $value,
                    None => return false,
                }
            };
        }
        match (&mut object.body, value) {
            (Body::Refs(items), Value::Ref(_) | Value::Unknown(_)) => store!(items, value),
            (Body::Bytes(items), Value::Int(value)) => {
                let is_boolean = object.class.component_kind() == Some(Kind::Boolean);
                store!(items, if is_boolean { (value & 1) as i8 } else { value as i8 })
            }
            (Body::Chars(items), Value::Int(value)) => store!(items, value as u16),
            (Body::Shorts(items), Value::Int(value)) => store!(items, value as i16),
            (Body::Ints(items), Value::Int(value)) => store!(items, value),
            (Body::Longs(items), Value::Long(value)) => store!(items, value),
            (Body::Floats(items), Value::Float(value)) => store!(items, value),
            (Body::Doubles(items), Value::Double(value)) => store!(items, value),
            (Body::Mixed(items), Value::Int(value)) => {
                let kind = object.class.component_kind().unwrap_or(Kind::Int);
                store!(items, Value::Int(kind.narrow(value)))
            }
            (Body::Mixed(items), Value::Long(_) | Value::Float(_) | Value::Double(_) | Value::Term(..)) => {
                store!(items, value)
            }
            _ => return false,
        }
        true
    }

    /// The contents for writing; forked states keep theirs.
    pub fn body_mut(&mut self, id: ObjId) -> &mut Body {
        &mut self.get_mut(id).body
    }

    /// A new object whose fields have their default values.
    #[inline]
    pub fn allocate(&mut self, class: &'static Class) -> ObjId {
        let fields: Rc<[Value]> = Rc::from(&class.defaults[..]);
        self.insert(class, Body::Fields(fields))
    }

    /// A new array of zeros or nulls. `class` is the array's class.
    pub fn allocate_array(&mut self, class: &'static Class, length: usize) -> ObjId {
        fn zeros<T: Copy + Default>(length: usize) -> Rc<[T]> {
            std::iter::repeat_n(T::default(), length).collect()
        }
        let body = match class.component_kind().unwrap_or(Kind::Reference) {
            Kind::Boolean | Kind::Byte => Body::Bytes(zeros(length)),
            Kind::Char => Body::Chars(zeros(length)),
            Kind::Short => Body::Shorts(zeros(length)),
            Kind::Int => Body::Ints(zeros(length)),
            Kind::Long => Body::Longs(zeros(length)),
            Kind::Float => Body::Floats(zeros(length)),
            Kind::Double => Body::Doubles(zeros(length)),
            Kind::Reference | Kind::Void => Body::Refs(std::iter::repeat_n(Value::NULL, length).collect()),
        };
        self.insert(class, body)
    }

    /// A new object with the given contents.
    pub fn insert(&mut self, class: &'static Class, body: Body) -> ObjId {
        self.bytes += size_of_object(&body);
        let object = Object { class, hash: 0, body };
        if let Some(&last) = self.free.last() {
            Rc::make_mut(&mut self.free).pop();
            let id = ObjId::from_index(last as usize);
            *self.get_mut(id) = object;
            return id;
        }
        let index = self.length;
        self.length += 1;
        if index.is_multiple_of(CHUNK) {
            let empty = |_| Object { class, hash: 0, body: Body::Free };
            self.chunks.push(Rc::new(std::array::from_fn(empty)));
        }
        let id = ObjId::from_index(index);
        *self.get_mut(id) = object;
        id
    }

    /// The names of all objects.
    pub fn ids(&self) -> impl Iterator<Item = ObjId> {
        (0..self.length).map(ObjId::from_index).filter(|id| self.contains(*id))
    }

    /// Is there an object of this name?
    pub fn contains(&self, id: ObjId) -> bool {
        id.index() < self.length && !matches!(self.get(id).body, Body::Free)
    }

    /// The identity hash code, chosen when it is first asked for. The sequence is fixed: a path replays alike.
    pub fn identity_hash(&mut self, id: ObjId) -> i32 {
        let known = self.get(id).hash;
        if known != 0 {
            return known as i32;
        }
        self.hashes = self.hashes.wrapping_add(1);
        // A bijective mixer on 31 bits' worth of counter: distinct for the first two billion objects, spread like HotSpot's.
        let mut mixed = self.hashes.wrapping_mul(0x9E37_79B1);
        mixed ^= mixed >> 15;
        let hash = (mixed & 0x7FFF_FFFF).max(1);
        self.get_mut(id).hash = hash;
        hash as i32
    }

    /// An estimate of the bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets the bytes that may be in use.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.collect_at = self.collect_at.min(limit / 2);
    }

    /// Is there no room for that many more bytes?
    #[inline]
    pub fn is_full(&self, more: usize) -> bool {
        self.bytes.saturating_add(more) > self.limit
    }

    /// Has enough been allocated since the last collection?
    #[inline]
    pub fn is_collection_due(&self) -> bool {
        self.bytes >= self.collect_at
    }

    /// A number that stays the same as long as nothing is written.
    pub fn version(&self) -> u64 {
        self.writes
    }

    /// Something else has changed on which the path depends, so that a look at the version must not take the state for the same.
    pub fn note_change(&mut self) {
        self.writes += 1;
    }

    /// Objects in use.
    pub fn count(&self) -> usize {
        self.length - self.free.len()
    }

    /// Frees every object that cannot be reached from `roots`. For an object of some classes, `loose` tells a slot whose
    /// reference does not count: if it leads to what is freed, it becomes null, and the object is in the result.
    ///
    /// The next collection comes when twice as much is in use, but well before the heap is full, because some garbage
    /// takes two rounds: what a map with weak keys still holds is let go only when the program next touches the map.
    pub fn collect(
        &mut self,
        roots: impl Iterator<Item = ObjId>,
        loose: impl Fn(&'static Class) -> Option<usize>,
    ) -> Vec<ObjId> {
        // Mark: an object is popped once and marked before its references are followed, so that cycles end. `holders` are
        // the marked objects with a loose reference, which is left out here and looked at when all marks are final.
        let mut holders = Vec::new();
        let mut marked = vec![false; self.length];
        let mut waiting: Vec<ObjId> = roots.collect();
        while let Some(id) = waiting.pop() {
            let Some(mark) = marked.get_mut(id.index()).filter(|mark| !**mark) else { continue };
            *mark = true;
            let object = self.get(id);
            if let Body::Sparse(sparse) = &object.body {
                waiting.extend(sparse.touched.iter().filter_map(|(_, value)| match value {
                    Value::Ref(id) => *id,
                    _ => None,
                }));
                continue;
            }
            let (Body::Fields(values) | Body::Refs(values)) = &object.body else { continue };
            let unmarked = |value: &Value| match value {
                Value::Ref(Some(id)) if !marked[id.index()] => Some(*id),
                _ => None,
            };
            match loose(object.class) {
                None => waiting.extend(values.iter().filter_map(unmarked)),
                Some(slot) => {
                    holders.push((id, slot));
                    let others = values.iter().enumerate().filter(|(index, _)| *index != slot);
                    waiting.extend(others.filter_map(|(_, value)| unmarked(value)));
                }
            }
        }
        // Clear the loose references to objects that nothing else holds.
        holders.retain(|(id, slot)| match self.field(*id, *slot) {
            Value::Ref(Some(referent)) => !marked[referent.index()],
            _ => false,
        });
        for (id, slot) in &holders {
            self.set_field(*id, *slot, Value::NULL);
        }
        // Sweep: in descending order, so that the lowest free slot is reused first. Names are then the same whenever the path
        // is replayed.
        let mut free = Vec::new();
        for index in (0..self.length).rev().filter(|index| !marked[*index]) {
            let id = ObjId::from_index(index);
            free.push(index as u32);
            if !matches!(self.get(id).body, Body::Free) {
                self.bytes -= size_of_object(&self.get(id).body);
                self.get_mut(id).body = Body::Free;
            }
        }
        self.free = Rc::new(free);
        let half_way = self.bytes + self.limit.saturating_sub(self.bytes) / 2;
        self.collect_at = (self.bytes * 2).max(LEAST_COLLECTION).min(half_way).max(self.bytes + LEAST_PAUSE);
        holders.into_iter().map(|(id, _)| id).collect()
    }
}

/// Makes both refer to the same, without a look at it if they do already.
pub(crate) fn share<T: ?Sized>(mine: &mut Rc<T>, other: &Rc<T>) {
    if !Rc::ptr_eq(mine, other) {
        *mine = other.clone();
    }
}

/// The bytes that an object occupies: its slot in a chunk, the header of its contents, and the contents.
fn size_of_object(body: &Body) -> usize {
    let contents = match body {
        Body::Fields(items) | Body::Refs(items) | Body::Mixed(items) => size_of_val(&items[..]),
        // Grows by what is read; a path reads little.
        Body::Sparse(_) => size_of::<Sparse>(),
        Body::Bytes(items) => items.len(),
        Body::Chars(items) => items.len() * 2,
        Body::Shorts(items) => items.len() * 2,
        Body::Ints(items) => items.len() * 4,
        Body::Longs(items) => items.len() * 8,
        Body::Floats(items) => items.len() * 4,
        Body::Doubles(items) => items.len() * 8,
        Body::Free => 0,
    };
    size_of::<Object>() + 16 + contents
}
