//! Where is execution, and what does it know there? One way through a method, with all inputs that take it.

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Class, Code, Method};
use lazuli_vm::value::Kind;

use super::activation::reachable;
use super::collections::{List, Members};
use super::events::EventSet;
use super::flow::{Order, Visit};
use super::meaning::{Meaning, Refs, Target};

/// A point of a method that execution reaches under a guard.
#[derive(Clone)]
pub struct Way {
    pub guard: Lit,
    pub method: &'static Method,
    pub code: &'static Code,
    pub order: Rc<Order>,
    /// Local variables, then the operand stack.
    pub registers: Vec<Meaning>,
    pub heap: Heap,
    pub block: u32,
    pub visit: Visit,
    /// The instruction that is being executed.
    pub pc: u32,
}

/// An object that the code made.
#[derive(Clone)]
pub struct Made {
    pub class: &'static Class,
    pub body: Body,
}

#[derive(Clone, PartialEq)]
pub enum Body {
    Fields(Vec<Meaning>),
    Elements(Vec<Meaning>),
    /// A set of objects, by identity.
    Set(Members),
    /// A set to which recursive methods add.
    Events(EventSet),
    /// A list or a queue.
    List(List),
}

/// What the code has made and changed.
#[derive(Clone, Default)]
pub struct Heap {
    /// The objects that were made, by number.
    pub made: Rc<BTreeMap<u32, Rc<Made>>>,
    /// What was written to what was there at entry. Invariants write nothing.
    pub written: Rc<BTreeMap<Place, Meaning>>,
}

/// A variable that was there at entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// A slot of an atom.
    Field { atom: u32, slot: u32, kind: Kind },
    /// A slot of an object that a static field holds.
    Held { object: u32, slot: u32, kind: Kind },
    /// A slot of the mirror of a class, by the number of the class.
    Static { class: u32, slot: u32, kind: Kind },
}

impl Heap {
    pub fn get(&self, number: u32) -> Option<&Rc<Made>> {
        self.made.get(&number)
    }

    /// The same without the collections to which neither these values nor an object refers.
    pub fn without_collections(&self, values: Vec<Meaning>) -> Heap {
        let is_object = |made: &Made| matches!(made.body, Body::Fields(_) | Body::Elements(_));
        let objects = self.made.iter().filter(|(_, made)| is_object(made));
        let mut roots = values;
        roots.extend(objects.map(|(number, _)| Meaning::one(Target::Made(*number))));
        let kept = reachable(&roots, self);
        let made = self.made.iter().filter(|(number, _)| kept.contains(number));
        let made = made.map(|(number, made)| (*number, made.clone())).collect();
        Heap { made: Rc::new(made), written: self.written.clone() }
    }

    pub fn set(&mut self, number: u32, made: Made) {
        Rc::make_mut(&mut self.made).insert(number, Rc::new(made));
    }
}

impl Way {
    pub fn push(&mut self, value: Meaning) {
        self.registers.push(value);
    }

    /// Goes to the block that begins at an instruction. Says whether a loop begins another round; none if no block begins there.
    pub fn jump(&mut self, target: u32) -> Option<bool> {
        let (block, visit, is_back) = self.order.jump(self.block, &self.visit, target)?;
        (self.block, self.visit) = (block, visit);
        Some(is_back)
    }

    /// Puts one reference in the place of another, wherever it is.
    pub fn replace(&mut self, was: &Refs, is: &Refs) {
        for register in &mut self.registers {
            if matches!(register, Meaning::Ref(refs) if Rc::ptr_eq(refs, was)) {
                *register = Meaning::Ref(is.clone());
            }
        }
    }
}
