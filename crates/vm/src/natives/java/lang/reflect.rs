//! `java.lang.reflect`: arrays whose type is known only at run time.

use crate::interp::Trouble;
use crate::natives::{Call, Exit, Models};
use crate::program::{Class, Form};
use crate::value::{Kind, ObjId, Value};

/// Models that make arrays of a component type given at run time.
pub(crate) const MODELS: &[Models] = &[(
    "java/lang/reflect/Array",
    &[
        ("newArray(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
        ("multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;", multi_new_array),
    ],
)];

/// Lengths and elements of arrays, whose contents need not be known.
pub(crate) const ELEMENTS: &[Models] = &[(
    "java/lang/reflect/Array",
    &[
        ("getLength(Ljava/lang/Object;)I", get_length),
        ("get(Ljava/lang/Object;I)Ljava/lang/Object;", get),
        ("getBoolean(Ljava/lang/Object;I)Z", get_primitive),
        ("getByte(Ljava/lang/Object;I)B", get_primitive),
        ("getChar(Ljava/lang/Object;I)C", get_primitive),
        ("getShort(Ljava/lang/Object;I)S", get_primitive),
        ("getInt(Ljava/lang/Object;I)I", get_primitive),
        ("getLong(Ljava/lang/Object;I)J", get_primitive),
        ("getFloat(Ljava/lang/Object;I)F", get_primitive),
        ("getDouble(Ljava/lang/Object;I)D", get_primitive),
        ("set(Ljava/lang/Object;ILjava/lang/Object;)V", set),
        ("setBoolean(Ljava/lang/Object;IZ)V", set_primitive),
        ("setByte(Ljava/lang/Object;IB)V", set_primitive),
        ("setChar(Ljava/lang/Object;IC)V", set_primitive),
        ("setShort(Ljava/lang/Object;IS)V", set_primitive),
        ("setInt(Ljava/lang/Object;II)V", set_primitive),
        ("setLong(Ljava/lang/Object;IJ)V", set_primitive),
        ("setFloat(Ljava/lang/Object;IF)V", set_primitive),
        ("setDouble(Ljava/lang/Object;ID)V", set_primitive),
    ],
)];

/// A JVM has no arrays with more dimensions (JVMS §4.3.2).
const MOST_DIMENSIONS: usize = 255;

fn dimensions_of(class: &Class) -> usize {
    class.name.bytes().take_while(|byte| *byte == b'[').count()
}

fn new_array(call: &mut Call) -> Result<Value, Exit> {
    let component = call.class(0)?;
    if matches!(component.form, Form::Primitive(Kind::Void)) || dimensions_of(component) >= MOST_DIMENSIONS {
        return Err(illegal_argument(None));
    }
    let class = call.vm.program.array_class(component);
    let length = call.int(1);
    Ok(call.vm.allocate_array_here(call.state, class, length)?.into())
}

fn multi_new_array(call: &mut Call) -> Result<Value, Exit> {
    let component = call.class(0)?;
    let dimensions = call.object(1)?;
    let lengths: Vec<i32> = match &call.state.heap.get(dimensions).body {
        crate::heap::Body::Ints(lengths) => lengths.to_vec(),
        _ => Vec::new(),
    };
    let is_void = matches!(component.form, Form::Primitive(Kind::Void));
    if lengths.is_empty() || is_void {
        return Err(illegal_argument(None));
    }
    if dimensions_of(component) + lengths.len() > MOST_DIMENSIONS {
        return Err(illegal_argument(None));
    }
    if let Some(negative) = lengths.iter().find(|length| **length < 0) {
        return Err(Trouble::NegativeArraySize(*negative).into());
    }
    let class = lengths.iter().fold(component, |component, _| call.vm.program.array_class(component));
    Ok(fill(call, class, &lengths)?.into())
}

fn fill(call: &mut Call, class: &'static Class, lengths: &[i32]) -> Result<ObjId, Exit> {
    let array = call.vm.allocate_array_here(call.state, class, lengths[0])?;
    if let (Some(component), [length, rest @ ..]) = (class.component(), lengths)
        && !rest.is_empty()
    {
        for index in 0..*length {
            let row = fill(call, component, rest)?;
            call.state.heap.set_element(array, index, row.into());
        }
    }
    Ok(array)
}

fn illegal_argument(message: Option<&str>) -> Exit {
    Trouble::Named("java/lang/IllegalArgumentException", message.map(str::to_string)).into()
}

/// The array that is the first argument, and the kind of its elements.
fn array(call: &Call) -> Result<(ObjId, Kind), Exit> {
    let array = call.object(0)?;
    let class = call.state.heap.class(array);
    match class.component_kind() {
        Some(kind) => Ok((array, kind)),
        None if class.is_open() => call.not_known(),
        None => Err(illegal_argument(Some("Argument is not an array"))),
    }
}

fn get_length(call: &mut Call) -> Result<Value, Exit> {
    let (array, _) = array(call)?;
    call.vm.length_of(call.state, array).map_or_else(|| call.not_known(), Ok)
}

fn element(call: &Call, array: ObjId) -> Result<Value, Exit> {
    let (Value::Int(index), Some(_)) = (call.arguments[1], call.state.heap.length(array)) else {
        return call.not_known();
    };
    call.state.heap.element(array, index).ok_or_else(out_of_bounds)
}

/// Here HotSpot says nothing about the index.
fn out_of_bounds() -> Exit {
    Trouble::Named("java/lang/ArrayIndexOutOfBoundsException", None).into()
}

fn mismatch() -> Exit {
    illegal_argument(Some("argument type mismatch"))
}

/// Primitive elements come boxed, by the `valueOf` of their box.
fn get(call: &mut Call) -> Result<Value, Exit> {
    let (array, kind) = array(call)?;
    let value = element(call, array)?;
    if kind == Kind::Reference {
        return Ok(value);
    }
    let class = call.load(kind.box_class())?;
    let class = call.initialised(class)?;
    match class.own_method("valueOf", &format!("({})L{};", kind.letter(), class.name)) {
        Some(method) => call.hand_over(method, &[value]),
        None => call.unsupported(),
    }
}

fn get_primitive(call: &mut Call) -> Result<Value, Exit> {
    let (array, kind) = primitive_array(call)?;
    let value = element(call, array)?;
    call.widened(value, kind, call.method.result).ok_or_else(mismatch)
}

fn primitive_array(call: &Call) -> Result<(ObjId, Kind), Exit> {
    match array(call)? {
        (_, Kind::Reference) => Err(illegal_argument(Some("Argument is not an array of primitive type"))),
        found => Ok(found),
    }
}

fn set(call: &mut Call) -> Result<Value, Exit> {
    let (array, kind) = array(call)?;
    if kind == Kind::Reference {
        element(call, array)?;
        let wanted = call.state.heap.class(array).component();
        if let (Some(value), Some(wanted)) = (call.reference(2), wanted)
            && !call.has_type(value, wanted)?
        {
            return Err(illegal_argument(Some("array element type mismatch")));
        }
        return store(call, array, call.arguments[2]);
    }
    let Some(value) = call.reference(2) else { return Err(illegal_argument(None)) };
    element(call, array)?;
    let value = call.unboxed(value)?.and_then(|(value, given)| call.widened(value, given, kind));
    store(call, array, value.ok_or_else(mismatch)?)
}

fn set_primitive(call: &mut Call) -> Result<Value, Exit> {
    let (array, kind) = primitive_array(call)?;
    element(call, array)?;
    let value = call.widened(call.arguments[2], call.method.parameters[2], kind);
    store(call, array, value.ok_or_else(mismatch)?)
}

fn store(call: &mut Call, array: ObjId, value: Value) -> Result<Value, Exit> {
    call.vm.check_write(call.state, array, None)?;
    call.write_element(array, call.int(1), value)?;
    Ok(Value::Top)
}
