//! `lazuli run`: a program's main method in the interpreter.

mod terminal;

use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_console::visible::tell;
use lazuli_vm::boot;
use lazuli_vm::interp::{Limits, Vm};
use lazuli_vm::outcome::{End, Limit, Stop};
use lazuli_vm::program::Method;
use lazuli_vm::state::State;
use lazuli_vm::value::{ObjId, Value};

use super::CommandError;
use crate::arguments::RunOptions;
use crate::exit::ProcessExit;
use crate::report::reasons::reason;
use crate::targets::{find_main, open_program};
use terminal::Terminal;

/// Runs the program. The exit code is that of the program, unless Lazuli could not run it to its end.
pub(crate) fn run(options: &RunOptions) -> Result<u8, CommandError> {
    let (mut vm, mut state, main) = prepare(options)?;
    Ok(run_main(&mut vm, &mut state, main, options))
}

/// Everything before the program's first instruction.
fn prepare(options: &RunOptions) -> Result<(Vm, State, &'static Method), CommandError> {
    let program = open_program(&options.common)?.strict();
    let (_, main) = find_main(&program, &options.class, &options.common)?;
    let limits = Limits {
        depth: options.depth,
        heap: options.heap,
        memory: Some(options.common.memory()),
        deadline: options.time.map(|time| Instant::now() + time),
        stop: None,
    };
    let mut vm = Vm::new(Arc::new(program), Box::new(Terminal), limits);
    let mut state = State::default();
    match boot::boot(&mut vm, &mut state) {
        Ok(()) => Ok((vm, state, main)),
        Err(stop) => Err(CommandError::Boot(explain(&vm, &state, stop))),
    }
}

fn run_main(vm: &mut Vm, state: &mut State, main: &'static Method, options: &RunOptions) -> u8 {
    let arguments: Vec<Value> = options.arguments.iter().map(|text| vm.new_text(state, text).into()).collect();
    let array = vm.new_string_array(state, arguments);
    // The array is not reachable from the program while the main class is initialised.
    state.roots.arguments = Some(array);
    let stop = match vm.initialise_fully(state, main.class()) {
        Ok(()) => {
            vm.may_start_threads = true;
            vm.waited = Some(Duration::ZERO);
            vm.call(state, main, &[array.into()])
        }
        Err(stop) => stop,
    };
    finish(vm, state, stop)
}

/// Ends the program as `java` does after main: prints an uncaught exception and runs the exit hooks.
fn finish(vm: &mut Vm, state: &mut State, stop: Stop) -> u8 {
    // All other threads are done, or will never go on.
    if matches!(stop, Stop::End(End::Returned(_) | End::Threw(_))) {
        (state.thread, state.threads) = Default::default();
        state.monitors.clear();
    }
    let (code, stop) = match stop {
        Stop::End(End::Returned(_)) => (0, shut_down(vm, state)),
        Stop::End(End::Threw(exception)) => match report_uncaught(vm, state, exception) {
            Stop::End(End::Returned(_)) => (1, shut_down(vm, state)),
            // The handler itself failed: in HotSpot's words, and with its exit code.
            Stop::End(End::Threw(second)) => {
                let class = state.heap.class(second).java_name();
                eprintln!("\nException: {class} thrown from the UncaughtExceptionHandler in thread \"main\"");
                (1, shut_down(vm, state))
            }
            other => (1, other),
        },
        other => (0, other),
    };
    match stop {
        Stop::End(End::Returned(_) | End::Threw(_)) => code,
        // The low byte, as the operating system keeps of any exit code.
        Stop::End(End::Exited(code)) => code as u8,
        other => {
            tell!("{}", explain(vm, state, other));
            ProcessExit::Incomplete.into()
        }
    }
}

/// `Thread.dispatchUncaughtException` prints the exception, or calls the program's own handler.
fn report_uncaught(vm: &mut Vm, state: &mut State, exception: ObjId) -> Stop {
    let thread = vm.program.known().thread;
    let dispatch = thread.own_method("dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
    match (dispatch, state.roots.main_thread) {
        (Some(dispatch), Some(main)) => vm.call(state, dispatch, &[main.into(), exception.into()]),
        _ => End::unsupported("Thread.dispatchUncaughtException", "the end of main").into(),
    }
}

/// `Shutdown.shutdown` runs the exit hooks.
fn shut_down(vm: &mut Vm, state: &mut State) -> Stop {
    let shutdown = vm.program.load("java/lang/Shutdown").ok();
    let method = shutdown.and_then(|class| Some((class, class.own_method("shutdown", "()V")?)));
    let Some((class, method)) = method else { return End::Returned(Value::Top).into() };
    match vm.initialise_fully(state, class) {
        Ok(()) => vm.call(state, method, &[]),
        Err(stop) => stop,
    }
}

/// One sentence for people.
fn explain(vm: &Vm, state: &State, stop: Stop) -> String {
    match stop {
        Stop::End(End::Unsupported { what, called_from }) => {
            format!("unsupported: {}, called from {called_from}", reason(&what))
        }
        Stop::End(End::Malformed { what, at }) => {
            format!("the class file is broken: {what}, in {at}. Compile it again with javac.")
        }
        Stop::End(End::Limit(Limit::Time)) => "the time limit was reached (--time); the program was ended.".to_string(),
        Stop::End(End::Limit(Limit::Memory)) => {
            "the memory limit was reached (--memory); the program was ended.".to_string()
        }
        Stop::End(End::Threw(exception)) => {
            let what = vm.describe_throwable(state, exception);
            let place = vm.describe_trace(state, exception, 3).join(", ");
            let jdk = vm.program.jdk();
            format!(
                "the library of JDK {} at {} could not be started: {what} at {place}.\n  Lazuli is tested with JDK 17 and 25; set JAVA_HOME to one of these.",
                jdk.version(),
                jdk.home().display()
            )
        }
        Stop::End(End::Deadlock) => "deadlock: no thread can go on.".to_string(),
        other => format!("unexpected end: {other:?}"),
    }
}
