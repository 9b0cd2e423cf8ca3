//! What adds up over many paths? Each worker keeps one summary; they are merged in the end, and the order does not matter.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lazuli_logic::SolverStatistics;
use lazuli_vm::contracts::{ContractCallKey, ContractEnds};
use lazuli_vm::interp::ContractWrite;
use lazuli_vm::program::{ClassId, Method, signature};
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::symbols::Symbols;
use lazuli_vm::universe::Restriction;

use crate::report::CacheUse;
use crate::report::shapes_seen::SeenShapes;
use crate::report::*;

/// Fewer operations that end for no reason first, then fewer objects, then fewer choices, then the order of the choices: the same on any number of threads.
type Rank = (usize, usize, usize, Trace);

/// The rank of a fault on a path with these inputs.
pub(crate) fn rank_of(symbols: &Symbols, trace: &Trace) -> Rank {
    (symbols.spurious_ends(), symbols.inputs.len(), trace.len(), trace.clone())
}

/// Two faults with the same cause are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cause {
    /// Its meaning: the same instruction may reject an argument on one path, and be reached by a mistake on another.
    pub finding: FindingKind,
    /// The simple name of what was thrown, or what failed.
    pub kind: String,
    /// The instruction, if something was thrown.
    pub instruction: Option<Instruction>,
    /// The place, as a report tells it.
    pub at: String,
    /// The method of the contract that is not kept, if it is one.
    pub clause: Option<&'static str>,
}

/// The counters and findings of one worker.
#[derive(Default)]
pub(crate) struct Summary {
    /// Paths that ended.
    pub paths: u64,
    /// Choices that the technique dropped because no valid input takes them.
    pub pruned: u64,
    /// Choices that contradict the path condition.
    pub infeasible: u64,
    /// Paths that ended because an `assume` did not hold.
    pub assumed_away: u64,
    /// The states at entry and around the postcondition, where the technique executes the precondition first.
    pub states: Option<StateCounts>,
    /// Executions that were given up because another order of the same operations was explored.
    pub redundant: u64,
    /// Did a path have several threads?
    pub has_threads: bool,
    /// How many paths ended in which way.
    pub ends: Ends,
    /// The work of the constraint solvers.
    pub solver: SolverStatistics,
    /// Branches on primitives that the state's own example answered without a solver.
    pub reused_witnesses: u64,
    /// Searches for a valid input.
    pub structure_calls: u64,
    /// Questions to a SAT solver about valid inputs.
    pub sat_calls: u64,
    /// How often stored answers about valid objects were used.
    pub cache: CacheUse,
    /// The size of the propositional problem, where the SAT engine worked.
    pub problem: Option<ProblemFigures>,
    /// Its pieces, where several workers shared it.
    pub pieces: Option<PieceFigures>,
    /// Were only inputs tried that satisfy an invariant?
    pub is_contracted: bool,
    /// The precondition by which inputs were left out, in words.
    pub precondition: Option<String>,
    /// The recipes that the user gave for inputs.
    pub recipes: BTreeSet<RecipeExtent>,
    /// The types of inputs that calls which Lazuli chose made.
    pub made_by_calls: BTreeSet<String>,
    /// The most input objects on one path.
    pub objects_max: usize,
    /// The paths that the report describes.
    pub outcomes: Vec<Outcome>,
    /// The properties over time of which there was an event, by number.
    pub seen_properties: BTreeSet<u16>,
    /// Oddities of the program or its contract that the user should know of.
    pub warnings: BTreeSet<Warning>,
    /// Assumptions on which the verdict rests.
    pub assumptions: BTreeSet<Assumption>,
    /// A forbidden act of a contract method: nothing else can then be said.
    pub misuse: Option<ContractWrite>,
    /// The shapes of inputs, if they are counted.
    pub shapes: Option<SeenShapes>,
    /// Does some path have a valid input?
    pub has_input: bool,
    /// The fields of inputs that the method wrote: the class that declares the field, and its slot.
    pub written: HashSet<(ClassId, u32)>,
    /// The fields of inputs that the invariants read, in the same form as `written`.
    pub read: HashSet<(ClassId, u32)>,
    /// By cause: the best example, and how many paths there are.
    violations: BTreeMap<Cause, (Rank, Violation)>,
    not_explored: BTreeMap<(Reason, String), u64>,
    unconfirmed: BTreeMap<(Reason, String), u64>,
    restrictions: BTreeSet<Restriction>,
    tree: BTreeMap<Trace, Leaf>,
    /// How calls by contract ended: those of which no end satisfies the contract are told.
    contract_ends: BTreeMap<ContractCallKey, ContractEnds>,
}

impl Summary {
    /// Of nothing yet.
    pub(crate) fn new(counts_shapes: bool, counts_states: bool) -> Summary {
        Summary {
            shapes: counts_shapes.then(SeenShapes::default),
            states: counts_states.then(StateCounts::default),
            ..Summary::default()
        }
    }

    /// Changes the counts of states, if they are counted.
    pub(crate) fn count_states(&mut self, count: impl FnOnce(&mut StateCounts)) {
        if let Some(states) = &mut self.states {
            count(states);
        }
    }

    /// Adds how calls by contract ended.
    pub(crate) fn note_contract_ends(&mut self, ends: BTreeMap<ContractCallKey, ContractEnds>) {
        for (key, ends) in ends {
            match self.contract_ends.get_mut(&key) {
                Some(known) => known.is_satisfied |= ends.is_satisfied,
                None => {
                    self.contract_ends.insert(key, ends);
                }
            }
        }
    }

    /// Tells of the calls by contract that no end satisfies, now that all paths behind them are known.
    fn tell_unsatisfied_contracts(&mut self) {
        for ends in std::mem::take(&mut self.contract_ends).into_values().filter(|ends| !ends.is_satisfied) {
            self.not_explored(Reason::ContractUnsatisfied { method: ends.method }, ends.at, 1);
        }
    }

    /// Counts `count` paths that stopped at `at` for the reason `why`.
    pub(crate) fn not_explored(&mut self, why: impl Into<Reason>, at: impl Into<String>, count: u64) {
        *self.not_explored.entry((why.into(), at.into())).or_default() += count;
    }

    /// Did a limit leave something out?
    pub(crate) fn was_cut(&self) -> bool {
        self.not_explored.keys().any(|(why, _)| why.resource().is_some())
    }

    /// Counts an alarm on a path that no concrete run confirms.
    pub(crate) fn unconfirmed(&mut self, what: Reason, at: String) {
        *self.unconfirmed.entry((what, at)).or_default() += 1;
    }

    /// Notes that a restriction left inputs out.
    pub(crate) fn restricted(&mut self, by: &Restriction) {
        if !self.restrictions.contains(by) {
            self.restrictions.insert(by.clone());
        }
    }

    /// The restrictions that were noted so far.
    pub(crate) fn restrictions(&self) -> &BTreeSet<Restriction> {
        &self.restrictions
    }

    /// Counts a fault. True if an example of this rank would be better than the one there is.
    pub(crate) fn count_violation(&mut self, cause: &Cause, rank: &Rank) -> bool {
        match self.violations.get_mut(cause) {
            Some((best, violation)) => {
                violation.count += 1;
                let is_better = rank < best;
                self.mark_fault(&rank.3);
                is_better
            }
            None => true,
        }
    }

    /// Remembers a path, unless there are enough of those with smaller traces.
    pub(crate) fn remember(&mut self, trace: &Trace, most: usize, leaf: impl FnOnce() -> Leaf) {
        if self.tree.len() < most || self.tree.last_key_value().is_some_and(|(last, _)| trace < last) {
            self.tree.insert(trace.clone(), leaf());
        }
        while self.tree.len() > most {
            self.tree.pop_last();
        }
    }

    fn mark_fault(&mut self, trace: &Trace) {
        if let Some(leaf) = self.tree.get_mut(trace) {
            leaf.is_fault = true;
        }
    }

    /// Files a violation under its cause, where it replaces the one that is there but keeps the larger count.
    pub(crate) fn add_violation(&mut self, rank: Rank, violation: Violation, cause: Cause) {
        self.mark_fault(&rank.3);
        let known = self.violations.get(&cause).map_or(0, |(_, violation)| violation.count);
        let count = known.max(violation.count);
        self.violations.insert(cause, (rank, Violation { count, ..violation }));
    }

    /// How many paths ended with a fault, or with something else that is told.
    pub(crate) fn faults(&self) -> u64 {
        self.violations.values().map(|(_, violation)| violation.count).sum()
    }

    /// Was a defect found?
    pub(crate) fn has_defect(&self) -> bool {
        self.violations.keys().any(|cause| cause.finding == FindingKind::Defect)
    }

    /// How often something was not explored.
    pub(crate) fn left_out(&self) -> u64 {
        self.not_explored.values().sum()
    }

    /// Is there nothing that was left out, and nothing wrong?
    pub(crate) fn is_all_explored(&self) -> bool {
        let is_vain = |ends: &ContractEnds| !ends.is_satisfied;
        self.not_explored.is_empty() && !self.has_defect() && !self.contract_ends.values().any(is_vain)
    }

    /// Takes what another worker found; at most so many paths are remembered.
    pub(crate) fn merge(&mut self, other: Summary, most_remembered: usize) {
        self.paths += other.paths;
        self.pruned += other.pruned;
        self.redundant += other.redundant;
        self.has_threads |= other.has_threads;
        self.infeasible += other.infeasible;
        self.assumed_away += other.assumed_away;
        if let Some(other) = other.states {
            let StateCounts { pre, before_post, after_post, visited } = self.states.get_or_insert_default();
            *pre += other.pre;
            *before_post += other.before_post;
            *after_post += other.after_post;
            *visited += other.visited;
        }
        self.reused_witnesses += other.reused_witnesses;
        self.structure_calls += other.structure_calls;
        self.sat_calls += other.sat_calls;
        self.cache.hits += other.cache.hits;
        self.cache.misses += other.cache.misses;
        self.cache.stored += other.cache.stored;
        self.is_contracted |= other.is_contracted;
        self.precondition = self.precondition.take().or(other.precondition);
        self.recipes.extend(other.recipes);
        self.made_by_calls.extend(other.made_by_calls);
        self.objects_max = self.objects_max.max(other.objects_max);
        self.outcomes.extend(other.outcomes);
        for (trace, leaf) in other.tree {
            self.remember(&trace, most_remembered, || leaf);
        }
        match (&mut self.shapes, other.shapes) {
            (Some(seen), Some(more)) => seen.merge(more),
            (seen, more) => *seen = seen.take().or(more),
        }
        self.warnings.extend(other.warnings);
        self.assumptions.extend(other.assumptions);
        self.seen_properties.extend(other.seen_properties);
        self.has_input |= other.has_input;
        self.written.extend(other.written);
        self.read.extend(other.read);
        self.misuse = self.misuse.take().into_iter().chain(other.misuse).min();
        let (ends, more) = (&mut self.ends, other.ends);
        ends.returned += more.returned;
        ends.threw += more.threw;
        ends.exited += more.exited;
        ends.deadlocked += more.deadlocked;
        ends.broken += more.broken;
        ends.limit += more.limit;
        ends.unsupported += more.unsupported;
        ends.unknown += more.unknown;
        let (solver, more) = (&mut self.solver, other.solver);
        solver.asked += more.asked;
        solver.trivial += more.trivial;
        solver.by_model += more.by_model;
        solver.by_memory += more.by_memory;
        solver.by_order += more.by_order;
        solver.by_smt += more.by_smt;
        solver.unknown += more.unknown;
        solver.time_in_order += more.time_in_order;
        solver.time_in_smt += more.time_in_smt;
        for ((why, at), count) in other.not_explored {
            self.not_explored(why, at, count);
        }
        for (key, count) in other.unconfirmed {
            *self.unconfirmed.entry(key).or_default() += count;
        }
        self.restrictions.extend(other.restrictions);
        self.note_contract_ends(other.contract_ends);
        for (key, (rank, violation)) in other.violations {
            match self.violations.get_mut(&key) {
                Some((best, known)) => {
                    let count = known.count + violation.count;
                    if rank < *best {
                        (*best, *known) = (rank, violation);
                    }
                    known.count = count;
                }
                None => drop(self.violations.insert(key, (rank, violation))),
            }
        }
    }

    /// Takes what an exploration on the way to the inputs left out, or found odd.
    pub(crate) fn take_notes(&mut self, other: &Summary) {
        for ((why, at), count) in &other.not_explored {
            self.not_explored(why.clone(), at.clone(), *count);
        }
        self.restrictions.extend(other.restrictions.iter().cloned());
        self.warnings.extend(other.warnings.iter().cloned());
    }

    /// Is a defect of this kind known at this place?
    pub(crate) fn has_defect_at(&self, kind: &str, at: &str) -> bool {
        let mut known = self.violations.values().map(|(_, violation)| violation);
        known.any(|known| known.finding == FindingKind::Defect && known.kind == kind && known.at == at)
    }

    /// Is there a defect of this kind at this place? A null argument or a rejection may hide one behind it.
    pub(crate) fn has_found(&self, kind: &str, at: &str, clause: Option<&str>) -> bool {
        let mut causes = self.violations.values().map(|(_, violation)| violation);
        causes.any(|known| {
            let is_same = known.kind == kind && known.at == at && known.clause.as_deref() == clause;
            is_same && known.finding == FindingKind::Defect
        })
    }

    /// Sorts everything into an order that does not depend on the threads, and makes the report of the method.
    pub(crate) fn into_report(mut self, method: &'static Method) -> Report {
        self.tell_unsatisfied_contracts();
        let mut outcomes = self.outcomes;
        outcomes.sort_by(|one, other| one.trace.cmp(&other.trace));
        let mut violations: Vec<(Rank, Violation)> = self.violations.into_values().collect();
        violations.sort_by(|(one, _), (other, _)| one.cmp(other));
        let (violations, findings): (Vec<Violation>, Vec<Violation>) = violations
            .into_iter()
            .map(|(_, violation)| violation)
            .partition(|violation| violation.finding == FindingKind::Defect);
        let not_explored = self.not_explored.into_iter().map(|((why, at), count)| NotExplored { why, at, count });
        let unconfirmed = self.unconfirmed.into_iter().map(|((why, at), count)| NotExplored { why, at, count });
        Report {
            target: method.full_name(),
            title: format!("{}.{}", method.class().java_name(), signature(method)),
            numbers: None,
            paths: self.paths,
            pruned: self.pruned,
            redundant: self.redundant,
            has_threads: self.has_threads,
            infeasible: self.infeasible,
            assumed_away: self.assumed_away,
            states: self.states,
            ends: self.ends,
            solver: self.solver,
            reused_witnesses: self.reused_witnesses,
            structure_calls: self.structure_calls,
            sat_calls: self.sat_calls,
            cache: self.cache,
            problem: self.problem,
            pieces: self.pieces,
            is_contracted: self.is_contracted,
            precondition: self.precondition,
            recipes: self.recipes.into_iter().collect(),
            made_by_calls: self.made_by_calls.into_iter().collect(),
            shapes: self.shapes.map(|seen| seen.counts()),
            objects_max: self.objects_max,
            violations,
            findings,
            not_explored: not_explored.collect(),
            unconfirmed: unconfirmed.collect(),
            warnings: self.warnings.into_iter().collect(),
            assumptions: self.assumptions.into_iter().collect(),
            unused_clauses: Vec::new(),
            restrictions: self.restrictions,
            outcomes,
            tree: self.tree.into_values().collect(),
            begins: None,
            elapsed: Default::default(),
        }
    }
}
