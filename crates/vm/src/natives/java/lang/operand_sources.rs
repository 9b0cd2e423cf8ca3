//! Which instruction pushed each operand? The question behind the messages of NullPointerExceptions.
//!
//! The operand stacks of a method are simulated without values: every slot only remembers its source. Where two ways meet
//! with different sources, the slot has none. The order of the simulation, the early end and the neglect of locals at the
//! start of handlers are those of HotSpot, because its messages depend on them.

use lazuli_classfile::format::attributes::CodeData;
use lazuli_classfile::format::bytecode::Opcode;
use lazuli_classfile::format::constant_pool::{LiteralConstant, Loadable};

use crate::program::{Effect, Op, OperandKind, descriptor, translate};
use crate::value::Kind;

/// Methods with more stack slots in total are not analysed to the end.
const MOST_SLOTS: usize = 1_000_000;

/// Rounds over the instructions. One more is needed for each jump back into code that nothing before has led to, which
/// compilers hardly ever write.
const MOST_ROUNDS: usize = 100;

/// The operand stack before an instruction. A `long` or `double` takes two slots.
#[derive(Clone, Default)]
pub(super) struct Stack {
    /// For each slot the index of the instruction that pushed it, if there is only one.
    slots: Vec<Option<usize>>,
    /// The local variables below 64 that may have been written to.
    written: u64,
}

impl Stack {
    /// The source of the slot that is `depth` slots below the top.
    pub(super) fn source(&self, depth: usize) -> Option<usize> {
        let at = self.slots.len().checked_sub(depth + 1)?;
        self.slots[at]
    }

    /// May the local variable hold something else than at the start of the method?
    pub(super) fn was_written(&self, local: u16) -> bool {
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
pub(super) struct OperandSources<'a> {
    opcodes: &'a [(usize, Opcode<'a>)],
    /// None where no way leads, or none was followed yet.
    stacks: Vec<Option<Stack>>,
    slots: usize,
    found_another: bool,
}

impl<'a> OperandSources<'a> {
    /// Simulates the method, at least until the stack of the instruction with index `wanted` is known.
    pub(super) fn of(data: &'a CodeData<'a>, wanted: usize) -> Option<OperandSources<'a>> {
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
    pub(super) fn before(&self, at: usize) -> Option<&Stack> {
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
    match opcode {
        Opcode::Ret(_) | Opcode::Tableswitch(_) | Opcode::Lookupswitch(_) => true,
        _ => instruction(opcode).is_some_and(|op| !op.falls_through()),
    }
}

/// The distances of an instruction's jumps.
fn jumps(opcode: &Opcode) -> Vec<i32> {
    match opcode {
        Opcode::Tableswitch(table) => [table.default].into_iter().chain(table.jumps.iter().copied()).collect(),
        Opcode::Lookupswitch(table) => {
            [table.default].into_iter().chain(table.match_offsets.iter().map(|(_, distance)| *distance)).collect()
        }
        _ => translate::branch(opcode).into_iter().map(|(_, distance)| distance).collect(),
    }
}

/// The executable instruction that an opcode becomes, with any target, if it refers to no variable, constant or site.
fn instruction(opcode: &Opcode) -> Option<Op> {
    translate::plain(opcode).or_else(|| translate::branch(opcode).map(|(jump, _)| jump(0)))
}

/// The slots that a value of the type takes.
pub(super) fn words(descriptor: &str) -> usize {
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
pub(super) fn call_words(descriptor: &str) -> Option<(usize, usize)> {
    let (parameters, result) = descriptor::kinds(descriptor)?;
    Some((parameters.iter().map(|kind| words_of(*kind)).sum(), words_of(result)))
}

/// The effect of an instruction on the stack. None if the class file is broken.
fn simulate(stack: &mut Stack, at: usize, opcode: &Opcode) -> Option<()> {
    use Opcode::*;
    let (pops, pushes) = match opcode {
        // A cast hands on what it gets, so that the message tells where the value came from. An `iinc` writes to a local
        // variable, but HotSpot does not count it: an incremented parameter is still called one.
        Iinc(..) | Ret(_) | Checkcast(_) | Breakpoint | Impdep1 | Impdep2 => (0, 0),
        // The opcode has the types that the executable instruction leaves to the values.
        Bipush(_) | Sipush(_) | Fconst0 | Fconst1 | Fconst2 | Iload(_) | Fload(_) | Aload(_) | New(_) | Jsr(_) => {
            (0, 1)
        }
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
        Ireturn | Freturn | Areturn => (1, 0),
        Lreturn | Dreturn => (2, 0),
        Tableswitch(_) | Lookupswitch(_) => (1, 0),
        Instanceof(_) | Newarray(_) | Anewarray(_) => (1, 1),
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
        _ => match instruction(opcode)?.effect() {
            Effect::Computes(operands, result) => {
                let popped: Option<usize> = operands.iter().map(|operand| operand.words()).sum();
                (popped?, result.map_or(Some(0), OperandKind::words)?)
            }
            // Slots are words, so that no operand is wide.
            Effect::Moves(shuffle) => {
                shuffle.apply(&mut stack.slots, |_| false);
                (0, 0)
            }
            Effect::BySite => return None,
        },
    };
    stack.pop(pops);
    stack.push(at, pushes);
    Some(())
}
