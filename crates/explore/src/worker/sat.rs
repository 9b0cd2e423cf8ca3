//! Is the method right, as one propositional problem?
//!
//! The method and its contract are handed to `lazuli-heapsat`, and what the solver finds is tried by the interpreter: an input that goes wrong
//! takes one path, which is reported as any other path would be.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use lazuli_heapsat::{
    Certificate, DecodedInput, DecodedValue, Encoding, InvariantEncoding, MethodCircuit, MethodCondition, NamedClauses,
    OracleTask, PieceTree, PostEncoding, Problem, Refusal, SearchOutcome, TruncationCause, Vocabulary,
};
use lazuli_logic::sat::SatVerdict;
use lazuli_spec::{Argument, CompletionKind, Obligation};
use lazuli_vm::heap::{Body, Sparse};
use lazuli_vm::host::{Host, Silent};
use lazuli_vm::outcome::{Answer, End, Limit, Question, Stop};
use lazuli_vm::program::{Class, Field, Method, Op, Program};
use lazuli_vm::reason::{Reason, Resource, Untranslated};
use lazuli_vm::symbols::{Entry, Input, Root};
use lazuli_vm::universe::{Restriction, obeys_arguments};
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::path::{Finished, Path};
use crate::report::summary::Summary;
use crate::report::{Assumption, FindingKind, ProblemFigures};
use crate::technique;
use crate::worker::meaning::Meaning;
use crate::worker::{Continuation, Worker, example};
use crate::{Config, Failure, Progress};

/// Calls nest deeply while a method is translated.
const STACK: usize = 512 << 20;

/// Only the deadline of the whole check counts.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The interval between two looks at the memory.
const INTERVAL: Duration = Duration::from_millis(50);

/// Loops that go round more often than this are cut off in any case.
const MOST_ROUNDS: usize = 1000;

/// The result of trying an input.
#[derive(PartialEq)]
enum Trial {
    /// It goes wrong.
    Wrong,
    /// It is not valid.
    Refused,
    /// It does not go wrong.
    Right,
    /// It was cut off.
    Unfinished,
    /// It ended in a way of which nothing can be said: its example needs a class that is not there, say.
    Undecided,
}

/// Checks a method.
pub(crate) fn run(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Summary, Failure> {
    checking(program, method, config, progress, |mut worker, is_full| {
        if let Err(refusal) = worker.prepared(|worker, inputs| worker.try_whole(inputs, is_full)) {
            let why = worker.refused(refusal, is_full);
            worker.summary.not_explored(why, method.full_name(), 1);
        }
        match worker.lost_exchange.take() {
            Some(error) => Err(Failure::Cluster(error)),
            None => Ok(worker.finish()),
        }
    })
}

/// Proves that a method is right of which a check said so. If that fails, the sentence says why.
pub(crate) fn prove(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Certificate, Failure> {
    checking(program, method, config, progress, |mut worker, is_full| worker.prove_whole(is_full))
}

/// The problem as clauses, whether or not they contradict each other.
pub(crate) fn clauses(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<NamedClauses, Failure> {
    checking(program, method, config, progress, |mut worker, is_full| {
        let made = worker.prepared(|worker, inputs| {
            let mut certified = match worker.certified(inputs) {
                // Other solvers are told of inputs that go on, as of those that go wrong.
                Err(Refusal::TooLarge) => worker.translated(inputs, worker.first_unroll(), Encoding::certified())?,
                other => other?,
            };
            Ok(certified.clauses(&worker.vocabulary(&worker.vm.program, inputs)))
        });
        made.map_err(|refusal| Failure::Unproved(worker.refused(refusal, is_full)))
    })
}

/// The problem as a tree of pieces.
pub(crate) fn pieces(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<PieceTree, Failure> {
    checking(program, method, config, progress, |mut worker, is_full| {
        let tree = worker.prepared(|worker, inputs| {
            let unroll = worker.first_unroll();
            let mut checked = worker.translated(inputs, unroll, Encoding::default())?;
            Ok(checked.pieces(worker.config.sat.pieces.split, &worker.limits_of_whole()))
        });
        tree.map_err(|refusal| Failure::Unproved(worker.refused(refusal, is_full)))
    })
}

/// Has a worker do it on a thread with a large stack, and looks at the memory meanwhile: when it is full, the worker is stopped, and finds that flag set.
fn checking<T: Send>(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    work: impl FnOnce(Worker, &AtomicBool) -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    // Inputs that the solver found are followed as they are.
    let config = config.clone().with(|config| {
        config.technique = technique::PLAIN.into();
        config.sat.pieces.workers = config.limits.jobs;
        config.limits.jobs = 1;
    });
    let is_full = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (ended, is_ended) = mpsc::channel::<()>();
        let (config, is_full) = (&config, &is_full);
        let work = move || {
            // It is dropped however the work ends.
            let _ended = ended;
            work(Worker::boot(program, method, config, progress)?, is_full)
        };
        let builder = std::thread::Builder::new().name("checker".to_string()).stack_size(STACK);
        let checker = builder
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::Host(format!("no thread can be started: {error}")))?;
        while let Err(mpsc::RecvTimeoutError::Timeout) = is_ended.recv_timeout(INTERVAL) {
            if config.limits.memory.is_some_and(|most| Silent::default().resident_bytes() > most) {
                is_full.store(true, Ordering::Relaxed);
                progress.stop.store(true, Ordering::Relaxed);
            }
        }
        checker.join().unwrap_or_else(|panic| Err(Failure::bug(&*panic)))
    })
}

impl Worker<'_> {
    /// TruncationCause there is no answer from the problem.
    fn refused(&self, refusal: Refusal, is_full: &AtomicBool) -> Reason {
        match refusal {
            Refusal::Unsupported(Untranslated::Class(fault), _) => Reason::Class(fault),
            Refusal::Unsupported(what, at) => Reason::Untranslated { what, at },
            Refusal::TooLarge => Reason::ProblemTooLarge,
            Refusal::OutOfTime if is_full.load(Ordering::Relaxed) || self.progress.is_stopped_for_memory() => {
                Reason::ProblemCut(Resource::Memory)
            }
            Refusal::OutOfTime if self.progress.stop.load(Ordering::Relaxed) => Reason::ProblemCut(Resource::Stopped),
            Refusal::OutOfTime => Reason::ProblemCut(Resource::Time),
            Refusal::Late(_) | Refusal::Unforeseen | Refusal::Unordered => Reason::Unforeseen,
        }
    }

    fn prove_whole(&mut self, is_full: &AtomicBool) -> Result<Certificate, Failure> {
        let made = self.prepared(|worker, inputs| worker.try_to_prove(inputs, is_full));
        made.map_err(|refusal| Failure::Unproved(self.refused(refusal, is_full)))?
    }

    /// The certificate, or why there is none.
    fn try_to_prove(&mut self, inputs: &Path, is_full: &AtomicBool) -> Result<Result<Certificate, Failure>, Refusal> {
        let mut checked = self.certified(inputs)?;
        let words = self.vocabulary(&self.vm.program, inputs);
        let limits = self.limits_of_whole();
        Ok(checked.certificate(&words, &limits).map_err(|verdict| match verdict {
            SatVerdict::Unknown if limits.left().is_zero() => {
                Failure::Unproved(self.refused(Refusal::OutOfTime, is_full))
            }
            SatVerdict::Unknown => Failure::Host("it became too large: lower --scope".to_string()),
            _ => Failure::Host(
                "the problem that was to be proved has a solution: a bug in Lazuli, please report it".to_string(),
            ),
        }))
    }

    /// The names of the parts of the problem.
    fn vocabulary<'a>(&self, program: &'a Program, inputs: &Path) -> Vocabulary<'a> {
        let (_, returns, throws) = self.conditions();
        let methods =
            |conditions: Vec<MethodCondition>| conditions.into_iter().map(|condition| condition.method).collect();
        Vocabulary {
            program,
            given: inputs.symbols.roots.iter().map(|root| root.name.to_string()).collect(),
            returns: methods(returns),
            throws: methods(throws),
        }
    }

    /// The problem, with all that solvers found out on the way as a part of it, unrolled until no input goes on or there is no point in more.
    fn certified(&mut self, inputs: &Path) -> Result<MethodCircuit, Refusal> {
        let mut unroll = self.first_unroll();
        loop {
            let checked = self.translated(inputs, unroll, Encoding::certified())?;
            if !goes_on(&checked) || self.config.sat.unroll.is_some() || unroll >= MOST_ROUNDS {
                return Ok(checked);
            }
            unroll *= 4;
        }
    }

    /// Most loops go round once for each object, if at all.
    fn first_unroll(&self) -> usize {
        self.config.sat.unroll.unwrap_or(2 * self.bounds.scope + 2)
    }

    /// Does something with the inputs. A class that it needs is initialised before the method. The method cannot observe the
    /// difference, because static fields that the initialiser does not set may hold anything in any case, unless the initialiser runs
    /// code that writes elsewhere.
    fn prepared<T>(&mut self, mut work: impl FnMut(&mut Self, &Path) -> Result<T, Refusal>) -> Result<T, Refusal> {
        loop {
            let inputs = self.inputs().map_err(|_| Refusal::unsupported("a receiver without a class"))?;
            let class = match work(self, &inputs) {
                Err(Refusal::Late(class)) => self.vm.program.class_at(class as usize),
                other => return other,
            };
            let before = self.start.fork();
            let why = match self.vm.initialise_fully(&mut self.start, class) {
                Ok(()) if self.start.classes.is_usable(class) => {
                    if acts_elsewhere(&self.vm.program, class) {
                        let class = class.java_name();
                        self.vm.assumptions.insert(Assumption::InitialisedBefore { class });
                    }
                    continue;
                }
                Err(Stop::End(End::Unsupported { what, .. })) => Some(*what),
                _ => None,
            };
            let what = match why {
                Some(Reason::Class(fault)) => Untranslated::Class(fault),
                _ => format!("the static initialiser of {}", class.java_name()).into(),
            };
            self.start = before;
            return Err(Refusal::Unsupported(what, None));
        }
    }

    fn try_whole(&mut self, inputs: &Path, is_full: &AtomicBool) -> Result<(), Refusal> {
        self.summary.problem = Some(ProblemFigures::default());
        let mut unroll = self.first_unroll();
        let mut checked = self.solve(inputs, unroll)?;
        while goes_on(&checked)
            && self.config.sat.unroll.is_none()
            && !self.summary.has_defect()
            && unroll < MOST_ROUNDS
        {
            let figures = self.summary.problem;
            match self.solve(inputs, 4 * unroll) {
                Ok(further) => (checked, unroll) = (further, 4 * unroll),
                Err(late @ Refusal::Late(_)) => return Err(late),
                // Facts that were found before are still true.
                Err(refusal) => {
                    self.summary.problem = figures;
                    if refusal != Refusal::TooLarge {
                        let why = self.refused(refusal, is_full);
                        self.summary.not_explored(why, self.method.full_name(), 1);
                    }
                    break;
                }
            }
        }
        self.try_recursions(inputs, &mut checked);
        let cuts: BTreeSet<(String, TruncationCause)> =
            checked.cuts.iter().map(|cut| (cut.at.clone(), cut.why.clone())).collect();
        for (at, why) in cuts {
            let why = match why {
                TruncationCause::Loop => Reason::LoopGoesOn(unroll),
                TruncationCause::Recursion => Reason::RecursionGoesOn(unroll),
                TruncationCause::Untranslated(what) => self.refused(Refusal::Unsupported(what, None), is_full),
            };
            self.summary.not_explored(why, at, 1);
        }
        for class in checked.bounded() {
            self.summary.restricted(&Restriction::scope(&self.bounds, class));
            if let Some(world) = self.bounds.world.restriction(&self.vm.program, class) {
                self.summary.restricted(&world);
            }
        }
        for (class, is_void) in checked.declared_types(&self.vm.program) {
            if is_void {
                let why = Reason::NoObject { class: class.java_name() };
                self.summary.not_explored(why, self.method.full_name(), 1);
            } else if let Some(world) = self.bounds.world.restriction(&self.vm.program, class) {
                self.summary.restricted(&world);
            }
        }
        self.note_receiver(inputs);
        let program = &self.vm.program;
        for class in checked.measured(program) {
            let possible = program.possible_classes(class, self.bounds.world);
            if !class.is_open() && possible.is_some_and(|possible| possible.is_open()) {
                self.summary.restricted(&Restriction::ExactArrays);
            }
            if let Some(bound) = Restriction::length(program, &self.bounds, program.known().object, class) {
                self.summary.restricted(&bound);
            }
        }
        Ok(())
    }

    /// A method that calls itself often may do so until the stack is full: then it is wrong, however often it was followed.
    fn try_recursions(&mut self, inputs: &Path, checked: &mut MethodCircuit) {
        let mut tried = BTreeSet::new();
        for at in 0..checked.cuts.len() {
            let cut = &checked.cuts[at];
            if cut.why == TruncationCause::Recursion
                && tried.insert(cut.at.clone())
                && let Some(decoded) = checked.cut_off(at, &self.limits_of_whole())
            {
                self.try_input(inputs, &decoded);
            }
        }
    }

    /// Asks the solver until it finds nothing more.
    fn solve(&mut self, inputs: &Path, unroll: usize) -> Result<MethodCircuit, Refusal> {
        let mut encoding = Encoding::default();
        let mut checked = self.translated(inputs, unroll, encoding)?;
        self.summary.has_input |= checked.has_input;
        let mut settled = Vec::new();
        let mut ledger = None;
        loop {
            let before = encoding;
            let found = self.search(&mut checked, &mut ledger)?;
            self.summary.sat_calls += checked.take_calls();
            match found {
                SearchOutcome::Nothing => return Ok(checked),
                SearchOutcome::OutOfTime => return Err(Refusal::OutOfTime),
                SearchOutcome::Found(at, decoded) => {
                    let trial = self.try_input(inputs, &decoded);
                    match trial {
                        Trial::Wrong if self.may_be_defect_elsewhere(&mut checked, at) => {}
                        Trial::Wrong | Trial::Undecided => settled.push(checked.settle(at)),
                        Trial::Unfinished => return Err(Refusal::OutOfTime),
                        // The circuit of an invariant may take too much for valid: now the invariant itself is asked.
                        Trial::Refused if encoding.invariants == InvariantEncoding::Standalone => {
                            encoding.invariants = InvariantEncoding::Both;
                        }
                        // Execution per object may call an obligation broken that is not: now every call is executed.
                        Trial::Right if encoding.posts == PostEncoding::PerObject => {
                            encoding.posts = PostEncoding::InPlace
                        }
                        Trial::Refused | Trial::Right => {
                            self.summary.not_explored(Reason::NotWrong, self.method.full_name(), 1);
                            settled.push(checked.settle(at));
                        }
                    }
                    if encoding != before {
                        checked = self.translated(inputs, unroll, encoding)?;
                        checked.settle_all(&settled);
                        ledger = None;
                    }
                }
            }
        }
    }

    /// The solver tells violations apart by their place, and one place may reject one input and be reached by a mistake on another. Has the solver
    /// look for the others, or says that they were not looked at.
    fn may_be_defect_elsewhere(&mut self, checked: &mut MethodCircuit, at: usize) -> bool {
        match self.last_meaning.take() {
            Some(Meaning { kind: FindingKind::NullArgument, null_argument: Some(argument), .. }) => {
                checked.rule_out_null(at, argument as usize)
            }
            Some(Meaning {
                kind: FindingKind::Rejection | FindingKind::NullArgument, is_everywhere: false, ..
            }) => {
                self.summary.not_explored(Reason::OtherMeanings, self.method.full_name(), 1);
                false
            }
            _ => false,
        }
    }

    pub(super) fn limits_of_whole(&self) -> lazuli_logic::SolverLimits {
        let stop = Some(self.progress.stop.clone());
        lazuli_logic::SolverLimits { time: FOREVER, deadline: self.config.limits.deadline, stop }
    }

    fn translated(&mut self, inputs: &Path, unroll: usize, encoding: Encoding) -> Result<MethodCircuit, Refusal> {
        let (requires, returns, throws) = self.conditions();
        let limits = self.limits_of_whole();
        let Progress { problem: progress, .. } = self.progress;
        progress.unroll.store(unroll, Ordering::Relaxed);
        progress.is_translated.store(false, Ordering::Relaxed);
        let watch = |gates, questions| {
            progress.gates.store(gates, Ordering::Relaxed);
            progress.questions.store(questions, Ordering::Relaxed);
            self.is_out_of_time()
        };
        let task = OracleTask {
            program: &self.vm.program,
            bounds: &self.bounds,
            invariants: &self.contract.invariants,
            path: inputs,
            limits: &limits,
            watch: &watch,
            used_statics: &self.vm.used_statics,
            patience: FOREVER,
            economy: self.config.sat.economy,
            code: None,
        };
        let specification = self.contract.specification.as_ref();
        let checked = MethodCircuit::new(&Problem {
            task: &task,
            method: self.method,
            requires,
            olds: specification.map_or(Vec::new(), |specification| specification.olds.clone()),
            returns,
            throws,
            is_allowed: &|class| self.is_allowed(class, false),
            unroll,
            encoding,
        });
        progress.is_translated.store(checked.is_ok(), Ordering::Relaxed);
        let (gates, made) = match &checked {
            Ok(checked) => (checked.gates(), checked.made),
            Err(_) => {
                self.summary.sat_calls += progress.questions.load(Ordering::Relaxed);
                (progress.gates.load(Ordering::Relaxed), 0)
            }
        };
        self.summary.problem = Some(ProblemFigures { gates, unroll, made, is_translated: checked.is_ok() });
        checked
    }

    /// The conditions before the method, after it returned, and after it threw what it may.
    fn conditions(&self) -> (Vec<MethodCondition>, Vec<MethodCondition>, Vec<MethodCondition>) {
        let (method, program) = (self.method, &self.vm.program);
        let is_made = method.name == "<init>";
        // The object that a constructor makes is not there before it.
        let before: Vec<Argument> = (0..method.arguments as usize - is_made as usize).map(Argument::Given).collect();
        let requires = self.contract.pre.iter().map(|pre| MethodCondition {
            method: pre.method,
            arguments: match is_made {
                true => before.iter().copied().take(pre.method.arguments as usize).collect(),
                false => pre.arguments(method, &before),
            },
            was_true: false,
        });
        let requires = requires.collect();
        let owed = |exit| {
            let owed = self.contract.obligations(program, method, &self.config.contract, exit).into_iter();
            let condition = |owed: Obligation| MethodCondition {
                method: owed.method,
                arguments: owed.arguments,
                was_true: owed.was_true,
            };
            owed.map(condition).collect()
        };
        let (returns, throws) = (owed(CompletionKind::Return), owed(CompletionKind::Throw));
        (requires, returns, throws)
    }

    /// Runs an input that was found, from its invariants to its duties.
    fn try_input(&mut self, inputs: &Path, decoded: &DecodedInput) -> Trial {
        if !is_well_typed(decoded, inputs) {
            let what = "an array of an input whose elements are of a narrower type than its place says";
            self.summary.not_explored(Reason::Unmodelled(what.to_string()), self.method.full_name(), 1);
            return Trial::Undecided;
        }
        let (before, left_out) = (self.summary.faults(), self.summary.left_out());
        self.last_meaning = None;
        let mut path = self.placed(inputs, decoded);
        let declared = |(at, root): (usize, &Root)| match root.holder {
            Some(place) => {
                let (owner, field) = example::static_field(&self.vm, &path, place)?;
                self.vm.program.generic_of(owner, field)
            }
            None => match inputs.symbols.roots.get(at)?.value {
                Value::Unknown(id) => inputs.symbols.unknown(id).generic.clone(),
                _ => None,
            },
        };
        let roots =
            path.symbols.roots.iter().enumerate().map(|root| (root.1.value, declared(root))).collect::<Vec<_>>();
        if !obeys_arguments(&self.vm.program, &path, roots) {
            let what =
                "type arguments: an input was found that does not hold what they say, and no other was asked for";
            self.summary.not_explored(Reason::Unmodelled(what.to_string()), self.method.full_name(), 1);
            return Trial::Undecided;
        }
        let mut stage = match self.begin_stage(&mut path) {
            Ok(()) => Continuation::GoesOn(path),
            Err(stop) => self.next_stage(Finished::at_entry(path, stop)),
        };
        loop {
            let mut path = match stage {
                Continuation::GoesOn(path) => path,
                Continuation::Dropped => return Trial::Refused,
                Continuation::Over(finished) => {
                    self.path_ended(finished, Vec::new());
                    break;
                }
            };
            stage = match self.advance(&mut path) {
                // Nothing depends on what is asked here, or it would be known.
                Stop::Ask(question) => {
                    let Some(answer) = self.any_answer(&path, &question) else { return Trial::Right };
                    self.apply(&mut path, &question, &answer, false);
                    Continuation::GoesOn(path)
                }
                Stop::End(End::Limit(Limit::Memory | Limit::Time | Limit::Stopped)) => return Trial::Unfinished,
                Stop::End(end) => self.next_stage(Finished { path, end }),
            }
        }
        match self.summary.faults() > before {
            true => Trial::Wrong,
            false if self.summary.left_out() > left_out => Trial::Undecided,
            // A model is run once more before it is reported, which may have been cut off too.
            false if self.is_out_of_time() => Trial::Unfinished,
            false => Trial::Right,
        }
    }

    fn any_answer(&mut self, path: &Path, question: &Question) -> Option<Answer> {
        let children = self.children(path, question);
        children.into_iter().next().map(|child| child.answer)
    }

    /// The path at entry with an input that is known.
    fn placed(&mut self, inputs: &Path, decoded: &DecodedInput) -> Path {
        let mut path = inputs.fork();
        let mut objects: Vec<Option<ObjId>> = vec![None; decoded.objects.len()];
        let mut names: Vec<(Rc<str>, u32)> = vec![("?".into(), 0); decoded.objects.len()];
        // The receiver is there already.
        for (root, datum) in inputs.symbols.roots.iter().zip(&decoded.roots) {
            if let (Value::Ref(Some(receiver)), DecodedValue::Object(at)) = (root.value, datum) {
                objects[*at] = Some(receiver);
                path.heap.narrow(receiver, decoded.objects[*at].class);
            }
        }
        for (root, datum) in inputs.symbols.roots.iter().zip(&decoded.roots).rev() {
            if let DecodedValue::Object(at) = datum {
                names[*at] = (root.name.clone(), 0);
            }
        }
        for ((class, slot), datum) in &decoded.statics {
            if let DecodedValue::Object(at) = datum
                && &*names[*at].0 == "?"
            {
                let class = self.vm.program.class_at(*class as usize);
                let is_it = |field: &&Field| field.is_static() && self.vm.program.slot_of(field) == *slot;
                let field = class.fields.iter().find(is_it).map_or("?", |field| field.name);
                names[*at] = (format!("{}.{field}", self.vm.program.short_name(class)).into(), 0);
            }
        }
        for (at, object) in decoded.objects.iter().enumerate() {
            for (slot, datum) in &object.fields {
                if let DecodedValue::Object(other) = datum
                    && *other > at
                    && &*names[*other].0 == "?"
                {
                    let field = object.class.label_at(*slot).or_else(|| object.counted.label_at(*slot));
                    let name = match object.length {
                        Some(_) => format!("{}[{slot}]", names[at].0),
                        None => format!("{}.{}", names[at].0, field.as_deref().unwrap_or("?")),
                    };
                    names[*other] = (name.into(), names[at].1 + 1);
                }
            }
        }
        for (at, object) in decoded.objects.iter().enumerate() {
            if objects[at].is_some() {
                continue;
            }
            let (body, entry) = match object.length {
                Some(length) if object.is_text => {
                    let mut characters = vec![b'a' as i32; length as usize];
                    for (at, datum) in &object.fields {
                        if let DecodedValue::Number(number) = datum {
                            characters[*at as usize] = *number as i32;
                        }
                    }
                    let touched = (0..).map(Value::Int).zip(characters.into_iter().map(Value::Int)).collect();
                    let sparse = Sparse { length: Value::Int(length as i32), touched, others: Value::Int(0) };
                    (Body::Sparse(Rc::new(sparse)), Entry::Elements(Rc::default()))
                }
                Some(length) => {
                    let sparse =
                        Sparse { length: Value::Int(length as i32), touched: Vec::new(), others: Value::Unread };
                    (Body::Sparse(Rc::new(sparse)), Entry::Elements(Rc::default()))
                }
                None => {
                    let fields: Rc<[Value]> = std::iter::repeat_n(Value::Unread, object.class.defaults.len()).collect();
                    (Body::Fields(fields.clone()), Entry::Fields(fields))
                }
            };
            let new = path.heap.insert(object.class, body);
            objects[at] = Some(new);
            if object.is_text {
                continue;
            }
            let (name, depth) = names[at].clone();
            let input = Input { object: new, name, depth, counted: object.counted, generic: None, entry };
            Rc::make_mut(&mut path.symbols.inputs).push(input);
        }
        let value = |datum: &DecodedValue, kind: Kind| match datum {
            DecodedValue::Null => Value::NULL,
            DecodedValue::Object(at) => objects[*at].map_or(Value::NULL, Value::from),
            DecodedValue::Number(number) => match kind {
                Kind::Long => Value::Long(*number),
                Kind::Float => Value::Float(f32::from_bits(*number as u32)),
                Kind::Double => Value::Double(f64::from_bits(*number as u64)),
                _ => Value::Int(*number as i32),
            },
            DecodedValue::Concrete(object) => Value::from(ObjId::from_index(*object as usize)),
            DecodedValue::Something => Value::Unread,
        };
        for (object, known) in objects.iter().zip(&decoded.objects) {
            let Some(object) = object else { continue };
            if known.is_text {
                continue;
            }
            if known.length.is_some() {
                let kind = known.class.component_kind().unwrap_or(Kind::Reference);
                let elements = known.fields.iter().map(|(at, datum)| (Value::Int(*at as i32), value(datum, kind)));
                let elements: Vec<(Value, Value)> = elements.filter(|(_, value)| *value != Value::Unread).collect();
                if let Body::Sparse(sparse) = path.heap.body_mut(*object) {
                    Rc::make_mut(sparse).touched = elements.clone();
                }
                if let Some(input) = path.symbols.input_mut(*object) {
                    input.entry = Entry::Elements(Rc::new(elements));
                }
                continue;
            }
            for (slot, datum) in &known.fields {
                let kind =
                    known.class.field_at(*slot).or_else(|| known.counted.field_at(*slot)).map(|field| field.kind);
                let value = value(datum, kind.unwrap_or(Kind::Int));
                if value != Value::Unread {
                    path.set_entry(lazuli_vm::outcome::Place { object: *object, slot: *slot }, value);
                }
            }
        }
        for ((class, slot), datum) in &decoded.statics {
            let program = &self.vm.program;
            let Some(class) = program.users().iter().find(|each| each.id.index() as u32 == *class) else { continue };
            let field = class.fields.iter().find(|field| field.is_static() && program.slot_of(field) == *slot);
            let (Some(mirror), Some(field)) = (path.classes.slot(class.id).mirror, field) else { continue };
            let value = value(datum, field.kind);
            path.heap.set_field(mirror, *slot as usize, value);
            let name = format!("{}.{}", self.vm.program.short_name(class), field.name);
            path.add_root(&name, value, Some((mirror, *slot)));
        }
        let parameters = inputs.symbols.roots.len();
        for (at, datum) in decoded.roots.iter().enumerate().take(parameters) {
            let kind = match inputs.symbols.roots[at].value {
                Value::Term(_, lazuli_logic::Sort::Long) => Kind::Long,
                Value::Term(_, lazuli_logic::Sort::Float) => Kind::Float,
                Value::Term(_, lazuli_logic::Sort::Double) => Kind::Double,
                _ => Kind::Int,
            };
            let value = value(datum, kind);
            if value != Value::Unread {
                Rc::make_mut(&mut path.symbols.roots)[at].value = value;
            }
        }
        path
    }
}

/// Would more rounds tell more?
fn goes_on(checked: &MethodCircuit) -> bool {
    checked.cuts.iter().any(|cut| matches!(cut.why, TruncationCause::Loop | TruncationCause::Recursion))
}

/// Does each array hold only what its type takes? The circuit decides the class of an array apart from those of its elements.
fn is_well_typed(decoded: &DecodedInput, inputs: &Path) -> bool {
    decoded.objects.iter().all(|array| {
        let Some(component) = array.class.component().filter(|component| component.kind() == Kind::Reference) else {
            return true;
        };
        array.fields.iter().all(|(_, held)| match held {
            DecodedValue::Object(at) => decoded.objects[*at].class.is_subtype_of(component),
            DecodedValue::Concrete(number) => {
                inputs.heap.class(ObjId::from_index(*number as usize)).is_subtype_of(component)
            }
            _ => true,
        })
    })
}

/// May the static initialiser of a class write static fields of other classes, or run methods that do?
fn acts_elsewhere(program: &Program, class: &'static Class) -> bool {
    let code = class.own_method("<clinit>", "()V").and_then(|initialiser| program.code(initialiser).ok());
    let is_other = |name: &str| name != class.name && program.load(name).is_ok_and(Class::is_users);
    let is_called = |name: &str| program.load(name).is_ok_and(Class::is_users);
    code.is_some_and(|code| {
        code.ops.iter().any(|op| match op {
            Op::PutStatic(at) => is_other(code.fields[*at as usize].class),
            Op::InvokeStatic(at) | Op::InvokeVirtual(at) | Op::InvokeInterface(at) | Op::InvokeSpecial(at) => {
                is_called(code.calls[*at as usize].class)
            }
            _ => false,
        })
    })
}
