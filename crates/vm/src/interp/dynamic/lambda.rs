//! Lambdas and method references: what `LambdaMetafactory` would spin.
//!
//! A call site gets a class with one field per captured value and the methods of its interface; each loads the captured
//! values and its arguments, converts them, and calls the implementation.

use lazuli_classfile::format::constant_pool::{BootstrapArgument, LiteralConstant, MethodHandle, ReferenceKind};

use super::{CallSiteFailure, convert};
use crate::program::{
    Assembler, Class, DynamicSite, Method, Op, Program, SyntheticClass, SyntheticMethod, access, descriptor,
};
use crate::value::Kind;

const FLAG_SERIALIZABLE: i32 = 1;
const FLAG_MARKERS: i32 = 2;
const FLAG_BRIDGES: i32 = 4;

/// The field that keeps the only instance of a lambda that captures nothing.
const INSTANCE: &str = "instance";

pub(super) fn link(
    program: &Program,
    host: &'static Class,
    site: &'static DynamicSite,
    arguments: &'static [BootstrapArgument<'static>],
) -> Result<&'static Method, CallSiteFailure> {
    let odd = || CallSiteFailure::Unsupported("a lambda whose bootstrap arguments are not those of javac".into());
    let [
        BootstrapArgument::MethodType(erased),
        BootstrapArgument::MethodHandle(handle),
        BootstrapArgument::MethodType(typed),
        extra @ ..,
    ] = arguments
    else {
        return Err(odd());
    };
    let (captured, interface) = descriptor::method(site.descriptor).ok_or_else(odd)?;
    let mut interfaces = vec![program.load_descriptor(interface)?];
    let mut shapes = vec![erased.to_string()];
    read_extra(program, extra, &mut interfaces, &mut shapes).ok_or_else(odd)??;

    let name = program.intern_name(&program.fresh_name(host, "Lambda"));
    let target = Target::of(program, handle)?;
    let fields: Vec<(&'static str, String, u16)> = captured
        .iter()
        .enumerate()
        .map(|(index, kind)| (program.intern_name(&format!("captured{index}")), kind.to_string(), access::PRIVATE))
        .collect();
    let mut methods = Vec::new();
    for shape in &shapes {
        methods.push(SyntheticMethod {
            name: site.name,
            descriptor: shape.clone(),
            access: access::PUBLIC,
            code: body(program, name, &fields, shape, typed, &target)?,
        });
    }
    let this = program.intern_name(&format!("L{name};"));
    methods.push(SyntheticMethod {
        name: "make",
        descriptor: site.descriptor.to_string(),
        access: access::STATIC,
        code: factory(program, name, this, &fields),
    });
    let instance = (INSTANCE, this.to_string(), access::STATIC);
    let fields = fields.into_iter().chain([instance]).collect();
    let class = program.define_synthetic(SyntheticClass { name: name.to_string(), host, interfaces, fields, methods });
    Ok(class.own_method("make", site.descriptor).expect("just defined"))
}

/// The further arguments of `altMetafactory`: whether the lambda is serializable, marker interfaces and bridges.
fn read_extra(
    program: &Program,
    extra: &'static [BootstrapArgument<'static>],
    interfaces: &mut Vec<&'static Class>,
    shapes: &mut Vec<String>,
) -> Option<Result<(), CallSiteFailure>> {
    let mut extra = extra.iter();
    let flags = next_int(&mut extra)?;
    if flags & FLAG_SERIALIZABLE != 0 {
        match program.load("java/io/Serializable") {
            Ok(class) => interfaces.push(class),
            Err(error) => return Some(Err(error.into())),
        }
    }
    if flags & FLAG_MARKERS != 0 {
        for _ in 0..next_int(&mut extra)? {
            let BootstrapArgument::ClassInfo(name) = extra.next()? else { return None };
            match program.load(name) {
                Ok(class) => interfaces.push(class),
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
    if flags & FLAG_BRIDGES != 0 {
        for _ in 0..next_int(&mut extra)? {
            let BootstrapArgument::MethodType(shape) = extra.next()? else { return None };
            shapes.push(shape.to_string());
        }
    }
    Some(Ok(()))
}

/// The next argument, which is an int; past the end it counts as 0.
fn next_int(arguments: &mut std::slice::Iter<'static, BootstrapArgument<'static>>) -> Option<i32> {
    match arguments.next() {
        None => Some(0),
        Some(BootstrapArgument::LiteralConstant(LiteralConstant::Integer(value))) => Some(*value),
        Some(_) => None,
    }
}

/// The implementation of a lambda.
struct Target {
    kind: ReferenceKind,
    class: &'static Class,
    method: &'static Method,
    /// The types of its arguments, the receiver included, and of its result.
    parameters: Vec<String>,
    result: String,
}

impl Target {
    fn of(program: &Program, handle: &MethodHandle) -> Result<Target, CallSiteFailure> {
        let class = program.load(&handle.class_name)?;
        let (name, signature) = (&*handle.member_ref.name, &*handle.member_ref.descriptor);
        let method = program.find_method(class, name, signature).ok_or_else(|| {
            let full = format!("'{}.{name}{signature}'", class.java_name());
            CallSiteFailure::Link(crate::program::LinkError::NoSuchMethod(full))
        })?;
        let (parameters, result) = descriptor::method(signature)
            .ok_or_else(|| CallSiteFailure::Unsupported(format!("a method handle with the descriptor {signature}")))?;
        let mut parameters: Vec<String> = parameters.into_iter().map(str::to_string).collect();
        let mut result = result.to_string();
        match handle.kind {
            ReferenceKind::InvokeVirtual | ReferenceKind::InvokeInterface | ReferenceKind::InvokeSpecial => {
                parameters.insert(0, class.descriptor());
            }
            ReferenceKind::NewInvokeSpecial => result = class.descriptor(),
            ReferenceKind::InvokeStatic => {}
            _ => return Err(CallSiteFailure::Unsupported("a lambda over a field".into())),
        }
        Ok(Target { kind: handle.kind, class, method, parameters, result })
    }
}

fn body(
    program: &Program,
    name: &'static str,
    fields: &[(&'static str, String, u16)],
    erased: &str,
    typed: &str,
    target: &Target,
) -> Result<crate::program::Code, CallSiteFailure> {
    let odd = || CallSiteFailure::Unsupported(format!("a lambda of the type {typed}"));
    let (erased_parameters, erased_result) = descriptor::method(erased).ok_or_else(odd)?;
    let (typed_parameters, typed_result) = descriptor::method(typed).ok_or_else(odd)?;
    if fields.len() + typed_parameters.len() != target.parameters.len()
        || erased_parameters.len() != typed_parameters.len()
    {
        return Err(odd());
    }
    let mut assembler = Assembler::default();
    if target.kind == ReferenceKind::NewInvokeSpecial {
        assembler.new_object(target.class).op(Op::Dup);
    }
    let (captured, passed) = target.parameters.split_at(fields.len());
    for ((field, kind, _), wanted) in fields.iter().zip(captured) {
        let site = assembler.late_field(name, field, program.intern_name(kind));
        assembler.load(0).op(Op::GetField(site));
        convert(program, &mut assembler, kind, wanted)?;
    }
    for (index, wanted) in passed.iter().enumerate() {
        assembler.load(index + 1);
        convert(program, &mut assembler, erased_parameters[index], typed_parameters[index])?;
        convert(program, &mut assembler, typed_parameters[index], wanted)?;
    }
    match target.kind {
        ReferenceKind::InvokeStatic => assembler.call_static(target.method),
        ReferenceKind::NewInvokeSpecial | ReferenceKind::InvokeSpecial => assembler.call_special(target.method),
        _ if target.method.is_private() => assembler.call_special(target.method),
        _ => assembler.call_virtual(target.method),
    };
    convert(program, &mut assembler, &target.result, typed_result)?;
    if typed_result != "V" {
        convert(program, &mut assembler, typed_result, erased_result)?;
    }
    assembler.return_kind(Kind::of_descriptor(erased_result));
    Ok(assembler.finish(1 + erased_parameters.len(), target.parameters.len() + 4))
}

/// Makes the object; one that captures nothing is made once.
fn factory(
    program: &Program,
    name: &'static str,
    this: &'static str,
    fields: &[(&'static str, String, u16)],
) -> crate::program::Code {
    let mut assembler = Assembler::default();
    let class = assembler.late_class(name);
    if fields.is_empty() {
        let instance = assembler.late_field(name, INSTANCE, this);
        assembler.op(Op::GetStatic(instance)).op(Op::Dup);
        let jump = assembler.here();
        assembler.op(Op::Nop).op(Op::Pop).op(Op::New(class)).op(Op::Dup).op(Op::PutStatic(instance));
        assembler.patch(jump, Op::IfNonNull(assembler.here()));
    } else {
        assembler.op(Op::New(class));
        for (index, (field, kind, _)) in fields.iter().enumerate() {
            let site = assembler.late_field(name, field, program.intern_name(kind));
            assembler.op(Op::Dup).load(index).op(Op::PutField(site));
        }
    }
    assembler.op(Op::ReturnValue);
    assembler.finish(fields.len(), 4)
}
