//! `lazuli check`: methods on every input up to a bound.

mod clauses;
mod deepening;
mod dimacs;
mod proof;
pub(crate) mod rounds;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_console::numbers::duration;
use lazuli_console::visible::tell;
use lazuli_explore::{
    Bounds, Config, Engine, Failure, NotExplored, Pools, Progress, Report, Verdict, clauses as problem_clauses,
    explore_with, prove,
};
use lazuli_vm::program::{Method, Program};
use lazuli_vm::reason::{Reason, Resource};

use super::CommandError;
use crate::arguments::CheckOptions;
use crate::cache::Cache;
use crate::confirm::{ConfirmationRequest, Confirmer, JvmVerdict};
use crate::exit::ProcessExit;
use crate::journal::Journal;
use crate::progress::supervisor::Supervisor;
use crate::progress::{ExplorationTask, ProgressUnit, Watch};
use crate::report::publish::{Publisher, refuse};
use crate::report::reasons::{self, reason};
use crate::report::sources::Sources;
use crate::report::witness::write_witness;
use crate::report::{Finding, refusals};
use crate::reuse::{EarlierVerdicts, UsedCode};
use crate::targets::implementations::{CheckedCode, tell_checks};
use crate::targets::open_program;
use crate::targets::patterns::warn_of_unmatched;
use crate::targets::plan::{CheckPlan, CheckPlans, plans};
use crate::targets::since::SourceChanges;
use deepening::{Deepest, ScopeAttempt, deepen};
pub(crate) use dimacs::DimacsError;
use dimacs::DimacsFiles;
pub(crate) use proof::ProofError;
use proof::ProofFiles;
use rounds::in_rounds;

pub(crate) fn check(options: CheckOptions) -> ProcessExit {
    let options = Arc::new(options);
    let end = Instant::now().checked_add(options.limits.time);
    let watch = Watch::start(options.reports.quiet);
    // Known as soon as the targets are.
    let known: Arc<OnceLock<Publisher>> = Arc::default();
    let last_words = {
        let (options, watch, known) = (options.clone(), watch.clone(), known.clone());
        Box::new(move |resource| last_words(resource, &options, &watch, &known))
    };
    let supervisor = Supervisor::start(&watch, end, options.common.memory(), last_words);
    let prepared = catch_unwind(AssertUnwindSafe(|| prepare(&options)));
    let (message, exit) = match prepared {
        Ok(Ok(request)) => {
            known.get_or_init(|| request.publisher.clone()).begin();
            return check_all(request, &options, &watch, &supervisor, end);
        }
        Ok(Err(error)) => (error.to_string(), error.exit()),
        Err(panic) => (reasons::failure(&Failure::bug(&*panic)), ProcessExit::Incomplete),
    };
    tell!("{message}");
    refuse(&options, &message);
    exit
}

/// Tells what is known when the run must end now. As long as the targets are not looked up, they are what the user wrote.
fn last_words(resource: Resource, options: &CheckOptions, watch: &Watch, known: &OnceLock<Publisher>) -> ProcessExit {
    // A proof that was asked for is not there, or only in part.
    let least = ProcessExit::of_completeness(options.findings.proof.is_none());
    if let Some(publisher) = known.get() {
        return least.max(publisher.last_words(resource, watch.found()));
    }
    let config = options.config().unwrap_or_default();
    let targets = match options.targets.as_slice() {
        [] => vec![blank(&config, String::new(), "all targets".to_string())],
        some => some.iter().map(|target| blank(&config, target.clone(), target.clone())).collect(),
    };
    match Publisher::open(options, targets, Vec::new(), Vec::new()) {
        Ok(publisher) => {
            publisher.begin();
            publisher.last_words(resource, Default::default())
        }
        Err(error) => {
            tell!("{error}");
            refuse(options, &error.to_string());
            ProcessExit::WrongRequest
        }
    }
}

/// How long a larger scope is explored at least behind a fault.
const BEHIND_FAULT: Duration = Duration::from_secs(3);

/// How long beyond the user's time tests of faults are written that are not run.
const WRITING: Duration = Duration::from_millis(500);

/// A target of which nothing is known.
fn blank(config: &Config, target: String, title: String) -> Finding {
    let problem = (config.engine == Engine::Sat).then(Default::default);
    let report = Report { target, title, problem, ..Report::default() };
    Finding::new(config.technique.to_string(), config.bounds.clone(), report)
}

/// A request that was found to make sense.
struct CheckRequest {
    program: Arc<Program>,
    plans: Vec<CheckPlan>,
    publisher: Publisher,
    proof: Option<ProofFiles>,
    dimacs: Option<DimacsFiles>,
    /// Of the targets that cannot be checked.
    exit: ProcessExit,
}

fn prepare(options: &CheckOptions) -> Result<CheckRequest, CommandError> {
    options.config().map_err(CommandError::Options)?;
    let program = Arc::new(open_program(&options.common)?);
    program.begin_period();
    let CheckPlans { mut plans, refused, mut skipped } = plans(options, &program)?;
    warn_of_unmatched(options, &program);
    if let Some(revision) = &options.since {
        let changes = SourceChanges::since(revision)?;
        let all = plans.len();
        plans.retain(|plan| changes.concern(&program, plan));
        skipped.extend(changes.left_out(all - plans.len()));
    }
    let targets = plans.iter().map(|plan| blank(&plan.config, plan.method.full_name(), plan.title())).collect();
    let exit = refused.iter().map(|(_, error)| error.exit()).max().unwrap_or_default();
    let refused: Vec<(String, String)> = refused.into_iter().map(|(title, error)| (title, error.to_string())).collect();
    refusals(&refused).iter().for_each(|told| tell!("{told}"));
    let publisher = Publisher::open(options, targets, refused, skipped)?;
    let proof = options.findings.proof.as_deref().map(|file| ProofFiles::open(file, &plans)).transpose()?;
    let dimacs = options.findings.dimacs.as_deref().map(|file| DimacsFiles::open(file, &plans)).transpose()?;
    Ok(CheckRequest { program, plans, publisher, proof, dimacs, exit })
}

/// Checks the methods, and tells what was found as soon as it is settled. The result is the exit code.
fn check_all(
    request: CheckRequest,
    options: &CheckOptions,
    watch: &Arc<Watch>,
    supervisor: &Supervisor,
    end: Option<Instant>,
) -> ProcessExit {
    let CheckRequest { program, plans, publisher, proof, dimacs, exit: of_refused } = request;
    let journal = Journal::open(options.exploration.journal().as_deref(), options.exploration.resume, program.path());
    // One that is refused was refused before.
    let cache = Cache::new(options.cache().unwrap_or_default(), &program, end);
    let earlier = EarlierVerdicts::open(options, &program, &cache, plans.len());
    // Read while the targets were looked up: specifications are made of them.
    let planned = program.used();
    let verdicts = cache.verdicts();
    let runs_faults = !options.findings.no_confirm && !publisher.is_one_line();
    let mut exit = of_refused;
    if let (Some(dimacs), [plan]) = (&dimacs, &plans[..]) {
        let config = plan.config.clone().with(|config| config.limits.deadline = end);
        let task = task_of(plan, config.bounds.scope, end);
        let made = watch.during(task, |progress| problem_clauses(&program, plan.method, &config, progress));
        exit = exit.max(dimacs.write(&plan.title(), made));
    }
    let mut checked: Vec<CheckedCode> = Vec::new();
    let is_interrupted = || watch.is_interrupted();
    let mut confirmer = Confirmer::new(&program, &options.common.class_path, &is_interrupted);
    // Confirming does not take from the time of the targets that are still to be explored.
    let end = Cell::new(end);
    let pools = RefCell::new(Pools::default());
    let work = |index: usize, before: Option<TargetTurn>, deadline| {
        let CheckPlan { method, config, is_deepening } = &plans[index];
        let title = plans[index].title();
        if let (None, Some(earlier)) = (&before, &earlier)
            && let Some(finding) = earlier.find(&plans[index], runs_faults)
        {
            return TargetTurn { finding: Ok(finding), has_run_out: false, used: UsedCode::default() };
        }
        program.begin_period();
        if config.contract.specification.is_some() {
            program.uses_again(&planned);
        }
        // Answers that another target has found came from bodies that this one does not read: they are taken from the cache, which says so.
        let verdicts = if earlier.is_some() { cache.verdicts() } else { verdicts.clone() };
        let search = MethodCheck {
            program: &program,
            method,
            title: title.clone(),
            config: config.clone().with(|config| {
                config.limits.deadline = deadline;
                config.valid.verdicts = verdicts;
            }),
            is_deepening: *is_deepening,
            time: options.limits.time,
            watch,
            journal: &journal,
            pools: &pools,
            note: &|finding| {
                publisher.note(index, finding);
                publisher.explores(index);
            },
        };
        publisher.explores(index);
        let (before, used) = match before {
            Some(turn) => (turn.finding.ok(), turn.used),
            None => (None, UsedCode::default()),
        };
        // A bug of ours must not lose what is known about the other targets.
        let finding = catch_unwind(AssertUnwindSafe(|| search.finding(before)));
        let finding = finding.unwrap_or_else(|panic| Err(Failure::bug(&*panic)));
        if let Ok(finding) = &finding {
            publisher.note(index, finding);
        }
        journal.report_reused(&title);
        let has_run_out = search.is_over() && !watch.is_interrupted();
        TargetTurn { finding, has_run_out, used: used.and_of(&program) }
    };
    in_rounds(plans.len(), &end, work, TargetTurn::unfinished, |index, found| match found.finding {
        Ok(mut finding) => {
            let runs = runs_faults && !finding.report.violations.is_empty() && !finding.is_reused;
            let begin = Instant::now();
            if runs {
                supervisor.until(begin.checked_add(confirmer.left()));
            }
            let request = ConfirmationRequest {
                method: plans[index].method,
                config: &plans[index].config,
                // With one line for each target, faults are not run on the JVM.
                runs,
                // A test of the fault is written in any case, if that is soon done.
                end: end.get().and_then(|end| end.checked_add(WRITING)),
            };
            if !finding.is_reused {
                program.begin_period();
                finding.confirmations = confirmer.confirm(&finding.report, &request);
            }
            if runs {
                let later = end.get().and_then(|end| end.checked_add(begin.elapsed()));
                end.set(later.map(|end| end.max(Instant::now())));
                supervisor.until(end.get());
            }
            warn_of_disagreements(&finding);
            // Where the time for running faults has ended, another run may have more of it.
            let is_cut = runs && confirmer.left().is_zero();
            if let Some(earlier) = earlier.as_ref().filter(|_| !watch.is_interrupted() && !is_cut) {
                earlier.keep(&plans[index], runs_faults, &finding, &found.used.and_of(&program));
            }
            exit = exit.max(finding.verdict().into());
            if options.contract.check_contracts {
                tell_checks(&mut finding.report.assumptions, &checked);
                let (method, title, verdict) = (plans[index].method, plans[index].title(), finding.verdict());
                checked.push(CheckedCode { method, title, verdict });
            }
            if let Some(proof) = &proof {
                let CheckPlan { method, config, .. } = &plans[index];
                let config = config.clone().with(|config| {
                    config.bounds = finding.bounds.clone();
                    config.limits.deadline = end.get();
                });
                let task = task_of(&plans[index], config.bounds.scope, end.get());
                let proved = || watch.during(task, |progress| prove(&program, method, &config, progress));
                exit = exit.max(proof.write(&finding, proved));
            }
            if let (Some(file), Some(program)) = (&options.program.witness, &plans[index].config.program) {
                let sources = Sources::new(&options.specifications.source, &options.common.class_path());
                if let Err(error) = write_witness(file, &finding, program, &sources) {
                    tell!("{error}");
                    exit = exit.max(ProcessExit::Incomplete);
                }
            }
            publisher.publish(index, finding, exit);
        }
        Err(failure) => {
            let why = reasons::failure(&failure);
            tell!("{why}");
            exit = exit.max(ProcessExit::from(&failure));
            publisher.fail(index, why, exit);
        }
    });
    cache.finish();
    if let Some(summary) = earlier.as_ref().and_then(EarlierVerdicts::summary).filter(|_| !options.reports.quiet) {
        tell!("{summary}");
    }
    exit.max(ProcessExit::of_completeness(publisher.finish(exit)))
}

/// The check of a plan at a scope, for the progress line.
fn task_of(plan: &CheckPlan, scope: usize, deadline: Option<Instant>) -> ExplorationTask {
    ExplorationTask { title: plan.title(), scope, deadline, counts: ProgressUnit::of(plan.config.engine) }
}

/// Reports disagreements with the JVM on standard error, whether or not the report can be written.
fn warn_of_disagreements(finding: &Finding) {
    for confirmation in &finding.confirmations {
        if let JvmVerdict::Differs { what, file } = &confirmation.on_jvm {
            let file = file.as_ref().map(|file| format!(" Please report it, and attach {}.", file.display()));
            let title = &finding.report.title;
            tell!("{title}: the JVM disagrees, which is a bug of Lazuli: {what}.{}", file.unwrap_or_default());
        }
    }
}

/// The result of one turn of a target.
struct TargetTurn {
    finding: Result<Finding, Failure>,
    /// Did the time of the turn run out?
    has_run_out: bool,
    /// The code that was read.
    used: UsedCode,
}

impl TargetTurn {
    /// The time that went into a scope that is not finished because there was no more.
    fn unfinished(&self) -> Option<Duration> {
        let finding = self.finding.as_ref().ok().filter(|finding| finding.verdict() != Verdict::Violated)?;
        let last = finding.tried.last().filter(|last| self.has_run_out && !last.is_complete)?;
        Some(last.elapsed)
    }
}

/// The check of one method.
struct MethodCheck<'a> {
    program: &'a Arc<Program>,
    method: &'static Method,
    title: String,
    config: Config,
    is_deepening: bool,
    /// For all targets, as the user gave it.
    time: Duration,
    watch: &'a Arc<Watch>,
    journal: &'a Journal,
    /// The states that calls lead to, which methods of a class share.
    pools: &'a RefCell<Pools>,
    /// Receives the finding after each scope.
    note: &'a dyn Fn(&Finding),
}

impl MethodCheck<'_> {
    /// Goes on where an earlier search ended.
    fn finding(&self, before: Option<Finding>) -> Result<Finding, Failure> {
        let begin = Instant::now();
        let elapsed_before = before.as_ref().map_or(Duration::ZERO, |finding| finding.elapsed);
        let before = before.map(|Finding { bounds, report, unfinished, tried, .. }| Deepest {
            scope: bounds.scope,
            report,
            unfinished,
            tried,
        });
        let Deepest { scope, mut report, unfinished, tried } = match self.is_deepening {
            true => {
                let behind = match self.config.limits.first_defect {
                    true => 0,
                    false => Bounds::default().scope,
                };
                let may_go_on = || !self.is_over();
                deepen(before, behind, |scope, is_behind| self.attempt(scope, is_behind.then_some(begin)), may_go_on)?
            }
            false => {
                let scope = self.config.bounds.scope;
                let attempt = self.attempt(scope, None)?;
                let tried = vec![attempt.figures(scope)];
                Deepest { scope, report: attempt.report, unfinished: None, tried }
            }
        };
        report.title = self.title.clone();
        let mut bounds = self.config.bounds.clone();
        bounds.scope = scope;
        let finding = Finding::new(self.config.technique.to_string(), bounds, report);
        let elapsed = elapsed_before + begin.elapsed();
        Ok(Finding { unfinished, tried, elapsed, peak_memory: peak_memory(), ..finding })
    }

    /// Explores one scope. Behind a fault, the larger scope gets as much time as all before it since `begin`, or a little more: what is known is enough.
    fn attempt(&self, scope: usize, begin: Option<Instant>) -> Result<ScopeAttempt, Failure> {
        if self.watch.is_interrupted() {
            let why = Reason::NotBegun(Resource::Stopped);
            let cut_short = Some(reason(&why));
            let not_explored = vec![NotExplored { why, at: String::new(), count: 1 }];
            let problem = (self.config.engine == Engine::Sat).then(Default::default);
            let report = Report { target: self.method.full_name(), not_explored, problem, ..Report::default() };
            return Ok(ScopeAttempt { report, cut_short });
        }
        let mut config = self.config.clone();
        config.bounds.scope = scope;
        let patience = begin.and_then(|begin| Instant::now().checked_add(begin.elapsed().max(BEHIND_FAULT)));
        config.limits.deadline = config.limits.deadline.into_iter().chain(patience).min();
        let target = self.method.full_name();
        if let Some(report) = self.journal.find(&target, &config) {
            return Ok(ScopeAttempt { report, cut_short: None });
        }
        let counts = ProgressUnit::of(config.engine);
        let task = ExplorationTask { title: self.title.clone(), scope, deadline: config.limits.deadline, counts };
        let mut pools = self.pools.borrow_mut();
        let explore = |progress: &Progress| explore_with(self.program, self.method, &config, progress, &mut pools);
        let report = self.watch.during(task, explore)?;
        let is_out_of_patience = patience.is_some_and(|end| Instant::now() >= end) && !report.not_explored.is_empty();
        let impatience =
            || is_out_of_patience.then(|| "it took long, and a fault is known (--scope asks for it)".to_string());
        let cut_short = self.why_cut_short(&report).or_else(impatience);
        if cut_short.is_none() {
            self.journal.record(&target, &config, &report);
            let finding = Finding::new(config.technique.to_string(), config.bounds.clone(), report.clone());
            (self.note)(&finding);
        }
        Ok(ScopeAttempt { report, cut_short })
    }

    fn is_over(&self) -> bool {
        self.watch.is_interrupted() || self.config.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Did the exploration end because something ran out, and not because there was nothing left to explore? A larger scope
    /// would then end the same way.
    fn why_cut_short(&self, report: &Report) -> Option<String> {
        if report.not_explored.is_empty() {
            return None;
        }
        if self.watch.is_interrupted() {
            return Some("it was interrupted".to_string());
        }
        if self.is_over() {
            return Some(format!("the time limit was reached (--time, {} in all)", duration(self.time)));
        }
        if self.config.limits.paths.is_some_and(|most| report.paths >= most) {
            return Some("the limit on paths was reached (--max-paths)".to_string());
        }
        // Calls that make inputs have a part of the time, so that it may be over for them before the deadline.
        let is_time = |entry: &NotExplored| entry.why.resource() == Some(Resource::Time);
        if report.not_explored.iter().any(is_time) {
            return Some("the time for a scope was over (--time)".to_string());
        }
        let is_memory = |entry: &NotExplored| entry.why.resource() == Some(Resource::Memory);
        if report.not_explored.iter().any(is_memory) {
            return Some("the memory limit was reached (--memory)".to_string());
        }
        let is_capacity = report.not_explored.iter().all(|entry| entry.why.is_capacity());
        report.not_explored.first().filter(|_| is_capacity).map(|entry| reason(&entry.why))
    }
}

/// The most memory that the process ever occupied, in megabytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    peak.and_then(|kilobytes| kilobytes.trim().parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes / 1024)
}
