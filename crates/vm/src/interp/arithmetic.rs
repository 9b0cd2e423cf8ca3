//! What do comparisons, narrowing and the shuffling of operands compute? (JVMS §2.11.3, §2.11.6)

use crate::program::{Op, Shuffle};
use crate::value::{Kind, Value};

/// JVMS §6.5.lcmp.
#[inline]
pub(super) fn compare_long(left: i64, right: i64) -> i32 {
    left.cmp(&right) as i32
}

/// JVMS §6.5.fcmp<op>: `unordered` is the result if one is NaN.
#[inline]
pub(super) fn compare_float(left: f32, right: f32, unordered: i32) -> i32 {
    left.partial_cmp(&right).map_or(unordered, |ordering| ordering as i32)
}

/// JVMS §6.5.dcmp<op>.
#[inline]
pub(super) fn compare_double(left: f64, right: f64, unordered: i32) -> i32 {
    left.partial_cmp(&right).map_or(unordered, |ordering| ordering as i32)
}

/// Narrows a value to the range of a variable of this kind (JVMS §6.5.putfield).
#[inline]
pub(super) fn narrow(kind: Kind, value: Value) -> Value {
    match (kind, value) {
        (Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short, Value::Int(value)) => Value::Int(kind.narrow(value)),
        _ => value,
    }
}

/// The `dup` family (JVMS §6.5.dup_x1 and following). A wide value counts as two words, but is one value here.
/// Returns the new top.
pub(super) fn duplicate(op: Op, registers: &mut [Value], sp: usize) -> usize {
    let Some(Shuffle::Copy { words, under }) = op.shuffle() else { unreachable!("only copies get here") };
    let copied = Shuffle::copied(words, under, sp, |at| registers[at].is_wide());
    let (copied, over) = copied.expect("the verifier has seen the operands");
    let from = sp - copied - over;
    registers.copy_within(from..sp, from + copied);
    registers.copy_within(sp..sp + copied, from);
    sp + copied
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(op: Op, stack: &[Value]) -> Vec<Value> {
        let mut registers = stack.to_vec();
        registers.resize(stack.len() + 2, Value::Top);
        let sp = duplicate(op, &mut registers, stack.len());
        registers[..sp].to_vec()
    }

    #[test]
    fn dup_family_respects_wide_values() {
        let (a, b, c, wide) = (Value::Int(1), Value::Int(2), Value::Int(3), Value::Long(9));
        assert_eq!(after(Op::DupX1, &[a, b]), [b, a, b]);
        assert_eq!(after(Op::DupX2, &[a, b, c]), [c, a, b, c]);
        assert_eq!(after(Op::DupX2, &[wide, c]), [c, wide, c]);
        assert_eq!(after(Op::Dup2, &[a, b]), [a, b, a, b]);
        assert_eq!(after(Op::Dup2, &[wide]), [wide, wide]);
        assert_eq!(after(Op::Dup2X1, &[a, b, c]), [b, c, a, b, c]);
        assert_eq!(after(Op::Dup2X1, &[a, wide]), [wide, a, wide]);
        assert_eq!(after(Op::Dup2X2, &[wide, wide]), [wide, wide, wide]);
        assert_eq!(after(Op::Dup2X2, &[a, b, wide]), [wide, a, b, wide]);
        assert_eq!(after(Op::Dup2X2, &[wide, a, b]), [a, b, wide, a, b]);
    }

    #[test]
    fn comparisons_order_nan_as_asked() {
        assert_eq!(compare_double(f64::NAN, 1.0, -1), -1);
        assert_eq!(compare_double(f64::NAN, 1.0, 1), 1);
        assert_eq!(compare_float(-0.0, 0.0, 1), 0);
        assert_eq!(compare_long(i64::MIN, i64::MAX), -1);
    }
}
