//! What does a method do, over all inputs at once?
//!
//! The code is executed on meanings instead of values. Where a branch depends on the input, both ways are followed, each under its
//! guard, and where ways meet, they become one. A call is executed in place, a loop as often as the solver finds an input that
//! gets round once more. Recursive methods are not executed in place: see `activation`.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use lazuli_logic::Limits;
use lazuli_logic::circuit::{Circuit, Decider, Lit, Word};
use lazuli_logic::sat::Verdict;
use lazuli_vm::program::{LinkError, Method, MethodId, Program, StringId, UsedStatics};
use lazuli_vm::reason::{ClassFault, Untranslated};
use lazuli_vm::state::State;

use super::Refusal;
use super::activation::{Activation, Output, Promise};
use super::by_object::{Ranges, Turn, Visits};
use super::closure::{Closures, ends_by_itself};
use super::events::Events;
use super::flow::Order;
use super::meaning::{Meaning, Refs, Target, choose};
use super::once::{Failures, Ledger};
use super::oracle::Task;
use super::recursion::Recursion;
use super::rounds::Walkers;
use super::universe::Universe;
use super::way::{Body, Heap, Made, Place, Way};
use super::whole::{Impossible, Whole};

/// More gates than this are not worth the memory.
const MOST_GATES: usize = 8_000_000;

/// Rounds of a loop that are executed, besides two for each object.
const MOST_ROUNDS: usize = 64;

/// Calls in place that are nested deeper than this are not worth a circuit.
const DEEPEST: usize = 60;

/// How a way goes on after a block.
pub enum Next {
    /// To another block, by instruction.
    Jump(Way, u32),
    Return(Way, Meaning),
    /// Out of the method with an exception.
    Throw(Way, Meaning),
    /// The method takes the place of this one.
    Become(Way, &'static Method, Vec<Meaning>),
}

/// What a method returns, or throws, when, and what it leaves behind.
pub struct Returned {
    pub guard: Lit,
    pub value: Meaning,
    pub heap: Heap,
    pub is_thrown: bool,
}

pub struct Translator<'a> {
    pub circuit: &'a mut Circuit,
    pub decider: &'a mut Decider,
    pub universe: &'a mut Universe,
    pub program: &'a Program,
    /// A state in which the classes that the program uses are initialised.
    pub statics: &'a State,
    pub limits: &'a Limits,
    /// Is told how large the problem has become, and says whether everything must end now.
    watch: &'a dyn Fn(usize, u64) -> bool,
    /// The static fields that the code uses are noted here.
    pub used_statics: &'a UsedStatics,
    orders: HashMap<u32, Rc<Order>>,
    pub recursion: Recursion,
    /// Activations that wait to be executed, those first that were asked for first.
    pub waiting: VecDeque<Activation>,
    /// Those that wait for all others.
    pub last: VecDeque<Activation>,
    pub next_object: u32,
    /// The depth of the activation that is being executed.
    pub depth: usize,
    /// The promises that were given in it.
    pub given: Vec<Rc<Promise>>,
    /// The method that everything begins with; is it being executed, or one that it called?
    pub outermost: Option<MethodId>,
    pub is_outermost: bool,
    /// Are recursive methods executed by object, and what happens to sets kept without an order?
    pub by_object: bool,
    pub visits: Visits,
    pub walkers: Walkers,
    /// Does nobody care what numbers are computed, but whether they are equal? Then any numbers do.
    pub is_rough: bool,
    /// What executions do is written down here, if each of them is looked at alone.
    pub ledger: Option<Ledger>,
    /// What methods never return, if that is known.
    pub failures: Option<Failures>,
    /// Is it known that no method is called twice for the same object? Was it found out?
    pub comes_once: bool,
    pub found_once: bool,
    /// How many bits all numbers have, if those beyond are not told apart.
    pub near: Option<usize>,
    /// How many bits the numbers need that methods return, if that is known.
    pub ranges: Option<Ranges>,
    /// Is it worth a little time to know between which numbers they are?
    pub limits_answers: bool,
    /// Which call for which object is being executed, if one is.
    pub turn: Option<Turn>,
    /// Are all calls for objects known?
    pub stage: Lit,
    pub events: Vec<Events>,
    /// Calls in place that are being executed.
    pub nested: usize,
    /// Calls in place in which somebody would catch an exception.
    pub handlers: usize,
    /// Calls in place by somebody who goes through the objects of a set.
    pub rows: usize,
    /// Is what can be reached collected by code, so that objects come in the order in which they are found?
    pub walks_in_order: bool,
    pub closures: Closures,
    /// The method and the instruction that are being executed.
    pub at: Option<(&'static Method, u32)>,
    /// What is kept for a whole method; an invariant has none of it.
    pub whole: Option<Whole>,
    /// Where exceptions were made, by their numbers.
    pub sites: HashMap<u32, String>,
    /// What the instruction has thrown.
    pub pending: Vec<(Way, Refs)>,
    /// The lengths of arrays that were made, by their numbers, where they depend on the input.
    pub lengths: HashMap<u32, Word>,
    /// The numbers of the objects that constant texts are.
    pub literals: HashMap<StringId, u32>,
    /// No text that was put together is longer, nor any constant.
    pub longest_joined: u64,
}

impl<'a> Translator<'a> {
    pub fn new(
        circuit: &'a mut Circuit,
        decider: &'a mut Decider,
        universe: &'a mut Universe,
        task: &Task<'a>,
    ) -> Translator<'a> {
        let Task { program, path: statics, limits, watch, used_statics, .. } = *task;
        for axiom in std::mem::take(&mut universe.axioms) {
            decider.assert(circuit, axiom);
        }
        Translator {
            circuit,
            decider,
            universe,
            program,
            statics,
            limits,
            watch,
            used_statics,
            orders: HashMap::new(),
            recursion: Recursion::default(),
            waiting: VecDeque::new(),
            last: VecDeque::new(),
            next_object: 0,
            depth: 0,
            given: Vec::new(),
            outermost: None,
            is_outermost: false,
            by_object: false,
            visits: Visits::new(),
            walkers: Walkers::new(),
            is_rough: false,
            ledger: None,
            failures: None,
            comes_once: false,
            found_once: true,
            near: None,
            ranges: None,
            limits_answers: false,
            turn: None,
            stage: Lit::TRUE,
            events: Vec::new(),
            nested: 0,
            handlers: 0,
            rows: 0,
            walks_in_order: false,
            closures: Closures::default(),
            at: None,
            whole: None,
            sites: HashMap::new(),
            pending: Vec::new(),
            lengths: HashMap::new(),
            literals: HashMap::new(),
            longest_joined: u16::MAX as u64,
        }
    }

    /// From now on there are only inputs for which the invariant returns true for this receiver, if it is there, as far as activations
    /// down to some depth tell. Says whether deeper ones were left out.
    pub fn require(&mut self, method: &'static Method, receiver: &Refs, deepest: usize) -> Result<bool, Refusal> {
        self.outermost = (!self.recursion.is_recursive(self.program, method)).then_some(method.id);
        let is_there = !super::meaning::is(receiver, Target::Null);
        let objects: Refs = receiver.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
        let way = self.enter(is_there, method, vec![Meaning::Ref(objects)], Heap::default())?;
        self.waiting.push_back(Activation { way, output: Output::Required, depth: 0, turn: None });
        self.activate_all(deepest)
    }

    /// Begins a method.
    pub fn enter(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<Meaning>,
        heap: Heap,
    ) -> Result<Way, Refusal> {
        // One thread runs a whole method, and invariants have no locks.
        let waits = method.is_synchronized() && self.whole.is_none();
        if method.native.is_some() || method.watched.is_some() || waits || method.is_abstract() {
            return Err(self.unsupported(&format!("a call of {}", method.full_name())));
        }
        if self.universe.foreseen.as_ref().is_some_and(|foreseen| !foreseen.contains(&method.id.index())) {
            return Err(Refusal::Unforeseen);
        }
        let code = self.program.code(method).map_err(|error| self.unlinked(error))?;
        let order = self.orders.entry(method.id.index()).or_insert_with(|| Rc::new(Order::of(code))).clone();
        let mut registers = arguments;
        registers.resize(code.locals as usize, Meaning::Nothing);
        let visit = order.first();
        Ok(Way { guard, method, code, order, registers, heap, block: 0, visit, pc: 0 })
    }

    /// Executes a method in place: what it returns, and the heap that it leaves.
    pub fn call(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
    ) -> Result<Meaning, Refusal> {
        let is_covered = super::exceptions::is_covered(way) as usize;
        let is_unordered = self.is_unordered(way) as usize;
        self.handlers += is_covered;
        self.rows += is_unordered;
        let mut inner = self.enter(way.guard, method, arguments, way.heap.clone())?;
        let before = self.pending.len();
        let value = self.call_in_place(&mut inner)?;
        self.handlers -= is_covered;
        self.rows -= is_unordered;
        for (thrown, _) in &mut self.pending[before..] {
            // It is thrown by the call.
            let (guard, heap) = (thrown.guard, std::mem::take(&mut thrown.heap));
            *thrown = Way { guard, heap, ..way.clone() };
        }
        (way.guard, way.heap) = (inner.guard, inner.heap);
        Ok(value.unwrap_or(Meaning::Nothing))
    }

    /// Follows a way to the end of its method: the value that is returned. None if no input returns.
    pub fn call_in_place(&mut self, way: &mut Way) -> Result<Option<Meaning>, Refusal> {
        if self.nested == DEEPEST {
            return Err(Refusal::TooLarge);
        }
        let at = self.at;
        self.nested += 1;
        let cuts = self.cuts();
        let outer = std::mem::take(&mut self.pending);
        let ends = self.run(way.clone(), None);
        self.pending = outer;
        self.nested -= 1;
        self.at = at;
        let ends = ends?;
        let (thrown, returned): (Vec<Returned>, Vec<Returned>) = ends.into_iter().partition(|end| end.is_thrown);
        let is_all = thrown.is_empty() && self.cuts() == cuts;
        if let Some(Returned { guard, value: Meaning::Ref(refs), heap, .. }) = self.merge_returned(thrown) {
            self.pending.push((Way { guard, heap, ..way.clone() }, refs));
        }
        let Some(all) = self.merge_returned(returned) else {
            way.guard = Lit::FALSE;
            return Ok(None);
        };
        if !is_all {
            way.guard = all.guard;
        }
        way.heap = all.heap;
        Ok(Some(all.value.kept_as(way.method.result)))
    }

    /// Ways out of a method as one.
    pub fn merge_returned(&mut self, returned: Vec<Returned>) -> Option<Returned> {
        let mut returned = returned.into_iter();
        let mut all = returned.next()?;
        for mut other in returned {
            self.share_names(&all.heap, &mut other.heap, std::slice::from_mut(&mut other.value));
            all.value = choose(self.circuit, other.guard, &other.value, &all.value);
            all.heap = self.merge_heaps(other.guard, &other.heap, &all.heap);
            all.guard = self.circuit.or(all.guard, other.guard);
        }
        Some(all)
    }

    fn cuts(&self) -> usize {
        self.whole.as_ref().map_or(0, |whole| whole.cuts.len())
    }

    /// Follows a way to where the method returns. With an output, what a loop does later that waits for other activations is an
    /// activation of its own.
    pub fn run(&mut self, first: Way, output: Option<&Output>) -> Result<Vec<Returned>, Refusal> {
        let mut returned = Vec::new();
        let mut successors: BTreeMap<u32, (Way, Vec<Meaning>, &'static Method)> = BTreeMap::new();
        // Ways that begin another round of a loop, by the block that it begins with.
        let mut rounds: BTreeMap<u32, Way> = BTreeMap::new();
        let mut waiting: BTreeMap<Vec<u32>, Way> = BTreeMap::new();
        waiting.insert(first.visit.name().to_vec(), first);
        while let Some((_, way)) = waiting.pop_first() {
            self.look_at_limits()?;
            for next in self.block(way)? {
                let (mut way, target) = match next {
                    Next::Return(way, value) => {
                        returned.push(Returned { guard: way.guard, value, heap: way.heap, is_thrown: false });
                        continue;
                    }
                    Next::Throw(way, value) => {
                        returned.push(Returned { guard: way.guard, value, heap: way.heap, is_thrown: true });
                        continue;
                    }
                    Next::Become(way, method, arguments) => {
                        // Whoever else becomes the same method does so together with this way.
                        let all = match successors.remove(&method.id.index()) {
                            Some((other, others, _)) => {
                                let arguments = self.merge_all(way.guard, &arguments, &others);
                                (self.merge_ends(way, other), arguments, method)
                            }
                            None => (way, arguments, method),
                        };
                        successors.insert(method.id.index(), all);
                        continue;
                    }
                    Next::Jump(way, target) => (way, target),
                };
                if way.guard == Lit::FALSE {
                    continue;
                }
                let is_back = way.jump(target).ok_or_else(|| self.unsupported("a jump into the middle of a block"))?;
                let waits = is_back && self.recursion.waits(self.program, way.method, &way.order, way.block);
                if waits && self.walks(&way) {
                    let way = match rounds.remove(&way.block) {
                        Some(other) => self.merge(way, other),
                        None => way,
                    };
                    rounds.insert(way.block, way);
                    continue;
                }
                if let (true, Some(output)) = (waits, output) {
                    if let Some(ledger) = &mut self.ledger {
                        ledger.interrupted();
                    }
                    self.waiting.push_back(Activation {
                        way,
                        output: output.clone(),
                        depth: self.depth + 1,
                        turn: None,
                    });
                    continue;
                }
                if let (true, Some(output)) = (is_back && self.has_promises(), output) {
                    self.wait_for_all(way, output.clone());
                    continue;
                }
                if is_back && self.whole.is_some() && ends_by_itself(&way, target) {
                    // An invariant on its own is asked all the same: what cannot be makes the rest of it smaller.
                } else if is_back && self.whole.is_some() {
                    if !self.is_possible(way.guard)? || self.is_cut(&way) {
                        continue;
                    }
                    self.narrow_registers(&mut way)?;
                } else if is_back {
                    // A loop may be endless as long as nobody knows what a recursive method before it says of the heap.
                    if way.visit.rounds() > MOST_ROUNDS + 2 * self.universe.atoms.len() {
                        return Err(Refusal::TooLarge);
                    }
                    if !self.is_possible(way.guard)? {
                        continue;
                    }
                    self.narrow_registers(&mut way)?;
                }
                let name = way.visit.name().to_vec();
                let way = match waiting.remove(&name) {
                    Some(other) => self.merge(way, other),
                    None => way,
                };
                waiting.insert(name, way);
            }
        }
        for way in rounds.into_values() {
            returned.extend(self.next_round(way)?);
        }
        for (mut way, arguments, method) in successors.into_values() {
            if let Some(output) = output {
                let way = self.enter(way.guard, method, arguments, way.heap)?;
                self.waiting.push_back(Activation { way, output: output.clone(), depth: self.depth + 1, turn: None });
            } else {
                let value = self.promise(&mut way, method, arguments)?;
                returned.push(Returned { guard: way.guard, value, heap: way.heap, is_thrown: false });
            }
        }
        Ok(returned)
    }

    /// Executes the instructions of the block where a way is.
    fn block(&mut self, mut way: Way) -> Result<Vec<Next>, Refusal> {
        let code = way.code;
        let (start, end) = (way.order.starts[way.block as usize], way.order.end(way.block, code));
        let mut out = Vec::new();
        for pc in start..end {
            self.at = Some((way.method, pc));
            way.pc = pc;
            let executed = self.execute(code, pc, &mut way, &mut out);
            let goes_on = self.unless_left_out(&way, executed)?.unwrap_or(false);
            if !self.pending.is_empty() {
                self.catch_pending(&mut out)?;
            }
            if !goes_on || way.guard == Lit::FALSE {
                return Ok(out);
            }
        }
        out.push(Next::Jump(way, end));
        Ok(out)
    }

    /// Both ways on from a branch.
    pub fn split(&mut self, way: &Way, sides: [(u32, Lit, Learned); 2], out: &mut Vec<Next>) {
        for (target, condition, learned) in sides {
            let mut side = way.clone();
            side.guard = self.circuit.and(way.guard, condition);
            if side.guard == Lit::FALSE {
                continue;
            }
            if let Some((was, left)) = learned {
                refine(&mut side, &was, left);
            }
            out.push(Next::Jump(side, target));
        }
    }

    /// No valid input takes this way.
    pub fn forbid(&mut self, guard: Lit) {
        self.decider.assert(self.circuit, !guard);
    }

    pub fn merge(&mut self, one: Way, mut other: Way) -> Way {
        self.share_names(&one.heap, &mut other.heap, &mut other.registers);
        let registers = self.merge_all(one.guard, &one.registers, &other.registers);
        let heap = self.merge_heaps(one.guard, &one.heap, &other.heap);
        let guard = self.circuit.or(one.guard, other.guard);
        Way { guard, registers, heap, ..one }
    }

    /// The same for ways that have nothing in common any more but the heap.
    fn merge_ends(&mut self, one: Way, other: Way) -> Way {
        let heap = self.merge_heaps(one.guard, &one.heap, &other.heap);
        let guard = self.circuit.or(one.guard, other.guard);
        Way { guard, heap, ..one }
    }

    pub fn merge_heaps(&mut self, condition: Lit, one: &Heap, other: &Heap) -> Heap {
        let mut heap = one.clone();
        if !Rc::ptr_eq(&one.made, &other.made) {
            let all = Rc::make_mut(&mut heap.made);
            for (number, object) in other.made.iter() {
                match all.get(number) {
                    Some(same) if Rc::ptr_eq(same, object) => {}
                    Some(same) => {
                        let merged = self.merge_objects(condition, &same.clone(), object);
                        all.insert(*number, Rc::new(merged));
                    }
                    // Made on one way only, so that the other cannot refer to it.
                    None => {
                        all.insert(*number, object.clone());
                    }
                }
            }
        }
        if !Rc::ptr_eq(&one.written, &other.written) {
            let places: BTreeSet<Place> = one.written.keys().chain(other.written.keys()).copied().collect();
            let mut all = BTreeMap::new();
            for place in places {
                let mut side = |heap: &Heap| match heap.written.get(&place) {
                    Some(value) => value.clone(),
                    // Whoever wrote it found that it can be read.
                    None => self.at_entry(place).unwrap_or(Meaning::Nothing),
                };
                let (a, b) = (side(one), side(other));
                all.insert(place, choose(self.circuit, condition, &a, &b));
            }
            heap.written = Rc::new(all);
        }
        heap
    }

    fn merge_objects(&mut self, condition: Lit, one: &Made, other: &Made) -> Made {
        let body = match (&one.body, &other.body) {
            (Body::Fields(a), Body::Fields(b)) => Body::Fields(self.merge_all(condition, a, b)),
            (Body::Elements(a), Body::Elements(b)) => Body::Elements(self.merge_all(condition, a, b)),
            (Body::Set(a), Body::Set(b)) => Body::Set(a.merge(self.circuit, condition, b)),
            (Body::Events(a), Body::Events(b)) => Body::Events(a.merge(b)),
            (Body::List(a), Body::List(b)) => Body::List(a.merge(self.circuit, condition, b)),
            _ => unreachable!("an object keeps its form"),
        };
        Made { class: one.class, body }
    }

    pub fn merge_all(&mut self, condition: Lit, one: &[Meaning], other: &[Meaning]) -> Vec<Meaning> {
        one.iter().zip(other).map(|(a, b)| choose(self.circuit, condition, a, b)).collect()
    }

    pub fn narrow_registers(&mut self, way: &mut Way) -> Result<(), Refusal> {
        for at in 0..way.registers.len() {
            let Meaning::Ref(refs) = way.registers[at].clone() else { continue };
            let narrower = self.narrow(way.guard, refs.clone())?;
            if narrower.len() < refs.len() {
                way.replace(&refs, &narrower);
            }
        }
        Ok(())
    }

    /// Is there an input for which this is true?
    pub fn is_possible(&mut self, literal: Lit) -> Result<bool, Refusal> {
        match literal.as_constant() {
            Some(constant) => return Ok(constant),
            None if self.decider.was_true(self.circuit, literal) => return Ok(true),
            None => {}
        }
        let is_possible = self.ask(literal)?;
        if let (false, Some(whole)) = (is_possible, &mut self.whole) {
            whole.impossible.push(Impossible { when: literal, at: self.at });
        }
        Ok(is_possible)
    }

    /// Does the solver find within some time that no input makes this true?
    pub fn is_impossible_within(&mut self, literal: Lit, time: Duration) -> Result<bool, Refusal> {
        if literal.as_constant() == Some(true) || self.decider.was_true(self.circuit, literal) {
            return Ok(false);
        }
        let limits = Limits { time: time.min(self.limits.time), ..self.limits.clone() };
        let verdict = self.decider.solve(self.circuit, &[literal], &limits);
        if self.limits.left().is_zero() {
            return Err(Refusal::OutOfTime);
        }
        Ok(verdict == Verdict::Unsat)
    }

    fn ask(&mut self, literal: Lit) -> Result<bool, Refusal> {
        if self.circuit.len() > MOST_GATES {
            return Err(Refusal::TooLarge);
        }
        self.look_at_limits()?;
        match self.decider.solve(self.circuit, &[literal], self.limits) {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown => Err(Refusal::OutOfTime),
        }
    }

    fn look_at_limits(&self) -> Result<(), Refusal> {
        let must_end = (self.watch)(self.circuit.len(), self.decider.statistics.calls);
        if must_end || self.limits.left().is_zero() { Err(Refusal::OutOfTime) } else { Ok(()) }
    }

    /// Drops what a reference cannot be under the guard.
    pub fn narrow(&mut self, guard: Lit, refs: Refs) -> Result<Refs, Refusal> {
        if refs.len() < 2 || (self.by_object && (!self.is_outermost || self.turn.is_some())) {
            return Ok(refs);
        }
        let mut doubtful: Vec<(usize, Lit)> = Vec::new();
        for (at, (_, when)) in refs.iter().enumerate() {
            doubtful.push((at, self.circuit.and(guard, *when)));
        }
        self.keep_impossible(&mut doubtful)?;
        if doubtful.is_empty() {
            return Ok(refs);
        }
        let is_left = |at: &usize| doubtful.iter().all(|(other, _)| other != at);
        let left: Vec<(Target, Lit)> = (0..refs.len()).filter(is_left).map(|at| refs[at]).collect();
        Ok(only(left))
    }

    /// Leaves only those that cannot be true.
    pub fn keep_impossible<T>(&mut self, doubtful: &mut Vec<(T, Lit)>) -> Result<(), Refusal> {
        loop {
            doubtful.retain(|(_, literal)| !self.decider.was_true(self.circuit, *literal));
            let any = self.circuit.any(doubtful.iter().map(|(_, literal)| *literal));
            if any == Lit::FALSE {
                return Ok(());
            }
            if !self.ask(any)? {
                if let Some(whole) = &mut self.whole {
                    whole.impossible.push(Impossible { when: any, at: self.at });
                }
                return Ok(());
            }
        }
    }

    pub fn make(&mut self, way: &mut Way, class: &'static lazuli_vm::program::Class, body: Body) -> Meaning {
        let number = self.next_object;
        self.next_object += 1;
        if self.whole.is_some() && class.is_subtype_of(self.program.known().throwable) {
            self.sites.insert(number, self.told_place());
        }
        way.heap.set(number, Made { class, body });
        Meaning::one(Target::Made(number))
    }

    pub fn unsupported(&self, what: &str) -> Refusal {
        Refusal::Unsupported(what.into(), self.at.map(|at| told_place(self.program, at)))
    }

    /// Of a class or a member that cannot be used.
    pub fn unlinked(&self, error: impl Into<LinkError>) -> Refusal {
        let fault = ClassFault::of_link(self.program, &error.into());
        Refusal::Unsupported(Untranslated::Class(Box::new(fault)), self.at.map(|at| told_place(self.program, at)))
    }

    /// The method and the line that are being executed.
    fn told_place(&self) -> String {
        self.at.map(|at| told_place(self.program, at)).unwrap_or_default()
    }
}

/// The method and the line of an instruction.
pub fn told_place(program: &Program, (method, pc): (&'static Method, u32)) -> String {
    let line = program.code(method).ok().and_then(|code| code.line(pc));
    format!("{}.{}, line {}", method.class().java_name(), method.name, line.unwrap_or(0))
}

/// What a way learns about a reference: the value, and what is left of it.
pub type Learned = Option<(Refs, Vec<(Target, Lit)>)>;

/// On this way a reference is known better.
pub fn refine(way: &mut Way, was: &Refs, left: Vec<(Target, Lit)>) -> Refs {
    let is = only(left);
    way.replace(was, &is);
    is
}

/// What is left of a reference. If it is one thing, then it is that wherever it means anything.
fn only(left: Vec<(Target, Lit)>) -> Refs {
    match left[..] {
        [(target, _)] => Rc::new([(target, Lit::TRUE)]),
        _ => left.into(),
    }
}
