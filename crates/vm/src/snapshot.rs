//! How does a heap look as plain data? It outlives the state that it was taken from, and can be made again elsewhere.

use std::collections::{BTreeSet, HashMap};

use crate::heap::Body;
use crate::interp::Vm;
use crate::library::{LibraryRecipe, held_by};
use crate::program::{Class, Field, access};
use crate::state::State;
use crate::value::{Kind, ObjId, Value};

/// An object of a snapshot.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The class of the object.
    pub class: &'static Class,
    /// The object's value without identity.
    pub contents: Contents,
}

impl Cell {
    /// The objects that this one refers to.
    pub fn references(&self) -> Vec<usize> {
        let values = match &self.contents {
            Contents::Fields(values) | Contents::Elements(values) | Contents::Library { values, .. } => {
                values.as_slice()
            }
            _ => &[],
        };
        let object = |datum: &Datum| match datum {
            Datum::Object(index) => Some(*index),
            _ => None,
        };
        values.iter().filter_map(object).collect()
    }
}

/// The objects that are reachable from some, these included, sorted.
pub fn reachable(heap: &[Cell], roots: &[usize]) -> Vec<usize> {
    let mut found: BTreeSet<usize> = BTreeSet::new();
    let mut waiting = roots.to_vec();
    while let Some(index) = waiting.pop() {
        if found.insert(index) {
            waiting.extend(heap[index].references());
        }
    }
    found.into_iter().collect()
}

/// The contents of an object as plain data.
#[derive(Clone, Debug)]
pub enum Contents {
    /// By slot.
    Fields(Vec<Datum>),
    /// The elements of an array.
    Elements(Vec<Datum>),
    /// The UTF-16 code units of a string.
    Text(Vec<u16>),
    /// A boxed primitive, and whether it is the one that `valueOf` gives.
    Boxed {
        /// The primitive.
        value: Datum,
        /// Does `valueOf` return this very object?
        is_cached: bool,
    },
    /// The object that a static final field has held since its class was initialised: a constant of an enumeration, say.
    Held {
        /// The class that declares the field.
        owner: &'static Class,
        /// The static final field.
        field: &'static Field,
    },
    /// An object of the library, which its recipe makes again.
    Library {
        /// Makes it.
        recipe: &'static LibraryRecipe,
        /// The elements; of a map, each key and then its value.
        values: Vec<Datum>,
        /// The enumeration of constants that it may hold.
        constants: Option<&'static Class>,
    },
    /// An object of a class that is not there: any that implements what its open class says.
    Opaque,
    /// An object of the JDK that a test cannot make again.
    Foreign,
}

/// A value as plain data.
#[derive(Clone, Copy, Debug)]
pub enum Datum {
    /// The run never read it: every value would do.
    Any,
    /// The null reference.
    Null,
    /// An `int` or a smaller integral type.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A reference to the object at that index of the snapshot.
    Object(usize),
}

impl Datum {
    /// The value of a variable of that kind before anything is stored in it.
    pub fn default_of(kind: Kind) -> Datum {
        match kind.default_value() {
            Value::Int(value) => Datum::Int(value),
            Value::Long(value) => Datum::Long(value),
            Value::Float(value) => Datum::Float(value),
            Value::Double(value) => Datum::Double(value),
            _ => Datum::Null,
        }
    }
}

impl PartialEq for Datum {
    /// Floats are compared bit by bit: every NaN of the same bits is the same, and 0.0 is not -0.0.
    fn eq(&self, other: &Datum) -> bool {
        match (*self, *other) {
            (Datum::Any, Datum::Any) | (Datum::Null, Datum::Null) => true,
            (Datum::Int(one), Datum::Int(other)) => one == other,
            (Datum::Long(one), Datum::Long(other)) => one == other,
            (Datum::Float(one), Datum::Float(other)) => one.to_bits() == other.to_bits(),
            (Datum::Double(one), Datum::Double(other)) => one.to_bits() == other.to_bits(),
            (Datum::Object(one), Datum::Object(other)) => one == other,
            _ => false,
        }
    }
}

/// Takes a part of a heap down.
pub struct Camera<'a> {
    vm: &'a Vm,
    state: &'a State,
    /// Places that the run never read: an object, and a field's slot or an element's index.
    unread: &'a BTreeSet<(ObjId, u32)>,
    cells: Vec<Cell>,
    taken: HashMap<ObjId, usize>,
    waiting: Vec<ObjId>,
}

impl<'a> Camera<'a> {
    /// Starts an empty snapshot of a state; `unread` are the places whose value does not matter.
    pub fn new(vm: &'a Vm, state: &'a State, unread: &'a BTreeSet<(ObjId, u32)>) -> Camera<'a> {
        Camera { vm, state, unread, cells: Vec::new(), taken: HashMap::new(), waiting: Vec::new() }
    }

    /// A value, and what is reachable from it.
    pub fn take(&mut self, value: Value) -> Datum {
        let datum = self.datum(value);
        while let Some(object) = self.waiting.pop() {
            let contents = self.contents(object);
            self.cells[self.taken[&object]].contents = contents;
        }
        datum
    }

    /// The objects that the values taken so far lead to; `Datum::Object` indexes them.
    pub fn finish(self) -> Vec<Cell> {
        self.cells
    }

    fn datum(&mut self, value: Value) -> Datum {
        match value {
            Value::Int(value) => Datum::Int(value),
            Value::Long(value) => Datum::Long(value),
            Value::Float(value) => Datum::Float(value),
            Value::Double(value) => Datum::Double(value),
            Value::Ref(None) => Datum::Null,
            Value::Ref(Some(object)) => Datum::Object(self.place(object)),
            // A concrete run has none of the others, but for places that were never set.
            _ => Datum::Any,
        }
    }

    fn place(&mut self, object: ObjId) -> usize {
        if let Some(index) = self.taken.get(&object) {
            return *index;
        }
        let index = self.cells.len();
        self.cells.push(Cell { class: self.state.heap.class(object), contents: Contents::Foreign });
        self.taken.insert(object, index);
        self.waiting.push(object);
        index
    }

    /// Can a test give the objects of the class what their fields contain? Of the JDK's, exceptions get it from their constructors.
    fn has_told_fields(&self, class: &Class) -> bool {
        let known = self.vm.program.known();
        class.is_users() || class.id == known.object.id || class.is_subtype_of(known.throwable)
    }

    /// Does the code that makes the object choose what this field contains? Of the fields of `Throwable`, the message, and a cause if there is one; the others say
    /// where the exception was made.
    fn is_chosen(&self, object: ObjId, slot: usize, value: Value) -> bool {
        let known = self.vm.program.known();
        let class = self.state.heap.class(object);
        let is_of_throwable =
            || class.declaration_at(slot as u32).is_some_and(|(owner, _)| owner.id == known.throwable.id);
        match slot {
            _ if !class.is_subtype_of(known.throwable) => true,
            _ if slot == known.throwable_message => true,
            _ if slot == known.throwable_cause => value != Value::NULL && value != Value::from(object),
            _ => !is_of_throwable(),
        }
    }

    fn contents(&mut self, object: ObjId) -> Contents {
        let class = self.state.heap.class(object);
        if class.is_open() && !class.is_array() {
            return Contents::Opaque;
        }
        if let Some((owner, field)) = holder(self.vm, self.state, object) {
            return Contents::Held { owner, field };
        }
        if class.id == self.vm.program.known().string.id {
            return Contents::Text(self.vm.units(self.state, object));
        }
        if class.is_box {
            let value = self.state.heap.field(object, 0);
            let is_cached = self.vm.cached_object(self.state, class, value) == Some(object);
            return Contents::Boxed { value: self.datum(value), is_cached };
        }
        if let Some(held) = held_by(&self.state.heap, object) {
            let values = held.values.into_iter().map(|value| self.datum(value)).collect();
            return Contents::Library { recipe: held.recipe, values, constants: held.constants };
        }
        let is_read = |at: u32| !self.unread.contains(&(object, at));
        match &self.state.heap.get(object).body {
            Body::Fields(fields) if self.has_told_fields(class) => {
                let is_told = |at: usize, value: Value| is_read(at as u32) && self.is_chosen(object, at, value);
                let values = fields.iter().enumerate();
                let values: Vec<Value> =
                    values.map(|(at, value)| if is_told(at, *value) { *value } else { Value::Unread }).collect();
                Contents::Fields(values.into_iter().map(|value| self.datum(value)).collect())
            }
            Body::Fields(_) | Body::Sparse(_) | Body::Free => Contents::Foreign,
            _ => {
                let length = self.state.heap.length(object).unwrap_or(0) as u32;
                let element = |at| self.state.heap.element(object, at as i32).filter(|_| is_read(at));
                let values: Vec<Value> = (0..length).map(|at| element(at).unwrap_or(Value::Unread)).collect();
                Contents::Elements(values.into_iter().map(|value| self.datum(value)).collect())
            }
        }
    }
}

/// Are two heaps the same up to the names of objects, as far as the first one says? Compares what is reachable from the roots.
pub fn is_same_heap(wanted: &[Cell], found: &[Cell], roots: &[(Datum, Datum)]) -> bool {
    let mut partner: HashMap<usize, usize> = HashMap::new();
    let mut taken: HashMap<usize, usize> = HashMap::new();
    let mut waiting: Vec<(Datum, Datum)> = roots.to_vec();
    while let Some(pair) = waiting.pop() {
        let (one, other) = match pair {
            (Datum::Any, _) => continue,
            (Datum::Object(one), Datum::Object(other)) => (one, other),
            (one, other) if one == other => continue,
            _ => return false,
        };
        match (partner.get(&one), taken.get(&other)) {
            (Some(known), _) if *known == other => continue,
            (None, None) => {}
            _ => return false,
        }
        partner.insert(one, other);
        taken.insert(other, one);
        let (one, other) = (&wanted[one], &found[other]);
        if one.class.id != other.class.id {
            return false;
        }
        match (&one.contents, &other.contents) {
            (Contents::Fields(one), Contents::Fields(other)) | (Contents::Elements(one), Contents::Elements(other))
                if one.len() == other.len() =>
            {
                waiting.extend(one.iter().copied().zip(other.iter().copied()))
            }
            (
                Contents::Library { recipe: one, values, constants },
                Contents::Library { recipe: other, values: others, constants: other_constants },
            ) if one == other
                && values.len() == others.len()
                && constants.map(|class| class.id) == other_constants.map(|class| class.id) =>
            {
                waiting.extend(values.iter().copied().zip(others.iter().copied()))
            }
            (Contents::Opaque, Contents::Opaque) => {}
            (Contents::Text(one), Contents::Text(other)) if one == other => {}
            // Whether a box is the one of a cache shows when the program compares references, and then in how the run ends.
            (Contents::Boxed { value: one, .. }, Contents::Boxed { value: other, .. }) => waiting.push((*one, *other)),
            (Contents::Held { owner, field }, Contents::Held { owner: same, field: name })
                if owner.id == same.id && field.name == name.name => {}
            _ => return false,
        }
    }
    true
}

/// The static final field that holds an object, if one does.
pub fn holder(vm: &Vm, state: &State, object: ObjId) -> Option<(&'static Class, &'static Field)> {
    let class = state.heap.class(object);
    // A constant of an enumeration may have a body, and thus a class, of its own.
    let enumeration =
        class.chain().find(|class| class.access & access::ENUM != 0 && class.fields.iter().any(is_constant));
    // Strings and boxes are told by their values.
    let is_value = class.is_box || class.id == vm.program.known().string.id;
    let others = (!is_value).then(|| vm.program.users().iter().copied());
    let is_final = |field: &&'static Field| {
        field.is_static() && field.access & access::FINAL != 0 && field.kind == Kind::Reference
    };
    enumeration.into_iter().chain(others.into_iter().flatten()).find_map(|owner| {
        let mirror = state.classes.slot(owner.id).mirror?;
        let holds = |field: &&'static Field| {
            is_final(field)
                && field.access & access::SYNTHETIC == 0
                && state.heap.field(mirror, vm.program.slot_of(field) as usize) == Value::Ref(Some(object))
        };
        owner.fields.iter().find(holds).map(|field| (owner, field))
    })
}

fn is_constant(field: &Field) -> bool {
    field.access & access::ENUM != 0
}
