//! `java.lang.invoke.MethodHandle`: how are handles made, bound, converted and called?
//!
//! A handle object holds: `target`, an index into the program's table; `bound`, values for the parameters of the target at
//! `places`; `varargs`, whether it may collect trailing arguments; `collects`, whether it does. All else, such as
//! `MethodHandles.filterReturnValue`, would need lambda forms and is unsupported.

use lazuli_classfile::format::constant_pool::ReferenceKind;

use super::members;
use crate::heap::Body;
use crate::interp::Trouble;
use crate::interp::dynamic::handle;
use crate::natives::{Call, Exit, Models, throw};
use crate::program::descriptor;
use crate::value::{ObjId, Value};

/// Models that create, bind, convert and call method handles.
pub(super) const MODELS: &[Models] = &[
    (
        "java/lang/invoke/MethodHandle",
        &[
            ("invokeBasic(...)", invoke_basic),
            ("invokeWithArguments([Ljava/lang/Object;)Ljava/lang/Object;", invoke_with_arguments),
            ("bindArgumentL(ILjava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;", |call| {
                bind(call, call.this(), call.int(1), call.arguments[2])
            }),
            ("isVarargsCollector()Z", |call| Ok(call.field(call.this(), "varargs"))),
            ("asFixedArity()Ljava/lang/invoke/MethodHandle;", as_fixed_arity),
            ("asTypeCached(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;", collecting),
        ],
    ),
    (
        "java/lang/invoke/DirectMethodHandle",
        &[
            (
                "make(BLjava/lang/Class;Ljava/lang/invoke/MemberName;Ljava/lang/Class;)Ljava/lang/invoke/DirectMethodHandle;",
                make,
            ),
            ("makeAllocator(Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/DirectMethodHandle;", make_allocator),
            (
                "makeAllocator(Ljava/lang/Class;Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/DirectMethodHandle;",
                make_allocator,
            ),
            ("rebind()Ljava/lang/invoke/BoundMethodHandle;", rebind),
            (
                "copyWith(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;)Ljava/lang/invoke/MethodHandle;",
                |call| with_type(call, call.this(), call.arguments[1]),
            ),
            ("viewAsType(Ljava/lang/invoke/MethodType;Z)Ljava/lang/invoke/MethodHandle;", |call| {
                with_type(call, call.this(), call.arguments[1])
            }),
        ],
    ),
    (
        "java/lang/invoke/MethodHandleImpl",
        &[
            (
                "makePairwiseConvert(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;Z)Ljava/lang/invoke/MethodHandle;",
                convert,
            ),
            (
                "makeVarargsCollector(Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
                make_varargs_collector,
            ),
        ],
    ),
    (
        "java/lang/invoke/MethodHandles",
        &[(
            "insertArgumentPrimitive(Ljava/lang/invoke/BoundMethodHandle;ILjava/lang/Class;Ljava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
            |call| bind(call, call.object(0)?, call.int(1), call.arguments[3]),
        )],
    ),
    // Every combinator comes past here or `rebind` before it has changed anything.
    ("java/lang/invoke/LambdaForm", &[("<clinit>()V", combination)]),
];

fn combination(_call: &mut Call) -> Result<Value, Exit> {
    Err(Exit::Unsupported("a combination of method handles".into()))
}

/// A handle whose arguments can be bound: each one can. But only `MethodHandles.insertArguments` asks for no more than that;
/// all others go on to use the lambda form.
fn rebind(call: &mut Call) -> Result<Value, Exit> {
    match call.state.thread.frames.last() {
        Some(caller) if caller.method.name == "insertArguments" => Ok(call.arguments[0]),
        _ => combination(call),
    }
}

fn make(call: &mut Call) -> Result<Value, Exit> {
    let Some(kind) = handle::reference_kind(call.int(0)) else { return call.unsupported() };
    let class = call.class(1)?;
    new_handle(call, kind, class, call.object(2)?)
}

/// The constructor is the last argument; newer releases say its class before.
fn make_allocator(call: &mut Call) -> Result<Value, Exit> {
    let name = call.object(call.arguments.len() - 1)?;
    match members::member(call, name)? {
        Some(found) => new_handle(call, ReferenceKind::NewInvokeSpecial, found.declaring_class(), name),
        None => call.unsupported(),
    }
}

fn new_handle(
    call: &mut Call,
    kind: ReferenceKind,
    class: &'static crate::program::Class,
    name: ObjId,
) -> Result<Value, Exit> {
    let Some(found) = members::member(call, name)? else { return call.unsupported() };
    let index = call.vm.program.handles().index_of(kind, class, found);
    let program = call.vm.program.clone();
    let Some(target) = program.handles().target(index) else { return call.unsupported() };
    let own_class = handle::class(&program)?;
    let (parameters, result) = handle::natural_type(target);
    let object = call.state.heap.allocate(own_class);
    call.set_field(object, "target", Value::Int(index as i32));
    call.set_field(object, "member", name.into());
    call.set_field(object, "crackable", Value::Int(1));
    let load = |kind: &str| program.load_descriptor(kind).map_err(|error| Exit::Raise(Trouble::Load(error)));
    let mut mirrors = Vec::new();
    for parameter in &parameters {
        mirrors.push(call.mirror(load(parameter)?).into());
    }
    let parameters = call.new_references(program.known().class, mirrors);
    let result = call.mirror(load(&result)?);
    let finish = own_class.methods.iter().find(|method| method.name == "withType");
    match finish {
        Some(finish) => call.hand_over(finish, &[object.into(), result.into(), parameters.into()]),
        None => call.unsupported(),
    }
}

/// A copy of a handle; handles never change once the program has seen them.
fn copy(call: &mut Call, handle: ObjId) -> ObjId {
    let class = call.state.heap.class(handle);
    let body = call.state.heap.get(handle).body.clone();
    let copy = call.state.heap.insert(class, body);
    call.set_field(copy, "asTypeCache", Value::NULL);
    copy
}

fn with_type(call: &mut Call, handle: ObjId, kind: Value) -> Result<Value, Exit> {
    let copy = copy(call, handle);
    call.set_field(copy, "type", kind);
    Ok(copy.into())
}

/// The JDK has checked that the types can be converted; the adapter does it when the handle is called.
fn convert(call: &mut Call) -> Result<Value, Exit> {
    if !call.bool(2) {
        return Err(Exit::Unsupported("java.lang.invoke.MethodHandles.explicitCastArguments".into()));
    }
    let copy = copy(call, call.object(0)?);
    call.set_field(copy, "type", call.arguments[1]);
    call.set_field(copy, "varargs", Value::Int(0));
    Ok(copy.into())
}

fn make_varargs_collector(call: &mut Call) -> Result<Value, Exit> {
    let copy = copy(call, call.object(0)?);
    call.set_field(copy, "varargs", Value::Int(1));
    Ok(copy.into())
}

fn as_fixed_arity(call: &mut Call) -> Result<Value, Exit> {
    if call.field(call.this(), "varargs") != Value::Int(1) {
        return Ok(call.arguments[0]);
    }
    let copy = copy(call, call.this());
    call.set_field(copy, "varargs", Value::Int(0));
    Ok(copy.into())
}

/// The cache of `asType` is asked before the types are compared. It holds nothing here; but a handle that may collect
/// arguments answers for itself, because the comparison knows only fixed arities.
fn collecting(call: &mut Call) -> Result<Value, Exit> {
    let (this, wanted) = (call.this(), call.object(1)?);
    if call.field(this, "varargs") != Value::Int(1) {
        return Ok(Value::NULL);
    }
    let (own, given) = (type_text(call, this)?, members::descriptor_of(call, wanted)?);
    let ((own, _), (given, _)) = (parse(&own)?, parse(&given)?);
    let Some((array, fixed)) = own.split_last() else { return Ok(Value::NULL) };
    if given.len() < fixed.len() {
        return Ok(Value::NULL);
    }
    if given.len() == own.len() {
        let program = call.vm.program.clone();
        let load = |kind: &str| program.load_descriptor(kind).map_err(|error| Exit::Raise(Trouble::Load(error)));
        if load(given[fixed.len()])?.is_subtype_of(load(array)?) {
            return Ok(Value::NULL);
        }
    }
    let copy = copy(call, this);
    call.set_field(copy, "type", wanted.into());
    call.set_field(copy, "varargs", Value::Int(0));
    call.set_field(copy, "collects", Value::Int(1));
    Ok(copy.into())
}

/// Binds the value of the parameter at a position; the type loses that parameter.
fn bind(call: &mut Call, handle: ObjId, position: i32, value: Value) -> Result<Value, Exit> {
    if call.field(handle, "collects") == Value::Int(1) {
        return Err(Exit::Unsupported("an argument bound to a handle that collects its arguments".into()));
    }
    let mut places = places(call, handle);
    let free = (0..).filter(|index| !places.contains(index)).nth(position as usize);
    places.push(free.unwrap_or(position));
    let mut bound = match call.field(handle, "bound") {
        Value::Ref(bound) => call.items(bound),
        _ => Vec::new(),
    };
    bound.push(value);
    let copy = copy(call, handle);
    let object_class = call.vm.program.known().object;
    let bound = call.new_references(object_class, bound);
    let places = call.state.heap.insert(call.vm.program.known().int_array, Body::Ints(places.into()));
    call.set_field(copy, "bound", bound.into());
    call.set_field(copy, "places", places.into());
    call.set_field(copy, "varargs", Value::Int(0));
    let finish = call.state.heap.class(copy).methods.iter().copied().find(|method| method.name == "withoutParameter");
    match finish {
        Some(finish) => call.hand_over(finish, &[copy.into(), Value::Int(position)]),
        None => call.unsupported(),
    }
}

fn places(call: &Call, handle: ObjId) -> Vec<i32> {
    match call.field(handle, "places") {
        Value::Ref(Some(places)) => match &call.state.heap.get(places).body {
            Body::Ints(places) => places.to_vec(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A call whose site has exactly the type of the handle.
fn invoke_basic(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let collects = call.field(this, "collects") == Value::Int(1);
    enter(call, this, collects, call.descriptor, &call.arguments[1..])
}

fn enter(call: &Call, handle: ObjId, collects: bool, wanted: &str, arguments: &[Value]) -> Result<Value, Exit> {
    let Value::Int(index) = call.field(handle, "target") else {
        return Err(Exit::Unsupported("a method handle that Lazuli did not make".into()));
    };
    let program = &call.vm.program;
    let Some(target) = program.handles().target(index as usize) else { return call.unsupported() };
    let adapter = handle::adapter(program, target, &places(call, handle), collects, wanted)?;
    let mut all = match call.field(handle, "bound") {
        Value::Ref(bound) => call.items(bound),
        _ => Vec::new(),
    };
    all.extend_from_slice(arguments);
    call.hand_over(adapter, &all)
}

fn invoke_with_arguments(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let arguments = call.items(Some(call.object(1)?));
    let own = type_text(call, this)?;
    let (parameters, _) = parse(&own)?;
    let may_collect = call.field(this, "varargs") == Value::Int(1);
    let collects = call.field(this, "collects") == Value::Int(1);
    let fits = if may_collect { arguments.len() + 1 >= parameters.len() } else { arguments.len() == parameters.len() };
    let object = "Ljava/lang/Object;";
    if !fits {
        let wanted = vec!["Object"; arguments.len()].join(",");
        let message = format!("cannot convert MethodHandle{} to ({wanted})Object", readable(&own)?);
        return throw("java/lang/invoke/WrongMethodTypeException", message);
    }
    enter(call, this, collects || may_collect, &format!("({}){object}", object.repeat(arguments.len())), &arguments)
}

fn type_text(call: &Call, handle: ObjId) -> Result<String, Exit> {
    match call.field(handle, "type") {
        Value::Ref(Some(kind)) => members::descriptor_of(call, kind),
        _ => call.unsupported(),
    }
}

fn parse(text: &str) -> Result<(Vec<&str>, &str), Exit> {
    descriptor::method(text).ok_or_else(|| Exit::Unsupported(format!("the method type {text}")))
}

/// A method type as `MethodType.toString` prints it: with simple class names.
fn readable(text: &str) -> Result<String, Exit> {
    let simple = |kind: &str| {
        let full = crate::program::readable_type(kind);
        full.rsplit(['.', '$']).next().unwrap_or_default().to_string()
    };
    let (parameters, result) = parse(text)?;
    let parameters: Vec<String> = parameters.into_iter().map(simple).collect();
    Ok(format!("({}){}", parameters.join(","), simple(result)))
}
