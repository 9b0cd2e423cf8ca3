//! Which methods do specifications call to ask about the state before the method? The same as in `natives/contract`.

use lazuli_logic::circuit::{Lit, Word};
use lazuli_vm::natives::contract::CLASS;
use lazuli_vm::program::Method;

use crate::Refusal;
use crate::exec::exceptions::Thrown;
use crate::exec::executor::Executor;
use crate::exec::path::{EntryLocation, GuardedPath};
use crate::exec::value::{Pointee, SymValue, same};
use crate::method::state::MethodState;

impl Executor<'_> {
    /// Calls a method that only specifications call. None if it is another one.
    pub(crate) fn call_contract(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: &[SymValue],
    ) -> Result<Option<SymValue>, Refusal> {
        if method.class().name != CLASS {
            return Ok(None);
        }
        Ok(Some(match method.name {
            "fresh" => {
                let Some(SymValue::Ref(refs)) = arguments.first() else { return Err(self.unsupported("an object")) };
                let first = self.mode.method().map_or(0, MethodState::first_fresh);
                let is_fresh = |(target, _): &&(Pointee, Lit)| match target {
                    Pointee::Allocated(made) => *made >= first && !self.allocations.is_literal(*made),
                    _ => false,
                };
                let fresh: Vec<Lit> = refs.iter().filter(is_fresh).map(|(_, when)| *when).collect();
                SymValue::truth(self.circuit.any(fresh))
            }
            "undefined" => {
                self.throws(path, Lit::TRUE, Thrown::New("java/lang/IllegalStateException"))?;
                SymValue::Undefined
            }
            // A modifies clause iterates over `objects()` and their `places`, and asks whether each has `changed`.
            "objects" => {
                let is_unseen = |place: &EntryLocation| match place {
                    EntryLocation::Static { .. } | EntryLocation::Concrete { .. } => true,
                    EntryLocation::Field { slot, .. } => self.universe.field_at(*slot).0.is_some(),
                };
                if path.heap.written.keys().any(is_unseen) {
                    let what =
                        "a write to a static field or to a field of a subclass, where a clause says what may change";
                    return Err(self.unsupported(what));
                }
                self.constant(self.universe.atoms.len() as i64)
            }
            "object" => {
                let atom = self.index(arguments, 0)?;
                SymValue::one(Pointee::Atom(atom))
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
                SymValue::truth(self.has_changed(path, atom, slot)?)
            }
            _ => return Err(self.unsupported(&format!("a call of {}", method.full_name()))),
        }))
    }

    /// Does a field of an atom that is there hold something else than at entry?
    fn has_changed(&mut self, path: &GuardedPath, atom: u32, slot: u32) -> Result<Lit, Refusal> {
        let written = path.heap.written.iter();
        let mut of_place = written.filter(
            |(place, _)| matches!(place, EntryLocation::Field { atom: a, slot: s, .. } if (*a, *s) == (atom, slot)),
        );
        let Some((place, now)) = of_place.next().map(|(place, now)| (*place, now.clone())) else {
            return Ok(Lit::FALSE);
        };
        let then = self.at_entry(place)?;
        let is_same = match (&now, &then) {
            (SymValue::Word(now), SymValue::Word(then)) => self.circuit.word_equal(now, then),
            (SymValue::Ref(now), SymValue::Ref(then)) => same(self.circuit, now, then),
            _ => return Err(self.unsupported("a value that is not known")),
        };
        let exists = self.universe.atoms[atom as usize].exists;
        Ok(self.circuit.and(exists, !is_same))
    }

    fn constant(&self, value: i64) -> SymValue {
        SymValue::Word(self.circuit.word_constant(32, value))
    }

    /// An argument that must be a known number.
    fn index(&self, arguments: &[SymValue], at: usize) -> Result<u32, Refusal> {
        let known = |word: &Word| self.circuit.word_constant_of(word);
        match arguments.get(at) {
            Some(SymValue::Word(word)) if let Some(value) = known(word) => Ok(value as u32),
            _ => Err(self.unsupported("a place that depends on the input")),
        }
    }
}
