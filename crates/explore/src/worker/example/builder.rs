//! How does a partly known input become a concrete heap?
//!
//! Inputs are allocated first, so that they can refer to each other in circles, and filled then. An object of the library is made by its recipe,
//! after its elements. Undecided references get null where they may, or else an object of the first class that fits.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lazuli_logic::evaluate::Evaluation;
use lazuli_logic::{Constant, Model, Node, Term};
use lazuli_reach::call_sequence::CallSequence;
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::interp::Vm;
use lazuli_vm::library::{BuiltObject, LibraryRecipe, recipe_of};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, ClassId, access, readable_type};
use lazuli_vm::reason::{NoExample, Unbuildable};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Entry, Input};
use lazuli_vm::value::{Kind, ObjId, UnknownId, Value};

use crate::path::Path;

/// Longer arrays than this make no example.
const LONGEST: i32 = 1 << 20;

/// The state of a construction: the path and the model on one side, the heap of the example on the other.
pub(super) struct ExampleBuilder<'a> {
    pub(super) vm: &'a mut Vm,
    /// The heap in which every path begins.
    pub(super) start: &'a Heap,
    /// The heap of the example, as far as it is built.
    pub(super) state: State,
    /// The path whose input is built.
    pub(super) path: &'a Path,
    /// Values of its variables.
    pub(super) model: &'a Model,
    /// The object of the example for each object of the path.
    pub(super) objects: HashMap<ObjId, ObjId>,
    /// Inputs whose contents were made, or are being made.
    pub(super) begun: HashSet<ObjId>,
    /// The inputs of the example, for its picture.
    pub(super) entries: Vec<Input>,
    /// Places of the example that the path never looked at.
    pub(super) unread: BTreeSet<(ObjId, u32)>,
    /// The classes of which only calls make objects.
    pub(super) made: &'a BTreeSet<ClassId>,
    /// The objects that stand for references which the path did not decide.
    pub(super) undecided: HashMap<UnknownId, ObjId>,
    /// The arrays and collections of the path that are arguments, or parts of one.
    pub(super) argument_parts: HashSet<ObjId>,
    /// Places of the example that contain null because the code around handed it over.
    pub(super) handed_nulls: Vec<(ObjId, u32)>,
}

impl ExampleBuilder<'_> {
    /// Allocates the object of the example for an input: of one class that it may have, and of the length that the model gives an array.
    pub(super) fn allocate(&mut self, input: &Input) -> Result<(), NoExample> {
        let heap = &self.path.heap;
        let class = self.representative(heap.class(input.object))?;
        if let Some(cached) = self.cached_box(input, class) {
            self.objects.insert(input.object, cached);
            return Ok(());
        }
        let object = if class.id == self.vm.program.known().string.id {
            self.string(input.object)?
        } else if let Entry::Elements(_) = input.entry {
            let length = self.int(self.vm.length_of(self.path, input.object).unwrap_or(Value::Int(0)));
            if length > LONGEST {
                return Err(NoExample::ArrayTooLong(length));
            }
            self.state.heap.allocate_array(class, length.max(0) as usize)
        } else {
            self.state.heap.allocate(class)
        };
        self.objects.insert(input.object, object);
        Ok(())
    }

    /// Fills the fields or elements of an input with values of the model. Places that the path never read get default values.
    pub(super) fn fill(&mut self, input: &Input) -> Result<(), NoExample> {
        if !self.begun.insert(input.object) {
            return Ok(());
        }
        let object = self.objects[&input.object];
        let class = self.state.heap.class(object);
        let mut entry = input.entry.clone();
        match &mut entry {
            Entry::Built(_) => {}
            Entry::Fields(_) if class.id == self.vm.program.known().string.id => {}
            Entry::Fields(fields) => {
                let values: Vec<Value> = fields.to_vec();
                let is_unread = |slot: &usize| values.get(*slot).is_none_or(|value| *value == Value::Unread);
                self.unread.extend((0..class.defaults.len()).filter(is_unread).map(|slot| (object, slot as u32)));
                for (slot, value) in values.into_iter().enumerate() {
                    let kind = class.field_at(slot as u32).map_or(Kind::Int, |field| field.kind);
                    let was = value;
                    let value = self.concrete(was, kind)?;
                    self.state.heap.set_field(object, slot, value);
                    if value == Value::NULL && self.is_handed(was) {
                        self.handed_nulls.push((object, slot as u32));
                    }
                }
                let all: Rc<[Value]> =
                    (0..class.defaults.len()).map(|slot| self.state.heap.field(object, slot)).collect();
                *fields = all;
            }
            Entry::Elements(elements) => {
                let kind = class.component_kind().unwrap_or(Kind::Reference);
                let length = self.state.heap.length(object).unwrap_or(0) as u32;
                self.unread.extend((0..length).map(|index| (object, index)));
                for (index, value) in elements.iter() {
                    let index = self.int(*index);
                    if *value != Value::Unread {
                        self.unread.remove(&(object, index as u32));
                    }
                    let was = *value;
                    let value = self.concrete(was, kind)?;
                    self.state.heap.set_element(object, index, value);
                    let is_part = self.argument_parts.contains(&input.object);
                    if value == Value::NULL && (is_part || self.is_handed(was)) {
                        self.handed_nulls.push((object, index as u32));
                    }
                }
                let length = self.state.heap.length(object).unwrap_or(0) as i32;
                let element = |index| (Value::Int(index), self.state.heap.element(object, index).unwrap_or(Value::Top));
                *elements = Rc::new((0..length).map(element).collect());
            }
        }
        self.entries.push(Input { object, entry, ..input.clone() });
        Ok(())
    }

    /// Makes an object of the library by its recipe, from its elements. Keys must be whole before they are put into a map.
    pub(super) fn built(&mut self, input: &Input, built: &BuiltObject) -> Result<ObjId, NoExample> {
        if let Some(object) = self.objects.get(&input.object) {
            return Ok(*object);
        }
        if !self.begun.insert(input.object) {
            return Err(Unbuildable::CyclicCollection.into());
        }
        let path = self.path;
        let mut arguments = Vec::new();
        for argument in built.arguments.iter() {
            arguments.push(self.concrete(*argument, Kind::Reference)?);
            if let Value::Ref(Some(object)) = path.symbols.settled(*argument)
                && let Some(element) = path.symbols.input(object)
                && !matches!(element.entry, Entry::Built(_))
            {
                self.fill(element)?;
            }
        }
        let object = self.make(built.recipe, &arguments, built.constants)?;
        self.objects.insert(input.object, object);
        if self.argument_parts.contains(&input.object) && arguments.contains(&Value::NULL) {
            self.note_null_elements(object, arguments.len());
        }
        let entry = Entry::Built(Rc::new(BuiltObject { arguments: arguments.into(), ..built.clone() }));
        self.entries.push(Input { object, entry, ..input.clone() });
        Ok(object)
    }

    /// Runs the script of a recipe of the library on concrete elements.
    fn make(
        &mut self,
        recipe: &'static LibraryRecipe,
        arguments: &[Value],
        constants: Option<&'static Class>,
    ) -> Result<ObjId, NoExample> {
        let size = arguments.len() / recipe.values_of_element();
        let script = self.vm.program.script(recipe, size, constants);
        let stop = script.map(|script| self.vm.call(&mut self.state, script, arguments));
        self.state.thread = Default::default();
        match stop {
            Some(Stop::End(End::Returned(Value::Ref(Some(object))))) => Ok(object),
            _ => Err(Unbuildable::Elements { class: recipe.class.replace('/', ".") }.into()),
        }
    }

    /// Objects that were there before all calls contain what these left there.
    pub(super) fn change_held(&mut self) -> Result<(), NoExample> {
        let Some(sequence) = self.path.sequence.clone() else { return Ok(()) };
        for (object, entry) in sequence.changed.iter() {
            let Entry::Fields(fields) = entry else { continue };
            let class = self.state.heap.class(*object);
            for (slot, value) in fields.iter().enumerate() {
                let kind = class.field_at(slot as u32).map_or(Kind::Int, |field| field.kind);
                let value = self.concrete(*value, kind)?;
                self.state.heap.set_field(*object, slot, value);
            }
        }
        Ok(())
    }

    /// Places the keys of hash tables by the hash codes that they have here.
    pub(super) fn settle_tables(&mut self) {
        let objects: Vec<ObjId> = self.entries.iter().map(|input| input.object).collect();
        if !self.vm.settle_tables(&mut self.state, &objects) {
            return;
        }
        let (heap, string) = (&self.state.heap, self.vm.program.known().string.id);
        for input in self.entries.iter_mut().filter(|input| heap.class(input.object).id != string) {
            match (&mut input.entry, &heap.get(input.object).body) {
                (Entry::Fields(fields), Body::Fields(now)) => *fields = now.clone(),
                (Entry::Elements(elements), Body::Refs(now)) => {
                    let now = now.iter().enumerate().map(|(index, value)| (Value::Int(index as i32), *value));
                    *elements = Rc::new(now.collect());
                }
                _ => {}
            }
        }
    }

    /// Puts the example's values in where initialisers that ran before the path took some from outside.
    pub(super) fn ground(&mut self) {
        if self.state.symbols.taken.is_empty() {
            return;
        }
        for object in self.state.heap.ids().collect::<Vec<_>>() {
            let terms: Vec<(usize, Value)> = match &self.state.heap.get(object).body {
                Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => {
                    let all = values.iter().copied().enumerate();
                    all.filter(|(_, value)| matches!(value, Value::Term(..))).collect()
                }
                _ => Vec::new(),
            };
            for (at, term) in terms {
                let value = self.primitive(term);
                match self.state.heap.length(object) {
                    Some(_) => drop(self.state.heap.set_element(object, at as i32, value)),
                    None => self.state.heap.set_field(object, at, value),
                }
            }
        }
        let mut symbols = std::mem::take(&mut self.state.symbols);
        for taken in Rc::make_mut(&mut symbols.taken) {
            taken.value = self.primitive(taken.value);
        }
        for (_, hash) in Rc::make_mut(&mut symbols.hashes) {
            *hash = self.primitive(*hash);
        }
        symbols.nano_time = symbols.nano_time.map(|value| self.primitive(value));
        symbols.variables = Rc::default();
        self.state.symbols = symbols;
    }

    /// The calls that made the input, with their arguments.
    pub(super) fn sequence(&mut self) -> Result<Option<Rc<CallSequence>>, NoExample> {
        let Some(sequence) = &self.path.sequence else { return Ok(None) };
        let mut calls = (*sequence.calls).clone();
        for call in &mut calls {
            let kinds = call.act.kinds();
            let arguments = call.arguments.iter().zip(kinds);
            call.arguments = arguments.map(|(value, kind)| self.concrete(*value, kind)).collect::<Result<_, _>>()?;
            call.receiver = call.receiver.and_then(|object| self.participant(object));
            call.result = call.result.and_then(|object| self.participant(object));
        }
        let objects = sequence.objects.iter().filter_map(|object| self.objects.get(object).copied()).collect();
        let mut originals = Vec::new();
        for (object, entry) in sequence.originals.iter() {
            let Some(object) = self.objects.get(object).copied() else { continue };
            let class = self.state.heap.class(object);
            let mut values: Vec<(Value, Value)> = Vec::new();
            match entry {
                Entry::Fields(fields) => {
                    for (slot, value) in fields.iter().enumerate() {
                        let kind = class.field_at(slot as u32).map_or(Kind::Int, |field| field.kind);
                        values.push((Value::Int(slot as i32), self.known(*value, kind)?));
                    }
                }
                Entry::Built(built) => {
                    for (at, value) in built.arguments.iter().enumerate() {
                        values.push((Value::Int(at as i32), self.concrete(*value, Kind::Reference)?));
                    }
                }
                Entry::Elements(elements) => {
                    let kind = class.component_kind().unwrap_or(Kind::Reference);
                    for (index, value) in elements.iter() {
                        values.push((Value::Int(self.int(*index)), self.known(*value, kind)?));
                    }
                }
            }
            originals.push((object, Entry::Elements(Rc::new(values))));
        }
        let (calls, objects, originals) = (Rc::new(calls), Rc::new(objects), Rc::new(originals));
        Ok(Some(Rc::new(CallSequence { calls, objects, originals, ..CallSequence::default() })))
    }

    /// The cached object that an input is, if the path found that it is one.
    fn cached_box(&self, input: &Input, class: &'static Class) -> Option<ObjId> {
        let name = lazuli_vm::interp::name_of_cached(&input.name);
        let is_asked = |term: &&Term| match self.vm.terms.node(**term) {
            Node::Variable(variable) => self.vm.terms.declaration(variable).name == name,
            _ => false,
        };
        let asked = self.path.symbols.variables.iter().find(is_asked).filter(|_| class.is_box)?;
        let Constant::Int(1) = Evaluation::new(&self.vm.terms, self.model).value(*asked) else { return None };
        let Entry::Fields(fields) = &input.entry else { return None };
        self.vm.cached_object(&self.state, class, self.primitive(*fields.first()?))
    }

    /// A string with the letters that the model gives it. One that nothing looked at is empty.
    fn string(&mut self, string: ObjId) -> Result<ObjId, NoExample> {
        let known = self.vm.program.known();
        let bytes = match self.path.heap.field(string, known.string_value) {
            Value::Ref(Some(bytes)) => bytes,
            Value::Unread => return Ok(self.vm.new_string(&mut self.state, &[])),
            _ => return Err(Unbuildable::Text.into()),
        };
        let Some(sparse) = self.path.heap.sparse(bytes) else { return Err(Unbuildable::Text.into()) };
        let length = self.int(sparse.length).max(0) as usize;
        let bytes: Vec<u8> = sparse.touched.iter().take(length).map(|(_, byte)| self.int(*byte) as u8).collect();
        let units: Vec<u16> = match self.path.heap.field(string, known.string_coder) {
            Value::Int(1) => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
            _ => bytes.into_iter().map(u16::from).collect(),
        };
        Ok(self.vm.new_string(&mut self.state, &units))
    }

    pub(super) fn int(&self, value: Value) -> i32 {
        match self.primitive(value) {
            Value::Int(value) => value,
            _ => 0,
        }
    }

    /// The value of a term under the model; any other value as it is.
    pub(super) fn primitive(&self, value: Value) -> Value {
        match value {
            Value::Term(term, _) => {
                let constant = Evaluation::new(&self.vm.terms, self.model).value(term);
                lazuli_vm::interp::value_of_constant(constant)
            }
            other => other,
        }
    }

    /// The same where nothing is known of some places.
    fn known(&mut self, value: Value, kind: Kind) -> Result<Value, NoExample> {
        if matches!(value, Value::Unread | Value::Top) { Ok(Value::Unread) } else { self.concrete(value, kind) }
    }

    /// The value of the example for a value of the path.
    pub(super) fn concrete(&mut self, value: Value, kind: Kind) -> Result<Value, NoExample> {
        let path = self.path;
        match path.symbols.settled(value) {
            Value::Unread => Ok(kind.default_value()),
            Value::Ref(Some(object)) => match self.objects.get(&object).copied() {
                Some(object) => Ok(object.into()),
                // An object that was there before the path began is there again.
                None if self.start.contains(object) => Ok(object.into()),
                None if let Some(input) = path.symbols.input(object)
                    && let Entry::Built(built) = &input.entry =>
                {
                    self.built(input, built).map(Value::from)
                }
                None if let Some(same) = self.known_by_value(object) => {
                    self.objects.insert(object, same);
                    Ok(same.into())
                }
                None => self.enum_constant(object).map(Value::from),
            },
            Value::Unknown(id) if let Some(object) = self.undecided.get(&id) => Ok((*object).into()),
            Value::Unknown(id) => {
                let unknown = self.path.symbols.unknown(id);
                if unknown.may_be_null {
                    return Ok(Value::NULL);
                }
                let declared = unknown.declared;
                if let Some(made) = self.made_before(id, declared) {
                    self.undecided.insert(id, made);
                    return Ok(made.into());
                }
                if let Some(recipe) = recipe_of(declared).filter(|_| !self.vm.rules.jdk_inputs) {
                    let constants = recipe.constants_of(unknown.generic.as_deref());
                    let least = *recipe.sizes(0, constants).start() * recipe.values_of_element();
                    return self.make(recipe, &vec![Value::NULL; least], constants).map(Value::from);
                }
                // Some constants may have classes of their own, but there are no other objects.
                if declared.access & access::ENUM != 0 {
                    let constant = self.first_constant(declared)?;
                    self.undecided.insert(id, constant);
                    return Ok(constant.into());
                }
                let program = &self.vm.program;
                let possible = program.possible_classes(declared, self.vm.rules.world);
                let enumeration = program.enumerations_behind(declared).next();
                if let Some(enumeration) = enumeration.filter(|_| possible.is_none()) {
                    let constant = self.first_constant(enumeration)?;
                    self.undecided.insert(id, constant);
                    return Ok(constant.into());
                }
                let program = &self.vm.program;
                let possible = possible.and_then(|class| program.with_arguments(class, unknown.generic.as_deref()));
                let class = possible.ok_or_else(|| Unbuildable::NoClass { declared: declared.java_name() })?;
                let class = self.representative(class)?;
                if class.id == self.vm.program.known().string.id {
                    return Ok(self.vm.new_text(&mut self.state, "").into());
                }
                let heap = &mut self.state.heap;
                let object = if class.is_array() { heap.allocate_array(class, 0) } else { heap.allocate(class) };
                self.unread.extend((0..class.defaults.len()).map(|slot| (object, slot as u32)));
                self.undecided.insert(id, object);
                Ok(object.into())
            }
            other => Ok(self.primitive(other)),
        }
    }

    /// An object that calls had made before a reference was passed that the path did not decide: a new one would be an object that no call made.
    fn made_before(&self, reference: UnknownId, declared: &'static Class) -> Option<ObjId> {
        let sequence = self.path.sequence.as_ref()?;
        let passed = sequence.calls.iter().find(|call| call.arguments.contains(&Value::Unknown(reference)));
        let held = sequence.held.iter().take(passed.map_or(sequence.held.len(), |call| call.held_before));
        let mut fitting = held.filter(|object| {
            let class = self.path.heap.class(**object);
            self.made.contains(&class.id) && class.is_subtype_of(declared)
        });
        fitting.find_map(|object| self.objects.get(object).copied())
    }

    /// A text or a box that only a call made: there is another one with its value.
    fn known_by_value(&mut self, object: ObjId) -> Option<ObjId> {
        let class = self.path.heap.class(object);
        if class.id == self.vm.program.known().string.id {
            let units = self.vm.units(self.path, object);
            return Some(self.vm.new_string(&mut self.state, &units));
        }
        if !class.is_box {
            return None;
        }
        let value = self.primitive(self.path.heap.field(object, 0));
        let cached = self.path.symbols.boxes.contains(&object);
        if cached && let Some(cached) = self.vm.cached_object(&self.state, class, value) {
            return Some(cached);
        }
        let copy = self.state.heap.allocate(class);
        self.state.heap.set_field(copy, 0, value);
        Some(copy)
    }

    /// Initialises the class of constants.
    fn initialise(&mut self, class: &'static Class) -> Result<(), NoExample> {
        let done = self.vm.initialise_fully(&mut self.state, class);
        done.map_err(|stop| Unbuildable::NotInitialised { class: class.java_name(), cut: stop.limit() }.into())
    }

    /// The first constant of an enumeration, which has no other objects.
    fn first_constant(&mut self, class: &'static Class) -> Result<ObjId, NoExample> {
        let owner = class.chain().find(|class| class.super_class.is_some_and(|above| above.name == "java/lang/Enum"));
        let owner = owner.unwrap_or(class);
        self.initialise(owner)?;
        let mirror = self.state.classes.slot(owner.id).mirror;
        let slots = owner.enum_constants().map(|field| self.vm.program.slot_of(field) as usize);
        let mut constants = slots.filter_map(|slot| self.state.heap.field(mirror?, slot).object());
        constants.next().ok_or(Unbuildable::NoConstant.into())
    }

    /// The same constant of an enumeration in the new state.
    fn enum_constant(&mut self, object: ObjId) -> Result<ObjId, NoExample> {
        let class = self.path.heap.class(object);
        let owner = class.chain().find(|class| class.super_class.is_some_and(|above| above.name == "java/lang/Enum"));
        let owner = owner.ok_or_else(|| Unbuildable::NoInput { class: class.java_name() })?;
        self.initialise(owner)?;
        let program = self.vm.program.clone();
        let constant_in = |state: &State, slot: usize| {
            let mirror = state.classes.slot(owner.id).mirror?;
            match state.heap.field(mirror, slot) {
                Value::Ref(object) => object,
                _ => None,
            }
        };
        let mut slots = owner.enum_constants().map(|field| program.slot_of(field) as usize);
        let slot = slots.find(|slot| constant_in(self.path, *slot) == Some(object));
        slot.and_then(|slot| constant_in(&self.state, slot)).ok_or(Unbuildable::NoConstant.into())
    }

    /// The object of the example that stands for one on which a call was made. One that is no part of the input, such as the builder of the
    /// receiver, has an identity here and nothing else: only the calls say what became of it.
    fn participant(&mut self, object: ObjId) -> Option<ObjId> {
        if let Some(known) = self.objects.get(&object) {
            return Some(*known);
        }
        if matches!(self.path.heap.get(object).body, Body::Free) {
            return None;
        }
        if self.start.contains(object) {
            return Some(object);
        }
        let class = self.path.heap.class(object);
        if class.is_open() || class.is_array() {
            return None;
        }
        let stand_in = self.state.heap.allocate(class);
        self.objects.insert(object, stand_in);
        Some(stand_in)
    }

    /// One class of those that an object may have.
    pub(super) fn representative(&self, class: &'static Class) -> Result<&'static Class, NoExample> {
        let Some(possible) = class.possible() else { return Ok(class) };
        // An object that no call made is of a class whose objects need none.
        let known = || possible.known.iter().filter(|known| !self.made.contains(&known.id));
        let own = known().find(|known| known.id == possible.bound.id);
        let types = || [possible.bound].into_iter().chain(possible.also.iter().copied());
        // An object whose code is not there: a test implements its types. What a subclass of elsewhere leaves in fields of the user's is not known.
        let has_fields = possible.bound.is_users() && !class.defaults.is_empty();
        if possible.known.is_empty()
            && !has_fields
            && possible.others
            && !possible.bound.is_array()
            && types().all(|class| possible.world.has_others(&self.vm.program, class))
        {
            return Ok(class);
        }
        own.or(known().next())
            .copied()
            .ok_or_else(|| NoExample::Subclass { of: readable_type(&possible.bound.descriptor()) })
    }
}
