//! What does an invariant answer, over all inputs at once?
//!
//! The code is executed on meanings instead of values. Where a branch depends on the input, both ways are followed, each under its
//! guard, and where ways meet, they become one. Calls are executed in place; loops and recursions go on as long as the
//! solver finds an input that gets there. A way that can only end with false is forbidden at once: no valid input takes it,
//! so that the others need not carry its negation along.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use lazuli_logic::Limits;
use lazuli_logic::circuit::{Circuit, Decider, Lit};
use lazuli_logic::sat::Verdict;

use super::Refusal;
use super::flow::Order;
use super::meaning::{Meaning, Refs, Target, choose};
use super::universe::{Known, Universe};
use super::way::{Body, Frame, Heap, Made, Refined, Way};
use crate::program::{Method, Op, Program};
use crate::state::State;
use crate::value::Kind;

/// Deeper recursions than this are not worth a circuit.
const DEEPEST: usize = 400;

/// More gates than this are not worth the memory.
const MOST_GATES: usize = 8_000_000;

/// Instructions after which a way that has not ended is not taken for one that ends soon.
const LOOKAHEAD: usize = 400;

/// How a way goes on after a block.
pub enum Next {
    /// To another block of the same method, by instruction.
    Jump(Way, u32),
    Return(Way, Meaning),
    /// Where it is.
    Stay(Way),
    /// Into a method, with these arguments; the result is pushed, or returned at once.
    Call {
        way: Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
        is_last: bool,
    },
}

/// Ways that wait, by where they are.
type Waiting = BTreeMap<Vec<u32>, Way>;

pub struct Translator<'a> {
    pub circuit: &'a mut Circuit,
    pub decider: &'a mut Decider,
    pub universe: Universe<'a>,
    pub program: &'a Program,
    /// A state in which the classes that the program uses are initialised.
    pub statics: &'a State,
    pub limits: &'a Limits,
    /// Must everything end now?
    stop: &'a dyn Fn() -> bool,
    orders: HashMap<u32, Rc<Order>>,
    /// Where the invariant returned something else than false: when, and what.
    results: Vec<(Lit, Meaning)>,
    /// The places that references were read from, by the address of their values, which are kept.
    origins: HashMap<usize, (u32, u32)>,
    kept: Vec<Refs>,
    pub next_object: u32,
    /// How many atoms there were when the universe was last tightened.
    tightened: usize,
    /// The method and the instruction that are being executed.
    at: Option<(&'static Method, u32)>,
}

impl<'a> Translator<'a> {
    pub fn new(
        circuit: &'a mut Circuit,
        decider: &'a mut Decider,
        universe: Universe<'a>,
        program: &'a Program,
        statics: &'a State,
        limits: &'a Limits,
        stop: &'a dyn Fn() -> bool,
    ) -> Translator<'a> {
        Translator {
            circuit,
            decider,
            universe,
            program,
            statics,
            limits,
            stop,
            orders: HashMap::new(),
            results: Vec::new(),
            origins: HashMap::new(),
            kept: Vec::new(),
            next_object: 0,
            tightened: 0,
            at: None,
        }
    }

    /// From now on there are only inputs for which the invariant returns true for this receiver, if it is there.
    pub fn require(&mut self, method: &'static Method, receiver: &Refs) -> Result<(), Refusal> {
        self.tell();
        let is_there = !super::meaning::is(receiver, Target::Null);
        let objects: Refs = receiver.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
        // What an invariant before this one came upon has its name from there.
        let met =
            self.universe.known.live().map(|atom| (atom, self.universe.known.atoms[atom as usize].exists)).collect();
        let way = Way { guard: is_there, met: Rc::new(met), ..Way::default() };
        let first = self.enter(way, method, vec![Meaning::Ref(objects)], false)?;
        let mut waiting = Waiting::new();
        if let Some(first) = first {
            self.wait(&mut waiting, first);
        }
        self.drive(waiting)?;
        let mut holds = !is_there;
        for (guard, value) in std::mem::take(&mut self.results) {
            let Meaning::Word(word) = value else { return Err(self.unsupported("an invariant without an answer")) };
            let is_true = self.circuit.any(word.iter().copied());
            let is_true = self.circuit.and(guard, is_true);
            holds = self.circuit.or(holds, is_true);
        }
        self.decider.assert(self.circuit, holds);
        Ok(())
    }

    /// Follows ways until all have ended, or lost patience with staying apart; those are returned.
    fn drive(&mut self, mut waiting: Waiting) -> Result<Vec<Way>, Refusal> {
        let mut survivors = Vec::new();
        while let Some((_, mut way)) = waiting.pop_first() {
            if self.limits.left().is_zero() {
                return Err(Refusal::OutOfTime);
            }
            if way.is_apart && self.reads_something_new(&mut way) {
                way.is_apart = false;
                if self.is_possible(way.guard)? {
                    survivors.push(way);
                }
                continue;
            }
            for next in self.block(way)? {
                let Some(mut way) = self.follow(next)? else { continue };
                if way.patience == 0 {
                    way.tag = 0;
                }
                if way.is_apart && way.patience == 0 {
                    way.is_apart = false;
                    if self.is_possible(way.guard)? {
                        survivors.push(way);
                    }
                } else {
                    self.wait(&mut waiting, way);
                }
            }
        }
        Ok(survivors)
    }

    /// Is a place read next that nobody has read before?
    fn reads_something_new(&self, way: &mut Way) -> bool {
        let top = way.top();
        let Op::GetField(site) = top.code.ops[top.order.starts[top.block as usize] as usize].first() else {
            return false;
        };
        let (Ok(field), Some(Meaning::Ref(refs))) =
            (self.program.resolve_field(&top.code.fields[site as usize], false), top.registers.last())
        else {
            return false;
        };
        refs.iter().any(|(target, _)| match target {
            Target::Atom(atom) => {
                field.kind == Kind::Reference && !self.universe.known.places.contains_key(&(*atom, field.slot))
            }
            _ => false,
        })
    }

    /// Where a way is after a step. None if it ended.
    fn follow(&mut self, next: Next) -> Result<Option<Way>, Refusal> {
        match next {
            Next::Jump(way, _) if way.guard == Lit::FALSE => Ok(None),
            Next::Jump(mut way, target) => {
                let is_back = way.jump(target).ok_or_else(|| self.unsupported("a jump into the middle of a block"))?;
                if is_back {
                    if !self.is_possible(way.guard)? {
                        return Ok(None);
                    }
                    self.narrow_registers(&mut way)?;
                }
                Ok(Some(way))
            }
            Next::Return(mut way, value) => {
                if way.leave(value.clone()) {
                    return Ok(Some(way));
                }
                if is_zero(&value) {
                    self.forbid(way.guard);
                } else {
                    self.results.push((way.guard, value));
                }
                Ok(None)
            }
            Next::Stay(way) => Ok(Some(way)),
            Next::Call { way, method, arguments, is_last } => self.enter(way, method, arguments, is_last),
        }
    }

    /// Begins a method of the user. None if no input gets there.
    fn enter(
        &mut self,
        mut way: Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
        is_last: bool,
    ) -> Result<Option<Way>, Refusal> {
        if !method.class().is_users() || method.native.is_some() || method.is_synchronized() || method.is_abstract() {
            return Err(self.unsupported(&format!("a call of {}", method.full_name())));
        }
        let is_recursive = way.frames.iter().any(|frame| frame.method.id == method.id);
        if is_recursive && !self.is_possible(way.guard)? {
            return Ok(None);
        }
        if way.frames.len() >= DEEPEST {
            return Err(Refusal::TooLarge);
        }
        let code = self.program.code(method).map_err(|error| Refusal::Unsupported(error.to_string()))?;
        let order = self.orders.entry(method.id.index()).or_insert_with(|| Rc::new(Order::of(code))).clone();
        let mut registers = arguments;
        registers.resize(code.locals as usize, Meaning::Nothing);
        let visit = order.first();
        let is_last = is_last && way.frames.pop().is_some();
        way.frames.push(Rc::new(Frame { method, code, order, registers, block: 0, visit, pc: 0, is_last }));
        if is_recursive && !way.is_apart {
            self.narrow_registers(&mut way)?;
        }
        Ok(Some(way))
    }

    /// Puts a way where it waits; with one that is there already it becomes one.
    fn wait(&mut self, waiting: &mut Waiting, way: Way) {
        let key = way.key();
        let way = match waiting.remove(&key) {
            Some(other) => self.merge(way, other),
            None => way,
        };
        waiting.insert(key, way);
    }

    /// Executes the instructions of the block where a way is.
    fn block(&mut self, mut way: Way) -> Result<Vec<Next>, Refusal> {
        let Some(frame) = way.frames.last() else { return Ok(Vec::new()) };
        let (method, code) = (frame.method, frame.code);
        let (start, end) = (frame.order.starts[frame.block as usize], frame.order.end(frame.block, code));
        for pc in start..end {
            self.at = Some((method, pc));
            way.top().pc = pc;
            let mut out = Vec::new();
            if !self.execute(code, pc, &mut way, &mut out)? {
                return Ok(out);
            }
            if way.guard == Lit::FALSE {
                return Ok(Vec::new());
            }
        }
        Ok(vec![Next::Jump(way, end)])
    }

    /// Both ways on from a branch. One that can only end with false is forbidden, and the other is the only one.
    pub fn split(&mut self, way: &Way, sides: [(u32, Lit, Learned); 2], out: &mut Vec<Next>) {
        let mut ways: Vec<(Way, u32, Lit)> = Vec::new();
        for (target, condition, learned) in sides {
            let mut side = way.clone();
            side.guard = self.circuit.and(way.guard, condition);
            if side.guard == Lit::FALSE {
                continue;
            }
            if let Some((was, left)) = learned {
                self.refine(&mut side, &was, left);
            }
            if condition.as_constant().is_none() {
                side.patience = side.patience.saturating_sub(1);
            }
            ways.push((side, target, condition));
        }
        let is_doomed: Vec<bool> = ways.iter().map(|(side, target, _)| self.only_fails(side, *target)).collect();
        for (at, (mut side, target, _)) in ways.into_iter().enumerate() {
            if is_doomed[at] {
                self.forbid(side.guard);
                continue;
            }
            if is_doomed.iter().any(|is_doomed| *is_doomed) {
                side.guard = way.guard;
            }
            out.push(Next::Jump(side, target));
        }
    }

    /// Follows a way on which something is likely to be wrong, apart from the others. Those of its ways that live on go with the
    /// rest; if there is none, no valid input takes it.
    pub fn probe(&mut self, mut way: Way, tag: u32, target: u32, out: &mut Vec<Next>) -> Result<bool, Refusal> {
        let guard = way.guard;
        way.is_apart = true;
        way.tag = tag;
        way.patience = PATIENCE;
        let results = self.results.len();
        let mut waiting = Waiting::new();
        if let Some(way) = self.follow(Next::Jump(way, target))? {
            self.wait(&mut waiting, way);
        }
        let survivors = self.drive(waiting)?;
        if survivors.is_empty() && self.results.len() == results {
            self.forbid(guard);
            return Ok(false);
        }
        out.extend(survivors.into_iter().map(Next::Stay));
        Ok(true)
    }

    /// No valid input takes this way.
    pub fn forbid(&mut self, guard: Lit) {
        self.decider.assert(self.circuit, !guard);
    }

    /// Does a way do nothing from here but return, until the invariant answers false?
    fn only_fails(&mut self, way: &Way, target: u32) -> bool {
        let mut way = way.clone();
        if way.jump(target).is_none() {
            return false;
        }
        let mut pc = target;
        for _ in 0..LOOKAHEAD {
            let Some(frame) = way.frames.last() else { return false };
            let code = frame.code;
            let op = code.ops[pc as usize].first();
            match op {
                Op::ReturnValue => {
                    let Some(value) = way.top().registers.pop() else { return false };
                    if !way.leave(value.clone()) {
                        return is_zero(&value);
                    }
                    let Some(frame) = way.frames.last() else { return false };
                    pc = frame.order.starts[frame.block as usize];
                    continue;
                }
                Op::Goto(target) => pc = target,
                Op::Int(_) | Op::Null | Op::Load(_) | Op::Store(_) | Op::Pop | Op::Dup | Op::Nop => {
                    let mut out = Vec::new();
                    if self.execute(code, pc, &mut way, &mut out).is_err() {
                        return false;
                    }
                    pc += 1;
                }
                op => match self.branch(&mut way, op) {
                    Ok(Some((target, Lit::TRUE, _))) => pc = target,
                    Ok(Some((_, Lit::FALSE, _))) => pc += 1,
                    _ => return false,
                },
            }
        }
        false
    }

    pub fn merge(&mut self, one: Way, other: Way) -> Way {
        let mut frames = Vec::with_capacity(one.frames.len());
        for (a, b) in one.frames.iter().zip(&other.frames) {
            if Rc::ptr_eq(a, b) {
                frames.push(a.clone());
                continue;
            }
            let registers = self.merge_all(one.guard, &a.registers, &b.registers);
            frames.push(Rc::new(Frame { registers, ..(**a).clone() }));
        }
        let heap = self.merge_heaps(one.guard, &one.heap, &other.heap);
        let refined = self.common(&one.refined, &other.refined);
        let met = self.merge_met(one.guard, &one.met, &other.met);
        let guard = self.circuit.or(one.guard, other.guard);
        Way {
            guard,
            frames,
            heap,
            refined,
            met,
            is_apart: one.is_apart,
            tag: one.tag,
            patience: one.patience.min(other.patience),
        }
    }

    fn merge_heaps(&mut self, condition: Lit, one: &Heap, other: &Heap) -> Heap {
        if Rc::ptr_eq(one, other) {
            return one.clone();
        }
        let mut all = (**one).clone();
        for (number, object) in other.iter() {
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
        Rc::new(all)
    }

    fn merge_objects(&mut self, condition: Lit, one: &Made, other: &Made) -> Made {
        let body = match (&one.body, &other.body) {
            (Body::Fields(a), Body::Fields(b)) => Body::Fields(self.merge_all(condition, a, b)),
            (Body::Elements(a), Body::Elements(b)) => Body::Elements(self.merge_all(condition, a, b)),
            (Body::Set(a), Body::Set(b)) => Body::Set(a.merge(self.circuit, condition, b)),
            (Body::List(a), Body::List(b)) => Body::List(a.merge(self.circuit, condition, b)),
            _ => unreachable!("an object keeps its form"),
        };
        Made { class: one.class, body }
    }

    fn merge_all(&mut self, condition: Lit, one: &[Meaning], other: &[Meaning]) -> Vec<Meaning> {
        one.iter().zip(other).map(|(a, b)| choose(self.circuit, condition, a, b)).collect()
    }

    fn merge_met(
        &mut self,
        condition: Lit,
        one: &Rc<BTreeMap<u32, Lit>>,
        other: &Rc<BTreeMap<u32, Lit>>,
    ) -> Rc<BTreeMap<u32, Lit>> {
        if Rc::ptr_eq(one, other) {
            return one.clone();
        }
        let atoms: BTreeSet<u32> = one.keys().chain(other.keys()).copied().collect();
        let when = |met: &BTreeMap<u32, Lit>, atom| met.get(&atom).copied().unwrap_or(Lit::FALSE);
        let merged =
            atoms.into_iter().map(|atom| (atom, self.circuit.if_else(condition, when(one, atom), when(other, atom))));
        Rc::new(merged.collect())
    }

    /// What holds on both ways. What one knows about an object holds on the other, too, if there is no such object.
    fn common(&self, one: &Refined, other: &Refined) -> Refined {
        if Rc::ptr_eq(one, other) {
            return one.clone();
        }
        let mut both = BTreeMap::new();
        for (here, there) in [(one, other), (other, one)] {
            for (place, refs) in here.iter() {
                let holds = match there.get(place) {
                    Some(known) => known == refs,
                    None => is_absent(&self.universe.known, place.0, there),
                };
                if holds {
                    both.insert(*place, refs.clone());
                }
            }
        }
        Rc::new(both)
    }

    /// What a place of an object of the input holds, as far as a way knows. It is read when the literal is true.
    pub fn look(
        &mut self,
        way: &mut Way,
        (atom, slot): (u32, u32),
        (kind, descriptor): (Kind, &str),
        when: Lit,
    ) -> Result<Meaning, Refusal> {
        if let Some(refs) = way.refined.get(&(atom, slot)) {
            return Ok(Meaning::Ref(refs.clone()));
        }
        if self.universe.known.atoms.len() > self.tightened + self.tightened / 4 + 8 {
            self.drop_names()?;
        }
        let met = way.met.clone();
        let may_exist = |known: &Known, other: u32| met.contains_key(&other) && !is_absent(known, other, &way.refined);
        let guard = self.circuit.and(way.guard, when);
        let meaning = self.universe.read(self.circuit, (atom, slot), (kind, descriptor), guard, &may_exist)?;
        let Meaning::Ref(refs) = &meaning else { return Ok(meaning) };
        let born = self.universe.known.places.get(&(atom, slot)).and_then(|place| place.born);
        let mut left = Vec::with_capacity(refs.len());
        for (target, is_it) in refs.iter() {
            match target {
                Target::Atom(other) if Some(*other) != born => {
                    let Some(is_met) = met.get(other) else { continue };
                    if is_absent(&self.universe.known, *other, &way.refined) {
                        continue;
                    }
                    let both = self.circuit.and(guard, *is_it);
                    let axiom = self.circuit.implies(both, *is_met);
                    self.universe.known.axioms.push(axiom);
                    left.push((*target, *is_it));
                }
                _ => left.push((*target, *is_it)),
            }
        }
        if let Some(born) = born {
            let before = met.get(&born).copied().unwrap_or(Lit::FALSE);
            let is_met = self.circuit.or(before, when);
            Rc::make_mut(&mut way.met).insert(born, is_met);
        }
        let refs: Refs = if left.len() == refs.len() { refs.clone() } else { left.into() };
        self.remember((atom, slot), &refs);
        Ok(Meaning::Ref(refs))
    }

    /// Notes where a value was read.
    fn remember(&mut self, place: (u32, u32), refs: &Refs) {
        if self.origins.insert(refs.as_ptr() as usize, place).is_none() {
            self.kept.push(refs.clone());
        }
    }

    /// On this way a reference is known better.
    pub fn refine(&mut self, way: &mut Way, was: &Refs, left: Vec<(Target, Lit)>) -> Refs {
        let is: Refs = match left[..] {
            // Where the guard holds, it is nothing else.
            [(target, _)] => Rc::new([(target, Lit::TRUE)]),
            _ => left.into(),
        };
        way.replace(was, &is);
        if let Some(place) = self.origins.get(&(was.as_ptr() as usize)).copied() {
            self.remember(place, &is);
            Rc::make_mut(&mut way.refined).insert(place, is.clone());
        }
        is
    }

    fn narrow_registers(&mut self, way: &mut Way) -> Result<(), Refusal> {
        for at in 0..way.top().registers.len() {
            let Meaning::Ref(refs) = way.top().registers[at].clone() else { continue };
            let narrower = self.narrow(way.guard, refs.clone())?;
            if narrower.len() < refs.len() {
                self.refine(way, &refs, narrower.to_vec());
            }
        }
        Ok(())
    }

    /// Tells the solver what is new about the input.
    pub fn tell(&mut self) {
        for axiom in std::mem::take(&mut self.universe.known.axioms) {
            self.decider.assert(self.circuit, axiom);
        }
    }

    /// Is there an input for which this is true?
    pub fn is_possible(&mut self, literal: Lit) -> Result<bool, Refusal> {
        match literal.as_constant() {
            Some(constant) => return Ok(constant),
            None if self.decider.was_true(self.circuit, literal) => return Ok(true),
            None => {}
        }
        self.ask(literal)
    }

    fn ask(&mut self, literal: Lit) -> Result<bool, Refusal> {
        if self.circuit.len() > MOST_GATES {
            return Err(Refusal::TooLarge);
        }
        if self.limits.left().is_zero() || (self.stop)() {
            return Err(Refusal::OutOfTime);
        }
        match self.decider.solve(self.circuit, &[literal], self.limits) {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown => Err(Refusal::OutOfTime),
        }
    }

    /// Drops what a reference cannot be under the guard.
    pub fn narrow(&mut self, guard: Lit, refs: Refs) -> Result<Refs, Refusal> {
        if refs.len() < 2 {
            return Ok(refs);
        }
        let under: Vec<Lit> = refs.iter().map(|(_, when)| self.circuit.and(guard, *when)).collect();
        let mut doubtful: Vec<usize> = (0..refs.len()).collect();
        loop {
            doubtful.retain(|at| !self.decider.was_true(self.circuit, under[*at]));
            if doubtful.is_empty() {
                return Ok(refs);
            }
            let any = self.circuit.any(doubtful.iter().map(|at| under[*at]));
            if any == Lit::FALSE || !self.ask(any)? {
                break;
            }
        }
        let left: Vec<(Target, Lit)> = (0..refs.len()).filter(|at| !doubtful.contains(at)).map(|at| refs[at]).collect();
        Ok(match left[..] {
            // Where the guard holds, it is nothing else.
            [(target, _)] => Rc::new([(target, Lit::TRUE)]),
            _ => left.into(),
        })
    }

    /// Drops the names that no heap has which may still be valid.
    fn drop_names(&mut self) -> Result<(), Refusal> {
        self.tell();
        let mut doubtful: Vec<(u32, Lit)> =
            self.universe.known.live().map(|atom| (atom, self.universe.known.atoms[atom as usize].exists)).collect();
        self.keep_impossible(&mut doubtful)?;
        for (atom, exists) in doubtful {
            self.universe.known.drop_atom(atom);
            self.decider.assert(self.circuit, !exists);
        }
        self.tightened = self.universe.known.atoms.len();
        Ok(())
    }

    /// Drops the names and the values of places that no valid heap has.
    pub fn tighten(&mut self) -> Result<(), Refusal> {
        self.drop_names()?;
        let live: BTreeSet<u32> = self.universe.known.live().collect();
        self.universe.known.places.retain(|(atom, _), _| live.contains(atom));
        let places: Vec<(u32, u32)> = self.universe.known.places.keys().copied().collect();
        let mut doubtful: Vec<((u32, u32, Target), Lit)> = Vec::new();
        for (atom, slot) in places {
            let exists = self.universe.known.atoms[atom as usize].exists;
            self.universe.extend(self.circuit, (atom, slot), exists, &|_, _| true);
            let refs = self.universe.known.places[&(atom, slot)].refs.clone();
            for (target, when) in refs.iter() {
                doubtful.push(((atom, slot, *target), self.circuit.and(exists, *when)));
            }
        }
        self.tell();
        self.keep_impossible(&mut doubtful)?;
        for ((atom, slot, target), never) in doubtful {
            self.decider.assert(self.circuit, !never);
            if let Some(place) = self.universe.known.places.get_mut(&(atom, slot)) {
                let left: Vec<(Target, Lit)> =
                    place.refs.iter().filter(|(known, _)| *known != target).copied().collect();
                place.further = Lit::FALSE;
                place.refs = match left[..] {
                    [(only, _)] => Rc::new([(only, Lit::TRUE)]),
                    _ => left.into(),
                };
            }
        }
        Ok(())
    }

    /// Leaves only those that cannot be true.
    fn keep_impossible<T>(&mut self, doubtful: &mut Vec<(T, Lit)>) -> Result<(), Refusal> {
        loop {
            doubtful.retain(|(_, literal)| !self.decider.was_true(self.circuit, *literal));
            let any = self.circuit.any(doubtful.iter().map(|(_, literal)| *literal));
            if any == Lit::FALSE || !self.ask(any)? {
                return Ok(());
            }
        }
    }

    pub fn make(&mut self, way: &mut Way, class: &'static crate::program::Class, body: Body) -> Meaning {
        let number = self.next_object;
        self.next_object += 1;
        Rc::make_mut(&mut way.heap).insert(number, Rc::new(Made { class, body }));
        Meaning::one(Target::Made(number))
    }

    pub fn unsupported(&self, what: &str) -> Refusal {
        let at = self.at.map(|(method, pc)| {
            let line = self.program.code(method).ok().and_then(|code| code.line(pc));
            format!("{}.{}, line {}", method.class().java_name(), method.name, line.unwrap_or(0))
        });
        Refusal::Unsupported(format!("{what}, at {}", at.unwrap_or_default()))
    }
}

/// What a way learns about a reference: the value, and what is left of it.
pub type Learned = Option<(Refs, Vec<(Target, Lit)>)>;

/// Branches for which a way is followed apart from the others.
const PATIENCE: u8 = 3;

/// Is it known on a way that there is no such object?
pub fn is_absent(known: &Known, atom: u32, refined: &Refined) -> bool {
    let mut atom = atom;
    while let Some(place) = known.atoms[atom as usize].birth {
        match refined.get(&place) {
            Some(refs) if refs.iter().all(|(target, _)| *target != Target::Atom(atom)) => return true,
            _ => atom = place.0,
        }
    }
    false
}

fn is_zero(value: &Meaning) -> bool {
    matches!(value, Meaning::Word(word) if word.iter().all(|bit| *bit == Lit::FALSE))
}
