//! Method handles: what the lambda forms of `java.lang.invoke` would do.
//!
//! The JDK's own code looks members up, checks access and makes method types. From there on, three kinds of glue take over:
//! an `invokeExact` or `invoke` instruction becomes a method that compares the types as the JDK does and then calls
//! `invokeBasic`; the model of that finds the adapter, which converts the arguments and calls the target; and the constants
//! of a class file become methods that make them once.

use lazuli_classfile::format::constant_pool::ReferenceKind;

use super::{CallSiteFailure, convert, library};
use crate::program::{
    Assembler, Class, Code, HandleTarget, Member, Method, Op, OtherConstant, Program, SyntheticClass, SyntheticMethod,
    access, descriptor,
};
use crate::value::{Kind, Value};

const METHOD_HANDLE: &str = "java/lang/invoke/MethodHandle";
const METHOD_TYPE: &str = "Ljava/lang/invoke/MethodType;";

/// The class of all handle objects. It extends a class of the JDK's, so that the JDK's code can call what it expects.
pub fn class(program: &Program) -> Result<&'static Class, CallSiteFailure> {
    program.handles().class(|| {
        let parent = program.load("java/lang/invoke/DirectMethodHandle")?;
        let fields =
            [("target", "I"), ("places", "[I"), ("bound", "[Ljava/lang/Object;"), ("varargs", "Z"), ("collects", "Z")];
        let methods = vec![with_type(program, parent)?, without_parameter(program, parent)?];
        Ok(program.define_synthetic_under(
            parent,
            SyntheticClass {
                name: program.fresh_name(parent, "Handle"),
                host: parent,
                interfaces: Vec::new(),
                fields: fields.map(|(name, kind)| (name, kind.to_string(), access::PRIVATE)).to_vec(),
                methods,
            },
        ))
    })
}

/// Gives a new handle its type: the last step of making one, because method types are made by Java code.
fn with_type(program: &Program, parent: &'static Class) -> Result<SyntheticMethod, CallSiteFailure> {
    let find = library(
        program,
        "java/lang/invoke/MethodHandleNatives",
        "findMethodHandleType",
        "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
    )?;
    let mut assembler = Assembler::default();
    assembler.load(0).load(1).load(2).call_static(find).put_field(program, parent, "type");
    assembler.load(0).op(Op::ReturnValue);
    let descriptor = format!("(L{METHOD_HANDLE};Ljava/lang/Class;[Ljava/lang/Class;)L{METHOD_HANDLE};");
    Ok(SyntheticMethod { name: "withType", descriptor, access: access::STATIC, code: assembler.finish(3, 3) })
}

/// Takes the parameter at a position out of the type of a new handle.
fn without_parameter(program: &Program, parent: &'static Class) -> Result<SyntheticMethod, CallSiteFailure> {
    let drop = library(program, "java/lang/invoke/MethodType", "dropParameterTypes", &format!("(II){METHOD_TYPE}"))?;
    let mut assembler = Assembler::default();
    assembler.load(0).load(0).get_field(program, parent, "type");
    assembler.load(1).load(1).op(Op::Int(1)).op(Op::Iadd).call_virtual(drop).put_field(program, parent, "type");
    assembler.load(0).op(Op::ReturnValue);
    let descriptor = format!("(L{METHOD_HANDLE};I)L{METHOD_HANDLE};");
    Ok(SyntheticMethod { name: "withoutParameter", descriptor, access: access::STATIC, code: assembler.finish(2, 6) })
}

/// Makes the code of an `invokeExact` or `invoke` instruction with this descriptor.
pub(super) fn site(
    program: &Program,
    name: &'static str,
    descriptor: &'static str,
) -> Result<&'static Method, CallSiteFailure> {
    program.handles().site(name, descriptor, || {
        let host = program.load(METHOD_HANDLE)?;
        let odd = || CallSiteFailure::Unsupported(format!("a method handle of the type {descriptor}"));
        let (parameters, result) = descriptor::method(descriptor).ok_or_else(odd)?;
        let own_name = program.intern_name(&program.fresh_name(host, "Site"));
        let mut assembler = Assembler::default();
        let local = parameters.len() + 1;
        once(program, &mut assembler, own_name, METHOD_TYPE, |assembler| method_type(program, assembler, descriptor))?;
        assembler.op(Op::Store(local as u16)).load(0).load(local);
        let types = format!("(L{METHOD_HANDLE};{METHOD_TYPE})");
        let invokers = "java/lang/invoke/Invokers";
        if name == "invokeExact" {
            assembler.call_static(library(program, invokers, "checkExactType", &format!("{types}V"))?);
        } else {
            let check = library(program, invokers, "checkGenericType", &format!("{types}L{METHOD_HANDLE};"))?;
            assembler.call_static(check).op(Op::Store(0));
        }
        for register in 0..local {
            assembler.load(register);
        }
        let basic = library(program, METHOD_HANDLE, "invokeBasic", descriptor)?;
        assembler.call_polymorphic(basic, descriptor, local as u32).return_kind(Kind::of_descriptor(result));
        let own_descriptor = format!("(L{METHOD_HANDLE};{}", &descriptor[1..]);
        let code = assembler.finish(local + 1, local.max(4 + 3));
        Ok(define(program, host, own_name, Some(METHOD_TYPE), name, own_descriptor, code))
    })
}

/// A method that makes a constant of a class file (JVMS §5.4.3.5, §5.1) the first time that it is called.
pub(super) fn constant(
    program: &Program,
    host: &'static Class,
    constant: &OtherConstant,
) -> Result<&'static Method, CallSiteFailure> {
    let own_name = program.intern_name(&program.fresh_name(host, "Constant"));
    let object = "Ljava/lang/Object;";
    let mut assembler = Assembler::default();
    once(program, &mut assembler, own_name, object, |assembler| match constant {
        OtherConstant::MethodType(descriptor) => method_type(program, assembler, descriptor),
        OtherConstant::MethodHandle { kind, class, name, descriptor } => {
            assembler.class_constant(host).op(Op::Int(reference_number(*kind)));
            assembler.class_constant(program.load(class)?).op(Op::String(program.intern_str(name)));
            if descriptor.starts_with('(') {
                method_type(program, assembler, descriptor)?;
            } else {
                assembler.class_constant(program.load_descriptor(descriptor)?);
            }
            let link = library(
                program,
                "java/lang/invoke/MethodHandleNatives",
                "linkMethodHandleConstant",
                "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
            )?;
            assembler.call_static(link);
            Ok(())
        }
        OtherConstant::Dynamic(name) => Err(CallSiteFailure::Unsupported(format!("the dynamic constant {name}"))),
    })?;
    assembler.op(Op::ReturnValue);
    let code = assembler.finish(0, 12);
    Ok(define(program, host, own_name, Some(object), "constant", format!("(){object}"), code))
}

/// Emits code that leaves a value on the stack that is made once and then kept in a static field.
fn once(
    program: &Program,
    assembler: &mut Assembler,
    class: &'static str,
    kind: &'static str,
    make: impl FnOnce(&mut Assembler) -> Result<(), CallSiteFailure>,
) -> Result<(), CallSiteFailure> {
    let field = assembler.late_field(class, "kept", program.intern_name(kind));
    assembler.op(Op::GetStatic(field)).op(Op::Dup);
    let jump = assembler.here();
    assembler.op(Op::Nop).op(Op::Pop);
    make(assembler)?;
    assembler.op(Op::Dup).op(Op::PutStatic(field));
    assembler.patch(jump, Op::IfNonNull(assembler.here()));
    Ok(())
}

/// Emits the method type of a descriptor. It needs six operand slots.
fn method_type(program: &Program, assembler: &mut Assembler, descriptor: &str) -> Result<(), CallSiteFailure> {
    let odd = || CallSiteFailure::Unsupported(format!("the method type {descriptor}"));
    let (parameters, result) = descriptor::method(descriptor).ok_or_else(odd)?;
    assembler.class_constant(program.load_descriptor(result)?);
    assembler.op(Op::Int(parameters.len() as i32)).new_array(program.array_class(program.known().class));
    for (index, parameter) in parameters.iter().enumerate() {
        assembler.op(Op::Dup).op(Op::Int(index as i32));
        assembler.class_constant(program.load_descriptor(parameter)?).op(Op::ArrayStore);
    }
    assembler.call_static(library(
        program,
        "java/lang/invoke/MethodHandleNatives",
        "findMethodHandleType",
        "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
    )?);
    Ok(())
}

fn define(
    program: &Program,
    host: &'static Class,
    class: &str,
    kept: Option<&str>,
    name: &'static str,
    descriptor: String,
    code: Code,
) -> &'static Method {
    let key = descriptor.clone();
    let class = program.define_synthetic(SyntheticClass {
        name: class.to_string(),
        host,
        interfaces: Vec::new(),
        fields: kept.into_iter().map(|kind| ("kept", kind.to_string(), access::STATIC)).collect(),
        methods: vec![SyntheticMethod { name, descriptor, access: access::STATIC, code }],
    });
    class.own_method(name, &key).expect("just defined")
}

/// The number of a reference kind (JVMS table 5.4.3.5-A).
pub fn reference_number(kind: ReferenceKind) -> i32 {
    match kind {
        ReferenceKind::GetField => 1,
        ReferenceKind::GetStatic => 2,
        ReferenceKind::PutField => 3,
        ReferenceKind::PutStatic => 4,
        ReferenceKind::InvokeVirtual => 5,
        ReferenceKind::InvokeStatic => 6,
        ReferenceKind::InvokeSpecial => 7,
        ReferenceKind::NewInvokeSpecial => 8,
        ReferenceKind::InvokeInterface => 9,
    }
}

/// The reference kind of a number in `MemberName` flags and class files (JVMS table 5.4.3.5-A).
pub fn reference_kind(number: i32) -> Option<ReferenceKind> {
    use ReferenceKind::*;
    let all = [
        GetField,
        GetStatic,
        PutField,
        PutStatic,
        InvokeVirtual,
        InvokeStatic,
        InvokeSpecial,
        NewInvokeSpecial,
        InvokeInterface,
    ];
    all.into_iter().find(|kind| reference_number(*kind) == number)
}

/// The descriptors of a target's arguments, the receiver included, and of its result.
pub fn natural_type(target: &HandleTarget) -> (Vec<String>, String) {
    let receiver = target.class.descriptor();
    match target.member {
        Member::Field(_, field) => {
            let own = field.descriptor.to_string();
            match target.kind {
                ReferenceKind::GetField => (vec![receiver], own),
                ReferenceKind::GetStatic => (Vec::new(), own),
                ReferenceKind::PutField => (vec![receiver, own], "V".into()),
                _ => (vec![own], "V".into()),
            }
        }
        Member::Method(method) => {
            let (parameters, result) = descriptor::method(method.descriptor).unwrap_or((Vec::new(), "V"));
            let mut parameters: Vec<String> = parameters.into_iter().map(str::to_string).collect();
            match target.kind {
                ReferenceKind::InvokeStatic => (parameters, result.to_string()),
                ReferenceKind::NewInvokeSpecial => (parameters, receiver),
                _ => {
                    parameters.insert(0, receiver);
                    (parameters, result.to_string())
                }
            }
        }
    }
}

/// A static method that calls the target with arguments of the types in `wanted`. The parameters of the target at `places`
/// are bound: their values come first, as objects. If it `collects`, the last parameter is an array of all that is left over.
pub fn adapter(
    program: &Program,
    target: &HandleTarget,
    places: &[i32],
    collects: bool,
    wanted: &str,
) -> Result<&'static Method, CallSiteFailure> {
    target.adapter(&format!("{places:?}{collects}{wanted}"), || {
        let odd = || CallSiteFailure::Unsupported(format!("a method handle called with the type {wanted}"));
        let (given, result) = descriptor::method(wanted).ok_or_else(odd)?;
        let (taken, natural_result) = natural_type(target);
        let mut assembler = Assembler::default();
        if target.kind == ReferenceKind::NewInvokeSpecial {
            assembler.new_object(target.class).op(Op::Dup);
        }
        // The locals are the bound values, then the given arguments; `next` counts the given ones used so far. For a target
        // (A, B, C) with B bound, the locals are B, A, C, and they are pushed as local 1, local 0, local 2.
        let mut next = 0;
        for (index, kind) in taken.iter().enumerate() {
            if let Some(at) = places.iter().position(|place| *place as usize == index) {
                assembler.load(at);
                cast(program, &mut assembler, "Ljava/lang/Object;", kind)?;
            } else if collects && index + 1 == taken.len() {
                let array = program.load_descriptor(kind)?;
                let component = array.component().ok_or_else(odd)?.descriptor();
                assembler.op(Op::Int((given.len() - next) as i32)).new_array(array);
                for (element, from) in given[next..].iter().enumerate() {
                    assembler.op(Op::Dup).op(Op::Int(element as i32)).load(places.len() + next + element);
                    cast(program, &mut assembler, from, &component)?;
                    assembler.op(Op::ArrayStore);
                }
                next = given.len();
            } else {
                let from = given.get(next).ok_or_else(odd)?;
                assembler.load(places.len() + next);
                cast(program, &mut assembler, from, kind)?;
                next += 1;
            }
        }
        if next != given.len() {
            return Err(odd());
        }
        emit_access(program, &mut assembler, target);
        match (natural_result.as_str(), result) {
            ("V", result) if result != "V" => match Kind::of_descriptor(result).default_value() {
                Value::Int(zero) => assembler.op(Op::Int(zero)),
                Value::Ref(_) => assembler.op(Op::Null),
                zero => assembler.constant(zero),
            },
            (from, to) => {
                cast(program, &mut assembler, from, to)?;
                &mut assembler
            }
        };
        assembler.return_kind(Kind::of_descriptor(result));
        let own_descriptor = format!("({}{}", "Ljava/lang/Object;".repeat(places.len()), &wanted[1..]);
        let code = assembler.finish(places.len() + given.len(), taken.len() + 8);
        let host = target.class;
        let name = program.fresh_name(host, "Adapter");
        Ok(define(program, host, &name, None, "call", own_descriptor, code))
    })
}

fn emit_access(program: &Program, assembler: &mut Assembler, target: &HandleTarget) {
    match (target.member, target.kind) {
        (Member::Field(class, field), ReferenceKind::GetField) => assembler.get_field(program, class, field.name),
        (Member::Field(class, field), ReferenceKind::GetStatic) => assembler.get_static(program, class, field.name),
        (Member::Field(class, field), ReferenceKind::PutField) => assembler.put_field(program, class, field.name),
        (Member::Field(class, field), _) => assembler.put_static(program, class, field.name),
        (Member::Method(method), ReferenceKind::InvokeStatic) => assembler.call_static(method),
        (Member::Method(method), ReferenceKind::InvokeSpecial | ReferenceKind::NewInvokeSpecial) => {
            assembler.call_special(method)
        }
        (Member::Method(method), _) if method.is_private() => assembler.call_special(method),
        (Member::Method(method), _) => assembler.call_virtual(method),
    };
}

/// As `convert`, but as `MethodHandle.asType` does it: an object of unknown class is opened as the box that it is and then
/// widened, objects are cast by `Class.cast`, and not at all to an interface.
fn cast(program: &Program, assembler: &mut Assembler, from: &str, to: &str) -> Result<(), CallSiteFailure> {
    let (from_kind, to_kind) = (Kind::of_descriptor(from), Kind::of_descriptor(to));
    if from_kind == Kind::Reference && to_kind == Kind::Reference {
        let (own, wanted) = (program.load_descriptor(from)?, program.load_descriptor(to)?);
        if !own.is_subtype_of(wanted) && !wanted.is_interface() {
            let cast = library(program, "java/lang/Class", "cast", "(Ljava/lang/Object;)Ljava/lang/Object;")?;
            assembler.class_constant(wanted).op(Op::Swap).call_virtual(cast);
        }
        return Ok(());
    }
    let is_open = from_kind == Kind::Reference && Kind::of_box(descriptor::class_name(from)).is_none();
    if !is_open || matches!(to_kind, Kind::Reference | Kind::Void) {
        return convert(program, assembler, from, to);
    }
    let simple = to_kind.box_class().trim_start_matches("java/lang/");
    let signature = format!("(Ljava/lang/Object;Z){}", to_kind.letter());
    let unbox = library(program, "sun/invoke/util/ValueConversions", &format!("unbox{simple}"), &signature)?;
    assembler.op(Op::Int(0)).call_static(unbox);
    Ok(())
}
