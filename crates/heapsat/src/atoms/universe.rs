//! Which objects may an input have, as propositional variables?
//!
//! Of every class there are as many atoms as the scope allows, and a reference field of an atom is null or one of them: one variable for each
//! possibility. Symmetry breaking gives each heap exactly one description: the atoms of a class are numbered in the order in which a breadth-first
//! walk from the roots meets them, so that a field can only refer to an atom that was met before, or to the next one (Galeotti, Rosner, López Pombo
//! and Frias, ISSTA 2010; a short introduction is section 2.3 of Rosner and others, MUCHO-TACO, ISSTA 2013). Nothing but the size of the
//! problem depends on it: with any other numbering, an atom simply exists or not.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::{Class, Program, ResolvedField, access};
use lazuli_vm::state::State;
use lazuli_vm::universe::Bounds;
use lazuli_vm::universe::NO_OBJECTS;
use lazuli_vm::value::Kind;

use crate::Refusal;
use crate::atoms::backbone::{Backbone, BackboneField, ObjectSort};
use crate::exec::value::{Pointee, PointsTo, SymValue, guard_of, resized};
use crate::numbers::bit_widths::BitWidth;

/// A name for an object of the input.
#[derive(Clone)]
pub(crate) struct Atom {
    /// Its class, or its declared type if several classes are possible.
    pub(crate) class: &'static Class,
    /// The declared type under which it counts against the scope.
    pub(crate) counted: &'static Class,
    /// Its number among the atoms of its sort.
    pub(crate) number: u16,
    /// When there is such an object.
    pub(crate) exists: Lit,
}

/// The atoms, their fields and their classes.
#[derive(Default)]
pub(crate) struct Universe {
    pub(crate) atoms: Vec<Atom>,
    /// The first atom of each sort of the backbone, and how many there are.
    pub(crate) sorts: Vec<(u32, usize)>,
    /// Reference fields to objects of these sorts, by atom and slot.
    pub(crate) places: BTreeMap<(u32, u32), PointsTo>,
    /// Other fields that were read: numbers, and references of which only null is distinguished.
    pub(crate) others: BTreeMap<(u32, u32), SymValue>,
    /// How many bits numbers have that need few, by atom and slot.
    pub(crate) narrow: BTreeMap<(u32, u32), BitWidth>,
    /// Numbers of valid heaps that are not negative and have so few bits, by atom and slot.
    pub(crate) naturals: Naturals,
    /// Static fields at entry that were read, by class and slot.
    pub(crate) statics: BTreeMap<(u32, u32), SymValue>,
    /// Opaque atoms, by declared type: the first, and how many.
    pub(crate) opaque: Vec<(&'static Class, u32, usize)>,
    /// How many elements arrays have, by atom, and how many they may have.
    pub(crate) lengths: BTreeMap<u32, Word>,
    pub(crate) longest: u32,
    /// Objects of the user's classes that static fields hold, which inputs may refer to as well.
    pub(crate) held: Vec<(u32, &'static Class)>,
    /// The arrays of characters of strings.
    pub(crate) string_arrays: BTreeSet<u32>,
    /// May characters of strings take two bytes?
    pub(crate) has_all_units: bool,
    /// The classes of atoms, where a query has split them: see `classes`.
    pub(crate) parts: BTreeMap<u32, Vec<(&'static Class, Lit)>>,
    /// Fields that only some of the possible classes of an atom have: the class that declares each, and its slot there.
    pub(crate) subclass_fields: Vec<(&'static Class, u32)>,
    /// The methods whose code may be executed, if an analysis of this code gave numbers few bits.
    pub(crate) foreseen: Option<HashSet<u32>>,
    /// Are classes of atoms variables?
    pub(crate) models_classes: bool,
    /// Are atoms numbered in the order in which they are met, where there is one?
    pub(crate) breaks_symmetry: bool,
    /// How many bits all numbers have, if fewer than Java gives them.
    int_bits: Option<u32>,
    /// How many bits numbers have if they saturate: see `saturating`.
    pub(crate) saturation: Option<usize>,
    /// Axioms that every heap satisfies, and that are not asserted yet.
    pub(crate) axioms: Vec<Lit>,
    /// By field of the backbone: when an object is met over it first.
    pub(crate) leading: Vec<Lit>,
    /// The references that the walk follows, in its order.
    pub(crate) walked: Vec<WalkedReference>,
    /// By sort: do the references before it in the walk tell whether an atom exists? Not where a parameter may introduce one later, nor without an order.
    pub(crate) is_guided: Vec<bool>,
    /// Are the numbers those of a breadth-first walk over all sorts together?
    pub(crate) is_breadth_first: bool,
    /// The declared types of references, by number, and whether there is no class that their objects could have.
    pub(crate) declared: BTreeMap<u32, bool>,
}

/// Upper bounds of reference fields, by atom and slot, where these are known.
pub(crate) type FieldBounds = BTreeMap<(u32, u32), BTreeSet<Pointee>>;

/// How many bits numbers have that are not negative, by atom and slot, where that is known.
pub(crate) type Naturals = BTreeMap<(u32, u32), usize>;

/// A reference that the walk follows: of a parameter, a static field, or a field of an atom.
pub(crate) struct WalkedReference {
    /// The atom that has it, and the field of the backbone; none for roots.
    pub(crate) from: Option<(u32, usize)>,
    /// When it is there.
    pub(crate) owner: Lit,
    pub(crate) refs: PointsTo,
}

/// A root: its declared type, and whether it is the receiver, which is there.
#[derive(Clone, Copy)]
pub(crate) struct InputRoot {
    pub(crate) class: &'static Class,
    /// The class of the receiver, as far as it is known; else the declared type.
    pub(crate) possible: &'static Class,
    pub(crate) is_receiver: bool,
}

/// A static field that holds an input.
pub(crate) struct StaticRoot {
    /// The numbers of its class, and in it.
    pub(crate) class: u32,
    pub(crate) slot: u32,
    pub(crate) declared: &'static Class,
}

impl StaticRoot {
    /// Are all its referents of the sort? One of a wider type may refer to an object of any sort, and to others: it is opaque.
    fn is_of(&self, sort: &ObjectSort) -> bool {
        is_followed(self.declared) && sort.holds(self.declared)
    }
}

/// The parts from which a universe is made.
pub(crate) struct UniverseSpec<'a> {
    pub(crate) program: &'a Program,
    pub(crate) bounds: &'a Bounds,
    pub(crate) roots: &'a [InputRoot],
    /// A state in which the classes that the program uses are initialised.
    pub(crate) path: &'a State,
    /// All reference fields between the objects, in the order in which they are followed.
    pub(crate) backbone: &'a Backbone,
    pub(crate) allowed: Option<&'a FieldBounds>,
    /// Are opaque objects and classes modelled as well? So it is for whole methods.
    pub(crate) models_opaque: bool,
    /// Static fields that refer to objects, and are none that is known.
    pub(crate) statics: &'a [StaticRoot],
    /// The fields that some code accesses, by class and slot, if that is known.
    pub(crate) accessed: Option<&'a HashSet<(u32, u32)>>,
    pub(crate) breaks_symmetry: bool,
}

impl Universe {
    /// Makes a universe, and the references of the roots into it.
    pub(crate) fn new(circuit: &mut Circuit, spec: &UniverseSpec) -> Result<(Universe, Vec<PointsTo>), Refusal> {
        let UniverseSpec { program, bounds, backbone, .. } = *spec;
        let mut universe = Universe {
            atoms: Vec::new(),
            sorts: Vec::new(),
            places: BTreeMap::new(),
            others: BTreeMap::new(),
            narrow: BTreeMap::new(),
            naturals: Naturals::new(),
            statics: BTreeMap::new(),
            opaque: Vec::new(),
            held: Vec::new(),
            lengths: BTreeMap::new(),
            string_arrays: BTreeSet::new(),
            has_all_units: bounds.has_all_units,
            longest: bounds.length() as u32,
            parts: BTreeMap::new(),
            subclass_fields: Vec::new(),
            foreseen: None,
            models_classes: spec.models_opaque,
            breaks_symmetry: spec.breaks_symmetry,
            int_bits: bounds.int_bits,
            saturation: None,
            axioms: Vec::new(),
            leading: vec![Lit::FALSE; backbone.fields.len()],
            walked: Vec::new(),
            is_guided: Vec::new(),
            is_breadth_first: true,
            declared: BTreeMap::new(),
        };
        // Atoms have numbers of 16 bits.
        let largest = bounds.scope_of.iter().map(|(_, scope)| *scope).chain([bounds.scope, bounds.length()]).max();
        if largest.is_some_and(|largest| largest > u16::MAX as usize) {
            return Err(Refusal::TooLarge);
        }
        if spec.models_opaque {
            let held = spec.path.held_by_statics().iter().map(|held| held.object);
            universe.held = held.map(|object| (object.index() as u32, spec.path.heap.class(object))).collect();
        }
        // Atoms first: for each sort as many as the scope allows, or one for each root if no field refers to the sort.
        let sort_of = |root: &InputRoot| backbone.sorts.iter().position(|sort| sort.holds(root.class));
        for (at, sort) in backbone.sorts.iter().enumerate() {
            let is_alone = sort.classes.len() == 1;
            let is_above = |class: &&&'static Class| sort.classes.iter().all(|other| other.is_subtype_of(class));
            if !is_alone && !spec.models_opaque {
                return Err(Refusal::unsupported("a field of a type that is related to that of another"));
            }
            // An atom has one exact class where it is an array, and a field of each of these types may hold it.
            if !is_alone && sort.classes.iter().any(|class| class.is_array()) {
                return Err(Refusal::unsupported("fields of array types of which one extends the other"));
            }
            let class = sort.classes.iter().find(is_above).copied().unwrap_or(program.known().object);
            let roots: Vec<&InputRoot> = spec.roots.iter().filter(|root| sort_of(root) == Some(at)).collect();
            let statics = spec.statics.iter().filter(|root| root.is_of(sort)).count();
            let size = match sort.declared > 0 || !is_alone {
                true => sort.classes.iter().map(|class| bounds.scope_of(&class.java_name())).sum(),
                false => roots.len() + statics,
            };
            let receivers = roots.iter().filter(|root| root.is_receiver).map(|root| root.possible).collect::<Vec<_>>();
            let is_root = !roots.is_empty();
            universe.add_sort(program, bounds, class, (size, &receivers, is_root))?;
        }
        // Then the variables of fields. The numbers of all atoms together are breadth first only if at most one sort has several atoms: between
        // sorts the walk is depth first.
        let mut order = order_of_sorts(backbone);
        order.iter_mut().for_each(|(_, is_ordered)| *is_ordered &= spec.breaks_symmetry);
        let is_large = |at: &usize| universe.sorts[*at].1 > 1;
        universe.is_breadth_first =
            order.iter().all(|(_, is_ordered)| *is_ordered) && (0..backbone.sorts.len()).filter(is_large).count() <= 1;
        let roots = universe.connect(circuit, spec, &order)?;
        if spec.models_opaque {
            universe.add_opaque_fields(circuit, spec);
            for root in spec.statics {
                if !universe.statics.contains_key(&(root.class, root.slot))
                    && let Some(refs) = universe.opaque_reference(circuit, spec, root.declared, Lit::TRUE)
                {
                    universe.statics.insert((root.class, root.slot), SymValue::Ref(refs));
                }
            }
        }
        // A circuit of invariants alone cannot report it.
        if !spec.models_opaque && universe.declared.values().any(|is_void| *is_void) {
            return Err(Refusal::unsupported("a type of which there are no objects"));
        }
        Ok((universe, roots))
    }

    /// Notes the declared type of a reference.
    pub(crate) fn note_declared(&mut self, spec: &UniverseSpec, declared: &'static Class) {
        self.declared.entry(declared.id.index() as u32).or_insert_with(|| {
            let has_constants = declared.access & access::ENUM != 0
                || declared.name == NO_OBJECTS
                || spec.program.enumerations_behind(declared).next().is_some();
            !has_constants && spec.program.possible_classes(declared, spec.bounds.world).is_none()
        });
    }

    fn add_sort(
        &mut self,
        program: &Program,
        bounds: &Bounds,
        class: &'static Class,
        (size, receivers, is_root): (usize, &[&'static Class], bool),
    ) -> Result<(), Refusal> {
        // Only a caller may hand in an array of a subtype.
        let is_exact = class.is_array() && !is_root;
        let possible = if is_exact { Some(class) } else { program.possible_classes(class, bounds.world) };
        if possible.is_none() && size > receivers.len() {
            let what = format!("an object of {}, which no class on the class path implements", class.java_name());
            return Err(Refusal::unsupported(what));
        }
        let size = size.max(receivers.len());
        self.sorts.push((self.atoms.len() as u32, size));
        for number in 0..size {
            let receiver = receivers.get(number).copied().filter(|class| class.is_open() || !class.is_abstract());
            let class_of = receiver.or(possible);
            let class_of = class_of.ok_or_else(|| Refusal::unsupported("a class without objects"))?;
            self.atoms.push(Atom { class: class_of, counted: class, number: number as u16, exists: Lit::FALSE });
        }
        Ok(())
    }

    /// Makes the variables of all fields, in the order of the walk.
    fn connect(
        &mut self,
        circuit: &mut Circuit,
        spec: &UniverseSpec,
        order: &[(usize, bool)],
    ) -> Result<Vec<PointsTo>, Refusal> {
        let backbone = spec.backbone;
        // `met[sort][n]` is the literal under which the walk has met atom n so far. Invariant where a sort is ordered: atom n is met only if atom
        // n - 1 is. Where it is not, `met` is a free variable: the atom exists or not.
        let mut walk = NumberingWalk {
            met: self.sorts.iter().map(|(_, size)| vec![Lit::FALSE; *size]).collect(),
            is_ordered: vec![true; self.sorts.len()],
        };
        for (sort, is_ordered) in order {
            walk.is_ordered[*sort] = *is_ordered;
            if !is_ordered {
                walk.met[*sort].iter_mut().for_each(|met| *met = circuit.input());
            }
        }
        let mut roots = Vec::new();
        let mut receivers = vec![0; self.sorts.len()];
        // Atoms of the receiver come first: then their numbers do not depend on the other parameters.
        let has_receiver = spec.models_opaque && spec.roots.iter().any(|root| root.is_receiver);
        let mut late: Vec<(usize, PointsTo)> = Vec::new();
        for root in spec.roots {
            let sort = backbone.sorts.iter().position(|sort| sort.holds(root.class));
            let sort = sort.ok_or_else(|| Refusal::unsupported("an invariant of no input"))?;
            roots.push(if root.is_receiver {
                let number = receivers[sort];
                receivers[sort] += 1;
                walk.met[sort][number] = Lit::TRUE;
                Rc::new([(Pointee::Atom(self.sorts[sort].0 + number as u32), Lit::TRUE)])
            } else if has_receiver && walk.is_ordered[sort] {
                let refs = self.refer_late(circuit, spec, sort, root.class);
                late.push((sort, refs.clone()));
                refs
            } else {
                let reference =
                    ReferenceSpec { sort, declared: root.class, from: None, owner: Lit::TRUE, may_be_null: true };
                self.refer(circuit, spec, &mut walk, reference, None).0
            });
        }
        for root in spec.statics {
            if let Some(sort) = backbone.sorts.iter().position(|sort| root.is_of(sort)) {
                let reference =
                    ReferenceSpec { sort, declared: root.declared, from: None, owner: Lit::TRUE, may_be_null: true };
                let refs = self.refer(circuit, spec, &mut walk, reference, None).0;
                self.statics.insert((root.class, root.slot), SymValue::Ref(refs));
            }
        }
        // All references to a sort come before its atoms are visited, so that an atom's existence is final when its fields are made.
        for (sort, _) in order {
            let (first, size) = self.sorts[*sort];
            for atom in first..first + size as u32 {
                let number = (atom - first) as usize;
                for (_, refs) in late.iter().filter(|(late, _)| late == sort) {
                    let when = guard_of(refs, Pointee::Atom(atom));
                    let before = if number == 0 { Lit::TRUE } else { walk.met[*sort][number - 1] };
                    self.axioms.push(circuit.implies(when, before));
                    walk.met[*sort][number] = circuit.or(walk.met[*sort][number], when);
                }
                let exists = walk.met[*sort][number];
                self.atoms[atom as usize].exists = exists;
                if self.atoms[atom as usize].class.is_array() {
                    self.measure(circuit, atom);
                }
                for (at, field) in backbone.fields.iter().enumerate().filter(|(_, field)| field.owner == *sort) {
                    let class = self.atoms[atom as usize].class;
                    let has_field = match class.is_subtype_of(field.class) {
                        true => Lit::TRUE,
                        false if spec.models_opaque => self.is_of(circuit, spec.program, atom, field.class),
                        false => return Err(Refusal::unsupported(format!("the field {} of a subclass", field.name))),
                    };
                    let slot = self.slot(
                        atom,
                        &ResolvedField {
                            class: field.class,
                            slot: field.slot,
                            kind: Kind::Reference,
                            is_static: false,
                            is_variable: false,
                            access: 0,
                        },
                    );
                    let allowed = spec.allowed.and_then(|allowed| allowed.get(&(atom, slot)));
                    let owner = self.has_element(circuit, atom, field.slot);
                    let owner = circuit.and(owner, has_field);
                    if owner == Lit::FALSE {
                        continue;
                    }
                    let declared =
                        declared_type(spec.program, field).unwrap_or(backbone.sorts[field.target].classes[0]);
                    let reference = ReferenceSpec {
                        sort: field.target,
                        declared,
                        from: Some((atom, at)),
                        owner,
                        may_be_null: may_be_null(field),
                    };
                    let (refs, leads) = self.refer(circuit, spec, &mut walk, reference, allowed);
                    self.leading[at] = circuit.or(self.leading[at], leads);
                    self.places.insert((atom, slot), refs);
                }
            }
        }
        let is_late = |sort: usize| late.iter().any(|(late, _)| *late == sort);
        self.is_guided = (0..self.sorts.len()).map(|sort| walk.is_ordered[sort] && !is_late(sort)).collect();
        Ok(roots)
    }

    /// Gives an array a length.
    pub(crate) fn measure(&mut self, circuit: &mut Circuit, atom: u32) {
        let longest = self.room(atom);
        let bits = (longest + 1).next_power_of_two().trailing_zeros() as usize;
        let word = circuit.word_input(bits);
        let length = resized(&word, 32, false);
        let longest = circuit.word_constant(32, longest as i64);
        self.axioms.push(circuit.less_or_equal(&length, &longest));
        self.lengths.insert(atom, length);
    }

    /// How many elements an array may have. The bound on lengths is one on characters.
    pub(crate) fn room(&self, atom: u32) -> u32 {
        let width = if self.has_all_units && self.string_arrays.contains(&atom) { 2 } else { 1 };
        self.longest * width
    }

    /// The literal under which such an object exists, with such an element if it is an array.
    pub(crate) fn has_element(&self, circuit: &mut Circuit, atom: u32, slot: u32) -> Lit {
        let exists = self.atoms[atom as usize].exists;
        match self.lengths.get(&atom) {
            None => exists,
            Some(length) => {
                let here = circuit.word_constant(32, slot as i64);
                let is_there = circuit.less(&here, length);
                circuit.and(exists, is_there)
            }
        }
    }

    /// A reference to an atom of a sort, from an owner that may exist: null, an atom that was met before, or the next one. Returns also the literal
    /// under which it is the next one.
    fn refer(
        &mut self,
        circuit: &mut Circuit,
        spec: &UniverseSpec,
        walk: &mut NumberingWalk,
        ReferenceSpec { sort, declared, from, owner, may_be_null }: ReferenceSpec,
        allowed: Option<&BTreeSet<Pointee>>,
    ) -> (PointsTo, Lit) {
        self.note_declared(spec, declared);
        let (first, size) = self.sorts[sort];
        let held = self.concrete_objects(spec.program, declared);
        let before = |at: usize| if at == 0 || !walk.is_ordered[sort] { Lit::TRUE } else { walk.met[sort][at - 1] };
        let fits = |at: &usize| {
            let class = self.atoms[first as usize + at].class;
            !spec.models_opaque || spec.program.split(class, declared).yes.is_some()
        };
        let atoms =
            (0..size).filter(|at| before(*at) != Lit::FALSE).filter(fits).map(|at| Pointee::Atom(first + at as u32));
        let targets = may_be_null.then_some(Pointee::Null).into_iter().chain(atoms).chain(held);
        let targets: Vec<Pointee> =
            targets.filter(|target| allowed.is_none_or(|allowed| allowed.contains(target))).collect();
        // One variable for each possible pointee, of which exactly one is true if the owner exists.
        let refs: Vec<(Pointee, Lit)> = match targets[..] {
            [only] => vec![(only, Lit::TRUE)],
            _ => targets.iter().map(|target| (*target, circuit.input())).collect(),
        };
        let any = circuit.any(refs.iter().map(|(_, when)| *when));
        self.axioms.push(circuit.implies(owner, any));
        for (at, (_, one)) in refs.iter().enumerate() {
            for (_, other) in &refs[at + 1..] {
                let both = circuit.and(*one, *other);
                self.axioms.push(!both);
            }
        }
        // Symmetry breaking: the pointee is an atom that was met before, or the next one. With atoms 0 and 1 met, a field may refer to 0, 1
        // or 2, and never to 3.
        for (target, when) in &refs {
            let Pointee::Atom(atom) = target else { continue };
            let at = (atom - first) as usize;
            let when_there = circuit.and(owner, *when);
            let before = if at == 0 || !walk.is_ordered[sort] { Lit::TRUE } else { walk.met[sort][at - 1] };
            self.axioms.push(circuit.implies(when_there, before));
            if spec.models_opaque && !self.atoms[*atom as usize].class.is_subtype_of(declared) {
                let is_of = self.is_of(circuit, spec.program, *atom, declared);
                self.axioms.push(circuit.implies(when_there, is_of));
            }
            // An atom that does not exist refers to nothing, so that each heap has one description.
            if *when != Lit::TRUE {
                self.axioms.push(circuit.implies(*when, owner));
            }
            if !walk.is_ordered[sort] {
                self.axioms.push(circuit.implies(when_there, walk.met[sort][at]));
            }
        }
        // Now the walk has met the pointee. The field leads if it is the first to refer to it.
        let mut leads = Lit::FALSE;
        if walk.is_ordered[sort] {
            for (target, when) in &refs {
                let Pointee::Atom(atom) = target else { continue };
                let met = &mut walk.met[sort][(atom - first) as usize];
                let when_there = circuit.and(owner, *when);
                let is_new = circuit.and(when_there, !*met);
                leads = circuit.or(leads, is_new);
                *met = circuit.or(*met, when_there);
            }
        }
        let refs: PointsTo = refs.into();
        self.walked.push(WalkedReference { from, owner, refs: refs.clone() });
        (refs, leads)
    }

    /// A reference of a parameter to any object of a sort, or to none.
    fn refer_late(
        &mut self,
        circuit: &mut Circuit,
        spec: &UniverseSpec,
        sort: usize,
        declared: &'static Class,
    ) -> PointsTo {
        self.note_declared(spec, declared);
        let (first, size) = self.sorts[sort];
        let fits = |atom: &u32| spec.program.split(self.atoms[*atom as usize].class, declared).yes.is_some();
        let atoms = (first..first + size as u32).filter(fits).map(Pointee::Atom);
        let held = self.concrete_objects(spec.program, declared);
        let refs = self.one_of(circuit, [Pointee::Null].into_iter().chain(atoms).chain(held).collect(), Lit::TRUE);
        for (target, when) in refs.iter() {
            if let Pointee::Atom(atom) = target
                && !self.atoms[*atom as usize].class.is_subtype_of(declared)
            {
                let is_of = self.is_of(circuit, spec.program, *atom, declared);
                self.axioms.push(circuit.implies(*when, is_of));
            }
        }
        refs
    }

    /// The value of a field of an atom at entry.
    pub(crate) fn read(&mut self, circuit: &mut Circuit, place: (u32, u32), kind: Kind) -> Result<SymValue, Refusal> {
        if let Some(refs) = self.places.get(&place) {
            return Ok(SymValue::Ref(refs.clone()));
        }
        if let Some(known) = self.others.get(&place) {
            return Ok(known.clone());
        }
        let value = match kind {
            Kind::Reference => {
                let null = circuit.input();
                SymValue::Ref(Rc::new([(Pointee::Null, null), (Pointee::Unknown, !null)]))
            }
            _ if let Some(bits) = self.naturals.get(&place) => {
                let most = self.int_bits.map_or(*bits, |most| most as usize - 1);
                let word = circuit.word_input(most.min(*bits));
                SymValue::Word(resized(&word, if kind == Kind::Long { 64 } else { 32 }, false))
            }
            _ => match self.narrow.get(&place) {
                Some(width) if self.is_narrow(width) => narrow_number(circuit, *width, kind),
                _ if self.string_arrays.contains(&place.0) => number(circuit, kind, None)?,
                _ if self.saturation.is_some() && matches!(kind, Kind::Float | Kind::Double) => {
                    return Err(Refusal::unsupported("floating point with numbers of few bits"));
                }
                _ => {
                    let saturated = self.saturation.map(|bits| bits as u32);
                    number(circuit, kind, self.int_bits.into_iter().chain(saturated).min())?
                }
            },
        };
        self.others.insert(place, value.clone());
        Ok(value)
    }

    /// Does a number that matters only by its order have fewer bits than others?
    fn is_narrow(&self, width: &BitWidth) -> bool {
        let is_near = |bits: usize| width.bits < bits && !width.may_be_greatest && !width.may_be_least;
        self.int_bits.is_none_or(|most| width.bits <= most as usize) && self.saturation.is_none_or(is_near)
    }

    /// The value of a static field at entry: any number.
    pub(crate) fn read_static(
        &mut self,
        circuit: &mut Circuit,
        place: (u32, u32),
        kind: Kind,
    ) -> Result<SymValue, Refusal> {
        if let Some(known) = self.statics.get(&place) {
            return Ok(known.clone());
        }
        let value = number(circuit, kind, self.int_bits)?;
        self.statics.insert(place, value.clone());
        Ok(value)
    }

    /// The value of a field at entry, if it was read.
    pub(crate) fn at_entry(&self, place: (u32, u32)) -> Option<SymValue> {
        let refs = self.places.get(&place).map(|refs| SymValue::Ref(refs.clone()));
        refs.or_else(|| self.others.get(&place).cloned())
    }

    /// The atoms that a variable may denote which denotes these: those of the same sorts, or all, if that does not tell.
    pub(crate) fn like(&self, refs: &PointsTo) -> Vec<u32> {
        let sort =
            |atom: u32| self.sorts.iter().position(|(first, size)| (*first..*first + *size as u32).contains(&atom));
        let sorts: BTreeSet<usize> = refs
            .iter()
            .filter_map(|(target, _)| match target {
                Pointee::Atom(atom) => sort(*atom),
                _ => None,
            })
            .collect();
        let is_like = |atom: &u32| sorts.is_empty() || sort(*atom).is_some_and(|sort| sorts.contains(&sort));
        (0..self.atoms.len() as u32).filter(is_like).collect()
    }

    /// The atoms that a reference of this type may denote.
    pub(crate) fn atoms_of(&self, program: &Program, declared: &'static Class) -> Vec<u32> {
        let fits = |atom: &u32| program.split(self.atoms[*atom as usize].class, declared).yes.is_some();
        (0..self.atoms.len() as u32).filter(fits).collect()
    }
}

/// A reference to objects of a sort.
struct ReferenceSpec {
    sort: usize,
    declared: &'static Class,
    /// The atom and the field of the backbone, if it is a field.
    from: Option<(u32, usize)>,
    /// The literal under which its owner exists.
    owner: Lit,
    may_be_null: bool,
}

/// The state of the breadth-first walk that numbers atoms.
struct NumberingWalk {
    /// By sort: when its first, second, … atom has been met.
    met: Vec<Vec<Lit>>,
    /// Are the atoms of a sort numbered as they are met? Where sorts refer to each other, which one comes first depends on the heap; then, and
    /// without symmetry breaking, any numbers do.
    is_ordered: Vec<bool>,
}

/// The sorts in an order in which those that refer come before those that are referred to, and whether there is one.
fn order_of_sorts(backbone: &Backbone) -> Vec<(usize, bool)> {
    let count = backbone.sorts.len();
    let mut reaches = vec![vec![false; count]; count];
    for field in backbone.fields.iter().filter(|field| field.owner != field.target) {
        reaches[field.owner][field.target] = true;
    }
    for middle in 0..count {
        let behind = reaches[middle].clone();
        for from in reaches.iter_mut().filter(|from| from[middle]) {
            from.iter_mut().zip(&behind).for_each(|(reached, behind)| *reached |= behind);
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    // The sort that reaches more sorts comes first.
    order.sort_by_key(|sort| std::cmp::Reverse(reaches[*sort].iter().filter(|reached| **reached).count()));
    order.into_iter().map(|sort| (sort, !reaches[sort][sort])).collect()
}

fn declared_type(program: &Program, field: &BackboneField) -> Option<&'static Class> {
    match field.class.component() {
        Some(component) => Some(component),
        None => program.load_descriptor(field.class.field_at(field.slot)?.descriptor).ok(),
    }
}

/// An object of an inner class has an outer one.
fn may_be_null(field: &BackboneField) -> bool {
    let is_outer = field.name.starts_with("this$");
    !(is_outer && field.class.field(field.name).is_some_and(|field| field.access & access::SYNTHETIC != 0))
}

/// A number of a few bits, as wide as the operand stack has it.
pub(crate) fn narrow_number(circuit: &mut Circuit, width: BitWidth, kind: Kind) -> SymValue {
    let word = circuit.word_input(width.bits);
    let mut bits = circuit.widen(&word, if kind == Kind::Long { 64 } else { 32 }).to_vec();
    let sign = bits.len() - 1;
    for (may_be, is_greatest) in [(width.may_be_greatest, true), (width.may_be_least, false)] {
        if may_be {
            let is_it = circuit.input();
            for (at, bit) in bits.iter_mut().enumerate() {
                // The greatest number has all bits but the sign, the least one that alone.
                *bit = circuit.if_else(is_it, Lit::constant((at != sign) == is_greatest), *bit);
            }
        }
    }
    SymValue::Word(bits.into())
}

/// The variables of a number, as wide as the operand stack has it.
pub(crate) fn number(circuit: &mut Circuit, kind: Kind, int_bits: Option<u32>) -> Result<SymValue, Refusal> {
    let (bits, width, is_signed) = match kind {
        Kind::Boolean => (1, 32, false),
        Kind::Byte => (8, 32, true),
        Kind::Short => (16, 32, true),
        Kind::Char => (16, 32, false),
        Kind::Int => (32, 32, true),
        Kind::Long => (64, 64, true),
        Kind::Float => (32, 32, true),
        Kind::Double => (64, 64, true),
        Kind::Reference | Kind::Void => return Err(Refusal::unsupported("a value that is no number")),
    };
    let bits = match int_bits {
        // Few bits are for integers.
        _ if matches!(kind, Kind::Float | Kind::Double) => bits,
        // An unsigned number has one bit less.
        Some(most) if kind != Kind::Boolean => bits.min(most as usize - !is_signed as usize),
        _ => bits,
    };
    let mut word: Vec<Lit> = (0..bits).map(|_| circuit.input()).collect();
    let fill = if is_signed { word[bits - 1] } else { Lit::FALSE };
    word.resize(width, fill);
    Ok(SymValue::Word(word.into()))
}

/// Are the fields of objects of that class modelled?
pub(crate) fn is_followed(class: &Class) -> bool {
    (class.is_users() || class.is_array()) && class.access & access::ENUM == 0
}
