//! Does a fault show on the user's own JVM?
//!
//! Each fault becomes a plain Java program, which is compiled and run there. Only what fails in the same way is confirmed; what does not is
//! a bug of Lazuli, and said to be one.

pub(crate) mod contain;
mod judgement;
mod jvm;
mod programs;
mod schedule;
mod shared;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_console::safe::{self, TempDir};
use lazuli_explore::{Config, Ending, Report, Violation};
use lazuli_testgen::java::{Suite, Test, TestDescription, capital, comment, names, replay, statements};
use lazuli_testgen::{Construction, ExecutedPlan, TestPlanner};
use lazuli_vm::program::{Method, Program};
use lazuli_vm::reason::ClassFault;
use serde::{Deserialize, Serialize};

use crate::report::assumed;
use crate::report::reasons::{class_sentence, no_clause, no_plan};
use judgement::{SharedEnd, Unconfirmed, expectation, judge_alone, judge_shared, may_share};
use jvm::{CompileError, JdkTools, JvmError, ProcessLimit};
use shared::{Served, SharedJvm, SharedReplay};

/// A program may run for this long. `--help` says so.
pub(crate) const MOST: Duration = Duration::from_secs(10);
/// All programs of a run together, and finding them. It is no part of the user's time; `--help` says so.
pub(crate) const MOST_IN_ALL: Duration = Duration::from_secs(30);

/// A program on the JVM has no automata.
const NOT_WATCHED: &str = "properties are not watched on the JVM; its example breaks it in Lazuli's interpreter";

/// The test of one fault, and its result on the JVM.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Confirmation {
    pub on_jvm: JvmVerdict,
    /// A class of JUnit 5 with one test, which fails.
    pub test: Option<String>,
    /// The statements that make the input by calls and assignments alone, and that call the target. Empty if there are none.
    pub calls: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum JvmVerdict {
    /// It was not run.
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

/// A target whose faults are confirmed.
pub(crate) struct ConfirmationRequest<'a> {
    pub method: &'static Method,
    pub config: &'a Config,
    /// Are the programs run, or only written?
    pub runs: bool,
    /// When programs that are not run must be written.
    pub end: Option<Instant>,
}

/// Confirms the faults of a run, target by target. All of them share one JVM as far as possible.
pub(crate) struct Confirmer<'a> {
    program: Arc<Program>,
    /// Means the same in every directory: the programs run elsewhere.
    class_path: String,
    is_interrupted: &'a dyn Fn() -> bool,
    /// The time for all faults that is not spent yet.
    left: Duration,
    /// The programs that were written.
    written: usize,
    workshop: Option<JavaRunner>,
}

/// Where programs are compiled and run. It is there from the first fault to the end of the run.
struct JavaRunner {
    tools: JdkTools,
    directory: TempDir,
    jvm: Option<SharedJvm>,
    /// The requests that JVMs have got.
    requests: usize,
}

/// A fault that can be replayed.
struct Replay {
    violation: usize,
    name: String,
    source: String,
    executed: ExecutedPlan,
    /// The lines that the program must say.
    expected: Vec<String>,
}

impl<'a> Confirmer<'a> {
    pub(crate) fn new(program: &Arc<Program>, class_path: &str, is_interrupted: &'a dyn Fn() -> bool) -> Confirmer<'a> {
        let class_path = absolute(class_path);
        Confirmer {
            program: program.clone(),
            class_path,
            is_interrupted,
            left: MOST_IN_ALL,
            written: 0,
            workshop: None,
        }
    }

    /// The time that all later confirmations may take together.
    pub(crate) fn left(&self) -> Duration {
        self.left
    }

    /// Confirms the faults of a report, one entry for each.
    pub(crate) fn confirm(&mut self, report: &Report, request: &ConfirmationRequest) -> Vec<Confirmation> {
        let begin = Instant::now();
        let end = if request.runs { begin.checked_add(self.left) } else { request.end };
        let confirmations = self.confirm_by(end.unwrap_or(begin + self.left), report, request);
        if request.runs {
            self.left = self.left.saturating_sub(begin.elapsed());
        }
        confirmations
    }

    fn confirm_by(&mut self, end: Instant, report: &Report, request: &ConfirmationRequest) -> Vec<Confirmation> {
        let mut confirmations: Vec<Confirmation> = vec![Confirmation::default(); report.violations.len()];
        if report.violations.is_empty() {
            return confirmations;
        }
        if let Some(program) = &request.config.program {
            return self.confirm_program(end, report, program, request.runs);
        }
        // The JVM starts while the programs are found.
        let opened = if request.runs { self.open() } else { Ok(()) };
        let mut planner = match TestPlanner::new(&self.program, request.method, request.config, Some(end)) {
            Ok(planner) => planner,
            Err(why) => {
                let all = confirmations.iter_mut().filter(|_| request.runs);
                let why = no_plan(&why);
                all.for_each(|confirmation| confirmation.on_jvm = not_confirmed(why.to_string()));
                return confirmations;
            }
        };
        let package = planner.package();
        let mut replays = Vec::new();
        for (violation, found) in report.violations.iter().enumerate() {
            let name = format!("LazuliReplay{}", self.written + 1);
            let case = found.outcome.case.as_ref();
            // No class declares a method that makes the calls of several threads.
            if found.outcome.concurrent.is_some() {
                if request.runs {
                    confirmations[violation].on_jvm = not_confirmed("the schedule was not forced".to_string());
                }
                continue;
            }
            if let Ending::Broken(_) = found.outcome.ending {
                if request.runs {
                    confirmations[violation].on_jvm = not_confirmed(NOT_WATCHED.to_string());
                }
                continue;
            }
            let executed = case.ok_or_else(|| "there is no example of it".to_string()).and_then(|case| {
                let executed = planner.plan(case).map_err(|why| no_plan(&why))?;
                let source = replay(&self.program, package, request.method, &executed, &name);
                Ok((executed, source.map_err(|why| no_clause(&why))?))
            });
            match executed {
                Ok((executed, source)) => {
                    self.written += 1;
                    confirmations[violation].test = Some(self.test(request, package, found, &executed));
                    if executed.construction != Construction::Reflection {
                        confirmations[violation].calls = statements(&self.program, package, request.method, &executed);
                    }
                    let is_broken = case.is_some_and(|case| case.broken.is_some());
                    let expected = expectation(&executed, is_broken);
                    replays.push(Replay { violation, name, source, executed, expected });
                }
                Err(why) if request.runs => {
                    confirmations[violation].on_jvm = not_confirmed(format!("no program shows it: {why}"));
                }
                Err(_) => {}
            }
        }
        if request.runs && !replays.is_empty() {
            let verdicts = match opened {
                Ok(()) => self.run_all(&replays, report, package, end),
                Err(why) => replays.iter().map(|_| not_confirmed(why.to_string())).collect(),
            };
            for (replay, verdict) in replays.iter().zip(verdicts) {
                confirmations[replay.violation].on_jvm = verdict;
            }
        }
        confirmations
    }

    fn test(
        &self,
        request: &ConfirmationRequest,
        package: &str,
        violation: &Violation,
        executed: &ExecutedPlan,
    ) -> String {
        let description = TestDescription::of(request.method.name, &violation.outcome, Some(fault_word(violation)));
        let name = names(&[description]).remove(0);
        let tests = [Test { name, target: request.method, executed: executed.clone(), fault: Some(fault(violation)) }];
        Suite { program: &self.program, class: request.method.class(), package, tests: &tests }.source()
    }

    /// Makes sure that there is a place to compile and run programs.
    fn open_alone(&mut self) -> Result<(), JvmError> {
        if self.workshop.is_none() {
            let tools = JdkTools::of(self.program.jdk())?;
            let directory = safe::private_folder().map_err(JvmError::NoFolder)?;
            self.workshop = Some(JavaRunner { tools, directory, jvm: None, requests: 0 });
        }
        Ok(())
    }

    /// The same, and starts the JVM that programs share.
    fn open(&mut self) -> Result<(), JvmError> {
        self.open_alone()?;
        if let Some(workshop) = &mut self.workshop {
            workshop.start(&self.class_path);
        }
        Ok(())
    }

    /// The verdicts on all programs, in their order.
    fn run_all(&mut self, replays: &[Replay], report: &Report, package: &str, end: Instant) -> Vec<JvmVerdict> {
        let all = |verdict: JvmVerdict| vec![verdict; replays.len()];
        let Some(workshop) = &mut self.workshop else { return all(JvmVerdict::NotAsked) };
        let shared = match workshop.write(replays, package) {
            Ok(shared) => shared,
            Err(error) => return all(not_confirmed(format!("the program cannot be written: {error}"))),
        };
        let is_interrupted = self.is_interrupted;
        let left = || end.saturating_duration_since(Instant::now());
        let patience = |most: Duration| ProcessLimit { most: left().min(most), is_over: is_interrupted };
        let in_company = workshop.share(&self.class_path, replays, &shared, &|| patience(MOST_IN_ALL));
        let verdict = |(replay, (shared, verdict)): (&Replay, (&SharedReplay, Option<JvmVerdict>))| {
            if let Some(verdict) = verdict {
                return verdict;
            }
            let compiled = match shared.rejected() {
                Some(complaints) => Err(CompileError::Rejected(complaints)),
                None => workshop.compile(&self.class_path, shared, &patience(MOST)),
            };
            match compiled {
                Ok(()) if let Some(schedule) = &replay.executed.schedule => {
                    workshop.force(&self.class_path, (replay, &shared.class), schedule, &patience(MOST))
                }
                Ok(()) => {
                    let judged = workshop.run_alone(
                        &self.class_path,
                        &replay.name,
                        &shared.class,
                        &replay.expected,
                        &patience(MOST),
                    );
                    self::verdict(judged, &self.program, replay, report, &workshop.tools)
                }
                Err(CompileError::NotRun(error)) => not_confirmed(error.to_string()),
                Err(CompileError::Rejected(complaints)) => {
                    let what = format!("javac does not accept the program: {}", complaints.trim());
                    let kept = keep(&what, replay, report);
                    let kept = kept.map(|file| format!("; it is kept in {}", file.display())).unwrap_or_default();
                    not_confirmed(format!("{what}{kept}"))
                }
            }
        };
        replays.iter().zip(shared.iter().zip(in_company)).map(verdict).collect()
    }
}

impl JavaRunner {
    /// Starts the JVM that the programs share, unless it runs. Without one, each program gets its own.
    fn start(&mut self, class_path: &str) {
        if self.jvm.is_none() {
            self.jvm = SharedJvm::start(&self.tools, self.directory.path(), class_path, self.requests).ok();
        }
    }

    /// Writes the sources.
    fn write(&self, replays: &[Replay], package: &str) -> std::io::Result<Vec<SharedReplay>> {
        let folder = self.directory.path().join(package);
        std::fs::create_dir_all(&folder)?;
        let write = |replay: &Replay| {
            let source = folder.join(format!("{}.java", replay.name));
            safe::create(&source, replay.source.as_bytes())?;
            let class = match package {
                "" => replay.name.clone(),
                package => format!("{}.{}", package.replace('/', "."), replay.name),
            };
            Ok(SharedReplay { class, source, said: self.directory.path().join(format!("{}.said", replay.name)) })
        };
        replays.iter().map(write).collect()
    }

    /// Runs programs in one JVM, or in a few if some of them end it. None for those that must run alone.
    fn share<'a>(
        &mut self,
        class_path: &str,
        replays: &[Replay],
        shared: &[SharedReplay],
        patience: &dyn Fn() -> ProcessLimit<'a>,
    ) -> Vec<Option<JvmVerdict>> {
        let mut verdicts: Vec<Option<JvmVerdict>> = vec![None; replays.len()];
        let mut waiting: Vec<usize> = (0..replays.len()).filter(|at| may_share(&replays[*at].executed)).collect();
        while !waiting.is_empty() {
            self.start(class_path);
            let Some(jvm) = &mut self.jvm else { break };
            let asked: Vec<&SharedReplay> = waiting.iter().map(|at| &shared[*at]).collect();
            let served = jvm.serve(&asked, MOST, &patience());
            self.requests = jvm.next();
            if served != Served::All {
                self.jvm = None;
            }
            let ends: Vec<(usize, SharedEnd)> =
                waiting.iter().map(|at| (*at, judge_shared(&shared[*at].said, &replays[*at].expected))).collect();
            for (at, _) in ends.iter().filter(|(_, end)| *end == SharedEnd::Agrees) {
                verdicts[*at] = Some(JvmVerdict::Confirmed { version: self.tools.version.clone() });
            }
            let before = waiting.len();
            waiting = ends.iter().filter(|(_, end)| *end == SharedEnd::NotBegun).map(|(at, _)| *at).collect();
            if served == Served::TooSlow {
                for at in &waiting {
                    verdicts[*at] = Some(not_confirmed(JvmError::TooSlow("java").to_string()));
                }
            }
            // Those that the compiler did not accept never begin, and a JVM that runs none will run none the next time.
            if served != Served::Part || waiting.len() == before {
                break;
            }
        }
        verdicts
    }

    /// Compiles a program by a process of its own, unless the JVM has compiled it before.
    fn compile(&self, class_path: &str, shared: &SharedReplay, limit: &ProcessLimit) -> Result<(), CompileError> {
        let directory = self.directory.path();
        match directory.join(shared.class.replace('.', "/")).with_extension("class").exists() {
            true => Ok(()),
            false => self.tools.compile(class_path, directory, std::slice::from_ref(&shared.source), limit),
        }
    }

    fn run_alone(
        &self,
        class_path: &str,
        name: &str,
        class: &str,
        expected: &[String],
        limit: &ProcessLimit,
    ) -> Result<(), Unconfirmed> {
        // Each program has a directory of its own, in which it finds nothing, and from which nothing is left.
        let own = safe::private_folder()
            .map_err(|error| Unconfirmed::Unknown(format!("no directory can be made: {error}")))?;
        let directory = self.directory.path();
        let class_path = format!("{}:{class_path}", directory.display());
        let said = directory.join(format!("{name}.alone"));
        let property = format!("-Dlazuli.replay={}", said.display());
        let ran = self.tools.run(&class_path, &property, class, own.path(), limit);
        judge_alone(ran.map_err(|error| Unconfirmed::Unknown(error.to_string()))?, &said, expected)
    }
}

/// The verdict on a program that ran alone.
fn verdict(
    judged: Result<(), Unconfirmed>,
    program: &Program,
    replay: &Replay,
    report: &Report,
    tools: &JdkTools,
) -> JvmVerdict {
    match judged {
        Ok(()) => JvmVerdict::Confirmed { version: tools.version.clone() },
        Err(Unconfirmed::Unknown(why)) => not_confirmed(why),
        Err(Unconfirmed::Differs(_)) if let Some(error) = program.refused_by_jvm() => {
            let fault = ClassFault::of_load(program, &error);
            not_confirmed(format!("the JVM does not load the program: {}", class_sentence(&fault)))
        }
        Err(Unconfirmed::Differs(what)) if let Some(assumed) = assumed(&report.assumptions) => {
            not_confirmed(format!("the JVM does otherwise, where this may not be so ({what}). {assumed}"))
        }
        Err(Unconfirmed::Differs(what)) => {
            let file = keep(&what, replay, report);
            JvmVerdict::Differs { what, file }
        }
    }
}

/// One sentence for the test of a fault.
pub(crate) fn fault(violation: &Violation) -> String {
    match &violation.outcome.ending {
        Ending::Threw { .. } => format!("{} at {}", violation.kind, violation.at),
        _ => violation.message.clone(),
    }
}

/// The last word in the name of a fault's test.
pub(crate) fn fault_word(violation: &Violation) -> String {
    let thrown = matches!(violation.outcome.ending, Ending::Threw { .. });
    let case = violation.outcome.case.as_ref();
    match (case.and_then(|case| case.broken), case.and_then(|case| case.broken_clause.as_ref())) {
        (Some(duty), _) => format!("breaks{}", capital(duty.name)),
        (None, Some(clause)) => format!("breaks{}", clause.kind.split('_').map(capital).collect::<String>()),
        _ if thrown => format!("throws{}", violation.kind),
        _ => "fails".to_string(),
    }
}

fn not_confirmed(why: String) -> JvmVerdict {
    JvmVerdict::NotConfirmed { why }
}

/// A class path that means the same in every directory.
fn absolute(class_path: &str) -> String {
    let entries = class_path.split(':').filter(|entry| !entry.is_empty());
    let entries =
        entries.map(|entry| std::path::absolute(entry).map_or(entry.into(), |path| path.display().to_string()));
    entries.collect::<Vec<String>>().join(":")
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
