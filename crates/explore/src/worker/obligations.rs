//! What does a path owe at its end, and does it keep it? The invariant must hold again, and the postcondition be true.

use std::collections::BTreeSet;

use lazuli_spec::{CompletionKind, EndValues, Obligation, Owed};
use lazuli_valid::{Invariant, Tools};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::reason::Reason;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::Value;

use crate::Detail;
use crate::path::{Finished, Path};
use crate::report::summary::{Cause, rank_of};
use crate::report::*;
use crate::worker::Worker;
use crate::worker::example;

/// Choices that the check of one path's end may follow.
const MOST_STEPS: usize = 200_000;

/// So few are followed even when the time is over: what a solver found in time must not get lost.
const FEW_STEPS: usize = 100;

/// An obligation at the end of one path, with the values of its arguments there.
struct Due {
    obligation: Obligation,
    arguments: Vec<Value>,
}

/// Says how an obligation is broken: it throws an exception, or else is false.
fn broken(obligation: &Obligation, exception: Option<&str>) -> String {
    let how = exception.map_or("is false".to_string(), |exception| format!("throws {exception}"));
    match (&obligation.owed, obligation.clause(), exception) {
        (_, Some(clause), None) => format!("not kept: {}", clause.text),
        (_, Some(clause), Some(exception)) => format!("throws {exception}: {}", clause.text),
        (Owed::Postcondition, ..) => format!("postcondition {} {how}", obligation.name()),
        _ => format!("{} {how} afterwards", obligation.name()),
    }
}

/// The result of checking an obligation.
enum ObligationResult {
    /// In so many states.
    Yes {
        states: u64,
    },
    /// The input of this path makes the duty false, or throw, at the end.
    No {
        path: Box<Path>,
        what: String,
        /// May a valid input take this path? Some techniques follow states that no valid input has.
        is_valid: bool,
    },
    Unknown(Reason),
}

impl Worker<'_> {
    /// Does the path keep all that it owes? If not, the faults are reported.
    pub(crate) fn keeps_contract(&mut self, finished: &Finished, trace: &Trace) -> bool {
        let ended = &finished.path;
        let mut keeps = true;
        // An object that was valid, and is as it was, is valid. One that calls made need not have been.
        let is_untouched = ended.sequence.is_none() && self.is_untouched(ended);
        let mut broken_groups = BTreeSet::new();
        let mut most_states = 1;
        for due in self.due(finished) {
            let obligation = &due.obligation;
            let group = obligation.clause().map(|clause| (obligation.is_invariant(), clause.group));
            if is_untouched && self.is_about_input(ended, &due)
                || group.is_some_and(|group| broken_groups.contains(&group))
            {
                continue;
            }
            match self.is_kept(ended, &due) {
                ObligationResult::Yes { states } => most_states = most_states.max(states),
                ObligationResult::Unknown(why) => self.summary.not_explored(why, self.method.full_name(), 1),
                ObligationResult::No { mut path, what, is_valid } => {
                    // The example must run its threads in the order of the path.
                    path.threads = ended.threads.clone();
                    self.report_broken(*path, what, obligation, trace, keeps);
                    keeps = false;
                    // A later clause of the group relies on this one. Where no valid input breaks this one, a later one may be broken all the
                    // same: with `n >= 0` and `m >= n`, a lazy path of `m--` begins with any n.
                    if is_valid {
                        broken_groups.extend(group);
                    }
                }
            }
        }
        self.summary.count_states(|states| {
            states.before_post += 1;
            states.after_post += if keeps { most_states } else { 0 };
        });
        keeps
    }

    /// Is there no invariant or postcondition that the end of the path could break?
    pub(super) fn owes_nothing(&self, finished: &Finished) -> bool {
        self.due(finished).is_empty()
    }

    /// Does the obligation say of an input what was true of it at entry?
    fn is_about_input(&self, ended: &Path, due: &Due) -> bool {
        let is_asked = |invariant: &Invariant| {
            invariant.code().id == due.obligation.method.id || due.obligation.clause().is_some()
        };
        let is_invariant = self.contract.invariants.iter().any(is_asked);
        let receiver = due.arguments.first();
        let is_input = matches!(receiver, Some(Value::Ref(Some(object))) if ended.symbols.input(*object).is_some());
        due.obligation.is_invariant() && is_invariant && is_input
    }

    /// Is everything that was there at entry as it was? Objects that the path made do not count: nothing refers to them.
    fn is_untouched(&self, ended: &Path) -> bool {
        ended.is_as_at_entry() && ended.heap.is_unchanged_since(&self.start.heap)
    }

    /// Everything that must be true at the end of a path.
    fn due(&self, finished: &Finished) -> Vec<Due> {
        let Finished { path, end } = finished;
        let Some(exit) = CompletionKind::of(end) else { return Vec::new() };
        let options = &self.config.contract;
        let (arguments, olds) = (self.given(path), self.contract.olds());
        let given = EndValues { arguments: &arguments, end, olds: &path.symbols.olds };
        let owed = self.contract.obligations(&self.vm.program, self.method, options, exit);
        owed.into_iter().map(|obligation| Due { arguments: obligation.values(&given, olds), obligation }).collect()
    }

    /// Is the obligation kept at the end of a path, on every valid input that takes it?
    fn is_kept(&mut self, ended: &Path, due: &Due) -> ObligationResult {
        let mut first = ended.fork();
        (first.thread, first.threads) = Default::default();
        first.monitors.clear();
        let (obligation, name) = (&due.obligation, due.obligation.name());
        if let Err(stop) = self.vm.begin_contract(&mut first, obligation.method, &due.arguments) {
            let Finished { path, end } = Finished::at_entry(first, stop);
            return ObligationResult::Unknown(self.duty_failed(&path, &end, name));
        }
        let mut waiting = self.by_input(first);
        let (mut steps, mut states) = (0, 0);
        // Some techniques follow states that no valid input has. The first of these is an alarm only if there is no better one.
        let mut unconfirmed = None;
        while let Some(mut path) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || (steps > FEW_STEPS && self.is_out_of_time()) {
                return ObligationResult::Unknown(Reason::DutyTooLong { duty: name });
            }
            let thrown = match self.run(&mut path) {
                Stop::Ask(question) => {
                    let children = self.children(&path, &question);
                    for child in children.iter().filter(|child| !child.is_excluded).rev() {
                        let Some(mut forked) = self.take_child(path.fork(), &question, child, false) else { continue };
                        match self.admit(&mut forked) {
                            Ok(true) => waiting.push(forked),
                            Ok(false) => {}
                            Err(why) => return ObligationResult::Unknown(why),
                        }
                    }
                    continue;
                }
                Stop::End(End::Returned(Value::Int(0))) => None,
                Stop::End(End::Returned(Value::Int(_))) => {
                    states += 1;
                    continue;
                }
                Stop::End(End::AssumedAway) => continue,
                Stop::End(End::Beyond(bound)) => {
                    self.summary.restricted(&bound);
                    continue;
                }
                Stop::End(End::Returned(value)) => {
                    states += 1;
                    let Some(condition) = self.vm.term_of(value, lazuli_logic::Sort::Int) else { continue };
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(condition, zero);
                    if !self.can_assume(&mut path, is_false) {
                        continue;
                    }
                    match self.admit(&mut path) {
                        Ok(true) => None,
                        Ok(false) => continue,
                        Err(why) => return ObligationResult::Unknown(why),
                    }
                }
                Stop::End(End::Threw(exception)) => Some(self.vm.describe_throwable(&path, exception)),
                Stop::End(other) => return ObligationResult::Unknown(self.duty_failed(&path, &other, name)),
            };
            // The witness was found while objects of the library were still being made: what was decided on the way, such as an
            // element that is null, it need not have.
            let has_library = path.symbols.inputs.iter().any(|input| matches!(input.entry, Entry::Built(_)));
            let is_proven = path.witness.is_some() && !has_library;
            let is_valid = is_proven || !matches!(self.completed(&path), Ok(None));
            let what = broken(obligation, thrown.as_deref());
            let broken = ObligationResult::No { path: Box::new(path), what, is_valid };
            if is_valid {
                return broken;
            }
            unconfirmed.get_or_insert(broken);
        }
        unconfirmed.unwrap_or(ObligationResult::Yes { states })
    }

    /// Why it is not known whether a duty is kept.
    fn duty_failed(&self, path: &Path, end: &End, duty: String) -> Reason {
        match (end, self.vm.reason(path, end)) {
            (End::Exited(code), _) => Reason::DutyExited { duty, code: *code },
            (_, Some((why, at))) => Reason::InDuty { duty, why: Box::new(why), at },
            _ => Reason::DutyNotCallable { duty },
        }
    }

    /// The same path once for each of the valid inputs that it may have, with what is known of that input's numbers; or as it is, if the
    /// technique does not know them one by one.
    fn by_input(&mut self, path: Path) -> Vec<Path> {
        let (vm, chain) = (&mut self.vm, &mut self.chain);
        let (bounds, limits) = (&self.bounds, &self.solver_limits);
        let (warnings, sat_calls) = (&mut self.summary.warnings, &mut self.summary.sat_calls);
        let mut beyond = BTreeSet::new();
        let mut tools = Tools { vm, chain, bounds, limits, beyond: &mut beyond, warnings, sat_calls };
        let states = self.technique.by_input(&mut tools, &path).unwrap_or_else(|| vec![path]);
        for what in &beyond {
            self.summary.restricted(what);
        }
        states
    }

    /// A path that does not keep what it owes, if running an example confirms it. The path is described only once.
    fn report_broken(&mut self, path: Path, what: String, obligation: &Obligation, trace: &Trace, is_first: bool) {
        let kind = obligation.kind().to_string();
        let (at, place) = match obligation.clause() {
            Some(clause) => (clause.at(), Some(clause.place.clone())),
            None => {
                let at = format!("{}.{}", self.method.class().java_name(), self.method.name);
                (at, crate::worker::confirm::beginning(&self.vm.program, self.method))
            }
        };
        let rank = rank_of(&path.symbols, trace);
        let finding = FindingKind::Defect;
        let (clause, instruction) = (Some(obligation.cause()), None);
        let cause = Cause { finding, kind: kind.clone(), instruction, at: at.clone(), clause };
        if !self.summary.count_violation(&cause, &rank) && self.config.report.detail == Detail::Violations {
            return;
        }
        let confirmed = self.example_of(&path).and_then(|(_, concrete)| {
            let picture = concrete.picture.clone();
            // A clause is no method of the program's.
            let broken = obligation.clause().is_none().then_some(obligation.method);
            let mut case = concrete.case(&self.vm, self.method, broken);
            case.broken_clause = obligation.clause().cloned();
            let most_steps = self.config.report.steps;
            let finished =
                example::run_and_check(&mut self.vm, concrete, self.method, obligation, &self.contract, most_steps)?;
            (case.ended, case.coverage) = (finished.ended, finished.coverage);
            Ok((picture, case, finished.lines, finished.after, finished.steps))
        });
        match confirmed {
            Ok((picture, case, lines, after, steps)) => {
                let mut outcome = self.describe(&path, Ending::Returned, None, trace.clone());
                outcome.example = Some(picture);
                outcome.after = Some(after);
                outcome.steps = steps;
                outcome.case = Some(case);
                outcome.lines = crate::worker::confirm::places(&lines);
                outcome.finding = Some(finding);
                if self.config.report.detail == Detail::AllPaths && is_first {
                    self.keep_outcome(outcome.clone());
                }
                let clause = obligation.clause().map(|clause| clause.text.clone());
                let violation = Violation {
                    finding,
                    kind,
                    message: what,
                    at,
                    place,
                    instruction: None,
                    parameter: None,
                    outcome,
                    clause,
                    count: 1,
                };
                self.count_found(&violation);
                self.summary.add_violation(rank, violation, cause);
            }
            Err(why) => self.unconfirmed(&kind, at, why),
        }
    }
}
