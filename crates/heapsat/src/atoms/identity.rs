//! Can the circuit decide whether two references denote the same object?

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::Class;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::value::{Pointee, PointsTo};

impl Executor<'_> {
    /// Refuses comparisons that the circuit cannot decide: of two unknown objects, or of two names that may alias.
    pub(crate) fn require_comparable(&self, left: &PointsTo, right: &PointsTo) -> Result<(), Refusal> {
        let is_other = |refs: &PointsTo| refs.iter().any(|(target, _)| *target == Pointee::Unknown);
        let atoms = |refs: &PointsTo| -> Vec<u32> {
            let atoms = refs.iter().filter_map(|(target, _)| match target {
                Pointee::Atom(atom) => Some(*atom),
                _ => None,
            });
            atoms.collect()
        };
        let (one, two) = (atoms(left), atoms(right));
        // Each of these says that two different pointees may be one object, for which the circuit has two names.
        let may_be_same = |a: &u32, b: &u32| self.universe.may_alias(self.program, *a, *b);
        let may_alias_concrete = |refs: &PointsTo, atoms: &[u32]| {
            refs.iter().any(|(target, _)| match target {
                Pointee::Concrete(object) => {
                    let class = self.concrete_class(*object);
                    atoms.iter().any(|atom| self.universe.may_alias_concrete(self.program, *atom, *object, class))
                }
                _ => false,
            })
        };
        // A caller may pass the very object of a string constant.
        let string = self.program.known().string;
        let is_text = |atom: &u32| {
            let class = self.universe.atoms[*atom as usize].class;
            self.universe.is_opaque(*atom) && self.program.split(class, string).yes.is_some()
        };
        let may_be_literal = |refs: &PointsTo, atoms: &[u32]| {
            let is_literal = |(target, _): &(Pointee, Lit)| matches!(target, Pointee::Allocated(number) if self.allocations.is_literal(*number));
            refs.iter().any(is_literal) && atoms.iter().any(is_text)
        };
        let may_be_mirror = |one: &PointsTo, other: &PointsTo| {
            let is_class = |class: &'static Class| match class.is_open() {
                true => class.possible().is_some_and(|possible| possible.bound.id == self.program.known().object.id),
                false => class.name == "java/lang/Class",
            };
            let may_be = |(target, _): &(Pointee, Lit)| match target {
                Pointee::Concrete(object) => is_class(self.concrete_class(*object)),
                Pointee::Atom(atom) => is_class(self.universe.atoms[*atom as usize].class),
                _ => false,
            };
            one.iter().any(|(target, _)| matches!(target, Pointee::Mirror(_))) && other.iter().any(may_be)
        };
        // `equals` compares identity only as a shortcut: strings that are the same object are equal anyway.
        let is_equality = self.context.position().is_some_and(|(method, _)| {
            matches!(method.class().name, "java/lang/String" | "java/util/Objects") && method.name == "equals"
        });
        let is_unclear = one.iter().any(|a| two.iter().any(|b| may_be_same(a, b)))
            || !is_equality && (may_alias_concrete(left, &two) || may_alias_concrete(right, &one))
            || !is_equality && (may_be_literal(left, &two) || may_be_literal(right, &one))
            || may_be_mirror(left, right)
            || may_be_mirror(right, left);
        // An unknown object may be any that existed before the code ran.
        let is_older = |(target, _): &(Pointee, Lit)| match target {
            Pointee::Concrete(_) | Pointee::Mirror(_) => true,
            Pointee::Allocated(number) => self.allocations.is_literal(*number),
            _ => false,
        };
        let is_there = |refs: &PointsTo, atoms: &[u32]| !atoms.is_empty() || refs.iter().any(is_older);
        let other_atom = is_other(left) && is_there(right, &two) || is_other(right) && is_there(left, &one);
        if is_other(left) && is_other(right) || is_unclear || other_atom && self.mode.is_method() {
            return Err(self.unsupported("a comparison of objects of which nothing is known"));
        }
        Ok(())
    }
}
