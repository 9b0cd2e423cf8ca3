//! `jdk.internal.reflect`: who is calling, and calls by name.

use crate::natives::{Call, Exit, Models, always_true};
use crate::value::Value;

pub const MODELS: &[Models] = &[(
    "jdk/internal/reflect/Reflection",
    &[
        ("getCallerClass()Ljava/lang/Class;", get_caller_class),
        ("getClassAccessFlags(Ljava/lang/Class;)I", |call| Ok(Value::Int(call.class(0)?.access as i32))),
        ("areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z", are_nest_mates),
        ("verifyModuleAccess(Ljava/lang/Module;Ljava/lang/Class;)Z", always_true),
    ],
)];

/// The class that called the method which asks.
fn get_caller_class(call: &mut Call) -> Result<Value, Exit> {
    let shown = call.state.thread.frames.iter().rev().filter(|frame| !frame.method.hidden);
    match shown.skip(1).next().map(|frame| frame.method.class()) {
        Some(class) => Ok(call.mirror(class).into()),
        None => Ok(Value::NULL),
    }
}

/// Nests follow the nesting of source classes, whose outermost name is a prefix.
fn are_nest_mates(call: &mut Call) -> Result<Value, Exit> {
    let outermost = |name: &'static str| name.split('$').next().unwrap_or(name);
    let (one, other) = (call.class(0)?, call.class(1)?);
    Ok(Value::bool(outermost(one.name) == outermost(other.name)))
}
