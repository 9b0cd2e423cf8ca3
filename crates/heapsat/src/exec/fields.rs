//! How are fields read and written, over all inputs at once?
//!
//! A location that existed at entry keeps its entry value as variables of the universe; a write makes a new SSA version of it in the heap of the
//! path. An object that the code allocates has its values in that heap.

use std::rc::Rc;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Code, ResolvedField};
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::{EntryLocation, GuardedPath, ObjectBody};
use crate::exec::value::{Pointee, PointsTo, SymValue, ite};

/// A points-to set with more entries is worth a question to the solver.
const FEW: usize = 3;

impl Executor<'_> {
    /// Reads a field through a reference.
    pub(crate) fn read(
        &mut self,
        path: &mut GuardedPath,
        refs: &PointsTo,
        field: &ResolvedField,
    ) -> Result<SymValue, Refusal> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            if !self.may_have(path, *target, field) {
                continue;
            }
            if *target == Pointee::Null {
                continue;
            }
            let value = self.field_of(path, *target, field)?;
            let value = value.ok_or_else(|| self.unsupported("a field of an object whose class is not known"))?;
            parts.push((*when, value));
        }
        if parts.is_empty() {
            path.guard = Lit::FALSE;
        }
        match self.any_of(parts)? {
            SymValue::Ref(refs) if refs.len() > FEW => Ok(SymValue::Ref(self.prune(path.guard, refs)?)),
            other => Ok(other),
        }
    }

    /// Reads a field of one object. None if nothing is known of the object.
    pub(crate) fn field_of(
        &mut self,
        path: &GuardedPath,
        target: Pointee,
        field: &ResolvedField,
    ) -> Result<Option<SymValue>, Refusal> {
        Ok(match target {
            Pointee::Atom(atom) => {
                self.may_be_read(path, atom, field)?;
                let slot = self.universe.slot(atom, field);
                Some(self.current(path, EntryLocation::Field { atom, slot, kind: field.kind })?)
            }
            // The JDK's constructors of exceptions are not executed, and the virtual machine fills in what its own exceptions say.
            Pointee::Allocated(_) if self.is_of_exception(field) => {
                return Err(self.unsupported("what an exception keeps: its message, cause, stack trace and the like"));
            }
            Pointee::Allocated(number) => match path.heap.get(number).map(|made| &made.body) {
                Some(ObjectBody::Fields(fields)) => fields.get(field.slot as usize).cloned(),
                _ => None,
            },
            Pointee::Concrete(object) => {
                Some(self.current(path, EntryLocation::Concrete { object, slot: field.slot, kind: field.kind })?)
            }
            Pointee::Null | Pointee::Mirror(_) | Pointee::Unknown => None,
        })
    }

    pub(crate) fn write_field(
        &mut self,
        path: &mut GuardedPath,
        refs: &PointsTo,
        field: &ResolvedField,
        value: &SymValue,
    ) -> Result<(), Refusal> {
        let having = refs.iter().copied().filter(|(target, _)| self.may_have(path, *target, field));
        let (input, made): (Vec<_>, Vec<_>) =
            having.partition(|(target, _)| matches!(target, Pointee::Atom(_) | Pointee::Concrete(_)));
        if !input.is_empty() && !self.mode.is_method() {
            return Err(self.unsupported("a write to the input"));
        }
        for (target, when) in input {
            let place = match target {
                Pointee::Atom(atom) => {
                    self.may_be_written(atom, field)?;
                    EntryLocation::Field { atom, slot: self.universe.slot(atom, field), kind: field.kind }
                }
                Pointee::Concrete(object) => EntryLocation::Concrete { object, slot: field.slot, kind: field.kind },
                _ => unreachable!("others were sorted out"),
            };
            self.change(path, place, when, value)?;
        }
        let slot = field.slot as usize;
        let place = |body: &mut ObjectBody| match body {
            ObjectBody::Fields(fields) if slot < fields.len() => Some(slot),
            _ => None,
        };
        self.write(path, &made.into(), place, value)
    }

    /// May this be an object with the field? A variable of unknown type may seem to refer to objects that have no such field.
    fn may_have(&self, path: &GuardedPath, target: Pointee, field: &ResolvedField) -> bool {
        match target {
            Pointee::Atom(atom) => {
                self.program.split(self.universe.atoms[atom as usize].class, field.class).yes.is_some()
            }
            Pointee::Allocated(number) => {
                path.heap.get(number).is_none_or(|made| made.class.is_subtype_of(field.class))
            }
            Pointee::Concrete(object) => self.concrete_class(object).is_subtype_of(field.class),
            Pointee::Null | Pointee::Mirror(_) | Pointee::Unknown => true,
        }
    }

    /// Refuses a write to an object that may have another name: an opaque atom may alias an atom of another type, and a write under one name does
    /// not change the other.
    fn may_be_written(&mut self, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        self.may_be_opened(atom, field)?;
        match self.universe.possible_aliases(self.program, atom, field).is_empty() || !self.universe.is_opaque(atom) {
            true => Ok(()),
            false => Err(self.unsupported("a write to an object that may be known under another type as well")),
        }
    }

    fn may_be_read(&mut self, path: &GuardedPath, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        self.may_be_opened(atom, field)?;
        if path.heap.written.is_empty() || !self.universe.is_opaque(atom) {
            return Ok(());
        }
        for other in self.universe.possible_aliases(self.program, atom, field) {
            let slot = self.universe.slot(other, field);
            if path.heap.written.contains_key(&EntryLocation::Field { atom: other, slot, kind: field.kind }) {
                return Err(self.unsupported("a read of an object that may have been changed under another type"));
            }
        }
        Ok(())
    }

    /// Refuses access to the insides of JDK objects: their values obey invariants that are not modelled.
    fn may_be_opened(&self, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        // The characters of a string are modelled.
        let is_text = self.universe.atoms[atom as usize].class.id == self.program.known().string.id;
        let is_known = Kind::of_box(field.class.name).is_some() || is_text;
        match self.universe.is_opaque(atom) && !field.class.is_users() && !is_known {
            true => Err(self.unsupported(&format!("what an object of {} consists of", field.class.java_name()))),
            false => Ok(()),
        }
    }

    /// The current version of a location that existed at entry.
    pub(crate) fn current(&mut self, path: &GuardedPath, place: EntryLocation) -> Result<SymValue, Refusal> {
        match path.heap.written.get(&place) {
            Some(value) => Ok(value.clone()),
            None => self.at_entry(place),
        }
    }

    /// Its version at entry.
    pub(crate) fn at_entry(&mut self, place: EntryLocation) -> Result<SymValue, Refusal> {
        match place {
            EntryLocation::Field { atom, slot, kind } => self.universe.read(self.circuit, (atom, slot), kind),
            EntryLocation::Concrete { object, slot, .. } => {
                let object = ObjId::from_index(object as usize);
                let value = match self.statics.heap.length(object) {
                    Some(_) => self.statics.heap.element(object, slot as i32),
                    None => Some(self.statics.heap.field(object, slot as usize)),
                };
                let known = value.and_then(|value| self.value_of(value));
                known.ok_or_else(|| self.unsupported("what an object of a static field holds"))
            }
            EntryLocation::Static { class, slot, kind } => self.static_at_entry(class, slot, kind),
        }
    }

    /// Makes a new version of such a location: the value where a condition is true, the old version elsewhere.
    pub(crate) fn change(
        &mut self,
        path: &mut GuardedPath,
        place: EntryLocation,
        when: Lit,
        value: &SymValue,
    ) -> Result<(), Refusal> {
        let before = self.current(path, place)?;
        let after = ite(self.circuit, when, value, &before);
        Rc::make_mut(&mut path.heap.written).insert(place, after);
        Ok(())
    }

    /// Writes to each of these objects, which the code allocated.
    pub(crate) fn write(
        &mut self,
        path: &mut GuardedPath,
        refs: &PointsTo,
        place: impl Fn(&mut ObjectBody) -> Option<usize>,
        value: &SymValue,
    ) -> Result<(), Refusal> {
        for (target, when) in refs.iter() {
            let Pointee::Allocated(number) = target else { return Err(self.unsupported("a write to the input")) };
            let Some(made) = path.heap.get(*number) else {
                return Err(self.unsupported("an object that is not there"));
            };
            let mut made = (**made).clone();
            let at = place(&mut made.body);
            let (Some(at), ObjectBody::Fields(places) | ObjectBody::Elements(places)) = (at, &mut made.body) else {
                return Err(self.unsupported("a write to an object of the library"));
            };
            places[at] = ite(self.circuit, *when, value, &places[at]);
            path.heap.set(*number, made);
        }
        Ok(())
    }

    pub(crate) fn value_of(&self, value: Value) -> Option<SymValue> {
        match value {
            Value::Int(value) => Some(SymValue::Word(self.number(32, value as i64))),
            Value::Long(value) => Some(SymValue::Word(self.number(64, value))),
            Value::Float(value) if !self.arithmetic.is_saturating() => {
                Some(SymValue::Word(self.circuit.word_constant(32, i64::from(value.to_bits()))))
            }
            Value::Double(value) if !self.arithmetic.is_saturating() => {
                Some(SymValue::Word(self.circuit.word_constant(64, value.to_bits() as i64)))
            }
            Value::Ref(None) => Some(SymValue::null()),
            // An input is known by another name.
            Value::Ref(Some(object))
                if self.universe.models_classes && self.statics.symbols.input(object).is_none() =>
            {
                Some(SymValue::one(Pointee::Concrete(object.index() as u32)))
            }
            _ => None,
        }
    }

    /// Does the JDK keep something of an exception in this field?
    fn is_of_exception(&self, field: &ResolvedField) -> bool {
        !field.class.is_users() && field.class.is_subtype_of(self.program.known().throwable)
    }

    /// A static field of a class that is initialised.
    pub(crate) fn static_place(&mut self, code: &'static Code, site: u32) -> Result<EntryLocation, Refusal> {
        let site = &code.fields[site as usize];
        let field = self.resolved_field(site, true)?;
        self.used_statics.note(&field);
        if !self.is_initialised(field.class) && self.mode.is_method() {
            return Err(Refusal::Late(field.class.id.index() as u32));
        }
        let is_final =
            field.class.field(site.name).is_some_and(|field| field.access & lazuli_vm::program::access::FINAL != 0);
        let is_kept = is_final || self.mode.is_method() && field.class.is_users();
        if !is_kept || !self.is_initialised(field.class) {
            return Err(self.unsupported(&format!("the static field {}", site.name)));
        }
        Ok(EntryLocation::Static { class: field.class.id.index() as u32, slot: field.slot, kind: field.kind })
    }

    /// The value of a static field at entry: the one that the initialiser of its class gave it, or anything.
    fn static_at_entry(&mut self, class: u32, slot: u32, kind: Kind) -> Result<SymValue, Refusal> {
        let owner = self.program.class_at(class as usize);
        let mirror = self.statics.classes.slot(owner.id).mirror;
        let value = mirror.map_or(Value::Unread, |mirror| self.statics.heap.field(mirror, slot as usize));
        let name = || {
            let field = owner.fields.iter().find(|field| field.is_static() && self.program.slot_of(field) == slot);
            format!("the static field {}", field.map_or("?", |field| field.name))
        };
        match (value, self.universe.statics.get(&(class, slot))) {
            // An unread field of the JDK may have fewer values than its type allows.
            (Value::Unread, _) if !owner.is_users() => Err(self.unsupported(&name())),
            (Value::Unread, Some(known)) => Ok(known.clone()),
            (Value::Unread, None) if kind != Kind::Reference && self.mode.is_method() => {
                self.universe.read_static(self.circuit, (class, slot), kind)
            }
            (Value::Unread, None) => Err(self.unsupported(&name())),
            (known, _) => self.value_of(known).ok_or_else(|| self.unsupported(&name())),
        }
    }
}
