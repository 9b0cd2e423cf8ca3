//! How is a path followed from its inputs, or from a trace, to its end?

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::rc::Rc;

use lazuli_logic::Solver;
use lazuli_vm::outcome::Question;
use lazuli_vm::outcome::Stop;
use lazuli_vm::reason::Reason;

use crate::Detail;
use crate::Order;
use crate::path::Finished;
use crate::path::Path;
use crate::report::Cut;
use crate::report::Ending;
use crate::report::Trace;
use crate::worker::FORCED;
use crate::worker::Stage;
use crate::worker::Worker;
use crate::worker::frontier::Pending;
use crate::worker::told;

impl Worker<'_> {
    /// Makes the path that a trace leads to. No solver is asked, because every choice was found possible before.
    pub(super) fn replay(&mut self, trace: Trace) -> Option<(Path, Trace)> {
        let mut path = match self.entry() {
            Stage::GoesOn(path) => path,
            Stage::Over(finished) => {
                self.path_ended(finished, trace);
                return None;
            }
            Stage::Dropped => {
                self.summary.pruned += 1;
                return None;
            }
        };
        for choice in &trace {
            let question = loop {
                match self.advance(&mut path) {
                    Stop::Ask(question) => break question,
                    Stop::End(end) => match self.next_stage(Finished { path, end }) {
                        Stage::GoesOn(next) => path = next,
                        Stage::Over(finished) => {
                            self.path_ended(finished, trace);
                            return None;
                        }
                        Stage::Dropped => {
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
        }
        if !trace.is_empty() {
            path.symbols.condition.witness = None;
            match self.chain.check(&self.vm.terms, &path.symbols.condition.conjuncts, &self.solver_limits) {
                lazuli_logic::Answer::Sat(model) => path.symbols.condition.witness = Some(Rc::new(model)),
                lazuli_logic::Answer::Unsat => {
                    self.summary.infeasible += 1;
                    return None;
                }
                lazuli_logic::Answer::Unknown => path.symbols.condition.is_doubtful = true,
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
            .unwrap_or_else(|panic| self.vm.unsupported(path, Reason::Bug(told(&*panic))))
    }

    /// Follows a path to its end; the ways that branch off wait in the frontier.
    pub(super) fn follow(&mut self, mut path: Path, mut trace: Trace) {
        loop {
            let question = match self.advance(&mut path) {
                Stop::Ask(question) => question,
                Stop::End(end) => match self.next_stage(Finished { path, end }) {
                    Stage::GoesOn(next) => {
                        path = next;
                        continue;
                    }
                    Stage::Over(finished) => return self.path_ended(finished, trace),
                    Stage::Dropped => {
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
                self.frontier.extend(vec![Pending { trace, path: None, arm: ((self.method.id, 0), 0) }]);
                return;
            }
            let children = self.children(&path, &question);
            let is_forced = children.len() == 1;
            if children.is_empty() {
                return;
            }
            if !is_forced && self.count_fork(&mut path, &question) > self.bounds.unroll {
                return self.path_cut(path, Cut::Unroll, trace);
            }
            // Only how an input is made is asked outside of all code.
            let site = path.thread.frames.last().map_or((self.method.id, 0), |frame| (frame.method.id, frame.pc));
            // Depth first goes on with the first child at once, without a detour through the frontier.
            let goes_on = is_forced || self.config.order == Order::Dfs;
            let mut waiting = Vec::new();
            let mut next = None;
            let first = children.iter().position(|child| !child.is_excluded);
            for (index, child) in children.iter().enumerate().rev() {
                if child.is_excluded {
                    self.summary.pruned += 1;
                    continue;
                }
                let is_last = Some(index) == first;
                let mut forked = if is_last { std::mem::take(&mut path) } else { path.fork() };
                self.apply(&mut forked, &question, &child.answer, is_forced);
                match &child.witness {
                    Some(witness) => forked.symbols.condition.witness = Some(witness.clone()),
                    None => {
                        forked.symbols.condition.witness = None;
                        forked.symbols.condition.is_doubtful = true;
                    }
                }
                child.tell(&mut forked);
                match self.admit(&mut forked) {
                    Ok(true) => {}
                    Ok(false) => {
                        self.summary.pruned += 1;
                        continue;
                    }
                    Err(_) => forked.symbols.condition.is_unproven = true,
                }
                let choice = if is_forced { child.choice | FORCED } else { child.choice };
                let mut longer = if is_last { std::mem::take(&mut trace) } else { trace.clone() };
                longer.push(choice);
                if is_last && goes_on {
                    next = Some((forked, longer));
                } else {
                    waiting.push(Pending { trace: longer, path: Some(Box::new(forked)), arm: (site, child.choice) });
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

    fn path_cut(&mut self, path: Path, which: Cut, trace: Trace) {
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
    fn count_fork(&mut self, path: &mut Path, question: &Question) -> usize {
        let (Question::Branch(_) | Question::Cases(_)) = question else { return 0 };
        let Some(frame) = path.thread.frames.last() else { return 0 };
        let site = (frame.method.id, frame.pc);
        path.symbols.count_fork(site) as usize
    }
}
