//! How are the user's own `javac` and `java` run, and ended again whatever happens?

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use lazuli_classfile::Jdk;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// How often a process is looked at.
const INTERVAL: Duration = Duration::from_millis(5);
/// Nobody reads more of what a process has to complain about.
const MOST_COMPLAINTS: u64 = 16 << 10;

/// The tools of an installed JDK.
pub struct Tools {
    javac: PathBuf,
    java: PathBuf,
    pub version: String,
}

/// How a process ended.
pub enum Ran {
    Exited {
        status: ExitStatus,
        complaints: String,
    },
    /// The time was up, or the user did not want to wait.
    Ended,
}

/// Why a program was not compiled.
pub enum Refusal {
    /// What the compiler has to say against it.
    Complaints(String),
    /// The compiler could not be run, or not to its end.
    NotRun(String),
}

impl Tools {
    /// The compiler and the virtual machine of the JDK whose classes are used. The error says what to do.
    pub fn of(jdk: &Jdk) -> Result<Tools, String> {
        let own = |name: &str| Some(jdk.home().join("bin").join(name)).filter(|path| path.is_file());
        let javac = own("javac").or_else(|| on_path("javac"));
        let java = own("java").or_else(|| on_path("java"));
        match (javac, java) {
            (Some(javac), Some(java)) => Ok(Tools { javac, java, version: jdk.version().to_string() }),
            (None, _) => Err(format!(
                "no javac (the JDK at {} has no compiler; install one, for example with `apt-get install openjdk-17-jdk-headless`, or \
                 set JAVA_HOME to a JDK that has it)",
                jdk.home().display()
            )),
            (_, None) => Err(format!("no java in {}; set JAVA_HOME to a whole JDK", jdk.home().join("bin").display())),
        }
    }

    /// Compiles sources into a directory.
    pub fn compile(
        &self,
        class_path: &str,
        directory: &Path,
        sources: &[PathBuf],
        until: &Patience,
    ) -> Result<(), Refusal> {
        let mut command = Command::new(&self.javac);
        // A compiler that runs for a second is not worth optimising.
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"]);
        command.args([
            "-proc:none",
            "-nowarn",
            "-Xlint:none",
            "-encoding",
            "UTF-8",
            "-implicit:none",
            "-cp",
            class_path,
            "-d",
        ]);
        command.arg(directory).args(sources);
        let not_run = |error| Refusal::NotRun(format!("{} cannot be run: {error}", self.javac.display()));
        match run(command, until).map_err(not_run)? {
            Ran::Exited { status, .. } if status.success() => Ok(()),
            Ran::Exited { complaints, .. } => Err(Refusal::Complaints(complaints)),
            Ran::Ended => Err(Refusal::NotRun("javac did not come to an end in time".to_string())),
        }
    }

    /// Runs the main method of a class with assertions on.
    pub fn run(&self, class_path: &str, properties: &[String], main: &str, until: &Patience) -> Result<Ran, String> {
        let mut command = Command::new(&self.java);
        command.args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]);
        command.args(properties).args(["-cp", class_path, main]);
        run(command, until).map_err(|error| format!("{} cannot be run: {error}", self.java.display()))
    }
}

/// How long somebody waits.
pub struct Patience<'a> {
    pub most: Duration,
    pub is_over: &'a dyn Fn() -> bool,
}

/// Runs a command in a process group of its own, so that it is ended together with what it started.
fn run(mut command: Command, until: &Patience) -> std::io::Result<Ran> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let begin = Instant::now();
    let mut child = command.spawn()?;
    let group = Pid::from_raw(child.id() as i32);
    let mut errors = child.stderr.take();
    // The pipe must be emptied while the process runs, or it would wait for ever; what is too much is thrown away.
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(errors) = &mut errors {
            let _ = errors.take(MOST_COMPLAINTS).read_to_end(&mut text);
            let _ = std::io::copy(errors, &mut std::io::sink());
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if begin.elapsed() >= until.most || (until.is_over)() {
            break None;
        }
        std::thread::sleep(INTERVAL);
    };
    // Whatever it started may still run, and hold the pipe open.
    let _ = killpg(group, Signal::SIGKILL);
    let _ = child.wait();
    let complaints = reader.join().unwrap_or_default();
    Ok(match ended {
        Some(status) => Ran::Exited { status, complaints },
        None => Ran::Ended,
    })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|found| found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_ended_with_its_children() {
        let directory = tempfile::tempdir().unwrap();
        let mark = directory.path().join("late");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("(sleep 1; touch {}) & sleep 60", mark.display())]);
        let begin = Instant::now();
        let patience = Patience { most: Duration::from_millis(200), is_over: &|| false };
        assert!(matches!(run(command, &patience).unwrap(), Ran::Ended));
        assert!(begin.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!mark.exists(), "the child went on");
    }

    #[test]
    fn complaints_are_kept_up_to_a_limit() {
        let mut command = Command::new("sh");
        command.args(["-c", "head -c 1000000 /dev/zero >&2; exit 3"]);
        let patience = Patience { most: Duration::from_secs(20), is_over: &|| false };
        let Ran::Exited { status, complaints } = run(command, &patience).unwrap() else { panic!("it ends") };
        assert_eq!((status.code(), complaints.len() as u64), (Some(3), MOST_COMPLAINTS));
    }
}
