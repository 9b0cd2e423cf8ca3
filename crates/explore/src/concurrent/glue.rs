//! Which code has threads make their calls, and keeps how these ended?

use lazuli_vm::program::{Assembler, Class, Method, Op, Program, SyntheticClass, SyntheticMethod, access, descriptor};
use lazuli_vm::value::Kind;

use super::{ConcurrentUse, UseCall};

/// In the field `ended` of a call: it returned, or threw.
const ENDED_BY_RETURN: i32 = 1;
pub(crate) const ENDED_BY_EXCEPTION: i32 = 2;

const THROWABLE: &str = "Ljava/lang/Throwable;";

/// The class of records: for each call `ended`, `thrown` and, unless it is void, `result`; for each thread `done`, the number of its calls that are
/// over; for each call and each other thread `seen`, what `done` was when the call began. Only `done` is volatile: reading it orders a call
/// behind those that it counts, and all other fields are those of one thread.
pub(super) fn record(
    program: &Program,
    host: &'static Class,
    calls: &[UseCall],
    threads: usize,
) -> Option<&'static Class> {
    let mut fields: Vec<(&'static str, String, u16)> = Vec::new();
    let mut add =
        |name: String, kind: &str, access: u16| fields.push((program.intern_name(&name), kind.into(), access));
    for (number, call) in calls.iter().enumerate() {
        let (_, result) = descriptor::method(call.method.descriptor)?;
        add(format!("ended{number}"), "I", 0);
        add(format!("thrown{number}"), THROWABLE, 0);
        if call.method.result != Kind::Void {
            add(format!("result{number}"), result, 0);
        }
        for thread in (0..threads).filter(|thread| *thread != call.thread) {
            add(format!("seen{number}by{thread}"), "I", 0);
        }
    }
    for thread in 0..threads {
        add(format!("done{thread}"), "I", access::VOLATILE);
    }
    let name = program.fresh_name(host, "Record");
    let (interfaces, methods) = (Vec::new(), Vec::new());
    Some(program.define_synthetic(SyntheticClass { name, host, interfaces, fields, methods }))
}

/// A static method with the receiver, all arguments and the record as its parameters, which has one thread for each list of calls.
pub(super) fn driver(program: &Program, plan: &ConcurrentUse, threads: &[Vec<usize>]) -> &'static Method {
    let (parameters, _) = descriptor::method(plan.target.descriptor).unwrap_or_default();
    let mut given: Vec<String> = vec![plan.class.descriptor()];
    given.extend(parameters.iter().map(|kind| kind.to_string()));
    given.push(plan.record.descriptor());
    let bodies: Vec<&'static Class> = threads.iter().map(|calls| body(program, plan, &given, calls, threads)).collect();
    let thread = program.known().thread;
    let method = |name: &str, kind: &str| thread.own_method(name, kind).expect("every JDK has it");
    let constructor = method("<init>", "(Ljava/lang/Runnable;Ljava/lang/String;)V");
    let mut code = Assembler::default();
    let locals = given.len();
    for (number, body) in bodies.iter().copied().enumerate() {
        code.new_object(thread).op(Op::Dup).new_object(body);
        for at in 0..given.len() {
            code.op(Op::Dup).load(at).put_field(program, body, &field(at));
        }
        let name = program.intern_str(&format!("thread {}", number + 1));
        code.op(Op::String(name)).call_special(constructor).op(Op::Store((locals + number) as u16));
    }
    for number in 0..bodies.len() {
        code.load(locals + number).call_virtual(method("start", "()V"));
    }
    for number in 0..bodies.len() {
        code.load(locals + number).call_virtual(method("join", "()V"));
    }
    code.op(Op::Return);
    let glue = program.define_synthetic(SyntheticClass {
        name: program.fresh_name(plan.class, "Concurrent"),
        host: plan.class,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![SyntheticMethod {
            name: "run",
            descriptor: format!("({})V", given.concat()),
            access: access::STATIC,
            code: code.finish(locals + bodies.len(), 6),
        }],
    });
    glue.methods[0]
}

/// The field of a thread's body that holds an argument of the driver.
fn field(at: usize) -> String {
    format!("given{at}")
}

/// The `Runnable` of one thread.
fn body(
    program: &Program,
    plan: &ConcurrentUse,
    given: &[String],
    calls: &[usize],
    threads: &[Vec<usize>],
) -> &'static Class {
    let name = program.intern_name(&program.fresh_name(plan.class, "Thread"));
    let mut code = Assembler::default();
    let own: Vec<u32> = given
        .iter()
        .enumerate()
        .map(|(at, kind)| code.late_field(name, program.intern_name(&field(at)), program.intern_name(kind)))
        .collect();
    let (receiver, record) = (own[0], own[own.len() - 1]);
    for (position, number) in calls.iter().copied().enumerate() {
        let call = plan.calls[number];
        if threads.len() > 1 {
            for other in (0..plan.threads).filter(|other| *other != call.thread) {
                code.load(0).op(Op::GetField(record)).load(0).op(Op::GetField(record));
                code.get_field(program, plan.record, &format!("done{other}"));
                code.put_field(program, plan.record, &format!("seen{number}by{other}"));
            }
        }
        let start = code.here();
        code.load(0).op(Op::GetField(record)).load(0).op(Op::GetField(receiver));
        for at in 0..call.method.parameters.len() {
            code.load(0).op(Op::GetField(own[1 + call.first + at]));
        }
        code.call_virtual(call.method);
        match call.method.result {
            Kind::Void => code.op(Op::Pop),
            _ => code.put_field(program, plan.record, &format!("result{number}")),
        };
        code.load(0).op(Op::GetField(record)).op(Op::Int(ENDED_BY_RETURN));
        code.put_field(program, plan.record, &format!("ended{number}"));
        let (end, jump) = (code.here(), code.here());
        code.op(Op::Nop);
        let handler = code.here();
        code.op(Op::Store(1)).load(0).op(Op::GetField(record)).load(1);
        code.put_field(program, plan.record, &format!("thrown{number}"));
        code.load(0).op(Op::GetField(record)).op(Op::Int(ENDED_BY_EXCEPTION));
        code.put_field(program, plan.record, &format!("ended{number}"));
        code.handler(start, end, handler, None);
        code.patch(jump, Op::Goto(code.here()));
        if threads.len() > 1 {
            code.load(0).op(Op::GetField(record)).op(Op::Int(position as i32 + 1));
            code.put_field(program, plan.record, &format!("done{}", call.thread));
        }
    }
    code.op(Op::Return);
    let most = calls.iter().map(|call| plan.calls[*call].method.parameters.len()).max().unwrap_or(0);
    let fields = given.iter().enumerate().map(|(at, kind)| (program.intern_name(&field(at)), kind.clone(), 0));
    let runnable = program.load("java/lang/Runnable").expect("every JDK has it");
    program.define_synthetic(SyntheticClass {
        name: name.to_string(),
        host: plan.class,
        interfaces: vec![runnable],
        fields: fields.collect(),
        methods: vec![SyntheticMethod {
            name: "run",
            descriptor: "()V".to_string(),
            access: access::PUBLIC,
            code: code.finish(2, most + 6),
        }],
    })
}
