//! How is one path after the other followed?

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Chain, Constant, Limits as SolverLimits, Model, Solver, Term};
use lazuli_reach::recipe::Recipe;
use lazuli_spec::{Contract, parameter_classes};
use lazuli_valid::{Completer, FeasibleAnswers, HybridPass, Means, RemainingEntries, Shared, TechniqueSetup, Tools};
use lazuli_vm::ambient::Ambient;
use lazuli_vm::boot;
use lazuli_vm::host::Silent;
use lazuli_vm::interp::{InputRules, Limits, Vm};
use lazuli_vm::outcome::{Answer, End, Limit, Place, Question, Stop};
use lazuli_vm::program::{Class, Method, Program, access, is_extensible, parameter_names};
use lazuli_vm::reason::{Reason, Resource, Warning};
use lazuli_vm::state::State;
use lazuli_vm::universe::{Cx, Restriction, World, is_mutable};
use lazuli_vm::value::Value;

use super::frontier::{Frontier, Pending};
use super::parallel::Share;
use super::path::{Finished, Path};
use super::recipes;
use super::report::*;
use super::summary::Summary;
use super::{Bounds, Config, Detail, Failure, Needing, NotBegun, Order, Progress};
use crate::technique::{self, Admission, Technique};

/// In a trace: all other answers were impossible, so that this one says nothing new.
pub(super) const FORCED: u16 = 1 << 15;

/// A question to the solvers may take this long.
const SOLVER_TIME: Duration = Duration::from_secs(5);

/// How many paths pass between two looks at the memory.
const MEMORY_INTERVAL: u64 = 256;

pub struct Worker<'a> {
    pub(super) vm: Vm,
    /// Where every path begins: the virtual machine is up, the target's class is initialised.
    pub(super) start: State,
    pub(super) method: &'static Method,
    pub(super) config: &'a Config,
    pub(super) progress: &'a Progress,
    pub(super) technique: Box<dyn Technique>,
    pub(super) contract: Contract,
    /// How inputs are made by calls, under a technique that has them made so.
    pub(super) recipes: Vec<Recipe>,
    /// Completes the inputs of faults to valid ones.
    pub(super) completer: Completer,
    pub(super) bounds: Bounds,
    pub(super) chain: Chain,
    pub(super) solver_limits: SolverLimits,
    frontier: Frontier,
    pub(super) summary: Summary,
    /// Why everything ends now, if it does.
    cut: Option<Resource>,
}

/// What comes after the end of an invariant that was executed before the method.
pub(super) enum Stage {
    /// The path has ended: the method itself, or something that must be known before.
    Over(Finished),
    GoesOn(Path),
    /// The input is not valid.
    Dropped,
}

/// What a solver says about one more conjunct.
enum Feasible {
    Yes(Rc<Model>),
    No,
    Unknown,
}

/// An answer that may be.
pub(super) struct Child {
    choice: u16,
    pub(super) answer: Answer,
    /// Values that satisfy the path condition together with the answer.
    pub(super) witness: Option<Rc<Model>>,
    /// Is it known that no valid input gives it?
    pub(super) is_excluded: bool,
    /// What a hybrid invariant said of it.
    asked: Option<HybridPass>,
    /// The listed inputs that give it.
    left: Option<RemainingEntries>,
}

impl Child {
    /// Notes with the path that got the answer what was found out about it before.
    pub(super) fn tell(&self, path: &mut Path) {
        path.hybrid_pass = self.asked.or(path.hybrid_pass);
        if let (Some(fit), Some(left)) = (&mut path.witness, &self.left) {
            fit.left = Some(left.clone());
        }
    }
}

impl<'a> Worker<'a> {
    pub fn boot(
        program: &Arc<Program>,
        method: &'static Method,
        config: &'a Config,
        progress: &'a Progress,
    ) -> Result<Worker<'a>, Failure> {
        let make = technique::find(&config.technique).ok_or_else(|| {
            let names = technique::names().join(", ");
            Failure::Request(format!("there is no technique {}; choose one of {names}", config.technique))
        })?;
        let limits = Limits {
            deadline: config.limits.deadline,
            memory: config.limits.memory,
            stop: Some(progress.stop.clone()),
            ..Limits::default()
        };
        let mut vm = Vm::new(program.clone(), Box::new(Silent::default()), limits);
        let mut start = State::default();
        if let Err(stop) = boot::boot(&mut vm, &mut start) {
            return Err(not_begun(&vm, Finished::at_entry(start, stop), Needing::Library));
        }
        vm.is_exploring = true;
        vm.rules = InputRules {
            length: config.bounds.length(),
            world: config.bounds.world,
            unknown_statics: true,
            jdk_inputs: !method.class().is_users(),
            iterations: Some(config.bounds.iterations()),
            numbers: config.bounds.numbers(),
            ambient: config.ambient,
        };
        vm.forget_immutable_order(&mut start);
        if let Err(stop) = initialise_first(&mut vm, &mut start, method.class()) {
            let what = Needing::Initialiser(method.class().java_name());
            return Err(not_begun(&vm, Finished::at_entry(start, stop), what));
        }
        let parameters = parameter_classes(&vm.program, method)?;
        initialise_types_of_inputs(&mut vm, &mut start, config.contract.receiver_of(method), &parameters);
        let contract = Contract::of(&vm.program, method, &config.contract)?;
        let recipes = recipes(program, method, config)?;
        for declared in parameters {
            let is_made = recipes.iter().any(|recipe| recipe.class.id == declared.id);
            if (declared.access & access::ENUM != 0 || is_made)
                && let Err(stop) = initialise_first(&mut vm, &mut start, declared)
            {
                let what = Needing::Initialiser(declared.java_name());
                return Err(not_begun(&vm, Finished::at_entry(start, stop), what));
            }
        }
        start.symbols.condition.witness = Some(Rc::default());
        start.heap.settle();
        start.symbols.origin = Some(Rc::new(start.heap.clone()));
        let Contract { invariants, heap_invariants, hybrid_invariants, .. } = &contract;
        let technique = make(&TechniqueSetup {
            invariants,
            heap_invariants,
            hybrid_invariants,
            backbone: &config.valid.backbone,
            has_loose_bounds: config.valid.loose_bounds,
            reuses: config.valid.reuse,
            means: config.valid.means,
            target: Some(method),
            verdicts: &config.valid.verdicts,
        });
        // Of what calls made, only numbers are open: there is little to search for, and the circuit is about other inputs.
        let means = if recipes.is_empty() { config.valid.means } else { Means::Search };
        let solver_limits =
            SolverLimits { time: SOLVER_TIME, deadline: config.limits.deadline, stop: Some(progress.stop.clone()) };
        Ok(Worker {
            vm,
            start,
            method,
            config,
            progress,
            technique,
            completer: Completer::new(&contract.invariants, means),
            contract,
            recipes,
            bounds: config.bounds.clone(),
            chain: Chain::new(),
            solver_limits,
            frontier: Frontier::new(config.order),
            summary: Summary::new(config.report.count_shapes),
            cut: None,
        })
    }

    /// Lets the technique find out what all paths need to know, or take it from another worker that did.
    pub fn prepare(&mut self, shared: &Arc<Shared>) {
        let Ok(inputs) = self.inputs() else { return };
        // The bounds that it meets matter where they exclude something.
        self.with_technique(&mut BTreeSet::new(), |technique, tools| technique.prepare(tools, &inputs, shared));
    }

    /// How many paths this worker has finished.
    pub fn paths(&self) -> u64 {
        self.summary.paths
    }

    pub fn finish(mut self) -> Summary {
        self.note_reads();
        self.summary.solver = self.chain.statistics;
        self.summary.cache = self.technique.cache_use();
        self.summary.misuse = self.vm.misuse.take();
        self.note_initial_statics();
        self.summary.assumptions.append(&mut self.vm.assumptions);
        self.summary.is_contracted = !self.contract.invariants.is_empty();
        self.summary.made = self.recipes.iter().map(Recipe::extent).collect();
        self.summary.precondition = self.contract.told_pre();
        self.summary
    }

    /// Notes which static fields that the program may change were taken as the initialisers of their classes leave them.
    fn note_initial_statics(&mut self) {
        for (class, slot, field) in self.vm.program.variable_statics() {
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
            if is_initial {
                self.summary.restricted(&Restriction::InitialStatic { field });
            }
        }
    }

    /// Follows a trace, and everything behind it.
    pub fn work(&mut self, trace: Trace, share: &Share) {
        if let Some((path, trace)) = self.replay(trace) {
            self.follow(path, trace);
        }
        while self.cut.is_none() {
            if share.wants()
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

    fn look_at_limits(&mut self) {
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
        } else if self.summary.paths.is_multiple_of(MEMORY_INTERVAL)
            && self.config.limits.memory.is_some_and(|most| self.vm.host.resident_bytes() > most)
        {
            self.cut = Some(Resource::Memory);
        }
    }

    /// Whatever waits when everything ends was not explored.
    fn note_pending(&mut self, more: usize) {
        let Some(mut cut) = self.cut else { return };
        if cut == Resource::Time && self.progress.stop.load(Ordering::Relaxed) {
            cut = Resource::Stopped;
        }
        let count = self.frontier.len() + more;
        while self.frontier.pop().is_some() {}
        if count > 0 {
            self.summary.not_explored(Reason::PathsLeft(cut), "", count as u64);
        }
    }

    /// The path before the method is entered, with everything unknown.
    pub(super) fn inputs(&mut self) -> Result<Path, Stop> {
        let mut path = self.start.fork();
        let class = self.config.contract.receiver_of(self.method);
        if self.method.name != "<init>" && !self.method.is_static() {
            let world = self.bounds.world;
            let Some(possible) = self.vm.program.receiver_classes(class, self.method, world) else {
                let what = Reason::NoReceiver { class: class.java_name() };
                return Err(End::unsupported(what, self.method.full_name()).into());
            };
            if is_extensible(class) && !possible.possible().is_some_and(|possible| possible.others) {
                let is_closed = world == World::Closed;
                self.summary.restricted(if is_closed { &Restriction::Closed } else { &Restriction::ClassPath });
            }
            let receiver = self.vm.new_receiver(&mut path, class, possible);
            path.add_root("this", receiver.into(), None);
        }
        let classes = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        for (name, declared) in parameter_names(self.method).into_iter().zip(classes) {
            self.vm.new_argument(&mut path, &name, declared, true);
        }
        Ok(path.into())
    }

    /// The path at the entry of the method, or of what is executed before it.
    fn entry(&mut self) -> Stage {
        let is_made = !self.recipes.is_empty();
        let mut path = match is_made {
            true => self.inputs_to_make(),
            false => match self.inputs() {
                Ok(path) => path,
                Err(stop) => return Stage::Over(Finished::at_entry(self.start.fork(), stop)),
            },
        };
        if !self.technique.starts_with_invariants() {
            path.stage = self.contract.invariants.len();
        }
        if is_made {
            return Stage::GoesOn(path);
        }
        match self.begin_stage(&mut path) {
            Ok(()) => Stage::GoesOn(path),
            Err(stop) => self.next_stage(Finished::at_entry(path, stop)),
        }
    }

    /// Makes the path that a trace leads to. No solver is asked, because every choice was found possible before.
    fn replay(&mut self, trace: Trace) -> Option<(Path, Trace)> {
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
    pub(super) fn run(&mut self, path: &mut Path) -> Stop {
        let vm = &mut self.vm;
        catch_unwind(AssertUnwindSafe(|| vm.run(path)))
            .unwrap_or_else(|panic| self.vm.unsupported(path, Reason::Bug(told(&*panic))))
    }

    fn alternatives(&mut self, path: &Path, question: &Question) -> Vec<Answer> {
        let Vm { program, terms, .. } = &mut self.vm;
        let mut cx = Cx { program, terms, bounds: &self.bounds };
        let found = self.technique.alternatives(&mut cx, path, question);
        for what in &found.beyond {
            self.summary.restricted(what);
        }
        if let Some(declared) = found.void {
            let at = self.vm.describe_position(path);
            self.summary.not_explored(Reason::NoObject { class: declared.java_name() }, at, 1);
        }
        found.answers
    }

    /// Follows a path to its end; the ways that branch off wait in the frontier.
    fn follow(&mut self, mut path: Path, mut trace: Trace) {
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

    /// Has the technique do something; it adds the bounds that it meets.
    fn with_technique<T>(
        &mut self,
        beyond: &mut BTreeSet<Restriction>,
        does: impl FnOnce(&mut dyn Technique, &mut Tools) -> T,
    ) -> T {
        let (vm, chain) = (&mut self.vm, &mut self.chain);
        let (bounds, limits) = (&self.bounds, &self.solver_limits);
        let (warnings, sat_calls) = (&mut self.summary.warnings, &mut self.summary.sat_calls);
        does(&mut *self.technique, &mut Tools { vm, chain, bounds, limits, beyond, warnings, sat_calls })
    }

    /// What the technique excludes before anything is forked.
    fn feasible_answers(&mut self, path: &Path, place: Place, answers: &[Answer]) -> Option<FeasibleAnswers> {
        self.with_technique(&mut BTreeSet::new(), |technique, tools| {
            technique.feasible_answers(tools, path, place, answers)
        })
    }

    /// Does the technique let the path pass? An error says why it could not tell.
    pub(super) fn admit(&mut self, path: &mut Path) -> Result<bool, Reason> {
        let mut beyond = BTreeSet::new();
        let admission = self.with_technique(&mut beyond, |technique, tools| technique.admit(tools, path));
        for what in &beyond {
            self.summary.restricted(what);
        }
        match admission {
            Admission::Unasked => Ok(true),
            Admission::Admitted { is_reused } => {
                self.summary.reused_witnesses += is_reused as u64;
                self.summary.structure_calls += !is_reused as u64;
                Ok(true)
            }
            Admission::Pruned => {
                self.summary.structure_calls += 1;
                Ok(false)
            }
            Admission::Unknown(why) => Err(why),
        }
    }

    pub(super) fn warn_of_throwing_pre(&mut self, finished: &Finished) {
        let Some((path, exception)) = finished.thrown() else { return };
        let Some(pre) = self.contract.pre.get(path.stage - self.contract.invariants.len()) else { return };
        let what = self.vm.describe_throwable(path, exception);
        self.summary.warnings.insert(Warning::PreconditionThrows { precondition: pre.told.clone(), what });
    }

    /// Adds a condition to the path, if it can be true.
    pub(super) fn can_assume(&mut self, path: &mut Path, condition: Term) -> bool {
        match self.feasible(path, condition) {
            Feasible::No => false,
            Feasible::Yes(witness) => {
                self.vm.assume(path, condition);
                path.symbols.condition.witness = Some(witness);
                true
            }
            Feasible::Unknown => {
                self.vm.assume(path, condition);
                path.symbols.condition.is_doubtful = true;
                true
            }
        }
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        self.progress.stop.load(Ordering::Relaxed)
            || self.config.limits.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// The answers that may be.
    pub(super) fn children(&mut self, path: &Path, question: &Question) -> Vec<Child> {
        let answers = self.alternatives(path, question);
        let foresight = match question {
            Question::Read { place, .. } => self.feasible_answers(path, *place, &answers),
            _ => None,
        };
        let asked = foresight.as_ref().and_then(|foresight| foresight.asked);
        let mut children = Vec::with_capacity(answers.len());
        for (choice, answer) in answers.into_iter().enumerate() {
            let witness = match &answer {
                Answer::Assume(term) => match self.feasible(path, *term) {
                    Feasible::Yes(witness) => Some(witness),
                    Feasible::No => {
                        self.summary.infeasible += 1;
                        continue;
                    }
                    Feasible::Unknown => None,
                },
                _ => path.symbols.condition.witness.clone(),
            };
            let is_excluded = foresight.as_ref().is_some_and(|foresight| foresight.excludes(&answer));
            let left = foresight.as_ref().and_then(|foresight| foresight.left(&answer));
            children.push(Child { choice: choice as u16, answer, witness, is_excluded, asked, left });
        }
        if let Some(foresight) = foresight.filter(|_| children.iter().any(|child| child.is_excluded)) {
            for what in foresight.beyond.iter() {
                self.summary.restricted(what);
            }
        }
        children
    }

    /// Can the path go on if this is true as well?
    fn feasible(&mut self, path: &Path, term: Term) -> Feasible {
        let condition = &path.symbols.condition;
        if let Some(witness) = &condition.witness
            && self.config.valid.reuse
            && satisfies(&self.vm.terms, witness, &[term])
        {
            self.summary.reused_witnesses += 1;
            return Feasible::Yes(witness.clone());
        }
        if self.vm.terms.as_constant(term) == Some(Constant::Bool(false)) {
            return Feasible::No;
        }
        let (terms, limits) = (&self.vm.terms, &self.solver_limits);
        let answer = match &condition.witness {
            Some(witness) => self.chain.extend(terms, &condition.conjuncts, witness, term, limits),
            None => {
                let conjuncts: Vec<Term> = condition.conjuncts.iter().copied().chain([term]).collect();
                self.chain.check(terms, &conjuncts, limits)
            }
        };
        match answer {
            lazuli_logic::Answer::Sat(model) => Feasible::Yes(Rc::new(model)),
            lazuli_logic::Answer::Unsat => Feasible::No,
            lazuli_logic::Answer::Unknown => Feasible::Unknown,
        }
    }

    pub(super) fn apply(&mut self, path: &mut Path, question: &Question, answer: &Answer, is_forced: bool) {
        let before = path.symbols.condition.conjuncts.len();
        if !is_forced {
            self.note_choice(path, question, answer);
        }
        match answer {
            Answer::Choose(way) => Self::choose_step(path, *way),
            _ => self.vm.answer(path, question, answer),
        }
        if is_forced {
            let condition = &mut path.symbols.condition;
            condition.implied.extend(condition.conjuncts.drain(before..));
        }
        self.technique.learn(path, question, answer);
    }

    /// Counts a choice between values at its place in the program; other choices read something new.
    fn count_fork(&mut self, path: &mut Path, question: &Question) -> usize {
        let (Question::Branch(_) | Question::Cases(_)) = question else { return 0 };
        let Some(frame) = path.thread.frames.last() else { return 0 };
        let site = (frame.method.id, frame.pc);
        path.symbols.count_fork(site) as usize
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

    fn count_path(&mut self, path: &Path, trace: &Trace) {
        self.summary.paths += 1;
        self.summary.objects_max = self.summary.objects_max.max(path.symbols.inputs.len());
        self.progress.paths.fetch_add(1, Ordering::Relaxed);
        self.progress.depth.store(trace.len(), Ordering::Relaxed);
    }

    /// Tells other threads of a fault.
    pub(super) fn count_found(&self, violation: &Violation) {
        self.progress.violations.fetch_add(1, Ordering::Relaxed);
        self.progress.note_found(violation);
    }

    pub(super) fn path_ended(&mut self, mut finished: Finished, trace: Trace) {
        let Finished { path, end } = &mut finished;
        if let End::AssumedAway = end {
            self.summary.assumed_away += 1;
            return;
        }
        if path.symbols.condition.is_doubtful && !self.settle_doubt(path) {
            return;
        }
        self.count_path(path, &trace);
        if path.symbols.condition.is_doubtful || (path.symbols.condition.is_unproven && self.admit(path).is_err()) {
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
        self.note_path(path);
        let ending = self.ending(&finished);
        let Finished { path, end } = &finished;
        self.remember(path, &ending, &trace);
        match &ending {
            Ending::Returned => {
                self.summary.ends.returned += 1;
                if let Some(seen) = &mut self.summary.shapes {
                    seen.add(path);
                }
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
            Ending::Unknown { .. } => {}
        }
        if self.config.report.detail == Detail::AllPaths {
            let outcome = self.confirmed(&finished, ending, trace);
            self.summary.outcomes.push(outcome);
        }
    }

    /// A solver did not know; it is asked once more about the whole path. False if the path is impossible.
    fn settle_doubt(&mut self, path: &mut Path) -> bool {
        match self.chain.check(&self.vm.terms, &path.symbols.condition.conjuncts, &self.solver_limits) {
            lazuli_logic::Answer::Sat(model) => {
                path.symbols.condition.witness = Some(Rc::new(model));
                path.symbols.condition.is_doubtful = false;
                true
            }
            lazuli_logic::Answer::Unsat => {
                self.summary.infeasible += 1;
                false
            }
            lazuli_logic::Answer::Unknown => true,
        }
    }

    fn ending(&self, finished: &Finished) -> Ending {
        let Finished { path, end } = finished;
        match end {
            End::Returned(_) | End::AssumedAway => Ending::Returned,
            End::Exited(code) => Ending::Exited(*code),
            End::Threw(exception) => {
                let class = path.heap.class(*exception);
                let message = match path.heap.field(*exception, self.vm.program.known().throwable_message) {
                    Value::Ref(Some(text)) => Some(self.vm.text(path, text)).filter(|text| !text.is_empty()),
                    _ => None,
                };
                Ending::Threw {
                    class: class.java_name(),
                    message,
                    trace: self.vm.describe_trace(path, *exception, 8),
                    is_allowed: self.is_allowed(class),
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

    /// Does the method declare the exception, or did the user allow it?
    pub(super) fn is_allowed(&self, class: &'static Class) -> bool {
        let declared = self.method.declared_exceptions();
        let names = |class: &Class, name: &str| {
            class.java_name() == name || class.java_name().rsplit(['.', '$']).next() == Some(name)
        };
        let said = self.contract.specification.as_ref().map_or(&[][..], |specification| &specification.allowed);
        class.chain().any(|class| {
            said.iter().any(|allowed| allowed.id == class.id)
                || declared.iter().any(|name| *name == class.name)
                || self.config.contract.allowed.iter().any(|name| names(class, name))
        })
    }
}

/// Says why there are no paths. A class that is missing must be there before anything can be said.
fn not_begun(vm: &Vm, finished: Finished, what: Needing) -> Failure {
    let Finished { path, end } = &finished;
    match (finished.thrown(), vm.reason(path, end)) {
        (Some((path, exception)), _) => {
            let place = vm.describe_trace(path, exception, 3).join(", ");
            let thrown = vm.describe_throwable(path, exception);
            Failure::Begin { what, why: NotBegun::Threw { thrown, place } }
        }
        (_, Some((Reason::Class(fault), _))) => Failure::Class { what, fault },
        (_, Some((why, at))) => Failure::Begin { what, why: NotBegun::Unknown { why: Box::new(why), at } },
        _ => Failure::Begin { what, why: NotBegun::Ended },
    }
}

/// Initialises a class before all paths. Where what it takes from outside decides how, it gets the values of one run: there is no path yet
/// that could fork.
fn initialise_first(vm: &mut Vm, start: &mut State, class: &'static Class) -> Result<(), Stop> {
    let before = start.fork();
    match vm.initialise_fully(start, class) {
        Err(Stop::Ask(_)) => {
            *start = before;
            let usual = std::mem::replace(&mut vm.rules.ambient, Ambient::Concrete);
            let initialised = vm.initialise_fully(start, class);
            vm.rules.ambient = usual;
            initialised
        }
        initialised => initialised,
    }
}

/// Initialises the user's classes of which there may be objects at entry: theirs were initialised when these were made. One
/// that fails is left to the path that needs it.
fn initialise_types_of_inputs(vm: &mut Vm, start: &mut State, receiver: &'static Class, parameters: &[&'static Class]) {
    let mut reached: Vec<&'static Class> = vec![receiver];
    reached.extend(parameters);
    let mut next = 0;
    while let Some(&class) = reached.get(next) {
        next += 1;
        let element = std::iter::successors(Some(class), |class| class.component()).last().unwrap_or(class);
        if !element.is_users() || element.is_open() {
            continue;
        }
        let before = start.fork();
        if vm.initialise_fully(start, element).is_err() {
            *start = before;
        }
        for field in element.chain().flat_map(|class| class.fields.iter()).filter(|field| !field.is_static()) {
            if let Ok(kind) = vm.program.load_descriptor(field.descriptor)
                && !reached.iter().any(|known| known.id == kind.id)
            {
                reached.push(kind);
            }
        }
    }
}

/// What a panic says.
pub fn told(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}
