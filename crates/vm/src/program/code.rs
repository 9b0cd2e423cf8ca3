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
    /// Does nothing (JVMS §6.5.nop).
    Nop,
    /// Pushes the null reference.
    Null,
    /// Pushes an `int` constant that stands in the instruction itself.
    Int(i32),
    /// `long`, `float` and `double` constants, by index into `Code::constants`.
    Constant(u32),
    /// Pushes the interned string of that id.
    String(StringId),
    /// Pushes the `java.lang.Class` object of the class at that index into `Code::classes`.
    ClassConstant(u32),
    /// A method handle, a method type or a dynamic constant, by index into `Code::others`.
    OtherConstant(u32),
    /// Pushes the value of a local variable, of whatever type.
    Load(u16),
    /// Pops a value of whatever type into a local variable.
    Store(u16),
    /// Pops an index and an array, and pushes that element.
    ArrayLoad,
    /// Pops a value, an index and an array, and stores the value in that element.
    ArrayStore,
    /// Drops the top operand, which is not wide.
    Pop,
    /// Drops one wide operand or two others.
    Pop2,
    /// Pushes the top operand once more.
    Dup,
    /// Inserts a copy of the top operand below the second one.
    DupX1,
    /// Inserts a copy of the top operand below the next two, or below one that is wide.
    DupX2,
    /// Pushes one wide operand or the top two others once more.
    Dup2,
    /// Inserts a copy of one wide operand or the top two others below the next operand.
    Dup2X1,
    /// Inserts a copy of one wide operand or the top two others below the next two, or below one that is wide.
    Dup2X2,
    /// Exchanges the top two operands, none of which is wide.
    Swap,
    /// Adds two `int` operands; an overflow wraps around.
    Iadd,
    /// Subtracts the top `int` from the one below; an overflow wraps around.
    Isub,
    /// Multiplies two `int` operands; an overflow wraps around.
    Imul,
    /// Divides an `int` by the one above it, rounding towards zero; a zero divisor throws.
    Idiv,
    /// Computes the remainder of `int` division, with the sign of the dividend; a zero divisor throws.
    Irem,
    /// Negates an `int`; the least value stays as it is.
    Ineg,
    /// Shifts an `int` to the left by the low 5 bits of the top `int`.
    Ishl,
    /// Shifts an `int` to the right by the low 5 bits of the top `int`, copying the sign.
    Ishr,
    /// Shifts an `int` to the right by the low 5 bits of the top `int`, filling with zeros.
    Iushr,
    /// Computes the bitwise conjunction of two `int` operands.
    Iand,
    /// Computes the bitwise disjunction of two `int` operands.
    Ior,
    /// Computes the bitwise exclusive disjunction of two `int` operands.
    Ixor,
    /// Adds two `long` operands; an overflow wraps around.
    Ladd,
    /// Subtracts the top `long` from the one below; an overflow wraps around.
    Lsub,
    /// Multiplies two `long` operands; an overflow wraps around.
    Lmul,
    /// Divides a `long` by the one above it, rounding towards zero; a zero divisor throws.
    Ldiv,
    /// Computes the remainder of `long` division, with the sign of the dividend; a zero divisor throws.
    Lrem,
    /// Negates a `long`; the least value stays as it is.
    Lneg,
    /// Shifts a `long` to the left by the low 6 bits of the top `int`.
    Lshl,
    /// Shifts a `long` to the right by the low 6 bits of the top `int`, copying the sign.
    Lshr,
    /// Shifts a `long` to the right by the low 6 bits of the top `int`, filling with zeros.
    Lushr,
    /// Computes the bitwise conjunction of two `long` operands.
    Land,
    /// Computes the bitwise disjunction of two `long` operands.
    Lor,
    /// Computes the bitwise exclusive disjunction of two `long` operands.
    Lxor,
    /// Adds two `float` operands as IEEE 754 does.
    Fadd,
    /// Subtracts the top `float` from the one below as IEEE 754 does.
    Fsub,
    /// Multiplies two `float` operands as IEEE 754 does.
    Fmul,
    /// Divides a `float` by the one above it as IEEE 754 does; division by zero gives an infinity or NaN.
    Fdiv,
    /// Computes the remainder of truncating `float` division, as `fmod` in C does.
    Frem,
    /// Negates a `float` by flipping its sign bit.
    Fneg,
    /// Adds two `double` operands as IEEE 754 does.
    Dadd,
    /// Subtracts the top `double` from the one below as IEEE 754 does.
    Dsub,
    /// Multiplies two `double` operands as IEEE 754 does.
    Dmul,
    /// Divides a `double` by the one above it as IEEE 754 does; division by zero gives an infinity or NaN.
    Ddiv,
    /// Computes the remainder of truncating `double` division, as `fmod` in C does.
    Drem,
    /// Negates a `double` by flipping its sign bit.
    Dneg,
    /// Adds a constant to the `int` in a local variable.
    Iinc(u16, i16),
    /// Extends an `int` to a `long` with its sign.
    I2l,
    /// Converts an `int` to the nearest `float`.
    I2f,
    /// Converts an `int` to a `double`, which is exact.
    I2d,
    /// Keeps the low 32 bits of a `long`.
    L2i,
    /// Converts a `long` to the nearest `float`.
    L2f,
    /// Converts a `long` to the nearest `double`.
    L2d,
    /// Truncates a `float` to an `int`; NaN becomes 0, and values out of range saturate.
    F2i,
    /// Truncates a `float` to a `long`; NaN becomes 0, and values out of range saturate.
    F2l,
    /// Converts a `float` to a `double`, which is exact.
    F2d,
    /// Truncates a `double` to an `int`; NaN becomes 0, and values out of range saturate.
    D2i,
    /// Truncates a `double` to a `long`; NaN becomes 0, and values out of range saturate.
    D2l,
    /// Rounds a `double` to the nearest `float`.
    D2f,
    /// Cuts an `int` down to its low 8 bits, with sign.
    I2b,
    /// Cuts an `int` down to its low 16 bits, without sign.
    I2c,
    /// Cuts an `int` down to its low 16 bits, with sign.
    I2s,
    /// Compares two `long` operands and pushes -1, 0 or 1.
    Lcmp,
    /// Compares two `float` operands and pushes -1, 0 or 1; -1 if one is NaN.
    Fcmpl,
    /// Compares two `float` operands and pushes -1, 0 or 1; 1 if one is NaN.
    Fcmpg,
    /// Compares two `double` operands and pushes -1, 0 or 1; -1 if one is NaN.
    Dcmpl,
    /// Compares two `double` operands and pushes -1, 0 or 1; 1 if one is NaN.
    Dcmpg,
    /// Pops an `int` and jumps if it is zero.
    IfEq(u32),
    /// Pops an `int` and jumps if it is not zero.
    IfNe(u32),
    /// Pops an `int` and jumps if it is negative.
    IfLt(u32),
    /// Pops an `int` and jumps if it is not negative.
    IfGe(u32),
    /// Pops an `int` and jumps if it is positive.
    IfGt(u32),
    /// Pops an `int` and jumps if it is not positive.
    IfLe(u32),
    /// Pops two `int` operands and jumps if the first equals the second.
    IfIcmpEq(u32),
    /// Pops two `int` operands and jumps if the first differs from the second.
    IfIcmpNe(u32),
    /// Pops two `int` operands and jumps if the first is less than the second.
    IfIcmpLt(u32),
    /// Pops two `int` operands and jumps if the first is at least the second.
    IfIcmpGe(u32),
    /// Pops two `int` operands and jumps if the first is greater than the second.
    IfIcmpGt(u32),
    /// Pops two `int` operands and jumps if the first is at most the second.
    IfIcmpLe(u32),
    /// Pops two references and jumps if they denote the same object or are both null.
    IfAcmpEq(u32),
    /// Pops two references and jumps if they do not denote the same object.
    IfAcmpNe(u32),
    /// Pops a reference and jumps if it is null.
    IfNull(u32),
    /// Pops a reference and jumps if it is not null.
    IfNonNull(u32),
    /// Jumps in any case.
    Goto(u32),
    /// Pushes the return address and jumps to a subroutine (class files before Java 7).
    Jsr(u32),
    /// Returns from a subroutine to the address in a local variable.
    Ret(u16),
    /// Pops an `int` and jumps by the table at that index into `Code::tables`.
    TableSwitch(u32),
    /// Pops an `int` and jumps by the sorted keys at that index into `Code::lookups`.
    LookupSwitch(u32),
    /// Returns the top operand, narrowed to the result type, to the caller.
    ReturnValue,
    /// Returns to the caller without a result.
    Return,
    /// Pushes the static field of that site, once its class is initialised.
    GetStatic(u32),
    /// Pops a value into the static field of that site, once its class is initialised.
    PutStatic(u32),
    /// Pops an object and pushes its field of that site.
    GetField(u32),
    /// Pops a value and an object, and stores the value in the field of that site.
    PutField(u32),
    /// Calls the method of that site, selected by the class of the receiver.
    InvokeVirtual(u32),
    /// Calls the constructor, private method or superclass method of that site without selection.
    InvokeSpecial(u32),
    /// Calls the static method of that site, once its class is initialised.
    InvokeStatic(u32),
    /// Calls the interface method of that site, selected by the class of the receiver.
    InvokeInterface(u32),
    /// Calls the method that the dynamic call site of that index is linked to.
    InvokeDynamic(u32),
    /// Allocates an object of the class of that site, once that is initialised.
    New(u32),
    /// The site names the array class itself.
    NewArray(u32),
    /// Allocates nested arrays: the site of the outermost array class, and how many lengths to pop.
    MultiNewArray(u32, u8),
    /// Pops an array and pushes its length.
    ArrayLength,
    /// Pops a throwable and throws it.
    Throw,
    /// Throws a ClassCastException unless the top reference is null or of the class of that site.
    CheckCast(u32),
    /// Pops a reference and pushes 1 if it denotes an object of the class of that site, 0 otherwise.
    InstanceOf(u32),
    /// Pops an object and enters its monitor.
    MonitorEnter,
    /// Pops an object and leaves its monitor.
    MonitorExit,
    /// Joins strings and primitives by the recipe of that index. Only synthetic code contains it.
    Concat(u32),

    // Frequent sequences in one; see `fuse`.
    /// Pushes the values of two local variables.
    LoadTwo(u16, u16),
    /// Pushes the value of a local variable, then an `int` constant.
    LoadInt(u16, i32),
    /// Pushes a field of the object in a local variable: the variable, and the field site.
    LoadField(u16, u32),
    /// Pushes an array element: the local variables of the array and of the index.
    LoadElement(u16, u16),
    /// Jumps if the `int` in the first local variable equals the one in the second.
    LocalsEq(u8, u8, u32),
    /// Jumps if the `int` in the first local variable differs from the one in the second.
    LocalsNe(u8, u8, u32),
    /// Jumps if the `int` in the first local variable is less than the one in the second.
    LocalsLt(u8, u8, u32),
    /// Jumps if the `int` in the first local variable is at least the one in the second.
    LocalsGe(u8, u8, u32),
    /// Jumps if the `int` in the first local variable is greater than the one in the second.
    LocalsGt(u8, u8, u32),
    /// Jumps if the `int` in the first local variable is at most the one in the second.
    LocalsLe(u8, u8, u32),
    /// Jumps if the `int` in a local variable equals the constant.
    LocalEq(u8, i16, u32),
    /// Jumps if the `int` in a local variable differs from the constant.
    LocalNe(u8, i16, u32),
    /// Jumps if the `int` in a local variable is less than the constant.
    LocalLt(u8, i16, u32),
    /// Jumps if the `int` in a local variable is at least the constant.
    LocalGe(u8, i16, u32),
    /// Jumps if the `int` in a local variable is greater than the constant.
    LocalGt(u8, i16, u32),
    /// Jumps if the `int` in a local variable is at most the constant.
    LocalLe(u8, i16, u32),
    /// Jumps if the `int` in a local variable is zero.
    LocalIfEq(u16, u32),
    /// Jumps if the `int` in a local variable is not zero.
    LocalIfNe(u16, u32),
    /// Jumps if the reference in a local variable is null.
    LocalIfNull(u16, u32),
    /// Jumps if the reference in a local variable is not null.
    LocalIfNonNull(u16, u32),
    /// Adds the `int` in a local variable to the top operand.
    AddLocal(u16),
    /// Subtracts the `int` in a local variable from the top operand.
    SubtractLocal(u16),
    /// Adds a constant to the top `int`.
    AddInt(i32),
    /// Subtracts a constant from the top `int`.
    SubtractInt(i32),
    /// Computes the bitwise conjunction of the top `int` and a constant.
    AndInt(i32),
    /// Shifts the top `int` to the left by a constant distance.
    ShiftLeftInt(i32),
    /// Shifts the top `int` to the right by a constant distance, copying the sign.
    ShiftRightInt(i32),
    /// Shifts the top `int` to the right by a constant distance, filling with zeros.
    ShiftRightUnsignedInt(i32),
    /// Adds two `int` operands into a local variable.
    AddStore(u16),
    /// Adds two `long` operands into a local variable.
    AddLongStore(u16),
    /// Adds a constant to the `int` in a local variable and jumps: the end of a counting loop.
    IncrementGoto(u8, i16, u32),
}

/// A reference from code to a field, by name until it is resolved (JVMS §5.4.3.2).
pub struct FieldSite {
    /// The class through which the code names the field, with slashes.
    pub class: &'static str,
    /// The field's simple name.
    pub name: &'static str,
    /// The field's type as a descriptor.
    pub descriptor: &'static str,
    /// The field that the reference denotes, set when execution first reaches it.
    pub resolved: OnceLock<ResolvedField>,
}

/// The place of a field that a reference denotes.
#[derive(Clone, Copy)]
pub struct ResolvedField {
    /// The class that declares the field.
    pub class: &'static Class,
    /// The slot in the object, or in the mirror of the class if the field is static.
    pub slot: u32,
    /// How the value is stored and narrowed.
    pub kind: Kind,
    /// Does the field belong to the class and not to its objects?
    pub is_static: bool,
    /// Is it a static field of the user's that may change, or may refer to an object that does?
    pub is_variable: bool,
    /// The access flags of the field.
    pub access: u16,
}

/// A reference from code to a method, by name until it is resolved (JVMS §5.4.3.3).
pub struct CallSite {
    /// The class or interface through which the code names the method, with slashes.
    pub class: &'static str,
    /// The method's simple name.
    pub name: &'static str,
    /// The parameter and result types; of a signature-polymorphic method, those of this call.
    pub descriptor: &'static str,
    /// Argument values, the receiver included where the instruction has one.
    pub arguments: u32,
    /// The method that the reference denotes, before selection; set when execution first reaches it.
    pub resolved: OnceLock<&'static Method>,
}

/// A reference from code to a class, by name until it is resolved (JVMS §5.4.3.1).
pub struct ClassSite {
    /// The name with slashes, or the descriptor of an array class.
    pub name: &'static str,
    /// The loaded class, set when execution first reaches the site.
    pub resolved: OnceLock<&'static Class>,
}

/// An `invokedynamic` instruction's reference to its bootstrap method (JVMS §4.4.10).
pub struct DynamicSite {
    /// Index into the class's bootstrap methods.
    pub bootstrap: u16,
    /// The name that the bootstrap method is given.
    pub name: &'static str,
    /// The types of the arguments and of the result.
    pub descriptor: &'static str,
    /// A method that does what the call site does.
    pub linked: OnceLock<&'static Method>,
}

/// A constant that code must make.
pub enum OtherConstant {
    /// A method handle of the constant pool (JVMS §4.4.8).
    MethodHandle {
        /// The way in which the handle accesses the member.
        kind: ReferenceKind,
        /// The class through which the member is named, with slashes.
        class: &'static str,
        /// The simple name of the method or field.
        name: &'static str,
        /// The descriptor of the method or field.
        descriptor: &'static str,
    },
    /// A method type, by its descriptor.
    MethodType(&'static str),
    /// A dynamic constant, by name. Lazuli does not run its bootstrap method.
    Dynamic(&'static str),
}

/// The jump table of a `tableswitch` instruction.
pub struct TableSwitch {
    /// The key of the first target.
    pub low: i32,
    /// The jump targets of consecutive keys.
    pub targets: Box<[u32]>,
    /// The jump target of all other keys.
    pub default: u32,
}

/// The keys and targets of a `lookupswitch` instruction.
pub struct LookupSwitch {
    /// Sorted by key.
    pub pairs: Box<[(i32, u32)]>,
    /// The jump target of all other keys.
    pub default: u32,
}

/// A range of instructions whose exceptions are caught.
pub struct Handler {
    /// The first instruction of the range.
    pub start: u32,
    /// The instruction just past the range.
    pub end: u32,
    /// The first instruction of the handler.
    pub target: u32,
    /// Index of a class site; none catches everything.
    pub catches: Option<u32>,
}

/// A piece of a string concatenation.
pub enum Piece {
    /// Text that stands in the recipe itself, as UTF-16 code units.
    Literal(Box<[u16]>),
    /// The next argument, a value of this kind; references are strings or null.
    Argument(Kind),
}

/// The executable body of a method, with the tables that its instructions index.
#[derive(Default)]
pub struct Code {
    /// The instructions in order; jump targets are indices into them.
    pub ops: Box<[Op]>,
    /// The number of local variables, which are the first registers of a frame.
    pub locals: u32,
    /// Local variables and operand slots together.
    pub registers: u32,
    /// The exception handlers, in the order in which they are tried.
    pub handlers: Box<[Handler]>,
    /// The `long`, `float` and `double` constants.
    pub constants: Box<[Value]>,
    /// The references to fields.
    pub fields: Box<[FieldSite]>,
    /// The references to methods.
    pub calls: Box<[CallSite]>,
    /// The references to classes.
    pub classes: Box<[ClassSite]>,
    /// The dynamic call sites.
    pub dynamics: Box<[DynamicSite]>,
    /// The tables of `tableswitch` instructions.
    pub tables: Box<[TableSwitch]>,
    /// The pairs of `lookupswitch` instructions.
    pub lookups: Box<[LookupSwitch]>,
    /// The pieces of each string concatenation.
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
