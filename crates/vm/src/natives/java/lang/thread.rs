//! `java.lang.Thread`. What threads do to each other is in `interp/threads`.

use std::time::Duration;

use crate::interp::Trouble;
use crate::natives::{Call, Exit, Models, always_false, always_null, nothing};
use crate::threads::ThreadOperation;
use crate::value::{ObjId, Value};

/// Models of threads.
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
            ("interrupt0()V", interrupt),
            ("join(J)V", join),
            ("getState()Ljava/lang/Thread$State;", get_state),
            ("clearInterruptEvent()V", nothing),
            ("holdsLock(Ljava/lang/Object;)Z", holds_lock),
            ("yield()V", nothing),
            ("yield0()V", nothing),
            ("onSpinWait()V", nothing),
            ("sleep(J)V", sleep),
            ("sleep0(J)V", sleep),
            ("sleepNanos0(J)V", sleep),
            ("start0()V", start),
            ("ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
            ("scopedValueCache()[Ljava/lang/Object;", always_null),
            ("isInterrupted0(Z)Z", always_false),
            ("getNextThreadIdOffset()J", |_| Ok(Value::Long(FIRST_ID))),
        ],
    ),
    ("java/lang/Thread$ThreadIdentifiers", &[("next()J", next_id)]),
];

/// Models of threads that are inputs, or objects of the program's own subclasses with unknown contents.
pub(crate) const ON_INPUTS: &[Models] = &[(
    "java/lang/Thread",
    &[
        ("isAlive()Z", is_alive),
        ("interrupt0()V", interrupt),
        ("join(J)V", join),
        ("start0()V", start),
        ("holdsLock(Ljava/lang/Object;)Z", holds_lock),
    ],
)];

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
    Ok(Value::Ref(current_thread(call)))
}

fn current_thread(call: &Call) -> Option<ObjId> {
    match &call.state.threads {
        Some(threads) => Some(threads.now().object),
        None => call.state.roots.main_thread,
    }
}

fn is_alive(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let Some(threads) = &call.state.threads else {
        return Ok(Value::bool(call.state.roots.main_thread == Some(this)));
    };
    if threads.now().object != this {
        call.vm.permit(call.state, ThreadOperation::Alive(this))?;
    }
    Ok(Value::bool(is_running(call, this)))
}

/// Was the thread started, and has it not ended?
fn is_running(call: &Call, object: ObjId) -> bool {
    let Some(threads) = &call.state.threads else { return call.state.roots.main_thread == Some(object) };
    threads.number_of(object).is_some_and(|number| !threads.all[number as usize].has_ended)
}

/// The state of another thread that runs depends on what it does at the moment.
fn get_state(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    if current_thread(call) != Some(this) && is_running(call, this) {
        return Err(Exit::Unsupported("Thread.getState() of another thread".into()));
    }
    Err(Exit::OwnCode)
}

fn holds_lock(call: &mut Call) -> Result<Value, Exit> {
    let object = call.object(0)?;
    Ok(Value::bool(call.state.holds_lock(object)))
}

/// The native method of JDK 17 counts milliseconds, those behind it nanoseconds.
fn time_of(call: &Call, time: i64) -> Duration {
    match call.method.name {
        "sleep" => Duration::from_millis(time as u64),
        _ => Duration::from_nanos(time as u64),
    }
}

/// Where time is abstract, others may do anything meanwhile, or nothing.
fn sleep(call: &mut Call) -> Result<Value, Exit> {
    let Value::Long(time @ 0..) = call.arguments[0] else {
        return crate::natives::throw("java/lang/IllegalArgumentException", "timeout value is negative");
    };
    call.vm.set_alarm(call.state, time_of(call, time));
    if call.state.threads.is_some() {
        call.vm.permit(call.state, ThreadOperation::Sleep)?;
        take_interruption(call, "sleep interrupted")?;
    }
    Ok(Value::Top)
}

/// Ends a wait with an exception if the current thread is interrupted, which it is then no more.
fn take_interruption(call: &mut Call, message: &str) -> Result<(), Exit> {
    let Some(current) = current_thread(call).filter(|current| call.vm.is_interrupted(call.state, *current)) else {
        return Ok(());
    };
    call.vm.clear_interruption(call.state, current);
    let message = Some(message.to_string()).filter(|message| !message.is_empty());
    Err(Trouble::Named("java/lang/InterruptedException", message).into())
}

/// The flag was set before. This wakes the thread, which looks at the flag.
fn interrupt(call: &mut Call) -> Result<Value, Exit> {
    let number = call.state.threads.as_ref().and_then(|threads| threads.number_of(call.this()));
    if let Some(number) = number {
        call.vm.permit(call.state, ThreadOperation::Interruption(number))?;
    }
    Ok(Value::Top)
}

/// The JDK waits for the thread object, which is woken when the thread ends. The effect is the same without a monitor.
fn join(call: &mut Call) -> Result<Value, Exit> {
    let Value::Long(time @ 0..) = call.arguments[1] else {
        return match call.arguments[1] {
            Value::Long(_) => crate::natives::throw("java/lang/IllegalArgumentException", "timeout value is negative"),
            _ => call.unsupported(),
        };
    };
    if call.state.threads.is_none() {
        match call.state.roots.main_thread == Some(call.this()) && time == 0 {
            true if call.vm.begin_threads(call.state) => {}
            true => return Err(Exit::Unsupported("a thread that waits for its own end".into())),
            false => return Ok(Value::Top),
        }
    }
    let thread = call.this();
    if time > 0 {
        call.vm.set_alarm(call.state, Duration::from_millis(time as u64));
    }
    call.vm.permit(call.state, ThreadOperation::Join { thread, is_timed: time > 0 })?;
    if is_running(call, thread) {
        take_interruption(call, "")?;
    }
    Ok(Value::Top)
}

/// The JDK's own housekeeping threads never get to run, which no program can tell.
fn start(call: &mut Call) -> Result<Value, Exit> {
    let class = call.state.heap.class(call.this()).name;
    match class {
        "java/lang/ref/Reference$ReferenceHandler" | "java/lang/ref/Finalizer$FinalizerThread" => Ok(Value::Top),
        // Closes the log's handlers at the exit, which waits for it: it may as well do so at once.
        "java/util/logging/LogManager$Cleaner" => match call.state.heap.class(call.this()).own_method("run", "()V") {
            Some(run) => call.hand_over(run, call.arguments),
            None => call.unsupported(),
        },
        _ => {
            let this = call.this();
            call.vm.start_thread(call.state, this)?;
            Ok(Value::Top)
        }
    }
}
