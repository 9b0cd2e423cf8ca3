//! `jdk.internal.reflect`: who is calling, and calls by name.

use lazuli_classfile::format::attributes::AttributeData;

use crate::heap::Body;
use crate::interp::Trouble;
use crate::interp::dynamic::reflective;
use crate::natives::java::lang::class::nest_host;
use crate::natives::{Call, Exit, Models, always_true, throw};
use crate::program::{Class, Method, descriptor};
use crate::value::{Kind, ObjId, Value};

/// The JDK from which on messages about wrong receivers name the classes.
const FIRST_JDK_WITH_NAMES: u32 = 21;

/// Models that find the caller of a method.
pub(super) const MODELS: &[Models] = &[
    (
        "jdk/internal/reflect/Reflection",
        &[
            ("getCallerClass()Ljava/lang/Class;", get_caller_class),
            ("getClassAccessFlags(Ljava/lang/Class;)I", |call| Ok(Value::Int(call.class(0)?.access as i32))),
            ("isCallerSensitive(Ljava/lang/reflect/Method;)Z", reflected_is_caller_sensitive),
            ("areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z", are_nest_mates),
        ],
    ),
    (
        "jdk/internal/reflect/ReflectionFactory",
        &[
            // No number of calls makes the JDK spin a class for them.
            ("inflationThreshold()I", |_| Ok(Value::Int(i32::MAX))),
            // Methods and constructors are called without the detour by combinations of method handles.
            ("useNativeAccessorOnly()Z", always_true),
        ],
    ),
    (
        "jdk/internal/reflect/MethodAccessorGenerator",
        &[(
            "generateSerializationConstructor(Ljava/lang/Class;[Ljava/lang/Class;[Ljava/lang/Class;ILjava/lang/Class;)\
             Ljdk/internal/reflect/SerializationConstructorAccessorImpl;",
            generated_deserialiser,
        )],
    ),
    (
        // From JDK 22 on, in the place of the generator.
        "jdk/internal/reflect/MethodHandleAccessorFactory",
        &[(
            "newSerializableConstructorAccessor(Ljava/lang/Class;Ljava/lang/reflect/Constructor;)\
             Ljdk/internal/reflect/ConstructorAccessorImpl;",
            factory_deserialiser,
        )],
    ),
];

/// Calls by name, whose receiver and arguments need not be known.
pub(super) const CALLS: &[Models] = &[
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        &[("invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", invoke)],
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl",
        &[("newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;", new_instance)],
    ),
    (
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor",
        &[("invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", invoke)],
    ),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        &[("newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;", new_instance)],
    ),
];

/// The class that called the method which asks. The machinery of reflective calls does not count.
fn get_caller_class(call: &mut Call) -> Result<Value, Exit> {
    let shown = call.state.thread.frames.iter().rev().filter(|frame| !frame.method.hidden);
    let mut callers = shown.skip(1).map(|frame| frame.method).filter(|method| !calls_reflectively(method));
    match callers.next().map(|method| method.class()) {
        Some(class) => Ok(call.mirror(class).into()),
        None => Ok(Value::NULL),
    }
}

fn calls_reflectively(method: &Method) -> bool {
    match method.class().name {
        "java/lang/reflect/Method" => method.name == "invoke",
        _ => method.class().chain().any(|class| class.name == "jdk/internal/reflect/MethodAccessorImpl"),
    }
}

fn are_nest_mates(call: &mut Call) -> Result<Value, Exit> {
    let (one, other) = (call.class(0)?, call.class(1)?);
    Ok(Value::bool(nest_host(call, one).id == nest_host(call, other).id))
}

fn reflected_is_caller_sensitive(call: &mut Call) -> Result<Value, Exit> {
    let method = reflected(call, call.object(0)?)?;
    Ok(Value::bool(is_caller_sensitive(method)))
}

/// Does the method of the JDK look at its caller? It says so by an annotation.
pub(crate) fn is_caller_sensitive(method: &Method) -> bool {
    !method.class().is_users()
        && method.attributes().any(|attribute| match attribute {
            AttributeData::RuntimeVisibleAnnotations(annotations) => annotations
                .iter()
                .any(|annotation| annotation.type_descriptor.to_string() == "Ljdk/internal/reflect/CallerSensitive;"),
            _ => false,
        })
}

/// The method or constructor that a reflected one stands for.
fn reflected(call: &Call, member: ObjId) -> Result<&'static Method, Exit> {
    let (Value::Ref(Some(mirror)), Value::Int(slot)) = (call.field(member, "clazz"), call.field(member, "slot")) else {
        return call.unsupported();
    };
    let class = call.class_of(mirror)?;
    class.methods.get(slot as usize).copied().ok_or_else(|| Exit::Unsupported("an unknown method".into()))
}

fn invoke(call: &mut Call) -> Result<Value, Exit> {
    let method = reflected(call, call.object(0)?)?;
    if method.is_signature_polymorphic() {
        return Err(Exit::Unsupported(format!("a reflective call of {}", method.full_name())));
    }
    let mut values = Vec::new();
    if !method.is_static() {
        let receiver = call.object(1)?;
        if !call.has_type(receiver, method.class())? {
            return wrong_receiver(call, receiver, method);
        }
        values.push(receiver.into());
    }
    unpack(call, method, call.reference(2), &mut values)?;
    let invoker = reflective::invoker(&call.vm.program, method)?;
    call.hand_over(invoker, &values)
}

fn wrong_receiver(call: &Call, receiver: ObjId, method: &Method) -> Result<Value, Exit> {
    let message = if call.vm.program.jdk().feature() < FIRST_JDK_WITH_NAMES {
        "object is not an instance of declaring class".to_string()
    } else {
        let given = call.state.heap.get(receiver).class.java_name();
        format!("object of type {given} is not an instance of {}", method.class().java_name())
    };
    throw("java/lang/IllegalArgumentException", message)
}

fn new_instance(call: &mut Call) -> Result<Value, Exit> {
    let constructor = reflected(call, call.object(0)?)?;
    let mut values = Vec::new();
    unpack(call, constructor, call.reference(1), &mut values)?;
    let invoker = reflective::invoker(&call.vm.program, constructor)?;
    call.hand_over(invoker, &values)
}

/// As the generator of JDK 17 makes it, for the constructor without parameters of a superclass.
fn generated_deserialiser(call: &mut Call) -> Result<Value, Exit> {
    let (class, base) = (call.class(1)?, call.class(5)?);
    match base.own_method("<init>", "()V") {
        Some(constructor) if call.references(call.reference(2)).is_empty() => {
            deserialiser(call, class, constructor, "jdk/internal/reflect/SerializationConstructorAccessorImpl")
        }
        _ => call.unsupported(),
    }
}

/// As the factory of later JDKs makes it.
fn factory_deserialiser(call: &mut Call) -> Result<Value, Exit> {
    let (class, constructor) = (call.class(0)?, reflected(call, call.object(1)?)?);
    if !constructor.parameters.is_empty() || !class.chain().any(|above| above.id == constructor.class().id) {
        return call.unsupported();
    }
    deserialiser(call, class, constructor, "jdk/internal/reflect/ConstructorAccessorImpl")
}

/// The accessor that makes an object without running the constructors of its serialisable classes.
fn deserialiser(
    call: &mut Call,
    class: &'static Class,
    constructor: &'static Method,
    accessor: &str,
) -> Result<Value, Exit> {
    let accessor = call.load(accessor)?;
    call.initialised(accessor)?;
    let glue = reflective::deserialiser(&call.vm.program, accessor, class, constructor)?;
    // The glue has nothing to initialise.
    Ok(call.state.heap.allocate(glue).into())
}

/// Adds the arguments of a reflective call, unboxed and widened as the method wants them.
fn unpack(call: &mut Call, method: &Method, arguments: Option<ObjId>, values: &mut Vec<Value>) -> Result<(), Exit> {
    if let Some(array) = arguments
        && !matches!(call.state.heap.get(array).body, Body::Refs(_))
    {
        return call.not_known();
    }
    let arguments = call.items(arguments);
    if arguments.len() != method.parameters.len() {
        return throw("java/lang/IllegalArgumentException", "wrong number of arguments");
    }
    let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
    for ((argument, kind), wanted) in arguments.into_iter().zip(&method.parameters).zip(parameters) {
        // Every object and null fit here, so that it need not be known which it is.
        if *kind == Kind::Reference && wanted == "Ljava/lang/Object;" {
            values.push(argument);
            continue;
        }
        let value = match (call.settled(argument)?, kind) {
            (Value::Ref(None), Kind::Reference) => Some(Value::NULL),
            (Value::Ref(Some(object)), Kind::Reference) => {
                let wanted: &'static Class = call.vm.program.load_descriptor(wanted).map_err(Trouble::Load)?;
                call.has_type(object, wanted)?.then_some(object.into())
            }
            (Value::Ref(Some(object)), _) => {
                call.unboxed(object)?.and_then(|(value, given)| call.widened(value, given, *kind))
            }
            (Value::Ref(None), _) => return Err(Trouble::Named("java/lang/IllegalArgumentException", None).into()),
            _ => return call.not_known(),
        };
        match value {
            Some(value) => values.push(value),
            None => return throw("java/lang/IllegalArgumentException", "argument type mismatch"),
        }
    }
    Ok(())
}
