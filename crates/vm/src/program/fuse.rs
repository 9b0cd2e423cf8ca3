//! Which sequences of instructions are worth executing in one go?
//!
//! Dispatching an instruction costs more than most instructions do. Where a frequent sequence starts, its first instruction is
//! replaced by one that does the whole sequence on concrete values. The others stay where they are, so that jumps into the
//! middle and instruction indices mean what they meant. If anything about the sequence is unusual (a null, a value that is not
//! a concrete int), the replacement does what the first instruction did, and the rest follows one by one.

use super::code::Op;

/// Replaces the first instructions of frequent sequences.
pub(super) fn fuse(ops: &mut [Op]) {
    let original = ops.to_vec();
    for (index, op) in ops.iter_mut().enumerate() {
        if let Some(fused) = fused(&original[index..]) {
            *op = fused;
        }
    }
}

impl Op {
    /// The first instruction of a fused sequence, which the others follow; every other instruction as it is.
    pub fn unfused(self) -> Op {
        match self {
            Op::LocalsEq(local, ..)
            | Op::LocalsNe(local, ..)
            | Op::LocalsLt(local, ..)
            | Op::LocalsGe(local, ..)
            | Op::LocalsGt(local, ..)
            | Op::LocalsLe(local, ..)
            | Op::LocalEq(local, ..)
            | Op::LocalNe(local, ..)
            | Op::LocalLt(local, ..)
            | Op::LocalGe(local, ..)
            | Op::LocalGt(local, ..)
            | Op::LocalLe(local, ..) => Op::Load(local as u16),
            Op::LoadTwo(local, _)
            | Op::LoadInt(local, _)
            | Op::LoadField(local, _)
            | Op::LoadElement(local, _)
            | Op::LocalIfEq(local, _)
            | Op::LocalIfNe(local, _)
            | Op::LocalIfNull(local, _)
            | Op::LocalIfNonNull(local, _)
            | Op::AddLocal(local)
            | Op::SubtractLocal(local) => Op::Load(local),
            Op::AddInt(value)
            | Op::SubtractInt(value)
            | Op::AndInt(value)
            | Op::ShiftLeftInt(value)
            | Op::ShiftRightInt(value)
            | Op::ShiftRightUnsignedInt(value) => Op::Int(value),
            Op::AddStore(_) => Op::Iadd,
            Op::AddLongStore(_) => Op::Ladd,
            Op::IncrementGoto(local, amount, _) => Op::Iinc(local as u16, amount),
            op => op,
        }
    }
}

fn fused(ops: &[Op]) -> Option<Op> {
    Some(match *ops {
        [Op::Load(a), Op::Load(b), jump, ..] if a < 256 && b < 256 && is_int_comparison(jump) => {
            let (a, b) = (a as u8, b as u8);
            match jump {
                Op::IfIcmpEq(target) => Op::LocalsEq(a, b, target),
                Op::IfIcmpNe(target) => Op::LocalsNe(a, b, target),
                Op::IfIcmpLt(target) => Op::LocalsLt(a, b, target),
                Op::IfIcmpGe(target) => Op::LocalsGe(a, b, target),
                Op::IfIcmpGt(target) => Op::LocalsGt(a, b, target),
                Op::IfIcmpLe(target) => Op::LocalsLe(a, b, target),
                _ => return None,
            }
        }
        [Op::Load(a), Op::Int(value), jump, ..] if a < 256 && is_short(value) && is_int_comparison(jump) => {
            let (a, value) = (a as u8, value as i16);
            match jump {
                Op::IfIcmpEq(target) => Op::LocalEq(a, value, target),
                Op::IfIcmpNe(target) => Op::LocalNe(a, value, target),
                Op::IfIcmpLt(target) => Op::LocalLt(a, value, target),
                Op::IfIcmpGe(target) => Op::LocalGe(a, value, target),
                Op::IfIcmpGt(target) => Op::LocalGt(a, value, target),
                Op::IfIcmpLe(target) => Op::LocalLe(a, value, target),
                _ => return None,
            }
        }
        [Op::Load(array), Op::Load(index), Op::ArrayLoad, ..] => Op::LoadElement(array, index),
        [Op::Load(local), Op::GetField(site), ..] => Op::LoadField(local, site),
        [Op::Load(local), Op::IfEq(target), ..] => Op::LocalIfEq(local, target),
        [Op::Load(local), Op::IfNe(target), ..] => Op::LocalIfNe(local, target),
        [Op::Load(local), Op::IfNull(target), ..] => Op::LocalIfNull(local, target),
        [Op::Load(local), Op::IfNonNull(target), ..] => Op::LocalIfNonNull(local, target),
        [Op::Load(local), Op::Iadd, ..] => Op::AddLocal(local),
        [Op::Load(local), Op::Isub, ..] => Op::SubtractLocal(local),
        [Op::Load(a), Op::Load(b), ..] => Op::LoadTwo(a, b),
        [Op::Load(local), Op::Int(value), ..] => Op::LoadInt(local, value),
        [Op::Int(value), Op::Iadd, ..] => Op::AddInt(value),
        [Op::Int(value), Op::Isub, ..] => Op::SubtractInt(value),
        [Op::Int(value), Op::Iand, ..] => Op::AndInt(value),
        [Op::Int(value), Op::Ishl, ..] => Op::ShiftLeftInt(value),
        [Op::Int(value), Op::Ishr, ..] => Op::ShiftRightInt(value),
        [Op::Int(value), Op::Iushr, ..] => Op::ShiftRightUnsignedInt(value),
        [Op::Iadd, Op::Store(local), ..] => Op::AddStore(local),
        [Op::Ladd, Op::Store(local), ..] => Op::AddLongStore(local),
        [Op::Iinc(local, amount), Op::Goto(target), ..] if local < 256 => {
            Op::IncrementGoto(local as u8, amount, target)
        }
        _ => return None,
    })
}

fn is_int_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::IfIcmpEq(_) | Op::IfIcmpNe(_) | Op::IfIcmpLt(_) | Op::IfIcmpGe(_) | Op::IfIcmpGt(_) | Op::IfIcmpLe(_)
    )
}

fn is_short(value: i32) -> bool {
    i16::try_from(value).is_ok()
}

impl Op {
    /// The instruction that stood here before it was replaced by a whole sequence.
    pub fn first(self) -> Op {
        match self {
            Op::LoadTwo(local, _)
            | Op::LoadInt(local, _)
            | Op::LoadField(local, _)
            | Op::LoadElement(local, _)
            | Op::LocalIfEq(local, _)
            | Op::LocalIfNe(local, _)
            | Op::LocalIfNull(local, _)
            | Op::LocalIfNonNull(local, _)
            | Op::AddLocal(local)
            | Op::SubtractLocal(local) => Op::Load(local),
            Op::LocalsEq(local, ..)
            | Op::LocalsNe(local, ..)
            | Op::LocalsLt(local, ..)
            | Op::LocalsGe(local, ..)
            | Op::LocalsGt(local, ..)
            | Op::LocalsLe(local, ..)
            | Op::LocalEq(local, ..)
            | Op::LocalNe(local, ..)
            | Op::LocalLt(local, ..)
            | Op::LocalGe(local, ..)
            | Op::LocalGt(local, ..)
            | Op::LocalLe(local, ..) => Op::Load(local as u16),
            Op::AddInt(value)
            | Op::SubtractInt(value)
            | Op::AndInt(value)
            | Op::ShiftLeftInt(value)
            | Op::ShiftRightInt(value)
            | Op::ShiftRightUnsignedInt(value) => Op::Int(value),
            Op::AddStore(_) => Op::Iadd,
            Op::AddLongStore(_) => Op::Ladd,
            Op::IncrementGoto(local, amount, _) => Op::Iinc(local as u16, amount),
            other => other,
        }
    }
}
