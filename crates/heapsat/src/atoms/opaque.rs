//! How are objects modelled whose fields are not followed: those of the JDK, and enum constants?
//!
//! An opaque object has an identity and a class, and nothing else. One opaque object may alias an object that is known under another type; code
//! that depends on it is refused (`identity`).

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Program, ResolvedField, access};
use lazuli_vm::universe::{NO_OBJECTS, enum_constants, may_stand_at};
use lazuli_vm::value::Kind;

use crate::atoms::universe::{Atom, Universe, UniverseSpec};
use crate::exec::value::{Pointee, PointsTo, SymValue};

impl Universe {
    /// Gives fields that the backbone does not follow opaque objects to refer to.
    pub(crate) fn add_opaque_fields(&mut self, circuit: &mut Circuit, spec: &UniverseSpec) {
        let UniverseSpec { program, accessed, .. } = *spec;
        for atom in 0..self.atoms.len() as u32 {
            let Atom { class, counted, exists, .. } = self.atoms[atom as usize].clone();
            let class = if class.is_open() { counted } else { class };
            if let Some(component) = class.component().filter(|component| component.kind() == Kind::Reference) {
                let room = if self.lengths.contains_key(&atom) { self.longest } else { 0 };
                for place in (0..room).map(|slot| (atom, slot)) {
                    let owner = self.has_element(circuit, atom, place.1);
                    if !self.places.contains_key(&place)
                        && let Some(refs) = self.opaque_reference(circuit, spec, component, owner)
                    {
                        self.others.insert(place, SymValue::Ref(refs));
                    }
                }
                continue;
            }
            let fields =
                class.chain().flat_map(|class| class.fields.iter().map(|field| (class.id.index() as u32, field)));
            let is_accessed = |owner: u32, slot: u32| accessed.is_none_or(|fields| fields.contains(&(owner, slot)));
            let fields = fields.filter(|(owner, field)| is_accessed(*owner, field.slot)).map(|(_, field)| field);
            for field in fields.filter(|field| !field.is_static() && field.kind == Kind::Reference) {
                let place = (atom, field.slot);
                if let (Ok(declared), false) =
                    (program.load_descriptor(field.descriptor), self.places.contains_key(&place))
                    && let Some(refs) = self.opaque_reference(circuit, spec, declared, exists)
                {
                    self.others.insert(place, SymValue::Ref(refs));
                }
            }
        }
    }

    /// A reference of a type that the backbone does not follow. Opaque atoms are numbered in the order of the references to them, which breaks their
    /// symmetry. None if the type has objects that are not modelled: arrays, or classes that are not known.
    pub(crate) fn opaque_reference(
        &mut self,
        circuit: &mut Circuit,
        spec: &UniverseSpec,
        declared: &'static Class,
        owner: Lit,
    ) -> Option<PointsTo> {
        let UniverseSpec { program, bounds, path, .. } = *spec;
        if declared.is_array() {
            return None;
        }
        self.note_declared(spec, declared);
        if declared.name == NO_OBJECTS {
            return Some(self.one_of(circuit, vec![Pointee::Null], owner));
        }
        if declared.access & access::ENUM != 0 {
            let constants = enum_constants(program, path, declared);
            let targets = constants.iter().map(|constant| Pointee::Concrete(constant.index() as u32));
            let targets: Vec<Pointee> = [Pointee::Null].into_iter().chain(targets).collect();
            return (targets.len() > 1).then(|| self.one_of(circuit, targets, owner));
        }
        // The atoms of a declared type are made with the first reference to it.
        let known =
            self.opaque.iter().find(|(known, ..)| known.id == declared.id).map(|(_, first, size)| (*first, *size));
        let (first, size) = match known {
            Some(known) => known,
            None => {
                let class = program.possible_classes(declared, bounds.world)?;
                let (first, size) = (self.atoms.len() as u32, bounds.scope_of(&declared.java_name()));
                self.opaque.push((declared, first, size));
                for number in 0..size as u16 {
                    self.atoms.push(Atom { class, counted: declared, number, exists: Lit::FALSE });
                }
                if class.id == program.known().string.id {
                    self.add_string_arrays(circuit, program, first..first + size as u32);
                }
                (first, size)
            }
        };
        // Symmetry breaking, as for followed sorts: a reference may point to an atom only if an earlier reference has met the one before it.
        let met = |universe: &Universe, at: usize| match universe.breaks_symmetry {
            true => universe.atoms[first as usize + at].exists,
            false => Lit::TRUE,
        };
        let targets: Vec<Pointee> = [Pointee::Null]
            .into_iter()
            .chain(
                (0..size)
                    .filter(|at| *at == 0 || met(self, at - 1) != Lit::FALSE)
                    .map(|at| Pointee::Atom(first + at as u32)),
            )
            .chain(self.concrete_objects(program, declared))
            .collect();
        let refs = self.one_of(circuit, targets, owner);
        let atoms = |refs: &PointsTo| {
            let atoms = refs.iter().filter(|(target, _)| matches!(target, Pointee::Atom(_)));
            atoms.map(|(_, when)| *when).enumerate().collect::<Vec<_>>()
        };
        for (at, when) in atoms(&refs).into_iter().skip(1) {
            let before = met(self, at - 1);
            self.axioms.push(circuit.implies(when, before));
        }
        // Only now: an atom must be preceded by one that an earlier reference met, and not this one.
        for (at, when) in atoms(&refs) {
            let known = &mut self.atoms[first as usize + at].exists;
            *known = circuit.or(*known, when);
        }
        Some(refs)
    }

    /// A reference to one of these; to the first, if its owner is not there.
    pub(crate) fn one_of(&mut self, circuit: &mut Circuit, targets: Vec<Pointee>, owner: Lit) -> PointsTo {
        let refs: PointsTo = targets.into_iter().map(|target| (target, circuit.input())).collect();
        self.axioms.push(circuit.exactly_one(&refs.iter().map(|(_, when)| *when).collect::<Vec<_>>()));
        for (_, when) in refs.iter().skip(1) {
            self.axioms.push(circuit.implies(*when, owner));
        }
        refs
    }

    /// The objects of static fields to which a reference of that type may point.
    pub(crate) fn concrete_objects(&self, program: &Program, declared: &'static Class) -> Vec<Pointee> {
        let fits = |class: &'static Class| may_stand_at(program, class, declared);
        self.held.iter().filter(|(_, class)| fits(class)).map(|(object, _)| Pointee::Concrete(*object)).collect()
    }

    /// Is it known where inputs refer to this object of a static field?
    pub(crate) fn knows_concrete(&self, object: u32) -> bool {
        self.held.iter().any(|(known, _)| *known == object)
    }

    /// The declared types of opaque objects.
    pub(crate) fn opaque_types(&self) -> impl Iterator<Item = &'static Class> {
        self.opaque.iter().map(|(declared, ..)| *declared)
    }

    /// The place of an opaque atom's declared type among those of opaque objects.
    fn opaque_type(&self, atom: u32) -> Option<usize> {
        self.opaque.iter().position(|(_, first, size)| (*first..*first + *size as u32).contains(&atom))
    }

    pub(crate) fn is_opaque(&self, atom: u32) -> bool {
        self.opaque_type(atom).is_some()
    }

    /// The other atoms that may alias an atom, if it has that field.
    pub(crate) fn possible_aliases(&self, program: &Program, atom: u32, field: &ResolvedField) -> Vec<u32> {
        let has_field = |other: u32| program.split(self.atoms[other as usize].class, field.class).yes.is_some();
        let others = self.sorts.iter().copied().chain(self.opaque.iter().map(|(_, first, size)| (*first, *size)));
        let others =
            others.filter(|(first, size)| *size > 0 && has_field(*first) && self.may_alias(program, atom, *first));
        others.flat_map(|(first, size)| first..first + size as u32).collect()
    }

    /// May an atom alias an object of a static field of which it is not known where inputs refer to it?
    pub(crate) fn may_alias_concrete(&self, program: &Program, atom: u32, object: u32, class: &'static Class) -> bool {
        // A circuit of invariants alone is not asked where static fields hold such objects; a constant of an enumeration is no atom, also where
        // its interface is one of the backbone.
        let is_constant = class.chain().any(|class| class.access & access::ENUM != 0);
        (self.is_opaque(atom) || self.models_classes || is_constant)
            && !self.knows_concrete(object)
            && program.split(self.atoms[atom as usize].class, class).yes.is_some()
    }

    /// May two atoms of different sorts alias? Only opaque ones may.
    pub(crate) fn may_alias(&self, program: &Program, one: u32, other: u32) -> bool {
        let (a, b) = (self.opaque_type(one), self.opaque_type(other));
        let class = |atom: u32| self.atoms[atom as usize].class;
        a != b
            && (a.is_some() && program.split(class(one), self.atoms[other as usize].counted).yes.is_some()
                || b.is_some() && program.split(class(other), self.atoms[one as usize].counted).yes.is_some())
    }
}
