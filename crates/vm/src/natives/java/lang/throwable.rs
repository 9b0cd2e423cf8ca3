//! `java.lang.Throwable`, `java.lang.StackTraceElement`, and the stack as the program may see it.

use lazuli_classfile::ClassOrigin;

use crate::heap::Body;
use crate::natives::{Call, Exit, Models};
use crate::program::Method;
use crate::value::{ObjId, Value};

/// Models that record the stack and turn it into `StackTraceElement` objects.
pub(super) const MODELS: &[Models] = &[
    ("java/lang/Throwable", &[("fillInStackTrace(I)Ljava/lang/Throwable;", fill_in_stack_trace)]),
    (
        "java/lang/StackTraceElement",
        &[
            ("initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V", from_throwable),
            ("initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V", from_backtrace),
            ("computeFormat()V", compute_format),
        ],
    ),
];

fn fill_in_stack_trace(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    call.vm.fill_in_stack_trace(call.state, this, Some(call.method));
    Ok(this.into())
}

fn from_throwable(call: &mut Call) -> Result<Value, Exit> {
    let (elements, throwable) = (call.object(0)?, call.object(1)?);
    let slot = call.vm.program.known().throwable_backtrace;
    let backtrace = call.state.heap.field(throwable, slot);
    fill_elements(call, elements, backtrace)
}

fn from_backtrace(call: &mut Call) -> Result<Value, Exit> {
    let elements = call.object(0)?;
    fill_elements(call, elements, call.arguments[1])
}

fn fill_elements(call: &mut Call, elements: ObjId, backtrace: Value) -> Result<Value, Exit> {
    let Value::Ref(Some(backtrace)) = backtrace else { return Ok(Value::Top) };
    let Body::Ints(trace) = call.state.heap.get(backtrace).body.clone() else { return Ok(Value::Top) };
    for (entry, element) in trace.chunks_exact(2).zip(call.references(Some(elements))) {
        let Value::Ref(Some(element)) = element else { continue };
        let method = call.vm.program.method(entry[0] as u32);
        fill_element(call, element, method, entry[1]);
    }
    Ok(Value::Top)
}

/// Describes a position in a method; a negative one is in a native method.
pub(super) fn fill_element(call: &mut Call, element: ObjId, method: &'static Method, pc: i32) {
    const NATIVE_LINE: i32 = -2;
    let class = method.class();
    let line = match u32::try_from(pc) {
        Ok(pc) => call.vm.program.code(method).ok().and_then(|code| code.line(pc)).map_or(-1, i32::from),
        Err(_) => NATIVE_LINE,
    };
    let texts = [
        ("declaringClass", Some(class.java_name())),
        ("methodName", Some(method.name.to_string())),
        ("fileName", class.source_file().map(str::to_string)),
        (
            "moduleName",
            match &class.origin {
                ClassOrigin::Jdk { module } => Some(module.clone()),
                ClassOrigin::User => None,
            },
        ),
        (
            "moduleVersion",
            match &class.origin {
                ClassOrigin::Jdk { .. } => Some(call.vm.program.jdk().version().to_string()),
                ClassOrigin::User => None,
            },
        ),
        ("classLoaderName", class.is_users().then(|| "app".to_string())),
    ];
    for (field, text) in texts {
        let text = text.map(|text| call.interned(&text));
        call.set_field(element, field, Value::Ref(text));
    }
    call.set_field(element, "lineNumber", Value::Int(line));
    let mirror = call.mirror(class);
    call.set_field(element, "declaringClassObject", mirror.into());
}

/// Loaders and versions that every JDK has are not shown: format bits 1 and 2.
fn compute_format(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    call.set_field(this, "format", Value::Int(3));
    call.set_field(this, "declaringClassObject", Value::NULL);
    Ok(Value::Top)
}
