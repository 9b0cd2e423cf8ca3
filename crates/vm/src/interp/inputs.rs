//! What does an instruction do that looks at an input, or at a reference that is not decided?
//!
//! A field or element that was not read yet, a reference whose object is open, an array of unknown length, an object whose
//! class may be a subclass: each is asked about once, the answer is written into the state, and the instruction runs again.

use lazuli_logic::Sort;

use super::{Trouble, Vm};
use crate::ambient::Assumption;
use crate::outcome::{End, LeftOut, Place, Question, Stop};
use crate::program::{Class, Field, GenericType, Op, Split, access, is_constant, readable_type};
use crate::reason::{ClassFault, Reason};
use crate::state::{Initialisation, State};
use crate::symbols::{Root, Unknown};
use crate::universe::{LimitedField, LimitedValues};
use crate::value::{Kind, ObjId, Value};

/// The class of `Set.of` and `Map.of`, and its fields that differ from run to run.
const IMMUTABLE: &str = "java/util/ImmutableCollections";
const SALT: &str = "SALT32L";
const REVERSE: &str = "REVERSE";

impl Vm {
    /// Runs an instruction that works on references.
    pub(super) fn with_references(&mut self, state: &mut State, op: Op) -> Result<(), Stop> {
        match op {
            Op::IfNull(target) => self.null_branch(state, true, target),
            Op::IfNonNull(target) => self.null_branch(state, false, target),
            Op::IfAcmpEq(target) => self.identity_branch(state, true, target),
            Op::IfAcmpNe(target) => self.identity_branch(state, false, target),
            Op::GetField(site) => self.get_unread(state, site),
            Op::PutField(_) => self.settle(state, 1),
            Op::GetStatic(site) => self.get_unread_static(state, site),
            Op::ArrayLoad => self.load_element(state),
            Op::ArrayStore => self.store_element(state),
            Op::ArrayLength => self.array_length(state),
            Op::InstanceOf(site) => {
                let Some(tested) = self.tested_class(state, site)? else { return Ok(()) };
                let answer = self.is_instance(state, tested)?;
                state.complete(1, Some(Value::bool(answer)));
                Ok(())
            }
            Op::CheckCast(site) => {
                let Some(tested) = self.tested_class(state, site)? else { return Ok(()) };
                if self.passes_cast(state, tested)? {
                    state.thread.frames.last_mut().expect("an instruction runs in a frame").pc += 1;
                    return Ok(());
                }
                // A null passes every cast, so it was decided before that it is none.
                match state.reference_operand(0) {
                    Some(object) => {
                        let from = state.heap.class(object);
                        self.raise(state, Trouble::ClassCast { from, to: tested })
                    }
                    None => Ok(()),
                }
            }
            Op::Throw | Op::MonitorEnter | Op::MonitorExit => self.settle(state, 0),
            _ => self.malformed(state, "operands of the wrong type"),
        }
    }

    /// Replaces an undecided operand by what it is, or asks. The instruction runs again.
    pub(super) fn settle(&mut self, state: &mut State, depth: usize) -> Result<(), Stop> {
        let at = state.thread.top() - 1 - depth;
        match state.thread.stack[at] {
            Value::Unknown(id) => {
                let Some(is) = state.symbols.unknown(id).is else { return Err(Stop::Ask(Question::Deref(id))) };
                state.thread.stack[at] = Value::Ref(is);
                Ok(())
            }
            Value::Ref(_) => Ok(()),
            _ => self.malformed(state, "an operand that is no reference"),
        }
    }

    /// Starts the initialisation of an enumeration, whose constants are the only objects that an input can be.
    /// True if there is nothing to wait for.
    pub(super) fn ready_to_ask(&mut self, state: &mut State, declared: &'static Class) -> Result<bool, Stop> {
        if declared.access & access::ENUM == 0 || state.classes.is_usable(declared) {
            return Ok(true);
        }
        self.initialise(state, declared)?;
        Ok(state.classes.slot(declared.id).initialisation == Initialisation::Done)
    }

    fn null_branch(&mut self, state: &mut State, on_null: bool, target: u32) -> Result<(), Stop> {
        let is_null = self.is_null(state, state.operand(0))?;
        self.finish_branch(state, 1, (is_null == on_null).then_some(target))
    }

    /// Is the reference null? Asks no more than that.
    pub(crate) fn is_null(&mut self, state: &State, value: Value) -> Result<bool, Stop> {
        match value {
            Value::Ref(reference) => Ok(reference.is_none()),
            Value::Unknown(id) => {
                let unknown = state.symbols.unknown(id);
                match unknown.is {
                    Some(is) => Ok(is.is_none()),
                    None if !unknown.may_be_null => Ok(false),
                    None => Err(Stop::Ask(Question::Null(id))),
                }
            }
            _ => {
                Err(End::Malformed { what: "a reference is missing".into(), at: self.describe_position(state) }.into())
            }
        }
    }

    fn identity_branch(&mut self, state: &mut State, on_same: bool, target: u32) -> Result<(), Stop> {
        let (left, right) = (state.symbols.settled(state.operand(1)), state.symbols.settled(state.operand(0)));
        let is_same = match (left.object(), right.object()) {
            // The code of the JDK goes on to ask whether the boxes are equal.
            (Some(left), Some(right)) if self.are_boxes(state, left, right) && !self.minds_identity(state) => {
                left == right
            }
            _ => self.is_same(state, left, right)?,
        };
        self.finish_branch(state, 2, (is_same == on_same).then_some(target))
    }

    fn are_boxes(&self, state: &State, left: ObjId, right: ObjId) -> bool {
        state.heap.class(left).is_box && state.heap.class(right).is_box
    }

    /// Are two references the same? Asks for as little as possible.
    pub(crate) fn is_same(&mut self, state: &mut State, left: Value, right: Value) -> Result<bool, Stop> {
        let (left, right) = (state.symbols.settled(left), state.symbols.settled(right));
        match (left, right) {
            (Value::Ref(Some(left)), Value::Ref(Some(right))) if left != right => {
                let (one, other) = (state.heap.class(left), state.heap.class(right));
                // Two names denote two objects, with three exceptions: constants of an enumeration that hide behind a wider
                // type, cached boxes, and values of the JDK of which a caller can get the same object (`refuse_namesakes`).
                for (open, constant) in [(left, other), (right, one)] {
                    let is_constant = constant.access & access::ENUM != 0;
                    if is_constant && state.heap.class(open).is_open() && self.has_type(state, open, constant)? {
                        return Err(self.unsupported(state, "an enumeration constant behind a wider type"));
                    }
                }
                // An input of an unknown class may be a cached box.
                let is_same_class = match (one.is_open(), other.is_open()) {
                    (true, false) if self.may_be_cached(state, right) => self.has_type(state, left, other)?,
                    (false, true) if self.may_be_cached(state, left) => self.has_type(state, right, one)?,
                    _ => one.id == other.id,
                };
                self.refuse_namesakes(state, left, right)?;
                if is_same_class && (one.is_box || other.is_box) {
                    self.are_same_box(state, left, right)
                } else {
                    Ok(false)
                }
            }
            (Value::Ref(left), Value::Ref(right)) => Ok(left == right),
            (Value::Unknown(left), Value::Unknown(right)) if left == right => Ok(true),
            (Value::Unknown(id), Value::Ref(None)) | (Value::Ref(None), Value::Unknown(id)) => {
                self.is_null(state, Value::Unknown(id))
            }
            // An object that the program made itself was not there at entry, but a cached box was.
            (Value::Unknown(id), Value::Ref(Some(object))) | (Value::Ref(Some(object)), Value::Unknown(id)) => {
                let is_input = state.symbols.input(object).is_some()
                    || state.held_by_statics().iter().any(|held| held.object == object)
                    || self.is_untried(state, object);
                let Unknown { declared, call, .. } = *state.symbols.unknown(id);
                let is_input = is_input || call.is_some_and(|call| state.symbols.was_handed(object, call));
                let is_constant = state.heap.class(object).access & access::ENUM != 0;
                let may_be = is_constant || self.program.split(state.heap.class(object), declared).yes.is_some();
                if !may_be || !(is_input || is_constant || self.may_be_cached(state, object)) {
                    return Ok(false);
                }
                Err(Stop::Ask(Question::Deref(id)))
            }
            // Of two types, the narrower one comes first: an object of the wider one may then be the same.
            (Value::Unknown(left), Value::Unknown(right)) => {
                let (one, other) = (state.symbols.unknown(left).declared, state.symbols.unknown(right).declared);
                Err(Stop::Ask(Question::Deref(if other.is_subtype_of(one) { right } else { left })))
            }
            _ => {
                Err(End::Malformed { what: "a reference is missing".into(), at: self.describe_position(state) }.into())
            }
        }
    }

    /// Was the object there at entry, although no input is tried as another name of it? Strings of constants and of static fields, boxes of static fields,
    /// class objects and what was there before all paths, or since a class of the JDK was initialised, are such.
    fn is_untried(&self, state: &State, object: ObjId) -> bool {
        let known = self.program.known();
        let class = state.heap.class(object).id;
        if class != known.class.id && (!self.minds_identity(state) || self.is_secret(state, object)) {
            return false;
        }
        let was_there = |object| state.symbols.origin.as_ref().is_some_and(|origin| origin.contains(object));
        class == known.class.id
            || state.symbols.untried.contains(&object)
            || (was_there(object) && !state.held_by_statics().iter().any(|held| held.object == object))
            || (class == known.string.id && state.strings.objects().any(|text| text == object))
    }

    /// Is it a plain object that a class of the JDK keeps for itself, while code of this class runs? The one that stands for null in an
    /// `IdentityHashMap` is such, and is never handed out.
    fn is_secret(&self, state: &State, object: ObjId) -> bool {
        let Some(owner) = state.thread.frames.last().map(|frame| frame.method.class()) else { return false };
        let Some(mirror) = state.classes.slot(owner.id).mirror else { return false };
        let is_it = |field: &Field| {
            field.is_static()
                && field.kind == Kind::Reference
                && state.heap.field(mirror, self.program.slot_of(field) as usize) == Value::Ref(Some(object))
        };
        !owner.is_users()
            && state.heap.class(object).id == self.program.known().object.id
            && owner.fields.iter().any(is_it)
    }

    /// Does the code that runs care which of two equal objects it has? The JDK's code compares references only to save time, but in `Object.equals` and
    /// for maps by identity.
    fn minds_identity(&self, state: &State) -> bool {
        let class = state.thread.frames.last().map(|frame| frame.method.class());
        let minds = |class: &Class| {
            class.is_users() || class.name == "java/lang/Object" || class.name.starts_with("java/util/IdentityHashMap")
        };
        class.is_some_and(minds)
    }

    /// Ends the path where one of two objects is an input that may be the other one under a second name.
    fn refuse_namesakes(&mut self, state: &mut State, left: ObjId, right: ObjId) -> Result<(), Stop> {
        for (input, other) in [(left, right), (right, left)] {
            let class = state.heap.class(other);
            if state.symbols.input(input).is_some()
                && state.symbols.input(other).is_none()
                && !self.may_be_cached(state, other)
                && self.is_untried(state, other)
                && self.has_type(state, input, class)?
            {
                return Err(self.unsupported(state, "whether an object of the input is the same as a constant"));
            }
        }
        Ok(())
    }

    /// Ends the path where an input, which was decided before a class was initialised, may be one of the objects that static fields of this class hold.
    pub(super) fn refuse_late_statics(&mut self, state: &mut State, known: usize) -> Result<(), Stop> {
        let late = state.held_by_statics()[known..].iter().map(|held| state.heap.class(held.object));
        // An input that may be a constant is decided as such, or its path ends where that matters.
        let late = late.filter(|class| !is_constant(class));
        // The extent tells that the receiver is none of them.
        let inputs = state.symbols.inputs.iter().filter(|input| &*input.name != "this");
        let inputs: Vec<&'static Class> = inputs.map(|input| state.heap.class(input.object)).collect();
        let may_be = |held: &'static Class| inputs.iter().any(|input| self.program.split(input, held).yes.is_some());
        match late.into_iter().any(may_be) {
            true => Err(self.unsupported(state, "an input that may be an object of a class that is initialised later")),
            false => Ok(()),
        }
    }

    /// Reads a field of an input for the first time.
    fn get_unread(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let site = &code.fields[site as usize];
        if let Value::Unknown(_) = state.operand(0) {
            return self.settle(state, 0);
        }
        let (Some(field), Some(object)) = (site.resolved.get(), state.reference_operand(0)) else {
            return self.malformed(state, "a field of a primitive");
        };
        self.read_field(state, object, field.slot, field.kind, site.name, site.descriptor)
    }

    /// Gives a field of an input a value, if it has none yet, as a read of it would.
    pub fn decide_field(&mut self, state: &mut State, object: ObjId, field: &Field) -> Result<(), Stop> {
        if state.heap.field(object, field.slot as usize) != Value::Unread {
            return Ok(());
        }
        self.read_field(state, object, field.slot, field.kind, field.name, field.descriptor)
    }

    /// Gives an unread field a value: a new symbol, or the answer to a question.
    pub(crate) fn read_field(
        &mut self,
        state: &mut State,
        object: ObjId,
        slot: u32,
        kind: Kind,
        name: &str,
        descriptor: &str,
    ) -> Result<(), Stop> {
        let class = state.heap.class(object);
        let Some(input) = state.symbols.input(object) else {
            if self.tell(state, object)? {
                return Ok(());
            }
            return Err(self.unsupported(state, "looking into a text that depends on unknown values"));
        };
        if class.id == self.program.known().string.id {
            return self.read_characters(state, object);
        }
        if !class.is_users() && !self.rules.jdk_inputs && Kind::of_box(class.name).is_none() {
            let what = format!("an input of the class {} of the JDK, whose invariant is not known", class.java_name());
            return Err(self.unsupported(state, what));
        }
        if state.thread.is_guarded {
            self.note_contract_read(class, slot);
        }
        let place = Place { object, slot };
        let owner = class.declaration_at(slot).map(|(owner, _)| owner.id);
        let is_it = |limited: &&LimitedField| limited.slot == slot && Some(limited.owner.id) == owner;
        let limit = self.rules.fields.iter().find(is_it).map(|limited| limited.values);
        if let Some(LimitedValues::Initial) = limit {
            state.set_entry(place, kind.default_value());
            return Ok(());
        }
        if kind != Kind::Reference {
            let label = class.label_at(slot);
            let name = format!("{}.{}", input.name, label.as_deref().unwrap_or(name));
            let range = match limit {
                Some(LimitedValues::Range(least, greatest)) => (least, greatest),
                _ => kind.range(),
            };
            let value = self.symbol_within(state, &name, kind, range);
            state.set_entry(place, value);
            return Ok(());
        }
        if let Some(LimitedValues::Class(class)) = limit {
            return self.ask_read(state, place, &class.descriptor());
        }
        self.ask_read(state, place, descriptor)
    }

    pub(super) fn ask_read(&mut self, state: &mut State, place: Place, descriptor: &str) -> Result<(), Stop> {
        let declared = match self.program.load_descriptor(descriptor) {
            Ok(class) => class,
            Err(error) => {
                let fault = ClassFault::of_load(&self.program, &error);
                return Err(self.unsupported(state, fault));
            }
        };
        let declared = self.type_at_place(declared, state.generic_at(&self.program, place).as_deref());
        if !self.ready_to_ask(state, declared)? {
            return Ok(());
        }
        Err(Stop::Ask(Question::Read { place, declared }))
    }

    /// The declared type of a place, or what a type variable stands for there.
    pub(crate) fn type_at_place(&mut self, declared: &'static Class, generic: Option<&GenericType>) -> &'static Class {
        let narrower = generic.map_or(declared, |generic| generic.narrowed(declared));
        if narrower.id != declared.id {
            self.take_for_granted(Assumption::TypeArguments);
        }
        narrower
    }

    /// A static field that its class's initialiser did not set: others may have, before the method was entered.
    fn get_unread_static(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let site = &code.fields[site as usize];
        let Some(field) = site.resolved.get() else { return self.malformed(state, "a field that is not resolved") };
        let mirror = self.mirror(state, field.class);
        if field.class.name == IMMUTABLE {
            return self.get_immutable_order(state, mirror, site.name == SALT);
        }
        // No code can have set it before the class was initialised.
        let is_running = state.classes.slot(field.class.id).initialisation != Initialisation::Done;
        if is_running {
            state.complete(0, Some(field.kind.default_value()));
            return Ok(());
        }
        let name = format!("{}.{}", self.program.short_name(field.class), site.name);
        if let Some(example) = &self.example {
            let value = example.statics.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            state.heap.set_field(mirror, field.slot as usize, value.unwrap_or(field.kind.default_value()));
            return Ok(());
        }
        let value = if field.kind == Kind::Reference {
            let declared = match self.program.load_descriptor(site.descriptor) {
                Ok(class) => class,
                Err(error) => {
                    let fault = ClassFault::of_load(&self.program, &error);
                    return Err(self.unsupported(state, fault));
                }
            };
            if !self.ready_to_ask(state, declared)? {
                return Ok(());
            }
            state.symbols.add_unknown(Unknown {
                name: name.as_str().into(),
                declared,
                generic: self.program.generic_static(field.class, site.name),
                may_be_null: true,
                depth: 0,
                is: None,
                is_callers: false,
                place: None,
                call: None,
            })
        } else {
            self.new_symbol(state, &name, field.kind)
        };
        state.add_root(&name, value, Some((mirror, field.slot)));
        state.heap.set_field(mirror, field.slot as usize, value);
        Ok(())
    }

    /// The fields that decide in which order `Set.of` and `Map.of` are walked. A contract method must not decide what others see there.
    fn get_immutable_order(&mut self, state: &mut State, mirror: ObjId, wants_salt: bool) -> Result<(), Stop> {
        let (salt, reverse) = self.immutable_order(state);
        if state.thread.is_guarded {
            state.complete(0, Some(if wants_salt { salt } else { reverse }));
            return Ok(());
        }
        for (slot, value) in self.order_fields().into_iter().zip([salt, reverse]) {
            state.heap.set_field(mirror, slot, value);
        }
        Ok(())
    }

    /// The slots of these fields: `SALT32L` and `REVERSE`.
    fn order_fields(&self) -> Vec<usize> {
        let Ok(class) = self.program.load(IMMUTABLE) else { return Vec::new() };
        let fields = [SALT, REVERSE].into_iter().filter_map(|name| class.field(name));
        fields.map(|field| self.program.slot_of(field) as usize).collect()
    }

    /// Chooses an order of `Set.of` and `Map.of`, instead of that which the boot of the JDK's library chose.
    pub fn choose_immutable_order(&mut self, state: &mut State, salt: u32) {
        let Ok(class) = self.program.load(IMMUTABLE) else { return };
        let is_ready = self.initialise_fully(state, class).is_ok();
        debug_assert!(is_ready, "the library's own initialisers do not fail");
        let mirror = self.mirror(state, class);
        let values = [Value::Long(salt as i64), Value::bool(salt & 1 == 0)];
        for (slot, value) in self.order_fields().into_iter().zip(values) {
            state.heap.set_field(mirror, slot, value);
        }
    }

    /// Forgets the order of `Set.of` and `Map.of` that the boot of the JDK's library chose. The first that looks asks for one.
    pub fn forget_immutable_order(&mut self, state: &mut State) {
        let Ok(class) = self.program.load(IMMUTABLE) else { return };
        // Its initialiser must not choose one later.
        let is_ready = self.initialise_fully(state, class).is_ok();
        debug_assert!(is_ready, "the library's own initialisers do not fail");
        let mirror = self.mirror(state, class);
        for slot in self.order_fields() {
            state.heap.set_field(mirror, slot, Value::Unread);
        }
    }

    /// A new unknown primitive. On all paths, a name stands for the same symbol.
    pub(crate) fn new_symbol(&mut self, state: &mut State, name: &str, kind: Kind) -> Value {
        self.symbol_within(state, name, kind, kind.range())
    }

    /// A symbol for a number of some kind, within a range.
    fn symbol_within(&mut self, state: &mut State, name: &str, kind: Kind, within: (i64, i64)) -> Value {
        let (least, greatest) = kind.range();
        let (least, greatest) = (least.max(within.0), greatest.min(within.1));
        let range = match (kind, self.rules.numbers) {
            (Kind::Byte | Kind::Short | Kind::Char | Kind::Int | Kind::Long, Some((from, to))) => {
                (least.max(from), greatest.min(to))
            }
            _ => (least, greatest),
        };
        self.symbol_in(state, name, kind.sort().unwrap_or(Sort::Int), range)
    }

    pub(crate) fn symbol_in(&mut self, state: &mut State, name: &str, sort: Sort, range: (i64, i64)) -> Value {
        let known = self.variables.get(name).into_iter().flatten().find(|(_, known)| *known == (sort, range));
        let term = known.map(|(term, _)| *term).unwrap_or_else(|| {
            let term = self.terms.variable_in(name, sort, range);
            self.variables.entry(name.into()).or_default().push((term, (sort, range)));
            term
        });
        let variables = std::rc::Rc::make_mut(&mut state.symbols.variables);
        if !variables.contains(&term) {
            variables.push(term);
        }
        Value::Term(term, sort)
    }

    /// The class that the instruction tests for. None if it was resolved only now: the instruction runs again.
    fn tested_class(&mut self, state: &mut State, site: u32) -> Result<Option<&'static Class>, Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        match code.classes[site as usize].resolved.get() {
            Some(class) => Ok(Some(class)),
            None => self.resolve_class(state, site).map(|()| None),
        }
    }

    /// Is the top operand an instance of the class? Null is none.
    fn is_instance(&mut self, state: &mut State, tested: &'static Class) -> Result<bool, Stop> {
        match state.symbols.settled(state.operand(0)) {
            Value::Ref(None) => Ok(false),
            Value::Ref(Some(object)) => {
                self.settle(state, 0)?;
                self.has_type(state, object, tested)
            }
            Value::Unknown(id) => {
                let unknown = state.symbols.unknown(id);
                let (declared, may_be_null) = (unknown.declared, unknown.may_be_null);
                if declared.is_subtype_of(tested) {
                    return if may_be_null {
                        self.is_null(state, Value::Unknown(id)).map(|null| !null)
                    } else {
                        Ok(true)
                    };
                }
                Err(Stop::Ask(Question::Deref(id)))
            }
            _ => self.malformed(state, "an operand that is no reference").map(|()| false),
        }
    }

    /// May the top operand be cast to the class? A null may.
    fn passes_cast(&mut self, state: &mut State, tested: &'static Class) -> Result<bool, Stop> {
        match state.symbols.settled(state.operand(0)) {
            Value::Ref(None) => Ok(true),
            Value::Unknown(id) if state.symbols.unknown(id).declared.is_subtype_of(tested) => Ok(true),
            _ => self.is_instance(state, tested),
        }
    }

    /// Is the object of this type? Asks if its class is open in that respect.
    pub(crate) fn has_type(&mut self, state: &mut State, object: ObjId, tested: &'static Class) -> Result<bool, Stop> {
        match self.program.split(state.heap.class(object), tested) {
            Split { yes: Some(_), no: None } => Ok(true),
            Split { yes: None, .. } => Ok(false),
            Split { yes: Some(_), no: Some(_) }
                if tested.is_array() && state.symbols.handed.iter().any(|handed| handed.object == object) =>
            {
                let class = Some(tested.java_name());
                Err(self.unsupported(state, Reason::UnknownCodeReaches { class }))
            }
            Split { yes: Some(yes), no: Some(no) } => {
                let parts = vec![yes, no];
                Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }))
            }
        }
    }

    /// The class of an object, asked for until it is one class.
    pub(crate) fn exact_class(&mut self, state: &mut State, object: ObjId) -> Result<&'static Class, Stop> {
        let class = state.heap.class(object);
        let Some(possible) = class.possible() else { return Ok(class) };
        if possible.known.is_empty() {
            let bound = readable_type(&possible.bound.descriptor());
            let what = format!("a subclass of {bound} that is not on the class path");
            return Err(self.unsupported(state, what));
        }
        let parts = self.program.split_fully(class);
        Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }))
    }
}

impl State {
    /// Adds something that the path reads without a reference from an input.
    pub fn add_root(&mut self, name: &str, value: Value, holder: Option<(ObjId, u32)>) {
        std::rc::Rc::make_mut(&mut self.symbols.roots).push(Root { name: name.into(), value, holder });
    }
}
