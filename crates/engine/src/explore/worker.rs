//! How is one path after the other followed?

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Chain, Constant, Limits as SolverLimits, Model, Solver, Term};

use super::contract::{Contract, parameter_classes};
use super::frontier::{Frontier, Pending};
use super::parallel::Share;
use super::recipe::{Recipe, recipes};
use super::report::*;
use super::summary::Summary;
use super::{Bounds, Config, Detail, Failure, Needing, NotBegun, Order, Progress};
use crate::ambient::Ambient;
use crate::boot;
use crate::host::Silent;
use crate::interp::{InputRules, Limits, Vm};
use crate::outcome::{Answer, End, Finished, Limit, Place, Question, Stop};
use crate::program::{Class, Field, Method, Program, access, is_extensible, parameter_names};
use crate::reason::{Reason, Resource, Warning};
use crate::state::State;
use crate::structure::{Completer, Foresight, Left, Means, Shared, Tools};
use crate::symbols::{Asked, Root};
use crate::technique::{self, Admission, Cx, Given, Technique};
use crate::universe::{Restriction, World, enum_constants, is_mutable, receiver_restriction};
use crate::value::{Kind, ObjId, Value};

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
    GoesOn(State),
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
    asked: Option<Asked>,
    /// The listed inputs that give it.
    left: Option<Left>,
}

impl Child {
    /// Notes with the path that got the answer what was found out about it before.
    pub(super) fn tell(&self, state: &mut State) {
        let symbols = &mut state.symbols;
        symbols.asked = self.asked.or(symbols.asked);
        if let (Some(fit), Some(left)) = (&mut symbols.fit, &self.left) {
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
            deadline: config.deadline,
            memory: config.memory,
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
        initialise_types_of_inputs(&mut vm, &mut start, config.receiver_of(method), &parameters);
        let contract = Contract::of(&vm.program, method, config)?;
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
        start.symbols.path.witness = Some(Rc::default());
        start.heap.settle();
        start.symbols.origin = Some(Rc::new(start.heap.clone()));
        let Contract { invariants, heap_invariants, hybrid_invariants, .. } = &contract;
        let technique = make(&Given {
            invariants,
            heap_invariants,
            hybrid_invariants,
            backbone: &config.backbone,
            has_loose_bounds: config.loose_bounds,
            reuses: config.reuse,
            means: config.means,
            target: Some(method),
            verdicts: &config.verdicts,
        });
        // Of what calls made, only numbers are open: there is little to search for, and the circuit is about other inputs.
        let means = if recipes.is_empty() { config.means } else { Means::Search };
        let solver_limits =
            SolverLimits { time: SOLVER_TIME, deadline: config.deadline, stop: Some(progress.stop.clone()) };
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
            summary: Summary::new(config.count_shapes),
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

    /// Notes that the receiver was none of the objects behind static fields, where it could have been.
    pub(super) fn note_receiver(&mut self, state: &State) {
        let is_new = |root: &Root| matches!(root.value, Value::Ref(_)) && &*root.name == "this";
        if self.recipes.is_empty() && state.symbols.roots.first().is_some_and(is_new) {
            let receiver = self.config.receiver_of(self.method);
            if let Some(left_out) = receiver_restriction(&self.vm.program, state, receiver, self.method) {
                self.summary.restricted(&left_out);
            }
        }
    }

    /// Follows a trace, and everything behind it.
    pub fn work(&mut self, trace: Trace, share: &Share) {
        if let Some((state, trace)) = self.replay(trace) {
            self.follow(state, trace);
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
            match next.state {
                Some(state) => self.follow(*state, next.trace),
                None => {
                    if let Some((state, trace)) = self.replay(next.trace) {
                        self.follow(state, trace);
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
        } else if self.config.paths.is_some_and(|most| paths >= most) {
            self.cut = Some(Resource::Paths);
        } else if self.summary.paths.is_multiple_of(MEMORY_INTERVAL)
            && self.config.memory.is_some_and(|most| self.vm.host.resident_bytes() > most)
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

    /// The state before the method is entered, with everything unknown.
    pub(super) fn inputs(&mut self) -> Result<State, Stop> {
        let mut state = self.start.fork();
        let class = self.config.receiver_of(self.method);
        if self.method.name != "<init>" && !self.method.is_static() {
            if class.access & access::ENUM != 0 {
                return self.constant_inputs(state, class);
            }
            let world = self.bounds.world;
            let Some(possible) = self.vm.program.receiver_classes(class, self.method, world) else {
                let what = Reason::NoReceiver { class: class.java_name() };
                return Err(End::unsupported(what, self.method.full_name()).into());
            };
            if is_extensible(class) && !possible.possible().is_some_and(|possible| possible.others) {
                let is_closed = world == World::Closed;
                self.summary.restricted(if is_closed { &Restriction::Closed } else { &Restriction::ClassPath });
            }
            let receiver = self.vm.new_receiver(&mut state, class, possible);
            state.add_root("this", receiver.into(), None);
        }
        self.add_parameters(&mut state);
        Ok(state)
    }

    /// The same where the receiver is a constant of an enumeration, like an argument that is not null.
    fn constant_inputs(&mut self, mut state: State, class: &'static Class) -> Result<State, Stop> {
        let constants = enum_constants(&self.vm.program, &state, class);
        let runs = |constant: &ObjId| {
            let found = self.vm.program.select(state.heap.class(*constant), self.method);
            found.is_some_and(|found| found.id == self.method.id)
        };
        match constants.iter().filter(|constant| runs(constant)).count() {
            0 => {
                let what = Reason::NoReceiver { class: class.java_name() };
                Err(End::unsupported(what, self.method.full_name()).into())
            }
            some if some < constants.len() => {
                let what = Reason::from("a method that only some constants of its enumeration inherit");
                Err(End::unsupported(what, self.method.full_name()).into())
            }
            _ => {
                self.vm.new_argument(&mut state, "this", class, false);
                self.add_parameters(&mut state);
                Ok(state)
            }
        }
    }

    fn add_parameters(&mut self, state: &mut State) {
        let classes = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        for (name, declared) in parameter_names(self.method).into_iter().zip(classes) {
            self.vm.new_argument(state, &name, declared, true);
        }
    }

    /// The state at the entry of the method, or of what is executed before it.
    fn entry(&mut self) -> Stage {
        let is_made = !self.recipes.is_empty();
        let mut state = match is_made {
            true => self.inputs_to_make(),
            false => match self.inputs() {
                Ok(state) => state,
                Err(stop) => return Stage::Over(Finished::at_entry(self.start.fork(), stop)),
            },
        };
        if !self.technique.starts_with_invariants() {
            state.symbols.stage = self.contract.invariants.len();
        }
        if is_made {
            return Stage::GoesOn(state);
        }
        match self.begin_stage(&mut state) {
            Ok(()) => Stage::GoesOn(state),
            Err(stop) => self.next_stage(Finished::at_entry(state, stop)),
        }
    }

    /// Makes the state that a trace leads to. No solver is asked, because every choice was found possible before.
    fn replay(&mut self, trace: Trace) -> Option<(State, Trace)> {
        let mut state = match self.entry() {
            Stage::GoesOn(state) => state,
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
                match self.advance(&mut state) {
                    Stop::Ask(question) => break question,
                    Stop::End(end) => match self.next_stage(Finished { state, end }) {
                        Stage::GoesOn(next) => state = next,
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
            let alternatives = self.alternatives(&state, &question);
            let answer = &alternatives[(*choice & !FORCED) as usize];
            if *choice & FORCED == 0 {
                self.count_fork(&mut state, &question);
            }
            self.apply(&mut state, &question, answer, *choice & FORCED != 0);
        }
        if !trace.is_empty() {
            state.symbols.path.witness = None;
            match self.chain.check(&self.vm.terms, &state.symbols.path.conjuncts, &self.solver_limits) {
                lazuli_logic::Answer::Sat(model) => state.symbols.path.witness = Some(Rc::new(model)),
                lazuli_logic::Answer::Unsat => {
                    self.summary.infeasible += 1;
                    return None;
                }
                lazuli_logic::Answer::Unknown => state.symbols.path.is_doubtful = true,
            }
        }
        match self.admit(&mut state) {
            Ok(true) => Some((state, trace)),
            Ok(false) => {
                self.summary.pruned += 1;
                None
            }
            Err(why) => {
                self.summary.not_explored(why, self.method.full_name(), 1);
                state.symbols.path.is_unproven = true;
                Some((state, trace))
            }
        }
    }

    /// Runs to the next question or end. A panic is a bug of ours: it ends the path, and nothing else.
    pub(super) fn run(&mut self, state: &mut State) -> Stop {
        let vm = &mut self.vm;
        catch_unwind(AssertUnwindSafe(|| vm.run(state)))
            .unwrap_or_else(|panic| self.vm.unsupported(state, Reason::Bug(told(&*panic))))
    }

    fn alternatives(&mut self, state: &State, question: &Question) -> Vec<Answer> {
        let Vm { program, terms, .. } = &mut self.vm;
        let mut cx = Cx { program, terms, bounds: &self.bounds };
        let found = self.technique.alternatives(&mut cx, state, question);
        for what in &found.beyond {
            self.summary.restricted(what);
        }
        if let Some(declared) = found.void {
            let at = self.vm.describe_position(state);
            self.summary.not_explored(Reason::NoObject { class: declared.java_name() }, at, 1);
        }
        found.answers
    }

    /// Follows a path to its end; the ways that branch off wait in the frontier.
    fn follow(&mut self, mut state: State, mut trace: Trace) {
        loop {
            let question = match self.advance(&mut state) {
                Stop::Ask(question) => question,
                Stop::End(end) => match self.next_stage(Finished { state, end }) {
                    Stage::GoesOn(next) => {
                        state = next;
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
                return self.path_cut(state, Cut::Depth, trace);
            }
            // A path may have thousands of questions, of which none is answered in time any more.
            if self.is_out_of_time() {
                self.frontier.extend(vec![Pending { trace, state: None, arm: ((self.method.id, 0), 0) }]);
                return;
            }
            let children = self.children(&state, &question);
            let is_forced = children.len() == 1;
            if children.is_empty() {
                return;
            }
            if !is_forced && self.count_fork(&mut state, &question) > self.bounds.unroll {
                return self.path_cut(state, Cut::Unroll, trace);
            }
            // Only how an input is made is asked outside of all code.
            let site = state.thread.frames.last().map_or((self.method.id, 0), |frame| (frame.method.id, frame.pc));
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
                let mut forked = if is_last { std::mem::take(&mut state) } else { state.fork() };
                self.apply(&mut forked, &question, &child.answer, is_forced);
                match &child.witness {
                    Some(witness) => forked.symbols.path.witness = Some(witness.clone()),
                    None => {
                        forked.symbols.path.witness = None;
                        forked.symbols.path.is_doubtful = true;
                    }
                }
                child.tell(&mut forked);
                match self.admit(&mut forked) {
                    Ok(true) => {}
                    Ok(false) => {
                        self.summary.pruned += 1;
                        continue;
                    }
                    Err(_) => forked.symbols.path.is_unproven = true,
                }
                let choice = if is_forced { child.choice | FORCED } else { child.choice };
                let mut longer = if is_last { std::mem::take(&mut trace) } else { trace.clone() };
                longer.push(choice);
                if is_last && goes_on {
                    next = Some((forked, longer));
                } else {
                    waiting.push(Pending { trace: longer, state: Some(Box::new(forked)), arm: (site, child.choice) });
                }
            }
            waiting.reverse();
            self.frontier.extend(waiting);
            match next {
                Some((forked, longer)) => (state, trace) = (forked, longer),
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
    fn foresee(&mut self, state: &State, place: Place, answers: &[Answer]) -> Option<Foresight> {
        self.with_technique(&mut BTreeSet::new(), |technique, tools| technique.foresee(tools, state, place, answers))
    }

    /// Does the technique let the state pass? An error says why it could not tell.
    pub(super) fn admit(&mut self, state: &mut State) -> Result<bool, Reason> {
        let mut beyond = BTreeSet::new();
        let admission = self.with_technique(&mut beyond, |technique, tools| technique.admit(tools, state));
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
        let Some((state, exception)) = finished.thrown() else { return };
        let Some(pre) = self.contract.pre.get(state.symbols.stage - self.contract.invariants.len()) else { return };
        let what = self.vm.describe_throwable(state, exception);
        self.summary.warnings.insert(Warning::PreconditionThrows { precondition: pre.told.clone(), what });
    }

    /// Adds a condition to the path, if it can be true.
    pub(super) fn can_assume(&mut self, state: &mut State, condition: Term) -> bool {
        match self.feasible(state, condition) {
            Feasible::No => false,
            Feasible::Yes(witness) => {
                self.vm.assume(state, condition);
                state.symbols.path.witness = Some(witness);
                true
            }
            Feasible::Unknown => {
                self.vm.assume(state, condition);
                state.symbols.path.is_doubtful = true;
                true
            }
        }
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        self.progress.stop.load(Ordering::Relaxed) || self.config.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// The answers that may be.
    pub(super) fn children(&mut self, state: &State, question: &Question) -> Vec<Child> {
        let answers = self.alternatives(state, question);
        let foresight = match question {
            Question::Read { place, .. } => self.foresee(state, *place, &answers),
            _ => None,
        };
        let asked = foresight.as_ref().and_then(|foresight| foresight.asked);
        let mut children = Vec::with_capacity(answers.len());
        for (choice, answer) in answers.into_iter().enumerate() {
            let witness = match &answer {
                Answer::Assume(term) => match self.feasible(state, *term) {
                    Feasible::Yes(witness) => Some(witness),
                    Feasible::No => {
                        self.summary.infeasible += 1;
                        continue;
                    }
                    Feasible::Unknown => None,
                },
                _ => state.symbols.path.witness.clone(),
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
    fn feasible(&mut self, state: &State, term: Term) -> Feasible {
        let path = &state.symbols.path;
        if let Some(witness) = &path.witness
            && self.config.reuse
            && satisfies(&self.vm.terms, witness, &[term])
        {
            self.summary.reused_witnesses += 1;
            return Feasible::Yes(witness.clone());
        }
        if self.vm.terms.as_constant(term) == Some(Constant::Bool(false)) {
            return Feasible::No;
        }
        let (terms, limits) = (&self.vm.terms, &self.solver_limits);
        let answer = match &path.witness {
            Some(witness) => self.chain.extend(terms, &path.conjuncts, witness, term, limits),
            None => {
                let conjuncts: Vec<Term> = path.conjuncts.iter().copied().chain([term]).collect();
                self.chain.check(terms, &conjuncts, limits)
            }
        };
        match answer {
            lazuli_logic::Answer::Sat(model) => Feasible::Yes(Rc::new(model)),
            lazuli_logic::Answer::Unsat => Feasible::No,
            lazuli_logic::Answer::Unknown => Feasible::Unknown,
        }
    }

    pub(super) fn apply(&mut self, state: &mut State, question: &Question, answer: &Answer, is_forced: bool) {
        let before = state.symbols.path.conjuncts.len();
        if !is_forced {
            self.note_choice(state, question, answer);
        }
        self.vm.answer(state, question, answer);
        if is_forced {
            let path = &mut state.symbols.path;
            path.implied.extend(path.conjuncts.drain(before..));
        }
        self.technique.learn(state, question, answer);
    }

    /// Counts a choice between values at its place in the program; other choices read something new.
    fn count_fork(&mut self, state: &mut State, question: &Question) -> usize {
        let (Question::Branch(_) | Question::Cases(_)) = question else { return 0 };
        let Some(frame) = state.thread.frames.last() else { return 0 };
        let site = (frame.method.id, frame.pc);
        state.symbols.count_fork(site) as usize
    }

    fn path_cut(&mut self, state: State, which: Cut, trace: Trace) {
        let at = self.vm.describe_position(&state);
        let why = match which {
            Cut::Unroll => Reason::Unroll(self.bounds.unroll),
            _ => Reason::Depth(self.bounds.depth),
        };
        self.summary.not_explored(why, at.clone(), 1);
        self.summary.ends.limit += 1;
        self.count_path(&state, &trace);
        let ending = Ending::Limit { which, at };
        self.remember(&state, &ending, &trace);
        if self.config.detail == Detail::AllPaths {
            let outcome = self.describe(&state, ending, None, trace);
            self.summary.outcomes.push(outcome);
        }
    }

    fn count_path(&mut self, state: &State, trace: &Trace) {
        self.summary.paths += 1;
        self.summary.objects_max = self.summary.objects_max.max(state.symbols.inputs.len());
        self.progress.paths.fetch_add(1, Ordering::Relaxed);
        self.progress.depth.store(trace.len(), Ordering::Relaxed);
    }

    /// Tells other threads of a fault.
    pub(super) fn count_found(&self, violation: &Violation) {
        self.progress.violations.fetch_add(1, Ordering::Relaxed);
        self.progress.note_found(violation);
    }

    pub(super) fn path_ended(&mut self, mut finished: Finished, trace: Trace) {
        let Finished { state, end } = &mut finished;
        if let End::AssumedAway = end {
            self.summary.assumed_away += 1;
            return;
        }
        if state.symbols.path.is_doubtful && !self.settle_doubt(state) {
            return;
        }
        self.count_path(state, &trace);
        if state.symbols.path.is_doubtful || (state.symbols.path.is_unproven && self.admit(state).is_err()) {
            let at = self.method.full_name();
            self.summary.ends.unknown += 1;
            self.summary.not_explored(Reason::SolverUndecided, at.clone(), 1);
            let ending = Ending::Unknown { at };
            self.remember(state, &ending, &trace);
            if self.config.detail == Detail::AllPaths {
                let outcome = self.describe(state, ending, None, trace);
                self.summary.outcomes.push(outcome);
            }
            return;
        }
        self.note_path(state);
        self.note_receiver(state);
        let ending = self.ending(&finished);
        let Finished { state, end } = &finished;
        self.remember(state, &ending, &trace);
        match &ending {
            Ending::Returned => {
                self.summary.ends.returned += 1;
                if let Some(seen) = &mut self.summary.shapes {
                    seen.add(state);
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
                if let Some((why, at)) = self.vm.reason(state, end) {
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
        if self.config.detail == Detail::AllPaths {
            let outcome = self.confirmed(&finished, ending, trace);
            self.summary.outcomes.push(outcome);
        }
    }

    /// A solver did not know; it is asked once more about the whole path. False if the path is impossible.
    fn settle_doubt(&mut self, state: &mut State) -> bool {
        match self.chain.check(&self.vm.terms, &state.symbols.path.conjuncts, &self.solver_limits) {
            lazuli_logic::Answer::Sat(model) => {
                state.symbols.path.witness = Some(Rc::new(model));
                state.symbols.path.is_doubtful = false;
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
        let Finished { state, end } = finished;
        match end {
            End::Returned(_) | End::AssumedAway => Ending::Returned,
            End::Exited(code) => Ending::Exited(*code),
            End::Threw(exception) => {
                let class = state.heap.class(*exception);
                let message = match state.heap.field(*exception, self.vm.program.known().throwable_message) {
                    Value::Ref(Some(text)) => Some(self.vm.text(state, text)).filter(|text| !text.is_empty()),
                    _ => None,
                };
                Ending::Threw {
                    class: class.java_name(),
                    message,
                    trace: self.vm.describe_trace(state, *exception, 8),
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
                Ending::Limit { which, at: self.vm.describe_position(state) }
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
                || self.config.allowed.iter().any(|name| names(class, name))
        })
    }
}

/// Says why there are no paths. A class that is missing must be there before anything can be said.
fn not_begun(vm: &Vm, finished: Finished, what: Needing) -> Failure {
    let Finished { state, end } = &finished;
    match (finished.thrown(), vm.reason(state, end)) {
        (Some((state, exception)), _) => {
            let place = vm.describe_trace(state, exception, 3).join(", ");
            let thrown = vm.describe_throwable(state, exception);
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

/// Initialises a class, or leaves that to the path that needs it.
fn initialise_if_possible(vm: &mut Vm, start: &mut State, class: &'static Class) {
    let before = start.fork();
    if vm.initialise_fully(start, class).is_err() {
        *start = before;
    }
}

/// The other classes of the user whose static fields the code of a class names, and which may hold objects that inputs refer to.
fn holders(program: &Program, class: &'static Class) -> Vec<&'static Class> {
    let codes = class.methods.iter().filter_map(|method| program.code(method).ok());
    let names: BTreeSet<&'static str> = codes.flat_map(|code| code.fields.iter().map(|site| site.class)).collect();
    let holds = |other: &&'static Class| {
        let is_reference = |field: &Field| field.is_static() && field.kind == Kind::Reference;
        other.is_users() && other.id != class.id && other.fields.iter().any(is_reference)
    };
    names.into_iter().filter_map(|name| program.load(name).ok()).filter(holds).collect()
}

/// Initialises the user's classes of which there may be objects at entry: theirs were initialised when these were made. Also those whose static fields their
/// code names: an input may be what these hold, and is decided before a path comes there.
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
        initialise_if_possible(vm, start, element);
        for holder in holders(&vm.program, element) {
            initialise_if_possible(vm, start, holder);
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
