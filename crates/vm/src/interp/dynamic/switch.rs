//! Switches over patterns: what `SwitchBootstraps` would spin.
//!
//! The call site passes an object and where to go on after a failed guard; it gets the index of the first label from there
//! that matches, -1 for null, and the number of labels if none does.

use lazuli_classfile::format::constant_pool::{BootstrapArgument, LiteralConstant};

use super::{CallSiteFailure, concat, library, string_argument};
use crate::program::{Assembler, Class, DynamicSite, Method, Op, Program};

/// Jumps to the next label, which is not emitted yet: where they are, and what they are.
type Jumps = Vec<(u32, fn(u32) -> Op)>;

pub(super) fn link(
    program: &Program,
    host: &'static Class,
    site: &'static DynamicSite,
    labels: &'static [BootstrapArgument<'static>],
) -> Result<&'static Method, CallSiteFailure> {
    let mut assembler = Assembler::default();
    let is_null = assembler.load(0).here();
    assembler.op(Op::Nop).op(Op::Int(-1)).op(Op::ReturnValue);
    assembler.patch(is_null, Op::IfNonNull(assembler.here()));
    for (index, label) in labels.iter().enumerate() {
        let mut missing = Jumps::new();
        assembler.load(1).op(Op::Int(index as i32));
        skip(&mut assembler, &mut missing, Op::IfIcmpGt);
        match label {
            BootstrapArgument::ClassInfo(name) => {
                assembler.load(0).instance_of(program.load(name)?);
                skip(&mut assembler, &mut missing, Op::IfEq);
            }
            BootstrapArgument::LiteralConstant(LiteralConstant::Integer(number)) => {
                match_number(program, &mut assembler, &mut missing, *number)?;
            }
            label => {
                let unknown =
                    || CallSiteFailure::Unsupported("a switch with labels other than types, numbers and names".into());
                let text = string_argument(label).ok_or_else(unknown)?;
                assembler.op(Op::String(program.intern_utf16(text))).load(0);
                // In a switch over an enum, a text is the name of a constant.
                if site_is_over_enum(host, site) {
                    let name = library(program, "java/lang/Enum", "name", "()Ljava/lang/String;")?;
                    assembler.call_virtual(name);
                }
                assembler.call_virtual(library(program, "java/lang/String", "equals", "(Ljava/lang/Object;)Z")?);
                skip(&mut assembler, &mut missing, Op::IfEq);
            }
        }
        assembler.op(Op::Int(index as i32)).op(Op::ReturnValue);
        for (at, jump) in missing {
            assembler.patch(at, jump(assembler.here()));
        }
    }
    assembler.op(Op::Int(labels.len() as i32)).op(Op::ReturnValue);
    Ok(concat::define(program, host, "Switch", site, assembler.finish(2, 4)))
}

fn site_is_over_enum(host: &'static Class, site: &'static DynamicSite) -> bool {
    host.bootstrap_of(site).is_some_and(|entry| entry.method.member_ref.name == "enumSwitch")
}

/// A number matches a box of an `int` or of a `char` with that value.
fn match_number(
    program: &Program,
    assembler: &mut Assembler,
    missing: &mut Jumps,
    number: i32,
) -> Result<(), CallSiteFailure> {
    let (integer, character) = (program.load("java/lang/Integer")?, program.load("java/lang/Character")?);
    assembler.load(0).instance_of(integer);
    let no_integer = assembler.here();
    assembler.op(Op::Nop).load(0).check_cast(integer);
    assembler.call_virtual(library(program, integer.name, "intValue", "()I")?);
    let compare = assembler.here();
    assembler.op(Op::Nop);
    assembler.patch(no_integer, Op::IfEq(assembler.here()));
    assembler.load(0).instance_of(character);
    skip(assembler, missing, Op::IfEq);
    assembler.load(0).check_cast(character);
    assembler.call_virtual(library(program, character.name, "charValue", "()C")?);
    assembler.patch(compare, Op::Goto(assembler.here()));
    assembler.op(Op::Int(number));
    skip(assembler, missing, Op::IfIcmpNe);
    Ok(())
}

fn skip(assembler: &mut Assembler, missing: &mut Jumps, jump: fn(u32) -> Op) {
    missing.push((assembler.here(), jump));
    assembler.op(Op::Nop);
}
