//! How did a path end, and what does that say about the method?

use std::rc::Rc;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use lazuli_logic::Solver;
use lazuli_reach::workshop::Workshop;
use lazuli_vm::outcome::{End, Limit};
use lazuli_vm::program::Class;
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::value::{ObjId, Value};

use crate::path::{Finished, Path};
use crate::report::{Cut, Ending, FindingKind, Outcome, Trace, Violation};
use crate::worker::Worker;
use crate::worker::behind::made_behind;
use crate::{Detail, Inputs};

/// Exceptions whose declaration says nothing of the unchecked ones among them.
const BROAD: [&str; 4] =
    ["java/lang/Throwable", "java/lang/Exception", "java/lang/RuntimeException", "java/lang/Error"];

impl Worker<'_> {
    /// Sorts the end of a path: counts it, checks what is owed there, and reports a violation or a part that was not explored.
    pub(crate) fn path_ended(&mut self, mut finished: Finished, trace: Trace) {
        if self.is_proving() {
            return self.proof_path_ended(&finished);
        }
        let Finished { path, end } = &mut finished;
        self.note_last_races(path, end);
        self.summary.has_threads |= path.threads.is_some();
        match end {
            End::AssumedAway => {
                self.summary.assumed_away += 1;
                return;
            }
            End::Redundant => {
                self.summary.redundant += 1;
                return;
            }
            _ => {}
        }
        if let End::Beyond(bound) = end {
            self.summary.restricted(bound);
            return;
        }
        // A solver gave up on some condition on the way. Asked about the whole path, it may find a model, or refute the path.
        if path.symbols.condition.is_doubtful && !self.settle_doubt(path) {
            return;
        }
        self.count_path(path, &trace);
        // A path that breaks nothing may be possible or not.
        let is_harmless = matches!(finished.end, End::Returned(_)) && self.owes_nothing(&finished);
        let path = &mut finished.path;
        let condition = &path.symbols.condition;
        let is_doubtful = condition.is_doubtful && !is_harmless;
        // Still undecided, or nothing proved that a valid input takes the path: then its end says nothing about the program. It
        // counts as unknown, which makes the verdict incomplete.
        if is_doubtful || (condition.is_unproven && self.admit(path).is_err()) {
            let at = self.method.full_name();
            self.summary.ends.unknown += 1;
            self.summary.not_explored(Reason::SolverUndecided, at.clone(), 1);
            let ending = Ending::Unknown { at };
            self.remember(path, &ending, &trace);
            if self.config.report.detail == Detail::AllPaths {
                let outcome = self.describe(path, ending, None, trace);
                self.summary.outcomes.push(outcome);
            }
            return;
        }
        self.note_data_races(path, &trace);
        let path = &finished.path;
        self.note_path(path);
        self.note_receiver(path);
        let ending = self.ending(&finished);
        let Finished { path, end } = &finished;
        self.remember(path, &ending, &trace);
        match &ending {
            Ending::Returned => {
                self.summary.ends.returned += 1;
                if let Some(seen) = &mut self.summary.shapes {
                    seen.add(path);
                }
                if path.concurrent.as_ref().is_some_and(|search| search.is_unexplained()) {
                    return self.report_unexplained(&finished, &trace);
                }
                // A call that waits for ever leaves what it began.
                if path.concurrent.as_ref().is_some_and(|search| search.is_blocked()) {
                    self.summary.warnings.insert(Warning::WaitsInEveryOrder);
                    return;
                }
                // A broken obligation was reported with this path, which must not be described a second time below.
                if !self.keeps_contract(&finished, &trace) {
                    return;
                }
            }
            Ending::Exited(_) => self.summary.ends.exited += 1,
            Ending::Unsupported { what, at } => {
                self.summary.ends.unsupported += 1;
                self.summary.not_explored(what.clone(), at.clone(), 1);
            }
            Ending::Limit { .. } => {
                self.summary.ends.limit += 1;
                if let Some((why, at)) = self.vm.reason(path, end) {
                    self.cut = why.resource().or(self.cut);
                    self.summary.not_explored(why, at, 1);
                }
            }
            Ending::Threw { is_allowed, .. } => {
                self.summary.ends.threw += 1;
                if !is_allowed {
                    return self.violation(&finished, ending, trace);
                }
                if !self.keeps_contract(&finished, &trace) {
                    return;
                }
            }
            Ending::Deadlock { .. } => {
                self.summary.ends.deadlocked += 1;
                if self.config.program.as_ref().is_none_or(|program| program.goals.deadlocks) {
                    return self.violation(&finished, ending, trace);
                }
            }
            Ending::Broken(_) => {
                self.summary.ends.broken += 1;
                return self.violation(&finished, ending, trace);
            }
            Ending::Unknown { .. } => {}
        }
        if self.config.report.detail == Detail::AllPaths {
            let outcome = self.confirmed(&finished, ending, trace);
            self.keep_outcome(outcome);
        }
    }

    /// A solver did not know; it is asked once more about the whole path. False if the path is impossible.
    pub(super) fn settle_doubt(&mut self, path: &mut Path) -> bool {
        match self.chain.check(&self.vm.terms, &path.symbols.condition.conjuncts, &self.solver_limits) {
            lazuli_logic::SolverAnswer::Sat(model) => {
                path.symbols.condition.witness = Some(Rc::new(model));
                path.symbols.condition.is_doubtful = false;
                true
            }
            lazuli_logic::SolverAnswer::Unsat => {
                self.summary.infeasible += 1;
                false
            }
            lazuli_logic::SolverAnswer::Unknown => true,
        }
    }

    /// The exception of a static initialiser, and its place, behind the error that a user of the class gets.
    fn failed_initialiser(&self, path: &Path, exception: ObjId) -> Option<String> {
        let origin = Some(self.vm.origin_of(path, exception)).filter(|origin| *origin != exception)?;
        let place = self.vm.describe_user_place(path, origin)?;
        Some(format!("{} at {place}", self.vm.describe_throwable(path, origin)))
    }

    pub(super) fn ending(&self, finished: &Finished) -> Ending {
        let Finished { path, end } = finished;
        match end {
            End::Returned(_) | End::AssumedAway | End::Beyond(_) | End::Redundant => Ending::Returned,
            End::Deadlock => Ending::Deadlock { threads: self.standing(path) },
            End::Broken(broken) => Ending::Broken(self.breach(path, broken)),
            End::Exited(code) => Ending::Exited(*code),
            End::Threw(exception) => {
                let class = path.heap.class(*exception);
                let message = match path.heap.field(*exception, self.vm.program.known().throwable_message) {
                    Value::Ref(Some(text)) => Some(self.vm.text(path, text)).filter(|text| !text.is_empty()),
                    _ => self.failed_initialiser(path, *exception),
                };
                Ending::Threw {
                    class: class.java_name(),
                    message,
                    trace: self.vm.describe_trace(path, *exception, 8),
                    // An exception of code that is not there is no fault of the target.
                    is_allowed: !path.is_refused(*exception)
                        && (self.is_allowed(class, path.is_in_other_thread()) || self.is_blameless(path, *exception)),
                }
            }
            End::Limit(limit) => {
                let which = match limit {
                    Limit::Memory => Cut::Memory,
                    Limit::Stopped if self.progress.is_stopped_for_memory() => Cut::Memory,
                    Limit::Iterations => Cut::Unroll,
                    Limit::Endless => Cut::Endless,
                    Limit::Time | Limit::Stopped => Cut::Time,
                };
                Ending::Limit { which, at: self.vm.describe_position(path) }
            }
            End::Unsupported { what, called_from } => {
                Ending::Unsupported { what: (**what).clone(), at: called_from.clone() }
            }
            End::Malformed { what, at } => {
                Ending::Unsupported { what: Reason::MalformedCode(what.clone()), at: at.clone() }
            }
        }
    }

    /// Does the method declare the exception, or did the user allow it? `throws Exception` is about checked exceptions: it does not say that a
    /// division by zero or a failed assertion is meant.
    /// In another thread than the one that called the method, its declaration says nothing.
    pub(crate) fn is_allowed(&self, class: &'static Class, is_in_other_thread: bool) -> bool {
        let mut above = class.chain();
        let is_unchecked = above.any(|class| ["java/lang/RuntimeException", "java/lang/Error"].contains(&class.name));
        let covers = |name: &str| !(is_unchecked && BROAD.contains(&name) && class.name != name);
        let declared = if is_in_other_thread { Vec::new() } else { self.method.declared_exceptions() };
        if self.config.program.as_ref().is_some_and(|program| !program.goals.count(class)) {
            return true;
        }
        let said = self.contract.specification.as_ref().map_or(&[][..], |specification| &specification.allowed);
        class.chain().any(|class| {
            said.iter().any(|allowed| allowed.id == class.id)
                || declared.iter().any(|name| *name == class.name && covers(name))
                || self.config.contract.allowed.iter().any(|name| class.is_called(name))
        })
    }

    /// Does the exception come from code that is not there? That is no fault of the target, unless calls by contract rely on it.
    fn is_blameless(&self, path: &Path, exception: ObjId) -> bool {
        path.symbols.is_of_unknown_code(exception) && !self.config.contract.is_relied_on
    }

    pub(super) fn count_path(&mut self, path: &Path, trace: &Trace) {
        self.summary.paths += 1;
        self.summary.objects_max = self.summary.objects_max.max(path.symbols.inputs.len());
        self.progress.paths.fetch_add(1, Ordering::Relaxed);
        self.progress.depth.store(trace.len(), Ordering::Relaxed);
    }

    /// Keeps the description of a path. If all of them together cover enough, no others are needed.
    pub(crate) fn keep_outcome(&mut self, outcome: Outcome) {
        if let (Some(goal), Some(case)) = (self.config.report.goal, &outcome.case) {
            let mut covered = self.progress.covered.lock().unwrap_or_else(PoisonError::into_inner);
            covered.add(&case.coverage);
            if covered.meets(&self.vm.program, goal) {
                self.progress.is_goal_met.store(true, Ordering::Relaxed);
            }
        }
        self.summary.outcomes.push(outcome);
    }

    /// Tells other threads of a defect. One on an input that calls need not make is none yet.
    pub(crate) fn count_found(&self, violation: &Violation) {
        let may_become_note = || {
            let (program, contract) = (&self.vm.program, &self.config.contract);
            self.config.inputs == Inputs::Calls
                && !self.config.technique.makes_inputs()
                && (Workshop::of(program, self.method, contract, &[]).is_some()
                    || !made_behind(program, self.method, contract, [violation]).is_empty())
        };
        if violation.finding != FindingKind::Defect || may_become_note() {
            return;
        }
        self.progress.violations.fetch_add(1, Ordering::Relaxed);
        self.progress.note_found(violation);
    }

    pub(crate) fn warn_of_throwing_pre(&mut self, finished: &Finished) {
        let Some((path, exception)) = finished.thrown() else { return };
        let Some(pre) = self.contract.pre.get(path.stage - self.contract.invariants.len()) else { return };
        let what = self.vm.describe_throwable(path, exception);
        self.summary.warnings.insert(Warning::PreconditionThrows { precondition: pre.told.clone(), what });
    }
}
