//! `java.lang.Thread`. There is one thread.

use crate::natives::{Call, Exit, Models, always_false, always_null, nothing};
use crate::value::Value;

/// Models of the only thread.
pub(super) const MODELS: &[Models] = &[
    (
        "java/lang/Thread",
        &[
            ("registerNatives()V", nothing),
            ("currentThread()Ljava/lang/Thread;", current),
            ("currentCarrierThread()Ljava/lang/Thread;", current),
            ("isAlive()Z", is_alive),
            ("setPriority0(I)V", nothing),
            ("setNativeName(Ljava/lang/String;)V", nothing),
            ("interrupt0()V", nothing),
            ("clearInterruptEvent()V", nothing),
            ("holdsLock(Ljava/lang/Object;)Z", holds_lock),
            ("yield()V", nothing),
            ("yield0()V", nothing),
            ("onSpinWait()V", nothing),
            ("sleep(J)V", sleep),
            ("sleep0(J)V", sleep),
            ("start0()V", start),
            ("ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
            ("scopedValueCache()[Ljava/lang/Object;", always_null),
            ("isInterrupted0(Z)Z", always_false),
            ("getNextThreadIdOffset()J", |_| Ok(Value::Long(FIRST_ID))),
        ],
    ),
    ("java/lang/Thread$ThreadIdentifiers", &[("next()J", next_id)]),
];

/// The main thread has an id below.
const FIRST_ID: i64 = 4;

/// From JDK 19 on, the counter is in memory of the virtual machine, whose address is in this field. Here, the field counts.
fn next_id(call: &mut Call) -> Result<Value, Exit> {
    const COUNTER: &str = "NEXT_TID_OFFSET";
    let class = call.method.class();
    let Value::Long(id) = call.static_field(class, COUNTER) else { return call.unsupported() };
    call.set_static_field(class, COUNTER, Value::Long(id + 1));
    Ok(Value::Long(id))
}

fn current(call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Ref(call.state.roots.main_thread))
}

fn is_alive(call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::bool(call.state.roots.main_thread == Some(call.this())))
}

fn holds_lock(call: &mut Call) -> Result<Value, Exit> {
    let object = call.object(0)?;
    Ok(Value::bool(call.state.holds_lock(object)))
}

/// Nothing else could happen meanwhile, so no time is lost.
fn sleep(call: &mut Call) -> Result<Value, Exit> {
    match call.long(0) {
        0.. => Ok(Value::Top),
        _ => crate::natives::throw("java/lang/IllegalArgumentException", "timeout value is negative"),
    }
}

/// The JDK's own housekeeping threads never get to run, which no program can tell. Others are not supported yet.
fn start(call: &mut Call) -> Result<Value, Exit> {
    let class = call.state.heap.class(call.this()).name;
    match class {
        "java/lang/ref/Reference$ReferenceHandler" | "java/lang/ref/Finalizer$FinalizerThread" => Ok(Value::Top),
        // Closes the log's handlers at the exit, which waits for it: it may as well do so at once.
        "java/util/logging/LogManager$Cleaner" => match call.state.heap.class(call.this()).own_method("run", "()V") {
            Some(run) => call.hand_over(run, call.arguments),
            None => call.unsupported(),
        },
        _ => call.unsupported(),
    }
}
