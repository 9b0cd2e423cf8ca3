//! Which numbers of the input matter only by their order, and how many bits do they need?
//!
//! Let S be a set of `int` fields such that each read of one of them, in all code that the invariants may execute, is the operand of a
//! comparison whose other operand is a read of one of them too. Then the invariants see nothing of these numbers but which of two is
//! less: a heap stays valid, or invalid, if they are replaced by others in the same order. Where there are k places for such numbers,
//! they have at most k different values, and so any heap has the same references, and the same other numbers, as one in which they are
//! among 0 … k - 1 (take for each number how many different ones are less). Hence a word of ⌈log₂ k⌉ bits for each place leaves no structure
//! of a valid heap out, and adds none. It does leave out numbers: who asks about numbers needs all bits.
//!
//! Comparisons are recognised in the bytecode: `x.f` and `y.g` are read one after the other, from a variable or over references, and
//! compared at once. A field that is read in any other way is not in S, nor is one that is compared with such a field, until that
//! excludes no more. If the invariants call code that is not looked at here, S is empty.

use super::flow::Order;
use super::recursion::Recursion;
use super::universe::Universe;
use crate::program::{Class, Code, Method, Op, Program};
use crate::structure::Invariant;
use crate::value::Kind;

/// A field, by the class that declares it and its slot.
type Field = (&'static Class, u32);

/// The fields whose numbers matter only by their order.
pub fn ordered_fields(program: &Program, invariants: &[Invariant]) -> Vec<Field> {
    let mut uses = Uses::default();
    let mut recursion = Recursion::default();
    for invariant in invariants {
        for method in recursion.below(program, invariant.method).into_iter().chain([invariant.method]) {
            if uses.look_at(program, method).is_none() {
                return Vec::new();
            }
        }
    }
    uses.ordered()
}

/// Gives the numbers of these fields as few bits as they need.
pub fn narrow(program: &Program, universe: &mut Universe, fields: &[Field], int_bits: Option<u32>) {
    let mut places = Vec::new();
    for (atom, known) in (0..).zip(&universe.atoms) {
        let held = fields.iter().filter(|(class, _)| program.split(known.class, class).yes.is_some());
        places.extend(held.map(|(_, slot)| (atom, *slot)));
    }
    let bits = places.len().next_power_of_two().trailing_zeros().max(1);
    let bits = bits.min(int_bits.unwrap_or(u32::MAX)) as usize;
    universe.narrow = places.into_iter().map(|place| (place, bits)).collect();
}

/// How the number fields are used.
#[derive(Default)]
struct Uses {
    compared: Vec<(Field, Field)>,
    /// Those that are read in another way.
    others: Vec<Field>,
}

impl Uses {
    /// Looks at the code of a method. None if it cannot be told what that executes.
    fn look_at(&mut self, program: &Program, method: &'static Method) -> Option<()> {
        let code = program.code(method).ok()?;
        if !calls_are_known(program, code) || makes_inputs(program, code) {
            return None;
        }
        let order = Order::of(code);
        let mut seen = Vec::new();
        for pc in 0..code.ops.len() {
            let Some(field) = number_read(program, code, pc)? else { continue };
            match compared_with(program, code, &order, pc)? {
                Some((other, at)) => {
                    self.compared.push((field, other));
                    seen.push(at);
                }
                None if seen.contains(&pc) => {}
                None => self.others.push(field),
            }
        }
        Some(())
    }

    fn ordered(mut self) -> Vec<Field> {
        let is = |one: &Field, other: &Field| one.0.id == other.0.id && one.1 == other.1;
        loop {
            let is_other = |field: &Field| self.others.iter().any(|other| is(field, other));
            let Some(at) = self.compared.iter().position(|(one, other)| is_other(one) || is_other(other)) else {
                break;
            };
            let (one, other) = self.compared.swap_remove(at);
            self.others.extend([one, other]);
        }
        let mut found: Vec<Field> = Vec::new();
        for field in self.compared.into_iter().flat_map(|(one, other)| [one, other]) {
            if found.iter().all(|known| !is(known, &field)) {
                found.push(field);
            }
        }
        found
    }
}

/// Are all calls to code that is looked at, to models of collections, or to constructors of what is no input?
fn calls_are_known(program: &Program, code: &'static Code) -> bool {
    code.ops.iter().all(|op| match op.first() {
        Op::InvokeVirtual(site) | Op::InvokeInterface(site) | Op::InvokeSpecial(site) | Op::InvokeStatic(site) => {
            let is_static = matches!(op.first(), Op::InvokeStatic(_));
            let site = &code.calls[site as usize];
            let is_collection = site.class.starts_with("java/util/") && !is_static;
            program.resolve_call(site).is_ok_and(|method| {
                method.class().is_users() || is_collection || (method.name == "<init>" && !is_static)
            })
        }
        Op::InvokeDynamic(_) => false,
        _ => true,
    })
}

/// Are there objects like those of the input that are none? Their numbers would be compared, too.
fn makes_inputs(program: &Program, code: &'static Code) -> bool {
    code.ops.iter().any(|op| match op.first() {
        Op::New(site) => program.resolve_class(&code.classes[site as usize]).map_or(true, |class| class.is_users()),
        _ => false,
    })
}

/// The field of type `int` that an instruction reads, if it does; none within if it does something else.
fn number_read(program: &Program, code: &'static Code, pc: usize) -> Option<Option<Field>> {
    let Some(Op::GetField(site)) = code.ops.get(pc).map(|op| op.first()) else { return Some(None) };
    let field = program.resolve_field(&code.fields[site as usize], false).ok()?;
    Some((field.kind == Kind::Int).then_some((field.class, field.slot)))
}

/// The field with which the one that is read at an instruction is compared at once, and where that is read.
fn compared_with(program: &Program, code: &'static Code, order: &Order, pc: usize) -> Option<Option<(Field, usize)>> {
    let op = |at: usize| code.ops.get(at).map(|op| op.first());
    // Whoever jumps into the middle may compare something else.
    let is_apart = |at: usize| order.starts.contains(&(at as u32));
    let mut at = pc + 1;
    if !matches!(op(at), Some(Op::Load(_))) || is_apart(at) {
        return Some(None);
    }
    at += 1;
    while let Some(Op::GetField(_)) = op(at).filter(|_| !is_apart(at)) {
        if let Some(field) = number_read(program, code, at)? {
            let compares = matches!(
                op(at + 1),
                Some(
                    Op::IfIcmpEq(_)
                        | Op::IfIcmpNe(_)
                        | Op::IfIcmpLt(_)
                        | Op::IfIcmpGe(_)
                        | Op::IfIcmpGt(_)
                        | Op::IfIcmpLe(_)
                )
            );
            return Some((compares && !is_apart(at + 1)).then_some((field, at)));
        }
        at += 1;
    }
    Some(None)
}
