//! Where is execution, and what does it know there? One way through the code, with all inputs that take it.

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::circuit::Lit;

use super::collections::{List, Members};
use super::flow::{Order, Visit};
use super::meaning::{Meaning, Refs};
use crate::program::{Class, Code, Method};
use crate::value::Kind;

/// A point that execution reaches under a guard.
#[derive(Clone)]
pub struct Way {
    pub guard: Lit,
    /// The methods that are being executed, the innermost last.
    pub frames: Vec<Rc<Frame>>,
    pub heap: Heap,
    /// What is known about places of the input on this way only, by atom and slot.
    pub refined: Refined,
    /// The objects of the input that got their names on this way, and when. Only these may be met again: an object has its name
    /// from where it was read first.
    pub met: Rc<BTreeMap<u32, Lit>>,
    /// Is it followed apart from the others, because it is likely to end soon?
    pub is_apart: bool,
    /// What it stays apart from others by, where it may not be merged with them yet; zero if it may.
    pub tag: u32,
    /// For how many more branches.
    pub patience: u8,
}

/// One activation of a method.
#[derive(Clone)]
pub struct Frame {
    pub method: &'static Method,
    pub code: &'static Code,
    pub order: Rc<Order>,
    /// Local variables, then the operand stack.
    pub registers: Vec<Meaning>,
    pub block: u32,
    pub visit: Visit,
    /// The instruction that is being executed.
    pub pc: u32,
    /// Did it take the place of the method that called it?
    pub is_last: bool,
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
    /// A list or a queue.
    List(List),
}

/// The objects that were made so far, by number.
pub type Heap = Rc<BTreeMap<u32, Rc<Made>>>;

/// What places of the input hold, as far as a way knows more than the universe.
pub type Refined = Rc<BTreeMap<(u32, u32), Refs>>;

impl Default for Way {
    fn default() -> Way {
        let (heap, refined) = (Heap::default(), Refined::default());
        Way {
            guard: Lit::TRUE,
            frames: Vec::new(),
            heap,
            refined,
            met: Rc::default(),
            is_apart: false,
            tag: 0,
            patience: 0,
        }
    }
}

impl Way {
    /// The innermost frame. There is one, wherever an instruction is executed.
    pub fn top(&mut self) -> &mut Frame {
        Rc::make_mut(self.frames.last_mut().expect("an instruction is executed in a frame"))
    }

    pub fn push(&mut self, value: Meaning) {
        self.top().registers.push(value);
    }

    /// Goes to the block that begins at an instruction. Says whether a loop begins another round; none if no block begins there.
    pub fn jump(&mut self, target: u32) -> Option<bool> {
        let top = self.top();
        let (block, visit, is_back) = top.order.jump(top.block, &top.visit, target)?;
        (top.block, top.visit) = (block, visit);
        Some(is_back)
    }

    /// Returns from the innermost method to the instruction after the call. False if nobody called it.
    pub fn leave(&mut self, value: Meaning) -> bool {
        let Some(left) = self.frames.pop() else { return false };
        if self.frames.is_empty() {
            return false;
        }
        if left.method.result != Kind::Void {
            self.push(value.kept_as(left.method.result));
        }
        let after = self.top().pc + 1;
        self.jump(after).is_some()
    }

    /// Where the way is among all ways: those with the same key are at the same place. Ways are followed in the order of their
    /// keys, so that all that lead to a place have come there before any goes on.
    pub fn key(&self) -> Vec<u32> {
        let mut key = Vec::new();
        for frame in &self.frames {
            // A method that takes the place of its caller waits for all that the caller has still to do.
            key.extend([if frame.is_last { u32::MAX } else { 0 }, frame.method.id.index()]);
            key.extend_from_slice(frame.visit.name());
        }
        key.push(self.tag);
        key
    }

    /// Puts one reference in the place of another, wherever it is.
    pub fn replace(&mut self, was: &Refs, is: &Refs) {
        let is_it = |register: &Meaning| matches!(register, Meaning::Ref(refs) if Rc::ptr_eq(refs, was));
        for frame in &mut self.frames {
            if frame.registers.iter().any(is_it) {
                for register in Rc::make_mut(frame).registers.iter_mut().filter(|register| is_it(register)) {
                    *register = Meaning::Ref(is.clone());
                }
            }
        }
    }
}
