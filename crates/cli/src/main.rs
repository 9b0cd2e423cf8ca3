//! The binary `lazuli`: reads arguments, prints, and decides the exit code. No other crate does any of these.
//!
//! `arguments` says what can be asked for and `project` completes it by the settings of `lazuli.toml`; `commands` has one module per
//! command. The others are shared by commands: `targets` (which methods are checked, with which options), `confirm` (faults on the
//! user's JVM), `report` (all that is written about a result), `cache` and `journal` (results of earlier runs), `cluster` (workers elsewhere),
//! `wire` (how a server is asked), `progress` (the progress line and the limits of the run).
//!
//! Invariants: the exit code is a variant of [`exit::ProcessExit`], never derived from a message; each error is an enum of its area, whose
//! `Display` is the message; every text that leaves the process goes through `lazuli_console::visible`.

#![warn(unreachable_pub)]

#[allow(unreachable_pub)]
mod arguments;
mod cache;
mod cluster;
mod commands;
mod confirm;
mod exit;
mod journal;
mod progress;
mod project;
mod provenance;
mod report;
mod reuse;
mod targets;
mod wire;

use std::io::Write;
use std::process::ExitCode;

use lazuli_console::visible::tell;

use exit::ProcessExit;
use progress::supervisor::{end_process, take_the_end};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Decoding a hostile class file may recurse deeply; the pages are only used if it does.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    if let Some(code) = confirm::contain::serve() {
        return code;
    }
    let code = run();
    take_the_end();
    let _ = std::io::stdout().flush();
    end_process(code)
}

/// Does what the command line asks for. The result is the exit code.
fn run() -> u8 {
    let arguments = match project::parse(arguments::with_java_spelling(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => {
            tell!("{error}");
            return ProcessExit::WrongRequest.into();
        }
    };
    let work = std::thread::Builder::new()
        .name("lazuli".into())
        .stack_size(STACK)
        .spawn(move || commands::execute(arguments.command));
    match work.map(|thread| thread.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => {
            tell!("this is a bug in Lazuli. Please report it with the lines above and the program that was run.");
            ProcessExit::Incomplete.into()
        }
        Err(error) => {
            tell!("no thread could be started: {error}");
            ProcessExit::Incomplete.into()
        }
    }
}
