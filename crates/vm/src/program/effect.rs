//! What does an instruction do to the operand stack, and where may execution go on after it?
//!
//! This is the one table of stack effects. The verifier, the assembler of clauses, the analyses of circuits and the messages of
//! NullPointerExceptions ask it; each adds only what it alone knows about the operands (types, number variables, sources).
//!
//! One operand is one entry, also a `long` or `double`. Only the instructions that merely move operands speak of words
//! (JVMS §2.6.2), of which a wide operand has two: see [`Shuffle`].

use super::code::{Code, Op};

/// The type of an operand, as far as the instruction alone decides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// An `int`, or a smaller integral type, which the stack holds as `int`.
    Int,
    /// A `long`.
    Long,
    /// A `float`.
    Float,
    /// A `double`.
    Double,
    /// A reference to an object or array, or null.
    Reference,
    /// A local variable, an element, a site or the method's descriptor decides.
    Any,
}

impl OperandKind {
    /// Is it an integral number, with which the instruction computes?
    pub fn is_integral(self) -> bool {
        matches!(self, OperandKind::Int | OperandKind::Long)
    }

    /// The words of the operand, if the instruction alone decides that (JVMS §2.6.2).
    pub fn words(self) -> Option<usize> {
        match self {
            OperandKind::Long | OperandKind::Double => Some(2),
            OperandKind::Any => None,
            _ => Some(1),
        }
    }
}

/// The effect of an instruction on the operand stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Pops the first, of which the last is on top, and pushes the second.
    Computes(&'static [OperandKind], Option<OperandKind>),
    /// Drops, copies or exchanges operands, whatever they are.
    Moves(Shuffle),
    /// Pops as many operands as the site says, and pushes a result if the site has one: calls, nested arrays, concatenations.
    BySite,
}

impl Effect {
    /// How many operands are popped and pushed, where those that are merely moved are not wide. None if a site decides.
    pub fn counts(self) -> Option<(usize, usize)> {
        Some(match self {
            Effect::Computes(operands, result) => (operands.len(), result.is_some() as usize),
            Effect::Moves(Shuffle::Drop(words)) => (words, 0),
            Effect::Moves(Shuffle::Copy { words, under }) => (words + under, 2 * words + under),
            Effect::Moves(Shuffle::Swap) => (2, 2),
            Effect::BySite => return None,
        })
    }
}

/// How an instruction moves words (JVMS §6.5, from `pop` to `swap`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shuffle {
    /// Drops that many words.
    Drop(usize),
    /// Inserts a copy of the top words under some more words.
    Copy {
        /// The words that are copied.
        words: usize,
        /// The words between the copy and the original.
        under: usize,
    },
    /// Exchanges two operands of one word each.
    Swap,
}

impl Shuffle {
    /// Moves the operands on top of a stack. Returns none, and leaves the stack as it was, if there are too few.
    ///
    /// `dup2_x1` on `[a, long]` copies one operand under one: `[long, a, long]`; on `[a, b, c]` it copies two: `[b, c, a, b, c]`.
    pub fn apply<T: Clone>(self, stack: &mut Vec<T>, is_wide: impl Fn(&T) -> bool) -> Option<()> {
        match self {
            Shuffle::Drop(words) => {
                let dropped = operands(words, stack.len(), |at| is_wide(&stack[at]))?;
                stack.truncate(stack.len() - dropped);
            }
            Shuffle::Copy { words, under } => {
                let height = stack.len();
                let (copied, over) = Shuffle::copied(words, under, height, |at| is_wide(&stack[at]))?;
                let copies = stack[height - copied..].to_vec();
                let at = height - copied - over;
                stack.splice(at..at, copies);
            }
            Shuffle::Swap => {
                let below = stack.len().checked_sub(2)?;
                stack.swap(below, below + 1);
            }
        }
        Some(())
    }

    /// How many operands a copy of `words` under `under` words consists of, and how many are between it and the original.
    #[inline]
    pub fn copied(
        words: usize,
        under: usize,
        height: usize,
        is_wide: impl Fn(usize) -> bool,
    ) -> Option<(usize, usize)> {
        let copied = operands(words, height, &is_wide)?;
        Some((copied, operands(under, height - copied, is_wide)?))
    }
}

/// How many operands below `height` have that many words together. The second half of a wide operand is never moved alone.
#[inline]
fn operands(words: usize, height: usize, is_wide: impl Fn(usize) -> bool) -> Option<usize> {
    let count = match words {
        2 if is_wide(height.checked_sub(1)?) => 1,
        words => words,
    };
    (count <= height).then_some(count)
}

impl Op {
    /// The effect on the operand stack. A fused instruction has that of the first instruction of its sequence, see `fuse`.
    pub fn effect(self) -> Effect {
        use OperandKind::{Any, Double, Float, Int, Long, Reference};
        let (takes, leaves): (&'static [OperandKind], Option<OperandKind>) = match self.first() {
            Op::Nop | Op::Iinc(..) | Op::Goto(_) | Op::Ret(_) | Op::Return => (&[], None),
            Op::Int(_) => (&[], Some(Int)),
            Op::Null | Op::String(_) | Op::ClassConstant(_) | Op::New(_) => (&[], Some(Reference)),
            // A subroutine's return address is no reference (JVMS §2.3.3).
            Op::Constant(_) | Op::OtherConstant(_) | Op::Load(_) | Op::GetStatic(_) | Op::Jsr(_) => (&[], Some(Any)),
            Op::Store(_) | Op::PutStatic(_) | Op::ReturnValue => (&[Any], None),
            Op::GetField(_) => (&[Reference], Some(Any)),
            Op::PutField(_) => (&[Reference, Any], None),
            Op::ArrayLoad => (&[Reference, Int], Some(Any)),
            Op::ArrayStore => (&[Reference, Int, Any], None),
            Op::ArrayLength | Op::InstanceOf(_) => (&[Reference], Some(Int)),
            Op::CheckCast(_) => (&[Reference], Some(Reference)),
            Op::NewArray(_) => (&[Int], Some(Reference)),
            Op::Throw | Op::MonitorEnter | Op::MonitorExit | Op::IfNull(_) | Op::IfNonNull(_) => (&[Reference], None),
            Op::IfAcmpEq(_) | Op::IfAcmpNe(_) => (&[Reference, Reference], None),
            Op::IfEq(_)
            | Op::IfNe(_)
            | Op::IfLt(_)
            | Op::IfGe(_)
            | Op::IfGt(_)
            | Op::IfLe(_)
            | Op::TableSwitch(_)
            | Op::LookupSwitch(_) => (&[Int], None),
            Op::IfIcmpEq(_)
            | Op::IfIcmpNe(_)
            | Op::IfIcmpLt(_)
            | Op::IfIcmpGe(_)
            | Op::IfIcmpGt(_)
            | Op::IfIcmpLe(_) => (&[Int, Int], None),
            Op::Iadd
            | Op::Isub
            | Op::Imul
            | Op::Idiv
            | Op::Irem
            | Op::Ishl
            | Op::Ishr
            | Op::Iushr
            | Op::Iand
            | Op::Ior
            | Op::Ixor => (&[Int, Int], Some(Int)),
            Op::Ladd | Op::Lsub | Op::Lmul | Op::Ldiv | Op::Lrem | Op::Land | Op::Lor | Op::Lxor => {
                (&[Long, Long], Some(Long))
            }
            Op::Lshl | Op::Lshr | Op::Lushr => (&[Long, Int], Some(Long)),
            Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem => (&[Float, Float], Some(Float)),
            Op::Dadd | Op::Dsub | Op::Dmul | Op::Ddiv | Op::Drem => (&[Double, Double], Some(Double)),
            Op::Ineg | Op::I2b | Op::I2c | Op::I2s => (&[Int], Some(Int)),
            Op::Lneg => (&[Long], Some(Long)),
            Op::Fneg => (&[Float], Some(Float)),
            Op::Dneg => (&[Double], Some(Double)),
            Op::I2l => (&[Int], Some(Long)),
            Op::I2f => (&[Int], Some(Float)),
            Op::I2d => (&[Int], Some(Double)),
            Op::L2i => (&[Long], Some(Int)),
            Op::L2f => (&[Long], Some(Float)),
            Op::L2d => (&[Long], Some(Double)),
            Op::F2i => (&[Float], Some(Int)),
            Op::F2l => (&[Float], Some(Long)),
            Op::F2d => (&[Float], Some(Double)),
            Op::D2i => (&[Double], Some(Int)),
            Op::D2l => (&[Double], Some(Long)),
            Op::D2f => (&[Double], Some(Float)),
            Op::Lcmp => (&[Long, Long], Some(Int)),
            Op::Fcmpl | Op::Fcmpg => (&[Float, Float], Some(Int)),
            Op::Dcmpl | Op::Dcmpg => (&[Double, Double], Some(Int)),
            Op::InvokeVirtual(_)
            | Op::InvokeSpecial(_)
            | Op::InvokeStatic(_)
            | Op::InvokeInterface(_)
            | Op::InvokeDynamic(_)
            | Op::MultiNewArray(..)
            | Op::Concat(_) => return Effect::BySite,
            moving => return Effect::Moves(moving.shuffle().expect("every other instruction merely moves operands")),
        };
        Effect::Computes(takes, leaves)
    }

    /// How the instruction moves operands, if it does nothing else.
    #[inline]
    pub fn shuffle(self) -> Option<Shuffle> {
        Some(match self {
            Op::Pop => Shuffle::Drop(1),
            Op::Pop2 => Shuffle::Drop(2),
            Op::Dup => Shuffle::Copy { words: 1, under: 0 },
            Op::DupX1 => Shuffle::Copy { words: 1, under: 1 },
            Op::DupX2 => Shuffle::Copy { words: 1, under: 2 },
            Op::Dup2 => Shuffle::Copy { words: 2, under: 0 },
            Op::Dup2X1 => Shuffle::Copy { words: 2, under: 1 },
            Op::Dup2X2 => Shuffle::Copy { words: 2, under: 2 },
            Op::Swap => Shuffle::Swap,
            _ => return None,
        })
    }

    /// May the next instruction follow? It does after a call, and after a subroutine that comes back.
    pub fn falls_through(self) -> bool {
        !matches!(
            self.first(),
            Op::Goto(_)
                | Op::Ret(_)
                | Op::TableSwitch(_)
                | Op::LookupSwitch(_)
                | Op::ReturnValue
                | Op::Return
                | Op::Throw
        )
    }

    /// Where the instruction may jump to, switches apart.
    pub fn target(self) -> Option<u32> {
        match self {
            Op::IfEq(target)
            | Op::IfNe(target)
            | Op::IfLt(target)
            | Op::IfGe(target)
            | Op::IfGt(target)
            | Op::IfLe(target)
            | Op::IfIcmpEq(target)
            | Op::IfIcmpNe(target)
            | Op::IfIcmpLt(target)
            | Op::IfIcmpGe(target)
            | Op::IfIcmpGt(target)
            | Op::IfIcmpLe(target)
            | Op::IfAcmpEq(target)
            | Op::IfAcmpNe(target)
            | Op::IfNull(target)
            | Op::IfNonNull(target)
            | Op::Goto(target)
            | Op::Jsr(target) => Some(target),
            _ => None,
        }
    }
}

impl Code {
    /// Where an instruction may jump to, in the order of its table, the default last. None if it names a table that is not there.
    pub fn targets(&self, op: Op) -> Option<impl Iterator<Item = u32> + use<'_>> {
        let none: (&[u32], &[(i32, u32)]) = (&[], &[]);
        let ((targets, pairs), last) = match op.first() {
            Op::TableSwitch(index) => {
                let table = self.tables.get(index as usize)?;
                ((&table.targets[..], none.1), Some(table.default))
            }
            Op::LookupSwitch(index) => {
                let table = self.lookups.get(index as usize)?;
                ((none.0, &table.pairs[..]), Some(table.default))
            }
            op => (none, op.target()),
        };
        Some(targets.iter().copied().chain(pairs.iter().map(|(_, target)| *target)).chain(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OperandKind::{Int, Long};

    #[test]
    fn words_are_moved_as_whole_operands() {
        // Capital letters are wide.
        let after = |op: Op, stack: &str| {
            let mut stack: Vec<char> = stack.chars().collect();
            op.shuffle().and_then(|shuffle| shuffle.apply(&mut stack, |operand| operand.is_uppercase()))?;
            Some(stack.into_iter().collect::<String>())
        };
        assert_eq!(after(Op::Pop2, "xab").as_deref(), Some("x"));
        assert_eq!(after(Op::Pop2, "xaB").as_deref(), Some("xa"));
        assert_eq!(after(Op::DupX2, "abc").as_deref(), Some("cabc"));
        assert_eq!(after(Op::DupX2, "Ab").as_deref(), Some("bAb"));
        assert_eq!(after(Op::Dup2X1, "aB").as_deref(), Some("BaB"));
        assert_eq!(after(Op::Dup2X2, "Aab").as_deref(), Some("abAab"));
        assert_eq!(after(Op::Swap, "ab").as_deref(), Some("ba"));
        assert_eq!(after(Op::Dup2, "a"), None);
        assert_eq!(after(Op::Dup, ""), None);
    }

    #[test]
    fn a_fused_instruction_has_the_effect_of_its_first() {
        assert_eq!(Op::AddStore(3).effect(), Effect::Computes(&[Int, Int], Some(Int)));
        assert_eq!(Op::AddLongStore(3).effect(), Effect::Computes(&[Long, Long], Some(Long)));
        assert_eq!(Op::IncrementGoto(0, 1, 0).effect(), Effect::Computes(&[], None));
        assert!(Op::IncrementGoto(0, 1, 0).falls_through());
    }

    #[test]
    fn a_switch_may_go_to_each_of_its_targets() {
        let table = super::super::TableSwitch { low: 0, targets: Box::new([7, 8]), default: 9 };
        let code = Code { tables: Box::new([table]), ..Code::default() };
        let targets = |op: Op| code.targets(op).map(|targets| targets.collect::<Vec<u32>>());
        assert_eq!(targets(Op::TableSwitch(0)), Some(vec![7, 8, 9]));
        assert_eq!(targets(Op::TableSwitch(1)), None);
        assert_eq!(targets(Op::IfNull(4)), Some(vec![4]));
        assert_eq!(targets(Op::Iadd), Some(vec![]));
    }
}
