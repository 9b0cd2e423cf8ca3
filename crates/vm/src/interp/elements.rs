//! How are elements of arrays read and written whose indices or lengths are symbolic?
//!
//! An array of symbolic length is sparse: it keeps the elements that the path has touched, and one value for all others. An index is decided against
//! those that were touched before, so that each touched element has a place of its own.

use lazuli_logic::{Binary, Expression, Sort, Term};

use super::{Trouble, Vm};
use crate::heap::{Body, Sparse};
use crate::outcome::{End, MOST_ELEMENTS, Place, Question, Stop};
use crate::program::Class;
use crate::state::State;
use crate::universe::Restriction;
use crate::value::{Kind, ObjId, Value};

/// The most cases into which an unknown index or length is split.
const MOST_CASES: usize = 4096;

/// Where an index points.
pub(crate) enum Location {
    OutOfBounds,
    /// An element of an array that is written down in full.
    Index(i32),
    /// A touched element of one that is not.
    Touched(usize),
}

impl Vm {
    pub(super) fn load_element(&mut self, state: &mut State) -> Result<(), Stop> {
        if let Value::Unknown(_) = state.operand(1) {
            return self.settle(state, 1);
        }
        let Value::Ref(array) = state.operand(1) else { return self.malformed(state, "operands of the wrong type") };
        let Some(array) = array else { return self.raise(state, Trouble::NullPointer) };
        let index = state.operand(0);
        let looked_up = match self.cached_box(state, array, index)? {
            Some(value) => Some(value),
            None => self.look_up(state, array, index)?,
        };
        if let Some(value) = looked_up {
            state.complete(2, Some(value));
            return Ok(());
        }
        let value = match self.locate(state, array, index)? {
            Location::OutOfBounds => return self.out_of_bounds(state, array, index),
            Location::Index(index) => state.heap.element(array, index).unwrap_or(Value::Top),
            Location::Touched(position) => match self.read_touched(state, array, position)? {
                Some(value) => value,
                None => return Ok(()),
            },
        };
        state.complete(2, Some(value));
        Ok(())
    }

    /// An element of a table of numbers at an unknown index. Where neighbours are all equal, or grow with the index, one
    /// case stands for all of them. None if the array is no such table, or the index is out of bounds.
    pub(super) fn look_up(&mut self, state: &mut State, array: ObjId, index: Value) -> Result<Option<Value>, Stop> {
        let Value::Term(index, _) = index else { return Ok(None) };
        let length = state.heap.length(array).unwrap_or(0) as i32;
        let numbers: Vec<i32> = (0..length)
            .map_while(|at| match state.heap.element(array, at) {
                Some(Value::Int(number)) => Some(number),
                _ => None,
            })
            .collect();
        if length == 0 || numbers.len() < length as usize || length as usize > MOST_CASES {
            return Ok(None);
        }
        // A run (first, last, step) means numbers[i] = numbers[first] + step * (i - first) for first <= i <= last, with a step
        // of 0 or 1. [0, 0, 5, 6, 7] has the runs (0, 1, 0) and (2, 4, 1): two cases instead of five, with the values 0 and
        // index + 3. A table in which every run is one element gains nothing.
        let runs = runs_of(&numbers);
        if runs.len() == numbers.len() {
            return Ok(None);
        }
        let end = self.terms.int(length);
        let mut cases = vec![self.is_outside(index, end)];
        for (first, last, _) in &runs {
            let (first, last) = (self.terms.int(*first), self.terms.int(*last));
            let (from, to) = (self.terms.less_or_equal(first, index), self.terms.less_or_equal(index, last));
            cases.push(self.terms.and(from, to));
        }
        let Some(chosen) = self.decide_case(state, cases)?.checked_sub(1) else { return Ok(None) };
        let (first, _, step) = runs[chosen];
        let number = self.terms.int(numbers[first as usize].wrapping_sub(first * step));
        let number = if step == 0 { number } else { self.terms.binary(Binary::Add, index, number) };
        Ok(Some(self.value_of(number)))
    }

    /// The value of a touched element. None if a class must be initialised first.
    pub(crate) fn read_touched(
        &mut self,
        state: &mut State,
        array: ObjId,
        position: usize,
    ) -> Result<Option<Value>, Stop> {
        let Some((index, value)) = state.heap.sparse(array).and_then(|sparse| sparse.touched.get(position)).copied()
        else {
            return Ok(Some(Value::Top));
        };
        if value != Value::Unread {
            return Ok(Some(value));
        }
        let place = Place { object: array, slot: position as u32 };
        let component = state.heap.class(array).component().expect("only arrays have touched elements");
        if component.kind() != Kind::Reference {
            let name = self.element_name(state, array, index);
            let value = self.new_symbol(state, &name, component.kind());
            state.set_entry(place, value);
            return Ok(Some(value));
        }
        self.ask_read(state, place, &component.descriptor()).map(|()| None)
    }

    /// `this.items[i + 1]`
    pub(crate) fn element_name(&mut self, state: &State, array: ObjId, index: Value) -> String {
        let owner = state.symbols.input(array).map_or("array", |input| &input.name);
        match self.term_of(index, Sort::Int) {
            // A variable is its name: nothing may be left out of it.
            Some(index) => format!("{owner}[{:#}]", Expression::of(&self.terms, index)),
            None => format!("{owner}[?]"),
        }
    }

    pub(super) fn store_element(&mut self, state: &mut State) -> Result<(), Stop> {
        if let Value::Unknown(_) = state.operand(2) {
            return self.settle(state, 2);
        }
        let Value::Ref(array) = state.operand(2) else { return self.malformed(state, "operands of the wrong type") };
        let Some(array) = array else { return self.raise(state, Trouble::NullPointer) };
        let (index, mut value) = (state.operand(1), state.operand(0));
        let location = self.locate(state, array, index)?;
        if let Location::OutOfBounds = location {
            return self.out_of_bounds(state, array, index);
        }
        let Some(component) = state.heap.class(array).component() else {
            return self.malformed(state, "an element of something that is no array");
        };
        if component.kind() == Kind::Reference {
            if !self.may_store(state, array, component, value)? {
                let class = state.reference_operand(0).map_or(component, |object| state.heap.class(object));
                return self.raise(state, Trouble::ArrayStore(class));
            }
        } else {
            value = self.narrowed(component.kind(), value);
        }
        match location {
            Location::Touched(position) => {
                self.check_write(state, array, None)?;
                if let Some(sparse) = state.heap.sparse_mut(array) {
                    sparse.touched[position].1 = value;
                }
            }
            Location::Index(index) => {
                if matches!(value, Value::Term(..)) && !matches!(state.heap.get(array).body, Body::Mixed(_)) {
                    state.heap.mix(array);
                }
                if !state.heap.set_element(array, index, value) {
                    return self.malformed(state, "an element of the wrong type");
                }
            }
            Location::OutOfBounds => {}
        }
        state.complete(3, None);
        Ok(())
    }

    /// May the value be stored in an array with such components (JVMS §6.5.aastore)?
    fn may_store(
        &mut self,
        state: &mut State,
        array: ObjId,
        component: &'static Class,
        value: Value,
    ) -> Result<bool, Stop> {
        let value = state.symbols.settled(value);
        let own = match value {
            Value::Ref(None) => return Ok(true),
            Value::Ref(Some(object)) => state.heap.class(object),
            Value::Unknown(id) => {
                let unknown = state.symbols.unknown(id);
                // An element of this very array fits into it, whatever the class of either is.
                if unknown.place.is_some_and(|place| place.object == array) {
                    return Ok(true);
                }
                let declared = unknown.declared;
                if !state.heap.class(array).is_open() && declared.is_subtype_of(component) {
                    return Ok(true);
                }
                return Err(Stop::Ask(Question::Deref(id)));
            }
            _ => return self.malformed(state, "an element of the wrong type").map(|()| false),
        };
        // The array's own class first: it may be an array of a subtype.
        if state.heap.class(array).is_open() {
            if own.is_subtype_of(component) && !own.is_open() && self.takes_all(state.heap.class(array), own) {
                return Ok(true);
            }
            self.exact_class(state, array)?;
        }
        match value {
            Value::Ref(Some(object)) => self.has_type(state, object, component),
            _ => Ok(true),
        }
    }

    /// May an element of this class be stored in every array that the open class stands for?
    fn takes_all(&self, array: &'static Class, element: &'static Class) -> bool {
        let fits = |known: &&'static Class| known.component().is_some_and(|component| element.is_subtype_of(component));
        array.possible().is_some_and(|possible| !possible.others && possible.known.iter().all(fits))
    }

    pub(super) fn array_length(&mut self, state: &mut State) -> Result<(), Stop> {
        if let Value::Unknown(_) = state.operand(0) {
            return self.settle(state, 0);
        }
        let length = state.reference_operand(0).and_then(|array| state.heap.sparse(array)).map(|sparse| sparse.length);
        match length {
            Some(length) => {
                state.complete(1, Some(length));
                Ok(())
            }
            None => self.malformed(state, "the length of something that is no array"),
        }
    }

    /// The length of an array, as a value.
    pub fn length_of(&self, state: &State, array: ObjId) -> Option<Value> {
        match state.heap.sparse(array) {
            Some(sparse) => Some(sparse.length),
            None => state.heap.length(array).map(|length| Value::Int(length as i32)),
        }
    }

    /// Is the index negative, or not below the length?
    pub(super) fn is_outside(&mut self, index: Term, length: Term) -> Term {
        let zero = self.terms.int(0);
        let (negative, beyond) = (self.terms.less(index, zero), self.terms.less_or_equal(length, index));
        self.terms.or(negative, beyond)
    }

    /// Where does an index point? Out of bounds, to an element that was touched before, or to one that now is.
    pub(crate) fn locate(&mut self, state: &mut State, array: ObjId, index: Value) -> Result<Location, Stop> {
        let Some(term) = self.term_of(index, Sort::Int) else {
            return self.malformed(state, "an index that is no int").map(|()| Location::OutOfBounds);
        };
        if let Some(length) = state.heap.length(array) {
            if let Value::Int(index) = index {
                let fits = usize::try_from(index).is_ok_and(|index| index < length);
                return Ok(if fits { Location::Index(index) } else { Location::OutOfBounds });
            }
            if length > MOST_CASES {
                return Err(self.unsupported(state, "an unknown index into an array of more than 4096 elements"));
            }
            // All elements are written down: case 0 is out of bounds, case i + 1 is the element i.
            let end = self.terms.int(length as i32);
            let mut cases = vec![self.is_outside(term, end)];
            for at in 0..length as i32 {
                let at = self.terms.int(at);
                cases.push(self.terms.equal(term, at));
            }
            let chosen = self.decide_case(state, cases)?;
            return Ok(if chosen == 0 { Location::OutOfBounds } else { Location::Index(chosen as i32 - 1) });
        }
        let Some(sparse) = state.heap.sparse(array) else {
            return self.malformed(state, "an element of something that is no array").map(|()| Location::OutOfBounds);
        };
        let length = sparse.length;
        let indices: Vec<Value> = sparse.touched.iter().map(|(index, _)| *index).collect();
        let length = self.term_of(length, Sort::Int).expect("a length is an int");
        let outside = self.is_outside(term, length);
        if self.decide(state, outside)? {
            return Ok(Location::OutOfBounds);
        }
        // Invariant of `Sparse`: the touched indices differ pairwise on this path, so that the cases exclude each other:
        // with i and j touched, index = i, index = j, or index differs from both and touches a new element.
        let mut new = self.terms.truth(true);
        let mut cases = Vec::with_capacity(indices.len() + 1);
        for touched in indices {
            let touched = self.term_of(touched, Sort::Int).expect("an index is an int");
            let same = self.terms.equal(term, touched);
            cases.push(same);
            let other = self.terms.not(same);
            new = self.terms.and(new, other);
        }
        cases.push(new);
        let last = cases.len() - 1;
        let chosen = self.decide_case(state, cases)?;
        // The bound is one of inputs: an array that the run made, as the text of a message, has all its elements.
        let bound = self.rules.touched.filter(|_| state.symbols.input(array).is_some());
        if let Some(most) = bound.filter(|most| chosen == last && last >= *most) {
            return Err(End::Beyond(Box::new(Restriction::Touched { most })).into());
        }
        Ok(Location::Touched(if chosen == last { state.touch(array, index) } else { chosen }))
    }

    pub(super) fn out_of_bounds(&mut self, state: &mut State, array: ObjId, index: Value) -> Result<(), Stop> {
        match (index, state.heap.length(array)) {
            (Value::Int(index), Some(_)) => self.raise(state, Trouble::IndexOutOfBounds { array, index }),
            _ => self.raise(state, Trouble::Untold("java/lang/ArrayIndexOutOfBoundsException")),
        }
    }

    /// An array whose length is not known, all of its elements zero or null.
    pub(super) fn new_sparse_array(
        &mut self,
        state: &mut State,
        class: &'static Class,
        length: Term,
    ) -> Result<(), Stop> {
        if self.is_negative(state, length)? {
            return self.raise(state, Trouble::Untold("java/lang/NegativeArraySizeException"));
        }
        let is_users = state.thread.frames.last().is_some_and(|frame| frame.method.class().is_users());
        let length = match self.rules.decides_lengths && is_users {
            true => Value::Int(self.decided_length(state, length, false)?),
            false => self.value_of(length),
        };
        let array = match length {
            Value::Int(known) => match self.allocate_array_here(state, class, known) {
                Ok(array) => array,
                Err(trouble) => return self.raise(state, trouble),
            },
            unknown => self.sparse_array(state, class, unknown),
        };
        state.complete(1, Some(array.into()));
        Ok(())
    }

    /// Is an unknown length negative?
    pub(super) fn is_negative(&mut self, state: &State, length: Term) -> Result<bool, Stop> {
        let zero = self.terms.int(0);
        let negative = self.terms.less(length, zero);
        self.decide(state, negative)
    }

    /// A new array of unknown length, which is not negative.
    pub(super) fn sparse_array(&self, state: &mut State, class: &'static Class, length: Value) -> ObjId {
        let others = class.component_kind().unwrap_or(Kind::Reference).default_value();
        state.heap.insert(class, Body::Sparse(Sparse { length, touched: Vec::new(), others }.into()))
    }

    /// The length of a new array: one path for each, as far as the bounds allow.
    pub(super) fn decided_length(&mut self, state: &State, length: Term, is_nested: bool) -> Result<i32, Stop> {
        for elements in 0..=MOST_ELEMENTS {
            let number = self.terms.int(elements);
            let is_it = self.terms.equal(length, number);
            if self.known_truth(state, is_it) == Some(true) {
                return Ok(elements);
            }
        }
        Err(Stop::Ask(Question::Length { length, is_nested }))
    }

    /// The number that an unknown int is: one path for each that is possible, up to a largest one.
    pub(crate) fn fix(&mut self, state: &mut State, value: Value, most: i32) -> Result<i32, Stop> {
        let Value::Term(term, Sort::Int) = value else {
            return match value {
                Value::Int(value) => Ok(value),
                _ => self.malformed(state, "an operand that is no int").map(|()| 0),
            };
        };
        let (least, greatest) = self.terms.range(term);
        let (least, greatest) = (least.max(0) as i32, greatest.min(most as i64) as i32);
        if greatest as i64 - least as i64 > MOST_CASES as i64 {
            return Err(self.unsupported(state, "a number of elements that is not known"));
        }
        let mut cases = Vec::new();
        let mut none = self.terms.truth(true);
        for number in least..=greatest {
            let number = self.terms.int(number);
            let case = self.terms.equal(term, number);
            cases.push(case);
            let other = self.terms.not(case);
            none = self.terms.binary(Binary::And, none, other);
        }
        // The last case is every number outside of the range: it ends as unsupported, so that no input is lost silently.
        cases.push(none);
        let chosen = self.decide_case(state, cases)?;
        let number = least + chosen as i32;
        if number > greatest {
            return Err(self.unsupported(state, "a number of elements that is not known"));
        }
        Ok(number)
    }
}

/// Cuts a table into runs of neighbours that are equal or grow by one: (first, last, growth).
fn runs_of(numbers: &[i32]) -> Vec<(i32, i32, i32)> {
    let mut runs: Vec<(i32, i32, i32)> = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        let at = at as i32;
        if let Some((first, last, step)) = runs.last_mut() {
            // A run of one element takes its step from the next one; a longer run keeps its own.
            let growth = number.wrapping_sub(numbers[at as usize - 1]);
            let fits = if first == last { growth == 0 || growth == 1 } else { growth == *step };
            if fits {
                (*last, *step) = (at, growth);
                continue;
            }
        }
        runs.push((at, at, 0));
    }
    runs
}
