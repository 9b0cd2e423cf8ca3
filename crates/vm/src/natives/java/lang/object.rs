//! `java.lang.Object`, and identity.

use std::time::Duration;

use crate::interp::Trouble;
use crate::natives::{Call, Exit, Models, nothing, throw};
use crate::outcome::{End, Stop};
use crate::value::Value;

/// Models of `getClass`, `hashCode`, `clone`, `notify` and `wait`.
pub(super) const MODELS: &[Models] = &[(
    "java/lang/Object",
    &[
        ("registerNatives()V", nothing),
        ("getClass()Ljava/lang/Class;", get_class),
        ("hashCode()I", hash_code),
        ("clone()Ljava/lang/Object;", clone),
        ("notify()V", notify),
        ("notifyAll()V", notify),
        ("wait(J)V", wait),
        ("wait0(J)V", wait),
    ],
)];

/// Models that look at no field of the object, which may be an input.
pub(crate) const ON_INPUTS: &[Models] = &[(
    "java/lang/Object",
    &[("notify()V", notify), ("notifyAll()V", notify), ("wait(J)V", wait), ("wait0(J)V", wait)],
)];

fn get_class(call: &mut Call) -> Result<Value, Exit> {
    let class = call.state.heap.class(call.this());
    Ok(call.mirror(class).into())
}

fn hash_code(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    Ok(call.vm.identity_hash(call.state, this))
}

fn clone(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let class = call.state.heap.class(this);
    let cloneable = call.load("java/lang/Cloneable")?;
    if !class.is_subtype_of(cloneable) {
        return throw("java/lang/CloneNotSupportedException", class.java_name());
    }
    // The contents are shared until one of the two is written.
    let body = call.state.heap.get(this).body.clone();
    Ok(call.state.heap.insert(class, body).into())
}

fn notify(call: &mut Call) -> Result<Value, Exit> {
    if !call.state.holds_lock(call.this()) {
        return Err(Trouble::NotOwner.into());
    }
    call.vm.notify(call.state, call.this(), call.method.name == "notifyAll")?;
    Ok(Value::Top)
}

/// Without other threads, none can wake the one that waits.
fn wait(call: &mut Call) -> Result<Value, Exit> {
    let is_waiting = call.state.threads.as_ref().is_some_and(|threads| threads.now().waiting.is_some());
    if !is_waiting && !call.state.holds_lock(call.this()) {
        return Err(Trouble::NotOwner.into());
    }
    // The time of a wait may be over at once. Without a time, a thread waits for others, also if there are none.
    if call.state.threads.is_none() && call.arguments[1] == Value::Long(0) {
        call.vm.begin_threads(call.state);
    }
    if call.state.threads.is_some() {
        let object = call.this();
        let time = match call.arguments[1] {
            Value::Long(time) => u64::try_from(time).ok().filter(|time| *time > 0).map(Duration::from_millis),
            // The program has looked whether it is negative. Zero, which is no limit, is not told apart.
            _ => return call.unsupported(),
        };
        return match call.vm.wait(call.state, object, time)? {
            false => Ok(Value::Top),
            true => Err(Trouble::Named("java/lang/InterruptedException", None).into()),
        };
    }
    match call.arguments[1] {
        Value::Long(1..) => Ok(Value::Top),
        // A call that makes an input makes none then.
        Value::Long(_) if !call.state.thread.is_guarded => Err(Stop::from(End::Deadlock).into()),
        Value::Long(_) => Err(Exit::Unsupported("Object.wait() in a single thread".into())),
        _ => call.unsupported(),
    }
}
