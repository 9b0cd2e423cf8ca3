//! Which orders of the threads must be tried, and which only repeat another one?
//!
//! Two executions that differ in the order of operations that do not conflict end alike (Mazurkiewicz). This is dynamic partial-order reduction with
//! source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: *Optimal Dynamic Partial Order Reduction*, POPL 2014, Algorithm 1). At a choice among
//! threads one of them goes first. When two later operations turn out to be in a race, the other order is tried where the first of them was chosen.
//! Each class of equivalent executions is followed to its end once.
//!
//! A source set says which thread goes first, and an execution that then goes on as it likes may find that all that is left was tried before: it is given up half way, and
//! counted. So each thread that is added brings the order along that reverses the race, and the execution begins with that ([`WakeUpOrder`]). This is only about which thread
//! goes first where any may: nothing is left out for it. Wake-up trees (Algorithm 2 of that paper), with which no execution is given up at all, would also leave threads out.
//!
//! Inputs are unknown: a choice of threads is followed by choices of values. For each single input, the executions below a choice of threads are those
//! of an ordinary program; the set of threads that are tried there is the union over all inputs. So nothing is lost.

use std::rc::Rc;

use lazuli_vm::outcome::{Answer, End, Question};
use lazuli_vm::threads::{ThreadNumber, ThreadOperation, Threads, VectorClock};

use crate::Order;
use crate::path::Path;
use crate::report::Trace;
use crate::worker::Worker;
use crate::worker::frontier::Pending;

/// A choice among threads whose other ways may have to be tried.
struct ThreadChoice {
    path: Path,
    trace: Trace,
    question: Question,
    enabled: u64,
    /// The threads that must be tried (a source set, when the exploration below is over).
    wanted: u64,
    /// The same in the order in which they were added, each with what shall follow it.
    orders: Vec<(ThreadNumber, Option<Rc<[ThreadNumber]>>)>,
    /// Those that were, or need not be.
    done: u64,
}

/// An order of operations with which an execution begins, because it reverses a race.
#[derive(Clone)]
pub(crate) struct WakeUpOrder {
    /// The thread of each operation that a choice grants.
    threads: Rc<[ThreadNumber]>,
    /// How many events there were before.
    from: usize,
}

impl WakeUpOrder {
    /// The thread that goes next. None if the order is through, or something else has happened.
    fn next(&self, threads: &Threads) -> Option<ThreadNumber> {
        let granted = threads.events.get(self.from..)?.iter().filter(|event| is_granted(&event.operation));
        let mut done = 0;
        for event in granted {
            if self.threads.get(done) != Some(&event.thread) {
                return None;
            }
            done += 1;
        }
        self.threads.get(done).copied()
    }
}

/// Is it an operation before which a thread stops? It leaves a monitor before it stops next.
fn is_granted(operation: &ThreadOperation) -> bool {
    !matches!(operation, ThreadOperation::Unlock(_))
}

/// The choices among threads on the way to the path that is being followed.
#[derive(Default)]
pub(crate) struct ThreadChoices {
    open: Vec<Option<ThreadChoice>>,
    free: Vec<u32>,
}

impl ThreadChoices {
    fn add(&mut self, choice: ThreadChoice) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.open[number as usize] = Some(choice);
                number
            }
            None => {
                self.open.push(Some(choice));
                self.open.len() as u32 - 1
            }
        }
    }

    fn get(&mut self, number: u32) -> Option<&mut ThreadChoice> {
        self.open.get_mut(number as usize)?.as_mut()
    }
}

impl ThreadChoice {
    /// Has a thread tried, and after it what the order says.
    fn want(&mut self, thread: ThreadNumber, order: Option<Rc<[ThreadNumber]>>) {
        if self.wanted >> thread & 1 == 0 {
            self.wanted |= 1 << thread;
            self.orders.push((thread, order));
        }
    }

    /// Has all threads tried that could go first.
    fn want_all(&mut self) {
        let enabled = self.enabled;
        for thread in (0..u64::BITS as ThreadNumber).filter(|thread| enabled >> thread & 1 != 0) {
            self.want(thread, None);
        }
    }
}

/// The operation of a race that comes second: one that was performed, or one that a thread would perform next.
struct SecondOperation<'a> {
    thread: ThreadNumber,
    operation: &'a ThreadOperation,
    clock: &'a VectorClock,
    /// The events before it.
    before: usize,
}

impl Worker<'_> {
    /// Are orders left out that repeat others? Only depth first knows when all below a choice was seen.
    pub(super) fn reduces(&self) -> bool {
        self.config.threads.is_reduced && self.config.threads.preemptions.is_none() && self.config.order == Order::Dfs
    }

    /// Goes on with the first thread of a choice; the others wait until something shows that their order matters.
    pub(super) fn first_thread(
        &mut self,
        mut path: Path,
        trace: Trace,
        threads: &[ThreadNumber],
    ) -> Option<(Path, Trace)> {
        self.note_races(&mut path);
        let asleep = path.threads.as_ref().map_or(0, |threads| threads.asleep);
        let enabled = threads.iter().fold(0, |set: u64, number| set | 1 << number);
        let is_awake = |number: &ThreadNumber| asleep >> *number & 1 == 0;
        let wished = path.wake_up.as_ref().zip(path.threads.as_ref()).and_then(|(order, threads)| order.next(threads));
        let wished = wished.filter(|number| threads.contains(number) && is_awake(number));
        if wished.is_none() {
            path.wake_up = None;
        }
        let first = wished.or_else(|| threads.iter().copied().find(is_awake))?;
        let question = Question::Schedule { threads: threads.to_vec(), is_wake: false };
        let choice = ThreadChoice {
            path,
            trace,
            question,
            enabled,
            wanted: 1 << first,
            orders: vec![(first, None)],
            done: asleep,
        };
        let number = self.nodes.add(choice);
        self.next_thread(number)
    }

    /// Goes on with another thread of a choice, if there is one that must be tried.
    pub(super) fn next_thread(&mut self, number: u32) -> Option<(Path, Trace)> {
        let choice = self.nodes.get(number)?;
        let Some((thread, order)) = choice.orders.iter().find(|(thread, _)| choice.done >> thread & 1 == 0).cloned()
        else {
            self.nodes.open[number as usize] = None;
            self.nodes.free.push(number);
            return None;
        };
        let asleep = choice.done;
        choice.done |= 1 << thread;
        let (mut path, mut trace, question) = (choice.path.fork(), choice.trace.clone(), choice.question.clone());
        let Question::Schedule { threads, .. } = &question else { return None };
        let at = threads.iter().position(|able| *able == thread)?;
        self.apply(&mut path, &question, &Answer::Run(thread), false);
        if let Some(threads) = &mut path.threads {
            (threads.choice, threads.asleep) = (Some(number), asleep);
        }
        // The first thread of a choice goes on with the order that the path has.
        if let Some(threads) = order {
            let from = path.threads.as_ref().map_or(0, |threads| threads.events.len());
            path.wake_up = Some(WakeUpOrder { threads, from });
        }
        trace.push(at as u16);
        let start = ((self.method.id, 0), 0);
        self.frontier.extend(vec![Pending {
            trace: Trace::new(),
            path: None,
            node: Some(number),
            arm: start,
            place: start,
        }]);
        Some((path, trace))
    }

    /// Looks for races of the events since the last look.
    fn note_races(&mut self, path: &mut Path) {
        let Some(threads) = &path.threads else { return };
        for at in path.raced..threads.events.len() {
            let event = &threads.events[at];
            let second =
                SecondOperation { thread: event.thread, operation: &event.operation, clock: &event.before, before: at };
            self.nodes.note(threads, &second, Some(at));
        }
        let seen = threads.events.len();
        path.raced = seen;
    }

    /// The same at the end of a path, where threads may be left that would have done something.
    pub(super) fn note_last_races(&mut self, path: &mut Path, end: &End) {
        if path.threads.is_none() || !self.reduces() {
            return;
        }
        self.note_races(path);
        let Some(threads) = &path.threads else { return };
        for (number, record) in threads.all.iter().enumerate() {
            if let Some(pending) = record.pending.as_ref().filter(|_| !record.has_ended) {
                let (thread, before) = (number as ThreadNumber, threads.events.len());
                let second = SecondOperation { thread, operation: pending, clock: &record.clock, before };
                self.nodes.note(threads, &second, None);
            }
        }
        // A path that ends before all threads are done does not show what they would have done: every order is tried.
        let is_whole = matches!(end, End::Deadlock | End::Redundant)
            || matches!(end, End::Returned(_) | End::Threw(_))
                // Threads that use one object are all waited for, so that the return is the last event in every order.
                && (!threads.checks_return || self.config.concurrent.is_some())
                && threads.is_over();
        if !is_whole {
            for event in &threads.events {
                if let Some(choice) = event.choice.and_then(|number| self.nodes.get(number)) {
                    choice.want_all();
                }
            }
        }
    }
}

impl ThreadChoices {
    /// Finds the events that are in a race with an operation, and has the other order tried.
    fn note(&mut self, threads: &Threads, second: &SecondOperation, performed: Option<usize>) {
        let SecondOperation { thread, operation, clock, before } = *second;
        for first in threads.races(thread, operation, before, clock) {
            let Some(choice) = threads.events[first].choice.and_then(|number| self.get(number)) else { continue };
            // The events after the first that do not depend on it, and then the second: v = notdep(e, E).p. A thread whose first event in v
            // depends on no other one in v may begin v.
            let between: Vec<usize> = (first + 1..before).filter(|at| !threads.is_before(first, *at)).collect();
            let mut beginners = 0u64;
            let mut seen = 0u64;
            for (position, at) in between.iter().enumerate() {
                let event = &threads.events[*at];
                let bit = 1u64 << event.thread;
                if seen & bit == 0 && !between[..position].iter().any(|earlier| threads.is_before(*earlier, *at)) {
                    beginners |= bit;
                }
                seen |= bit;
            }
            let depends = |earlier: &usize| match performed {
                Some(at) => threads.is_before(*earlier, at),
                None => {
                    let event = &threads.events[*earlier];
                    clock.get(event.thread as usize).is_some_and(|known| *known >= event.index)
                        || threads.conflict((event.thread, &event.operation), (thread, operation))
                }
            };
            if seen >> thread & 1 == 0 && !between.iter().any(depends) {
                beginners |= 1 << thread;
            }
            if beginners & choice.wanted != 0 {
                continue;
            }
            let events = between.iter().map(|at| &threads.events[*at]).filter(|event| is_granted(&event.operation));
            let mut granted: Vec<ThreadNumber> = events.map(|event| event.thread).chain([thread]).collect();
            let is_able = |number: &ThreadNumber| (beginners & choice.enabled) >> *number & 1 != 0;
            match granted.iter().position(is_able) {
                // None of them could go first there: all that could are tried.
                None => choice.want_all(),
                Some(at) => {
                    // It depends on nothing before it.
                    let first = granted.remove(at);
                    granted.insert(0, first);
                    choice.want(first, Some(granted.into()));
                }
            }
        }
    }
}
