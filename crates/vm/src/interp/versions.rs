//! Has anything changed that a call may read which is not executed?
//!
//! Kiasan gives each region of the heap a version, and a pure call gives the same result as before while the regions that it can reach have the same versions
//! (section 4). Here the version is a number made of all that has changed since entry in what the call can reach, so that a write elsewhere leaves it as it is
//! without any regions; regions of the request say in addition what places that are not known yet cannot lead to. What the path does not know yet counts as unchanged, which is right unless it turns out to be something that was written: such places are
//! decided first. Example: in `before = meter.of(e); o.size++; meter.of(e)`, is `e` the same object as `o`, or does one of its fields lead there?
//!
//! An order over objects is a rank for each of them and each of its versions. Let P be the order of the real code at one comparison, and Q that at the next one: they agree on
//! all objects that hold the same as before, so that one sequence of ranks has both, those of the changed objects being other numbers. By induction, ranks describe every real
//! order if an object gets a new one whenever *some* comparison finds it changed. That is why each comparison looks at all objects that were compared before.

use std::collections::HashSet;
use std::rc::Rc;

use super::Vm;
use crate::ambient::Assumption;
use crate::heap::{Body, Heap};
use crate::library::recipe_of;
use crate::outcome::{LeftOut, Place, Question, Stop};
use crate::program::{Class, ClassId, Field, access, element_of};
use crate::state::State;
use crate::symbols::{Entry, Input, Unknown};
use crate::universe::RegionMap;
use crate::unknown_code::{CallRole, ComparedReference, UnknownCall};
use crate::value::{Kind, ObjId, UnknownId, Value};

/// A place that a call may read, and of which the path does not know what it holds.
#[derive(Clone, Copy, PartialEq)]
enum OpenPlace {
    /// An undecided reference.
    Reference(UnknownId),
    /// A field that was never read.
    Field { object: ObjId, slot: u32 },
    /// The elements of an array that were never read.
    Elements(ObjId),
    /// Fields of subclasses, of which the object may have one.
    Class(ObjId),
}

/// Everything that a call can reach.
#[derive(Default)]
struct Reading {
    /// Everything in it that has changed since entry, as one number.
    changes: u64,
    /// The places in it that are not known.
    open: Vec<OpenPlace>,
    /// The objects that were left out.
    skipped: Vec<ObjId>,
}

impl Reading {
    fn add(&mut self, parts: [u64; 3]) {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for part in parts {
            hash = (hash ^ part).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
        self.changes = self.changes.wrapping_add(hash);
    }
}

/// The contents that a place may have which is not known.
struct OpenType {
    /// The declared types of what it leads to.
    declared: Vec<&'static Class>,
    /// The call of code that is not there which may have put it there.
    call: Option<u32>,
}

/// The findings of one look at the changed objects, so that nothing is looked for twice.
#[derive(Default)]
struct Irrelevant {
    /// The types of undecided references, and the calls that gave them, that lead to nothing that was changed.
    references: Vec<(ClassId, Option<u32>)>,
    /// The classes of objects that are taken to be apart.
    apart: Vec<ClassId>,
}

/// The fate of the places that are not known.
enum Settled {
    /// None of them can lead to something that was changed.
    Irrelevant,
    /// More is known of one: look again.
    Decided,
    /// A class must be initialised first, and then the instruction runs again.
    Waiting,
}

impl Vm {
    /// The version of all that a call can read: a number that is another one when something there has changed. That is what it is handed, what such code has got hold
    /// of before, and what static fields lead to. None if the instruction must run again.
    pub(super) fn version_of(&mut self, state: &mut State, given: &[Value]) -> Result<Option<u64>, Stop> {
        loop {
            let mut from: Vec<Value> = given.to_vec();
            from.extend(self.held_by_unknown_code(state));
            let (statics, reached) = self.static_changes(state);
            from.extend(reached);
            let mut reading = self.read_from(state, from, &|_| false);
            let changed = self.changed_objects(state);
            match self.settle_open(state, &reading.open, &changed, &mut Irrelevant::default())? {
                Settled::Decided => continue,
                Settled::Waiting => return Ok(None),
                Settled::Irrelevant => {}
            }
            let changes = |call: &&UnknownCall| call.role != CallRole::Clause && call.changes_unseen;
            reading.add([0, 0, state.symbols.unknown_calls.iter().filter(changes).count() as u64]);
            for parts in statics {
                reading.add(parts);
            }
            return Ok(Some(reading.changes));
        }
    }

    /// The versions of the operands of a comparison, in their order. None if the instruction must run again.
    pub(super) fn versions_compared(
        &mut self,
        state: &mut State,
        operands: &[Value],
        sees_all: bool,
    ) -> Result<Option<Vec<u32>>, Stop> {
        loop {
            let mut references: Vec<(Value, bool)> = Vec::new();
            let known = state.symbols.compared.clone();
            let before = known.iter().map(|known| (known.value, known.sees_all));
            for (value, sees_all) in before.chain(operands.iter().map(|value| (*value, sees_all))) {
                let reference = (state.symbols.settled(value), sees_all);
                if reference.0 != Value::NULL && !references.contains(&reference) {
                    references.push(reference);
                }
            }
            let mut changed = self.changed_objects(state);
            // One that was changed and holds the same again has had other ranks meanwhile.
            let restored = known.iter().filter(|known| known.version > 0).filter_map(|known| known.value.object());
            changed.extend(restored.filter(|object| state.symbols.input(*object).is_some()));
            let mut now: Vec<ComparedReference> = Vec::new();
            let mut is_settled = true;
            let mut irrelevant = Irrelevant::default();
            for (value, sees_all) in references {
                let skips = |object: ObjId| !sees_all && self.is_met_both_ways(state, object);
                let reading = match value {
                    Value::Unknown(id) => Reading { open: vec![OpenPlace::Reference(id)], ..Reading::default() },
                    known => self.read_from(state, vec![known], &skips),
                };
                for object in reading.skipped.iter().filter(|object| changed.contains(object)) {
                    self.assume_apart(state, *object, &mut irrelevant);
                }
                match self.settle_open(state, &reading.open, &changed, &mut irrelevant)? {
                    Settled::Decided => is_settled = false,
                    Settled::Waiting => return Ok(None),
                    Settled::Irrelevant => {}
                }
                let is_it = |known: &&ComparedReference| {
                    state.symbols.settled(known.value) == value && known.sees_all == sees_all
                };
                let contents = reading.changes;
                let version = match known.iter().find(is_it) {
                    Some(known) => known.version + (known.contents != contents) as u32,
                    None => (contents != 0) as u32,
                };
                now.push(ComparedReference { value, contents, version, sees_all });
            }
            if !is_settled {
                continue;
            }
            let version = |value: &Value| {
                let value = state.symbols.settled(*value);
                let found = now.iter().find(|known| known.value == value && known.sees_all == sees_all);
                found.map_or(0, |known| known.version)
            };
            let versions = operands.iter().map(version).collect();
            state.symbols.compared = Rc::new(now);
            return Ok(Some(versions));
        }
    }

    /// The static fields that have changed since entry, and all that static fields refer to.
    fn static_changes(&self, state: &State) -> (Vec<[u64; 3]>, Vec<Value>) {
        let (mut changes, mut reached) = (Vec::new(), Vec::new());
        let settled = |value| state.symbols.settled(value);
        for class in self.program.users() {
            let Some(mirror) = state.classes.slot(class.id).mirror else { continue };
            for field in class.fields.iter().filter(|field| field.is_static()) {
                let slot = self.program.slot_of(field);
                let value = state.heap.field(mirror, slot as usize);
                let entry = state.symbols.roots.iter().find(|root| root.holder == Some((mirror, slot)));
                let is_as_before = entry.map_or(value == Value::Unread, |entry| settled(entry.value) == settled(value));
                if field.access & access::FINAL == 0 && !is_as_before {
                    changes.push([mirror.index() as u64 + 1, slot as u64, code_of(value)]);
                }
                reached.push(value);
            }
        }
        (changes, reached)
    }

    /// All that can be reached from some references, but for what is skipped.
    fn read_from(&self, state: &State, from: Vec<Value>, skips: &dyn Fn(ObjId) -> bool) -> Reading {
        let (mut reading, mut waiting, mut seen) = (Reading::default(), from, HashSet::new());
        let known = self.program.known();
        while let Some(value) = waiting.pop() {
            let object = match state.symbols.settled(value) {
                Value::Unknown(id) if !reading.open.contains(&OpenPlace::Reference(id)) => {
                    reading.open.push(OpenPlace::Reference(id));
                    continue;
                }
                Value::Ref(Some(object)) => object,
                _ => continue,
            };
            let class = state.heap.class(object);
            let is_constant = class.id == known.class.id || class.id == known.string.id || class.is_box;
            if is_constant || !seen.insert(object) {
                continue;
            }
            if skips(object) {
                reading.skipped.push(object);
                continue;
            }
            if class.possible().is_some_and(|possible| !possible.known.is_empty()) {
                reading.open.push(OpenPlace::Class(object));
            }
            let values: Vec<Value> = match &state.heap.get(object).body {
                Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => values.to_vec(),
                Body::Sparse(sparse) => {
                    if class.component_kind() == Some(Kind::Reference) {
                        reading.open.push(OpenPlace::Elements(object));
                    }
                    sparse.touched.iter().map(|(_, value)| *value).collect()
                }
                _ => {
                    let element = |at| state.heap.element(object, at as i32).unwrap_or(Value::Unread);
                    (0..state.heap.length(object).unwrap_or(0)).map(element).collect()
                }
            };
            for (slot, value) in values.into_iter().enumerate() {
                if value == Value::Unread {
                    let field = class.field_at(slot as u32).filter(|_| !class.is_array());
                    if field.is_some_and(|field| field.kind == Kind::Reference) {
                        reading.open.push(OpenPlace::Field { object, slot: slot as u32 });
                    }
                    continue;
                }
                let then = value_then(state, object, slot);
                if !then.is_some_and(|then| state.symbols.settled(then) == state.symbols.settled(value)) {
                    reading.add([object.index() as u64 + 1, slot as u64, code_of(value)]);
                }
                waiting.push(value);
            }
        }
        reading
    }

    /// The objects of before the method that do not hold what they held at entry.
    fn changed_objects(&self, state: &State) -> Vec<ObjId> {
        let inputs = state.symbols.inputs.iter().filter(|input| !state.is_input_as_at_entry(input));
        let inputs = inputs.map(|input| input.object);
        let is_changed = |object: &ObjId| {
            let then = heap_then(state, *object);
            then.is_none_or(|then| !state.heap.get(*object).body.is_same(&then.get(*object).body))
        };
        let held = state.held_by_statics().iter().map(|held| held.object);
        inputs.chain(held.filter(is_changed)).collect()
    }

    /// Decides the places that may lead to something that was changed.
    fn settle_open(
        &mut self,
        state: &mut State,
        open: &[OpenPlace],
        changed: &[ObjId],
        irrelevant: &mut Irrelevant,
    ) -> Result<Settled, Stop> {
        if open.is_empty() {
            return Ok(Settled::Irrelevant);
        }
        let regions = RegionMap::of(&self.rules.regions, state);
        for place in open {
            // Without regions, all undecided references of one type and one call are alike.
            let alike = match place {
                OpenPlace::Reference(id) if self.rules.regions.is_empty() => {
                    let unknown = state.symbols.unknown(*id);
                    Some((unknown.declared.id, unknown.call))
                }
                _ => None,
            };
            if alike.is_some_and(|alike| irrelevant.references.contains(&alike)) {
                continue;
            }
            let Some(OpenType { declared, call }) = self.type_of_open(state, *place)? else { continue };
            let mut candidates = changed.to_vec();
            // A thing that such code gave may be an object that the method made.
            let handed = state.symbols.handed.iter().filter(|handed| call.is_some_and(|call| handed.call <= call));
            let is_made = |object: &ObjId| state.symbols.input(*object).is_none();
            candidates.extend(handed.map(|handed| handed.object).filter(is_made));
            let region = match *place {
                OpenPlace::Reference(id) => regions.of_reference(id),
                OpenPlace::Field { object, slot } => {
                    regions.of_place(&self.rules.regions, state, Place { object, slot })
                }
                OpenPlace::Elements(object) | OpenPlace::Class(object) => regions.of_object(object),
            };
            candidates.retain(|object| regions.may_reach(region, *object));
            if !declared.iter().any(|declared| self.may_lead(state, declared, &candidates)) {
                irrelevant.references.extend(alike);
                continue;
            }
            // An element that is met as an `Object` is taken to be no part of the structure around it: that needs no annotation here, and the verdict tells it.
            let met_narrow =
                |object: &ObjId| state.symbols.input(*object).is_some_and(|input| input.counted.is_users());
            let is_wide = match place {
                OpenPlace::Class(object) => !met_narrow(object),
                _ => declared.iter().all(|declared| !element_of(declared).is_users()),
            };
            let (apart, others): (Vec<ObjId>, Vec<ObjId>) =
                candidates.into_iter().partition(|object| is_wide && met_narrow(object));
            if !declared.iter().any(|declared| self.may_lead(state, declared, &others)) {
                for object in apart {
                    self.assume_apart(state, object, irrelevant);
                }
                irrelevant.references.extend(alike);
                continue;
            }
            match *place {
                OpenPlace::Reference(id) => return Err(Stop::Ask(Question::Deref(id))),
                OpenPlace::Class(object) => {
                    let parts = self.program.split_fully(state.heap.class(object));
                    return Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }));
                }
                OpenPlace::Field { object, slot } => {
                    let Some(field) = state.heap.class(object).field_at(slot) else { continue };
                    self.decide_field(state, object, field)?;
                    let is_decided = state.heap.field(object, slot as usize) != Value::Unread;
                    return Ok(if is_decided { Settled::Decided } else { Settled::Waiting });
                }
                OpenPlace::Elements(array) => {
                    let touched = |state: &State| state.heap.sparse(array).map_or(0, |sparse| sparse.touched.len());
                    let before = touched(state);
                    if self.elements_of(state, array)?.is_none() {
                        return Ok(Settled::Waiting);
                    }
                    if touched(state) != before {
                        return Ok(Settled::Decided);
                    }
                }
            }
        }
        Ok(Settled::Irrelevant)
    }

    /// The type of what a place holds; none if it cannot hold a reference.
    fn type_of_open(&mut self, state: &State, place: OpenPlace) -> Result<Option<OpenType>, Stop> {
        let declared = |vm: &Vm, field: &Field| vm.class_of(state, field.descriptor);
        Ok(match place {
            OpenPlace::Reference(id) => {
                let unknown = state.symbols.unknown(id);
                Some(OpenType { declared: vec![unknown.declared], call: unknown.call })
            }
            OpenPlace::Field { object, slot } => match state.heap.class(object).field_at(slot) {
                Some(field) => {
                    let call = state.symbols.written_by_call(object);
                    Some(OpenType { declared: vec![declared(self, field)?], call })
                }
                None => None,
            },
            OpenPlace::Elements(array) => {
                let component = state.heap.class(array).component();
                component.map(|component| OpenType { declared: vec![component], call: None })
            }
            OpenPlace::Class(object) => {
                let class = state.heap.class(object);
                let known: &[&'static Class] = class.possible().map_or(&[], |possible| &possible.known);
                let above = class.defaults.len() as u32;
                let fields = known.iter().flat_map(|below| below.chain()).flat_map(|class| class.fields.iter());
                let more =
                    fields.filter(|field| !field.is_static() && field.kind == Kind::Reference && field.slot >= above);
                let types: Result<Vec<&'static Class>, Stop> = more.map(|field| declared(self, field)).collect();
                Some(OpenType { declared: types?, call: None }).filter(|open| !open.declared.is_empty())
            }
        })
    }

    /// Can one of the objects be reached from a variable of this type? Looks at declared types only.
    fn may_lead(&self, state: &State, declared: &'static Class, objects: &[ObjId]) -> bool {
        let (mut waiting, mut seen) = (vec![declared], HashSet::new());
        while let Some(class) = waiting.pop() {
            if objects.is_empty() || class.kind() != Kind::Reference || !seen.insert(class.id) {
                continue;
            }
            let is_it = |object: &ObjId| self.program.split(state.heap.class(*object), class).yes.is_some();
            // The elements of a collection are of some type that its class does not tell.
            if objects.iter().any(is_it) || recipe_of(class).is_some() {
                return true;
            }
            waiting.extend(class.component());
            for below in self.program.users_below(class).iter().copied().chain([class]).filter(|class| class.is_users())
            {
                let fields = below.chain().flat_map(|class| class.fields.iter());
                for field in fields.filter(|field| !field.is_static() && field.kind == Kind::Reference) {
                    match self.program.load_descriptor(field.descriptor) {
                        Ok(class) => waiting.push(class),
                        Err(_) => return true,
                    }
                }
            }
        }
        false
    }

    /// Has the path met an input under a type of the user's, and also under a wider one: as a node of a tree, and as an element?
    fn is_met_both_ways(&self, state: &State, object: ObjId) -> bool {
        let is_wide = |declared: &'static Class| !element_of(declared).is_users();
        if !state.symbols.input(object).is_some_and(|input| input.counted.is_users()) {
            return false;
        }
        let is_it = |value: &Value| *value == Value::from(object);
        let is_met = |input: &Input| {
            let class = state.heap.class(input.object);
            match &input.entry {
                Entry::Fields(values) => values.iter().enumerate().any(|(slot, value)| {
                    let field = class.field_at(slot as u32).filter(|_| is_it(&state.symbols.settled(*value)));
                    field.is_some_and(|field| self.program.load_descriptor(field.descriptor).is_ok_and(is_wide))
                }),
                Entry::Elements(values) => {
                    class.component().is_some_and(is_wide)
                        && values.iter().any(|(_, value)| is_it(&state.symbols.settled(*value)))
                }
                Entry::Built(_) => false,
            }
        };
        let is_wider = |unknown: &Unknown| unknown.is == Some(Some(object)) && is_wide(unknown.declared);
        state.symbols.unknowns.iter().any(is_wider) || state.symbols.inputs.iter().any(is_met)
    }

    fn assume_apart(&mut self, state: &State, object: ObjId, known: &mut Irrelevant) {
        let class = state.heap.class(object);
        if known.apart.contains(&class.id) {
            return;
        }
        known.apart.push(class.id);
        let class = self.program.short_name(class);
        self.take_for_granted(Assumption::Apart { class });
    }
}

/// The heap that tells what an object held at entry which is no input itself: an object of a static field, or a part of an input of the library.
fn heap_then(state: &State, object: ObjId) -> Option<&Rc<Heap>> {
    let later = state.symbols.later.iter().find(|(known, _)| *known == object).map(|(_, then)| then);
    later.or_else(|| state.symbols.origin.as_ref().filter(|origin| origin.contains(object)))
}

/// The value of a place at entry; none if the object was not there.
fn value_then(state: &State, object: ObjId, slot: usize) -> Option<Value> {
    match state.symbols.input(object).map(|input| &input.entry) {
        Some(Entry::Fields(fields)) => Some(fields.get(slot).copied().unwrap_or(Value::Unread)),
        Some(Entry::Elements(elements)) if state.heap.sparse(object).is_some() => {
            elements.get(slot).map(|(_, value)| *value)
        }
        Some(Entry::Elements(elements)) => {
            elements.iter().find(|(index, _)| *index == Value::Int(slot as i32)).map(|(_, value)| *value)
        }
        Some(Entry::Built(_)) | None => match &heap_then(state, object)?.get(object).body {
            Body::Fields(values) => values.get(slot).copied(),
            _ => heap_then(state, object)?.element(object, slot as i32),
        },
    }
}

/// A number for a value: the same for the same value, and hardly ever for two.
fn code_of(value: Value) -> u64 {
    let (kind, number) = match value {
        Value::Ref(None) => (1, 0),
        Value::Ref(Some(object)) => (2, object.index() as u64),
        Value::Unknown(id) => (3, id.0 as u64),
        Value::Int(value) => (4, value as u64),
        Value::Long(value) => (5, value as u64),
        Value::Float(value) => (6, value.to_bits() as u64),
        Value::Double(value) => (7, value.to_bits()),
        Value::Term(term, _) => (8, term.index() as u64),
        Value::Unread => (9, 0),
        _ => (10, 0),
    };
    number.wrapping_mul(31).wrapping_add(kind)
}
