//! `jdk.internal.misc.Unsafe`: fields and array elements by offset.
//!
//! An offset is opaque to correct programs. Here it is 16 plus 8 times the slot of a field, or 16 plus the distance in bytes
//! of an array element. Memory outside of the heap is not supported.

use std::rc::Rc;
use std::time::Duration;

use super::memory;
use crate::heap::Body;
use crate::interp::{SpuriousEnd, Trouble};
use crate::natives::{Call, Exit, Models, always_false, always_true, nothing};
use crate::program::{Class, Field};
use crate::threads::{AccessMode, ObjectPart, ThreadOperation};
use crate::value::{Kind, ObjId, Value};

/// The offset of the first field or array element, which leaves room for an object header.
pub(super) const BASE: i64 = 16;

/// Models of `Unsafe` that need concrete arguments.
pub(super) const MODELS: &[Models] = &[(
    "jdk/internal/misc/Unsafe",
    &[
        ("registerNatives()V", nothing),
        ("addressSize0()I", |_| Ok(Value::Int(8))),
        ("pageSize()I", |_| Ok(Value::Int(4096))),
        ("isBigEndian0()Z", always_false),
        ("unalignedAccess0()Z", always_true),
        ("fullFence()V", nothing),
        ("loadFence()V", nothing),
        ("storeFence()V", nothing),
        ("park(ZJ)V", park),
        ("unpark(Ljava/lang/Object;)V", unpark),
        ("arrayBaseOffset0(Ljava/lang/Class;)I", |_| Ok(Value::Int(BASE as i32))),
        ("arrayIndexScale0(Ljava/lang/Class;)I", array_index_scale),
        ("objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J", field_offset_by_name),
        ("objectFieldOffset0(Ljava/lang/reflect/Field;)J", field_offset),
        ("staticFieldOffset0(Ljava/lang/reflect/Field;)J", field_offset),
        ("staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;", static_field_base),
        ("ensureClassInitialized0(Ljava/lang/Class;)V", ensure_class_initialized),
        ("shouldBeInitialized0(Ljava/lang/Class;)Z", should_be_initialized),
        ("allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;", allocate_instance),
        ("allocateUninitializedArray0(Ljava/lang/Class;I)Ljava/lang/Object;", allocate_array),
        ("throwException(Ljava/lang/Throwable;)V", throw_exception),
        ("copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V", memory::copy),
        ("copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V", memory::copy_swapped),
        ("setMemory0(Ljava/lang/Object;JJB)V", memory::set),
    ],
)];

/// Reading and writing, where the object and the values need not be known.
pub(super) const ACCESSES: &[Models] = &[(
    "jdk/internal/misc/Unsafe",
    &[
        ("getReference(Ljava/lang/Object;J)Ljava/lang/Object;", get),
        ("getReferenceVolatile(Ljava/lang/Object;J)Ljava/lang/Object;", get),
        ("getReferenceAcquire(Ljava/lang/Object;J)Ljava/lang/Object;", get),
        ("getBoolean(Ljava/lang/Object;J)Z", get),
        ("getBooleanVolatile(Ljava/lang/Object;J)Z", get),
        ("getByte(Ljava/lang/Object;J)B", get),
        ("getByteVolatile(Ljava/lang/Object;J)B", get),
        ("getShort(Ljava/lang/Object;J)S", get),
        ("getShortVolatile(Ljava/lang/Object;J)S", get),
        ("getShortUnaligned(Ljava/lang/Object;J)S", get),
        ("getChar(Ljava/lang/Object;J)C", get),
        ("getCharVolatile(Ljava/lang/Object;J)C", get),
        ("getCharUnaligned(Ljava/lang/Object;J)C", get),
        ("getInt(Ljava/lang/Object;J)I", get),
        ("getIntVolatile(Ljava/lang/Object;J)I", get),
        ("getIntUnaligned(Ljava/lang/Object;J)I", get),
        ("getLong(Ljava/lang/Object;J)J", get),
        ("getLongVolatile(Ljava/lang/Object;J)J", get),
        ("getLongUnaligned(Ljava/lang/Object;J)J", get),
        ("getFloat(Ljava/lang/Object;J)F", get),
        ("getFloatVolatile(Ljava/lang/Object;J)F", get),
        ("getDouble(Ljava/lang/Object;J)D", get),
        ("getDoubleVolatile(Ljava/lang/Object;J)D", get),
        ("putReference(Ljava/lang/Object;JLjava/lang/Object;)V", put),
        ("putReferenceVolatile(Ljava/lang/Object;JLjava/lang/Object;)V", put),
        ("putReferenceRelease(Ljava/lang/Object;JLjava/lang/Object;)V", put),
        ("putBoolean(Ljava/lang/Object;JZ)V", put),
        ("putBooleanVolatile(Ljava/lang/Object;JZ)V", put),
        ("putByte(Ljava/lang/Object;JB)V", put),
        ("putByteVolatile(Ljava/lang/Object;JB)V", put),
        ("putShort(Ljava/lang/Object;JS)V", put),
        ("putShortVolatile(Ljava/lang/Object;JS)V", put),
        ("putShortUnaligned(Ljava/lang/Object;JS)V", put),
        ("putChar(Ljava/lang/Object;JC)V", put),
        ("putCharVolatile(Ljava/lang/Object;JC)V", put),
        ("putCharUnaligned(Ljava/lang/Object;JC)V", put),
        ("putInt(Ljava/lang/Object;JI)V", put),
        ("putIntVolatile(Ljava/lang/Object;JI)V", put),
        ("putIntUnaligned(Ljava/lang/Object;JI)V", put),
        ("putLong(Ljava/lang/Object;JJ)V", put),
        ("putLongVolatile(Ljava/lang/Object;JJ)V", put),
        ("putLongUnaligned(Ljava/lang/Object;JJ)V", put),
        ("putFloat(Ljava/lang/Object;JF)V", put),
        ("putFloatVolatile(Ljava/lang/Object;JF)V", put),
        ("putDouble(Ljava/lang/Object;JD)V", put),
        ("putDoubleVolatile(Ljava/lang/Object;JD)V", put),
        ("compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z", compare_and_set),
        ("compareAndSetBoolean(Ljava/lang/Object;JZZ)Z", compare_and_set),
        ("compareAndSetByte(Ljava/lang/Object;JBB)Z", compare_and_set),
        ("compareAndSetShort(Ljava/lang/Object;JSS)Z", compare_and_set),
        ("compareAndSetChar(Ljava/lang/Object;JCC)Z", compare_and_set),
        ("compareAndSetInt(Ljava/lang/Object;JII)Z", compare_and_set),
        ("compareAndSetLong(Ljava/lang/Object;JJJ)Z", compare_and_set),
        ("compareAndSetFloat(Ljava/lang/Object;JFF)Z", compare_and_set),
        ("compareAndSetDouble(Ljava/lang/Object;JDD)Z", compare_and_set),
        (
            "compareAndExchangeReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            compare_and_exchange,
        ),
        ("compareAndExchangeByte(Ljava/lang/Object;JBB)B", compare_and_exchange),
        ("compareAndExchangeShort(Ljava/lang/Object;JSS)S", compare_and_exchange),
        ("compareAndExchangeInt(Ljava/lang/Object;JII)I", compare_and_exchange),
        ("compareAndExchangeLong(Ljava/lang/Object;JJJ)J", compare_and_exchange),
    ],
)];

/// The offset of a field, to be used with its object or with the mirror of its class.
pub(crate) fn offset_of(call: &Call, field: &Field) -> i64 {
    BASE + 8 * call.vm.program.slot_of(field) as i64
}

/// The slot of the field at an offset.
pub(crate) fn slot_at(offset: i64) -> usize {
    ((offset - BASE) / 8) as usize
}

fn array_index_scale(call: &mut Call) -> Result<Value, Exit> {
    let scale = call.class(1)?.component_kind().map_or(0, element_size);
    Ok(Value::Int(scale as i32))
}

/// The size of an element as the program sees it; references look like compressed ones.
fn element_size(kind: Kind) -> usize {
    if kind == Kind::Reference { 4 } else { kind.bytes() }
}

fn field_offset_by_name(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(1)?;
    let name = call.text(call.object(2)?);
    match class.fields.iter().find(|field| field.name == name) {
        Some(field) => Ok(Value::Long(offset_of(call, field))),
        None => Err(Trouble::Named("java/lang/InternalError", Some(name)).into()),
    }
}

/// The class and the field that a `java.lang.reflect.Field` stands for.
fn reflected(call: &Call, index: usize) -> Result<(&'static Class, &'static Field), Exit> {
    let object = call.object(index)?;
    let (Value::Ref(Some(mirror)), Value::Int(slot)) = (call.field(object, "clazz"), call.field(object, "slot")) else {
        return call.unsupported();
    };
    let class = call.class_of(mirror)?;
    class.fields.get(slot as usize).map(|field| (class, field)).ok_or(Exit::Unsupported("an unknown field".into()))
}

fn field_offset(call: &mut Call) -> Result<Value, Exit> {
    let (_, field) = reflected(call, 1)?;
    Ok(Value::Long(offset_of(call, field)))
}

fn static_field_base(call: &mut Call) -> Result<Value, Exit> {
    let (class, _) = reflected(call, 1)?;
    Ok(call.mirror(class).into())
}

fn ensure_class_initialized(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(1)?;
    call.initialised(class)?;
    Ok(Value::Top)
}

fn should_be_initialized(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(1)?;
    Ok(Value::bool(!call.state.classes.is_usable(class)))
}

fn allocate_instance(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(1)?;
    if class.is_abstract() || class.is_array() {
        return Err(Trouble::Named("java/lang/InstantiationException", Some(class.java_name())).into());
    }
    call.initialised(class)?;
    Ok(call.state.heap.allocate(class).into())
}

fn allocate_array(call: &mut Call) -> Result<Value, Exit> {
    let component = call.class(1)?;
    let class = call.vm.program.array_class(component);
    let length = call.int(2);
    Ok(call.vm.allocate_array_here(call.state, class, length)?.into())
}

fn throw_exception(call: &mut Call) -> Result<Value, Exit> {
    Err(Exit::Throw(call.object(1)?))
}

fn park(call: &mut Call) -> Result<Value, Exit> {
    let is_timed = call.bool(1) || call.arguments[2] != Value::Long(0);
    // Without a time, a thread waits for others, also if there are none.
    if call.state.threads.is_some() || !is_timed && call.vm.begin_threads(call.state) {
        if let Value::Long(time @ 1..) = call.arguments[2] {
            let after = match call.bool(1) {
                true => Duration::from_millis(time as u64).saturating_sub(call.vm.now()),
                false => Duration::from_nanos(time as u64),
            };
            call.vm.set_alarm(call.state, after);
        }
        // One that returns for no reason is like one whose time is over at any moment.
        let is_timed = match call.state.threads.as_ref().and_then(|threads| threads.now().pending.clone()) {
            Some(ThreadOperation::Park { is_timed }) => is_timed,
            _ => is_timed || call.vm.is_spurious(call.state, SpuriousEnd::WakeUp)?,
        };
        call.vm.permit(call.state, ThreadOperation::Park { is_timed })?;
        if let Some(threads) = &mut call.state.threads {
            threads.now_mut().has_permit = false;
        }
    }
    Ok(Value::Top)
}

fn unpark(call: &mut Call) -> Result<Value, Exit> {
    let Some(thread) = call.reference(1) else { return Ok(Value::Top) };
    if call.state.threads.is_none() && call.state.roots.main_thread == Some(thread) {
        call.vm.begin_threads(call.state);
    }
    let number = call.state.threads.as_ref().and_then(|threads| threads.number_of(thread));
    if let Some(number) = number {
        call.vm.permit(call.state, ThreadOperation::Unpark(number))?;
        if let Some(threads) = &mut call.state.threads {
            threads.all[number as usize].has_permit = true;
        }
    }
    Ok(Value::Top)
}

fn get(call: &mut Call) -> Result<Value, Exit> {
    may_access(call, call.method.result, ThreadOperation::Read)?;
    read(call, call.method.result)
}

fn put(call: &mut Call) -> Result<Value, Exit> {
    may_access(call, call.method.parameters[2], ThreadOperation::Write)?;
    write(call, call.method.parameters[2], call.arguments[3])?;
    Ok(Value::Top)
}

fn compare_and_set(call: &mut Call) -> Result<Value, Exit> {
    let kind = call.method.parameters[2];
    may_access(call, kind, ThreadOperation::Update)?;
    let old = read(call, kind)?;
    let same = call.is_same(kind, old, call.arguments[3])?;
    if same {
        if call.is_weak_attempt() && call.vm.is_spurious(call.state, SpuriousEnd::Failure)? {
            return Ok(Value::bool(false));
        }
        write(call, kind, call.arguments[4])?;
    }
    Ok(Value::bool(same))
}

fn compare_and_exchange(call: &mut Call) -> Result<Value, Exit> {
    let kind = call.method.parameters[2];
    may_access(call, kind, ThreadOperation::Update)?;
    let old = read(call, kind)?;
    if call.is_same(kind, old, call.arguments[3])? {
        write(call, kind, call.arguments[4])?;
    }
    Ok(old)
}

/// Other threads may go first before an access to an object that they can reach.
fn may_access(
    call: &mut Call,
    kind: Kind,
    operation: fn(ObjId, ObjectPart, AccessMode) -> ThreadOperation,
) -> Result<(), Exit> {
    if call.state.threads.is_none() {
        return Ok(());
    }
    let (object, place) = accessed(call, kind)?;
    if !call.state.is_shared(object) {
        return Ok(());
    }
    let part = match place {
        UnsafePlace::Field(slot) => ObjectPart::Slot(slot as u32),
        UnsafePlace::Element(index) => ObjectPart::Element(index),
        UnsafePlace::Bytes(_) => ObjectPart::Elements,
    };
    let name = call.method.name;
    let mode = match name.ends_with("Volatile") || name.starts_with("compareAnd") {
        true => AccessMode::Volatile,
        false => AccessMode::Weak,
    };
    call.vm.permit(call.state, operation(object, part, mode))?;
    for value in call.arguments[2..].iter().copied() {
        call.state.share(value);
    }
    Ok(())
}

enum UnsafePlace {
    Field(usize),
    Element(i32),
    /// Bytes of an array that is accessed with another type than its own.
    Bytes(usize),
}

fn place(call: &Call, object: ObjId, offset: i64, kind: Kind) -> Result<UnsafePlace, Exit> {
    let heap = &call.state.heap;
    let distance = usize::try_from(offset - BASE).map_err(|_| outside(call))?;
    match (heap.length(object), heap.class(object).component_kind()) {
        (Some(length), Some(own)) => {
            let size = element_size(own);
            let aligned = distance.is_multiple_of(size) && (own == kind || (own.bytes() == 1 && kind.bytes() == 1));
            if distance + element_size(kind) > length * size {
                return Err(outside(call));
            }
            Ok(if aligned { UnsafePlace::Element((distance / size) as i32) } else { UnsafePlace::Bytes(distance) })
        }
        _ => Ok(UnsafePlace::Field(distance / 8)),
    }
}

/// Ends a native as unsupported because it addresses memory outside of an object.
pub(super) fn outside(call: &Call) -> Exit {
    Exit::Unsupported(format!("{} outside of an object", call.method.full_name()))
}

/// The object and the place in it that the first arguments denote.
fn accessed(call: &Call, kind: Kind) -> Result<(ObjId, UnsafePlace), Exit> {
    let Some(object) = call.reference(1) else { return Err(outside(call)) };
    let Value::Long(offset) = call.arguments[2] else { return call.not_known() };
    if matches!(call.state.heap.get(object).body, Body::Sparse(_)) {
        return call.not_known();
    }
    Ok((object, place(call, object, offset, kind)?))
}

fn read(call: &mut Call, kind: Kind) -> Result<Value, Exit> {
    let (object, place) = accessed(call, kind)?;
    match place {
        UnsafePlace::Field(slot) => match call.read_slot(object, slot)? {
            Value::Top => Err(outside(call)),
            value => Ok(value),
        },
        UnsafePlace::Element(index) => call.state.heap.element(object, index).ok_or_else(|| outside(call)),
        UnsafePlace::Bytes(at) => {
            let Body::Bytes(bytes) = &call.state.heap.get(object).body else { return Err(outside(call)) };
            let mut word = [0; 8];
            for (byte, own) in word.iter_mut().zip(&bytes[at..at + kind.bytes()]) {
                *byte = *own as u8;
            }
            let word = u64::from_le_bytes(word);
            Ok(match kind {
                Kind::Long => Value::Long(word as i64),
                Kind::Float => Value::Float(f32::from_bits(word as u32)),
                Kind::Double => Value::Double(f64::from_bits(word)),
                Kind::Reference | Kind::Void => return Err(outside(call)),
                kind => Value::Int(kind.narrow(word as i32)),
            })
        }
    }
}

fn write(call: &mut Call, kind: Kind, value: Value) -> Result<(), Exit> {
    let (object, place) = accessed(call, kind)?;
    let value = call.vm.narrowed(kind, value);
    match place {
        UnsafePlace::Field(slot) => {
            call.vm.check_write(call.state, object, Some(slot))?;
            call.state.heap.set_field(object, slot, value);
        }
        UnsafePlace::Element(index) => {
            call.vm.check_write(call.state, object, None)?;
            call.write_element(object, index, value)?;
        }
        UnsafePlace::Bytes(at) => {
            let word = match value {
                Value::Int(value) => value as u64,
                Value::Long(value) => value as u64,
                Value::Float(value) => value.to_bits() as u64,
                Value::Double(value) => value.to_bits(),
                _ => return Err(outside(call)),
            };
            let Body::Bytes(bytes) = call.state.heap.body_mut(object) else { return Err(outside(call)) };
            let size = kind.bytes();
            for (own, byte) in Rc::make_mut(bytes)[at..at + size].iter_mut().zip(word.to_le_bytes()) {
                *own = byte as i8;
            }
        }
    }
    Ok(())
}
