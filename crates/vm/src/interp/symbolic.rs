//! What does an instruction do whose operands are not all concrete?
//!
//! The loop leaves such an instruction to `Vm::symbolic`, which runs it whole: it computes with terms instead of numbers, and
//! asks where a jump, an index or an exception depends on one. What concerns references and objects is in `inputs`.

use lazuli_logic::{Binary, Constant, Sort, Term, Unary};

use super::{Trouble, Vm};
use crate::outcome::{Question, Stop};
use crate::program::Op;
use crate::state::State;
use crate::value::{Kind, Value};

impl Vm {
    /// Runs the current instruction. If no operand is symbolic, the code is malformed.
    #[inline(never)]
    pub(super) fn symbolic(&mut self, state: &mut State) -> Result<(), Stop> {
        let frame = state.thread.frames.last().expect("an instruction runs in a frame");
        let op = frame.code.ops[frame.pc as usize];
        if let Some((operation, sort)) = binary_of(op) {
            return self.binary_operation(state, operation, sort);
        }
        if let Some((operation, from)) = unary_of(op) {
            return self.unary_operation(state, operation, from);
        }
        match op {
            Op::Iinc(local, amount) => self.increment(state, local, amount),
            Op::IncrementGoto(local, amount, _) => self.increment(state, local as u16, amount),
            Op::Lcmp => self.comparison(state, Sort::Long, 0),
            Op::Fcmpl => self.comparison(state, Sort::Float, -1),
            Op::Fcmpg => self.comparison(state, Sort::Float, 1),
            Op::Dcmpl => self.comparison(state, Sort::Double, -1),
            Op::Dcmpg => self.comparison(state, Sort::Double, 1),
            Op::IfEq(target) => self.branch(state, BranchRelation::Equal, true, target),
            Op::IfNe(target) => self.branch(state, BranchRelation::NotEqual, true, target),
            Op::IfLt(target) => self.branch(state, BranchRelation::Less, true, target),
            Op::IfGe(target) => self.branch(state, BranchRelation::GreaterOrEqual, true, target),
            Op::IfGt(target) => self.branch(state, BranchRelation::Greater, true, target),
            Op::IfLe(target) => self.branch(state, BranchRelation::LessOrEqual, true, target),
            Op::IfIcmpEq(target) => self.branch(state, BranchRelation::Equal, false, target),
            Op::IfIcmpNe(target) => self.branch(state, BranchRelation::NotEqual, false, target),
            Op::IfIcmpLt(target) => self.branch(state, BranchRelation::Less, false, target),
            Op::IfIcmpGe(target) => self.branch(state, BranchRelation::GreaterOrEqual, false, target),
            Op::IfIcmpGt(target) => self.branch(state, BranchRelation::Greater, false, target),
            Op::IfIcmpLe(target) => self.branch(state, BranchRelation::LessOrEqual, false, target),
            Op::TableSwitch(index) => self.table_switch(state, index),
            Op::LookupSwitch(index) => self.lookup_switch(state, index),
            Op::PutField(_) | Op::PutStatic(_) => self.put_narrowed(state, op),
            other => self.with_references(state, other),
        }
    }

    /// The term of a primitive value of that sort; nothing for anything else.
    pub fn term_of(&mut self, value: Value, sort: Sort) -> Option<Term> {
        match (value, sort) {
            (Value::Term(term, found), sort) if found == sort => Some(term),
            (Value::Int(value), Sort::Int) => Some(self.terms.int(value)),
            (Value::Long(value), Sort::Long) => Some(self.terms.long(value)),
            (Value::Float(value), Sort::Float) => Some(self.terms.constant(Constant::Float(value.to_bits()))),
            (Value::Double(value), Sort::Double) => Some(self.terms.constant(Constant::Double(value.to_bits()))),
            _ => None,
        }
    }

    /// The value of a term: a number if it is a constant.
    pub(crate) fn value_of(&self, term: Term) -> Value {
        match self.terms.as_constant(term) {
            Some(constant) => value_of_constant(constant),
            None => Value::Term(term, self.terms.sort(term)),
        }
    }

    /// Is the condition true? Asks, unless the path knows.
    pub(crate) fn decide(&mut self, state: &State, condition: Term) -> Result<bool, Stop> {
        if let Some(Constant::Bool(truth)) = self.terms.as_constant(condition) {
            return Ok(truth);
        }
        self.has_met_condition = true;
        let negation = self.terms.not(condition);
        state.symbols.condition.knows(condition, negation).ok_or(Stop::Ask(Question::Branch(condition)))
    }

    /// Which of these cases is true? Asks, unless the path knows. They must exclude each other, and one must be true.
    pub(crate) fn decide_case(&mut self, state: &State, cases: Vec<Term>) -> Result<usize, Stop> {
        let mut open = None;
        let mut is_single = true;
        for (index, case) in cases.iter().enumerate() {
            match self.known_truth(state, *case) {
                Some(true) => return Ok(index),
                Some(false) => {}
                None => {
                    is_single &= open.is_none();
                    open = Some(index);
                }
            }
        }
        match open {
            Some(only) if is_single => Ok(only),
            Some(_) => Err(Stop::Ask(Question::Cases(cases))),
            None => Err(self.unsupported(state, "a choice of which the path excludes every case")),
        }
    }

    /// The truth of a condition, if the path condition contains it or its negation. A conjunction is known if its parts are.
    pub(super) fn known_truth(&mut self, state: &State, condition: Term) -> Option<bool> {
        if let Some(Constant::Bool(truth)) = self.terms.as_constant(condition) {
            return Some(truth);
        }
        if let lazuli_logic::Node::Binary(Binary::And, left, right) = self.terms.node(condition) {
            return match (self.known_truth(state, left), self.known_truth(state, right)) {
                (Some(true), Some(true)) => Some(true),
                (Some(false), _) | (_, Some(false)) => Some(false),
                _ => None,
            };
        }
        self.has_met_condition = true;
        let negation = self.terms.not(condition);
        state.symbols.condition.knows(condition, negation)
    }

    /// Narrows a value to the range of a variable of this kind (JVMS §6.5.putfield).
    pub(crate) fn narrowed(&mut self, kind: Kind, value: Value) -> Value {
        let Value::Term(term, Sort::Int) = value else { return super::arithmetic::narrow(kind, value) };
        let (least, greatest) = kind.range();
        let range = self.terms.range(term);
        if range.0 >= least && range.1 <= greatest {
            return value;
        }
        let narrowed = match kind {
            Kind::Boolean => {
                let one = self.terms.int(1);
                self.terms.binary(Binary::BitAnd, term, one)
            }
            Kind::Byte => self.terms.unary(Unary::SignedByte, term),
            Kind::Char => self.terms.unary(Unary::UnsignedShort, term),
            Kind::Short => self.terms.unary(Unary::SignedShort, term),
            _ => term,
        };
        self.value_of(narrowed)
    }

    fn binary_operation(&mut self, state: &mut State, operation: Binary, sort: Sort) -> Result<(), Stop> {
        let is_shift = matches!(operation, Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned);
        let right_sort = if is_shift { Sort::Int } else { sort };
        let (left, right) = (state.operand(1), state.operand(0));
        let (Some(left), Some(mut right)) = (self.term_of(left, sort), self.term_of(right, right_sort)) else {
            return self.malformed(state, "operands of the wrong type");
        };
        if is_shift && sort == Sort::Long {
            right = self.terms.unary(Unary::Widen, right);
        }
        let may_fail =
            matches!(operation, Binary::Divide | Binary::Remainder) && matches!(sort, Sort::Int | Sort::Long);
        if may_fail {
            let zero = if sort == Sort::Int { self.terms.int(0) } else { self.terms.long(0) };
            let is_zero = self.terms.equal(right, zero);
            if self.decide(state, is_zero)? {
                return self.raise(state, Trouble::DivisionByZero);
            }
            if self.terms.as_constant(left).is_none() {
                right = self.known_divisor(state, right, sort)?;
            }
        }
        let result = self.terms.binary(operation, left, right);
        let result = self.value_of(result);
        state.complete(2, Some(result));
        Ok(())
    }

    fn unary_operation(&mut self, state: &mut State, operation: Unary, from: Sort) -> Result<(), Stop> {
        let Some(operand) = self.term_of(state.operand(0), from) else {
            return self.malformed(state, "an operand of the wrong type");
        };
        let result = self.terms.unary(operation, operand);
        let result = self.value_of(result);
        state.complete(1, Some(result));
        Ok(())
    }

    fn increment(&mut self, state: &mut State, local: u16, amount: i16) -> Result<(), Stop> {
        let frame = state.thread.frames.last_mut().expect("an instruction runs in a frame");
        let at = frame.base as usize + local as usize;
        let Some(term) = self.term_of(state.thread.stack[at], Sort::Int) else {
            return self.malformed(state, "an operand of the wrong type");
        };
        let amount = self.terms.int(amount as i32);
        let sum = self.terms.binary(Binary::Add, term, amount);
        frame.pc += 1;
        state.thread.stack[at] = self.value_of(sum);
        Ok(())
    }

    fn comparison(&mut self, state: &mut State, sort: Sort, unordered: i32) -> Result<(), Stop> {
        let (left, right) = (state.operand(1), state.operand(0));
        let (Some(left), Some(right)) = (self.term_of(left, sort), self.term_of(right, sort)) else {
            return self.malformed(state, "operands of the wrong type");
        };
        let result = self.terms.compare(left, right, unordered);
        let result = self.value_of(result);
        state.complete(2, Some(result));
        Ok(())
    }

    fn branch(
        &mut self,
        state: &mut State,
        relation: BranchRelation,
        with_zero: bool,
        target: u32,
    ) -> Result<(), Stop> {
        let (left, right) =
            if with_zero { (state.operand(0), Value::Int(0)) } else { (state.operand(1), state.operand(0)) };
        let (Some(left), Some(right)) = (self.term_of(left, Sort::Int), self.term_of(right, Sort::Int)) else {
            return self.malformed(state, "operands of the wrong type");
        };
        let condition = match relation {
            BranchRelation::Equal | BranchRelation::NotEqual => self.terms.equal(left, right),
            BranchRelation::Less | BranchRelation::GreaterOrEqual => self.terms.less(left, right),
            BranchRelation::Greater | BranchRelation::LessOrEqual => self.terms.less(right, left),
        };
        let negated =
            matches!(relation, BranchRelation::NotEqual | BranchRelation::GreaterOrEqual | BranchRelation::LessOrEqual);
        let condition = if negated { self.terms.not(condition) } else { condition };
        let taken = self.decide(state, condition)?;
        self.finish_branch(state, if with_zero { 1 } else { 2 }, taken.then_some(target))
    }

    /// Commits a jump: takes operands, and goes to the target or on.
    pub(super) fn finish_branch(&mut self, state: &mut State, pop: usize, target: Option<u32>) -> Result<(), Stop> {
        let frame = state.thread.frames.last_mut().expect("an instruction runs in a frame");
        if target.is_some_and(|target| target <= frame.pc) {
            self.fuel -= 1;
            if self.fuel == 0 {
                return self.poll(state);
            }
        }
        frame.sp -= pop as u32;
        frame.pc = target.unwrap_or(frame.pc + 1);
        Ok(())
    }

    fn table_switch(&mut self, state: &mut State, index: u32) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let table = &code.tables[index as usize];
        let keys = (0..table.targets.len()).map(|at| table.low.wrapping_add(at as i32)).collect();
        self.switch(state, keys, &table.targets, table.default)
    }

    fn lookup_switch(&mut self, state: &mut State, index: u32) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let table = &code.lookups[index as usize];
        let (keys, targets): (Vec<i32>, Vec<u32>) = table.pairs.iter().copied().unzip();
        self.switch(state, keys, &targets, table.default)
    }

    fn switch(&mut self, state: &mut State, keys: Vec<i32>, targets: &[u32], default: u32) -> Result<(), Stop> {
        let Some(key) = self.term_of(state.operand(0), Sort::Int) else {
            return self.malformed(state, "an operand of the wrong type");
        };
        let mut cases = Vec::with_capacity(keys.len() + 1);
        let mut none = self.terms.truth(true);
        for value in keys {
            let value = self.terms.int(value);
            let case = self.terms.equal(key, value);
            cases.push(case);
            let other = self.terms.not(case);
            none = self.terms.and(none, other);
        }
        cases.push(none);
        let chosen = self.decide_case(state, cases)?;
        self.finish_branch(state, 1, Some(targets.get(chosen).copied().unwrap_or(default)))
    }

    /// A store of a term into a field that may be too small for it.
    fn put_narrowed(&mut self, state: &mut State, op: Op) -> Result<(), Stop> {
        let code = state.thread.frames.last().expect("an instruction runs in a frame").code;
        let (Op::PutField(site) | Op::PutStatic(site)) = op else { return self.with_references(state, op) };
        let (value, resolved) = (state.operand(0), code.fields[site as usize].resolved.get());
        let Some(field) = resolved.filter(|_| matches!(value, Value::Term(..))) else {
            return self.with_references(state, op);
        };
        let is_static = matches!(op, Op::PutStatic(_));
        let object = if is_static {
            state.classes.slot(field.class.id).mirror
        } else {
            if let Value::Unknown(_) = state.operand(1) {
                return self.with_references(state, op);
            }
            match state.reference_operand(1) {
                Some(object) => Some(object),
                None => return self.raise(state, Trouble::NullPointer),
            }
        };
        let Some(object) = object else { return self.malformed(state, "a field of nothing") };
        self.check_write(state, object, Some(field.slot as usize))?;
        let value = self.narrowed(field.kind, value);
        state.heap.set_field(object, field.slot as usize, value);
        state.complete(if is_static { 1 } else { 2 }, None);
        if state.monitor.is_some() {
            self.note_write(state, (!is_static).then_some(object), site)?;
        }
        Ok(())
    }
}

enum BranchRelation {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

/// The constant that a concrete primitive is.
pub fn constant_of(value: Value) -> Option<Constant> {
    Some(match value {
        Value::Int(value) => Constant::Int(value),
        Value::Long(value) => Constant::Long(value),
        Value::Float(value) => Constant::Float(value.to_bits()),
        Value::Double(value) => Constant::Double(value.to_bits()),
        _ => return None,
    })
}

/// Converts a constant term to the value that the interpreter stores; a truth value becomes 0 or 1.
pub fn value_of_constant(constant: Constant) -> Value {
    match constant {
        Constant::Bool(truth) => Value::bool(truth),
        Constant::Int(value) => Value::Int(value),
        Constant::Long(value) => Value::Long(value),
        Constant::Float(bits) => Value::Float(f32::from_bits(bits)),
        Constant::Double(bits) => Value::Double(f64::from_bits(bits)),
    }
}

/// The operation of an instruction on two operands, and the sort of the first.
pub fn binary_of(op: Op) -> Option<(Binary, Sort)> {
    Some(match op {
        Op::Iadd | Op::AddStore(_) => (Binary::Add, Sort::Int),
        Op::Isub => (Binary::Subtract, Sort::Int),
        Op::Imul => (Binary::Multiply, Sort::Int),
        Op::Idiv => (Binary::Divide, Sort::Int),
        Op::Irem => (Binary::Remainder, Sort::Int),
        Op::Iand => (Binary::BitAnd, Sort::Int),
        Op::Ior => (Binary::BitOr, Sort::Int),
        Op::Ixor => (Binary::BitXor, Sort::Int),
        Op::Ishl => (Binary::ShiftLeft, Sort::Int),
        Op::Ishr => (Binary::ShiftRight, Sort::Int),
        Op::Iushr => (Binary::ShiftRightUnsigned, Sort::Int),
        Op::Ladd | Op::AddLongStore(_) => (Binary::Add, Sort::Long),
        Op::Lsub => (Binary::Subtract, Sort::Long),
        Op::Lmul => (Binary::Multiply, Sort::Long),
        Op::Ldiv => (Binary::Divide, Sort::Long),
        Op::Lrem => (Binary::Remainder, Sort::Long),
        Op::Land => (Binary::BitAnd, Sort::Long),
        Op::Lor => (Binary::BitOr, Sort::Long),
        Op::Lxor => (Binary::BitXor, Sort::Long),
        Op::Lshl => (Binary::ShiftLeft, Sort::Long),
        Op::Lshr => (Binary::ShiftRight, Sort::Long),
        Op::Lushr => (Binary::ShiftRightUnsigned, Sort::Long),
        Op::Fadd => (Binary::Add, Sort::Float),
        Op::Fsub => (Binary::Subtract, Sort::Float),
        Op::Fmul => (Binary::Multiply, Sort::Float),
        Op::Fdiv => (Binary::Divide, Sort::Float),
        Op::Frem => (Binary::Remainder, Sort::Float),
        Op::Dadd => (Binary::Add, Sort::Double),
        Op::Dsub => (Binary::Subtract, Sort::Double),
        Op::Dmul => (Binary::Multiply, Sort::Double),
        Op::Ddiv => (Binary::Divide, Sort::Double),
        Op::Drem => (Binary::Remainder, Sort::Double),
        _ => return None,
    })
}

/// The operation of an instruction on one operand, and the sort of that.
pub fn unary_of(op: Op) -> Option<(Unary, Sort)> {
    Some(match op {
        Op::Ineg => (Unary::Negate, Sort::Int),
        Op::Lneg => (Unary::Negate, Sort::Long),
        Op::Fneg => (Unary::Negate, Sort::Float),
        Op::Dneg => (Unary::Negate, Sort::Double),
        Op::I2l => (Unary::Widen, Sort::Int),
        Op::I2f => (Unary::ToFloat, Sort::Int),
        Op::I2d => (Unary::ToDouble, Sort::Int),
        Op::L2i => (Unary::Truncate, Sort::Long),
        Op::L2f => (Unary::ToFloat, Sort::Long),
        Op::L2d => (Unary::ToDouble, Sort::Long),
        Op::F2i => (Unary::ToInt, Sort::Float),
        Op::F2l => (Unary::ToLong, Sort::Float),
        Op::F2d => (Unary::ToDouble, Sort::Float),
        Op::D2i => (Unary::ToInt, Sort::Double),
        Op::D2l => (Unary::ToLong, Sort::Double),
        Op::D2f => (Unary::ToFloat, Sort::Double),
        Op::I2b => (Unary::SignedByte, Sort::Int),
        Op::I2c => (Unary::UnsignedShort, Sort::Int),
        Op::I2s => (Unary::SignedShort, Sort::Int),
        _ => return None,
    })
}
