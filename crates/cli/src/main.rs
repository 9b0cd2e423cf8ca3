//! The command line: reads arguments, prints, and decides the exit code. Only this crate does any of these.

mod arguments;
mod bench;
mod bounds;
mod cache;
mod check;
mod confirm;
mod contain;
mod deepening;
mod journal;
mod jvm;
mod origin;
mod output;
mod plan;
mod progress;
mod project;
mod proof;
mod publish;
mod report;
mod rounds;
mod run;
mod selection;
mod shapes;
mod shell;
mod specifications;
mod supervisor;
mod target;
mod terminal;
mod tests;

use std::process::ExitCode;

use lazuli_console::visible::tell;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A fault was found.
const VIOLATED: u8 = 1;
/// The request is wrong: no such class, bad option.
const WRONG_REQUEST: u8 = 2;
/// Lazuli could not do all that was asked.
const INCOMPLETE: u8 = 3;

/// Decoding a hostile class file may recurse deeply; the pages are only used if it does.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    if let Some(code) = contain::serve() {
        return code;
    }
    if let Some(code) = supervisor::ending(std::env::args_os()) {
        return ExitCode::from(code);
    }
    let arguments = match project::parse(arguments::with_java_spelling(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(message) => {
            tell!("{message}");
            return ExitCode::from(WRONG_REQUEST);
        }
    };
    let work =
        std::thread::Builder::new().name("lazuli".into()).stack_size(STACK).spawn(move || match arguments.command {
            arguments::Command::Check(options) => check::check(*options),
            arguments::Command::Tests(options) => tests::tests(*options),
            arguments::Command::Shapes(options) => shapes::run(*options),
            arguments::Command::Bench(options) => bench::run(*options),
            arguments::Command::Bounds(options) => bounds::run(*options),
            arguments::Command::Cache(options) => cache::run(&options),
            arguments::Command::Run(options) => run::run(options),
            arguments::Command::Init(options) => project::init(options),
            arguments::Command::Completions(options) => shell::completions(options),
            arguments::Command::Man => shell::man(),
        });
    match work.map(|thread| thread.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => {
            tell!("this is a bug in Lazuli. Please report it with the lines above and the program that was run.");
            ExitCode::from(INCOMPLETE)
        }
        Err(error) => {
            tell!("no thread could be started: {error}");
            ExitCode::from(INCOMPLETE)
        }
    }
}
