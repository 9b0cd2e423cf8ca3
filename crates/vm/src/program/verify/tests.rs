//! Is harmful code refused, and harmless code not?

use super::*;
use crate::program::code::{CallSite, ClassSite, FieldSite, Handler, LookupSwitch, TableSwitch};
use crate::value::Value;

/// A body with four local variables and four operands.
fn body(ops: &[Op]) -> Code {
    Code {
        ops: ops.into(),
        locals: 4,
        registers: 8,
        constants: [Value::Long(1), Value::Float(1.0), Value::Double(1.0)].into(),
        offsets: (0..ops.len() as u16).map(|index| index * 10).collect(),
        ..Code::default()
    }
}

const LONG: Op = Op::Constant(0);
const FLOAT: Op = Op::Constant(1);

fn class_site(name: &'static str) -> ClassSite {
    ClassSite { name, resolved: Default::default() }
}

fn check(code: &Code, descriptor: &'static str) -> Result<(), VerifyError> {
    verify(code, None, descriptor, &mut ClassHierarchy::ignored())
}

fn accepts(code: &Code, descriptor: &'static str) {
    assert_eq!(check(code, descriptor), Ok(()), "{:?}", code.ops);
}

/// Refused at that instruction.
fn refuses(code: &Code, descriptor: &'static str, at: u32, why: &str) {
    match check(code, descriptor) {
        Ok(()) => panic!("accepted: {:?}", code.ops),
        Err(violation) => {
            assert!(violation.what.contains(why), "refused for another reason: {violation:?}");
            assert_eq!(violation.offset, at * 10, "{:?}", violation.what);
        }
    }
}

#[test]
fn operands_must_be_there() {
    refuses(&body(&[Op::Pop, Op::Return]), "()V", 0, "stack is empty");
    refuses(&body(&[Op::Int(1), Op::Iadd, Op::Return]), "()V", 1, "stack is empty");
    refuses(&body(&[Op::Int(1), Op::Swap, Op::Return]), "()V", 1, "stack is empty");
    refuses(&body(&[Op::Int(1), Op::DupX1, Op::Return]), "()V", 1, "stack is empty");
    refuses(&body(&[Op::ReturnValue]), "()I", 0, "stack is empty");
    refuses(&body(&[Op::Throw]), "()V", 0, "stack is empty");
}

#[test]
fn operands_must_fit_into_the_registers() {
    let five = [Op::Int(1), Op::Int(1), Op::Int(1), Op::Int(1), Op::Int(1), Op::Return];
    refuses(&body(&five), "()V", 4, "higher than the method declares");
    refuses(&body(&[Op::Int(1), Op::Dup, Op::Goto(1)]), "()V", 2, "different heights");
    let code = Code { registers: 3, ..body(&[Op::Return]) };
    refuses(&code, "()V", 0, "more local variables than registers");
}

#[test]
fn operands_must_be_of_the_right_kind() {
    refuses(&body(&[Op::Int(1), LONG, Op::Ladd, Op::Return]), "()V", 2, "wrong kind");
    refuses(&body(&[Op::Null, Op::Ineg, Op::Return]), "()V", 1, "wrong kind");
    refuses(&body(&[FLOAT, Op::IfEq(0), Op::Return]), "()V", 1, "wrong kind");
    refuses(&body(&[Op::Int(0), Op::IfNull(0), Op::Return]), "()V", 1, "no reference");
    refuses(&body(&[Op::Int(0), Op::Throw]), "()V", 1, "wrong kind");
    refuses(&body(&[Op::Int(0), Op::MonitorEnter, Op::Return]), "()V", 1, "no reference");
    refuses(&body(&[LONG, Op::ReturnValue]), "()I", 1, "wrong kind");
    accepts(&body(&[LONG, Op::L2i, Op::ReturnValue]), "()Z");
}

#[test]
fn results_must_be_those_of_the_descriptor() {
    refuses(&body(&[Op::Return]), "()I", 0, "without one");
    refuses(&body(&[Op::Int(1), Op::ReturnValue]), "()V", 1, "void method");
    refuses(&body(&[Op::Load(0), Op::ReturnValue]), "([I)[J", 1, "wrong kind");
    refuses(&body(&[Op::Load(0), Op::ReturnValue]), "(Ljava/lang/Object;)[J", 1, "wrong kind");
    accepts(&body(&[Op::Load(0), Op::ReturnValue]), "([[J)[Ljava/lang/Object;");
    accepts(&body(&[Op::Null, Op::ReturnValue]), "()[J");
}

#[test]
fn halves_of_wide_values_stay_together() {
    for op in [Op::Pop, Op::Dup, Op::DupX1, Op::DupX2] {
        refuses(&body(&[Op::Int(1), Op::Int(1), LONG, op, Op::Return]), "()V", 3, "half of a long");
    }
    refuses(&body(&[LONG, Op::Int(1), Op::Dup2, Op::Return]), "()V", 2, "half of a long");
    refuses(&body(&[LONG, Op::Int(1), Op::Pop2, Op::Return]), "()V", 2, "half of a long");
    refuses(&body(&[LONG, Op::Int(1), Op::Swap, Op::Return]), "()V", 2, "half of a long");
    accepts(&body(&[LONG, Op::Dup2, Op::Ladd, Op::Pop2, Op::Return]), "()V");
    accepts(&body(&[LONG, Op::Int(1), Op::DupX2, Op::Pop, Op::L2i, Op::Iadd, Op::Pop, Op::Return]), "()V");
    accepts(&body(&[Op::Int(1), Op::Int(2), Op::Dup2, Op::Pop2, Op::Pop2, Op::Return]), "()V");
}

#[test]
fn code_must_not_be_left_at_its_end() {
    refuses(&body(&[]), "()V", 0, "falls off");
    refuses(&body(&[Op::Nop]), "()V", 0, "falls off");
    refuses(&body(&[Op::Goto(2), Op::Return, Op::Int(1)]), "()V", 2, "falls off");
    refuses(&body(&[Op::Int(0), Op::IfEq(0)]), "()V", 1, "falls off");
    refuses(&body(&[Op::Goto(7)]), "()V", 0, "does not exist");
    accepts(&body(&[Op::Goto(0)]), "()V");
}

#[test]
fn tables_must_lie_in_range() {
    let code = |target| Code {
        tables: [TableSwitch { low: 0, targets: [2, target].into(), default: 2 }].into(),
        lookups: [LookupSwitch { pairs: [(5, target)].into(), default: 2 }].into(),
        ..body(&[Op::Int(1), Op::TableSwitch(0), Op::Int(1), Op::LookupSwitch(0)])
    };
    refuses(&code(4), "()V", 1, "does not exist");
    accepts(&code(0), "()V");
    refuses(&body(&[Op::Int(1), Op::TableSwitch(0)]), "()V", 1, "operand of the instruction");
    for op in [Op::GetStatic(0), Op::InvokeStatic(0), Op::New(0), Op::InvokeDynamic(0), Op::Concat(0), Op::Constant(9)]
    {
        refuses(&body(&[op, Op::Return]), "()V", 0, "operand of the instruction");
    }
}

#[test]
fn ways_must_agree_where_they_meet() {
    // The operand is an int on one way and a float on the other.
    let differing = [Op::Load(0), Op::IfEq(4), Op::Int(1), Op::Goto(5), FLOAT, Op::Pop, Op::Return];
    refuses(&body(&differing), "(I)V", 4, "different kinds");
    let heights = [Op::Load(0), Op::IfEq(3), Op::Int(1), Op::Return];
    refuses(&body(&heights), "(I)V", 2, "different heights");
    // A local variable may differ as long as no instruction reads it.
    let local = |last| {
        body(&[
            Op::Load(0),
            Op::IfEq(5),
            Op::Int(1),
            Op::Store(1),
            Op::Goto(7),
            FLOAT,
            Op::Store(1),
            last,
            Op::Pop,
            Op::Return,
        ])
    };
    refuses(&local(Op::Load(1)), "(I)V", 7, "no value on some way");
    accepts(&local(Op::Load(0)), "(I)V");
}

#[test]
fn loops_are_followed_until_nothing_changes() {
    // In the second round the local variable is a float.
    let code = body(&[Op::Load(1), Op::Pop, FLOAT, Op::Store(1), Op::Load(0), Op::IfEq(0), Op::Iinc(1, 1), Op::Return]);
    refuses(&code, "(II)V", 6, "no int");
    let code = body(&[Op::Load(1), Op::Ineg, Op::Pop, FLOAT, Op::Store(1), Op::Load(0), Op::IfEq(0), Op::Return]);
    refuses(&code, "(II)V", 0, "no value on some way");
}

#[test]
fn local_variables_must_exist_and_have_values() {
    refuses(&body(&[Op::Load(4), Op::Return]), "()V", 0, "no such local");
    refuses(&body(&[Op::Int(1), Op::Store(4), Op::Return]), "()V", 1, "no such local");
    refuses(&body(&[Op::Iinc(9, 1), Op::Return]), "()V", 0, "no such local");
    refuses(&body(&[Op::Load(0), Op::Return]), "()V", 0, "no value");
    refuses(&body(&[Op::Return]), "(IIIII)V", 0, "do not fit");
    accepts(&body(&[Op::Load(1), Op::ReturnValue]), "(JD)D");
}

#[test]
fn arrays_give_and_take_what_they_hold() {
    let code = |last| body(&[Op::Load(0), Op::Int(0), Op::ArrayLoad, last, Op::Return]);
    accepts(&code(Op::Pop2), "([J)V");
    refuses(&code(Op::Pop), "([J)V", 3, "half of a long");
    refuses(&code(Op::Ineg), "([[I)V", 3, "wrong kind");
    refuses(&code(Op::Pop), "(Ljava/lang/Object;)V", 2, "no array");
    let code = |value| body(&[Op::Load(0), Op::Int(0), value, Op::ArrayStore, Op::Return]);
    accepts(&code(LONG), "([J)V");
    accepts(&code(Op::Int(1)), "([Z)V");
    accepts(&code(Op::Null), "([[I)V");
    refuses(&code(LONG), "([I)V", 3, "wrong kind");
    refuses(&code(Op::Int(1)), "([Ljava/lang/Object;)V", 3, "wrong kind");
    refuses(&body(&[Op::Load(0), Op::ArrayLength, Op::Return]), "(Ljava/lang/Object;)V", 1, "no array");
    // An access to null never returns, so whatever comes behind it is not reached.
    accepts(&body(&[Op::Null, Op::Int(0), Op::ArrayLoad, Op::Iadd, Op::Return]), "()V");
    // Different arrays meet as objects.
    let meet =
        [Op::Load(0), Op::IfNull(4), Op::Load(0), Op::Goto(5), Op::Load(1), Op::Int(0), Op::ArrayLoad, Op::Return];
    refuses(&body(&meet), "([I[J)V", 6, "no array");
    accepts(&body(&meet), "([[I[[J)V");
}

#[test]
fn members_are_used_as_their_descriptors_say() {
    let code = |ops: &[Op]| Code {
        fields: [FieldSite { class: "A", name: "l", descriptor: "J", resolved: Default::default() }].into(),
        calls: [CallSite { class: "A", name: "m", descriptor: "(J[I)V", arguments: 3, resolved: Default::default() }]
            .into(),
        classes: [class_site("[[I"), class_site("A"), class_site("[Q")].into(),
        ..body(ops)
    };
    accepts(&code(&[Op::Load(0), Op::GetField(0), Op::Pop2, Op::Return]), "(LA;)V");
    refuses(&code(&[Op::Load(0), Op::GetField(0), Op::Pop2, Op::Return]), "([I)V", 1, "field of an array");
    refuses(&code(&[Op::Load(0), Op::Int(1), Op::PutField(0), Op::Return]), "(LA;)V", 2, "wrong kind");
    accepts(&code(&[Op::Load(0), LONG, Op::Null, Op::InvokeVirtual(0), Op::Return]), "(LA;)V");
    refuses(&code(&[Op::Load(0), LONG, Op::Load(0), Op::InvokeVirtual(0), Op::Return]), "(LA;)V", 3, "argument");
    refuses(&code(&[Op::Int(0), LONG, Op::Null, Op::InvokeVirtual(0), Op::Return]), "(LA;)V", 3, "another class");
    refuses(&code(&[LONG, Op::Null, Op::InvokeVirtual(0), Op::Return]), "(LA;)V", 2, "stack is empty");
    accepts(&code(&[Op::Int(1), Op::Int(1), Op::MultiNewArray(0, 2), Op::Pop, Op::Return]), "()V");
    refuses(&code(&[Op::Int(1), Op::MultiNewArray(0, 3), Op::Pop, Op::Return]), "()V", 1, "more dimensions");
    refuses(&code(&[Op::Int(1), Op::NewArray(1), Op::Pop, Op::Return]), "()V", 1, "no array class");
    refuses(&code(&[Op::Null, Op::CheckCast(2), Op::Pop, Op::Return]), "()V", 1, "broken name");
}

#[test]
fn handlers_start_with_the_exception_and_the_locals_of_their_range() {
    let code =
        |ops: &[Op], handler| Code { handlers: [handler].into(), classes: [class_site("A")].into(), ..body(ops) };
    let handler = |start, end, target| Handler { start, end, target, catches: Some(0) };
    let ops = [Op::Nop, Op::Return, Op::Throw];
    accepts(&code(&ops, handler(0, 2, 2)), "()V");
    refuses(&Code { registers: 4, ..code(&ops, handler(0, 2, 2)) }, "()V", 0, "no room for an exception");
    refuses(&code(&ops, handler(0, 2, 3)), "()V", 0, "does not exist");
    refuses(&code(&ops, handler(0, 4, 2)), "()V", 0, "does not fit");
    refuses(&code(&ops, Handler { catches: Some(7), ..handler(0, 2, 2) }), "()V", 0, "does not fit");
    // The variable is an int at the start of the range and a float later on.
    let ops = [Op::Nop, FLOAT, Op::Store(0), Op::Nop, Op::Return, Op::Pop, Op::Iinc(0, 1), Op::Return];
    refuses(&code(&ops, handler(0, 4, 5)), "(I)V", 6, "no int");
    accepts(&code(&ops, handler(0, 3, 5)), "(I)V");
}

#[test]
fn subroutines_are_followed_for_each_caller() {
    // Two callers with different kinds in local 1, which the subroutine does not touch.
    let ops = [
        Op::Int(1),
        Op::Store(1),
        Op::Jsr(9),
        Op::Iinc(1, 1),
        FLOAT,
        Op::Store(1),
        Op::Jsr(9),
        Op::Load(1),
        Op::ReturnValue,
        Op::Store(2),
        Op::Ret(2),
    ];
    accepts(&body(&ops), "()F");
    refuses(&body(&[Op::Ret(0)]), "(I)V", 0, "no return address");
    // The subroutine goes back to itself, where the return address is missing.
    refuses(&body(&[Op::Jsr(1), Op::Store(0), Op::Ret(0)]), "()V", 1, "stack is empty");
    refuses(&body(&[Op::Goto(3), Op::Store(0), Op::Ret(0), Op::Jsr(1)]), "()V", 2, "falls off");
    // A subroutine that jumps out and is entered again, as `continue` in a finally block does.
    accepts(&body(&[Op::Jsr(1), Op::Pop, Op::Goto(0)]), "()V");
    // Each level calls the next one twice, so that there are too many activations to follow.
    let nested = |levels: u16| {
        let mut ops = vec![Op::Jsr(2), Op::Return];
        for level in 0..levels {
            let next = 4 * level as u32 + 6;
            ops.extend([Op::Store(level), Op::Jsr(next), Op::Jsr(next), Op::Ret(level)]);
        }
        ops.extend([Op::Store(levels), Op::Ret(levels)]);
        Code { locals: 20, registers: 21, ..body(&ops) }
    };
    accepts(&nested(8), "()V");
    assert!(check(&nested(12), "()V").is_err_and(|violation| violation.what.contains("nested too deeply")));
}

#[test]
fn merged_types_know_what_both_have_in_common() {
    let mut classes = ClassHierarchy::ignored();
    let mut of = |descriptor| classes.of_descriptor(descriptor).unwrap_or(VerificationType::Null);
    let cases = [
        (VerificationType::Int, VerificationType::Float, VerificationType::Unusable),
        (VerificationType::Null, of("[I"), of("[I")),
        (of("[I"), of("[B"), VerificationType::OBJECT),
        (of("[[I"), of("[LA;"), of("[LA;")),
        (of("[[[I"), of("[[[J"), of("[[LA;")),
        (of("[[LA;"), VerificationType::OBJECT, VerificationType::OBJECT),
        (VerificationType::Return(1), VerificationType::Return(2), VerificationType::Unusable),
        (VerificationType::Null, VerificationType::Int, VerificationType::Unusable),
    ];
    for (left, right, both) in cases {
        assert_eq!(classes.merge(left, right), both, "{left:?} {right:?}");
        assert_eq!(classes.merge(right, left), both, "{right:?} {left:?}");
        assert!(both == VerificationType::Unusable || classes.fits(left, both) && classes.fits(right, both));
    }
}
