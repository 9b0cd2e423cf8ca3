//! Reflective calls: what HotSpot's `Reflection::invoke` does once it has checked the arguments.
//!
//! A method gets a static one that takes the same arguments (the receiver first), calls it, boxes its result, and wraps
//! what it throws. The class is initialised outside of the wrapping: its failure comes as it is.

use super::{Failure, convert, library};
use crate::interp::Trouble;
use crate::natives::Exit;
use crate::program::{Assembler, Class, Method, Op, Program, SyntheticClass, SyntheticMethod, access, descriptor};
use crate::value::Kind;

impl From<Failure> for Exit {
    fn from(failure: Failure) -> Exit {
        match failure {
            Failure::Link(error) => Trouble::Link(error).into(),
            Failure::Unsupported(what) => Exit::Unsupported(what),
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

fn make(program: &Program, method: &'static Method) -> Result<&'static Method, Failure> {
    let class: &'static Class = method.class();
    let odd = || Failure::Unsupported(format!("a method with the descriptor {}", method.descriptor));
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

    let wrapper = "java/lang/reflect/InvocationTargetException";
    let make_wrapper = library(program, wrapper, "<init>", "(Ljava/lang/Throwable;)V")?;
    assembler.handler(start, end, assembler.here(), None);
    assembler.op(Op::Store(arguments as u16)).new_object(make_wrapper.class()).op(Op::Dup).load(arguments);
    assembler.call_special(make_wrapper).op(Op::Throw);

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
