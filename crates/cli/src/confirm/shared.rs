//! How do the faults of a run share one JVM?
//!
//! To start a JVM and a compiler takes longer than to explore most methods. So one JVM compiles and runs the replays of all targets, each in
//! a class loader of its own (`SharedJvm.java`). It is contained like any other. Requests and answers are files, because a program under
//! check has no standard input.
//!
//! Invariant: only agreement is believed. A replay that does not do here what is expected of it is run again alone, and that run counts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lazuli_console::safe::{self, TempDir};

use super::jvm::{JdkTools, JvmError, Process, ProcessLimit};

/// A replay may run for this long before it is run alone.
const MOST_SHARED: Duration = Duration::from_secs(3);
/// The program that the JVM runs.
const SOURCE: &str = include_str!("SharedJvm.java");

/// A replay as the JVM is told of it.
pub(super) struct SharedReplay {
    /// `acme.LazuliReplay1`
    pub class: String,
    pub source: PathBuf,
    /// The file that the replay writes to.
    pub said: PathBuf,
}

impl SharedReplay {
    /// The messages of the compiler about the replay, if it did not accept it.
    pub(super) fn rejected(&self) -> Option<String> {
        let mut name = self.said.as_os_str().to_os_string();
        name.push(".rejected");
        safe::read(Path::new(&name)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// How the JVM served a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Served {
    /// It ran all replays, and waits for more.
    All,
    /// It ended on the way: a replay left something behind, ended the JVM, or did not come to an end.
    Part,
    /// It was too slow, or the user did not want to wait.
    TooSlow,
}

/// A JVM that waits for replays.
pub(super) struct SharedJvm {
    process: Process,
    directory: PathBuf,
    next: usize,
    /// The working directory of the JVM, which stays empty.
    _own: TempDir,
}

impl SharedJvm {
    /// Starts a JVM that finds requests in a directory, beginning with that number.
    pub(super) fn start(
        tools: &JdkTools,
        directory: &Path,
        class_path: &str,
        next: usize,
    ) -> Result<SharedJvm, JvmError> {
        let own = safe::private_folder().map_err(JvmError::NoFolder)?;
        let source = directory.join("SharedJvm.java");
        let entries: String = class_path.split(':').map(|entry| format!("{entry}\n")).collect();
        let written = safe::replace(&source, SOURCE.as_bytes())
            .and_then(|()| safe::replace(&directory.join("classpath"), entries.as_bytes()));
        written.map_err(JvmError::NoFolder)?;
        let arguments: [OsString; 3] =
            [directory.into(), MOST_SHARED.as_millis().to_string().into(), next.to_string().into()];
        let process = tools.start_source(&source, &arguments, own.path())?;
        Ok(SharedJvm { process, directory: directory.to_path_buf(), next, _own: own })
    }

    /// The number of the next request.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Compiles and runs replays. Starting the JVM counts as long as the slowest program may take alone.
    pub(super) fn serve(&mut self, replays: &[&SharedReplay], starting: Duration, until: &ProcessLimit) -> Served {
        let lines = replays
            .iter()
            .map(|replay| format!("{}\t{}\t{}\n", replay.class, replay.source.display(), replay.said.display()));
        let request = self.directory.join(format!("{}.request", self.next));
        if safe::replace(&request, lines.collect::<String>().as_bytes()).is_err() {
            return Served::Part;
        }
        let done = self.directory.join(format!("{}.done", self.next));
        self.next += 1;
        let most = starting + MOST_SHARED * replays.len() as u32;
        let limit = ProcessLimit { most: most.min(until.most), ..*until };
        match self.process.wait(&limit, || done.exists()) {
            Ok(None) if done.exists() => Served::All,
            Ok(None) => Served::TooSlow,
            Ok(Some(_)) | Err(_) => Served::Part,
        }
    }
}
