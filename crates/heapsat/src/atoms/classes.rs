//! Of which class is an object of the input, where several are possible?
//!
//! The class of an atom is a list of parts: each is a class, or several of which it may be one, with the literal under which the atom belongs to
//! it. It begins as one part, the declared type. An `instanceof`, a cast or a virtual call splits the parts that could answer either way, by
//! fresh variables. Objects never change their classes, so earlier answers stay true.

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Method, Program, ResolvedField, access};

use crate::Refusal;
use crate::atoms::universe::Universe;
use crate::exec::executor::Executor;
use crate::exec::path::GuardedPath;
use crate::exec::value::{GuardedUnion, Pointee, PointsTo, SymValue};

/// From here on, slots stand for fields that only some of the classes of an atom have: two such classes may use the same slot for different
/// things.
const FIRST_SUBCLASS_SLOT: u32 = 1 << 16;

impl Universe {
    /// The classes that an atom may have, each with its guard.
    pub(crate) fn parts(&self, atom: u32) -> Vec<(&'static Class, Lit)> {
        let whole = || vec![(self.atoms[atom as usize].class, Lit::TRUE)];
        self.parts.get(&atom).cloned().unwrap_or_else(whole)
    }

    /// The literal under which an atom is of that class.
    pub(crate) fn is_of(&mut self, circuit: &mut Circuit, program: &Program, atom: u32, class: &'static Class) -> Lit {
        self.divide(circuit, atom, |part| {
            let split = program.split(part, class);
            split.yes.into_iter().chain(split.no).collect()
        });
        let parts = self.parts(atom);
        circuit.any(parts.into_iter().filter(|(part, _)| part.is_subtype_of(class)).map(|(_, when)| when))
    }

    /// Splits the parts of an atom. Each part with guard `g` and pieces `p1 … pn` gets fresh choices `c1 … c(n-1)`; piece `i` has the guard
    /// `g && !c1 && … && ci`, so that the pieces exclude each other and cover the part.
    fn divide(&mut self, circuit: &mut Circuit, atom: u32, into: impl Fn(&'static Class) -> Vec<&'static Class>) {
        let mut parts = Vec::new();
        for (class, when) in self.parts(atom) {
            let mut left = when;
            let pieces = into(class);
            for (at, piece) in pieces.iter().enumerate() {
                let is_last = at + 1 == pieces.len();
                let chosen = if is_last { Lit::TRUE } else { circuit.input() };
                parts.push((*piece, circuit.and(left, chosen)));
                left = circuit.and(left, !chosen);
            }
        }
        self.parts.insert(atom, parts);
    }

    /// The classes that an atom may have, one by one, and one for all that are not known.
    pub(crate) fn exact_parts(
        &mut self,
        circuit: &mut Circuit,
        program: &Program,
        atom: u32,
    ) -> Vec<(&'static Class, Lit)> {
        self.divide(circuit, atom, |part| program.split_fully(part));
        self.parts(atom)
    }

    /// The slot under which a field of an atom is kept.
    pub(crate) fn slot(&mut self, atom: u32, field: &ResolvedField) -> u32 {
        if self.atoms[atom as usize].class.is_subtype_of(field.class) {
            return field.slot;
        }
        let place = |(class, slot): &(&'static Class, u32)| class.id == field.class.id && *slot == field.slot;
        let at = self.subclass_fields.iter().position(place).unwrap_or_else(|| {
            self.subclass_fields.push((field.class, field.slot));
            self.subclass_fields.len() - 1
        });
        FIRST_SUBCLASS_SLOT + at as u32
    }

    /// The field that is kept under a slot: the class that declares it, if only some have it, and its slot there.
    pub(crate) fn field_at(&self, slot: u32) -> (Option<&'static Class>, u32) {
        match slot.checked_sub(FIRST_SUBCLASS_SLOT).and_then(|at| self.subclass_fields.get(at as usize)) {
            Some((class, slot)) => (Some(class), *slot),
            None => (None, slot),
        }
    }
}

impl Executor<'_> {
    /// The literal under which the pointee of a reference is of that class.
    pub(crate) fn has_class(
        &mut self,
        path: &GuardedPath,
        refs: &PointsTo,
        class: &'static Class,
    ) -> Result<Lit, Refusal> {
        let mut fitting = Vec::new();
        for (target, when) in refs.iter() {
            let fits = self.is_of(path, *target, class)?;
            fitting.push(self.circuit.and(*when, fits));
        }
        Ok(self.circuit.any(fitting))
    }

    /// The literal under which an object is of that class.
    pub(crate) fn is_of(&mut self, path: &GuardedPath, target: Pointee, class: &'static Class) -> Result<Lit, Refusal> {
        let own = self.class_of(path, target)?;
        let program = self.program;
        match target {
            _ if !own.is_open() => Ok(Lit::constant(own.is_subtype_of(class))),
            Pointee::Atom(atom) if self.universe.models_classes => {
                Ok(self.universe.is_of(self.circuit, program, atom, class))
            }
            _ if program.split(own, class).yes.is_none() => Ok(Lit::FALSE),
            _ if own.is_subtype_of(class) => Ok(Lit::TRUE),
            _ => Err(self.unsupported("a test of a class that is not known")),
        }
    }

    /// The classes that an object may have, one by one, and one for all that are not known.
    pub(crate) fn exact_classes(
        &mut self,
        path: &GuardedPath,
        target: Pointee,
    ) -> Result<Vec<(&'static Class, Lit)>, Refusal> {
        let own = self.class_of(path, target)?;
        match target {
            _ if !own.is_open() => Ok(vec![(own, Lit::TRUE)]),
            Pointee::Atom(atom) if self.universe.models_classes => {
                Ok(self.universe.exact_parts(self.circuit, self.program, atom))
            }
            _ => Err(self.unsupported("an object whose class is not known")),
        }
    }

    /// The mirrors of the classes that an object may have.
    pub(crate) fn mirrors(&mut self, path: &mut GuardedPath, refs: &PointsTo) -> Result<SymValue, Refusal> {
        let mut mirrors = GuardedUnion::default();
        for (target, when) in refs.iter() {
            for (class, which) in self.exact_classes(path, *target)? {
                let when = self.circuit.and(*when, which);
                match class.is_open() {
                    true => self.truncate_where(path, when, "an object of a class that is not on the class path")?,
                    false => mirrors.add(Pointee::Mirror(class.id.index() as u32), when),
                }
            }
        }
        Ok(SymValue::Ref(mirrors.refs(self.circuit)))
    }

    /// The implementations of a method that an object may have, and when. None for that of a class of which nothing is known.
    #[allow(clippy::type_complexity)]
    pub(crate) fn implementations(
        &mut self,
        path: &GuardedPath,
        target: Pointee,
        method: &'static Method,
    ) -> Result<Vec<(Option<&'static Method>, Lit)>, Refusal> {
        let own = self.class_of(path, target)?;
        let program = self.program;
        let parts = match target {
            _ if !own.is_open() => vec![(own, Lit::TRUE)],
            Pointee::Atom(atom) if self.universe.models_classes => {
                self.universe.divide(self.circuit, atom, |part| program.split_by_method(part, method));
                self.universe.parts(atom)
            }
            _ => return Err(self.unsupported("a call on an object whose class is not known")),
        };
        let mut found: Vec<(Option<&'static Method>, Vec<Lit>)> = Vec::new();
        let is_final = method.access & (access::FINAL | access::PRIVATE) != 0;
        for (part, when) in parts {
            let selected = match part.possible() {
                _ if !part.is_subtype_of(method.class()) => None,
                None => program.select(part, method),
                Some(possible) => match possible.known.first() {
                    Some(one) => program.select(one, method),
                    None => is_final.then_some(method),
                },
            };
            let is_same = |other: &Option<&'static Method>| other.map(|it| it.id) == selected.map(|it| it.id);
            match found.iter_mut().find(|(other, _)| is_same(other)) {
                Some((_, all)) => all.push(when),
                None => found.push((selected, vec![when])),
            }
        }
        Ok(found.into_iter().map(|(method, when)| (method, self.circuit.any(when))).collect())
    }
}
