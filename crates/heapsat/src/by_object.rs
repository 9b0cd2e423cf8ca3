//! How is a method executed that is called for one object after the other, if nobody knows in which order?
//!
//! An invariant that walks over a structure comes to each object once, or says that something is wrong. So a recursive method is
//! executed once for each object, whoever calls it: its other arguments are variables, and are what the caller gave. A second
//! caller gets an execution of his own, which is where most invariants say no; whatever a third one gets is not known. So the formula has as
//! many parts as there are objects instead of as many as there are ways to reach them, and what one object must be does not wait for
//! what is known about others. It never excludes a valid input; what it takes for one that is none, the interpreter refuses.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use lazuli_logic::circuit::{Lit, Word};
use lazuli_vm::program::{Class, Method, Program, descriptor};
use lazuli_vm::value::Kind;

use super::Refusal;
use super::activation::{Activation, Output, Promise, reachable};
use super::meaning::{Meaning, Target, any_of};
use super::once::{Failures, Part};
use super::translate::Translator;
use super::way::{Body, Heap, Way};

/// The declared types of what a method gets, the receiver included, as far as they can be loaded.
pub fn parameter_types(program: &Program, method: &'static Method) -> Vec<Option<&'static Class>> {
    let receiver = (!method.is_static()).then(|| Some(method.class()));
    let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
    receiver.into_iter().chain(types.iter().map(|declared| program.load_descriptor(declared).ok())).collect()
}

/// What is executed for objects.
pub type Visits = BTreeMap<Key, Visit>;

/// How many bits numbers need that are computed for one object after the other.
pub type Ranges = BTreeMap<Number, usize>;

/// A number that is computed for one object after the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Number {
    /// What a method returns.
    Returned(u32),
    /// What a method, or a round of a loop, begins with: the method, the block that the loop begins with, and the local variable.
    Local(u32, Option<u32>, usize),
}

/// What is executed: a method, from its beginning or from the head of a loop on, for an atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    method: u32,
    head: Option<u32>,
    pub atom: u32,
}

impl Key {
    pub fn part(&self) -> Part {
        (self.method, self.head)
    }
}

/// The first or the second call of a method for an object.
#[derive(Clone, Copy)]
pub struct Turn {
    pub key: Key,
    pub is_second: bool,
}

/// The calls of one method for one object.
#[derive(Default)]
pub struct Visit {
    calls: Calls,
    first: Option<Execution>,
    second: Option<Execution>,
}

/// Is there a call, are there two?
struct Calls {
    any: Lit,
    two: Lit,
}

impl Default for Calls {
    fn default() -> Calls {
        Calls { any: Lit::FALSE, two: Lit::FALSE }
    }
}

/// One execution, for whoever calls.
#[derive(Clone)]
struct Execution {
    /// Is it needed?
    guard: Lit,
    arguments: Rc<[Meaning]>,
    promise: Rc<Promise>,
}

/// The time that a question may take whose answer would only be of use.
const BRIEFLY: Duration = Duration::from_millis(200);

/// The same where there is little to gain.
const VERY_BRIEFLY: Duration = Duration::from_millis(50);

impl Translator<'_> {
    /// The argument by whose objects calls of the method are executed: the first that may refer to objects of the input.
    pub fn subject(&self, way: &Way, method: &'static Method, arguments: &[Meaning]) -> Result<Option<usize>, Refusal> {
        if !self.by_object {
            return Ok(None);
        }
        self.has_only_sets(arguments, &way.heap)?;
        let subject = self.subject_of(method);
        subject.filter(|at| is_input(&arguments[*at])).map_or_else(
            || Err(self.unsupported("a recursive method that is not about an object of the input")),
            |subject| Ok(Some(subject)),
        )
    }

    /// The first argument of a method that may refer to objects of the input.
    pub fn subject_of(&self, method: &'static Method) -> Option<usize> {
        let may_refer =
            |class: &'static Class| class.is_users() && !self.universe.atoms_of(self.program, class).is_empty();
        parameter_types(self.program, method).into_iter().position(|class| class.is_some_and(may_refer))
    }

    /// Where executions may come in any order, they may share nothing but sets; and what is in these is known when all have come.
    pub fn has_only_sets(&self, values: &[Meaning], heap: &Heap) -> Result<(), Refusal> {
        let is_set =
            |number: u32| heap.get(number).is_some_and(|made| matches!(made.body, Body::Events(set) if !set.is_read));
        if reachable(values, heap).into_iter().all(is_set) {
            return Ok(());
        }
        Err(self.unsupported("something else than a set that is handed on from object to object"))
    }

    /// Executes a method that a way is at the beginning of, or at the head of a loop, for whatever object the subject is: the value that is
    /// returned. None if no input gets there.
    pub fn visit(&mut self, way: Way, subject: usize, head: Option<u32>) -> Result<Option<Meaning>, Refusal> {
        let Meaning::Ref(refs) = way.registers[subject].clone() else { unreachable!("a subject is a reference") };
        if self.turn.is_some_and(|turn| turn.is_second) && !self.is_possible_now(way.guard)? {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            let mut here = way.clone();
            here.guard = self.circuit.and(way.guard, *when);
            if here.guard == Lit::FALSE {
                continue;
            }
            here.registers[subject] = Meaning::one(*target);
            let value = match target {
                Target::Atom(atom) => Some(self.visit_atom(*atom, (subject, head), here)?),
                _ => self.call_in_place(&mut here)?,
            };
            parts.extend(value.map(|value| (*when, value)));
        }
        match &parts[..] {
            [] => Ok(None),
            _ if way.method.result == Kind::Void => Ok(Some(Meaning::Nothing)),
            parts => any_of(self.circuit, parts).map(Some).ok_or_else(|| self.unsupported("values of different kinds")),
        }
    }

    /// Executes for one object.
    fn visit_atom(&mut self, atom: u32, (subject, head): (usize, Option<u32>), way: Way) -> Result<Meaning, Refusal> {
        let (here, method) = (way.guard, way.method);
        let key = Key { method: method.id.index(), head, atom };
        let mut visit = self.visits.remove(&key).unwrap_or_default();
        let Calls { any, two } = visit.calls;
        if self.ledger.is_some() {
            let execution = match visit.first.take() {
                Some(known) => known,
                None => self.execute_later(&way, subject, Turn { key, is_second: false })?,
            };
            let (by, value) = (self.turn.map(|turn| turn.key), execution.promise.value.clone());
            if let Some(ledger) = &mut self.ledger {
                ledger.call(by, key, here, &value);
            }
            visit.first = Some(execution);
            self.visits.insert(key, visit);
            return Ok(value);
        }
        let again = self.circuit.and(here, any);
        let (is_first, is_second, is_late) = if self.comes_once {
            self.forbid(again);
            (here, Lit::FALSE, Lit::FALSE)
        } else {
            (self.circuit.and(here, !any), self.circuit.and(again, !two), self.circuit.and(again, two))
        };
        let mut parts = Vec::new();
        let first = (is_first, &mut visit.first, Turn { key, is_second: false });
        let second = (is_second, &mut visit.second, Turn { key, is_second: true });
        for (is_it, execution, turn) in [first, second] {
            if is_it == Lit::FALSE {
                continue;
            }
            let known = match execution.clone() {
                Some(known) => known,
                None => self.execute_later(&way, subject, turn)?,
            };
            let needs = self.circuit.implies(is_it, known.guard);
            self.decider.assert(self.circuit, needs);
            for (variable, value) in known.arguments.iter().zip(&way.registers) {
                // Where numbers are rough, it is of no use to know which ones are handed on.
                let matters = !matches!(value, Meaning::Word(_)) || !self.is_rough || self.failures.is_none();
                if *value != Meaning::Nothing && matters {
                    self.equate(is_it, variable, value)?;
                }
            }
            parts.push((is_it, known.promise.value.clone()));
            *execution = Some(known);
        }
        if is_late != Lit::FALSE {
            parts.push((is_late, self.promised_value(method)?));
        }
        visit.calls = Calls { any: self.circuit.or(any, here), two: self.circuit.or(two, again) };
        self.visits.insert(key, visit);
        match &parts[..] {
            [(_, only)] => Ok(only.clone()),
            _ if method.result == Kind::Void => Ok(Meaning::Nothing),
            _ => any_of(self.circuit, &parts).ok_or_else(|| self.unsupported("values of different kinds")),
        }
    }

    /// An execution for one object, in which all else are variables, except for sets.
    fn execute_later(&mut self, like: &Way, subject: usize, turn: Turn) -> Result<Execution, Refusal> {
        let mut variables = Vec::with_capacity(like.registers.len());
        let types = parameter_types(self.program, like.method);
        for (at, value) in like.registers.iter().enumerate() {
            variables.push(match value {
                Meaning::Ref(refs) if at == subject || matches!(refs[..], [(Target::Made(_), _)]) => value.clone(),
                Meaning::Ref(refs) => {
                    let atoms = match types.get(at) {
                        Some(Some(declared)) => self.universe.atoms_of(self.program, declared),
                        _ => self.universe.like(refs),
                    };
                    let atoms = atoms.into_iter().map(Target::Atom);
                    Meaning::Ref(self.any_of_targets([Target::Null].into_iter().chain(atoms)))
                }
                Meaning::Word(word) => {
                    let number = Number::Local(turn.key.method, turn.key.head, at);
                    Meaning::Word(self.number_in_range(number, word.len()))
                }
                Meaning::Nothing => Meaning::Nothing,
            });
        }
        let guard = self.circuit.input();
        let value = self.promised_value(like.method)?;
        let promise = Rc::new(Promise {
            method: like.method,
            value: value.clone(),
            made: Vec::new(),
            constants: RefCell::default(),
        });
        if let Some(failures) = self.failures.as_ref().and_then(|failures| failures.get(&turn.key.part())).cloned() {
            let failures = failures.into_iter().filter(|failure| self.is_near(*failure)).collect();
            let fails = self.is_one_of(&value, &failures);
            let fails = self.circuit.and(guard, fails);
            self.forbid(fails);
        }
        let way = Way { guard, registers: variables.clone(), ..like.clone() };
        let output = Output::Promised(promise.clone());
        self.waiting.push_back(Activation { way, output, depth: 0, turn: Some(turn) });
        Ok(Execution { guard, arguments: variables.into(), promise })
    }

    /// Takes it for granted, as long as the stage lasts, that there are no calls but those that are known. Then nothing is executed that
    /// nobody calls.
    pub fn begin_stage(&mut self) {
        self.stage = self.circuit.input();
        let executions: Vec<(Lit, Lit)> = self
            .visits
            .values()
            .flat_map(|visit| [(visit.calls.any, &visit.first), (visit.calls.two, &visit.second)])
            .filter_map(|(needed, execution)| Some((execution.as_ref()?.guard, needed)))
            .collect();
        for (guard, needed) in executions {
            let closed = self.circuit.implies(guard, needed);
            self.tell_in_stage(closed);
        }
    }

    /// Is there an input for which this is true, if all calls are known?
    pub fn is_possible_now(&mut self, literal: Lit) -> Result<bool, Refusal> {
        let now = self.circuit.and(self.stage, literal);
        self.is_possible(now)
    }

    /// Is it found soon that there is none? What takes long is better left to whoever needs it.
    fn is_soon_excluded(&mut self, literal: Lit) -> Result<bool, Refusal> {
        self.is_excluded_within(literal, BRIEFLY)
    }

    fn is_excluded_within(&mut self, literal: Lit, time: Duration) -> Result<bool, Refusal> {
        let now = self.circuit.and(self.stage, literal);
        self.is_impossible_within(now, time)
    }

    fn tell_in_stage(&mut self, literal: Lit) {
        let told = self.circuit.implies(self.stage, literal);
        self.decider.assert(self.circuit, told);
    }

    /// A variable for a number, with as many bits as it needs.
    pub fn number_in_range(&mut self, number: Number, width: usize) -> Word {
        let bits = self.near.or_else(|| self.ranges.as_ref()?.get(&number).copied());
        let word = self.circuit.word_input(bits.unwrap_or(width).min(width));
        self.circuit.widen(&word, width)
    }

    /// Finds out how many bits the numbers need that methods return: what is returned for an object is compared with what is returned for
    /// those behind it, which are fewer and fewer. Those that are missing may need all bits.
    pub fn ranges(&mut self, turns: &[Turn]) -> Result<Ranges, Refusal> {
        let atoms = self.universe.atoms.len() as i64;
        let bits = self.bits_of_answers();
        let mut ranges = Ranges::new();
        let (mut methods, mut rounds): (Vec<Turn>, Vec<Turn>) = turns.iter().partition(|turn| turn.key.head.is_none());
        methods.sort_by_key(|turn| std::cmp::Reverse(turn.key));
        for turns in methods.chunk_by(|one, other| one.key.method == other.key.method) {
            let mut are_small = true;
            for turn in turns {
                let Some(first) = self.visits.get(&turn.key).and_then(|visit| visit.first.clone()) else { continue };
                are_small = self.is_within(first.guard, &first.promise.value, atoms - turn.key.atom as i64 + 1)?;
                if !are_small {
                    break;
                }
            }
            if are_small && let Some(turn) = turns.first() {
                ranges.insert(Number::Returned(turn.key.method), bits);
            }
        }
        rounds.sort_by_key(|turn| turn.key);
        for turns in rounds.chunk_by(|one, other| (one.key.method, one.key.head) == (other.key.method, other.key.head))
        {
            let mut large = BTreeSet::new();
            for turn in turns {
                let Some(first) = self.visits.get(&turn.key).and_then(|visit| visit.first.clone()) else { continue };
                for (local, value) in first.arguments.iter().enumerate() {
                    if !matches!(value, Meaning::Word(_)) {
                        continue;
                    }
                    // What is counted has at most come to all objects before this one.
                    let is_small = !large.contains(&local)
                        && (self.is_within(first.guard, value, turn.key.atom as i64 + 1)?
                            || self.is_within(first.guard, value, atoms + 1)?);
                    if is_small {
                        ranges.insert(Number::Local(turn.key.method, turn.key.head, local), bits);
                    } else {
                        large.insert(local);
                    }
                }
            }
            if let Some(Key { method, head, .. }) = turns.first().map(|turn| turn.key) {
                ranges.retain(|number, _| !large.iter().any(|local| *number == Number::Local(method, head, *local)));
            }
        }
        Ok(ranges)
    }

    /// Finds out limits of what methods return, in the same order, as long as that is found soon. They are of use to whoever asks next. How many
    /// bits that takes, if it is all that is handed from object to object.
    pub fn limit_answers(&mut self, turns: &[Turn]) -> Result<Option<Ranges>, Refusal> {
        let atoms = self.universe.atoms.len() as i64;
        let mut methods: Vec<Turn> = turns.iter().filter(|turn| turn.key.head.is_none()).copied().collect();
        methods.sort_by_key(|turn| std::cmp::Reverse(turn.key));
        let mut ranges = Ranges::new();
        for turn in &methods {
            let Some(first) = self.visits.get(&turn.key).and_then(|visit| visit.first.clone()) else { continue };
            if !matches!(first.promise.value, Meaning::Word(_)) {
                continue;
            }
            let outside = self.outside(first.guard, &first.promise.value, atoms - turn.key.atom as i64 + 1);
            if outside != Lit::FALSE && !self.is_excluded_within(outside, VERY_BRIEFLY)? {
                return Ok(None);
            }
            self.tell_in_stage(!outside);
            ranges.insert(Number::Returned(turn.key.method), self.bits_of_answers());
        }
        Ok((methods.len() == turns.len()).then_some(ranges))
    }

    fn bits_of_answers(&self) -> usize {
        let atoms = self.universe.atoms.len() as i64;
        // One for the sign.
        (i64::BITS - (atoms + 2).leading_zeros()) as usize + 1
    }

    /// Is a number between -most - 1 and most, whenever there is one? It is known from then on.
    fn is_within(&mut self, guard: Lit, value: &Meaning, most: i64) -> Result<bool, Refusal> {
        let outside = self.outside(guard, value, most);
        if self.is_possible_now(outside)? {
            return Ok(false);
        }
        self.tell_in_stage(!outside);
        Ok(true)
    }

    /// When is there a number, and it is not between these two?
    fn outside(&mut self, guard: Lit, value: &Meaning, most: i64) -> Lit {
        let Meaning::Word(value) = value else { return guard };
        let (least, most) =
            (self.circuit.word_constant(value.len(), -most - 1), self.circuit.word_constant(value.len(), most));
        let (below, above) = (self.circuit.less(value, &least), self.circuit.less(&most, value));
        let outside = self.circuit.or(below, above);
        self.circuit.and(guard, outside)
    }

    /// The numbers that executions return as they are.
    pub fn constants(&self) -> Failures {
        let mut constants = Failures::new();
        for (key, visit) in &self.visits {
            let of_part = constants.entry(key.part()).or_default();
            of_part.extend(visit.first.iter().flat_map(|first| first.promise.constants.borrow().clone()));
        }
        constants
    }

    /// Is there no input for which a method is called twice for the same object?
    pub fn is_once(&mut self) -> Result<bool, Refusal> {
        let twice: Vec<Lit> = self.visits.values().map(|visit| visit.calls.two).collect();
        let twice = self.circuit.any(twice);
        Ok(!self.is_possible_now(twice)?)
    }

    /// Finds out what no execution returns, because then something would be wrong: from the root on, each because the one before
    /// it does not.
    pub fn exclude_answers(&mut self, turns: &[Turn]) -> Result<(), Refusal> {
        for turn in turns {
            let Some(visit) = self.visits.get(&turn.key) else { continue };
            let execution = if turn.is_second { &visit.second } else { &visit.first };
            let Some(Execution { guard, promise, .. }) = execution.clone() else { continue };
            let Meaning::Word(value) = &promise.value else { continue };
            for constant in promise.constants.borrow().iter() {
                let constant = self.circuit.word_constant(value.len(), *constant);
                let is_it = self.circuit.word_equal(value, &constant);
                let returns_it = self.circuit.and(guard, is_it);
                if self.is_soon_excluded(returns_it)? {
                    self.tell_in_stage(!returns_it);
                }
            }
            if turn.is_second && self.is_soon_excluded(guard)? {
                self.tell_in_stage(!guard);
            }
        }
        Ok(())
    }
}

/// Is it null or an object of the input?
pub fn is_input(value: &Meaning) -> bool {
    let is_input = |(target, _): &(Target, Lit)| matches!(target, Target::Atom(_) | Target::Null);
    matches!(value, Meaning::Ref(refs) if refs.iter().all(is_input))
}
