//! How is a term said to Z3? The meaning of every operation is that of `evaluate`, bit by bit.

use std::collections::HashSet;
use std::rc::Rc;

use z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use z3::{FuncDecl, Solver};

use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary, Variable};

/// A term in Z3's words.
#[derive(Clone)]
pub(super) enum Z3Term {
    Truth(Bool),
    Bits(BV),
    Number(Float),
}

/// Side conditions of a conjunct, which its expression does not say.
pub(super) struct SideCondition {
    /// The variable, the remainder that Z3 sees as a variable, or the one about which it is told more than it asks for.
    pub about: Term,
    pub truth: Bool,
}

/// A conjunct, ready to be asserted.
#[derive(Clone)]
pub(super) struct Conjunct {
    pub truth: Bool,
    pub facts: Rc<[Rc<SideCondition>]>,
    pub variables: Rc<[(Variable, Term)]>,
    /// Does it speak of floating-point numbers?
    pub has_numbers: bool,
}

/// Translates each term once. All of them must be of one table.
pub(super) struct Translation {
    expressions: Vec<Option<Z3Term>>,
    conjuncts: Vec<Option<Conjunct>>,
    facts: Vec<Option<Rc<SideCondition>>>,
    to_nearest: RoundingMode,
    to_zero: RoundingMode,
    of_integer: Conversions,
}

/// From signed bit vectors to floating-point numbers.
struct Conversions {
    int_to_float: FuncDecl,
    int_to_double: FuncDecl,
    long_to_float: FuncDecl,
    long_to_double: FuncDecl,
}

impl Conversions {
    /// The binding has no safe call for these conversions, but it has a parser: they are taken from what was parsed.
    fn new() -> Option<Conversions> {
        let parsed = Solver::new();
        parsed.from_string(
            "(declare-const int (_ BitVec 32)) (declare-const long (_ BitVec 64))
             (assert (fp.isNaN ((_ to_fp 8 24) RNE int))) (assert (fp.isNaN ((_ to_fp 11 53) RNE int)))
             (assert (fp.isNaN ((_ to_fp 8 24) RNE long))) (assert (fp.isNaN ((_ to_fp 11 53) RNE long)))",
        );
        let assertions = parsed.get_assertions();
        let mut conversions = assertions.iter().map(|assertion| assertion.nth_child(0)?.safe_decl().ok());
        let mut next = || conversions.next().flatten();
        Some(Conversions {
            int_to_float: next()?,
            int_to_double: next()?,
            long_to_float: next()?,
            long_to_double: next()?,
        })
    }
}

impl Translation {
    /// Makes a translation that knows no terms yet.
    pub(super) fn new() -> Option<Translation> {
        Some(Translation {
            expressions: Vec::new(),
            conjuncts: Vec::new(),
            facts: Vec::new(),
            to_nearest: RoundingMode::round_nearest_ties_to_even(),
            to_zero: RoundingMode::round_towards_zero(),
            of_integer: Conversions::new()?,
        })
    }

    /// The conjunct in Z3's words, with all that must be known about what it mentions.
    pub(super) fn conjunct(&mut self, terms: &Terms, term: Term) -> Option<Conjunct> {
        self.conjuncts.resize(terms.len(), None);
        if let Some(known) = &self.conjuncts[term.index()] {
            return Some(known.clone());
        }
        let Z3Term::Truth(truth) = self.expression(terms, term)? else { return None };
        let (mut facts, mut variables) = (Vec::new(), Vec::new());
        let mut has_numbers = false;
        let mut waiting = vec![term];
        let mut seen = HashSet::new();
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            has_numbers |= matches!(terms.sort(term), Sort::Float | Sort::Double);
            facts.extend(self.facts[term.index()].clone());
            match terms.node(term) {
                Node::Constant(_) => {}
                Node::Variable(variable) => variables.push((variable, term)),
                Node::Unary(_, operand) => waiting.push(operand),
                Node::Binary(_, left, right) => waiting.extend([left, right]),
                Node::If(one, two, three) | Node::Fused(one, two, three) => waiting.extend([one, two, three]),
            }
        }
        let conjunct = Conjunct { truth, facts: facts.into(), variables: variables.into(), has_numbers };
        self.conjuncts[term.index()] = Some(conjunct.clone());
        Some(conjunct)
    }

    /// The term in Z3's words; nothing if the operation does not exist for those operands.
    pub(super) fn expression(&mut self, terms: &Terms, term: Term) -> Option<Z3Term> {
        self.expressions.resize(terms.len(), None);
        self.facts.resize(terms.len(), None);
        // Operands first; a list instead of recursion, because terms may be deep.
        let mut waiting = vec![term];
        while let Some(&top) = waiting.last() {
            if self.expressions[top.index()].is_some() {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let mut get = |term: Term| {
                let known = self.expressions[term.index()].clone();
                if known.is_none() {
                    waiting.push(term);
                }
                known
            };
            let translated = match terms.node(top) {
                Node::Constant(constant) => Some(of_constant(constant)),
                Node::Variable(variable) => {
                    let declaration = terms.declaration(variable);
                    let expression = of_variable(variable, declaration.sort);
                    let range = of_range(&expression, declaration.sort, declaration.range);
                    self.facts[top.index()] = range.map(|truth| Rc::new(SideCondition { about: top, truth }));
                    Some(expression)
                }
                Node::Unary(operation, operand) => match get(operand) {
                    Some(operand) => Some(self.unary(operation, operand)?),
                    None => None,
                },
                Node::Binary(operation, left, right) => match (get(left), get(right)) {
                    (Some(Z3Term::Number(left)), Some(Z3Term::Number(right))) if operation == Binary::Remainder => {
                        let remainder = unknown_remainder(top, terms.sort(top));
                        let truth = of_remainder(&remainder, &left, &right);
                        self.facts[top.index()] = Some(Rc::new(SideCondition { about: top, truth }));
                        Some(Z3Term::Number(remainder))
                    }
                    (Some(left), Some(right)) => {
                        let result = self.binary(operation, left.clone(), right.clone())?;
                        if let (Binary::Remainder, Z3Term::Bits(rest), Z3Term::Bits(left), Z3Term::Bits(right)) =
                            (operation, &result, &left, &right)
                        {
                            let truth = size_of_remainder(rest, left, right);
                            self.facts[top.index()] = Some(Rc::new(SideCondition { about: top, truth }));
                        }
                        Some(result)
                    }
                    _ => None,
                },
                Node::If(condition, yes, no) => match (get(condition), get(yes), get(no)) {
                    (Some(condition), Some(yes), Some(no)) => Some(choice(condition, yes, no)?),
                    _ => None,
                },
                Node::Fused(one, other, added) => match (get(one), get(other), get(added)) {
                    (Some(Z3Term::Number(one)), Some(Z3Term::Number(other)), Some(Z3Term::Number(added))) => {
                        Some(Z3Term::Number(one.fma_with_rounding_mode(other, added, &self.to_nearest)))
                    }
                    (Some(_), Some(_), Some(_)) => return None,
                    _ => None,
                },
            };
            if translated.is_some() {
                waiting.truncate(before - 1);
                self.expressions[top.index()] = translated;
            }
        }
        self.expressions[term.index()].clone()
    }

    fn unary(&self, operation: Unary, operand: Z3Term) -> Option<Z3Term> {
        use Z3Term::{Bits, Number, Truth};
        Some(match (operation, operand) {
            (Unary::Not, Truth(value)) => Truth(value.not()),
            (Unary::Negate, Bits(value)) => Bits(value.bvneg()),
            (Unary::Negate, Number(value)) => Number(value.unary_neg()),
            (Unary::Widen, Bits(value)) => Bits(value.sign_ext(32)),
            (Unary::Truncate, Bits(value)) => Bits(value.extract(31, 0)),
            (Unary::SignedByte, Bits(value)) => Bits(value.extract(7, 0).sign_ext(24)),
            (Unary::SignedShort, Bits(value)) => Bits(value.extract(15, 0).sign_ext(16)),
            (Unary::UnsignedShort, Bits(value)) => Bits(value.extract(15, 0).zero_ext(16)),
            (Unary::ToFloat, Bits(value)) => {
                let known = &self.of_integer;
                self.rounded(if value.get_size() == 32 { &known.int_to_float } else { &known.long_to_float }, &value)?
            }
            (Unary::ToDouble, Bits(value)) => {
                let known = &self.of_integer;
                self.rounded(if value.get_size() == 32 { &known.int_to_double } else { &known.long_to_double }, &value)?
            }
            (Unary::ToFloat, Number(value)) => {
                Number(value.to_fp_with_rounding_mode(&self.to_nearest, &z3::Sort::float32()))
            }
            (Unary::ToDouble, Number(value)) => {
                Number(value.to_fp_with_rounding_mode(&self.to_nearest, &z3::Sort::double()))
            }
            (Unary::ToInt, Number(value)) => Bits(self.saturated(&value, 32)),
            (Unary::ToLong, Number(value)) => Bits(self.saturated(&value, 64)),
            (Unary::IsNan, Number(value)) => Truth(value.is_nan()),
            (Unary::Absolute, Number(value)) => Number(value.unary_abs()),
            (Unary::SquareRoot, Number(value)) => Number(value.sqrt_with_rounding_mode(&self.to_nearest)),
            (Unary::RoundEven, Number(value)) => Number(value.round_to_integral_with_rounding_mode(&self.to_nearest)),
            (Unary::Floor, Number(value)) => {
                Number(value.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_negative()))
            }
            (Unary::Ceiling, Number(value)) => {
                Number(value.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_positive()))
            }
            _ => return None,
        })
    }

    fn rounded(&self, conversion: &FuncDecl, value: &BV) -> Option<Z3Term> {
        conversion.apply(&[&self.to_nearest, value]).as_float().map(Z3Term::Number)
    }

    /// Towards zero. Values that do not fit are decided before Z3 converts them, because Z3 leaves the result of those open.
    fn saturated(&self, value: &Float, bits: u32) -> BV {
        let (least, greatest) = if bits == 32 { (i32::MIN as i64, i32::MAX as i64) } else { (i64::MIN, i64::MAX) };
        // One more than the greatest is a power of two, which every format has exactly, as is the least.
        let (too_small, too_great) = (value.le(least as f64), value.ge(-(least as f64)));
        let converted = value.to_sbv_with_rounding_mode(&self.to_zero, bits);
        let not_small = too_small.ite(&BV::from_i64(least, bits), &converted);
        let fitting = too_great.ite(&BV::from_i64(greatest, bits), &not_small);
        value.is_nan().ite(&BV::from_i64(0, bits), &fitting)
    }

    fn binary(&self, operation: Binary, left: Z3Term, right: Z3Term) -> Option<Z3Term> {
        use Z3Term::{Bits, Number, Truth};
        Some(match (left, right) {
            (Truth(left), Truth(right)) => Truth(match operation {
                Binary::And => Bool::and(&[left, right]),
                Binary::Or => Bool::or(&[left, right]),
                Binary::Equal => left.iff(&right),
                _ => return None,
            }),
            (Bits(left), Bits(right)) => {
                let bits = left.get_size();
                let nothing = || BV::from_i64(0, bits);
                let distance = || right.bvand(BV::from_i64(i64::from(bits) - 1, bits));
                match operation {
                    Binary::Add => Bits(left.bvadd(&right)),
                    Binary::Subtract => Bits(left.bvsub(&right)),
                    Binary::Multiply => Bits(left.bvmul(&right)),
                    Binary::Divide => Bits(right.eq(nothing()).ite(&nothing(), &left.bvsdiv(&right))),
                    Binary::Remainder => Bits(right.eq(nothing()).ite(&nothing(), &left.bvsrem(&right))),
                    Binary::BitAnd => Bits(left.bvand(&right)),
                    Binary::BitOr => Bits(left.bvor(&right)),
                    Binary::BitXor => Bits(left.bvxor(&right)),
                    Binary::ShiftLeft => Bits(left.bvshl(distance())),
                    Binary::ShiftRight => Bits(left.bvashr(distance())),
                    Binary::ShiftRightUnsigned => Bits(left.bvlshr(distance())),
                    Binary::Equal => Truth(left.eq(&right)),
                    Binary::Less => Truth(left.bvslt(&right)),
                    Binary::LessOrEqual => Truth(left.bvsle(&right)),
                    Binary::And | Binary::Or | Binary::Function(_) => return None,
                }
            }
            (Number(left), Number(right)) => match operation {
                Binary::Add => Number(left.add_with_rounding_mode(right, &self.to_nearest)),
                Binary::Subtract => Number(left.sub_with_rounding_mode(right, &self.to_nearest)),
                Binary::Multiply => Number(left.mul_with_rounding_mode(right, &self.to_nearest)),
                Binary::Divide => Number(left.div_with_rounding_mode(right, &self.to_nearest)),
                Binary::Equal => Truth(left.eq_fpa(&right)),
                Binary::Less => Truth(left.lt(&right)),
                Binary::LessOrEqual => Truth(left.le(&right)),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// A remainder is smaller than the divisor and has the sign of the dividend. It follows from what a division is, but Z3 would
/// have to divide bit by bit to see it.
fn size_of_remainder(rest: &BV, left: &BV, right: &BV) -> Bool {
    let bits = rest.get_size();
    let zero = BV::from_i64(0, bits);
    let least = BV::from_i64(if bits == 32 { i32::MIN as i64 } else { i64::MIN }, bits);
    let negated = right.bvneg();
    let below = Bool::and(&[negated.bvslt(rest), rest.bvslt(right)]);
    let above = Bool::and(&[right.bvslt(rest), rest.bvslt(&negated)]);
    let is_negative = Bool::and(&[right.bvslt(&zero), right.eq(&least).not()]);
    Bool::and(&[
        right.bvsgt(&zero).implies(&below),
        is_negative.implies(&above),
        left.bvsge(&zero).implies(rest.bvsge(&zero)),
        left.bvsle(&zero).implies(rest.bvsle(&zero)),
    ])
}

fn choice(condition: Z3Term, yes: Z3Term, no: Z3Term) -> Option<Z3Term> {
    use Z3Term::{Bits, Number, Truth};
    let Truth(condition) = condition else { return None };
    Some(match (yes, no) {
        (Truth(yes), Truth(no)) => Truth(condition.ite(&yes, &no)),
        (Bits(yes), Bits(no)) => Bits(condition.ite(&yes, &no)),
        (Number(yes), Number(no)) => Number(condition.ite(&yes, &no)),
        _ => return None,
    })
}

fn of_constant(constant: Constant) -> Z3Term {
    match constant {
        Constant::Bool(value) => Z3Term::Truth(Bool::from_bool(value)),
        Constant::Int(value) => Z3Term::Bits(BV::from_i64(value as i64, 32)),
        Constant::Long(value) => Z3Term::Bits(BV::from_i64(value, 64)),
        Constant::Float(bits) => {
            let value = f32::from_bits(bits);
            Z3Term::Number(if value.is_nan() { Float::nan32() } else { Float::from_f32(value) })
        }
        Constant::Double(bits) => {
            let value = f64::from_bits(bits);
            Z3Term::Number(if value.is_nan() { Float::nan64() } else { Float::from_f64(value) })
        }
    }
}

fn of_variable(variable: Variable, sort: Sort) -> Z3Term {
    let name = format!("v{}", variable.index());
    match sort {
        Sort::Bool => Z3Term::Truth(Bool::new_const(name)),
        Sort::Int => Z3Term::Bits(BV::new_const(name, 32)),
        Sort::Long => Z3Term::Bits(BV::new_const(name, 64)),
        Sort::Float => Z3Term::Number(Float::new_const_float32(name)),
        Sort::Double => Z3Term::Number(Float::new_const_double(name)),
    }
}

/// That a bit vector is within its range, if the range is not that of the sort.
fn of_range(expression: &Z3Term, sort: Sort, (least, greatest): (i64, i64)) -> Option<Bool> {
    let Z3Term::Bits(value) = expression else { return None };
    let all = if sort == Sort::Int { (i32::MIN as i64, i32::MAX as i64) } else { (i64::MIN, i64::MAX) };
    if least > all.1 || greatest < all.0 {
        return Some(Bool::from_bool(false));
    }
    let bits = value.get_size();
    let mut bounds = Vec::new();
    if least > all.0 {
        bounds.push(value.bvsge(BV::from_i64(least, bits)));
    }
    if greatest < all.1 {
        bounds.push(value.bvsle(BV::from_i64(greatest, bits)));
    }
    (!bounds.is_empty()).then(|| Bool::and(&bounds))
}

fn unknown_remainder(term: Term, sort: Sort) -> Float {
    let name = format!("r{}", term.index());
    if sort == Sort::Float { Float::new_const_float32(name) } else { Float::new_const_double(name) }
}

/// Simple facts about the remainder of a truncated division. Z3 knows only another one (to nearest), and the exact
/// one takes hundreds of bits; so the remainder is a variable that has less said about it than is true. So `Unsat`
/// is certain, and a model must be checked by evaluation.
fn of_remainder(remainder: &Float, dividend: &Float, divisor: &Float) -> Bool {
    let is_nan = Bool::or(&[dividend.is_nan(), dividend.is_infinite(), divisor.is_nan(), divisor.is_zero()]);
    let [size, of_dividend, of_divisor] = [remainder, dividend, divisor].map(Float::unary_abs);
    let is_left =
        Bool::and(&[size.lt(&of_divisor), size.le(&of_dividend), remainder.is_negative().iff(dividend.is_negative())]);
    let is_number = of_dividend.lt(&of_divisor).ite(&remainder.eq(dividend), &is_left);
    is_nan.ite(&remainder.is_nan(), &is_number)
}
