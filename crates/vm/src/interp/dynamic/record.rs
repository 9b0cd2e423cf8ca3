//! The methods that records get for free: what `ObjectMethods` would spin.

use lazuli_classfile::format::constant_pool::BootstrapArgument;

use super::{CallSiteFailure, concat, library};
use crate::program::{Assembler, Class, Code, DynamicSite, Field, Method, Op, Piece, Program};
use crate::value::Kind;

pub(super) fn link(
    program: &Program,
    host: &'static Class,
    site: &'static DynamicSite,
    arguments: &'static [BootstrapArgument<'static>],
) -> Result<&'static Method, CallSiteFailure> {
    let odd = || CallSiteFailure::Unsupported("record methods whose bootstrap arguments are not those of javac".into());
    let mut components = Vec::new();
    for argument in arguments.iter().skip(2) {
        let BootstrapArgument::MethodHandle(getter) = argument else { return Err(odd()) };
        let field = host.fields.iter().find(|field| field.name == getter.member_ref.name && !field.is_static());
        components.push(field.ok_or_else(odd)?);
    }
    let code = match site.name {
        "toString" => to_string(program, host, &components)?,
        "hashCode" => hash_code(program, host, &components)?,
        "equals" => equals(program, host, &components)?,
        _ => return Err(odd()),
    };
    Ok(concat::define(program, host, "Record", site, code))
}

fn to_string(
    program: &Program,
    record: &'static Class,
    components: &[&'static Field],
) -> Result<Code, CallSiteFailure> {
    let mut assembler = Assembler::default();
    let mut pieces = vec![literal(&format!("{}[", simple_name(record)))];
    for (index, field) in components.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        pieces.push(literal(&format!("{separator}{}=", field.name)));
        pieces.push(Piece::Argument(concat::stringified_kind(field.descriptor)));
        assembler.load(0).get_field(program, record, field.name);
        match field.kind {
            // Unlike in a concatenation, the stack trace of a failing toString() shows String.valueOf.
            Kind::Reference => {
                let signature = "(Ljava/lang/Object;)Ljava/lang/String;";
                assembler.call_static(library(program, "java/lang/String", "valueOf", signature)?);
            }
            _ => concat::stringify(program, &mut assembler, field.descriptor)?,
        }
    }
    pieces.push(literal("]"));
    assembler.concat(pieces).op(Op::ReturnValue);
    Ok(assembler.finish(1, components.len() + 3))
}

fn hash_code(
    program: &Program,
    record: &'static Class,
    components: &[&'static Field],
) -> Result<Code, CallSiteFailure> {
    let mut assembler = Assembler::default();
    assembler.op(Op::Int(0));
    for field in components {
        assembler.op(Op::Int(31)).op(Op::Imul);
        assembler.load(0).get_field(program, record, field.name);
        let hash = match field.kind {
            Kind::Reference => library(program, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I")?,
            kind => library(program, kind.box_class(), "hashCode", &format!("({})I", kind.letter()))?,
        };
        assembler.call_static(hash).op(Op::Iadd);
    }
    assembler.op(Op::ReturnValue);
    Ok(assembler.finish(1, 4))
}

fn equals(program: &Program, record: &'static Class, components: &[&'static Field]) -> Result<Code, CallSiteFailure> {
    let mut assembler = Assembler::default();
    let mut failing = Vec::new();
    assembler.load(0).load(1);
    let same = assembler.here();
    assembler.op(Op::Nop);
    assembler.load(1).instance_of(record);
    failing.push((assembler.here(), Op::IfEq as fn(u32) -> Op));
    assembler.op(Op::Nop);
    for field in components {
        for register in [0, 1] {
            assembler.load(register);
            if register == 1 {
                assembler.check_cast(record);
            }
            assembler.get_field(program, record, field.name);
        }
        // A jump to the end where the two differ.
        let jump: fn(u32) -> Op = match field.kind {
            Kind::Reference => {
                let signature = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                assembler.call_static(library(program, "java/util/Objects", "equals", signature)?);
                Op::IfEq
            }
            Kind::Float => {
                assembler.call_static(library(program, "java/lang/Float", "compare", "(FF)I")?);
                Op::IfNe
            }
            Kind::Double => {
                assembler.call_static(library(program, "java/lang/Double", "compare", "(DD)I")?);
                Op::IfNe
            }
            Kind::Long => {
                assembler.op(Op::Lcmp);
                Op::IfNe
            }
            _ => Op::IfIcmpNe,
        };
        failing.push((assembler.here(), jump));
        assembler.op(Op::Nop);
    }
    assembler.patch(same, Op::IfAcmpEq(assembler.here()));
    assembler.op(Op::Int(1)).op(Op::ReturnValue);
    let end = assembler.here();
    assembler.op(Op::Int(0)).op(Op::ReturnValue);
    for (at, jump) in failing {
        assembler.patch(at, jump(end));
    }
    Ok(assembler.finish(2, 4))
}

fn literal(text: &str) -> Piece {
    Piece::Literal(text.encode_utf16().collect())
}

/// The name without the enclosing classes.
fn simple_name(class: &'static Class) -> &'static str {
    let inner = class.nested_declaration().and_then(|own| own.inner_name.as_deref());
    inner.unwrap_or_else(|| class.name.rsplit('/').next().unwrap_or(class.name))
}
