//! How are the user's own `javac` and `java` run, and ended again whatever happens? `contain` says within which limits.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lazuli_classfile::Jdk;

use super::contain::{contained, contained_with_loopback};

/// How often a process is looked at.
const INTERVAL: Duration = Duration::from_millis(5);
/// How long a process may take to end after it was told to.
const ENDING: Duration = Duration::from_secs(3);
/// The maximum heap. A program that needs more ends with an OutOfMemoryError.
const MOST_HEAP: &str = "-Xmx1g";
/// The same for the memory of classes.
const MOST_CLASSES: &str = "-XX:MaxMetaspaceSize=256m";
/// Bytes of a process's standard error that are read.
const MOST_COMPLAINTS: u64 = 16 << 10;

/// Options for processes that run for a second: no optimising compiler, no statistics.
const QUICK: [&str; 4] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData"];

/// The tools of an installed JDK.
pub(super) struct JdkTools {
    javac: PathBuf,
    java: PathBuf,
    pub version: String,
}

/// How a process ended.
pub(super) enum Ran {
    Exited {
        status: ExitStatus,
        complaints: String,
    },
    /// The time was up, or the user did not want to wait.
    Ended,
}

/// Why the user's JDK could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JvmError {
    #[error(
        "no javac (the JDK at {} has no compiler; install one, for example with `apt-get install openjdk-17-jdk-headless`, or \
         set JAVA_HOME to a JDK that has it)",
        home.display()
    )]
    NoCompiler { home: PathBuf },
    #[error("no java in {}; set JAVA_HOME to a whole JDK", .0.display())]
    NoJava(PathBuf),
    #[error("{} cannot be run: {error}", program.display())]
    NotStarted { program: PathBuf, error: std::io::Error },
    #[error("no temporary directory can be made: {0}")]
    NoFolder(std::io::Error),
    #[error("{0} did not come to an end in time")]
    TooSlow(&'static str),
}

/// Why a program was not compiled.
pub(crate) enum CompileError {
    /// The messages of the compiler.
    Rejected(String),
    NotRun(JvmError),
}

impl JdkTools {
    /// The compiler and the virtual machine of the JDK whose classes are used. The error says what to do.
    pub(super) fn of(jdk: &Jdk) -> Result<JdkTools, JvmError> {
        let own = |name: &str| Some(jdk.home().join("bin").join(name)).filter(|path| path.is_file());
        let javac = own("javac").or_else(|| on_path("javac"));
        let java = own("java").or_else(|| on_path("java"));
        match (javac, java) {
            (Some(javac), Some(java)) => Ok(JdkTools { javac, java, version: jdk.version().to_string() }),
            (None, _) => Err(JvmError::NoCompiler { home: jdk.home().to_path_buf() }),
            (_, None) => Err(JvmError::NoJava(jdk.home().join("bin"))),
        }
    }

    /// Compiles sources into a directory.
    pub(super) fn compile(
        &self,
        class_path: &str,
        directory: &Path,
        sources: &[PathBuf],
        until: &ProcessLimit,
    ) -> Result<(), CompileError> {
        let for_machine = QUICK.iter().chain([&MOST_HEAP]).map(|option| format!("-J{option}").into());
        let for_compiler =
            ["-proc:none", "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-implicit:none", "-cp", class_path, "-d"];
        let mut arguments: Vec<OsString> = for_machine.chain(for_compiler.map(OsString::from)).collect();
        arguments.push(directory.into());
        arguments.extend(sources.iter().map(OsString::from));
        let not_run = |error| CompileError::NotRun(JvmError::NotStarted { program: self.javac.clone(), error });
        match run(&self.javac, &arguments, directory, until).map_err(not_run)? {
            Ran::Exited { status, .. } if status.success() => Ok(()),
            Ran::Exited { complaints, .. } => Err(CompileError::Rejected(complaints)),
            Ran::Ended => Err(CompileError::NotRun(JvmError::TooSlow("javac"))),
        }
    }

    /// Starts a program of one source file, which may use the compiler. Relative paths of the program begin at the directory.
    pub(super) fn start_source(
        &self,
        source: &Path,
        arguments: &[OsString],
        directory: &Path,
    ) -> Result<Process, JvmError> {
        let own = [MOST_HEAP, MOST_CLASSES];
        let mut all: Vec<OsString> = QUICK.iter().chain(&own).map(OsString::from).collect();
        all.push(source.into());
        all.extend(arguments.iter().cloned());
        Process::start(&self.java, &all, directory).map_err(|error| self.not_started(error))
    }

    /// Runs the main method of a class with assertions on. Relative paths of the program begin at the directory.
    pub(super) fn run(
        &self,
        class_path: &str,
        property: &str,
        main: &str,
        directory: &Path,
        until: &ProcessLimit,
    ) -> Result<Ran, JvmError> {
        let own = ["-ea", MOST_HEAP, MOST_CLASSES, property, "-cp", class_path, main];
        let arguments: Vec<OsString> = QUICK.iter().chain(&own).map(OsString::from).collect();
        run(&self.java, &arguments, directory, until).map_err(|error| self.not_started(error))
    }

    /// Runs a debugger that starts a program: the directory of its classes, its class and its arguments; and class path, property and class of the
    /// program.
    pub(super) fn run_debugged(
        &self,
        (classes, debugger): (&Path, &[OsString]),
        (class_path, property, main): (&str, &str, &str),
        directory: &Path,
        until: &ProcessLimit,
    ) -> Result<Ran, JvmError> {
        let mut arguments: Vec<OsString> = QUICK.iter().chain(&[MOST_HEAP, "-cp"]).map(OsString::from).collect();
        arguments.push(classes.into());
        arguments.extend(debugger.iter().cloned());
        arguments.push(self.java.clone().into());
        let agent = "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=ADDRESS";
        let own = ["-ea", MOST_HEAP, MOST_CLASSES, agent, property, "-cp", class_path, main];
        arguments.extend(QUICK.iter().chain(&own).map(OsString::from));
        let command = contained_with_loopback(&self.java, directory);
        let mut process = Process::of(command, &arguments).map_err(|error| self.not_started(error))?;
        let ended = process.wait(until, || false).map_err(|error| self.not_started(error))?;
        Ok(match ended {
            Some(status) => Ran::Exited { status, complaints: process.complaints() },
            None => Ran::Ended,
        })
    }

    fn not_started(&self, error: std::io::Error) -> JvmError {
        JvmError::NotStarted { program: self.java.clone(), error }
    }
}

/// How long a process may run.
#[derive(Clone, Copy)]
pub(super) struct ProcessLimit<'a> {
    pub most: Duration,
    pub is_over: &'a dyn Fn() -> bool,
}

/// A program that runs, contained. When it is dropped, it ends with all that it started.
pub(super) struct Process {
    guard: Child,
    complaints: Receiver<String>,
}

impl Process {
    fn start(program: &Path, arguments: &[OsString], directory: &Path) -> std::io::Result<Process> {
        Process::of(contained(program, directory), arguments)
    }

    fn of(mut command: Command, arguments: &[OsString]) -> std::io::Result<Process> {
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut guard = command.spawn()?;
        let mut errors = guard.stderr.take();
        let (read, complaints) = channel();
        // The pipe must be emptied while the process runs, or it would wait for ever; what is too much is thrown away.
        std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(errors) = &mut errors {
                let _ = errors.take(MOST_COMPLAINTS).read_to_end(&mut text);
                let _ = std::io::copy(errors, &mut std::io::sink());
            }
            let _ = read.send(String::from_utf8_lossy(&text).into_owned());
        });
        Ok(Process { guard, complaints })
    }

    /// Waits until the program ends or something else is true, but only so long. None if the program runs on.
    pub(super) fn wait(
        &mut self,
        until: &ProcessLimit,
        mut is_enough: impl FnMut() -> bool,
    ) -> std::io::Result<Option<ExitStatus>> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.guard.try_wait()? {
                return Ok(Some(status));
            }
            if is_enough() || begin.elapsed() >= until.most || (until.is_over)() {
                return Ok(None);
            }
            std::thread::sleep(INTERVAL);
        }
    }

    /// The beginning of what the program wrote to its standard error. A process that got away after all might hold the pipe.
    fn complaints(&self) -> String {
        self.complaints.recv_timeout(ENDING).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The guard ends all others when its standard input does.
        drop(self.guard.stdin.take());
        let end = Instant::now() + ENDING;
        while matches!(self.guard.try_wait(), Ok(None)) {
            if Instant::now() >= end {
                let _ = self.guard.kill();
                let _ = self.guard.wait();
                return;
            }
            std::thread::sleep(INTERVAL);
        }
    }
}

/// Runs a program that is contained, and ends it with all that it started.
fn run(program: &Path, arguments: &[OsString], directory: &Path, until: &ProcessLimit) -> std::io::Result<Ran> {
    let mut process = Process::start(program, arguments, directory)?;
    Ok(match process.wait(until, || false)? {
        Some(status) => Ran::Exited { status, complaints: process.complaints() },
        None => Ran::Ended,
    })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|found| found.is_file())
}
