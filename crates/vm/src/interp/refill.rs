//! How does code that is not there change a collection of the library that it gets? It leaves it as it is, or empties it and fills it anew.
//!
//! Which of the two, and with how many elements, is a choice of the path. The elements are new unknown values, of the type that the place tells through which the collection
//! was handed over. Emptying and filling is code that runs in a frame behind the call ([`Program::refill_script`]), so that hash tables and trees come about as
//! they do on a JVM. Example: after `repository.saveAll(items)`, `items` is as it was, or has up to as many elements as an input list.
//!
//! [`Program::refill_script`]: crate::program::Program::refill_script

use std::rc::Rc;

use lazuli_logic::Sort;

use super::Vm;
use crate::ambient::Assumption;
use crate::frame::{Frame, Purpose};
use crate::library::{LibraryForm, LibraryRecipe, held_by, recipe_for};
use crate::outcome::{Place, Question, Stop};
use crate::program::{Class, Field, GenericType, Method, access};
use crate::reason::Reason;
use crate::state::State;
use crate::symbols::Unknown;
use crate::unknown_code::{Havoc, UnknownRefill};
use crate::value::{Kind, ObjId, Value};

/// Collections that never change begin with these names.
const UNCHANGING: [&str; 3] =
    ["java/util/ImmutableCollections$", "java/util/Collections$Singleton", "java/util/Collections$Empty"];

/// A collection or map that a call fills anew.
pub(super) struct Refilling {
    object: ObjId,
    recipe: &'static LibraryRecipe,
    /// How the report calls it.
    name: String,
    generic: Rc<GenericType>,
    size: usize,
}

impl Vm {
    /// All that the holder of an object of the library that can change gets at through it. None if that is not followed.
    pub(super) fn parts_of_library(&mut self, state: &mut State, object: ObjId) -> Result<Option<Vec<Value>>, Stop> {
        let class = state.heap.class(object);
        let held = |name: &str| {
            let field = class.chain().find_map(|class| class.fields.iter().find(|field| field.name == name))?;
            Some(state.symbols.settled(state.heap.field(object, field.slot as usize)))
        };
        if class.name.starts_with("java/util/Collections$Unmodifiable") {
            // The elements, and not the collection behind the view.
            return match held("c").or_else(|| held("m")) {
                Some(Value::Unknown(id)) => Err(Stop::Ask(Question::Deref(id))),
                Some(Value::Ref(Some(inner))) if is_refillable(state.heap.class(inner)) => {
                    self.parts_of_library(state, inner)
                }
                _ => Ok(None),
            };
        }
        if class.name == "java/util/Arrays$ArrayList" {
            return Ok(held("a").map(|array| vec![array]));
        }
        if UNCHANGING.iter().any(|prefix| class.name.starts_with(prefix)) {
            let references = |field: &&Field| !field.is_static() && field.kind == Kind::Reference;
            let fields = class.chain().flat_map(|class| class.fields.iter()).filter(references);
            let held = fields.map(|field| state.heap.field(object, field.slot as usize)).collect();
            return self.without_arrays(state, held);
        }
        Ok(held_by(&state.heap, object).filter(|_| is_refillable(class)).map(|contents| contents.values))
    }

    /// These references, with the elements of an array in place of the array: no code gets hold of the one in which a `List.of(…)` or a `BigInteger` keeps what it holds.
    /// None if a class must be initialised first.
    pub(super) fn without_arrays(&mut self, state: &mut State, held: Vec<Value>) -> Result<Option<Vec<Value>>, Stop> {
        let mut found = Vec::new();
        for value in held {
            match value {
                Value::Ref(Some(array)) if state.heap.class(array).is_array() => {
                    let Some(elements) = self.elements_of(state, array)? else { return Ok(None) };
                    found.extend(elements);
                }
                value => found.push(value),
            }
        }
        Ok(Some(found))
    }

    /// The collections and maps among these objects that the call fills anew, each with a number of elements that is asked for. None if a class must be initialised
    /// first.
    pub(super) fn refillings(
        &mut self,
        state: &mut State,
        call: &str,
        (method, receiver, given): (&'static Method, Option<ObjId>, &[Value]),
        reached: &[ObjId],
    ) -> Result<Option<Vec<Refilling>>, Stop> {
        let mut found = Vec::new();
        let mut named: Option<Vec<ObjId>> = None;
        for object in reached.iter().copied() {
            let class = state.heap.class(object);
            let Some(recipe) = recipe_for(class).filter(|_| is_refillable(class)) else { continue };
            let is_named = named.get_or_insert_with(|| self.named_by_unknown_code(state, receiver, given));
            let generic = self.type_of_contents(state, object, recipe, (method, receiver, given), reached);
            let Some(generic) = generic.filter(|_| is_named.contains(&object)) else {
                let class = Some(class.java_name());
                return Err(self.unsupported(state, Reason::UnknownCodeReaches { class }));
            };
            for argument in &generic.arguments {
                if !self.ready_to_ask(state, argument.class)? {
                    return Ok(None);
                }
            }
            let name = match state.symbols.input(object) {
                Some(input) => input.name.to_string(),
                None => format!("{} {}", self.program.short_name(class), object.index()),
            };
            let most = self.rules.length as i32;
            let size = format!("{name}.size() after {call}");
            let size = self.symbol_in(state, &size, Sort::Int, (-1, most as i64));
            let Value::Term(size, _) = size else { continue };
            // -1: it is left as it is.
            let cases = (-1..=most).map(|number| (number, self.terms.int(number))).collect::<Vec<_>>();
            let cases = cases.into_iter().map(|(_, number)| self.terms.equal(size, number)).collect();
            if let Some(size) = self.decide_case(state, cases)?.checked_sub(1) {
                found.push(Refilling { object, recipe, name, generic, size });
            }
        }
        if !found.is_empty() {
            self.take_for_granted(Assumption::Refills { most: self.rules.length });
        }
        Ok(Some(found))
    }

    /// The objects that such code can name: those that it gets or has given, and what leads on from them, but for private fields. Where an object has an invariant, its
    /// methods make of it whatever that allows.
    fn named_by_unknown_code(&mut self, state: &State, receiver: Option<ObjId>, given: &[Value]) -> Vec<ObjId> {
        let mut waiting: Vec<Value> = given.iter().copied().chain(receiver.map(Value::from)).collect();
        for call in state.symbols.unknown_calls.iter() {
            waiting.extend(call.arguments.iter().copied().chain([call.receiver]).chain(call.made_reference()));
            waiting.extend(call.writes.iter().map(|write| write.value));
            waiting.extend(call.refills.iter().flat_map(|refill| refill.values.iter().copied()));
        }
        if self.rules.havoc == Havoc::All {
            waiting.extend(state.symbols.roots.iter().map(|root| root.value));
        }
        let mut found: Vec<ObjId> = Vec::new();
        while let Some(value) = waiting.pop() {
            let Value::Ref(Some(object)) = state.symbols.settled(value) else { continue };
            if found.contains(&object) {
                continue;
            }
            found.push(object);
            let class = state.heap.class(object);
            if class.is_array() {
                let length = state.heap.length(object).unwrap_or(0) as i32;
                waiting.extend((0..length).filter_map(|at| state.heap.element(object, at)));
                waiting.extend(
                    state
                        .heap
                        .sparse(object)
                        .into_iter()
                        .flat_map(|sparse| sparse.touched.iter().map(|(_, value)| *value)),
                );
                continue;
            }
            if let Some(contents) = held_by(&state.heap, object) {
                waiting.extend(contents.values);
                continue;
            }
            let is_open = !class.is_users() || self.invariant_of(state, object).is_some();
            let is_named = |field: &&Field| {
                let is_reference = !field.is_static() && field.kind == Kind::Reference;
                is_reference && (is_open || field.access & access::PRIVATE == 0)
            };
            let fields = class.chain().flat_map(|class| class.fields.iter()).filter(is_named);
            waiting.extend(fields.map(|field| state.heap.field(object, field.slot as usize)));
        }
        found
    }

    /// The type of a collection with that of its elements, as far as a place tells it that leads to it: its own as an input, the parameter of this or an earlier
    /// call, or a field.
    fn type_of_contents(
        &self,
        state: &State,
        object: ObjId,
        recipe: &'static LibraryRecipe,
        (method, receiver, given): (&'static Method, Option<ObjId>, &[Value]),
        reached: &[ObjId],
    ) -> Option<Rc<GenericType>> {
        // Nothing is said of the elements by `List<?>` and `<T> void take(List<T> list)`.
        let is_telling = |generic: &Rc<GenericType>| {
            let is_told =
                |argument: &GenericType| argument.is_exact || argument.class.id != self.program.known().object.id;
            generic.arguments.len() == recipe.values_of_element() && generic.arguments.iter().all(is_told)
        };
        let is_it = |value: Value| state.symbols.settled(value) == Value::Ref(Some(object));
        let of_call = |method: &'static Method, receiver: Option<ObjId>, given: &[Value]| {
            let at = receiver.and_then(|receiver| state.symbols.input(receiver)?.generic.clone());
            let parameters = self.program.generic_parameters_of(method, at.as_deref());
            let told = given.iter().zip(parameters).filter(|(value, _)| is_it(**value));
            told.filter_map(|(_, parameter)| parameter).find(is_telling)
        };
        let own = state.symbols.input(object).and_then(|input| input.generic.clone()).filter(is_telling);
        own.or_else(|| of_call(method, receiver, given))
            .or_else(|| {
                state.symbols.unknown_calls.iter().find_map(|call| {
                    of_call(call.method, state.symbols.settled(call.receiver).object(), &call.arguments)
                })
            })
            .or_else(|| {
                reached.iter().copied().find_map(|holder| {
                    let class = state.heap.class(holder);
                    let is_field = |field: &&Field| !field.is_static() && field.kind == Kind::Reference;
                    let fields = class.chain().filter(|_| class.is_users() && !class.is_array());
                    let mut fields = fields.flat_map(|class| class.fields.iter()).filter(is_field);
                    fields.find_map(|field| {
                        let place = Place { object: holder, slot: field.slot };
                        let value = state.heap.field(holder, field.slot as usize);
                        state.generic_at(&self.program, place).filter(|told| is_it(value) && is_telling(told))
                    })
                })
            })
    }

    /// The new elements of a collection.
    pub(super) fn new_contents(
        &mut self,
        state: &mut State,
        call: &str,
        refilling: &Refilling,
        number: u32,
    ) -> UnknownRefill {
        let Refilling { object, recipe, name, generic, size } = refilling;
        let parameters = recipe.parameters(&self.program, Some(generic), *size);
        let values = parameters.into_iter().map(|parameter| {
            let name = format!("{name}{} after {call}", parameter.label);
            state.symbols.add_unknown(Unknown {
                name: name.as_str().into(),
                declared: parameter.declared.class,
                generic: Some(Rc::new(parameter.declared)),
                may_be_null: parameter.may_be_null,
                depth: 0,
                is: None,
                is_callers: true,
                place: None,
                call: Some(number),
            })
        });
        UnknownRefill { object: *object, values: values.collect() }
    }

    /// Enters the code that fills a collection, behind a call that is done, or before one that throws.
    pub(super) fn enter_refill(&mut self, state: &mut State, object: ObjId, values: &[Value]) -> Result<(), Stop> {
        let class = state.heap.class(object);
        let recipe = recipe_for(class).filter(|_| is_refillable(class));
        let script = recipe.and_then(|recipe| {
            let size = values.len() / recipe.values_of_element();
            self.program.refill_script(recipe, size)
        });
        let Some(script) = script else {
            let class = Some(class.java_name());
            return Err(self.unsupported(state, Reason::UnknownCodeReaches { class }));
        };
        let code = self.program.code(script).expect("scripts have code");
        let base = state.thread.top();
        let end = base + code.registers as usize;
        if state.thread.stack.len() < end {
            state.thread.stack.resize(end.next_power_of_two(), Value::Top);
        }
        state.thread.stack[base..end].fill(Value::Top);
        state.thread.stack[base..base + values.len()].copy_from_slice(values);
        state.thread.stack[base + values.len()] = object.into();
        state.thread.frames.push(Frame {
            method: script,
            code,
            base: base as u32,
            pc: 0,
            sp: code.locals,
            purpose: Purpose::Refill,
            synchronized: None,
        });
        Ok(())
    }
}

/// Can all that such a collection or map may hold be put into it by its methods?
fn is_refillable(class: &Class) -> bool {
    let recipe = recipe_for(class);
    recipe.is_some_and(|recipe| matches!(recipe.form, LibraryForm::Elements { .. } | LibraryForm::Pairs { .. }))
}
