//! What do methods do whose arguments are not all known, where their code would not get far? The twins of natives that can do more
//! than give up, and texts: the digits of an unknown number are not worth a path each, so that the text is not told instead.

use lazuli_logic::{Binary, Sort};

use super::java::lang::system::refers_to;
use super::{Call, Exit, Models, lazuli, throw};
use crate::heap::Body;
use crate::interp::{Location, Trouble, plain_units, unit_of};
use crate::untold::{TextUnit, UntoldText};
use crate::value::{Kind, ObjId, Value};

/// Models of methods whose arguments are not all known.
pub(super) const MODELS: &[Models] = &[
    (
        "java/lang/Object",
        &[
            ("getClass()Ljava/lang/Class;", get_class),
            ("hashCode()I", identity_hash),
            ("clone()Ljava/lang/Object;", clone),
        ],
    ),
    (
        "java/lang/System",
        &[
            ("arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", arraycopy),
            ("identityHashCode(Ljava/lang/Object;)I", identity_hash),
        ],
    ),
    (
        "java/lang/StringBuilder",
        &[
            ("append(I)Ljava/lang/StringBuilder;", append),
            ("append(J)Ljava/lang/StringBuilder;", append),
            ("append(F)Ljava/lang/StringBuilder;", append),
            ("append(D)Ljava/lang/StringBuilder;", append),
            ("append(C)Ljava/lang/StringBuilder;", append),
            ("append(Z)Ljava/lang/StringBuilder;", append),
            ("append(Ljava/lang/String;)Ljava/lang/StringBuilder;", append),
            ("toString()Ljava/lang/String;", built_text),
        ],
    ),
    ("java/lang/String", &[("length()I", text_length)]),
    ("java/lang/AbstractStringBuilder", &[("length()I", text_length)]),
    (
        "java/lang/Integer",
        &[("toString(I)Ljava/lang/String;", decimal_text), ("toHexString(I)Ljava/lang/String;", number_text)],
    ),
    (
        "java/lang/Long",
        &[("toString(J)Ljava/lang/String;", decimal_text), ("toHexString(J)Ljava/lang/String;", number_text)],
    ),
    ("java/lang/Float", &[("toString(F)Ljava/lang/String;", number_text)]),
    ("java/lang/Double", &[("toString(D)Ljava/lang/String;", number_text)]),
    (
        "java/io/PrintStream",
        &[
            ("print(I)V", print),
            ("print(J)V", print),
            ("print(F)V", print),
            ("print(D)V", print),
            ("print(C)V", print),
            ("print(Z)V", print),
            ("print(Ljava/lang/String;)V", print),
            ("println(I)V", print),
            ("println(J)V", print),
            ("println(F)V", print),
            ("println(D)V", print),
            ("println(C)V", print),
            ("println(Z)V", print),
            ("println(Ljava/lang/String;)V", print),
            ("write(Ljava/lang/String;)V", print),
            ("writeln(Ljava/lang/String;)V", print),
        ],
    ),
    (
        "jdk/internal/util/ArraysSupport",
        &[("vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I", no_vectors)],
    ),
    ("java/lang/ref/Reference", &[("refersTo0(Ljava/lang/Object;)Z", refers_to)]),
    ("java/lang/Class", &[("isInstance(Ljava/lang/Object;)Z", is_instance)]),
    (
        "lazuli/Lazuli",
        &[
            ("assume(Z)V", lazuli::assume),
            ("isKnown(Ljava/lang/Object;Ljava/lang/String;)Z", lazuli::is_known),
            ("isValid(Ljava/lang/Object;)Z", lazuli::is_valid),
        ],
    ),
    ("org/sosy_lab/sv_benchmarks/Verifier", &[("assume(Z)V", lazuli::assume)]),
];

/// A builder to which a number is appended that is not known, or a text that is not told, is not told from then on.
fn append(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let kind = call.method.parameters[0];
    let is_number = !matches!(kind, Kind::Char | Kind::Boolean | Kind::Reference);
    let is_untold = match call.arguments[1] {
        Value::Term(..) => is_number,
        Value::Ref(Some(text)) => is_untold(call, text),
        _ => false,
    };
    if !is_untold && !self::is_untold(call, this) {
        return Err(Exit::OwnCode);
    }
    let part: Vec<TextUnit> = match (kind, call.arguments[1]) {
        (Kind::Char, Value::Int(unit)) => vec![TextUnit::Known(unit as u16)],
        (Kind::Char, Value::Term(term, _)) => vec![unit_of(call.vm, term)],
        (Kind::Boolean, Value::Int(truth)) => plain_units(if truth != 0 { "true" } else { "false" }).collect(),
        (Kind::Boolean, Value::Term(term, _)) => {
            let zero = call.vm.terms.int(0);
            let is_false = call.vm.terms.equal(term, zero);
            plain_units(if call.vm.decide(call.state, is_false)? { "false" } else { "true" }).collect()
        }
        (_, Value::Int(number)) => plain_units(&number.to_string()).collect(),
        (_, Value::Long(number)) => plain_units(&number.to_string()).collect(),
        (_, Value::Term(term, Sort::Int | Sort::Long)) => vec![TextUnit::Number(term)],
        (_, Value::Ref(None)) => plain_units("null").collect(),
        (_, Value::Ref(Some(text))) => call.vm.parts_of_text(call.state, text),
        _ => vec![TextUnit::Untold],
    };
    let (mut units, mut growth) = call.vm.parts_of_builder(call.state, this);
    units.extend(part);
    growth.steps.push(units.len());
    for slot in 0..call.state.heap.class(this).defaults.len() {
        call.state.heap.set_field(this, slot, Value::Unread);
    }
    call.state.symbols.set_untold(UntoldText { object: this, units: units.into(), growth: Some(growth) });
    Ok(this.into())
}

fn built_text(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    if !is_untold(call, this) {
        return Err(Exit::OwnCode);
    }
    let (units, _) = call.vm.parts_of_builder(call.state, this);
    Ok(call.vm.untold_string(call.state, units).into())
}

fn number_text(call: &mut Call) -> Result<Value, Exit> {
    Ok(call.vm.untold_text(call.state).into())
}

fn decimal_text(call: &mut Call) -> Result<Value, Exit> {
    match call.arguments[0] {
        Value::Term(number, _) => Ok(call.vm.untold_string(call.state, vec![TextUnit::Number(number)]).into()),
        _ => Err(Exit::OwnCode),
    }
}

fn text_length(call: &mut Call) -> Result<Value, Exit> {
    call.vm.length_of_untold(call.state, call.this()).ok_or(Exit::OwnCode)
}

/// Does the string or builder hold a text that is not told? Nothing but such a one has unread fields and is no input.
fn is_untold(call: &Call, text: ObjId) -> bool {
    call.state.symbols.input(text).is_none() && call.state.heap.field(text, 0) == Value::Unread
}

/// Drops the output of an exploration. A stream of the program's own runs its own code.
fn print(call: &mut Call) -> Result<Value, Exit> {
    if is_standard_output(call) { Ok(Value::Top) } else { Err(Exit::OwnCode) }
}

/// Does a stream lead to standard output or error, and to nothing that the program can look at?
fn is_standard_output(call: &Call) -> bool {
    let behind = |stream: ObjId| {
        let class = call.state.heap.class(stream);
        let field = class.field("out")?;
        call.state.heap.field(stream, field.slot as usize).object()
    };
    let is_exactly = |stream: ObjId, name: &str| call.state.heap.class(stream).name == name;
    let is_file = || {
        let buffer = behind(call.this()).filter(|stream| is_exactly(*stream, "java/io/BufferedOutputStream"))?;
        behind(buffer).filter(|stream| is_exactly(*stream, "java/io/FileOutputStream"))
    };
    is_exactly(call.this(), "java/io/PrintStream") && is_file().is_some()
}

/// Compares nothing, and says that all elements are left to be compared one by one, which the caller then does.
fn no_vectors(call: &mut Call) -> Result<Value, Exit> {
    let Some(length) = call.vm.term_of(call.arguments[4], Sort::Int) else { return call.unsupported() };
    let all = call.vm.terms.int(-1);
    let rest = call.vm.terms.binary(Binary::BitXor, length, all);
    Ok(call.vm.value_of(rest))
}

/// More elements than this are not copied one by one.
const MOST_ELEMENTS: i32 = 4096;

fn get_class(call: &mut Call) -> Result<Value, Exit> {
    let class = call.vm.exact_class(call.state, call.this())?;
    Ok(call.mirror(class).into())
}

fn identity_hash(call: &mut Call) -> Result<Value, Exit> {
    Ok(call.reference(0).map_or(Value::Int(0), |object| call.vm.identity_hash(call.state, object)))
}

fn is_instance(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    let Some(object) = call.reference(1) else { return Ok(Value::Int(0)) };
    Ok(Value::bool(call.vm.has_type(call.state, object, class)?))
}

/// An array is copied element by element; an ordinary object must have been read in full, because the copy is no input.
fn clone(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let class = call.vm.exact_class(call.state, this)?;
    if !class.is_array() {
        let cloneable = call.load("java/lang/Cloneable")?;
        if !class.is_subtype_of(cloneable) {
            return throw("java/lang/CloneNotSupportedException", class.java_name());
        }
        read_all_fields(call, this)?;
        let body = call.state.heap.get(this).body.clone();
        return Ok(call.state.heap.insert(class, body).into());
    }
    let values = read_elements(call, this)?;
    let copy = call.state.heap.allocate_array(class, values.len());
    write_elements(call, copy, 0, &values);
    Ok(copy.into())
}

fn read_all_fields(call: &mut Call, object: ObjId) -> Result<(), Exit> {
    let class = call.state.heap.class(object);
    for slot in 0..class.defaults.len() as u32 {
        if call.state.heap.field(object, slot as usize) != Value::Unread {
            continue;
        }
        let Some(field) = class.field_at(slot) else { continue };
        call.vm.read_field(call.state, object, slot, field.kind, field.name, field.descriptor)?;
    }
    Ok(())
}

/// All elements of an array, whose length is asked for if need be.
fn read_elements(call: &mut Call, array: ObjId) -> Result<Vec<Value>, Exit> {
    let Some(length) = call.vm.length_of(call.state, array) else { return call.unsupported() };
    let length = call.vm.fix(call.state, length, MOST_ELEMENTS)?;
    (0..length).map(|index| read_element(call, array, Value::Int(index))).collect()
}

fn read_element(call: &mut Call, array: ObjId, index: Value) -> Result<Value, Exit> {
    match call.vm.locate(call.state, array, index)? {
        Location::OutOfBounds => Err(Exit::Raise(Trouble::Untold("java/lang/ArrayIndexOutOfBoundsException"))),
        Location::Index(index) => Ok(call.state.heap.element(array, index).unwrap_or(Value::Top)),
        Location::Touched(position) => match call.vm.read_touched(call.state, array, position)? {
            Some(value) => Ok(value),
            None => call.unsupported(),
        },
    }
}

/// Writes elements that are known to fit into an array that is written down in full.
fn write_elements(call: &mut Call, array: ObjId, from: i32, values: &[Value]) {
    let has_terms = values.iter().any(|value| matches!(value, Value::Term(..)));
    let is_primitive = call.state.heap.class(array).component_kind() != Some(Kind::Reference);
    if has_terms && is_primitive && !matches!(call.state.heap.get(array).body, Body::Mixed(_)) {
        call.state.heap.mix(array);
    }
    for (index, value) in (from..).zip(values) {
        call.state.heap.set_element(array, index, *value);
    }
}

fn arraycopy(call: &mut Call) -> Result<Value, Exit> {
    let (source, target) = (call.object(0)?, call.object(2)?);
    call.vm.check_write(call.state, target, None)?;
    let (from, to, count) = (call.arguments[1], call.arguments[3], call.arguments[4]);
    let (source_class, target_class) = (call.state.heap.class(source), call.state.heap.class(target));
    let (Some(component), Some(wanted)) = (source_class.component(), target_class.component()) else {
        if source_class.is_open() || target_class.is_open() {
            return call.not_known();
        }
        return throw("java/lang/ArrayStoreException", "arraycopy: not an array");
    };
    if component.kind() != wanted.kind() || (component.kind() != Kind::Reference && component.id != wanted.id) {
        return throw("java/lang/ArrayStoreException", "arraycopy: type mismatch");
    }
    if component.kind() == Kind::Reference && target_class.is_open() {
        return Err(Exit::Unsupported("System.arraycopy into an array of an unknown type".into()));
    }
    let outside = || Err(Exit::Raise(Trouble::Untold("java/lang/ArrayIndexOutOfBoundsException")));
    for (array, start) in [(source, from), (target, to)] {
        if !fits(call, array, start, count)? {
            return outside();
        }
    }
    let count = call.vm.fix(call.state, count, MOST_ELEMENTS)?;
    let mut values = Vec::new();
    for offset in 0..count {
        let index = plus(call, from, offset);
        values.push(read_element(call, source, index)?);
    }
    // All places are found before anything is written: finding one may ask.
    let mut places = Vec::new();
    for offset in 0..count {
        let index = plus(call, to, offset);
        match call.vm.locate(call.state, target, index)? {
            Location::OutOfBounds => return outside(),
            place => places.push(place),
        }
    }
    // As `System.arraycopy` is specified, the elements before the first one that does not fit are copied before it throws.
    let mut allowed = values.len();
    if component.kind() == Kind::Reference && !component.is_subtype_of(wanted) {
        for (at, value) in values.iter().enumerate() {
            if let Value::Ref(Some(object)) = call.settled(*value)?
                && !call.has_type(object, wanted)?
            {
                allowed = at;
                break;
            }
        }
    }
    let is_refused = allowed < values.len();
    for (place, value) in places.into_iter().zip(values).take(allowed) {
        match place {
            Location::Index(index) => write_elements(call, target, index, &[value]),
            Location::Touched(position) => {
                if let Some(sparse) = call.state.heap.sparse_mut(target) {
                    sparse.touched[position].1 = value;
                }
            }
            Location::OutOfBounds => {}
        }
    }
    if is_refused {
        return Err(Exit::Raise(Trouble::Untold("java/lang/ArrayStoreException")));
    }
    Ok(Value::Top)
}

fn plus(call: &mut Call, index: Value, offset: i32) -> Value {
    match (index, call.vm.term_of(index, Sort::Int)) {
        (Value::Term(..), Some(term)) => {
            let offset = call.vm.terms.int(offset);
            let sum = call.vm.terms.binary(Binary::Add, term, offset);
            call.vm.value_of(sum)
        }
        (Value::Int(index), _) => Value::Int(index.wrapping_add(offset)),
        (other, _) => other,
    }
}

/// Do that many elements lie in the array from the start on? Computed without overflow, as the JVM does.
fn fits(call: &mut Call, array: ObjId, start: Value, count: Value) -> Result<bool, Exit> {
    let Some(length) = call.vm.length_of(call.state, array) else { return call.unsupported() };
    let terms = [start, count, length].map(|value| call.vm.term_of(value, Sort::Int));
    let [Some(start), Some(count), Some(length)] = terms else { return call.unsupported() };
    let terms = &mut call.vm.terms;
    let zero = terms.int(0);
    let room = terms.binary(Binary::Subtract, length, start);
    let conditions = [terms.less(start, zero), terms.less(count, zero), terms.less(room, count)];
    for outside in conditions {
        if call.vm.decide(call.state, outside)? {
            return Ok(false);
        }
    }
    Ok(true)
}
