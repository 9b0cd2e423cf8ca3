//! Which objects may an input have, as propositional variables?
//!
//! An object is named by the place where the invariant first finds it, as lazy initialization does: the field of an object that is
//! read for the first time is null, or an object that has a name already, or one that gets its name from this place. So every heap has
//! exactly one description (as in Korat), and in the circuit of a tree hardly any reference has more than two values. The names
//! that lead to no valid heap are dropped when the invariant is known.

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit};

use super::Refusal;
use super::meaning::{Meaning, Refs, Target};
use crate::explore::Bounds;
use crate::program::{Class, ClassId, Program, access};
use crate::value::Kind;

/// A name for an object of the input.
pub struct Atom {
    /// Its class, or its declared type if several classes are possible.
    pub class: &'static Class,
    /// The declared type under which it counts against the scope.
    pub counted: &'static Class,
    /// When there is such an object.
    pub exists: Lit,
    /// The place that it has its name from, by atom and slot.
    pub birth: Option<(u32, u32)>,
    /// Was it found out that there is none in any valid heap?
    is_gone: bool,
}

pub struct Universe<'a> {
    pub program: &'a Program,
    pub bounds: &'a Bounds,
    pub known: Known,
    /// The names that valid heaps have, if that is known; there are no others then.
    pub allowed: Option<Allowed>,
}

/// The names so far, and what is known about them.
#[derive(Default)]
pub struct Known {
    pub atoms: Vec<Atom>,
    /// What the reference fields that somebody asked about hold, by atom and slot.
    pub places: BTreeMap<(u32, u32), Place>,
    /// The same for numbers.
    pub numbers: BTreeMap<(u32, u32), Meaning>,
    /// By declared type: when at least one, two, … of its atoms exist.
    counts: BTreeMap<ClassId, Vec<Lit>>,
    /// What every heap satisfies and the solver was not told yet.
    pub axioms: Vec<Lit>,
}

/// A reference field of an object.
#[derive(Clone)]
pub struct Place {
    /// What it may refer to, as far as it was considered.
    pub refs: Refs,
    /// When it is something that was not considered.
    pub further: Lit,
    declared: &'static Class,
    /// The atom that has its name from here.
    pub born: Option<u32>,
}

impl Place {
    /// Considers one more object. An input that nobody decides means null; solvers try true first, which means something new.
    fn offer(&mut self, circuit: &mut Circuit, target: Target) -> Lit {
        let chosen = circuit.input();
        let chosen = if target == Target::Null { !chosen } else { chosen };
        let when = circuit.and(self.further, chosen);
        self.further = circuit.and(self.further, !chosen);
        let mut refs = self.refs.to_vec();
        refs.push((target, when));
        refs.sort();
        self.refs = refs.into();
        when
    }
}

/// The names that valid heaps have, by the universe in which that was found out.
pub struct Allowed {
    pub found: Known,
    /// What the atoms of the new universe are called in the old one.
    names: Vec<u32>,
}

impl Allowed {
    pub fn new(found: Known) -> Allowed {
        Allowed { found, names: Vec::new() }
    }

    /// The same place in the old universe.
    pub fn old(&self, (atom, slot): (u32, u32)) -> Option<&Place> {
        self.found.places.get(&(*self.names.get(atom as usize)?, slot))
    }

    fn may_be_new(&self, at: Option<(u32, u32)>) -> bool {
        at.is_none_or(|at| {
            let born = self.old(at).and_then(|place| Some((place, place.born?)));
            born.is_some_and(|(place, born)| place.refs.iter().any(|(target, _)| *target == Target::Atom(born)))
        })
    }

    /// May the place refer to that atom?
    pub fn may_be(&self, at: (u32, u32), atom: u32) -> bool {
        let name = self.names.get(atom as usize);
        let Some((place, name)) = self.old(at).zip(name) else { return false };
        place.refs.iter().any(|(target, _)| *target == Target::Atom(*name))
    }
}

/// More names than this are not worth a circuit.
const MOST_ATOMS: usize = 6000;

impl Universe<'_> {
    /// The receiver, which is there.
    pub fn receiver(&mut self, circuit: &mut Circuit, class: &'static Class) -> Result<Refs, Refusal> {
        let counted = class;
        let class = self
            .class(class, !class.is_abstract())?
            .ok_or_else(|| Refusal::Unsupported("a class without objects".to_string()))?;
        let atom = self.add(circuit, class, counted, Lit::TRUE);
        if let Some(allowed) = &mut self.allowed {
            allowed.names.push(atom);
        }
        Ok(Rc::new([(Target::Atom(atom), Lit::TRUE)]))
    }

    /// What a field of an atom held at entry. Of the objects that have a name already, only those are considered that the way may
    /// have; the answer covers everything where the guard holds.
    pub fn read(
        &mut self,
        circuit: &mut Circuit,
        (atom, slot): (u32, u32),
        (kind, descriptor): (Kind, &str),
        guard: Lit,
        may_exist: &dyn Fn(&Known, u32) -> bool,
    ) -> Result<Meaning, Refusal> {
        if kind != Kind::Reference {
            if let Some(known) = self.known.numbers.get(&(atom, slot)) {
                return Ok(known.clone());
            }
            let meaning = number(circuit, kind)?;
            self.known.numbers.insert((atom, slot), meaning.clone());
            return Ok(meaning);
        }
        if !self.known.places.contains_key(&(atom, slot)) {
            let declared = self.program.load_descriptor(descriptor);
            let declared = declared.map_err(|error| Refusal::Unsupported(error.to_string()))?;
            let owner = self.known.atoms[atom as usize].exists;
            let place = self.new_place(circuit, declared, owner, Some((atom, slot)))?;
            self.known.places.insert((atom, slot), place);
        }
        self.extend(circuit, (atom, slot), guard, may_exist);
        Ok(Meaning::Ref(self.known.places[&(atom, slot)].refs.clone()))
    }

    /// A parameter: null, something that has a name already, or something new.
    pub fn parameter(&mut self, circuit: &mut Circuit, declared: &'static Class) -> Result<Refs, Refusal> {
        let place = self.new_place(circuit, declared, Lit::TRUE, None)?;
        let place = self.extended(circuit, place, None, Lit::TRUE, &|_, _| true);
        Ok(place.refs)
    }

    /// A place that may hold null, or something new, or anything else.
    fn new_place(
        &mut self,
        circuit: &mut Circuit,
        declared: &'static Class,
        owner: Lit,
        at: Option<(u32, u32)>,
    ) -> Result<Place, Refusal> {
        let class = self.class(declared, false)?;
        let may_be_new = self.allowed.as_ref().is_none_or(|allowed| allowed.may_be_new(at));
        let mut place = Place { refs: Rc::new([]), further: Lit::TRUE, declared, born: None };
        place.offer(circuit, Target::Null);
        self.known.axioms.push(circuit.or(owner, !place.further));
        if let Some(class) = class.filter(|_| may_be_new) {
            let exists = place.offer(circuit, Target::Atom(self.known.atoms.len() as u32));
            place.born = Some(self.add(circuit, class, declared, exists));
            if let Some(born) = place.born {
                self.known.atoms[born as usize].birth = at;
            }
            if let (Some(allowed), Some(born)) = (&mut self.allowed, place.born) {
                // Roots come first, and have the same names in both.
                allowed.names.push(at.and_then(|at| allowed.old(at)?.born).unwrap_or(born));
            }
        }
        if self.known.atoms.len() > MOST_ATOMS {
            return Err(Refusal::TooLarge);
        }
        Ok(place)
    }

    /// Considers what a place may refer to on a way, as far as nobody has before.
    pub fn extend(
        &mut self,
        circuit: &mut Circuit,
        at: (u32, u32),
        guard: Lit,
        may_exist: &dyn Fn(&Known, u32) -> bool,
    ) {
        if let Some(place) = self.known.places.remove(&at) {
            let place = self.extended(circuit, place, Some(at), guard, may_exist);
            self.known.places.insert(at, place);
        }
    }

    fn extended(
        &mut self,
        circuit: &mut Circuit,
        mut place: Place,
        at: Option<(u32, u32)>,
        guard: Lit,
        may_exist: &dyn Fn(&Known, u32) -> bool,
    ) -> Place {
        if place.further == Lit::FALSE {
            return place;
        }
        for atom in 0..self.known.atoms.len() as u32 {
            let other = &self.known.atoms[atom as usize];
            let is_known = place.refs.binary_search_by_key(&Target::Atom(atom), |(target, _)| *target).is_ok();
            let is_allowed = match (&self.allowed, at) {
                (Some(allowed), Some(at)) => allowed.may_be(at, atom),
                _ => true,
            };
            if is_known || other.is_gone || !is_allowed || !may_exist(&self.known, atom) {
                continue;
            }
            if self.program.split(other.class, place.declared).yes.is_some() {
                let exists = other.exists;
                let when = place.offer(circuit, Target::Atom(atom));
                self.known.axioms.push(circuit.implies(when, exists));
            }
        }
        self.known.axioms.push(circuit.or(!guard, !place.further));
        place
    }

    fn add(&mut self, circuit: &mut Circuit, class: &'static Class, counted: &'static Class, exists: Lit) -> u32 {
        self.known.atoms.push(Atom { class, counted, exists, birth: None, is_gone: false });
        // What a wider type refers to may be counted elsewhere on the path.
        if !class.is_open() {
            self.count(circuit, counted, exists);
        }
        self.known.atoms.len() as u32 - 1
    }

    /// One more may exist, but not more than the scope.
    fn count(&mut self, circuit: &mut Circuit, counted: &'static Class, exists: Lit) {
        let scope = self.bounds.scope_of(&counted.java_name());
        let counts = self.known.counts.entry(counted.id).or_insert_with(|| vec![Lit::FALSE; scope]);
        if let Some(all) = counts.last() {
            self.known.axioms.push(circuit.or(!exists, !*all));
        } else {
            self.known.axioms.push(!exists);
        }
        for at in (0..counts.len()).rev() {
            let before = if at == 0 { Lit::TRUE } else { counts[at - 1] };
            let more = circuit.and(before, exists);
            counts[at] = circuit.or(counts[at], more);
        }
    }

    /// The class of the objects of a declared type; none if it has no objects.
    fn class(&self, declared: &'static Class, is_exact: bool) -> Result<Option<&'static Class>, Refusal> {
        let class =
            if is_exact { Some(declared) } else { self.program.possible_classes(declared, self.bounds.is_open) };
        let is_special = |class: &&'static Class| {
            let string = self.program.known().string;
            class.is_array() || class.id == string.id || class.is_box || class.access & access::ENUM != 0
        };
        match class {
            Some(class) if is_special(&class) => {
                Err(Refusal::Unsupported(format!("a field of type {}", declared.java_name())))
            }
            class => Ok(class),
        }
    }
}

impl Known {
    /// Forgets a name that no valid heap has.
    pub fn drop_atom(&mut self, atom: u32) {
        self.atoms[atom as usize].is_gone = true;
    }

    pub fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.atoms.len() as u32).filter(|atom| !self.atoms[*atom as usize].is_gone)
    }
}

/// The variables of a number, as wide as the operand stack has it.
fn number(circuit: &mut Circuit, kind: Kind) -> Result<Meaning, Refusal> {
    let (bits, width, is_signed) = match kind {
        Kind::Boolean => (1, 32, false),
        Kind::Byte => (8, 32, true),
        Kind::Short => (16, 32, true),
        Kind::Char => (16, 32, false),
        Kind::Int => (32, 32, true),
        Kind::Long => (64, 64, true),
        _ => return Err(Refusal::Unsupported("a floating-point number".to_string())),
    };
    let mut word: Vec<Lit> = (0..bits).map(|_| circuit.input()).collect();
    let fill = if is_signed { word[bits - 1] } else { Lit::FALSE };
    word.resize(width, fill);
    Ok(Meaning::Word(word.into()))
}
