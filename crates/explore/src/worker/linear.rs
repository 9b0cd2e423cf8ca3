//! Does some order of the calls, one after the other, explain what threads saw that made them at once?
//!
//! Herlihy and Wing, "Linearizability: A Correctness Condition for Concurrent Objects" (TOPLAS 1990): the calls of several threads on one object are right
//! if each seems to take effect at one moment between its beginning and its end. So there must be an order that keeps each thread's own, and
//! puts a call that was over before another began before it, in which the calls end as they did and leave the same heap.
//!
//! A path first runs the threads. From its end it goes on with the calls in one such order, on the input as it was at entry and under all that
//! the path has assumed; what is asked on the way splits the path as ever. When the order is through, its end is compared with that of the threads, which may ask, too. Either
//! it explains the path, or the next order is tried. Example: `n` is unknown, and `add(n)` ran beside `get()`, which returned 0. The order
//! `add; get` explains that for n = 0 alone, `get; add` always. Where no order is left, the input and the schedule are run with nothing
//! unknown, and what is reported is what no order explains there.

use std::rc::Rc;

use lazuli_vm::heap::Body;
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::access;
use lazuli_vm::reason::Reason;
use lazuli_vm::state::{Initialisation, State};
use lazuli_vm::value::{ObjId, Value};

use crate::Detail;
use crate::concurrent::{ConcurrentUse, OrderPhase, OrderSearch, ThreadsEnd};
use crate::path::{Finished, Path};
use crate::report::summary::{Cause, rank_of};
use crate::report::{Ending, FindingKind, Trace, Violation};
use crate::worker::Worker;
use crate::worker::confirm::{beginning, places};
use crate::worker::example;
use crate::worker::isomorphic::{Comparison, TwoEnds, static_pairs};

impl Worker<'_> {
    /// Begins the threads of a concurrent use.
    pub(crate) fn begin_use(&mut self, path: &mut Path, plan: &ConcurrentUse) -> Result<(), Stop> {
        self.begin_calls(path, plan, &plan.by_thread())
    }

    fn begin_calls(&mut self, path: &mut Path, plan: &ConcurrentUse, threads: &[Vec<usize>]) -> Result<(), Stop> {
        let driver = plan.driver(&self.vm.program, threads);
        let record = path.heap.allocate(plan.record);
        let mut search = path.concurrent.as_deref().cloned().unwrap_or_else(|| OrderSearch::new(record));
        (search.record, search.phase) = (record, OrderPhase::Running);
        path.concurrent = Some(Rc::new(search));
        let mut arguments = self.given(path);
        arguments.push(record.into());
        self.vm.begin(path, driver, &arguments)
    }

    /// Runs a path of a concurrent use up to the next question, or to its end.
    pub(crate) fn advance_use(&mut self, path: &mut Path) -> Stop {
        let stop = self.advance_orders(path);
        self.vm.has_only_reasons = false;
        stop
    }

    fn advance_orders(&mut self, path: &mut Path) -> Stop {
        let Some(plan) = self.config.concurrent.clone() else { return self.run(path) };
        loop {
            let Some(search) = path.concurrent.clone() else { return self.run(path) };
            // Orders say what calls do one after the other, when each wait ends for a reason.
            self.vm.has_only_reasons = search.ended.is_some();
            match (search.phase, &search.ended) {
                (OrderPhase::Running, ended) => {
                    let end = match self.run(path) {
                        Stop::End(end @ (End::Returned(_) | End::Deadlock)) => end,
                        other => return other,
                    };
                    match ended {
                        None => {
                            if let Some(stop) = self.refuse_initialised(path) {
                                return stop;
                            }
                            self.note_last_races(path, &end);
                            let state: &State = path;
                            let orders = plan.orders_of(state, search.record);
                            let ended = ThreadsEnd { state: state.fork(), record: search.record, end, orders };
                            let ended = Some(Rc::new(ended));
                            path.concurrent = Some(Rc::new(OrderSearch { ended, ..(*search).clone() }));
                            if let Some(stop) = self.begin_order(path, &plan, (0, 0)) {
                                return stop;
                            }
                        }
                        Some(_) => {
                            let phase = OrderPhase::Compared { is_blocked: end == End::Deadlock };
                            path.concurrent = Some(Rc::new(OrderSearch { phase, ..(*search).clone() }));
                        }
                    }
                }
                (OrderPhase::Compared { is_blocked }, Some(ended)) => {
                    let (order, run) = search.at;
                    let found = self.compare_order(path, &plan, ended, &search, is_blocked);
                    let next = match found {
                        Comparison::Asks(question) => return Stop::Ask(question),
                        Comparison::Different(_) => (order + 1, 0),
                        Comparison::Same if run + 1 < ended.orders[order].runs.len() => (order, run + 1),
                        Comparison::Same => return self.end_search(path, ended, OrderPhase::Explained),
                    };
                    if let Some(stop) = self.begin_order(path, &plan, next) {
                        return stop;
                    }
                }
                _ => return End::Returned(Value::Top).into(),
            }
        }
    }

    /// Begins a run of an order. A stop if there is none left, or it cannot begin.
    fn begin_order(&mut self, path: &mut Path, plan: &ConcurrentUse, at: (usize, usize)) -> Option<Stop> {
        let search = path.concurrent.clone()?;
        let ended = search.ended.clone()?;
        let Some(run) = ended.orders.get(at.0).and_then(|order| order.runs.get(at.1)) else {
            return Some(self.end_search(path, &ended, OrderPhase::Unexplained));
        };
        let state: &State = path;
        let mut entry = state.at_entry();
        entry.threads = None;
        path.set_state(entry);
        path.raced = 0;
        path.wake_up = None;
        path.concurrent = Some(Rc::new(OrderSearch { at, ..(*search).clone() }));
        self.begin_calls(path, plan, std::slice::from_ref(run)).err()
    }

    /// Gives the path the end of the threads' run back, with all that became known since.
    fn end_search(&mut self, path: &mut Path, ended: &Rc<ThreadsEnd>, phase: OrderPhase) -> Stop {
        let state: &State = path;
        let joined = known_later(&ended.state, state);
        path.set_state(joined);
        path.raced = path.threads.as_ref().map_or(0, |threads| threads.events.len());
        if let Some(search) = &mut path.concurrent {
            let search = Rc::make_mut(search);
            (search.phase, search.record) = (phase, ended.record);
        }
        match (phase, &ended.end) {
            (OrderPhase::Unexplained, End::Deadlock) => End::Deadlock.into(),
            _ => End::Returned(Value::Top).into(),
        }
    }

    /// Does the order that was run explain the end of the threads?
    fn compare_order(
        &mut self,
        path: &Path,
        plan: &ConcurrentUse,
        ended: &ThreadsEnd,
        search: &OrderSearch,
        is_blocked: bool,
    ) -> Comparison {
        let order = &ended.orders[search.at.0];
        let waits = ended.end == End::Deadlock;
        if waits != is_blocked {
            return Comparison::Different(String::new());
        }
        let other: &State = path;
        let one = known_later(&ended.state, other);
        let (first, second) = ((&one, ended.record), (other, search.record));
        if plan.thrown_differently(first, second, &order.calls).is_some() {
            return Comparison::Different(String::new());
        }
        let mut pairs = plan.ends_of(first, second, &order.calls);
        // A call that waits may have begun to change something.
        if !waits {
            pairs.extend(self.roots_of(&one, other));
        }
        let origin = other.symbols.origin.clone();
        let inputs = other.symbols.inputs.clone();
        let is_old = |object: ObjId| {
            origin.as_ref().is_some_and(|origin| origin.contains(object))
                || inputs.iter().any(|input| input.object == object)
        };
        TwoEnds { one: &one, other, is_old: &is_old }.compare(&mut self.vm, pairs)
    }

    /// The receiver, the arguments and the static fields of the user's classes, in two heaps.
    pub(crate) fn roots_of(&self, one: &State, other: &State) -> Vec<(String, Value, Value)> {
        let mut pairs: Vec<(String, Value, Value)> = Vec::new();
        for root in other.symbols.roots.iter().filter(|root| root.holder.is_none()) {
            pairs.push((root.name.to_string(), root.value, root.value));
        }
        pairs.extend(static_pairs(&self.vm.program, one, other));
        pairs
    }

    /// A class of the user's that was initialised while the threads ran cannot be taken back: its static fields would begin with what these left there.
    fn refuse_initialised(&mut self, path: &Path) -> Option<Stop> {
        let is_new = |id| {
            self.start.classes.slot(id).initialisation == Initialisation::NotStarted
                && path.classes.slot(id).initialisation != Initialisation::NotStarted
        };
        let users = self.vm.program.users();
        let class = users.iter().find(|class| {
            let mut fields = class.fields.iter();
            is_new(class.id) && fields.any(|field| field.is_static() && field.access & access::FINAL == 0)
        })?;
        let what = Reason::InitialisedByThreads { class: class.java_name() };
        Some(End::unsupported(what, self.method.full_name()).into())
    }
}

impl Worker<'_> {
    /// A path that no order explains, if running an example confirms that.
    pub(super) fn report_unexplained(&mut self, finished: &Finished, trace: &Trace) {
        let Some(plan) = self.config.concurrent.clone() else { return };
        let path = &finished.path;
        let kind = "not linearizable".to_string();
        let place = plan.calls.first().and_then(|call| beginning(&self.vm.program, call.method));
        let at = place.as_ref().map_or(String::new(), |place| format!("{}:{}", place.file, place.line));
        let rank = rank_of(&path.symbols, trace);
        let finding = FindingKind::Defect;
        let cause = Cause { finding, kind: kind.clone(), instruction: None, at: at.clone(), clause: None };
        if !self.summary.count_violation(&cause, &rank) && self.config.report.detail == Detail::Violations {
            return;
        }
        let found = self.example_of(path).and_then(|(_, concrete)| {
            let picture = concrete.picture.clone();
            Ok((picture, example::run_orders(&mut self.vm, concrete, &plan)?))
        });
        let (picture, run) = match found {
            Ok(found) => found,
            Err(why) => return self.unconfirmed("run that is not linearizable", at, why),
        };
        let mut outcome = self.describe(path, Ending::Returned, None, trace.clone());
        outcome.example = Some(picture);
        outcome.after = Some(run.after);
        outcome.concurrent = Some(run.calls);
        outcome.lines = places(&run.lines);
        outcome.finding = Some(finding);
        if self.config.report.detail == Detail::AllPaths {
            self.keep_outcome(outcome.clone());
        }
        let violation = Violation {
            finding,
            kind,
            message: String::new(),
            at,
            place,
            instruction: None,
            parameter: None,
            outcome,
            clause: None,
            count: 1,
        };
        self.count_found(&violation);
        self.summary.add_violation(rank, violation, cause);
    }
}

/// The end of an earlier run, with what a later one has found out about the inputs.
fn known_later(ended: &State, now: &State) -> State {
    let mut state = now.at_entry();
    let entry = state.heap.clone();
    state.heap.restore(&ended.heap);
    for input in ended.symbols.inputs.iter() {
        let then = ended.heap.get(input.object);
        let class = entry.class(input.object);
        let body = match (&then.body, &entry.get(input.object).body) {
            (Body::Fields(then), Body::Fields(entry)) => {
                let value = |(slot, value): (usize, &Value)| match then.get(slot) {
                    Some(written) if *written != Value::Unread => *written,
                    _ => *value,
                };
                Body::Fields(entry.iter().enumerate().map(value).collect())
            }
            (Body::Sparse(then), Body::Sparse(entry)) => {
                let mut sparse = (**then).clone();
                sparse.touched.extend(entry.touched.iter().skip(then.touched.len()).copied());
                Body::Sparse(Rc::new(sparse))
            }
            (then, _) => then.clone(),
        };
        state.heap.replace(input.object, class, body);
    }
    state.threads.clone_from(&ended.threads);
    state
}
