//! Do `--time`, `--memory`, Ctrl-C and SIGTERM hold, whatever the program does?
//!
//! Each program of the corpus is run under each limit and with each engine. A run must end at most two seconds after its limit, may occupy
//! a fifth more memory than it was given, and must leave a whole report and no temporary files. A busy machine slows down the judge too, so a run that seems to break
//! a limit is repeated alone, and the two seconds are stretched by how much slower than usual a control program is just then.
//!
//! `LAZULI_LIMITS=large` tries longer times and more moments for signals; see CONTRIBUTING.md.

mod corpus;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use wait4::Wait4;

use corpus::Nasty;

/// How much longer than its limit a run may take.
const GRACE: Duration = Duration::from_secs(2);
/// The same for its memory, in percent.
const MEMORY_SLACK: u64 = 120;
/// In megabytes.
const MEMORY: u64 = 400;
/// What `--help` says of the time that running faults on the JVM takes beyond `--time`.
const CONFIRMING: Duration = Duration::from_secs(5);
/// The same of the time for writing tests, where `--time` is not larger.
const WRITING: Duration = Duration::from_secs(10);
/// A run that has not ended by now never will.
const PATIENCE: Duration = Duration::from_secs(40);
/// A run that breaks a limit is repeated, because the machine may have been busy.
const ATTEMPTS: usize = 3;

/// Which limit is put to the test, in milliseconds after the start.
#[derive(Clone, Copy)]
enum Limit {
    Time(u64),
    Signal(&'static str, u64),
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let is_large = std::env::var("LAZULI_LIMITS").is_ok_and(|how| how == "large");
    let programs = corpus::make(directory.path());
    assert!(programs.len() >= 40, "the corpus has only {} programs", programs.len());
    // Runs share the machine; one that is repeated has it alone.
    let machine = Arc::new(RwLock::new(()));
    let mut trials = Vec::new();
    for (index, nasty) in programs.iter().enumerate() {
        let engines: &[&str] = if nasty.command == "check" { &["paths", "sat"] } else { &[""] };
        for (engine_index, engine) in engines.iter().enumerate() {
            for (limit_index, limit) in limits(index + engine_index, is_large).into_iter().enumerate() {
                let is_json = match nasty.command.as_str() {
                    "tests" => false,
                    // One line for each target leaves no room for what the JVM says.
                    "confirm" => true,
                    _ => (index + engine_index + limit_index).is_multiple_of(2),
                };
                let run = Run { nasty: nasty.clone(), engine: engine.to_string(), limit, is_json };
                let machine = machine.clone();
                let scratch = directory.path().to_path_buf();
                trials.push(Trial::test(run.name(), move || run.judge(&machine, &scratch)));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn limits(index: usize, is_large: bool) -> Vec<Limit> {
    if is_large {
        let mut all = vec![Limit::Time(200), Limit::Time(1000), Limit::Time(5000), Limit::Time(20_000)];
        let moments = [50, 300, 1000, 3000, 10_000];
        all.extend(moments.iter().flat_map(|at| [Limit::Signal("INT", *at), Limit::Signal("TERM", *at)]));
        return all;
    }
    let signal = if index.is_multiple_of(2) { "INT" } else { "TERM" };
    vec![Limit::Time(1000), Limit::Signal(signal, [50, 400, 900][index % 3])]
}

struct Run {
    nasty: Nasty,
    engine: String,
    limit: Limit,
    is_json: bool,
}

/// What a run did.
struct Seen {
    /// After the limit.
    late: Duration,
    /// In megabytes.
    peak: u64,
    code: Option<i32>,
    stdout: String,
    stderr: String,
    /// The file with the report, if the run was to write one.
    file: Option<String>,
    /// Temporary files and directories that are still there.
    left: Vec<PathBuf>,
}

impl Run {
    fn name(&self) -> String {
        let limit = match self.limit {
            Limit::Time(time) => format!("time {time}ms"),
            Limit::Signal(signal, at) => format!("SIG{signal} {at}ms"),
        };
        let engine = if self.engine.is_empty() { String::new() } else { format!(" {}", self.engine) };
        format!("{}{engine} · {limit}", self.nasty.name())
    }

    fn judge(&self, machine: &RwLock<()>, scratch: &Path) -> Result<(), Failed> {
        let mut broken = {
            let _shared = machine.read();
            match self.broken(scratch, 1.0) {
                None => return Ok(()),
                Some(broken) => broken,
            }
        };
        for _ in 1..ATTEMPTS {
            let _alone = machine.write();
            match self.broken(scratch, slowness()) {
                None => return Ok(()),
                Some(again) => broken = again,
            }
        }
        Err(broken.into())
    }

    /// What is wrong with a run, if something is.
    fn broken(&self, scratch: &Path, slowness: f64) -> Option<String> {
        let output = tempfile::tempdir_in(scratch).expect("a scratch directory can be made");
        let Seen { late, peak, code, stdout, stderr, file, left } = self.run(output.path());
        let told = || format!("exit code {code:?}\n{}\n{}", cut(&stdout), cut(&stderr));
        let own = match (self.nasty.command.as_str(), self.limit) {
            ("confirm", Limit::Time(_)) => CONFIRMING,
            ("tests", Limit::Time(_)) => WRITING,
            _ => Duration::ZERO,
        };
        let grace = own + GRACE.mul_f64(slowness);
        if late > grace {
            return Some(format!("ended {late:.2?} after its limit; {grace:.2?} are allowed\n{}", told()));
        }
        if peak > MEMORY * MEMORY_SLACK / 100 {
            return Some(format!("occupied {peak} MB; {MEMORY} MB are allowed\n{}", told()));
        }
        if !left.is_empty() {
            return Some(format!("left {left:?} behind\n{}", told()));
        }
        let report = file.as_ref().unwrap_or(&stdout);
        match code {
            Some(0 | 1 | 3) if stdout.trim().is_empty() => Some(format!("no report\n{}", told())),
            Some(0 | 1 | 3) if self.is_json && !is_report(report) => {
                Some(format!("no JSON\n{}\n{}", cut(report), told()))
            }
            Some(0 | 1 | 3) => None,
            Some(2) if stderr.starts_with("lazuli: ") => None,
            _ => Some(format!("no exit code of ours\n{}", told())),
        }
    }

    fn run(&self, output: &Path) -> Seen {
        let mut command = Command::new(binary());
        let word = self.nasty.command.as_str();
        command
            .arg(if word == "confirm" { "check" } else { word })
            .args(&self.nasty.words)
            .arg("--cp")
            .arg(&self.nasty.class_path);
        command.args(["--memory", &format!("{MEMORY}m"), "-q"]).env("XDG_CACHE_HOME", output.join("cache"));
        let (temporary, file) = (output.join("temporary"), output.join("report"));
        std::fs::create_dir(&temporary).expect("a scratch directory can be made");
        command.env("TMPDIR", &temporary);
        if !self.engine.is_empty() {
            command.args(["--engine", &self.engine, "--no-confirm"]);
        }
        match self.nasty.command.as_str() {
            "tests" => command.arg("-o").arg(output.join("suite")),
            _ if self.is_json => command.args(["--format", "json"]),
            _ => &mut command,
        };
        // What is written to a file must be whole, too.
        let has_file = self.is_json && word == "check" && matches!(self.limit, Limit::Time(_));
        if has_file {
            command.arg("-o").arg(&file);
        }
        let (time, signal) = match self.limit {
            Limit::Time(time) => (time, None),
            Limit::Signal(signal, at) => (600_000, Some((signal, Duration::from_millis(at)))),
        };
        command.args(["--time", &format!("{time}ms")]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let begin = Instant::now();
        let mut child = command.spawn().expect("lazuli starts");
        let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let killer = Killer::start(child.id(), signal);
        let used = child.wait4().expect("it ends");
        let ended = begin.elapsed();
        killer.end();
        let limit = signal.map_or(Duration::from_millis(time), |(_, at)| at);
        Seen {
            late: ended.saturating_sub(limit),
            peak: used.rusage.maxrss >> 20,
            code: used.status.code(),
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
            file: has_file.then(|| std::fs::read_to_string(&file).unwrap_or_default()),
            left: names(&temporary).chain(names(output).filter(|path| is_temporary(path))).collect(),
        }
    }
}

/// Sends the signal, and ends a run that would never end.
struct Killer {
    is_over: Arc<(Mutex<bool>, std::sync::Condvar)>,
    thread: std::thread::JoinHandle<()>,
}

impl Killer {
    fn start(process: u32, signal: Option<(&'static str, Duration)>) -> Killer {
        let is_over = Arc::new((Mutex::new(false), std::sync::Condvar::new()));
        let shared = is_over.clone();
        let thread = std::thread::spawn(move || {
            let mut at = Duration::ZERO;
            for (signal, when) in signal.into_iter().chain([("KILL", PATIENCE)]) {
                let (lock, changed) = &*shared;
                let wait = changed.wait_timeout_while(lock.lock().expect("no panic"), when - at, |over| !*over);
                let is_over = *wait.expect("no panic").0;
                if is_over {
                    return;
                }
                let _ = Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).status();
                at = when;
            }
        });
        Killer { is_over, thread }
    }

    fn end(self) {
        *self.is_over.0.lock().expect("no panic") = true;
        self.is_over.1.notify_all();
        let _ = self.thread.join();
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut pipe = pipe.expect("it is piped");
        // No report has more than some megabytes; whatever follows is thrown away.
        let _ = pipe.by_ref().take(64 << 20).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The binary under test: the one that cargo built, or another to compare with.
fn binary() -> PathBuf {
    std::env::var_os("LAZULI_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_lazuli").into(), PathBuf::from)
}

fn names(directory: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(directory).expect("it is there").filter_map(|entry| Some(entry.ok()?.path()))
}

/// Is it a file that was to be renamed?
fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".lazuli-"))
}

fn is_report(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    values.next().is_some_and(|value| value.is_ok_and(|value| value.is_object())) && values.all(|value| value.is_ok())
}

fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(600).collect();
    if short.len() < text.len() {
        short += &format!(" … ({} bytes)", text.len());
    }
    short
}

/// How many times longer than on an idle machine a program takes now: a computation of this thread, on the wall clock and on the CPU.
fn slowness() -> f64 {
    let on_cpu = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok())
    };
    let (begin, before) = (Instant::now(), on_cpu());
    let mut number = 1u64;
    for _ in 0..200_000_000 {
        number = std::hint::black_box(number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    }
    let wall = begin.elapsed().as_nanos() as f64;
    match (before, on_cpu()) {
        (Some(before), Some(after)) if after > before => (wall / (after - before)).max(1.0),
        _ => 1.0,
    }
}
