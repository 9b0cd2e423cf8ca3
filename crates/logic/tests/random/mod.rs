//! What may a term look like? Random terms, with their values under one model, for every solver to agree with.

// Each test program uses a part of it.
#![allow(dead_code)]

use lazuli_logic::evaluate;
use lazuli_logic::{Binary, Constant, Node, Sort, Term, Terms, Unary, Variable};

/// SplitMix64: a few lines, and the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Mostly what lies at the edges, since that is where meanings differ.
    pub fn constant(&mut self, sort: Sort) -> Constant {
        let any = self.next();
        let is_edge = self.below(3) != 0;
        match sort {
            Sort::Bool => Constant::Bool(any & 1 == 1),
            Sort::Int if is_edge => Constant::Int(self.one_of(&INTS)),
            Sort::Int => Constant::Int(any as i32),
            Sort::Long if is_edge => Constant::Long(self.one_of(&LONGS)),
            Sort::Long => Constant::Long(any as i64),
            Sort::Float if is_edge => Constant::Float(self.one_of(&FLOATS).to_bits()),
            Sort::Float => Constant::Float(any as u32),
            Sort::Double if is_edge => Constant::Double(self.one_of(&DOUBLES).to_bits()),
            Sort::Double => Constant::Double(any),
        }
    }
}

pub const INTS: [i32; 14] = [0, 1, -1, 2, 3, 7, 31, 33, -128, 255, 32768, 16_777_217, i32::MAX, i32::MIN];
pub const LONGS: [i64; 14] =
    [0, 1, -1, 2, 10, 63, 65, i32::MAX as i64, i32::MIN as i64, 1 << 32, 16_777_217, (1 << 53) + 1, i64::MAX, i64::MIN];
#[rustfmt::skip]
pub const FLOATS: [f32; 20] = [
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.0, 0.1, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::MIN, f32::INFINITY,
    f32::NEG_INFINITY, f32::NAN, 2_147_483_648.0, -2_147_483_648.0, 9_223_372_036_854_775_807.0, 16_777_216.0,
];
#[rustfmt::skip]
pub const DOUBLES: [f64; 22] = [
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.0, 0.1, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::MIN, f64::INFINITY,
    f64::NEG_INFINITY, f64::NAN, 2_147_483_647.5, -2_147_483_648.9, 9_223_372_036_854_775_807.0,
    -9_223_372_036_854_775_808.0, 9_007_199_254_740_993.0, 3.402_823_56e38,
];

/// Operations with the sorts of their operand and of their result.
pub const UNARIES: [(Unary, Sort, Sort); 38] = [
    (Unary::Not, Sort::Bool, Sort::Bool),
    (Unary::Negate, Sort::Int, Sort::Int),
    (Unary::Negate, Sort::Long, Sort::Long),
    (Unary::Negate, Sort::Float, Sort::Float),
    (Unary::Negate, Sort::Double, Sort::Double),
    (Unary::Widen, Sort::Int, Sort::Long),
    (Unary::Truncate, Sort::Long, Sort::Int),
    (Unary::SignedByte, Sort::Int, Sort::Int),
    (Unary::SignedShort, Sort::Int, Sort::Int),
    (Unary::UnsignedShort, Sort::Int, Sort::Int),
    (Unary::ToFloat, Sort::Int, Sort::Float),
    (Unary::ToFloat, Sort::Long, Sort::Float),
    (Unary::ToFloat, Sort::Double, Sort::Float),
    (Unary::ToDouble, Sort::Int, Sort::Double),
    (Unary::ToDouble, Sort::Long, Sort::Double),
    (Unary::ToDouble, Sort::Float, Sort::Double),
    (Unary::ToInt, Sort::Float, Sort::Int),
    (Unary::ToInt, Sort::Double, Sort::Int),
    (Unary::ToLong, Sort::Float, Sort::Long),
    (Unary::ToLong, Sort::Double, Sort::Long),
    (Unary::IsNan, Sort::Float, Sort::Bool),
    (Unary::IsNan, Sort::Double, Sort::Bool),
    (Unary::Absolute, Sort::Float, Sort::Float),
    (Unary::Absolute, Sort::Double, Sort::Double),
    (Unary::SquareRoot, Sort::Float, Sort::Float),
    (Unary::SquareRoot, Sort::Double, Sort::Double),
    (Unary::RoundEven, Sort::Float, Sort::Float),
    (Unary::RoundEven, Sort::Double, Sort::Double),
    (Unary::Floor, Sort::Float, Sort::Float),
    (Unary::Floor, Sort::Double, Sort::Double),
    (Unary::Ceiling, Sort::Float, Sort::Float),
    (Unary::Ceiling, Sort::Double, Sort::Double),
    (Unary::Bits, Sort::Float, Sort::Int),
    (Unary::Bits, Sort::Double, Sort::Long),
    (Unary::OfBits, Sort::Int, Sort::Float),
    (Unary::OfBits, Sort::Long, Sort::Double),
    // Once more, because half of all terms are integers.
    (Unary::Negate, Sort::Int, Sort::Int),
    (Unary::Not, Sort::Bool, Sort::Bool),
];
pub const CONNECTIVES: [Binary; 3] = [Binary::And, Binary::Or, Binary::Equal];
pub const RELATIONS: [Binary; 3] = [Binary::Equal, Binary::Less, Binary::LessOrEqual];
pub const NUMERIC: [Binary; 4] = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide];
#[rustfmt::skip]
pub const INTEGRAL: [Binary; 11] = [
    Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Remainder, Binary::BitAnd, Binary::BitOr,
    Binary::BitXor, Binary::ShiftLeft, Binary::ShiftRight, Binary::ShiftRightUnsigned,
];

/// Makes terms along with their values under one model, so that simplification is held to the same meaning.
pub struct Generator<'a> {
    pub random: &'a mut Random,
    pub terms: &'a mut Terms,
    pub variables: &'a [(Term, Constant)],
    pub sorts: &'a [Sort],
}

impl Generator<'_> {
    pub fn term(&mut self, sort: Sort, depth: usize) -> (Term, Constant) {
        if depth == 0 || self.random.below(8) == 0 {
            return self.leaf(sort);
        }
        match self.random.below(8) {
            0 => {
                let (condition, truth) = self.term(Sort::Bool, depth - 1);
                let (yes, no) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                let chosen = if truth == Constant::Bool(true) { yes.1 } else { no.1 };
                (self.terms.choose(condition, yes.0, no.0), chosen)
            }
            1..=3 => {
                let fitting: Vec<(Unary, Sort)> = UNARIES
                    .iter()
                    .filter(|(_, from, to)| *to == sort && self.sorts.contains(from))
                    .map(|(operation, from, _)| (*operation, *from))
                    .collect();
                let (operation, from) = self.random.one_of(&fitting);
                let (operand, value) = self.term(from, depth - 1);
                (self.terms.unary(operation, operand), evaluate::unary(operation, value))
            }
            4 if matches!(sort, Sort::Float | Sort::Double) => {
                let [one, other, added] = [(); 3].map(|()| self.term(sort, depth - 1));
                (self.terms.fused(one.0, other.0, added.0), evaluate::fused(one.1, other.1, added.1))
            }
            _ => {
                let (operation, from) = match sort {
                    Sort::Bool => {
                        let from = self.random.one_of(self.sorts);
                        let operations = if from == Sort::Bool { CONNECTIVES } else { RELATIONS };
                        (self.random.one_of(&operations), from)
                    }
                    Sort::Int | Sort::Long => (self.random.one_of(&INTEGRAL), sort),
                    Sort::Float | Sort::Double => (self.random.one_of(&NUMERIC), sort),
                };
                let (left, right) = (self.term(from, depth - 1), self.term(from, depth - 1));
                (self.terms.binary(operation, left.0, right.0), evaluate::binary(operation, left.1, right.1))
            }
        }
    }

    fn leaf(&mut self, sort: Sort) -> (Term, Constant) {
        let fitting: Vec<(Term, Constant)> =
            self.variables.iter().filter(|(_, value)| value.sort() == sort).copied().collect();
        if fitting.is_empty() || self.random.below(4) == 0 {
            let constant = self.random.constant(sort);
            return (self.terms.constant(constant), constant);
        }
        self.random.one_of(&fitting)
    }
}

pub fn variable_of(terms: &Terms, term: Term) -> Variable {
    match terms.node(term) {
        Node::Variable(variable) => variable,
        node => panic!("{node:?} is no variable"),
    }
}
