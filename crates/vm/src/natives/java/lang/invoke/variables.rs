//! `java.lang.invoke.VarHandle`: reading and writing fields and array elements.
//!
//! The handles are the JDK's own objects; the class of one tells what it accesses: `VarHandleInts$FieldInstanceReadWrite`,
//! `VarHandleReferences$Array`, `VarHandleByteArrayAsLongs$ArrayHandle`, … Threads see what was written last in every access
//! mode; which modes promise that is a matter of races. The call site may use other types than the variable, as with `MethodHandle.invoke`; values are converted.

use std::rc::Rc;

use lazuli_logic::{Binary, Sort};

use crate::heap::Body;
use crate::interp::{SpuriousEnd, Trouble};
use crate::natives::{Call, Exit, Models, throw};
use crate::program::{Class, descriptor};
use crate::threads::{AccessMode, ObjectPart, ThreadOperation};
use crate::value::{Kind, ObjId, Value};

/// Models of the access modes of `VarHandle`.
pub(super) const MODELS: &[Models] = &[(
    "java/lang/invoke/VarHandle",
    &[
        ("get(...)", |call| access(call, Mode::Get, true)),
        ("getVolatile(...)", |call| access(call, Mode::Get, false)),
        ("getOpaque(...)", |call| access(call, Mode::Get, false)),
        ("getAcquire(...)", |call| access(call, Mode::Get, false)),
        ("set(...)", |call| access(call, Mode::Set, true)),
        ("setVolatile(...)", |call| access(call, Mode::Set, false)),
        ("setOpaque(...)", |call| access(call, Mode::Set, false)),
        ("setRelease(...)", |call| access(call, Mode::Set, false)),
        ("compareAndSet(...)", |call| access(call, Mode::CompareAndSet, false)),
        ("weakCompareAndSet(...)", |call| access(call, Mode::CompareAndSet, false)),
        ("weakCompareAndSetPlain(...)", |call| access(call, Mode::CompareAndSet, false)),
        ("weakCompareAndSetAcquire(...)", |call| access(call, Mode::CompareAndSet, false)),
        ("weakCompareAndSetRelease(...)", |call| access(call, Mode::CompareAndSet, false)),
        ("compareAndExchange(...)", |call| access(call, Mode::CompareAndExchange, false)),
        ("compareAndExchangeAcquire(...)", |call| access(call, Mode::CompareAndExchange, false)),
        ("compareAndExchangeRelease(...)", |call| access(call, Mode::CompareAndExchange, false)),
        ("getAndSet(...)", |call| access(call, Mode::GetAndSet, false)),
        ("getAndSetAcquire(...)", |call| access(call, Mode::GetAndSet, false)),
        ("getAndSetRelease(...)", |call| access(call, Mode::GetAndSet, false)),
        ("getAndAdd(...)", |call| access(call, Mode::GetAndAdd, false)),
        ("getAndAddAcquire(...)", |call| access(call, Mode::GetAndAdd, false)),
        ("getAndAddRelease(...)", |call| access(call, Mode::GetAndAdd, false)),
        ("getAndBitwiseOr(...)", |call| access(call, Mode::GetAndOr, false)),
        ("getAndBitwiseOrAcquire(...)", |call| access(call, Mode::GetAndOr, false)),
        ("getAndBitwiseOrRelease(...)", |call| access(call, Mode::GetAndOr, false)),
        ("getAndBitwiseAnd(...)", |call| access(call, Mode::GetAndAnd, false)),
        ("getAndBitwiseAndAcquire(...)", |call| access(call, Mode::GetAndAnd, false)),
        ("getAndBitwiseAndRelease(...)", |call| access(call, Mode::GetAndAnd, false)),
        ("getAndBitwiseXor(...)", |call| access(call, Mode::GetAndXor, false)),
        ("getAndBitwiseXorAcquire(...)", |call| access(call, Mode::GetAndXor, false)),
        ("getAndBitwiseXorRelease(...)", |call| access(call, Mode::GetAndXor, false)),
    ],
)];

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Get,
    Set,
    CompareAndSet,
    CompareAndExchange,
    GetAndSet,
    GetAndAdd,
    GetAndOr,
    GetAndAnd,
    GetAndXor,
}

/// Where the variable is.
enum VarHandlePlace {
    Field(ObjId, usize),
    Element(ObjId, i32),
    /// Bytes of a byte array, and whether the most significant one comes first.
    Bytes {
        array: ObjId,
        at: usize,
        is_big_endian: bool,
    },
}

struct AccessedVariable {
    place: VarHandlePlace,
    kind: Kind,
    /// The type of a reference.
    class: Option<&'static Class>,
}

fn access(call: &mut Call, mode: Mode, is_plain: bool) -> Result<Value, Exit> {
    let Some((types, result)) = descriptor::method(call.descriptor) else { return call.unsupported() };
    let (variable, coordinates) = locate(call, &types, is_plain)?;
    if mode != Mode::Get && call.state.heap.class(call.this()).name.ends_with("ReadOnly") {
        return Err(Trouble::Named("java/lang/UnsupportedOperationException", None).into());
    }
    let given = types.len() - coordinates;
    let needed = match mode {
        Mode::Get => 0,
        Mode::CompareAndSet | Mode::CompareAndExchange => 2,
        _ => 1,
    };
    if given != needed {
        return wrong_type(call);
    }
    let mut values = [Value::Top; 2];
    for (index, value) in values.iter_mut().enumerate().take(given) {
        *value = coerce(call, call.arguments[1 + coordinates + index], types[coordinates + index], &variable)?;
    }
    may_access(call, &variable, mode, &values)?;
    let old = read(call, &variable)?;
    match mode {
        Mode::Get => give_back(call, old, variable.kind, result),
        Mode::Set => {
            write(call, &variable, values[0])?;
            Ok(Value::Top)
        }
        Mode::CompareAndSet | Mode::CompareAndExchange => {
            let same = call.is_same(variable.kind, old, values[0])?;
            if same && call.is_weak_attempt() && call.vm.is_spurious(call.state, SpuriousEnd::Failure)? {
                return give_back(call, Value::bool(false), Kind::Boolean, result);
            }
            if same {
                write(call, &variable, values[1])?;
            }
            match mode {
                Mode::CompareAndSet => give_back(call, Value::bool(same), Kind::Boolean, result),
                _ => give_back(call, old, variable.kind, result),
            }
        }
        Mode::GetAndSet | Mode::GetAndAdd | Mode::GetAndOr | Mode::GetAndAnd | Mode::GetAndXor => {
            if !can_update(mode, variable.kind) {
                return Err(Trouble::Named("java/lang/UnsupportedOperationException", None).into());
            }
            let new = if mode == Mode::GetAndSet { values[0] } else { combine(call, mode, old, values[0])? };
            write(call, &variable, new)?;
            give_back(call, old, variable.kind, result)
        }
    }
}

/// Other threads may go first before an access to an object that they can reach.
fn may_access(call: &mut Call, variable: &AccessedVariable, mode: Mode, values: &[Value]) -> Result<(), Exit> {
    let (object, part) = match variable.place {
        VarHandlePlace::Field(object, slot) => (object, ObjectPart::Slot(slot as u32)),
        VarHandlePlace::Element(array, index) => (array, ObjectPart::Element(index)),
        VarHandlePlace::Bytes { array, .. } => (array, ObjectPart::Elements),
    };
    if !call.state.is_shared(object) {
        return Ok(());
    }
    let name = call.method.name;
    let is_weak = ["get", "set"].contains(&name)
        || ["Plain", "Opaque", "Acquire", "Release"].iter().any(|end| name.ends_with(end));
    let access = if is_weak { AccessMode::Weak } else { AccessMode::Volatile };
    let operation = match mode {
        Mode::Get => ThreadOperation::Read(object, part, access),
        Mode::Set => ThreadOperation::Write(object, part, access),
        _ => ThreadOperation::Update(object, part, access),
    };
    call.vm.permit(call.state, operation)?;
    for value in values {
        call.state.share(*value);
    }
    Ok(())
}

/// The variable that the handle and the coordinates at the front of the arguments denote, and how many those are.
fn locate(call: &mut Call, types: &[&str], is_plain: bool) -> Result<(AccessedVariable, usize), Exit> {
    // The class of the handle says it all: `VarHandleInts$FieldInstanceReadWrite` is an int field of an object,
    // `VarHandleByteArrayAsLongs$ArrayHandle` eight bytes of an array, seen as a long.
    let this = call.this();
    let name = call.state.heap.class(this).name.trim_start_matches("java/lang/invoke/VarHandle");
    let Some((family, shape)) = name.split_once('$') else { return call.unsupported() };
    let (is_view, element) = match family.strip_prefix("ByteArrayAs") {
        Some(element) => (true, element),
        None => (false, family),
    };
    let kinds = [
        ("Booleans", Kind::Boolean),
        ("Bytes", Kind::Byte),
        ("Shorts", Kind::Short),
        ("Chars", Kind::Char),
        ("Ints", Kind::Int),
        ("Longs", Kind::Long),
        ("Floats", Kind::Float),
        ("Doubles", Kind::Double),
        ("References", Kind::Reference),
    ];
    let Some(kind) = kinds.into_iter().find(|(name, _)| *name == element).map(|(_, kind)| kind) else {
        return Err(Exit::Unsupported(format!(
            "a variable handle of the class {}",
            call.state.heap.class(this).java_name()
        )));
    };
    // Static fields have no coordinate, other fields an object, elements an array and an index.
    let coordinates = if shape.starts_with("FieldStatic") {
        0
    } else if shape.starts_with("FieldInstance") {
        1
    } else {
        2
    };
    if types.len() < coordinates {
        return wrong_type(call);
    }
    let slot = match call.field(this, "fieldOffset") {
        Value::Long(offset) => crate::natives::jdk::slot_at(offset),
        _ => 0,
    };
    let (place, class) = match (coordinates, call.field(this, "base")) {
        (0, Value::Ref(Some(base))) => (VarHandlePlace::Field(base, slot), class_field(call, "fieldType")?),
        (1, _) => {
            let holder = receiver(call, class_field(call, "receiverType")?)?;
            (VarHandlePlace::Field(holder, slot), class_field(call, "fieldType")?)
        }
        (2, _) => {
            let array = receiver(call, class_field(call, "arrayType")?)?;
            let Value::Int(index) = call.arguments[2] else { return wrong_type(call) };
            let Some(length) = call.state.heap.length(array) else { return wrong_type(call) };
            if is_view {
                (bytes(call, array, index, length, kind, is_plain)?, None)
            } else if index < 0 || index as usize >= length {
                return Err(Trouble::IndexOutOfBounds { array, index }.into());
            } else {
                let component = call.state.heap.class(array).component().filter(|_| kind == Kind::Reference);
                (VarHandlePlace::Element(array, index), component)
            }
        }
        _ => return call.unsupported(),
    };
    Ok((AccessedVariable { place, kind, class }, coordinates))
}

/// A class that the handle names in a field of its own.
fn class_field(call: &Call, name: &str) -> Result<Option<&'static Class>, Exit> {
    match call.field(call.this(), name) {
        Value::Ref(Some(mirror)) => call.class_of(mirror).map(Some),
        _ => Ok(None),
    }
}

/// The first coordinate: an object of the right class.
fn receiver(call: &mut Call, class: Option<&'static Class>) -> Result<ObjId, Exit> {
    let Value::Ref(Some(object)) = call.settled(call.arguments[1])? else { return Err(Trouble::NullPointer.into()) };
    check_cast(call, object, class)?;
    Ok(object)
}

/// `Class.cast`, which is what the JDK's accesses use.
fn check_cast(call: &mut Call, object: ObjId, class: Option<&'static Class>) -> Result<(), Exit> {
    match class {
        Some(class) if !call.has_type(object, class)? => {
            let own = call.state.heap.class(object);
            throw("java/lang/ClassCastException", format!("Cannot cast {} to {}", own.java_name(), class.java_name()))
        }
        _ => Ok(()),
    }
}

fn bytes(
    call: &Call,
    array: ObjId,
    index: i32,
    length: usize,
    kind: Kind,
    is_plain: bool,
) -> Result<VarHandlePlace, Exit> {
    let size = kind.bytes();
    let places = (length + 1).saturating_sub(size);
    if index < 0 || index as usize >= places {
        let message = format!("Index {index} out of bounds for length {places}");
        return throw("java/lang/ArrayIndexOutOfBoundsException", message);
    }
    if !is_plain && !(index as usize).is_multiple_of(size) {
        return throw("java/lang/IllegalStateException", format!("Misaligned access at index: {index}"));
    }
    let is_big_endian = call.field(call.this(), "be") == Value::Int(1);
    Ok(VarHandlePlace::Bytes { array, at: index as usize, is_big_endian })
}

fn wrong_type<T>(call: &Call) -> Result<T, Exit> {
    Err(Exit::Unsupported(format!("{} with the type {}", call.method.full_name(), call.descriptor)))
}

/// A value of the call site's type as one of the variable's.
fn coerce(call: &mut Call, value: Value, from: &str, variable: &AccessedVariable) -> Result<Value, Exit> {
    match (call.settled(value)?, variable.kind) {
        (Value::Unread | Value::Top, _) => call.not_known(),
        (Value::Ref(None), Kind::Reference) => Ok(Value::NULL),
        (Value::Ref(Some(object)), Kind::Reference) => {
            check_cast(call, object, variable.class)?;
            Ok(object.into())
        }
        (Value::Ref(object), kind) => out_of_box(call, object, kind),
        (_, Kind::Reference) => Err(Exit::Unsupported(format!("a value of the type {from} in a variable of a class"))),
        (value, kind) => widen(call, value, kind),
    }
}

/// Unboxes an object, and widens its value to that kind.
fn out_of_box(call: &mut Call, object: Option<ObjId>, kind: Kind) -> Result<Value, Exit> {
    let object = object.ok_or(Trouble::NullPointer)?;
    match call.unboxed(object)? {
        Some((value, _)) => widen(call, value, kind),
        None => wrong_type(call),
    }
}

/// JLS §5.1.2.
fn widen(call: &mut Call, value: Value, to: Kind) -> Result<Value, Exit> {
    let from = match value {
        Value::Int(_) | Value::Term(_, Sort::Int) => Kind::Int,
        Value::Long(_) | Value::Term(_, Sort::Long) => Kind::Long,
        Value::Float(_) | Value::Term(_, Sort::Float) => Kind::Float,
        Value::Double(_) | Value::Term(_, Sort::Double) => Kind::Double,
        _ => return call.not_known(),
    };
    if from.sort() == to.sort() {
        return Ok(value);
    }
    call.widened(value, from, to).map_or_else(|| wrong_type(call), Ok)
}

/// The result of the access as the call site wants it.
fn give_back(call: &mut Call, value: Value, kind: Kind, result: &str) -> Result<Value, Exit> {
    match (value, Kind::of_descriptor(result)) {
        (_, Kind::Void) => Ok(Value::Top),
        // The call site does not look into the reference, so that it stays undecided.
        (Value::Unknown(_), Kind::Reference) if result == "Ljava/lang/Object;" => Ok(value),
        (Value::Unknown(_), _) => {
            let value = call.settled(value)?;
            give_back(call, value, kind, result)
        }
        (Value::Ref(None), Kind::Reference) => Ok(value),
        (Value::Ref(Some(object)), Kind::Reference) => {
            let loaded = call.vm.program.load_descriptor(result);
            let wanted = loaded.map_err(|error| Exit::Raise(Trouble::Load(error)))?;
            if call.has_type(object, wanted)? {
                return Ok(value);
            }
            Err(Trouble::ClassCast { from: call.state.heap.class(object), to: wanted }.into())
        }
        (Value::Ref(object), kind) => out_of_box(call, object, kind),
        (value, Kind::Reference) => {
            let class = kind.box_class();
            let boxes = call.load(class)?;
            match boxes.own_method("valueOf", &format!("({})L{class};", kind.letter())) {
                Some(method) => call.hand_over(method, &[value]),
                None => wrong_type(call),
            }
        }
        (value, kind) => widen(call, value, kind),
    }
}

fn read(call: &mut Call, variable: &AccessedVariable) -> Result<Value, Exit> {
    if let VarHandlePlace::Field(object, slot) = variable.place {
        return call.read_slot(object, slot);
    }
    let heap = &call.state.heap;
    match variable.place {
        VarHandlePlace::Field(object, slot) => Ok(heap.field(object, slot)),
        VarHandlePlace::Element(array, index) => heap.element(array, index).map_or_else(|| wrong_type(call), Ok),
        VarHandlePlace::Bytes { array, at, is_big_endian } => {
            let Body::Bytes(bytes) = &heap.get(array).body else { return wrong_type(call) };
            let size = variable.kind.bytes();
            let mut word = [0; 8];
            for (index, byte) in bytes[at..at + size].iter().enumerate() {
                word[if is_big_endian { size - 1 - index } else { index }] = *byte as u8;
            }
            let word = u64::from_le_bytes(word);
            Ok(match variable.kind {
                Kind::Long => Value::Long(word as i64),
                Kind::Float => Value::Float(f32::from_bits(word as u32)),
                Kind::Double => Value::Double(f64::from_bits(word)),
                kind => Value::Int(kind.narrow(word as i32)),
            })
        }
    }
}

fn write(call: &mut Call, variable: &AccessedVariable, value: Value) -> Result<(), Exit> {
    let value = call.vm.narrowed(variable.kind, value);
    match variable.place {
        VarHandlePlace::Field(object, slot) => {
            call.vm.check_write(call.state, object, Some(slot))?;
            call.state.heap.set_field(object, slot, value);
        }
        VarHandlePlace::Element(array, index) => {
            call.vm.check_write(call.state, array, None)?;
            call.write_element(array, index, value)?;
        }
        VarHandlePlace::Bytes { array, at, is_big_endian } => {
            let word = match value {
                Value::Int(value) => value as u64,
                Value::Long(value) => value as u64,
                Value::Float(value) => value.to_bits() as u64,
                Value::Double(value) => value.to_bits(),
                _ => return wrong_type(call),
            };
            let (size, word) = (variable.kind.bytes(), word.to_le_bytes());
            let Body::Bytes(bytes) = call.state.heap.body_mut(array) else { return wrong_type(call) };
            for (index, own) in Rc::make_mut(bytes)[at..at + size].iter_mut().enumerate() {
                *own = word[if is_big_endian { size - 1 - index } else { index }] as i8;
            }
        }
    }
    Ok(())
}

/// Do variables of this kind have such an update?
fn can_update(mode: Mode, kind: Kind) -> bool {
    match mode {
        Mode::GetAndAdd => !matches!(kind, Kind::Boolean | Kind::Reference),
        Mode::GetAndOr | Mode::GetAndAnd | Mode::GetAndXor => {
            !matches!(kind, Kind::Float | Kind::Double | Kind::Reference)
        }
        _ => true,
    }
}

/// The new value of an update.
fn combine(call: &mut Call, mode: Mode, old: Value, operand: Value) -> Result<Value, Exit> {
    let sort = match old {
        Value::Int(_) => Sort::Int,
        Value::Long(_) => Sort::Long,
        Value::Float(_) => Sort::Float,
        Value::Double(_) => Sort::Double,
        Value::Term(_, sort) => sort,
        _ => return call.not_known(),
    };
    let operation = match mode {
        Mode::GetAndAdd => Binary::Add,
        Mode::GetAndOr => Binary::BitOr,
        Mode::GetAndAnd => Binary::BitAnd,
        _ => Binary::BitXor,
    };
    let (Some(old), Some(operand)) = (call.vm.term_of(old, sort), call.vm.term_of(operand, sort)) else {
        return call.not_known();
    };
    let new = call.vm.terms.binary(operation, old, operand);
    Ok(call.vm.value_of(new))
}
