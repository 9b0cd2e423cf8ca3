//! What do fields hold, over all inputs at once, and what do writes make of that?

use std::rc::Rc;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Code, ResolvedField};
use lazuli_vm::value::{Kind, ObjId, Value};

use super::Refusal;
use super::meaning::{Meaning, Refs, Target, choose};
use super::translate::Translator;
use super::way::{Body, Place, Way};

/// A reference that may be more than this is worth asking the solver what it may be.
const FEW: usize = 3;

impl Translator<'_> {
    /// What a field of what the reference may be holds.
    pub fn read(&mut self, way: &mut Way, refs: &Refs, field: &ResolvedField) -> Result<Meaning, Refusal> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            if !self.may_have(way, *target, field) {
                continue;
            }
            if *target == Target::Null {
                continue;
            }
            let value = self.field_of(way, *target, field)?;
            let value = value.ok_or_else(|| self.unsupported("a field of an object whose class is not known"))?;
            parts.push((*when, value));
        }
        if parts.is_empty() {
            way.guard = Lit::FALSE;
        }
        match self.any_of(parts)? {
            Meaning::Ref(refs) if refs.len() > FEW => Ok(Meaning::Ref(self.narrow(way.guard, refs)?)),
            other => Ok(other),
        }
    }

    /// What a field of one object holds. None if nothing is known of the object.
    pub fn field_of(&mut self, way: &Way, target: Target, field: &ResolvedField) -> Result<Option<Meaning>, Refusal> {
        Ok(match target {
            Target::Atom(atom) => {
                self.may_be_read(way, atom, field)?;
                let slot = self.universe.slot(atom, field);
                Some(self.current(way, Place::Field { atom, slot, kind: field.kind })?)
            }
            // The JDK's constructors of exceptions are not executed, and the virtual machine fills in what its own exceptions say.
            Target::Made(_) if self.is_of_exception(field) => {
                return Err(self.unsupported("what an exception keeps: its message, cause, stack trace and the like"));
            }
            Target::Made(number) => match way.heap.get(number).map(|made| &made.body) {
                Some(Body::Fields(fields)) => fields.get(field.slot as usize).cloned(),
                _ => None,
            },
            Target::Held(object) => {
                Some(self.current(way, Place::Held { object, slot: field.slot, kind: field.kind })?)
            }
            Target::Null | Target::Mirror(_) | Target::Other => None,
        })
    }

    pub fn write_field(
        &mut self,
        way: &mut Way,
        refs: &Refs,
        field: &ResolvedField,
        value: &Meaning,
    ) -> Result<(), Refusal> {
        let having = refs.iter().copied().filter(|(target, _)| self.may_have(way, *target, field));
        let (input, made): (Vec<_>, Vec<_>) =
            having.partition(|(target, _)| matches!(target, Target::Atom(_) | Target::Held(_)));
        if !input.is_empty() && self.whole.is_none() {
            return Err(self.unsupported("a write to the input"));
        }
        for (target, when) in input {
            let place = match target {
                Target::Atom(atom) => {
                    self.may_be_written(atom, field)?;
                    Place::Field { atom, slot: self.universe.slot(atom, field), kind: field.kind }
                }
                Target::Held(object) => Place::Held { object, slot: field.slot, kind: field.kind },
                _ => unreachable!("others were sorted out"),
            };
            self.change(way, place, when, value)?;
        }
        let slot = field.slot as usize;
        let place = |body: &mut Body| match body {
            Body::Fields(fields) if slot < fields.len() => Some(slot),
            _ => None,
        };
        self.write(way, &made.into(), place, value)
    }

    /// Does the JDK keep something of an exception in this field?
    fn is_of_exception(&self, field: &ResolvedField) -> bool {
        !field.class.is_users() && field.class.is_subtype_of(self.program.known().throwable)
    }

    /// May this be an object with the field? A variable of unknown type may seem to refer to objects that have no such field.
    fn may_have(&self, way: &Way, target: Target, field: &ResolvedField) -> bool {
        match target {
            Target::Atom(atom) => {
                self.program.split(self.universe.atoms[atom as usize].class, field.class).yes.is_some()
            }
            Target::Made(number) => way.heap.get(number).is_none_or(|made| made.class.is_subtype_of(field.class)),
            Target::Held(object) => self.held_class(object).is_subtype_of(field.class),
            Target::Null | Target::Mirror(_) | Target::Other => true,
        }
    }

    /// An object of the input may have two names: one as what the field refers to that holds it, another as what its class says. Whoever changes it by one name
    /// does not change it by the other.
    fn may_be_written(&mut self, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        self.may_be_opened(atom, field)?;
        match self.universe.namesakes(self.program, atom, field).is_empty() || !self.universe.is_stranger(atom) {
            true => Ok(()),
            false => Err(self.unsupported("a write to an object that may be known under another type as well")),
        }
    }

    fn may_be_read(&mut self, way: &Way, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        self.may_be_opened(atom, field)?;
        if way.heap.written.is_empty() || !self.universe.is_stranger(atom) {
            return Ok(());
        }
        for other in self.universe.namesakes(self.program, atom, field) {
            let slot = self.universe.slot(other, field);
            if way.heap.written.contains_key(&Place::Field { atom: other, slot, kind: field.kind }) {
                return Err(self.unsupported("a read of an object that may have been changed under another type"));
            }
        }
        Ok(())
    }

    /// What the JDK's objects keep within them obeys rules that nobody here knows.
    fn may_be_opened(&self, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        // A text that is known as one has characters.
        let is_text = self.universe.atoms[atom as usize].class.id == self.program.known().string.id;
        let is_known = Kind::of_box(field.class.name).is_some() || is_text;
        match self.universe.is_stranger(atom) && !field.class.is_users() && !is_known {
            true => Err(self.unsupported(&format!("what an object of {} consists of", field.class.java_name()))),
            false => Ok(()),
        }
    }

    /// What a variable that was there at entry holds now.
    pub fn current(&mut self, way: &Way, place: Place) -> Result<Meaning, Refusal> {
        match way.heap.written.get(&place) {
            Some(value) => Ok(value.clone()),
            None => self.at_entry(place),
        }
    }

    /// What it held at entry.
    pub fn at_entry(&mut self, place: Place) -> Result<Meaning, Refusal> {
        match place {
            Place::Field { atom, slot, kind } => self.universe.read(self.circuit, (atom, slot), kind),
            Place::Held { object, slot, .. } => {
                let object = ObjId::from_index(object as usize);
                let value = match self.statics.heap.length(object) {
                    Some(_) => self.statics.heap.element(object, slot as i32),
                    None => Some(self.statics.heap.field(object, slot as usize)),
                };
                let meaning = value.and_then(|value| self.meaning_of(value));
                meaning.ok_or_else(|| self.unsupported("what an object of a static field holds"))
            }
            Place::Static { class, slot, kind } => self.static_at_entry(class, slot, kind),
        }
    }

    /// Changes such a variable where a condition is true.
    pub fn change(&mut self, way: &mut Way, place: Place, when: Lit, value: &Meaning) -> Result<(), Refusal> {
        let before = self.current(way, place)?;
        let after = choose(self.circuit, when, value, &before);
        Rc::make_mut(&mut way.heap.written).insert(place, after);
        Ok(())
    }

    /// Writes to a place of each object that the code made itself.
    pub fn write(
        &mut self,
        way: &mut Way,
        refs: &Refs,
        place: impl Fn(&mut Body) -> Option<usize>,
        value: &Meaning,
    ) -> Result<(), Refusal> {
        for (target, when) in refs.iter() {
            let Target::Made(number) = target else { return Err(self.unsupported("a write to the input")) };
            let Some(made) = way.heap.get(*number) else { return Err(self.unsupported("an object that is not there")) };
            let mut made = (**made).clone();
            let at = place(&mut made.body);
            let (Some(at), Body::Fields(places) | Body::Elements(places)) = (at, &mut made.body) else {
                return Err(self.unsupported("a write to an object of the library"));
            };
            places[at] = choose(self.circuit, *when, value, &places[at]);
            way.heap.set(*number, made);
        }
        Ok(())
    }

    pub fn meaning_of(&self, value: Value) -> Option<Meaning> {
        match value {
            Value::Int(value) => Some(Meaning::Word(self.number(32, value as i64))),
            Value::Long(value) => Some(Meaning::Word(self.number(64, value))),
            Value::Ref(None) => Some(Meaning::null()),
            // An input is known by another name.
            Value::Ref(Some(object)) if self.universe.tells_classes && self.statics.symbols.input(object).is_none() => {
                Some(Meaning::one(Target::Held(object.index() as u32)))
            }
            _ => None,
        }
    }

    /// A static field of a class that is initialised.
    pub fn static_place(&mut self, code: &'static Code, site: u32) -> Result<Place, Refusal> {
        let site = &code.fields[site as usize];
        let field = self.resolved_field(site, true)?;
        self.used_statics.note(&field);
        if !self.is_initialised(field.class) && self.whole.is_some() {
            return Err(Refusal::Late(field.class.id.index() as u32));
        }
        let is_final =
            field.class.field(site.name).is_some_and(|field| field.access & lazuli_vm::program::access::FINAL != 0);
        let is_kept = is_final || self.whole.is_some() && field.class.is_users();
        if !is_kept || !self.is_initialised(field.class) {
            return Err(self.unsupported(&format!("the static field {}", site.name)));
        }
        Ok(Place::Static { class: field.class.id.index() as u32, slot: field.slot, kind: field.kind })
    }

    /// What a static field held at entry: what the initialiser of its class gave it, or anything.
    fn static_at_entry(&mut self, class: u32, slot: u32, kind: Kind) -> Result<Meaning, Refusal> {
        let owner = self.program.class_at(class as usize);
        let mirror = self.statics.classes.slot(owner.id).mirror;
        let value = mirror.map_or(Value::Unread, |mirror| self.statics.heap.field(mirror, slot as usize));
        let name = || {
            let field = owner.fields.iter().find(|field| field.is_static() && self.program.slot_of(field) == slot);
            format!("the static field {}", field.map_or("?", |field| field.name))
        };
        match (value, self.universe.statics.get(&(class, slot))) {
            // What the JDK's own fields hold that are unread is decided by more than their type.
            (Value::Unread, _) if !owner.is_users() => Err(self.unsupported(&name())),
            (Value::Unread, Some(known)) => Ok(known.clone()),
            (Value::Unread, None) if kind != Kind::Reference && self.whole.is_some() => {
                self.universe.read_static(self.circuit, (class, slot), kind)
            }
            (Value::Unread, None) => Err(self.unsupported(&name())),
            (known, _) => self.meaning_of(known).ok_or_else(|| self.unsupported(&name())),
        }
    }
}
