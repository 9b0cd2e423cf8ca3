//! What do arrays do, over all inputs at once?
//!
//! An array of the input has room for as many elements as the bounds allow, and a length that is a variable; an element is a place like a field, whose slot is its index. An
//! array that the code makes has as many elements as the solver finds possible.

use std::rc::Rc;

use lazuli_logic::circuit::{Lit, Word};
use lazuli_vm::program::Class;
use lazuli_vm::value::{Kind, ObjId};

use super::Refusal;
use super::exceptions::Thrown;
use super::meaning::{Meaning, Refs, Target, is};
use super::translate::Translator;
use super::way::{Body, Place, Way};

/// An array that is made may have this many elements.
const MOST_ELEMENTS: i64 = 64;

const OUTSIDE: &str = "java/lang/ArrayIndexOutOfBoundsException";

impl Translator<'_> {
    /// A new array; with more than one length, of new arrays.
    pub fn new_arrays(&mut self, way: &mut Way, class: &'static Class, lengths: &[Word]) -> Result<Meaning, Refusal> {
        let zero = self.circuit.word_constant(32, 0);
        for length in lengths {
            let is_negative = self.circuit.less(length, &zero);
            self.throws(way, is_negative, Thrown::New("java/lang/NegativeArraySizeException"))?;
        }
        self.nested_arrays(way, class, lengths)
    }

    fn nested_arrays(&mut self, way: &mut Way, class: &'static Class, lengths: &[Word]) -> Result<Meaning, Refusal> {
        let [length, inner @ ..] = lengths else { return Err(self.unsupported("an array without a length")) };
        let array = self.new_array(way, class, length)?;
        if let (Some(component), false, Meaning::Ref(refs)) = (class.component(), inner.is_empty(), &array) {
            for (target, _) in refs.iter() {
                for at in 0..self.room(way, *target)? {
                    let element = self.nested_arrays(way, component, inner)?;
                    self.set_element(way, *target, at, Lit::TRUE, &element)?;
                }
            }
        }
        Ok(array)
    }

    fn new_array(&mut self, way: &mut Way, class: &'static Class, length: &Word) -> Result<Meaning, Refusal> {
        let room = match self.circuit.word_constant_of(length) {
            Some(known) => known.max(0),
            None => self.longest(way, length)?,
        };
        if room > MOST_ELEMENTS {
            return Err(self.unsupported(&format!("an array of more than {MOST_ELEMENTS} elements")));
        }
        let kind = class.component_kind().unwrap_or(Kind::Reference);
        let Some(first) = self.meaning_of(kind.default_value()) else {
            return Err(self.unsupported("an array of floating-point numbers"));
        };
        Ok(self.make_array(way, class, vec![first; room as usize], length.clone()))
    }

    fn make_array(&mut self, way: &mut Way, class: &'static Class, elements: Vec<Meaning>, length: Word) -> Meaning {
        self.lengths.insert(self.next_object, length);
        self.make(way, class, Body::Elements(elements))
    }

    /// The greatest that a number can be on a way, as far as an array may be long.
    fn longest(&mut self, way: &Way, length: &Word) -> Result<i64, Refusal> {
        let mut longest = 0;
        while longest <= MOST_ELEMENTS {
            let known = self.circuit.word_constant(32, longest);
            let is_longer = self.circuit.less(&known, length);
            let is_longer = self.circuit.and(way.guard, is_longer);
            if !self.is_possible(is_longer)? {
                break;
            }
            longest += 1;
        }
        Ok(longest)
    }

    pub fn array_length(&mut self, way: &Way, refs: &Refs) -> Result<Meaning, Refusal> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            parts.push((*when, Meaning::Word(self.length(way, *target)?)));
        }
        self.any_of(parts)
    }

    /// An element of what the reference may be; ways on which there is none throw.
    pub fn load(&mut self, way: &mut Way, refs: &Refs, index: &[Lit]) -> Result<Meaning, Refusal> {
        let mut parts = Vec::new();
        let mut inside = Vec::new();
        for (target, when) in refs.iter() {
            for (at, there) in self.indices(way, *target, index)? {
                let is_it = self.circuit.and(there, *when);
                if is_it != Lit::FALSE {
                    inside.push(is_it);
                    parts.push((is_it, self.element(way, *target, at)?));
                }
            }
        }
        let inside = self.circuit.any(inside);
        self.throws(way, !inside, Thrown::New(OUTSIDE))?;
        if parts.is_empty() {
            way.guard = Lit::FALSE;
        }
        match self.any_of(parts)? {
            Meaning::Ref(refs) => Ok(Meaning::Ref(self.narrow(way.guard, refs)?)),
            other => Ok(other),
        }
    }

    pub fn store(&mut self, way: &mut Way, refs: &Refs, index: &[Lit], value: Meaning) -> Result<(), Refusal> {
        let mut inside = Vec::new();
        let mut there = Vec::new();
        for (target, when) in refs.iter() {
            for (at, is_there) in self.indices(way, *target, index)? {
                let is_it = self.circuit.and(is_there, *when);
                inside.push(is_it);
                there.push((*target, at, is_it));
            }
        }
        let inside = self.circuit.any(inside);
        self.throws(way, !inside, Thrown::New(OUTSIDE))?;
        if let Meaning::Ref(value) = &value {
            self.check_store(way, refs, value)?;
        }
        for (target, at, when) in there.into_iter().filter(|(.., when)| *when != Lit::FALSE) {
            self.set_element(way, target, at, when, &value)?;
        }
        Ok(())
    }

    /// Copies elements from one array to another, which may be the same.
    pub fn copy(&mut self, way: &mut Way, arguments: &[Meaning]) -> Result<(), Refusal> {
        let [Meaning::Ref(from), Meaning::Word(from_at), Meaning::Ref(to), Meaning::Word(to_at), Meaning::Word(count)] =
            arguments
        else {
            return Err(self.unsupported("a copy of what is not known"));
        };
        let (from, to) = (self.object(way, from.clone())?, self.object(way, to.clone())?);
        if way.guard == Lit::FALSE {
            return Ok(());
        }
        let zero = self.circuit.word_constant(32, 0);
        let (from_end, to_end) = (self.circuit.add(from_at, count), self.circuit.add(to_at, count));
        let mut wrong = Vec::new();
        for (refs, at, end) in [(&from, from_at, &from_end), (&to, to_at, &to_end)] {
            let Meaning::Word(length) = self.array_length(way, refs)? else { continue };
            // What is past the greatest number is negative.
            let ends = [self.circuit.less(at, &zero), self.circuit.less(end, &zero), self.circuit.less(&length, end)];
            wrong.extend(ends);
        }
        wrong.push(self.circuit.less(count, &zero));
        let wrong = self.circuit.any(wrong);
        self.throws(way, wrong, Thrown::New(OUTSIDE))?;
        let component =
            |translator: &Self, target: Target| Ok(translator.class_of(way, target)?.component().map(|it| it.id));
        let components = from.iter().chain(to.iter()).map(|(target, _)| component(self, *target));
        let components: Vec<_> = components.collect::<Result<_, Refusal>>()?;
        let is_open = |(target, _): &(Target, Lit)| self.class_of(way, *target).is_ok_and(|class| class.is_open());
        let may_differ = from.iter().chain(to.iter()).any(is_open);
        if may_differ || components.iter().any(|other| *other != components[0]) {
            return Err(self.unsupported("a copy between arrays of different types"));
        }
        let shift = self.circuit.subtract(to_at, from_at);
        let mut values: Vec<(Target, u32, Lit, Meaning)> = Vec::new();
        for (target, when) in to.iter() {
            for at in 0..self.room(way, *target)? {
                let here = self.circuit.word_constant(32, at as i64);
                let is_behind = self.circuit.less_or_equal(to_at, &here);
                let is_before = self.circuit.less(&here, &to_end);
                let written = self.circuit.all([*when, is_behind, is_before]);
                let mut parts = Vec::new();
                for (source, which) in from.iter() {
                    for from in 0..self.room(way, *source)? {
                        let distance = self.circuit.word_constant(32, at as i64 - from as i64);
                        let is_from = self.circuit.word_equal(&shift, &distance);
                        let is_from = self.circuit.and(is_from, *which);
                        if self.circuit.and(is_from, written) != Lit::FALSE {
                            parts.push((is_from, self.element(way, *source, from)?));
                        }
                    }
                }
                if written != Lit::FALSE && !parts.is_empty() {
                    values.push((*target, at, written, self.any_of(parts)?));
                }
            }
        }
        for (target, at, when, value) in values {
            self.set_element(way, target, at, when, &value)?;
        }
        Ok(())
    }

    /// What may be stored in an array (JVMS §6.5.aastore)?
    fn check_store(&mut self, way: &mut Way, refs: &Refs, value: &Refs) -> Result<(), Refusal> {
        let mut fitting = vec![is(value, Target::Null)];
        let objects: Refs = value.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
        for (target, when) in refs.iter().filter(|_| !objects.is_empty()) {
            for (class, which) in self.exact_classes(way, *target)? {
                match class.component().filter(|_| !class.is_open()) {
                    Some(component) => {
                        let fits = self.has_class(way, &objects, component)?;
                        fitting.push(self.circuit.all([*when, which, fits]));
                    }
                    None => {
                        let unknown = self.circuit.and(*when, which);
                        self.leave_out(way, unknown, "a store into an array of a class that is not on the class path")?;
                    }
                }
            }
        }
        let fits = self.circuit.any(fitting);
        self.throws(way, !fits, Thrown::New("java/lang/ArrayStoreException"))
    }

    /// The indices that a number may be within an array, and when it is that one.
    fn indices(&mut self, way: &Way, target: Target, index: &[Lit]) -> Result<Vec<(u32, Lit)>, Refusal> {
        let length = self.length(way, target)?;
        let mut indices = Vec::new();
        for at in 0..self.room(way, target)? {
            let here = self.circuit.word_constant(32, at as i64);
            let is_it = self.circuit.word_equal(index, &here);
            let is_there = self.circuit.less(&here, &length);
            indices.push((at, self.circuit.and(is_it, is_there)));
        }
        Ok(indices)
    }

    /// How many elements an array has.
    fn length(&mut self, way: &Way, target: Target) -> Result<Word, Refusal> {
        let known = match target {
            Target::Held(_) => Some(self.circuit.word_constant(32, self.room(way, target)? as i64)),
            Target::Atom(atom) => self.universe.lengths.get(&atom).cloned(),
            Target::Made(number) => match self.lengths.get(&number) {
                Some(length) => Some(length.clone()),
                None => Some(self.circuit.word_constant(32, self.room(way, target)? as i64)),
            },
            _ => None,
        };
        known.ok_or_else(|| self.unsupported("an array of which nothing is known"))
    }

    /// How many it may have.
    fn room(&self, way: &Way, target: Target) -> Result<u32, Refusal> {
        let known = match target {
            Target::Atom(atom) if self.universe.lengths.contains_key(&atom) => Some(self.universe.longest),
            Target::Held(object) => {
                self.statics.heap.length(ObjId::from_index(object as usize)).map(|length| length as u32)
            }
            Target::Made(number) => match way.heap.get(number).map(|made| &made.body) {
                Some(Body::Elements(elements)) => Some(elements.len() as u32),
                _ => None,
            },
            _ => None,
        };
        known.ok_or_else(|| self.unsupported("an array of which nothing is known"))
    }

    fn element(&mut self, way: &Way, target: Target, at: u32) -> Result<Meaning, Refusal> {
        match target {
            Target::Atom(atom) => {
                let kind = self.universe.atoms[atom as usize].class.component_kind().unwrap_or(Kind::Reference);
                self.current(way, Place::Field { atom, slot: at, kind })
            }
            Target::Held(object) => {
                let kind = self.held_class(object).component_kind().unwrap_or(Kind::Reference);
                self.current(way, Place::Held { object, slot: at, kind })
            }
            Target::Made(number) => match way.heap.get(number).map(|made| &made.body) {
                Some(Body::Elements(elements)) => Ok(elements[at as usize].clone()),
                _ => Err(self.unsupported("an array that is not there")),
            },
            _ => Err(self.unsupported("an array of which nothing is known")),
        }
    }

    fn set_element(
        &mut self,
        way: &mut Way,
        target: Target,
        at: u32,
        when: Lit,
        value: &Meaning,
    ) -> Result<(), Refusal> {
        let kind = self.class_of(way, target)?.component_kind().unwrap_or(Kind::Reference);
        let value = value.clone().kept_as(kind);
        match target {
            Target::Atom(_) if self.whole.is_none() => Err(self.unsupported("a write to the input")),
            Target::Held(object) => self.change(way, Place::Held { object, slot: at, kind }, when, &value),
            Target::Atom(atom) => self.change(way, Place::Field { atom, slot: at, kind }, when, &value),
            _ => {
                let only: Refs = Rc::new([(target, when)]);
                self.write(way, &only, |body| matches!(body, Body::Elements(_)).then_some(at as usize), &value)
            }
        }
    }

    /// A copy of an object, field by field or element by element.
    pub fn clone_of(&mut self, way: &mut Way, refs: &Refs) -> Result<Meaning, Refusal> {
        let [(target, _)] = refs[..] else { return Err(self.unsupported("a clone of one of several objects")) };
        let class = self.class_of(way, target)?;
        if !class.is_array() || class.is_open() {
            return Err(self.unsupported(&format!("a clone of {}", class.java_name())));
        }
        let (length, room) = (self.length(way, target)?, self.room(way, target)?);
        let elements = (0..room).map(|at| self.element(way, target, at)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.make_array(way, class, elements, length))
    }
}
