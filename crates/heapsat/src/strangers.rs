//! What can be told of objects of types that no field is followed into?
//!
//! They are told apart, and have a class. One of them may also be an object that is known under another type; who cares about that has to ask.

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Program, ResolvedField, access};
use lazuli_vm::universe::enum_constants;
use lazuli_vm::value::Kind;

use super::meaning::{Meaning, Refs, Target};
use super::universe::{Atom, Design, Universe};

impl Universe {
    /// Gives the fields that the backbone does not follow something to refer to.
    pub(super) fn meet_strangers(&mut self, circuit: &mut Circuit, design: &Design) {
        let Design { program, looked_at, .. } = *design;
        for atom in 0..self.atoms.len() as u32 {
            let Atom { class, counted, exists, .. } = self.atoms[atom as usize].clone();
            let class = if class.is_open() { counted } else { class };
            if let Some(component) = class.component().filter(|component| component.kind() == Kind::Reference) {
                let room = if self.lengths.contains_key(&atom) { self.longest } else { 0 };
                for place in (0..room).map(|slot| (atom, slot)) {
                    let owner = self.has_element(circuit, atom, place.1);
                    if !self.places.contains_key(&place)
                        && let Some(refs) = self.stranger(circuit, design, component, owner)
                    {
                        self.others.insert(place, Meaning::Ref(refs));
                    }
                }
                continue;
            }
            let fields =
                class.chain().flat_map(|class| class.fields.iter().map(|field| (class.id.index() as u32, field)));
            let is_looked_at = |owner: u32, slot: u32| looked_at.is_none_or(|fields| fields.contains(&(owner, slot)));
            let fields = fields.filter(|(owner, field)| is_looked_at(*owner, field.slot)).map(|(_, field)| field);
            for field in fields.filter(|field| !field.is_static() && field.kind == Kind::Reference) {
                let place = (atom, field.slot);
                if let (Ok(declared), false) =
                    (program.load_descriptor(field.descriptor), self.places.contains_key(&place))
                    && let Some(refs) = self.stranger(circuit, design, declared, exists)
                {
                    self.others.insert(place, Meaning::Ref(refs));
                }
            }
        }
    }

    /// A reference of a type that the backbone does not follow. Strangers are numbered as references to them are made, too, so that it does not
    /// matter which is which. None if there are no such objects that can be told apart by nothing but identity.
    pub fn stranger(
        &mut self,
        circuit: &mut Circuit,
        design: &Design,
        declared: &'static Class,
        owner: Lit,
    ) -> Option<Refs> {
        let Design { program, bounds, path, .. } = *design;
        if declared.is_array() {
            return None;
        }
        self.meet(design, declared);
        if declared.access & access::ENUM != 0 {
            let constants = enum_constants(program, path, declared);
            let targets = constants.iter().map(|constant| Target::Held(constant.index() as u32));
            let targets: Vec<Target> = [Target::Null].into_iter().chain(targets).collect();
            return (targets.len() > 1).then(|| self.one_of(circuit, targets, owner));
        }
        let known =
            self.strangers.iter().find(|(known, ..)| known.id == declared.id).map(|(_, first, size)| (*first, *size));
        let (first, size) = match known {
            Some(known) => known,
            None => {
                let class = program.possible_classes(declared, bounds.world)?;
                let (first, size) = (self.atoms.len() as u32, bounds.scope_of(&declared.java_name()));
                self.strangers.push((declared, first, size));
                for number in 0..size as u16 {
                    self.atoms.push(Atom { class, counted: declared, number, exists: Lit::FALSE });
                }
                if class.id == program.known().string.id {
                    self.write_texts(circuit, program, first..first + size as u32);
                }
                (first, size)
            }
        };
        let met = |universe: &Universe, at: usize| match universe.breaks_symmetry {
            true => universe.atoms[first as usize + at].exists,
            false => Lit::TRUE,
        };
        let targets: Vec<Target> = [Target::Null]
            .into_iter()
            .chain(
                (0..size)
                    .filter(|at| *at == 0 || met(self, at - 1) != Lit::FALSE)
                    .map(|at| Target::Atom(first + at as u32)),
            )
            .chain(self.held_as(program, declared))
            .collect();
        let refs = self.one_of(circuit, targets, owner);
        let atoms = |refs: &Refs| {
            let atoms = refs.iter().filter(|(target, _)| matches!(target, Target::Atom(_)));
            atoms.map(|(_, when)| *when).enumerate().collect::<Vec<_>>()
        };
        for (at, when) in atoms(&refs).into_iter().skip(1) {
            let before = met(self, at - 1);
            self.axioms.push(circuit.implies(when, before));
        }
        // What refers to it at the same time does not count: the one before must have been met earlier.
        for (at, when) in atoms(&refs) {
            let known = &mut self.atoms[first as usize + at].exists;
            *known = circuit.or(*known, when);
        }
        Some(refs)
    }

    /// A reference to one of these; to the first, if its owner is not there.
    pub(super) fn one_of(&mut self, circuit: &mut Circuit, targets: Vec<Target>, owner: Lit) -> Refs {
        let refs: Refs = targets.into_iter().map(|target| (target, circuit.input())).collect();
        self.axioms.push(circuit.exactly_one(&refs.iter().map(|(_, when)| *when).collect::<Vec<_>>()));
        for (_, when) in refs.iter().skip(1) {
            self.axioms.push(circuit.implies(*when, owner));
        }
        refs
    }

    /// The objects of static fields that a reference of that type may be.
    pub(super) fn held_as(&self, program: &Program, declared: &'static Class) -> Vec<Target> {
        let fits = |class: &'static Class| program.split(class, declared).yes.is_some();
        self.held.iter().filter(|(_, class)| fits(class)).map(|(object, _)| Target::Held(*object)).collect()
    }

    /// Is it known where inputs refer to this object of a static field?
    pub fn knows_held(&self, object: u32) -> bool {
        self.held.iter().any(|(known, _)| *known == object)
    }

    /// The declared types of strangers.
    pub fn strangers(&self) -> impl Iterator<Item = &'static Class> {
        self.strangers.iter().map(|(declared, ..)| *declared)
    }

    /// Among the strangers, those of which declared type are these?
    fn kind_of_stranger(&self, atom: u32) -> Option<usize> {
        self.strangers.iter().position(|(_, first, size)| (*first..*first + *size as u32).contains(&atom))
    }

    pub fn is_stranger(&self, atom: u32) -> bool {
        self.kind_of_stranger(atom).is_some()
    }

    /// The other atoms that may be the same object, if it has that field.
    pub fn namesakes(&self, program: &Program, atom: u32, field: &ResolvedField) -> Vec<u32> {
        let has_field = |other: u32| program.split(self.atoms[other as usize].class, field.class).yes.is_some();
        let others = self.sorts.iter().copied().chain(self.strangers.iter().map(|(_, first, size)| (*first, *size)));
        let others =
            others.filter(|(first, size)| *size > 0 && has_field(*first) && self.may_be_one(program, atom, *first));
        others.flat_map(|(first, size)| first..first + size as u32).collect()
    }

    /// May an atom be an object of which it is not known where inputs refer to it?
    pub fn may_be_held(&self, program: &Program, atom: u32, object: u32, class: &'static Class) -> bool {
        // A constant of an enumeration is no atom, also where its interface is one of the backbone.
        let is_constant = class.chain().any(|class| class.access & access::ENUM != 0);
        (self.is_stranger(atom) || is_constant)
            && !self.knows_held(object)
            && program.split(self.atoms[atom as usize].class, class).yes.is_some()
    }

    /// May two atoms of different sorts be one object? Only strangers may.
    pub fn may_be_one(&self, program: &Program, one: u32, other: u32) -> bool {
        let (a, b) = (self.kind_of_stranger(one), self.kind_of_stranger(other));
        let class = |atom: u32| self.atoms[atom as usize].class;
        a != b
            && (a.is_some() && program.split(class(one), self.atoms[other as usize].counted).yes.is_some()
                || b.is_some() && program.split(class(other), self.atoms[one as usize].counted).yes.is_some())
    }
}
