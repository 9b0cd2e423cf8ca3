//! What does an answer change? The state as it would be if it had been known all along; the instruction then runs again.

use std::rc::Rc;

use lazuli_logic::{Binary, Node, Sort, Term, Unary};

use super::Vm;
use super::input_text::StringCoder;
use super::unknown_code::DeclaredType;
use crate::ambient::Assumption;
use crate::heap::{Body, Sparse};
use crate::library::recipe_of;
use crate::outcome::{Answer, Place, Question};
use crate::program::{Class, GenericType, access};
use crate::state::State;
use crate::symbols::{BuildTarget, Entry, Input, PendingBuild, Unknown};
use crate::universe::{read_elements, typed_fields};
use crate::unknown_code::{HandedObject, UnknownWrite};
use crate::value::{Kind, ObjId, Value};

/// The name of a new input, its distance from a root, and its origin.
struct Birth {
    name: Rc<str>,
    depth: u32,
    declared: &'static Class,
    generic: Option<Rc<GenericType>>,
    /// May an array be of a subtype of its declared type?
    is_callers: bool,
}

impl Vm {
    /// Writes an answer into the state. The answer must be one of the alternatives of the question.
    pub fn answer(&mut self, state: &mut State, question: &Question, answer: &Answer) {
        match (question, answer) {
            (_, Answer::Assume(term)) => self.assume(state, *term),
            (Question::Schedule { is_wake, .. }, answer) => self.answer_schedule(state, *is_wake, answer),
            (Question::Read { place, declared }, Answer::Build { recipe, size }) => {
                let Birth { name, depth, generic, .. } = self.birth(state, *place, declared);
                let target = BuildTarget::Place(*place);
                self.begin_build(
                    state,
                    PendingBuild { target, recipe, name, depth, declared, generic, is_late: false },
                    *size,
                );
            }
            (Question::Deref(id), Answer::Build { recipe, size }) => {
                let Unknown { name, depth, declared, generic, .. } = state.symbols.unknown(*id).clone();
                let target = BuildTarget::Unknown(*id);
                self.begin_build(
                    state,
                    PendingBuild { target, recipe, name, depth, declared, generic, is_late: false },
                    *size,
                );
            }
            (Question::Read { place, declared }, answer) => {
                let value = match answer {
                    Answer::Alias(object) => {
                        let generic = state.generic_at(&self.program, *place);
                        self.narrow_input(state, *object, declared, generic);
                        (*object).into()
                    }
                    Answer::Fresh => {
                        let birth = self.birth(state, *place, declared);
                        let made = self.new_input(state, birth);
                        self.note_given(state, made, state.symbols.given_by_call(place.object));
                        made.map_or(Value::NULL, Value::from)
                    }
                    Answer::Defer { may_be_null } => {
                        let Birth { name, depth, generic, .. } = self.birth(state, *place, declared);
                        let may_be_null = *may_be_null;
                        state.symbols.add_unknown(Unknown {
                            name,
                            declared,
                            generic,
                            may_be_null,
                            depth,
                            is: None,
                            is_callers: false,
                            place: Some(*place),
                            call: state.symbols.given_by_call(place.object),
                        })
                    }
                    _ => Value::NULL,
                };
                if self.is_written_by_call(state, *place, value) {
                    return;
                }
                // The value is written at entry and, as the place was not written yet, into the current heap.
                state.set_entry(*place, value);
            }
            (Question::Deref(id), answer) => {
                let unknown = state.symbols.unknown(*id).clone();
                let is = match answer {
                    Answer::Alias(object) => {
                        self.narrow_input(state, *object, unknown.declared, unknown.generic.clone());
                        self.same_ranks(state, *id, *object);
                        Some(*object)
                    }
                    Answer::Fresh => {
                        let Unknown { name, depth, declared, generic, is_callers, call, .. } = unknown.clone();
                        let made = self.new_input(state, Birth { name, depth, declared, generic, is_callers });
                        self.note_given(state, made, call);
                        made
                    }
                    _ => None,
                };
                state.symbols.unknown_mut(*id).is = Some(is);
                if let Some(place) = unknown.place {
                    self.is_written_by_call(state, place, Value::Ref(is));
                }
                // A loop that goes round by what such code returns would read something new each time.
                if state.symbols.unknown(*id).call.is_none() {
                    state.symbols.forks.clear();
                }
            }
            (Question::Null(id), Answer::Null) => state.symbols.unknown_mut(*id).is = Some(None),
            (Question::Null(id), _) => state.symbols.unknown_mut(*id).may_be_null = false,
            (Question::Class { object, .. }, Answer::Narrow(class)) => self.narrow_class(state, *object, class),
            _ => {}
        }
    }

    /// Adds to the path condition; a conjunction in its parts, but so that the whole is known too.
    pub fn assume(&mut self, state: &mut State, condition: Term) {
        match self.terms.node(condition) {
            Node::Binary(Binary::And, left, right) => {
                state.symbols.condition.implied.push(condition);
                self.assume(state, left);
                self.assume(state, right);
            }
            Node::Unary(Unary::Not, inner) if let Node::Binary(Binary::Or, left, right) = self.terms.node(inner) => {
                state.symbols.condition.implied.push(condition);
                let (left, right) = (self.terms.not(left), self.terms.not(right));
                self.assume(state, left);
                self.assume(state, right);
            }
            Node::Constant(_) => {}
            _ => state.symbols.condition.conjuncts.push(condition),
        }
    }

    fn birth(&mut self, state: &State, place: Place, declared: &'static Class) -> Birth {
        let owner = state.symbols.input(place.object);
        let depth = owner.map_or(0, |owner| owner.depth + 1);
        let name = self.name_of_place(state, place);
        let generic = state.generic_at(&self.program, place);
        Birth { name: name.as_str().into(), depth, declared, generic, is_callers: false }
    }

    /// `this.next`, `this.items[i]`
    pub fn name_of_place(&mut self, state: &State, place: Place) -> String {
        let index = state.heap.sparse(place.object).and_then(|sparse| sparse.touched.get(place.slot as usize));
        match index.map(|(index, _)| *index) {
            Some(index) => self.element_name(state, place.object, index),
            None => {
                let owner = state.symbols.input(place.object);
                let field = state.heap.class(place.object).label_at(place.slot);
                format!("{}.{}", owner.map_or("?", |owner| &owner.name), field.as_deref().unwrap_or("?"))
            }
        }
    }

    /// An input that a variable of this type refers to is of this type.
    fn narrow_input(
        &mut self,
        state: &mut State,
        object: ObjId,
        declared: &'static Class,
        generic: Option<Rc<GenericType>>,
    ) {
        if let Some(input) = state.symbols.input_mut(object)
            && input.counts_anew_as(declared)
        {
            input.counted = declared;
        }
        let class = state.heap.class(object);
        let narrower = self.program.split(class, declared).yes;
        if let Some(narrower) = narrower.and_then(|class| self.program.with_arguments(class, generic.as_deref()))
            && narrower.id != class.id
        {
            self.narrow_class(state, object, narrower);
        }
        if let Some(generic) = generic {
            self.narrow_arguments(state, object, generic);
        }
    }

    /// The type arguments of an input became known: what was read from it is of these types.
    fn narrow_arguments(&mut self, state: &mut State, object: ObjId, generic: Rc<GenericType>) {
        let Some(input) = state.symbols.input(object).cloned() else { return };
        let class = state.heap.class(object);
        if class.is_array() || matches!(input.entry, Entry::Built(_)) {
            return;
        }
        let read: Vec<_> = typed_fields(&self.program, state, &input, class, Some(&generic)).collect();
        self.narrow_read(state, read);
        // The later place tells more, unless it tells nothing: `Holder<?>` is wider than `Holder<String>`. What was found as an `Object` has no arguments yet.
        let is_more = input.generic.as_deref().is_none_or(|known| !known.is_telling() || generic.is_within(known));
        if let Some(input) = state.symbols.input_mut(object).filter(|_| is_more) {
            input.generic = Some(generic);
        }
    }

    /// The values that fields held at entry are of these types.
    fn narrow_read(&mut self, state: &mut State, read: Vec<(Value, &'static Class)>) {
        for (value, declared) in read {
            match value {
                Value::Ref(Some(object)) => {
                    let known = state.heap.class(object);
                    let narrower = self.program.split(known, declared).yes.filter(|narrower| narrower.id != known.id);
                    if let Some(narrower) = narrower.filter(|_| state.symbols.input(object).is_some()) {
                        self.narrow_class(state, object, narrower);
                    }
                }
                Value::Unknown(id) if declared.is_subtype_of(state.symbols.unknown(id).declared) => {
                    state.symbols.unknown_mut(id).declared = declared;
                }
                _ => {}
            }
        }
    }

    /// More became known about the class of an input. What turns out to be an array or a string gets the contents of one.
    fn narrow_class(&mut self, state: &mut State, object: ObjId, class: &'static Class) {
        let was = state.heap.class(object);
        // An array of a narrower type has held elements of that type all along.
        if let Some(component) =
            class.component().filter(|component| was.is_array() && component.kind() == Kind::Reference)
        {
            state.heap.narrow(object, class);
            for element in read_elements(state, object) {
                let known = state.heap.class(element);
                if let Some(narrower) =
                    self.program.split(known, component).yes.filter(|narrower| narrower.id != known.id)
                {
                    self.narrow_class(state, element, narrower);
                }
            }
            self.narrow_undecided(state, object, component);
            return;
        }
        let is_string = class.id == self.program.known().string.id && was.id != class.id;
        let name = state.symbols.input(object).map(|input| input.name.clone());
        let (true, Some(name)) = (is_string || (class.is_array() && !was.is_array()), name) else {
            state.heap.narrow(object, class);
            if let Some(input) = state.symbols.input(object).filter(|_| class.has_variables).cloned() {
                let read: Vec<_> = typed_fields(&self.program, state, &input, class, None).collect();
                self.narrow_read(state, read);
            }
            return;
        };
        let (body, entry) = if is_string {
            let fields = self.string_contents(state, &name);
            (Body::Fields(fields.clone()), Entry::Fields(fields))
        } else {
            self.array_contents(state, &name)
        };
        state.heap.replace(object, class, body);
        if let Some(input) = state.symbols.input_mut(object) {
            input.entry = entry;
        }
    }

    /// References that an array held at entry and that are not decided are of the type of its elements.
    fn narrow_undecided(&mut self, state: &mut State, array: ObjId, component: &'static Class) {
        let Some(Entry::Elements(elements)) = state.symbols.input(array).map(|input| &input.entry) else { return };
        let undecided: Vec<_> = elements
            .iter()
            .filter_map(|(_, value)| match state.symbols.settled(*value) {
                Value::Unknown(id) => Some(id),
                _ => None,
            })
            .collect();
        for id in undecided {
            let declared = state.symbols.unknown(id).declared;
            if component.is_subtype_of(declared) {
                state.symbols.unknown_mut(id).declared = component;
            }
        }
    }

    /// The receiver, of a class that the universe allows or of exactly this one.
    pub fn new_receiver(&mut self, state: &mut State, declared: &'static Class, class: &'static Class) -> ObjId {
        self.new_input_of(
            state,
            Birth { name: "this".into(), depth: 0, declared, generic: None, is_callers: false },
            class,
        )
    }

    /// Makes an input that the path has not met yet. None if no class is known that it could have.
    fn new_input(&mut self, state: &mut State, birth: Birth) -> Option<ObjId> {
        let declared = birth.declared;
        let is_exact = declared.is_array() && !birth.is_callers;
        let class = match recipe_of(declared).filter(|_| !self.rules.jdk_inputs) {
            Some(_) => self.program.beside_library(declared, self.rules.world)?,
            None if is_exact => declared,
            None => self.program.possible_classes(declared, self.rules.world)?,
        };
        let typed = self.program.with_arguments(class, birth.generic.as_deref())?;
        if typed.id != class.id {
            self.take_for_granted(Assumption::TypeArguments);
        }
        Some(self.new_input_of(state, birth, typed))
    }

    /// An object that a call by contract makes, of a declared type. Where no input is of that type, the result is decided later.
    pub(super) fn object_from_call(
        &mut self,
        state: &mut State,
        name: &str,
        (declared, generic): DeclaredType,
        call: u32,
    ) -> Value {
        let birth = Birth { name: name.into(), depth: 0, declared, generic: generic.clone(), is_callers: false };
        let is_made_otherwise = declared.kind() != Kind::Reference || recipe_of(declared).is_some();
        let made = if is_made_otherwise { None } else { self.new_input(state, birth) };
        match made {
            Some(object) => {
                Rc::make_mut(&mut state.symbols.made_by_calls).push(HandedObject { object, call, is_lazy: false });
                object.into()
            }
            None => self.value_from_call(state, name, (declared, generic), call),
        }
    }

    /// Notes that a call of code that is not there gave a new input.
    fn note_given(&self, state: &mut State, object: Option<ObjId>, call: Option<u32>) {
        if let (Some(object), Some(call)) = (object, call) {
            let given = HandedObject { object, call, is_lazy: false };
            Rc::make_mut(&mut state.symbols.given_by_calls).push(given);
        }
    }

    /// A field of an object that a call made, or gave, turns out to refer to an object that the program made: the call made the one and wrote the other there. False if it
    /// is another kind of place or value.
    fn is_written_by_call(&mut self, state: &mut State, place: Place, value: Value) -> bool {
        let Some(object) = value.object() else { return false };
        let class = state.heap.class(object);
        let is_there = state.symbols.input(object).is_some()
            || class.access & access::ENUM != 0
            || state.held_by_statics().iter().any(|held| held.object == object);
        let is_field = !state.heap.class(place.object).is_array();
        let given = state.symbols.given_by_call(place.object);
        let Some(call) = given.filter(|_| is_field && !is_there) else { return false };
        state.symbols.was_made(place.object);
        let slot = place.slot as usize;
        // Where the reference was decided late, the program may have written the field since.
        let now = state.heap.field(place.object, slot);
        if now == Value::Unread || state.symbols.settled(now) == value {
            state.heap.set_field(place.object, slot, value);
        }
        // It was not there at entry: what it held then is what it holds before the call writes.
        if let Some(Entry::Fields(fields)) = state.symbols.input_mut(place.object).map(|input| &mut input.entry)
            && let Some(field) = Rc::make_mut(fields).get_mut(slot)
            && *field != Value::Unread
        {
            *field = Value::NULL;
        }
        if let Some(call) = Rc::make_mut(&mut state.symbols.unknown_calls).get_mut(call as usize - 1) {
            let write = UnknownWrite { object: place.object, slot: place.slot, value };
            call.writes = call.writes.iter().copied().chain([write]).collect();
        }
        true
    }

    fn new_input_of(&mut self, state: &mut State, birth: Birth, class: &'static Class) -> ObjId {
        let known = self.program.known();
        if class.id == known.string.id {
            return self.new_input_string(state, birth);
        }
        let (body, entry) = if class.is_array() {
            self.array_contents(state, &birth.name)
        } else {
            let fields: Rc<[Value]> = std::iter::repeat_n(Value::Unread, class.defaults.len()).collect();
            (Body::Fields(fields.clone()), Entry::Fields(fields))
        };
        let object = state.heap.insert(class, body);
        let Birth { name, depth, declared: counted, generic, .. } = birth;
        state.add_input(Input { object, name, depth, counted, generic, entry });
        object
    }

    /// The contents of an input array, now and at entry: no element was read.
    fn array_contents(&mut self, state: &mut State, name: &str) -> (Body, Entry) {
        let longest = self.rules.touched.map_or(self.rules.length as i64, |_| i32::MAX as i64);
        let length = self.symbol_in(state, &format!("{name}.length"), Sort::Int, (0, longest));
        let sparse = Sparse { length, touched: Vec::new(), others: Value::Unread };
        (Body::Sparse(sparse.into()), Entry::Elements(Default::default()))
    }

    fn new_input_string(&mut self, state: &mut State, birth: Birth) -> ObjId {
        let fields = self.string_contents(state, &birth.name);
        let string = state.heap.insert(self.program.known().string, Body::Fields(fields.clone()));
        let entry = Entry::Fields(fields);
        let Birth { name, depth, declared: counted, .. } = birth;
        state.add_input(Input { object: string, name, depth, counted, generic: None, entry });
        string
    }

    /// The fields of a string. Where its characters may be any, whether all of them are Latin-1 is decided once something looks at them.
    fn string_contents(&mut self, state: &mut State, name: &str) -> Rc<[Value]> {
        let known = self.program.known();
        let (value_slot, coder_slot) = (known.string_value, known.string_coder);
        let mut fields: Vec<Value> = known.string.defaults.to_vec();
        let (value, coder) = match self.rules.all_units && self.rules.length > 0 {
            true => (Value::Unread, Value::Unread),
            false => (self.characters(state, name, StringCoder::Latin1), StringCoder::Latin1.value()),
        };
        fields[value_slot] = value;
        fields[coder_slot] = coder;
        fields.into()
    }

    /// A parameter, or a value that the program asked for: a symbol, or a reference that is decided when an instruction looks at it.
    pub fn new_argument(
        &mut self,
        state: &mut State,
        name: &str,
        declared: &'static Class,
        may_be_null: bool,
    ) -> Value {
        self.new_typed_argument(state, name, (declared, None), may_be_null)
    }

    /// The same with a type that has arguments.
    pub fn new_typed_argument(
        &mut self,
        state: &mut State,
        name: &str,
        (declared, generic): (&'static Class, Option<Rc<GenericType>>),
        may_be_null: bool,
    ) -> Value {
        let value = self.new_value(state, name, (declared, generic), may_be_null);
        state.add_root(name, value, None);
        value
    }

    /// The same without a root, for values that only a part of the path is about.
    pub fn new_value(
        &mut self,
        state: &mut State,
        name: &str,
        (declared, generic): (&'static Class, Option<Rc<GenericType>>),
        may_be_null: bool,
    ) -> Value {
        match declared.kind() {
            Kind::Reference => state.symbols.add_unknown(Unknown {
                name: name.into(),
                declared,
                generic,
                may_be_null,
                depth: 0,
                is: None,
                is_callers: true,
                place: None,
                call: None,
            }),
            kind => self.new_symbol(state, name, kind),
        }
    }
}

impl State {
    pub(super) fn add_input(&mut self, input: Input) {
        // Who else has it is not known.
        self.share(input.object.into());
        Rc::make_mut(&mut self.symbols.inputs).push(input);
        self.symbols.forks.clear();
    }
}
