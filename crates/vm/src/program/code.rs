//! What is a method body made of? Instructions in the form that the interpreter executes.
//!
//! An `Op` is a JVM instruction with its operands decoded: jump targets are indices into `ops`, constants are immediate,
//! and references to fields, methods and classes are indices into tables of sites that are resolved when first reached.

use std::sync::OnceLock;

use lazuli_classfile::format::constant_pool::ReferenceKind;

use super::StringId;
use super::class::{Class, Method};
use crate::value::{Kind, Value};

/// One instruction. Loads, stores and returns are untyped, because values know their own type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    Nop,
    Null,
    Int(i32),
    /// `long`, `float` and `double` constants, by index into `Code::constants`.
    Constant(u32),
    String(StringId),
    ClassConstant(u32),
    /// A method handle, a method type or a dynamic constant, by index into `Code::others`.
    OtherConstant(u32),
    Load(u16),
    Store(u16),
    ArrayLoad,
    ArrayStore,
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Iadd,
    Isub,
    Imul,
    Idiv,
    Irem,
    Ineg,
    Ishl,
    Ishr,
    Iushr,
    Iand,
    Ior,
    Ixor,
    Ladd,
    Lsub,
    Lmul,
    Ldiv,
    Lrem,
    Lneg,
    Lshl,
    Lshr,
    Lushr,
    Land,
    Lor,
    Lxor,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Frem,
    Fneg,
    Dadd,
    Dsub,
    Dmul,
    Ddiv,
    Drem,
    Dneg,
    Iinc(u16, i16),
    I2l,
    I2f,
    I2d,
    L2i,
    L2f,
    L2d,
    F2i,
    F2l,
    F2d,
    D2i,
    D2l,
    D2f,
    I2b,
    I2c,
    I2s,
    Lcmp,
    Fcmpl,
    Fcmpg,
    Dcmpl,
    Dcmpg,
    IfEq(u32),
    IfNe(u32),
    IfLt(u32),
    IfGe(u32),
    IfGt(u32),
    IfLe(u32),
    IfIcmpEq(u32),
    IfIcmpNe(u32),
    IfIcmpLt(u32),
    IfIcmpGe(u32),
    IfIcmpGt(u32),
    IfIcmpLe(u32),
    IfAcmpEq(u32),
    IfAcmpNe(u32),
    IfNull(u32),
    IfNonNull(u32),
    Goto(u32),
    Jsr(u32),
    Ret(u16),
    TableSwitch(u32),
    LookupSwitch(u32),
    ReturnValue,
    Return,
    GetStatic(u32),
    PutStatic(u32),
    GetField(u32),
    PutField(u32),
    InvokeVirtual(u32),
    InvokeSpecial(u32),
    InvokeStatic(u32),
    InvokeInterface(u32),
    InvokeDynamic(u32),
    New(u32),
    /// The site names the array class itself.
    NewArray(u32),
    MultiNewArray(u32, u8),
    ArrayLength,
    Throw,
    CheckCast(u32),
    InstanceOf(u32),
    MonitorEnter,
    MonitorExit,
    /// Joins strings and primitives by the recipe of that index. Only synthetic code contains it.
    Concat(u32),

    // Frequent sequences in one; see `fuse`.
    LoadTwo(u16, u16),
    LoadInt(u16, i32),
    LoadField(u16, u32),
    LoadElement(u16, u16),
    LocalsEq(u8, u8, u32),
    LocalsNe(u8, u8, u32),
    LocalsLt(u8, u8, u32),
    LocalsGe(u8, u8, u32),
    LocalsGt(u8, u8, u32),
    LocalsLe(u8, u8, u32),
    LocalEq(u8, i16, u32),
    LocalNe(u8, i16, u32),
    LocalLt(u8, i16, u32),
    LocalGe(u8, i16, u32),
    LocalGt(u8, i16, u32),
    LocalLe(u8, i16, u32),
    LocalIfEq(u16, u32),
    LocalIfNe(u16, u32),
    LocalIfNull(u16, u32),
    LocalIfNonNull(u16, u32),
    AddLocal(u16),
    SubtractLocal(u16),
    AddInt(i32),
    SubtractInt(i32),
    AndInt(i32),
    ShiftLeftInt(i32),
    ShiftRightInt(i32),
    ShiftRightUnsignedInt(i32),
    AddStore(u16),
    AddLongStore(u16),
    IncrementGoto(u8, i16, u32),
}

impl Op {
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

pub struct FieldSite {
    pub class: &'static str,
    pub name: &'static str,
    pub descriptor: &'static str,
    pub resolved: OnceLock<ResolvedField>,
}

#[derive(Clone, Copy)]
pub struct ResolvedField {
    pub class: &'static Class,
    pub slot: u32,
    pub kind: Kind,
    pub is_static: bool,
    /// Is it a static field of the user's that may change, or may refer to an object that does?
    pub is_variable: bool,
}

pub struct CallSite {
    pub class: &'static str,
    pub name: &'static str,
    pub descriptor: &'static str,
    /// Argument values, the receiver included where the instruction has one.
    pub arguments: u32,
    pub resolved: OnceLock<&'static Method>,
}

pub struct ClassSite {
    pub name: &'static str,
    pub resolved: OnceLock<&'static Class>,
}

pub struct DynamicSite {
    /// Index into the class's bootstrap methods.
    pub bootstrap: u16,
    pub name: &'static str,
    pub descriptor: &'static str,
    /// A method that does what the call site does.
    pub linked: OnceLock<&'static Method>,
}

/// A constant that code must make.
pub enum OtherConstant {
    MethodHandle {
        kind: ReferenceKind,
        class: &'static str,
        name: &'static str,
        descriptor: &'static str,
    },
    MethodType(&'static str),
    /// A dynamic constant, by name. Lazuli does not run its bootstrap method.
    Dynamic(&'static str),
}

pub struct TableSwitch {
    pub low: i32,
    pub targets: Box<[u32]>,
    pub default: u32,
}

pub struct LookupSwitch {
    /// Sorted by key.
    pub pairs: Box<[(i32, u32)]>,
    pub default: u32,
}

/// A range of instructions whose exceptions are caught.
pub struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// Index of a class site; none catches everything.
    pub catches: Option<u32>,
}

/// A piece of a string concatenation.
pub enum Piece {
    Literal(Box<[u16]>),
    /// The next argument, a value of this kind; references are strings or null.
    Argument(Kind),
}

#[derive(Default)]
pub struct Code {
    pub ops: Box<[Op]>,
    pub locals: u32,
    /// Local variables and operand slots together.
    pub registers: u32,
    pub handlers: Box<[Handler]>,
    pub constants: Box<[Value]>,
    pub fields: Box<[FieldSite]>,
    pub calls: Box<[CallSite]>,
    pub classes: Box<[ClassSite]>,
    pub dynamics: Box<[DynamicSite]>,
    pub tables: Box<[TableSwitch]>,
    pub lookups: Box<[LookupSwitch]>,
    pub recipes: Box<[Box<[Piece]>]>,
    /// Constants that code must make, and a method that does.
    pub others: Box<[(OtherConstant, OnceLock<&'static Method>)]>,
    /// Loops that go through the objects of a set until none is left: where each begins, and the register of the queue.
    pub walks: Box<[(u32, u16)]>,
    /// (first instruction, source line), sorted by instruction.
    pub lines: Box<[(u32, u16)]>,
    /// The byte offset of each instruction in the class file.
    pub offsets: Box<[u16]>,
}

impl Code {
    /// The source line of an instruction.
    pub fn line(&self, pc: u32) -> Option<u16> {
        let after = self.lines.partition_point(|(start, _)| *start <= pc);
        after.checked_sub(1).map(|index| self.lines[index].1)
    }
}
