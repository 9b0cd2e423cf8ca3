//! Of which class is an object of the input, where several are possible?
//!
//! What is known about the class of an atom is a list of parts, each a class, or several of which it may be one, with the literal that says when it is that. It begins as one
//! part, what the declared type allows. A test, a cast or a call divides the parts that could answer both ways, by new variables; since objects do not change their
//! classes, what was asked before stays true.

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Method, Program, ResolvedField, access};

use super::Refusal;
use super::meaning::{Collected, Meaning, Refs, Target};
use super::translate::Translator;
use super::universe::Universe;
use super::way::Way;

/// From here on, slots stand for fields that only some of the classes of an atom have: two such classes may use the same slot for different
/// things.
const FIRST_FAR_SLOT: u32 = 1 << 16;

impl Universe {
    /// What the class of an atom may be, and when.
    pub fn parts(&self, atom: u32) -> Vec<(&'static Class, Lit)> {
        let whole = || vec![(self.atoms[atom as usize].class, Lit::TRUE)];
        self.parts.get(&atom).cloned().unwrap_or_else(whole)
    }

    /// When is an atom of that class?
    pub fn is_of(&mut self, circuit: &mut Circuit, program: &Program, atom: u32, class: &'static Class) -> Lit {
        self.divide(circuit, atom, |part| {
            let split = program.split(part, class);
            split.yes.into_iter().chain(split.no).collect()
        });
        let parts = self.parts(atom);
        circuit.any(parts.into_iter().filter(|(part, _)| part.is_subtype_of(class)).map(|(_, when)| when))
    }

    /// Divides the parts of an atom.
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
    pub fn exact_parts(&mut self, circuit: &mut Circuit, program: &Program, atom: u32) -> Vec<(&'static Class, Lit)> {
        self.divide(circuit, atom, |part| program.split_fully(part));
        self.parts(atom)
    }

    /// The slot under which a field of an atom is kept.
    pub fn slot(&mut self, atom: u32, field: &ResolvedField) -> u32 {
        if self.atoms[atom as usize].class.is_subtype_of(field.class) {
            return field.slot;
        }
        let place = |(class, slot): &(&'static Class, u32)| class.id == field.class.id && *slot == field.slot;
        let at = self.far.iter().position(place).unwrap_or_else(|| {
            self.far.push((field.class, field.slot));
            self.far.len() - 1
        });
        FIRST_FAR_SLOT + at as u32
    }

    /// The field that is kept under a slot: the class that declares it, if only some have it, and its slot there.
    pub fn field_at(&self, slot: u32) -> (Option<&'static Class>, u32) {
        match slot.checked_sub(FIRST_FAR_SLOT).and_then(|at| self.far.get(at as usize)) {
            Some((class, slot)) => (Some(class), *slot),
            None => (None, slot),
        }
    }
}

impl Translator<'_> {
    /// When is what the reference may be of that class?
    pub fn has_class(&mut self, way: &Way, refs: &Refs, class: &'static Class) -> Result<Lit, Refusal> {
        let mut fitting = Vec::new();
        for (target, when) in refs.iter() {
            let fits = self.is_of(way, *target, class)?;
            fitting.push(self.circuit.and(*when, fits));
        }
        Ok(self.circuit.any(fitting))
    }

    /// When is the object of that class?
    pub fn is_of(&mut self, way: &Way, target: Target, class: &'static Class) -> Result<Lit, Refusal> {
        let own = self.class_of(way, target)?;
        let program = self.program;
        match target {
            _ if !own.is_open() => Ok(Lit::constant(own.is_subtype_of(class))),
            Target::Atom(atom) if self.universe.tells_classes => {
                Ok(self.universe.is_of(self.circuit, program, atom, class))
            }
            _ if program.split(own, class).yes.is_none() => Ok(Lit::FALSE),
            _ if own.is_subtype_of(class) => Ok(Lit::TRUE),
            _ => Err(self.unsupported("a test of a class that is not known")),
        }
    }

    /// The classes that an object may have, one by one, and one for all that are not known.
    pub fn exact_classes(&mut self, way: &Way, target: Target) -> Result<Vec<(&'static Class, Lit)>, Refusal> {
        let own = self.class_of(way, target)?;
        match target {
            _ if !own.is_open() => Ok(vec![(own, Lit::TRUE)]),
            Target::Atom(atom) if self.universe.tells_classes => {
                Ok(self.universe.exact_parts(self.circuit, self.program, atom))
            }
            _ => Err(self.unsupported("an object whose class is not known")),
        }
    }

    /// The objects that stand for the classes that an object may have.
    pub fn mirrors(&mut self, way: &mut Way, refs: &Refs) -> Result<Meaning, Refusal> {
        let mut mirrors = Collected::default();
        for (target, when) in refs.iter() {
            for (class, which) in self.exact_classes(way, *target)? {
                let when = self.circuit.and(*when, which);
                match class.is_open() {
                    true => self.leave_out(way, when, "an object of a class that is not on the class path")?,
                    false => mirrors.add(Target::Mirror(class.id.index() as u32), when),
                }
            }
        }
        Ok(Meaning::Ref(mirrors.refs(self.circuit)))
    }

    /// The implementations of a method that an object may have, and when. None for that of a class of which nothing is known.
    #[allow(clippy::type_complexity)]
    pub fn implementations(
        &mut self,
        way: &Way,
        target: Target,
        method: &'static Method,
    ) -> Result<Vec<(Option<&'static Method>, Lit)>, Refusal> {
        let own = self.class_of(way, target)?;
        let program = self.program;
        let parts = match target {
            _ if !own.is_open() => vec![(own, Lit::TRUE)],
            Target::Atom(atom) if self.universe.tells_classes => {
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
