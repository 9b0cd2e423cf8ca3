//! Which module executes which command?

pub(crate) mod bench;
mod bounds;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod cluster;
mod error;
pub(crate) mod init;
pub(crate) mod lsp;
pub(crate) mod replay;
mod run;
mod saved;
mod shapes;
pub(crate) mod shell;
pub(crate) mod specs;
pub(crate) mod tests;
mod watch;

use lazuli_console::visible::tell;

use crate::arguments::Command;
use crate::exit::ProcessExit;

pub(crate) use error::CommandError;

/// Executes a command. The result is the exit code of the process.
pub(crate) fn execute(command: Command) -> u8 {
    match command {
        Command::Check(options) => check::check(*options).into(),
        Command::Watch(options) => watch::watch(&options).into(),
        Command::Tests(options) => finish(tests::tests(*options)),
        Command::Shapes(options) => finish(shapes::list(&options)),
        Command::Bench(options) => finish(bench::run(&options)),
        Command::Bounds(options) => finish(bounds::compute(&options)),
        Command::Worker(options) => finish(cluster::serve(&options)),
        Command::Cluster(options) => finish(cluster::cluster(&options)),
        Command::Cache(options) => cache::run(&options).into(),
        // The program that is run decides its exit code.
        Command::Run(options) => run::run(&options).unwrap_or_else(|error| finish(Err(error))),
        Command::Init(options) => finish(init::init(&options)),
        Command::Lsp(options) => lsp::lsp(&options),
        Command::Replay(options) => finish(replay::replay(&options)),
        Command::Specs(options) => finish(specs::specs(&options)),
        Command::Completions(options) => shell::completions(options).into(),
        Command::Man => shell::man().into(),
    }
}

/// The exit code of a command; prints the message of an error.
fn finish(result: Result<ProcessExit, CommandError>) -> u8 {
    let exit = result.unwrap_or_else(|error| {
        tell!("{error}");
        error.exit()
    });
    exit.into()
}
