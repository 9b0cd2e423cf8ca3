//! Which instruction pushed each operand? The question behind the messages of NullPointerExceptions.
//!
//! The operand stacks of a method are simulated without values: every slot only remembers its source. Where two ways meet
//! with different sources, the slot has none. The order of the simulation, the early end and the neglect of locals at the
//! start of handlers are those of HotSpot, because its messages depend on them.

use lazuli_classfile::format::attributes::CodeData;
use lazuli_classfile::format::bytecode::Opcode;
use lazuli_classfile::format::constant_pool::{LiteralConstant, Loadable};

use crate::program::descriptor;
use crate::value::Kind;

/// Methods with more stack slots in total are not analysed to the end.
const MOST_SLOTS: usize = 1_000_000;

/// Rounds over the instructions. One more is needed for each jump back into code that nothing before has led to, which
/// compilers hardly ever write.
const MOST_ROUNDS: usize = 100;

/// The operand stack before an instruction. A `long` or `double` takes two slots.
#[derive(Clone, Default)]
pub struct Stack {
    /// For each slot the index of the instruction that pushed it, if there is only one.
    slots: Vec<Option<usize>>,
    /// The local variables below 64 that may have been written to.
    written: u64,
}

impl Stack {
    /// The source of the slot that is `depth` slots below the top.
    pub fn source(&self, depth: usize) -> Option<usize> {
        let at = self.slots.len().checked_sub(depth + 1)?;
        self.slots[at]
    }

    /// May the local variable hold something else than at the start of the method?
    pub fn was_written(&self, local: u16) -> bool {
        local >= 64 || self.written & (1 << local) != 0
    }

    fn write(&mut self, local: u16) {
        if local < 64 {
            self.written |= 1 << local;
        }
    }

    fn push(&mut self, source: usize, words: usize) {
        self.slots.extend(std::iter::repeat_n(Some(source), words));
    }

    fn pop(&mut self, words: usize) {
        self.slots.truncate(self.slots.len().saturating_sub(words));
    }

    /// Copies the top `copied` slots below the `over` slots under them.
    fn duplicate(&mut self, copied: usize, over: usize) {
        let height = self.slots.len();
        if let Some(start) = height.checked_sub(copied + over) {
            let top = self.slots[height - copied..].to_vec();
            self.slots.splice(start..start, top);
        }
    }

    fn swap(&mut self) {
        if let [.., below, top] = &mut self.slots[..] {
            std::mem::swap(below, top);
        }
    }

    fn merge(&mut self, other: &Stack) {
        for (own, other) in self.slots.iter_mut().zip(&other.slots) {
            if own != other {
                *own = None;
            }
        }
        self.written |= other.written;
    }
}

/// The stacks before the instructions of a method.
pub struct OperandSources<'a> {
    opcodes: &'a [(usize, Opcode<'a>)],
    /// None where no way leads, or none was followed yet.
    stacks: Vec<Option<Stack>>,
    slots: usize,
    found_another: bool,
}

impl<'a> OperandSources<'a> {
    /// Simulates the method, at least until the stack of the instruction with index `wanted` is known.
    pub fn of(data: &'a CodeData<'a>, wanted: usize) -> Option<OperandSources<'a>> {
        let bytecode = data.bytecode.as_ref()?;
        let opcodes = &bytecode.opcodes[..];
        let mut sources = OperandSources { opcodes, stacks: vec![None; opcodes.len()], slots: 0, found_another: false };
        *sources.stacks.first_mut()? = Some(Stack::default());
        for handler in &data.exception_table {
            let at = bytecode.get_opcode_index(handler.handler_pc as usize)?;
            sources.stacks[at].get_or_insert_with(|| Stack { slots: vec![Some(at)], written: 0 });
        }
        for _ in 0..MOST_ROUNDS {
            let mut all_done = true;
            sources.found_another = false;
            for at in 0..opcodes.len() {
                all_done &= sources.follow(at)?;
                if at + 1 == wanted && sources.stacks[wanted].is_some() {
                    all_done = true;
                    break;
                }
                if sources.slots > MOST_SLOTS {
                    return Some(sources);
                }
            }
            if all_done || !sources.found_another {
                break;
            }
        }
        Some(sources)
    }

    /// The operand stack before the instruction at that index, if the analysis reached it.
    pub fn before(&self, at: usize) -> Option<&Stack> {
        self.stacks.get(at)?.as_ref()
    }

    /// Hands the stack after an instruction to all that may come next. False if nothing is known about the stack before.
    fn follow(&mut self, at: usize) -> Option<bool> {
        let Some(mut stack) = self.stacks[at].clone() else { return Some(false) };
        let opcodes = self.opcodes;
        let (offset, opcode) = &opcodes[at];
        simulate(&mut stack, at, opcode)?;
        if !ends_flow(opcode) {
            self.reach(at + 1, &mut stack);
        }
        for distance in jumps(opcode) {
            let target = offset.checked_add_signed(distance as isize)?;
            let target = opcodes.binary_search_by_key(&target, |(offset, _)| *offset).ok()?;
            self.reach(target, &mut stack);
        }
        Some(true)
    }

    /// Merges a stack into the one at a target. The result is also handed to the next target, as HotSpot has it.
    fn reach(&mut self, target: usize, stack: &mut Stack) {
        match self.stacks.get_mut(target) {
            None => {}
            Some(Some(known)) => {
                stack.merge(known);
                known.clone_from(stack);
            }
            Some(unknown) => {
                self.slots += stack.slots.len();
                self.found_another = true;
                *unknown = Some(stack.clone());
            }
        }
    }
}

fn ends_flow(opcode: &Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Goto(_)
            | Ret(_)
            | Tableswitch(_)
            | Lookupswitch(_)
            | Ireturn
            | Lreturn
            | Freturn
            | Dreturn
            | Areturn
            | Return
            | Athrow
    )
}

/// The distances of an instruction's jumps.
fn jumps(opcode: &Opcode) -> Vec<i32> {
    use Opcode::*;
    match opcode {
        Ifeq(to) | Ifne(to) | Iflt(to) | Ifge(to) | Ifgt(to) | Ifle(to) | IfIcmpeq(to) | IfIcmpne(to)
        | IfIcmplt(to) | IfIcmpge(to) | IfIcmpgt(to) | IfIcmple(to) | IfAcmpeq(to) | IfAcmpne(to) | Ifnull(to)
        | Ifnonnull(to) | Goto(to) | Jsr(to) => vec![*to],
        Tableswitch(table) => [table.default].into_iter().chain(table.jumps.iter().copied()).collect(),
        Lookupswitch(table) => {
            [table.default].into_iter().chain(table.match_offsets.iter().map(|(_, distance)| *distance)).collect()
        }
        _ => Vec::new(),
    }
}

/// The slots that a value of the type takes.
pub fn words(descriptor: &str) -> usize {
    words_of(Kind::of_descriptor(descriptor))
}

fn words_of(kind: Kind) -> usize {
    match kind {
        Kind::Void => 0,
        Kind::Long | Kind::Double => 2,
        _ => 1,
    }
}

/// The slots that the arguments and the result of a method take, without the receiver.
pub fn call_words(descriptor: &str) -> Option<(usize, usize)> {
    let (parameters, result) = descriptor::kinds(descriptor)?;
    Some((parameters.iter().map(|kind| words_of(*kind)).sum(), words_of(result)))
}

/// The effect of an instruction on the stack. None if the class file is broken.
fn simulate(stack: &mut Stack, at: usize, opcode: &Opcode) -> Option<()> {
    use Opcode::*;
    let (pops, pushes) = match opcode {
        // A cast hands on what it gets, so that the message tells where the value came from. An `iinc` writes to a local
        // variable, but HotSpot does not count it: an incremented parameter is still called one.
        Nop | Iinc(..) | Goto(_) | Ret(_) | Return | Checkcast(_) | Breakpoint | Impdep1 | Impdep2 => (0, 0),
        AconstNull | IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5 | Bipush(_) | Sipush(_)
        | Fconst0 | Fconst1 | Fconst2 | Iload(_) | Fload(_) | Aload(_) | New(_) | Jsr(_) => (0, 1),
        Lconst0 | Lconst1 | Dconst0 | Dconst1 | Lload(_) | Dload(_) => (0, 2),
        Ldc(constant) | LdcW(constant) | Ldc2W(constant) => match constant {
            Loadable::LiteralConstant(LiteralConstant::Long(_) | LiteralConstant::Double(_)) => (0, 2),
            Loadable::Dynamic(dynamic) => (0, words(&dynamic.name_and_type.descriptor)),
            _ => (0, 1),
        },
        Istore(local) | Fstore(local) | Astore(local) => {
            stack.write(*local);
            (1, 0)
        }
        Lstore(local) | Dstore(local) => {
            stack.write(*local);
            stack.write(local.saturating_add(1));
            (2, 0)
        }
        Iaload | Faload | Aaload | Baload | Caload | Saload => (2, 1),
        Laload | Daload => (2, 2),
        Iastore | Fastore | Aastore | Bastore | Castore | Sastore => (3, 0),
        Lastore | Dastore => (4, 0),
        Pop => (1, 0),
        Pop2 => (2, 0),
        Dup | DupX1 | DupX2 | Dup2 | Dup2X1 | Dup2X2 => {
            let (copied, over) = match opcode {
                Dup => (1, 0),
                DupX1 => (1, 1),
                DupX2 => (1, 2),
                Dup2 => (2, 0),
                Dup2X1 => (2, 1),
                _ => (2, 2),
            };
            stack.duplicate(copied, over);
            (0, 0)
        }
        Swap => {
            stack.swap();
            (0, 0)
        }
        Iadd | Isub | Imul | Idiv | Irem | Ishl | Ishr | Iushr | Iand | Ior | Ixor | Fadd | Fsub | Fmul | Fdiv
        | Frem | Fcmpl | Fcmpg => (2, 1),
        Ladd | Lsub | Lmul | Ldiv | Lrem | Land | Lor | Lxor | Dadd | Dsub | Dmul | Ddiv | Drem => (4, 2),
        Lshl | Lshr | Lushr => (3, 2),
        Lcmp | Dcmpl | Dcmpg => (4, 1),
        Ineg | Fneg | I2f | F2i | I2b | I2c | I2s | Instanceof(_) | Newarray(_) | Anewarray(_) | Arraylength => (1, 1),
        Lneg | Dneg | L2d | D2l => (2, 2),
        I2l | I2d | F2l | F2d => (1, 2),
        L2i | L2f | D2i | D2f => (2, 1),
        Ifeq(_) | Ifne(_) | Iflt(_) | Ifge(_) | Ifgt(_) | Ifle(_) | Ifnull(_) | Ifnonnull(_) | Tableswitch(_)
        | Lookupswitch(_) | Ireturn | Freturn | Areturn | Athrow | Monitorenter | Monitorexit => (1, 0),
        IfIcmpeq(_) | IfIcmpne(_) | IfIcmplt(_) | IfIcmpge(_) | IfIcmpgt(_) | IfIcmple(_) | IfAcmpeq(_)
        | IfAcmpne(_) | Lreturn | Dreturn => (2, 0),
        Getstatic(field) => (0, words(&field.name_and_type.descriptor)),
        Putstatic(field) => (words(&field.name_and_type.descriptor), 0),
        Getfield(field) => (1, words(&field.name_and_type.descriptor)),
        Putfield(field) => (1 + words(&field.name_and_type.descriptor), 0),
        Invokevirtual(method) | Invokespecial(method) | Invokeinterface(method, _) => {
            let (arguments, result) = call_words(&method.name_and_type.descriptor)?;
            (1 + arguments, result)
        }
        Invokestatic(method) => call_words(&method.name_and_type.descriptor)?,
        Invokedynamic(dynamic) => call_words(&dynamic.name_and_type.descriptor)?,
        Multianewarray(_, dimensions) => (*dimensions as usize, 1),
    };
    stack.pop(pops);
    stack.push(at, pushes);
    Some(())
}
