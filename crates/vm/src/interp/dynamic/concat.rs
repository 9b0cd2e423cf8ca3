//! String concatenation: what `StringConcatFactory` would spin.

use lazuli_classfile::format::constant_pool::{BootstrapArgument, LiteralConstant};

use super::{CallSiteFailure, library, string_argument};
use crate::frame::{Frame, Purpose};
use crate::program::{
    Assembler, Class, DynamicSite, Method, Op, Piece, Program, SyntheticClass, SyntheticMethod, access, descriptor,
};
use crate::state::State;
use crate::value::Kind;

/// In a recipe, the place of an argument and of a constant.
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

/// The class whose methods link concatenations.
const FACTORY: &str = "java/lang/invoke/StringConcatFactory";

/// The types of references whose text needs no code of the user's.
const VALUES: [&str; 5] =
    ["Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Long;", "Ljava/lang/Boolean;", "Ljava/lang/Character;"];

pub(super) fn link(
    program: &Program,
    host: &'static Class,
    site: &'static DynamicSite,
    arguments: &'static [BootstrapArgument<'static>],
) -> Result<&'static Method, CallSiteFailure> {
    let odd = || CallSiteFailure::Unsupported("a string concatenation whose recipe is not one of javac's".into());
    let (parameters, _) = descriptor::method(site.descriptor).ok_or_else(odd)?;
    let (recipe, constants) = match arguments.split_first() {
        Some((recipe, constants)) => (string_argument(recipe).ok_or_else(odd)?, constants),
        None => (vec![ARGUMENT; parameters.len()], &[][..]),
    };
    let mut constants = constants.iter();
    let mut kinds = parameters.iter();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut literal: Vec<u16> = Vec::new();
    for unit in recipe {
        match unit {
            ARGUMENT => {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal).into()));
                }
                pieces.push(Piece::Argument(stringified_kind(kinds.next().ok_or_else(odd)?)));
            }
            CONSTANT => literal.extend(constant_text(constants.next().ok_or_else(odd)?).ok_or_else(odd)?),
            unit => literal.push(unit),
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal.into()));
    }
    let mut assembler = Assembler::default();
    for (index, parameter) in parameters.iter().enumerate() {
        assembler.load(index);
        stringify(program, &mut assembler, parameter)?;
    }
    assembler.concat(pieces).op(Op::ReturnValue);
    let code = assembler.finish(parameters.len(), parameters.len() + 2);
    Ok(define(program, host, "Concat", site, code))
}

/// The number of arguments of a concatenation whose text is the message of an exception of the library that is thrown at once, and that no method
/// on the stack catches. Nothing looks at such a text, whose letters would cost a path for each number of digits: `throw new IllegalArgumentException("row " +
/// row)`. The arguments must be values without code of their own: a `toString()` may throw.
pub(super) fn unseen_message(program: &Program, state: &State, site: &'static DynamicSite) -> Option<usize> {
    let top = state.thread.frames.last()?;
    let next = |offset: usize| top.code.ops.get(top.pc as usize + offset).map(|op| op.unfused());
    let Some(Op::InvokeSpecial(call)) = next(1) else { return None };
    let call = &top.code.calls[call as usize];
    if !matches!(next(2), Some(Op::Throw)) || (call.name, call.descriptor) != ("<init>", "(Ljava/lang/String;)V") {
        return None;
    }
    let thrown = program.resolve_call(call).ok()?.class();
    let is_plain = !thrown.is_users() && thrown.is_subtype_of(program.known().throwable);
    let is_concatenation =
        top.method.class().bootstrap_of(site).is_some_and(|entry| &*entry.method.class_name == FACTORY);
    let is_caught = |frame: &Frame| {
        let mut handlers = frame.code.handlers.iter();
        !matches!(frame.purpose, Purpose::Entry | Purpose::Call)
            || handlers.any(|handler| handler.start <= frame.pc && frame.pc < handler.end)
    };
    let (parameters, _) = descriptor::method(site.descriptor)?;
    let is_value = |parameter: &&str| Kind::of_descriptor(parameter) != Kind::Reference || VALUES.contains(parameter);
    let is_unseen = is_plain && is_concatenation && !state.thread.frames.iter().any(is_caught);
    (is_unseen && parameters.iter().all(is_value)).then_some(parameters.len())
}

/// A class with one static method that does what the call site does.
pub(super) fn define(
    program: &Program,
    host: &'static Class,
    what: &str,
    site: &'static DynamicSite,
    code: crate::program::Code,
) -> &'static Method {
    let method =
        SyntheticMethod { name: site.name, descriptor: site.descriptor.to_string(), access: access::STATIC, code };
    let class = program.define_synthetic(SyntheticClass {
        name: program.fresh_name(host, what),
        host,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![method],
    });
    class.own_method(site.name, site.descriptor).expect("just defined")
}

/// Emits the conversion of the value on top of the stack to something that `Concat` can join.
pub(super) fn stringify(program: &Program, assembler: &mut Assembler, kind: &str) -> Result<(), CallSiteFailure> {
    match Kind::of_descriptor(kind) {
        Kind::Float => assembler.call_static(library(program, "java/lang/String", "valueOf", "(F)Ljava/lang/String;")?),
        Kind::Double => {
            assembler.call_static(library(program, "java/lang/String", "valueOf", "(D)Ljava/lang/String;")?)
        }
        Kind::Reference if kind != "Ljava/lang/String;" => {
            let signature = "(Ljava/lang/Object;)Ljava/lang/String;";
            // The JDK's own helper, so that a failing toString() has the same stack trace.
            let method = library(program, "java/lang/StringConcatHelper", "stringOf", signature)
                .or_else(|_| library(program, "java/lang/String", "valueOf", signature))?;
            assembler.call_static(method)
        }
        _ => assembler,
    };
    Ok(())
}

/// The kind of the operand that `stringify` leaves on the stack.
pub(super) fn stringified_kind(kind: &str) -> Kind {
    match Kind::of_descriptor(kind) {
        Kind::Float | Kind::Double => Kind::Reference,
        kind => kind,
    }
}

fn constant_text(argument: &BootstrapArgument) -> Option<Vec<u16>> {
    match argument {
        BootstrapArgument::LiteralConstant(LiteralConstant::Integer(value)) => {
            Some(value.to_string().encode_utf16().collect())
        }
        BootstrapArgument::LiteralConstant(LiteralConstant::Long(value)) => {
            Some(value.to_string().encode_utf16().collect())
        }
        other => string_argument(other),
    }
}
