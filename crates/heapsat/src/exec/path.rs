//! Which point of a method has execution reached under a guard, with which registers and which heap?

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Class, Code, Method};
use lazuli_vm::value::Kind;

use crate::exec::flow::{BlockVisit, LoopOrder};
use crate::exec::value::{Pointee, PointsTo, SymValue};
use crate::library::collections::{SymList, SymSet};
use crate::library::unordered_set::UnorderedSet;
use crate::recursion::promises::reachable;

/// A point of a method that execution reaches under a guard.
#[derive(Clone)]
pub(crate) struct GuardedPath {
    pub(crate) guard: Lit,
    pub(crate) method: &'static Method,
    pub(crate) code: &'static Code,
    pub(crate) order: Rc<LoopOrder>,
    /// Local variables, then the operand stack.
    pub(crate) registers: Vec<SymValue>,
    pub(crate) heap: SymHeap,
    pub(crate) block: u32,
    pub(crate) visit: BlockVisit,
    /// The instruction that is being executed.
    pub(crate) pc: u32,
}

/// An object that the code allocated.
#[derive(Clone)]
pub(crate) struct Allocation {
    pub(crate) class: &'static Class,
    pub(crate) body: ObjectBody,
}

/// The content of an allocated object.
#[derive(Clone, PartialEq)]
pub(crate) enum ObjectBody {
    /// By slot.
    Fields(Vec<SymValue>),
    /// By index.
    Elements(Vec<SymValue>),
    /// A set of objects, by identity.
    Set(SymSet),
    /// A set into which recursive executions insert.
    Unordered(UnorderedSet),
    /// A list or a queue.
    List(SymList),
}

/// The heap of a path, as far as the code has allocated or written it.
#[derive(Clone, Default)]
pub(crate) struct SymHeap {
    /// The objects that were allocated, by number.
    pub(crate) made: Rc<BTreeMap<u32, Rc<Allocation>>>,
    /// The current versions of locations that existed at entry and were written. Invariants write nothing.
    pub(crate) written: Rc<BTreeMap<EntryLocation, SymValue>>,
}

/// A memory location that existed at entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EntryLocation {
    /// A slot of an atom.
    Field { atom: u32, slot: u32, kind: Kind },
    /// A slot of an object that a static field holds.
    Concrete { object: u32, slot: u32, kind: Kind },
    /// A slot of the mirror of a class, by the number of the class.
    Static { class: u32, slot: u32, kind: Kind },
}

impl SymHeap {
    pub(crate) fn get(&self, number: u32) -> Option<&Rc<Allocation>> {
        self.made.get(&number)
    }

    /// The same without the collections to which neither these values nor an object refers.
    pub(crate) fn without_collections(&self, values: Vec<SymValue>) -> SymHeap {
        let is_object = |made: &Allocation| matches!(made.body, ObjectBody::Fields(_) | ObjectBody::Elements(_));
        let objects = self.made.iter().filter(|(_, made)| is_object(made));
        let mut roots = values;
        roots.extend(objects.map(|(number, _)| SymValue::one(Pointee::Allocated(*number))));
        let kept = reachable(&roots, self);
        let made = self.made.iter().filter(|(number, _)| kept.contains(number));
        let made = made.map(|(number, made)| (*number, made.clone())).collect();
        SymHeap { made: Rc::new(made), written: self.written.clone() }
    }

    pub(crate) fn set(&mut self, number: u32, made: Allocation) {
        Rc::make_mut(&mut self.made).insert(number, Rc::new(made));
    }
}

impl GuardedPath {
    pub(crate) fn push(&mut self, value: SymValue) {
        self.registers.push(value);
    }

    /// Goes to the block that begins at an instruction. Says whether that is a back edge; none if no block begins there.
    pub(crate) fn jump(&mut self, target: u32) -> Option<bool> {
        let (block, visit, is_back) = self.order.jump(self.block, &self.visit, target)?;
        (self.block, self.visit) = (block, visit);
        Some(is_back)
    }

    /// Replaces a reference in all registers that hold the very same one.
    pub(crate) fn replace(&mut self, was: &PointsTo, is: &PointsTo) {
        for register in &mut self.registers {
            if matches!(register, SymValue::Ref(refs) if Rc::ptr_eq(refs, was)) {
                *register = SymValue::Ref(is.clone());
            }
        }
    }
}
