//! How is a path followed from its inputs, or from a trace, to its end?

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use lazuli_logic::Solver;
use lazuli_vm::outcome::{End, Limit, Question, Stop};
use lazuli_vm::reason::Reason;

use crate::path::{Finished, Path};
use crate::report::{Cut, Ending, Trace};
use crate::worker::frontier::Pending;
use crate::worker::{Continuation, FORCED, Worker, panic_message};
use crate::{Detail, Order};

impl Worker<'_> {
    /// Makes the path that a trace leads to. No solver is asked, because every choice was found possible before.
    pub(super) fn replay(&mut self, trace: Trace) -> Option<(Path, Trace)> {
        let (entry, choices) = match self.workshop.is_some() {
            true => (self.replayed_entry(trace[0]), &trace[1..]),
            false => (self.entry(), &trace[..]),
        };
        let mut path = match entry {
            Continuation::GoesOn(path) => path,
            Continuation::Over(finished) => {
                self.path_ended(finished, trace);
                return None;
            }
            Continuation::Dropped => {
                self.summary.pruned += 1;
                return None;
            }
        };
        // Invariant: a state determines the list of answers and its order. So the choices, as indices into these lists, lead to
        // the same path on every thread. Example: the trace [2, 0 | FORCED, 1] takes the third answer to the first question, the
        // only possible one to the second, which does not count as a fork, and the second answer to the third.
        for choice in choices {
            let question = loop {
                match self.advance(&mut path) {
                    Stop::Ask(question) => break question,
                    Stop::End(end) => match self.next_stage(Finished { path, end }) {
                        Continuation::GoesOn(next) => path = next,
                        Continuation::Over(finished) => {
                            self.path_ended(finished, trace);
                            return None;
                        }
                        Continuation::Dropped => {
                            self.summary.pruned += 1;
                            return None;
                        }
                    },
                }
            };
            let alternatives = self.alternatives(&path, &question);
            let answer = &alternatives[(*choice & !FORCED) as usize];
            if *choice & FORCED == 0 {
                self.count_fork(&mut path, &question);
            }
            self.apply(&mut path, &question, answer, *choice & FORCED != 0);
            path.symbols.note_choice(*choice & !FORCED);
        }
        // The models of the path are not part of a trace, so that one query finds a new one for the whole condition.
        if !trace.is_empty() {
            path.symbols.condition.witness = None;
            match self.chain.check(&self.vm.terms, &path.symbols.condition.conjuncts, &self.solver_limits) {
                lazuli_logic::SolverAnswer::Sat(model) => path.symbols.condition.witness = Some(Rc::new(model)),
                lazuli_logic::SolverAnswer::Unsat => {
                    self.summary.infeasible += 1;
                    return None;
                }
                lazuli_logic::SolverAnswer::Unknown => path.symbols.condition.is_doubtful = true,
            }
        }
        match self.admit(&mut path) {
            Ok(true) => Some((path, trace)),
            Ok(false) => {
                self.summary.pruned += 1;
                None
            }
            Err(why) => {
                self.summary.not_explored(why, self.method.full_name(), 1);
                path.symbols.condition.is_unproven = true;
                Some((path, trace))
            }
        }
    }

    /// Runs to the next question or end. A panic is a bug of ours: it ends the path, and nothing else.
    pub(crate) fn run(&mut self, path: &mut Path) -> Stop {
        let vm = &mut self.vm;
        catch_unwind(AssertUnwindSafe(|| vm.run(path)))
            .unwrap_or_else(|panic| self.vm.unsupported(path, Reason::Bug(panic_message(&*panic))))
    }

    /// Follows a path to its end; the ways that branch off wait in the frontier.
    pub(super) fn follow(&mut self, mut path: Path, mut trace: Trace) {
        // Invariant: `replay(trace)` makes `path`. Every answer to a question is followed here, waits in the frontier, or was dropped
        // for a proof: its condition is unsatisfiable, or no valid input has what is known (PLI, ASE 2023, Algorithm 1). Undecided
        // answers are followed, and marked as doubtful or unproven; paths that a bound cuts are reported as not explored.
        // Where an earlier part of the trace led into the method, that was counted then.
        let mut is_counted = !trace.is_empty() && self.is_in_method(&path);
        loop {
            let stop = self.advance(&mut path);
            self.count_entry(&path, &mut is_counted);
            let question = match stop {
                Stop::Ask(question) => question,
                Stop::End(end) => match self.next_stage(Finished { path, end }) {
                    Continuation::GoesOn(next) => {
                        path = next;
                        continue;
                    }
                    Continuation::Over(finished) => {
                        self.count_entry(&finished.path, &mut is_counted);
                        return self.path_ended(finished, trace);
                    }
                    Continuation::Dropped => {
                        self.summary.pruned += 1;
                        return;
                    }
                },
            };
            if trace.len() >= self.bounds.depth {
                return self.path_cut(path, Cut::Depth, trace);
            }
            // A path may have thousands of questions, of which none is answered in time any more.
            if self.is_out_of_time() {
                if self.fail_proof() {
                    return;
                }
                let start = ((self.method.id, 0), 0);
                self.frontier.extend(vec![Pending { trace, path: None, node: None, arm: start, place: start }]);
                return;
            }
            // A proof about a loop is about one thread.
            if matches!(question, Question::Schedule { .. }) && self.fail_proof() {
                return;
            }
            if let Question::Schedule { threads, is_wake: false } = &question
                && self.reduces()
            {
                match self.first_thread(path, trace, threads) {
                    Some(next) => (path, trace) = next,
                    None => return,
                }
                continue;
            }
            let children = self.children(&path, &question);
            let is_forced = children.len() == 1;
            if children.is_empty() {
                return;
            }
            if !is_forced && self.compares_states() && self.is_covered(&mut path) {
                return self.path_closed(&path, &trace);
            }
            if !is_forced {
                let forks = self.count_fork(&mut path, &question);
                if self.is_closed_after(&path, forks) {
                    return self.path_closed(&path, &trace);
                }
                if forks > self.bounds.unroll {
                    return self.path_cut(path, Cut::Unroll, trace);
                }
            }
            // Only how an input is made is asked outside of all code.
            let site = path.thread.frames.last().map_or((self.method.id, 0), |frame| (frame.method.id, frame.pc));
            let users = path.thread.frames.iter().rev().find(|frame| frame.method.class().is_users());
            let users = users.map_or(site, |frame| (frame.method.id, frame.pc));
            let is_branch = matches!(question, Question::Branch(_) | Question::Cases(_) | Question::Null(_));
            let place = |choice: u16| (users, if is_branch && users == site { choice } else { u16::MAX });
            // Depth first goes on with the first child at once, without a detour through the frontier.
            let goes_on = is_forced || self.config.order == Order::Dfs;
            let mut waiting = Vec::new();
            let mut next = None;
            // The last child to be made takes the path itself, without a copy. It must be the one that depth first goes on with, so that
            // the loop goes backwards. Example: answers [null, A, new]. `new` and A are copies and wait, null takes the path; `reverse`
            // then puts A before `new`.
            let first = children.iter().position(|child| !child.is_excluded);
            for (index, child) in children.iter().enumerate().rev() {
                if child.is_excluded {
                    self.summary.pruned += 1;
                    continue;
                }
                let is_last = Some(index) == first;
                let forked = if is_last { std::mem::take(&mut path) } else { path.fork() };
                let Some(mut forked) = self.take_child(forked, &question, child, is_forced) else { continue };
                // The solver did not decide whether the answer is feasible.
                forked.symbols.condition.is_doubtful |= child.witness.is_none();
                match self.admit(&mut forked) {
                    Ok(true) => {}
                    Ok(false) => {
                        self.summary.pruned += 1;
                        continue;
                    }
                    Err(_) => forked.symbols.condition.is_unproven = true,
                }
                let choice = if is_forced { child.choice | FORCED } else { child.choice };
                forked.symbols.note_choice(child.choice);
                let mut longer = if is_last { std::mem::take(&mut trace) } else { trace.clone() };
                longer.push(choice);
                if is_last && goes_on {
                    next = Some((forked, longer));
                } else {
                    waiting.push(Pending {
                        trace: longer,
                        path: Some(Box::new(forked)),
                        node: None,
                        arm: (site, child.choice),
                        place: place(child.choice),
                    });
                }
            }
            waiting.reverse();
            self.frontier.extend(waiting);
            match next {
                Some((forked, longer)) => (path, trace) = (forked, longer),
                None => return,
            }
        }
    }

    /// Has the method begun?
    fn is_in_method(&self, path: &Path) -> bool {
        path.stage >= self.contract.stages()
    }

    /// Counts the state in which the method begins, once on each path.
    fn count_entry(&mut self, path: &Path, is_counted: &mut bool) {
        if !*is_counted && self.is_in_method(path) {
            *is_counted = true;
            self.summary.count_states(|states| states.pre += 1);
        }
    }

    /// All that could happen from here on is known.
    fn path_closed(&mut self, path: &Path, trace: &Trace) {
        if !self.is_proving() {
            self.count_path(path, trace);
            self.note_path(path);
        }
    }

    fn path_cut(&mut self, mut path: Path, which: Cut, trace: Trace) {
        if self.fail_proof() {
            return;
        }
        self.note_last_races(&mut path, &End::Limit(Limit::Iterations));
        let at = self.vm.describe_position(&path);
        let why = match which {
            Cut::Unroll => Reason::Unroll(self.bounds.unroll),
            _ => Reason::Depth(self.bounds.depth),
        };
        self.summary.not_explored(why, at.clone(), 1);
        self.summary.ends.limit += 1;
        self.count_path(&path, &trace);
        let ending = Ending::Limit { which, at };
        self.remember(&path, &ending, &trace);
        if self.config.report.detail == Detail::AllPaths {
            let outcome = self.describe(&path, ending, None, trace);
            self.summary.outcomes.push(outcome);
        }
    }

    /// Counts a choice between values at its place in the program; other choices read something new.
    pub(super) fn count_fork(&mut self, path: &mut Path, question: &Question) -> usize {
        let (Question::Branch(_) | Question::Cases(_)) = question else { return 0 };
        let Some(frame) = path.thread.frames.last() else { return 0 };
        let site = (frame.method.id, frame.pc);
        path.symbols.count_fork(site) as usize
    }
}
