//! Is there a valid input on which a method goes wrong, as one propositional problem?
//!
//! The method is executed on all valid inputs at once: what it writes are new versions of fields, what it makes are objects beside the
//! atoms, what it throws goes its own way. At each end the duties of the method are executed on the heap that is left. What the solver
//! is asked in the end is whether one of them can be false (Galeotti, Rosner, López Pombo and Frias, TACO, TSE 2013).
//!
//! Loops and calls are unrolled as long as the solver finds a valid input that gets there. Where that would not end, or the user said how far to go, the rest
//! is cut off, and remembered.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lazuli_logic::Limits;
use lazuli_logic::circuit::{Lit, Word};
use lazuli_logic::sat::Verdict;
use lazuli_spec::Argument;
use lazuli_vm::program::{Class, Method, Program, descriptor};
use lazuli_vm::reason::Untranslated;
use lazuli_vm::state::Initialisation;
use lazuli_vm::value::Kind;

use super::Refusal;
use super::afterwards::Duty;
use super::decode::{Decoded, Reading};
use super::meaning::{Meaning, Refs, Target};
use super::oracle::{Oracle, Scene, Task};
use super::rank::{Variable, Widths};
use super::translate::{Returned, Translator};
use super::universe::{narrow_number, number};
use super::way::{Heap, Way};

/// Calls of a method of the contract within itself.
const DEEPEST: usize = 200;

/// A contract may go round so many times for each object, and a few times more.
const ROUNDS_FOR_EACH: usize = 4;

/// A smaller input is looked for as long as it took to find the first one, or a little longer.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);

/// What is kept while a whole method is translated.
#[derive(Default)]
pub struct Whole {
    /// Rounds of each loop of the method, and calls of each method within itself.
    pub unroll: usize,
    /// Where that was not enough, and when.
    pub cuts: Vec<Cut>,
    /// What the solver proved impossible, so that it was left out.
    pub impossible: Vec<Impossible>,
    /// The calls that are being executed, outermost first.
    pub calls: Vec<&'static Method>,
    /// Objects with numbers from here on were made after the method had begun.
    pub first_fresh: u32,
    /// Is the contract being executed, and not the method?
    pub is_contract: bool,
    /// Are recursive duties executed call by call?
    pub is_call_by_call: bool,
    /// The duty that is being executed object by object, if one is.
    pub duty: Option<Duty>,
}

/// Something that would have gone on.
pub struct Cut {
    pub why: Why,
    /// `Class.method`, and the line.
    pub at: String,
    pub(super) when: Lit,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// A loop may go round more often.
    Loop,
    /// A method may call itself more often.
    Recursion,
    /// This is not translated.
    Untranslated(Untranslated),
}

/// Something that no valid input does, and the instruction at which that was found out.
pub struct Impossible {
    pub(super) when: Lit,
    pub(super) at: Option<(&'static Method, u32)>,
}

/// What is to be checked.
pub struct Problem<'a> {
    pub task: &'a Task<'a>,
    pub method: &'static Method,
    /// Must be true before the method, besides the invariants.
    pub requires: Vec<Condition>,
    /// Values from before the method.
    pub olds: Vec<&'static Method>,
    /// Must be true after a return, and after an exception that is allowed.
    pub returns: Vec<Condition>,
    pub throws: Vec<Condition>,
    pub is_allowed: &'a dyn Fn(&'static Class) -> bool,
    /// Rounds of each loop of the method, and calls of each method within itself.
    pub unroll: usize,
    pub rigour: Rigour,
}

/// How are the invariants translated? Usually on their own, into small circuits.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Rigour {
    /// Did such a circuit take something for valid that is not? Then they are executed as the method is, besides.
    pub is_doubted: bool,
    /// Must everything that a solver finds out on the way be part of the problem, so that nobody need believe it? Then they are only executed
    /// as the method is.
    pub is_audited: bool,
    /// Did a duty that was executed object by object seem broken where it is kept? Then duties are executed call by call.
    pub is_call_by_call: bool,
}

/// A method that must return true.
pub struct Condition {
    pub method: &'static Method,
    pub arguments: Vec<Argument>,
    /// Was it true at entry, so that it still is if nothing has changed?
    pub was_true: bool,
}

/// A problem that a solver can be asked.
pub struct Checked {
    pub(super) oracle: Oracle,
    pub(super) given: Vec<Meaning>,
    /// What goes wrong, each once.
    pub(super) wrong: Vec<Wrong>,
    pub cuts: Vec<Cut>,
    pub(super) impossible: Vec<Impossible>,
    /// Objects that the method makes at most.
    pub made: usize,
    /// Is there a valid input at all?
    pub has_input: bool,
}

/// One way to go wrong.
pub struct Wrong {
    pub what: Fault,
    pub(super) when: Lit,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// An exception of this class, thrown there.
    Threw(String, String),
    /// By its place among the conditions.
    Returns(usize),
    Throws(usize),
}

/// What the solver says.
pub enum Search {
    /// This input goes wrong in this way, by its place.
    Found(usize, Decoded),
    /// No input does, apart from those that were cut off.
    Nothing,
    OutOfTime,
}

impl Checked {
    /// Translates the problem.
    pub fn new(problem: &Problem) -> Result<Checked, Refusal> {
        let scene = scene(problem);
        let translated = |walks_in_order| match Checked::translate(problem, &scene, walks_in_order) {
            Err(Refusal::Unforeseen) => {
                Checked::translate(problem, &Scene { widths: None, ..scene.clone() }, walks_in_order)
            }
            other => other,
        };
        match translated(false) {
            Err(Refusal::Unordered) => translated(true),
            other => other,
        }
    }

    fn translate(problem: &Problem, scene: &Scene, walks_in_order: bool) -> Result<Checked, Refusal> {
        let Problem { task, method, rigour, .. } = *problem;
        let task = &Task { whole: Some(scene), ..*task };
        let on_their_own = if rigour.is_audited { &[][..] } else { task.invariants };
        let (mut oracle, mut left) = Oracle::of_inputs(&Task { invariants: on_their_own, ..*task })?;
        if (rigour.is_doubted || rigour.is_audited) && left.is_empty() {
            left = task.invariants.iter().map(|each| (each.method, oracle.roots[&each.root].clone())).collect();
        }
        let mut given = Vec::new();
        let is_made = method.name == "<init>";
        let receiver = (!method.is_static() && !is_made) as usize;
        let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
        for root in 0..types.len() + receiver {
            let bits = oracle.bits.get(&parameter(method, root)).copied();
            let bits = bits.filter(|width| task.bounds.int_bits.is_none_or(|most| width.bits <= most as usize));
            given.push(match (oracle.roots.get(&root), bits) {
                (Some(refs), _) => Meaning::Ref(refs.clone()),
                (None, Some(bits)) => {
                    narrow_number(&mut oracle.circuit, bits, Kind::of_descriptor(types[root - receiver]))
                }
                (None, None) => {
                    number(&mut oracle.circuit, Kind::of_descriptor(types[root - receiver]), task.bounds.int_bits)?
                }
            });
        }
        let Oracle { circuit, decider, universe, .. } = &mut oracle;
        let mut translator = Translator::new(circuit, decider, universe, task);
        let is_call_by_call = rigour.is_call_by_call || rigour.is_audited;
        translator.walks_in_order = walks_in_order;
        translator.whole = Some(Whole { is_contract: true, is_call_by_call, ..Whole::default() });
        for (invariant, object) in left {
            let objects: Refs = object.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
            let is_there = !super::meaning::is(&object, Target::Null);
            let valid = translator.evaluate(is_there, invariant, vec![Meaning::Ref(objects)], &Heap::default())?;
            let valid = translator.circuit.or(valid.holds, !is_there);
            translator.decider.assert(translator.circuit, valid);
        }
        let checked = translator.check(problem, &given)?;
        let Conclusion { wrong, has_input, made, given } = checked;
        let Whole { cuts, impossible, .. } = translator.whole.take().unwrap_or_default();
        Ok(Checked { oracle, given, wrong, cuts, impossible, made, has_input })
    }

    /// The declared types of which there are as many objects as the scope allows, and no more.
    pub fn bounded(&self) -> Vec<&'static Class> {
        self.oracle.bounded()
    }

    /// The declared types of references, and whether no class is known that an object of such a type could have.
    pub fn declared_types(&self, program: &Program) -> Vec<(&'static Class, bool)> {
        self.oracle.declared_types(program)
    }

    /// The types of inputs of which there are none longer than the bounds allow.
    pub fn measured(&self, program: &Program) -> Vec<&'static Class> {
        self.oracle.measured(program)
    }

    /// Looks for an input that goes wrong in a way that is not settled: a small one.
    pub fn search(&mut self, limits: &Limits) -> Search {
        let started = Instant::now();
        let all: Vec<Lit> = self.wrong.iter().map(|wrong| wrong.when).collect();
        let any = self.oracle.circuit.any(all);
        if any == Lit::FALSE {
            return Search::Nothing;
        }
        match self.oracle.decider.solve(&self.oracle.circuit, &[any], limits) {
            Verdict::Sat => {}
            Verdict::Unsat => return Search::Nothing,
            Verdict::Unknown => return Search::OutOfTime,
        }
        let is_true = |wrong: &Wrong, oracle: &mut Oracle| oracle.decider.value(&oracle.circuit, wrong.when);
        let Some(at) = self.wrong.iter().position(|wrong| is_true(wrong, &mut self.oracle)) else {
            return Search::OutOfTime;
        };
        let spent = started.elapsed().max(LEAST_PATIENCE);
        let deadline = limits.deadline.map(|end| end.min(Instant::now() + spent));
        let limits = Limits { deadline, time: spent, ..limits.clone() };
        Search::Found(at, self.shrunk(vec![self.wrong[at].when], &limits))
    }

    /// An input that was cut off there.
    pub fn cut_off(&mut self, cut: usize, limits: &Limits) -> Option<Decoded> {
        let Oracle { circuit, decider, .. } = &mut self.oracle;
        (decider.solve(circuit, &[self.cuts[cut].when], limits) == Verdict::Sat).then(|| self.decoded())
    }

    /// That way to go wrong is known.
    pub fn settle(&mut self, at: usize) -> Fault {
        self.wrong.remove(at).what
    }

    /// So are these, from an earlier translation.
    pub fn settle_all(&mut self, settled: &[Fault]) {
        self.wrong.retain(|wrong| !settled.contains(&wrong.what));
    }

    /// Leaves out objects, and then keeps numbers small, as long as the input of the last model goes wrong all the same.
    fn shrunk(&mut self, mut assumed: Vec<Lit>, limits: &Limits) -> Decoded {
        let mut best = self.decoded();
        for atom in (0..self.oracle.universe.atoms.len()).rev() {
            let exists = self.oracle.universe.atoms[atom].exists;
            if exists.as_constant().is_some() {
                continue;
            }
            assumed.push(!exists);
            if self.oracle.decider.solve(&self.oracle.circuit, &assumed, limits) != Verdict::Sat {
                assumed.pop();
                break;
            }
            best = self.decoded();
        }
        // An object of a class that is not on the class path can be shown to nobody.
        let Oracle { circuit, decider, universe, .. } = &mut self.oracle;
        let unknown = universe.parts.values().flatten().filter(|(class, _)| class.is_open()).map(|(_, when)| !*when);
        assumed.push(circuit.all(unknown.collect::<Vec<_>>()));
        match decider.solve(circuit, &assumed, limits) == Verdict::Sat {
            true => best = self.decoded(),
            false => drop(assumed.pop()),
        }
        let words: Vec<Word> = self.oracle.universe.others.values().chain(&self.given).filter_map(word).collect();
        for bits in [3, 4, 6, 8] {
            let Oracle { circuit, decider, .. } = &mut self.oracle;
            let mut small = Vec::new();
            for word in words.iter().filter(|word| word.len() > bits) {
                for bit in &word[bits..] {
                    small.push(circuit.equal(*bit, word[bits - 1]));
                }
            }
            assumed.push(circuit.all(small));
            if decider.solve(circuit, &assumed, limits) == Verdict::Sat {
                return self.decoded();
            }
            assumed.pop();
        }
        best
    }

    fn decoded(&mut self) -> Decoded {
        let Oracle { circuit, decider, universe, .. } = &mut self.oracle;
        Reading { circuit, decider, universe }.input(&self.given)
    }

    /// The size of the problem.
    pub fn gates(&self) -> usize {
        self.oracle.circuit.len()
    }

    pub fn take_calls(&mut self) -> u64 {
        self.oracle.take_calls()
    }
}

/// A parameter of the method, by its place among the roots.
fn parameter(method: &'static Method, root: usize) -> Variable {
    // The object that a constructor makes comes before them.
    let at = root + (method.name == "<init>") as usize;
    Variable::Local(method.id.index(), at as u32)
}

/// All that is executed, and what it hands on.
fn scene(problem: &Problem) -> Scene {
    let method = problem.method;
    let number = |method: &'static Method| method.id.index();
    let all = || problem.requires.iter().chain(&problem.returns).chain(&problem.throws);
    let invariants = problem.task.invariants.iter().map(|invariant| invariant.code());
    let methods = all().map(|condition| condition.method).chain(problem.olds.iter().copied()).chain(invariants);
    let mut joined = Vec::new();
    for condition in all() {
        for (at, argument) in condition.arguments.iter().enumerate() {
            let here = Variable::Local(number(condition.method), at as u32);
            match argument {
                Argument::Given(given) => joined.push((here, Variable::Local(number(method), *given as u32))),
                Argument::Outcome => joined.push((here, Variable::Returned(number(method)))),
                Argument::Old(old) => joined.push((here, Variable::Returned(number(problem.olds[*old])))),
                Argument::HasOld(_) => {}
            }
        }
    }
    for old in &problem.olds {
        let taken =
            (0..old.arguments).map(|at| (Variable::Local(number(old), at), Variable::Local(number(method), at)));
        joined.extend(taken);
    }
    let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
    let first = !method.is_static() as u32;
    let numbers = types
        .iter()
        .enumerate()
        .filter(|(_, declared)| matches!(Kind::of_descriptor(declared), Kind::Int | Kind::Long));
    let inputs = numbers.map(|(at, _)| Variable::Local(number(method), first + at as u32)).collect();
    let methods: Vec<&'static Method> = methods.chain([method]).collect();
    Scene { joined, inputs, widths: Widths::of(problem.task.program, &methods, true) }
}

fn word(meaning: &Meaning) -> Option<Word> {
    match meaning {
        Meaning::Word(word) => Some(word.clone()),
        _ => None,
    }
}

/// What came of a translation.
struct Conclusion {
    wrong: Vec<Wrong>,
    has_input: bool,
    made: usize,
    /// What the method got.
    given: Vec<Meaning>,
}

/// When a condition was true, and when it was false or threw.
pub struct Truth {
    pub holds: Lit,
    pub fails: Lit,
}

impl Translator<'_> {
    /// Executes what comes before the method, the method, and its duties.
    fn check(&mut self, problem: &Problem, given: &[Meaning]) -> Result<Conclusion, Refusal> {
        let start = Heap::default();
        for condition in &problem.requires {
            let arguments = arguments(condition, given, &Meaning::Nothing, &[]);
            let truth = self.evaluate(Lit::TRUE, condition.method, arguments, &start)?;
            self.decider.assert(self.circuit, truth.holds);
        }
        let has_input = self.is_possible_at_all()?;
        let mut heap = start;
        let mut olds = Vec::new();
        for old in &problem.olds {
            let taken = old.arguments as usize;
            let way = self.enter(Lit::TRUE, old, given[..taken].to_vec(), heap.clone())?;
            let (thrown, returned) = self.ends(way)?;
            let value = match self.merge_returned(returned) {
                Some(all) => {
                    heap = all.heap;
                    Some((all.guard, all.value.kept_as(old.result)))
                }
                None => None,
            };
            // What a value from before left behind where there is none is seen by nobody.
            drop(thrown);
            olds.push(value);
        }
        // Sets and queues that nobody can get at any more would only be in the way.
        heap = heap.without_collections(olds.iter().flatten().map(|(_, value)| value.clone()).collect());
        let mut given = given.to_vec();
        if problem.method.name == "<init>" {
            let class = problem.method.class();
            let made = self.new_object(class)?;
            let way = &mut self.enter(Lit::TRUE, problem.method, Vec::new(), heap.clone())?;
            given.insert(0, self.make(way, class, made));
            heap = std::mem::take(&mut way.heap);
        }
        let first_fresh = self.next_object;
        if let Some(whole) = &mut self.whole {
            (whole.is_contract, whole.unroll, whole.first_fresh) = (false, problem.unroll, first_fresh);
        }
        // Where values from before are not known, nothing can be said.
        let unknown: Vec<Lit> = self.whole.iter().flat_map(|whole| whole.cuts.iter().map(|cut| cut.when)).collect();
        let unknown = self.circuit.any(unknown);
        let way = self.enter(!unknown, problem.method, given.clone(), heap)?;
        let (thrown, returned) = self.ends(way)?;
        let made = (self.next_object - first_fresh) as usize;
        let returned = self.merge_returned(returned);
        if let Some(whole) = &mut self.whole {
            whole.is_contract = true;
        }
        let mut wrong = Vec::new();
        if let Some(end) = returned {
            let end = Returned { value: end.value.kept_as(problem.method.result), ..end };
            self.owed(&problem.returns, &given, (&end, end.guard), &olds, Fault::Returns, &mut wrong)?;
        }
        let mut by_site: BTreeMap<Fault, Vec<Lit>> = BTreeMap::new();
        let (mut allowed, mut all_thrown) = (Vec::new(), Vec::new());
        for end in thrown {
            let Meaning::Ref(refs) = end.value.clone() else { continue };
            for (target, when) in refs.iter() {
                for (class, which) in self.classes_in(&end.heap, *target)? {
                    let when = self.circuit.all([end.guard, *when, which]);
                    if (problem.is_allowed)(class) {
                        allowed.push(when);
                    } else {
                        by_site.entry(Fault::Threw(class.java_name(), self.site_of(*target))).or_default().push(when);
                    }
                }
            }
            all_thrown.push(end);
        }
        for (what, when) in by_site {
            wrong.push(Wrong { what, when: self.circuit.any(when) });
        }
        let guard = self.circuit.any(allowed);
        if let (Some(end), true) = (self.merge_returned(all_thrown), guard != Lit::FALSE) {
            self.owed(&problem.throws, &given, (&end, guard), &olds, Fault::Throws, &mut wrong)?;
        }
        wrong.retain(|wrong| wrong.when != Lit::FALSE);
        Ok(Conclusion { wrong, has_input, made, given: given.to_vec() })
    }

    /// Executes duties at an end.
    fn owed(
        &mut self,
        conditions: &[Condition],
        given: &[Meaning],
        (end, guard): (&Returned, Lit),
        olds: &[Option<(Lit, Meaning)>],
        fault: fn(usize) -> Fault,
        wrong: &mut Vec<Wrong>,
    ) -> Result<(), Refusal> {
        for (at, condition) in conditions.iter().enumerate() {
            if condition.was_true && end.heap.written.is_empty() {
                continue;
            }
            let arguments = arguments(condition, given, &end.value, olds);
            let truth = self.evaluate_duty(guard, condition.method, arguments, &end.heap)?;
            wrong.push(Wrong { what: fault(at), when: truth.fails });
        }
        Ok(())
    }

    pub fn evaluate(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<Meaning>,
        heap: &Heap,
    ) -> Result<Truth, Refusal> {
        let way = self.enter(guard, method, arguments, heap.clone())?;
        let (thrown, returned) = self.ends(way)?;
        let (mut holds, mut fails) = (Vec::new(), Vec::new());
        for end in returned {
            let Meaning::Word(word) = &end.value else { return Err(self.unsupported("a condition without a value")) };
            holds.push(self.circuit.and(end.guard, word[0]));
            fails.push(self.circuit.and(end.guard, !word[0]));
        }
        fails.extend(thrown.iter().map(|end| end.guard));
        Ok(Truth { holds: self.circuit.any(holds), fails: self.circuit.any(fails) })
    }

    /// Follows a method to its ends: with exceptions, and without.
    pub fn ends(&mut self, way: Way) -> Result<(Vec<Returned>, Vec<Returned>), Refusal> {
        if let Some(whole) = &mut self.whole {
            whole.calls.push(way.method);
        }
        let ends = self.run(way, None);
        if let Some(whole) = &mut self.whole {
            whole.calls.pop();
        }
        Ok(ends?.into_iter().partition(|end| end.is_thrown))
    }

    fn is_possible_at_all(&mut self) -> Result<bool, Refusal> {
        match self.decider.solve(self.circuit, &[], self.limits) {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown => Err(Refusal::OutOfTime),
        }
    }

    /// Calls a method in place, if an input gets there and it is not called too often within itself.
    pub fn call_whole(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
    ) -> Result<Option<Meaning>, Refusal> {
        if let Some(value) = self.call_contract(way, method, &arguments)? {
            return Ok(Some(value));
        }
        match (method.class().name, method.name) {
            ("java/lang/System", "arraycopy") => return self.copy(way, &arguments).map(|()| Some(Meaning::Nothing)),
            ("java/lang/Object", "clone") if let Some(Meaning::Ref(refs)) = arguments.first() => {
                return self.clone_of(way, refs).map(Some);
            }
            ("java/lang/Object", "getClass") if let Some(Meaning::Ref(refs)) = arguments.first() => {
                let mirrors = self.mirrors(way, refs)?;
                return Ok((way.guard != Lit::FALSE).then_some(mirrors));
            }
            _ => {}
        }
        if self.is_by_object(method) {
            return self.call_by_object(way, method, arguments);
        }
        if method.is_static() {
            self.check_initialised(method.class())?;
        }
        let calls =
            self.whole.as_ref().map_or(0, |whole| whole.calls.iter().filter(|caller| caller.id == method.id).count());
        let mut arguments = arguments;
        if calls > 0 {
            if !self.is_possible(way.guard)? {
                return Ok(None);
            }
            let of_method = self.whole.as_ref().filter(|whole| !whole.is_contract);
            let most = of_method.map_or(DEEPEST, |whole| whole.unroll);
            if calls > most {
                self.cut(way, Why::Recursion);
                return Ok(None);
            }
            for argument in &mut arguments {
                if let Meaning::Ref(refs) = argument {
                    *refs = self.narrow(way.guard, refs.clone())?;
                }
            }
        }
        if let Some(whole) = &mut self.whole {
            whole.calls.push(method);
        }
        let value = self.call(way, method, arguments);
        if let Some(whole) = &mut self.whole {
            whole.calls.pop();
        }
        let value = value?;
        Ok((way.guard != Lit::FALSE).then_some(value))
    }

    /// Refuses code that would run a static initialiser of the user's first.
    pub fn check_initialised(&self, class: &'static Class) -> Result<(), Refusal> {
        let is_late = |class: &&'static Class| {
            class.is_users() && !self.is_initialised(class) && class.own_method("<clinit>", "()V").is_some()
        };
        match class.chain().find(is_late).filter(|_| self.whole.is_some()) {
            Some(class) => Err(Refusal::Late(class.id.index() as u32)),
            None => Ok(()),
        }
    }

    pub fn is_initialised(&self, class: &'static Class) -> bool {
        self.statics.classes.slot(class.id).initialisation == Initialisation::Done
    }

    /// Has a loop gone round often enough? Then what is left is cut off.
    pub fn is_cut(&mut self, way: &Way) -> bool {
        let objects = self.universe.atoms.len() + way.heap.made.len();
        let of_method = self.whole.as_ref().filter(|whole| !whole.is_contract);
        let most = of_method.map_or(ROUNDS_FOR_EACH * (objects + 4), |whole| whole.unroll);
        let is_cut = way.visit.rounds() > most;
        if is_cut {
            self.cut(way, Why::Loop);
        }
        is_cut
    }

    /// What came of something on a way. Of a whole method, what is not translated is left out, and told, if some input gets there; then there is none. A duty that is executed object by
    /// object is executed call by call instead.
    pub fn unless_left_out<T>(&mut self, way: &Way, result: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
        let may_leave_out = self.whole.as_ref().is_some_and(|whole| whole.duty.is_none());
        match result {
            Err(Refusal::Late(_)) if may_leave_out && !self.is_possible(way.guard)? => Ok(None),
            Err(Refusal::Unsupported(what, _)) if may_leave_out => {
                if self.is_possible(way.guard)? {
                    self.cut(way, Why::Untranslated(what));
                }
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// The ways on which this is true are left out, if some input gets there; the others go on.
    pub fn leave_out(&mut self, way: &mut Way, when: Lit, what: &str) -> Result<(), Refusal> {
        let guard = self.circuit.and(way.guard, when);
        if guard == Lit::FALSE {
            return Ok(());
        }
        let refusal = Err::<(), _>(self.unsupported(what));
        self.unless_left_out(&Way { guard, ..way.clone() }, refusal)?;
        way.guard = self.circuit.and(way.guard, !when);
        Ok(())
    }

    fn cut(&mut self, way: &Way, why: Why) {
        // A loop is known by where it begins.
        let pc = if why == Why::Loop { way.order.starts[way.block as usize] } else { way.pc };
        let line = way.code.line(pc).map_or(String::new(), |line| format!(":{line}"));
        let file = way.method.class().source_file().unwrap_or(way.method.class().name);
        let at = format!("{}.{}({file}{line})", way.method.class().java_name(), way.method.name);
        if let Some(whole) = &mut self.whole {
            whole.cuts.push(Cut { why, at, when: way.guard });
        }
    }

    /// The classes that an exception may have, and when.
    fn classes_in(&mut self, heap: &Heap, target: Target) -> Result<Vec<(&'static Class, Lit)>, Refusal> {
        let class = match target {
            Target::Made(number) => heap.get(number).map(|made| made.class),
            Target::Atom(atom) => return Ok(self.universe.exact_parts(self.circuit, self.program, atom)),
            Target::Held(object) => Some(self.held_class(object)),
            _ => None,
        };
        let class = class.ok_or_else(|| self.unsupported("an exception of which nothing is known"))?;
        Ok(vec![(class, Lit::TRUE)])
    }

    /// Where an exception was made, for telling faults apart.
    fn site_of(&self, target: Target) -> String {
        match target {
            Target::Made(number) => self.sites.get(&number).cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }
}

fn arguments(
    condition: &Condition,
    given: &[Meaning],
    outcome: &Meaning,
    olds: &[Option<(Lit, Meaning)>],
) -> Vec<Meaning> {
    let one = |argument: &Argument| match argument {
        Argument::Given(at) => given[*at].clone(),
        Argument::Outcome => outcome.clone(),
        Argument::Old(at) => olds[*at].as_ref().map_or(Meaning::Nothing, |(_, value)| value.clone()),
        Argument::HasOld(at) => Meaning::truth(olds[*at].as_ref().map_or(Lit::FALSE, |(when, _)| *when)),
    };
    condition.arguments.iter().map(one).collect()
}
