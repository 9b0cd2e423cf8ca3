//! How is a question said in single bits?
//!
//! A circuit of gates over inputs. Equal gates are one, and what can be said with fewer gates is said so when it is built, so
//! that callers need not look for simple cases. Words of bits, the translation of terms, and the decision whether a
//! literal can be true are in the files beside this one.

pub(crate) mod blast;
mod choice;
mod decide;
mod float;
mod formula;
mod models;
mod refute;
mod table;
mod word;

use std::ops::Not;

pub use blast::Blaster;
use choice::Choices;
pub use decide::{CircuitStatistics, Decider};
pub use float::{FloatFormat, Integral, MOST_REMAINDER_STEPS};
pub use formula::{ExportedCircuit, Formula, FormulaPart};
pub use refute::{Refutation, refute};
use table::UniqueTable;
pub use word::Word;

/// A gate's output, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The constant false, the first gate of every circuit.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// The literal of a truth value.
    #[inline]
    pub fn constant(value: bool) -> Lit {
        Lit(value as u32)
    }

    /// The truth value of a constant literal; none for other gates.
    #[inline]
    pub fn as_constant(self) -> Option<bool> {
        (self.0 <= 1).then_some(self == Lit::TRUE)
    }

    /// The gate's place in its circuit.
    #[inline]
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Does the literal stand for the opposite of its gate?
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negated if so, else unchanged.
    #[inline]
    pub fn negate_if(self, so: bool) -> Lit {
        Lit(self.0 ^ so as u32)
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The operation of a gate. No operand is a constant, and the gates of operands come earlier in the circuit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// The first gate of every circuit.
    False,
    /// By its number among the inputs.
    Input(u32),
    /// The operands are in order.
    And(Lit, Lit),
    /// The operands are in order and not negated.
    Xor(Lit, Lit),
    /// The second if the first is true, else the third. The first two are not negated.
    If(Lit, Lit, Lit),
}

/// A table of gates. It only grows.
pub struct Circuit {
    gates: Vec<Gate>,
    known: UniqueTable,
    inputs: Vec<Lit>,
    /// By gate: how many gates have it for an operand; two stands for more.
    uses: Vec<u8>,
    /// Of words that are one of several: which, and when.
    choices: Choices,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit {
            gates: vec![Gate::False],
            known: UniqueTable::default(),
            inputs: Vec::new(),
            uses: vec![0],
            choices: Choices::default(),
        }
    }
}

impl Circuit {
    /// Makes a circuit with the constant gate only.
    pub fn new() -> Circuit {
        Circuit::default()
    }

    /// The number of gates, the constant and the inputs included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Is there nothing but the constant?
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// The gate at an index, which is never above those of its users.
    #[inline]
    pub fn gate(&self, index: usize) -> Gate {
        self.gates[index]
    }

    /// Do two gates, or more, have this one for an operand?
    #[inline]
    pub fn is_shared(&self, gate: usize) -> bool {
        self.uses[gate] > 1
    }

    /// The inputs by their numbers.
    pub fn inputs(&self) -> &[Lit] {
        &self.inputs
    }

    /// Makes an input: a gate that is free to be true or false.
    pub fn input(&mut self) -> Lit {
        let input = self.push(Gate::Input(self.inputs.len() as u32));
        self.inputs.push(input);
        input
    }

    /// Conjunction; simplifies by looking at the operands of its operands.
    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        // Every round but the last puts an operand of a gate in place of the gate, so there are few.
        loop {
            if b < a {
                std::mem::swap(&mut a, &mut b);
            }
            match a {
                Lit::FALSE => return Lit::FALSE,
                Lit::TRUE => return b,
                _ => {}
            }
            let (smaller_a, smaller_b) = (self.given(a, b), self.given(b, a));
            // One at a time: each takes the other for granted.
            if smaller_b != b {
                b = smaller_b;
            } else if smaller_a != a {
                a = smaller_a;
            } else if let Some(smaller) = self.given_operands(b, a) {
                b = smaller;
            } else if let Some(smaller) = self.given_operands(a, b) {
                a = smaller;
            } else {
                break;
            }
        }
        // (x && y) || (!x && z) is a multiplexer.
        if a.is_negated()
            && b.is_negated()
            && let (Gate::And(p, q), Gate::And(r, s)) = (self.gates[a.gate()], self.gates[b.gate()])
        {
            for (x, y, not_x, z) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
                if x == !not_x {
                    return !self.if_else(x, y, z);
                }
            }
        }
        self.intern(Gate::And(a, b))
    }

    /// Disjunction, as a negated conjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive disjunction; negations are moved to the result.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let is_negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.negate_if(a.is_negated()), b.negate_if(b.is_negated()));
        self.plain_xor(a.min(b), a.max(b)).negate_if(is_negated)
    }

    /// Equivalence of two literals.
    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// Implication: the first is false, or the second is true.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// The second if the first is true, else the third.
    pub fn if_else(&mut self, condition: Lit, yes: Lit, no: Lit) -> Lit {
        let (condition, yes, no) = if condition.is_negated() { (!condition, no, yes) } else { (condition, yes, no) };
        if condition == Lit::FALSE {
            return no;
        }
        let (yes, no) = (self.given(yes, condition), self.given(no, !condition));
        if yes == no {
            return yes;
        }
        if yes == !no {
            return self.xor(condition, no);
        }
        match (yes.as_constant(), no.as_constant()) {
            (Some(true), _) => return self.or(condition, no),
            (Some(false), _) => return self.and(!condition, no),
            (_, Some(true)) => return self.or(!condition, yes),
            (_, Some(false)) => return self.and(condition, yes),
            (None, None) => {}
        }
        let is_negated = yes.is_negated();
        let gate = Gate::If(condition, yes.negate_if(is_negated), no.negate_if(is_negated));
        self.intern(gate).negate_if(is_negated)
    }

    /// Are all of these true?
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Is one of these true, or more?
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::FALSE, |any, lit| self.or(any, lit))
    }

    /// Is exactly one of these true?
    pub fn exactly_one(&mut self, lits: &[Lit]) -> Lit {
        let (one, two) = self.one_and_two(lits);
        self.and(one, !two)
    }

    /// Is none of these true, or only one?
    pub fn at_most_one(&mut self, lits: &[Lit]) -> Lit {
        !self.one_and_two(lits).1
    }

    /// Is one of these true, or more? Are two, or more?
    fn one_and_two(&mut self, lits: &[Lit]) -> (Lit, Lit) {
        let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
        for lit in lits {
            let again = self.and(one, *lit);
            two = self.or(two, again);
            one = self.or(one, *lit);
        }
        (one, two)
    }

    /// The operands are in order and not negated.
    fn plain_xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b {
            return Lit::FALSE;
        }
        if a == Lit::FALSE {
            return b;
        }
        match (self.gates[a.gate()], self.gates[b.gate()]) {
            (_, Gate::Xor(x, y)) if a == x || a == y => return if a == x { y } else { x },
            (Gate::Xor(x, y), Gate::Xor(u, v)) => {
                for (same, other, also, another) in [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)] {
                    if same == also {
                        return self.xor(other, another);
                    }
                }
            }
            // Either a is a without the rest, or it is what the rest adds to.
            (_, Gate::And(x, y)) if x.gate() == a.gate() || y.gate() == a.gate() => {
                let (same, other) = if x.gate() == a.gate() { (x, y) } else { (y, x) };
                return self.and(same, !other).negate_if(same != a);
            }
            _ => {}
        }
        self.intern(Gate::Xor(a, b))
    }

    /// The value of a literal if another is true, as far as its own gate shows.
    #[inline]
    fn given(&self, lit: Lit, known: Lit) -> Lit {
        if lit.gate() == known.gate() {
            return Lit::constant(lit == known);
        }
        let is_known = |operand: Lit| operand.gate() == known.gate();
        let value = match self.gates[lit.gate()] {
            Gate::And(a, b) if is_known(a) => {
                if a == known {
                    b
                } else {
                    Lit::FALSE
                }
            }
            Gate::And(a, b) if is_known(b) => {
                if b == known {
                    a
                } else {
                    Lit::FALSE
                }
            }
            Gate::Xor(a, b) if is_known(a) => b.negate_if(a == known),
            Gate::Xor(a, b) if is_known(b) => a.negate_if(b == known),
            Gate::If(condition, yes, no) if is_known(condition) => {
                if condition == known {
                    yes
                } else {
                    no
                }
            }
            _ => return lit,
        };
        value.negate_if(lit.is_negated())
    }

    /// The same, where the other is a conjunction: what the literal is worth if an operand of it is true, unless it is the same.
    #[inline]
    fn given_operands(&self, lit: Lit, known: Lit) -> Option<Lit> {
        let Gate::And(a, b) = self.gates[known.gate()] else { return None };
        if known.is_negated() {
            return None;
        }
        let smaller = self.given(lit, a);
        let smaller = if smaller == lit { self.given(lit, b) } else { smaller };
        (smaller != lit).then_some(smaller)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        match self.known.find_or_note(&self.gates, gate) {
            Some(place) => Lit((place as u32) << 1),
            None => self.push(gate),
        }
    }

    fn push(&mut self, gate: Gate) -> Lit {
        assert!(self.gates.len() < 1 << 31, "memory ends before there are 2^31 gates");
        let lit = Lit((self.gates.len() as u32) << 1);
        self.gates.push(gate);
        self.uses.push(0);
        let mut use_of = |operand: Lit| {
            let uses = &mut self.uses[operand.gate()];
            *uses = (*uses + 1).min(2);
        };
        match gate {
            Gate::False | Gate::Input(_) => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(&mut use_of),
            Gate::If(condition, yes, no) => [condition, yes, no].into_iter().for_each(&mut use_of),
        }
        lit
    }
}
