//! Can it be told whether two references denote the same object?

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::Class;

use super::Refusal;
use super::meaning::{Refs, Target};
use super::translate::Translator;

impl Translator<'_> {
    /// Nobody knows whether two objects of which nothing is known are the same.
    pub fn may_be_compared(&self, left: &Refs, right: &Refs) -> Result<(), Refusal> {
        let is_other = |refs: &Refs| refs.iter().any(|(target, _)| *target == Target::Other);
        let atoms = |refs: &Refs| -> Vec<u32> {
            let atoms = refs.iter().filter_map(|(target, _)| match target {
                Target::Atom(atom) => Some(*atom),
                _ => None,
            });
            atoms.collect()
        };
        let (one, two) = (atoms(left), atoms(right));
        let may_be_same = |a: &u32, b: &u32| self.universe.may_be_one(self.program, *a, *b);
        let may_be_held = |refs: &Refs, atoms: &[u32]| {
            refs.iter().any(|(target, _)| match target {
                Target::Held(object) => {
                    let class = self.held_class(*object);
                    atoms.iter().any(|atom| self.universe.may_be_held(self.program, *atom, *object, class))
                }
                _ => false,
            })
        };
        // A caller may hand in the very text that a constant is.
        let string = self.program.known().string;
        let is_text = |atom: &u32| {
            let class = self.universe.atoms[*atom as usize].class;
            self.universe.is_stranger(*atom) && self.program.split(class, string).yes.is_some()
        };
        let may_be_literal = |refs: &Refs, atoms: &[u32]| {
            let is_literal =
                |(target, _): &(Target, Lit)| matches!(target, Target::Made(number) if self.is_literal(*number));
            refs.iter().any(is_literal) && atoms.iter().any(is_text)
        };
        let may_be_mirror = |one: &Refs, other: &Refs| {
            let is_class = |class: &'static Class| match class.is_open() {
                true => class.possible().is_some_and(|possible| possible.bound.id == self.program.known().object.id),
                false => class.name == "java/lang/Class",
            };
            let may_be = |(target, _): &(Target, Lit)| match target {
                Target::Held(object) => is_class(self.held_class(*object)),
                Target::Atom(atom) => is_class(self.universe.atoms[*atom as usize].class),
                _ => false,
            };
            one.iter().any(|(target, _)| matches!(target, Target::Mirror(_))) && other.iter().any(may_be)
        };
        // Texts that are the same are equal, and whoever asks for that does not care.
        let is_equality = self.at.is_some_and(|(method, _)| {
            matches!(method.class().name, "java/lang/String" | "java/util/Objects") && method.name == "equals"
        });
        let is_unclear = one.iter().any(|a| two.iter().any(|b| may_be_same(a, b)))
            || !is_equality && (may_be_held(left, &two) || may_be_held(right, &one))
            || !is_equality && (may_be_literal(left, &two) || may_be_literal(right, &one))
            || may_be_mirror(left, right)
            || may_be_mirror(right, left);
        let is_older = |(target, _): &(Target, Lit)| match target {
            Target::Held(_) | Target::Mirror(_) => true,
            Target::Made(number) => self.is_literal(*number),
            _ => false,
        };
        let is_there = |refs: &Refs, atoms: &[u32]| !atoms.is_empty() || refs.iter().any(is_older);
        let other_atom = is_other(left) && is_there(right, &two) || is_other(right) && is_there(left, &one);
        if is_other(left) && is_other(right) || is_unclear || other_atom && self.whole.is_some() {
            return Err(self.unsupported("a comparison of objects of which nothing is known"));
        }
        Ok(())
    }
}
