//! Does a fault show on the user's own JVM?
//!
//! Each fault becomes a plain Java program, which is compiled and run there. Only what fails in the same way is confirmed; what does not is
//! a bug of Lazuli, and said to be one.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_console::safe;
use lazuli_explore::{Config, Ending, Report, Violation};
use lazuli_testgen::java::{Suite, Test, Told, capital, comment, names, replay, told};
use lazuli_testgen::{Finish, Rehearsal, Rehearsed};
use lazuli_vm::program::{Method, Program};
use lazuli_vm::reason::ClassFault;

use crate::jvm::{Patience, Ran, Refusal, Tools};
use crate::report::assumed;
use crate::report::reasons::class_sentence;

/// A program may run for this long.
pub const MOST: Duration = Duration::from_secs(10);
/// Bytes that are read of a replay's output file.
const MOST_SAID: u64 = 64 << 10;
/// What is used beyond the time that the user gave, for all targets together. `--help` says so.
pub const BEYOND: Duration = Duration::from_secs(5);

/// What became of one fault.
#[derive(Clone, Debug, Default)]
pub struct Confirmation {
    pub on_jvm: OnJvm,
    /// A class of JUnit 5 with one test, which fails.
    pub test: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum OnJvm {
    /// Nobody wanted to know.
    #[default]
    NotAsked,
    /// It fails there in the same way. The version is that of the JDK.
    Confirmed {
        version: String,
    },
    /// It does not: a bug of ours. The program was kept in the file.
    Differs {
        what: String,
        file: Option<PathBuf>,
    },
    NotConfirmed {
        why: String,
    },
}

/// What confirming needs to know.
pub struct Request<'a> {
    pub program: &'a Arc<Program>,
    pub method: &'static Method,
    pub config: &'a Config,
    pub class_path: &'a str,
    /// Are the programs run, or only written?
    pub runs: bool,
    /// When all must be over: see `confirmed_by`.
    pub end: Option<Instant>,
    pub is_interrupted: &'a dyn Fn() -> bool,
}

/// A fault that can be replayed.
struct Replay {
    violation: usize,
    name: String,
    source: String,
    rehearsed: Rehearsed,
    /// Is the fault what does not hold afterwards, and not an exception?
    is_broken: bool,
}

/// Confirms the faults of a report, one entry for each.
pub fn confirm(report: &Report, request: &Request) -> Vec<Confirmation> {
    let mut confirmations: Vec<Confirmation> = vec![Confirmation::default(); report.violations.len()];
    let (true, Some(end)) = (!report.violations.is_empty(), request.end.or_else(|| Instant::now().checked_add(BEYOND)))
    else {
        return confirmations;
    };
    let mut rehearsal = match Rehearsal::new(request.program, request.method, request.config, Some(end)) {
        Ok(rehearsal) => rehearsal,
        Err(why) => {
            let all = confirmations.iter_mut().filter(|_| request.runs);
            all.for_each(|confirmation| confirmation.on_jvm = not_confirmed(why.clone()));
            return confirmations;
        }
    };
    let package = rehearsal.package();
    let mut replays = Vec::new();
    for (violation, found) in report.violations.iter().enumerate() {
        let case = found.outcome.case.as_ref().ok_or_else(|| "there is no example of it".to_string());
        let name = format!("LazuliReplay{}", violation + 1);
        let rehearsed = case.and_then(|case| rehearsal.rehearse(case)).and_then(|rehearsed| {
            let source = replay(request.program, package, request.method, &rehearsed, &name)?;
            Ok((rehearsed, source))
        });
        match rehearsed {
            Ok((rehearsed, source)) => {
                confirmations[violation].test = Some(test(request, package, found, &rehearsed));
                let is_broken = found.outcome.case.as_ref().is_some_and(|case| case.broken.is_some());
                replays.push(Replay { violation, name, source, rehearsed, is_broken });
            }
            Err(why) if request.runs => {
                confirmations[violation].on_jvm = not_confirmed(format!("no program shows it: {why}"));
            }
            Err(_) => {}
        }
    }
    if request.runs && !replays.is_empty() {
        for (violation, on_jvm) in run_all(&replays, report, package, request, end) {
            confirmations[violation].on_jvm = on_jvm;
        }
    }
    confirmations
}

/// One sentence for the test of a fault.
pub fn fault(violation: &Violation) -> String {
    match &violation.outcome.ending {
        Ending::Threw { .. } => format!("{} at {}", violation.kind, violation.at),
        _ => violation.message.clone(),
    }
}

/// What comes last in the name of a fault's test.
pub fn fault_word(violation: &Violation) -> String {
    let thrown = matches!(violation.outcome.ending, Ending::Threw { .. });
    let case = violation.outcome.case.as_ref();
    match (case.and_then(|case| case.broken), case.and_then(|case| case.broken_clause.as_ref())) {
        (Some(duty), _) => format!("breaks{}", capital(duty.name)),
        (None, Some(clause)) => format!("breaks{}", clause.kind.split('_').map(capital).collect::<String>()),
        _ if thrown => format!("throws{}", violation.kind),
        _ => "fails".to_string(),
    }
}

fn not_confirmed(why: String) -> OnJvm {
    OnJvm::NotConfirmed { why }
}

/// When the faults of all targets must be confirmed, if the user's time is up then. It is the same for all of them: what one takes, the others
/// do not have.
pub fn confirmed_by(end: Option<Instant>) -> Option<Instant> {
    end.and_then(|end| end.checked_add(BEYOND))
}

fn test(request: &Request, package: &str, violation: &Violation, rehearsed: &Rehearsed) -> String {
    let told = Told::of(request.method.name, &violation.outcome, Some(fault_word(violation)));
    let name = names(&[told]).remove(0);
    let tests = [Test { name, target: request.method, rehearsed: rehearsed.clone(), fault: Some(fault(violation)) }];
    Suite { program: request.program, class: request.method.class(), package, tests: &tests }.source()
}

/// Compiles all programs at once, and runs them one by one.
fn run_all(replays: &[Replay], report: &Report, package: &str, request: &Request, end: Instant) -> Vec<(usize, OnJvm)> {
    let all = |on_jvm: OnJvm| replays.iter().map(|replay| (replay.violation, on_jvm.clone())).collect::<Vec<_>>();
    let tools = match Tools::of(request.program.jdk()) {
        Ok(tools) => tools,
        Err(why) => return all(not_confirmed(why)),
    };
    let directory = match safe::private_folder() {
        Ok(directory) => directory,
        Err(error) => return all(not_confirmed(format!("no temporary directory can be made: {error}"))),
    };
    let folder = directory.path().join(package);
    let written = std::fs::create_dir_all(&folder).and_then(|()| {
        let write = |replay: &Replay| {
            let path = folder.join(format!("{}.java", replay.name));
            safe::create(&path, replay.source.as_bytes()).map(|()| path)
        };
        replays.iter().map(write).collect::<std::io::Result<Vec<PathBuf>>>()
    });
    let sources = match written {
        Ok(sources) => sources,
        Err(error) => return all(not_confirmed(format!("the program cannot be written: {error}"))),
    };
    let left = || end.saturating_duration_since(Instant::now()).min(MOST);
    let patience = || Patience { most: left(), is_over: request.is_interrupted };
    // The programs run elsewhere.
    let users = absolute(request.class_path);
    let compile = |sources: &[PathBuf]| tools.compile(&users, directory.path(), sources, &patience());
    let class_path = format!("{}:{users}", directory.path().display());
    let judge = |replay: &Replay| match judge(&tools, replay, directory.path(), &class_path, package, patience()) {
        Ok(()) => OnJvm::Confirmed { version: tools.version.clone() },
        Err(Doubt::Unknown(why)) => not_confirmed(why),
        Err(Doubt::Differs(_)) if let Some(error) = request.program.refused_by_jvm() => {
            let fault = ClassFault::of_load(request.program, &error);
            not_confirmed(format!("the JVM does not load the program: {}", class_sentence(&fault)))
        }
        Err(Doubt::Differs(what)) if let Some(assumed) = assumed(&report.assumptions) => {
            not_confirmed(format!("the JVM does otherwise, where this may not be so ({what}). {assumed}"))
        }
        Err(Doubt::Differs(what)) => {
            let file = keep(&what, replay, report);
            OnJvm::Differs { what, file }
        }
    };
    // One call of the compiler is fast. If it fails, the others must not suffer from the one that is wrong.
    let is_compiled = compile(&sources).is_ok();
    let mut found = Vec::new();
    for (replay, source) in replays.iter().zip(&sources) {
        let compiled = if is_compiled { Ok(()) } else { compile(std::slice::from_ref(source)) };
        found.push((
            replay.violation,
            match compiled {
                Ok(()) => judge(replay),
                Err(Refusal::NotRun(why)) => not_confirmed(why),
                Err(Refusal::Complaints(complaints)) => {
                    let what = format!("javac does not accept the program: {}", complaints.trim());
                    let kept = keep(&what, replay, report);
                    let kept = kept.map(|file| format!("; it is kept in {}", file.display())).unwrap_or_default();
                    not_confirmed(format!("{what}{kept}"))
                }
            },
        ));
    }
    found
}

/// Why a fault is not confirmed.
enum Doubt {
    Unknown(String),
    Differs(String),
}

fn judge(
    tools: &Tools,
    replay: &Replay,
    directory: &Path,
    class_path: &str,
    package: &str,
    patience: Patience,
) -> Result<(), Doubt> {
    let file = directory.join(format!("{}.said", replay.name));
    let main = match package {
        "" => replay.name.clone(),
        package => format!("{}.{}", package.replace('/', "."), replay.name),
    };
    let property = format!("-Dlazuli.replay={}", file.display());
    // Each program has a directory of its own, in which it finds nothing, and from which nothing is left.
    let own = safe::private_folder().map_err(|error| Doubt::Unknown(format!("no directory can be made: {error}")))?;
    let ran = tools.run(class_path, &property, &main, own.path(), &patience).map_err(Doubt::Unknown)?;
    let (status, complaints) = match ran {
        Ran::Exited { status, complaints } => (status, complaints),
        Ran::Ended => return Err(Doubt::Unknown("java did not come to an end in time".to_string())),
    };
    let said = said(&file);
    let expected = expectation(&replay.rehearsed, replay.is_broken);
    let first = || complaints.lines().take(5).collect::<Vec<_>>().join(" / ");
    if said.lines().next() != Some("begun") {
        return Err(Doubt::Unknown(format!("java does not run the program: {}", first())));
    }
    let has_died = complaints.contains("java.lang.OutOfMemoryError") || said.contains("java.lang.OutOfMemoryError");
    if has_died && !expected.iter().any(|line| line.contains("java.lang.OutOfMemoryError")) {
        return Err(Doubt::Unknown("java needs more memory for it than a confirmation gets".to_string()));
    }
    // The last thing that a program says is how the call ended, unless the call ended the JVM.
    let has_ended = said.lines().skip(2).any(|line| line == "returned" || line.starts_with("threw "));
    if !has_ended && !complaints.contains("Exception in thread \"main\"") {
        let code = status.code().map_or_else(|| "a signal".to_string(), |code| format!("exit code {code}"));
        return Err(Doubt::Unknown(format!("the code under check ended the JVM with {code}")));
    }
    if said.lines().nth(1) != Some("made") {
        return Err(Doubt::Differs(format!("the input cannot be made there: {}", first())));
    }
    for line in &expected {
        let is_there =
            said.lines().skip(2).any(|found| found == line || found.strip_prefix(line).is_some_and(is_place));
        if !is_there {
            let found = said.lines().skip(2).collect::<Vec<_>>().join(", ");
            return Err(Doubt::Differs(format!("expected \"{line}\", but there it is \"{found}\"")));
        }
    }
    Ok(())
}

/// Reads the output file of a replay. The replay writes little, but the code that it calls may write anything to any file.
fn said(file: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = safe::open(file, std::fs::OpenOptions::new().read(true)) {
        let _ = file.take(MOST_SAID).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A class path that means the same in every directory.
fn absolute(class_path: &str) -> String {
    let entries = class_path.split(':').filter(|entry| !entry.is_empty());
    let entries =
        entries.map(|entry| std::path::absolute(entry).map_or(entry.into(), |path| path.display().to_string()));
    entries.collect::<Vec<String>>().join(":")
}

/// The lines that the program must say. Where an error was thrown that depends on the machine, the place is left open.
fn expectation(rehearsed: &Rehearsed, is_broken: bool) -> Vec<String> {
    let mut lines = Vec::new();
    match &rehearsed.finish {
        Finish::Returned(_) => lines.push("returned".to_string()),
        Finish::Threw { class, trace, .. } => {
            let name = class.java_name();
            let is_machines = matches!(class.name, "java/lang/StackOverflowError" | "java/lang/OutOfMemoryError");
            match trace.first().and_then(|frame| place(frame)).filter(|_| !is_machines) {
                Some(place) => lines.push(format!("threw {name} at {place}")),
                None => lines.push(format!("threw {name}")),
            }
        }
    }
    lines.extend(rehearsed.asked.as_ref().map(told));
    for duty in rehearsed.duties.iter().filter(|duty| is_broken && !duty.holds) {
        lines.push(duty.method.name.to_string());
    }
    // As programs write them.
    lines.iter().map(|line| line.replace('\r', "\\r").replace('\n', "\\n")).collect()
}

/// What may follow a line whose place was left open: where it was thrown, or how an invariant failed.
fn is_place(rest: &str) -> bool {
    rest.starts_with(" at ") || rest == " false" || rest.starts_with(" threw ")
}

/// `pkg.Class.method:12` for `pkg.Class.method(File.java:12)`.
fn place(frame: &str) -> Option<String> {
    let (method, rest) = frame.rsplit_once('(')?;
    let line = rest.trim_end_matches(')').rsplit_once(':')?.1;
    Some(format!("{method}:{line}"))
}

/// Keeps the program where the user finds it.
fn keep(what: &str, replay: &Replay, report: &Report) -> Option<PathBuf> {
    let violation = &report.violations[replay.violation];
    let header = format!(
        "// Lazuli and the JVM do not agree about this program, which is a bug of Lazuli.\n// target: {}\n// Lazuli: {}\n// JVM: {}\n",
        comment(&report.title),
        comment(&fault(violation)),
        comment(what)
    );
    let folder = safe::kept_folder().ok()?;
    let file = folder.path().join(format!("{}.java", replay.name));
    safe::replace(&file, (header + &replay.source).as_bytes()).ok()?;
    // From here on it is the user's.
    let _ = folder.keep();
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_compared_as_the_program_says_them() {
        assert_eq!(place("acme.Node.swap(Node.java:12)").as_deref(), Some("acme.Node.swap:12"));
        assert_eq!(place("acme.Node.a(b)(Node.java:12)").as_deref(), Some("acme.Node.a(b):12"));
        assert_eq!(place("acme.Node.swap(Unknown Source)"), None);
        assert!(is_place(" at a.B.c:1") && is_place(" false") && is_place(" threw X at y") && !is_place(" true"));
    }
}
