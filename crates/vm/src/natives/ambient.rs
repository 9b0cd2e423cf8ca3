//! What does a program see of its surroundings, and who notes that it did?
//!
//! In a plain run, the models of this file step aside for the library's own code or ask the host. In an exploration, `crate::ambient`
//! decides what they give.

use std::rc::Rc;

use super::{Call, CallWatch, Exit, Models, throw};
use crate::ambient::{Ambient, AmbientValue, Assumption, Source};
use crate::heap::Body;
use crate::interp::Vm;
use crate::state::State;
use crate::symbols::ENVIRONMENT;
use crate::value::{Kind, ObjId, Value};

/// Models of methods that read clocks, random bytes, hash codes and the environment.
pub(super) const MODELS: &[Models] = &[
    ("java/time/Clock", &[("currentInstant()Ljava/time/Instant;", current_instant)]),
    (
        "java/lang/ProcessEnvironment",
        &[
            ("getenv(Ljava/lang/String;)Ljava/lang/String;", environment_variable),
            ("getenv()Ljava/util/Map;", environment),
        ],
    ),
    ("java/security/SecureRandom", &[("nextBytes([B)V", random_bytes), ("generateSeed(I)[B", random_seed)]),
];

/// Methods whose calls are noted, by class; `(...)` stands for every descriptor.
pub(super) const WATCHED: &[(&str, &[(&str, CallWatch)])] = &[
    (
        "java/lang/System",
        &[
            ("getProperty(...)", property),
            ("getProperties()Ljava/util/Properties;", properties),
            ("lineSeparator()Ljava/lang/String;", line_separator),
        ],
    ),
    (
        "java/lang/Thread",
        &[
            ("interrupted()Z", thread),
            ("isInterrupted()Z", thread),
            ("holdsLock(Ljava/lang/Object;)Z", thread),
            ("isAlive()Z", thread),
            ("getState()Ljava/lang/Thread$State;", thread),
            ("sleep(...)", thread),
            ("join(...)", thread),
            ("getName()Ljava/lang/String;", users_thread),
            ("isDaemon()Z", users_thread),
            ("getPriority()I", users_thread),
            ("getThreadGroup()Ljava/lang/ThreadGroup;", users_thread),
            ("getContextClassLoader()Ljava/lang/ClassLoader;", users_thread),
            ("getId()J", users_thread),
            ("threadId()J", users_thread),
            ("isVirtual()Z", users_thread),
            ("toString()Ljava/lang/String;", users_thread),
            ("activeCount()I", users_thread),
            ("getUncaughtExceptionHandler()Ljava/lang/Thread$UncaughtExceptionHandler;", users_thread),
            ("getStackTrace()[Ljava/lang/StackTraceElement;", callers),
        ],
    ),
    // A thread that is interrupted gets an exception where it would wait.
    ("java/lang/Object", &[("wait()V", thread), ("wait(J)V", thread), ("wait(JI)V", thread)]),
    (
        "java/lang/Throwable",
        &[
            ("getStackTrace()[Ljava/lang/StackTraceElement;", callers),
            ("printStackTrace(Ljava/io/PrintStream;)V", printed_callers),
            ("printStackTrace(Ljava/io/PrintWriter;)V", callers),
        ],
    ),
    ("java/lang/StackWalker", &[("walk(...)", callers), ("forEach(...)", callers), ("getCallerClass(...)", callers)]),
    ("java/util/Locale", &[("getDefault(...)", |vm, _, _| note(vm, Source::Locale))]),
    ("java/util/TimeZone", &[("getDefaultRef()Ljava/util/TimeZone;", |vm, _, _| note(vm, Source::TimeZone))]),
    (
        "java/nio/charset/Charset",
        &[("defaultCharset()Ljava/nio/charset/Charset;", |vm, _, _| note(vm, Source::Charset))],
    ),
    ("java/util/HashMap", WALKS),
    ("java/util/HashMap$KeySet", WALKS),
    ("java/util/HashMap$Values", WALKS),
    ("java/util/HashMap$EntrySet", WALKS),
    ("java/util/HashMap$HashIterator", BEGINS),
    ("java/util/HashMap$HashMapSpliterator", BEGINS),
    ("java/util/IdentityHashMap", WALKS),
    ("java/util/IdentityHashMap$KeySet", WALKS),
    ("java/util/IdentityHashMap$Values", WALKS),
    ("java/util/IdentityHashMap$EntrySet", WALKS),
    ("java/util/IdentityHashMap$IdentityHashMapIterator", BEGINS),
    ("java/util/IdentityHashMap$IdentityHashMapSpliterator", BEGINS),
    ("java/util/WeakHashMap", WALKS),
    ("java/util/WeakHashMap$HashIterator", BEGINS),
    ("java/util/WeakHashMap$WeakHashMapSpliterator", BEGINS),
    ("java/util/Hashtable", WALKS),
    ("java/util/Hashtable$Enumerator", BEGINS),
    ("java/util/concurrent/ConcurrentHashMap$Traverser", BEGINS),
];

/// Methods that go through a whole table by themselves.
const WALKS: &[(&str, CallWatch)] = &[
    ("forEach(...)", walk),
    ("replaceAll(...)", walk),
    ("toArray(...)", walk),
    ("keysToArray(...)", walk),
    ("valuesToArray(...)", walk),
];

/// Objects that do so step by step.
const BEGINS: &[(&str, CallWatch)] = &[("<init>(...)", walk)];

fn note(vm: &mut Vm, source: Source) {
    vm.take_for_granted(Assumption::Ambient { source });
}

fn walk(vm: &mut Vm, state: &State, _arguments: &[Value]) {
    vm.note_hash_order(state);
}

/// The library looks at many properties of which the program sees nothing; those that it asks for itself are noted.
fn property(vm: &mut Vm, state: &State, arguments: &[Value]) {
    let callers = state.thread.frames.iter().rev().map(|frame| frame.method.class());
    let mut callers =
        callers.skip_while(|class| matches!(class.name, "java/lang/Integer" | "java/lang/Long" | "java/lang/Boolean"));
    if !callers.next().is_some_and(|class| class.is_users()) {
        return;
    }
    match arguments.first() {
        Some(Value::Ref(Some(key))) => {
            let key = vm.text(state, *key);
            note(vm, Source::Property(Some(key)));
        }
        _ => note(vm, Source::Property(None)),
    }
}

fn properties(vm: &mut Vm, state: &State, _arguments: &[Value]) {
    if state.thread.frames.last().is_some_and(|frame| frame.method.class().is_users()) {
        note(vm, Source::Property(None));
    }
}

fn thread(vm: &mut Vm, _state: &State, _arguments: &[Value]) {
    note(vm, Source::Thread);
}

/// The library asks these for its own purposes.
fn users_thread(vm: &mut Vm, state: &State, _arguments: &[Value]) {
    let mut callers = state.thread.frames.iter().rev().map(|frame| frame.method.class());
    let mut callers = callers.by_ref().skip_while(|class| class.name == "java/lang/Thread");
    if callers.next().is_some_and(|class| class.is_users()) {
        note(vm, Source::Thread);
    }
}

fn callers(vm: &mut Vm, _state: &State, _arguments: &[Value]) {
    note(vm, Source::Callers);
}

fn printed_callers(vm: &mut Vm, state: &State, arguments: &[Value]) {
    if !arguments.get(1).is_some_and(|stream| is_standard(vm, state, *stream)) {
        note(vm, Source::Callers);
    }
}

/// An exploration shows nothing of what is printed, so that the ends of printed lines do not matter.
fn line_separator(vm: &mut Vm, state: &State, _arguments: &[Value]) {
    let is_printed = state.thread.frames.iter().any(|frame| {
        frame.method.class().name == "java/io/PrintStream"
            && is_standard(vm, state, state.thread.stack[frame.base as usize])
    });
    if !is_printed {
        note(vm, Source::LineSeparator);
    }
}

/// Is this `System.out` or `System.err`?
fn is_standard(vm: &Vm, state: &State, stream: Value) -> bool {
    let Ok(class) = vm.program.load("java/lang/System") else { return false };
    let Some(mirror) = state.classes.slot(class.id).mirror else { return false };
    let mut streams = ["out", "err"].into_iter().filter_map(|name| class.field(name));
    streams.any(|field| state.heap.field(mirror, vm.program.slot_of(field) as usize) == stream)
}

/// The seconds and the nanoseconds of an instant are unknowns of their own: to take them out of one number costs the solver much.
fn current_instant(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let class = call.load("java/time/Instant")?;
    let class = call.initialised(class)?;
    let Some(create) = class.own_method("create", "(JI)Ljava/time/Instant;") else { return call.unsupported() };
    let seconds = call.vm.clock(call.state, "seconds of the clock", 1);
    let nanos = call.vm.take(
        call.state,
        AmbientValue {
            source: Source::Clock,
            name: "nanoseconds of the clock",
            kind: Kind::Int,
            range: (0, 999_999_999),
            usual: Value::Int(0),
        },
    );
    call.hand_over(create, &[seconds, nanos])
}

/// The same name has the same value on a path: none, or some string.
fn environment_variable(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let name = call.text(call.object(0)?);
    let is_early = call.state.symbols.roots.is_empty() && call.vm.example.is_none() && is_initialising(call.state);
    if call.state.thread.is_guarded || call.vm.rules.ambient == Ambient::Concrete || is_early {
        note(call.vm, Source::Environment(Some(name)));
        return Err(Exit::OwnCode);
    }
    let name = format!("{ENVIRONMENT}{name:?})");
    if let Some(example) = &call.vm.example {
        let known = example.taken.iter().find(|taken| *taken.name == *name);
        return Ok(known.map_or(Value::NULL, |taken| taken.value));
    }
    if call.vm.is_concrete {
        return Err(Exit::OwnCode);
    }
    if let Some(root) = call.state.symbols.roots.iter().find(|root| *root.name == *name) {
        return Ok(root.value);
    }
    let string = call.vm.program.known().string;
    Ok(call.vm.new_argument(call.state, &name, string, true))
}

/// Does an initialiser run before the paths begin? Then there are no roots yet, and the first ones must be the parameters.
fn is_initialising(state: &State) -> bool {
    state
        .thread
        .frames
        .first()
        .is_some_and(|frame| frame.method.name == "<clinit>" || frame.method.class().name == "java/lang/Object")
}

fn environment(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring || call.vm.is_concrete {
        return Err(Exit::OwnCode);
    }
    if call.vm.rules.ambient == Ambient::Concrete {
        note(call.vm, Source::Environment(None));
        return Err(Exit::OwnCode);
    }
    Err(Exit::Unsupported("the map of all environment variables, which are unknown".into()))
}

/// Fills an array with unknown bytes, each of which may have any value.
fn random_bytes(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let array = call.object(1)?;
    fill_at_random(call, array)?;
    Ok(Value::Top)
}

fn random_seed(call: &mut Call) -> Result<Value, Exit> {
    if !call.vm.is_exploring {
        return Err(Exit::OwnCode);
    }
    let Value::Int(length) = call.arguments[1] else { return call.unsupported() };
    if length < 0 {
        return throw("java/lang/IllegalArgumentException", "numBytes cannot be negative");
    }
    let class = call.vm.program.known().byte_array;
    let array = call.vm.allocate_array_here(call.state, class, length)?;
    fill_at_random(call, array)?;
    Ok(array.into())
}

/// Longer arrays than this would be too many unknowns.
const MOST_BYTES: usize = 256;

fn fill_at_random(call: &mut Call, array: ObjId) -> Result<(), Exit> {
    let Some(length) = call.state.heap.length(array).filter(|length| *length <= MOST_BYTES) else {
        return Err(Exit::Unsupported(format!("more than {MOST_BYTES} random bytes at once")));
    };
    let wanted = |at: usize| AmbientValue {
        source: Source::RandomBytes,
        name: "byte of SecureRandom",
        kind: Kind::Byte,
        range: (i8::MIN as i64, i8::MAX as i64),
        usual: Value::Int((at as i32).wrapping_mul(0x5D) as i8 as i32),
    };
    let values: Rc<[Value]> = (0..length).map(|at| call.vm.take(call.state, wanted(at))).collect();
    match values.iter().any(|value| matches!(value, Value::Term(..))) {
        true => *call.state.heap.body_mut(array) = Body::Mixed(values),
        false => {
            for (index, value) in (0..).zip(values.iter()) {
                call.state.heap.set_element(array, index, *value);
            }
        }
    }
    Ok(())
}
