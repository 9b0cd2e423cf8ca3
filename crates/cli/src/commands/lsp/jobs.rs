//! How does a check run beside the conversation with the editor?
//!
//! As a process of its own: it can be ended at any moment, nothing of an old class stays, and the verdicts about what did not change come from
//! the cache. Its output goes to the server as events, so that the server never waits.

use std::ffi::OsString;
use std::fs::read_to_string;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lazuli_console::safe::{TempDir, private_folder};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::reported::{TargetReport, read};

/// How long a process may take to end after it was told to.
const ENDING: Duration = Duration::from_secs(3);

/// The work that an editor asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JobKind {
    /// Checks targets that come from this file.
    Check { source: PathBuf, targets: Vec<String> },
    /// Writes the tests of a method to a folder.
    WriteTest { target: String, folder: PathBuf },
}

/// News of a process, by the number of its job.
pub(super) enum JobEvent {
    /// A target is settled; these are all reports so far.
    Settled {
        job: u64,
        headline: String,
        reports: Vec<TargetReport>,
    },
    Ended {
        job: u64,
        reports: Vec<TargetReport>,
        output: String,
        complaints: String,
    },
}

/// A process that runs.
pub(super) struct RunningJob {
    pub job: u64,
    process: Pid,
    reader: JoinHandle<()>,
}

impl RunningJob {
    /// Starts `lazuli` again. `words` say where the classes are.
    pub(super) fn start(
        job: u64,
        kind: &JobKind,
        words: Vec<OsString>,
        events: Sender<JobEvent>,
    ) -> std::io::Result<RunningJob> {
        let folder = private_folder()?;
        let mut command = Command::new(std::env::current_exe()?);
        match kind {
            JobKind::Check { targets, .. } => {
                command.arg("check").args(words).args(["--details", "--quiet", "--format", "json", "-o"]);
                command.arg(json_file(folder.path())).args(["--format", "text", "-o"]).arg(text_file(folder.path()));
                command.arg("--").args(targets);
            }
            JobKind::WriteTest { target, folder } => {
                command.arg("tests").args(words).arg("-o").arg(folder).arg("--").arg(target);
            }
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let process = Pid::from_raw(child.id() as i32);
        let reader = std::thread::Builder::new().spawn(move || follow(job, child, &folder, &events))?;
        Ok(RunningJob { job, process, reader })
    }

    /// Tells the process to end. It does so within two seconds, and its event follows.
    pub(super) fn end(&self) {
        let _ = kill(self.process, Signal::SIGTERM);
    }

    /// Ends it, and comes back when it has ended.
    pub(super) fn end_now(self) {
        self.end();
        let begin = Instant::now();
        while !self.reader.is_finished() {
            if begin.elapsed() > ENDING {
                let _ = kill(self.process, Signal::SIGKILL);
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn json_file(folder: &Path) -> PathBuf {
    folder.join("report.jsonl")
}

fn text_file(folder: &Path) -> PathBuf {
    folder.join("report.txt")
}

/// Tells what the process says until it ends. A server that is gone needs no news.
fn follow(job: u64, mut child: Child, folder: &TempDir, events: &Sender<JobEvent>) {
    let complaints = child.stderr.take().map(|mut stream| {
        std::thread::spawn(move || {
            let mut told = Vec::new();
            let _ = stream.read_to_end(&mut told);
            String::from_utf8_lossy(&told).into_owned()
        })
    });
    let reports = || {
        let text = read_to_string(text_file(folder.path())).unwrap_or_default();
        read(&read_to_string(json_file(folder.path())).unwrap_or_default(), &text)
    };
    let mut output = String::new();
    for headline in
        child.stdout.take().into_iter().flat_map(|stream| BufReader::new(stream).lines()).map_while(Result::ok)
    {
        output.push_str(&headline);
        output.push('\n');
        let _ = events.send(JobEvent::Settled { job, headline, reports: reports() });
    }
    let _ = child.wait();
    let complaints = complaints.and_then(|reader| reader.join().ok()).unwrap_or_default();
    let _ = events.send(JobEvent::Ended { job, reports: reports(), output, complaints });
}
