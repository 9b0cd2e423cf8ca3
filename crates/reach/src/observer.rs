//! Which methods change nothing, and hand nothing out that was not there? A program that calls them is where it was.
//!
//! The code of the method, and of everything of the user's that it may call, is searched for instructions that write: to fields, static fields or arrays.
//! Of the JDK only methods of strings, numbers and exceptions may be called, without objects of which they could call back. What is not known to
//! be harmless is not.

use std::collections::BTreeSet;

use lazuli_vm::program::{
    CallSite, Class, DynamicSite, Method, MethodId, Op, Piece, Program, World, access, descriptor,
};
use lazuli_vm::value::Kind;

/// Does the method neither change anything, nor hand out what its caller could not make?
pub fn observes(program: &Program, method: &'static Method) -> bool {
    let (_, result) = descriptor::method(method.descriptor).unwrap_or_default();
    let is_known =
        || is_value(program, result) || program.load_descriptor(result).is_ok_and(|class| is_immutable(program, class));
    method.name != "<init>" && is_known() && changes_nothing(program, method)
}

/// Are the objects of a class those that its constructors make of any arguments, and never others? Such are the records of plain values: what a method
/// returns is an object that a constructor made, which the code around may call as well.
pub fn is_immutable(program: &Program, class: &'static Class) -> bool {
    let mut fields = class.fields.iter().filter(|field| !field.is_static());
    let mut constructors = class.methods.iter().filter(|method| method.name == "<init>");
    class.is_users()
        && class.access & (access::FINAL | access::ABSTRACT) == access::FINAL
        && class
            .super_class
            .is_some_and(|above| above.name == "java/lang/Record" || above.id == program.known().object.id)
        && fields.all(|field| field.access & access::FINAL != 0 && is_value(program, field.descriptor))
        && constructors.all(|method| program.can_call(method, class.package()))
}

fn changes_nothing(program: &Program, method: &'static Method) -> bool {
    let mut waiting = vec![method];
    let mut seen: BTreeSet<MethodId> = BTreeSet::new();
    while let Some(method) = waiting.pop() {
        if !seen.insert(method.id) {
            continue;
        }
        let is_code = method.class().is_users() && method.native.is_none() && !method.is_abstract();
        let unwanted = access::NATIVE | access::SYNCHRONIZED;
        let Some(code) = program.code(method).ok().filter(|_| is_code && method.access & unwanted == 0) else {
            return false;
        };
        for op in code.ops.iter() {
            let called = match op {
                // Only constructors assign final fields, and only those of `this`.
                Op::PutField(_) if method.name == "<init>" && is_immutable(program, method.class()) => vec![],
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore | Op::MonitorEnter | Op::MonitorExit => {
                    return false;
                }
                Op::InvokeDynamic(at) if is_of_record(program, method.class(), code.dynamics[*at as usize].name) => {
                    vec![]
                }
                Op::InvokeDynamic(at) if is_concatenation(program, method.class(), &code.dynamics[*at as usize]) => {
                    vec![]
                }
                Op::InvokeDynamic(_) | Op::OtherConstant(_) => return false,
                Op::Concat(at) => {
                    let calls = |piece: &Piece| matches!(piece, Piece::Argument(Kind::Reference));
                    if code.recipes[*at as usize].iter().any(calls) {
                        return false;
                    }
                    vec![]
                }
                Op::GetStatic(at) if !is_ready(program, method, code.fields[*at as usize].class) => return false,
                Op::New(at) if !is_ready(program, method, code.classes[*at as usize].name) => return false,
                Op::InvokeStatic(at) if !is_ready(program, method, code.calls[*at as usize].class) => return false,
                Op::InvokeVirtual(at) | Op::InvokeInterface(at) | Op::InvokeSpecial(at) | Op::InvokeStatic(at) => {
                    match targets(program, &code.calls[*at as usize]) {
                        Some(targets) => targets,
                        None => return false,
                    }
                }
                _ => vec![],
            };
            waiting.extend(called);
        }
    }
    true
}

/// The user's methods that a call may run. None if it may run something of which nothing is known.
fn targets(program: &Program, site: &CallSite) -> Option<Vec<&'static Method>> {
    let class = program.load(site.class).ok()?;
    if !class.is_users() {
        return is_harmless(program, class, site).then(Vec::new);
    }
    let declared = program.find_method(class, site.name, site.descriptor)?;
    // Code that is not there may change what it was handed, now or before.
    let is_open = declared.access & (access::FINAL | access::PRIVATE | access::STATIC) == 0 && site.name != "<init>";
    if is_open && World::ClassPath.has_others(program, class) {
        return None;
    }
    let mut found = vec![declared];
    if !declared.is_static() && site.name != "<init>" {
        found.extend(program.users_below(class).iter().filter_map(|below| program.select(below, declared)));
    }
    found.retain(|method| !method.is_abstract());
    Some(found)
}

/// Classes of the JDK whose methods change at most objects that the caller has just made.
const HARMLESS: &[&str] = &[
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
    "java/lang/Enum",
];

fn is_harmless(program: &Program, class: &'static Class, site: &CallSite) -> bool {
    let (parameters, _) = descriptor::method(site.descriptor).unwrap_or_default();
    let is_exception = site.name == "<init>" && class.chain().any(|above| above.name == "java/lang/Throwable");
    let is_known = HARMLESS.contains(&class.name) || is_exception;
    // `equals` of these classes looks at objects of the same class only.
    let is_plain = parameters.iter().all(|parameter| is_value(program, parameter) || site.name == "equals");
    // No class of the user's implements the type.
    let is_size = ["size", "isEmpty"].contains(&site.name)
        && class.name.starts_with("java/util/")
        && program.users_below(class).is_empty();
    is_size || is_known && is_plain || class.name == "java/lang/Object" && site.name == "<init>"
}

/// Is a value of this type a number, a string, a box, a constant of an enumeration, or nothing?
fn is_value(program: &Program, declared: &str) -> bool {
    match program.load_descriptor(declared) {
        _ if declared == "V" => true,
        Ok(class) => {
            let is_text = class.id == program.known().string.id;
            class.kind() != Kind::Reference || is_text || class.is_box || class.access & access::ENUM != 0
        }
        Err(_) => false,
    }
}

/// Does using the class run no initialiser of the user's that was not run before? That of the method's own class was.
fn is_ready(program: &Program, method: &'static Method, name: &str) -> bool {
    let Ok(class) = program.load(name) else { return false };
    let is_initialised = || {
        let is_constants = |above: &'static Class| above.access & (access::ENUM | access::SYNTHETIC) != 0;
        class.chain().all(|above| above.own_method("<clinit>", "()V").is_none() || is_constants(above))
    };
    !class.is_users() || class.id == method.class().id || is_initialised()
}

/// Does the call site join values whose texts need no code of the user's?
fn is_concatenation(program: &Program, class: &'static Class, site: &DynamicSite) -> bool {
    let factory = "java/lang/invoke/StringConcatFactory";
    let is_joined = class.bootstrap_of(site).is_some_and(|entry| &*entry.method.class_name == factory);
    let (parameters, _) = descriptor::method(site.descriptor).unwrap_or_default();
    let is_constant =
        |declared: &str| program.load_descriptor(declared).is_ok_and(|class| class.access & access::ENUM != 0);
    is_joined && parameters.iter().all(|parameter| is_value(program, parameter) && !is_constant(parameter))
}

/// Is it one of the methods of a record of plain values that javac leaves to the JDK?
fn is_of_record(program: &Program, class: &'static Class, name: &str) -> bool {
    let is_record = class.super_class.is_some_and(|above| above.name == "java/lang/Record");
    let mut fields = class.fields.iter().filter(|field| !field.is_static());
    is_record
        && ["equals", "hashCode", "toString"].contains(&name)
        && fields.all(|field| is_value(program, field.descriptor))
}
