//! What do specifications ask about the time before the method, over all inputs at once? The same as in `natives/contract`.

use lazuli_logic::circuit::{Lit, Word};
use lazuli_vm::natives::contract::CLASS;
use lazuli_vm::program::Method;

use super::Refusal;
use super::exceptions::Thrown;
use super::meaning::{Meaning, Target, same};
use super::translate::Translator;
use super::way::{Place, Way};

impl Translator<'_> {
    /// Calls a method that only specifications call. None if it is another one.
    pub fn call_contract(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: &[Meaning],
    ) -> Result<Option<Meaning>, Refusal> {
        if method.class().name != CLASS {
            return Ok(None);
        }
        Ok(Some(match method.name {
            "fresh" => {
                let Some(Meaning::Ref(refs)) = arguments.first() else { return Err(self.unsupported("an object")) };
                let first = self.whole.as_ref().map_or(0, |whole| whole.first_fresh);
                let is_fresh = |(target, _): &&(Target, Lit)| match target {
                    Target::Made(made) => *made >= first && !self.is_literal(*made),
                    _ => false,
                };
                let fresh: Vec<Lit> = refs.iter().filter(is_fresh).map(|(_, when)| *when).collect();
                Meaning::truth(self.circuit.any(fresh))
            }
            "undefined" => {
                self.throws(way, Lit::TRUE, Thrown::New("java/lang/IllegalStateException"))?;
                Meaning::Nothing
            }
            "objects" => {
                let is_unseen = |place: &Place| match place {
                    Place::Static { .. } | Place::Held { .. } => true,
                    Place::Field { slot, .. } => self.universe.field_at(*slot).0.is_some(),
                };
                if way.heap.written.keys().any(is_unseen) {
                    let what =
                        "a write to a static field or to a field of a subclass, where a clause says what may change";
                    return Err(self.unsupported(what));
                }
                self.constant(self.universe.atoms.len() as i64)
            }
            "object" => {
                let atom = self.index(arguments, 0)?;
                Meaning::one(Target::Atom(atom))
            }
            "places" => {
                let atom = self.index(arguments, 0)?;
                let slots = match self.universe.lengths.contains_key(&atom) {
                    true => self.universe.longest as usize,
                    false => self.universe.atoms[atom as usize].class.defaults.len(),
                };
                self.constant(slots as i64)
            }
            "index" => {
                let slot = self.index(arguments, 1)?;
                self.constant(slot as i64)
            }
            "changed" => {
                let (atom, slot) = (self.index(arguments, 0)?, self.index(arguments, 1)?);
                Meaning::truth(self.has_changed(way, atom, slot)?)
            }
            _ => return Err(self.unsupported(&format!("a call of {}", method.full_name()))),
        }))
    }

    /// Does a field of an atom that is there hold something else than at entry?
    fn has_changed(&mut self, way: &Way, atom: u32, slot: u32) -> Result<Lit, Refusal> {
        let written = way.heap.written.iter();
        let mut of_place = written
            .filter(|(place, _)| matches!(place, Place::Field { atom: a, slot: s, .. } if (*a, *s) == (atom, slot)));
        let Some((place, now)) = of_place.next().map(|(place, now)| (*place, now.clone())) else {
            return Ok(Lit::FALSE);
        };
        let then = self.at_entry(place)?;
        let is_same = match (&now, &then) {
            (Meaning::Word(now), Meaning::Word(then)) => self.circuit.word_equal(now, then),
            (Meaning::Ref(now), Meaning::Ref(then)) => same(self.circuit, now, then),
            _ => return Err(self.unsupported("a value that is not known")),
        };
        let exists = self.universe.atoms[atom as usize].exists;
        Ok(self.circuit.and(exists, !is_same))
    }

    fn constant(&self, value: i64) -> Meaning {
        Meaning::Word(self.circuit.word_constant(32, value))
    }

    /// An argument that must be a known number.
    fn index(&self, arguments: &[Meaning], at: usize) -> Result<u32, Refusal> {
        let known = |word: &Word| self.circuit.word_constant_of(word);
        match arguments.get(at) {
            Some(Meaning::Word(word)) if let Some(value) = known(word) => Ok(value as u32),
            _ => Err(self.unsupported("a place that depends on the input")),
        }
    }
}
