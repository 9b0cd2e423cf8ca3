//! `java.lang.System`, `java.lang.Runtime`, `java.lang.Shutdown` and process-wide things.

use std::rc::Rc;

use crate::ambient::{AmbientValue, Source};
use crate::heap::Body;
use crate::interp::Trouble;
use crate::natives::{Call, Exit, Models, always_false, always_null, nothing, throw};
use crate::outcome::End;
use crate::value::{Kind, ObjId, Value};

/// Models of process-wide methods: clocks, array copies, standard streams, memory, exit and references.
pub(crate) const MODELS: &[Models] = &[
    (
        "java/lang/System",
        &[
            ("registerNatives()V", nothing),
            ("currentTimeMillis()J", current_time_millis),
            ("nanoTime()J", nano_time),
            ("arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", arraycopy),
            ("identityHashCode(Ljava/lang/Object;)I", identity_hash_code),
            ("setIn0(Ljava/io/InputStream;)V", set_in),
            ("setOut0(Ljava/io/PrintStream;)V", set_out),
            ("setErr0(Ljava/io/PrintStream;)V", set_err),
            ("loadLibrary(Ljava/lang/String;)V", nothing),
            ("getSecurityManager()Ljava/lang/SecurityManager;", always_null),
            ("allowSecurityManager()Z", always_false),
        ],
    ),
    (
        "java/lang/Runtime",
        &[
            ("availableProcessors()I", processors),
            ("freeMemory()J", free_memory),
            ("totalMemory()J", total_memory),
            ("maxMemory()J", max_memory),
            ("gc()V", collect),
        ],
    ),
    (
        "java/lang/Shutdown",
        // The logger would not be loggable: it is for debugging, and only a configuration file turns it on.
        &[("beforeHalt()V", nothing), ("halt0(I)V", halt), ("logRuntimeExit(I)V", nothing)],
    ),
    ("java/lang/ProcessEnvironment", &[("environ()[[B", environ)]),
    (
        "java/lang/ref/Reference",
        &[
            ("getAndClearReferencePendingList()Ljava/lang/ref/Reference;", always_null),
            ("hasReferencePendingList()Z", always_false),
            ("refersTo0(Ljava/lang/Object;)Z", refers_to),
            ("clear0()V", clear_reference),
        ],
    ),
    (
        "java/lang/ref/PhantomReference",
        &[("refersTo0(Ljava/lang/Object;)Z", refers_to), ("clear0()V", clear_reference)],
    ),
    (
        "java/lang/ref/Finalizer",
        &[("isFinalizationEnabled()Z", always_false), ("register(Ljava/lang/Object;)V", nothing)],
    ),
];

fn current_time_millis(call: &mut Call) -> Result<Value, Exit> {
    if call.vm.is_exploring {
        return Ok(call.vm.clock(call.state, "System.currentTimeMillis()", 1000));
    }
    Ok(Value::Long(call.vm.now().as_millis() as i64))
}

fn nano_time(call: &mut Call) -> Result<Value, Exit> {
    if call.vm.is_exploring {
        return Ok(call.vm.nano_time(call.state));
    }
    Ok(Value::Long(call.vm.now().as_nanos() as i64))
}

fn identity_hash_code(call: &mut Call) -> Result<Value, Exit> {
    Ok(call.reference(0).map_or(Value::Int(0), |object| call.vm.identity_hash(call.state, object)))
}

fn set_stream(call: &mut Call, name: &str) -> Result<Value, Exit> {
    let class = call.load("java/lang/System")?;
    let stream = call.arguments[0];
    call.set_static_field(class, name, stream);
    Ok(Value::Top)
}

fn set_in(call: &mut Call) -> Result<Value, Exit> {
    set_stream(call, "in")
}

fn set_out(call: &mut Call) -> Result<Value, Exit> {
    set_stream(call, "out")
}

fn set_err(call: &mut Call) -> Result<Value, Exit> {
    set_stream(call, "err")
}

/// The library only decides by it how work is shared out, in ways that a program cannot tell.
fn processors(call: &mut Call) -> Result<Value, Exit> {
    let usual = Value::Int(1);
    let is_programs = call.state.thread.frames.last().is_some_and(|frame| frame.method.class().is_users());
    if !call.vm.is_exploring || !is_programs {
        return Ok(usual);
    }
    let (source, name) = (Source::Processors, "Runtime.availableProcessors()");
    Ok(call.vm.take(call.state, AmbientValue { source, name, kind: Kind::Int, range: (1, i32::MAX as i64), usual }))
}

fn memory(call: &mut Call, name: &'static str, usual: usize) -> Result<Value, Exit> {
    let usual = Value::Long(usual as i64);
    if !call.vm.is_exploring {
        return Ok(usual);
    }
    Ok(call
        .vm
        .take(call.state, AmbientValue { source: Source::Memory, name, kind: Kind::Long, range: (0, i64::MAX), usual }))
}

fn max_memory(call: &mut Call) -> Result<Value, Exit> {
    memory(call, "Runtime.maxMemory()", call.vm.limits.heap)
}

fn total_memory(call: &mut Call) -> Result<Value, Exit> {
    memory(call, "Runtime.totalMemory()", call.vm.limits.heap)
}

fn free_memory(call: &mut Call) -> Result<Value, Exit> {
    let free = call.vm.limits.heap.saturating_sub(call.state.heap.bytes());
    memory(call, "Runtime.freeMemory()", free)
}

fn collect(call: &mut Call) -> Result<Value, Exit> {
    call.state.collect_garbage(&call.vm.program, false);
    Ok(Value::Top)
}

fn halt(call: &mut Call) -> Result<Value, Exit> {
    Err(Exit::Stop(End::Exited(call.int(0)).into()))
}

/// The model of `Reference.refersTo0`: compares the referent without keeping it alive.
pub(crate) fn refers_to(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let Some(field) = call.state.heap.class(this).field("referent") else { return call.unsupported() };
    let referent = call.read_slot(this, field.slot as usize)?;
    Ok(Value::bool(call.is_same(Kind::Reference, referent, call.arguments[1])?))
}

fn clear_reference(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    call.set_field(this, "referent", Value::NULL);
    Ok(Value::Top)
}

/// The environment as alternating names and values.
fn environ(call: &mut Call) -> Result<Value, Exit> {
    let bytes = call.vm.program.known().byte_array;
    let mut items = Vec::new();
    for (name, value) in call.vm.host.environment() {
        for text in [name, value] {
            let contents = text.bytes().map(|byte| byte as i8).collect();
            items.push(call.state.heap.insert(bytes, Body::Bytes(contents)).into());
        }
    }
    Ok(call.new_references(bytes, items).into())
}

fn arraycopy(call: &mut Call) -> Result<Value, Exit> {
    let (source, target) = (call.object(0)?, call.object(2)?);
    let (from, to, count) = (call.int(1), call.int(3), call.int(4));
    let heap = &call.state.heap;
    let (Some(source_length), Some(target_length)) = (heap.length(source), heap.length(target)) else {
        return not_arrays(call, source, target);
    };
    let source_class = heap.class(source);
    let target_class = heap.class(target);
    let (source_kind, target_kind) = (source_class.component_kind(), target_class.component_kind());
    if source_kind != target_kind {
        return throw("java/lang/ArrayStoreException", mismatch(source_class, target_class));
    }
    let what = |class: &crate::program::Class| match class.component().map(|component| component.name) {
        Some(name) if class.component_kind() != Some(crate::value::Kind::Reference) => format!("{name}[{{}}]"),
        _ => "object array[{}]".to_string(),
    };
    let bounds = |message: String| throw("java/lang/ArrayIndexOutOfBoundsException", message);
    if from < 0 {
        let array = what(source_class).replace("{}", &source_length.to_string());
        return bounds(format!("arraycopy: source index {from} out of bounds for {array}"));
    }
    if to < 0 {
        let array = what(target_class).replace("{}", &target_length.to_string());
        return bounds(format!("arraycopy: destination index {to} out of bounds for {array}"));
    }
    if count < 0 {
        return bounds(format!("arraycopy: length {count} is negative"));
    }
    if from as i64 + count as i64 > source_length as i64 {
        let array = what(source_class).replace("{}", &source_length.to_string());
        let last = from as i64 + count as i64;
        return bounds(format!("arraycopy: last source index {last} out of bounds for {array}"));
    }
    if to as i64 + count as i64 > target_length as i64 {
        let array = what(target_class).replace("{}", &target_length.to_string());
        let last = to as i64 + count as i64;
        return bounds(format!("arraycopy: last destination index {last} out of bounds for {array}"));
    }
    let (from, to, count) = (from as usize, to as usize, count as usize);
    if source_kind == Some(crate::value::Kind::Reference) {
        return copy_references(call, (source, from), (target, to), count);
    }
    macro_rules! copy {
        ($($body:ident),*) => {
            match call.state.heap.get(source).body.clone() {
                $(Body::$body(items) => {
                    // The clone shares the contents, so that overlapping ranges of one array are copied correctly.
                    if let Body::$body(target) = call.state.heap.body_mut(target) {
                        if Rc::ptr_eq(&items, target) {
                            drop(items);
                            Rc::make_mut(target).copy_within(from..from + count, to);
                        } else {
                            Rc::make_mut(target)[to..to + count].copy_from_slice(&items[from..from + count]);
                        }
                    }
                })*
                _ => {}
            }
        };
    }
    copy!(Bytes, Chars, Shorts, Ints, Longs, Floats, Doubles);
    Ok(Value::Top)
}

/// References are checked one by one where the target could refuse them; those before a refused one are copied.
fn copy_references(
    call: &mut Call,
    source: (ObjId, usize),
    target: (ObjId, usize),
    count: usize,
) -> Result<Value, Exit> {
    let Body::Refs(items) = call.state.heap.get(source.0).body.clone() else { return call.not_known() };
    let component =
        |array| call.state.heap.class(array).component().expect("an array of references has a component class");
    let (given, wanted) = (component(source.0), component(target.0));
    let mut refused = None;
    if !given.is_subtype_of(wanted) {
        // All is asked before anything is copied.
        for (at, item) in items[source.1..source.1 + count].iter().enumerate() {
            if let Value::Ref(Some(item)) = call.settled(*item)?
                && !call.has_type(item, wanted)?
            {
                refused = Some(at);
                break;
            }
        }
    }
    let heap = &mut call.state.heap;
    let allowed = refused.unwrap_or(count);
    if let Body::Refs(target_items) = heap.body_mut(target.0) {
        if Rc::ptr_eq(&items, target_items) {
            drop(items);
            Rc::make_mut(target_items).copy_within(source.1..source.1 + allowed, target.1);
        } else {
            let range = &items[source.1..source.1 + allowed];
            Rc::make_mut(target_items)[target.1..target.1 + allowed].copy_from_slice(range);
        }
    }
    if refused.is_none() {
        return Ok(Value::Top);
    }
    let (given_name, wanted_name) = (given.java_name(), wanted.java_name());
    let message = if wanted.is_subtype_of(given) {
        format!(
            "arraycopy: element type mismatch: can not cast one of the elements of {given_name}[] \
             to the type of the destination array, {wanted_name}"
        )
    } else {
        format!("arraycopy: type mismatch: can not copy {given_name}[] into {wanted_name}[]")
    };
    throw("java/lang/ArrayStoreException", message)
}

fn not_arrays(call: &Call, source: ObjId, target: ObjId) -> Result<Value, Exit> {
    let heap = &call.state.heap;
    let message = if heap.length(source).is_none() {
        format!("arraycopy: source type {} is not an array", heap.class(source).java_name())
    } else {
        format!("arraycopy: destination type {} is not an array", heap.class(target).java_name())
    };
    Err(Trouble::Named("java/lang/ArrayStoreException", Some(message)).into())
}

fn mismatch(source: &crate::program::Class, target: &crate::program::Class) -> String {
    use crate::value::Kind::Reference;
    let name = |class: &crate::program::Class| match class.component() {
        Some(component) if component.kind() != Reference => format!("{}[]", component.name),
        _ => "object array[]".to_string(),
    };
    format!("arraycopy: type mismatch: can not copy {} into {}", name(source), name(target))
}
