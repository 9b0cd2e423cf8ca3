//! Reflective calls: what HotSpot's `Reflection::invoke` does once it has checked the arguments.
//!
//! A method gets a static one that takes the same arguments (the receiver first), calls it, boxes its result, and wraps
//! what it throws. The class is initialised outside of the wrapping: its failure comes as it is.

use super::{CallSiteFailure, convert, library};
use crate::interp::Trouble;
use crate::natives::Exit;
use crate::program::{Assembler, Class, Method, Op, Program, SyntheticClass, SyntheticMethod, access, descriptor};
use crate::value::Kind;

impl From<CallSiteFailure> for Exit {
    fn from(failure: CallSiteFailure) -> Exit {
        match failure {
            CallSiteFailure::Link(error) => Trouble::Link(error).into(),
            CallSiteFailure::Unsupported(what) => Exit::Unsupported(what),
        }
    }
}

/// The glue for a method or a constructor. It returns the boxed result, null for none, or the new object.
pub(crate) fn invoker(program: &Program, method: &'static Method) -> Result<&'static Method, Exit> {
    let known = program.invokers.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&method.id).copied();
    if let Some(invoker) = known {
        return Ok(invoker);
    }
    let invoker = make(program, method)?;
    program.invokers.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(method.id, invoker);
    Ok(invoker)
}

/// Glue that initialises a class and returns it, for `Class.forName`.
pub(crate) fn class_initialiser(program: &Program, class: &'static Class) -> Result<&'static Method, Exit> {
    let mut assembler = Assembler::default();
    let constant = assembler.late_class(class.name);
    assembler.initialise(program, class).op(Op::ClassConstant(constant)).op(Op::ReturnValue);
    let descriptor = "()Ljava/lang/Class;";
    let code = assembler.finish(0, 2);
    let glue = SyntheticMethod { name: "initialise", descriptor: descriptor.into(), access: access::STATIC, code };
    let glue = program.define_synthetic(SyntheticClass {
        name: program.fresh_name(class, "Initialiser"),
        host: class,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![glue],
    });
    glue.own_method("initialise", descriptor).ok_or_else(|| Exit::Unsupported("the initialisation of a class".into()))
}

/// A class below `accessor` whose `newInstance` makes an object of `class` but runs only the given constructor of a superclass,
/// as deserialisation wants it. Such a constructor takes no arguments.
pub(crate) fn deserialiser(
    program: &Program,
    accessor: &'static Class,
    class: &'static Class,
    constructor: &'static Method,
) -> Result<&'static Class, Exit> {
    const EXCEPTION: usize = 2;
    let mut assembler = Assembler::default();
    assembler.new_object(class).op(Op::Dup);
    let start = assembler.here();
    assembler.call_special(constructor);
    let end = assembler.here();
    assembler.op(Op::ReturnValue);
    wrap_exceptions(program, &mut assembler, (start, end), EXCEPTION)?;
    let code = assembler.finish(EXCEPTION + 1, 4);
    let descriptor = "([Ljava/lang/Object;)Ljava/lang/Object;".into();
    let glue = SyntheticMethod { name: "newInstance", descriptor, access: access::PUBLIC, code };
    Ok(program.define_synthetic_under(
        accessor,
        SyntheticClass {
            name: program.fresh_name(class, "Deserialiser"),
            host: accessor,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: vec![glue],
        },
    ))
}

/// Wraps exceptions from that range in an InvocationTargetException. `register` is free for it.
fn wrap_exceptions(
    program: &Program,
    assembler: &mut Assembler,
    (start, end): (u32, u32),
    register: usize,
) -> Result<(), CallSiteFailure> {
    let wrapper = "java/lang/reflect/InvocationTargetException";
    let make_wrapper = library(program, wrapper, "<init>", "(Ljava/lang/Throwable;)V")?;
    assembler.handler(start, end, assembler.here(), None);
    assembler.op(Op::Store(register as u16)).new_object(make_wrapper.class()).op(Op::Dup).load(register);
    assembler.call_special(make_wrapper).op(Op::Throw);
    Ok(())
}

fn make(program: &Program, method: &'static Method) -> Result<&'static Method, CallSiteFailure> {
    let class: &'static Class = method.class();
    let odd = || CallSiteFailure::Unsupported(format!("a method with the descriptor {}", method.descriptor));
    let (parameters, result) = descriptor::method(method.descriptor).ok_or_else(odd)?;
    let is_constructor = method.name == "<init>";
    let has_receiver = !method.is_static() && !is_constructor;
    let receiver = if has_receiver { class.descriptor() } else { String::new() };
    let signature = format!("({receiver}{})Ljava/lang/Object;", parameters.concat());
    let arguments = parameters.len() + has_receiver as usize;

    let mut assembler = Assembler::default();
    if is_constructor {
        assembler.new_object(class).op(Op::Dup);
    } else if method.is_static() {
        assembler.initialise(program, class);
    }
    for register in 0..arguments {
        assembler.load(register);
    }
    let start = assembler.here();
    if method.is_static() {
        assembler.call_static(method);
    } else if is_constructor || method.is_private() {
        assembler.call_special(method);
    } else {
        assembler.call_virtual(method);
    }
    let end = assembler.here();
    match Kind::of_descriptor(result) {
        Kind::Void if is_constructor => {}
        Kind::Void => {
            assembler.op(Op::Null);
        }
        _ => convert(program, &mut assembler, result, "Ljava/lang/Object;")?,
    }
    assembler.op(Op::ReturnValue);

    wrap_exceptions(program, &mut assembler, (start, end), arguments)?;
    let code = assembler.finish(arguments + 1, arguments + 4);
    let glue = SyntheticMethod { name: "invoke", descriptor: signature.clone(), access: access::STATIC, code };
    let glue = program.define_synthetic(SyntheticClass {
        name: program.fresh_name(class, "Invoker"),
        host: class,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![glue],
    });
    glue.own_method("invoke", &signature).ok_or_else(odd)
}
