//! When are two boxed values the same object? `Integer.valueOf` and its like give small values from a cache (JLS §5.1.7).
//!
//! A box of a value that is not known is one of the cached objects if the value is small. Instead of one path for each of them, it gets an object
//! of its own, and its identity is decided when the program compares it: two cached boxes are the same if their values are equal.
//! An input may be a cached object too, or not.

use lazuli_logic::{Binary, Sort, Term, Unary};

use super::Vm;
use crate::outcome::Stop;
use crate::program::Class;
use crate::state::State;
use crate::value::{Kind, ObjId, Value};

impl Vm {
    /// The cached box at an unknown index of a cache. None if the array is none, or the index is out of bounds.
    pub(super) fn cached_box(&mut self, state: &mut State, array: ObjId, index: Value) -> Result<Option<Value>, Stop> {
        let Value::Term(index, _) = index else { return Ok(None) };
        let Some(class) = state.heap.class(array).component().filter(|class| class.is_box) else { return Ok(None) };
        let Some(least) = least_of_cache(state, array, class) else { return Ok(None) };
        let length = state.heap.length(array).unwrap_or(0) as i32;
        let end = self.terms.int(length);
        let outside = self.is_outside(index, end);
        if self.decide(state, outside)? {
            return Ok(None);
        }
        let least = self.terms.int(least as i32);
        let mut value = self.terms.binary(Binary::Add, index, least);
        if Kind::of_box(class.name) == Some(Kind::Long) {
            value = self.terms.unary(Unary::Widen, value);
        }
        let value = self.value_of(value);
        let same = |known: &&ObjId| state.heap.class(**known).id == class.id && state.heap.field(**known, 0) == value;
        if let Some(known) = state.symbols.boxes.iter().find(same) {
            return Ok(Some((*known).into()));
        }
        Ok(Some(add_box(state, class, value).into()))
    }

    /// `valueOf` of an unknown value, of which it is not decided whether the cache has it. None if there is nothing to decide.
    pub(crate) fn new_box(&mut self, state: &mut State, class: &'static Class, value: Value) -> Option<ObjId> {
        let Value::Term(term, _) = value else { return None };
        let (least, greatest) = self.range_of_cache(state, class)?;
        let (lowest, highest) = self.terms.range(term);
        let is_decided = highest < least || greatest < lowest || (least <= lowest && highest <= greatest);
        (!is_decided).then(|| add_box(state, class, value))
    }

    /// The least and the greatest value of which there is a cached box.
    fn range_of_cache(&self, state: &State, class: &'static Class) -> Option<(i64, i64)> {
        let array = self.cache_of(state, class)?;
        let least = least_of_cache(state, array, class)?;
        Some((least, least + state.heap.length(array)? as i64 - 1))
    }

    /// Is a value one of those of which there is a cached box?
    fn is_in_cache(&mut self, state: &State, class: &'static Class, value: Term) -> Term {
        let Some((least, greatest)) = self.range_of_cache(state, class) else { return self.terms.truth(true) };
        let (least, greatest) = match self.terms.sort(value) {
            Sort::Long => (self.terms.long(least), self.terms.long(greatest)),
            _ => (self.terms.int(least as i32), self.terms.int(greatest as i32)),
        };
        let (above, below) = (self.terms.less_or_equal(least, value), self.terms.less_or_equal(value, greatest));
        self.terms.and(above, below)
    }

    /// May an object be from the cache of its class of boxes? An input, which may be too, is no concern of this.
    pub(super) fn may_be_cached(&mut self, state: &State, object: ObjId) -> bool {
        state.heap.class(object).is_box
            && state.symbols.input(object).is_none()
            && (state.symbols.boxes.contains(&object) || self.is_cached(state, object))
    }

    /// Are two different objects of one class of boxes the same after all?
    pub(super) fn are_same_box(&mut self, state: &mut State, left: ObjId, right: ObjId) -> Result<bool, Stop> {
        let is_input = |object| state.symbols.input(object).is_some();
        let (left_input, right_input) = (is_input(left), is_input(right));
        let is_unknown = |object: ObjId| state.symbols.boxes.contains(&object);
        let is_plain = !is_unknown(left) && !is_unknown(right) && !left_input && !right_input;
        // Different inputs are different objects.
        if is_plain || (left_input && right_input) {
            return Ok(false);
        }
        let mut same = self.terms.truth(true);
        let mut values = Vec::new();
        for (object, is_input) in [(left, left_input), (right, right_input)] {
            if !is_input && !state.symbols.boxes.contains(&object) && !self.is_cached(state, object) {
                return Ok(false);
            }
            let Some(value) = self.value_of_box(state, object)? else { return Ok(false) };
            values.push(value);
            if state.symbols.boxes.contains(&object) {
                let is_cached = self.is_in_cache(state, state.heap.class(object), value);
                same = self.terms.and(same, is_cached);
            }
            if is_input {
                let is_cached = self.is_cached_input(state, object);
                same = self.terms.and(same, is_cached);
                let is_only = self.no_other_is_cached(state, object, value);
                same = self.terms.and(same, is_only);
            }
        }
        let equal = self.terms.equal(values[0], values[1]);
        let same = self.terms.and(same, equal);
        self.decide(state, same)
    }

    /// Is an input that is a box one of the cached objects?
    fn is_cached_input(&mut self, state: &mut State, object: ObjId) -> Term {
        let name = state.symbols.input(object).map_or(String::new(), |input| name_of_cached(&input.name));
        let cached = self.new_symbol(state, &name, Kind::Boolean);
        let cached = self.term_of(cached, Sort::Int).expect("a boolean is an int");
        let one = self.terms.int(1);
        self.terms.equal(cached, one)
    }

    /// Is no other input the cached box of this value? Different inputs are different objects, and the cache has only one.
    fn no_other_is_cached(&mut self, state: &mut State, object: ObjId, value: Term) -> Term {
        let class = state.heap.class(object);
        let others: Vec<(ObjId, String)> = state
            .symbols
            .inputs
            .iter()
            .filter(|other| other.object != object && state.heap.class(other.object).id == class.id)
            .map(|other| (other.object, name_of_cached(&other.name)))
            .collect();
        let mut none = self.terms.truth(true);
        for (other, name) in others {
            // A box that was never asked about may still turn out not to be cached.
            let asked = self.variables.get(name.as_str()).into_iter().flatten();
            let is_asked = asked.into_iter().any(|(term, _)| state.symbols.variables.contains(term));
            let sort = Kind::of_box(class.name).and_then(Kind::sort);
            let held = sort.and_then(|sort| self.term_of(state.heap.field(other, 0), sort));
            let (true, Some(held)) = (is_asked, held) else { continue };
            let is_cached = self.is_cached_input(state, other);
            let equal = self.terms.equal(held, value);
            let both = self.terms.and(is_cached, equal);
            let not_both = self.terms.not(both);
            none = self.terms.and(none, not_both);
        }
        none
    }

    /// The value in a box, which is read if it is an input.
    pub(super) fn value_of_box(&mut self, state: &mut State, object: ObjId) -> Result<Option<Term>, Stop> {
        let class = state.heap.class(object);
        let Some(kind) = Kind::of_box(class.name) else { return Ok(None) };
        if state.heap.field(object, 0) == Value::Unread {
            self.read_field(state, object, 0, kind, "value", &kind.letter().to_string())?;
        }
        Ok(kind.sort().and_then(|sort| self.term_of(state.heap.field(object, 0), sort)))
    }

    /// Is the object in the cache of its class?
    fn is_cached(&mut self, state: &State, object: ObjId) -> bool {
        let class = state.heap.class(object);
        self.cached_object(state, class, state.heap.field(object, 0)) == Some(object)
    }

    /// The cached object of that class and value.
    pub fn cached_object(&self, state: &State, class: &'static Class, value: Value) -> Option<ObjId> {
        if Kind::of_box(class.name) == Some(Kind::Boolean) {
            return self.object_in(state, class, if value == Value::Int(0) { "FALSE" } else { "TRUE" });
        }
        let array = self.cache_of(state, class)?;
        let wanted = integer_of(value)?;
        let at = i32::try_from(wanted - least_of_cache(state, array, class)?).ok()?;
        match state.heap.element(array, at)? {
            Value::Ref(object) => object,
            _ => None,
        }
    }

    /// The array of all cached boxes of a class.
    fn cache_of(&self, state: &State, class: &'static Class) -> Option<ObjId> {
        let simple = class.name.rsplit('/').next()?;
        let cache = self.program.load(&format!("{}${simple}Cache", class.name)).ok()?;
        self.object_in(state, cache, "cache")
    }

    /// The object that a static field refers to.
    fn object_in(&self, state: &State, class: &'static Class, name: &str) -> Option<ObjId> {
        let mirror = state.classes.slot(class.id).mirror?;
        let field = class.field(name)?;
        state.heap.field(mirror, self.program.slot_of(field) as usize).object()
    }
}

fn add_box(state: &mut State, class: &'static Class, value: Value) -> ObjId {
    let object = state.heap.allocate(class);
    state.heap.set_field(object, 0, value);
    state.symbols.boxes.push(object);
    object
}

/// The variable that says whether an input box is a cached object.
pub fn name_of_cached(input: &str) -> String {
    format!("{input}.isCached")
}

/// The value of the first box in a cache: an array of boxes whose values grow by one.
fn least_of_cache(state: &State, array: ObjId, class: &'static Class) -> Option<i64> {
    let value = |at: i32| match state.heap.element(array, at)? {
        Value::Ref(Some(object)) if state.heap.class(object).id == class.id => integer_of(state.heap.field(object, 0)),
        _ => None,
    };
    let least = value(0)?;
    let length = state.heap.length(array)? as i32;
    (1..length).all(|at| value(at) == Some(least + at as i64)).then_some(least)
}

fn integer_of(value: Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(value as i64),
        Value::Long(value) => Some(value),
        _ => None,
    }
}
