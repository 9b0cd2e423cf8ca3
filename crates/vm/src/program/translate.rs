//! How does a decoded method body become executable code?
//!
//! Local variables are renumbered so that the arguments of a call are already where the callee expects them: argument `i` is
//! register `i`, although a `long` occupies two local variables in a class file. The second halves move behind the arguments.

use std::sync::OnceLock;

use lazuli_classfile::format::attributes::{AttributeData, CodeData};
use lazuli_classfile::format::bytecode::{Opcode, PrimitiveArrayType};
use lazuli_classfile::format::constant_pool::{LiteralConstant, Loadable, MemberRef, ObjectArrayType};

use super::class::{Method, access};
use super::code::*;
use super::{Program, descriptor};
use crate::value::{Kind, Value};

/// The rule of the format that a method body breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TranslateError {
    /// The decoder left the instructions out.
    #[error("the instructions were not decoded")]
    NotDecoded,
    /// There are no instructions (JVMS §4.7.3).
    #[error("a method body has no instruction")]
    Empty,
    /// The body declares fewer local variables than the method has arguments.
    #[error("the arguments do not fit into the local variables")]
    ArgumentsDoNotFit,
    /// A jump, a handler or a line begins in the middle of an instruction, or outside of the code.
    #[error("no instruction starts at offset {offset}")]
    NoInstruction {
        /// The byte offset that is named.
        offset: i64,
    },
    /// An instruction names a local variable beyond those that the body declares.
    #[error("there is no local variable {0}")]
    NoLocal(u16),
    /// The descriptor of a call is malformed.
    #[error("bad descriptor {0}")]
    Descriptor(&'static str),
    /// `multianewarray` has no lengths, or more than its class has dimensions.
    #[error("multianewarray makes {dimensions} dimensions of {name}")]
    Dimensions {
        /// The lengths that are popped.
        dimensions: u8,
        /// The name of the array class.
        name: String,
    },
    /// The instruction is reserved for debuggers and implementations (JVMS §6.2).
    #[error("instruction {0} is reserved")]
    Reserved(String),
}

/// Translates a decoded body: renumbers local variables, resolves jump targets and collects the sites.
pub(crate) fn translate(
    program: &Program,
    data: &CodeData,
    flags: u16,
    parameters: &[Kind],
) -> Result<Code, TranslateError> {
    let bytecode = data.bytecode.as_ref().ok_or(TranslateError::NotDecoded)?;
    let has_receiver = flags & access::STATIC == 0;
    let renumbering = renumber(data.max_locals as usize, has_receiver, parameters)?;
    let index_at = IndexAt::new(&bytecode.opcodes, data.code.len());
    let mut builder = CodeBuilder { program, renumbering, index_at, code: Tables::default() };
    let mut ops = Vec::with_capacity(bytecode.opcodes.len());
    let mut offsets = Vec::with_capacity(bytecode.opcodes.len());
    for (offset, opcode) in &bytecode.opcodes {
        offsets.push(*offset as u16);
        ops.push(builder.op(*offset, opcode)?);
    }
    if ops.is_empty() {
        return Err(TranslateError::Empty);
    }
    let mut handlers = Vec::new();
    for entry in &data.exception_table {
        let start = builder.index_at.exact(entry.start_pc as i64)?;
        let end = builder.index_at.end(entry.end_pc as i64)?;
        let target = builder.index_at.exact(entry.handler_pc as i64)?;
        let catches = entry.catch_type.as_ref().map(|name| builder.class_site(name_of(program, name)));
        handlers.push(Handler { start, end, target, catches });
    }
    let mut lines = Vec::new();
    for attribute in &data.attributes {
        if let AttributeData::LineNumberTable(entries) = &attribute.data {
            for entry in entries {
                lines.push((builder.index_at.exact(entry.start_pc as i64)?, entry.line_number));
            }
        }
    }
    lines.sort_by_key(|(start, _)| *start);
    let tables = builder.code;
    Ok(Code {
        walks: Box::default(),
        ops: ops.into(),
        locals: data.max_locals as u32,
        registers: data.max_locals as u32 + data.max_stack as u32,
        handlers: handlers.into(),
        constants: tables.constants.into(),
        fields: tables.fields.into(),
        calls: tables.calls.into(),
        classes: tables.classes.into(),
        dynamics: tables.dynamics.into(),
        tables: tables.tables.into(),
        lookups: tables.lookups.into(),
        recipes: Box::default(),
        others: tables.others.into(),
        lines: lines.into(),
        offsets: offsets.into(),
    })
}

/// The instruction that an opcode without operands of its own becomes.
pub(crate) fn plain(opcode: &Opcode) -> Option<Op> {
    Some(match opcode {
        Opcode::Nop => Op::Nop,
        Opcode::AconstNull => Op::Null,
        Opcode::IconstM1 => Op::Int(-1),
        Opcode::Iconst0 => Op::Int(0),
        Opcode::Iconst1 => Op::Int(1),
        Opcode::Iconst2 => Op::Int(2),
        Opcode::Iconst3 => Op::Int(3),
        Opcode::Iconst4 => Op::Int(4),
        Opcode::Iconst5 => Op::Int(5),
        Opcode::Pop => Op::Pop,
        Opcode::Pop2 => Op::Pop2,
        Opcode::Dup => Op::Dup,
        Opcode::DupX1 => Op::DupX1,
        Opcode::DupX2 => Op::DupX2,
        Opcode::Dup2 => Op::Dup2,
        Opcode::Dup2X1 => Op::Dup2X1,
        Opcode::Dup2X2 => Op::Dup2X2,
        Opcode::Swap => Op::Swap,
        Opcode::Iadd => Op::Iadd,
        Opcode::Isub => Op::Isub,
        Opcode::Imul => Op::Imul,
        Opcode::Idiv => Op::Idiv,
        Opcode::Irem => Op::Irem,
        Opcode::Ineg => Op::Ineg,
        Opcode::Ishl => Op::Ishl,
        Opcode::Ishr => Op::Ishr,
        Opcode::Iushr => Op::Iushr,
        Opcode::Iand => Op::Iand,
        Opcode::Ior => Op::Ior,
        Opcode::Ixor => Op::Ixor,
        Opcode::Ladd => Op::Ladd,
        Opcode::Lsub => Op::Lsub,
        Opcode::Lmul => Op::Lmul,
        Opcode::Ldiv => Op::Ldiv,
        Opcode::Lrem => Op::Lrem,
        Opcode::Lneg => Op::Lneg,
        Opcode::Lshl => Op::Lshl,
        Opcode::Lshr => Op::Lshr,
        Opcode::Lushr => Op::Lushr,
        Opcode::Land => Op::Land,
        Opcode::Lor => Op::Lor,
        Opcode::Lxor => Op::Lxor,
        Opcode::Fadd => Op::Fadd,
        Opcode::Fsub => Op::Fsub,
        Opcode::Fmul => Op::Fmul,
        Opcode::Fdiv => Op::Fdiv,
        Opcode::Frem => Op::Frem,
        Opcode::Fneg => Op::Fneg,
        Opcode::Dadd => Op::Dadd,
        Opcode::Dsub => Op::Dsub,
        Opcode::Dmul => Op::Dmul,
        Opcode::Ddiv => Op::Ddiv,
        Opcode::Drem => Op::Drem,
        Opcode::Dneg => Op::Dneg,
        Opcode::I2l => Op::I2l,
        Opcode::I2f => Op::I2f,
        Opcode::I2d => Op::I2d,
        Opcode::L2i => Op::L2i,
        Opcode::L2f => Op::L2f,
        Opcode::L2d => Op::L2d,
        Opcode::F2i => Op::F2i,
        Opcode::F2l => Op::F2l,
        Opcode::F2d => Op::F2d,
        Opcode::D2i => Op::D2i,
        Opcode::D2l => Op::D2l,
        Opcode::D2f => Op::D2f,
        Opcode::I2b => Op::I2b,
        Opcode::I2c => Op::I2c,
        Opcode::I2s => Op::I2s,
        Opcode::Lcmp => Op::Lcmp,
        Opcode::Fcmpl => Op::Fcmpl,
        Opcode::Fcmpg => Op::Fcmpg,
        Opcode::Dcmpl => Op::Dcmpl,
        Opcode::Dcmpg => Op::Dcmpg,
        Opcode::Return => Op::Return,
        Opcode::Arraylength => Op::ArrayLength,
        Opcode::Athrow => Op::Throw,
        Opcode::Monitorenter => Op::MonitorEnter,
        Opcode::Monitorexit => Op::MonitorExit,
        Opcode::Iaload
        | Opcode::Laload
        | Opcode::Faload
        | Opcode::Daload
        | Opcode::Aaload
        | Opcode::Baload
        | Opcode::Caload
        | Opcode::Saload => Op::ArrayLoad,
        Opcode::Iastore
        | Opcode::Lastore
        | Opcode::Fastore
        | Opcode::Dastore
        | Opcode::Aastore
        | Opcode::Bastore
        | Opcode::Castore
        | Opcode::Sastore => Op::ArrayStore,
        Opcode::Ireturn | Opcode::Lreturn | Opcode::Freturn | Opcode::Dreturn | Opcode::Areturn => Op::ReturnValue,
        _ => return None,
    })
}

/// Makes a jump to an instruction.
type JumpOp = fn(u32) -> Op;

/// The jump that an opcode becomes once its target is known, and the distance in bytes to that.
pub(crate) fn branch(opcode: &Opcode) -> Option<(JumpOp, i32)> {
    let (jump, distance): (JumpOp, &i32) = match opcode {
        Opcode::Ifeq(distance) => (Op::IfEq, distance),
        Opcode::Ifne(distance) => (Op::IfNe, distance),
        Opcode::Iflt(distance) => (Op::IfLt, distance),
        Opcode::Ifge(distance) => (Op::IfGe, distance),
        Opcode::Ifgt(distance) => (Op::IfGt, distance),
        Opcode::Ifle(distance) => (Op::IfLe, distance),
        Opcode::IfIcmpeq(distance) => (Op::IfIcmpEq, distance),
        Opcode::IfIcmpne(distance) => (Op::IfIcmpNe, distance),
        Opcode::IfIcmplt(distance) => (Op::IfIcmpLt, distance),
        Opcode::IfIcmpge(distance) => (Op::IfIcmpGe, distance),
        Opcode::IfIcmpgt(distance) => (Op::IfIcmpGt, distance),
        Opcode::IfIcmple(distance) => (Op::IfIcmpLe, distance),
        Opcode::IfAcmpeq(distance) => (Op::IfAcmpEq, distance),
        Opcode::IfAcmpne(distance) => (Op::IfAcmpNe, distance),
        Opcode::Ifnull(distance) => (Op::IfNull, distance),
        Opcode::Ifnonnull(distance) => (Op::IfNonNull, distance),
        Opcode::Goto(distance) => (Op::Goto, distance),
        Opcode::Jsr(distance) => (Op::Jsr, distance),
        _ => return None,
    };
    Some((jump, *distance))
}

/// Where each local variable of the class file lives in our frame.
pub(super) fn renumber(locals: usize, has_receiver: bool, parameters: &[Kind]) -> Result<Vec<u16>, TranslateError> {
    let mut starts = Vec::new();
    let mut next = 0;
    if has_receiver {
        starts.push(next);
        next += 1;
    }
    for kind in parameters {
        starts.push(next);
        next += if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 };
    }
    if next > locals {
        return Err(TranslateError::ArgumentsDoNotFit);
    }
    let mut new = vec![u16::MAX; locals];
    for (position, start) in starts.iter().enumerate() {
        new[*start] = position as u16;
    }
    let others = new.iter_mut().filter(|slot| **slot == u16::MAX);
    for (slot, free) in others.zip(starts.len() as u16..) {
        *slot = free;
    }
    Ok(new)
}

/// Byte offset to instruction index.
struct IndexAt {
    indices: Vec<u32>,
    count: u32,
}

impl IndexAt {
    fn new(opcodes: &[(usize, Opcode)], length: usize) -> IndexAt {
        let mut indices = vec![u32::MAX; length + 1];
        for (index, (offset, _)) in opcodes.iter().enumerate() {
            indices[*offset] = index as u32;
        }
        IndexAt { indices, count: opcodes.len() as u32 }
    }

    fn exact(&self, offset: i64) -> Result<u32, TranslateError> {
        let found = usize::try_from(offset).ok().and_then(|offset| self.indices.get(offset)).copied();
        found.filter(|index| *index != u32::MAX).ok_or(TranslateError::NoInstruction { offset })
    }

    /// Of an exclusive end, which may be the end of the code.
    fn end(&self, offset: i64) -> Result<u32, TranslateError> {
        if offset + 1 == self.indices.len() as i64 { Ok(self.count) } else { self.exact(offset) }
    }
}

#[derive(Default)]
struct Tables {
    constants: Vec<Value>,
    fields: Vec<FieldSite>,
    calls: Vec<CallSite>,
    classes: Vec<ClassSite>,
    dynamics: Vec<DynamicSite>,
    tables: Vec<TableSwitch>,
    lookups: Vec<LookupSwitch>,
    others: Vec<(OtherConstant, OnceLock<&'static Method>)>,
}

struct CodeBuilder<'a> {
    program: &'a Program,
    renumbering: Vec<u16>,
    index_at: IndexAt,
    code: Tables,
}

fn push<T>(table: &mut Vec<T>, item: T) -> u32 {
    table.push(item);
    table.len() as u32 - 1
}

fn name_of(program: &Program, name: &str) -> &'static str {
    program.intern_name(name)
}

fn array_type_name(of: &ObjectArrayType) -> String {
    match of {
        ObjectArrayType::ArrayType(descriptor) => descriptor.to_string(),
        ObjectArrayType::BinaryName(name) => name.to_string(),
    }
}

impl CodeBuilder<'_> {
    fn local(&self, index: u16) -> Result<u16, TranslateError> {
        self.renumbering.get(index as usize).copied().ok_or(TranslateError::NoLocal(index))
    }

    fn jump(&self, offset: usize, distance: i32) -> Result<u32, TranslateError> {
        self.index_at.exact(offset as i64 + distance as i64)
    }

    fn class_site(&mut self, name: &'static str) -> u32 {
        push(&mut self.code.classes, ClassSite { name, resolved: Default::default() })
    }

    fn field_site(&mut self, member: &MemberRef) -> u32 {
        let site = FieldSite {
            class: name_of(self.program, &member.class_name),
            name: name_of(self.program, &member.name_and_type.name),
            descriptor: name_of(self.program, &member.name_and_type.descriptor),
            resolved: Default::default(),
        };
        push(&mut self.code.fields, site)
    }

    fn call_site(&mut self, member: &MemberRef, receiver: u32) -> Result<u32, TranslateError> {
        let descriptor = name_of(self.program, &member.name_and_type.descriptor);
        let (parameters, _) = descriptor::method(descriptor).ok_or(TranslateError::Descriptor(descriptor))?;
        let site = CallSite {
            class: name_of(self.program, &member.class_name),
            name: name_of(self.program, &member.name_and_type.name),
            descriptor,
            arguments: parameters.len() as u32 + receiver,
            resolved: Default::default(),
        };
        Ok(push(&mut self.code.calls, site))
    }

    fn constant(&mut self, value: Value) -> Op {
        Op::Constant(push(&mut self.code.constants, value))
    }

    fn loadable(&mut self, loadable: &Loadable) -> Op {
        match loadable {
            Loadable::LiteralConstant(LiteralConstant::Integer(value)) => Op::Int(*value),
            Loadable::LiteralConstant(LiteralConstant::Float(value)) => self.constant(Value::Float(*value)),
            Loadable::LiteralConstant(LiteralConstant::Long(value)) => self.constant(Value::Long(*value)),
            Loadable::LiteralConstant(LiteralConstant::Double(value)) => self.constant(Value::Double(*value)),
            Loadable::LiteralConstant(LiteralConstant::String(text)) => Op::String(self.program.intern_str(text)),
            Loadable::LiteralConstant(LiteralConstant::StringBytes(bytes)) => {
                Op::String(self.program.intern_utf16(descriptor::modified_utf8(bytes)))
            }
            Loadable::ClassInfo(name) => {
                let name = name_of(self.program, name);
                Op::ClassConstant(self.class_site(name))
            }
            Loadable::MethodHandle(handle) => {
                let constant = OtherConstant::MethodHandle {
                    kind: handle.kind,
                    class: self.program.intern_name(&handle.class_name),
                    name: self.program.intern_name(&handle.member_ref.name),
                    descriptor: self.program.intern_name(&handle.member_ref.descriptor),
                };
                self.other(constant)
            }
            Loadable::MethodType(text) => self.other(OtherConstant::MethodType(self.program.intern_name(text))),
            Loadable::Dynamic(dynamic) => {
                self.other(OtherConstant::Dynamic(self.program.intern_name(&dynamic.name_and_type.name)))
            }
        }
    }

    fn other(&mut self, constant: OtherConstant) -> Op {
        Op::OtherConstant(push(&mut self.code.others, (constant, OnceLock::new())))
    }

    fn op(&mut self, at: usize, opcode: &Opcode) -> Result<Op, TranslateError> {
        if let Some(op) = plain(opcode) {
            return Ok(op);
        }
        if let Some((jump, distance)) = branch(opcode) {
            return Ok(jump(self.jump(at, distance)?));
        }
        Ok(match opcode {
            Opcode::Bipush(value) => Op::Int(*value as i32),
            Opcode::Sipush(value) => Op::Int(*value as i32),
            Opcode::Lconst0 => self.constant(Value::Long(0)),
            Opcode::Lconst1 => self.constant(Value::Long(1)),
            Opcode::Fconst0 => self.constant(Value::Float(0.0)),
            Opcode::Fconst1 => self.constant(Value::Float(1.0)),
            Opcode::Fconst2 => self.constant(Value::Float(2.0)),
            Opcode::Dconst0 => self.constant(Value::Double(0.0)),
            Opcode::Dconst1 => self.constant(Value::Double(1.0)),
            Opcode::Ldc(loadable) | Opcode::LdcW(loadable) | Opcode::Ldc2W(loadable) => self.loadable(loadable),
            Opcode::Iload(index)
            | Opcode::Lload(index)
            | Opcode::Fload(index)
            | Opcode::Dload(index)
            | Opcode::Aload(index) => Op::Load(self.local(*index)?),
            Opcode::Istore(index)
            | Opcode::Lstore(index)
            | Opcode::Fstore(index)
            | Opcode::Dstore(index)
            | Opcode::Astore(index) => Op::Store(self.local(*index)?),
            Opcode::Iinc(index, amount) => Op::Iinc(self.local(*index)?, *amount),
            Opcode::Ret(index) => Op::Ret(self.local(*index)?),
            Opcode::Tableswitch(table) => {
                let targets: Result<Box<[u32]>, TranslateError> =
                    table.jumps.iter().map(|distance| self.jump(at, *distance)).collect();
                let switch = TableSwitch { low: table.low, targets: targets?, default: self.jump(at, table.default)? };
                Op::TableSwitch(push(&mut self.code.tables, switch))
            }
            Opcode::Lookupswitch(table) => {
                let mut pairs = Vec::new();
                for (key, distance) in &table.match_offsets {
                    pairs.push((*key, self.jump(at, *distance)?));
                }
                pairs.sort_by_key(|(key, _)| *key);
                let switch = LookupSwitch { pairs: pairs.into(), default: self.jump(at, table.default)? };
                Op::LookupSwitch(push(&mut self.code.lookups, switch))
            }
            Opcode::Getstatic(member) => Op::GetStatic(self.field_site(member)),
            Opcode::Putstatic(member) => Op::PutStatic(self.field_site(member)),
            Opcode::Getfield(member) => Op::GetField(self.field_site(member)),
            Opcode::Putfield(member) => Op::PutField(self.field_site(member)),
            Opcode::Invokevirtual(member) => Op::InvokeVirtual(self.call_site(member, 1)?),
            Opcode::Invokespecial(member) => Op::InvokeSpecial(self.call_site(member, 1)?),
            Opcode::Invokestatic(member) => Op::InvokeStatic(self.call_site(member, 0)?),
            Opcode::Invokeinterface(member, _) => Op::InvokeInterface(self.call_site(member, 1)?),
            Opcode::Invokedynamic(dynamic) => {
                let site = DynamicSite {
                    bootstrap: dynamic.attr_index,
                    name: name_of(self.program, &dynamic.name_and_type.name),
                    descriptor: name_of(self.program, &dynamic.name_and_type.descriptor),
                    linked: Default::default(),
                };
                Op::InvokeDynamic(push(&mut self.code.dynamics, site))
            }
            Opcode::New(name) => {
                let name = name_of(self.program, name);
                Op::New(self.class_site(name))
            }
            Opcode::Newarray(kind) => {
                let name = match kind {
                    PrimitiveArrayType::Boolean => "[Z",
                    PrimitiveArrayType::Char => "[C",
                    PrimitiveArrayType::Float => "[F",
                    PrimitiveArrayType::Double => "[D",
                    PrimitiveArrayType::Byte => "[B",
                    PrimitiveArrayType::Short => "[S",
                    PrimitiveArrayType::Int => "[I",
                    PrimitiveArrayType::Long => "[J",
                };
                Op::NewArray(self.class_site(name))
            }
            Opcode::Anewarray(of) => {
                let name = descriptor::array_of(&array_type_name(of));
                let name = name_of(self.program, &name);
                Op::NewArray(self.class_site(name))
            }
            Opcode::Multianewarray(of, dimensions) => {
                let name = array_type_name(of);
                let depth = name.bytes().take_while(|byte| *byte == b'[').count();
                if *dimensions == 0 || (*dimensions as usize) > depth {
                    return Err(TranslateError::Dimensions { dimensions: *dimensions, name });
                }
                let name = name_of(self.program, &name);
                Op::MultiNewArray(self.class_site(name), *dimensions)
            }
            Opcode::Checkcast(of) => {
                let name = name_of(self.program, &array_type_name(of));
                Op::CheckCast(self.class_site(name))
            }
            Opcode::Instanceof(of) => {
                let name = name_of(self.program, &array_type_name(of));
                Op::InstanceOf(self.class_site(name))
            }
            _ => return Err(TranslateError::Reserved(format!("{opcode:?}"))),
        })
    }
}
