//! How is a recursive method executed over all inputs, if nobody knows how deep it goes?
//!
//! A call of such a method is a promise: what it returns and what it leaves behind are variables at first, which may be anything. Then
//! the promises are kept one after the other, in the order in which they were given: the method is executed, and the variables
//! are what comes out. So all calls of one depth are known before any deeper one is looked at, and those that no valid
//! input reaches, which for a balanced tree are nearly all, are never executed.
//!
//! What has loops and comes after such a call waits until all promises are kept: as long as nobody knows what the recursive method
//! says of the heap, the heap may be cyclic, and a loop endless.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::program::Method;
use lazuli_vm::value::Kind;

use super::Refusal;
use super::by_object::{Number, Turn};
use super::exceptions::is_covered;
use super::meaning::{Meaning, Refs, Target};
use super::translate::{Returned, Translator};
use super::way::{Body, Heap, Made, Way};

/// A method, or the rest of one, that must still be executed.
pub struct Activation {
    pub way: Way,
    pub output: Output,
    /// How many activations had to be executed before this one could be asked for.
    pub depth: usize,
    /// Which call it is, if it is for one object.
    pub turn: Option<Turn>,
}

/// Where what an activation returns goes to.
#[derive(Clone)]
pub enum Output {
    /// It must be true.
    Required,
    /// Somebody was promised it.
    Promised(Rc<Promise>),
}

pub struct Promise {
    pub method: &'static Method,
    pub value: Meaning,
    /// The objects that the caller knows, as they are afterwards.
    pub made: Vec<(u32, Rc<Made>)>,
    /// The numbers that are returned as they are.
    pub constants: RefCell<BTreeSet<i64>>,
}

impl Translator<'_> {
    /// Calls a method that is executed later: what it returns.
    pub fn promise(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
    ) -> Result<Meaning, Refusal> {
        if self.handlers > 0 || is_covered(way) {
            return Err(self.unsupported("a recursive call in a try block"));
        }
        // What is executed later cannot tell who goes through the objects of a set meanwhile.
        if self.is_unordered(way) {
            return Err(Refusal::Unordered);
        }
        if let Some(subject) = self.subject(way, method, &arguments)? {
            self.note_walker(way, &arguments[subject]);
            let inner = self.enter(way.guard, method, arguments, way.heap.clone())?;
            let value = self.visit(inner, subject, None)?;
            if value.is_none() {
                way.guard = Lit::FALSE;
            }
            return Ok(value.unwrap_or(Meaning::Nothing));
        }
        let inner = self.enter(way.guard, method, arguments, way.heap.clone())?;
        let known = reachable(&inner.registers, &way.heap);
        if let Some((at, promise)) = self.same_promise(method, way.guard, &known)? {
            let other = self.waiting.remove(at).expect("it waits");
            let both = self.merge(inner, other.way);
            self.waiting.insert(at, Activation { way: both, ..other });
            return self.take(way, method, &promise);
        }
        let promise = self.give(way, method, known)?;
        let (output, depth) = (Output::Promised(promise.clone()), self.depth + 1);
        self.waiting.push_back(Activation { way: inner, output, depth, turn: None });
        self.given.push(promise.clone());
        self.take(way, method, &promise)
    }

    /// Must a method wait that is called here? It must if it has loops, and promises were given that may decide how they end. What is
    /// called with a list, or where an exception is caught, cannot wait, nor can what may return an object of its own.
    pub fn must_wait(&mut self, way: &Way, method: &'static Method, arguments: &[Meaning]) -> bool {
        let is_list = |number: u32| way.heap.get(number).is_some_and(|made| matches!(made.body, Body::List(_)));
        self.has_promises()
            && method.result != Kind::Reference
            && self.handlers == 0
            && !is_covered(way)
            && self.recursion.has_loops(self.program, method)
            && !reachable(arguments, &way.heap).into_iter().any(is_list)
    }

    /// Did the activation that is being executed give promises that are not kept yet?
    pub fn has_promises(&self) -> bool {
        !self.by_object && !self.given.is_empty()
    }

    /// Calls a method that is executed when all promises are kept: what it returns.
    pub fn promise_at_last(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: Vec<Meaning>,
    ) -> Result<Meaning, Refusal> {
        if self.is_unordered(way) {
            return Err(Refusal::Unordered);
        }
        let inner = self.enter(way.guard, method, arguments, way.heap.clone())?;
        let known = reachable(&inner.registers, &way.heap);
        let promise = self.give(way, method, known)?;
        self.wait_for_all(inner, Output::Promised(promise.clone()));
        self.take(way, method, &promise)
    }

    /// Follows a way when all promises are kept.
    pub fn wait_for_all(&mut self, way: Way, output: Output) {
        self.last.push_back(Activation { way, output, depth: self.depth, turn: None });
    }

    /// Promises what a method returns, and what it leaves of the objects that it knows.
    fn give(&mut self, way: &Way, method: &'static Method, known: BTreeSet<u32>) -> Result<Rc<Promise>, Refusal> {
        let value = self.promised_value(method)?;
        let mut made = Vec::new();
        for number in known {
            let Some(before) = way.heap.get(number).cloned() else { continue };
            made.push((number, Rc::new(Made { class: before.class, body: self.promised_body(&before.body)? })));
        }
        Ok(Rc::new(Promise { method, value, made, constants: RefCell::default() }))
    }

    /// A promise that was given during this activation, waits to be kept, and is of use only where this way does not go. So one
    /// execution does for both.
    fn same_promise(
        &mut self,
        method: &'static Method,
        guard: Lit,
        known: &BTreeSet<u32>,
    ) -> Result<Option<(usize, Rc<Promise>)>, Refusal> {
        for given in self.given.clone() {
            let is_same = given.method.id == method.id && given.made.iter().map(|(number, _)| number).eq(known);
            let is_it =
                |waiting: &Activation| matches!(&waiting.output, Output::Promised(other) if Rc::ptr_eq(other, &given));
            let Some(at) = self.waiting.iter().position(is_it).filter(|_| is_same) else { continue };
            let both = self.circuit.and(self.waiting[at].way.guard, guard);
            if !self.is_possible(both)? {
                return Ok(Some((at, given)));
            }
        }
        Ok(None)
    }

    /// Goes on with what was promised.
    fn take(&mut self, way: &mut Way, method: &'static Method, promise: &Promise) -> Result<Meaning, Refusal> {
        let grows = !self.recursion.takes_out(self.program, method);
        for (number, after) in &promise.made {
            if let (true, Some(Body::Set(before)), Body::Set(after)) =
                (grows, way.heap.get(*number).map(|made| made.body.clone()), &after.body)
            {
                for (target, when) in before.iter() {
                    let stays = self.circuit.implies(when, after.when(target));
                    let stays = self.circuit.implies(way.guard, stays);
                    self.decider.assert(self.circuit, stays);
                }
            }
            Rc::make_mut(&mut way.heap.made).insert(*number, after.clone());
        }
        Ok(promise.value.clone())
    }

    /// Executes what was promised, down to some depth, as far as an input gets there. Says whether something deeper is left.
    pub fn activate_all(&mut self, deepest: usize) -> Result<bool, Refusal> {
        let mut is_cut = false;
        // Second calls for an object are looked at when all first ones are known: mostly there are none.
        let (mut first, mut second) = (Vec::new(), Vec::new());
        loop {
            while let Some(next) = self.waiting.pop_front() {
                match next.turn {
                    Some(turn) if turn.is_second => {
                        second.push(next);
                        continue;
                    }
                    turn => first.extend(turn),
                }
                if !(is_cut && next.depth > deepest) {
                    is_cut |= self.activate(next, deepest)?;
                }
            }
            if let Some(next) = self.last.pop_front() {
                // Where something deeper is missing, what waits for it would not find its end.
                if !is_cut {
                    self.waiting.push_back(next);
                }
                continue;
            }
            if self.ledger.is_some() {
                let constants = self.constants();
                self.look_for_failures(constants)?;
                self.visits.clear();
                self.events.clear();
                return Ok(is_cut);
            }
            self.begin_stage();
            if self.failures.is_none() {
                self.exclude_answers(&first)?;
            }
            let mut is_done = true;
            for next in std::mem::take(&mut second) {
                let Some(turn) = next.turn else { continue };
                is_cut |= self.activate(next, deepest)?;
                is_done &= self.waiting.is_empty();
                self.exclude_answers(&[turn])?;
            }
            if is_done {
                break;
            }
        }
        // What was left out may call, and add to sets: then nothing may be concluded from what is known.
        let is_once = !is_cut && (self.comes_once || self.is_once()?);
        self.found_once &= is_once;
        if is_once && self.limits_answers {
            let ranges = self.limit_answers(&first)?;
            if self.near.is_some() {
                self.ranges = ranges;
            }
        }
        if is_once && self.comes_once && self.ranges.is_none() && self.near.is_none() {
            self.ranges = Some(self.ranges(&first)?);
        }
        if !is_cut {
            let stage = self.stage;
            self.decider.assert(self.circuit, stage);
        }
        self.visits.clear();
        self.close_events(is_once);
        Ok(is_cut)
    }

    /// Executes what was promised, unless it is too deep. Says whether that is so.
    fn activate(&mut self, mut next: Activation, deepest: usize) -> Result<bool, Refusal> {
        if next.turn.is_none() && !self.is_possible(next.way.guard)? {
            self.forbid(next.way.guard);
            return Ok(false);
        }
        if next.depth > deepest {
            return Ok(true);
        }
        self.depth = next.depth;
        self.turn = next.turn;
        self.given.clear();
        self.is_outermost = self.outermost == Some(next.way.method.id);
        self.narrow_registers(&mut next.way)?;
        for returned in self.run(next.way, Some(&next.output))? {
            match &next.output {
                Output::Required => self.assert_true(returned)?,
                Output::Promised(promise) => self.keep(promise, returned)?,
            }
        }
        Ok(false)
    }

    fn assert_true(&mut self, returned: Returned) -> Result<(), Refusal> {
        if let Some(ledger) = &mut self.ledger {
            ledger.returned(None, returned.guard, &returned.value);
            return Ok(());
        }
        let Meaning::Word(word) = returned.value else {
            return Err(self.unsupported("an invariant without an answer"));
        };
        let is_true = self.circuit.any(word.iter().copied());
        let holds = self.circuit.implies(returned.guard, is_true);
        self.decider.assert(self.circuit, holds);
        Ok(())
    }

    /// What was promised is what came out.
    fn keep(&mut self, promise: &Promise, returned: Returned) -> Result<(), Refusal> {
        let guard = returned.guard;
        if let Meaning::Word(word) = &returned.value
            && let Some(constant) = self.circuit.word_constant_of(word)
        {
            promise.constants.borrow_mut().insert(constant);
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.returned(self.turn.map(|turn| turn.key), guard, &returned.value);
            return Ok(());
        }
        let is_constant = |word: &Word| self.circuit.word_constant_of(word).is_some();
        // Where numbers are rough, nobody cares which of them is returned, unless it is a failure.
        let matters = matches!(&returned.value, Meaning::Word(word) if is_constant(word));
        if matters || !self.is_rough || self.failures.is_none() {
            self.equate(guard, &promise.value, &returned.value)?;
        }
        for (number, after) in &promise.made {
            let Some(is) = returned.heap.get(*number).cloned() else { continue };
            match (&after.body, &is.body) {
                (Body::Elements(promised), Body::Elements(is)) | (Body::Fields(promised), Body::Fields(is)) => {
                    for (promised, is) in promised.iter().zip(is) {
                        self.equate(guard, promised, is)?;
                    }
                }
                (Body::Set(promised), Body::Set(is)) => {
                    for (target, when) in promised.iter() {
                        self.equal(guard, when, is.when(target));
                    }
                }
                (Body::Events(_), Body::Events(_)) => {}
                _ => return Err(self.unsupported("a list that a recursive method changes")),
            }
        }
        Ok(())
    }

    pub fn equate(&mut self, guard: Lit, promised: &Meaning, is: &Meaning) -> Result<(), Refusal> {
        match (promised, is) {
            (Meaning::Word(promised), Meaning::Word(is)) => {
                self.has_few_bits(is)?;
                for (promised, is) in promised.iter().zip(is.iter()) {
                    self.equal(guard, *promised, *is);
                }
            }
            (Meaning::Ref(promised), Meaning::Ref(is)) => {
                if is.iter().any(|(target, _)| promised.iter().all(|(known, _)| known != target)) {
                    return Err(self.unsupported("a new object from a recursive method"));
                }
                for (target, when) in promised.iter() {
                    self.equal(guard, *when, super::meaning::is(is, *target));
                }
            }
            (Meaning::Nothing, _) => {}
            _ => return Err(self.unsupported("a value that is not known")),
        }
        Ok(())
    }

    fn equal(&mut self, guard: Lit, one: Lit, other: Lit) {
        let same = self.circuit.equal(one, other);
        let holds = self.circuit.implies(guard, same);
        if holds != Lit::TRUE {
            self.decider.assert(self.circuit, holds);
        }
    }

    pub fn promised_value(&mut self, method: &'static Method) -> Result<Meaning, Refusal> {
        match method.result {
            Kind::Void => Ok(Meaning::Nothing),
            Kind::Boolean => Ok(Meaning::truth(self.circuit.input())),
            Kind::Reference => {
                let (_, result) = method.descriptor.split_once(')').unwrap_or_default();
                let declared = self.program.load_descriptor(result);
                let declared = declared.map_err(|error| self.unlinked(error))?;
                let atoms = self.universe.atoms_of(self.program, declared).into_iter().map(Target::Atom);
                Ok(Meaning::Ref(self.any_of_targets([Target::Null].into_iter().chain(atoms))))
            }
            Kind::Float | Kind::Double => Err(self.unsupported("floating point")),
            kind => {
                let width = if kind == Kind::Long { 64 } else { 32 };
                Ok(Meaning::Word(self.number_in_range(Number::Returned(method.id.index()), width)))
            }
        }
    }

    /// Exactly one of these.
    pub fn any_of_targets(&mut self, targets: impl Iterator<Item = Target>) -> Refs {
        let refs: Vec<(Target, Lit)> = targets.map(|target| (target, self.circuit.input())).collect();
        let lits: Vec<Lit> = refs.iter().map(|(_, when)| *when).collect();
        let one = self.circuit.exactly_one(&lits);
        self.decider.assert(self.circuit, one);
        refs.into()
    }

    /// What an object may be after a call.
    fn promised_body(&mut self, before: &Body) -> Result<Body, Refusal> {
        let any = |translator: &mut Self, before: &Meaning| match before {
            Meaning::Nothing => Ok(Meaning::Nothing),
            Meaning::Word(word) if word.len() == 64 => Ok(unknown_word(translator.circuit, Kind::Long)),
            Meaning::Word(_) => Ok(unknown_word(translator.circuit, Kind::Int)),
            Meaning::Ref(_) => {
                let atoms = (0..translator.universe.atoms.len() as u32).map(Target::Atom);
                Ok(Meaning::Ref(translator.any_of_targets([Target::Null].into_iter().chain(atoms))))
            }
        };
        match before {
            Body::Fields(values) => {
                values.iter().map(|value| any(self, value)).collect::<Result<_, _>>().map(Body::Fields)
            }
            Body::Elements(values) => {
                values.iter().map(|value| any(self, value)).collect::<Result<_, _>>().map(Body::Elements)
            }
            Body::Set(members) => {
                let atoms = (0..self.universe.atoms.len() as u32).map(Target::Atom);
                let targets: BTreeSet<Target> =
                    atoms.chain([Target::Null]).chain(members.iter().map(|(target, _)| target)).collect();
                Ok(Body::Set(targets.into_iter().map(|target| (target, self.circuit.input())).collect()))
            }
            Body::Events(events) => Ok(Body::Events(*events)),
            Body::List(_) => Err(self.unsupported("a list that is handed to a recursive method")),
        }
    }
}

pub fn unknown_word(circuit: &mut Circuit, kind: Kind) -> Meaning {
    let width = if kind == Kind::Long { 64 } else { 32 };
    Meaning::Word(circuit.word_input(width))
}

/// The objects that were made and that these values lead to.
pub fn reachable(values: &[Meaning], heap: &Heap) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<Meaning> = values.to_vec();
    while let Some(value) = waiting.pop() {
        let Meaning::Ref(refs) = value else { continue };
        for (target, _) in refs.iter() {
            let Target::Made(number) = target else { continue };
            if found.insert(*number)
                && let Some(made) = heap.get(*number)
                && let Body::Fields(inner) | Body::Elements(inner) = &made.body
            {
                waiting.extend(inner.iter().cloned());
            }
        }
    }
    found
}
