//! Which objects may an input have, as propositional variables?
//!
//! Of every class there are as many atoms as the scope allows, and a reference field of an atom is null or one of them: one variable for each
//! possibility. Names are not left to chance: the atoms of a class are numbered in the order in which a breadth-first walk from the
//! roots meets them, so that every heap has exactly one description, and a field can only refer to what was met before it, or to the
//! next atom (Galeotti, Rosner, López Pombo and Frias, ISSTA 2010). That makes fewer descriptions, and nothing else relies on it: with any
//! numbers, what was met is simply what exists.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::{Class, Program, ResolvedField, access};
use lazuli_vm::state::State;
use lazuli_vm::universe::Bounds;
use lazuli_vm::value::Kind;

use super::Refusal;
use super::meaning::{Meaning, Refs, Target, is, resized};
use super::rank::Width;
use crate::backbone::{Backbone, BackboneField};

/// A name for an object of the input.
#[derive(Clone)]
pub struct Atom {
    /// Its class, or its declared type if several classes are possible.
    pub class: &'static Class,
    /// The declared type under which it counts against the scope.
    pub counted: &'static Class,
    /// Its number among the atoms of its sort.
    pub number: u16,
    /// When there is such an object.
    pub exists: Lit,
}

/// The atoms, and what is known about them.
#[derive(Default)]
pub struct Universe {
    pub atoms: Vec<Atom>,
    /// The first atom of each sort of the backbone, and how many there are.
    pub sorts: Vec<(u32, usize)>,
    /// What reference fields to objects of these sorts hold, by atom and slot.
    pub places: BTreeMap<(u32, u32), Refs>,
    /// Fields of which only null is told from something else, and numbers, as far as somebody asked.
    pub others: BTreeMap<(u32, u32), Meaning>,
    /// How many bits numbers have that need few, by atom and slot.
    pub narrow: BTreeMap<(u32, u32), Width>,
    /// Numbers of valid heaps that are not negative and have so few bits, by atom and slot.
    pub naturals: Naturals,
    /// What static fields held at entry, by class and slot, as far as somebody asked.
    pub statics: BTreeMap<(u32, u32), Meaning>,
    /// Atoms of types that the backbone does not follow, by declared type: the first, and how many. They are told apart, and nothing else
    /// is known of them.
    pub(super) strangers: Vec<(&'static Class, u32, usize)>,
    /// How many elements arrays have, by atom, and how many they may have.
    pub lengths: BTreeMap<u32, Word>,
    pub longest: u32,
    /// Objects of the user's classes that static fields hold, which inputs may refer to as well.
    pub(super) held: Vec<(u32, &'static Class)>,
    /// The arrays in which texts keep their characters.
    pub(super) texts: BTreeSet<u32>,
    /// What the classes of atoms may be, as far as somebody asked, and when: see `classes`.
    pub(super) parts: BTreeMap<u32, Vec<(&'static Class, Lit)>>,
    /// Fields that only some of the possible classes of an atom have: the class that declares each, and its slot there.
    pub(super) far: Vec<(&'static Class, u32)>,
    /// The methods whose code may be executed, if numbers have few bits because of what it does.
    pub foreseen: Option<HashSet<u32>>,
    /// May somebody ask of which class an object is?
    pub tells_classes: bool,
    /// Are atoms numbered in the order in which they are met, where there is one?
    pub(super) breaks_symmetry: bool,
    /// How many bits all numbers have, if fewer than Java gives them.
    int_bits: Option<u32>,
    /// How many bits numbers have if those beyond are not told apart: see `near`.
    pub near: Option<usize>,
    /// What every heap satisfies, and the solver was not told yet.
    pub axioms: Vec<Lit>,
    /// By field of the backbone: when an object is met over it first.
    pub leading: Vec<Lit>,
    /// Are the numbers those of a breadth-first walk over all sorts together?
    pub is_breadth_first: bool,
    /// The declared types of references, by number, and whether there is no class that their objects could have.
    pub(super) met: BTreeMap<u32, bool>,
}

/// What a place may refer to, by atom and slot, where that is known.
pub type Allowed = BTreeMap<(u32, u32), BTreeSet<Target>>;

/// How many bits numbers have that are not negative, by atom and slot, where that is known.
pub type Naturals = BTreeMap<(u32, u32), usize>;

/// A root: its declared type, and whether it is the receiver, which is there.
#[derive(Clone, Copy)]
pub struct Root {
    pub class: &'static Class,
    /// What is known about the class of the receiver; else the declared type.
    pub possible: &'static Class,
    pub is_receiver: bool,
}

/// A static field that holds an input.
pub struct StaticRoot {
    /// The numbers of its class, and in it.
    pub class: u32,
    pub slot: u32,
    pub declared: &'static Class,
}

/// What a universe is made of.
pub struct Design<'a> {
    pub program: &'a Program,
    pub bounds: &'a Bounds,
    pub roots: &'a [Root],
    /// A state in which the classes that the program uses are initialised.
    pub path: &'a State,
    /// All reference fields between the objects, in the order in which they are followed.
    pub backbone: &'a Backbone,
    pub allowed: Option<&'a Allowed>,
    /// Are objects of other types told apart as well?
    pub has_strangers: bool,
    /// Static fields that refer to objects, and are none that is known.
    pub statics: &'a [StaticRoot],
    /// The fields that somebody looks at, by class and slot, if that is known.
    pub looked_at: Option<&'a HashSet<(u32, u32)>>,
    pub breaks_symmetry: bool,
}

impl Universe {
    /// The universe, and what the roots are in it.
    pub fn new(circuit: &mut Circuit, design: &Design) -> Result<(Universe, Vec<Refs>), Refusal> {
        let Design { program, bounds, backbone, .. } = *design;
        let mut universe = Universe {
            atoms: Vec::new(),
            sorts: Vec::new(),
            places: BTreeMap::new(),
            others: BTreeMap::new(),
            narrow: BTreeMap::new(),
            naturals: Naturals::new(),
            statics: BTreeMap::new(),
            strangers: Vec::new(),
            held: Vec::new(),
            lengths: BTreeMap::new(),
            texts: BTreeSet::new(),
            longest: bounds.length() as u32,
            parts: BTreeMap::new(),
            far: Vec::new(),
            foreseen: None,
            tells_classes: design.has_strangers,
            breaks_symmetry: design.breaks_symmetry,
            int_bits: bounds.int_bits,
            near: None,
            axioms: Vec::new(),
            leading: vec![Lit::FALSE; backbone.fields.len()],
            is_breadth_first: true,
            met: BTreeMap::new(),
        };
        // Atoms have numbers of 16 bits.
        let largest = bounds.scope_of.iter().map(|(_, scope)| *scope).chain([bounds.scope, bounds.length()]).max();
        if largest.is_some_and(|largest| largest > u16::MAX as usize) {
            return Err(Refusal::TooLarge);
        }
        if design.has_strangers {
            let held = design.path.held_by_statics().iter().map(|held| held.object);
            universe.held = held.map(|object| (object.index() as u32, design.path.heap.class(object))).collect();
        }
        let sort_of = |root: &Root| backbone.sorts.iter().position(|sort| sort.holds(root.class));
        for (at, sort) in backbone.sorts.iter().enumerate() {
            let is_alone = sort.classes.len() == 1;
            let is_above = |class: &&&'static Class| sort.classes.iter().all(|other| other.is_subtype_of(class));
            if !is_alone && !design.has_strangers {
                return Err(Refusal::unsupported("a field of a type that is related to that of another"));
            }
            // An atom has one exact class where it is an array, and a field of each of these types may hold it.
            if !is_alone && sort.classes.iter().any(|class| class.is_array()) {
                return Err(Refusal::unsupported("fields of array types of which one extends the other"));
            }
            let class = sort.classes.iter().find(is_above).copied().unwrap_or(program.known().object);
            let roots: Vec<&Root> = design.roots.iter().filter(|root| sort_of(root) == Some(at)).collect();
            let statics = design.statics.iter().filter(|root| sort.holds(root.declared)).count();
            let size = match sort.declared > 0 || !is_alone {
                true => sort.classes.iter().map(|class| bounds.scope_of(&class.java_name())).sum(),
                false => roots.len() + statics,
            };
            let receivers = roots.iter().filter(|root| root.is_receiver).map(|root| root.possible).collect::<Vec<_>>();
            let is_root = !roots.is_empty();
            universe.add_sort(program, bounds, class, (size, &receivers, is_root))?;
        }
        let mut order = order_of_sorts(backbone);
        order.iter_mut().for_each(|(_, is_ordered)| *is_ordered &= design.breaks_symmetry);
        let is_large = |at: &usize| universe.sorts[*at].1 > 1;
        universe.is_breadth_first =
            order.iter().all(|(_, is_ordered)| *is_ordered) && (0..backbone.sorts.len()).filter(is_large).count() <= 1;
        let roots = universe.connect(circuit, design, &order)?;
        if design.has_strangers {
            universe.meet_strangers(circuit, design);
            for root in design.statics {
                if !universe.statics.contains_key(&(root.class, root.slot))
                    && let Some(refs) = universe.stranger(circuit, design, root.declared, Lit::TRUE)
                {
                    universe.statics.insert((root.class, root.slot), Meaning::Ref(refs));
                }
            }
        }
        // An invariant on its own has nobody to tell of it.
        if !design.has_strangers && universe.met.values().any(|is_void| *is_void) {
            return Err(Refusal::unsupported("a type of which there are no objects"));
        }
        Ok((universe, roots))
    }

    /// Notes of what type a reference is.
    pub(super) fn meet(&mut self, design: &Design, declared: &'static Class) {
        self.met.entry(declared.id.index() as u32).or_insert_with(|| {
            let has_constants = declared.access & access::ENUM != 0 || declared.name == "java/lang/Void";
            !has_constants && design.program.possible_classes(declared, design.bounds.world).is_none()
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
        let size = if possible.is_some() { size.max(receivers.len()) } else { receivers.len() };
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
        design: &Design,
        order: &[(usize, bool)],
    ) -> Result<Vec<Refs>, Refusal> {
        let backbone = design.backbone;
        let mut walk = Walk {
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
        // Where there is a receiver, what parameters refer to is numbered behind what it consists of: then that has the same numbers whatever they are.
        let has_receiver = design.has_strangers && design.roots.iter().any(|root| root.is_receiver);
        let mut late: Vec<(usize, Refs)> = Vec::new();
        for root in design.roots {
            let sort = backbone.sorts.iter().position(|sort| sort.holds(root.class));
            let sort = sort.ok_or_else(|| Refusal::unsupported("an invariant of no input"))?;
            roots.push(if root.is_receiver {
                let number = receivers[sort];
                receivers[sort] += 1;
                walk.met[sort][number] = Lit::TRUE;
                Rc::new([(Target::Atom(self.sorts[sort].0 + number as u32), Lit::TRUE)])
            } else if has_receiver && walk.is_ordered[sort] {
                let refs = self.refer_late(circuit, design, sort, root.class);
                late.push((sort, refs.clone()));
                refs
            } else {
                let reference = Reference { sort, declared: root.class, owner: Lit::TRUE, may_be_null: true };
                self.refer(circuit, design, &mut walk, reference, None).0
            });
        }
        for root in design.statics {
            if let Some(sort) = backbone.sorts.iter().position(|sort| sort.holds(root.declared)) {
                let reference = Reference { sort, declared: root.declared, owner: Lit::TRUE, may_be_null: true };
                let refs = self.refer(circuit, design, &mut walk, reference, None).0;
                self.statics.insert((root.class, root.slot), Meaning::Ref(refs));
            }
        }
        for (sort, _) in order {
            let (first, size) = self.sorts[*sort];
            for atom in first..first + size as u32 {
                let number = (atom - first) as usize;
                for (_, refs) in late.iter().filter(|(late, _)| late == sort) {
                    let when = is(refs, Target::Atom(atom));
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
                        false if design.has_strangers => self.is_of(circuit, design.program, atom, field.class),
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
                        },
                    );
                    let allowed = design.allowed.and_then(|allowed| allowed.get(&(atom, slot)));
                    let owner = self.has_element(circuit, atom, field.slot);
                    let owner = circuit.and(owner, has_field);
                    if owner == Lit::FALSE {
                        continue;
                    }
                    let declared =
                        declared_type(design.program, field).unwrap_or(backbone.sorts[field.target].classes[0]);
                    let reference = Reference { sort: field.target, declared, owner, may_be_null: may_be_null(field) };
                    let (refs, leads) = self.refer(circuit, design, &mut walk, reference, allowed);
                    self.leading[at] = circuit.or(self.leading[at], leads);
                    self.places.insert((atom, slot), refs);
                }
            }
        }
        Ok(roots)
    }

    /// Gives an array a length.
    pub(super) fn measure(&mut self, circuit: &mut Circuit, atom: u32) {
        let bits = (self.longest + 1).next_power_of_two().trailing_zeros() as usize;
        let word = circuit.word_input(bits);
        let length = resized(&word, 32, false);
        let longest = circuit.word_constant(32, self.longest as i64);
        self.axioms.push(circuit.less_or_equal(&length, &longest));
        self.lengths.insert(atom, length);
    }

    /// When is there such an object, with such an element if it is an array?
    pub(super) fn has_element(&self, circuit: &mut Circuit, atom: u32, slot: u32) -> Lit {
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

    /// A reference to something of a sort, from an owner that may exist: null, what was met before, or the next; and when it is the
    /// next.
    fn refer(
        &mut self,
        circuit: &mut Circuit,
        design: &Design,
        walk: &mut Walk,
        Reference { sort, declared, owner, may_be_null }: Reference,
        allowed: Option<&BTreeSet<Target>>,
    ) -> (Refs, Lit) {
        self.meet(design, declared);
        let (first, size) = self.sorts[sort];
        let held = self.held_as(design.program, declared);
        let before = |at: usize| if at == 0 || !walk.is_ordered[sort] { Lit::TRUE } else { walk.met[sort][at - 1] };
        let fits = |at: &usize| {
            let class = self.atoms[first as usize + at].class;
            !design.has_strangers || design.program.split(class, declared).yes.is_some()
        };
        let atoms =
            (0..size).filter(|at| before(*at) != Lit::FALSE).filter(fits).map(|at| Target::Atom(first + at as u32));
        let targets = may_be_null.then_some(Target::Null).into_iter().chain(atoms).chain(held);
        let targets: Vec<Target> =
            targets.filter(|target| allowed.is_none_or(|allowed| allowed.contains(target))).collect();
        let refs: Vec<(Target, Lit)> = match targets[..] {
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
        for (target, when) in &refs {
            let Target::Atom(atom) = target else { continue };
            let at = (atom - first) as usize;
            let when_there = circuit.and(owner, *when);
            let before = if at == 0 || !walk.is_ordered[sort] { Lit::TRUE } else { walk.met[sort][at - 1] };
            self.axioms.push(circuit.implies(when_there, before));
            if design.has_strangers && !self.atoms[*atom as usize].class.is_subtype_of(declared) {
                let is_of = self.is_of(circuit, design.program, *atom, declared);
                self.axioms.push(circuit.implies(when_there, is_of));
            }
            // What is not there refers to nothing: then a heap has one description.
            if *when != Lit::TRUE {
                self.axioms.push(circuit.implies(*when, owner));
            }
            if !walk.is_ordered[sort] {
                self.axioms.push(circuit.implies(when_there, walk.met[sort][at]));
            }
        }
        let mut leads = Lit::FALSE;
        if walk.is_ordered[sort] {
            for (target, when) in &refs {
                let Target::Atom(atom) = target else { continue };
                let met = &mut walk.met[sort][(atom - first) as usize];
                let when_there = circuit.and(owner, *when);
                let is_new = circuit.and(when_there, !*met);
                leads = circuit.or(leads, is_new);
                *met = circuit.or(*met, when_there);
            }
        }
        (refs.into(), leads)
    }

    /// A reference of a parameter to any object of a sort, or to none.
    fn refer_late(&mut self, circuit: &mut Circuit, design: &Design, sort: usize, declared: &'static Class) -> Refs {
        self.meet(design, declared);
        let (first, size) = self.sorts[sort];
        let fits = |atom: &u32| design.program.split(self.atoms[*atom as usize].class, declared).yes.is_some();
        let atoms = (first..first + size as u32).filter(fits).map(Target::Atom);
        let held = self.held_as(design.program, declared);
        let refs = self.one_of(circuit, [Target::Null].into_iter().chain(atoms).chain(held).collect(), Lit::TRUE);
        for (target, when) in refs.iter() {
            if let Target::Atom(atom) = target
                && !self.atoms[*atom as usize].class.is_subtype_of(declared)
            {
                let is_of = self.is_of(circuit, design.program, *atom, declared);
                self.axioms.push(circuit.implies(*when, is_of));
            }
        }
        refs
    }

    /// What a field of an atom held at entry.
    pub fn read(&mut self, circuit: &mut Circuit, place: (u32, u32), kind: Kind) -> Result<Meaning, Refusal> {
        if let Some(refs) = self.places.get(&place) {
            return Ok(Meaning::Ref(refs.clone()));
        }
        if let Some(known) = self.others.get(&place) {
            return Ok(known.clone());
        }
        let meaning = match kind {
            Kind::Reference => {
                let null = circuit.input();
                Meaning::Ref(Rc::new([(Target::Null, null), (Target::Other, !null)]))
            }
            _ if let Some(bits) = self.naturals.get(&place) => {
                let most = self.int_bits.map_or(*bits, |most| most as usize - 1);
                let word = circuit.word_input(most.min(*bits));
                Meaning::Word(resized(&word, if kind == Kind::Long { 64 } else { 32 }, false))
            }
            _ => match self.narrow.get(&place) {
                Some(width) if self.is_narrow(width) => narrow_number(circuit, *width, kind),
                _ if self.texts.contains(&place.0) => number(circuit, kind, None)?,
                _ => {
                    let near = self.near.map(|bits| bits as u32);
                    number(circuit, kind, self.int_bits.into_iter().chain(near).min())?
                }
            },
        };
        self.others.insert(place, meaning.clone());
        Ok(meaning)
    }

    /// Does a number that matters only by its order have fewer bits than others?
    fn is_narrow(&self, width: &Width) -> bool {
        let is_near = |bits: usize| width.bits < bits && !width.may_be_greatest && !width.may_be_least;
        self.int_bits.is_none_or(|most| width.bits <= most as usize) && self.near.is_none_or(is_near)
    }

    /// What a static field held at entry: any number.
    pub fn read_static(&mut self, circuit: &mut Circuit, place: (u32, u32), kind: Kind) -> Result<Meaning, Refusal> {
        if let Some(known) = self.statics.get(&place) {
            return Ok(known.clone());
        }
        let meaning = number(circuit, kind, self.int_bits)?;
        self.statics.insert(place, meaning.clone());
        Ok(meaning)
    }

    /// What a field held at entry, if somebody has read it.
    pub fn at_entry(&self, place: (u32, u32)) -> Option<Meaning> {
        let refs = self.places.get(&place).map(|refs| Meaning::Ref(refs.clone()));
        refs.or_else(|| self.others.get(&place).cloned())
    }

    /// The atoms that a variable may denote which denotes these: those of the same sorts, or all, if that does not tell.
    pub fn like(&self, refs: &Refs) -> Vec<u32> {
        let sort =
            |atom: u32| self.sorts.iter().position(|(first, size)| (*first..*first + *size as u32).contains(&atom));
        let sorts: BTreeSet<usize> = refs
            .iter()
            .filter_map(|(target, _)| match target {
                Target::Atom(atom) => sort(*atom),
                _ => None,
            })
            .collect();
        let is_like = |atom: &u32| sorts.is_empty() || sort(*atom).is_some_and(|sort| sorts.contains(&sort));
        (0..self.atoms.len() as u32).filter(is_like).collect()
    }

    /// The atoms that a reference of this type may denote.
    pub fn atoms_of(&self, program: &Program, declared: &'static Class) -> Vec<u32> {
        let fits = |atom: &u32| program.split(self.atoms[*atom as usize].class, declared).yes.is_some();
        (0..self.atoms.len() as u32).filter(fits).collect()
    }
}

/// A reference to objects of a sort.
struct Reference {
    sort: usize,
    declared: &'static Class,
    /// When is there somebody who has it?
    owner: Lit,
    may_be_null: bool,
}

/// How far the walk has come.
struct Walk {
    /// By sort: when its first, second, … atom has been met.
    met: Vec<Vec<Lit>>,
    /// Are the atoms of a sort numbered as they are met? Where sorts refer to each other, which comes first depends on the heap;
    /// then, or if nobody wants an order, any numbers will do.
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
    // Whoever reaches more comes first.
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
pub fn narrow_number(circuit: &mut Circuit, width: Width, kind: Kind) -> Meaning {
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
    Meaning::Word(bits.into())
}

/// The variables of a number, as wide as the operand stack has it.
pub fn number(circuit: &mut Circuit, kind: Kind, int_bits: Option<u32>) -> Result<Meaning, Refusal> {
    let (bits, width, is_signed) = match kind {
        Kind::Boolean => (1, 32, false),
        Kind::Byte => (8, 32, true),
        Kind::Short => (16, 32, true),
        Kind::Char => (16, 32, false),
        Kind::Int => (32, 32, true),
        Kind::Long => (64, 64, true),
        _ => return Err(Refusal::unsupported("a floating-point number")),
    };
    let bits = match int_bits {
        // What has no sign has one bit less.
        Some(most) if kind != Kind::Boolean => bits.min(most as usize - !is_signed as usize),
        _ => bits,
    };
    let mut word: Vec<Lit> = (0..bits).map(|_| circuit.input()).collect();
    let fill = if is_signed { word[bits - 1] } else { Lit::FALSE };
    word.resize(width, fill);
    Ok(Meaning::Word(word.into()))
}
