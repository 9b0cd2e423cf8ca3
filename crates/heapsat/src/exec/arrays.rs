//! How are arrays read, written and allocated, over all inputs at once?
//!
//! An array of the input has room for as many elements as the bounds allow, and a length that is a variable; an element is a location like a field,
//! whose slot is its index. An array that the code allocates has as many elements as the solver finds possible.

use std::rc::Rc;

use lazuli_logic::circuit::{Lit, Word};
use lazuli_vm::program::Class;
use lazuli_vm::value::{Kind, ObjId};

use crate::Refusal;
use crate::exec::exceptions::Thrown;
use crate::exec::executor::Executor;
use crate::exec::path::{EntryLocation, GuardedPath, ObjectBody};
use crate::exec::value::{Pointee, PointsTo, SymValue, guard_of};

/// An array that the code allocates may have this many elements.
const MOST_ELEMENTS: i64 = 64;

const OUTSIDE: &str = "java/lang/ArrayIndexOutOfBoundsException";

impl Executor<'_> {
    /// A new array; with more than one length, of new arrays.
    pub(crate) fn new_arrays(
        &mut self,
        path: &mut GuardedPath,
        class: &'static Class,
        lengths: &[Word],
    ) -> Result<SymValue, Refusal> {
        let zero = self.circuit.word_constant(32, 0);
        for length in lengths {
            let is_negative = self.circuit.less(length, &zero);
            self.throws(path, is_negative, Thrown::New("java/lang/NegativeArraySizeException"))?;
        }
        self.nested_arrays(path, class, lengths)
    }

    fn nested_arrays(
        &mut self,
        path: &mut GuardedPath,
        class: &'static Class,
        lengths: &[Word],
    ) -> Result<SymValue, Refusal> {
        let [length, inner @ ..] = lengths else { return Err(self.unsupported("an array without a length")) };
        let array = self.new_array(path, class, length)?;
        if let (Some(component), false, SymValue::Ref(refs)) = (class.component(), inner.is_empty(), &array) {
            for (target, _) in refs.iter() {
                for at in 0..self.room(path, *target)? {
                    let element = self.nested_arrays(path, component, inner)?;
                    self.set_element(path, *target, at, Lit::TRUE, &element)?;
                }
            }
        }
        Ok(array)
    }

    fn new_array(&mut self, path: &mut GuardedPath, class: &'static Class, length: &Word) -> Result<SymValue, Refusal> {
        let room = match self.circuit.word_constant_of(length) {
            Some(known) => known.max(0),
            None => self.longest(path, length)?,
        };
        if room > MOST_ELEMENTS {
            return Err(self.unsupported(&format!("an array of more than {MOST_ELEMENTS} elements")));
        }
        let kind = class.component_kind().unwrap_or(Kind::Reference);
        let Some(first) = self.value_of(kind.default_value()) else {
            return Err(self.unsupported("an array of floating-point numbers with numbers of few bits"));
        };
        Ok(self.make_array(path, class, vec![first; room as usize], length.clone()))
    }

    fn make_array(
        &mut self,
        path: &mut GuardedPath,
        class: &'static Class,
        elements: Vec<SymValue>,
        length: Word,
    ) -> SymValue {
        self.allocations.set_length(self.allocations.next(), length);
        self.allocate(path, class, ObjectBody::Elements(elements))
    }

    /// The greatest value of a length on a path, up to the most elements that an array may have.
    fn longest(&mut self, path: &GuardedPath, length: &Word) -> Result<i64, Refusal> {
        let mut longest = 0;
        while longest <= MOST_ELEMENTS {
            let known = self.circuit.word_constant(32, longest);
            let is_longer = self.circuit.less(&known, length);
            let is_longer = self.circuit.and(path.guard, is_longer);
            if !self.is_feasible(is_longer)? {
                break;
            }
            longest += 1;
        }
        Ok(longest)
    }

    pub(crate) fn array_length(&mut self, path: &GuardedPath, refs: &PointsTo) -> Result<SymValue, Refusal> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            parts.push((*when, SymValue::Word(self.length(path, *target)?)));
        }
        self.any_of(parts)
    }

    /// Loads an element; where the index is outside, the path throws.
    pub(crate) fn load(&mut self, path: &mut GuardedPath, refs: &PointsTo, index: &[Lit]) -> Result<SymValue, Refusal> {
        let mut parts = Vec::new();
        let mut inside = Vec::new();
        for (target, when) in refs.iter() {
            for (at, there) in self.indices(path, *target, index)? {
                let is_it = self.circuit.and(there, *when);
                if is_it != Lit::FALSE {
                    inside.push(is_it);
                    parts.push((is_it, self.element(path, *target, at)?));
                }
            }
        }
        let inside = self.circuit.any(inside);
        self.throws(path, !inside, Thrown::New(OUTSIDE))?;
        if parts.is_empty() {
            path.guard = Lit::FALSE;
        }
        match self.any_of(parts)? {
            SymValue::Ref(refs) => Ok(SymValue::Ref(self.prune(path.guard, refs)?)),
            other => Ok(other),
        }
    }

    pub(crate) fn store(
        &mut self,
        path: &mut GuardedPath,
        refs: &PointsTo,
        index: &[Lit],
        value: SymValue,
    ) -> Result<(), Refusal> {
        let mut inside = Vec::new();
        let mut there = Vec::new();
        for (target, when) in refs.iter() {
            for (at, is_there) in self.indices(path, *target, index)? {
                let is_it = self.circuit.and(is_there, *when);
                inside.push(is_it);
                there.push((*target, at, is_it));
            }
        }
        let inside = self.circuit.any(inside);
        self.throws(path, !inside, Thrown::New(OUTSIDE))?;
        if let SymValue::Ref(value) = &value {
            self.check_store(path, refs, value)?;
        }
        for (target, at, when) in there.into_iter().filter(|(.., when)| *when != Lit::FALSE) {
            self.set_element(path, target, at, when, &value)?;
        }
        Ok(())
    }

    /// Copies elements from one array to another, which may be the same.
    pub(crate) fn copy(&mut self, path: &mut GuardedPath, arguments: &[SymValue]) -> Result<(), Refusal> {
        let [
            SymValue::Ref(from),
            SymValue::Word(from_at),
            SymValue::Ref(to),
            SymValue::Word(to_at),
            SymValue::Word(count),
        ] = arguments
        else {
            return Err(self.unsupported("a copy of what is not known"));
        };
        let (from, to) = (self.object(path, from.clone())?, self.object(path, to.clone())?);
        if path.guard == Lit::FALSE {
            return Ok(());
        }
        let zero = self.circuit.word_constant(32, 0);
        let (from_end, to_end) = (self.circuit.add(from_at, count), self.circuit.add(to_at, count));
        let mut wrong = Vec::new();
        for (refs, at, end) in [(&from, from_at, &from_end), (&to, to_at, &to_end)] {
            let SymValue::Word(length) = self.array_length(path, refs)? else { continue };
            // A sum that overflows is negative.
            let ends = [self.circuit.less(at, &zero), self.circuit.less(end, &zero), self.circuit.less(&length, end)];
            wrong.extend(ends);
        }
        wrong.push(self.circuit.less(count, &zero));
        let wrong = self.circuit.any(wrong);
        self.throws(path, wrong, Thrown::New(OUTSIDE))?;
        let component =
            |executor: &Self, target: Pointee| Ok(executor.class_of(path, target)?.component().map(|it| it.id));
        let components = from.iter().chain(to.iter()).map(|(target, _)| component(self, *target));
        let components: Vec<_> = components.collect::<Result<_, Refusal>>()?;
        let is_open = |(target, _): &(Pointee, Lit)| self.class_of(path, *target).is_ok_and(|class| class.is_open());
        let may_differ = from.iter().chain(to.iter()).any(is_open);
        if may_differ || components.iter().any(|other| *other != components[0]) {
            return Err(self.unsupported("a copy between arrays of different types"));
        }
        // All values are read before the first is written, since the arrays may be the same. Element `at` of the target comes from element `from` of
        // the source if `to_at - from_at == at - from`.
        let shift = self.circuit.subtract(to_at, from_at);
        let mut values: Vec<(Pointee, u32, Lit, SymValue)> = Vec::new();
        for (target, when) in to.iter() {
            for at in 0..self.room(path, *target)? {
                let here = self.circuit.word_constant(32, at as i64);
                let is_behind = self.circuit.less_or_equal(to_at, &here);
                let is_before = self.circuit.less(&here, &to_end);
                let written = self.circuit.all([*when, is_behind, is_before]);
                let mut parts = Vec::new();
                for (source, which) in from.iter() {
                    for from in 0..self.room(path, *source)? {
                        let distance = self.circuit.word_constant(32, at as i64 - from as i64);
                        let is_from = self.circuit.word_equal(&shift, &distance);
                        let is_from = self.circuit.and(is_from, *which);
                        if self.circuit.and(is_from, written) != Lit::FALSE {
                            parts.push((is_from, self.element(path, *source, from)?));
                        }
                    }
                }
                if written != Lit::FALSE && !parts.is_empty() {
                    values.push((*target, at, written, self.any_of(parts)?));
                }
            }
        }
        for (target, at, when, value) in values {
            self.set_element(path, target, at, when, &value)?;
        }
        Ok(())
    }

    /// Throws where the array cannot hold the value (JVMS §6.5.aastore).
    fn check_store(&mut self, path: &mut GuardedPath, refs: &PointsTo, value: &PointsTo) -> Result<(), Refusal> {
        let mut fitting = vec![guard_of(value, Pointee::Null)];
        let objects: PointsTo = value.iter().filter(|(target, _)| *target != Pointee::Null).copied().collect();
        for (target, when) in refs.iter().filter(|_| !objects.is_empty()) {
            for (class, which) in self.exact_classes(path, *target)? {
                match class.component().filter(|_| !class.is_open()) {
                    Some(component) => {
                        let fits = self.has_class(path, &objects, component)?;
                        fitting.push(self.circuit.all([*when, which, fits]));
                    }
                    None => {
                        let unknown = self.circuit.and(*when, which);
                        self.truncate_where(
                            path,
                            unknown,
                            "a store into an array of a class that is not on the class path",
                        )?;
                    }
                }
            }
        }
        let fits = self.circuit.any(fitting);
        self.throws(path, !fits, Thrown::New("java/lang/ArrayStoreException"))
    }

    /// The indices within an array that a number may equal, each with its guard.
    fn indices(&mut self, path: &GuardedPath, target: Pointee, index: &[Lit]) -> Result<Vec<(u32, Lit)>, Refusal> {
        let length = self.length(path, target)?;
        let mut indices = Vec::new();
        for at in 0..self.room(path, target)? {
            let here = self.circuit.word_constant(32, at as i64);
            let is_it = self.circuit.word_equal(index, &here);
            let is_there = self.circuit.less(&here, &length);
            indices.push((at, self.circuit.and(is_it, is_there)));
        }
        Ok(indices)
    }

    /// How many elements an array has.
    fn length(&mut self, path: &GuardedPath, target: Pointee) -> Result<Word, Refusal> {
        let known = match target {
            Pointee::Concrete(_) => Some(self.circuit.word_constant(32, self.room(path, target)? as i64)),
            Pointee::Atom(atom) => self.universe.lengths.get(&atom).cloned(),
            Pointee::Allocated(number) => match self.allocations.length(number) {
                Some(length) => Some(length.clone()),
                None => Some(self.circuit.word_constant(32, self.room(path, target)? as i64)),
            },
            _ => None,
        };
        known.ok_or_else(|| self.unsupported("an array of which nothing is known"))
    }

    /// How many elements it may have at most.
    fn room(&self, path: &GuardedPath, target: Pointee) -> Result<u32, Refusal> {
        let known = match target {
            Pointee::Atom(atom) if self.universe.lengths.contains_key(&atom) => Some(self.universe.room(atom)),
            Pointee::Concrete(object) => {
                self.statics.heap.length(ObjId::from_index(object as usize)).map(|length| length as u32)
            }
            Pointee::Allocated(number) => match path.heap.get(number).map(|made| &made.body) {
                Some(ObjectBody::Elements(elements)) => Some(elements.len() as u32),
                _ => None,
            },
            _ => None,
        };
        known.ok_or_else(|| self.unsupported("an array of which nothing is known"))
    }

    fn element(&mut self, path: &GuardedPath, target: Pointee, at: u32) -> Result<SymValue, Refusal> {
        match target {
            Pointee::Atom(atom) => {
                let kind = self.universe.atoms[atom as usize].class.component_kind().unwrap_or(Kind::Reference);
                self.current(path, EntryLocation::Field { atom, slot: at, kind })
            }
            Pointee::Concrete(object) => {
                let kind = self.concrete_class(object).component_kind().unwrap_or(Kind::Reference);
                self.current(path, EntryLocation::Concrete { object, slot: at, kind })
            }
            Pointee::Allocated(number) => match path.heap.get(number).map(|made| &made.body) {
                Some(ObjectBody::Elements(elements)) => Ok(elements[at as usize].clone()),
                _ => Err(self.unsupported("an array that is not there")),
            },
            _ => Err(self.unsupported("an array of which nothing is known")),
        }
    }

    fn set_element(
        &mut self,
        path: &mut GuardedPath,
        target: Pointee,
        at: u32,
        when: Lit,
        value: &SymValue,
    ) -> Result<(), Refusal> {
        let kind = self.class_of(path, target)?.component_kind().unwrap_or(Kind::Reference);
        let value = value.clone().stored_as(kind);
        match target {
            Pointee::Atom(_) if !self.mode.is_method() => Err(self.unsupported("a write to the input")),
            Pointee::Concrete(object) => {
                self.change(path, EntryLocation::Concrete { object, slot: at, kind }, when, &value)
            }
            Pointee::Atom(atom) => self.change(path, EntryLocation::Field { atom, slot: at, kind }, when, &value),
            _ => {
                let only: PointsTo = Rc::new([(target, when)]);
                self.write(path, &only, |body| matches!(body, ObjectBody::Elements(_)).then_some(at as usize), &value)
            }
        }
    }

    /// A copy of an object, field by field or element by element.
    pub(crate) fn clone_of(&mut self, path: &mut GuardedPath, refs: &PointsTo) -> Result<SymValue, Refusal> {
        let [(target, _)] = refs[..] else { return Err(self.unsupported("a clone of one of several objects")) };
        let class = self.class_of(path, target)?;
        if !class.is_array() || class.is_open() {
            return Err(self.unsupported(&format!("a clone of {}", class.java_name())));
        }
        let (length, room) = (self.length(path, target)?, self.room(path, target)?);
        let elements = (0..room).map(|at| self.element(path, target, at)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.make_array(path, class, elements, length))
    }
}
