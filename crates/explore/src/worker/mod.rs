//! How is one path after the other followed?

pub(crate) mod behind;
mod boot;
mod breach;
pub(crate) mod confirm;
mod covers;
mod deeds;
mod entries;
pub(crate) mod example;
mod finish;
mod fork;
mod frontier;
mod history;
pub(crate) mod hunt;
mod induction;
pub(crate) mod isomorphic;
pub(crate) mod linear;
mod meaning;
mod obligations;
pub(crate) mod parallel;
mod parts;
mod pool;
pub(crate) mod pools;
pub(crate) mod reduction;
pub(crate) mod sat;
mod schedule;
mod separate;
mod sequence;
mod shared;
mod stages;
mod step;
mod tree;
pub(crate) mod vacuity;
pub(crate) mod visited;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_logic::{Chain, SolverLimits};
use lazuli_reach::recipe::Recipe;
use lazuli_reach::workshop::Workshop;
use lazuli_spec::{Contract, Invariant};
use lazuli_valid::Completer;
use lazuli_vm::ambient::Assumption;
use lazuli_vm::interp::Vm;
use lazuli_vm::program::{Method, access};
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Root;
use lazuli_vm::universe::{Restriction, is_mutable, receiver_restriction};
use lazuli_vm::value::Value;

use crate::path::{Finished, Path};
use crate::pieces::ExchangeError;
use crate::report::summary::Summary;
use crate::report::{RecipeExtent, Trace};
use crate::technique::Technique;
use crate::worker::entries::Entries;
use crate::worker::frontier::Frontier;
use crate::worker::meaning::Meaning;
use crate::worker::parallel::Share;
use crate::worker::pool::StatePool;
use crate::worker::pools::RetainedPool;
use crate::worker::reduction::ThreadChoices;
use crate::worker::visited::Visited;
use crate::{Bounds, Config, Progress};

/// In a trace: all other answers were impossible, so that this one says nothing new.
pub(crate) const FORCED: u16 = 1 << 15;

/// A question to the solvers may take this long.
const SOLVER_TIME: Duration = Duration::from_secs(5);

/// How many paths pass between two looks at the memory.
const MEMORY_INTERVAL: u64 = 256;

/// Explores paths on one thread, with its own virtual machine and its own solvers.
pub(crate) struct Worker<'a> {
    pub(crate) vm: Vm,
    /// Where every path begins: the virtual machine is up, the target's class is initialised.
    pub(crate) start: State,
    pub(crate) method: &'static Method,
    pub(crate) config: &'a Config,
    pub(crate) progress: &'a Progress,
    pub(crate) technique: Box<dyn Technique>,
    pub(crate) contract: Contract,
    /// How inputs are made by calls, under a technique that has them made so.
    pub(crate) recipes: Vec<Recipe>,
    /// The calls that make inputs, if Lazuli chooses them.
    pub(crate) workshop: Option<Rc<Workshop>>,
    /// The states that they lead to.
    pub(crate) pool: StatePool,
    /// The inputs of the method in these states.
    pub(crate) entries: Entries,
    /// Answers the questions of calls that make inputs.
    pub(crate) other_technique: Box<dyn Technique>,
    /// The time for a question to the solver in the calls that make inputs.
    pub(crate) other_solver_time: Duration,
    /// Completes the inputs of faults to valid ones.
    pub(crate) completer: Completer,
    /// The preconditions that the technique asks as it asks invariants, of what a path knows.
    pub(crate) asked_conditions: Vec<Invariant>,
    pub(crate) bounds: Bounds,
    pub(crate) chain: Chain,
    pub(crate) solver_limits: SolverLimits,
    frontier: Frontier,
    pub(crate) summary: Summary,
    /// Why everything ends now, if it does.
    cut: Option<Resource>,
    /// The meaning of the exception that was confirmed last.
    last_meaning: Option<Meaning>,
    /// Why pieces could not be exchanged with workers elsewhere, if so.
    lost_exchange: Option<ExchangeError>,
    /// Looks at the clock on the way to inputs.
    looks: u64,
    /// Is something checked at the end of the method?
    checks_return: bool,
    /// The choices among threads that may have to be made in another way, too.
    nodes: ThreadChoices,
    /// The states of a whole program that were gone on from.
    visited: Visited,
}

/// The continuation after the end of an invariant that was executed before the method.
pub(crate) enum Continuation {
    /// The path has ended: the method itself, or something that must be known before.
    Over(Finished),
    GoesOn(Path),
    /// The input is not valid.
    Dropped,
}

impl<'a> Worker<'a> {
    /// How many paths this worker has finished.
    pub(crate) fn paths(&self) -> u64 {
        self.summary.paths
    }

    /// Ends the worker, and gives the summary to merge.
    pub(crate) fn finish(mut self) -> Summary {
        self.conclude();
        self.summary
    }

    /// The same where calls made the inputs: the states that they led to are of use to the next method.
    pub(crate) fn finish_made(mut self) -> (Summary, RetainedPool) {
        self.tell_notes();
        self.note_made();
        self.note_unmade();
        self.conclude();
        (self.summary, RetainedPool { vm: self.vm, start: self.start, pool: self.pool })
    }

    /// Collects the statistics of the solvers and the technique.
    fn conclude(&mut self) {
        self.note_reads();
        self.summary.solver = self.chain.statistics;
        self.summary.cache = self.technique.cache_use();
        self.summary.misuse = self.vm.misuse.take();
        self.note_initial_statics();
        self.summary.assumptions.append(&mut self.vm.assumptions);
        self.summary.seen_properties.append(&mut self.vm.seen_properties);
        self.summary.note_contract_ends(std::mem::take(&mut self.vm.contract_ends));
        self.summary.is_contracted = !self.contract.invariants.is_empty();
        self.summary.recipes = self.recipes.iter().map(RecipeExtent::from).collect();
        self.summary.precondition = self.contract.precondition_names();
    }

    /// The assumptions of a list of valid objects, and its restrictions other than those that the search itself reports.
    pub(crate) fn taken_for_granted(&mut self) -> (BTreeSet<Assumption>, BTreeSet<Restriction>) {
        self.note_initial_statics();
        (std::mem::take(&mut self.vm.assumptions), self.summary.restrictions().clone())
    }

    /// Notes which static fields that the program may change were taken as the initialisers of their classes leave them.
    fn note_initial_statics(&mut self) {
        for (class, slot, field) in self.vm.program.named_statics(&self.vm.used_statics) {
            let mirror = self.start.classes.slot(class.id).mirror;
            let is_final = class.fields.iter().any(|field| {
                field.is_static() && self.vm.program.slot_of(field) == slot && field.access & access::FINAL != 0
            });
            let is_initial = match mirror.map(|mirror| self.start.heap.field(mirror, slot as usize)) {
                Some(Value::Unread) => false,
                Some(Value::Ref(Some(object))) if is_final => is_mutable(self.start.heap.class(object)),
                Some(_) => !is_final,
                None => !is_final && class.own_method("<clinit>", "()V").is_some(),
            };
            let is_changed_by_calls =
                self.workshop.as_ref().is_some_and(|workshop| workshop.writes_static(&self.vm.program, class, slot));
            // No code runs before a whole program that could have changed it.
            let is_start = self.config.program.is_some();
            if is_initial && !is_changed_by_calls && !is_start {
                self.summary.restricted(&Restriction::InitialStatic { field });
            }
        }
    }

    /// Notes that the receiver was none of the objects behind static fields, where it could have been.
    pub(crate) fn note_receiver(&mut self, state: &State) {
        let is_new = |root: &Root| matches!(root.value, Value::Ref(_)) && &*root.name == "this";
        if self.recipes.is_empty() && self.workshop.is_none() && state.symbols.roots.first().is_some_and(is_new) {
            let receiver = self.config.contract.receiver_of(self.method);
            if let Some(left_out) = receiver_restriction(&self.vm.program, state, receiver, self.method) {
                self.summary.restricted(&left_out);
            }
        }
    }

    /// Follows a trace, and everything behind it.
    pub(crate) fn work(&mut self, trace: Trace, share: &Share) {
        if let Some((path, trace)) = self.replay(trace) {
            self.follow(path, trace);
        }
        self.follow_waiting(Some(share));
    }

    /// Follows what waits, and everything behind it.
    pub(crate) fn follow_waiting(&mut self, share: Option<&Share>) {
        while self.cut.is_none() {
            if let Some(share) = share.filter(|share| share.wants())
                && let Some(trace) = self.frontier.give_away()
            {
                share.give(trace);
            }
            self.progress.pending.store(self.frontier.len(), Ordering::Relaxed);
            let Some(next) = self.frontier.pop() else { return };
            self.look_at_limits();
            if self.cut.is_some() {
                self.note_pending(1);
                return;
            }
            match next.path {
                _ if next.node.is_some() => {
                    if let Some((path, trace)) = next.node.and_then(|node| self.next_thread(node)) {
                        self.follow(path, trace);
                    }
                }
                Some(path) => self.follow(*path, next.trace),
                None => {
                    if let Some((path, trace)) = self.replay(next.trace) {
                        self.follow(path, trace);
                    }
                }
            }
        }
        self.note_pending(0);
    }

    pub(crate) fn look_at_limits(&mut self) {
        let paths = self.progress.paths.load(Ordering::Relaxed);
        if self.vm.misuse.is_some() {
            // Nothing that is found from here on would be told.
            self.progress.stop.store(true, Ordering::Relaxed);
        }
        if self.progress.is_stopped_for_memory() {
            self.cut = Some(Resource::Memory);
        } else if self.is_out_of_time() {
            self.cut = Some(Resource::Time);
        } else if self.config.limits.paths.is_some_and(|most| paths >= most) {
            self.cut = Some(Resource::Paths);
        } else if self.config.limits.first_defect && self.progress.violations.load(Ordering::Relaxed) > 0 {
            self.cut = Some(Resource::Defects);
        } else if self.progress.is_goal_met.load(Ordering::Relaxed) {
            self.cut = Some(Resource::Goals);
        } else if self.summary.paths.is_multiple_of(MEMORY_INTERVAL)
            && self.config.limits.memory.is_some_and(|most| self.vm.host.resident_bytes() > most)
        {
            self.cut = Some(Resource::Memory);
        }
    }

    /// Whatever waits when everything ends was not explored.
    fn note_pending(&mut self, more: usize) {
        let Some(cut) = self.cut.map(|cut| self.cut_or_stopped(cut)) else { return };
        let count = self.frontier.len() + more;
        while self.frontier.pop().is_some() {}
        if count > 0 {
            self.summary.not_explored(Reason::PathsLeft(cut), "", count as u64);
        }
    }

    /// The same if the user, and not the clock, ended the exploration.
    pub(crate) fn cut_or_stopped(&self, cut: Resource) -> Resource {
        match cut == Resource::Time && self.progress.stop.load(Ordering::Relaxed) {
            true => Resource::Stopped,
            false => cut,
        }
    }

    /// The time or memory that ran out, if one did.
    pub(crate) fn resource_out(&mut self) -> Option<Resource> {
        self.looks += 1;
        if self.progress.is_stopped_for_memory() {
            return Some(Resource::Memory);
        }
        let is_over = |most: usize| self.vm.host.resident_bytes() > most;
        if self.looks.is_multiple_of(MEMORY_INTERVAL) && self.config.limits.memory.is_some_and(is_over) {
            return Some(Resource::Memory);
        }
        self.is_out_of_time().then_some(Resource::Time)
    }

    pub(crate) fn is_out_of_time(&self) -> bool {
        self.progress.stop.load(Ordering::Relaxed)
            || self.config.limits.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}
