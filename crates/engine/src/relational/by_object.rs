//! How is a method executed that is called for one object after the other, if nobody knows in which order?
//!
//! An invariant that walks over a structure comes to each object once, or says that something is wrong. So a recursive method is
//! executed once for each object, whoever calls it: its other arguments are variables, and are what the caller gave. A second
//! caller gets an execution of his own, which is where most invariants say no; whatever a third one gets is not known. So the formula has as
//! many parts as there are objects instead of as many as there are ways to reach them, and what one object must be does not wait for
//! what is known about others. It never excludes a valid input; what it takes for one that is none, the interpreter refuses.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use lazuli_logic::circuit::Lit;

use super::Refusal;
use super::activation::{Activation, Output, Promise, reachable};
use super::meaning::{Meaning, Target, any_of};
use super::translate::Translator;
use super::way::{Body, Heap, Way};
use crate::program::{Class, Method, Program, descriptor};
use crate::value::Kind;

/// The declared types of what a method gets, the receiver included, as far as they can be loaded.
pub fn parameter_types(program: &Program, method: &'static Method) -> Vec<Option<&'static Class>> {
    let receiver = (!method.is_static()).then(|| Some(method.class()));
    let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
    receiver.into_iter().chain(types.iter().map(|declared| program.load_descriptor(declared).ok())).collect()
}

/// What is executed for objects.
pub type Visits = HashMap<Key, Visit>;

/// How many bits the numbers need that a method returns, by method.
pub type Ranges = BTreeMap<u32, usize>;

/// The method and the atom.
type Key = (u32, u32);

/// The first or the second call of a method for an object.
#[derive(Clone, Copy)]
pub struct Turn {
    key: Key,
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

    /// Where executions may come in any order, they may share nothing but sets.
    fn has_only_sets(&self, values: &[Meaning], heap: &Heap) -> Result<(), Refusal> {
        let is_set = |number: u32| heap.get(number).is_some_and(|made| matches!(made.body, Body::Events(_)));
        if reachable(values, heap).into_iter().all(is_set) {
            return Ok(());
        }
        Err(self.unsupported("something else than a set that is handed on from object to object"))
    }

    /// Executes a method that a way is at the beginning of, for whatever object the subject is: the value that is returned. None if no
    /// input gets there.
    pub fn visit(&mut self, way: Way, subject: usize) -> Result<Option<Meaning>, Refusal> {
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
                Target::Atom(atom) => Some(self.visit_atom(*atom, subject, here)?),
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
    fn visit_atom(&mut self, atom: u32, subject: usize, way: Way) -> Result<Meaning, Refusal> {
        let (here, method) = (way.guard, way.method);
        let key = (method.id.index(), atom);
        let mut visit = self.visits.remove(&key).unwrap_or_default();
        let Calls { any, two } = visit.calls;
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
                if *value != Meaning::Nothing {
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
                Meaning::Word(word) => Meaning::Word(self.circuit.word_input(word.len())),
                Meaning::Nothing => Meaning::Nothing,
            });
        }
        let guard = self.circuit.input();
        let value = self.promised_value(like.method)?;
        let promise = Rc::new(Promise { method: like.method, value, made: Vec::new(), constants: RefCell::default() });
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
        let now = self.circuit.and(self.stage, literal);
        self.is_impossible_within(now, BRIEFLY)
    }

    fn tell_in_stage(&mut self, literal: Lit) {
        let told = self.circuit.implies(self.stage, literal);
        self.decider.assert(self.circuit, told);
    }

    /// Finds out how many bits the numbers need that methods return: what is returned for an object is compared with what is returned for
    /// those behind it, which are fewer and fewer. By method; those that are missing may need all bits.
    pub fn ranges(&mut self, turns: &[Turn]) -> Result<Ranges, Refusal> {
        let atoms = self.universe.atoms.len() as i64;
        let mut ranges = Ranges::new();
        let mut in_order: Vec<Turn> = turns.to_vec();
        in_order.sort_by_key(|turn| std::cmp::Reverse(turn.key));
        for turns in in_order.chunk_by(|one, other| one.key.0 == other.key.0) {
            let mut are_small = true;
            for turn in turns {
                let Some(first) = self.visits.get(&turn.key).and_then(|visit| visit.first.clone()) else { continue };
                let Meaning::Word(value) = &first.promise.value else {
                    are_small = false;
                    break;
                };
                let most = atoms - turn.key.1 as i64 + 1;
                let (least, most) =
                    (self.circuit.word_constant(value.len(), -most - 1), self.circuit.word_constant(value.len(), most));
                let (below, above) = (self.circuit.less(value, &least), self.circuit.less(&most, value));
                let outside = self.circuit.or(below, above);
                let outside = self.circuit.and(first.guard, outside);
                if self.is_possible_now(outside)? {
                    are_small = false;
                    break;
                }
                self.tell_in_stage(!outside);
            }
            if are_small && let Some(turn) = turns.first() {
                // One for the sign.
                let bits = (i64::BITS - (atoms + 2).leading_zeros()) as usize + 1;
                ranges.insert(turn.key.0, bits);
            }
        }
        Ok(ranges)
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
fn is_input(value: &Meaning) -> bool {
    let is_input = |(target, _): &(Target, Lit)| matches!(target, Target::Atom(_) | Target::Null);
    matches!(value, Meaning::Ref(refs) if refs.iter().all(is_input))
}
